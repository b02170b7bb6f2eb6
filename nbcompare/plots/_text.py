"""Texts of figures: how wide they are, lines that fit, fonts for all letters, numbers of axes."""

from __future__ import annotations

import math
import re
import textwrap
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache

from matplotlib import rcParams
from matplotlib.axis import Axis, YAxis
from matplotlib.figure import Figure
from matplotlib.font_manager import (
    FontEntry,
    FontProperties,
    findfont,
    findSystemFonts,
    fontManager,
    get_font,
)
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from matplotlib.ticker import (
    FixedLocator,
    Formatter,
    FuncFormatter,
    Locator,
    LogLocator,
    MaxNLocator,
    NullLocator,
    ScalarFormatter,
)

from nbcompare._arrays import FloatArray
from nbcompare._render import with_minus
from nbcompare._render.letters import is_joiner, isolated

GLYPHS = "Glyph .* missing from"  # a warning of Matplotlib
_HINTED = 1.04  # small letters are drawn a little wider than measured
_APART = 0.12  # inches between numbers
_STEPS = (1, 2, 2.5, 5, 10)  # between them
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LAST_RESORT = "Last Resort"  # Matplotlib's font of boxes for all letters
_LATIN = re.compile("[A-Za-z]")
_FIRST = "Noto Sans"


# --------------------------------------------------------------------------------- sizes


def font_size() -> float:
    """Return the size of the texts of a figure that is drawn, in points."""
    return float(rcParams["font.size"])


def line_height() -> float:
    """Return the height of a line in inches."""
    return 1.25 * font_size() / 72


def text_width(text: str, *, bold: bool = False) -> float:
    """Return the width of the longest line in inches."""
    font = FontProperties(size=font_size(), weight="bold" if bold else "normal")
    if not text.isascii():
        font.set_family([*font.get_family(), *_further(text, font)[0]])
    with warnings.catch_warnings():
        # Matplotlib warns about letters that the font lacks when they are drawn, which is enough
        warnings.filterwarnings("ignore", GLYPHS)
        widths = [measured_width(line, font) for line in text.split("\n") if line]
    return _HINTED * max(widths, default=0.0) / 72


