"""Arrange the cells of a report for paper, on which nothing is folded.

What a page folds in place, such as the scores on every data set, stands in the appendix, and a
link in its place says so. Cells of other notebooks stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from urllib.parse import quote

from nbformat import NotebookNode

from nbcompare._options import FOLD
from nbcompare._render import markdown

__all__ = ["end_of_summary", "in_order"]

# Tags of the cells that answer the question of a report, for which there is room on the first page
_SUMMARY = frozenset(f"nbcompare-{part}" for part in ("findings", "beside", "legend"))
_HEADING = re.compile(r"(#{1,5}) +(?P<text>[^\n]*)")
_CHAPTER = re.compile(r"##? ")
_APPENDIX = re.compile(r"(?:.*-)?appendix(?![a-z])")
_SCORES = re.compile(r"data(?![a-z])\w*-scores(-code)?(-\d+)?")  # which a page shows unfolded


def in_order(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Return the cells of a notebook in the order of print.

    Parameters
    ----------
    cells : sequence of NotebookNode
        The cells, which have not been rendered yet.

    Returns
    -------
    list of NotebookNode
        The same cells and new ones: links to what has been moved to the end of the next appendix,
        and headings for it. Without an appendix, the same cells in the same order.
    """
    moved: list[NotebookNode] = []
    found: list[NotebookNode] = []
    used: dict[str, int] = {}
    rest = list(_appendices(cells))
    for text, run in groupby(enumerate(cells), key=lambda item: _text(item[1])):
        numbers, some = zip(*run, strict=True)
        if rest and text and numbers[-1] < rest[0][0]:
            found.append(_link(text, some[0], used))
            moved += _appended(text, some)
            continue
        for number, cell in zip(numbers, some, strict=True):
            found.append(cell)
            if rest and number == rest[0][1]:
                rest.pop(0)
                found += moved
                moved = []
    return found


def end_of_summary(cells: Sequence[NotebookNode]) -> int | None:
    """Return the position of the last cell of the findings; None if a report does not begin so."""
    tagged = [n for n, cell in enumerate(cells) if _SUMMARY & {*cell.metadata.get("tags", ())}]
    if not tagged:
        return None
    before = [cell for cell in cells[: tagged[0]] if cell.cell_type == "markdown"]
    return tagged[-1] if sum(bool(_CHAPTER.match(cell.source)) for cell in before) < 3 else None


def _appendices(cells: Sequence[NotebookNode]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last position of each appendix."""
    for number, cell in enumerate(cells):
        if _APPENDIX.match(_identity(cell)) and not _fold(cell) and _CHAPTER.match(cell.source):
            last = number
            while last + 1 < len(cells) and _fold(cells[last + 1]):
                last += 1
            if last > number:
                yield number, last


def _appended(text: str, cells: Sequence[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield cells below a heading of their own."""
    first = cells[0]
    if not _HEADING.match(first.source) or _fold(first):
        yield _cell(f"### {markdown.escape(text)}", f"{_identity(first)}-heading"[-64:])
    for cell in cells:
        if cell.cell_type == "markdown" and _fold(cell) and _HEADING.match(cell.source):
            cell = NotebookNode({**cell, "source": f"#{cell.source}"})
        yield cell


def _link(text: str, first: NotebookNode, used: dict[str, int]) -> NotebookNode:
    """Return a cell that links to the heading below which cells were moved."""
    anchor = quote(text.replace(" ", "-"), safe="?/:@!$&'()*+,;=")
    used[anchor] = used.get(anchor, 0) + 1
    again = f"-{used[anchor]}" if used[anchor] > 1 else ""
    source = f"In the appendix: [{markdown.escape(text)}](#{anchor}{again})."
    return _cell(source, f"{_identity(first)}-link"[-64:])


def _cell(source: str, name: str) -> NotebookNode:
    cell = {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}
    return NotebookNode({**cell, "metadata": NotebookNode()})


def _text(cell: NotebookNode) -> str:
    """Return what a cell that belongs into an appendix is about; empty for other cells."""
    return _fold(cell) or ("Scores" if _SCORES.fullmatch(_identity(cell)) else "")


def _fold(cell: NotebookNode) -> str:
    text = cell.metadata.get(FOLD)
    return text if isinstance(text, str) else ""


def _identity(cell: NotebookNode) -> str:
    return str(cell.get("id", ""))
