"""Cells of a page that are folded together."""

from __future__ import annotations

from itertools import pairwise

from nbformat import NotebookNode

from nbcompare._options import FOLD

__all__ = ["fold"]


def fold(nb: NotebookNode) -> None:
    """Say of each cell whether a fold begins before it, and whether one ends after it.

    Parameters
    ----------
    nb : nbformat.NotebookNode
        The notebook of a page; changed in place. Cells in a row with the same text in their
        metadata are folded together, and the template writes that text where they are folded.
        Metadata of a cell that the template reads are replaced, whoever wrote them.
    """
    texts = [_text(cell) for cell in nb.cells]
    for cell, (before, here), after in zip(
        nb.cells, pairwise(["", *texts]), [*texts, ""][1:], strict=True
    ):
        cell.metadata["nbcompare_begins"] = here if here != before else ""
        cell.metadata["nbcompare_ends"] = bool(here) and here != after


def _text(cell: NotebookNode) -> str:
    found = cell.metadata.get(FOLD)
    shown = cell.cell_type != "raw" and (cell.source.strip() or cell.get("outputs"))
    return found if isinstance(found, str) and shown else ""
