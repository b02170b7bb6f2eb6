"""What programs of ours do without, which libraries would import."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader

# With them jsonschema checks formats of texts (one compiles a grammar of web addresses), which the
# schema of notebooks has not, but other schemas may have
_NEVER = ("isoduration", "rfc3986_validator", "rfc3987_syntax")
# SciPy imports all of NumPy, with a compiler of Fortran and tools of tests; Matplotlib's PDF needs
# fontTools for TrueType alone
_LATER = ("fontTools.subset", "numpy.f2py", "numpy.ma", "numpy.polynomial", "numpy.testing")


class _Later:
    """Finds modules that are executed when something is asked of them."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG004
        spec = PathFinder.find_spec(name, path) if name in _LATER else None  # type: ignore[arg-type]
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


def leave_out_unused() -> None:
    """Keep imports that take long out of this process, which must be a program of ours."""
    for name in _NEVER:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # not to be found
    sys.meta_path.insert(0, _Later)
