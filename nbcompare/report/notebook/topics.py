"""What a report shows of each analysis: one table, from which all its chapters are made.

A part is a section of the result, or a figure of it. A part whose section a result does not have is
left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from nbcompare._render import MOST_ROWS
from nbcompare.report.notebook import prose
from nbcompare.results import (
    Comparison,
    CrossValidation,
    GroupedComparison,
    ItemComparison,
    RunComparison,
    StochasticComparison,
    WithinComparison,
)
from nbcompare.words import explanation

__all__ = ["TOPICS", "Part", "Text", "Topic"]

# Of the result; None for the text in explanations.md about the figure, or the section
Text = str | Callable[[Any], str] | None
# Algorithms whose differences are shown: of all pairs, and from the best alone
_MOST_IN_FOREST, _MOST_FROM_BEST = 6, 31
_EVERY_DESIGN = "Every design: sentences, procedures, tests of pairs"
_ALL_PROBABILITIES = "Probabilities of all pairs"


@dataclass(frozen=True)
class Part:
    """A section of a result, or a figure of it, ``plots.`` before its name.

    Attributes
    ----------
    shows : str
        The section or figure.
    heading, text : str, callable or None
        What stands above it.
    more : str
        Further arguments of the figure.
    fold : str
        What a page says of it where it is folded.
    of_primary : bool
        Whether it is shown of the primary analysis of a report alone.
    """

    shows: str
    heading: Text = ""
    text: Text = None
    more: str = ""
    fold: str = ""
    of_primary: bool = False


Parts = tuple[Part, ...]


@dataclass(frozen=True)
class Topic:
    """What a report shows of an analysis.

    Attributes
    ----------
    title : str or callable
        The heading of its chapter.
    shown : tuple of str, or None
        What the chapter begins with beside findings: the first of these sections that the result
        has, or nothing; None for the whole result.
    text : str or callable
        What stands above that.
    second, text_of_second : str
        The heading, and a paragraph, where another analysis is the primary one.
    among : str
        The heading of its findings below those of another analysis.
    has_figure : bool
        Whether a figure sums it up.
    parts : tuple of Part or callable
        What a chapter always has.
    full, details : tuple of Part
        What only a full report has: in the chapter, and in its appendix.
    method, method_text : str or callable
        The heading of the table of options, and what stands above it.
    """

    title: Text
    shown: tuple[str, ...] | None = None
    text: Text = None
    second: str = ""
    text_of_second: str = ""
    among: str = ""
    has_figure: bool = False
    parts: Parts | Callable[[Any], Parts] = ()
    full: Parts | Callable[[Any], Parts] = ()
    details: Parts | Callable[[Any], Parts] = ()
    method: str = "How this was computed"
    method_text: Text = ""


# ------------------------------------------------------------------- what depends on the result


def _differences(result: Comparison) -> Parts:
    """Show intervals of differences; without them, p-values of pairs that no table has."""
    k, of_best = len(result.average_ranks), ""
    if k > _MOST_FROM_BEST:  # more than a figure can show
        return ()
    if k > _MOST_IN_FOREST and result.control is None:
        of_best = f", 'differences', {result.ordered[0]!r}"
    if result.confidence is not None and (k <= _MOST_IN_FOREST or of_best):
        of = "from the best" if of_best else "of the pairs"
        heading = f"Differences {of}, with intervals"
        text = "" if result.margin is None else explanation("figure", "margin")
        # the table of pairs has the numbers, those of all pairs where these are few
        more = of_best or ", numbers=False"
        return (Part("plots.interval_forest", heading, text, more),)
    if result.groups is not None and len(result.hypotheses) > MOST_ROWS:
        return (Part("plots.pvalue_matrix", "Matrix of p-values"),)
    return ()


def _groups(result: GroupedComparison) -> Parts:
    shown = [Part("groups", "", explanation("part", "groups"))]
    if _any_significant(result):
        shown.append(Part("hypotheses", "Which algorithms differ in which group?"))
    if all(one.groups is not None for one in result.groups.values()):
        shown.append(Part("plots.cd_diagrams", "Critical difference diagrams by group"))
    return tuple(shown)


def _of_all_groups(result: GroupedComparison) -> Parts:
    ranks = Part("ranks", "Average ranks by group")
    rest = () if _any_significant(result) else (Part("hypotheses", "All hypotheses"),)
    return (ranks, *rest)


def _any_significant(result: GroupedComparison) -> bool:
    return any(one.hypotheses.rejected.any() for one in result.groups.values())


def _all_pairs(result: Comparison) -> Parts:
    shown = [Part("plots.pvalue_matrix", "The p-values of all pairs")]
    if not result.has_gaps and result.design.direction is not None:
        heading = "Differences, wins and p-values of all pairs"
        text = explanation("figure", "wins_matrix") if result.several_scales else None
        shown.append(Part("plots.multi_comparison_matrix", heading, text))
    return tuple(shown)


def _pvalues(result: StochasticComparison) -> Parts:
    """Show the p-values, where these are not the figure that sums up the comparison."""
    if result.procedure == "fuzzy":
        return (Part("plots.membership", "Fuzzy p-values", of_primary=True),)
    if not prose.has_diagram(result):
        return ()
    heading, more = "Interval p-values", ", 'pvalues', overall=False"
    text = explanation("figure", "interval_pvalues")
    return (Part("plots.interval_forest", heading, text, more, of_primary=True),)


def _typical_scores(result: Any) -> Parts:
    if result.withheld:
        return (Part("improvement", fold=_ALL_PROBABILITIES),)
    return (
        Part("aggregates"),
        Part("plots.performance_profiles", "Performance profiles"),
        Part("improvement", fold=_ALL_PROBABILITIES),
    )


def _place(result: WithinComparison) -> str:
    if isinstance(result, ItemComparison):
        return "these benchmarks" if result.each else "this benchmark"
    return "this data set"


def _within_title(result: CrossValidation | WithinComparison) -> str:
    if isinstance(result, CrossValidation):
        return "Cross-validation test of two algorithms"
    return f"Which algorithms differ on {_place(result)}?"


def _within_details(result: CrossValidation | WithinComparison) -> Parts:
    if isinstance(result, CrossValidation):
        return ()
    kinds = {ItemComparison: "items", RunComparison: "runs"}
    text = explanation("within", kinds.get(type(result), "corrected-t"))
    heading = f"How the algorithms were tested on {_place(result)}"
    # else the answer has all of the pairs
    shown = "hypotheses" if len(result.hypotheses) > MOST_ROWS else ""
    further = "Which algorithms differ on each benchmark?"
    return (Part(shown, heading, text), Part("benchmark-pairs", further))


_WITHIN = Topic(
    _within_title,
    ("pairs", "test"),
    has_figure=True,
    parts=(Part("benchmarks", "Each benchmark"), Part("means", "Means")),
    details=_within_details,
    method="How the scores were used",
)


# By the sections that users write
TOPICS: Mapping[str, Topic] = MappingProxyType(
    {
        "comparison": Topic(
            "Which algorithms differ?",
            ("pairs",),
            among="Comparison over data sets",
            has_figure=True,
            parts=_differences,
            details=(
                Part("ranks", "Average ranks", prose.ranks_text),
                Part("omnibus", "Is there any difference?", prose.omnibus_text),
                Part("hypotheses", "All hypotheses", prose.hypotheses_text),
            ),
        ),
        "groups": Topic(
            "Comparison within groups of data sets",
            (),
            among="Within groups of data sets",
            has_figure=True,
            parts=_groups,
            full=_of_all_groups,
            method="How the groups were compared",
        ),
        "all-pairs": Topic("All pairs of algorithms", ("hypotheses",), parts=_all_pairs),
        "sensitivity": Topic(
            "How firm is this?",
            (),
            among="Sensitivity",
            has_figure=True,
            parts=(Part("plots.sensitivity"),),
            full=(
                Part("pairs"),
                Part("designs", "Which procedures reject?", fold=_EVERY_DESIGN),
                Part("tests", fold=_EVERY_DESIGN),
            ),
            method="How designs were varied",
        ),
        "plan": Topic(
            "How large should the next experiment be?",
            ("pairs",),
            among="Planning of the next experiment",
            has_figure=True,
            full=(
                Part("sizes", "Simulated power", fold="Power by size, and how it was simulated"),
            ),
            method="How experiments were simulated",
        ),
        "pair": Topic(
            "Pairwise test of the two algorithms",
            parts=(Part("plots.pair_scatter", "Scores of the two algorithms"),),
            method="How the two algorithms were compared",
        ),
        "signs": Topic(
            "Wins and losses against the control", method="How wins and losses were tested"
        ),
        "contrast": Topic(
            "How large are the differences?", method="How the differences were estimated"
        ),
        "rank-intervals": Topic(
            "How certain are the average ranks?", method="How the intervals were computed"
        ),
        "conditions": Topic("Conditions of parametric tests", method=""),
        "design": Topic(
            "Which tests suit the data?",
            ("choices",),
            parts=lambda result: tuple(
                Part(name) for name in ("reasons", "questions", "notes") if getattr(result, name)
            ),
            method="",
        ),
        "cv": replace(_WITHIN, among="On one data set"),
        "items": replace(_WITHIN, among="On items"),
        "runs": replace(_WITHIN, among="By runs on one data set"),
        "bayesian": Topic(
            "How probable is it that an algorithm is better?",
            ("pairs",),
            prose.bayesian_text,
            text_of_second=explanation("second", "bayesian"),
            among="Probabilities of differences and of equivalence",
            has_figure=True,
            method="How the probabilities are computed",
            method_text=prose.bayesian_method_text,
        ),
        "stochastic": Topic(
            "Which algorithms differ?",
            ("pairs",),
            second="Which algorithms differ, given the variation between runs?",
            among="By repeated runs",
            has_figure=True,
            parts=_pvalues,
            details=(
                Part("means", "Means over the runs", prose.runs_text),
                Part(
                    "overall",
                    "Which algorithms differ from the mean of all algorithms?",
                    explanation("outcomes", "overall"),
                ),
                Part(
                    "hypotheses",
                    "All hypotheses, given the variation between runs",
                    prose.outcomes_text,
                ),
            ),
            method="How the runs were compared",
        ),
        "aggregates": Topic(
            "How large are typical scores, and how often is a run better?",
            (),
            among="Typical scores of the runs",
            has_figure=True,
            parts=(Part("plots.improvement_matrix", "Probabilities of improvement"),),
            full=_typical_scores,
            method="How the runs were aggregated",
        ),
        "convergence": Topic(
            "Which algorithm is ahead at the end?",
            ("standing",),
            among="Convergence",
            has_figure=True,
            full=(Part("tests", lambda result: result.claim.which),),
            details=(Part("", "How trends are tested", prose.trend_text),),
            method="How convergence was compared",
        ),
        "targets": Topic(
            "How long does it take to reach targets?",
            ("standing",),
            among="Fixed targets",
            has_figure=True,
            full=(Part("ert", "Expected running times", explanation("part", "ert")),),
            method="How running times were measured",
        ),
    }
)
