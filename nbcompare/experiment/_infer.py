"""What the columns of a table are: roles, descriptions, settings, measures; nothing is guessed.

Every column plays a role, is proven irrelevant, or is named by the caller; otherwise reading stops.
Names of columns propose roles; whether a column can play one, and whether it may be left out, is
decided by its cells alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nbcompare._tables import RawTable
from nbcompare.experiment import _long, _wide
from nbcompare.experiment._columns import Columns
from nbcompare.experiment._facts import Facts
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._schema import ColumnUse, Schema


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

    def schema(
        self, reading: Reading, sizes: Mapping[str, int], left_out: tuple[str, ...] = ()
    ) -> Schema:
        """Return the record of how the table was understood."""
        return Schema(
            source=self.table.source,
            layout="long" if self.is_long else "wide",
            roles=self.roles,
            parts=self.parts,
            scores=self.scores,
            columns=self.uses,
            where=dict(reading.where),
            n_rows=self.n_rows,
            n_kept=self.table.n_rows,
            sizes=dict(sizes),
            left_out=left_out,
        )


def infer(table: RawTable, reading: Reading) -> Understanding:
    """Say what each column of a table is.

    Raises
    ------
    Unsettled
        If a column is not accounted for, or two may play one role.
    """
    columns = Columns(table, reading)
    is_long = _long.is_long(columns)
    parts: dict[str, tuple[str, ...]] = {}
    if is_long:
        scores = _long.account(columns)
    else:
        scores, parts = _wide.account(columns)
    uses, notes = tuple(columns.described()), tuple(columns.notes)
    return Understanding(table, columns.facts, columns.roles, scores, is_long, parts, uses, notes)
