"""Tables of documents: Markdown, LaTeX and web pages.

The parser of the standard library reads HTML, since that of pandas needs further packages and makes
numbers of labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import takewhile

from nbcompare._tables import check_header, check_width
from nbcompare._validation import DataError, shown
from nbcompare.formats.given import Given, Imported

LONGEST = 2**24  # characters of a document, and cells of its table


def read_grid(given: Given, rows: Sequence[Sequence[str]], n_header: int) -> Imported:
    """Return the table of rows of cells; names in several rows of the header are joined."""
    width = len(rows[0]) if rows else 0
    check_width(width, given.name)
    if sum(map(len, rows)) > LONGEST:
        raise DataError(f"{given.name} has a table of more than {LONGEST:,} cells.")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != width:
            raise DataError(
                f"{given.name}, row {number} of the table has {len(row)} cells for the {width} of "
                f"its header; got {shown(' | '.join(row))}."
            )
    heads = zip(*rows[:n_header], strict=True)
    names = [" / ".join(dict.fromkeys(filter(None, parts))) for parts in heads]
    told = ("header", f"Names in {n_header} rows of the header were joined.")
    if not rows[n_header:]:
        raise DataError(f"{given.name} must hold a table with a header and a row below it.")
    columns = zip(*rows[n_header:], strict=True)
    table = given.from_columns(dict(zip(check_header(names, given.name), columns, strict=True)))
    return Imported(table, {}, (told,) if n_header > 1 else ())


def _refuse_wide(source: str, text: str) -> DataError:
    """Return the error about a cell that goes over several rows or columns."""
    return DataError(
        f"{source} has a cell over several rows or columns, {shown(text)}. Write its text in each "
        "of them, and take out rows that are titles."
    )


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


def _cells_of(line: str) -> list[str]:
    cells = _BAR.split(line.strip().removeprefix("|"))
    if len(cells) > 1 and not cells[-1]:  # behind the bar at the end
        cells.pop()
    return list(map(_plain, cells))


def _plain(cell: str) -> str:
    """Return the text without marks of emphasis around all of it, and without escape marks."""
    text = cell.strip()
    while marked := _MARKED.fullmatch(text):
        text = marked[2].strip()
    return _ESCAPED_MARKDOWN.sub(r"\1", text)


# -------------------------------------------------- A tabular of LaTeX, alone or among other text

_COMMENT = re.compile(r"(?<!\\)%.*")
_BEGIN = re.compile(r"\\begin\{(tabular[xy]?\*?)\}")
_ARGUMENT = r"\s*(?:\[[^\]]*\])?\s*\{(?:[^{}]|\{[^{}]*\})*\}"  # a width, or the columns
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
    arguments = re.match(_ARGUMENT if kind == "tabular" else _ARGUMENT * 2, body)
    if arguments is None:
        raise DataError(f"{given.name} must say the columns of its tabular, such as {{lrr}}.")
    rows: list[list[str]] = []
    n_header = 0
    for line in _END_OF_ROW.split(body[arguments.end() :]):
        rules = _RULES.match(line)
        n_rules = rules.end() if rules else 0
        if rows and not n_header and _BELOW_HEADER.search(line[:n_rules]):
            n_header = len(rows)
        if line[n_rules:]:
            rows.append([_text_of(cell.strip(), given.name) for cell in _AND.split(line[n_rules:])])
    return read_grid(given, rows, n_header or 1)


def _text_of(cell: str, source: str) -> str:
    """Return the text of a cell, without marks around it."""
    if cell.startswith((r"\multicolumn", r"\multirow")):
        raise _refuse_wide(source, cell)
    for _ in range(_MOST_MARKS):
        cell = _MARK.sub(r"\1", cell)
    plain = _ESCAPED.sub(r"\1", _IDLE.sub("", cell).replace("~", " ")).strip()
    return "" if plain in ("--", "---") else plain


# -------------------------------------------------------------------------- A table of a web page

_CELL_TAGS = ("td", "th")
_NO_TAG = re.compile(r"<(?!/?[a-zA-Z][^<>]*>)")  # over many of them the parser takes hours


def read_html(given: Given) -> Imported:
    """Return the only table; its header are the first rows that have no other cells than th."""
    first, *others = given.content(most=LONGEST).split("<!--")
    content = first + "".join(part.partition("-->")[2] for part in others)
    page = _Page(given.name)
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

    def __init__(self, source: str) -> None:
        super().__init__()
        self.n_tables = 0
        self.rows: list[tuple[list[str], bool]] = []
        self._source = source
        self._text: list[str] | None = None  # of the cell that is open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in (*_CELL_TAGS, "tr", "table"):
            self._end_cell()
        self.n_tables += tag == "table"
        if tag == "tr" or (tag in _CELL_TAGS and not self.rows):
            self.rows.append(([], True))
        if tag in _CELL_TAGS:
            if any(name in ("colspan", "rowspan") and value != "1" for name, value in attrs):
                raise _refuse_wide(self._source, self.get_starttag_text() or "")
            self._text = []
            self.rows[-1] = (self.rows[-1][0], self.rows[-1][1] and tag == "th")
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in (*_CELL_TAGS, "tr", "table"):
            self._end_cell()

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def _end_cell(self) -> None:
        if self._text is not None:
            self.rows[-1][0].append("".join(self._text).strip())
            self._text = None
