"""The histories of optimisers: what is in them, and that they can be made again."""

import numpy as np
import pytest
from bundled import make_convergence_de as maker
from bundled import optimisers, study
from bundled.functions import FUNCTIONS

from nbcompare import Histories, datasets


@pytest.fixture(scope="module")
def histories():
    return datasets.load("convergence_de")


def stored(histories, problem, algorithm):
    return histories.values[
        histories.problems.index(problem), histories.algorithms.index(algorithm)
    ]


# ------------------------------------------------------------------------- the file


def test_every_cell_is_there_within_one_budget(histories):
    assert histories.problems == tuple(maker.PROBLEMS)
    assert histories.algorithms == tuple(optimisers.OPTIMISERS)
    assert histories.values.shape == (2 * 19, 7, 15, 50)
    assert np.isfinite(histories.values).all()
    assert (histories.evaluations == np.arange(400, 20_001, 400)).all()
    assert (histories.direction, histories.measure) == ("minimize", "error")
    assert histories.optimum.tolist() == [0] * 38
    assert histories.citation.startswith("Made by the nbcompare developers with NumPy")


def test_errors_only_fall_and_are_0_or_countable(histories):
    values = histories.values
    assert (np.diff(values, axis=3) <= 0).all()
    assert ((values == 0) | (values >= 1e-8)).all()
    sample = values[::5, :, ::4, ::7].ravel()
    assert sample.tolist() == [float(f"{value:.4g}") for value in sample]


def test_some_functions_are_solved_early_and_some_never(histories):
    """The reason to have alternative ranks, and the reason to have basic ones."""
    solved = histories.values == 0
    assert solved[..., 9].all(axis=2).sum() >= 5  # all runs, within a fifth of the budget
    by_half = solved[..., 24].all(axis=2).any(axis=1)
    never = ~solved[..., -1].any(axis=(1, 2))
    assert 12 <= by_half.sum() <= 26
    assert never.sum() >= 8
    assert not solved[:, histories.algorithms.index("random search")].any()
    assert never[histories.problems.index("Rastrigin (30)")]
    lucky = solved[..., -1].sum(axis=2)
    assert ((lucky > 0) & (lucky < 15)).sum() >= 10  # some runs only


def test_it_matters_where_one_looks(histories):
    """Slow and thorough beats fast and trapped, but only at the end."""
    for problem, fast, thorough in [
        ("Styblinski-Tang (30)", "DE/best/1/bin", "jDE"),
        ("Rastrigin (30)", "CMA-ES (basic)", "simulated annealing"),
    ]:
        first, second = (
            np.median(stored(histories, problem, name), axis=0) for name in (fast, thorough)
        )
        assert first[4] < second[4]
        assert first[-1] > second[-1]


# ------------------------------------------------------------------------ its makers


@pytest.mark.parametrize(("place", "name"), [*enumerate(FUNCTIONS)])
def test_a_cell_of_each_function_is_made_again_by_itself(histories, place, name):
    """By each optimiser in turn, and in both dimensions."""
    problem = f"{name} ({maker.DIMENSIONS[place % 2]})"
    algorithm, run = list(optimisers.OPTIMISERS)[place % 7], place % 15 + 1
    made = maker.history(problem, algorithm, [run])[0]
    # other processors round otherwise, which shows in the last digit first
    np.testing.assert_allclose(
        made, stored(histories, problem, algorithm)[run - 1], rtol=2e-3, atol=1e-8
    )


def test_the_maker_writes_what_histories_read(histories, tmp_path, monkeypatch):
    quick = {name: optimisers.OPTIMISERS[name] for name in ("CMA-ES (basic)", "random search")}
    monkeypatch.setattr(maker, "OPTIMISERS", quick)
    columns = ("problem", "algorithm", "run", *maker.EVALUATIONS)
    paths = [tmp_path / "one.csv.gz", tmp_path / "two.csv.gz", tmp_path / "plain.csv"]
    for path in paths:
        study.write_table(path, columns, maker.rows(["step (10)", "sphere (10)"], n_runs=2))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    first, _, plain = (Histories.read(path, direction="minimize", optimum=0) for path in paths)
    assert first.fingerprint == plain.fingerprint
    assert first.values.shape == (2, 2, 2, 50)
    for name in quick:
        np.testing.assert_allclose(
            stored(first, "step (10)", name), stored(histories, "step (10)", name)[:2], rtol=2e-3
        )
