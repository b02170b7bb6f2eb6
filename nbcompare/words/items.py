"""Tests of two algorithms on the items of benchmarks."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare.words._word import by_name


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
