"""Ranks of the differences of histories, and the trend tests of all ordered pairs."""

from __future__ import annotations

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import MAXIMIZE
from nbcompare.histories import Histories
from nbcompare.results import Labelled, TrendTests
from nbcompare.stats import adjust as adjusting
from nbcompare.stats import trend
from nbcompare.stats._padded import mean_over, median_over
from nbcompare.stats.ranking import LARGEST, NOISE

# Differences of larger values might overflow; times this they do not, and rank the same.
_SMALLER = 2.0**-3


def aggregated(values: FloatArray, aggregate: str) -> FloatArray:
    """Over the runs, the third axis; (n_problems, n_algorithms, n_cutpoints)."""
    over = mean_over if aggregate == "mean" else median_over
    return over(np.moveaxis(values, 2, -1))


class Ends:
    """Aggregated values at the cut-points, smaller is better, and when optima are reached.

    ``scale`` is the magnitude that their rounding noise goes by; ``reached`` the first
    cut-point (from 1) at the optimum, by problem and algorithm, None if none is known.
    """

    def __init__(
        self, curves: FloatArray, data: Histories, tolerance: float | None, *, logs: bool
    ) -> None:
        sign = -1.0 if data.direction == MAXIMIZE else 1.0
        optimum = None if data.optimum is None else data.optimum[:, np.newaxis, np.newaxis]
        if max(np.abs(known).max() for known in (curves, optimum) if known is not None) > LARGEST:
            curves = curves * _SMALLER
            optimum = None if optimum is None else optimum * _SMALLER
            tolerance = None if tolerance is None else tolerance * _SMALLER
        self.values = sign * curves
        self.scale = np.abs(curves)
        self.reached: IntArray | None = None
        if optimum is not None and tolerance is not None:
            errors = self.values - sign * optimum
            self.scale = np.maximum(self.scale, np.abs(optimum))
            # the mean of runs that all are at the optimum may be off by a rounding error
            solved = errors <= tolerance + NOISE * self.scale
            self.values = np.where(solved, 0.0, errors)
            c = curves.shape[2]
            first = np.where(solved.any(axis=2), solved.argmax(axis=2) + 1, c + 1)
            # reached at the last cut-point alone leaves nothing to be mended
            self.reached = np.asarray(np.where(first == c, c + 1, first), dtype=np.int64)
        if logs:
            self._take_logs(tolerance, data)

    def _take_logs(self, tolerance: float | None, data: Histories) -> None:
        lowest = self.values.min(axis=(1, 2))
        if self.reached is None and (lowest <= 0).any():
            where = int(np.flatnonzero(lowest <= 0)[0])
            raise ValueError(
                "`differences` must be 'raw' unless the optima are known or all values are "
                f"positive and to be minimized; those on {data.problems[where]!r} are not."
            )
        positive = np.where(self.values > 0, self.values, np.inf).min(axis=(1, 2), keepdims=True)
        floor = np.where(np.isfinite(positive), positive, 1.0)
        if tolerance:
            floor = np.minimum(floor, tolerance)
        relative = self.scale / np.maximum(self.values, floor)
        self.values = np.log(np.maximum(self.values, floor))
        self.scale = np.maximum(np.abs(self.values), relative)


def trend_tests(
    ends: Ends,
    version: str,
    null: str,
    procedures: tuple[str, ...],
    alpha: float,
    formulas: str,
) -> TrendTests:
    """All ordered pairs at once: those of the upper triangle, then their mirror images."""
    n, k, c = ends.values.shape
    row, column = np.triu_indices(k, 1)
    values, scale = ends.values.swapaxes(0, 1), ends.scale.swapaxes(0, 1)
    reached = ends.reached.T if version == "alternative" and ends.reached is not None else None
    upper = trend.convergence_ranks(
        values[column] - values[row],
        None if reached is None else reached[row],
        None if reached is None else reached[column],
        scale=np.maximum(scale[row], scale[column]),
    )
    ranks = np.full((k, k, n, c), (c + 1) / 2)
    ranks[row, column], ranks[column, row] = upper, c + 1 - upper
    off = ~np.eye(k, dtype=np.bool_)
    both = ranks[off]  # (k (k - 1), n, c), row by row
    exchange = trend.exchange(both)
    page = trend.page(both, method="normal" if formulas == "printed" else "auto", formulas=formulas)
    p = exchange.pvalue if null == "exchange" else page.pvalue
    adjusted = {name: adjusting.adjust(p, name, alpha, formulas=formulas) for name in procedures}
    decisive = adjusted[procedures[0]] if procedures else p

    def matrix(cells: FloatArray, diagonal: float) -> FloatArray:
        square = np.full((k, k), diagonal)
        square[off] = cells
        return square

    return TrendTests(
        statistic=matrix(page.statistic, n * c * (c + 1) ** 2 / 4),
        exchange=matrix(exchange.pvalue, 1.0),
        log10_exchange=matrix(exchange.log10_pvalue, 0.0),
        page=matrix(page.pvalue, 1.0),
        log10_page=matrix(page.log10_pvalue, 0.0),
        exchange_method=exchange.method,
        page_method=page.method,
        adjusted=Labelled({name: matrix(cells, 1.0) for name, cells in adjusted.items()}),
        rejected=matrix(decisive, 1.0) <= alpha,
        ranks=ranks,
    )
