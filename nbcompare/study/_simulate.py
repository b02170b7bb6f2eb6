"""The engine of studies: independent draws of known seeds."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from nbcompare._progress import Progress
from nbcompare._validation import check_count, check_jobs, check_labels
from nbcompare.experiment import Experiment
from nbcompare.study._design import Design, codes_of
from nbcompare.study._model import Model, Populations, pairs

Codes = npt.NDArray[np.int8]


EACH = 4  # experiments of a population: they tell how far its power is from that of others

Task = tuple[int, int]  # case and repetition


@runtime_checkable
class DesignOfMany(Protocol):
    """A design that decides on many experiments at once in less time, without random numbers."""

    @property
    def name(self) -> str:
        """Name of the design."""

    @property
    def together(self) -> int:
        """How many experiments are best decided on at once."""

    def codes(self, experiments: Sequence[Experiment]) -> Codes:
        """Return the codes of each experiment, as if it were alone: omnibus first, then pairs."""


@dataclass(frozen=True, slots=True)
class Case:
    """What experiments are drawn from: a model with one effect, or populations."""

    model: Model | Populations
    effect: float = math.nan


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
    designs: tuple[Design | DesignOfMany, ...]
    seed: int

    @property
    def n_pairs(self) -> int:
        return len(pairs(self.cases[0].model.algorithms))

    @property
    def together(self) -> int:
        """How many tasks are best done at once."""
        return max(getattr(design, "together", 1) for design in self.designs)

    def run(self, tasks: Sequence[Task]) -> list[tuple[int, int, Codes]]:
        """Return the codes of each task, a row per design: omnibus first, then the pairs."""
        found = []
        for case, group in groupby(tasks, key=lambda task: task[0]):
            numbers = [number for _, number in group]
            experiments = self._draw(case, numbers)
            codes = np.empty((len(numbers), len(self.designs), 1 + self.n_pairs), dtype=np.int8)
            for row, design in enumerate(self.designs):
                codes[:, row] = self._decide(case, numbers, design, experiments)
            found += [(case, *one) for one in zip(numbers, codes, strict=True)]
        return found

    def _draw(self, case: int, numbers: Sequence[int]) -> list[Experiment]:
        model, effect = self.cases[case].model, self.cases[case].effect
        if isinstance(model, Model):
            return [model.draw(effect, self._numbers(case, number, 0)) for number in numbers]
        # the numbers of a population are those of no experiment
        populations = {
            group: model.population(self._numbers(case, group, 2))
            for group in {number // EACH for number in numbers}
        }
        return [populations[number // EACH](self._numbers(case, number, 0)) for number in numbers]

    def _decide(
        self,
        case: int,
        numbers: Sequence[int],
        design: Design | DesignOfMany,
        experiments: Sequence[Experiment],
    ) -> Codes:
        where = f"one of the repetitions {numbers[0] + 1} to {numbers[-1] + 1}"
        try:
            if isinstance(design, DesignOfMany):
                return design.codes(experiments)
            codes = np.empty((len(numbers), 1 + self.n_pairs), dtype=np.int8)
            for row, (number, experiment) in enumerate(zip(numbers, experiments, strict=True)):
                where = f"repetition {number + 1} with the effect {self.cases[case].effect:g}"
                # every design gets the same numbers, so that others do not matter to it
                verdict = design(experiment, self._numbers(case, number, 1))
                codes[row] = codes_of(verdict, self.n_pairs, design.name)
        except Exception as error:
            error.add_note(f"This is the design {design.name!r} in {where}.")
            raise
        return codes

    def _numbers(self, *place: int) -> np.random.Generator:
        """Return random numbers: those that SeedSequence(seed).spawn(...) has in this place."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=place))


def simulate(
    cases: Sequence[Case],
    designs: Sequence[Design],
    *,
    repetitions: int = 100,
    rng: int | None = 0,
    n_jobs: int | None = None,
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
    repetitions, rng, n_jobs
        As in :func:`run`.

    Returns
    -------
    Tally
        The outcomes.
    """
    times = check_count(repetitions, "repetitions", least=1)
    with Progress("simulations", len(cases) * times) as bar:
        (tally,) = simulate_parts(
            cases, designs, ends=(times,), rng=rng, n_jobs=n_jobs, told=bar.update
        )
    return tally


def simulate_parts(
    cases: Sequence[Case],
    designs: Sequence[Design | DesignOfMany],
    *,
    ends: Sequence[int],
    rng: int | None,
    n_jobs: int | None,
    told: Callable[[int], object],
) -> Iterator[Tally]:
    """Yield the conclusions from growing numbers of repetitions, which do not change the last.

    ``ends`` are these numbers, ascending, and ``told`` is told how many experiments were done; the
    rest is as in :func:`simulate`.
    """
    job = _Job(tuple(cases), tuple(designs), seed_of(rng))
    names = check_labels((design.name for design in designs), "designs")
    if not cases or not names:
        raise ValueError("`cases` and `designs` must hold at least one each.")
    codes = np.empty((len(cases), ends[-1], len(names), 1 + job.n_pairs), dtype=np.int8)
    for begin, end in pairwise((0, *ends)):
        undone = [(case, number) for case in range(len(cases)) for number in range(begin, end)]
        chunks = [undone[at : at + job.together] for at in range(0, len(undone), job.together)]
        for part in _by_workers(job, chunks, n_jobs):
            for case, number, row in part:
                codes[case, number] = row
            told(len(part))
        yield Tally(codes[:, :end, :, 1:], codes[:, :end, :, 0], job.seed)


def seed_of(rng: object) -> int:
    """Return a seed, a new one of None."""
    if rng is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    return check_count(rng, "rng", least=0)


def _by_workers(
    job: _Job, chunks: Sequence[Sequence[Task]], n_jobs: int | None
) -> Iterator[list[tuple[int, int, Codes]]]:
    """Yield the results of chunks as they come: from this process, or from workers of joblib."""
    if n_jobs is not None:
        check_jobs(n_jobs, "n_jobs")
    # without joblib in memory, nobody has chosen a backend of it
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        yield from map(job.run, chunks)
        return
    try:
        import joblib  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise ImportError(
            f"`n_jobs`={n_jobs} needs the package joblib. Install it with: "
            'pip install "nbcompare[parallel]", or leave out `n_jobs` for one core.'
        ) from None
    # a None of ours is a None of joblib, which asks its context, and which joins short tasks
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    if parallel.n_jobs == 1:
        yield from map(job.run, chunks)
        return
    yield from parallel(joblib.delayed(job.run)(chunk) for chunk in chunks)
