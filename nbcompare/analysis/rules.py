"""Rules on which options can be combined.

The analyses raise an error if a rule refuses an option, and the builders explain the refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import AUTO, EXACT, MAXIMIZE, OPTIONS
from nbcompare._validation import DataError, listed, named
from nbcompare.analysis.scales import scales_of
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.words import (
    ENCODINGS,
    PAIRWISE_TESTS,
    PROCEDURES,
    RANKINGS,
    STOCHASTIC_PROCEDURES,
    TREATMENTS,
    TREATMENTS_OF,
)

if TYPE_CHECKING:
    from nbcompare.experiment import Experiment
    from nbcompare.histories import Histories


class State(dict[str, Any]):
    """A dict of options and of facts about the data, which are also attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def always(_: State) -> bool:
    """Return True, as the condition of rules that hold in every state."""
    return True


class Rule(NamedTuple):
    """A rule that refuses words of an option under a condition.

    The texts are formatted with the state, and with the refused word as ``word``.

    Attributes
    ----------
    option : str
        Name of the argument.
    words : container or callable
        The words that are refused, or a function of the state and a word that returns whether
        the word is refused.
    when : callable
        Function of the state that returns whether the rule applies.
    reason : str
        Reason for the refusal, as a clause that builders show beside the word.
    instead : str
        Advice in the words of the API, as sentences that follow the reason in an error.
    message : str
        The whole text of the error, for problems with the data rather than with the option.
    error : type
        Class of the error.
    """

    option: str
    words: Container[Any] | Callable[[State, Any], bool]
    when: Callable[[State], bool]
    reason: str
    instead: str = ""
    message: str = ""
    error: type[ValueError] = ValueError

    def refused(self, state: State, value: Any) -> Iterator[Any]:
        """Yield the words of a value, which may be a tuple of words, that the rule refuses."""
        if not self.when(state):
            return
        for word in value if isinstance(value, tuple) else (value,):
            if self.words(state, word) if callable(self.words) else word in self.words:
                yield word

    def told(self, state: State, word: Any) -> str:
        """Return the reason as text."""
        return self.reason.format(**{**state, "word": word})

    def raised(self, state: State, word: Any) -> ValueError:
        """Return an error with the argument, its value, the reason and the advice."""
        text = self.message or f"`{self.option}` must not be {{word!r}} here: {self.reason}."
        if self.instead:
            text = f"{text} {self.instead}"
        return self.error(text.format(**{**state, "word": word}))


def check_rules(rules: Sequence[Rule], state: State, *options: str) -> None:
    """Raise the error of the first rule that refuses an option.

    If options are named, only their rules are checked.
    """
    for rule in rules:
        if options and rule.option not in options:
            continue
        for word in rule.refused(state, state[rule.option]):
            raise rule.raised(state, word)


def refusals(
    rules: Sequence[Rule], option: str, value: Any, state: State
) -> Iterator[tuple[Rule, Any]]:
    """Yield each rule that refuses a value of an option in this state, with the refused word."""
    for rule in rules:
        if rule.option == option:
            for word in rule.refused(state, value):
                yield rule, word


# ---------------------------------------------------------------------------------------- ranks


def facts_of_scores(experiment: Experiment, function: str = "compare") -> dict[str, Any]:
    """Return the facts about an experiment for rules: its size and its missing scores.

    The function is the one that treats the scores.
    """
    return {
        "k": experiment.n_algorithms,
        "n": experiment.n_datasets,
        **facts_of_gaps(experiment, function),
    }


