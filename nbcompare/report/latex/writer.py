"""Write the content of a page as LaTeX, with the commands of the template's preamble."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from nbcompare._render.latex import escape
from nbcompare.report.page import markdown
from nbcompare.report.page.tree import Cell, Fit, Grid, Node, letters_wide
from nbcompare.report.paper.pictures import Picture
from nbcompare.report.paper.writer import Writer
from nbcompare.report.typst.compiler import vector_pdf

__all__ = ["LatexWriter"]

_SECTIONS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")
_STYLES = {
    "strong": "textbf",
    "emphasis": "emph",
    "underline": "underline",
    "sub": "textsubscript",
    "super": "textsuperscript",
}
_LIST_MARK = re.compile(r"\\(begin|end)\{(?:itemize|enumerate)\}")
_CAPTION = 9.0  # points; the type of captions
_WHOLE, _HIGHEST = 16, 300.0  # rows, and points, of a table that is kept on one page
_TURNED = 100.0  # points; the height of a header that is turned upright
_DEEPEST_LIST = 4  # nested lists of either kind that LaTeX allows
_ENVIRONMENT = re.compile(
    r"\s*\\begin\{(align|alignat|eqnarray|equation|flalign|gather|multline)\*?\}"
)
_IN_LABELS = re.compile(r"[^A-Za-z0-9.-]")
_KINDS = ("pdf", "png", "jpg")  # types of pictures that pdfLaTeX reads


class LatexWriter(Writer):
    """A writer of LaTeX."""

    letters = 1.07
    ideograph = 3.2  # pdfLaTeX prints its number
    cut, line_break = r"\allowbreak{}", r"\newline{}"
    rule = r"\par\noindent\rule{\linewidth}{0.4pt}\par"
    boxes = (r"$\square$~", r"$\boxtimes$~")
    new_page = r"\clearpage"
    start = ""  # TeX knows how much room a page has left

    # ------------------------------------------------------------------------ inline

    def escape(self, text: str) -> str:
        """Escape markup in text."""
        return escape(text)

    def styled(self, style: str, content: str) -> str:
        """Write text that is strong, emphasised, underlined, raised or lowered."""
        return rf"\{_STYLES[style]}{{{content}}}" if style in _STYLES else content

    def inline_code(self, text: str) -> str:
        """Write code within a line."""
        return rf"\texttt{{{_straight(self.text(text))}}}"

    def link(self, target: str, content: str) -> str:
        """Write a link to another place."""
        url = quote(target, safe="/:?=&;%#~@!$'()*+,-._")
        for character in "%#&":
            url = url.replace(character, "\\" + character)
        return rf"\href{{{url}}}{{{content}}}"

    def reference(self, identity: str, content: str) -> str:
        """Write a link to a place in this document."""
        return rf"\hyperref[{_label(identity)}]{{{content}}}"

    def formula(self, tex: str, *, display: bool, doubtful: bool = False) -> str:
        """Write a formula, or its source if LaTeX could not typeset it."""
        tex = " ".join(tex.split())
        if doubtful and not markdown.formula(tex, display=display).startswith(("<math", "<span")):
            return self.inline_code(tex)
        if _depth(tex) or re.search(r"(?<!\\)[%$#]", re.sub(r"\\text\{[^{}]*\}", "", tex)):
            return self.inline_code(tex)
        if display and _ENVIRONMENT.match(tex):
            return f"\n{tex}\n"
        return f"\\[{tex}\\]" if display else f"${tex}$"

    def inline_picture(self, found: Picture, alt: str) -> str:
        """Write a small picture within a line."""
        width, height = self.size_of(found)
        if not (name := self._file(found)):
            return self.text(f"[{alt}]")
        return rf"\includegraphics[width={width:.1f}bp,height={height:.1f}bp]{{{name}}}"

    # ------------------------------------------------------------------------ blocks

    def block_picture(self, found: Picture, alt: str) -> str:
        """Write a picture in a paragraph of its own."""
        return rf"{{\centering {self.inline_picture(found, alt)}\par}}"

    def figure(self, found: Picture, alt: str, identity: str, number: str, caption: str) -> str:
        """Write a picture with its number and caption; it may shrink to what a page has left."""
        width, height = self.size_of(found)
        lines = 1 + letters_wide(caption) * _CAPTION * self.letters // self.width
        below = (2.5 + 1.3 * lines) * _CAPTION
        if name := self._file(found):
            size = rf"{{{width:.1f}bp}}{{\pictureheight}}"
            content = rf"\fittedpicture{size}{{{name}}}"
        else:
            content = self.text(f"[{alt}]")
        return "\n".join(
            [
                rf"\measureroom{{{height:.1f}bp}}{{{below:.0f}bp}}",
                r"\begin{kept}",
                content,
                rf"\setcounter{{figure}}{{{_before(number)}}}",
                rf"\captionof{{figure}}{{{self.text(caption)}}}{_labelled(identity)}",
                r"\end{kept}",
            ]
        )

    def paragraph(self, content: str) -> str:
        """Write a paragraph."""
        return _guarded(content)

    def heading(self, level: int, identity: str, content: str) -> str:
        """Write a heading."""
        name = _SECTIONS[min(level, len(_SECTIONS)) - 1]
        return rf"\needed\{name}{{{content}}}{_labelled(identity)}"

    def listing(self, items: Sequence[str], first: int | None) -> str:
        """Write a list, numbered if there is a first number."""
        if max(map(_list_depth, items)) >= _DEEPEST_LIST:  # deeper lists are flattened
            return "\n\n".join(items)
        name = "itemize" if first is None else "enumerate"
        start = "" if first in (None, 1) else rf"\startwith{{{first}}}"
        body = "\n".join(rf"\item {_guarded(item)}" for item in items)
        return f"\\begin{{{name}}}{start}\n{body}\n\\end{{{name}}}"

    def sources(self, items: Sequence[str]) -> str:
        """Write references, which begin with their numbers."""
        body = "\n".join(rf"\item[] {item}" for item in items)
        return f"{{\\small\n\\begin{{itemize}}\n{body}\n\\end{{itemize}}}}"

    def quote(self, content: str) -> str:
        """Write a quotation."""
        return f"\\begin{{quote}}\n{content}\n\\end{{quote}}"

    def introduction(self, content: str) -> str:
        """Write a paragraph that is kept with what follows."""
        return rf"{{\interlinepenalty=10000 {content}\par}}\nobreak"

    def lines(
        self,
        text: str,
        kind: str,
        language: str = "",  # noqa: ARG002
        *,
        introduces: bool = False,  # noqa: ARG002
    ) -> str:
        """Write code or printed output."""
        columns = self.columns // 3 if self._in_cell else self.columns
        rows = "\n".join(line for row in text.split("\n") for line in _code_lines(row, columns))
        return f"\\begin{{listing{kind}}}\n{rows}\n\\end{{listing{kind}}}"

    def table(
        self,
        table: Grid,
        contents: dict[Node, str],
        fitted: Fit,
        label: tuple[str, str, str],
    ) -> str:
        """Write a table, which may take several pages; a short one is kept on one."""
        identity, number, caption = label
        in_box = self._in_cell
        in_box |= table.n_rows <= _WHOLE and table.height(fitted.widths, fitted.size) < _HIGHEST
        command = "captionof" if in_box else "caption"
        kind = "{table}" if in_box else ""
        pieces = []
        for part, columns in enumerate(fitted.parts):
            head = ""
            if part and (caption or number):
                name = f"(continued: columns {columns[1]} to {columns[-1]})"
                head = rf"\{command}*{kind}{{{name}}}"
            elif number:
                head = rf"\{command}{kind}{{{caption}}}{_labelled(identity)}"
            elif caption:
                head = rf"\{command}*{kind}{{{caption}}}"
            known = fitted.widths
            widths = known and [known[column] * self.letters for column in columns]
            rows = table.part(columns)
            body = _table(rows, contents, fitted, widths, head, in_box=in_box)
            size = rf"\fontsize{{{fitted.size}}}{{{fitted.size * 1.2:.1f}}}\selectfont"
            count = (
                rf"\setcounter{{table}}{{{_before(number)}}}"
                if number and not part
                else ("" if in_box else r"\addtocounter{table}{-1}")
            )
            pieces.append(f"{{{size}{count}\n{body}\n}}")
        return "\n".join(pieces)

    def _file(self, found: Picture) -> str:
        """Return the name of the file of a picture; empty if LaTeX cannot show it."""
        kind = found.name.rpartition(".")[2]
        data = vector_pdf(found.data) if kind == "svg" else found.data
        kind = "pdf" if kind == "svg" else kind
        if kind not in _KINDS or not data or (kind != "pdf" and found.width is None):
            self.left_out[f"a picture of type {found.name.rpartition('.')[2]}"] += 1
            return ""
        known = next((name for name, other in self.files.items() if other == data), "")
        name = known or f"{self.stem}-picture-{len(self.files) + 1}.{kind}"
        self.files[name] = data
        return name


# ----------------------------------------------------------------------------------- inside


def _straight(code: str) -> str:
    """Make quotation marks straight."""
    return code.replace("'", r"\textquotesingle{}").replace("`", r"\textasciigrave{}")


def _label(identity: str) -> str:
    return _IN_LABELS.sub(lambda match: f":{ord(match[0]):x}:", identity)


def _labelled(identity: str) -> str:
    return rf"\label{{{_label(identity)}}}" if identity else ""


def _before(number: str) -> int:
    """Return the number before that of a label such as "Table 3."."""
    return int(re.sub(r"\D", "", number) or 1) - 1


def _guarded(text: str) -> str:
    """Keep a leading [ or * from being read as part of the command before."""
    return "{}" + text if text.lstrip()[:1] in ("[", "*") else text


def _depth(tex: str) -> int:
    """Count the braces that are open at the end; 1 if one is closed before it is opened."""
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return 1
    return depth


def _list_depth(content: str) -> int:
    depth = deepest = 0
    for mark in _LIST_MARK.findall(content):
        depth += 1 if mark == "begin" else -1
        deepest = max(deepest, depth)
    return deepest


def _code_lines(row: str, columns: int) -> Iterator[str]:
    """Yield a line of code or of output, in pieces that fit the page."""
    for start in range(0, max(len(row), 1), columns):
        content = _straight(escape(row[start : start + columns]))
        content = content.replace("~", r"\textasciitilde{}").replace(" ", r"\ ")
        yield rf"\{'carried' if start else 'codeline'}{{{content}}}"


def _table(
    table: Grid,
    contents: dict[Node, str],
    fitted: Fit,
    widths: Sequence[float] | None,
    caption: str,
    *,
    in_box: bool,
) -> str:
    columns = "".join(
        _column_type(_side(table, column), widths[column] if widths else None)
        for column in range(table.n_columns)
    )
    rows: list[list[Cell]] = [[] for _ in range(table.n_rows)]
    for cell in table.cells:
        rows[cell.row].append(cell)
    written = [
        " & ".join(_row(row, number, table, contents, fitted, widths)) + r" \\"
        for number, row in enumerate(rows)
    ]
    head, body = written[: table.n_header], written[table.n_header :]
    top = [r"\toprule", *head, *([r"\midrule"] if head else [])]
    if in_box:
        start = [r"\begin{kept}", *([caption] if caption else [])]
        lines = [*start, f"\\begin{{tabular}}{{{columns}}}", *top, *body, r"\bottomrule"]
        return "\n".join([*lines, r"\end{tabular}", r"\end{kept}"])
    start = [f"\\begin{{longtable}}[l]{{{columns}}}", *([caption + r"\\"] if caption else [])]
    heads = [*top, r"\endfirsthead", *top, r"\endhead", r"\bottomrule", r"\endlastfoot"]
    return "\n".join([*start, *heads, *body, r"\end{longtable}"])


def _row(
    cells: Iterable[Cell],
    number: int,
    table: Grid,
    contents: dict[Node, str],
    fitted: Fit,
    widths: Sequence[float] | None,
) -> Iterator[str]:
    by_column = {cell.column: cell for cell in cells}
    column = 0
    while column < table.n_columns:
        cell = by_column.get(column)
        if cell is None:
            yield ""
            column += 1
            continue
        content = contents[cell.node]
        if number < table.n_header and fitted.upright and column and cell.columns == 1:
            room = min(letters_wide(cell.text) * LatexWriter.letters * fitted.size + 4, _TURNED)
            content = rf"\turned{{{room:.0f}pt}}{{{content}}}"
        elif "\n\n" in content or "\\begin{" in content or r"\par" in content:
            width = widths[column] if widths else 120
            content = rf"\parbox[t]{{{width:.0f}pt}}{{\raggedright {content}}}"
        if cell.columns > 1 or (number < table.n_header and widths and not fitted.upright):
            kind = _column_type(
                cell.align, widths[column] if widths and cell.columns == 1 else None
            )
            yield rf"\multicolumn{{{cell.columns}}}{{{kind}}}{{{content}}}"
        else:
            yield "{}" + content if content[:1] in ("[", "*") and not column else content
        column += cell.columns


def _side(table: Grid, column: int) -> str:
    """Return the side to which most cells of a column stand."""
    sides = [c.align for c in table.cells if c.column == column and c.row >= table.n_header]
    return max(dict.fromkeys(sides), key=sides.count, default="left")


def _column_type(side: str, width: float | None) -> str:
    if width is None:
        return {"right": "r", "center": "c"}.get(side, "l")
    ragged = {"right": r"\raggedleft", "center": r"\centering"}.get(side, r"\raggedright")
    return rf">{{{ragged}\arraybackslash}}p{{{width:.1f}pt}}"
