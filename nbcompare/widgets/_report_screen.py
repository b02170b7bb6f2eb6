"""The screen of a ReportBuilder, with the row that writes the report to files."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import ipywidgets as ipw

from nbcompare._files import check_target
from nbcompare._render import html
from nbcompare.report import IncompleteReportError
from nbcompare.widgets import _html
from nbcompare.widgets._controls import Act, Choice, Control, NumberField
from nbcompare.widgets._download import Downloads, is_needed
from nbcompare.widgets._exporting import CancelledError, Export, Exporter
from nbcompare.widgets._outline import Summary, shown
from nbcompare.widgets._report_controls import FormatBoxes, SectionList, TextField
from nbcompare.widgets._report_model import ReportModel
from nbcompare.widgets._report_settings import COMPARED, Formats, Sections, Text
from nbcompare.widgets._screen import Progress, Screen, put, row
from nbcompare.widgets._settings import Number, Setting

_LARGEST = 3_000_000  # characters of a page that is shown here
# Steps that an export seems to have before their number is known, and seconds of one
_STEPS, _STEP = 20, 3.0
_STALE = "The preview shows the previous settings; export once more to see the present ones."
_STYLE = """
.nbcompare-outline{max-height:460px;overflow:auto;border:1px solid rgba(128,128,128,.5);
 border-radius:4px;padding:4px 14px}
