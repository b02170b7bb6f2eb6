"""Logs of runs in the order of their evaluations, and how columns of a table become these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import DIRECTIONS, MAXIMIZE, RAW
from nbcompare._render import Note, plural
from nbcompare._tables import Codes, RawTable, natural_order
from nbcompare._validation import DataError, clean_label, shown
from nbcompare.experiment import Schema, Understanding, Unsettled, called
from nbcompare.histories._columns import LABELS, LogReading
from nbcompare.histories._values import Names, get_worse, refuse_absent, toward_less

_LARGEST = 1e300  # evaluations, of which shares are taken
_Logged = tuple[str, str, FloatArray, str]


class Run(NamedTuple):
    """What was logged of one run, in the order of evaluations.

    Problem and algorithm are places among the labels, the slot is one among the runs of both.
    ``where`` says where a row stands, for error messages; ``n_missing`` how many values are missing
    after the first.
    """

    problem: int
    algorithm: int
    slot: int
    label: str
    evaluations: FloatArray
    values: FloatArray
    where: Callable[[int], str]
    n_missing: int = 0

    def rest(self) -> Run:
        """Return it without what was logged first."""
        later = self.evaluations[1:], self.values[1:]
        return self._replace(
            evaluations=later[0], values=later[1], where=lambda row: self.where(row + 1)
        )


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

    def without_starts(self) -> Logs:
        """Leave out values at 0 evaluations, which no evaluation gave, with a note."""
        starts = self.first == 0
        if not starts.any() or any(len(run.values) < 2 for run in self.runs):
            return self
        runs = [run.rest() if run.evaluations[0] == 0 else run for run in self.runs]
        of = "all runs" if starts.all() else plural(int(starts.sum()), "run")
        note = Note(
            "starts", f"The values of {of} at 0 evaluations, before the first, were left out."
        )
        return replace(self, runs=runs, notes=(*self.notes, note))

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

        wrong = ~((evaluations > 0) & (evaluations <= _LARGEST))
        if wrong.any():
            run, row = first(wrong)
            raise DataError(
                f"{run.where(row)}: evaluations must be positive and at most {_LARGEST:g}; "
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


# --------------------------- Logs of the columns of a table: a row per value, whatever the layout


def arrange(known: Understanding, reading: LogReading) -> Logs:
    """Return the logs of a table of which the columns are understood."""
    table, names, parts, roles = known.table, known.scores, known.parts, known.roles
    width, label = len(names), roles.get("problem", (None,))[0]
    values = np.stack([table.numbers(name, label) for name in names], axis=1).ravel()
    if "evaluations" in parts:
        points = [_point(table, name) for name in parts["evaluations"]]
        evaluations = np.tile(points, table.n_rows)
    else:
        evaluations = np.repeat(table.numbers(roles["evaluations"][0], label), width)

    def where(cell: int) -> str:
        at, column = divmod(cell, width)
        if "evaluations" in roles and width == 1:
            return table.cell(at, roles["evaluations"][0])
        return table.cell(at, names[column], label)

    def where_among(cells: IntArray) -> Callable[[int], str]:
        return lambda row: where(int(cells[row]))

    unknown = np.isnan(evaluations) & ~np.isnan(values)
    if unknown.any():
        raise DataError(
            f"{where(int(np.argmax(unknown)))} must be a number of evaluations; the cell is empty."
        )
    (problem, problems), (algorithm, algorithms), (run, labels) = (
        _labels(known, role) for role in LABELS
    )
    key = (problem.astype(np.int64) * len(algorithms) + algorithm) * len(labels)
    key += _ranks(labels)[run]
    runs, counts = list[Run](), Counter[tuple[int, int]]()
    has_gaps = bool(np.isnan(values).any())
    for cells in _cells_of_runs(key, evaluations):
        n_missing = 0
        if has_gaps:
            there = np.flatnonzero(~np.isnan(values[cells]))
            if not there.size:
                continue
            # empty cells at the end of a column or row are those of a run that was shorter
            end = len(cells) if width == 1 else there[-1] + 1
            n_missing = int(end - there[0]) - len(there)
            cells = cells[there]
        cell = int(problem[cells[0]]), int(algorithm[cells[0]])
        slot, counts[cell] = counts[cell], counts[cell] + 1
        name = labels[int(run[cells[0]])] if "run" in {*roles, *parts} else str(slot + 1)
        logged = evaluations[cells], values[cells]
        runs.append(Run(*cell, slot, name, *logged, where_among(cells), n_missing))
    notes = [Note(code, text) for code, text in (*table.notes, *known.notes)]
    if n_missing := sum(run.n_missing for run in runs):
        verb, n_such = "is" if n_missing == 1 else "are", sum(run.n_missing > 0 for run in runs)
        told = f"{plural(n_missing, 'value')} of {n_such:,} of {plural(len(runs), 'run')} {verb}"
        notes.append(Note("missing-values", f"{told} missing; the value before stands."))
    made = Logs(
        problems,
        algorithms,
        runs,
        direction=str(reading.direction),
        has_labels="run" in roles or not known.is_long,
        measure=names[0] if known.is_long and names[0].casefold() != "value" else None,
        optimum=_optimum(known, problem),
        dimensions=_dimensions(known, problem),
        notes=tuple(notes),
        schema=known.schema(reading, {}),
    ).check_all_there(table.source)
    return made.without_starts() if "evaluations" in roles else made


def _cells_of_runs(key: IntArray, evaluations: FloatArray) -> list[IntArray]:
    """Return the cells of each run in the order of evaluations, leaving out those without any."""
    order = np.flatnonzero(~np.isnan(evaluations))
    goes_on = (key[1:] == key[:-1]) & (evaluations[1:] > evaluations[:-1])
    if len(order) < len(key) or not (goes_on | (key[1:] > key[:-1])).all():
        order = order[np.lexsort((evaluations[order], key[order]))]
    return np.split(order, np.flatnonzero(np.diff(key[order])) + 1)


def _ranks(labels: Sequence[str]) -> IntArray:
    """Return the place of each label in their natural order."""
    order = sorted(range(len(labels)), key=natural_order(labels).__getitem__)
    ranks: IntArray = np.argsort(order)
    return ranks


def _labels(known: Understanding, role: str) -> tuple[Codes, list[str]]:
    """Return what names of columns, or cells, say of a role, value by value."""
    n_rows, width = known.table.n_rows, len(known.scores)
    if role in known.parts:
        parts = [clean_label(part) for part in known.parts[role]]
        labels = list(dict.fromkeys(parts))
        return np.tile([labels.index(part) for part in parts], n_rows), labels
    if role in known.roles:
        codes, joined = known.facts.joined_labels(known.roles[role])
        return np.repeat(codes, width), list(joined)
    if role == "problem":  # which is one
        return np.zeros(width * n_rows, dtype=np.int64), ["1"]
    if "evaluations" in known.parts:  # each row is a run of its own
        return np.repeat(np.arange(n_rows), width), [""] * n_rows
    return np.zeros(width * n_rows, dtype=np.int64), [""]


def _point(table: RawTable, name: str) -> float:
    """Return the number of evaluations by which a column is called."""
    try:
        return float(name)
    except ValueError:
        raise DataError(f"{table.source}: {name!r} must be a number of evaluations.") from None


def _optimum(known: Understanding, problem: Codes) -> FloatArray | None:
    """Return one optimum per problem; refuse a column with two."""
    if "optimum" not in known.roles:
        return None
    table, name, width = known.table, known.roles["optimum"][0], len(known.scores)
    label = known.roles.get("problem", (None,))[0]
    given = np.repeat(table.numbers(name, label), width)
    optimum: FloatArray = given[np.unique(problem, return_index=True)[1]]
    wrong = np.isnan(given) if np.isnan(given).any() else given != optimum[problem]
    if wrong.any():
        row = int(np.argmax(wrong))
        what = f"hold one optimum per problem; got {float(given[row])!r} after "
        what += f"{float(optimum[problem[row]])!r}"
        if np.isnan(given[row]):
            what = "be a number; the cell is empty"
        raise DataError(f"{table.cell(row // width, name, label)} must {what}.")
    return optimum


def _dimensions(known: Understanding, problem: Codes) -> FloatArray | None:
    """Return the dimensions of the problems, from a column that is called so and tells them."""
    table, width = known.table, len(known.scores)
    for name in called("dimension", [*table.columns]):
        if not known.facts.is_numeric(name):
            continue
        given = np.repeat(table.numbers(name, None), width)
        found: FloatArray = given[np.unique(problem, return_index=True)[1]]
        if (given == found[problem]).all() and (found > 0).all() and np.isfinite(found).all():
            return found
    return None
