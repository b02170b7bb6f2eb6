"""The engine of studies: independent draws of known seeds, and the folder they resume from."""

from __future__ import annotations

import functools
import hashlib
import inspect
import io
import json
import math
import pickle
import secrets
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import digest
from nbcompare._files import write_whole
from nbcompare._progress import Progress
from nbcompare._validation import DataError, check_count, check_jobs, check_labels, listed
from nbcompare._version import __version__
from nbcompare.experiment import Experiment
from nbcompare.results.power_study import OMNIBUS_OUTCOMES, OUTCOMES
from nbcompare.study._design import Design, codes_of
from nbcompare.study._model import Model, Populations, pairs

_ABOUT, _PARTS = "_study.json", "part-*.npz"
_PATIENCE = 2.0  # seconds of work that a killed process loses, at most

Codes = npt.NDArray[np.int8]


class Store:
    """Outcomes in files of NumPy, each whole: one for every few seconds of work.

    A file has the arrays ``case`` and ``repetition`` of simulated experiments, and ``codes`` of
    shape (experiment, design, 1 + pair): the outcome of the test of any difference, and then of
    each pair, as places in the lists of words in ``_study.json``; -1 stands for no such test. Two
    files may hold the same experiment, as processes that were killed leave it.
    """

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        self._folder, self._written = folder, time.monotonic()
        self._rows: list[tuple[int, int, Codes]] = []
        words = {"outcomes": OUTCOMES, "omnibus": OMNIBUS_OUTCOMES}
        text = json.dumps({**about, **words}, indent=1)
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(f"`store` must be a folder; {folder} is a file.")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / _ABOUT
        if path.exists():
            _check_same(path, json.loads(text))
        elif any(not item.name.startswith(".") for item in folder.iterdir()):
            raise DataError(
                f"`store` must be a new or empty folder, or that of the same study; {folder} holds "
                "other files. Name another folder."
            )
        else:
            write_whole(path, text)

    def load(self) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any], Codes]]:
        """Yield cases, repetitions and codes of each file."""
        for path in sorted(self._folder.glob(_PARTS)):
            try:
                with np.load(io.BytesIO(path.read_bytes())) as part:
                    yield part["case"], part["repetition"], part["codes"]
            except (KeyError, ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
                raise DataError(
                    f"`store` holds a file that cannot be read, {path}: {error}. Remove the file; "
                    "what it held is computed again."
                ) from None

    def add(self, rows: Sequence[tuple[int, int, Codes]]) -> None:
        """Keep the codes of simulated experiments, and write now and then."""
        self._rows += rows
        if time.monotonic() - self._written > _PATIENCE:
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet, as a file of its own."""
        if self._rows:
            case, repetition, codes = map(np.array, zip(*self._rows, strict=True))
            whole = io.BytesIO()
            np.savez_compressed(whole, case=case, repetition=repetition, codes=codes)
            name = _PARTS.replace("*", f"{time.time_ns():020d}-{secrets.token_hex(4)}")
            write_whole(self._folder / name, whole.getvalue())
        self._rows, self._written = [], time.monotonic()


def _check_same(path: Path, wanted: Mapping[str, Any]) -> None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        differing = [name for name in wanted if name not in found or found[name] != wanted[name]]
    except (ValueError, TypeError):
        raise DataError(
            f"`store` must be the folder of a study; {path} cannot be read. Name another folder, "
            "or remove this one to begin again."
        ) from None
    if differing:
        raise DataError(
            f"`store` must be empty or hold the same study; the study in {path.parent} has other "
            f"{listed(differing)}. Name another folder, or remove this one to begin again."
        )


def described(value: Any) -> Any:
    """Return what distinguishes a model, a design or an option, as data for JSON.

    A function is its name, a digest of its text, and what it encloses, so that one that was changed
    is another one.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Experiment):
        labels = {"algorithms": value.algorithms, "datasets": value.datasets}
        return {"experiment": digest(labels, [value.lower, value.upper])}
    if isinstance(value, Mapping):
        return {str(name): described(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [described(item) for item in value]
    if isinstance(value, functools.partial):
        return {"partial": [described(part) for part in (value.func, value.args, value.keywords)]}
    if inspect.isroutine(value):
        return {"function": _parts_of(value)}
    parts = getattr(value, "__dict__", {})
    if is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
    if parts:
        kind = type(value)
        return {"class": f"{kind.__module__}.{kind.__qualname__}"} | described(parts)
    return {"pickled": hashlib.sha256(pickle.dumps(value)).hexdigest()}


def _parts_of(function: Callable[..., Any]) -> list[Any]:
    """Return the name and text of a function, and what it uses beside its arguments."""
    inner = getattr(function, "__func__", function)
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        text = ""
    cells = [cell.cell_contents for cell in getattr(inner, "__closure__", None) or ()]
    parts = [value for value in cells if value is not inner]
    parts += [
        getattr(inner, name, None) for name in ("__qualname__", "__defaults__", "__kwdefaults__")
    ]
    owner = getattr(function, "__self__", None)
    return [text, *map(described, parts), *([] if inspect.ismodule(owner) else [described(owner)])]


EACH = 4  # experiments of a population: they tell how far its power is from that of others
_UNDONE = -2  # no outcome yet

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

    def about(self) -> dict[str, Any]:
        """Return what a stored study records of itself."""
        models: list[Any] = []
        effects = []
        for case in self.cases:
            model = described(case.model)
            models += [] if model in models else [model]
            effects.append([models.index(model), case.effect])
        return {
            "version of nbcompare": __version__,
            "model": models,
            "effects": effects,
            "designs": [described(design) for design in self.designs],
            "seed": self.seed,
        }


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
    designs: Sequence[Design | DesignOfMany],
    *,
    ends: Sequence[int],
    rng: int | None,
    n_jobs: int | None,
    store: str | Path | None = None,
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
    times = ends[-1]
    codes = np.full((len(cases), times, len(names), 1 + job.n_pairs), _UNDONE, dtype=np.int8)
    keeper = None if store is None else Store(Path(store), job.about())
    for cases_of, numbers, found in () if keeper is None else keeper.load():
        there = numbers < times
        codes[cases_of[there], numbers[there]] = found[there]
    told(int((codes[:, :, 0, 0] != _UNDONE).sum()))
    for end in ends:
        undone = [(int(at), int(n)) for at, n in np.argwhere(codes[:, :end, 0, 0] == _UNDONE)]
        chunks = [undone[at : at + job.together] for at in range(0, len(undone), job.together)]
        try:
            for part in _by_workers(job, chunks, n_jobs):
                for case, number, row in part:
                    codes[case, number] = row
                if keeper is not None:
                    keeper.add(part)
                told(len(part))
        finally:  # also after Ctrl-C
            if keeper is not None:
                keeper.flush()
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
