"""Controls of settings, each with help, and a note of the words that are disabled and why."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from nbcompare._options import AUTO
from nbcompare._validation import named
from nbcompare.analysis.rules import State
from nbcompare.widgets._elements import Field, Labelled, at_places
from nbcompare.widgets._settings import ChosenSettings, Number, Setting, Ticked

Act = Callable[[str, Any], None]
_MOST_TOLD = 3  # words that a note names


class Control(Labelled):
    """The element of a setting, with a note below it.

    ``act(name, value)`` is called when a person changed it; :meth:`refresh` shows what is
    chosen.
    """

    def __init__(self, choices: ChosenSettings, name: str, setting: Setting, act: Act) -> None:
        words = setting.effects.items()
        lines = [(setting.spelled(word), sentence(effect)) for word, effect in words]
        told = [("", sentence(setting.help)), *lines] if setting.help or lines else []
        super().__init__(label=setting.label, help=told)
        self.choices, self.name, self.setting = choices, name, setting
        self.act = lambda said: act(name, self.read(said)) if self.can_be(said) else None

    @abstractmethod
    def read(self, said: Any) -> Any:
        """Return the value that a person chose."""

    def can_be(self, said: Any) -> bool:
        """Return whether a person can have chosen that; a page may say anything."""
        return True

    @abstractmethod
    def refresh(self, state: State) -> None:
        """Show the value that is chosen, and what is available now."""


class Choice(Control, Field):
    """A list of words, of which some may be disabled."""

    heard: ClassVar[Mapping[str, Any]] = {"index": int}
    words: tuple[Any, ...]  # which come with the first refresh

    def can_be(self, said: Any) -> bool:
        """Return whether there is a word at that place."""
        return said in range(len(self.options))

    def read(self, said: Any) -> Any:
        """Return the word at a place."""
        return self.words[said]

    def refresh(self, state: State) -> None:
        """Offer the words that go with the other settings; disable the others, and say why."""
        value, words = self.choices.value(self.name), self.choices.words(self.name)
        words = words if value in words else (*words, value)
        reasons = {word: self.choices.reason(self.name, word, state) for word in words}
        refused = {word: why for word, why in reasons.items() if why is not None and word != value}
        self._fill(words, value, refused)
        if self.setting.is_argument:  # the list itself says it of figures
            by_reason: dict[str, list[str]] = {}
            for word, reason in refused.items():
                by_reason.setdefault(reason, []).append(self.setting.spelled(word))
            self.note = [
                f"{named(told, most=_MOST_TOLD)} disabled: {reason}"
                for reason, told in by_reason.items()
            ]

    def _spelled(self, word: Any) -> str:
        stands_for = self.choices.settled.get(self.name)
        is_open = word in (None, AUTO) and word == self.setting.default_value
        if stands_for and is_open and word == self.choices.value(self.name):
            return self.setting.left_open(word, stands_for)
        return self.setting.spelled(word)

    def _fill(self, words: tuple[Any, ...], value: Any, refused: Mapping[Any, str]) -> None:
        self.options = _distinct([self._spelled(word) for word in words])
        self.off = [(words.index(word), reason) for word, reason in refused.items()]
        self.words, self.index = words, words.index(value)


class OutcomeList(Choice):
    """A list that is made from the result, each entry with a label of its own."""

    def refresh(self, state: State) -> None:
        """Do nothing: the list is filled when there is a result."""

    def fill(self, entries: Sequence[tuple[Any, str]], value: Any) -> None:
        """Offer these values under these labels."""
        self._labels: dict[Any, str] = dict(entries)
        self._fill(tuple(self._labels), value, {})

    def _spelled(self, word: Any) -> str:
        return self._labels[word]


class TextField(Control, Field):
    """A field for text or a number, which is read when it is finished."""

    heard: ClassVar[Mapping[str, Any]] = {"value": object}

    def __init__(self, choices: ChosenSettings, name: str, setting: Setting, act: Act) -> None:
        super().__init__(choices, name, setting, act)
        self.form, self.placeholder = setting.form, setting.help
        if isinstance(setting, Number) and not setting.entry.optional:
            self.form, self.step = "number", setting.step

    def read(self, said: Any) -> Any:
        """Return what a person wrote as a value to be checked."""
        return self.setting.read(said)

    def refresh(self, state: State) -> None:
        """Show what is set as it is now, and what stands for a number without one."""
        setting = self.setting
        if isinstance(setting, Number):
            stands_for, unset = self.choices.settled.get(self.name), setting.spelled(None)
            self.ends = setting.ends(self.choices.builder)
            self.placeholder = f"{unset}: {stands_for}" if stands_for else unset
        self.value = setting.written(self.choices.value(self.name))


class Several(Control):
    """Names to tick, behind a button that says how many are selected.

    Attributes
    ----------
    names : list of str
        All names, in their order.
    ticked : list of int
        The places of those that are ticked.
    groups : list of (str, list of int)
        Groups of names, each of which one click takes.
    least : int
        How many have to be ticked; with fewer, the page says so and nothing changes.
    noun : str
        What the names are, such as "algorithms".
    text : str
        The text of the button.
    """

    kind = "checklist"
    names: Sequence[str] = ()
    ticked: Sequence[int] = ()
    groups: Sequence[tuple[str, list[int]]] = ()
    least: int = 1
    noun: str = ""
    text: str = ""
    heard: ClassVar[Mapping[str, Any]] = {"ticked": list}
    setting: Ticked

    def read(self, said: Any) -> Any:
        """Return the names at some places."""
        return tuple(at_places(self.choices.words(self.name), said))

    def refresh(self, state: State) -> None:
        """Show the names that are selected, and their number."""
        setting, chosen = self.setting, set(self.choices.value(self.name))
        names, groups = self.choices.words(self.name), setting.groups(self.choices.builder)
        symbol = f" ({setting.symbol} = {len(chosen):,})" if setting.symbol else ""
        self.noun, self.least = setting.label.lower(), setting.least
        self.names = list(map(setting.spelled, names))
        self.groups = [(label, list(places)) for label, places in groups.items()]
        self.ticked = [place for place, name in enumerate(names) if name in chosen]
        self.text = f"{len(chosen):,} of {len(names):,}{symbol}"


CONTROLS: Mapping[str, type[Control]] = {
    "list": Choice,
    "found": OutcomeList,
    "text": TextField,
    "area": TextField,
    "ticks": Several,
}


def sentence(text: str) -> str:
    """Return a text as a sentence.

    Examples
    --------
    >>> sentence("how pairs are tested"), sentence("p-values (exact)?")
    ('How pairs are tested.', 'p-values (exact)?')
    """
    if not text:
        return ""
    first = text[0] if text[1:2] in "-" else text[0].upper()
    return first + text[1:] + ("" if text[-1] in ".?!" else ".")


def _distinct(labels: Sequence[str]) -> tuple[str, ...]:
    """Return labels of which no two are alike, since a list in a page goes by them."""
    distinct: list[str] = []
    for label in labels:
        while label in distinct:
            label = f"“{label}”"
        distinct.append(label)
    return tuple(distinct)
