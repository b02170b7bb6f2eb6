"""Compare stochastic algorithms by repeated runs."""

from __future__ import annotations

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import MAXIMIZE, default
from nbcompare.analysis import _notes
from nbcompare.analysis import _stochastic as notes_on
from nbcompare.analysis._asked import asked_of, result_of
from nbcompare.analysis._blocks import Ends, Runs, runs_of, settled_blocks
from nbcompare.analysis._data import check_experiment, refuse_items
from nbcompare.analysis._family import Adjust, check_control
from nbcompare.analysis._imprecise import (
    How,
    ImpreciseFamily,
    Rows,
    against_mean,
    drawn_pairs,
    of_cuts,
    of_pairs,
    p_of_pairs,
)
from nbcompare.analysis._missing import Fill, treated
from nbcompare.analysis._stochastic import (
    check_encoding,
    check_runs,
    check_size,
    settled_test,
)
from nbcompare.analysis.frames import of_frames
from nbcompare.analysis.rules import (
    RUN_RULES,
    State,
    check_rules,
    facts_of_runs,
    is_by_ranks,
    on_one_scale,
    settled_procedure,
)
from nbcompare.analysis.scales import scales_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Labelled, StochasticComparison
from nbcompare.stats import posthoc
from nbcompare.stats.permutation import generator
from nbcompare.stats.tails import IntervalP
from nbcompare.words import STOCHASTIC_PROCEDURES

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
        ``resampling`` draws at random, as in the papers: permutations (bootstrap tests), or
        one run per fold (``interval``, ``fuzzy``), which reaches only a part of the range.
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
    asked = asked_of("compare_stochastic", locals())
    experiment = check_experiment(experiment, direction)
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
    check_size(experiment)
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
    if (
        STOCHASTIC_PROCEDURES[procedure].is_test and k > 2
    ):  # of two, it is the hypothesis on the pair
        overall = family.against_mean(against_mean(ends, how))
    reach = tuple(
        notes_on.notes_of_reach(
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
            *notes_on.notes_of_runs(runs, procedure, encoding, (overall, hypotheses)),
            *notes_on.notes_of_scales(
                how, scales, by_fold=runs.by_fold, by_ranks=by_ranks, as_default=as_default
            ),
            *_notes.of_control(control, chosen, experiment.algorithms, middle, "mean"),
            *notes_on.notes_of_how(how, procedures, overall),
            *_notes.of_procedures(procedures, formulas, "blocks"),
            *_notes.of_family(procedures, len(hypotheses), level, beside=reach),
            *reach,
            *notes_on.notes_of_blocks(runs, how, len(hypotheses)),
            *notes_on.notes_beside_means(data, hypotheses, how, asked),
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
        if how.method == "exact":
            cuts = of_cuts(runs.cuts(encoding, coverages), first, second, how)
        else:
            cuts = drawn_pairs(runs, runs.cuts_of_folds(encoding, coverages), first, second, how)
        at = int(np.searchsorted(coverages, coverage))
        p = IntervalP(cuts.p_low[:, at], cuts.p_high[:, at])
    elif how.procedure == "interval" and how.method == "resampling":
        drawn = drawn_pairs(runs, [runs.of_folds(encoding, coverage)], first, second, how)
        p = IntervalP(drawn.p_low[:, 0], drawn.p_high[:, 0])
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
