"""What goes out of Histories: a dataframe, the table they display, their fingerprint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import FloatArray, digest, median_over
from nbcompare._options import BETTER
from nbcompare._render import MOST_ROWS, Column, Table, format_number, format_numbers, plural

if TYPE_CHECKING:
    import pandas as pd

    from nbcompare.histories._histories import Histories


def fingerprint(histories: Histories) -> str:
    """``sha256:...`` of direction, labels, points, values and optima, by order of labels."""
    rows = sorted(range(histories.n_problems), key=histories.problems.__getitem__)
    columns = sorted(range(histories.n_algorithms), key=histories.algorithms.__getitem__)
    described = {
        "direction": histories.direction,
        "problems": [histories.problems[i] for i in rows],
        "algorithms": [histories.algorithms[j] for j in columns],
        "shape": list(histories.values.shape),
        "has_optimum": histories.optimum is not None,
    }
    arrays = [histories.evaluations[rows], histories.values[np.ix_(rows, columns)]]
    if histories.optimum is not None:
        arrays.append(histories.optimum[rows])
    return digest(described, arrays)


def long_frame(histories: Histories) -> pd.DataFrame:
    """A row per value."""
    import pandas as pd

    filled = np.nonzero(~np.isnan(histories.values))
    problem, algorithm, run, point = filled
    columns: dict[str, Any] = {
        "problem": np.array(histories.problems, dtype=object)[problem],
        "algorithm": np.array(histories.algorithms, dtype=object)[algorithm],
        "run": run + 1,
        "evaluations": _whole(histories.evaluations)[problem, point],
        "value": histories.values[filled],
    }
    if histories.optimum is not None:
        columns["optimum"] = histories.optimum[problem]
    return pd.DataFrame(columns)


def display_table(histories: Histories) -> Table:
    """Number of runs and final medians on the first problems."""
    shown = slice(MOST_ROWS)
    final = median_over(histories.values[shown, :, :, -1])
    columns = [Column("problem"), Column("evaluations", number=True), Column("runs", number=True)]
    cells = [
        list(histories.problems[shown]),
        [evaluations_text(budget) for budget in histories.budgets[shown]],
        [_span(counts[counts > 0]) for counts in histories.n_runs[shown]],
    ]
    for position, name in enumerate(histories.algorithms):
        columns.append(Column(name, number=True))
        cells.append(format_numbers(final[:, position]))
    return Table(
        tuple(columns),
        tuple(zip(*cells, strict=True)),
        caption=f"Median final {histories.measure or 'value'} ({BETTER[histories.direction]})",
        n_hidden=max(0, histories.n_problems - MOST_ROWS),
    )


def described(histories: Histories) -> str:
    """``5 algorithms on 38 problems, 15 runs, 50 points to 100,000 evaluations, minimize``."""
    counts = histories.n_runs[histories.n_runs > 0]
    least, most = histories.budgets.min(), histories.budgets.max()
    span = evaluations_text(most)
    if least < most:
        span = f"{evaluations_text(least)}-{span}"
    return ", ".join(
        [
            f"{plural(histories.n_algorithms, 'algorithm')} on "
            f"{plural(histories.n_problems, 'problem')}",
            f"{_span(counts)} run{'s' if counts.max() > 1 else ''}",
            f"{plural(histories.n_points, 'point')} to {span} evaluation{'s' if most != 1 else ''}",
            *([histories.measure] if histories.measure else []),
            histories.direction,
        ]
    )


def evaluations_text(number: float) -> str:
    """``100,000``; a number that is not whole as it is."""
    return f"{number:,.0f}" if number == int(number) else format_number(float(number))


def _whole(evaluations: FloatArray) -> Any:
    whole = bool((evaluations == np.floor(evaluations)).all() and (evaluations < 2**53).all())
    return evaluations.astype(np.int64) if whole else evaluations


def _span(counts: Any) -> str:
    least, most = int(counts.min()), int(counts.max())
    return f"{most:,}" if least == most else f"{least:,}-{most:,}"
