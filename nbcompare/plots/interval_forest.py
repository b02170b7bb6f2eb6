"""Forest plot of intervals: means, p-values or mean differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._render import plural
from nbcompare._validation import check_choice
from nbcompare.plots._labels import Entry, Legend, wrapped
from nbcompare.plots._labels import basis as basis_of_ranks
from nbcompare.plots._marks import Mark
from nbcompare.plots._outcomes import (
    FILL,
    SIGN,
    TINT,
    PScale,
    basis,
    choose,
    keys_of,
    legend_entries,
    mark,
    mean_of,
    shortened,
    told,
    versus,
)
from nbcompare.plots._plot import Canvas, Plot, check_result
from nbcompare.plots._rows import BAND, OpenChart, RowChart
from nbcompare.plots._scale import Scale
from nbcompare.plots._told import pair_mark
from nbcompare.results import Comparison
from nbcompare.results.imprecise import (
    NOT_REJECTED,
    REJECTED,
    ImpreciseHypotheses,
    interval,
    interval_p,
)
from nbcompare.results.stochastic import StochasticComparison
from nbcompare.results.stochastic_wording import blocks
from nbcompare.results.within import WithinComparison, difference, interval_text
from nbcompare.words import PAIRWISE_TESTS

MEANS, PVALUES, DIFFERENCES = "means", "pvalues", "differences"
KINDS = (MEANS, PVALUES, DIFFERENCES)
MOST_ROWS = 45
# All lengths in inches.
_ROW = 0.24
_BAR = 0.11
_NARROW = 0.09  # an interval shorter than this is drawn as a mark
_PLAIN = {"facecolor": "0.75", "edgecolor": "0.2"}
_CONTROL = {"facecolor": "0.2", "edgecolor": "0.2"}


def interval_forest(
    result: StochasticComparison | WithinComparison | Comparison,
    what: str | None = None,
    rows: int | str | Iterable[str] | Iterable[tuple[str, str]] | None = None,
    *,
    overall: bool | None = None,
    ax: Axes | None = None,
) -> Plot:
    """Draw intervals in rows: means, p-values or mean differences.

    A bar extends from the lower to the upper end of an interval. An interval without width is a
    circle, or a tick if it has no outcome. Bars (circles) are filled if the hypothesis is
    rejected, empty if it is not, and hatched (half filled) if the outcome is inconclusive.

    Parameters
    ----------
    result : StochasticComparison, WithinComparison or Comparison
        Result of :func:`nbcompare.compare_stochastic`, of :func:`nbcompare.compare_cv` for
        several algorithms, of :func:`nbcompare.compare_items`, or of :func:`nbcompare.compare`
        with intervals. All but the first have confidence intervals of differences, which are drawn
        with a tick at the estimate, and a margin as a shaded band; a net covers what is within it.
    what : {"means", "pvalues", "differences"}
        Quantity to draw, by default the means, or the differences for results that have no other
        intervals. ``means``: the mean of each algorithm over the blocks, best first,
        filled according to the comparison with the control if there is one. ``pvalues``: the
        p-values that decide, on a logarithmic axis, with a line at α. ``differences``:
        differences of means in units of the measure, positive where the first algorithm is
        better, with a line at zero.
    rows : int, str or iterable, optional
        Rows to draw: a number of rows from the first on, by default 45 (all algorithms for
        ``means``); the name of one algorithm, for all its rows; or a list of algorithms or of
        pairs of them.
    overall : bool, optional
        Whether p-values and differences compare each algorithm with the mean of all
        (bootstrap tests) or compare pairs. By default, p-values are against the mean of all
        if available, and differences are those of pairs. Has no effect on means.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``intervals`` (a bar or a mark per row), ``names``, ``columns``
        (headers and texts on the right), ``line`` (α or zero, after the band of a margin; empty
        for means), ``axis`` and ``legend``.

    Raises
    ------
    ValueError
        If ``what`` is not one of these words, or the result has no such intervals, if rows do
        not exist, or if ``overall`` is True and no algorithm is compared with the mean of all.

    References
    ----------
    Otero, J., Sánchez, L., Couso, I. and Palacios, A. (2013). Bootstrap analysis of multiple
    repetitions of experiments using an interval-valued multiple comparison procedure.
    Journal of Computer and System Sciences, Table 7.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> runs = np.random.default_rng(1).normal([[[0.4]], [[0.5]], [[0.42]]], 0.04, (8, 3, 1, 30))
    >>> experiment = nbc.Experiment.from_array(runs, direction="minimize")
    >>> plot = nbc.plots.interval_forest(nbc.compare_stochastic(experiment))
    >>> [text.get_text() for text in plot.artists["names"]]
    ['A1', 'A3', 'A2']
    """
    if not isinstance(result, WithinComparison):
        check_result(result, "interval_forest", StochasticComparison, Comparison)
    if what is not None:
        check_choice(what, "what", KINDS)
    if isinstance(result, WithinComparison):
        _check_differences(what, "a comparison on one data set", overall=bool(overall))
        return _Forest(_within(result, rows)).draw(ax)
    if isinstance(result, Comparison):
        _check_differences(what, "a comparison by ranks", overall=bool(overall))
        return _Forest(_of_pairs(result, rows)).draw(ax)
    what = MEANS if what is None else what
    if what == MEANS:
        return _Forest(_means(result, rows)).draw(ax)
    if overall is None:
        overall = what == PVALUES and result.overall is not None
    tests = result.overall if overall else result.hypotheses
    if tests is None:
        raise ValueError(
            "`overall` must not be True: only the bootstrap tests compare each algorithm with "
            f"the mean of all, and the procedure is {result.procedure!r}."
        )
    make = _pvalues if what == PVALUES else _differences
    return _Forest(make(result, tests, rows)).draw(ax)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """Content of the figure: a name, two ends and an outcome (empty if none) per row."""

    kind: str  # quantity of the intervals, for the alternative text
    names: Sequence[str]
    low: Sequence[float]
    high: Sequence[float]
    outcomes: Sequence[str]
    columns: Sequence[tuple[str, Sequence[str]]]
    scale: Scale | PScale
    label: str
    caption: Sequence[str]
    lines: Sequence[str]  # for the alternative text
    about: Sequence[Mark]  # what a page says of each row
    control: int | None = None
    line: tuple[float, str] | None = None
    middle: Sequence[float] | None = None  # where an interval has a tick
    tint: str = ""
    band: float = 0.0  # half the width of a shaded band around the line


def _means(result: StochasticComparison, rows: object) -> _Content:
    ordered = result.ordered
    names = [ordered[place] for place in choose([(n,) for n in ordered], rows, len(ordered))]
    low, high = ([ends[name] for name in names] for ends in (result.mean_low, result.mean_high))
    tests, control = result.hypotheses, result.control
    texts = [interval(a, b) for a, b in zip(low, high, strict=True)]
    columns: list[tuple[str, Sequence[str]]] = [("mean", texts)]
    outcomes = [""] * len(names)
    caption = [f"Means over {blocks(result)}"]
    if control is not None:
        by_name = dict(zip(tests.second or (), tests.outcome, strict=True))
        outcomes = [by_name.get(name, "") for name in names]
        words = [word or "control" for word in outcomes]
        columns.append((f"against {'control' if len(control) > 20 else control}", words))
        caption = [f"Means; outcomes: {basis(result, tests)}"]
    lines = [
        f"{name} {text}{f' ({word})' if word else ''}"
        for name, text, word in zip(names, texts, outcomes, strict=True)
    ]
    scale = Scale(np.array([*low, *high]), log=False)
    return _Content(
        kind="means",
        names=[wrapped(f"{name} (control)" if name == control else name) for name in names],
        low=low,
        high=high,
        outcomes=outcomes,
        columns=columns,
        scale=scale,
        about=[Mark(line, (name,)) for name, line in zip(names, lines, strict=True)],
        label=f"{mean_of(result)}{scale.suffix}, {result.design.better}",
        caption=[*caption, *shortened(len(names), len(ordered), "algorithm")],
        lines=lines,
        control=names.index(control) if control in names else None,
    )


def _pvalues(result: StochasticComparison, tests: ImpreciseHypotheses, rows: object) -> _Content:
    keys = keys_of(tests)
    chosen = choose(keys, rows, MOST_ROWS)
    low, high = (ends[chosen].tolist() for ends in tests.decisive)
    texts = [interval_p(a, b) for a, b in zip(low, high, strict=True)]
    outcomes = [tests.outcome[row] for row in chosen]
    kind = "adjusted p-value" if tests.adjusted_low else "unadjusted p-value"
    return _Content(
        kind=f"{kind}s{_against(tests)}",
        names=[versus(keys[row]) for row in chosen],
        low=low,
        high=high,
        outcomes=outcomes,
        columns=[("p", texts), ("outcome", _words(outcomes))],
        scale=PScale(min(low), result.alpha),
        label=f"{kind}{_against(tests)} (logarithmic)",
        caption=_caption(result, tests, chosen),
        lines=_lines(keys, chosen, texts, outcomes),
        about=_about(keys, chosen, texts, outcomes),
        line=(result.alpha, f"α = {result.alpha:g}"),
        tint=TINT,
    )


def _differences(
    result: StochasticComparison, tests: ImpreciseHypotheses, rows: object
) -> _Content:
    keys = keys_of(tests)
    chosen = choose(keys, rows, MOST_ROWS)
    low, high = (ends[chosen].tolist() for ends in (tests.difference_low, tests.difference_high))
    texts = [interval(a, b) for a, b in zip(low, high, strict=True)]
    outcomes = [tests.outcome[row] for row in chosen]
    scale = Scale(np.array([*low, *high, 0.0]), log=False)
    pair = (
        result.design.minus("algorithm", "mean of all")
        if tests.second is None
        else result.design.minus()
    )
    measure = f"{result.measure or 'scores'}{scale.suffix}"
    return _Content(
        kind=f"mean differences{_against(tests)}",
        names=[versus(keys[row]) for row in chosen],
        low=low,
        high=high,
        outcomes=outcomes,
        columns=[("difference", texts), ("outcome", _words(outcomes))],
        scale=scale,
        label=f"mean difference of {measure}, {pair}; {result.design.better}",
        caption=_caption(result, tests, chosen),
        lines=_lines(keys, chosen, texts, outcomes),
        about=_about(keys, chosen, texts, outcomes),
        line=(0.0, "no difference"),
    )


def _check_differences(what: str | None, of: str, *, overall: bool) -> None:
    if what not in (None, DIFFERENCES):
        raise ValueError(
            f"`what` must be {DIFFERENCES!r} for {of}, whose intervals are those of differences; "
            f"got {what!r}."
        )
    if overall:
        raise ValueError(
            f"`overall` must not be True: {of} compares no algorithm with the mean of all."
        )


def _of_pairs(result: Comparison, rows: object) -> _Content:
    tests = result.hypotheses
    if result.confidence is None:
        why = result.without_intervals or "None were asked for: intervals='none'."
        raise ValueError(
            f"`result` must have intervals of the differences. {why} Tests of pairs by "
            "pairs='wilcoxon' or 't' have them, with intervals='simultaneous' or 'pairwise'."
        )
    keys = list(zip(tests.first, tests.second, strict=True))
    chosen = choose(keys, rows, MOST_ROWS)
    effects = tests.effects(chosen)
    # of few data sets that a pair shares, the interval is infinite and is not drawn
    drawn = np.isfinite(effects["lower"])
    middle = effects["estimate"]
    low, high = (np.where(drawn, effects[end], middle) for end in ("lower", "upper"))
    told = tests.differences(chosen, turned=False)
    texts = [f"{estimate} ({ends})" if ends else estimate for estimate, ends in told]
    margin = result.margin
    if margin is None:
        outcomes = [REJECTED if tests.rejected[row] else NOT_REJECTED for row in chosen]
    else:
        outcomes = effects["outcome"].tolist()
    edges = [] if margin is None else [-margin, margin]
    scale = Scale(np.array([*low, *high, 0.0, *edges]), log=False)
    alone = ", each by itself" if result.intervals == "pairwise" else ""
    caption = [basis_of_ranks(result), f"{result.interval_text}s{alone}{result.about_margin}"]
    return _Content(
        kind="differences",
        names=[versus(keys[row]) for row in chosen],
        low=low.tolist(),
        high=high.tolist(),
        middle=middle.tolist(),
        outcomes=outcomes,
        columns=[
            (f"difference, {result.interval_text.removeprefix('simultaneous ')}", texts),
            ("p" if not result.adjust else "adjusted p", [tests.decisive(row) for row in chosen]),
            ("decision", _words(outcomes)),
        ],
        scale=scale,
        label=f"{PAIRWISE_TESTS[result.pairs].estimate} of {result.design.measure or 'scores'}"
        f"{scale.suffix}, {result.design.minus()}; {result.design.better}",
        caption=[*caption, *shortened(len(chosen), len(tests), "comparison")],
        lines=_lines(keys, chosen, texts, outcomes),
        about=[pair_mark(result, row, text) for row, text in zip(chosen, texts, strict=True)],
        line=(0.0, "no difference"),
        band=margin or 0.0,
    )


def _within(result: WithinComparison, rows: object) -> _Content:
    tests, name = result.hypotheses, result.difference_name
    name = "mean difference" if name == "difference of means" else name
    keys = list(zip(tests.first, tests.second, strict=True))
    chosen = choose(keys, rows, MOST_ROWS)
    middle = [difference(result, row) for row in chosen]
    # of few runs an interval is infinite and is not drawn
    drawn = np.isfinite(result.lower[chosen]) & np.isfinite(result.upper[chosen])
    low, high = (
        np.where(drawn, ends[chosen], middle).tolist() for ends in (result.lower, result.upper)
    )
    texts = [
        f"{result.size(mean)} {interval_text(result, row)}"
        for mean, row in zip(middle, chosen, strict=True)
    ]
    outcomes = [REJECTED if tests.rejected[row] else NOT_REJECTED for row in chosen]
    scale = Scale(np.array([*low, *high, 0.0]), log=False)
    return _Content(
        kind=f"{name}s",
        names=[versus(keys[row]) for row in chosen],
        low=low,
        high=high,
        middle=middle,
        outcomes=outcomes,
        columns=[
            (f"difference, {result.confidence:.4g} interval", texts),
            ("p" if not result.adjust else "adjusted p", [tests.decisive(row) for row in chosen]),
            ("outcome", _words(outcomes)),
        ],
        scale=scale,
        label=f"{name} of {result.design.measure or 'scores'}{scale.suffix}, "
        f"{result.design.minus()}; {result.design.better}",
        caption=[
            f"{result.test_label[0].upper()}{result.test_label[1:]}, {result.procedure}, "
            f"α = {result.alpha:g}, {result.extent}",
            *shortened(len(chosen), len(tests), "comparison"),
        ],
        lines=_lines(keys, chosen, texts, outcomes),
        about=_about(keys, chosen, texts, outcomes),
        line=(0.0, "no difference"),
    )


def _against(tests: ImpreciseHypotheses) -> str:
    return " against the mean of all" if tests.second is None else ""


def _words(outcomes: Sequence[str]) -> list[str]:
    return [f"{SIGN[word]} {word}" for word in outcomes]


def _caption(
    result: StochasticComparison, tests: ImpreciseHypotheses, chosen: Sequence[int]
) -> list[str]:
    return [basis(result, tests), *shortened(len(chosen), len(tests), "comparison")]


def _lines(
    keys: Sequence[tuple[str, ...]],
    chosen: Sequence[int],
    texts: Sequence[str],
    outcomes: Sequence[str],
) -> list[str]:
    return [
        f"{' vs. '.join(keys[row])} {text} ({word})"
        for row, text, word in zip(chosen, texts, outcomes, strict=True)
    ]


def _about(
    keys: Sequence[tuple[str, ...]],
    chosen: Sequence[int],
    texts: Sequence[str],
    outcomes: Sequence[str],
) -> list[Mark]:
    """Return what a page says of each row, which a table of pairs has too."""
    lines = _lines(keys, chosen, texts, outcomes)
    return [
        Mark(line, keys[row], pair=len(keys[row]) == 2)
        for row, line in zip(chosen, lines, strict=True)
    ]


class _Forest:
    """Drawing of a forest plot."""

    def __init__(self, content: _Content) -> None:
        self.content = content

    def draw(self, ax: Axes | None) -> Plot:
        content = self.content
        small = content.scale.small_ticks() if isinstance(content.scale, PScale) else ()
        bold = frozenset() if content.control is None else frozenset({content.control})
        chart = RowChart(
            names=content.names,
            columns=content.columns,
            axis=content.scale,
            label=content.label,
            least_height=_ROW,
            caption=content.caption,
            legend=Legend(self._legend()),
            bold=bold,
            line=content.line,
            tint=content.tint,
            band=content.band,
            small_ticks=small,
            about=content.about,
        ).open(ax)
        places = range(len(content.names))
        chart.artists["intervals"] = tuple(
            chart.told(place, self._draw_row(chart, place)) for place in places
        )
        return chart.close(self._alt(), shown=ax is None)

    def _draw_row(self, chart: OpenChart, row: int) -> Artist:
        content, y = self.content, chart.middle(row)
        x = chart.x(content.low[row]), chart.x(content.high[row])
        word = content.outcomes[row]
        if x[1] - x[0] < _NARROW:
            middle = (x[0] + x[1]) / 2
            if row == content.control:
                return chart.canvas.marker(middle, y, "D", 6.0, filled=True)
            if not word:
                return chart.canvas.marker(middle, y, "|", 9.0, filled=True)
            return mark(chart.canvas, middle, y, word)
        style = FILL[word] if word else _CONTROL if row == content.control else _PLAIN
        if content.middle is not None:
            at = chart.x(content.middle[row])
            chart.told(row, chart.canvas.line((at, at), (y - _BAR, y + _BAR), 1.6, zorder=4))
        return chart.canvas.box(x, (y - _BAR / 2, y + _BAR / 2), 0.9, zorder=3, **style)

    def _legend(self) -> list[Entry]:
        content = self.content
        entries = legend_entries(content.outcomes)
        if content.control is not None:
            entries.append(Entry("control", _control_symbol))
        if content.band:
            entries.append(Entry(f"within the margin of {content.band:g}", _band_symbol))
        return entries

    def _alt(self) -> str:
        content = self.content
        if content.outcomes[0] or content.control is not None:
            text = told(content.lines, content.outcomes, most=45)
        else:
            text = "; ".join(content.lines)
        axis = " on a logarithmic axis" if isinstance(content.scale, PScale) else ""
        order = ", best first" if content.kind == MEANS else ""
        return (
            f"Intervals of {content.kind}{axis}{order} ({'; '.join(content.caption)}), "
            f"{plural(len(content.names), 'row')}: {text}."
        )


def _control_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [canvas.box((x - 0.12, x + 0.12), (y - 0.055, y + 0.055), 0.9, **_CONTROL)]


def _band_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    style = {"facecolor": BAND, "edgecolor": "none"}
    return [canvas.box((x - 0.12, x + 0.12), (y - 0.055, y + 0.055), 0.0, **style)]
