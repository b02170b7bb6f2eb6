"""The server of the app: Voilà, for one reader on this machine, with a token.

It serves one page, which holds a ``DataBuilder`` of one project; the code of that page is made
here, and no request can run another one. A page has a kernel, which ends when the page goes, or
when the next one comes: what was set is in the file of the project by then. Everything that is
needed on the way (sockets, uploads, the notebook) is in one private folder, which is gone
afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import secrets
import shlex
import signal
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_core.utils import ensure_async, run_sync
from jupyter_server.auth.identity import IdentityProvider
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets
from tornado.web import HTTPError, authenticated
from traitlets.config import Config
from voila.app import Voila
from voila.tornado.handler import TornadoVoilaHandler

from nbcompare._files import PROJECT, in_words, scratch_folder, write_whole
from nbcompare._validation import clean_label
from nbcompare.cli._surroundings import complain, say
from nbcompare.project import Example, File, open_project

_HOST = "127.0.0.1"
_DATA = Path(__file__).with_name("app")  # what Jupyter looks for in its own folders: the template
_TEMPLATE = "nbcompare"
_NAME = "nbcompare"
# Widgets alone: other extensions of JupyterLab may ask other servers for something
_EXTENSIONS = [
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
]
# Handlers of Voilà that give away files; what is written is handed out by the kernel
_UNWANTED = ("/voila/files/", "/voila/tree", "/voila/render/", "/voila/api/contents")
# Without a debugger, which nobody needs here, and whose import takes long. A kernel that ends is
# interrupted first, which is no error.
_LAUNCH = (
    "import logging, sys; sys.modules['debugpy'] = None; "
    "logging.getLogger('IPKernelApp').addFilter("
    "lambda record: not str(record.msg).startswith('KeyboardInterrupt')); "
    "from ipykernel.kernelapp import launch_new_instance; launch_new_instance()"
)
_IDLE = 1800  # seconds after which a kernel ends that no page is connected to
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' blob: data:; "
    "style-src 'self' 'unsafe-inline' blob: data:; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self' ws://{place} data: blob:; "
    "frame-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)


class _OwnKernel(KernelSpecManager):  # type: ignore[misc, unused-ignore]
    """The running Python as the only kernel, which imports nothing from the working folder."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:  # noqa: ARG002
        """Return how it is started, whatever the name."""
        arguments = ("--InteractiveShellApp.ignore_cwd=True", "--HistoryManager.enabled=False")
        return KernelSpec(
            argv=[
                *(sys.executable, "-P", "-c", _LAUNCH, "-f", "{connection_file}"),
                *arguments,
            ],
            display_name="Python",
            language="python",
            env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )

    def get_all_specs(self) -> dict[str, Any]:
        """Return it, by name."""
        spec = self.get_kernel_spec("python3").to_dict()
        return {"python3": {"resource_dir": "", "spec": spec}}

    def find_kernel_specs(self) -> dict[str, str]:
        """Return its name."""
        return {"python3": ""}


class _Page(TornadoVoilaHandler):  # type: ignore[misc, unused-ignore]
    """The page, at an address without the token, for which a cookie stands."""

    @authenticated  # type: ignore[untyped-decorator, unused-ignore]
    async def get(self, path: str | None = None) -> None:
        """Send the page, with a new kernel in the place of the one before."""
        _ = self.xsrf_token  # this sets the cookie that a page needs to end its kernel
        if self.get_query_argument("token", None) is not None:
            self.redirect(self.base_url)
            return
        if not path:
            await self._end_kernels()
        await super().get(path)

    async def _end_kernels(self) -> None:
        """End the kernels of pages before; each writes its project first."""
        for kernel in [*self.kernel_manager.list_kernel_ids()]:
            with contextlib.suppress(HTTPError, KeyError, RuntimeError):  # it has just ended
                await ensure_async(self.kernel_manager.shutdown_kernel(kernel))


class App(Voila):  # type: ignore[misc, unused-ignore]
    """Voilà with one page, on sockets that are open already."""

    def init_handlers(self) -> list[Any]:
        """Return the handlers, but for those that give away files; that of the page is ours."""
        handlers: list[Any] = super().init_handlers()
        ours = [
            (each[0], _Page, *each[2:]) if each[1] is TornadoVoilaHandler else each
            for each in handlers
        ]
        return [each for each in ours if not each[0].startswith(_UNWANTED)]

    def listen(self) -> None:
        """Do nothing: :func:`serve` does."""

    def stop(self) -> None:
        """End the kernels, which write their project."""
        run_sync(self.kernel_manager.shutdown_all)()


