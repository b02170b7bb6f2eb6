"""Compare algorithms by their ranks, from an experiment or from published average ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, has_gaps
from nbcompare._options import COMPARE_OPTIONS, EXACT, NORMAL, TWO_SIDED, default
from nbcompare._render import Note
from nbcompare._validation import check_labels, listed, named
from nbcompare.analysis import _notes, _ranked
from nbcompare.analysis._design import Settled, settled, settled_by_ranks
from nbcompare.analysis._family import (
    Adjust,
    Adjusted,
    Family,
    alike_groups,
    check_control,
    is_out_of_all_pairs,
)
from nbcompare.analysis.data import check_options, design_of, oriented_scores, treated
from nbcompare.analysis.pair import (
    NONE,
    PAIRWISE,
    SIMULTANEOUS,
    Estimates,
    check_margin,
    gains_of,
    notes_of,
    notes_of_skew,
    notes_on_margin,
    planned,
    reason_against,
)
from nbcompare.analysis.rules import (
    RANK_RULES,
    State,
    check_rules,
    facts_of_gaps,
    facts_of_scores,
    ranked_with_gaps,
)
from nbcompare.analysis.scales import Scales, scales_of
from nbcompare.experiment import Experiment
from nbcompare.results import Comparison, Design, Labelled, OmnibusResult
from nbcompare.results.texts import note
from nbcompare.stats import adjust as adjusting
from nbcompare.stats import omnibus, posthoc
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES, RANKINGS


def compare_datasets(experiment: Experiment, **options: Any) -> Comparison:
    """Return what :func:`compare` finds over several data sets."""
    return assembled(prepared(experiment, **options))


class Prepared(NamedTuple):
    """A comparison whose pairs are tested, and whose p-values are not adjusted yet.

    ``settled`` holds the options, with ``auto`` replaced.
    """

    design: Design
    ranked: _ranked.Ranked
    family: Family
    settled: Settled
    effects: _ranked.Effects | None
    notes: list[Note]
    means: FloatArray | None = None
    no_estimates: str = ""
    several_scales: bool = False


class Pooled(NamedTuple):
    """Adjusted p-values, and their logarithms, of a family within ``n`` hypotheses."""

    adjusted: Adjusted
    n: int


def checked(given: Mapping[str, Any]) -> State:
    """Return all options of :func:`compare`, checked; what is not given has its default."""
    options = {name: default(name) for name in COMPARE_OPTIONS}
    for name in given.keys() - options.keys():
        raise TypeError(f"unexpected keyword argument {name!r}; options are {listed(options)}")
    return check_options("compare", {**options, **given})


def prepared(experiment: Experiment, **given: Any) -> Prepared:
    """Check the options of :func:`compare`, rank the algorithms and test the pairs."""
    options = checked(given)
    state = State(options, **facts_of_scores(experiment))
    check_rules(RANK_RULES, state, *(options.keys() - {"missing"}))
    missing, formulas = options["missing"], options["formulas"]
    data, notes = treated(experiment, missing, options["fill"], function="compare")
    gaps = ranked_with_gaps(state)
    scores, sizes = oriented_scores(data, gaps=gaps)
    scales = scales_of(data, options["scale"])
    words = settled(data, scores, scales, options)
    ranked = (
        _ranked.of_incomplete(scores, sizes, data.algorithms)
        if gaps
        else _ranked.of_complete(
            scores, sizes, words.ranking, formulas, words.method, PAIRWISE_TESTS[words.pairs]
        )
    )
    chosen = check_control(options["control"], data.algorithms, ranked.average_ranks)
    tests = _ranked.pair_tests(
        words.pairs, words.method, ranked, scores, sizes, options["alternative"]
    )
    positions = ranked.positions if PAIRWISE_TESTS[words.pairs].by_ranks else None
    out_of_all = is_out_of_all_pairs(options, data.algorithms)
    family = family_of(data.n_algorithms, tests, chosen, positions, formulas, out_of_all=out_of_all)
    ordinal = bool(data.n_infinite)  # effects would be in units
    effects = (
        None
        if ordinal
        else _ranked.Effects(scores, sizes, family.first, family.second, ranked.midranks)
    )
    found = [
        *words.notes,
        *notes,
        *_notes.of_experiment(data),
        *_notes.of_gaps(data, gaps=gaps),
        *(_unshared(family, scores, data.algorithms) if words.pairs == "exchange" else ()),
        *_notes.of_formulas(formulas, words.ranking, words.pairs, tied=bool(ranked.tied)),
        *([] if options["alternative"] == TWO_SIDED else [note("one-sided")]),
        *_too_few(words, family, scores, options),
        *(_notes.of_units(data.datasets, scores) if _adds_scales(words, scales) else ()),
    ]
    design = design_of(data, options, given=experiment)
    means = None if ordinal else _ranked.mean_scores(data.mean_scores)
    against = reason_against(scales, scores, words.pairs, gaps=gaps)
    check_margin(options["margin"], against)
    several = not scales.one
    return Prepared(design, ranked, family, words, effects, found, means, against, several)


def _adds_scales(words: Settled, scales: Scales) -> bool:
    """Return whether differences of several data sets are compared because of a rule of thumb."""
    across = RANKINGS[words.ranking].needs_scale or PAIRWISE_TESTS[words.pairs].needs_scale
    return across and scales.one and not scales.stated


def _unshared(family: Family, scores: FloatArray, names: tuple[str, ...]) -> Iterator[Note]:
    """Yield a note on pairs of which no data set has scores of both."""
    known = ~np.isnan(scores)
    alone = ~(known[:, family.first] & known[:, family.second]).any(axis=0)
    apart = [
        f"{names[i]} and {names[j]}"
        for i, j in zip(family.first[alone], family.second[alone], strict=True)
    ]
    if apart:
        yield note("no-common-data-set", n=len(apart), names=named(apart, most=4))


def _too_few(
    words: Settled, family: Family, scores: FloatArray, options: Mapping[str, Any]
) -> Iterator[Note]:
    """Yield a note if there are too few data sets for the exact test of pairs to reject."""
    if family.tests.method != EXACT:
        return
    alpha, alternative = options["alpha"], options["alternative"]
    m, procedure = family.m, next(iter(words.procedures), "")
    n_tied = 0
    if words.pairs in _notes.BY_SIGNS and not has_gaps(scores):
        together = m if procedure else 1  # hypotheses of which the smallest p is adjusted
        pairs = family.first, family.second
        n_tied = _notes.ties_that_hinder(scores, *pairs, together, alpha, alternative)
    yield from _notes.of_reach(
        partial(_notes.least_p, words.pairs, alternative=alternative, k=family.k),
        len(scores),
        alpha=alpha,
        m=m,
        procedure=procedure,
        what="the test of a pair",
        n_tied=n_tied,
    )


def compare_ranks(
    average_ranks: Mapping[str, float],
    n_datasets: int,
    *,
    control: str | None = default("control"),
    adjust: Adjust = default("adjust"),
    alpha: float = default("alpha"),
    margin: None = None,
) -> Comparison:
    """Compare algorithms by average ranks, such as those printed in a paper.

    Average ranks do not show ties, so the formulas for untied ranks are used; if there were
    ties, they do not reject more often than the formulas corrected for ties.

    Parameters
    ----------
    average_ranks : mapping of str to float
        Friedman average rank of each algorithm (a dict, or a pandas Series).
    n_datasets : int
        Number of data sets that were ranked.
    control, adjust, alpha
        The options of :func:`compare`; p-values are those of the normal law. ``auto`` adjusts by
        Holm's procedure with a control or for a single pair, and else by Bergmann and Hommel's up
        to 50 algorithms, by Shaffer's up to 200, and by Holm's for more.
    margin : None
        Nothing else: average ranks have no differences in units of the measure.

    Returns
    -------
    Comparison
        The result, without effect sizes and wins, which need the scores.

    Raises
    ------
    ValueError
        If the numbers cannot be average ranks: outside 1 to k, or not (k + 1)/2 on average; or if
        there is a margin.

    Examples
    --------
    García and Herrera (2008): 5 classifiers, 30 data sets; Holm rejects 5 hypotheses.

    >>> import nbcompare as nbc
    >>> ranks = {"C4.5": 2.1, "1-NN": 3.25, "NB": 2.2, "Kernel": 4.3333, "CN2": 3.1167}
    >>> nbc.compare_ranks(ranks, 30, adjust="holm").hypotheses
    <Hypotheses: 10, 5 rejected>
    """
    if not hasattr(average_ranks, "items"):
        raise TypeError(
            "`average_ranks` must map names of algorithms to average ranks; "
            f"got {type(average_ranks).__name__}."
        )
    if margin is not None:
        raise ValueError(
            "`margin` must be left out with average ranks alone, which have no differences in "
            "units of the measure. Compare the scores themselves with compare(...)."
        )
    items = list(average_ranks.items())
    algorithms = check_labels((name for name, _ in items), "average_ranks")
    averages, n = omnibus.check_average_ranks([rank for _, rank in items], n_datasets)
    asked = {
        "ranking": "friedman",
        "control": control,
        "pairs": "ranks",
        "adjust": adjust,
        "alpha": alpha,
        "method": NORMAL,
        "formulas": "printed",
        "intervals": NONE,
    }
    options = checked(asked)
    state = State(options, k=len(algorithms), **facts_of_gaps(None, "compare"))
    check_rules(RANK_RULES, state, "adjust")
    error = posthoc.untied_standard_error(len(algorithms), n)
    chosen = check_control(control, algorithms, averages)
    design = Design(
        algorithms=algorithms,
        datasets=(),
        n_datasets=n,
        options=Labelled(options),
    )
    ranked = _ranked.Ranked(
        average_ranks=averages,
        omnibus={
            "friedman": omnibus.friedman_from_averages(averages, n),
            "iman-davenport": omnibus.iman_davenport_from_averages(averages, n),
        },
        tests=_ranked.by_normal_law(averages, error),
        tied=None,
        positions=averages,
        error=error,
        kendalls_w=omnibus.kendalls_w_from_averages(averages),
    )
    family = family_of(len(algorithms), ranked.tests, chosen, averages)
    words = settled_by_ranks(len(algorithms), n, options)
    notes = [note("untied-formulas"), *_notes.of_few(n)]
    return assembled(Prepared(design, ranked, family, words, None, notes))


def assembled(ready: Prepared, pooled: Pooled | None = None) -> Comparison:
    """Adjust the p-values, sort and label the hypotheses, and return the result.

    ``pooled`` p-values have been adjusted with those of other families.
    """
    design, ranked, family, words, effects, notes, means, against, several = ready
    procedures = words.procedures
    options, names, averages = design.options, design.algorithms, ranked.average_ranks
    alpha, two_sided = options["alpha"], options["alternative"] == TWO_SIDED
    adjusted = (
        {name: family.adjusted(name, alpha) for name in procedures}
        if pooled is None
        else pooled.adjusted
    )
    rejected = family.decided(adjusted, alpha)
    estimates = Estimates()
    if effects is not None:
        m = family.m if pooled is None else pooled.n
        # without adjustment, pairs are decided each by itself, and so are their intervals
        alone = not procedures and options["intervals"] == SIMULTANEOUS
        asked = PAIRWISE if alone else options["intervals"]
        asked = asked if two_sided else NONE
        n = design.n_datasets
        estimates = planned(against, words.pairs, asked, n, m, alpha)
        estimates = estimates.with_margin(options["margin"], 1 - alpha / m)
        effects = replace(effects, estimates=estimates, rejected=rejected)
    hypotheses = family.hypotheses(names, adjusted, alpha, effects)
    # of two algorithms, any difference is that of the pair: another test could say otherwise
    test = PAIRWISE_TESTS[words.pairs]
    kept = {
        name: one
        for name, one in ranked.omnibus.items()
        if len(names) > 2 or (two_sided and (test.by_ranks or name in test.omnibus))
    }
    control = None if family.control is None else names[family.control]
    groups = () if family.control is not None else alike_groups(family, rejected, averages)
    notes = [
        *notes,
        *_notes.of_control(
            options["control"],
            family.control,
            names,
            averages,
            alternative=options["alternative"],
            out_of=0 if family.whole is None else family.m,
        ),
        *_notes.of_procedures(procedures, family.formulas),
        *_notes.of_logic(words.pairs, procedures if len(hypotheses) > 1 else ()),
        *_of_symmetry(ready, rejected, len(hypotheses) if pooled is None else pooled.n),
        *_notes.of_tests(kept, averages),
        *_notes.of_family(procedures, family.m, alpha, beside=notes),
        *_notes.of_omnibus(kept, rejected, procedures, alpha),
        *notes_of(estimates),
        *(() if effects is None else notes_on_margin(estimates, effects.scores)),
        *_notes.of_pairs(words.pairs, family.tests, groups),
        *_notes.of_opposite(
            family.tests.statistic, rejected, (family.first, family.second), averages, names
        ),
    ]
    return Comparison(
        ranking=words.ranking,
        pairs=words.pairs,
        method=family.tests.method,
        control=control,
        adjust=procedures,
        alpha=alpha,
        missing=options["missing"],
        formulas=options["formulas"],
        tied=ranked.tied,
        average_ranks=Labelled(zip(names, averages.tolist(), strict=True)),
        standard_error=ranked.error,
        omnibus=Labelled(
            {
                name: OmnibusResult(*one, is_exact=True)
                if name in ranked.exact
                else OmnibusResult(*one, critical_value=one.critical_value(alpha))
                for name, one in kept.items()
            }
        ),
        hypotheses=hypotheses,
        groups=None
        if groups is None
        else tuple(tuple(names[i] for i in group) for group in groups),
        critical_difference=None
        if pooled is not None or not two_sided
        else _critical_difference(family, procedures, ranked, alpha),
        notes=tuple(notes),
        design=design,
        mean_scores=None if means is None else Labelled(zip(names, means.tolist(), strict=True)),
        n_pooled=pooled.n if pooled is not None else 0 if family.whole is None else family.m,
        kendalls_w=ranked.kendalls_w,
        why=words.why,
        intervals=estimates.intervals,
        confidence=estimates.confidence,
        without_intervals=estimates.withheld,
        margin=options["margin"],
        several_scales=several,
    )


def _of_symmetry(ready: Prepared, rejected: BoolArray, m: int) -> Iterator[Note]:
    """Yield notes if significant pairs are not what Wilcoxon's test takes them for."""
    family, effects = ready.family, ready.effects
    if ready.settled.pairs != "wilcoxon" or effects is None:
        return
    sides = family.tests.statistic[rejected]
    pairs = family.first[rejected], family.second[rejected]
    found = gains_of(effects.scores, effects.scale, *pairs, sides, ready.design.algorithms)
    alpha, m = ready.design.options["alpha"], max(m, family.m)
    yield from notes_of_skew(found, m, alpha, in_units=not ready.no_estimates)


