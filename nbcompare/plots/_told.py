"""What a page says of the algorithms and pairs of a comparison where a reader points at them."""

from __future__ import annotations

from nbcompare._render import format_number, stated_p
from nbcompare.plots._labels import rank_decimals
from nbcompare.plots._marks import Mark
from nbcompare.results import Comparison
from nbcompare.results.pair_wording import better_first
from nbcompare.words import RANKINGS

__all__ = ["algorithm_marks", "pair_mark"]


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


def pair_mark(comparison: Comparison, row: int, difference: str = "") -> Mark:
    """Return what was found about the pair of a hypothesis.

    The better algorithm comes first, or the first of the hypothesis if a difference of the two
    is given as text.
    """
    tests = comparison.hypotheses
    pair = (tests.first[row], tests.second[row]) if difference else better_first(tests, row)
    ranks = ", ".join(f"{name} {_number(comparison, name)}" for name in pair)
    turned = pair[0] != tests.first[row]
    told = f"{' – '.join(pair)}: {f'difference {difference}; ' if difference else ''}"
    told += f"{_outcome(comparison, row, turned=turned)}; "
    return Mark(f"{told}{RANKINGS[comparison.ranking].average_rank}s: {ranks}", pair, pair=True)


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
