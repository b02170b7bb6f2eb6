"""The row of a screen that goes through its settings: undo, redo, recommended, files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ipywidgets as ipw

from nbcompare._render import html

_ENDING = ".json"


class HistoryRow:
    """Buttons that set many settings at once, and a field for the file that keeps them.

    Parameters
    ----------
    builder : Builder
        Its settings are set.
    advises : bool
        Whether a design can be recommended.
    """

    def __init__(self, builder: Any, *, advises: bool) -> None:
        self._builder = builder
        self.undo = _button("Undo", "", self._undo)
        self.redo = _button("Redo", "", self._redo)
        self.name = ipw.Text(
            value=f"settings{_ENDING}",
            description="Settings file",
            tooltip="A file beside the notebook",
            layout=ipw.Layout(width="auto"),
            style={"description_width": "initial"},
        )
        self.save = _button("Save settings", "Write the settings to the file", self._save)
        self.load = _button("Load settings", "Set what the file says", self._load)
        self.toggle = ipw.ToggleButton(
            description="Save or load settings",
            tooltip="Keep the settings in a file",
            layout=ipw.Layout(width="auto"),
        )
        hidden = ipw.Layout(display="none", flex_flow="row wrap", align_items="center")
        self.files = ipw.Box([self.name, self.save, self.load], layout=hidden)
        self.toggle.observe(
            lambda change: setattr(hidden, "display", "flex" if change.new else "none"), "value"
        )
        self.told = ipw.HTML()
        steps = [self.undo, self.redo]
        if advises:
            told = "Set the design that is recommended for these data"
            self.advised = _button("Recommended", told, self._advise)
            steps.append(self.advised)
        layout = ipw.Layout(display="flex", flex_flow="row wrap", align_items="center")
        self.box = ipw.Box([*steps, self.toggle, self.files, self.told], layout=layout)
        self.box.add_class("nbcompare-history")
        self.refresh()

    def keys(self) -> dict[str, Callable[[], None]]:
        """Return what the keys for undo and redo do."""
        return {"undo": self._undo, "redo": self._redo}

    def refresh(self) -> None:
        """Enable the buttons that have something to do, and say what."""
        steps = self._builder.steps
        for button, what, keys in (
            (self.undo, steps.to_undo(), "Ctrl+Z"),
            (self.redo, steps.to_redo(), "Ctrl+Shift+Z"),
        ):
            tooltip = f"{button.description}: {what or 'nothing'} ({keys})"
            if button.tooltip != tooltip:
                button.disabled, button.tooltip = not what, tooltip

    def say(self, text: str = "") -> None:
        """Say beside the buttons what came of it."""
        shown = f'<span role="status">{html.escape(text)}</span>' if text else ""
        if self.told.value != shown:
            self.told.value = shown

    def _undo(self) -> None:
        self.say()
        self._builder.undo()

    def _redo(self) -> None:
        self.say()
        self._builder.redo()

    def _advise(self) -> None:
        self._try(self._builder.use_recommended, "")

    def _save(self) -> None:
        self._try(self._save_to, "Not saved: ")

    def _save_to(self) -> None:
        self.say(f"Saved as {self._builder.save_preset(self._path())}.")

    def _load(self) -> None:
        self._try(lambda: self._builder.load_preset(self._path()), "Not loaded: ")

    def _path(self) -> Path:
        name = self.name.value.strip()
        if not name:
            raise ValueError("give the file a name.")
        return Path(name if name.lower().endswith(_ENDING) else name + _ENDING)

    def _try(self, action: Callable[[], None], what: str) -> None:
        self.say()
        try:
            action()
        except (OSError, ValueError) as error:
            self.say(f"{what}{error}")


def _button(label: str, tooltip: str, act: Callable[[], None]) -> Any:
    # without an icon, whose letter would be a part of its name
    button = ipw.Button(description=label, tooltip=tooltip, layout=ipw.Layout(width="auto"))
    button.on_click(lambda _: act())
    return button
