"""The server of the app: one page for one reader on this machine, with a token.

The page holds a ``DataBuilder`` of one project, which lives in this process; what the page says
and is told goes through a web socket, and no request can run code. A page that is loaded again, or
opened elsewhere, goes on with the builder in the place of the one before. What was set is in the
file of the project.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import itertools
import json
import logging
import os
import secrets
import shlex
import signal
import string
import tempfile
import webbrowser
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import comm
from comm.base_comm import BaseComm
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from nbcompare._files import PROJECT, in_words, scratch_folder, write_whole
from nbcompare._validation import clean_label
from nbcompare.cli._surroundings import complain, say
from nbcompare.project import Example, File, open_project
from nbcompare.widgets import DataBuilder

_HOST = "127.0.0.1"
_FILES = Path(__file__).with_name("app")
_KINDS = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
_STATE = ("elements", "first", "hiding")  # of the builder, which a page begins with
_REPLACED = 4000  # code of a connection that ends for another one
_LONGEST = 2**27  # bytes of a message: a table that is pasted may be long
# The preview of a report is a page by itself in a frame, with scripts in it, but nothing else
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src data:; connect-src 'self' ws://{place}; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class _Comm(BaseComm):  # type: ignore[misc, unused-ignore]
    """The connection of a widget, to the page that shows it."""

    page: _Socket | None = None

    def publish_msg(
        self, msg_type: str, data: Any = None, *_: Any, buffers: Any = None, **__: Any
    ) -> None:
        """Send what the widget says to the page."""
        if self.page is not None and msg_type == "comm_msg":
            self.page.say(data, buffers or ())


class _OfReader(RequestHandler):
    """What only the reader who knows the token is answered, under the name of this machine."""

    def prepare(self) -> None:
        """Refuse everybody else; a cookie stands for the token, which leaves the address."""
        token, place = self.settings["token"], self.settings["place"]
        own = f"http://{place}"
        # a page of another site, or one whose name leads here
        if self.request.host != place or self.request.headers.get("Origin", own) != own:
            raise HTTPError(403)
        name = f"nbcompare-{place.rpartition(':')[2]}"
        given = self.get_query_argument("token", None)
        if hmac.compare_digest((given or self.get_cookie(name) or "").encode(), token.encode()):
            if given is not None:
                self.set_cookie(name, token, httponly=True, samesite="Lax")
                self.redirect("/")
            return
        raise HTTPError(403)

    def set_default_headers(self) -> None:
        """Forbid the page to ask anybody else, and others to show it."""
        policy = _POLICY.format(place=self.settings["place"])
        self.set_header("Content-Security-Policy", policy)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-cache")


class _Nothing(_OfReader):
    """Any other address."""

    def get(self) -> None:
        """Say that there is nothing."""
        raise HTTPError(404)


class _Text(_OfReader):
    """One of the few files of the page."""

    def initialize(self, kind: str, text: str) -> None:
        """Keep what is to be sent."""
        self._kind, self._text = kind, text

    def get(self) -> None:
        """Send it."""
        self.set_header("Content-Type", f"{self._kind}; charset=utf-8")
        self.finish(self._text)


class _Socket(_OfReader, WebSocketHandler):
    """The connection of a page with the builder."""

    def initialize(self, comm: _Comm, builder: DataBuilder) -> None:
        """Keep what the page shows."""
        self._comm, self._builder = comm, builder

    def open(self, *_: str, **__: str) -> None:
        """Tell a page that has come all there is; the one before is told to stop."""
        if self._comm.page is not None:
            self._comm.page.close(_REPLACED)
        self._comm.page = self
        self.say({"method": "update", "state": self._builder.get_state(_STATE)})

    def say(self, message: dict[str, Any], buffers: Any = ()) -> None:
        """Send a message to the page, and bytes after it."""
        whole: str | bytes = json.dumps({**message, "n_buffers": len(buffers)})
        with contextlib.suppress(WebSocketClosedError):
            for one in [whole, *map(bytes, buffers)]:
                sending = self.write_message(one, binary=isinstance(one, bytes))
                sending.add_done_callback(asyncio.Future.exception)  # the page has just gone

    def on_message(self, message: str | bytes) -> None:
        """Hand on what the page says."""
        if self._comm.page is self:
            self._comm.handle_msg({"content": {"data": json.loads(message)}, "buffers": []})

    def on_close(self) -> None:
        """Forget the page."""
        if self._comm.page is self:
            self._comm.page = None


def serve(file: Path | None, project: Path | None, *, port: int, browser: bool, theme: str) -> None:
    """Serve the page until an interrupt comes.

    Parameters
    ----------
    file : Path, optional
        The table to begin with.
    project : Path, optional
        The project to go on with. Without it, what is set on the page is in a private folder;
        in the end it is moved to a file of its own in the working folder.
    port : int
        The port; 0 for any that is free.
    browser : bool
        Whether a browser is opened.
    theme : {"light", "dark"}
        Colours of the page.
    """
    try:
        sockets = bind_sockets(port, _HOST)
    except OSError as error:
        raise in_words(error, f"cannot use port {port}", "choose another one with --port") from None
    place = f"{_HOST}:{sockets[0].getsockname()[1]}"
    token = secrets.token_urlsafe(32)
    logging.getLogger("tornado").setLevel(logging.CRITICAL)  # an address may hold the token
    with scratch_folder() as folder, _temporary_files_in(folder):
        kept = folder / f"project{PROJECT}" if project is None else project.resolve()
        address = f"http://{place}/?token={token}"

        async def run() -> None:
            builder = DataBuilder(file, project=kept)
            comm.create_comm = _Comm
            builder.open()
            try:
                settings = {"place": place, "token": token, "theme": theme}
                server = HTTPServer(_application(builder, settings))
                server.add_sockets(sockets)
                say(f"nbcompare runs at\n\n    {address}\n\nPress Ctrl-C here to end it.\n")
                if browser:
                    _open(folder, address)
                await _until_asked()
                server.stop()
            finally:
                builder.close()  # which writes the project

        asyncio.run(run())
        if project is None and kept.exists():
            _keep(kept)


def _application(builder: DataBuilder, settings: dict[str, Any]) -> Application:
    """Return what answers: the page, its scripts and styles, and its connection."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in _FILES.iterdir()}
    texts[""] = string.Template(texts.pop("index.html")).substitute(
        theme=settings["theme"],
        is_light=str(settings["theme"] == "light").lower(),
        folder=escape(clean_label(Path.cwd())),
    )
    texts |= {"builder.js": str(builder._esm), "builder.css": str(builder._css)}  # noqa: SLF001
    of_page = {"comm": builder.comm, "builder": builder}
    handlers: list[Any] = [("/socket", _Socket, of_page)]
    for name, text in texts.items():
        kind = _KINDS.get(Path(name).suffix, "text/html")
        handlers.append((f"/{name}", _Text, {"kind": kind, "text": text}))
    return Application(
        handlers,
        default_handler_class=_Nothing,
        log_function=lambda _: None,
        compress_response=True,
        websocket_max_message_size=_LONGEST,
        websocket_ping_interval=30,
        **settings,
    )


