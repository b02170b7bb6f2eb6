"""The result of planning an experiment: how many data sets, folds or runs it needs."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._options import UNITS
from nbcompare._render import Part, Table, format_p, plural
from nbcompare._validation import check_choice, shown
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import frame_of, frame_of_cells, table_of
from nbcompare.results.power_study import Shares
from nbcompare.results.texts import Cited, on_methods
from nbcompare.results.wording import every, percent

if TYPE_CHECKING:
    import pandas as pd

DATASETS, FOLDS, RUNS, ITEMS = UNITS
_REASONS = re.compile(r" \([^()]*\)|, which [^.;]*")  # of the tests, which `recommend` gives, too
NOUNS = MappingProxyType({DATASETS: "data set", FOLDS: "fold", RUNS: "run", ITEMS: "item"})
# What more of them are wanted of
_EACH = MappingProxyType(
    {DATASETS: "", FOLDS: " of the data set", RUNS: " of each fold", ITEMS: " of the benchmark"}
)


@dataclass(frozen=True, eq=False, repr=False)
class Needed(LockedArrays):
    """The least numbers with which a wanted power is reached.

    Attributes
    ----------
    n : ndarray of int
        The least number with which the power is the wanted one on average over the populations
        that the pilot leaves open; 0 where it is larger than the largest that was tried.
    lower, upper : ndarray of int
        Ends of its interval, which holds what single populations need. 0 where an end is larger
        than the largest number that was tried.
    power : ndarray of float
        Average power at ``n``, or at the largest number where that is not enough.
    power_lower, power_upper : ndarray of float
        Ends between which the powers of single populations are there.
    """

    n: IntArray
    lower: IntArray
    upper: IntArray
    power: FloatArray
    power_lower: FloatArray
    power_upper: FloatArray

    def __len__(self) -> int:
        return len(self.n)

    def take(self, rows: IntArray) -> Needed:
        """Return the numbers of some pairs."""
        return Needed(*(getattr(self, field.name)[rows] for field in fields(self)))

    def interval(self, row: int) -> str:
        """Return the interval of a number as text.

        Parameters
        ----------
        row : int
            Position of the pair.

        Returns
        -------
        str
            Text such as ``23 to 31``, one number if both ends are equal, ``from 23 on`` if the
            upper end is larger than all that were tried, and empty if both ends are.
        """
        low, high = int(self.lower[row]), int(self.upper[row])
        if low and not high:
            return f"from {low:,} on"
        return "" if not low else f"{low:,}" if low == high else f"{low:,} to {high:,}"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RisingPower(LockedArrays):
    """Power that does not fall as the number grows; shape (n_sizes, n_pairs or n_pairs + 1).

    Attributes
    ----------
    power : ndarray of float
        Simulated shares; neighbours that fall are pooled.
    lower, upper : ndarray of float
        Ends of intervals, pooled in the same way.
    """

    power: FloatArray
    lower: FloatArray
    upper: FloatArray


class PlanCurve(NamedTuple):
    """Power by number, with intervals."""

    sizes: IntArray
    power: FloatArray
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Plan(Result):
    """How many data sets, folds or runs an experiment needs, by a pilot.

    :func:`nbcompare.plan` returns it; it displays itself. Its sections are ``findings``, ``pairs``
    (the number that each pair needs), ``sizes`` (power by number), ``methods`` (a paragraph for a
    paper), ``notes``, ``method`` and ``references``.

    Attributes
    ----------
    unit : {"datasets", "folds", "runs"}
        What is planned: the number of data sets, of folds, or of runs of each fold.
    n_pilot : int
        How many of them the pilot has.
    power : float
        The wanted power, on average over what the pilot leaves open.
    alpha : float
        Level of the tests.
    prior : float
        How many data sets, folds or runs without a difference were added to those of the pilot.
    largest : int
        The largest number that was tried.
    first, second : tuple of str
        The algorithms of each pair; the first is the better one in the pilot. The pairs that
        need least come first.
    difference : ndarray of float
        Difference of the means in the pilot, positive where the first has the better mean.
    pvalue : ndarray of float
        P-values in the pilot, adjusted if the design adjusts them; upper ends where runs give
        intervals.
    significant : ndarray of bool
        Whether the pilot found the pair significant.
    needed : Needed
        What each pair needs.
    together : Needed or None
        What is needed to find at once all pairs that the pilot found significant; its arrays
        have length 1. None if there are none.
    sizes : ndarray of int, shape (n_sizes,)
        The numbers that were simulated, ascending.
    repetitions : ndarray of int, shape (n_sizes,)
        Number of simulated experiments of each.
    found : Shares, shape (n_sizes, n_pairs or n_pairs + 1)
        Share of experiments in which each pair was found significant in the direction of the
        pilot, with ends between which the powers of single populations are; if the pilot found
        pairs significant, the last column is that of all of them at once.
    rising : RisingPower
        The same as curves that do not fall, for figures.
    confidence : float
        Coverage of the intervals: the share of populations that they hold.
    tests : str
        The design, as a sentence.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The pilot and the options.
    """

    unit: str
    n_pilot: int
    power: float
    alpha: float
    prior: float
    largest: int
    first: tuple[str, ...]
    second: tuple[str, ...]
    difference: FloatArray
    pvalue: FloatArray
    significant: BoolArray
    needed: Needed
    together: Needed | None
    sizes: IntArray
    repetitions: IntArray
    found: Shares
    rising: RisingPower
    confidence: float
    tests: str
    several_scales: bool

    @property
    def n(self) -> int | None:
        """The answer: the number for all pairs that the pilot found significant at once.

        Of a pilot that found none, the number for the pair that needs least. None if it is larger
        than ``largest``.
        """
        chosen = self.needed if self.together is None else self.together
        return int(chosen.n[0]) or None

    @property
    def n_significant(self) -> int:
        """Number of pairs that the pilot found significant."""
        return int(self.significant.sum())

    @property
    def noun(self) -> str:
        """What is planned, in the singular: ``data set``, ``fold`` or ``run``."""
        return NOUNS[self.unit]

    def curve(self, pair: int | None = None) -> PlanCurve:
        """Return the power by number, which does not fall.

        Parameters
        ----------
        pair : int, optional
            Place of a pair; by default, that of all pairs that the pilot found significant at
            once.

        Returns
        -------
        PlanCurve
            Arrays of shape (n_sizes,): ``sizes``, the numbers that were simulated, ascending;
            ``power``, from 0 to 1; and ``lower`` and ``upper``, the ends of its intervals.

        Raises
        ------
        ValueError
            If there is no such pair, or the pilot found none significant.
        """
        n_pairs = len(self.first)
        if pair is None and self.together is None:
            raise ValueError(
                "`pair` must be the place of a pair here: the pilot found none significant."
            )
        if pair is not None and not 0 <= pair < n_pairs:
            raise ValueError(f"`pair` must be from 0 to {n_pairs - 1}; got {shown(pair)}.")
        at = n_pairs if pair is None else pair
        found = self.rising
        return PlanCurve(self.sizes, found.power[:, at], found.lower[:, at], found.upper[:, at])

    # --------------------------------------------------------------------- findings

    @property
    def summary(self) -> str:
        """The answer in a sentence."""
        pilot, what = f"the pilot has {self.n_pilot:,}", ""
        if self.together is None:
            pilot = f"the pilot, which found no pair significant, has {self.n_pilot:,}"
            what = "the pilot's clearest difference, "
        aim = (
            f"To find {what}{self._aim}, with a power of {self.power:g} on average over what the "
            "pilot leaves open, "
        )
        if self.n is None:
            return f"{aim}{self._counted(self.largest)} are not enough; {pilot}."
        interval = self._needed.interval(0)
        return (
            f"{aim}{self._counted(self.n)} are needed ({percent(self.confidence)} interval "
            f"{interval}); {pilot}."
        )

    @property
    def _needed(self) -> Needed:
        """What the answer is about: all significant pairs, or the one that needs least."""
        return self.needed if self.together is None else self.together

    @property
    def _aim(self) -> str:
        """What is to be found."""
        if self.n_significant > 1:
            return f"{every(self.n_significant, 'difference')} that the pilot found significant"
        row = int(np.argmax(self.significant))
        only = ", the only difference that the pilot found significant" * self.n_significant
        return f"that {self.first[row]} is better than {self.second[row]}{only}"

    def _counted(self, n: int) -> str:
        """Return a number with its noun."""
        return f"{plural(n, self.noun)}{self._each}"

    @property
    def _each(self) -> str:
        """What more of them are wanted of: without folds, runs are those of an algorithm."""
        alone = self.unit == RUNS and self.design.n_folds == 1
        return " of each algorithm" if alone else _EACH[self.unit]

    def _account(self) -> tuple[tuple[str, ...], ...]:
        needed, share = self._needed, percent(self.confidence)
        there = (
            f"With {self._counted(self.n or self.largest)} the power is {needed.power[0]:.2f} on "
            f"average, and from {needed.power_lower[0]:.2f} to {needed.power_upper[0]:.2f} in "
            f"{share} of what the pilot leaves open."
        )
        curse = (
            "Differences that are significant in a small pilot tend to be overestimated (the "
            "winner's curse)"
        )
        if self.prior:
            less = percent(self.prior / (self.n_pilot + self.prior), 0)
            curse += (
                f": {self._added} {'was' if self.prior == 1 else 'were'} added to the pilot, which "
                f"makes its differences smaller by {less} on average"
            )
        return (self.summary, there), (f"{curse}.",)

    @property
    def _added(self) -> str:
        """What was added to the pilot."""
        nouns = self.noun if self.prior == 1 else f"{self.noun}s"
        return f"{self.prior:g} {nouns} without a difference"

    # ---------------------------------------------------------------------- methods

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        added = ""
        if self.prior:
            added = (
                f"; {self._added} were added, with the differences of the pilot and of either "
                "sign, because differences of a pilot tend to be too large"
            )
        return on_methods(
            "plan",
            self,
            cite,
            of_what=self._each,
            pilot=plural(self.n_pilot, self.noun),
            tests=_REASONS.sub("", self.tests),
            added=lambda: added and f"{added}{cite('button2013')}",
            overlap="" if self.unit == FOLDS else None,
            aim=f"{self._aim}{', at once' if self.n_significant > 1 else ''}",
            n_experiments=int(self.repetitions.sum()),
            level=percent(self.confidence),
        )

    # ----------------------------------------------------------------------- tables

    def to_frame(self, by: str = "pairs") -> pd.DataFrame:
        """Return the plan as a pandas dataframe.

        Parameters
        ----------
        by : {"pairs", "sizes"}
            ``pairs``: a row per pair, and a last one for all that the pilot found significant at
            once, if there are some. ``sizes``: a row per number that was simulated and pair.

        Returns
        -------
        pandas.DataFrame
            Columns ``first``, ``second`` (both empty in the row of all), ``difference``, ``pvalue``
            and ``significant`` in the pilot, ``n`` (missing where it is more than ``largest``),
            ``n_lower``, ``n_upper``, ``power``, ``power_lower`` and ``power_upper``; or ``size``,
            ``first``, ``second``, ``repetitions``, ``found``, ``power``, ``power_lower`` and
            ``power_upper``.
        """
        check_choice(by, "by", ("pairs", "sizes"))
        parts = [self.needed, *([] if self.together is None else [self.together])]
        rest = [""] * (len(parts) - 1)
        pairs = list(zip((*self.first, *rest), (*self.second, *rest), strict=True))
        if by == "sizes":
            found = {
                "repetitions": self.repetitions[:, np.newaxis],
                "found": self.found.successes.astype(np.int64)[:, : len(pairs)],
                "power": self.found.share[:, : len(pairs)],
                "power_lower": self.found.lower[:, : len(pairs)],
                "power_upper": self.found.upper[:, : len(pairs)],
            }
            frame = frame_of_cells({"size": self.sizes.tolist(), "pair": pairs}, found)
            frame.insert(1, "first", frame["pair"].str[0])
            frame.insert(2, "second", frame.pop("pair").str[1])
            return frame
        whole = {"n": "n", "lower": "n_lower", "upper": "n_upper"}
        columns = {
            "first": [first for first, _ in pairs],
            "second": [second for _, second in pairs],
            "difference": [*self.difference.tolist(), *[np.nan for _ in rest]],
            "pvalue": [*self.pvalue.tolist(), *[np.nan for _ in rest]],
            "significant": [*self.significant.tolist(), *[True for _ in rest]],
        } | {
            whole.get(name, name): np.concatenate([getattr(part, name) for part in parts])
            for name in (*whole, "power", "power_lower", "power_upper")
        }
        frame = frame_of(columns)
        for name in whole.values():
            frame[name] = frame[name].astype("Int64").mask(frame[name] == 0)
        return frame

    def _sections(self) -> Sections:
        return {"pairs": self._pairs, "sizes": self._sizes}

    def _first_rows(self) -> tuple[Part, ...]:
        return (self._pairs().cut(),)

    def _pairs(self) -> Table:
        """Return the numbers that the pairs need."""
        what, first, second = f"{self.noun}s", [*self.first], [*self.second]
        p = [format_p(float(value)) for value in self.pvalue]
        cells = [(self.needed, row) for row in range(len(first))]
        m = self.n_significant
        if self.together is not None and m > 1:
            first.append(f"all {m} significant")
            second, p, cells = [*second, ""], [*p, ""], [*cells, (self.together, 0)]
        numbers = {
            "p in the pilot": p,
            f"{what} needed": [
                f"{n.n[at]:,}" if n.n[at] else f"> {self.largest:,}" for n, at in cells
            ],
            "interval": [n.interval(at) or "–" for n, at in cells],
            "power there": [
                f"{n.power[at]:.3f} ({n.power_lower[at]:.3f} to {n.power_upper[at]:.3f})"
                for n, at in cells
            ],
        }
        caption = (
            f"Number of {what}{self._each} for a power of {self.power:g} "
            f"(α = {self.alpha:g}; {percent(self.confidence)} intervals); the pilot has "
            f"{self.n_pilot:,}"
        )
        return table_of({"better in the pilot": first, "worse": second}, numbers, caption)

    def _sizes(self) -> Table:
        """Return power by number, of all significant pairs at once and of each pair."""
        named = {"all significant": -1} if self.together is not None else {}
        for place, (one, other) in enumerate(zip(self.first, self.second, strict=True)):
            named[f"{one} over {other}"] = place
        numbers = {
            f"{self.noun}s": [f"{size:,}" for size in self.sizes],
            "experiments": [f"{count:,}" for count in self.repetitions],
        }
        share = self.found.share
        numbers |= {name: [f"{x:.3f}" for x in share[:, place]] for name, place in named.items()}
        caption = f"Simulated power by number of {self.noun}s{self._each}"
        return table_of({}, numbers, caption)
