"""What a Bayesian comparison says: each claim once, in its words, and never of significance."""

import re
from dataclasses import replace

import numpy as np
import pytest

import nbcompare as nbc


def with_probabilities(*rows, rope=0.01, threshold=0.95, k=3, **changed):
    """A result of k algorithms whose pairs have these probabilities, in any order."""
    scores = np.random.default_rng(0).normal(size=(12, k))
    names = [f"A{j}" for j in range(k)]
    data = nbc.Experiment.from_array(scores, direction="maximize", algorithms=names, measure="AUC")
    made = nbc.compare_bayesian(data, rope=rope, n_samples=20, threshold=threshold)
    words = ("first better", "equivalent", "second better")
    each = np.array(rows, dtype=float)
    decision = [words[row.argmax()] if row.max() >= threshold else "none" for row in each]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]][: len(rows)]
    first, second = zip(*pairs, strict=True)
    return replace(
        made,
        first=first,
        second=second,
        first_better=each[:, 0],
        equivalent=each[:, 1],
        second_better=each[:, 2],
        decision=tuple(decision),
        **changed,
    )


def test_each_claim_has_a_sentence():
    result = with_probabilities((0.98, 0.01, 0.01), (0.02, 0.97, 0.01), (0.01, 0.029, 0.961))
    assert result.findings[:2] == (
        "A0 and A2 are better than A1 by more than 0.01 (AUC) with probability 0.980 and 0.961.",
        "The probability that A0 and A2 differ by at most 0.01 (AUC) is 0.970: practically "
        "equivalent.",
    )
    assert result.ordered == ("A0", "A2", "A1")
    assert [row[-1] for row in result.section("pairs").parts[0].rows] == [
        "A0 better", "practically equivalent", "A2 better"
    ]  # fmt: skip


def test_what_cannot_be_claimed():
    some = with_probabilities((0.98, 0.01, 0.01), (0.5, 0.4, 0.1), (0.3, 0.3, 0.4))
    assert some.sentences[1] == (
        "Nothing can be claimed about the other 2 pairs with probability 0.95."
    )
    none = with_probabilities((0.5, 0.3, 0.2), (0.5, 0.4, 0.1), (0.3, 0.3, 0.4))
    assert none.sentences[0] == "Nothing can be claimed about any pair with probability 0.95."
    two = with_probabilities((0.98, 0.01, 0.01), (0.5, 0.4, 0.1))
    assert "about the remaining pair" in two.sentences[1]
    alone = with_probabilities((0.6, 0.3, 0.1), k=2)
    assert alone.sentences[0] == (
        "Nothing can be claimed about A0 and A1 with probability 0.95: the probability that A0 is "
        "better is 0.600, that they are practically equivalent 0.300, and that A1 is better 0.100."
    )


def test_many_claims_are_counted():
    rows = (
        [(0.99, 0.01, 0.0)] * 4
        + [(0.01, 0.98, 0.01)] * 2
        + [(0.0, 0.0, 1.0)] * 3
        + [(0.4, 0.3, 0.3)]
    )
    result = with_probabilities(*rows, k=5)
    assert result.sentences[:2] == (
        "Of 10 pairs, for 7 one algorithm is better by more than 0.01 (AUC) and 2 are practically "
        "equivalent, each with probability at least 0.95; A0 is better than every other "
        "algorithm.",
        "Nothing can be claimed about the remaining pair with probability 0.95.",
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.0, "> 0.999"),
        (0.9996, "> 0.999"),
        (0.0, "< 0.001"),
        (0.0004, "< 0.001"),
        (0.9641, "0.964"),
        (0.95, "0.950"),
        (0.94996, "0.94996"),
        (0.9499, "0.9499"),
        (0.949, "0.949"),
    ],
)
def test_a_probability_is_never_0_or_1_nor_seems_to_reach_the_threshold(value, shown):
    assert with_probabilities((0.5, 0.3, 0.2), k=2).chance(value) == shown


@pytest.mark.parametrize("test", ["signed-rank", "sign", "correlated-t"])
@pytest.mark.parametrize("rope", [0, 0.3])
@pytest.mark.parametrize("control", [None, "A2"])
def test_nothing_is_called_significant(test, rope, control):
    shape = (1, 4, 10) if test == "correlated-t" else (8, 4)
    data = nbc.Experiment.from_array(
        np.random.default_rng(1).normal(size=shape), direction="minimize"
    )
    result = nbc.compare_bayesian(data, rope=rope, test=test, control=control)
    text = " ".join(str(result.section(name)) for name in result.sections if name != "references")
    assert not re.search("signific|p-value|hypothes|reject", text)
    for sentence in result.sentences:
        assert re.match("[A-Z]", sentence)
