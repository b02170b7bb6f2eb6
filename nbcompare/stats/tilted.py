"""Bootstrap test of two means from samples that are tilted to a common mean."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, BoolArray, FloatArray
from nbcompare._validation import check_choice, check_count
from nbcompare.stats._laws import ALTERNATIVES
from nbcompare.stats.lattice import SumTails, sum_tails
from nbcompare.stats.permutation import (
    METHODS,
    blocks,
    check_vectors,
    generator,
    permutation_test,
    pvalues,
)
from nbcompare.stats.rankings import whole_numbers

# A larger tilt, in units of the range, puts all weight on one value of each sample.
_LARGEST_TILT = 2.0**60


class Tilted(NamedTuple):
    """Result of the test with one entry per pair of samples.

    The other entries are those of :class:`~nbcompare.stats.permutation.Permutation`. ``tilt`` is
    lambda in the reciprocal unit of the scores, NaN where there is no tilt. ``weights_x`` and
    ``weights_y``, of shape (..., n), are the probabilities with which the values are drawn; they
    are equal where there is no tilt. ``fallback`` is True where there is no tilt, and p is that of
    the permutation test.
    """

    statistic: FloatArray
    p_low: FloatArray
    p_high: FloatArray
    tilt: FloatArray
    weights_x: FloatArray
    weights_y: FloatArray
    fallback: BoolArray


def tilted_test(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    method: str = "exact",
    n_resamples: int = 10_000,
    rng: np.random.Generator | int | None = None,
) -> Tilted:
    r"""Perform the bootstrap test of two means from exponentially tilted samples.

    Values of x are drawn with probabilities :math:`p_{1i} \propto e^{-\lambda x_i}`, those of y
    with :math:`p_{2i} \propto e^{\lambda y_i}`. These are the weights closest to equal ones, in the
    sense of Kullback and Leibler, for which both samples have the same mean. The p-value is the
    probability that the difference of the means of n draws each is as extreme as the observed one
    (Sánchez, Otero and Alcalá 2006, section 2.1.2). Equation (6) of the paper prints the same sign
    for both samples and an extra factor, and its second step prints the weights of the first
    sample; the weights used here follow from its equations (3) and (4).

    Parameters
    ----------
    x, y : array_like, shape (..., n)
        Scores of the first and the second algorithm, smaller is better. They are treated as
        independent samples, even if both were measured on the same folds.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse. Two-sided p is
        twice the smaller tail, at most 1.
    method : {"exact", "resampling"}
        ``exact`` uses the distribution of the sum. ``resampling`` uses ``n_resamples`` random
        samples and the observed ones, as in the paper.
    n_resamples, rng
        See :func:`~nbcompare.stats.permutation.sign_flips`.

    Returns
    -------
    Tilted
        Result of shape (...); ``p_low`` and ``p_high`` are equal for data on a common grid. If the
        ranges of x and y do not overlap, no weights give equal means: ``fallback`` is True and p
        is that of :func:`~nbcompare.stats.permutation.permutation_test` of x - y. If all values of
        x and y are the same number, p is 1.

    Raises
    ------
    ValueError
        If samples differ in shape, a number is not finite, or an option is unknown.

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap, chapter 16.
    Chapman and Hall.

    Examples
    --------
    Weights that fall in x and rise in y give both samples the mean 2.5:

    >>> test = tilted_test([1, 2, 3], [2, 3, 4])
    >>> (test.weights_x @ [1, 2, 3]).round(9).item(), (test.weights_y @ [2, 3, 4]).round(9).item()
    (2.5, 2.5)
    >>> test.statistic.item(), test.p_low.round(4).item()
    (-1.0, 0.1598)
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    check_choice(method, "method", METHODS)
    ours, theirs = check_vectors(x, "x"), check_vectors(y, "y")
    if ours.shape != theirs.shape:
        raise ValueError(
            f"`y` must have the shape of `x`; got arrays of shapes {ours.shape} and {theirs.shape}."
        )
    count = check_count(n_resamples, "n_resamples", least=1)
    source = generator(rng) if method == "resampling" else None
    shape, n = ours.shape[:-1], ours.shape[-1]
    pairs = zip(ours.reshape(-1, n), theirs.reshape(-1, n), strict=True)
    results = [_tilted(one, other, alternative, count, source) for one, other in pairs]
    columns = [np.array(column) for column in zip(*results, strict=True)]
    return Tilted(*(column.reshape(shape + column.shape[1:]) for column in columns))


