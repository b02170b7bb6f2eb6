"""Runs that failed: which they are, by a status or a cutoff, and what becomes of their scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._render import plural
from nbcompare._tables import RawTable
from nbcompare._tables.doubt import Unsettled
from nbcompare._validation import positions
from nbcompare.experiment._reading import Reading

_TIMES = {"par2": 2.0, "par10": 10.0}
_EFFECT = {
    "worst": "count as the worst score of their data set",
    "par2": "count as twice the cutoff",
    "par10": "count as ten times the cutoff",
    "drop": "were left out with their whole data sets",
    "missing": "count as missing scores, which favours algorithms that fail where others do badly",
}


class Settled(NamedTuple):
    """Scores after what is said of failed runs, and which of them were left out."""

    values: FloatArray
    kept: BoolArray
    sentence: str = ""


def failed_rows(table: RawTable, reading: Reading, column: str | None) -> BoolArray | None:
    """Return the rows of failed runs, as the status says; None without one."""
    if column is None:
        return None
    codes, labels = table.coded_labels(column)
    return ~np.isin(codes, positions(reading.ok, tuple(labels), "ok"))


def settled(
    values: FloatArray,
    failed: BoolArray | None,
    datasets: IntArray,
    reading: Reading,
    maximized: BoolArray | None,
    source: str,
) -> Settled:
    """Replace the scores of failed runs, or leave them out.

    Parameters
    ----------
    values : ndarray of float
        Scores; NaN where there is none.
    failed : ndarray of bool or None
        The runs that failed, as a status says.
    datasets : ndarray of int
        The data set of each score, by number.
    reading : Reading
        What the caller says of failures.
    maximized : ndarray of bool or None
        Whether high scores are better, by data set; None, as in tables of times: low ones are.
    source : str
        The name of the table, for errors.

    Raises
    ------
    Unsettled
        If runs failed, and nothing says what becomes of them.
    """
    kept = np.ones(values.shape, dtype=np.bool_)
    high = np.zeros(1 + datasets.max(initial=0), np.bool_) if maximized is None else maximized
    sign = np.where(high, -1.0, 1.0)[datasets]  # with which high scores are bad
    if reading.cutoff is not None:
        with np.errstate(invalid="ignore"):
            beyond: BoolArray = np.asarray(sign * values >= sign * reading.cutoff)
        failed = beyond if failed is None else failed | beyond
    if failed is None or not failed.any():
        return Settled(values, kept)
    treatment, values = reading.failed, values.copy()
    if treatment is None:
        words = ["worst", *(["par10"] if reading.cutoff is not None else []), "missing", "drop"]
        raise Unsettled(
            f"{source}: {plural(int(failed.sum()), 'run')} failed, and nothing says what becomes "
            "of their scores.",
            [{"failed": word} for word in words],
        )
    if treatment in _TIMES and reading.cutoff is not None:
        if high.any() or reading.cutoff <= 0:  # so that a multiple would be better
            raise ValueError(
                "`failed` must be 'worst', 'drop' or 'missing' unless low scores are better and "
                f"`cutoff` is above 0, as for times; got {treatment!r}."
            )
        values[failed] = _TIMES[treatment] * reading.cutoff
    elif treatment == "missing":
        values[failed] = np.nan
    elif treatment == "drop":
        kept = ~np.isin(datasets, np.unique(datasets[failed]))
        if not kept.any():
            raise ValueError("`failed` must leave a data set; 'drop' leaves none.")
    else:
        values[failed] = _worst(values, failed, datasets, reading.cutoff, sign)[failed]
    text = f"{plural(int(failed.sum()), 'failed run')} {_EFFECT[treatment]}."
    return Settled(values, kept, text)


def _worst(
    values: FloatArray,
    failed: BoolArray,
    datasets: IntArray,
    cutoff: float | None,
    sign: FloatArray,
) -> FloatArray:
    """Return the worst score of the data set of each score, the cutoff included."""
    worst = np.full(int(datasets.max()) + 1, -np.inf)
    there = ~failed & ~np.isnan(values)
    np.maximum.at(worst, datasets[there], (sign * values)[there])
    if cutoff is not None:
        np.maximum.at(worst, datasets, sign * cutoff)
    # where all runs failed, all of them are as bad as the worst of data sets of one direction
    worst, alone = worst[datasets], np.isinf(worst)[datasets]
    for way in (-1.0, 1.0):
        rest = worst[~alone & (sign == way)]
        worst[alone & (sign == way)] = rest.max() if rest.size else 0.0
    return np.asarray(sign * worst)
