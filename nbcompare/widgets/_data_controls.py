"""Controls of a DataBuilder: columns, words and names, and where the table is from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import ipywidgets as ipw

from nbcompare import datasets
from nbcompare._tables import COMPRESSED_SUFFIXES, SUFFIXES
from nbcompare.analysis.rules import State
from nbcompare.widgets._controls import Choice, Control
from nbcompare.widgets._data_model import NOTHING, WHICH, DataModel, Source
from nbcompare.widgets._data_settings import Said
from nbcompare.widgets._data_ways import Finding, Way
from nbcompare.widgets._html import paragraphs
from nbcompare.widgets._kernel_thread import handle_in_this_thread
from nbcompare.widgets._upload import Upload

_SPREADSHEETS = (".xlsx", ".xlsm", ".parquet", ".pq")
ENDINGS = (
    *SUFFIXES,
    *(f"{s}{c}" for s in SUFFIXES if s not in _SPREADSHEETS for c in COMPRESSED_SUFFIXES),
)
_IN_COLUMNS = {"algorithm": "a column each", "score": "in these columns"}
_MOST_FILES = 300
_NONE = "choose"


class ColumnChoice(Choice):
    """A list of the columns; what is recognised without a choice is said in its place."""

    def __init__(self, *arguments: Any) -> None:
        self._recognised: str | None = None
        self._in_columns = False
        super().__init__(*arguments)

    def recognise(self, column: str | None, *, in_columns: bool) -> None:
        """Say which column plays the role if nobody chooses one.

        ``in_columns`` says that there is a column per algorithm, which needs no such choice.
        """
        self._recognised, self._in_columns = column, in_columns

    def _spelled(self, word: Any) -> str:
        if word is None and self._recognised is not None:
            return f"{self.setting.spelled(self._recognised)} (recognised)"
        if word is None and self._in_columns and self.name in _IN_COLUMNS:
            return _IN_COLUMNS[self.name]
        return super()._spelled(word)


class Written(Control):
    """A field for a text, or for names with semicolons between them."""

    setting: Said

    def made(self) -> Any:
        """Return a field that is read when it is finished."""
        widget = ipw.Text(continuous_update=False, **self._texts())
        widget.observe(lambda change: self.act(self.setting.read(change.new)), "value")
        return widget

    def refresh(self, state: State) -> None:
        """Show the text as it is now."""
        value = self.setting.written(self.choices.value(self.name))
        with self.quietly():
            if self.widget.value != value:
                self.widget.value = value


class SourceRow:
    """Where the table is from: an upload, a file of the folder, or an example.

    Parameters
    ----------
    model : DataModel
        Its builder takes what is chosen.
    """

    def __init__(self, model: DataModel) -> None:
        self._model = model
        self._quiet = False
        self.upload = Upload(self._uploaded, ENDINGS)
        wide = {"style": {"description_width": "initial"}, "layout": ipw.Layout(width="auto")}
        self.file = ipw.Dropdown(description="Or a file of this folder", options=[_NONE], **wide)
        self.example = ipw.Dropdown(
            description="Or an example",
            options=[(_NONE, None), *((name, name) for name in datasets.names("experiment"))],
            **wide,
        )
        for field in (self.file, self.example):
            field.add_class("nbcompare-field")
        self.file.observe(self._chosen, "value")
        self.example.observe(self._loaded, "value")
        choices = ipw.VBox([self.file, self.example], layout=ipw.Layout(flex="1 1 260px"))
        self.upload.layout.flex = "1 1 320px"
        row = ipw.Layout(display="flex", flex_flow="row wrap", align_items="stretch")
        row.grid_gap = "4px 16px"
        self.box = ipw.Box([self.upload, choices], layout=row)

    def _take(self, source: Source) -> None:
        self._model.builder.data = source

    def _uploaded(self, path: Path) -> None:
        self._take(Source(path, uploaded=path.name))

    def _chosen(self, change: Any) -> None:
        if not self._quiet and change.new != _NONE and Path(change.new).is_file():
            self._take(Source(change.new))

    def _loaded(self, change: Any) -> None:
        if not self._quiet and change.new is not None:
            self._take(Source(example=change.new))

    def refresh(self) -> None:
        """Show what is chosen, and the files that are there now."""
        source = self._model.data
        given = source.given if isinstance(source.given, Path) and not source.uploaded else None
        files = files_of(Path.cwd())
        here = None if given is None else _seen(given)
        if here is not None and here not in files:
            files = [here, *files]
        options = (_NONE, *files)
        self._quiet = True
        try:
            if self.file.options != options:
                self.file.options = options
            self.file.value = here or _NONE
            self.example.value = source.example
        finally:
            self._quiet = False


def files_of(folder: Path) -> list[str]:
    """Return the tables in a folder by name, those that were changed last if there are many."""
    try:
        found = [
            path
            for path in folder.iterdir()
            if path.name.lower().endswith(ENDINGS)
            and not path.name.startswith(".")
            and path.is_file()
        ]
    except OSError:
        return []
    if len(found) > _MOST_FILES:
        found = sorted(found, key=lambda path: -path.stat().st_mtime)[:_MOST_FILES]
    return sorted(path.name for path in found)


def _seen(path: Path) -> str:
    full, here = path.resolve(), Path.cwd()
    return str(full.relative_to(here) if full.is_relative_to(here) else full)


class Findings:
    """Messages, each with buttons that take the ways on from there.

    Parameters
    ----------
    take : callable
        Told of the way that a person takes.
    """

    def __init__(self, take: Callable[[Mapping[str, Any]], None]) -> None:
        self._take = take
        self._rows: list[_FindingRow] = []
        self.box = ipw.VBox([])

    def show(self, found: list[Finding]) -> None:
        """Show these messages; rows are made once and used again."""
        while len(self._rows) < len(found):
            self._rows.append(_FindingRow(self._take))
        for row, one in zip(self._rows, found, strict=False):
            row.show(one)
        children = tuple(row.box for row in self._rows[: len(found)])
        if tuple(self.box.children) != children:
            self.box.children = children

    def close(self) -> None:
        """Take away what is not shown now, too."""
        for row in self._rows:
            row.close()


class _FindingRow:
    """One message and its buttons."""

    def __init__(self, take: Callable[[Mapping[str, Any]], None]) -> None:
        self._take = take
        self._buttons: list[Any] = []
        self._ways: tuple[Way, ...] = ()
        self.text = ipw.HTML()
        layout = ipw.Layout(display="flex", flex_flow="row wrap")
        layout.grid_gap = "4px 8px"
        self.buttons = ipw.Box([], layout=layout)
        self.box = ipw.VBox([self.text, self.buttons])
        self.box.add_class("nbcompare-finding")

    def show(self, found: Finding) -> None:
        """Show a message."""
        self._ways = found.ways
        value = (
            f'<div role="{"alert" if found.is_error else "note"}">{paragraphs([found.text])}</div>'
        )
        if self.text.value != value:
            self.text.value = value
        is_bad = found.is_error and bool(found.ways or found.text not in (NOTHING, WHICH))
        (self.box.add_class if is_bad else self.box.remove_class)("nbcompare-finding-error")
        while len(self._buttons) < len(found.ways):
            self._buttons.append(self._button(len(self._buttons)))
        for button, way in zip(self._buttons, found.ways, strict=False):
            if button.description != way.label:
                button.description = way.label
        children = tuple(self._buttons[: len(found.ways)])
        if tuple(self.buttons.children) != children:
            self.buttons.children = children

    def _button(self, place: int) -> Any:
        button = ipw.Button(layout=ipw.Layout(width="auto", max_width="100%"))
        button.add_class("nbcompare-way")
        button.on_click(lambda _: self._take(self._ways[place].changes))
        handle_in_this_thread([button])
        return button

    def close(self) -> None:
        """Take it out of the page and of the kernel's memory."""
        held = [self.text, self.buttons, self.box, *self._buttons]
        for widget in held:
            for part in (getattr(widget, "layout", None), getattr(widget, "style", None), widget):
                if isinstance(part, ipw.Widget):
                    part.close()
