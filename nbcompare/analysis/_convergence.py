"""The checks, tests and notes of compare_convergence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray, mean_over, median_over
from nbcompare._options import AUTO, EXACT, MAXIMIZE, OPTIONS, default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_nonnegative, check_probability, listed
from nbcompare.analysis import _notes
from nbcompare.analysis._family import Adjust, check_adjust
from nbcompare.analysis.rules import (
    TREND_RULES,
    State,
    check_rules,
    facts_of_histories,
)
from nbcompare.histories import Histories
from nbcompare.results import Labelled, TrendTests
from nbcompare.stats import adjust as adjusting
from nbcompare.stats import trend
from nbcompare.stats.rankings import LARGEST, midranks


def check_words(
    version: str, aggregate: str, differences: str, formulas: str, missing: str
) -> None:
    """Raise an error if an option is not one of its choices."""
    for name, value in (
        ("version", version),
        ("aggregate", aggregate),
        ("differences", differences),
        ("formulas", formulas),
        ("convergence.missing", missing),
    ):
        OPTIONS[name].check(value, name.rpartition(".")[2])


class Choices(NamedTuple):
    """The options whose defaults depend on the formulas and on whether the optima are known.

    ``formulas="printed"`` stands for the analysis of Derrac et al. (2014): it changes what the
    caller does not say.
    """

    differences: str
    null: str
    procedures: tuple[str, ...]
    alpha: float

    @classmethod
    def settled(
        cls,
        differences: str,
        null: str | None,
        adjust: Adjust,
        alpha: float | None,
        formulas: str,
        *,
        optimum: bool,
    ) -> Choices:
        """Return what was asked for, and defaults in the place of what was not."""
        printed = formulas == "printed"
        procedures = check_adjust(adjust)
        if procedures == (AUTO,):
            procedures = () if printed else ("holm",)
        if differences == AUTO:
            differences = "log" if optimum and not printed else "raw"
        if null is None:
            null = "page" if printed else "exchange"
        if alpha is None:
            alpha = _PRINTED_ALPHA if printed else default("alpha")
        return cls(
            differences,
            OPTIONS["null"].check(null, "null"),
            procedures,
            check_probability(alpha, "alpha"),
        )


def settled_tolerance(tolerance: float | None, data: Histories) -> float | None:
    """Return the largest error that counts as the optimum; None if no optimum is known."""
    if data.optimum is None:
        return None
    return check_nonnegative(0.0 if tolerance is None else tolerance, "optimum_tolerance")


def settled_versions(version: str, data: Histories, differences: str) -> tuple[str, ...]:
    """Return the versions of the ranks that were asked for, as far as the data allow them.

    Errors that count as the optimum have no order of magnitude, so logarithms go by the
    alternative ranks alone, which are the basic ones if no optimum is reached.
    """
    if version not in ("both", AUTO):
        return (version,)
    if data.optimum is None:
        return ("basic",)
    logs_alone = version == AUTO and differences == "log"
    return ("alternative",) if logs_alone else ("basic", "alternative")


def complete(histories: Histories, missing: str) -> tuple[Histories, tuple[Note, ...]]:
    """Return the histories without gaps, and notes on the problems that were left out."""
    n_problems, k = len(histories.problems), len(histories.algorithms)
    for count, noun in ((k, "algorithms"), (n_problems, "problems")):
        if count < 2:
            raise DataError(f"`histories` must hold at least 2 {noun} to compare; got {count}.")
    if not histories.missing.any():
        return histories, ()
    check_rules(TREND_RULES, State(missing=missing, **facts_of_histories(histories)), "missing")
    return without_incomplete(histories)


def without_incomplete(histories: Histories) -> tuple[Histories, tuple[Note, ...]]:
    """Return the problems with runs of every algorithm, and a note on those that are left out."""
    incomplete = np.asarray(histories.missing.any(axis=1))
    kept = [histories.problems[i] for i in np.flatnonzero(~incomplete)]
    dropped = [histories.problems[i] for i in np.flatnonzero(incomplete)]
    text = (
        f"{plural(len(dropped), 'problem')} of {len(histories.problems)} on which an algorithm has "
        f"no run {'was' if len(dropped) == 1 else 'were'} left out: {listed(dropped, most=10)}."
    )
    return histories.select(problems=kept), (Note("dropped", text),)


_PRINTED_ALPHA = 0.1  # of the case study of Derrac et al. (2014)

# Differences of very large values might overflow. Multiplied by this factor, a power of two, the
# values have the same ranks, and their differences do not overflow.
_SMALLER = 2.0**-3


def aggregated(values: FloatArray, aggregate: str) -> FloatArray:
    """Average the values over the runs, the third axis, by their mean or median.

    The result has the shape (n_problems, n_algorithms, n_cutpoints).
    """
    over = mean_over if aggregate == "mean" else median_over
    return over(np.moveaxis(values, 2, -1))


class Ends:
    """Aggregated values at the cut-points, smaller being better, and when optima are reached.

    ``scale`` is the magnitude that determines the rounding noise of the values. ``reached`` is
    the first cut-point (from 1) at the optimum, by problem and algorithm, or None if no optimum
    is known. ``final_ranks`` rank the algorithms of each problem at the last cut-point.
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
            # the mean of runs that are all at the optimum may differ from it by a rounding error
            solved = errors <= tolerance + NOISE * self.scale
            self.values = np.where(solved, 0.0, errors)
            c = curves.shape[2]
            first = np.where(solved.any(axis=2), solved.argmax(axis=2) + 1, c + 1)
            # an optimum reached at the last cut-point only leaves no later ranks to correct
            self.reached = np.asarray(np.where(first == c, c + 1, first), dtype=np.int64)
        self.final_ranks = midranks(self.values[..., -1], scale=self.scale[..., -1])
        if logs:
            if optimum is not None and not tolerance:
                _check_positive(self.values, data, sign)
            self._take_logs(tolerance or 0.0)

    def _take_logs(self, tolerance: float) -> None:
        # without known optima all values are positive, as a rule says
        values = np.maximum(self.values, max(tolerance, _TINY))
        self.values = np.log(values)
        self.scale = np.maximum(np.abs(self.values), self.scale / values)


