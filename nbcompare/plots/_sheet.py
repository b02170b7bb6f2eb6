"""The sheet of a figure: Matplotlib's axes to draw on, its caption and legend, and its parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from inspect import signature
from itertools import chain
from typing import Any, ParamSpec, cast

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.text import Annotation, Text
from matplotlib.transforms import ScaledTranslation

from nbcompare._commands import ANALYSES, analysis_of_class
from nbcompare._validation import shown
from nbcompare.experiment import is_frame
from nbcompare.plots._plot import LEAST_INCHES, MOST_INCHES, Mark, Plot, marked, marks_of, settings
from nbcompare.plots._text import (
    font_size,
    in_lines,
    in_order,
    line_height,
    listed,
    text_width,
    with_fallbacks,
    wrapped,
)
from nbcompare.results import Labelled
from nbcompare.results.within import WithinComparison

# Of what is significant or stands out: lines and marks, areas, and the ground behind these
ACCENT, LIGHT, TINT = "#0b5fa5", "#a9cfe8", "#e8f1fa"
FULL = 7.16  # inches of a double column, which no figure exceeds by itself
_PAD = 0.04
_SHARE = 0.8  # of the size of fonts that Matplotlib is set to: 8 points
_LEGEND = {
    "legend.frameon": False,
    "legend.handlelength": 1.4,
    "legend.handletextpad": 0.5,
    "legend.columnspacing": 0.9,
    "legend.borderaxespad": 0.2,
    "legend.borderpad": 0.2,
}
_ROOMY = 3.0  # more inches than ticks and their names take, before they are measured

# Width in inches for which a figure is drawn again; None for its own
_ROOM: ContextVar[float | None] = ContextVar("room", default=None)

_P = ParamSpec("_P")


def figure(*kinds: type) -> Callable[[Callable[_P, Plot]], Callable[_P, Plot]]:
    """Let a function draw in one style, for any width, and only what is of these classes."""

    def with_widths(draw: Callable[_P, Plot]) -> Callable[_P, Plot]:
        first = next(iter(signature(draw).parameters))

        @wraps(draw)
        def drawn(*args: _P.args, **options: _P.kwargs) -> Plot:
            if kinds and (args or first in options):
                check_result(args[0] if args else options[first], draw.__name__, *kinds)
            with settings(_style()):
                plot = draw(*args, **options)

            def at_width(inches: float) -> Plot:
                token = _ROOM.set(max(inches, LEAST_INCHES))
                try:
                    return drawn(*args, **options)
                finally:
                    _ROOM.reset(token)

            return replace(plot, narrower=at_width) if plot.shown else plot

        return drawn

    return with_widths


def _style() -> dict[str, Any]:
    """Return the settings of Matplotlib for all figures: texts of one size, close legends."""
    size = _SHARE * float(mpl.rcParams["font.size"])
    names = ("font", "axes.title", "axes.label", "figure.title", "legend.font")
    sizes = {f"{name}{'.' * (name == 'font')}size": size for name in names}
    return sizes | _LEGEND


def check_result(value: object, figure: str, *kinds: type) -> None:
    """Raise an error that says which function gives what a figure shows, unless it is that."""
    if isinstance(value, kinds):
        return
    wanted = f"a result, of class {' or '.join(kind.__name__ for kind in kinds)}"
    name = type(value).__name__
    other = next((it.figure for it in ANALYSES if it.result == name and it.figure), "")
    drawn = f", which plots.{other} draws" if other else ""
    calls = []
    for kind in kinds:
        if kind is WithinComparison:  # which several functions return
            continue
        made_by = analysis_of_class(kind)
        arguments = () if made_by.pair_result else made_by.arguments
        names = [repr(argument) for argument in arguments]
        names += [f"{option}=..." for option in made_by.needs]
        if made_by.takes == "experiment" and is_frame(value):
            given = ["frame", *names, "direction=..."]
        else:
            given = [made_by.takes, *names]
        calls.append(f"nbc.{made_by.function}({', '.join(given)})")
    # most analyses over data sets refuse the data of such a result
    advice = "" if isinstance(value, WithinComparison) else f" Pass {' or '.join(calls)}."
    raise TypeError(f"plots.{figure} takes {wanted}; got {name}{drawn}.{advice}")


def room(width: float) -> float:
    """Return how wide a new figure is, in inches, that would be this wide by itself."""
    return _ROOM.get() or min(width, FULL)


class Sheet:
    """Axes to draw on, and the parts of the drawing by name.

    A figure of its own is as wide as asked for, at most as wide as there is room, and as high as
    its axes and texts need. Axes that were given stay as they are.

    Parameters
    ----------
    ax : Axes, iterable of Axes or None
        Where to draw; several axes for a figure of several panels.
    width : float
        Width of a new figure in inches.
    panels : int
        Number of axes.
    abreast : int
        How many of them stand in a row of a new figure.
    title : bool
        Whether :meth:`caption` writes something.
    same_rows : bool
        Whether panels of a new figure share their y axis.
    """

    def __init__(
        self,
        ax: Axes | Iterable[Axes] | None,
        *,
        width: float,
        panels: int = 1,
        abreast: int = 1,
        title: bool = True,
        same_rows: bool = False,
    ) -> None:
        self.own, self.titled, self.told = ax is None, title, list[str]()
        self.parts: dict[str, list[Artist]] = {}
        if ax is None:
            self.width = room(width)
            self.down, self.abreast = math.ceil(panels / abreast), abreast
            self.figure = Figure((self.width, 3.0), layout="constrained")
            grid = self.figure.subplots(self.down, abreast, squeeze=False, sharey=same_rows)
            self.axes: list[Axes] = list(grid.flat)[:panels]
            for empty in list(grid.flat)[panels:]:
                empty.remove()
        else:
            self.axes = _checked_axes(ax, panels)
            self.down, self.abreast = 1, panels
            figure = self.axes[0].get_figure(root=True)
            self.figure = cast("Figure", figure)
            self.width = sum(it.get_window_extent().width for it in self.axes) / self.figure.dpi
        self.ax, self.size = self.axes[0], font_size()
        for each in self.axes:
            each.tick_params(labelsize=self.size)

    # ------------------------------------------------------------------------------ parts

    def add(self, part: str, drawn: Any, about: Mark | Sequence[Mark | None] | None = None) -> Any:
        """Keep an artist, or several, as a part of the figure; return it.

        ``about`` is what a page says of it: of all, or of each item of a collection or each marker.
        """
        artists = list(drawn) if isinstance(drawn, list | tuple) else [drawn]
        self.parts.setdefault(part, []).extend(artists)
        for artist in artists:
            marked(artist, about)
            for text in artist.findobj(Text):
                text.set_parse_math(False)  # names are drawn as they stand
        return drawn

    def text(
        self,
        part: str,
        at: tuple[float, float],
        text: str,
        about: Mark | None = None,
        *,
        shift: tuple[float, float] = (0.0, 0.0),
        coords: Any = "data",
        ax: Axes | None = None,
        **style: Any,
    ) -> Annotation:
        """Write text as it stands, at a point and shifted from there by some points."""
        known: dict[str, Any] = {"va": "center", "annotation_clip": False} | style
        written = (ax or self.ax).annotate(
            text, at, xycoords=coords, xytext=shift, textcoords="offset points", **known
        )
        self.add(part, written, about)
        return written

    def names(
        self,
        part: str,
        axis: Axis,
        names: Sequence[str],
        *,
        at: Sequence[float] | None = None,
        about: Sequence[Mark | None] | None = None,
        bold: Iterable[str] = (),
        share: float = 0.36,
        **style: Any,
    ) -> list[Text]:
        """Write a name at each position of an axis, in lines of at most a share of the width."""
        strong = set(bold)
        # in order before they are set: an axis writes its labels anew when it is drawn
        lines = [in_order(wrapped(name, share * self.width, bold=name in strong)) for name in names]
        places = list(range(len(names))) if at is None else list(at)
        axis.set_ticks(places, labels=lines, **style)
        axis.set_tick_params(length=0)
        labels = axis.get_ticklabels()
        for number, (label, name) in enumerate(zip(labels, names, strict=True)):
            if name in strong:
                label.set_fontweight("bold")
            self.add(part, label, None if about is None else about[number])
        return labels

    def axis_label(self, axis: Axis, text: str, *, share: float = 0.8) -> None:
        """Name an axis; a long name is broken into lines."""
        axis.set_label_text(wrapped(text, share * self.width), fontsize=self.size)
        self.add("axis", axis.label)

    def bare(self, *sides: str, ax: Axes | None = None) -> None:
        """Take the lines of some sides of the axes away, with their ticks."""
        for each in self.axes if ax is None else [ax]:
            each.spines[list(sides)].set_visible(False)

    def panel_title(self, ax: Axes, text: str) -> None:
        """Name a panel."""
        width = 0.95 * self.width / self.abreast
        title = ax.set_title(wrapped(text, width, bold=True), fontweight="bold")
        self.add("titles", title)

    def said(self, *parts: str, ax: Axes | None = None, most: int = 20) -> str:
        """Return what some parts are about, each once, as the sentences of an alternative text."""
        artists = [artist for part in parts for artist in self.parts.get(part, ())]
        marks = [mark for it in artists if ax in (None, it.axes) for mark in marks_of(it)]
        titles = dict.fromkeys(mark.title for mark in marks if mark is not None)
        return f"{listed([*titles], '. ', most)}."

    # -------------------------------------------------------------------- caption and legend

    def caption(self, *lines: str) -> None:
        """Write lines above the drawing; one that is too long is broken, between phrases first.

        Phrases end with a comma or a semicolon. The alternative text begins with these lines.
        """
        self.told = [line for line in lines if line]
        if not self.titled:
            return
        # axes that were given become narrower by what stands beside them
        wide = (self.width if self.own else 0.7 * self.width / len(self.axes)) - 2 * _PAD
        text = "\n".join(in_lines(line, wide) for line in self.told)
        write = self.figure.suptitle if self.own else self.ax.set_title
        self.add("caption", write(text, fontsize=self.size))

    def legend(self, *entries: tuple[str, Artist] | tuple[str, Artist, Mark]) -> None:
        """Explain symbols below the drawing, in as few lines as hold them.

        After these entries follow the parts that have labels, each label once.
        """
        labels: dict[str, Artist] = {}
        for artist in chain.from_iterable(self.parts.values()):
            label = str(artist.get_label())
            if label and not label.startswith("_"):  # as those are that Matplotlib gives
                labels.setdefault(label, artist)
        entries += tuple(labels.items())
        if not entries:
            return
        sample = 3.2 * self.size / 72  # a symbol with the space around it
        wide = self.width if self.own else self.width / len(self.axes)
        texts = [wrapped(text, wide - sample) for text, *_ in entries]
        style: dict[str, Any] = {
            "handles": [artist for _, artist, *_ in entries],
            "labels": texts,
            "ncols": _columns([text_width(text) + sample for text in texts], wide),
        }
        if self.own:
            legend = self.figure.legend(loc="outside lower left", **style)
        else:
            drawn = self.ax.get_tightbbox()
            low = self.ax.bbox.y0 if drawn is None else min(drawn.y0, self.ax.bbox.y0)
            drop = (low - self.ax.bbox.y0) / self.figure.dpi
            where = self.ax.transAxes + ScaledTranslation(0, drop, self.figure.dpi_scale_trans)
            place: Any = {"bbox_to_anchor": (0, 0), "bbox_transform": where}
            legend = self.ax.legend(loc="upper left", **place, **style)
        self.add("legend", legend)
        for text, (_, _, *about) in zip(legend.get_texts(), entries, strict=True):
            marked(text, about[0] if about else None)

    # ---------------------------------------------------------------------------- the plot

    def plot(self, what: str, *found: str, height: float, is_equal: bool = False) -> Plot:
        """Return the plot; each axes of a new figure is this high, in inches.

        The alternative text says what the figure is, its caption in brackets, and what was found.
        ``is_equal`` says that both axes have one unit of length.
        """
        with_fallbacks(self.figure)
        if self.own:
            self._fit(height)
        elif self.parts.get("caption"):
            self._lift()
        if is_equal:  # not before: what is around such axes does not tell their size
            self.ax.set_aspect("equal")
        if self.own:
            self.figure.stale = False  # until the user changes it, its axes stay where they are
        artists = Labelled({name: tuple(found) for name, found in self.parts.items()})
        head = f"{what} ({'; '.join(self.told)})." if self.told else f"{what}."
        return Plot(self.figure, self.ax, artists, " ".join([head, *found]), shown=self.own)

    def breadth(self) -> float:
        """Return the width in inches that each axes gets, as far as is known before the plot is."""
        if not self.own:
            return float(self.ax.get_window_extent().width / self.figure.dpi)
        return (self.width - self._around()[0]) / self.abreast

    @property
    def _engine(self) -> ConstrainedLayoutEngine:
        return cast("ConstrainedLayoutEngine", self.figure.get_layout_engine())

    def _around(self) -> tuple[float, float]:
        """Return the width and the height in inches of what is not axes in a new figure.

        The layout engine, which places the axes between that, would take much longer to say it.
        """
        pads = np.array([self._engine.get()[name] for name in ("w_pad", "h_pad")])
        beyond = np.zeros((self.down * self.abreast, 2, 2))  # of each axes: low and high, x and y
        for place, ax in enumerate(self.axes):
            box, drawn = ax.get_window_extent(), ax.get_tightbbox(for_layout_only=True)
            if drawn is not None:
                beyond[place] = np.abs(drawn.get_points() - box.get_points()) / self.figure.dpi
        beyond = beyond.reshape(self.down, self.abreast, 2, 2) + pads
        outside = [*self.parts.get("caption", []), *self.parts.get("legend", [])]
        heights = [it.get_window_extent().height / self.figure.dpi for it in outside]
        high = beyond[..., 1].max(axis=1).sum() + sum(heights) + 2 * len(heights) * pads[1]
        return float(beyond[..., 0].max(axis=0).sum()), float(high)

    def _lift(self) -> None:
        """Put the title of axes that were given above everything that stands on these."""
        title = self.ax.title.get_text()
        self.ax.title.set_text("")
        box = self.ax.get_tightbbox()
        above = 0.0 if box is None else max(0.0, box.y1 - self.ax.bbox.y1)
        self.ax.title.set_text(title)
        points = 72 * above / self.figure.dpi + mpl.rcParams["axes.titlepad"]
        self.ax.set_title(title, pad=points, y=1.0, fontsize=self.size)

    def _fit(self, height: float) -> None:
        """Make the figure as high as its axes and all around them need, and place them."""
        # rather too high: names reach beyond axes without room
        self.figure.set_figheight(min(2 * self.down * height + _ROOMY, MOST_INCHES))
        wanted = self.down * height + self._around()[1]
        self.figure.set_figheight(min(max(wanted, 0.5), MOST_INCHES))
        self._engine.execute(self.figure)


def _checked_axes(given: Any, panels: int) -> list[Axes]:
    """Return the axes to draw on, if they are as many as there are panels, and plain ones."""
    single = isinstance(given, Axes) or not isinstance(given, Iterable)
    axes = [given] if single else list(np.asarray(list(given), dtype=object).ravel())
    wrong = next((it for it in axes if not isinstance(it, Axes)), None)
    if wrong is not None or not axes:
        raise TypeError(
            f"`ax` must be axes of Matplotlib, as plt.subplots() returns them; got "
            f"{shown(given if wrong is None else wrong)}."
        )
    kinds = {it.name for it in axes} - {"rectilinear"}
    if kinds:
        raise ValueError(f"`ax` must be plain axes; got a projection: {', '.join(sorted(kinds))}.")
    if len(axes) != panels:
        raise ValueError(
            f"`ax` must be {panels} axes, one for each panel of the figure; got {len(axes)}."
        )
    return axes


def _columns(widths: Sequence[float], room: float) -> int:
    """Return in how many columns the entries of a legend fit."""
    for columns in range(len(widths), 1, -1):
        # Matplotlib fills a column after the other, the first ones with one more
        if sum(max(part) for part in np.array_split(widths, columns)) <= room:
            return columns
    return 1


def sample(color: Any, linestyle: Any = "-", marker: str = "", **more: Any) -> Line2D:
    """Return a piece of a line, for a legend."""
    return Line2D([], [], color=color, linestyle=linestyle, marker=marker, **more)


def rows_high(labels: Iterable[Text | str], least: float = 0.2) -> float:
    """Return the height in inches of rows that are as high as their texts need."""
    texts = [label if isinstance(label, str) else label.get_text() for label in labels]
    lines = max((text.count("\n") + 1 for text in texts), default=1)
    return max(least, lines * line_height() + 0.05)
