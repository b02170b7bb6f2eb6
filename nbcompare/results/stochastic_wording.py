"""Sentences and the table of the method for the comparison of stochastic algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbcompare._render import plural
from nbcompare.results import _subject as subject
from nbcompare.results._established import counted
from nbcompare.results._subject import joined
from nbcompare.results.imprecise import (
    INCONCLUSIVE,
    ImpreciseHypotheses,
)
from nbcompare.words import ENCODINGS, IMPRECISE_TESTS, PROCEDURES, STOCHASTIC_PROCEDURES

if TYPE_CHECKING:
    from nbcompare.results.stochastic import StochasticComparison


_RANKS = "relative ranks among all runs of the fold, for data sets on several scales"


def method(result: StochasticComparison) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    rows = [
        ("scores", f"{result.design.measure or 'scores'}, {result.design.better}"),
        ("blocks", blocks(result)),
        ("scale", _RANKS if result.by_ranks else ""),
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
        text += f"; then averaged over {plural(*result.design.repeated[0])}"
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
