"""Rows that summarise the others, columns that cannot be scores, tables that seem transposed.

What is found here is certain if both the name and the values say so; the caller makes an error of
it. If only one of them does, it is a note. Arrays are ``[row, column]``, NaN where there is no
score; the functions do not know which of the two axes has the data sets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._render import Note
from nbcompare._validation import DataError

LEAST_ROWS = 4  # rows that a summary must summarise for its values to be evidence
_MOST_UNNAMED = 3  # rows at the end that are compared with those above, whatever they are called
_CHANCE = -5.0  # common logarithm of the probability up to which agreement is no accident
_MOST_COMPARED = 20_000_000  # comparisons of scores for the ranks of a table
_SAMPLE = 200  # rows from which it is seen how many decimals are printed

_WORDS = {
    "statistics": (
        "average averages avg av avrg mean means median medians std stdev stddev sd dev deviation "
        "rank ranks ranking wins win won losses loss lost ties tie draws draw total totals sum "
        "count counts min max minimum maximum best worst overall gmean geomean geometric summary"
    ),
    "fillers": (
        "w t l d p a the of all over no nr n number num standard arithmetic score scores accuracy "
        "acc auc error errors performance value values result results test dataset datasets data "
        "set sets problem problems task tasks column col friedman row rows per by and in percent"
    ),
    "shorthand": "wtl wdl winslosses avgrank averagerank meanrank ndatasets numberofdatasets",
    "counters": (
        "id ids index idx no nr number row rowid rowname rownumber unnamed0 num position pos line"
    ),
    "rankings": "rank ranks ranking place",
}
_STATISTICS, _FILLERS, _SHORTHAND, _COUNTERS, _RANKINGS = (
    frozenset(words.split()) for words in _WORDS.values()
)
_SIZES = re.compile(
    r"(n|no|nr|num|number|numof|noof|nof|numberof|nb|size|count)(of)?"
    r"(train|test|training|testing|sample|instance|example|row|feature|attribute|variable|class|"
    r"case|dim|dimension|label|fold|run|point|pattern|set|size)(s|es|set|sets|size|ing|data)*"
    r"|(train|test|training|testing|sample|data|dataset|batch)(set|data)?(size|sizes|length|count)"
    r"|(instances|samples|examples|attributes|features|classes|dimension|dimensions|dim|size|"
    r"length|cardinality|year|n|ntrain|ntest)"
)


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
    """

    name: str
    what: str
    certain: bool


class Suspicions:
    """Says what seems to be no data set or algorithm, with the arguments that settle it."""

    def __init__(self, source: str, transposed: bool = False) -> None:
        self._source, self._transposed = source, transposed

    def notes(
        self,
        datasets: Sequence[str],
        algorithms: Sequence[str],
        values: FloatArray,
        sure_datasets: Sequence[str],
        sure_algorithms: Sequence[str],
    ) -> tuple[Note, ...]:
        """Return notes on what is doubtful, and raise an error for what is certain.

        Parameters
        ----------
        datasets, algorithms : sequence of str
            Labels of the axes.
        values : ndarray of float, shape (n_datasets, n_algorithms)
            Scores; NaN where there is none.
        sure_datasets, sure_algorithms : sequence of str
            Those about which the caller has no doubt.
        """
        rows = summaries(datasets, values, sure_datasets)
        columns = summary_columns(algorithms, values, sure_algorithms)
        odd = odd_columns(algorithms, values, sure_algorithms)
        notes = [
            *self._judged("summary", rows, "data set", self._transposed),
            *self._judged("summary", columns, "algorithm", not self._transposed),
            *self._judged("column", odd, "algorithm", not self._transposed),
        ]
        why = "" if self._transposed else seems_transposed(algorithms, values)
        if why and not sure_algorithms:
            text = f"{why} If rows are algorithms and columns are data sets, pass transpose=True."
            notes.append(Note("transposed", text))
        return tuple(notes)

    def _judged(
        self, code: str, found: list[Finding], kind: str, is_column: bool
    ) -> Iterator[Note]:
        if not found:
            return
        names = [finding.name for finding in found]
        line = "column" if is_column else "row"
        suffix = "" if is_column else "_rows"
        article = "an" if kind[0] in "aeiou" else "a"
        it, it_is = ("it", f"it is {article} {kind}")
        if len(names) > 1:
            it, it_is = ("them", f"they are {kind}s")
        ways = (
            f"Pass ignore{suffix}={names!r} to leave {it} out, or "
            f"keep{suffix}={names!r} if {it_is}."
        )
        others = f" of the {line}s before it" if code == "summary" else ""
        told = [
            f"{line} {finding.name!r} holds {finding.what}{others}"
            if finding.what
            else f"{line} {finding.name!r} is called like a summary"
            for finding in found
        ]
        text = f"{'; '.join(told)}."
        if any(finding.certain for finding in found):
            raise DataError(f"{self._source}: {text} {ways}")
        yield Note(code, f"{text[0].upper()}{text[1:]} {ways}")


