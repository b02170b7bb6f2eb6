"""What the parts of a figure stand for, for pages that say so where a reader points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar
from weakref import WeakKeyDictionary

from matplotlib.artist import Artist

__all__ = ["Mark", "items_marked", "marked", "marks_of"]

_Drawn = TypeVar("_Drawn", bound=Artist)


@dataclass(frozen=True, slots=True)
class Mark:
    """Sentence about algorithms, which several parts of a figure may share.

    ``pair`` says that it is about a pair of algorithms that a table of pairs has a row for,
    ``dataset`` that it is about a data set.
    """

    title: str
    names: tuple[str, ...]
    pair: bool = False
    dataset: str = ""


# Beside the artists, whose ids are written into saved figures
_MARKS: WeakKeyDictionary[Artist, Sequence[Mark | None]] = WeakKeyDictionary()


def marked(artist: _Drawn, mark: Mark | None) -> _Drawn:
    """Say what an artist stands for, and return it."""
    if mark is not None:
        _MARKS[artist] = (mark,)
    return artist


def items_marked(artist: _Drawn, marks: Sequence[Mark | None]) -> _Drawn:
    """Say what each item of a collection or each marker stands for, in order."""
    _MARKS[artist] = tuple(marks)
    return artist


def marks_of(artist: Artist) -> Sequence[Mark | None]:
    """Return what an artist stands for: one mark, or one of each of its items, or none."""
    return _MARKS.get(artist, ())
