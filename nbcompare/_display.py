"""How results look in this session: the digits of their numbers, the theme of their figures.

What :func:`set_options` sets holds for the process. A ``with`` statement is a scope of its own,
seen in its context alone: in its thread or asyncio task, and in what these start with a copy of
their context.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Self

from nbcompare._options import OPTIONS
from nbcompare._validation import check_count, shown

__all__ = [
    "FEWEST",
    "MOST",
    "USUAL",
    "Display",
    "Options",
    "check_digits",
    "current",
    "set_options",
]

FEWEST, MOST = 2, 8
_MOST_CALLS = 100  # of which a ``with`` statement may still take one back


@dataclass(frozen=True, slots=True)
class Display:
    """The options of displays.

    Attributes
    ----------
    digits : int
        Decimals of average ranks and of statistics; a p-value has one more.
    theme : {"light", "dark"}
        Of the figures in a notebook.
    """

    digits: int = OPTIONS["digits"].default
    theme: str = OPTIONS["theme"].default

    @property
    def more_digits(self) -> int:
        """How many digits more than usual; below 0 for fewer."""
        return self.digits - USUAL.digits

    @property
    def code(self) -> str:
        """The call that sets what a report has to show likewise; empty if nothing is unusual."""
        if self.digits == USUAL.digits:
            return ""
        return f"nbc.set_options(digits={self.digits})"


USUAL = Display()


class _Scope:
    """What holds in the process or within a ``with`` statement: one call after the other.

    Each call can be taken back by itself, for between a call and the ``with`` statement that it
    belongs to, another thread may make calls too.
    """

    def __init__(self, display: Display) -> None:
        self.display = self._settled = display
        self._calls: list[Options] = []
        self._lock = threading.Lock()

    def add(self, call: Options) -> None:
        with self._lock:
            self._calls.append(call)
            if len(self._calls) > _MOST_CALLS:
                self._settled = self._calls.pop(0).over(self._settled)
            self._renew()

    def take_back(self, call: Options) -> None:
        with self._lock:
            self._calls = [other for other in self._calls if other is not call]
            self._renew()

    def _renew(self) -> None:
        display = self._settled
        for call in self._calls:
            display = call.over(display)
        self.display = display


_process = _Scope(USUAL)
_within: ContextVar[tuple[_Scope, ...]] = ContextVar("nbcompare_options", default=())


def _scope() -> _Scope:
    """The innermost ``with`` statement's, or the process's."""
    return (_process, *_within.get())[-1]


def current() -> Display:
    """The options as they are now, here."""
    return _scope().display


class Options:
    """Options for a ``with`` statement; those that are not given stay as they are."""

    __slots__ = ("_changes", "_set_in")

    def __init__(self, **changes: Any) -> None:
        self._changes: Mapping[str, Any] = changes
        self._set_in: _Scope | None = None

    def __repr__(self) -> str:
        display = current()
        return f"<options of displays: {display.digits} digits, {display.theme} theme>"

    def over(self, display: Display) -> Display:
        """The options of a display, changed."""
        return replace(display, **self._changes)

    def set(self) -> Self:
        """Let them hold from now on, in the process or the ``with`` statement around."""
        self._set_in = _scope()
        self._set_in.add(self)
        return self

    def __enter__(self) -> Self:
        if self._set_in is not None:
            self._set_in.take_back(self)
        _within.set((*_within.get(), _Scope(self.over(current()))))
        return self

    def __exit__(self, *_: object) -> None:
        _within.set(_within.get()[:-1])


def set_options(*, digits: int | None = None, theme: str | None = None) -> Options:
    """Set how results look, from now on in every thread, or within a ``with`` statement.

    It changes displays, sentences, tables and figures, never a result: :meth:`to_frame` and
    :meth:`to_json` have every digit, whatever is set here.

    Parameters
    ----------
    digits : int, optional
        From 2 to 8, 3 by default: decimals of average ranks and of statistics. A p-value has
        one more, and as many significant digits as this where it is below 0.001. Where a
        display usually has fewer or more decimals, as an effect size has 2, it gains or loses
        as many. Scores have at least 6 significant digits.
    theme : {"light", "dark"}, optional
        Figures of a notebook are dark on white, which can be read in any notebook, or light on
        black. A report, and a file that :func:`nbcompare.plots.save` writes, is for paper: it
        has white figures always.

    Returns
    -------
    context manager
        A ``with`` statement keeps the options to itself: other threads and asyncio tasks do
        not see them, and at its end what held before holds again. Calls within it are about
        the statement alone. A call cannot know that ``with`` stands before it: for the instant
        until the statement begins, it is like any other, and threads that read the options of
        the process just then see it.

    Raises
    ------
    ValueError
        If an option is none of these.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"))
    >>> print(result.section("ranks"))
    Average ranks, best first
    algorithm  average rank
    ---------  ------------
    C4.5+m+cf         1.929
    C4.5+m            2.000
    C4.5+cf           2.929
    C4.5              3.143
    >>> with nbc.set_options(digits=5):
    ...     result.section("ranks").to_markdown().splitlines()[-1]
    '| C4.5 | 3.14286 |'
    """
    changes: dict[str, Any] = {}
    if digits is not None:
        changes["digits"] = check_digits(digits)
    if theme is not None:
        changes["theme"] = OPTIONS["theme"].check(theme, "theme")
    return Options(**changes).set()


def check_digits(digits: object) -> int:
    """A number of digits that displays can have."""
    number = check_count(digits, "digits", least=FEWEST)
    if number > MOST:
        raise ValueError(f"`digits` must be at most {MOST}; got {shown(digits)}.")
    return number
