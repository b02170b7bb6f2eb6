"""The table behind a DataBuilder: where it is from, what is said of it, what is understood."""

from __future__ import annotations

import itertools
import shutil
import weakref
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbcompare import datasets, formats
from nbcompare._files import in_words, seen
from nbcompare._options import MINIMIZE
from nbcompare._render import plural
from nbcompare._tables import EDITED
from nbcompare._validation import DataError, DirectionError, check_choice, shown
from nbcompare.experiment import (
    WRITING,
    Experiment,
    Head,
    Preview,
    ReadingError,
    TableSource,
    is_frame,
    joined,
)
from nbcompare.histories import Histories
from nbcompare.project import Example, File, Project
from nbcompare.widgets import _code
from nbcompare.widgets._data_settings import Finding, finding, settled
from nbcompare.widgets._elements import scratch
from nbcompare.widgets._model import Model

N_ROWS = 100  # of the table that the page asks for at once
# What is said of a table of scores and of a log of runs alike, by what it is called there
OF_LOGS = {"dataset": "problem", "score": "value"} | {
    name: name
    for name in (
        *("direction", "algorithm", "run", "where", "ignore", "columns", "measure", "sheet"),
        *("missing_words", "edits", "decimal", "thousands", "separator", "encoding"),
    )
}
NOTHING = "Choose a table: upload or paste it, or take a file of the folder or an example."
_AS_SCORES = "As a table of scores it is not read: "
WHICH = "Choose what is better: that cannot be seen from the scores."

_number = itertools.count()


class Source:
    """Where scores are from: a file, a dataframe, a bundled example, or an experiment.

    Parameters
    ----------
    given : str, Path, dataframe, Experiment or None
        A file; None before anything is chosen.
    example : str, optional
        The name of a bundled example.
    uploaded : str
        The name of a file on the other machine, if the file here is a copy that will go.
    """

    def __init__(
        self, given: Any = None, *, example: str | None = None, uploaded: str = ""
    ) -> None:
        self.number = next(_number)
        self.example, self.uploaded = example, uploaded
        self.given = given
        self.read: Experiment | Histories | None = None  # what is no table any more
        self.table: TableSource | None = None
        if example is not None:
            check_choice(example, "example", datasets.names())
            given = datasets.load(example)
        if isinstance(given, Experiment | Histories):
            self.read = given
        elif isinstance(given, str | Path):
            self.given = Path(given)
            if not self.given.is_file() and formats.recognised(self.given) is None:
                raise FileNotFoundError(f"`source` must name a file; there is no {str(given)!r}.")
            self.table = TableSource(self.given, remember=not uploaded)
        elif given is not None:
            if not is_frame(given):
                raise TypeError(
                    "`source` must be a file, a dataframe, an Experiment or Histories; got "
                    f"{shown(given)}."
                )
            self.table = TableSource(given)

    @property
    def name(self) -> str:
        """What messages and the screen call it."""
        if self.uploaded:
            return self.uploaded
        if isinstance(self.given, Path):
            return self.given.name
        if self.example:
            return self.example
        return "" if self.given is None else "the dataframe"

    @property
    def is_text(self) -> bool:
        """Whether it is a text file, in which numbers and cells have marks."""
        name = self.given.name.lower() if isinstance(self.given, Path) else ""
        return bool(name) and not name.endswith((".xlsx", ".xlsm", ".parquet", ".pq"))

    @property
    def is_spreadsheet(self) -> bool:
        """Whether it is a spreadsheet, which has sheets."""
        return isinstance(self.given, Path) and self.given.suffix.lower() in (".xlsx", ".xlsm")


def source_of(project: Project, settings: Collection[str]) -> tuple[Source, dict[str, Any]]:
    """Return where the scores of a project are from, and what was said of them.

    A file of the same name in the working folder is taken if it has the same content. If more was
    said than there are settings for, the scores are those that are read so.
    """
    is_log = "experiment" not in project.given
    given = project.given["histories" if is_log else "experiment"]
    if isinstance(given, Example):
        return Source(example=given.name), {}
    reading = dict(given.reading) if isinstance(given, File) else {}
    if is_log:
        of_tables = {name: own for own, name in OF_LOGS.items()}
        reading = {of_tables.get(name, name): value for name, value in reading.items()}
    if not isinstance(given, File) or not set(reading) <= set(settings):
        return Source(project.histories if is_log else project.experiment), {}
    here = Path(given.name)
    is_as_long = here.is_file() and here.stat().st_size == len(given.content)
    if is_as_long and here.read_bytes() == given.content:
        return Source(here), reading
    return source_with(given.name, given.content), reading


