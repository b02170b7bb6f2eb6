"""Caveats of a comparison of convergence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._render import Note, plural
from nbcompare.histories import Histories

_MOST_LISTED = 6


def of_data(
    data: Histories, cutpoints: int, aggregate: str, tolerance: float | None
) -> Iterator[Note]:
    """Whether there are enough problems, and what became of the runs."""
    n = len(data.problems)
    if n < 2 * cutpoints:
        yield Note(
            "few-problems",
            f"There are {plural(n, 'problem')} and {cutpoints} cut-points; about twice as many "
            "problems as cut-points are advisable.",
        )
    if data.values.shape[2] > 1:
        solved = ""
        if tolerance is not None and aggregate == "mean":
            solved = (
                " Their mean is at the optimum only when every run is; aggregate='median' asks for "
                "half of them."
            )
        yield Note(
            "aggregated",
            f"Each history is the {aggregate} of its runs; the spread among them is not used."
            f"{solved}",
        )
    counts = data.n_runs
    if (counts != counts.max()).any():
        yield Note(
            "runs-differ",
            f"The algorithms were not run equally often: {counts.min()} to {counts.max()} times "
            "on a problem.",
        )


def of_versions(
    asked: str,
    versions: tuple[str, ...],
    reached: IntArray | None,
    cutpoints: int,
    tolerance: float | None,
) -> Iterator[Note]:
    """What optima that were reached, or are not known, mean for the ranks."""
    if reached is None:
        if asked == "both":
            yield Note(
                "no-optimum",
                "No optimum is known, so there are basic ranks only. If an algorithm reaches it "
                "before the end, they hold against it that it cannot improve any more.",
            )
        return
    early = np.asarray((reached <= cutpoints).any(axis=1))
    if not early.any():
        if "alternative" in versions:
            yield Note(
                "never-reached",
                f"No algorithm reaches an optimum before the end (error at most {tolerance:g}), so "
                "basic and alternative ranks are the same. `optimum_tolerance` says how near is "
                "near enough.",
            )
        return
    if "basic" in versions:
        count = int(early.sum())
        yield Note(
            "optimum-reached",
            f"On {plural(count, 'problem')} of {len(early)} an algorithm reaches the optimum "
            "before the end. There the basic ranks turn against it, since only the other one can "
            "still improve; the alternative ranks do not.",
        )


def of_leads(
    values: FloatArray, rejected: BoolArray, algorithms: tuple[str, ...]
) -> Iterator[Note]:
    """Whether an algorithm that is found faster is behind all the time.

    ``values`` (n_problems, n_algorithms, n_cutpoints), smaller is better.
    """
    found = []
    for row, column in np.argwhere(rejected):
        behind = (values[:, row] > values[:, column]).all(axis=1).mean()
        if behind > 0.5:
            found.append(f"{algorithms[row]} (than {algorithms[column]})")
    if not found:
        return
    listed = "; ".join(found[:_MOST_LISTED])
    more = f" and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else ""
    yield Note(
        "behind",
        f"Found to converge faster though behind at every cut-point of most problems: {listed}"
        f"{more}. The test compares the progress from cut-point to cut-point, and an algorithm "
        "that is nearly done at the first one makes little. Look at the curves; "
        "differences='log', alternative ranks with a tolerance or a smaller budget tell more.",
    )


def of_null(null: str) -> Iterator[Note]:
    """What the p-values suppose."""
    if null == "page":
        yield Note(
            "page-null",
            "Page's null hypothesis takes all orders of the cut-points for equally likely, but "
            "those of one run are correlated: for two copies of one algorithm it rejects 0.17 to "
            "0.25 at a nominal 0.05 with 10 cut-points. null='exchange' keeps its level.",
        )
