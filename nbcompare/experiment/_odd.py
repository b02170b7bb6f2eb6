"""Rows and columns whose numbers do not belong to the others: summaries, other measures, ids.

Numbers alone tell; no word does. A row that equals the means, medians, sums, average ranks,
standard deviations, numbers of wins or numbers of scores of the columns is a summary, wherever it
stands and whatever it is called.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple, Self

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare.experiment._facts import counts

LEAST = 4  # rows with which a summary is evidence
_CERTAIN, _LIKELY = -4.5, -2.5  # common logarithms of the probability of an accident
_MOST_PLACES = 7
_TENS = 10.0 ** np.arange(_MOST_PLACES)
_IN_A_BLOCK = 100_000  # numbers whose decimals are found at once
_MOST_IN_BLOCKS = 40  # rows of which every block is tried
_SAMPLE = 2_000
_MOST_RANKED = 200_000  # scores that are ranked
_MOST_COLUMNS = 200
_ROWS_OF_BEST = 6  # in which no algorithm is the best of all others by accident
_MANY = 20_000  # rows of a long table
_ROUNDS = 4
_FEW_ROWS = 3  # in which three columns rarely belong together by accident
_MOST_PAIRED = 40  # columns of which each two are combined
_AT_ONCE = 4_000_000  # numbers of the statistics that are compared
_RATIO = 100.0  # of a column to all others, on every row, from which it seems another measure
_LEAST_ROWS = 3
_WHOLE_ROWS = 8  # rows that are rarely whole by accident
_COUNTED_ROWS = 6
_UNRELATED_ROWS, _UNRELATED = 6, 0.6  # rows, and rank correlation below which nothing is shared


class Summary(NamedTuple):
    """A row that seems to summarise others: its place, as what, and how surely."""

    row: int
    what: str
    certain: bool


def decimals(values: FloatArray) -> FloatArray:
    """Return how many decimals each number is written with, up to seven."""
    places = np.empty(values.size)
    numbers = values.reshape(-1, 1)
    for start in range(0, values.size, _IN_A_BLOCK):
        block = numbers[start : start + _IN_A_BLOCK]
        around = 1e-10 * np.maximum(1, np.abs(block))
        with np.errstate(invalid="ignore", over="ignore"):
            fits = np.abs(block - np.rint(block * _TENS) / _TENS) <= around
        first = np.where(fits.any(axis=1), fits.argmax(axis=1), _MOST_PLACES)
        places[start : start + _IN_A_BLOCK] = first
    return places.reshape(values.shape)


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

    At least two of these must have it alone somewhere, for an algorithm may well equal another;
    twice each if it is certain.
    """
    n_rows, n_columns = values.shape
    if n_rows < _ROWS_OF_BEST or n_columns < 3 or n_rows > _MANY or np.isnan(values).any():
        return []
    found = []
    for what, best in (("largest", values.max(axis=1)), ("smallest", values.min(axis=1))):
        are_best = values == best[:, np.newaxis]
        if (are_best.sum(axis=1) < 2).any():
            continue  # one of which is not from the other columns
        for column in np.flatnonzero(are_best.all(axis=0)).tolist():
            first = np.delete(are_best, column, axis=1)
            winners = first[first.sum(axis=1) == 1].sum(axis=0)
            if second := int(np.sort(winners)[-2]):
                found.append(Summary(column, f"the {what} scores", second > 1))
    return found


