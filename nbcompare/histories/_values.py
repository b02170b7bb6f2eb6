"""Parts of Histories, checked and locked, and what can be looked up in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
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
        optimum = check_optimum(self.optimum, values, evaluations, names, self.direction)
        for name, value in {
            "values": values,
            "evaluations": evaluations,
            "problems": names.problems,
            "algorithms": names.algorithms,
            "optimum": optimum,
            "measure": one_line(self.measure, "measure"),
            "citation": one_line(self.citation, "citation"),
            "notes": tuple(self.notes),
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
                "so their values may get worse. Compare them at a step, with "
                "compare(histories.at(evaluations)), or by the area under their curves, with "
                "compare(histories.area()); or read them with worse='keep-best' instead."
            )

    @property
    def budgets(self) -> FloatArray:
        """Evaluations that every run on a problem had, shape (n_problems,)."""
        return self.evaluations[:, -1]

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
            At each cut-point, the value at the last point that is not beyond it; the first
            value, if all are beyond. Where ``n_points`` regular points are a multiple of
            ``cutpoints``, nothing is carried forward.

        Examples
        --------
        >>> from nbcompare import Histories
        >>> histories = Histories.from_array([[[9, 5, 5, 4, 2, 1]]], direction="minimize")
        >>> histories.at_cutpoints(3)[0, 0, 0].tolist(), histories.at_cutpoints(4)[0, 0, 0].tolist()
        ([5.0, 4.0, 1.0], [9.0, 5.0, 4.0, 1.0])
        """
        wanted = self.cutpoints(cutpoints) * SLACK
        places = map(partial(np.searchsorted, side="right"), self.evaluations, wanted)
        place = np.maximum(np.stack(list(places)) - 1, 0)
        return np.take_along_axis(self.values, place[:, np.newaxis, np.newaxis, :], axis=3)

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
            problems=tuple(self.problems[i] for i in rows),
            algorithms=tuple(self.algorithms[j] for j in columns),
            optimum=None if self.optimum is None else self.optimum[rows],
        )


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


def check_optimum(
    given: object, values: FloatArray, evaluations: FloatArray, names: Names, direction: str
) -> FloatArray | None:
    """Check that there is one optimum per problem, and no value that is better."""
    optimum = optima_of(given, names.problems)
    if optimum is None:
        return None
    largest = np.nan_to_num(np.abs(values)).max(axis=(1, 2, 3))
    slack = ROUNDING * np.maximum(np.abs(optimum), largest)
    with np.errstate(over="ignore"):  # no value is below minus infinity either
        limit = toward_less(optimum, direction) - slack
    better: BoolArray = np.less(
        toward_less(values, direction), limit[:, np.newaxis, np.newaxis, np.newaxis]
    )
    if better.any():
        place = tuple(np.argwhere(better)[0])
        best, told = digits(float(optimum[place[0]]), float(values[place]))
        raise DataError(
            f"`optimum` of problem {shown(names.problems[place[0]])} is {best}, but a "
            f"value is better: {_cell(values, better, evaluations, names, told)}."
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


def _cell(
    values: FloatArray, wrong: BoolArray, evaluations: FloatArray, names: Names, told: str = ""
) -> str:
    p, a, r, j = (int(i) for i in np.argwhere(wrong)[0])
    value = told or f"{values[p, a, r, j]:.6g}"
    return f"{value} for {names.run_at(p, a, r)} at evaluation {evaluations[p, j]:.15g}"


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
