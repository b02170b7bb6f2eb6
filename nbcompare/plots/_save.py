"""Figures as drawing commands for LaTeX's package pgf, in the fonts of the paper.

Matplotlib has TeX measure every text. Here the places come from the figure itself, so that no
TeX is needed to write a figure: LaTeX aligns what it sets at the same points.
"""

from __future__ import annotations

import contextlib
import io
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
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_pgf import RendererPgf
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from nbcompare._files import check_target, write_whole
from nbcompare._render import latex
from nbcompare._validation import check_choice, check_count, listed, shown
from nbcompare.plots._plot import MOST_INCHES, TURN, Plot, pdf_of, png_of, settings, svg_of

# mypy: disallow-untyped-calls=False
# (the renderers of Matplotlib carry no annotations)


_HEADER = r"""%% {title}
%% Needs \usepackage{{pgf}}; \input this file, in a figure environment.
\begingroup%
\makeatletter%
\begin{{pgfpicture}}%
\pgfpathrectangle{{\pgfpointorigin}}{{\pgfqpoint{{{width:f}in}}{{{height:f}in}}}}%
\pgfusepath{{use as bounding box, clip}}%
"""
_FOOTER = r"""\end{pgfpicture}%
\makeatother%
\endgroup%
"""


def pgf_of(figure: Figure, title: str) -> str:
    """The figure as a pgfpicture."""
    file = io.StringIO()
    width, height = (float(inches) for inches in figure.get_size_inches())
    file.write(_HEADER.format(title=title, width=width, height=height))
    with settings({"pgf.rcfonts": False}):
        figure.draw(_Renderer(figure, file))
    file.write(_FOOTER)
    return file.getvalue()


class _Renderer(RendererPgf):
    """Text that LaTeX can set is escaped for it; other text is drawn as outlines."""

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: bool | str = False,
        mtext: Text | None = None,
    ) -> None:
        """Set a line of text; mathematics stays as it is."""
        if not ismath and latex.unknown_letters(s):
            self._draw_outlines(gc, x, y, s, prop, angle)
            return
        text = s if ismath else latex.escape(s)
        super().draw_text(gc, x, y, text, prop, angle, ismath, mtext)

    def _draw_outlines(
        self, gc: Any, x: float, y: float, s: str, prop: FontProperties, angle: float
    ) -> None:
        path = TextPath((0, 0), s, size=prop.get_size_in_points(), prop=prop)
        scale = self.points_to_pixels(1.0)
        place = Affine2D().scale(scale).rotate_deg(angle).translate(x, y)
        gc.set_linewidth(0.0)
        self.draw_path(gc, path, place, rgbFace=gc.get_rgb())

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: bool | str
    ) -> tuple[float, float, float]:
        """Give the measures of the figure's own font, which is wider than most of a paper."""
        return RendererBase.get_text_width_height_descent(self, s, prop, ismath)  # type: ignore[arg-type]

    def draw_image(self, *_: Any, **__: Any) -> None:
        """Refuse what would be a file beside the file."""
        raise ValueError("`plot` has an image in it, which .pgf cannot hold; save it as .pdf.")


WIDTHS = MappingProxyType({"single-column": 3.5, "text-width": 4.77, "double-column": 7.16})
SUFFIXES = (".pdf", ".svg", ".pgf", ".png")
# Elsevier prints normal text at 7 pt, and none below 6.
_LEAST_POINTS = 6.0
# What Matplotlib says of a letter, by its number
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
    """Write a figure to a file, of the size at which it will be printed.

    A figure that is larger than asked for is drawn again with less room for its data, if it
    can be, and then made smaller as a whole, text and lines too. One that is smaller is not
    enlarged, but centred. The figure itself stays as it is.

    Parameters
    ----------
    plot : Plot, matplotlib.axes.Axes or matplotlib.figure.Figure
        What a function of :mod:`nbcompare.plots` gave; of axes, their whole figure is written.
    path : str or path
        Its suffix decides: ``.pdf`` (fonts embedded as TrueType), ``.svg`` (letters as
        outlines), ``.pgf`` (LaTeX drawing commands, text in the fonts of the paper; no TeX is
        needed to write it, the package pgf to use it) or ``.png``. An old file is replaced
        once the new one is whole.
    width : float or {"single-column", "text-width", "double-column"}, optional
        Inches of the page. A single column has 3.5 inches (88.9 mm) and a double column 7.16
        (182 mm), as IEEE prints them; Elsevier's have 90 and 190 mm, which is hardly more. The
        text of LaTeX's article class is 4.77 inches wide. By default as large as the figure.
    height : float, optional
        Inches; by default what the width gives.
    dpi : int, default 300
        Dots per inch of a ``.png``.
    shrink : bool, default False
        Make it as small as asked for even if text becomes smaller than 6 points.

    Returns
    -------
    pathlib.Path
        The file. Two calls write the same bytes; the title in it is the plot's ``alt``.

    Raises
    ------
    ValueError
        If the suffix is another; if text would become smaller than 6 points, with the width
        that is needed; if the font lacks letters, with these.
    OSError
        If the file cannot be written, as in a folder that does not exist.

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
    inches = _inches(width), _checked_inches(height, "height")
    check_count(dpi, "dpi", least=1)
    if isinstance(plot, Plot) and plot.narrower is not None and inches[0] is not None:
        plot = _narrowed(plot, plot.narrower, inches[0])
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


def _inches(width: object) -> float | None:
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
    """The whole figure, and what it shows in words."""
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
        f"this figure at {least * scale:.1f} pt, below {_LEAST_POINTS:g}; it needs at least "
        f"{enough:.2f} inches, or shrink=True."
    )


def _sizes_of_text(figure: Figure) -> list[float]:
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    return [float(text.get_fontsize()) for text in texts if text.get_visible() and text.get_text()]


def _inches_of(figure: Figure) -> Inches:
    width, height = figure.get_size_inches()
    return float(width), float(height)


# -------------------------------------------------------------------------------- size


def _narrowed(plot: Plot, narrower: Callable[[float], Plot], width: float) -> Plot:
    """Drawn again if it is too wide."""
    return narrower(width) if plot.figure.get_size_inches()[0] > width else plot


def _fitted(figure: Figure, asked: tuple[float | None, float | None]) -> tuple[Inches, float]:
    """The size of the page, and by how much the drawing shrinks to fit in."""
    have = _inches_of(figure)
    shares = [want / there for want, there in zip(asked, have, strict=True) if want is not None]
    scale = min([1.0, *shares])
    width, height = (
        there * scale if want is None else want for want, there in zip(asked, have, strict=True)
    )
    return (width, height), scale


@contextlib.contextmanager
def _resized(figure: Figure, size: Inches, scale: float) -> Iterator[None]:
    """Make the figure of this size for a while, its drawing scaled and in the middle."""
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
    """Scale what an artist measures in points; give what undoes it."""
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
            f"the font of the figure lacks {listed(map(chr, missing))}. Name one that has them "
            "in matplotlib.rcParams['font.family'] before the figure is drawn."
        )
    return content


def _content(figure: Figure, suffix: str, title: str, dpi: int) -> str | bytes:
    if suffix == ".pgf":
        from nbcompare.plots._save import pgf_of

        return pgf_of(figure, title)
    named = {"Title": title} if title else {}
    if suffix == ".svg":
        return svg_of(figure, **named)
    if suffix == ".pdf":
        return pdf_of(figure, 42, **named)  # TrueType, which submission systems accept
    return png_of(figure, dpi, **named)
