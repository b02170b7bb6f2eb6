"""Words of figures: what decisions rest on, numbers, and phrases about algorithms and pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from nbcompare._display import current
from nbcompare._render import format_number, plural, stated_p, with_minus
from nbcompare._validation import check_labels, check_name
from nbcompare.plots._plot import Mark
from nbcompare.results import Comparison
from nbcompare.results.hypotheses import better_first
from nbcompare.results.imprecise import ImpreciseHypotheses
from nbcompare.results.stochastic import StochasticComparison, blocks
from nbcompare.words import (
    IMPRECISE_TESTS,
    PAIRWISE_TESTS,
    PROCEDURES,
    RANKINGS,
    STOCHASTIC_PROCEDURES,
)


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


def basis_of_runs(result: StochasticComparison, rows: ImpreciseHypotheses) -> str:
    """Return the basis of the tests, such as ``Bootstrap-B, Holm, α = 0.05, 32 data sets``."""
    how = STOCHASTIC_PROCEDURES[result.procedure].label
    how = f"{how[0].upper()}{how[1:]}"
    if result.test is not None:
        how += f" of {IMPRECISE_TESTS[result.test].label}"
    adjust = next((PROCEDURES[name].label for name in rows.adjusted_low), "unadjusted")
    return f"{how}, {adjust}, α = {result.alpha:g}, {blocks(result)}"


def mean_of(result: StochasticComparison) -> str:
    """Return the name of the mean, such as ``mean error``, without repeating the word mean."""
    measure = result.measure or "score"
    return f"mean {measure[5:]}" if measure.lower().startswith("mean ") else f"mean {measure}"


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
    style = _style(values, current().digits - 1)
    return [with_minus(format(value, f"+{style}")) if value else "0" for value in values]


def means(values: Sequence[float]) -> list[str]:
    """Format scores with the same number of decimals, by default four digits of the largest.

    Examples
    --------
    >>> means([0.81234, 12.0]), means([1e-9])
    (['0.81', '12.00'], ['1.000e-09'])
    """
    style = _style(values, current().digits)
    return [with_minus(format(value, style)) for value in values]


def _style(values: Sequence[float], behind: int) -> str:
    """Return a format with so many digits after the first one of the largest number."""
    largest = max(map(abs, values), default=0.0)
    exponent = math.floor(math.log10(largest)) if largest > 0 else 0
    if not -4 <= exponent <= 6:
        return f".{behind}e"
    return f".{min(max(behind - exponent, 0), max(6, behind + 3))}f"


def rank_text(comparison: Comparison, rank: float) -> str:
    """Return a rank, or a difference of ranks, with the decimals of the average ranks."""
    worst = max(comparison.average_ranks.values())
    return format_number(rank, 2 if worst < 100 else 1 if worst < 1000 else 0)


def algorithm_marks(comparison: Comparison) -> dict[str, Mark]:
    """Return for each algorithm its average rank, and what it differs from."""
    control, noun = comparison.control, RANKINGS[comparison.ranking].average_rank
    marks, others = {}, len(comparison.ordered) - 1
    for name in comparison.ordered:
        n = len(differing_from(comparison, name))
        told = f"{name}: {noun} {rank_text(comparison, comparison.average_ranks[name])}"
        if name == control:
            told += f", the control; {n} of {others} differ significantly from it"
        elif control is not None:
            row = comparison.hypotheses.second.index(name)
            told += f"; against {control}, {_outcome(comparison, row, turned=True)}"
        else:
            told += f"; significantly different from {n} of {others}"
        marks[name] = Mark(told, (name,))
    return marks


def pair_mark(comparison: Comparison, row: int) -> Mark:
    """Return what was found about the pair of a hypothesis, the better algorithm first."""
    tests, ranks = comparison.hypotheses, comparison.average_ranks
    pair = better_first(tests, row)
    both = ", ".join(f"{name} {rank_text(comparison, ranks[name])}" for name in pair)
    found = _outcome(comparison, row, turned=pair[0] != tests.first[row])
    noun = RANKINGS[comparison.ranking].average_rank
    return Mark(f"{' – '.join(pair)}: {found}; {noun}s: {both}", pair, pair=True)


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
