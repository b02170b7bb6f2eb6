"""A p-value known up to an interval."""

from __future__ import annotations

from typing import NamedTuple

from nbcompare._arrays import FloatArray


class IntervalP(NamedTuple):
    """Ends of a p-value, over all selections from interval-valued data.

    Attributes
    ----------
    p_low, p_high : ndarray of float
        ``0 < p_low <= p_high <= 1``.
    """

    p_low: FloatArray
    p_high: FloatArray
