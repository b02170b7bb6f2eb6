"""What scores say against how a table was read: summaries, other measures, units, names, gaps.

A doubt stops the reading with words that settle it; what may well be right is a note.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, mean_over
from nbcompare._options import MAXIMIZE, MINIMIZE
from nbcompare._render import Note
from nbcompare._tables.doubt import Unsettled, Way
from nbcompare._validation import listed, named
from nbcompare.experiment._arrange import Cells
from nbcompare.experiment._doubt import written
from nbcompare.experiment._failures import probable_cutoff, sentence_of_cutoff
from nbcompare.experiment._infer import Understanding
from nbcompare.experiment._odd import Odd, family, odd_columns
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._roles import called
from nbcompare.experiment._spellings import alike, misspelt
from nbcompare.experiment._summaries import Summary, best_of_others, summaries

# Codes of notes that say that something may be wrong
DOUBTFUL = frozenset({"summary", "transposed", "units", "zeros", "equal", "cutoff"})
_SCORE = re.compile(
    r"[-+\u2212]?\d*[.,]?\d+(e[-+]?\d+)?\s*%?(\s*(\u00b1|\+-).*)?|nan?|-|\?", re.IGNORECASE
)
_FRACTION = re.compile(r"[.,]\d|\de[-+]?\d", re.IGNORECASE)
_MOST_NAMED = 5
_MOST_KEPT = 40  # names that words to type may list
_LARGE = 4_000_000  # scores beyond which only what is cheap is looked at
_MANY = 20_000  # rows or columns that are not compared with one another
_FEW = 40  # whole numbers that often tie
_LEAST_EQUAL = 3  # different scores of a row that another one must repeat


class _Checks:
    def __init__(self, cells: Cells, known: Understanding, reading: Reading) -> None:
        self.cells, self.known, self.reading = cells, known, reading
        one = cells.lower.shape[2:] == (1, 1)
        self.values = cells.lower[..., 0, 0] if one else mean_over(mean_over(cells.lower))
        self.transposed = "dataset" in known.parts
        self.source = f"{known.table.source}: "
        self._found: dict[str, list[Summary]] = {}

    # ------------------------------------------------------------------------------ words

    def sure(self, axis: str) -> set[str]:
        """Return the data sets or algorithms about which the caller has no doubt."""
        asked = self.reading.datasets if axis == "dataset" else self.reading.algorithms
        in_columns = axis in self.known.parts
        kept = {*(asked or ()), *self.reading.keep} if in_columns else {*(asked or ())}
        if axis == "dataset" or (axis == "algorithm" and self.transposed):
            kept |= set(self.reading.keep_rows)
        return kept | (set(self.reading.keep) if axis == "algorithm" else set())

    def columns_of(self, axis: str, labels: Sequence[str]) -> list[str]:
        """Return the names of the columns that hold the scores of some labels."""
        pairs = zip(self.known.scores, self.known.parts[axis], strict=True)
        return [name for name, label in pairs if label in labels]

    def ways(self, axis: str, labels: Sequence[str]) -> list[Way]:
        """Return how to leave out some data sets or algorithms, and how to keep them."""
        if axis in self.known.parts:
            names = self.columns_of(axis, labels)
            return [{"ignore": names}, {"keep": names}]
        if axis == "dataset" or self.transposed:
            return [{"ignore_rows": list(labels)}, {"keep_rows": list(labels)}]
        rest = [name for name in self.cells.algorithms if name not in labels]
        leave: list[Way] = [{"algorithms": rest}] if 0 < len(rest) <= _MOST_KEPT else []
        return [*leave, {"keep": list(labels)}]

    # ----------------------------------------------------------------------------- doubts

    def refuse(self) -> None:
        """Raise the first doubt that must be settled."""
        self._of_header()
        self._of_families()
        self._of_summaries()
        self._of_columns()
        self._of_names()
        self._of_sentinels()

    def _of_header(self) -> None:
        """Refuse names of columns that are all numbers, some with a fraction, as scores are."""
        table, names = self.known.table, self.known.scores
        if self.known.is_long or table.has_numbers_as_names or set(names) <= self.sure("algorithm"):
            return
        if all(map(_SCORE.fullmatch, names)) and any(map(_FRACTION.search, names)):
            remedy = (
                "Add a line with names above it."
                if table.text is not None
                else "Read the file again without a header (pandas.read_csv with header=None), and "
                "name the columns."
            )
            raise Unsettled(
                f"{self.source}the first line seems to hold scores, for the columns are called "
                f"{listed(names, most=3)}. {remedy}",
                [{"keep": list(names)}],
            )

    def _of_families(self) -> None:
        if self.known.is_long or self.reading.columns is not None or len(self.known.parts) != 1:
            return
        names, axis = self.known.scores, next(iter(self.known.parts))
        if axis != "algorithm":
            return
        found = family(names, self.values)
        if found is None:
            return
        ways: list[dict[str, Any]] = list(found.ways)
        doubted = ways[0].get("ignore", names)
        if set(doubted) <= self.sure("algorithm"):
            return
        if not any("{algorithm}" in way.get("columns", "{algorithm}") for way in ways):
            rows = self.known.roles.get("dataset", ())
            named = bool(rows) and bool(called("dataset", rows))
            # data sets are no algorithms; and one algorithm is nothing to compare
            ways = [] if named or not rows else [{"algorithm": rows[0], **way} for way in ways]
        raise Unsettled(
            f"{self.source}columns {listed(names)} {found.what}.",
            [*ways, {"keep": list(doubted)}],
        )

    def _of_summaries(self) -> None:
        for axis, values in (("dataset", self.values), ("algorithm", self.values.T)):
            found = self._summaries(axis)
            labels = getattr(self.cells, f"{axis}s")
            least = 1 if axis == "dataset" else 4
            certain = [
                each for each in found if each.certain and labels[each.row] not in self.sure(axis)
            ]
            if certain and values.shape[1] >= least:
                names = [labels[each.row] for each in certain]
                told = "; ".join(
                    f"{_line(axis, self)} {labels[each.row]!r} holds {each.what} of the others"
                    for each in certain
                )
                raise Unsettled(f"{self.source}{told}.", self.ways(axis, names))

    def _summaries(self, axis: str) -> list[Summary]:
        """Return the data sets or algorithms that seem to summarise the others."""
        if axis not in self._found:
            is_row = axis == "dataset"
            found = summaries(self.values if is_row else self.values.T, 4 if is_row else 2)
            self._found[axis] = found if is_row else [*found, *best_of_others(self.values)]
        return self._found[axis]

    def _of_columns(self) -> None:
        axis = "dataset" if self.transposed else "algorithm"
        labels, sure = getattr(self.cells, f"{axis}s"), self.sure(axis)
        values = self.values.T if self.transposed else self.values
        found = [
            each
            for each in odd_columns(values, one_measure=not self.transposed)
            if labels[each.column] not in sure
        ]
        if found:
            names = [labels[each.column] for each in found]
            told = "; ".join(
                f"{_line(axis, self)} {name!r} holds {each.what}"
                for name, each in zip(names, found, strict=True)
            )
            seem = "they seem to be other measures, sizes or ids"
            if len(found) == 1:
                seem = "it seems to be another measure, a size or an id"
            raise Unsettled(
                f"{self.source}{told}: {seem}.",
                [*self._names_of_rows(found), *self.ways(axis, names)],
            )

    def _names_of_rows(self, found: Sequence[Odd]) -> list[Way]:
        """Return the way to take a column of different numbers as the names of the rows."""
        if "dataset" in self.known.roles or len(found) > 1 or self.known.is_long or self.transposed:
            return []
        own = self.values[:, found[0].column]
        if len(np.unique(own)) < len(own) or (own != np.floor(own)).any():
            return []
        return [{"dataset": self.cells.algorithms[found[0].column]}]

    def _of_names(self) -> None:
        there = ~np.isnan(self.values)
        for axis, mask in (("dataset", there), ("algorithm", there.T)):
            labels = getattr(self.cells, f"{axis}s")
            sure = self.sure(axis)
            pairs = [
                pair for pair in (*alike(labels), *misspelt(labels, mask)) if pair[1] not in sure
            ]
            if pairs:
                told = " and ".join(f"{one!r} and {other!r}" for one, other in pairs[:3])
                noun = "data sets" if axis == "dataset" else "algorithms"
                raise Unsettled(
                    f"{self.source}{noun} {told} seem to be one, written in two ways.",
                    [self.ways(axis, [other for _, other in pairs])[-1]],
                    "Write the name in one way if it is one.",
                )

    def _of_sentinels(self) -> None:
        """Refuse a number that stands for something else: -1 among shares, 999."""
        scores = self.cells.lower
        if scores.size > _LARGE or self.cells.upper is not scores:
            return
        there = scores[~np.isnan(scores)]
        if there.size < 6:
            return
        datasets, algorithms = self.cells.datasets, self.cells.algorithms
        sure = self.sure("dataset"), self.sure("algorithm")
        for value in _strange(there):
            places = [
                (datasets[d], algorithms[a])
                for d, a in np.argwhere(scores == value)[:, :2].tolist()
                if datasets[d] not in sure[0] and algorithms[a] not in sure[1]
            ]
            if places:
                word, (dataset, algorithm) = f"{value:.15g}", places[0]
                kept = list(dict.fromkeys(name for name, _ in places))
                raise Unsettled(
                    f"{self.source}the score {word} of {algorithm!r} on {dataset!r} is far from "
                    "all others, and seems to say that there is no result.",
                    [{"missing_words": [word]}, self.ways("dataset", kept)[-1]],
                )

    # ------------------------------------------------------------------------------ notes

    def notes(self) -> Iterator[Note]:
        """Yield what may be wrong, or right."""
        yield from self._likely_summaries()
        yield from self._transposed()
        yield from self._units()
        yield from self._zeros()
        yield from self._equal()
        yield from self._cutoff()

    def _likely_summaries(self) -> Iterator[Note]:
        if self.values.size > _LARGE:
            return
        for axis in ("dataset", "algorithm"):
            labels = getattr(self.cells, f"{axis}s")
            for each in self._summaries(axis):
                if not each.certain and labels[each.row] not in self.sure(axis):
                    name = labels[each.row]
                    yield Note(
                        "summary",
                        f"{_line(axis, self).capitalize()} {name!r} may hold {each.what} of the "
                        f"others. {_offered(self.ways(axis, [name]))}",
                    )

    def _transposed(self) -> Iterator[Note]:
        """Yield a note if columns seem to be the data sets, for they differ far more than rows."""
        n, k = self.values.shape
        if (
            self.known.is_long
            or self.transposed
            or self.sure("algorithm")
            or len(self.known.parts) > 1
        ):
            return
        why = ""
        if n > 0 and k >= max(10, 6 * n):
            why = f"There are {k} algorithms, but {n} data set{'s' if n > 1 else ''}."
        elif n >= 3 and k > n and not np.isnan(self.values).any() and not _are_ranks(self.values):
            low, high = np.quantile(self.values, [0.25, 0.75], axis=0)
            within_columns = float(np.median(high - low))
            low, high = np.quantile(self.values, [0.25, 0.75], axis=1)
            if within_columns < 0.4 * float(np.median(high - low)):
                why = (
                    f"There are more algorithms ({k}) than data sets ({n}), and the scores of an "
                    "algorithm are more alike than those on a data set."
                )
        label = self.known.roles.get("dataset", (None,))[0]
        if why and not (label and called("dataset", [label])):
            ways = f"algorithm={label!r}, transpose=True" if label else "transpose=True"
            yield Note(
                "transposed",
                f"{why} If rows are algorithms and columns are data sets, pass {ways}.",
            )

    def _units(self) -> Iterator[Note]:
        """Yield a note if some scores are percentages and the others of their data set shares."""
        values = self.values
        low, high = np.fmin.reduce(values, axis=None), np.fmax.reduce(values, axis=None)
        if not (1 < high <= 100 and low >= 0):
            return
        large, small = values > 1, values <= 1
        mixed: BoolArray = np.asarray(large.any(axis=1) & small.any(axis=1))
        cells = np.argwhere(large & mixed[:, np.newaxis])
        whole_rows = np.flatnonzero(large.all(axis=1))
        if len(cells):
            shares = [values[d][small[d]] for d in cells[:, 0]]
            middle = np.array([np.nanmedian(share) for share in shares])
            near = np.abs(values[tuple(cells.T)] / 100 - middle) < 0.25
            if near.mean() >= 0.9 and np.median(middle) >= 0.25:
                d, a = (int(i) for i in cells[0])
                yield self._of_units(
                    f"The score of {self.cells.algorithms[a]} on {self.cells.datasets[d]} is "
                    f"{values[d, a]:.4g}, and other scores on it are about {middle[0]:.2g}"
                )
        elif (
            0 < len(whole_rows) < len(values) / 2
            and small[~large.any(axis=1)].any()
            and np.nanmin(values[whole_rows]) > 10
            and np.nanmedian(values[small]) >= 0.1
        ):
            names = [self.cells.datasets[int(d)] for d in whole_rows]
            yield self._of_units(
                f"The scores on {named(names, most=_MOST_NAMED)} are above 1, those on the "
                "other data sets are not"
            )

    def _of_units(self, what: str) -> Note:
        return Note(
            "units",
            f"{what}: some scores seem to be percentages, others shares. If they are, write all of "
            "them in one unit.",
        )

    def _zeros(self) -> Iterator[Note]:
        """Yield a note on zeros far below all other scores, as some programs write failures."""
        values = self.values
        if self.reading.direction != MAXIMIZE or values.size > _LARGE:
            return
        zero = values == 0
        if not zero.any() or zero.mean() > 0.2 or not (values[~zero & ~np.isnan(values)] > 0).all():
            return
        others = np.where(zero, np.nan, values)
        low = np.fmin.reduce(others, axis=1)  # NaN, and no warning, where there is no other
        d, a = (axis.tolist() for axis in np.nonzero(zero))
        own = np.fmin.reduce(others, axis=0)
        far = low[d] > 0.2 * np.fmax.reduce(others[d], axis=1)
        if (far & (own[a] > 0)).all():
            names = sorted({self.cells.algorithms[j] for j in a})
            yield Note(
                "zeros",
                f"{len(d)} scores of {named(names, most=_MOST_NAMED)} are exactly 0, far below the "
                "others on their data sets. If they are failed runs, leave these cells empty or "
                "pass missing_words=['0'].",
            )

    def _equal(self) -> Iterator[Note]:
        """Yield a note on rows or columns that repeat another one."""
        if max(self.values.shape) > _MANY or _has_few_values(self.values):
            return
        for axis, values in (("dataset", self.values), ("algorithm", self.values.T)):
            if values.shape[1] < 2:
                continue
            labels = getattr(self.cells, f"{axis}s")
            first: dict[bytes, int] = {}
            pairs = []
            for place, row in enumerate(np.ascontiguousarray(values)):
                if len(np.unique(row[~np.isnan(row)])) < min(_LEAST_EQUAL, values.shape[1]):
                    continue
                before = first.setdefault(row.tobytes(), place)
                if before != place:
                    pairs.append((labels[before], labels[place]))
            if pairs:
                told = "; ".join(f"{one} and {other}" for one, other in pairs[:3])
                noun = "Data sets" if axis == "dataset" else "Algorithms"
                yield Note("equal", f"{noun} with the same scores throughout: {told}.")

    def _cutoff(self) -> Iterator[Note]:
        """Yield a note if runs seem to have been stopped at the largest score."""
        cells = self.cells
        if self.reading.direction != MINIMIZE or self.reading.cutoff is not None:
            return
        if cells.lower.size > _LARGE:
            return
        algorithms = np.broadcast_to(
            np.arange(cells.lower.shape[1])[:, np.newaxis, np.newaxis], cells.lower.shape
        )
        found = probable_cutoff(cells.lower.ravel(), algorithms.ravel())
        if found is not None:
            at = np.unique(algorithms[cells.lower == found[0]])
            names = [cells.algorithms[int(a)] for a in at]
            yield Note("cutoff", sentence_of_cutoff(*found, names))


def _line(axis: str, checks: _Checks) -> str:
    if axis in checks.known.parts:
        return "column"
    in_rows = axis in checks.known.roles and not checks.known.is_long
    return "row" if in_rows else "data set" if axis == "dataset" else "algorithm"


def _offered(ways: Sequence[Way]) -> str:
    return f"Pass {' or '.join(map(written, ways))}."


def _strange(there: FloatArray) -> Iterator[float]:
    """Yield numbers that can hardly be scores: -1 among shares, 999 among smaller ones."""
    low = float(there.min())
    rest = there[there != low]
    if (
        low in (-1.0, -99.0, -999.0, -9999.0)
        and rest.size
        and rest.min() >= 0
        and ((there == low).mean() <= 0.25)
    ):
        yield low
    high = float(there.max())
    rest = there[there != high]
    digits = f"{high:.15g}"
    is_nines = len(digits) >= 3 and set(digits) <= {"9", "."} and digits.startswith("99")
    if is_nines and rest.size and 0 < rest.max() < high / 5 and (there == high).mean() <= 0.25:
        yield high


def _has_few_values(values: FloatArray) -> bool:
    """Tell whether scores are ranks or small whole numbers, which are often the same."""
    there = values[~np.isnan(values)]
    return bool((there * 2 == np.floor(there * 2)).all() and np.ptp(there) <= _FEW)


def _are_ranks(values: FloatArray) -> bool:
    k = values.shape[1]
    halves: BoolArray = np.abs(values * 2 - np.round(values * 2)) < 1e-9
    return bool(halves.all() and (np.abs(values.sum(axis=1) - k * (k + 1) / 2) < 1e-6).all())


def checked(cells: Cells, known: Understanding, reading: Reading) -> Cells:
    """Return the cells with notes on what may be wrong; refuse what must be settled.

    Raises
    ------
    Unsettled
        If scores contradict how the table was read.
    """
    if cells.upper is not cells.lower:
        return cells
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of rows and columns without a score
        checks = _Checks(cells, known, reading)
        checks.refuse()
        notes = tuple(checks.notes())
    return replace(cells, notes=(*cells.notes, *notes)) if notes else cells