@lru_cache(maxsize=20_000)  # a figure measures a text several times, and a redrawn one again
def measured_width(text: str, font: FontProperties) -> float:
    """Return the width of a line in points, as Matplotlib measures it for SVG."""
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def wrapped(text: str, width: float, *, bold: bool = False) -> str:
    """Break a text into even lines of at most this width in inches; words only where needed."""
    if "\n" in text:
        return "\n".join(wrapped(line, width, bold=bold) for line in text.split("\n"))
    whole = text_width(text, bold=bold)
    if whole <= width or not text:
        return text
    letters = max(int(len(text) * width / whole), 1)
    while True:
        # letters differ in width: as many in a line as fit in each
        lines = textwrap.wrap(text, letters, break_on_hyphens=False) or [text]
        if letters == 1 or max(text_width(line, bold=bold) for line in lines) <= width:
            break
        letters -= max(1, letters // 20)
    even = lines
    while len(even) == len(lines) and " ".join(even) == " ".join(lines) and letters > 1:
        lines, letters = even, letters - 1
        even = textwrap.wrap(text, letters, break_on_hyphens=False)
    return "\n".join(lines)


def in_lines(text: str, width: float) -> str:
    """Break an enumeration into lines of at most this width: after commas and semicolons first."""
    lines: list[str] = []
    for part in re.split(r"(?<=[,;]) ", text):
        if lines and text_width(longer := f"{lines[-1]} {part}") <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return "\n".join(wrapped(line, width) for line in lines)


# --------------------------------------------------------------------------------- fonts


def with_fallbacks(figure: Figure) -> set[str]:
    """Give texts of a figure further fonts if theirs lack letters; return what no font has.

    Arabic and Hebrew words among others are isolated, so that what is beside them keeps its order.
    """
    is_changed = figure.stale
    for ax in figure.axes:
        if ax.axison:
            # These are written only when they are asked for
            ax.get_xticklabels(), ax.get_yticklabels()
    figure.stale = is_changed  # their lines are set to where they were
    missing: set[str] = set()
    for text in figure.findobj(Text):
        if not text.get_text().isascii():
            families, without = _further(text.get_text(), text.get_fontproperties())
            old = list(text.get_fontfamily())
            missing |= without
            # what is set anew is laid out anew
            if new := [name for name in families if name not in old]:
                text.set_fontfamily([*old, *new])
            words = in_order(text.get_text())
            if words != text.get_text():
                text.set_text(words)
    return missing


def in_order(text: str) -> str:
    """Return text whose Latin words stand in their order, whatever is between them."""
    is_mixed = _LATIN.search(text) and "\u2068" not in text
    return isolated(text) if is_mixed else text  # a name alone is written in its own direction


def _further(text: str, font: FontProperties) -> tuple[list[str], set[str]]:
    """Return the families that a text needs beside a font, and the letters that none has."""
    plain = FontProperties(family=font.get_family()[:1])  # all weights have the same letters
    own = get_font(findfont(plain))
    families: dict[str, None] = {}
    missing = set()
    for letter in dict.fromkeys(text):
        is_drawn = not is_joiner(letter) and unicodedata.category(letter) not in ("Cc", "Cf")
        if is_drawn and not own.get_char_index(ord(letter)):
            if family := _family_with(letter):
                families[family] = None
            else:
                missing.add(letter)
    return list(families), missing


@lru_cache(maxsize=4096)
def _family_with(letter: str) -> str:
    """Return the first family that has a letter; empty if none has."""
    return _first_with(letter, fontManager.ttflist) or _first_with(letter, _new_fonts())


def _first_with(letter: str, entries: Iterable[FontEntry]) -> str:
    for entry in sorted(entries, key=_order):
        if not entry.name.startswith(_LAST_RESORT):
            try:
                font = get_font(entry.fname)
            except (OSError, RuntimeError):  # a file that is gone or no font
                continue
            if font.scalable and font.get_char_index(ord(letter)):
                return str(entry.name)
    return ""


@lru_cache(maxsize=1)
def _new_fonts() -> list[FontEntry]:
    """Make known what was installed after Matplotlib made its list of fonts, which it keeps."""
    known = {entry.fname for entry in fontManager.ttflist}
    n_known = len(fontManager.ttflist)
    for path in findSystemFonts():
        if path not in known:
            with suppress(OSError, RuntimeError):  # no font that can be read
                fontManager.addfont(path)
    return list(fontManager.ttflist[n_known:])


def _order(entry: FontEntry) -> tuple[bool, bool, bool, str, str]:
    is_plain = entry.weight in (400, "normal", "regular", "book")
    is_first = entry.name.startswith(_FIRST) and "Mono" not in entry.name
    return not is_first, entry.style != "normal", not is_plain, entry.name, str(entry.fname)


# -------------------------------------------------------------------------------- numbers


class _InFull(ScalarFormatter):
    """Numbers with equally many decimals, and never a factor or an offset in a corner."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        if super().get_offset():
            return self.fix_minus(f"{x:.12g}")
        if abs(x) >= 1000 and x == round(x):
            return self.fix_minus(f"{x:,.0f}")
        return super().__call__(x, pos)

    def get_offset(self) -> str:
        return ""


def spans_decades(values: FloatArray) -> bool:
    """Tell whether positive numbers are so far apart that an axis in proportion hides most."""
    return bool(values.min() > 0 and values.max() > 1000 * values.min())


def number_ticks(
    axis: Axis, *, most: int = 6, whole: bool = False, inches: float | None = None
) -> None:
    """Set ticks at round numbers between the limits, as many as fit, with numbers in full.

    ``inches`` is the width that the axes will have, where it is another than now.
    """
    low, high = sorted(map(float, axis.get_view_interval()))
    if inches is None:
        inches = axis.axes.get_window_extent().width / axis.axes.figure.dpi
    formatter: Formatter = _InFull(useOffset=False)
    found: list[Locator] = [
        MaxNLocator(bins, steps=_STEPS, integer=whole) for bins in range(most, 0, -1)
    ]
    if axis.get_scale() == "log" and high / 3 > low:
        formatter = FuncFormatter(number_text)
        logs = [LogLocator(subs=subs, numticks=most) for subs in ((1, 2, 5), (1, 3), (1,))]
        found = [*logs, *(found if high / 10 < low else [])]
        if high > 1e200 or high / 1e100 > low:
            # beyond the axis, where Matplotlib looks for ticks too, there may be no numbers
            powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
            found = [FixedLocator([10.0**it for it in powers[:: len(powers) // most + 1]])]
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(formatter)
    for locator in found:
        axis.set_major_locator(locator)
        ticks = [tick for tick in locator.tick_values(low, high) if low <= tick <= high]
        widths = [text_width(text) + _APART for text in formatter.format_ticks(ticks)]
        if 1 < len(ticks) <= most + 1 and (isinstance(axis, YAxis) or sum(widths) <= inches):
            return


def number_text(value: float, _: object = None) -> str:
    """Return a number, with a power of ten if it is large or small.

    Examples
    --------
    >>> [number_text(value) for value in (0, 0.02, 5000, 1e6, 2e-8)]
    ['0', '0.02', '5,000', '10⁶', '2·10⁻⁸']
    """
    if not value or 1e-3 <= abs(value) < 1e6:
        return with_minus(f"{value:,.6g}")
    digits, _, power = f"{value:.3e}".partition("e")
    factor = with_minus(f"{float(digits):g}·".removeprefix("1·"))
    return f"{factor}10{str(int(power)).translate(_SUPERSCRIPTS)}"


def listed(items: Sequence[str], apart: str = ", ", most: int = 12) -> str:
    """Join words of an alternative text, of which there may be too many.

    Examples
    --------
    >>> listed(["A", "B", "C"], most=2), listed([])
    ('A, B, 1 more', 'none')
    """
    more = [f"{len(items) - most:,} more"] if len(items) > most else []
    return apart.join([*items[:most], *more]) or "none"
