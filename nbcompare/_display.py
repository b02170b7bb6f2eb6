"""Options: the digits of numbers, the theme of figures, and how much is read of a file.

Options that :func:`set_options` sets hold for the whole process. Options of a ``with`` statement
hold in its own context only: in its thread or asyncio task, and in those that are started with a
copy of its context.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Self
from weakref import ref

from nbcompare._options import OPTIONS
from nbcompare._validation import check_count, shown

FEWEST, MOST = 2, 8


@dataclass(frozen=True, slots=True)
class Display:
    """The options of displays.

    Attributes
    ----------
    digits : int
        Decimals of average ranks and of statistics; a p-value has one more.
    theme : {"light", "dark"}
        Theme of the figures in a notebook.
    least_p : float
        A smaller p-value is given as below this; 0 gives all.
    max_cells, max_bytes : int or None
        The most that is read of one file; None: the usual limits.
    """

    digits: int = OPTIONS["digits"].default
    theme: str = OPTIONS["theme"].default
    least_p: float = 0.0
    max_cells: int | None = None
    max_bytes: int | None = None

    @property
    def more_digits(self) -> int:
        """Number of digits beyond the default; negative if there are fewer."""
        return self.digits - USUAL.digits

    @property
    def code(self) -> str:
        """Code that sets these options again in a report; empty for the default ones."""
        names = ("digits", "max_cells", "max_bytes")
        others = [name for name in names if getattr(self, name) != getattr(USUAL, name)]
        given = ", ".join(f"{name}={getattr(self, name)}" for name in others)
        return f"nbc.set_options({given})" if given else ""


USUAL = Display()


_process = _for_good = USUAL  # with, and without, changes that a ``with`` statement may still take
_kept: list[tuple[ref[Options], Mapping[str, Any]]] = []  # these changes, in their order
_lock = Lock()
# the options of each ``with`` statement that encloses what runs, the innermost last
_within: ContextVar[tuple[Display, ...]] = ContextVar("nbcompare_options", default=())


def current() -> Display:
    """Return the options that hold now in this context."""
    return (_process, *_within.get())[-1]


def _keep(options: Options, *, held: bool) -> None:
    """Have changes hold in the process, or not any more, whatever other threads have changed."""
    global _process, _for_good
    with _lock:
        _kept[:] = [each for each in _kept if each[0]() is not options]
        if held:
            _kept.append((ref(options), options.changes))
        while _kept and _kept[0][0]() is None:  # no statement can take them any more
            _for_good = replace(_for_good, **_kept.pop(0)[1])
        _process = _for_good
        for _, changes in _kept:
            _process = replace(_process, **changes)


class Options:
    """Changes of options for a ``with`` statement; other options stay as they are."""

    __slots__ = ("__weakref__", "_before", "changes")

    def __init__(self, **changes: Any) -> None:
        self.changes: Mapping[str, Any] = changes
        self._before: Mapping[str, Any] = {}  # in the enclosing ``with`` statement

    def __repr__(self) -> str:
        display = current()
        return f"<options of displays: {display.digits} digits, {display.theme} theme>"

    def set(self) -> Self:
        """Apply the changes from now on, in the process or the enclosing ``with`` statement."""
        if outer := _within.get():
            self._before = {name: getattr(outer[-1], name) for name in self.changes}
            _within.set((*outer[:-1], replace(outer[-1], **self.changes)))
        else:
            _keep(self, held=True)
        return self

    def __enter__(self) -> Self:
        if outer := _within.get():
            _within.set((*outer[:-1], replace(outer[-1], **self._before)))
        _keep(self, held=False)
        _within.set((*_within.get(), replace(current(), **self.changes)))
        return self

    def __exit__(self, *_: object) -> None:
        _within.set(_within.get()[:-1])


def set_options(
    *,
    digits: int | None = None,
    theme: str | None = None,
    max_cells: int | None = None,
    max_bytes: int | None = None,
) -> Options:
    """Set how results are displayed and how much is read, for good or in a ``with`` statement.

    ``digits`` and ``theme`` change displays, sentences, tables and figures, but no result:
    :meth:`to_frame` and :meth:`to_json` always have every digit.

    Parameters
    ----------
    digits : int, optional
        Decimals of average ranks and of statistics, from 2 to 8; 3 by default. A p-value has
        one decimal more; below 0.001 it has ``digits`` significant digits. Numbers that
        usually have other decimals, such as effect sizes with 2, gain or lose as many
        decimals as average ranks do. Scores have at least 6 significant digits.
    theme : {"light", "dark"}, optional
        Theme of the figures in a notebook. ``light``: dark on white, which can be read in any
        notebook. ``dark``: light on black. The figures of a report, and files that
        :func:`nbcompare.plots.save` writes, always have a white ground, for paper.
    max_cells : int, optional
        The most cells that are read of one table, or values of one folder of logs; by default 200
        million, of an Excel sheet 2 million, or what the environment variable
        ``NBCOMPARE_MAX_CELLS`` says.
    max_bytes : int, optional
        The most bytes that are read of one file, unpacked, or of one folder of logs. By default
        4 GB, of an Excel file 134 MB, or what the environment variable ``NBCOMPARE_MAX_BYTES``
        says; and of a compressed file that unpacks to more than 256 MB, 100 times its size.

    Returns
    -------
    context manager
        In a ``with`` statement, the options hold only there: other threads and asyncio tasks
        do not see them, and the previous options hold again when the statement ends. Calls
        within the statement change the options of the statement only. The call itself comes
        before the statement begins, so for an instant its options hold for the whole process,
        and threads that read them at that instant see them.

    Raises
    ------
    ValueError
        If an option has another value.

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
    for name, most in (("max_cells", max_cells), ("max_bytes", max_bytes)):
        if most is not None:
            changes[name] = check_count(most, name, least=1)
    return Options(**changes).set()


def check_digits(digits: object) -> int:
    """Return ``digits`` as an int if displays can have so many, else raise an error."""
    number = check_count(digits, "digits", least=FEWEST)
    if number > MOST:
        raise ValueError(f"`digits` must be at most {MOST}; got {shown(digits)}.")
    return number
