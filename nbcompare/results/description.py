"""What scores look like: statistics, ranks and marks, and the conditions of parametric tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._display import current
from nbcompare._render import (
    MOST_ROWS,
    Part,
    Strong,
    Table,
    format_df,
    format_number,
    format_numbers,
    format_p,
    plural,
    stated_p,
)
from nbcompare._validation import check_choice, check_name
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import Labelled, frame_of, frame_of_cells, table_of
from nbcompare.results.texts import Cited, about_datasets, computed, on_methods
from nbcompare.results.wording import joined

if TYPE_CHECKING:
    import pandas as pd

_MISSING, _CLOSE, _RANK = "–", "†", "average rank"
_MOST_LISTED = 6
_DIGITS = 4  # significant digits of the largest number of a column
_MOST_DECIMALS, _RANK_DECIMALS = 6, 3
_LARGEST = 1e7  # larger numbers are written with an exponent


@dataclass(frozen=True, eq=False, kw_only=True)
class Statistic(LockedArrays):
    """A statistic of the scores of every algorithm over the data sets.

    Attributes
    ----------
    values : ndarray of float, shape (n_algorithms,)
        The statistic; that of the lower ends if scores are intervals.
    upper : ndarray of float, shape (n_algorithms,), or None
        The statistic of the upper ends; None unless scores are intervals.
    best : ndarray of bool, shape (n_algorithms,)
        Whether no algorithm has a better one; False everywhere if that cannot be said.
    """

    values: FloatArray
    upper: FloatArray | None
    best: BoolArray


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Description(Result):
    """Scores of each algorithm over the data sets, and on each data set.

    :func:`nbcompare.describe` returns it; it displays itself. Its sections are ``algorithms``,
    ``datasets``, ``findings``, ``methods``, ``notes``, ``method`` and ``references``. Algorithms
    and data sets are in the order of the data, and scores as they were given.

    Attributes
    ----------
    statistics : mapping of str to Statistic
        ``median``, ``min`` and ``max`` over the data sets, ``mean`` and ``sd`` if scores are on
        one scale, and ``average rank``. There is no ``average rank`` if every data set has a
        missing score or scores are intervals, and nothing else if data sets differ in what is
        better.
    counts : ndarray of int, shape (n_algorithms,)
        Number of data sets with a score of the algorithm.
    n_ranked : int
        Number of data sets behind the average ranks: those without a missing score.
    scores : ndarray of float, shape (n_datasets, n_algorithms)
        Mean over the runs, then over the folds; that of the lower ends of intervals. NaN where the
        score is missing.
    upper_scores : ndarray of float, shape (n_datasets, n_algorithms), or None
        Mean of the upper ends; None unless scores are intervals.
    ranks : ndarray of float, shape (n_datasets, n_algorithms), or None
        Rank of each algorithm among those with a score on the data set: 1 is the best, ties share
        the mean of their ranks, NaN where the score is missing. None if scores are intervals.
    deviations : ndarray of float, shape (n_datasets, n_algorithms), or None
        Standard deviation of all scores of the algorithm on the data set, or the one that was given
        beside its only score; NaN where there is neither. None if there is none at all.
    best, close : ndarray of bool, shape (n_datasets, n_algorithms)
        On data sets where runs were compared: whether the mean is the best, and whether the
        algorithm is not significantly worse than the best.
    pvalues : ndarray of float, shape (n_datasets, n_algorithms)
        Two-sided p-values of the rank-sum test of the best against the algorithm, adjusted by Holm
        for all pairs of the data set; NaN where there was no test.
    alpha : float
        Significance level within each data set.
    domains : tuple of str or None
        Group of each data set, such as its domain.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    describes_gaps = True

    statistics: Mapping[str, Statistic]
    counts: IntArray
    n_ranked: int
    scores: FloatArray
    upper_scores: FloatArray | None
    ranks: FloatArray | None
    deviations: FloatArray | None
    best: BoolArray
    close: BoolArray
    pvalues: FloatArray
    alpha: float
    domains: tuple[str, ...] | None

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms, in the order of the data."""
        return self.design.algorithms

    @property
    def compared(self) -> tuple[str, ...]:
        """The data sets on which runs were compared."""
        return tuple(d for d, row in zip(self.design.datasets, self.best, strict=True) if row.any())

    def to_frame(self, table: str = "algorithms") -> pd.DataFrame:
        """Return one of the two tables as a pandas dataframe, with all rows.

        Parameters
        ----------
        table : {"algorithms", "datasets"}
            ``algorithms``: a row per algorithm, with a column for each of ``statistics`` (two
            columns, for the lower and upper ends, if scores are intervals), n_datasets and missing
            (numbers of data sets with and without a score).
            ``datasets``: a row per data set and algorithm, with columns dataset, algorithm, mean
            (or lower and upper), sd, best, close and pvalue; NaN where there is none.

        Returns
        -------
        pandas.DataFrame
            The table, in the order of the data; scores are as they were given.

        Raises
        ------
        ValueError
            If the table is neither of the two.
        """
        if check_choice(table, "table", ("algorithms", "datasets")) == "datasets":
            shape = self.scores.shape
            means = {"mean": self.scores}
            if self.upper_scores is not None:
                means = {"lower": self.scores, "upper": self.upper_scores}
            spread = np.full(shape, np.nan) if self.deviations is None else self.deviations
            marks = {"sd": spread, "best": self.best, "close": self.close, "pvalue": self.pvalues}
            axes = {"dataset": self.design.datasets, "algorithm": self.algorithms}
            return frame_of_cells(axes, means | marks)
        columns: dict[str, object] = {"algorithm": self.algorithms}
        for name, one in self.statistics.items():
            key = name.replace(" ", "_")
            columns[key if one.upper is None else f"{key}_lower"] = one.values
            columns |= {} if one.upper is None else {f"{key}_upper": one.upper}
        columns |= {"n_datasets": self.counts, "missing": len(self.scores) - self.counts}
        return frame_of(columns)

    def _best(self, name: str) -> tuple[str, ...]:
        """Return the algorithms that are the best by a statistic; none if that cannot be said."""
        if name not in self.statistics:
            return ()
        return tuple(np.array(self.algorithms, dtype=object)[self.statistics[name].best])

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        missing = self.design.n_missing
        gaps = f"; {plural(missing, 'score')} {'is' if missing == 1 else 'are'} missing"
        what = (
            f"There are scores of {plural(len(self.algorithms), 'algorithm')} on "
            f"{about_datasets(self.design, gaps if missing else '')}."
        )
        led: dict[tuple[str, ...], list[str]] = {}  # by those who are the best
        for name in ("median", "mean", _RANK) if len(self.algorithms) > 1 else ():
            if found := self._best(name):
                led.setdefault(found, []).append(name)
        leaders = [
            f"All algorithms have the same {joined(names)}."
            if len(best) == len(self.algorithms)
            else f"{_listed(best)} {'has' if len(best) == 1 else 'have'} the best {joined(names)}."
            for best, names in led.items()
        ]
        return ((what, *leaders, self._marked()),)

    def _marked(self) -> str:
        if not self.compared:
            return ""
        wins = (self.best | self.close).sum(axis=0)
        who = [a for a, count in zip(self.algorithms, wins, strict=True) if count == wins.max()]
        return (
            f"By their runs, {_listed(who)} {'is' if len(who) == 1 else 'are'} the best or not "
            f"significantly worse than the best on {wins.max()} of "
            f"{plural(len(self.compared), 'data set')}, the most of all algorithms."
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        spread = None if self.deviations is None else "as they were given beside the scores"
        if spread and self._is_repeated:
            spread = "of all scores of an algorithm on a data set, with n − 1"
        return on_methods(
            "description",
            self,
            cite,
            spread=spread,
            ranked=self.n_ranked if _RANK in self.statistics else None,
            compared=self.compared or None,
            what="runs" if self.design.n_folds == 1 else "means over the folds of each run",
        )

    # ----------------------------------------------------------------------- tables

    @property
    def _is_repeated(self) -> bool:
        return self.design.n_folds * self.design.n_runs > 1

    @property
    def _measured(self) -> str:
        return ", ".join(filter(None, (self.design.measure, self.design.better)))

    def _sections(self) -> Sections:
        best = {"best": self._best_ranked} if len(self.algorithms) > MOST_ROWS else {}
        return {"algorithms": self._of_algorithms, **best, "datasets": self._of_datasets}

    def _tables(self) -> tuple[Part, ...]:
        return self._of_algorithms(), self._of_datasets()

    def _first_rows(self) -> tuple[Part, ...]:
        return self._by_rank().cut(), self._of_datasets(MOST_ROWS)

    def _by_rank(self) -> Table:
        # of many algorithms only the first are shown, which should not hide the best
        many = len(self.algorithms) > MOST_ROWS and _RANK in self.statistics
        return self._of_algorithms(by_rank=many)

    def _best_ranked(self) -> Table:
        table = self._by_rank()
        caption = f"{table.caption}; the first {MOST_ROWS} of {len(table.rows):,}"
        return replace(table, rows=table.rows[:MOST_ROWS], caption=caption)

    def _of_algorithms(self, *, by_rank: bool = False) -> Table:
        numbers: dict[str, list[str]] = {}
        for name, one in self.statistics.items():
            upper = one.values if one.upper is None else one.upper
            both = np.concatenate([one.values, upper])
            decimals = _RANK_DECIMALS if name == _RANK else _decimals(both)
            ends = (_written(end, decimals) for end in (one.values, upper))
            stands_out = one.best & ~one.best.all()
            numbers[name] = [
                (Strong if best else str)(_interval(*cell))
                for *cell, best in zip(*ends, stands_out, strict=True)
            ]
        n = len(self.scores)
        if min(self.counts) < n:
            numbers["data sets"] = [str(count) for count in self.counts]
            numbers["missing"] = [str(n - count) for count in self.counts]
        caption = f"Scores over {plural(n, 'data set')} ({self._measured})"
        names: Sequence[str] = self.algorithms
        if by_rank:
            order = np.argsort(self.statistics[_RANK].values, kind="stable").tolist()
            names = [names[at] for at in order]
            numbers = {name: [cells[at] for at in order] for name, cells in numbers.items()}
            caption += "; best average rank first"
        if any(isinstance(cell, Strong) for cells in numbers.values() for cell in cells):
            caption += "; the best is bold"
        return table_of({"algorithm": names}, numbers, caption)

    def _of_datasets(self, most: int | None = None) -> Table:
        upper = self.scores if self.upper_scores is None else self.upper_scores
        common = _decimals(np.concatenate([self.scores[:most], upper[:most]]), _MOST_DECIMALS)
        names = self.design.datasets[:most]
        rows = [self._row(place, upper[place], common) for place in range(len(names))]
        numbers = dict(zip(self.algorithms, zip(*rows, strict=True), strict=True))
        n_hidden = len(self.scores) - len(names)
        return table_of({"data set": names}, numbers, self._caption(), n_hidden)

    def _row(self, place: int, upper: FloatArray, common: int | None) -> list[str]:
        """Return the cells of a data set, whose numbers have the same decimals.

        Numbers without a standard deviation have the ``common`` decimals, if there are such.
        """
        means, best, close = self.scores[place], self.best[place], self.close[place]
        spread = np.full(len(means), np.nan) if self.deviations is None else self.deviations[place]
        decimals = common
        if not np.isnan(spread).all():
            decimals = _decimals_beside(means, spread)
        elif common is None:
            decimals = _decimals(np.concatenate([means, upper]), _MOST_DECIMALS)
        cells = []
        for at, beside in enumerate(_written(spread, decimals, digits=2)):
            text = _interval(*_written(np.array([means[at], upper[at]]), decimals))
            text += "" if math.isnan(spread[at]) else f" ± {beside}"
            cells.append(Strong(text) if best[at] else f"{_CLOSE} {text}" if close[at] else text)
        return cells

    def _caption(self) -> str:
        spread = "" if self.deviations is None else " ± standard deviation"
        text = f"{'Mean scores' if self._is_repeated else 'Scores'}{spread} ({self._measured})"
        if np.isnan(self.scores).any():
            text += f"; {_MISSING} marks a missing score"
        if self.compared:
            text += (
                f"; on each data set the best mean is bold, and {_CLOSE} marks what is not "
                "significantly worse (rank-sum test of the runs, adjusted by Holm for all pairs, "
                f"α = {self.alpha:g})"
            )
        return text


# ------------------------------------------------------------------------------- numbers


def _listed(names: Sequence[str]) -> str:
    return joined(names) if len(names) <= _MOST_LISTED else f"{len(names)} algorithms"


def _interval(low: str, high: str) -> str:
    return low if low == high else f"[{low}, {high}]"


def _decimals(values: FloatArray, most: int | None = None) -> int | None:
    """Return decimals for a column of numbers; None for an exponent.

    They are as many as the numbers need, but at most ``most``, or so many that the largest has
    four digits.
    """
    sizes = np.abs(values[~np.isnan(values)])
    largest = float(sizes.max(initial=0.0))
    least = float(sizes[sizes > 0].min(initial=math.inf))
    if largest == 0:
        return 0
    decimals = max(0, _DIGITS - 1 - math.floor(math.log10(largest))) if most is None else most
    if decimals > _MOST_DECIMALS or largest >= _LARGEST or least < 10.0**-decimals:
        return None
    texts = format_numbers(sizes)
    return min(decimals, max(len(text.partition(".")[2]) for text in texts))


def _decimals_beside(means: FloatArray, spread: FloatArray) -> int | None:
    """Return decimals by which standard deviations have two digits; None for an exponent."""
    sizes = spread[spread > 0]
    if not sizes.size:
        return _decimals(means)
    # one tiny deviation among large ones does not lengthen all numbers
    least = max(float(sizes.min()), float(sizes.max()) / 100)
    decimals = max(0, 1 - math.floor(math.log10(least)))
    means = np.abs(means[means != 0])
    smallest, largest = float(np.nanmin(means, initial=1)), float(np.nanmax(means, initial=0))
    # errors near an optimum would seem to be none
    fit = decimals <= _MOST_DECIMALS and largest < _LARGEST and smallest >= 0.5 * 10.0**-decimals
    return decimals if fit else None


def _written(values: FloatArray, decimals: int | None, digits: int = _DIGITS) -> list[str]:
    """Return numbers with so many decimals, or with an exponent and so many digits."""
    digits += max(0, current().more_digits)
    found = []
    for value in values.tolist():
        if math.isnan(value):
            found.append(_MISSING)
        elif decimals is not None:
            found.append(format_number(value, decimals))
        else:
            found.append(f"{value:#.{digits}g}".rstrip(".") if value else "0")
    return found


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
        listed = f", {joined(names)}" if count < made and 0 < count <= _MOST_LISTED else ""
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
