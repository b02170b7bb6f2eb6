"""Elements of a builder's page, tables and files among them: one widget shows them all.

They are plain objects. The page sees the attributes to which a class gives a type and a value;
what :attr:`Element.heard` names of these a person can change there. The page has a component for
each ``kind``.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import mimetypes
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from nbcompare._files import in_words, plain_name
from nbcompare._render import Notes, Part, Prose, Strong, Table

_numbers = itertools.count(1)


class Element:
    """Something on the page.

    Parameters
    ----------
    *classes : str
        By which the style knows it.
    act : callable, optional
        Told of what a person changed.
    **shown
        What the page sees, where it is other than at first.

    Attributes
    ----------
    id : str
        Its name in messages.
    is_shown : bool
        Whether it takes room.
    """

    kind: ClassVar[str] = "box"
    # what a person can change, and of which class that has to be
    heard: ClassVar[Mapping[str, Any]] = {}
    seen: ClassVar[tuple[str, ...]] = ()  # by the page
    is_shown: bool = True
    classes: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        cls.seen = tuple(
            name
            for kind in reversed(cls.__mro__[:-1])
            for name, of in kind.__annotations__.items()
            if name in vars(kind) and not of.startswith("ClassVar")
        )

    def __init__(
        self, *classes: str, act: Callable[[Any], None] = lambda _: None, **shown: Any
    ) -> None:
        self.id = f"e{next(_numbers)}"
        self.surface: Any = None  # the widget that shows it
        self.classes, self.act = classes, act
        vars(self).update(shown)

    def elements(self) -> Iterator[Element]:
        """Yield the element, and all that stand in it."""
        yield self

    def state(self) -> dict[str, Any]:
        """Return what the page shows."""
        return {"kind": self.kind, **{name: getattr(self, name) for name in self.seen}}

    def tell(self) -> None:
        """Let the page know what is other than before, here and elsewhere."""
        if self.surface is not None:
            self.surface.tell()

    def set_class(self, name: str, is_on: bool) -> None:
        """Give it a class, or take it away."""
        rest = tuple(one for one in self.classes if one != name)
        self.classes = (*rest, name) if is_on else rest

    def arrive(self, changes: Mapping[str, Any]) -> None:
        """Take what a person changed; a page may say anything."""
        for name, kind in self.heard.items():
            if isinstance(value := changes.get(name), kind) and name in changes:
                setattr(self, name, value)
                self.act(value)

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Take a message of the page, such as a click."""

    def send(self, message: dict[str, Any], buffers: Sequence[bytes] = ()) -> None:
        """Send a message to the page."""
        if self.surface is not None:
            self.surface.send({"to": self.id, "message": message}, list(buffers))

    def close(self) -> None:
        """End what it has under way; it goes with the page."""


class Box(Element):
    """Elements one after the other; how they stand is a matter of its classes."""

    def __init__(self, children: Sequence[Element] = (), *classes: str, **shown: Any) -> None:
        super().__init__(*classes, **shown)
        self.children = tuple(children)

    def elements(self) -> Iterator[Element]:
        """Yield the box, and all that stand in it."""
        yield self
        for child in self.children:
            yield from child.elements()

    def state(self) -> dict[str, Any]:
        """Return what the page shows, children by their names."""
        return {**super().state(), "children": [child.id for child in self.children]}

    def close(self) -> None:
        """Close what stands in it."""
        for child in self.children:
            child.close()


class Root(Box):
    """A builder on the page: it keeps its keys, and those for undo and redo are its own.

    Parameters
    ----------
    children : sequence of Element
        What stands in it.
    name : str
        What a screen reader calls it.
    steps : dict of str to callable
        What the keys for ``undo`` and ``redo`` do.
    """

    kind = "root"
    name: str = ""

    def __init__(
        self,
        children: Sequence[Element],
        *classes: str,
        name: str,
        steps: dict[str, Callable[[], None]],
    ) -> None:
        self._steps = steps
        super().__init__(children, *classes, name=name)

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Undo, or do again."""
        if (act := self._steps.get(str(message.get("step")))) is not None:
            act()


class Tabs(Box):
    """Children of which one is shown, by its title; ``index`` is its place."""

    kind = "tabs"
    titles: tuple[str, ...] = ()
    index: int = 0
    heard: ClassVar[Mapping[str, Any]] = {"index": int}


class Disclosure(Box):
    """A button that shows and hides what stands below it.

    ``remark`` stands in brackets behind its label; the page remembers under its ``key`` whether it
    is open.
    """

    kind = "disclosure"
    label: str = ""
    remark: str = ""
    is_open: bool = False
    key: str = ""
    heard: ClassVar[Mapping[str, Any]] = {"is_open": bool}


class Html(Element):
    """HTML of our own, in which every text is escaped."""

    kind = "html"
    value: str = ""

    def __init__(self, value: str = "", *classes: str) -> None:
        super().__init__(*classes, value=value)


class Status(Html):
    """A line of text that a screen reader reads when it changes."""

    kind = "status"


class Code(Element):
    """Python code that gives the result, and the ``call`` of the builder, with buttons to copy."""

    kind = "code"
    value: str = ""
    call: str = ""


class Button(Element):
    """A button; ``act`` is called at a click."""

    kind = "button"
    label: str = ""
    tooltip: str = ""
    is_disabled: bool = False

    def __init__(
        self, label: str, act: Callable[[], None], *classes: str, tooltip: str = ""
    ) -> None:
        super().__init__(*classes, act=lambda _: act(), label=label, tooltip=tooltip)

    def click(self) -> None:
        """Do what a click does."""
        if not self.is_disabled:
            self.act(None)

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Take a click."""
        self.click()


