"""Bar that shows the progress of what takes longer than two seconds, and leaves nothing behind."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["PATIENCE", "Progress", "bar_of", "is_hidden"]

PATIENCE = 2.0  # seconds before there is a bar
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


class Progress:
    """Context manager that counts steps, with a bar if they take long.

    The bar is made when it is needed: in a notebook the mere making of one costs ten widgets,
    which the kernel keeps.

    Parameters
    ----------
    description : str
        What stands before the bar.
    total : int, optional
        The number of steps, if it is known.
    """

    def __init__(self, description: str, total: int | None) -> None:
        self._description, self._total, self._done = description, total, 0
        self._bar: Any = None

    def __enter__(self) -> Progress:
        self._began = time.monotonic()
        return self

    def update(self, steps: int = 1) -> None:
        """Count steps that are done."""
        self._done += steps
        if self._bar is not None:
            self._bar.update(steps)
        elif time.monotonic() - self._began > PATIENCE:
            self._bar = bar_of(
                desc=self._description, total=self._total, initial=self._done, unit=""
            )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is None:
            return
        self._bar.close()
        # tqdm closes the box of a notebook's bar, and forgets what is in it
        for widget in getattr(getattr(self._bar, "container", None), "children", ()):
            for part in (widget.layout, widget.style, widget):
                part.close()
