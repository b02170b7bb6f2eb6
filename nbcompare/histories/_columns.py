"""What a caller says of logs, and what the columns of their table are; every one is accounted for.

Three layouts are read. Long: a row per logged value. Wide: a row per run, and a column for each
number of evaluations, by which it is called. Between them: a row per step, and columns of which
the names say the run or the algorithm.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NoReturn, Self

import numpy as np

from nbcompare._arrays import IntArray
from nbcompare._options import DIRECTIONS, OPTIONS, RAW, default
from nbcompare._tables import RawTable
from nbcompare._validation import check_choice, check_count, check_nonnegative, listed, shown
from nbcompare.experiment import (
    MOST_WAYS,
    NAMES,
    NOUNS,
    Columns,
    Reading,
    Understanding,
    Way,
    are_numbered,
    bare,
    called,
    matched,
)

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
        """Refuse arguments about columns, which a folder does not have."""
        for role in self.named():
            raise ValueError(f"`{role}` names a column of a table; a folder has none.")
        for name in ("columns", "where", "ignore", "edits"):
            if getattr(self, name):
                raise ValueError(f"`{name}` is about columns of a table; a folder has none.")
        if self.is_raw:
            raise ValueError("`values` must be 'best' for a folder, of which the best is taken.")


_Parts = dict[str, tuple[str, ...]]


def infer(table: RawTable, reading: LogReading) -> Understanding:
    """Say what each column of a table of logs is.

    Raises
    ------
    Unsettled
        If a column is not accounted for, or two may play one role.
    """
    columns = _LogColumns(table, reading)
    for role in ("algorithm", "problem"):
        columns.recognise(role)
    columns.recognise_repetition("run")
    # beside evaluations, whole numbers that are called algorithms are no scores of one
    whole = [n for n in called("algorithm", columns.free) if columns.facts.may_label(n)]
    if "algorithm" not in {*columns.roles, *reading.parts} and len(whole) == 1:
        columns.roles["algorithm"] = (whole[0],)
    if reading.optimum is None and (optimum := called("optimum", columns.numeric())):
        columns.roles["optimum"] = (optimum[0],)
    columns.check_named("problem", reading.parts)
    values, parts = columns.values()
    columns.check_named("algorithm", parts)
    columns.account(parts, f"column {values[0]!r}" if not parts else f"{len(values)} columns")
    return columns.understood(values, parts, is_long=not parts)


class _LogColumns(Columns):
    """The columns of a table of logs, of which one counts evaluations."""

    @property
    def keys(self) -> list[str]:
        """The columns that tell logged values apart."""
        return self.of(*LABELS, "evaluations")

    # ------------------------------------------------------------------- where the values are

    def values(self) -> tuple[tuple[str, ...], _Parts]:
        """Return the columns of values, and what their names say, by role."""
        reading, roles = self.reading, self.roles
        numbers = [name for name in self.free if not self.facts.holds_words(name)]
        # steps count only where nothing counts evaluations
        counts = called("evaluations", numbers)
        counts = [name for name in counts if bare(name) not in NAMES["step"]] or counts
        points = [] if reading.columns else [name for name in self.free if _is_point(name)]
        if points and not (counts or {"evaluations", "value"} & roles.keys()):
            self.uses |= {name: f"values at {name} evaluations" for name in points}
            return tuple(points), {"evaluations": tuple(points)}
        if "evaluations" not in {*roles, *reading.parts}:
            none = (
                "nothing says which column counts evaluations, in a table with a row per logged "
                "value; in a wide table, a column per point is named by its evaluations."
            )
            whole = [name for name in self.numeric() if self.facts.is_whole(name)]
            self._take_only_number("evaluations", counts, whole, "all count evaluations", none)
        if reading.columns is not None:
            names, parts = matched(self, [name for name in numbers if name in self.free])
            self.uses |= dict.fromkeys(names, "values")
            return tuple(names), parts
        if "value" not in roles:
            names = called("value", [name for name in numbers if name in self.free]) or [
                n for n in self.numeric() if not self._why_not(n) and not self._is_counter(n)
            ]
            none = "no column of numbers is free to hold the values."
            self._take_only_number("value", names, self.numeric(), "hold the values", none)
        return roles["value"], {}

    def _take_only_number(
        self, role: str, names: Sequence[str], others: Sequence[str], does: str, none: str
    ) -> None:
        """Give a role to the only column that may play it, or doubt, offering others if none may.

        Names of columns that are numbered may say a part of their values instead.
        """
        if len(names) == 1:
            self.roles[role] = (names[0],)
            return
        told, offered = f"columns {listed(names)} may {does}.", names or others
        ways: list[Way] = [{role: name} for name in offered[:MOST_WAYS]]
        part = "run" if role == "value" else role
        if len(offered) > 1 and are_numbered(offered):
            ways = [{"columns": f"{offered[0].rstrip('0123456789')}{{{part}}}"}]
        elif role == "value" and "algorithm" not in self.roles:
            ways += [{"columns": pattern} for pattern in ("{algorithm}_{run}", "{algorithm}")]
        remedy = "" if ways else f"`{role}` must name a column of numbers."
        raise self.doubt(told if names else none, ways, remedy)

    # ---------------------------------------------------------------------------- what is left

    def check_named(self, role: str, parts: Collection[str]) -> None:
        """Check that a column names the problems, or the algorithms, or names of columns do.

        Where none can, there is one problem.
        """
        if role in {*self.roles, *parts}:
            return
        facts = self.facts
        words = [n for n in self.free if facts.holds_words(n) and not facts.is_constant(n)]
        names = dict.fromkeys([*called(role, self.free), *words])
        if role == "problem" and not names:
            return
        raise self.doubt(
            f"nothing says which column names the {NOUNS[role]}.",
            [{role: name} for name in names],
            f"If none does, add one called {role!r}; or pass columns= if the names of columns say "
            f"it, or a path with {{{role}}} in it if those of files do.",
        )

    def account(self, parts: _Parts, those: str) -> None:
        """Say of every other column than those of values why it does not matter, or refuse it."""
        facts, doubtful, measures = self.facts, list[str](), list[str]()
        for name in self.free:
            if name in self.uses:
                continue
            if use := self._why_not(name):
                self.uses[name] = use
            elif not self._is_counter(name) and (
                facts.has_levels(name) or (facts.is_whole(name) and not facts.is_key(self.keys))
            ):
                doubtful.append(name)
            else:
                measures.append(name)
        if doubtful:
            self._refuse(doubtful, parts)
        if measures:
            self.uses |= dict.fromkeys(measures, "another measure, left out")
            were = "were" if len(measures) > 1 else "was"
            told = f"The values are those of {those}; {listed(measures)} {were} left out."
            self.notes.append(("columns", told))

    def _why_not(self, name: str) -> str:
        """Return why a column does not matter; nothing if it may."""
        facts, labels, shared = self.facts, self.of(*LABELS), self.of("problem", "run")
        keys = {
            "describes the problem": self.of("problem"),
            "describes the algorithm": self.of("algorithm"),
        }
        if "run" in self.roles:
            # a label that only one algorithm's run has may stand for a setting of the algorithm
            if not all(facts.follows(one, shared) for one in self.of("algorithm")):
                keys["describes the run"] = shared
            if not facts.has_levels(name) or all(facts.follows(one, [name]) for one in labels):
                keys["identifies or measures the run"] = labels
        return self.reason(name, keys)

    def _is_counter(self, name: str) -> bool:
        """Tell whether numbers grow with the evaluations of every run, as time does."""
        if "evaluations" not in self.roles or not self.facts.is_numeric(name):
            return False
        group = self.facts.group(self.of(*LABELS))
        evaluations, numbers = map(self.numbers, (self.roles["evaluations"][0], name))
        order: IntArray = np.lexsort((evaluations, group))
        is_next = np.diff(group[order]) == 0
        before, after = numbers[order][:-1][is_next], numbers[order][1:][is_next]
        least = 0 if self.counts_steps(name) else 1 / 2  # an epoch has many steps
        return bool(before.size and (after >= before).all() and (after > before).mean() > least)

    # -------------------------------------------------------------------------------- refusals

    def _refuse(self, names: Sequence[str], parts: _Parts) -> NoReturn:
        """Refuse columns that change among the values that would be compared."""
        name, labels = names[0], self.facts.labels(names[0])
        filters: list[Way] = [{"where": {name: label}} for label in labels[:MOST_WAYS]]
        ways: list[Way] = [{r: [*self.roles[r], name]} for r in LABELS if r in self.roles]
        lacking = [role for role in ("problem", "run") if role not in {*self.roles, *parts}]
        ways = [*({role: name} for role in lacking), *ways]
        if self.facts.is_key(self.keys):
            describes = self.facts.follows(name, self.of(*LABELS))
            ways = [*(ways if describes else ()), {"ignore": [name]}, *filters]
        elif not are_numbered(labels):
            ways = [*filters, *ways]
        word, they = ("columns", "they do") if len(names) > 1 else ("column", "it does")
        raise self.doubt(
            f"{word} {listed(names)} must be settled, for {they} not only describe problems, "
            "algorithms or runs.",
            ways,
            seems=dict.fromkeys(names, "changes among values to be compared"),
        )


def _is_point(name: str) -> bool:
    """Tell whether a column is called by a number of evaluations."""
    try:
        return bool(np.isfinite(float(name)))
    except ValueError:
        return False
