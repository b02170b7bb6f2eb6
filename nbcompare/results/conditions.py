"""Tests of the conditions that parametric tests need."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from nbcompare._arrays import FloatArray, LockedArrays
from nbcompare._render import Table, format_df, format_number, format_p, plural, stated_p
from nbcompare._validation import check_choice, check_name
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import Labelled, frame_of, table_of
from nbcompare.results.sentences import MOST_LISTED
from nbcompare.results.texts import Cited, computed
from nbcompare.results.wording import joined

if TYPE_CHECKING:
    import pandas as pd

NORMALITY = MappingProxyType(
    {
        "lilliefors": "Lilliefors (Kolmogorov–Smirnov)",
        "shapiro-wilk": "Shapiro–Wilk",
        "dagostino-pearson": "D'Agostino–Pearson",
    }
)
VARIANCES = MappingProxyType({"levene": "Levene", "brown-forsythe": "Brown–Forsythe"})
# The sentences report the most powerful test of normality and the more robust one of variances.
_NORMALITY, _VARIANCES = "shapiro-wilk", "brown-forsythe"
_NONE = "–"  # in a cell where a test is not possible
_REFERENCES = MappingProxyType(
    {
        "lilliefors": ("lilliefors1967", "dallal1986", "stephens1974"),
        "shapiro-wilk": ("shapiro1965",),
        "dagostino-pearson": ("dagostino1973",),
        "levene": ("levene1960",),
        "brown-forsythe": ("brown1974",),
    }
)


@dataclass(frozen=True, slots=True)
class ConditionTest:
    """A test of normality or of equal variances.

    Attributes
    ----------
    statistic : float
        Lilliefors' D, Shapiro and Wilk's W, D'Agostino and Pearson's K squared, or F.
    pvalue, log10_pvalue : float
        The p-value, which may underflow to 0, and its logarithm, which does not.
    df : tuple of float
        Degrees of freedom of F; empty for tests of normality.
    """

    statistic: float
    pvalue: float
    log10_pvalue: float
    df: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Sample(LockedArrays):
    """The scores of one algorithm, over data sets or within one, and their tests.

    Attributes
    ----------
    algorithm : str
        Name of the algorithm.
    dataset : str or None
        The data set of the runs and folds; None for mean scores over data sets.
    values : ndarray of float
        The scores in ascending order.
    mean, deviation : float
        Mean and standard deviation (n - 1); the deviation is 0 if all values are equal.
    tests : mapping of str to ConditionTest or None
        ``lilliefors``, ``shapiro-wilk`` and ``dagostino-pearson``; None where the sample is
        constant or its size does not suit the test.
    """

    algorithm: str
    dataset: str | None
    values: FloatArray
    mean: float
    deviation: float
    tests: Labelled[ConditionTest | None]

    def __repr__(self) -> str:
        where = "" if self.dataset is None else f" on {self.dataset!r}"
        return f"<Sample: {self.algorithm!r}{where}, {plural(len(self.values), 'value')}>"


@dataclass(frozen=True, slots=True)
class Variances:
    """Tests that the algorithms' scores have equal variances.

    Attributes
    ----------
    dataset : str or None
        The data set of the runs and folds; None for mean scores over data sets.
    tests : mapping of str to ConditionTest or None
        ``levene`` (deviations from the mean) and ``brown-forsythe`` (from the median); None
        where an algorithm has fewer than 3 scores.
    """

    dataset: str | None
    tests: Labelled[ConditionTest | None]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Conditions(Result):
    """Tests of two assumptions of parametric tests, normality and equal variances.

    :func:`nbcompare.check_conditions` returns it; it displays itself. Its sections are
    ``normality``, ``variances``, ``findings``, ``notes``, ``methods``, ``method`` and
    ``references``.

    Attributes
    ----------
    alpha : float
        Significance level of each test by itself.
    samples : tuple of Sample
        The mean scores of each algorithm over data sets (if there are several), then, if
        there are runs or folds, the scores of each algorithm on each data set.
    variances : tuple of Variances
        The tests of equal variances, in the same order; empty for one algorithm.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    alpha: float
    samples: tuple[Sample, ...]
    variances: tuple[Variances, ...]

    def rejects(self, test: ConditionTest | None) -> bool:
        """Return whether a test rejects its condition at level ``alpha``.

        Parameters
        ----------
        test : ConditionTest or None
            A test of this result; None stands for one that could not be made.

        Returns
        -------
        bool
            Whether there is a test and its p is at most ``alpha``.
        """
        return test is not None and test.pvalue <= self.alpha

    def select(self, algorithm: str | None = None, dataset: str | None = None) -> list[Sample]:
        """Return the samples of one algorithm or of all, over data sets or within one.

        Parameters
        ----------
        algorithm : str, optional
            Name of an algorithm; all algorithms by default.
        dataset : str, optional
            Name of a data set, for the scores of its runs and folds. By default, the mean
            scores over data sets, or the scores on the only data set.

        Returns
        -------
        list of Sample
            The samples, in the order of the algorithms.

        Raises
        ------
        ValueError
            If a name is not in the data, or if there are no runs or folds within a data set.
        """
        if algorithm is not None:
            check_name(algorithm, "algorithm", self.design.algorithms)
        if dataset is None and self.design.n_datasets == 1:
            dataset = self.design.datasets[0]
        if dataset is not None:
            check_name(dataset, "dataset", self.design.datasets)
            if self.design.n_folds * self.design.n_runs == 1:
                raise ValueError(
                    f"`dataset` must be None, for the scores over all data sets, because there are "
                    f"no runs or folds within one; got {dataset!r}."
                )
        found = [
            sample
            for sample in self.samples
            if sample.dataset == dataset and algorithm in (None, sample.algorithm)
        ]
        if not found:
            raise ValueError(f"`algorithm` {algorithm!r} has no score on data set {dataset!r}.")
        return found

    def to_frame(self, what: str = "normality") -> pd.DataFrame:
        """Return all tests as a pandas dataframe.

        Parameters
        ----------
        what : {"normality", "variances"}
            The tests to return: a row per sample, or per comparison of variances.

        Returns
        -------
        pandas.DataFrame
            Columns dataset (None: mean scores over data sets), algorithm, n, mean and
            deviation (normality only), then statistic, pvalue, log10_pvalue and rejected of
            each test under names such as ``levene_pvalue``; missing (NaN, None) where the
            test is not possible.
        """
        is_normality = check_choice(what, "what", ("normality", "variances")) == "normality"
        parts: Sequence[Sample | Variances] = self.samples if is_normality else self.variances
        columns: dict[str, list[Any]] = {"dataset": [part.dataset for part in parts]}
        if is_normality:
            columns["algorithm"] = [sample.algorithm for sample in self.samples]
            columns["n"] = [len(sample.values) for sample in self.samples]
            columns["mean"] = [sample.mean for sample in self.samples]
            columns["deviation"] = [sample.deviation for sample in self.samples]
        for name in NORMALITY if is_normality else VARIANCES:
            tests = [part.tests[name] for part in parts]
            for field in ("statistic", "pvalue", "log10_pvalue"):
                values = [math.nan if test is None else getattr(test, field) for test in tests]
                columns[f"{name.replace('-', '_')}_{field}"] = values
            columns[f"{name.replace('-', '_')}_rejected"] = [
                None if test is None else self.rejects(test) for test in tests
            ]
        return frame_of(columns)

    def _count(self, tests: Iterable[ConditionTest | None]) -> tuple[int, int]:
        """Return how many tests reject, and how many were possible."""
        made = [test for test in tests if test is not None]
        return sum(map(self.rejects, made)), len(made)

    # ----------------------------------------------------------------------- tables

    def _sections(self) -> Sections:
        return {"normality": self._normality, "variances": self._variances}

    def _sources(self) -> tuple[str, ...]:
        """Return the references only; the data are not cited, because no algorithm is compared."""
        return self.references

    def _p(self, test: ConditionTest | None) -> str:
        if test is None:
            return _NONE
        return ("* " if self.rejects(test) else "") + format_p(test.pvalue, test.log10_pvalue)

    def _caption(self, text: str) -> str:
        return f"{text}: p; * rejected at α = {self.alpha:g}"

    def _normality(self) -> tuple[Table, ...]:
        """Return the tests over data sets, and a table of each test within them."""
        over = [sample for sample in self.samples if sample.dataset is None]
        tables = []
        if over:
            numbers = {"n": [str(len(sample.values)) for sample in over]}
            for name, title in NORMALITY.items():
                numbers[title] = [self._p(sample.tests[name]) for sample in over]
            names = {"algorithm": [sample.algorithm for sample in over]}
            caption = self._caption("Normality of the scores over data sets")
            tables.append(table_of(names, numbers, caption))
        within = {(s.dataset, s.algorithm): s.tests for s in self.samples if s.dataset is not None}
        datasets = self.design.datasets
        for name, title in NORMALITY.items() if within else ():
            numbers = {
                label: [
                    self._p(within[at, label][name]) if (at, label) in within else _NONE
                    for at in datasets
                ]
                for label in self.design.algorithms
            }
            caption = self._caption(f"Normality within data sets, {title}")
            tables.append(table_of({"data set": datasets}, numbers, caption))
        return tuple(tables)

    def _variances(self) -> tuple[Table, ...]:
        tables = []
        for kind, within in (("over", False), ("within", True)):
            parts = [part for part in self.variances if (part.dataset is not None) == within]
            numbers = {}
            for name, title in VARIANCES.items():
                tests = [part.tests[name] for part in parts]
                numbers[f"F, {title}"] = [
                    _NONE if test is None else format_number(test.statistic, 3) for test in tests
                ]
                numbers[f"p, {title}"] = list(map(self._p, tests))
            names = {
                "data set" if within else "scores": [p.dataset or "all data sets" for p in parts]
            }
            caption = self._caption(f"Equal variances of the algorithms' scores {kind} data sets")
            tables += [table_of(names, numbers, caption)] if parts else []
        return tuple(tables)

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        over = [sample for sample in self.samples if sample.dataset is None]
        within = [sample for sample in self.samples if sample.dataset is not None]
        return (
            (*self._normality_over(over), self._variances_over()) if over else (),
            (self._normality_within(within), self._variances_within()) if within else (),
        )

    def _normality_over(self, samples: Sequence[Sample]) -> tuple[str, ...]:
        where = f"Normality of the scores over {plural(self.design.n_datasets, 'data set')}"
        count, made = self._count(sample.tests[_NORMALITY] for sample in samples)
        if not made:
            return (
                f"{where} cannot be tested: {NORMALITY[_NORMALITY]} needs at least 3 scores that "
                "are not all equal.",
            )
        names = [s.algorithm for s in samples if self.rejects(s.tests[_NORMALITY])]
        listed = f", {joined(names)}" if count < made and 0 < count <= MOST_LISTED else ""
        text = (
            f"{where} is rejected for {count or 'none'} of {plural(made, 'algorithm')}{listed} "
            f"({NORMALITY[_NORMALITY]}, α = {self.alpha:g})"
        )
        end = ": a rank test is the safe choice."
        if not count:
            end = (
                ", which does not show that the scores are normal; a rank test does not need them "
                "to be."
            )
        others = []
        for name, title in NORMALITY.items():
            rejected, tested = self._count(sample.tests[name] for sample in samples)
            if name != _NORMALITY and tested:
                others.append(f"{rejected or 'none'} of {tested} by {title}")
        return f"{text}{end}", f"It is rejected for {joined(others)}." if others else ""

    def _variances_over(self) -> str:
        tests = [part.tests[_VARIANCES] for part in self.variances if part.dataset is None]
        if not tests or tests[0] is None:
            return ""
        df = joined([format_df(number) for number in tests[0].df])
        p = stated_p(format_p(tests[0].pvalue, tests[0].log10_pvalue))
        return (
            f"Equal variances of the algorithms are {'' if self.rejects(tests[0]) else 'not '}"
            f"rejected ({VARIANCES[_VARIANCES]} F {format_number(tests[0].statistic, 2)} with {df} "
            f"df, {p})."
        )

    def _normality_within(self, samples: Sequence[Sample]) -> str:
        counts = (("folds", self.design.n_folds), ("runs", self.design.n_runs))
        over = joined([noun for noun, count in counts if count > 1])
        count, made = self._count(sample.tests[_NORMALITY] for sample in samples)
        if not made:
            return f"Normality over the {over} of a data set cannot be tested."
        return (
            f"Within data sets, over {over}, normality is rejected for {count or 'none'} of "
            f"{plural(made, 'sample')} ({NORMALITY[_NORMALITY]}, α = {self.alpha:g})."
        )

    def _variances_within(self) -> str:
        parts = [part for part in self.variances if part.dataset is not None]
        count, made = self._count(part.tests[_VARIANCES] for part in parts)
        if not made:
            return ""
        return (
            f"There, equal variances of the algorithms are rejected on {count or 'none'} of "
            f"{plural(made, 'data set')} ({VARIANCES[_VARIANCES]})."
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        told = []
        for what, names, parts in (
            ("Normality", NORMALITY, self.samples),
            ("Equality of variances", VARIANCES, self.variances),
        ):
            made = [
                f"{title}{cite(*_REFERENCES[name])}"
                for name, title in names.items()
                if any(part.tests[name] is not None for part in parts)
            ]
            if made:
                told.append(f"{what} was tested by {joined(made)}.")
        return (*told, computed(self.design))
