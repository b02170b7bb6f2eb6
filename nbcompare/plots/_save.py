"""Saving of figures at the size at which they are printed."""

from __future__ import annotations

import numbers
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nbcompare._files import check_target, write_whole
from nbcompare._validation import check_choice, check_count, listed, shown
from nbcompare.plots._plot import MOST_INCHES, TURN, Plot, pdf_of, png_of, settings, svg_of

WIDTHS = MappingProxyType({"single-column": 3.5, "text-width": 4.77, "double-column": 7.16})
SUFFIXES = (".pdf", ".svg", ".pgf", ".png")
# Matplotlib's warnings about a letter that the font lacks, which name its code point, and about
# axes for which nothing is left
_MISSING = re.compile(r"Glyph (\d+) .*missing from")
_NO_ROOM = "axes sizes collapsed to zero"
_STYLE: dict[Any, Any] = {
    "savefig.bbox": None,
    "savefig.transparent": False,
    "savefig.facecolor": "auto",
}


def save(
    plot: Plot | Axes | Figure,
    path: str | os.PathLike[str],
    *,
    width: float | str | None = None,
    height: float | None = None,
    dpi: int = 300,
) -> Path:
    """Write a figure to a file at the size at which it will be printed.

    A plot is drawn again for that size, your own figure is given it while it is written: text and
    lines stay as large as they are. The figure itself is not changed.

    Parameters
    ----------
    plot : Plot, matplotlib.axes.Axes or matplotlib.figure.Figure
        Figure from a function of :mod:`nbcompare.plots`; for axes, their whole figure is
        written.
    path : str or path
        File name, whose suffix gives the format: ``.pdf`` (fonts embedded as TrueType),
        ``.svg`` (letters as outlines), ``.pgf`` (LaTeX drawing commands, text in the fonts of
        the paper; writing it needs no TeX, using it needs the package pgf) or ``.png``. An
        existing file is replaced once the new one is complete.
    width : float or {"single-column", "text-width", "double-column"}, optional
        Width in inches. A single column is 3.5 inches (88.9 mm) wide and a double column 7.16
        (182 mm), as IEEE prints them; Elsevier's columns, of 90 and 190 mm, are hardly wider.
        The text of LaTeX's article class is 4.77 inches wide. By default, the figure's width.
    height : float, optional
        Height in inches; by default what a plot of that width needs, and for axes and figures in
        proportion to the width.
    dpi : int, default 300
        Dots per inch of a ``.png`` file.

    Returns
    -------
    pathlib.Path
        Path of the file. Two calls write the same bytes; its title is the plot's ``alt`` text.

    Raises
    ------
    ValueError
        If the suffix is not one of these; if the figure has no room at this size; or if no font
        has some letters (the message lists them).
    OSError
        If the file cannot be written, for example because its folder does not exist.

    References
    ----------
    IEEE Author Center, Size requirements for graphics. Elsevier, Artwork sizing.

    Examples
    --------
    >>> import tempfile
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006_ranks"), adjust="nemenyi")
    >>> plot = nbc.plots.cd_diagram(result)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = nbc.plots.save(plot, f"{folder}/cd.pdf", width="single-column")
    ...     path.name, path.read_bytes()[:5]
    ('cd.pdf', b'%PDF-')
    """
    target = _checked_target(path)
    wide, high = inches_of_width(width), _checked_inches(height, "height")
    check_count(dpi, "dpi", least=1)
    if isinstance(plot, Plot) and wide is not None:
        plot = narrowed(plot, wide)
    figure, title = _figure_of(plot)
    with TURN:
        natural = figure.get_size_inches()
        wide = float(natural[0]) if wide is None else wide
        if high is None:
            is_drawn = isinstance(plot, Plot) and plot.narrower is not None
            high = float(natural[1] if is_drawn else natural[1] * wide / natural[0])
        with _resized(figure, wide, high):
            content = _written(figure, target.suffix.lower(), title, dpi)
    write_whole(target, content)
    return target


