"""The rows that a display of a result leaves out, for readers who copy the whole table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from nbcompare._render import Part, Table, parts_of
from nbcompare.results._result import Result

__all__ = ["Rows", "left_out"]

Rows = Sequence[Sequence[str]]
# more would make a page heavy, and effects of so many pairs take long
_MOST = 2_000


def left_out(result: Result) -> tuple[Rows, ...]:
    """Return the rows that each table of a display leaves out.

    Parameters
    ----------
    result : Result
        Shown as a whole; its sections leave out nothing.

    Returns
    -------
    tuple of rows
        One entry per table, in order; empty for a table that is shown whole, or lacks more than
        2,000 rows.
    """
    shown = [part for part in parts_of(result) if isinstance(part, Table)]
    if not any(0 < table.n_hidden <= _MOST for table in shown):
        return tuple(() for _ in shown)
    whole = [part for part in _complete(result) if isinstance(part, Table) and not part.n_hidden]
    return tuple(_rest(table, whole) if table.n_hidden <= _MOST else () for table in shown)


def _complete(result: Result) -> Iterable[Part]:
    for name in result.sections:
        yield from parts_of(result.section(name))


def _rest(shown: Table, whole: Iterable[Table]) -> Rows:
    """Return the rows of the same table that are not shown, in their order."""
    wanted = len(shown.rows) + shown.n_hidden
    for table in whole:
        if not shown.n_hidden or table.columns != shown.columns or len(table.rows) != wanted:
            continue
        seen, rest = Counter(shown.rows), []
        for row in table.rows:
            if seen[row]:
                seen[row] -= 1
            else:
                rest.append(row)
        if len(rest) == shown.n_hidden:
            return tuple(rest)
    return ()