def family_of(
    k: int,
    tests: _ranked.PairTest,
    control: int | None,
    positions: FloatArray | None,
    formulas: str = "corrected",
    *,
    out_of_all: bool = False,
) -> Family:
    """Return the family of all pairs, or of the control and each other algorithm, tested.

    With ``out_of_all`` the comparisons with the control are part of those of all pairs.
    """
    whole = family_of(k, tests, None, positions, formulas) if out_of_all else None
    first, second = posthoc.pairs(k, control)
    found = tests(first, second)
    return Family(first, second, found, k, control, positions, formulas, whole)


def _critical_difference(
    family: Family, procedures: tuple[str, ...], ranked: _ranked.Ranked, alpha: float
) -> float | None:
    """Return the critical difference of average ranks, which agrees with the decisions.

    None if the procedure has none, if p does not depend on average ranks, if all are tied, or if no
    difference is large enough for the exact law.
    """
    if not procedures or not PROCEDURES[procedures[0]].single_step:
        return None
    error = ranked.error
    if not error or family.positions is None:
        return None
    if procedures[0] == "nemenyi":
        return posthoc.nemenyi_quantile(family.k, alpha) * error
    m = family.m
    level = alpha / m
    if procedures[0] == "sidak":
        level = float(adjusting.adjusted_alphas(m, "sidak", alpha)[0])
    if ranked.law is not None:
        least = ranked.law.critical_difference(level)
        return None if least is None else least / ranked.unit
    return posthoc.bonferroni_quantile(1, level) * error
