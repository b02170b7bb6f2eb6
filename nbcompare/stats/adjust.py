"""Adjusted p-values for a family of hypotheses."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import FloatArray, locked
from nbcompare._validation import check_choice, check_count, check_probability, check_pvalues
from nbcompare.stats.omnibus import FORMULAS

_LN10 = math.log(10.0)
# Terms of Rom's recursion beyond this many are below rounding at any level: they fall like 1/l!.
_ROM_TERMS = 120
# Beyond this level the constants that the programs print no longer fall.
_HIGHEST_PRINTED_ROM = 0.4


def adjust(
    pvalues: npt.ArrayLike,
    method: str,
    alpha: float = 0.05,
    *,
    log10: bool = False,
    formulas: str = "corrected",
) -> FloatArray:
    """Adjust p-values so that comparing each with ``alpha`` controls an error of the family.

    That is the family-wise error, or the false discovery rate for Benjamini and Hochberg's
    and Benjamini and Yekutieli's procedures. With p sorted ascending, m hypotheses, and
    results capped at 1:

    ======================= ============================================ =========
    method                  adjusted p of the i-th                       kind
    ======================= ============================================ =========
    ``bonferroni``          m p_i                                        one step
    ``sidak``               1 - (1 - p_i)^m                              one step
    ``holm``                max over j <= i of (m - j + 1) p_j           step down
    ``holland``             max over j <= i of 1 - (1 - p_j)^(m - j + 1) step down
    ``finner``              max over j <= i of 1 - (1 - p_j)^(m/j)       step down
    ``hochberg``            min over j >= i of (m - j + 1) p_j           step up
    ``hommel``              closed testing with Simes' test              closed
    ``rom``                 min over j >= i of alpha p_j / c_(m - j + 1) step up
    ``li``                  p_i / (p_i + 1 - p_m)                        two steps
    ``benjamini-hochberg``  min over j >= i of m p_j / j                 step up
    ``benjamini-yekutieli`` min over j >= i of m s p_j / j               step up
    ======================= ============================================ =========

    with s = 1 + 1/2 + ... + 1/m.

    Bonferroni and Holm are valid under any dependence; Šidák and Holland under independence and
    under the positive dependence for which Šidák's inequality holds; Hochberg and Hommel under
    the dependence for which Simes' inequality holds. Rom and Li are derived for independent
    p-values, and Li requires independence: for four equally correlated statistics (0.5), its
    error at 0.05 is 0.068. Finner controls the error only if all hypotheses are true; see the
    notes. Benjamini and Hochberg control the false discovery rate under independence and positive
    regression dependence, Benjamini and Yekutieli under any dependence.

    Parameters
    ----------
    pvalues : array_like, shape (m,) or (n_families, m)
        Raw p-values, in any order; each row is a family.
    method : {"bonferroni", "sidak", "holm", "holland", "finner", "hochberg", "hommel", \
"rom", "li", "benjamini-hochberg", "benjamini-yekutieli"}
        The procedure.
    alpha : float, default 0.05
        Significance level. Only Rom's constants depend on it: his adjusted p-values are
        to be compared with this level and no other.
    log10 : bool, default False
        Whether p-values are given and returned as common logarithms, for p that underflows.
    formulas : {"corrected", "printed"}
        ``printed`` takes Rom's constants from the recursion of the SCI2S programs, whose
        sums end one term early (3, 3.814, 4.755, ... for 2.963, 3.933, 4.905, ...); with
        them the error for 4 hypotheses at 0.05 is 0.0515. No other method differs.

    Returns
    -------
    ndarray of float
        Adjusted p-values in the order and the shape of the input; equal p-values stay equal.

    Raises
    ------
    ValueError
        If a number is not a p-value, or the method is unknown.

    Notes
    -----
    Finner's procedure, as printed and as programs compute it, controls the family-wise error only
    if all hypotheses are true, although the literature recommends it. Let m - t hypotheses be
    clearly false (their p is 0) and t true, with independent p-values. The false ones are
    rejected in the first m - t steps, so that the smallest p of the true ones meets the level
    1 - (1 - alpha)^((m - t + 1)/m) and is above it with probability
    (1 - alpha)^(t (m - t + 1)/m). The error is thus 1 - (1 - alpha)^(t (m - t + 1)/m): at
    alpha = 0.05 it is 0.066 for m = 3 and t = 2, 0.111 for m = 7 and t = 4, and 0.237 for m = 19
    and t = 10.

    Li rejects everything if the largest p is at most ``alpha``. If it is 1 he rejects
    only what is 0: every other adjusted p is 1.

    References
    ----------
    Šidák, Z. (1967). Rectangular confidence regions for the means of multivariate normal
    distributions. Journal of the American Statistical Association 62, 626-633.
    Holm, S. (1979). A simple sequentially rejective multiple test procedure.
    Scandinavian Journal of Statistics 6, 65-70.
    Holland, B. S. and Copenhaver, M. D. (1987). An improved sequentially rejective
    Bonferroni test procedure. Biometrics 43, 417-423.
    Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of
    significance. Biometrika 75, 800-802.
    Hommel, G. (1988). A stagewise rejective multiple test procedure based on a modified
    Bonferroni test. Biometrika 75, 383-386.
    Rom, D. M. (1990). A sequentially rejective test procedure based on a modified
    Bonferroni inequality. Biometrika 77, 663-665.
    Finner, H. (1993). On a monotonicity problem in step-down multiple test procedures.
    Journal of the American Statistical Association 88, 920-923.
    Li, J. (2008). A two-step rejection procedure for testing multiple hypotheses.
    Journal of Statistical Planning and Inference 138, 1521-1527.
    Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate: a practical
    and powerful approach to multiple testing. Journal of the Royal Statistical Society B 57,
    289-300.
    Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate in
    multiple testing under dependency. Annals of Statistics 29, 1165-1188.

    Examples
    --------
    Demšar (2006, p. 14), three classifiers against C4.5; 0.016 times 3, 0.019 times 2:

    >>> adjust([0.019, 0.607, 0.016], "holm").round(3)
    array([0.048, 0.607, 0.048])
    >>> adjust([0.019, 0.607, 0.016], "li").round(3)  # 0.019 / (0.019 + 0.393)
    array([0.046, 0.607, 0.039])
    >>> adjust([-400.0, -2.0], "holm", log10=True).round(3)
    array([-399.699,   -2.   ])
    """
    array = check_pvalues(pvalues, "pvalues", log10=log10)
    check_choice(method, "method", METHODS)
    level = check_probability(alpha, "alpha")
    check_choice(formulas, "formulas", FORMULAS)
    if array.size == 0:
        return array.copy()
    order = np.argsort(array, axis=-1, kind="stable")
    sorting = (order,) if array.ndim == 1 else (np.arange(len(array))[:, np.newaxis], order)
    ordered = array[sorting]
    adjusted = np.empty_like(array)
    # rounding must not put an adjusted p-value below its p
    adjusted[sorting] = np.maximum(
        _PROCEDURES[method](ordered, _Setting(level, log10, formulas)), ordered
    )
    return np.minimum(adjusted, 0.0 if log10 else 1.0)


def adjusted_alphas(
    m: int, method: str, alpha: float = 0.05, *, formulas: str = "corrected"
) -> FloatArray:
    """Return the level with which each ordered p-value is compared, as in the SCI2S programs.

    ======================= ==========================
    method                  level of the i-th smallest
    ======================= ==========================
    ``bonferroni``          alpha/m
    ``sidak``               1 - (1 - alpha)^(1/m)
    ``holm``                alpha/(m - i + 1)
    ``holland``             1 - (1 - alpha)^(1/(m - i + 1))
    ``finner``              1 - (1 - alpha)^(i/m)
    ``hochberg``            alpha/(m - i + 1)
    ``rom``                 c_(m - i + 1)
    ``benjamini-hochberg``  i alpha/m
    ``benjamini-yekutieli`` i alpha/(m s)
    ======================= ==========================

    A one-step procedure rejects each hypothesis whose p is at most its level. Step-down
    procedures (Holm, Holland, Finner) start with the smallest p and stop at the first one above
    its level; step-up procedures (the others) start with the largest p and reject the first
    hypothesis whose p is at most its level and all with smaller p. Hommel and Li use levels that
    depend on the p-values, so they are not available here.

    Parameters
    ----------
    m : int
        The number of hypotheses, at least 1.
    method : {"bonferroni", "sidak", "holm", "holland", "finner", "hochberg", "rom", \
"benjamini-hochberg", "benjamini-yekutieli"}
        The procedure.
    alpha : float, default 0.05
        Family-wise significance level.
    formulas : {"corrected", "printed"}
        As in :func:`adjust`; only Rom's levels differ.

    Returns
    -------
    ndarray of float, shape (m,)
        Ascending (constant for one step).

    Raises
    ------
    ValueError
        If the method has no such levels.

    Examples
    --------
    >>> adjusted_alphas(4, "holm").round(4)
    array([0.0125, 0.0167, 0.025 , 0.05  ])
    >>> (0.05 / adjusted_alphas(5, "rom")).round(3)
    array([4.905, 3.933, 2.963, 2.   , 1.   ])
    """
    count = check_count(m, "m", least=1)
    check_choice(method, "method", METHODS)
    level = check_probability(alpha, "alpha")
    check_choice(formulas, "formulas", FORMULAS)
    left = _remaining(count)
    if method in ("holm", "hochberg"):
        return level / left
    if method == "rom":
        return _rom_levels(count, level, formulas)[::-1].copy()
    if method == "bonferroni":
        return np.full(count, level / count)
    if method == "benjamini-hochberg":
        return level * np.arange(1.0, count + 1) / count
    if method == "benjamini-yekutieli":
        return level * np.arange(1.0, count + 1) / (count * _harmonic(count))
    powers = {
        "sidak": np.full(count, 1 / count),
        "holland": 1 / left,
        "finner": np.arange(1, count + 1) / count,
    }
    if method in powers:
        return _at_least_one(np.full(count, level), powers[method], log10=False)
    raise ValueError(
        f"`method` must be a procedure with fixed levels; those of {method!r} depend on the "
        "p-values. Use adjust(...) and compare with alpha."
    )


@dataclass(frozen=True, slots=True)
class _Setting:
    """Settings of a procedure."""

    alpha: float
    log10: bool
    formulas: str


def _times(pvalues: FloatArray, factors: FloatArray | float, log10: bool) -> FloatArray:
    return pvalues + np.log10(factors) if log10 else pvalues * factors


def _at_least_one(pvalues: FloatArray, powers: FloatArray, log10: bool) -> FloatArray:
    """Return ``1 - (1 - p)^power`` without loss for p near 0 or 1, or in logarithms."""
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        if not log10:
            out = -np.expm1(powers * np.log1p(-pvalues))
        else:
            # With x = -power log(1 - p) the result is 1 - exp(-x). A tiny p equals -log(1 - p)
            # to all digits, and a tiny x equals the result, so that logarithms are kept.
            log_p = pvalues * _LN10
            log_x = np.where(log_p < -40.0, log_p, np.log(-_log_complement(log_p)))
            log_x = log_x + np.log(powers)
            out = np.where(log_x < -40.0, log_x, _log_complement(-np.exp(log_x))) / _LN10
    # a power of 1 leaves p unchanged
    return np.where(powers == 1.0, pvalues, out)


def _log_complement(log_p: FloatArray) -> FloatArray:
    """Return ``log(1 - p)`` from ``log p``, accurately if either of them is tiny."""
    near_one = log_p > -math.log(2.0)
    return np.where(near_one, np.log(-np.expm1(log_p)), np.log1p(-np.exp(log_p)))


def _remaining(m: int) -> FloatArray:
    """Return the number of hypotheses that remain at each step: m, m - 1, ..., 1."""
    return np.arange(m, 0, -1, dtype=np.float64)


def _step_down(steps: FloatArray) -> FloatArray:
    return np.maximum.accumulate(steps, axis=-1)


def _step_up(steps: FloatArray) -> FloatArray:
    return np.minimum.accumulate(steps[..., ::-1], axis=-1)[..., ::-1]


def _bonferroni(ordered: FloatArray, setting: _Setting) -> FloatArray:
    return _times(ordered, float(ordered.shape[-1]), setting.log10)


def _sidak(ordered: FloatArray, setting: _Setting) -> FloatArray:
    m = ordered.shape[-1]
    return _step_down(_at_least_one(ordered, np.full(m, float(m)), setting.log10))


def _holm(ordered: FloatArray, setting: _Setting) -> FloatArray:
    return _step_down(_times(ordered, _remaining(ordered.shape[-1]), setting.log10))


def _holland(ordered: FloatArray, setting: _Setting) -> FloatArray:
    return _step_down(_at_least_one(ordered, _remaining(ordered.shape[-1]), setting.log10))


def _finner(ordered: FloatArray, setting: _Setting) -> FloatArray:
    m = ordered.shape[-1]
    return _step_down(_at_least_one(ordered, m / np.arange(1.0, m + 1), setting.log10))


def _hochberg(ordered: FloatArray, setting: _Setting) -> FloatArray:
    return _step_up(_times(ordered, _remaining(ordered.shape[-1]), setting.log10))


def _hommel(ordered: FloatArray, setting: _Setting) -> FloatArray:
    """Adjust by Wright's algorithm (1992), testing sets completed by the largest p-values."""
    m = ordered.shape[-1]
    places = np.arange(1.0, m + 1)
    shares = np.log10(places) if setting.log10 else places
    # Simes' test of all hypotheses, then of smaller and smaller sets
    every = _times(ordered, 1 / places, setting.log10)
    adjusted = np.empty_like(ordered)
    adjusted[:] = _times(every, float(m), setting.log10).min(axis=-1, keepdims=True)
    for size in range(m - 1, 1, -1):
        n_others = m - size + 1
        largest, others = ordered[..., n_others:], ordered[..., :n_others]
        rest = largest - shares[1:size] if setting.log10 else largest / shares[1:size]
        simes = np.minimum(
            _times(others, float(size), setting.log10),
            _times(rest, float(size), setting.log10).min(axis=-1, keepdims=True),
        )
        for part, least in (
            (adjusted[..., :n_others], simes),
            (adjusted[..., n_others:], simes[..., -1:]),
        ):
            np.maximum(part, least, out=part)
    return _step_down(np.maximum(adjusted, ordered))


