"""Compare stochastic algorithms by repeated runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import MAXIMIZE, OPTIONS, default
from nbcompare._render import Note
from nbcompare._validation import DataError, check_share, listed, named
from nbcompare.analysis import _notes
from nbcompare.analysis._family import Adjust, check_control
from nbcompare.analysis._imprecise import (
    Ends,
    How,
    ImpreciseFamily,
    Rows,
    Runs,
    against_mean,
    of_cuts,
    of_pairs,
    p_of_pairs,
    runs_of,
    settled_blocks,
)
from nbcompare.analysis.data import (
    Fill,
    called,
    check_size,
    of_frames,
    refuse_items,
    result_of,
    treated,
)
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.analysis.rules import (
    RUN_RULES,
    State,
    check_rules,
    facts_of_runs,
    is_by_ranks,
    on_one_scale,
    settled_procedure,
)
from nbcompare.analysis.scales import Scales, scales_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import ImpreciseHypotheses, Labelled, StochasticComparison
from nbcompare.results.imprecise import REJECTED
from nbcompare.results.texts import note
from nbcompare.stats import posthoc
from nbcompare.stats.laws import IntervalP
from nbcompare.stats.permutation import generator
from nbcompare.words import ENCODINGS, PAIRWISE_TESTS, PROCEDURES, STOCHASTIC_PROCEDURES

Random = int | np.random.Generator | None
# The cuts of a fuzzy p-value are at coverages 1/50, 2/50, ..., 1.
_N_CUTS = 50


@of_frames
def compare_stochastic(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    procedure: str = default("procedure"),
    scale: str = default("scale"),
    test: str | None = default("stochastic.test"),
    encoding: str | None = default("encoding"),
    coverage: float | None = default("coverage"),
    blocks: str = default("blocks"),
    control: str | None = default("control"),
    adjust: Adjust = default("stochastic.adjust"),
    alpha: float = default("alpha"),
    method: str = default("stochastic.method"),
    n_resamples: int = default("stochastic.n_resamples"),
    rng: Random = default("rng"),
    formulas: str = default("formulas"),
    missing: str = default("stochastic.missing"),
    fill: Fill = default("fill"),
) -> StochasticComparison:
    """Compare algorithms by repeated runs, as intervals or fuzzy sets rather than by means.

    Runs of an algorithm on the same fold are not independent observations. The runs of each
    fold become a number, an interval or a nested family of intervals. A test then has a range
    of p-values, one for every selection from the intervals. A difference is ``significant``
    if the whole range is at most alpha, ``not significant`` if the whole range is above alpha,
    and else ``inconclusive``, because the runs vary too much.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms, with repeated runs of those that depend on a random seed.
        Algorithms with one run per fold are treated as deterministic: their scores stay
        points.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    procedure : {"auto", "bootstrap-b", "bootstrap-a", "interval", "fuzzy"}
        ``auto``: ``bootstrap-b``; the options that are given must fit, so that a ``test``
        means ``interval``. ``bootstrap-a``: each algorithm is compared with the mean of all,
        then pairs are compared, by permuting the algorithms within blocks; runs become numbers.
        ``bootstrap-b``: the same with intervals. ``interval``: a test of pairs over all
        selections from the intervals. ``fuzzy``: the same at every coverage, which makes p a
        fuzzy set.
    scale : {"auto", "one", "several"}
        Whether the scores of all data sets are on one scale, so that they may be added or ranked
        together. ``auto`` judges by their ranges, as in :func:`nbcompare.recommend`; the other
        words state it. On several scales the bootstrap tests take relative ranks instead of
        scores: the share of all runs of a fold that have smaller scores, with half of those that
        tie. The means and differences of the result are then those of relative ranks.
    test : {"wilcoxon", "rank-sum", "sign", "t", "permutation"}, optional
        Test of a pair for ``interval`` and ``fuzzy``; wilcoxon by default, or sign if the data
        sets are on several scales. Any other test adds or ranks the raw scores of all data sets
        together, which a note says. ``permutation``:
        sign flips of the mean difference. ``rank-sum`` ignores the blocks; it is the test
        whose results the 2010 paper prints.
    encoding : str, optional
        What the runs of a fold become. Intervals: ``central`` (quantiles that leave out equal
        shares at either end; the default), ``shortest`` (the shortest with that share of the
        runs), ``range``. Numbers: ``mean`` (default of bootstrap-a), ``median``,
        ``interquartile-mean`` (of the middle half), ``mode`` (where they are densest). For
        ``fuzzy``: ``central`` or ``bootstrap-mean`` (percentile intervals of the bootstrapped
        mean). With data sets as blocks, the ends are then averaged over folds.
    coverage : float, optional
        Share of the runs in an interval, in (0, 1]: 0.1 by default for ``bootstrap-b``, 0.9
        for ``interval``. For ``fuzzy``, all coverages are computed, and this one (0.9 by
        default) decides.
    blocks : {"auto", "datasets", "folds"}
        What the algorithms are compared on: the data sets, or the folds of a single one.
    control : str, optional
        The algorithm that is compared with every other one; all pairs are compared by
        default. ``"best"`` is the one with the best mean, with a note that it was chosen
        from the data.
    adjust : str or list of str or None
        Procedure that adjusts both ends of p, as in :func:`nbcompare.compare` (except
        ``nemenyi`` and ``auto``).
    alpha : float, default 0.05
        Level of the family-wise error, or of the false discovery rate.
    method : {"exact", "resampling"}
        ``resampling`` draws permutations at random, as in the papers, for the bootstrap tests.
    n_resamples : int, default 10000
        Number of random draws.
    rng : int or numpy.random.Generator, optional
        Seed of the random draws; 0 by default, so that results are reproducible.
    formulas : {"corrected", "printed"}
        ``printed``: Bootstrap-B as in the paper, equations (20) to (29), where observed and
        rearranged means may use different selections from the intervals.
    missing : {"raise", "drop-folds", "drop", "worst", "available", "interval"}
        What to do if an algorithm lacks folds or runs that others have, as in
        :func:`nbcompare.compare`; ``drop`` leaves out the block. ``interval``: a missing fold
        becomes the interval from the smallest to the largest score on its data set.
    fill : float or str, optional
        The score of what failed, as in :func:`nbcompare.compare`.

    Returns
    -------
    StochasticComparison
        The result, which displays itself; see also its ``to_frame()`` and ``sentences``.

    Raises
    ------
    DataError
        If there are fewer than 2 algorithms or blocks, if scores are missing, if a fold has
        one run of an algorithm that has several elsewhere, if no algorithm has repeated
        runs for fuzzy p-values, or if a score is beyond 1e300 in size.
    ValueError
        If an option has another value than those above, or if options cannot be combined.

    Notes
    -----
    The statistics W of signed ranks and U of rank sums are multiples of one half where ties are
    split. Their null distribution is that of untied data, on whole numbers: a half is rounded
    towards the centre, to the larger p-value, which is conservative.

    References
    ----------
    Otero, J., Sánchez, L., Couso, I. and Palacios, A. (2013). Bootstrap analysis of multiple
    repetitions of experiments using an interval-valued multiple comparison procedure.
    Journal of Computer and System Sciences.
    Otero, J., Sánchez, L. and Couso, I. (2010). Comparación estadística de algoritmos de
    aprendizaje estocásticos usando tests extendidos a datos intervalo-valorados y borrosos.

    Examples
    --------
    The second algorithm is better in most runs, but one run in five is stuck:

    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> fold = np.arange(12)[:, np.newaxis] / 100
    >>> run = np.arange(10) / 1000
    >>> plain, stuck = 0.2 + fold + run, 0.15 + fold + run
    >>> stuck[:, 8:] += 0.2
    >>> data = nbc.Experiment.from_array(
    ...     [[plain, stuck]], direction="minimize", algorithms=["Plain", "Stuck"])
    >>> nbc.compare_stochastic(data, procedure="interval", coverage=0.5).to_frame()[
    ...     ["first", "second", "p_low", "p_high", "outcome"]].round(4)
       first second   p_low  p_high      outcome
    0  Stuck  Plain  0.0005  0.0005  significant
    >>> result = nbc.compare_stochastic(data, procedure="fuzzy")
    >>> result.hypotheses.outcome, result.hypotheses.fuzzy.turning
    (('inconclusive',), (0.62,))
    """
    experiment, asked = called("compare_stochastic", locals())
    refuse_items(experiment)
    scales = scales_of(experiment, scale)
    procedures, level, n_draws = asked.adjust, asked.alpha, asked.n_resamples
    source = generator(0 if rng is None else rng)
    state = State(asked, **facts_of_runs(experiment))
    as_default = test is None
    procedure = settled_procedure(state)
    test = settled_test(test, procedure, one_scale=on_one_scale(state))
    encoding, coverage = check_encoding(encoding, coverage, procedure)
    settled = {"procedure": procedure, "encoding": encoding, "coverage": coverage, "test": test}
    asked.update(encoding=encoding, coverage=coverage)
    state = State(state, **settled)
    check_rules(RUN_RULES, state)
    for scores in (experiment.lower, experiment.upper):
        check_size(scores, "experiment")
    asked["blocks"] = blocks = settled_blocks(experiment, blocks)
    data, gaps = treated(experiment, missing, fill, function="compare_stochastic")
    runs, replaced = runs_of(data, blocks, filled=missing == "interval")
    # blocks may have been left out, so the remaining runs are checked again
    check_rules(RUN_RULES, State(state, repeated=bool(runs.repeated.any())), "procedure")
    check_runs(runs, encoding)
    if by_ranks := is_by_ranks(state):
        runs = runs.by_ranks(negated=data.direction == MAXIMIZE)
    how = How(procedure, test, formulas, method, n_draws, source, runs.sizes)

    ends = runs.consolidated(encoding, coverage)
    middle = (ends[0] + ends[1]).mean(axis=0) / 2
    chosen = check_control(control, experiment.algorithms, middle)
    k = len(middle)
    first, second = posthoc.pairs(k, chosen)
    family = ImpreciseFamily(experiment.algorithms, procedures, level, formulas)
    rows, cuts, coverages = _pairs(runs, ends, first, second, encoding, coverage, how)
    hypotheses = family.pairs(rows, first, second, chosen, cuts, coverages)
    overall = None
    # of two, it is the hypothesis on the pair
    if STOCHASTIC_PROCEDURES[procedure].is_test and k > 2:
        overall = family.against_mean(against_mean(ends, how))
    reach = tuple(
        notes_of_reach(
            how, procedures, level, len(runs.names), k, len(hypotheses), by_fold=runs.by_fold
        )
    )
    closed, open_groups = ((), ()) if chosen is not None else family.groups(hypotheses, middle)
    return result_of(
        StochasticComparison,
        data,
        asked,
        given=experiment,
        procedure=procedure,
        test=test,
        control=None if chosen is None else experiment.algorithms[chosen],
        n_resamples=n_draws if method == "resampling" else None,
        by_ranks=by_ranks,
        **_means(runs, ends, data),
        deterministic=tuple(
            name
            for name, fixed in zip(experiment.algorithms, runs.deterministic, strict=True)
            if fixed
        ),
        overall=overall,
        hypotheses=hypotheses,
        groups=closed,
        open_groups=open_groups,
        notes=(
            *gaps,
            *replaced,
            *_notes.of_turned(data),
            *notes_of_runs(runs, procedure, encoding, (overall, hypotheses)),
            *notes_of_scales(
                how, scales, by_fold=runs.by_fold, by_ranks=by_ranks, as_default=as_default
            ),
            *_notes.of_control(control, chosen, experiment.algorithms, middle, "mean"),
            *notes_of_how(how, procedures, overall),
            *_notes.of_procedures(procedures, formulas, "blocks"),
            *_notes.of_family(procedures, len(hypotheses), level, beside=reach),
            *reach,
            *notes_of_blocks(runs, how, len(hypotheses)),
            *notes_beside_means(data, hypotheses, how, asked),
        ),
    )


def _pairs(
    runs: Runs,
    ends: Ends,
    first: IntArray,
    second: IntArray,
    encoding: str,
    coverage: float | None,
    how: How,
) -> tuple[Rows, IntervalP | None, FloatArray | None]:
    """Return the pairs at the deciding coverage and, if p is fuzzy, at every coverage."""
    cuts = coverages = None
    if how.procedure == "fuzzy" and coverage is not None:
        grid = np.arange(1, _N_CUTS + 1) / _N_CUTS
        coverages = np.union1d(grid, [coverage])
        cuts = of_cuts(runs.cuts(encoding, coverages), first, second, how)
        at = int(np.searchsorted(coverages, coverage))
        p = IntervalP(cuts.p_low[:, at], cuts.p_high[:, at])
    else:
        p = p_of_pairs(ends, first, second, how)
    return of_pairs(p, ends, first, second, how), cuts, coverages


def _means(runs: Runs, ends: Ends, experiment: Experiment) -> dict[str, Labelled[float]]:
    """Return the ends of the means over the blocks, in the direction of the measure."""
    low, high = ends[0].mean(axis=0), ends[1].mean(axis=0)
    if experiment.direction == MAXIMIZE:
        low, high = -high, -low
    return {
        "mean_low": Labelled(zip(runs.algorithms, low.tolist(), strict=True)),
        "mean_high": Labelled(zip(runs.algorithms, high.tolist(), strict=True)),
    }


_MOST = 3  # pairs that the means decide otherwise


def settled_test(test: str | None, procedure: str, *, one_scale: bool) -> str | None:
    """Return the test of a pair for interval-valued p-values, or None for bootstrap tests.

    The sign test is the default on several scales, since it needs no common one.
    """
    if test is not None or STOCHASTIC_PROCEDURES[procedure].is_test:
        return test
    return "wilcoxon" if one_scale else "sign"


def check_encoding(
    encoding: str | None, coverage: float | None, procedure: str
) -> tuple[str, float | None]:
    """Return the encoding and the coverage, with their defaults filled in."""
    settled = STOCHASTIC_PROCEDURES[procedure].encodings[0] if encoding is None else encoding
    OPTIONS["encoding"].check(settled, "encoding")
    if coverage is None and ENCODINGS[settled].has_coverage:
        coverage = STOCHASTIC_PROCEDURES[procedure].coverage
    return settled, None if coverage is None else check_share(coverage, "coverage")


def check_runs(runs: Runs, encoding: str) -> None:
    """Raise an error if an algorithm with repeated runs has only one run of some fold."""
    if runs.upper is not runs.lower or ENCODINGS[encoding].number:
        return
    alone = (runs.counts == 1) & runs.repeated[np.newaxis, :, np.newaxis]
    if alone.any():
        where = [
            f"{runs.algorithms[algorithm]} on {runs.names[block]}"
            for block, algorithm, _ in np.argwhere(alone)
        ]
        raise DataError(
            f"`experiment` must hold several runs wherever an algorithm has any; got one of "
            f"{listed(dict.fromkeys(where), most=5)}. One run does not say how far runs scatter."
        )


def notes_of_runs(
    runs: Runs, procedure: str, encoding: str, families: Iterable[ImpreciseHypotheses | None]
) -> Iterator[Note]:
    """Yield notes on deterministic algorithms, and on how the runs of the others are used."""
    names = np.array(runs.algorithms)
    single = names[~runs.repeated].tolist()
    if single and runs.repeated.any():
        yield note("deterministic", names=named(single), single=single)
    if runs.repeated.any() and ENCODINGS[encoding].number:
        yield note("averaged/encoding", label=ENCODINGS[encoding].label)
    replaced = runs.filled and bool(runs.missing.any())
    if runs.repeated.any() or procedure == "bootstrap-a" or runs.upper is not runs.lower:
        return
    numbers = all(rows is None or np.array_equal(rows.p_low, rows.p_high) for rows in families)
    yield note(f"single-runs/{'filled' if replaced else 'numbers' if numbers else 'ends'}")


def notes_of_how(
    how: How, procedures: tuple[str, ...], overall: ImpreciseHypotheses | None
) -> Iterator[Note]:
    """Yield notes on what the chosen options mean for the p-values."""
    if how.procedure == "bootstrap-b" and how.formulas == "printed":
        yield note("printed-formulas/intervals")
    if how.method == "resampling":
        yield note("resampling", how=how, error=math.sqrt(0.25 / how.n_resamples) * 2)
    if overall is not None and any(PROCEDURES[name].all_pairs_only for name in procedures):
        yield note("holm-overall")


def notes_of_scales(
    how: How, scales: Scales, *, by_fold: bool, by_ranks: bool, as_default: bool
) -> Iterator[Note]:
    """Yield a note on several scales: that ranks or signs are used, or what other tests do there.

    The sign test is there ``as_default`` if the caller chose no test.
    """
    if scales.one or by_fold:
        return
    if by_ranks:
        yield note("several-scales/ranks", scales=scales, stated=scales.advice)
        return
    if how.test == "sign":
        if as_default:
            yield note("several-scales/signs", scales=scales, stated=scales.advice)
        return
    what = {"wilcoxon": "differences on all data sets are ranked together"}.get(
        how.test or "", "raw scores of all data sets are added"
    )
    if how.test == "rank-sum":
        what = "raw scores of all data sets are ranked together"
    yield note("scales", scales=scales, what=what, stated=scales.advice)


def notes_of_reach(
    how: How, procedures: tuple[str, ...], alpha: float, n: int, k: int, m: int, *, by_fold: bool
) -> Iterator[Note]:
    """Yield notes on families in which no p-value can be small enough to reject."""
    of_reach = partial(_notes.of_reach, n=n, alpha=alpha, noun="fold" if by_fold else "data set")
    first = next(iter(procedures), "")
    if how.test is not None:
        yield from of_reach(partial(_notes.least_p, how.test), m=m, procedure=first)
        return
    yield from of_reach(
        partial(_notes.least_p, "permutation"), m=m, procedure=first, what="the test of a pair"
    )
    if k == 2:
        return
    # against the mean of all, one of k^n choices may be the most extreme
    for each in of_reach(
        lambda blocks: min(1.0, 2.0 * float(k) ** -blocks),
        m=k,
        procedure="holm" if first and PROCEDURES[first].all_pairs_only else first,
        what="the test against the mean of all",
    ):
        yield Note(f"{each.code}-overall", each.text)


def notes_of_blocks(runs: Runs, how: How, m: int) -> Iterator[Note]:
    """Yield notes on what is assumed of the blocks."""
    if how.test == "rank-sum":
        yield note("unpaired")
    if runs.by_fold:
        yield note("folds")
    if m > 1 and not STOCHASTIC_PROCEDURES[how.procedure].is_test:
        yield note("range")


# 600 experiments with 10 runs, and algorithms that scatter by half a deviation on each data set
_LOST = (
    " Intervals of runs cost power: on 10 data sets, differences of 0.8 deviations of a run were "
    "found in 0.45 of simulated experiments by Bootstrap-B (0.43 of relative ranks), and in 0.77 "
    "by the means."
)


def notes_beside_means(
    data: Experiment, tests: ImpreciseHypotheses, how: How, options: Mapping[str, Any]
) -> Iterator[Note]:
    """Yield a note on pairs of which a comparison of the mean scores decides otherwise."""
    if data.n_datasets == 1 or data.is_interval or data.losses.any:
        return
    shared = {name: options[name] for name in ("control", "alpha", "scale")}
    means = compare_datasets(data, adjust=options["adjust"] or None, **shared)
    pairs = means.hypotheses
    there = _differences(pairs.first, pairs.second, pairs.rejected, pairs.statistic)
    rejected = [outcome == REJECTED for outcome in tests.outcome]
    here = _differences(tests.first, tests.second or (), rejected, tests.favours)
    others = {
        "finds": [text for text in there if text not in here],
        "does not find": [text for text in here if text not in there],
    }
    told = [f"{verb} {named(found, most=_MOST)}" for verb, found in others.items() if found]
    if told:
        mean = "mean " if data.n_folds * data.n_runs > 1 else ""
        apart, lost = f"another test of the same {mean}scores", ""
        if data.n_runs > 1 and how.procedure != "bootstrap-a":
            apart = "another test, and does not use how much the runs vary"
            by_intervals = how.procedure == "bootstrap-b" and options["coverage"] is not None
            lost = _LOST if others["finds"] and by_intervals else ""
        yield note(
            "means",
            mean=mean,
            told=" and ".join(told),
            test=PAIRWISE_TESTS[means.pairs].recommended,
            apart=apart,
            lost=lost,
        )


def _differences(
    first: Sequence[str], second: Sequence[str], rejected: Iterable[bool], sides: Iterable[float]
) -> list[str]:
    """Return the differences that are established, the better algorithm first."""
    rows = zip(first, second, rejected, sides, strict=True)
    pairs = [(a, b) if side >= 0 else (b, a) for a, b, found, side in rows if found]
    return [f"{better} significantly better than {worse}" for better, worse in pairs]
