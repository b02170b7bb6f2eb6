"""What a reader of a format is given, and what it makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from nbcompare._tables import (
    PLAIN,
    RawTable,
    TextFormat,
    files_under,
    opened_text,
    parsed_json,
    table_of,
    whole_text,
)
from nbcompare._validation import DataError, listed, shown

_KINDS: dict[type, str] = {dict: "an object", list: "a list", str: "text"}


class Imported(NamedTuple):
    """A table and what its format knows of it.

    Attributes
    ----------
    table : RawTable
        A row per score, or a column per algorithm.
    reading : mapping of str to Any
        Defaults of arguments of ``Experiment.read``. An argument of the caller goes before each;
        of ``where``, column by column; ``ignore`` gives way to columns that the caller names.
    notes : tuple of (str, str)
        Codes and texts: what was left out or assumed.
    """

    table: RawTable
    reading: Mapping[str, Any]
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """A file or folder to read, and what the caller says of it."""

    path: Path
    text: TextFormat = PLAIN
    algorithms: tuple[str, ...] | None = None  # names for a format that has none

    @property
    def name(self) -> str:
        """Name of the file or folder in messages."""
        return self.path.name or self.path.resolve().name

    def files(self, pattern: str) -> list[Path]:
        """Return the file itself, or those in the folder, at any depth, in order."""
        there = files_under(self.path) if self.path.is_dir() else ()
        found = sorted(file for file in there if file.match(pattern)) or [self.path]
        if found == [self.path] and self.path.is_dir():
            raise DataError(f"{self.name} holds no file {pattern}.")
        return found

    def label_of(self, file: Path) -> str:
        """Return what tells a file from the others: its path in the folder."""
        return file.relative_to(self.path).as_posix() if file != self.path else self.name

    def content(self, file: Path | None = None, most: int | None = None) -> str:
        """Return the text of the file, or of one in the folder, of so many characters at most."""
        file = file or self.path
        with opened_text(file, self.text.encoding) as stream:
            return whole_text(stream, file.name, most=most)

    def objects(self) -> Iterator[tuple[str, Path, Any]]:
        """Yield the label, path and content of each JSON file."""
        for file in self.files("*.json"):
            yield self.label_of(file), file, parsed_json(self.content(file), self.label_of(file))

    def lines(self, file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield where each line of a file is, and its JSON object."""
        # an object may hold other characters at which `splitlines` splits
        for number, line in enumerate(self.content(file).split("\n"), start=1):
            if line.strip():
                at = f"{self.label_of(file)}, line {number}"
                found = parsed_json(line, at)
                if not isinstance(found, dict):
                    raise DataError(f"{at} must be an object; got {shown(found)}.")
                yield at, found

    def from_rows(self, rows: Sequence[Mapping[str, Any]]) -> RawTable:
        """Return the table of some records."""
        names = dict.fromkeys(chain.from_iterable(rows))
        return self.from_columns({name: [row.get(name) for row in rows] for name in names})

    def from_columns(self, columns: Mapping[str, Sequence[Any]]) -> RawTable:
        """Return the table of some columns."""
        return table_of(self.name, columns, text=self.text)


class Format(NamedTuple):
    """A format that can be read.

    Attributes
    ----------
    label : str
        What it is called in sentences.
    importer : callable
        Its reader.
    suffixes : tuple of str
        What names of its files end in.
    sign : str
        Pattern that no other file with such a suffix has in its first kilobytes; empty if there
        is none.
    has_folders : bool
        Whether a folder of its files is read as well.
    """

    label: str
    importer: Callable[[Given], Imported]
    suffixes: tuple[str, ...] = ()
    sign: str = ""
    has_folders: bool = False


def item(holder: object, name: str, kind: type, where: str) -> Any:
    """Return an item of an object in JSON, or an error that says what it must be."""
    value = holder.get(name) if isinstance(holder, dict) else None
    if not isinstance(value, kind):
        raise DataError(f"{where}: {name!r} must be {_KINDS[kind]}; got {shown(value)}.")
    return value


def score(value: object, where: str) -> float | None:
    """Return a number; None where there is none."""
    if value is None or (isinstance(value, str) and value.strip() in ("", "N/A")):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{where} must be a number; got {shown(value)}.")
    return value


def header(*names: str) -> str:
    """Return a pattern that finds these names of columns in the first line, in any order."""
    return r"\A" + "".join(rf"(?=(?:.*[,;\t])?\"?{re.escape(name)}\"?[,;\t\r\n])" for name in names)


def left_out(names: Collection[str], what: str) -> tuple[tuple[str, str], ...]:
    """Return a note about what was left out; none if nothing was."""
    return (("left-out", f"Left out, {what}: {listed(names)}."),) if names else ()
