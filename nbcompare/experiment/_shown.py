"""An experiment as its digest, as dataframes, and as the table that displays it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare import _tables
from nbcompare._arrays import FloatArray, digest, mean_over
from nbcompare._options import MAXIMIZE, better, nouns_of
from nbcompare._render import MOST_ROWS, Column, Table, format_numbers
from nbcompare._validation import DataError
from nbcompare.experiment import _beside
from nbcompare.experiment._scores import Scores

if TYPE_CHECKING:
    import pandas as pd


def fingerprint_of(experiment: Scores) -> str:
    """Return the digest of direction, labels and scores, each axis in the order of its labels."""
    axes = {name: getattr(experiment, name) for name in ("datasets", "algorithms", "folds")}
    keys = {**axes, "folds": _tables.natural_order(experiment.folds)}
    orders = [sorted(range(len(key)), key=key.__getitem__) for key in keys.values()]
    described: dict[str, Any] = {
        "direction": experiment.direction,
        **{name: [axes[name][i] for i in order] for name, order in zip(axes, orders, strict=True)},
        "n_runs": experiment.n_runs,
        "is_interval": experiment.is_interval,
    }
    if experiment.unit == "items":
        described["unit"] = "items"
    if experiment.clusters is not None:
        described["clusters"] = experiment.clusters[np.ix_(orders[0], orders[2])].tolist()
    if experiment.turned:
        described["turned"] = sorted(experiment.turned)
    cells = np.ix_(*orders)
    ends = (experiment.lower, experiment.upper)[: 1 + experiment.is_interval]
    return digest(described, [end[cells] for end in ends])


def wide_frame(experiment: Scores) -> pd.DataFrame:
    """Return mean scores, a row per data set, a column per algorithm."""
    import pandas as pd

    if experiment.is_interval:
        raise DataError("the scores are intervals, which have no mean. Use to_frame('long').")
    means = experiment.mean_scores
    means, _ = _beside.negated(means, means, experiment.is_turned)
    index = pd.Index(experiment.datasets, name="dataset")
    return pd.DataFrame(means.copy(), index=index, columns=list(experiment.algorithms))


def long_frame(experiment: Scores) -> pd.DataFrame:
    """Return a row per score."""
    import pandas as pd

    filled = np.nonzero(~np.isnan(experiment.lower))
    axes = {name: getattr(experiment, f"{name}s") for name in ("dataset", "algorithm", "fold")}
    columns: dict[str, Any] = {
        name: np.array(axis, dtype=object)[codes]
        for (name, axis), codes in zip(axes.items(), filled, strict=False)
    }
    codes = filled[3] if experiment.run_codes is None else experiment.run_codes[filled]
    numbered = all(str(r + 1) == label for r, label in enumerate(experiment.runs or ()))
    columns["run"] = codes + 1 if numbered else np.array(experiment.runs, dtype=object)[codes]
    if experiment.unit == "items":
        columns["item"] = columns.pop("fold")
        if experiment.n_runs == 1:
            del columns["run"]
    if experiment.clusters is not None:
        columns["cluster"] = experiment.clusters[filled[0], filled[2]]
    names = ("lower", "upper") if experiment.is_interval else ("score",)
    columns |= {name: ends[filled] for name, ends in zip(names, experiment.given, strict=False)}
    if experiment.turned:
        columns["higher_is_better"] = (np.array(experiment.ways) == MAXIMIZE)[filled[0]]
    if experiment.domains is not None:
        columns["domain"] = np.array(experiment.domains, dtype=object)[filled[0]]
    return pd.DataFrame(columns)


def display_table(experiment: Scores) -> Table:
    """Return a table of the mean scores of the first data sets."""
    shown = slice(MOST_ROWS)
    columns = [Column(nouns_of(experiment.unit)[0])]
    cells = [list(experiment.datasets[shown])]
    lower, upper = (means_of(experiment, ends[shown]) for ends in experiment.given)
    if experiment.domains is not None:
        columns.append(Column("group"))
        cells.append(list(experiment.domains[shown]))
    for position, name in enumerate(experiment.algorithms):
        columns.append(Column(name, number=True))
        low, high = (format_numbers(end[:, position]) for end in (lower, upper))
        texts = [a if a == b else f"[{a}, {b}]" for a, b in zip(low, high, strict=True)]
        if experiment.n_infinite:
            for row in np.flatnonzero(np.isinf(lower[:, position])):
                texts[row] = experiment.infinite
        if experiment.deviations is not None:
            deviations = experiment.deviations[shown, position]
            for row in np.flatnonzero(~np.isnan(deviations)):
                texts[row] = f"{texts[row]} ± {format_numbers(deviations)[row]}"
        cells.append(texts)
    caption = experiment.measure or "Scores"
    if experiment.n_folds * experiment.n_runs > 1:
        caption = f"Mean {experiment.measure or 'scores'}"
    if experiment.deviations is not None:
        caption = f"{caption} ± standard deviation"
    return Table(
        tuple(columns),
        tuple(zip(*cells, strict=True)),
        caption=f"{caption} ({better(experiment.direction, experiment.turned)})",
        n_hidden=max(0, experiment.n_datasets - MOST_ROWS),
    )


def means_of(experiment: Scores, scores: FloatArray) -> FloatArray:
    """Return means over runs, then folds; an infinite score is the only one of its cell."""
    return scores[:, :, 0, 0] if experiment.n_infinite else mean_over(mean_over(scores))
