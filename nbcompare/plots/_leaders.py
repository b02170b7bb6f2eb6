"""Names at the ends of curves, with lines that lead to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox, IdentityTransform

LEADER = 14.0  # points between the end of a curve and its name


class Leaders(LineCollection):
    """Lines from ends of curves to names, which move apart for the limits that the axes have."""

    def __init__(
        self, labels: Sequence[Annotation], colors: Sequence[Any], marks: Sequence[Line2D] = ()
    ) -> None:
        super().__init__([], colors=list(colors), linewidths=0.7, transform=IdentityTransform())
        self.labels, self.marks = labels, marks
        self.set_zorder(-10)  # drawn before the labels
        self.set_clip_on(False)  # else the layout passes over it

    def get_tightbbox(self, renderer: Any = None) -> Bbox:
        """Return the room that the labels take beside the axes, for the layout."""
        ax = cast("Axes", self.axes)
        extents = self._extents(renderer)
        places = ax.transData.transform([label.xy for label in self.labels])[:, 0]
        ends = np.minimum(places, ax.bbox.x1).tolist()
        right = max(
            end + LEADER * self._point + extent.width
            for end, extent in zip(ends, extents, strict=True)
        )
        middle = (ax.bbox.y0 + ax.bbox.y1) / 2
        return Bbox.from_extents(max(ends), middle, right, middle + 1)

    get_window_extent = get_tightbbox

    def _extents(self, renderer: Any) -> list[Bbox]:
        """Return the boxes of the labels, without the lines that lead to them."""
        return [Text.get_window_extent(label, renderer) for label in self.labels]

    @property
    def _point(self) -> float:
        """A point in pixels."""
        return cast("Figure", cast("Axes", self.axes).get_figure(root=True)).dpi / 72

    def draw(self, renderer: Any) -> None:
        ax = cast("Axes", self.axes)
        points = self._point
        true_xs, ends = ax.transData.transform([label.xy for label in self.labels]).T
        xs = np.minimum(true_xs, ax.bbox.x1)  # the names stay beside axes that a reader cuts
        sizes = [extent.height + points for extent in self._extents(renderer)]
        box = ax.bbox
        # never higher or lower than the axes, if all have room there
        spare = max(0.0, sum(sizes) - box.height) / 2
        places = spread(list(ends), sizes, (box.y0 - spare, box.y1 + spare))
        for label, back, end, place in zip(self.labels, xs - true_xs, ends, places, strict=True):
            label.set_position((LEADER + back / points, (place - end) / points))
        gap = (LEADER - (7 if self.marks else 2)) * points
        for mark, x, at in zip(self.marks, xs, places, strict=False):
            mark.set_data([x + gap + 2.5 * points], [at])
        self.set_segments(
            [((x, y), (x + gap, at)) for x, y, at in zip(xs, ends, places, strict=True)]
        )
        super().draw(renderer)


def marker_of(line: Line2D) -> Line2D:
    """Return the marker of a line alone, to be placed in pixels."""
    mark = Line2D([], [], linestyle="none", transform=IdentityTransform(), clip_on=False)
    mark.set(color=line.get_color(), marker=line.get_marker(), markersize=line.get_markersize())
    mark.set(markerfacecolor=line.get_markerfacecolor(), in_layout=False)
    return mark


def spread(
    wanted: Sequence[float], sizes: Sequence[float], ends: tuple[float, float]
) -> list[float]:
    """Return middles near those wanted, so that items of these sizes do not overlap.

    Neighbours that would touch are moved as a group, by as little as possible.

    Examples
    --------
    >>> spread([0.5, 0.5, 0.9], [0.2, 0.2, 0.2], (0.0, 1.0))
    [0.4, 0.6, 0.9]
    """
    order = np.argsort(np.asarray(wanted, dtype=np.float64), kind="stable")
    size = np.asarray(sizes, dtype=np.float64)[order]
    before = np.concatenate([[0.0], np.cumsum(size)[:-1]])
    # middles less the room of those before them must not decrease: an isotonic regression
    groups: list[tuple[float, int]] = []
    for value in np.asarray(wanted, dtype=np.float64)[order] - before - size / 2:
        groups.append((float(value), 1))
        while len(groups) > 1 and groups[-2][0] > groups[-1][0]:
            (a, m), (b, n) = groups[-2:]
            groups[-2:] = [((a * m + b * n) / (m + n), m + n)]
    starts = np.repeat([value for value, _ in groups], [count for _, count in groups])
    starts = np.clip(starts, ends[0], max(ends[0], ends[1] - size.sum()))
    found = np.empty(len(order))
    found[order] = (starts + before + size / 2).round(9)
    return [float(value) for value in found]
