"""Saving of figures at the size at which they are printed."""

from __future__ import annotations

import contextlib
import math
import numbers
import os
import re
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis, Tick
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from nbcompare._files import check_target, write_whole
from nbcompare._validation import check_choice, check_count, listed, shown
from nbcompare.plots._fonts import texts_of
from nbcompare.plots._plot import MOST_INCHES, TURN, Plot, pdf_of, png_of, settings, svg_of

WIDTHS = MappingProxyType({"single-column": 3.5, "text-width": 4.77, "double-column": 7.16})
SUFFIXES = (".pdf", ".svg", ".pgf", ".png")
# Elsevier prints normal text at 7 pt, and none below 6.
_LEAST_POINTS = 6.0
# Matplotlib's warning about a letter that the font lacks, which names its code point
_MISSING = re.compile(r"Glyph (\d+) .*missing from")
Inches = tuple[float, float]
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
    shrink: bool = False,
) -> Path:
    """Write a figure to a file at the size at which it will be printed.

    A figure that is larger than requested is drawn again with less room for its data, if
    possible, and is then scaled down as a whole, including text and lines. A smaller figure is
    not enlarged, but centred. The figure itself is not changed.

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
        Height in inches; by default in proportion to the width.
    dpi : int, default 300
        Dots per inch of a ``.png`` file.
    shrink : bool, default False
        Whether the figure may shrink even if text becomes smaller than 6 points.

    Returns
    -------
    pathlib.Path
        Path of the file. Two calls write the same bytes; its title is the plot's ``alt`` text.

    Raises
    ------
    ValueError
        If the suffix is not one of these; if text would become smaller than 6 points (the
        message gives the size needed); or if no font has some letters (the message lists them).
    OSError
        If the file cannot be written, for example because its folder does not exist.

    References
    ----------
    IEEE Author Center, Size requirements for graphics. Elsevier, Artwork sizing: lettering of
    7 pt, of no less than 6 pt for subscripts.

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
    inches = inches_of_width(width), _checked_inches(height, "height")
    check_count(dpi, "dpi", least=1)
    if isinstance(plot, Plot) and inches[0] is not None:
        plot = narrowed(plot, inches[0])
    figure, title = _figure_of(plot)
    with TURN:
        size, scale = _fitted(figure, inches)
        if not shrink:
            _check_legible(figure, size, scale, inches)
        with _resized(figure, size, scale):
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


def _check_legible(
    figure: Figure, size: Inches, scale: float, asked: tuple[float | None, float | None]
) -> None:
    sizes = _sizes_of_text(figure)
    if not sizes:
        return
    least = min(sizes)
    bound = min(_LEAST_POINTS, least)
    if least * scale >= bound - 1e-6:
        return
    natural = _inches_of(figure)
    side = 0 if asked[0] is not None and asked[0] <= natural[0] * scale + 1e-6 else 1
    enough = math.ceil(100 * natural[side] * bound / least) / 100
    raise ValueError(
        f"`{('width', 'height')[side]}` of {size[side]:g} inches would print the smallest text of "
        f"this figure at {least * scale:.1f} pt, below {_LEAST_POINTS:g}; use at least "
        f"{enough:.2f} inches, or shrink=True."
    )


def _sizes_of_text(figure: Figure) -> list[float]:
    texts = texts_of(figure)
    return [float(text.get_fontsize()) for text in texts if text.get_visible() and text.get_text()]


def _inches_of(figure: Figure) -> Inches:
    width, height = figure.get_size_inches()
    return float(width), float(height)


# -------------------------------------------------------------------------------- size


def narrowed(plot: Plot, width: float) -> Plot:
    """Return the plot, drawn again if it is too wide and can be narrower."""
    too_wide = plot.figure.get_size_inches()[0] > width
    return plot.narrower(width) if plot.narrower is not None and too_wide else plot


def _fitted(figure: Figure, asked: tuple[float | None, float | None]) -> tuple[Inches, float]:
    """Return the size of the page and the factor by which the drawing shrinks to fit in."""
    have = _inches_of(figure)
    shares = [want / there for want, there in zip(asked, have, strict=True) if want is not None]
    scale = min([1.0, *shares])
    width, height = (
        there * scale if want is None else want for want, there in zip(asked, have, strict=True)
    )
    return (width, height), scale


@contextlib.contextmanager
def _resized(figure: Figure, size: Inches, scale: float) -> Iterator[None]:
    """Give the figure this size for a while, with its drawing scaled and centred."""
    natural = _inches_of(figure)
    shares = natural[0] * scale / size[0], natural[1] * scale / size[1]
    undo: list[Callable[[], Any]] = [lambda: figure.set_size_inches(natural)]
    try:
        figure.set_size_inches(size)
        if min(shares) < 1 - 1e-9:
            undo.extend(_moved(ax, shares) for ax in figure.axes)
        if scale != 1:
            for artist in figure.findobj():
                undo.extend(_scaled(artist, scale))
        yield
    finally:
        for back in reversed(undo):
            back()


def _moved(ax: Axes, shares: tuple[float, float]) -> Callable[[], Any]:
    old = ax.get_position(original=True).frozen()
    left, bottom = ((1 - share) / 2 + share * at for share, at in zip(shares, old.min, strict=True))
    ax.set_position((left, bottom, old.width * shares[0], old.height * shares[1]))
    return lambda: ax.set_position(old)


_LENGTHS: tuple[tuple[type[Artist], tuple[str, ...]], ...] = (
    (Text, ("fontsize",)),
    (Line2D, ("linewidth", "markersize", "markeredgewidth")),
    (Patch, ("linewidth",)),
    (Collection, ("linewidth", "sizes")),
)


def _scaled(artist: Any, scale: float) -> Iterator[Callable[[], Any]]:
    """Scale all lengths in points of an artist; yield functions that undo the changes."""
    for kind, names in _LENGTHS:
        for name in names if isinstance(artist, kind) else ():
            if not hasattr(artist, f"set_{name}"):
                continue
            old, put = getattr(artist, f"get_{name}")(), getattr(artist, f"set_{name}")
            factor = scale**2 if name == "sizes" else scale  # the sizes of markers are areas
            put(old * factor if isinstance(old, float | int) else [one * factor for one in old])
            yield partial(put, old)
    if isinstance(artist, Axis):
        old = artist.labelpad
        artist.labelpad = old * scale
        yield partial(setattr, artist, "labelpad", old)
    if isinstance(artist, Tick):
        pad: Any = artist.get_pad()  # type: ignore[func-returns-value]  # the stubs are wrong
        artist.set_pad(pad * scale)
        yield partial(artist.set_pad, pad)


# ------------------------------------------------------------------------------ writing


def _written(figure: Figure, suffix: str, title: str, dpi: int) -> str | bytes:
    with warnings.catch_warnings(record=True) as caught, settings(_STYLE):
        warnings.simplefilter("always")
        content = _content(figure, suffix, title, dpi)
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
