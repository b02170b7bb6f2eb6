"""What to do next, as a reader of tables says it: sentences in a builder's words, and buttons.

An error of reading has its advice beside it; notes end with the arguments that settle them,
``ignore=['size']``. Each becomes a way on that a button can take; what no button can do is said in
the words of the controls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from nbcompare._messages import Speech, outside_quotes, sentences, ways_in
from nbcompare._render import plural
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
        "item": "Items",
        "cluster": "Clusters",
        "unit": "Each row is another one of",
        "lower": "Lower ends",
        "upper": "Upper ends",
        "domain": "Groups of data sets",
        "higher_is_better": "Whether higher is better",
        "columns": "Names of columns",
        "rows": "Names of rows",
        "where": "Only rows with",
        "status": "Status of runs",
        "ok": "Status if not failed",
        "failed": "Failed runs",
        "cutoff": "Cutoff",
        "transpose": "Rows are",
        "ignore": "Leave out columns",
        "keep": "Keep as scores",
        "ignore_rows": "Leave out rows",
        "keep_rows": "Keep rows",
        "missing_words": "Words for a missing score",
        "edits": "Edited cells",
        "brackets": "Numbers in brackets",
        "format": "Format of the file",
        "sheet": "Sheet",
        "decimal": "Decimal mark",
        "thousands": "Thousands mark",
        "separator": "Cells are separated by",
        "encoding": "Encoding",
    }
)
# What words of arguments are called
WORDS = MappingProxyType(
    {",": "comma", ".": "point", ";": "semicolon", "\t": "tab", " ": "space", "'": "apostrophe"}
    | {"datasets": "data sets", "folds": "folds of one data set", "runs": "runs on one data set"}
    | {"items": "items of one benchmark"}
    | {"std": "standard deviations", "rank": "ranks"}
    | {"worst": "count as the worst", "drop": "are left out with their data sets"}
    | {"par2": "count as twice the cutoff", "par10": "count as ten times the cutoff"}
    | {"missing": "have no score"}
)
ROLES = (
    *("dataset", "algorithm", "score", "fold", "run", "item", "cluster"),
    *("lower", "upper", "domain", "higher_is_better"),
)
_BUTTONS = dict.fromkeys(ROLES, "{label} are in column{s} {names}") | {
    "higher_is_better": "Column {names} says what is better",
    "columns": "Names of columns are made like {names}",
    "rows": "Names of rows are made like {names}",
    "unit": "Rows are {names}",
    "ignore": "Leave out {names}",
    "keep": "Keep {names} as scores",
    "ignore_rows": "Leave out row{s} {names}",
    "keep_rows": "Keep row{s} {names}",
    "missing_words": "{names} means that there is no result",
    "transpose": "Rows are algorithms, columns are data sets",
    "brackets": "The numbers in brackets are {names}",
    "decimal": "The {names} is the decimal mark",
    "thousands": "The {names} separates thousands",
    "separator": "The {names} separates cells",
}
_WORDED = ("unit", "brackets", "decimal", "thousands", "separator")
_FAILURES = ("status", "ok", "failed", "cutoff")
_CHOSEN = (
    "edits",
    *("unit", "rows", "where", "columns", "ignore", "keep", "ignore_rows", "keep_rows"),
    *("missing_words", "transpose", "brackets", "format", "decimal", "thousands", "separator"),
)
_SPEECH = Speech(
    {name: f"“{label}”" for name, label in LABELS.items()},
    functions={"read_measures": "in code, Experiment.read_measures"},
)
_PASS = re.compile(r"\b([Pp])ass\b")
_WORD = re.compile(r"[\w.:+-]+")
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


def finding(
    message: str, source: str = "", kind: str = "note", advice: Iterable[Mapping[str, Any]] = ()
) -> Finding:
    """Return a message of the reader as sentences and ways on.

    Parameters
    ----------
    message : str
        What the reader says.
    source : str
        The name of the file, which the message may begin with.
    kind : {"error", "note"}
        Whether nothing was read.
    advice : iterable of mapping of str to object
        Ways on, before those that the message names.

    Examples
    --------
    >>> found = finding("a.csv: column 'n' holds sizes. Pass ignore=['n'] to leave it out, or "
    ...                 "keep=['n'] if it is an algorithm.", "a.csv")
    >>> found.text
    "Column 'n' holds sizes."
    >>> [way.label for way in found.ways]
    ['Leave out n', 'Keep n as scores']
    """
    for end in (": ", ", ") if source else ():  # which the screen shows above
        message = message.removeprefix(f"{source}{end}")
    said: list[str] = []
    ways = [dict(way) for way in advice]
    for sentence in sentences(message):
        there = [way for way in ways_in(sentence) if way.keys() <= LABELS.keys()]
        found = [way for way in there if None not in way.values()]
        ways += [way for way in found if way not in ways]
        if not found or not set().union(*there) <= set().union(*found):
            told = _SPEECH.about(source).says(sentence)
            said.append(outside_quotes(told, _PASS, lambda hit: "Cc"[hit[1] == "p"] + "hoose"))
    text = " ".join(said)
    if not source or not text.startswith(source):
        text = text[:1].upper() + text[1:]
    return Finding(text, tuple(Way(label_of(way), way) for way in ways), kind)


def settled(given: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield what a person has said of the rows, columns or cells, each with a way back.

    Examples
    --------
    >>> [found.text for found in settled({"dataset": "name", "ignore": ["size"]})]
    ['Chosen: leave out size.']
    """
    for names in (*((name,) for name in _CHOSEN), _FAILURES):
        way = {name: given[name] for name in names if name in given}
        if way:
            back = Way("Take back", dict.fromkeys(way))
            yield Finding(f"Chosen: {_lowered(label_of(way))}.", (back,), "settled")


