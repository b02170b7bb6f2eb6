"""Rules that refuse words of an option, and those on missing scores, which analyses share."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._validation import DataError, listed
from nbcompare.words import TREATMENTS, TREATMENTS_OF, texts_of_rule

if TYPE_CHECKING:
    from nbcompare.experiment import Experiment


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
        names, noun, at = experiment.folds, "fold", "in fold"
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
    return "; ".join(
        f"missing={word.name!r} {word.effect}{fill.get(word.name, '')}" for word in words
    )


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
