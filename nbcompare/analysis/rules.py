"""Rules that refuse words of an option, and those on missing scores, which analyses share."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import AUTO, EXACT, MAXIMIZE, OPTIONS, TWO_SIDED, nouns_of
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
    texts_of_rule,
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


def rule(
    name: str,
    option: str,
    words: Container[Any] | Callable[[State, Any], bool],
    when: Callable[[State], bool],
    error: type[ValueError] = ValueError,
    **known: object,
) -> Rule:
    """Return the rule whose texts stand under its name in ``words/rules.toml``.

    What is ``known`` beforehand is put into them.
    """
    texts = dict(texts_of_rule(name))
    for fact, value in known.items():
        texts = {key: text.replace(f"{{{fact}}}", str(value)) for key, text in texts.items()}
    return Rule(option, words, when, error=error, **texts)


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


# Functions that use a single data set too, by its folds
_ON_FOLDS = frozenset({"compare_stochastic", "compare_cv", "compare_items", "aggregate_runs"})


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
    facts: dict[str, Any] = {
        "n_missing": 0,
        "n_incomplete": 0,
        "lost_runs": False,
        "n_infinite": 0 if experiment is None else experiment.n_infinite,
        "infinite": "" if experiment is None else experiment.infinite,
    }
    if experiment is None or not experiment.losses.any:
        return facts
    losses = experiment.losses
    folds, runs = losses.folds, losses.runs > 0
    made = np.asarray((~np.isnan(experiment.lower)).any(axis=(1, 3)))
    names, noun, at, needed = experiment.datasets, "data set", "on", 2
    if function in _ON_FOLDS and experiment.n_datasets == 1:
        folds, runs = (each[0].T[..., np.newaxis] for each in (folds, runs))
        made = made.T
        names, noun = experiment.folds, nouns_of(experiment.unit)[1]
        at = f"{'on' if experiment.unit == 'items' else 'in'} {noun}"
        altogether = folds[..., 0]
    else:
        altogether = experiment.missing
        needed = 1 if function in ("compare_stochastic", "aggregate_runs") else 2
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
        **facts,
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
    told = "; ".join(
        f"missing={word.name!r} {word.effect}{fill.get(word.name, '')}" for word in words
    )
    return told.replace("folds and runs", "items") if function == "compare_items" else told


def _has_gaps(state: State) -> bool:
    return bool(state.n_missing + state.n_incomplete)


def _leaves_too_little(fact: str) -> Callable[[State], bool]:
    return lambda s: _has_gaps(s) and bool(s[fact] < s.needed)


def is_given(_: State, value: object) -> bool:
    """Return whether a value is given, as the words of rules that refuse any."""
    return value is not None


# The rules on missing scores that all analyses of scores share
GAPS = (
    rule("scores-missing", "missing", ("raise",), _has_gaps, DataError),
    rule("nothing-to-average", "missing", ("available",), lambda s: s.n_missing > 0, DataError),
    rule(
        "missing-in-part", "missing", ("skillings-mack",), lambda s: s.n_incomplete > 0, DataError
    ),
    rule("too-few-complete", "missing", ("drop",), _leaves_too_little("n_complete"), DataError),
    rule("too-few-common", "missing", ("drop-folds",), _leaves_too_little("n_common"), DataError),
    rule(
        "runs-without-labels",
        "missing",
        ("drop-folds",),
        lambda s: _has_gaps(s) and not s.runs_match,
        DataError,
    ),
    rule("fill-unused", "fill", is_given, lambda s: s.missing != "worst"),
)


def ranked_with_gaps(state: State) -> bool:
    """Return whether a table with missing scores is ranked."""
    return bool(state.missing == "skillings-mack" and state.n_missing)


def _one_sided(_: State, word: Any) -> bool:
    return bool(word != TWO_SIDED)


def by_position(state: State) -> bool:
    """Return whether p depends on the difference of average ranks only, or may do so."""
    by_ranks = state.pairs == AUTO or PAIRWISE_TESTS[state.pairs].by_ranks
    return by_ranks and not ranked_with_gaps(state)


def _procedure_by_ranks(state: State) -> bool:
    """Return whether a procedure needs tests of pairs by average ranks, which are not settled."""
    large = ("nemenyi", "bergmann-hommel") if state.k > MOST_ALGORITHMS else ("nemenyi",)
    return state.pairs == AUTO and bool(set(large) & set(_procedures(state)))


def _procedures(state: State) -> tuple[Any, ...]:
    return state.adjust if isinstance(state.adjust, tuple) else (state.adjust,)


def _has_width(_: State, margin: Any) -> bool:
    return bool(margin)  # 0 stands for no region of equivalence in a builder


def _order_alone(state: State) -> bool:
    return bool(state.n_infinite)


_ACROSS = tuple(name for name, ranking in RANKINGS.items() if not ranking.within_datasets)
_BY_SCORES = tuple(name for name, test in PAIRWISE_TESTS.items() if test.needs_scale)
# Procedures for comparisons of all pairs
_ALL_PAIRS = tuple(name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only)
WITHOUT_CONTROL = rule("all-pairs-only", "adjust", _ALL_PAIRS, lambda s: s.control is not None)
# The rules of compare. A rule may depend only on options that earlier rules have checked.
RANK_RULES = (
    *GAPS,
    rule("one-sided-without-control", "alternative", _one_sided, lambda s: s.control is None),
    rule("one-sided-margin", "alternative", _one_sided, lambda s: s.margin is not None),
    rule("printed-with-gaps", "formulas", ("printed",), ranked_with_gaps),
    rule("ranking-with-gaps", "ranking", _ACROSS, ranked_with_gaps),
    rule("ranking-of-order", "ranking", _ACROSS, _order_alone),
    rule("pairs-of-order", "pairs", _BY_SCORES, _order_alone),
    rule("margin-of-order", "margin", is_given, _order_alone),
    WITHOUT_CONTROL,
    rule("nemenyi-by-ranks", "adjust", ("nemenyi",), lambda s: not by_position(s)),
    rule(
        "too-many-without-ranks",
        "adjust",
        ("bergmann-hommel",),
        lambda s: s.k > MOST_ALGORITHMS and not by_position(s),
        most=MOST_ALGORITHMS,
    ),
    rule("nemenyi-exact", "method", (EXACT,), lambda s: "nemenyi" in _procedures(s)),
    rule("exact-with-gaps", "method", (EXACT,), ranked_with_gaps),
    rule("exact-t", "method", (EXACT,), lambda s: s.pairs == "t"),
    rule("exact-printed", "method", (EXACT,), lambda s: s.formulas == "printed"),
    rule(
        "margin-by-ranks",
        "margin",
        _has_width,
        lambda s: s.pairs != AUTO and not PAIRWISE_TESTS[s.pairs].has_intervals,
    ),
    rule("margin-of-procedure", "margin", _has_width, _procedure_by_ranks),
)


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
