"""How a comparison was made, as one paragraph that can be pasted into a paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nbcompare.results._cited import (
    Cited,
    Uncited,
    adjusting,
    averaged,
    compared_pairs,
    computed,
    missing,
    null_hypothesis,
    scored,
)
from nbcompare.results._established import counted, in_measure
from nbcompare.results._subject import joined
from nbcompare.results.comparison import Comparison, average_rank, treatment_of_ties
from nbcompare.words import OMNIBUS, PAIRWISE_TESTS, RANKINGS

if TYPE_CHECKING:
    from nbcompare.results.grouped import GroupedComparison

_LAWS = {"exact": "exact p-values", "normal": "p-values by the normal law", "t": ""}


def methods_sentences(comparison: Comparison, cite: Cited | None = None) -> tuple[str, ...]:
    """Return the sentences of the paragraph, without references unless ``cite`` numbers them."""
    cite = cite or Uncited()
    return (
        _compared(comparison, cite),
        _missing(comparison, cite),
        _omnibus(comparison, cite),
        _pairs(comparison, cite),
        _sizes(comparison, cite),
        _margin(comparison),
        computed(comparison.design),
    )


def methods_of_groups(grouped: GroupedComparison, cite: Cited) -> tuple[str, ...]:
    """Return the sentences on a comparison within groups of data sets.

    After other paragraphs, only what may differ from the comparison over all data sets is told.
    """
    first, n, is_second = grouped.first, len(grouped.groups), bool(cite.keys)
    sizes = [f"{name} ({one.design.n_datasets})" for name, one in grouped.groups.items()]
    within = f"within each of {counted(n, 'group')} of data sets: {joined(sizes)}"
    everyone = grouped.groups.values()
    omnibus = "" if is_second else _of_each(grouped, lambda one: _omnibus(one, cite, *everyone))
    told = []
    for pairs, names in grouped.alike(lambda one: one.pairs).items():
        test = PAIRWISE_TESTS[pairs]
        how = test.recommended.replace("average rank", average_rank(grouped.groups[names[0]]))
        where = "" if len(names) == n else f" in {joined(names)}"
        told.append(f"by {how}{cite(*test.cites)}{where}")
    m, of = len(first.hypotheses), " within each group"
    if grouped.across:
        m, of = grouped.n_hypotheses, " of all groups"
    adjusted = [
        adjusting(adjust, first.control, first.alpha, m, cite, of=of)
        + ("" if len(names) == n else f" in {joined(names)}")
        for adjust, names in grouped.alike(lambda one: one.adjust).items()
    ]
    tested = f"Within the groups, pairs were compared {joined(told)}{' and'.join(adjusted)}."
    if is_second:
        return (f"The algorithms were also compared {within}.", tested)
    who = counted(len(grouped.design.algorithms), "algorithm")
    return (
        f"We compared {who} by {scored(grouped.design)} {within}.",
        omnibus,
        tested,
        _of_each(grouped, lambda one: _sizes(one, cite)),
        _margin(first),
        computed(grouped.design),
    )


def _of_each(grouped: GroupedComparison, tell: Callable[[Comparison], str]) -> str:
    """Tell something of all groups, or of those of which it is so."""
    told = grouped.alike(tell)
    if len(told) == 1:
        return next(iter(told))
    return " ".join(f"In {joined(names)}: {text}" for text, names in told.items() if text)


def _compared(result: Comparison, cite: Cited) -> str:
    design, k = result.design, len(result.average_ranks)
    where = f"{counted(k, 'algorithm')} on {counted(design.n_datasets, 'data set')}"
    how = f", as described by Demšar{cite('demsar2006')}"
    if result.control is None and k > 2:
        how += f" and, for all pairs, by García and Herrera{cite('garcia2008')}"
    if design.direction is None:
        return f"We compared {where} by their published average ranks{how}."
    return f"We compared {where} by {averaged(design)}{how}."


def _missing(result: Comparison, cite: Cited) -> str:
    if treated := missing(result.design):
        return treated
    if not result.has_gaps:
        return ""
    return (
        f"{counted(result.design.n_missing, 'score').capitalize()} "
        f"{'was' if result.design.n_missing == 1 else 'were'} missing: each data set ranked the "
        "scores it has, and average ranks were adjusted for the algorithms compared there"
        f"{cite('skillings1981')}."
    )


def _omnibus(result: Comparison, cite: Cited, *others: Comparison) -> str:
    tests = result.omnibus
    if not tests:
        return ""
    named = joined([f"{OMNIBUS[name].statistic}{cite(*OMNIBUS[name].cites)}" for name in tests])
    exact = ["exact p-values"] if all(test.is_exact for test in tests.values()) else []
    if (ties := treatment_of_ties(result, *others)).startswith("corrected"):
        ties += cite("conover1999")
    how = ", ".join(filter(None, [ties, *exact]))
    return (
        f"With {RANKINGS[result.ranking].ranks}, the null hypothesis that all algorithms perform "
        f"equally was tested by {named}{f' ({how})' if how else ''}."
    )


def _pairs(result: Comparison, cite: Cited) -> str:
    test, n_pairs = PAIRWISE_TESTS[result.pairs], len(result.hypotheses)
    about = [text for text in (_LAWS[result.method], result.sides) if text]
    by = test.recommended.replace("average rank", average_rank(result))
    how = f"by {by}{cite(*test.cites)} ({', '.join(about)})"
    m, control = result.n_pooled or n_pairs, result.family_control
    adjusted = adjusting(result.adjust, control, result.alpha, m, cite, of=result.pool)
    compared = compared_pairs(n_pairs, result.control)
    return f"{compared} {how}{adjusted}.{null_hypothesis(test.null)}"


def _sizes(result: Comparison, cite: Cited) -> str:
    tests, sentences = result.hypotheses, []
    if tests.has_estimates:
        estimate = PAIRWISE_TESTS[result.pairs].estimate
        cites = PAIRWISE_TESTS[result.pairs].estimate_cites
        text = f"Differences were estimated by the {estimate}{cite(*cites)}"
        if result.confidence is not None:
            text += f", with {_intervals(result)}"
        sentences.append(f"{text}.")
    if tests.has_effects:
        sentences.append(
            f"Effect sizes are matched-pairs rank-biserial correlations{cite('kerby2014')}."
        )
    return " ".join(sentences)


def _intervals(result: Comparison) -> str:
    confidence = 1.0 if result.confidence is None else result.confidence
    if len(result.hypotheses) == 1:
        return f"a {100 * confidence:.4g} % confidence interval"
    if result.intervals == "simultaneous":
        return (
            f"confidence intervals that hold simultaneously at {100 * (1 - result.alpha):.4g} % "
            f"({100 * confidence:.4g} % each)"
        )
    return f"{100 * confidence:.4g} % confidence intervals that hold each by itself"


def _margin(result: Comparison) -> str:
    if result.margin is None:
        return ""
    margin = in_measure(result.design, f"±{result.margin:g}")
    return (
        f"Two algorithms count as equivalent where the {100 * result.margin_confidence:.4g} % "
        f"interval of their difference lies strictly inside {margin}."
    )
