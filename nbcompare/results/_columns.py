"""Tables and dataframes, made of their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._render import Column, Table

if TYPE_CHECKING:
    import pandas as pd

_SHORT = {"significant": Column("significant", short="signif.")}

__all__ = ["frame_of", "frame_of_cells", "frame_of_fields", "significant", "table_of"]


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
