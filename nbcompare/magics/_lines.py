"""Lines of magics: their words, their mistakes, and the word at the cursor."""

from __future__ import annotations

import argparse
import difflib
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

from IPython.core.error import UsageError

from nbcompare import _commands, _options
from nbcompare._validation import check_choice, shown

_ABOUT = re.compile(r"argument (--[\w-]+): (.*)", re.DOTALL)
_INVALID = re.compile(r"invalid (\w+)(?: value)?: (.*)", re.DOTALL)
DASHES = "--"  # no word behind it is an option
_NUMBERS = {"float": "a number", "int": "a whole number"}
# Text in quotation marks is the user's own and stays as it is.
_QUOTED = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


class _Formatter(argparse.HelpFormatter):
    """Of one width, whatever the terminal: docstrings are made of it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=96)


class LineParser(argparse.ArgumentParser):
    """Options of a line. It complains in one line, and never ends the session.

    The words that are no options are left to the magic.
    """

    def __init__(self, magic: str, *words: str) -> None:
        super().__init__(
            prog=f"%{magic}",
            usage=" ".join([f"%%{magic}", *words, "[options]"]),
            add_help=False,
            allow_abbrev=False,
            formatter_class=_Formatter,
        )
        self.values: dict[str, str] = {}
        self.flags: list[str] = []

    def take(self, names: Iterable[str], heading: str = "what to compute") -> None:
        """Add options of the one table."""
        _commands.add_arguments(self.add_argument_group(heading), names)
        self.values |= {flag(name): name for name in names}

    def take_own(self, option: str, *, metavar: str, **more: Any) -> None:
        """Add an option of this magic alone, which takes a value."""
        self._own.add_argument(option, metavar=metavar, **more)
        self.values[option] = ""

    def take_flag(self, option: str, help: str) -> None:
        """Add an option that stands by itself."""
        self._own.add_argument(option, action="store_true", help=help)
        self.flags.append(option)

    @cached_property
    def _own(self) -> argparse._ArgumentGroup:
        return self.add_argument_group("what to do with it")

    @property
    def options(self) -> tuple[str, ...]:
        """All of them, as they are written."""
        return (*self.values, *self.flags)

    def read(self, line: str) -> tuple[list[str], argparse.Namespace]:
        """The words of a line that are no options, and the options."""
        try:
            words = shlex.split(line)
        except ValueError:
            self.error("a quotation mark has no second one to close it.")
        rest, behind, given = self.parse(words)
        for word in rest:
            if re.match(r"--?[^\W\d]", word):
                self._refuse_option(word.partition("=")[0])
        return [*rest, *behind], given

    def parse(self, words: Sequence[str]) -> tuple[list[str], list[str], argparse.Namespace]:
        """Words that are no known options before and behind ``--``, and the options."""
        end = words.index(DASHES) if DASHES in words else len(words)
        given, rest = self.parse_known_args(self._joined(words[:end]))
        return rest, list(words[end + 1 :]), given

    def _joined(self, words: Sequence[str]) -> list[str]:
        """Options joined to values that begin with a dash, which argparse takes for options."""
        joined: list[str] = []
        for word in words:
            is_value = word[:1] == "-" and word.partition("=")[0] not in self.options
            if joined and joined[-1] in self.values and is_value:
                joined[-1] += f"={word}"
            else:
                joined.append(word)
        return joined

    def _refuse_option(self, option: str) -> NoReturn:
        if not option.startswith(DASHES):
            why = "A name that begins with a dash goes behind --."
            self.error(f"there is no option {option}. {why}")
        near = difflib.get_close_matches(option, self.options, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"{self.prog}? lists the options."
        self.error(f"there is no option {option}. {hint}")

    def error(self, message: str) -> NoReturn:
        """Say it as a usage error, in words for people."""
        raise UsageError(f"{self.prog}: {self._plainly(message)}")

    def _plainly(self, message: str) -> str:
        about = _ABOUT.fullmatch(message)
        if about is None:
            return message
        option, what = about.groups()
        invalid = _INVALID.fullmatch(what)
        if what == "expected one argument":
            return f"{option} needs a value after it."
        if invalid is None:
            return f"{option}: {what}"
        kind, value = invalid.groups()
        if kind in _NUMBERS:
            return f"{option} must be {_NUMBERS[kind]}; got {value}."
        try:
            word = re.match(r"'(.*)' \(choose", value, re.DOTALL)
            choices = _options.OPTIONS[self.values[option]].choices or ()
            check_choice(word[1] if word else value, option, choices)
        except ValueError as error:
            return str(error).replace("`", "")
        return f"{option}: {what}"


def flag(name: str) -> str:
    """An option of the table as a line writes it."""
    return f"--{name.rpartition('.')[2].replace('_', '-')}"


def in_words_of_a_line(message: str, options: Iterable[str]) -> str:
    """An error of the API, its arguments called by the options of a line."""
    plain = sorted({name.rpartition(".")[2] for name in options})
    if not plain:
        return message
    names = "|".join(plain)
    argument = re.compile(rf"`({names})`|\b({names})=")
    return outside_quotes(message, argument, lambda found: flag(found[1] or found[2]))


def outside_quotes(
    message: str, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str]
) -> str:
    """The message with every match changed, but for those in quotation marks."""
    parts = _QUOTED.split(message)
    parts[::2] = [pattern.sub(change, part) for part in parts[::2]]
    return "".join(parts)


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """A hint at a near miss, or nothing."""
    near = difflib.get_close_matches(word, list(names), n=1)
    return f" Did you mean {shown(near[0])}?" if near else ""


# ------------------------------------------------------------------------- at the cursor


class Fragment(NamedTuple):
    """The word at the cursor: as it stands, what it says so far, and its open quotation mark."""

    raw: str
    value: str
    quote: str


def cut(text: str) -> tuple[list[str], Fragment]:
    """Whole words before the cursor, and the one it stands at; quotation as in a shell."""
    words: list[str] = []
    value, quote, begun, place = "", "", -1, 0
    while place < len(text):
        mark = text[place]
        if not quote and mark.isspace():
            if begun >= 0:
                words.append(value)
            value, begun = "", -1
        else:
            begun = place if begun < 0 else begun
            escapes = mark == "\\" and quote != "'" and place + 1 < len(text)
            if escapes and (not quote or text[place + 1] in '"\\'):
                place += 1
                value += text[place]
            elif mark == quote:
                quote = ""
            elif not quote and mark in "'\"":
                quote = mark
            else:
                value += mark
        place += 1
    return words, Fragment(text[begun:] if begun >= 0 else "", value, quote)


def quoted(word: str, quote: str = "") -> str:
    """A word as a line writes it: in quotation marks if it needs some, or has one open."""
    if not quote and word and not re.search(r"[\s'\"\\]", word):
        return word
    if "'" in word or quote == '"':
        escaped = word.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return f"'{word}'"