_TINY = float(np.finfo(np.float64).tiny)
_COMMON = 1e-8  # the tolerance of many competitions


def _check_positive(errors: FloatArray, data: Histories, sign: float) -> None:
    """Raise an error that names the first error of 0, which has no logarithm."""
    zeros = np.argwhere(errors == 0)
    if not len(zeros):
        return
    i, j, cutpoint = zeros[0].tolist()
    of_runs = _errors_of_runs(data, sign)
    least = float(of_runs.min()) if of_runs.size else _COMMON
    suggested = 10.0 ** math.floor(math.log10(least) + NOISE)
    more = plural(len(zeros) - 1, "other")
    raise DataError(
        "`optimum_tolerance` must be a positive number for logarithms of errors if an optimum is "
        f"reached: the error of {data.algorithms[j]!r} on {data.problems[i]!r} at cut-point "
        f"{cutpoint + 1} of {errors.shape[2]} is 0{f', like {more}' if len(zeros) > 1 else ''}. "
        f"Say up to which size errors count as the optimum, such as "
        f"optimum_tolerance={suggested:g} (the smallest other error of a run is {least:.3g}); or "
        "take differences='raw'."
    )


def _errors_of_runs(data: Histories, sign: float) -> FloatArray:
    """Return the errors of single runs that are not 0, apart from rounding noise."""
    optimum = np.zeros(len(data.problems)) if data.optimum is None else data.optimum
    known = optimum[:, np.newaxis, np.newaxis, np.newaxis]
    errors = sign * (data.values / 2 - known / 2)  # halves cannot overflow
    noise = NOISE * np.maximum(np.abs(data.values), np.abs(known))
    return np.asarray(errors[errors > noise] * 2)


def trend_tests(
    ends: Ends,
    version: str,
    null: str,
    procedures: tuple[str, ...],
    alpha: float,
    formulas: str,
) -> TrendTests:
    """Test all ordered pairs at once.

    Ranks are computed for the upper triangle; those of the lower one are their mirror images.
    """
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
    test = exchange if null == "exchange" else page
    adjusted = {
        name: adjusting.adjust(test.pvalue, name, alpha, formulas=formulas) for name in procedures
    }
    log10_adjusted = {
        name: adjusting.adjust(test.log10_pvalue, name, alpha, log10=True, formulas=formulas)
        for name in procedures
    }
    decisive = adjusted[procedures[0]] if procedures else test.pvalue

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
        log10_adjusted=Labelled(
            {name: matrix(cells, 0.0) for name, cells in log10_adjusted.items()}
        ),
        rejected=matrix(decisive, 1.0) <= alpha,
        ranks=ranks,
    )


_MOST_LISTED = 6


