"""LaTeX: tables that need the booktabs package and a LaTeX of 2020 or later.

Letters beyond Latin, emoji among them, need XeLaTeX or LuaLaTeX and a font that has them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nbcompare._render.parts import Notes, Part, Prose, Table

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\symbol{34}",  # \textquotedbl is unknown to the default font encoding
        "`": r"\textasciigrave{}",
        # symbols of our own texts that pdflatex lacks
        "χ": r"$\chi$",
        "α": r"$\alpha$",
        "²": r"$^2$",
        "∞": r"$\infty$",
        "≤": r"$\le$",
        "…": r"\ldots{}",
    }
)
# Pairs that TeX would print as one sign: -- as a dash, '' and ,, as quotation marks.
_LIGATURES = re.compile(r"([-',])(?=\1)")


def escape(text: str) -> str:
    r"""Text that LaTeX prints as it stands.

    Examples
    --------
    >>> print(escape(r"C4.5_m & 100% $x$ \input{x}"))
    C4.5\_m \& 100\% \$x\$ \textbackslash{}input\{x\}
    """
    return _LIGATURES.sub(r"\1{}", text.translate(_ESCAPES)).replace("–", "--")


def render(parts: Sequence[Part]) -> str:
    """The parts as paragraphs and table floats."""
    return "\n\n".join(_render_part(part) for part in parts) + "\n"


def _render_part(part: Part) -> str:
    if isinstance(part, Prose):
        return escape(" ".join(part.sentences))
    if isinstance(part, Notes):
        items = "\n".join(rf"\item {_guarded(escape(note.text))}" for note in part.notes)
        return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
    return _table(part)


def _table(table: Table) -> str:
    kinds = "".join("r" if column.number else "l" for column in table.columns)
    lines = [r"\begin{table}[htbp]", r"\centering"]
    if table.caption:
        lines.append(rf"\caption{{{escape(table.caption)}}}")
    lines += [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule"]
    lines.append(_row([column.header for column in table.columns], table))
    lines.append(r"\midrule")
    lines += [_row(row, table) for row in table.rows]
    if table.remainder:
        span = len(table.columns)
        lines.append(rf"\multicolumn{{{span}}}{{l}}{{\ldots{{}} {escape(table.remainder)}}} \\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines)


def _row(cells: Sequence[str], table: Table) -> str:
    shown = [
        _number(cell) if column.number else escape(cell)
        for cell, column in zip(cells, table.columns, strict=True)
    ]
    return _guarded(" & ".join(shown)) + r" \\"


def _guarded(text: str) -> str:
    """After a command, [ would start an optional argument and * a starred form of it."""
    return "{}" + text if text.lstrip()[:1] in ("[", "*") else text


def _number(cell: str) -> str:
    return f"${cell}$" if cell.startswith("-") and cell[1:2].isdigit() else escape(cell)
