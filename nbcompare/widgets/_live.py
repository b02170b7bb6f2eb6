"""The life of a displayed builder: drawing, computing elsewhere, and the snapshot it leaves."""

from __future__ import annotations

import asyncio
import contextlib
import textwrap
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as ipw
from IPython.core.getipython import get_ipython
from IPython.display import display
from traitlets import Bunch

from nbcompare._messages import Speech
from nbcompare.widgets import _html
from nbcompare.widgets._model import Model
from nbcompare.widgets._screen import Screen
from nbcompare.widgets._settings import Setting, SettingError
from nbcompare.widgets._worker import LONG, StartError, Worker

# Seconds. A change is drawn when no other has come for this long. When the user pauses, the
# snapshot says that it is older than the settings; it is large, and is replaced when nothing more
# has come for a while, or the page is hidden or saved. Analyses that seem to take longer than LONG
# go to another process; the cell that displays a builder may wait longer, as a cell does, so that
# its output is complete.
_DEBOUNCE, _REST, _IDLE = 0.05, 0.5, 10.0
_FIRST = 10.0
_OF_TWO = {name: (f"the {it} algorithm",) * 2 for name, it in (("a", "first"), ("b", "second"))}
_LONGEST = 80  # letters of a setting below the still view

# By cell: the run of it in which builders were displayed, and these
_IN_CELLS: dict[str, tuple[str, list[weakref.ref[ipw.Widget]]]] = {}


def close_replaced(builder: ipw.Widget, shell: Any) -> None:
    """Close the builders that an earlier run of the running cell displayed, if only that did."""
    parent = shell.kernel.get_parent() or {}
    cell, run = parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id")
    if not cell:  # the application does not say which one it is
        return
    last, shown = _IN_CELLS.get(cell, ("", []))
    if last != run:
        before = [one for place in shown if (one := place()) is not None and one is not builder]
        _IN_CELLS[cell] = run, [weakref.ref(builder)]
        elsewhere = {place() for _, places in _IN_CELLS.values() for place in places}
        for one in before:
            if one not in elsewhere:
                one.close()
    else:
        shown.append(weakref.ref(builder))


class Debounced:
    """An action that runs once nobody has asked for it for some seconds.

    It runs in the event loop of the kernel; without a running loop it keeps waiting.
    """

    def __init__(self, seconds: float, action: Callable[[], None]) -> None:
        self.seconds, self._action = seconds, action
        self._handle: asyncio.TimerHandle | None = None
        self.waiting = False  # whether it is still to be done

    def ask(self) -> bool:
        """Put the action off once more, and return whether there is a loop that will run it."""
        self.drop()
        self.waiting = True
        with contextlib.suppress(RuntimeError):  # no loop is running
            self._handle = asyncio.get_running_loop().call_later(self.seconds, self._run)
        return self._handle is not None

    def drop(self) -> None:
        """Do not run the action after all."""
        self.waiting = False
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _run(self) -> None:
        self._handle, self.waiting = None, False
        self._action()