def facts_of_gaps(experiment: Experiment | None, function: str) -> dict[str, Any]:
    """Return the facts about missing scores, in the blocks on which a function compares.

    The blocks are the data sets; where one data set is compared by its folds, these.
    """
    facts: dict[str, Any] = {"n_missing": 0, "n_incomplete": 0, "lost_runs": False}
    if experiment is None or not experiment.losses.any:
        return facts
    losses = experiment.losses
    folds, runs = losses.folds, losses.runs > 0
    made = np.asarray((~np.isnan(experiment.lower)).any(axis=(1, 3)))
    names, noun, at, needed = experiment.datasets, "data set", "on", 2
    if function in ("compare_stochastic", "compare_cv") and experiment.n_datasets == 1:
        folds, runs = (each[0].T[..., np.newaxis] for each in (folds, runs))
        made = made.T
        names, noun, at = experiment.folds, "fold", "in fold"
        altogether = folds[..., 0]
    else:
        altogether = experiment.missing
        needed = 2 if function != "compare_stochastic" else 1
    partly = (folds | runs).any(axis=2) & ~altogether
    absent, cut = (
        [f"{experiment.algorithms[j]} {at} {names[i]}" for i, j in np.argwhere(mask)]
        for mask in (altogether, partly)
    )
    if noun == "data set":
        cut = [str(cell) for cell in experiment.incomplete]
    what = [
        *([f"no score for {listed(absent, most=5)}"] if absent else []),
        *([f"only a part of the folds or runs of {listed(cut, most=5)}"] if partly.any() else []),
    ]
    n_gaps = len(absent) + int(partly.sum())
    return {
        "n_missing": len(absent),
        "n_incomplete": int(partly.sum()),
        "lost_runs": bool(runs.any()),
        "runs_match": losses.struck is not None or not runs.any(),
        "n_blocks": len(names),
        "noun": noun,
        "needed": needed,
        "n_complete": int((~(altogether | partly).any(axis=1)).sum()),
        "n_common": int((made & ~folds.any(axis=1)).any(axis=1).sum()),
        "renamed": _renamed_folds(experiment),
        "other_ways": _ways(function, altogether=bool(absent), incomplete=True, folds=False),
        "missing_scores": f"{n_gaps} of {altogether.size} scores "
        f"{'is' if n_gaps == 1 else 'are'} missing or incomplete",
        "gaps": " and ".join(what),
        "ways": _ways(function, altogether=bool(absent), incomplete=bool(partly.any()))
        if experiment.n_folds * experiment.n_runs > 1
        else _ways(function, altogether=True, incomplete=False, folds=False),
    }


def _renamed_folds(experiment: Experiment) -> str:
    """Say that folds seem to have other names by algorithm; nothing if they do not."""
    has: BoolArray = np.asarray((~np.isnan(experiment.lower)).any(axis=3))
    counts, most = has.sum(axis=2), np.asarray(has.any(axis=1)).sum(axis=1)
    if not (counts == counts[:, :1]).all() or not (counts[:, 0] < most).all():
        return ""
    first, other = has[0, 0], next((row for row in has[0] if (row != has[0, 0]).any()), has[0, 0])
    one, two = (
        listed([name for name, there in zip(experiment.folds, row, strict=True) if there], most=3)
        for row in (first, other)
    )
    return (
        " All algorithms have as many folds of a data set, but these are not called the same "
        f"({one}; {two}): give the same folds the same names."
    )


def _ways(function: str, *, altogether: bool, incomplete: bool, folds: bool = True) -> str:
    """Return the words that say what to do about such scores, and what each does."""
    words = [
        word
        for word in map(TREATMENTS.__getitem__, TREATMENTS_OF[function])
        if (word.altogether or not altogether)
        and (word.incomplete or not incomplete)
        and (folds or word.name != "drop-folds")
        and word.name != "raise"
    ]
    fill = {"worst": ", or that of `fill`"}
    return "; ".join(
        f"missing={word.name!r} {word.effect}{fill.get(word.name, '')}" for word in words
    )


def _has_gaps(state: State) -> bool:
    return bool(state.n_missing + state.n_incomplete)


def _leaves_too_little(fact: str, state: State) -> bool:
    return _has_gaps(state) and bool(state[fact] < state.needed)


