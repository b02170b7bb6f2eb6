"""Magics such as ``%compare``: each parses a line, calls one function, displays its result."""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell

from nbcompare.magics._completion import Completion
from nbcompare.magics._magics import ComparisonMagics

__all__ = ["ComparisonMagics", "register"]


def register(shell: InteractiveShell) -> None:
    """Add the magics to a shell, and the completion of their lines; once, however often called."""
    if ComparisonMagics.__name__ in shell.magics_manager.registry:
        return
    magics = ComparisonMagics(shell)
    shell.register_magics(magics)
    shell.events.register("pre_run_cell", magics.begin_cell)
    shell.events.register("post_run_cell", magics.end_cell)
    if shell.Completer is not None:
        shell.Completer.custom_matchers.append(Completion(magics).matches)
