"""The words, numbers and designs of studies of power that are ready to use."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Mapping

from markup import code, plain, table

from nbcompare import study

_WIDTH = 160


def page() -> str:
    """Return the public names of :mod:`nbcompare.study` that are no functions and classes."""
    found = {name: getattr(study, name) for name in study.__all__}
    rows = (
        [code(f"study.{name}"), _shown(value)]
        for name, value in found.items()
        if not (inspect.isclass(value) or inspect.isfunction(value))
    )
    return table(["name", "value"], rows)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return plain(f"a mapping with {len(value)} entries: {', '.join(map(str, value))}")
    if isinstance(value, tuple) and not isinstance(value[0], float):
        return plain(f"{len(value)} designs: {'; '.join(str(one.name) for one in value)}")
    return code(textwrap.shorten(repr(value), _WIDTH, placeholder=" …"))
