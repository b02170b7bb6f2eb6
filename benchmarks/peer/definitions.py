"""What the tests are by their definitions, computed as slowly and plainly as these say.

Only the standard library is used, and nothing of nbcompare: ranks and statistics are fractions,
sets of hypotheses are enumerated through all partitions, signed ranks through all signs. Higher
scores are better. ``tied=False`` leaves out the corrections for ties.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

# Tuples, so that what was computed for them is kept
Scores = tuple[tuple[float, ...], ...]


@functools.cache
def ranks(scores: Scores) -> list[list[Fraction]]:
    """Return 1 + the number of better scores + half the number of other equal ones."""
    return [
        [
            1 + sum(other > one for other in row) + Fraction(sum(o == one for o in row) - 1, 2)
            for one in row
        ]
        for row in scores
    ]


@functools.cache
def average_ranks(scores: Scores) -> list[Fraction]:
    table = ranks(scores)
    return [sum(column, Fraction()) / len(table) for column in zip(*table, strict=True)]


@functools.cache
def _spread(scores: Scores, tied: bool) -> Fraction:
    """Sum over data sets of the variance of a rank, times k / (k - 1)."""
    n, k = len(scores), len(scores[0])
    if not tied:
        return Fraction(n * k * (k + 1), 12)
    middle = Fraction(k + 1, 2)
    return sum(sum((rank - middle) ** 2 for rank in row) for row in ranks(scores)) / (k - 1)


def friedman_statistic(scores: Scores, tied: bool = True) -> Fraction:
    n, k = len(scores), len(scores[0])
    averages = average_ranks(scores)
    return n * n * sum((one - Fraction(k + 1, 2)) ** 2 for one in averages) / _spread(scores, tied)


def chi_squared_tail(x: float, df: int) -> float:
    """Return the upper tail by the finite sum that it is for whole degrees of freedom."""
    half = x / 2
    if df % 2 == 0:
        terms = (j * math.log(half) - math.lgamma(j + 1) - half for j in range(df // 2))
        return math.fsum(math.exp(term) for term in terms) if x > 0 else 1.0
    tail = math.erfc(math.sqrt(half))
    terms = (
        (j - 0.5) * math.log(half) - math.lgamma(j + 0.5) - half for j in range(1, (df + 1) // 2)
    )
    return math.fsum([tail, *(math.exp(term) for term in terms)]) if x > 0 else 1.0


def friedman(scores: Scores, tied: bool = True) -> float:
    return chi_squared_tail(float(friedman_statistic(scores, tied)), len(scores[0]) - 1)


def z_of_pairs(scores: Scores, tied: bool = True) -> list[float]:
    """Return differences of average ranks in units of their standard error, which is above 0."""
    averages = average_ranks(scores)
    n = len(scores)
    variance = 2 * _spread(scores, tied) / (n * n)
    return [math.sqrt((a - b) ** 2 / variance) for a, b in itertools.combinations(averages, 2)]


def normal_p(z: float) -> float:
    return math.erfc(abs(z) / math.sqrt(2))


def studentized_range_tail(q: float, k: int) -> float:
    """Return P(range of k standard normal variables > q), by Simpson's rule.

    It is the integral of k times the density at z times the probability that all others are
    above z, less that they are between z and z + q.
    """
    low, high, steps = -9.0 - q / 2, 9.0, 800
    width = (high - low) / steps

    def integrand(z: float) -> float:
        above = 0.5 * math.erfc(z / math.sqrt(2))
        beyond = 0.5 * math.erfc((z + q) / math.sqrt(2))
        outside = -math.expm1((k - 1) * math.log1p(-beyond / above)) if beyond < above else 1.0
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return k * density * above ** (k - 1) * outside

    weights = (1 if i in (0, steps) else 4 if i % 2 else 2 for i in range(steps + 1))
    terms = (w * integrand(low + i * width) for i, w in enumerate(weights))
    return min(1.0, math.fsum(terms) * width / 3)


@functools.cache
def studentized_range_quantile(alpha: float, k: int) -> float:
    low, high = 0.0, 20.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if studentized_range_tail(middle, k) > alpha else (low, middle)
    return low


@functools.cache
def nemenyi(scores: Scores, tied: bool = True) -> list[float]:
    k = len(scores[0])
    return [studentized_range_tail(z * math.sqrt(2), k) for z in z_of_pairs(scores, tied)]


def critical_difference(scores: Scores, alpha: float = 0.05, tied: bool = True) -> float:
    """Return the difference of average ranks at which Nemenyi's test is at the level alpha."""
    n, k = len(scores), len(scores[0])
    error = math.sqrt(2 * _spread(scores, tied) / (n * n))
    return studentized_range_quantile(alpha, k) / math.sqrt(2) * error


def stepped_down(p: Sequence[float], factors: Sequence[int]) -> list[float]:
    """Return the running maximum of the sorted p-values times the factors, at most 1."""
    adjusted, highest = [0.0] * len(p), 0.0
    for factor, place in zip(factors, sorted(range(len(p)), key=p.__getitem__), strict=True):
        highest = max(highest, min(1.0, factor * p[place]))
        adjusted[place] = highest
    return adjusted


def by_ranks(scores: Scores, tied: bool = True) -> list[float]:
    return [normal_p(z) for z in z_of_pairs(scores, tied)]


