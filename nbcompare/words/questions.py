"""Questions that researchers ask of results, and what answers each: a call, a command, a magic.

A recommendation names those that the data can answer, beside the comparison that it is about. Which
these are is decided in :mod:`nbcompare.analysis.recommend`. They stand in ``questions.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from nbcompare.words._word import by_name

# What a command has in the place of the data, with the options that say how to read them
SCORES, LOGS = "SCORES", "LOGS"
# What the reader must choose, in capitals in calls, commands and magics
CHOICES = MappingProxyType(
    {
        "ROPE": "the largest difference that does not matter, in units of the measure",
        "MARGIN": "the largest difference that does not matter, in units of the measure",
        "LOW": "an algorithm whose score counts as 0",
        "HIGH": "an algorithm whose score counts as 1",
        "DATASET": "the name of a data set",
        "RATIO": "the size of a test set over that of a training set",
        "TARGETS": "values of the measure to be reached",
        "EVALUATIONS": "a number of evaluations",
    }
)
# not in names, which are in quotation marks
_CAPITALS = re.compile(rf"(?<![\w'\"])(?:{'|'.join(CHOICES)})(?![\w'\"])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, and what answers it.

    Attributes
    ----------
    name : str
        Code for programs to test for.
    of : {"experiment", "histories"}
        The data that it is asked of, as they are called in ``call`` and ``magic``.
    asks : str
        The question, as a researcher asks it.
    applies : str
        When it can be asked, for a list of all questions.
    text : str
        What the answer says, and what it does not, in at most two sentences.
    call : str
        Code that answers it, after ``import nbcompare as nbc``.
    command : str
        What does the same in a shell, with ``SCORES`` or ``LOGS`` for the file and how to read it;
        empty if no command does.
    source : str
        Key of the literature.
    """

    name: str
    of: str
    asks: str
    applies: str
    text: str
    call: str
    command: str = ""
    source: str

    @property
    def magic(self) -> str:
        """What does the same in a notebook; empty if no magic does."""
        _, word, _, *options = (self.command or "nbcompare read -").split()
        if word == "read":  # which writes a file
            return ""
        return " ".join([f"%{word.replace('-', '_')}", self.of, *options])

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the literature."""
        return (self.source,)


def choices_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words of ``CHOICES`` that occur in calls, in the order of the table."""
    found = {word for text in texts for word in _CAPITALS.findall(text)}
    return tuple(word for word in CHOICES if word in found)


_FILE = Path(__file__).with_suffix(".toml")
QUESTIONS = by_name(
    *(
        Question(name=name, **fields)
        for name, fields in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()
    )
)
