"""Words and numbers that several figures of a comparison share."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence

from nbcompare._display import current
from nbcompare._render import plural
from nbcompare.results import Comparison

WRAP = 34  # characters per line of a name
_OF_PAIRS = {"ranks": "", "wilcoxon": " of Wilcoxon's signed ranks", "t": " of paired t tests"}


def wrapped(text: str, width: int = WRAP) -> str:
    """A name on lines of at most ``width`` characters."""
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=False)) or text


def rank_decimals(worst: float) -> int:
    """Decimals of average ranks: fewer the larger they are, for they stand in little space."""
    return 2 if worst < 100 else 1 if worst < 1000 else 0


def basis(comparison: Comparison) -> str:
    """Procedure, level and number of data sets: ``Holm, α = 0.05, 30 data sets``.

    And of which tests, where the average ranks that are drawn are not what was tested.
    """
    return (
        f"{comparison.procedure}{_OF_PAIRS[comparison.pairs]}, α = {comparison.alpha:g}, "
        f"{plural(comparison.design.n_datasets, 'data set')}"
    )


def differing_from(comparison: Comparison, reference: str) -> frozenset[str]:
    """Algorithms in a rejected hypothesis with the reference."""
    tests = comparison.hypotheses
    pairs = zip(tests.first, tests.second, tests.rejected, strict=True)
    return frozenset(
        second if first == reference else first
        for first, second, rejected in pairs
        if rejected and reference in (first, second)
    )


def signed(values: Sequence[float]) -> list[str]:
    """Differences with their sign and, all of them, the same count of decimals.

    Three digits of the largest, unless more are asked for; a sign stays where the digits round
    to 0.

    Examples
    --------
    >>> signed([0.01234, -0.5, 0.0, -0.0001]), signed([2e-7, 0.0]), signed([1234.5])
    (['+0.012', '−0.500', '0', '−0.000'], ['+2.00e-07', '0'], ['+1234'])
    """
    largest = max(map(abs, values), default=0.0)
    digits = math.floor(math.log10(largest)) if largest > 0 else 0
    style = _style(digits, current().digits - 1)
    return [
        format(value, f"+{style}").replace("-", "−", 1 if value < 0 else 0) if value else "0"
        for value in values
    ]


def means(values: Sequence[float]) -> list[str]:
    """Scores with the same count of decimals, four digits of the largest; as many as asked for.

    Examples
    --------
    >>> means([0.81234, 12.0]), means([1e-9])
    (['0.81', '12.00'], ['1.000e-09'])
    """
    largest = max(map(abs, values), default=0.0)
    digits = math.floor(math.log10(largest)) if largest > 0 else 0
    style = _style(digits, current().digits)
    return [format(value, style).replace("-", "−", 1 if value < 0 else 0) for value in values]


def _style(exponent: int, behind: int) -> str:
    """Of numbers up to that power of 10, with so many digits behind the first of the largest."""
    if not -4 <= exponent <= 6:
        return f".{behind}e"
    return f".{min(max(behind - exponent, 0), max(6, behind + 3))}f"
