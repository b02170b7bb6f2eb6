"""Files on their way from and to the reader's machine, over the connection of the builder."""

from __future__ import annotations

import base64
import contextlib
import mimetypes
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from traitlets import List, Unicode

from nbcompare._files import plain_name
from nbcompare.widgets._elements import Element

MOST_BYTES = 2**30  # of a file; a larger one is better read from the disk
_FOLDER = ("nbcompare-", ".upload")


class Upload(Element):
    """A field that takes one file after the other; a file comes in parts, so that it may be large.

    Parameters
    ----------
    done : callable
        Told of the copy of a file that has come in full; it is there until the next one comes.
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
        # of the file that has come, which is there until the next one has, and of that
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._coming: tempfile.TemporaryDirectory[str] | None = None
        self._open: BinaryIO | None = None
        self._path = Path()
        self._number = self._size = 0

    def close(self) -> None:
        """Forget the file that has come."""
        self._stop()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

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
            self._coming = tempfile.TemporaryDirectory(prefix=_FOLDER[0], suffix=_FOLDER[1])
            self._path = Path(self._coming.name) / plain
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
        self._open = None
        before, self._folder, self._coming = self._folder, self._coming, None
        self._answer("done", text=f"{self._path.name} is here ({_size(there)}).")
        self._done(self._path)
        if before is not None:
            before.cleanup()

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
            self._coming.cleanup()
            self._coming = None


def _size(n_bytes: int) -> str:
    """Return a number of bytes as people read it."""
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= one:
            return f"{n_bytes / one:.3g} {unit}"
    return f"{n_bytes} bytes"


class Downloads(Element):
    """A button per file; it hands out these files and no others.

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
        self._files: tuple[Path, ...] = ()

    def offer(self, files: Sequence[Path]) -> None:
        """Offer these files in the place of others."""
        self._files = tuple(files)
        self.names = [path.name for path in files]

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Hand out a file."""
        place = message.get("place")
        if not isinstance(place, int) or not 0 <= place < len(self._files):
            return
        path = self._files[place]
        try:
            content = path.read_bytes()
        except OSError as error:
            self._say([f"{path.name} cannot be read any more: {error.strerror}."])
            return
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.send({"name": path.name, "kind": kind}, [content])
