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
