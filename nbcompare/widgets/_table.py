"""Tables of a builder: sorted, filtered, paged and copied in the page, with rows to pick."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import Any

from traitlets import List, Unicode

from nbcompare._render import Notes, Part, Prose, Strong, Table
from nbcompare.widgets._elements import Element

Pair = tuple[str, str]


class LiveTable(Element):
    """Tables and notes of a result, complete.

    The page has all rows and shows those of a page; order, words that rows must contain and the
    page stay when other numbers come. A row that stands for an algorithm or a pair lights up with
    the figure.

    Parameters
    ----------
    on_pick : callable
        Told of a pair whose row was clicked.
    """

    kind = "tables"
    content = Unicode("[]").tag(sync=True)  # one text: a list of ten thousand cells is slow to send
    selected = List(Unicode()).tag(sync=True)

    def __init__(self, on_pick: Callable[[Pair], None]) -> None:
        # with the marks by which MathJax looks for no formulas in names
        super().__init__("nbcompare-tables", "tex2jax_ignore", "mathjax_ignore")
        self._on_pick = on_pick

    def show(
        self, parts: Sequence[Part], names: Collection[str], selected: Pair | None, *, picks: bool
    ) -> None:
        """Show tables and notes of a result.

        Parameters
        ----------
        parts : sequence of Part
            Prose among them is left out.
        names : collection of str
            The algorithms: rows that begin with them stand for them.
        selected : tuple of str or None
            The pair that is looked at.
        picks : bool
            Whether another pair can be chosen.
        """
        known = frozenset(names)
        shown = [_block(part, known, picks) for part in parts if not isinstance(part, Prose)]
        with self.hold_sync():
            self.content = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
            self.selected = list(selected or ())

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Take a pair that somebody clicked; a page may send anything."""
        pair = message.get("pick")
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(n, str) for n in pair):
            self._on_pick((pair[0], pair[1]))


def _block(part: Table | Notes, known: frozenset[str], picks: bool) -> dict[str, Any]:
    """Return a table or notes as the script takes them."""
    if isinstance(part, Notes):
        return {"texts": [note.text for note in part.notes]}
    pairs = [row[:2] for row in part.rows]
    n_names = next((n for n in (2, 1) if stands_for(known, part, n)), 0)
    is_matrix = n_names == 1 and len(part.columns) > 1
    is_matrix = is_matrix and all(column.header in known for column in part.columns[1:])
    return {
        "caption": part.caption,
        "remainder": part.remainder,
        "columns": [[column.header, column.number] for column in part.columns],
        "rows": part.rows,
        "strong": [
            [row, column]
            for row, cells in enumerate(part.rows)
            for column, cell in enumerate(cells)
            if isinstance(cell, Strong)
        ],
        "names": list(range(n_names)),
        "matrix": is_matrix,
        # the first of a pair may be the faster one: then (a, b) is not (b, a)
        "ordered": is_matrix or (n_names == 2 and not {p[::-1] for p in pairs}.isdisjoint(pairs)),
        "picks": picks and (is_matrix or n_names == 2),
    }


def stands_for(known: frozenset[str], table: Table, n: int) -> bool:
    """Return whether every row begins with so many names; of pairs, the last may be of all."""
    if len(table.columns) < n or not table.rows:
        return False
    *rows, last = table.rows
    of_all = n == 2 and bool(rows) and last[0] not in known and not last[1]
    return all(name in known for row in (rows if of_all else table.rows) for name in row[:n])
