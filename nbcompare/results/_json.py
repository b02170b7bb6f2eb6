"""Write a result as JSON and read it back exactly, by the types of its fields.

Notebook programs may change the order of keys, and write 1.0 as 1 and -0.0 as 0. So that
nothing is lost, a mapping is written as a list of pairs, and a value that JSON lacks as a string.
"""

from __future__ import annotations

import hashlib
import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, NoReturn, Union, get_args, get_origin, get_type_hints

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import DataError, because, shown
from nbcompare.results.labelled import Labelled

# Since schema 2, positive statistics and differences mean that the first is better; since schema 3,
# results say how p was computed and why the tests were chosen.
SCHEMA = 3
MIME_TYPE = "application/vnd.nbcompare.v1+json"
_FLOATS = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan, "-0.0": -0.0}
# Notebooks are edited in JavaScript, which has no larger exact whole numbers.
_LARGEST_INT = 2**53
# Array types are recognised by the names that fields use, not by their structure: they are
# generic aliases before NumPy 2.5 and type aliases since.
_ARRAYS: Mapping[Any, type] = types.MappingProxyType(
    {FloatArray: float, IntArray: int, BoolArray: bool}
)


def digest(document: Mapping[str, Any]) -> str:
    """Return a SHA-256 digest of a document that does not depend on the order of keys."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def parsed(text: object) -> Any:
    """Return the parsed JSON, without the extensions that Python accepts, such as NaN."""
    if not isinstance(text, str):
        raise TypeError(f"`text` must be a str, JSON of a result; got {type(text).__name__}.")
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"`text` must be JSON of a result{because(error)}.") from None


def _no_constant(name: str) -> NoReturn:
    raise DataError(f"{name} is not JSON")


# ------------------------------------------------------------------------------- writing


def written(value: Any, hint: Any) -> Any:
    """Return the value of a field of this type as JSON represents it."""
    if hint is Any:
        return _written_any(value)
    if _is_optional(hint):
        return None if value is None else written(value, _of_optional(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        return {name: written(getattr(value, name), of) for name, of in _hints(hint).items()}
    if hint in _ARRAYS:
        plain = value.tolist()
        return _each(plain, _written_float) if _ARRAYS[hint] is float else plain
    origin, of = get_origin(hint), get_args(hint)
    if _is_mapping(origin):
        return [[name, written(item, of[-1])] for name, item in value.items()]
    if origin is tuple:
        return [written(item, of[0]) for item in value]
    return _written_float(float(value)) if hint is float else hint(value)


def _written_float(value: float) -> float | str:
    if math.isfinite(value) and (value or math.copysign(1.0, value) > 0):
        return value
    return next(name for name, known in _FLOATS.items() if repr(known) == repr(value))


def _written_any(value: Any) -> Any:
    """Return an option as JSON represents it: a word, a number, None, or several of these."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, tuple | list):
        return [_written_any(item) for item in value]
    if isinstance(value, int | np.integer):
        whole = int(value)
        return whole if abs(whole) <= _LARGEST_INT else {"int": str(whole)}
    if isinstance(value, float | np.floating):
        number = float(value)
        # 1.0 could be read back as 1, so whole floats are written as strings
        plain = math.isfinite(number) and not number.is_integer()
        return number if plain else {"float": repr(number)}
    raise TypeError(
        f"An option must be a word or a number to be written as JSON; got {shown(value)}."
    )


# ------------------------------------------------------------------------------- reading


def read(value: Any, hint: Any, where: str) -> Any:
    """Return the value that :func:`written` wrote; an error names the place, ``where``."""
    if hint is Any:
        return _read_any(value, where)
    if _is_optional(hint):
        return None if value is None else read(value, _of_optional(hint), where)
    if isinstance(hint, type) and is_dataclass(hint):
        return _read_parts(value, hint, where)
    if hint in _ARRAYS:
        return _read_array(value, _ARRAYS[hint], where)
    origin, of = get_origin(hint), get_args(hint)
    if _is_mapping(origin):
        return _read_mapping(value, of[-1], where)
    if origin is tuple:
        items = _read_list(value, where)
        return tuple(read(item, of[0], f"{where}[{i}]") for i, item in enumerate(items))
    return _PLAIN[hint](value, where)


def _read_parts(value: Any, kind: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        _fail(where, "the fields of an object", value)
    hints = _hints(kind)
    for one in fields(kind):  # those with a default may be newer than the text
        if one.name not in value and {one.default, one.default_factory} == {MISSING}:
            raise ValueError(f"`text` must have a field {one.name!r} in {where}; it is missing.")
    for name in value:
        if name not in hints:
            raise ValueError(f"`text` must have only known fields in {where}; got {shown(name)}.")
    return kind(
        **{name: read(part, hints[name], f"{where}.{name}") for name, part in value.items()}
    )


def _read_mapping(value: Any, hint: Any, where: str) -> Labelled[Any]:
    found: dict[str, Any] = {}
    for pair in _read_list(value, where):
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)):
            _fail(where, "pairs of a name and a value", pair)
        if pair[0] in found:
            _fail(where, "each name once", pair[0])
        found[pair[0]] = read(pair[1], hint, f"{where}[{pair[0]!r}]")
    return Labelled(found)


def _read_array(value: Any, kind: type, where: str) -> np.ndarray[Any, Any]:
    numbers = _each(_read_list(value, where), lambda item: _PLAIN[kind](item, where))
    try:
        return np.array(numbers, dtype=kind)
    except (ValueError, OverflowError):
        raise ValueError(f"`text` must have an array at {where}; got a ragged list.") from None


def _read_list(value: Any, where: str) -> list[Any]:
    return value if isinstance(value, list) else _fail(where, "a list", value)


def _read_str(value: Any, where: str) -> str:
    return value if isinstance(value, str) else _fail(where, "a str", value)


def _read_bool(value: Any, where: str) -> bool:
    return value if isinstance(value, bool) else _fail(where, "true or false", value)


def _read_int(value: Any, where: str) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        _fail(where, "a whole number", value)
    return value


def _read_float(value: Any, where: str) -> float:
    if isinstance(value, str) and value in _FLOATS:
        return _FLOATS[value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        _fail(where, "a number", value)
    try:
        return float(value)
    except OverflowError:
        return _fail(where, "a smaller number", value)


def _read_any(value: Any, where: str) -> Any:
    if isinstance(value, list):
        return tuple(_read_any(item, f"{where}[{i}]") for i, item in enumerate(value))
    if isinstance(value, Mapping):
        for name, kind in (("int", int), ("float", float)):
            if list(value) == [name] and isinstance(value[name], str):
                try:
                    return kind(value[name])
                except ValueError:
                    break
        _fail(where, "a word or a number", value)
    return value


_PLAIN: Mapping[Any, Any] = types.MappingProxyType(
    {str: _read_str, bool: _read_bool, int: _read_int, float: _read_float}
)


def _fail(where: str, needed: str, value: object) -> NoReturn:
    raise ValueError(f"`text` must have {needed} at {where}; got {shown(value)}.")


# --------------------------------------------------------------------------------- types


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass by name, in order."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _is_optional(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


def _of_optional(hint: Any) -> Any:
    (kind,) = (part for part in get_args(hint) if part is not type(None))
    return kind


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _each(nested: Any, change: Any) -> Any:
    """Apply a function to every number of nested lists."""
    return [_each(item, change) for item in nested] if isinstance(nested, list) else change(nested)
