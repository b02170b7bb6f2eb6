"""Compare how fast optimisers converge, from the histories of their runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nbcompare._options import AUTO, default
from nbcompare._validation import check_count
from nbcompare._version import __version__
from nbcompare.analysis._convergence import (
    Ends,
    aggregated,
    complete,
    notes_of,
    settled,
    trend_tests,
)
from nbcompare.analysis._family import Adjust
from nbcompare.analysis.rules import (
    TREND_RULES,
    State,
    check_rules,
    facts_of_histories,
    without_logs,
)
from nbcompare.histories import Histories
from nbcompare.results import ConvergenceComparison, Design, Labelled
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
        Number of cut-points, at regular shares of each problem's budget; at least 3. About
        twice as many problems as cut-points are advisable.
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
    check_histories(histories).check_best_so_far("a comparison of convergence")
    asked = State(
        cutpoints=check_count(cutpoints, "cutpoints", least=3),
        version=version,
        optimum_tolerance=optimum_tolerance,
        aggregate=aggregate,
        differences=differences,
        adjust=adjust,
        alpha=alpha,
        null=null,
        formulas=formulas,
        missing=missing,
    )
    chosen = settled(asked, histories.optimum)
    if not (isinstance(adjust, str) and adjust == AUTO):
        asked["adjust"] = chosen.adjust
    data, left_out = complete(histories, missing)
    curves = aggregated(data.at_cutpoints(chosen.cutpoints), aggregate)
    facts = {**facts_of_histories(data), "without_logs": without_logs(data, curves)}
    check_rules(TREND_RULES, State(asked, **facts))
    ends = Ends(curves, data, chosen.optimum_tolerance, logs=chosen.differences == "log")
    chosen["optimum_tolerance"] = ends.tolerance
    tests = {name: trend_tests(ends, name, chosen) for name in chosen.versions}
    shares = np.arange(1, chosen.cutpoints + 1) / chosen.cutpoints
    notes = notes_of(data, chosen, asked, ends.reached, list(tests.values()))
    return ConvergenceComparison(
        tests=Labelled(tests),
        null=chosen.null,
        aggregate=aggregate,
        differences=chosen.differences,
        optimum_tolerance=chosen.optimum_tolerance,
        adjust=chosen.adjust,
        alpha=chosen.alpha,
        formulas=formulas,
        missing=missing,
        cutpoints=data.budgets[:, np.newaxis] * shares,
        curves=curves,
        final_ranks=ends.final_ranks.mean(axis=0),
        critical_l=critical_l(
            len(data.problems), chosen.cutpoints, chosen.alpha, formulas=formulas
        ),
        notes=(*data.notes, *left_out, *notes),
        design=design_of_histories(data, histories, asked),
    )


def check_histories(histories: object) -> Histories:
    """Return the histories, or raise an error that says how to make them."""
    if not isinstance(histories, Histories):
        raise TypeError(
            f"`histories` must be a Histories; got {type(histories).__name__}. Make one with "
            "Histories.from_frame(frame, ...) or Histories.read(path, ...)."
        )
    return histories


def design_of_histories(data: Histories, given: Histories, options: Mapping[str, Any]) -> Design:
    """Return the data and options as the result records them.

    ``given`` holds the histories before problems with missing runs were left out.
    """
    kept = set(data.problems)
    return Design(
        algorithms=data.algorithms,
        datasets=data.problems,
        n_datasets=len(data.problems),
        n_folds=1,
        n_runs=int(data.values.shape[2]),
        direction=data.direction,
        measure=data.measure,
        citation=data.citation,
        fingerprint=data.fingerprint,
        version=__version__,
        options=Labelled(options),
        left_out=tuple(problem for problem in given.problems if problem not in kept),
    )
