"""Adjusted p-values for a family of hypotheses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_choice, check_probability, check_pvalues


def adjust(
    pvalues: npt.ArrayLike, method: str, alpha: float = 0.05, *, log10: bool = False
) -> FloatArray:
    """Adjust p-values so that comparing each with ``alpha`` controls the family-wise error.

    With p sorted ascending, m hypotheses, and results capped at 1:

    ============== ==================================== ==========
    method         adjusted p of the i-th               kind
    ============== ==================================== ==========
    ``bonferroni`` m p_i                                one step
    ``holm``       max over j <= i of (m - j + 1) p_j   step down
    ``hochberg``   min over j >= i of (m - j + 1) p_j   step up
    ============== ==================================== ==========

    Bonferroni and Holm hold under any dependence, Hochberg under the positive
    dependence for which Simes' inequality holds.

    Parameters
    ----------
    pvalues : array_like, shape (m,)
        Raw p-values, in any order.
    method : {"bonferroni", "holm", "hochberg"}
        The procedure.
    alpha : float, default 0.05
        Significance level. None of these three procedures depends on it.
    log10 : bool, default False
        Take and return common logarithms of p-values, for p that underflows.

    Returns
    -------
    ndarray of float, shape (m,)
        Adjusted p-values in the order of the input; equal p-values stay equal.

    Raises
    ------
    ValueError
        For numbers that are no p-values, or an unknown method.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure.
    Scandinavian Journal of Statistics 6, 65-70.
    Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of
    significance. Biometrika 75, 800-802.

    Examples
    --------
    Demšar (2006, p. 14), three classifiers against C4.5; 0.016 times 3, 0.019 times 2:

    >>> adjust([0.019, 0.607, 0.016], "holm").round(3)
    array([0.048, 0.607, 0.048])
    >>> adjust([-400.0, -2.0], "holm", log10=True).round(3)
    array([-399.699,   -2.   ])
    """
    array = check_pvalues(pvalues, "pvalues", log10=log10)
    check_choice(method, "method", METHODS)
    check_probability(alpha, "alpha")
    if array.size == 0:
        return array.copy()
    order = np.argsort(array, kind="stable")
    adjusted = np.empty_like(array)
    adjusted[order] = _PROCEDURES[method](array[order], log10)
    return np.minimum(adjusted, 0.0 if log10 else 1.0)


def _times(pvalues: FloatArray, factors: FloatArray, log10: bool) -> FloatArray:
    return pvalues + np.log10(factors) if log10 else pvalues * factors


def _remaining(m: int) -> FloatArray:
    """How many hypotheses are still open at each step: m, m - 1, ..., 1."""
    return np.arange(m, 0, -1, dtype=np.float64)


def _bonferroni(ordered: FloatArray, log10: bool) -> FloatArray:
    return _times(ordered, np.full(len(ordered), float(len(ordered))), log10)


def _holm(ordered: FloatArray, log10: bool) -> FloatArray:
    return np.maximum.accumulate(_times(ordered, _remaining(len(ordered)), log10))


def _hochberg(ordered: FloatArray, log10: bool) -> FloatArray:
    steps = _times(ordered, _remaining(len(ordered)), log10)
    return np.minimum.accumulate(steps[::-1])[::-1]


_PROCEDURES: dict[str, Callable[[FloatArray, bool], FloatArray]] = {
    "bonferroni": _bonferroni,
    "holm": _holm,
    "hochberg": _hochberg,
}
METHODS = tuple(_PROCEDURES)