class Live:
    """The mediator between a builder, its model and its screen.

    Parameters
    ----------
    builder : Widget
        Its traits are set when a person changes a control, and its observers hear of results.
    model : Model
        Computes what is shown.
    screen_kind : type of Screen
        Made when the builder is first displayed.
    """

    def __init__(self, builder: ipw.Widget, model: Model, screen_kind: type[Screen]) -> None:
        self._builder, self._model, self._screen_kind = builder, model, screen_kind
        self.screen: Screen | None = None
        self.worker = Worker()
        self.redraw = Debounced(_DEBOUNCE, self.draw)
        self.resting = Debounced(_REST, self.mark_snapshot)
        self.idling = Debounced(_IDLE, self.leave_snapshot)
        self._computing: tuple[Any, ...] | None = None  # what the worker's answer will be of
        self._shown: Any = None  # the result on the screen
        # The settings that the screen shows, if any, and what is to be said of the view
        self._view: tuple[tuple[Any, ...], list[str]] | None = None
        self._acting = False  # whether a person's choice is being taken
        self._is_behind = False  # whether controls wait for the next drawing
        self._left: tuple[Any, ...] | None = None  # what the snapshot shows
        self._is_marked = False  # whether the snapshot says that it is older
        self._identity = ""  # of the widget that hides the snapshot

    def open(self) -> Screen:
        """Return the screen, with everything drawn."""
        if self.screen is None:
            name = type(self._builder).__name__
            self.screen = self._screen_kind(name, self._model, self._act, self.cancel)
            try:
                self.draw(_FIRST)
            except KeyboardInterrupt:  # of the cell; the next one begins anew
                self.close()
                raise
        elif self.redraw.waiting:
            self.redraw.drop()
            self.draw(_FIRST)
        return self.screen

    def display(self) -> None:
        """Show the widget, and what stays when it is gone; the result without widgets."""
        shell = get_ipython()
        if getattr(shell, "kernel", None) is None:
            print(self._plain())
            return
        screen = self.open()
        self._builder.open()
        self._identity = str(self._builder.model_id)
        close_replaced(self._builder, shell)
        view, _ = self._builder._repr_mimebundle_()
        # where there are no widgets, the figure is seen first
        display({**view, "text/plain": ""}, raw=True)
        self._left = self._state()
        self._leave(screen)

    def _plain(self) -> str:
        try:
            return f"{self._model.result}\n\n{self._model.code}"
        except ValueError as error:
            return f"{self._builder!r}\n{error}"

    # ----------------------------------------------------------------------------- changes

    def _act(self, name: str, value: Any) -> None:
        """Set what a person changed on a control."""
        self._acting = True
        try:
            setattr(self._builder, name, value)
        except SettingError as error:
            if self.screen is not None:
                self.screen.refresh(name)
            self._say([self._labelled(str(error)), *self._behind()])
        finally:
            self._acting = False

    def changed(self) -> None:
        """Follow a change of the settings."""
        if self.screen is None:
            return
        if self.worker.busy and self._computing != self._model.key():
            self.forget()
        self.resting.drop()
        self.idling.drop()
        # A page tells the place of a choice in a list. What waits behind this choice was made
        # in the lists as they are, so they stay until a moment has passed without one.
        self._is_behind = self.redraw.ask() and self._acting
        if not self._is_behind:
            self.screen.refresh()
        self.screen.say(self._model.choices.notices)

    def draw(self, patience: float = LONG) -> None:
        """Put the result on the screen, or begin to compute it elsewhere."""
        if self._is_behind and self.screen is not None:
            self.screen.refresh()
            self.screen.root.tell()
            self._is_behind = False
        key = self._model.key()
        if key in self._model.results or self._model.estimate() <= patience:
            self.show()
        elif not (self.worker.busy and self._computing == key):
            self._compute(key)
        elif self._model.has_draft:
            self.show()

    def _compute(self, key: tuple[Any, ...]) -> None:
        """Compute the result in another process; in this one without an event loop."""
        try:
            self.worker.start(self._model.task(), self._computed, self._tell, self._show_draft)
        except StartError as error:
            self._compute_here(error)
            return
        except RuntimeError:
            self.show()
            return
        self._computing = key
        if self.screen is not None:
            self.screen.progress.has_view = self._view is not None
            self.screen.progress.start()

    def _compute_here(self, error: StartError) -> None:
        """Compute the result in the kernel, and say why before, since nothing else works then."""
        self._say([f"{error}: the kernel computes, and is busy."])
        self.show([f"{error}: the kernel computed it."])

    def _tell(self, done: int, total: int, noun: str) -> None:
        """Show how far the other process is."""
        if self.screen is not None:
            self.screen.progress.tell(done, total, noun)

    def _show_draft(self, draft: Any) -> None:
        """Show what the other process knows so far, if it is still asked for."""
        if self.screen is not None and self._computing == self._model.key():
            self._model.draft = self._computing, draft
            self.screen.progress.has_view = False  # of other settings
            self.show()

    def _computed(self, outcome: Any) -> None:
        """Take what the other process found for what it was asked, whatever is set by now."""
        key = self._computing
        if self.screen is not None:
            self.screen.progress.stop()
        if not isinstance(outcome, Exception):
            self._model.results.keep(key, outcome)
        if key != self._model.key():
            self.redraw.ask()
        elif isinstance(outcome, StartError):
            self._compute_here(outcome)
        elif isinstance(outcome, Exception):
            self.say_error(outcome)
        else:
            self.show()

    def forget(self) -> None:
        """End the long computation, whose result is not needed any more."""
        self.worker.cancel()
        if self.screen is not None:
            self.screen.progress.stop()

    def close(self) -> None:
        """Leave nothing running and no widgets."""
        for later in (self.redraw, self.resting, self.idling):
            later.drop()
        self.forget()
        screen, self.screen, self._left, self._view = self.screen, None, None, None
        if screen is not None:
            screen.close()

    def cancel(self) -> None:
        """End the long computation; the last view stays."""
        self.forget()
        told = ["Cancelled.", *self._behind(), "Change a setting to continue."]
        self._say([" ".join(told)])

    def show(self, remarks: Sequence[str] = ()) -> None:
        """Draw everything; after an error, say what is wrong and leave the last view."""
        if self.screen is None:
            return
        try:
            result, messages = self.screen.show()
        except Exception as error:  # no traceback in anybody's notebook
            self.say_error(error)
            return
        is_draft = self._model.has_draft
        self._view = self._settings(), [self._model.told_of_draft()] if is_draft else []
        self._say([*remarks, *self._behind(), *messages])
        if is_draft:
            return  # observers, and the cell, get the result itself
        if self._left is not None:
            self.resting.ask()
            self.idling.ask()
        self._notify(result)

    def say_error(self, error: Exception) -> None:
        """Show what is wrong as a message."""
        expected = isinstance(error, ValueError | TypeError | RuntimeError)
        text = self._labelled(str(error)) if expected else f"{type(error).__name__}: {error}"
        self._say([" ".join([text, *self._behind()])])

    def _labelled(self, message: str) -> str:
        """Return a message with the labels of the controls in place of arguments."""
        settings = self._builder.traits().items()
        labels = {name: f"“{it.label}”" for name, it in settings if isinstance(it, Setting)}
        text = Speech(labels, _OF_TWO).says(message)
        return f"{text[0].upper()}{text[1:]}" if message.startswith("`") else text

    def _say(self, sentences: Sequence[str]) -> None:
        if self.screen is not None:
            self.screen.say([*self._model.choices.notices, *sentences])

    def _behind(self) -> list[str]:
        """Say what the view is, where it is not the result of the settings as they are."""
        shown, told = self._view or (self._settings(), [])
        if shown == self._settings():
            return told
        if self.screen is not None and self.screen.progress.running:
            return []  # it stands beside the bar
        return ["The view below shows the previous settings."]

    def _notify(self, result: Any) -> None:
        """Tell observers of ``result`` of one that has come to the screen."""
        old, self._shown = self._shown, result
        if old is not result:
            for name in ("result", "value"):
                change = Bunch(name=name, old=old, new=result, owner=self._builder, type="change")
                self._builder.notify_change(change)

    # ---------------------------------------------------------------------------- snapshot

    def mark_snapshot(self) -> None:
        """Have the snapshot in the cell say that it is older than the settings, if it is."""
        if self.screen is not None and self._left not in (None, self._state()):
            told = f"The view above is earlier than the last state, that of {self._title()}"
            note = _html.note_bundle(self._identity, [f"{told}; run the cell again to change it."])
            self._update({"text": note})
            self._is_marked = True

    def leave_snapshot(self) -> None:
        """Update the snapshot in the cell, if it shows other settings."""
        self.idling.drop()
        state = self._state()
        is_behind = self._left not in (None, state) or self._is_marked
        if self.screen is not None and is_behind:
            self._left, self._is_marked = state, False
            self._leave(self.screen, update=True)

    def _leave(self, screen: Screen, *, update: bool = False) -> None:
        parts = zip(("figure", "text"), self.bundles(screen), strict=True)
        self._update(dict(parts), update=update)

    def _update(self, parts: Mapping[str, Any], *, update: bool = True) -> None:
        for part, (data, metadata) in parts.items():
            place = f"{_html.class_of(self._identity)}-{part}"
            display(data, metadata=metadata, raw=True, display_id=place, update=update)

    def _settings(self) -> tuple[Any, ...]:
        choices, key = self._model.choices, self._model.key()
        return (id(self._model.data), *key, *(choices.value(name) for name in choices.settings))

    def _state(self) -> tuple[Any, ...]:
        return self._model.key() in self._model.results, *self._settings()

    def bundles(self, screen: Screen) -> list[Any]:
        """Return what stays in the cell, by kinds of output: a figure, and text."""
        if self._shown is None or self._model.key() not in self._model.results:
            told = [repr(self._builder), f"There is no {self._model.noun} to show here."]
            return [_html.note_bundle(self._identity, it) for it in (told, [])]
        return screen.bundles(self._title(), self._identity)

    def _title(self) -> str:
        """Return what the builder is called, with its settings: those of the cell may be others."""
        given = self._builder.settings.items()
        texts = [textwrap.shorten(f"{name}={value!r}", _LONGEST) for name, value in given]
        name = type(self._builder).__name__
        return f"{name}, set to {', '.join(texts)}" if texts else name
