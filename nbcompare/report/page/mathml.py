r"""Convert TeX formulas to MathML, which a page can show without a script and a network.

``latex2mathml`` reads a formula. This module rewrites what it would misread, reduces the result to
the part of MathML that browsers draw (MathML Core), and detects what was not understood. A formula
that is not understood is shown as its source.
"""

import html
import re
from functools import lru_cache
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, tostring

from latex2mathml.converter import convert_to_element

__all__ = ["Macros", "environment", "formula", "latex_output"]

# Environments that latex2mathml silently ignores, with equivalents that it knows. An empty name
# means that no environment is needed: the line breaks of the body are enough.
_SAME_ENVIRONMENT = {
    "align": "align*",
    "alignat": "align*",
    "aligned": "split",
    "alignedat": "split",
    "displaymath": "",
    "eqnarray": "array",
    "equation": "",
    "flalign": "align*",
    "gather": "",
    "gathered": "array",
    "math": "",
    "multline": "",
    "split": "split",
}
_COLUMNS = {"eqnarray": "{rcl}", "gathered": "{c}"}
_KNOWN_ENVIRONMENT = re.compile(r"align\*|split|array|cases|smallmatrix|[pbBvV]?matrix\*?")
_ENVIRONMENT_MARK = re.compile(r"\\(?P<mark>begin|end)\s*\{(?P<name>\w+)(?P<star>\*?)\}")
_ENVIRONMENT_ARGUMENT = re.compile(r"\s*(\[[tbc]\])?(\{\d+\})?")

# Commands without a meaning on a page whose equations are not numbered, and commands with a synonym
# that latex2mathml knows. An equation keeps the number that its author gave it with \tag.
_SAME_COMMAND = (
    (re.compile(r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag|ensuremath)(?![A-Za-z])"), ""),
    (re.compile(r"\\tag\s*\{([^{}]*)\}"), r"\\qquad\\text{(\1)}"),
    (re.compile(r"\\\\\s*\[\s*-?[\d.]+\s*(?:[pe][tmx]|[cm]m|in)\s*\]"), r"\\\\ "),  # more space
    (re.compile(r"\\\\(?=[A-Za-z])"), r"\\\\ "),  # 3.77 reads \\a as the end of a line and \a
    (re.compile(r"\\operatorname\*"), r"\\operatorname"),
    (re.compile(r"(\\operatorname\s*\{[^{}]*?)\\[,;:!](?=[^{}]*\})"), r"\1"),  # space in a name
    (re.compile(r"\\arg(?![A-Za-z])"), r"\\operatorname{arg}"),
    (re.compile(r"\\mathscr(?![A-Za-z])"), r"\\mathcal"),
    (re.compile(r"\\text\{([^{}$]*)\$([^$]*)\$([^{}$]*)\}"), r"\\text{\1}{\2}\\text{\3}"),
)
_ESCAPED_IN_TEXT = re.compile(r"\\([_%&#${}])")

_DELIMITED = re.compile(
    r"(?<!\\)\$\$(?P<display>.+?)(?<!\\)\$\$"
    r"|(?<!\\)\$(?P<inline>.+?)(?<!\\)\$"
    r"|\\\[(?P<bracket>.+?)\\\]"
    r"|\\\((?P<paren>.+?)\\\)"
    r"|\\begin\{(?P<name>[A-Za-z]+\*?)\}(?P<body>.*?)\\end\{(?P=name)\}",
    re.DOTALL,
)
_COMMAND = re.compile(r"\\[A-Za-z]")

_DEFINITION = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\\(?P<name>[A-Za-z]+)\}?\s*(?:\[(?P<n>\d)\])?\s*(?=\{)"
    r"|\\DeclareMathOperator\*?\s*\{?\\(?P<operator>[A-Za-z]+)\}?\s*(?=\{)"
)
_DEEPEST = 20  # nested macros
_LONGEST = 20_000  # characters; stops macros that double themselves

# Operators whose limits are placed below and above in a displayed formula. latex2mathml does so,
# but not between \left and \right.
_BIG_OPERATORS = frozenset("∑∏∐⋂⋃⋀⋁⨁⨂")
_NAMED_OPERATORS = frozenset(["lim", "max", "min", "sup", "inf", "limsup", "liminf"])
_WITH_LIMITS = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}


