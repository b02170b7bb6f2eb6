"""Arrays that nobody changes behind a result's back."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def locked(array: _Array) -> _Array:
    """A read-only copy; an array that is read-only and owns its data is its own copy."""
    if not array.flags.writeable and array.flags.owndata:
        return array
    copy = array.copy()
    copy.flags.writeable = False
    return copy


class LockedArrays:
    """Base of frozen classes with arrays: unpickled arrays would be writeable again."""

    __slots__ = ()

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Lock every array of the state that comes out of a pickle."""
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)
