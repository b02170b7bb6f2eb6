"""Columns of labels as numbers: of millions of rows, few are different."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import IntArray

Column = npt.NDArray[Any]


class Coded(NamedTuple):
    """Row i holds ``cells[codes[i]]``; cells are in order of first appearance."""

    codes: IntArray
    cells: tuple[str | None, ...]

    def decoded(self) -> Column:
        """The cells row by row."""
        cells = np.empty(len(self.cells), dtype=object)
        cells[:] = self.cells
        return cells[self.codes]


class Columns(Mapping[str, Column]):
    """Columns by name, of which coded ones are decoded only when somebody looks at them."""

    def __init__(self, held: Mapping[str, Column | Coded]) -> None:
        self._held = dict(held)
        self._decoded: dict[str, Column] = {}

    def __getitem__(self, name: str) -> Column:
        held = self._held[name]
        if not isinstance(held, Coded):
            return held
        if name not in self._decoded:
            self._decoded[name] = held.decoded()
        return self._decoded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def coded(self, name: str) -> Coded | None:
        """The column as it is kept, None if that is row by row."""
        held = self._held[name]
        return held if isinstance(held, Coded) else None

    @property
    def n_rows(self) -> int:
        """Length of every column."""
        held = next(iter(self._held.values()), ())
        return len(held.codes if isinstance(held, Coded) else held)


def united(parts: Iterable[tuple[npt.NDArray[Any], list[str]]]) -> Coded:
    """One column of parts that each have their own numbers of labels."""
    number: dict[str, int] = {}
    codes = []
    for part, labels in parts:
        place = [number.setdefault(label, len(number)) for label in labels]
        codes.append(np.array(place, dtype=np.int64)[part])
    return Coded(np.concatenate(codes), tuple(number))
