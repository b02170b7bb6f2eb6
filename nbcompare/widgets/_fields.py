"""Widgets of controls, with a part in the page: fields, names to tick, and what opens the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

_HERE = Path(__file__).parent


def _source(name: str) -> str:
    """Return a script with what all of them share before it."""
    return "\n".join((_HERE / file).read_text(encoding="utf-8") for file in ("help.js", name))


class _Labelled(anywidget.AnyWidget):
    """A widget with a label, help behind a question mark, and lines below it."""

    _css = (_HERE / "controls.css").read_text(encoding="utf-8")

    label = traitlets.Unicode().tag(sync=True)
    # pairs of a word and a sentence; the first is of the whole, and has no word
    help: Any = traitlets.List().tag(sync=True)
    note: Any = traitlets.List(traitlets.Unicode()).tag(sync=True)


class Field(_Labelled):
    """A list of words, a number, a text, or a sentence that is only shown.

    Attributes
    ----------
    kind : {"select", "number", "text", "area", "checks", "told"}
        What it is.
    options : tuple of str
        The words of a list, also those that are disabled.
    off : list of (int, str)
        The places of those, and why.
    index : int or None
        The place of the word that is chosen.
    ticked : list of int
        The places of the words that are ticked.
    value : object
        The number or text.
    rows : int
        The lines of a list that stands open, or of a large field for text.
    """

    _esm = _source("field.js")

    kind = traitlets.Unicode("select").tag(sync=True)
    options: Any = traitlets.Tuple().tag(sync=True)
    off: Any = traitlets.List().tag(sync=True)
    index = traitlets.Int(None, allow_none=True).tag(sync=True)
    ticked: Any = traitlets.List(traitlets.Int()).tag(sync=True)
    value: Any = traitlets.Any("").tag(sync=True)
    rows = traitlets.Int(1).tag(sync=True)
    placeholder = traitlets.Unicode().tag(sync=True)
    step = traitlets.Float(0.01).tag(sync=True)

    @property
    def chosen(self) -> str | None:
        """The word that is chosen, as the list shows it."""
        return None if self.index is None else self.options[self.index]


class CheckList(_Labelled):
    """Names to tick, behind a button that says how many are ticked.

    Attributes
    ----------
    names : list of str
        All names, in their order.
    chosen : list of int
        The places of those that are ticked.
    groups : list of (str, list of int)
        Groups of names, each of which one click takes.
    least : int
        How many have to be ticked; with fewer, the page says so and nothing changes.
    noun : str
        What the names are, such as "algorithms".
    told : str
        The text of the button.
    label_shown : bool
        Whether the label stands above the button.
    """

    _esm = _source("checklist.js")

    names: Any = traitlets.List(traitlets.Unicode()).tag(sync=True)
    chosen: Any = traitlets.List(traitlets.Int()).tag(sync=True)
    groups: Any = traitlets.List().tag(sync=True)
    least = traitlets.Int(1).tag(sync=True)
    noun = traitlets.Unicode().tag(sync=True)
    told = traitlets.Unicode().tag(sync=True)
    label_shown = traitlets.Bool(True).tag(sync=True)


class More(_Labelled):
    """A button that shows and hides the child of the class ``nbcompare-more`` of a builder.

    Attributes
    ----------
    told : str
        What stands in brackets behind the label.
    opened : bool
        Whether the rest is shown.
    key : str
        What the page remembers it under.
    """

    _esm = _source("more.js")

    told = traitlets.Unicode().tag(sync=True)
    opened = traitlets.Bool(False).tag(sync=True)
    key = traitlets.Unicode().tag(sync=True)
