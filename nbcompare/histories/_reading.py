"""What a caller says of logs: the columns of their table, and what becomes of uneven runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from nbcompare._options import DIRECTIONS, OPTIONS, RAW, default
from nbcompare._validation import check_choice, check_count, check_nonnegative, shown
from nbcompare.experiment import Reading

LABELS = ("problem", "algorithm", "run")


@dataclass(frozen=True, kw_only=True)
class LogReading(Reading):
    """The arguments of :meth:`Histories.read` and :meth:`Histories.from_frame`, checked.

    Those that a table of scores has too are those of :class:`Reading`. After the checks, labels
    and filters are tuples of names.
    """

    keys: ClassVar[tuple[str, ...]] = LABELS
    in_names: ClassVar[tuple[str, ...]] = (*LABELS, "evaluations")
    pattern: ClassVar[str] = "run{run}"

    problem: str | Sequence[str] | None = None
    evaluations: str | None = None
    value: str | None = None
    optimum: str | float | Mapping[str, float] | None = None
    n_points: int | None = None
    budget: float | Mapping[str, float] | None = None
    values: str = default("values")
    worse: str = default("worse")
    early: str = default("early")
    optimum_tolerance: float | None = None  # as the logs have it
    own_points: bool = True  # whether evaluations that all logs share may be the points

    def __post_init__(self) -> None:
        """Check what can be checked without the table, and make tuples of lists."""
        super().__post_init__()
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
        if self.columns is not None and self.value is not None:
            raise ValueError(
                "`value` must be None, since `columns` says where the values are; got "
                f"{shown(self.value)}."
            )

    @property
    def is_raw(self) -> bool:
        """Whether values stay as they are, and may get worse."""
        return self.values == RAW

    def named(self) -> dict[str, tuple[str, ...]]:
        """Return the columns that the caller names, by role."""
        given = {role: getattr(self, role) for role in ("evaluations", "value", "optimum")}
        return super().named() | {
            role: (name,) for role, name in given.items() if isinstance(name, str)
        }

    def check_direction(self) -> Self:
        """Check the direction, which a table does not say."""
        check_choice(self.direction, "direction", DIRECTIONS)
        return self

    def refuse_table_words(self) -> None:
        """Refuse what is said of a table: a folder has no columns."""
        for role in self.named():
            raise ValueError(f"`{role}` names a column of a table; a folder has none.")
        for name in ("columns", "where", "ignore", "edits"):
            if getattr(self, name):
                raise ValueError(f"`{name}` is about columns of a table; a folder has none.")
        if self.is_raw:
            raise ValueError("`values` must be 'best' for a folder, of which the best is taken.")
