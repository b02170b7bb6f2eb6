"""A table in Markdown, alone or among other text."""

from __future__ import annotations

import re
from itertools import takewhile

from nbcompare._validation import DataError
from nbcompare.formats.given import Given, Imported
from nbcompare.formats.grid import LONGEST, Cell, read_grid

_RULE = set("|:- \t")
_BAR = re.compile(r"(?<!\\)\|")
_MARKED = re.compile(r"(\*{1,3}|_{1,3}|`|~~)(.*\S)\1")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def read(given: Given) -> Imported:
    """Return the only table."""
    lines = given.content(most=LONGEST).splitlines()
    rules = [
        number
        for number, line in enumerate(lines)
        if number and {"|", "-"} <= {*line} <= _RULE and "|" in lines[number - 1]
    ]
    if len(rules) != 1:
        raise DataError(f"{given.name} must hold one table in Markdown; got {len(rules)}.")
    below = takewhile(lambda line: "|" in line, lines[rules[0] + 1 :])
    rows = [_cells(line) for line in (lines[rules[0] - 1], *below)]
    return read_grid(given, rows, 1)


def _cells(line: str) -> list[Cell]:
    cells = _BAR.split(line.strip().removeprefix("|"))
    if len(cells) > 1 and not cells[-1]:  # behind the bar at the end
        cells.pop()
    return [Cell(_plain(cell)) for cell in cells]


def _plain(cell: str) -> str:
    """Return the text without marks of emphasis around all of it, and without escape marks."""
    text = cell.strip()
    while marked := _MARKED.fullmatch(text):
        text = marked[2].strip()
    return _ESCAPED.sub(r"\1", text)
