"""Controls of a ReportBuilder: text, the list of sections, and formats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from nbcompare._options import SECTIONS
from nbcompare.analysis.rules import State
from nbcompare.widgets._choices import ChosenSettings
from nbcompare.widgets._controls import Act, Control, sentence
from nbcompare.widgets._elements import Box, Button, Field, at_places
from nbcompare.widgets._report_settings import Formats
from nbcompare.widgets._settings import Setting

_OWN = "text of your own"
_NEW_TEXT = "## Heading\n\nYour text."


class FormatBoxes(Control):
    """A checkbox for every format."""

    setting: Formats

    def made(self) -> Any:
        """Return the boxes, under one label."""
        self._words = self.choices.words(self.name)
        widget = Field(form="checks", options=tuple(self._words), **self._texts())
        widget.observe(self._ticked, "ticked")
        return widget

    def _ticked(self, change: Any) -> None:
        self.act(at_places(self._words, change.new))

    def refresh(self, state: State) -> None:
        """Tick the formats that are chosen; those not available are disabled, with a note."""
        chosen, refused = self.choices.value(self.name), {}
        for word in self._words:
            reason = self.choices.reason(self.name, word, state)
            if reason:
                refused[word] = reason
        with self.quietly():
            self.widget.ticked = [self._words.index(word) for word in chosen]
            self.widget.off = [
                (self._words.index(word), reason)
                for word, reason in refused.items()
                if word not in chosen
            ]
        self.say_disabled(refused)


class SectionList(Control):
    """The sections in their order, of which one can be moved, given a title or removed."""

    def __init__(
        self,
        choices: ChosenSettings,
        name: str,
        setting: Setting,
        act: Act,
        why_not: Callable[[str], str],
    ) -> None:
        self._place = 0
        self._listed: list[str] = []  # the sections that the list shows
        self._why_not = why_not
        self._make_editor()
        super().__init__(choices, name, setting, act)
        self.box = self._arranged()

    def made(self) -> Any:
        """Return the list."""
        widget = Field(rows=9, **self._texts())
        widget.observe(self._chosen, "index")
        return widget

    def _make_editor(self) -> None:
        self.up = Button("Up", lambda: self.move(-1), tooltip="Move the section up")
        self.down = Button("Down", lambda: self.move(1), tooltip="Move the section down")
        self.out = Button("Remove", self.remove, tooltip="Remove the section")
        usual = "Restore the sections that suit the data"
        self.usual = Button("Reset", self.restore, tooltip=usual)
        self.new = Field(
            label="Another section", help=[("", "A section that is not in the report yet.")]
        )
        self.add = Button("Add", self.insert, tooltip="Put it below the selected section")
        self.title = Field(form="text", label="Title of the section", placeholder="the usual title")
        self.text = Field(form="area", rows=7, label="Text (Markdown)")
        self.title.observe(self._retitled, "value")
        self.text.observe(self._rewritten, "value")

    def _arranged(self) -> Box:
        buttons = Box([self.up, self.down, self.out, self.usual], "nbcompare-bar")
        more = Box([self.new, self.add], "nbcompare-bar")
        listed = Box([self.widget, buttons])
        return Box([listed, Box([self.title, self.text, more])], "nbcompare-row")

    # ------------------------------------------------------------------- what a person does

    @property
    def _names(self) -> list[str]:
        return list(self.choices.value(self.name))

    @property
    def _selected(self) -> str | None:
        names = self._names
        return names[self._place] if self._place < len(names) else None

    def _chosen(self, change: Any) -> None:
        if self._quiet or change.new not in range(len(self._listed)):
            return
        # the list may still be that of a moment ago
        name, names = self._listed[change.new], self._names
        if name in names:
            same = names[change.new : change.new + 1] == [name]
            self._place = change.new if same else names.index(name)
        self._fill()

    def move(self, by: int) -> None:
        """Move the selected section up or down; it stays selected."""
        names, there = self._names, self._place + by
        if self._selected is None or not 0 <= there < len(names):
            return
        names[self._place], names[there] = names[there], names[self._place]
        self._place = there
        self.act(names)

    def remove(self) -> None:
        """Remove the selected section, and select the next one."""
        names = self._names
        if self._selected is not None:
            del names[self._place]
            self._place = max(0, min(self._place, len(names) - 1))
            self.act(names)

    def insert(self) -> None:
        """Put the section that is chosen below the selected one."""
        names = self._names
        if self.new.index is None or self.new.index not in range(len(self._offered)):
            return
        name = self._offered[self.new.index]
        self._place = min(self._place + 1, len(names))
        names.insert(self._place, _NEW_TEXT if name == _OWN else name)
        self.act(names)

    def restore(self) -> None:
        """Restore the sections that suit the data."""
        self.act(None)

    def _retitled(self, change: Any) -> None:
        name = self._selected
        if not self._quiet and name in SECTIONS:
            self._act("titles", {**self.choices.value("titles"), cast("str", name): change.new})

    def _rewritten(self, change: Any) -> None:
        if not self._quiet and self._selected is not None:
            names = self._names
            names[self._place] = change.new
            self.act(names)

    # -------------------------------------------------------------------------- showing

    def refresh(self, state: State) -> None:
        """Show the sections, with the same one selected."""
        names = self._names
        self._place = max(0, min(self._place, len(names) - 1))
        self._fill()

    def _fill(self) -> None:
        names = self._names
        labels = tuple(f"{number}. {self._label(name)}" for number, name in enumerate(names, 1))
        self._quiet, self._listed = True, names
        try:
            with self.widget.hold_sync():
                self.widget.options = labels
                self.widget.index = self._place if names else None
            self._fill_editor()
            self._fill_offers(names)
        finally:
            self._quiet = False

    def _label(self, name: str) -> str:
        if name not in SECTIONS:
            first = next(iter(name.strip().splitlines()), "").lstrip("#").strip()
            return f"text: {first}"
        title = self.choices.value("titles").get(name)
        return f"{name}: “{title}”" if title else f"{name}: {SECTIONS[name]}"

    def _fill_editor(self) -> None:
        """Show the author's own text, or the title of another section."""
        name = self._selected
        own = name is not None and name not in SECTIONS
        self.text.is_shown, self.title.is_shown = own, name in SECTIONS
        self.text.value = name if own else ""
        self.title.value = self.choices.value("titles").get(cast("str", name), "")

    def _fill_offers(self, names: list[str]) -> None:
        reasons = {name: self._why_not(name) for name in SECTIONS if name not in names}
        free = [name for name, reason in reasons.items() if not reason]
        refused = {name: f"it {reason}" for name, reason in reasons.items() if reason}
        self._offered = (_OWN, *free, *refused)
        labels = tuple(
            f"{name}: {SECTIONS[name]}" if name in SECTIONS else name for name in self._offered
        )
        chosen = self.new.chosen
        place = labels.index(chosen) if chosen in labels else 0
        self.new.off = [(self._offered.index(name), reason) for name, reason in refused.items()]
        self.new.options = labels
        self.new.index = place if self._offered[place] not in refused else 0
        self.new.help = [
            self.new.help[0],
            *((name, sentence(f"disabled: {reason}")) for name, reason in refused.items()),
        ]
