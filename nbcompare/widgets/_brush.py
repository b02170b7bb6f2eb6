"""The scatter of a pair in which a person brushes data sets, and reads the result without them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as ipw
from anywidget import AnyWidget
from traitlets import List, Unicode

from nbcompare._render import plural
from nbcompare._validation import named
from nbcompare.results import Comparison
from nbcompare.widgets._controls import Act
from nbcompare.widgets._figure import LiveFigure
from nbcompare.widgets._kernel_thread import Debounced
from nbcompare.widgets._leave_out import rest_of, task_without, told_error, told_without
from nbcompare.widgets._model import AnalysisModel, Details, Kept
from nbcompare.widgets._worker import LONG, Worker

_HERE = Path(__file__).parent
_DEBOUNCE = 0.08  # seconds in which no point is added or removed
_AXIS = "datasets"


class Brush(AnyWidget):
    """Which points are brushed; its script looks after the live figure beside it.

    Call :meth:`on_leave_out` to hear of the data sets that a person leaves out for good.
    """

    _esm = _HERE / "brush.js"
    _css = _HERE / "brush.css"
    # The data set of each mark of the figure; empty for marks of something else
    points = List(Unicode()).tag(sync=True)
    brushed = List(Unicode()).tag(sync=True)
    told = Unicode().tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self._callbacks: list[Callable[[tuple[str, ...]], None]] = []
        self.on_msg(self._heard)

    def on_leave_out(self, callback: Callable[[tuple[str, ...]], None]) -> None:
        """Have a function called with the data sets that are to be left out."""
        self._callbacks.append(callback)

    def names(self, given: Sequence[Any]) -> tuple[str, ...]:
        """Return those of some names that have a point."""
        known = set(filter(None, self.points))
        return tuple(name for name in given if isinstance(name, str) and name in known)

    def _heard(self, _widget: Any, content: Any, _buffers: Any) -> None:
        given = content.get("leave") if isinstance(content, dict) else None
        names = self.names(given) if isinstance(given, list) else ()
        if names:
            for callback in self._callbacks:
                callback(names)


class BrushedScatter:
    """The figure of a selected pair with its data sets, and what a person leaves out of it.

    Parameters
    ----------
    model : AnalysisModel
        Of a comparison by ranks.
    figure : LiveFigure
        It shows the scatter.
    act : callable
        Told of setting and value when data sets are left out for good.
    """

    def __init__(self, model: AnalysisModel, figure: LiveFigure, act: Act) -> None:
        self._model, self._act = model, act
        self.figure, self.brush = figure, Brush()
        self.box = ipw.VBox([figure, self.brush], layout=ipw.Layout(display="none"))
        self.box.add_class("nbcompare-leave-out")
        self._pair: tuple[str, str] | None = None
        self._left: tuple[tuple[str, ...], str] = (), ""  # what remains, and what is said of it
        self._told = Kept()  # results without some data sets, or errors
        self._worker = Worker()
        self._soon = Debounced(_DEBOUNCE, self.tell)
        self.brush.observe(self._brushed, "brushed")
        self.brush.on_leave_out(self._leave)

    def show(self, details: Details) -> None:
        """Show the scatter of a selection, if it has one; what is brushed stays so."""
        plot = details.scatter
        self.box.layout.display = "none" if plot is None else None
        if plot is None:
            self.brush.points = []
            return
        self._pair = details.value
        self.figure.show(plot)
        brush = self.brush
        with brush.hold_sync():
            brush.points = self.figure.datasets
            brush.brushed = list(brush.names(brush.brushed))
            self.tell()

    def close(self) -> None:
        """End what is being computed."""
        self._soon.drop()
        self._worker.cancel()

    # ------------------------------------------------------------------------- what is said

    def _brushed(self, _change: Any) -> None:
        if not self._soon.ask():  # without a loop
            self.tell()

    def tell(self) -> None:
        """Say what the result is without the brushed data sets."""
        self._soon.drop()
        known = set(self.brush.names(self.brush.brushed))
        names = tuple(name for name in self._model.selected(_AXIS) if name in known)
        self._worker.cancel()
        if not names or self._pair is None:
            rest, text = self._left
            self.brush.told = text if rest == self._model.selected(_AXIS) else ""
            return
        of = self._model.key()
        if of not in self._model.results:
            return  # it is being computed, and then shown
        key = (*of, names)
        if key in self._told or self._model.estimate() <= LONG:
            self._say(names, self._told.made(key, lambda: self._outcome(names)))
            return

        def done(outcome: Any) -> None:
            self._told.keep(key, outcome)
            if of == self._model.key():
                self._say(names, outcome)

        self.brush.told = f"Computing without {plural(len(names), 'data set')} …"
        try:
            self._worker.start(task_without(self._model, names), done)
        except (RuntimeError, ValueError):  # without a loop, or without any data set
            done(self._outcome(names))

    def _outcome(self, names: tuple[str, ...]) -> Any:
        """Return the result without some data sets, or the error in its place."""
        try:
            return task_without(self._model, names).run()
        except ValueError as error:
            return error

    def _say(self, names: tuple[str, ...], outcome: Any) -> None:
        if isinstance(outcome, Exception):
            self.brush.told = told_error(names, outcome)
        elif isinstance(outcome, Comparison) and self._pair is not None:
            self.brush.told = told_without(self._model.result, outcome, self._pair, names)

    def _leave(self, names: tuple[str, ...]) -> None:
        """Leave the data sets out of the analysis; one step of the history."""
        rest = rest_of(self._model, names)
        if not rest:
            self.brush.told = "At least one data set must remain."
            return
        said = f"{named(names)} {'is' if len(names) == 1 else 'are'} left out now."
        self._left = rest, f"{said} Undo brings {'it' if len(names) == 1 else 'them'} back."
        self._act(_AXIS, rest)
        self.brush.brushed = []
        self.tell()
