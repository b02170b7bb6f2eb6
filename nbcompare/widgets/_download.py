"""Buttons that hand out files that a builder has written, where no server gives away files."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from anywidget import AnyWidget
from traitlets import List, Unicode

_STYLE = """
.nbcompare-downloads { display: flex; flex-flow: row wrap; gap: 4px 8px; }
.nbcompare-downloads button { font: inherit; cursor: pointer; padding: 2px 10px; min-height: 28px;
  color: var(--jp-ui-font-color1, #212121); background: var(--jp-layout-color2, #eee);
  border: 1px solid var(--jp-border-color1, #9e9e9e); border-radius: 3px; }
"""


def is_needed() -> bool:
    """Return whether the page is one of Voilà, which cannot open files of the kernel's folder."""
    return "VOILA_REQUEST_URL" in os.environ


class Downloads(AnyWidget):
    """A button per file; it hands out these files and no others.

    Parameters
    ----------
    say : callable
        Told what is wrong, in sentences.
    """

    _esm = Path(__file__).with_name("download.js")
    _css = _STYLE
    names: Any = List(Unicode()).tag(sync=True)

    def __init__(self, say: Callable[[Sequence[str]], None]) -> None:
        super().__init__()
        self._say = say
        self._files: tuple[Path, ...] = ()
        self.on_msg(self._asked)

    def offer(self, files: Sequence[Path]) -> None:
        """Offer these files in the place of others."""
        self._files = tuple(files)
        self.names = [path.name for path in files]

    def _asked(self, _widget: Any, content: Any, _buffers: Any) -> None:
        place = content.get("place")
        if not isinstance(place, int) or not 0 <= place < len(self._files):
            return
        path = self._files[place]
        try:
            held = path.read_bytes()
        except OSError as error:
            self._say([f"{path.name} cannot be read any more: {error.strerror}."])
            return
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.send({"name": path.name, "kind": kind}, [held])