# ------------------------------------------------------------------------------- summaries


def is_summary(label: str) -> bool:
    """Tell whether a label is the name of a statistic, such as ``Average_Rank`` or ``W/T/L``.

    Examples
    --------
    >>> [is_summary(label) for label in ("AvgRank", "W/T/L", "mean (all)", "sum squares", "wine")]
    [True, True, True, False, False]
    """
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label)
    words = [word for word in re.split(r"[\W\d_]+", parted.casefold()) if word]
    if "".join(words) in _SHORTHAND:
        return True
    return bool(_STATISTICS.intersection(words)) and _STATISTICS.union(_FILLERS).issuperset(words)


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
    body = values[: len(values) - n_named]
    found = [
        Finding(label, _statistic(body, row, LEAST_ROWS), True)
        for label, row in zip(
            labels[len(body) :], values[len(body) :], strict=True
        )
    ]  # fmt: skip
    found = [each if each.what else Finding(each.name, "", False) for each in found]
    for last in range(min(_MOST_UNNAMED, len(body) - LEAST_ROWS), 0, -1):
        position = len(body) - last
        if labels[position] in kept:
            continue
        what = _beyond_chance(body[:position], body[position])
        if what:
            return [Finding(labels[position], what, False), *found]
    return found


def summary_columns(
    labels: Sequence[str], values: FloatArray, kept: Sequence[str]
) -> list[Finding]:
    """Return the last columns that have the name and the values of a summary of the others."""
    n_named = named_summaries(labels, kept)
    others = values[:, : values.shape[1] - n_named].T
    if n_named == 0 or len(values) < LEAST_ROWS:
        return []
    found = zip(labels[len(others) :], values[:, len(others) :].T, strict=True)
    return [
        Finding(label, what, True) for label, row in found if (what := _statistic(others, row, 2))
    ]


def _statistic(body: FloatArray, row: FloatArray, least: int) -> str:
    """Return the statistic of the columns of ``body`` that ``row`` holds; nothing if none."""
    there = ~np.isnan(row) & ~np.isnan(body).all(axis=0)
    if len(body) < least or there.sum() < 2:
        return ""
    places, printed = _decimals(row[there]), _decimals(body[:, there][:_SAMPLE])
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
        and not _are_ranks(body)
    ):
        return "the average ranks"  # of scores with more decimals than the table shows
    return ""


def _agree(expected: FloatArray, row: FloatArray, tolerance: float) -> bool:
    return bool((np.abs(expected - row) <= tolerance * 0.5000001 + 1e-6 * np.abs(expected)).all())


def _beyond_chance(body: FloatArray, row: FloatArray) -> str:
    """Return the statistic of ``body`` that a row holds, if it cannot well be an accident.

    The chance that a data set has these scores is judged by the spread of the first column, and
    of the differences of the others to it: where all algorithms score alike, the others say
    nothing.
    """
    there = ~np.isnan(row) & ~np.isnan(body).all(axis=0)
    if there.sum() < 2:
        return ""
    chosen, scores = body[:, there], row[there]
    beside = chosen - chosen[:, :1]
    beside[:, 0] = chosen[:, 0]
    spreads = np.array([_quartile_range(column) for column in beside.T])
    places, printed = _decimals(scores), _decimals(chosen[:_SAMPLE])
    for exact in (True, False):  # computed from the scores as printed, or before they were rounded
        tolerance = 10.0**-places + (0 if exact else 10.0**-printed)
        share = tolerance / spreads[spreads > 0]
        if float(np.log10(np.minimum(share, 1)).sum()) > _CHANCE:
            continue
        for name in _UNNAMED:
            compute, width = _STATISTIC_OF[name]
            slack = 10.0**-places + (0 if exact else width(len(body)) * 10.0**-printed)
            if any(_agree(expected[there], scores, slack) for expected in compute(body)):
                return name
    return ""


def _quartile_range(values: FloatArray) -> float:
    there = values[~np.isnan(values)]
    if not there.size:
        return 0.0
    low, high = np.quantile(there, [0.25, 0.75])
    return float(high - low)


def _decimals(values: FloatArray) -> int:
    """Return how many decimals are printed, at most: negative for thousands."""
    finite = np.unique(values[np.isfinite(values)])
    places = [-int(Decimal(repr(float(v))).normalize().as_tuple().exponent) for v in finite[:1000]]
    return max([0, *places]) if places else 0


# ---- statistics of columns, each with those that people may mean by it


def _mean(body: FloatArray) -> Iterator[FloatArray]:
    there = ~np.isnan(body)
    yield np.where(there, body, 0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)


def _median(body: FloatArray) -> Iterator[FloatArray]:
    yield _by_column(body, np.median)


