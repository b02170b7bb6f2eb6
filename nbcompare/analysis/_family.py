"""A family of hypotheses: the rules on its options, its pairs and their adjusted p-values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import AUTO, BEST, TWO_SIDED
from nbcompare._validation import check_choice, check_name, listed
from nbcompare.results import Hypotheses, Labelled
from nbcompare.results.design import is_chosen_by_data
from nbcompare.results.hypotheses import PairEffects
from nbcompare.stats import adjust, logical, posthoc
from nbcompare.words import PROCEDURES, for_each

Adjust = str | Iterable[str] | None
_NONE = "none"  # no adjustment, as command lines write it
_ROUNDING = 1e-9  # of a statistic that is 0
_TOGETHER = 64  # families whose p-values are adjusted together
# Adjusted p-values and their log10 by procedure, of which the first decides
Adjusted = Mapping[str, tuple[FloatArray, FloatArray]]


def check_adjust(adjust: Adjust) -> tuple[str, ...]:
    """Return the procedures that were asked for; an unknown or repeated one is an error.

    The words ``auto`` and ``none``, which means None, stand alone.
    """
    if adjust is None or (isinstance(adjust, str) and adjust == _NONE):
        return ()
    several = isinstance(adjust, Iterable) and not isinstance(adjust, str)
    names = tuple(adjust) if several else (adjust,)
    if names == (AUTO,):
        return (AUTO,)
    if AUTO in names:
        raise ValueError(
            f"`adjust` must be {AUTO!r} alone, which chooses a procedure, or procedures without "
            f"it; got {listed(names)}. Leave out {AUTO!r}, or all the others."
        )
    words = (*PROCEDURES, *(() if several else (AUTO, _NONE)))
    checked = tuple(check_choice(name, "adjust", words) for name in names)
    if len(set(checked)) < len(checked):
        raise ValueError(f"`adjust` must not name a procedure twice; got {listed(checked)}.")
    return checked


def check_control(
    control: str | None, algorithms: tuple[str, ...], averages: FloatArray
) -> int | None:
    if control is None:
        return None
    if control == BEST and BEST not in algorithms:
        return int(np.argmin(averages))
    return algorithms.index(check_name(control, "control", algorithms))


def is_out_of_all_pairs(options: Mapping[str, Any], names: Sequence[str]) -> bool:
    """Return whether the data choose the control, whose comparisons are then those of all pairs.

    The printed formulas and one-sided tests take it as if it had been named, with a note.
    """
    plain = options["formulas"] != "printed" and options["alternative"] == TWO_SIDED
    return plain and is_chosen_by_data(options["control"], names)


class Orderable(Protocol):
    """The effects of pairs, before these are in their order."""

    def of_pairs(self, first: IntArray, second: IntArray, order: IntArray) -> PairEffects:
        """Return the effects of the pairs in this order, with one or the other of each first."""


@dataclass(frozen=True, slots=True)
class Family:
    """Tested pairs of algorithms, by index: all pairs, or the control with each other one.

    A control comes first in each pair. ``positions`` are average ranks or rank sums if p falls
    with their distance, else None. A control that the data choose is compared within the ``whole``
    family of all pairs.
    """

    first: IntArray
    second: IntArray
    tests: posthoc.PairTests
    k: int
    control: int | None
    positions: FloatArray | None
    formulas: str = "corrected"
    whole: Family | None = None

    @property
    def m(self) -> int:
        """The number of hypotheses over which p-values are adjusted."""
        return len(self.first) if self.whole is None else self.whole.m

    def part(self, values: FloatArray) -> FloatArray:
        """Return the values of these pairs out of those of the whole family."""
        if self.whole is None:
            return values
        return self.whole.matrix(values)[self.first, self.second]

    def adjusted(self, procedure: str, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the adjusted p-values and their log10, in the order of the pairs."""
        if self.whole is not None:
            p, log10_p = self.whole.adjusted(procedure, alpha)
            return self.part(p), self.part(log10_p)
        of_family = _OF_FAMILY.get(procedure)
        if of_family is not None:
            return of_family(self)
        p, log10_p = self.tests.pvalue, self.tests.log10_pvalue
        return (
            adjust.adjust(p, procedure, alpha, formulas=self.formulas),
            adjust.adjust(log10_p, procedure, alpha, log10=True, formulas=self.formulas),
        )

    def nemenyi(self) -> tuple[FloatArray, FloatArray]:
        """Return Nemenyi's adjusted p-values and their log10."""
        return posthoc.nemenyi_pvalues(self.tests.statistic, self.k)

    def shaffer(self) -> tuple[FloatArray, FloatArray]:
        """Return Shaffer's adjusted p-values and their log10."""
        p, log10_p = self.matrix(self.tests.pvalue), self.matrix(self.tests.log10_pvalue)
        pairs = self.first, self.second
        return logical.shaffer(p)[pairs], logical.shaffer(log10_p, log10=True)[pairs]

    def bergmann_hommel(self) -> tuple[FloatArray, FloatArray]:
        """Return Bergmann and Hommel's adjusted p-values and their log10."""
        both = logical.bergmann_hommel_with_logs(
            self.matrix(self.tests.pvalue),
            self.matrix(self.tests.log10_pvalue),
            self.positions,
            monotone=self.is_printed,
        )
        return both[0][self.first, self.second], both[1][self.first, self.second]

    def decided(self, adjusted: Adjusted, alpha: float) -> BoolArray:
        """Return which hypotheses are rejected: by the first procedure, or by raw p if none."""
        p = next(iter(adjusted.values()))[0] if adjusted else self.tests.pvalue
        return p <= alpha

    @property
    def turned(self) -> BoolArray:
        """Whether the second of a pair is the better one, by the test; a control stays first."""
        return (self.tests.statistic < -_ROUNDING) & (self.control is None)

    @property
    def order(self) -> IntArray:
        """The places of the pairs, sorted by p, then by the order of the algorithms.

        Of all pairs with a control, which comes first in its own, these are its own.
        """
        places = np.lexsort((self.second, self.first, self.tests.log10_pvalue))
        return places if self.control is None else places[self.first[places] == self.control]

    def oriented(self, values: FloatArray, mirrored: FloatArray) -> FloatArray:
        """Return values as the hypotheses are: sorted, and those ``mirrored`` of turned pairs."""
        return np.where(self.turned, mirrored, values)[..., self.order]

    def mirrored(self, values: FloatArray) -> FloatArray:
        """Return differences as the hypotheses are: sorted, and with the sign of turned pairs."""
        return self.oriented(values, -values)

    def interval(self, lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return ends of intervals of differences as the hypotheses are."""
        return self.oriented(lower, -upper), self.oriented(upper, -lower)

    def hypotheses(
        self,
        names: Sequence[str],
        adjusted: Adjusted,
        alpha: float,
        effects: Orderable | None = None,
        **columns: Any,
    ) -> Hypotheses:
        """Return the sorted hypotheses on these algorithms, with columns and later effects.

        Of all pairs, the better algorithm is the first of each; ``columns`` are ``oriented``.
        """
        order, turned = self.order, self.turned
        first, second = (
            np.where(turned, there, here)[order]
            for here, there in ((self.first, self.second), (self.second, self.first))
        )
        return Hypotheses(
            first=tuple(names[i] for i in first),
            second=tuple(names[j] for j in second),
            statistic=np.where(turned, -self.tests.statistic, self.tests.statistic)[order],
            pvalue=self.tests.pvalue[order],
            log10_pvalue=self.tests.log10_pvalue[order],
            adjusted=Labelled({name: p[order] for name, (p, _) in adjusted.items()}),
            log10_adjusted=Labelled(
                {name: log10_p[order] for name, (_, log10_p) in adjusted.items()}
            ),
            rejected=self.decided(adjusted, alpha)[order],
            later=None if effects is None else effects.of_pairs(first, second, order),
            **columns,
        )

    @property
    def is_printed(self) -> bool:
        """Whether p-values are those of the authors' programs, which print the running maximum."""
        return self.formulas == "printed"

    def matrix(self, pvalues: FloatArray) -> FloatArray:
        """Return p-values as a symmetric matrix of all algorithms."""
        matrix = np.zeros((self.k, self.k))
        matrix[self.first, self.second] = matrix[self.second, self.first] = pvalues
        return matrix


def adjusted_each(families: Iterable[Family], procedure: str, alpha: float) -> Iterator[FloatArray]:
    """Yield adjusted p-values of families of the same algorithms and test, many at a time."""
    left = iter(families)
    while some := list(islice(left, _TOGETHER)):
        one = some[0]
        if procedure in adjust.METHODS and one.whole is None:
            p = np.array([each.tests.pvalue for each in some])
            yield from adjust.adjust(p, procedure, alpha, formulas=one.formulas)
        elif procedure == "bergmann-hommel" and one.positions is None:
            found = logical.bergmann_hommel_of_each(
                [each.matrix(each.tests.pvalue) for each in some],
                [each.matrix(each.tests.log10_pvalue) for each in some],
                monotone=one.is_printed,
            )
            yield from (plain[one.first, one.second] for plain, _ in found)
        else:
            yield from (each.adjusted(procedure, alpha)[0] for each in some)


# Procedures that need more than the p-values of a family
_OF_FAMILY: Mapping[str, Callable[[Family], tuple[FloatArray, FloatArray]]] = {
    "nemenyi": Family.nemenyi,
    "shaffer": Family.shaffer,
    "bergmann-hommel": Family.bergmann_hommel,
}
for_each(PROCEDURES, {**dict.fromkeys(adjust.METHODS), **_OF_FAMILY})


def alike_groups(
    family: Family, rejected: BoolArray, averages: FloatArray
) -> tuple[tuple[int, ...], ...] | None:
    """Return the maximal groups without a significant difference, sorted from best to worst.

    The members of each group are sorted likewise. None if there are too many groups to read,
    which can happen if pairs are tested by their own scores.
    """
    order = np.argsort(averages, kind="stable")
    if not rejected.any():
        return (tuple(order.tolist()),)
    place = np.empty(family.k, dtype=np.int64)
    place[order] = np.arange(family.k)
    different = np.zeros((family.k, family.k), dtype=np.bool_)
    first, second = place[family.first], place[family.second]
    different[first, second] = different[second, first] = rejected
    try:
        found = posthoc.maximal_groups(different)
    except posthoc.TooManyGroupsError:
        return None
    return tuple(tuple(int(order[i]) for i in group) for group in found)
