"""Run a notebook in a kernel of the running Python, whatever kernels are installed."""

from __future__ import annotations

import asyncio
import atexit
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from contextvars import copy_context
from pathlib import Path
from queue import Empty
from subprocess import PIPE, Popen
from typing import IO, TYPE_CHECKING, Any, cast

from nbcompare._files import scratch_folder
from nbcompare._render import markdown
from nbcompare._validation import clean_label

if TYPE_CHECKING:
    from jupyter_client.manager import AsyncKernelManager
    from nbformat import NotebookNode

# The kernel imports what the cells of a report need, then waits for the name of the file that says
# where to listen, because Python is up sooner than Jupyter's manager of kernels is imported. It
# changes to the folder of the report only after that: until then, what an environment variable or a
# setting names without a full path is what the command itself would find, not a file beside the
# report.
_LAUNCH = """\
import contextlib, gc, os, sys
folder, hidden = bytes.fromhex(sys.argv[1]), set(sys.argv[2].split())
gc.disable() # what is imported stays
plots = None
with contextlib.suppress(Exception): # the cell that needs it says what is wrong
    import nbcompare.analysis
    from nbcompare import _progress, plots
    _progress.PATIENCE = float("inf") # a bar would stay in the report
    if "application/pdf" not in hidden:
        import matplotlib.backends.backend_pdf
sys.modules["debugpy"] = None # nobody debugs a report, and importing it takes long
from ipykernel.kernelapp import IPKernelApp
kernel = IPKernelApp.instance()
told = sys.stdin.readline()
if not told: # whoever started the kernel is gone
    sys.exit()
kernel.initialize([
    "-f", os.fsdecode(bytes.fromhex(told)),
    "--InteractiveShellApp.ignore_cwd=True", "--HistoryManager.enabled=False",
])
del sys.modules["debugpy"], sys.argv[1:]
if hidden and plots is not None:
    kernel.shell.display_formatter.mimebundle_formatter.for_type(
        plots.Plot, lambda plot: plot._repr_mimebundle_(exclude=hidden)
    )
gc.freeze()
gc.enable()
os.chdir(folder)
kernel.start()
"""
_LONGEST_MESSAGE = 500  # characters of an exception
_MORE_TIME = " Allow it more time with a larger `timeout`."
_GRACE = 10  # seconds in which a cell that took too long must answer an interrupt
# Exceptions whose messages are sentences about the data or the options
_SENTENCES = ("ValueError", "DataError", "TypeError", "ImportError", "OSError")


class ReportError(RuntimeError):
    """Raised if a report cannot be made; the message names the cell or file, and the reason."""


class IncompleteReportError(ReportError):
    """Raised after a report was written without some sections or formats; the message names them.

    Attributes
    ----------
    written : tuple of Path
        The files that were written.
    """

    def __init__(self, message: str, written: tuple[Path, ...] = ()) -> None:
        super().__init__(message)
        self.written = written


def execute(
    build: Callable[[], NotebookNode],
    folder: Path,
    *,
    timeout: float | None = None,
    on_cell: Callable[[], object] = lambda: None,
    failures: list[str] | None = None,
    hidden: Collection[str] = (),
) -> NotebookNode:
    """Build a notebook and run it; the kernel starts while it is built.

    Parameters
    ----------
    build : callable
        Returns the notebook; its exceptions are passed on.
    folder : Path
        Working folder of the kernel. No module is imported from it.
    timeout : float, optional
        The number of seconds that a cell may take.
    on_cell : callable
        Called when a cell is done.
    failures : list of str, optional
        Takes a sentence for every cell that fails, which then shows a note instead, while the
        others are run; without it the first failure ends the run.
    hidden : collection of str
        Types of pictures, such as ``image/png``, that need not be drawn.

    Returns
    -------
    NotebookNode
        The notebook with its outputs.

    Raises
    ------
    ReportError
        If a cell fails or takes too long, or if the kernel dies; the message names the cell. With
        ``failures``, only if the first cell fails or all others do, or if the kernel dies.
    """
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []
    interrupted = threading.Event()

    async def cancellable(connection_folder: Path) -> NotebookNode:
        task = asyncio.current_task()
        if task is not None:
            started.append((asyncio.get_running_loop(), task))
        if interrupted.is_set():
            raise asyncio.CancelledError
        with _python(folder, hidden) as process:
            manager = _kernel_manager(connection_folder, process)
            await manager.start_kernel()
            try:
                # Blocks the event loop, which has nothing else to do: the kernel starts by itself.
                notebook = build()
                await _run_cells(notebook, manager, timeout, on_cell, failures)
            finally:
                started.clear()  # the shutdown must not be cancelled
                if manager.has_kernel:
                    await manager.shutdown_kernel(now=True)
        return notebook

    # The event loop has a thread of its own: the caller may have a loop already, as a notebook has,
    # and an interrupt reaches this thread, which then stops the kernel in an orderly way.
    with (
        scratch_folder(short=True) as short_path,
        ThreadPoolExecutor(max_workers=1) as thread,
    ):
        running = thread.submit(copy_context().run, lambda: asyncio.run(cancellable(short_path)))
        try:
            # Wake up regularly: a signal that another thread receives does not wake this one.
            while not wait([running], timeout=0.2).done:
                pass
            return running.result()
        except KeyboardInterrupt:
            interrupted.set()
            # Repeat until it takes effect: code that waits for a kernel may swallow a request.
            while started and not running.done():
                for loop, task in list(started):
                    with suppress(RuntimeError):  # the loop has just been closed
                        loop.call_soon_threadsafe(task.cancel)
                wait([running], timeout=0.5)
            raise


