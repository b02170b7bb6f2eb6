"""Statistical comparison of algorithms in a notebook.

The scores of several algorithms are compared by tests that a reviewer can check. A result
displays itself in the notebook and can be written to a report::

    import nbcompare as nbc
    experiment = nbc.Experiment.read("scores.csv", direction="maximize")
    nbc.compare(experiment, control="C4.5", adjust="holm")
"""

from __future__ import annotations

# type checkers know this name; importing it from `typing` would slow down the import
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from IPython.core.interactiveshell import InteractiveShell

# Public names are imported when they are first used (PEP 562), because scipy, pandas and
# matplotlib take seconds to load from a cold disk and a notebook seldom needs all of them.
# The stub beside this file says where each is from, in lines such as `from A import B as B`.
with open(f"{__file__.rpartition('.')[0]}.pyi", encoding="utf-8") as _stub:  # noqa: PTH123
    _HOME = {
        line.split()[3]: line.split()[1] for line in _stub if line.startswith("from nbcompare")
    }
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _HOME:
        raise AttributeError(f"module 'nbcompare' has no attribute {name!r}")
    home = _HOME[name]
    if home == __name__:
        return importlib.import_module(f"{home}.{name}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics when a notebook runs ``%load_ext nbcompare``."""
    from nbcompare.magics import register

    register(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take the magics away when a notebook runs ``%unload_ext nbcompare``."""
    from nbcompare.magics import unregister

    unregister(shell)
