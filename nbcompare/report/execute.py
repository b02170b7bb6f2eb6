"""Run a notebook in a kernel of this very Python, whatever kernels are installed."""

from __future__ import annotations

import asyncio
import atexit
import math
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare._files import scratch_folder
from nbcompare._validation import clean_label

if TYPE_CHECKING:
    from jupyter_client.manager import AsyncKernelManager
    from nbformat import NotebookNode

# What the cells of a report import, done while the notebook is still being built. Only then the
# kernel goes to the folder of the report: until then, whatever an environment variable or a
# setting names without a full path is what the command itself would find by that name, and no
# file that happens to lie beside the report.
_LAUNCH = """\
import contextlib, os, sys
folder = bytes.fromhex(sys.argv.pop(1))
with contextlib.suppress(Exception): # the cell that needs it says what is wrong
    import nbcompare.analysis, nbcompare.plots, pandas
from ipykernel.kernelapp import IPKernelApp
kernel = IPKernelApp.instance()
kernel.initialize()
os.chdir(folder)
kernel.start()
"""
_LONGEST_MESSAGE = 500  # characters of an exception


class ReportError(RuntimeError):
    """A report could not be made; the message says which cell or file, and why."""


def execute(
    build: Callable[[], NotebookNode],
    folder: Path,
    *,
    timeout: float | None = None,
    on_cell: Callable[[], object] = lambda: None,
) -> NotebookNode:
    """Build a notebook and run it, the kernel starting up meanwhile.

    Parameters
    ----------
    build : callable
        Gives the notebook; what it raises is passed on.
    folder : Path
        Working folder of the kernel. No module is imported from it.
    timeout : float, optional
        Seconds that a cell may take.
    on_cell : callable
        Called when a cell is done.

    Returns
    -------
    NotebookNode
        With its outputs.

    Raises
    ------
    ReportError
        If a cell fails or takes too long, or the kernel dies: the message says which cell.
    """
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []
    interrupted = threading.Event()

    async def cancellable(connection_folder: Path) -> NotebookNode:
        task = asyncio.current_task()
        if task is not None:
            started.append((asyncio.get_running_loop(), task))
        if interrupted.is_set():
            raise asyncio.CancelledError
        manager = _kernel_manager(connection_folder, folder)
        await manager.start_kernel()
        try:
            # Blocks the event loop, which has nothing else to do: the kernel starts by itself.
            notebook = build()
            await _run_cells(notebook, manager, timeout, on_cell)
        finally:
            started.clear()  # nobody shall cancel this
            if manager.has_kernel:
                await manager.shutdown_kernel(now=True)
        return notebook

    # An event loop in a thread of its own: the caller may have one already (a notebook
    # does), and an interrupt reaches this thread, which then stops the kernel in good order.
    with (
        scratch_folder(short=True) as short_path,
        ThreadPoolExecutor(max_workers=1) as thread,
    ):
        running = thread.submit(copy_context().run, lambda: asyncio.run(cancellable(short_path)))
        try:
            # Looked at now and then: a signal that another thread received does not wake this one.
            while not wait([running], timeout=0.2).done:
                pass
            return running.result()
        except KeyboardInterrupt:
            interrupted.set()
            # Again until it is heeded: what waits for a kernel may swallow a request.
            while started and not running.done():
                for loop, task in list(started):
                    with suppress(RuntimeError):  # closed: it has just come to its end
                        loop.call_soon_threadsafe(task.cancel)
                wait([running], timeout=0.5)
            raise


def _kernel_manager(connection_folder: Path, folder: Path) -> AsyncKernelManager:
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    class ThisPython(KernelSpecManager):
        """A kernel spec named python3 elsewhere may be another environment's."""

        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:  # noqa: ARG002
            where = os.fsencode(folder).hex()  # a name in braces would be filled in
            arguments = [sys.executable, "-P", "-c", _LAUNCH, where, "-f", "{connection_file}"]
            # With -P and this, neither Python nor IPython imports from the working folder: a
            # report must not run what lies beside it. -I would leave out PYTHONPATH and the
            # packages of the user as well, which are wanted.
            arguments.append("--InteractiveShellApp.ignore_cwd=True")
            return KernelSpec(argv=arguments, display_name="Python 3", language="python")

    manager = AsyncKernelManager(
        kernel_spec_manager=ThisPython(),
        connection_file=str(connection_folder / "kernel.json"),
    )
    if os.name == "posix":
        manager.transport = "ipc"  # no port that another user of the machine could reach
    return manager


async def _run_cells(
    notebook: NotebookNode,
    manager: AsyncKernelManager,
    timeout: float | None,
    on_cell: Callable[[], object],
) -> None:
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    running: list[int] = []

    def started(cell: Any, cell_index: int) -> None:  # noqa: ARG001  (nbclient names them)
        running.append(cell_index)

    def executed(cell: Any, cell_index: int, execute_reply: Any) -> None:  # noqa: ARG001
        # An exception of a display is an output of a cell that went well, or its reply is an
        # error without a name: the output says which it was.
        shown = [output for output in cell.outputs if output.output_type == "error"]
        if shown and "raises-exception" not in cell.metadata.get("tags", []):
            raise _failure(notebook, running, shown[0].ename, shown[0].evalue)
        on_cell()

    client = NotebookClient(
        notebook,
        km=manager,
        timeout=None if timeout is None else math.ceil(timeout),  # in whole seconds
        record_timing=False,
        on_cell_start=started,
        on_cell_executed=executed,
    )
    try:
        await client.async_execute(cleanup_kc=True)  # closes the channels to the kernel
    except CellExecutionError as error:
        raise _failure(notebook, running, error.ename, error.evalue) from error
    except CellTimeoutError as error:
        raise ReportError(
            f"{_named(notebook, running)} took longer than {timeout:g} s; a larger timeout gives "
            "it more."
        ) from error
    except ReportError:
        raise
    except RuntimeError as error:  # nbclient's DeadKernelError, or a kernel that never answered
        where = f"in {_named(notebook, running)}" if running else "before the first cell"
        raise ReportError(f"the Python kernel died {where}, perhaps for lack of memory.") from error
    finally:
        # interrupted, it would look for the kernel when Python ends, and complain that it is gone
        atexit.unregister(client._cleanup_kernel)


def _failure(notebook: NotebookNode, running: list[int], name: str, message: str) -> ReportError:
    """What is said of a cell that raised an exception."""
    from nbconvert.filters import strip_ansi

    text = clean_label(strip_ansi(message))
    if len(text) > _LONGEST_MESSAGE:
        text = f"{text[: _LONGEST_MESSAGE - 3]}..."
    raised = f"{name}: {text}" if text else name
    return ReportError(f"{_named(notebook, running)} failed: {raised}")


def _named(notebook: NotebookNode, running: list[int]) -> str:
    """The cell that runs: its number, and the heading above it."""
    position = running[-1]
    for cell in reversed(notebook.cells[:position]):
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            heading = cell.source.splitlines()[0].lstrip("# ")
            return f"cell {position + 1} of the report ({heading!r})"
    return f"cell {position + 1} of the report"
