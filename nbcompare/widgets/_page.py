"""What a builder needs of the page: keys, the order of what is done, news of the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from anywidget import AnyWidget
from traitlets import List, Unicode

GONE = "The kernel was restarted or has ended: run this cell again."
BUSY = "Waiting for the kernel, which is busy with another cell or a computation."


class Page(AnyWidget):
    """An element without content; its script looks after the builder that it stands in.

    Parameters
    ----------
    name : str
        What a screen reader calls the builder.
    steps : mapping of str to callable
        What the keys for ``undo`` and ``redo`` do.

    Attributes
    ----------
    parts : list of str
        The model of each widget whose changes arrive in the order in which they are made.
    """

    _esm = Path(__file__).with_name("page.js")
    name = Unicode().tag(sync=True)
    gone = Unicode(GONE).tag(sync=True)
    busy = Unicode(BUSY).tag(sync=True)
    parts: Any = List(Unicode()).tag(sync=True)

    def __init__(self, name: str, steps: Mapping[str, Callable[[], None]]) -> None:
        super().__init__(name=name)
        self._steps = dict(steps)
        self.layout.display = "none"
        self.on_msg(self._answer)

    def _answer(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """Tell the page that the kernel has handled everything up to its question."""
        if not isinstance(content, dict):
            return
        if isinstance(content.get("asked"), int):
            self.send({"heard": content["asked"]})
        if (act := self._steps.get(str(content.get("step")))) is not None:
            act()
