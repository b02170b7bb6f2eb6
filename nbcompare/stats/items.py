"""Tests of pairs of algorithms on the same items, with standard errors of clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from nbcompare._arrays import FloatArray, IntArray
from nbcompare.stats import tails
from nbcompare.stats.parametric import log_tails
from nbcompare.stats.sign import sign_test


class PairTests(NamedTuple):
    """Tests of pairs on items, with one entry per pair.

    ``difference`` is the mean difference first minus second, averaged over benchmarks, with its
    standard ``error`` and interval; ``statistic`` is positive where the first is higher.
    """

    difference: FloatArray
    error: FloatArray
    lower: FloatArray
    upper: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    is_exact: bool


def cluster_errors(values: FloatArray, clusters: IntArray | None = None) -> FloatArray:
    r"""Return standard errors of the means of rows, whose items may belong together.

    With n items in G clusters it is :math:`\sqrt{G/(G-1) \sum_g (\sum_{i \in g} (x_i - \bar
    x))^2} / n` (Miller 2024, equation 4, with the correction for few clusters).

    Parameters
    ----------
    values : ndarray of float, shape (n_rows, n_items)
        Scores, or differences.
    clusters : ndarray of int, shape (n_items,), optional
        Numbers of clusters from 0; without them every item is one by itself.

    Returns
    -------
    ndarray of float, shape (n_rows,)
        Standard errors.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[1.0, 1.0, 0.0, 0.0]])
    >>> cluster_errors(values).round(4).item()
    0.2887
    >>> cluster_errors(values, np.array([0, 0, 1, 1])).item()
    0.5
    """
    centred = values - values.mean(axis=1, keepdims=True)
    sums = centred if clusters is None else cluster_sums(centred, clusters)
    n_clusters = sums.shape[1]
    factor = n_clusters / (n_clusters - 1)
    return np.asarray(np.sqrt(factor * np.square(sums).sum(axis=1)) / values.shape[1])


def cluster_sums(values: FloatArray, clusters: IntArray) -> FloatArray:
    """Return the sums of rows over the items of each cluster."""
    sums = np.zeros((len(values), int(clusters.max()) + 1))
    np.add.at(sums.T, clusters, values.T)
    return sums


def mcnemar(wins: IntArray, losses: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Perform McNemar's exact two-sided test of each pair (McNemar 1947).

    Parameters
    ----------
    wins, losses : ndarray of int, shape (n_pairs,)
        Numbers of items on which the first alone, or the second alone, is right.

    Returns
    -------
    tuple of ndarray
        Wins less losses, p and log10 p. Without such items p is 1.

    Examples
    --------
    >>> import numpy as np
    >>> [found.round(6).item() for found in mcnemar(np.array([14]), np.array([1]))[:2]]
    [13.0, 0.000977]
    """
    found = sign_test(wins, np.zeros_like(wins), losses)
    return found.statistic.astype(np.float64), found.pvalue, found.log10_pvalue


def mean_differences(
    gains: Sequence[FloatArray],
    clusters: Sequence[IntArray | None],
    *,
    confidence: float = 0.95,
) -> PairTests:
    """Test mean differences on items, averaged over benchmarks, by their standard errors.

    Parameters
    ----------
    gains : sequence of ndarray of float, shape (n_pairs, n_items)
        Differences of the pairs on the items of each benchmark, positive where the first is
        better.
    clusters : sequence of ndarray of int, shape (n_items,), or None
        The clusters of these items.
    confidence : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    PairTests
        p by Student's t with as many degrees of freedom as there are clusters, less one of each
        benchmark. If a difference is the same on all items, t is infinite (or 0, and p 1).
    """
    means = [each.mean(axis=1) for each in gains]
    errors = [cluster_errors(each, of) for each, of in zip(gains, clusters, strict=True)]
    difference = np.asarray(np.mean(means, axis=0))
    error = np.asarray(np.sqrt(np.square(errors).sum(axis=0)) / len(gains))
    numbers = (
        each.shape[1] if of is None else int(of.max()) + 1
        for each, of in zip(gains, clusters, strict=True)
    )
    freedom = sum(number - 1 for number in numbers)
    flat = error == 0
    with np.errstate(divide="ignore"):
        t = np.where(flat & (difference == 0), 0.0, difference / np.where(flat, 1.0, error))
    t = np.where(flat & (difference != 0), np.copysign(np.inf, difference), t)
    p, log10_p = tails.from_log(log_tails(-t, freedom, "two-sided"))
    reach = special.stdtrit(freedom, (1 + confidence) / 2) * error
    return PairTests(
        difference, error, difference - reach, difference + reach, t, p, log10_p, False
    )
