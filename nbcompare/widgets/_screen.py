"""The widgets of a builder and where they stand; what they show is given to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as ipw

from nbcompare._render import Prose
from nbcompare.plots import Plot
from nbcompare.widgets import _html, _snapshot
from nbcompare.widgets._controls import Choice, Control, Entry, Outcome, Several
from nbcompare.widgets._progress import Progress
from nbcompare.widgets._save import SaveRow
from nbcompare.widgets._settings import Number, Selected, Setting, Subset

if TYPE_CHECKING:
    from nbcompare.widgets._builder import Builder

_KINDS: tuple[tuple[type[Setting], type[Control]], ...] = (
    (Subset, Several),
    (Selected, Outcome),
    (Number, Entry),
    (Setting, Choice),
)


class Details(NamedTuple):
    """What is behind a selection on the screen: what can be selected, and what it shows."""

    setting: str
    entries: Sequence[tuple[Any, str]]
    value: Any
    shown: Sequence[str | Plot]


class Screen:
    """One set of widgets per builder, however often it is displayed.

    Parameters
    ----------
    builder : Builder
        Its settings and results are shown.
    act : callable
        Told of name and value when a person changes a control.
    cancel : callable
        Told that a long computation is not wanted any more.
    """

    def __init__(
        self, builder: Builder, act: Callable[[str, Any], None], cancel: Callable[[], None]
    ) -> None:
        self._builder = builder
        self.controls: dict[str, Control] = {}
        for name, setting in builder._settings().items():
            kind = next(kind for of, kind in _KINDS if isinstance(setting, of))
            self.controls[name] = kind(builder, name, setting, act)
        self.message = ipw.HTML()
        self.progress = Progress(cancel)
        self.figure, self.sentences, self.tables = ipw.HTML(), ipw.HTML(), ipw.HTML()
        self.detail, self.code = ipw.HTML(), ipw.HTML()
        self.save = SaveRow(builder)
        self.tables.add_class("nbcompare-tables")
        self._pictures: dict[int, tuple[Plot, str]] = {}
        self.root = self._arranged()
        self.identity = str(self.root.model_id)
        self._style.value = _html.style(_snapshot.hiding(self.identity))
        self.refresh()

    def _arranged(self) -> ipw.VBox:
        def kind(*classes: type[Control]) -> list[Any]:
            return [c.box for c in self.controls.values() if isinstance(c, classes)]

        self._style = ipw.HTML(layout=ipw.Layout(display="none"))
        self.figure.layout = ipw.Layout(flex="1 1 420px", min_width="0", max_width="100%")
        self.sentences.layout = ipw.Layout(flex="1 1 300px", min_width="0")
        self.detail.layout = ipw.Layout(flex="2 1 300px", min_width="0")
        root = ipw.VBox(
            [
                self._style,
                _row([box for box in kind(Choice, Entry) if box not in kind(Outcome)]),
                _row(kind(Several)),
                self.message,
                self.progress.box,
                _row([self.figure, self.sentences]),
                _row([*kind(Outcome), self.detail]),
                self.tables,
                self.code,
                self.save.box,
            ]
        )
        root.add_class("nbcompare-builder")
        return root

    # ----------------------------------------------------------------------------- showing

    def refresh(self) -> None:
        """Controls as the settings are."""
        state = self._builder._state()
        for control in self.controls.values():
            control.refresh(state)

    def say(self, sentences: Sequence[str]) -> None:
        """Put sentences where what went otherwise is told."""
        _set(self.message, _html.message(sentences))

    def show(self, result: Any, figure: Plot, code: str, details: Details | None) -> None:
        """Everything that depends on the result."""
        parts = result._parts()
        prose = [part for part in parts if isinstance(part, Prose)]
        rest = [part for part in parts if not isinstance(part, Prose)]
        _set(self.figure, _html.figure(self.picture(figure), figure.alt))
        _set(self.sentences, _html.rendered(prose))
        _set(self.tables, _html.rendered(rest))
        _set(self.code, _html.code(code))
        self.save.suggest()
        if details is not None:
            self._show_details(details)

    def _show_details(self, details: Details) -> None:
        control = self.controls[details.setting]
        if isinstance(control, Outcome):
            control.fill(details.entries, details.value)
        shown = [
            _html.paragraphs([item])
            if isinstance(item, str)
            else _html.figure(self.picture(item), item.alt)
            for item in details.shown
        ]
        _set(self.detail, f'<div class="jp-RenderedHTMLCommon">{"".join(shown)}</div>')

    def picture(self, plot: Plot) -> str:
        """The figure as SVG, drawn once while it is on the screen."""
        known = self._pictures.get(id(plot))
        if known is None or known[0] is not plot:
            known = plot, _html.svg(plot)
            self._pictures[id(plot)] = known
            while len(self._pictures) > 3:
                self._pictures.pop(next(iter(self._pictures)))
        return known[1]


def _set(widget: ipw.HTML, value: str) -> None:
    """What has not changed is not sent again."""
    if widget.value != value:
        widget.value = value


def _row(children: list[Any]) -> ipw.Box:
    """Side by side while there is room."""
    layout = ipw.Layout(display="flex", flex_flow="row wrap", align_items="flex-start")
    layout.grid_gap = "4px 16px"
    return ipw.Box(children, layout=layout)
