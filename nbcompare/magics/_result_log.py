"""Results of lines, kept so that a report can contain them though no name is bound to them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from nbcompare.magics._sources import Data, Source
    from nbcompare.results import Result

_MOST = 200  # lines whose results are kept


@dataclass(frozen=True, slots=True)
class _Entry:
    """A result, the line of a cell that computed it, and the data it is about."""

    cell: str | None
    line: str
    result: Result
    source: Source
    is_bound: bool  # by --as: reported under that name, or not at all


class ResultLog:
    """Results of lines, one for each line of a cell at its last run, and when they came.

    Every result of the notebook has its number in the order in which it was first seen, those
    that lines made and those that are bound to names: looked for after every cell, and
    before a line makes another.
    """

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._cell: str | None = None
        self._numbers: WeakKeyDictionary[Result, int] = WeakKeyDictionary()
        self._next = 0

    def begin_cell(self, cell: str) -> None:
        """Forget results of an earlier run of the cell."""
        self._cell = cell
        self._entries = [entry for entry in self._entries if entry.cell != cell]

    def end_cell(self, namespace: Mapping[str, object]) -> None:
        """Look for new results."""
        self.look(namespace)
        self._cell = None

    def look(self, namespace: Mapping[str, object]) -> None:
        """Number the results that were not there before."""
        if "nbcompare.results" in sys.modules:  # before, there are none
            from nbcompare.results import Result

            for value in list(namespace.values()):
                if isinstance(value, Result):
                    self._number(value)

    def add(self, line: str, result: Result, source: Source, *, is_bound: bool) -> None:
        """Keep the result of a line, instead of its earlier one."""
        key = self._cell, line
        self._entries = [entry for entry in self._entries if (entry.cell, entry.line) != key]
        self._entries.append(_Entry(*key, result, source, is_bound))
        self._entries = self._entries[-_MOST:]
        self._number(result)

    def results(self, namespace: Mapping[str, object]) -> dict[str, Result]:
        """Return all results by name, those without one too, in the order they were computed."""
        from nbcompare.report.collect import results_in

        self.look(namespace)
        unnamed = [entry.result for entry in self._entries if not entry.is_bound]
        found = results_in(namespace, unnamed)
        return dict(sorted(found.items(), key=lambda item: self._numbers[item[1]]))

    def data(self, namespace: Mapping[str, object]) -> dict[str, Data]:
        """Return data by name: those that are bound, and those that lines were about."""
        from nbcompare.report.collect import data_in

        return data_in(namespace, [entry.source[:2] for entry in self._entries])

    def _number(self, result: Result) -> None:
        if result not in self._numbers:
            self._numbers[result] = self._next
            self._next += 1
