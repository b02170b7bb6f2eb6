"""What a table says of data sets and runs beside their scores: groups, directions, failures.

A column may say it, or an argument.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import BETTER, MAXIMIZE, MINIMIZE
from nbcompare._render import Note, plural
from nbcompare._tables import RawTable
from nbcompare._tables.text_format import Unsettled
from nbcompare._validation import DataError, DirectionError, did_you_mean, listed, positions, shown
from nbcompare.experiment._facts import first_change
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._schema import HIGHER, LOWER

_OPPOSITE = {MAXIMIZE: MINIMIZE, MINIMIZE: MAXIMIZE}
# Words in the names of measures of which low values are better, and high ones
_LOW = re.compile("errors?|err|loss|losses|logloss|rmse|mse|mae|mape|nll|perplexity|regret|runtime")
_HIGH = re.compile("accuracy|acc|auc|auroc|aucroc|precision|recall|kappa|mcc|reward|return")
_YES, _NO = (*HIGHER, "true", "1", "yes"), (*LOWER, "false", "0", "no")


def beside(
    table: RawTable,
    reading: Reading,
    roles: Mapping[str, tuple[str, ...]],
    codes: npt.NDArray[np.signedinteger[Any]],
    names: Sequence[str],
) -> tuple[tuple[str, ...] | None, BoolArray | None]:
    """Return the groups of the data sets, and for each whether high scores are better.

    Each is None if neither a column nor an argument says it. ``codes`` are the data sets of the
    rows, by their position in ``names``.
    """
    domains: tuple[str, ...] | None = None
    if isinstance(reading.domain, Mapping):
        domains = by_name(reading.domain, names, "domain", "data set", f"{table.source}: ")
    elif "domain" in roles:
        domains = _constant(table, "domain", roles["domain"][0], codes, names)
    higher = None
    if "higher_is_better" in roles:
        column = roles["higher_is_better"][0]
        for word in table.coded_labels(column)[1]:
            if word.casefold() not in _YES + _NO:
                raise DataError(
                    f"{table.source}: column {column!r} must be true or false (or yes or no, 1 or "
                    f"0, higher or lower), whether higher scores are better; got {shown(word)}."
                )
        words = _constant(table, "higher_is_better", column, codes, names)
        higher = np.array([word.casefold() in _YES for word in words], dtype=np.bool_)
    given = reading.direction
    if given is None:
        return domains, higher
    if isinstance(given, str):
        maximized = np.full(len(names), given == MAXIMIZE)
    else:
        ways = by_name(given, names, "direction", "data set", f"{table.source}: ")
        maximized = np.array([way == MAXIMIZE for way in ways], dtype=np.bool_)
    if higher is not None and (differs := maximized != higher).any():
        place = int(np.argmax(differs))
        way = MAXIMIZE if higher[place] else MINIMIZE
        raise DirectionError(
            f"{table.source}: the column for `higher_is_better` says that {BETTER[way]} on data "
            f"set {shown(names[place])}, but `direction` says {_OPPOSITE[way]!r}. Leave out one of "
            "the two."
        )
    return domains, maximized


def by_name(
    given: Mapping[Any, str], names: Sequence[str], argument: str, noun: str, where: str = ""
) -> tuple[str, ...]:
    """Return what a mapping says of each name; None stands for all that it does not have."""
    unknown = [name for name in given if name is not None and name not in names]
    if unknown:
        raise DataError(
            f"{where}`{argument}` must name {noun}s, of {listed(names)}; got {shown(unknown[0])}."
            f"{did_you_mean(unknown[0], names)}"
        )
    left = [name for name in names if name not in given]
    if left and None not in given:
        raise DataError(
            f"{where}`{argument}` must be given for every {noun}; it is not for {listed(left)}."
        )
    return tuple(given[name] if name in given else given[None] for name in names)


def _constant(
    table: RawTable,
    role: str,
    column: str,
    datasets: npt.NDArray[np.signedinteger[Any]],
    names: Sequence[str],
) -> tuple[str, ...]:
    """Return the label that a column gives each data set, the same in all of its rows."""
    codes, labels = table.coded_labels(column)
    if (change := first_change(codes, datasets)) is not None:
        row, before = change
        raise DataError(
            f"{table.cell(row, column)} says {shown(labels[int(codes[row])])}, and row "
            f"{table.row_number(before)} says {shown(labels[int(codes[before])])} of data set "
            f"{shown(names[int(datasets[row])])}; `{role}` must be one for each data set."
        )
    return tuple(labels[int(code)] for code in codes[np.unique(datasets, return_index=True)[1]])


# -------------------------------------------------------------------------- directions


def undirected() -> DirectionError:
    """Return the error that nothing says what is better."""
    return DirectionError(
        f"`direction` must be {MAXIMIZE!r} or {MINIMIZE!r}; got None. If a column says of each "
        "data set which is better, name it with higher_is_better=."
    )


def doubt_about(measure: str | None, direction: str) -> Note | None:
    """Return a note if the name of a measure says that the other direction is better."""
    words = re.split(r"[\W_\d]+", str(measure or "").casefold())
    low, high = (any(map(pattern.fullmatch, words)) for pattern in (_LOW, _HIGH))
    if low == high or low == (direction == MINIMIZE):
        return None
    return Note(
        "direction",
        f"The measure is called {measure!r}, of which {BETTER[_OPPOSITE[direction]]} as a rule; "
        f"here {BETTER[direction]}. Is the direction right?",
    )


def majority(maximized: BoolArray, datasets: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the more frequent direction (``maximize`` of two), and the other data sets."""
    is_high = bool(2 * maximized.sum() >= len(maximized))
    turned = tuple(datasets[int(i)] for i in np.flatnonzero(maximized != is_high))
    return MAXIMIZE if is_high else MINIMIZE, turned


