"""Omnibus tests and hypotheses, which several results contain."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._render import Column, Table, format_number, format_p
from nbcompare.results.labelled import Labelled
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
    """

    statistic: float
    df: tuple[float, ...]
    pvalue: float
    log10_pvalue: float
    is_exact: bool = False


def omnibus_table(tests: Iterable[tuple[str, OmnibusResult]], decimals: int = 3) -> Table:
    """Return a table of omnibus tests, whose statistics have so many ``decimals``."""
    tests = tuple(tests)
    exact = [test.is_exact for _, test in tests]
    law = (
        "exact p"
        if all(exact)
        else "p of rank tests exact"
        if any(exact)
        else "p by the χ² and F laws"
    )
    columns = (
        Column("test"),
        Column("statistic", number=True),
        Column("degrees of freedom", number=True),
        Column("p", number=True),
    )
    rows = tuple(
        (
            OMNIBUS[name].header,
            format_number(test.statistic, decimals),
            ", ".join(f"{df:.4g}" for df in test.df),
            format_p(test.pvalue, test.log10_pvalue),
        )
        for name, test in tests
    )
    return Table(
        columns, rows, caption=f"Null hypothesis that all algorithms perform equally; {law}"
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Hypotheses(LockedArrays):
    """The hypotheses of a family as columns, sorted by p-value, then by the order of the labels.

    Attributes
    ----------
    first, second : tuple of str
        The algorithms; the first is the control if there is one.
    statistic, pvalue, log10_pvalue : ndarray of float
        Test statistic, positive where the first is better, p-value and its logarithm.
    adjusted, log10_adjusted : mapping of str to ndarray of float
        Adjusted p-values and their logarithms, by procedure.
    rejected : ndarray of bool
        True where the hypothesis is rejected, by the first procedure (or by the raw p-value if
        there is none).
    effect_size : ndarray of float or None
        Matched-pairs rank-biserial correlation, positive where the first is better.
        None, like the counts, if only average ranks were given.
    wins, ties, losses : ndarray of int or None
        Numbers of data sets on which the first wins, ties and loses.
    mean_difference : ndarray of float or None
        Difference of mean scores in units of the measure, positive where the first is better:
        first minus second if high scores are better, second minus first if low scores are
        better. The means are over the data sets with scores of both, or over those of each if
        there is none with both.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    statistic: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    adjusted: Labelled[FloatArray]
    log10_adjusted: Labelled[FloatArray]
    rejected: BoolArray
    effect_size: FloatArray | None = None
    wins: IntArray | None = None
    ties: IntArray | None = None
    losses: IntArray | None = None
    mean_difference: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.first)

    def __repr__(self) -> str:
        return f"<Hypotheses: {len(self)}, {int(self.rejected.sum())} rejected>"

    def to_frame(self) -> pd.DataFrame:
        """Return a dataframe with a row per hypothesis and columns named like the attributes.

        Each adjustment procedure has a column of adjusted p-values.
        """
        import pandas as pd

        columns: dict[str, Any] = {
            "first": self.first,
            "second": self.second,
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "log10_pvalue": self.log10_pvalue,
        }
        if self.effect_size is not None:
            columns |= {
                name: getattr(self, name)
                for name in ("effect_size", "wins", "ties", "losses", "mean_difference")
            }
        return pd.DataFrame(columns | dict(self.adjusted) | {"rejected": self.rejected})

    def decisive(self, row: int) -> str:
        """Return the deciding p-value of a row as text: the first adjusted or else the raw one."""
        for name in self.adjusted:
            return format_p(float(self.adjusted[name][row]), float(self.log10_adjusted[name][row]))
        return format_p(float(self.pvalue[row]), float(self.log10_pvalue[row]))

    def table(self, caption: str, statistic: str = "z") -> Table:
        """Return a table of all hypotheses; ``statistic`` is the header of the statistic."""
        columns = [
            Column("first"),
            Column("second"),
            Column(statistic, number=True),
            Column("p", number=True),
            *(Column(f"p, {PROCEDURES[name].label}", number=True) for name in self.adjusted),
        ]
        if self.effect_size is not None:
            columns += [Column("effect size", number=True), Column("win/tie/loss", number=True)]
        columns.append(Column("rejected"))
        rows = tuple(self._row(row) for row in range(len(self)))
        return Table(tuple(columns), rows, caption=caption)

    def _row(self, row: int) -> tuple[str, ...]:
        cells = [
            self.first[row],
            self.second[row],
            statistic_text(self, row),
            format_p(float(self.pvalue[row]), float(self.log10_pvalue[row])),
        ]
        for name, values in self.adjusted.items():
            cells.append(format_p(float(values[row]), float(self.log10_adjusted[name][row])))
        if self.effect_size is not None:
            counts = (self.wins, self.ties, self.losses)
            cells.append(format_number(float(self.effect_size[row]), 2))
            cells.append("/".join(str(count[row]) for count in counts if count is not None))
        cells.append("yes" if self.rejected[row] else "no")
        return tuple(cells)


def statistic_text(tests: Hypotheses, row: int) -> str:
    """Return the statistic of a hypothesis with three decimals, unless all are sums of ranks."""
    halves = bool((tests.statistic * 2 == np.round(tests.statistic * 2)).all())
    value = float(tests.statistic[row])
    return f"{value:.1f}" if halves and math.isfinite(value) else format_number(value, 3)
