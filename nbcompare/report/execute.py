"""Run a notebook in a kernel of this very Python, whatever kernels are installed."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm.auto import tqdm

if TYPE_CHECKING:
    from jupyter_client.manager import AsyncKernelManager
    from nbformat import NotebookNode


class ReportError(RuntimeError):
    """A report could not be made; the message says which cell or file, and why."""


def execute(build: Callable[[], NotebookNode], folder: Path) -> NotebookNode:
    """Build a notebook and run it, the kernel starting up meanwhile.

    Parameters
    ----------
    build : callable
        Gives the notebook; what it raises is passed on.
    folder : Path
        Working folder of the kernel.

    Returns
    -------
    NotebookNode
        With its outputs.

    Raises
    ------
    ReportError
        If a cell fails or the kernel dies, with the number of the cell.
    """
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def cancellable(connection_folder: Path) -> NotebookNode:
        task = asyncio.current_task()
        if task is not None:
            started.append((asyncio.get_running_loop(), task))
        return await _execute(build, folder, connection_folder)

    # An event loop in a thread of its own: the caller may have one already (a notebook
    # does), and an interrupt reaches this thread, which then stops the kernel in good order.
    with (
        tempfile.TemporaryDirectory(prefix="nbcompare-") as short_path,
        ThreadPoolExecutor(max_workers=1) as thread,
    ):
        running = thread.submit(lambda: asyncio.run(cancellable(Path(short_path))))
        try:
            return running.result()
        except KeyboardInterrupt:
            for loop, task in started:
                loop.call_soon_threadsafe(task.cancel)
            raise


async def _execute(
    build: Callable[[], NotebookNode], folder: Path, connection_folder: Path
) -> NotebookNode:
    manager = _kernel_manager(connection_folder)
    await manager.start_kernel(cwd=str(folder))
    try:
        # Blocks the event loop, which has nothing else to do: the kernel starts by itself.
        notebook = build()
        await _run_cells(notebook, manager)
    finally:
        if manager.has_kernel:
            await manager.shutdown_kernel(now=True)
    return notebook


def _kernel_manager(connection_folder: Path) -> AsyncKernelManager:
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    class ThisPython(KernelSpecManager):
        """A kernel spec named python3 elsewhere may be another environment's."""

        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:  # noqa: ARG002
            arguments = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(argv=arguments, display_name="Python 3", language="python")

    manager = AsyncKernelManager(
        kernel_spec_manager=ThisPython(),
        connection_file=str(connection_folder / "kernel.json"),
    )
    if os.name == "posix":
        manager.transport = "ipc"  # no port that another user of the machine could reach
    return manager


async def _run_cells(notebook: NotebookNode, manager: AsyncKernelManager) -> None:
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, DeadKernelError

    running: list[int] = []

    def started(cell: Any, cell_index: int) -> None:  # noqa: ARG001  (nbclient names them)
        running.append(cell_index)

    def executed(cell: Any, cell_index: int, execute_reply: Any) -> None:  # noqa: ARG001
        progress.update()

    # Shown on a terminal only, and only if it takes a while.
    with tqdm(
        total=sum(cell.cell_type == "code" for cell in notebook.cells),
        desc="report",
        unit="cell",
        delay=2,
        leave=False,
        disable=None,
    ) as progress:
        client = NotebookClient(
            notebook,
            km=manager,
            timeout=None,
            record_timing=False,
            on_cell_start=started,
            on_cell_executed=executed,
        )
        try:
            await client.async_execute(cleanup_kc=True)  # closes the channels to the kernel
        except CellExecutionError as error:
            raise ReportError(
                f"cell {running[-1] + 1} of the report failed: {error.ename}: {error.evalue}"
            ) from error
        except DeadKernelError as error:
            raise ReportError(
                f"the Python kernel died in cell {running[-1] + 1} of the report, perhaps for "
                "lack of memory."
            ) from error
