"""Numbers as a paper prints them."""

from __future__ import annotations

import math
from collections.abc import Iterable

# More digits than this are not read as one number.
_MOST_DIGITS = 8


def format_p(pvalue: float, log10_pvalue: float | None = None) -> str:
    """A p-value with 4 decimals or 3 digits; from its logarithm where it underflows.

    Examples
    --------
    >>> format_p(0.01572), format_p(4.487e-8), format_p(0.0, -411.9), format_p(1.0)
    ('0.0157', '4.49e-08', '1.26e-412', '1')
    """
    if pvalue >= 0.99995:
        return "1"
    if pvalue >= 0.001:
        return f"{pvalue:.4f}"
    if pvalue > 1e-300:
        return f"{pvalue:.3g}"
    if log10_pvalue is None or log10_pvalue == -math.inf:
        return "0"
    exponent = math.floor(log10_pvalue)
    mantissa = f"{10 ** (log10_pvalue - exponent):.3g}"
    return f"1e{exponent + 1}" if mantissa == "10" else f"{mantissa}e{exponent}"


def format_number(value: float, decimals: int | None = None) -> str:
    """A number with a fixed count of decimals, or with up to 6 digits; ``missing`` for NaN.

    Examples
    --------
    >>> format_number(-2.41535, 3), format_number(0.763), format_number(float("inf"))
    ('-2.415', '0.763', '∞')
    """
    if math.isnan(value):
        return "missing"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    shown = f"{value:.6g}" if decimals is None else f"{value:.{decimals}f}"
    return shown.removeprefix("-") if not any(digit in shown for digit in "123456789") else shown


def format_numbers(values: Iterable[float]) -> list[str]:
    """A column of numbers with the same count of decimals; ``missing`` for NaN.

    Where that would make long numbers, as of a large one beside a small one, each has its own.

    Examples
    --------
    >>> format_numbers([0.763, 0.6, 1.0])
    ['0.763', '0.600', '1.000']
    """
    numbers = list(values)
    shown = [format_number(number) for number in numbers if not math.isnan(number)]
    plain = not any("e" in text for text in shown)
    decimals = max((len(text.partition(".")[2]) for text in shown), default=0) if plain else None
    whole = max((len(text.partition(".")[0].lstrip("-0")) for text in shown), default=0)
    if decimals is not None and whole > 1 and whole + decimals > _MOST_DIGITS:
        decimals = None
    return [format_number(number, decimals) for number in numbers]


def plural(count: int, noun: str) -> str:
    """``1 data set``, ``14 data sets``, ``1,000 hypotheses``."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-2] + 'es' if noun.endswith('is') else noun + 's'}"
