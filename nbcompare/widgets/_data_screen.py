"""The screen of a DataBuilder: the grid, controls, what is understood of the table, and tabs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from nbcompare import datasets, formats
from nbcompare._files import seen
from nbcompare._options import better, number_or_name
from nbcompare._render import html, plural
from nbcompare._tables import ENDINGS
from nbcompare.experiment import Experiment, Head, Preview, Schema
from nbcompare.histories import Histories
from nbcompare.widgets import _html
from nbcompare.widgets._data_model import DataModel, Source, changed, source_of_copy, source_with
from nbcompare.widgets._data_settings import LABELS, ROLES, Finding, Way
from nbcompare.widgets._data_tabs import COMPARISON, CONVERGENCE, Tabs
from nbcompare.widgets._elements import (
    Box,
    Button,
    Disclosure,
    Element,
    Field,
    Html,
    Upload,
    at_places,
)
from nbcompare.widgets._html import paragraphs
from nbcompare.widgets._screen import Screen
from nbcompare.widgets._settings import SettingError

_MOST_FILES = 300
_NONE = "choose"
_FILE_HELP = "Tables in the folder in which the kernel runs, of any size. They are only read."
_PASTE = "the cells of a spreadsheet, CSV, a table in Markdown, LaTeX or HTML"
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
        self.upload = Upload(lambda path: self._take(source_of_copy(path)), ENDINGS)
        self.file = Field(
            act=self._choose, label="Or a file of this folder", help=[("", _FILE_HELP)]
        )
        self.example = Field(
            act=self._load,
            label="Or an example",
            help=[("", _EXAMPLE_HELP)],
            options=(_NONE, *datasets.names()),
        )
        self.paste = Field(
            act=self._read,
            form="area",
            label="Or paste a table",
            help=[("", _PASTE_HELP)],
            placeholder=_PASTE,
        )
        choices = Box([self.file, self.example])
        row = Box([self.upload, choices, self.paste], "nbcompare-row", "nbcompare-source")
        self.intro = Html(f"<p>{_INTRO}</p>")
        self.box = Box([self.intro, row])

    def _take(self, source: Source) -> None:
        self._model.builder.data = source

    def _read(self, text: Any) -> None:
        if str(text).strip():
            word = formats.pasted(str(text))
            suffix = formats.FORMATS[word].suffixes[0] if word else ".txt"
            self._take(source_with(f"pasted{suffix}", str(text).encode()))

    def _choose(self, _: Any) -> None:
        name = self.file.chosen
        if name not in (None, _NONE) and Path(name).is_file():
            self._take(Source(name))

    def _load(self, _: Any) -> None:
        name = self.example.chosen
        if name not in (None, _NONE):
            self._take(Source(example=name))

    def refresh(self) -> None:
        """Show what is chosen, and the files that are there now."""
        source = self._model.data
        self.intro.is_shown = not source.name
        given = source.given if isinstance(source.given, Path) and not source.uploaded else None
        files, here = (_NONE, *files_of(Path.cwd())), _NONE if given is None else seen(given)
        self.file.options = files if here in files else (*files, here)
        self.file.index = self.file.options.index(here)
        self.example.index = self.example.options.index(source.example or _NONE)


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
    caption: str = ""
    words: Sequence[str] = list(SAID.values())  # what a column can be
    # Name of each column, what it was taken for, the place of what was said of it, whether it is
    # needed, and whether it holds numbers
    columns: Sequence[Sequence[Any]] = ()
    rows: Sequence[Sequence[str]] = ()  # the first ones
    n_rows: int = 0
    version: int = 0  # another one when cells have changed
    edited: Sequence[Any] = ()  # row and column of cells, from 0
    wrong: Sequence[Any] = ()  # the same, with what is wrong

    def __init__(self, model: DataModel, assign: Callable[[Mapping[str, Any]], None]) -> None:
        super().__init__()
        self._model, self._assign = model, assign
        self._settings: Mapping[str, Any] = {}
        self._shown: tuple[Any, ...] = ()

    def show(self, head: Head | None, preview: Preview, settings: Mapping[str, Any]) -> None:
        """Show the rows; nothing without a table."""
        self._settings = settings
        self.is_shown = head is not None
        if head is None:
            self.rows = self.columns = ()
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
        cells = [number_or_name(row[place]) for row in head.rows if row[place]]
        is_number = not any(isinstance(cell, str) for cell in cells)
        yield [name, use, said, name in needed or not uses, is_number]


def _is_said(name: str, value: Any) -> bool:
    return name in value if isinstance(value, tuple) else value == name


_IN_COLUMNS = {"algorithm": "a column each", "score": "in these columns"}
_FIRST = ("direction", "measure")
_TEXT = ("format", "decimal", "thousands", "separator", "encoding")


class DataScreen(Screen):
    """The screen of a table of scores: where it is from, how it is read, and what comes next."""

    model: DataModel
    tabs: Tabs

    def parts(self) -> list[Element]:
        """Return the tabs; the first one has everything about the data."""
        self.source = SourceRow(self.model)
        self.head = Grid(self.model, self._assign)
        self.understood, self.scores = Html(), Html()
        self.findings = Findings(self.take)
        rest = [control for name, control in self.controls.items() if name not in _FIRST]
        self.more = Disclosure(rest, label="More about the table", key="data")
        self.go = Button("", self._go_on, "nbcompare-primary")
        self._said = self.row(*_FIRST)
        self._said.set_class("nbcompare-direction", True)
        data = Box(
            [
                self.source.box,
                Box([self.steps, self.head], "nbcompare-sheet"),
                self.message,
                self.findings.box,
                self._said,
                self.more,
                self.understood,
                self.go,
                self.scores,
                self.code_place,
                self.progress.box,
            ],
            "nbcompare-data",
        )
        self.tabs = Tabs(
            data, self.model.loading, lambda: self.model.data.uploaded.partition(".")[0]
        )
        return [self.tabs.element]

    def _go_on(self) -> None:
        is_log = self.model.histories() is not None
        self.tabs.select(CONVERGENCE if is_log else COMPARISON)

    def take(self, changes: Mapping[str, Any]) -> None:
        """Set what a way on says, beside what was said before."""
        self._assign(changed(self.model, changes))

    def _assign(self, changes: Mapping[str, Any]) -> None:
        """Set what a person says, as one step."""
        builder = self.model.builder
        try:
            with builder.hold():
                for name, value in changes.items():
                    setattr(builder, name, value)
        except SettingError as error:
            self.say([str(error)])

    def close(self) -> None:
        """Take everything out of the page, the builders in the tabs first."""
        self.tabs.close()
        super().close()

    # ------------------------------------------------------------------------- what is seen

    def show(self) -> tuple[Any, list[str]]:
        """Show the table, what is understood, and the code."""
        model = self.model
        preview, head = model.preview, model.head()
        roles = {} if preview.schema is None else _roles(preview.schema)
        is_wide = preview.schema is not None and preview.schema.layout == "wide"
        recognised = {
            role: f"{model.choices.settings[role].spelled(names)} (recognised)"
            for role, names in roles.items()
        }
        is_said = {"direction": "as the column says"} if "higher_is_better" in roles else {}
        model.choices.settled = {**(_IN_COLUMNS if is_wide else {}), **recognised, **is_said}
        self.refresh()
        self.source.refresh()
        choices = model.choices
        said = {name: choices.value(name) for name in choices.settings}
        self.head.show(head, preview, said)
        self.steps.is_shown = head is not None
        self.findings.show(model.findings())
        experiment, histories = preview.experiment, self._histories()
        self.understood.value = understood(preview)
        self.scores.value = "" if experiment is None else _scores(experiment)
        is_read = experiment is not None or histories is not None
        self.code.value = model.code if is_read else ""
        self.go.is_shown = self.code_place.is_shown = is_read
        what = "compare the algorithms" if histories is None else "compare their convergence"
        self.go.label = f"Go on: {what}"
        self._said.is_shown = self.more.is_shown = model.has_table()
        needed = model.choices.value("direction") is None and "higher_is_better" not in roles
        self._said.set_class("nbcompare-undecided", needed)
        self._show_what_matters()
        self.tabs.offer(experiment or histories)
        return experiment, []

    def _histories(self) -> Histories | None:
        """Return the histories in the data, as soon as it is said what is better."""
        is_said = not self.model.has_table() or self.model.choices.value("direction") is not None
        return self.model.histories() if is_said else None

    def _show_what_matters(self) -> None:
        """Put away what is not said of such a table."""
        source = self.model.data
        for name in ("sheet", *_TEXT):
            suits = source.is_spreadsheet if name == "sheet" else source.is_text
            self.controls[name].is_shown = suits


def _roles(schema: Schema) -> dict[str, tuple[str, ...]]:
    """Return the columns of each role, those of scores with them."""
    ends = ("score",) if len(schema.scores) == 1 else ("lower", "upper")
    scores = ((name,) for name in schema.scores)
    is_long = schema.layout == "long"
    return {**schema.roles, **(dict(zip(ends, scores, strict=False)) if is_long else {})}


def understood(preview: Preview) -> str:
    """Return in a sentence what was understood of the table; empty if nothing was."""
    made, schema = preview.experiment, preview.schema
    if schema is not None and schema.sizes:
        text = schema.sentence.removesuffix(".")
    elif made is not None:
        sizes = plural(made.n_algorithms, "algorithm"), plural(made.n_datasets, "data set")
        text = " on ".join(sizes)
    else:
        return ""
    more = [made.measure, better(made.direction, made.turned)] if made is not None else []
    text = "; ".join(filter(None, [f"Understood: {text}", *more]))
    return f'<p class="nbcompare-understood" role="status">{html.escape(text)}.</p>'


def _scores(experiment: Experiment) -> str:
    """Return the scores as they were read, folded up."""
    table = _html.rendered(experiment._parts()[:1])
    return f"<details><summary>The scores as they were read</summary>{table}</details>"
