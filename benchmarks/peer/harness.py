"""Pieces of work of one package, measured in the process that runs this.

``python of_<package>.py`` reads a request as JSON and prints an answer as JSON for each table.
Only the standard library is needed, because each package has an environment of its own.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import itertools
import json
import math
import os
import platform
import resource
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Pairs = dict[str, float]


class Loaded(NamedTuple):
    """Work on data that are in memory before time is taken."""

    load: Callable[[Path], Any]
    work: Callable[[Any], Any]


Work = Callable[[Path], Any] | Loaded


def pairs_of(names: Sequence[str], p: Callable[[int, int], float]) -> Pairs:
    """Return p by pair, of the names in the order of the table."""
    pairs = itertools.combinations(range(len(names)), 2)
    return {f"{names[i]} - {names[j]}": float(p(i, j)) for i, j in pairs}


def by_pair(names: Sequence[str], p: Sequence[float]) -> Pairs:
    """Return p by pair, from a list in the order (0, 1), (0, 2), ..., (1, 2), ..."""
    pairs = itertools.combinations(names, 2)
    return {f"{a} - {b}": float(one) for (a, b), one in zip(pairs, p, strict=True)}


def measure(works: Mapping[str, Work]) -> None:
    """Answer the request that standard input holds, with a line for each of its tables."""
    os.environ.setdefault("MPLBACKEND", "agg")
    request, out = json.load(sys.stdin), sys.stdout
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for table in request["tables"]:
                print(json.dumps(_answer(works, request, table)), file=out, flush=True)


def _answer(works: Mapping[str, Work], request: Mapping[str, Any], table: str) -> dict[str, Any]:
    name = request["work"]
    if name not in works:
        return {"lacks": True}
    try:
        if name == "agreement":
            versions = _versions(request["distributions"])
            return {"versions": versions, **_found(works[name](Path(table)))}
        return _timed(works[name], Path(table), request["limit"])
    except Exception as error:
        return _failed(error)


def _found(quantities: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """Compute each quantity by itself, so that one that fails leaves the others."""
    found: dict[str, Any] = {}
    for name, compute in quantities.items():
        try:
            found[name] = compute()
        except Exception as error:
            found[name] = _failed(error)
    return found


def _failed(error: Exception) -> dict[str, Any]:
    trace = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(trace.filename).name}, {trace.name}"
    return {"error": f"{type(error).__name__}: {error}"[:300], "place": place}


def _timed(work: Work, table: Path, limit: float) -> dict[str, Any]:
    """Repeat the work, at most 20 times, and less often the longer it takes."""
    imported = _used()
    given, act = (work.load(table), work.work) if isinstance(work, Loaded) else (table, work)
    before = _peak()
    # It ends by itself in the middle of work that takes too long, and so does what it starts
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(_used() + 1.2 * limit), hard))
    taken: list[float] = []
    while _is_worth_repeating(taken, limit):
        start = _used()
        act(given)
        taken.append(_used() - start)
    return {
        "seconds": min(taken),
        "first": taken[0],
        "imports": imported,
        "memory": _peak(),
        "loaded": before,
        "repetitions": len(taken),
    }


def _is_worth_repeating(taken: Sequence[float], limit: float) -> bool:
    """Whether to do the work again; the first time does not count, as it imports what it needs."""
    if len(taken) < 2:
        return sum(taken) < limit / 4
    again = sum(taken[1:])
    return again < limit / 12 if len(taken) < 3 else again < 1 and len(taken) < 20


def _used() -> float:
    """Processor time of this process and of those that it started and that have ended."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _peak() -> float:
    """Peak of memory in MiB, of this process or of the largest one that it started."""
    unit = 2**20 if sys.platform == "darwin" else 2**10
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    with contextlib.suppress(OSError):
        # Linux counts what the process that started this one had as the peak of this one, too
        lines = Path("/proc/self/status").read_text().splitlines()
        own = next(float(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 2**10
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / unit)


def _versions(distributions: Sequence[str]) -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in distributions:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found
