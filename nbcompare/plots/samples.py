"""Figure of single scores: the runs of an algorithm, fold by fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
from nbcompare.plots._matrix import with_room
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import LIGHT, Sheet, figure
from nbcompare.plots._text import listed, text_width, wrapped

_TALL, _FRAME, _COLUMN = 2.6, 0.9, 0.16  # inches: of axes, of what is beside them, of a mark
# Columns of a fold: the middle of the box, the runs from here to there, and before the others
_BOX, _RUNS, _BEFORE = 1.2, (2.0, 3.2), 3.2
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
_GOLDEN = (5**0.5 - 1) / 2  # its multiples, without the whole, are spread evenly


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
    means = np.array([[row.mean() if row.size else np.nan for row in of_one] for of_one in runs])
    columns = _BEFORE + len(names)  # of a fold, which is 1 wide
    sheet = Sheet(ax, width=_FRAME + max(1.8, len(folds) * columns * _COLUMN), title=title)
    ax, x = sheet.ax, np.arange(len(folds)) - 0.5  # where folds begin
    about = [
        [Mark(f"{kind} of {name}{fold and f', fold {fold}'}", (name,)) for fold in folds]
        for kind, name in zip(["runs", *["mean"] * (len(names) - 1)], names, strict=True)
    ]
    middles = x + _BOX / columns
    drawn = ax.boxplot(runs[0], positions=middles, widths=1.3 / columns, **_BOXPLOT)
    for part in ("boxes", "whiskers", "medians"):
        sheet.add(part, drawn[part])
    dots: dict[str, Any] = {"color": "0.35", "alpha": 0.6, "markersize": 2.6, "markeredgewidth": 0}
    for box, mark, start, values in zip(drawn["boxes"], about[0], x, runs[0], strict=True):
        marked(box, mark)
        # runs with the same score are drawn side by side
        aside = np.interp(np.arange(len(values)) * _GOLDEN % 1, (0, 1), _RUNS)
        sheet.add("runs", ax.plot(start + aside / columns, np.sort(values), "o", **dots))
    pitch = (sheet.width - _FRAME) / len(folds)
    size = min(5.0, max(3.2, 31 * pitch / columns))
    middle = sheet.add("means", ax.plot(middles, means[0], "ko", markersize=size - 0.5))
    entries: list[tuple[str, Artist]] = [
        (f"runs of {algorithm}", Patch(facecolor=LIGHT, edgecolor="0.2")),
        ("their mean", middle[0]),
    ]
    beside = zip(names[1:], means[1:], about[1:], _SHAPES, strict=False)
    for number, (name, heights, told_of, (shape, filled)) in enumerate(beside, start=1):
        seen = np.flatnonzero(np.isfinite(heights))
        at = x[seen] + (_BEFORE + number - 0.3) / columns
        style: dict[str, Any] = {"color": "black", "markersize": size, "linestyle": "none"}
        style["markerfacecolor"] = "black" if filled else "white"
        points = ax.plot(at, heights[seen], shape, **style)
        sheet.add("others", points, [told_of[fold] for fold in seen])
        entries.append((name, points[0]))
    ax.set(xlim=(-0.5, len(folds) - 0.5), xticks=[])
    ax.set_xticks(x[1:], minor=True)
    ax.tick_params(which="minor", length=0)
    ax.grid(axis="x", which="minor", color="0.9", linewidth=0.6)
    ax.grid(axis="y", color="0.9", linewidth=0.6)
    ax.set_axisbelow(True)
    sheet.bare("top", "right")
    if folds != [""]:
        lines = [wrapped(fold, max(pitch - 0.06, 0.5)) for fold in folds]
        kept = with_room([text_width(text) + 0.06 for text in lines], pitch)
        sheet.names("folds", ax.xaxis, [lines[fold] for fold in kept], at=kept)
        sheet.axis_label(ax.xaxis, "fold")
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
    for name, of in zip(names, means.tolist(), strict=True):
        texts = [format_number(float(f"{mean:.4g}")) for mean in of]
        by_fold = [" ".join(filter(None, both)) for both in zip(folds, texts, strict=True)]
        told.append(f"{name}: {listed(by_fold)}")
    means_of = "Means by fold" if folds != [""] else "Means"
    return sheet.plot(f"Boxplots of {measure}", f"{means_of}: {'; '.join(told)}.", height=_TALL)


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
