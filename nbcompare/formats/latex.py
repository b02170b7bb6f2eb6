r"""A tabular of LaTeX, alone or among other text."""

from __future__ import annotations

import re

from nbcompare._validation import DataError, shown
from nbcompare.formats.given import Given, Imported
from nbcompare.formats.grid import LONGEST, Cell, read_grid

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


def read(given: Given) -> Imported:
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
            rows.append([_cell(cell.strip(), given.name) for cell in _AND.split(line[n_rules:])])
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


def _cell(text: str, source: str) -> Cell:
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
