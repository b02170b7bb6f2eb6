"""Actions that wait until hands rest, in the event loop in which a builder was displayed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable


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
