"""The texts of a report that depend on its data and results.

Those that do not, and those on one ranking, test or figure, stand in ``words/explanations.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

from nbcompare._options import better
from nbcompare._render import Column, Table, markdown, plural
from nbcompare._validation import named
from nbcompare.experiment import FRAME, Experiment
from nbcompare.histories import Histories
from nbcompare.results import (
    BayesianComparison,
    Comparison,
    ConvergenceComparison,
    StochasticComparison,
)
from nbcompare.results.hypotheses import worse_than
from nbcompare.words import DIFFERENCES, IMPRECISE_TESTS, RANKINGS, explanation

_MOST_IN_CELL = 5  # algorithms that a cell of a table names
_FORMS = {
    "corrected": "corrected for ties",
    "printed": "as printed in the papers, for ranks without ties",
}


def _explained(about: str, *words: str) -> str:
    """Return several explanations, a paragraph or more each."""
    return "\n\n".join(explanation(about, word) for word in words)


def reading_text(data: Experiment | Histories) -> str:
    """Say how the file of the data was understood, and what was left out of it."""
    schema = data.schema
    read = [] if schema is None or schema.source == FRAME else [*schema.sentences]
    source = [f"Source: {data.citation}"] if data.citation else []
    return " ".join(map(markdown.escape, [*read, *source]))


def bayesian_text(result: BayesianComparison) -> str:
    """Say what is claimed."""
    region = (
        f"Differences of at most {markdown.escape(result.region)} count as practically equivalent. "
        if result.rope
        else ""
    )
    return f"{region}A claim has at least the probability {result.threshold:g}."


def bayesian_method_text(result: BayesianComparison) -> str:
    """Explain how the probabilities are computed, and what other model there is."""
    return _explained("bayesian", result.record.name, "hierarchical")


def measures_text(experiments: Mapping[str, Experiment]) -> str:
    """Say which measures there are, and that nothing is adjusted over them."""
    told = [
        f"{markdown.escape(name)} ({markdown.escape(better(one.direction, one.turned))})"
        for name, one in experiments.items()
    ]
    return (
        f"The algorithms are compared by {plural(len(told), 'measure')}, each by itself: "
        f"{'; '.join(told)}. Nothing is adjusted over the measures: the more there are, the more "
        "likely a false rejection by at least one of them is."
    )


def measures_table(comparisons: Mapping[str, Comparison]) -> str:
    """Return a table of who is best by each measure, and who is significantly worse."""
    rows = []
    for name, result in comparisons.items():
        ranks, best = result.average_ranks, result.ordered[0]
        first = [it for it in result.ordered if ranks[it] == ranks[best]]
        worse = worse_than(result.hypotheses, best)
        apart = [it for it in result.ordered if it in worse]
        near = [it for it in result.ordered if it not in worse and it not in first]
        shown = [named(part, most=_MOST_IN_CELL) if part else "none" for part in (apart, near)]
        leaders = named(first, most=_MOST_IN_CELL)
        rows.append((name, f"{leaders} ({ranks[best]:.2f})", *shown))
    heads = ("measure", "best (average rank)", "significantly worse", "not significantly worse")
    return markdown.render([Table(tuple(map(Column, heads)), tuple(rows))])


def ranks_text(result: Comparison) -> str:
    """Explain how the algorithms are ranked."""
    return explanation("ranks", "skillings-mack" if result.has_gaps else result.ranking)


def omnibus_text(result: Comparison) -> str:
    """Explain the test of the hypothesis that all algorithms perform equally."""
    ranking, is_printed = RANKINGS[result.ranking], result.formulas == "printed"
    text = explanation("omnibus", "skillings-mack" if result.has_gaps else ranking.name)
    text = text.replace("FORMULA", ranking.printed if is_printed else ranking.corrected)
    if result.tied is False and not is_printed:
        text = text.replace(", FORM,", "").replace(", FORM", "")
    text = text.replace("FORM", _FORMS[result.formulas])
    return f"{text}\n\n{explanation('omnibus', 'anova')}" if "anova" in result.omnibus else text


def hypotheses_text(result: Comparison) -> str:
    """Explain how two algorithms are compared."""
    return explanation("pairs", result.pairs)


def runs_text(result: StochasticComparison) -> str:
    """Explain how the runs of an algorithm are combined."""
    return explanation("runs", result.procedure)


def outcomes_text(result: StochasticComparison) -> str:
    """Explain how two stochastic algorithms are compared."""
    if result.test is None:
        return _explained("outcomes", "bootstrap", "decision")
    fuzzy = ("fuzzy",) if result.procedure == "fuzzy" else ()
    text = _explained("outcomes", "interval", *fuzzy, "decision")
    return text.replace("TEST", IMPRECISE_TESTS[result.test].label)


def has_diagram(result: StochasticComparison) -> bool:
    """Return whether a diagram sums up a comparison by runs; else its p-values do."""
    return result.groups is not None and result.open_groups is not None


def trend_text(result: ConvergenceComparison) -> str:
    """Explain the tests of trends."""
    tests = explanation("trend", "page").replace("AGGREGATE", result.aggregate)
    tests = tests.replace("RISING", result.claim.rising)
    tests = tests.replace("DIFFERENCES", DIFFERENCES[result.differences].explanation)
    more = f"\n\n{explanation('trend', 'versions')}" if len(result.versions) > 1 else ""
    return f"{tests}\n\n{explanation('null', result.null)}{more}"