def _rom(ordered: FloatArray, setting: _Setting) -> FloatArray:
    levels = _rom_levels(ordered.shape[-1], setting.alpha, setting.formulas)[::-1]
    return _step_up(_times(ordered, setting.alpha / levels, setting.log10))


def _li(ordered: FloatArray, setting: _Setting) -> FloatArray:
    if not setting.log10:
        total = ordered + (1.0 - ordered[..., -1:])
        shares: FloatArray = np.zeros_like(ordered)
        np.divide(ordered, total, out=shares, where=total > 0)
        return shares
    with np.errstate(divide="ignore", under="ignore"):
        log_p = ordered * _LN10
        log_rest = _log_complement(log_p[..., -1:])
        possible = log_p > -np.inf
        odds = np.subtract(log_rest, log_p, out=np.full_like(log_p, np.inf), where=possible)
        return -np.logaddexp(0.0, odds) / _LN10


def _benjamini_hochberg(ordered: FloatArray, setting: _Setting) -> FloatArray:
    m = ordered.shape[-1]
    return _step_up(_times(ordered, m / np.arange(1.0, m + 1), setting.log10))


def _benjamini_yekutieli(ordered: FloatArray, setting: _Setting) -> FloatArray:
    m = ordered.shape[-1]
    return _step_up(_times(ordered, m * _harmonic(m) / np.arange(1.0, m + 1), setting.log10))


