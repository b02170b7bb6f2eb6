"""Chapters of a report on an experiment: what each says, and the calls it makes.

A chapter is a function of a plan and of a :class:`Chapter`, which says what it is about; it
gives sections. Every analysis has text, figure, tables, sentences and how it was computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from nbcompare.report.notebook import formulas
from nbcompare.report.notebook.convergence import convergence, histories
from nbcompare.report.notebook.plan import Chapter, Plan, Section
from nbcompare.report.notebook.stochastic import stochastic
from nbcompare.results import Comparison

_DESIGN = "What suits these data, by rules from the literature."
_CONDITIONS = "What parametric tests need, with * where a test rejects it."
_HISTOGRAMS = "Scores against what they would be if they were normal, where that fits least."
_MATRIX = "Adjusted p-values; marks point to the better algorithm, and tell what is rejected."
_BARS = "Average ranks, best first, with the cut line of the procedure where it has one."
_ALL_PAIRS = """Mean differences, wins, ties and losses, and p-values of all pairs. What is tested
is not the mean, and may point the other way."""
_PAIR = """Wilcoxon's signed ranks of the two, the usual test of two algorithms, and how large the
difference is."""
_SCATTER = "Each point is a data set; on the line the two are equally good."
_CONTRAST = """How far apart the algorithms are, in units of the measure: differences of medians,
made consistent, with intervals from resampled data sets."""
_SIGNS = "Wins and losses against the control, by the multiple sign test."
_CV = "Two algorithms on the folds of one data set."


def _data(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Data", "", chapter.data)


def _design(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Which tests suit the data?", _DESIGN)


def _conditions(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Conditions of parametric tests", _CONDITIONS)
    yield chapter.figure("histogram_qq", "How the scores are spread", _HISTOGRAMS)


def _comparison(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: Comparison = plan.result(chapter.variable)
    yield chapter.begin("Comparison of the algorithms", code="")
    yield chapter.part("ranks", "Average ranks", formulas.ranks_text(result))
    yield chapter.part("omnibus", "Is there any difference?", formulas.omnibus_text(result))
    yield chapter.part("hypotheses", "Which algorithms differ?", formulas.hypotheses_text(result))
    text = formulas.diagram_text(result)
    yield chapter.figure("overview", "Critical difference diagram", text)
    if result.control is not None:
        yield chapter.figure("rank_bars", "Average ranks as bars", _BARS)
    elif result.groups is not None:
        yield chapter.figure("pvalue_matrix", "Matrix of p-values", _MATRIX)
    yield from chapter.end()


def _all_pairs(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Beside the comparison that it shares, only what that one does not show."""
    result: Comparison = plan.result(chapter.variable)
    yield chapter.begin("All pairs of algorithms", code="")
    if not chapter.is_shared:
        hypotheses = formulas.hypotheses_text(result)
        yield chapter.part("hypotheses", "Which pairs differ?", hypotheses)
        yield chapter.figure("pvalue_matrix", "p-values of all pairs", _MATRIX)
    if not result.has_gaps and result.design.direction is not None:
        heading = "Differences, wins and p-values of all pairs"
        yield chapter.figure("comparison_matrix", heading, _ALL_PAIRS)
    if not chapter.is_shared:
        yield from chapter.end()


def _pair(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("The two algorithms by themselves", _PAIR)
    yield chapter.figure("pair_scatter", "One against the other", _SCATTER)
    yield chapter.part("method", "How the two were compared")


def _signs(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Wins and losses against the control", _SIGNS)
    yield chapter.part("method", "How wins and losses were tested")


def _contrast(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("How large are the differences?", _CONTRAST)
    yield chapter.part("method", "How the differences were estimated")


def _crossval(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Two algorithms on the folds of one data set", _CV)
    yield chapter.part("method", "How the folds were used")


def _references(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """The literature of all results; the page makes one list of what one cell shows."""
    results = tuple(chapter.all_results)
    if len(results) == 1:
        code = f"{results[0]}.section('references')"
    else:
        lists = "".join(f"    {name}.section('references'),\n" for name in results)
        code = f"from IPython.display import display\n\ndisplay(\n{lists})"
    if results:
        yield Section(chapter.name, "References", "", code, results)


# By the names that users write; cv is of results only.
CHAPTERS: Mapping[str, Callable[[Plan, Chapter], Iterator[Section]]] = MappingProxyType(
    {
        "data": _data,
        "design": _design,
        "conditions": _conditions,
        "comparison": _comparison,
        "all-pairs": _all_pairs,
        "pair": _pair,
        "signs": _signs,
        "contrast": _contrast,
        "stochastic": stochastic,
        "histories": histories,
        "convergence": convergence,
        "cv": _crossval,
        "references": _references,
    }
)
