"""Recompute a result from the data with its own options, and say where it differs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from nbcompare import analysis
from nbcompare._commands import RANKS_OPTIONS, analysis_of, function_of
from nbcompare._options import default
from nbcompare._render import Note
from nbcompare._validation import listed, shown
from nbcompare.experiment import FRAME, Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.next_experiment import MOST_PLANNED
from nbcompare.report.verification.display import around
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
    "as_displayed",
    "compute_again",
    "field_differences",
    "frame_notes",
    "is_drawn_anew",
    "is_simulated",
    "part_used",
    "source_of",
]

_RELATIVE = 1e-9
_ROUNDING = 1e-15  # of the largest of several numbers; another processor may give 0 instead

# A page may demand any amount of work; what takes more than some minutes is refused.
_MOST_OF = MappingProxyType(
    {
        "n_resamples": 1_000_000,
        "n_samples": 1_000_000,
        "cutpoints": 10_000,
        "largest": MOST_PLANNED,
    }
)
_MOST_RANKED = 200  # algorithms of a table of ranks


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


def is_drawn_anew(result: Result) -> bool:
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
    blocks = (*design.datasets, *design.left_out)
    if isinstance(data, Histories):
        _check_there(design.algorithms, data.algorithms, "algorithm")
        _check_there(blocks, data.problems, "problem")
        part: Experiment | Histories = data.select(algorithms=design.algorithms, problems=blocks)
    else:
        _check_there(design.algorithms, data.algorithms, "algorithm")
        _check_there(blocks, data.datasets, "data set")
        part = data.select(algorithms=design.algorithms, datasets=blocks)
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
        If that is too much work for a page of unknown origin, or if the function refuses the
        options. A result that was changed by hand may raise any other exception.
    """
    options = dict(result.design.options)
    _check_work(result, options)
    if isinstance(options.get("rng"), str):  # not used, or is_drawn_anew
        options["rng"] = default("rng")
    if isinstance(result, Comparison) and data is None:
        given = {name: options[name] for name in RANKS_OPTIONS}
        return analysis.compare_ranks(result.average_ranks, result.design.n_datasets, **given)
    made_by = analysis_of(result)
    again: Result = made_by.call(function_of(made_by.function), data, (), options)
    return again


def _check_work(result: Result, options: Mapping[str, Any]) -> None:
    for name, most in _MOST_OF.items():
        asked = options.get(name)
        if isinstance(asked, int | float) and asked > most:
            raise ValueError(
                f"`{name}` must be at most {most:,} for a page to be verified; got {shown(asked)}"
            )
    if isinstance(result, Comparison) and len(result.average_ranks) > _MOST_RANKED:
        n_algorithms = len(result.average_ranks)
        if result.design.fingerprint is None:
            raise ValueError(
                f"average ranks must be of at most {_MOST_RANKED} algorithms for a page to be "
                f"verified; got {n_algorithms:,}"
            )


def frame_notes(result: Result) -> tuple[Note, ...]:
    """Return the notes on how the dataframe was read that a result was made of."""
    return tuple(note for note in result.notes if note.code == FRAME)


def as_displayed(again: Result, result: Result) -> Result:
    """Return a recomputed result with what the data cannot tell: the version, and such notes."""
    kept: Any = again
    design = replace(again.design, version=result.design.version)
    changed: Result = replace(kept, design=design, notes=(*frame_notes(result), *again.notes))
    return changed


def _check_there(needed: Iterable[str], there: tuple[str, ...], noun: str) -> None:
    known = set(there)
    missing = [name for name in needed if name not in known]
    if missing:
        raise ValueError(f"the data have no {noun} {listed(missing)}")


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
    yield from _unlike(one, two, "", 1.0)


def _unlike(one: Any, two: Any, where: str, size: float) -> Iterator[tuple[str, str]]:
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        for name, item in one.items():
            yield from _unlike(item, two[name], f"{where}.{name}" if where else name, size)
    elif isinstance(one, list) and isinstance(two, list):
        yield from _unlike_lists(one, two, where, size)
    elif not _alike(one, two, size):
        words = isinstance(one, str) and isinstance(two, str)
        told = around(one, two) if words else f"{shown(one)}, recomputed {shown(two)}"
        yield where, f"{where} is {told}"


def _unlike_lists(
    one: list[Any], two: list[Any], where: str, size: float
) -> Iterator[tuple[str, str]]:
    if len(one) != len(two):
        yield where, f"{where} has length {len(one)}, recomputed {len(two)}"
        return
    if one and all(isinstance(item, float) for item in one):
        size = max(map(abs, one))
    for place, (first, second) in enumerate(zip(one, two, strict=True)):
        if _is_pair(first) and _is_pair(second) and first[0] == second[0]:
            yield from _unlike(first[1], second[1], f"{where}[{first[0]!r}]", size)
        else:
            yield from _unlike(first, second, f"{where}[{place}]", size)


def _is_pair(value: Any) -> bool:
    """Whether a value is an entry of a mapping."""
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _alike(one: Any, two: Any, size: float) -> bool:
    one, two = (0.0 if value == "-0.0" else value for value in (one, two))
    if type(one) is not float or type(two) is not float:
        return bool(one == two)
    if 0.0 in (one, two) or (one < 0) != (two < 0):
        # a rounding error on one side of 0, and 0 or one on the other side
        return abs(one - two) <= _ROUNDING * size
    return math.isclose(one, two, rel_tol=_RELATIVE)
