"""What is read as a data set or an algorithm, and seems to be none.

Summaries of the others, sizes of data sets, numbers of rows, and tables that seem transposed. If
both the name and the values say so, it is an error that names what to pass; if only one of them
does, a note. Arrays are ``[data set, algorithm]``, NaN where there is no score.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import Note
from nbcompare._validation import DataError
from nbcompare.experiment._companions import companions
from nbcompare.experiment._roles import bare
from nbcompare.experiment._summaries import (
    LEAST_ROWS,
    Finding,
    are_ranks,
    quartile_ranges,
    summaries,
    summary_columns,
)

_NEAR = 0.15  # how far a percentage may be from the other scores of its data set, as a share
_LEAST = 0.3  # shares below may be errors, beside which a diverged algorithm has any score
_SAMPLE = 200  # scores from which it is seen how many digits are printed
_WORDS = {
    "counters": (
        "id ids index idx no nr number row rowid rowname rownumber unnamed0 num position pos line"
    ),
    "rankings": "rank ranks ranking place",
}
_COUNTERS, _RANKINGS = (frozenset(words.split()) for words in _WORDS.values())
_SIZES = re.compile(
    r"(n|no|nr|num|number|numof|noof|nof|numberof|nb|size|count)(of)?"
    r"(train|test|training|testing|sample|instance|example|row|feature|attribute|variable|class|"
    r"case|dim|dimension|label|fold|run|point|pattern|set|size)(s|es|set|sets|size|ing|data){0,3}"
    r"|(train|test|training|testing|sample|data|dataset|batch)(set|data)?(size|sizes|length|count)"
    r"|(instances|samples|examples|attributes|features|classes|dimension|dimensions|dim|size|"
    r"length|cardinality|year|n|ntrain|ntest)"
)


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
        with np.errstate(all="ignore"):  # sums of huge scores, which agree with nothing
            rows = summaries(datasets, values, sure_datasets)
            columns = summary_columns(algorithms, values, sure_algorithms)
            odd = odd_columns(algorithms, values, sure_algorithms)
            told = {finding.name for finding in (*columns, *odd)}
            odd += [
                finding
                for finding in companions(algorithms, values, sure_algorithms)
                if finding.name not in told
            ]
            why = "" if self._transposed else seems_transposed(algorithms, values)
        notes = [
            *self._judged("summary", rows, "data set", self._transposed),
            *self._judged("summary", columns, "algorithm", not self._transposed),
            *self._judged("column", odd, "algorithm", not self._transposed),
        ]
        if why and not sure_algorithms:
            text = f"{why} If rows are algorithms and columns are data sets, pass transpose=True."
            notes.append(Note("transposed", text))
        return (*notes, *mixed_units(datasets, algorithms, values))

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
        told = [
            f"{line} {finding.name!r} holds {finding.what}"
            f"{_of(finding, line) if code == 'summary' else ''}"
            if finding.what
            else f"{line} {finding.name!r} is called like a summary"
            for finding in found
        ]
        text = f"{'; '.join(told)}."
        if any(finding.certain for finding in found):
            raise DataError(f"{self._source}: {text} {ways}")
        yield Note(code, f"{text[0].upper()}{text[1:]} {ways}")


def _of(finding: Finding, line: str) -> str:
    return f" of other {line}s" if finding.of == "other" else f" of the {line}s {finding.of}"


# --------------------------------------------------------------------------------- columns


def odd_columns(names: Sequence[str], values: FloatArray, kept: Sequence[str]) -> list[Finding]:
    """Return columns that cannot be scores among the others: sizes of data sets, row numbers.

    A column of large numbers with a fraction, or on a few rows only, may be an algorithm that
    diverged, and is not listed.
    """
    if len(names) < 2 or len(values) < 2:
        return []
    whole = np.array([_is_whole(column) for column in values.T])
    empty = [
        bool(np.isnan(column[:_SAMPLE]).all() and np.isnan(column).all()) for column in values.T
    ]
    fractions = np.flatnonzero(~whole & ~np.array(empty))
    found = []
    for position in map(int, np.flatnonzero(whole)):
        name = names[position]
        if name in kept:
            continue
        alone = len(fractions) == len(names) - 1
        if not alone and not _is_named(bare(name)) and not _counts(values[:, position]):
            continue
        others = fractions if len(fractions) else np.delete(np.arange(len(names)), position)
        if np.isnan(values[:, others]).all():
            continue
        finding = _odd(name, values[:, position], values[:, others], alone)
        if finding is not None:
            found.append(finding)
    return found


def _odd(name: str, column: FloatArray, others: FloatArray, alone: bool) -> Finding | None:
    """Judge a column of whole numbers by the columns that have fractions, if there are any."""
    word = bare(name)
    there = column[~np.isnan(column)]
    counts = _counts(column)
    if counts and (word in _COUNTERS or word in _RANKINGS or not word):
        return Finding(name, "numbers of the rows", certain=True)
    if counts and len(column) >= (6 if alone else 10):
        return Finding(name, "numbers of the rows", certain=False)
    named = _is_named(word)
    if not named and not alone:
        return None
    low, high = float(np.nanmin(others)), float(np.nanmax(others))
    outside = float(there.min()) > max(high, 0)
    span = f"whole numbers from {there.min():.15g} to {there.max():.15g}"
    what = f"{span} beside scores from {low:.4g} to {high:.4g}"
    if word in _RANKINGS:
        ranked = bool(there.min() >= 1) and len(np.unique(there)) == len(there) <= len(column)
        return Finding(name, what, certain=outside or (ranked and there.max() <= len(column)))
    if named:  # an algorithm may well be called N
        return Finding(name, what, certain=outside) if outside or len(word) > 1 else None
    bounded = low >= 0 and high <= 100
    if bounded and outside and len(there) >= LEAST_ROWS and 2 <= there.max() < 1e5:
        sample = others[:_SAMPLE][~np.isnan(others[:_SAMPLE])]
        if len(np.unique(there)) > 1 and not _has_few_digits(there, sample):
            return Finding(name, what, certain=False)
    return None


def _is_named(word: str) -> bool:
    return word in _RANKINGS or word in _COUNTERS or bool(_SIZES.fullmatch(word))


def _counts(column: FloatArray) -> bool:
    """Tell whether a column numbers its rows, from 0 or 1."""
    start = column[0]
    return start in (0, 1) and bool((column == np.arange(start, start + len(column))).all())


def _is_whole(column: FloatArray) -> bool:
    for part in (column[:_SAMPLE], column):  # most columns of scores have a fraction at once
        there = part[~np.isnan(part)]
        if there.size and not (there == np.floor(there)).all():
            return False
    return bool(there.size)


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
    if n < 3 or k <= n or np.isnan(values).any() or are_ranks(values):
        return ""
    within_columns = float(np.median(quartile_ranges(values)))
    within_rows = float(np.median(quartile_ranges(values.T)))
    if within_columns < 0.4 * within_rows:
        return (
            f"There are more algorithms ({k}) than data sets ({n}), and the scores of an algorithm "
            "are more alike than those on a data set."
        )
    return ""


# ----------------------------------------------------------------------------------- units


def mixed_units(
    datasets: Sequence[str], algorithms: Sequence[str], values: FloatArray
) -> tuple[Note, ...]:
    """Return a note if some scores are a hundred times as large as the others of their data sets.

    A data set of which all scores are percentages is none: it has another measure, perhaps.

    Parameters
    ----------
    datasets, algorithms : sequence of str
        Labels of the axes.
    values : ndarray of float, shape (n_datasets, n_algorithms)
        Scores; NaN where there is none.
    """
    if not values.size or not 1 < np.fmax.reduce(values, axis=None) <= 100:  # nor for no score
        return ()
    large, small = values > 1, (values >= 0) & (values <= 1)
    mixed = np.asarray(large.any(axis=1) & small.any(axis=1))
    cells = np.argwhere(large & mixed[:, np.newaxis])
    if not len(cells) or (values < 0).any():
        return ()
    middle = {row: float(np.median(values[row][small[row]])) for row in set(cells[:, 0].tolist())}
    for row, column in cells.tolist():
        share = values[row, column] / 100
        if middle[row] < _LEAST or abs(share - middle[row]) > _NEAR:
            return ()
    row, column = cells[0].tolist()
    text = (
        f"The score of {algorithms[column]} on {datasets[row]} is {values[row, column]:.4g}, and "
        f"other scores on it are about {middle[row]:.2g}: some scores seem to be percentages, "
        "others shares. If they are, write all of them in one unit."
    )
    return (Note("units", text),)
