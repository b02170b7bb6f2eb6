"""How large the difference of each pair is: which estimate, at which confidence, or why none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._render import Note, plural
from nbcompare._validation import DataError
from nbcompare.analysis._pair import SHIFTS, Pair
from nbcompare.analysis.scales import STATED, Scales
from nbcompare.results.texts import note
from nbcompare.stats import shift
from nbcompare.stats.rankings import LARGEST
from nbcompare.words import PAIRWISE_TESTS, for_each

SIMULTANEOUS, PAIRWISE, NONE = "simultaneous", "pairwise", "none"
# Differences, and sums of two of them, must be numbers
_LARGEST = LARGEST / 2
_TOO_LARGE = "Scores exceed"


class Estimates(NamedTuple):
    """Which estimates pairs have: a word of the tests of pairs, or none.

    ``intervals`` is the kind of the intervals and ``confidence`` the level of each, None if there
    are none. ``withheld`` says why there are no estimates, or none of the intervals asked for.
    Intervals at ``margin_confidence`` are compared with the ``margin``, if there is one.
    """

    pairs: str = ""
    intervals: str = NONE
    confidence: float | None = None
    withheld: str = ""
    margin: float | None = None
    margin_confidence: float = 0.0

    def with_margin(self, margin: float | None, confidence: float) -> Estimates:
        """Return these with a margin and the level of intervals that are compared with it."""
        return self._replace(margin=margin, margin_confidence=confidence)


def check_margin(margin: float | None, against: str) -> None:
    """Raise an error if there is a margin, but differences are not estimated."""
    if margin is not None and against:
        advice = (
            "Take a larger unit."
            if against.startswith(_TOO_LARGE)
            else "Tests by pairs='exchange' without a margin need no common scale."
        )
        raise DataError(
            "`margin` must be left out here, because differences are not estimated. "
            f"{against} {advice}"
        )


def reason_against(scales: Scales, scores: FloatArray, pairs: str, *, gaps: bool) -> str:
    """Say in sentences why differences of these scores are not estimated; nothing if they are."""
    if scales.order_alone:
        return f"{scales.several}."
    if not scales.one:
        why = (
            f"{scales.several}. Differences are not comparable between data sets then; "
            "wins, ties and losses do not depend on the scale."
        )
        return why if scales.stated else f"{why} {STATED}"
    if max(np.fmax.reduce(scores, axis=None), -np.fmin.reduce(scores, axis=None)) > _LARGEST:
        return f"{_TOO_LARGE} {_LARGEST:.3g} in size, so that differences may not be numbers."
    if gaps and not PAIRWISE_TESTS[pairs].has_intervals:
        return "Scores are missing, so that pairs of algorithms share different data sets."
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
    if not PAIRWISE_TESTS[pairs].has_intervals:
        return Estimates(
            pairs,
            withheld="Tests of pairs by ranks give no interval of a difference in units of "
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
    elif estimates.withheld and PAIRWISE_TESTS[estimates.pairs].has_intervals:
        yield Note("no-intervals", estimates.withheld)


def notes_on_margin(estimates: Estimates, scores: FloatArray) -> Iterator[Note]:
    """Yield notes if no pair can be within the margin, or none can be outside."""
    if estimates.margin is None:
        return
    known, n = ~np.isnan(scores), len(scores)
    spans = np.where(known, scores, -np.inf).max(axis=1) - np.where(known, scores, np.inf).min(
        axis=1
    )
    noise = NOISE * np.nan_to_num(np.abs(scores)).max(axis=1)
    largest = spans.max()
    if estimates.margin > (spans + noise).max():
        yield note("margin-too-wide", estimates=estimates, largest=largest)
    level = 1 - estimates.margin_confidence
    if estimates.pairs == "wilcoxon" and 2.0 ** (1 - n) > level:
        yield note(
            "margin-out-of-reach",
            n=n,
            percent=100 * (1 - level),
            enough=1 + math.ceil(math.log2(1 / level)),
        )


class Pairs(NamedTuple):
    """Pairs with scores on the same data sets, and their places among those that are asked for.

    Of the scores, only those are there that all pairs on these data sets use.
    """

    places: IntArray | slice
    first: IntArray
    second: IntArray
    scores: FloatArray
    scale: FloatArray | None
    midranks: FloatArray | None

    def each(self) -> Iterator[Pair]:
        """Yield the scores of each pair."""
        for pair in zip(self.first.tolist(), self.second.tolist(), strict=True):
            columns = list(pair)
            both = self.scores[:, columns]
            yield Pair(both, both, None if self.scale is None else self.scale[:, columns])


def computed(estimates: Estimates, pairs: Pairs) -> FloatArray:
    """Return estimates, lower and upper ends by pair, positive where the first is better.

    Smaller scores are better. The ends mean nothing if there are to be no intervals.
    """
    found = np.zeros((3, len(pairs.first)))
    for place, pair in enumerate(pairs.each()):
        confidence = 0.95 if estimates.confidence is None else estimates.confidence
        one = SHIFTS[_OF_PAIRS[estimates.pairs]](pair, confidence)
        found[:, place] = one.estimate, one.lower, one.upper
    return found


def within_margin(estimates: Estimates, pairs: Pairs) -> BoolArray:
    """Return by pair whether its interval lies strictly inside the margin on both sides of 0.

    An end that differs from the margin by rounding noise of the scores alone is not inside: each
    data set counts with the largest difference that its noise allows.
    """
    margin = 0.0 if estimates.margin is None else estimates.margin
    found = np.zeros(len(pairs.first), dtype=np.bool_)
    for place, pair in enumerate(pairs.each()):
        found[place] = all(
            _UPPER[estimates.pairs](sign * pair.differences + pair.noise, estimates) < margin
            for sign in (1.0, -1.0)
        )
    return found


# The tests of two algorithms whose estimates pairs have
_OF_PAIRS = for_each(
    PAIRWISE_TESTS, {"ranks": "sign", "exchange": "sign", "wilcoxon": "wilcoxon", "t": "t"}
)
# Upper ends of the intervals that are compared with a margin
_UPPER: Mapping[str, Callable[[FloatArray, Estimates], float]] = {
    "wilcoxon": lambda values, of: shift.hodges_lehmann(values, of.margin_confidence).upper,
    "t": lambda values, of: shift.mean_shift(values, of.margin_confidence).upper,
}
