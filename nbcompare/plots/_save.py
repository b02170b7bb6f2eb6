"""Saving of figures at the size at which they are printed."""

from __future__ import annotations

import numbers
import os
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nbcompare._files import check_target, write_whole
from nbcompare._validation import check_choice, check_count, listed, shown
from nbcompare.plots._plot import LEAST_INCHES, MOST_INCHES, Plot, pdf_of, png_of, settings, svg_of
from nbcompare.plots._text import with_fallbacks

WIDTHS = MappingProxyType({"single-column": 3.5, "text-width": 4.77, "double-column": 7.16})
SUFFIXES = (".pdf", ".svg", ".pgf", ".png")
_STYLE: dict[Any, Any] = {
    "savefig.bbox": None,
    "savefig.transparent": False,
    "savefig.facecolor": "auto",
}


def save(
    plot: Plot,
    path: str | os.PathLike[str],
    *,
    width: float | str | None = None,
    dpi: int = 300,
) -> Path:
    """Write a figure to a file at the size at which it will be printed.

    A plot is drawn again for that width: text and lines stay as large as they are, and it is as
    high as it needs. The plot itself is not changed.

    Parameters
    ----------
    plot : Plot
        Figure from a function of :mod:`nbcompare.plots`; of one that was drawn on given axes, their
        whole figure is written, as it is.
    path : str or path
        File name, whose suffix gives the format: ``.pdf`` (fonts embedded as TrueType),
        ``.svg`` (letters as outlines), ``.pgf`` (LaTeX drawing commands, text in the fonts of
        the paper; writing it needs no TeX, using it needs the package pgf) or ``.png``. An
        existing file is replaced once the new one is complete.
    width : float or {"single-column", "text-width", "double-column"}, optional
        Width in inches. A single column is 3.5 inches (88.9 mm) wide and a double column 7.16
        (182 mm), as IEEE prints them; Elsevier's columns, of 90 and 190 mm, are barely wider.
        The text of LaTeX's article class is 4.77 inches wide. By default, the figure's width.
    dpi : int, default 300
        Dots per inch of a ``.png`` file.

    Returns
    -------
    pathlib.Path
        Path of the file. Two calls write the same bytes; its title is the plot's ``alt`` text.

    Raises
    ------
    TypeError
        If ``plot`` is no Plot.
    ValueError
        If the suffix is not one of these; if the plot cannot be drawn again for the width; or if
        no font has some letters (the message lists them).
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
    if not isinstance(plot, Plot):
        raise TypeError(
            f"`plot` must be a Plot, as the figures of nbcompare.plots are; got {shown(plot)}. "
            "A figure of your own has `savefig`."
        )
    target, wide = _checked_target(path), inches_of_width(width)
    check_count(dpi, "dpi", least=1)
    if wide is not None and plot.narrower is None:
        raise ValueError(
            "`width` must be left out for a plot on axes that were given, whose figure has a "
            "width; set that with `figure.set_size_inches`."
        )
    write_whole(target, _written(plot, wide, target.suffix.lower(), dpi))
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
    if width is None:
        return None
    if isinstance(width, str):
        return WIDTHS[check_choice(width, "width", tuple(WIDTHS))]
    if not isinstance(width, bool) and isinstance(width, numbers.Real):
        inches = float(width)
        if LEAST_INCHES <= inches <= MOST_INCHES:
            return inches
    *names, last = map(repr, WIDTHS)
    raise ValueError(
        f"`width` must be inches, from {LEAST_INCHES:g} to {MOST_INCHES:g}, or {', '.join(names)} "
        f"or {last}; got {shown(width)}."
    )


# ------------------------------------------------------------------------------ writing


def _written(plot: Plot, width: float | None, suffix: str, dpi: int) -> str | bytes:
    with settings(_STYLE):
        if width is not None and plot.narrower is not None:
            plot = plot.narrower(width)
        figure, title = plot.figure, plot.alt
        if missing := sorted(with_fallbacks(figure)):
            raise ValueError(
                f"no font on this machine has {listed(missing)}. Install one that has them, "
                "such as Noto's."
            )
        if suffix == ".pgf":
            from nbcompare.plots._pgf import pgf_of  # imports what only this format needs

            return pgf_of(figure, title)
        if suffix == ".svg":
            return svg_of(figure, Title=title)
        if suffix == ".pdf":
            return pdf_of(figure, 42, Title=title)  # TrueType, which submission systems accept
        return png_of(figure, dpi, Title=title)
