"""A read-only mapping that NumPy converts to the array of its values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import locked
from nbcompare._validation import listed

V = TypeVar("V")


class Labelled(Mapping[str, V], Generic[V]):
    """A read-only mapping of names to values, which keeps their order.

    Examples
    --------
    >>> ranks = Labelled({"C4.5": 2.1, "CN2": 3.1})
    >>> ranks["CN2"], list(ranks), np.asarray(ranks).round().tolist()
    (3.1, ['C4.5', 'CN2'], [2.0, 3.0])
    """

    __slots__ = ("_values",)
    _values: dict[str, V]

    def __init__(self, values: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        kept = {
            name: locked(value) if isinstance(value, np.ndarray) else value
            for name, value in dict(values).items()
        }
        object.__setattr__(self, "_values", kept)

    def __getitem__(self, name: str) -> V:
        try:
            return self._values[name]
        except KeyError:
            raise KeyError(f"{name!r} is not one of {listed(self._values)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._values!r})"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError(
                "`copy` must not be False: the values are not stored as one array, so a copy is "
                "needed."
            )
        return np.array(list(self._values.values()), dtype=dtype)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is read-only")

    def __reduce__(self) -> tuple[type[Labelled[V]], tuple[dict[str, V]]]:
        return type(self), (self._values,)
