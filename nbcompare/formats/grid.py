"""Tables for the eye, as Markdown, LaTeX and HTML have them: cells that may span others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nbcompare._tables import check_header, check_width
from nbcompare._validation import DataError, listed, shown
from nbcompare.formats.given import Given, Imported

LONGEST = 2**24  # characters of a document, and cells of its table


class Cell(NamedTuple):
    """The text of a cell, and over how many columns and rows it goes."""

    text: str
    columns: int = 1
    rows: int = 1


def read_grid(
    given: Given, rows: Sequence[Sequence[Cell]], n_header: int, *, is_placed: bool = False
) -> Imported:
    """Return the table of rows of cells; names in several rows of the header are joined.

    ``is_placed`` says that a cell over several rows leaves an empty cell in those below it.
    """
    grid = _spread(given.name, rows, is_placed)
    width = len(grid[0]) if grid else 0
    for number, row in enumerate(grid[1:], start=2):
        if len(row) != width:
            raise DataError(
                f"{given.name}, row {number} of the table has {len(row)} cells for the {width} of "
                f"its header; got {shown(' | '.join(row))}."
            )
    # a cell over the whole width is the title of the rows below it
    titles = {i for i, row in enumerate(rows) if i >= n_header and row[0].columns == width > 1}
    below = [row for i, row in enumerate(grid) if i >= n_header and i not in titles]
    heads = zip(*grid[:n_header], strict=True)
    names = [" / ".join(dict.fromkeys(filter(None, parts))) for parts in heads]
    notes: list[tuple[str, str]] = []
    if n_header > 1:
        notes.append(("header", f"Names in {n_header} rows of the header were joined."))
    if titles:
        told = listed([grid[i][0] for i in sorted(titles)])
        notes.append(("left-out", f"Rows with one cell over all columns were left out: {told}."))
    if not below:
        raise DataError(f"{given.name} must hold a table with a header and a row below it.")
    columns = dict(zip(check_header(names, given.name), zip(*below, strict=True), strict=True))
    return Imported(given.from_columns(columns), {}, tuple(notes))


def _spread(source: str, rows: Sequence[Sequence[Cell]], is_placed: bool) -> list[list[str]]:
    """Return rows with the text of a cell in all places over which it goes."""
    grid: list[list[str]] = []
    n_cells = 0
    above: dict[int, Cell] = {}  # by column
    for row in rows:
        line: list[str] = []
        cells = iter(row)
        while True:
            cell = above.pop(len(line), None)
            if cell is None or (is_placed and (there := next(cells, None)) and there.text):
                cell = next(cells, None) if cell is None else there
            if cell is None:
                break
            n_cells += cell.columns
            check_width(len(line) + cell.columns, source)
            if n_cells > LONGEST:
                raise DataError(f"{source} has a table of more than {LONGEST:,} cells.")
            for _ in range(cell.columns):
                if cell.rows > 1:
                    above[len(line)] = Cell(cell.text, 1, cell.rows - 1)
                line.append(cell.text)
        grid.append(line)
    return grid
