"""Builders: what many quick changes leave behind, and the first one (see redraw.py, too)."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import time
import tracemalloc

import numpy as np
from ipywidgets.widgets.widget import _instances as alive
from timing import best, show

import nbcompare as nbc

_WORDS = ("friedman", "aligned", "quade")


def _builder(n: int, k: int) -> nbc.CDDiagramBuilder:
    scores = np.random.default_rng(0).normal(size=(n, k)) + np.linspace(0, 2, k)
    experiment = nbc.Experiment.from_array(scores.round(2), direction="minimize")
    builder = nbc.CDDiagramBuilder(experiment, pairs="ranks", adjust="holm")
    builder._live.open()
    return builder


async def _drawn(builder: nbc.CDDiagramBuilder) -> None:
    live = builder._live
    while live.redraw.waiting or live.worker.busy:
        await asyncio.sleep(0.001)


async def _change(builder: nbc.CDDiagramBuilder, number: int) -> float:
    """Seconds from a setting that was not there before until the screen has its view."""
    start = time.perf_counter()
    with builder.hold():
        builder.alpha = 0.01 + number / 1000
        builder.ranking = _WORDS[number % 3]
    await _drawn(builder)
    return time.perf_counter() - start


def bench_rapid_changes() -> None:
    async def session() -> tuple[float, float, int, int]:
        builder = _builder(30, 5)
        tracemalloc.start()
        for number in range(10):  # until as much is kept as may be
            await _change(builder, number)
        drawn: list[object] = []
        builder.observe(drawn.append, "result")
        gc.collect()
        widgets, memory = len(alive), tracemalloc.get_traced_memory()[0]
        start = time.perf_counter()
        for number in range(200):
            builder.alpha = 0.1 + number / 1000
            builder.ranking = _WORDS[number % 3]
            await asyncio.sleep(0)
        await _drawn(builder)
        took = time.perf_counter() - start
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - memory
        tracemalloc.stop()
        return took, grown / 1024, len(drawn), len(alive) - widgets

    took, grown, drawn, widgets = asyncio.run(session())
    show("builder, 200 rapid changes, all of it traced", f"{took:.1f} s, {drawn} drawn", "1 drawn")
    show("  what they leave behind", f"{grown:.0f} KiB, {widgets} widgets", "500 KiB, none")


def bench_first_builder() -> None:
    """In a process of its own: the extension, and the first builder with its imports."""
    code = """
import time
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
start = time.perf_counter()
shell.extension_manager.load_extension("nbcompare")
loaded = time.perf_counter()
import nbcompare as nbc
nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"))._live.open()
print(loaded - start, time.perf_counter() - loaded)
"""
    times: list[list[float]] = []

    def once() -> None:
        line = [sys.executable, "-c", code]
        done = subprocess.run(line, check=True, capture_output=True, text=True)
        times.append([float(word) for word in done.stdout.split()])

    best(once, 4)
    loading, opening = np.min(times, axis=0)
    show("%load_ext nbcompare", f"{loading * 1e3:.0f} ms", "")
    show("the first builder, with what it imports", f"{opening * 1e3:.0f} ms", "")


if __name__ == "__main__":
    bench_rapid_changes()
    bench_first_builder()
