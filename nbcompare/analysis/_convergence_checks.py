"""What a comparison of convergence may be asked for, and which problems it is about."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from nbcompare._options import ALL_PAIRS_ONLY, AUTO, OPTIONS
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, listed, shown
from nbcompare.analysis._checks import Adjust, check_adjust
from nbcompare.histories import Histories


def check_words(
    version: str, aggregate: str, differences: str, formulas: str, missing: str
) -> None:
    """Each one of its choices."""
    for name, value in (
        ("version", version),
        ("aggregate", aggregate),
        ("differences", differences),
        ("formulas", formulas),
        ("convergence.missing", missing),
    ):
        OPTIONS[name].check(value, name.rpartition(".")[2])


def settled_null(null: str | None, formulas: str) -> str:
    """The null hypothesis that decides."""
    if null is None:
        return "page" if formulas == "printed" else "exchange"
    return OPTIONS["null"].check(null, "null")


def check_procedures(adjust: Adjust) -> tuple[str, ...]:
    """Procedures for any family of hypotheses."""
    procedures = check_adjust(adjust, None)
    for name in procedures:
        if name in ALL_PAIRS_ONLY or name == AUTO:
            raise ValueError(
                "`adjust` must be a procedure for any family of hypotheses, as 'holm': A over B "
                f"and B over A are two hypotheses here, which {name!r} does not know of."
            )
    return procedures


def check_tolerance(tolerance: float | None, data: Histories) -> float | None:
    """What counts as the optimum; None if none is known."""
    if data.optimum is None:
        if tolerance is not None:
            raise ValueError(
                "`optimum_tolerance` must be None unless the histories have an optimum; got "
                f"{tolerance!r}. Give it when they are made: optimum=..."
            )
        return None
    value: object = 0.0 if tolerance is None else tolerance
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < math.inf:
        raise ValueError(
            f"`optimum_tolerance` must be a number of at least 0; got {shown(tolerance)}."
        )
    return float(value)


def settled_versions(version: str, data: Histories) -> tuple[str, ...]:
    """Those that are asked for and that the data allow."""
    if version != "both":
        if version == "alternative" and data.optimum is None:
            raise ValueError(
                "`version` must be 'basic' without known optima; got 'alternative'. Give the "
                "optima when the histories are made: optimum=..."
            )
        return (version,)
    return ("basic",) if data.optimum is None else ("basic", "alternative")


def complete(histories: Histories, missing: str) -> tuple[Histories, tuple[Note, ...]]:
    """Histories without gaps; what was left out is told."""
    n_problems, k = len(histories.problems), len(histories.algorithms)
    for count, noun in ((k, "algorithms"), (n_problems, "problems")):
        if count < 2:
            raise DataError(f"`histories` must hold at least 2 {noun} to compare; got {count}.")
    gaps = histories.missing
    incomplete = np.asarray(gaps.any(axis=1))
    if not incomplete.any():
        return histories, ()
    if missing == "raise":
        where = [
            f"{histories.algorithms[j]} on {histories.problems[i]}" for i, j in np.argwhere(gaps)
        ]
        raise DataError(
            f"`histories` has no run of {listed(where, most=5)}. Add the runs, or leave out those "
            "problems with missing='drop'."
        )
    kept = [histories.problems[i] for i in np.flatnonzero(~incomplete)]
    if len(kept) < 2:
        raise DataError(
            f"`missing` cannot be 'drop': {plural(len(kept), 'problem')} of {n_problems} would be "
            "left with runs of every algorithm."
        )
    dropped = [histories.problems[i] for i in np.flatnonzero(incomplete)]
    text = (
        f"{plural(len(dropped), 'problem')} of {n_problems}, on which an algorithm has no run, "
        f"{'is' if len(dropped) == 1 else 'are'} left out: {listed(dropped, most=10)}."
    )
    return histories.select(problems=kept), (Note("dropped", text),)
