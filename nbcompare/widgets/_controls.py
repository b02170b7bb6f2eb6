"""Controls of settings: made of the table of options, with what is not available and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from nbcompare._render import html
from nbcompare.widgets._rules import State
from nbcompare.widgets._settings import Number, Setting, Subset

if TYPE_CHECKING:
    from nbcompare.widgets._builder import Builder

Act = Callable[[str, Any], None]
_MOST_ROWS = 10


class Control:
    """A widget for a setting, and below it a note.

    ``act(name, value)`` is called when a person changed it; :meth:`refresh` shows what the
    builder has.
    """

    def __init__(self, builder: Builder, name: str, setting: Setting, act: Act) -> None:
        self.builder, self.name, self.setting = builder, name, setting
        self._act = act
        self._quiet = False
        self.widget = self.made()
        self.widget.add_class("nbcompare-field")
        self.note = ipw.HTML(layout=ipw.Layout(display="none"))
        self.note.add_class("nbcompare-note")
        layout = ipw.Layout(flex="1 1 190px", max_width="330px", min_width="150px")
        self.box: ipw.Widget = ipw.VBox([self.widget, self.note], layout=layout)

    def made(self) -> Any:
        """The widget."""
        raise NotImplementedError

    def refresh(self, state: State) -> None:
        """Show the value that the builder has, and what can be had now."""
        raise NotImplementedError

    def act(self, value: Any) -> None:
        """A person chose a value."""
        if not self._quiet:
            self._act(self.name, value)

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Change the widget, which is no choice of anybody's."""
        self._quiet = True
        try:
            with self.widget.hold_sync():
                yield
        finally:
            self._quiet = False

    def say(self, text: str) -> None:
        """Put a note below the widget; an empty one takes no room."""
        shown = html.escape(text)
        if self.note.value != shown:
            self.note.value = shown
            self.note.layout.display = "block" if text else "none"

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
        """Without words; they come with the first refresh."""
        widget = ipw.Dropdown(options=(), **self._texts())
        self._words: tuple[Any, ...] = ()
        widget.observe(self._chosen, "index")
        return widget

    def _chosen(self, change: Any) -> None:
        if change.new is not None and change.new < len(self._words):
            self.act(self._words[change.new])

    def refresh(self, state: State) -> None:
        """Only words that go with the other settings; the rest is named below, with reasons."""
        value = getattr(self.builder, self.name)
        words: list[Any] = []
        refused: dict[str, list[str]] = {}
        for word in self._all(value):
            reason = self.builder._reason(self.name, word, state)
            if reason is None or word == value:
                words.append(word)
            else:
                refused.setdefault(reason, []).append(self.setting.spelled(word))
        self._fill(tuple(words), value)
        told = [f"{', '.join(names)}: {reason}" for reason, names in refused.items()]
        self.say(f"Not available: {'; '.join(told)}." if told else "")

    def _all(self, value: Any) -> tuple[Any, ...]:
        words = self.setting.words(self.builder)
        return words if value in words else (*words, value)

    def _spelled(self, word: Any) -> str:
        return self.setting.spelled(word)

    def _fill(self, words: tuple[Any, ...], value: Any) -> None:
        labels = tuple(self._spelled(word) for word in words)
        index = words.index(value) if value in words else None
        with self.quietly():
            if self.widget.options != labels:
                self.widget.options = labels
            self._words = words
            if self.widget.index != index:
                self.widget.index = index


class Outcome(Choice):
    """A list that the builder makes of its result, each entry with a label of its own."""

    def __init__(self, builder: Builder, name: str, setting: Setting, act: Act) -> None:
        super().__init__(builder, name, setting, act)
        self.box.layout.max_width = "520px"  # entries hold several names

    def refresh(self, state: State) -> None:
        """Nothing: it is filled when there is a result."""

    def fill(self, entries: Sequence[tuple[Any, str]], value: Any) -> None:
        """Offer these values under these labels."""
        self._labels: dict[Any, str] = dict(entries)
        self._fill(tuple(self._labels), value)

    def _spelled(self, word: Any) -> str:
        return self._labels[word]


class Entry(Control):
    """A number; one that may be None is a text, which may be empty."""

    setting: Number

    def made(self) -> Any:
        """A text that is read when it is finished."""
        if self.setting.optional:
            widget = ipw.Text(continuous_update=False, placeholder="as by default", **self._texts())
        else:
            widget = ipw.FloatText(step=self.setting.step, **self._texts())
        widget.observe(lambda change: self.act(self._read(change.new)), "value")
        return widget

    def _read(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return float(value) if value.strip() else None
        except ValueError:
            return value  # the check says what is wrong with it

    def refresh(self, state: State) -> None:
        """The number as it is now."""
        value = getattr(self.builder, self.name)
        if self.setting.optional:
            value = "" if value is None else f"{value:g}"
        with self.quietly():
            if self.widget.value != value:
                self.widget.value = value


class Several(Control):
    """A list in which any number of names can be chosen, behind a button that says how many."""

    setting: Subset

    def made(self) -> Any:
        """The list; its box has the buttons too."""
        names = self.setting.words(self.builder)
        rows = min(_MOST_ROWS, max(2, len(names)))
        widget = ipw.SelectMultiple(options=names, rows=rows, **self._texts())
        widget.observe(lambda change: self.act(change.new), "value")
        return widget

    def __init__(self, builder: Builder, name: str, setting: Subset, act: Act) -> None:
        super().__init__(builder, name, setting, act)
        self.toggle = ipw.ToggleButton(
            value=False, tooltip=f"Choose the {setting.label.lower()}", icon="filter"
        )
        self.toggle.layout = ipw.Layout(width="auto")
        every = ipw.Button(description="All", layout=ipw.Layout(width="auto"))
        every.tooltip = f"Select all {setting.label.lower()}"
        every.on_click(lambda _: self.act(None))
        self.say(
            "Ctrl (or Cmd) and a click adds or leaves out one, Shift takes a range; "
            "Ctrl+A takes all."
        )
        inner = ipw.VBox([self.widget, every, self.note])
        inner.layout = ipw.Layout(display="none", width="100%", align_items="flex-start")
        self.widget.layout.width = "100%"
        self.toggle.observe(
            lambda change: setattr(inner.layout, "display", "" if change.new else "none"), "value"
        )
        layout = ipw.Layout(flex="1 1 240px", max_width="420px", min_width="150px")
        layout.align_items = "flex-start"
        self.box = ipw.VBox([self.toggle, inner], layout=layout)

    def refresh(self, state: State) -> None:
        """The names that are selected, and their number."""
        names, chosen = self.setting.words(self.builder), getattr(self.builder, self.name)
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
