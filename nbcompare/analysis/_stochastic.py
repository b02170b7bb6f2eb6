"""The checks and notes of compare_stochastic."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from nbcompare._options import OPTIONS
from nbcompare._render import Note
from nbcompare._validation import DataError, check_share, listed
from nbcompare.analysis._advice import ONE_SCALE
from nbcompare.analysis._blocks import Ends, Runs
from nbcompare.analysis._imprecise import How
from nbcompare.results import ImpreciseHypotheses
from nbcompare.words import ENCODINGS, PROCEDURES, STOCHASTIC_PROCEDURES


def check_words(procedure: str, blocks: str, method: str, formulas: str) -> None:
    """Raise an error if an option is not one of its choices."""
    for name, value in (
        ("procedure", procedure),
        ("blocks", blocks),
        ("stochastic.method", method),
        ("formulas", formulas),
    ):
        OPTIONS[name].check(value, name.rpartition(".")[2])


def check_test(test: str | None, procedure: str) -> str | None:
    """Return the test of a pair for interval-valued p-values, or None for bootstrap tests."""
    if STOCHASTIC_PROCEDURES[procedure].is_test and test is None:
        return None
    return OPTIONS["stochastic.test"].check("wilcoxon" if test is None else test, "test")


def check_encoding(
    encoding: str | None, coverage: float | None, procedure: str
) -> tuple[str, float | None]:
    """Return the encoding and the coverage, with their defaults filled in."""
    settled = STOCHASTIC_PROCEDURES[procedure].encodings[0] if encoding is None else encoding
    OPTIONS["encoding"].check(settled, "encoding")
    if coverage is None and ENCODINGS[settled].has_coverage:
        coverage = STOCHASTIC_PROCEDURES[procedure].coverage
    return settled, None if coverage is None else check_share(coverage, "coverage")


def check_runs(runs: Runs, encoding: str) -> None:
    """Raise an error if an algorithm with repeated runs has only one run of some fold."""
    if runs.upper is not runs.lower or ENCODINGS[encoding].number:
        return
    alone = (runs.counts == 1) & runs.repeated[np.newaxis, :, np.newaxis]
    if alone.any():
        where = [
            f"{runs.algorithms[algorithm]} on {runs.names[block]}"
            for block, algorithm, _ in np.argwhere(alone)
        ]
        raise DataError(
            f"`experiment` must hold several runs wherever an algorithm has any; got one of "
            f"{listed(dict.fromkeys(where), most=5)}. One run does not say how far runs scatter."
        )


def notes_of_runs(runs: Runs, procedure: str, encoding: str) -> Iterator[Note]:
    """Yield notes on deterministic algorithms, and on how the runs of the others are used."""
    names = np.array(runs.algorithms)
    single = names[~runs.repeated].tolist()
    if single and runs.repeated.any():
        verb = "is" if len(single) == 1 else "are"
        yield Note(
            "deterministic",
            f"{', '.join(single)} {verb} treated as deterministic: there is one run per fold, "
            "which stays a point. If the result depends on a random seed, more runs are needed.",
        )
    if runs.repeated.any() and encoding in ("mean", "median"):
        yield Note(
            "averaged",
            f"The runs of each fold are represented by their {encoding}; how much they vary is not "
            "used.",
        )
    if not runs.repeated.any() and procedure != "bootstrap-a" and runs.upper is runs.lower:
        yield Note(
            "single-runs",
            "No algorithm has more than one run per fold: scores are points, and p is a number.",
        )


def notes_of_how(
    how: How, procedures: tuple[str, ...], overall: ImpreciseHypotheses | None
) -> Iterator[Note]:
    """Yield notes on what the chosen options mean for the p-values."""
    if how.procedure == "bootstrap-b" and how.formulas == "printed":
        yield Note(
            "printed-formulas",
            "With the printed formulas, observed and rearranged means may use different selections "
            "from the intervals: they reject far less often, and the lower end of p can be 0 in "
            "effect. The corrected formulas use the same selection.",
        )
    if how.method == "resampling" and not STOCHASTIC_PROCEDURES[how.procedure].is_test:
        yield Note(
            "inner",
            f"The ends of p come from {how.n_resamples:,} random selections of runs: the true "
            "range is wider. It can be computed exactly.",
        )
    elif how.method == "resampling":
        yield Note(
            "resampling",
            f"The p-values come from {how.n_resamples:,} random rearrangements, with a standard "
            f"error of up to {math.sqrt(0.25 / how.n_resamples) * 2:.1g}; they can be computed "
            "exactly.",
        )
    if overall is not None and any(PROCEDURES[name].all_pairs_only for name in procedures):
        yield Note(
            "holm-overall",
            "The p-values against the mean of all algorithms are adjusted by Holm's procedure, "
            "since the chosen procedure is for pairs only.",
        )


def notes_of_blocks(runs: Runs, ends: Ends, how: How, alpha: float, m: int) -> Iterator[Note]:
    """Yield notes on what the blocks allow and what they assume."""
    n = len(runs.names)
    least = _least_p(how.test, n)
    if least is not None and least > alpha:
        yield Note(
            "never-significant",
            f"On {n} blocks the smallest possible p-value of the test is {least:.6g}: no "
            f"difference can be significant at α = {alpha:g}.",
        )
    if how.test == "rank-sum":
        yield Note(
            "unpaired",
            "The rank-sum test ignores which block a score comes from; signed ranks of the "
            "differences use it.",
        )
    if runs.by_fold:
        yield Note(
            "folds",
            "The blocks are the folds of one data set, whose training sets overlap. They are not "
            "independent, so p-values tend to be too small, and conclusions are limited to this "
            "data set.",
        )
    elif (
        STOCHASTIC_PROCEDURES[how.procedure].is_test or how.test in ("t", "permutation")
    ) and _apart(ends):
        yield Note(
            "scales",
            "Differences are averaged over data sets of very different ranges, so those with the "
            "widest range decide. Tests by ranks weight all data sets equally.",
        )
    if m > 1 and not STOCHASTIC_PROCEDURES[how.procedure].is_test and how.method == "exact":
        yield Note(
            "range",
            "The ends of p belong to each pair by itself: no single selection from the intervals "
            "need give all the lower ends, or all the upper ends, at once.",
        )


def _least_p(test: str | None, n: int) -> float | None:
    """Return the smallest p-value that n blocks allow, or None for other tests."""
    if test in ("wilcoxon", "sign", "permutation"):
        return min(1.0, 2.0 ** (1 - n))
    if test == "rank-sum":
        return min(1.0, 2 / math.comb(2 * n, n))
    return None


def _apart(ends: Ends) -> bool:
    """Return whether the data sets differ much in the range of their scores."""
    ranges = ends[1].max(axis=1) - ends[0].min(axis=1)
    low, high = np.quantile(ranges[ranges > 0], [0.1, 0.9]) if (ranges > 0).any() else (1.0, 1.0)
    return bool(high > ONE_SCALE * low)
