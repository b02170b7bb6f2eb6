"""Form in which a figure travels to a page: an SVG, and what its parts stand for.

The record is JSON:

- ``svg`` is what Matplotlib writes, with text as text. An element with the id ``mark-3`` is about
  the mark at position 3; several may have the same.
- ``names`` are the algorithms that the figure shows.
- ``marks`` are what it says of them: ``title`` is a sentence, ``of`` the positions of the names
  that it is about, ``pair`` is true if a table of pairs has a row for it, and ``dataset`` is the
  data set that it is about, if it is about one.

Anybody may write a notebook: a page takes nothing over but elements and attributes that draw.
"""

from __future__ import annotations

__all__ = ["DRAWING"]

DRAWING = "application/vnd.nbcompare.drawing.v2+json"
