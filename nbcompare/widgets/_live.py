"""A builder on the screen: what is drawn when, what is computed elsewhere, what is left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.core.getipython import get_ipython
from IPython.display import display
from traitlets import Bunch

from nbcompare.widgets import _snapshot
from nbcompare.widgets._home import handle_at_home
from nbcompare.widgets._later import Later
from nbcompare.widgets._screen import Screen
from nbcompare.widgets._settings import SettingError
from nbcompare.widgets._worker import Worker

if TYPE_CHECKING:
    from nbcompare.widgets._builder import Builder

# Seconds. A change is drawn when no other has come for this long; the snapshot later, when
# hands rest. Analyses that seem to take longer than LONG go to another process; the cell that
# displays a builder may wait longer, as a cell does, so that its output is complete.
_DEBOUNCE, _REST = 0.08, 0.5
LONG, _FIRST = 1.0, 10.0


class Live:
    """Between a builder and its screen, which is made when it is first displayed."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self.screen: Screen | None = None
        self.worker = Worker()
        self.redraw = Later(_DEBOUNCE, self.draw)
        self.resting = Later(_REST, self.leave_snapshot)
        self._computing: tuple[Any, ...] | None = None  # what the worker's answer will be of
        self._shown: Any = None  # the result on the screen
        self._acting = False  # whether a person's choice is being taken
        self._is_behind = False  # whether controls wait for the next drawing
        self._left: tuple[Any, ...] | None = None

    def open(self) -> Screen:
        """The widgets, with everything drawn."""
        if self.screen is None:
            self.screen = self._new_screen()
            handle_at_home(self.screen.widgets())
            self.draw(_FIRST)
        elif self.redraw.waiting:
            self.redraw.drop()
            self.draw(_FIRST)
        return self.screen

    def _new_screen(self) -> Screen:
        return Screen(self._builder, self._act, self.cancel)

    def display(self) -> None:
        """Show the widgets, and what stays when they are gone; the result without widgets."""
        shell = get_ipython()
        if getattr(shell, "kernel", None) is None:
            print(self._plain())
            return
        screen = self.open()
        view = screen.root._repr_mimebundle_()
        view["text/plain"] = repr(self._builder)
        display(view, raw=True)
        self._left = self._state_left()
        self._leave(screen)

    def _plain(self) -> str:
        try:
            return f"{self._builder.result}\n\n{self._builder.code}"
        except ValueError as error:
            return f"{self._builder!r}\n{error}"

    # ----------------------------------------------------------------------------- changes

    def _act(self, name: str, value: Any) -> None:
        """A person changed a control."""
        self._acting = True
        try:
            setattr(self._builder, name, value)
        except SettingError as error:
            if self.screen is not None:
                self.screen.refresh(name)
                self.screen.say([str(error)])
        finally:
            self._acting = False

    def changed(self) -> None:
        """The builder's settings are others."""
        if self.screen is None:
            return
        if self.worker.busy and self._computing != self._builder._key():
            self.forget()
        self.screen.say(self._builder._notices)
        self.resting.drop()
        # A page tells the place of a choice in a list. What waits behind this choice was made
        # in the lists as they are, so they stay until a moment has passed without one.
        self._is_behind = self.redraw.ask() and self._acting
        if not self._is_behind:
            self.screen.refresh()

    def draw(self, patience: float = LONG) -> None:
        """Put the result on the screen, or begin to compute it elsewhere."""
        builder = self._builder
        if self._is_behind and self.screen is not None:
            self.screen.refresh()
            self._is_behind = False
        key = builder._key()
        if key in builder._results or builder._estimate() <= patience:
            self.show()
        elif not (self.worker.busy and self._computing == key):
            self._compute(key)

    def _compute(self, key: tuple[Any, ...]) -> None:
        """Have it done elsewhere; here, if no loop would hear of it."""
        try:
            self.worker.start(self._builder._task(), self._computed)
        except RuntimeError:
            self.show()
            return
        self._computing = key
        if self.screen is not None:
            self.screen.progress.start()

    def _computed(self, outcome: Any) -> None:
        """The other process is done with what it was asked for, whatever is set by now."""
        builder, key = self._builder, self._computing
        if self.screen is not None:
            self.screen.progress.stop()
        if not isinstance(outcome, Exception):
            builder._keep(builder._results, key, outcome)
        if key != builder._key():
            self.redraw.ask()
        elif isinstance(outcome, Exception):
            self.say_error(outcome)
        else:
            self.show()

    def forget(self) -> None:
        """End the long computation: its answer is not wanted any more."""
        self.worker.cancel()
        if self.screen is not None:
            self.screen.progress.stop()

    def close(self) -> None:
        """Leave nothing running and no widgets."""
        self.redraw.drop()
        self.resting.drop()
        self.forget()
        screen, self.screen, self._left = self.screen, None, None
        if screen is not None:
            screen.close()

    def cancel(self) -> None:
        """End the long computation; the last view stays."""
        self.forget()
        if self.screen is not None:
            self.screen.say(
                ["Cancelled. The view below is of the settings before; change one to go on."]
            )

    def show(self) -> None:
        """Draw everything; whatever goes wrong is a sentence, and the last view stays."""
        builder, screen = self._builder, self.screen
        if screen is None:
            return
        try:
            result, figure, code = builder.result, builder.figure, builder.code
            screen.show(result, figure, code, builder._details())
        except Exception as error:  # no traceback in anybody's notebook
            self.say_error(error)
            return
        notices = [*builder._notices, *builder._instead_of_view()]
        screen.say(notices)
        if self._left is not None:
            self.resting.ask()
        self._tell(result)

    def say_error(self, error: Exception) -> None:
        """What is wrong, where messages stand."""
        expected = isinstance(error, ValueError | TypeError | RuntimeError)
        text = str(error) if expected else f"{type(error).__name__}: {error}"
        stale = "" if self._shown is None else " The view below is the one before."
        if self.screen is not None:
            self.screen.say([*self._builder._notices, f"{text}{stale}"])

    def _tell(self, result: Any) -> None:
        """Observers of ``result`` hear of one that has come to the screen."""
        old, self._shown = self._shown, result
        if old is not result:
            change = Bunch(name="result", old=old, new=result, owner=self._builder, type="change")
            self._builder.notify_change(change)

    # ---------------------------------------------------------------------------- snapshot

    def leave_snapshot(self) -> None:
        """Renew what stays in the cell, if it shows something else."""
        state = self._state_left()
        if self.screen is not None and state != self._left:
            self._left = state
            self._leave(self.screen, update=True)

    def _leave(self, screen: Screen, *, update: bool = False) -> None:
        parts = zip(("figure", "text"), self._bundles(screen), strict=True)
        for part, (data, metadata) in parts:
            place = f"{_snapshot.class_of(screen.identity)}-{part}"
            display(data, metadata=metadata, raw=True, display_id=place, update=update)

    def _state_left(self) -> tuple[Any, ...]:
        builder = self._builder
        return (*builder._key(), *(getattr(builder, name) for name in builder._order))

    def _bundles(self, screen: Screen) -> list[Any]:
        builder = self._builder
        identity = screen.identity
        if self._shown is None or builder._key() not in builder._results:
            told = [repr(builder), "There is no result to show here."]
            return [_snapshot.note_bundle(identity, told), _snapshot.note_bundle(identity, [])]
        figure = builder.figure
        bundle: Any = figure._repr_mimebundle_()
        picture = screen.picture(figure)
        title = type(builder).__name__
        return [
            _snapshot.figure_bundle(identity, picture, bundle[0], figure.alt),
            _snapshot.text_bundle(identity, title, builder.result, builder.code),
        ]
