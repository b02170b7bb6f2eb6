"""One analysis as a call, a magic and a command, written from the table of analyses."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nbcompare._commands.analyses import ANALYSES, Analysis
from nbcompare._commands.lines import flag
from nbcompare._options import OPTIONS

_BY_FUNCTION = {it.function: it for it in ANALYSES}
_FILES = {
    "experiment": "scores.csv --direction maximize",
    "histories": "logs.csv --direction minimize",
}


class Lines(NamedTuple):
    """The ways to run an analysis; ``builder`` is the name of a class, or nothing."""

    call: str
    magic: str
    command: str
    builder: str


def lines(function: str, arguments: Sequence[str], settings: Mapping[str, str]) -> Lines:
    """Write an analysis with these names of algorithms and settings of options.

    Parameters
    ----------
    function : str
        Name of a public function.
    arguments : sequence of str
        What it takes beside the data.
    settings : mapping of str to str
        Values by option, as a command line has them; an option without a value is a switch.

    Raises
    ------
    ValueError
        If the function has no such option, or the option no such word.
    """
    analysis = _BY_FUNCTION[function]
    known = {name.rpartition(".")[2]: name for name in analysis.options} | dict(analysis.selects)
    keywords, written = [], []
    for word, text in settings.items():
        if word not in known:
            raise ValueError(f"{function} has no option {word!r}; it has {', '.join(known)}")
        option = OPTIONS[known[word]]
        for each in text.split(",") if option.choices else ():
            option.check(each, word)
        keywords.append(f"{word}={_value(text)}")
        written.append(" ".join(filter(None, [flag(known[word]), shlex.quote(text) * bool(text)])))
    named = [shlex.quote(name) for name in arguments]
    # a magic takes names by position, a command by option
    by_option = [f"--{word} {name}" for word, name in zip(analysis.arguments, named, strict=False)]
    return Lines(
        f"nbc.{function}({', '.join([*_data(analysis, arguments), *keywords])})",
        " ".join([f"%{analysis.name} {analysis.takes}", *named, *written]),
        " ".join([f"nbcompare {analysis.word} {_FILES[analysis.takes]}", *by_option, *written]),
        analysis.builder,
    )


def _data(analysis: Analysis, arguments: Sequence[str]) -> list[str]:
    quoted = [f'"{name}"' for name in arguments]
    if analysis.data_argument and arguments:
        return [*quoted, f"{analysis.data_argument}={analysis.takes}"]
    return [analysis.takes, *quoted]


def _value(text: str) -> str:
    """Return what an option gets in a call."""
    if not text:
        return "True"
    try:
        return repr(ast.literal_eval(text))
    except (SyntaxError, ValueError):
        words = [f'"{word}"' for word in text.split(",")]
        return words[0] if len(words) == 1 else f"[{', '.join(words)}]"


def read(block: str) -> dict[str, str]:
    """Return the settings that a block of a page has, an option and its value in each line."""
    pairs = (line.partition(" ") for line in block.splitlines() if line.strip())
    return {word: value.strip() for word, _, value in pairs}


__all__ = ["Lines", "lines", "read"]
