"""Screens: the widgets of a builder and their layout; what they show comes from the model."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import ipywidgets as ipw

from nbcompare import plots
from nbcompare._render import Notes, Part, Prose, html
from nbcompare._render.drawing import DRAWING
from nbcompare._validation import named
from nbcompare.plots import SUFFIXES, Plot
from nbcompare.results import tables_of
from nbcompare.widgets import _html
from nbcompare.widgets._brush import BrushedScatter
from nbcompare.widgets._controls import (
    Act,
    Choice,
    Control,
    NumberField,
    OutcomeList,
    Procedures,
    Several,
    SwitchBox,
)
from nbcompare.widgets._fields import Field, More
from nbcompare.widgets._figure import LiveFigure
from nbcompare.widgets._history_row import HistoryRow
from nbcompare.widgets._kernel_thread import handle_in_this_thread
from nbcompare.widgets._model import AnalysisModel, Details, Model
from nbcompare.widgets._page import Page
from nbcompare.widgets._settings import (
    Number,
    SelectedPair,
    Setting,
    ShownFigure,
    Subset,
    Switch,
    WordList,
)
from nbcompare.widgets._table import LiveTable, Pair

_FORMATS = tuple(suffix.removeprefix(".") for suffix in SUFFIXES)
# Endings that people give to pictures of formats that are not written here
_FOREIGN = (".bmp", ".emf", ".eps", ".gif", ".jpeg", ".jpg", ".ps", ".tif", ".tiff", ".webp")
_TICK = 0.5  # seconds
_NOT_LEFT = (DRAWING,)  # of a figure in the cell
# Pairs times data sets up to which estimates of all pairs take less than about two seconds
_MOST_ESTIMATED = 1_000_000
_DESIGN = (
    "How the result was found. It is the {} one until you change something under “More options”."
)


class Screen(ABC):
    """One set of widgets per builder, however often it is displayed.

    Parameters
    ----------
    name : str
        What a screen reader calls it.
    model : Model
        Its settings and results are shown.
    act : callable
        Told of name and value when a person changes a control.
    cancel : callable
        Told that a long computation is not wanted any more.
    """

    # The first kind of setting that fits decides on the control
    kinds: ClassVar[tuple[tuple[type[Setting], type[Control]], ...]]
    style: ClassVar[str] = ""  # of this screen alone

    def __init__(self, name: str, model: Model, act: Act, cancel: Callable[[], None]) -> None:
        self.model, self._act = model, act
        self.controls: dict[str, Control] = {
            name: self.control(name, setting, act)
            for name, setting in model.choices.settings.items()
            if model.has_control(name)
        }
        self.message, self.code = ipw.HTML(), ipw.HTML()
        self.steps = HistoryRow(model.builder, advises=model.advises and model.data is not None)
        self.progress = Progress(cancel)
        sheet = ipw.HTML(layout=ipw.Layout(display="none"))
        page = Page(name, self.steps.keys())
        self.root = ipw.VBox([sheet, page, *self.rows()])
        self.root.add_class("nbcompare-builder")
        self.identity = str(self.root.model_id)
        seen = [widget for widget in self.widgets() if isinstance(widget, ipw.DOMWidget)]
        page.parts = [str(widget.model_id) for widget in seen]
        sheet.value = _html.style(self.style, _html.hiding(self.identity))
        self.refresh()

    @abstractmethod
    def rows(self) -> list[Any]:
        """Make the other widgets, and return all of them from top to bottom."""

    @abstractmethod
    def show(self) -> tuple[Any, list[str]]:
        """Show what depends on the result; return it, and messages about what is shown."""

    def finish(self) -> None:
        """Show what may come a moment after the rest."""
        return

    @abstractmethod
    def bundles(self, title: str) -> list[Any]:
        """Return what stays in the cell, by kinds of output: a figure, and text."""

    def control(self, name: str, setting: Setting, act: Act) -> Control:
        """Return the control of a setting."""
        kind = next(kind for of, kind in self.kinds if isinstance(setting, of))
        return kind(self.model.choices, name, setting, act)

    def refresh(self, *names: str) -> None:
        """Show controls as the settings are; all of them, unless some are named."""
        state = self.model.choices.state()
        for name, control in self.controls.items():
            if not names or name in names:
                control.refresh(state)
                control.put_away(state)
        self.steps.refresh()
        self.tell_changes()

    def tell_changes(self) -> None:
        """Show which settings are not as usual, where the screen has a place for that."""
        return

    def say(self, sentences: Sequence[str]) -> None:
        """Put sentences where messages stand."""
        put(self.message, _html.message(sentences))

    def widgets(self) -> list[Any]:
        """Return all that it is made of, with layouts and styles."""
        # not every screen shows the steps of its settings
        shown = [*_all_within(self.root), *_all_within(self.steps.box)]
        return list(dict.fromkeys(shown))

    def close(self) -> None:
        """Take every widget out of the page and of the kernel's memory."""
        for widget in self.widgets():
            widget.close()


