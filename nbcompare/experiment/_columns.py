"""The columns of one table while it is found out what each of them is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import NoReturn

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._tables import RawTable, find_column, is_blank, is_number
from nbcompare._tables.text_format import Unsettled, Way
from nbcompare._validation import DataError, listed, shown
from nbcompare.experiment._facts import DRIFT, Facts, are_numbered, counts, levels_drift
from nbcompare.experiment._reading import KEYS, Reading
from nbcompare.experiment._schema import (
    HIGHER,
    LOWER,
    NOUNS,
    REPETITIONS,
    ROLE_OF_UNIT,
    ColumnUse,
    Schema,
    bare,
    called,
)

ENDS = ("score", "lower", "upper")
BESIDE = ("domain", "higher_is_better")
COUNTER = "numbers of the rows"
MANY_LABELS = 20  # of a column that may name the items of a benchmark
MOST_WAYS = 6  # columns or labels that are offered, each by itself
USE_OF = {role: noun[:-1] for role, noun in NOUNS.items()} | {
    "cluster": "cluster of the item",
    "score": "score",
    "lower": "lower end of the score",
    "upper": "upper end of the score",
    "domain": "group of the data set",
    "higher_is_better": "what is better",
    "status": "status of the run",
    "evaluations": "evaluations",
    "optimum": "optimum of the problem",
}
_SAMPLE = 2000  # rows in which examples are looked for
_MOST_PARTS = 4  # of data that are split, such as those to train and to test with
_FEW_LABELS = 3  # of which each is offered as a filter
# How solvers say that a run has no result; what else they say, such as SAT and UNSAT, is one
_FAILURE = re.compile(r"time.?out|mem.?out|out.?of|fail|error|crash|kill|abort|unknown|limit", re.I)


@dataclass(frozen=True)
class Understanding:
    """What is understood of a table before its cells are arranged.

    Attributes
    ----------
    table : RawTable
        The rows that are read, without columns that are left out.
    facts : Facts
        What is known of its columns.
    roles : mapping of str to tuple of str
        The columns that name data sets, algorithms, folds and runs, and those with something else
        to say.
    scores : tuple of str
        The columns of scores; one, or one for each end of intervals, in a long table.
    is_long : bool
        Whether there is a row per score.
    parts : mapping of str to tuple of str
        What the names of the columns of scores say, by role.
    uses : tuple of ColumnUse
        What every column is.
    notes : tuple of (str, str)
        Codes and texts.
    n_rows : int
        Number of rows before filters.
    unit : str or None
        What a row, or the repetition in it, repeats, if the caller says so.
    """

    table: RawTable
    facts: Facts
    roles: dict[str, tuple[str, ...]]
    scores: tuple[str, ...]
    is_long: bool
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    uses: tuple[ColumnUse, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    n_rows: int = 0
    unit: str | None = None

    def schema(
        self, reading: Reading, sizes: Mapping[str, int], left_out: tuple[str, ...] = ()
    ) -> Schema:
        """Return the record of how the table was understood."""
        return Schema(
            source=self.table.source,
            layout="long" if self.is_long else "wide",
            roles={self.name_of(role): names for role, names in self.roles.items()},
            parts={self.name_of(role): names for role, names in self.parts.items()},
            scores=self.scores,
            columns=self.uses,
            where=dict(reading.where),
            n_rows=self.n_rows,
            n_kept=self.table.n_rows,
            sizes={self.name_of(role): size for role, size in sizes.items()},
            left_out=left_out,
        )

    def name_of(self, role: str) -> str:
        """Return the name of a role, which is that of items where these stand for folds."""
        return "item" if role == "fold" and self.unit == "items" else role


class Columns:
    """Roles and uses of columns, as far as they are known.

    Attributes
    ----------
    roles : dict of str to tuple of str
        The columns that play each role.
    uses : dict of str to str
        Why a column without a role does not matter.
    notes : list of (str, str)
        Codes and texts: what a reader should know of how columns were understood.
    """

    def __init__(self, table: RawTable, reading: Reading) -> None:
        self.table, self.reading, self.facts = table, reading, Facts(table)
        depth = max((len(labels) for labels in table.levels.values()), default=0)
        names = table.level_names or (None,) * depth
        self.levels = [name or f"level {place}" for place, name in enumerate(names)]
        self.unit = reading.unit
        self._counter = {str(table.index)} if table.counts_rows else set[str]()
        self.roles: dict[str, tuple[str, ...]] = {}
        for role, given in reading.named().items():
            if role not in KEYS or not set(given) <= {*self.levels}:
                self._give(role, tuple(find_column(table, role, name) for name in given))
        self.uses: dict[str, str] = {}
        self.notes: list[tuple[str, str]] = []
        for name in self.text():
            if not any(called(role, [name]) for role in KEYS):
                table.refuse_objects(name)

    def _give(self, role: str, names: tuple[str, ...]) -> None:
        """Give a role to columns that the caller names; refuse two roles for one."""
        for name in names:
            other = next((each for each, taken in self.roles.items() if name in taken), None)
            if other is not None:
                raise ValueError(
                    f"`{other}` and `{role}` must name different columns; got {shown(name)} for "
                    "both."
                )
        self.roles[role] = names

    # ------------------------------------------------------------------------ looking in

    @property
    def free(self) -> list[str]:
        """Columns without a role, but for those that only count the rows."""
        taken = {name for names in self.roles.values() for name in names}
        taken |= {name for name, use in self.uses.items() if use == COUNTER}
        taken |= self._counter
        return [name for name in self.table.columns if name not in taken]

    def numbers(self, name: str) -> FloatArray:
        """Return the numbers of a column; NaN for what is none, which may be left out later."""
        try:
            return self.table.numbers(name)
        except DataError:
            cells = self.table[name]
            kept = [is_number(cell) and abs(cell) < np.inf for cell in cells]
            return np.array([float(c) if k else np.nan for c, k in zip(cells, kept, strict=True)])

    def numeric(self) -> list[str]:
        """Return the free columns of numbers."""
        facts = self.facts
        return [name for name in self.free if facts.is_numeric(name) and not facts.is_empty(name)]

    def text(self) -> list[str]:
        """Return the free columns of text."""
        return [name for name in self.free if not self.facts.is_numeric(name)]

    def of(self, *roles: str) -> list[str]:
        """Return the columns of some roles."""
        return [name for role in roles for name in self.roles.get(role, ())]

    @property
    def keys(self) -> list[str]:
        """The columns that name data sets, algorithms, folds and runs."""
        return self.of(*KEYS)

    # ----------------------------------------------------------------------- recognising

    def recognise(self, role: str) -> None:
        """Give a role to the column that is called like it, if there is one that can play it."""
        facts = self.facts
        if role in self.roles or role in self.reading.parts:
            return
        names = called(role, self.text() if role == "algorithm" else self.free)
        found = [
            name
            for name in names
            if not facts.is_empty(name) and (facts.may_label(name) or bare(name) == "dataset")
        ]
        if len(found) > 1:  # what is the same everywhere tells nothing
            found = [name for name in found if not facts.is_constant(name)] or found[:1]
        self._take_only(role, sorted(found, key=facts.is_numeric))  # a name before its number

    def repetitions(self, role: str) -> list[str]:
        """Return the columns that are called like folds or runs, and are numbered as these are."""
        facts, found = self.facts, called(role, self.free)
        taken = {*self.reading.keep, *(self.reading.algorithms or ())} if found else ()
        return [
            name
            for name in found
            if name not in taken
            and facts.may_label(name)
            and not facts.is_empty(name)
            and (are_numbered(facts.labels(name)) or bare(name) == role)
        ]

    def recognise_repetition(self, role: str, *, alone: bool = False) -> None:
        """Give the role of folds or runs to a column that is called so and really repeats.

        A label of its own in every row is an identifier, unless ``alone`` says that nothing else
        tells the rows of one data set apart.
        """
        if role in self.roles or role in self.reading.parts:
            return
        facts, dataset = self.facts, self.of("dataset")
        found = []
        for name in self.repetitions(role):
            is_constant = facts.is_constant(name)
            may_repeat = facts.repeats(name) and not is_constant
            is_description = dataset and not is_constant and facts.follows(name, dataset)
            if (alone or bare(name) == role or may_repeat) and not is_description:
                found.append(name)
        self._take_only(role, found)

    def recognise_items(self, taken: Iterable[str] = (), *, is_long: bool = True) -> None:
        """Take what is called like items, such as questions, for them, unless rows are others.

        In a table with columns of scores, numbers may be scores as well, and a data set in each row
        is none of several items.
        """
        if self.unit not in (None, "items") or "fold" in self.roles:
            return
        if {"fold", "run"} & {*self.reading.parts}:
            return
        facts = self.facts
        found = [
            name
            for name in called("item", [name for name in self.free if name not in taken])
            if facts.may_label(name) and not facts.is_empty(name) and not facts.is_constant(name)
        ]
        if is_long:
            found = [name for name in found if self._is_shared(name)]
        else:
            others = [*self.of("dataset"), *called("dataset", self.text())]
            index = self.table.index if not self.table.counts_rows else None
            others += [index] if index is not None and index not in found else []
            if any(facts.is_key([name]) for name in others):
                return
            numbers = [n for n in found if facts.is_numeric(n) and n not in self.reading.keep]
            named = any(facts.is_key([name]) for name in self.text())
            if numbers and not named and self.unit is None:
                raise self.doubt(
                    f"column {numbers[0]!r} may name the items, or hold scores.",
                    [{"item": numbers[0]}, {"ignore": numbers[:1]}, {"keep": numbers[:1]}],
                )
            found = [name for name in found if not facts.is_numeric(name) or self.unit is not None]
        self._take_only("item", found)
        if "item" in self.roles:
            self.roles["fold"], self.unit = self.roles.pop("item"), "items"

    def _is_shared(self, name: str) -> bool:
        """Tell whether algorithms share the labels of a column, as they share items."""
        algorithm, dataset = self.of("algorithm"), self.of("dataset")
        if self.unit == "items" or not algorithm:
            return True
        own = [names for names in (algorithm, dataset) if names]
        if any(self.facts.follows(name, names) for names in own):
            return False
        return 2 * len(np.unique(self.facts.group([*dataset, name]))) <= self.table.n_rows

    def recognise_beside(self, taken: Iterable[str] = ()) -> None:
        """Give their roles to columns of groups, and of what is better, by just these names.

        Cells that say nothing but higher or lower say what is better under any name.
        """
        for role in BESIDE:
            if role == "domain" and self.unit == "items" and "dataset" not in self.roles:
                continue  # which then is of items
            free = [name for name in self.free if name not in taken]
            found = [name for name in called(role, free) if self.facts.may_label(name)]
            if role == "higher_is_better" and not found:
                found = [name for name in free if self._says_direction(name)]
            if found and role not in self.roles and getattr(self.reading, role, None) is None:
                self.roles[role] = (found[0],)

    def _says_direction(self, name: str) -> bool:
        words = () if self.facts.is_numeric(name) else self.facts.codes(name)[1]
        if not any(words) or not all(it.casefold() in (*HIGHER, *LOWER) for it in words if it):
            return False
        dataset = self.of("dataset")
        return not dataset or self.facts.follows(name, dataset)

    def _take_only(self, role: str, names: list[str]) -> None:
        """Give a role to the only column that may play it, and from which the others follow."""
        follows = self.facts.follows
        found = [
            name
            for place, name in enumerate(names)
            if not any(
                follows(name, [other]) and (before < place or not follows(other, [name]))
                for before, other in enumerate(names)
                if other != name
            )
        ]
        if len(found) > 1:
            ways: list[Way] = [{role: name} for name in found[:MOST_WAYS]]
            # in a table of scores, one of two may number the steps of a run
            are_two = role == "run" and len(found) == 2 and "fold" in self.reading.keys
            for one, other in permutations(found, 2) if are_two else ():
                labels = self.facts.labels(other)
                if all(map(str.isdecimal, labels)):
                    ways.append({role: one, "where": {other: max(labels, key=float)}})
            told = f"columns {listed(found)} may all name the {NOUNS[role]}."
            raise self.doubt(told, [*ways, {role: found}])
        if found:
            self.roles[role] = (found[0],)

    # ------------------------------------------------------------------------ accounting

    def reason(self, name: str, keys: Mapping[str, Sequence[str]]) -> str:
        """Return why a column does not matter; nothing if it may.

        ``keys`` are columns, each under what a function of these is.
        """
        facts = self.facts
        if name in self.reading.where:
            return f"only {' or '.join(self.reading.where[name])} was read"
        if facts.is_empty(name):
            return "empty"
        if facts.is_constant(name):
            return "the same in all rows"
        for other in (*self.keys, *self.of("score")):
            if facts.is_copy(name, other):
                return f"a copy of {other!r}"
        for use, names in keys.items():
            if names and facts.follows(name, names):
                return use
        # another label in every row; numbers may be free measurements
        has_labels = not facts.is_numeric(name) or name == self.table.index
        if facts.numbers_rows(name) or (has_labels and not facts.repeats(name)):
            return "identifies the row"
        for status in self.of("status"):
            codes, labels = facts.codes(status)
            done = np.isin(codes, [i for i, it in enumerate(labels) if it in self.reading.ok])
            values = facts.values(name)[done]
            if values.size and (values == values[0]).all():
                return "the same in all runs that did not fail"
        return ""

    def explain(self, names: Iterable[str], keys: Mapping[str, Sequence[str]]) -> list[str]:
        """Say of some columns why they do not matter; return those that may."""
        found = {name: self.reason(name, keys) for name in names if name not in self.uses}
        self.uses |= {name: use for name, use in found.items() if use}
        return [name for name, use in found.items() if not use]

    def described(self, seems: Mapping[str, str] | None = None) -> list[ColumnUse]:
        """Return what every column is, in their order; ``seems`` says it of doubtful ones."""
        items = self.unit == "items"
        known = {
            name: USE_OF["item" if items and role == "fold" else role]
            for role, names in self.roles.items()
            for name in names
        }
        known |= self.uses
        kinds = {name: "numbers" if self.facts.is_numeric(name) else "text" for name in self.free}
        uses = {**kinds, **known, **(seems or {})}
        open_ = {*kinds} - {*known} | {*(seems or {})}
        return [
            ColumnUse(name, examples(self.table, name), uses.get(name, COUNTER), name not in open_)
            for name in self.table.columns
        ]

    def understood(
        self, scores: tuple[str, ...], parts: Mapping[str, tuple[str, ...]], *, is_long: bool
    ) -> Understanding:
        """Return what is understood, once every column is accounted for."""
        role = ROLE_OF_UNIT.get(self.unit or "", "dataset")
        named, others = self.of("dataset"), [r for r in REPETITIONS if r in (*self.roles, *parts)]
        if role != "dataset" and named and not others:
            key = [*named, *self.of("algorithm")]
            if role not in parts and self.facts.is_key(key if is_long else named):
                self.roles[role] = self.roles.pop("dataset")
            elif not (self.reading.dataset or is_long or called("dataset", named)):
                group = named[0]
                raise self.doubt(
                    f"column {group!r} repeats its labels, so that it may name what the "
                    f"{self.unit} belong to, or only describe them.",
                    [
                        {"dataset": group},
                        *([{"cluster": group}] if self.unit == "items" else []),
                        {"ignore": [group]},
                    ],
                )
        uses, notes = tuple(self.described()), tuple(self.notes)
        return Understanding(
            self.table,
            self.facts,
            self.roles,
            scores,
            is_long,
            dict(parts),
            uses,
            notes,
            unit=self.unit,
        )

    def refuse_changing(self, names: Sequence[str], score: str | None = None) -> NoReturn:
        """Refuse columns that are not accounted for; one may hold the ``score``."""
        # once the step is chosen, what goes with it, such as the time, is settled too
        names = sorted(names, key=self.counts_steps, reverse=True)
        facts, keys, name = self.facts, self.keys, names[0]
        is_key = bool(keys) and facts.is_key(keys)
        status = [each for each in names if score is not None and self._is_status(each, score)]
        seems = {}
        for each in names:
            count = len(facts.labels(each))
            if each in status:
                seems[each] = (
                    "a status: what differs from the most frequent has extreme or no scores"
                )
            elif not is_key and facts.is_key([*keys, each]):
                seems[each] = (
                    f"{count} labels, which tell apart rows of one algorithm on one data set"
                )
            else:
                seems[each] = f"{count} labels that change among scores to be compared"
        remedy = ""
        if name in status and "" in facts.codes(name)[1]:
            remedy = "If it says which runs failed, fill its empty cells, as with ok, for status=."
        elif self.counts_steps(name):
            remedy = (
                f"If the scores are curves over {name!r}, Histories.read(path) reads all of them."
            )
        elif not facts.is_numeric(name) and not is_key and len(facts.labels(name)) <= 6:
            remedy = (
                f"If {name!r} names what was measured, read_measures takes each measure by itself."
            )
        word, they = ("columns", "they do") if len(names) > 1 else ("column", "it does")
        raise self.doubt(
            f"{word} {listed(names)} must be settled, for {they} not only describe data sets, "
            "algorithms or repetitions.",
            self._ways(name, score, is_status=name in status),
            remedy,
            seems,
        )

    def counts_steps(self, name: str) -> bool:
        """Tell whether a column is called like the steps of a run, such as epochs, and counts."""
        return bool(called("evaluations", [name])) and self.facts.is_numeric(name)

    def follows_order(self, name: str, score: str, least: float = DRIFT) -> bool:
        """Tell whether scores rise or fall with numbers, as with steps and not with repetitions."""
        codes, labels = self.facts.codes(name)
        order, blocks = np.array(labels, dtype=np.float64), self.facts.group(self.of("dataset"))
        return levels_drift(self.numbers(score), codes, order, blocks, least)

    def tells_rows_apart(self, name: str) -> bool:
        """Tell whether whole numbers, which algorithms share, identify rows that no label does."""
        facts, keys = self.facts, self.keys
        if not keys or not facts.may_label(name) or facts.is_key(keys):
            return False
        return facts.is_key([*keys, name]) and self._is_shared(name)

    def _usual(self, name: str) -> tuple[str, BoolArray]:
        """Return the most frequent label of a column, and the rows that have it."""
        codes, labels = self.facts.codes(name)
        most = int(np.bincount(codes).argmax())
        return labels[most], codes == most

    def _is_status(self, name: str, score: str) -> bool:
        """Tell whether most rows have one label, and the others extreme scores or none."""
        usual, values = self._usual(name)[1], self.numbers(score)
        there = values[usual & ~np.isnan(values)]
        if 2 * usual.sum() <= len(usual) or usual.all() or not there.size:
            return False
        low, high = np.quantile(there, [0.02, 0.98])
        other = values[~usual]
        extreme = np.isnan(other) | (other <= low) | (other >= high)
        return bool(extreme.mean() >= 0.5) and self.facts.is_key(self.keys)

    def _ways(self, name: str, score: str | None, *, is_status: bool) -> list[Way]:
        """Return what may be done about a column that changes among scores, the likeliest first."""
        facts, roles, labels = self.facts, self.roles, self.facts.labels(name)
        usual, are_usual = self._usual(name)
        statuses: list[Way] = []
        done = [label for label in labels if not _FAILURE.search(label)]
        if len(done) == len(labels):
            done = [usual] if usual and 2 * are_usual.sum() > len(are_usual) else []
        if score is not None and done and "status" not in roles:
            base, values = {"status": name, "ok": done}, self.numbers(score)
            statuses = [{**base, "failed": word} for word in ("worst", "missing", "drop")]
            most = float(np.nanmax(values, initial=-np.inf))
            if int((values == most).sum()) > 1:
                statuses.insert(1, {**base, "failed": "par10", "cutoff": most})
        if is_status and (statuses or "status" not in roles):
            has_scores = not np.isnan(self.numbers(str(score))[~are_usual]).all()
            return statuses if has_scores or statuses else [{"ignore": [name]}]
        if self.counts_steps(name):
            last: Way = {"where": {name: max(labels, key=float)}}
            ordered = np.sort(np.array(labels, dtype=np.float64))
            if score is None or not counts(ordered) or self.follows_order(name, score, least=0.0):
                return [last]
            return [*({role: name} for role in REPETITIONS if role not in roles), last]
        chosen = dict.fromkeys([*filter(None, [usual]), *labels[:_FEW_LABELS]])
        filters: list[Way] = [{"where": {name: label}} for label in chosen]
        ways: list[Way] = []
        is_measure = bool(called("measure", [name]))  # measures are nothing else
        if "dataset" not in roles and not facts.is_numeric(name) and not is_measure:
            ways.append({"dataset": name})
            if len(labels) >= MANY_LABELS and "fold" not in roles:
                ways.append({"item": name})
        left_out: list[Way] = [{"ignore": [name]}]
        if facts.is_numeric(name) and not facts.is_whole(name):  # such as another measure
            ways, left_out = left_out, []
        if self.keys and facts.is_key(self.keys):  # so that a filter leaves gaps
            others = [*left_out, *filters] if facts.is_numeric(name) else [*filters, *left_out]
            return [*ways, *statuses, *others]
        # parts of the data are few, and have names
        if not is_measure and (are_numbered(labels) or len(labels) > _MOST_PARTS):
            lacking = [role for role in ("run", "fold") if role not in roles]
            repeated: list[Way] = [
                {r: name} for r in lacking if are_numbered(labels) or called(r, [name])
            ]
            numbers = [int(label) for label in labels if label.isdecimal()]
            if len(numbers) == len(labels) <= max(numbers) - min(numbers):
                filters, repeated = repeated, filters  # 96, 192 and 336 are settings rather
            ways += repeated
        ways += filters
        if "algorithm" in roles and not is_measure:
            ways.append({"algorithm": [*roles["algorithm"], name]})
        return ways

    # --------------------------------------------------------------------------- doubts

    def doubt(
        self,
        text: str,
        ways: Iterable[Way],
        remedy: str = "",
        seems: Mapping[str, str] | None = None,
    ) -> Unsettled:
        """Return a doubt, with what was understood of all columns."""
        uses = self.described(seems)
        return Unsettled(f"{self.table.source}: {text}", ways, remedy, columns=uses)


def examples(table: RawTable, name: str) -> tuple[str, ...]:
    """Return the first three different cells of a column, as they would be written."""
    if table.is_bool(name):
        return tuple(table.coded_labels(name)[1])
    found: dict[str, None] = {}
    held = table.text_of(name)
    for cell in table[name][:_SAMPLE] if held is None else held.cells:
        if held is None:
            if cell == cell:
                found[f"{cell:.6g}"] = None
        elif not is_blank(cell):
            text = f"{cell:.6g}" if is_number(cell) else shown(cell)
            found[text if len(text) <= 24 else f"{text[:20]}..."] = None
        if len(found) == 3:
            break
    return tuple(found)
