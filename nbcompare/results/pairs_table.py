"""The table of the pairs of a comparison: how large each difference is, and what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nbcompare._options import TWO_SIDED
from nbcompare._render import Table, format_number
from nbcompare.results._columns import significant, table_of
from nbcompare.results.hypotheses import statistic_text, win_tie_loss
from nbcompare.words import PAIRWISE_TESTS

if TYPE_CHECKING:
    from nbcompare.results.comparison import Comparison


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
    turned = [bool(tests.statistic[row] < 0) and not sided for row in rows]
    named: dict[str, list[str]] = {}
    if tests.has_estimates:
        sizes = tests.differences(rows, turned=not sided, effects=effects)
        named["difference"] = [size for size, _ in sizes]
        if result.confidence is not None:
            named["interval"] = [interval or "too few" for _, interval in sizes]
    if effects:
        values = np.where(turned, -1, 1) * effects["effect_size"]
        named["effect size"] = [format_number(float(value), 2) for value in values]
        named["W/T/L"] = win_tie_loss(
            (effects[name] for name in ("wins", "ties", "losses")), turned
        )
    if result.confidence is None:
        named[test.statistic] = [
            statistic_text(tests, row, turned=is_turned)
            for row, is_turned in zip(rows, turned, strict=True)
        ]
    named |= tests.p_columns(rows)
    last = significant(tests.rejected[rows])
    if tests.outcome is not None:
        last = {"decision": [tests.outcome[row] for row in rows]}
    pairs = [
        (tests.first[row], tests.second[row])[:: -1 if is_turned else 1]
        for row, is_turned in zip(rows, turned, strict=True)
    ]
    names = {"pair": [" – ".join(pair) for pair in pairs]}
    if whole:
        names = {"first": [a for a, _ in pairs], "second": [b for _, b in pairs]}
    n_hidden = len(tests) - len(rows) if whole else 0
    caption = _caption(result, len(tests) if whole else len(rows))
    return table_of(names, named, caption, n_hidden, last=last)


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
