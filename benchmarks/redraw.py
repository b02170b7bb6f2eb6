"""Builders: from a change of a setting until all is drawn."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np
from timing import show

import nbcompare as nbc

_CHANGES = 9


def _scores(n: int, k: int, runs: int = 0) -> nbc.Experiment:
    rng = np.random.default_rng(0)
    shape = (n, k, 1, runs) if runs else (n, k)
    level = np.linspace(0, 2, k).reshape((1, k) + (1,) * (len(shape) - 2))
    return nbc.Experiment.from_array(
        (rng.normal(size=shape) + level).round(2), direction="minimize"
    )


def _curves(n: int, k: int, cuts: int = 30) -> nbc.Histories:
    rng = np.random.default_rng(0)
    speed = np.linspace(0.02, 0.06, k)[None, :, None]
    values = np.exp(-speed * np.arange(cuts) + 0.1 * rng.normal(size=(n, k, cuts)))
    return nbc.Histories.from_array(np.minimum.accumulate(values, axis=2), direction="minimize")


async def _change(builder: Any, **settings: Any) -> float:
    """Return the seconds from a change of settings until all is drawn."""
    start = time.perf_counter()
    with builder.hold():
        for name, value in settings.items():
            setattr(builder, name, value)
    while builder._live.redraw.waiting or builder._live.worker.busy:
        await asyncio.sleep(0.001)
    return time.perf_counter() - start


def _measured(make: Callable[[], Any], changes: Callable[[int], dict[str, Any]]) -> float:
    async def session() -> list[float]:
        builder = make()
        builder._live.open()
        await _change(builder, **changes(_CHANGES))
        return [await _change(builder, **changes(number)) for number in range(_CHANGES)]

    return median(asyncio.run(session()))


def _alpha(number: int) -> dict[str, Any]:
    return {"alpha": 0.01 + number / 200}


def main(cases: Sequence[str]) -> None:
    small, large = _scores(30, 5), _scores(300, 40)
    runs, curves = _scores(10, 30, 10), _curves(25, 20)
    builder, fuzzy, trend = nbc.CDDiagramBuilder, nbc.FuzzyPValueBuilder, nbc.PageTrendBuilder
    ranks: dict[str, Any] = {"pairs": "ranks", "adjust": "holm"}
    everything: dict[str, tuple[Callable[[], Any], str]] = {
        "30 x 5": (lambda: builder(small), "150 ms"),
        "30 x 5, matrix": (lambda: builder(small, view="matrix"), "150 ms"),
        "300 x 40, average ranks": (lambda: builder(large, **ranks), "600 ms"),
        "300 x 40, average ranks, matrix": (
            lambda: builder(large, view="matrix", **ranks),
            "600 ms",
        ),
        "300 x 40, signed ranks": (lambda: builder(large), "600 ms"),
        "fuzzy, 10 x 30 x 10": (lambda: fuzzy(runs), "500 ms"),
        "Page trend, 20 algorithms": (lambda: trend(curves), "800 ms"),
    }
    for name, (make, goal) in everything.items():
        if cases and name not in cases:
            continue
        show(name, f"{_measured(make, _alpha) * 1e3:.0f} ms", goal)


if __name__ == "__main__":
    main(sys.argv[1:])
