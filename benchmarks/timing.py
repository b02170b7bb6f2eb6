"""How benchmarks take and show times."""

from __future__ import annotations

import time
from collections.abc import Callable


def best(work: Callable[[], object], repetitions: int = 5) -> float:
    """Shortest time of several repetitions, in seconds, after one to warm up."""
    work()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def show(what: str, measured: str, goal: str) -> None:
    print(f"{what:<58} {measured:>28}   {goal}", flush=True)
