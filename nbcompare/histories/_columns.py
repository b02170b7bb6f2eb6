"""What the columns of a table of logs are; every one is accounted for, as in a table of scores.

Three layouts are read. Long: a row per logged value. Wide: a row per run, and a column for each
number of evaluations, by which it is called. Between them: a row per step, and columns of which
the names say the run or the algorithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from nbcompare._arrays import IntArray
from nbcompare._tables import (
    RawTable,
    find_column,
    missing_with,
    refuse_two_roles,
    without_saved_index,
    without_words,
)
from nbcompare._validation import DataError, check_name, listed, shown
from nbcompare.experiment import (
    NAMES,
    NOUNS,
    ColumnUse,
    Facts,
    Unsettled,
    Way,
    are_numbered,
    bare,
    called,
    listing,
    rows_with,
)
from nbcompare.histories._reading import LABELS, LogReading

_MOST = 6  # columns or labels that are offered


@dataclass
class LogColumns:
    """What is understood of a table of logs.

    Attributes
    ----------
    table : RawTable
        The rows and columns that are read.
    roles : dict of str to tuple of str
        Columns by role.
    values : list of str
        The columns of values.
    parts : dict of str to list of str
        What the names of these columns say, by role.
    """

    table: RawTable
    roles: dict[str, tuple[str, ...]]
    values: list[str] = field(default_factory=list)
    parts: dict[str, list[str]] = field(default_factory=dict)


def understood(table: RawTable, reading: LogReading) -> LogColumns:
    """Say what each column is.

    Raises
    ------
    Unsettled
        If a column is not accounted for, or two may play one role.
    """
    if not table.columns:
        raise DataError(f"{table.source} has no columns.")
    if table.n_rows == 0:
        raise DataError(f"{table.source} has no rows, so there is no run.")
    for name in reading.ignore:
        check_name(name, "ignore", tuple(table.columns))
    named = {name for names in reading.named.values() for name in names}
    table = rows_with(table, reading.where).without(tuple(reading.ignore))
    table = without_saved_index(table, named, {name for role in LABELS for name in NAMES[role]})
    if reading.missing_words:
        labels = {*LABELS, *(name for role in LABELS for name in getattr(reading, role))}
        table = without_words(table, labels, missing_with(reading.missing_words))
    return _Inference(table, reading).columns()


class _Inference:
    def __init__(self, table: RawTable, reading: LogReading) -> None:
        self._table, self._reading, self._facts = table, reading, Facts(table)
        self._roles = {
            role: tuple(find_column(table, role, name) for name in names)
            for role, names in reading.named.items()
        }
        pairs = [(role, name) for role, names in self._roles.items() for name in names]
        for two in combinations(pairs, 2):
            refuse_two_roles(dict(two))
        self._found = LogColumns(table, self._roles)

    def columns(self) -> LogColumns:
        for role in ("algorithm", "problem"):
            self._recognise(role)
        if self._reading.optimum is None and (optimum := called("optimum", self._numeric)):
            self._roles["optimum"] = (optimum[0],)
        points = [] if self._reading.columns else [name for name in self._free if _is_point(name)]
        is_long = {"evaluations", "value"} & self._roles.keys() or self._counts()
        if points and not is_long:
            self._found.values = points
            self._found.parts = {"evaluations": points}
            self._recognise("run")
        else:
            self._recognise_run()
            self._recognise_evaluations()
            self._find_values()
        for role in ("problem", "algorithm"):
            if role not in self._roles and role not in self._found.parts:
                self._refuse_without(role, [name for name in self._free if self._may_label(name)])
        self._account()
        return self._found

    # --------------------------------------------------------------------------- what there is

    @property
    def _free(self) -> list[str]:
        """Columns that have no role yet."""
        taken = {name for names in self._roles.values() for name in names}
        taken |= set(self._found.values)
        index = self._table.index if self._table.counts_rows else None
        return [name for name in self._table.columns if name not in taken and name != index]

    @property
    def _numeric(self) -> list[str]:
        return [name for name in self._free if self._facts.is_numeric(name)]

    def _may_label(self, name: str) -> bool:
        return not self._facts.is_numeric(name) and not self._facts.is_empty(name)

    def _counts(self) -> list[str]:
        """Return columns that are called like evaluations; steps only if nothing else is."""
        found = called("evaluations", self._numeric)
        return [name for name in found if bare(name) not in NAMES["step"]] or found

    def _keys(self, *roles: str) -> list[str]:
        return [name for role in roles for name in self._roles.get(role, ())]

    @property
    def _is_key(self) -> bool:
        """Whether no two rows are about the same point of the same run."""
        return self._facts.is_key(self._keys(*LABELS, "evaluations"))

    # ----------------------------------------------------------------------------------- roles

    def _recognise(self, role: str) -> None:
        """Give a role to the column that is called like it, if there is one that can play it."""
        facts = self._facts
        if role in self._roles or role in self._reading.parts:
            return
        found = [
            name
            for name in called(role, self._free)
            if facts.may_label(name) and not facts.is_empty(name)
        ]
        if (
            len(found) > 1
        ):  # what is the same everywhere tells nothing, nor what follows from others
            found = [name for name in found if not facts.is_constant(name)] or found[:1]
            for name in tuple(found):
                others = [other for other in found if other != name]
                if others and any(facts.follows(name, [other]) for other in others):
                    found = others
        if len(found) > 1:
            ways: list[Way] = [{role: found}, *({role: name} for name in found)]
            self._refuse(f"columns {listed(found)} may all name the {NOUNS[role]}.", ways)
        if found:
            self._roles[role] = (found[0],)

    def _recognise_run(self) -> None:
        """Recognise what tells runs apart; a label of its own in every row does not."""
        facts, is_named = self._facts, "run" in self._roles
        self._recognise("run")
        for name in () if is_named else self._roles.get("run", ()):
            if bare(name) != "run" and facts.identifies_rows(name) and self._table.n_rows > 1:
                del self._roles["run"]

    def _recognise_evaluations(self) -> None:
        if "evaluations" in self._roles or "evaluations" in self._reading.parts:
            return
        found = self._counts()
        if len(found) > 1:
            found = [n for n in found if not any(self._facts.is_copy(n, o) for o in found if o < n)]
        if len(found) != 1:
            told = f"columns {listed(found)} may all count evaluations."
            if not found:
                found = [name for name in self._numeric if self._facts.is_whole(name)]
                told = (
                    "nothing says which column counts evaluations, in a table with a row per "
                    "logged value; in a wide table, a column per point is named by its evaluations."
                )
            ways = _as_parts(found, "evaluations") or [{"evaluations": n} for n in found[:_MOST]]
            self._refuse(told, ways, _missing("evaluations"))
        self._roles["evaluations"] = (found[0],)

    def _find_values(self) -> None:
        """Find the column of values, or those with names that are made as the caller says."""
        reading, found = self._reading, self._found
        if reading.columns is not None:
            names = [n for n in self._free if not self._facts.holds_words(n)]
            matches = {n: m for n in names if (m := reading.pattern.fullmatch(n)) is not None}
            if not matches:
                raise ValueError(
                    f"`columns` must match names of columns of {self._table.source}, which are "
                    f"{listed(self._table.columns)}; got {shown(reading.columns)}."
                )
            parts = {role: [m[role].strip() for m in matches.values()] for role in reading.parts}
            found.values, found.parts = list(matches), parts
            return
        if "value" in self._roles:
            found.values = list(self._roles["value"])
            return
        numeric = self._numeric
        names = called("value", numeric)
        if not names:
            names = [n for n in numeric if not self._is_irrelevant(n) and not self._is_counter(n)]
        if len(names) != 1:
            told = f"columns {listed(names)} may hold the values."
            ways = _as_parts(names, "run") or [{"value": name} for name in names[:_MOST]]
            if not names:
                told = "no column of numbers is free to hold the values."
                ways = [{"value": name} for name in numeric[:_MOST]]
            self._refuse(told, ways, _missing("value"))
        found.values = names
        self._roles["value"] = (names[0],)

    # ---------------------------------------------------------------------------- what is left

    def _account(self) -> None:
        """Say of every other column why it does not matter, or refuse it."""
        left = [name for name in self._free if not self._is_irrelevant(name)]
        if not left:
            return
        is_free = [self._is_free(name) for name in left]
        doubtful = [name for name, free in zip(left, is_free, strict=True) if not free]
        if doubtful:
            self._refuse_doubtful(doubtful)
        values = self._found.values
        those = f"column {values[0]!r}" if len(values) == 1 else f"{len(values)} columns"
        was = "were" if len(left) > 1 else "was"
        told = f"The values are those of {those}; {listed(left)} {was} left out."
        notes = (*self._table.notes, ("columns", told))
        self._found.table = replace(self._table, notes=notes)

    def _is_free(self, name: str) -> bool:
        """Tell whether a column counts or measures something else than the values do."""
        facts = self._facts
        if not facts.is_numeric(name):
            return False
        if "evaluations" in self._roles and not self._is_key:
            return not facts.is_whole(name) and not facts.has_levels(name)
        changes = not facts.is_whole(name) and not facts.follows(name, self._keys(*LABELS))
        return changes or not facts.has_levels(name) or self._is_counter(name)

    def _is_irrelevant(self, name: str) -> bool:
        facts = self._facts
        used = [n for n in self._keys(*LABELS, "evaluations", "value") if n != name]
        return (
            facts.is_empty(name)
            or facts.is_constant(name)
            or any(facts.is_copy(name, other) for other in used)
            or any(facts.follows(name, keys) for r in LABELS[:2] if (keys := self._keys(r)))
            or self._describes_run(name)
            or (facts.identifies_rows(name) and not self._measures(name))
        )

    def _measures(self, name: str) -> bool:
        return self._facts.is_numeric(name) and name in self._found.values

    def _describes_run(self, name: str) -> bool:
        """Tell whether a column says of a run what is no setting: a seed, or what it measured."""
        facts = self._facts
        keys = self._keys(*LABELS)
        if "run" not in self._roles or not facts.follows(name, keys):
            return False
        if not facts.has_levels(name) or all(facts.follows(key, [name]) for key in keys):
            return True
        # a label that only one algorithm's run has may stand for a setting of the algorithm
        shared = self._keys("problem", "run")
        algorithm = self._keys("algorithm")
        crossed = not all(facts.follows(one, shared) for one in algorithm)
        return crossed and facts.follows(name, shared)

    def _is_counter(self, name: str) -> bool:
        """Tell whether numbers grow with the evaluations of every run, as time does."""
        if "evaluations" not in self._roles:
            return False
        group = self._facts.group(self._keys(*LABELS))
        evaluations = self._table.numbers(self._roles["evaluations"][0])
        numbers = self._table.numbers(name)
        order: IntArray = np.lexsort((evaluations, group))
        inner = np.diff(group[order]) == 0
        steps = np.diff(numbers[order])[inner]
        return bool(steps.size and (steps >= 0).all() and (steps > 0).mean() > 1 / 2)

    # -------------------------------------------------------------------------------- refusals

    def _refuse_without(self, role: str, names: Sequence[str]) -> None:
        ways: list[Way] = [{role: name} for name in names[:_MOST]]
        told = f"nothing says which column names the {NOUNS[role]}."
        self._refuse(told, ways, f"`{role}` must name it; add the column if there is none.")

    def _refuse_doubtful(self, names: Sequence[str]) -> None:
        """Refuse columns that change among the values that would be compared."""
        facts, name = self._facts, names[0]
        labels, is_key = facts.labels(name), self._is_key
        filters: list[Way] = [{"where": {name: label}} for label in labels[:_MOST]]
        ways: list[Way] = [
            {role: [*self._roles[role], name]} for role in LABELS if role in self._roles
        ]
        if "run" not in self._roles and "run" not in self._found.parts:
            ways.insert(0, {"run": name})
        if is_key and not facts.follows(name, self._keys(*LABELS)):
            ways = [{"ignore": [name]}, *filters]
        elif is_key:
            ways = [*ways, {"ignore": [name]}, *filters]
        elif not are_numbered(labels):
            ways = [*filters, *ways]
        verb = "they do" if len(names) > 1 else "it does"
        self._refuse(
            f"column{'s' if len(names) > 1 else ''} {listed(names)} must be settled, for {verb} "
            "not only describe problems, algorithms or runs.",
            ways,
            doubtful=names,
        )

    def _refuse(
        self, text: str, ways: Sequence[Way], remedy: str = "", doubtful: Sequence[str] = ()
    ) -> None:
        """Raise the doubt, with all columns and what they seem to be."""
        role_of = {name: role for role, names in self._roles.items() for name in names}
        uses = []
        for name in self._table.columns:
            is_number = self._facts.is_numeric(name)
            labels = self._facts.labels(name)[:3]
            examples = tuple(f"{float(it):.6g}" if is_number else it[:24] for it in labels)
            kind = "numbers" if is_number else "text"
            what = "changes among values to be compared" if name in doubtful else kind
            uses.append(ColumnUse(name, examples, role_of.get(name, what), name in role_of))
        remedy = "" if ways else remedy
        raise Unsettled(f"{self._table.source}: {text}", ways, remedy, columns=listing(uses))


def _as_parts(names: Sequence[str], role: str) -> list[Way]:
    """Return the way to read columns of which the names differ by a number; none if they do not."""
    if len(names) < 2 or not are_numbered(names):
        return []
    return [{"columns": f"{names[0].rstrip('0123456789')}{{{role}}}"}]


def _missing(role: str) -> str:
    return f"`{role}` must name a column of numbers."


def _is_point(name: str) -> bool:
    """Tell whether a column is called by a number of evaluations."""
    try:
        return bool(np.isfinite(float(name)))
    except ValueError:
        return False
