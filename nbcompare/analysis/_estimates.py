"""How large the difference of each pair is: which estimate, at which confidence, or why none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._render import Note, plural
from nbcompare.analysis._pair import Pair
from nbcompare.analysis.scales import STATED, Scales
from nbcompare.stats import shift
from nbcompare.stats.rankings import LARGEST
from nbcompare.words import PAIRWISE_TESTS, for_each

SIMULTANEOUS, PAIRWISE, NONE = "simultaneous", "pairwise", "none"
# Differences, and sums of two of them, must be numbers
_LARGEST = LARGEST / 2


class Estimates(NamedTuple):
    """Which estimates pairs have: a word of the tests of pairs, or none.

    ``intervals`` is the kind of the intervals and ``confidence`` the level of each, None if there
    are none. ``withheld`` says why there are no estimates, or none of the intervals asked for.
    """

    pairs: str = ""
    intervals: str = NONE
    confidence: float | None = None
    withheld: str = ""


def reason_against(scales: Scales, scores: FloatArray, pairs: str, *, gaps: bool) -> str:
    """Say in sentences why differences of these scores are not estimated; nothing if they are."""
    if gaps and PAIRWISE_TESTS[pairs].by_ranks:
        return "Scores are missing, so that pairs of algorithms share different data sets."
    if not scales.one:
        why = (
            f"{scales.several}, so that differences of several data sets are not comparable; "
            "wins, ties and losses do not depend on the scale."
        )
        return why if scales.stated else f"{why} {STATED}"
    known = scores[~np.isnan(scores)]
    if max(known.max(), -known.min()) > _LARGEST:
        return f"Scores exceed {_LARGEST:.3g} in size, so that differences may not be numbers."
    return ""


def planned(against: str, pairs: str, asked: str, n: int, m: int, alpha: float) -> Estimates:
    """Return which estimates and intervals the pairs of a family of ``m`` hypotheses have.

    Where the interval of Wilcoxon's test at 1 - alpha/m would be infinite on ``n`` data sets, that
    at 1 - alpha stands in.
    """
    if against:
        return Estimates(withheld=f"Differences are not estimated. {against}")
    if asked == NONE:
        return Estimates(pairs)
    if PAIRWISE_TESTS[pairs].by_ranks:
        return Estimates(
            pairs,
            withheld="Tests of pairs by average ranks give no interval of a difference in units of "
            "the measure; the differences are medians over the data sets.",
        )
    level = alpha / m if asked == SIMULTANEOUS else alpha
    if pairs != "wilcoxon" or 2.0 ** (1 - n) <= level:
        return Estimates(pairs, asked, 1 - level)
    least = 1 + math.ceil(math.log2(1 / level))
    few = (
        f"{plural(n, 'data set')} are too few for "
        f"{'simultaneous ' if asked == SIMULTANEOUS else ''}intervals by Wilcoxon's test at "
        f"{100 * (1 - level):.4g} % each, which would be infinite; {least} would be enough."
    )
    if asked == SIMULTANEOUS and 2.0 ** (1 - n) <= alpha:
        return Estimates(
            pairs, PAIRWISE, 1 - alpha, f"{few} The intervals shown hold each by itself."
        )
    return Estimates(pairs, withheld=few)


def notes_of(estimates: Estimates) -> Iterator[Note]:
    """Yield a note on estimates or intervals that are withheld, and why."""
    if estimates.withheld and not estimates.pairs:
        yield Note("no-estimates", estimates.withheld)
    elif estimates.withheld and not PAIRWISE_TESTS[estimates.pairs].by_ranks:
        yield Note("no-intervals", estimates.withheld)


def computed(
    estimates: Estimates,
    scores: FloatArray,
    scale: FloatArray | None,
    first: IntArray,
    second: IntArray,
) -> FloatArray:
    """Return estimates, lower and upper ends by pair, positive where the first is better.

    Smaller scores are better. The ends mean nothing if there are to be no intervals.
    """
    found = np.zeros((3, len(first)))
    for place, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        columns = list(pair)
        both = scores[:, columns]
        sizes = None if scale is None else scale[:, columns]
        confidence = 0.95 if estimates.confidence is None else estimates.confidence
        found[:, place] = _SHIFTS[estimates.pairs](Pair(both, both, sizes), confidence)
    return found


def _median(pair: Pair, _: float) -> tuple[float, float, float]:
    return pair.median_difference, -math.inf, math.inf


def _hodges_lehmann(pair: Pair, confidence: float) -> tuple[float, float, float]:
    found = shift.hodges_lehmann(pair.differences, confidence)
    return found.estimate, found.lower, found.upper


def _mean(pair: Pair, confidence: float) -> tuple[float, float, float]:
    found = shift.mean_shift(pair.equal_or_not, confidence)
    return found.estimate, found.lower, found.upper


_SHIFTS: Mapping[str, Callable[[Pair, float], tuple[float, float, float]]] = for_each(
    PAIRWISE_TESTS, {"ranks": _median, "wilcoxon": _hodges_lehmann, "t": _mean}
)
