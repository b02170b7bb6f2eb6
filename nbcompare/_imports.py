"""What programs of ours do without, which libraries would import."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

_COMPILER = "numpy.f2py"


class _Empty:
    """Finds an empty module in the place of NumPy's compiler of Fortran."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG004
        return ModuleSpec(name, _Empty()) if name == _COMPILER else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002
        return None

    def exec_module(self, module: ModuleType) -> None:
        pass


def leave_out_unused() -> None:
    """Keep imports that take long out of this process, which must be a program of ours.

    Where JupyterLab is installed, jsonschema compiles a grammar of web addresses when nbformat
    imports it. The schema of notebooks has no such format, but other schemas may have. SciPy
    imports all of NumPy, with a compiler of Fortran that nobody calls.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # not to be found
    if _COMPILER not in sys.modules:
        sys.meta_path.insert(0, _Empty)
