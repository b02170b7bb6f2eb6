"""One piece of work of one package, measured in the process that runs this.

``python of_<package>.py <work> <table.csv> <repetitions>`` prints one line of JSON. Only the
standard library is needed, because each package has an environment of its own.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Pairs = dict[str, float]
Work = Callable[[Path], Mapping[str, Any]]


def pairs_of(names: Sequence[str], p: Callable[[int, int], float]) -> Pairs:
    """Return p by pair, of the names in the order of the table."""
    pairs = itertools.combinations(range(len(names)), 2)
    return {f"{names[i]} - {names[j]}": float(p(i, j)) for i, j in pairs}


def measure(works: Mapping[str, Work]) -> None:
    """Do the work that the command line names, and print what it took and found.

    ``processor`` is the least of the repetitions; ``first`` that of the first one, with what a
    package imports on demand; both are seconds. ``memory`` is the peak of the process in MiB.
    """
    os.environ.setdefault("MPLBACKEND", "agg")
    name, table, repetitions = sys.argv[1], Path(sys.argv[2]).resolve(), int(sys.argv[3])
    if name not in works:
        print(json.dumps({"lacks": True}))
        return
    taken: list[float] = []
    found: Mapping[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(repetitions):
                start = time.process_time()
                found = works[name](table)
                taken.append(time.process_time() - start)
        os.chdir("/")
    told = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "processor": min(taken),
                "first": taken[0],
                "memory": told.ru_maxrss / 1024,
                **found,
            }
        )
    )
