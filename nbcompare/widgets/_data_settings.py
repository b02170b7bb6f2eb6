"""Settings of a DataBuilder: what is said of the columns, rows and cells of a table."""

from __future__ import annotations

import csv
import io
from typing import Any

from nbcompare._commands import written
from nbcompare._options import DIRECTIONS, MAXIMIZE, MINIMIZE, number_or_name
from nbcompare._render import plural
from nbcompare._validation import (
    check_choice,
    check_finite,
    check_labels,
    clean_label,
    listed,
    one_line,
)
from nbcompare.experiment import DEFAULTS, KEYS, Reading, checked_edits
from nbcompare.widgets._data_ways import LABELS, WORDS
from nbcompare.widgets._settings import Owner, Setting

_ENTRIES = {"encoding": "text.encoding", "unit": "table.unit"}
_SPELLED = WORDS | {MAXIMIZE: "higher scores are better", MINIMIZE: "lower scores are better"}
_UNSAID = {
    "direction": "please choose",
    "brackets": "as recognised",
    "failed": "none, or as usual",
    "decimal": "a point, if clear",
    "thousands": "none, or clear",
    "separator": "as recognised",
    "sheet": "the only one",
    "unit": "as the columns say",
}
_AGAIN = "; may be given again"


class Said(Setting):
    """Something that is said of a table, as the argument of its name."""

    is_of_data = True  # another table begins without
    form = "text"

    def __init__(self, name: str) -> None:
        super().__init__(_ENTRIES.get(name, name), label=LABELS[name])
        self.default_value = DEFAULTS[name]

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return one line of text; None stands for the default."""
        text = one_line(value, str(self.name))
        return self.default_value if text is None else text

    def left_open(self, word: Any, stands_for: str) -> str:
        """Return what is recognised, without the word that leaves it open."""
        return stands_for


class Word(Said):
    """One of the words of an argument."""

    form = "list"

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return the word; None stands for the default."""
        if value is None:
            return self.default_value
        return check_choice(value, str(self.name), self.entry.choices or DIRECTIONS)

    def words(self, obj: Owner) -> tuple[Any, ...]:
        """Return the words, and None if it may be left open."""
        open_ = (None,) if self.default_value is None else ()
        return (*open_, *(self.entry.choices or ()))

    def spelled(self, word: Any) -> str:
        """Return a word as it is shown."""
        if word is None:
            return _UNSAID[str(self.name)]
        return _SPELLED.get(word, str(word))


class Transposed(Said):
    """What the rows of a wide table are."""

    form = "list"

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
    """A column of the table, or None for one that is recognised; labels of several are joined."""

    form = "list"

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return the name of a column, or a tuple of several."""
        several = value if isinstance(value, list | tuple) else [value]
        names = () if value is None else tuple(map(clean_label, several))
        if len(names) > 1 and self.name not in (*KEYS, "item"):
            raise ValueError(f"`{self.name}` must name one column; got {listed(names)}.")
        return names if len(names) > 1 else next(iter(names), None)

    def words(self, obj: Any) -> tuple[Any, ...]:
        """Return None and the columns."""
        return (None, *obj.column_names)

    def spelled(self, word: Any) -> str:
        """Return the name of a column as it is shown."""
        if isinstance(word, tuple):
            return " / ".join(map(self.spelled, word))
        return "none" if word is None else str(word) or "(without a name)"


class Pattern(Said):
    """How the names of columns of scores, or of rows, are made."""

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return the pattern, with roles in braces."""
        pattern = super().clean(obj, value)
        Reading(**{str(self.name): pattern})
        return pattern


class Cutoff(Said):
    """The score from which a run counts as failed."""

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return a number, also of text."""
        given = number_or_name(value) if isinstance(value, str) else value
        return None if value is None else float(check_finite(given, "cutoff", ndim=0))

    def written(self, value: Any) -> str:
        """Return the number without digits that say nothing."""
        return "" if value is None else f"{value:.15g}"


def _quoted(name: Any) -> str:
    cell = io.StringIO()
    csv.writer(cell, delimiter=";", lineterminator="").writerow([name])
    return cell.getvalue()


class Names(Said):
    """Names of columns or rows, or words; none by default."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.help = f"{self.entry.help.removesuffix(_AGAIN)}, with semicolons between several"

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return a tuple; a single name stands for itself."""
        if value is None:
            return ()
        return check_labels([value] if isinstance(value, str) else value, str(self.name))

    def written(self, value: Any) -> str:
        """Return the names with semicolons between them."""
        return "; ".join(map(_quoted, value))

    def read(self, text: str) -> Any:
        """Return the names between the semicolons."""
        row = next(csv.reader([text], delimiter=";", skipinitialspace=True), [])
        return [name.strip() for name in row if name.strip()]


class Edits(Said):
    """What stands in some cells in the place of what the source has."""

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return rows, columns and texts."""
        return () if value is None else checked_edits(value)

    def spelled(self, word: Any) -> str:
        """Return how many there are."""
        return plural(len(word), "cell") if word else "none"


class Where(Names):
    """The labels of the only rows to read, by column; written as on a command line."""

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return labels by column, of which several are a list; None without any."""
        if isinstance(value, str | list | tuple):
            value = dict(map(self._condition, [value] if isinstance(value, str) else value))
        found = Reading(where=value).where
        return {name: _alone(labels) for name, labels in found.items()} or None

    def _condition(self, text: Any) -> tuple[str, list[str]]:
        try:
            column, labels = self.entry.type(text)
        except ValueError:
            raise ValueError(
                f"`where` must be a column and its labels, as in split=test; got {text!r}."
            ) from None
        return column, labels

    def written(self, value: Any) -> str:
        """Return the conditions with semicolons between them."""
        return super().written(list(written({"where": value}, ["where"]))[1::2])


def _alone(labels: tuple[str, ...]) -> str | list[str]:
    return labels[0] if len(labels) == 1 else list(labels)
