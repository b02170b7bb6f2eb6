"""Sentences and the table of the method for the comparison of convergence."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._render import format_number, plural, stated_p
from nbcompare.results import _subject as subject
from nbcompare.results._subject import joined
from nbcompare.words import DIFFERENCES, PROCEDURES, SPEED, TREND_NULLS, TREND_RANKS

if TYPE_CHECKING:
    from nbcompare.results.convergence import ConvergenceComparison

_LAW = MappingProxyType({"exact": "exact distribution", "normal": "normal approximation"})
# A sentence counts more pairs than this instead of listing them; the table lists all.
_MOST_LISTED = 6


def sentences(result: ConvergenceComparison) -> tuple[str, ...]:
    """Return sentences on the data, the end of the runs, the trends, and on disagreements."""
    found = [_what(result), _at_the_end(result)]
    found += [_faster(result, version) for version in result.versions]
    found += [_disagreement(result), _standing(result)]
    return tuple(sentence for sentence in found if sentence)


def method(result: ConvergenceComparison) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    design = result.design
    k = len(result.algorithms)
    rows = [
        ("histories", f"{design.measure or 'best value so far'}, {design.better}"),
        ("runs", f"{runs(result)}"),
        ("cut-points", f"{result.cutpoints.shape[1]}, at regular shares of each problem's budget"),
        ("differences", _differences(result)),
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


def _differences(result: ConvergenceComparison) -> str:
    method = DIFFERENCES[result.differences].method
    if result.differences == "log" and not has_errors(result):
        return method.replace("errors", "values")
    tolerance = result.optimum_tolerance
    if result.differences == "log" and tolerance:
        return f"{method}; errors below {tolerance:g} count as {tolerance:g}"
    return method


def _what(result: ConvergenceComparison) -> str:
    design = result.design
    adjusted = f", adjusted by {PROCEDURES[result.adjust[0]].label}" if result.adjust else ""
    adjusted += subject.of_discoveries(result.adjust)
    return (
        f"The convergence of {plural(len(result.algorithms), 'algorithm')} was compared on "
        f"{plural(design.n_datasets, 'problem')} ({design.measure or 'best value so far'}, "
        f"{design.better}; {runs(result)}) at "
        f"{result.cutpoints.shape[1]} cut-points, by Page's L{_of(result)} under "
        f"{TREND_NULLS[result.null].under} at α = {result.alpha:g}{adjusted}."
    )


def runs(result: ConvergenceComparison) -> str:
    """Describe the runs, such as ``mean of 15 runs``."""
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
    if result.differences == "raw":
        return " of the differences of values"
    return f" of the differences of log {'errors' if has_errors(result) else 'values'}"


def has_errors(result: ConvergenceComparison) -> bool:
    """Return whether optima are known, so that values are errors."""
    return result.optimum_tolerance is not None


def _at_the_end(result: ConvergenceComparison) -> str:
    """Return a sentence on who is ahead at the last cut-point."""
    places = np.argsort(result.final_ranks, kind="stable").tolist()
    texts = [format_number(float(rank), 2) for rank in result.final_ranks[places]]
    first = [
        result.algorithms[i] for i, text in zip(places, texts, strict=True) if text == texts[0]
    ]
    if len(first) == len(places):
        return f"At the last cut-point, all average ranks are {texts[0]}."
    listed = [f"{result.algorithms[i]} {text}" for i, text in zip(places, texts, strict=True)][
        :_MOST_LISTED
    ]
    more = len(places) - len(listed)
    return (
        f"At the last cut-point, {joined(first)} {'is' if len(first) == 1 else 'are'} ahead by "
        f"average rank ({'; '.join(listed)}{f'; {more} more behind' if more else ''})."
    )


def _faster(result: ConvergenceComparison, version: str) -> str:
    log10_p, claim = result.log10_decisive(version), result.claim
    pairs = np.argwhere(result.tests[version].rejected)
    opening = f"By {version} ranks, " if len(result.versions) > 1 else ""
    if not len(pairs):
        text = f"{opening}{claim.nothing}."
        return f"{text[0].upper()}{text[1:]}"
    if len(pairs) > _MOST_LISTED:
        count = len(result.algorithms) * (len(result.algorithms) - 1)
        where = f"{opening}in {len(pairs)} of {count} ordered pairs"
        where = f"{where[0].upper()}{where[1:]}"
        return f"{where} {claim.rising}, significantly; the table shows them."
    order = np.argsort(log10_p[pairs[:, 0], pairs[:, 1]], kind="stable")
    listed = []
    for row, column in pairs[order].tolist():
        names = {"a": result.algorithms[row], "b": result.algorithms[column]}
        p = stated_p(result.p_text(version, row, column))
        listed.append(f"{claim.finding.format(**names)} ({p})")
    text = f"{opening}{joined(listed)}."
    return text if opening or claim is SPEED else f"{text[0].upper()}{text[1:]}"


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
        f"By wins less losses ({result.versions[-1]} ranks), "
        f"{result.claim.leaders[len(best) > 1]} {joined(wins)}."
    )
