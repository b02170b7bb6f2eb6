"""What the columns of a table are: roles, descriptions, settings, measures; nothing is guessed.

Every column plays a role, is proven irrelevant, or is named by the caller; otherwise reading stops.
Names of columns propose roles; whether a column can play one, and whether it may be left out, is
decided by its cells alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nbcompare._tables import RawTable, find_column, is_blank, is_number
from nbcompare._validation import DataError, listed, shown
from nbcompare.experiment._doubt import Unsettled, Way
from nbcompare.experiment._facts import Facts, are_numbered, levels_differ
from nbcompare.experiment._reading import KEYS, Reading
from nbcompare.experiment._roles import NOUNS, REPETITIONS, bare, called
from nbcompare.experiment._schema import ColumnUse, Schema, listing

_ENDS = ("score", "lower", "upper")
_BESIDE = ("domain", "higher_is_better")
_USE_OF = {
    "dataset": "data set",
    "algorithm": "algorithm",
    "fold": "fold",
    "run": "run",
    "score": "score",
    "lower": "lower end of the score",
    "upper": "upper end of the score",
    "domain": "group of the data set",
    "higher_is_better": "what is better",
    "status": "status of the run",
}
_COUNTER = "numbers of the rows"
# What pandas and R write as the name of such a column
_SAVED_INDEX = re.compile(r"|index|unnamed: 0(\.\d+)?", re.IGNORECASE)
_MOST_LABELS = 3  # of a filter that are offered, each by itself
_MOST_SCORES = 6


@dataclass
class Understanding:
    """What is understood of a table, as far as it is; :attr:`schema` is the final record."""

    table: RawTable
    roles: dict[str, tuple[str, ...]]
    scores: tuple[str, ...]
    is_long: bool
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    uses: list[ColumnUse] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    n_rows: int = 0  # of the whole table

    def schema(self, reading: Reading, n_rows: int) -> Schema:
        """Return the record, without the sizes, which are known when cells are arranged."""
        return Schema(
            source=self.table.source,
            layout="long" if self.is_long else "wide",
            roles=self.roles,
            parts=self.parts,
            scores=self.scores,
            columns=tuple(self.uses),
            where=dict(reading.where),
            n_rows=n_rows,
            n_kept=self.table.n_rows,
        )


def infer(table: RawTable, reading: Reading) -> Understanding:
    """Say what each column of a table is.

    Raises
    ------
    Unsettled
        If a column is not accounted for, or two may play one role.
    """
    return _Inference(table, reading).understanding()


class _Inference:
    def __init__(self, table: RawTable, reading: Reading) -> None:
        self._table, self._reading, self._facts = table, reading, Facts(table)
        named = reading.named()
        self._roles: dict[str, tuple[str, ...]] = {
            role: tuple(find_column(table, role, name) for name in names)
            for role, names in named.items()
            if not (role in KEYS and set(names) <= set(self._levels()))
        }
        _refuse_two_roles(self._roles)
        for argument in ("ignore", "keep"):
            for role, names in self._roles.items():
                both = [name for name in names if name in getattr(reading, argument)]
                if both and not (argument == "keep" and role in _ENDS):
                    raise ValueError(
                        f"`{role}` and `{argument}` must not name the same column; got "
                        f"{shown(both[0])} in both."
                    )
        self._uses: dict[str, ColumnUse] = {}
        self._notes: list[tuple[str, str]] = []

    def _levels(self) -> list[str]:
        """Return what the levels of the names of columns are called."""
        levels = getattr(self._table, "levels", {})
        depth = max((len(labels) for labels in levels.values()), default=0)
        names = getattr(self._table, "level_names", ()) or [None] * depth
        return [name or f"level {i}" for i, name in enumerate(names)]

    def understanding(self) -> Understanding:
        if self._is_long():
            return self._long()
        return self._wide()

    # ------------------------------------------------------------------------- which layout

    @property
    def _free(self) -> list[str]:
        """Columns that have no role yet."""
        taken = {name for names in self._roles.values() for name in names}
        index = self._table.index if self._table.counts_rows else None
        left_out = {index, *(name for name, use in self._uses.items() if use.use == _COUNTER)}
        return [
            name for name in self._table.columns if name not in taken and name not in left_out
        ]

    def _numeric(self) -> list[str]:
        return [
            name
            for name in self._free
            if self._facts.is_numeric(name) and not self._facts.is_empty(name)
        ]

    def _text(self) -> list[str]:
        return [name for name in self._free if not self._facts.is_numeric(name)]

    def _is_long(self) -> bool:
        reading, facts = self._reading, self._facts
        if reading.columns is not None or reading.transpose or self._levels():
            return False
        if set(_ENDS) & self._roles.keys():
            return True
        names = set(self._table.columns)
        if set(reading.keep) & names or (reading.algorithms and set(reading.algorithms) <= names):
            return False
        exact = [name for name in self._free if bare(name) == "algorithm"]
        scored = any(bare(name) == "score" for name in self._free) or (
            {"lower", "upper"} <= {bare(name) for name in self._free}
        )
        if "algorithm" in self._roles:
            return True
        if scored and exact and facts.is_numeric(exact[0]):
            raise Unsettled(
                f"{self._source}column {exact[0]!r} holds numbers, so the table may have a row per "
                "score, or a column per algorithm.",
                [{"algorithm": exact[0]}, {"keep": [exact[0]]}],
            )
        found = [name for name in called("algorithm", self._text())]
        if found and scored:
            return True
        if any(facts.repeats(name) for name in found):
            datasets = [*self._roles.get("dataset", ()), *called("dataset", self._free)]
            labels = [name for name in datasets if facts.may_label(name)]
            if not labels or any(facts.repeats(name) for name in labels):
                return bool(self._numeric())
            return False  # a description of the data sets, which have a row each
        if found and not called("dataset", self._free) and self._numeric():
            self._refuse_algorithms_in_rows(found[0])
        if not found:
            self._refuse_unnamed_long()
        return False

    @property
    def _source(self) -> str:
        return f"{self._table.source}: "

    def _refuse_algorithms_in_rows(self, name: str) -> None:
        """Refuse a column of different algorithms, one in each row, with columns of numbers."""
        if "dataset" in self._roles:
            return
        numeric = self._numeric()
        scores: list[Way] = [{"algorithm": name, "score": one} for one in numeric[:_MOST_SCORES]]
        wide: list[Way] = [{"algorithm": name, "transpose": True}]
        if are_numbered(numeric):
            stem = numeric[0].rstrip("0123456789")
            wide.insert(0, {"algorithm": name, "columns": f"{stem}{{run}}"})
        raise Unsettled(
            f"{self._source}column {name!r} seems to name algorithms, one in each row, so columns "
            f"{listed(numeric)} may be data sets, repetitions or measures.",
            [*wide, {"dataset": name}] if len(numeric) > 1 else scores,
        )

    def _refuse_unnamed_long(self) -> None:
        """Refuse two columns of text whose labels are crossed, and which nothing names."""
        facts = self._facts
        numbered = {name for role in REPETITIONS for name in self._repetitions(role)}
        text = [
            name
            for name in self._text()
            if name not in numbered and facts.repeats(name) and not facts.is_constant(name)
        ]
        if len(text) < 2 or not self._numeric():
            return
        names = self._roles.get("dataset") or tuple(
            name for name in self._free if not facts.repeats(name) and facts.may_label(name)
        )
        if any(not facts.repeats(name) for name in names if not facts.is_numeric(name)):
            return  # something else names every row: these describe it
        pairs = [
            (one, other)
            for one in text
            for other in text
            if one != other and not facts.follows(one, [other])
        ]
        if pairs:
            best = sorted(pairs, key=self._order_of_keys)
            ways: list[Way] = [
                {"dataset": one, "algorithm": other, "score": score}
                for one, other in best[:2]
                for score in self._numeric()[:2]
            ]
            raise Unsettled(
                f"{self._source}columns {listed(text)} hold text that repeats, so there seems to "
                "be a row per score, and nothing says which column names the data sets and which "
                "the algorithms.",
                ways,
                columns=listing(self._all_uses()),
            )

    def _order_of_keys(self, pair: tuple[str, str]) -> float:
        """Return how much more the second of two keys parts the scores: data sets part them more."""
        values = self._facts.values(self._numeric()[-1]).astype(np.float64)
        return self._spread(pair[1], values) - self._spread(pair[0], values)

    def _spread(self, name: str, values: Any) -> float:
        codes, labels = self._facts.codes(name)
        count = np.maximum(np.bincount(codes, minlength=len(labels)), 1)
        means = np.bincount(codes, np.nan_to_num(values, posinf=0.0), minlength=len(labels)) / count
        return float(np.std(means))

    # ---------------------------------------------------------------------------- long tables

    def _long(self) -> Understanding:
        facts, reading = self._facts, self._reading
        for role in ("algorithm", "dataset"):
            self._recognise(role)
        if "dataset" not in self._roles and self._table.index is not None:
            if not self._table.counts_rows and self._table.index in self._free:
                self._roles["dataset"] = (self._table.index,)
        exact = {role: called(role, self._free) for role in (*_ENDS, *_BESIDE)}
        for role in _BESIDE:
            if role not in self._roles and exact[role] and reading.named().get(role) is None:
                if not (role == "domain" and reading.domain is not None):
                    self._roles[role] = (exact[role][0],)
        for role in REPETITIONS:
            self._recognise_repetition(role)
        unexplained = self._explain()
        if not set(_ENDS) & self._roles.keys():
            if exact["score"]:
                self._roles["score"] = (exact["score"][0],)
            elif exact["lower"] and exact["upper"]:
                self._take_ends(exact["lower"][0], exact["upper"][0])
        ends = [self._roles[end][0] for end in _ENDS if end in self._roles]
        measures = [
            name
            for name in self._numeric()
            if name not in self._uses and name not in unexplained and name not in ends
        ]
        if not ends:
            ends = [self._score(measures, unexplained)]
            self._roles["score"] = (ends[0],)
            unexplained = [name for name in unexplained if name != ends[0]]
            measures = [name for name in measures if name != ends[0]]
        if "algorithm" not in self._roles:
            raise Unsettled(
                f"{self._source}nothing says which column names the algorithms.",
                [{"algorithm": name} for name in self._text()[:_MOST_SCORES]],
                "Pass algorithm= to name it.",
                columns=listing(self._all_uses()),
            )
        if unexplained:
            self._refuse(unexplained, ends)
        self._refuse_false_repetitions(ends)
        notes = []
        for name in measures:
            self._use(name, "another measure, left out")
        if measures:
            notes.append(
                (
                    "columns",
                    f"The scores are those of column {ends[0]!r}; {listed(measures)} "
                    f"{'were' if len(measures) > 1 else 'was'} left out.",
                )
            )
        roles = {role: names for role, names in self._roles.items() if role not in _ENDS}
        if set(ends) == set(self._roles.get("score", ())):
            scores = tuple(ends[:1])
        else:
            scores = tuple(self._roles.get(end, ("",))[0] for end in ("lower", "upper"))
            if "" in scores:
                missing = "lower" if not scores[0] else "upper"
                raise DataError(
                    f"`{missing}` must name a column too, for a score is an interval from `lower` "
                    "to `upper`."
                )
        return Understanding(
            self._table, roles, scores, is_long=True, uses=self._all_uses(), notes=notes
        )

    def _take_ends(self, lower: str, upper: str) -> None:
        """Take two columns as the ends of scores, unless another one may hold the scores."""
        others = [name for name in self._numeric() if name not in (lower, upper, *self._uses)]
        others = [name for name in others if not self._facts.has_levels(name)]
        if others:
            raise Unsettled(
                f"{self._source}column {others[0]!r} may hold the scores, and {lower!r} and "
                f"{upper!r} their confidence intervals, or these two may be the ends of intervals "
                "as scores.",
                [{"score": others[0], "ignore": [lower, upper]}, {"score": others[0]},
                 {"lower": lower, "upper": upper}],
            )  # fmt: skip
        self._roles |= {"lower": (lower,), "upper": (upper,)}

    def _recognise(self, role: str) -> None:
        """Give a role to the column that is called like it, if there is one that can play it."""
        facts = self._facts
        if role in self._roles:
            return
        names = self._text() if role == "algorithm" else self._free
        found = [
            name
            for name in called(role, names)
            if facts.may_label(name) and not facts.is_empty(name)
        ]
        if len(found) > 1:  # what is the same everywhere, or follows from another, tells nothing
            found = [name for name in found if not facts.is_constant(name)] or found[:1]
            finest = [
                name
                for name in found
                if not any(
                    facts.follows(name, [other])
                    and not (facts.follows(other, [name]) and found.index(other) > found.index(name))
                    for other in found
                    if other != name
                )
            ]
            found = finest or found
        if len(found) > 1:
            raise Unsettled(
                f"{self._source}columns {listed(found)} may all name the {NOUNS[role]}.",
                [*({role: name} for name in found[:_MOST_SCORES]), {role: found}],
                columns=listing(self._all_uses()),
            )
        if found:
            self._roles[role] = (found[0],)

    def _repetitions(self, role: str) -> list[str]:
        """Return the columns that are called like folds or runs, and are numbered as these are."""
        facts = self._facts
        taken = {*self._reading.keep, *(self._reading.algorithms or ())}
        found = [
            name
            for name in called(role, self._free)
            if name not in taken and facts.may_label(name) and not facts.is_empty(name)
        ]
        return [name for name in found if facts.is_numbered(name) or bare(name) == role]

    def _recognise_repetition(self, role: str, *, alone: bool = False) -> None:
        """Give the role of folds or runs to a column that is called so and really repeats.

        A label of its own in every row is an identifier, unless ``alone`` says that nothing else
        tells the rows of one data set apart.
        """
        if role in self._roles or role in self._reading.parts:
            return
        facts = self._facts
        found = [
            name
            for name in self._repetitions(role)
            if (alone or bare(name) == role or facts.repeats(name))
            and (alone or not facts.is_constant(name))
            and not (
                "dataset" in self._roles
                and not facts.is_constant(name)
                and facts.follows(name, self._roles["dataset"])
            )
        ]
        found = [
            name
            for i, name in enumerate(found)
            if not any(facts.follows(name, [other]) for other in found[:i])
        ]
        if len(found) > 1:
            raise Unsettled(
                f"{self._source}columns {listed(found)} may all name the {NOUNS[role]}.",
                [*({role: name} for name in found), {role: found}],
                columns=listing(self._all_uses()),
            )
        if found:
            self._roles[role] = (found[0],)

    def _keys(self) -> list[str]:
        return [name for role in KEYS for name in self._roles.get(role, ())]

    def _explain(self) -> list[str]:
        """Say of columns without a role why they do not matter; return those that may."""
        facts = self._facts
        block = [n for r in ("dataset", *REPETITIONS) for n in self._roles.get(r, ())]
        repetition = [n for r in REPETITIONS for n in self._roles.get(r, ())]
        keys = {
            "describes the data set": list(self._roles.get("dataset", ())),
            "describes the algorithm": list(self._roles.get("algorithm", ())),
            "describes the repetition": repetition,
            "describes the fold or run of the data set": block if repetition else [],
        }
        ends = {end for end in _ENDS if end in self._roles}
        exact = {name for end in _ENDS for name in called(end, self._free)} if not ends else set()
        unexplained = []
        for name in self._free:
            if name in exact:
                continue
            use = self._reason(name, keys)
            if use:
                self._use(name, use)
            elif facts.has_levels(name):
                unexplained.append(name)
        return unexplained

    def _reason(self, name: str, keys: dict[str, list[str]]) -> str:
        """Return why a column does not matter; nothing if it may."""
        facts = self._facts
        if name in self._reading.where:
            return f"only {' or '.join(self._reading.where[name])} was read"
        if facts.is_empty(name):
            return "empty"
        if facts.is_constant(name):
            return "the same in all rows"
        is_free = facts.is_numeric(name) and not facts.is_whole(name)
        if not is_free:
            for other in (*self._keys(), *self._roles.get("score", ())):
                if facts.is_copy(name, other):
                    return f"a copy of {other!r}"
        elif any(facts.is_copy(name, other) for other in self._roles.get("score", ())):
            return "a copy of the scores"
        for use, names in keys.items():
            if names and facts.follows(name, names):
                return use
        return "identifies the row" if facts.identifies_rows(name) else ""

    def _score(self, measures: list[str], unexplained: list[str]) -> str:
        """Return the only column that may hold the scores."""
        numeric = measures or [name for name in unexplained if self._facts.is_numeric(name)]
        if len(numeric) == 1:
            return numeric[0]
        if not numeric:
            described = [
                name
                for name in self._numeric()
                if name in self._uses and not self._facts.is_constant(name)
            ]
            if len(described) == 1:  # the scores of algorithms that are all alike
                self._uses.pop(described[0])
                return described[0]
            if not described:
                raise DataError(f"{self._source}no column holds numbers that may be scores.")
            raise Unsettled(
                f"{self._source}no column of numbers is free to hold the scores.",
                [{"score": name} for name in described[:_MOST_SCORES]],
                columns=listing(self._all_uses()),
            )
        raise Unsettled(
            f"{self._source}columns {listed(numeric)} may hold the scores.",
            [{"score": name} for name in numeric[:_MOST_SCORES]],
            "If several are measures, read_measures takes each measure by itself.",
            columns=listing(self._all_uses({name: "may hold the scores" for name in numeric})),
        )

    # ------------------------------------------------------------- columns not accounted for

    def _refuse(self, names: Sequence[str], ends: Sequence[str]) -> None:
        """Refuse columns that change among the scores that would be compared or averaged."""
        seem = {name: self._appearance(name, ends[0]) for name in names}
        word = "columns" if len(names) > 1 else "column"
        their = "they do" if len(names) > 1 else "it does"
        raise Unsettled(
            f"{self._source}{word} {listed(names)} must be settled, for {their} not only describe "
            "data sets, algorithms or repetitions.",
            self._ways(names[0], ends[0]),
            self._remedy(names),
            columns=listing(self._all_uses(seem)),
        )

    def _appearance(self, name: str, score: str) -> str:
        facts = self._facts
        count = len(facts.labels(name))
        if self._is_status(name, score):
            return "a status: other labels than the most frequent go with extreme or no scores"
        if not facts.is_key([*self._keys()]) and facts.is_key([*self._keys(), name]):
            return f"{count} labels, which tell apart rows of one algorithm on one data set"
        return f"{count} labels that change among scores to be compared"

    def _is_status(self, name: str, score: str) -> bool:
        """Tell whether most rows have one label, and the others extreme scores or none."""
        facts = self._facts
        codes, labels = facts.codes(name)
        count = np.bincount(codes, minlength=len(labels))
        usual = int(count.argmax())
        if count[usual] * 2 <= len(codes) or len(labels) < 2 or not facts.is_key(self._keys()):
            return False
        values = self._table.numbers(score)
        there = values[(codes == usual) & ~np.isnan(values)]
        if not there.size:
            return False
        low, high = np.quantile(there, [0.02, 0.98])
        other = values[codes != usual]
        with np.errstate(invalid="ignore"):
            extreme = np.isnan(other) | (other <= low) | (other >= high)
        return bool(extreme.mean() >= 0.5)

    def _remedy(self, names: Sequence[str]) -> str:
        """Say what else reads a column that tells apart what was measured."""
        name = names[0]
        few = 1 < len(self._facts.labels(name)) <= _MOST_SCORES
        if self._facts.is_numeric(name) or not few or self._facts.is_key(self._keys()):
            return ""
        return f"If {name!r} names what was measured, read_measures takes each measure by itself."

    def _ways(self, name: str, score: str) -> list[Way]:
        """Return what may be done about a column that changes among scores, the likeliest first."""
        facts = self._facts
        labels = facts.labels(name)
        codes, all_labels = facts.codes(name)
        usual = all_labels[int(np.bincount(codes).argmax())]
        statuses: list[Way] = []
        if usual and np.bincount(codes).max() * 2 >= len(codes):
            base = {"status": name, "ok": [usual]}
            statuses = [{**base, "failed": word} for word in ("worst", "missing", "drop")]
            values = self._table.numbers(score)
            most = float(np.nanmax(values)) if not np.isnan(values).all() else 0.0
            if int((values == most).sum()) > 1:
                statuses.insert(1, {**base, "failed": "par10", "cutoff": most})
        if statuses and self._is_status(name, score):
            return statuses
        filters: list[Way] = [{"where": {name: label}} for label in labels[:_MOST_LABELS]]
        if usual in labels and {"where": {name: usual}} not in filters:
            filters.insert(0, {"where": {name: usual}})
        keys = self._keys()
        ways: list[Way] = []
        if "dataset" not in self._roles and not facts.is_numeric(name):
            ways.append({"dataset": name})
        if not facts.is_key(keys) and are_numbered(labels):
            ways += [{role: name} for role in ("run", "fold") if role not in self._roles]
        elif not facts.is_key(keys) or len(labels) <= _MOST_LABELS:
            ways += filters
        algorithm = list(self._roles["algorithm"]) if "algorithm" in self._roles else []
        if algorithm and not facts.is_key(keys):
            ways.append({"algorithm": [*algorithm, name]})
        if facts.is_numeric(name) and not facts.is_whole(name):
            ways.append({"ignore": [name]})
        ways += statuses
        return [*ways, *filters, {"ignore": [name]}] if facts.is_key(keys) else [*ways, *filters]

    def _refuse_false_repetitions(self, ends: Sequence[str]) -> None:
        """Refuse folds and runs of which one has higher scores than another on all data sets."""
        named = self._reading.named()
        for role in REPETITIONS:
            for name in self._roles.get(role, ()):
                codes, labels = self._facts.codes(name)
                if role in named and not are_numbered(labels):
                    continue  # somebody looked at the labels
                blocks = self._facts.group(self._roles.get("dataset", ()))
                if role not in named and levels_differ(self._table.numbers(ends[0]), codes, blocks):
                    raise Unsettled(
                        f"{self._source}the labels of column {name!r} differ in one direction on "
                        "all data sets, as measures or parts of the data do and repetitions do "
                        "not.",
                        [{role: name}, *({"where": {name: label}} for label in labels[:3])],
                        columns=listing(self._all_uses()),
                    )

    def _use(self, name: str, use: str) -> None:
        self._uses[name] = ColumnUse(name, _examples(self._table, name), use)

    def _all_uses(self, doubtful: dict[str, str] | None = None) -> list[ColumnUse]:
        """Return what every column is, in their order."""
        role_of = {name: role for role, names in self._roles.items() for name in names}
        made = []
        for name in self._table.columns:
            if name in self._uses:
                made.append(self._uses[name])
                continue
            use, settled = _USE_OF.get(role_of.get(name, ""), ""), True
            if doubtful and name in doubtful:
                use, settled = doubtful[name], False
            elif not use:
                use = "numbers" if self._facts.is_numeric(name) else "text"
                settled = False
            made.append(ColumnUse(name, _examples(self._table, name), use, settled))
        return made

    # ---------------------------------------------------------------------------- wide tables

    def _wide(self) -> Understanding:
        scores, parts = self._columns_of_scores()
        rows_are = "algorithm" if self._reading.transpose else "dataset"
        columns_are = "dataset" if self._reading.transpose else "algorithm"
        self._leave_out_saved_index()
        self._recognise_rows(rows_are, scores)
        taken = {name for names in self._roles.values() for name in names}
        if scores is None:
            scores = [name for name in self._score_columns() if name not in taken]
            parts = {columns_are: tuple(scores)}
        else:
            scores = [name for name in scores if name not in taken]
        if not scores:
            beside = "".join(f" beside {name!r}" for name in sorted(taken)[:1])
            hint = " Cells must be separated by a comma, a semicolon or a tab."
            raise DataError(
                f"{self._table.source} has no column of scores{beside}."
                f"{hint if self._table.text is not None else ''}"
            )
        self._account_beside(scores)
        for name in scores:
            self._use(name, "scores")
        return Understanding(
            self._table,
            self._roles,
            tuple(scores),
            is_long=False,
            parts=parts,
            uses=self._all_uses(),
            notes=self._notes,
        )

    def _leave_out_saved_index(self) -> None:
        """Leave out first columns in which a program saved the numbers of the rows."""
        facts, named = self._facts, self._reading.keep
        words = [name for name in self._text() if facts.holds_words(name)]
        labels = [*self._roles, *words, *called("dataset", self._free)]
        for name in self._free:
            if name in named or not _SAVED_INDEX.fullmatch(name) or not facts.numbers_rows(name):
                break
            if [label for label in labels if label != name]:
                self._use(name, _COUNTER)
                told = f"Column {name!r}" if name else "The first column, without a name,"
                self._notes.append(
                    ("saved-index", f"{told} only counts the rows. It was left out.")
                )

    def _score_columns(self) -> list[str]:
        """Return columns that may hold scores: numbers, or numbers among words."""
        keep = {*self._reading.keep, *(self._reading.algorithms or ())}
        return [
            name
            for name in self._free
            if name in keep or (name not in self._uses and not self._facts.holds_words(name))
        ]

    def _columns_of_scores(self) -> tuple[list[str] | None, dict[str, tuple[str, ...]]]:
        """Return the columns of scores, and the parts of their names by role, if these are said."""
        reading, table = self._reading, self._table
        if reading.columns is not None:
            found = {n: m for n in self._free if (m := reading.pattern.fullmatch(n)) is not None}
            if not found:
                raise ValueError(
                    f"`columns` must match names of columns of {table.source}, which are "
                    f"{listed(table.columns)}; got {shown(reading.columns)}."
                )
            labels = {role: [m[role].strip() for m in found.values()] for role in reading.parts}
            return self._chosen_parts(list(found), labels)
        if not self._levels():
            return None, {}
        levels = getattr(table, "levels", {})
        names = [name for name in self._free if name in levels and any(levels[name][1:])]
        by_level = {
            level: [levels[name][i] for name in names] for i, level in enumerate(self._levels())
        }
        return self._chosen_parts(names, self._roles_of_levels(by_level))

    def _roles_of_levels(self, levels: dict[str, list[str]]) -> dict[str, list[str]]:
        """Return the labels of columns by role; levels that nothing names are an error."""
        role_of = {name: role for role in KEYS for name in getattr(self._reading, role)}
        made: dict[str, list[str]] = {}
        unknown = []
        for name, labels in levels.items():
            role = role_of.get(name)
            found = [each for each in KEYS if called(each, [name])]
            if role is None and name in self._reading.where:
                role = name
            elif role is None and found and not getattr(self._reading, found[0]):
                role = found[0]
                if role in REPETITIONS and not are_numbered(list(dict.fromkeys(labels))):
                    role = None
            if role is None and len(set(labels)) == 1:
                continue
            if role is None or role in made:
                unknown.append(name)
            else:
                made[role] = labels
        if len(levels) == 2 and len(unknown) == 2 and all(n.startswith("level ") for n in unknown):
            first, second = (list(dict.fromkeys(levels[name])) for name in unknown)
            if are_numbered(second) and not are_numbered(first):
                return {"algorithm": levels[unknown[0]], "fold": levels[unknown[1]]}
        if unknown:
            ways: list[Way] = []
            if "algorithm" not in made and len(unknown) > 1:
                for one in unknown:
                    rest = [name for name in unknown if name != one]
                    for label in dict.fromkeys(levels[rest[0]]):
                        ways.append({"algorithm": one, "where": {rest[0]: label}})
                    ways += [{"algorithm": one, role: rest[0]} for role in ("run", "fold")]
            elif "algorithm" not in made:
                ways.append({"algorithm": unknown[0]})
            else:
                labels = list(dict.fromkeys(levels[unknown[0]]))
                if are_numbered(labels):
                    ways += [{role: unknown[0]} for role in ("run", "fold") if role not in made]
                ways += [{"where": {unknown[0]: label}} for label in labels[:_MOST_LABELS]]
            examples = "; ".join(
                f"{name!r} ({listed(dict.fromkeys(labels), most=3)})"
                for name, labels in levels.items()
            )
            raise Unsettled(
                f"{self._source}the names of columns have {len(levels)} levels, {examples}, and "
                "nothing says what each holds.",
                ways,
                "Each is named by dataset=, algorithm=, fold= or run=.",
            )
        return made

    def _chosen_parts(
        self, names: list[str], labels: dict[str, list[str]]
    ) -> tuple[list[str], dict[str, tuple[str, ...]]]:
        """Return the columns that filters leave, and the parts of their names that have roles."""
        rows = [True] * len(names)
        for part, wanted in self._reading.where.items():
            if part in labels:
                rows = [
                    was and label in wanted for was, label in zip(rows, labels[part], strict=True)
                ]
        left = [name for name, is_in in zip(names, rows, strict=True) if is_in]
        parts = {
            part: tuple(
                label for label, is_in in zip(those, rows, strict=True) if is_in
            )
            for part, those in labels.items()
        }  # fmt: skip
        for name in names:
            if name not in left:
                self._use(name, "left out by where")
        if not left:
            raise ValueError(f"`where` must leave a column of scores of {self._table.source}.")
        for part in [part for part in parts if part not in KEYS]:
            several = list(dict.fromkeys(parts.pop(part)))
            if len(several) > 1:
                raise Unsettled(
                    f"{self._source}the columns hold {len(several)} kinds of {part}, "
                    f"{listed(several)}.",
                    [{"where": {part: label}} for label in several[:_MOST_SCORES]],
                )
        return left, parts

    def _recognise_rows(self, role: str, scores: list[str] | None) -> None:
        """Find what names the rows, unless the caller said it."""
        facts = self._facts
        taken = {*(scores or ()), *self._reading.keep, *(self._reading.algorithms or ())}
        in_columns = {*self._reading.parts}
        if role == "dataset":
            for each in _BESIDE:
                found = [name for name in called(each, self._free) if name not in taken]
                if each not in self._roles and found:
                    if not (each == "domain" and self._reading.domain is not None):
                        self._roles[each] = (found[0],)
        if scores is not None and "algorithm" not in in_columns and not self._levels():
            self._recognise("algorithm")
        repeated = {n: r for r in REPETITIONS for n in self._repetitions(r) if n not in taken}
        if role not in self._roles and role not in in_columns:
            free = [name for name in self._free if name not in taken and name not in repeated]
            label = self._label(role, free, scores)
            if label is None and role == "dataset" and "domain" in self._roles:
                if self._reading.domain is None:  # what else could it be the domain of?
                    label = self._roles.pop("domain")[0]
            if label is not None:
                self._roles[role] = (label,)
        if role == "dataset":
            label_columns = self._roles.get("dataset", ())
            if label_columns and facts.is_key(label_columns):
                return
            one = not label_columns or all(map(facts.is_constant, label_columns))
            if not label_columns and not facts.is_key(list(repeated)):
                return
            for other in REPETITIONS:
                self._recognise_repetition(other, alone=one and self._table.n_rows > 1)

    def _label(self, role: str, free: Sequence[str], scores: list[str] | None) -> str | None:
        """Return the column that names the rows, if there is one."""
        facts, table = self._facts, self._table
        index = None if table.counts_rows else table.index
        words = [
            name
            for name in free
            if not facts.is_numeric(name) and not facts.is_empty(name) and facts.holds_words(name)
        ]
        named = [
            name for name in called(role, free) if not facts.is_numeric(name) or name == index
        ]
        if index is not None and index in free:
            if named and bare(named[0]) == bare(role) and named[0] != index:
                raise Unsettled(
                    f"{self._source}{NOUNS[role]} may be named by the index or by column "
                    f"{named[0]!r}.",
                    [{role: named[0]}],
                    "Rename the column if the index names them.",
                )
            return index
        if named:
            return named[0]
        if free and not free[0] and free[0] not in words and not facts.numbers_rows(free[0]):
            return free[0]  # row names as R and pandas write them
        if words:
            for name in words:
                table.refuse_other_decimal_mark(name)
            others = [name for name in words if called("algorithm", [name])]
            if role == "dataset" and words == others and scores is not None:
                return None
            return next((name for name in words if not facts.repeats(name)), words[0])
        if free and not free[0]:
            return free[0]
        return self._numbers_that_name(role, free)

    def _numbers_that_name(self, role: str, free: Sequence[str]) -> str | None:
        """Return a column of numbers that names the rows, refused if it may hold scores."""
        facts = self._facts
        found = [name for name in called(role, free) if facts.is_numeric(name)]
        sure = [name for name in found if bare(name) == bare(role) and facts.is_whole(name)]
        if sure:
            return sure[0]
        ids = [
            name
            for name in free[:1]
            if facts.is_numeric(name)
            and facts.is_whole(name)
            and not facts.repeats(name)
            and len(free) > 1
            and (
                facts.numbers_rows(name)
                or name in found
                or bare(name).removesuffix("id") in {*_names_of(role), "openml"}
            )
        ]
        if ids and self._table.n_rows > 1:
            raise Unsettled(
                f"{self._source}column {ids[0]!r} may number the {NOUNS[role]}, or hold scores.",
                [{role: ids[0]}, {"ignore": [ids[0]]}, {"keep": [ids[0]]}],
            )
        return None

    def _account_beside(self, scores: Sequence[str]) -> None:
        """Say what the columns beside those of scores are, or refuse them."""
        facts = self._facts
        rows = [name for names in self._roles.values() for name in names]
        keys = [name for role in KEYS for name in self._roles.get(role, ())]
        for name in [name for name in self._free if name not in scores and name not in rows]:
            if name in self._uses:
                continue
            use = self._reason(
                name, {"describes the row": keys} if keys and facts.is_key(keys) else {}
            ) or self._reason(name, {"describes the data set": list(self._roles.get("dataset", ()))})
            if use:
                self._use(name, use)
                continue
            ways: list[Way] = []
            labels = facts.labels(name)
            if are_numbered(labels):
                ways += [{role: name} for role in ("run", "fold") if role not in self._roles]
            ways += [{"where": {name: label}} for label in labels[:_MOST_LABELS]]
            if facts.is_key(keys):
                ways.append({"ignore": [name]})
            raise Unsettled(
                f"{self._source}column {name!r} must be settled: it changes among rows of one "
                "data set.",
                ways,
                columns=listing(self._all_uses({name: "changes among rows of one data set"})),
            )


def _names_of(role: str) -> frozenset[str]:
    from nbcompare.experiment._roles import NAMES

    return NAMES[role]


def _refuse_two_roles(roles: dict[str, tuple[str, ...]]) -> None:
    role_of: dict[str, str] = {}
    for role, names in roles.items():
        for name in names:
            if name in role_of:
                raise ValueError(
                    f"`{role_of[name]}` and `{role}` must name different columns; "
                    f"got {shown(name)} for both."
                )
            role_of[name] = role


def _examples(table: RawTable, name: str) -> tuple[str, ...]:
    """Return the first three different cells of a column, as they would be written."""
    column = table.columns[name]
    found: dict[str, None] = {}
    for cell in column[:2000]:
        if not is_blank(cell):
            text = shown(cell) if not is_number(cell) else f"{cell:.6g}"
            found[text if len(text) <= 24 else f"{text[:20]}..."] = None
        if len(found) == 3:
            break
    return tuple(found)


