"""Logs of runs, each in the order of its evaluations, checked, that never get worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import DIRECTIONS, MAXIMIZE, RAW
from nbcompare._render import Note
from nbcompare._validation import DataError, shown
from nbcompare.experiment import Schema, Unsettled
from nbcompare.histories._reading import LogReading
from nbcompare.histories._values import Names, get_worse, refuse_absent, toward_less

_Logged = tuple[str, str, FloatArray, str]


class Run(NamedTuple):
    """What was logged of one run, in the order of evaluations.

    Problem and algorithm are places among the labels, the slot is one among the runs of both.
    ``where`` says where a row stands, for error messages; ``n_within`` and ``n_after`` how many
    values are missing before the last and after it.
    """

    problem: int
    algorithm: int
    slot: int
    label: str
    evaluations: FloatArray
    values: FloatArray
    where: Callable[[int], str]
    n_within: int = 0
    n_after: int = 0


@dataclass(frozen=True)
class Logs:
    """Runs of algorithms on problems, those of one cell in the order in which they are numbered."""

    problems: Sequence[str]
    algorithms: Sequence[str]
    runs: Sequence[Run]
    direction: str
    has_labels: bool = True  # whether something tells runs apart
    measure: str | None = None
    optimum: float | FloatArray | None = None  # of all problems or each, where the logs say it
    tolerance: float = 0.0  # how near to the optimum a run has reached it
    notes: tuple[Note, ...] = ()
    schema: Schema | None = None  # how they were read
    dimensions: FloatArray | None = None  # of the problems, where the logs say them

    @classmethod
    def of(
        cls,
        logged: Sequence[_Logged],
        direction: str,
        problems: Iterable[str] = (),
        algorithms: Iterable[str] = (),
    ) -> Logs:
        """Make logs of problem, algorithm, evaluations with values (two rows), and a place each.

        Problems and algorithms without a run may be named too.
        """
        problems = list(dict.fromkeys([*problems, *(each[0] for each in logged)]))
        algorithms = list(dict.fromkeys([*algorithms, *(each[1] for each in logged)]))
        counts: Counter[tuple[int, int]] = Counter()
        runs = []
        for problem, algorithm, rows, place in logged:
            cell = problems.index(problem), algorithms.index(algorithm)
            label, (evaluations, values) = str(counts[cell] + 1), rows
            runs.append(Run(*cell, counts[cell], label, evaluations, values, _always(place)))
            counts[cell] += 1
        return cls(problems, algorithms, runs, direction)

    @cached_property
    def problem(self) -> IntArray:
        """Place of the problem of each run."""
        return np.array([run.problem for run in self.runs])

    @cached_property
    def algorithm(self) -> IntArray:
        """Place of the algorithm of each run."""
        return np.array([run.algorithm for run in self.runs])

    @cached_property
    def first(self) -> FloatArray:
        """Evaluations at which each run was first logged."""
        return np.array([run.evaluations[0] for run in self.runs])

    @cached_property
    def last(self) -> FloatArray:
        """Evaluations at which each run was last logged."""
        return np.array([run.evaluations[-1] for run in self.runs])

    @property
    def names(self) -> Names:
        """Labels of problems, algorithms and runs."""
        cells = {(run.problem, run.algorithm, run.slot): run.label for run in self.runs}
        return Names(self.problems, self.algorithms, cells if self.has_labels else None)

    def name(self, run: Run) -> str:
        """Name problem, algorithm and run in an error message."""
        names = Names(self.problems, self.algorithms)
        return names.run(run.problem, run.algorithm, shown(run.label))

    def check_all_there(self, source: str) -> Logs:
        """Check that every problem and algorithm has a value."""
        if not self.runs:
            raise DataError(f"{source} holds no value.")
        for kind, places, labels in (
            ("problem", self.problem, self.problems),
            ("algorithm", self.algorithm, self.algorithms),
        ):
            there = np.bincount(places, minlength=len(labels)) > 0
            refuse_absent(kind, there, labels, f" in {source}")
        return self

    def checked(self, reading: LogReading) -> Logs:
        """Refuse wrong evaluations, and values that get worse unless they are raw or improved."""
        evaluations, values = (
            np.concatenate([getattr(run, name) for run in self.runs])
            for name in ("evaluations", "values")
        )
        ends = np.cumsum([len(run.values) for run in self.runs])
        inner: BoolArray = np.ones(max(0, len(values) - 1), dtype=np.bool_)
        inner[ends[:-1] - 1] = False  # the next row is of another run

        def first(wrong: BoolArray) -> tuple[Run, int]:
            row = int(np.argmax(wrong))
            i = int(np.searchsorted(ends, row, side="right"))
            return self.runs[i], row - int(ends[i]) + len(self.runs[i].values)

        wrong = ~((evaluations > 0) & np.isfinite(evaluations))
        if wrong.any():
            run, row = first(wrong)
            raise DataError(
                f"{run.where(row)}: evaluations must be positive and finite; "
                f"got {float(run.evaluations[row]):.15g}."
            )
        same = (evaluations[1:] == evaluations[:-1]) & inner
        if same.any():
            raise self._logged_twice(*first(same))
        less = toward_less(values, self.direction)
        worse = (less[1:] > less[:-1]) & inner
        if reading.is_raw or not worse.any():
            return self
        if reading.worse == "raise":
            turned = not ((less[1:] < less[:-1]) & inner).any()
            raise self._gets_worse(*first(worse), turned=turned)
        best = np.maximum if self.direction == MAXIMIZE else np.minimum
        runs = [run._replace(values=best.accumulate(run.values)) for run in self.runs]
        return replace(self, runs=runs)

    def _logged_twice(self, run: Run, row: int) -> DataError:
        remedy = "Pass run= to name the column that tells runs apart."
        if self.has_labels:
            remedy = "Take out one of them."
        return DataError(
            f"{run.where(row + 1)}: evaluation {float(run.evaluations[row]):.15g} of "
            f"{self.name(run)} is in another row already ({run.where(row)}). {remedy}"
        )

    def _gets_worse(self, run: Run, row: int, *, turned: bool) -> Unsettled:
        """Return the doubt about a value; ``turned`` if all runs improve in the other direction."""
        told = get_worse(self.name(run), run.evaluations[row + 1], *run.values[[row + 1, row]])
        ways = [{"direction": word} for word in DIRECTIONS if turned and word != self.direction]
        ways += [{"worse": "keep-best"}, {"values": RAW}]
        return Unsettled(f"{run.where(row + 1)}: {told}", ways)


def _always(place: str) -> Callable[[int], str]:
    return lambda _: place
