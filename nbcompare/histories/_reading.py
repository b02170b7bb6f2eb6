"""What a caller says of logs: the columns of their table, and what becomes of uneven runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from nbcompare._options import DIRECTIONS, OPTIONS, RAW, default
from nbcompare._validation import (
    check_choice,
    check_count,
    check_labels,
    check_nonnegative,
    listed,
    shown,
)
from nbcompare.experiment import NOUNS, Reading, joined, parts_of

LABELS = ("problem", "algorithm", "run")
ROLES = (*LABELS, "evaluations", "value")
_IN_NAMES = ROLES[:-1]  # what names of columns of values may say


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Rules for uneven logs: arguments of the readers, checked."""

    n_points: int | None = None
    budget: float | Mapping[str, float] | None = None
    values: str = default("values")
    worse: str = default("worse")
    early: str = default("early")
    optimum_tolerance: float | None = None  # as the logs have it
    own_points: bool = True  # whether evaluations that all logs share may be the points

    def __post_init__(self) -> None:
        """Check the words and numbers."""
        for name in ("values", "worse", "early"):
            OPTIONS[name].check(getattr(self, name), name)
        if self.is_raw and self.worse != default("worse"):
            raise ValueError(
                f"`worse` must be left out with values={RAW!r}, which keeps values that get worse."
            )
        if self.n_points is not None:
            object.__setattr__(self, "n_points", check_count(self.n_points, "n_points", least=1))
        if self.optimum_tolerance is not None:
            check_nonnegative(self.optimum_tolerance, "optimum_tolerance")

    @property
    def is_raw(self) -> bool:
        """Whether values stay as they are, and may get worse."""
        return self.values == RAW

    def with_advice(self, way: Mapping[str, Any], /) -> Self:
        """Return the arguments with further ones; names are added to those that are there."""
        return replace(self, **joined({name: getattr(self, name) for name in way}, way))

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Self:
        """Take its fields from the arguments of a call."""
        names = {field.name for field in fields(cls)} & arguments.keys()
        return cls(**{name: arguments[name] for name in names})


@dataclass(frozen=True, kw_only=True)
class LogReading(Rules):
    """The arguments of :meth:`Histories.read` and :meth:`Histories.from_frame`, checked.

    After the checks, labels and filters are tuples of names.
    """

    direction: str | None = None
    problem: str | Sequence[str] | None = None
    algorithm: str | Sequence[str] | None = None
    run: str | Sequence[str] | None = None
    evaluations: str | None = None
    value: str | None = None
    optimum: str | float | Mapping[str, float] | None = None
    measure: str | None = None
    columns: str | None = None
    where: Any = None
    ignore: Iterable[str] = default("ignore")
    missing_words: Iterable[str] = default("missing_words")

    def __post_init__(self) -> None:
        """Check what can be checked without the table, and make tuples of lists."""
        super().__post_init__()
        for role in LABELS:
            given = getattr(self, role)
            one = [given] if isinstance(given, str | int) else given
            object.__setattr__(self, role, () if given is None else check_labels(one, role))
        shared = Reading(
            where=self.where, ignore=tuple(self.ignore), missing_words=tuple(self.missing_words)
        )
        for name in ("where", "ignore", "missing_words"):
            object.__setattr__(self, name, getattr(shared, name))
        both = [name for names in self.named.values() for name in names if name in self.ignore]
        if both:
            raise ValueError(f"`ignore` must not name a column that is read; got {shown(both[0])}.")
        if self.columns is not None:
            self._check_columns(self.columns)

    def _check_columns(self, columns: str) -> None:
        """Check how names of columns of values are made."""
        roles = self.parts
        if not roles or set(roles) - set(_IN_NAMES) or len(set(roles)) < len(roles):
            known = ", ".join(f"{{{role}}}" for role in _IN_NAMES)
            raise ValueError(
                f"`columns` must hold some of {known}, each once, as in 'run{{run}}'; got "
                f"{shown(columns)}."
            )
        for role in (*roles, "value"):
            if role in self.named:
                what = f"the {NOUNS[role]} are"
                raise ValueError(
                    f"`{role}` must be None, since `columns` says where {what}; got "
                    f"{listed(self.named[role])}."
                )

    @property
    def parts(self) -> tuple[str, ...]:
        """The roles that parts of the names of columns play."""
        return parts_of(self.columns)

    @property
    def named(self) -> dict[str, tuple[str, ...]]:
        """The columns that the caller names, by role."""
        found = {role: getattr(self, role) for role in (*ROLES, "optimum")}
        found = {role: (it,) if isinstance(it, str) else it for role, it in found.items()}
        return {role: tuple(it) for role, it in found.items() if isinstance(it, tuple) and it}

    def check_direction(self) -> Self:
        """Check the direction, which a table does not say."""
        check_choice(self.direction, "direction", DIRECTIONS)
        return self

    def refuse_table_words(self) -> None:
        """Refuse what is said of a table: a folder has no columns."""
        for role in self.named:
            raise ValueError(f"`{role}` names a column of a table; a folder has none.")
        for name in ("columns", "where", "ignore"):
            if getattr(self, name):
                raise ValueError(f"`{name}` is about columns of a table; a folder has none.")
        if self.is_raw:
            raise ValueError("`values` must be 'best' for a folder, of which the best is taken.")
