"""What a result was computed from, and how: enough to compute it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nbcompare._options import BETTER, MINIMIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """The data and the options behind a result.

    Attributes
    ----------
    algorithms, datasets : tuple of str
        Labels; no data sets are known when only average ranks were given.
    n_datasets, n_folds, n_runs : int
        Sizes of the experiment.
    direction : {"maximize", "minimize"} or None
        Whether high or low scores are better; None when only average ranks were given.
    measure, citation : str or None
        What was measured, and where it was published.
    fingerprint : str or None
        Of the experiment.
    version : str
        Of nbcompare.
    options : mapping
        The arguments as they were given.
    left_out : tuple of str
        Data sets left out because a score is missing.
    n_missing : int
        Cells without a score among those that were not left out.
    """

    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    n_datasets: int
    n_folds: int
    n_runs: int
    direction: str | None
    measure: str | None
    citation: str | None
    fingerprint: str | None
    version: str
    options: Mapping[str, Any]
    left_out: tuple[str, ...] = ()
    n_missing: int = 0

    @property
    def better(self) -> str:
        """``higher is better`` or ``lower is better``; empty when unknown."""
        return "" if self.direction is None else BETTER[self.direction]

    def minus(self, first: str = "first", second: str = "second") -> str:
        """Return how a difference is taken, so that it is positive where the first is better.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> comparison = nbc.compare(nbc.datasets.load("demsar2006"))  # areas under the curve
        >>> comparison.design.minus("A", "B")
        'A minus B'
        """
        one, other = (first, second) if self.direction != MINIMIZE else (second, first)
        return f"{one} minus {other}"
