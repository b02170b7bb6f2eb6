"""Views of histories: when runs reached targets, and one value for every run, as an experiment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._options import MAXIMIZE, MINIMIZE, OPTIONS, QUANTILES
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_finite, check_positive, shown
from nbcompare.experiment import Experiment
from nbcompare.histories._values import (
    SLACK,
    Names,
    Values,
    evaluations_text,
    per_problem,
    toward_less,
)

if TYPE_CHECKING:
    import pandas as pd

# The precisions of COCO: 51 from 1e2 to 1e-8, five to a power of ten
PRECISIONS = tuple(float(f"{10.0 ** (2 - i / 5):.12g}") for i in range(51))
# Targets from the data are these quantiles of what all runs recorded, the hardest one last
_LEVELS = np.arange(9, -1, -1) / 10
_SHARED = ("n_runs", "problems", "algorithms", "direction")
_CHOOSE = (
    "Pass targets=... with the values of the objective that matter, hard and easy ones; or "
    f"optimum=... when the histories are made, for precisions; or targets={QUANTILES!r} for ten "
    "targets that are chosen from these data."
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Runtimes(LockedArrays):
    """Numbers of evaluations at which every run first was at each target.

    :meth:`Histories.targets` returns it; :func:`nbcompare.fixed_targets` sums it up.

    Attributes
    ----------
    evaluations : ndarray of float, shape (n_problems, n_algorithms, n_runs, n_targets)
        Evaluations up to and including the first one that was logged with a value at the target or
        better. Infinite if there is none; NaN where there is no run.
    targets : ndarray of float, shape (n_problems, n_targets)
        Targets as values of the objective, in its own direction, the easiest first.
    precisions : ndarray of float, shape (n_targets,), or None
        Distances of the targets from the optima, if they were given so.
    budgets : ndarray of float, shape (n_problems, n_algorithms, n_runs)
        Evaluations that each run had; NaN where there is no run.
    n_runs : ndarray of int, shape (n_problems, n_algorithms)
        Numbers of runs.
    problems, algorithms : tuple of str
        Labels, in the order of the arrays.
    direction : {"maximize", "minimize"}
        Whether high or low values are better.
    """

    evaluations: FloatArray
    targets: FloatArray
    precisions: FloatArray | None
    budgets: FloatArray
    n_runs: IntArray
    problems: tuple[str, ...]
    algorithms: tuple[str, ...]
    direction: str

    @property
    def reached(self) -> BoolArray:
        """Mask of the targets that a run reached, shaped as ``evaluations``."""
        return np.isfinite(self.evaluations)

    def to_frame(self) -> pd.DataFrame:
        """Return a row per run and target.

        Returns
        -------
        pandas.DataFrame
            Columns problem, algorithm, run (from 1), target, precision if there are precisions,
            evaluations (those at the target, or else all that the run had), and reached.
        """
        import pandas as pd

        problem, algorithm, run, target = np.nonzero(~np.isnan(self.evaluations))
        cells = (problem, algorithm, run, target)
        reached = self.reached[cells]
        columns: dict[str, Any] = {
            "problem": np.array(self.problems, dtype=object)[problem],
            "algorithm": np.array(self.algorithms, dtype=object)[algorithm],
            "run": run + 1,
            "target": self.targets[problem, target],
        }
        if self.precisions is not None:
            columns["precision"] = self.precisions[target]
        spent = self.budgets[cells[:3]]
        columns["evaluations"] = np.where(reached, self.evaluations[cells], spent)
        return pd.DataFrame(columns | {"reached": reached})

    def __repr__(self) -> str:
        return (
            f"<Runtimes: {plural(len(self.algorithms), 'algorithm')} on "
            f"{plural(len(self.problems), 'problem')}, {plural(self.targets.shape[1], 'target')}, "
            f"{int(self.reached.sum()):,} of {int(self.n_runs.sum()) * self.targets.shape[1]:,} "
            "reached>"
        )


def runtimes(histories: Values, targets: object, precisions: object) -> Runtimes:
    """Record when the runs reached targets, which are checked here."""
    wanted, given = _settled(histories, targets, precisions)
    goals, events = toward_less(wanted, histories.direction), histories.events
    found = np.full((*events.ends.shape, wanted.shape[1]), np.nan)
    for place in events.places:
        evaluations, values = events.run(*place)
        hits = np.searchsorted(-toward_less(values, histories.direction), -goals[place[0]])
        found[place] = np.append(evaluations, np.inf)[hits]
    return Runtimes(
        evaluations=found,
        targets=wanted,
        precisions=given,
        budgets=events.budgets,
        **{name: getattr(histories, name) for name in _SHARED},
    )


# ------------------------------------------------------------------------------- targets


def _settled(
    histories: Values, targets: object, precisions: object
) -> tuple[FloatArray, FloatArray | None]:
    """Return the targets of every problem, the easiest first, and their precisions."""
    if targets is not None and precisions is not None:
        raise ValueError(
            "`precisions` must be left out with `targets`: the ones are distances from the optima, "
            "the others values of the objective."
        )
    if targets is None:
        return _above_optima(histories, precisions)
    if isinstance(targets, str):
        if targets != QUANTILES:
            raise ValueError(
                f"`targets` must be numbers, by problem or for all, or {QUANTILES!r}; got "
                f"{shown(targets)}."
            )
        return _from_data(histories), None
    rows = np.sort(_by_problem(targets, histories.problems), axis=1)
    return rows[:, ::-1] if histories.direction == MINIMIZE else rows, None


def _above_optima(histories: Values, precisions: object) -> tuple[FloatArray, FloatArray]:
    if histories.optimum is None:
        what = "`targets` must be given" if precisions is None else "`precisions` must be left out"
        raise DataError(f"{what}: the optima of the problems are not known. {_CHOOSE}")
    given = check_finite(PRECISIONS if precisions is None else precisions, "precisions")  # type: ignore[arg-type]
    given = np.atleast_1d(given)
    if given.ndim != 1 or not given.size or (given <= 0).any() or len(set(given)) < given.size:
        raise ValueError(
            "`precisions` must be different positive numbers, such as [1, 1e-4, 1e-8]; got "
            f"{shown(precisions)}."
        )
    given = -np.sort(-given)
    sign = -1.0 if histories.direction == MAXIMIZE else 1.0
    return histories.optimum[:, np.newaxis] + sign * given, given


def _by_problem(targets: Any, problems: Sequence[str]) -> FloatArray:
    """Return one row of targets per problem; they are given for all, or by name."""
    if not isinstance(targets, Mapping) and _are_named(targets):
        targets = {row[0]: row[1:] for row in targets}
    if not isinstance(targets, Mapping):
        return np.repeat(_row(targets, "")[np.newaxis], len(problems), axis=0)
    given = zip(per_problem(targets, "targets", problems), problems, strict=True)
    rows = [_row(each, f" of problem {shown(name)}") for each, name in given]
    lengths = {len(row): name for row, name in zip(rows, problems, strict=True)}
    if len(lengths) > 1:
        (few, one), (many, other) = sorted(lengths.items())[:: len(lengths) - 1]
        raise ValueError(
            f"`targets` must be as many for every problem; {shown(one)} has {few}, "
            f"{shown(other)} {many}."
        )
    return np.stack(rows)


def _are_named(targets: Any) -> bool:
    """Tell whether targets are rows of a name and numbers, as a result records a mapping."""
    rows = targets if isinstance(targets, list | tuple) else ()
    return bool(rows) and all(
        isinstance(row, list | tuple) and len(row) > 1 and isinstance(row[0], str) for row in rows
    )


def _row(given: Any, of: str) -> FloatArray:
    row = np.atleast_1d(check_finite(given, "targets"))
    if row.ndim != 1 or not row.size or len(set(row)) < row.size:
        raise ValueError(f"`targets`{of} must be different numbers; got {shown(given)}.")
    return row


def _from_data(histories: Values) -> FloatArray:
    """Return ten quantiles of all recorded values of a problem; the last is the best of all."""
    less = toward_less(histories.events.values, histories.direction)
    # a target is a value that a run had, so that the best one is reached
    found = [
        np.quantile(own, _LEVELS, method="lower")
        for own in np.split(less, histories.events.ends[:-1, -1, -1])
    ]
    return toward_less(np.stack(found), histories.direction)


# -------- One value for every run, as an experiment: that at a number of evaluations, or the mean


def at(histories: Values, evaluations: float, early: str) -> Experiment:
    """Return the value of every run at so many evaluations."""
    number = check_positive(evaluations, "evaluations")
    OPTIONS["early"].check(early, "early")
    short = histories.budgets * SLACK < number
    if short.any() and early == "raise":
        p = int(np.argmax(short))
        raise DataError(
            f"values on problem {shown(histories.problems[p])} end at evaluation "
            f"{evaluations_text(histories.budgets[p])}, before {evaluations_text(number)}; "
            f"so they do on {plural(int(short.sum()), 'problem')}. Take at most "
            f"{evaluations_text(histories.budgets.min())} evaluations, or pass early='carry' to "
            "let the last values stand."
        )
    events, names = histories.events, Names(histories.problems, histories.algorithms)
    firsts = {place: float(events.run(*place)[0][0]) for place in events.places}
    for place, first in firsts.items():
        if first > number * SLACK:
            raise DataError(
                f"{names.run_at(*place)} has no value by evaluation {evaluations_text(number)}: "
                f"the first that is recorded is at {evaluations_text(first)}. Take at least "
                f"{evaluations_text(max(firsts.values()))} evaluations."
            )
    wanted = np.minimum(number, histories.budgets)[:, np.newaxis]
    scores = events.at(wanted)[..., 0]
    notes = _of_points(histories, number, short.sum())
    return _experiment(
        histories, scores, f"{{}} after {evaluations_text(number)} evaluations", notes
    )


def area(histories: Values) -> Experiment:
    """Return the mean of every run over evaluations, by the trapezoid rule."""
    if histories.n_points < 2:
        raise DataError("an area needs at least 2 points; these histories have 1.")
    points = histories.evaluations
    shares = np.diff(points) / (points[:, -1:] - points[:, :1])
    # a point counts half of the stretch before it and half of that after it
    weights = (np.pad(shares, ((0, 0), (1, 0))) + np.pad(shares, ((0, 0), (0, 1)))) / 2
    scores = np.einsum("parj,pj->par", histories.values, weights)
    first, last = evaluations_text(points[:, 0].max()), evaluations_text(points[:, -1].min())
    same = bool((points[:, [0, -1]] == points[0, [0, -1]]).all())
    span = f" from {first} to {last} evaluations" if same else " over the evaluations"
    return _experiment(histories, scores, f"mean {{}}{span}")


def _experiment(
    histories: Values, scores: FloatArray, measure: str, notes: Iterable[Note] = ()
) -> Experiment:
    """Return an experiment with a score for each problem, algorithm and run."""
    lower = scores[:, :, np.newaxis]
    return Experiment(
        lower=lower,
        upper=lower,
        datasets=histories.problems,
        algorithms=histories.algorithms,
        folds=("1",),
        direction=histories.direction,
        measure=measure.format(
            histories.measure or ("value" if histories.is_raw else "best value")
        ),
        citation=histories.citation,
        notes=(*histories.notes, *notes),
    )


def _of_points(histories: Values, number: float, n_short: int) -> list[Note]:
    """Return notes on values that were recorded before, or carried forward."""
    texts = {}
    points = histories.evaluations
    used = np.where(points <= number * SLACK, points, 0.0).max(axis=1)
    # between events that all runs share, values may have improved
    early = (used < np.minimum(number, histories.budgets) / SLACK) & (histories.logged is None)
    if early.any():
        texts["recorded-before"] = (
            f"On {plural(int(early.sum()), 'problem')} nothing was recorded at "
            f"{evaluations_text(number)} evaluations; the last value before it stands, which "
            f"is at {evaluations_text(used[early].min())} or later."
        )
    if n_short:
        texts["carried"] = (
            f"On {plural(int(n_short), 'problem')} the runs ended before "
            f"{evaluations_text(number)} evaluations; their last values stand."
        )
    return [Note(code, text) for code, text in texts.items()]
