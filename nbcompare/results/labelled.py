"""A read-only mapping that becomes an array, and tables and dataframes made of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import locked
from nbcompare._render import Column, Table
from nbcompare._validation import listed

if TYPE_CHECKING:
    import pandas as pd


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


_SHORT = {"significant": Column("significant", short="signif.")}


def table_of(
    texts: Mapping[str, Iterable[str]],
    numbers: Mapping[str, Iterable[str]],
    caption: str = "",
    n_hidden: int = 0,
    *,
    last: Mapping[str, Iterable[str]] = MappingProxyType({}),
) -> Table:
    """Return a table of columns by header: those with texts, with numbers, and last with words.

    Examples
    --------
    >>> print(table_of({"algorithm": ["A", "B"]}, {"rank": ["1.5", "2"]}).rows)
    (('A', '1.5'), ('B', '2'))
    """
    heads = (*map(Column, texts), *(Column(name, number=True) for name in numbers))
    columns = (*heads, *(_SHORT.get(name, Column(name)) for name in last))
    rows = tuple(zip(*texts.values(), *numbers.values(), *last.values(), strict=True))
    return Table(columns, rows, caption=caption, n_hidden=n_hidden)


def significant(rejected: Iterable[bool]) -> dict[str, list[str]]:
    """Return the column of a table that says which hypotheses are rejected."""
    return {"significant": ["yes" if one else "no" for one in rejected]}


def frame_of(columns: Mapping[str, Any]) -> pd.DataFrame:
    """Return columns by name as a pandas dataframe."""
    import pandas as pd

    return pd.DataFrame(dict(columns))


def frame_of_fields(result: Any, but: Iterable[str]) -> pd.DataFrame:
    """Return the fields of a result that are not None as a dataframe of one row."""
    names = [one.name for one in fields(result) if one.name not in but]
    values = {name: getattr(result, name) for name in names}
    return frame_of({name: [value] for name, value in values.items() if value is not None})


def frame_of_cells(axes: Mapping[str, Sequence[Any]], arrays: Mapping[str, Any]) -> pd.DataFrame:
    """Return a dataframe with a row for each cell of arrays, and what lies along their axes.

    Parameters
    ----------
    axes : mapping of str to sequence
        Names of the axes, with the label of each place.
    arrays : mapping of str to array_like
        Columns; an axis may have length 1 where all places have the same value.

    Examples
    --------
    >>> print(frame_of_cells({"row": ["a", "b"], "column": [1, 2]}, {"n": [[3, 4], [5, 6]]}))
      row  column  n
    0   a       1  3
    1   a       2  4
    2   b       1  5
    3   b       2  6
    """
    shape = tuple(map(len, axes.values()))
    columns: dict[str, Any] = {}
    for (name, labels), place in zip(axes.items(), np.indices(shape), strict=True):
        columns[name] = [labels[at] for at in place.ravel().tolist()]
    cells = {name: np.broadcast_to(array, shape).ravel() for name, array in arrays.items()}
    return frame_of(columns | cells)
