"""Settings of a DataBuilder: what is said of the columns, rows and cells of a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from nbcompare._options import DIRECTIONS, MAXIMIZE, MINIMIZE
from nbcompare._validation import check_choice, check_labels, check_name, clean_label, one_line
from nbcompare.widgets._data_ways import LABELS, MARKS
from nbcompare.widgets._settings import Owner, Setting

_ENTRIES = {"encoding": "text.encoding"}
_SPELLED = {
    MAXIMIZE: "higher scores are better",
    MINIMIZE: "lower scores are better",
    "std": "standard deviations",
    "rank": "ranks",
}
_NAMED = {
    "ignore": "columns that are no scores",
    "keep": "columns of scores that do not look like it",
    "ignore_rows": "rows that are no data sets",
    "keep_rows": "rows that are data sets, whatever they look like",
    "missing_words": "words that say that there is no result",
}
_UNSAID = {
    "direction": "please choose",
    "brackets": "as recognised",
    "decimal": "a point, if clear",
    "thousands": "none, or clear",
    "separator": "as recognised",
    "sheet": "the only one",
}


class Said(Setting):
    """Something that is said of a table, as the argument of its name."""

    is_of_data = True  # another table begins without
    several_lines = False

    def __init__(self, name: str) -> None:
        super().__init__(_ENTRIES.get(name, name), label=LABELS[name])

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return one line of text; None stands for the default."""
        if value is None:
            return self.entry.default
        text = one_line(value, str(self.name))
        return self.entry.default if text is None else text

    def written(self, value: Any) -> str:
        """Return the value as a person writes it."""
        return "" if value is None else str(value)

    def read(self, text: str) -> Any:
        """Return what a person wrote, as a value to be checked."""
        return text.strip() or None


class Word(Said):
    """One of the words of an argument."""

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return the word; None stands for the default."""
        if value is None:
            return self.entry.default
        return check_choice(value, str(self.name), self.entry.choices or DIRECTIONS)

    def words(self, obj: Owner) -> tuple[Any, ...]:
        """Return the words, and None if it may be left open."""
        open_ = (None,) if self.entry.default is None else ()
        return (*open_, *(self.entry.choices or ()))

    def spelled(self, word: Any) -> str:
        """Return a word as it is shown."""
        if word is None:
            return _UNSAID[str(self.name)]
        return _SPELLED.get(word) or MARKS.get(word, str(word))


class Direction(Word):
    """What is better; open until somebody says it, or if a column does."""


class Transposed(Said):
    """What the rows of a wide table are."""

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return a bool; None stands for the default."""
        if value is None:
            return False
        if not isinstance(value, bool):
            raise TypeError(f"`{self.name}` must be True or False; got {value!r}.")
        return value

    def words(self, obj: Owner) -> tuple[Any, ...]:
        """Return both."""
        return (False, True)

    def spelled(self, word: Any) -> str:
        """Return what rows and columns are."""
        return "algorithms" if word else "data sets, or scores"


class Column(Said):
    """A column of the table, or None for one that is recognised."""

    def clean(self, obj: Any, value: Any) -> Any:
        """Return the name of a column; any, if the table cannot be read yet."""
        if value is None:
            return None
        columns = obj.columns
        name = clean_label(value)
        return check_name(name, str(self.name), columns) if columns else name

    def words(self, obj: Any) -> tuple[Any, ...]:
        """Return None and the columns."""
        return (None, *obj.columns)

    def spelled(self, word: Any) -> str:
        """Return the name of a column as it is shown."""
        if word is None:
            return "none"
        return str(word) or "(without a name)"


class Names(Said):
    """Names of columns or rows, or words; none by default."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.default_value = ()
        self.help = f"{_NAMED[name]}, with semicolons between them"

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return a tuple; a single name stands for itself."""
        if value is None:
            return ()
        several = [value] if isinstance(value, str) else value
        if not isinstance(several, Iterable):
            raise TypeError(f"`{self.name}` must be a list of names; got {value!r}.")
        return check_labels(several, str(self.name))

    def written(self, value: Any) -> str:
        """Return the names with semicolons between them."""
        row = io.StringIO()
        csv.writer(row, delimiter=";", lineterminator="").writerow(value or ())
        return row.getvalue().replace(";", "; ")

    def read(self, text: str) -> Any:
        """Return the names between the semicolons."""
        row = next(csv.reader([text], delimiter=";", skipinitialspace=True), [])
        return [name.strip() for name in row if name.strip()]


class Sheet(Said):
    """A sheet of a spreadsheet."""
