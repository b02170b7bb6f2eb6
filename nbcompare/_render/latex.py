"""LaTeX rendering: tables that need array, booktabs and longtable, and LaTeX 2020 or later.

With plain lines, the tables need no packages. Greek letters and common symbols become formulas,
some of which need amssymb. Other non-Latin letters, including emoji, are kept: they need XeLaTeX or
LuaLaTeX and a font that has them. They would be errors in pdfLaTeX, for which a
whole document prints their code points instead; tables for a paper name them in a comment.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from nbcompare._render.parts import Notes, Part, Prose, Strong, Table

# Symbols and letters that the text fonts of pdfLaTeX lack, and their commands in a formula
_MATHEMATICS = r"""
≤ le ≥ ge ≠ neq ≈ approx × times · cdot ÷ div ± pm ∞ infty ∈ in ∉ notin ∑ sum ∏ prod √ surd
∂ partial ∇ nabla ∅ emptyset ∪ cup ∩ cap ⊂ subset ⊆ subseteq → rightarrow ← leftarrow
↔ leftrightarrow ⇒ Rightarrow ⇔ Leftrightarrow ∀ forall ∃ exists … ldots ∼ sim ≡ equiv ⟨ langle
⟩ rangle ↑ uparrow ↓ downarrow ★ bigstar ⊕ oplus ⊗ otimes ∘ circ † dagger ‡ ddagger ℓ ell ✗ times
α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu µ mu
ν nu ξ xi π pi ρ rho σ sigma ς varsigma τ tau υ upsilon φ varphi χ chi ψ psi ω omega ϵ epsilon
ϕ phi Γ Gamma Δ Delta ∆ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega
□ square ☐ square ☑ boxtimes ✓ checkmark △ triangle ▲ blacktriangle ▽ triangledown
▼ blacktriangledown ◆ blacklozenge ◇ lozenge ● bullet ○ circ ■ blacksquare
"""
COMMANDS = dict(zip(_MATHEMATICS.split()[::2], _MATHEMATICS.split()[1::2], strict=True))
SUPERSCRIPTS, SUBSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
_ESCAPES = str.maketrans(
    {
        **{sign: rf"$\{name}$" for sign, name in COMMANDS.items()},
        **{sign: f"$^{n}$" for n, sign in enumerate(SUPERSCRIPTS)},
        **{sign: f"$_{n}$" for n, sign in enumerate(SUBSCRIPTS)},
        "…": r"\ldots{}",
        "−": "$-$",
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
    }
)
# A longer table is split over several pages, which is impossible for a float; in a journal, where
# pages are smaller, at fewer rows if they may have two lines.
_MOST_ROWS, _MOST_OF_TWO_LINES = 36, 22
# Longer text is wrapped to lines of this width; long words may break after a sign, else after
# `_PIECE` letters.
_MOST_CHARACTERS = 30
_PIECE = 12
# About this many letters fit on a line at each font size; wider tables are split.
_NARROW = r"\setlength{\tabcolsep}{3pt}"
_SIZES = {
    70: "",
    77: r"\small",
    86: rf"\footnotesize{_NARROW}",
    96: rf"\scriptsize{_NARROW}",
}
# Points of a column and of a page in journals and proceedings, points of a letter at the size of
# their tables, and how far LaTeX may scale a table before it is split.
VENUES = {
    "ieee": (252.0, 516.0),
    "acm": (241.0, 506.0),
    "lncs": (347.0, 347.0),
    "elsevier": (252.0, 522.0),
}
_IN_COLUMNS = rf"\footnotesize{_NARROW}"
_LETTER = 4.2
_MOST_SCALED = 1.25
_SEPARATION = 0.035  # space between two columns, as a share of a line
_WRAPPED = 22
_GAP = 2
_PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\else
  \usepackage{fontspec}
\fi
\usepackage[margin=2cm]{geometry}
\usepackage{amssymb}
\usepackage{array}
\usepackage{booktabs}
\usepackage{longtable}
"""
# Characters beyond Latin-1 that pdfLaTeX prints and :func:`escape` leaves unchanged.
_LAST_LATIN = "\u017e"
_KNOWN = frozenset("–—‘’‚“”„†‡•€™")
_GREEK_WORDS = re.compile("([\u0370-\u03ff\u1f00-\u1fff]{3,})")
# What is there where a package is needed
_SIGNS = {
    "amssymb": r"\$\\(?:bigstar|square|boxtimes|checkmark|black\w+|triangledown|lozenge)\$",
    "array": r"\\arraybackslash",
    "booktabs": r"\\toprule",
    "graphicx": r"\\resizebox",
    "longtable": r"\{longtable\}",
    "siunitx": r"S\[table-format=",
}
_BREAKABLE = re.compile(rf"[^+/_]{{1,{_WRAPPED - 1}}}[+/_]|.{{1,{_PIECE}}}")
# The p of a p-value in a header or a caption
_P = re.compile(r"(?<![\w$-])p(?![\w$])")
# A negative number, whose sign is as wide as a digit in a formula only
_NEGATIVE = re.compile(r"(?<![^ (])(-\d[\d.,]*(?:e[-+]?\d+)?)")
# A number that siunitx aligns at its point
_DECIMAL = re.compile(r"(-?)(\d+)(?:\.(\d+))?")
# TeX would print these pairs as one sign: -- as a dash, '' and ,, as quotation marks.
_LIGATURES = re.compile(r"([-',])(?=\1)")


