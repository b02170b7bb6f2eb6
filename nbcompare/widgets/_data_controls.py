"""Controls of a DataBuilder: columns, words and names, and where the table is from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nbcompare import datasets
from nbcompare._files import seen
from nbcompare._tables import ENDINGS, text_of_pasted
from nbcompare.widgets._data_model import DataModel, Source, source_of_copy, source_with
from nbcompare.widgets._data_ways import Finding, Way
from nbcompare.widgets._elements import Box, Button, Field, Html
from nbcompare.widgets._file_elements import Upload
from nbcompare.widgets._html import paragraphs

_MOST_FILES = 300
_NONE = "choose"
_FILE_HELP = "Tables in the folder in which the kernel runs, of any size. They are only read."
_PASTE = "the cells of a spreadsheet, CSV, a Markdown or a LaTeX table"
_PASTE_HELP = "Heads in the first row. What you paste stays on this machine."
_INTRO = (
    "Which algorithm is better, and how sure is it? Take a table of results: a row per data set "
    "and a column per algorithm, or a row per result; a log of runs for their convergence. Say "
    "what is better, and go on to the comparison, a plan and a report."
)
_EXAMPLE_HELP = "Bundled results, to try things on."


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
        self._examples = (None, *datasets.names())
        self._files: tuple[str | None, ...] = (None,)
        self.upload = Upload(self._uploaded, ENDINGS)
        self.file = Field(label="Or a file of this folder", help=[("", _FILE_HELP)])
        self.example = Field(
            label="Or an example", help=[("", _EXAMPLE_HELP)], options=_listed(self._examples)
        )
        self.file.observe(self._chosen, "index")
        self.example.observe(self._loaded, "index")
        self.paste = Field(
            form="area", label="Or paste a table", help=[("", _PASTE_HELP)], placeholder=_PASTE
        )
        self.paste.observe(self._pasted, "value")
        choices = Box([self.file, self.example])
        row = Box([self.upload, choices, self.paste], "nbcompare-row", "nbcompare-source")
        self.intro = Html(f"<p>{_INTRO}</p>")
        self.box = Box([self.intro, row])

    def _take(self, source: Source) -> None:
        self._model.builder.data = source

    def _uploaded(self, path: Path) -> None:
        self._take(source_of_copy(path))

    def _pasted(self, change: Any) -> None:
        if change.new.strip():
            content = text_of_pasted(change.new).encode()
            self._take(source_with("pasted.txt", content))

    def _chosen(self, change: Any) -> None:
        name = None if self._quiet else self._at(self._files, change.new)
        if name is not None and Path(name).is_file():
            self._take(Source(name))

    def _loaded(self, change: Any) -> None:
        name = None if self._quiet else self._at(self._examples, change.new)
        if name is not None:
            self._take(Source(example=name))

    @staticmethod
    def _at(names: tuple[str | None, ...], place: Any) -> str | None:
        return names[place] if place in range(len(names)) else None

    def refresh(self) -> None:
        """Show what is chosen, and the files that are there now."""
        source = self._model.data
        self.intro.is_shown = not source.name
        given = source.given if isinstance(source.given, Path) and not source.uploaded else None
        files: tuple[str | None, ...] = (None, *files_of(Path.cwd()))
        here = None if given is None else seen(given)
        if here not in files:
            files = (*files, here)
        self._quiet = True
        try:
            self._files = files
            self.file.options = _listed(files)
            self.file.index = files.index(here)
            self.example.index = self._examples.index(source.example)
        finally:
            self._quiet = False


def _listed(names: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(_NONE if name is None else name for name in names)


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


class Findings:
    """Messages, each with buttons that take the ways on from there.

    Parameters
    ----------
    take : callable
        Told of the changes of settings that a person takes.
    """

    def __init__(self, take: Callable[[Mapping[str, Any]], None]) -> None:
        self._take = take
        self._found: list[Finding] = []
        self.box = Box([], "nbcompare-findings")

    def show(self, found: list[Finding]) -> None:
        """Show these messages; those that were there before stay as they are."""
        known = {repr(one): box for one, box in zip(self._found, self.box.children, strict=True)}
        self.box.children = tuple(known.get(repr(one)) or self._box(one) for one in found)
        self._found = list(found)

    def _box(self, found: Finding) -> Box:
        role = "alert" if found.kind == "error" else "note"
        text = Html(f'<div role="{role}">{paragraphs([found.text])}</div>')
        ways = [self._button(way) for way in found.ways]
        kind = f"nbcompare-finding-{found.kind}"
        return Box([text, Box(ways, "nbcompare-bar")], "nbcompare-finding", kind)

    def _button(self, way: Way) -> Button:
        return Button(way.label, lambda: self._take(way.changes), "nbcompare-way")
