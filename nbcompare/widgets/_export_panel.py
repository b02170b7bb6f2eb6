"""The row that writes a report to files: how far it is, where they are, and the page itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from nbcompare._files import check_target
from nbcompare._render import html
from nbcompare.widgets._exporting import CancelledError, Export, Exporter
from nbcompare.widgets._progress import Progress

if TYPE_CHECKING:
    from nbcompare.widgets.report_builder import ReportBuilder

_LARGEST = 3_000_000  # characters of a page that is shown here


class Steps(Progress):
    """How many steps of an export are done."""

    def start(self) -> None:
        """Show it; how many steps there are is known later."""
        self._done = self._total = 0
        self._ending = False
        super().start()

    def told(self, done: int, total: int) -> None:
        """So many steps of so many."""
        self._done, self._total = done, total

    def ending(self) -> None:
        """It was cancelled, and is about to end."""
        self._ending = True

    def _tick(self) -> None:
        seconds = time.monotonic() - self._began
        self.bar.max = max(self._total, 1)
        self.bar.value = self._done
        steps = f"step {self._done} of {self._total}" if self._total else "starting"
        text = "Cancelling" if self._ending else f"Writing the report: {steps}"
        self.text.value = f"{text}, {seconds:.0f} s."
        self._handle = asyncio.get_running_loop().call_later(0.2, self._tick)


class ExportPanel:
    """A button that exports, progress, and a preview of what was written.

    Parameters
    ----------
    builder : ReportBuilder
        Its report is exported, to its path, in its formats.
    say : callable
        Told what went otherwise, in sentences.
    """

    def __init__(self, builder: ReportBuilder, say: Callable[[Sequence[str]], None]) -> None:
        self._builder, self._say = builder, say
        self.exporter = Exporter()
        self.button = ipw.Button(description="Export", tooltip="Run the report and write the files")
        self.button.button_style = "primary"
        self.progress = Steps(self._cancel)
        self.progress.button.tooltip = "End the export; files stay as they were"
        self.preview = ipw.ToggleButton(
            description="Preview", tooltip="Show the page that was written", value=False
        )
        self.told, self.page = ipw.HTML(), ipw.HTML()
        for widget in (self.button, self.preview):
            widget.layout = ipw.Layout(width="auto")
        self.preview.layout.display = "none"
        self.button.on_click(lambda _: self.export())
        self.preview.observe(lambda _: self._show_page(), "value")
        row = ipw.Layout(display="flex", flex_flow="row wrap", align_items="center")
        row.grid_gap = "4px 12px"
        first = ipw.Box([self.button, self.progress.box, self.told, self.preview], layout=row)
        self.box = ipw.VBox([first, self.page])
        self._written: Path | None = None

    def export(self) -> None:
        """Begin to write the files; without a loop, write them."""
        if self.exporter.busy:
            return
        try:
            export = Export(self._builder.document(), self._builder.paths())
            if not export.paths:
                raise ValueError("Tick at least one format.")
            for path in export.paths:
                check_target(Path(path))
            self._tell("")
            try:
                self.exporter.start(export, self.progress.told, self._done)
            except RuntimeError:  # no loop would hear of it
                self._done(self._builder.report.export(*export.paths))
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
        elif isinstance(outcome, Exception):
            self._say([f"Not exported: {outcome}"])
        else:
            names = ", ".join(str(_seen(path)) for path in outcome)
            self._tell(f"Written: {names}.")
            pages = [path for path in outcome if path.suffix.lower() == ".html"]
            self._written = pages[0] if pages else None
            self.preview.layout.display = "" if pages else "none"
            self._show_page()

    def _tell(self, text: str) -> None:
        self.told.value = f'<span role="status">{html.escape(text)}</span>' if text else ""

    def _show_page(self) -> None:
        """The page in a frame of its own, if it is not too large for that."""
        self.page.value = ""
        if not self.preview.value or self._written is None:
            return
        try:
            page = self._written.read_text(encoding="utf-8")
        except OSError as error:
            self._say([f"The page cannot be shown: {error}"])
            return
        if len(page) > _LARGEST:
            size = f"{len(page) / 1e6:.0f} MB"
            text = f"{self._written} has {size}, too much to show here: open the file."
            self.page.value = f"<p>{html.escape(text)}</p>"
            return
        # its scripts run, but have no hold on the notebook
        self.page.value = (
            f'<iframe class="nbcompare-page" title="{html.escape(self._written.name)}" '
            f'sandbox="allow-scripts" srcdoc="{html.escape(page)}"></iframe>'
        )


def _seen(path: Path) -> Path:
    """The path as seen from the working folder."""
    full = path.resolve()
    return full.relative_to(Path.cwd()) if full.is_relative_to(Path.cwd()) else full
