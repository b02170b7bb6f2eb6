"""A second computation that shares nothing with the package: Fractions for ranks and
statistics, mpmath with 40 digits for tails. Slow on purpose."""

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest

REFERENCE = Path(__file__).parents[1] / "reference"


def midranks(row):
    """Ascending mid-ranks of exact values: those below, and half of those equal."""
    return [
        sum(other < value for other in row) + Fraction(sum(other == value for other in row) + 1, 2)
        for value in row
    ]


def noisy_midranks(values, scales=None):
    """Mid-ranks of floats, by the rule in words: sorted neighbours within 8 eps are joined."""
    noise = Fraction(8) * Fraction(float(np.finfo(float).eps))
    exact = [Fraction(float(value)) for value in values]
    sizes = [abs(v) for v in exact] if scales is None else [abs(Fraction(float(s))) for s in scales]
    size_of = {}  # equal values share the largest size
    for value, size in zip(exact, sizes, strict=True):
        size_of[value] = max(size, size_of.get(value, Fraction(0)))
    group = {}
    for value in sorted(size_of):
        if not group:
            group[value] = 0
        else:
            left, number = next(reversed(group.items()))
            tied = value - left <= noise * max(size_of[value], size_of[left])
            group[value] = number + (not tied)
    return midranks([group[value] for value in exact])


def number(x):
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x)


def chi2_sf(x, df):
    return mpmath.gammainc(mpmath.mpf(df) / 2, number(x) / 2, mpmath.inf, regularized=True)


def incomplete_beta(x, a, b):
    """I_x(a, b) by its series of positive terms (8.17.22 with 15.8.1 of the DLMF)."""
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    term = total = mpmath.mpf(1)
    i = 0
    while term > total * mpmath.mpf(10) ** -45:
        term *= (a + b + i) / (a + 1 + i) * x
        total += term
        i += 1
    log_beta = mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)
    return mpmath.exp(a * mpmath.log(x) + b * mpmath.log1p(-x) - mpmath.log(a) - log_beta) * total


def f_sf(x, df1, df2):
    x = number(x)
    if x == 0:
        return mpmath.mpf(1)
    return incomplete_beta(df2 / (df2 + df1 * x), mpmath.mpf(df2) / 2, mpmath.mpf(df1) / 2)


def perfect_agreement(rows):
    """Probability that all rows, each in a random order, are in the same order."""

    def orders(values):
        sizes = Counter(values).values()
        return Fraction(math.factorial(len(values)), math.prod(map(math.factorial, sizes)))

    agreeing = orders(list(zip(*map(sorted, rows), strict=True)))
    return agreeing / math.prod(orders(row) for row in rows)


def normal_two_sided(z):
    return mpmath.erfc(abs(number(z)) / mpmath.sqrt(2))


def range_sf(q, k):
    """Survival function of the range of k standard normals, by a trapezoid rule of 40 digits."""
    q = number(q)
    if q == 0:
        return mpmath.mpf(1)
    step = mpmath.mpf(1) / 12
    start = q / 2 - 13
    total = mpmath.mpf(0)
    for i in range(int(12 * (26 + np.sqrt(2 * np.log(k))))):
        u = start + i * step
        below = mpmath.ncdf(u)
        some = -mpmath.expm1((k - 1) * mpmath.log1p(-mpmath.ncdf(u - q) / below))
        total += mpmath.npdf(u) * below ** (k - 1) * some
    return k * step * total


def relative_error(p, exact):
    """Of a p-value, or of an array of them against a list."""
    pairs = zip(np.ravel(p).tolist(), np.ravel(np.array(exact, dtype=object)), strict=True)
    return max((abs(float(a / number(b) - 1)) if b else abs(a) for a, b in pairs), default=0.0)


@pytest.fixture(scope="session")
def exact():
    with mpmath.workdps(40):
        yield SimpleNamespace(
            midranks=midranks, noisy_midranks=noisy_midranks, number=number,
            perfect_agreement=perfect_agreement, chi2_sf=chi2_sf, f_sf=f_sf,
            normal_two_sided=normal_two_sided, range_sf=range_sf, relative_error=relative_error,
        )  # fmt: skip


@pytest.fixture(scope="session")
def reference():
    """Numbers of the folder ``reference`` by the name of their file."""
    return lambda name: json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))
