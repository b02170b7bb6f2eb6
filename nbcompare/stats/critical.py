"""Critical differences: how far apart two average ranks must be."""

from __future__ import annotations

import math

from scipy import special

from nbcompare._validation import check_count, check_probability
from nbcompare.stats import tails


def nemenyi_quantile(k: int, alpha: float = 0.05) -> float:
    r"""Nemenyi's critical value :math:`q_\alpha`: the studentized range over sqrt(2).

    Infinite degrees of freedom, as in Demšar (2006, Table 5a).

    Parameters
    ----------
    k : int
        Number of algorithms, at least 2.
    alpha : float
        Family-wise significance level.

    Returns
    -------
    float
        In standard errors; times the standard error it is the critical difference.

    Examples
    --------
    >>> [round(nemenyi_quantile(k), 3) for k in (2, 5, 10)]
    [1.96, 2.728, 3.164]
    """
    level = check_probability(alpha, "alpha")
    return tails.studentized_range_isf(level, check_count(k, "k", least=2)) / math.sqrt(2.0)


def bonferroni_dunn_quantile(k: int, alpha: float = 0.05) -> float:
    """Bonferroni-Dunn critical value: the normal quantile at ``alpha/(2(k - 1))``.

    Demšar (2006, Table 5b). That table prints 2.724 for k = 9 at 0.05; 2.734 is right.

    Parameters
    ----------
    k : int
        Number of algorithms including the control, at least 2.
    alpha : float
        Family-wise significance level.

    Returns
    -------
    float
        In standard errors.

    Examples
    --------
    >>> [round(bonferroni_dunn_quantile(k), 3) for k in (2, 5, 10)]
    [1.96, 2.498, 2.773]
    """
    level = check_probability(alpha, "alpha")
    return bonferroni_quantile(check_count(k, "k", least=2) - 1, level)


def bonferroni_quantile(n_hypotheses: int, alpha: float = 0.05) -> float:
    """The two-sided normal quantile at ``alpha/n_hypotheses``.

    Examples
    --------
    >>> round(bonferroni_quantile(10), 4)
    2.807
    """
    level = check_probability(alpha, "alpha")
    return -float(special.ndtri(level / (2 * check_count(n_hypotheses, "n_hypotheses", least=1))))
