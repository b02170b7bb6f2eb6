"""The rules on comparisons of repeated runs, of the folds of a data set, and of histories."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import AUTO, MAXIMIZE, OPTIONS
from nbcompare._validation import DataError, listed, named
from nbcompare.analysis.rules.ranks import WITHOUT_CONTROL
from nbcompare.analysis.rules.rule import GAPS, State, always, facts_of_gaps, is_given, rule
from nbcompare.analysis.scales import scales_of
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.words import ENCODINGS, STOCHASTIC_PROCEDURES

if TYPE_CHECKING:
    from nbcompare.experiment import Experiment
    from nbcompare.histories import Histories


def facts_of_runs(experiment: Experiment) -> dict[str, Any]:
    """Return the facts about an experiment for rules: its size and the kind of its scores."""
    several = (~np.isnan(experiment.lower)).sum(axis=3) > 1
    return {
        "k": experiment.n_algorithms,
        "n": experiment.n_datasets,
        "repeated": bool(several.any()),
        "intervals": experiment.is_interval,
        "one_scale": scales_of(experiment).one,
        **facts_of_gaps(experiment, "compare_stochastic"),
    }


def on_one_scale(state: State) -> bool:
    """Return whether runs are on one scale, as those of a single data set are."""
    judged = state.one_scale if state.scale == AUTO else state.scale == "one"
    return bool(judged or state.n == 1)


def settled_procedure(state: State) -> str:
    """Return the procedure for repeated runs; ``auto`` takes one that suits the other options."""
    if state.procedure != AUTO:
        return str(state.procedure)
    if state.encoding == "bootstrap-mean":
        return "fuzzy"
    return "bootstrap-b" if state.test is None else "interval"


def is_by_ranks(state: State) -> bool:
    """Return whether runs count by their rank within folds, as in tests of means on several scales.

    The printed formulas take the scores as they are.
    """
    of_means = STOCHASTIC_PROCEDURES[settled_procedure(state)].is_test
    return of_means and state.formulas != "printed" and not on_one_scale(state)


def _is_by(procedure: str, state: State) -> bool:
    return settled_procedure(state) == procedure


def _is_of_intervals(state: State) -> bool:
    return not STOCHASTIC_PROCEDURES[settled_procedure(state)].is_test


def _has_coverage(state: State) -> bool:
    of = STOCHASTIC_PROCEDURES[settled_procedure(state)]
    return ENCODINGS[state.encoding or of.encodings[0]].has_coverage


# The rules of compare_stochastic. A rule may depend only on options that earlier rules have
# checked.
RUN_RULES = (
    *(each for each in GAPS if each.words != ("skillings-mack",)),
    rule(
        "fuzzy-single-runs",
        "procedure",
        ("fuzzy",),
        lambda s: not s.repeated and not s.intervals,
        DataError,
    ),
    rule(
        "test-by-itself",
        "test",
        tuple(OPTIONS["stochastic.test"].choices or ()),
        lambda s: s.procedure != AUTO and STOCHASTIC_PROCEDURES[s.procedure].is_test,
    ),
    *(
        rule(
            "encoding-of-procedure",
            "encoding",
            frozenset(ENCODINGS).difference(each.encodings),
            partial(_is_by, each.name),
            procedure=each.name,
            encodings=named(each.encodings),
            choices=" or ".join(map(repr, each.encodings)),
        )
        for each in STOCHASTIC_PROCEDURES.values()
    ),
    rule(
        "encoding-of-intervals",
        "encoding",
        ("shortest", "mode", "bootstrap-mean"),
        lambda s: s.intervals,
        DataError,
    ),
    rule("no-coverage", "coverage", is_given, lambda s: not _has_coverage(s)),
    rule("folds-of-several", "blocks", ("folds",), lambda s: s.n > 1),
    rule("one-dataset", "blocks", ("datasets",), lambda s: s.n == 1, DataError),
    rule("pairs-by-themselves", "adjust", ("nemenyi",), always),
    rule("pairs-by-themselves", "adjust", (AUTO,), always),
    WITHOUT_CONTROL,
    rule(
        "not-feasible",
        "adjust",
        ("bergmann-hommel",),
        lambda s: s.k > MOST_ALGORITHMS,
        most=MOST_ALGORITHMS,
    ),
    rule("runs-lost", "missing", ("interval",), lambda s: s.lost_runs, DataError),
    rule(
        "numbers-only",
        "missing",
        ("interval",),
        lambda s: settled_procedure(s) == "bootstrap-a",
    ),
    rule("not-resampled", "method", ("resampling",), _is_of_intervals),
    rule("none-printed", "formulas", ("printed",), _is_of_intervals),
)
# The rules of comparisons within a data set, whose pairs are tested by themselves too
FOLD_RULES = tuple(each for each in RUN_RULES if each.option == "adjust" and each.words != (AUTO,))


def facts_of_histories(histories: Histories) -> dict[str, Any]:
    """Return the facts about histories for rules: missing runs, known optima and logarithms."""
    incomplete = np.asarray(histories.missing.any(axis=1))
    problems, algorithms = histories.problems, histories.algorithms
    names = [problems[i] for i in np.flatnonzero(incomplete)]
    where = [f"{algorithms[j]} on {problems[i]}" for i, j in np.argwhere(histories.missing)]
    return {
        "n": len(problems),
        "needed": 2,
        "n_gaps": len(names),
        "n_complete": len(problems) - len(names),
        "gaps": listed(where, most=5),
        "problems_with_gaps": named(names, most=2),
        "optimum": histories.optimum is not None,
        "without_logs": without_logs(histories, histories.values),
    }


def without_logs(histories: Histories, values: FloatArray) -> str:
    """Return the name of the first problem with a value that has no logarithm, or "".

    The first axis of ``values`` is the problem. Values to be maximized change their sign.
    """
    sign = -1.0 if histories.direction == MAXIMIZE else 1.0
    bad = np.asarray((sign * values <= 0).any(axis=tuple(range(1, values.ndim))))
    return histories.problems[int(np.argmax(bad))] if bad.any() else ""


# The rules of compare_convergence
TREND_RULES = (
    rule("no-run", "missing", ("raise",), lambda s: s.n_gaps > 0, DataError),
    rule(
        "too-few-problems",
        "missing",
        ("drop",),
        lambda s: s.n_gaps > 0 and s.n_complete < s.needed,
        DataError,
    ),
    rule("tolerance-without-optima", "optimum_tolerance", is_given, lambda s: not s.optimum),
    rule("version-without-optima", "version", ("alternative",), lambda s: not s.optimum),
    rule(
        "no-logarithms",
        "differences",
        ("log",),
        lambda s: not s.optimum and bool(s.without_logs),
    ),
    rule("ordered-pairs", "adjust", WITHOUT_CONTROL.words, always),
)
