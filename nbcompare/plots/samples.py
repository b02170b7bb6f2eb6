"""Figure of single scores: the runs of an algorithm, fold by fold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from nbcompare._options import BETTER
from nbcompare._render import format_number
from nbcompare._validation import (
    DataError,
    check_labels,
    check_name,
)
from nbcompare._validation import listed as named
from nbcompare.experiment import Experiment
from nbcompare.plots._curves import runs_text
from nbcompare.plots._live import Mark, marked
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import LIGHT, Sheet, figure
from nbcompare.plots._text import line_height, listed, text_width, wrapped

_WIDTH, _HEIGHT = 4.8, 1.1  # of the figure with a sample in a row, and of each of its axes
_MOST_IN_ONE_BLOCK, _MOST_SAMPLES = 4, 24
_TALL, _FRAME = 2.6, 0.9  # inches: of the axes of boxplots, and what stands beside them
_COLUMN = 0.16  # inches that a mark has at most
_BOX, _STRIP, _APART = 1.6, 1.4, 1.2  # in columns of that width: box, runs, space between folds
_UPRIGHT = 1.1  # inches of a line of upright names
# Markers of the other algorithms, and whether they are filled
_SHAPES = (("D", False), ("^", True), ("s", False), ("v", True), ("P", False), ("X", True))
_BOXPLOT: Mapping[str, Any] = MappingProxyType(
    {
        "boxprops": {"facecolor": LIGHT, "edgecolor": "0.2", "linewidth": 0.9},
        "whiskerprops": {"color": "0.2", "linewidth": 0.9},
        "medianprops": {"color": "black", "linewidth": 1.8, "solid_capstyle": "butt"},
        "patch_artist": True,
        "showfliers": False,
        "showcaps": False,
        "manage_ticks": False,
    }
)
_GOLDEN = (5**0.5 - 1) / 2


@figure
def fold_boxplots(
    experiment: Experiment,
    algorithm: str,
    others: Iterable[str] | None = None,
    *,
    dataset: str | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw a boxplot of an algorithm's runs in every fold, with the means of others.

    The figure shows what a mean hides: runs that failed, two modes, folds that differ. Every
    run is a grey dot beside its box. A box extends from the lower to the upper quartile (linear
    interpolation) with a line at the median; whiskers extend to the outermost run within 1.5
    times the length of the box. A filled circle on the box is the mean of the runs. The other
    algorithms are drawn to the right, at their mean over the runs in the fold.

    Parameters
    ----------
    experiment : Experiment
        Experiment with several runs of the algorithm.
    algorithm : str
        Algorithm whose runs are drawn.
    others : iterable of str, optional
        Up to 6 other algorithms. By default, the first 6 that have a score on the data set,
        or all of them if they are fewer.
    dataset : str, optional
        Data set to draw. It may be omitted if there is only one.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``boxes`` and ``medians`` (one per fold, in order), ``whiskers`` (two
        per fold), ``runs`` (one per fold), ``means``, ``others`` (one per other algorithm),
        ``folds`` (names of the folds, if there are several), ``axis``, ``caption`` and ``legend``.
        Folds are at 0, 1, 2 and so on; the y axis is in units of the measure.

    Raises
    ------
    TypeError
        If ``experiment`` is not an Experiment, or ``others`` is not a list of names.
    ValueError
        If a name is not in the experiment, or that of another one with scores there; if no data
        set is given and there are several; or if there are more than 6 others.
    DataError
        If scores are intervals, or no fold of the data set has several runs of the algorithm.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010). Comparación estadística de algoritmos de
    aprendizaje estocásticos usando tests extendidos a datos intervalo-valorados y borrosos,
    Figures 4 to 7.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> rng = np.random.default_rng(0)
    >>> scores = np.full((1, 2, 10, 30), 0.5)
    >>> scores[0, 0] = rng.normal(0.4, 0.05, size=(10, 30))
    >>> experiment = nbc.Experiment.from_array(
    ...     scores, direction="minimize", algorithms=["SAP", "linear"])
    >>> plot = nbc.plots.fold_boxplots(experiment, "SAP")
    >>> len(plot.artists["boxes"]), len(plot.artists["runs"][0].get_xdata())
    (10, 30)
    """
    place = _checked_dataset(experiment, dataset)
    if experiment.turned:  # a data set alone has its own direction
        experiment, place = experiment.select(datasets=[experiment.datasets[place]]), 0
    names = _checked_algorithms(experiment, algorithm, others, place)
    scores = experiment.scores[place, [experiment.algorithms.index(name) for name in names]]
    there = np.flatnonzero(np.isfinite(scores[0]).any(axis=-1))
    folds = [experiment.folds[fold] if len(experiment.folds) > 1 else "" for fold in there]
    runs = [[row[np.isfinite(row)] for row in of_one[there]] for of_one in scores]
    means = [[float(row.mean()) if row.size else np.nan for row in of_one] for of_one in runs]
    unit = 1 / (_BOX + _STRIP + _APART + len(names) - 1)  # of a fold, which is 1 wide
    sheet = Sheet(ax, width=_FRAME + max(1.8, len(folds) * _COLUMN / unit), title=title)
    ax = sheet.ax
    kinds = ["runs", *["mean"] * (len(names) - 1)]
    about = [
        [Mark(f"{kind} of {name}{fold and f', fold {fold}'}", (name,)) for fold in folds]
        for kind, name in zip(kinds, names, strict=True)
    ]
    x = np.arange(len(folds)) - 0.5 + unit * _APART / 2
    drawn = ax.boxplot(runs[0], positions=x + unit * _BOX / 2, widths=0.8 * unit * _BOX, **_BOXPLOT)
    for part in ("boxes", "whiskers", "medians"):
        sheet.add(part, drawn[part])
    dots: dict[str, Any] = {"color": "0.35", "alpha": 0.6, "markersize": 2.6, "markeredgewidth": 0}
    for box, mark, start, values in zip(drawn["boxes"], about[0], x, runs[0], strict=True):
        marked(box, mark)
        # runs with the same score are drawn side by side
        aside = _BOX + _STRIP * (0.1 + 0.7 * ((np.arange(len(values)) * _GOLDEN) % 1))
        sheet.add("runs", ax.plot(start + unit * aside, np.sort(values), "o", **dots))
    size = max(3.2, 5 * min(1.0, (sheet.width - _FRAME) * unit / len(folds) / _COLUMN) ** 0.5)
    middle = sheet.add("means", ax.plot(x + unit * _BOX / 2, means[0], "ko", markersize=size - 0.5))
    entries: list[tuple[str, Artist]] = [
        (f"runs of {algorithm}", Patch(facecolor=LIGHT, edgecolor="0.2")),
        ("their mean", middle[0]),
    ]
    for number, (shape, filled) in enumerate(_SHAPES[: len(names) - 1], start=1):
        seen = np.isfinite(means[number])
        at = x[seen] + unit * (_BOX + _STRIP + number - 0.5)
        face = "black" if filled else "white"
        how: dict[str, Any] = {"color": "black", "markerfacecolor": face, "markersize": size}
        points = ax.plot(at, np.array(means[number])[seen], shape, linestyle="none", **how)
        sheet.add("others", points, [about[number][fold] for fold in np.flatnonzero(seen)])
        entries.append((names[number], points[0]))
    ax.set_xlim(-0.5, len(folds) - 0.5)
    ax.set_xticks(np.arange(1, len(folds)) - 0.5, minor=True)
    ax.tick_params(which="minor", length=0)
    ax.grid(axis="x", which="minor", color="0.9", linewidth=0.6)
    ax.grid(axis="y", color="0.9", linewidth=0.6)
    ax.set_axisbelow(True)
    sheet.bare("top", "right")
    _name_folds(sheet, folds)
    measure = f"{experiment.measure or 'score'}, {BETTER[experiment.direction]}"
    sheet.axis_label(ax.yaxis, measure, share=0.9 * _TALL / sheet.width)
    sheet.legend(*entries)
    sizes = runs_text([len(row) for row in runs[0]])
    sizes += f" in each of {len(folds)} folds" if folds != [""] else ""
    some = f"with {len(names) - 1} of {experiment.n_algorithms - 1} other algorithms"
    sheet.caption(
        f"{algorithm} on {experiment.datasets[place]}, {sizes}",
        some if len(names) < experiment.n_algorithms else "",
    )
    told = []
    for name, of in zip(names, means, strict=True):
        texts = [format_number(float(f"{mean:.4g}")) for mean in of]
        by_fold = [" ".join(filter(None, both)) for both in zip(folds, texts, strict=True)]
        told.append(f"{name}: {listed(by_fold)}")
    means_of = "Means by fold" if folds != [""] else "Means"
    return sheet.plot(f"Boxplots of {measure}", f"{means_of}: {'; '.join(told)}.", height=_TALL)


