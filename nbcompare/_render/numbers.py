"""Number formatting as in a scientific paper."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from nbcompare._display import current

# A number with more digits than this is hard to read.
_MOST_DIGITS = 8
_SIGNIFICANT = 4  # digits of score differences
_LEAST_DIGITS = 6  # digits of numbers that users gave, such as scores
_SHORT = len("sha256:") + 12  # characters of a fingerprint


# Significance levels in use, which a rounded p-value must not seem to be
_LEVELS = frozenset({0.001, 0.005, 0.01, 0.025, 0.05, 0.1})
_MOST_DECIMALS = 17
_HYPHEN = re.compile(r"(?<![\w.-])-(?=\d)")  # of a number, not within a name or a date


def format_p(pvalue: float, log10_pvalue: float | None = None) -> str:
    """Format a p-value with 4 decimals or 3 digits, from its logarithm if it underflows.

    Without a logarithm, a p-value that underflows becomes ``< 1e-300``; :func:`stated_p` puts it
    into a sentence. What is not a common significance level does not read as one: there are as many
    more digits as that takes.

    :func:`nbcompare.set_options` can change the number of digits, here and below.

    Examples
    --------
    >>> format_p(0.01572), format_p(4.487e-8), format_p(0.0, -411.9), format_p(1.0)
    ('0.0157', '4.49e-08', '1.26e-412', '1')
    >>> format_p(0.0)
    '< 1e-300'
    >>> format_p(0.05), format_p(0.050002), format_p(0.049998)
    ('0.0500', '0.050002', '0.049998')
    """
    digits = current().digits
    if pvalue < current().least_p:
        return f"< {current().least_p:g}"
    if pvalue >= 1 - 0.5 * 10.0 ** -(digits + 1):
        return "1"
    if pvalue >= 0.001:
        text = f"{pvalue:.{digits + 1}f}"
        if float(text) in _LEVELS and float(text) != pvalue:
            texts = (f"{pvalue:.{more}f}" for more in range(digits + 2, _MOST_DECIMALS))
            return next((text for text in texts if float(text) not in _LEVELS), repr(pvalue))
        return text
    if pvalue > 1e-300:
        return f"{pvalue:.{digits}g}"
    if log10_pvalue is None or log10_pvalue == -math.inf:
        return "< 1e-300"
    exponent = math.floor(log10_pvalue)
    mantissa = f"{10 ** (log10_pvalue - exponent):.{digits}g}"
    return f"1e{exponent + 1}" if mantissa == "10" else f"{mantissa}e{exponent}"


def stated_p(text: str, name: str = "p") -> str:
    """Return a formatted p-value as an equation, or as an inequality if it is below a bound.

    Examples
    --------
    >>> stated_p(format_p(0.01572)), stated_p(format_p(0.0))
    ('p = 0.0157', 'p < 1e-300')
    """
    return f"{name} {text}" if text.startswith("<") else f"{name} = {text}"


def format_number(value: float, decimals: int | None = None) -> str:
    """Format a number with fixed decimals or up to 6 digits; NaN becomes ``missing``.

    Examples
    --------
    >>> format_number(-2.41535, 3), format_number(0.763), format_number(float("inf"))
    ('-2.415', '0.763', '∞')
    """
    return _format_alike(
        value, None if decimals is None else max(0, decimals + current().more_digits)
    )


def format_df(value: float) -> str:
    """Format degrees of freedom: large ones as whole numbers, others with up to 4 digits.

    Examples
    --------
    >>> format_df(3.0), format_df(28.517), format_df(39996.0)
    ('3', '28.52', '39,996')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def format_rounded(value: float) -> str:
    """Format a number with up to 4 significant digits, without trailing zeros.

    Examples
    --------
    >>> format_rounded(0.12345678), format_rounded(0.5), format_rounded(float("-inf"))
    ('0.1235', '0.5', '-∞')
    """
    if not math.isfinite(value):
        return format_number(value)
    return format_number(float(f"{value:.{_SIGNIFICANT + current().more_digits}g}"))


def format_numbers(values: Iterable[float]) -> list[str]:
    """Format a column of numbers with the same number of decimals; NaN becomes ``missing``.

    If the numbers would become too long, as when a large one stands beside a small one, each is
    formatted separately.

    Examples
    --------
    >>> format_numbers([0.763, 0.6, 1.0])
    ['0.763', '0.600', '1.000']
    """
    numbers = list(values)
    shown = [_format_alike(number, None) for number in numbers if not math.isnan(number)]
    plain = not any("e" in text for text in shown)
    decimals = max((len(text.partition(".")[2]) for text in shown), default=0) if plain else None
    whole = max((len(text.partition(".")[0].lstrip("-0")) for text in shown), default=0)
    most = _MOST_DIGITS + max(0, current().more_digits)
    if decimals is not None and whole > 1 and whole + decimals > most:
        decimals = None
    return [_format_alike(number, decimals) for number in numbers]


def _format_alike(value: float, decimals: int | None) -> str:
    if math.isnan(value):
        return "missing"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if decimals is None:
        shown = f"{value:.{_LEAST_DIGITS + max(0, current().more_digits)}g}"
    else:
        shown = f"{value:.{decimals}f}"
    return shown.removeprefix("-") if not any(digit in shown for digit in "123456789") else shown


def short_fingerprint(fingerprint: str) -> str:
    """Return enough of a fingerprint to tell data apart by eye, such as ``sha256:09e4950cc300…``.

    Examples
    --------
    >>> short_fingerprint("sha256:09e4950cc3009ae15551c6d2cb430c78be32f26a95195669e18b9112e0620012")
    'sha256:09e4950cc300…'
    """
    return f"{fingerprint[:_SHORT]}…" if len(fingerprint) > _SHORT else fingerprint


def plural(count: int, noun: str, least: int = 0) -> str:
    """Return a count with its noun: ``1 data set``, ``14 data sets``, ``1,000 hypotheses``.

    If there are as few as ``least`` somewhere, both are given: ``3 to 5 runs``.
    """
    if count == 1:
        return f"1 {noun}"
    few = f"{least:,} to " if 0 < least < count else ""
    return f"{few}{count:,} {noun[:-2] + 'es' if noun.endswith('is') else noun + 's'}"


def with_minus(text: str) -> str:
    """Return text in which numbers have a minus, as in print, where they have a hyphen.

    Examples
    --------
    >>> with_minus("-0.2 to 1e-5 of A-1, 2026-11-27")
    '−0.2 to 1e-5 of A-1, 2026-11-27'
    """
    return _HYPHEN.sub("−", text)
