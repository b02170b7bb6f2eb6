"""Controls of settings, each with help and a note of the words that are disabled and why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from nbcompare._options import AUTO
from nbcompare._validation import named
from nbcompare.analysis.rules import State
from nbcompare.widgets._choices import ChosenSettings
from nbcompare.widgets._elements import Box, CheckList, Element, Field, at_places
from nbcompare.widgets._settings import Number, Setting, Subset, Switch

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

    def say(self, *lines: str) -> None:
        """Put lines below the widget; without any they take no room."""
        self.widget.note = list(lines)

    def say_disabled(self, reasons: Mapping[str, str]) -> None:
        """Say below the widget which words are disabled, and why if one reason holds for all."""
        if not reasons:
            self.say()
            return
        several = len(set(reasons.values())) > 1
        words = list(reasons)
        what = named(words) if len(words) <= _MOST_TOLD else f"{len(words)} words"
        why = "see the help" if several else next(iter(reasons.values()))
        self.say(f"{what} disabled: {why}")

    def _texts(self) -> dict[str, Any]:
        return {"label": self.setting.label, "help": self.help({})}

    def help(self, refused: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return what the help says: of the setting, and of each word, with what disables it."""
        setting = self.setting
        lines = [("", sentence(setting.help))]
        for word, effect in setting.effects.items():
            spelled = setting.spelled(word)
            reason = refused.get(spelled)
            told = sentence(effect)
            lines.append((spelled, f"{told} Disabled: {reason}." if reason else told))
        lines += [
            (word, sentence(f"Disabled: {reason}"))
            for word, reason in refused.items()
            if word not in dict(lines)
        ]
        return lines if setting.help or len(lines) > 1 else []


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
        value = self._value()
        words = self._all(value)
        refused: dict[Any, str] = {}
        for word in words:
            reason = self.choices.reason(self.name, word, state)
            if reason is not None and word != value:
                refused[word] = reason
        self._fill(words, value, refused)
        told = {self.setting.spelled(word): reason for word, reason in refused.items()}
        self.widget.help = self.help(told)
        if self.setting.is_argument:  # the list itself says it of figures
            self.say_disabled(told)

    def _value(self) -> Any:
        """Return the word that is chosen."""
        return self.choices.value(self.name)

    def _all(self, value: Any) -> tuple[Any, ...]:
        words = self.choices.words(self.name)
        return words if value in words else (*words, value)

    def _spelled(self, word: Any) -> str:
        stands_for = self.choices.settled.get(self.name)
        is_open = word in (None, AUTO) and word == self.setting.default_value
        if stands_for and is_open and word == self._value():
            told = self.setting.entry.spelled.get(stands_for, stands_for)
            return f"{'default' if word is None else word}: {told}"
        return self.setting.spelled(word)

    def _fill(
        self, words: tuple[Any, ...], value: Any, refused: Mapping[Any, str] | None = None
    ) -> None:
        labels = _distinct([self._spelled(word) for word in words])
        index = words.index(value) if value in words else None
        with self.quietly():
            self.widget.options = labels
            self.widget.off = (
                [(place, refused[word]) for place, word in enumerate(words) if word in refused]
                if refused
                else []
            )
            self._words = words
            self.widget.index = index


class Procedures(Choice):
    """One word that decides, and behind a button names of further ones to tick."""

    def __init__(self, choices: ChosenSettings, name: str, setting: Setting, act: Act) -> None:
        super().__init__(choices, name, setting, act)
        self._further: tuple[str, ...] = ()  # what can be ticked
        self.further = CheckList(
            label="Further procedures",
            noun="procedures",
            least=0,
            has_label=False,
        )
        self.further.observe(self._ticked, "chosen")
        self.box = Box([self.widget, self.further])

    def _value(self) -> Any:
        value = super()._value()
        return value[0] if isinstance(value, tuple) else value

    def _chosen_further(self) -> tuple[str, ...]:
        value = super()._value()
        return value[1:] if isinstance(value, tuple) else ()

    def act(self, value: Any) -> None:
        """Let another word decide; the further ones stay where they can."""
        kept = tuple(word for word in self._chosen_further() if word != value)
        alone = value in (None, AUTO) or not kept
        super().act(value if alone else (value, *kept))

    def _ticked(self, change: Any) -> None:
        chosen = set(at_places(self._further, change.new))
        before = [word for word in self._chosen_further() if word in chosen]
        added = [word for word in self._further if word in chosen and word not in before]
        first = self._value()
        super().act((first, *before, *added) if chosen else first)

    def refresh(self, state: State) -> None:
        """Show the word that decides, and the further ones."""
        super().refresh(state)
        first, chosen = self._value(), self._chosen_further()
        off = {place for place, _ in self.widget.off}
        words = [word for place, word in enumerate(self._words) if place not in off]
        offered = () if first in (None, AUTO) else tuple(words)
        self._offer(offered, first, chosen)
        names = ", ".join(map(self.setting.spelled, chosen))
        self.further.text = f"+ {names}" if names else "+ add procedures"

    def _offer(self, words: tuple[Any, ...], first: Any, chosen: tuple[str, ...]) -> None:
        """Offer what goes with the first word; hide the button without any."""
        others = tuple(word for word in words if word not in (None, AUTO, first))
        offered = (*others, *(word for word in chosen if word not in others))
        self._quiet = True
        try:
            with self.further.hold_sync():
                self._further = offered
                self.further.names = list(map(self.setting.spelled, offered))
                self.further.chosen = sorted(offered.index(word) for word in chosen)
        finally:
            self._quiet = False
        self.further.is_shown = bool(offered)


