"""Bayesian tests of two algorithms, which give probabilities of differences and of equivalence."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare.words._word import by_name


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