.nbcompare-outline h1,.nbcompare-outline h2{font-size:1.15em;margin:.9em 0 .3em}
.nbcompare-outline h3,.nbcompare-outline h4{font-size:1em;margin:.7em 0 .2em}
.nbcompare-outline .anchor-link{display:none}
.nbcompare-outline .nbcompare-report-title{font-size:1.3em;font-weight:600;margin:.3em 0}
.nbcompare-builder .nbcompare-page{width:100%;height:70vh;border:1px solid rgba(128,128,128,.7);
 background:#fff;border-radius:4px}
.nbcompare-builder .nbcompare-group{font-weight:600;margin:6px 0 0}
""".replace("\n ", "").strip()


class ReportScreen(Screen):
    """The screen of a report: controls, the outline, the code, and the row that exports."""

    model: ReportModel
    style = _STYLE
    kinds = (
        (Text, TextField),
        (Formats, FormatBoxes),
        (Number, NumberField),
        (Setting, Choice),
    )

    def control(self, name: str, setting: Setting, act: Act) -> Control:
        """Return the control of a setting."""
        if isinstance(setting, Sections):
            return SectionList(self.model.choices, name, setting, act, self.model.why_not)
        return super().control(name, setting, act)

    def rows(self) -> list[Any]:
        """Return texts, sections, options, messages, the outline, the export, and the code."""
        self.outline = ipw.HTML()
        self.export = ExportPanel(self.model, self.say)
        self.controls["abstract"].box.layout.max_width = "100%"
        self.controls["abstract"].box.layout.flex = "1 1 100%"
        for name in ("title", "authors"):
            self.controls[name].box.layout.max_width = "500px"
        compared = self._row(*COMPARED)
        return [
            self._row("title", "authors", "date"),
            self._row("abstract"),
            self.controls["sections"].box,
            _group("Options of the comparison", compared) if compared.children else compared,
            self._row("stochastic", "convergence"),
            self.steps.box,
            self.message,
            self.progress.box,
            _group("Outline, before anything is computed", self.outline),
            self._row("path", "formats"),
            self.export.box,
            self.code,
        ]

    def tell_changes(self) -> None:
        """Mark what belongs to other settings."""
        self.export.settings_changed()

    def _row(self, *names: str) -> Any:
        return row([self.controls[name].box for name in names if name in self.controls])

    def show(self) -> tuple[Any, list[str]]:
        """Show the outline and the code."""
        report, told, code = self.model.result, self.model.chapters(), self.model.code
        put(self.outline, shown(report, told))
        put(self.code, _html.code_block(code))
        return report, []

    def bundles(self, title: str) -> list[Any]:
        """Return a summary of the report with its code, and no figure."""
        summary = Summary(self.model.result, self.model.chapters())._parts()
        told = _html.text_bundle(self.identity, title, summary, self.model.code, alone=True)
        return [told, _html.note_bundle(self.identity, [])]


def _group(title: str, box: Any) -> Any:
    head = ipw.HTML(title)
    head.add_class("nbcompare-group")
    return ipw.VBox([head, box])


class Steps(Progress):
    """A bar that shows how many steps of an export are done.

    How long a step takes is not known: within it the bar goes on more and more slowly.
    """

    def __init__(self, cancel: Callable[[], None]) -> None:
        super().__init__(cancel)
        self.bar.max = 1

    def start(self) -> None:
        """Show it; how many steps there are is known later."""
        self._done = self._total = 0
        self._since = 0.0
        self._ending = False
        super().start()

    def told(self, done: int, total: int) -> None:
        """Take how many steps are done, and of how many."""
        self._done, self._total, self._since = done, total, self.seconds

    def ending(self) -> None:
        """Show that the export is about to end."""
        self._ending = True

    def _tick(self) -> None:
        seconds = self.seconds
        total = self._total or _STEPS
        within = 0.0 if self._total == self._done > 0 else _within(seconds - self._since)
        self.bar.value = (self._done + within) / total
        steps = f"step {self._done} of {self._total}" if self._total else "starting"
        text = "Cancelling" if self._ending else f"Writing the report: {steps}"
        self.text.value = f"{text} ({seconds:.0f} s)."
        self._handle = asyncio.get_running_loop().call_later(0.2, self._tick)


def _within(seconds: float) -> float:
    """Return how much of a step is taken to be done after some seconds."""
    return 0.9 * (1 - math.exp(-seconds / _STEP))


class ExportPanel:
    """A button that exports, progress, and a preview of what was written.

    Parameters
    ----------
    model : ReportModel
        Its report is exported, to its path, in its formats.
    say : callable
        Told what went otherwise, in sentences.
    """

    def __init__(self, model: ReportModel, say: Callable[[Sequence[str]], None]) -> None:
        self._model, self._say = model, say
        self.exporter = Exporter()
        self.button = ipw.Button(description="Export", tooltip="Run the report and write the files")
        self.button.button_style = "primary"
        self.progress = Steps(self._cancel)
        self.progress.button.tooltip = "Cancel the export; files stay as they were"
        self.preview = ipw.ToggleButton(
            description="Preview", tooltip="Show the page that was written", value=False
        )
        self.told, self.page = ipw.HTML(), ipw.HTML()
        self.stale = ipw.HTML(layout=ipw.Layout(display="none"))
        # the application makes links of an output open files beside the notebook
        self.links = Downloads(say) if is_needed() else ipw.Output()
        for widget in (self.button, self.preview):
            widget.layout.width = "auto"
        self.preview.layout.display = "none"
        self.button.on_click(lambda _: self.export())
        self.preview.observe(lambda _: self._show_page(), "value")
        row = ipw.Layout(display="flex", flex_flow="row wrap", align_items="center")
        row.grid_gap = "4px 12px"
        first = ipw.Box(
            [self.button, self.progress.box, self.told, self.links, self.preview], layout=row
        )
        self.box = ipw.VBox([first, self.stale, self.page])
        self._written: Path | None = None
        self._asked: tuple[Any, ...] = ()  # what the last export was made of
        self._page_of: tuple[Any, ...] = ()  # what the page that was written shows
        self._cancelled = False  # whether the last word is that nothing was written

    def export(self) -> None:
        """Begin to write the files; without an event loop, write them at once."""
        if self.exporter.busy:
            return
        try:
            export = Export(self._model.document(), self._model.paths())
            if not export.paths:
                raise ValueError("Tick at least one format.")
            for path in export.paths:
                check_target(Path(path))
            self._tell("")
            self._show_links(())
            self._asked = self._model.key()
            try:
                self.exporter.start(export, self.progress.told, self._done)
            except RuntimeError:  # no loop would hear of it
                self._done(self._model.result.export(*export.paths))
                return
        except (ValueError, TypeError, OSError, ImportError, RuntimeError) as error:
            self._say([f"Not exported: {error}"])
            return
        self._say([])
        self.button.disabled = True
        self.progress.start()

    def _cancel(self) -> None:
        self.exporter.cancel()
        self.progress.ending()

    def _done(self, outcome: Any) -> None:
        self.progress.stop()
        self.button.disabled = False
        if isinstance(outcome, CancelledError):
            self._tell("Cancelled: no file was written.")
            self._cancelled = True
        elif isinstance(outcome, Exception) and not isinstance(outcome, IncompleteReportError):
            self._say([f"Not exported: {outcome}"])
        else:
            written = outcome
            if isinstance(outcome, IncompleteReportError):
                written = outcome.written
                self._say(str(outcome).splitlines())
            names = ", ".join(str(_seen(path)) for path in written)
            self._tell(f"Written: {names}.")
            self._show_links(written)
            pages = [path for path in written if path.suffix.lower() == ".html"]
            self._written = pages[0] if pages else None
            self._page_of = self._asked
            self.preview.layout.display = "" if pages else "none"
            self._show_page()

    def settings_changed(self) -> None:
        """Say that the preview is of other settings, and no longer that something was cancelled."""
        if self._cancelled:
            self._tell("")
        self._mark()

    def _mark(self) -> None:
        """Mark a preview that does not show the settings as they are."""
        is_stale = bool(self.page.value) and self._page_of != self._model.key()
        put(self.stale, _html.message([_STALE]) if is_stale else "")
        self.stale.layout.display = "" if is_stale else "none"

    def _tell(self, text: str) -> None:
        self._cancelled = False
        self.told.value = f'<span role="status">{html.escape(text)}</span>' if text else ""

    def _show_links(self, written: Sequence[Path]) -> None:
        """Show links to files that stand where the application finds them."""
        if isinstance(self.links, Downloads):
            self.links.offer(written)
            return
        links = [
            f'<a href="{html.escape(address)}" target="_blank">Open {html.escape(path.name)}</a>'
            for path in written
            if (address := address_of(path))
        ]
        shown = {"text/html": " · ".join(links), "text/plain": ""}
        output = {"output_type": "display_data", "data": shown, "metadata": {}}
        self.links.outputs = (output,) if links else ()

    def _show_page(self) -> None:
        """Show the page in a frame of its own, if it is not too large for that."""
        self.page.value = ""
        self._fill_page()
        self._mark()

    def _fill_page(self) -> None:
        if not self.preview.value or self._written is None:
            return
        try:
            page = self._written.read_text(encoding="utf-8")
        except OSError as error:
            self._say([f"The page cannot be shown: {error}"])
            return
        if len(page) > _LARGEST:
            size = f"{len(page) / 1e6:.0f} MB"
            text = f"{self._written} has {size}, which is too large to show here. Open the file."
            self.page.value = f"<p>{html.escape(text)}</p>"
            return
        # its scripts run, but have no hold on the notebook
        self.page.value = (
            f'<iframe class="nbcompare-page" title="{html.escape(self._written.name)}" '
            f'sandbox="allow-scripts" srcdoc="{html.escape(page)}"></iframe>'
        )


def address_of(path: Path) -> str:
    """Return the address of a file as seen from the notebook, empty if it is not below its folder.

    The notebook is where the server says; else it is taken to be in the working folder.
    """
    session = Path(os.environ.get("JPY_SESSION_NAME", ""))
    folder = session.parent if session.is_absolute() else Path.cwd()
    full = path.resolve()
    folder = folder.resolve()
    return quote(full.relative_to(folder).as_posix()) if full.is_relative_to(folder) else ""


def _seen(path: Path) -> Path:
    """Return the path as seen from the working folder."""
    full = path.resolve()
    return full.relative_to(Path.cwd()) if full.is_relative_to(Path.cwd()) else full
