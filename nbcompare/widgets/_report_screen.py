"""The screen of a ReportBuilder, and what stays of it in the cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from nbcompare.report.report import Report
from nbcompare.widgets import _html, _snapshot
from nbcompare.widgets._controls import Choice, Control, Entry
from nbcompare.widgets._export_panel import ExportPanel
from nbcompare.widgets._live import Live
from nbcompare.widgets._outline import Chapter, Summary, shown
from nbcompare.widgets._progress import Progress
from nbcompare.widgets._report_controls import Boxes, SectionList, Written
from nbcompare.widgets._report_settings import COMPARED, Formats, Sections, Text, Titles
from nbcompare.widgets._screen import Screen, _row, _set
from nbcompare.widgets._settings import Number, Setting

if TYPE_CHECKING:
    from nbcompare.widgets.report_builder import ReportBuilder

_STYLE = """
.nbcompare-outline{max-height:460px;overflow:auto;border:1px solid rgba(128,128,128,.5);
 border-radius:4px;padding:4px 14px}
.nbcompare-outline h1,.nbcompare-outline h2{font-size:1.15em;margin:.9em 0 .3em}
.nbcompare-outline h3,.nbcompare-outline h4{font-size:1em;margin:.7em 0 .2em}
.nbcompare-outline .anchor-link{display:none}
.nbcompare-outline .nbcompare-report-title{font-size:1.3em;font-weight:600;margin:.3em 0}
.nbcompare-builder .nbcompare-page{width:100%;height:70vh;border:1px solid rgba(128,128,128,.7);
 background:#fff;border-radius:4px}
.nbcompare-builder .nbcompare-field textarea{width:100%;box-sizing:border-box}
.nbcompare-builder .nbcompare-field.nbcompare-sections>select:not([multiple]){height:auto}
.nbcompare-builder .nbcompare-group{font-weight:600;margin:6px 0 0}
""".replace("\n ", "").strip()
_KINDS: tuple[tuple[type[Setting], type[Control]], ...] = (
    (Text, Written),
    (Formats, Boxes),
    (Sections, SectionList),
    (Number, Entry),
    (Setting, Choice),
)


class ReportScreen(Screen):
    """Controls, the outline, the code, and the row that exports."""

    _builder: ReportBuilder

    def __init__(
        self,
        builder: ReportBuilder,
        act: Callable[[str, Any], None],
        cancel: Callable[[], None],
    ) -> None:
        self._builder = builder
        self.controls: dict[str, Control] = {}
        for name, setting in builder._settings().items():
            if isinstance(setting, Titles) or not builder.has_control(name):
                continue  # titles stand beside the list of sections
            kind = next(kind for of, kind in _KINDS if isinstance(setting, of))
            self.controls[name] = kind(builder, name, setting, act)
        self.message, self.code, self.outline = ipw.HTML(), ipw.HTML(), ipw.HTML()
        self.progress = Progress(cancel)
        self.export = ExportPanel(builder, self.say)
        self.root = self._arranged()
        self.identity = str(self.root.model_id)
        self._style.value = _html.style(_STYLE, _snapshot.hiding(self.identity))
        self.refresh()

    def _arranged(self) -> ipw.VBox:
        def row(*names: str) -> Any:
            return _row([self.controls[name].box for name in names if name in self.controls])

        self._style = ipw.HTML(layout=ipw.Layout(display="none"))
        self.controls["abstract"].box.layout.max_width = "100%"
        self.controls["abstract"].box.layout.flex = "1 1 100%"
        for name in ("title", "authors"):
            self.controls[name].box.layout.max_width = "500px"
        compared = row(*COMPARED)
        options = (
            self._group("Options of the comparison", compared) if compared.children else compared
        )
        root = ipw.VBox(
            [
                self._style,
                row("title", "authors", "date"),
                row("abstract"),
                self.controls["sections"].box,
                options,
                row("stochastic", "convergence"),
                self.message,
                self.progress.box,
                self._group("Outline, before anything is computed", self.outline),
                row("path", "formats"),
                self.export.box,
                self.code,
            ]
        )
        root.add_class("nbcompare-builder")
        return root

    @staticmethod
    def _group(title: str, box: Any) -> Any:
        head = ipw.HTML(title)
        head.add_class("nbcompare-group")
        return ipw.VBox([head, box])

    def show_report(self, report: Report, told: tuple[Chapter, ...], code: str) -> None:
        """What depends on the report."""
        _set(self.outline, shown(report, told))
        _set(self.code, _html.code(code))


class ReportLive(Live):
    """Between a ReportBuilder and its screen."""

    _builder: ReportBuilder
    screen: ReportScreen | None

    def _new_screen(self) -> ReportScreen:
        return ReportScreen(self._builder, self._act, self.cancel)

    def show(self) -> None:
        """Draw the outline; whatever goes wrong is a sentence, and the last one stays."""
        builder, screen = self._builder, self.screen
        if screen is None:
            return
        try:
            report, told, code = builder.report, builder.chapters(), builder.code
            screen.show_report(report, told, code)
        except Exception as error:  # no traceback in anybody's notebook
            self.say_error(error)
            return
        screen.say(builder._notices)
        self._tell(report)
        if self._left is not None:
            self.resting.ask()

    def _state_left(self) -> tuple[Any, ...]:
        return (*self._builder._key(), *self._builder.paths())

    def _bundles(self, screen: Screen) -> list[Any]:
        builder, identity = self._builder, screen.identity
        if self._shown is None or builder._key() not in builder._results:
            told = [repr(builder), "There is no report to show here."]
            return [_snapshot.note_bundle(identity, told), _snapshot.note_bundle(identity, [])]
        summary = Summary(builder.report, builder.chapters())
        data, metadata = _snapshot.text_bundle(
            identity, type(builder).__name__, summary, builder.code
        )
        # in a notebook, it takes the place of what is said of a widget that is gone
        data["text/html"] = data["text/html"].replace(">", f">{_snapshot._lonely(identity)}", 1)
        return [(data, metadata), _snapshot.note_bundle(identity, [])]
