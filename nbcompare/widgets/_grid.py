"""The rows of a table as they stand in it, with what each column is; both can be changed there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from traitlets import Int, List, Unicode

from nbcompare._render import plural
from nbcompare.experiment import Head, Preview
from nbcompare.widgets._data_ways import LABELS, ROLES
from nbcompare.widgets._elements import Element, at_places

if TYPE_CHECKING:
    from nbcompare.widgets._data_model import DataModel

AS_RECOGNISED, LEFT_OUT, KEPT = "as recognised", "left out", "scores of an algorithm"
# What can be said of a column, by the setting that says it
SAID = {
    "": AS_RECOGNISED,
    **{role: LABELS[role].lower() for role in ROLES},
    "status": "status of runs",
    "keep": KEPT,
    "ignore": LEFT_OUT,
}
_MOST_EDITS = 10_000  # more are a matter for another program


class Grid(Element):
    """All rows of a table, of which the page asks for those in sight; and above each column a list.

    Parameters
    ----------
    model : DataModel
        Has the table.
    assign : callable
        Told of the settings that change when a person says what a column is, or edits a cell.
    """

    kind = "grid"
    caption = Unicode().tag(sync=True)
    words: Any = List().tag(sync=True)  # what a column can be
    # Name of each column, what it was taken for, the place of what was said of it, whether it is
    # needed, and whether it holds numbers
    columns: Any = List().tag(sync=True)
    rows: Any = List().tag(sync=True)  # the first ones
    n_rows = Int().tag(sync=True)
    version = Int().tag(sync=True)  # another one when cells have changed
    edited: Any = List().tag(sync=True)  # row and column of cells, from 0
    wrong: Any = List().tag(sync=True)  # the same, with what is wrong

    def __init__(self, model: DataModel, assign: Callable[[Mapping[str, Any]], None]) -> None:
        super().__init__(words=list(SAID.values()))
        self._model, self._assign = model, assign
        self._settings: Mapping[str, Any] = {}
        self._shown: tuple[Any, ...] = ()

    def show(self, head: Head | None, preview: Preview, settings: Mapping[str, Any]) -> None:
        """Show the rows; nothing without a table."""
        self._settings = settings
        with self.hold_sync():
            self.is_shown = head is not None
            if head is None:
                self.rows = self.columns = []
                return
            self.n_rows, self.rows = head.n_rows, [list(row) for row in head.rows]
            self.columns = list(_columns(head, preview, settings))
            self.caption = f"{plural(head.n_rows, 'row')}; above each column, what it is"
            place = {name: place for place, name in enumerate(head.names)}
            edited = [(row, name) for row, name, _ in settings["edits"] if name in place]
            self.edited = [[row - 1, place[name]] for row, name in edited]
            wrong = self._model.wrong_cells().items()
            self.wrong = [[row - 1, place[name], it] for (row, name), it in wrong if name in place]
            if (key := self._model.key()) != self._shown:
                self._shown, self.version = key, self.version + 1

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Take what a person says of a column or a cell; a page may say anything."""
        match message:
            case {"column": int(column), "word": int(word)}:
                names = at_places(self.columns, [column])
                for (name, *_), role in zip(names, at_places(list(SAID), [word]), strict=False):
                    self._assign(changes_of(name, role, self._settings))
            case {"first": int(first)} if 0 <= first < self.n_rows:
                head = self._model.head(first)
                if head is not None:
                    rows = [list(row) for row in head.rows]
                    self.send({"first": first, "rows": rows, "version": self.version})
            case {"edits": [*edits]}:
                self.edit(edits)

    def edit(self, edits: Sequence[Any]) -> None:
        """Write texts into cells; those that the source has anyway are no edits any more.

        Parameters
        ----------
        edits : sequence of (int, int, str)
            Row and column, from 0, and text.
        """
        cells = dict[tuple[int, int], str]()
        for edit in edits:
            match edit:
                case [int(row), int(column), str(text)] if (
                    0 <= row < self.n_rows and 0 <= column < len(self.columns)
                ):
                    cells[row, column] = text
        rows = [row for row, _ in cells]
        source = self._model.head(min(rows), max(rows) - min(rows) + 1, edits=()) if rows else None
        if source is None:
            return
        said = {(row, name): text for row, name, text in self._settings["edits"]}
        for (row, column), text in cells.items():
            key = row + 1, source.names[column]
            said.pop(key, None)
            if text != source.rows[row - min(rows)][column]:
                said[key] = text
        if len(said) > _MOST_EDITS:
            text = f"At most {_MOST_EDITS:,} cells can be edited here; change the table itself."
            self.send({"refused": text})
        else:
            self._assign({"edits": tuple((*key, text) for key, text in said.items())})


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
