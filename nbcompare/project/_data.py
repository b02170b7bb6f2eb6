"""Experiments and histories as JSON, field by field, and back through their own checks."""

from __future__ import annotations

import json
import math
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._render import Note
from nbcompare._validation import because
from nbcompare.experiment import Experiment, Schema
from nbcompare.histories import Events, Histories

Data = Experiment | Histories
KINDS: dict[str, type[Experiment] | type[Histories]] = {
    "experiment": Experiment,
    "histories": Histories,
}
_TYPES: dict[str, npt.DTypeLike] = {"float": np.float64, "int": np.int64, "object": object}
_SAME = "same as lower"  # of scores that are no intervals


def written(data: Data) -> dict[str, Any]:
    """Return the fields of the data in values of JSON; numbers are exact."""
    made = {each.name: _plain(getattr(data, each.name)) for each in fields(data)}
    if isinstance(data, Experiment) and not data.is_interval:
        made["upper"] = _SAME
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        name = {"f": "float", "i": "int"}.get(value.dtype.kind, "object")
        numbers = value.ravel().tolist()
        return {
            "array": name,
            "shape": list(value.shape),
            "values": list(map(_number, numbers)) if name == "float" else numbers,
        }
    if isinstance(value, Schema):
        return {"schema": json.loads(value.to_json())}
    if isinstance(value, Note):
        return [value.code, value.text]
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    return list(map(_plain, value)) if isinstance(value, tuple | list) else value


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else repr(value)


def read(content: Any, kind: str) -> Data:
    """Return the data that :func:`written` wrote.

    Raises
    ------
    ValueError
        If it is something else, or does not fit together.
    """
    try:
        found = {name: _value(name, each) for name, each in content.items()}
        if found.get("upper") == _SAME:
            found["upper"] = found["lower"]
        return KINDS[kind](**found)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError) as error:
        raise ValueError(f"its {kind} must fit together{because(error)}.") from None


def _value(name: str, value: Any) -> Any:
    if isinstance(value, dict) and "array" in value:
        numbers = value["values"]
        is_float = value["array"] == "float"
        made = [float(each) for each in numbers] if is_float else numbers
        return np.array(made, dtype=_TYPES[value["array"]]).reshape(value["shape"])
    if isinstance(value, dict) and "schema" in value:
        return Schema.from_json(json.dumps(value["schema"]))
    if name == "logged" and isinstance(value, dict):
        return Events(**{each: _value(each, one) for each, one in value.items()})
    if name == "notes":
        return tuple(Note(str(code), str(text)) for code, text in value)
    return tuple(map(str, value)) if isinstance(value, list) else value
