"""The table of the pairs of a comparison: how large each difference is, and what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbcompare._options import TWO_SIDED
from nbcompare._render import Column, Table, format_number, format_p
from nbcompare.results._columns import SIGNIFICANT
from nbcompare.results.hypotheses import adjusted_columns, statistic_text
from nbcompare.words import PAIRWISE_TESTS

if TYPE_CHECKING:
    from nbcompare.results.comparison import Comparison

__all__ = ["pairs_table"]


def pairs_table(result: Comparison, most: int | None = None, *, whole: bool = True) -> Table:
    """Return a table of all pairs by p, or of at most so many, those that were decided first.

    The better algorithm of each pair is named first, unless a one-sided test was asked for. The
    ``whole`` table has a column for each of the two, for programs that read it, and says how rows
    that it leaves out are seen; one for readers has a column of pairs, and its caption counts them.
    """
    tests, test = result.hypotheses, PAIRWISE_TESTS[result.pairs]
    rows = list(range(len(tests)))
    if most is not None:
        rows = sorted(rows, key=lambda row: not tests.rejected[row])[:most]
    effects = tests.effects(rows)
    sided = result.alternative != TWO_SIDED
    turned = [tests.statistic[row] < 0 and not sided for row in rows]
    has_intervals = result.confidence is not None
    named: dict[str, list[str]] = {}
    if tests.has_estimates:
        sizes = tests.differences(rows, turned=not sided, effects=effects)
        named["difference"] = [size for size, _ in sizes]
        if has_intervals:
            named["interval"] = [interval or "too few" for _, interval in sizes]
    if effects:
        counts = zip(*(effects[name].tolist() for name in ("wins", "ties", "losses")), strict=True)
        named["effect size"] = [
            format_number(-float(one) if is_turned else float(one), 2)
            for one, is_turned in zip(effects["effect_size"], turned, strict=True)
        ]
        named["W/T/L"] = [
            "/".join(map(str, one[::-1] if is_turned else one))
            for one, is_turned in zip(counts, turned, strict=True)
        ]
    if not has_intervals:
        named[test.statistic] = [
            statistic_text(tests, row, turned=is_turned)
            for row, is_turned in zip(rows, turned, strict=True)
        ]
    named["p"] = [tests.unadjusted(row) for row in rows]
    for column, (name, values) in zip(
        adjusted_columns(tests.adjusted), tests.adjusted.items(), strict=True
    ):
        logs = tests.log10_adjusted[name]
        named[column.header] = [format_p(float(values[row]), float(logs[row])) for row in rows]
    last = SIGNIFICANT
    words = ["yes" if tests.rejected[row] else "no" for row in rows]
    if tests.outcome is not None:
        last, words = Column("decision"), [tests.outcome[row] for row in rows]
    heads = ("first", "second") if whole else ("pair",)
    pairs = [
        (tests.first[row], tests.second[row])[:: -1 if is_turned else 1]
        for row, is_turned in zip(rows, turned, strict=True)
    ]
    names = pairs if whole else [(" – ".join(pair),) for pair in pairs]
    numbers = zip(*named.values(), strict=True)
    return Table(
        (*map(Column, heads), *(Column(name, number=True) for name in named), last),
        tuple((*one, *row, word) for one, row, word in zip(names, numbers, words, strict=True)),
        caption=_caption(result, len(tests) if whole else len(rows)),
        n_hidden=len(tests) - len(rows) if whole else 0,
    )


def _caption(result: Comparison, shown: int) -> str:
    tests, test = result.hypotheses, PAIRWISE_TESTS[result.pairs]
    what = "Differences of the pairs" if result.control is None else "Differences from the control"
    if shown < len(tests):
        what += f", the first {shown} of {len(tests):,}"
    sign = "difference" if tests.has_estimates else "effect" if tests.has_effects else "statistic"
    size = f", {test.estimate}" if tests.has_estimates else ""
    level = f" with {result.interval_text}s" if result.interval_text else ""
    if result.intervals == "pairwise" and len(tests) > 1:
        level += " that hold each by itself"
    law = f"{result.p_law}, {result.adjustment}, α = {result.alpha:g}"
    return f"{what} ({law}); {sign} > 0: the first is better{size}{level}{result.about_margin}"