def computed_of_two(values: FloatArray) -> list[Summary]:
    """Return columns that hold, in every row, the ratio or the difference of two others.

    Of three columns that belong together so, it is the one whose numbers are the least like the
    other two.
    """
    n_columns = values.shape[1]
    if len(values) < LEAST or not 3 <= n_columns <= _MOST_PAIRED:
        return []
    rows = values[np.flatnonzero(~np.isnan(values[:_MANY]).any(axis=1))[:_SAMPLE]]
    if len(rows) < LEAST:
        return []
    few = rows[:_FEW_ROWS]
    half, found = _half_of_last_decimal(few), dict[int, Summary]()
    numbers, slack = _combined(few, half)
    away = np.abs(numbers[..., np.newaxis] - few[:, np.newaxis, np.newaxis, :])
    agree = (away <= half + slack[..., np.newaxis]).all(axis=1)
    for place, one, other, column in np.argwhere(agree).tolist():
        if len({one, other, column}) < 3 or column in found:
            continue
        chance = _chance_of_three(rows[:, [column, one, other]], place)
        chance += 3 * np.log10(n_columns) + 1
        if chance < _LIKELY:
            found[column] = Summary(column, f"the {_OF_TWO[place]} of two", chance < _CERTAIN)
    return list(found.values())


def _half_of_last_decimal(rows: FloatArray) -> FloatArray:
    """Return how far rounding may have moved the numbers of each column."""
    half: FloatArray = 0.51 * 10.0 ** -decimals(rows).max(axis=0)
    return half


def _chance_of_three(rows: FloatArray, place: int) -> float:
    """Return the common logarithm of the probability that a column agrees with two by accident.

    It is 0 where the column, the first, is not what is computed of the two others, or is more like
    one of them than these are like each other.
    """
    half, own = _half_of_last_decimal(rows), rows[:, 0]
    are_negative = (rows < 0).any(axis=0).astype(np.float64)
    sizes = np.log(np.maximum(np.median(np.abs(rows), axis=0), 1e-300))
    oddness = are_negative if are_negative.sum() == 1 else np.abs(sizes - np.median(sizes))
    numbers, slack = (each[place, :, 0, 1] for each in _combined(rows[:, 1:], half[1:]))
    allowed = half[0] + slack
    if np.argmax(oddness) > 0 or not (np.abs(numbers - own) <= allowed).all():
        return 0.0
    low, high = np.quantile(own, [0.1, 0.9])
    frequent = (np.abs(own[:, np.newaxis] - own) <= allowed[:, np.newaxis]).mean(axis=1)
    share = np.maximum(2 * allowed / max(high - low, 1e-300), frequent)
    return float(np.log10(np.clip(share, 1e-12, 1)).sum())


# What programs compute of two columns
_OF_TWO = (
    "differences",
    "ratios",
    "relative differences",
    "ratios in percent",
    "relative differences in percent",
)


