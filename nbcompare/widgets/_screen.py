"""Screens: the elements of a builder and their order; what they show comes from the model."""

from __future__ import annotations

import asyncio
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from nbcompare import plots
from nbcompare._files import scratch_folder
from nbcompare._render import Part, Prose
from nbcompare._render.parts import DRAWING
from nbcompare.plots import Plot
from nbcompare.widgets import _html
from nbcompare.widgets._controls import CONTROLS, Act, Control, OutcomeList
from nbcompare.widgets._elements import (
    Bar,
    Box,
    Button,
    Code,
    Disclosure,
    Downloads,
    Element,
    Field,
    Html,
    LiveTable,
    Pair,
    Root,
    Status,
)
from nbcompare.widgets._figure import LiveFigure
from nbcompare.widgets._model import AnalysisModel, Details, Model
from nbcompare.widgets._settings import Setting, Ticked

_TICK = 0.5  # seconds
_SAVED = (".pdf", ".svg", ".png")  # of a figure that is handed out
_NOT_LEFT = (DRAWING,)  # of a figure in the cell
_DESIGN = "How the result was found: as usual, until you change something under “More options”."


class Screen(ABC):
    """The elements of a builder, however often it is displayed.

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

    def __init__(self, name: str, model: Model, act: Act, cancel: Callable[[], None]) -> None:
        self.model, self._act = model, act
        self.controls: dict[str, Control] = {
            name: self.control(name, setting)
            for name, setting in model.choices.settings.items()
            if model.has_control(name)
        }
        self.message, self.code = Status(), Code()
        # a page for people who want no code has it for those who ask
        is_app = "NBCOMPARE_APP" in os.environ
        self.code_place: Element = (
            Disclosure([self.code], label="Show code", key="code") if is_app else self.code
        )
        self.message.set_class("nbcompare-messages", True)
        self.progress = Progress(cancel)
        self.steps = self._steps_row()
        acts = {"undo": model.builder.undo, "redo": model.builder.redo}
        self.root = Root(self.parts(), "nbcompare-builder", name=name, steps=acts)
        self.refresh()

    def _steps_row(self) -> Box:
        """Return buttons that set many settings at once: undo, redo, and what is recommended."""
        builder = self.model.builder
        usual = "Set the design as it was at first, which suits the data"
        self.undo, self.redo = Button("Undo", builder.undo), Button("Redo", builder.redo)
        self.advised = Button("Recommended", builder.use_recommended, tooltip=usual)
        self.advised.is_shown = isinstance(self.model, AnalysisModel)
        return Box([self.undo, self.redo, self.advised], "nbcompare-bar")

    def in_columns(self, options: list[Element], results: list[Element], *classes: str) -> Box:
        """Return options beside results, above which messages stand and how far something is."""
        news = Box([self.message, self.progress.box], "nbcompare-news")
        columns = [
            Box([*options, self.steps], "nbcompare-options"),
            Box([news, *results], "nbcompare-results"),
        ]
        return Box(columns, "nbcompare-columns", *classes)

    @abstractmethod
    def parts(self) -> list[Element]:
        """Make the other elements, and return all of them in their order."""

    @abstractmethod
    def show(self) -> tuple[Any, list[str]]:
        """Show what depends on the result; return it, and messages about what is shown."""

    def summary(self) -> Sequence[Part]:
        """Return what stays in the cell beside a figure and the code."""
        parts: Sequence[Part] = self.model.result._parts()
        return parts

    def bundles(self, title: str, identity: str) -> list[Any]:
        """Return what stays in the cell, by kinds of output: a figure if there is one, and text."""
        told = _html.text_bundle(identity, self.summary(), self.model.code, title, alone=True)
        return [told, _html.note_bundle(identity, [])]

    def control(self, name: str, setting: Setting) -> Control:
        """Return the control of a setting."""
        return CONTROLS[setting.form](self.model.choices, name, setting, self._act)

    def row(self, *names: str) -> Box:
        """Return the controls of some settings, as far as there are any, side by side."""
        return Box([self.controls[it] for it in names if it in self.controls], "nbcompare-row")

    def refresh(self, *names: str) -> None:
        """Show controls as the settings are; all of them, unless some are named."""
        state = self.model.choices.state()
        for name, control in self.controls.items():
            if not names or name in names:
                control.refresh(state)
                control.is_shown = not self.model.choices.is_idle(name, state)
        steps = self.model.builder.next_steps()
        for button, step, keys in (
            (self.undo, "undo", "Ctrl+Z"),
            (self.redo, "redo", "Ctrl+Shift+Z"),
        ):
            button.is_disabled = not steps[step]
            button.tooltip = f"{button.label}: {steps[step] or 'nothing'} ({keys})"
        self.tell_changes()

    def tell_changes(self) -> None:
        """Show which settings are not as usual, where the screen has a place for that."""
        return

    def say(self, sentences: Sequence[str]) -> None:
        """Put sentences where messages stand."""
        self.message.value = _html.paragraphs(sentences)
        self.root.tell()

    def close(self) -> None:
        """End what the elements have under way."""
        self.root.close()


class AnalysisScreen(Screen):
    """The screen of an analysis: controls on the left, and what is found on the right."""

    model: AnalysisModel

    def parts(self) -> list[Element]:
        """Return the controls, of which the foremost are in sight, and the results."""
        model, boxes = self.model, self.controls
        self.figure, self.sentences = self._live_figure(), Html()
        self.told, self._behind = Html(), list[LiveFigure]()  # of what is selected
        self.detail = Box([self.told], "nbcompare-detail")
        self.tables = LiveTable(self._pick)
        self.files = Downloads(self.say)
        self.figure.is_shown = self.files.is_shown = bool(model.figure_kinds)
        self.design = Field(form="sentence", label="Design", help=[("", _DESIGN)])
        inside = (*model.foremost, *model.detailed, "view")
        rest = [box for name, box in boxes.items() if name not in inside]
        self.more = Disclosure(rest, label="More options", key=model.function)
        foremost = [boxes[name] for name in model.foremost if name in boxes]
        view = [boxes["view"]] if "view" in boxes else []
        results = [
            Box([*view, self.figure], "nbcompare-figure"),
            self.sentences,
            Box([self.row(*model.detailed), self.detail], "nbcompare-selected"),
            self.tables,
            self.code_place,
            self.files,
        ]
        return [self.in_columns([*foremost, self.design, self.more], results)]

    def show(self) -> tuple[Any, list[str]]:
        """Show all of the result, and what the parts of the figures are good for."""
        result = self.model.result
        self.model.choices.settled = self.model.settled()
        self.refresh()
        if self.model.figure_kinds:
            self.figure.show(self.model.figure)
            self.figure.set_class("nbcompare-from-end", self.model.kind.from_end)
            name = self.model.kind.draw.__name__
            self.files.offer({f"{name}{it}": partial(self._saved, it) for it in _SAVED})
        self.code.value, self.code.call = self.model.code, self.model.builder_code
        found = self.model.in_short() or result.findings
        self.sentences.value = _html.told(found, result.sentences)
        details = self.model.details()
        self._pairs = [] if details is None else [pair for pair, _ in details.entries]
        self._show_details(details)
        self.tables.show(
            self.model.tabled(),
            self.model.selected("algorithms"),
            None if details is None else details.pair,
            picks=bool(self._pairs),
        )
        state = self.model.choices.state()
        for figure in (self.figure, *self._behind):
            figure.offer(partial(self.model.picks, state))
        return result, self.model.instead_of_figure()

    def _pick(self, pair: Pair) -> None:
        """Look into a pair whose row was clicked, in the order in which it can be chosen."""
        chosen = next((one for one in (pair, pair[::-1]) if one in self._pairs), None)
        if chosen is not None:
            self._act("pair", chosen)

    def tell_changes(self) -> None:
        """Say what the design is, and on the closed button what was changed."""
        choices, shown = self.model.choices, (*self.model.foremost, *self.model.detailed, "view")
        changed = [name for name in self.model.not_usual() if name not in shown]
        self.more.remark = "; ".join(map(self._changed, changed))
        if self.model.has_draft or self.model.key() in self.model.results:
            of_design = [
                name
                for name in changed
                if choices.settings[name].is_argument and name not in self.model.beside_design
            ]
            design = self.model.design()
            self.design.value = f"{'Changed' if of_design else 'As usual'}: {design}"
            self.design.is_shown = bool(design)

    def _changed(self, name: str) -> str:
        """Return a setting and its value."""
        setting, value = self.model.choices.settings[name], self.model.choices.value(name)
        if isinstance(setting, Ticked):
            told = f"{len(value):,} of {len(self.model.choices.words(name)):,}"
        else:
            told = setting.spelled(value)
        return f"{setting.noun}: {told}"

    def _show_details(self, details: Details | None) -> None:
        control = self.controls.get("pair")
        if isinstance(control, OutcomeList):
            control.is_shown = details is not None
            if details is not None:
                control.fill(details.entries, details.pair)
        shown = () if details is None else details.shown
        self.figure.selected = [] if details is None else list(details.pair)
        told = [Prose((text,)) for text in shown if isinstance(text, str)]
        self.told.value = _html.rendered(told)
        plots = [item for item in shown if isinstance(item, Plot)]
        while len(self._behind) < len(plots):
            self._behind.append(self._live_figure())
            self.detail.children = (*self.detail.children, self._behind[-1])
        for place, figure in enumerate(self._behind):
            figure.is_shown = place < len(plots)
            if place < len(plots):
                figure.show(plots[place])

    def _live_figure(self) -> LiveFigure:
        return LiveFigure(lambda pick: self._act(pick.setting, pick.value))

    def _saved(self, suffix: str) -> bytes:
        """Return the figure as a file."""
        with scratch_folder() as folder:
            return plots.save(self.model.figure, folder / f"figure{suffix}").read_bytes()

    def bundles(self, title: str, identity: str) -> list[Any]:
        """Return the figure, and what the result says with its code."""
        if not self.model.figure_kinds:
            return super().bundles(title, identity)
        figure = self.model.figure
        bundle: Any = figure._repr_mimebundle_(exclude=_NOT_LEFT)
        return [
            _html.figure_bundle(identity, bundle[0], self.figure.as_picture(), figure.alt),
            _html.text_bundle(identity, self.summary(), self.model.code, title),
        ]


class Progress:
    """A bar for computations that take long, with a button that ends them.

    Parameters
    ----------
    cancel : callable
        What the button does.
    what : str
        What is done, as a sentence begins.
    """

    def __init__(self, cancel: Callable[[], None], what: str = "Computing") -> None:
        self._what = what
        self.bar, self.text = Bar(), Html()
        self.button = Button("Cancel", cancel, tooltip="End the computation")
        self.box = Box([self.bar, self.text, self.button], "nbcompare-progress")
        self.box.is_shown = False
        self._handle: asyncio.TimerHandle | None = None
        self._steps = ""
        self.has_view = False  # of other settings, below the bar

    @property
    def running(self) -> bool:
        """True while the bar is on the screen."""
        return self._handle is not None

    def start(self) -> None:
        """Show the bar, from 0 seconds."""
        self.stop()
        self._began = time.monotonic()
        self._steps, self.bar.value = "", -1.0
        self.box.is_shown = True
        self._tick()

    @property
    def seconds(self) -> float:
        """The time for which the bar has been on the screen."""
        return time.monotonic() - self._began

    def tell(self, done: int, total: int, noun: str) -> None:
        """Show how much is done, and of how much."""
        self.bar.value = min(done / total, 1.0) if total else -1.0
        self._steps = f": {done:,} of {total:,} {noun}"

    def _tick(self) -> None:
        self.text.value = self.told()
        self.box.tell()
        self._handle = asyncio.get_running_loop().call_later(_TICK, self._tick)

    def told(self) -> str:
        """Return what is said beside the bar."""
        below = " The view below shows the previous settings." if self.has_view else ""
        return f"{self._what} ({self.seconds:.0f} s){self._steps}.{below}"

    def stop(self) -> None:
        """Hide the bar."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self.box.is_shown = False
        self.box.tell()
