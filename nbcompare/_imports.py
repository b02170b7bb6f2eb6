"""What programs of ours do without, which libraries would import or write at import."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader

# SciPy imports all of NumPy, with a compiler of Fortran and tools of tests
_LATER = ("numpy.f2py", "numpy.ma", "numpy.polynomial", "numpy.testing")


class _NoHelp(defaultdict[str, list[str]]):
    """Stands for the parsed help on a function of SciPy."""

    def __init__(self, _function: object) -> None:
        super().__init__(list)

    def __str__(self) -> str:
        return "\n"


def _without_help_on_artists(module: Any) -> None:
    module.kwdoc = lambda _artist: ""
    module.Artist._update_set_signature_and_docstring = lambda: None  # noqa: SLF001


def _without_help_on_functions(module: Any) -> None:
    module.FunctionDoc = _NoHelp


# Modules that write help when others are imported: half of the time that Matplotlib takes, and a
# third of that of SciPy's special functions. In a program of ours nobody asks for it.
_HELPING: dict[str, Callable[[ModuleType], None]] = {
    "matplotlib.artist": _without_help_on_artists,
    "scipy._lib._docscrape": _without_help_on_functions,
}


class _WithoutHelp:
    """Executes a module that writes help, and keeps it from that."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    @staticmethod
    def create_module(_spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        _HELPING[module.__name__](module)


class _Faster:
    """Finds modules that are executed when something is asked of them, or write no help."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG004
        if name not in _LATER and name not in _HELPING:
            return None
        spec = PathFinder.find_spec(name, path)  # type: ignore[arg-type]
        if spec is not None and spec.loader is not None:
            own = LazyLoader if name in _LATER else _WithoutHelp
            spec.loader = own(spec.loader)  # type: ignore[assignment]
        return spec


def leave_out_unused() -> None:
    """Keep imports that take long out of this process, which must be a program of ours.

    Where JupyterLab is installed, jsonschema compiles a grammar of web addresses when nbformat
    imports it. The schema of notebooks has no such format, but other schemas may have.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # not to be found
    sys.meta_path.insert(0, _Faster)
