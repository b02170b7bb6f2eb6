"""Two axes with ticks and a grid, and bands around curves, at a given position of the canvas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist

from nbcompare._arrays import FloatArray
from nbcompare.plots._labels import LINE, SMALL_SIZE
from nbcompare.plots._plot import Canvas, text_width
from nbcompare.plots._style import PAD, TICK


class Box(NamedTuple):
    """Where the axes are; the lower one is drawn on the floor, at or below the bottom."""

    left: float
    right: float
    top: float
    bottom: float
    floor: float


def draw_axes(
    canvas: Canvas,
    box: Box,
    across: Iterable[tuple[float, str]],
    upright: Iterable[tuple[float | None, str]],
) -> list[Artist]:
    """Draw both axes, their ticks, a grid of lines across, and labels that do not overlap.

    Parameters
    ----------
    canvas : Canvas
        What is drawn on.
    box : Box
        Where.
    across, upright : iterable of (float, str)
        Positions of the ticks from 0 to 1 along the axes, and their labels; a position of None is
        the floor.
    """
    left, right, top, bottom, floor = box
    artists = [
        canvas.line((left, left), (top, floor), 0.8),
        canvas.line((left, right), (floor, floor), 0.8),
    ]
    for share, text in upright:
        y = floor if share is None else bottom - (bottom - top) * share
        artists.append(canvas.line((left, right), (y, y), 0.4, color="0.9", zorder=0))
        artists.append(canvas.line((left - TICK, left), (y, y), 0.8))
        artists.append(canvas.text(left - TICK - 0.03, y, text, SMALL_SIZE, ha="right"))
    taken = -np.inf  # right end of the last label drawn
    for share, text in across:
        x, half = left + (right - left) * share, text_width(text, SMALL_SIZE) / 2
        artists.append(canvas.line((x, x), (floor, floor + TICK), 0.8))
        if x - half > taken:
            y = floor + TICK + LINE / 2
            artists.append(canvas.text(x, y, text, SMALL_SIZE, ha="center"))
            taken = x + half + PAD
    return artists


def draw_band(
    canvas: Canvas, x: FloatArray, low: FloatArray, high: FloatArray, color: str, alpha: float
) -> Artist:
    """Draw the area between two curves over the same positions."""
    outline = [*zip(x, low, strict=True), *zip(x[::-1], high[::-1], strict=True)]
    return canvas.polygon(outline, 0.0, alpha=alpha, zorder=1.5, facecolor=color, edgecolor="none")
