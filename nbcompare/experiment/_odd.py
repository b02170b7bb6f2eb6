"""Rows and columns whose numbers do not belong to the others: summaries, other measures, ids.

Numbers alone tell; no word does. A row that equals the means, medians, sums, average ranks,
standard deviations, numbers of wins or numbers of scores of the columns is a summary, wherever it
stands and whatever it is called. Who calls this ignores warnings, of which gaps make many.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare.experiment._facts import counts

LEAST = 4  # rows with which a summary is evidence
_CERTAIN, _LIKELY = -4.5, -2.5  # common logarithms of the probability of an accident
_MOST_PLACES = 7
_TENS = 10.0 ** np.arange(_MOST_PLACES + 1)
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
_FAR = 5.0  # times the others, that shares or percentages seldom are
_UNRELATED_ROWS, _UNRELATED = 6, 0.6  # rows, and rank correlation below which nothing is shared


class Summary(NamedTuple):
    """A row that seems to summarise others: its place, as what, and how surely."""

    row: int
    what: str
    certain: bool


def decimals(values: FloatArray) -> IntArray:
    """Return how many decimals each number is written with, up to seven; none where none is."""
    places = np.empty(values.size, dtype=np.int64)
    numbers = values.reshape(-1, 1)
    for start in range(0, values.size, _IN_A_BLOCK):
        block = numbers[start : start + _IN_A_BLOCK]
        away = np.abs(block - np.rint(block * _TENS) / _TENS)
        differs = away > 1e-10 * np.maximum(1, np.abs(block))
        differs[:, _MOST_PLACES] = False
        places[start : start + _IN_A_BLOCK] = differs.argmin(axis=1)
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
    if not found:
        return found
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
    half: FloatArray = 0.51 / _TENS[decimals(rows).max(axis=0)]
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
    ratio = one / other
    slack = np.abs(half[:, np.newaxis] / other) + np.abs(ratio * half / other)
    numbers = np.array([one - other, ratio, ratio - 1, 100 * ratio, 100 * (ratio - 1)])
    return numbers, np.array([apart, slack, slack, 100 * slack, 100 * slack])


def _first(values: FloatArray, least: int) -> list[Summary]:
    n_rows = len(values)
    few = values[:: max(1, n_rows // 200)]
    unit = 1 / float(_TENS[decimals(few).max(initial=0)])
    sizes: _Sizes | None = None  # until a row agrees
    found: dict[int, Summary] = {}
    part, rows = values, np.arange(n_rows)
    kinds: Callable[[slice], list[_Kind]] = partial(_statistics, values, least)
    if n_rows > _MANY:  # no other statistics are probable in a long table
        for column in values.T[:2]:
            rows = rows[_near_all_others(column, rows, unit)]
        if not len(rows):
            return []
        part = values[rows]
        kinds = partial(_of_all_others, values, part)
    passed: set[tuple[Any, ...]] = set()  # scores that may well agree, which many rows have
    for place, what, units, slack, is_fine in _agreeing(part, kinds, unit):
        row = int(rows[place])
        alike = (part[place].tobytes(), what == "the medians", units > 0, slack, is_fine)
        if alike in passed or (row in found and found[row].certain):
            continue
        passed.add(alike)
        there = ~np.isnan(part[place])
        own = part[place, there]
        places = decimals(own)
        sizes = sizes or _Sizes.of(values[:: max(1, n_rows // _SAMPLE)])
        if units > 0 and sizes.is_coarse(places, there):
            continue
        if units > 0 and len(own) > 1 and {1.0, 100.0} >= set(own.tolist()):
            continue  # all algorithms solve it: the best score there is
        # one number of those that scores are written with, or some around it; more if it is round
        half = 0.5 / _TENS[places]
        width = np.asarray((np.minimum(half, 0.5 * unit) if is_fine else half) + slack)
        n_same = 2 if what == "the medians" else 1  # a median may be the score of a row
        chance = sizes.chance(own, there, width, n_same) + np.log10((60 + 2 * n_rows) * n_rows)
        if chance < _LIKELY:
            passed.remove(alike)
            found[row] = Summary(row, what, bool(chance < _CERTAIN))
    return [each for each in found.values() if each.certain] or list(found.values())


# What each row would have in each column if it were one of these statistics of others (of all, of
# those before it, of those after it): what, in how many units of the last printed decimal it may
# differ (none if it is exact, below 0 if it is a count), and the numbers of each, [column, row]
_Kind = tuple[str, float, FloatArray]


def _of_all_others(values: FloatArray, part: FloatArray, columns: slice) -> list[_Kind]:
    """Return the means and the sums of all rows other than each of a part."""
    values, part = values[:, columns], part[:, columns]
    there = ~np.isnan(part)
    sums = np.nansum(values, axis=0) - np.where(there, part, 0)
    means = sums / ((~np.isnan(values)).sum(axis=0) - there)
    return [
        ("the means", 1.0, means.T[np.newaxis]),
        ("the sums", 2.0 * float(len(values)) ** 0.5, sums.T[np.newaxis]),
    ]


def _near_all_others(column: FloatArray, rows: IntArray, unit: float) -> BoolArray:
    """Tell which rows may hold the mean or the sum of all others in a column."""
    n_rows, total = int(np.count_nonzero(~np.isnan(column))), float(np.nansum(column))
    own = column[rows]
    # whole numbers may be rounded by half of one, others by half of a tenth
    around = np.where(own == np.rint(own), 0.51, 0.051) + 1e-9 * np.abs(own)
    is_mean = np.abs(own * n_rows - total) <= (around + unit) * max(n_rows - 1, 1)
    is_sum = np.abs(2 * own - total) <= around + 2 * unit * float(n_rows) ** 0.5
    return np.asarray(is_mean | is_sum | np.isnan(own))


def _agreeing(
    values: FloatArray, kinds: Callable[[slice], list[_Kind]], unit: float
) -> list[tuple[int, str, float, float, bool]]:
    """Return the rows that equal a statistic in every column: row, what, its units, and the slack.

    They are computed from the scores as they are printed, or before they were rounded: then they
    differ by some units of the last decimal. The last part says whether they agree to the decimals
    of other rows, or only to their own, which are fewer.
    """
    n_columns, first = values.shape[1], values.T[:2]
    enough = (~np.isnan(values)).sum(axis=1) >= max(2, 0.6 * n_columns)
    of_first = kinds(slice(2))
    units = np.array([each for _, unit_of, them in of_first for each in [unit_of] * len(them)])
    slack = np.maximum(units, 0)[:, np.newaxis, np.newaxis] * unit
    expected = np.concatenate([them for *_, them in of_first])
    within = 1e-9 * np.abs(first) + 0.51 / _TENS[decimals(first)] + slack
    near = (np.abs(expected - first) <= within) | np.isnan(first)  # a gap contradicts nothing
    which, rows = (near[:, 0] & near[:, 1] & enough).nonzero()  # few, after two columns
    are_fine: Any = True
    are_exact: Any = True
    width = max(1, 2 * _AT_ONCE // expected.size)
    for start in range(0, n_columns, width):
        if not len(rows):
            return []
        columns = slice(start, start + width)
        own, most = values[rows, columns], slack[which, 0]
        is_gap = np.isnan(own)
        own = np.where(is_gap, 0.0, own)
        expected = np.concatenate([them for *_, them in kinds(columns)])[which, :, rows]
        around, last = 1e-9 * np.abs(own), 0.51 / _TENS[decimals(own)]
        away = np.where(is_gap, 0.0, np.abs(expected - own))
        # counts do not differ by rounding
        allowed = around + np.where(units[which, np.newaxis] < 0, 0, last + most)
        agree = (away <= allowed).all(axis=1)
        are_fine = (are_fine & (away <= around + 0.51 * unit + most).all(axis=1))[agree]
        are_exact = (are_exact & (away <= around + last).all(axis=1))[agree]
        which, rows = which[agree], rows[agree]
    names = [name for name, _, them in of_first for _ in them]
    found = []
    for kind, row, is_fine, is_exact in zip(which, rows, are_fine, are_exact, strict=True):
        name, of_kind, at_most = names[kind], float(units[kind]), float(slack[kind, 0, 0])
        if of_kind > 0 and is_exact:
            found.append((int(row), name, of_kind, 0.0, bool(is_fine)))
        found.append((int(row), name, of_kind, at_most, bool(is_fine)))
    return found


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
        low, high = np.nanquantile(beside, [0.1, 0.9], axis=0)
        return cls(np.nanmedian(values, axis=0), high - low, values)

    def is_coarse(self, places: IntArray, columns: BoolArray) -> bool:
        """Tell whether a row has so few decimals that it agrees with anything near."""
        width = 1 / _TENS[places]
        return bool((width > 0.5 * np.maximum(self.spread[columns], 1e-300)).mean() > 0.5)

    def chance(self, own: FloatArray, columns: BoolArray, width: FloatArray, n_same: int) -> float:
        """Return the common logarithm of the probability of an agreement up to a width.

        Of the rows that are near, the row itself is one, and as many as ``n_same`` need no chance.
        """
        spread = np.maximum(self.spread[columns], np.abs(own - self.middle[columns]))
        share = np.where(spread > 0, 2 * width / np.where(spread > 0, spread, 1), 1.0)
        near = np.abs(self.sample[:, columns] - own) <= width
        frequent = np.maximum(near.sum(axis=0) - n_same, 0) / max(len(self.sample) - 1, 1)
        return float(np.log10(np.clip(np.maximum(share, frequent), 1e-12, 1)).sum())


def _statistics(values: FloatArray, least: int, columns: slice) -> list[_Kind]:
    """Return statistics of the other rows, of those before and of those after each row."""
    all_there, (n, n_columns) = ~np.isnan(values), values.shape
    own, there = values.T[columns], all_there.T[columns]
    filled = np.where(there, own, 0.0)
    away = filled - filled[:, :1]  # so that little is lost by subtraction
    each = [there, filled, away, away * away]
    are_positive = n <= _SAMPLE and not (values <= 0).any()
    if are_positive:
        each.append(np.log(np.where(there, own, 1.0)))
    complete = all_there.all(axis=1)
    are_ranked = complete.sum() > 1 and values.size * n_columns <= _MOST_RANKED * 10
    if are_ranked:
        each.append(np.broadcast_to(complete, own.shape))
        below, equal = (
            compare(values, own[..., np.newaxis]).sum(axis=2) for compare in (np.less, np.equal)
        )
        others = np.array([below, n_columns - below - equal])  # smaller is better, or larger
        wins = complete & (others == 0)
        each += [*(complete * (others + (equal + 1) / 2)), *wins, *(wins & (equal == 1))]
    table = np.array(each, dtype=np.float64)
    before = np.cumsum(table, axis=2)
    sums = np.empty((len(table), 3, *own.shape))  # of all others, of those before, of those after
    np.subtract(before[..., -1:], table, out=sums[:, 0])
    np.subtract(before, table, out=sums[:, 1])
    np.subtract(before[..., -1:], before, out=sums[:, 2])
    sums[:, 1, :, :least] = sums[:, 2, :, max(n - least, 0) :] = np.nan
    count, total, rest, squared = sums[:4]
    variance = np.maximum(squared - rest**2 / count, 0)
    found = [("the means", 1.0, total / count), ("the sums", 2.0 * float(n) ** 0.5, total)]
    if n <= _MOST_IN_BLOCKS:
        found.append(("the means", 1.0, _means_of_blocks(before[1], before[0], least)))
    for divisor in (count - 1, count):
        found.append(("the standard deviations", 2.0, np.sqrt(variance / divisor)))
    if are_positive:
        found.append(("the geometric means", 2.0, np.exp(sums[4] / count)))
    found.append(("the medians", 1.0, _medians(own)[np.newaxis]))
    found.append(("the numbers of scores", -1.0, count))
    if are_ranked:
        averages = sums[-6:-4] / sums[-7]
        rates = (n_columns - averages) / (n_columns - 1)
        for place in (0, 1):
            found.append(("the average ranks", 0.0, averages[place]))
            found.append(("the mean win rates", 0.0, rates[place]))
            found += [
                ("the numbers of wins", -1.0, number) for number in sums[[place - 4, place - 2]]
            ]
    return found


def _means_of_blocks(total: FloatArray, count: FloatArray, least: int) -> FloatArray:
    """Return the means of any rows in sequence just before, or just after, each row.

    ``total`` and ``count`` are sums, and numbers of scores, of each column up to each row.
    """
    begin = np.zeros((len(total), 1))
    total, count = (np.concatenate([begin, it], axis=1)[:, np.newaxis] for it in (total, count))
    # of the rows from the first place on, up to the second
    means: FloatArray = (total - total.swapaxes(1, 2)) / (count - count.swapaxes(1, 2))
    ends = np.arange(means.shape[1])
    means[:, ends - ends[:, np.newaxis] < least] = np.nan
    return np.concatenate([means[..., :-1].swapaxes(0, 1), means[:, 1:].transpose(2, 0, 1)])


def _medians(values: FloatArray) -> FloatArray:
    """Return the medians without each row; ``values`` have a row for each column of the table."""
    ordered, columns = np.sort(values, axis=1), np.arange(len(values))[:, np.newaxis]
    there = ~np.isnan(values)  # NaN come last
    number = there.sum(axis=1, keepdims=True)  # of each column
    rest = number - there
    ends = np.array([(rest - 1) // 2, rest // 2])  # the places of the middle ones of the rest
    ends += values <= ordered[columns, ends]  # what is not above them is before them
    return np.where(number < 2, np.nan, ordered[columns, ends].sum(axis=0) / 2)


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
    if np.median(own / high) > _FAR:
        return f"{span}, above {limit} on every row and far above these on most"
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