# The rules on missing scores that all analyses of scores share
GAPS = (
    Rule(
        "missing",
        ("raise",),
        _has_gaps,
        "{missing_scores}",
        message="`experiment` has {gaps}.{renamed} Add the scores; or say what to do about missing "
        "ones: {ways}; or leave out algorithms or data sets with experiment.select(...).",
        error=DataError,
    ),
    Rule(
        "missing",
        ("available",),
        lambda s: s.n_missing > 0,
        "where an algorithm has no score at all, there is nothing to average",
        "There is {gaps}. Instead, {ways}.",
        error=DataError,
    ),
    Rule(
        "missing",
        ("skillings-mack",),
        lambda s: s.n_incomplete > 0,
        "it is for scores that are missing altogether, and some are there in part",
        "There is {gaps}. Instead, {ways}.",
        error=DataError,
    ),
    *(
        Rule(
            "missing",
            (word,),
            partial(_leaves_too_little, fact),
            f"{{{fact}}} of {{n_blocks}} {{noun}}s would be left {what}, and {{needed}} are needed",
            "Leave out the algorithms that lack most with experiment.select(...), or take another "
            "word for `missing`.",
            error=DataError,
        )
        for word, fact, what in (
            ("drop", "n_complete", "with every score of every algorithm"),
            ("drop-folds", "n_common", "of which every algorithm has a score"),
        )
    ),
    Rule(
        "missing",
        ("drop-folds",),
        lambda s: _has_gaps(s) and not s.runs_match,
        "the algorithms do not share labels of runs, so it is not known which runs go together",
        "Instead, {other_ways}.",
        error=DataError,
    ),
    Rule(
        "fill",
        lambda _, value: value is not None,
        lambda s: s.missing != "worst",
        "it is used only where missing scores get the worst score of the data set",
        "It goes with missing='worst'.",
    ),
)


def ranked_with_gaps(state: State) -> bool:
    """Return whether a table with missing scores is ranked."""
    return bool(state.missing == "skillings-mack" and state.n_missing)


def by_position(state: State) -> bool:
    """Return whether p depends on the difference of average ranks only, or may do so."""
    by_ranks = state.pairs == AUTO or PAIRWISE_TESTS[state.pairs].by_ranks
    return by_ranks and not ranked_with_gaps(state)


def _procedure_by_ranks(state: State) -> str:
    """Name the procedure that needs tests of pairs by average ranks; nothing if there is none."""
    for name in _procedures(state):
        if name == "nemenyi" or (name == "bergmann-hommel" and state.k > MOST_ALGORITHMS):
            return str(name)
    return ""


_COMPLETE_ONLY = "or missing='drop', which takes complete data sets only."


