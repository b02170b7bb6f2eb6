"""Checks of the parts of Histories, and where in them something is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._validation import DataError, check_finite, check_real, listed, shown

# How far beyond a known optimum rounding may carry a value, relative to the larger of the
# optimum and the values of the problem.
ROUNDING = 1e-12


class Names(NamedTuple):
    """Labels of the first two axes."""

    problems: Sequence[str]
    algorithms: Sequence[str]

    def run(self, problem: int, algorithm: int, run: object) -> str:
        """``problem 'sphere', algorithm 'DE', run 3``."""
        return (
            f"problem {shown(self.problems[problem])}, "
            f"algorithm {shown(self.algorithms[algorithm])}, run {run}"
        )


def toward_less(values: FloatArray, direction: str) -> FloatArray:
    """The values so that smaller is better."""
    return -values if direction == MAXIMIZE else values


def check_evaluations(given: npt.ArrayLike, n_problems: int, n_points: int) -> FloatArray:
    """One row of points per problem; a single row is for all."""
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


def check_values(values: FloatArray, evaluations: FloatArray, names: Names, direction: str) -> None:
    """Every run is complete, finite, and never worse than before."""
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
    for axis, kind, labels in (
        ((1, 2, 3), "problem", names.problems),
        ((0, 2, 3), "algorithm", names.algorithms),
    ):
        empty = np.flatnonzero(absent.all(axis=axis))
        if empty.size:
            raise DataError(
                f"every {kind} must have at least one run; {shown(labels[int(empty[0])])} has none."
            )
    less = toward_less(values, direction)
    worse = less[..., 1:] > less[..., :-1]
    if worse.any():
        later = np.concatenate([np.zeros((*worse.shape[:3], 1), dtype=np.bool_), worse], axis=3)
        p, a, r, j = (int(i) for i in np.argwhere(later)[0])
        raise worse_value(
            names.run(p, a, r + 1),
            (float(evaluations[p, j]), float(values[p, a, r, j])),
            float(values[p, a, r, j - 1]),
            "hand over the best so far",
        )


def worse_value(run: str, at: tuple[float, float], before: float, remedy: str) -> DataError:
    """The error about a value that is worse than one before it."""
    evaluation, value = at
    return DataError(
        f"a history must not get worse; {run} does at evaluation {evaluation:.15g}: "
        f"{value!r} after {before!r}. Check `direction`, or {remedy} if values are those of "
        "single evaluations."
    )


def check_optimum(
    given: object, values: FloatArray, evaluations: FloatArray, names: Names, direction: str
) -> FloatArray | None:
    """One optimum per problem, a single number for all; no value is better."""
    optimum = optima_of(given, names.problems)
    if optimum is None:
        return None
    with np.errstate(over="ignore"):  # no value is below minus infinity either
        limit = toward_less(optimum, direction) - _slack(optimum, values)
    better: BoolArray = np.less(
        toward_less(values, direction), limit[:, np.newaxis, np.newaxis, np.newaxis]
    )
    if better.any():
        p = int(np.argwhere(better)[0][0])
        raise DataError(
            f"`optimum` of problem {shown(names.problems[p])} is {float(optimum[p])!r}, but a "
            f"value is better: {_cell(values, better, evaluations, names)}."
        )
    return optimum


def _slack(optimum: FloatArray, values: FloatArray) -> FloatArray:
    # values only get better, so the largest stand at the ends
    largest = np.nanmax(np.abs(values[..., [0, -1]]), axis=(1, 2, 3), initial=0.0)
    slack: FloatArray = ROUNDING * np.maximum(np.abs(optimum), largest)
    return slack


def check_shape(given: npt.ArrayLike) -> FloatArray:
    """An array ``[problem, algorithm, run, point]``; without runs, one each."""
    values = check_real(given, "values")
    if values.ndim == 3:
        values = values[:, :, np.newaxis]
    if values.ndim != 4 or 0 in values.shape:
        raise ValueError(
            "`values` must have 4 dimensions (problem, algorithm, run, point), or 3 without "
            f"runs, none of them empty; got an array of shape {values.shape}."
        )
    return values


def packed(values: FloatArray) -> FloatArray:
    """The runs of each algorithm on each problem in front, and no empty run."""
    there: BoolArray = np.any(~np.isnan(values), axis=3)
    kept = max(1, int(there.sum(axis=2).max(initial=0)))
    if kept == values.shape[2] and not bool((there[:, :, 1:] & ~there[:, :, :-1]).any()):
        return values
    order = np.argsort(~there, axis=2, kind="stable")[:, :, :kept, np.newaxis]
    return np.take_along_axis(values, order, axis=2)


def _cell(values: FloatArray, wrong: BoolArray, evaluations: FloatArray, names: Names) -> str:
    p, a, r, j = (int(i) for i in np.argwhere(wrong)[0])
    value: Any = float(values[p, a, r, j])
    return f"{value!r} for {names.run(p, a, r + 1)} at evaluation {evaluations[p, j]:.15g}"


def optima_of(given: Any, problems: Sequence[str]) -> FloatArray | None:
    """One optimum per problem, from a number for all, an array, or a mapping from problems."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        given = per_problem(given, "optimum", problems)
    optimum = check_finite(given, "optimum")
    if optimum.shape not in ((), (len(problems),)):
        raise ValueError(
            f"`optimum` must be a number or one per problem, shape ({len(problems)},); "
            f"got shape {optimum.shape}."
        )
    return np.broadcast_to(optimum, (len(problems),)).copy()


def per_problem(given: Mapping[str, Any], argument: str, problems: Sequence[str]) -> list[Any]:
    """The values of a mapping in the order of the problems; it must have them all."""
    absent = [name for name in problems if name not in given]
    if absent:
        raise ValueError(
            f"`{argument}` must give a number for every problem; got none for {listed(absent)}."
        )
    return [given[name] for name in problems]
