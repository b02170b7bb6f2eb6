"""What a caller says of a table: its columns, what to leave out of it, and what is better."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from nbcompare import _tables, formats
from nbcompare._options import COLUMN_OPTIONS, DIRECTIONS, OPTIONS, UNITS, default
from nbcompare._validation import (
    check_choice,
    check_finite,
    check_labels,
    clean_label,
    listed,
    not_a_choice,
    shown,
)
from nbcompare.experiment._schema import NOUNS, REPETITIONS, ROLE_OF_UNIT

KEYS = ("dataset", "algorithm", "fold", "run")
_IN_ROWS = ("dataset", "fold", "run")  # parts of the names of rows
_NAMES = ("ignore", "keep", "ignore_rows", "keep_rows", "missing_words")  # of advice
_ADDED = (*_NAMES, "edits")
_LISTS = (*_NAMES, "algorithms", "datasets", "ok")
# Of each two, the second leaves out what the first reads
_CONTRADICTORY = (
    ("keep", "ignore"),
    ("keep_rows", "ignore_rows"),
    ("algorithms", "ignore"),
    ("datasets", "ignore_rows"),
)
_ENDS = ("lower", "upper")
_PART = re.compile(r"\{(\w*)\}")


def parts_of(pattern: str | None) -> tuple[str, ...]:
    """Return the roles in braces in a pattern of names of columns."""
    return tuple(_PART.findall(pattern or ""))


def matching(
    pattern: str, names: Iterable[str], table: _tables.RawTable, argument: str = "columns"
) -> dict[str, list[str]]:
    """Return the columns, or rows, of which names match a pattern, with their parts, in order."""
    names = list(names)
    text = _PART.split(pattern)
    made = ["(.+)" if i % 2 else re.escape(each) for i, each in enumerate(text)]
    matches = ((name, re.fullmatch("".join(made), name)) for name in names)
    found = {name: [part.strip() for part in it.groups()] for name, it in matches if it is not None}
    if not found:
        raise ValueError(
            f"`{argument}` must match names of {argument} of {table.source}, which are "
            f"{listed(table.columns if argument == 'columns' else names)}; got {shown(pattern)}."
        )
    return found


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The arguments of :meth:`Experiment.read` and :meth:`Experiment.from_frame`, checked.

    Attributes
    ----------
    direction : str, mapping of str to str, or None
        What is better, also by data set (None names all others); None if a column says it.
    dataset, algorithm, fold, run, item : tuple of str
        Columns whose labels, joined, name these; empty if the caller names none.
    unit : str or None
        What a row is another one of, beside the columns that say so.
    cluster : str or None
        Column that says which items belong together.
    rows : str or None
        How the names of rows are made, roles in braces: ``{dataset}_fold{fold}``.
    score, lower, upper, higher_is_better : str or None
        Columns.
    domain : str, mapping of str to str, or None
        Column with the groups of data sets, or the groups by data set.
    measure : str or None
        Name of what was measured.
    columns : str or None
        How the names of columns of scores are made, roles in braces: ``{algorithm}_{fold}``.
    where : mapping of str to tuple of str
        Labels of the only rows to read, by column.
    status, ok, failed, cutoff
        Which runs failed, and what becomes of them; see :func:`_beside.settled`.
    algorithms, datasets : tuple of str or None
        The only algorithms and data sets to read, in this order; None for all.
    ignore, keep : tuple of str
        Columns to leave out, and columns of scores (or algorithms), whatever they look like.
    ignore_rows, keep_rows : tuple of str
        The same of rows, by their labels.
    transpose : bool
        Whether rows are algorithms and columns data sets.
    brackets : {"std", "rank"} or None
        What a number in brackets after a score is.
    missing_words : tuple of str
        Further words for a missing score.
    edits : tuple of (int, str, str)
        What stands in some cells in the place of what the source has: row, from 1 below the
        header, column, and text.
    """

    keys: ClassVar[tuple[str, ...]] = KEYS  # the roles of columns of labels
    in_names: ClassVar[tuple[str, ...]] = (*KEYS, "measure")  # what names of columns may say
    pattern: ClassVar[str] = "{algorithm}_fold{fold}"  # an example of such names

    direction: str | Mapping[Any, str] | None = None
    dataset: str | Sequence[str] | None = None
    algorithm: str | Sequence[str] | None = None
    score: str | None = None
    fold: str | Sequence[str] | None = None
    run: str | Sequence[str] | None = None
    item: str | Sequence[str] | None = None
    unit: str | None = None
    cluster: str | None = None
    rows: str | None = None
    lower: str | None = None
    upper: str | None = None
    domain: str | Mapping[str, str] | None = None
    higher_is_better: str | None = None
    measure: str | None = None
    columns: str | None = None
    where: Any = None  # a mapping of str to tuple of str once it is checked
    status: str | None = None
    ok: Sequence[str] = default("ok")
    failed: str | None = None
    cutoff: float | None = None
    algorithms: Sequence[str] | None = None
    datasets: Sequence[str] | None = None
    ignore: Sequence[str] = default("ignore")
    keep: Sequence[str] = default("keep")
    ignore_rows: Sequence[str] = default("ignore_rows")
    keep_rows: Sequence[str] = default("keep_rows")
    transpose: bool = default("transpose")
    brackets: str | None = default("brackets")
    missing_words: Sequence[str] = default("missing_words")
    edits: Sequence[tuple[int, str, str]] = default("edits")

    def __post_init__(self) -> None:
        """Check what can be checked without the table, and make tuples of lists."""
        if isinstance(self.direction, Mapping):
            for name, word in self.direction.items():
                if word not in DIRECTIONS:
                    where = "the other data sets" if name is None else shown(name)
                    problem = not_a_choice(word, DIRECTIONS)
                    raise ValueError(f"`direction` of {where} {problem}")
        elif self.direction is not None:  # without it, a column must say what is better
            check_choice(self.direction, "direction", DIRECTIONS)
        for name in ("brackets", "failed"):
            if getattr(self, name) is not None:
                OPTIONS[name].check(getattr(self, name), name)
        if not isinstance(self.transpose, bool):
            raise TypeError(f"`transpose` must be True or False; got {shown(self.transpose)}.")
        for role in (*self.keys, "item"):
            named = getattr(self, role)
            one = [named] if isinstance(named, str | int) else named
            object.__setattr__(self, role, () if named is None else check_labels(one, role))
        self._check_unit()
        for name in _LISTS:
            names = getattr(self, name)
            if names is not None:
                object.__setattr__(self, name, check_labels(names, name))
        object.__setattr__(self, "where", _labels_by_column(self.where or {}))
        object.__setattr__(self, "edits", checked_edits(self.edits))
        for one, other in _CONTRADICTORY:
            self._refuse_both(one, getattr(self, one) or (), other, "the same")
        for name in ("algorithms", "datasets"):
            if getattr(self, name) == ():
                raise ValueError(f"`{name}` must name at least one; got none.")
        for role in ("score", *_ENDS, "status"):
            self._check_one_column(role)
        for role, names in self.named().items():
            self._refuse_both(role, names, "ignore", "the same column")
            if role not in ("score", *_ENDS):
                self._refuse_both(role, names, "keep", "the same column")
        if self.columns is not None:
            self._check_parts("columns", self.in_names, self.pattern)
        if self.rows is not None:
            self._check_parts("rows", _IN_ROWS, "{dataset}_fold{fold}")

    def _check_unit(self) -> None:
        """Check what a row is; items stand where folds do."""
        if self.unit is not None:
            check_choice(self.unit, "unit", UNITS)
        if self.item:
            if self.fold and self.fold != self.item:
                raise ValueError(
                    "`item` and `fold` must not be given together, because items are one "
                    f"benchmark's, and folds are of a data set; got {listed(self.item)} and "
                    f"{listed(self.fold)}."
                )
            object.__setattr__(self, "fold", self.item)
            object.__setattr__(self, "unit", self.unit or "items")
        column = ROLE_OF_UNIT.get(self.unit or "", "")
        for role, names in (("item", self.item), ("cluster", self.cluster)):
            if names and self.unit not in (None, "items"):
                raise ValueError(
                    f"`{role}` must be None unless unit='items'; got {listed([*names])} with "
                    f"unit={self.unit!r}."
                )
        if column and self.transpose:
            raise ValueError(
                f"`unit` must be None or 'datasets' with transpose=True, where rows are "
                f"algorithms; got {self.unit!r}."
            )

    def _refuse_both(self, one: str, names: Iterable[str], other: str, what: str) -> None:
        both = [name for name in names if name in getattr(self, other)]
        if both:
            raise ValueError(
                f"`{one}` and `{other}` must not name {what}; got {shown(both[0])} in both."
            )

    def _check_one_column(self, role: str) -> None:
        name = getattr(self, role)
        if name is not None and not isinstance(name, str | int):
            raise ValueError(f"`{role}` must name one column; got {shown(name)}.")
        if name is not None and role != "status" and (self.transpose or self.columns):
            other = "transpose=True" if self.transpose else "`columns`"
            raise ValueError(
                f"`{role}` must be None with {other}, where several columns hold scores; got "
                f"{shown(name)}."
            )

    def check_failures(self) -> None:
        """Check the arguments on failed runs, some of which a format may give."""
        if self.cutoff is not None:
            check_finite(self.cutoff, "cutoff", ndim=0)
        if self.failed is not None and self.status is None and self.cutoff is None:
            raise ValueError(
                "`failed` needs `status`, the column that says which runs failed, or `cutoff`, the "
                "score from which a run counts as failed; got neither."
            )
        if self.failed in ("par2", "par10") and self.cutoff is None:
            raise ValueError(f"`failed` must have `cutoff` beside it to be {self.failed!r}.")
        if self.status is not None and not self.ok:
            raise ValueError(
                "`ok` must name the labels of runs that did not fail, beside `status`; got none."
            )

    def _check_parts(self, argument: str, known: Sequence[str], example: str) -> None:
        """Check how names of columns, or rows, are made."""
        pattern = getattr(self, argument)
        roles = parts_of(pattern)
        wrong = [role for role in roles if role not in known]
        if not roles or wrong or len(set(roles)) < len(roles):
            named = ", ".join(f"{{{role}}}" for role in known)
            raise ValueError(
                f"`{argument}` must hold some of {named}, each once, as in {example!r}; got "
                f"{shown(pattern)}."
            )
        columns = self.named()
        if argument == "rows":  # a column may hold the names that are made of parts
            columns = {role: names for role, names in columns.items() if role in REPETITIONS}
        for role in (role for role in roles if role in columns):
            raise ValueError(
                f"`{role}` must be None, since `{argument}` says where the {NOUNS[role]} are; got "
                f"{listed(columns[role])}."
            )

    @property
    def parts(self) -> tuple[str, ...]:
        """The roles that parts of the names of columns play."""
        return parts_of(self.columns)

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Self:
        """Take its fields from the arguments of a call."""
        names = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in arguments.items() if name in names})

    def named(self) -> dict[str, tuple[str, ...]]:
        """Return the columns that the caller names, by role."""
        found = {role: getattr(self, role) for role in self.keys}
        for role in (*COLUMN_OPTIONS, "status"):
            name = getattr(self, role)
            if role not in (*found, "item") and name is not None and not isinstance(name, Mapping):
                found[role] = (name,)
        return {role: names for role, names in found.items() if names}

    def with_advice(self, way: Mapping[str, Any]) -> Self:
        """Return the reading with further arguments; names are added to those already given."""
        return replace(self, **joined({name: getattr(self, name) for name in way}, way))

    @property
    def label_columns(self) -> set[str]:
        """The names under which a file may hold labels, which are read as text."""
        roles, named = (*self.keys, "item", "cluster", "domain", "higher_is_better"), self.named()
        labels = {*roles}.union(*(named.get(role, ()) for role in roles))
        scores = {name for role in ("score", *_ENDS) for name in named.get(role, ())}
        return labels - scores - {*self.keep, *(self.algorithms or ())}


