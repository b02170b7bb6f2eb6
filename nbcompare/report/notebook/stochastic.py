"""The chapter of a report on algorithms that give another score at every run."""

from __future__ import annotations

from collections.abc import Iterator

from nbcompare._render import markdown
from nbcompare.experiment import Experiment
from nbcompare.report.notebook.plan import Chapter, Plan, Section
from nbcompare.results import StochasticComparison
from nbcompare.words import IMPRECISE_TESTS, STOCHASTIC_PROCEDURES

_OVERALL = r"""Each algorithm is compared with the mean of all by the mean of its differences over
the $n$ blocks. Under the null hypothesis the algorithms of a block may be rearranged; $p$ is the
share of rearrangements of all blocks whose mean is as far out as the one observed."""
_BOOTSTRAP_PAIRS = r"""Two algorithms $u$ and $v$ are compared by the mean of their differences
over the $n$ blocks,

$$\bar d_{uv} = \frac{1}{n} \sum_{i=1}^{n} \left(x_{iu} - x_{iv}\right).$$

Under the null hypothesis the two may be exchanged in any block, which turns the sign of its
difference."""
_PAIRS = r"""Two algorithms are compared by TEST for every selection of one value from each
interval. The p-value is the interval between the least and the greatest of these,

$$p_{uv} = \left[\min_{x \in X} p(x_u, x_v),\ \max_{x \in X} p(x_u, x_v)\right],$$

with $X$ all the selections."""
_FUZZY = r"""At every coverage $c$ this is a cut of a fuzzy p-value, with membership $1 - c$."""
_OUTCOMES = r"""A hypothesis is rejected if all of the range of the adjusted p is at most $\alpha$,
not rejected if all of it is above, and inconclusive if the runs scatter too much to say."""
_DIAGRAM = """Means on an axis, with grey lines between their ends. A solid bar joins algorithms of
which no pair is rejected nor inconclusive; a hollow one, those for some of which the data cannot
tell."""
_DIAGRAM_CONTROL = """Means on an axis, with grey lines between their ends. Filled marks differ from
the control, hollow ones are not shown to, half-filled ones are inconclusive."""
_TOO_MANY = "There are too many groups for a diagram: the p-values stand under one another."
_MEMBERSHIP = "p-values as fuzzy sets; a thick line is the cut that decides."
_INTERVALS = "p-values under one another, with the significance level."
_OF_PAIRS = ", 'pvalues', overall=False"
_BOXES = """Runs of ALGORITHM in each fold, which no mean shows: runs that failed, two modes, folds
that differ."""


def stochastic(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Means, hypotheses, figures, conclusions; see :func:`nbcompare.compare_stochastic`."""
    result: StochasticComparison = plan.result(chapter.variable)
    yield chapter.begin("Comparison by repeated runs", code="")
    yield chapter.part(
        "means", "Means over the runs", STOCHASTIC_PROCEDURES[result.procedure].explanation
    )
    if result.overall is not None:
        yield chapter.part("overall", "Which algorithms differ from the mean of all?", _OVERALL)
    yield chapter.part("hypotheses", "Which algorithms differ, runs considered?", _pairs(result))
    yield chapter.figure("overview", "Diagram of outcomes", _diagram(result))
    if result.procedure == "fuzzy":
        yield chapter.figure("membership", "Fuzzy p-values", _MEMBERSHIP)
    elif _has_diagram(result):
        yield chapter.figure("interval_forest", "Intervals of p", _INTERVALS, _OF_PAIRS)
    yield from _boxes(plan, chapter, result)
    yield chapter.part("conclusions", "Conclusions from the runs")
    yield chapter.part("method", "How the runs were compared")


def _has_diagram(result: StochasticComparison) -> bool:
    return result.groups is not None and result.open_groups is not None


def _diagram(result: StochasticComparison) -> str:
    if not _has_diagram(result):
        return _TOO_MANY
    return _DIAGRAM if result.control is None else _DIAGRAM_CONTROL


def _boxes(plan: Plan, chapter: Chapter, result: StochasticComparison) -> Iterator[Section]:
    """Of the best algorithm with several runs, where folds of one data set are the blocks."""
    data = plan.sources[chapter.data].data
    drawn = [name for name in result.ordered if name not in result.deterministic]
    if not isinstance(data, Experiment) or data.is_interval or result.blocks != "folds":
        return
    if drawn and data.n_runs > 1:
        text = _BOXES.replace("ALGORITHM", markdown.escape(drawn[0]))
        code = f"nbc.plots.fold_boxplots({chapter.data}, {drawn[0]!r})"
        heading = "Runs in every fold"
        yield chapter.below("fold-boxplots", heading, text, code, (chapter.data,))


def _pairs(result: StochasticComparison) -> str:
    if result.test is None:
        return f"{_BOOTSTRAP_PAIRS}\n\n{_OUTCOMES}"
    text = _PAIRS.replace("TEST", IMPRECISE_TESTS[result.test].in_full)
    fuzzy = f"\n\n{_FUZZY}" if result.procedure == "fuzzy" else ""
    return f"{text}{fuzzy}\n\n{_OUTCOMES}"
