"""Statistics of Shapiro and Wilk and of D'Agostino and Pearson for samples of equal size.

SciPy has both, the first for one sample at a time only, in a module that takes longer to import
than most reports take to compute.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from nbcompare._arrays import FloatArray

# Royston's polynomials (1995, algorithm AS R94), constant first: for the two outer weights in
# 1 / sqrt(n); for the distribution of W in n up to 11 values, and in log(n) for more.
_OUTER = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)
_NEXT = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
_FEW = 11
_END_FEW = (-2.273, 0.459)
_MEAN_FEW = (0.544, -0.39978, 0.025054, -6.714e-4)
_LOG_DEVIATION_FEW = (1.3822, -0.77857, 0.062767, -0.0020322)
_MEAN = (-1.5861, -0.31082, -0.083751, 0.0038915)
_LOG_DEVIATION = (-0.4803, -0.082676, 0.0030302)


def shapiro_wilk(block: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return W and the natural logarithm of p for samples that vary: shape (m, n), n >= 3.

    Examples
    --------
    >>> weights = np.array([[148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236.0]])
    >>> w, log_p = shapiro_wilk(weights)
    >>> w.round(4), np.exp(log_p).round(5)
    (array([0.7888]), array([0.0067]))
    """
    n = block.shape[1]
    weights = _weights(n)
    ordered = np.sort(block, axis=1)
    ordered -= ordered.mean(axis=1, keepdims=True)
    # 1 - W without cancellation for W near 1
    together = ordered @ weights
    apart = np.sqrt((weights @ weights) * (ordered**2).sum(axis=1))
    rest = np.clip((apart - together) * (apart + together) / apart**2, 0.0, 1.0)
    return 1.0 - rest, _royston_logp(rest, n)


def _weights(n: int) -> FloatArray:
    """Return the weights of the ordered values, which are antisymmetric."""
    if n == 3:
        return np.array([-math.sqrt(0.5), 0.0, math.sqrt(0.5)])
    half = n // 2
    middles = scipy.special.ndtri((np.arange(1, half + 1) - 0.375) / (n + 0.25))
    squares = 2 * float(middles @ middles)
    root = 1 / math.sqrt(n)
    outer = [_polynomial(_OUTER, root) - middles[0] / math.sqrt(squares)]
    if n > 5:
        outer.append(_polynomial(_NEXT, root) - middles[1] / math.sqrt(squares))
    known = len(outer)
    left = squares - 2 * float(middles[:known] @ middles[:known])
    share = math.sqrt(left / (1 - 2 * sum(weight**2 for weight in outer)))
    upper = np.concatenate([outer, -middles[known:] / share])
    return np.concatenate([-upper, np.zeros(n % 2), upper[::-1]])


def _royston_logp(rest: FloatArray, n: int) -> FloatArray:
    """Return the natural logarithm of p for 1 - W."""
    if n == 3:  # exact
        p = 6 / math.pi * (np.arcsin(np.sqrt(1.0 - rest)) - math.asin(math.sqrt(0.75)))
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.clip(p, 0.0, 1.0)))
    tiny = np.finfo(np.float64).tiny
    y = np.log(np.maximum(rest, tiny))
    if n <= _FEW:
        y = -np.log(np.maximum(_polynomial(_END_FEW, n) - y, tiny))
        mean, log_deviation = _polynomial(_MEAN_FEW, n), _polynomial(_LOG_DEVIATION_FEW, n)
    else:
        size = math.log(n)
        mean, log_deviation = _polynomial(_MEAN, size), _polynomial(_LOG_DEVIATION, size)
    return np.asarray(scipy.special.log_ndtr((mean - y) / math.exp(log_deviation)))


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    return sum(coefficient * x**power for power, coefficient in enumerate(coefficients))


def dagostino_pearson(block: FloatArray) -> FloatArray:
    """Return K squared for samples that vary: shape (m, n), n at least 8.

    Examples
    --------
    >>> dagostino_pearson(np.array([[1, 2, 3, 4, 5, 6, 7, 30.0]])).round(3)
    array([19.541])
    """
    n = block.shape[1]
    centred = block - block.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1)
    skewness = (centred**3).mean(axis=1) / variance**1.5
    kurtosis = (centred**4).mean(axis=1) / variance**2
    return _normal_skewness(skewness, n) ** 2 + _normal_kurtosis(kurtosis, n) ** 2


def _normal_skewness(skewness: FloatArray, n: int) -> FloatArray:
    """Transform the skewness to a standard normal variable (D'Agostino 1970)."""
    y = skewness * math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    beta = 3.0 * (n**2 + 27 * n - 70) * (n + 1) * (n + 3)
    beta /= (n - 2) * (n + 5) * (n + 7) * (n + 9)
    square = math.sqrt(2 * (beta - 1)) - 1
    found: FloatArray = np.arcsinh(y / math.sqrt(2 / (square - 1)))
    return found / math.sqrt(0.5 * math.log(square))


def _normal_kurtosis(kurtosis: FloatArray, n: int) -> FloatArray:
    """Transform the kurtosis to a standard normal variable (Anscombe and Glynn 1983)."""
    mean = 3 * (n - 1) / (n + 1)
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (kurtosis - mean) / math.sqrt(variance)
    skew = 6 * (n**2 - 5 * n + 2) / ((n + 7) * (n + 9))
    skew *= math.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    a = 6 + 8 / skew * (2 / skew + math.sqrt(1 + 4 / skew**2))
    below = 1 + x * math.sqrt(2 / (a - 4))
    cube = np.cbrt((1 - 2 / a) / below)
    found: FloatArray = (1 - 2 / (9 * a) - cube) / math.sqrt(2 / (9 * a))
    return found
