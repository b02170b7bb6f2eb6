"""The checks and notes of compare_stochastic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nbcompare._options import OPTIONS
from nbcompare._render import Note
from nbcompare._validation import DataError, check_share, listed, named
from nbcompare.analysis import _notes
from nbcompare.analysis._blocks import Runs
from nbcompare.analysis._imprecise import How
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.analysis.scales import STATED, Scales
from nbcompare.experiment import Experiment
from nbcompare.results import ImpreciseHypotheses
from nbcompare.results.imprecise import REJECTED
from nbcompare.words import ENCODINGS, PAIRWISE_TESTS, PROCEDURES, STOCHASTIC_PROCEDURES

# The sum of so many scores as there may be must be a number.
_LARGEST = 1e300
_MOST = 3  # pairs that the means decide otherwise


def settled_test(test: str | None, procedure: str, *, one_scale: bool) -> str | None:
    """Return the test of a pair for interval-valued p-values, or None for bootstrap tests.

    The sign test is the default on several scales, since it needs no common one.
    """
    if test is not None or STOCHASTIC_PROCEDURES[procedure].is_test:
        return test
    return "wilcoxon" if one_scale else "sign"


def check_size(experiment: Experiment) -> None:
    """Raise an error if scores are so large that sums of them would not be numbers."""
    size = np.maximum(np.abs(experiment.lower), np.abs(experiment.upper))
    size = np.where(np.isnan(size), 0.0, size)
    if size.max() > _LARGEST:
        block, algorithm = (int(i) for i in np.unravel_index(size.argmax(), size.shape)[:2])
        raise DataError(
            f"`experiment` must hold scores up to {_LARGEST:g} in size, or their sums may not be "
            f"numbers; got {size.max():g} of {experiment.algorithms[algorithm]!r} on "
            f"{experiment.datasets[block]!r}. Take a larger unit."
        )


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


def notes_of_runs(
    runs: Runs, procedure: str, encoding: str, families: Iterable[ImpreciseHypotheses | None]
) -> Iterator[Note]:
    """Yield notes on deterministic algorithms, and on how the runs of the others are used."""
    names = np.array(runs.algorithms)
    single = names[~runs.repeated].tolist()
    if single and runs.repeated.any():
        verb = "is" if len(single) == 1 else "are"
        yield Note(
            "deterministic",
            f"{named(single)} {verb} treated as deterministic: there is one run per fold, "
            "which stays a point. If the result depends on a random seed, more runs are needed.",
        )
    if runs.repeated.any() and ENCODINGS[encoding].number:
        yield Note(
            "averaged",
            f"The runs of each fold are represented by {ENCODINGS[encoding].label}; how much they "
            "vary is not used.",
        )
    replaced = runs.filled and bool(runs.missing.any())
    if runs.repeated.any() or procedure == "bootstrap-a" or runs.upper is not runs.lower:
        return
    text = "No algorithm has more than one run per fold"
    if replaced:
        text += ": scores are points, except for the intervals in place of missing ones."
    elif all(rows is None or np.array_equal(rows.p_low, rows.p_high) for rows in families):
        text += ": scores are points, and p is a number."
    else:
        text += ": scores are points. The ends of p enclose one number, which is not known exactly."
    yield Note("single-runs", text)


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


def notes_of_scales(
    how: How, scales: Scales, *, by_fold: bool, by_ranks: bool, as_default: bool
) -> Iterator[Note]:
    """Yield a note on several scales: that ranks or signs are used, or what other tests do there.

    The sign test is there ``as_default`` if the caller chose no test.
    """
    if scales.one or by_fold:
        return
    if by_ranks:
        yield Note(
            "several-scales",
            f"{scales.several}. Therefore runs count by their relative rank among those of all "
            f"algorithms on the same fold, which needs no common scale. {STATED}",
        )
        return
    if how.test == "sign":
        if as_default:
            yield Note(
                "several-scales",
                f"{scales.several}. Therefore pairs are compared by the sign test, which needs no "
                f"common scale: it counts the data sets on which each is better. {STATED}",
            )
        return
    what = {"wilcoxon": "differences on all data sets are ranked together"}.get(
        how.test or "", "raw scores of all data sets are added"
    )
    if how.test == "rank-sum":
        what = "raw scores of all data sets are ranked together"
    yield Note(
        "scales",
        f"{scales.several}, yet {what}: those with the widest range decide. The sign test needs "
        f"no common scale. {STATED}",
    )


def notes_of_reach(
    how: How, procedures: tuple[str, ...], alpha: float, n: int, k: int, m: int, *, by_fold: bool
) -> Iterator[Note]:
    """Yield notes on families in which no p-value can be small enough to reject."""
    of_reach = partial(_notes.of_reach, n=n, alpha=alpha, noun="fold" if by_fold else "data set")
    first = next(iter(procedures), "")
    if how.test is not None:
        yield from of_reach(partial(_notes.least_p, how.test), m=m, procedure=first)
        return
    yield from of_reach(
        partial(_notes.least_p, "permutation"), m=m, procedure=first, what="the test of a pair"
    )
    if k == 2:
        return
    # against the mean of all, one of k^n choices may be the most extreme
    for note in of_reach(
        lambda blocks: min(1.0, 2.0 * float(k) ** -blocks),
        m=k,
        procedure="holm" if first and PROCEDURES[first].all_pairs_only else first,
        what="the test against the mean of all",
    ):
        yield Note(f"{note.code}-overall", note.text)


def notes_of_blocks(runs: Runs, how: How, m: int) -> Iterator[Note]:
    """Yield notes on what is assumed of the blocks."""
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
            "independent, so p-values tend to be too small (compare_cv(experiment) allows for it), "
            "and conclusions are limited to this data set.",
        )
    if m > 1 and not STOCHASTIC_PROCEDURES[how.procedure].is_test and how.method == "exact":
        yield Note(
            "range",
            "The ends of p belong to each pair by itself: no single selection from the intervals "
            "need give all the lower ends, or all the upper ends, at once.",
        )


# 600 experiments with 10 runs, and algorithms that scatter by half a deviation on each data set
_LOST = (
    " Intervals of runs cost power: on 10 data sets, differences of 0.8 deviations of a run were "
    "found in 0.45 of simulated experiments by Bootstrap-B (0.43 of relative ranks), and in 0.77 "
    "by the means."
)


def notes_beside_means(
    data: Experiment, tests: ImpreciseHypotheses, how: How, options: Mapping[str, Any]
) -> Iterator[Note]:
    """Yield a note on pairs of which a comparison of the mean scores decides otherwise."""
    if data.n_datasets == 1 or data.is_interval or data.losses.any:
        return
    shared = {name: options[name] for name in ("control", "alpha", "scale")}
    means = compare_datasets(data, adjust=options["adjust"] or None, **shared)
    pairs = means.hypotheses
    there = _differences(pairs.first, pairs.second, pairs.rejected, pairs.statistic)
    rejected = [outcome == REJECTED for outcome in tests.outcome]
    here = _differences(tests.first, tests.second or (), rejected, tests.favours)
    others = {
        "finds": [text for text in there if text not in here],
        "does not find": [text for text in here if text not in there],
    }
    told = [f"{verb} {named(found, most=_MOST)}" for verb, found in others.items() if found]
    if told:
        mean = "mean " if data.n_folds * data.n_runs > 1 else ""
        apart, lost = f"another test of the same {mean}scores", ""
        if data.n_runs > 1 and how.procedure != "bootstrap-a":
            apart = "another test, and does not use how much the runs vary"
            by_intervals = how.procedure == "bootstrap-b" and options["coverage"] is not None
            lost = _LOST if others["finds"] and by_intervals else ""
        yield Note(
            "means",
            f"A comparison of the {mean}scores, compare(experiment), {' and '.join(told)}, by "
            f"{PAIRWISE_TESTS[means.pairs].recommended}, which is {apart}.{lost}",
        )


def _differences(
    first: Sequence[str], second: Sequence[str], rejected: Iterable[bool], sides: Iterable[float]
) -> list[str]:
    """Return the differences that are established, the better algorithm first."""
    rows = zip(first, second, rejected, sides, strict=True)
    pairs = [(a, b) if side >= 0 else (b, a) for a, b, found, side in rows if found]
    return [f"{better} significantly better than {worse}" for better, worse in pairs]
