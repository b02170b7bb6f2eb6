"""The rows of a table as they stand in it, with what each column is, which can be chosen there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from traitlets import List, Unicode

from nbcompare._render import plural
from nbcompare.experiment import Head, Preview
from nbcompare.widgets._data_ways import LABELS, ROLES
from nbcompare.widgets._elements import Element, at_places

AS_RECOGNISED, LEFT_OUT, KEPT = "as recognised", "left out", "scores of an algorithm"
# What can be said of a column, by the setting that says it
SAID = {
    "": AS_RECOGNISED,
    **{role: LABELS[role].lower() for role in ROLES},
    "status": "status of runs",
    "keep": KEPT,
    "ignore": LEFT_OUT,
}


class Grid(Element):
    """Rows of a table, and above each column what it is.

    Parameters
    ----------
    assign : callable
        Told of the settings that change when a person says what a column is.
    """

    kind = "grid"
    caption = Unicode().tag(sync=True)
    words: Any = List().tag(sync=True)  # what a column can be
    # Name of each column, what it was taken for, the place of what was said of it, whether it is
    # needed, and whether it holds numbers
    columns: Any = List().tag(sync=True)
    rows: Any = List().tag(sync=True)

    def __init__(self, assign: Callable[[Mapping[str, Any]], None]) -> None:
        super().__init__(words=list(SAID.values()))
        self._assign = assign
        self._settings: Mapping[str, Any] = {}

    def show(self, head: Head | None, preview: Preview, settings: Mapping[str, Any]) -> None:
        """Show the first rows; nothing without a table."""
        self._settings = settings
        with self.hold_sync():
            self.is_shown = head is not None
            self.rows = [] if head is None else [list(row) for row in head.rows]
            self.columns = [] if head is None else list(_columns(head, preview, settings))
            if head is not None:
                is_part = head.n_rows > len(head.rows)
                first = f", the first {len(head.rows)} of them" if is_part else ""
                self.caption = f"{plural(head.n_rows, 'row')}{first}; above each column, what it is"

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Take what a person says of a column; a page may say anything."""
        match message:
            case {"column": int(column), "word": int(word)}:
                names = at_places(self.columns, [column])
                for (name, *_), role in zip(names, at_places(list(SAID), [word]), strict=False):
                    self._assign(changes_of(name, role, self._settings))


def changes_of(name: str, role: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that change when a column becomes something, and is nothing else.

    Examples
    --------
    >>> changes_of("n", "ignore", {"score": "n", "ignore": ()})
    {'score': None, 'ignore': ('n',)}
    """
    changes: dict[str, Any] = {}
    for setting, value in settings.items():
        if setting in SAID and value == name:
            changes[setting] = None
        elif setting in ("ignore", "keep") and name in (value or ()):
            changes[setting] = tuple(one for one in value if one != name)
    if role in ("ignore", "keep"):
        changes[role] = (*(settings.get(role) or ()), name)
    elif role:
        changes[role] = name
    return changes


def _columns(head: Head, preview: Preview, settings: Mapping[str, Any]) -> Any:
    uses = {use.name: use.use for use in preview.columns}
    schema = preview.schema
    needed = {*schema.scores, *chain(*schema.roles.values())} if schema is not None else {*uses}
    for place, name in enumerate(head.names):
        use = uses.get(name, LEFT_OUT if uses else "")
        said = next((i for i, role in enumerate(SAID) if _is_said(name, settings.get(role))), 0)
        cells = [row[place] for row in head.rows if row[place]]
        yield [name, use, said, name in needed or not uses, all(map(_is_number, cells))]


def _is_said(name: str, value: Any) -> bool:
    return name in value if isinstance(value, tuple) else value == name


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
