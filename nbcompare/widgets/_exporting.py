"""Export a report in a process of its own, which tells its progress and can be cancelled.

Run as a program it is that process: it reads one export from standard input, and writes
steps and, last, what came of it to standard output.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path
from typing import Any, NamedTuple

from nbcompare._display import Display, Options, current
from nbcompare._imports import leave_out_formats
from nbcompare._tables import Origin, origin_of, remember
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.report import Report
from nbcompare.widgets._worker import StartError, end, pipes_of, started

_PROGRAM = "from nbcompare.widgets._exporting import serve; serve()"
_GRACE = 5.0  # seconds in which an export may end in good order


class CancelledError(Exception):
    """Raised in the place of an export that was cancelled."""


class Document(NamedTuple):
    """The data and arguments of a report, on their way to another process."""

    experiment: Experiment | None
    histories: Histories | None
    arguments: dict[str, Any]
    origins: tuple[Origin | None, ...]
    display: Display

    @classmethod
    def of(
        cls, experiment: Experiment | None, histories: Histories | None, arguments: dict[str, Any]
    ) -> Document:
        """Return it with what is known here: where the data are from, and how results are shown."""
        origins = tuple(
            None if data is None else origin_of(data) for data in (experiment, histories)
        )
        return cls(experiment, histories, arguments, origins, current())

    def report(self) -> Report:
        """Return the report, which loads its data as it would in the first process."""
        for data, origin in zip((self.experiment, self.histories), self.origins, strict=True):
            if data is not None and origin is not None:
                remember(data, origin)
        return Report(self.experiment, histories=self.histories, **self.arguments)


class Export(NamedTuple):
    """A task: a report, and the files to write."""

    document: Document
    paths: tuple[str, ...]

    def run(self, on_step: Callable[[int, int], object]) -> tuple[Path, ...]:
        """Write the files."""
        from nbcompare.report.make import export

        with Options(digits=self.document.display.digits):
            return export(
                [Path(path) for path in self.paths], self.document.report(), on_step=on_step
            )


class Exporter:
    """Exports in processes of their own, at most one at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False  # by us

    @property
    def busy(self) -> bool:
        """True while an export is under way."""
        return self._process is not None

    def start(
        self, export: Export, on_step: Callable[[int, int], None], done: Callable[[Any], None]
    ) -> None:
        """Begin an export; ``on_step`` and ``done`` are called in the running loop.

        ``done`` is given the paths, or the exception: :class:`CancelledError` if it was ended.

        Raises
        ------
        StartError
            If there can be no process or no thread.
        RuntimeError
            Without a running loop; nothing has begun then.
        """
        loop = asyncio.get_running_loop()
        process = self._process = started(_PROGRAM)
        self._ended = False

        def finish(outcome: Any) -> None:
            self._process = None
            done(CancelledError() if self._ended and isinstance(outcome, Exception) else outcome)

        def tell(function: Callable[..., None], *values: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(function, *values)

        def work() -> None:
            tell(finish, _followed(process, export, lambda *step: tell(on_step, *step)))

        reading = threading.Thread(
            target=copy_context().run, args=(work,), daemon=True, name="nbcompare-export"
        )
        try:
            reading.start()
        except RuntimeError as error:  # there is a limit on threads
            self._process = None
            end(process)
            raise StartError(str(error)) from None

    def cancel(self) -> None:
        """End the process, by force if it takes too long; files stay as they were."""
        process = self._process
        if process is None:
            return
        self._ended = True
        if os.name == "posix":
            process.send_signal(signal.SIGINT)
        else:
            process.kill()
        killer = threading.Timer(_GRACE, _kill, (process,))
        killer.daemon = True
        try:
            killer.start()
        except RuntimeError:  # there is a limit on threads
            _kill(process)

    def __del__(self) -> None:
        """Leave nothing running when a builder goes."""
        if self.__dict__.get("_process") is not None:
            self.cancel()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process at once."""
    if process.poll() is None:
        process.kill()


def _followed(
    process: subprocess.Popen[bytes], export: Export, on_step: Callable[[int, int], object]
) -> Any:
    """Give the process its task, and return what came of it."""
    task, answers = pipes_of(process)
    try:
        with task, answers:
            pickle.dump(export, task)
            task.flush()
            while True:
                kind, value = pickle.load(answers)
                if kind == "done":
                    return value
                on_step(*value)
    except (OSError, EOFError, ValueError, pickle.UnpicklingError):
        return RuntimeError("the process that made the report ended before it was done")
    finally:
        process.wait()


def serve() -> None:
    """Do one export; what is printed meanwhile is lost."""
    leave_out_formats()
    # a kernel ignores interrupts between cells, and what it starts inherits that
    signal.signal(signal.SIGINT, signal.default_int_handler)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def answer(kind: str, value: Any) -> None:
        pickle.dump((kind, value), answers)
        answers.flush()

    outcome: Any
    try:
        export = pickle.load(sys.stdin.buffer)
        outcome = export.run(lambda done, total: answer("step", (done, total)))
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # too late: the files are written
    except KeyboardInterrupt:
        outcome = CancelledError()
    except Exception as error:
        # some exceptions cannot be pickled, and their classes need not be known elsewhere
        expected = isinstance(error, ValueError | TypeError | RuntimeError | ImportError)
        plain = str(error) if expected or isinstance(error, OSError) else repr(error)
        outcome = RuntimeError(plain)
    answer("done", outcome)
