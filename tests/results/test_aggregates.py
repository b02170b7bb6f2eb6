"""What aggregates of runs say: in the user's units, with the direction, and never of tests."""

import re

import numpy as np
import pytest

import nbcompare as nbc


def made(k=3, n=6, runs=5, *, direction="maximize", levels=None, seed=1, names=None, **options):
    rng = np.random.default_rng(seed)
    levels = np.arange(k) if levels is None else np.asarray(levels, dtype=float)
    scores = rng.normal(size=(n, k, 1, runs)) + levels[:, np.newaxis, np.newaxis]
    data = nbc.Experiment.from_array(
        scores,
        direction=direction,
        algorithms=names or [f"A{j}" for j in range(k)],
        measure="AUC",
    )
    return nbc.aggregate_runs(data, **({"scale": "one", "n_resamples": 100} | options))


def flat(section):
    return " ".join(str(section).split())


def test_a_probability_seems_to_be_one_half_or_one_only_if_it_is():
    result = made()
    assert [result.chance(value) for value in (0, 0.5, 1)] == ["0.00", "0.50", "1.00"]
    assert result.chance(0.5 + 1e-4) == "0.5001"
    assert result.chance(0.9999) == "0.9999"
    assert result.chance(0.998) == "0.998"
    assert result.chance(0.123) == "0.12"


def test_decimals_are_worth_showing():
    result = made(n_resamples=500)
    found = result.interquartile_mean
    told = result.told("interquartile-mean", 0)
    numbers = [float(text) for text in re.findall(r"-?\d+\.\d+", told)]
    expected = [found.estimate[0], found.lower[0], found.upper[0]]
    length = found.upper[0] - found.lower[0]
    assert numbers == pytest.approx(expected, abs=length / 10)
    assert len({len(text.partition(".")[2]) for text in re.findall(r"\d+\.\d+", told)}) == 1


def test_pairs_are_told_once_the_better_first_and_the_clearest_first():
    result = made(5)
    pairs = result.pairs
    assert len({frozenset(pair) for pair in pairs}) == 10
    found = [result.better_than(*pair) for pair in pairs]
    assert all(value >= 0.5 for value, _, _ in found)
    lower = [low for _, low, _ in found]
    assert lower == sorted(lower, reverse=True)
    frame = result.to_frame("improvement")
    assert list(zip(frame["first"], frame["second"], strict=True)) == list(pairs)
    for a, b in pairs:
        value, low, high = result.better_than(a, b)
        assert result.better_than(b, a) == pytest.approx((1 - value, 1 - high, 1 - low))


def test_frames_hold_the_arrays():
    result = made(target=2)
    frame = result.to_frame()
    assert list(frame.columns) == ["algorithm", "aggregate", "estimate", "lower", "upper"]
    assert len(frame) == 3 * 4
    gaps = frame[frame["aggregate"] == "optimality-gap"].set_index("algorithm")
    assert gaps.loc["A1", "estimate"] == result.optimality_gap.estimate[1]
    profiles = result.to_frame("profiles").pivot(
        index="algorithm", columns="threshold", values="share"
    )
    assert profiles.loc[list(result.algorithms)].to_numpy() == pytest.approx(result.profiles.share)
    with pytest.raises(ValueError, match=r"`what` must be .*; got 'runs'"):
        result.to_frame("runs")
    with pytest.raises(ValueError, match=r"`a` must be one of .*; got 'A9'"):
        result.better_than("A9", "A1")


@pytest.mark.parametrize("options", [{}, {"target": 1}, {"scale": "several"}])
def test_nothing_is_called_significant(options):
    result = made(**options)
    text = " ".join(flat(result.section(name)) for name in result.sections if name != "references")
    assert not re.search("signific|p-value|hypothes|reject", text)
    for sentence in result.sentences:
        assert re.match("[A-Z].*\\.$", sentence)


def test_errors_near_an_optimum_are_not_told_as_zeros():
    runs = 10.0 ** np.random.default_rng(0).normal([[-9], [-3], [2.5]], 0.5, (3, 25))
    data = nbc.Experiment.from_array(runs[np.newaxis, :, np.newaxis], direction="minimize")
    result = nbc.aggregate_runs(data)
    for place in range(3):
        told = result.told("interquartile-mean", place)
        estimate, low, high = map(float, re.findall(r"\d[\de.-]*", told))
        assert estimate == pytest.approx(result.interquartile_mean.estimate[place], rel=0.05)
        assert low < estimate < high
        assert len(told) < 34
    assert "with probability 1.00; the least is" in flat(result.sentences)
