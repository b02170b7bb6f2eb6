"""Rows that hold statistics of other rows, known by their numbers alone.

A row that equals the means, medians, sums, average ranks, standard deviations, numbers of wins or
numbers of scores of the columns is a summary, wherever it stands and whatever it is called.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray

LEAST = 4  # rows with which a summary is evidence
_CERTAIN, _LIKELY = -4.5, -2.5  # common logarithms of the probability of an accident
_MOST_PLACES = 7
_SAMPLE = 2_000
_MOST_RANKED = 200_000  # scores that are ranked
_MOST_COLUMNS = 200
_ROWS_OF_BEST = 6  # in which no algorithm is the best of all others by accident
_MANY = 20_000  # rows of a long table
_ROUNDS = 4


class Summary(NamedTuple):
    """A row that seems to summarise others: its place, as what, and how surely."""

    row: int
    what: str
    certain: bool


def decimals(values: FloatArray) -> FloatArray:
    """Return how many decimals each number is written with, up to seven."""
    places = np.full(values.shape, float(_MOST_PLACES))
    for digits in range(_MOST_PLACES - 1, -1, -1):
        with np.errstate(invalid="ignore", over="ignore"):
            is_round = np.abs(values - np.round(values, digits)) <= 1e-10 * np.maximum(
                1, np.abs(values)
            )
        places[is_round] = digits
    return places


def summaries(values: FloatArray, least: int = LEAST) -> list[Summary]:
    """Return the rows that summarise others.

    Parameters
    ----------
    values : ndarray of float, shape (n_rows, n_columns)
        Scores; NaN where there is none.
    least : int
        Rows that must be there beside a summary.
    """
    # so many columns are evidence enough
    values = values[:, :: max(1, values.shape[1] // _MOST_COLUMNS)]
    rows = np.arange(len(values))
    found: list[Summary] = []
    for _ in range(_ROUNDS):
        if len(rows) <= least or values.shape[1] < 2:
            break
        new = _first(values if not found else values[rows], least)
        if not new:
            break
        found += [each._replace(row=int(rows[each.row])) for each in new]
        rows = np.delete(rows, [each.row for each in new])
    blocks = np.split(rows, np.searchsorted(rows, sorted(each.row for each in found)))
    for block in blocks if len(blocks) > 1 else ():  # a part of the rows, summarised below it
        if len(block) > least:
            new = [each for each in _first(values[block], least) if each.certain]
            found += [each._replace(row=int(block[each.row])) for each in new]
    return found


def best_of_others(values: FloatArray) -> list[Summary]:
    """Return columns that hold, in every row, the largest or smallest of the other columns.

    At least two of these must have it alone somewhere, for an algorithm may well equal another.
    """
    n_rows, n_columns = values.shape
    if n_rows < _ROWS_OF_BEST or n_columns < 3 or n_rows > _MANY or np.isnan(values).any():
        return []
    found = []
    for column in range(n_columns):
        others = np.delete(values, column, axis=1)
        for what, best in (("largest", others.max(axis=1)), ("smallest", others.min(axis=1))):
            if (values[:, column] != best).any():
                continue
            first = others == best[:, np.newaxis]
            winners = first[first.sum(axis=1) == 1].sum(axis=0)
            if np.sort(winners)[-2] >= 2:
                found.append(Summary(column, f"the {what} scores", certain=True))
    return found


def _first(values: FloatArray, least: int) -> list[Summary]:
    n_rows = len(values)
    there = ~np.isnan(values)
    sample = values[:: max(1, n_rows // _SAMPLE)]
    # of long tables only where it is asked for
    places = decimals(values) if n_rows <= _MANY else None
    few = slice(None, None, max(1, n_rows // 200))
    printed = float(decimals(values[few])[there[few]].max(initial=0))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns without a score
        sizes = _Sizes(np.nanmedian(sample, axis=0), _spreads(sample), sample)
    found: dict[int, Summary] = {}
    if places is None:
        expectations = _of_all_others(values)
    else:
        arrays = _expectations(values, there, least)
        expectations = ((what, units, _cells_of(array)) for what, units, array in arrays)
    for what, units, expected in expectations:
        # computed from the scores as they are printed, or before they were rounded
        for slack in {0.0, max(units, 0.0) * 10.0**-printed}:
            for row in _agreeing(values, places, expected, slack if units >= 0 else -1.0):
                if row in found and found[row].certain:
                    continue
                own = values[row, there[row]]
                digits = decimals(own)
                if units > 0 and sizes.is_coarse(digits, there[row]):
                    continue
                if units > 0 and len(own) > 1 and {1.0, 100.0} >= set(own.tolist()):
                    continue  # all algorithms solve it: the best score there is
                # one number of those that scores are written with, or some around it
                width = 0.5 * 10.0 ** -np.maximum(digits, printed) + slack
                chance = sizes.chance(own, there[row], width)
                chance += float(np.log10(60 * n_rows))
                if chance < _LIKELY:
                    found[row] = Summary(row, what, chance < _CERTAIN)
    certain = [each for each in found.values() if each.certain]
    return certain or list(found.values())


_Expected = Callable[[IntArray, int], FloatArray]  # what some rows would have in a column


def _cells_of(array: FloatArray) -> _Expected:
    return lambda rows, column: array[rows, column]


def _of_all_others(values: FloatArray) -> Iterator[tuple[str, float, _Expected]]:
    """Yield the means and the sums of all other rows; no others are probable in a long table."""
    counts = np.count_nonzero(values == values, axis=0)
    totals = values.sum(axis=0) if (counts == len(values)).all() else np.nansum(values, axis=0)

    def means(rows: IntArray, column: int) -> FloatArray:
        own = values[rows, column]
        others: FloatArray = counts[column] - (own == own).astype(np.float64)
        return np.asarray((totals[column] - np.nan_to_num(own)) / others)

    def sums(rows: IntArray, column: int) -> FloatArray:
        return np.asarray(totals[column] - np.nan_to_num(values[rows, column]))

    yield "the means", 1.0, means
    yield "the sums", 2.0 * float(len(values)) ** 0.5, sums


def _agreeing(
    values: FloatArray, places: FloatArray | None, expected: _Expected, slack: float
) -> list[int]:
    """Return the rows that equal what is expected in every column, exactly if below 0."""
    candidates = np.arange(len(values))
    for column in range(values.shape[1]):
        own = values[candidates, column]
        with np.errstate(invalid="ignore"):
            away = np.abs(expected(candidates, column) - own) - 1e-9 * np.abs(own)
        away[np.isnan(away)] = np.inf
        away[np.isnan(own)] = -np.inf  # a gap contradicts nothing
        if slack >= 0:
            # most rows are further away than any rounding
            near = away <= 0.51 + slack
            candidates, own, away = candidates[near], own[near], away[near]
            digits = decimals(own) if places is None else places[candidates, column]
            away = away - (0.51 * 10.0**-digits + slack)
        candidates = candidates[away <= 0]
        if not candidates.size:
            break
    there = ~np.isnan(values[candidates])
    found: list[int] = candidates[there.sum(axis=1) >= max(2, 0.6 * values.shape[1])].tolist()
    return found


class _Sizes(NamedTuple):
    """How scores spread in each column: the probability that a row agrees by accident."""

    middle: FloatArray
    spread: FloatArray
    sample: FloatArray

    def is_coarse(self, places: FloatArray, columns: BoolArray) -> bool:
        """Tell whether a row has so few decimals that it agrees with anything near."""
        width = 10.0**-places
        return bool((width > 0.5 * np.maximum(self.spread[columns], 1e-300)).mean() > 0.5)

    def chance(self, own: FloatArray, columns: BoolArray, width: FloatArray) -> float:
        """Return the common logarithm of the probability of an agreement up to a width."""
        spread = np.maximum(self.spread[columns], np.abs(own - self.middle[columns]))
        share = np.where(spread > 0, 2 * width / np.where(spread > 0, spread, 1), 1.0)
        with np.errstate(invalid="ignore"):
            near = np.abs(self.sample[:, columns] - own) <= width
        # the row itself is one of those that are near
        frequent = (near.sum(axis=0) - 1) / max(len(self.sample) - 1, 1)
        return float(np.log10(np.clip(np.maximum(share, frequent), 1e-12, 1)).sum())


def _spreads(values: FloatArray) -> FloatArray:
    """Return how much scores vary: those of the first column, the others against it."""
    beside = values - values[:, :1]
    beside[:, 0] = values[:, 0]
    quantile = np.nanquantile if np.isnan(beside).any() else np.quantile
    low, high = quantile(beside, [0.1, 0.9], axis=0)
    return np.asarray(high - low, dtype=np.float64)


def _expectations(
    values: FloatArray, there: BoolArray, least: int
) -> Iterator[tuple[str, float, FloatArray]]:
    """Yield statistics of the other rows, of those before and of those after each row."""
    filled = np.where(there, values, 0.0)
    n = values.shape[0]

    def around(each: FloatArray) -> Iterator[FloatArray]:
        total, before = each.sum(axis=0), np.cumsum(each, axis=0) - each
        yield total - each
        yield np.where(np.arange(n)[:, np.newaxis] >= least, before, np.nan)
        yield np.where(np.arange(n)[:, np.newaxis] < n - least, total - each - before, np.nan)

    counts = list(around(there.astype(np.float64)))
    squares = filled - filled[:1]  # so that little is lost by subtraction
    with np.errstate(all="ignore"):
        for count, total in zip(counts, around(filled), strict=True):
            yield "the means", 1.0, total / count
            yield "the sums", 2.0 * float(n) ** 0.5, total
        for count, one, two in zip(counts, around(squares), around(squares**2), strict=True):
            variance = np.maximum(two - one**2 / count, 0)
            yield "the standard deviations", 2.0, np.sqrt(variance / (count - 1))
            yield "the standard deviations", 2.0, np.sqrt(variance / count)
        if (filled >= 0).all() and (filled[there] > 0).all() and n <= _SAMPLE:
            logs = np.where(there, np.log(np.where(there, values, 1.0)), 0.0)
            for count, total in zip(counts, around(logs), strict=True):
                yield "the geometric means", 2.0, np.exp(total / count)
    yield "the medians", 1.0, _medians(values)
    for count in counts:
        yield "the numbers of scores", -1.0, count
    complete: BoolArray = np.asarray(there.all(axis=1))
    if complete.sum() > 1 and values.size * values.shape[1] <= _MOST_RANKED * 10:
        counts = list(around(np.where(complete[:, np.newaxis], 1.0, 0.0) + 0 * filled))
        for better in (values, -values):
            below = (better[:, np.newaxis, :] < better[:, :, np.newaxis]).sum(axis=2)
            equal = (better[:, np.newaxis, :] == better[:, :, np.newaxis]).sum(axis=2)
            for count, total in zip(
                counts, around(_of(complete, below + (equal + 1) / 2.0)), strict=True
            ):
                with np.errstate(all="ignore"):
                    yield "the average ranks", 0.0, total / count
            first = below == 0
            for total in around(_of(complete, first)):
                yield "the numbers of wins", -1.0, total
            for total in around(_of(complete, first & (equal == 1))):
                yield "the numbers of wins", -1.0, total


def _of(rows: BoolArray, numbers: npt.NDArray[Any]) -> FloatArray:
    made: FloatArray = np.where(rows[:, np.newaxis], numbers, 0).astype(np.float64)
    return made


def _medians(values: FloatArray) -> FloatArray:
    """Return the medians of the columns without each row."""
    n = len(values)
    found = np.full(values.shape, np.nan)
    for column in range(values.shape[1]):
        there = np.flatnonzero(~np.isnan(values[:, column]))
        if len(there) < 2:
            continue
        order = there[np.argsort(values[there, column], kind="stable")]
        ordered = values[order, column]
        m = len(ordered) - 1
        place = np.arange(m + 1)

        def without(i: int) -> FloatArray:
            return np.asarray(np.where(i < place, ordered[min(i, m)], ordered[min(i + 1, m)]))  # noqa: B023

        found[order, column] = (without((m - 1) // 2) + without(m // 2)) / 2
        if len(there) < n:
            found[np.isnan(values[:, column]), column] = np.median(ordered)
    return found