def serve(file: Path | None, project: Path | None, *, port: int, browser: bool, theme: str) -> None:
    """Serve the page until an interrupt comes.

    Parameters
    ----------
    file : Path, optional
        The table to begin with.
    project : Path, optional
        The project to go on with. Without it, what is set on the page is in the private folder;
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
    for name in ("tornado", "Voila", "asyncio"):  # a request's address may hold the token
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with scratch_folder(short=True) as folder, _environment(folder):
        kept = folder / f"project{PROJECT}" if project is None else project.resolve()
        app = App(config=_config(folder, _call(file, kept), place, token, theme))
        app.initialize([])
        app.start()
        server = HTTPServer(app.app)
        server.add_sockets(sockets)
        address = f"http://{place}/?token={token}"
        say(f"nbcompare runs at\n\n    {address}\n\nPress Ctrl-C here to end it.\n")
        if browser:
            _open(folder, address)
        try:
            _until_asked()
        finally:
            server.stop()
            with contextlib.suppress(Exception):  # what is left goes with the process
                app.stop()
            if project is None and kept.exists():
                _keep(kept)


def _call(file: Path | None, project: Path) -> str:
    """Return the code of the page."""
    table = [] if file is None else [repr(str(file.resolve()))]
    return f"nbc.DataBuilder({', '.join([*table, f'project={str(project)!r}'])})"


def _keep(kept: Path) -> None:
    """Move a project that has no name yet to the working folder, beside all that are there."""
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


def _config(folder: Path, call: str, place: str, token: str, theme: str) -> Config:
    """Return the settings of Voilà; those of the user, and of the working folder, do not count."""
    here = Path.cwd()
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(f"import nbcompare as nbc\n\n{call}")],
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python"},
            "nbcompare": {"folder": clean_label(here)},
        },
    )
    path = folder / f"{_NAME}.ipynb"
    nbformat.write(notebook, path)
    return Config(
        {
            "Voila": {
                "notebook_path": str(path),
                "connection_dir_root": str(folder),
                "config_file_paths": [],
                "open_browser": False,
                "ip": _HOST,
                "port": int(place.rpartition(":")[2]),
                "token": token,
                "cookie_secret": secrets.token_bytes(32),
                "identity_provider_class": IdentityProvider,
                "log_level": logging.CRITICAL,
                "tornado_settings": {
                    "headers": {"Content-Security-Policy": _POLICY.format(place=place)},
                    "allow_remote_access": False,
                    "xsrf_cookie_kwargs": {"samesite": "Lax"},
                    "log_function": _no_log,
                },
            },
            "VoilaConfiguration": {
                "template": _TEMPLATE,
                "theme": theme,
                "file_allowlist": [],
                "extension_allowlist": _EXTENSIONS,
                "kernel_spec_manager_class": _OwnKernel,
                "allow_template_override": "NO",
                "allow_theme_override": "NO",
            },
            "KernelManager": {"transport": "ipc"},
            "MappingKernelManager": {
                "root_dir": str(here),
                "cull_idle_timeout": _IDLE,
                "cull_interval": 60,
                "cull_connected": False,
            },
            "IdentityProvider": {"cookie_options": {"samesite": "Lax"}},
            # figures and previews are long messages
            "ZMQChannelsWebsocketConnection": {"limit_rate": False},
            "NotebookNotary": {"db_file": ":memory:", "secret": secrets.token_bytes(32)},
        }
    )


def _no_log(_handler: object) -> None:
    """Log no request: its address may hold the token."""


@contextlib.contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """Have Jupyter look for our template first, and kernels leave their files in the folder."""
    path = os.pathsep.join(filter(None, [str(_DATA), os.environ.get("JUPYTER_PATH", "")]))
    changes = {
        "JUPYTER_PATH": path,
        "JUPYTER_RUNTIME_DIR": str(folder),
        "JUPYTER_DATA_DIR": str(folder),
        "TMPDIR": str(folder),
    }
    before = {name: os.environ.get(name) for name in changes}
    os.environ |= changes
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _open(folder: Path, address: str) -> None:
    """Open a browser by a private file: others can read the arguments of a program."""
    page = folder / "open.html"
    page.touch(mode=0o600)
    page.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" '
        f'content="0; url={address}"><title>nbcompare</title>',
        encoding="utf-8",
    )
    with contextlib.suppress(webbrowser.Error):  # the address is printed
        webbrowser.open(page.as_uri())


def _until_asked() -> None:
    """Serve until the process is asked to end; then it does, whoever asks again."""
    loop = IOLoop.current()
    running: asyncio.AbstractEventLoop = loop.asyncio_loop  # type: ignore[attr-defined, unused-ignore]
    asked = (signal.SIGINT, signal.SIGTERM) if os.name == "posix" else ()
    for number in asked:
        running.add_signal_handler(number, running.stop)
    with contextlib.suppress(KeyboardInterrupt):  # what an interrupt is elsewhere
        loop.start()
    for number in asked:
        signal.signal(number, signal.SIG_IGN)
