"""What a plan takes from its pilot: the tests, what they are to find, and experiments like it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, cast

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import AUTO, OPTIONS, default
from nbcompare._progress import Progress
from nbcompare._render import Note
from nbcompare._validation import DataError, named, shown
from nbcompare.analysis import compare_cv, compare_items, compare_runs, compare_stochastic
from nbcompare.analysis.decisions import Decisions, decisions, decisions_on_folds, decisions_within
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.analysis.rules import GAPS, State, check_rules, facts_of_scores
from nbcompare.experiment import Experiment, with_scores
from nbcompare.results import CrossValidationComparison, Hypotheses, ImpreciseHypotheses, Result
from nbcompare.results.imprecise import REJECTED
from nbcompare.results.plan import DATASETS, FOLDS, ITEMS, RUNS
from nbcompare.results.power_study import FIRST, NONE, OUTCOMES, SECOND
from nbcompare.study._model import pair_places
from nbcompare.study._simulate import EACH, Case, Codes, simulate_parts
from nbcompare.words import PROCEDURES, STOCHASTIC_PROCEDURES

_PAIRED = (FOLDS, ITEMS)  # of one data set, which all algorithms share


@dataclass(frozen=True, kw_only=True, eq=False)
class LeftOpen:
    """Populations that a pilot leaves open, from which experiments are drawn.

    A population gives random weights to what the pilot has (the Bayesian bootstrap, Rubin 1981),
    and to the same turned round: scores are reflected at the middle between the best and the worst
    there, which changes the sign of every difference and not its size. The prior is how much weight
    the two share equally, so that differences become smaller by n / (n + prior) on average.

    Parameters
    ----------
    experiment : Experiment
        The pilot: of data sets, a score of each; of one data set, a run of each fold or item.
    unit : {"datasets", "folds", "runs", "items"}
        What is drawn; runs for each algorithm by itself.
    size : int
        How many are drawn.
    prior : float
        Weight of what says that no algorithm is better, as a number of data sets, folds or runs.
    ratio : float, optional
        Of folds: the size of a test set over that of a training set. The folds of an experiment,
        and those of the pilot, have a random part in common (Nadeau and Bengio 2003).
    """

    experiment: Experiment
    unit: str
    size: int
    prior: float
    ratio: float | None = None

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms."""
        return self.experiment.algorithms

    def population(self, rng: np.random.Generator) -> Callable[[np.random.Generator], Experiment]:
        """Return a population that the pilot leaves open, which draws experiments."""
        if self.unit == RUNS:
            return partial(self._of_runs, *self._weighted_runs(rng))
        rows = np.moveaxis(self._rows, 0, -1)
        n = len(rows)
        turned = rows.max(axis=1, keepdims=True) + rows.min(axis=1, keepdims=True) - rows
        # folds are alike and count for fewer, so that a prior of as many weighs more
        half = self.prior * (1 + n * (self.ratio or 0.0)) / (2 * n)
        weights = rng.standard_gamma(np.repeat([1 + half, half], n))
        both = np.vstack([rows, turned]) + self._common(rng)
        sums = (weights / weights.sum()).cumsum()
        return partial(self._of_rows, both, sums / sums[-1])

    @property
    def _rows(self) -> FloatArray:
        """Return the scores by algorithm and by data set or fold."""
        scores = self.experiment.lower
        return scores[0, :, :, 0] if self.unit in _PAIRED else scores[:, :, 0, 0].T

    def _common(self, rng: np.random.Generator) -> FloatArray | float:
        """Return what all folds have in common, by algorithm; nothing of data sets.

        Its covariances between algorithms are those of the folds, times the ratio.
        """
        if self.ratio is None:
            return 0.0
        rows = self._rows
        steps = rng.standard_normal(rows.shape[1])
        apart = rows - rows.mean(axis=1, keepdims=True)
        common: FloatArray = (apart @ steps) * np.sqrt(self.ratio / (rows.shape[1] - 1))
        return common

    def _of_rows(self, rows: FloatArray, sums: FloatArray, rng: np.random.Generator) -> Experiment:
        # what Generator.choice does with weights, whose sums it would compute each time; the order
        # of rows tells nothing, and sorted ones are found in half the time
        places = np.searchsorted(sums, np.sort(rng.random(self.size)), side="right")
        drawn = rows[places] + self._common(rng)
        scores = drawn.T[np.newaxis] if self.unit in _PAIRED else drawn[:, :, np.newaxis]
        return with_scores(self._first, scores[..., np.newaxis])

    @cached_property
    def _first(self) -> Experiment:
        """An experiment of the size that is drawn, whose labels all have."""
        rows = np.resize(self._rows.T, (self.size, len(self.algorithms)))
        return self._made(rows.T[np.newaxis] if self.unit in _PAIRED else rows[:, :, np.newaxis])

    def _weighted_runs(self, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return the runs of each cell and the same turned round, with the sums of weights.

        Cells with a single run, of deterministic algorithms, keep it.
        """
        runs = self.experiment.lower
        there = ~np.isnan(runs)
        counts = there.sum(axis=-1, keepdims=True)
        ends = np.nanmax(runs, axis=(1, 3), keepdims=True) + np.nanmin(
            runs, axis=(1, 3), keepdims=True
        )
        half = np.where(counts > 1, self.prior / (2 * counts), 0.0)
        shapes = np.concatenate([there * (1 + half), there * half], axis=-1)
        sums = rng.standard_gamma(shapes).cumsum(axis=-1)
        return np.concatenate([runs, ends - runs], axis=-1), sums / sums[..., -1:]

    def _of_runs(self, runs: FloatArray, sums: FloatArray, rng: np.random.Generator) -> Experiment:
        cells, most = sums.reshape(-1, sums.shape[-1]), sums.shape[-1]
        at = np.arange(len(cells))[:, np.newaxis]
        # one search for all cells: the sums of each lie between its number and the next
        wanted = rng.random((len(cells), self.size)) + at
        places = np.searchsorted((cells + at).ravel(), wanted, side="right")
        drawn = runs.reshape(-1)[np.minimum(places, most * (at + 1) - 1)]
        counts = (~np.isnan(self.experiment.lower)).sum(axis=-1).reshape(-1, 1)
        drawn = np.where((counts > 1) | (np.arange(self.size) == 0), drawn, np.nan)
        return self._made(drawn.reshape(*runs.shape[:-1], self.size))

    def _made(self, scores: FloatArray) -> Experiment:
        pilot = self.experiment
        return Experiment.from_array(
            scores,
            direction=pilot.direction,
            datasets=None if self.unit == DATASETS else pilot.datasets,
            algorithms=pilot.algorithms,
            measure=pilot.measure,
            unit=self.unit if self.unit == ITEMS else None,
        )


# Where drafts are shown: experiments of a size after which there is one in the first
# round, and in how many they are done afterwards
_PARTS, _PART = (1 * EACH, 5 * EACH, 10 * EACH), 25 * EACH
# Options that a comparison over data sets alone has
_OF_DATASETS = ("pairs", "ranking", "method", "scale", "formulas")
_NO_INTERVALS = "none"  # they decide nothing, and take time
_TOGETHER = 100  # experiments that are decided on at once

Decide = Callable[[Sequence[Experiment]], Decisions]


@dataclass(frozen=True, kw_only=True)
class Planned:
    """The comparison that is planned, which decides on simulated experiments.

    Options that are ``auto`` are settled as they will be when the experiment is made.
    """

    decide: Decide
    is_fast: bool = True
    name: str = "planned comparison"

    @property
    def together(self) -> int:
        """How many experiments are best decided on at once."""
        return _TOGETHER if self.is_fast else EACH

    def codes(self, experiments: Sequence[Experiment]) -> Codes:
        """Return the codes of each experiment; pairs that are not tested have no difference."""
        found, places = self.decide(experiments), pair_places(experiments[0].n_algorithms)
        claims = np.sign(found.statistic) * found.rejected
        claims = np.where(found.first < found.second, claims, -claims)
        first, second, none = map(OUTCOMES.index, (FIRST, SECOND, NONE))
        codes = np.full((len(experiments), places.max() + 2), none, dtype=np.int8)
        codes[:, 0] = -1  # no test of any difference
        codes[:, 1 + places[found.first, found.second]] = np.select(
            [claims > 0, claims < 0], [first, second], none
        )
        return codes


class Piloted(NamedTuple):
    """A pilot, its tests and what they found.

    ``unit`` is what is drawn from ``data``, of which it has ``n``; ``tests`` is a sentence on the
    design.
    """

    unit: str
    n: int
    data: Experiment
    design: Planned
    targets: Targets
    tests: str
    result: Result
    control: str | None
    notes: tuple[Note, ...]
    ratio: float | None = None
    several_scales: bool = False


def piloted_by(experiment: Experiment, options: Mapping[str, Any]) -> Piloted:
    """Apply the tests to a pilot; the options are those of :func:`plan`."""
    unit = check_pilot(experiment, options)
    if unit == FOLDS:
        return _by_folds(experiment, options)
    if unit == ITEMS or experiment.unit == RUNS:
        return _within(experiment, unit, options)
    if experiment.n_datasets > 1:
        return _by_datasets(experiment, unit, options)
    return _by_runs(experiment, options)


def check_pilot(experiment: Experiment, options: Mapping[str, Any]) -> str:
    """Return what is planned, if a pilot and the options of a plan go together.

    Parameters
    ----------
    experiment : Experiment
        The pilot.
    options : mapping
        Those of :func:`plan`: ``unit``, ``pairs``, ``ranking``, ``method``, ``scale``,
        ``formulas``, ``ratio`` and ``missing``.

    Returns
    -------
    {"datasets", "folds", "runs", "items"}
        The unit.

    Raises
    ------
    DataError
        If the pilot cannot be drawn from, or lacks scores.
    ValueError
        If an option does not go with what is planned.
    """
    if experiment.n_algorithms < 2:
        raise DataError("`pilot` must hold at least 2 algorithms to compare; got 1.")
    unit = unit_of(experiment, options["unit"])
    if unit != FOLDS and options["ratio"] is not None:
        raise ValueError(
            "`ratio` must be left out unless folds of one data set are planned; got "
            f"{shown(options['ratio'])}."
        )
    if experiment.n_datasets > 1:
        if experiment.losses.any:  # said before compare does, which knows further remedies
            facts = facts_of_scores(experiment, "plan")
            check_rules(GAPS, State(missing=options["missing"], **facts), "missing")
        return unit
    for name in (*_OF_DATASETS, "missing"):
        if options[name] != OPTIONS[f"plan.{name}" if name == "missing" else name].default:
            raise ValueError(
                f"`{name}` must be left out with one data set, whose {unit} are planned without "
                f"such a choice; got {shown(options[name])}."
            )
    if experiment.losses.any:  # draws would lack others
        raise DataError(
            "`pilot` must have all folds and runs of each algorithm to be drawn from; it lacks "
            f"some of {named([str(cell) for cell in experiment.incomplete])}. Add their scores, or "
            "leave out the algorithm with experiment.select(algorithms=[...])."
        )
    return unit


def unit_of(experiment: Experiment, unit: str) -> str:
    """Return what is planned for a pilot, which must have several of it.

    Parameters
    ----------
    experiment : Experiment
        The pilot.
    unit : {"auto", "datasets", "folds", "runs", "items"}
        The option of :func:`plan`.

    Returns
    -------
    {"datasets", "folds", "runs", "items"}
        What ``auto`` stands for, or the unit itself.

    Raises
    ------
    DataError
        If the pilot has too little of it, or cannot be drawn from.
    """
    if experiment.is_interval:
        raise DataError("`pilot` must hold numbers to be drawn from; it holds intervals.")
    if experiment.n_infinite:
        raise DataError(
            "`pilot` must hold finite scores to be drawn from; some are infinite "
            f"({experiment.infinite}). Leave out their data sets with experiment.select(...)."
        )
    n, folds, runs = experiment.n_datasets, experiment.n_folds, experiment.n_runs
    if n * folds * runs == 1:
        raise DataError(
            "`pilot` must hold several data sets, or folds or runs of one; got one score of each "
            "algorithm. Add data sets, or the scores of each fold."
        )
    if unit == AUTO:
        unit = _auto_unit(experiment)
    if (unit == ITEMS) != (experiment.unit == ITEMS) and not (unit == DATASETS and n > 1):
        raise DataError(
            f"`pilot` holds {experiment.unit}, of which unit={unit!r} plans none. Items of a "
            "benchmark are planned with unit='items', and are read with item= or unit='items'."
        )
    if unit == ITEMS and n > 1:
        raise DataError(
            f"`pilot` must hold a single benchmark to plan for its items; got {n}. Take one with "
            "experiment.select(datasets=[...])."
        )
    if unit == DATASETS and n < 2:
        raise DataError(
            "`pilot` must hold at least 2 data sets to plan for data sets; got 1. Plan for folds "
            "or runs of this one with unit='folds' or unit='runs'."
        )
    if unit == FOLDS and n > 1:
        raise DataError(
            f"`pilot` must hold a single data set to plan for its folds; got {n}. Take one with "
            "experiment.select(datasets=[...]), or plan for data sets with unit='datasets'."
        )
    if unit == FOLDS and experiment.fewer_runs:
        raise DataError(
            "`pilot` must have the same runs of every algorithm to plan for folds, of which each "
            f"run has its own; {named(experiment.fewer_runs)} "
            f"{'have' if len(experiment.fewer_runs) > 1 else 'has'} fewer. Plan for runs with "
            "unit='runs'."
        )
    if unit == RUNS and runs < 2:
        raise DataError(
            "`pilot` must hold several runs of each fold to plan for runs; got 1. Plan with "
            f"unit='{DATASETS if n > 1 else FOLDS}'."
        )
    return unit


def _auto_unit(experiment: Experiment) -> str:
    if experiment.n_datasets > 1 and experiment.unit != ITEMS:
        return DATASETS
    if experiment.unit in (ITEMS, RUNS):
        return str(experiment.unit)
    # seeds of the algorithms repeat what has fewer runs on the same folds
    return RUNS if experiment.fewer_runs else FOLDS


def _by_datasets(experiment: Experiment, unit: str, options: Mapping[str, Any]) -> Piloted:
    asked = {name: options[name] for name in ("control", "adjust", "alpha", *_OF_DATASETS)}
    missing = options["missing"]
    result = compare_datasets(experiment, **asked, missing=missing, intervals=_NO_INTERVALS)
    data = experiment.select(datasets=result.design.datasets)
    asked["control"] = result.control
    asked["scale"] = "several" if result.several_scales else "one"
    decide: Decide = partial(decisions, options=asked)
    if options["formulas"] != default("formulas"):
        decide = partial(_each, partial(_printed_decisions, **asked))
    is_mean = unit == DATASETS and data.n_folds * data.n_runs > 1
    return Piloted(
        unit=unit,
        n=data.n_datasets if unit == DATASETS else data.n_runs,
        data=_like(data, data.mean_scores) if is_mean else data,
        design=Planned(decide=decide),
        targets=Targets.of(data.algorithms, _tested(result.hypotheses)),
        tests=result.why,
        result=result,
        control=result.control,
        notes=result.notes,
        several_scales=result.several_scales,
    )


def _printed_decisions(experiment: Experiment, **options: Any) -> Decisions:
    """Return the decisions with the formulas of papers."""
    result = compare_datasets(experiment, **options, intervals=_NO_INTERVALS)
    return _decided(experiment, _tested(result.hypotheses))


def _by_folds(experiment: Experiment, options: Mapping[str, Any]) -> Piloted:
    asked = {name: options[name] for name in ("control", "adjust", "alpha")}
    found = compare_cv(experiment, **asked, ratio=options["ratio"])
    result = cast(CrossValidationComparison, found)  # not of two algorithms
    # each fold of each repetition is a split
    data = _like(experiment, experiment.lower.reshape(1, experiment.n_algorithms, -1))
    asked |= {"control": result.control, "ratio": result.ratio}
    return Piloted(
        unit=FOLDS,
        n=data.n_folds,
        data=data,
        design=Planned(decide=partial(decisions_on_folds, **asked)),
        targets=Targets.of(data.algorithms, _tested(result.hypotheses)),
        tests="Design: corrected resampled t tests of the folds, with test sets of "
        f"{result.ratio:.3g} times the training sets; {_adjusted(result.adjust)}.",
        result=result,
        control=result.control,
        notes=result.notes,
        ratio=result.ratio,
    )


def _within(experiment: Experiment, unit: str, options: Mapping[str, Any]) -> Piloted:
    """Plan for items of one benchmark, or for independent runs on one data set."""
    asked = {name: options[name] for name in ("control", "adjust", "alpha")}
    result = (compare_items if unit == ITEMS else compare_runs)(experiment, **asked)
    asked["control"] = result.control
    data, notes = (experiment, ()) if unit == RUNS else _independent(experiment)
    return Piloted(
        unit=unit,
        n=data.n_runs if unit == RUNS else data.n_folds,
        data=data,
        design=Planned(decide=partial(_each, partial(decisions_within, **asked))),
        targets=Targets.of(data.algorithms, _tested(result.hypotheses, result.differences)),
        tests=f"Design: {result.test_label} on the {unit}; {_adjusted(result.adjust)}.",
        result=result,
        control=result.control,
        notes=(*result.notes, *notes),
    )


def _independent(experiment: Experiment) -> tuple[Experiment, tuple[Note, ...]]:
    """Return what is drawn of items: the means of their runs, or of their clusters."""
    scores = experiment.lower[0].mean(axis=-1)
    notes: tuple[Note, ...] = ()
    if experiment.clusters is not None:
        labels, codes = np.unique(experiment.clusters[0].astype(str), return_inverse=True)
        sizes = np.bincount(codes)
        scores = np.array([np.bincount(codes, row) for row in scores]) / sizes
        notes = (
            Note(
                "clusters",
                f"Items belong together, so that {len(labels):,} clusters of "
                f"{experiment.n_folds / len(labels):.3g} items on average are "
                "what is planned: numbers are numbers of clusters.",
            ),
        )
    return _like(experiment, scores[np.newaxis], unit=ITEMS), notes


def _by_runs(experiment: Experiment, options: Mapping[str, Any]) -> Piloted:
    asked = {name: options[name] for name in ("control", "adjust", "alpha")}
    if asked["adjust"] == AUTO:
        asked["adjust"] = default("stochastic.adjust")
    result = compare_stochastic(experiment, **asked)
    asked["control"] = result.control
    label = STOCHASTIC_PROCEDURES[result.procedure].label
    return Piloted(
        unit=RUNS,
        n=experiment.n_runs,
        data=experiment,
        design=Planned(
            decide=partial(_each, partial(_stochastic_decisions, **asked)), is_fast=False
        ),
        targets=Targets.of(experiment.algorithms, _imprecise(result.hypotheses)),
        tests=f"Design: {label} on the runs of each fold; {_adjusted(result.adjust)}.",
        result=result,
        control=result.control,
        notes=result.notes,
    )


def _stochastic_decisions(experiment: Experiment, **asked: Any) -> Decisions:
    tests = compare_stochastic(experiment, **asked).hypotheses
    return _decided(experiment, _imprecise(tests)._replace(sign=tests.favours.astype(np.float64)))


def _each(
    decide: Callable[[Experiment], Decisions], experiments: Sequence[Experiment]
) -> Decisions:
    """Return the decisions on one experiment after the other."""
    parts = [decide(one) for one in experiments]
    return parts[0]._replace(
        statistic=np.vstack([part.statistic for part in parts]),
        rejected=np.vstack([part.rejected for part in parts]),
    )


def _adjusted(procedures: tuple[str, ...]) -> str:
    return f"{PROCEDURES[procedures[0]].label}'s adjustment" if procedures else "no adjustment"


def _like(pilot: Experiment, scores: FloatArray, unit: str | None = None) -> Experiment:
    """Return other scores of the algorithms on the data sets of a pilot."""
    return Experiment.from_array(
        scores,
        direction=pilot.direction,
        datasets=pilot.datasets,
        algorithms=pilot.algorithms,
        measure=pilot.measure,
        unit=unit,
    )


class _Tested(NamedTuple):
    """Pairs, with the sign of what favours the first."""

    first: Sequence[str]
    second: Sequence[str]
    sign: FloatArray
    difference: FloatArray
    pvalue: FloatArray
    rejected: BoolArray

    def indices(self, algorithms: tuple[str, ...]) -> tuple[IntArray, IntArray]:
        """Return the places of the first and of the second algorithm of each pair."""
        first, second = (np.array([algorithms.index(a) for a in names]) for names in self[:2])
        return first, second


def _tested(tests: Hypotheses, differences: FloatArray | None = None) -> _Tested:
    decided = next(iter(tests.adjusted.values()), tests.pvalue)
    gains = np.asarray(tests.mean_difference if differences is None else differences)
    sign = np.sign(tests.statistic)
    return _Tested(tests.first, tests.second, sign, gains, decided, tests.rejected & (sign != 0))


def _imprecise(tests: ImpreciseHypotheses) -> _Tested:
    gains = (tests.difference_low + tests.difference_high) / 2
    favours = tests.favours.astype(np.float64)
    rejected = np.array([word == REJECTED for word in tests.outcome]) & (favours != 0)
    sign = np.where(favours != 0, favours, np.sign(gains))
    return _Tested(tests.first, tests.second or (), sign, gains, tests.decisive[1], rejected)


def _decided(experiment: Experiment, tests: _Tested) -> Decisions:
    pairs = tests.indices(experiment.algorithms)
    return Decisions(*pairs, tests.sign[np.newaxis], tests.rejected[np.newaxis])


@dataclass(frozen=True)
class Targets:
    """What the experiment is to find: the pairs, the better algorithm first, as the pilot has them.

    ``column`` is the place of each among all pairs, and ``code`` the outcome that finds it;
    ``n_equal`` pairs do not differ in the pilot.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    difference: FloatArray
    pvalue: FloatArray
    significant: BoolArray
    column: IntArray
    code: IntArray
    n_equal: int

    @classmethod
    def of(cls, algorithms: tuple[str, ...], tests: _Tested) -> Targets:
        """Return the targets, in the order of the tests.

        Two that do not differ in the pilot in any direction are no target.
        """
        rows = np.flatnonzero(tests.sign != 0)
        if not len(rows):
            raise DataError(
                "`pilot` must hold algorithms that differ: all of them perform equally there, so "
                "that there is no difference to plan for."
            )
        sign = tests.sign[rows]
        one, other = (part[rows] for part in tests.indices(algorithms))
        better, worse = np.where(sign > 0, [one, other], [other, one])
        return cls(
            tuple(algorithms[at] for at in better),
            tuple(algorithms[at] for at in worse),
            sign * tests.difference[rows],
            tests.pvalue[rows],
            tests.rejected[rows],
            pair_places(len(algorithms))[one, other],
            np.where(better < worse, OUTCOMES.index(FIRST), OUTCOMES.index(SECOND)),
            len(tests.first) - len(rows),
        )

    def found(self, outcomes: Codes) -> BoolArray:
        """Return which targets an array of outcomes, pairs last, has found; all at once last."""
        each = outcomes[..., self.column] == self.code
        if not self.significant.any():
            return np.asarray(each)
        together = each[..., self.significant].all(axis=-1, keepdims=True)
        return np.concatenate([each, together], axis=-1)


class Simulated:
    """Experiments of wanted sizes, drawn from a pilot, in which targets are found or not."""

    def __init__(
        self, piloted: Piloted, *, prior: float, seed: int, n_jobs: int | None, bar: Progress
    ) -> None:
        self._piloted, self._prior, self._seed = piloted, prior, seed
        self._n_jobs, self._bar, self._round = n_jobs, bar, 0

    def __call__(self, sizes: Sequence[int], times: int) -> Iterator[BoolArray]:
        """Yield what is found, by size, experiment and target; in parts if drafts are shown."""
        pilot = self._piloted
        self._round += 1
        # every round has numbers of its own, which depend on the seed and on the round alone
        source = np.random.SeedSequence([self._seed, self._round])
        law: dict[str, Any] = {"unit": pilot.unit, "prior": self._prior, "ratio": pilot.ratio}
        first = _PARTS if self._round == 1 else ()
        ends = [*first, *range(_PART, times, _PART)] if self._bar.is_heard else []
        done = 0
        for tally in simulate_parts(
            [Case(LeftOpen(experiment=pilot.data, size=size, **law)) for size in sizes],
            [pilot.design],
            ends=[*(end for end in ends if end < times), times],
            rng=int(source.generate_state(1)[0]),
            n_jobs=self._n_jobs,
            told=self._bar.update,
        ):
            outcomes = tally.outcomes[:, done:, 0]
            done += outcomes.shape[1]
            yield pilot.targets.found(outcomes)
