"""The engine of studies: independent draws of known seeds, on any number of workers."""

from __future__ import annotations

import concurrent.futures.process
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare._arrays import IntArray
from nbcompare._progress import Progress
from nbcompare._validation import check_count, check_jobs, check_labels
from nbcompare._version import __version__
from nbcompare.experiment import Experiment
from nbcompare.study._described import described
from nbcompare.study._design import Design, DesignOfMany
from nbcompare.study._model import Model, Populations, pairs
from nbcompare.study._store import Codes, Store
from nbcompare.study._verdict import coded

_SECONDS = 1.0  # of work in a chunk
_MOST_IN_CHUNK = 2_000
_TOGETHER = 100  # experiments that a design decides on at once, if it can
_CHUNKS_EACH = 4  # at least so many chunks for every worker, so that they end together
_MOST_DEATHS = 5  # of workers, one after the other, with nothing done in between
_UNDONE = -2  # no outcome yet

Task = tuple[int, int]  # case and repetition
Draw = Callable[[np.random.Generator], Experiment]


@dataclass(frozen=True, slots=True)
class Case:
    """What experiments are drawn from: a model with one effect, or populations.

    ``each`` is how many experiments of a population there are; populations have no effect.
    """

    model: Model | Populations
    effect: float = math.nan
    each: int = _MOST_IN_CHUNK

    @property
    def population(self) -> Callable[[np.random.Generator], Draw]:
        """What makes a population, which draws experiments."""
        if isinstance(self.model, Model):
            draw = partial(self.model.draw, self.effect)
            return lambda _: draw
        return self.model.population


@dataclass(frozen=True, slots=True)
class Tally:
    """What each design concluded from every simulated experiment.

    Attributes
    ----------
    outcomes : ndarray of int, shape (n_cases, repetitions, n_designs, n_pairs)
        Places of the outcomes in the list of words of a Verdict.
    omnibus : ndarray of int, shape (n_cases, repetitions, n_designs)
        The same of the tests of any difference; -1 without such a test.
    seed : int
        The seed that was used.
    """

    outcomes: Codes
    omnibus: Codes
    seed: int