# ------------------------------------------------------------------------------ checks


def _checked_target(path: object) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"`path` must be a path; got {shown(path)}.")
    target = Path(os.fsdecode(path))
    if target.suffix.lower() not in SUFFIXES:
        raise ValueError(
            f"`path` must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}; "
            f"got {shown(str(target))}."
        )
    check_target(target)
    return target


def inches_of_width(width: object) -> float | None:
    """Return a width that is given as a number of inches, or by the name of a place for it."""
    if isinstance(width, str):
        return WIDTHS[check_choice(width, "width", tuple(WIDTHS))]
    return _checked_inches(width, "width")


def _checked_inches(value: object, argument: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, bool) and isinstance(value, numbers.Real):
        inches = float(value)
        if 0 < inches <= MOST_INCHES:
            return inches
    names = " or ".join([", ".join(map(repr, list(WIDTHS)[:-1])), repr(list(WIDTHS)[-1])])
    words = f", or {names}" if argument == "width" else ""
    raise ValueError(
        f"`{argument}` must be inches, above 0 and at most {MOST_INCHES:g}{words}; "
        f"got {shown(value)}."
    )


def _figure_of(plot: object) -> tuple[Figure, str]:
    """Return the whole figure and its alternative text."""
    title = plot.alt if isinstance(plot, Plot) else ""
    part = plot.figure if isinstance(plot, Plot) else plot
    figure = part.get_figure(root=True) if isinstance(part, Artist) else None
    if not isinstance(figure, Figure):
        raise TypeError(
            f"`plot` must be a Plot, axes or a figure of matplotlib; got {shown(plot)}."
        )
    return figure, title


def narrowed(plot: Plot, width: float) -> Plot:
    """Return the plot, drawn again if it is too wide and can be narrower."""
    too_wide = plot.figure.get_size_inches()[0] > width
    return plot.narrower(width) if plot.narrower is not None and too_wide else plot


@contextmanager
def _resized(figure: Figure, width: float, height: float) -> Iterator[None]:
    """Give the figure this size for a while, and then what a layout has moved its old place."""
    before, is_changed = figure.get_size_inches().copy(), figure.stale
    if (width, height) == tuple(before):
        yield
        return
    places = [(ax, ax.get_position(True).frozen(), ax.get_in_layout()) for ax in figure.axes]
    titles = [(text, text.get_position()) for text in figure.texts]
    figure.set_size_inches(width, height)
    try:
        yield
    finally:
        figure.set_size_inches(*before)
        for ax, box, is_in_layout in places:
            ax.set_position(box)
            ax.set_in_layout(is_in_layout)
        for text, at in titles:
            text.set_position(at)
        figure.stale = is_changed


# ------------------------------------------------------------------------------ writing


def _written(figure: Figure, suffix: str, title: str, dpi: int) -> str | bytes:
    with warnings.catch_warnings(record=True) as caught, settings(_STYLE):
        warnings.simplefilter("always")
        content = _content(figure, suffix, title, dpi)
    if any(_NO_ROOM in str(w.message) for w in caught):
        width, height = figure.get_size_inches()
        raise ValueError(
            f"{width:.2f} by {height:.2f} inches leave no room for the figure beside its text; "
            "give a larger `width` or `height`."
        )
    missing = sorted({int(code) for w in caught for code in _MISSING.findall(str(w.message))})
    if missing:
        raise ValueError(
            f"no font on this machine has {listed(map(chr, missing))}. Install one that has them, "
            "such as Noto's."
        )
    return content


def _content(figure: Figure, suffix: str, title: str, dpi: int) -> str | bytes:
    if suffix == ".pgf":
        from nbcompare.plots._pgf import pgf_of  # imports what only this format needs

        return pgf_of(figure, title)
    named = {"Title": title} if title else {}
    if suffix == ".svg":
        return svg_of(figure, **named)
    if suffix == ".pdf":
        return pdf_of(figure, 42, **named)  # TrueType, which submission systems accept
    return png_of(figure, dpi, **named)