def _name_folds(sheet: Sheet, folds: Sequence[str]) -> None:
    """Write the names of the folds, if there are several; if they are long, upright or of some."""
    if folds == [""]:
        sheet.ax.set_xticks([])
        return
    room = (sheet.width - _FRAME) / len(folds)
    upright = max(map(text_width, folds)) + 0.06 > room
    width = _UPRIGHT if upright else room
    lines = max(wrapped(name, width).count("\n") + 1 for name in folds)
    at = range(0, len(folds), math.ceil(1.1 * lines * line_height() / room) if upright else 1)
    style: dict[str, Any] = {"rotation": 90 if upright else 0, "share": width / sheet.width}
    sheet.names("folds", sheet.ax.xaxis, [folds[fold] for fold in at], at=at, **style)
    sheet.axis_label(sheet.ax.xaxis, "fold")


def _checked_dataset(experiment: object, dataset: str | None) -> int:
    """Return the place of the data set that was named, or of the only one."""
    if not isinstance(experiment, Experiment):
        raise TypeError(
            f"`experiment` must be an Experiment; got {type(experiment).__name__}. "
            "Make one with Experiment.from_frame(frame, direction=...)."
        )
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores, which have no quartiles; "
            "interval_forest draws the means of intervals."
        )
    if dataset is None and experiment.n_datasets > 1:
        raise ValueError(
            f"`dataset` must name one of the {experiment.n_datasets} data sets, because their "
            f"scores may be on different scales: {named(experiment.datasets)}."
        )
    name = experiment.datasets[0] if dataset is None else dataset
    return experiment.datasets.index(check_name(name, "dataset", experiment.datasets))


def _checked_algorithms(
    experiment: Experiment, algorithm: str, others: Iterable[str] | None, place: int
) -> tuple[str, ...]:
    """Return the algorithm, which has several runs in a fold, and others with a score."""
    known, where = experiment.algorithms, experiment.datasets[place]
    check_name(algorithm, "algorithm", known)
    counts = np.isfinite(experiment.scores[place]).sum(axis=-1).max(axis=-1)
    if (own := int(counts[known.index(algorithm)])) < 2:
        several = [name for name, count in zip(known, counts, strict=True) if count > 1]
        raise DataError(
            f"`algorithm` must have several runs in a fold to make a box; {algorithm!r} on "
            f"{where!r} has {own or 'none'}. Those that have: {named(several) or 'none'}."
        )
    there = tuple(
        name for name, count in zip(known, counts, strict=True) if count and name != algorithm
    )
    if others is None:
        return (algorithm, *there[: len(_SHAPES)])
    names = tuple(check_name(name, "others", there) for name in check_labels(others, "others"))
    if len(names) > len(_SHAPES):
        raise ValueError(
            f"`others` must name at most {len(_SHAPES)} algorithms, because no more marks can be "
            f"told apart; got {len(names)}."
        )
    return (algorithm, *names)