class AnalysisScreen(Screen):
    """The screen of an analysis: controls, a figure, sentences, tables, and code."""

    model: AnalysisModel
    kinds = (
        (Subset, Several),
        (SelectedPair, OutcomeList),
        (Number, NumberField),
        (WordList, Procedures),
        (Switch, SwitchBox),
        (Setting, Choice),
    )

    def rows(self) -> list[Any]:
        """Return controls, messages, the figure beside its sentences, details, tables, code.

        The foremost controls stand in the first row, and the others are behind a button.
        """
        self.figure, self.sentences = self._live_figure(), _part("2 1 280px")
        self.told = ipw.HTML()
        self.detail = ipw.VBox([self.told], layout=ipw.Layout(flex="3 1 540px", min_width="0"))
        self.tables = LiveTable(self._pick)
        self.save = SaveRow(self.model)
        self._behind = list[LiveFigure]()  # figures of what is selected
        self.scatter: BrushedScatter | None = None  # another one, with a point for each data set
        self.design = Field(
            kind="told", label="Design", help=[("", _DESIGN.format(self.model.usual_design))]
        )
        self.design.layout.flex, self.design.layout.min_width = "3 1 200px", "0"
        self.more = More(label="More options", key=self.model.function)
        first = [self.controls[name].box for name in self.model.foremost if name in self.controls]
        details, others = list[Any](), list[Any]()
        self.toolbar = row([self.more, self.steps.box])
        self.toolbar.add_class("nbcompare-toolbar")
        for name, control in self.controls.items():
            if name in self.model.detailed:
                control.box.layout.flex = "0 0 auto"  # they stand one below the other
                details.append(control.box)
            elif isinstance(control.setting, ShownFigure):
                control.box.layout.flex, control.box.layout.max_width = "0 1 auto", None
                control.box.add_class("nbcompare-inline")
                self.toolbar.children = [*self.toolbar.children, control.box]
            elif name not in self.model.foremost:
                others.append(control.box)
            else:
                narrow = isinstance(control, NumberField)
                control.box.layout.flex = "1 1 90px" if narrow else "1 1 150px"
                control.box.layout.min_width = "90px" if narrow else "150px"
                control.box.layout.max_width = "160px" if narrow else "240px"
        rest = ipw.Box(others)
        rest.add_class("nbcompare-more")
        return [
            row([*first, self.design]),
            self.toolbar,
            rest,
            self.message,
            self.progress.box,
            row([self.figure, self.sentences]),
            row([ipw.VBox(details, layout=ipw.Layout(flex="2 1 280px")), self.detail]),
            self.tables,
            self.code,
            self.save.box,
        ]

    def show(self) -> tuple[Any, list[str]]:
        """Show the figure and the code, the rest a moment later."""
        result = self.model.result
        self.figure.show(self.model.figure)
        turn = self.figure.add_class if self.model.kind.from_end else self.figure.remove_class
        turn("nbcompare-from-end")
        put(self.code, _html.code_block(self.model.code))
        self.tell_changes()
        self.save.suggest()
        self._drawn, self._remarks = self.model.answers(), self.model.remarks()
        self._in_short = self.model.in_short()
        self._drawn_for = self.model.key()
        return result, self.model.instead_of_figure()

    def finish(self) -> None:
        """Show sentences, details and tables, and what the parts of the figures are good for."""
        first, *others = self._drawn
        beside = [sentence for other in others for sentence in other.findings]
        found = self._in_short or first.findings
        told = _html.told(found, first.sentences, beside=[*beside, *self._remarks])
        put(self.sentences, told)
        # else the settings have changed, and are about to be drawn
        is_current = self._drawn_for == self.model.key()
        if is_current:
            self.model.choices.settled = self.model.settled()
            self.refresh()
        details = self.model.details() if is_current else None
        if details is not None:
            self._show_details(details)
        self._show_tables(self._drawn, details)  # of many pairs, the estimates take longest
        if is_current:
            state = self.model.choices.state()
            for figure in (self.figure, *self._behind):
                figure.offer(partial(self.model.picks, state=state))

    def _show_tables(self, results: Sequence[Any], details: Details | None) -> None:
        """Show all tables in full, with what the results say of themselves."""
        names = self.model.selected("algorithms")
        n_pairs = len(names) ** 2 if details is None else len(details.entries)
        parts = list[Part]()
        for result in results:
            is_quick = n_pairs * result.design.n_datasets <= _MOST_ESTIMATED
            tables = tables_of(result) if is_quick else ()
            told = [part for part in result._parts() if isinstance(part, Notes) or not tables]
            parts += [*tables, *told]
        self._pairs = [] if details is None else [value for value, _ in details.entries]
        self.tables.show(
            parts,
            names,
            None if details is None else details.value,
            picks=bool(self._pairs),
        )

    def _pick(self, pair: Pair) -> None:
        """Look into a pair whose row was clicked, in the order in which it can be chosen."""
        chosen = next((one for one in (pair, pair[::-1]) if one in self._pairs), None)
        if chosen is not None:
            self._act("pair", chosen)

    def tell_changes(self) -> None:
        """Say what the design is, and on the closed button what was changed."""
        choices, shown = self.model.choices, (*self.model.foremost, *self.model.detailed, "view")
        changed = [name for name in self.model.not_usual() if name not in shown]
        self.more.told = "; ".join(map(self._changed, changed))
        if self.model.key() in self.model.results:
            of_design = [
                name
                for name in changed
                if choices.settings[name].is_argument and name not in self.model.beside_design
            ]
            word = "changed" if of_design else self.model.usual_design
            self.design.value = f"{word.capitalize()}: {self.model.design()}"

    def _changed(self, name: str) -> str:
        """Return a setting and its value."""
        setting, value = self.model.choices.settings[name], self.model.choices.value(name)
        if isinstance(setting, Subset):
            told = f"{len(value):,} of {len(self.model.choices.words(name)):,}"
        else:
            told = setting.spelled(value)
        return f"{setting.noun}: {told}"

    def _show_details(self, details: Details) -> None:
        control = self.controls[details.setting]
        if isinstance(control, OutcomeList):
            control.fill(details.entries, details.value)
        self.figure.selected = list(details.value or ())
        put(self.told, _html.rendered([Prose((t,)) for t in details.shown if isinstance(t, str)]))
        plots = [item for item in details.shown if isinstance(item, Plot)]
        while len(self._behind) < len(plots):
            self._behind.append(self._live_figure())
            self.detail.children = (*self.detail.children, self._behind[-1])
        for place, figure in enumerate(self._behind):
            figure.layout.display = None if place < len(plots) else "none"
            if place < len(plots):
                figure.show(plots[place])
        if details.scatter is not None and self.scatter is None:
            self.scatter = BrushedScatter(self.model, self._live_figure(), self._act)
            handle_in_this_thread([self.scatter.brush])
            self.detail.children = (*self.detail.children, self.scatter.box)
        if self.scatter is not None:
            self.scatter.show(details)

    def close(self) -> None:
        """Take every widget away, and end what is being computed without data sets."""
        if self.scatter is not None:
            self.scatter.close()
        super().close()

    def _live_figure(self) -> LiveFigure:
        figure = LiveFigure()
        figure.on_pick(lambda pick: self._act(pick.setting, pick.value))
        handle_in_this_thread([figure])
        return figure

    def bundles(self, title: str) -> list[Any]:
        """Return the figure, and what the result says with its code."""
        model, figure = self.model, self.model.figure
        bundle: Any = figure._repr_mimebundle_(exclude=_NOT_LEFT)
        return [
            _html.figure_bundle(self.identity, bundle[0], figure.alt),
            _html.text_bundle(self.identity, title, model.lasting(), model.code),
        ]


