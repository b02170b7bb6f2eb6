"""Long computations in a process of their own, which stays warm and can be killed.

Run as a program it is that process: it reads tasks from standard input, one after the
other, and writes what came of them to standard output.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import IO, Any, NamedTuple, cast

from nbcompare._commands import function_of

LONG = 1.0  # seconds: what seems to take longer goes to another process
_PROGRAM = "from nbcompare.widgets._worker import serve; serve()"


class Task(NamedTuple):
    """A call of a public function."""

    function: str
    data: Any
    options: dict[str, Any]

    def run(self) -> Any:
        """Return what the function returns, computed in this process."""
        return function_of(self.function)(self.data, **self.options)


class Worker:
    """One process for one builder; it starts with the first task."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._task = 0  # what an older one brings is not wanted any more
        self._busy = False

    @property
    def busy(self) -> bool:
        """True while a task is under way."""
        return self._busy

    def start(self, task: Task, done: Callable[[Any], None]) -> None:
        """Begin a task, in the place of any other; ``done`` is called in the running loop.

        It is given the result, or the exception that the function raised, or a RuntimeError
        if the process ended by itself; nothing if the task was cancelled.

        Raises
        ------
        RuntimeError
            Without a running loop; nothing has begun then.
        """
        loop = asyncio.get_running_loop()
        if self._busy:
            self.cancel()
        if self._process is None or self._process.poll() is not None:
            self._process = started()
        self._task += 1
        self._busy = True
        number, process = self._task, self._process

        def finish(outcome: Any) -> None:
            if number == self._task and self._busy:
                self._busy = False
                done(outcome)

        def work() -> None:
            outcome = _answer(process, task)
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(finish, outcome)

        # what is drawn in the end looks as it would have looked at the beginning
        threading.Thread(
            target=copy_context().run, args=(work,), daemon=True, name="nbcompare-worker"
        ).start()

    def cancel(self) -> None:
        """Kill the process; the task is forgotten."""
        self._busy = False
        self._task += 1
        process, self._process = self._process, None
        if process is not None:
            _end(process)

    def __del__(self) -> None:
        """Leave nothing running when a builder goes."""
        process = self.__dict__.get("_process")
        if process is not None:
            _end(process)


def started(program: str = _PROGRAM) -> subprocess.Popen[bytes]:
    """Return a process that imports what this one does, except from the working folder."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        # -P: a notebook may lie beside anything, and with -c its folder would come first
        [sys.executable, "-P", "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,  # an interrupt of the kernel is not for it
    )


def pipes_of(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """Return the standard input and output of a process that was started with pipes."""
    return cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)


def _answer(process: subprocess.Popen[bytes], task: Task) -> Any:
    tasks, answers = pipes_of(process)
    try:
        pickle.dump(task, tasks)
        tasks.flush()
        return pickle.load(answers)
    except Exception as error:  # of pickle, too, which raises whatever it meets
        return RuntimeError(
            f"the process that computed ended before it was done ({type(error).__name__})"
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):  # it ends by itself
            os.killpg(process.pid, signal.SIGKILL)  # with those that share its work
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        # a thread may be reading: its reading ends with the process
        if pipe is not None:
            with contextlib.suppress(OSError, ValueError, RuntimeError):
                pipe.close()


def serve() -> None:
    """Answer tasks until nobody is left to ask; what they print goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    while True:
        try:
            outcome = tasks.get().run()
        except Exception as error:  # the builder says what it is
            outcome = error
        pickle.dump(outcome, answers)
        answers.flush()


def _listen(tasks: queue.SimpleQueue[Any]) -> None:
    """Take tasks in; when the kernel is gone, however it went, end in the middle of one."""
    while True:
        try:
            tasks.put(pickle.load(sys.stdin.buffer))
        except Exception:  # a task that was cut off ends in whatever pickle trips over
            if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)  # with those that share its work
            os._exit(0)
