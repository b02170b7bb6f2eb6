"""Controls of settings, each with a note of the words that are disabled and why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import ipywidgets as ipw

from nbcompare._options import AUTO
from nbcompare._render import html
from nbcompare._validation import named
from nbcompare.analysis.rules import State
from nbcompare.widgets._choices import ChosenSettings
from nbcompare.widgets._settings import Number, Setting, Subset

Act = Callable[[str, Any], None]
_MOST_ROWS = 10


class Control(ABC):
    """A widget for a setting, and a note below it.

    ``act(name, value)`` is called when a person changed it; :meth:`refresh` shows what is
    chosen.
    """

    def __init__(self, choices: ChosenSettings, name: str, setting: Setting, act: Act) -> None:
        self.choices, self.name, self.setting = choices, name, setting
        self._act = act
        self._quiet = False
        self.widget = self.made()
        self.widget.add_class("nbcompare-field")
        self.note = ipw.HTML(layout=ipw.Layout(display="none"))
        self.note.add_class("nbcompare-note")
        layout = ipw.Layout(flex="1 1 190px", max_width="330px", min_width="150px")
        self.box: ipw.Widget = ipw.VBox([self.widget, self.note], layout=layout)

    @abstractmethod
    def made(self) -> Any:
        """Return the widget."""

    @abstractmethod
    def refresh(self, state: State) -> None:
        """Show the value that is chosen, and what is available now."""

    def put_away(self, state: State) -> None:
        """Hide the control while the setting makes no difference."""
        display = "none" if self.choices.is_idle(self.name, state) else None
        if self.box.layout.display != display:
            self.box.layout.display = display

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
        """Put a note below the widget; without lines it takes no room."""
        shown = "<br>".join(map(html.escape, lines))
        if self.note.value != shown:
            self.note.value = shown
            self.note.layout.display = "block" if shown else "none"

    def say_disabled(self, reasons: Mapping[str, str]) -> None:
        """Put the words that are disabled below the widget, by the reasons that they share."""
        words: dict[str, list[str]] = {}
        for word, reason in reasons.items():
            words.setdefault(reason, []).append(word)
        self.say(*(f"{named(alike)} (disabled: {reason})" for reason, alike in words.items()))

    def _texts(self) -> dict[str, Any]:
        return {
            "description": self.setting.label,
            "tooltip": self.setting.help,
            "style": {"description_width": "initial"},
            "layout": ipw.Layout(width="auto"),
        }


class Choice(Control):
    """A list of the words that are available."""

    def made(self) -> Any:
        """Return a list without words, which come with the first refresh."""
        widget = ipw.Dropdown(options=(), **self._texts())
        self._words: tuple[Any, ...] = ()
        widget.observe(self._chosen, "index")
        return widget

    def _chosen(self, change: Any) -> None:
        if change.new is not None and change.new < len(self._words):
            self.act(self._words[change.new])

    def refresh(self, state: State) -> None:
        """Offer the words that go with the other settings; name the others below, and why."""
        value = self._value()
        words: list[Any] = []
        refused: dict[str, str] = {}
        for word in self._all(value):
            reason = self.choices.reason(self.name, word, state)
            if reason is None or word == value:
                words.append(word)
            else:
                refused[self.setting.spelled(word)] = reason
        self._fill(tuple(words), value)
        self.say_disabled(refused)

    def _value(self) -> Any:
        """Return the word that is chosen."""
        return self.choices.value(self.name)

    def _all(self, value: Any) -> tuple[Any, ...]:
        words = self.choices.words(self.name)
        return words if value in words else (*words, value)

    def _spelled(self, word: Any) -> str:
        return self.setting.spelled(word)

    def _fill(self, words: tuple[Any, ...], value: Any) -> None:
        labels = _distinct([self._spelled(word) for word in words])
        index = words.index(value) if value in words else None
        with self.quietly():
            if self.widget.options != labels:
                self.widget.options = labels
            self._words = words
            if self.widget.index != index:
                self.widget.index = index


class Procedures(Choice):
    """One word that decides, and behind a button a list of further ones."""

    def __init__(self, choices: ChosenSettings, name: str, setting: Setting, act: Act) -> None:
        super().__init__(choices, name, setting, act)
        self._further: tuple[str, ...] = ()  # what the list offers
        self.toggle = ipw.ToggleButton(
            tooltip="Further procedures get a column each; the one above decides",
            layout=ipw.Layout(width="auto", max_width="100%", height="auto"),
        )
        self.toggle.add_class("nbcompare-further")
        self.list = ipw.SelectMultiple(
            options=(),
            rows=6,
            description="Further",
            tooltip="Ctrl (or Cmd) and click to add or remove one",
            style={"description_width": "initial"},
            layout=ipw.Layout(width="auto", display="none"),
        )
        self.list.add_class("nbcompare-field")
        self.list.observe(self._listed, "index")
        self.toggle.observe(self._show_list, "value")
        self.box.children = [self.widget, self.toggle, self.list, self.note]

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

    def _listed(self, change: Any) -> None:
        chosen = {self._further[place] for place in change.new}
        before = [word for word in self._chosen_further() if word in chosen]
        added = [word for word in self._further if word in chosen and word not in before]
        first = self._value()
        super().act((first, *before, *added) if chosen else first)

    def _show_list(self, _change: Any) -> None:
        self.list.layout.display = None if self.toggle.value else "none"

    def refresh(self, state: State) -> None:
        """Show the word that decides, and the further ones."""
        super().refresh(state)
        first, further = self._value(), self._chosen_further()
        self._offer(() if first in (None, AUTO) else self._words, first, further)
        names = ", ".join(map(self.setting.spelled, further))
        description = f"further: {names or 'none'}"
        if self.toggle.description != description:
            self.toggle.description = description

    def _offer(self, words: tuple[Any, ...], first: Any, chosen: tuple[str, ...]) -> None:
        """Fill the list with what goes with the first word; hide it without any."""
        others = tuple(word for word in words if word not in (None, AUTO, first))
        offered = (*others, *(word for word in chosen if word not in others))
        index = tuple(offered.index(word) for word in chosen)
        self._quiet = True
        try:
            if self._further != offered:
                self._further = offered
                self.list.options = tuple(map(self.setting.spelled, offered))
            if self.list.index != tuple(sorted(index)):
                self.list.index = tuple(sorted(index))
        finally:
            self._quiet = False
        self.toggle.layout.display = None if offered else "none"
        if not offered and self.toggle.value:
            self.toggle.value = False


class OutcomeList(Choice):
    """A list that is made from the result, each entry with a label of its own."""

    def __init__(self, choices: ChosenSettings, name: str, setting: Setting, act: Act) -> None:
        super().__init__(choices, name, setting, act)
        self.box.layout.max_width = "520px"  # entries hold several names

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
            widget = ipw.Text(
                continuous_update=False, placeholder=self.setting.spelled(None), **self._texts()
            )
        else:
            widget = ipw.FloatText(step=self.setting.step, **self._texts())
        widget.observe(lambda change: self.act(self._read(change.new)), "value")
        return widget

    def _read(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if not value.strip():
            return None
        for kind in (int, float):  # a large whole number keeps all of its digits
            with suppress(ValueError):
                return kind(value)
        return value  # the check says what is wrong with it

    def refresh(self, state: State) -> None:
        """Show the number as it is now."""
        value = self.choices.value(self.name)
        if self.setting.entry.optional:
            value = "" if value is None else _digits(value)
        with self.quietly():
            if self.widget.value != value:
                self.widget.value = value


class Several(Control):
    """A list in which any number of names can be chosen, behind a button that says how many."""

    setting: Subset

    def made(self) -> Any:
        """Return the list; the box of the control has the buttons too."""
        names = self.choices.words(self.name)
        rows = min(_MOST_ROWS, max(2, len(names)))
        widget = ipw.SelectMultiple(options=names, rows=rows, **self._texts())
        widget.observe(lambda change: self.act(change.new), "value")
        return widget

    def __init__(self, choices: ChosenSettings, name: str, setting: Subset, act: Act) -> None:
        super().__init__(choices, name, setting, act)
        self.toggle = ipw.ToggleButton(
            tooltip=f"Choose the {setting.label.lower()}",
            icon="filter",
            layout=ipw.Layout(width="auto"),
        )
        every = ipw.Button(description="All", layout=ipw.Layout(width="auto"))
        every.tooltip = f"Select all {setting.label.lower()}"
        every.on_click(lambda _: self.act(None))
        self.say(
            "Ctrl (or Cmd) and click to add or remove one, Shift and click to select a range, "
            "Ctrl+A to select all."
        )
        hidden = ipw.Layout(display="none", width="100%", align_items="flex-start")
        inner = ipw.VBox([self.widget, every, self.note], layout=hidden)
        self.widget.layout.width = "100%"
        self.toggle.observe(
            lambda change: setattr(inner.layout, "display", "" if change.new else "none"), "value"
        )
        self.box.layout.flex, self.box.layout.max_width = "1 1 240px", "420px"
        self.box.layout.align_items = "flex-start"
        self.box.children = [self.toggle, inner]

    def refresh(self, state: State) -> None:
        """Show the names that are selected, and their number."""
        names, chosen = self.choices.words(self.name), self.choices.value(self.name)
        with self.quietly():
            if self.widget.options != names:
                self.widget.options = names
            if self.widget.value != chosen:
                self.widget.value = chosen
        label = f"{self.setting.label}: {len(chosen)} of {len(names)}"
        if self.setting.symbol:
            label += f" ({self.setting.symbol} = {len(chosen)})"
        if self.toggle.description != label:
            self.toggle.description = label


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
