"""The engine: the same bytes however a study is run."""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nbcompare import study

MODEL = study.BinomialErrors(n_datasets=8, n_folds=2, n_runs=2)
DESIGNS = (study.ANOVA_T, study.StochasticDesign(procedure="bootstrap-a", n_resamples=100))
HERE = Path(__file__).parent


def run(**options):
    given = {"effects": [0.0, 0.05, 0.1], "repetitions": 8, "rng": 11} | options
    return study.run(given.pop("model", MODEL), given.pop("designs", DESIGNS), **given)


@pytest.fixture(scope="module")
def expected():
    return run().to_json()


@pytest.mark.slow
def test_selected_designs_are_those_of_a_study_of_their_own():
    both = run()
    names = [both.designs[1], both.designs[0]]
    assert both.select(names).to_json() == run(designs=DESIGNS[::-1]).to_json()
    assert both.select(names[:1]).to_json() == run(designs=DESIGNS[1:]).to_json()
    with pytest.raises(ValueError, match="`designs` must be one of 'ANOVA"):
        both.select(["Friedman"])
    with pytest.raises(ValueError, match="`designs` must hold at least one"):
        both.select([])
    with pytest.raises(ValueError, match="`designs` must be distinct"):
        both.select(names[:1] * 2)
    with pytest.raises(TypeError, match="`designs` must be a list of names"):
        both.select(names[0])


# -------------------------------------------------------------------------------- seeds


def test_the_seed_of_a_task_is_the_one_that_is_spawned():
    for case, child in enumerate(np.random.SeedSequence(2**70).spawn(3)):
        for number, task in enumerate(child.spawn(3)):
            ours = np.random.SeedSequence(2**70, spawn_key=(case, number))
            assert ours.generate_state(4).tolist() == task.generate_state(4).tolist()


@pytest.mark.slow
def test_more_repetitions_and_further_effects_leave_experiments_as_they_are():
    few = study.simulate([study.Case(MODEL, 0.1)], DESIGNS, repetitions=3, rng=4)
    more = study.simulate(
        [study.Case(MODEL, 0.1), study.Case(MODEL, 0.0)], DESIGNS, repetitions=5, rng=4
    )
    assert np.array_equal(few.outcomes[0], more.outcomes[0, :3])


@pytest.mark.slow
def test_a_seed_that_is_drawn_is_recorded():
    one = run(rng=None, repetitions=2)
    seed = one.design.options["rng"]
    assert run(rng=seed, repetitions=2).to_json() == one.to_json()
    assert run(rng=None, repetitions=2).design.options["rng"] != seed


@pytest.mark.slow
def test_cases_may_be_of_growing_experiments():
    cases = [study.Case(dataclasses.replace(MODEL, n_datasets=n), 0.05) for n in (5, 40)]
    tally = study.simulate(cases, [study.CompareDesign(pairs="t", adjust="holm")], repetitions=40)
    found = (tally.outcomes[:, :, 0] < 2).mean(axis=(1, 2))
    assert found[1] > found[0] + 0.1


# ------------------------------------------------------------------------------- workers


@pytest.mark.slow
def test_without_joblib_one_core_does(tmp_path, expected):
    code = f"""
import sys
sys.modules["joblib"] = None
from nbcompare import study
sys.path.insert(0, {str(HERE)!r})
model = study.BinomialErrors(n_datasets=8, n_folds=2, n_runs=2)
designs = (study.ANOVA_T, study.StochasticDesign(procedure="bootstrap-a", n_resamples=100))
how = dict(effects=[0.0, 0.05, 0.1], repetitions=8, rng=11)
print(study.run(model, designs, n_jobs=1, **how).to_json())
try:
    study.run(model, designs, n_jobs=2, **how)
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first == expected
    assert 'pip install "nbcompare[parallel]"' in second


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [2, 3])
def test_processes_of_joblib_give_the_same_bytes(n_jobs, expected):
    assert run(n_jobs=n_jobs).to_json() == expected


@pytest.mark.slow
def test_a_context_of_joblib_is_used(expected):
    import joblib

    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert run().to_json() == expected


@pytest.fixture
def importable(monkeypatch):
    """Let this process, and those that it starts, import the designs beside this file."""
    monkeypatch.syspath_prepend(HERE)
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    import deadly

    return deadly


@pytest.mark.weekly
def test_a_dead_worker_is_told(importable):
    design = importable.Deadly(os.getpid())
    with pytest.raises(Exception, match="terminated"):
        run(designs=[design], n_jobs=2)


@pytest.mark.slow
def test_an_error_in_a_worker_is_not_tried_again(importable, tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()

    def faulty(data, rng):
        number = len(list(marks.iterdir()))
        (marks / str(number)).touch()
        if number > 4:
            raise ZeroDivisionError("of mine")
        return ["none"] * 10

    with pytest.raises(ZeroDivisionError, match="of mine"):
        run(designs={"faulty": faulty}, n_jobs=2)
    assert len(list(marks.iterdir())) < 20