def escape(text: str) -> str:
    r"""Escape text so that LaTeX prints it literally.

    Examples
    --------
    >>> print(escape(r"C4.5_m & 100% $x$ \input{x}"))
    C4.5\_m \& 100\% \$x\$ \textbackslash{}input\{x\}
    """
    words = _GREEK_WORDS.split(text)  # which are no symbols
    words[::2] = (word.translate(_ESCAPES) for word in words[::2])
    return _LIGATURES.sub(r"\1{}", "".join(words)).replace("–", "--")


def unknown_letters(text: str) -> list[str]:
    """Return the letters that pdfLaTeX lacks even when escaped; Latin ones need T1 fonts at most.

    Examples
    --------
    >>> unknown_letters("naïve ≤ χ²"), unknown_letters("决策树")
    ([], ['决', '树', '策'])
    """
    return sorted(
        letter for letter in set(escape(text)) if letter > _LAST_LATIN and letter not in _KNOWN
    )


def packages(body: str) -> list[str]:
    r"""Return the packages that what :func:`render` or :func:`escape` gave needs.

    Examples
    --------
    >>> packages(escape("β-VAE ✓")), packages(escape("β-VAE"))
    (['amssymb'], [])
    """
    return [name for name, sign in _SIGNS.items() if re.search(sign, body)]


def render(parts: Sequence[Part], *, booktabs: bool = True) -> str:
    """Return the parts as paragraphs and table floats, without packages if lines are plain."""
    lines = _BOOKTABS if booktabs else _PLAIN
    return "\n\n".join(_render_part(part, lines) for part in parts) + "\n"


def render_display(parts: Sequence[Part]) -> str:
    """Return the parts for a notebook exported to LaTeX, where a table stays under its cell.

    The default template of nbconvert loads packages that can keep floats in place, but omits
    all captions; these are restored for the table alone.
    """
    return "\n\n".join(_render_part(part, _DISPLAY) for part in parts) + "\n"


def for_paper(parts: Sequence[Part], *, booktabs: bool, venue: str | None, siunitx: bool) -> str:
    """Return what :func:`render` gives, with comments that name the packages and letters needed.

    For a venue, each table fits a column, or a page of several columns.
    """
    lines = replace(_BOOKTABS if booktabs else _PLAIN, siunitx=siunitx)
    if venue is not None:
        column, page = VENUES[venue]
        in_column, most = int(column / _LETTER), int(_MOST_SCALED * page / _LETTER)
        lines = replace(
            lines,
            sizes=dict.fromkeys((in_column, most), _IN_COLUMNS),
            column=in_column,
            spans=column < page,
        )
    body = "\n\n".join(_render_part(part, lines) for part in parts) + "\n"
    needed = ",".join(packages(body))
    needs = f"% Needs \\usepackage{{{needed}}}.\n" if needed else ""
    for letter in (unknown := unknown_letters(body)):
        # a combining mark alone would be printed on the letter before it
        sign = f"{letter} " if unicodedata.category(letter)[0] not in "MC" else ""
        needs += f"% Beyond pdfLaTeX: {sign}(U+{ord(letter):04X}).\n"
    if unknown:
        needs += (
            "% Compile with XeLaTeX or LuaLaTeX and a font that has them, or declare them:\n"
            "% \\DeclareUnicodeCharacter{...}{...} in the preamble.\n"
        )
    return needs + body


