"""The widgets of a builder and where they stand; what they show is given to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as ipw

from nbcompare._display import Display, current
from nbcompare._render import Prose
from nbcompare.plots import Plot
from nbcompare.widgets import _html, _snapshot
from nbcompare.widgets._controls import Choice, Control, Entry, Outcome, Procedures, Several
from nbcompare.widgets._progress import Progress
from nbcompare.widgets._save import SaveRow
from nbcompare.widgets._settings import Number, Selected, Setting, Subset, Words

if TYPE_CHECKING:
    from nbcompare.widgets._builder import Builder

_KINDS: tuple[tuple[type[Setting], type[Control]], ...] = (
    (Subset, Several),
    (Selected, Outcome),
    (Number, Entry),
    (Words, Procedures),
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
        self.figure, self.detail = _part("3 1 540px"), _part("3 1 540px")
        self.sentences = _part("2 1 280px")
        self.tables, self.code = ipw.HTML(), ipw.HTML()
        self.save = SaveRow(builder)
        self.tables.add_class("nbcompare-tables")
        self._pictures: dict[tuple[int, Display], tuple[Plot, str]] = {}
        self.root = self._arranged()
        self.identity = str(self.root.model_id)
        self._style.value = _html.style(_snapshot.hiding(self.identity))
        self.refresh()

    def _arranged(self) -> ipw.VBox:
        subsets, details, others = list[Any](), list[Any](), list[Any]()
        for name, control in self.controls.items():
            if isinstance(control, Several):
                subsets.append(control.box)
            elif name in self._builder._detailed:
                control.box.layout.flex = "0 0 auto"  # they stand one below the other
                details.append(control.box)
            else:
                others.append(control.box)
        self._style = ipw.HTML(layout=ipw.Layout(display="none"))
        root = ipw.VBox(
            [
                self._style,
                _row(others),
                _row(subsets),
                self.message,
                self.progress.box,
                _row([self.figure, self.sentences]),
                _row([ipw.VBox(details, layout=ipw.Layout(flex="2 1 280px")), self.detail]),
                self.tables,
                self.code,
                self.save.box,
            ]
        )
        root.add_class("nbcompare-builder")
        return root

    # ----------------------------------------------------------------------------- showing

    def refresh(self, *names: str) -> None:
        """Controls as the settings are; all of them, unless some are named."""
        state = self._builder._state()
        for name, control in self.controls.items():
            if not names or name in names:
                control.refresh(state)
                control.put_away(state)

    def say(self, sentences: Sequence[str]) -> None:
        """Put sentences where what went otherwise is told."""
        _set(self.message, _html.message(sentences))

    def show(self, result: Any, figure: Plot, code: str, details: Details | None) -> None:
        """Everything that depends on the result."""
        parts = result._parts()
        sentences = [text for part in parts if isinstance(part, Prose) for text in part.sentences]
        rest = [part for part in parts if not isinstance(part, Prose)]
        picture = self.picture(figure)
        _set(self.figure, _html.figure(picture, figure.alt))
        # a wide one has the row for itself, so that all of it is seen
        self.figure.layout.flex = f"3 1 {0.85 * _html.width_of(picture):.0f}px"
        _set(self.sentences, _html.told(sentences))
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
            _html.rendered([Prose((item,))])
            if isinstance(item, str)
            else _html.figure(self.picture(item), item.alt)
            for item in details.shown
        ]
        _set(self.detail, "".join(shown))

    def picture(self, plot: Plot) -> str:
        """The figure as SVG, drawn once while it is on the screen."""
        key = (id(plot), current())
        known = self._pictures.get(key)
        if known is None or known[0] is not plot:
            known = plot, plot.drawing()
            self._pictures[key] = known
            while len(self._pictures) > 3:
                self._pictures.pop(next(iter(self._pictures)))
        return known[1]

    def widgets(self) -> list[Any]:
        """All that it is made of, with layouts and styles."""
        return list(_all_within(self.root))

    def close(self) -> None:
        """Take every widget out of the page and of the kernel's memory."""
        for widget in self.widgets():
            widget.close()


def _all_within(widget: Any) -> Iterator[Any]:
    """A widget, and all that it holds."""
    for name in ("layout", "style"):
        if isinstance(held := getattr(widget, name, None), ipw.Widget):
            yield held
    for child in getattr(widget, "children", ()):
        yield from _all_within(child)
    yield widget


def _part(flex: str) -> ipw.HTML:
    """What stands beside something else while there is room."""
    return ipw.HTML(layout=ipw.Layout(flex=flex, min_width="0", max_width="100%"))


def _set(widget: ipw.HTML, value: str) -> None:
    """What has not changed is not sent again."""
    if widget.value != value:
        widget.value = value


def _row(children: list[Any]) -> ipw.Box:
    """Side by side while there is room."""
    layout = ipw.Layout(display="flex", flex_flow="row wrap", align_items="flex-start")
    layout.grid_gap = "4px 16px"
    return ipw.Box(children, layout=layout)
