"""Decisions on pairs: outcomes with regard to a margin, and intervals that agree with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare.results.imprecise import INCONCLUSIVE as _INCONCLUSIVE

DIFFERENT, NEGLIGIBLE = "different", "different but negligible"
EQUIVALENT, INCONCLUSIVE = "equivalent", _INCONCLUSIVE
# In the order in which figures explain them
DECISIONS = (DIFFERENT, NEGLIGIBLE, EQUIVALENT, INCONCLUSIVE)


def outcomes(rejected: npt.ArrayLike, within: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return the outcome of each pair: whether it is rejected, and within the margin.

    Examples
    --------
    >>> list(outcomes([True, True, False, False], [False, True, True, False]))
    ['different', 'different but negligible', 'equivalent', 'inconclusive']
    """
    words = np.array([[INCONCLUSIVE, EQUIVALENT], [DIFFERENT, NEGLIGIBLE]], dtype=object)
    return np.asarray(words[np.asarray(rejected, np.int64), np.asarray(within, np.int64)])


def agreeing(
    lower: FloatArray, upper: FloatArray, rejected: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of simultaneous intervals, with 0 as an end where the decision says more.

    A stepwise procedure rejects more than the intervals, which treat all pairs alike, exclude. The
    bound of a rejected pair is then 0, on the side of its estimate (Strassburger and Bretz 2008;
    Guilbaud 2008). The interval of a pair that is not rejected reaches 0, as with ties it may not.

    Examples
    --------
    >>> import numpy as np
    >>> lower, upper = np.array([-1.0, -3.0, -1.0, 0.1]), np.array([3.0, 1.0, 3.0, 3.0])
    >>> low, high = agreeing(lower, upper, np.array([True, True, False, False]))
    >>> low.tolist(), high.tolist()
    ([0.0, -3.0, -1.0, 0.0], [3.0, 0.0, 3.0, 3.0])
    """
    above, below = upper > -lower, upper < -lower
    inside, outside = rejected & (lower < 0) & (upper > 0), ~rejected
    low = np.where((inside & above) | (outside & (lower > 0)), 0.0, lower)
    high = np.where((inside & below) | (outside & (upper < 0)), 0.0, upper)
    return low, high
