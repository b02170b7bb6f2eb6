"""Work in the one thread, and the one event loop, in which a builder was displayed."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable, Iterable
from typing import Any


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
    figures are made for that: now and then a choice would be lost, and a figure that the user
    draws at the same time would take our style. While a cell runs here, the messages wait for
    its end.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # nobody to give them to
        return
    for widget in widgets:
        if widget.comm is not None:
            handle = widget._handle_msg  # noqa: SLF001 - what ipywidgets itself registers
            widget.comm.on_msg(_handler(handle, loop))


def _handler(
    handle: Callable[[Any], None], loop: asyncio.AbstractEventLoop
) -> Callable[[Any], None]:
    thread = threading.get_ident()

    def handle_here(message: Any) -> None:
        if threading.get_ident() == thread:
            handle(message)
        else:
            # answers name the message that they answer, which the context holds
            loop.call_soon_threadsafe(handle, message, context=contextvars.copy_context())

    return handle_here
