"""Which call read some data, so that a report can show the reader how to read them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

_Arguments = ParamSpec("_Arguments")
_Made = TypeVar("_Made")


class Origin(NamedTuple):
    """A call that made an object.

    Attributes
    ----------
    function : str
        As users of the package call it: ``Experiment.read``, ``datasets.load``.
    source : Path or str
        What it was given: a file or folder, in full, or the name of a bundled example.
    options : mapping
        Its keyword arguments.
    stamp : tuple of int
        Of the file as it was then; see :func:`stamp_of`.
    """

    function: str
    source: Path | str
    options: Mapping[str, Any]
    stamp: tuple[int, ...] = ()


# Beside the objects, not in them: two experiments are the same whatever file they are from.
_ORIGINS: WeakKeyDictionary[Any, Origin] = WeakKeyDictionary()


def remember(made: object, origin: Origin) -> None:
    """Keep where an object is from for as long as the object is there."""
    _ORIGINS[made] = origin


def origin_of(made: object) -> Origin | None:
    """Where an object is from; None for what was changed, selected, or made otherwise."""
    return _ORIGINS.get(made)


def remembered(read: Callable[_Arguments, _Made]) -> Callable[_Arguments, _Made]:
    """Let the classmethod ``read(path, **options)`` remember its arguments."""

    @wraps(read)
    def remembering(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Made:
        made = read(*arguments, **options)
        named = dict(options)
        given = arguments[1] if len(arguments) > 1 else named.pop("path")
        path = Path(str(given)).resolve()
        origin = Origin(f"{type(made).__name__}.read", path, named, stamp_of(path))
        remember(made, origin)
        return made

    return remembering


def stamp_of(path: Path) -> tuple[int, ...]:
    """Size and time of change of a file, or of all in a folder: others if it has changed."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    states = [file.stat() for file in files if file.is_file()]
    return tuple(number for state in states for number in (state.st_size, state.st_mtime_ns))
