"""Tables that were copied from elsewhere as text: Markdown, LaTeX, or cells of a spreadsheet."""

from __future__ import annotations

import csv
import io
import re

_RULE = re.compile(r"[\s|:+=-]*-[\s|:+=-]*")  # of Markdown, between its heads and its rows
_BAR, _CELL = re.compile(r"(?<!\\)\|"), re.compile(r"(?<!\\)&")  # between cells, of either kind
# What of LaTeX is no cell: rules, and the lines around the rows
_LATEX = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\}|cmidrule(?:\([^)]*\))?\{[^}]*\}"
    r"|begin\{[^}]*\}(?:\[[^]]*\])?(?:\{(?:[^{}]|\{[^{}]*\})*\})?|end\{[^}]*\})"
)


def text_of_pasted(text: str) -> str:
    r"""Return text as cells that are separated by tabs or as they were.

    The rows of a Markdown table are those with a bar, those of LaTeX end in two backslashes; both
    become cells with tabs between them. Everything else is left alone.

    Examples
    --------
    >>> text_of_pasted("| data | A |\n|---|---|\n| iris | 0.9 |")
    'data\tA\niris\t0.9\n'
    >>> text_of_pasted(r"data & A \\ \midrule iris & 0.9 \\")
    'data\tA\niris\t0.9\n'
    >>> text_of_pasted("|| A |\n|---|---|\n| iris | |")  # a cell may be empty
    '\tA\niris\t\n'
    >>> text_of_pasted("data,A\niris,0.9")
    'data,A\niris,0.9'
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    if lines and all("|" in line for line in lines if line):
        inner = [line.removeprefix("|") for line in lines if line and not _RULE.fullmatch(line)]
        rows = [
            [cell.replace(r"\|", "|") for cell in _BAR.split(line.removesuffix("|"))]
            for line in inner
        ]
    elif _CELL.search(text) and r"\\" in text:
        body = _LATEX.sub(" ", text)
        rows = [_CELL.split(row) for row in body.split(r"\\") if _CELL.search(row)]
    else:
        return text
    written = io.StringIO()
    writer = csv.writer(written, delimiter="\t", lineterminator="\n")
    writer.writerows([cell.strip() for cell in row] for row in rows)
    return written.getvalue()
