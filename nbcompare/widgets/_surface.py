"""The widget that shows all elements of a builder: one connection, one script, one style."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Sequence
from typing import Any

from anywidget import AnyWidget
from traitlets import Any as Anything
from traitlets import Unicode

from nbcompare.widgets._elements import Element
from nbcompare.widgets._html import assets

# What pages of reports share with builders comes first
_SCRIPTS = ("pointing.js", "table_core.js")
_OWN = ("page.js", "fields.js", "figure.js", "table.js", "grid.js", "files.js", "surface.js")
_STYLES = ("tips.css", "surface.css", "figure.css", "table.css")


class Surface(AnyWidget):
    """A widget of which the page shows elements.

    Set :attr:`root` to what stands on it.
    """

    _esm = assets(_SCRIPTS, _OWN)
    _css = assets(("pointing.css",), _STYLES)
    # what a page that comes new is told: the states of all elements, by their names
    elements = Anything(None).tag(sync=True, to_json=lambda _, surface: surface.states())
    first = Unicode().tag(sync=True)  # the name of the root
    hiding = Unicode().tag(sync=True)  # style that hides the still view while this one lives

    def __init__(self, **traits: Any) -> None:
        self._root: Element | None = None
        self._elements: dict[str, Element] = {}  # that stand on it, by name
        self._known: dict[str, dict[str, Any]] = {}  # their states as the page has them
        self._is_hearing = False
        self._number = 0  # of the last news
        self._inbox: Inbox | None = None
        super().__init__(**traits)
        self.on_msg(self._hear)

    @property
    def root(self) -> Element | None:
        """What stands on it."""
        return self._root

    @root.setter
    def root(self, root: Element | None) -> None:
        self._root = root
        self._known = self.states()  # for which the page asks
        if root is not None:
            self.first = root.id

    def states(self) -> dict[str, dict[str, Any]]:
        """Return the states of all elements."""
        found = () if self._root is None else self._root.elements()
        self._elements = {element.id: element for element in found}
        for element in self._elements.values():
            element.surface = self
        return {name: element.state() for name, element in self._elements.items()}

    def handle_here(self) -> None:
        """Have messages of the page handled in this thread, in its loop if it has one."""
        try:
            self._inbox = Inbox(asyncio.get_running_loop())
        except RuntimeError:  # nobody to give them to
            self._inbox = None

    def rest(self) -> None:
        """Do what can wait until nobody does anything more."""

    # -------------------------------------------------------------------------- to the page

    def tell(self) -> None:
        """Tell the page of all that is other than it knows, as one; after a message, at its end."""
        if self.comm is None or self._is_hearing:
            return
        before, self._known = self._known, self.states()
        news = {}
        for name, state in self._known.items():
            there = before.get(name, {})
            changed = {it: new for it, new in state.items() if it not in there or new != there[it]}
            if changed:
                news[name] = changed
        if news:
            self._number += 1
            gone = [name for name in before if name not in self._known]
            self.send({"patch": news, "number": self._number, "gone": gone})

    # ------------------------------------------------------------------------ from the page

    def _hear(self, _widget: Any, content: Any, buffers: Any) -> None:
        if not isinstance(content, dict):
            return
        if self._inbox is None:
            self._handle(content, buffers or ())
        else:
            self._inbox.take(
                content.get("page"), content.get("number"), self._handle, content, buffers or ()
            )

    def _handle(self, content: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Take what the page says, and tell it that everything up to here is done."""
        if "patched" in content and content["patched"] != self._number:  # it has come late
            self._known = self.states()
            self.send({"patch": self._known, "number": self._number})
        if content.get("rest"):  # the page is hidden, or saved
            self.rest()
        element = self._elements.get(str(content.get("from")))
        self._is_hearing = True
        try:
            if element is not None:
                if isinstance(changes := content.get("set"), dict):
                    said = {name: changes[name] for name in element.heard if name in changes}
                    self._known[element.id] = {**self._known[element.id], **said}
                    element.arrive(said)
                if isinstance(message := content.get("message"), dict):
                    element.hear(message, buffers)
        finally:
            self._is_hearing = False
            self.tell()
            self.send({"heard": content.get("number"), "page": content.get("page")})


class Inbox:
    """Messages of pages on their way to the thread that made this, in the order of their numbers.

    JupyterLab sends what a person does to a second thread of the kernel as soon as that has one,
    and to the first before. Neither widgets nor figures are made for that, and a button would act
    before the choice that was made before it. While a cell runs here, messages wait for its end.

    Parameters
    ----------
    loop : asyncio.AbstractEventLoop
        The loop of this thread.
    """

    _PATIENCE = 2.0  # seconds for a message that another one has overtaken

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._thread = loop, threading.get_ident()
        self._next: dict[Any, int] = {}  # the number that comes next, by page
        self._early: dict[Any, dict[int, Any]] = {}

    def take(self, page: Any, number: Any, handle: Any, content: Any, buffers: Any) -> None:
        """Handle a message here, after those of its page that were sent before it."""
        # answers name the message that they answer, which the context holds
        run = contextvars.copy_context().run
        act = (run, handle, content, buffers)
        if threading.get_ident() == self._thread:
            self._sort(page, number, act)
        else:
            self._loop.call_soon_threadsafe(self._sort, page, number, act)

    def _sort(self, page: Any, number: Any, act: Any) -> None:
        if not isinstance(number, int):
            self._do(act)
            return
        self._early.setdefault(page, {})[number] = act
        self._go_on(page)
        if self._early[page]:  # it waits for one that may be lost
            self._loop.call_later(self._PATIENCE, self._give_up, page, number)

    def _go_on(self, page: Any) -> None:
        early = self._early[page]
        while early:
            expected = self._next.setdefault(page, 1)
            number = min(early)
            if number > expected:
                return
            self._next[page] = max(expected, number + 1)
            self._do(early.pop(number))

    def _give_up(self, page: Any, number: int) -> None:
        if number in self._early[page]:
            self._next[page] = min(self._early[page])
            self._go_on(page)

    def _do(self, act: Any) -> None:
        """Handle a message; an error ends only that."""
        run, *arguments = act
        try:
            run(*arguments)
        except Exception as error:
            message = "a message of the page was not handled"
            self._loop.call_exception_handler({"message": message, "exception": error})
