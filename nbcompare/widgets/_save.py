"""A row to save the figure as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import ipywidgets as ipw

from nbcompare import plots
from nbcompare._render import html
from nbcompare.plots._save import SUFFIXES

if TYPE_CHECKING:
    from nbcompare.widgets._builder import Builder

_FORMATS = tuple(suffix.removeprefix(".") for suffix in SUFFIXES)


class SaveRow:
    """A name, a format and a button; what came of it is told beside them."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        narrow = {"layout": ipw.Layout(width="auto"), "style": {"description_width": "initial"}}
        self.name = ipw.Text(description="Save figure as", tooltip="Name of the file", **narrow)
        self.format = ipw.Dropdown(
            options=_FORMATS, description="Format", tooltip="SVG and PDF stay sharp", **narrow
        )
        self.button = ipw.Button(
            description="Save", tooltip="Write the figure to the file", layout=narrow["layout"]
        )
        self.button.on_click(lambda _: self.write())
        self.told = ipw.HTML()
        layout = ipw.Layout(display="flex", flex_flow="row wrap", align_items="center")
        self.box = ipw.Box([self.name, self.format, self.button, self.told], layout=layout)
        self._suggested = ""

    def suggest(self) -> None:
        """A name after the view, unless a person wrote one."""
        name = self._builder._views[self._builder._drawn_view()].draw.__name__
        if self.name.value in ("", self._suggested) and self.name.value != name:
            self.name.value = name
        self._suggested = name

    def write(self) -> None:
        """Save the figure; a mistake is a sentence."""
        ending = f".{self.format.value}"
        name = self.name.value.strip()
        path = Path(name if name.lower().endswith(ending) else name + ending)
        try:
            if not name:
                raise ValueError("Give the file a name.")
            plots.save(self._builder.figure, path)
            text = f"Saved as {path}."
        except (OSError, ValueError) as error:
            text = f"Not saved: {error}"
        self.told.value = f'<span role="status">{html.escape(text)}</span>'
