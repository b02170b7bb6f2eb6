"""Parts of Histories, checked and locked, and what can be looked up in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays, locked
from nbcompare._options import DIRECTIONS, MAXIMIZE
from nbcompare._render import Note, format_number
from nbcompare._validation import (
    DataError,
    check_choice,
    check_count,
    check_finite,
    check_labels,
    check_real,
    listed,
    one_line,
    positions,
    shown,
)
from nbcompare.experiment import Schema

# How far beyond a known optimum rounding may carry a value, relative to the larger of the
# optimum and the values of the problem.
ROUNDING = 1e-12
# A product and a quotient may round a point of the same place to either side.
SLACK = 1 + 4 * np.finfo(np.float64).eps


class Names(NamedTuple):
    """Labels of the first two axes, and those of runs by problem, algorithm and place."""

    problems: Sequence[str]
    algorithms: Sequence[str]
    runs: Mapping[tuple[int, int, int], str] | None = None  # None: they are numbered

    def run(self, problem: int, algorithm: int, run: object) -> str:
        """Name a run in a message: ``problem 'sphere', algorithm 'DE', run 3``."""
        return (
            f"problem {shown(self.problems[problem])}, "
            f"algorithm {shown(self.algorithms[algorithm])}, run {run}"
        )

    def run_at(self, problem: int, algorithm: int, place: int) -> str:
        """Name the run at a place, by its label if it has one."""
        label = None if self.runs is None else self.runs.get((problem, algorithm, place))
        return self.run(problem, algorithm, place + 1 if label is None else shown(label))


def toward_less(values: FloatArray, direction: str) -> FloatArray:
    """Return the values so that smaller is better."""
    return -values if direction == MAXIMIZE else values


@dataclass(frozen=True, eq=False)
class Events(LockedArrays):
    """What was logged of the runs, one after the other, in the order of the labels.

    Attributes
    ----------
    evaluations, values : ndarray of float, shape (n_events,)
        Evaluations spent, which increase within a run up to its budget, and the values then.
    ends : ndarray of int, shape (n_problems, n_algorithms, n_runs)
        Where each run ends; one that is not there ends where it begins.
    """

    evaluations: FloatArray
    values: FloatArray
    ends: IntArray

    @cached_property
    def lengths(self) -> IntArray:
        """Number of events of each run, shaped as ``ends``."""
        return np.diff(self.ends.ravel(), prepend=0).reshape(self.ends.shape)

    @cached_property
    def places(self) -> list[tuple[int, ...]]:
        """Problem, algorithm and number of each run that is there."""
        return [tuple(place) for place in np.argwhere(self.lengths).tolist()]

    @cached_property
    def budgets(self) -> FloatArray:
        """Evaluations that each run had, shaped as ``ends``; NaN where there is no run."""
        return locked(np.where(self.lengths > 0, self.evaluations[self.ends - 1], np.nan))

    def run(self, *place: int) -> tuple[FloatArray, FloatArray]:
        """Return evaluations and values of a run."""
        end = self.ends[place]
        rows = slice(end - self.lengths[place], end)
        return self.evaluations[rows], self.values[rows]

    def at(self, points: FloatArray) -> FloatArray:
        """Return the values ``[problem, algorithm, run, point]`` at numbers of evaluations.

        Parameters
        ----------
        points : ndarray of float, shape (n_problems, n_points)
            Numbers of evaluations of the problems.

        Returns
        -------
        ndarray of float, shape (n_problems, n_algorithms, n_runs, n_points)
            What was logged last by then; the first value, if all were logged later. NaN where
            there is no run.
        """
        found = np.full((*self.ends.shape, points.shape[1]), np.nan)
        for place in self.places:
            evaluations, values = self.run(*place)
            rows = np.searchsorted(evaluations, points[place[0]] * SLACK, side="right") - 1
            found[place] = values[np.maximum(rows, 0)]
        return found

    def select(self, rows: Sequence[int], columns: Sequence[int]) -> Events:
        """Return those of some problems and algorithms, in this order."""
        ends, lengths = (part[np.ix_(rows, columns)] for part in (self.ends, self.lengths))
        kept = np.concatenate(
            [np.arange(end - n, end) for end, n in zip(ends.flat, lengths.flat, strict=True)]
        )
        lengths = lengths[:, :, lengths.any(axis=(0, 1))]
        total = np.cumsum(lengths).reshape(lengths.shape)
        return Events(self.evaluations[kept], self.values[kept], total)

    @classmethod
    def of_points(cls, values: FloatArray, evaluations: FloatArray) -> Events:
        """Return values ``[problem, algorithm, run, point]`` as events of the runs."""
        there = ~np.isnan(values[..., 0])
        spent = np.broadcast_to(evaluations[:, np.newaxis, np.newaxis], values.shape)
        ends = np.cumsum(there * values.shape[3]).reshape(there.shape)
        return cls(spent[there].ravel(), values[there].ravel(), ends)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Values(LockedArrays):
    """Best values so far, ``[problem, algorithm, run, point]``: what :class:`Histories` hold."""

    values: FloatArray
    evaluations: FloatArray
    problems: tuple[str, ...]
    algorithms: tuple[str, ...]
    direction: str
    optimum: FloatArray | None = None
    measure: str | None = None
    citation: str | None = None
    notes: tuple[Note, ...] = ()
    is_raw: bool = False
    schema: Schema | None = None
    logged: Events | None = None
    dimensions: FloatArray | None = None

    def __post_init__(self) -> None:
        """Check that the parts fit together, and lock them."""
        check_choice(self.direction, "direction", DIRECTIONS)
        values = check_shape(self.values)
        names = Names(
            check_labels(self.problems, "problems"), check_labels(self.algorithms, "algorithms")
        )
        n_problems, n_algorithms = len(names.problems), len(names.algorithms)
        if values.shape[:2] != (n_problems, n_algorithms):
            raise ValueError(
                "`values` must have one history per problem, algorithm and run, "
                f"({n_problems}, {n_algorithms}, n_runs, n_points); got shape {values.shape}."
            )
        values = _packed(values)
        evaluations = _checked_evaluations(self.evaluations, n_problems, values.shape[3])
        _check_values(values, evaluations, names, self.direction, is_raw=self.is_raw)
        points, logged = Events.of_points(values, evaluations), self.logged
        if logged is not None and np.array_equal(logged.evaluations, points.evaluations):
            logged = None
        optimum = check_optimum(self.optimum, logged or points, names, self.direction)
        for name, value in {
            "values": values,
            "evaluations": evaluations,
            "problems": names.problems,
            "algorithms": names.algorithms,
            "optimum": optimum,
            "measure": one_line(self.measure, "measure"),
            "citation": one_line(self.citation, "citation"),
            "notes": tuple(self.notes),
            "logged": logged,
            "dimensions": _checked_dimensions(self.dimensions, names.problems),
        }.items():
            object.__setattr__(self, name, value)
        super().__post_init__()

    # -------------------------------------------------------------------- looking in

    @property
    def n_problems(self) -> int:
        """Number of problems."""
        return int(self.values.shape[0])

    @property
    def n_algorithms(self) -> int:
        """Number of algorithms."""
        return int(self.values.shape[1])

    @property
    def n_points(self) -> int:
        """Number of points in each history."""
        return int(self.values.shape[3])

    @cached_property
    def n_runs(self) -> IntArray:
        """Number of runs, shape (n_problems, n_algorithms); 0 where missing."""
        return locked(np.sum(~np.isnan(self.values[..., 0]), axis=2, dtype=np.int64))

    @cached_property
    def missing(self) -> BoolArray:
        """Mask of cells without any run, shape (n_problems, n_algorithms)."""
        return locked(np.asarray(self.n_runs == 0, dtype=np.bool_))

    def check_best_so_far(self, what: str) -> None:
        """Raise an error that says what else to do if values are raw: ``what`` needs the best."""
        if self.is_raw:
            raise DataError(
                f"{what} must have the best values so far; these histories are raw (values='raw'), "
                "so their values may get worse. For a comparison of scores, "
                "histories.at(evaluations) takes the values at a step, and histories.area() the "
                "mean of each curve. Or pass worse='keep-best' to keep the best value so far."
            )

    @property
    def budgets(self) -> FloatArray:
        """Evaluations up to which all algorithms are compared on a problem, shape (n_problems,)."""
        return self.evaluations[:, -1]

    @cached_property
    def events(self) -> Events:
        """What was logged of every run, up to its own budget: values at increasing evaluations."""
        return self.logged or Events.of_points(self.values, self.evaluations)

    def cutpoints(self, count: int) -> FloatArray:
        """Return evaluations at regular cut-points: j/c of the budget of each problem.

        Parameters
        ----------
        count : int
            How many, c; the last is the whole budget.

        Returns
        -------
        ndarray of float, shape (n_problems, count)
        """
        number = check_count(count, "cutpoints", least=1)
        return np.arange(1, number + 1) * self.budgets[:, np.newaxis] / number

    def at_cutpoints(self, cutpoints: int) -> FloatArray:
        """Return best values so far at regular cut-points: j/c of the budget of each problem.

        Parameters
        ----------
        cutpoints : int
            How many, c; the last is the whole budget.

        Returns
        -------
        ndarray of float, shape (n_problems, n_algorithms, n_runs, cutpoints)
            What was logged last by each cut-point; the first value, if all were logged later.

        Examples
        --------
        >>> from nbcompare import Histories
        >>> histories = Histories.from_array([[[9, 5, 5, 4, 2, 1]]], direction="minimize")
        >>> histories.at_cutpoints(3)[0, 0, 0].tolist(), histories.at_cutpoints(4)[0, 0, 0].tolist()
        ([5.0, 4.0, 1.0], [9.0, 5.0, 4.0, 1.0])
        """
        return self.events.at(self.cutpoints(cutpoints))

    def errors(self, cutpoints: int | None = None) -> FloatArray:
        """Return distances to the known optima, 0 or more, at all points or at cut-points.

        Parameters
        ----------
        cutpoints : int, optional
            As in :meth:`at_cutpoints`; without it, at every point.

        Returns
        -------
        ndarray of float, shape (n_problems, n_algorithms, n_runs, n_points or cutpoints)
            NaN where there is no run.

        Raises
        ------
        DataError
            If no optimum is known.

        Examples
        --------
        >>> from nbcompare import Histories
        >>> histories = Histories.from_array([[[3, 7, 9]]], direction="maximize", optimum=10)
        >>> histories.errors()[0, 0, 0].tolist()
        [7.0, 3.0, 1.0]
        """
        if self.optimum is None:
            raise DataError("errors need the optima of the problems; pass optimum= when reading.")
        values = self.values if cutpoints is None else self.at_cutpoints(cutpoints)
        optimum = self.optimum[:, np.newaxis, np.newaxis, np.newaxis]
        with np.errstate(over="ignore"):  # a distance between huge values of two signs
            distance = toward_less(values - optimum, self.direction)
        return np.clip(distance, 0.0, np.finfo(np.float64).max)

    def select(
        self,
        *,
        algorithms: Iterable[str] | None = None,
        problems: Iterable[str] | None = None,
    ) -> Self:
        """Keep only these algorithms and problems, in the order given.

        Examples
        --------
        >>> from nbcompare import Histories
        >>> histories = Histories.from_array([[[3, 2], [5, 1], [4, 4]]], direction="minimize")
        >>> histories.select(algorithms=["A3", "A1"]).values[0, :, 0].tolist()
        [[4.0, 4.0], [3.0, 2.0]]
        """
        rows = positions(problems, self.problems, "problems")
        columns = positions(algorithms, self.algorithms, "algorithms")
        return replace(
            self,
            values=self.values[np.ix_(rows, columns)],
            evaluations=self.evaluations[rows],
            logged=self.logged and self.logged.select(rows, columns),
            problems=tuple(self.problems[i] for i in rows),
            algorithms=tuple(self.algorithms[j] for j in columns),
            optimum=None if self.optimum is None else self.optimum[rows],
            dimensions=None if self.dimensions is None else self.dimensions[rows],
        )

    def with_points(self, evaluations: npt.ArrayLike) -> Self:
        """Return the same runs with values at other points, up to which they are compared.

        Parameters
        ----------
        evaluations : array_like, shape (n_points,) or (n_problems, n_points)
            Numbers of evaluations, positive and increasing.

        Examples
        --------
        >>> from nbcompare import Histories
        >>> histories = Histories.from_array([[[3, 2, 1, 0]]], direction="minimize")
        >>> histories.with_points([2, 3]).values.ravel().tolist()
        [2.0, 1.0]
        """
        points = check_finite(evaluations, "evaluations")
        points = np.broadcast_to(points, (self.n_problems, points.shape[-1]))
        values = self.events.at(points)
        return replace(self, values=values, evaluations=points, logged=self.events)


# ------------------------------------------------------------------------------ checks


def _checked_evaluations(given: npt.ArrayLike, n_problems: int, n_points: int) -> FloatArray:
    """Check that there is one row of points per problem; a single row is for all."""
    evaluations = check_finite(given, "evaluations")
    if evaluations.shape == (n_points,):
        evaluations = np.repeat(evaluations[np.newaxis], n_problems, axis=0)
    if evaluations.shape != (n_problems, n_points):
        raise ValueError(
            f"`evaluations` must have one number per point, shape ({n_points},), or per problem "
            f"and point, ({n_problems}, {n_points}); got shape {evaluations.shape}."
        )
    before = np.concatenate([np.zeros((n_problems, 1)), evaluations[:, :-1]], axis=1)
    wrong = evaluations <= before
    if wrong.any():
        p, j = (int(i) for i in np.argwhere(wrong)[0])
        last = f" after {before[p, j]:.15g}" if j else ""
        raise DataError(
            f"`evaluations` must be positive and increase from point to point; "
            f"got {evaluations[p, j]:.15g}{last} at point {j + 1} of problem {p + 1}."
        )
    return evaluations


def _check_values(
    values: FloatArray, evaluations: FloatArray, names: Names, direction: str, *, is_raw: bool
) -> None:
    """Check that every run is complete, finite, and never gets worse unless it is raw."""
    infinite = np.isinf(values)
    if infinite.any():
        raise DataError(
            f"`values` must be finite; got {_cell(values, infinite, evaluations, names)}. "
            "Write a finite penalty for a solution that is not feasible."
        )
    absent = np.isnan(values)
    gap = absent & ~absent.all(axis=3, keepdims=True)
    if gap.any():
        raise DataError(
            "`values` must hold a number at every point of a run, or at none; "
            f"got {_cell(values, gap, evaluations, names)}."
        )
    refuse_absent("problem", np.any(~absent, axis=(1, 2, 3)), names.problems)
    refuse_absent("algorithm", np.any(~absent, axis=(0, 2, 3)), names.algorithms)
    if is_raw:
        return
    less = toward_less(values, direction)
    worse = less[..., 1:] > less[..., :-1]
    if worse.any():
        p, a, r, j = (int(i) for i in np.argwhere(worse)[0])
        before, now = values[p, a, r, j : j + 2]
        raise DataError(
            f"{get_worse(names.run_at(p, a, r), evaluations[p, j + 1], now, before)} Hand over the "
            "best so far if values are those of single evaluations, or pass is_raw=True to keep "
            "curves as they are."
        )


def refuse_absent(kind: str, there: BoolArray, labels: Sequence[str], where: str = "") -> None:
    """Refuse a problem or an algorithm that is not there."""
    if not there.all():
        name = shown(labels[int(np.argmin(there))])
        raise DataError(f"every {kind} must have at least one run; {name} has none{where}.")


def get_worse(run: str, evaluation: float, value: float, before: float) -> str:
    """Say that a value is worse than one before it."""
    now, then = digits(float(value), float(before))
    return (
        f"a history must not get worse; {run} does at evaluation {evaluation:.15g}: "
        f"{now} after {then}. Check `direction`."
    )


def check_optimum(given: object, events: Events, names: Names, direction: str) -> FloatArray | None:
    """Check that there is one optimum per problem, and no value that is better."""
    optimum = optima_of(given, names.problems)
    if optimum is None:
        return None
    counts = events.lengths.sum(axis=(1, 2))
    largest = np.maximum.reduceat(np.abs(events.values), np.cumsum(counts) - counts)
    slack = ROUNDING * np.maximum(np.abs(optimum), largest)
    with np.errstate(over="ignore"):  # no value is below minus infinity either
        limit = toward_less(optimum, direction) - slack
    better = np.less(toward_less(events.values, direction), np.repeat(limit, counts))
    if better.any():
        row = int(np.argmax(better))
        run = np.searchsorted(events.ends.ravel(), row, side="right")
        place = [int(i) for i in np.unravel_index(run, events.ends.shape)]
        best, told = digits(float(optimum[place[0]]), float(events.values[row]))
        raise DataError(
            f"`optimum` of problem {shown(names.problems[place[0]])} is {best}, but a value is "
            f"better: {told} for {names.run_at(*place)} at evaluation "
            f"{events.evaluations[row]:.15g}."
        )
    return optimum


def check_shape(given: npt.ArrayLike) -> FloatArray:
    """Return an array ``[problem, algorithm, run, point]``; without runs, one each."""
    values = check_real(given, "values")
    if values.ndim == 3:
        values = values[:, :, np.newaxis]
    if values.ndim != 4 or 0 in values.shape:
        raise ValueError(
            "`values` must have 4 dimensions (problem, algorithm, run, point), or 3 without "
            f"runs, none of them empty; got an array of shape {values.shape}."
        )
    return values


def _packed(values: FloatArray) -> FloatArray:
    """Move the runs of each algorithm on each problem to the front; drop empty runs."""
    there: BoolArray = np.any(~np.isnan(values), axis=3)
    kept = max(1, int(there.sum(axis=2).max(initial=0)))
    if kept == values.shape[2] and not bool((there[:, :, 1:] & ~there[:, :, :-1]).any()):
        return values
    order = np.argsort(~there, axis=2, kind="stable")[:, :, :kept, np.newaxis]
    return np.take_along_axis(values, order, axis=2)


def _cell(values: FloatArray, wrong: BoolArray, evaluations: FloatArray, names: Names) -> str:
    p, a, r, j = (int(i) for i in np.argwhere(wrong)[0])
    where = f"{names.run_at(p, a, r)} at evaluation {evaluations[p, j]:.15g}"
    return f"{values[p, a, r, j]:.6g} for {where}"


def digits(*values: float) -> list[str]:
    """Write values with six digits, or as many more as are needed to tell them apart."""
    for number in range(6, 18):
        told = [f"{value:.{number}g}" for value in values]
        if len(set(told)) == len(set(values)):
            break
    return told


def optima_of(given: Any, problems: Sequence[str]) -> FloatArray | None:
    """Return one optimum per problem, from a number for all, an array, or a mapping."""
    return None if given is None else numbers_of(given, "optimum", problems)


def _checked_dimensions(given: object, problems: Sequence[str]) -> FloatArray | None:
    """Return one positive dimension per problem, from what :func:`numbers_of` takes."""
    dimensions = None if given is None else numbers_of(given, "dimensions", problems)
    if dimensions is not None and (dimensions <= 0).any():
        raise ValueError(f"`dimensions` must be positive numbers; got {shown(given)}.")
    return dimensions


def numbers_of(given: Any, argument: str, problems: Sequence[str]) -> FloatArray:
    """Return one finite number per problem, from a number for all, an array, or a mapping."""
    if isinstance(given, Mapping):
        given = per_problem(given, argument, problems)
    numbers = check_finite(given, argument)
    if numbers.shape not in ((), (len(problems),)):
        raise ValueError(
            f"`{argument}` must be a number or one per problem, shape ({len(problems)},); "
            f"got shape {numbers.shape}."
        )
    return np.broadcast_to(numbers, (len(problems),)).copy()


def per_problem(given: Mapping[str, Any], argument: str, problems: Sequence[str]) -> list[Any]:
    """Return the values of a mapping in the order of the problems; it must have them all."""
    absent = [name for name in problems if name not in given]
    if absent:
        raise ValueError(
            f"`{argument}` must give a number for every problem; got none for {listed(absent)}."
        )
    return [given[name] for name in problems]


def evaluations_text(number: float) -> str:
    """Write a number of evaluations: ``100,000``; one that is not whole stays as it is."""
    return f"{number:,.0f}" if number == int(number) else format_number(float(number))
