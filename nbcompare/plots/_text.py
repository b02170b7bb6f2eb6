"""Texts of figures: how wide they are, and names in lines that fit."""

from __future__ import annotations

import re
import textwrap
import warnings
from collections.abc import Sequence

from matplotlib import rcParams
from matplotlib.font_manager import FontProperties

from nbcompare.plots._fonts import fallbacks, measured

GLYPHS = "Glyph .* missing from"  # a warning of Matplotlib
_SHARE = 0.8  # of the size of fonts that Matplotlib is set to: 8 points
_HINTED = 1.04  # small letters are drawn a little wider than measured


def font_size() -> float:
    """Return the size of the texts of a figure, in points."""
    return _SHARE * float(rcParams["font.size"])


def line_height(size: float | None = None) -> float:
    """Return the height of a line in inches."""
    return 1.25 * (font_size() if size is None else size) / 72


def text_width(text: str, size: float | None = None, *, bold: bool = False) -> float:
    """Return the width of the longest line in inches, for a font size in points."""
    points = font_size() if size is None else size
    font = FontProperties(size=points, weight="bold" if bold else "normal")
    font.set_family([*font.get_family(), *fallbacks(text, font)])
    lines = [line for line in text.split("\n") if line]
    with warnings.catch_warnings():
        # Matplotlib warns about letters that the font lacks when they are drawn, which is enough
        warnings.filterwarnings("ignore", GLYPHS)
        widths = [measured(line, font)[0] for line in lines]
    return _HINTED * max(widths, default=0.0) / 72


def wrapped(text: str, width: float, *, bold: bool = False) -> str:
    """Break a text into lines of at most this width in inches; words only where they must be."""
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
            return "\n".join(lines)
        letters -= max(1, letters // 20)


def phrases(text: str) -> list[str]:
    """Return the parts of an enumeration, between which a line is broken first."""
    return re.split(r"(?<=[,;]) ", text)


def in_lines(parts: Sequence[str], width: float, apart: str = " ") -> str:
    """Join phrases into lines of at most this width; a longer one is broken between its words."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{apart}{part}" if lines else part
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return "\n".join(wrapped(line, width) for line in lines)
