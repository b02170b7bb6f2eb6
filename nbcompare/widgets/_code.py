"""Python code that reproduces what a builder shows, laid out as formatters do."""

from __future__ import annotations

import ast
import json
import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbcompare.report.notebook.source import is_untouched, repeatable, seen_from

_WIDTH = 88
_INDENT = "    "
# A selection is told by what is left out if that is so much shorter.
_MOST_LEFT_OUT = 8


@dataclass(frozen=True, slots=True)
class Expression:
    """A piece of code among values, which is written as it is."""

    text: str


def call(
    function: str, first: Sequence[Any], keywords: Mapping[str, Any], *, target: str = ""
) -> str:
    """Return a call over as many lines as it needs, bound to a name if there is a target.

    Examples
    --------
    >>> print(call("nbc.compare", [Expression("data")], {"adjust": "holm"}, target="result"))
    result = nbc.compare(data, adjust="holm")
    """
    start = f"{target} = {function}" if target else function
    items = [("", value) for value in first]
    items += [(f"{name}=", value) for name, value in keywords.items()]
    return _bracketed(start + "(", items, ")", "")


def _bracketed(start: str, items: Sequence[tuple[str, Any]], end: str, indent: str) -> str:
    """Return items on one line if they fit, else between the brackets, else one item a line."""
    flat = ", ".join(prefix + _flat(value) for prefix, value in items)
    if "\n" not in flat and len(indent) + len(start) + len(flat) + len(end) <= _WIDTH:
        return f"{start}{flat}{end}"
    inner = indent + _INDENT
    collection = start.endswith(("[", "{"))
    if "\n" not in flat and len(inner) + len(flat) <= _WIDTH and not collection:
        return f"{start}\n{inner}{flat}\n{indent}{end}"
    lines = [f"{inner}{_wrapped(prefix, value, inner)},\n" for prefix, value in items]
    return f"{start}\n{''.join(lines)}{indent}{end}"


def _wrapped(prefix: str, value: Any, indent: str) -> str:
    if isinstance(value, list | tuple):
        return _bracketed(f"{prefix}[", [("", item) for item in value], "]", indent)
    if isinstance(value, Mapping):
        items = [(f"{_flat(key)}: ", item) for key, item in value.items()]
        return _bracketed(f"{prefix}{{", items, "}", indent)
    return prefix + _flat(value)


def _flat(value: Any) -> str:
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flat, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_flat(key)}: {_flat(item)}' for key, item in value.items())}}}"
    if isinstance(value, str):
        return literal(value) if "\n" in value else quoted(value)
    return repr(value)


def quoted(text: str) -> str:
    r"""Return a string in double quotes, unless that needs more escapes.

    Examples
    --------
    >>> quoted("C4.5"), quoted("it's"), quoted('say "so"')
    ('"C4.5"', '"it\'s"', '\'say "so"\'')
    """
    plain = repr(text)
    if plain.startswith('"') or '"' in text:
        return plain
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else f'"{plain[1:-1]}"'


# What the code binds itself: data of such a name would be lost when it is run
_OWN = frozenset({"nbc", "result", "bayesian", "selection", "report"})


def user_names() -> Mapping[str, Any]:
    """Return what the user's names are bound to; nothing outside of IPython."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    return {} if shell is None else dict(shell.user_ns)


def name_of(value: object, namespace: Mapping[str, Any]) -> str:
    """Return the first public name that is bound to this very object; empty if there is none.

    Examples
    --------
    >>> data = object()
    >>> name_of(data, {"_": data, "mine": data})
    'mine'
    """
    for name, bound in namespace.items():
        if bound is value and _is_plain(name):
            return name
    return ""


def loading(data: object, target: str) -> str:
    """Return the call that loaded the data, bound to a name; empty if none would do so now.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> loading(nbc.datasets.load("demsar2006"), "experiment")
    'experiment = nbc.datasets.load("demsar2006")'
    """
    origin = repeatable(data)
    if origin is None or not is_untouched(origin):
        return ""
    source = origin.source
    if isinstance(source, Path):
        source = seen_from(Path.cwd(), source)
    made = call(f"nbc.{origin.function}", [source], origin.options, target=target)
    return made + origin.picked


def reading(frame: tuple[Any, str | None] | None, target: str) -> str:
    """Return the call that makes an experiment of a dataframe; empty if it has no name."""
    if frame is None or not (name := name_of(frame[0], user_names())):
        return ""
    options = {"direction": frame[1]}
    return call("nbc.Experiment.from_frame", [Expression(name)], options, target=target)


def _is_plain(name: str) -> bool:
    plain = name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
    return plain and name not in _OWN


def selection(
    data: str, chosen: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]], *, target: str
) -> str:
    """Return ``target = data.select(...)`` for the names that are chosen; empty for all of them.

    Parameters
    ----------
    data : str
        The name of the data.
    chosen : mapping
        By axis: the names that are chosen, and all names.
    target : str
        What to call the selection.
    """
    keywords: dict[str, Any] = {
        axis: _chosen(data, axis, names, every)
        for axis, (names, every) in chosen.items()
        if names != every
    }
    return call(f"{data}.select", [], keywords, target=target) if keywords else ""


def _chosen(data: str, axis: str, names: tuple[str, ...], every: tuple[str, ...]) -> Any:
    kept = set(names)
    left_out = [name for name in every if name not in kept]
    if len(left_out) > _MOST_LEFT_OUT or len(names) <= 2 * len(left_out):
        return list(names)
    listed = ", ".join(map(quoted, left_out))
    test = f"!= {listed}" if len(left_out) == 1 else f"not in [{listed}]"
    text = f"[name for name in {data}.{axis} if name {test}]"
    return Expression(text) if len(text) <= _WIDTH - len(_INDENT) - len(axis) - 2 else list(names)


def report(data: str, histories: str, arguments: Mapping[str, Any], paths: Sequence[str]) -> str:
    """Return statements that make the report, and write it if there are paths.

    Parameters
    ----------
    data, histories : str
        What they are called; empty where there are none.
    arguments : mapping
        Of the report, beside those.
    paths : sequence of str
        Files to write.
    """
    named = {"histories": Expression(histories)} if histories else {}
    first = [Expression(data)] if data else []
    made = call("nbc.Report", first, {**named, **arguments}, target="report")
    last = call("report.export", paths, {}) if paths else "report"
    return f"{made}\n{last}"


def literal(text: str) -> str:
    r"""Return a string over several lines in triple quotes, where that shows what it holds.

    Examples
    --------
    >>> literal("## Setting\n\nWith $x$.").splitlines()[2][:8]
    'With $x$'
    """
    written = f'{"r" if chr(92) in text else ""}"""{text}"""'
    lines = text.split("\n")
    if all(line.isprintable() for line in lines):
        try:
            if ast.literal_eval(written) == text:
                return written
        except (SyntaxError, ValueError):
            pass
    return quoted(text)
