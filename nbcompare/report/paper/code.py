"""Divide code and printed output into lines that fit a page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

__all__ = [
    "LONGEST_CODE",
    "LONGEST_OUTPUT",
    "Line",
    "Span",
    "code_lines",
    "text_lines",
    "text_of_terminal",
]

Kind = Literal["", "keyword", "string", "comment", "number", "name"]

# Numbers of lines of a cell's code, and of its printed output, that are printed in full
LONGEST_CODE, LONGEST_OUTPUT = 600, 400
_SHORTEST_TAIL = 12  # columns; a line is broken after a space rather than after the last column
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_OVERSTRIKE = re.compile(r"[^\n\x08]\x08")
_RETURN = re.compile(r"^[^\n]*\r(?!$)", re.MULTILINE)
_NOT_PRINTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_KINDS: tuple[tuple[str, Kind], ...] = (
    ("Token.Keyword", "keyword"),
    ("Token.Operator.Word", "keyword"),
    ("Token.Literal.String.Doc", "comment"),  # a text for readers, printed in full
    ("Token.Literal.String", "string"),
    ("Token.Comment", "comment"),
    ("Token.Literal.Number", "number"),
    ("Token.Name.Function", "name"),
    ("Token.Name.Class", "name"),
    ("Token.Name.Decorator", "name"),
)


class Span(NamedTuple):
    """A piece of a line, and its kind in the language."""

    text: str
    kind: Kind = ""


class Line(NamedTuple):
    """A line of the page, and whether it continues the line before."""

    spans: tuple[Span, ...]
    continued: bool = False


def code_lines(
    source: str, language: str, columns: int, longest: int = LONGEST_CODE
) -> tuple[list[Line], int]:
    """Return the lines of code, and how many are left out of a long cell.

    Parameters
    ----------
    source : str
        The code of the cell.
    language : str
        The name of the language in Pygments; an unknown one is printed as plain text.
    columns : int
        The number of characters on a line of the page.
    longest : int
        The number of lines that are printed in full. Of more lines, the first half of that number
        and the last quarter are printed. 0 prints everything.

    Examples
    --------
    >>> lines, hidden = code_lines("total = first + second", "python", 16)
    >>> for line in lines:
    ...     print(line.continued, "".join(span.text for span in line.spans))
    False total = first +
    True second
    """
    return _shortened(_fitted(_tokens(_printed(source).strip("\n"), language), columns), longest)


def text_lines(text: str, columns: int, longest: int = LONGEST_OUTPUT) -> tuple[list[Line], int]:
    """Return the lines of printed output, and how many are left out, as :func:`code_lines` does."""
    printed = _printed(text).strip("\n").split("\n")
    return _shortened(_fitted(((Span(line),) for line in printed), columns), longest)


def text_of_terminal(text: str) -> str:
    r"""Return what a terminal would show in the end, without its colours.

    Examples
    --------
    >>> text_of_terminal("\x1b[31m10%\r20%\x1b[0m\ndone")
    '20%\ndone'
    """
    text = _ANSI.sub("", text.replace("\r\n", "\n"))
    while _OVERSTRIKE.search(text):
        text = _OVERSTRIKE.sub("", text)
    return _RETURN.sub("", text).replace("\r", "")


def _shortened(fitted: Iterable[Line], longest: int) -> tuple[list[Line], int]:
    lines = list(fitted)
    if not longest or len(lines) <= longest:
        return lines, 0
    first = longest // 2
    hidden = len(lines) - first - longest // 4
    gap = Line((Span(f"[… {hidden} lines left out …]", "comment"),))
    return [*lines[:first], gap, *lines[first + hidden :]], hidden


def _printed(text: str) -> str:
    return _NOT_PRINTED.sub("\N{REPLACEMENT CHARACTER}", text.expandtabs(4).replace("\r\n", "\n"))


def _tokens(source: str, language: str) -> Iterator[tuple[Span, ...]]:
    """Yield the spans of every line."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False, ensurenl=False)
    line: list[Span] = []
    for token, text in lexer.get_tokens(source):
        kind = _kind(str(token))
        first, *rest = text.split("\n")
        line += [Span(first, kind)] if first else []
        for piece in rest:
            yield tuple(line)
            line = [Span(piece, kind)] if piece else []
    yield tuple(line)


def _kind(token: str) -> Kind:
    return next((kind for name, kind in _KINDS if token.startswith(name)), "")


def _fitted(lines: Iterable[tuple[Span, ...]], columns: int) -> Iterator[Line]:
    for spans in lines:
        text = "".join(span.text for span in spans)
        starts = [0, *_breaks(text, columns)]
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            yield Line(tuple(_cut(spans, start, end)), continued=start > 0)


def _breaks(text: str, columns: int) -> Iterator[int]:
    """Yield the positions at which a line is broken."""
    start, width, space = 0, 0, 0
    for position, character in enumerate(text):
        # the mark of a continued line takes the place of two characters
        limit = columns if start == 0 else columns - 2
        size = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if width + size > limit:
            broken = space if position - space < columns - _SHORTEST_TAIL and space else position
            yield broken
            width = sum(
                2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text[broken:position]
            )
            start, space = broken, 0
        width += size
        if character in " ,;" and text[start : position + 1].strip():
            space = position + 1


def _cut(spans: Iterable[Span], start: int, end: int) -> Iterator[Span]:
    position = 0
    for span in spans:
        low, high = max(start - position, 0), min(end - position, len(span.text))
        if low < high:
            yield Span(span.text[low:high], span.kind)
        position += len(span.text)
