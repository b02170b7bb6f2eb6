"""Controls of a ReportBuilder: text, the list of sections, and formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import ipywidgets as ipw

from nbcompare._options import SECTIONS
from nbcompare.analysis._rules import State
from nbcompare.widgets._controls import Act, Control
from nbcompare.widgets._report_settings import Formats, Text
from nbcompare.widgets._settings import Setting

if TYPE_CHECKING:
    from nbcompare.widgets.report_builder import ReportBuilder

_OWN = "text of your own"
_NEW_TEXT = "## Heading\n\nYour text."


class Written(Control):
    """Text that is read when it is finished; a large field where it may have several lines."""

    setting: Text

    def made(self) -> Any:
        """One line or several."""
        kind = ipw.Textarea if self.setting.several_lines else ipw.Text
        widget = kind(continuous_update=False, placeholder=self.setting.help, **self._texts())
        widget.observe(lambda change: self.act(self.setting.read(change.new)), "value")
        return widget

    def refresh(self, state: State) -> None:
        """The text as it is now."""
        value = self.setting.written(getattr(self.builder, self.name))
        with self.quietly():
            if self.widget.value != value:
                self.widget.value = value


class Boxes(Control):
    """A box to tick for every format."""

    setting: Formats

    def made(self) -> Any:
        """The boxes, under one label."""
        self.boxes = {
            word: ipw.Checkbox(
                description=word, indent=False, layout=ipw.Layout(width="auto", margin="0 12px 0 0")
            )
            for word in self.setting.words(self.builder)
        }
        for box in self.boxes.values():
            box.observe(self._ticked, "value")
        head = ipw.HTML(self.setting.label)
        head.add_class("nbcompare-group")
        row = ipw.Box(list(self.boxes.values()))
        row.layout = ipw.Layout(display="flex", flex_flow="row wrap")
        return ipw.VBox([head, row])

    def _ticked(self, _change: Any) -> None:
        self.act([word for word, box in self.boxes.items() if box.value])

    def refresh(self, state: State) -> None:
        """Those that are chosen; those that cannot be had are dull, and the note says why."""
        chosen, refused = getattr(self.builder, self.name), {}
        with self.quietly():
            for word, box in self.boxes.items():
                reason = self.builder._reason(self.name, word, state)
                if reason:
                    refused[word] = reason
                box.disabled = bool(reason) and word not in chosen
                if box.value != (word in chosen):
                    box.value = word in chosen
        told = [f"{word}: {reason}" for word, reason in refused.items()]
        self.say(f"Not available: {'; '.join(told)}." if told else "")


class SectionList(Control):
    """The sections in their order, one of which is selected, moved, titled or taken out."""

    builder: ReportBuilder

    def __init__(self, builder: ReportBuilder, name: str, setting: Setting, act: Act) -> None:
        self._place = 0
        self._listed: list[str] = []  # the sections that the list shows
        self._buttons(builder)
        super().__init__(builder, name, setting, act)
        self.box = self._arranged()

    def made(self) -> Any:
        """The list."""
        widget = ipw.Select(options=(), rows=9, **self._texts())
        widget.layout = ipw.Layout(width="100%")
        widget.add_class("nbcompare-sections")
        widget.observe(self._chosen, "index")
        return widget

    def _buttons(self, builder: ReportBuilder) -> None:
        def button(label: str, tooltip: str, act: Any) -> Any:
            made = ipw.Button(description=label, tooltip=tooltip, layout=ipw.Layout(width="auto"))
            made.on_click(lambda _: act())
            return made

        self.up = button("Up", "Move the section up", lambda: self.move(-1))
        self.down = button("Down", "Move the section down", lambda: self.move(1))
        self.out = button("Remove", "Take the section out", self.remove)
        self.usual = button("As usual", "The sections that suit the data", self.restore)
        self.new = ipw.Dropdown(options=(), description="Another section")
        self.new.tooltip = "A section that is not in the report yet"
        self.add = button("Add", "Put it below the selected section", self.insert)
        self.title = ipw.Text(continuous_update=False, description="Title of the section")
        self.title.placeholder = "as usual"
        self.text = ipw.Textarea(continuous_update=False, description="Text (Markdown)", rows=7)
        self.title.observe(self._retitled, "value")
        self.text.observe(self._rewritten, "value")
        for widget in (self.new, self.title, self.text):
            widget.style = {"description_width": "initial"}
            widget.layout = ipw.Layout(width="auto")
            widget.add_class("nbcompare-field")

    def _arranged(self) -> Any:
        row = {"display": "flex", "flex_flow": "row wrap", "align_items": "flex-end"}
        buttons = ipw.Box([self.up, self.down, self.out, self.usual], layout=ipw.Layout(**row))
        more = ipw.Box([self.new, self.add], layout=ipw.Layout(**row))
        self.new.layout.flex = "1 1 150px"
        first = ipw.VBox([self.widget, buttons])
        first.layout = ipw.Layout(flex="1 1 300px", min_width="0")
        second = ipw.VBox([self.title, self.text, more, self.note])
        second.layout = ipw.Layout(flex="1 1 300px", min_width="0")
        layout = ipw.Layout(grid_gap="4px 16px", width="100%", **row)
        layout.align_items = "flex-start"
        return ipw.Box([first, second], layout=layout)

    # ------------------------------------------------------------------- what a person does

    @property
    def _names(self) -> list[str]:
        return list(getattr(self.builder, self.name))

    @property
    def _selected(self) -> str | None:
        names = self._names
        return names[self._place] if self._place < len(names) else None

    def _chosen(self, change: Any) -> None:
        if self._quiet or change.new is None:
            return
        # the list may still be that of a moment ago
        name, names = self._listed[change.new], self._names
        if name in names:
            same = names[change.new : change.new + 1] == [name]
            self._place = change.new if same else names.index(name)
        self._fill()

    def move(self, by: int) -> None:
        """The selected section goes up or down, and stays selected."""
        names, there = self._names, self._place + by
        if self._selected is None or not 0 <= there < len(names):
            return
        names[self._place], names[there] = names[there], names[self._place]
        self._place = there
        self.act(names)

    def remove(self) -> None:
        """The next one is selected then."""
        names = self._names
        if self._selected is not None:
            del names[self._place]
            self._place = max(0, min(self._place, len(names) - 1))
            self.act(names)

    def insert(self) -> None:
        """The section that is chosen comes below the selected one."""
        names = self._names
        if self.new.index is None:
            return
        name = self._offered[self.new.index]
        self._place = min(self._place + 1, len(names))
        names.insert(self._place, _NEW_TEXT if name == _OWN else name)
        self.act(names)

    def restore(self) -> None:
        """Those that suit the data."""
        self.act(None)

    def _retitled(self, change: Any) -> None:
        name = self._selected
        if not self._quiet and name in SECTIONS:
            self._act("titles", {**self.builder.titles, cast("str", name): change.new})

    def _rewritten(self, change: Any) -> None:
        if not self._quiet and self._selected is not None:
            names = self._names
            names[self._place] = change.new
            self.act(names)

    # -------------------------------------------------------------------------- showing

    def refresh(self, state: State) -> None:
        """The sections, with the same one selected."""
        names = self._names
        self._place = max(0, min(self._place, len(names) - 1))
        self._fill()

    def _fill(self) -> None:
        names = self._names
        labels = tuple(f"{number}. {self._label(name)}" for number, name in enumerate(names, 1))
        self._quiet, self._listed = True, names
        try:
            if self.widget.options != labels:
                # in messages of their own: a list in a page that gets other options loses its
                # selection, and takes notice of an index only when that changes
                with self.widget.hold_sync():
                    self.widget.options = labels
                    self.widget.index = None
            self.widget.index = self._place if names else None
            self._fill_editor()
            self._fill_offers(names)
        finally:
            self._quiet = False

    def _label(self, name: str) -> str:
        if name not in SECTIONS:
            first = next(iter(name.strip().splitlines()), "").lstrip("#").strip()
            return f"text: {first}"
        title = self.builder.titles.get(name)
        return f"{name}: “{title}”" if title else f"{name}: {SECTIONS[name]}"

    def _fill_editor(self) -> None:
        """The text of one's own, or the title of another section."""
        name = self._selected
        own = name is not None and name not in SECTIONS
        _show(self.text, own)
        _show(self.title, name in SECTIONS)
        text = name if own else ""
        if self.text.value != text:
            self.text.value = text
        title = self.builder.titles.get(cast("str", name), "")
        if self.title.value != title:
            self.title.value = title

    def _fill_offers(self, names: list[str]) -> None:
        refused = {name: self.builder.why_not(name) for name in SECTIONS if name not in names}
        self._offered = (_OWN, *(name for name, reason in refused.items() if not reason))
        labels = tuple(
            f"{name}: {SECTIONS[name]}" if name in SECTIONS else name for name in self._offered
        )
        if self.new.options != labels:
            chosen = self.new.value
            self.new.options = labels
            self.new.index = labels.index(chosen) if chosen in labels else 0
        reasons = dict.fromkeys(filter(None, refused.values()))
        alike = {why: [name for name in refused if refused[name] == why] for why in reasons}
        told = [f"{', '.join(names)}: {why}" for why, names in alike.items()]
        self.say(f"Not available: {'; '.join(told)}." if told else "")


def _show(widget: Any, shown: bool) -> None:
    display = "" if shown else "none"
    if widget.layout.display != display:
        widget.layout.display = display
