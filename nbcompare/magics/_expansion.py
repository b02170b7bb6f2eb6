"""Lines as IPython's users write them: values in braces, a semicolon at the end, ``--help``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import needs_local_scope, no_var_expand
from IPython.utils.text import DollarFormatter

from nbcompare.magics._lines import asks_for_help
from nbcompare.magics._sources import is_frame

# what IPython makes of a line or a cell whose own line ends with a semicolon, in either quotes
_SILENT = re.compile(
    r"^([^'\"()]*get_ipython\(\)\.run_(?:line|cell)_magic\('(\w+)', "
    r"(?:'(?:[^'\\]|\\.)*; *'|\"(?:[^\"\\]|\\.)*; *\")(?:, .*)?\))$"
)


def prepared(run: Callable[..., Any]) -> Callable[..., Any]:
    """Let a magic take lines as IPython's users write them; help is its docstring."""

    @wraps(run)
    def take(self: Any, line: str, *cell: str | None, local_ns: Mapping[str, Any]) -> Any:
        line = _expanded(run.__name__, line, self.namespace, local_ns)
        if asks_for_help(line):
            print(take.__doc__)
            return None
        return run(self, line, *cell)

    # IPython would write the text of a table into the line, where its name is meant
    taking: Callable[..., Any] = no_var_expand(needs_local_scope(take))
    return taking


class Silencer:
    """Writes the semicolon that ends a line behind the call as well, where IPython looks for it.

    Parameters
    ----------
    names : collection of str
        The magics whose lines may end with one.
    """

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def __call__(self, lines: list[str]) -> list[str]:
        """Transform what is run."""
        return [self._silenced(line) for line in lines]

    def _silenced(self, line: str) -> str:
        code = line.rstrip("\n")
        found = _SILENT.match(code)
        is_ours = found is not None and found[2] in self._names
        return f"{code};{line[len(code) :]}" if is_ours else line


def _expanded(magic: str, line: str, namespace: Mapping[str, Any], local: Mapping[str, Any]) -> str:
    """Write values for what stands in braces, or behind a dollar sign, and names for data."""
    try:
        return str(_Formatter(magic, namespace).vformat(line, (), {**namespace, **local}))
    except UsageError:
        raise
    except Exception:  # as in other magics, what cannot be evaluated stays as it is
        return line


class _Formatter(DollarFormatter):
    """Writes data by their name in the notebook."""

    def __init__(self, magic: str, namespace: Mapping[str, Any]) -> None:
        self._magic, self._namespace = magic, namespace

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return the text of a value."""
        kind = type(value)
        if kind.__module__.partition(".")[0] != "nbcompare" and not is_frame(value):
            return str(super().format_field(value, format_spec))
        names = [name for name, one in self._namespace.items() if one is value]
        for name in sorted(names, key=lambda name: name.startswith("_")):
            return name
        raise UsageError(
            f"%{self._magic}: a line takes data by name, and what stands in braces has none. Write "
            f"data = ... first, and then %{self._magic} data."
        )
