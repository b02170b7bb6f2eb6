"""LaTeX: tables that need the packages array, booktabs and longtable, and a LaTeX since 2020.

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
        "≥": r"$\ge$",
        "−": r"$-$",
        "×": r"$\times$",
        "…": r"\ldots{}",
    }
)
# A longer table goes over several pages, which a float cannot.
_MOST_ROWS = 36
# Longer text is set in lines of this width, and may be broken after so many letters.
_MOST_CHARACTERS = 40
_WIDTH = "6cm"
_PIECE = 12
_PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\else
  \usepackage{fontspec}
\fi
\usepackage[margin=2cm]{geometry}
\usepackage{array}
\usepackage{booktabs}
\usepackage{longtable}
"""
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


def document(body: str, title: str, made: str) -> str:
    """Wrap what :func:`render` gave into a whole document; ``made`` says by what, in a comment."""
    declared = "".join(
        rf"\ifcsname u8:\detokenize{{{character}}}\endcsname\else"
        rf"\DeclareUnicodeCharacter{{{ord(character):04X}}}{{\texttt{{U+{ord(character):04X}}}}}\fi"
        "\n"
        for character in sorted({*body, *title})
        if ord(character) > 0xFF
    )
    if declared:  # a letter that pdfLaTeX lacks is printed as its number
        declared = f"\\ifPDFTeX\n{declared}\\fi\n"
    return (
        f"{_comment(made)}{_PREAMBLE}{declared}\\title{{{escape(title)}}}\n\\author{{}}\n\\date{{}}\n"
        f"\\begin{{document}}\n\\maketitle\n\\small\n{body}\\end{{document}}\n"
    )


def fragment(body: str, made: str) -> str:
    """What :func:`render` gave, with a comment that says what it needs."""
    return f"{_comment(made)}% Needs \\usepackage{{array,booktabs,longtable}}.\n{body}"


def _comment(made: str) -> str:
    return "".join(f"% {line}\n" for line in f"Made by {made}".splitlines())


def _render_part(part: Part) -> str:
    if isinstance(part, Prose):
        return escape(" ".join(part.sentences))
    if isinstance(part, Notes):
        items = "\n".join(rf"\item {_guarded(escape(note.text))}" for note in part.notes)
        return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
    return _table(part)


def _table(table: Table) -> str:
    kinds = "".join(_kind(table, index) for index in range(len(table.columns)))
    long = len(table.rows) > _MOST_ROWS
    caption = rf"\caption{{{escape(table.caption)}}}" if table.caption else ""
    header = [r"\toprule", _row([column.header for column in table.columns], table), r"\midrule"]
    body = [_row(row, table) for row in table.rows]
    if table.remainder:
        span = len(table.columns)
        body.append(rf"\multicolumn{{{span}}}{{l}}{{\ldots{{}} {escape(table.remainder)}}} \\")
    if long:
        start = [rf"\begin{{longtable}}{{{kinds}}}", *([caption + r" \\"] if caption else [])]
        heads = [*header, r"\endfirsthead", *header, r"\endhead", r"\bottomrule", r"\endfoot"]
        return "\n".join([*start, *heads, *body, r"\end{longtable}"])
    start = [r"\begin{table}[htbp]", r"\centering", *([caption] if caption else [])]
    whole = [rf"\begin{{tabular}}{{{kinds}}}", *header, *body, r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*start, *whole, r"\end{table}"])


def _kind(table: Table, index: int) -> str:
    """Numbers to the right, text to the left, long text in lines."""
    if table.columns[index].number:
        return "r"
    if max((len(row[index]) for row in table.rows), default=0) <= _MOST_CHARACTERS:
        return "l"
    return rf">{{\raggedright\arraybackslash}}p{{{_WIDTH}}}"


def _text(cell: str) -> str:
    """Text that may be broken anywhere if it is long and has no spaces."""
    if len(cell) <= _MOST_CHARACTERS:
        return escape(cell)
    words = cell.split(" ")
    pieces = [[word[i : i + _PIECE] for i in range(0, len(word), _PIECE)] for word in words]
    return " ".join(r"\allowbreak{}".join(map(escape, word)) for word in pieces)


def _row(cells: Sequence[str], table: Table) -> str:
    shown = [
        _number(cell) if column.number else _text(cell)
        for cell, column in zip(cells, table.columns, strict=True)
    ]
    return _guarded(" & ".join(shown)) + r" \\"


def _guarded(text: str) -> str:
    """After a command, [ would start an optional argument and * a starred form of it."""
    return "{}" + text if text.lstrip()[:1] in ("[", "*") else text


def _number(cell: str) -> str:
    return f"${cell}$" if cell.startswith("-") and cell[1:2].isdigit() else escape(cell)
