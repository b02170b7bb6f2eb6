"""Form in which a figure travels to a page: shapes and texts, and what each of them stands for.

A page writes the figure anew from this record, with text as text. It takes nothing over as it is,
as anybody may write a notebook: every value is checked against this form.

The record is JSON, with lengths in points and y pointing down:

- ``form`` is 1; ``size`` is the width and the height.
- ``names`` are the algorithms that the figure shows.
- ``marks`` are what it says of them: ``title`` is a sentence, ``of`` the positions of the names
  that it is about, ``pair`` is true if a table of pairs has a row for it, and ``dataset`` is the
  data set that it is about, if it is about one.
- ``fonts`` have ``families`` in order of preference, ``bold`` and ``italic``.
- ``symbols`` are paths around the origin, which shapes repeat.
- ``clips`` are rectangles: x, y, width, height. ``hatches`` have the path ``d`` of a tile of 72 by
  72 points, its ``color`` and the ``width`` of its lines.
- ``shapes`` are drawn in order. A path has ``d``, or a ``symbol`` and where it is ``at``;
  and where they are not empty ``fill``,
  ``fill_opacity``, ``line``, ``line_opacity``, ``width``, ``dash``, ``cap``, ``join``, ``clip`` and
  ``hatch``. A text has ``lines``, each with x, y and the text, and ``anchor``, ``angle`` in
  degrees clockwise, ``size``, ``font``, ``color`` and ``opacity``. Both may have a ``mark``.
"""

from __future__ import annotations

__all__ = ["DRAWING", "DRAWING_FORM", "HATCH_TILE"]

DRAWING = "application/vnd.nbcompare.drawing.v1+json"
DRAWING_FORM = 1
HATCH_TILE = 72
