"""The outcome of an omnibus test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OmnibusResult:
    """Whether there is any difference among the algorithms at all.

    Attributes
    ----------
    statistic : float
        Chi-squared or F; infinite if all data sets agree perfectly.
    df : tuple of float
        Degrees of freedom.
    pvalue, log10_pvalue : float
        p may underflow to 0, its logarithm does not.
    """

    statistic: float
    df: tuple[float, ...]
    pvalue: float
    log10_pvalue: float
