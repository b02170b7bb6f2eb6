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
from nbcompare._validation import DataError, check_name, listed
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
    examples,
    matching,
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
    labels = {name for role in LABELS for name in (role, *reading.named.get(role, ()))}
    table = rows_with(table, reading.where).without(tuple(reading.ignore))
    table = without_saved_index(table, named, {name for role in LABELS for name in NAMES[role]})
    if reading.missing_words:
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
        for role in ("algorithm", "problem", "run"):
            self._recognise(role)
        if self._reading.optimum is None and (optimum := called("optimum", self._numeric)):
            self._roles["optimum"] = (optimum[0],)
        points = [] if self._reading.columns else [name for name in self._free if _is_point(name)]
        is_long = {"evaluations", "value"} & self._roles.keys() or self._counts()
        if points and not is_long:
            self._found.values, self._found.parts = points, {"evaluations": points}
        else:
            self._recognise_evaluations()
            self._find_values()
        for role in ("problem", "algorithm"):
            if role not in self._roles and role not in self._found.parts:
                self._refuse(
                    f"nothing says which column names the {NOUNS[role]}.",
                    [{role: name} for name in self._free if self._facts.holds_words(name)],
                    f"`{role}` must name it; add the column if there is none.",
                )
        self._account()
        return self._found

    # --------------------------------------------------------------------------- what there is

    @property
    def _free(self) -> list[str]:
        """Columns that have no role yet."""
        taken = {*self._keys(*self._roles), *self._found.values}
        if self._table.counts_rows and self._table.index is not None:
            taken.add(self._table.index)
        return [name for name in self._table.columns if name not in taken]

    @property
    def _numeric(self) -> list[str]:
        return [name for name in self._free if self._facts.is_numeric(name)]

    def _keys(self, *roles: str) -> list[str]:
        return [name for role in roles for name in self._roles.get(role, ())]

    def _called(self, role: str) -> list[str]:
        """Return columns that are called like a role of numbers, and hold more than words."""
        return called(role, [name for name in self._free if not self._facts.holds_words(name)])

    def _counts(self) -> list[str]:
        """Return columns that are called like evaluations; steps only if nothing else is."""
        found = self._called("evaluations")
        return [name for name in found if bare(name) not in NAMES["step"]] or found

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
            n for n in called(role, self._free) if facts.may_label(n) and not facts.is_empty(n)
        ]
        if role == "run":  # a label of its own in every row tells no runs apart
            found = [n for n in found if bare(n) == "run" or not facts.identifies_rows(n)]
        if len(found) > 1:  # what is the same everywhere, or follows from another, tells nothing
            found = [name for name in found if not facts.is_constant(name)] or found[:1]
            for name in tuple(found):
                others = [other for other in found if other != name]
                if any(facts.follows(name, [other]) for other in others):
                    found = others
        if len(found) > 1:
            ways: list[Way] = [{role: found}, *({role: name} for name in found)]
            self._refuse(f"columns {listed(found)} may all name the {NOUNS[role]}.", ways)
        if found:
            self._roles[role] = (found[0],)

    def _recognise_evaluations(self) -> None:
        if "evaluations" in self._roles or "evaluations" in self._reading.parts:
            return
        found = self._counts()
        told = f"columns {listed(found)} may all count evaluations."
        if not found:
            found = [name for name in self._numeric if self._facts.is_whole(name)]
            told = (
                "nothing says which column counts evaluations, in a table with a row per logged "
                "value; in a wide table, a column per point is named by its evaluations."
            )
        elif len(found) == 1:
            self._roles["evaluations"] = (found[0],)
            return
        self._refuse_numbers(told, found, "evaluations", "evaluations")

    def _find_values(self) -> None:
        """Find the column of values, or those with names that are made as the caller says."""
        reading, found = self._reading, self._found
        if reading.columns is not None:
            names = [name for name in self._free if not self._facts.holds_words(name)]
            matches = matching(reading.columns, names, self._table)
            parts = zip(reading.parts, zip(*matches.values(), strict=True), strict=True)
            found.values, found.parts = list(matches), {role: list(it) for role, it in parts}
            return
        if "value" not in self._roles:
            names = self._called("value") or [
                n for n in self._numeric if not self._is_irrelevant(n) and not self._is_counter(n)
            ]
            if not names:
                told = "no column of numbers is free to hold the values."
                self._refuse_numbers(told, self._numeric, "value", "run")
            elif len(names) > 1:
                told = f"columns {listed(names)} may hold the values."
                self._refuse_numbers(told, names, "value", "run")
            self._roles["value"] = (names[0],)
        found.values = list(self._roles["value"])

    # ---------------------------------------------------------------------------- what is left

    def _account(self) -> None:
        """Say of every other column why it does not matter, or refuse it."""
        left = [name for name in self._free if not self._is_irrelevant(name)]
        doubtful = [name for name in left if not self._is_measure(name)]
        if doubtful:
            self._refuse_doubtful(doubtful)
        if left:
            values = self._found.values
            those = f"column {values[0]!r}" if len(values) == 1 else f"{len(values)} columns"
            was = "were" if len(left) > 1 else "was"
            told = f"The values are those of {those}; {listed(left)} {was} left out."
            notes = (*self._table.notes, ("columns", told))
            self._found.table = replace(self._table, notes=notes)

    def _is_irrelevant(self, name: str) -> bool:
        facts = self._facts
        used = [n for n in self._keys(*LABELS, "evaluations", "value") if n != name]
        return (
            facts.is_empty(name)
            or facts.is_constant(name)
            or any(facts.is_copy(name, other) for other in used)
            or any(facts.follows(name, keys) for r in LABELS[:2] if (keys := self._keys(r)))
            or self._describes_run(name)
            or facts.identifies_rows(name)
        )

    def _describes_run(self, name: str) -> bool:
        """Tell whether a column says of a run what is no setting: a seed, or what it measured."""
        facts, keys = self._facts, self._keys(*LABELS)
        if "run" not in self._roles or not facts.follows(name, keys):
            return False
        if not facts.has_levels(name) or all(facts.follows(key, [name]) for key in keys):
            return True
        # a label that only one algorithm's run has may stand for a setting of the algorithm
        shared = self._keys("problem", "run")
        crossed = not all(facts.follows(one, shared) for one in self._keys("algorithm"))
        return crossed and facts.follows(name, shared)

    def _is_measure(self, name: str) -> bool:
        """Tell whether a column counts or measures something else than the values do."""
        facts = self._facts
        if not facts.is_numeric(name):
            return False
        is_free, has_levels = not facts.is_whole(name), facts.has_levels(name)
        if "evaluations" in self._roles and not self._is_key:
            return is_free and not has_levels  # others may tell apart what is logged twice
        changes = is_free and not facts.follows(name, self._keys(*LABELS))
        return changes or not has_levels or self._is_counter(name)

    def _is_counter(self, name: str) -> bool:
        """Tell whether numbers grow with the evaluations of every run, as time does."""
        if "evaluations" not in self._roles:
            return False
        group = self._facts.group(self._keys(*LABELS))
        evaluations, numbers = map(self._table.numbers, (self._roles["evaluations"][0], name))
        order: IntArray = np.lexsort((evaluations, group))
        steps = np.diff(numbers[order])[np.diff(group[order]) == 0]
        return bool(steps.size and (steps >= 0).all() and (steps > 0).mean() > 1 / 2)

    # -------------------------------------------------------------------------------- refusals

    def _refuse_doubtful(self, names: Sequence[str]) -> None:
        """Refuse columns that change among the values that would be compared."""
        facts, name = self._facts, names[0]
        labels, is_key = facts.labels(name), self._is_key
        filters: list[Way] = [{"where": {name: label}} for label in labels]
        ways: list[Way] = [{r: [*self._roles[r], name]} for r in LABELS if r in self._roles]
        if "run" not in self._roles and "run" not in self._found.parts:
            ways.insert(0, {"run": name})
        if is_key:
            describes = facts.follows(name, self._keys(*LABELS))
            ways = [*(ways if describes else ()), {"ignore": [name]}, *filters[:_MOST]]
        elif not are_numbered(labels):
            ways = [*filters[:_MOST], *ways]
        word, they = ("columns", "they do") if len(names) > 1 else ("column", "it does")
        self._refuse(
            f"{word} {listed(names)} must be settled, for {they} not only describe problems, "
            "algorithms or runs.",
            ways,
            doubtful=names,
        )

    def _refuse_numbers(self, told: str, names: Sequence[str], role: str, part: str) -> None:
        """Refuse columns that may all play a role, or of which the names may say a part."""
        ways: list[Way] = [{role: name} for name in names[:_MOST]]
        if len(names) > 1 and are_numbered(names):
            ways = [{"columns": f"{names[0].rstrip('0123456789')}{{{part}}}"}]
        self._refuse(told, ways, f"`{role}` must name a column of numbers.")

    def _refuse(
        self, told: str, ways: Sequence[Way], remedy: str = "", doubtful: Sequence[str] = ()
    ) -> None:
        """Raise the doubt, with all columns and what they seem to be."""
        role_of = {name: role for role, names in self._roles.items() for name in names}
        uses = []
        for name in self._table.columns:
            what = "numbers" if self._facts.is_numeric(name) else "text"
            what = "changes among values to be compared" if name in doubtful else what
            use = role_of.get(name, what)
            uses.append(ColumnUse(name, examples(self._table, name), use, name in role_of))
        told = f"{self._table.source}: {told}"
        raise Unsettled(told, ways, "" if ways else remedy, columns=tuple(uses))


def _is_point(name: str) -> bool:
    """Tell whether a column is called by a number of evaluations."""
    try:
        return bool(np.isfinite(float(name)))
    except ValueError:
        return False
