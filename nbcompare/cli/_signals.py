"""Requests to end: Ctrl-C, and the signal by which systems end a program."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from nbcompare.cli._interrupts import interruption

_REQUESTS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def at_once() -> Iterator[None]:
    """End the process immediately when that is asked for; after the block, ignore such requests.

    A module that is being imported is no place for an exception: some make an ImportError of an
    interrupt, and others print it and go on. Where nothing is to be tidied up, nothing is lost.
    """
    _handle(_end)
    try:
        yield
    finally:
        _handle(signal.SIG_IGN)  # the command is done, and its output is kept


@contextmanager
def in_order() -> Iterator[None]:
    """Take a request to end for an interrupt: what runs is stopped, half-written files go."""
    asked = False

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        nonlocal asked
        asked = True
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in _REQUESTS}
    _handle(interrupt)
    try:
        yield
    except Exception:
        if asked:  # which a library has turned into another exception
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in before.items():
            _handle(handler, (number,))


def _handle(
    handler: Callable[[int, FrameType | None], Any] | int | None,
    requests: Iterable[signal.Signals] = _REQUESTS,
) -> None:
    """Have a handler take requests, but not those that the process was started to ignore."""
    if threading.current_thread() is not threading.main_thread():
        return  # the only one that receives signals
    for number in requests:
        if handler is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    with suppress(OSError):  # nobody is there to read it
        os.write(2, interruption().encode())
    os._exit(130)