def ways_of(direction: str, datasets: Sequence[str], turned: Sequence[str]) -> list[str]:
    """Return the direction of each data set."""
    there = set(turned)
    return [_OPPOSITE[direction] if name in there else direction for name in datasets]


def mask_of(turned: Sequence[str], datasets: Sequence[str]) -> BoolArray:
    """Return which data sets are in ``turned``."""
    there = set(turned)
    if not there:
        return np.zeros(len(datasets), dtype=np.bool_)
    return np.array([name in there for name in datasets], dtype=np.bool_)


def negated(lower: FloatArray, upper: FloatArray, rows: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Negate the scores of some data sets, whose ends change places.

    Both ends stay one array if they are one.
    """
    if not rows.any():
        return lower, upper
    low, high = lower.copy(), upper.copy()
    # 0.0 - x has no negative zeros
    low[rows], high[rows] = 0.0 - upper[rows], 0.0 - lower[rows]
    return low, low if upper is lower else high


_TIMES = {"par2": 2.0, "par10": 10.0}
_EFFECT = {
    "worst": "count as the worst score of their data set",
    "par2": "count as twice the cutoff",
    "par10": "count as ten times the cutoff",
    "drop": "were left out with their whole data sets",
    "missing": "count as missing scores, which favours algorithms that fail where others do badly",
}


class Settled(NamedTuple):
    """Scores after failed runs were treated, and which of them were left out."""

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
    treatment, values, effect = reading.failed, values.copy(), _EFFECT.get(reading.failed or "")
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
    elif np.isin(values[~failed & ~np.isnan(values)], (0.0, 1.0)).all():
        values[failed], effect = sign[failed] > 0, "count as wrong answers"
    else:
        values[failed] = _worst(values, failed, datasets, reading.cutoff, sign)[failed]
    at = f" of {reading.cutoff:.15g}" if treatment in _TIMES else ""
    text = f"{plural(int(failed.sum()), 'failed run')} {effect}{at}."
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
