"""Planning of an experiment: how many data sets, folds or runs it needs, by a pilot."""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_choice, check_count, check_probability, shown
from nbcompare.analysis import compare
from nbcompare.experiment import FRAME, Experiment, Frame, experiment_of
from nbcompare.results import Comparison, Hypotheses, Labelled, Plan, Shares
from nbcompare.results.plan import DATASETS, Needed
from nbcompare.stats.binomial import clopper_pearson
from nbcompare.study._design import Design
from nbcompare.study._model import pairs as all_pairs
from nbcompare.study._plan_designs import PlannedComparison
from nbcompare.study._resampled import FromExperiment
from nbcompare.study._simulate import Case, seed_of, simulate
from nbcompare.study._sizes import Search, joined, of_rows, rising_power

Adjust = str | Sequence[str] | None
_LEAST = 2  # data sets
_SMALL = 10  # data sets of a pilot: fewer tell little about others


def plan(
    pilot: Experiment | Frame,
    *,
    direction: str | None = None,
    unit: str = default("unit"),
    power: float = default("power"),
    shrink: float = default("shrink"),
    largest: int = default("largest"),
    control: str | None = default("control"),
    pairs: str = default("pairs"),
    ranking: str = default("ranking"),
    adjust: Adjust = default("adjust"),
    alpha: float = default("alpha"),
    method: str = default("method"),
    scale: str = default("scale"),
    formulas: str = default("formulas"),
    missing: str = default("plan.missing"),
    confidence: float = default("confidence"),
    rng: int | None = 0,
    n_jobs: int | None = None,
    store: str | Path | None = None,
) -> Plan:
    """Say how many data sets an experiment needs to find the differences of a pilot."""
    experiment = experiment_of(pilot, direction, "pilot")
    wanted, level = check_probability(power, "power"), check_probability(confidence, "confidence")
    less = _check_shrink(shrink)
    most = check_count(largest, "largest", least=_LEAST)
    check_choice(unit, "unit", ("auto", "datasets", "folds", "runs"))
    result = compare(
        experiment,
        control=control,
        pairs=pairs,
        ranking=ranking,
        adjust=adjust,
        alpha=alpha,
        method=method,
        scale=scale,
        formulas=formulas,
        intervals="none",
        missing=missing,
    )
    data = experiment.select(datasets=result.design.datasets)
    design = PlannedComparison(
        control=result.control,
        pairs=pairs,
        ranking=ranking,
        adjust=adjust if adjust is None or isinstance(adjust, str) else tuple(adjust),
        alpha=result.alpha,
        method=method,
        scale="several" if result.several_scales else "one",
        formulas=formulas,
    )
    targets = Targets.of(data, result.hypotheses)
    model = _means(data)
    seed = seed_of(rng)
    search = Search(
        Simulated(model, design, targets, less, seed, n_jobs, store),
        len(targets.first) + bool(targets.significant.any()),
        least=_LEAST,
        largest=most,
        pilot=data.n_datasets,
        power=wanted,
        confidence=level,
    )
    answers = search.run()
    options = {
        "unit": unit,
        "power": wanted,
        "shrink": less,
        "largest": most,
        "control": control,
        "pairs": pairs,
        "ranking": ranking,
        "adjust": result.design.options["adjust"],
        "alpha": result.alpha,
        "method": method,
        "scale": scale,
        "formulas": formulas,
        "missing": missing,
        "confidence": level,
        "rng": seed,
    }
    return _result(experiment, result, targets, search, answers, options)


def _check_shrink(shrink: object) -> float:
    if not isinstance(shrink, bool) and isinstance(shrink, numbers.Real) and 0 <= shrink < 1:
        return float(shrink)
    raise ValueError(
        "`shrink` must be a share of the differences from 0 to below 1, such as 0.25 for a quarter "
        f"less; got {shown(shrink)}."
    )


def _means(data: Experiment) -> Experiment:
    """Return the mean scores of the data sets, which is all that their comparison uses."""
    if data.n_folds * data.n_runs == 1:
        return data
    return Experiment.from_array(
        data.mean_scores,
        direction=data.direction,
        datasets=data.datasets,
        algorithms=data.algorithms,
        measure=data.measure,
    )


