"""Caveats of the comparison of two algorithms."""

from __future__ import annotations

import math
from collections.abc import Iterator

from nbcompare._render import Note, plural
from nbcompare.analysis._pair_tests import Asked, Outcome, Pair

_ZEROS = {
    "demsar": "their ranks are shared evenly between R+ and R−",
    "split": "their ranks are shared evenly between R+ and R−",
    "wilcox": "they are dropped before ranking",
    "pratt": "they are ranked, then dropped",
}


def of_test(test: str, pair: Pair, asked: Asked, outcome: Outcome) -> Iterator[Note]:
    """What the test takes for granted, and where it ends."""
    if test == "rank-sum":
        yield Note(
            "pairing-ignored",
            "The rank-sum test takes the scores of the two for independent samples: it ignores "
            "that both were measured on the same data sets, and compares scores of different "
            "ones. test='wilcoxon' makes use of the pairs.",
        )
    if test == "t":
        yield Note(
            "t-assumptions",
            "The t test takes differences for comparable between data sets and normally "
            "distributed; a few large ones decide it.",
        )
    if asked.alternative != "two-sided":
        yield Note(
            "one-sided",
            "A one-sided p is valid only if the side was chosen before looking at the scores.",
        )
    if pair.counts[1] == len(pair):
        yield Note("all-tied", "The two tie on every data set: nothing here tells them apart.")
    if math.isinf(outcome.statistic):
        yield Note(
            "identical-differences",
            "The difference is the same on every data set, so t is infinite and p is 0 or 1 "
            "whatever their number. Wilcoxon's test and the sign test give a p that means "
            "something.",
        )
    if outcome.method == "normal":
        yield Note(
            "normal-approximation",
            "p is a normal approximation, with the variance of the ranks as tied as they are and "
            "without continuity correction.",
        )


def of_ties(test: str, pair: Pair, zeros: str) -> Iterator[Note]:
    """What became of data sets on which the two tie, and of differences of one size."""
    n_tied = pair.counts[1]
    if not 0 < n_tied < len(pair) or test not in ("wilcoxon", "sign"):
        return
    odd = zeros == "demsar" and n_tied % 2 == 1
    what = _ZEROS[zeros] if test == "wilcoxon" else "they are split evenly between wins and losses"
    if odd and n_tied == 1:
        what = "it is dropped"
    elif n_tied == 1:
        what = what.replace("their ranks are", "its rank is").replace("they are", "it is")
    elif odd:
        what += ", one being dropped because their number is odd"
    yield Note("zeros", f"The two tie on {plural(n_tied, 'data set')}; {what}.")


def of_interval(test: str, pair: Pair, asked: Asked, outcome: Outcome) -> Iterator[Note]:
    """Where the interval says less than, or something else than the test."""
    level = f"{100 * asked.confidence:g} %"
    if math.isinf(outcome.shift.lower):
        also = (
            "; nor can the test reject at this α"
            if asked.alternative == "two-sided" and outcome.method != "t"
            else ""
        )
        yield Note(
            "no-interval",
            f"{plural(len(pair), 'data set')} are too few for an interval of {level}, so its ends "
            f"are infinite{also}.",
        )
        return
    tied = {
        "wilcoxon": pair.counts[1] > 0 or pair.has_equal_differences,
        "rank-sum": pair.has_equal_scores,
        "sign": pair.counts[1] > 0,
    }
    if tied.get(test, False):
        yield Note(
            "interval-untied",
            "The test takes account of ties; the interval is that of untied differences. The two "
            "may disagree where p is close to α.",
        )
    if not outcome.shift.exact:
        yield Note("normal-interval", "The interval comes from a normal approximation.")
