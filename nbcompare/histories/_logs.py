"""Logs of runs in order: one stretch of rows per run, checked, that never gets worse."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import DIRECTIONS, MAXIMIZE, RAW
from nbcompare._render import Note
from nbcompare._tables import Codes, natural_order
from nbcompare._validation import DataError
from nbcompare.experiment import Schema, Unsettled
from nbcompare.histories._reading import LogReading
from nbcompare.histories._values import Names, get_worse, refuse_absent, toward_less


@dataclass(frozen=True, slots=True)
class Logs:
    """Logged values, a row each, in any order.

    ``problem``, ``algorithm`` and ``run`` number the labels; ``where`` says where a row
    stands, for error messages.
    """

    problems: Sequence[str]
    algorithms: Sequence[str]
    runs: Sequence[str]
    problem: Codes
    algorithm: Codes
    run: Codes
    evaluations: FloatArray
    values: FloatArray
    where: Callable[[int], str]
    direction: str
    has_runs: bool = True  # whether a column tells runs apart
    measure: str | None = None
    optimum: float | FloatArray | None = None  # of all problems or each, where the logs say it
    tolerance: float = 0.0  # how near to the optimum a run has reached it
    notes: tuple[Note, ...] = ()
    cut: frozenset[int] = frozenset()  # keys of runs of which later values are missing
    schema: Schema | None = None  # how they were read

    def part(self, rows: IntArray) -> Logs:
        """Return some rows; ``where`` numbers those of all."""
        columns = ("problem", "algorithm", "run", "evaluations", "values")
        return replace(self, **{name: getattr(self, name)[rows] for name in columns})

    def keys(self) -> IntArray:
        """Number the run of each row among all that labels can name."""
        key = self.problem.astype(np.int64)
        for codes, labels in ((self.algorithm, self.algorithms), (self.run, self.runs)):
            key *= len(labels)
            key += codes
        return key


def of_runs(
    names: Names,
    cells: Sequence[tuple[str, str]],
    logged: Sequence[FloatArray],
    places: Sequence[str],
    direction: str,
) -> Logs:
    """Return logs of whole runs, one after the other, numbered within their cells.

    ``cells`` are problem and algorithm of each run; ``logged`` its evaluations and values, shape
    (2, n_rows); ``places`` say where it stands.
    """
    problems, algorithms = (
        {label: i for i, label in enumerate(labels)}
        for labels in (names.problems, names.algorithms)
    )
    counts: Counter[tuple[str, str]] = Counter()
    codes = []
    for cell in cells:
        codes.append((problems[cell[0]], algorithms[cell[1]], counts[cell]))
        counts[cell] += 1
    lengths = [rows.shape[1] for rows in logged]
    ends = np.cumsum(lengths).tolist()
    problem, algorithm, run = np.repeat(np.array(codes, dtype=np.int64), lengths, axis=0).T
    evaluations, values = np.concatenate(logged, axis=1)
    return Logs(
        names.problems,
        names.algorithms,
        [str(i + 1) for i in range(max(counts.values()))],
        problem.copy(),
        algorithm.copy(),
        run.copy(),
        evaluations,
        values,
        lambda row: places[bisect_right(ends, row)],
        direction,
    )


def none_empty(logs: Logs, source: str) -> Logs:
    """Check that every problem and algorithm of the logs has a value."""
    if not len(logs.values):
        raise DataError(f"{source} holds no value.")
    for kind, codes, labels in (
        ("problem", logs.problem, logs.problems),
        ("algorithm", logs.algorithm, logs.algorithms),
    ):
        refuse_absent(kind, np.bincount(codes, minlength=len(labels)) > 0, labels, f" in {source}")
    return logs


@dataclass(frozen=True, slots=True)
class Runs:
    """Rows in the order of runs; run i is rows ``starts[i]`` to ``ends[i]``."""

    logs: Logs
    order: IntArray  # rows of the logs
    evaluations: FloatArray
    values: FloatArray
    starts: IntArray
    ends: IntArray
    problem: IntArray  # of each run, as are those below
    algorithm: IntArray
    run: IntArray
    keys: IntArray

    @property
    def lengths(self) -> IntArray:
        """Number of rows of each run."""
        return self.ends - self.starts

    @property
    def last(self) -> FloatArray:
        """Evaluations at the last row of each run."""
        return self.evaluations[self.ends - 1]

    def name(self, position: int) -> str:
        """Name problem, algorithm and run in an error message."""
        names, run = Names(self.logs.problems, self.logs.algorithms), int(self.run[position])
        place = int(self.problem[position]), int(self.algorithm[position])
        return names.run(*place, repr(self.logs.runs[run]))

    def name_at(self, row: int) -> str:
        """Name the run of a row in an error message."""
        return self.name(int(np.searchsorted(self.starts, row, side="right")) - 1)

    def where(self, row: int) -> str:
        """Say where a row stands in the logs."""
        return self.logs.where(int(self.order[row]))

    def labels(self) -> dict[tuple[int, int, int], str]:
        """Return the label of each run by problem, algorithm and place; empty without labels."""
        if not self.logs.has_runs:
            return {}
        columns = (self.problem, self.algorithm, self.slots(), self.run)
        places = zip(*(column.tolist() for column in columns), strict=True)
        return {(p, a, slot): self.logs.runs[run] for p, a, slot, run in places}

    def is_cut(self, position: int) -> bool:
        """Tell whether values are missing that were to come after the last of a run."""
        return int(self.keys[position]) in self.logs.cut

    def slots(self) -> IntArray:
        """Number each run 0, 1, ... within its problem and algorithm, by its label."""
        keys = natural_order(self.logs.runs)
        place = np.empty(len(keys), dtype=np.int64)
        place[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        cell = self.problem * len(self.logs.algorithms) + self.algorithm
        return numbered(cell, np.lexsort((place[self.run], cell)))


def numbered(cell: IntArray, order: IntArray) -> IntArray:
    """Number what is in each cell 0, 1, ..., in an order that sorts the cells."""
    starts = _starts(cell[order])
    number = np.empty(len(cell), dtype=np.int64)
    number[order] = np.arange(len(cell)) - np.repeat(starts, np.diff(starts, append=len(cell)))
    return number


def in_runs(logs: Logs, reading: LogReading) -> Runs:
    """Sort the logs by run; refuse wrong evaluations, and values that get worse unless raw."""
    wrong = ~((logs.evaluations > 0) & np.isfinite(logs.evaluations))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(
            f"{logs.where(row)}: evaluations must be positive and finite; "
            f"got {float(logs.evaluations[row]):.15g}."
        )
    runs = _in_order(logs)
    inner: BoolArray = np.ones(max(0, len(runs.values) - 1), dtype=np.bool_)
    inner[runs.starts[1:] - 1] = False  # the next row is of another run
    same = (runs.evaluations[1:] == runs.evaluations[:-1]) & inner
    if same.any():
        raise _logged_twice(runs, int(np.argmax(same)))
    if reading.is_raw:
        return runs
    less = toward_less(runs.values, logs.direction)
    worse = (less[1:] > less[:-1]) & inner
    if worse.any() and reading.worse == "raise":
        turned = not ((less[1:] < less[:-1]) & inner).any()
        raise _gets_worse(runs, int(np.argmax(worse)) + 1, turned=turned)
    if worse.any():
        best = np.maximum if logs.direction == MAXIMIZE else np.minimum
        values = runs.values.copy()
        for start, end in zip(runs.starts, runs.ends, strict=True):
            best.accumulate(values[start:end], out=values[start:end])
        return replace(runs, values=values)
    return runs


def _in_order(logs: Logs) -> Runs:
    key, evaluations = logs.keys(), logs.evaluations
    order = np.arange(len(key))
    starts = _starts(key)
    goes_on = evaluations[1:] > evaluations[:-1]
    goes_on[starts[1:] - 1] = True
    if not goes_on.all() or np.unique(key[starts]).size < starts.size:
        order = np.lexsort((evaluations, key))
        key = key[order]
        starts = _starts(key)
    keys = key[starts]
    cell, run = np.divmod(keys, len(logs.runs))
    problem, algorithm = np.divmod(cell, len(logs.algorithms))
    ends = np.append(starts[1:], len(key))
    rows = logs.evaluations[order], logs.values[order]
    return Runs(logs, order, *rows, starts, ends, problem, algorithm, run, keys)


def _starts(key: IntArray) -> IntArray:
    return np.concatenate([[0], np.flatnonzero(key[1:] != key[:-1]) + 1]).astype(np.int64)


def _logged_twice(runs: Runs, at: int) -> DataError:
    one, two = sorted(runs.order[at : at + 2].tolist())
    remedy = (
        "Take out one of them."
        if runs.logs.has_runs
        else "Pass run= to name the column that tells runs apart."
    )
    return DataError(
        f"{runs.logs.where(two)}: evaluation {float(runs.evaluations[at]):.15g} of "
        f"{runs.name_at(at)} is in another row already ({runs.logs.where(one)}). {remedy}"
    )


def _gets_worse(runs: Runs, at: int, *, turned: bool) -> Unsettled:
    """Return the doubt about a value; ``turned`` if all runs get better in the other direction."""
    told = get_worse(runs.name_at(at), runs.evaluations[at], runs.values[at], runs.values[at - 1])
    ways = [{"direction": word} for word in DIRECTIONS if turned and word != runs.logs.direction]
    return Unsettled(f"{runs.where(at)}: {told}", [*ways, {"worse": "keep-best"}, {"values": RAW}])
