"""``nbcompare`` on the command line: parse, call one function, say what went wrong."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from nbcompare._version import __version__
from nbcompare.cli import _report, _show, _tables, _verify

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The exit code is 0, 1 if it failed, 2 if it was called wrongly, 130 if it was interrupted,
    141 if whoever read the output wanted no more of it, as shells have it.
    """
    given = _parser().parse_args(arguments)
    try:
        with _ended_in_order():
            code = int(given.command(given))
            sys.stdout.flush()
            return code
    except BrokenPipeError:
        # Python would complain once more when it writes the rest at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        print("nbcompare: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (ValueError, TypeError, ImportError, RuntimeError, OSError) as error:
        print(f"nbcompare: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nbcompare", description="Compare algorithms over data sets, and report it."
    )
    parser.add_argument("--version", action="version", version=f"nbcompare {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in (_report, _tables, _verify, _show):
        module.add_commands(commands)
    return parser


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Take a request to end for an interrupt: kernels are stopped, half-written files go."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
