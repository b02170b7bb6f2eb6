"""Statistical comparison of algorithms in a notebook.

The scores of several algorithms are compared by tests that a reviewer can check. A result
displays itself in the notebook and can be written to a report::

    import nbcompare as nbc
    experiment = nbc.Experiment.read("scores.csv", direction="maximize")
    nbc.compare(experiment, control="C4.5", adjust="holm")
"""

from __future__ import annotations

from nbcompare._lazy import names_of

# type checkers know this name; importing it from `typing` would slow down the import
TYPE_CHECKING = False
if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

# scipy, pandas and matplotlib take seconds to load from a cold disk, and a notebook seldom needs
# all of them.
__all__, __getattr__ = names_of(__name__, __file__)


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
