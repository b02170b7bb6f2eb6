"""The way of a parsed table to its cells (filter, infer, arrange, check), and doubts on it.

Words that are offered to settle a doubt were tried before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from time import monotonic
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from nbcompare._tables import PLAIN, RawTable, printed
from nbcompare._tables.text_format import Unsettled, Way, missing_with, offered, written
from nbcompare._validation import DataError, check_name
from nbcompare.experiment import _long, _wide
from nbcompare.experiment._arrange import Cells, arrange
from nbcompare.experiment._checks import DOUBTFUL, checked
from nbcompare.experiment._columns import Columns, Understanding, examples
from nbcompare.experiment._facts import rows_with
from nbcompare.experiment._reading import Reading, Source, joined
from nbcompare.experiment._schema import ColumnUse, listing

_MOST_OFFERED = 6
_OF_A_SEARCH = {"params", "mean_test_score", "rank_test_score"}  # of scikit-learn
_SOURCE = re.compile(r"(.*?)[:,] ")  # the name of the table, with which sentences on it begin
_UNSETTLED = " must be settled, for "
_MOST_TRIED = 60  # readings of a table for one message
_DEEPEST = 6
_SECONDS = 20.0  # after which nothing more is tried, in a table that takes long


class ReadingError(DataError):
    """A table that can be read in several ways, or not as it stands.

    Attributes
    ----------
    advice : tuple of mapping of str to object
        Arguments of :meth:`Experiment.read` with each of which the table was read on trial.
    text : str
        The message without what to type, and without the columns.
    columns : tuple of ColumnUse
        What each column was taken for, where that matters.
    cell : (int, str) or None
        Where it is about one cell: row, from 1 below the header, and column.
    """

    def __init__(
        self,
        message: str,
        advice: Sequence[Way] = (),
        *,
        text: str = "",
        columns: Sequence[ColumnUse] = (),
        cell: tuple[int, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.cell = cell
        self.advice, self.columns = tuple(advice), tuple(columns)
        self.text = text or message


class Advised(Protocol):
    """What is read, and can be read with further arguments."""

    def with_advice(self, way: Way, /) -> Self:
        """Return it with further arguments."""


_Read = TypeVar("_Read", bound=Advised)


def explained(doubt: Unsettled, reading: _Read, read: Callable[[_Read], set[str]]) -> ReadingError:
    """Return the error about a doubt, with what was tried and helps.

    Parameters
    ----------
    doubt : Unsettled
        What stands in the way.
    reading : Advised
        What the caller said.
    read : callable
        Reads the table as the caller says, and returns the codes of its doubtful notes.
    """
    trial = _Trial(read)
    found = trial.completed(doubt, reading, 1)
    sure = [each for each in found if not each.notes] or found
    advice = _distinct(each.way for each in sure)[:_MOST_OFFERED]
    text = " ".join([doubt.text, *(_in_all(sure, doubt.text) if sure else ())])
    table = f"{text}{listing(doubt.columns)}" if doubt.columns else text
    remedy = doubt.remedy
    if not advice and doubt.cell is None and trial.failed is not None:  # with what comes nearest
        way, error = trial.failed
        told = _SOURCE.sub("", getattr(error, "text", str(error)), count=1)
        remedy = " ".join(filter(None, (remedy, f"With {written(way)}: {told}")))
    message = filter(None, (table, offered(map(_explained, advice)), remedy))
    told = " ".join(filter(None, (text, remedy)))
    return ReadingError(
        " ".join(message), advice, text=told, columns=doubt.columns, cell=doubt.cell
    )


class _Tried(NamedTuple):
    """Arguments that read a table, codes of doubtful notes, and what else they settle."""

    way: Way
    notes: set[str]
    also: tuple[str, ...] = ()


def _in_all(tried: Sequence[_Tried], said: str) -> list[str]:
    """Return the sentences on further doubts that every way settles."""
    source = _SOURCE.match(said)
    found = [text for text in tried[0].also if all(text in each.also for each in tried)]
    if source is not None:  # which is told once
        found = [text.removeprefix(source[0]).removeprefix(f"{source[1]}: ") for text in found]
    # columns that are settled one by one are all named by the first sentence
    unsettled = [text for text in (said, *found) if _UNSETTLED in text]
    found = [text for text in found if text not in unsettled[1:]]
    name = None if source is None else f"{source[1]}, "  # of a file, which keeps its case
    return [it if name and it.startswith(name) else it[0].upper() + it[1:] for it in found]


class _Trial(Generic[_Read]):
    def __init__(self, read: Callable[[_Read], set[str]]) -> None:
        self._read = read
        self._left = _MOST_TRIED
        self._until = monotonic() + _SECONDS
        self.failed: tuple[Way, Exception] | None = None  # the first way that is not enough

    def completed(
        self, doubt: Unsettled, reading: _Read, depth: int, most: int = _MOST_TRIED
    ) -> list[_Tried]:
        """Return the ways with which the table can be read, joined with what else they need."""
        found: list[_Tried] = []
        for way in doubt.ways:
            if not self._left or monotonic() > self._until or len(found) >= most:
                break
            self._left -= 1
            try:
                tried = reading.with_advice(way)
                notes = self._read(tried)
            except Unsettled as further:
                self.failed = self.failed or (way, further)
                if depth < _DEEPEST and further.text != doubt.text:
                    enough = _MOST_OFFERED if depth == 1 and len(doubt.ways) == 1 else 1
                    found += [
                        _Tried(joined(way, it.way), it.notes, (further.text, *it.also))
                        for it in self.completed(further, tried, depth + 1, enough)
                    ]
            except (ValueError, TypeError, ArithmeticError) as error:
                self.failed = self.failed or (way, error)
            else:
                found.append(_Tried(way, notes))
        return found


def _distinct(ways: Iterable[Way]) -> list[Way]:
    """Return the ways without those that say the same in another order, or more than is needed."""
    found: dict[str, Way] = {}
    for way in ways:
        key = {name: sorted(it) if isinstance(it, list) else it for name, it in way.items()}
        found.setdefault(written(key), way)
    return [way for way in found.values() if not any(_says_less(it, way) for it in found.values())]


def _says_less(one: Way, other: Way) -> bool:
    """Tell whether all of one way, and not all of the other, is part of the other."""

    def parts(way: Way) -> set[tuple[str, str]]:
        lists = {name: it if isinstance(it, list) else [it] for name, it in way.items()}
        return {(name, repr(each)) for name, those in lists.items() for each in those}

    return parts(one) < parts(other)


_MEANING = {
    "ignore": ("to leave the column out", "to leave the columns out"),
    "ignore_rows": ("to leave the row out", "to leave the rows out"),
    "keep": ("if it is an algorithm", "if they are algorithms"),
    "keep_rows": ("if it is a data set", "if they are data sets"),
}
_MEANING_OF_WORDS = {
    "worse='keep-best'": "to keep the best so far, if values are those of single evaluations",
    "values='raw'": "to keep curves as they are",
    "early='carry'": "to let its last value stand",
}


def _explained(way: Way) -> str:
    """Return arguments with what they mean, if they are one."""
    text, (name, *others) = written(way), way
    meaning = _MEANING_OF_WORDS.get(text, "")
    if name in _MEANING and not others:
        meaning = _MEANING[name][len(way[name]) > 1]
    return f"{text} {meaning}" if meaning else text


# -------------------------- The way of a parsed table to its cells: filter, infer, arrange, check

_Said = TypeVar("_Said", bound=Reading)


def cells_of(source: Source) -> Cells:
    """Return the cells of a table, or say what to type; see :func:`explained`."""
    try:
        return _attempt(source)
    except Unsettled as doubt:
        raise explained(doubt, source, _doubts) from None


def infer(table: RawTable, reading: Reading) -> Understanding:
    """Say what each column of a table is: roles, descriptions, settings, measures.

    Every column plays a role, is proven irrelevant, or is named by the caller; otherwise reading
    stops. Names of columns propose roles; whether a column can play one, and whether it may be
    left out, is decided by its cells alone.

    Raises
    ------
    Unsettled
        If a column is not accounted for, or two may play one role.
    """
    columns = Columns(table, reading)
    if _long.is_long(columns):
        return columns.understood(_long.account(columns), {}, is_long=True)
    return columns.understood(*_wide.account(columns), is_long=False)


def understood(
    table: RawTable, reading: _Said, infer: Callable[[RawTable, _Said], Understanding]
) -> Understanding:
    """Return what the columns of a table are, after filters, as ``infer`` finds it out."""
    if not table.columns:
        raise DataError(f"{table.source} has no columns.")
    if "mean_fit_time" in table.columns and _OF_A_SEARCH & table.columns.keys():
        raise DataError(
            f"{table.source} holds the settings of a search (cv_results_ of scikit-learn), tried "
            "on one data set. Experiment.from_sklearn takes the search; to compare algorithms, "
            "make a table with the column mean_test_score of each data set and algorithm."
        )
    if table.n_rows == 0:
        raise DataError(f"{table.source} has no rows, so there is nothing to compare.")
    table = table.edited(reading.edits)
    reading.check_failures()
    for argument in ("ignore", "keep"):
        for name in getattr(reading, argument):
            if argument == "ignore" or not reading.named().keys() & {"algorithm", "score"}:
                check_name(name, argument, tuple(table.columns))
    # a name that is not a column may be a part of the names of columns
    of_rows = {
        name: labels
        for name, labels in reading.where.items()
        if name in table.columns or not (table.levels or name in reading.parts)
    }
    part = rows_with(table, of_rows).without(reading.ignore)
    known = infer(_with_numbers(part, reading), reading)
    left_out = (name for name in table.columns if name in reading.ignore)
    uses = [ColumnUse(name, examples(table, name), "left out, as asked") for name in left_out]
    known = replace(known, n_rows=table.n_rows, uses=(*known.uses, *uses))
    doubt = printed.doubtful_thousands(part, known.scores)
    if doubt is not None:
        raise doubt
    return known


def _with_numbers(table: RawTable, reading: Reading) -> RawTable:
    """Return the table with the numbers of scores that say more, such as 0.76 ± 0.02."""
    named = reading.named()
    ends = {name for end in ("lower", "upper") for name in named.get(end, (end,))}
    no_scores = {label.casefold() for label in reading.label_columns} | {"", *ends}
    text = PLAIN
    if reading.missing_words:
        text = replace(text, missing=missing_with(reading.missing_words))
        table = printed.without_words(table, no_scores, text.missing)
    return printed.with_printed(table, no_scores, text)


def _attempt(source: Source) -> Cells:
    known = understood(source.table, source.reading, infer)
    return checked(arrange(known, source.reading), known, source.reading)


def _doubts(source: Source) -> set[str]:
    """Return the codes of the notes that doubt a reading, which must give an experiment."""
    cells = _attempt(source)
    there = ~np.isnan(cells.lower)
    if not (there.any(axis=(1, 2, 3)).all() and there.any(axis=(0, 2, 3)).all()):
        raise DataError("every data set and algorithm must have at least one score.")
    one = {"one-algorithm"} if len(cells.algorithms) < 2 else set[str]()  # is nothing to compare
    return {note.code for note in cells.notes} & DOUBTFUL | one
