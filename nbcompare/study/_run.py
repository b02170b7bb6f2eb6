"""The study of power and type I error, and its counts of right and wrong conclusions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._render import Note
from nbcompare._validation import check_count, check_labels, check_probability, clean_label, shown
from nbcompare._version import __version__
from nbcompare.results import Design as Options
from nbcompare.results import Labelled, PowerStudy, Shares
from nbcompare.results.power_study import (
    COMPLETE,
    FAMILY,
    OMNIBUS,
    OMNIBUS_OUTCOMES,
    OUTCOMES,
    POWER,
    TYPE1,
    WRONG,
)
from nbcompare.stats.proportions import clopper_pearson
from nbcompare.study._design import Design, OwnDesign
from nbcompare.study._model import Model, check_effect, pairs
from nbcompare.study._simulate import Case, Tally, simulate


class Summary(NamedTuple):
    """What a result keeps of the outcomes; see :class:`nbcompare.PowerStudy`."""

    counts: IntArray
    omnibus: IntArray
    family: IntArray
    complete: IntArray
    shares: Labelled[Shares]
    pair_shares: Labelled[Shares]


def summary_of(tally: Tally, truth: IntArray, confidence: float) -> Summary:
    """Count the outcomes by effect, design and pair."""
    outcomes = np.moveaxis(tally.outcomes, 1, 2)  # effect, design, repetition, pair
    places = range(len(OUTCOMES))
    counts = np.stack([(outcomes == place).sum(axis=2) for place in places], axis=-1)
    tests = np.moveaxis(tally.omnibus, 1, 2)
    omnibus = np.stack(
        [(tests == place).sum(axis=2) for place in range(len(OMNIBUS_OUTCOMES))], axis=-1
    )
    # 1 where a difference was claimed in favour of the first, -1 of the second
    claims = np.select([outcomes == 0, outcomes == 1], [1, -1], 0)
    true = truth[:, np.newaxis, np.newaxis]
    right, wrong = (claims != 0) & (claims == true), (claims != 0) & (claims != true)
    family = wrong.any(axis=3).sum(axis=2)
    complete = (right | (true == 0)).all(axis=3).sum(axis=2)

    repetitions = outcomes.shape[2]
    differ = (truth != 0).sum(axis=1)[:, np.newaxis]
    equal = truth.shape[1] - differ
    is_equal = (truth == 0)[:, np.newaxis]
    of_right, of_wrong = right.sum(axis=2), wrong.sum(axis=2)

    def per_pair(successes: IntArray, n_pairs: IntArray) -> Shares:
        """Return the mean over pairs, of which there are none in some cases."""
        means = successes / np.maximum(n_pairs, 1)
        return _shares(means, repetitions * (n_pairs > 0), confidence)

    shares = {
        POWER: per_pair(of_right.sum(axis=2), differ),
        WRONG: per_pair(of_wrong.sum(axis=2), differ + equal),
        TYPE1: per_pair((of_wrong * is_equal).sum(axis=2), equal),
        FAMILY: _shares(family, repetitions, confidence),
        COMPLETE: _shares(complete * (differ > 0), repetitions * (differ > 0), confidence),
        OMNIBUS: _shares(omnibus[..., 0], omnibus.sum(axis=2), confidence),
    }
    pair_shares = {
        "right": _shares(of_right, repetitions * (truth != 0)[:, np.newaxis], confidence),
        WRONG: _shares(of_wrong, repetitions, confidence),
    }
    return Summary(counts, omnibus, family, complete, Labelled(shares), Labelled(pair_shares))


def _shares(successes: IntArray | FloatArray, trials: IntArray | int, confidence: float) -> Shares:
    good = np.asarray(successes, dtype=np.float64)
    of = np.broadcast_to(np.asarray(trials, dtype=np.float64), good.shape).copy()
    return Shares(**clopper_pearson(good, of, confidence)._asdict(), successes=good, trials=of)


_FEW = 100  # repetitions


def run(
    model: Model,
    designs: Iterable[Design] | Mapping[str, Design | Callable[..., Any]] | Design,
    *,
    effects: Iterable[float],
    repetitions: int = 100,
    rng: int | None = 0,
    n_jobs: int | None = None,
    confidence: float = 0.95,
) -> PowerStudy:
    """Count how often designs come to right and wrong conclusions in simulated experiments.

    For each effect and repetition, the model draws an experiment, to which all designs are
    applied. The random numbers depend on ``rng``, the place of the effect in the list, and the
    repetition only, so that the result is the same on any number of workers.

    Parameters
    ----------
    model : Model
        What experiments are drawn from: :class:`BinomialErrors`, :class:`LocalMinima`,
        :class:`TwoGaussians`, or an object of one's own.
    designs : list of Design, or mapping
        The designs, such as ``PAPER_2013``. A mapping gives them names; its values may be
        functions, as for :class:`OwnDesign`.
    effects : list of float
        The effects; what they are depends on the model.
    repetitions : int, default 100
        Number of experiments for each effect.
    rng : int or None, default 0
        Seed of the random numbers. None draws a new one, which the result records.
    n_jobs : int, optional
        Number of workers, -1 for as many as there are cores; needs joblib. By default it is that
        of ``joblib.parallel_config``, if one is in use, else 1: within
        ``joblib.parallel_config(backend="dask")`` the workers of a Dask cluster do the work.
    confidence : float, default 0.95
        Coverage of the intervals.

    Returns
    -------
    PowerStudy
        The result, which displays itself. :func:`nbcompare.plots.power_curves` shows it.

    Raises
    ------
    ValueError
        If an option is out of range, an effect is none of the model's, or a design returns
        something else than an outcome for each pair.
    DataError
        If a design cannot be applied to such experiments.
    ImportError
        If workers are asked for and joblib is not installed.

    Examples
    --------
    >>> from nbcompare import study
    >>> model = study.BinomialErrors(n_datasets=12, n_runs=3)
    >>> design = study.CompareDesign(pairs="wilcoxon", adjust="holm")
    >>> study.run(model, [design], effects=[0, 0.1], repetitions=10)
    <PowerStudy: On average over the effects: Wilcoxon, Holm: 18.0 % of the differences were found,
    and 0.0 % of the conclusions were wrong>
    """
    _check_model(model)
    chosen = tuple(_designs(designs))
    names = check_labels((design.name for design in chosen), "designs")
    if not names:
        raise ValueError("`designs` must hold at least one design; got none.")
    level = check_probability(confidence, "confidence")
    times = check_count(repetitions, "repetitions", least=1)
    values = _effects(effects)
    truth = _truth(model, values)
    cases = [Case(model, effect) for effect in values]
    tally = simulate(cases, chosen, repetitions=times, rng=rng, n_jobs=n_jobs)
    summary = summary_of(tally, truth, level)
    told = clean_label(getattr(model, "summary", "") or f"the model {type(model).__name__}")
    first, second = zip(*pairs(model.algorithms), strict=True)
    options = {
        "model": told,
        "effects": tuple(values),
        "designs": names,
        "repetitions": times,
        "rng": tally.seed,
    }
    return PowerStudy(
        model=told,
        effect_name=clean_label(model.effect_name),
        effects=np.array(values),
        repetitions=times,
        designs=names,
        levels=tuple(None if d.alpha is None else float(d.alpha) for d in chosen),
        first=first,
        second=second,
        truth=truth,
        confidence=level,
        **summary._asdict(),
        notes=tuple(_notes(times, truth)),
        design=Options(
            algorithms=tuple(model.algorithms),
            datasets=(),
            n_datasets=int(getattr(model, "n_datasets", 1)),
            n_folds=int(getattr(model, "n_folds", 1)),
            n_runs=int(getattr(model, "n_runs", 1)),
            direction=None,
            measure=None,
            citation=None,
            fingerprint=None,
            version=__version__,
            options=Labelled(options),
        ),
    )


def _check_model(model: object) -> None:
    if not isinstance(model, Model):
        raise TypeError(
            "`model` must be a model, such as study.BinomialErrors(), or have the attributes "
            f"algorithms, effect_name, truth and draw; got {shown(model)}."
        )
    check_labels(model.algorithms, "algorithms")


def _designs(given: object) -> Iterator[Design]:
    """Yield the designs, with the names that a mapping gives them."""
    if isinstance(given, Mapping):
        for name, one in given.items():
            if isinstance(one, Design) and hasattr(one, "label"):
                yield replace(one, label=name)  # type: ignore[type-var]
            else:
                yield OwnDesign(name=name, function=one, alpha=getattr(one, "alpha", None))
        return
    several = [given] if isinstance(given, Design) else given
    if isinstance(several, str) or not isinstance(several, Iterable):
        raise TypeError(
            "`designs` must be a list of designs, such as study.PAPER_2013, or a mapping of names "
            f"to functions; got {shown(given)}."
        )
    for one in several:
        if not isinstance(one, Design):
            raise TypeError(
                "`designs` must hold designs, such as study.CompareDesign(); got "
                f"{shown(one)}. Give a function of your own a name: {{'name': function}}."
            )
        yield one


def _effects(given: object) -> list[float]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"`effects` must be a list of numbers; got {shown(given)}.")
    values = [check_effect(value) for value in given]
    if not values or len(set(values)) < len(values):
        raise ValueError(
            f"`effects` must hold distinct numbers, at least one; got {shown(values)}."
        )
    return values


def _truth(model: Model, effects: Sequence[float]) -> IntArray:
    """Return the truth of each effect, which also checks that the model can have it."""
    n_pairs = len(pairs(model.algorithms))
    rows = [np.asarray(model.truth(effect)) for effect in effects]
    for effect, row in zip(effects, rows, strict=True):
        if row.shape != (n_pairs,) or not np.isin(row, (-1, 0, 1)).all():
            raise ValueError(
                f"`model` must have a truth of 1, 0 or -1 for each of {n_pairs} pairs; got "
                f"{shown(row.tolist())} with the effect {effect:g}."
            )
    return np.array(rows, dtype=np.int64)


def _notes(repetitions: int, truth: IntArray) -> Iterator[Note]:
    if repetitions < _FEW:
        yield Note(
            "few-repetitions",
            f"With {repetitions} simulated experiments per effect the intervals are wide; "
            f"{_FEW} or more are usual.",
        )
    if truth.shape[1] > 1:
        yield Note(
            "conservative-intervals",
            "The conclusions on the pairs of one experiment depend on each other. The intervals "
            "of means over pairs therefore count each experiment once, which is conservative.",
        )
