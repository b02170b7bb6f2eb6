"""Models and designs as plain data, by which a stored study recognises itself."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from nbcompare._arrays import digest
from nbcompare.experiment import Experiment


def described(value: Any) -> Any:
    """Return what distinguishes a model, a design or an option, as data for JSON.

    A function is its name and a digest of its text, so that one that was changed is another one.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Experiment):
        labels = {"algorithms": value.algorithms, "datasets": value.datasets}
        return {"experiment": digest(labels, [value.lower, value.upper])}
    if isinstance(value, np.ndarray):
        return {"array": digest({"shape": value.shape}, [value.astype(np.float64)])}
    if isinstance(value, Mapping):
        return {str(name): described(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [described(item) for item in value]
    if inspect.isroutine(value):
        return {"function": _name_of(value), "text": _text_of(value)}
    kind = type(value)
    if is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
    else:
        parts = dict(getattr(value, "__dict__", {}))
    return {"class": f"{kind.__module__}.{kind.__qualname__}"} | {
        name: described(part) for name, part in parts.items()
    }


def _name_of(function: Callable[..., Any]) -> str:
    return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"


def _text_of(function: Callable[..., Any]) -> str:
    """Return a digest of the source text; empty if it is not known."""
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        return ""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
