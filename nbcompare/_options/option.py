"""An option: its default, the words it accepts, and what readers are told of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nbcompare._validation import check_choice, shown


class Choice(NamedTuple):
    """A word that an option accepts.

    Attributes
    ----------
    label : str
        Longer text that a control shows in its place; empty if it shows the word.
    effect : str
        What it does, as the end of a sentence that begins with the word as the control shows it.
    """

    label: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its default, the words it accepts (None: any value) and its description.

    Where a function accepts other words than the other functions, the option has an entry of
    its own, such as ``stochastic.test``; the name of the argument is what follows the dot. The
    command line, the magics and the builders use this table, so an option that a command lists
    is available in all of them.

    Attributes
    ----------
    default : object
        The default value.
    words : tuple or mapping, or None
        The words that the option accepts; None for any value. A mapping says of each word what a
        control shows of it. A key None there means that the option accepts None.
    help : str
        The description.
    type : callable
        Function that converts the text of a command line to a value.
    flag : str
        Name on command lines, if another option has the name of the argument.
    metavar : str
        Placeholder of the value in help texts, if not the name of the argument.
    repeats : bool
        True if a command line may repeat the option, which makes a list.
    label : str
        Label on the control of a builder; the name by default.
    within : callable, optional
        Check of a number; its arguments are the value and the name of the argument.
    axis : str
        Kind of names that the option accepts, such as ``algorithms``, if it accepts names of
        the data beside its words.
    several : bool
        True if a list of words is accepted.
    switch : bool
        True if the option takes no value on a command line: it is given or not.
    choices : tuple or None
        The words alone; None for any value, and for names of the data.
    spelled, effects : mapping
        Label and effect of the words that have one.
    """

    default: Any
    words: tuple[Any, ...] | Mapping[Any, Choice] | None
    help: str
    type: Callable[[str], Any] = str
    flag: str = ""
    metavar: str = ""
    repeats: bool = False
    label: str = ""
    within: Callable[[object, str], float] | None = None
    axis: str = ""
    several: bool = False
    switch: bool = False
    choices: tuple[Any, ...] | None = field(init=False)
    spelled: Mapping[Any, str] = field(init=False)
    effects: Mapping[Any, str] = field(init=False)

    def __post_init__(self) -> None:
        """Take the words apart."""
        said = self.words if isinstance(self.words, Mapping) else {}
        words = tuple(word for word in self.words or () if word is not None)
        is_open = self.words is None or self.axis or self.within
        object.__setattr__(self, "choices", None if is_open else words)
        labels = {word: each.label for word, each in said.items() if each.label}
        object.__setattr__(self, "spelled", labels)
        effects = {word: each.effect for word, each in said.items() if each.effect}
        object.__setattr__(self, "effects", effects)

    @property
    def takes_names(self) -> bool:
        """Return whether a command line gives names, separated by commas."""
        return self.type is names_of

    @property
    def optional(self) -> bool:
        """Return whether the option accepts None."""
        return self.default is None or None in self.spelled

    def check(self, value: object, argument: str) -> str:
        """Return ``value`` if it is one of the choices, or raise an error that lists them."""
        return check_choice(value, argument, self.choices or ())

    def checked(self, value: Any, argument: str) -> Any:
        """Return ``value`` if the option accepts it, as a number if it is one, or raise an error.

        Lists of words, and names of the data, are returned unchecked.
        """
        if value is None and self.optional:
            return None
        if self.switch and not isinstance(value, bool):
            raise TypeError(f"`{argument}` must be True or False; got {shown(value)}.")
        if self.within is not None:
            return self.within(value, argument)
        return value if self.choices is None or self.several else self.check(value, argument)


def list_of_names(*names: str) -> str:
    """Write names as an option takes them, separated by commas; those with commas are quoted."""
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(names)
    return row.getvalue()


def names_in(text: str) -> list[str]:
    """Return the names in a text that is written as a row of a CSV file; none if it is no row."""
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        row = []
    return [name.strip() for name in row]


def names_of(text: str) -> list[str]:
    """Return the names in a text, of which there must be one, and none blank."""
    names = names_in(text)
    if not names or not all(names):
        raise ValueError(text)
    return names


def number_or_name(text: str) -> float | str:
    """Return the number that a text is, or the text."""
    try:
        return float(text)
    except ValueError:
        return text
