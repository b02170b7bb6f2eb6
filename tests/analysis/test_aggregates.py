"""Aggregates of runs of tables, against SciPy, plain loops, and what must not change them."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from nbcompare import DataError, Experiment, aggregate_runs

FEW = {"n_resamples": 30}


def made(scores, direction="maximize", names=None, **more):
    """An experiment of scores by data set, algorithm and run, or with folds before the runs."""
    scores = np.asarray(scores, dtype=float)
    scores = scores[:, :, np.newaxis] if scores.ndim == 3 else scores
    names = names or [f"A{j}" for j in range(scores.shape[1])]
    return Experiment.from_array(scores, direction=direction, algorithms=names, **more)


def noise(n=8, k=3, runs=6, seed=1, *more):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, k, *more, runs)).round(2)
    return values + 0.4 * np.arange(k).reshape(1, k, *[1] * (1 + len(more)))


def codes(result):
    return [note.code for note in result.notes]


def note_of(result, code):
    return next(note.text for note in result.notes if note.code == code)


def parts(estimates):
    return np.array([estimates.estimate, estimates.lower, estimates.upper])


def test_the_order_of_the_pairs_is_said():
    for k, is_said in ((2, False), (4, True)):
        result = aggregate_runs(made(noise(k=k)), **FEW)
        text = str(result.section("improvement"))
        assert ("highest lower end of its interval first" in text) == is_said
        lower = result.to_frame("improvement")["lower"]
        assert lower.is_monotonic_decreasing


# ---------------------------------------------------------------- what is computed


def by_loops(x, y):
    """The probability that a run of x is better than one of y, data set by data set."""
    shares = []
    for ours, theirs in zip(x, y, strict=True):
        won = [(a > b) + 0.5 * (a == b) for a in ours for b in theirs]
        shares.append(sum(won) / len(won))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_aggregates_are_those_of_scipy_and_loops(direction):
    runs = noise().round(1)
    result = aggregate_runs(made(runs, direction), target=0.3, **FEW)
    better = runs if direction == "maximize" else -runs
    for j, name in enumerate(result.algorithms):
        own = runs[:, j]
        assert result.interquartile_mean.estimate[j] == pytest.approx(
            stats.trim_mean(own.ravel(), 0.25)
        )
        assert result.mean.estimate[j] == pytest.approx(own.mean())
        assert result.median.estimate[j] == pytest.approx(np.median(own.mean(axis=1)))
        lacking = 0.3 - own if direction == "maximize" else own - 0.3
        assert result.optimality_gap.estimate[j] == pytest.approx(np.maximum(0, lacking).mean())
        for i, other in enumerate(result.algorithms):
            if i != j:
                expected = by_loops(better[:, j], better[:, i])
                assert result.better_than(name, other)[0] == pytest.approx(expected, abs=1e-12)
    for part in (result.mean, result.median, result.interquartile_mean, result.improvement):
        assert (part.lower <= part.estimate).all()
        assert (part.estimate <= part.upper).all()


def test_a_baseline_is_a_linear_map():
    runs = noise(6, 4)
    rng = np.random.default_rng(5)
    low, width = rng.normal(size=6), rng.uniform(1, 500, size=6)
    ends = {str(i + 1): (low[i], low[i] + width[i]) for i in range(6)}
    mapped = made(low[:, np.newaxis, np.newaxis] + width[:, np.newaxis, np.newaxis] * runs)
    result = aggregate_runs(mapped, baseline=ends, **FEW)
    plain = aggregate_runs(made(runs), target=1, scale="one", **FEW)
    for name in ("mean", "median", "interquartile_mean", "optimality_gap", "improvement"):
        assert parts(getattr(result, name)) == pytest.approx(parts(getattr(plain, name)))
    assert result.profiles.share == pytest.approx(plain.profiles.share)
    assert result.low["3"] == pytest.approx(low[2])
    assert result.high["3"] == pytest.approx(low[2] + width[2])
    assert (result.target, result.measure, result.direction) == (
        1.0,
        "normalised score",
        "maximize",
    )
    rows = [(name, *both) for name, both in ends.items()]
    assert aggregate_runs(mapped, baseline=rows, **FEW).to_json() == result.to_json()
    # lower is better, and so are the high references
    turned = {name: (-a, -b) for name, (a, b) in ends.items()}
    other = aggregate_runs(made(-mapped.scores[:, :, 0], "minimize"), baseline=turned, **FEW)
    assert parts(other.mean) == pytest.approx(parts(result.mean))
    assert other.direction == "maximize"
    assert other.low["3"] == pytest.approx(-low[2])


def test_two_algorithms_as_baseline():
    runs = noise(5, 3, 4) + np.array([0, 1, 4])[:, np.newaxis]
    result = aggregate_runs(made(runs), baseline=["A0", "A2"], **FEW)
    assert result.baseline == ("A0", "A2")
    assert result.mean.estimate[[0, 2]] == pytest.approx([0, 1])
    low, high = (runs[:, j].mean(axis=1)[:, np.newaxis] for j in (0, 2))
    middle = (runs[:, 1] - low) / (high - low)
    assert result.mean.estimate[1] == pytest.approx(middle.mean())
    assert result.interquartile_mean.estimate[1] == pytest.approx(
        stats.trim_mean(middle.ravel(), 0.25)
    )
    assert "baseline" in codes(result)
    assert "normalised on each data set to 0 for the mean of A0 and 1" in " ".join(result.sentences)


def test_a_run_is_its_mean_over_the_folds():
    scores = noise(4, 3, 6, 2, 5)
    result = aggregate_runs(made(scores), **FEW)
    plain = aggregate_runs(made(scores.mean(axis=2)), **FEW)
    assert parts(result.mean) == pytest.approx(parts(plain.mean))
    assert parts(result.improvement) == pytest.approx(parts(plain.improvement))
    assert "5 folds" in note_of(result, "folds-averaged")
    alone = aggregate_runs(made(scores[:1]), **FEW)
    assert alone.mean.estimate == pytest.approx(scores[0].mean(axis=(1, 2)))
    assert "on the same data set" not in alone.sentences[1]


def test_data_sets_count_equally():
    scores = np.full((2, 2, 6), np.nan)
    scores[0], scores[1, :, :2] = np.arange(6) / 100 + 1, 3.0
    scores[:, 1] += 0.5
    result = aggregate_runs(made(scores), scale="one", **FEW)
    assert result.mean.estimate == pytest.approx([2.0125, 2.5125])
    assert dict(result.n_runs) == {"A0": 2, "A1": 2}
    assert "2 to 6 runs" in " ".join(result.sentences)


def test_profiles_are_shares_of_runs_beyond_scores():
    runs = noise(5, 3, 4).round(1)
    for direction in ("maximize", "minimize"):
        found = aggregate_runs(made(runs, direction), scale="one", **FEW).profiles
        assert (np.diff(found.thresholds) > 0).all()
        assert not np.isin(found.thresholds, runs).any()
        for j in range(3):
            for place, threshold in enumerate(found.thresholds):
                beyond = (
                    runs[:, j] > threshold if direction == "maximize" else runs[:, j] < threshold
                )
                assert found.share[j, place] == pytest.approx(beyond.mean())
        ends = found.share[:, [0, -1]]
        assert ends == pytest.approx(np.tile([1, 0] if direction == "maximize" else [0, 1], (3, 1)))
        assert (found.lower <= found.share + 1e-12).all()
    many = aggregate_runs(made(noise(30, 3, 20)), **FEW).profiles
    assert many.share.shape == (3, len(many.thresholds)) == many.upper.shape
    assert len(many.thresholds) <= 102


def test_rounding_noise_is_a_tie():
    third = [[[0.1 + 0.2, 0.3, 0.3], [0.3, 0.1 + 0.2, 0.3]]]
    result = aggregate_runs(made(third), **FEW)
    assert result.better_than("A0", "A1") == (0.5, 0.5, 0.5)
    ends = {"1": (0.1, 0.7)}
    assert aggregate_runs(made(third), baseline=ends, **FEW).better_than("A0", "A1")[0] == 0.5
    assert len(result.profiles.thresholds) == 2


# ---------------------------------------------------------------- whether data sets are pooled


def apart():
    return made(noise(6, 3) * 10.0 ** np.arange(6)[:, np.newaxis, np.newaxis])


def test_several_scales_are_not_pooled():
    data = apart()
    result = aggregate_runs(data, **FEW)
    assert result.mean is result.interquartile_mean is result.profiles is None
    assert not result.aggregates
    assert result.withheld in result.sentences
    assert result.improvement.estimate.shape == (3, 3)
    assert "aggregates" not in result.sections
    same = aggregate_runs(data, scale="one", **FEW)
    assert same.mean is not None
    assert parts(same.improvement) == pytest.approx(parts(result.improvement))
    ends = {name: (0, 10.0**i) for i, name in enumerate(data.datasets)}
    pooled = aggregate_runs(data, baseline=ends, scale="several", **FEW)
    assert pooled.mean.estimate == pytest.approx(noise(6, 3).mean(axis=(0, 2)))


def test_what_was_not_computed_says_what_to_type():
    result = aggregate_runs(made(noise()), **FEW)
    assert result.optimality_gap is None
    with pytest.raises(ValueError, match=r"no optimality gap.* target=\.\.\.,.* baseline=\.\.\."):
        result.aggregate("optimality-gap")
    several = aggregate_runs(apart(), **FEW)
    with pytest.raises(ValueError, match="There is no mean: the ranges of scores differ"):
        several.aggregate("mean")
    with pytest.raises(ValueError, match="There is no section 'aggregates': the ranges"):
        several.section("aggregates")
    with pytest.raises(ValueError, match=r"`what` must be 'improvement'\. The ranges"):
        several.to_frame("profiles")
    with pytest.raises(ValueError, match=r"`target` must be left out here; got 1\. The ranges"):
        aggregate_runs(apart(), target=1, **FEW)


def test_data_sets_of_either_direction():
    frame = pd.DataFrame(
        [
            (d, a, r, (x if d < "d3" else -x))
            for d in ("d0", "d1", "d2", "d3")
            for a, level in (("X", 1), ("Y", 2))
            for r, x in enumerate(np.random.default_rng(ord(d[1])).normal(size=5) + level)
        ],
        columns=["dataset", "algorithm", "run", "score"],
    )
    data = Experiment.from_frame(frame, direction={"d3": "minimize", None: "maximize"})
    result = aggregate_runs(data, **FEW)
    assert result.withheld.startswith("Higher scores are better on some data sets and lower")
    assert result.ordered == ("Y", "X")
    ends = {"d0": (0, 3), "d1": (0, 3), "d2": (0, 3), "d3": (0, -3)}
    pooled = aggregate_runs(data, baseline=ends, **FEW)
    assert (pooled.low["d3"], pooled.high["d3"]) == (0, -3)
    expected = [frame[frame.algorithm == a].score.abs().mean() / 3 for a in "XY"]
    signed = frame.assign(score=np.where(frame.dataset == "d3", -frame.score, frame.score))
    expected = [signed[signed.algorithm == a].score.mean() / 3 for a in "XY"]
    assert pooled.mean.estimate == pytest.approx(expected)
    with pytest.raises(DataError, match="on 'd3', the high reference has 3 and the low reference"):
        aggregate_runs(data, baseline=ends | {"d3": (0, 3)}, **FEW)


# ---------------------------------------------------------------- few runs, and missing ones


def test_a_single_run_is_deterministic():
    scores = noise(5, 3, 6)
    scores[:, 1, 1:] = np.nan
    result = aggregate_runs(made(scores), **FEW)
    assert result.mean.lower[1] == result.mean.upper[1] == pytest.approx(scores[:, 1, 0].mean())
    assert "A1 is treated as deterministic" in note_of(result, "deterministic")
    assert "fewer-runs" not in codes(result)
    cell = next(row[1] for row in result.section("aggregates").parts[0].rows if row[0] == "A1")
    assert "to" not in cell


def test_runs_that_are_always_better():
    scores = noise(4, 2, 5)
    scores[:, 1] += 100
    result = aggregate_runs(made(scores), **FEW)
    # all of 5 pairs of runs on each of 4 data sets are wins of A1
    assert result.better_than("A1", "A0") == pytest.approx((1, 0.025 ** (1 / 20), 1))
    assert result.better_than("A0", "A1") == pytest.approx((0, 0, 1 - 0.025 ** (1 / 20)))
    two = aggregate_runs(made(scores[:1, :, :2]), **FEW)
    assert not two.clear("A1", "A0")  # 2 seeds on 1 data set
    assert note_of(result, "always-better").startswith("For 1 pair, every run")


def test_runs_that_are_better_on_some_data_sets_and_worse_on_others():
    scores = noise(4, 3, 5)
    scores[:, 1] += 100
    scores[:2, 2] -= 100
    scores[2:, 2] += 300
    result = aggregate_runs(made(scores), **FEW)
    low = 0.5 * 0.025 ** (1 / 10)
    assert result.better_than("A2", "A1") == pytest.approx((0.5, low, 1 - low))
    assert note_of(result, "always-better").startswith("For 3 pairs, every run")


def test_folds_with_fewer_runs():
    scores = noise(3, 2, 4, 1, 3)
    scores[1, 0, 2, 3] = np.nan
    result = aggregate_runs(made(scores), missing="available", **FEW)
    kept = scores.mean(axis=2)
    expected = np.array([np.nanmean(kept[d, 0]) for d in range(3)])
    assert result.mean.estimate[0] == pytest.approx(expected.mean())
    assert result.n_runs["A0"] == 3
    assert "On 1 data set, an algorithm has fewer runs" in note_of(result, "cut-runs")


# ---------------------------------------------------------------- coverage


@pytest.mark.weekly
@pytest.mark.parametrize("runs", [3, 5, 20])
def test_intervals_hold_what_they_promise(runs):
    rng = np.random.default_rng(runs)
    trials, n = 500, 10
    inside = dict.fromkeys(("interquartile_mean", "mean", "improvement"), 0)
    for trial in range(trials):
        levels = np.linspace(-1, 1, n)[:, np.newaxis, np.newaxis]
        data = made(levels + rng.normal(size=(n, 2, runs)))
        found = aggregate_runs(data, scale="one", n_resamples=500, rng=trial)
        for name in ("interquartile_mean", "mean"):
            part = getattr(found, name)
            inside[name] += part.lower[0] <= 0 <= part.upper[0]
        _, low, high = found.better_than("A0", "A1")
        inside["improvement"] += low <= 0.5 <= high
    error = 3 * np.sqrt(0.95 * 0.05 / trials)
    for share in (count / trials for count in inside.values()):
        assert 0.93 - error < share < 0.97 + error
