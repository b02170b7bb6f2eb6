"""Write the content of a page as Typst, with the functions of the template's preamble."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bs4 import Tag

from nbcompare._render.typst import literal
from nbcompare.report.paper.pictures import Picture
from nbcompare.report.paper.writer import Size, Writer, lines_of_caption

__all__ = ["TypstWriter", "escape"]

_MARKUP = re.compile(r"""[!-/:-@[-`{-~]""")
TALL = 380  # points; long code is not kept on the page of a higher picture
_FORMULA = re.compile(r"\$.+\$", re.DOTALL)
# Commands that number or name an equation; it keeps the number that its author gave it.
_UNNUMBERED = re.compile(r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{(?:equation|displaymath|math)\*?\}")
_CAPTION = 9.0  # points; the type of captions
_OF_TABLES = 0.86  # the size of their type by that of text, as the template has it
# A caption that our own tables have, and the end of that of a further part of one
_CAPTIONED = re.compile(r'figure\(caption: ("(?:[^"\\]|\\.)*")')
_FURTHER = re.compile(r', part (?!1 )\d+ of \d+"\Z')


def escape(text: str) -> str:
    r"""Escape text for the markup of Typst.

    Examples
    --------
    >>> print(escape('#let x = "1"; -- *_'))
    \#let x \= \"1\"\; \-\- \*\_
    """
    return _MARKUP.sub(r"\\\g<0>", text)


class TypstWriter(Writer):
    """A writer of Typst.

    Attributes
    ----------
    formulas : dict
        By TeX, whether it is displayed, and whether it may be no formula: the mark of its Typst.
    pieces : dict of str to str
        Raw Typst from the notebook, by name.
    """

    target = "typst"
    boxes, cut = ("☐ ", "☑ "), "#cut;"
    start, new_page = "#start()", "#pagebreak(weak: true)"
    introduction = ("#block(sticky: true, width: 100%)[", "]")

    def __init__(self, stem: str = "report") -> None:
        super().__init__(stem)
        self.formulas: dict[tuple[str, bool, bool], str] = {}
        self.pieces: dict[str, str] = {}

    def native(self, source: str) -> str:
        """Keep raw Typst, under a name, so that a mistake in it can be located."""
        name = f"piece-{len(self.pieces) + 1}"
        self.pieces[name] = source
        return f"#{name}"

    def numbered(self, source: str, labels: Sequence[tuple[str, int]]) -> str:
        """Put ids and numbers to the tables of a result, whose parts share one of each."""
        places = "".join(f"#metadata(none) #label({literal(name)})\n" for name, _ in labels if name)
        numbers = iter(labels)

        def caption(found: re.Match[str]) -> str:
            if _FURTHER.search(found[1]) or (label := next(numbers, None)) is None:
                return found[0]
            return f"figure(caption: [*Table {label[1]}.* ] + {found[1]}"

        return f"{places}{_CAPTIONED.sub(caption, source)}"

    def mended(self, markup: str) -> str:
        """Write tables with our rules, and beside the margin."""
        return markup.replace("align(center)[#table(", "align(left)[#ruled(").replace(
            "#horizontalrule", "#rule()"
        )

    def finish(self, printed: dict[str, Any]) -> None:
        """Add pictures, formulas and raw pieces."""
        printed["pictures"] = {name: found.data for name, found in self.pictures.items()}
        made = map(_FORMULA.fullmatch, self.filled(self.formulas.values()))
        named = {f"formula-{number}": found for number, found in enumerate(made, 1)}
        math = {name: found[0] if found else "" for name, found in named.items()}
        defined = {
            name: f"piece({literal(name)}, {literal(source)})"
            for name, source in self.pieces.items()
        }
        for name, (tex, display, doubtful) in zip(math, self.formulas, strict=True):
            about = f"{literal(' '.join(tex.split()))}, {str(display).lower()}"
            defined[name] = f"formula({literal(name)}, {about}, {literal(math[name])})"
            if not math[name] and not doubtful:
                printed["warnings"].append(f"A formula is shown as its source: {tex}")
        printed["definitions"], printed["pieces"] = defined, {**self.pieces, **math}

    def escape(self, text: str) -> str:
        """Escape markup in text."""
        return escape(text)

    def reference(self, identity: str) -> tuple[str, str]:
        """Return what stands around a link to a place in this document."""
        return f"#reference({literal(identity)})[", "];"

    def in_type(self, size: float) -> tuple[str, str]:
        """Return what stands around a table in type of this size."""
        return f"#[#set text(size: {size / _OF_TABLES:.1f}pt)\n", "]"

    def numbered_caption(self, number: Tag) -> str:
        """Set the number of a caption in bold."""
        number.name = "b"
        return ""

    def formula(self, tex: str, *, display: bool, doubtful: bool = False) -> str:
        """Write a formula by the name under which the template defines it."""
        key = (tex, display, doubtful)
        if key not in self.formulas:
            self.formulas[key] = self.read(_script(tex, display=display))
        return f"#formula-{[*self.formulas].index(key) + 1};"

    def inline_picture(self, found: Picture, alt: str, size: Size) -> str:
        """Write a small picture within a line."""
        return f"#box({_image(found, alt, size)});"

    def block_picture(self, found: Picture, alt: str, size: Size) -> str:
        """Write a picture in a paragraph of its own."""
        self.is_tall = size[1] > TALL
        return f"#picture({_image(found, alt, size)});"

    def figure(self, found: Picture, alt: str, size: Size, label: tuple[str, str, str]) -> str:
        """Write a picture with its number and caption; it may shrink to what a page has left."""
        width, height = size
        self.is_tall = height > TALL
        identity, number, caption = label
        below = (1.2 + 1.4 * lines_of_caption(caption, self.width)) * _CAPTION
        drawn = f"(w, h) => {_image(found, alt, ('w', 'h'))}"
        about = f"{literal(number + '.')}, [{escape(caption)}]"
        mark = f" #label({literal(identity)})" if identity else ""
        fitted = f"#fitted({width:.2f}pt, {height:.2f}pt, {below:.0f}pt, {drawn})"
        return f'#captioned("image", {about})[\n{fitted}\n]{mark}'

    def lines(
        self,
        text: str,
        kind: str,
        language: str = "",
        *,
        introduces: bool = False,
        columns: int = Writer.columns,
    ) -> str:
        """Write code or printed output."""
        # Typst breaks lines at spaces alone
        text = re.sub(rf"(\S{{{columns - 4}}})(?=\S)", "\\1\N{ZERO WIDTH SPACE}", text)
        known = f", lang: {literal(language)}" if language else ""
        kept = ", sticky: true" if introduces else ""
        return f"#listing({literal(kind)}{kept}, raw({literal(text)}, block: true{known}));"


def _image(found: Picture, alt: str, size: tuple[float | str, float | str]) -> str:
    wide, high = (it if isinstance(it, str) else f"{it:.2f}pt" for it in size)
    words = literal(" ".join(alt.split()))
    return f'drawn("{found.name}", width: {wide}, height: {high}, alt: {words})'


def _script(tex: str, *, display: bool) -> str:
    """Write a formula as HTML from which pandoc reads it."""
    kind = f"math/tex{'; mode=display' * display}"
    return f'<p><script type="{kind}">{_plain(tex).replace("</", "< /")}</script></p>'


def _plain(tex: str) -> str:
    tex = _ENVIRONMENT.sub("", _UNNUMBERED.sub("", tex))
    return _TAG.sub(r"\\qquad\\text{(\1)}", tex).strip()