@contextmanager
def _python(folder: Path, hidden: Collection[str]) -> Iterator[Popen[bytes]]:
    """Start the process of a kernel, and end it after the block."""
    # What is to be said stands in notes: a report shows no warnings of a library. With -P and
    # ignore_cwd neither Python nor IPython imports from the working folder: a report must not run
    # files that lie beside it. -I would also ignore PYTHONPATH and the packages of the user, which
    # are wanted.
    command = [sys.executable, "-P", "-W", "ignore", "-c", _LAUNCH]
    process = Popen(
        [*command, os.fsencode(folder).hex(), " ".join(hidden)],
        stdin=PIPE,
        env={**os.environ, "JPY_PARENT_PID": str(os.getpid())},  # the kernel ends when we do
        start_new_session=True,  # an interrupt is for us: the kernel is stopped in an orderly way
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()  # closes the pipe, and waits


def _kernel_manager(connection_folder: Path, process: Popen[bytes]) -> AsyncKernelManager:
    from jupyter_client.asynchronous.client import AsyncKernelClient
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from jupyter_client.provisioning.local_provisioner import LocalProvisioner

    class ThisPython(KernelSpecManager):
        """The kernel of this Python; an installed spec named python3 may be of another one."""

        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:  # noqa: ARG002
            return KernelSpec(argv=process.args, display_name="Python 3", language="python")

    class Running(LocalProvisioner):
        """A process that is there already: it is told where to listen."""

        async def launch_kernel(self, cmd: list[str], **_: Any) -> Any:  # noqa: ARG002
            file = os.fsencode(manager.connection_file).hex()
            pipe = cast("IO[bytes]", process.stdin)
            with suppress(OSError):  # the process is dead, as the manager will find
                pipe.write(f"{file}\n".encode())
                pipe.close()
            self.process, self.pid = process, process.pid
            self.pgid = process.pid if os.name == "posix" else None  # of its own session
            return self.connection_info

    class Client(AsyncKernelClient):
        """A client that is ready as soon as the kernel is."""

        async def wait_for_ready(self, timeout: float | None = None) -> None:
            """Wait for an answer on both channels; Jupyter's client then listens 0.2 s longer."""
            latest = math.inf if timeout is None else time.monotonic() + timeout
            while True:
                self.kernel_info()
                with suppress(Empty):
                    await self.get_shell_msg(timeout=1)
                    await self.get_iopub_msg(timeout=0.2)
                    return
                if time.monotonic() > latest or not await self.is_alive():
                    raise RuntimeError("the kernel does not answer")

    manager = AsyncKernelManager(
        kernel_spec_manager=ThisPython(),
        connection_file=str(connection_folder / "kernel.json"),
        client_factory=Client,
    )
    manager.provisioner = Running(kernel_spec=manager.kernel_spec, parent=manager)
    if os.name == "posix":
        manager.transport = "ipc"  # no port that another user of the machine could reach
    return manager


async def _run_cells(
    notebook: NotebookNode,
    manager: AsyncKernelManager,
    timeout: float | None,
    on_cell: Callable[[], object],
    failures: list[str] | None,
) -> None:
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    running: list[int] = []
    began: list[float] = []  # when each cell of code did
    failed: list[ReportError] = []
    seconds = None if timeout is None else math.ceil(timeout)  # nbclient takes whole ones
    stuck = asyncio.Event()

    def started(cell: Any, cell_index: int) -> None:  # noqa: ARG001  (nbclient names them)
        running.append(cell_index)

    def sent(cell: Any, cell_index: int) -> None:  # noqa: ARG001
        began.append(time.monotonic())

    def is_late(longer: float = 0) -> bool:
        return seconds is not None and time.monotonic() - began[-1] >= seconds + longer

    def too_long() -> ReportError:
        return ReportError(
            f"{_named(notebook, running)} took longer than {timeout:g} s; allow it more time "
            "with a larger `timeout`."
        )

    def note(failure: ReportError, reason: str, advice: str = "") -> None:
        if failures is None or len(began) == 1:  # the first cell makes what all others need
            raise failure
        failed.append(failure)
        failures.append(f"{_note(notebook, running[-1], reason)}{advice}")

    def executed(cell: Any, cell_index: int, execute_reply: Any) -> None:  # noqa: ARG001
        # An exception in a display is an output of a cell that succeeded, or the reply is an error
        # without a name: the output tells the two apart.
        shown = [output for output in cell.outputs if output.output_type == "error"]
        if shown and shown[0].ename == "KeyboardInterrupt" and is_late():
            note(too_long(), f"It took longer than {timeout:g} s.", _MORE_TIME)
        elif shown and "raises-exception" not in cell.metadata.get("tags", []):
            failure = _failure(notebook, running, shown[0].ename, shown[0].evalue)
            note(failure, _reason(shown[0].ename, shown[0].evalue, after=bool(failed)))
        on_cell()

    async def watch() -> None:
        """End a kernel that does not answer an interrupt."""
        while not (began and is_late(_GRACE)):
            await asyncio.sleep(0.2)
        stuck.set()
        await manager.shutdown_kernel(now=True)

    client = NotebookClient(
        notebook,
        km=manager,
        timeout=seconds,
        interrupt_on_timeout=failures is not None,
        record_timing=False,
        shutdown_kernel="immediate",  # there is nothing that it should write
        allow_errors=failures is not None,
        on_cell_start=started,
        on_cell_execute=sent,
        on_cell_executed=executed,
    )
    watching = asyncio.create_task(watch())
    try:
        await client.async_execute(cleanup_kc=True)  # closes the channels to the kernel
        if failed and len(failed) == len(began) - 1:
            raise failed[0]
    except CellExecutionError as error:
        raise _failure(notebook, running, error.ename, error.evalue) from error
    except CellTimeoutError as error:
        raise too_long() from error
    except ReportError:
        raise
    except RuntimeError as error:  # nbclient's DeadKernelError, or a kernel that never answered
        if stuck.is_set():
            reason = f"It took longer than {timeout:g} s, and could not be stopped."
            note(too_long(), reason, _MORE_TIME)
            _give_up(notebook, running, failures or [])
            return
        where = f"in {_named(notebook, running)}" if running else "before the first cell"
        raise ReportError(f"the Python kernel died {where}, perhaps for lack of memory.") from error
    finally:
        watching.cancel()
        # after an interrupt it would look for the kernel when Python exits, and report it missing
        atexit.unregister(client._cleanup_kernel)  # noqa: SLF001 - nbclient registers it at exit


def _give_up(notebook: NotebookNode, running: list[int], failures: list[str]) -> None:
    """Leave a note in every cell after the last one that ran."""
    for position in range(running[-1] + 1, len(notebook.cells)):
        if notebook.cells[position].cell_type == "code":
            reason = "It comes after a part that took too long and could not be stopped."
            failures.append(_note(notebook, position, reason))


def _failure(notebook: NotebookNode, running: list[int], name: str, message: str) -> ReportError:
    """Return the error for a cell that raised an exception."""
    text = _short(message)
    raised = f"{name}: {text}" if text else name
    return ReportError(f"{_named(notebook, running)} failed: {raised}")


def _short(message: str) -> str:
    """Return a message on one line that is not too long."""
    from nbconvert.filters import strip_ansi

    text = clean_label(strip_ansi(message))
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[: _LONGEST_MESSAGE - 3]}..."