def _harmonic(m: int) -> float:
    """Return 1 + 1/2 + ... + 1/m."""
    return math.fsum(1 / i for i in range(1, m + 1))


@lru_cache(maxsize=64)
def _rom_levels(m: int, alpha: float, formulas: str) -> FloatArray:
    """Return Rom's c_1 > c_2 > ... > c_m, the levels for the largest p, the next, and so on.

    ``i c_i = sum_{j=1}^{i-1} alpha^j - sum_{j=1}^{i-2} C(i, j) c_{j+1}^{i-j}``; the sums of
    ``printed`` end one term earlier. With l = i - j the l-th term of the second sum is
    about ``x^l / l!`` for ``x = i c_i``, which tends to ``-log(1 - alpha)``: the terms fall
    fast, only a few of them matter, and an error in one c is damped in the next.
    """
    if formulas == "printed" and alpha > _HIGHEST_PRINTED_ROM:
        raise ValueError(
            f"`alpha` must be at most {_HIGHEST_PRINTED_ROM} for the printed constants of 'rom'; "
            f"got {alpha!r}. Use formulas='corrected'."
        )
    first = 2 if formulas == "corrected" else 3
    levels = np.empty(m)
    levels[: min(m, 2)] = (alpha, alpha / 2)[:m]
    for i in range(3, m + 1):
        terms = np.arange(1, min(i - 1, _ROM_TERMS) + 1)
        # C(i, l) / i^l and (i c)^l do not overflow
        choices = np.cumprod((i - terms + 1) / (i * terms))[first - 1 :]
        used = terms[first - 1 :]
        with np.errstate(under="ignore"):
            second = float(choices @ (i * levels[i - used]) ** used)
            geometric = alpha * -scipy.special.powm1(alpha, i + 1 - first) / (1 - alpha)
        levels[i - 1] = (geometric - second) / i
    return locked(levels)


_PROCEDURES: dict[str, Callable[[FloatArray, _Setting], FloatArray]] = {
    "bonferroni": _bonferroni,
    "sidak": _sidak,
    "holm": _holm,
    "holland": _holland,
    "finner": _finner,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "rom": _rom,
    "li": _li,
    "benjamini-hochberg": _benjamini_hochberg,
    "benjamini-yekutieli": _benjamini_yekutieli,
}
METHODS = tuple(_PROCEDURES)
