"""The call that read a table, kept beside what it made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from nbcompare._tables import memory
from nbcompare._tables.lines import STANDARD_INPUT

_Arguments = ParamSpec("_Arguments")
_Made = TypeVar("_Made")


class Origin(NamedTuple):
    """A call that made an object.

    Attributes
    ----------
    function : str
        Name by which users of the package call it: ``Experiment.read``, ``datasets.load``.
    source : Path or str
        Argument of the call: a file or folder, in full, or the name of a bundled example.
    options : mapping
        Keyword arguments of the call.
    stamp : tuple of int
        State of the file then; see :func:`stamp_of`.
    item : str or None
        Which of the objects that the call made, if it made several by name.
    """

    function: str
    source: Path | str
    options: Mapping[str, Any]
    stamp: tuple[int, ...] = ()
    item: str | None = None

    @property
    def picked(self) -> str:
        """Return what follows the call in code, to take the one of several objects."""
        return "" if self.item is None else f"[{self.item!r}]"


# Kept beside the objects, not in them: experiments from two files may be equal.
_ORIGINS: WeakKeyDictionary[Any, Origin] = WeakKeyDictionary()


def remember(made: object, origin: Origin) -> None:
    """Keep where an object is from for as long as the object is there."""
    _ORIGINS[made] = origin


def origin_of(made: object) -> Origin | None:
    """Return where an object is from; None for what was changed, selected, or made otherwise."""
    return _ORIGINS.get(made)


def remembered(read: Callable[_Arguments, _Made]) -> Callable[_Arguments, _Made]:
    """Let the classmethod ``read(path, **options)`` remember its arguments."""

    @wraps(read)
    def remembering(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Made:
        named = dict(options)
        given = arguments[1] if len(arguments) > 1 else named.pop("path", None)
        with memory.explained(Path(str(given))):
            made = read(*arguments, **options)
        if str(given) == STANDARD_INPUT:
            return made  # which cannot be read again
        path = Path(str(given)).resolve()
        origin = Origin(f"{type(made).__name__}.read", path, named, stamp_of(path))
        remember(made, origin)
        return made

    return remembering


def stamp_of(path: Path) -> tuple[int, ...]:
    """Return size and time of change of a file, or of all in a folder: others once it changes."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    states = [file.stat() for file in files if file.is_file()]
    return tuple(number for state in states for number in (state.st_size, state.st_mtime_ns))
