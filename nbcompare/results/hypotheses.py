"""Omnibus tests, hypotheses and decisions on pairs, which several results contain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._render import Table, format_number, format_p
from nbcompare.results.design import ComputedLater, Source, none_yet
from nbcompare.results.imprecise import INCONCLUSIVE as _INCONCLUSIVE
from nbcompare.results.labelled import Labelled, frame_of, table_of
from nbcompare.results.wording import format_alike
from nbcompare.words import OMNIBUS, PROCEDURES

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class OmnibusResult:
    """An omnibus test of whether there is any difference among the algorithms.

    Attributes
    ----------
    statistic : float
        Chi-squared or F; infinite if all data sets agree perfectly.
    df : tuple of float
        Degrees of freedom.
    pvalue, log10_pvalue : float
        The p-value, which may underflow to 0, and its logarithm, which does not.
    is_exact : bool
        Whether p counts all ways to exchange the scores within the data sets; else it comes from
        the chi-squared or F law, and is at least that of perfect agreement.
    critical_value : float or None
        The smallest significant statistic by the chi-squared or F law; None where p does not come
        from that law.
    """

    statistic: float
    df: tuple[float, ...]
    pvalue: float
    log10_pvalue: float
    is_exact: bool = False
    critical_value: float | None = None

    @property
    def p_text(self) -> str:
        """The p-value as text."""
        return format_p(self.pvalue, self.log10_pvalue)


def omnibus_table(
    tests: Iterable[tuple[str, OmnibusResult]], alpha: float, decimals: int = 3
) -> Table:
    """Return a table of omnibus tests, whose statistics have so many ``decimals``.

    Critical values at ``alpha`` stand beside them where p comes from the law of the statistic.
    """
    tests = tuple(tests)
    exact = [test.is_exact for _, test in tests]
    law = (
        "exact p"
        if all(exact)
        else "p of rank tests exact"
        if any(exact)
        else "p by the χ² and F laws"
    )
    numbers = {
        "statistic": [format_number(test.statistic, decimals) for _, test in tests],
        f"critical value, α = {alpha:g}": [
            _NO_SIZE
            if test.critical_value is None
            else format_number(test.critical_value, decimals)
            for _, test in tests
        ],
        "degrees of freedom": [", ".join(f"{df:.4g}" for df in test.df) for _, test in tests],
        "p": [test.p_text for _, test in tests],
    }
    if all(test.critical_value is None for _, test in tests):
        del numbers[f"critical value, α = {alpha:g}"]
    caption = f"Null hypothesis that all algorithms perform equally; {law}"
    return table_of({"test": [OMNIBUS[name].header for name, _ in tests]}, numbers, caption)


_EFFECTS = (
    "effect_size",
    "wins",
    "ties",
    "losses",
    "mean_difference",
    "estimate",
    "lower",
    "upper",
    "outcome",
)
_NO_SIZE = "–"
ROUNDING = 1e-9  # of p-values that were computed in two ways
# Of more data sets, a display computes effects for the pairs that it shows, not for all.
_MOST_DATASETS = 10_000


class PairEffects(Source, Protocol):
    """The effects of hypotheses: a record of the scores, from which they can be computed."""

    @property
    def n_datasets(self) -> int:
        """Number of data sets, with which the work grows."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Hypotheses(ComputedLater, LockedArrays):
    """The hypotheses of a family as columns, sorted by p-value, then by the order of the labels.

    Attributes
    ----------
    first, second : tuple of str
        The algorithms of each pair: the better one first, by the test; or the control, if there is
        one.
    statistic, pvalue, log10_pvalue : ndarray of float
        Test statistic, positive where the first is better, p-value and its logarithm.
    adjusted, log10_adjusted : mapping of str to ndarray of float
        Adjusted p-values and their logarithms, by procedure.
    rejected : ndarray of bool
        True where the hypothesis is rejected, by the first procedure (or by the raw p-value if
        there is none).
    effect_size : ndarray of float or None
        Matched-pairs rank-biserial correlation, positive where the first is better; without
        estimates, the share of data sets that it wins minus the share that it loses. None, like
        the counts, if only average ranks were given. All effects, from here on, are computed when
        they are first looked at.
    wins, ties, losses : ndarray of int or None
        Numbers of data sets on which the first wins, ties and loses.
    mean_difference : ndarray of float or None
        Difference of mean scores in units of the measure, positive where the first is better:
        first minus second if high scores are better, second minus first if low scores are
        better. The means are over the data sets with scores of both, or over those of each if
        there is none with both.
    estimate : ndarray of float or None
        Estimated difference in units of the measure, with the sign of ``mean_difference``: Hodges
        and Lehmann's for tests of pairs by Wilcoxon, the mean difference for t, else the median
        difference. None if differences mean nothing, as on several scales.
    lower, upper : ndarray of float or None
        Ends of the confidence intervals of the estimates; None if there are none.
    outcome : tuple of str or None
        ``different``, ``different but negligible``, ``equivalent`` or ``inconclusive``, with
        regard to a margin; None without one.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    statistic: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    adjusted: Labelled[FloatArray]
    log10_adjusted: Labelled[FloatArray]
    rejected: BoolArray
    effect_size: FloatArray | None = field(default_factory=none_yet)
    wins: IntArray | None = field(default_factory=none_yet)
    ties: IntArray | None = field(default_factory=none_yet)
    losses: IntArray | None = field(default_factory=none_yet)
    mean_difference: FloatArray | None = field(default_factory=none_yet)
    estimate: FloatArray | None = field(default_factory=none_yet)
    lower: FloatArray | None = field(default_factory=none_yet)
    upper: FloatArray | None = field(default_factory=none_yet)
    outcome: tuple[str, ...] | None = field(default_factory=none_yet)
    later: InitVar[PairEffects | None] = None

    def __post_init__(self, later: PairEffects | None) -> None:
        """Lock the arrays, and keep what computes the columns of effects ``later``."""
        super().__post_init__()
        self._postpone(later)

    @property
    def has_estimates(self) -> bool:
        """Whether there are estimates of the differences; computes none of them."""
        return vars(self).get("estimate", self) is not None

    @property
    def has_outcomes(self) -> bool:
        """Whether the pairs are compared with a margin; computes no outcome."""
        return vars(self).get("outcome", self) is not None

    @property
    def has_effects(self) -> bool:
        """Whether there are effect sizes, counts and mean differences; computes none of them."""
        return "_later" in vars(self) or self.effect_size is not None

    def effects(self, rows: Sequence[int]) -> dict[str, npt.NDArray[Any]]:
        """Return the columns of effects for some hypotheses; empty if there are none.

        Of more than 10,000 data sets, only these hypotheses are computed; else whole columns
        are, and kept.

        Parameters
        ----------
        rows : sequence of int
            Positions of hypotheses.

        Returns
        -------
        dict of str to ndarray
            By name of the attribute, an array with an element for each of ``rows``, in their order.
        """
        if not self.has_effects:
            return {}
        later, found = vars(self).get("_later"), {}
        places = np.array(rows, dtype=np.int64)
        for name in _EFFECTS:
            if vars(self).get(name, later) is None:
                continue  # there is no such column
            if later is None or name in vars(self) or later.n_datasets <= _MOST_DATASETS:
                found[name] = np.asarray(getattr(self, name))[places]
            elif name not in found:
                found |= later.column(name, places)
        return found

    def __len__(self) -> int:
        return len(self.first)

    def __repr__(self) -> str:
        return f"<Hypotheses: {len(self)}, {int(self.rejected.sum())} rejected>"

    def to_frame(self) -> pd.DataFrame:
        """Return a dataframe with a row per hypothesis and columns named like the attributes.

        Each adjustment procedure has a column of adjusted p-values.

        Returns
        -------
        pandas.DataFrame
            Columns first, second, statistic, pvalue and log10_pvalue; those of effects that there
            are; the adjusted p-values, by name of the procedure; rejected; and, with a margin,
            outcome.
        """
        columns: dict[str, Any] = {
            "first": self.first,
            "second": self.second,
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "log10_pvalue": self.log10_pvalue,
        }
        if self.has_effects:
            found = {name: getattr(self, name) for name in _EFFECTS}
            columns |= {name: values for name, values in found.items() if values is not None}
        outcome = {"outcome": columns.pop("outcome")} if "outcome" in columns else {}
        return frame_of(columns | dict(self.adjusted) | {"rejected": self.rejected} | outcome)

    @property
    def win_share(self) -> FloatArray | None:
        """Share of the data sets with scores of both on which the first is better.

        A tie counts half. The share is one half if there is no such data set; None if only
        average ranks were given.
        """
        if self.wins is None or self.ties is None or self.losses is None:
            return None
        n = self.wins + self.ties + self.losses
        share: FloatArray = 0.5 + (self.wins - self.losses) / (2 * np.maximum(n, 1))
        return share

    def decisive(self, row: int) -> str:
        """Return the deciding p-value as text: the first adjusted one, or else the raw one.

        Parameters
        ----------
        row : int
            Position of the hypothesis.

        Returns
        -------
        str
            The p-value, such as ``0.0157`` or ``4.49e-08``; :func:`nbcompare.set_options` sets its
            digits.
        """
        for name in self.adjusted:
            return format_p(float(self.adjusted[name][row]), float(self.log10_adjusted[name][row]))
        return self.unadjusted(row)

    def unadjusted(self, row: int) -> str:
        """Return the raw p-value of a hypothesis as text.

        Parameters
        ----------
        row : int
            Position of the hypothesis.

        Returns
        -------
        str
            The p-value, such as ``0.0157`` or ``4.49e-08``; :func:`nbcompare.set_options` sets its
            digits.
        """
        return format_p(float(self.pvalue[row]), float(self.log10_pvalue[row]))

    def p_columns(self, rows: Sequence[int]) -> dict[str, list[str]]:
        """Return columns of p-values of some hypotheses as text, by their headers.

        Parameters
        ----------
        rows : sequence of int
            Positions of hypotheses.

        Returns
        -------
        dict of str to list of str
            The raw p-values, and those of each procedure, which is named if there are several.
        """
        found = {"p": list(map(self.unadjusted, rows))}
        for name, values in self.adjusted.items():
            alone = len(self.adjusted) == 1
            header = "adjusted p" if alone else f"p, {PROCEDURES[name].label}"
            logs = self.log10_adjusted[name]
            found[header] = [format_p(float(values[row]), float(logs[row])) for row in rows]
        return found

    def differences(
        self,
        rows: Sequence[int],
        *,
        turned: bool = True,
        effects: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> list[tuple[str, str]]:
        """Return the estimated differences of some pairs and their intervals as text.

        Parameters
        ----------
        rows : sequence of int
            Positions of hypotheses.
        turned : bool, default True
            Whether pairs are turned so that the better algorithm, by the sign of the statistic, is
            the first.
        effects : mapping of str to ndarray, optional
            What :meth:`effects` returns for these rows, if it is known.

        Returns
        -------
        list of tuple of str
            For each of ``rows``, the difference in units of the measure and its interval, such as
            ``("0.0130", "0.0000 to 0.0345")``. The interval is empty if there is no finite one, and
            both are if there are no estimates.
        """
        effects = dict(self.effects(rows) if effects is None else effects)
        names = [name for name in ("estimate", "lower", "upper") if name in effects]
        if not names:
            return [("", "")] * len(rows)
        # all have as many decimals, those of other tables and sentences too if all are computed
        everything = all(name in vars(self) for name in names)
        parts = [vars(self)[name] if everything else effects[name] for name in names]
        show = format_alike(*(np.asarray(part, dtype=np.float64) for part in parts))
        told = []
        for row, size, *ends in zip(rows, *(effects[name].tolist() for name in names), strict=True):
            is_turned = turned and self.statistic[row] < 0
            if self.rejected[row] and size == 0:  # as where most differences tie: no size
                told.append((_NO_SIZE, _NO_SIZE if ends else ""))
                continue
            if is_turned:
                size, ends = -size, [-end for end in ends[::-1]]
            finite = bool(ends) and math.isfinite(ends[0])
            interval = " to ".join(show(end) if end else "0" for end in ends) if finite else ""
            told.append((show(size), interval))
        return told

    def contradictions(self, result: Any) -> Iterator[str]:
        """Yield what is not as the decisions of the result say, as clauses."""
        p, logs = self.pvalue, self.log10_pvalue
        decisive = next(iter(self.adjusted.values()), p)
        if not ((p >= 0) & (p <= 1) & (logs <= 0)).all():
            yield "a p-value is not between 0 and 1."
        if not np.allclose(p, 10.0**logs, rtol=ROUNDING, atol=0.0):
            yield "a p-value is not that of its logarithm."
        for name, values in self.adjusted.items():
            if (values < p * (1 - ROUNDING)).any():
                yield f"a p-value adjusted by {name} is smaller than the unadjusted one."
        if (self.rejected != (decisive <= result.alpha)).any():
            yield "a decision is not that of the deciding p-value."
        found = self.effects(range(len(self)))
        lower, upper = (found.get(end, getattr(result, end, None)) for end in ("lower", "upper"))
        size = found.get("estimate", self.mean_difference)
        if size is None or lower is None or upper is None or not len(self):
            return
        noise = ROUNDING * (np.abs(size) + np.abs(lower) + np.abs(upper))
        noise = np.where(np.isfinite(noise), noise, 0.0)
        if ((size < lower - noise) | (size > upper + noise)).any():
            yield "an estimate lies outside its interval."
        if getattr(result, "intervals", "simultaneous") == "simultaneous":
            inside = (lower < 0) & (upper > 0)
            outside = (lower > 0) | (upper < 0)
            if (self.rejected & inside).any() or (~self.rejected & outside).any():
                yield "an interval disagrees with its decision."


def better_first(tests: Hypotheses, row: int) -> tuple[str, str]:
    """Return the two algorithms of a pair, the better one first."""
    pair = tests.first[row], tests.second[row]
    return pair if tests.statistic[row] >= 0 else (pair[1], pair[0])


def worse_than(tests: Hypotheses, name: str) -> set[str]:
    """Return the algorithms that are significantly worse than one."""
    pairs = [better_first(tests, row) for row in np.flatnonzero(tests.rejected).tolist()]
    return {worse for better, worse in pairs if better == name}


def win_tie_loss(counts: Iterable[IntArray], turned: Sequence[bool]) -> list[str]:
    """Return counts of wins, ties and losses of pairs, which may be turned, as text."""
    rows = zip(*(count.tolist() for count in counts), strict=True)
    return [
        "/".join(map(str, row[::-1] if is_turned else row))
        for row, is_turned in zip(rows, turned, strict=True)
    ]


def statistic_text(tests: Hypotheses, row: int, *, turned: bool = False) -> str:
    """Return the statistic of a hypothesis with three decimals, unless all are sums of ranks.

    ``turned`` is whether the pair is named in the other order.
    """
    value = float(tests.statistic[row])
    value = -value if turned else value
    are_sums = (tests.statistic * 2 == np.round(tests.statistic * 2)).all()
    return f"{value:.1f}" if are_sums and math.isfinite(value) else format_number(value, 3)


DIFFERENT, NEGLIGIBLE = "different", "different but negligible"
EQUIVALENT, INCONCLUSIVE = "equivalent", _INCONCLUSIVE
# In the order in which figures explain them
DECISIONS = (DIFFERENT, NEGLIGIBLE, EQUIVALENT, INCONCLUSIVE)


def outcomes(rejected: npt.ArrayLike, within: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return the outcome of each pair: whether it is rejected, and within the margin.

    Examples
    --------
    >>> list(outcomes([True, True, False, False], [False, True, True, False]))
    ['different', 'different but negligible', 'equivalent', 'inconclusive']
    """
    words = np.array([[INCONCLUSIVE, EQUIVALENT], [DIFFERENT, NEGLIGIBLE]], dtype=object)
    return np.asarray(words[np.asarray(rejected, np.int64), np.asarray(within, np.int64)])


def agreeing(
    lower: FloatArray, upper: FloatArray, rejected: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of simultaneous intervals, with 0 as an end where the decision says more.

    A stepwise procedure rejects more than the intervals, which treat all pairs alike, exclude. The
    bound of a rejected pair is then 0, on the side of its estimate (Strassburger and Bretz 2008;
    Guilbaud 2008). The interval of a pair that is not rejected reaches 0, as with ties it may not.

    Examples
    --------
    >>> import numpy as np
    >>> lower, upper = np.array([-1.0, -3.0, -1.0, 0.1]), np.array([3.0, 1.0, 3.0, 3.0])
    >>> low, high = agreeing(lower, upper, np.array([True, True, False, False]))
    >>> low.tolist(), high.tolist()
    ([0.0, -3.0, -1.0, 0.0], [3.0, 0.0, 3.0, 3.0])
    """
    above, below = upper > -lower, upper < -lower
    inside, outside = rejected & (lower < 0) & (upper > 0), ~rejected
    low = np.where((inside & above) | (outside & (lower > 0)), 0.0, lower)
    high = np.where((inside & below) | (outside & (upper < 0)), 0.0, upper)
    return low, high
