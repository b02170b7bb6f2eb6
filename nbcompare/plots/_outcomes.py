"""Symbols of the three outcomes, and axes and texts that their figures share."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.artist import Artist

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare._validation import check_count, check_name, shown
from nbcompare.plots._labels import WRAP, Entry, wrapped
from nbcompare.plots._plot import Canvas
from nbcompare.results.decisions import DECISIONS, DIFFERENT, EQUIVALENT, NEGLIGIBLE
from nbcompare.results.imprecise import (
    INCONCLUSIVE,
    NOT_REJECTED,
    OUTCOMES,
    REJECTED,
    ImpreciseHypotheses,
)
from nbcompare.results.stochastic import StochasticComparison
from nbcompare.results.stochastic_wording import blocks
from nbcompare.words import IMPRECISE_TESTS, PROCEDURES, STOCHASTIC_PROCEDURES

# Outcomes can be told apart without colour: filled, empty, and hatched or half filled; a net
# covers those within a margin.
FILL: MappingProxyType[str, dict[str, Any]] = MappingProxyType(
    {
        REJECTED: {"facecolor": "#5b9bd0", "edgecolor": "0.2"},
        NOT_REJECTED: {"facecolor": "white", "edgecolor": "0.2"},
        INCONCLUSIVE: {"facecolor": "#fbe3c8", "edgecolor": "0.2", "hatch": "/////"},
        DIFFERENT: {"facecolor": "#5b9bd0", "edgecolor": "0.2"},
        NEGLIGIBLE: {"facecolor": "#a9cfe8", "edgecolor": "0.2", "hatch": "xxxxx"},
        EQUIVALENT: {"facecolor": "white", "edgecolor": "0.2", "hatch": "xxxxx"},
    }
)
# Squares are within a margin
SIGN = MappingProxyType(
    {
        REJECTED: "●",
        NOT_REJECTED: "○",
        INCONCLUSIVE: "◐",
        DIFFERENT: "●",
        NEGLIGIBLE: "■",
        EQUIVALENT: "□",
    }
)
TINT = "#e8f1fa"  # region in which p is at most α
_MARK = 6.0
_FEWEST_DECADES, _MOST_DECADES = 2, 6


class PScale:
    """Logarithmic axis of p-values up to 1; smaller p-values are drawn at its lower end."""

    def __init__(self, least: float, alpha: float) -> None:
        beyond_alpha = math.ceil(-math.log10(alpha)) + 1
        wanted = math.ceil(-math.log10(max(least, 1e-300)) - 1e-9)
        most = max(_MOST_DECADES, beyond_alpha)
        self.decades = min(max(wanted, beyond_alpha, _FEWEST_DECADES), most)
        self.clipped = wanted > self.decades

    def share(self, pvalues: FloatArray) -> FloatArray:
        """Return positions of p-values: 0 at the lower end, 1 at p = 1."""
        logarithms = np.log10(np.maximum(pvalues, 10.0**-self.decades))
        return np.asarray(1 + logarithms / self.decades)

    def ticks(self) -> list[tuple[float, str]]:
        """Return positions and labels of the powers of ten."""
        labels = [f"{10.0**-power:g}" for power in range(self.decades, -1, -1)]
        if self.clipped:
            labels[0] = f"≤ {labels[0]}"
        return [(place / self.decades, label) for place, label in enumerate(labels)]

    def small_ticks(self) -> list[float]:
        """Return positions of 2, 3, ..., 9 times the powers of ten."""
        steps = np.log10(np.arange(2, 10))
        return ((np.arange(self.decades)[:, None] + steps) / self.decades).ravel().tolist()


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


def versus(key: tuple[str, ...]) -> str:
    """Return the names that are compared, on one line or, if they are long, on several."""
    text = " vs. ".join(key)
    if len(text) <= WRAP or len(key) == 1:
        return wrapped(text)
    return f"{wrapped(f'{key[0]} vs.')}\n{wrapped(key[1])}"


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


def shortened(drawn: int, there: int, noun: str) -> list[str]:
    """Return a line that says how many rows are drawn, unless all of them are."""
    return [f"{drawn:,} of {plural(there, noun)}"] if drawn < there else []


def mark(canvas: Canvas, x: float, y: float, outcome: str, size: float = _MARK) -> Artist:
    """Draw a filled, hollow or half-filled circle; within a margin, a square."""
    shape = "s" if outcome in (NEGLIGIBLE, EQUIVALENT) else "o"
    filled = outcome in (REJECTED, DIFFERENT, NEGLIGIBLE)
    return canvas.markers((x,), (y,), shape, size, filled=filled, half=outcome == INCONCLUSIVE)


def swatches(canvas: Canvas, x: float, y: float, *, outcome: str) -> Sequence[Artist]:
    """Draw a small box with the filling of the outcome."""
    return [canvas.box((x - 0.12, x + 0.12), (y - 0.055, y + 0.055), 0.9, **FILL[outcome])]


def legend_entries(outcomes: Iterable[str]) -> list[Entry]:
    """Return legend entries for the outcomes that occur."""
    found = set(outcomes)
    words = [word for word in _words_of(found) if word in found]
    return [Entry(word, partial(swatches, outcome=word)) for word in words]


def _words_of(outcomes: Iterable[str]) -> tuple[str, ...]:
    """Return all words for outcomes of this kind: with a margin, or without one."""
    return OUTCOMES if set(outcomes) <= set(OUTCOMES) else DECISIONS


def told(lines: Sequence[str], outcomes: Sequence[str], most: int = 12) -> str:
    """Return all rows as text if they are few, otherwise the count of each outcome."""
    if len(lines) <= most:
        return "; ".join(lines)
    return ", ".join(f"{outcomes.count(word)} {word}" for word in _words_of(outcomes))
