"""The result of planning an experiment: how many data sets, folds or runs it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._render import MOST_ROWS, Column, Note, Part, Prose, Table, format_p, plural
from nbcompare._validation import check_choice, shown
from nbcompare.results import _subject as subject
from nbcompare.results._cited import Cited, computed
from nbcompare.results._established import counted, every, paragraphs
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import Design
from nbcompare.results.pair import percent
from nbcompare.results.power_study import Shares
from nbcompare.words import cited

if TYPE_CHECKING:
    import pandas as pd

DATASETS, FOLDS, RUNS = UNITS = ("datasets", "folds", "runs")
NOUNS = MappingProxyType({DATASETS: "data set", FOLDS: "fold", RUNS: "run"})
# What more of them are wanted of
_EACH = MappingProxyType({DATASETS: "", FOLDS: " of the data set", RUNS: " of each fold"})
_MOST_TOLD = 6  # pairs that a sentence names
_REFERENCES = ("button2013", "clopper1934", "demsar2006", "efron1993", "green2016")
_OF_FOLDS = "nadeau2003"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Needed(LockedArrays):
    """The least numbers with which a wanted power is reached.

    Attributes
    ----------
    n : ndarray of int
        The least number; 0 where it is larger than the largest that was tried.
    lower, upper : ndarray of int
        Ends of its interval: the numbers at which the interval of the power includes the wanted
        one. 0 where an end is larger than the largest number that was tried.
    power : ndarray of float
        Simulated power at ``n``, or at the largest number where that is not enough.
    power_lower, power_upper : ndarray of float
        Ends of the binomial interval of the power there.
    """

    n: IntArray
    lower: IntArray
    upper: IntArray
    power: FloatArray
    power_lower: FloatArray
    power_upper: FloatArray

    def __len__(self) -> int:
        return len(self.n)

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

    def is_certain(self, row: int) -> bool:
        """Return whether both ends of the interval of a number are the same.

        Parameters
        ----------
        row : int
            Position of the pair.

        Returns
        -------
        bool
            Whether the interval is one number alone, or lies beyond all that were tried.
        """
        return bool(self.lower[row] == self.upper[row])


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RisingPower(LockedArrays):
    """Power that does not fall as the number grows, shape (n_sizes, n_pairs + 1).

    Attributes
    ----------
    power : ndarray of float
        Simulated shares; neighbours that fall are pooled.
    lower, upper : ndarray of float
        Ends of intervals: the largest lower end up to a number, and the smallest upper end from it
        on.
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
    paper), ``conclusions``, ``method`` and ``references``.

    Attributes
    ----------
    unit : {"datasets", "folds", "runs"}
        What is planned: the number of data sets, of folds, or of runs of each fold.
    n_pilot : int
        How many of them the pilot has.
    power : float
        The wanted power.
    alpha : float
        Level of the tests.
    shrink : float
        Share by which the pilot's differences were made smaller.
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
    found : Shares, shape (n_sizes, n_pairs + 1)
        Share of experiments in which each pair was found significant in the direction of the
        pilot; the last column is that of all pairs that were significant in the pilot at once,
        without any trials if there are none.
    rising : RisingPower
        The same as curves that do not fall, for figures; the last column is 0 without any trials.
    confidence : float
        Coverage of the intervals, which are those of the simulation: they do not include the
        uncertainty of the pilot.
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
    shrink: float
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
    notes: tuple[Note, ...]
    design: Design

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

    # -------------------------------------------------------------------- sentences

    @property
    def summary(self) -> str:
        """The answer in a sentence."""
        wanted = f"with a power of {self.power:g}"
        pilot = f"the pilot has {self.n_pilot:,}"
        if self.together is None:
            return (
                f"The pilot found no pair significant ({plural(self.n_pilot, self.noun)}). "
                f"{self._least(wanted)}"
            )
        m = self.n_significant
        what = (
            f"that {self._pair(int(np.flatnonzero(self.significant)[0]))}, the only difference"
            if m == 1
            else every(m, "difference")
        )
        begin = f"To find {what} that the pilot found significant, {wanted}, "
        if not self.together.n[0]:
            low, high = self._ends(self.together, 0)
            return (
                f"{begin}{self._counted(self.largest)} are not enough: the "
                f"power is {self.together.power[0]:.2f} there ({low} to {high}; {pilot})."
            )
        low, high = self._ends(self.together, 0)
        told = self._counted(int(self.together.n[0]))
        return (
            f"{begin}{told} are needed{self._interval(self.together, 0)}: the power is then "
            f"{self.together.power[0]:.2f} ({low} to {high}); {pilot}."
        )

    def _least(self, wanted: str) -> str:
        """Say what the pair needs that needs least."""
        begin = f"For its clearest difference, that {self._pair(0)}, "
        if not self.needed.n[0]:
            return (
                f"{begin}{self._counted(self.largest)} are not enough: the "
                f"power is {self.needed.power[0]:.2f} there."
            )
        told = self._counted(int(self.needed.n[0]))
        return f"{begin}{wanted}, {told} are needed{self._interval(self.needed, 0)}."

    def _pair(self, row: int) -> str:
        return f"{self.first[row]} is better than {self.second[row]}"

    def _ends(self, needed: Needed, row: int) -> tuple[str, str]:
        return f"{needed.power_lower[row]:.2f}", f"{needed.power_upper[row]:.2f}"

    def _counted(self, n: int) -> str:
        """Return a number with its noun."""
        return f"{plural(n, self.noun)}{_EACH[self.unit]}"

    def _interval(self, needed: Needed, row: int) -> str:
        """Return the interval of a number in brackets, or nothing if it is that number alone."""
        if not needed.n[row] or needed.is_certain(row):
            return ""
        return f" ({percent(self.confidence)} interval {needed.interval(row)})"

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences for a paper: the answer, the pairs, what it assumes, the design."""
        return (self.summary, *self._of_pairs(), *self._assumed(), self.tests)

    def _of_pairs(self) -> Iterator[str]:
        """Yield a sentence on the pairs, which need least first."""
        if len(self.first) == 1:
            return
        rows = range(len(self.first))
        reached = [row for row in rows if self.needed.n[row]]
        told = [
            f"{self.first[row]} over {self.second[row]} {int(self.needed.n[row]):,}"
            f"{self._range(row)}"
            for row in reached[:_MOST_TOLD]
        ]
        if told:
            more = len(reached) - len(told)
            rest = [f"{plural(more, 'other pair')} as the table says"] if more else []
            yield (f"Each pair by itself needs, in {self.noun}s: {subject.joined([*told, *rest])}.")
        left = len(self.first) - len(reached)
        if left:
            pairs = counted(left, "other pair" if reached else "pair")
            yield f"{self._counted(self.largest)} are not enough for {pairs}."

    def _range(self, row: int) -> str:
        return "" if self.needed.is_certain(row) else f" ({self.needed.interval(row)})"

    def _assumed(self) -> tuple[str, ...]:
        told = (
            f"This assumes the pilot's differences, made smaller by {percent(self.shrink)}, "
            "and that their variation is that of the pilot."
            if self.shrink
            else "This assumes that the true differences are those of the pilot. Differences that "
            "were significant in a small pilot tend to be too large"
        )
        if not self.shrink:
            told += (
                "."
                if self.several_scales
                else "; the option shrink plans for smaller ones, such as 0.25 for a quarter less."
            )
        return (
            told,
            "The intervals are those of the simulation: they do not include the uncertainty of the "
            "pilot.",
        )

    @property
    def references(self) -> tuple[str, ...]:
        """References for planning by simulation, sorted by author."""
        return cited(_REFERENCES + ((_OF_FOLDS,) if self.unit == FOLDS else ()))

    # ----------------------------------------------------------------------- frames

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
        import pandas as pd

        check_choice(by, "by", ("pairs", "sizes"))
        first, second = [*self.first], [*self.second]
        if self.together is not None:
            first, second = [*first, ""], [*second, ""]
        if by == "sizes":
            m, found = len(first), self.found
            return pd.DataFrame(
                {
                    "size": np.repeat(self.sizes, m),
                    "first": first * len(self.sizes),
                    "second": second * len(self.sizes),
                    "repetitions": np.repeat(self.repetitions, m),
                    "found": found.successes[:, :m].ravel().astype(np.int64),
                    "power": found.share[:, :m].ravel(),
                    "power_lower": found.lower[:, :m].ravel(),
                    "power_upper": found.upper[:, :m].ravel(),
                }
            )
        parts = [self.needed, *([] if self.together is None else [self.together])]
        extra = len(first) - len(self.first)

        def column(name: str) -> FloatArray:
            return np.concatenate([getattr(part, name) for part in parts])

        def number_of(name: str) -> pd.Series:
            values = column(name)
            return pd.Series(values, dtype="Int64").mask(values == 0)

        return pd.DataFrame(
            {
                "first": first,
                "second": second,
                "difference": [*self.difference.tolist(), *[np.nan] * extra],
                "pvalue": [*self.pvalue.tolist(), *[np.nan] * extra],
                "significant": [*self.significant.tolist(), *[True] * extra],
                "n": number_of("n"),
                "n_lower": number_of("lower"),
                "n_upper": number_of("upper"),
                "power": column("power"),
                "power_lower": column("power_lower"),
                "power_upper": column("power_upper"),
            }
        )

    def __repr__(self) -> str:
        n = self.n
        told = f"more than {plural(self.largest, self.noun)}" if n is None else plural(n, self.noun)
        what = (
            f"{plural(self.n_significant, 'significant pair')} of {len(self.first)}"
            if self.together is not None
            else f"the clearest of {plural(len(self.first), 'pair')}"
        )
        return f"<Plan: {told} for {what}, power {self.power:g}, pilot of {self.n_pilot}>"

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Part, ...]:
        return (self._pairs(), self._sizes())

    def _sections(self) -> Sections:
        return {
            "findings": self._findings,
            "pairs": lambda: (self._pairs(),),
            "sizes": lambda: (self._sizes(),),
        }

    def _parts(self) -> tuple[Part, ...]:
        return (Prose(self.sentences), self._pairs().cut(MOST_ROWS), *self._notes())

    def _findings(self) -> tuple[Part, ...]:
        return paragraphs([(self.summary, *self._of_pairs()), self._assumed()])

    def _pairs(self) -> Table:
        """Return the numbers that the pairs need."""
        what = f"{self.noun}s"
        columns = (
            Column("better in the pilot"),
            Column("worse"),
            Column("p in the pilot", number=True),
            Column(f"{what} needed", number=True),
            Column("interval", number=True),
            Column("power there", number=True),
        )
        rows = [
            (
                self.first[row],
                self.second[row],
                format_p(float(self.pvalue[row])),
                *self._cells(self.needed, row),
            )
            for row in range(len(self.first))
        ]
        if self.together is not None:
            m = self.n_significant
            title = f"all {m} significant" if m > 1 else "the significant one"
            rows.append((title, "", "", *self._cells(self.together, 0)))
        return Table(
            columns,
            tuple(rows),
            caption=f"Number of {what}{_EACH[self.unit]} for a power of {self.power:g} "
            f"(α = {self.alpha:g}; {percent(self.confidence)} intervals); the pilot has "
            f"{self.n_pilot:,}",
        )

    def _cells(self, needed: Needed, row: int) -> tuple[str, str, str]:
        n, ends = int(needed.n[row]), needed.interval(row) or "–"
        there = f"{needed.power[row]:.3f} ({' to '.join(self._decimals(needed, row))})"
        return f"{n:,}" if n else f"> {self.largest:,}", ends, there

    def _decimals(self, needed: Needed, row: int) -> Sequence[str]:
        return [f"{end[row]:.3f}" for end in (needed.power_lower, needed.power_upper)]

    def _sizes(self) -> Table:
        """Return power by number, of all significant pairs at once and of each pair."""
        places = list(range(len(self.first)))
        columns = [Column(f"{self.noun}s", number=True), Column("experiments", number=True)]
        if self.together is not None:
            places = [len(self.first), *places]
            columns.append(Column("all significant", number=True))
        columns += [
            Column(f"{one} over {other}", number=True)
            for one, other in zip(self.first, self.second, strict=True)
        ]
        rows = tuple(
            (
                f"{size:,}",
                f"{self.repetitions[at]:,}",
                *(f"{self.found.share[at, place]:.3f}" for place in places),
            )
            for at, size in enumerate(self.sizes.tolist())
        )
        return Table(
            tuple(columns),
            rows,
            caption=f"Simulated power by number of {self.noun}s{_EACH[self.unit]}",
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        less = (
            f", after the differences of the algorithms' means were made smaller by "
            f"{percent(self.shrink)}, because those of a pilot tend to be too large"
            f"{cite('button2013')}"
            if self.shrink
            else ""
        )
        overlap = (
            " Because the training sets of folds overlap, the folds of each simulated experiment "
            f"had a random part in common{cite(_OF_FOLDS)}."
            if self.unit == FOLDS
            else ""
        )
        return (
            f"We planned the number of {self.noun}s{_EACH[self.unit]} by simulation"
            f"{cite('green2016')}: {self.noun}s were drawn with replacement"
            f"{cite('efron1993')} from a pilot of {plural(self.n_pilot, self.noun)}{less}, and "
            f"the tests were applied to each simulated experiment{cite('demsar2006')}.{overlap}",
            self.tests,
            f"The number is the smallest with which a share of at least {self.power:g} of the "
            f"experiments found {self._target()}; the {percent(self.confidence)} "
            f"intervals of the shares are those of Clopper and Pearson{cite('clopper1934')}.",
            self._answer(),
            computed(self.design),
        )

    def _target(self) -> str:
        """Return what the number finds."""
        if self.together is None:
            return (
                f"that {self._pair(0)}, the clearest difference of the pilot, which was not "
                "significant there"
            )
        m = self.n_significant
        if m == 1:
            row = int(np.flatnonzero(self.significant)[0])
            return f"that {self._pair(row)}, which the pilot found significant"
        return f"{every(m, 'difference')} that were significant in the pilot, at once"

    def _answer(self) -> str:
        n = self.n
        if n is None:
            return f"{self._counted(self.largest)} are not enough."
        return f"The plan has {self._counted(n)}."

    def _method(self) -> tuple[tuple[str, str], ...]:
        total, sizes = int(self.repetitions.sum()), len(self.sizes)
        return (
            (
                "pilot",
                f"{plural(len(self.design.algorithms), 'algorithm')}, "
                f"{self._counted(self.n_pilot)}",
            ),
            ("design", self.tests.removeprefix("Design: ").rstrip(".")),
            ("wanted power", f"{self.power:g}"),
            (
                "differences",
                f"those of the pilot, smaller by {percent(self.shrink)}"
                if self.shrink
                else "those of the pilot",
            ),
            (
                "simulated experiments",
                f"{total:,} of {plural(sizes, 'number')} of {self.noun}s, at most {self.largest:,}",
            ),
            ("seed of the random numbers", shown(self.design.options["rng"])),
            ("intervals", f"{percent(self.confidence)}, Clopper and Pearson"),
            *subject.identity(self.design, "fingerprint of the pilot"),
        )
