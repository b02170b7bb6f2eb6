"""Compare optimisers by the histories of their runs: how fast they converge, and reach targets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray, mean_over, median_over
from nbcompare._options import AUTO, EXACT, MAXIMIZE, QUANTILES, default
from nbcompare._render import Note
from nbcompare._validation import DataError, listed, named
from nbcompare.analysis import _notes
from nbcompare.analysis._family import Adjust
from nbcompare.analysis.data import check_histories, check_options, result_of
from nbcompare.analysis.rules import (
    TREND_RULES,
    State,
    check_rules,
    facts_of_histories,
    without_logs,
)
from nbcompare.histories import Histories, Runtimes
from nbcompare.results import ConvergenceComparison, FixedTargets, Labelled, TrendTests
from nbcompare.results.texts import note
from nbcompare.stats import adjust as adjusting
from nbcompare.stats import trend
from nbcompare.stats.aggregates import expected_running_times, restarted, steps_of_runs
from nbcompare.stats.rankings import LARGEST, midranks
from nbcompare.stats.trend import critical_l


def compare_convergence(
    histories: Histories,
    *,
    cutpoints: int = default("cutpoints"),
    version: str = default("version"),
    optimum_tolerance: float | None = default("optimum_tolerance"),
    aggregate: str = default("aggregate"),
    differences: str = default("differences"),
    adjust: Adjust = default("convergence.adjust"),
    alpha: float | None = default("convergence.alpha"),
    null: str | None = default("null"),
    formulas: str = default("formulas"),
    missing: str = default("convergence.missing"),
) -> ConvergenceComparison:
    """Test for every ordered pair of optimisers whether the first converges faster.

    At regular cut-points of the budget, the best values so far are averaged over the runs, and
    the difference of the logarithms of the errors of two algorithms is ranked over the cut-points
    of each problem. If the first converges faster, the difference in its favour grows and the
    ranks increase. Page's L tests for this trend over all problems. Where the optima are not
    known, the differences are those of the values, and the test shows in whose favour the gap
    between two algorithms grows.

    Parameters
    ----------
    histories : Histories
        At least 2 algorithms on at least 2 problems.
    cutpoints : int, default 10
        Number of cut-points, at regular shares of each problem's budget; at least 3, and no
        more than points were recorded. About twice as many problems as cut-points are advisable.
    version : {"auto", "both", "basic", "alternative"}
        Version of the ranks. ``basic``: ranks of the differences. ``alternative``: the same,
        but from the cut-point at which one of the two reaches the optimum first, the ranks
        continue in its favour; it needs known optima. ``both``: both versions, since they
        may disagree; without known optima ``basic`` only, with a note. ``auto`` (default):
        ``alternative`` for logarithms of errors, since an error that counts as the optimum has
        no order of magnitude, and ``both`` for values.
    optimum_tolerance : float, optional
        Errors up to this value count as the optimum. The default is 0, apart from the
        rounding noise of a mean over runs; for logarithms, if an optimum is reached, it is the
        power of ten below all other errors, and a note says so.
    aggregate : {"mean", "median"}
        Average of the runs at each cut-point.
    differences : {"auto", "raw", "log"}
        ``raw``: differences of the values, as in the paper. They show in whose favour the gap
        grows, which need not be the faster algorithm: where errors decay exponentially, the gap
        shrinks in the end, in favour of the slower one. ``log``: differences of the logarithms
        of the errors (or of the values, without known optima), which compare the speed; errors
        below the tolerance count as the tolerance. ``auto`` (default): ``log`` if the optima
        are known, else ``raw``.
    adjust : str or list of str or None
        Procedure that adjusts the p-values of all k(k - 1) ordered pairs, as in
        :func:`nbcompare.compare`, except for the procedures for unordered pairs. ``auto``
        (default): ``holm``. None: no adjustment.
    alpha : float, optional
        Significance level, 0.05 by default.
    null : {"exchange", "page"}, optional
        Null hypothesis whose p-value decides; both p-values are reported. ``exchange``
        (default): the two algorithms may be swapped on every problem, which equal mean curves do
        not imply if the runs of one vary more and are skewed. ``page``: all orders of
        the cut-points are equally likely, which does not hold for the cut-points of a run: for
        two copies of one algorithm, it is rejected with probability 0.17 to 0.25 at a nominal
        0.05 with 10 cut-points.
    formulas : {"corrected", "printed"}
        ``printed``: the analysis of the paper, with the normal approximation as it prints it.
        Unless these options are given, it has ``null="page"``, ``differences="raw"``,
        ``alpha=0.1``, and no adjustment.
    missing : {"raise", "drop"}
        ``raise``: a problem on which an algorithm has no run is an error that names it.
        ``drop``: such problems are left out.

    Returns
    -------
    ConvergenceComparison
        The result, which displays itself; see also its ``to_frame()``, ``sentences`` and
        ``ranks_of``.

    Raises
    ------
    DataError
        If there are fewer than 2 algorithms or problems, or if an algorithm has no run of a
        problem.
    ValueError
        If an option has another value than those above, if ``alternative`` is asked for
        without known optima, or if logarithms are taken of values that are not positive.
        A DataError names the first error of 0 if there is no tolerance for its logarithm.

    References
    ----------
    Derrac, J., García, S., Hui, S., Suganthan, P. N. and Herrera, F. (2014). Analyzing
    convergence performance of evolutionary algorithms: a statistical approach. Information
    Sciences 289, 41-58.

    Notes
    -----
    The test compares the progress at every stage, not which algorithm is ahead; the result shows
    the average ranks at the end beside it. By raw differences, an algorithm that is close to the
    optimum at the first cut-point can only lose its lead. For errors that decay exponentially at
    the rates 0.5 and 0.3, on 20 problems with 5 runs, raw differences were in favour of the slower
    algorithm in each of 300 simulations, and logarithms of errors of the faster one.

    Examples
    --------
    One of two algorithms improves twice as fast as the other on 12 problems:

    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> step = np.arange(1, 11)
    >>> scale = np.arange(1, 13)[:, np.newaxis]
    >>> values = np.stack([scale * (20 - 2 * step), scale * (20 - step)], axis=1)
    >>> histories = nbc.Histories.from_array(
    ...     values, evaluations=100 * step, direction="minimize", algorithms=["Fast", "Slow"])
    >>> result = nbc.compare_convergence(histories, version="basic")
    >>> result.to_frame()[["faster", "slower", "statistic", "p_exchange", "rejected"]].round(4)
      faster slower  statistic  p_exchange  rejected
    0   Fast   Slow     4620.0      0.0002      True
    1   Slow   Fast     2640.0      1.0000     False
    """
    asked = check_options("compare_convergence", locals())
    check_histories(histories).check_best_so_far("a comparison of convergence")
    chosen = settled(asked, histories.optimum)
    if asked.adjust == (AUTO,):
        asked["adjust"] = AUTO
    data, left_out = complete(histories, missing)
    if chosen.cutpoints > default("cutpoints"):  # which suits few points, too
        _check_cutpoints(chosen.cutpoints, data)
    curves = aggregated(data.at_cutpoints(chosen.cutpoints), aggregate)
    facts = {**facts_of_histories(data), "without_logs": without_logs(data, curves)}
    check_rules(TREND_RULES, State(asked, **facts))
    ends = Ends(curves, data, chosen.optimum_tolerance, logs=chosen.differences == "log")
    chosen["optimum_tolerance"] = ends.tolerance
    tests = {name: trend_tests(ends, name, chosen) for name in chosen.versions}
    shares = np.arange(1, chosen.cutpoints + 1) / chosen.cutpoints
    notes = notes_of(data, chosen, asked, ends.reached, list(tests.values()))
    return result_of(
        ConvergenceComparison,
        data,
        asked,
        given=histories,
        tests=Labelled(tests),
        null=chosen.null,
        differences=chosen.differences,
        optimum_tolerance=chosen.optimum_tolerance,
        adjust=chosen.adjust,
        alpha=chosen.alpha,
        cutpoints=data.budgets[:, np.newaxis] * shares,
        curves=curves,
        final_ranks=ends.final_ranks.mean(axis=0),
        critical_l=critical_l(
            len(data.problems), chosen.cutpoints, chosen.alpha, formulas=formulas
        ),
        notes=(*data.notes, *left_out, *notes),
    )


def _check_cutpoints(count: int, data: Histories) -> None:
    """Refuse more cut-points than numbers of evaluations at which anything was recorded."""
    spent = np.split(data.events.evaluations, data.events.ends[:-1, -1, -1])
    most = max(len(np.unique(part)) for part in spent)
    if count > most:
        raise ValueError(
            f"`cutpoints` must be at most {most:,}, the most points that were recorded on a "
            f"problem, because values in between only repeat; got {count:,}."
        )


def settled(asked: State, optimum: FloatArray | None) -> State:
    """Return the options as they hold, of those that were asked for.

    What is not said depends on the formulas and on whether the optima are known.
    ``formulas="printed"`` stands for the analysis of Derrac et al. (2014). Errors that count as the
    optimum have no order of magnitude, so logarithms go by the alternative ranks alone, which are
    the basic ones if no optimum is reached.
    """
    printed, known = asked.formulas == "printed", optimum is not None
    procedures, differences = asked.adjust, asked.differences
    if procedures == (AUTO,):
        procedures = () if printed else ("holm",)
    if differences == AUTO:
        differences = "log" if known and not printed else "raw"
    null = ("page" if printed else "exchange") if asked.null is None else asked.null
    alpha = asked.alpha
    if alpha is None:
        alpha = _PRINTED_ALPHA if printed else default("alpha")
    tolerance = (asked.optimum_tolerance or 0.0) if known else None
    versions: tuple[str, ...] = (asked.version,)
    if asked.version in ("both", AUTO):
        logs_alone = asked.version == AUTO and differences == "log"
        versions = ("alternative",) if logs_alone else ("basic", "alternative")
        versions = versions if known else ("basic",)
    return State(
        asked,
        differences=differences,
        null=null,
        adjust=procedures,
        alpha=alpha,
        optimum_tolerance=tolerance,
        versions=versions,
    )


def complete(histories: Histories, missing: str) -> tuple[Histories, tuple[Note, ...]]:
    """Return the histories without gaps, and notes on the problems that were left out."""
    n_problems, k = len(histories.problems), len(histories.algorithms)
    for count, noun in ((k, "algorithms"), (n_problems, "problems")):
        if count < 2:
            told = f"`histories` must hold at least 2 {noun} to compare; got {count}."
            if noun == "problems":
                told += (
                    " On one problem, take the values of the runs at a number of evaluations, "
                    "histories.at(evaluations), and compare them with compare_runs(experiment)."
                )
            raise DataError(told)
    if not histories.missing.any():
        return histories, ()
    check_rules(TREND_RULES, State(missing=missing, **facts_of_histories(histories)), "missing")
    return without_incomplete(histories)


def without_incomplete(histories: Histories) -> tuple[Histories, tuple[Note, ...]]:
    """Return the problems with runs of every algorithm, and a note on those that are left out."""
    incomplete = np.asarray(histories.missing.any(axis=1))
    kept = [histories.problems[i] for i in np.flatnonzero(~incomplete)]
    dropped = [histories.problems[i] for i in np.flatnonzero(incomplete)]
    names, n = listed(dropped, most=10), len(histories.problems)
    left_out = note("dropped/problems", dropped=dropped, n=n, names=names)
    return histories.select(problems=kept), (left_out,)


_PRINTED_ALPHA = 0.1  # of the case study of Derrac et al. (2014)

# Differences of very large values might overflow. Multiplied by this factor, a power of two, the
# values have the same ranks, and their differences do not overflow.
_SMALLER = 2.0**-3


def aggregated(values: FloatArray, aggregate: str) -> FloatArray:
    """Average the values over the runs, the third axis, by their mean or median.

    The result has the shape (n_problems, n_algorithms, n_cutpoints).
    """
    over = mean_over if aggregate == "mean" else median_over
    return over(np.moveaxis(values, 2, -1))


class Ends:
    """Aggregated values at the cut-points, smaller being better, and when optima are reached.

    ``scale`` is the magnitude that determines the rounding noise of the values. ``reached`` is
    the first cut-point (from 1) at the optimum, by problem and algorithm, or None if no optimum
    is known. ``final_ranks`` rank the algorithms of each problem at the last cut-point.
    ``tolerance`` is the one that was given, or that logarithms of errors of 0 need.
    """

    def __init__(
        self, curves: FloatArray, data: Histories, tolerance: float | None, *, logs: bool
    ) -> None:
        sign = -1.0 if data.direction == MAXIMIZE else 1.0
        optimum = None if data.optimum is None else data.optimum[:, np.newaxis, np.newaxis]
        if logs and optimum is not None and not tolerance:
            tolerance = _order_below_errors(curves, data)
        self.tolerance = tolerance
        if max(np.abs(known).max() for known in (curves, optimum) if known is not None) > LARGEST:
            curves = curves * _SMALLER
            optimum = None if optimum is None else optimum * _SMALLER
            tolerance = None if tolerance is None else tolerance * _SMALLER
        self.values = sign * curves
        self.scale = np.abs(curves)
        self.reached: IntArray | None = None
        if optimum is not None and tolerance is not None:
            errors = self.values - sign * optimum
            self.scale = np.maximum(self.scale, np.abs(optimum))
            # the mean of runs that are all at the optimum may differ from it by a rounding error
            solved = errors <= tolerance + NOISE * self.scale
            self.values = np.where(solved, 0.0, errors)
            c = curves.shape[2]
            first = np.where(solved.any(axis=2), solved.argmax(axis=2) + 1, c + 1)
            # an optimum reached at the last cut-point only leaves no later ranks to correct
            self.reached = np.asarray(np.where(first == c, c + 1, first), dtype=np.int64)
        self.final_ranks = midranks(self.values[..., -1], scale=self.scale[..., -1])
        if logs:
            self._take_logs(tolerance or 0.0)

    def _take_logs(self, tolerance: float) -> None:
        # without known optima all values are positive, as a rule says
        values = np.maximum(self.values, max(tolerance, _TINY))
        self.values = np.log(values)
        self.scale = np.maximum(np.abs(self.values), self.scale / values)


_TINY = float(np.finfo(np.float64).tiny)
_COMMON = 1e-8  # the tolerance of many competitions


def _order_below_errors(curves: FloatArray, data: Histories) -> float:
    """Return the power of ten below the errors of all runs that are not 0; 0 if no mean is 0."""
    optimum = np.asarray(data.optimum)[:, np.newaxis, np.newaxis]
    if not (np.abs(curves / 2 - optimum / 2) * 2 <= NOISE * np.abs(curves)).any():
        return 0.0
    known = optimum[..., np.newaxis]
    errors = np.abs(data.values / 2 - known / 2) * 2  # halves cannot overflow
    positive = errors[errors > NOISE * np.maximum(np.abs(data.values), np.abs(known))]
    least = float(positive.min(initial=np.inf)) if positive.size else _COMMON
    return float(10.0 ** math.floor(math.log10(least) + NOISE))


def trend_tests(ends: Ends, version: str, chosen: State) -> TrendTests:
    """Test all ordered pairs at once.

    Ranks are computed for the upper triangle; those of the lower one are their mirror images.
    """
    n, k, c = ends.values.shape
    row, column = np.triu_indices(k, 1)
    values, scale = ends.values.swapaxes(0, 1), ends.scale.swapaxes(0, 1)
    reached = ends.reached.T if version == "alternative" and ends.reached is not None else None
    upper = trend.convergence_ranks(
        values[column] - values[row],
        None if reached is None else reached[row],
        None if reached is None else reached[column],
        scale=np.maximum(scale[row], scale[column]),
    )
    ranks = np.full((k, k, n, c), (c + 1) / 2)
    ranks[row, column], ranks[column, row] = upper, c + 1 - upper
    off = ~np.eye(k, dtype=np.bool_)
    both, formulas = ranks[off], chosen.formulas  # (k (k - 1), n, c), row by row
    exchange = trend.exchange(both)
    page = trend.page(both, method="normal" if formulas == "printed" else AUTO, formulas=formulas)
    test = exchange if chosen.null == "exchange" else page

    def matrix(cells: FloatArray, diagonal: float = 1.0) -> FloatArray:
        square = np.full((k, k), diagonal)
        square[off] = cells
        return square

    def adjusted(p: FloatArray, diagonal: float, **kind: Any) -> Labelled[FloatArray]:
        made = {
            name: adjusting.adjust(p, name, chosen.alpha, formulas=formulas, **kind)
            for name in chosen.adjust
        }
        return Labelled({name: matrix(cells, diagonal) for name, cells in made.items()})

    by_procedure = adjusted(test.pvalue, 1.0)
    decisive = next(iter(by_procedure.values()), matrix(test.pvalue))
    return TrendTests(
        statistic=matrix(page.statistic, n * c * (c + 1) ** 2 / 4),
        exchange=matrix(exchange.pvalue),
        log10_exchange=matrix(exchange.log10_pvalue, 0.0),
        page=matrix(page.pvalue),
        log10_page=matrix(page.log10_pvalue, 0.0),
        exchange_method=exchange.method,
        page_method=page.method,
        adjusted=by_procedure,
        log10_adjusted=adjusted(test.log10_pvalue, 0.0, log10=True),
        rejected=decisive <= chosen.alpha,
        ranks=ranks,
    )


# ---------------------------------------------------------------------------------- notes


def notes_of(
    data: Histories,
    chosen: State,
    asked: State,
    reached: IntArray | None,
    tests: Sequence[TrendTests],
) -> Iterator[Note]:
    """Yield notes on the data, on what the options assume, and on what cannot be found."""
    n, m = len(data.problems), len(data.algorithms) * (len(data.algorithms) - 1)
    if n < 2 * chosen.cutpoints:
        yield note("few-problems", n=n, chosen=chosen)
    if data.values.shape[2] > 1:
        yield note("aggregated", chosen=chosen)
    counts = data.n_runs
    if (counts != counts.max()).any():
        yield note("runs-differ/convergence", least=counts.min(), most=counts.max())
    if chosen.differences == "raw":
        needed = "; they need known optima" if reached is None else ""
        yield note("raw-differences", needed=needed)
    elif reached is None:
        yield note("no-errors")
    yield from _of_optima(chosen, asked, reached)
    if chosen.null == "page":
        yield note("page-null")
    elif any(test.rejected.any() for test in tests):
        yield note("exchange-null")
    elif all(test.exchange_method == EXACT for test in tests):
        # the smallest p is that of the 2^n exchanges of which only one gives so large a statistic
        yield from _notes.of_reach(
            lambda n: 2.0**-n,
            n,
            alpha=chosen.alpha,
            m=m,
            procedure=next(iter(chosen.adjust), ""),
            what="the trend test",
            noun="problem",
        )
    yield from _notes.of_procedures(chosen.adjust, chosen.formulas, "problems")
    yield from _notes.of_family(chosen.adjust, m, chosen.alpha, "ordered pairs")


def _of_optima(chosen: State, asked: State, reached: IntArray | None) -> Iterator[Note]:
    """Yield a note on what reached or unknown optima mean for the ranks."""
    if reached is None:
        if asked.version in ("both", AUTO):
            yield note("no-optimum")
        return
    if chosen.optimum_tolerance and not asked.optimum_tolerance:
        yield note("chosen-tolerance", chosen=chosen)
    early = np.asarray((reached <= chosen.cutpoints).any(axis=1))
    if early.any() and "basic" in chosen.versions:
        yield note("optimum-reached", n_early=int(early.sum()), n=len(early))
    elif not early.any() and "alternative" in chosen.versions:
        yield note("never-reached", chosen=chosen)


# A hit is known to this share of its evaluations, or a note says that the points are coarse
_FINE = 0.1


def fixed_targets(
    histories: Histories,
    *,
    targets: Any = default("targets"),
    precisions: npt.ArrayLike | None = default("precisions"),
    restarts: bool = default("restarts"),
    missing: str = default("convergence.missing"),
) -> FixedTargets:
    """Compute how long optimisers take to reach targets, and how often they do.

    The **expected running time** (ERT) of an algorithm to a target on a problem is the sum of the
    evaluations of all its runs, those of a successful run up to and including the evaluation that
    reached the target and those of any other run in full, whatever budget other algorithms had,
    divided by the number of successful runs. Without a success it is infinite. It estimates how
    long independent restarts would take on average. The share of all targets that runs have
    reached by a number of evaluations is the runtime distribution, which
    :func:`nbcompare.plots.runtime_distribution` draws. Nothing is tested.

    Parameters
    ----------
    histories : Histories
        Any number of algorithms and problems.
    targets : array_like, mapping from every problem to numbers, or "quantiles", optional
        Values of the objective; a run reaches one when its best value is that or better. A list
        is for all problems; a mapping has as many for each. ``quantiles``: ten for every problem
        that are chosen from these histories, the deciles of all values that were recorded on it,
        up to the best of all; they depend on which algorithms are there.
    precisions : array_like, optional
        Distances from the known optima instead. Without either, 51 of them, from 1e2 to 1e-8 in
        equal steps of their logarithm, as COCO has them.
    restarts : bool
        Whether the runtime distribution goes on beyond the end of runs that missed a target, by
        simulated restarts: runs of the algorithm on the problem are drawn and added up until one
        reaches the target. The figures of COCO do so. Expected running times are the same.
    missing : {"raise", "drop"}
        ``raise``: a problem on which an algorithm has no run is an error that names it.
        ``drop``: such problems are left out.

    Returns
    -------
    FixedTargets
        The result, which displays itself; see also its ``to_frame()`` and ``sentences``, and
        ``to_experiment()``, which gives the expected running times to one target as scores that
        :func:`nbcompare.compare` takes.

    Raises
    ------
    DataError
        If optima are needed and not known, or an algorithm has no run on a problem.
    ValueError
        If targets are not numbers that differ, or not as many for every problem.

    Notes
    -----
    A hit counts at the first evaluation that was **logged** with a value at the target: exact where
    improvements are logged; a note says so where logs are at points that all runs share, so far
    apart that this matters. Runs count with their own evaluations, those that stop at a target
    with the evaluations until then.

    Expected running times to several targets on one problem come from the same runs, so they are
    not independent, and a test takes one target for each problem.

    References
    ----------
    Auger, A. and Hansen, N. (2005). Performance evaluation of an advanced local search
    evolutionary algorithm. IEEE Congress on Evolutionary Computation, 1777-1784.
    Hansen, N., Auger, A., Ros, R., Mersmann, O., Tušar, T. and Brockhoff, D. (2021). COCO: a
    platform for comparing continuous optimizers in a black-box setting. Optimization Methods and
    Software 36 (1), 114-144.
    Wang, H., Vermetten, D., Ye, F., Doerr, C. and Bäck, T. (2022). IOHanalyzer: detailed
    performance analyses for iterative optimization heuristics. ACM Transactions on Evolutionary
    Learning and Optimization 2 (1), 1-29.

    Examples
    --------
    Of two runs of 30 evaluations, one reaches 2, at 20 evaluations: (20 + 30) / 1.

    >>> import nbcompare as nbc
    >>> histories = nbc.Histories.from_array(
    ...     [[[[9, 2, 1], [7, 6, 6]], [[8, 7, 6], [9, 6, 5]]]], direction="minimize",
    ...     evaluations=[10, 20, 30], algorithms=["DE", "random search"])
    >>> result = nbc.fixed_targets(histories, targets=[6, 2])
    >>> result.to_frame()[["algorithm", "target", "ert", "successes", "runs"]]
           algorithm  target   ert  successes  runs
    0             DE     6.0  20.0          2     2
    1             DE     2.0  50.0          1     2
    2  random search     6.0  25.0          2     2
    3  random search     2.0   inf          0     2
    """
    asked = check_options("fixed_targets", locals())
    check_histories(histories).check_best_so_far("fixed targets")
    data, left_out = _complete(histories, missing)
    found = data.targets(targets, precisions=precisions)
    times = expected_running_times(found.evaluations, found.budgets)
    missed = np.isinf(found.evaluations).any(axis=3)
    steps = steps_of_runs(
        _restarted(found) if restarts else found.evaluations,
        np.where(missed, found.budgets, np.nan),
    )
    chosen = "precisions"
    if targets is not None:
        chosen = QUANTILES if isinstance(targets, str) else "values"
    asked["targets"] = _recorded(targets)
    asked["precisions"] = None if precisions is None else _numbers(precisions)
    return result_of(
        FixedTargets,
        data,
        asked,
        given=histories,
        targets=found.targets,
        precisions=found.precisions,
        chosen=chosen,
        ert=times.expected,
        successes=times.successes,
        n_runs=data.n_runs,
        budgets=np.nanmax(found.budgets, axis=2),
        **steps._asdict(),
        dimensions=data.dimensions,
        notes=(*data.notes, *left_out, *_target_notes(data, chosen, found)),
    )


def _numbers(values: Any) -> tuple[float, ...]:
    return tuple(np.atleast_1d(values).astype(float).tolist())


def _recorded(targets: Any) -> Any:
    """Return targets as a result records them: a mapping as rows of a name and numbers."""
    if targets is None or isinstance(targets, str):
        return targets
    if isinstance(targets, Mapping):
        return tuple((str(name), *_numbers(values)) for name, values in targets.items())
    if isinstance(targets, list | tuple) and targets and isinstance(targets[0], list | tuple):
        return tuple((str(row[0]), *map(float, row[1:])) for row in targets)
    return _numbers(targets)


def _restarted(found: Runtimes) -> FloatArray:
    """Return the evaluations at the hits, beyond the end of unsuccessful runs by restarts."""
    hits = found.evaluations.copy()
    for place in np.ndindex(found.n_runs.shape):
        label = f"{found.problems[place[0]]}\0{found.algorithms[place[1]]}"
        rows = (*place, slice(found.n_runs[place]))
        source = np.random.default_rng(int.from_bytes(label.encode(), "big"))
        hits[rows] = restarted(hits[rows], found.budgets[rows], source)
    return hits


def _complete(histories: Histories, missing: str) -> tuple[Histories, tuple[Note, ...]]:
    """Return the histories without problems that an algorithm has no run on."""
    if not histories.missing.any():
        return histories, ()
    facts = facts_of_histories(histories) | {"needed": 1}
    check_rules(TREND_RULES, State(facts, missing=missing), "missing")
    return without_incomplete(histories)


# --------------------------------------------------------------------------------- notes


def _target_notes(data: Histories, chosen: str, found: Runtimes) -> Iterator[Note]:
    if chosen == QUANTILES:
        yield note("targets-from-data")
    same = (found.targets[:, 1:] == found.targets[:, :-1]).any(axis=1)
    if same.any():
        why = ", because many runs recorded the same value."
        if chosen == "precisions":
            why = ": the numbers there are too large for differences as small as these precisions."
        yield note("equal-targets", problems=_problems(found, same), why=why)
    nowhere = np.asarray(~found.reached[..., -1].any(axis=(1, 2)))
    if nowhere.any():
        yield note("unreached", problems=_problems(found, nowhere))
    if data.logged is None:
        yield from _of_points(found, data.evaluations)
    if any(note.code == "stopped-early" for note in data.notes):
        yield note("short-runs")
    least, most = data.n_runs.min(), data.n_runs.max()
    if most == 1:
        yield note("single-runs/targets")
    elif least < most:
        yield note("runs-differ/targets", least=least, most=most)


def _problems(found: Runtimes, where: BoolArray) -> str:
    return named([found.problems[i] for i in np.flatnonzero(where)], most=3)


def _of_points(found: Runtimes, points: FloatArray) -> Iterator[Note]:
    """Yield a note if hits may have been long before the point that shows them."""
    at = found.evaluations[found.reached]
    before = [
        np.append(0.0, own)[np.searchsorted(own, hits[np.isfinite(hits)])]
        for own, hits in zip(points, found.evaluations, strict=True)
    ]
    since = np.concatenate(before)
    # of a step to the next evaluation, the evaluation is known
    coarse = np.maximum(at - since - 1, 0) > _FINE * at
    if not coarse.any():
        return
    first = (since == 0) & coarse
    even = (
        f", {_percent(first)} even at any evaluation up to the first point" if first.any() else ""
    )
    yield note("coarse-points", share=_percent(coarse), fine=100 * _FINE, even=even)


def _percent(mask: BoolArray) -> str:
    share = float(np.mean(mask))
    return f"{share * 100:.0f} %" if share >= 0.01 else "less than 1 %"
