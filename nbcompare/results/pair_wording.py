"""The comparison of two algorithms in plain words."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from nbcompare._render import format_number, format_p, format_rounded, plural
from nbcompare.results import _subject as subject

if TYPE_CHECKING:
    from nbcompare.results.pair import PairComparison


class _Words(NamedTuple):
    """What a test and its figures are called."""

    name: str
    statistic: str
    effect: str
    estimate: str
    estimate_in_full: str
    interval: str


TESTS = MappingProxyType(
    {
        "wilcoxon": _Words(
            name="Wilcoxon signed-ranks test",
            statistic="sum of signed ranks",
            effect="matched-pairs rank-biserial correlation",
            estimate="Hodges–Lehmann estimate",
            estimate_in_full="median of the averages of any two differences (Hodges and Lehmann)",
            interval="from the null law of untied signed ranks",
        ),
        "sign": _Words(
            name="sign test",
            statistic="losses minus wins",
            effect="share of wins minus share of losses",
            estimate="median",
            estimate_in_full="median of the differences",
            interval="order statistics, from the null law of the sign test",
        ),
        "rank-sum": _Words(
            name="rank-sum test",
            statistic="U",
            effect="rank-biserial correlation",
            estimate="Hodges–Lehmann estimate",
            estimate_in_full="median of the differences of any score of the one from any of the "
            "other (Hodges and Lehmann)",
            interval="from the null law of the untied rank sum",
        ),
        "t": _Words(
            name="paired t test",
            statistic="t",
            effect="Cohen's d_z",
            estimate="mean",
            estimate_in_full="mean of the differences",
            interval="Student's t",
        ),
    }
)
ZEROS = MappingProxyType(
    {
        "demsar": "ranked, and their ranks shared evenly; of an odd number one is dropped (Demšar)",
        "split": "ranked, and their ranks shared evenly",
        "wilcox": "dropped before ranking",
        "pratt": "ranked, then dropped (Pratt)",
    }
)
METHOD = MappingProxyType(
    {"exact": "exact p", "normal": "normal approximation", "t": "Student's t distribution"}
)


def pair_sentences(result: PairComparison) -> tuple[str, ...]:
    """What was compared, what the test says, how large the difference is."""
    return (_what_was_compared(result), _verdict(result), _conclusion(result), _shift(result))


def pair_method(result: PairComparison) -> tuple[tuple[str, str], ...]:
    """What and how, row by row, so that a reader can compute it again."""
    words = TESTS[result.test]
    rows = [
        ("scores", subject.scores(result.design)),
        ("test", f"{words.name}, {_sides(result)}; {METHOD[result.method]}"),
        ("hypothesis tested", hypothesis(result)),
    ]
    if result.zeros is not None:
        rows.append(("data sets on which both tie", ZEROS[result.zeros]))
    rows += [
        ("α", f"{result.alpha:g}; rejected if p ≤ α"),
        ("effect size", f"{words.effect}; > 0: {result.first} is better"),
        ("difference", f"{words.estimate_in_full}, {result.first} minus {result.second}"),
        ("interval", f"{percent(result.confidence)}, two-sided; {words.interval}"),
        *subject.identity(result.design, "fingerprint of the scores compared"),
    ]
    return tuple(rows)


def percent(share: float, decimals: int | None = None) -> str:
    """``95 %``, ``95.8 %``."""
    shown = f"{100 * share:g}" if decimals is None else f"{100 * share:.{decimals}f}"
    return f"{shown} %"


def hypothesis(result: PairComparison) -> str:
    """What is rejected, or is not."""
    if result.alternative == "two-sided":
        return f"{result.first} and {result.second} perform alike"
    return f"{result.first} is not {result.alternative} than {result.second}"


def _what_was_compared(result: PairComparison) -> str:
    design = result.design
    left_out = ""
    if design.left_out:
        left_out = (
            f", {plural(len(design.left_out), 'more data set')} being left out for a missing score"
        )
    return (
        f"{result.first} and {result.second} were compared on "
        f"{plural(design.n_datasets, 'data set')} ({subject.scores(design)}){left_out}; "
        f"{result.first} is better on {result.wins}, worse on {result.losses} and tied on "
        f"{result.ties}."
    )


def _verdict(result: PairComparison) -> str:
    verb = "rejects" if result.rejected else "does not reject"
    return (
        f"The {TESTS[result.test].name} ({_sides(result)}, {METHOD[result.method]}) {verb} the "
        f"hypothesis that {hypothesis(result)} at α = {result.alpha:g} ({_figures(result)}, "
        f"p = {format_p(result.pvalue, result.log10_pvalue)})."
    )


def _sides(result: PairComparison) -> str:
    return "two-sided" if result.alternative == "two-sided" else "one-sided"


def _figures(result: PairComparison) -> str:
    if result.r_plus is not None and result.r_minus is not None:
        return f"R+ = {format_number(result.r_plus)}, R− = {format_number(result.r_minus)}"
    if result.test == "sign":
        half = (result.n_used - int(result.statistic)) // 2
        return f"{half} of {result.n_used} signs in favour of {result.first}"
    if result.test == "rank-sum":
        return f"U = {format_number(result.statistic)}"
    return f"t = {format_number(result.statistic, 3)} with {result.n_used - 1} df"


def _conclusion(result: PairComparison) -> str:
    first, second, side = result.first, result.second, result.alternative
    if side != "two-sided":
        if result.rejected:
            return f"{first} is {side} than {second}."
        return (
            f"{first} is not shown to be {side} than {second}, which does not mean that it is not."
        )
    if not result.rejected:
        return "They are not shown to differ, which does not mean that they are equal."
    # U counts pairs of scores, of which the first is worse in none or up to all
    favours = result.effect_size > 0 if result.test == "rank-sum" else result.statistic < 0
    better, worse = (first, second) if favours else (second, first)
    return f"{better} is better than {worse}."


def _shift(result: PairComparison) -> str:
    estimate = (
        f"The difference, {result.first} minus {result.second}, is estimated at "
        f"{format_rounded(result.shift)} ({TESTS[result.test].estimate})"
    )
    level = percent(result.confidence)
    if math.isinf(result.shift_lower):
        return f"{estimate}; there are too few data sets for a {level} confidence interval."
    covers = "" if result.test == "t" else f", which covers {percent(result.coverage, 1)}"
    sided = "" if result.alternative == "two-sided" else "two-sided "
    return (
        f"{estimate}, with a {sided}{level} confidence interval from "
        f"{format_rounded(result.shift_lower)} to {format_rounded(result.shift_upper)}{covers}."
    )
