"""A JSON Schema of what results write as JSON, from the types of their fields."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from markup import code, heading, table

from nbcompare import results
from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._commands import ANALYSES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FILE = "results.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
# JSON has no infinite numbers, and notebook programs write -0.0 as 0
_NUMBER = {"anyOf": [{"type": "number"}, {"enum": ["Infinity", "-Infinity", "NaN", "-0.0"]}]}
_PLAIN: Mapping[Any, Mapping[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"$ref": "#/$defs/number"},
    Any: {"$ref": "#/$defs/option"},
}
_ARRAYS = {FloatArray: float, IntArray: int, BoolArray: bool}
_ARRAY_WORDS = {
    "array-float": "an array of numbers",
    "array-int": "an array of whole numbers",
    "array-bool": "an array of true and false",
}
# An option: a word, a number that would lose its type as JSON, or several of these
_OPTION = {
    "anyOf": [
        {"type": ["string", "boolean", "number", "null"]},
        {"type": "object", "maxProperties": 1, "properties": {
            "int": {"type": "string"}, "float": {"type": "string"}}},
        {"type": "array", "items": {"$ref": "#/$defs/option"}},
    ]
}  # fmt: skip


def result_classes() -> tuple[type, ...]:
    """Return the classes of results that analyses return, and studies of power."""
    names = dict.fromkeys(
        name for what in ANALYSES for name in (what.result, what.pair_result) if name
    )
    return (*(getattr(results, name) for name in names), results.PowerStudy)


def schema() -> dict[str, Any]:
    """Return the schema: the result of any analysis."""
    parts: dict[str, Any] = {"number": _NUMBER, "option": _OPTION}
    for kind in result_classes():
        _define(kind, parts)
    return {
        "$schema": _DIALECT,
        "title": f"Results of nbcompare as JSON, schema {results.SCHEMA}",
        "anyOf": [_document(kind) for kind in result_classes()],
        "$defs": parts,
    }


def _document(kind: type) -> dict[str, Any]:
    """Return the schema of a whole document: which class it is of, and its fields."""
    own = {
        "nbcompare": {"type": "string"},
        "schema": {"const": results.SCHEMA},
        "class": {"const": kind.__name__},
        "fields": {"$ref": f"#/$defs/{kind.__name__}"},
    }
    return {
        "type": "object",
        "properties": own,
        "required": list(own),
        "additionalProperties": False,
    }


def _define(kind: type, parts: dict[str, Any]) -> None:
    if kind.__name__ in parts:
        return
    parts[kind.__name__] = {}  # known, while its fields are looked at
    hints = get_type_hints(kind)
    properties = {field.name: _of(hints[field.name], parts) for field in fields(kind)}
    parts[kind.__name__] = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _of(hint: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field of this type."""
    origin, of = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (kind,) = (part for part in of if part is not type(None))
        return {"anyOf": [_of(kind, parts), {"type": "null"}]}
    if isinstance(hint, type) and is_dataclass(hint):
        _define(hint, parts)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if hint in _ARRAYS:
        return {"$ref": f"#/$defs/{_array(_ARRAYS[hint], parts)}"}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        pair = [_PLAIN[str], _of(of[-1], parts)]
        return {"type": "array", "items": {
            "type": "array", "prefixItems": pair, "minItems": 2, "maxItems": 2}}  # fmt: skip
    if origin is tuple:
        return {"type": "array", "items": _of(of[0], parts)}
    return dict(_PLAIN[hint])


def _array(kind: type, parts: dict[str, Any]) -> str:
    """Define arrays of numbers with any number of dimensions, and return their name."""
    name = f"array-{kind.__name__}"
    inside = [_PLAIN[kind], {"$ref": f"#/$defs/{name}"}]
    parts[name] = {"type": "array", "items": {"anyOf": inside}}
    return name


# -------------------------------------------------------------------------------- the page


def page() -> str:
    """Return a section for each class, with a table of its fields."""
    parts = schema()["$defs"]
    whole = [kind.__name__ for kind in result_classes()]
    inside = [name for name in parts if "properties" in parts[name] and name not in whole]
    return "\n\n".join(part for name in (*whole, *inside) for part in _section(name, parts[name]))


def _section(name: str, part: Mapping[str, Any]) -> Iterator[str]:
    yield heading(f"schema-{name.lower()}", name)
    yield f"The fields of {{class}}`~nbcompare.results.{name}`."
    rows = ([code(field), _words(of)] for field, of in part["properties"].items())
    yield table(["field", "what it holds"], rows)


def _words(part: Mapping[str, Any]) -> str:
    """Say in Markdown what a field holds."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        if name in {"number", "option"}:
            return f"{'an' if name == 'option' else 'a'} {name}"
        if name in _ARRAY_WORDS:
            return _ARRAY_WORDS[name]
        return f"[{name}](#schema-{name.lower()})"
    if "anyOf" in part:
        return f"{_words(part['anyOf'][0])}, or null"
    if part["type"] == "array":
        inside = part["items"]
        if "prefixItems" in inside:
            return f"pairs of a name and {_words(inside['prefixItems'][1])}"
        return f"a list, each {_words(inside)}"
    return {"string": "text", "boolean": "true or false", "integer": "a whole number"}[part["type"]]


def _write(app: Sphinx, problem: Exception | None) -> None:
    if problem is None and app.builder.format == "html":
        text = json.dumps(schema(), indent=1)
        (Path(app.outdir) / FILE).write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the schema beside the pages."""
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
