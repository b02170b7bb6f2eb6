"""The checks and notes of compare_stochastic."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from nbcompare._options import AUTO, OPTIONS
from nbcompare._render import Note
from nbcompare._validation import DataError, check_share, listed, named
from nbcompare.analysis._advice import ONE_SCALE
from nbcompare.analysis._blocks import Ends, Runs
from nbcompare.analysis._imprecise import How
from nbcompare.analysis._rules import Rule, State, always
from nbcompare.experiment import Experiment
from nbcompare.results import ImpreciseHypotheses
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.words import ENCODINGS, PROCEDURES, STOCHASTIC_PROCEDURES


def _settled_encoding(state: State) -> str:
    encoding: str = state.encoding or STOCHASTIC_PROCEDURES[state.procedure].encodings[0]
    return encoding


def _is_by(procedure: str, state: State) -> bool:
    return bool(state.procedure == procedure)


# The rules of compare_stochastic. A rule may depend only on options that earlier rules have
# checked.
RULES = (
    Rule(
        "procedure",
        ("fuzzy",),
        lambda s: not s.repeated and not s.intervals,
        "no algorithm has several runs of a fold",
        message="`experiment` must hold several runs of some algorithm for fuzzy p-values; got one "
        "run per fold of every one. compare(...) and procedure='bootstrap-a' compare single runs.",
        error=DataError,
    ),
    Rule(
        "test",
        tuple(OPTIONS["stochastic.test"].choices or ()),
        lambda s: STOCHASTIC_PROCEDURES[s.procedure].is_test,
        "the procedure {procedure} is a test by itself",
        "It goes with procedure='interval' or 'fuzzy'.",
    ),
    *(
        Rule(
            "encoding",
            frozenset(ENCODINGS).difference(procedure.encodings),
            partial(_is_by, procedure.name),
            f"the procedure {procedure.name} takes {named(procedure.encodings)} only",
            f"Take {' or '.join(map(repr, procedure.encodings))}.",
        )
        for procedure in STOCHASTIC_PROCEDURES.values()
    ),
    Rule(
        "encoding",
        ("shortest", "bootstrap-mean"),
        lambda s: s.intervals,
        "interval-valued scores have no such encoding",
        "Take 'central', which takes quantiles of their ends.",
        error=DataError,
    ),
    Rule(
        "coverage",
        lambda _, value: value is not None,
        lambda s: not ENCODINGS[_settled_encoding(s)].has_coverage,
        "the encoding has no coverage",
        "It goes with encoding='central', 'shortest' or 'bootstrap-mean'.",
    ),
    Rule(
        "blocks",
        ("folds",),
        lambda s: s.n > 1,
        "folds of several data sets are not independent blocks",
        "Take 'datasets', or one data set with experiment.select(datasets=[...]).",
    ),
    Rule(
        "blocks",
        ("datasets",),
        lambda s: s.n == 1,
        "there is only one data set",
        message="`experiment` must hold at least 2 data sets to compare algorithms on; got 1. "
        "blocks='folds' compares them on its folds.",
        error=DataError,
    ),
    Rule(
        "adjust",
        ("nemenyi", AUTO),
        always,
        "pairs are tested by themselves here, not by average ranks",
        "Take another procedure, such as 'holm' or 'bergmann-hommel'.",
    ),
    Rule(
        "adjust",
        frozenset(name for name, it in PROCEDURES.items() if it.all_pairs_only) - {"nemenyi"},
        lambda s: s.control is not None,
        "such procedures are for comparisons of all pairs, and there is a control",
        "Leave out `control`, or take 'holm' or 'bonferroni'.",
    ),
    Rule(
        "adjust",
        ("bergmann-hommel",),
        lambda s: s.k > MOST_ALGORITHMS,
        f"the procedure is not feasible for more than {MOST_ALGORITHMS} algorithms, and there are "
        "{k}",
        "Take 'shaffer', which is nearly as powerful.",
    ),
    Rule(
        "missing",
        ("interval",),
        lambda s: s.procedure == "bootstrap-a",
        "the procedure bootstrap-a takes numbers only",
        "procedure='bootstrap-b' takes intervals too.",
    ),
    Rule(
        "formulas",
        ("printed",),
        lambda s: not STOCHASTIC_PROCEDURES[s.procedure].is_test,
        "the papers print some for the bootstrap tests only",
        "Take formulas='corrected'; got procedure={procedure!r}.",
    ),
)


def facts_of_runs(experiment: Experiment) -> dict[str, Any]:
    """Return the facts about an experiment for rules: its size and the kind of its scores."""
    several = (~np.isnan(experiment.lower)).sum(axis=3) > 1
    return {
        "k": experiment.n_algorithms,
        "n": experiment.n_datasets,
        "repeated": bool(several.any()),
        "intervals": experiment.is_interval,
    }


def check_words(procedure: str, blocks: str, method: str, formulas: str, missing: str) -> None:
    """Raise an error if an option is not one of its choices."""
    for name, value in (
        ("procedure", procedure),
        ("blocks", blocks),
        ("stochastic.method", method),
        ("formulas", formulas),
        ("stochastic.missing", missing),
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
