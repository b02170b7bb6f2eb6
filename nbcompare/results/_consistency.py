"""What within a result contradicts itself: numbers, decisions, intervals, exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

_FORMATS = ("to_latex", "to_markdown", "to_typst")


def contradictions(result: Any) -> Iterator[str]:
    """Yield what in a result contradicts something else in it, as sentences."""
    for name, part, owner in _parts(result, type(result).__name__, result):
        if hasattr(part, "contradictions"):
            yield from (f"{name}: {text}" for text in part.contradictions(owner))
        elif not owner.describes_gaps and _has_nan(part):
            yield f"{name} has NaN."
    again = type(result).from_json(result.to_json())
    if again.to_json() != result.to_json() or str(again) != str(result):
        yield "The result that is read from its JSON is another one."
    for section in (None, *result.sections):
        for export in _FORMATS:
            if "nan" in getattr(result, export)(section).lower().split():
                yield f"{export}({section!r}) shows NaN."
    if result.sentences[: len(result.findings)] != result.findings:
        yield "The sentences do not begin with the findings."
    if any(not text or text != text.strip() for text in result.sentences):
        yield "A sentence is empty, or has blanks at its ends."


def _has_nan(part: Any) -> bool:
    return isinstance(part, np.ndarray) and part.dtype.kind == "f" and bool(np.isnan(part).any())


def _parts(value: Any, name: str, owner: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the parts of a record, and theirs, with their names and the result that has them."""
    yield name, value, owner
    if is_dataclass(value) and not isinstance(value, type):
        owner = value if hasattr(value, "design") else owner
        for one in fields(value):
            yield from _parts(getattr(value, one.name), f"{name}.{one.name}", owner)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _parts(part, f"{name}[{key!r}]", owner)
