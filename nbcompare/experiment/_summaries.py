"""Rows that hold statistics of the rows before them: averages, average ranks, numbers of wins.

Values are ``[row, column]``, NaN where there is none. A row is certainly a summary if it has the
name of a statistic and the values of one, up to the rounding that is printed.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple, Self

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray

LEAST_ROWS = 4  # rows that a summary must summarise for its values to be evidence
_MOST_UNNAMED = 3  # rows at the end that are compared with those above, whatever they are called
_CHANCE = -5.0  # common logarithm of the probability up to which agreement is no accident
_MOST_COMPARED = 20_000_000  # comparisons of scores for the ranks of a table
_LONG = 2_000  # rows of a table that is long: less is computed then
_SAMPLE = 200  # rows from which it is seen how many decimals are printed

_WORDS = {
    "statistics": (
        "average averages avg av avrg mean means median medians std stdev stddev sd dev deviation "
        "rank ranks ranking wins win won losses loss lost ties tie draws draw total totals sum "
        "count counts min max minimum maximum best worst overall gmean geomean geometric summary "
        "all grand subtotal"
    ),
    "fillers": (
        "w t l d p a the of over no nr n number num standard arithmetic score scores accuracy "
        "acc auc error errors performance value values result results test dataset datasets data "
        "set sets problem problems task tasks column col friedman row rows per by and in percent"
    ),
    "shorthand": "wtl wdl winslosses avgrank averagerank meanrank ndatasets numberofdatasets",
}
_STATISTICS, _FILLERS, _SHORTHAND = (frozenset(words.split()) for words in _WORDS.values())
_ANY_STATISTIC = re.compile("|".join(sorted(_STATISTICS | _SHORTHAND)) + "|w.*l", re.IGNORECASE)
_MOST_LABELS, _LAST_LABELS = 20_000, 100  # of which the names are looked at
_WITHOUT_DIGITS = str.maketrans(string.digits, "0" * 10)
_AGAINST = re.compile(r"\b(?:vs|versus|against|compared)\b", re.IGNORECASE)


class Finding(NamedTuple):
    """A row or column that seems to be no data set or algorithm.

    Attributes
    ----------
    name : str
        Its label.
    what : str
        What it seems to hold.
    certain : bool
        Whether name and values agree on it.
    of : str
        Which rows a summary summarises.
    """

    name: str
    what: str
    certain: bool
    of: str = "before it"


def is_summary(label: str) -> bool:
    """Tell whether a label is the name of a statistic, such as ``Average_Rank`` or ``W/T/L``.

    Examples
    --------
    >>> [is_summary(label) for label in ("AvgRank", "W/T/L", "mean (all)", "sum squares", "wine")]
    [True, True, True, False, False]
    """
    words = _words(label)
    if "".join(words) in _SHORTHAND:
        return True
    return bool(_STATISTICS.intersection(words)) and _STATISTICS.union(_FILLERS).issuperset(words)


def _words(label: str) -> list[str]:
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", _AGAINST.split(label)[0])
    return [word for word in re.split(r"[\W\d_]+", parted.casefold()) if word]


def named_summaries(labels: Sequence[str], kept: Sequence[str]) -> int:
    """Return how many labels at the end are those of summaries."""
    count = 0
    while count < len(labels) and is_summary(labels[-1 - count]):
        if labels[-1 - count] in kept:
            break
        count += 1
    return count if count < len(labels) else 0


def summaries(labels: Sequence[str], values: FloatArray, kept: Sequence[str]) -> list[Finding]:
    """Return the last rows that hold statistics of the rows above, not scores.

    Parameters
    ----------
    labels : sequence of str
        Names of the rows.
    values : ndarray of float, shape (n_rows, n_columns)
        Scores; NaN where there is none.
    kept : sequence of str
        Rows that are known to hold scores.

    Returns
    -------
    list of Finding
        Certain ones have the name and the values of a summary. A name alone is enough to be
        listed, and so are values that agree beyond chance.
    """
    n_named = named_summaries(labels, kept)
    elsewhere = _elsewhere(labels, values, kept, len(values) - n_named, LEAST_ROWS)
    if elsewhere:  # they are no part of what the last rows summarise
        kept_rows = [row for row in range(len(values)) if row not in elsewhere]
        labels, values = [labels[row] for row in kept_rows], values[kept_rows]
    body = values[: len(values) - n_named]
    found = [
        Finding(label, _statistic(body, row, LEAST_ROWS), True)
        for label, row in zip(
            labels[len(body) :], values[len(body) :], strict=True
        )
    ]  # fmt: skip
    found = [each if each.what else Finding(each.name, "", False) for each in found]
    found = [*elsewhere.values(), *found]
    # the first rows of a long table are the same for each of the last ones
    known: dict[bytes, _Sample] | None = {} if len(body) > _LONG + _MOST_UNNAMED else None
    for last in range(min(_MOST_UNNAMED, len(body) - LEAST_ROWS), 0, -1):
        position = len(body) - last
        if labels[position] in kept:
            continue
        what = _beyond_chance(body[:position], body[position], known)
        if what:
            return [Finding(labels[position], what, False), *found]
    return found


def summary_columns(
    labels: Sequence[str], values: FloatArray, kept: Sequence[str]
) -> list[Finding]:
    """Return the last columns that have the name and the values of a summary of the others."""
    if len(values) < LEAST_ROWS:
        return []
    n_named = named_summaries(labels, kept)
    elsewhere = _elsewhere(labels, values.T, kept, len(labels) - n_named, 2)
    if not n_named and not elsewhere:
        return []
    kept_columns = [column for column in range(len(labels) - n_named) if column not in elsewhere]
    others = values[:, kept_columns].T
    last = range(len(labels) - n_named, len(labels))
    found = [
        Finding(labels[column], what, True)
        for column in last
        if (what := _statistic(others, values[:, column], 2))
    ]
    return [*elsewhere.values(), *found]


def _elsewhere(
    labels: Sequence[str], values: FloatArray, kept: Sequence[str], end: int, least: int
) -> dict[int, Finding]:
    """Return the rows before the last ones that have the name and the values of a summary.

    They may summarise the rows before them since another summary, those after them up to another
    one, or all others. A name that says more than a statistic, such as ``Mean of UCR``, needs
    values that agree beyond chance.
    """
    rows = [row for row in named_statistics(labels, end) if labels[row] not in kept]
    if not rows:
        return {}
    scores = [row for row in range(end) if row not in rows]
    found: dict[int, Finding] = {}
    for row in rows:
        before = max((other for other in rows if other < row), default=-1)
        after = min((other for other in rows if other > row), default=end)
        parts = {
            "before it": [each for each in scores if before < each < row],
            "after it": [each for each in scores if row < each < after],
        }
        parts |= {"before": [each for each in scores if each < row], "other": scores}
        for which, part in parts.items():
            if len(part) < least:
                continue
            body = values[part]
            sure = is_summary(labels[row])
            what = (
                _statistic(body, values[row], least) if sure else _beyond_chance(body, values[row])
            )
            if what:
                of = "before it" if which == "before" else which
                found[row] = Finding(labels[row], what, True, of)
                break
    return found


def named_statistics(labels: Sequence[str], end: int | None = None) -> list[int]:
    """Return the places of labels, before the end, of which the name of a statistic is a part.

    Of very many labels, the first and last ones are looked at.
    """
    count = len(labels) if end is None else end
    first = min(count, _MOST_LABELS)
    last = max(first, count - _LAST_LABELS)
    # many labels differ in their digits only, which part words
    looked_at = "\n".join([*labels[:first], *labels[last:count]])
    without = looked_at.translate(_WITHOUT_DIGITS).split("\n")
    told = {words for words in set(without) if _names_statistic(words)}
    if not told:
        return []
    places = (*range(first), *range(last, count))
    return [place for place, words in zip(places, without, strict=True) if words in told]


def _names_statistic(label: str) -> bool:
    if not _ANY_STATISTIC.search(label):  # as nearly all labels
        return False
    return is_summary(label) or not _STATISTICS.isdisjoint(_words(label))


def _statistic(body: FloatArray, row: FloatArray, least: int) -> str:
    """Return the statistic of the columns of ``body`` that ``row`` holds; nothing if none."""
    there = ~np.isnan(row) & ~np.isnan(body).all(axis=0)
    if len(body) < least or there.sum() < 2:
        return ""
    places, printed = decimals(row[there]), decimals(body[:, there][:_SAMPLE])
    for name, (compute, spread) in _STATISTIC_OF.items():
        for expected in compute(body):
            # the figures above are rounded too, and some programs cut off rather than round
            tolerance = 10.0**-places + spread(len(body)) * 10.0**-printed
            if _agree(expected[there], row[there], tolerance):
                return name
    ranks = row[there]
    n_ranked = int(there.sum())
    if (
        there.all()
        and n_ranked > 2
        and np.ptp(ranks) > 0
        and ranks.min() >= 1
        and ranks.max() <= n_ranked
        and abs(ranks.sum() - n_ranked * (n_ranked + 1) / 2) <= n_ranked * 10.0**-places / 2 + 1e-9
        and not are_ranks(body)
    ):
        return "the average ranks"  # of scores with more decimals than the table shows
    return ""


def _agree(expected: FloatArray, row: FloatArray, tolerance: float) -> bool:
    near = np.abs(expected - row) <= tolerance * 0.5000001 + 1e-6 * np.abs(expected)
    return bool((near & np.isfinite(expected)).all())


class _Sample(NamedTuple):
    """What the first rows of a table tell: how their scores spread, and how many decimals."""

    spreads: FloatArray
    printed: int

    @classmethod
    def of(cls, chosen: FloatArray) -> Self:
        """Judge the spread by the first column, and by the differences of the others to it."""
        beside = chosen - chosen[:, :1]
        beside[:, 0] = chosen[:, 0]
        return cls(quartile_ranges(beside), decimals(chosen[:_SAMPLE]))


def _beyond_chance(
    body: FloatArray, row: FloatArray, known: dict[bytes, _Sample] | None = None
) -> str:
    """Return the statistic of ``body`` that a row holds, if it cannot well be an accident.

    The chance that a data set has these scores is judged by the spread of the first column, and
    of the differences of the others to it: where all algorithms score alike, the others say
    nothing.

    Parameters
    ----------
    body, row : ndarray of float
        Scores; NaN where there is none.
    known : dict of bytes to _Sample, optional
        What the first rows tell, by the columns of which they do, and where to note it.
    """
    there = ~np.isnan(row) & ~np.isnan(body[:_LONG]).all(axis=0)
    if there.sum() < 2:
        return ""
    sample = None if known is None else known.get(there.tobytes())
    if sample is None:
        sample = _Sample.of(body[:_LONG, there])
        if known is not None:
            known[there.tobytes()] = sample
    first = int(np.argmax(there))
    alone = body[:, first : first + 1]  # a column is enough to rule out most statistics
    scores = row[there]
    places = decimals(scores)
    expectations: dict[str, list[FloatArray]] = {}
    for exact in (True, False):  # computed from the scores as printed, or before they were rounded
        tolerance = 10.0**-places + (0 if exact else 10.0**-sample.printed)
        share = tolerance / sample.spreads[sample.spreads > 0]
        if float(np.log10(np.minimum(share, 1)).sum()) > _CHANCE:
            continue
        for name in _UNNAMED if len(body) <= _LONG else _UNNAMED[:2]:
            compute, width = _STATISTIC_OF[name]
            slack = 10.0**-places + (0 if exact else width(len(body)) * 10.0**-sample.printed)
            if name in _OF_A_COLUMN:
                if name not in expectations:
                    expectations[name] = list(compute(alone))
                if not any(_agree(expected, scores[:1], slack) for expected in expectations[name]):
                    continue
            if any(_agree(expected[there], scores, slack) for expected in compute(body)):
                return name
    return ""


def quartile_ranges(values: FloatArray) -> FloatArray:
    """Return how far the quartiles of each column are apart; 0 where there is no number."""
    if np.isnan(values).any():
        parts = [column[~np.isnan(column)] for column in values.T]
        return np.array(
            [quartile_ranges(part[:, np.newaxis])[0] if part.size else 0.0 for part in parts]
        )
    low, high = np.quantile(values, [0.25, 0.75], axis=0)
    return np.asarray(high - low, dtype=np.float64)


def decimals(values: FloatArray) -> int:
    """Return how many decimals are printed, at most: negative for thousands."""
    finite = np.unique(values[np.isfinite(values)])
    places = [-int(Decimal(repr(float(v))).normalize().as_tuple().exponent) for v in finite[:1000]]
    return max([0, *places]) if places else 0


# ---- statistics of columns, each with those that people may mean by it


def _mean(body: FloatArray) -> Iterator[FloatArray]:
    total = body.sum(axis=0)
    if not np.isnan(total).any():
        yield total / max(len(body), 1)
        return
    there = ~np.isnan(body)
    yield np.where(there, body, 0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)


def _median(body: FloatArray) -> Iterator[FloatArray]:
    yield _by_column(body, np.median)


def _sum(body: FloatArray) -> Iterator[FloatArray]:
    total = body.sum(axis=0)
    yield np.nansum(body, axis=0) if np.isnan(total).any() else total


def _deviation(body: FloatArray) -> Iterator[FloatArray]:
    yield _by_column(body, lambda column: np.std(column, ddof=1) if len(column) > 1 else 0.0)
    yield _by_column(body, np.std)


def _extreme(body: FloatArray) -> Iterator[FloatArray]:
    yield _by_column(body, np.min)
    yield _by_column(body, np.max)


def _geometric(body: FloatArray) -> Iterator[FloatArray]:
    if np.nanmin(body) > 0:
        yield np.exp(_by_column(np.log(body), np.mean))


def _counts(body: FloatArray) -> Iterator[FloatArray]:
    yield (~np.isnan(body)).sum(axis=0).astype(np.float64)


def _ranks(body: FloatArray) -> Iterator[FloatArray]:
    for better in _comparisons(body):
        below, equal = better
        yield (below + (equal - 1) / 2 + 1).mean(axis=0)


def _wins(body: FloatArray) -> Iterator[FloatArray]:
    for below, equal in _comparisons(body):
        first = below == 0
        alone = first & (equal == 1)
        yield first.sum(axis=0).astype(np.float64)
        yield alone.sum(axis=0).astype(np.float64)
        yield np.where(first, 1 / equal, 0).sum(axis=0)


def _comparisons(body: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield how many are better than each score in its row, and how many equal, both ways."""
    complete = body[~np.isnan(body).any(axis=1)]
    if not len(complete) or complete.size * complete.shape[1] > _MOST_COMPARED:
        return
    equal = (complete[:, None, :] == complete[:, :, None]).sum(axis=2).astype(np.float64)
    below = (complete[:, None, :] < complete[:, :, None]).sum(axis=2).astype(np.float64)
    yield below, equal
    yield complete.shape[1] - below - equal, equal


