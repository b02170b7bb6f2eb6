"""What is said of an interrupt. Hardly anything is imported here, as in the package itself."""

from __future__ import annotations

import os

INTERRUPTED = "nbcompare: interrupted; nothing was written\n"


def interruption() -> str:
    """Return what is said of an interrupt; on a terminal, in the place of a bar of progress."""
    try:
        width = os.get_terminal_size(2).columns
    except OSError:  # no terminal
        return INTERRUPTED
    return f"\r{' ' * (width - 1)}\r{INTERRUPTED}"
