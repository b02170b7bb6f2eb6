"""Comparing algorithms as the peers do, beside them in the same run, and by the default design.

``python benchmarks/compare.py [largest n]``. Peers that are not installed are left out: autorank
and scikit-posthocs, which do Nemenyi's test after Friedman's. "By hand" is SciPy's Friedman test,
ranks or Wilcoxon's test of each pair, and a loop for Holm's adjustment. Times are of the processor.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import math
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy import stats
from timing import show

import nbcompare as nbc

SIZES = ((30, 5), (1_000, 10), (100_000, 20), (1_000_000, 20))
# What the peers do
PEERS = {"ranking": "friedman", "pairs": "ranks", "adjust": "holm", "method": "normal"}
# Repetitions for so many scores, and for fewer
REPEATED = ((100_000, 20), (10_000_000, 3), (math.inf, 1))


def processor(work: Callable[[], object], size: int) -> float:
    """Least processor time of some repetitions, in seconds, after one to warm up."""
    repetitions = next(count for most, count in REPEATED if size <= most)
    work()
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def by_hand(scores: np.ndarray) -> tuple[float, np.ndarray]:
    """Friedman's p, and Holm's adjusted p of all pairs; higher scores are better."""
    n, k = scores.shape
    omnibus = stats.friedmanchisquare(*scores.T).pvalue
    averages = stats.rankdata(-scores, axis=1).mean(axis=0)
    first, second = np.triu_indices(k, 1)
    z = (averages[second] - averages[first]) / math.sqrt(k * (k + 1) / (6 * n))
    return float(omnibus), holm(2 * stats.norm.sf(np.abs(z)))


def by_hand_of_each(scores: np.ndarray) -> tuple[float, np.ndarray]:
    """Friedman's p, and Holm's adjusted p of Wilcoxon's tests of all pairs."""
    omnibus = stats.friedmanchisquare(*scores.T).pvalue
    pairs = itertools.combinations(scores.T, 2)
    return float(omnibus), holm(np.array([stats.wilcoxon(*pair).pvalue for pair in pairs]))


def holm(p: np.ndarray) -> np.ndarray:
    adjusted, highest = np.empty(len(p)), 0.0
    for place, row in enumerate(np.argsort(p)):
        highest = max(highest, min(1.0, (len(p) - place) * p[row]))
        adjusted[row] = highest
    return adjusted


def peers(scores: np.ndarray) -> dict[str, Callable[[], object]]:
    """The peers that are installed, ready to compare these scores."""
    frame = pd.DataFrame(scores)
    found: dict[str, Callable[[], object]] = {"by hand": lambda: by_hand(scores)}
    posthocs = _installed("scikit_posthocs")
    if posthocs is not None:
        found["scikit-posthocs"] = lambda: (
            stats.friedmanchisquare(*scores.T),
            posthocs.posthoc_nemenyi_friedman(scores),
        )
    autorank = _installed("autorank")
    if autorank is not None:

        def ranked() -> None:
            with contextlib.redirect_stdout(io.StringIO()):  # it prints its result
                autorank.autorank(frame, alpha=0.05, verbose=False, force_mode="nonparametric")

        found["autorank"] = ranked
    return found


def _installed(name: str) -> object | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def experiment(n: int, k: int, decimals: int | None = None) -> tuple[np.ndarray, nbc.Experiment]:
    scores = np.random.default_rng(0).random((n, k))
    scores = scores if decimals is None else scores.round(decimals)
    return scores, nbc.Experiment.from_array(scores, direction="maximize")


def bench_compare_beside_peers(largest: int = 100_000) -> None:
    for n, k in SIZES:
        if n > largest:
            continue
        scores, data = experiment(n, k)
        tests = nbc.compare(data, **PEERS).hypotheses
        if not np.allclose(np.sort(tests.adjusted["holm"]), np.sort(by_hand(scores)[1])):
            raise SystemExit("adjusted p-values differ from those by hand")
        ours = processor(lambda data=data: nbc.compare(data, **PEERS), scores.size)
        show(f"compare {n:,} x {k}", f"{ours * 1e3:,.2f} ms", "")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, work in peers(scores).items():
                theirs = processor(work, scores.size)
                goal = ">= 2x" if name == "by hand" and n >= 1_000 else ">= 1x"
                measured = f"{theirs * 1e3:,.2f} ms: {theirs / ours:.1f}x"
                show(f"  {name}", measured, goal)
        default = processor(lambda data=data: nbc.compare(data), scores.size)
        show("  the default design", f"{default * 1e3:,.2f} ms", "30 s")
        if scores.size < 100_000:
            theirs = processor(lambda scores=scores: by_hand_of_each(scores), scores.size)
            show("    by hand", f"{theirs * 1e3:,.2f} ms: {theirs / default:.1f}x", ">= 1x")
            frame = pd.DataFrame(scores).add_prefix("A")
            read = processor(
                lambda frame=frame: nbc.compare(frame, direction="maximize"), scores.size
            )
            goal = "1.5 ms" if n == 30 else ""
            show("    from a dataframe, with its checks", f"{read * 1e3:,.2f} ms", goal)


def bench_effects(largest: int = 100_000) -> None:
    """What is computed only when it is looked at: effect sizes, counts and mean differences."""
    for n, k in SIZES:
        if n > largest:
            continue
        for decimals in (None, 3):
            _, data = experiment(n, k, decimals)
            result = nbc.compare(data)
            start = time.process_time()
            str(result)
            shown = time.process_time() - start
            result = nbc.compare(data, **PEERS)
            start = time.process_time()
            result.to_frame()
            took = time.process_time() - start
            kind = "no decimals in common" if decimals is None else f"{decimals} decimals"
            measured = f"{took * 1e3:,.1f} ms by ranks, {shown * 1e3:,.1f} ms shown by default"
            show(f"effects of pairs {n:,} x {k}, {kind}", measured, "")


def bench_growth(largest: int = 100_000) -> None:
    """Slopes of the time on logarithmic scales, in n and in k."""
    sizes = [n for n in (100, 1_000, 10_000, 100_000, 1_000_000) if n <= largest]
    for what, cases in (
        ("n, k = 10", [(n, 10) for n in sizes]),
        ("k, n = 50", [(50, k) for k in (10, 20, 40, 80)]),
    ):
        times = []
        for n, k in cases:
            scores, data = experiment(n, k)
            times.append(processor(lambda data=data: nbc.compare(data, **PEERS), scores.size))
        along = [max(case) if what[0] == "n" else case[1] for case in cases]
        slopes = np.diff(np.log(times)) / np.diff(np.log(along))
        steps = f"{along[0]:,} to {along[-1]:,}"
        measured = ", ".join(f"{slope:.2f}" for slope in slopes)
        show(f"growth in {what}, from {steps}", measured, "about 1 in n, at most 2 in k")


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    bench_compare_beside_peers(most)
    bench_effects(min(most, 200_000))
    bench_growth(most)
