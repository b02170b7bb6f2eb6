"""What aggregates of runs show, and how they were computed, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbcompare._options import MAXIMIZE
from nbcompare._render import plural
from nbcompare.results import _subject as subject
from nbcompare.results._cited import Cited, computed, missing
from nbcompare.results._established import counted, first_caveat, in_measure, number
from nbcompare.results._subject import joined
from nbcompare.results.pair import percent
from nbcompare.words import AGGREGATES

if TYPE_CHECKING:
    from nbcompare.results.aggregates import RunAggregates

_MOST_LISTED = 6  # algorithms in a sentence
_ENDS = 3


def answers(result: RunAggregates) -> tuple[str, ...]:
    """Return sentences on the typical scores, and on how often runs are better."""
    if result.withheld:
        return (*_improvement(result), result.withheld)
    return (_typical(result), *_other_leaders(result), *_improvement(result))


def findings(result: RunAggregates) -> tuple[tuple[str, ...], ...]:
    """Return the answers, what the intervals are about, and a caveat."""
    text = first_caveat(result.notes, ())
    return (answers(result), (_meaning(result), f"Read with care: {text}" if text else ""))


def methods(result: RunAggregates, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on the methods."""
    design = result.design
    k = counted(len(result.algorithms), "algorithm")
    names = [AGGREGATES[name].label for name in result.aggregates]
    aggregates = ""
    if names:
        target = "" if result.target is None else f" to the target {_target(result)}"
        aggregates = f" the {joined(names)}{target} of the runs over all data sets, and"
    return (
        f"We aggregated {runs(result)} of {k} on {counted(design.n_datasets, 'data set')} "
        f"({_scored(result)}).",
        missing(design),
        f"We report{aggregates} the probability that a run of one algorithm is better than one of "
        f"another on the same data set{cite('agarwal2021')}.",
        f"The {percent(result.confidence)} intervals are percentiles of {result.n_resamples:,} "
        f"stratified bootstrap resamples of the runs{cite('efron1993')}; they are about the noise "
        "of the runs on these data sets.",
        computed(design),
    )


def method(result: RunAggregates) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    rows = [("scores", _scored(result)), ("runs", runs(result))]
    rows += [
        (AGGREGATES[name].label, AGGREGATES[name].explanation.removeprefix("is "))
        for name in result.aggregates
    ]
    if result.target is not None:
        rows.append(("target", _target(result)))
    return (
        *rows,
        (
            "probability of improvement",
            "share of the pairs of runs on one data set in which the first is better, ties counted "
            "half, averaged over data sets",
        ),
        (
            "intervals",
            f"{percent(result.confidence)}, percentiles of {result.n_resamples:,} resamples of the "
            "runs within each data set, each by itself",
        ),
        *subject.provenance(result.design),
    )


def runs(result: RunAggregates) -> str:
    """Describe how many runs there are on a data set, such as ``5 runs``."""
    least, most = min(result.n_runs.values()), result.design.n_runs
    return plural(most, "run", least)


def _scored(result: RunAggregates) -> str:
    design = result.design
    text = f"{design.measure or 'scores'}, {design.better}"
    if design.n_folds > 1:
        text += (
            f"; a run's score is its mean over {plural(design.n_folds, 'fold', design.fewest[0])}"
        )
    if result.baseline:
        low, high = result.baseline
        text += f"; normalised on each data set to 0 for the mean of {low} and 1 for that of {high}"
    elif result.is_normalized:
        text += "; normalised on each data set to 0 and 1 for two given scores"
    return text


def _target(result: RunAggregates) -> str:
    target = f"{result.target:g}"
    return f"{target} (normalised)" if result.is_normalized else in_measure(result.design, target)


def _meaning(result: RunAggregates) -> str:
    sets = "this data set" if result.design.n_datasets == 1 else "these data sets"
    return (
        f"The {percent(result.confidence)} intervals show how much other runs on {sets} would "
        "change the estimates; they say nothing about other data sets."
    )


# ------------------------------------------------------------------------- typical scores


def _typical(result: RunAggregates) -> str:
    """Tell the interquartile means, of the best and the worst if there are many."""
    names, word = result.ordered, "interquartile-mean"
    place = {name: i for i, name in enumerate(result.algorithms)}
    told = [f"{name} {result.told(word, place[name])}" for name in names]
    direction = f"{result.measure}, {result.better}, {percent(result.confidence)} intervals"
    if len(names) <= _MOST_LISTED:
        return f"The interquartile means of all runs are, best first ({direction}): {joined(told)}."
    return (
        f"Of {len(names)} algorithms, the best interquartile means of all runs are ({direction}): "
        f"{joined(told[:_ENDS])}; the worst is {told[-1]}."
    )


def _other_leaders(result: RunAggregates) -> tuple[str, ...]:
    """Say which algorithms lead by the mean and the median, if it is another one."""
    best = result.ordered[0]
    at = result.algorithms.index(best)
    others: dict[str, list[str]] = {}
    for name, found in result.aggregates.items():
        less = AGGREGATES[name].is_gap or result.direction != MAXIMIZE
        values = -found.estimate if less else found.estimate
        leader = int(values.argmax())
        if values[leader] > values[at] and result.told(name, leader) != result.told(name, at):
            label = f"the {AGGREGATES[name].label} ({result.told(name, leader)})"
            others.setdefault(result.algorithms[leader], []).append(label)
    if not others:
        return ()
    told = [f"{name} by {joined(labels)}" for name, labels in others.items()]
    return (f"Other aggregates have another algorithm ahead: {'; '.join(told)}.",)


# --------------------------------------------------------------- probability of improvement


def _improvement(result: RunAggregates) -> tuple[str, ...]:
    """Say how often runs of the best algorithm are better, and which pairs are open."""
    best, *others = result.ordered
    interval = f"{percent(result.confidence)} interval"
    if not others:
        return ()
    chances = {name: result.better_than(best, name)[0] for name in others}
    nearest = min(others, key=chances.__getitem__)
    value, low, high = map(result.chance, result.better_than(best, nearest))
    same = "" if result.design.n_datasets == 1 else " on the same data set"
    if len(others) == 1:
        tied = "" if result.clear(best, nearest) else ", which includes one half"
        return (
            f"A run of {best} is better than one of {nearest}{same} with probability {value} "
            f"({interval} {low} to {high}{tied}).",
        )
    first = (
        f"A run of {best} is better than one of any other algorithm{same} with probability "
        f"{value} or more; the least is that against {nearest} ({interval} {low} to {high})."
    )
    return (first, _open(result))


def _open(result: RunAggregates) -> str:
    """Count the pairs of which one has the better runs more often, as far as the runs tell."""
    pairs = result.pairs
    left = [pair for pair in pairs if not result.clear(*pair)]
    if not left:
        return (
            f"For each of the {counted(len(pairs), 'pair')}, the interval of this probability "
            "excludes one half."
        )
    if len(left) == len(pairs):
        return "For no pair does the interval of this probability exclude one half."
    named = ""
    if len(left) <= _ENDS:
        named = f" ({'; '.join(f'{a} and {b}' for a, b in left)})"
    clear = len(pairs) - len(left)
    return (
        f"For {number(clear)} of the {counted(len(pairs), 'pair')}, the interval of this "
        f"probability excludes one half; for the other {number(len(left))}{named}, the runs leave "
        "open which algorithm is better more often."
    )
