"""Messages of the API in the words of a command line or of a magic.

A message of the API marks what belongs to Python: an argument stands in backticks, advice
reads ``name='value'``, ``name=['one', 'two']`` or ``name=``, functions are named as they are
called, and whatever a user wrote is in quotation marks, or is the name of a file that the caller
knows. The marks are enough to say the same to a user who typed options.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from nbcompare._files import in_words
from nbcompare._options import OPTIONS, list_of_names

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_LIST = rf"\[(?:(?:{_QUOTED})(?:,\ )?)+\]"
_DICT = rf"\{{(?:(?:{_QUOTED}):\ (?:{_QUOTED}|{_LIST})(?:,\ )?)+\}}"
_MARKED = rf"""
    (?<!\w)(?:{_QUOTED})                                    # the user's own words: left alone
    | `(?P<unset>\w+)`\ must\ be\ None\b
    | (?P<article>\b[Aa]n?\ )?`(?P<argument>\w+)`
    | (?:(?P<joint>(?<=['"\d\]}}e]),\ )|(?P<without>\bwith\ ))?
      (?<![\w.'"-])(?P<option>[a-z]\w*)=(?!=)
      (?:(?P<value>{_QUOTED}|None\b|True\b|-?\d+(?:\.\d+)?|{_LIST}|{_DICT})|\.\.\.)?
    | (?<![\w.])(?P<called>[A-Za-z][\w.]*)\((?P<inside>[^()'"]*)\)
    | (?<![\w.])(?P<function>[a-z]+(?:_[a-z]+)+)\b
"""
_END = re.compile(r"\. (?=[A-Z])")
_PLAIN = {name.rpartition(".")[2] for name in OPTIONS}


def outside_quotes(
    message: str, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str]
) -> str:
    """Return the message with every match changed, but for those in quotation marks."""
    parts = re.split(rf"((?<!\w)(?:{_QUOTED}))", message)
    parts[::2] = [pattern.sub(change, part) for part in parts[::2]]
    return "".join(parts)


def sentences(message: str) -> list[str]:
    """Return the sentences of a message; a full stop in quotation marks ends none."""
    return outside_quotes(message, _END, lambda _: ".\0").split("\0")


def ways_in(sentence: str) -> list[dict[str, Any]]:
    """Return the arguments that a sentence advises, with None for those without a value.

    A comma between two arguments joins them; other words part one way from the next.

    Examples
    --------
    >>> ways_in("Pass status='s', ok=['ok'] to say it, or score= to choose.")
    [{'status': 's', 'ok': ['ok']}, {'score': None}]
    """
    ways: list[dict[str, Any]] = []
    for hit in re.finditer(_MARKED, sentence, flags=re.VERBOSE):
        if not hit["option"]:
            continue
        if not ways or not hit["joint"] or hit["option"] in ways[-1]:
            ways.append({})
        value = hit["value"]
        ways[-1][hit["option"]] = None if value is None else ast.literal_eval(value)
    return ways


class Mistake(ValueError):  # noqa: N818 - of a user, not of the program
    """An error in the words of the line that led to it."""


@dataclass(frozen=True, slots=True)
class Speech:
    """Words that a line has for what the API calls by names of Python.

    Attributes
    ----------
    options : mapping of str to str
        Arguments, and the options that give them: ``{"n_points": "--n-points"}``.
    things : mapping of str to (str, str)
        Other arguments, and what they are here, with a definite and an indefinite article:
        ``{"experiment": ("the table", "a table of scores")}``.
    functions : mapping of str to str
        Functions and methods, and what does the same here:
        ``{"compare_pair": "nbcompare compare-pair"}``.
    names : tuple of str
        Names of files and the like, which stay as they are.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    things: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    def about(self, *names: object) -> Speech:
        """Return the same words, for messages in which names of files may occur."""
        return replace(self, names=(*self.names, *(str(name) for name in names if name)))

    def says(self, message: str) -> str:
        """Translate a message of the API.

        Examples
        --------
        >>> speech = Speech({"decimal": "--decimal", "pairs": "--pairs"})
        >>> speech.says("`pairs` must be 'ranks'; got 'rank='.")
        "--pairs must be 'ranks'; got 'rank='."
        >>> speech.says("If the comma is a decimal mark, pass decimal=','.")
        "If the comma is a decimal mark, pass --decimal ','."
        >>> speech.says("Pass pairs='t', decimal=','; or decimal='.'.")
        "Pass --pairs t --decimal ','; or --decimal '.'."
        """
        kept = [
            rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(self.names, key=len, reverse=True)
        ]
        return re.sub("|".join([*kept, _MARKED]), self._word, message, flags=re.VERBOSE)

    @contextmanager
    def telling(self, *names: object) -> Iterator[None]:
        """Let errors of the API, and of the files it reads, speak these words."""
        try:
            yield
        except (Mistake, BrokenPipeError):
            raise
        except (ValueError, TypeError, OSError, ImportError, RuntimeError) as error:
            said = in_words(error) if isinstance(error, OSError) else error
            raise Mistake(self.about(*names).says(str(said))) from error

    def _word(self, found: re.Match[str]) -> str:
        if name := found["unset"]:
            return f"{self._argument(name)} must be left out"
        if name := found["argument"]:
            return self._argument(name, found["article"] or "")
        if name := found["option"]:
            return self._advice(found, name)
        name = found["called"] or found["function"] or ""
        if not name:  # a user's own words, of which Python writes every backslash twice
            return found[0].replace("\\\\", "\\")
        if name in self.functions:
            return self.functions[name]
        method, inside = name.rpartition(".")[2], found["inside"] or ""
        for key in (f"{method}({inside.partition('=')[0]})", f"{method}()"):
            if key in self.functions:
                return self.functions[key]
        return found[0]

    def _argument(self, name: str, article: str = "") -> str:
        if name in self.options:
            return article + self.options[name]
        definite, indefinite = self.things.get(name, (f"the {name.replace('_', ' ')}",) * 2)
        return indefinite if article else definite

    def _advice(self, found: re.Match[str], name: str) -> str:
        option = self.options.get(name)
        if option is None and name not in _PLAIN:
            return found[0]
        option = option or name.replace("_", " ")  # which this line has no option for
        start = found["without"] or (found["joint"] and " ") or ""
        if found["value"] is None:
            return start + option
        value: Any = ast.literal_eval(found["value"])
        if value is None:
            return f"{'without' if found['without'] else 'no'} {option}"
        if value is True:
            return start + option
        if isinstance(value, dict):
            several: list[Any] = [
                f"{column}={list_of_names(*([labels] if isinstance(labels, str) else labels))}"
                for column, labels in value.items()
            ]
        else:
            several = value if isinstance(value, list) else [value]
        return start + " ".join(f"{option} {_as_typed(str(each))}" for each in several)


def _as_typed(word: str) -> str:
    """Return a word as a shell takes it; a mark alone is quoted, apart from those of a sentence."""
    return shlex.quote(word) if re.search(r"[\w']", word) else f"'{word}'"
