"""The outcomes of pairs whose differences are compared with a margin."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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