def notes_of_data(
    data: Histories, cutpoints: int, aggregate: str, tolerance: float | None
) -> Iterator[Note]:
    """Yield notes on the number of problems, and on how the runs were aggregated."""
    n = len(data.problems)
    if n < 2 * cutpoints:
        yield Note(
            "few-problems",
            f"There are {plural(n, 'problem')} and {cutpoints} cut-points; about twice as many "
            "problems as cut-points are advisable.",
        )
    if data.values.shape[2] > 1:
        solved = ""
        if tolerance is not None and aggregate == "mean":
            solved = (
                " Their mean is at the optimum only when every run is; their median needs only "
                "half of the runs."
            )
        yield Note(
            "aggregated",
            f"Each history is the {aggregate} of its runs; how much these vary is not used."
            f"{solved}",
        )
    counts = data.n_runs
    if (counts != counts.max()).any():
        yield Note(
            "runs-differ",
            f"The algorithms were not run equally often: {counts.min()} to {counts.max()} times "
            "on a problem.",
        )


def notes_of_versions(
    asked: str,
    versions: tuple[str, ...],
    reached: IntArray | None,
    cutpoints: int,
    tolerance: float | None,
) -> Iterator[Note]:
    """Yield notes on what reached or unknown optima mean for the ranks."""
    if reached is None:
        if asked in ("both", AUTO):
            yield Note(
                "no-optimum",
                "No optimum is known, so only basic ranks are computed. If an algorithm reaches "
                "the optimum before the end, it cannot improve any more, which basic ranks count "
                "against it.",
            )
        return
    early = np.asarray((reached <= cutpoints).any(axis=1))
    if not early.any():
        if "alternative" in versions:
            yield Note(
                "never-reached",
                f"No algorithm reaches an optimum before the end (error at most {tolerance:g}), so "
                "basic and alternative ranks are the same. The tolerance for the optimum can be "
                "changed.",
            )
        return
    if "basic" in versions:
        count = int(early.sum())
        yield Note(
            "optimum-reached",
            f"On {plural(count, 'problem')} of {len(early)} an algorithm reaches the optimum "
            "before the end. From there on only the other one can improve, which the basic ranks "
            "count against the first; the alternative ranks do not.",
        )


def notes_of_differences(differences: str, *, optimum: bool) -> Iterator[Note]:
    """Yield a note on what the differences do not show."""
    if differences == "raw":
        needed = "" if optimum else "; they need known optima"
        yield Note(
            "raw-differences",
            "Differences of values show in whose favour the gap between two algorithms grows, not "
            "how fast they converge: where errors decay exponentially, the gap shrinks towards the "
            "end, in favour of the slower algorithm. Differences of the logarithms of errors "
            f"compare the speed{needed}.",
        )
    elif not optimum:
        yield Note(
            "no-errors",
            "The optima are not known, so logarithms are those of the values. Their differences "
            "compare the speed of convergence only if the optimum is 0 on every problem.",
        )


def notes_of_leads(
    final_ranks: FloatArray, rejected: BoolArray, algorithms: tuple[str, ...]
) -> Iterator[Note]:
    """Yield a note if ranks increase in favour of an algorithm that is behind at the end.

    ``final_ranks`` has the shape (n_problems, n_algorithms); smaller is better.
    """
    found = []
    for row, column in np.argwhere(rejected):
        behind = (final_ranks[:, row] > final_ranks[:, column]).mean()
        if behind > 0.5:
            found.append(f"{algorithms[row]} (over {algorithms[column]})")
    if not found:
        return
    listed = "; ".join(found[:_MOST_LISTED])
    more = f" and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else ""
    yield Note(
        "behind",
        f"The trend is in favour of these although they are behind at the end on most problems: "
        f"{listed}{more}. The test compares the progress from cut-point to cut-point, and an "
        "algorithm that is near the optimum makes little. Look at the curves; logarithms of "
        "errors, a tolerance for the optimum or a smaller budget are more informative.",
    )


def notes_of_reach(
    null: str,
    tests: Iterable[TrendTests],
    n: int,
    m: int,
    procedures: Sequence[str],
    alpha: float,
) -> Iterator[Note]:
    """Yield a note if so few problems cannot reject any of m hypotheses under the exchange null.

    The smallest p is that of the 2^n exchanges of which only one gives so large a statistic.
    """
    if null == "exchange" and all(test.exchange_method == EXACT for test in tests):
        yield from _notes.of_reach(
            lambda n: 2.0**-n,
            n,
            alpha=alpha,
            m=m,
            procedure=next(iter(procedures), ""),
            what="the trend test",
            noun="problem",
        )


def notes_of_null(null: str) -> Iterator[Note]:
    """Yield a note on what the null hypothesis assumes."""
    if null == "page":
        yield Note(
            "page-null",
            "Page's null hypothesis assumes that all orders of the cut-points are equally "
            "likely, but those of one run are correlated: for two copies of one algorithm it is "
            "rejected with probability 0.17 to 0.25 at a nominal 0.05 with 10 cut-points. The "
            "test of the exchange null hypothesis keeps its level.",
        )
