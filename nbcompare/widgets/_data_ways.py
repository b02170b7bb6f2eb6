"""What to do next, as a reader of tables says it: sentences in a builder's words, and buttons.

Errors and notes of reading end with the arguments that settle them, ``ignore=['size']``. Here
each of them becomes a way on that a button can take; what no button can do is said in the words
of the controls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from nbcompare._validation import named

# What the control of each argument is called
LABELS: Mapping[str, str] = MappingProxyType(
    {
        "direction": "What is better",
        "measure": "Measure",
        "dataset": "Data sets",
        "algorithm": "Algorithms",
        "score": "Scores",
        "fold": "Folds",
        "run": "Runs",
        "lower": "Lower ends",
        "upper": "Upper ends",
        "domain": "Groups of data sets",
        "higher_is_better": "Whether higher is better",
        "transpose": "Rows are",
        "ignore": "Leave out columns",
        "keep": "Keep as scores",
        "ignore_rows": "Leave out rows",
        "keep_rows": "Keep rows",
        "missing_words": "Words for a missing score",
        "brackets": "Numbers in brackets",
        "sheet": "Sheet",
        "decimal": "Decimal mark",
        "thousands": "Thousands mark",
        "separator": "Cells are separated by",
        "encoding": "Encoding",
    }
)
MARKS = MappingProxyType(
    {",": "comma", ".": "point", ";": "semicolon", "\t": "tab", " ": "space", "'": "apostrophe"}
)
# Of each two, a name stands in one of them only
OPPOSITES = MappingProxyType(
    {"ignore": "keep", "keep": "ignore", "ignore_rows": "keep_rows", "keep_rows": "ignore_rows"}
)
ROLES = (
    *("dataset", "algorithm", "score", "fold", "run"),
    *("lower", "upper", "domain", "higher_is_better"),
)
_NAMES = {
    "dataset": "names the data sets",
    "algorithm": "names the algorithms",
    "score": "has the scores",
    "fold": "numbers the folds",
    "run": "numbers the runs",
    "lower": "has the lower ends",
    "upper": "has the upper ends",
    "domain": "groups the data sets",
    "higher_is_better": "says what is better",
}
_SETTLED = {
    "ignore": "Columns left out",
    "keep": "Columns kept as scores",
    "ignore_rows": "Rows left out",
    "keep_rows": "Rows kept",
    "missing_words": "Words for a missing score",
}
SETTLED = (*_SETTLED, "transpose", "brackets", "decimal", "thousands", "separator")
_IN_BRACKETS = {"std": "standard deviations", "rank": "ranks"}

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_LIST = rf"\[(?:(?:{_QUOTED})(?:,\ )?)+\]"
# The user's own words in quotation marks, which are left alone; arguments, with or without a value
_MARKED = re.compile(
    rf"(?<!\w)(?:{_QUOTED})"
    rf"|(?<![\w.'\"-])(?P<option>[a-z]\w*)=(?!=)(?P<value>{_QUOTED}|True\b|{_LIST})?"
    r"|`(?P<argument>\w+)`"
    r"|(?P<end>\.\ (?=[A-Z]))"
)
_FUNCTIONS = MappingProxyType(
    {
        "read_measures takes each measure by itself": "make a table of each measure, or read them "
        "in code with Experiment.read_measures",
        "Experiment.from_sklearn takes the search": "In code, Experiment.from_sklearn takes the "
        "search",
    }
)
_PASS = re.compile(r"\bpass\b", re.IGNORECASE)
_MOST_NAMED = 3  # names on a button


class Way(NamedTuple):
    """A change of settings that settles what a message is about, and the words of its button."""

    label: str
    changes: Mapping[str, Any]


class Finding(NamedTuple):
    """A message: what is to be said, and the ways on from there.

    Attributes
    ----------
    text : str
        Sentences.
    ways : tuple of Way
        Each gets a button.
    kind : {"error", "open", "note", "settled"}
        Whether nothing could be read, something is still to be said, something is doubtful, or
        a person has settled it.
    """

    text: str
    ways: tuple[Way, ...] = ()
    kind: str = "note"


def finding(message: str, source: str = "", kind: str = "note") -> Finding:
    """Return a message of the reader as sentences and ways on.

    Parameters
    ----------
    message : str
        What the reader says.
    source : str
        The name of the file, which the message may begin with.
    kind : {"error", "note"}
        Whether nothing was read.

    Examples
    --------
    >>> found = finding("a.csv: column 'n' holds sizes. Pass ignore=['n'] to leave it out, or "
    ...                 "keep=['n'] if it is an algorithm.", "a.csv")
    >>> found.text
    "Column 'n' holds sizes."
    >>> [way.label for way in found.ways]
    ['Leave out column “n”', 'Keep column “n” as scores']
    """
    for end in (": ", ", ") if source else ():  # which the screen shows above
        message = message.removeprefix(f"{source}{end}")
    said: list[str] = []
    ways: list[Way] = []
    for sentence in _sentences(message):
        hits = [hit for hit in _MARKED.finditer(sentence) if hit["option"] in LABELS]
        found = list(_ways(sentence, hits))
        ways += [way for way in found if way not in ways]
        settled = {name for way in found for name in way.changes}
        if not found or not {hit["option"] for hit in hits} <= settled:
            said.append(_in_words(sentence))
    text = " ".join(said)
    if not source or not text.startswith(source):
        text = text[:1].upper() + text[1:]
    return Finding(text, tuple(ways), kind)


def settled(name: str, value: Any) -> Finding:
    """Return what a person has said of the rows, columns or cells, with a way back.

    Examples
    --------
    >>> settled("ignore", ("size",)).text
    'Columns left out: “size”.'
    """
    if isinstance(value, tuple):
        text = f"{_SETTLED[name]}: {named([f'“{each}”' for each in value])}."
    else:
        text = f"{_one_label(name, value)}."
    return Finding(text, (Way("Take back", {name: None}),), "settled")


def _sentences(message: str) -> list[str]:
    """Return the sentences; a full stop in quotation marks ends none."""
    parts, start = [], 0
    for mark in _MARKED.finditer(message):
        if mark["end"]:
            parts.append(message[start : mark.start() + 1])
            start = mark.end()
    return [*parts, message[start:]]


def _ways(sentence: str, hits: list[re.Match[str]]) -> Iterator[Way]:
    """Yield what a sentence advises; arguments joined by "and" or "with" are one way."""
    together: dict[str, Any] = {}
    end = -1
    for hit in hits:
        joined = sentence[end : hit.start()] in (" and ", " with ")
        end = hit.end()
        if not joined and together:
            yield Way(_label(together), together)
            together = {}
        if hit["value"] is not None:
            together = {**together, hit["option"]: _value(hit["value"])}
    if together:
        yield Way(_label(together), together)


def _value(written: str) -> Any:
    value = ast.literal_eval(written)
    return tuple(value) if isinstance(value, list) else value


def _label(changes: Mapping[str, Any]) -> str:
    labels = [_one_label(name, value) for name, value in changes.items()]
    return "; ".join([labels[0], *(label[:1].lower() + label[1:] for label in labels[1:])])


def _one_label(option: str, value: Any) -> str:
    if isinstance(value, tuple):
        many = "s" if len(value) > 1 else ""
        names = named([f"“{name}”" for name in value], most=_MOST_NAMED)
        return {
            "ignore": f"Leave out column{many} {names}",
            "keep": f"Keep column{many} {names} as scores",
            "ignore_rows": f"Leave out row{many} {names}",
            "keep_rows": f"Keep row{many} {names}",
            "missing_words": f"{names} means that there is no result",
        }[option]
    if option in _NAMES:
        column = f"column “{value}”" if value else "the column without a name"
        return f"{column[:1].upper()}{column[1:]} {_NAMES[option]}"
    mark = MARKS.get(value, str(value))
    return {
        "transpose": "Rows are algorithms, columns are data sets",
        "brackets": f"The numbers in brackets are {_IN_BRACKETS.get(value, value)}",
        "decimal": f"The {mark} is the decimal mark",
        "thousands": f"The {mark} separates thousands",
        "separator": f"The {mark} separates cells",
    }.get(option, f"{LABELS[option]}: {value}")


def _in_words(sentence: str) -> str:
    """Return a sentence with the words of controls in the place of arguments."""

    def word(hit: re.Match[str]) -> str:
        name = hit["option"] or hit["argument"]
        if name not in LABELS:
            return hit[0]
        value = "" if hit["value"] is None else f": {hit['value']}"
        return f"“{LABELS[name]}{value}”"

    is_advice = any(hit["option"] in LABELS for hit in _MARKED.finditer(sentence))
    if is_advice:
        sentence = _PASS.sub(lambda hit: "Choose" if hit[0][0] == "P" else "choose", sentence)
    for python, words in _FUNCTIONS.items():
        sentence = sentence.replace(python, words)
    return _MARKED.sub(word, sentence)