def document(body: str, title: str, made: str) -> str:
    """Wrap what :func:`render` gave in a whole document; a comment says what ``made`` it."""
    declared = "".join(
        rf"\ifcsname u8:\detokenize{{{character}}}\endcsname\else"
        rf"\DeclareUnicodeCharacter{{{ord(character):04X}}}{{\texttt{{U+{ord(character):04X}}}}}\fi"
        "\n"
        for character in sorted({*body, *title})
        if ord(character) > 0xFF
    )
    if declared:  # pdfLaTeX prints the code point of a letter that it lacks
        declared = f"\\ifPDFTeX\n{declared}\\fi\n"
    return (
        f"{_comment(made)}{_PREAMBLE}{declared}\\title{{{escape(title)}}}\n\\author{{}}\n\\date{{}}\n"
        f"\\begin{{document}}\n\\maketitle\n\\small\n{body}\\end{{document}}\n"
    )


def fragment(body: str, made: str) -> str:
    """Return what :func:`render` gave, with a comment that names the packages needed."""
    needed = ",".join(sorted({"array", "booktabs", "longtable", *packages(body)}))
    return f"{_comment(made)}% Needs \\usepackage{{{needed}}}.\n{body}"


def _comment(made: str) -> str:
    return "".join(f"% {line}\n" for line in f"Made by {made}".splitlines())


@dataclass(frozen=True, slots=True)
class _Lines:
    """Rules of a table, whether packages may be used, where it stands, and how wide it may be.

    ``sizes`` are commands by letters on a line; ``column`` is how many letters fit a column in a
    journal, 0 elsewhere, and ``spans`` says whether a wider table can span several. ``siunitx``
    aligns numbers at their points.
    """

    top: str
    middle: str
    bottom: str
    packages: bool
    in_place: bool = False
    sizes: Mapping[int, str] = field(default_factory=lambda: _SIZES)
    column: int = 0
    spans: bool = False
    siunitx: bool = False

    @property
    def most(self) -> int:
        """The number of letters on a line beyond which a table is split."""
        return max(self.sizes)


_BOOKTABS = _Lines(r"\toprule", r"\midrule", r"\bottomrule", packages=True)
_PLAIN = _Lines(r"\hline", r"\hline", r"\hline", packages=False)
_DISPLAY = replace(_BOOKTABS, in_place=True)
# The box of a table, made smaller if it is wider than the column
_FITTED = r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi"
_IN_PLACE = r"""{\ifdefined\captionsetup\captionsetup{format=plain}\fi
\ifdefined\floatplacement\floatplacement{table}{H}\fi
"""


def _render_part(part: Part, lines: _Lines) -> str:
    if isinstance(part, Prose):
        return _number(" ".join(part.sentences))
    if isinstance(part, Notes):
        item = r"\item[] " if part.is_literature else r"\item "
        items = "\n".join(f"{item}{_guarded(_number(note.text))}" for note in part.notes)
        return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
    pieces = part.pieces(_widths(part, lines), lines.most)
    tables = [_table(piece, lines) for piece in pieces]
    if lines.in_place:
        tables = [f"{_IN_PLACE}{table}}}" for table in tables]
    return "\n\n".join(tables)


