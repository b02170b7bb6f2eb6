"""Write the content of a page as Typst, with the functions of the template's preamble."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from nbcompare._render.typst import literal
from nbcompare.report.page.tree import Cell, Fit, Grid, Node, letters_wide
from nbcompare.report.paper.pictures import Picture
from nbcompare.report.paper.writer import Writer

__all__ = ["Formula", "TypstWriter", "escape", "formulas"]

_MARKUP = re.compile(r"""[!-/:-@[-`{-~]""")
TALL = 380  # points; long code is not kept on the page of a higher picture
_MARK = "// the end of a formula"
# Commands that number or name an equation; it keeps the number that its author gave it.
_UNNUMBERED = re.compile(r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{(?:equation|displaymath|math)\*?\}")
_CAPTION = 9.0  # points; the type of captions
_WHOLE = 16  # rows of a table that is kept on one page
_LONGEST_ROW = 1500  # characters of a cell in a row that is not split


class Formula(NamedTuple):
    """A formula in TeX; a ``doubtful`` one may not be a formula."""

    tex: str
    display: bool
    doubtful: bool = False


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
    formulas : dict of Formula to str
        Their names.
    pieces : dict of str to str
        Raw Typst from the notebook, by name.
    """

    cut, line_break, rule = "#cut;", "#linebreak();", "#rule()"
    boxes = ("☐ ", "☑ ")
    start, new_page = "#start()", "#pagebreak(weak: true)"

    def __init__(self, stem: str = "report") -> None:
        super().__init__(stem)
        self.formulas: dict[Formula, str] = {}
        self.pieces: dict[str, str] = {}

    def native(self, source: str) -> str:
        """Keep raw Typst, under a name, so that a mistake in it can be located."""
        name = f"piece-{len(self.pieces) + 1}"
        self.pieces[name] = source
        return f"#{name}"

    def finish(self, printed: dict[str, Any]) -> None:
        """Add the formulas, which pandoc translates all at once, and raw pieces."""
        super().finish(printed)
        named = {name: formula for formula, name in self.formulas.items()}
        translated = formulas(list(named.values())) if named else []
        math = dict(zip(named, translated, strict=True))
        defined = {
            name: f"piece({literal(name)}, {literal(source)})"
            for name, source in self.pieces.items()
        }
        for name, (tex, display, doubtful) in named.items():
            about = f"{literal(' '.join(tex.split()))}, {str(display).lower()}"
            defined[name] = f"formula({literal(name)}, {about}, {literal(math[name])})"
            if not math[name] and not doubtful:
                printed["warnings"].append(f"A formula is shown as its source: {tex}")
        printed["definitions"], printed["pieces"] = defined, {**self.pieces, **math}

    # ------------------------------------------------------------------------ inline

    def escape(self, text: str) -> str:
        """Escape markup in text."""
        return escape(text)

    def styled(self, style: str, content: str) -> str:
        """Write text that is strong, emphasised, underlined, struck out, raised or lowered."""
        name = {"strong": "strong", "emphasis": "emph"}.get(style, style)
        return f"#{name}[{content}];"

    def inline_code(self, text: str) -> str:
        """Write code within a line."""
        return f"#inline-code[{self.text(text)}];" if text.strip() else ""

    def link(self, target: str, content: str) -> str:
        """Write a link to another place."""
        return f"#link({literal(target)})[{content}];"

    def reference(self, identity: str, content: str) -> str:
        """Write a link to a place in this document."""
        return f"#reference({literal(identity)})[{content}];"

    def formula(self, tex: str, *, display: bool, doubtful: bool = False) -> str:
        """Write a formula by the name under which the template defines it."""
        key = Formula(tex, display, doubtful)
        name = self.formulas.setdefault(key, f"formula-{len(self.formulas) + 1}")
        return f"#{name};"

    def inline_picture(self, found: Picture, alt: str) -> str:
        """Write a small picture within a line."""
        return f"#box({self._image(found, alt)});"

    # ------------------------------------------------------------------------ blocks

    def block_picture(self, found: Picture, alt: str) -> str:
        """Write a picture in a paragraph of its own."""
        self.is_tall = self.size_of(found)[1] > TALL
        return f"#picture({self._image(found, alt)})"

    def figure(self, found: Picture, alt: str, identity: str, number: str, caption: str) -> str:
        """Write a picture with its number and caption; it may shrink to what a page has left."""
        width, height = self.size_of(found)
        self.is_tall = height > TALL
        label = (identity, f"{number}.", self.text(caption))
        lines = 1 + letters_wide(caption) * _CAPTION // self.width
        below = f"{1.2 * _CAPTION + lines * 1.4 * _CAPTION:.0f}pt"
        drawn = f"(w, h) => {self._image(found, alt, 'w', 'h')}"
        return _labelled(
            "image", label, f"#fitted({width:.2f}pt, {height:.2f}pt, {below}, {drawn})"
        )

    def paragraph(self, content: str) -> str:
        """Write a paragraph."""
        return content

    def heading(self, level: int, identity: str, content: str) -> str:
        """Write a heading."""
        return f"#heading(level: {level})[{content}]{_label(identity)}"

    def listing(self, items: Sequence[str], first: int | None) -> str:
        """Write a list, numbered if there is a first number."""
        inner = "".join(f"[{item}]" for item in items)
        return f"#list{inner}" if first is None else f"#enum(start: {first}){inner}"

    def sources(self, items: Sequence[str]) -> str:
        """Write references, which begin with their numbers."""
        return "#sources" + "".join(f"[{item}]" for item in items)

    def quote(self, content: str) -> str:
        """Write a quotation."""
        return f"#quote(block: true)[{content}]"

    def introduction(self, content: str) -> str:
        """Write a paragraph that is kept with what follows."""
        return f"#block(sticky: true, width: 100%)[{content}]"

    def lines(self, text: str, kind: str, language: str = "", *, introduces: bool = False) -> str:
        """Write code or printed output."""
        columns = self.columns // 3 if self._in_cell else self.columns - 4
        # Typst breaks lines at spaces alone
        text = re.sub(rf"(\S{{{columns}}})(?=\S)", "\\1\N{ZERO WIDTH SPACE}", text)
        known = f", lang: {literal(language)}" if language else ""
        kept = ", sticky: true" if introduces else ""
        return f"#listing({literal(kind)}{kept}, raw({literal(text)}, block: true{known}))"

    def table(
        self,
        table: Grid,
        contents: dict[Node, str],
        fitted: Fit,
        label: tuple[str, str, str],
    ) -> str:
        """Write a table; one that is cut into parts has its number and caption above the first."""
        _, mark, caption = label
        parts = []
        for number, columns in enumerate(fitted.parts):
            if number:
                parts.append(f"#continued({columns[1]}, {columns[-1]}, {table.n_columns - 1})")
            part = table.part(columns)
            widths = fitted.widths and [fitted.widths[column] for column in columns]
            parts.append(_table(part, contents, fitted, widths))
        if mark:
            parts[0] = _labelled("table", label, parts[0])
        elif caption:
            parts.insert(0, f"#plain-caption[{caption}]")
        return "\n".join(parts)

    def _image(self, found: Picture, alt: str, width: str = "", height: str = "") -> str:
        wide, high = self.size_of(found)
        size = f"width: {width or f'{wide:.2f}pt'}, height: {height or f'{high:.2f}pt'}"
        return f'drawn("{found.name}", {size}, alt: {literal(" ".join(alt.split()))})'


def _label(identity: str) -> str:
    return f" #label({literal(identity)})" if identity else ""


def _labelled(kind: str, label: tuple[str, str, str], content: str) -> str:
    identity, number, caption = label
    about = f"{literal(kind)}, {literal(number)}, [{caption}]"
    return f"#captioned({about})[\n{content}\n]{_label(identity)}"


def _table(
    table: Grid,
    contents: dict[Node, str],
    fitted: Fit,
    widths: Sequence[float] | None,
) -> str:
    columns = (
        ", ".join(f"{width + 7:.1f}pt" for width in widths)
        if widths
        else ", ".join(["auto"] * table.n_columns)
    )
    is_whole = table.n_rows <= _WHOLE and not _is_long(table)
    head = [cell for cell in table.cells if cell.row < table.n_header]
    body = [cell for cell in table.cells if cell.row >= table.n_header]
    size = f"{fitted.size}pt, ({columns},), {table.n_rows}, {table.n_header}"
    lines = [f"#data-table({size}, whole: {str(is_whole).lower()},"]
    if head:
        upright = fitted.upright
        lines.append(
            f"  table.header({', '.join(_cells(head, contents, upright=upright, head=True))}),"
        )
    lines += [
        f"  {', '.join(_cells(row, contents, upright=False))},"
        for _, row in groupby(body, key=attrgetter("row"))
    ]
    return "\n".join([*lines, ")"])


def _is_long(table: Grid) -> bool:
    return sum(len(cell.text) for cell in table.cells) > _LONGEST_ROW


def _cells(
    cells: Iterable[Cell], contents: dict[Node, str], *, upright: bool, head: bool = False
) -> Iterator[str]:
    for cell in cells:
        content = contents[cell.node]
        places = [f"x: {cell.column}", f"y: {cell.row}"]
        if cell.columns > 1:
            places.append(f"colspan: {cell.columns}")
        if cell.rows > 1:
            places.append(f"rowspan: {cell.rows}")
        if len(cell.text) > _LONGEST_ROW:
            places.append("breakable: true")
        side = cell.align
        if upright and cell.column and cell.columns == 1:
            content, side = f"#turned[{content}]", "center"
        places.append(f"align: {side} + {'bottom' if head else 'top'}")
        yield f"table.cell({', '.join(places)})[{content}]"


def formulas(wanted: Sequence[Formula]) -> list[str]:
    r"""Translate formulas; one that pandoc does not understand is empty.

    Examples
    --------
    >>> formulas([Formula(r"\mathbb{R}^n", display=False), Formula(r"\frac{1", display=False)])
    ['$bb(R)^n$', '']
    """
    import pypandoc

    blocks: list[dict[str, Any]] = []
    for formula in wanted:
        kind = {"t": "DisplayMath" if formula.display else "InlineMath"}
        blocks.append({"t": "Para", "c": [{"t": "Math", "c": [kind, _plain(formula.tex)]}]})
        blocks.append({"t": "RawBlock", "c": ["typst", _MARK]})
    document = {"pandoc-api-version": [1, 23], "meta": {}, "blocks": blocks}
    done = subprocess.run(
        [str(pypandoc.get_pandoc_path()), "-f", "json", "-t", "typst", "--wrap=none"],
        input=json.dumps(document).encode(),
        capture_output=True,
        check=True,
    )
    *pieces, _ = map(str.strip, done.stdout.decode().split(_MARK))
    return [math if re.fullmatch(r"\$.+\$", math, re.DOTALL) else "" for math in pieces]


def _plain(tex: str) -> str:
    tex = _ENVIRONMENT.sub("", _UNNUMBERED.sub("", tex))
    return _TAG.sub(r"\\qquad\\text{(\1)}", tex).strip()
