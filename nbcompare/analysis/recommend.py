"""Recommend tests for an experiment by applying rules to its facts, and name other questions."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from nbcompare._options import AUTO, BEST, MINIMIZE, default
from nbcompare._render import Note, plural
from nbcompare._validation import check_name
from nbcompare.analysis import _notes
from nbcompare.analysis._design import Facts, decided, facts_of, filled
from nbcompare.analysis.data import called, of_frames, oriented_scores, result_of
from nbcompare.analysis.scales import scales_of
from nbcompare.analysis.within import show_ratio
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import OtherQuestion, Recommendation
from nbcompare.results.recommendation import Reason
from nbcompare.results.texts import note
from nbcompare.words import PAIRWISE_TESTS, QUESTIONS, TREATMENTS_OF, Question, for_each

# A note is added from this number of algorithms without a control.
_MANY_ALGORITHMS = 6


@of_frames
def recommend(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    control: str | None = default("control"),
    alpha: float = default("alpha"),
    scale: str = default("scale"),
) -> Recommendation:
    """Recommend the options of :func:`compare` for an experiment, with reasons and sources.

    Rules from the literature are applied to the size of the experiment, its missing scores,
    its ties and the ranges of scores on the data sets, but never to which algorithm is best.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms on at least 2 data sets; scores may be missing.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    control : str, optional
        The algorithm that all others are compared with; ``"best"`` is the best ranked one.
        All pairs are compared by default.
    alpha : float, default 0.05
        Family-wise significance level.
    scale : {"auto", "one", "several"}
        Whether the scores of all data sets are on one scale. ``auto`` judges by their ranges
        (see the notes); the other words state it.

    Returns
    -------
    Recommendation
        The result; ``compare(experiment, **recommendation.options)`` follows it, with the
        ``scale`` that was stated.

    Raises
    ------
    DataError
        If scores are intervals, if there is a single data set or algorithm, or if so many
        scores are missing that nothing links the algorithms.
    ValueError
        If the control is not an algorithm, or ``scale`` is another word.

    Notes
    -----
    Average ranks are recommended for every table. Wilcoxon's exact test of pairs is recommended if
    the data sets seem to be on one scale: by a rule of thumb of this package, they are if the upper
    decile of the ranges of scores on a data set is at most 100 times the lower decile, and the same
    scores are better on all of them. Else pairs are tested by the exchange test, as where some two
    share fewer than 2 data sets. Holm's procedure is recommended with Wilcoxon's test and with a
    control; for all pairs by the exchange test Bergmann and Hommel's up to 14 algorithms, Shaffer's
    up to 200. The design is weak if n < 2k, or if the smallest possible p, 2^(1 - n) without the
    data sets on which all tie, cannot be significant for that number of hypotheses, and strong if n
    >= 4k and n >= 11.

    These are the options that :func:`compare` takes if nothing else is asked for. Nothing depends
    on which algorithm is best, so p-values stay valid.

    The result also names other questions that the data can answer, with what to type for each:
    whether algorithms are practically equivalent, what a typical run is worth, and so on.

    References
    ----------
    Demšar (2006), Benavoli et al. (2016, 2017), García and Herrera (2008), García et al. (2010),
    Derrac et al. (2011). The ``references`` of the result give them in full.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> nbc.recommend(nbc.datasets.load("demsar2006"))
    <Recommendation: For 4 algorithms on 14 data sets (all pairs, 6 hypotheses): compare by
    Friedman's ranks, test pairs by Wilcoxon's signed-rank test, adjust by Holm>
    """
    experiment, asked = called("recommend", locals(), by_order=True)
    if control is not None and control != BEST:
        check_name(control, "control", experiment.algorithms)
    scores, _ = oriented_scores(experiment, gaps=True)
    facts = facts_of(experiment, scores, control, asked.alpha, scales_of(experiment, scale))
    rules = decided(facts, {})
    options: dict[str, Any] = {**facts.chosen}
    return result_of(
        Recommendation,
        experiment,
        asked,
        **options,
        n_hypotheses=facts.m,
        reasons=tuple(
            Reason(rule.code, filled(rule.text, facts), rule.source)
            for rule in rules.values()
            if rule.text
        ),
        questions=questions_of(experiment, facts, scale),
        notes=_caveats(experiment, facts),
    )


def _caveats(experiment: Experiment, facts: Facts) -> Iterator[Note]:
    yield from _notes.of_experiment(experiment)
    if facts.control == BEST and BEST not in experiment.algorithms and facts.k > 2:
        yield note("control-from-data/recommend", facts=facts, fewer=facts.k - 1)
    if facts.control is None and facts.k >= _MANY_ALGORITHMS:
        yield note("many-hypotheses", facts=facts, fewer=facts.k - 1)
    if facts.n_missing:
        yield note("missing-at-random", facts=facts)
    if facts.n_tied:
        on = plural(facts.n_shared, "data set") + _notes.tied_on(facts.n_tied, facts.n_shared)
        yield note(
            "tied-pairs", on=on, test=PAIRWISE_TESTS[facts.chosen["pairs"]].recommended, facts=facts
        )
    yield note("parametric")


class _Choice(str):
    """A word of ``CHOICES``, which stands for a value that the reader must choose."""


# Options that these data need, or that were said for the comparison, by name
_Options = Mapping[str, object]
_SHARED = ("control", "alpha", "scale")
# What the order of scores answers, where some are infinite
_OF_ORDER = ("groups",)


class _Scores(NamedTuple):
    """Scores, their facts with the options that are recommended, and the options that were said."""

    experiment: Experiment
    facts: Facts
    said: _Options

    def shared(self, *names: str) -> dict[str, object]:
        """Return the options that were said, of those that a function takes."""
        return {name: self.said[name] for name in names if name in self.said}

    def treated(self, function: str, options: _Options) -> _Options | None:
        """Add the option for missing scores; None if the function cannot treat them."""
        word = self.facts.chosen["missing"]
        words = TREATMENTS_OF.get(function, TREATMENTS_OF["compare"])
        if word == words[0]:
            return options
        if word in words:
            return {**options, "missing": word}
        complete = (~self.experiment.missing).all(axis=1)
        return {**options, "missing": "drop"} if complete.sum() >= 2 else None


def questions_of(experiment: Experiment, facts: Facts, scale: str) -> tuple[OtherQuestion, ...]:
    """Return the questions that an experiment can answer beside the recommended comparison.

    Parameters
    ----------
    experiment : Experiment
        The scores, of at least 2 algorithms on at least 2 data sets.
    facts : Facts
        Its facts, with the options that are recommended.
    scale : str
        The scale that the caller named.
    """
    said = {
        "control": facts.control,
        "alpha": None if facts.alpha == default("alpha") else facts.alpha,
        "scale": None if scale == AUTO else scale,
    }
    given = {name: value for name, value in said.items() if value is not None}
    of = _Scores(experiment, facts, given)
    finite = not experiment.n_infinite
    found = ((n, _ALLOWS[n](of)) for n in _ALLOWS if finite or n in _OF_ORDER)
    return tuple(_asked(name, options) for name, options in found if options is not None)


# --------------------------------------------------------------- conditions, by question


def _equivalence(of: _Scores) -> _Options | None:
    return of.treated("compare_bayesian", of.shared("control")) if of.facts.one_scale else None


def _margin(of: _Scores) -> _Options | None:
    # fewer data sets give no interval that ends
    if of.experiment.unit == "items":
        return None
    ends = of.facts.chosen["pairs"] == "wilcoxon" and of.facts.smallest_adjusted <= of.facts.alpha
    return of.treated("compare", of.shared(*_SHARED)) if ends else None


def _groups(of: _Scores) -> _Options | None:
    sizes = Counter(of.experiment.domains or ())
    several = len(sizes) > 1 and max(sizes.values()) > 1
    return of.treated("compare", of.shared(*_SHARED)) if several else None


def _runs(of: _Scores) -> _Options | None:
    has_runs = _has_runs(of.experiment)
    return of.treated("compare_stochastic", of.shared(*_SHARED)) if has_runs else None


def _typical_run(of: _Scores) -> _Options | None:
    baseline = {"baseline": (_Choice("LOW"), _Choice("HIGH"))}
    options = of.shared("scale") if of.facts.one_scale else baseline
    return of.treated("aggregate_runs", options) if _has_runs(of.experiment) else None


def _has_runs(experiment: Experiment) -> bool:
    """Whether some algorithms were run several times, wherever they were run."""
    counts = (~np.isnan(experiment.lower)).sum(axis=-1)
    repeated = counts.max(axis=(0, 2)) > 1
    scored = counts[:, repeated]
    return bool(repeated.any() and (scored[scored > 0] > 1).all())


def _profiles(of: _Scores) -> _Options | None:
    scores = of.experiment
    is_cost = scores.direction == MINIMIZE and not scores.turned
    return {} if is_cost and not (scores.mean_scores <= 0).any() else None


def shows_ratio(experiment: Experiment) -> bool:
    """Return whether folds of one data set show how the data were split, so that compare works."""
    return show_ratio(experiment.n_runs, experiment.n_folds)


def _one_dataset(of: _Scores) -> _Options | None:
    # runs may repeat the cross-validation, or the algorithms on the same folds
    data = of.experiment
    if data.unit == "items" or data.n_folds == 1 or data.n_runs > 1:
        return None
    options = of.shared("control")
    if not shows_ratio(data):
        options["ratio"] = _Choice("RATIO")
    if of.facts.n_incomplete:
        options["missing"] = "drop-folds"
    return options


def _items(of: _Scores) -> _Options | None:
    return of.shared("control", "alpha") if of.experiment.unit == "items" else None


def _independent_runs(of: _Scores) -> _Options | None:
    alone = of.experiment.n_folds == 1 and of.experiment.fewest[1] > 1
    return of.shared("control", "alpha") if alone else None


def _how_many(of: _Scores) -> _Options | None:
    means = of.experiment.mean_scores
    gaps = np.isnan(means)
    highest = np.where(gaps, -np.inf, means).max(axis=1)
    if not (highest > np.where(gaps, np.inf, means).min(axis=1)).any():
        return None  # there is no difference to be found
    if of.experiment.unit == "items":
        return None  # they are planned for one benchmark
    return of.treated("plan", of.shared(*_SHARED))


_ALLOWS: Mapping[str, Callable[[_Scores], _Options | None]] = for_each(
    tuple(name for name, record in QUESTIONS.items() if record.of == "experiment"),
    {
        "equivalence": _equivalence,
        "margin": _margin,
        "groups": _groups,
        "runs": _runs,
        "typical-run": _typical_run,
        "profiles": _profiles,
        "one-data-set": _one_dataset,
        "items": _items,
        "one-data-set-runs": _independent_runs,
        "one-data-set-equivalence": _one_dataset,
        "how-many": _how_many,
    },
)


# ------------------------------------------------------------------ with further options


def _asked(name: str, options: _Options) -> OtherQuestion:
    """Return a question, whose call, command and magic have further options."""
    record: Question = QUESTIONS[name]
    words, code = [], []
    for option, value in options.items():
        code.append(f"{option}={_as_code(value)}")
        words.append(f" --{option.replace('_', '-')} ")
        words.append(",".join(value) if isinstance(value, tuple) else shlex.quote(str(value)))
    call = record.call
    if code:
        inside = call.removesuffix(")")
        call = f"{inside}{'' if inside.endswith('(') else ', '}{', '.join(code)})"
    return OtherQuestion(
        code=name,
        asks=record.asks,
        text=record.text,
        call=call,
        command=record.command and record.command + "".join(words),
        magic=record.magic and record.magic + "".join(words),
        source=record.source,
    )


def _as_code(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_as_code, value))})"
    return str(value) if isinstance(value, _Choice) else repr(value)
