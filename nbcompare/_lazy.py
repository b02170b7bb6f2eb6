"""Names of a package that are imported when they are first used (PEP 562)."""

from __future__ import annotations

import sys

# type checkers know this name; importing it from `typing` would slow down the import
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def names_of(package: str, file: str) -> tuple[list[str], Callable[[str], Any]]:
    """Return the public names of a package and its ``__getattr__``.

    The stub beside the package's file says where each is from, in lines such as
    ``from A import B as B``.
    """
    with open(f"{file.rpartition('.')[0]}.pyi", encoding="utf-8") as stub:  # noqa: PTH123
        lines = [line.split() for line in stub if line.startswith("from nbcompare")]
    home = {line[3]: line[1] for line in lines}

    def attribute(name: str) -> Any:
        import importlib

        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if home[name] == package:
            return importlib.import_module(f"{package}.{name}")
        value = getattr(importlib.import_module(home[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return sorted(home), attribute
