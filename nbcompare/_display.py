"""How results look in this session: the digits of their numbers, the theme of their figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from nbcompare._options import OPTIONS
from nbcompare._validation import check_count, shown

__all__ = ["FEWEST", "MOST", "USUAL", "Display", "current", "set_options"]

FEWEST, MOST = 2, 8


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
_current = USUAL


def current() -> Display:
    """The options as they are now."""
    return _current


class _Before:
    """What was set before: a ``with`` statement sets it again at its end."""

    __slots__ = ("_display",)

    def __init__(self, display: Display) -> None:
        self._display = display

    def __repr__(self) -> str:
        return f"<options of displays: {_current.digits} digits, {_current.theme} theme>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        global _current
        _current = self._display


def set_options(*, digits: int | None = None, theme: str | None = None) -> _Before:
    """Set how results look, from now on or within a ``with`` statement.

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
        At the end of a ``with`` statement, what was set before is set again.

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
    global _current
    before, new = _current, _current
    if digits is not None:
        new = replace(new, digits=_checked_digits(digits))
    if theme is not None:
        new = replace(new, theme=OPTIONS["theme"].check(theme, "theme"))
    _current = new
    return _Before(before)


def _checked_digits(digits: object) -> int:
    number = check_count(digits, "digits", least=FEWEST)
    if number > MOST:
        raise ValueError(f"`digits` must be at most {MOST}; got {shown(digits)}.")
    return number
