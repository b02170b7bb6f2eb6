"""Data of a line: a name of the notebook, a file, or the table in the cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from IPython.core.error import UsageError

from nbcompare import _commands, _options, _tables, formats
from nbcompare._files import scratch_folder
from nbcompare._messages import Speech
from nbcompare._validation import DataError, DirectionError, did_you_mean, listed
from nbcompare.experiment import Experiment, is_frame
from nbcompare.histories import Histories
from nbcompare.magics._lines import CALLED, Magic
from nbcompare.results import Comparison

Data = Experiment | Histories

CLASSES: Mapping[str, type[Experiment] | type[Histories]] = {
    "experiment": Experiment,
    "histories": Histories,
}
SUFFIXES = (*_tables.SUFFIXES, *_tables.COMPRESSED_SUFFIXES)
_OF_FORMATS = tuple(suffix for each in formats.FORMATS.values() for suffix in each.suffixes)
_IN_ALL = f"--direction {_options.MAXIMIZE} (higher is better) or --direction {_options.MINIMIZE}"
_MOST_FILES = 100
_CELL_FILE = "nbcompare_cell.csv"


class Source(NamedTuple):
    """Data, and what they may be called in a report."""

    data: Data
    name: str
    was_read: bool = False  # by the line


def _is_table(value: object) -> bool:
    """Tell whether it is a dataframe, or the path of a file of one."""
    if isinstance(value, str | Path):
        return str(value).lower().endswith(SUFFIXES)
    return is_frame(value)


def is_path(word: str) -> bool:
    """Tell whether a word looks like a file rather than a name of Python."""
    return word.lower().endswith((*SUFFIXES, *_OF_FORMATS)) or "/" in word or "\\" in word


class Finder:
    """Finds what lines of a magic name; complains as that magic."""

    def __init__(self, magic: Magic, namespace: Mapping[str, Any], direction: str | None) -> None:
        self._magic, self._namespace, self._direction = magic, namespace, direction
        self._takes = magic.command.takes
        self._class, self._called = CLASSES[self._takes], CALLED[self._takes]

    def named(
        self, word: str, reading: dict[str, Any], part: Mapping[str, Any] | None = None
    ) -> Source:
        """Return the data that a word names; a table is read, or a ``part`` of it."""
        if word not in self._namespace:
            return self._of_file(word, reading, part or {})
        found = self._namespace[word]
        if isinstance(found, self._class):
            self._refuse(reading, f"{word} is {self._called} already")
            return Source(found, word)
        if isinstance(found, str | Path):
            return self._of_file(str(found), reading, part or {})
        if not is_frame(found):
            kind = type(found).__name__
            self.fail(f"it takes {self._called}, a dataframe or a file; {word} is of class {kind}.")
        text = {key: value for key, value in reading.items() if not self._is_for_frames(key)}
        self._refuse(text, f"{word} is no file")
        with self._speech(word).telling():
            try:
                read = partial(self._class.from_frame, found, **self._only(part or {}))
                made = self._directed(read, reading, f"{word} is a dataframe")
            except DataError as error:  # which names the argument `frame`
                raise DataError(re.sub(r"^frame\b", lambda _: word, str(error))) from None
        return Source(made, f"{word}_{self._takes}", was_read=True)

    def in_cell(
        self, cell: str, reading: dict[str, Any], part: Mapping[str, Any] | None = None
    ) -> Source:
        """Read the table that stands in a cell below the line of the magic, or a ``part`` of it."""
        body = cell.lstrip("\n")
        if not body.strip():
            self.fail("the cell is empty; paste a table with a header below the line.")
        self._refuse(
            {key: value for key, value in reading.items() if key == "encoding"},
            "a cell is text already",
        )
        copied = formats.pasted(body) if self._takes == "experiment" else None
        given = {"format": copied, **reading} if copied else reading
        with scratch_folder() as folder, self._speech("the cell").telling():
            file = folder / _CELL_FILE
            file.write_text(body, encoding="utf-8", newline="")
            try:
                made = self._directed(
                    partial(self._class.read, file, **self._only(part or {})),
                    given,
                    "a table in a cell does not say what is better",
                )
            except DataError as error:
                raise DataError(str(error).replace(_CELL_FILE, "the cell")) from None
        return Source(made, f"pasted_{self._takes}", was_read=True)

    def missing(self) -> NoReturn:
        """Say that a line names no data, and what there is."""
        self.fail(f"name {self._called}, a dataframe or a file.{self._there()}")

    def fail(self, message: str) -> NoReturn:
        """Complain as the magic."""
        raise UsageError(f"%{self._magic.name}: {message}")

    def candidates(self) -> Iterator[str]:
        """Yield names of the notebook that a line may name."""
        for name, value in self._namespace.items():
            if not name.startswith("_") and (isinstance(value, self._class) or _is_table(value)):
                yield name

    def words(self) -> Iterator[str]:
        """Yield what a line may begin with: names of the notebook, and tables beside it.

        IPython itself completes paths in other folders.
        """
        yield from self.candidates()
        if self._magic.is_diagram:
            for name, value in self._namespace.items():
                if isinstance(value, Comparison) and not name.startswith("_"):
                    yield name
        with suppress(OSError):  # the folder is gone, or cannot be read
            names = sorted(path.name for path in Path().iterdir())
            yield from [name for name in names if name.lower().endswith(SUFFIXES)][:_MOST_FILES]

    @staticmethod
    def is_data(value: object) -> bool:
        """Tell whether it needs no reading: no file, and no dataframe."""
        return value is not None and not isinstance(value, str | Path) and not is_frame(value)

    # ------------------------------------------------------------------------- inside

    def _only(self, part: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments to read only a part of a table, whose rest need not be readable."""
        return dict(part) if self._class is Experiment else {}

    def _of_file(self, word: str, reading: dict[str, Any], part: Mapping[str, Any]) -> Source:
        if word == _tables.STANDARD_INPUT:
            self.fail(
                f"a notebook has no standard input; paste the table below %%{self._magic.name}."
            )
        file = Path(word).expanduser()
        is_known = file.exists() or formats.recognised(file) is not None
        if not is_known:
            if is_path(word):
                self.fail(f"there is no file {word!r}, and nothing of that name here.")
            self.fail(
                f"there is no {word!r} here.{did_you_mean(word, self.candidates())}{self._there()}"
            )
        is_of_logs = file.is_dir() and self._takes == "histories"
        if file.is_dir() and not is_of_logs and formats.recognised(file) is None:
            self.fail(f"{word} is a folder; name a file of scores.")
        with self._speech(file.name).telling():
            read = partial(self._class.read, file, **self._only(part))
            if is_of_logs:  # which may say what is better
                made = read(**reading)
            else:
                made = self._directed(read, reading, f"{word} is a file")
        name = re.sub(r"\W+", "_", file.name.partition(".")[0]).strip("_")
        name = name if name.isidentifier() else f"{self._takes}_of_{name}"
        return Source(made, name, was_read=True)

    def _directed(self, read: Callable[..., Data], reading: dict[str, Any], why: str) -> Data:
        """Read data; the direction is as set where neither the line nor the table says it."""
        if self._magic.command.unit:
            reading = {"unit": self._magic.command.unit, **reading}
        if "direction" in reading:
            return read(**reading)
        if self._direction is not None:
            try:
                return read(**reading, direction=self._direction)
            except DirectionError:  # a column says otherwise, and knows better than a setting
                return read(**reading)
        if self._takes == "experiment":
            try:
                return read(**reading)
            except DirectionError:
                pass
        return self.fail(f"{why}: add {_IN_ALL}.")

    def _is_for_frames(self, key: str) -> bool:
        return key in {name.rpartition(".")[2] for name in _commands.FRAME_OPTIONS[self._takes]}

    def _refuse(self, reading: Mapping[str, Any], why: str) -> None:
        for key in reading:
            option = _commands.flags(self._magic.reading_options)[key]
            self.fail(f"{option} tells how to read a table, and {why}.")

    def _speech(self, name: str) -> Speech:
        return self._magic.reading_speech(name)

    def _there(self) -> str:
        names = list(self.candidates())
        if names:
            return f" There {'is' if len(names) == 1 else 'are'} {listed(names)}."
        return f" There is none yet: make {self._called} first, or name a file of scores."
