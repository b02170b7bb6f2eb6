"""One thread for a builder: the one in which it was displayed.

JupyterLab sends what a person does to a second thread of the kernel where that has one, and
to the first where it has not, even of two controls of one builder. Neither widgets nor figures
are made for that: a choice would be lost now and then, and a figure of the user's drawn at the
same time would take our style.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Iterable
from typing import Any


def handle_at_home(widgets: Iterable[Any]) -> None:
    """Have messages to these widgets handled in this thread, in its loop if it has one.

    While a cell runs there, they wait for its end.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # nobody to give them to
        return
    for widget in widgets:
        if widget.comm is not None:
            widget.comm.on_msg(_handler(widget._handle_msg, loop))


def _handler(
    handle: Callable[[Any], None], loop: asyncio.AbstractEventLoop
) -> Callable[[Any], None]:
    home = threading.get_ident()

    def handle_here(message: Any) -> None:
        if threading.get_ident() == home:
            handle(message)
        else:
            # answers name the message that they answer, which the context holds
            loop.call_soon_threadsafe(handle, message, context=contextvars.copy_context())

    return handle_here
