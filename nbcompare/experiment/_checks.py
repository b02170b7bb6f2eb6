"""What scores say against how a table was read: summaries, other measures, units, names, gaps.

A doubt stops the reading with words that settle it; what may well be right is a note.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, has_gaps, mean_over, median_over
from nbcompare._options import MAXIMIZE, MINIMIZE
from nbcompare._render import Note, plural
from nbcompare._tables.text_format import Unsettled, Way, offered, written
from nbcompare._validation import listed, named
from nbcompare.experiment import _names, _odd
from nbcompare.experiment._arrange import Cells
from nbcompare.experiment._columns import Understanding
from nbcompare.experiment._odd import Odd, Summary
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._schema import NOUNS, REPETITIONS, called

# Codes of notes that say that something may be wrong
DOUBTFUL = frozenset({"summary", "transposed", "units", "zeros", "equal", "cutoff", "repetitions"})
_SCORE = re.compile(
    r"[-+\u2212]?\d*[.,]?\d+(e[-+]?\d+)?\s*%?(\s*(\u00b1|\+-).*)?|nan?|-|\?", re.IGNORECASE
)
_FRACTION = re.compile(r"[.,]\d|\de[-+]?\d", re.IGNORECASE)
# Names that data sets seldom have: a reason to look, and no proof
_SUMMARIES = {"mean", "median", "average", "avg", "total", "sum", "overall", "std"}
_MOST_NAMED = 5
_MOST_KEPT = 40  # names that words to type may list
_MANY_ITEMS = 50  # rows with scores of 0 and 1 alone, from which these seem to be of items
_FIRST = slice(50)  # rows that refute most of what is false
_LARGE = 4_000_000  # scores beyond which only what is cheap is looked at
_MANY = 20_000  # rows or columns that are not compared with one another
_FEW = 40  # whole numbers that often tie
_LEAST_SCORES = 6  # among which one may be odd
_LEAST_EQUAL = 3  # different scores of a row that another one must repeat


@dataclass(frozen=True, eq=False)
class _Axis:
    """The data sets, or the algorithms, of a table."""

    nouns: str
    labels: Sequence[str]
    values: FloatArray  # mean scores, a row for each label
    doubted: BoolArray  # of which the caller has not said that they are what they seem
    columns: Sequence[tuple[str, str]]  # which hold scores, each with its label, if they have them
    is_in_rows: bool
    line: str  # what holds the scores of a label: a row, a column, or neither

    @cached_property
    def stems(self) -> Collection[str]:
        """The labels without the number at their end: few, where there are many labels."""
        return _names.stems_of(self.labels)

    def ways(self, labels: Sequence[str]) -> list[Way]:
        """Return how to leave out some labels, if it can be said, and how to keep them."""
        names = [name for name, label in self.columns if label in labels] or list(labels)
        if self.columns:
            return [{"ignore": names}, {"keep": names}]
        if self.is_in_rows:
            return [{"ignore_rows": names}, {"keep_rows": names}]
        rest = [label for label in self.labels if label not in labels]
        leave: list[Way] = [{"algorithms": rest}] if 0 < len(rest) <= _MOST_KEPT else []
        return [*leave, {"keep": names}]

    def called(self, row: int) -> str:
        """Return what holds the scores of a label, and this: column 'mean'."""
        return f"{self.line} {self.labels[row]!r}"


class _Checks:
    def __init__(self, cells: Cells, known: Understanding, reading: Reading) -> None:
        self.cells, self.known, self.reading = cells, known, reading
        one = cells.lower.shape[2:] == (1, 1)
        self.values = cells.lower[..., 0, 0] if one else mean_over(mean_over(cells.lower))
        self.has_gaps = has_gaps(self.values)
        self.transposed = "dataset" in known.parts
        self.source = f"{known.table.source}: "
        self.datasets = self._axis("dataset", cells.datasets, self.values)
        self.algorithms = self._axis("algorithm", cells.algorithms, self.values.T)
        self.axes = (self.datasets, self.algorithms)

    @cached_property  # which takes long on many rows, and what is refused before needs none
    def summaries(self) -> list[tuple[_Axis, list[Summary]]]:
        """The rows and columns that seem to summarise others."""
        of_algorithms = _odd.computed_of_two(self.values) or [
            *_odd.summaries(self.values.T, 2),
            *_odd.best_of_others(self.values),
        ]
        return [
            (axis, [it for it in found if axis.doubted[it.row]])
            for axis, found in (
                (self.datasets, _odd.summaries(self.values, 4)),
                (self.algorithms, of_algorithms),
            )
        ]

    def _axis(self, role: str, labels: Sequence[str], values: FloatArray) -> _Axis:
        known, reading = self.known, self.reading
        asked = reading.datasets if role == "dataset" else reading.algorithms
        sure = {*(asked or ()), *reading.keep, *reading.keep_rows}
        doubted = np.ones(len(labels), dtype=np.bool_)
        if sure:
            doubted[:] = [label not in sure for label in labels]
        columns = (
            [*zip(known.scores, known.parts[role], strict=True)] if role in known.parts else []
        )
        line = NOUNS[role][:-1]
        if columns or (role in known.roles and not known.is_long):
            line = "column" if columns else "row"
        in_rows = role == "dataset" or self.transposed
        return _Axis(NOUNS[role], labels, values, doubted, columns, in_rows, line)

    # ----------------------------------------------------------------------------- doubts

    def refuse(self) -> None:
        """Raise the first doubt that must be settled."""
        self._of_header()
        self._of_gaps()
        self._of_unit()
        self._of_families()
        self._of_summaries()
        self._of_columns()
        self._of_references()
        self._of_names()
        self._of_sentinels()

    def _unsettled(self, text: str, ways: Iterable[Way], remedy: str = "") -> Unsettled:
        return Unsettled(f"{self.source}{text}", ways, remedy)

    def _of_header(self) -> None:
        """Refuse names of columns that are all numbers, some with a fraction, as scores are."""
        table, names = self.known.table, self.known.scores
        if self.known.is_long or table.has_numbers_as_names or {*names} <= {*self.reading.keep}:
            return
        if all(map(_SCORE.fullmatch, names)) and any(map(_FRACTION.search, names)):
            remedy = "Add a line with names above it."
            if table.text is None:
                remedy = (
                    "Read the file again without a header (pandas.read_csv with header=None), and "
                    "name the columns."
                )
            raise self._unsettled(
                "the first line seems to hold scores, for the columns are called "
                f"{listed(names, most=3)}. {remedy}",
                [{"keep": list(names)}],
            )

    def _of_gaps(self) -> None:
        """Refuse data sets and algorithms without any score."""
        for axis in self.axes if self.has_gaps else ():
            has_none = np.isnan(axis.values).all(axis=1)
            names = [axis.labels[row] for row in np.flatnonzero(has_none).tolist()]
            if names and not has_none.all():
                one = f"{axis.line} {names[0]!r} has"
                told = one if len(names) == 1 else f"{axis.nouns} {listed(names)} have"
                raise self._unsettled(f"{told} no score at all.", axis.ways(names)[:-1])

    def _of_unit(self) -> None:
        """Refuse rows that may be folds of fewer data sets, or items of a benchmark."""
        cells, said = self.cells, self.reading
        if said.unit is not None or said.rows is not None or cells.lower.shape[2:] != (1, 1):
            return
        if not self.datasets.doubted.any():
            return
        pattern = (
            ""
            if "dataset" in self.known.parts
            else _names.crossed_rows(cells.datasets, self.datasets.stems)
        )
        if pattern:
            n, ways = len(cells.datasets), list[Way]()
            if "{{fold}}" in pattern:
                ways = [] if self.known.is_long else [{"rows": pattern.format("{run}")}]
            elif not pattern.startswith("{{dataset}}"):
                ways = [{"unit": "folds"}, {"unit": "runs"}]
            elif not self.known.is_long:
                ways = [{"rows": pattern.format(f"{{{role}}}")} for role in REPETITIONS]
            raise self._unsettled(
                f"the {n} rows, {listed(cells.datasets, most=3)}, seem to be repetitions on fewer "
                f"data sets, which are no {n} independent ones.",
                [*ways, {"unit": "datasets"}],
            )
        if len(self.values) >= _MANY_ITEMS and _are_answers(self.values):
            names = self.known.roles.get("dataset", ())
            of_rows: list[Way] = [{"item": name} for name in names[:1] if name]
            raise self._unsettled(
                f"all scores are 0 or 1 on {len(self.values):,} rows, as right and wrong answers "
                "to questions are, which are items of one benchmark; data sets seldom have such "
                "scores.",
                [{"unit": "items"}, *of_rows, {"unit": "datasets"}],
            )

    def _of_families(self) -> None:
        """Refuse names of columns that seem to say more than the algorithm."""
        known = self.known
        if known.is_long or self.reading.columns is not None or len(known.parts) > 1:
            return
        if self.transposed:
            found = _names.measures_beside(known.scores, self.values.T, "data sets")
        else:
            found = _names.family(known.scores, self.values)
        if found is None:
            return
        ways: list[Way] = list(found.ways)
        doubted = ways[0].get("ignore", known.scores)
        if {*doubted} <= {*self.reading.keep, *(self.reading.algorithms or ())}:
            return
        if not any("{algorithm}" in way.get("columns", "{algorithm}") for way in ways):
            rows = known.roles.get("dataset", ())
            # data sets are no algorithms; and one algorithm is nothing to compare
            ways = [{"algorithm": rows[0], **way} for way in ways if rows]
            ways = [] if called("dataset", rows) else ways
        raise self._unsettled(
            f"columns {listed(known.scores)} {found.what}.", [*ways, {"keep": list(doubted)}]
        )

    def _of_summaries(self) -> None:
        for axis, found in self.summaries:
            certain = [it for it in found if it.certain]
            if certain and (axis is self.datasets or len(self.values) >= 4):
                told = "; ".join(
                    f"{axis.called(it.row)} holds {it.what} of the others" for it in certain
                )
                raise self._unsettled(
                    f"{told}.", axis.ways([axis.labels[it.row] for it in certain])
                )

    def _of_columns(self) -> None:
        axis = self.datasets if self.transposed else self.algorithms
        odd = _odd.odd_columns(axis.values.T, one_measure=not self.transposed)
        found = [it for it in odd if axis.doubted[it.column]]
        if found:
            names = [axis.labels[it.column] for it in found]
            told = "; ".join(f"{axis.called(it.column)} holds {it.what}" for it in found)
            seem = "they seem to be other measures, sizes or ids"
            if len(found) == 1:
                seem = "it seems to be another measure, a size or an id"
            ways = [*self._names_of_rows(found), *axis.ways(names)]
            raise self._unsettled(f"{told}: {seem}.", ways)

    def _of_references(self) -> None:
        """Refuse best known values and bounds as an algorithm."""
        axis = self.algorithms
        names = {*called("reference", axis.labels), *called("optimum", axis.labels)}
        for row in (i for i, name in enumerate(axis.labels) if name in names):
            own, others = axis.values[row], np.delete(axis.values, row, axis=0)
            is_outer = (own >= others).all() or (own <= others).all()
            if axis.doubted[row] and len(others) and is_outer:
                raise self._unsettled(
                    f"{axis.called(row)} has the highest or lowest score of every data set, and "
                    "is called like best known values or bounds, which are no algorithm.",
                    axis.ways([axis.labels[row]]),
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
        for axis in self.axes:
            sure = {axis.labels[row] for row in np.flatnonzero(~axis.doubted).tolist()}
            pairs = _names.alike(axis.labels, axis.stems)
            if self.has_gaps and len(axis.labels) <= _names.MOST_SPELT:
                pairs += _names.misspelt(axis.labels, ~np.isnan(axis.values))
            pairs = [pair for pair in pairs if pair[1] not in sure]
            if pairs:
                told = " and ".join(f"{one!r} and {other!r}" for one, other in pairs[:3])
                raise self._unsettled(
                    f"{axis.nouns} {told} seem to be one, written in two ways.",
                    axis.ways([other for _, other in pairs])[-1:],
                    "Write the name in one way if it is one.",
                )

    def _of_sentinels(self) -> None:
        """Refuse a number that stands for something else: -1 among shares, 999."""
        scores = self.cells.lower
        doubted = self.datasets.doubted[:, np.newaxis] & self.algorithms.doubted
        for value in _strange(scores):
            places = np.argwhere((scores == value) & doubted[..., np.newaxis, np.newaxis])
            if len(places):
                names = list(dict.fromkeys(self.cells.datasets[d] for d in places[:, 0]))
                algorithm = self.cells.algorithms[places[0, 1]]
                raise self._unsettled(
                    f"the score {value:.15g} of {algorithm!r} on {names[0]!r} is far from "
                    "all others, and seems to say that there is no result.",
                    [{"missing_words": [f"{value:.15g}"]}, self.datasets.ways(names)[-1]],
                )

    # ------------------------------------------------------------------------------ notes

    def notes(self) -> Iterator[Note]:
        """Yield what may be wrong, or right."""
        for axis, found in self.summaries:
            for it in found:
                if not it.certain and axis.values.size <= _LARGE:
                    ways = offered(map(written, axis.ways([axis.labels[it.row]])))
                    line = axis.called(it.row)
                    text = f"{line[0].upper()}{line[1:]} may hold {it.what} of the others."
                    yield Note("summary", f"{text} {ways}")
        yield from self._summary_names()
        yield from self._transposed()
        yield from self._units()
        if self.values.size <= _LARGE:
            yield from self._zeros()
            yield from self._cutoff()
        if self.reading.direction == MAXIMIZE and min(self.values.shape) > 2:
            yield from self._ranks()
        yield from self._equal()

    def _summary_names(self) -> Iterator[Note]:
        """Yield a note on data sets that are called like a summary, whose numbers are not those."""
        axis = self.datasets
        called = {it for it in axis.stems if it.strip(" .:").casefold() in _SUMMARIES}
        if not called:
            return
        found = [
            label
            for label, is_doubted in zip(axis.labels, axis.doubted, strict=True)
            if is_doubted and label in called
        ]
        if found:
            is_called = (
                "is called like a summary" if len(found) == 1 else "are called like summaries"
            )
            told = f"{axis.line.capitalize()} {listed(found)} {is_called} of the others."
            yield Note("summary", f"{told} {offered(map(written, axis.ways(found)))}")

    def _transposed(self) -> Iterator[Note]:
        """Yield a note if columns seem to be the data sets, for they differ far more than rows."""
        values, (n, k) = self.values, self.values.shape
        is_said = self.reading.keep or self.reading.algorithms is not None
        if self.known.is_long or self.transposed or is_said or len(self.known.parts) > 1:
            return
        why = ""
        if n > 0 and k >= max(10, 6 * n):
            why = f"There are {k} algorithms, but {n} data set{'s' if n > 1 else ''}."
        elif n >= 3 and k > n and not np.isnan(values).any() and not _are_ranks(values):
            spreads = [np.median(np.ptp(np.quantile(values, [0.25, 0.75], i), 0)) for i in (0, 1)]
            if spreads[0] < 0.4 * spreads[1]:
                why = (
                    f"There are more algorithms ({k}) than data sets ({n}), and the scores of an "
                    "algorithm are more alike than those on a data set."
                )
        label = self.known.roles.get("dataset", ("",))[0]
        if why and not called("dataset", [label]):
            ways = f"algorithm={label!r}, transpose=True" if label else "transpose=True"
            text = f"{why} If rows are algorithms and columns are data sets, pass {ways}."
            yield Note("transposed", text)

    def _units(self) -> Iterator[Note]:
        """Yield a note if some scores are percentages and the others of their data set shares."""
        values, datasets, what = self.values, self.cells.datasets, ""
        low, high = np.fmin.reduce(values, axis=None), np.fmax.reduce(values, axis=None)
        if not (1 < high <= 100 and low >= 0):
            return
        large, shares = values > 1, np.where(values <= 1, values, np.nan)
        mixed = large.any(axis=1) & (values <= 1).any(axis=1)
        middle = np.full(len(values), np.nan)
        middle[mixed] = median_over(shares[mixed])
        places = np.argwhere(large & ~np.isnan(middle[:, np.newaxis]))
        whole_rows = np.flatnonzero(large.all(axis=1))
        if len(places):
            of_rows = middle[places[:, 0]]
            near = np.abs(values[tuple(places.T)] / 100 - of_rows) < 0.25
            if near.mean() >= 0.9 and np.median(of_rows) >= 0.25:
                d, a = places[0].tolist()
                what = (
                    f"The score of {self.cells.algorithms[a]} on {datasets[d]} is "
                    f"{values[d, a]:.4g}, and other scores on it are about {middle[d]:.2g}"
                )
        elif (
            0 < len(whole_rows) < len(values) / 2
            and np.nanmin(values[whole_rows]) > 10
            and np.nanmedian(shares) >= 0.1
        ):
            names = named([datasets[d] for d in whole_rows], most=_MOST_NAMED)
            what = f"The scores on {names} are above 1, those on the other data sets are not"
        if what:
            yield Note(
                "units",
                f"{what}: some scores seem to be percentages, others shares. If they are, write "
                "all of them in one unit.",
            )

    def _zeros(self) -> Iterator[Note]:
        """Yield a note on zeros far below all other scores, as some programs write failures."""
        values = self.values
        n_zeros = values.size - np.count_nonzero(values)
        if self.reading.direction != MAXIMIZE or not 0 < n_zeros <= 0.2 * values.size:
            return
        zero = values == 0
        others = np.where(zero, np.nan, values)
        if (others < 0).any():
            return
        d, a = np.nonzero(zero)
        low, high = np.nanmin(others, axis=1), np.nanmax(others, axis=1)
        if ((low > 0.2 * high)[d] & (np.nanmin(others, axis=0) > 0)[a]).all():
            names = sorted({self.cells.algorithms[j] for j in a})
            yield Note(
                "zeros",
                "Exactly 0 and far below the others on the same data set: "
                f"{plural(len(d), 'score')} of {named(names, most=_MOST_NAMED)}. If runs failed, "
                "leave their cells empty or pass missing_words=['0'].",
            )

    def _ranks(self) -> Iterator[Note]:
        """Yield a note on ranks of which the highest would be the best."""
        if _are_ranks(self.values):
            yield Note(
                "direction",
                f"The scores of each data set are the ranks 1 to {self.values.shape[1]}, of which "
                "1 is the best as a rule; here higher is better. Is the direction right?",
            )

    def _equal(self) -> Iterator[Note]:
        """Yield a note on rows or columns that repeat another one."""
        if max(self.values.shape) > _MANY or _has_few_values(self.values):
            return
        for axis in self.axes:
            first: dict[bytes, str] = {}
            pairs = []
            rows = [row.tobytes() for row in axis.values]
            if len(set(rows)) == len(rows):
                continue
            for label, row, held in zip(axis.labels, axis.values, rows, strict=True):
                before = first.setdefault(held, label)
                least = max(2, min(_LEAST_EQUAL, len(row)))
                if before != label and len(np.unique(row[~np.isnan(row)])) >= least:
                    pairs.append(f"{before} and {label}")
            if pairs:
                nouns = f"{axis.nouns[0].upper()}{axis.nouns[1:]}"
                told = "; ".join(pairs[:3])
                yield Note("equal", f"{nouns} with the same scores throughout: {told}.")

    def _cutoff(self) -> Iterator[Note]:
        """Yield a note if runs of several algorithms seem to have been stopped at one score."""
        if self.reading.direction != MINIMIZE or self.reading.cutoff is not None:
            return
        scores = self.cells.lower
        most = float(np.fmax.reduce(scores, axis=None))
        are_most = scores == most
        count, n_below = np.count_nonzero(are_most), np.count_nonzero(scores < most)
        if most <= 0 or count + n_below < 20 or count <= max(1, 0.05 * (count + n_below)):
            return
        below, algorithms = scores[scores < most], np.flatnonzero(are_most.any(axis=(0, 2, 3)))
        if not below.size or 2 * below.max() <= most:
            return  # failures count twice or ten times the cutoff already
        # whole numbers and ranks tie everywhere
        if len(algorithms) > 1 and len(np.unique(below)) >= 0.5 * below.size:
            names = named([self.cells.algorithms[a] for a in algorithms])
            yield Note(
                "cutoff",
                f"{count:,} scores, of {names}, are exactly {most:.15g}, the largest one: runs "
                "seem to have been stopped there. When scores are read, a cutoff and a treatment "
                "of failed runs (par10, worst or missing) say what becomes of them.",
            )


def _are_answers(values: FloatArray) -> bool:
    """Tell whether all scores, but for missing ones, are 0 or 1."""
    parts = (values[_FIRST], values)
    return all(((it == 0) | (it == 1) | np.isnan(it)).all() for it in parts)


def _strange(scores: FloatArray) -> Iterator[float]:
    """Yield numbers that are unlikely to be scores: -1 among shares, 999 among smaller ones."""
    low, high = (float(end.reduce(scores, axis=None)) for end in (np.fmin, np.fmax))
    odd = [low] if low in (-1.0, -99.0, -999.0, -9999.0) else []
    odd += [high] if re.fullmatch(r"99[9.]+", f"{high:.15g}") else []
    for value in odd:  # which few tables hold
        there = scores[~np.isnan(scores)]
        rest = there[there != value]
        if there.size < _LEAST_SCORES or rest.size < 0.75 * there.size:
            continue
        if rest.min() >= 0 if value == low else 0 < rest.max() < high / 5:
            yield value


def _has_few_values(values: FloatArray) -> bool:
    """Tell whether scores are ranks or small whole numbers, which are often the same."""
    there = values[~np.isnan(values)]
    are_half = (there * 2 == np.floor(there * 2)).all()
    return bool(there.size and are_half and np.ptp(there) <= _FEW)


def _are_ranks(values: FloatArray) -> bool:
    k = values.shape[1]
    return all(
        (np.abs(it * 2 - np.round(it * 2)) < 1e-9).all()
        and (np.abs(it.sum(axis=1) - k * (k + 1) / 2) < 1e-6).all()
        for it in (values[_FIRST], values)
    )


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
    return cells._replace(notes=(*cells.notes, *notes)) if notes else cells