def holm(scores: Scores, tied: bool = True) -> list[float]:
    p = by_ranks(scores, tied)
    return stepped_down(p, range(len(p), 0, -1))


def _partitions(total: int, largest: int) -> Iterator[list[int]]:
    if total == 0:
        yield []
    for part in range(min(total, largest), 0, -1):
        for rest in _partitions(total - part, part):
            yield [part, *rest]


@functools.cache
def shaffer_factors(k: int) -> list[int]:
    """Return the most hypotheses that can be true if i - 1 are false, for i = 1, 2, ..."""
    m = math.comb(k, 2)
    possible = {sum(math.comb(part, 2) for part in parts) for parts in _partitions(k, k)}
    return [max(number for number in possible if number <= m - i) for i in range(m)]


def shaffer(scores: Scores, tied: bool = True) -> list[float]:
    return stepped_down(by_ranks(scores, tied), shaffer_factors(len(scores[0])))


def _groupings(items: Sequence[int]) -> Iterator[list[list[int]]]:
    """Yield every way to put the items into groups."""
    if not items:
        yield []
        return
    first, *rest = items
    for groups in _groupings(rest):
        yield [[first], *groups]
        for place, group in enumerate(groups):
            yield [*groups[:place], [first, *group], *groups[place + 1 :]]


def bergmann_hommel(scores: Scores, tied: bool = True) -> list[float]:
    """Return, of all sets of hypotheses that can be true together, the worst that has the pair."""
    p = by_ranks(scores, tied)
    k = len(scores[0])
    place = {pair: i for i, pair in enumerate(itertools.combinations(range(k), 2))}
    adjusted = [0.0] * len(p)
    for groups in _groupings(list(range(k))):
        together = [
            place[pair] for group in groups for pair in itertools.combinations(sorted(group), 2)
        ]
        if together:
            level = min(1.0, len(together) * min(p[i] for i in together))
            for i in together:
                adjusted[i] = max(adjusted[i], level)
    # A hypothesis is not rejected before one with a smaller p
    return [max(a for a, other in zip(adjusted, p, strict=True) if other <= own) for own in p]


def signed_ranks(
    first: Sequence[float], second: Sequence[float], *, split: bool = False, decimal: bool = True
) -> list[tuple[int, Fraction]]:
    """Return signs and ranks of the differences, first less second.

    Those of 0 are dropped, or with ``split`` ranked lowest and shared by the signs, one of an odd
    number being dropped. Scores are decimals, and so are their differences with ``decimal``; as
    binary fractions, 0.3 - 0.1 and 0.2 are not equal.
    """
    exact = [
        Fraction(repr(a)) - Fraction(repr(b)) if decimal else Fraction(a - b)
        for a, b in zip(first, second, strict=True)
    ]
    zeros = sum(one == 0 for one in exact)
    differences = [one for one in exact if one]
    if split:
        differences += [Fraction()] * (zeros - zeros % 2)
    sizes = [abs(one) for one in differences]
    placed = [
        Fraction(2 * sum(s < size for s in sizes) + sum(s == size for s in sizes) + 1, 2)
        for size in sizes
    ]
    signs = [0 if one == 0 else 1 if one > 0 else -1 for one in differences]
    return list(zip(signs, placed, strict=True))


def wilcoxon_pair(
    first: Sequence[float],
    second: Sequence[float],
    *,
    split: bool = False,
    decimal: bool = True,
    one_sided: bool = False,
) -> float:
    """Return p from all signs of the ranks, as many as 2 to the power of their number.

    Shared ranks of zeros have no sign, half of each pair of them on either side.
    """
    found = [it for it in signed_ranks(first, second, split=split, decimal=decimal) if it[0]]
    counts = {0: 1}
    for _, rank in found:
        doubled = int(2 * rank)
        after = dict(counts)
        for total, ways in counts.items():
            after[total + doubled] = after.get(total + doubled, 0) + ways
        counts = after
    plus = sum(int(2 * rank) for sign, rank in found if sign > 0)
    above = sum(ways for total, ways in counts.items() if total >= plus)
    below = sum(ways for total, ways in counts.items() if total <= plus)
    tail = above if one_sided else 2 * min(above, below)
    return min(1.0, tail / 2 ** len(found))


def wilcoxon_pair_normal(
    first: Sequence[float], second: Sequence[float], *, decimal: bool = True
) -> float:
    """Return p by the normal law, with the variance of tied ranks."""
    found = signed_ranks(first, second, decimal=decimal)
    plus = sum((rank for sign, rank in found if sign > 0), Fraction())
    middle = sum((rank for _, rank in found), Fraction()) / 2
    variance = sum((rank**2 for _, rank in found), Fraction()) / 4
    return normal_p(float(abs(plus - middle)) / math.sqrt(variance)) if variance else 1.0


def pairs_of_columns(
    scores: Scores, test: Callable[[Sequence[float], Sequence[float]], float]
) -> list[float]:
    columns = list(zip(*scores, strict=True))
    return [test(first, second) for first, second in itertools.combinations(columns, 2)]


def wilcoxon(scores: Scores, *, split: bool = False) -> list[float]:
    return pairs_of_columns(scores, lambda a, b: wilcoxon_pair(a, b, split=split))
