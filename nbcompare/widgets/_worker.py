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
from dataclasses import dataclass
from functools import partial
from typing import IO, Any, cast

from nbcompare._commands import BY_FUNCTION, function_of
from nbcompare._imports import leave_out_unused
from nbcompare._progress import tell_progress

LONG = 1.0  # seconds: what seems to take longer goes to another process
_PROGRAM = "from nbcompare.widgets._worker import serve; serve()"


# What a worker can be asked to do; what it returns comes back
Work = Callable[[], Any]


@dataclass(frozen=True)
class Task:
    """A call of a public function."""

    function: str
    data: Any
    options: dict[str, Any]

    def __call__(self) -> Any:
        """Return what the function returns, computed in this process."""
        function = function_of(self.function)
        return BY_FUNCTION[self.function].call(function, self.data, (), self.options)


class StartError(RuntimeError):
    """No process, or no thread to read from it, can be had here."""

    def __init__(self, why: str) -> None:
        super().__init__(f"No other process can compute it ({why})")


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

    def start(
        self,
        task: Work,
        done: Callable[[Any], None],
        tell: Callable[[int, int, str], None] = lambda *_: None,
        show: Callable[[Any], None] = lambda _: None,
    ) -> None:
        """Begin a task, in the place of any other; the functions are called in the running loop.

        ``done`` is given the result, or the exception that the function raised, or a RuntimeError
        if the process ended by itself: StartError if it never began; nothing if the task was
        cancelled. Before, ``tell`` and ``show`` are called as those of a ``Listener``.

        Raises
        ------
        StartError
            If there can be no process or no thread.
        RuntimeError
            Without a running loop; nothing has begun then.
        """
        loop = asyncio.get_running_loop()
        if self._busy or (self._process is not None and self._process.poll() is not None):
            self.cancel()
        if self._process is None:
            self._process = started()
        self._task += 1
        self._busy = True
        number, process = self._task, self._process

        def call(function: Callable[..., None], *values: Any) -> None:
            if number == self._task and self._busy:
                self._busy = function is not done
                function(*values)

        functions: dict[str, Callable[..., None]] = {"tell": tell, "show": show, "done": done}

        def hear(kind: str, *values: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(partial(call, functions[kind], *values))

        # what is drawn in the end looks as it would have looked at the beginning
        reading = threading.Thread(
            target=copy_context().run,
            args=(_ask, process, task, hear),
            daemon=True,
            name="nbcompare-worker",
        )
        try:
            reading.start()
        except RuntimeError as error:  # there is a limit on threads
            self.cancel()
            raise StartError(str(error)) from None

    def cancel(self) -> None:
        """Kill the process; the task is forgotten."""
        self._busy = False
        self._task += 1
        process, self._process = self._process, None
        if process is not None:
            end(process)

    def __del__(self) -> None:
        """Leave nothing running when a builder goes."""
        process = self.__dict__.get("_process")
        if process is not None:
            end(process)


def started(program: str = _PROGRAM) -> subprocess.Popen[bytes]:
    """Return a process that imports what this one does, except from the working folder.

    Raises StartError where there are no processes, or no more of them.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    if not sys.executable:  # within another program
        raise StartError("no program of Python is known")
    try:
        return subprocess.Popen(
            # -P: a notebook may lie beside anything, and with -c its folder would come first
            [sys.executable, "-P", "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            # an interrupt of the kernel is not for it, on POSIX and on Windows
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except (OSError, RuntimeError) as error:
        raise StartError(str(error)) from None


def pipes_of(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """Return the standard input and output of a process that was started with pipes."""
    return cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)


def _ask(process: subprocess.Popen[bytes], task: Work, hear: Callable[..., None]) -> None:
    """Give a task to a process, and hand on what it says; the outcome comes last."""
    tasks, answers = pipes_of(process)
    has_begun = False
    try:
        pickle.dump(task, tasks)
        tasks.flush()
        while True:
            kind, *values = pickle.load(answers)
            has_begun = True
            if kind != "begin":
                hear(kind, *values)
            if kind == "done":
                return
    except Exception as error:  # of pickle, too, which raises whatever it meets
        name = type(error).__name__
        if has_begun:
            text = f"the process that computed ended before it was done ({name})"
            hear("done", RuntimeError(text))
        else:
            hear("done", StartError(f"it ended before it began ({name})"))


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process at once, and those that share its work."""
    if process.poll() is None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):  # it ends by itself
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        # a thread may be reading: its reading ends with the process
        if pipe is not None:
            with contextlib.suppress(OSError, ValueError, RuntimeError):
                pipe.close()


class _Answers:
    """Where the process answers; a listener of what it computes."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe

    def say(self, kind: str, *values: Any) -> None:
        """Send a message."""
        self._pipe.write(pickle.dumps((kind, *values)))  # nothing of what cannot be pickled
        self._pipe.flush()

    def tell(self, done: int, total: int, noun: str) -> None:
        """Send how many steps are done, of how many, and what they are."""
        self.say("tell", done, total, noun)

    def show(self, draft: Any) -> None:
        """Send what the result is so far."""
        self.say("show", draft)


def serve() -> None:
    """Answer tasks until nobody is left to ask; what they print goes nowhere."""
    leave_out_unused()
    answers = _Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    while True:
        task = tasks.get()
        answers.say("begin")
        try:
            with tell_progress(answers):
                outcome = task()
        except Exception as error:  # the builder says what it is
            outcome = error
        answers.say("done", outcome)


def _listen(tasks: queue.SimpleQueue[Any]) -> None:
    """Take tasks in; when the kernel is gone, however it went, end in the middle of one."""
    while True:
        try:
            tasks.put(pickle.load(sys.stdin.buffer))
        except Exception:  # a task that was cut off ends in whatever pickle trips over
            if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)  # with those that share its work
            os._exit(0)