class Bar(Element):
    """How far something is, from 0 to 1; below 0 where nobody knows."""

    kind = "bar"
    value: float = -1.0


class Labelled(Element):
    """An element with a label, help behind a question mark, and lines below it.

    Of pairs of a word and a sentence in the help, the first is of the whole, and has no word.
    """

    label: str = ""
    help: Sequence[tuple[str, str]] = ()
    note: Sequence[str] = ()


class Field(Labelled):
    """A list of words, a number, a text, or a sentence that is only shown.

    Attributes
    ----------
    form : {"select", "number", "text", "area", "sentence"}
        What it is.
    options : tuple of str
        The words of a list, also those that are disabled.
    off : list of (int, str)
        The places of those, and why.
    index : int or None
        The place of the word that is chosen.
    value : object
        The number or text.
    step : float
        The amount by which an arrow key changes a number.
    ends : list of float
        The least and the largest number of a slider beside a number; empty without one.
    """

    kind = "field"
    form: str = "select"
    options: tuple[str, ...] = ()
    off: Sequence[tuple[int, str]] = ()
    index: int | None = None
    value: Any = ""
    placeholder: str = ""
    step: float = 0.01
    ends: Sequence[float] = ()
    heard: ClassVar[Mapping[str, Any]] = {"index": int, "value": object}

    @property
    def chosen(self) -> str | None:
        """The word that is chosen, as the list shows it."""
        place = self.index
        return None if place is None or place >= len(self.options) else self.options[place]


def at_places(words: Sequence[Any], places: Sequence[Any]) -> list[Any]:
    """Return the words at some places; a page may name places of a list of a moment ago."""
    return [words[it] for it in places if isinstance(it, int) and 0 <= it < len(words)]


Pair = tuple[str, str]


class LiveTable(Element):
    """Tables and notes of a result, complete.

    The page has all rows and shows those of a page; order, words that rows must contain and the
    page stay when other numbers come. A row that stands for an algorithm or a pair lights up with
    the figure.

    Parameters
    ----------
    on_pick : callable
        Told of a pair whose row was clicked.
    """

    kind = "tables"
    # one text: a list of ten thousand cells is slow to send
    content: str = "[]"
    selected: Sequence[str] = ()

    def __init__(self, on_pick: Callable[[Pair], None]) -> None:
        # with the marks by which MathJax looks for no formulas in names
        super().__init__("nbcompare-tables", "tex2jax_ignore", "mathjax_ignore")
        self._on_pick = on_pick

    def show(
        self, parts: Sequence[Part], names: Collection[str], selected: Pair | None, *, picks: bool
    ) -> None:
        """Show tables and notes of a result.

        Parameters
        ----------
        parts : sequence of Part
            Prose among them is left out.
        names : collection of str
            The algorithms: rows that begin with them stand for them.
        selected : tuple of str or None
            The pair that is looked at.
        picks : bool
            Whether another pair can be chosen.
        """
        known = frozenset(names)
        shown = [_block(part, known, picks) for part in parts if not isinstance(part, Prose)]
        self.content = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        self.selected = list(selected or ())

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Take a pair that the user clicked; a page may send anything."""
        pair = message.get("pick")
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(n, str) for n in pair):
            self._on_pick((pair[0], pair[1]))


def _block(part: Table | Notes, known: frozenset[str], picks: bool) -> dict[str, Any]:
    """Return a table or notes as the script takes them."""
    if isinstance(part, Notes):
        return {"texts": [note.text for note in part.notes]}
    pairs = [row[:2] for row in part.rows]
    n_names = next((n for n in (2, 1) if stands_for(known, part, n)), 0)
    is_matrix = n_names == 1 and len(part.columns) > 1
    is_matrix = is_matrix and all(column.header in known for column in part.columns[1:])
    return {
        "caption": part.caption,
        "remainder": part.remainder,
        "columns": [[column.header, column.number] for column in part.columns],
        "rows": part.rows,
        "strong": [
            [row, column]
            for row, cells in enumerate(part.rows)
            for column, cell in enumerate(cells)
            if isinstance(cell, Strong)
        ],
        "names": list(range(n_names)),
        "matrix": is_matrix,
        # the first of a pair may be the faster one: then (a, b) is not (b, a)
        "ordered": is_matrix or (n_names == 2 and not {p[::-1] for p in pairs}.isdisjoint(pairs)),
        "picks": picks and (is_matrix or n_names == 2),
    }


def stands_for(known: frozenset[str], table: Table, n: int) -> bool:
    """Return whether every row begins with so many names; of pairs, the last may be of all."""
    if len(table.columns) < n or not table.rows:
        return False
    *rows, last = table.rows
    of_all = n == 2 and bool(rows) and last[0] not in known and not last[1]
    return all(name in known for row in (rows if of_all else table.rows) for name in row[:n])


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
    label: str = "Upload a table"
    hint: str = "or drop a file here"
    accept: str = ""

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
            self._refuse(
                f"{plain} is not a table: its name must end in {', '.join(self._suffixes)}."
            )
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
    names: Sequence[str] = ()

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
        for name in at_places(self.names, [place]):
            try:
                content = self._files[name]()
            except OSError as error:
                self._say([str(in_words(error))])
                return
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            self.send({"name": name, "kind": kind}, [content])
