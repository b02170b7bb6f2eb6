"""Words of figures: what decisions rest on, numbers, and what is said of algorithms and pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from nbcompare._display import current
from nbcompare._render import format_number, plural, stated_p
from nbcompare._validation import check_labels, check_name
from nbcompare.plots._marks import Mark
from nbcompare.results import Comparison
from nbcompare.results.hypotheses import better_first
from nbcompare.words import PAIRWISE_TESTS, RANKINGS


def rank_decimals(worst: float) -> int:
    """Return the decimals for average ranks: fewer for larger ranks, to save space."""
    return 2 if worst < 100 else 1 if worst < 1000 else 0


def basis(comparison: Comparison, *, adjusted: bool = True) -> str:
    """Return what the decisions rest on: ``exact p, Holm, α = 0.05, 30 data sets``.

    The tests are named too if they are not tests of the average ranks that are drawn.
    """
    tests = PAIRWISE_TESTS[comparison.pairs].plural
    adjustment = comparison.adjustment if adjusted else "no adjustment"
    return (
        f"{f'{tests}, ' if tests else ''}{comparison.p_law}, {adjustment}, "
        f"α = {comparison.alpha:g}, {plural(comparison.design.n_datasets, 'data set')}"
    )


def highlighted(names: Iterable[str] | None, algorithms: tuple[str, ...]) -> frozenset[str] | None:
    """Return the algorithms that a figure is asked to highlight; None if all are alike."""
    if names is None:
        return None
    chosen = check_labels(names, "highlight")
    for name in chosen:
        check_name(name, "highlight", algorithms)
    return frozenset(chosen)


def differing_from(comparison: Comparison, reference: str) -> frozenset[str]:
    """Return the algorithms that differ significantly from the reference."""
    tests = comparison.hypotheses
    pairs = zip(tests.first, tests.second, tests.rejected, strict=True)
    return frozenset(
        second if first == reference else first
        for first, second, rejected in pairs
        if rejected and reference in (first, second)
    )


def signed(values: Sequence[float]) -> list[str]:
    """Format differences with a sign and the same number of decimals.

    The largest one has three significant digits, unless more are requested. A difference that
    rounds to 0 keeps its sign.

    Examples
    --------
    >>> signed([0.01234, -0.5, 0.0, -0.0001]), signed([2e-7, 0.0]), signed([1234.5])
    (['+0.012', '−0.500', '0', '−0.000'], ['+2.00e-07', '0'], ['+1234'])
    """
    largest = max(map(abs, values), default=0.0)
    digits = math.floor(math.log10(largest)) if largest > 0 else 0
    style = _style(digits, current().digits - 1)
    return [
        format(value, f"+{style}").replace("-", "−", 1 if value < 0 else 0) if value else "0"
        for value in values
    ]


def means(values: Sequence[float]) -> list[str]:
    """Format scores with the same number of decimals, by default four digits of the largest.

    Examples
    --------
    >>> means([0.81234, 12.0]), means([1e-9])
    (['0.81', '12.00'], ['1.000e-09'])
    """
    largest = max(map(abs, values), default=0.0)
    digits = math.floor(math.log10(largest)) if largest > 0 else 0
    style = _style(digits, current().digits)
    return [format(value, style).replace("-", "−", 1 if value < 0 else 0) for value in values]


def _style(exponent: int, behind: int) -> str:
    """Return a format for numbers up to 10**exponent, with ``behind`` digits after the first."""
    if not -4 <= exponent <= 6:
        return f".{behind}e"
    return f".{min(max(behind - exponent, 0), max(6, behind + 3))}f"


def algorithm_marks(comparison: Comparison) -> dict[str, Mark]:
    """Return for each algorithm its average rank, and what it differs from."""
    tests, control = comparison.hypotheses, comparison.control
    number = dict.fromkeys(comparison.ordered, 0)
    against: dict[str, int] = {}
    for row in range(len(tests)):
        for name in (tests.first[row], tests.second[row]):
            number[name] += bool(tests.rejected[row])
        if control is not None:
            against[tests.second[row]] = row
    others = len(number) - 1
    marks = {}
    for name in number:
        told = f"{name}: {_rank(comparison, name)}"
        if name == control:
            told += f", the control; {number[name]} of {others} differ significantly from it"
        elif name in against:
            told += f"; against {control}, {_outcome(comparison, against[name], turned=True)}"
        else:
            told += f"; significantly different from {number[name]} of {others}"
        marks[name] = Mark(told, (name,))
    return marks


def pair_mark(comparison: Comparison, row: int) -> Mark:
    """Return what was found about the pair of a hypothesis, the better algorithm first."""
    tests = comparison.hypotheses
    pair = better_first(tests, row)
    ranks = ", ".join(f"{name} {_number(comparison, name)}" for name in pair)
    turned = pair[0] != tests.first[row]
    found = f"{' – '.join(pair)}: {_outcome(comparison, row, turned=turned)}"
    title = f"{found}; {RANKINGS[comparison.ranking].average_rank}s: {ranks}"
    return Mark(title, pair, pair=True)


def _outcome(comparison: Comparison, row: int, *, turned: bool) -> str:
    tests = comparison.hypotheses
    kind = "adjusted p" if comparison.adjust else "p"
    decision = "significant" if tests.rejected[row] else "not significant"
    told = f"{stated_p(tests.decisive(row), kind)}, {decision}"
    if tests.has_outcomes and tests.outcome is not None:
        told += f", {tests.outcome[row]}"
    columns = (tests.wins, tests.ties, tests.losses) if tests.has_effects else ()
    counts = [str(int(column[row])) for column in columns if column is not None]
    if counts:
        told += f"; W/T/L {'/'.join(counts[::-1] if turned else counts)}"
    return told


def _rank(comparison: Comparison, name: str) -> str:
    return f"{RANKINGS[comparison.ranking].average_rank} {_number(comparison, name)}"


def _number(comparison: Comparison, name: str) -> str:
    ranks = comparison.average_ranks
    return format_number(ranks[name], rank_decimals(max(ranks.values())))
