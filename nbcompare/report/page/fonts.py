"""Embed the letters of figures in a page: one subset of each font that the figures use."""

from __future__ import annotations

import base64
import importlib.util
import io
import logging
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["FONT_FACES", "Font", "Fonts", "subset_of"]

_NAME = "nbcompare-figure-"  # nothing but the figures of a page uses fonts of this name
# What `Fonts.css` writes: fonts that no other rule of a page asks for
FONT_FACES = re.compile(
    rf'(?:@font-face\{{font-family:"{_NAME}\d+";font-weight:[47]00;font-style:(?:normal|italic);'
    r'src:url\(data:font/woff;base64,[A-Za-z0-9+/]+=*\) format\("woff"\)\}\s*)*'
)
_USUAL = "DejaVu Sans"
_USUAL_FILES = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
_BOLD = 600  # lighter weights are no bold ones
_LARGEST_FILE = 60_000_000  # bytes
_LARGEST_SUBSET = 400_000  # as of some hundreds of letters of Chinese


class Font(NamedTuple):
    """A font as a figure asks for it."""

    family: str
    bold: bool
    italic: bool


class Fonts:
    """The fonts of the figures of a page, and the letters that are set in them."""

    def __init__(self) -> None:
        self._letters: defaultdict[Font, set[str]] = defaultdict(set)
        self._names: dict[str, str] = {}

    def use(self, families: Sequence[str], text: str, *, bold: bool, italic: bool) -> str:
        """Note that a text is set in the first of some families that has each letter.

        Returns
        -------
        str
            A list of families for a style sheet.
        """
        for family in families:
            self._letters[Font(family, bold, italic)].update(text)
            self._names.setdefault(family, f"{_NAME}{len(self._names)}")
        names = [self._names[family] for family in dict.fromkeys(families)]
        return ",".join([*names, "sans-serif"])

    def css(self) -> str:
        """Return the fonts as rules of a style sheet.

        A font that is not on this machine, or that cannot be read, is left to the browser's
        choice, and so are letters that no font has.
        """
        rules = []
        for font, letters in self._letters.items():
            if content := subset_of(font, "".join(sorted(letters))):
                rules.append(
                    f'@font-face{{font-family:"{self._names[font.family]}";'
                    f"font-weight:{700 if font.bold else 400};"
                    f"font-style:{'italic' if font.italic else 'normal'};"
                    f"src:url(data:font/woff;base64,{base64.b64encode(content).decode()}) "
                    'format("woff")}'
                )
        return "\n".join(rules)


def subset_of(font: Font, letters: str) -> bytes:
    """Return the letters of a font as WOFF; empty if it has none of them or cannot be read."""
    file = _file(font)
    if file is None or file.stat().st_size > _LARGEST_FILE:
        return b""
    from fontTools import subset

    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it tells of tables that it drops
    options = subset.Options()
    options.flavor = "woff"
    options.hinting = False
    options.font_number = 0  # of a collection
    options.name_IDs = []
    options.notdef_outline = True
    options.drop_tables += ["FFTM", "MATH"]
    written = io.BytesIO()
    try:
        with subset.load_font(str(file), options) as source:
            if not any(map(source.getBestCmap().__contains__, map(ord, letters))):
                return b""
            subsetter = subset.Subsetter(options)
            subsetter.populate(text=letters)
            subsetter.subset(source)
            subset.save_font(source, written, options)
    except Exception:  # of a damaged font, fontTools raises whatever it meets
        return b""
    content = written.getvalue()
    return content if len(content) <= _LARGEST_SUBSET else b""


def _file(font: Font) -> Path | None:
    """Find the file of a font; None if it is not here.

    That of Matplotlib's own font is found without Matplotlib, which takes time to import.
    """
    spec = importlib.util.find_spec("matplotlib")
    if font.family == _USUAL and not font.italic and spec and spec.submodule_search_locations:
        fonts = Path(spec.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"
        if (usual := fonts / _USUAL_FILES[font.bold]).is_file():
            return usual
    from matplotlib.font_manager import FontEntry, fontManager, weight_dict

    def distance(entry: FontEntry) -> tuple[bool, bool, str]:
        weight = entry.weight if isinstance(entry.weight, int) else weight_dict[entry.weight]
        is_italic = entry.style != "normal"
        return is_italic != font.italic, (weight >= _BOLD) != font.bold, str(entry.fname)

    entries = [entry for entry in fontManager.ttflist if entry.name == font.family]
    file = Path(min(entries, key=distance).fname) if entries else None
    return file if file is not None and file.is_file() else None
