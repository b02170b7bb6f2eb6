"""Sentences and the table of the method for the comparison of stochastic algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbcompare._render import plural, stated_p
from nbcompare.results import _subject as subject
from nbcompare.results._established import counted, opening
from nbcompare.results._subject import joined
from nbcompare.results.imprecise import (
    INCONCLUSIVE,
    NOT_REJECTED,
    REJECTED,
    ImpreciseHypotheses,
    interval,
)
from nbcompare.words import ENCODINGS, IMPRECISE_TESTS, PROCEDURES, STOCHASTIC_PROCEDURES

if TYPE_CHECKING:
    from nbcompare.results.stochastic import StochasticComparison

# A sentence counts more hypotheses than this instead of listing them; the table lists all.
_MOST_LISTED = 6


def sentences(result: StochasticComparison) -> tuple[str, ...]:
    """Return sentences on the data and on the three kinds of outcomes of the hypotheses."""
    found = (_what(result), *_overall(result), *_pairs(result), *_turning(result))
    return tuple(sentence for sentence in found if sentence)


def method(result: StochasticComparison) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    rows = [
        ("scores", f"{result.design.measure or 'scores'}, {result.design.better}"),
        ("blocks", blocks(result)),
        ("runs of a fold", consolidated(result)),
        ("deterministic algorithms", joined(result.deterministic)),
        ("procedure", _procedure(result)),
        ("p", _how(result)),
        ("family", f"{_family(result)}, {plural(len(result.hypotheses), 'hypothesis')}"),
        ("adjustment", subject.adjustments(result.adjust)),
        (
            "outcome",
            f"α = {result.alpha:g}; rejected if the upper end of the adjusted p ≤ α, inconclusive "
            "if only the lower end is",
        ),
        *subject.provenance(result.design),
    ]
    return tuple((what, how) for what, how in rows if how)


def blocks(result: StochasticComparison) -> str:
    """Describe the blocks, such as ``14 data sets`` or ``10 folds of data set iris``."""
    design = result.design
    if result.blocks == "folds":
        return f"{plural(design.n_folds, 'fold')} of data set {design.datasets[0]}"
    return plural(design.n_datasets, "data set")


def counted_blocks(result: StochasticComparison) -> str:
    """Describe the blocks in a sentence, with small numbers in words."""
    design = result.design
    if result.blocks == "folds":
        return f"{counted(design.n_folds, 'fold')} of the data set {design.datasets[0]}"
    return counted(design.n_datasets, "data set")


def consolidated(result: StochasticComparison) -> str:
    """Describe the number or interval that represents the runs of a fold."""
    if result.procedure == "fuzzy":
        nested = f"{_encoding(result, ' of every coverage')}, nested"
        text = f"{nested}; coverage {result.coverage:g} decides"
    else:
        text = _encoding(result)
    if result.blocks == "datasets" and result.design.n_folds > 1:
        text += f"; then averaged over {plural(result.design.n_folds, 'fold')}"
    return text


def adjustment(rows: ImpreciseHypotheses) -> str:
    """Return the name of the deciding procedure."""
    return next((PROCEDURES[name].label for name in rows.adjusted_low), "no adjustment")


def shared_letters(result: StochasticComparison) -> str:
    """Explain the meaning of shared letters."""
    unsure = len(result.hypotheses.rows(INCONCLUSIVE))
    text = (
        "Algorithms that share a letter do not differ significantly "
        f"({adjustment(result.hypotheses)}, α = {result.alpha:g}). This does not mean that they "
        "perform equally."
    )
    if not unsure:
        return text
    which = "One such pair is" if unsure == 1 else f"{unsure} such pairs are"
    return f"{text} {which} inconclusive."


def runs_of(result: StochasticComparison, name: str) -> str:
    """Describe the scores of an algorithm: a single run, deterministic, a number or an interval."""
    if result.design.n_runs == 1 and result.mean_low[name] == result.mean_high[name]:
        return "single run"
    if name in result.deterministic:
        return "deterministic"
    return ENCODINGS[result.encoding].number or "interval"


def _encoding(result: StochasticComparison, coverage: str | None = None) -> str:
    if coverage is None:
        coverage = "" if result.coverage is None else f" of coverage {result.coverage:g}"
    return ENCODINGS[result.encoding].label.format(coverage)


def _procedure(result: StochasticComparison) -> str:
    if result.test is not None:
        return (
            f"{STOCHASTIC_PROCEDURES[result.procedure].label}: the least and the greatest p of "
            f"{IMPRECISE_TESTS[result.test].label} over all selections from the intervals"
            f"{IMPRECISE_TESTS[result.test].on_halves}"
        )
    name = STOCHASTIC_PROCEDURES[result.procedure].label
    how = "independent permutations of the algorithms within each block; pairs by sign flips"
    if result.formulas == "printed" and result.procedure == "bootstrap-b":
        return f"{name} as printed, equations (20) to (29): {how}"
    if result.procedure == "bootstrap-b":
        how += "; observed and rearranged means take the same selection from the intervals"
    return f"{name}: {how}"


def _how(result: StochasticComparison) -> str:
    if result.method == "exact":
        return "exact, two-sided"
    return f"{result.n_resamples:,} random draws, two-sided"


def _family(result: StochasticComparison) -> str:
    if result.control is None:
        return "all pairs"
    return f"{result.control} against each other algorithm"


def _what(result: StochasticComparison) -> str:
    design = result.design
    per = "fold" if design.n_folds > 1 else "data set"
    runs = f"; up to {plural(design.n_runs, 'run')} per {per}" if design.n_runs > 1 else ""
    name = STOCHASTIC_PROCEDURES[result.procedure].label
    how = (
        f"the {name} test"
        if result.test is None
        else f"{name} of {IMPRECISE_TESTS[result.test].label}"
    )
    return (
        f"{opening(len(design.algorithms), 'algorithm')} were compared on {blocks(result)} "
        f"({design.measure or 'scores'}, {design.better}{runs}) by {how} at α = "
        f"{result.alpha:g}{_represented(result)}."
    )


def _represented(result: StochasticComparison) -> str:
    if result.design.n_runs == 1:
        return ""
    per = "fold" if result.design.n_folds > 1 else "data set"
    return f"; the runs of each {per} are represented by {consolidated(result)}"


def _overall(result: StochasticComparison) -> list[str]:
    """Return sentences on the comparisons of each algorithm with the mean of all."""
    rows = result.overall
    if rows is None:
        return []
    different = [
        f"{rows.first[row]} is {_side(rows, row)} ({stated_p(rows.decisive_text(row))})"
        for row in rows.rows(REJECTED)
    ]
    found = []
    if different:
        found.append(f"Compared with the mean of all algorithms, {joined(different)}.")
    if not different:
        found.append("No significant difference from the mean of all algorithms was found.")
    unsure = [rows.first[row] for row in rows.rows(INCONCLUSIVE)]
    if unsure:
        noun = "comparison" if len(unsure) == 1 else "comparisons"
        verb = "is" if len(unsure) == 1 else "are"
        found.append(
            f"The {noun} of {joined(unsure)} with the mean of all algorithms {verb} inconclusive."
        )
    return found


def _side(rows: ImpreciseHypotheses, row: int) -> str:
    return {1: "better", -1: "worse"}.get(int(rows.favours[row]), "different")


def _pairs(result: StochasticComparison) -> list[str]:
    rows = result.hypotheses
    found = [_counts(result)]
    rejected = rows.rows(REJECTED)
    if rejected and len(rejected) <= _MOST_LISTED:
        opening = "This difference is" if len(rejected) == 1 else "These differences are"
        if len(rows) > 1:
            found.append(
                f"{opening} significant: {joined([_difference(rows, row) for row in rejected])}."
            )
        else:
            found.append(f"The difference is significant: {_difference(rows, rejected[0])}.")
    found.append(_open(result))
    alike = [_names(rows, row) for row in rows.rows(NOT_REJECTED)]
    if alike and len(alike) <= _MOST_LISTED:
        points = all(result.mean_low[name] == high for name, high in result.mean_high.items())
        whatever = "" if points else ", whatever values are selected from the intervals"
        found.append(
            f"No significant difference was found between {', nor between '.join(alike)}"
            f"{whatever}. This does not mean that they perform equally."
        )
    return found


_OUTCOMES = (
    (REJECTED, "significant"),
    (NOT_REJECTED, "not significant"),
    (INCONCLUSIVE, "inconclusive"),
)


def _counts(result: StochasticComparison) -> str:
    rows = result.hypotheses
    if len(rows) == 1:
        return ""
    family = plural(len(rows), "pairwise comparison")
    if result.control is not None:
        family = f"{plural(len(rows), 'comparison')} with {result.control}"
    how = f"adjusted by {adjustment(rows)}'s procedure" if result.adjust else "without adjustment"
    how += subject.of_discoveries(tuple(result.adjust))
    counts = [(len(rows.rows(word)), text) for word, text in _OUTCOMES]
    told = [(number, text) for number, text in counts if number]
    if len(told) == 1 and told[0][1] == "not significant":
        return f"None of the {family}, {how}, is significant."
    if len(told) == 1:
        return f"All {family}, {how}, are {told[0][1]}."
    parts = [f"{number} {'is' if number == 1 else 'are'} {text}" for number, text in told]
    return f"Of {family}, {how}, {joined(parts)}."


def _names(rows: ImpreciseHypotheses, row: int) -> str:
    second = rows.second or ()
    return f"{rows.first[row]} and {second[row]}"


def _difference(rows: ImpreciseHypotheses, row: int) -> str:
    first, second, p = rows.first[row], (rows.second or ())[row], rows.decisive_text(row)
    if rows.favours[row] == 0:
        return f"{first} and {second} differ ({stated_p(p)})"
    better, worse = (first, second) if rows.favours[row] > 0 else (second, first)
    return f"{better} is better than {worse} ({stated_p(p)})"


def _open(result: StochasticComparison) -> str:
    """Return a sentence on the inconclusive hypotheses and the reason."""
    rows = result.hypotheses
    found = rows.rows(INCONCLUSIVE)
    if not found:
        return ""
    if len(found) == 1:
        return (
            f"The comparison of {_names(rows, found[0])} is inconclusive: over the selections from "
            f"the intervals of their runs, {_ranges(rows, found[0])}."
        )
    why = (
        f"{opening(len(found), 'comparison')} are inconclusive, because some "
        "selections from the intervals of the runs lead to rejection and others do not"
    )
    if len(found) > _MOST_LISTED:
        return f"{why}; the table lists them."
    listed = "; ".join(f"{_names(rows, row)} ({_ranges(rows, row)})" for row in found)
    return f"{why}: {listed}."


def _ranges(rows: ImpreciseHypotheses, row: int) -> str:
    low, high = float(rows.difference_low[row]), float(rows.difference_high[row])
    return (
        f"p ranges over {rows.decisive_text(row)}, which includes α, and the mean difference over "
        f"{interval(low, high)}"
    )


def _turning(result: StochasticComparison) -> list[str]:
    """Return sentences on the coverages at which fuzzy p-values become inconclusive."""
    fuzzy = result.hypotheses.fuzzy
    if fuzzy is None:
        return []
    turning = [row for row, coverage in enumerate(fuzzy.turning) if coverage is not None]
    if not turning:
        return ["No conclusion depends on how many of the runs are disregarded."]
    if len(turning) > _MOST_LISTED:
        return [
            f"Of the conclusions, {len(turning)} hold only if some of the runs are disregarded; "
            "the table gives the coverage from which on they do not hold."
        ]
    found = [_until(result, row) for row in turning]
    return [f"How many runs would have to be disregarded for a conclusion: {'; '.join(found)}."]


def _until(result: StochasticComparison, row: int) -> str:
    """Describe the conclusion on a pair if enough of its runs are disregarded."""
    fuzzy = result.hypotheses.fuzzy
    if fuzzy is None:
        return ""
    names, coverage = _names(result.hypotheses, row), fuzzy.turning[row] or 0.0
    if coverage <= fuzzy.coverages[0]:
        return f"{names}, inconclusive at every coverage"
    outcome = REJECTED if fuzzy.high[row, 0] <= result.alpha else NOT_REJECTED
    share = _percent(fuzzy.misbehaving[row] or 0.0)
    return f"{names}, {outcome} below coverage {coverage:.2g} ({share} at either end)"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"