def _table(table: Table, lines: _Lines) -> str:
    most = _MOST_ROWS
    if lines.column and any(_is_long(table, index) for index in range(len(table.columns))):
        most = _MOST_OF_TWO_LINES
    if len(table.rows) <= most:
        return _float(table, lines, _caption(table, lines))
    if lines.packages and not lines.column:
        return _over_pages(table, lines)
    # without longtable, the table becomes several floats that share one number
    parts = [table.rows[i : i + most] for i in range(0, len(table.rows), most)]
    floats = []
    for number, rows in enumerate(parts, start=1):
        hidden = table.n_hidden if number == len(parts) else 0
        piece = replace(table, rows=rows, n_hidden=hidden)
        again = replace(table, caption=f"{table.caption} (continued)", label="")
        caption = _caption(table if number == 1 or not table.caption else again, lines)
        counter = r"\addtocounter{table}{-1}" if number > 1 and table.caption else ""
        floats.append(_float(piece, lines, counter + caption))
    return "\n\n".join(floats)


def _float(table: Table, lines: _Lines, caption: str) -> str:
    capacity = _capacity(table, lines)
    size = lines.sizes[capacity]
    kind = "table*" if lines.spans and capacity > lines.column else "table"
    place = "" if lines.in_place else "[tp]" if kind == "table*" else "[htbp]"
    start = [rf"\begin{{{kind}}}{place}", r"\centering", *filter(None, [caption, size])]
    body = [
        rf"\begin{{tabular}}{{{_kinds(table, lines)}}}", *_head(table, lines),
        *_body(table, lines),
        lines.bottom, r"\end{tabular}",
    ]  # fmt: skip
    if lines.column:
        body = [r"\sbox0{%", *body, "}%", _FITTED]
    return "\n".join([*start, *body, rf"\end{{{kind}}}"])


def _over_pages(table: Table, lines: _Lines) -> str:
    caption, header = _caption(table, lines), _head(table, lines)
    size = lines.sizes[_capacity(table, lines)]
    start = [
        *([f"{{{size}"] if size else []),
        rf"\begin{{longtable}}{{{_kinds(table, lines)}}}",
        *([caption + r" \\"] if caption else []),
    ]
    heads = [*header, r"\endfirsthead", *header, r"\endhead", lines.bottom, r"\endfoot"]
    end = [r"\end{longtable}", *(["}"] if size else [])]
    return "\n".join([*start, *heads, *_body(table, lines), *end])


def _caption(table: Table, lines: _Lines) -> str:
    if not table.caption:
        return ""
    label = rf"\label{{{table.label}}}" if table.label else ""
    text = _number(table.caption)
    text = set_p(text) if lines.column else text
    return rf"\caption{{{text}}}{label}"


def set_p(text: str) -> str:
    """Set the p of p-values as a variable."""
    return _P.sub("$p$", text)


def _head(table: Table, lines: _Lines) -> list[str]:
    headers = [column.header for column in table.columns]
    if not _is_wide(table, lines):
        header = _row(headers, table, _formats(table, lines))
        return [lines.top, set_p(header) if lines.column else header, lines.middle]
    stacked = []
    for column, is_aligned in zip(table.columns, _formats(table, lines), strict=True):
        header = column.short or column.header
        longest = max(map(len, header.split(" ")))
        words = textwrap.wrap(header, max(longest, 1), break_on_hyphens=False)
        words = [_number(word) if column.number else escape(word) for word in words]
        side = "r" if column.number else "l"
        text = r" \\ ".join(map(_guarded, words))
        text = rf"\shortstack[{side}]{{{text}}}" if len(words) > 1 else text
        stacked.append(f"{{{text}}}" if is_aligned else text)
    header = _guarded(" & ".join(stacked)) + r" \\"
    return [lines.top, set_p(header) if lines.column else header, lines.middle]


def _body(table: Table, lines: _Lines) -> list[str]:
    formats = _formats(table, lines)
    body = [_row(row, table, formats) for row in table.rows]
    if table.remainder:
        span = len(table.columns)
        body.append(rf"\multicolumn{{{span}}}{{l}}{{\ldots{{}} {escape(table.remainder)}}} \\")
    return body


def _widths(table: Table, lines: _Lines) -> list[int]:
    widths = table.widths(_MOST_CHARACTERS, _WRAPPED, headers_wrap=_is_wide(table, lines))
    bold = [any(isinstance(row[i], Strong) for row in table.rows) for i in range(len(widths))]
    # bold digits are wider
    return [_GAP + width + is_bold for width, is_bold in zip(widths, bold, strict=True)]


