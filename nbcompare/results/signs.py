"""The result of the multiple sign test of algorithms against a control."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import TWO_SIDED
from nbcompare._render import Table, format_p
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import frame_of, significant, table_of
from nbcompare.results.sentences import NOT_EQUAL, Pairs, established
from nbcompare.results.texts import Cited, about_datasets, computed, settings

if TYPE_CHECKING:
    import pandas as pd

_COUNTED = MappingProxyType(
    {
        "two-sided": "the less frequent sign",
        "better": "the plus signs",
        "worse": "the minus signs",
    }
)
_METHOD = MappingProxyType(
    {
        "exact": "exact",
        "numerical": "expectation over the control's quantiles, by 8 scrambled Sobol sequences "
        "with a fixed seed",
    }
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MultipleSigns(Result):
    """A comparison of algorithms with a control by the multiple sign test.

    :func:`nbcompare.multiple_sign_test` returns it; it displays itself. Its sections are
    ``findings``, ``signs``, ``methods``, ``notes``, ``method`` and ``references``. The arrays have
    an entry for each algorithm except the control, sorted by p-value, then by the order of the
    data.

    Attributes
    ----------
    control : str
        The algorithm that all others are compared with.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis about the **control**: it differs from an algorithm, is better,
        or is worse.
    alpha : float
        Family-wise significance level.
    missing : str
        Treatment of missing scores.
    method : {"exact", "numerical"}
        How the p-values were computed.
    algorithms : tuple of str
        Names of all algorithms except the control.
    plus, minus, ties : ndarray of int
        Numbers of data sets on which the algorithm is better than the control, worse, and tied
        with it.
    n_used : ndarray of int
        Number of data sets that count: all, or one less if the number of ties is odd.
    r : ndarray of int
        Number of signs against the alternative, including half of the ties: plus signs for
        ``better``, minus signs for ``worse``, else the less frequent sign.
    critical_value : ndarray of int
        The largest significant r; -1 if there is none.
    pvalue, log10_pvalue : ndarray of float
        p-value, adjusted for the number of algorithms, and its logarithm.
    standard_error : ndarray of float
        Numerical standard error of ``pvalue``; 0 if it is exact.
    rejected : ndarray of bool
        True where p <= alpha.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    control: str
    alternative: str
    alpha: float
    missing: str
    method: str
    algorithms: tuple[str, ...]
    plus: IntArray
    minus: IntArray
    ties: IntArray
    n_used: IntArray
    r: IntArray
    critical_value: IntArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    standard_error: FloatArray
    rejected: BoolArray

    @property
    def wins_needed(self) -> IntArray:
        """Least number of signs for the alternative that is significant; n + 1 if none is.

        Of ``n_used``, with half of the ties: signs of either side if the test is two-sided. With
        one algorithm, these are the critical values of the sign test (Demšar 2006, Table 4), exact.
        """
        needed: IntArray = self.n_used - self.critical_value
        return needed

    def to_frame(self) -> pd.DataFrame:
        """Return the algorithms as a pandas dataframe, one row each.

        Returns
        -------
        pandas.DataFrame
            Columns algorithm, plus, minus, ties, n_used, r, critical_value, pvalue,
            log10_pvalue, standard_error, rejected and wins_needed.
        """
        columns = [field.name for field in fields(self)]
        arrays = (*columns[columns.index("plus") :], "wins_needed")
        return frame_of(
            {"algorithm": self.algorithms} | {name: getattr(self, name) for name in arrays}
        )

    # -------------------------------------------------------------------- sentences

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return ((self._found(),),)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        verb = {"two-sided": "differs from", "better": "is better than", "worse": "is worse than"}
        several = len(self.algorithms) > 1
        others = f"any of {len(self.algorithms)} algorithms" if several else self.algorithms[0]
        adjusted = f", adjusted for the {len(self.algorithms)} comparisons" if several else ""
        return (
            f"Whether the control {self.control} {verb[self.alternative]} {others} was tested by "
            f"the {'multiple ' if several else ''}sign test"
            f"{cite('steel1959', 'rhyne1965', 'derrac2011')} on {about_datasets(self.design)}, at "
            f"α = {self.alpha:g}{adjusted}.",
            computed(self.design),
        )

    def _found(self) -> str:
        m = len(self.algorithms)
        pairs = Pairs(
            first=(self.control,) * m,
            second=self.algorithms,
            sides=np.sign(self.minus - self.plus).tolist(),
            found=tuple(np.flatnonzero(self.rejected).tolist()),
            control=self.control,
            ordered=self.design.algorithms,
            text=self._p,
            size=lambda row: float(self.log10_pvalue[row]),
            adjusted=True,
            alternative=self.alternative,
        )
        found = established(pairs)
        if self.rejected.all():
            return found
        two_sided = self.alternative == TWO_SIDED
        return f"{found} {NOT_EQUAL if two_sided else 'This does not prove the contrary.'}"

    # ---------------------------------------------------------------------- display

    def _sections(self) -> Sections:
        return {"signs": self._table}

    def _table(self) -> Table:
        counts = {
            "better (+)": self.plus,
            "worse (−)": self.minus,
            "tied": self.ties,
            "n": self.n_used,
            "r": self.r,
        }
        numbers = {name: list(map(str, count.tolist())) for name, count in counts.items()}
        for name, least in (("critical r", self.critical_value), ("wins needed", self.wins_needed)):
            numbers[name] = [
                str(one) if critical >= 0 else "none"
                for one, critical in zip(least, self.critical_value, strict=True)
            ]
        numbers["p"] = list(map(self._p, range(len(self.algorithms))))
        caption = (
            f"Data sets on which each algorithm is better or worse than the control "
            f"{self.control}; r counts {_COUNTED[self.alternative]}; p is adjusted "
            f"(α = {self.alpha:g})"
        )
        names = {"algorithm": self.algorithms}
        return table_of(names, numbers, caption, last=significant(self.rejected))

    def _p(self, row: int) -> str:
        return format_p(float(self.pvalue[row]), float(self.log10_pvalue[row]))

    def _method(self) -> tuple[tuple[str, str], ...]:
        p = (
            "probability that the smallest r of all algorithms is as small, if all orders of "
            f"the algorithms are equally likely ({_METHOD[self.method]})"
        )
        error = float(self.standard_error.max())
        errors = ("largest standard error of a p", f"{error:.1g}" if error else "")
        return settings(self.design, vars(self), (("p", p), errors))
