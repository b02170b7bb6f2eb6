"""The table of pairs that answers which algorithms differ, established differences first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nbcompare._render import MOST_ROWS, Column, Table, format_number, format_p
from nbcompare.results import pair_wording as wording
from nbcompare.results.hypotheses import Hypotheses, adjusted_columns, statistic_text
from nbcompare.words import P_LAWS, PAIRWISE_TESTS

if TYPE_CHECKING:
    from nbcompare.results.comparison import Comparison

_DECISIONS = {True: "significant", False: "not significant"}


def pairs_table(result: Comparison, most: int = MOST_ROWS) -> Table:
    """Return a table of at most so many pairs, with size, p and decision of each.

    Rejected hypotheses come first, then the others, each by p. Of all pairs, the better algorithm
    is named first; of a control, the control is.
    """
    tests = result.hypotheses
    order = sorted(range(len(tests)), key=lambda row: not tests.rejected[row])
    rows = order[:most]
    test = PAIRWISE_TESTS[result.pairs]
    has_estimates, has_intervals = tests.has_estimates, result.confidence is not None
    headers = [
        *(["difference"] if has_estimates else []),
        *(["interval"] if has_intervals else []),
        *(["effect size", "W/T/L"] if tests.has_effects else [test.statistic]),
        "p",
    ]
    columns = (
        Column("pair"),
        *(Column(header, number=True) for header in headers),
        *adjusted_columns(tests.adjusted),
        Column("decision"),
    )
    turned = result.control is None
    sizes = tests.differences(rows, turned=turned) if has_estimates else [("", "")] * len(rows)
    cells = tuple(
        (
            " – ".join(_named(tests, row, turned=turned)),
            *([sizes[place][0]] if has_estimates else []),
            *([sizes[place][1] or "too few"] if has_intervals else []),
            *effects,
            format_p(float(tests.pvalue[row]), float(tests.log10_pvalue[row])),
            *_adjusted(tests, row),
            _decision(tests, row),
        )
        for place, (row, effects) in enumerate(
            zip(rows, _effects(tests, rows, turned=turned), strict=True)
        )
    )
    return Table(columns, cells, caption=_caption(result, len(rows)))


def _caption(result: Comparison, shown: int) -> str:
    tests, test = result.hypotheses, PAIRWISE_TESTS[result.pairs]
    what = "Differences of the pairs" if result.control is None else "Differences from the control"
    if shown < len(tests):
        what += f", the first {shown} of {len(tests):,}"
    sign = "difference" if tests.has_estimates else "effect" if tests.has_effects else "statistic"
    size = f", {test.estimate}" if tests.has_estimates else ""
    level = f" with {result.interval_text}s" if result.interval_text else ""
    margin = result.about_margin
    law = f"{P_LAWS[result.method]}, {result.adjustment}, α = {result.alpha:g}"
    return f"{what} ({law}); {sign} > 0: the first is better{size}{level}{margin}"


def _named(tests: Hypotheses, row: int, *, turned: bool) -> tuple[str, str]:
    if turned:
        return wording.better_first(tests, row)
    return tests.first[row], tests.second[row]


def _effects(tests: Hypotheses, rows: Sequence[int], *, turned: bool) -> list[tuple[str, ...]]:
    """Return effect size and counts as text; the statistic if only average ranks are known."""
    effects = tests.effects(rows)
    if not effects:
        return [(statistic_text(tests, row).removeprefix("-" * turned),) for row in rows]
    told: list[tuple[str, ...]] = []
    for place, row in enumerate(rows):
        counts = [str(effects[name][place]) for name in ("wins", "ties", "losses")]
        size = float(effects["effect_size"][place])
        if turned and tests.statistic[row] < 0:
            counts, size = counts[::-1], -size
        told.append((format_number(size, 2), "/".join(counts)))
    return told


def _adjusted(tests: Hypotheses, row: int) -> list[str]:
    return [
        format_p(float(values[row]), float(tests.log10_adjusted[name][row]))
        for name, values in tests.adjusted.items()
    ]


def _decision(tests: Hypotheses, row: int) -> str:
    if tests.outcome is not None:
        return tests.outcome[row]
    return _DECISIONS[bool(tests.rejected[row])]
