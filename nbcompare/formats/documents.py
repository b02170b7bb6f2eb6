"""Tables of documents: Markdown, LaTeX and web pages, whose cells may span others.

The parser of the standard library reads HTML, since that of pandas needs further packages and makes
numbers of labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import takewhile
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


# ------------------------------------------------- A table in Markdown, alone or among other text

_RULE_MARKS = set("|:- \t")
_BAR = re.compile(r"(?<!\\)\|")
_MARKED = re.compile(r"(\*{1,3}|_{1,3}|`|~~)(.*\S)\1")
_ESCAPED_MARKDOWN = re.compile(r"\\([!-/:-@\[-`{-~])")


def read_markdown(given: Given) -> Imported:
    """Return the only table."""
    lines = given.content(most=LONGEST).splitlines()
    rules = [
        number
        for number, line in enumerate(lines)
        if number and {"|", "-"} <= {*line} <= _RULE_MARKS and "|" in lines[number - 1]
    ]
    if len(rules) != 1:
        raise DataError(f"{given.name} must hold one table in Markdown; got {len(rules)}.")
    below = takewhile(lambda line: "|" in line, lines[rules[0] + 1 :])
    rows = [_cells_of(line) for line in (lines[rules[0] - 1], *below)]
    return read_grid(given, rows, 1)


def _cells_of(line: str) -> list[Cell]:
    cells = _BAR.split(line.strip().removeprefix("|"))
    if len(cells) > 1 and not cells[-1]:  # behind the bar at the end
        cells.pop()
    return [Cell(_plain(cell)) for cell in cells]


def _plain(cell: str) -> str:
    """Return the text without marks of emphasis around all of it, and without escape marks."""
    text = cell.strip()
    while marked := _MARKED.fullmatch(text):
        text = marked[2].strip()
    return _ESCAPED_MARKDOWN.sub(r"\1", text)


# -------------------------------------------------- A tabular of LaTeX, alone or among other text

_COMMENT = re.compile(r"(?<!\\)%.*")
_BEGIN = re.compile(r"\\begin\{(tabular[xy]?\*?)\}")
_END_OF_ROW = re.compile(r"\\\\\*?(?:\s*\[[^\]\n]{0,40}\])?|\\tabularnewline")
_RULES = re.compile(
    r"(?:\s|\\(?:(?:hline|toprule|midrule|bottomrule|addlinespace)(?:\[[^\]]*\])?"
    r"|(?:cmidrule|cline)(?:\[[^\]]*\])?(?:\([^)]*\))?\{[^}]*\}))*"
)
_BELOW_HEADER = re.compile(r"\\(?:hline|midrule)")
_AND = re.compile(r"(?<!\\)&")
_MARK = re.compile(
    r"\\(?:text(?:bf|it|sf|tt|sc|rm)|emph|underline|math(?:bf|rm|it)|bm|boldsymbol)\{([^{}]*)\}"
)
_MOST_MARKS = 10  # one in another
_IDLE = re.compile(r"(?<!\\)[{}$]|\\(?:bfseries|bf|itshape|it|em)(?![a-zA-Z])\s*")
_ESCAPED = re.compile(r"\\([%&_#${}])")


def read_latex(given: Given) -> Imported:
    """Return the only tabular; rules above the first row and below the header are no rows."""
    content = _COMMENT.sub("", given.content(most=LONGEST))
    begins = list(_BEGIN.finditer(content))
    kind = begins[0][1] if begins else "tabular"
    body, end, _ = content[begins[0].end() if begins else 0 :].partition(rf"\end{{{kind}}}")
    if len(begins) != 1 or not end:
        raise DataError(f"{given.name} must hold one whole tabular; got {len(begins)} that begin.")
    _, body = _arguments(body, 1 if kind == "tabular" else 2, given.name)
    rows: list[list[Cell]] = []
    n_header = 0
    for line in _END_OF_ROW.split(body):
        rules = _RULES.match(line)
        n_rules = rules.end() if rules else 0
        if rows and not n_header and _BELOW_HEADER.search(line[:n_rules]):
            n_header = len(rows)
        if line[n_rules:]:
            rows.append([_cell_of(cell.strip(), given.name) for cell in _AND.split(line[n_rules:])])
    return read_grid(given, rows, n_header or 1, is_placed=True)


def _arguments(text: str, count: int, source: str) -> tuple[list[str], str]:
    """Return the arguments at the beginning of a text, and what follows them."""
    found: list[str] = []
    while len(found) < count:
        text = text.lstrip()
        if text[:1] == "[":
            text = text.partition("]")[2]
        elif text[:1] != "{":
            found.append(text[:1])
            text = text[1:]
            if not found[-1]:
                raise DataError(f"{source} ends within a command of LaTeX.")
        else:
            depth = 0
            for brace in re.finditer(r"\\.|[{}]", text):
                depth += {"{": 1, "}": -1}.get(brace[0], 0)
                if not depth:
                    break
            else:
                raise DataError(f"{source} has an open brace in {shown(text)}.")
            found.append(text[1 : brace.start()])
            text = text[brace.end() :]
    return found, text


def _cell_of(text: str, source: str) -> Cell:
    spans = {r"\multicolumn": 1, r"\multirow": 1}
    for command in spans:
        if text.startswith(command):
            (number, _, text), _ = _arguments(text.removeprefix(command), 3, source)
            if not re.fullmatch(r"[1-9]\d{0,3}", number):
                raise DataError(f"{source}: {command} must have a number; got {shown(number)}.")
            spans[command] = int(number)
    for _ in range(_MOST_MARKS):
        text = _MARK.sub(r"\1", text)
    plain = _ESCAPED.sub(r"\1", _IDLE.sub("", text).replace("~", " ")).strip()
    return Cell("" if plain in ("--", "---") else plain, *spans.values())


# -------------------------------------------------------------------------- A table of a web page

_CELL_TAGS = ("td", "th")
_NO_TAG = re.compile(r"<(?!/?[a-zA-Z][^<>]*>)")  # over many of them the parser takes hours


def read_html(given: Given) -> Imported:
    """Return the only table; its header are the first rows that have no other cells than th."""
    first, *others = given.content(most=LONGEST).split("<!--")
    content = first + "".join(part.partition("-->")[2] for part in others)
    page = _Page()
    page.feed(_NO_TAG.sub("&lt;", content))
    page.close()
    page.handle_endtag("table")  # which may be missing
    if page.n_tables != 1:
        raise DataError(f"{given.name} must hold one table in HTML; got {page.n_tables}.")
    rows = [(cells, is_header) for cells, is_header in page.rows if cells]
    n_header = sum(1 for _ in takewhile(lambda row: row[1], rows))
    return read_grid(given, [cells for cells, _ in rows], n_header or 1)


class _Page(HTMLParser):
    """The rows of all tables, and whether each has no other cells than those of a header."""

    def __init__(self) -> None:
        super().__init__()
        self.n_tables = 0
        self.rows: list[tuple[list[Cell], bool]] = []
        self._cell: Cell | None = None
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in (*_CELL_TAGS, "tr", "table"):
            self._end_cell()
        self.n_tables += tag == "table"
        if tag == "tr" or (tag in _CELL_TAGS and not self.rows):
            self.rows.append(([], True))
        if tag in _CELL_TAGS:
            spans = {name: value for name, value in attrs if value and value.isdecimal()}
            columns, rows = (int(spans.get(name, "1")[:6]) or 1 for name in ("colspan", "rowspan"))
            self._cell = Cell("", columns, rows)
            self.rows[-1] = (self.rows[-1][0], self.rows[-1][1] and tag == "th")
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in (*_CELL_TAGS, "tr", "table"):
            self._end_cell()

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._text.append(data)

    def _end_cell(self) -> None:
        if self._cell is not None:
            self.rows[-1][0].append(self._cell._replace(text="".join(self._text).strip()))
            self._cell, self._text = None, []
