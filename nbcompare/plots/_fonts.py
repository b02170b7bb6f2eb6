"""Fonts for letters that the font of a figure lacks: those that are on the machine, or a note."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, FontProperties, findfont, fontManager, get_font
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from nbcompare._render.letters import is_joiner, no_font_has

__all__ = ["fallbacks", "measured", "note_of", "texts_of", "with_fallbacks"]

_LAST_RESORT = "Last Resort"  # Matplotlib's font of boxes for all letters
_FIRST = "Noto Sans"


def with_fallbacks(figure: Figure) -> set[str]:
    """Give texts of a figure further fonts if theirs lack letters; return what no font has."""
    for ax in figure.axes:
        if ax.axison:
            # These are written only when they are asked for
            ax.get_xticklabels(), ax.get_yticklabels()
    missing: set[str] = set()
    for text in texts_of(figure):
        if not text.get_text().isascii():
            families, without = _further(text.get_text(), text.get_fontproperties())
            old = list(text.get_fontfamily())
            text.set_fontfamily([*old, *(name for name in families if name not in old)])
            missing |= without
    return missing


def texts_of(artist: Artist) -> Iterator[Text]:
    """Yield the texts of a figure or a part of it.

    The scales of axes that are switched off are left out: to ask for their labels would make ticks
    that nobody sees, which takes longer than to draw a small figure.
    """
    if isinstance(artist, Text):
        yield artist
    for part in artist.get_children():
        if not (isinstance(part, Axis) and not part.axes.axison):
            yield from texts_of(part)


def fallbacks(text: str, font: FontProperties) -> list[str]:
    """Return the families that have the letters of a text which a font lacks."""
    return [] if text.isascii() else _further(text, font)[0]


@lru_cache(maxsize=20_000)  # a figure measures a text several times, and a redrawn one again
def measured(text: str, font: FontProperties) -> tuple[float, float, float]:
    """Return width, height and descent of a line in points, as Matplotlib measures it for SVG."""
    width, height, descent = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width), float(height), float(descent)


def note_of(missing: Iterable[str]) -> str:
    """Name the letters of a figure that could not be drawn; empty if there are none."""
    return no_font_has(missing, "Boxes")


def _further(text: str, font: FontProperties) -> tuple[list[str], set[str]]:
    """Return the families that a text needs beside a font, and the letters that none has."""
    plain = FontProperties(family=font.get_family()[:1])  # all weights have the same letters
    own = get_font(findfont(plain))
    families: dict[str, None] = {}
    missing = set()
    for letter in dict.fromkeys(text):
        is_drawn = not is_joiner(letter) and unicodedata.category(letter) not in ("Cc", "Cf")
        if is_drawn and not own.get_char_index(ord(letter)):
            family = _family_with(letter)
            if family is None:
                missing.add(letter)
            else:
                families[family] = None
    return list(families), missing


@lru_cache(maxsize=4096)
def _family_with(letter: str) -> str | None:
    for entry in _entries():
        try:
            font = get_font(entry.fname)
        except (OSError, RuntimeError):  # a file that is gone or no font
            continue
        if font.scalable and font.get_char_index(ord(letter)):
            return str(entry.name)
    return None


def _entries() -> list[FontEntry]:
    """Return one font of each family, upright and of normal weight where there is a choice."""
    first: dict[str, FontEntry] = {}
    for entry in sorted(fontManager.ttflist, key=_order):
        if not entry.name.startswith(_LAST_RESORT):
            first.setdefault(entry.name, entry)
    return list(first.values())


def _order(entry: FontEntry) -> tuple[bool, bool, bool, str, str]:
    is_plain = entry.weight in (400, "normal", "regular", "book")
    is_first = entry.name.startswith(_FIRST) and "Mono" not in entry.name
    return not is_first, entry.style != "normal", not is_plain, entry.name, str(entry.fname)
