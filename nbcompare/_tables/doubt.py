"""Doubts about a table: what is the matter, and arguments that may settle it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nbcompare._validation import DataError, shown

Way = Mapping[str, Any]


class Unsettled(DataError):  # noqa: N818 - the reading goes on, with other arguments
    """A doubt, with ways on that nobody has tried yet.

    Parameters
    ----------
    text : str
        What is the matter, in sentences.
    ways : iterable of mapping of str to object
        Arguments that may settle it, the likeliest first.
    remedy : str
        What else can be done, if none of them helps.
    columns : sequence
        What was understood of each column, for a reader who must see it.
    """

    def __init__(
        self, text: str, ways: Iterable[Way] = (), remedy: str = "", columns: Sequence[Any] = ()
    ) -> None:
        self.text, self.ways, self.remedy, self.columns = text, tuple(ways), remedy, columns
        super().__init__(" ".join(filter(None, (text, offered(map(written, self.ways)), remedy))))


def offered(ways: Iterable[str]) -> str:
    """Return the sentence that offers alternatives; each may hold commas."""
    words = list(ways)
    mark = "; or " if len(words) > 2 or any(", " in way for way in words) else " or "
    return f"Pass {mark.join(words)}." if words else ""


def written(way: Way) -> str:
    """Return arguments as a caller writes them."""
    return ", ".join(f"{name}={_value(value)}" for name, value in way.items())


def _value(value: Any) -> str:
    value = list(value) if isinstance(value, tuple) else value
    return repr(value) if isinstance(value, dict | list) else shown(value)
