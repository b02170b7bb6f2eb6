"""Sentences and the table of the method for the comparison of convergence."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._render import format_p, plural
from nbcompare.results import _subject as subject
from nbcompare.results._subject import joined
from nbcompare.words import DIFFERENCES, PROCEDURES, TREND_NULLS, TREND_RANKS

if TYPE_CHECKING:
    from nbcompare.results.convergence import ConvergenceComparison

_LAW = MappingProxyType({"exact": "exact distribution", "normal": "normal approximation"})
# A sentence counts more pairs than this instead of listing them; the table lists all.
_MOST_LISTED = 6


def sentences(result: ConvergenceComparison) -> tuple[str, ...]:
    """Return sentences on the data, on which algorithms converge faster, and on disagreements."""
    found = [_what(result)]
    found += [_faster(result, version) for version in result.versions]
    found += [_disagreement(result), _standing(result)]
    return tuple(sentence for sentence in found if sentence)


def method(result: ConvergenceComparison) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    design = result.design
    k = len(result.algorithms)
    rows = [
        ("histories", f"{design.measure or 'best value so far'}, {design.better}"),
        ("runs", f"{_runs(result)}"),
        ("cut-points", f"{result.cutpoints.shape[1]}, at regular shares of each problem's budget"),
        ("differences", DIFFERENCES[result.differences].method),
        *((f"{version} ranks", TREND_RANKS[version].method) for version in result.versions),
        (
            "optimum",
            ""
            if result.optimum_tolerance is None
            else f"reached where the error is at most {result.optimum_tolerance:g}",
        ),
        ("statistic", "Page's L: sum over problems of cut-point times rank; large if ranks rise"),
        ("null hypothesis", TREND_NULLS[result.null].method),
        ("distribution of L", _laws(result)),
        ("family", f"{k * (k - 1)} ordered pairs"),
        ("adjustment", subject.adjustments(result.adjust)),
        ("α", f"{result.alpha:g}; rejected if p ≤ α"),
        *subject.provenance(design),
    ]
    return tuple((what, how) for what, how in rows if how)


def _what(result: ConvergenceComparison) -> str:
    design = result.design
    adjusted = f", adjusted by {PROCEDURES[result.adjust[0]].label}" if result.adjust else ""
    adjusted += subject.of_discoveries(result.adjust)
    return (
        f"The convergence of {plural(len(result.algorithms), 'algorithm')} was compared on "
        f"{plural(design.n_datasets, 'problem')} ({design.measure or 'best value so far'}, "
        f"{design.better}; {_runs(result)}) at "
        f"{result.cutpoints.shape[1]} cut-points, by Page's L{_of(result)} under "
        f"{TREND_NULLS[result.null].under} at α = {result.alpha:g}{adjusted}."
    )


def _runs(result: ConvergenceComparison) -> str:
    differ = any(note.code == "runs-differ" for note in result.notes)
    if result.design.n_runs == 1:
        return "one run per problem"
    return f"{result.aggregate} of {'up to ' if differ else ''}{result.design.n_runs} runs"


def _laws(result: ConvergenceComparison) -> str:
    tests = next(iter(result.tests.values()))
    page = _LAW[tests.page_method]
    if result.formulas == "printed":
        page += ", as printed, for ranks without ties"
    return f"exchange: {_LAW[tests.exchange_method]}; Page: {page}"


def _of(result: ConvergenceComparison) -> str:
    return " of the differences of log errors" if result.differences == "log" else ""


def _faster(result: ConvergenceComparison, version: str) -> str:
    tests, p = result.tests[version], result.decisive(version)
    pairs = np.argwhere(tests.rejected)
    opening = f"By {version} ranks, " if len(result.versions) > 1 else ""
    if not len(pairs):
        text = f"{opening}no significant difference in convergence was found."
        return f"{text[0].upper()}{text[1:]}"
    if len(pairs) > _MOST_LISTED:
        count = len(result.algorithms) * (len(result.algorithms) - 1)
        return (
            f"{opening}{len(pairs)} of {count} ordered pairs differ; the table shows which "
            "converges faster."
        )
    order = np.argsort(p[pairs[:, 0], pairs[:, 1]], kind="stable")
    listed = [
        f"{result.algorithms[row]} converges faster than {result.algorithms[column]} "
        f"(p = {format_p(float(p[row, column]))})"
        for row, column in pairs[order]
    ]
    return f"{opening}{joined(listed)}."


def _disagreement(result: ConvergenceComparison) -> str:
    """Return a sentence on the pairs for which the two versions of ranks disagree."""
    if len(result.versions) < 2:
        return ""
    one, other = (result.tests[version].rejected for version in result.versions)
    pairs = np.argwhere(one != other)
    if not len(pairs):
        return "Basic and alternative ranks lead to the same conclusions."
    if len(pairs) > _MOST_LISTED:
        return (
            f"Basic and alternative ranks disagree about {len(pairs)} ordered pairs: optima that "
            "were reached before the end make the difference."
        )
    listed = [
        f"{result.algorithms[row]} over {result.algorithms[column]} (significant by "
        f"{result.versions[0] if one[row, column] else result.versions[1]} ranks only)"
        for row, column in pairs
    ]
    return f"Basic and alternative ranks disagree about {'; '.join(listed)}."


def _standing(result: ConvergenceComparison) -> str:
    tests = result.tests[result.versions[-1]]
    if not tests.rejected.any():
        return ""
    places = [result.algorithms.index(name) for name in result.ordered]
    net = [tests.wins[i] - tests.losses[i] for i in places]
    best = [name for name, value in zip(result.ordered, net, strict=True) if value == net[0]]
    others = len(result.algorithms) - 1
    wins = [
        f"{name} (over {tests.wins[result.algorithms.index(name)]} of {others} others)"
        for name in best
    ]
    return (
        f"By wins less losses ({result.versions[-1]} ranks) the fastest "
        f"{'is' if len(best) == 1 else 'are'} {joined(wins)}."
    )
