"""What figures of imprecise outcomes have in common: their basis, and the rows that are drawn."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence

from nbcompare._validation import check_count, check_name, shown
from nbcompare.results.imprecise import ImpreciseHypotheses
from nbcompare.results.stochastic import StochasticComparison, blocks
from nbcompare.words import IMPRECISE_TESTS, PROCEDURES, STOCHASTIC_PROCEDURES


def basis(result: StochasticComparison, rows: ImpreciseHypotheses) -> str:
    """Return the basis of the tests, such as ``Bootstrap-B, Holm, α = 0.05, 32 data sets``."""
    how = STOCHASTIC_PROCEDURES[result.procedure].label
    how = f"{how[0].upper()}{how[1:]}"
    if result.test is not None:
        how += f" of {IMPRECISE_TESTS[result.test].label}"
    adjust = next((PROCEDURES[name].label for name in rows.adjusted_low), "unadjusted")
    return f"{how}, {adjust}, α = {result.alpha:g}, {blocks(result)}"


def mean_of(result: StochasticComparison) -> str:
    """Return the name of the mean, such as ``mean error``, without repeating the word mean."""
    measure = result.measure or "score"
    return f"mean {measure[5:]}" if measure.lower().startswith("mean ") else f"mean {measure}"


def keys_of(rows: ImpreciseHypotheses) -> list[tuple[str, ...]]:
    """Return the two algorithms of each row, or the one compared with the mean of all."""
    if rows.second is None:
        return [(name,) for name in rows.first]
    return list(zip(rows.first, rows.second, strict=True))


def choose(keys: Sequence[tuple[str, ...]], rows: object, most: int) -> list[int]:
    """Return the positions of the rows to draw: the first few, one algorithm's, or those named."""
    if rows is None:
        return list(range(len(keys)))[:most]
    if isinstance(rows, str):
        names = dict.fromkeys(name for key in keys for name in key)
        check_name(rows, "rows", tuple(names))
        return [position for position, key in enumerate(keys) if rows in key]
    if isinstance(rows, numbers.Number):
        return list(range(len(keys)))[: check_count(rows, "rows", least=1)]
    if not isinstance(rows, Iterable):
        raise TypeError(
            "`rows` must be a number, the name of an algorithm, or a list of comparisons; "
            f"got {shown(rows)}."
        )
    at = {frozenset(key): position for position, key in enumerate(keys)}
    items = list(rows)
    found = [at.get(_as_key(item), -1) for item in items]
    if not found or -1 in found:
        pairs = "pairs of names" if len(keys[0]) == 2 else "names"
        wrong = shown(items[found.index(-1)]) if found else "none"
        example = ", ".join(map(repr, keys[0]))
        example = f"({example})" if len(keys[0]) == 2 else example
        raise ValueError(
            f"`rows` must list {pairs} that were compared, such as {example}; got {wrong}."
        )
    return list(dict.fromkeys(found))


def _as_key(item: object) -> frozenset[str]:
    if isinstance(item, str):
        return frozenset({item})
    names = [name for name in item if isinstance(name, str)] if isinstance(item, Iterable) else []
    return frozenset(names)
