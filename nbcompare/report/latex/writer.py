"""Write the content of a page as LaTeX, with the commands of the template's preamble."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bs4 import Tag

from nbcompare._render.latex import escape
from nbcompare.report.page import markdown
from nbcompare.report.paper.pictures import Picture
from nbcompare.report.paper.writer import Size, Writer, lines_of_caption
from nbcompare.report.typst.compiler import vector_pdf

__all__ = ["LatexWriter"]

_CAPTION = 9.0  # points; the type of captions
_ENVIRONMENT = re.compile(
    r"\s*\\begin\{(align|alignat|eqnarray|equation|flalign|gather|multline)\*?\}"
)
# The caption of a further part of one of our own tables
_FURTHER = re.compile(r"^\\caption\{.*, part (?!1 )\d+ of \d+\}$", re.MULTILINE)
_TEXT, _SPECIAL = re.compile(r"\\text\{[^{}]*\}"), re.compile(r"(?<!\\)[%#&]")
_IN_LABELS = re.compile(r"[^A-Za-z0-9.-]")
_KINDS = ("pdf", "png", "jpg")  # types of pictures that pdfLaTeX reads


class LatexWriter(Writer):
    """A writer of LaTeX."""

    target = "latex"
    letter, ideograph = 0.6, 6  # numbers stand for ideographs
    deepest_list, wraps = 4, False  # which LaTeX allows
    plain_caption = r"\captionsetup{labelformat=empty}"
    boxes = (r"$\square$~", r"$\boxtimes$~")
    new_page, cut = r"\clearpage", r"\allowbreak{}"
    introduction = (r"{\interlinepenalty=10000 ", r"\par}\nobreak{}")

    def native(self, source: str) -> str:
        """Write raw LaTeX of the notebook."""
        return source

    def numbered(self, source: str, labels: Sequence[tuple[str, int]]) -> str:
        """Put ids and the first number to the tables of a result, whose parts share one."""
        source = _FURTHER.sub(r"\\addtocounter{table}{-1}\g<0>", source)
        places = "".join(rf"\phantomsection{_labelled(name)}" for name, _ in labels)
        return f"{_counter(labels[0][1])}{places}\n{source}" if labels else source

    def mended(self, markup: str) -> str:
        """Write carets as the character, where pandoc writes accents."""
        return markup.replace(r"\^{}", r"\textasciicircum{}")

    def finish(self, printed: dict[str, Any]) -> None:
        """Add nothing: pictures are files, and formulas are LaTeX."""

    def escape(self, text: str) -> str:
        """Escape markup in text."""
        return escape(text)

    def reference(self, identity: str) -> tuple[str, str]:
        """Return what stands around a link to a place in this document."""
        return rf"\hyperref[{_label(identity)}]{{", "}"

    def in_type(self, size: float) -> tuple[str, str]:
        """Return what stands around a table in type of this size."""
        return rf"{{\fontsize{{{size:.1f}}}{{{size * 1.2:.1f}}}\selectfont", "}"

    def numbered_caption(self, number: Tag) -> str:
        """Leave the number of a caption to LaTeX, from the one before it."""
        number.extract()
        return _counter(int(re.sub(r"\D", "", number.get_text()) or 1))

    def formula(self, tex: str, *, display: bool, doubtful: bool = False) -> str:
        """Write a formula, or its source if LaTeX could not typeset it."""
        tex = _TEXT.sub(lambda text: _SPECIAL.sub(r"\\\g<0>", text[0]), " ".join(tex.split()))
        if doubtful and not markdown.formula(tex, display=display).startswith(("<math", "<span")):
            return rf"\texttt{{{_straight(escape(tex))}}}"
        if _depth(tex) or re.search(r"(?<!\\)[%$#]", _TEXT.sub("", tex)):
            return rf"\texttt{{{_straight(escape(tex))}}}"
        if display and _ENVIRONMENT.match(tex):
            return f"\n{tex}\n"
        return f"\\[{tex}\\]" if display else f"${tex}$"

    def inline_picture(self, found: Picture, alt: str, size: Size) -> str:
        """Write a small picture within a line."""
        if not (name := self._file(found)):
            return escape(f"[{alt}]")
        return rf"\includegraphics[width={size[0]:.1f}bp,height={size[1]:.1f}bp]{{{name}}}"

    def block_picture(self, found: Picture, alt: str, size: Size) -> str:
        """Write a picture in a paragraph of its own."""
        return rf"{{\centering {self.inline_picture(found, alt, size)}\par}}"

    def figure(self, found: Picture, alt: str, size: Size, label: tuple[str, str, str]) -> str:
        """Write a picture with its number and caption; it may shrink to what a page has left."""
        identity, number, caption = label
        below = (2.5 + 1.3 * lines_of_caption(caption, self.width)) * _CAPTION
        content = escape(f"[{alt}]")
        if name := self._file(found):
            content = rf"\fittedpicture{{{size[0]:.1f}bp}}{{\pictureheight}}{{{name}}}"
        return "\n".join(
            [
                rf"\measureroom{{{size[1]:.1f}bp}}{{{below:.0f}bp}}",
                r"\begin{kept}",
                content,
                _counter(int(re.sub(r"\D", "", number) or 1), "figure"),
                rf"\captionof{{figure}}{{{escape(caption)}}}{_labelled(identity)}",
                r"\end{kept}",
            ]
        )

    def lines(
        self,
        text: str,
        kind: str,
        language: str = "",  # noqa: ARG002
        *,
        introduces: bool = False,  # noqa: ARG002
        columns: int = Writer.columns,
    ) -> str:
        """Write code or printed output."""
        rows = "\n".join(line for row in text.split("\n") for line in _code_lines(row, columns))
        return f"\\begin{{listing{kind}}}\n{rows}\n\\end{{listing{kind}}}"

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


def _counter(number: int, kind: str = "table") -> str:
    """Let the next table or figure have a number."""
    return rf"\setcounter{{{kind}}}{{{number - 1}}}"


def _depth(tex: str) -> int:
    """Count the braces that are open at the end; 1 if one is closed before it is opened."""
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return 1
    return depth


def _code_lines(row: str, columns: int) -> Iterator[str]:
    """Yield a line of code or of output, in pieces that fit the page."""
    for start in range(0, max(len(row), 1), columns):
        content = _straight(escape(row[start : start + columns]))
        content = content.replace("~", r"\textasciitilde{}").replace(" ", r"\ ")
        yield rf"\{'carried' if start else 'codeline'}{{{content}}}"
