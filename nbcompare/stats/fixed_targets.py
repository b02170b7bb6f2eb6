"""Expected running times of repeated runs, and how many have reached their targets by when."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray, IntArray


class RunningTimes(NamedTuple):
    """Expected running times, infinite without a success, and numbers of successes."""

    expected: FloatArray
    successes: IntArray


def expected_running_times(evaluations: FloatArray, budgets: FloatArray) -> RunningTimes:
    """Return the expected running time (ERT) of each target.

    It is the sum of the evaluations of all runs over the number of successes: those up to and
    including the hit of runs that are successful, and the budget of all others. Under restarts
    of independent runs, this estimates the expected time to the first success.

    Parameters
    ----------
    evaluations : ndarray of float, shape (n_problems, n_algorithms, n_runs, n_targets)
        Evaluations at the hit, infinite without one; NaN where there is no run.
    budgets : ndarray of float, shape (n_problems,)
        Evaluations of every run on the problem.

    Returns
    -------
    RunningTimes
        ``expected`` and ``successes``, shape (n_problems, n_algorithms, n_targets).

    References
    ----------
    Auger, A. and Hansen, N. (2005). Performance evaluation of an advanced local search
    evolutionary algorithm. IEEE Congress on Evolutionary Computation, 1777-1784.

    Examples
    --------
    Hits at 30 and 50 evaluations in two of three runs of 100:

    >>> hits = np.array([30.0, np.inf, 50.0]).reshape(1, 1, 3, 1)
    >>> expected_running_times(hits, np.array([100.0])).expected.item()
    90.0
    """
    reached = np.isfinite(evaluations)
    spent = np.where(reached, evaluations, budgets[:, np.newaxis, np.newaxis, np.newaxis])
    total = np.where(np.isnan(evaluations), 0.0, spent).sum(axis=2)
    successes = reached.sum(axis=2, dtype=np.int64)
    expected = np.full(total.shape, np.inf)
    np.divide(total, successes, out=expected, where=successes > 0)
    return RunningTimes(expected, successes)


def hits_by_point(evaluations: FloatArray, points: FloatArray) -> IntArray:
    """Count the targets that all runs reached first at each point.

    Parameters
    ----------
    evaluations : ndarray of float, shape (n_problems, n_algorithms, n_runs, n_targets)
        Evaluations at the hit, which are points; infinite without one, NaN without a run.
    points : ndarray of float, shape (n_problems, n_points)
        Evaluations at the points of each problem, increasing.

    Returns
    -------
    ndarray of int, shape (n_problems, n_algorithms, n_points)

    Examples
    --------
    >>> hits = np.array([30.0, np.inf, 50.0, 50.0]).reshape(1, 1, 2, 2)
    >>> hits_by_point(hits, np.array([[10.0, 30.0, 50.0]])).tolist()
    [[[0, 1, 2]]]
    """
    found = np.zeros((*evaluations.shape[:2], points.shape[1]), dtype=np.int64)
    for problem, own in enumerate(evaluations):
        for algorithm, hits in enumerate(own):
            place = np.searchsorted(points[problem], hits[np.isfinite(hits)])
            found[problem, algorithm] = np.bincount(place, minlength=points.shape[1])
    return found
