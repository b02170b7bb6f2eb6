"""Boxplots of the runs of one algorithm, fold by fold, with the means of others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from nbcompare._arrays import FloatArray
from nbcompare._options import BETTER
from nbcompare._render import format_number, plural
from nbcompare._validation import DataError, check_labels, check_name, listed
from nbcompare.experiment import Experiment
from nbcompare.plots._colors import LIGHT
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import Sheet, figure
from nbcompare.plots._text import line_height, text_width, wrapped

_HEIGHT, _FRAME = 2.6, 0.9  # inches: of the axes, and what stands beside them
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
_MOST_TOLD = 12  # folds that the alternative text lists


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
        If a name is not in the experiment, if no data set is given and there are several, or
        if there are more than 6 others.
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
    place = experiment.datasets.index(_chosen_dataset(experiment, dataset))
    if experiment.turned:  # a data set alone has its own direction
        experiment, place = experiment.select(datasets=[experiment.datasets[place]]), 0
    check_name(algorithm, "algorithm", experiment.algorithms)
    runs = experiment.scores[place, experiment.algorithms.index(algorithm)]
    if not (np.isfinite(runs).sum(axis=1) > 1).any():
        raise DataError(_without_runs(experiment, algorithm, place))
    names = (algorithm, *_chosen_others(experiment, algorithm, others, place))
    scores = experiment.scores[place, [experiment.algorithms.index(name) for name in names]]
    there = np.flatnonzero(np.isfinite(scores[0]).any(axis=-1))
    folds = [experiment.folds[fold] if len(experiment.folds) > 1 else "" for fold in there]
    runs = [[row[np.isfinite(row)] for row in of_one[there]] for of_one in scores]
    means = [[float(row.mean()) if row.size else np.nan for row in of_one] for of_one in runs]
    unit = 1 / (_BOX + _STRIP + _APART + len(names) - 1)  # of a fold, which is 1 wide
    sheet = Sheet(ax, width=_FRAME + max(1.8, len(folds) * _COLUMN / unit), title=title)
    ax = sheet.ax
    about = [[_mark_of(name, fold, first=name == algorithm) for fold in folds] for name in names]
    x = np.arange(len(folds)) - 0.5 + unit * _APART / 2
    drawn = ax.boxplot(runs[0], positions=x + unit * _BOX / 2, widths=0.8 * unit * _BOX, **_BOXPLOT)
    for part in ("boxes", "whiskers", "medians"):
        sheet.add(part, drawn[part])
    for box, mark in zip(drawn["boxes"], about[0], strict=True):
        marked(box, mark)
    dots: dict[str, Any] = {"color": "0.35", "alpha": 0.6, "markersize": 2.6, "markeredgewidth": 0}
    for start, values in zip(x, runs[0], strict=True):
        # runs with the same score are drawn side by side
        aside = _BOX + _STRIP * (0.1 + 0.7 * ((np.arange(len(values)) * _GOLDEN) % 1))
        points = ax.plot(start + unit * aside, np.sort(values), "o", **dots)
        sheet.add("runs", points)
    size = max(3.2, 5 * min(1.0, (sheet.width - _FRAME) * unit / len(folds) / _COLUMN) ** 0.5)
    middle = sheet.add("means", ax.plot(x + unit * _BOX / 2, means[0], "ko", markersize=size - 0.5))
    handles = [Patch(facecolor=LIGHT, edgecolor="0.2"), *middle]
    for number, (shape, filled) in enumerate(_SHAPES[: len(names) - 1], start=1):
        seen = np.isfinite(means[number])
        at = x[seen] + unit * (_BOX + _STRIP + number - 0.5)
        face = "black" if filled else "white"
        how: dict[str, Any] = {"color": "black", "markerfacecolor": face, "markersize": size}
        points = ax.plot(at, np.array(means[number])[seen], shape, **how)
        sheet.add("others", points, [about[number][fold] for fold in np.flatnonzero(seen)])
        handles += points
    ax.set_xlim(-0.5, len(folds) - 0.5)
    ax.set_xticks(np.arange(1, len(folds)) - 0.5, minor=True)
    ax.tick_params(which="minor", length=0)
    ax.grid(axis="x", which="minor", color="0.9", linewidth=0.6)
    ax.grid(axis="y", color="0.9", linewidth=0.6)
    ax.set_axisbelow(True)
    sheet.bare("top", "right")
    _name_folds(sheet, folds)
    measure = f"{experiment.measure or 'score'}, {BETTER[experiment.direction]}"
    ax.set_ylabel(wrapped(measure, 0.9 * _HEIGHT), fontsize=sheet.size, parse_math=False)
    sheet.add("axis", ax.yaxis.label)
    sheet.legend(handles, [f"runs of {algorithm}", "their mean", *names[1:]])
    sizes, of = _sizes(runs[0], folds), f"{algorithm} on {experiment.datasets[place]}"
    some = f"with {len(names) - 1} of {experiment.n_algorithms - 1} other algorithms"
    sheet.caption([f"{of}:", sizes], some if len(names) < experiment.n_algorithms else "")
    alt = (
        f"Boxplots of {experiment.measure or 'scores'} ({BETTER[experiment.direction]}) of "
        f"{of}, {sizes}."
    )
    told = [format_number(float(f"{mean:.4g}")) for mean in means[0]]
    if folds == [""]:
        alt += f" Mean {told[0]}."
    elif len(folds) <= _MOST_TOLD:
        alt += f" Mean by fold: {', '.join(map(' '.join, zip(folds, told, strict=True)))}."
    sides = [_beside_boxes(*each, runs[0]) for each in zip(names[1:], means[1:], strict=True)]
    return sheet.plot(" ".join([alt, *sides]), height=_HEIGHT)


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


def _mark_of(name: str, fold: str, *, first: bool) -> Mark:
    return Mark(f"{'runs' if first else 'mean'} of {name}{fold and f', fold {fold}'}", (name,))


def _sizes(runs: Sequence[FloatArray], folds: Sequence[str]) -> str:
    """Return the number of runs and folds, such as ``30 runs in each of 10 folds``."""
    least, most = min(map(len, runs)), max(map(len, runs))
    text = plural(most, "run") if least == most else f"{least} to {plural(most, 'run')}"
    return text if folds == [""] else f"{text} in each of {len(folds)} folds"


def _beside_boxes(name: str, means: Sequence[float], runs: Sequence[FloatArray]) -> str:
    """Return a sentence that counts the folds with an algorithm below or above the box."""
    lower, upper = np.array([np.quantile(row, (0.25, 0.75)) for row in runs]).T
    below, above = int((means < lower).sum()), int((means > upper).sum())
    within = int(np.isfinite(means).sum()) - below - above
    if len(runs) == 1:
        return f"{name} lies {'below' if below else 'above' if above else 'within'} the box."
    return (
        f"{name} lies below the box in {plural(below, 'fold')}, within it in {within} and "
        f"above it in {above}."
    )


def _chosen_dataset(experiment: Experiment, dataset: str | None) -> str:
    """Return the data set that was named, or the only one."""
    if dataset is not None:
        return check_name(dataset, "dataset", experiment.datasets)
    if experiment.n_datasets == 1:
        return experiment.datasets[0]
    raise ValueError(
        f"`dataset` must name one of the {experiment.n_datasets} data sets, because their scores "
        f"may be on different scales: {listed(experiment.datasets)}."
    )


def _without_runs(experiment: Experiment, algorithm: str, place: int) -> str:
    """Return the message that says why an algorithm has no boxes, and which ones have."""
    counts = np.isfinite(experiment.scores[place]).sum(axis=-1).max(axis=-1)
    several = [name for name, count in zip(experiment.algorithms, counts, strict=True) if count > 1]
    own = int(counts[experiment.algorithms.index(algorithm)])
    have = f"{listed(several)} {'has' if len(several) == 1 else 'have'}" if several else "none has"
    return (
        f"`algorithm` must have several runs in a fold to make a box; {algorithm!r} on "
        f"{experiment.datasets[place]!r} has {own or 'none'}. On this data set, {have} several."
    )


def _chosen_others(
    experiment: Experiment, algorithm: str, others: Iterable[str] | None, place: int
) -> tuple[str, ...]:
    """Return the algorithms that were named, or the first that have a score on the data set."""
    if others is None:
        there = (
            name
            for name, missing in zip(
                experiment.algorithms, experiment.missing[place].tolist(), strict=True
            )
            if name != algorithm and not missing
        )
        return tuple(there)[: len(_SHAPES)]
    names = check_labels(others, "others")
    for name in names:
        check_name(name, "others", experiment.algorithms)
    if algorithm in names:
        raise ValueError(
            f"`others` must be other algorithms; got {algorithm!r}, whose boxes are drawn."
        )
    if len(names) > len(_SHAPES):
        raise ValueError(
            f"`others` must name at most {len(_SHAPES)} algorithms, because no more marks can be "
            f"told apart; got {len(names)}."
        )
    absent = [n for n in names if experiment.missing[place, experiment.algorithms.index(n)]]
    if absent:
        raise DataError(
            f"`others` must have scores on {experiment.datasets[place]!r}; got {absent[0]!r}, "
            "which has none there."
        )
    return names
