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


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_the_answer_has_units_and_direction(direction):
    result = made(direction=direction)
    best = result.ordered[0]
    assert best == ("A2" if direction == "maximize" else "A0")
    word = "higher" if direction == "maximize" else "lower"
    first, second, third, fourth, *_ = result.findings
    assert first.startswith(
        f"The interquartile means of all runs are, best first (AUC, {word} is better, 95 % "
    )
    assert first.index("A1") > first.index(best)
    for place, name in enumerate(result.algorithms):
        assert f"{name} {result.told('interquartile-mean', place)}" in first
    nearest = min(result.better_than(best, name)[0] for name in result.algorithms if name != best)
    assert f"with probability {nearest:.2f} or more; the least is that against A1" in second
    assert third == (
        "For each of the three pairs, the interval of this probability excludes one half."
    )
    assert "say nothing about other data sets" in fourth


def test_pairs_that_the_runs_leave_open():
    some = made(levels=[0, 5, 5])
    assert not some.clear("A1", "A2")
    assert re.search(
        r"For two of the three pairs, .* for the other one \(A[12] and A[12]\), the runs leave",
        some.sentences[2],
    )
    none = made(levels=[0, 0, 0], seed=2)
    assert not any(none.clear(*pair) for pair in none.pairs)
    assert none.sentences[2].startswith("For no pair does the interval")
    two = made(2, levels=[0, 0], seed=3)
    assert "which includes one half)" in two.sentences[1]
    assert len([text for text in two.sentences if "pair" in text]) == 0


def test_many_algorithms_are_told_in_short():
    result = made(9)
    assert result.sentences[0].startswith("Of 9 algorithms, the best interquartile means")
    assert result.sentences[0].count(" to ") == 4
    assert "the worst is A0 " in result.sentences[0]


def test_another_aggregate_with_another_leader():
    """One failed run moves the mean, and the optimality gap, and not the interquartile mean."""
    scores = np.random.default_rng(0).normal(size=(6, 2, 1, 8)) / 100
    scores[:, 1] += 0.05
    scores[0, 1, 0, 0] = -9
    data = nbc.Experiment.from_array(scores, direction="maximize", algorithms=["safe", "failing"])
    result = nbc.aggregate_runs(data, scale="one", target=0, n_resamples=100)
    assert result.ordered == ("failing", "safe")
    (text,) = [text for text in result.sentences if "ahead" in text]
    assert text.startswith("Other aggregates have another algorithm ahead: safe by the mean (")
    assert "and the optimality gap (" in text
    assert "median" not in text


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


def test_methods_name_what_was_computed():
    text = flat(made(target=2).section("methods"))
    assert (
        "We aggregated 5 runs of three algorithms on six data sets (AUC, higher is better). We "
        "report the interquartile mean, median, mean and optimality gap to the target 2 (AUC) of "
        "the runs over all data sets, and the probability that a run of one algorithm is better"
    ) in text
    assert "percentiles of 100 stratified bootstrap resamples of the runs [2]" in text
    assert "[1] Agarwal, R., Schwarzer, M." in text
    apart = flat(made(scale="several").section("methods"))
    assert "We report the probability that a run" in apart
    assert "interquartile" not in apart


def test_a_caveat_stands_in_the_findings():
    assert "Read with care: With 5 runs" in flat(made().section("findings"))
    assert "Read with care" not in flat(made(runs=10).section("findings"))


def test_names_are_untrusted():
    names = ["<b>x</b>", "$a_b$", "| c |"]
    result = made(names=names)
    page = result._repr_mimebundle_()["text/html"]
    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page
