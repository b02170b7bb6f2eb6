"""Models and designs as plain data, by which a stored study recognises itself."""

from __future__ import annotations

import functools
import hashlib
import inspect
import pickle
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from nbcompare._arrays import digest
from nbcompare.experiment import Experiment


def described(value: Any) -> Any:
    """Return what distinguishes a model, a design or an option, as data for JSON.

    A function is its name, a digest of its text, and what it encloses, so that one that was changed
    is another one.
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
    if isinstance(value, functools.partial):
        return {"partial": [described(part) for part in (value.func, value.args, value.keywords)]}
    if inspect.isroutine(value):
        known = {"function": _name_of(value), "text": _text_of(value)}
        return known | {"with": described(_enclosed(value))}
    kind = type(value)
    if is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
    elif not getattr(value, "__dict__", None):  # such as one with slots
        return {"pickled": hashlib.sha256(pickle.dumps(value)).hexdigest()}
    else:
        parts = dict(value.__dict__)
    return {"class": f"{kind.__module__}.{kind.__qualname__}"} | {
        name: described(part) for name, part in parts.items()
    }


def _name_of(function: Callable[..., Any]) -> str:
    return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"


def _enclosed(function: Any) -> list[Any]:
    """Return what a function uses beside its arguments: its object, variables and defaults."""
    inner = getattr(function, "__func__", function)
    cells = (cell.cell_contents for cell in getattr(inner, "__closure__", None) or ())
    found = [value for value in cells if value is not inner]
    found += [getattr(inner, "__defaults__", None), getattr(inner, "__kwdefaults__", None)]
    owner = getattr(function, "__self__", None)
    return found if owner is None or inspect.ismodule(owner) else [*found, owner]


def _text_of(function: Callable[..., Any]) -> str:
    """Return a digest of the source text; empty if it is not known."""
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        return ""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
