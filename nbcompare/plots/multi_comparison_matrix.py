"""Multiple comparison matrix: mean difference, counts and p-value of every pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from nbcompare._options import MINIMIZE
from nbcompare._render import format_number, stated_p
from nbcompare._validation import check_choice, check_labels, check_name
from nbcompare.plots._labels import basis, means, rank_decimals, signed
from nbcompare.plots._marks import Mark
from nbcompare.plots._matrix import COLUMN, ROW, Cell, Key, Names, diverging, draw_matrix
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._told import algorithm_marks, pair_mark
from nbcompare.results import Comparison
from nbcompare.results.comparison import average_rank
from nbcompare.words import PAIRWISE_TESTS

_MEAN, _RANK = "mean", "rank"
_ADJUSTED, _RAW = "adjusted", "raw"
_NOTHING = "–"  # the difference of two algorithms without a common data set


def multi_comparison_matrix(
    comparison: Comparison,
    *,
    rows: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
    order: str = "auto",
    pvalues: str = _ADJUSTED,
    ax: Axes | None = None,
) -> Plot:
    """Draw the mean difference, win/tie/loss counts and p-value of every pair in a matrix.

    A cell holds how much better the mean score of the row is than that of the column, in units of
    the measure; the numbers of data sets on which the row wins, ties and loses; and the p-value.
    It is framed and bold if the null hypothesis is rejected. Its colour shows which mean is
    better: blue for the row, orange for the column. The mean is not what is tested, and may point
    the other way. Under each name stands its mean score.

    If the data sets are on several scales, mean differences mean little. Then a cell holds the
    share of data sets on which the row is better, a tie counting half, and under each name stands
    its average rank. If scores are missing, a cell is about the data sets with scores of both
    algorithms, and has a dash if there is none.

    Parameters
    ----------
    comparison : Comparison
        Result of :func:`nbcompare.compare`.
    rows, columns : iterable of str, optional
        Algorithms to show. By default, all of them; with a control all others as rows and the
        control as column; and if only one of the two is given, the algorithms that were compared
        with it, so that ``rows=["SVM"]`` is one against all. With more than 16 columns, a cell
        has no text but a triangle that points to the algorithm that the test found better, filled
        if the null hypothesis is rejected.
    order : {"auto", "mean", "rank"}
        Whether algorithms are sorted by mean score or by average rank, best first. ``auto``: by
        mean score, unless the data sets are on several scales or scores are missing, so that
        means are over different data sets.
    pvalues : {"adjusted", "raw"}
        Which p-value a cell holds and is decided by: that of the comparison, adjusted by its first
        procedure if there is one; or the unadjusted one, see the notes.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure, which grows
        with the number of algorithms.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells``, ``texts``, ``marks`` (the
        triangles), ``outlines``, ``sample`` (a cell that says what the lines are) and ``legend``.

    Raises
    ------
    ValueError
        If the comparison has no scores because it was made from average ranks, if a name is
        not that of an algorithm, if no pair of ``rows`` and ``columns`` was tested, or if means
        are to decide the order on several scales.

    Notes
    -----
    Benavoli et al. (2016) argue against tests of pairs by average ranks, because their p-values
    depend on the other algorithms of the study: the same two may differ significantly among some
    algorithms and not among others. Ismail-Fawaz et al. (2023) want more: what is said of a pair
    should not change at all when algorithms are added or left out. Mean differences, counts and
    the unadjusted p-values of Wilcoxon's or t tests satisfy this, and ``pvalues="raw"`` shows
    them; adjusted p-values do not, because they depend on the number of pairs and on their
    p-values. What is lost is the protection against chance: of the 45 pairs of 10 algorithms that
    perform equally, 2 are expected to have an unadjusted p of at most 0.05. Therefore adjusted
    p-values are the default here.

    References
    ----------
    Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use post-hoc tests based on
    mean-ranks? Journal of Machine Learning Research 17 (5), 1–10.

    Ismail-Fawaz, A. et al. (2023). An approach to multiple comparison benchmark evaluations that
    is stable under manipulation of the comparate set. arXiv 2305.11921.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"))
    >>> plot = nbc.plots.multi_comparison_matrix(result, rows=["C4.5+m"], columns=["C4.5"])
    >>> print(plot.artists["texts"][0].get_text())
    +0.0155
    10/2/2
    p = 0.0469
    """
    check_result(comparison, "multi_comparison_matrix", Comparison)
    check_choice(order, "order", ("auto", _MEAN, _RANK))
    check_choice(pvalues, "pvalues", (_ADJUSTED, _RAW))
    if comparison.mean_scores is None or not comparison.hypotheses.has_effects:
        raise ValueError(
            "`comparison` must hold scores for a matrix of mean differences; got one made from "
            "average ranks alone. Use compare(experiment), or draw a pvalue_matrix instead."
        )
    if order == _MEAN and comparison.several_scales:
        raise ValueError(
            "`order` must be 'rank' or 'auto' here, because the data sets are on several scales, "
            "so that mean scores mean little. If they are on one scale all the same, state it: "
            "compare(experiment, scale='one')."
        )
    return _Matrix(comparison, rows, columns, order, raw=pvalues == _RAW).draw(ax)


class _Place(NamedTuple):
    """A cell: its hypothesis, 1 if the first algorithm is the row, else -1, row and column."""

    test: int
    sign: int
    row: int
    column: int


class _Matrix:
    """What the matrix shows of a comparison, in words and numbers."""

    def __init__(
        self,
        comparison: Comparison,
        rows: Iterable[str] | None,
        columns: Iterable[str] | None,
        order: str,
        *,
        raw: bool,
    ) -> None:
        self.result, self.raw, self.by_share = comparison, raw, comparison.several_scales
        self.mean_scores: Mapping[str, float] = comparison.mean_scores or {}
        by_rank = self.by_share or comparison.has_gaps
        self.order = (_RANK if by_rank else _MEAN) if order == "auto" else order
        self.names = self._names(rows, columns)
        self.places = self._places()
        if not self.places:
            control = comparison.control
            raise ValueError(
                "`rows` and `columns` must include at least one pair that was tested; got "
                f"{list(self.names.rows)} and {list(self.names.columns)}"
                + (f" against the control {control!r}." if control else ".")
            )
        tests = comparison.hypotheses
        self.counts = np.array([tests.wins, tests.ties, tests.losses], dtype=np.int64)
        shared = self.counts.sum(axis=0) > 0
        # how much better the first algorithm is: by its wins or by its mean
        sizes = tests.win_share if self.by_share else tests.mean_difference
        gains = np.asarray(sizes, dtype=np.float64)
        self.gains = np.where(shared, 2 * gains - 1 if self.by_share else gains, 0.0)
        self.shared = shared
        self.rejected = tests.pvalue <= comparison.alpha if raw else tests.rejected
        self.largest = max(float(abs(self.gains[place.test])) for place in self.places)

    # --------------------------------------------------------------------------- names

    def _sorted(self) -> tuple[str, ...]:
        ordered = self.result.ordered
        if self.order == _RANK:
            return ordered
        sign = 1 if self.result.design.direction == MINIMIZE else -1
        return tuple(sorted(ordered, key=lambda name: sign * self.mean_scores[name]))

    def _names(self, rows: Iterable[str] | None, columns: Iterable[str] | None) -> Names:
        ordered, control = self._sorted(), self.result.control
        kept_rows, kept_columns = self._kept(rows, "rows"), self._kept(columns, "columns")
        if kept_rows is None and kept_columns is None and control is not None:
            kept_columns = frozenset({control})
        shown = [
            tuple(
                name
                for name in ordered
                if (self._is_tested_with(name, others) if kept is None else name in kept)
            )
            for kept, others in ((kept_rows, kept_columns), (kept_columns, kept_rows))
        ]
        return Names(
            shown[0],
            shown[1],
            bold=frozenset() if control is None else frozenset({control}),
            below=self._figures(shown[0]),
            beneath=self._figures(shown[1]),
            diagonal=True,
            about=algorithm_marks(self.result),
        )

    def _is_tested_with(self, name: str, others: frozenset[str] | None) -> bool:
        """Return whether an algorithm is in a hypothesis with one of the others, if any."""
        if others is None:
            return True
        control = self.result.control
        if control is None or name == control:
            return bool(others - {name})
        return control in others

    def _kept(self, names: Iterable[str] | None, argument: str) -> frozenset[str] | None:
        if names is None:
            return None
        known = self.result.design.algorithms
        wanted = frozenset(
            check_name(name, argument, known) for name in check_labels(names, argument)
        )
        if not wanted:
            raise ValueError(f"`{argument}` must name at least one algorithm; got none.")
        return wanted

    def _figures(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the number that stands with each name: its mean score or its average rank."""
        if not self.by_share:
            told = dict(zip(self.mean_scores, means(list(self.mean_scores.values())), strict=True))
            return tuple(told[name] for name in names)
        ranks = self.result.average_ranks
        decimals = rank_decimals(max(ranks.values()))
        return tuple(format_number(ranks[name], decimals) for name in names)

    # --------------------------------------------------------------------------- cells

    def _places(self) -> list[_Place]:
        tests = self.result.hypotheses
        row_of = {name: row for row, name in enumerate(self.names.rows)}
        column_of = {name: column for column, name in enumerate(self.names.columns)}
        return [
            _Place(test, sign, row_of[one], column_of[other])
            for test, (first, second) in enumerate(zip(tests.first, tests.second, strict=True))
            for sign, one, other in ((1, first, second), (-1, second, first))
            if one in row_of and other in column_of
        ]

    def _cells(self) -> list[Cell]:
        gains = [float(place.sign * self.gains[place.test]) for place in self.places]
        texts = [_percent(gain) for gain in gains] if self.by_share else signed(gains)
        return [
            self._cell(place, gain, text if self.shared[place.test] else _NOTHING)
            for place, gain, text in zip(self.places, gains, texts, strict=True)
        ]

    def _cell(self, place: _Place, gain: float, size: str) -> Cell:
        tests, test = self.result.hypotheses, place.test
        counts = "/".join(map(str, self.counts[:: place.sign, test].tolist()))
        p = stated_p(tests.unadjusted(test) if self.raw else tests.decisive(test))
        pair = self.names.rows[place.row], self.names.columns[place.column]
        told = f"{' – '.join(pair)}: {size}, W/T/L {counts}, unadjusted {p}"
        statistic = place.sign * float(tests.statistic[test])
        return Cell(
            row=place.row,
            column=place.column,
            text=f"{size}\n{counts}\n{p}",
            color=diverging(gain, self.largest),
            better="" if statistic == 0 else ROW if statistic > 0 else COLUMN,
            strong=bool(self.rejected[test]),
            about=Mark(told, pair, pair=True) if self.raw else pair_mark(self.result, test),
        )

    def draw(self, ax: Axes | None) -> Plot:
        cells = self._cells()
        size = "share won" if self.by_share else "mean difference"
        return draw_matrix(
            self.names,
            cells,
            caption=self._caption(),
            legend=self._legend(),
            sample=f"{size}\nwin/tie/loss\n{self._kind}",
            alt=self._alt(cells),
            outlined=True,
            ax=ax,
        )

    # --------------------------------------------------------------------------- words

    @property
    def _kind(self) -> str:
        return "adjusted p" if self.result.adjust and not self.raw else "unadjusted p"

    @property
    def _basis(self) -> str:
        by_ranks = PAIRWISE_TESTS[self.result.pairs].by_ranks
        depends = "; by average ranks, so that it depends on the others" * (self.raw and by_ranks)
        return f"{self._kind} ({basis(self.result, adjusted=not self.raw)}{depends})"

    @property
    def _describe_means(self) -> str:
        design = self.result.design
        negated = " (negated there)" if design.turned else ""
        return f"mean {design.measure or 'score'}, {design.better}{negated}"

    def _caption(self) -> list[str]:
        compact, minus = self.names.compact, self.result.design.minus("row", "column")
        first = f"Difference of {self._describe_means}" + ("" if compact else f", {minus}")
        if self.by_share:
            first = (
                "Share of data sets on which the row is better; mean differences mean little on "
                "several scales"
            )
        if compact:
            return [first, f"Rejected by {self._basis}", self._sorting.capitalize()]
        number = self._rank if self.by_share else "mean"
        both = "; differences over data sets with scores of both" * self.result.has_gaps
        return [
            first,
            f"Win/tie/loss of the row; {self._basis}",
            f"Under each name: {number}; {self._sorting}{both}",
        ]

    @property
    def _sorting(self) -> str:
        return f"best {self._rank if self.order == _RANK else 'mean'} first"

    @property
    def _rank(self) -> str:
        return average_rank(self.result)

    def _legend(self) -> list[Key]:
        largest = _percent(self.largest) if self.by_share else signed([self.largest])[0].lstrip("+")
        how = "wins more often, on" if self.by_share else "mean is better, by"
        colors = [
            Key(f"{side} {how} up to {largest}", color=diverging(sign, 1))
            for sign, side in ((1, "row"), (-1, "column"))
        ]
        if not self.names.compact:
            return [*colors, Key("bold in a frame: rejected", strong=True)]
        return [
            *colors,
            Key("test: row is better", ROW, filled=True),
            Key("test: column is better", COLUMN, filled=True),
            Key("not rejected", COLUMN, filled=False),
        ]

    def _alt(self, cells: list[Cell]) -> str:
        names, minus = self.names, self.result.design.minus
        seen: set[frozenset[str]] = set()
        rejected = []
        for cell in cells:
            row, column = names.rows[cell.row], names.columns[cell.column]
            pair = frozenset({row, column})
            if cell.strong and pair not in seen:
                size, counts, p = cell.text.split("\n")
                between = f"{row} against {column}" if self.by_share else minus(row, column)
                rejected.append(f"{between} {size} ({counts}, {p})")
            seen.add(pair)
        what = f"differences of {self._describe_means}"
        if self.by_share:
            what = "shares of data sets on which the row is better, because of several scales"
        rows = _listed(names.rows, names.below)
        number = self._rank if self.by_share else "mean"
        return (
            f"Matrix of {what}, with win/tie/loss and {self._basis}. Rows, {self._sorting}, each "
            f"with its {number}: {rows}. Columns: {_listed(names.columns, names.beneath)}. "
            f"Hypotheses rejected, of {len(seen)} pairs: {'; '.join(rejected) or 'none'}."
        )


def _percent(gain: float) -> str:
    """Return the share of wins that is so much above the share of losses, a tie counting half."""
    return f"{50 * (1 + gain):.0f} %"


def _listed(names: Sequence[str], numbers: Sequence[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=True))
