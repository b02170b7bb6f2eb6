"""The result of a Bayesian comparison: probabilities of differences and of equivalence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._render import Table, format_number, plural
from nbcompare._validation import check_name, shown
from nbcompare.results._result import Result, Sections
from nbcompare.results.hypotheses import EQUIVALENT
from nbcompare.results.labelled import frame_of, table_of
from nbcompare.results.sentences import MOST_LISTED, caveat
from nbcompare.results.texts import (
    Cited,
    about_scores,
    compared_pairs,
    on_methods,
    settings,
    where_of,
)
from nbcompare.results.wording import format_alike, in_measure, joined
from nbcompare.words import BAYESIAN_TESTS, BayesianTest

if TYPE_CHECKING:
    import pandas as pd

FIRST, SECOND, NONE = "first better", "second better", "none"
_DECIMALS, _MOST_DECIMALS = 3, 6  # of a probability


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BayesianComparison(Result):
    """A Bayesian comparison of algorithms, with a region of practical equivalence.

    :func:`nbcompare.compare_bayesian` returns it; it displays itself. Its sections are
    ``findings`` (the answer in a few sentences), ``pairs`` (those with a claim first),
    ``methods`` (a paragraph for a paper), ``notes``, ``method`` and ``references``. The pairs
    are sorted: claims first, then by the largest probability.

    Attributes
    ----------
    test : str
        The test used: ``signed-rank``, ``sign`` or ``correlated-t``.
    rope : float
        Half the width of the region of practical equivalence, in units of the measure.
    threshold : float
        Probability from which something is claimed about a pair.
    control : str or None
        The algorithm that all others are compared with; None for all pairs.
    dataset : str or None
        The data set whose folds are compared, if that is so and it has a name.
    missing : str
        Treatment of missing scores.
    n_samples : int or None
        Number of random draws; None if the probabilities are exact.
    n_differences : int
        Number of data sets, or of test sets of one data set, on which two algorithms are compared.
    ratio : float or None
        Size of a test set over that of a training set, on folds.
    splits : str
        The test sets in words, such as ``10 folds``; empty if data sets are compared.
    first, second : tuple of str
        The algorithms of each pair; the first is the control if there is one.
    first_better, equivalent, second_better : ndarray of float
        Probabilities that the first is better by more than ``rope``, that the two are practically
        equivalent, and that the second is better by more than ``rope``. They add up to 1.
    standard_errors : ndarray of float or None
        Monte Carlo standard errors of these three, shape (m, 3); None if they are exact.
    decision : tuple of str
        ``first better``, ``equivalent`` or ``second better``, if that has at least the probability
        ``threshold``; else ``none``.
    mean_difference : ndarray of float or None
        Mean difference in units of the measure, positive where the first is better; None if the
        data sets seem to be on several scales, which have no meaningful mean.
    spread : ndarray of float or None
        Scale of Student's t distribution of each expected difference, on folds.
    draws : ndarray of int or None
        How many of some draws of the three shares are nearest to each point of a triangular
        lattice, shape (m, points), for :func:`nbcompare.plots.posterior_simplex`. The points are
        in the order of the share of the first, then of that of the second. None on folds, and of
        very many pairs.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    test: str
    rope: float
    threshold: float
    control: str | None
    dataset: str | None
    missing: str
    n_samples: int | None
    n_differences: int
    ratio: float | None
    splits: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    first_better: FloatArray
    equivalent: FloatArray
    second_better: FloatArray
    standard_errors: FloatArray | None
    decision: tuple[str, ...]
    mean_difference: FloatArray | None
    spread: FloatArray | None
    draws: IntArray | None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def record(self) -> BayesianTest:
        """The record of the test, with its name, method and literature."""
        return BAYESIAN_TESTS[self.test]

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Algorithms in the order of the data."""
        return self.design.algorithms

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms by how much likelier they are better than worse, in all their pairs.

        With a control only the pairs with it count. Ties are in the order of the data.
        """
        leads = dict.fromkeys(self.algorithms, 0.0)
        for row in np.argsort(-np.abs(self.first_better - self.second_better), kind="stable"):
            lead = float(self.first_better[row] - self.second_better[row])
            leads[self.second[row]] -= lead
            if self.control is None:
                leads[self.first[row]] += lead
        return tuple(sorted(leads, key=lambda name: -round(leads[name], 9)))

    @property
    def where(self) -> str:
        """The data in words, such as ``14 data sets`` or ``the data set iris``."""
        if not self.record.on_folds:
            return plural(self.design.n_datasets, "data set")
        return where_of(self.dataset)

    @property
    def region(self) -> str:
        """Half the width of the region with its unit, such as ``0.01 (AUC)``."""
        return in_measure(self.design, f"{self.rope:g}")

    def pair(self, a: str, b: str) -> tuple[int, bool]:
        """Find the row of a pair of algorithms.

        Parameters
        ----------
        a, b : str
            Two of ``algorithms``, in either order.

        Returns
        -------
        row : int
            Position of the pair in ``first`` and ``second``, and in all arrays of pairs.
        turned : bool
            Whether ``a`` is the second algorithm of this row, and ``b`` the first.

        Raises
        ------
        ValueError
            If one of the two is not an algorithm of the result, or they were not compared.
        """
        for name, argument in ((a, "a"), (b, "b")):
            check_name(name, argument, self.algorithms)
        for row, pair in enumerate(zip(self.first, self.second, strict=True)):
            if {a, b} == set(pair):
                return row, pair[0] != a
        why = "an algorithm is not compared with itself"
        if a != b:
            why = f"only pairs with the control {self.control!r} were compared"
        raise ValueError(
            f"`a` and `b` must be a pair that was compared; got {shown((a, b))}: {why}."
        )

    def chance(self, value: float, decimals: int = _DECIMALS) -> str:
        """Return a probability as text that is never 0 or 1.

        A probability below the threshold does not seem to reach it, as far as 6 decimals can tell.

        Parameters
        ----------
        value : float
            Probability from 0 to 1.
        decimals : int, default 3
            Number of decimals. There are up to 6 where fewer would round it up to ``threshold``.

        Returns
        -------
        str
            Text such as ``0.953``, ``< 0.001`` or ``> 0.999``.
        """
        text = format_number(value, decimals)
        while value < self.threshold <= float(text) and decimals < _MOST_DECIMALS:
            decimals += 1
            text = format_number(value, decimals)
        unit = 10.0 ** -len(text.partition(".")[2])
        if float(text) >= 1:
            return f"> {format_number(1 - unit, decimals)}"
        return text if float(text) > 0 else f"< {format_number(unit, decimals)}"

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs as a pandas dataframe, one row each.

        Returns
        -------
        pandas.DataFrame
            Columns first, second, mean_difference (unless the data sets are on several scales),
            first_better, equivalent, second_better, the Monte Carlo standard errors of these as
            error_first, error_equivalent and error_second (if they were sampled), and decision.
        """
        columns: dict[str, object] = {"first": self.first, "second": self.second}
        if self.mean_difference is not None:
            columns["mean_difference"] = self.mean_difference
        columns["first_better"] = self.first_better
        columns["equivalent"] = self.equivalent
        columns["second_better"] = self.second_better
        if self.standard_errors is not None:
            names = ("error_first", "error_equivalent", "error_second")
            columns |= dict(zip(names, self.standard_errors.T, strict=True))
        return frame_of(columns | {"decision": self.decision})

    # ---------------------------------------------------------------------- display

    def _sections(self) -> Sections:
        return {"pairs": self._pairs}

    def _pairs(self) -> Table:
        rows = range(len(self))
        numbers, means = {}, ""
        if self.mean_difference is not None:
            show = format_alike(self.mean_difference)
            numbers["difference"] = [show(value) for value in self.mean_difference]
            means = f"; differences are means, {self.design.minus()} (> 0: the first is better)"
        numbers["first better"] = [self.chance(float(value)) for value in self.first_better]
        if self.rope:
            numbers["equivalent"] = [self.chance(float(value)) for value in self.equivalent]
        numbers["second better"] = [self.chance(float(value)) for value in self.second_better]
        if self.standard_errors is not None:
            errors = [format_number(float(row.max()), 4) for row in self.standard_errors]
            numbers["Monte Carlo error"] = [
                error if float(error) > 0 else "< 0.0001" for error in errors
            ]
        by = f" by more than {self.region}" if self.rope else ""
        caption = (
            f"Probabilities that one algorithm of a pair is better{by} "
            f"({self.record.label}, {self.where}){means}"
        )
        names = {"first": self.first, "second": self.second}
        return table_of(names, numbers, caption, last={"claim": map(self.claim, rows)})

    def claim(self, row: int) -> str:
        """Return what is claimed about a pair, in words.

        Parameters
        ----------
        row : int
            Position of the pair in ``first`` and ``second``.

        Returns
        -------
        str
            ``X better`` with the name of the better algorithm, ``practically equivalent``, or
            ``none``.
        """
        word = self.decision[row]
        if word == EQUIVALENT:
            return "practically equivalent"
        better = {FIRST: self.first[row], SECOND: self.second[row]}
        return f"{better[word]} better" if word in better else "none"

    def _method(self) -> tuple[tuple[str, str], ...]:
        ratio = None if self.ratio is None else format_number(self.ratio, 3)
        told = {"test": self.record.method, "ratio": ratio, "rope": self.region}
        scores = about_scores(self.design, of_folds=self.record.on_folds)
        splits = f"; {self.splits}" if self.splits else ""
        return settings(self.design, vars(self) | told, scored=f"{scores}{splits}")

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        claims = [row for row, word in enumerate(self.decision) if word != NONE]
        told = [self._many(claims)]
        if len(claims) <= MOST_LISTED:
            told = [*filter(None, [self._better(claims)]), *self._equivalent(claims)]
        return ((*told, self._open(len(claims))), (caveat(self),))

    def _better(self, claims: list[int]) -> str:
        """Say which algorithms are better, together for each that is worse."""
        better: dict[str, dict[str, str]] = {}
        for row in claims:
            pair = (self.first[row], self.second[row])
            if self.decision[row] == FIRST:
                value = float(self.first_better[row])
            elif self.decision[row] == SECOND:
                value, pair = float(self.second_better[row]), pair[::-1]
            else:
                continue
            better.setdefault(pair[1], {})[pair[0]] = probability(self.chance(value))
        clauses: list[str] = []
        for worse, values in better.items():
            names = sorted(values, key=self.ordered.index)
            told = joined([values[name] for name in names])
            if len({*values.values()}) == 1 < len(names):
                told = f"{values[names[0]]} each"
            verb = "are" if len(names) > 1 else "is"
            by = f" by {'as much' if clauses else f'more than {self.region}'}" if self.rope else ""
            clauses.append(
                f"{joined(names)} {verb} better than {worse}{by} with probability {told}"
            )
        return f"{'; '.join(clauses)}." if clauses else ""

    def _equivalent(self, claims: list[int]) -> list[str]:
        return [
            f"The probability that {self.first[row]} and {self.second[row]} differ by at most "
            f"{self.region} is {probability(self.chance(float(self.equivalent[row])))}: "
            "practically equivalent."
            for row in claims
            if self.decision[row] == EQUIVALENT
        ]

    def _many(self, claims: list[int]) -> str:
        """Count the claims about many pairs, and say how far the best algorithm leads."""
        alike = sum(self.decision[row] == EQUIVALENT for row in claims)
        better = len(claims) - alike
        by = f" by more than {self.region}" if self.rope else ""
        told = [
            f"for {better:,} one algorithm is better{by}" if better else "",
            f"{alike:,} {'is' if alike == 1 else 'are'} practically equivalent" if alike else "",
        ]
        text = (
            f"Of {plural(len(self), 'pair')}, {' and '.join(filter(None, told))}, each with "
            f"probability at least {self.threshold:g}"
        )
        best, others = self.ordered[0], len(self.algorithms) - 1
        beaten = sum(self.claim(row) == f"{best} better" for row in claims)
        if not beaten or self.control is not None:
            return f"{text}."
        whom = "every other algorithm" if beaten == others else f"{beaten} of the {others} others"
        return f"{text}; {best} is better than {whom}."

    def _open(self, n_claims: int) -> str:
        """Say about how many pairs nothing can be claimed."""
        rest, level = len(self) - n_claims, f"{self.threshold:g}"
        if not rest:
            return ""
        if len(self) == 1:
            a, b = self.first[0], self.second[0]
            values = [
                probability(self.chance(float(part[0])))
                for part in (self.first_better, self.equivalent, self.second_better)
            ]
            middle = f", that they are practically equivalent {values[1]}" if self.rope else ""
            return (
                f"Nothing can be claimed about {a} and {b} with probability {level}: the "
                f"probability that {a} is better is {values[0]}{middle}, and that {b} is better "
                f"{values[2]}."
            )
        which = "any pair" if not n_claims else f"the other {plural(rest, 'pair')}"
        if n_claims and rest == 1:
            which = "the remaining pair"
        return f"Nothing can be claimed about {which} with probability {level}."

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        draws = "" if self.n_samples is None else f", with {self.n_samples:,} Monte Carlo draws"
        folds = ""
        if self.ratio is not None:
            folds = (
                f", on {self.splits}, with test sets {format_number(self.ratio, 3)} times the size "
                "of the training sets"
            )
        alike, region = "", "There is no region of practical equivalence."
        if self.rope:
            alike = ", or the two are equivalent,"
            region = (
                f"The region of practical equivalence holds differences of at most {self.region}."
            )
        return on_methods(
            "bayesian",
            self,
            cite,
            on=f"{self.where} alone" if self.record.on_folds else self.where,
            folds=folds,
            compared=compared_pairs(len(self), self.control),
            draws=draws,
            region=region,
            alike=alike,
        )


def probability(text: str) -> str:
    """Return a formatted probability as the rest of a sentence: ``0.981``, ``above 0.999``."""
    return text.replace("> ", "above ").replace("< ", "below ")


def pair_text(result: BayesianComparison, row: int) -> str:
    """Tell the probabilities of a pair, such as a page says them where a reader points."""
    a, b = result.first[row], result.second[row]
    parts = [
        (f"{a} is better", float(result.first_better[row])),
        *([("equivalent", float(result.equivalent[row]))] if result.rope else []),
        (f"{b} is better", float(result.second_better[row])),
    ]
    told = ", ".join(f"{what} {probability(result.chance(value))}" for what, value in parts)
    return f"{a} – {b}: {told}; claim: {result.claim(row)}"