def label_of(way: Mapping[str, Any]) -> str:
    """Return arguments in plain words.

    Examples
    --------
    >>> label_of({"where": {"split": "test"}, "run": "seed"})
    'Only rows with split = test; runs are in column seed'
    >>> label_of({"status": "runstatus", "ok": ["ok"], "failed": "worst"})
    'Failed runs (runstatus other than ok) count as the worst'
    """
    failures = {name: way[name] for name in _FAILURES if name in way}
    labels = [_label(name, value) for name, value in way.items() if name not in failures]
    labels += [_label_of_failures(**failures)] if failures else []
    return "; ".join([*labels[:1], *map(_lowered, labels[1:])])


def _label(name: str, value: Any) -> str:
    if isinstance(value, Mapping):  # labels by column
        only = [f"{_plain(column)} = {_listed(labels, 'or')}" for column, labels in value.items()]
        return f"{LABELS[name]} {' and '.join(only)}"
    several = _several(value)
    if name == "edits":
        return f"{plural(len(several), 'cell')} edited"
    names = WORDS[value] if name in _WORDED and value in WORDS else _listed(several)
    return _BUTTONS.get(name, "{label}: {names}").format(
        label=LABELS[name], names=names, s="s" if len(several) > 1 else ""
    )


def _label_of_failures(
    status: str | None = None,
    ok: Iterable[str] = (),
    failed: str | None = None,
    cutoff: float | None = None,
) -> str:
    which = [f"{_plain(status)} other than {_listed(ok, 'or')}"] if status is not None else []
    which += [f"{cutoff:.15g} and beyond"] if cutoff is not None else []
    whose = f" ({' or '.join(which)})" if which else ""
    return f"Failed runs{whose}{f' {WORDS[failed]}' if failed else ''}"


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _listed(names: Any, last: str = "and") -> str:
    words = [str(name) for name in _several(names)]
    told = list(map(_plain, words))
    if told != words:  # all of them alike
        told = [f"“{word}”" if word else _plain(word) for word in words]
    return " or ".join(told) if last == "or" else named(told, most=_MOST_NAMED)


def _plain(name: Any) -> str:
    """Return a name as it stands, in quotation marks unless it is one word."""
    word = str(name) or "(without a name)"
    return word if not name or _WORD.fullmatch(word) else f"“{word}”"


def _lowered(label: str) -> str:
    return label[:1].lower() + label[1:]
