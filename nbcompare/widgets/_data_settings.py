"""Settings of a DataBuilder: what is said of a table, and ways on that a reader offers.

An error of reading has its advice beside it; notes end with the arguments that settle them,
``ignore=['size']``. Each becomes a way on that a button can take; what no button can do is said in
the words of the controls.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from nbcompare._commands import written
from nbcompare._messages import Speech, outside_quotes, sentences, ways_in
from nbcompare._options import MAXIMIZE, MINIMIZE, number_or_name
from nbcompare._render import plural
from nbcompare._validation import check_finite, check_labels, clean_label, listed, named, one_line
from nbcompare.experiment import DEFAULTS, KEYS, WRITING, Reading, checked_edits
from nbcompare.widgets._settings import Setting

_TEXTS = tomllib.loads(Path(__file__).with_name("reading.toml").read_text(encoding="utf-8"))
_ARGUMENTS: Mapping[str, Mapping[str, str]] = _TEXTS["arguments"]
# What the control of each argument is called
LABELS = MappingProxyType({name: texts["label"] for name, texts in _ARGUMENTS.items()})
_WORDS: dict[str, str] = _TEXTS["words"]
WORDS = MappingProxyType(_WORDS)  # what words of arguments are called
ROLES = (
    *("dataset", "algorithm", "score", "fold", "run", "item", "cluster"),
    *("lower", "upper", "domain", "higher_is_better"),
)
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
    said = _ARGUMENTS[name].get("button", "{label}: {names}")
    return said.format(label=LABELS[name], names=names, s="s" if len(several) > 1 else "")


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


_ENTRIES = {"encoding": "text.encoding", "unit": "table.unit"}
_SPELLED: dict[Any, str] = _WORDS | {
    MAXIMIZE: "higher scores are better",
    MINIMIZE: "lower scores are better",
}
_SPELLED |= {True: "algorithms", False: "data sets, or scores"}  # what rows are
_AGAIN = "; may be given again"


class Said(Setting):
    """Something that is said of a table, as the argument of its name: a word, or a text."""

    is_of_data = True  # another table begins without

    def __init__(self, name: str) -> None:
        super().__init__(_ENTRIES.get(name, name), label=LABELS[name])
        self.default_value = DEFAULTS[name]
        self.form = "list" if self.is_worded else "text"

    @property
    def is_worded(self) -> bool:
        """Whether there are words for it."""
        return bool(self.entry.choices) or self.entry.switch

    def clean(self, obj: Any, value: Any) -> Any:
        """Return the word, or one line of text; None stands for the default."""
        if value is None:
            return self.default_value
        if self.is_worded:
            return super().clean(obj, value)
        text, name = one_line(value, str(self.name)), str(self.name)
        if name not in WRITING and text is not None:
            Reading.of({name: text})  # which checks it
        return self.default_value if text is None else text

    def left_open(self, word: Any, stands_for: str) -> str:
        """Return what is recognised, without the word that leaves it open."""
        return stands_for

    def spelled(self, word: Any) -> str:
        """Return a word as it is shown."""
        if self.is_worded and word is None:
            return _ARGUMENTS[str(self.name)]["unsaid"]
        return _SPELLED.get(word, str(word)) if self.is_worded else super().spelled(word)


class Column(Said):
    """A column of the table, or None for one that is recognised; labels of several are joined."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.form = "list"

    def clean(self, obj: Any, value: Any) -> Any:
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


class Cutoff(Said):
    """The score from which a run counts as failed."""

    def clean(self, obj: Any, value: Any) -> Any:
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

    def clean(self, obj: Any, value: Any) -> Any:
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

    def clean(self, obj: Any, value: Any) -> Any:
        """Return rows, columns and texts."""
        return () if value is None else checked_edits(value)

    def spelled(self, word: Any) -> str:
        """Return how many there are."""
        return plural(len(word), "cell") if word else "none"


class Where(Names):
    """The labels of the only rows to read, by column; written as on a command line."""

    def clean(self, obj: Any, value: Any) -> Any:
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


_KINDS: Mapping[str, type[Said]] = {
    **dict.fromkeys((*ROLES, "status"), Column),
    **dict.fromkeys(("ok", "ignore", "keep", "ignore_rows", "keep_rows", "missing_words"), Names),
    "where": Where,
    "cutoff": Cutoff,
    "edits": Edits,
}


def settings_of_tables() -> dict[str, Said]:
    """Return new traits for all that can be said of a table, in the order of their texts."""
    return {name: _KINDS.get(name, Said)(name) for name in LABELS}
