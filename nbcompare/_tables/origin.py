"""The call that read a table, kept beside what it made, and what to say if memory runs out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from glob import escape
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from nbcompare._tables.lines import STANDARD_INPUT, files_under

_ANY = re.compile(r"\{[^{}/]*\}|\*")  # in a pattern
_BUFFERS = 2**26  # bytes that polars takes


def require_bytes(need: int, source: str) -> None:
    """Raise an error where a table surely does not fit: polars ends the process if memory runs out.

    ``need`` is how many bytes it takes at least.
    """
    free = free_bytes()
    if free is not None and need and need + _BUFFERS > free:
        raise MemoryError(
            f"{source} needs at least {need / 1e6:,.0f} MB of memory; {free / 1e6:,.0f} MB were "
            "free. Split the file by data sets and read the parts, or take a machine with more "
            "memory."
        )


def free_bytes() -> int | None:
    """Return how many bytes this process may still take; None where nothing tells."""
    found = []
    try:
        with Path("/proc/meminfo").open(encoding="ascii") as lines:
            found += [int(line.split()[1]) * 1024 for line in lines if "MemAvailable" in line]
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
            taken = int(pages) * resource.getpagesize()
            found.append(max(0, limit - taken))
    except (ImportError, OSError, ValueError):
        pass
    return min(found, default=None)


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
        made = read(*arguments, **options)
        if str(given) == STANDARD_INPUT:
            return made  # which cannot be read again
        path = Path(str(given)).resolve()
        origin = Origin(f"{type(made).__name__}.read", path, named, stamp_of(path))
        remember(made, origin)
        return made

    return remembering


def stamp_of(path: Path) -> tuple[int, ...]:
    """Return size and time of change of a file, or of all in a folder: others once it changes.

    Where there is none, the path may be a pattern of files.
    """
    files = sorted(files_under(path)) if path.is_dir() else [path]
    if not path.exists() and (folder := next((it for it in path.parents if it.is_dir()), None)):
        pattern = _ANY.split(path.relative_to(folder).as_posix())
        files = sorted(folder.glob("*".join(map(escape, pattern))))
    states = [file.stat() for file in files if file.is_file()]
    return tuple(number for state in states for number in (state.st_size, state.st_mtime_ns))