class Macros:
    """Macros that formulas define for the formulas after them, as in MathJax."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, str]] = {}

    def expand(self, tex: str) -> str:
        r"""Record the macros that a formula defines, and expand the known macros in the rest.

        Examples
        --------
        >>> macros = Macros()
        >>> macros.expand(r"\newcommand{\R}[1]{\mathbb{R}^{#1}}")
        ''
        >>> macros.expand(r"\R n \to \R{2}")
        '{\\mathbb{R}^{n}} \\to {\\mathbb{R}^{2}}'
        """
        tex = self._define(tex)
        for _ in range(_DEEPEST):
            expanded = self._once(tex)
            if expanded == tex or len(expanded) > _LONGEST:
                return tex
            tex = expanded
        return tex

    def _define(self, tex: str) -> str:
        while match := _DEFINITION.search(tex):
            body, end = _group(tex, match.end())
            if match["operator"]:
                body = rf"\operatorname{{{body}}}"
            self._known[match["operator"] or match["name"]] = (int(match["n"] or 0), body)
            tex = tex[: match.start()] + tex[end:]
        return tex

    def _once(self, tex: str) -> str:
        for name, (n_arguments, body) in self._known.items():
            match = re.search(rf"\\{name}(?![A-Za-z])", tex)
            if match is None:
                continue
            end, given = match.end(), body
            for number in range(1, n_arguments + 1):
                argument, end = _group(tex, end)
                given = given.replace(f"#{number}", argument)
            tex = f"{tex[: match.start()]}{{{given}}}{tex[end:]}"
        return tex


def formula(tex: str, *, display: bool = False) -> str:
    r"""Write a formula as MathML, or as its source if it is not understood.

    Parameters
    ----------
    tex : str
        The formula without its delimiters.
    display : bool
        Whether the formula is on a line of its own.

    Returns
    -------
    str
        HTML that is allowed inside a paragraph.

    Examples
    --------
    >>> formula("k")
    '<math display="inline" alttext="k"><mrow><mi>k</mi></mrow></math>'
    >>> formula(r"\foo{k}")
    '<code class="tex">$\\foo{k}$</code>'
    """
    if not tex.strip():  # it only defined macros
        return ""
    delimiter = "$$" if display else "$"
    return _in_its_place(_mathml(tex, display) or _source(delimiter + tex + delimiter), display)


def environment(name: str, body: str) -> str:
    r"""Write a LaTeX environment as MathML, or as its source if it is not mathematics.

    Parameters
    ----------
    name : str
        The environment, ``align`` in ``\begin{align}``.
    body : str
        The text between ``\begin`` and ``\end``.

    Returns
    -------
    str
        HTML that is allowed inside a paragraph.
    """
    tex = f"\\begin{{{name}}}{body}\\end{{{name}}}"
    return _in_its_place(_mathml(tex, True) or _source(tex), True)


def latex_output(tex: str) -> str | None:
    """Write a ``text/latex`` output, prose with formulas in it, as HTML.

    Parameters
    ----------
    tex : str
        The output.

    Returns
    -------
    str or None
        HTML; None unless it is prose with formulas that are all understood, unlike a ``tabular``.
    """
    pieces: list[str] = []
    end = 0
    for match in _DELIMITED.finditer(tex):
        prose = tex[end : match.start()]
        if match["name"]:
            math = _mathml(match[0], True)
        else:
            display = match["display"] or match["bracket"]
            math = _mathml(display or match["inline"] or match["paren"], bool(display))
        if math is None or _COMMAND.search(prose):
            return None
        pieces += [html.escape(prose), _in_its_place(math, 'display="block"' in math)]
        end = match.end()
    if not pieces or _COMMAND.search(tex[end:]):
        return None
    return "".join([*pieces, html.escape(tex[end:])]).strip()


def _in_its_place(content: str, display: bool) -> str:
    # a formula wider than the page scrolls, and it must be possible to do that with the keyboard
    if not display:
        return content
    attributes = 'class="equation" role="group" aria-label="Equation" tabindex="0"'
    return f"<span {attributes}>{content}</span>"


def _source(tex: str) -> str:
    return f'<code class="tex">{html.escape(tex.strip(), quote=False)}</code>'


@lru_cache(maxsize=1024)
def _mathml(tex: str, display: bool) -> str | None:
    """Convert a formula; None if latex2mathml does not understand all of it."""
    readable = _readable(tex)
    if readable is None:
        return None
    try:
        math = convert_to_element(readable, display="block" if display else "inline")
    except Exception:
        # Malformed TeX raises whatever its parser runs into, not one kind of exception, and no
        # formula may prevent the export of the page.
        return None
    for element in math.iter():
        if element.text and not _decode(element):
            return None
        _place_limits(element)
    del math.attrib["xmlns"]
    math.set("alttext", " ".join(tex.split()))
    _break_lines(math[0])
    # an HTML parser reads self-closing tags as opening tags
    return tostring(math, encoding="unicode", short_empty_elements=False)


def _readable(tex: str) -> str | None:
    """Rewrite a formula with commands that latex2mathml knows; None if there are none."""
    for pattern, replacement in _SAME_COMMAND:
        tex = pattern.sub(replacement, tex)
    pieces: list[str] = []
    end = 0
    for match in _ENVIRONMENT_MARK.finditer(tex):
        pieces.append(tex[end : match.start()])
        end = match.end()
        name = match["name"]
        if name in _SAME_ENVIRONMENT:
            known, columns = _SAME_ENVIRONMENT[name], _COLUMNS.get(name, "")
            if match["mark"] == "begin":
                argument = _ENVIRONMENT_ARGUMENT.match(tex, end)
                end = argument.end() if argument else end
        else:
            known, columns = name + match["star"], ""
            if not _KNOWN_ENVIRONMENT.fullmatch(known):
                return None
        if known:
            pieces.append(f"\\{match['mark']}{{{known}}}")
            pieces.append(columns if match["mark"] == "begin" else "")
    return "".join([*pieces, tex[end:]])


def _decode(element: Element) -> bool:
    """Decode the text that latex2mathml wrote as markup; return False if it is not mathematics."""
    text = element.text or ""
    if element.tag == "mtext":
        text = _ESCAPED_IN_TEXT.sub(r"\1", text.replace("$", "\0").replace("\\\0", "$"))
        if "\0" in text or _COMMAND.search(text):  # mathematics or a command inside \text{}
            return False
    elif text.startswith("\\") or text == "&":  # an unknown macro, a stray column
        return False
    element.text = html.unescape(text)
    return True


def _place_limits(element: Element) -> None:
    if element.tag in _WITH_LIMITS and len(element) and element[0].tag == "mo":
        operator = html.unescape(element[0].text or "")
        if operator in _BIG_OPERATORS or operator in _NAMED_OPERATORS:
            element.tag = _WITH_LIMITS[element.tag]
            # within a line of text the browser moves them beside the operator
            element[0].set("movablelimits", "true")


def _break_lines(row: Element) -> None:
    """Put the lines of a formula below each other; browsers ignore line breaks in a row."""
    lines = [
        list(children)
        for is_break, children in groupby(row, lambda e: e.get("linebreak") == "newline")
        if not is_break
    ]
    if len(lines) < 2:
        # a table alone is displayed mathematics, not an array within a line
        if len(row) == 1 and row[0].tag == "mtable":
            row[0].set("displaystyle", "true")
        return
    for child in list(row):
        row.remove(child)
    table = SubElement(row, "mtable", displaystyle="true")
    for line in lines:
        SubElement(SubElement(table, "mtr"), "mtd").extend(line)


def _group(tex: str, start: int) -> tuple[str, int]:
    """Return the contents of the braces that follow, or the next character, and its end."""
    while start < len(tex) and tex[start].isspace():
        start += 1
    if tex[start : start + 1] != "{":
        return tex[start : start + 1], start + 1
    depth = 0
    for position in range(start, len(tex)):
        if tex[position] in "{}" and tex[position - 1 : position] != "\\":
            depth += 1 if tex[position] == "{" else -1
            if not depth:
                return tex[start + 1 : position], position + 1
    return tex[start + 1 :], len(tex)