def _by_column(body: FloatArray, of: Callable[[FloatArray], object]) -> FloatArray:
    there = [column[~np.isnan(column)] for column in body.T]
    return np.array([of(column) if len(column) else np.nan for column in there], dtype=np.float64)


_Compute = Callable[[FloatArray], Iterator[FloatArray]]
# Each statistic, and by how many units of the last printed digit rounding may change it
_STATISTIC_OF: Mapping[str, tuple[_Compute, Callable[[int], float]]] = {
    "the means": (_mean, lambda _: 1.0),
    "the medians": (_median, lambda _: 1.0),
    "the average ranks": (_ranks, lambda _: 0.0),
    "the sums": (_sum, lambda n: 2 * n**0.5),
    "the standard deviations": (_deviation, lambda _: 2.0),
    "the numbers of wins": (_wins, lambda _: 0.0),
    "the geometric means": (_geometric, lambda _: 2.0),
    "the extremes": (_extreme, lambda _: 0.0),
    "the numbers of scores": (_counts, lambda _: 0.0),
}


_UNNAMED = ("the means", "the sums", "the medians", "the average ranks")
_OF_A_COLUMN = _UNNAMED[:3]


def are_ranks(values: FloatArray) -> bool:
    """Tell whether every row holds ranks, perhaps tied."""
    k = values.shape[1]
    whole: BoolArray = np.abs(values * 2 - np.round(values * 2)) < 1e-9
    total = np.abs(values.sum(axis=1) - k * (k + 1) / 2) < 1e-6
    return bool(whole.all()) and bool(total.all())
