"""Work in the one thread, and the one event loop, in which a builder was displayed."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import datetime
import functools
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

# Seconds by which a message may come later than one that was sent after it. A choice that comes too
# late is made all the same; a click acts on what was chosen, and waits longer for it.
_OVERTAKING = 0.03
_BEFORE_A_CLICK = 0.15


class Debounced:
    """An action that runs once nobody has asked for it for some seconds.

    It runs in the event loop of the kernel; without a running loop it keeps waiting.
    """

    def __init__(self, seconds: float, action: Callable[[], None]) -> None:
        self._seconds, self._action = seconds, action
        self._handle: asyncio.TimerHandle | None = None
        self.waiting = False  # whether it is still to be done

    def ask(self) -> bool:
        """Put the action off once more, and return whether there is a loop that will run it."""
        self.drop()
        self.waiting = True
        with contextlib.suppress(RuntimeError):  # no loop is running
            self._handle = asyncio.get_running_loop().call_later(self._seconds, self._run)
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


def handle_in_this_thread(widgets: Iterable[Any]) -> None:
    """Have messages to these widgets handled in this thread, in its loop if it has one.

    JupyterLab sends what a person does to a second thread of the kernel where that has one, and
    to the first where it has not, even for two controls of one builder. Neither widgets nor
    figures are made for that: now and then a choice would be lost, a button would act before
    the choice that was made before it, and a figure that the user draws at the same time would
    take our style. While a cell runs here, the messages wait for its end.
    """
    try:
        inbox = Inbox(asyncio.get_running_loop())
    except RuntimeError:  # nobody to give them to
        return
    for widget in widgets:
        if widget.comm is not None:
            # what ipywidgets itself registers
            widget.comm.on_msg(functools.partial(inbox.take, widget._handle_msg))  # noqa: SLF001


class Inbox:
    """Messages of a page on their way to the thread that made this, in the order they were sent.

    Parameters
    ----------
    loop : asyncio.AbstractEventLoop
        The loop of that thread.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._thread = loop, threading.get_ident()
        self._has_other = False  # whether a message ever came by another thread
        self._waiting: list[tuple[float, float, Callable[[], None]]] = []  # sent, due, act

    def take(self, handle: Callable[[Any], None], message: Any) -> None:
        """Handle a message, after those that were sent before it by another way."""
        here = threading.get_ident() == self._thread
        if here and not self._has_other:
            handle(message)
            return
        self._has_other = True
        # answers name the message that they answer, which the context holds
        act = functools.partial(contextvars.copy_context().run, handle, message)
        method = message.get("content", {}).get("data", {}).get("method")
        patience = _BEFORE_A_CLICK if method == "custom" else _OVERTAKING
        arrived = sent_at(message), self._loop.time() + patience, act
        if here:
            self._put(arrived)
        else:
            self._loop.call_soon_threadsafe(self._put, arrived)

    def _put(self, arrived: tuple[float, float, Callable[[], None]]) -> None:
        self._waiting.append(arrived)
        self._loop.call_at(arrived[1], self._hand_on)

    def _hand_on(self) -> None:
        """Hand on what has waited long enough, in order: nothing goes before what waits."""
        self._waiting.sort(key=lambda arrived: arrived[0])
        now = self._loop.time() + 0.001  # a timer may run a little before its time
        while self._waiting and self._waiting[0][1] <= now:
            self._loop.call_soon(self._waiting.pop(0)[2])  # each by itself: an error ends only one


def sent_at(message: Any) -> float:
    """Return when the page sent a message, in seconds; now if it does not say so."""
    date = message.get("header", {}).get("date")
    return date.timestamp() if isinstance(date, datetime.datetime) else time.time()
