"""Designs of tests over data sets: average ranks, Wilcoxon's test and t, each pair by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from nbcompare._options import AUTO, NORMAL, OPTIONS
from nbcompare._validation import check_choice, check_probability, clean_label
from nbcompare.analysis import compare_pair
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.experiment import Experiment
from nbcompare.study._design import ONE_SCALE, adjusted, gated, in_order, side
from nbcompare.study._model import pairs
from nbcompare.study._verdict import NOT_SIGNIFICANT, SIGNIFICANT, Verdict
from nbcompare.words import OMNIBUS, PAIR_TESTS, PAIRWISE_TESTS, PROCEDURES, RANKINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareDesign:
    """Tests of all pairs over data sets by :func:`nbcompare.compare`.

    Parameters
    ----------
    pairs, ranking, adjust, method
        Options of :func:`nbcompare.compare`. Without an adjustment, p is raw.
    omnibus : str, optional
        A test of any difference that goes with the ranking or the test of pairs: ``friedman``,
        ``iman-davenport``, ``aligned``, ``quade`` or ``anova``. If it is not significant, no
        difference of a pair is. By default there is none, as in :func:`nbcompare.compare`.
    alpha : float
        Level of the omnibus test, and of the family of pairs.
    label : str
        Name in tables and figures; by default it says which tests are used.

    Examples
    --------
    >>> CompareDesign(pairs="t", omnibus="anova", adjust="hochberg").name
    'ANOVA + paired t, Hochberg'
    """

    pairs: str = "wilcoxon"
    ranking: str = "friedman"
    adjust: str | None = "holm"
    omnibus: str | None = None
    method: str = AUTO
    alpha: float = 0.05
    label: str = ""

    def __post_init__(self) -> None:
        """Check the options."""
        check_choice(self.pairs, "pairs", tuple(PAIRWISE_TESTS))
        check_choice(self.ranking, "ranking", tuple(RANKINGS))
        if self.adjust is not None:
            check_choice(self.adjust, "adjust", tuple(PROCEDURES))
        OPTIONS["method"].check(self.method, "method")
        check_probability(self.alpha, "alpha")
        if self.omnibus is not None:
            there = (*PAIRWISE_TESTS[self.pairs].omnibus, *RANKINGS[self.ranking].omnibus)
            check_choice(self.omnibus, "omnibus", there)

    @property
    def name(self) -> str:
        """Name in tables and figures."""
        if self.label:
            return clean_label(self.label)
        by_ranks = PAIRWISE_TESTS[self.pairs].by_ranks
        test = RANKINGS[self.ranking].ranks if by_ranks else PAIRWISE_TESTS[self.pairs].label
        first = "" if self.omnibus is None else f"{OMNIBUS[self.omnibus].short} + "
        return f"{first}{test}, {adjusted(self.adjust)}"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:  # noqa: ARG002
        """Return the outcome for each pair."""
        result = compare_datasets(
            experiment,
            pairs=self.pairs,
            ranking=self.ranking,
            adjust=self.adjust,
            alpha=self.alpha,
            method=self.method,
            scale=ONE_SCALE,
            intervals="none",
        )
        tests = result.hypotheses
        rows = zip(tests.first, tests.second, tests.rejected, tests.statistic, strict=True)
        outcomes = in_order(experiment, ((a, b, side(bool(no), float(z))) for a, b, no, z in rows))
        if self.omnibus is None:
            return Verdict(outcomes)
        found = result.omnibus[self.omnibus].pvalue <= self.alpha
        return gated(outcomes, SIGNIFICANT if found else NOT_SIGNIFICANT)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDesign:
    """Tests of each pair by itself over data sets by :func:`nbcompare.compare_pair`, unadjusted.

    Parameters
    ----------
    test : {"wilcoxon", "sign", "rank-sum", "t"}
        Option of :func:`nbcompare.compare_pair`.
    alpha : float
        Level of each test.
    label : str
        Name in tables and figures; by default that of the test.
    """

    test: str = "wilcoxon"
    alpha: float = 0.05
    label: str = ""

    def __post_init__(self) -> None:
        """Check the options."""
        check_choice(self.test, "test", tuple(PAIR_TESTS))
        check_probability(self.alpha, "alpha")

    @property
    def name(self) -> str:
        """Name in tables and figures."""
        return (
            clean_label(self.label) if self.label else f"{PAIR_TESTS[self.test].label}, each pair"
        )

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:  # noqa: ARG002
        """Return the outcome for each pair."""
        outcomes = []
        for first, second in pairs(experiment.algorithms):
            result = compare_pair(experiment, first, second, test=self.test, alpha=self.alpha)
            # U counts pairs of scores and is never negative
            gain = result.effect_size if self.test == "rank-sum" else result.statistic
            outcomes.append(side(result.rejected, gain))
        return Verdict(tuple(outcomes))


def every_comparison(
    *,
    rankings: Iterable[str] = tuple(RANKINGS),
    tests: Iterable[str] = ("wilcoxon", "t"),
    adjust: Iterable[str] = ("holm", "hochberg", "shaffer"),
    alpha: float = 0.05,
) -> tuple[CompareDesign, ...]:
    """Return the designs of every test of pairs with every adjustment.

    Parameters
    ----------
    rankings : list of str
        Rankings whose average ranks are compared.
    tests : list of str
        Tests of pairs by their own scores.
    adjust : list of str
        Procedures. Nemenyi's is for average ranks only, and is left out of the tests.
    alpha : float
        Level of the family of pairs.

    Returns
    -------
    tuple of CompareDesign
        The designs, by procedure in the order given: first those by average ranks, then those by
        tests of pairs.

    Raises
    ------
    ValueError
        If a name is unknown, or the level is not between 0 and 1.

    Examples
    --------
    >>> len(every_comparison()), len(every_comparison(adjust=["nemenyi"]))
    (15, 3)
    """
    return tuple(_every(tuple(rankings), tuple(tests), tuple(adjust), alpha))


def _every(
    rankings: tuple[str, ...], tests: tuple[str, ...], adjust: tuple[str, ...], alpha: float
) -> Iterator[CompareDesign]:
    for procedure in adjust:
        for ranking in rankings:
            method = NORMAL if procedure == "nemenyi" else AUTO
            yield CompareDesign(
                pairs="ranks", ranking=ranking, adjust=procedure, method=method, alpha=alpha
            )
        if procedure != "nemenyi":
            for test in tests:
                yield CompareDesign(pairs=test, adjust=procedure, alpha=alpha)