def joined(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of two advices in one."""
    made = dict(one)
    for name, value in other.items():
        there = made.get(name) or ()
        if name == "where":
            made[name] = {**dict(there), **value}
        elif name in _ADDED:
            made[name] = [*there, *(each for each in value if each not in there)]
        else:
            made[name] = value
    return made


def checked_edits(edits: object) -> tuple[tuple[int, str, str], ...]:
    """Return edits of cells, of which the last one of a cell counts."""
    made: dict[tuple[int, str], str] = {}
    for one in edits if isinstance(edits, list | tuple) else [edits]:
        match one:
            case [int(row), column, text] if row > 0 and isinstance(text, str):
                made[row, clean_label(column)] = text
            case _:
                raise ValueError(
                    "`edits` must be a list of rows, counted from 1 below the header, columns and "
                    f"texts, such as [(3, 'C4.5', '0.91')]; got {shown(one)}."
                )
    return tuple((row, column, text) for (row, column), text in made.items())


def _labels_by_column(where: object) -> dict[str, tuple[str, ...]]:
    if isinstance(where, list | tuple):  # as a command line gives it
        where = dict(where)
    if not isinstance(where, Mapping):
        raise TypeError(
            "`where` must give the labels of the rows to read by column, as in "
            f"{{'split': 'test'}}; got {shown(where)}."
        )
    made = {}
    for name, labels in where.items():
        given = labels if isinstance(labels, list | tuple | set | frozenset) else [labels]
        made[clean_label(name)] = check_labels(map(clean_label, given), f"where of {name}")
        if not made[clean_label(name)]:
            raise ValueError(f"`where` must name at least one label of {shown(name)}; got none.")
    return made


# Arguments that say how a file is written, for which it is parsed again
WRITING = ("decimal", "thousands", "separator", "encoding", "sheet", "format")
# All arguments of reading a file
DEFAULTS: Mapping[str, Any] = {
    **{each.name: each.default for each in fields(Reading)},
    **dict.fromkeys(WRITING),
    "encoding": default("text.encoding"),
}


@dataclass(frozen=True)
class Source:
    """A table and how to read it; a file can be parsed again if other words settle a doubt.

    Attributes
    ----------
    table : RawTable
        Cells as they were written.
    reading : Reading
        What the caller, or the format of the file, says of them.
    path : str or Path, optional
        The file.
    arguments : mapping of str to object
        The arguments of the call that opened it.
    known : mapping of str to object
        What the format of the file says, where the caller says nothing else.
    """

    table: _tables.RawTable
    reading: Reading
    path: str | Path | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    known: Mapping[str, Any] = field(default_factory=dict)

    def with_arguments(self, arguments: Mapping[str, Any]) -> Source:
        """Return the same table for a call with other arguments, which parse it alike."""
        reading = _with_defaults(Reading.of(arguments), self.known)
        return replace(self, reading=reading, arguments=arguments)

    def with_advice(self, way: Mapping[str, Any]) -> Source:
        """Return the source with further arguments."""
        table, writing = self.table, {name: way[name] for name in WRITING if name in way}
        if writing and self.path is not None:
            return opened(self.path, joined(self.arguments, way))
        if writing and table.text is not None:  # cells that cannot be parsed again are still there
            table = table.read_as(replace(table.text, **writing), table.columns)
        reading = {name: value for name, value in way.items() if name not in WRITING}
        arguments = joined(self.arguments, way)  # for a file that is parsed again after all
        said = self.reading.with_advice(reading)
        return replace(self, table=table, reading=said, arguments=arguments)


def opened(path: str | Path, given: Mapping[str, Any]) -> Source:
    """Return the table in a file, and what the arguments of a call, or the format, say of it."""
    arguments = {**DEFAULTS, **given}
    asked = Reading.of(arguments)
    is_stream = str(path) == _tables.STANDARD_INPUT
    text = _tables.TextFormat(**{name: arguments[name] for name in WRITING[:4]})
    word = arguments["format"]
    if word is None and path != "" and not is_stream and isinstance(path, str | Path):
        word = formats.recognised(Path(path))
    if word is None:
        table = _tables.read(path, text=text, sheet=arguments["sheet"])
        return Source(table, asked, None if is_stream else path, arguments)
    made = formats.imported(Path(path), word, text, algorithms=asked.algorithms)
    told = f"Read as {formats.label(word, Path(path))}."
    notes = (*made.table.notes, *made.notes, ("format", told))
    table = replace(made.table, notes=notes)
    return Source(table, _with_defaults(asked, made.reading), path, arguments, made.reading)


def _with_defaults(asked: Reading, known: Mapping[str, Any]) -> Reading:
    """Return a reading with what a format knows where the caller says nothing else."""
    plain = Reading()
    named = {name for names in asked.named().values() for name in names}
    left_out = [name for name in known.get("ignore", ()) if name not in named]
    found = {name: it for name, it in known.items() if getattr(asked, name) == getattr(plain, name)}
    found["where"] = {**known.get("where", {}), **asked.where}
    found["ignore"] = list(dict.fromkeys([*left_out, *asked.ignore]))
    return replace(asked, **found)
