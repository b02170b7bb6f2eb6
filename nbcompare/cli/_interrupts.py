"""The message on an interrupt. Almost nothing is imported here, as in the package itself."""

from __future__ import annotations

import os

INTERRUPTED = "nbcompare: interrupted; nothing was written\n"


def interruption() -> str:
    """Return the message on an interrupt; on a terminal, in the place of a bar of progress."""
    try:
        width = os.get_terminal_size(2).columns
    except OSError:  # no terminal
        return INTERRUPTED
    return f"\r{' ' * (width - 1)}\r{INTERRUPTED}"