@dataclass(frozen=True)
class Targets:
    """What the experiment is to find: the pairs, the better algorithm first, as the pilot has them.

    ``column`` is the place of each among all pairs, and ``code`` the outcome that finds it.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    difference: FloatArray
    pvalue: FloatArray
    significant: BoolArray
    column: IntArray
    code: IntArray

    @classmethod
    def of(cls, data: Experiment, tests: Hypotheses) -> Targets:
        """Return the targets by the tests of a pilot, in the order of their p-values.

        Two that do not differ there in any direction are no target.
        """
        rows = np.flatnonzero(tests.statistic != 0)
        if not len(rows):
            raise DataError(
                "`pilot` must hold algorithms that differ: all of them perform equally there, so "
                "that there is no difference to plan for."
            )
        places = {pair: place for place, pair in enumerate(all_pairs(data.algorithms))}
        first, second, columns, codes, gains = [], [], [], [], []
        decided = next(iter(tests.adjusted.values()), tests.pvalue)
        effects = tests.effects(rows)
        for row, gain in zip(rows.tolist(), effects["mean_difference"].tolist(), strict=True):
            one, other = tests.first[row], tests.second[row]
            better = tests.statistic[row] > 0
            first.append(one if better else other)
            second.append(other if better else one)
            gains.append(gain if better else -gain)
            straight = (first[-1], second[-1]) in places
            columns.append(places[(first[-1], second[-1])[:: 1 if straight else -1]])
            codes.append(0 if straight else 1)
        return cls(
            tuple(first),
            tuple(second),
            np.array(gains),
            decided[rows],
            tests.rejected[rows],
            np.array(columns),
            np.array(codes),
        )

    def found(self, outcomes: IntArray) -> BoolArray:
        """Return which targets an array of outcomes, pairs last, has found; all at once last."""
        each = outcomes[..., self.column] == self.code
        if not self.significant.any():
            return np.asarray(each)
        together = each[..., self.significant].all(axis=-1, keepdims=True)
        return np.concatenate([each, together], axis=-1)


class Simulated:
    """Experiments of wanted sizes, drawn from a pilot, in which targets are found or not."""

    def __init__(
        self,
        pilot: Experiment,
        design: Design,
        targets: Targets,
        shrink: float,
        seed: int,
        n_jobs: int | None,
        store: str | Path | None,
    ) -> None:
        self._pilot, self._design, self._targets = pilot, design, targets
        self._effect, self._n_jobs, self._seed = 1 - shrink, n_jobs, seed
        self._store = None if store is None else Path(store)
        self._round = 0

    def __call__(self, sizes: Sequence[int], times: int) -> BoolArray:
        """Return what is found, by size, experiment and target."""
        self._round += 1
        # every round has numbers of its own, which depend on the seed and on the round alone
        source = np.random.SeedSequence([self._seed, self._round])
        folder = None if self._store is None else self._store / f"round-{self._round:03d}"
        cases = [
            Case(FromExperiment(experiment=self._pilot, resample=DATASETS, size=size), self._effect)
            for size in sizes
        ]
        tally = simulate(
            cases,
            [self._design],
            repetitions=times,
            rng=int(source.generate_state(1)[0]),
            n_jobs=self._n_jobs,
            store=folder,
        )
        return self._targets.found(tally.outcomes[:, :, 0])


def _result(
    experiment: Experiment,
    result: Comparison,
    targets: Targets,
    search: Search,
    answers: Sequence[Needed],
    options: Mapping[str, Any],
) -> Plan:
    n_pairs = len(targets.first)
    needed = joined(answers[:n_pairs])
    # those that need least first; of several, those with the smaller p
    order = np.lexsort((np.arange(n_pairs), np.where(needed.n == 0, 2**60, needed.n)))
    tallies, level = search.tallies, options["confidence"]
    good = tallies.found[:, [*order, *range(n_pairs, len(answers))]].astype(np.float64)
    trials = np.repeat(tallies.trials[:, np.newaxis].astype(np.float64), n_pairs + 1, axis=1)
    if len(answers) == n_pairs:
        good = np.column_stack([good, np.zeros(len(good))])
        trials[:, -1] = 0.0
    ends = clopper_pearson(good, trials, level)
    shares = Shares(successes=good, trials=trials, lower=ends.lower, upper=ends.upper)
    read = tuple(note for note in experiment.notes if note.code == FRAME)
    design = result.design
    return Plan(
        unit=DATASETS,
        n_pilot=design.n_datasets,
        power=options["power"],
        alpha=options["alpha"],
        shrink=options["shrink"],
        largest=options["largest"],
        first=tuple(targets.first[row] for row in order),
        second=tuple(targets.second[row] for row in order),
        difference=targets.difference[order],
        pvalue=targets.pvalue[order],
        significant=targets.significant[order],
        needed=of_rows(needed, order),
        together=answers[-1] if len(answers) > n_pairs else None,
        sizes=tallies.sizes,
        repetitions=tallies.trials,
        found=shares,
        rising=rising_power(shares),
        confidence=level,
        tests=result.why,
        notes=(*read, *_notes(result, targets)),
        design=replace(design, options=Labelled(options)),
    )


def _notes(result: Comparison, targets: Targets) -> Iterator[Note]:
    n = result.design.n_datasets
    if n < _SMALL:
        yield Note(
            "small-pilot",
            f"The pilot has {plural(n, 'data set')}: fewer than {_SMALL} say little about others, "
            "and the plan is as uncertain as the pilot. Plan again when there are more.",
        )
    if not targets.significant.any():
        yield Note(
            "nothing-significant",
            "The pilot found no pair significant. What looks like a difference there may be chance, "
            "and a plan for it too.",
        )
    yield from (note for note in result.notes if note.code == "control-from-data")
