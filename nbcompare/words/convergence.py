"""Null hypotheses, ranks and differences for comparing the convergence of optimisers."""

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
    under : str
        Name in a sentence, after "under".
    method : str
        Description in the table of the method.
    explanation : str
        Description in a report, in Markdown with formulas.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    label: str
    under: str
    method: str
    explanation: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendRanks:
    """Ranks of the differences of two algorithms over the cut-points.

    Attributes
    ----------
    name : str
        The word for the option ``version``.
    method : str
        Description of the ranking in the table of the method.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    method: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """A kind of differences of two algorithms.

    Attributes
    ----------
    name : str
        The word for the option ``differences``.
    method : str
        Description in the table of the method.
    explanation : str
        Description in a report.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    method: str
    explanation: str
    cites: tuple[str, ...] = ()


TREND_NULLS = by_name(
    TrendNull(
        name="exchange",
        label="exchange null",
        under="the exchange null",
        method="the two algorithms may be swapped on every problem, independently (exact); it "
        "holds however the cut-points of a run are correlated",
        explanation=r"""Under the null hypothesis the two may be swapped on any problem, which turns
its ranks $r$ into $c + 1 - r$; all $2^n$ swaps are counted. That holds however the cut-points of a
run depend on each other.""",
    ),
    TrendNull(
        name="page",
        label="Page's null",
        under="Page's null",
        method="all orders of the cut-points are equally likely on every problem (Page), which "
        "those of a run are not",
        explanation="""Under Page's null hypothesis all orders of the cut-points are equally likely.
Those of a run are not, so the p-values are too small.""",
    ),
)
TREND_RANKS = by_name(
    TrendRanks(name="basic", method="mid-ranks of the difference over the cut-points"),
    TrendRanks(
        name="alternative",
        method="the same, but from the cut-point on at which one of the two reaches the "
        "optimum first, the ranks go on in its favour",
    ),
)
DIFFERENCES = by_name(
    Differences(name="raw", method="of values, column minus row", explanation="of their values"),
    Differences(
        name="log",
        method="of logarithms of errors, column minus row",
        explanation="of the logarithms of their errors",
    ),
)
