"""Controls of settings, each with help, and a note of the words that are disabled and why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from nbcompare._options import AUTO
from nbcompare._validation import named
from nbcompare.analysis.rules import State
from nbcompare.widgets._elements import CheckList, Element, Field, at_places
from nbcompare.widgets._settings import ChosenSettings, Number, Setting, Ticked

Act = Callable[[str, Any], None]
_MOST_TOLD = 3  # words that a note names


class Control(ABC):
    """A widget for a setting, with a note below it.

    ``act(name, value)`` is called when a person changed it; :meth:`refresh` shows what is
    chosen.
    """

    def __init__(self, choices: ChosenSettings, name: str, setting: Setting, act: Act) -> None:
        self.choices, self.name, self.setting = choices, name, setting
        self._act = act
        self._quiet = False
        self.widget = self.made()
        self.box: Element = self.widget

    @abstractmethod
    def made(self) -> Any:
        """Return the widget."""

    @abstractmethod
    def refresh(self, state: State) -> None:
        """Show the value that is chosen, and what is available now."""

    def put_away(self, state: State) -> None:
        """Hide the control while the setting makes no difference."""
        self.box.is_shown = not self.choices.is_idle(self.name, state)

    def act(self, value: Any) -> None:
        """Pass on the value that a person chose."""
        if not self._quiet:
            self._act(self.name, value)

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Change the widget without passing on a choice, which nobody made."""
        self._quiet = True
        try:
            with self.widget.hold_sync():
                yield
        finally:
            self._quiet = False

    def _texts(self) -> dict[str, Any]:
        return {"label": self.setting.label, "help": self._help()}

    def _help(self) -> list[tuple[str, str]]:
        """Return what the help says: of the setting, and of each word."""
        setting = self.setting
        words = setting.effects.items()
        lines = [(setting.spelled(word), sentence(effect)) for word, effect in words]
        return [("", sentence(setting.help)), *lines] if setting.help or lines else []


class Choice(Control):
    """A list of words, of which some may be disabled."""

    def made(self) -> Any:
        """Return a list without words, which come with the first refresh."""
        widget = Field(**self._texts())
        self._words: tuple[Any, ...] = ()
        widget.observe(self._chosen, "index")
        return widget

    def _chosen(self, change: Any) -> None:
        if change.new in range(len(self._words)):  # a page may say anything
            self.act(self._words[change.new])

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
            self.widget.note = [
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
        with self.quietly():
            self.widget.options = _distinct([self._spelled(word) for word in words])
            self.widget.off = [(words.index(word), reason) for word, reason in refused.items()]
            self._words = words
            self.widget.index = words.index(value)


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


class TextField(Control):
    """A field for text or a number, which is read when it is finished."""

    def made(self) -> Any:
        """Return a field of one line or several, or of a number that there always is."""
        setting, texts = self.setting, self._texts()
        if isinstance(setting, Number) and not setting.entry.optional:
            widget = Field(form="number", value=None, step=setting.step, **texts)
        else:
            widget = Field(form=setting.form, placeholder=setting.help, **texts)
        widget.observe(lambda change: self.act(setting.read(change.new)), "value")
        return widget

    def refresh(self, state: State) -> None:
        """Show what is set as it is now, and what stands for a number without one."""
        value, setting = self.choices.value(self.name), self.setting
        with self.quietly():
            if isinstance(setting, Number):
                stands_for, unset = self.choices.settled.get(self.name), setting.spelled(None)
                self.widget.ends = setting.ends(self.choices.builder)
                self.widget.placeholder = f"{unset}: {stands_for}" if stands_for else unset
            self.widget.value = setting.written(value)


class Several(Control):
    """Names to tick, behind a button that says how many are selected."""

    setting: Ticked

    def made(self) -> Any:
        """Return the names, in the order of the data."""
        noun = self.setting.label.lower()
        widget = CheckList(noun=noun, least=self.setting.least, **self._texts())
        widget.observe(self._ticked, "chosen")
        return widget

    def _ticked(self, change: Any) -> None:
        self.act(tuple(at_places(self.choices.words(self.name), change.new)))

    def refresh(self, state: State) -> None:
        """Show the names that are selected, and their number."""
        names, chosen = self.choices.words(self.name), set(self.choices.value(self.name))
        groups = self.setting.groups(self.choices.builder)
        symbol = f" ({self.setting.symbol} = {len(chosen):,})" if self.setting.symbol else ""
        with self.quietly():
            self.widget.names = list(map(self.setting.spelled, names))
            self.widget.groups = [(label, list(places)) for label, places in groups.items()]
            self.widget.chosen = [place for place, name in enumerate(names) if name in chosen]
            self.widget.text = f"{len(chosen):,} of {len(names):,}{symbol}"


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
