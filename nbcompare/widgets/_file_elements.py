"""Files on their way from and to the reader's machine, over the connection of the builder."""

from __future__ import annotations

import base64
import contextlib
import mimetypes
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from traitlets import List, Unicode

from nbcompare._files import in_words, plain_name
from nbcompare.widgets._elements import Element, at_places

MOST_BYTES = 2**30  # of a file; a larger one is better read from the disk


def scratch() -> Path:
    """Return a new folder for a table that is in no file here."""
    return Path(tempfile.mkdtemp(prefix="nbcompare-", suffix=".upload"))


class Upload(Element):
    """A field that takes one file after the other; a file comes in parts, so that it may be large.

    Parameters
    ----------
    done : callable
        Told of the copy of a file that has come in full, in a folder that it has to take away.
    suffixes : sequence of str
        What names of files end in.
    most : int
        Bytes that a file may have.
    """

    kind = "upload"
    label = Unicode("Upload a table").tag(sync=True)
    hint = Unicode("or drop a file here").tag(sync=True)
    accept = Unicode().tag(sync=True)

    def __init__(
        self, done: Callable[[Path], None], suffixes: Sequence[str], most: int = MOST_BYTES
    ) -> None:
        super().__init__(accept=",".join(suffixes))
        self._done, self._suffixes, self._most = done, tuple(suffixes), most
        self._coming: Path | None = None  # the folder of what has come in part
        self._open: BinaryIO | None = None
        self._path = Path()
        self._number = self._size = 0

    def close(self) -> None:
        """Forget a file that has come in part."""
        self._stop()

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Take what the page says; what belongs to an older file is left alone."""
        kind = message.get("kind")
        try:
            if kind == "begin":
                self._begin(str(message["name"]), int(message["size"]), int(message["number"]))
            elif kind == "part" and message["number"] == self._number and self._open is not None:
                self._take(base64.b64decode(str(message["text"])), int(message["offset"]))
        except OSError as error:
            self._refuse(f"{self._path.name} cannot be stored here: {error.strerror or error}.")

    def _begin(self, name: str, size: int, number: int) -> None:
        self._number, self._size = number, size
        # whatever the page calls it, it is a name in our folder
        plain = plain_name(name) or "table.csv"
        if not plain.lower().endswith(self._suffixes):
            self._refuse(f"{plain} is no table: its name must end in {', '.join(self._suffixes)}.")
        elif size > self._most:
            self._refuse(
                f"{plain} has {_size(size)}, and at most {_size(self._most)} can be uploaded. "
                "Copy it to the folder and choose it there; it is then read from the disk."
            )
        elif not size:
            self._refuse(f"{plain} is empty.")
        else:
            self._stop()
            self._coming = scratch()
            self._path = self._coming / plain
            self._open = self._path.open("wb")
            self._answer("next", offset=0)

    def _take(self, part: bytes, offset: int) -> None:
        if self._open is None or offset != self._open.tell() or not part:
            return
        self._open.write(part)
        there = self._open.tell()
        if there < self._size:
            self._answer("next", offset=there)
            return
        self._open.close()
        self._open = self._coming = None
        self._answer("done", text=f"{self._path.name} is here ({_size(there)}).")
        self._done(self._path)

    def _refuse(self, text: str) -> None:
        self._stop()
        self._answer("refused", text=text)

    def _answer(self, kind: str, **more: Any) -> None:
        self.send({"kind": kind, "number": self._number, **more})

    def _stop(self) -> None:
        """Drop a file that has come in part."""
        if self._open is not None:
            with contextlib.suppress(OSError):  # what could not be written is not wanted
                self._open.close()
            self._open = None
        if self._coming is not None:
            shutil.rmtree(self._coming, ignore_errors=True)
            self._coming = None


def _size(n_bytes: int) -> str:
    """Return a number of bytes as people read it."""
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= one:
            return f"{n_bytes / one:.3g} {unit}"
    return f"{n_bytes} bytes"


class Downloads(Element):
    """A button per file, which is read or made at a click; it hands out these and no others.

    Parameters
    ----------
    say : callable
        Told what is wrong, in sentences.
    """

    kind = "downloads"
    names: Any = List(Unicode()).tag(sync=True)

    def __init__(self, say: Callable[[Sequence[str]], None]) -> None:
        super().__init__()
        self._say = say
        self._files: Mapping[str, Callable[[], bytes]] = {}

    def offer(self, files: Mapping[str, Callable[[], bytes]]) -> None:
        """Offer these files in the place of others, by name."""
        self._files, self.names = files, list(files)

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Hand out a file."""
        place = message.get("place")
        for name in at_places(self.names, [place] if isinstance(place, int) else []):
            try:
                content = self._files[name]()
            except OSError as error:
                self._say([str(in_words(error))])
                return
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            self.send({"name": name, "kind": kind}, [content])
