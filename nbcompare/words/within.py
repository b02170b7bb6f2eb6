"""Tests of two algorithms on the folds of one data set, or on the items of benchmarks."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare.words._word import by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossValidationTest:
    """A test on the folds of one data set.

    Attributes
    ----------
    name : str
        The word for the option ``test``, or the name of the test that was chosen for it.
    label : str
        Name in a sentence.
    statistic : str
        Name of its statistic; empty if that is the mean difference.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    label: str
    statistic: str = ""
    cites: tuple[str, ...]


_PERMUTATION = CrossValidationTest(
    name="permutation", label="permutation test", cites=("sanchez2006",)
)
_TILTED = CrossValidationTest(
    name="tilted", label="tilted bootstrap test", cites=("efron1993", "sanchez2006")
)
CROSS_VALIDATION_TESTS = by_name(
    _PERMUTATION,
    _TILTED,
    CrossValidationTest(
        name="5x2cv-t", label="5×2cv t test", statistic="t", cites=("dietterich1998",)
    ),
    CrossValidationTest(
        name="5x2cv-f",
        label="5×2cv F test",
        statistic="F",
        cites=("alpaydin1999", "dietterich1998"),
    ),
    CrossValidationTest(
        name="corrected-t",
        label="corrected resampled t test",
        statistic="t",
        cites=("bouckaert2004", "nadeau2003"),
    ),
    CrossValidationTest(
        name="classical",  # one of the two tests below, depending on a test of normality
        label="t or Wilcoxon test",
        cites=("sanchez2006", "shapiro1965"),
    ),
)
# The tests that "classical" and "tilted" can choose, depending on the data
BRANCHES = by_name(
    CrossValidationTest(name="t", label="paired t test", statistic="t", cites=("student1908",)),
    CrossValidationTest(
        name="wilcoxon",
        label="Wilcoxon signed-rank test",
        statistic="sum of signed ranks",
        cites=("wilcoxon1945",),
    ),
    _TILTED,
    _PERMUTATION,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemTest:
    """A test of two algorithms on the same items.

    Attributes
    ----------
    name : str
        The word for the option ``test``.
    label : str
        Name in a sentence.
    statistic : str
        Name of its statistic, at the head of a column.
    interval : str
        What the interval of the difference comes from, in words.
    cites : tuple of str
        Keys of the literature, also of the interval.
    """

    name: str
    label: str
    statistic: str
    interval: str
    cites: tuple[str, ...]


ITEM_TESTS = by_name(
    ItemTest(
        name="mcnemar",
        label="McNemar's exact test",
        statistic="wins − losses",
        interval="Tango's score method",
        cites=("mcnemar1947", "tango1998"),
    ),
    ItemTest(
        name="sign-flip",
        label="sign-flip test of the mean difference",
        statistic="z",
        interval="Student's t distribution",
        cites=("fisher1935", "miller2024"),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BayesianTest:
    """A Bayesian test of two algorithms.

    Attributes
    ----------
    name : str
        The word for the option ``test``.
    label : str
        Name in a sentence.
    on_folds : bool
        Whether it compares on the folds of one data set rather than on data sets.
    is_sampled : bool
        Whether its probabilities are shares of random draws; else they are exact.
    method : str
        Description in the table of the method.
    false_claims : str
        Measured probabilities that one of two algorithms that perform equally is claimed to be
        better, by the number of data sets: normal differences, no region of equivalence, a
        threshold of 0.95. Empty on folds.
    cites : tuple of str
        Keys of the literature.
    """

    name: str
    label: str
    on_folds: bool
    is_sampled: bool
    method: str
    false_claims: str = ""
    cites: tuple[str, ...]


BAYESIAN_TESTS = by_name(
    BayesianTest(
        name="signed-rank",
        label="Bayesian signed-rank test",
        on_folds=False,
        is_sampled=True,
        method="Bayesian signed-rank test, with a Dirichlet process as prior: one "
        "pseudo-observation of no difference, with weight 1/2",
        false_claims="0.49 for 2, 0.25 for 3, 0.18 for 5, 0.13 for 10 and 0.11 for 30",
        cites=("benavoli2014", "benavoli2017"),
    ),
    BayesianTest(
        name="sign",
        label="Bayesian sign test",
        on_folds=False,
        is_sampled=False,
        method="Bayesian sign test, with a Dirichlet prior of weight 1 on equivalence; exact",
        false_claims="0.25 for 3, 0.22 for 6, 0.17 for 9, 0.11 for 10 and 0.10 for 30",
        cites=("benavoli2017",),
    ),
    BayesianTest(
        name="correlated-t",
        label="Bayesian correlated t test",
        on_folds=True,
        is_sampled=False,
        method="Bayesian correlated t test; exact",
        cites=("benavoli2017", "corani2015"),
    ),
)