def _combined(values: FloatArray, half: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what programs compute of two columns, and how far rounding may have moved it.

    Both have shape (n_kinds, n_rows, n_columns, n_columns): kind, row, first and second column.
    """
    one, other = values[:, :, np.newaxis], values[:, np.newaxis, :]
    apart = np.broadcast_to(half[:, np.newaxis] + half, (len(values), *[len(half)] * 2))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = one / other
        slack = np.abs(half[:, np.newaxis] / other) + np.abs(ratio * half / other)
        numbers = np.stack([one - other, ratio, ratio - 1, 100 * ratio, 100 * (ratio - 1)])
    return numbers, np.stack([apart, slack, slack, 100 * slack, 100 * slack])


def _first(values: FloatArray, least: int) -> list[Summary]:
    n_rows = len(values)
    few = values[:: max(1, n_rows // 200)]
    printed = float(decimals(few)[~np.isnan(few)].max(initial=0))
    sizes = cache(partial(_Sizes.of, values[:: max(1, n_rows // _SAMPLE)]))  # if a row agrees
    found: dict[int, Summary] = {}
    part, rows, kinds = values, np.arange(n_rows), partial(_statistics, values, least)
    if n_rows > _MANY:  # no other statistics are probable in a long table
        for column in values.T[:2]:
            rows = rows[_near_all_others(column, rows, 10.0**-printed)]
        if not len(rows):
            return []
        part = values[rows]
        kinds = partial(_of_all_others, values, part)
    passed: set[tuple[Any, ...]] = set()  # scores that may well agree, which many rows have
    for place, what, units, slack, is_fine in _agreeing(part, kinds, 10.0**-printed):
        row = int(rows[place])
        alike = (part[place].tobytes(), what == "the medians", units > 0, slack, is_fine)
        if alike in passed or (row in found and found[row].certain):
            continue
        passed.add(alike)
        there = ~np.isnan(part[place])
        own = part[place, there]
        places = decimals(own)
        if units > 0 and sizes().is_coarse(places, there):
            continue
        if units > 0 and len(own) > 1 and {1.0, 100.0} >= set(own.tolist()):
            continue  # all algorithms solve it: the best score there is
        # one number of those that scores are written with, or some around it; more if it is round
        width = 0.5 * 10.0 ** -(np.maximum(places, printed) if is_fine else places) + slack
        n_same = 2 if what == "the medians" else 1  # a median may be the score of a row
        chance = sizes().chance(own, there, width, n_same) + np.log10((60 + 2 * n_rows) * n_rows)
        if chance < _LIKELY:
            passed.remove(alike)
            found[row] = Summary(row, what, bool(chance < _CERTAIN))
    return [each for each in found.values() if each.certain] or list(found.values())


# What each row would have in each column if it were this of others (of all, of those before it, of
# those after it), and in how many units of the last printed decimal it may differ: none if it is
# exact, below 0 if it is a count
_Kind = tuple[str, float, FloatArray]


def _of_all_others(values: FloatArray, part: FloatArray, columns: slice) -> Iterator[_Kind]:
    """Yield the means and the sums of all rows other than each of a part."""
    values, part = values[:, columns], part[:, columns]
    there = ~np.isnan(part)
    sums = np.nansum(values, axis=0) - np.where(there, part, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        yield "the means", 1.0, (sums / ((~np.isnan(values)).sum(axis=0) - there))[np.newaxis]
    yield "the sums", 2.0 * float(len(values)) ** 0.5, sums[np.newaxis]


def _near_all_others(column: FloatArray, rows: IntArray, unit: float) -> BoolArray:
    """Tell which rows may hold the mean or the sum of all others in a column."""
    n_rows, total = int(np.count_nonzero(~np.isnan(column))), float(np.nansum(column))
    own = column[rows]
    with np.errstate(invalid="ignore"):
        # whole numbers may be rounded by half of one, others by half of a tenth
        around = np.where(own == np.rint(own), 0.51, 0.051) + 1e-9 * np.abs(own)
        is_mean = np.abs(own * n_rows - total) <= (around + unit) * max(n_rows - 1, 1)
        is_sum = np.abs(2 * own - total) <= around + 2 * unit * float(n_rows) ** 0.5
    return np.asarray(is_mean | is_sum | np.isnan(own))


def _agreeing(
    values: FloatArray, kinds: Callable[[slice], Iterator[_Kind]], unit: float
) -> list[tuple[int, str, float, float, bool]]:
    """Return the rows that equal a statistic in every column: row, what, its units, and the slack.

    They are computed from the scores as they are printed, or before they were rounded: then they
    differ by some units of the last decimal. The last part says whether they agree to the decimals
    of other rows, or only to their own, which are fewer.
    """
    enough = (~np.isnan(values)).sum(axis=1) >= max(2, 0.6 * values.shape[1])
    for columns in (slice(0, 2), slice(None)):  # few rows agree in two columns
        own = values[:, columns]
        around = 1e-9 * np.abs(own)
        rounding = around + 0.51 * 10.0 ** -decimals(own)
        found = []
        for names, units, expected in _batches(kinds(columns), values.size):
            slack = np.where(units < 0, -np.inf, units * unit)  # counts do not differ by rounding
            allowed = np.maximum(around[:, 0], rounding[:, 0] + slack[:, np.newaxis])
            with np.errstate(invalid="ignore"):
                away = np.abs(expected[..., 0] - own[:, 0])
            # a gap contradicts nothing
            which, rows = (((away <= allowed) | np.isnan(own[:, 0])) & enough).nonzero()
            # the few that agree in the first column are compared in all
            allowed = np.maximum(around[rows], rounding[rows] + slack[which, np.newaxis])
            with np.errstate(invalid="ignore"):
                away = np.abs(expected[which, rows] - own[rows])
            is_gap = np.isnan(own[rows])
            most = np.maximum(units, 0.0) * unit
            fine = around[rows] + 0.51 * unit + most[which, np.newaxis]
            agree, are_fine, are_exact = (
                ((away <= within) | is_gap).all(axis=1)
                for within in (allowed, fine, rounding[rows])
            )
            for place in np.flatnonzero(agree).tolist():
                kind, row, is_fine = int(which[place]), int(rows[place]), bool(are_fine[place])
                if units[kind] > 0 and are_exact[place]:
                    found.append((row, names[kind], units[kind], 0.0, is_fine))
                found.append((row, names[kind], units[kind], most[kind], is_fine))
        if not found:
            break
    return found


def _batches(
    kinds: Iterator[_Kind], size: int
) -> Iterator[tuple[list[str], FloatArray, FloatArray]]:
    """Yield as many statistics at once as fit the memory well: names, units, and the numbers."""
    while batch := list(islice(kinds, max(1, _AT_ONCE // (3 * size)))):
        names, units, numbers = zip(*batch, strict=True)
        sizes = list(map(len, numbers))
        yield np.repeat(names, sizes).tolist(), np.repeat(units, sizes), np.concatenate(numbers)


class _Sizes(NamedTuple):
    """How scores spread in each column: the probability that a row agrees by accident."""

    middle: FloatArray
    spread: FloatArray
    sample: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> Self:
        """Look at the scores of the first column, and at the others against it."""
        beside = values - values[:, :1]
        beside[:, 0] = values[:, 0]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of columns without a score
            low, high = np.nanquantile(beside, [0.1, 0.9], axis=0)
            return cls(np.nanmedian(values, axis=0), high - low, values)

    def is_coarse(self, places: FloatArray, columns: BoolArray) -> bool:
        """Tell whether a row has so few decimals that it agrees with anything near."""
        width = 10.0**-places
        return bool((width > 0.5 * np.maximum(self.spread[columns], 1e-300)).mean() > 0.5)

    def chance(self, own: FloatArray, columns: BoolArray, width: FloatArray, n_same: int) -> float:
        """Return the common logarithm of the probability of an agreement up to a width.

        Of the rows that are near, the row itself is one, and as many as ``n_same`` need no chance.
        """
        spread = np.maximum(self.spread[columns], np.abs(own - self.middle[columns]))
        share = np.where(spread > 0, 2 * width / np.where(spread > 0, spread, 1), 1.0)
        with np.errstate(invalid="ignore"):
            near = np.abs(self.sample[:, columns] - own) <= width
        frequent = np.maximum(near.sum(axis=0) - n_same, 0) / max(len(self.sample) - 1, 1)
        return float(np.log10(np.clip(np.maximum(share, frequent), 1e-12, 1)).sum())


def _statistics(values: FloatArray, least: int, columns: slice) -> Iterator[_Kind]:
    """Yield statistics of the other rows, of those before and of those after each row."""
    everywhere, all_there, n = values, ~np.isnan(values), len(values)
    values, there = everywhere[:, columns], all_there[:, columns]
    filled = np.where(there, values, 0.0)

    def around(*several: FloatArray) -> FloatArray:
        each = np.stack(several)
        before = np.cumsum(each, axis=1)
        found = np.empty((len(several), 3, *filled.shape))
        np.subtract(before[:, -1:], each, out=found[:, 0])
        np.subtract(before, each, out=found[:, 1])
        np.subtract(before[:, -1:], before, out=found[:, 2])
        found[:, 1, :least] = found[:, 2, max(n - least, 0) :] = np.nan
        return found

    squares = filled - filled[:1]  # so that little is lost by subtraction
    are_positive = n <= _SAMPLE and bool((values[there] > 0).all())
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = [np.log(np.where(there, values, 1.0))] if are_positive else []
        count, total, rest, squared, *logged = around(there, filled, squares, squares**2, *logs)
        yield "the means", 1.0, total / count
        yield "the sums", 2.0 * float(n) ** 0.5, total
        if n <= _MOST_IN_BLOCKS:
            yield "the means", 1.0, _means_of_blocks(filled, there, least)
        variance = np.maximum(squared - rest**2 / count, 0)
        yield "the standard deviations", 2.0, np.sqrt(variance / (count - 1))
        yield "the standard deviations", 2.0, np.sqrt(variance / count)
        for total in logged:
            yield "the geometric means", 2.0, np.exp(total / count)
    yield "the medians", 1.0, _medians(values)[np.newaxis]
    yield "the numbers of scores", -1.0, count
    complete, n_columns = all_there.all(axis=1, keepdims=True), everywhere.shape[1]
    if complete.sum() > 1 and everywhere.size * n_columns <= _MOST_RANKED * 10:
        pairs = everywhere[:, np.newaxis, :], everywhere[:, columns, np.newaxis]
        below, equal = (compare(*pairs).sum(axis=2) for compare in (np.less, np.equal))
        # smaller is better, or larger
        others = np.stack([below, n_columns - below - equal])
        ranks = np.where(complete, others + (equal + 1) / 2, 0)
        wins = complete & (others == 0)
        count, *found = around(complete + 0 * filled, *ranks, *wins, *(wins & (equal == 1)))
        for place in (0, 1):
            with np.errstate(divide="ignore", invalid="ignore"):
                average = found[place] / count
                yield "the average ranks", 0.0, average
                yield "the mean win rates", 0.0, (n_columns - average) / (n_columns - 1)
            yield "the numbers of wins", -1.0, found[2 + place]
            yield "the numbers of wins", -1.0, found[4 + place]


def _means_of_blocks(filled: FloatArray, there: BoolArray, least: int) -> FloatArray:
    """Return the means of any rows in sequence just before, or just after, each row."""
    start = np.zeros((1, *filled.shape[1:]))
    total, count = (np.concatenate([start, np.cumsum(it, axis=0)]) for it in (filled, there))
    ends = np.arange(len(total))
    with np.errstate(divide="ignore", invalid="ignore"):
        # of the rows from the first place on, up to the second
        means: FloatArray = (total - total[:, np.newaxis]) / (count - count[:, np.newaxis])
    means[ends - ends[:, np.newaxis] < least] = np.nan
    return np.concatenate([means[:, :-1], means[1:].swapaxes(0, 1)])


def _medians(values: FloatArray) -> FloatArray:
    """Return the medians of the columns without each row."""
    order = np.argsort(values, axis=0, kind="stable")  # NaN come last
    ordered, place = np.sort(values, axis=0), np.argsort(order, axis=0)
    there = ~np.isnan(values)
    number = there.sum(axis=0)  # of each column
    rest = number - there  # the places of the middle ones among these, and among all
    ends = np.stack([(rest - 1) // 2, rest // 2])
    ends = np.clip(ends + (place <= ends) * there, 0, len(values) - 1)
    middle = ordered[ends, np.arange(values.shape[1])].sum(axis=0) / 2
    return np.where(number < 2, np.nan, middle)


# -------------------------------------------------------------------- columns of other numbers


class Odd(NamedTuple):
    """A column that seems to hold something else, and what."""

    column: int
    what: str


def odd_columns(values: FloatArray, *, one_measure: bool = True) -> list[Odd]:
    """Return columns whose numbers are of another kind than those of most others.

    Parameters
    ----------
    values : ndarray of float, shape (n_rows, n_columns)
        Scores; NaN where there is none.
    one_measure : bool
        Whether the columns have one range, as algorithms on a data set do; data sets need not.
    """
    n_rows, n_columns = values.shape
    if n_rows < _LEAST_ROWS or n_columns < 2:
        return []
    part = values[:: max(1, n_rows // _SAMPLE)]
    known = ~np.isnan(part)
    share = (part == np.floor(part)).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    with_fractions = np.flatnonzero(share < 0.5)
    is_whole = (share == 1) & (len(with_fractions) >= max(2, n_columns / 3))
    starts_count = ((values[0] == 0) | (values[0] == 1)) & (n_rows >= _COUNTED_ROWS)
    low, high = (best.reduce(part, axis=1, keepdims=True) for best in (np.fmin, np.fmax))
    # what is far from all others is the largest, or the smallest, on every row
    is_inside = (part > low).any(axis=0) & (part < high).any(axis=0)
    is_outside = np.logical_and(one_measure, ~is_inside)
    found = []
    for column in np.flatnonzero(starts_count | is_outside | is_whole).tolist():
        is_counter = starts_count[column] and counts(values[:, column])
        what = "numbers of the rows" if is_counter else ""
        if not what and is_outside[column]:
            what = _of_ranges(part, column)
        if not what and is_whole[column]:
            what = _of_digits(part[known[:, column], column], part[:, with_fractions])
        if what:
            found.append(Odd(column, what))
    return found if len(found) <= n_columns * 2 / 3 else []


def _of_ranges(values: FloatArray, place: int) -> str:
    """Tell whether a column is far from all others on every row."""
    others = np.delete(values, place, axis=1)
    there = ~np.isnan(values[:, place]) & ~np.isnan(others).all(axis=1)
    own, others = values[there, place], others[there]
    low, high = np.fmin.reduce(others, axis=1), np.fmax.reduce(others, axis=1)
    if len(own) < _LEAST_ROWS:
        return ""
    if (own <= 0).any() or (low < 0).any() or not (high > 0).all():
        return ""
    span = f"numbers from {own.min():.4g} to {own.max():.4g}"
    span += f" beside {low.min():.4g} to {high.max():.4g}"
    if (own > _RATIO * high).all() or (own * _RATIO < low).all():
        return f"{span}, a hundred times as large or as small on every row"
    limit = 100 if high.max() > 1 else 1
    if not high.max() <= limit <= own.min():
        return ""
    middle = np.nanmedian(others, axis=1)
    if own.min() < own.max() and len(own) >= _UNRELATED_ROWS:
        ranks = [np.argsort(np.argsort(each)).astype(np.float64) for each in (own, middle)]
        if abs(np.corrcoef(ranks[0], ranks[1])[0, 1]) < _UNRELATED:
            return f"{span}, above {limit} and unrelated to these"
    is_percent = np.abs(own / 100 - middle) < 0.5 * middle + 0.05
    if limit == 1 < own.min() and own.max() <= 100 and is_percent.mean() > 0.9:
        return f"{span}, as percentages beside shares"
    return ""


def _of_digits(own: FloatArray, rest: FloatArray) -> str:
    """Tell whether a column of whole numbers is not a score beside columns with fractions."""
    low, high = float(np.nanmin(rest)), float(np.nanmax(rest))
    distinct = np.unique(own)
    if len(distinct) < 2 or (low >= 0 and high <= 1 and distinct.max() <= 1):
        return ""
    outside = own.min() > max(high, 0) or own.max() < low
    if not outside and (len(own) < _WHOLE_ROWS or own.max() > 1.5 * high):
        return ""
    return (
        f"whole numbers from {own.min():.15g} to {own.max():.15g} beside scores with fractions "
        f"from {low:.4g} to {high:.4g}"
    )
