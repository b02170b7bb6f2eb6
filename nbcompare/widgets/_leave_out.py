"""The result without some data sets: what becomes of one pair of algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nbcompare import analysis, plots
from nbcompare._display import current
from nbcompare._options import AUTO
from nbcompare._render import format_p, plural, stated_p
from nbcompare._validation import named
from nbcompare.results import Comparison
from nbcompare.widgets._model import AnalysisModel
from nbcompare.widgets._worker import Task
from nbcompare.words import PAIR_TESTS, PAIRWISE_TESTS, PROCEDURES, TREATMENTS_OF

Pair = tuple[str, str]


def scatter_of(model: AnalysisModel, pair: Pair) -> plots.Plot:
    """Return the scores of a pair, one point per data set of the comparison.

    It stays the same while nothing that it shows changes. Raises a ValueError where the two
    alone cannot be compared.
    """
    result: Comparison = model.result
    asked = result.design.options
    known = asked["missing"] in TREATMENTS_OF["compare_pair"]
    datasets = result.design.datasets
    options: dict[str, Any] = {
        "test": result.pairs if result.pairs in PAIR_TESTS else AUTO,
        "alpha": result.alpha,
        "scale": asked["scale"],
        "missing": asked["missing"] if known else "drop",
        "fill": asked["fill"] if known else None,
    }

    def drawn() -> plots.Plot:
        data = model.selection.select(datasets=datasets)
        return plots.pair_scatter(analysis.compare_pair(data, *pair, **options))

    key = ("scatter", *pair, *datasets, *options.values(), current())
    scatter: plots.Plot = model.parts.made(key, drawn)
    return scatter


def rest_of(model: AnalysisModel, names: Sequence[str]) -> tuple[str, ...]:
    """Return the selected data sets without some."""
    left = set(names)
    return tuple(name for name in model.selected("datasets") if name not in left)


def task_without(model: AnalysisModel, names: Sequence[str]) -> Task:
    """Return the same comparison on the other data sets.

    Raises a ValueError if it has too few of them.
    """
    rest = rest_of(model, names)
    if not rest:
        raise ValueError("no data set remains.")
    return Task(model.function, model.selection.select(datasets=rest), model.choices.arguments())


def told_error(names: Sequence[str], error: Exception) -> str:
    """Say that there is no result without some data sets."""
    return f"{_without(names)} there is no result: {error}"


def told_without(before: Comparison, after: Comparison, pair: Pair, names: Sequence[str]) -> str:
    """Say what becomes of a pair of algorithms, and of all decisions, without some data sets.

    Parameters
    ----------
    before, after : Comparison
        Of all selected data sets, and of those that remain.
    pair : tuple of str
        The two algorithms, which are a hypothesis of the first result.
    names : sequence of str
        The data sets that are left out.
    """
    old, new = _row(before, pair), _row(after, pair)
    if old is None or new is None:
        return (
            f"{_without(names)} {pair[0]} and {pair[1]} are not compared: the control, which is "
            f"the best ranked algorithm, is then {after.control}."
        )
    was, now = bool(before.hypotheses.rejected[old]), bool(after.hypotheses.rejected[new])
    found = [f"{_p(before, old)} becomes {_p(after, new)}"]
    if before.adjust and after.adjust and len(before.hypotheses) > 1:
        one, other = PROCEDURES[before.adjust[0]].label, PROCEDURES[after.adjust[0]].label
        labels = f"({one})" if one == other else f"({one}, then {other})"
        raw = f"adjusted {stated_p(before.hypotheses.decisive(old))}"
        found.append(f"{raw} becomes {stated_p(after.hypotheses.decisive(new))} {labels}")
    stays = "stays" if was == now else "changes"
    decided = {
        (True, True): "still significant",
        (True, False): "no longer significant",
        (False, True): "now significant",
        (False, False): "still not significant",
    }[was, now]
    told = (
        f"{_without(names)} {', and '.join(found)}. The decision {stays}: the null hypothesis that "
        f"{pair[0]} and {pair[1]} performed equally is {decided} at α = {after.alpha:g}."
    )
    return " ".join([told, *_others(before, after, pair), *_design(before, after)])


def _without(names: Sequence[str]) -> str:
    return f"Without {plural(len(names), 'data set')} ({named(list(names))}),"


def _row(result: Comparison, pair: Pair) -> int | None:
    """Return the hypothesis about a pair, in either order."""
    tests = result.hypotheses
    for row, found in enumerate(zip(tests.first, tests.second, strict=True)):
        if set(found) == set(pair):
            return row
    return None


def _p(result: Comparison, row: int) -> str:
    tests = result.hypotheses
    return stated_p(format_p(float(tests.pvalue[row]), float(tests.log10_pvalue[row])))


def _others(before: Comparison, after: Comparison, pair: Pair) -> list[str]:
    """Say how many of the other decisions change."""

    def decisions(result: Comparison) -> dict[frozenset[str], bool]:
        tests = result.hypotheses
        rows = zip(tests.first, tests.second, tests.rejected.tolist(), strict=True)
        return {frozenset((a, b)): rejected for a, b, rejected in rows}

    old, new = decisions(before), decisions(after)
    others = (set(old) & set(new)) - {frozenset(pair)}
    if not others:
        return []
    changed = sum(old[each] != new[each] for each in others)
    if len(others) == 1:
        return [f"The other decision {'changes' if changed else 'stays'}."]
    verb = "change" if changed > 1 else "changes"
    return [f"Of the other {len(others)} decisions, {changed or 'none'} {verb}."]


def _design(before: Comparison, after: Comparison) -> list[str]:
    """Say that pairs are tested otherwise, where the options leave that to the data."""
    if before.pairs == after.pairs:
        return []
    new, old = (PAIRWISE_TESTS[result.pairs].recommended for result in (after, before))
    return [f"Pairs are then tested by {new}, not by {old}, as recommended for such data."]
