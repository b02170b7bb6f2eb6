"""The outline of a report before it is run: its headings, text and code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nbcompare._options import SECTIONS
from nbcompare._render import Column, Part, Prose, Table, html, plural
from nbcompare.report.page.headings import plain
from nbcompare.report.report import Report, notebook_in, title_of

Cell = tuple[str, str, str]  # identity, "markdown" or "code", source
_MOST_LINES = 8  # of code that holds data


def cells_of(report: Report) -> tuple[Cell, ...]:
    """Return the cells of a report; data are not written to files beside it."""
    notebook = notebook_in(report, Path())
    return tuple((cell.id, cell.cell_type, cell.source) for cell in notebook.cells)


class OutlineSection(NamedTuple):
    """A section of the report: its heading as plain text, and its cells."""

    name: str
    heading: str
    cells: tuple[Cell, ...]


def chapters(cells: Sequence[Cell], names: Sequence[str]) -> Iterator[OutlineSection]:
    """Yield the cells by section, without the title and the import before the first."""
    starts = [place for place, (identity, _, _) in enumerate(cells) if identity in set(names)]
    for start, end in zip(starts, [*starts[1:], len(cells)], strict=True):
        identity, _, source = cells[start]
        first = next(iter(source.strip().splitlines()), "")
        yield OutlineSection(identity, plain(_markdown(first)), tuple(cells[start:end]))


def shown(report: Report, told: Sequence[OutlineSection]) -> str:
    """Return the outline as HTML that can be scrolled by keyboard."""
    head = [f'<p class="nbcompare-report-title">{html.escape(title_of(report))}</p>']
    authors = ", ".join(report.authors)
    line = " · ".join(str(text) for text in (authors, report.date) if text)
    if line:
        head.append(f"<p>{html.escape(line)}</p>")
    if report.abstract:
        head.append(_markdown(report.abstract))
    body = "".join(_chapter(number, chapter) for number, chapter in enumerate(told, start=1))
    return (
        '<div class="nbcompare-outline jp-RenderedHTMLCommon" role="region" tabindex="0" '
        f'aria-label="Outline of the report">{"".join(head)}{body}</div>'
    )


def _chapter(number: int, chapter: OutlineSection) -> str:
    cells = []
    for place, (_, kind, source) in enumerate(chapter.cells):
        if kind == "markdown":
            cells.append(_markdown(source))
        else:
            code = html.escape(_cut(source))
            name = f"Code of section {number}, cell {place + 1}"
            cells.append(f'<pre role="group" aria-label="{name}"><code>{code}</code></pre>')
    return f"<section>{''.join(cells)}</section>"


def _markdown(source: str) -> str:
    """Return Markdown as HTML, as in the page of the report."""
    # a second, with all that nbconvert imports
    from nbconvert.filters.markdown_mistune import MarkdownWithMath

    from nbcompare.report.page.markdown import MarkdownRenderer

    rendered: str = MarkdownWithMath(renderer=MarkdownRenderer(escape=False)).render(source)
    return rendered


def _cut(code: str) -> str:
    """Return code without the middle of long data, which nobody reads here."""
    lines = code.splitlines()
    if len(lines) <= 2 * _MOST_LINES:
        return code
    hidden = len(lines) - 2 * _MOST_LINES
    middle = [f"… {plural(hidden, 'more line')}"]
    return "\n".join([*lines[:_MOST_LINES], *middle, *lines[-_MOST_LINES:]])


class Summary:
    """The outline as parts, which every kind of notebook can show."""

    def __init__(self, report: Report, told: Sequence[OutlineSection]) -> None:
        self._report, self._told = report, told

    def _parts(self) -> list[Part]:
        report = self._report
        by = f", by {' and '.join(report.authors)}" if report.authors else ""
        sentences = (
            f"Report “{title_of(report)}”{by}, with {plural(len(self._told), 'section')}.",
            "The report is computed when it is exported.",
        )
        columns = (Column("No.", number=True), Column("Section"), Column("Content"))
        rows = tuple(
            (str(number), chapter.heading, SECTIONS.get(chapter.name, "the authors' own text"))
            for number, chapter in enumerate(self._told, start=1)
        )
        return [Prose(sentences), Table(columns, rows)]
