"""The rules on the options of comparisons by repeated runs, and by the folds of a data set."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._options import AUTO, OPTIONS
from nbcompare._validation import DataError, named
from nbcompare.analysis.rules.gaps import GAPS, facts_of_gaps
from nbcompare.analysis.rules.ranks import WITHOUT_CONTROL
from nbcompare.analysis.rules.rule import Rule, State, always
from nbcompare.analysis.scales import scales_of
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.words import ENCODINGS, STOCHASTIC_PROCEDURES

if TYPE_CHECKING:
    from nbcompare.experiment import Experiment


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
        "formulas",
        ("printed",),
        lambda s: not STOCHASTIC_PROCEDURES[settled_procedure(s)].is_test,
        "the papers print some for the bootstrap tests only",
        "Take formulas='corrected'; got procedure={procedure!r}.",
    ),
)


# The rules of comparisons within a data set, whose pairs are tested by themselves too
FOLD_RULES = tuple(rule for rule in RUN_RULES if rule.option == "adjust" and rule.words != (AUTO,))
