"""Recompute a result from the data with its own options, and say where it differs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nbcompare import analysis
from nbcompare._commands import RANKS_OPTIONS, analysis_of, function_of
from nbcompare._options import default
from nbcompare._render import Note
from nbcompare._validation import shown
from nbcompare.experiment import FRAME, Experiment
from nbcompare.histories import Histories
from nbcompare.results import (
    BayesianComparison,
    Comparison,
    Contrast,
    CrossValidation,
    Design,
    PowerStudy,
    Result,
    RunAggregates,
    StochasticComparison,
)

__all__ = [
    "compute_again",
    "field_differences",
    "frame_notes",
    "is_simulated",
    "part_used",
    "source_of",
    "why_not_again",
]

_RELATIVE = 1e-9
_ROUNDING = 1e-15  # of the largest of several numbers; another processor may give 0 instead

_MOST_WORK = 1_000_000  # resamples and the like; a page may demand any number of them


def source_of(result: Result) -> str | None:
    """Name what a result was computed from: ``data``, ``histories``, or None of neither."""
    if is_simulated(result):
        return None
    if analysis_of(result).takes == "histories":
        return "histories"
    return None if result.design.fingerprint is None else "data"


def is_simulated(result: Result) -> bool:
    """Whether a result comes from simulated experiments, which no data give again."""
    return isinstance(result, PowerStudy)


def why_not_again(result: Result) -> str:
    """Say why a result cannot be recomputed from data; empty if it can."""
    if is_simulated(result):
        return "its experiments were simulated; run the study again with its seed"
    if _is_drawn_anew(result):
        return "its random numbers were drawn without a seed; compute it with a seed"
    return ""


def _is_drawn_anew(result: Result) -> bool:
    """Whether a result depends on random numbers that cannot be drawn again."""
    seed = result.design.options.get("rng", 0)
    if isinstance(result, Contrast | RunAggregates):
        return not isinstance(seed, int)
    if isinstance(result, BayesianComparison):
        return result.n_samples is not None and not isinstance(seed, int)
    drawn = isinstance(result, StochasticComparison | CrossValidation)
    return drawn and isinstance(seed, str) and getattr(result, "n_resamples", None) is not None


def part_used(data: Experiment | Histories, design: Design) -> Experiment | Histories:
    """Select the algorithms and data sets that a result uses, in its order.

    The measure and the citation are those of the result where the data have none.

    Raises
    ------
    ValueError
        If the data lack one of them.
    """
    noun = "problems" if isinstance(data, Histories) else "datasets"
    blocks: Any = {noun: (*design.datasets, *design.left_out)}
    part: Experiment | Histories = data.select(algorithms=design.algorithms, **blocks)
    return replace(
        part,
        measure=design.measure if part.measure is None else part.measure,
        citation=design.citation if part.citation is None else part.citation,
    )


def compute_again(result: Result, data: Experiment | Histories | None) -> Result:
    """Recompute a result with the function that made it and the options that it records.

    Raises
    ------
    ValueError
        If the data lack a part of those of the result, or if the function refuses the options. A
        result that was changed by hand may raise any other exception.
    """
    options = dict(result.design.options)
    for name in ("n_resamples", "n_samples", "cutpoints", "largest"):
        asked = options.get(name)
        if isinstance(asked, int | float) and asked > _MOST_WORK:
            raise ValueError(
                f"`{name}` must be at most {_MOST_WORK:,} for a report to be verified; got "
                f"{shown(asked)}"
            )
    if isinstance(options.get("rng"), str):  # not used, or why_not_again says so
        options["rng"] = default("rng")
    if isinstance(result, Comparison) and data is None:
        given = {name: options[name] for name in RANKS_OPTIONS}
        return analysis.compare_ranks(result.average_ranks, result.design.n_datasets, **given)
    made_by = analysis_of(result)
    part = None if data is None else part_used(data, result.design)
    again: Result = made_by.call(function_of(made_by.function), part, (), options)
    return again


def frame_notes(result: Result) -> tuple[Note, ...]:
    """Return the notes on how the dataframe was read that a result was made of."""
    return tuple(note for note in result.notes if note.code == FRAME)


# ----------------------------------------------------------------------------- comparing


def field_differences(result: Result, again: Result) -> Iterator[tuple[str, str]]:
    """Yield where two results differ, and how; numbers differ by more than 1e-9 of their size.

    What the data cannot tell is ignored: the version of nbcompare, a source of random numbers
    without a seed, and the notes on how a dataframe was read.
    """
    one, two = (json.loads(kept.to_json())["fields"] for kept in (result, again))
    for fields in (one, two):
        fields["design"]["version"] = None
        fields["notes"] = [note for note in fields["notes"] if note["code"] != FRAME]
        if isinstance(result.design.options.get("rng"), str):
            options = fields["design"]["options"]
            fields["design"]["options"] = [pair for pair in options if pair[0] != "rng"]
    due: dict[str, Any] = {where: value for where, value, _ in _leaves(two, "", 1.0)}
    for where, value, size in _leaves(one, "", 1.0):
        other = due.get(where)
        if not _alike(value, other, size):
            texts = isinstance(value, str) and isinstance(other, str)
            here, there = map(repr if texts else shown, (value, other))
            yield where, f"{where} is {here}, recomputed {there}"


def _leaves(value: Any, where: str, size: float) -> Iterator[tuple[str, Any, float]]:
    """Yield the numbers and texts in JSON by their places, with the size of those around them."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, f"{where}.{name}" if where else name, size)
    elif isinstance(value, list):
        yield f"the length of {where}", len(value), size
        if value and all(isinstance(item, float) for item in value):
            size = max(map(abs, value))
        for place, item in enumerate(value):
            if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str):
                yield from _leaves(item[1], f"{where}[{item[0]!r}]", size)  # of a mapping
            else:
                yield from _leaves(item, f"{where}[{place}]", size)
    else:
        yield where, value, size


def _alike(one: Any, two: Any, size: float) -> bool:
    one, two = (0.0 if value == "-0.0" else value for value in (one, two))
    if type(one) is not float or type(two) is not float:
        return bool(one == two)
    if 0.0 in (one, two) or (one < 0) != (two < 0):
        # a rounding error on one side of 0, and 0 or one on the other side
        return abs(one - two) <= _ROUNDING * size
    return math.isclose(one, two, rel_tol=_RELATIVE)
