"""The result of testing normality and equal variances, with its sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import FloatArray, IntArray, LockedArrays, locked
from nbcompare._render import (
    Column,
    Note,
    Part,
    Prose,
    Table,
    format_df,
    format_number,
    format_p,
    plural,
    stated_p,
)
from nbcompare._validation import check_choice, check_name
from nbcompare.results._result import Result, Sections
from nbcompare.results._subject import joined
from nbcompare.results.design import Design
from nbcompare.results.labelled import Labelled
from nbcompare.words import cited

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
_OTHERS = ("lilliefors", "dagostino-pearson")
_MOST_LISTED = 6


def sentences(result: Conditions) -> tuple[str, ...]:
    """Return sentences on normality and variances, over data sets and then within them."""
    over = [sample for sample in result.samples if sample.dataset is None]
    within = [sample for sample in result.samples if sample.dataset is not None]
    found = []
    if over:
        found += [_normality_over(result, over), _others(result, over)]
        found += [_variances_over(result, v) for v in result.variances if v.dataset is None]
    if within:
        found.append(_normality_within(result, within))
        variances = [part for part in result.variances if part.dataset is not None]
        found.append(_variances_within(result, variances))
    return tuple(sentence for sentence in found if sentence)


def by_chance(result: Conditions, n_tests: int) -> str:
    """Return how many tests would reject by chance, on average, if every condition held."""
    return f"{n_tests * result.alpha:.2g}"


def _tested(samples: Sequence[Sample], name: str) -> list[Sample]:
    return [sample for sample in samples if sample.tests[name] is not None]


def _at(result: Conditions, name: str) -> str:
    return f"({NORMALITY[name]}, α = {result.alpha:g})"


def _normality_over(result: Conditions, samples: Sequence[Sample]) -> str:
    tested = _tested(samples, _NORMALITY)
    n_datasets = plural(result.design.n_datasets, "data set")
    if not tested:
        return (
            f"Normality of the scores over {n_datasets} cannot be tested: "
            f"{NORMALITY[_NORMALITY]} needs at least 3 scores that are not all equal."
        )
    rejected = [s.algorithm for s in tested if result.rejects(s.tests[_NORMALITY])]
    start = f"Normality of the scores over {n_datasets} is rejected for"
    family = plural(len(tested), "algorithm")
    if not rejected:
        return (
            f"{start} none of {family} {_at(result, _NORMALITY)}, which does not show that the "
            "scores are normal; a rank test does not need them to be."
        )
    many = len(rejected) == len(tested) or len(rejected) > _MOST_LISTED
    listed = "" if many else f", {joined(rejected)}"
    return (
        f"{start} {len(rejected)} of {family}{listed} {_at(result, _NORMALITY)}: a rank test is "
        "the safe choice."
    )


def _others(result: Conditions, samples: Sequence[Sample]) -> str:
    counts = []
    for name in _OTHERS:
        tested = _tested(samples, name)
        if tested:
            rejected = sum(result.rejects(sample.tests[name]) for sample in tested)
            counts.append(f"{rejected or 'none'} of {len(tested)} by {NORMALITY[name]}")
    return f"It is rejected for {joined(counts)}." if counts else ""


def _variances_over(result: Conditions, part: Variances) -> str:
    test = part.tests[_VARIANCES]
    if test is None:
        return ""
    verdict = "are rejected" if result.rejects(test) else "are not rejected"
    df = joined([format_df(number) for number in test.df])
    return (
        f"Equal variances of the algorithms {verdict} ({VARIANCES[_VARIANCES]} F "
        f"{format_number(test.statistic, 2)} with {df} df, "
        f"{stated_p(format_p(test.pvalue, test.log10_pvalue))})."
    )


def _normality_within(result: Conditions, samples: Sequence[Sample]) -> str:
    tested = _tested(samples, _NORMALITY)
    repeated = joined(
        [
            noun
            for count, noun in ((result.design.n_folds, "folds"), (result.design.n_runs, "runs"))
            if count > 1
        ]
    )
    if not tested:
        return f"Normality over the {repeated} of a data set cannot be tested."
    rejected = sum(result.rejects(sample.tests[_NORMALITY]) for sample in tested)
    return (
        f"Within data sets, over {repeated}, normality is rejected for {rejected or 'none'} of "
        f"{plural(len(tested), 'sample')} {_at(result, _NORMALITY)}; if all were normal, about "
        f"{by_chance(result, len(tested))} would be."
    )


def _variances_within(result: Conditions, parts: Sequence[Variances]) -> str:
    tests = [test for part in parts if (test := part.tests[_VARIANCES]) is not None]
    if not tests:
        return ""
    rejected = sum(result.rejects(test) for test in tests)
    return (
        f"There, equal variances of the algorithms are rejected on {rejected or 'none'} of "
        f"{plural(len(tests), 'data set')} ({VARIANCES[_VARIANCES]}); if all were equal, about "
        f"{by_chance(result, len(tests))} would be."
    )


# The content of a cell where a test is not possible
_NONE = "–"
# Up to this many algorithms, each test has a table with a column per algorithm, as on the SCI2S
# page.
_MOST_COLUMNS = 8
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

    @property
    def normal_quantiles(self) -> FloatArray:
        """Expected standard normal quantiles, ascending (Blom: (i - 3/8)/(n + 1/4))."""
        n, quantile = len(self.values), NormalDist().inv_cdf
        return locked(np.array([quantile((i - 0.375) / (n + 0.25)) for i in range(1, n + 1)]))

    @property
    def histogram(self) -> tuple[FloatArray, IntArray]:
        """Edges and counts of 1 + log2(n) classes of equal width (Sturges)."""
        n_classes = 1 if self.deviation == 0 else 1 + math.ceil(math.log2(len(self.values)))
        low, high = float(self.values[0]), float(self.values[-1])
        if self.deviation == 0:
            reach = max(abs(low), abs(high)) * 0.05 or 0.5
            low, high = low - reach, high + reach
        edges = np.linspace(low, high, n_classes + 1)
        inside = np.searchsorted(edges, self.values, side="right") - 1
        return edges, np.bincount(np.clip(inside, 0, n_classes - 1), minlength=n_classes)


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

    :func:`nbcompare.check_conditions` returns it; it displays itself, and
    :func:`nbcompare.plots.histogram_qq` draws it. Its sections are ``normality``,
    ``variances``, ``conclusions`` and ``references``.

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
    notes: tuple[Note, ...]
    design: Design

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on how many tests reject, and what that means for the choice of a test."""
        return sentences(self)

    @property
    def references(self) -> tuple[str, ...]:
        """References for the tests, sorted by author."""
        outcomes = [part.tests for part in self.samples] + [part.tests for part in self.variances]
        made = {name for tests in outcomes for name, test in tests.items() if test is not None}
        return cited(key for name in made for key in _REFERENCES[name])

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
        import pandas as pd

        if check_choice(what, "what", ("normality", "variances")) == "variances":
            return pd.DataFrame(
                [{"dataset": part.dataset} | self._cells(part.tests) for part in self.variances]
            )
        rows = []
        for sample in self.samples:
            row: dict[str, Any] = {"dataset": sample.dataset, "algorithm": sample.algorithm}
            row |= {"n": len(sample.values), "mean": sample.mean, "deviation": sample.deviation}
            rows.append(row | self._cells(sample.tests))
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        tests = [test for sample in self.samples for test in sample.tests.values()]
        rejected = sum(self.rejects(test) for test in tests)
        made = plural(sum(test is not None for test in tests), "test")
        return (
            f"<Conditions: {plural(len(self.design.algorithms), 'algorithm')}, "
            f"{plural(self.design.n_datasets, 'data set')}, "
            f"normality rejected by {rejected} of {made}>"
        )

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Part, ...]:
        return (*self._normality(), *self._variances())

    def _sections(self) -> Sections:
        return {"normality": self._normality, "variances": self._variances}

    def _sources(self) -> tuple[str, ...]:
        """Return the references only; the data are not cited, because no algorithm is compared."""
        return self.references

    def _parts(self) -> tuple[Part, ...]:
        tables = [*self._normality(), *self._variances()]
        return (Prose(self.sentences), *(table.cut() for table in tables), *self._notes())

    def _cells(self, tests: Labelled[ConditionTest | None]) -> dict[str, Any]:
        cells: dict[str, Any] = {}
        for name, test in tests.items():
            word = name.replace("-", "_")
            for field in ("statistic", "pvalue", "log10_pvalue"):
                cells[f"{word}_{field}"] = math.nan if test is None else getattr(test, field)
            cells[f"{word}_rejected"] = None if test is None else self.rejects(test)
        return cells

    def _p(self, test: ConditionTest | None) -> str:
        if test is None:
            return _NONE
        return ("* " if self.rejects(test) else "") + format_p(test.pvalue, test.log10_pvalue)

    def _caption(self, text: str) -> str:
        return f"{text}: p; * rejected at α = {self.alpha:g}"

    def _normality(self) -> tuple[Table, ...]:
        over = [sample for sample in self.samples if sample.dataset is None]
        within = [sample for sample in self.samples if sample.dataset is not None]
        tables = []
        if over:
            caption = self._caption("Normality of the scores over data sets")
            tables.append(self._long(over, caption, within=False))
        if within and len(self.design.algorithms) > _MOST_COLUMNS:
            caption = self._caption("Normality of the scores within data sets")
            tables.append(self._long(within, caption, within=True))
        elif within:
            tables += [self._matrix(within, name) for name in NORMALITY]
        return tuple(tables)

    def _long(self, samples: Sequence[Sample], caption: str, *, within: bool) -> Table:
        columns = [Column("data set"), Column("algorithm")][0 if within else 1 :]
        columns += [Column("n", number=True)]
        columns += [Column(text, number=True) for text in NORMALITY.values()]
        rows = tuple(
            (
                *((sample.dataset or "",) if within else ()),
                sample.algorithm,
                str(len(sample.values)),
                *(self._p(sample.tests[name]) for name in NORMALITY),
            )
            for sample in samples
        )
        return Table(tuple(columns), rows, caption=caption)

    def _matrix(self, samples: Sequence[Sample], name: str) -> Table:
        """Return a table with a row per data set and a column per algorithm."""
        cells = {(s.dataset, s.algorithm): self._p(s.tests[name]) for s in samples}
        algorithms = self.design.algorithms
        columns = (Column("data set"), *(Column(label, number=True) for label in algorithms))
        rows = tuple(
            (dataset, *(cells.get((dataset, label), _NONE) for label in algorithms))
            for dataset in self.design.datasets
        )
        title = f"Normality within data sets, {NORMALITY[name]}"
        return Table(columns, rows, caption=self._caption(title))

    def _variances(self) -> tuple[Table, ...]:
        tables = []
        for kind, within in (("scores over data sets", False), ("scores within data sets", True)):
            parts = [part for part in self.variances if (part.dataset is not None) == within]
            if not parts:
                continue
            columns = [Column("data set")] if within else [Column("scores")]
            for text in VARIANCES.values():
                columns += [Column(f"F, {text}", number=True), Column(f"p, {text}", number=True)]
            rows = tuple(self._variance_row(part) for part in parts)
            caption = self._caption(f"Equal variances of the algorithms' {kind}")
            tables.append(Table(tuple(columns), rows, caption=caption))
        return tuple(tables)

    def _variance_row(self, part: Variances) -> tuple[str, ...]:
        cells = ["all data sets" if part.dataset is None else part.dataset]
        for name in VARIANCES:
            test = part.tests[name]
            cells.append(_NONE if test is None else format_number(test.statistic, 3))
            cells.append(self._p(test))
        return tuple(cells)