class _OneTilted(NamedTuple):
    statistic: float
    p_low: float
    p_high: float
    tilt: float
    weights_x: FloatArray
    weights_y: FloatArray
    fallback: bool


def _tilted(
    x: FloatArray,
    y: FloatArray,
    alternative: str,
    n_resamples: int,
    rng: np.random.Generator | None,
) -> _OneTilted:
    """Test one pair of samples, by resampling if there is an ``rng``."""
    n = len(x)
    equal = np.full(n, 1 / n)
    size = np.maximum(np.abs(x), np.abs(y))
    statistic = float(np.mean(x - y))
    noise = NOISE * float(size.max())
    if max(x.max(), y.max()) - min(x.min(), y.min()) <= noise:
        return _OneTilted(0.0, 1.0, 1.0, 0.0, equal, equal, False)
    tilt = _tilt(x, y, noise)
    if tilt is None:
        test = permutation_test(
            x - y,
            alternative=alternative,
            method="exact" if rng is None else "resampling",
            n_resamples=n_resamples,
            rng=rng,
            scale=size,
        )
        p_low, p_high = float(test.p_low), float(test.p_high)
        return _OneTilted(statistic, p_low, p_high, math.nan, equal, equal, True)
    weights = _weights(x, -tilt), _weights(y, tilt)
    x, y = whole_numbers(np.stack([x, y]))
    observed = float(np.sum(x) - np.sum(y))
    if rng is None:
        scale = np.abs(np.stack([x, y])).max(axis=1, keepdims=True)
        tails = sum_tails(
            np.stack([x, -y]), observed, weights=np.stack(weights), repeats=n, scale=scale
        )
    else:
        tails = _drawn_samples(x, y, weights, observed, n_resamples, rng)
    p_low, p_high = map(float, pvalues(tails, alternative))
    return _OneTilted(statistic, p_low, p_high, tilt, *weights, False)


def _tilt(x: FloatArray, y: FloatArray, noise: float) -> float | None:
    """Find lambda for which the weighted means are equal; None if the ranges do not overlap.

    With lambda, the weighted mean of x falls and that of y rises, from one end of their ranges to
    the other, so that they cross once. Values are first scaled by their range.
    """
    from scipy import optimize  # imported here, because it takes longer than a comparison

    if min(y.max() - x.min(), x.max() - y.min()) <= noise:
        return None
    low = min(x.min(), y.min())
    span = max(x.max(), y.max()) - low
    u, v = (x - low) / span, (y - low) / span

    def gap(tilt: float) -> float:
        return float(_weights(u, -tilt) @ u - _weights(v, tilt) @ v)

    here = gap(0.0)
    if abs(here) <= noise / span:
        return 0.0
    end = math.copysign(1.0, here)
    while gap(end) * here > 0:
        end *= 2
        if abs(end) > _LARGEST_TILT:
            return None
    root = float(optimize.brentq(gap, min(0.0, end), max(0.0, end), xtol=1e-15, rtol=1e-15))
    return root / float(span)


def _weights(values: FloatArray, tilt: float) -> FloatArray:
    """Return weights proportional to ``exp(tilt * values)``."""
    exponents = tilt * (values - (values.max() if tilt > 0 else values.min()))
    with np.errstate(under="ignore"):
        weights = np.exp(exponents)
    return np.asarray(weights / weights.sum())


def _drawn_samples(
    x: FloatArray,
    y: FloatArray,
    weights: tuple[FloatArray, FloatArray],
    observed: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> SumTails:
    n = len(x)
    noise = NOISE * n * float(np.abs(x).max() + np.abs(y).max())
    counts = np.ones(2)
    # by size, so that the order of the samples does not matter
    (x, p), (y, q) = (
        (values[order], own[order])
        for values, own, order in zip((x, y), weights, map(np.argsort, (x, y)), strict=True)
    )
    for block in blocks(n_resamples, 2 * n):
        ones = rng.choice(x, (block, n), p=p).sum(axis=1)
        others = rng.choice(y, (block, n), p=q).sum(axis=1)
        counts[0] += np.count_nonzero(ones - others <= observed + noise)
        counts[1] += np.count_nonzero(ones - others >= observed - noise)
    lower, upper = counts / (n_resamples + 1)
    return SumTails(*map(np.asarray, (lower, lower, upper, upper)))