def _is_wide(table: Table, lines: _Lines) -> bool:
    """Say whether a table fits on a line only if its headers have several lines, if at all."""
    widths = table.widths(_MOST_CHARACTERS, _WRAPPED, headers_wrap=False)
    return sum(widths) + _GAP * len(widths) > (lines.column or lines.most)


def _capacity(table: Table, lines: _Lines) -> int:
    """Return the number of letters on a line at the largest font size that fits the table."""
    wanted = sum(_widths(table, lines))
    return next((most for most in lines.sizes if wanted <= most), lines.most)


def _kinds(table: Table, lines: _Lines) -> str:
    """Align numbers right and text left, and wrap long text in the width that remains."""
    long = [_is_long(table, index) for index in range(len(table.columns))]
    widths = _widths(table, lines)
    taken = sum(width for width, is_long in zip(widths, long, strict=True) if not is_long)
    room = (1 - taken / _capacity(table, lines)) / max(1, sum(long)) - _SEPARATION
    ragged = r">{\raggedright\arraybackslash}" if lines.packages else ""
    in_lines = rf"{ragged}p{{{min(0.7, max(0.15, room)):.2f}\linewidth}}"
    kinds = [
        aligned or ("r" if column.number else "l")
        for column, aligned in zip(table.columns, _formats(table, lines), strict=True)
    ]
    return "".join(in_lines if is_long else kind for kind, is_long in zip(kinds, long, strict=True))


def _formats(table: Table, lines: _Lines) -> list[str]:
    """Return the columns of siunitx, with the digits before and after the point; or nothing."""
    formats = []
    for index, column in enumerate(table.columns):
        cells = [row[index] for row in table.rows] if lines.siunitx and column.number else []
        found = [parts.groups("") for cell in cells if (parts := _DECIMAL.fullmatch(cell))]
        if not found:
            formats.append("")
            continue
        sign = "-" if any(minus for minus, _, _ in found) else ""
        whole, fraction = (max(len(parts[place]) for parts in found) for place in (1, 2))
        weight = ",detect-weight" if any(isinstance(cell, Strong) for cell in cells) else ""
        formats.append(f"S[table-format={sign}{whole}.{fraction}{weight}]")
    return formats


def _is_long(table: Table, index: int) -> bool:
    longest = max((len(row[index]) for row in table.rows), default=0)
    return not table.columns[index].number and longest > _MOST_CHARACTERS


def _text(cell: str) -> str:
    """Escape the text of a cell; long words may be broken, after a sign where there is one."""
    if len(cell) <= _MOST_CHARACTERS:
        return escape(cell)
    words = [_BREAKABLE.findall(word) for word in cell.split(" ")]
    return " ".join(r"\allowbreak{}".join(map(escape, pieces)) for pieces in words)


def _row(cells: Sequence[str], table: Table, formats: Sequence[str]) -> str:
    shown = []
    for cell, column, is_aligned in zip(cells, table.columns, formats, strict=True):
        if is_aligned and _DECIMAL.fullmatch(cell):
            shown.append(rf"\bfseries {cell}" if isinstance(cell, Strong) else cell)
        else:
            text = _bold(cell, _number(cell) if column.number else _text(cell))
            shown.append(f"{{{text}}}" if is_aligned else text)
    return _guarded(" & ".join(shown)) + r" \\"


def _guarded(text: str) -> str:
    """Protect a leading [ or *, which a command before it would read as part of itself."""
    return "{}" + text if text.lstrip()[:1] in ("[", "*") else text


def _number(cell: str) -> str:
    """Escape text, with its negative numbers as formulas."""
    pieces = _NEGATIVE.split(cell)  # every second one is a negative number
    pieces[::2] = map(escape, pieces[::2])
    pieces[1::2] = [f"${piece}$" for piece in pieces[1::2]]
    return "".join(pieces)


def _bold(cell: str, shown: str) -> str:
    if not isinstance(cell, Strong):
        return shown
    formulas = r"\boldmath " if "$" in shown else ""
    return rf"\textbf{{{formulas}{shown}}}"
