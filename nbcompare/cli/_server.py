"""The server of the app: Voilà, for one reader on this machine, with a token.

It serves one page, which holds a ``DataBuilder``; the code of that page is made here, and no
request can run another one. Everything that is needed on the way (sockets, uploads, the notebook)
is in one private folder, which is gone afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_core.utils import run_sync
from jupyter_server.auth.identity import IdentityProvider
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets
from traitlets.config import Config
from voila.app import Voila

from nbcompare._files import in_words, scratch_folder
from nbcompare._validation import clean_label
from nbcompare.cli._surroundings import say

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
# Without a debugger, which nobody needs here, and whose import takes long
_LAUNCH = (
    "import sys; sys.modules['debugpy'] = None; "
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


class App(Voila):  # type: ignore[misc, unused-ignore]
    """Voilà with one page, on sockets that are open already."""

    def init_handlers(self) -> list[Any]:
        """Return the handlers, but for those that give away files."""
        handlers: list[Any] = super().init_handlers()
        return [each for each in handlers if not each[0].startswith(_UNWANTED)]

    def listen(self) -> None:
        """Do nothing: :func:`serve` does."""

    def stop(self) -> None:
        """End the kernels at once."""
        run_sync(self.kernel_manager.shutdown_all)(now=True)


def serve(file: Path | None, *, port: int, browser: bool, theme: str) -> None:
    """Serve the page until an interrupt comes.

    Parameters
    ----------
    file : Path, optional
        The table to begin with.
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
        app = App(config=_config(folder, file, place, token, theme))
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


def _config(folder: Path, file: Path | None, place: str, token: str, theme: str) -> Config:
    """Return the settings of Voilà; those of the user, and of the working folder, do not count."""
    here = Path.cwd()
    call = "nbc.DataBuilder()" if file is None else f"nbc.DataBuilder({str(file.resolve())!r})"
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
