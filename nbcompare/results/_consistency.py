"""What within a result contradicts itself: numbers, decisions, intervals, exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare.results.description import Description
from nbcompare.results.hypotheses import Hypotheses
from nbcompare.results.imprecise import INCONCLUSIVE, NOT_REJECTED, REJECTED, ImpreciseHypotheses

if TYPE_CHECKING:
    from nbcompare.results._result import Result

_ROUNDING = 1e-9  # of p-values that were computed in two ways
_FORMATS = ("to_latex", "to_markdown", "to_typst")


def contradictions(result: Result) -> Iterator[str]:
    """Yield what in a result contradicts something else in it, as sentences."""
    for name, part, owner in _parts(result, type(result).__name__, result):
        if isinstance(part, Hypotheses):
            yield from (f"{name}: {text}" for text in _of_hypotheses(part, owner))
        elif isinstance(part, ImpreciseHypotheses):
            yield from (f"{name}: {text}" for text in _of_imprecise(part, owner))
        elif not isinstance(owner, Description) and _has_nan(part):  # which describes gaps, too
            yield f"{name} has NaN."
    again = type(result).from_json(result.to_json())
    if again.to_json() != result.to_json() or str(again) != str(result):
        yield "The result that is read from its JSON is another one."
    for section in (None, *result.sections):
        for export in _FORMATS:
            if "nan" in getattr(result, export)(section).lower().split():
                yield f"{export}({section!r}) shows NaN."
    if result.sentences[: len(result.findings)] != result.findings:
        yield "The sentences do not begin with the findings."
    if any(not text or text != text.strip() for text in result.sentences):
        yield "A sentence is empty, or has blanks at its ends."


def _has_nan(part: Any) -> bool:
    return isinstance(part, np.ndarray) and part.dtype.kind == "f" and bool(np.isnan(part).any())


def _parts(value: Any, name: str, owner: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the parts of a record, and theirs, with their names and the result that has them."""
    yield name, value, owner
    if is_dataclass(value) and not isinstance(value, type):
        owner = value if hasattr(value, "design") else owner
        for one in fields(value):
            yield from _parts(getattr(value, one.name), f"{name}.{one.name}", owner)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _parts(part, f"{name}[{key!r}]", owner)


def _of_hypotheses(tests: Hypotheses, result: Any) -> Iterator[str]:
    p, logs = tests.pvalue, tests.log10_pvalue
    decisive = next(iter(tests.adjusted.values()), p)
    if not ((p >= 0) & (p <= 1) & (logs <= 0)).all():
        yield "a p-value is not between 0 and 1."
    if not np.allclose(p, 10.0**logs, rtol=_ROUNDING, atol=0.0):
        yield "a p-value is not that of its logarithm."
    for name, values in tests.adjusted.items():
        if (values < p * (1 - _ROUNDING)).any():
            yield f"a p-value adjusted by {name} is smaller than the unadjusted one."
    if (tests.rejected != (decisive <= result.alpha)).any():
        yield "a decision is not that of the deciding p-value."
    found = tests.effects(range(len(tests)))
    lower, upper = (found.get(end, getattr(result, end, None)) for end in ("lower", "upper"))
    size = found.get("estimate", tests.mean_difference)
    if size is None or lower is None or upper is None or not len(tests):
        return
    noise = _ROUNDING * (np.abs(size) + np.abs(lower) + np.abs(upper))
    noise = np.where(np.isfinite(noise), noise, 0.0)
    if ((size < lower - noise) | (size > upper + noise)).any():
        yield "an estimate lies outside its interval."
    if getattr(result, "intervals", "simultaneous") == "simultaneous":
        inside = (lower < 0) & (upper > 0)
        outside = (lower > 0) | (upper < 0)
        if (tests.rejected & inside).any() or (~tests.rejected & outside).any():
            yield "an interval disagrees with its decision."


def _of_imprecise(tests: ImpreciseHypotheses, result: Any) -> Iterator[str]:
    low, high = tests.decisive
    if not ((tests.p_low >= 0) & (tests.p_low <= tests.p_high) & (tests.p_high <= 1)).all():
        yield "the ends of a p-value are not in order, or not between 0 and 1."
    for name in tests.adjusted_low:
        ends = (tests.adjusted_low[name] - tests.p_low, tests.adjusted_high[name] - tests.p_high)
        if min(end.min(initial=0.0) for end in ends) < -_ROUNDING:
            yield f"a p-value adjusted by {name} is smaller than the unadjusted one."
    words = np.where(
        high <= result.alpha, REJECTED, np.where(low > result.alpha, NOT_REJECTED, INCONCLUSIVE)
    )
    if tuple(words.tolist()) != tests.outcome:
        yield "an outcome is not that of the deciding p-value."
    if (tests.difference_low > tests.difference_high).any():
        yield "the ends of a difference are not in order."
