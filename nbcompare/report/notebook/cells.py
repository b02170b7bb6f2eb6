"""Sections to the cells of a notebook, each variable made where it is first needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from nbcompare._display import current
from nbcompare._render import markdown
from nbcompare.report.notebook.plan import Plan, Section

if TYPE_CHECKING:
    from nbformat import NotebookNode

_LONGEST_ID = 64  # characters, by the format of notebooks


def notebook_of(
    sections: Iterable[Section],
    plan: Plan,
    metadata: Mapping[str, Any],
    folder: Path,
    beside: Mapping[str, Path],
) -> NotebookNode:
    """Lay out a notebook that has not been run.

    Parameters
    ----------
    sections : iterable of Section
        In the order of the report.
    plan : Plan
        The variables that they need.
    metadata : mapping
        With a title.
    folder : Path
        Where the notebook will stand: paths to data are written as seen from there.
    beside : mapping of str to Path
        Where data that stand beside the notebook are for now, by variable.
    """
    from nbformat import v4

    identity = _Identities()
    cells = [
        v4.new_markdown_cell(f"# {markdown.escape(metadata['title'])}", id=identity.new("title")),
        v4.new_code_cell(
            "\n".join(filter(None, ["import nbcompare as nbc", current().code])),
            id=identity.new("import"),
        ),
    ]
    there: set[str] = set()
    for section in sections:
        heading = f"{'#' * section.level} {section.heading}" if section.heading else ""
        prose = f"{heading}\n\n{section.text}".strip()
        cells.append(v4.new_markdown_cell(prose, id=identity.new(section.identity)))
        if section.code:
            made = [
                line for name in section.needs for line in _made(name, plan, there, folder, beside)
            ]
            code = "\n".join([*made, section.code])
            cells.append(v4.new_code_cell(code, id=identity.new(f"{section.identity}-code")))
    notebook = v4.new_notebook(cells=cells)
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        **metadata,
    }
    return cast("NotebookNode", notebook)


def _made(
    variable: str, plan: Plan, there: set[str], folder: Path, beside: Mapping[str, Path]
) -> Iterator[str]:
    """Statements that bind a variable, and those it is made of, unless they are bound."""
    if variable in there:
        return
    needed, code = plan.statements(variable, folder, beside)
    for name in needed:
        yield from _made(name, plan, there, folder, beside)
    there.add(variable)
    yield code


class _Identities:
    """Identities of cells: each once, of the characters that notebooks allow."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def new(self, wish: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_-]", "-", wish)[: _LONGEST_ID - 4] or "cell"
        name, number = plain, 1
        while name in self._given:
            number += 1
            name = f"{plain}-{number}"
        self._given.add(name)
        return name