class Progress:
    """A bar for computations that take long, with a button that ends them."""

    def __init__(self, cancel: Callable[[], None]) -> None:
        # nobody knows how far it is: the bar runs to its end again and again
        self.bar = ipw.FloatProgress(min=0, max=10, layout=ipw.Layout(width="160px"))
        self.text = ipw.HTML()
        self.button = ipw.Button(
            description="Cancel", tooltip="End the computation", layout=ipw.Layout(width="auto")
        )
        self.button.on_click(lambda _: cancel())
        layout = ipw.Layout(display="none", align_items="center")
        self.box = ipw.HBox([self.bar, self.text, self.button], layout=layout)
        self._handle: asyncio.TimerHandle | None = None
        self.has_view = False  # of other settings, below the bar
        self._far: tuple[int, int, str] | None = None  # of how many, and of what

    @property
    def running(self) -> bool:
        """True while the bar is on the screen."""
        return self._handle is not None

    def start(self) -> None:
        """Show the bar, from 0 seconds."""
        self.stop()
        self._began, self._far = time.monotonic(), None
        self.box.layout.display = "flex"
        self._tick()

    def tell(self, done: int, total: int, noun: str) -> None:
        """Show how far the computation is, which is told from time to time."""
        self._far = done, total, noun

    @property
    def seconds(self) -> float:
        """The time for which the bar has been on the screen."""
        return time.monotonic() - self._began

    def _tick(self) -> None:
        seconds = self.seconds
        below = " The view below shows the previous settings." if self.has_view else ""
        if self._far is None:
            self.bar.value, steps = int(seconds / _TICK) % 11, ""
        else:
            done, total, noun = self._far
            self.bar.value, steps = 10 * min(done / total, 1), f": {done:,} of {total:,} {noun}"
        self.text.value = f"Computing ({seconds:.0f} s){steps}.{below}"
        self._handle = asyncio.get_running_loop().call_later(_TICK, self._tick)

    def stop(self) -> None:
        """Hide the bar."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if self.box.layout.display != "none":
            self.box.layout.display = "none"


class SaveRow:
    """A row to save the figure as a file: a name, a format and a button."""

    def __init__(self, model: AnalysisModel) -> None:
        self._model = model
        narrow = {"layout": ipw.Layout(width="auto"), "style": {"description_width": "initial"}}
        self.name = ipw.Text(description="Save figure as", tooltip="Name of the file", **narrow)
        self.format = ipw.Dropdown(
            options=_FORMATS, description="Format", tooltip="SVG and PDF stay sharp", **narrow
        )
        self.button = ipw.Button(
            description="Save", tooltip="Write the figure to the file", layout=narrow["layout"]
        )
        self.button.on_click(lambda _: self.write())
        self.told = ipw.HTML()
        layout = ipw.Layout(display="flex", flex_flow="row wrap", align_items="center")
        self.box = ipw.Box([self.name, self.format, self.button, self.told], layout=layout)
        self._suggested = ""

    def suggest(self) -> None:
        """Fill in a name after the figure, unless a person wrote one."""
        name = self._model.kind.draw.__name__
        if self.name.value in ("", self._suggested) and self.name.value != name:
            self.name.value = name
        self._suggested = name

    def write(self) -> None:
        """Save the figure, and say beside the button what came of it."""
        ending = f".{self.format.value}"
        name = self.name.value.strip()
        path = Path(name if name.lower().endswith(ending) else name + ending)
        try:
            if not name:
                raise ValueError("Give the file a name.")
            foreign = Path(name).suffix.lower()
            if foreign in _FOREIGN:
                raise ValueError(
                    f"figures are written as {named(_FORMATS)}, not as "
                    f"{foreign.removeprefix('.')}. Choose one of these formats."
                )
            if foreign in SUFFIXES and foreign != ending:
                self.format.value = foreign.removeprefix(".")
                path = Path(name)
            plots.save(self._model.figure, path)
            text = f"Saved as {path}."
        except (OSError, ValueError) as error:
            text = f"Not saved: {error}"
        self.told.value = f'<span role="status">{html.escape(text)}</span>'


def _all_within(widget: Any) -> Iterator[Any]:
    """Yield a widget, and all that it holds."""
    for name in ("layout", "style"):
        if isinstance(held := getattr(widget, name, None), ipw.Widget):
            yield held
    for child in getattr(widget, "children", ()):
        yield from _all_within(child)
    yield widget


def _part(flex: str) -> ipw.HTML:
    """Return a field that stands beside something else while there is room."""
    return ipw.HTML(layout=ipw.Layout(flex=flex, min_width="0", max_width="100%"))


def put(widget: ipw.HTML, value: str) -> None:
    """Set the value of a widget; what has not changed is not sent again."""
    if widget.value != value:
        widget.value = value


def row(children: list[Any]) -> ipw.Box:
    """Return a box whose children stand side by side while there is room."""
    layout = ipw.Layout(display="flex", flex_flow="row wrap", align_items="flex-start")
    layout.grid_gap = "4px 16px"
    return ipw.Box(children, layout=layout)
