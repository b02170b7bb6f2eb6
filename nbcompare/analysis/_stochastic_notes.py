"""Caveats of a comparison of stochastic algorithms."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from nbcompare._options import ALL_PAIRS_ONLY
from nbcompare._render import Note
from nbcompare.analysis._blocks import Ends, Runs
from nbcompare.analysis._imprecise import How
from nbcompare.analysis._rules import ONE_SCALE
from nbcompare.results import ImpreciseHypotheses

_OF_MEANS = ("bootstrap-a", "bootstrap-b")


def of_runs(runs: Runs, procedure: str, encoding: str) -> Iterator[Note]:
    """What was taken for deterministic, and what becomes of the scatter of the rest."""
    names = np.array(runs.algorithms)
    single = names[~runs.repeated].tolist()
    if single and runs.repeated.any():
        verb = "is" if len(single) == 1 else "are"
        yield Note(
            "deterministic",
            f"{', '.join(single)} {verb} taken for deterministic: one run per fold, which stays a "
            "point. If the result depends on a random seed, more runs are needed.",
        )
    if runs.repeated.any() and encoding in ("mean", "median"):
        yield Note(
            "averaged",
            f"The runs of each fold are represented by their {encoding}; how far they scatter "
            "is not used.",
        )
    if not runs.repeated.any() and procedure != "bootstrap-a" and runs.upper is runs.lower:
        yield Note(
            "single-runs",
            "No algorithm has more than one run per fold: scores are points, p a number.",
        )


def of_how(
    how: How, procedures: tuple[str, ...], overall: ImpreciseHypotheses | None
) -> Iterator[Note]:
    """What the chosen options mean for the p-values."""
    if how.procedure == "bootstrap-b" and how.formulas == "printed":
        yield Note(
            "printed-formulas",
            "With the formulas as printed, observed and rearranged means may take different "
            "selections from the intervals: they reject far less often, and the lower end of p "
            "can be 0 in effect. formulas='corrected' takes the same selection.",
        )
    if how.method == "resampling" and how.procedure in ("interval", "fuzzy"):
        yield Note(
            "inner",
            f"p-values of {how.n_resamples:,} random selections of runs: the true range is wider. "
            "method='exact' computes it.",
        )
    elif how.method == "resampling":
        yield Note(
            "resampling",
            f"p-values from {how.n_resamples:,} random rearrangements, with a standard error of up "
            f"to {math.sqrt(0.25 / how.n_resamples) * 2:.1g}; method='exact' has none.",
        )
    if overall is not None and any(name in ALL_PAIRS_ONLY for name in procedures):
        yield Note(
            "holm-overall",
            "The p-values against the mean of all are adjusted by Holm: the procedure asked for "
            "is about pairs.",
        )


def of_blocks(runs: Runs, ends: Ends, how: How, alpha: float, m: int) -> Iterator[Note]:
    """What the blocks allow, and what they suppose."""
    n = len(runs.names)
    least = _least_p(how.test, n)
    if least is not None and least > alpha:
        yield Note(
            "never-significant",
            f"On {n} blocks the smallest p that the test can give is {least:.6g}: "
            f"nothing can be significant at α = {alpha:g}.",
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
            "The blocks are the folds of one data set, whose training sets overlap: they are not "
            "independent, p-values tend to be too small, and conclusions are about this data set.",
        )
    elif (how.procedure in _OF_MEANS or how.test in ("t", "permutation")) and _apart(ends):
        yield Note(
            "scales",
            "Differences are averaged over data sets of very different ranges: those with the "
            "widest decide. Ranks, as of procedure='interval', weigh all the same.",
        )
    if m > 1 and how.procedure in ("interval", "fuzzy") and how.method == "exact":
        yield Note(
            "range",
            "Ends are of each pair by itself: no one selection from the intervals need give all "
            "the lower, or all the upper ends, at once.",
        )


def _least_p(test: str | None, n: int) -> float | None:
    """The smallest p that n blocks allow; None if there is none of interest."""
    if test in ("wilcoxon", "sign", "permutation"):
        return min(1.0, 2.0 ** (1 - n))
    if test == "rank-sum":
        return min(1.0, 2 / math.comb(2 * n, n))
    return None


def _apart(ends: Ends) -> bool:
    """Whether the ranges of the data sets are not on one scale."""
    ranges = ends[1].max(axis=1) - ends[0].min(axis=1)
    low, high = np.quantile(ranges[ranges > 0], [0.1, 0.9]) if (ranges > 0).any() else (1.0, 1.0)
    return bool(high > ONE_SCALE * low)
