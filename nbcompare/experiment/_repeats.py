"""What to do about rows that hold the score of the same run."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from nbcompare._tables import RawTable
from nbcompare.experiment._roles import STEPS, bare


def steps_of(table: RawTable, taken: Collection[str]) -> str | None:
    """Return the column that counts steps of optimisers, as in their logs; None without one."""
    return next(
        (
            name
            for name in table.columns
            if name not in taken and bare(name) in STEPS and not table.is_text(name)
        ),
        None,
    )


def remedy(lacking: Sequence[str], step: str | None = None) -> str:
    """Say how to tell repetitions apart, or what else to do about them.

    Parameters
    ----------
    lacking : sequence of str
        Arguments that may name a column which tells them apart: of dataset, fold and run.
    step : str, optional
        A column that counts evaluations or the like.
    """
    # with a column of runs, only folds can be what is not told apart
    new = next((role for role in ("run", "fold") if role in lacking), None)
    if new is None:
        said = "Take out one of them."
    else:
        said = (
            f"Pass {' or '.join(f'{role}=' for role in lacking)} to name the column that tells "
            "repetitions apart; without one, delete the row if it is a copy, or number the "
            f"repetitions in a column {new!r}."
        )
    if step is None:
        return said
    return (
        f"{said} If these are logs of optimisers, a row for each value of {step!r}, "
        "Histories.read(path) reads them."
    )
