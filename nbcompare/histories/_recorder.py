"""Recorder of optimisers' runs, while they run."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import DIRECTIONS, MAXIMIZE
from nbcompare._render import plural
from nbcompare._validation import (
    DataError,
    check_choice,
    check_count,
    check_labels,
    check_real,
    shown,
)
from nbcompare.histories._columns import LogReading
from nbcompare.histories._logs import Logs

_Made = TypeVar("_Made")


class Recorder(Generic[_Made]):
    """Collection of optimisers' runs; made by :meth:`Histories.record`.

    Examples
    --------
    >>> from scipy.optimize import minimize
    >>> from nbcompare import Histories
    >>> recorder = Histories.record(direction="minimize")
    >>> for start in (3.0, 5.0):
    ...     objective = recorder.watch(lambda x: (x[0] - 1) ** 2, problem="parabola",
    ...                                algorithm="Nelder-Mead")
    ...     result = minimize(objective, [start], method="Nelder-Mead")
    >>> recorder
    <Recorder: 2 runs of 1 algorithm on 1 problem, minimize>
    >>> recorder.histories(budget=20, n_points=10, optimum=0)
    <Histories: 1 algorithm on 1 problem, 2 runs, 10 points to 20 evaluations, minimize>
    """

    def __init__(self, *, direction: str, make: Callable[[Logs, LogReading], _Made]) -> None:
        self._make = make
        self.direction = check_choice(direction, "direction", DIRECTIONS)
        self._runs: list[RunLog] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()  # runs may begin in threads

    def run(self, *, problem: str, algorithm: str) -> RunLog:
        """Begin a run; runs of an algorithm on a problem are numbered as they begin.

        Parameters
        ----------
        problem, algorithm : str
            What it is called.

        Returns
        -------
        RunLog
            ``log(value)`` it in a loop of your own, or ``watch(function)`` an objective.

        Examples
        --------
        >>> from nbcompare import Histories
        >>> recorder = Histories.record(direction="minimize")
        >>> run = recorder.run(problem="coin", algorithm="luck")
        >>> for value in (5.0, 7.0, 2.0, 3.0):
        ...     run.log(value)
        >>> recorder.histories(n_points=4).values[0, 0, 0].tolist()
        [5.0, 5.0, 2.0, 2.0]
        """
        (problem,) = check_labels([problem], "problem")
        (algorithm,) = check_labels([algorithm], "algorithm")
        with self._lock:
            self._counts[problem, algorithm] += 1
            run = RunLog(self.direction, problem, algorithm, self._counts[problem, algorithm])
            self._runs.append(run)
        return run

    def watch(self, objective: Callable[..., Any], *, problem: str, algorithm: str) -> Watched:
        """Begin a run of which every evaluation goes through the objective that is returned.

        Parameters
        ----------
        objective : callable
            Returns a value, a (value, gradient) pair, or an array of values, one for each
            of several points (``vectorized=True`` of ``differential_evolution``).
        problem, algorithm : str
            What it is called.
        """
        return self.run(problem=problem, algorithm=algorithm).watch(objective)

    def histories(
        self,
        *,
        optimum: float | Mapping[str, float] | None = None,
        n_points: int | None = None,
        budget: float | Mapping[str, float] | None = None,
        early: str = "raise",
        optimum_tolerance: float = 0.0,
        measure: str | None = None,
    ) -> _Made:
        """Return what was recorded so far.

        Parameters
        ----------
        optimum, n_points, budget, early, optimum_tolerance, measure
            As in :meth:`Histories.from_frame`; points are always regular. Runs end at their
            last evaluation; optimisers that stop by themselves need ``budget``, ``early`` or
            ``optimum``.

        Raises
        ------
        DataError
            If a run has no finite value, or breaks a rule of :meth:`Histories.from_frame`.
        """
        reading = LogReading.of({**locals(), "own_points": False})
        if not self._runs:
            raise DataError("the recorder has no run; begin one with watch(...) or run(...).")
        logged = [(run.problem, run.algorithm, run.logs(), "the recorder") for run in self._runs]
        return self._make(Logs.of(logged, self.direction), reading)

    def __repr__(self) -> str:
        return (
            f"<Recorder: {plural(len(self._runs), 'run')} of "
            f"{plural(len({run.algorithm for run in self._runs}), 'algorithm')} on "
            f"{plural(len({run.problem for run in self._runs}), 'problem')}, {self.direction}>"
        )


class RunLog:
    """One run: how many evaluations it had, and its best value after each.

    Attributes
    ----------
    problem, algorithm : str
        What it is called.
    number : int
        Of the runs of the algorithm on the problem, from 1.
    evaluations : int
        Evaluations so far.
    best : float
        Best finite value so far; infinite before there is one.
    """

    def __init__(self, direction: str, problem: str, algorithm: str, number: int) -> None:
        self.problem = problem
        self.algorithm = algorithm
        self.number = number
        self.evaluations = 0
        self._sign = -1.0 if direction == MAXIMIZE else 1.0
        self._least = np.inf
        self._improved: list[tuple[int, float]] = []
        self._lock = threading.Lock()  # optimisers may evaluate in threads

    @property
    def best(self) -> float:
        """Best finite value so far; infinite before there is one."""
        return float(self._sign * self._least)

    def log(self, value: Any, *, evaluations: int | None = None) -> None:
        """Log one evaluation, or several.

        Parameters
        ----------
        value : float or array_like
            What the objective gave, in the order of evaluation. NaN and infinite values
            count as evaluations and improve nothing.
        evaluations : int, optional
            Evaluations spent by now, if ``value`` is the best of those since the last log.
        """
        values = check_real(value, "value").ravel().tolist()
        with self._lock:
            if evaluations is not None:
                least = max(1, self.evaluations)  # no fewer than were logged before
                self.evaluations = check_count(evaluations, "evaluations", least=least)
            for each in values:
                self.evaluations += evaluations is None
                self._note(each)

    def watch(self, objective: Callable[..., Any]) -> Watched:
        """Return the objective, of which every evaluation is logged."""
        return Watched(self, objective)

    def logs(self) -> FloatArray:
        """Return evaluations and best values at improvements and at the end; shape (2, rows)."""
        with self._lock:
            improved, spent = list(self._improved), self.evaluations
        if not improved:
            raise DataError(
                f"problem {shown(self.problem)}, algorithm {shown(self.algorithm)}, "
                f"run {self.number} has no finite value after {spent} evaluations."
            )
        if improved[-1][0] < spent:
            improved.append((spent, improved[-1][1]))
        return np.array(improved, dtype=np.float64).T

    def _note(self, value: float) -> None:
        less = self._sign * value
        if less < self._least and np.isfinite(less):
            self._least = less
            if self._improved and self._improved[-1][0] == self.evaluations:
                self._improved.pop()
            self._improved.append((self.evaluations, value))


class Watched:
    """An objective of which every evaluation is logged; called as the objective is."""

    def __init__(self, run: RunLog, objective: Callable[..., Any]) -> None:
        if not callable(objective):
            raise TypeError(f"`objective` must be callable; got {shown(objective)}.")
        self.run = run
        self._objective = objective

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Evaluate, and log what comes out."""
        result = self._objective(*arguments, **named)
        self.run.log(result[0] if isinstance(result, tuple) else result)
        return result

    def __reduce__(self) -> Any:
        raise TypeError(
            "a watched objective cannot go to another process: what is evaluated there would "
            "not be recorded. Run the optimiser in one process, or log in a loop of your own."
        )
