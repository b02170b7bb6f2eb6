"""Object that every figure function returns, and the canvas on which it draws."""

from __future__ import annotations

import io
import re
import threading
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from nbcompare._commands import ANALYSES, analysis_of_class
from nbcompare._display import current
from nbcompare._render.letters import no_font_has
from nbcompare._render.parts import DRAWING
from nbcompare._render.rich import DARK, darkened
from nbcompare.experiment import is_frame
from nbcompare.plots._live import live_of
from nbcompare.plots._text import GLYPHS, with_fallbacks
from nbcompare.results.within import WithinComparison

_PNG_DPI = 144
LEAST_INCHES = 2.2  # of the width: with less, there is no room beside names
MOST_INCHES = 40.0  # larger drawings shrink, because their bitmaps would fill the memory
# Glyphs become paths, so that a figure looks the same without its fonts; the fixed salt makes
# two runs give the same bytes.
SVG_STYLE: dict[Any, Any] = {"svg.hashsalt": "nbcompare", "svg.fonttype": "path"}
# Matplotlib's settings and Python's warning filters belong to the whole process, and drawing
# changes a figure temporarily. Threads therefore take turns.
_TURN = threading.RLock()
_SHEET = re.compile(r' *<defs>\s*<style type="text/css">\*\{([^}"]*)\}</style>\s*</defs>\n')


@dataclass(frozen=True, slots=True, repr=False)
class Plot:
    """Figure that displays itself in a notebook.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
        The figure, which was made outside pyplot: it is shown once and need not be closed.
    ax : matplotlib.axes.Axes
        The axes, which may be changed or drawn on further.
    artists : mapping of str to tuple of matplotlib artists
        The parts of the drawing, by name.
    alt : str
        Alternative text that describes the figure.
    shown : bool
        Whether the plot displays itself as a picture; False if it was drawn on given axes.
    narrower : callable or None
        Function that draws the same figure for a given width in inches; None if there is none.
    """

    figure: Figure
    ax: Axes
    artists: Mapping[str, tuple[Artist, ...]]
    alt: str
    shown: bool = True
    narrower: Callable[[float], Plot] | None = None

    def __repr__(self) -> str:
        return f"<Plot: {self.alt}>"

    def _repr_mimebundle_(
        self, exclude: Collection[str] | None = None, **_: Any
    ) -> dict[str, Any] | tuple[dict[str, Any], dict[str, dict[str, str]]]:
        if not self.shown:
            return {"text/plain": self.alt}
        with settings():  # to look through a figure is to read its transforms, which keep it
            note = no_font_has(with_fallbacks(self.figure), "Boxes")
        pictures: dict[str, Callable[[], Any]] = {
            "image/svg+xml": self.drawing,
            "image/png": self._bitmap,
            # for LaTeX: without it, nbconvert would call Inkscape to convert the SVG
            "application/pdf": lambda: pdf_of(self.figure, 3),
            # for our own page, where its text is text; not of figures with images
            DRAWING: self.record,
        }
        data: dict[str, Any] = {"text/plain": self.alt}
        for kind, draw in pictures.items():
            if kind not in (exclude or ()) and (drawn := draw()) is not None:
                data[kind] = drawn
        about = {"alt": self.alt}
        if note:
            warnings.warn(note, stacklevel=2)
            about["note"] = note  # for the caption on a page, which shows no warnings
        return data, {kind: dict(about) for kind in data if kind.startswith("image/")}

    def _bitmap(self) -> bytes:
        png = png_of(self.figure, _PNG_DPI)
        return _darkened_png(png) if _is_dark() else png

    def record(self) -> dict[str, Any] | None:
        """Return the figure for a page that shows its text as text, and says what its parts are.

        Returns
        -------
        dict of str to object, or None
            ``svg``, ``names`` (of algorithms) and ``marks`` (what the parts say of them), which
            can be written as JSON. None if the figure has images or too many elements.
        """
        with settings(SVG_STYLE), laid_out(self.figure):
            return live_of(self.figure)

    def drawing(self) -> str:
        """Return the figure as SVG, in the theme chosen with :func:`nbcompare.set_options`.

        Returns
        -------
        str
            An SVG document. Its letters are paths, so that it looks the same without the fonts.
        """
        svg = svg_of(self.figure)
        return darkened(svg) if _is_dark() else svg


def _is_dark() -> bool:
    return current().theme == "dark"


def _darkened_png(png: bytes) -> bytes:
    """Return the picture with the colours that the filter of a dark SVG gives."""
    from PIL import Image  # a dependency of Matplotlib

    with Image.open(io.BytesIO(png)) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=np.float32) / 255
        matrix, file = np.array(DARK, dtype=np.float32), io.BytesIO()
        seen = np.clip(pixels @ matrix[:, :3].T + matrix[:, 3], 0, 1)
        dark = Image.fromarray((seen * 255 + 0.5).astype(np.uint8))
        dark.save(file, "png", dpi=picture.info.get("dpi"))
    return file.getvalue()


@contextmanager
def settings(changed: dict[Any, Any] | None = None) -> Iterator[None]:
    """Change settings of Matplotlib for a while, in one thread at a time.

    It does not warn of letters that no font has: one note names all of them.
    """
    with _TURN, mpl.rc_context(changed), warnings.catch_warnings():
        warnings.filterwarnings("ignore", GLYPHS)
        yield


@contextmanager
def laid_out(figure: Figure) -> Iterator[None]:
    """Draw a figure with its axes where they are, in every format, until the user changes it."""
    engine, is_changed = figure.get_layout_engine(), figure.stale
    with_fallbacks(figure)
    if engine is None:
        yield
        return
    if is_changed:
        figure.draw_without_rendering()
    for ax in figure.axes:  # a layout goes on from the last one, and so differs in the last digits
        if ax.get_in_layout() and ax.get_subplotspec() is not None:
            ax.set_position(Bbox(np.round(ax.get_position(original=True).get_points(), 6)))
            ax.set_in_layout(True)
    with mpl.rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)  # with "none", a placeholder, all would be drawn twice
    try:
        yield
    finally:
        figure.set_layout_engine(engine)
        figure.stale = False


def png_of(figure: Figure, dpi: float, **metadata: str) -> bytes:
    """Return the figure as PNG."""
    file = io.BytesIO()
    with settings(), laid_out(figure):
        figure.savefig(file, format="png", dpi=dpi, metadata={"Software": None, **metadata})
    return file.getvalue()


def svg_of(figure: Figure, **metadata: str) -> str:
    """Return the figure as SVG whose style sheet does not affect a page that embeds it."""
    file = io.StringIO()
    with settings(SVG_STYLE), laid_out(figure):
        figure.savefig(file, format="svg", metadata={"Date": None, **metadata})
    # Matplotlib's style sheet selects "*", which would be everything on that page
    text, sheet = file.getvalue(), _SHEET.search(file.getvalue())
    if sheet is None:
        return text
    without = text[: sheet.start()] + text[sheet.end() :]
    return without.replace("<svg ", f'<svg style="{sheet[1]}" ', 1)


def pdf_of(figure: Figure, font_type: int, **metadata: str) -> bytes:
    """Return the figure as PDF with embedded fonts: type 42 (TrueType) or the faster type 3."""
    file = io.BytesIO()
    with settings({"pdf.fonttype": font_type}), laid_out(figure):
        figure.savefig(file, format="pdf", metadata={"CreationDate": None, **metadata})
    return file.getvalue()


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
