"""Progress of what takes longer than two seconds: a bar, or a callback."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

__all__ = ["PATIENCE", "Listener", "Progress", "bar_of", "is_hidden", "tell_progress"]

PATIENCE = 2.0  # seconds before there is a bar
_OFTEN = 0.1  # seconds between two things that a listener is told
# Seconds before a listener gets a draft; the next ones come after this many times the time so far
_FIRST_DRAFT, _NEXT_DRAFT = 0.3, 1.5
# That of tqdm is one of processes, too. For it, Python 3.14 and later start a program, which would
# import what lies in the working folder.
_LOCK = threading.RLock()


def is_hidden(kind: type) -> bool | None:
    """Return what tqdm's class of bars takes for ``disable``, so that only readers see a bar.

    That is a notebook, or a terminal, which tqdm itself finds out for None; in a file, or in what
    another program reads, a bar is noise.
    """
    in_notebook = any(each.__module__ == "tqdm.notebook" for each in kind.__mro__)
    return False if in_notebook else None


def bar_of(**options: Any) -> Any:
    """Return a bar of tqdm that only readers see, and that is gone when it ends."""
    from tqdm.auto import tqdm

    class Bar(tqdm):  # type: ignore[type-arg]  # so that bars of others keep their lock
        pass

    Bar.set_lock(_LOCK)
    return Bar(**options, leave=False, disable=is_hidden(Bar))


class Listener(Protocol):
    """Somebody who is told how far a computation is, in the place of a bar."""

    def tell(self, done: int, total: int, noun: str) -> None:
        """Take how many steps are done, of how many, and what they are."""

    def show(self, draft: Any) -> None:
        """Take what the result is so far."""


_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def tell_progress(listener: Listener) -> Iterator[None]:
    """Report the progress of every computation in this context."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


class Progress:
    """Context manager that counts steps, with a bar if they take long and nobody is told of them.

    The bar is made when it is needed: in a notebook the mere making of one costs ten widgets,
    which the kernel keeps. What counts steps within the steps of another one is not told.

    Parameters
    ----------
    noun : str
        What the steps are, in the plural; it stands before the bar.
    total : int, optional
        The number of steps, if it is known.
    """

    def __init__(self, noun: str, total: int | None) -> None:
        self._noun, self._total, self._done = noun, total, 0
        self._bar: Any = None

    def __enter__(self) -> Progress:
        self._began = self._told = time.monotonic()
        self._listener = _LISTENER.get()
        self._next_draft = _FIRST_DRAFT
        if self._listener is not None:
            self._token = _LISTENER.set(None)
        return self

    @property
    def is_heard(self) -> bool:
        """Whether a callback listens, which takes drafts, too."""
        return self._listener is not None

    def expect(self, total: int) -> None:
        """Take another number of steps, where it becomes known as they are done."""
        self._total = total
        if self._bar is not None:
            self._bar.total = total

    def reach(self, done: int, total: int) -> None:
        """Set how many steps are done, and of how many."""
        self.expect(total)
        self.update(done - self._done)

    def offer(self, make: Callable[[], Any]) -> None:
        """Make a draft of the result, if one is wanted and the last is some time ago."""
        if self._listener is not None and time.monotonic() - self._began > self._next_draft:
            self._listener.show(make())
            self._next_draft = _NEXT_DRAFT * (time.monotonic() - self._began)

    def update(self, steps: int = 1) -> None:
        """Count steps that are done."""
        self._done += steps
        if self._listener is not None:
            now = time.monotonic()
            if self._total is not None and now - self._told > _OFTEN:
                self._told = now
                self._listener.tell(self._done, self._total, self._noun)
        elif self._bar is not None:
            self._bar.update(steps)
        elif time.monotonic() - self._began > PATIENCE:
            self._bar = bar_of(desc=self._noun, total=self._total, initial=self._done, unit="")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._listener is not None:
            _LISTENER.reset(self._token)
        if self._bar is None:
            return
        self._bar.close()
        # tqdm closes the box of a notebook's bar, and forgets what is in it
        for widget in getattr(getattr(self._bar, "container", None), "children", ()):
            for part in (widget.layout, widget.style, widget):
                part.close()