def _reason(name: str, message: str, *, after: bool) -> str:
    """Say in a sentence why a cell failed: mistakes in the data say it themselves."""
    text = _short(message)
    if name == "NameError" and after:
        return "It needs a result that could not be computed."
    if name not in _SENTENCES or not text:
        text = f"an error in the program ({name}{': ' if text else ''}{text.rstrip('.')})"
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _note(notebook: NotebookNode, position: int, reason: str) -> str:
    """Replace the outputs of a cell by a note, and return the sentence for the caller."""
    from nbformat import v4

    cell = notebook.cells[position]
    last = cell.source.rstrip().rpartition("\n")[2]
    what, done = ("figure", "drawn") if last.startswith("nbc.plots.") else ("part", "computed")
    text = f"**This {what} is missing: it could not be {done}.** {markdown.escape(reason)}"
    plain = f"This {what} is missing: it could not be {done}. {reason}"
    data = {"text/markdown": f"> {text}", "text/plain": plain}
    cell.outputs = [v4.new_output("display_data", data)]
    heading = _heading(notebook, position)
    return f"{heading + ': ' if heading else ''}this {what} could not be {done}. {reason}"


def _named(notebook: NotebookNode, running: list[int]) -> str:
    """Name the cell that runs, by its number and the heading above it."""
    heading = _heading(notebook, running[-1])
    return f"cell {running[-1] + 1} of the report{f' ({heading!r})' if heading else ''}"


def _heading(notebook: NotebookNode, position: int) -> str:
    """Return the heading above a cell, empty if there is none."""
    for cell in reversed(notebook.cells[:position]):
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            return str(cell.source.splitlines()[0].lstrip("# "))
    return ""