def _sum(body: FloatArray) -> Iterator[FloatArray]:
    yield np.nansum(body, axis=0)


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


_UNNAMED = ("the means", "the medians", "the sums", "the average ranks")


# --------------------------------------------------------------------------------- columns


def odd_columns(names: Sequence[str], values: FloatArray, kept: Sequence[str]) -> list[Finding]:
    """Return columns that cannot be scores among the others: sizes of data sets, row numbers.

    A column of large numbers with a fraction, or on a few rows only, may be an algorithm that
    diverged, and is not listed.
    """
    if len(names) < 2 or len(values) < 2:
        return []
    whole = np.array([_is_whole(column) for column in values.T])
    found = []
    for position, name in enumerate(names):
        if name in kept or not whole[position]:
            continue
        others = np.delete(values, position, axis=1)
        fractions = ~np.delete(whole, position)
        among = others[:, fractions] if fractions.any() else others
        finding = _odd(name, values[:, position], among, bool(fractions.all()))
        if finding is not None:
            found.append(finding)
    return found


def _odd(name: str, column: FloatArray, others: FloatArray, alone: bool) -> Finding | None:
    """Judge a column of whole numbers by the columns that have fractions, if there are any."""
    word = re.sub(r"[\W_]+", "", name.casefold())
    scores = others[~np.isnan(others)]
    there = column[~np.isnan(column)]
    counts = len(there) == len(column) and any(
        bool((column == np.arange(start, start + len(column))).all()) for start in (0, 1)
    )
    if counts and (word in _COUNTERS or word in _RANKINGS or not word):
        return Finding(name, "numbers of the rows", certain=True)
    if not scores.size:
        return None
    low, high = float(scores.min()), float(scores.max())
    outside = float(there.min()) > high and (high > 0 or float(there.min()) > 0)
    span = f"whole numbers from {there.min():.0f} to {there.max():.0f}"
    what = f"{span} beside scores from {low:.4g} to {high:.4g}"
    if word in _RANKINGS and float(there.min()) >= 1 and there.max() <= max(len(column), 2):
        return Finding(name, what, certain=bool(outside or len(np.unique(there)) == len(there)))
    if _SIZES.fullmatch(word) or word in _COUNTERS:
        return Finding(name, what, certain=outside)
    if counts and len(column) >= (6 if alone else 10):
        return Finding(name, "numbers of the rows", certain=False)
    bounded = low >= 0 and high <= 1
    if alone and bounded and outside and len(there) >= LEAST_ROWS and 2 <= there.max() < 1e5:
        typical = len(np.unique(there)) > 1 and not _has_few_digits(there, scores)
        return Finding(name, what, certain=False) if typical else None
    return None


def _is_whole(column: FloatArray) -> bool:
    there = column[~np.isnan(column)]
    return bool(there.size) and bool((there == np.floor(there)).all())


def _has_few_digits(whole: FloatArray, scores: FloatArray) -> bool:
    """Tell whether the numbers may be scores of as many significant digits as the others have."""

    def digits(value: float) -> int:
        return len(Decimal(repr(float(value))).normalize().as_tuple().digits)

    most = max(map(digits, np.unique(scores)[:_SAMPLE]))
    rounded = all(float(f"{v:.{max(most, 1)}g}") == v for v in whole[:_SAMPLE])
    return rounded and float(whole.max()) >= 10.0**most


# ------------------------------------------------------------------------------- transposed


def seems_transposed(names: Sequence[str], values: FloatArray) -> str:
    """Return why rows seem to be algorithms and columns data sets; nothing if they do not.

    In a table of scores, data sets differ more than algorithms. If columns differ far more than
    the rows do, and there are more columns than rows, columns seem to be the data sets. Ranks are
    alike in every row, so they tell nothing.
    """
    n, k = values.shape
    if k > 1 and all(re.fullmatch(r"\d+", name) for name in names):
        return "The names of all algorithms are whole numbers."
    if n > 0 and k >= max(10, 6 * n):
        return f"There are {k} algorithms, but {n} data set{'s' if n > 1 else ''}."
    if n < 3 or k <= n or np.isnan(values).any() or _are_ranks(values):
        return ""
    within_columns = float(np.median([_quartile_range(column) for column in values.T]))
    within_rows = float(np.median([_quartile_range(row) for row in values]))
    if within_columns < 0.4 * within_rows:
        return (
            f"There are more algorithms ({k}) than data sets ({n}), and the scores of an algorithm "
            "are more alike than those on a data set."
        )
    return ""


def _are_ranks(values: FloatArray) -> bool:
    """Tell whether every row holds ranks, perhaps tied."""
    k = values.shape[1]
    whole: BoolArray = np.abs(values * 2 - np.round(values * 2)) < 1e-9
    total = np.abs(values.sum(axis=1) - k * (k + 1) / 2) < 1e-6
    return bool(whole.all()) and bool(total.all())