def _keep(kept: Path) -> None:
    """Move a project that has no name yet to the working folder, beside those already in it."""
    try:
        stem = "study"
        given = open_project(kept).given.get("experiment")
        if isinstance(given, File | Example):
            stem = given.name.partition(".")[0] or stem
        names = (f"{stem}{'' if n == 1 else f'-{n}'}{PROJECT}" for n in itertools.count(1))
        target = next(path for name in names if not (path := Path(name)).exists())
        write_whole(target, kept.read_bytes())
        say(f"What you did is in {target}. Go on with: nbcompare app {shlex.quote(str(target))}\n")
    except (OSError, ValueError) as error:
        complain(f"what you did is not kept: {error}")


@contextlib.contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """Have files that are uploaded, here and in processes of ours, go with the folder."""
    before = os.environ.get("TMPDIR"), tempfile.tempdir
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    os.environ["NBCOMPARE_APP"] = "1"
    try:
        yield
    finally:
        os.environ.pop("NBCOMPARE_APP")
        os.environ.pop("TMPDIR")
        if before[0] is not None:
            os.environ["TMPDIR"] = before[0]
        tempfile.tempdir = before[1]


def _open(folder: Path, address: str) -> None:
    """Open a browser by a private file: others can read the arguments of a program."""
    page = folder / "open.html"
    page.touch(mode=0o600)
    page.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" '
        f'content="0; url={address}"><title>nbcompare</title>',
        encoding="utf-8",
        newline="",
    )
    with contextlib.suppress(webbrowser.Error):  # the address is printed
        webbrowser.open(page.as_uri())


async def _until_asked() -> None:
    """Wait until the process is asked to end; then it does, whoever asks again."""
    loop, asked = asyncio.get_running_loop(), asyncio.Event()
    numbers = (signal.SIGINT, signal.SIGTERM) if os.name == "posix" else ()
    for number in numbers:
        loop.add_signal_handler(number, asked.set)
    with contextlib.suppress(asyncio.CancelledError):  # what an interrupt is elsewhere
        await asked.wait()
    for number in numbers:
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_IGN)
