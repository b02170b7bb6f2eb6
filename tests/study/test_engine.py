"""The engine: the same bytes however a study is run, interrupted, killed and resumed."""

import functools
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import study
from nbcompare.study import _simulate

MODEL = study.BinomialErrors(n_datasets=8, n_folds=2, n_runs=2)
DESIGNS = (study.ANOVA_T, study.StochasticDesign(procedure="bootstrap-a", n_resamples=100))
HERE = Path(__file__).parent


def run(**options):
    given = {"effects": [0.0, 0.05, 0.1], "repetitions": 8, "rng": 11} | options
    return study.run(given.pop("model", MODEL), given.pop("designs", DESIGNS), **given)


@pytest.fixture(scope="module")
def expected():
    return run().to_json()


@pytest.fixture
def at_once(monkeypatch):
    """Write after every experiment."""
    monkeypatch.setattr(_simulate, "_PATIENCE", -1.0)


def parts(folder):
    return sorted(Path(folder).glob("part-*.npz"))


def n_stored(folder):
    """Return how many experiments the files of a folder hold."""
    return sum(len(np.load(path)["case"]) for path in parts(folder))


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


# -------------------------------------------------------------------------------- stores


@pytest.mark.slow
def test_a_store_changes_nothing_and_can_be_read(tmp_path, expected, at_once):
    assert run(store=tmp_path / "a" / "study").to_json() == expected
    folder = tmp_path / "a" / "study"
    assert len(parts(folder)) == 24
    assert n_stored(folder) == 24
    assert np.load(parts(folder)[0])["codes"].shape == (1, 2, 11)
    about = json.loads((folder / "_study.json").read_text())
    assert about["version of nbcompare"] == nbc.__version__
    assert about["seed"] == 11
    assert about["outcomes"][0] == "first better"


@pytest.mark.slow
def test_nothing_is_drawn_again_of_a_whole_study(tmp_path, expected, monkeypatch):
    run(store=tmp_path)
    before = parts(tmp_path)
    monkeypatch.setattr(study.BinomialErrors, "draw", lambda *_: 1 / 0)
    assert run(store=str(tmp_path)).to_json() == expected
    assert parts(tmp_path) == before


@pytest.mark.slow
def test_a_study_resumes_from_what_is_left_and_grows(tmp_path, expected, at_once):
    run(store=tmp_path)
    for path in parts(tmp_path)[::3]:
        path.unlink()
    # what a killed process leaves: a file beside, and a part twice
    (tmp_path / ".part-1.npz.nbcompare-0a1b2c3d").write_bytes(b"half")
    shutil.copy(parts(tmp_path)[0], tmp_path / "part-9.npz")
    assert run(store=tmp_path).to_json() == expected
    more = run(store=tmp_path, repetitions=10)
    assert more.to_json() == run(repetitions=10).to_json()
    assert run(store=tmp_path, repetitions=5).to_json() == run(repetitions=5).to_json()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rng": 12}, "other 'seed'"),
        ({"effects": [0.0, 0.05, 0.11]}, "other 'effects'"),
        ({"designs": DESIGNS[:1]}, "other 'designs'"),
        ({"model": study.BinomialErrors(n_datasets=9, n_folds=2, n_runs=2)}, "other 'model'"),
        ({"model": study.LocalMinima(n_datasets=8, n_folds=2, n_runs=2)}, "other 'model'"),
    ],
)
def test_another_study_in_the_folder_is_refused(tmp_path, change, words):
    run(store=tmp_path, repetitions=1)
    before = parts(tmp_path)
    with pytest.raises(nbc.DataError, match=f"{words}.*Name another folder"):
        run(store=tmp_path, repetitions=1, **change)
    assert parts(tmp_path) == before


