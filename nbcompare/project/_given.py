"""What a project is given as data: a table, an example, or data, which are written as JSON."""

from __future__ import annotations

import inspect
import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare import datasets
from nbcompare._files import plain_name, scratch_folder
from nbcompare._render import Note
from nbcompare._tables import ENDINGS, SUFFIXES, origin_of, stamp_of
from nbcompare._validation import because, listed, shown
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
        if content.get("upper") == _SAME:
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


NOUNS = {"experiment": "an Experiment", "histories": "Histories"}


class File(NamedTuple):
    """A table as it was given, and the arguments it was read with.

    Attributes
    ----------
    name : str
        The name of the file, without folders.
    content : bytes
        What it holds.
    reading : mapping
        The arguments of ``Experiment.read`` or ``Histories.read``, in values of JSON.
    """

    name: str
    content: bytes
    reading: Mapping[str, Any]


class Example(NamedTuple):
    """A bundled example.

    Attributes
    ----------
    name : str
        As :func:`nbcompare.datasets.load` takes it.
    """

    name: str


Given = Experiment | Histories | File | Example


def loaded(given: Given, kind: str, source: str) -> Data:
    """Return the data, read again as they were.

    Parameters
    ----------
    given : Experiment, Histories, File or Example
        What the project has.
    kind : {"experiment", "histories"}
        What it should be.
    source : str
        What an error calls the project.
    """
    if isinstance(given, Experiment | Histories):
        return given
    made: object
    strange = [] if isinstance(given, Example) else [*(given.reading.keys() - _known(kind))]
    if strange:
        raise ValueError(
            f"{source} cannot be read: there are no arguments {listed(sorted(strange))} of "
            f"{KINDS[kind].__name__}.read."
        )
    try:
        if isinstance(given, Example):
            made = datasets.load(given.name)
        else:
            with scratch_folder() as folder:
                path = folder / given.name
                path.write_bytes(given.content)
                made = KINDS[kind].read(path, **given.reading)
    except TypeError as error:  # of an argument of another type
        raise ValueError(f"{source} cannot be read{because(error)}.") from None
    if not isinstance(made, KINDS[kind]):
        raise ValueError(f"{source} must hold {NOUNS[kind]}; got {shown(made)}.")
    return made


def _known(kind: str) -> set[str]:
    """Return the arguments of reading that a project may have."""
    return {*inspect.signature(KINDS[kind].read).parameters} - {"path"}


def checked_name(name: object, path: Path) -> str:
    """Return the name of a table, which is in no folder, as every system can store it."""
    plain = plain_name(str(name))
    if re.search(r"[/\\]", str(name)) or not str(name).isprintable() or not _is_table(plain):
        raise ValueError(
            f"{path} must have a table whose name is in no folder and ends in one of "
            f"{', '.join(SUFFIXES)}; got {shown(name)}."
        )
    return plain


def _is_table(name: str) -> bool:
    return name.lower().endswith(ENDINGS)


def suffix_of(name: str) -> str:
    """Return the ending of a table's name, ``.csv.gz``."""
    low = name.lower()
    return max((each for each in ENDINGS if low.endswith(each)), key=len, default="")


def as_given(data: Data) -> Given:
    """Return the example or the file that data were read from, if it still has them."""
    origin = origin_of(data)
    if origin is None or origin.item is not None:
        return data
    if isinstance(origin.source, str):
        return Example(origin.source)
    path, reading = origin.source, {**origin.options}
    is_read = origin.function == f"{type(data).__name__}.read" and path.is_file()
    if not is_read or not _is_table(path.name) or stamp_of(path) != origin.stamp:
        return data
    try:
        said = json.loads(json.dumps(reading, allow_nan=False, default=list))
    except (TypeError, ValueError):  # an argument that JSON lacks
        return data
    # a direction by data set has None as a name, which JSON makes a word
    is_same = _in_lists(said) == _in_lists(reading)
    return File(plain_name(path.name), path.read_bytes(), said) if is_same else data


def _in_lists(value: Any) -> Any:
    """Return a value of which tuples are lists."""
    if isinstance(value, Mapping):
        return {name: _in_lists(one) for name, one in value.items()}
    return [*map(_in_lists, value)] if isinstance(value, list | tuple) else value
