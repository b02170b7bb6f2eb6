r"""Render Markdown as HTML, and TeX formulas as MathML, for a page that loads nothing.

``latex2mathml`` reads a formula. This module rewrites what it would misread, reduces the result to
the part of MathML that browsers draw (MathML Core), and detects what was not understood. A formula
that is not understood is shown as its source.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache, partial
from itertools import groupby
from typing import Any
from urllib.parse import quote, unquote
from xml.etree.ElementTree import Element, SubElement, tostring

import latex2mathml.exceptions as of_latex2mathml
from latex2mathml.converter import convert_to_element
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from nbcompare._render.letters import BDI, isolated
from nbcompare.report.page.headings import plain
from nbcompare.report.page.outputs import file_uri

# Environments that latex2mathml silently ignores, by one that it knows; an empty name means that
# the line breaks of the body are enough
_SAME_ENVIRONMENT = {
    **dict.fromkeys(("align", "alignat", "aligned", "alignedat", "eqnarray", "flalign"), "split"),
    **dict.fromkeys(("displaymath", "equation", "gather", "math", "multline"), ""),
    "gathered": "matrix",
}
_KNOWN_ENVIRONMENT = re.compile(r"split|array|cases|smallmatrix|[pbBvV]?matrix\*?")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{(\w+)(\*?)\}((?:\s*\[[tbc]\])?(?:\{\d+\})?)")

# Commands without a meaning on a page whose equations are not numbered, and commands with a synonym
# that latex2mathml knows. An equation keeps the number that its author gave it with \tag.
_SAME_COMMAND = (
    (re.compile(r"\\label\s*\{[^{}]*\}|\\(?:nonumber|notag|ensuremath)(?![A-Za-z])"), ""),
    (re.compile(r"\\tag\s*\{([^{}]*)\}"), r"\\qquad\\text{(\1)}"),
    (re.compile(r"\\\\\s*\[\s*-?[\d.]+\s*(?:[pe][tmx]|[cm]m|in)\s*\]"), r"\\\\ "),  # more space
    (re.compile(r"(\\operatorname\*?\s*\{[^{}]*?)\\[,;:!](?=[^{}]*\})"), r"\1"),  # space in a name
    (re.compile(r"\\arg(?![A-Za-z])"), r"\\operatorname{arg}"),
    (re.compile(r"\\text\{([^{}$]*)\$([^$]*)\$([^{}$]*)\}"), r"\\text{\1}{\2}\\text{\3}"),
)
_ESCAPED_IN_TEXT = re.compile(r"\\([_%&#${}])")

# Delimiters of formulas that Markdown has not, by those that it has
_BRACKETS, _PARENTHESES = re.compile(r"(?<!\\)\\[\[\]]"), re.compile(r"(?<!\\)\\[()]")
_FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)
_COMMAND = re.compile(r"\\[A-Za-z]")

# What braces hold, with up to two pairs of others inside
_INSIDE = r"(?:[^{}\\]|\\.|\{(?:[^{}\\]|\\.|\{(?:[^{}\\]|\\.)*\})*\})*"
_DEFINITION = re.compile(
    r"\\(?:(?:re)?newcommand|(?P<operator>DeclareMathOperator))\*?\s*\{?\\(?P<name>[A-Za-z]+)\}?"
    rf"\s*(?:\[(?P<n>\d)\])?\s*\{{(?P<body>{_INSIDE})\}}",
    re.DOTALL,
)
_ARGUMENT = rf"\s*(?:\{{({_INSIDE})\}}|(\\[A-Za-z]+|\S))"
_DEEPEST = 20  # nested macros
_LONGEST = 20_000  # characters; stops macros that double themselves

# What its parser raises for malformed TeX: its own, and what it runs into
_MALFORMED: tuple[type[Exception], ...] = (
    *(it for it in vars(of_latex2mathml).values() if isinstance(it, type)),
    *(LookupError, ValueError, TypeError, AttributeError, RuntimeError, StopIteration),
)

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
        tex = _DEFINITION.sub(self._define, tex)
        for _ in range(_DEEPEST):
            expanded = tex
            for name, (n_arguments, body) in self._known.items():
                called = re.compile(rf"\\{name}(?![A-Za-z])" + n_arguments * _ARGUMENT, re.DOTALL)
                expanded = called.sub(partial(_filled, body), expanded)
                if len(expanded) > _LONGEST:
                    return tex
            if expanded == tex:
                break
            tex = expanded
        return tex

    def _define(self, found: re.Match[str]) -> str:
        body = rf"\operatorname{{{found['body']}}}" if found["operator"] else found["body"]
        self._known[found["name"]] = (int(found["n"] or 0), body)
        return ""


def _filled(body: str, call: re.Match[str]) -> str:
    """Return the body of a macro with the arguments of a call, each in one of two groups."""
    given = call.groups(default="")
    for number, pair in enumerate(zip(given[::2], given[1::2], strict=True), 1):
        body = body.replace(f"#{number}", "".join(pair))
    return f"{{{body}}}"


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
    except _MALFORMED:
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
    names = {
        name + star: _SAME_ENVIRONMENT.get(name) for _, name, star, _ in _ENVIRONMENT.findall(tex)
    }
    if not all(
        known is not None or _KNOWN_ENVIRONMENT.fullmatch(name) for name, known in names.items()
    ):
        return None

    def renamed(mark: re.Match[str]) -> str:
        known = names[mark[2] + mark[3]]
        return mark[0] if known is None else known and f"\\{mark[1]}{{{known}}}"

    return _ENVIRONMENT.sub(renamed, tex)


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


_IMAGE_TAG_SOURCE = re.compile(
    r"""(<img\b[^<>]*?\ssrc\s*=\s*)(?:(["'])(.*?)\2|([^\s"'>]+))""", re.IGNORECASE
)


def scrollable(content: str, label: str, *, css_class: str = "scroll") -> str:
    """Put content that may be wider than the page into a container that scrolls.

    Parameters
    ----------
    content : str
        HTML.
    label : str
        The name of the container for screen readers.
    css_class : str
        The class of the container.

    Returns
    -------
    str
        HTML. The container can be focused, so that it can be scrolled with the keyboard.
    """
    name = html.escape(label)
    return f'<div class="{css_class}" role="group" aria-label="{name}" tabindex="0">{content}</div>'


class MarkdownRenderer(IPythonRenderer):
    """A renderer of Markdown as nbconvert reads it, with MathML and embedded images.

    Parameters
    ----------
    path : str, optional
        The folder of the notebook, the only one from which images are read; without it none is
        read.
    **options
        Options of `nbconvert.filters.markdown_mistune.IPythonRenderer`.
    """

    def __init__(self, *, path: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._folder = path
        self._macros = Macros()
        self._used_ids: dict[str, int] = {}

    def render(self, source: str) -> str:
        """Render Markdown as nbconvert does."""
        return str(MarkdownWithMath(renderer=self).render(source))

    def latex(self, source: str) -> str | None:
        """Render a ``text/latex`` output, prose with formulas in it.

        None unless all of it is understood, unlike a ``tabular``.
        """
        prose = MarkdownRenderer(escape=True)  # HTML in it is text
        prose._macros = self._macros
        page = prose.render(_PARENTHESES.sub("$", _BRACKETS.sub("$$", source))).strip()
        rest = _FORMULA.sub("", page)
        is_read = rest != page and 'class="tex"' not in rest and not _COMMAND.search(rest)
        return page if is_read else None

    def text(self, text: str) -> str:
        """Write text, in which Arabic and Hebrew names are isolated."""
        return isolated(super().text(text), marks=BDI)

    def inline_math(self, body: str) -> str:
        """Render ``$…$``."""
        return formula(self._macros.expand(body))

    def block_math(self, body: str) -> str:
        """Render ``$$…$$``."""
        return formula(self._macros.expand(body), display=True)

    def latex_environment(self, name: str, body: str) -> str:
        r"""Render ``\begin{…}…\end{…}``."""
        return environment(name, self._macros.expand(body))

    def heading(self, text: str, level: int, **attrs: Any) -> str:  # noqa: ARG002 mistune's
        """Give a heading a unique id, even if another one has the same text."""
        name = quote(plain(text).replace(" ", "-"), safe="?/:@!$&'()*+,;=")
        number = self._used_ids[name] = self._used_ids.get(name, 0) + 1
        name = name if number == 1 else f"{name}-{number}"
        return f'<h{level} id="{html.escape(name)}">{text}</h{level}>\n'

    def block_code(self, code: str, info: str | None = None) -> str:
        """Put a fenced block, which may be wider than the page, into a container that scrolls."""
        return scrollable(super().block_code(code, info), "Code", css_class="source")

    def block_mermaidjs(self, code: str) -> str:
        """Show the source of a diagram, which the page cannot draw."""
        return f"<pre>{html.escape(code)}</pre>"

    def table(self, text: str) -> str:
        """Put a table, which may be wider than the page, into a container that scrolls."""
        return scrollable(f"<table>\n{text}</table>", "Table") + "\n"

    def task_list_item(self, text: str, checked: bool = False) -> str:
        """Label the checkbox of a task with the task."""
        state = " checked" if checked else ""
        return (
            f'<li class="task"><label><input type="checkbox" disabled{state}> {text}</label></li>\n'
        )

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Embed an image; link to one that cannot be embedded, because the page loads nothing."""
        embedded = self._embedded(url)
        if embedded is None:
            name = plain(text) or "image"
            return f'<a href="{self.safe_url(url)}">{html.escape(name)} ({html.escape(url)})</a>'
        caption = f' title="{html.escape(title)}"' if title else ""
        alt = html.escape(plain(text) or "Figure")
        return f'<img src="{html.escape(embedded)}" alt="{alt}"{caption}>'

    def block_html(self, html: str) -> str:
        """Embed the images of literal HTML, and leave the rest unchanged."""
        return super().block_html(self.with_images(html))

    def inline_html(self, html: str) -> str:
        """Embed the images of literal HTML, and leave the rest unchanged."""
        return super().inline_html(self.with_images(html))

    def with_images(self, markup: str) -> str:
        """Embed the images of HTML where that is possible, and leave the rest unchanged."""

        def embed(match: re.Match[str]) -> str:
            tag, quotation, quoted, bare = match.groups()
            url = html.unescape(quoted or bare or "")
            uri = self._embedded(url)
            if uri is None or uri == url:
                return match[0]
            quotation = quotation or '"'
            return f"{tag}{quotation}{html.escape(uri)}{quotation}"

        return _IMAGE_TAG_SOURCE.sub(embed, markup)

    def _embedded(self, url: str) -> str | None:
        """Encode an image as a ``data:`` URI: an attachment, or a file beside the notebook."""
        if url.startswith("data:"):
            return url
        if url.startswith("attachment:"):
            name = url.removeprefix("attachment:")
            bundle = self.attachments.get(name) or self.attachments.get(unquote(name)) or {}
            # vector over raster, and lossless over lossy
            for mime_type in ("image/svg+xml", "image/png", "image/jpeg", *bundle):
                if mime_type in bundle:
                    return f"data:{mime_type};base64,{bundle[mime_type]}"
            return None
        return file_uri(url, self._folder)