# The rules of compare. A rule may depend only on options that earlier rules have checked.
RANK_RULES = (
    *GAPS,
    Rule(
        "formulas",
        ("printed",),
        ranked_with_gaps,
        "the papers print none for tables with missing scores",
        f"Take formulas='corrected', {_COMPLETE_ONLY}",
    ),
    Rule(
        "ranking",
        tuple(name for name, ranking in RANKINGS.items() if not ranking.within_datasets),
        ranked_with_gaps,
        "such rankings need every score, and some are missing",
        f"Take ranking='friedman', {_COMPLETE_ONLY}",
    ),
    Rule(
        "adjust",
        tuple(name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only),
        lambda s: s.control is not None,
        "such procedures are for comparisons of all pairs, and there is a control",
        "Leave out `control`, or take 'holm' or 'bonferroni'.",
    ),
    Rule(
        "adjust",
        ("nemenyi",),
        lambda s: not by_position(s),
        "the procedure needs pairwise tests by the average ranks of a complete table",
        "Take 'shaffer' or 'holm', or pairs='ranks' without missing scores.",
    ),
    Rule(
        "adjust",
        ("bergmann-hommel",),
        lambda s: s.k > MOST_ALGORITHMS and not by_position(s),
        f"with more than {MOST_ALGORITHMS} algorithms, here {{k}}, the procedure needs pairwise "
        "tests by the average ranks of a complete table",
        "Take 'shaffer', which is nearly as powerful, or pairs='ranks'.",
    ),
    Rule(
        "method",
        (EXACT,),
        lambda s: "nemenyi" in _procedures(s),
        "there is no exact law of Nemenyi's procedure, which uses the studentized range",
        "Leave out `method`, or take adjust='bergmann-hommel' or 'holm'.",
    ),
    Rule(
        "method",
        (EXACT,),
        ranked_with_gaps,
        "with missing scores, Skillings and Mack's test has no exact law here",
        f"Leave out `method`, {_COMPLETE_ONLY}",
    ),
    Rule(
        "method",
        (EXACT,),
        lambda s: s.pairs == "t",
        "the t test assumes normal differences, and has no other law",
        "Leave out `method`, or take pairs='wilcoxon' or 'ranks'.",
    ),
    Rule(
        "method",
        (EXACT,),
        lambda s: s.formulas == "printed",
        "the formulas that the papers print are approximations",
        "Leave out `method` or `formulas`.",
    ),
    Rule(
        "margin",
        lambda _, value: value is not None,
        lambda s: s.pairs != AUTO and PAIRWISE_TESTS[s.pairs].by_ranks,
        "it is compared with intervals of differences, and tests of pairs by average ranks have "
        "none",
        "Take pairs='wilcoxon' or pairs='t', or leave out `margin`.",
    ),
    Rule(
        "margin",
        lambda _, value: value is not None,
        lambda s: s.pairs == AUTO and bool(_procedure_by_ranks(s)),
        "it is compared with intervals of differences, and the procedure of the adjustment needs "
        "tests of pairs by average ranks, which have none",
        "Take adjust='shaffer' or adjust='holm', or leave out `margin`.",
    ),
)


def _procedures(state: State) -> tuple[Any, ...]:
    return state.adjust if isinstance(state.adjust, tuple) else (state.adjust,)


# ----------------------------------------------------------------------------------------- runs


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
    """Return the procedure for repeated runs; ``auto`` takes one that suits the other options.

    On several scales that is the one with a test of pairs, which may be the sign test.
    """
    if state.procedure != AUTO:
        return str(state.procedure)
    if state.encoding == "bootstrap-mean":
        return "fuzzy"
    if state.test is not None:
        return "interval"
    return "bootstrap-b" if state.formulas == "printed" or on_one_scale(state) else "interval"


def _settled_encoding(state: State) -> str:
    encoding: str = state.encoding or STOCHASTIC_PROCEDURES[settled_procedure(state)].encodings[0]
    return encoding


def _is_by(procedure: str, state: State) -> bool:
    return settled_procedure(state) == procedure


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
        lambda s: STOCHASTIC_PROCEDURES[settled_procedure(s)].is_test,
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


# The rules of compare_cv on all pairs, which are tested by themselves too
FOLD_RULES = tuple(rule for rule in RUN_RULES if rule.option == "adjust")


# ---------------------------------------------------------------------------------- convergence


def facts_of_histories(histories: Histories) -> dict[str, Any]:
    """Return the facts about histories for rules: missing runs, known optima and logarithms."""
    incomplete = np.asarray(histories.missing.any(axis=1))
    names = [histories.problems[i] for i in np.flatnonzero(incomplete)]
    where = [
        f"{histories.algorithms[j]} on {histories.problems[i]}"
        for i, j in np.argwhere(histories.missing)
    ]
    return {
        "n": len(histories.problems),
        "n_gaps": len(names),
        "n_complete": len(histories.problems) - len(names),
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
        lambda s: s.n_gaps > 0 and s.n_complete < 2,
        "{n_complete} of {n} problems would be left with runs of every algorithm, and 2 are needed",
        error=DataError,
    ),
    Rule(
        "optimum_tolerance",
        lambda _, value: value is not None,
        lambda s: not s.optimum,
        "the optima of the problems are not known",
        "Give them when the histories are made: optimum=...",
    ),
    Rule(
        "version",
        ("alternative",),
        lambda s: not s.optimum,
        "the optima of the problems are not known",
        "Take 'basic', or give the optima when the histories are made: optimum=...",
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