def test_another_version_or_function_or_pilot_is_another_study(tmp_path, monkeypatch):
    def one(data, rng):
        return ["none"] * 10

    def two(data, rng):
        return ["first better"] * 10

    two.__qualname__ = one.__qualname__
    run(store=tmp_path / "f", designs={"X": one}, repetitions=1)
    with pytest.raises(nbc.DataError, match="other 'designs'"):
        run(store=tmp_path / "f", designs={"X": two}, repetitions=1)
    pilot = nbc.datasets.load("demsar2006")
    changed = nbc.Experiment.from_array(pilot.mean_scores[::-1], direction="maximize")
    same = {"effects": [1.0], "designs": [study.CompareDesign(adjust=None)], "repetitions": 1}
    run(store=tmp_path / "p", model=study.FromExperiment(experiment=pilot), **same)
    with pytest.raises(nbc.DataError, match="other 'model'"):
        run(store=tmp_path / "p", model=study.FromExperiment(experiment=changed), **same)
    monkeypatch.setattr(_simulate, "__version__", "9.9")
    with pytest.raises(nbc.DataError, match="other 'version of nbcompare'"):
        run(store=tmp_path / "p", model=study.FromExperiment(experiment=pilot), **same)


class Slotted:
    """A design of which nothing is known but what is pickled."""

    __slots__ = ("alpha", "word")
    name = "slotted"

    def __init__(self, word):
        self.alpha, self.word = None, word

    def __call__(self, data, rng):
        return study.Verdict((self.word,) * 10)


def worded(data, rng, word):
    return [word] * 10


def enclosing(word):
    return lambda data, rng: [word] * 10


def with_default(word):
    def design(data, rng, word=word):
        return [word] * 10

    return design


@pytest.mark.parametrize(
    "make",
    [enclosing, with_default, Slotted, lambda word: functools.partial(worded, word=word)],
)
def test_designs_that_differ_in_what_they_enclose_are_others(tmp_path, make):
    for _ in range(2):  # the same one is known again
        found = run(store=tmp_path, designs={"X": make("none")}, repetitions=1)
        assert found.counts[..., 2].all()
    with pytest.raises(nbc.DataError, match="other 'designs'"):
        run(store=tmp_path, designs={"X": make("first better")}, repetitions=1)


def test_folders_that_are_none(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(nbc.DataError, match="holds other files"):
        run(store=tmp_path)
    with pytest.raises(NotADirectoryError, match="is a file"):
        run(store=tmp_path / "thesis.tex")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "_study.json").write_text("[")
    with pytest.raises(nbc.DataError, match="cannot be read"):
        run(store=tmp_path / "new")


@pytest.mark.slow
def test_a_damaged_part_is_named(tmp_path, expected, monkeypatch):
    monkeypatch.setattr(_simulate, "_PATIENCE", math.inf)  # a single part, however slow the machine
    run(store=tmp_path)
    (path,) = parts(tmp_path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(nbc.DataError, match=r"part-.*Remove the file"):
        run(store=tmp_path)
    path.unlink()
    assert run(store=tmp_path).to_json() == expected


@pytest.mark.slow
def test_after_ctrl_c_it_resumes(tmp_path, expected, monkeypatch):
    drawn, whole = [], study.BinomialErrors.draw

    def interrupted(self, effect, rng):
        drawn.append(effect)
        if len(drawn) == 10:
            raise KeyboardInterrupt
        return whole(self, effect, rng)

    monkeypatch.setattr(study.BinomialErrors, "draw", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(store=tmp_path)
    assert n_stored(tmp_path) == 9
    assert run(store=tmp_path).to_json() == expected
    assert len(drawn) == 10 + 24 - 9


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
def test_processes_of_joblib_give_the_same_bytes(n_jobs, expected, tmp_path, at_once):
    assert run(n_jobs=n_jobs, store=tmp_path).to_json() == expected


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
def test_a_dead_worker_is_told_and_the_study_resumes(tmp_path, importable, at_once):
    plain = run(designs=[study.CompareDesign(pairs="t", label="deadly")])
    (tmp_path / "deaths").mkdir()
    design = importable.Deadly(str(tmp_path / "deaths"), os.getpid())
    with pytest.raises(Exception, match="terminated"):
        run(designs=[design], n_jobs=2, store=tmp_path / "store")
    found = run(designs=[design], n_jobs=2, store=tmp_path / "store")
    assert np.array_equal(found.counts, plain.counts)


@pytest.mark.slow
def test_an_error_in_a_worker_is_not_tried_again(importable, at_once, tmp_path):
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
