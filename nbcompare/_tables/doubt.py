"""Doubts about a table: what is the matter, and arguments that may settle it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nbcompare._validation import DataError

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
    untried : str
        The ways in sentences, for callers that try none of them.
    columns : sequence
        What was understood of each column, for a reader who must see it.
    """

    def __init__(
        self,
        text: str,
        ways: Iterable[Way] = (),
        remedy: str = "",
        *,
        untried: str = "",
        columns: Sequence[Any] = (),
    ) -> None:
        super().__init__(" ".join(filter(None, (text, untried, remedy))))
        self.text, self.ways, self.remedy = text, tuple(ways), remedy
        self.untried, self.columns = untried, columns
