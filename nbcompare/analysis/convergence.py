"""Compare how fast optimisers converge, from the histories of their runs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import ALL_PAIRS_ONLY, AUTO, MAXIMIZE, OPTIONS, default
from nbcompare._render import Note, plural
from nbcompare._validation import (
    DataError,
    check_count,
    check_probability,
    listed,
    shown,
)
from nbcompare._version import __version__
from nbcompare.analysis import _convergence_notes as notes_on
from nbcompare.analysis._checks import Adjust, check_adjust
from nbcompare.histories import Histories
from nbcompare.results import ConvergenceComparison, Design, Labelled, TrendTests
from nbcompare.stats import adjust as adjusting
from nbcompare.stats import trend


def compare_convergence(
    histories: Histories,
    *,
    cutpoints: int = default("cutpoints"),
    version: str = default("version"),
    optimum_tolerance: float | None = default("optimum_tolerance"),
    aggregate: str = default("aggregate"),
    differences: str = default("differences"),
    adjust: Adjust = default("convergence.adjust"),
    alpha: float = default("convergence.alpha"),
    null: str | None = default("null"),
    formulas: str = default("formulas"),
    missing: str = default("convergence.missing"),
) -> ConvergenceComparison:
    """Test for every ordered pair of optimisers whether the first converges faster.

    At regular cut-points of the budget the best values so far are averaged over the runs, and
    the difference of two algorithms is ranked over the cut-points of each problem. If the
    first converges faster, the difference in its favour grows, and its ranks rise: Page's L
    tests for that over all problems.

    Parameters
    ----------
    histories : Histories
        At least 2 algorithms on at least 2 problems.
    cutpoints : int, default 10
        How many, at regular shares of each problem's budget; at least 3. About twice as many
        problems as cut-points are advisable.
    version : {"both", "basic", "alternative"}
        ``basic``: ranks of the differences. ``alternative``: the same, but from the cut-point
        on at which one of the two reaches the optimum first, ranks go on in its favour; it
        needs known optima. ``both`` side by side, since they may disagree; without known
        optima, ``basic`` alone, with a note.
    optimum_tolerance : float, optional
        Errors up to this count as the optimum; 0 by default. Hardly any program reaches an
        error of exactly 0.
    aggregate : {"mean", "median"}
        Of the runs at each cut-point.
    differences : {"raw", "log"}
        ``raw``: of the values, as in the paper. ``log``: of the logarithms of the errors (or
        of the values, without known optima), which compares orders of magnitude: raw
        differences are governed by the algorithm that is farther from the optimum. Errors of 0
        count as the tolerance, or as the least other error on the problem.
    adjust : str or list of str or None
        Procedure that adjusts the p-values of all k(k - 1) ordered pairs, as in
        :func:`nbcompare.compare` (not those about unordered pairs); none by default, as in
        the paper.
    alpha : float, default 0.1
        Significance level; that of the paper.
    null : {"exchange", "page"}, optional
        Which p decides; both are given. ``exchange`` (default): the two algorithms may be
        swapped on every problem. ``page``: all orders of the cut-points are equally likely,
        which is not so for the cut-points of a run: for two copies of one algorithm it
        rejects 0.17 to 0.25 at a nominal 0.05 with 10 cut-points.
    formulas : {"corrected", "printed"}
        ``printed``: ``null="page"`` unless told otherwise, by the normal approximation as
        the paper prints it.
    missing : {"raise", "drop"}
        A problem on which an algorithm has no run is an error that names it, or left out.

    Returns
    -------
    ConvergenceComparison
        Displays itself; see also ``to_frame()``, ``sentences`` and ``ranks_of``.

    Raises
    ------
    DataError
        For fewer than 2 algorithms or problems, or a missing algorithm on a problem.
    ValueError
        For an option that is not one of those above, ``alternative`` without known optima,
        logarithms of values that are not positive.

    References
    ----------
    Derrac, J., García, S., Hui, S., Suganthan, P. N. and Herrera, F. (2014). Analyzing
    convergence performance of evolutionary algorithms: a statistical approach. Information
    Sciences 289, 41-58.

    Notes
    -----
    The test is about the speed of progress at every stage, not about who is ahead. An algorithm
    that is nearly done at the first cut-point can only lose its lead, and the other one then
    "converges faster": take cut-points of the stage of interest, a budget that nobody exhausts,
    or the alternative version with a tolerance.

    Examples
    --------
    One algorithm improves twice as fast all the time, on 12 problems:

    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> step = np.arange(1, 11)
    >>> scale = np.arange(1, 13)[:, np.newaxis]
    >>> values = np.stack([scale * (20 - 2 * step), scale * (20 - step)], axis=1)
    >>> histories = nbc.Histories.from_array(
    ...     values, evaluations=100 * step, direction="minimize", algorithms=["Fast", "Slow"])
    >>> result = nbc.compare_convergence(histories, version="basic")
    >>> result.to_frame()[["faster", "slower", "statistic", "p_exchange", "rejected"]].round(4)
      faster slower  statistic  p_exchange  rejected
    0   Fast   Slow     4620.0      0.0002      True
    1   Slow   Fast     2640.0      1.0000     False
    """
    if not isinstance(histories, Histories):
        raise TypeError(
            f"`histories` must be a Histories; got {type(histories).__name__}. Make one with "
            "Histories.from_frame(frame, ...) or Histories.read(path, ...)."
        )
    chosen = _checked_words(version, aggregate, differences, null, formulas, missing)
    count = check_count(cutpoints, "cutpoints", least=3)
    level = check_probability(alpha, "alpha")
    procedures = _checked_procedures(adjust)
    data, left_out = _complete(histories, missing)
    tolerance = _checked_tolerance(optimum_tolerance, data)
    versions = _settled_versions(version, data)

    curves = _aggregated(data.at(count), aggregate)
    ends = _Ends(curves, data, tolerance, logs=differences == "log")
    tests = {}
    for name in versions:
        tests[name] = _tested(ends, name, chosen, procedures, level, formulas)
    return ConvergenceComparison(
        tests=Labelled(tests),
        null=chosen,
        aggregate=aggregate,
        differences=differences,
        optimum_tolerance=tolerance,
        adjust=procedures,
        alpha=level,
        formulas=formulas,
        missing=missing,
        cutpoints=data.budgets[:, np.newaxis] * np.arange(1, count + 1) / count,
        curves=curves,
        notes=(
            *data.notes,
            *left_out,
            *notes_on.of_data(data, count, aggregate, tolerance),
            *notes_on.of_versions(version, versions, ends.reached, count, tolerance),
            *notes_on.of_leads(
                ends.values,
                np.logical_or.reduce([found.rejected for found in tests.values()]),
                data.algorithms,
            ),
            *notes_on.of_null(chosen, procedures, len(data.algorithms), level),
        ),
        design=_design(
            data,
            histories,
            {
                "cutpoints": count,
                "version": version,
                "optimum_tolerance": optimum_tolerance,
                "aggregate": aggregate,
                "differences": differences,
                "adjust": procedures,
                "alpha": level,
                "null": null,
                "formulas": formulas,
                "missing": missing,
            },
        ),
    )


class _Ends:
    """Aggregated values at the cut-points, smaller is better, and when optima are reached.

    ``scale`` is the magnitude that their rounding noise goes by; ``reached`` the first
    cut-point (from 1) at the optimum, by problem and algorithm, None if none is known.
    """

    def __init__(
        self, curves: FloatArray, data: Histories, tolerance: float | None, *, logs: bool
    ) -> None:
        sign = -1.0 if data.direction == MAXIMIZE else 1.0
        self.values = sign * curves
        self.scale = np.abs(curves)
        self.reached: IntArray | None = None
        if data.optimum is not None and tolerance is not None:
            optimum = np.asarray(data.optimum)[:, np.newaxis, np.newaxis]
            errors = self.values - sign * optimum
            self.scale = np.maximum(self.scale, np.abs(optimum))
            solved = errors <= tolerance
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


def _tested(
    ends: _Ends,
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


def _aggregated(values: FloatArray, aggregate: str) -> FloatArray:
    """Over the runs, the third axis; (n_problems, n_algorithms, n_cutpoints)."""
    over = np.nanmean if aggregate == "mean" else np.nanmedian
    return np.asarray(over(values, axis=2), dtype=np.float64)


def _complete(histories: Histories, missing: str) -> tuple[Histories, tuple[Note, ...]]:
    """Histories without gaps; what was left out is told."""
    n_problems, k = len(histories.problems), len(histories.algorithms)
    for count, noun in ((k, "algorithms"), (n_problems, "problems")):
        if count < 2:
            raise DataError(f"`histories` must hold at least 2 {noun} to compare; got {count}.")
    gaps = histories.missing
    incomplete = np.asarray(gaps.any(axis=1))
    if not incomplete.any():
        return histories, ()
    if missing == "raise":
        where = [
            f"{histories.algorithms[j]} on {histories.problems[i]}" for i, j in np.argwhere(gaps)
        ]
        raise DataError(
            f"`histories` has no run of {listed(where, most=5)}. Add the runs, or leave out those "
            "problems with missing='drop'."
        )
    kept = [name for name, gap in zip(histories.problems, incomplete, strict=True) if not gap]
    if len(kept) < 2:
        raise DataError(
            f"`missing` cannot be 'drop': {plural(len(kept), 'problem')} of {n_problems} would be "
            "left with runs of every algorithm."
        )
    dropped = [name for name in histories.problems if name not in kept]
    text = (
        f"{plural(len(dropped), 'problem')} of {n_problems}, on which an algorithm has no run, "
        f"{'is' if len(dropped) == 1 else 'are'} left out: {listed(dropped, most=10)}."
    )
    return histories.select(problems=kept), (Note("dropped", text),)


def _design(data: Histories, given: Histories, options: Mapping[str, Any]) -> Design:
    return Design(
        algorithms=data.algorithms,
        datasets=data.problems,
        n_datasets=len(data.problems),
        n_folds=1,
        n_runs=int(data.values.shape[2]),
        direction=data.direction,
        measure=data.measure,
        citation=data.citation,
        fingerprint=data.fingerprint,
        version=__version__,
        options=Labelled(options),
        left_out=tuple(name for name in given.problems if name not in data.problems),
    )


# ---------------------------------------------------------------------------- options


def _checked_words(
    version: str,
    aggregate: str,
    differences: str,
    null: str | None,
    formulas: str,
    missing: str,
) -> str:
    """The null hypothesis that decides, if all words are known."""
    for name, value in (
        ("version", version),
        ("aggregate", aggregate),
        ("differences", differences),
        ("formulas", formulas),
    ):
        OPTIONS[name].check(value, name)
    OPTIONS["convergence.missing"].check(missing, "missing")
    if null is None:
        return "page" if formulas == "printed" else "exchange"
    return OPTIONS["null"].check(null, "null")


def _checked_procedures(adjust: Adjust) -> tuple[str, ...]:
    procedures = check_adjust(adjust, None)
    for name in procedures:
        if name in ALL_PAIRS_ONLY or name == AUTO:
            raise ValueError(
                "`adjust` must be a procedure for any family of hypotheses, as 'holm': A over B "
                f"and B over A are two hypotheses here, which {name!r} does not know of."
            )
    return procedures


def _checked_tolerance(tolerance: float | None, data: Histories) -> float | None:
    """What counts as the optimum; None if none is known."""
    if data.optimum is None:
        if tolerance is not None:
            raise ValueError(
                "`optimum_tolerance` must be None unless the histories have an optimum; got "
                f"{tolerance!r}. Give it when they are made: optimum=..."
            )
        return None
    value: object = 0.0 if tolerance is None else tolerance
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < math.inf:
        raise ValueError(
            f"`optimum_tolerance` must be a number of at least 0; got {shown(tolerance)}."
        )
    return float(value)


def _settled_versions(version: str, data: Histories) -> tuple[str, ...]:
    if version != "both":
        if version == "alternative" and data.optimum is None:
            raise ValueError(
                "`version` must be 'basic' without known optima; got 'alternative'. Give the "
                "optima when the histories are made: optimum=..."
            )
        return (version,)
    return ("basic",) if data.optimum is None else ("basic", "alternative")
