"""Fonts of live figures: the usual letters are sent once, and others when a figure has them."""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from threading import RLock

from nbcompare.report.page.fonts import Font, subset_of

_NAME = "nbcompare-live-"
# ASCII, Latin-1, Greek, and the signs of results: a subset takes a tenth of a second to make
_USUAL = frozenset(
    map(chr, (*range(0x20, 0x7F), *range(0xA1, 0x100), *range(0x391, 0x3CA)))
) | frozenset("–—‘’“”…′−×·±≤≥≠≈∞√∑→←↑↓₀₁₂₃₄⁻⁰¹²³")


class Lettering:
    """The fonts that the figures of this process have been set in.

    A page keeps every face that it was given. Letters that come later are another face of the
    same name, which the browser uses for these letters alone.
    """

    def __init__(self) -> None:
        self._turn = RLock()
        self._known: defaultdict[Font, set[str]] = defaultdict(set)
        self._wanted: defaultdict[Font, set[str]] = defaultdict(set)
        self._faces: list[dict[str, str]] = []

    def use(self, families: Sequence[str], text: str, *, bold: bool, italic: bool) -> str:
        """Note that a text is set in the first of some families that has each letter."""
        with self._turn:
            for place, family in enumerate(dict.fromkeys(families)):
                font = Font(family, bold, italic)
                # further families are there for what the first one lacks
                letters = set(text) if place == 0 else {one for one in text if not one.isascii()}
                if new := letters - self._known[font]:
                    self._wanted[font] |= new
        return ",".join([*(f'"{_named(family)}"' for family in families), "sans-serif"])

    def faces(self) -> list[dict[str, str]]:
        """Return every face so far, with one more for letters that none of them has."""
        with self._turn:
            for font, letters in self._wanted.items():
                if not self._known[font] and letters & _USUAL:
                    letters = letters | _USUAL
                self._known[font] |= letters
                if content := subset_of(font, "".join(sorted(letters))):
                    self._faces.append(_face(font, letters, content))
            self._wanted.clear()
            return list(self._faces)


def _named(family: str) -> str:
    """Return a name that only our figures use, and that needs no quoting."""
    return _NAME + hashlib.sha256(family.encode()).hexdigest()[:10]


def _face(font: Font, letters: Iterable[str], content: bytes) -> dict[str, str]:
    codes = ",".join(f"U+{ord(letter):X}" for letter in sorted(letters))
    return {
        "name": _named(font.family),
        "weight": "700" if font.bold else "400",
        "style": "italic" if font.italic else "normal",
        "letters": codes,
        "woff": base64.b64encode(content).decode(),
    }


LETTERING = Lettering()
