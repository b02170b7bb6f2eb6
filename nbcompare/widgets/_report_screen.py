"""The screen of a ReportBuilder: its sections, a preview of the report, and its files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nbcompare._files import check_target, seen
from nbcompare._options import SECTIONS
from nbcompare._render import Column, Part, Prose, Table, html
from nbcompare._validation import named
from nbcompare.report import IncompleteReportError
from nbcompare.widgets._elements import Box, Button, Disclosure, Downloads, Element, Html, Status
from nbcompare.widgets._exporting import Export
from nbcompare.widgets._report_model import COMPARED, ReportModel
from nbcompare.widgets._screen import Progress, Screen
from nbcompare.widgets._worker import Worker

_LARGEST = 3_000_000  # characters of a page that is shown here
_STALE = "The preview shows the previous settings; press Preview to see the present ones."


class ReportScreen(Screen):
    """The screen of a report: texts, sections and options, a preview, and the files."""

    model: ReportModel

    def parts(self) -> list[Element]:
        """Return texts, sections and options on the left; the files and the page on the right."""
        self.export = ExportPanel(self.model, self.say)
        compared = Disclosure(
            self.row(*COMPARED).children, label="Options of the comparison", key="report"
        )
        compared.is_shown = self.advised.is_shown = self.model.data is not None
        options: list[Element] = [
            self.row("title", "authors", "date"),
            self.row("abstract"),
            self.row("sections"),
            compared,
        ]
        results = [self.row("path", "formats"), self.export.box, self.code_place]
        return [self.in_columns(options, results, "nbcompare-halves")]

    def tell_changes(self) -> None:
        """Mark what belongs to other settings."""
        self.export.settings_changed()

    def show(self) -> tuple[Any, list[str]]:
        """Show the code."""
        self.code.value = self.model.code
        return self.model.result, []

    def summary(self) -> list[Part]:
        """Return the title and the sections."""
        report = self.model.result
        by = f", by {' and '.join(report.authors)}" if report.authors else ""
        told = (
            f"Report “{report.outline.metadata['title']}”{by}. It is computed when it is exported."
        )
        columns = (Column("No.", number=True), Column("Section"), Column("Content"))
        rows = tuple(
            (str(number), name if name in SECTIONS else "text", SECTIONS.get(name, "your own text"))
            for number, name in enumerate(map(str, report.sections or ()), start=1)
        )
        return [Prose((told,)), Table(columns, rows)]


class ExportPanel:
    """Buttons that preview the report and write it to files, with progress.

    Parameters
    ----------
    model : ReportModel
        Its report is exported, to its path, in its formats.
    say : callable
        Told what went otherwise, in sentences.
    """

    def __init__(self, model: ReportModel, say: Callable[[Sequence[str]], None]) -> None:
        self._model, self._say = model, say
        self.worker = Worker()
        write = "Run the report and write the files"
        self.button = Button("Export", self.export, "nbcompare-primary", tooltip=write)
        self.preview = Button("Preview", self.show_page, tooltip="Run the report and show its page")
        self.progress = Progress(self._cancel, "Making the report")
        self.progress.button.tooltip = "Cancel the export; files stay as they were"
        self.told, self.stale, self.page = Status(), Status(), Html()
        self.files = Downloads(say)
        self.replace = Button("Replace", self._write, tooltip="Replace the existing files")
        self.replace.is_shown = False
        row = [self.button, self.preview, self.told, self.replace]
        buttons = Box(row, "nbcompare-bar")
        self.box = Box([buttons, self.progress.box, self.files, self.stale, self.page])
        self._folder: tempfile.TemporaryDirectory[str] | None = None  # of the preview
        self._own: set[Path] = set()  # files that were written here
        self._asked: tuple[Any, ...] = ()  # what the last export was made of
        self._page_of: tuple[Any, ...] = ()  # what the page that is shown was made of

    def export(self) -> None:
        """Begin to write the files, unless others of their names are there: that is asked first.

        Without an event loop they are written at once.
        """
        there = [it for it in self._model.paths() if Path(it).exists()]
        foreign = [it for it in there if Path(it).resolve() not in self._own]
        if foreign:
            verb = "is" if len(foreign) == 1 else "are"
            self._tell(f"{named(foreign)} {verb} there already.")
            self.replace.is_shown = True
        else:
            self._write()

    def _write(self) -> None:
        self.replace.is_shown = False
        self._begin(self._model.paths(), self._written)

    def show_page(self) -> None:
        """Begin to make the page of the report, to look at it."""
        if not self.worker.busy:
            self._folder = tempfile.TemporaryDirectory(prefix="nbcompare-")
            self._begin((str(Path(self._folder.name) / "report.html"),), self._fill_page)

    def _begin(self, paths: tuple[str, ...], done: Callable[[Sequence[Path]], None]) -> None:
        if self.worker.busy:
            return
        try:
            if not paths:
                raise ValueError("Tick at least one format.")
            for path in paths:
                check_target(Path(path))
            self._tell("")
            self._asked = self._model.key()
            task = Export.of(self._model.result, paths)
            try:
                self.worker.start(
                    task, lambda outcome: self._end(outcome, done), self.progress.tell
                )
            except RuntimeError:  # no loop would hear of it
                self._end(self._model.result.export(*paths), done)
                return
        except (ValueError, TypeError, OSError, ImportError, RuntimeError) as error:
            self._say([f"Not exported: {error}"])
            self._rest()
            return
        self._say([])
        self.button.is_disabled = self.preview.is_disabled = True
        self.progress.start()

    def _cancel(self) -> None:
        self.worker.cancel()
        self._rest()
        self._tell("Cancelled.")

    def _rest(self) -> None:
        """Have nothing under way any more."""
        self.progress.stop()
        self.button.is_disabled = self.preview.is_disabled = False
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _end(self, outcome: Any, done: Callable[[Sequence[Path]], None]) -> None:
        if isinstance(outcome, IncompleteReportError):
            self._say(str(outcome).splitlines())
            done(outcome.written)
        elif isinstance(outcome, Exception):
            self._say([f"Not exported: {outcome}"])
        else:
            done(outcome)
        self._rest()

    def _written(self, files: Sequence[Path]) -> None:
        self._own.update(path.resolve() for path in files)
        self._tell(f"Written: {', '.join(map(seen, files))}.")
        self.files.offer({path.name: path.read_bytes for path in files})
        self._fill_page(files)

    def settings_changed(self) -> None:
        """Say that the preview is of other settings, and ask no longer about files of others."""
        if self.replace.is_shown:
            self._tell("")
            self.replace.is_shown = False
        is_stale = bool(self.page.value) and self._page_of != self._model.key()
        self.stale.value = _STALE if is_stale else ""

    def _tell(self, text: str) -> None:
        self.told.value = html.escape(text)

    def _fill_page(self, files: Sequence[Path]) -> None:
        """Show the page in a frame of its own, if there is one that is not too large for that."""
        pages = [path for path in files if path.suffix.lower() == ".html"]
        if not pages:
            return
        try:
            page = pages[0].read_text(encoding="utf-8")
        except OSError as error:
            self._say([f"The page cannot be shown: {error}"])
            return
        self._page_of = self._asked
        if len(page) > _LARGEST:
            size = f"{len(page) / 1e6:.0f} MB"
            self.page.value = f"<p>The page has {size}, which is too large to show here.</p>"
        else:
            # its scripts run, but have no hold on the notebook
            self.page.value = (
                '<iframe class="nbcompare-page" title="The report" sandbox="allow-scripts" '
                f'srcdoc="{html.escape(page)}"></iframe>'
            )
        self.settings_changed()
