"""What a caller says of a table: its columns, what to leave out of it, and what is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

from nbcompare import _tables
from nbcompare._options import COLUMN_OPTIONS, DIRECTIONS, OPTIONS, default
from nbcompare._validation import check_choice, check_labels, not_a_choice, shown

_LABELS = ("dataset", "algorithm", "fold", "run", "domain", "higher_is_better")
_LISTS = (
    "algorithms",
    "datasets",
    "ignore",
    "keep",
    "ignore_rows",
    "keep_rows",
    "missing_words",
)
# Of each two, the second leaves out what the first reads
_CONTRADICTORY = (
    ("keep", "ignore"),
    ("keep_rows", "ignore_rows"),
    ("algorithms", "ignore"),
    ("datasets", "ignore_rows"),
)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The arguments of :meth:`Experiment.read` and :meth:`Experiment.from_frame`, checked.

    Attributes
    ----------
    direction : str, mapping of str to str, or None
        What is better, also by data set (None names all others); None if a column says it.
    dataset, algorithm, score, fold, run, lower, upper, higher_is_better : str or None
        Columns.
    domain : str, mapping of str to str, or None
        Column with the groups of data sets, or the groups by data set.
    measure : str or None
        Name of what was measured.
    algorithms, datasets : tuple of str or None
        The only algorithms and data sets to read, in this order; None for all.
    ignore, keep : tuple of str
        Columns to leave out, and columns of scores, whatever they look like.
    ignore_rows, keep_rows : tuple of str
        The same of rows, by their labels.
    transpose : bool
        Whether rows are algorithms and columns data sets.
    brackets : {"std", "rank"} or None
        What a number in brackets after a score is.
    missing_words : tuple of str
        Further words for a missing score.
    """

    direction: str | Mapping[Any, str] | None = None
    dataset: str | None = None
    algorithm: str | None = None
    score: str | None = None
    fold: str | None = None
    run: str | None = None
    lower: str | None = None
    upper: str | None = None
    domain: str | Mapping[str, str] | None = None
    higher_is_better: str | None = None
    measure: str | None = None
    algorithms: Sequence[str] | None = None
    datasets: Sequence[str] | None = None
    ignore: Sequence[str] = default("ignore")
    keep: Sequence[str] = default("keep")
    ignore_rows: Sequence[str] = default("ignore_rows")
    keep_rows: Sequence[str] = default("keep_rows")
    transpose: bool = default("transpose")
    brackets: str | None = default("brackets")
    missing_words: Sequence[str] = default("missing_words")

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
        if self.brackets is not None:
            OPTIONS["brackets"].check(self.brackets, "brackets")
        if not isinstance(self.transpose, bool):
            raise TypeError(f"`transpose` must be True or False; got {shown(self.transpose)}.")
        for name in _LISTS:
            names = getattr(self, name)
            if names is not None:
                object.__setattr__(self, name, check_labels(names, name))
        for one, other in _CONTRADICTORY:
            both = [name for name in getattr(self, one) or () if name in getattr(self, other)]
            if both:
                raise ValueError(
                    f"`{one}` and `{other}` must not name the same; got {shown(both[0])} in both."
                )
        for name in ("algorithms", "datasets"):
            if getattr(self, name) == ():
                raise ValueError(f"`{name}` must name at least one; got none.")

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Self:
        """Take its fields from the arguments of a call."""
        return cls(**{field.name: arguments[field.name] for field in fields(cls)})

    @property
    def columns(self) -> dict[str, str]:
        """The columns that the caller names, by role."""
        named = {role: getattr(self, role) for role in COLUMN_OPTIONS}
        return {
            role: name
            for role, name in named.items()
            if name is not None and not isinstance(name, Mapping)
        }

    @property
    def label_columns(self) -> set[str]:
        """The names under which a file may hold labels, which are read as text."""
        columns = self.columns
        labels = {*_LABELS, *(str(columns[role]) for role in _LABELS if role in columns)}
        scores = {str(columns[role]) for role in columns if role not in _LABELS}
        return labels - scores - {*self.keep, *(self.algorithms or ())}


def opened(path: str | Path, arguments: Mapping[str, Any]) -> tuple[_tables.RawTable, Reading]:
    """Return the table in a file, and what the arguments of a call say of it."""
    asked = Reading.of(arguments)
    names = ("decimal", "thousands", "separator", "encoding")
    text = _tables.TextFormat(
        **{name: arguments[name] for name in names},
        missing=_tables.missing_with(asked.missing_words),
    )
    return _tables.read(path, text=text, sheet=arguments["sheet"]), asked