class OutcomeList(Choice):
    """A list that is made from the result, each entry with a label of its own."""

    def refresh(self, state: State) -> None:
        """Do nothing: the list is filled when there is a result."""

    def fill(self, entries: Sequence[tuple[Any, str]], value: Any) -> None:
        """Offer these values under these labels."""
        self._labels: dict[Any, str] = dict(entries)
        self._fill(tuple(self._labels), value)

    def _spelled(self, word: Any) -> str:
        return self._labels[word]


class NumberField(Control):
    """A field for a number; a text field, which may be empty, where None is a value."""

    setting: Number

    def made(self) -> Any:
        """Return a field that is read when the number is finished."""
        if self.setting.entry.optional:
            widget = Field(form="text", **self._texts())
        else:
            widget = Field(form="number", value=None, step=self.setting.step, **self._texts())
        widget.observe(lambda change: self.act(self._read(change.new)), "value")
        return widget

    def _read(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        # a large whole number keeps all of its digits; an option may read more, such as 1/9
        for kind in (int, float, self.setting.entry.type):
            with suppress(ValueError):
                return kind(value)
        return value  # the check says what is wrong with it

    def refresh(self, state: State) -> None:
        """Show the number as it is now, and what stands for it without one."""
        value = self.choices.value(self.name)
        if self.setting.entry.optional:
            value = "" if value is None else _digits(value)
        stands_for = self.choices.settled.get(self.name)
        unset = self.setting.spelled(None)
        with self.quietly():
            self.widget.ends = self.setting.ends(self.choices.builder)
            self.widget.placeholder = f"{unset}: {stands_for}" if stands_for else unset
            self.widget.value = value
        self.say(*filter(None, [self.setting.remark(self.choices.value(self.name))]))


class TextField(Control):
    """A field for text, which is read when it is finished; large for several lines."""

    setting: Any  # which has `several_lines`, `written` and `read`

    def made(self) -> Any:
        """Return a field of one line or several."""
        form = "area" if self.setting.several_lines else "text"
        widget = Field(form=form, placeholder=self.setting.help, **self._texts())
        widget.observe(lambda change: self.act(self.setting.read(change.new)), "value")
        return widget

    def refresh(self, state: State) -> None:
        """Show the text as it is now."""
        value = self.setting.written(self.choices.value(self.name))
        with self.quietly():
            self.widget.value = value


class SwitchBox(Control):
    """A box to tick; disabled, with the reason, while it cannot be switched on."""

    setting: Switch

    def made(self) -> Any:
        """Return the box under its label."""
        widget = Field(form="checks", options=(self.setting.does,), **self._texts())
        widget.observe(lambda change: self.act(bool(change.new)), "ticked")
        return widget

    def refresh(self, state: State) -> None:
        """Tick the box, or say why it cannot be ticked."""
        value = bool(self.choices.value(self.name))
        reason = "" if value else self.choices.reason(self.name, True, state)
        with self.quietly():
            self.widget.ticked = [0] if value else []
            self.widget.off = [(0, reason)] if reason else []
        self.say(*([sentence(f"disabled: {reason}")] if reason else []))


class Several(Control):
    """Names to tick, behind a button that says how many are selected."""

    setting: Subset

    def made(self) -> Any:
        """Return the names, in the order of the data."""
        widget = CheckList(
            noun=self.setting.label.lower(), least=self.setting.least, **self._texts()
        )
        widget.observe(self._ticked, "chosen")
        return widget

    def _ticked(self, change: Any) -> None:
        self.act(tuple(at_places(self.choices.words(self.name), change.new)))

    def refresh(self, state: State) -> None:
        """Show the names that are selected, and their number."""
        names, chosen = self.choices.words(self.name), set(self.choices.value(self.name))
        groups = self.setting.groups(self.choices.builder)
        told = f"{len(chosen):,} of {len(names):,}"
        if self.setting.symbol:
            told += f" ({self.setting.symbol} = {len(chosen):,})"
        with self.quietly():
            self.widget.names = list(names)
            self.widget.groups = [(label, list(places)) for label, places in groups.items()]
            self.widget.chosen = [place for place, name in enumerate(names) if name in chosen]
            self.widget.text = told


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


def _digits(number: float) -> str:
    """Return a number as short as it can be without being another one."""
    short = f"{number:g}"
    return short if float(short) == number else str(number)


def _distinct(labels: Sequence[str]) -> tuple[str, ...]:
    """Return labels of which no two are alike, since a list in a page goes by them."""
    distinct: list[str] = []
    for label in labels:
        while label in distinct:
            label = f"“{label}”"
        distinct.append(label)
    return tuple(distinct)
