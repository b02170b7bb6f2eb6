"""The command line of ``nbcompare``.

Hardly anything is imported here, so that one line answers a request to end even in the first
second, while Python imports the rest.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

from nbcompare.cli._interrupts import interruption

TYPE_CHECKING = False  # that of `typing` would have to be imported
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_NEW_OBJECTS = 100_000  # after which Python looks for those that nothing refers to any more


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The exit code is 0, 1 if it failed, 2 if it was called wrongly, 130 if it was interrupted,
    141 if whoever read the output wanted no more of it, as shells have it.
    """
    try:
        from nbcompare.cli import _signals

        if arguments is not None:
            from nbcompare.cli._run import run

            return run(arguments)
        for name in ("stdin", "stdout", "stderr"):
            if getattr(sys, name) is None:  # closed: a file would be in its place
                handle = os.open(os.devnull, os.O_RDWR)
                os.set_inheritable(handle, True)
                mode = "r" if name == "stdin" else "w"
                setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))
        with _signals.at_once():
            # little that a command makes is in a circle and can go before its end, where all goes:
            # looking for that took a fifth of the time of a report. The app may stay for days
            if sys.argv[1:2] != ["app"]:
                gc.set_threshold(_NEW_OBJECTS)
            atexit.register(gc.freeze)
            from nbcompare._imports import leave_out_unused
            from nbcompare.cli._run import run

            leave_out_unused()
            return run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write(interruption())
        return 130
