"""The parts of Histories, checked and locked, and what can be looked up in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays, locked
from nbcompare._options import DIRECTIONS
from nbcompare._render import Note
from nbcompare._validation import (
    DataError,
    check_choice,
    check_count,
    check_labels,
    one_line,
    positions,
)
from nbcompare.histories import _checks
from nbcompare.histories._checks import Names, toward_less


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

    def __post_init__(self) -> None:
        """Check that the parts fit together, and lock them."""
        check_choice(self.direction, "direction", DIRECTIONS)
        values = _checks.check_shape(self.values)
        names = Names(*(check_labels(getattr(self, name), name) for name in Names._fields))
        labelled = tuple(map(len, names))
        if values.shape[:2] != labelled:
            raise ValueError(
                "`values` must have one history per problem, algorithm and run, "
                f"({labelled[0]}, {labelled[1]}, n_runs, n_points); got shape {values.shape}."
            )
        values = _checks.packed(values)
        evaluations = _checks.check_evaluations(self.evaluations, labelled[0], values.shape[3])
        _checks.check_values(values, evaluations, names, self.direction)
        optimum = _checks.check_optimum(self.optimum, values, evaluations, names, self.direction)
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
        return locked((~np.isnan(self.values[..., 0])).sum(axis=2, dtype=np.int64))

    @cached_property
    def missing(self) -> BoolArray:
        """Which (problem, algorithm) has no run at all, shape (n_problems, n_algorithms)."""
        return locked(np.asarray(self.n_runs == 0, dtype=np.bool_))

    @property
    def budgets(self) -> FloatArray:
        """Evaluations that every run on a problem had, shape (n_problems,)."""
        return self.evaluations[:, -1]

    def cutpoints(self, count: int) -> FloatArray:
        """Evaluations at regular cut-points: j/c of the budget of each problem.

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

    def at(self, cutpoints: int) -> FloatArray:
        """Best values so far at regular cut-points: j/c of the budget of each problem.

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
        >>> histories.at(3)[0, 0, 0].tolist(), histories.at(4)[0, 0, 0].tolist()
        ([5.0, 4.0, 1.0], [9.0, 5.0, 4.0, 1.0])
        """
        wanted = self.cutpoints(cutpoints)
        # a product and a quotient may round a point of the same place to either side
        wanted = wanted * (1 + 4 * np.finfo(np.float64).eps)
        place = np.stack(
            [
                np.searchsorted(points, ends, side="right") - 1
                for points, ends in zip(self.evaluations, wanted, strict=True)
            ]
        )
        place = np.maximum(place, 0)[:, np.newaxis, np.newaxis, :]
        return np.take_along_axis(self.values, place, axis=3)

    def errors(self, cutpoints: int | None = None) -> FloatArray:
        """Distances to the known optima, 0 or more, at all points or at cut-points.

        Parameters
        ----------
        cutpoints : int, optional
            As in :meth:`at`; without it, at every point.

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
        values = self.values if cutpoints is None else self.at(cutpoints)
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
        return type(self)(
            values=self.values[np.ix_(rows, columns)],
            evaluations=self.evaluations[rows],
            problems=tuple(self.problems[i] for i in rows),
            algorithms=tuple(self.algorithms[j] for j in columns),
            direction=self.direction,
            optimum=None if self.optimum is None else self.optimum[rows],
            measure=self.measure,
            citation=self.citation,
            notes=self.notes,
        )
