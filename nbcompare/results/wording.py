"""The words of sentences: counts, lists, percentages, and numbers that look alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import Prose, format_number
from nbcompare.results.design import Design

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(count: int) -> str:
    """Return a count, in words up to ten."""
    return _WORDS[count] if count < len(_WORDS) else f"{count:,}"


def counted(count: int, noun: str, least: int = 0) -> str:
    """Return a count with its noun, in words up to ten, and ``least`` if there are fewer somewhere.

    Examples
    --------
    >>> counted(4, "algorithm"), counted(1, "pair"), counted(14, "data set"), counted(5, "run", 3)
    ('four algorithms', 'one pair', '14 data sets', 'three to five runs')
    """
    plural = noun[:-2] + "es" if noun.endswith("is") else noun + "s"
    few = f"{number(least)} to " if 0 < least < count else ""
    return f"{few}{number(count)} {noun if count == 1 else plural}"


def every(count: int, noun: str) -> str:
    """Return all of so many, in the words of a sentence.

    Examples
    --------
    >>> every(1, "pair"), every(2, "pair"), every(6, "pair"), every(45, "pair")
    ('the only pair', 'both pairs', 'all six pairs', 'all 45 pairs')
    """
    if count == 1:
        return f"the only {noun}"
    return f"both {counted(2, noun)[4:]}" if count == 2 else f"all {counted(count, noun)}"


def opening(count: int, noun: str) -> str:
    """Return a count with its noun as the beginning of a sentence, without a numeral.

    Examples
    --------
    >>> opening(4, "algorithm"), opening(40, "algorithm")
    ('Four algorithms', 'A total of 40 algorithms')
    """
    text = counted(count, noun)
    return text.capitalize() if count < len(_WORDS) else f"A total of {text}"


def capital(text: str) -> str:
    """Begin a sentence that begins with a number or a determiner; names stay as they are."""
    begins = text.split(" ", 1)[0] in (*_WORDS, "all", "both", "the")
    return text[:1].upper() + text[1:] if begins else text


def article(noun: str) -> str:
    """Return the indefinite article of a noun."""
    return "an" if noun[0] in "aeiou" else "a"


def joined(items: Sequence[str]) -> str:
    """Join items as in a sentence: ``a, b and c``."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def listed_or(names: Sequence[str]) -> str:
    """Join names as in a sentence: ``a, b or c``."""
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def percent(share: float, decimals: int | None = None) -> str:
    """Return a share as a percentage, such as ``95 %`` or ``95.8 %``."""
    shown = f"{100 * share:g}" if decimals is None else f"{100 * share:.{decimals}f}"
    return f"{shown} %"


def in_measure(design: Design, amount: str) -> str:
    """Return an amount with the name of the measure, such as ``0.020 (AUC)``."""
    return f"{amount} ({design.measure})" if design.measure else amount


_DIGITS, _MOST_DECIMALS = 3, 6  # significant digits of the largest of several numbers
_ROUNDING = 1e-14  # of the largest: smaller ones are what is left of a difference


def format_alike(
    estimates: FloatArray, lower: FloatArray | None = None, upper: FloatArray | None = None
) -> Callable[[float], str]:
    """Return a function that formats numbers so that the largest has three digits.

    There are more digits if an interval that does not end at zero would seem to. Of other numbers,
    such as errors near an optimum, one that would seem to be zero has three digits of its own.
    """
    parts = [part[np.isfinite(part)] for part in (estimates, lower, upper) if part is not None]
    largest = max(float(np.abs(part).max(initial=0.0)) for part in parts)
    exponent = math.floor(math.log10(largest)) if largest > 0 else 0
    decimals = max(0, _DIGITS - 1 - exponent) if -6 <= exponent <= 9 else None
    if decimals is not None and lower is not None and upper is not None:
        ends = np.abs(np.concatenate([*parts[1:]]))
        nearest = float(ends.min(where=ends > 0, initial=1.0))
        if 0.5 * 10.0**-decimals > nearest:
            decimals = min(-math.floor(math.log10(nearest)), _MOST_DECIMALS)
    least = largest * _ROUNDING

    def show(value: float) -> str:
        if decimals is None or least < abs(value) < 0.5 * 10.0**-decimals:
            return format_number(float(f"{value:.{_DIGITS}g}"))
        return format_number(float(value), decimals)

    return show


def paragraphs(groups: Sequence[Sequence[str]]) -> tuple[Prose, ...]:
    """Return a paragraph of each group of sentences, without empty ones."""
    told = [tuple(filter(None, group)) for group in groups]
    return tuple(Prose(group) for group in told if group)
