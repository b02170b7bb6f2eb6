"""The rules on comparisons of repeated runs, of the folds of a data set, and of histories."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import AUTO, MAXIMIZE, OPTIONS
from nbcompare._validation import DataError, listed, named
from nbcompare.analysis.rules.ranks import WITHOUT_CONTROL
from nbcompare.analysis.rules.rule import GAPS, Rule, State, always, facts_of_gaps
from nbcompare.analysis.scales import scales_of
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.words import ENCODINGS, PROCEDURES, STOCHASTIC_PROCEDURES

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


def _has_coverage(state: State) -> bool:
    of = STOCHASTIC_PROCEDURES[settled_procedure(state)]
    return ENCODINGS[state.encoding or of.encodings[0]].has_coverage


# The rules of compare_stochastic. A rule may depend only on options that earlier rules have
# checked.
RUN_RULES = (
    *(rule for rule in GAPS if rule.words != ("skillings-mack",)),
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
        lambda s: s.procedure != AUTO and STOCHASTIC_PROCEDURES[s.procedure].is_test,
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
        ("shortest", "mode", "bootstrap-mean"),
        lambda s: s.intervals,
        "interval-valued scores have no such encoding",
        "Take 'central', which takes quantiles of their ends.",
        error=DataError,
    ),
    Rule(
        "coverage",
        lambda _, value: value is not None,
        lambda s: not _has_coverage(s),
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
    *(
        Rule(
            "adjust",
            (word,),
            always,
            "pairs are tested by themselves here, not by average ranks",
            "Take another procedure, such as 'holm' or 'bergmann-hommel'.",
        )
        for word in ("nemenyi", AUTO)
    ),
    WITHOUT_CONTROL,
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
        lambda s: s.lost_runs,
        "it is for folds that are missing altogether, and some lack single runs",
        "There is {gaps}. Instead, {ways}.",
        error=DataError,
    ),
    Rule(
        "missing",
        ("interval",),
        lambda s: settled_procedure(s) == "bootstrap-a",
        "the procedure bootstrap-a takes numbers only",
        "procedure='bootstrap-b' takes intervals too.",
    ),
    Rule(
        "method",
        ("resampling",),
        lambda s: not STOCHASTIC_PROCEDURES[settled_procedure(s)].is_test,
        "random selections reach only a part of the range of p, which is computed exactly",
        "Take method='exact'; got procedure={procedure!r}.",
    ),
    Rule(
        "formulas",
        ("printed",),
        lambda s: not STOCHASTIC_PROCEDURES[settled_procedure(s)].is_test,
        "the papers print some for the bootstrap tests only",
        "Take formulas='corrected'; got procedure={procedure!r}.",
    ),
)


# The rules of comparisons within a data set, whose pairs are tested by themselves too
FOLD_RULES = tuple(rule for rule in RUN_RULES if rule.option == "adjust" and rule.words != (AUTO,))


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
    Rule(
        "missing",
        ("raise",),
        lambda s: s.n_gaps > 0,
        "an algorithm has no run on {problems_with_gaps}",
        message="`histories` has no run of {gaps}. Add the runs, or leave out those problems with "
        "missing='drop'.",
        error=DataError,
    ),
    Rule(
        "missing",
        ("drop",),
        lambda s: s.n_gaps > 0 and s.n_complete < s.needed,
        "{n_complete} of {n} problems would be left with runs of every algorithm, of the "
        "{needed} that are needed",
        error=DataError,
    ),
    *(
        Rule(
            option,
            words,
            lambda s: not s.optimum,
            "the optima of the problems are not known",
            f"{instead} the histories are made: optimum=...",
        )
        for option, words, instead in (
            ("optimum_tolerance", lambda _, value: value is not None, "Give them when"),
            ("version", ("alternative",), "Take 'basic', or give the optima when"),
        )
    ),
    Rule(
        "differences",
        ("log",),
        lambda s: not s.optimum and bool(s.without_logs),
        "the optima are not known, and not all values on {without_logs} are positive and to be "
        "minimized",
        "Take 'raw', or give the optima when the histories are made: optimum=...",
    ),
    Rule(
        "adjust",
        tuple(name for name, it in PROCEDURES.items() if it.all_pairs_only),
        always,
        "A over B and B over A are two hypotheses here, which such procedures do not allow for",
        "Take a procedure for any family of hypotheses, such as 'holm'.",
    ),
)
