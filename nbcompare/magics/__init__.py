"""Magics such as ``%compare``: each parses a line, calls one function, displays its result."""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell

from nbcompare.magics._completion import Completion
from nbcompare.magics._lines import Silencer
from nbcompare.magics._magics import ComparisonMagics

__all__ = ["ComparisonMagics", "register", "unregister"]


def register(shell: InteractiveShell) -> None:
    """Add the magics to a shell, and the completion of their lines; once, however often called."""
    if ComparisonMagics.__name__ in shell.magics_manager.registry:
        return
    magics = ComparisonMagics(shell)
    shell.register_magics(magics)
    shell.input_transformers_post.append(Silencer(magics.magics["line"]))
    shell.events.register("pre_run_cell", magics.begin_cell)
    shell.events.register("post_run_cell", magics.end_cell)
    if shell.Completer is not None:
        shell.Completer.custom_matchers.append(Completion(magics).matches)


def unregister(shell: InteractiveShell) -> None:
    """Take the magics, and the completion of their lines, away from a shell that has them."""
    magics = shell.magics_manager.registry.pop(ComparisonMagics.__name__, None)
    if magics is None:
        return
    for kind, names in magics.magics.items():
        for name in names:
            shell.magics_manager.magics[kind].pop(name, None)
    shell.configurables.remove(magics)
    shell.input_transformers_post[:] = [
        each for each in shell.input_transformers_post if not isinstance(each, Silencer)
    ]
    shell.events.unregister("pre_run_cell", magics.begin_cell)
    shell.events.unregister("post_run_cell", magics.end_cell)
    if shell.Completer is not None:
        shell.Completer.custom_matchers[:] = [
            each
            for each in shell.Completer.custom_matchers
            if not isinstance(getattr(each, "__self__", None), Completion)
        ]