def source_with(name: str, content: bytes) -> Source:
    """Return a table that is in no file."""
    copy = scratch() / name
    copy.write_bytes(content)
    return source_of_copy(copy)


def source_of_copy(copy: Path) -> Source:
    """Return a table of which there is a copy alone, in a folder that goes with the source."""
    source = Source(copy, uploaded=copy.name)
    weakref.finalize(source, shutil.rmtree, copy.parent, ignore_errors=True)
    return source


@dataclass(frozen=True)
class _Reading:
    """The reading of a table with some arguments."""

    source: Source
    options: dict[str, Any]

    def __call__(self) -> Preview:
        """Return what is understood."""
        if isinstance(self.source.read, Experiment):
            return Preview(self.source.read, notes=self.source.read.notes)
        if self.source.table is None:
            return Preview(error=DataError(NOTHING))
        return self.source.table.preview(self.options)


class DataModel(Model):
    """A table of scores, and what is understood of it with the settings as they are."""

    noun = "experiment"
    data: Source

    def checked(self, data: Any) -> Source:
        """Return where the scores are from."""
        return data if isinstance(data, Source) else Source(data)

    def has_table(self) -> bool:
        """Return whether there is a table of which something can be said."""
        return self.data.table is not None

    def has_control(self, name: str) -> bool:
        """Return whether a setting has a control beside the table itself."""
        return name != "edits"

    def options(self) -> dict[str, Any]:
        """Return the arguments of reading that differ from the defaults."""
        if not self.has_table():
            return {}
        given = self.choices.given()
        if isinstance(self.data.given, Path):
            return given
        # a dataframe is no text, whatever was said of a file before
        return {name: value for name, value in given.items() if name not in WRITING}

    def key(self) -> tuple[Any, ...]:
        """Return what the experiment depends on."""
        stamp = () if self.data.table is None else self.data.table.stamp
        return (self.data.number, stamp, repr(self.choices.arguments()))

    def task(self) -> _Reading:
        """Return the reading of the table."""
        return _Reading(self.data, self.options())

    @property
    def preview(self) -> Preview:
        """What is understood, errors included."""
        preview: Preview = self.results.made(self.key(), self.task())
        return preview

    @property
    def result(self) -> Experiment:
        """The experiment; raises the error of reading where there is none."""
        preview = self.preview
        if preview.experiment is None:
            raise preview.error or DataError(NOTHING)
        return preview.experiment

    def histories(self) -> Histories | None:
        """Return the histories in a log of runs, which is no table of scores; None without."""
        source = self.data
        if source.table is None:
            return source.read if isinstance(source.read, Histories) else None
        given = self.options()
        if self.preview.experiment is not None or not set(given) <= set(OF_LOGS):
            return None
        options = of_log(given)

        def read() -> Histories | None:
            reads = Histories.read if isinstance(source.given, Path) else Histories.from_frame
            try:
                return reads(source.given, **{"direction": MINIMIZE, **options})
            except (ValueError, TypeError, OSError, ImportError, MemoryError):
                return None

        found: Histories | None = self.parts.made(("histories", *self.key()), read)
        return found

    # --------------------------------------------------------------- what is to be seen

    def head(self, first: int = 0, most: int = N_ROWS, **options: Any) -> Head | None:
        """Return some rows, from 0; None without a table, or if the file is none.

        Parameters
        ----------
        first, most : int
            Which rows.
        **options
            Arguments of reading, in the place of those that are set.
        """
        table = self.data.table
        if table is None:
            return None

        def read() -> Head | None:
            try:
                return table.head({**self.options(), **options}, most, first)
            except (ValueError, TypeError, OSError, ImportError, RuntimeError, MemoryError):
                return None

        is_first = not first and most == N_ROWS and not options
        head: Head | None = self.parts.made(("head", *self.key()), read) if is_first else read()
        return head

    def wrong_cells(self) -> dict[tuple[int, str], str]:
        """Return what is wrong with cells, by row (from 1) and column, as far as it is known."""
        if self.data.table is None or self.head() is None:
            return {}
        odd = self.data.table.texts_among_numbers(self.options())
        found = dict.fromkeys(odd, "It must be a number, as all others of this column are.")
        error = self.preview.error
        cell = getattr(error, "cell", None)
        return ({cell: _sentence(error)} if cell and error is not None else {}) | found

    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns; none while the table cannot be read."""
        head = self.head()
        return () if head is None else head.names

    def findings(self) -> list[Finding]:
        """Return what is wrong or doubtful, each with the ways on from there."""
        preview, histories = self.preview, self.histories()
        found: list[Finding] = []
        is_open, error = self.choices.value("direction") is None, preview.error
        notes = preview.notes if histories is None else histories.notes
        if histories is not None:
            k, n = len(histories.algorithms), len(histories.problems)
            told = f"Histories of runs: {plural(k, 'algorithm')} on {plural(n, 'problem')}."
            asked = WHICH if self.has_table() and is_open else "Go on to their convergence."
            found.append(Finding(f"{told} {asked}", kind="open"))
        if isinstance(error, DirectionError) and is_open:
            found += [] if histories is not None else [Finding(WHICH, kind="open")]
        elif not self.has_table() and error is not None:
            found += [] if histories is not None else [Finding(str(error), kind="open")]
        elif error is not None:
            # a log may be meant as a table of scores all the same
            start, kind = ("", "error") if histories is None else (_AS_SCORES, "note")
            advice = getattr(error, "advice", ())
            read = finding(_sentence(error), self.data.name, kind, advice)
            found.append(read._replace(text=start + read.text))
        # edits are said below, with a button
        found += [finding(note.text, self.data.name) for note in notes if note.code != EDITED]
        return found + list(settled(self.options()))

    # --------------------------------------------------------------------------- the code

    @property
    def code(self) -> str:
        """Python code that reads the same experiment or histories."""
        target = "experiment" if self.histories() is None else "histories"
        return "import nbcompare as nbc\n\n" + self.loading(target)

    def loading(self, target: str) -> str:
        """Return the call that reads the experiment or the histories, bound to a name."""
        source, names = self.data, _code.user_names()
        if source.read is not None:
            named = _code.name_of(source.read, names)
            made = f"{target} = {named}" if named else _code.loading(source.read, target)
            return made or self._by_name(target)
        if source.given is None:
            return f"# {NOTHING}"
        kind, options = "Experiment", self.options()
        if self.histories() is not None:
            kind, options = "Histories", of_log(options)
        if isinstance(source.given, Path):
            path = source.uploaded or seen(source.given)
            return _code.call(f"nbc.{kind}.read", [path], options, target=target)
        if not (name := _code.name_of(source.given, names)):
            return self._by_name(target)
        frame = [_code.Expression(name)]
        return _code.call(f"nbc.{kind}.from_frame", frame, options, target=target)

    def _by_name(self, target: str) -> str:
        """Return how the data are had from the builder itself."""
        own = _code.name_of(self.builder, _code.user_names()) or "builder"
        return f"{target} = {own}.{target}"


def of_log(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments of reading scores as those of reading a log of runs."""
    return {OF_LOGS[name]: value for name, value in options.items()}


def _sentence(error: Exception) -> str:
    """Return what an error says; those of the system in words."""
    if isinstance(error, MemoryError):
        return str(error) or "There is not enough memory for this table."
    if isinstance(error, ReadingError):
        return error.text
    return str(in_words(error) if isinstance(error, OSError) else error)


def changed(model: DataModel, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings after some changes: names are added to those that are there."""
    back = {name: None for name, value in changes.items() if value is None}
    more = {name: value for name, value in changes.items() if name not in back}
    return back | joined({name: model.choices.value(name) for name in more}, more)
