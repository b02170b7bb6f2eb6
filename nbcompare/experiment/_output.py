"""What goes out of an Experiment: dataframes, the table it displays, its fingerprint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import FloatArray, digest, mean_over
from nbcompare._options import BETTER
from nbcompare._render import MOST_ROWS, Column, Table, format_numbers
from nbcompare._tables import natural_order
from nbcompare._validation import DataError

if TYPE_CHECKING:
    import pandas as pd

    from nbcompare.experiment._experiment import Experiment


def fingerprint(experiment: Experiment) -> str:
    """``sha256:...`` of direction, labels and scores, each axis in the order of its labels."""
    rows = sorted(range(experiment.n_datasets), key=experiment.datasets.__getitem__)
    columns = sorted(range(experiment.n_algorithms), key=experiment.algorithms.__getitem__)
    folds = sorted(range(experiment.n_folds), key=natural_order(experiment.folds).__getitem__)
    described = {
        "direction": experiment.direction,
        "datasets": [experiment.datasets[i] for i in rows],
        "algorithms": [experiment.algorithms[j] for j in columns],
        "folds": [experiment.folds[f] for f in folds],
        "n_runs": experiment.n_runs,
        "is_interval": experiment.is_interval,
    }
    order = np.ix_(rows, columns, folds)
    return digest(described, [ends[order] for ends in _ends(experiment).values()])


def wide_frame(experiment: Experiment) -> pd.DataFrame:
    """Mean scores, a row per data set, a column per algorithm."""
    import pandas as pd

    if experiment.is_interval:
        raise DataError("the scores are intervals, which have no mean; take to_frame('long').")
    return pd.DataFrame(
        experiment.mean_scores.copy(),
        index=pd.Index(experiment.datasets, name="dataset"),
        columns=list(experiment.algorithms),
    )


def long_frame(experiment: Experiment) -> pd.DataFrame:
    """A row per score."""
    import pandas as pd

    filled = np.nonzero(~np.isnan(experiment.lower))
    labels = {
        "dataset": experiment.datasets,
        "algorithm": experiment.algorithms,
        "fold": experiment.folds,
    }
    columns: dict[str, Any] = {
        name: np.array(axis, dtype=object)[codes]
        for (name, axis), codes in zip(labels.items(), filled, strict=False)
    }
    columns["run"] = filled[3] + 1
    return pd.DataFrame(columns | {name: ends[filled] for name, ends in _ends(experiment).items()})


def display_table(experiment: Experiment) -> Table:
    """Mean scores of the first data sets."""
    shown = slice(MOST_ROWS)
    columns = [Column("data set")]
    cells = [list(experiment.datasets[shown])]
    lower = mean_over(mean_over(experiment.lower[shown]))
    upper = mean_over(mean_over(experiment.upper[shown]))
    for position, name in enumerate(experiment.algorithms):
        columns.append(Column(name, number=True))
        ends = zip(
            format_numbers(lower[:, position]), format_numbers(upper[:, position]), strict=True
        )
        cells.append([low if low == high else f"[{low}, {high}]" for low, high in ends])
    if experiment.n_folds * experiment.n_runs > 1:
        caption = f"Mean {experiment.measure or 'scores'}"
    else:
        caption = experiment.measure or "Scores"
    return Table(
        tuple(columns),
        tuple(zip(*cells, strict=True)),
        caption=f"{caption} ({BETTER[experiment.direction]})",
        n_hidden=max(0, experiment.n_datasets - MOST_ROWS),
    )


def _ends(experiment: Experiment) -> dict[str, FloatArray]:
    if experiment.is_interval:
        return {"lower": experiment.lower, "upper": experiment.upper}
    return {"score": experiment.lower}
