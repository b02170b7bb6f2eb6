"""The outcome of an omnibus test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nbcompare._render import Column, Table, format_number, format_p
from nbcompare.results.wording import OMNIBUS


@dataclass(frozen=True, slots=True)
class OmnibusResult:
    """Whether there is any difference among the algorithms at all.

    Attributes
    ----------
    statistic : float
        Chi-squared or F; infinite if all data sets agree perfectly.
    df : tuple of float
        Degrees of freedom.
    pvalue, log10_pvalue : float
        p may underflow to 0, its logarithm does not.
    """

    statistic: float
    df: tuple[float, ...]
    pvalue: float
    log10_pvalue: float


def omnibus_table(tests: Iterable[tuple[str, OmnibusResult]], decimals: int = 3) -> Table:
    """Tests by name, a row each; ``decimals`` of the statistic."""
    columns = (
        Column("test"),
        Column("statistic", number=True),
        Column("degrees of freedom", number=True),
        Column("p", number=True),
    )
    rows = tuple(
        (
            OMNIBUS[name],
            format_number(test.statistic, decimals),
            ", ".join(f"{df:.4g}" for df in test.df),
            format_p(test.pvalue, test.log10_pvalue),
        )
        for name, test in tests
    )
    return Table(columns, rows, caption="Hypothesis that all algorithms perform alike")