@dataclass(frozen=True, slots=True)
class _Job:
    """What every task needs; it is sent to the workers."""

    cases: tuple[Case, ...]
    designs: tuple[Design, ...]
    seed: int
    n_pairs: int

    def run(self, tasks: Sequence[Task]) -> list[tuple[int, int, Codes]]:
        """Return the codes of each task, a row per design: omnibus first, then the pairs."""
        found = []
        for case, group in groupby(tasks, key=lambda task: task[0]):
            numbers = [number for _, number in group]
            for start in range(0, len(numbers), _TOGETHER):
                found += self._some(case, numbers[start : start + _TOGETHER])
        return found

    @property
    def together(self) -> int:
        """How many tasks are best done at once: those of a population, which is drawn once."""
        if all(isinstance(design, DesignOfMany) for design in self.designs):
            return _TOGETHER
        one = self.cases[0]
        return 1 if isinstance(one.model, Model) else one.each

    def _some(self, case: int, numbers: Sequence[int]) -> list[tuple[int, int, Codes]]:
        one, draws = self.cases[case], dict[int, Draw]()
        population = one.population
        experiments = []
        for number in numbers:
            group = number // one.each
            if group not in draws:
                # its numbers are those of no experiment
                draws[group] = population(self._numbers(case, group, 2))
            experiments.append(draws[group](self._numbers(case, number, 0)))
        codes = np.empty((len(numbers), len(self.designs), 1 + self.n_pairs), dtype=np.int8)
        for row, design in enumerate(self.designs):
            repetition = f"one of the repetitions {numbers[0] + 1} to {numbers[-1] + 1}"
            try:
                if isinstance(design, DesignOfMany):
                    verdicts = design.of_many(experiments)
                    for place, verdict in enumerate(verdicts):
                        codes[place, row] = self._coded(verdict, design)
                    continue
                for place, number in enumerate(numbers):
                    repetition = f"repetition {number + 1}"
                    # every design gets the same numbers, so that others do not matter to it
                    rng = self._numbers(case, number, 1)
                    codes[place, row] = self._coded(design(experiments[place], rng), design)
            except Exception as error:
                with_effect = f" with the effect {one.effect:g}" * isinstance(one.model, Model)
                error.add_note(f"This is the design {design.name!r} in {repetition}{with_effect}.")
                raise
        return [(case, number, found) for number, found in zip(numbers, codes, strict=True)]

    def _numbers(self, *place: int) -> np.random.Generator:
        """Return random numbers: those that SeedSequence(seed).spawn(...) has in this place."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=place))

    def _coded(self, verdict: object, design: Design) -> IntArray:
        outcomes, omnibus = coded(verdict, self.n_pairs, design.name)
        return np.concatenate([[omnibus], outcomes])


def simulate(
    cases: Sequence[Case],
    designs: Sequence[Design],
    *,
    repetitions: int = 100,
    rng: int | None = 0,
    n_jobs: int | None = None,
    store: str | Path | None = None,
) -> Tally:
    """Apply designs to simulated experiments, and return all of their conclusions.

    The seed of an experiment depends on the case and the repetition alone, so that the result is
    the same whatever the number of workers, and a study can be extended by more repetitions.

    Parameters
    ----------
    cases : sequence of Case
        Models with effects; the algorithms are the same in all.
    designs : sequence of Design
        Designs with distinct names.
    repetitions, rng, n_jobs, store
        As in :func:`run`.

    Returns
    -------
    Tally
        The outcomes.
    """
    times = check_count(repetitions, "repetitions", least=1)
    with Progress("simulations", len(cases) * times) as bar:
        (tally,) = simulate_parts(
            cases, designs, ends=(times,), rng=rng, n_jobs=n_jobs, store=store, told=bar.update
        )
    return tally


def simulate_parts(
    cases: Sequence[Case],
    designs: Sequence[Design],
    *,
    ends: Sequence[int],
    rng: int | None,
    n_jobs: int | None,
    store: str | Path | None,
    told: Callable[[int], object],
) -> Iterator[Tally]:
    """Yield the conclusions from growing numbers of repetitions, which do not change the last.

    Parameters
    ----------
    cases, designs, rng, n_jobs, store
        As in :func:`simulate`.
    ends : sequence of int
        The numbers of repetitions, ascending.
    told : callable
        Told how many experiments were done.

    Yields
    ------
    Tally
        The outcomes of so many repetitions of every case.
    """
    seed = seed_of(rng)
    names = check_labels((design.name for design in designs), "designs")
    if not cases or not names:
        raise ValueError("`cases` and `designs` must hold at least one each.")
    n_pairs = len(pairs(cases[0].model.algorithms))
    times = ends[-1]
    job = _Job(tuple(cases), tuple(designs), seed, n_pairs)
    codes = np.full((len(cases), times, len(names), 1 + n_pairs), _UNDONE, dtype=np.int8)
    keeper = None if store is None else Store(Path(store), _about(job), names)
    if keeper is not None:
        for case, number, found in keeper.load():
            there = number < times
            codes[case[there], number[there]] = found[there]
    run = _Run(job, codes, keeper)
    told(int((codes[:, :, 0, 0] != _UNDONE).sum()))
    for end in ends:
        try:
            run.finish(end, n_jobs, told)
        finally:  # also after Ctrl-C
            if keeper is not None:
                keeper.flush()
        yield Tally(codes[:, :end, :, 1:], codes[:, :end, :, 0], seed)


def seed_of(rng: object) -> int:
    """Return a seed, a new one of None."""
    if rng is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    return check_count(rng, "rng", least=0)


def _about(job: _Job) -> dict[str, Any]:
    """Return what a stored study records of itself."""
    models: list[Any] = []
    cases = []
    for case in job.cases:
        model = described(case.model)
        if model not in models:
            models.append(model)
        cases.append([models.index(model), case.effect, case.each])
    return {
        "nbcompare": __version__,
        "models": models,
        "cases": cases,
        "designs": [described(design) for design in job.designs],
        "seed": job.seed,
    }


class _Run:
    """Tasks that are done one after the other, or by workers, until none is left."""

    def __init__(self, job: _Job, codes: Codes, keeper: Store | None) -> None:
        self.job, self.codes, self.keeper = job, codes, keeper

    def _pending(self, end: int) -> list[Task]:
        undone = np.argwhere(self.codes[:, :end, 0, 0] == _UNDONE)
        return [(int(case), int(number)) for case, number in undone]

    def _keep(self, found: Sequence[tuple[int, int, Codes]]) -> None:
        for case, number, codes in found:
            self.codes[case, number] = codes
            if self.keeper is not None:
                self.keeper.add(case, number, codes)

    def finish(self, end: int, n_jobs: int | None, told: Callable[[int], object]) -> None:
        """Do what is left of the repetitions before ``end``, and tell how many tasks were done."""
        parallel = _joblib(n_jobs)
        pending = self._pending(end)
        if parallel is None:
            for start in range(0, len(pending), self.job.together):
                tasks = pending[start : start + self.job.together]
                self._keep(self.job.run(tasks))
                told(len(tasks))
            return
        # mistakes in a model or a design show here; the second one takes as long as the others
        seconds = 0.0
        for task in pending[:2]:
            began = time.perf_counter()
            self._keep(self.job.run([task]))
            seconds = time.perf_counter() - began
            told(1)
        deaths = 0
        while pending := self._pending(end):
            try:
                for found in _by_workers(parallel, n_jobs, self.job, _chunks(pending, seconds)):
                    self._keep(found)
                    told(len(found))
                    deaths = 0
            except Exception as error:
                deaths += 1
                if not _is_death(error) or deaths > _MOST_DEATHS:
                    raise


def _chunks(tasks: Sequence[Task], seconds: float) -> list[Sequence[Task]]:
    """Split tasks that take so long each into chunks of about a second."""
    size = int(_SECONDS / max(seconds, 1e-6))
    size = max(1, min(size, _MOST_IN_CHUNK, len(tasks) // (8 * _CHUNKS_EACH)))
    return [tasks[start : start + size] for start in range(0, len(tasks), size)]


def _joblib(n_jobs: int | None) -> Any:
    """Return joblib if there may be several workers, else None."""
    if n_jobs is not None:
        check_jobs(n_jobs, "n_jobs")
    # without joblib in memory, nobody has chosen a backend of it
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        return None
    try:
        import joblib  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise ImportError(
            f"`n_jobs`={n_jobs} needs the package joblib. Install it with: "
            'pip install "nbcompare[parallel]", or leave out `n_jobs` for one core.'
        ) from None
    if n_jobs is None and joblib.Parallel().n_jobs == 1:
        return None
    return joblib


def _by_workers(
    joblib: Any, n_jobs: int | None, job: _Job, chunks: Sequence[Sequence[Task]]
) -> Iterator[list[tuple[int, int, Codes]]]:
    """Yield the results of chunks as they come."""
    # a None of ours would be a None of joblib, which asks its context
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    yield from parallel(joblib.delayed(job.run)(chunk) for chunk in chunks)


def _is_death(error: BaseException) -> bool:
    """Tell whether an error says that a worker died, of joblib's own backend or of Dask's."""
    if isinstance(error, concurrent.futures.process.BrokenProcessPool):
        return True
    # named, because Dask need not be installed
    return type(error).__name__ in {"KilledWorker", "CommClosedError", "FutureCancelledError"}
