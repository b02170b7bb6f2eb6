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
    including the hit of runs that are successful, and all evaluations that each other run had.
    Under restarts of independent runs, this estimates the expected time to the first success.

    Parameters
    ----------
    evaluations : ndarray of float, shape (n_problems, n_algorithms, n_runs, n_targets)
        Evaluations at the hit, infinite without one; NaN where there is no run.
    budgets : ndarray of float, shape (n_problems, n_algorithms, n_runs)
        Evaluations that each run had.

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
    Two runs hit at 140 and 230 evaluations, and stop; a third fails after 100,000:

    >>> hits = np.array([140.0, 230.0, np.inf]).reshape(1, 1, 3, 1)
    >>> budgets = np.array([140.0, 230.0, 100_000.0]).reshape(1, 1, 3)
    >>> expected_running_times(hits, budgets).expected.item()
    50185.0
    """
    reached = np.isfinite(evaluations)
    spent = np.where(reached, evaluations, budgets[..., np.newaxis])
    total = np.where(np.isnan(evaluations), 0.0, spent).sum(axis=2)
    successes = reached.sum(axis=2, dtype=np.int64)
    expected = np.full(total.shape, np.inf)
    np.divide(total, successes, out=expected, where=successes > 0)
    return RunningTimes(expected, successes)


class Steps(NamedTuple):
    """What happens in runs, by problem, algorithm and number of evaluations, in this order."""

    cells: IntArray  # shape (n_steps, 2): places of the problem and of the algorithm
    evaluations: FloatArray
    hits: IntArray
    ended: IntArray


def steps_of_runs(evaluations: FloatArray, ends: FloatArray) -> Steps:
    """Count the targets that runs first reach, and the runs that end, at each evaluation.

    Parameters
    ----------
    evaluations : ndarray of float, shape (n_problems, n_algorithms, n_runs, n_targets)
        Evaluations at the hit; infinite without one, NaN without a run.
    ends : ndarray of float, shape (n_problems, n_algorithms, n_runs)
        Evaluations at the end of a run that is counted as such; NaN for others.

    Returns
    -------
    Steps
        ``hits`` are pairs of a run and a target, ``ended`` runs.

    Examples
    --------
    >>> hits = np.array([30.0, np.inf, 50.0, 50.0]).reshape(1, 1, 2, 2)
    >>> steps = steps_of_runs(hits, np.array([[[90.0, np.nan]]]))
    >>> steps.evaluations.tolist(), steps.hits.tolist(), steps.ended.tolist()
    ([30.0, 50.0, 90.0], [1, 2, 0], [0, 0, 1])
    """
    there = [(at, np.nonzero(np.isfinite(at))) for at in (evaluations, ends)]
    found = [np.column_stack([*where[:2], at[where]]) for at, where in there]
    rows, place = np.unique(np.concatenate(found), axis=0, return_inverse=True)
    hits, ended = (
        np.bincount(part, minlength=len(rows)) for part in np.split(place, [len(found[0])])
    )
    return Steps(rows[:, :2].astype(np.int64), rows[:, 2], hits, ended)


def restarted(evaluations: FloatArray, budgets: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Continue runs that missed a target by simulated restarts, as COCO does.

    After all evaluations of the run, runs are drawn with replacement and added up, those of a
    successful one up to the hit, until one is successful. The mean of such times is the expected
    running time.

    Parameters
    ----------
    evaluations : ndarray of float, shape (n_runs, n_targets)
        Evaluations at the hit of the runs of an algorithm on a problem; infinite without one.
    budgets : ndarray of float, shape (n_runs,)
        Evaluations that each run had.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    ndarray of float, shape (n_runs, n_targets)
        Evaluations at the hits, infinite only for targets that no run reached.

    References
    ----------
    Hansen, N., Auger, A., Brockhoff, D. and Tušar, T. (2022). Anytime performance assessment in
    blackbox optimization benchmarking. IEEE Transactions on Evolutionary Computation 26 (6),
    1293-1305.

    Examples
    --------
    >>> hits = np.array([[20.0], [np.inf]])
    >>> times = restarted(hits, np.array([20.0, 100.0]), np.random.default_rng(1))
    >>> times.ravel().tolist()
    [20.0, 120.0]
    """
    order = np.lexsort((*evaluations.T, budgets))  # draws belong to the runs, not their order
    found, hits, spent = evaluations.copy(), evaluations[order], budgets[order]
    for target in np.flatnonzero(np.isfinite(evaluations).any(axis=0)):
        succeeds = np.isfinite(hits[:, target])
        cost = np.where(succeeds, hits[:, target], spent)
        times = cost.copy()
        left = np.flatnonzero(~succeeds)
        while left.size:
            drawn = rng.integers(len(cost), size=left.size)
            times[left] += cost[drawn]
            left = left[~succeeds[drawn]]
        found[order, target] = times
    return found
