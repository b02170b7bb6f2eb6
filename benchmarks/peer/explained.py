"""Why figures differ: what each known departure from the definition would give.

A departure explains a figure only if it reproduces it; the sentence alone is not enough.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from scipy import stats

from . import definitions as by
from .definitions import Scores


class Departure(NamedTuple):
    """What a package may do otherwise, and the figures that this gives."""

    sentence: str
    figures: Callable[[Scores], list[float]]
    absolute: float = 1e-12
    relative: float = 1e-9

    def gives(self, found: Sequence[float], scores: Scores) -> bool:
        """Whether the departure gives these figures."""
        return all(
            math.isclose(a, b, rel_tol=self.relative, abs_tol=self.absolute)
            for a, b in zip(found, self.figures(scores), strict=True)
        )


_UNTIED = "It does not correct for ties"
_TAIL = "It computes a small p as 1 minus a probability near 1, which leaves no digits of it"
_BOTH = f"{_UNTIED}."


def _size(scores: Scores) -> tuple[int, int]:
    return len(scores), len(scores[0])


def _friedman_n_times(scores: Scores) -> list[float]:
    n, k = _size(scores)
    squares = n * sum(rank**2 for rank in by.average_ranks(scores))
    statistic = 12 * n / (k * (k + 1)) * float(squares - k * (k + 1) ** 2 / 4)
    return [by.chi_squared_tail(statistic, k - 1)]


def _chi_squared_series(x: float, df: int) -> float:
    """Return 1 minus the series of the lower tail, cut off at terms of 1e-10 of it."""
    first = math.exp(df / 2 * math.log(x / 2) - x / 2 - math.lgamma(df / 2 + 1))
    term, total, step = first, first, df
    while term > 1e-10 * total:
        step += 2
        term *= x / step
        total += term
    return 1 - total


def _bonferroni(scores: Scores) -> list[float]:
    p = by.by_ranks(scores, tied=False)
    return [min(1.0, len(p) * one) for one in p]


def _difference(scores: Scores, quantile: float) -> list[float]:
    n, k = _size(scores)
    return [quantile / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * n))]


def _clipped(scores: Scores) -> list[float]:
    return [min(0.9, max(0.001, p)) for p in by.nemenyi(scores, tied=False)]


def _holm_of_largest(scores: Scores) -> list[float]:
    """Return running maxima, each put at the place of the p that is the maximum."""
    p = by.by_ranks(scores, tied=False)
    order = sorted(range(len(p)), key=p.__getitem__)
    products = [((len(p) - i) * p[place], place) for i, place in enumerate(order)]
    highest = [max(products[: i + 1]) for i in range(len(p))]
    return [min(1.0, value) for value, _ in sorted(highest, key=lambda it: it[1])]


def _pairs(test: Callable[..., float], **options: bool) -> Callable[[Scores], list[float]]:
    return lambda scores: by.pairs_of_columns(scores, lambda a, b: test(a, b, **options))


def _towards_better(scores: Scores, decimal: bool = True) -> list[float]:
    """Test each pair on the side on which the first has the better average rank."""
    columns = list(zip(*scores, strict=True))
    ranked = list(zip(by.average_ranks(scores), columns, strict=True))
    found = []
    for (a, first), (b, second) in itertools.combinations(ranked, 2):
        pair = (first, second) if a <= b else (second, first)
        found.append(by.wilcoxon_pair(*pair, one_sided=True, decimal=decimal))
    return found


DEPARTURES: dict[str, tuple[Departure, ...]] = {
    "friedman": (
        Departure(
            "Its statistic has the number of data sets twice as a factor.", _friedman_n_times
        ),
        Departure(f"{_TAIL}.", lambda s: [by.friedman(s)]),
        Departure(_BOTH, lambda s: [by.friedman(s, tied=False)]),
        Departure(
            "It sums a series for 1 - p, which it cuts off at 1e-10.",
            lambda s: [_chi_squared_series(float(by.friedman_statistic(s)), _size(s)[1] - 1)],
        ),
    ),
    "cd": (
        Departure(
            f"{_UNTIED}: this is the printed formula.",
            lambda s: [by.critical_difference(s, tied=False)],
        ),
        Departure(
            "It takes the quantile for one algorithm more from its table, whose first entry is for "
            "no algorithm.",
            lambda s: _difference(s, by.studentized_range_quantile(0.05, _size(s)[1] + 1)),
            relative=5e-4,
        ),
        Departure(
            "It takes the quantile for as many degrees of freedom as data sets, less 1, where "
            "the variance of ranks is known and they are infinite.",
            lambda s: _difference(
                s, float(stats.studentized_range.ppf(0.95, _size(s)[1], _size(s)[0] - 1))
            ),
            relative=1e-3,
        ),
        Departure(
            "Its quantile is from a table or an interpolation, and it does not correct for ties.",
            lambda s: [by.critical_difference(s, tied=False)],
            relative=3e-4,
        ),
    ),
    "nemenyi": (
        Departure(f"{_TAIL}.", by.nemenyi),
        Departure(_BOTH, lambda s: by.nemenyi(s, tied=False)),
        Departure(
            "What it calls Nemenyi's procedure is Bonferroni's: it multiplies p by the number of "
            "pairs, and does not correct for ties.",
            _bonferroni,
        ),
        Departure(
            "Its studentized range is interpolated, never below 0.001 or above 0.9, and it does "
            "not correct for ties.",
            _clipped,
            absolute=0.05,
        ),
    ),
    "holm": (
        Departure(f"{_TAIL}.", by.holm),
        Departure(_BOTH, lambda s: by.holm(s, tied=False)),
        Departure(
            "It gives a running maximum to the pair that has it instead of to the one that it is "
            "for, so that figures stand at the wrong pairs; and it does not correct for ties.",
            _holm_of_largest,
        ),
    ),
    "shaffer": (
        Departure(f"{_TAIL}.", by.shaffer),
        Departure(_BOTH, lambda s: by.shaffer(s, tied=False)),
    ),
    "rejected": (
        Departure(
            "The table of adjusted p-values decides by the p-values that are not adjusted.",
            lambda s: [float(p <= 0.05) for p in by.by_ranks(s, tied=False)],
        ),
    ),
    "bergmann-hommel": (),
    "wilcoxon": (
        Departure("It drops differences of 0, as Wilcoxon did.", by.wilcoxon),
        Departure(
            "It drops differences of 0, and ranks differences of binary fractions, so that some "
            "that are equal as decimals are not tied.",
            _pairs(by.wilcoxon_pair, decimal=False),
        ),
        Departure(
            "It uses the normal law however few the data sets are.",
            _pairs(by.wilcoxon_pair_normal),
        ),
        Departure(
            "It uses the normal law however few the data sets are, and ranks differences of binary "
            "fractions, so that some that are equal as decimals are not tied.",
            _pairs(by.wilcoxon_pair_normal, decimal=False),
        ),
        Departure(
            "It tests on one side only, that of the algorithm with the better average rank.",
            _towards_better,
        ),
        Departure(
            "It tests on one side only, that of the better average rank, and ranks differences of "
            "binary fractions, so that some that are equal as decimals are not tied.",
            lambda s: _towards_better(s, decimal=False),
        ),
    ),
}


def explain(quantity: str, found: Sequence[float], scores: Scores) -> str:
    """Return the sentence of the departure that gives these figures, or that none does."""
    for departure in DEPARTURES.get(quantity, ()):
        if departure.gives(found, scores):
            return departure.sentence
    return "No departure that we know gives these figures."
