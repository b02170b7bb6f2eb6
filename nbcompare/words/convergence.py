"""Null hypotheses, ranks, differences and claims for comparing the convergence of optimisers."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare.words._word import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendNull:
    """A null hypothesis of a trend test.

    Attributes
    ----------
    name : str
        The word for the option ``null``.
    label : str
        Name in a caption.
    effect : str
        What it does, as the end of a sentence that begins with its name.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    label: str
    effect: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendRanks:
    """Ranks of the differences of two algorithms over the cut-points.

    Attributes
    ----------
    name : str
        The word for the option ``version``.
    effect : str
        What it does, as the end of a sentence that begins with its name.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    effect: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """A kind of differences of two algorithms.

    Attributes
    ----------
    name : str
        The word for the option ``differences``.
    label : str
        Text on a control of a builder.
    effect : str
        What it does, as the end of a sentence that begins with its name.
    explanation : str
        Description in a report.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    label: str
    effect: str
    explanation: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendClaim:
    """What ranks that increase are evidence of, in words.

    Attributes
    ----------
    nothing : str
        Clause where no pair is significant.
    which : str
        Question about all pairs.
    rising : str
        Clause on when the ranks of a pair increase.
    cell : str
        Clause with the alternative hypothesis of the cell of a matrix.
    headings : tuple of str
        Headings of the columns with the two algorithms of a pair.
    wins, losses : str
        What is counted for an algorithm.
    """

    nothing: str
    which: str
    rising: str
    cell: str
    headings: tuple[str, str]
    wins: str
    losses: str


TREND_NULLS = by_name(
    TrendNull(
        name="exchange",
        label="exchange null",
        effect="says that the two algorithms may be exchanged on any problem; it holds however "
        "the cut-points of a run depend on each other",
    ),
    TrendNull(
        name="page",
        label="Page's null",
        effect="says that all orders of the cut-points are equally likely, which gives p-values "
        "that are too small for runs",
    ),
)
TREND_RANKS = by_name(
    TrendRanks(
        name="basic",
        effect="ranks the differences over the cut-points as they are",
    ),
    TrendRanks(
        name="alternative",
        effect="ranks in favour of the algorithm that reaches the optimum first, from there on",
    ),
)
DIFFERENCES = by_name(
    Differences(
        name="raw",
        label="values",
        effect="asks whether the gap between the values grows",
        explanation="between the values",
    ),
    Differences(
        name="log",
        label="logarithms of errors",
        effect="asks which algorithm is faster, by the logarithms of the errors",
        explanation="between the logarithms of the errors",
    ),
)
# Logarithms of errors compare speed. Differences of values tell only whether the gap grows: where
# errors decay exponentially, it shrinks in the end, whichever algorithm is faster.
SPEED = TrendClaim(
    nothing="no significant difference in convergence was found",
    which="Which algorithm converges faster?",
    rising="the first algorithm converges faster than the second",
    cell="the row converges faster than the column",
    headings=("faster", "slower"),
    wins="number of algorithms that converge significantly more slowly",
    losses="number of algorithms that converge significantly faster",
)
GAP = TrendClaim(
    nothing="no gap between algorithms was found to grow significantly",
    which="In whose favour does the gap grow?",
    rising="the gap grows in favour of the first algorithm",
    cell="the gap grows in favour of the row over the column",
    headings=("in favour of", "over"),
    wins="number of algorithms over which the gap grows significantly in favour of this one",
    losses="number of algorithms in whose favour the gap over this one grows significantly",
)
