import numpy as np
import pytest

from nbcompare import Experiment, compare, compare_convergence, compare_stochastic, datasets
from nbcompare.analysis.scales import ONE_SCALE, scales_of


def with_ranges(ranges, n_algorithms=3):
    scores = np.linspace(0, 1, n_algorithms) * np.array(ranges, dtype=float)[:, np.newaxis]
    return Experiment.from_array(scores, direction="minimize")


@pytest.mark.parametrize("factor", [1.0, 3.0, 99.0, 101.0, 1e9, 1e300])
def test_the_spread_is_that_of_the_deciles(factor):
    ranges = np.geomspace(1, factor, 11)
    found = scales_of(with_ranges(ranges))
    assert found.spread == pytest.approx(ranges[9] / ranges[1])
    assert found.one == (ranges[9] / ranges[1] <= ONE_SCALE)
    assert not found.stated


@pytest.mark.filterwarnings("error")
def test_what_does_not_count():
    # ties, noise, shifts, data sets with one score; a single data set is on one scale
    rows = np.array([[0, 1, 2], [5, 5, 5], [1e9, 1e9 + 1, 1e9 + 2], [0.3, 0.1 + 0.2, 0.3]])
    assert scales_of(Experiment.from_array(rows, direction="minimize")).spread == 1
    gaps = np.array([[0, 1, 2.0], [1e9, np.nan, np.nan], [1, 3, np.nan]])
    assert scales_of(Experiment.from_array(gaps, direction="minimize")).spread == 1
    assert scales_of(with_ranges([1e6])).one
    assert scales_of(with_ranges([1.7e308, 1e-300])).spread > 1e300


def test_runs_folds_and_intervals_count_with_their_middle():
    means = np.linspace(0, 1, 3) * np.geomspace(1, 1e4, 12)[:, np.newaxis]
    noise = np.array([-1.0, 1.0]) * 1e5
    runs = Experiment.from_array(means[:, :, None, None] + noise, direction="minimize")
    plain = scales_of(Experiment.from_array(means, direction="minimize"))
    assert scales_of(runs).spread == pytest.approx(plain.spread, rel=1e-6)
    ends = Experiment(
        lower=means[:, :, None, None] - 1e5, upper=means[:, :, None, None] + 1e5,
        datasets=runs.datasets, algorithms=runs.algorithms, folds=("1",), direction="minimize",
    )  # fmt: skip
    assert scales_of(ends).spread == pytest.approx(plain.spread, rel=1e-6)


def test_finner_is_noted_wherever_it_adjusts():
    text = (
        "Finner's procedure controls the family-wise error only if all null hypotheses are true: "
        "with three hypotheses, of which one is clearly false, the probability of a false "
        "rejection at the level 0.05 is 0.066, and with more hypotheses it is larger. The "
        "literature recommends the procedure all the same."
    )
    assert pytest.approx(0.066, abs=5e-4) == 1 - 0.95 ** (4 / 3)
    runs = datasets.load("stochastic_cv").select(algorithms=["LDA", "5-NN"])
    for result in (
        compare(datasets.load("demsar2006"), adjust=["holm", "finner"]),
        compare_stochastic(runs, adjust="finner"),
        compare_convergence(
            datasets.load("convergence_de"), adjust="finner", optimum_tolerance=1e-8
        ),
    ):
        notes = {note.code: note.text for note in result.notes}
        assert notes["finner-true-hypotheses"] == text
