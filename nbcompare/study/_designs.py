"""Designs of the tests of this package, and those of the papers of 2006 and 2013."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

import numpy as np

from nbcompare._options import AUTO, EXACT
from nbcompare._validation import check_choice, clean_label
from nbcompare.analysis import compare_bayesian, compare_cv, compare_stochastic
from nbcompare.analysis.data import check_options
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.experiment import Experiment
from nbcompare.results import CrossValidation
from nbcompare.results.bayesian import FIRST as FIRST_LIKELIER
from nbcompare.results.bayesian import SECOND as SECOND_LIKELIER
from nbcompare.results.hypotheses import EQUIVALENT
from nbcompare.results.imprecise import INCONCLUSIVE, REJECTED
from nbcompare.study._design import NOT_SIGNIFICANT, OMNIBUS_INCONCLUSIVE, SIGNIFICANT, Verdict
from nbcompare.study._gaussians import TwoGaussians
from nbcompare.study._model import pairs
from nbcompare.words import (
    BAYESIAN_TESTS,
    CROSS_VALIDATION_TESTS,
    OMNIBUS,
    PAIRWISE_TESTS,
    PROCEDURES,
    RANKINGS,
    STOCHASTIC_PROCEDURES,
)

_ONE_SCALE = "one"  # the errors of a model are


@dataclass(frozen=True, kw_only=True)
class _OfFunction(ABC):
    """A design that asks a function of the package, with options that are its fields."""

    label: str = ""

    function: ClassVar[str]

    def __post_init__(self) -> None:
        """Check the options."""
        check_options(self.function, self._options())

    def _options(self, *without: str) -> dict[str, Any]:
        """Return the options of the function."""
        names = (field.name for field in fields(self))
        return {name: getattr(self, name) for name in names if name not in ("label", *without)}

    @property
    def name(self) -> str:
        """Name in tables and figures."""
        return clean_label(self.label) if self.label else self._described

    @property
    @abstractmethod
    def _described(self) -> str:
        """Which tests are used."""


def _adjusted(procedure: str | None) -> str:
    return "unadjusted" if procedure is None else PROCEDURES[procedure].label


@dataclass(frozen=True, kw_only=True)
class CompareDesign(_OfFunction):
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

    function = "compare"

    def __post_init__(self) -> None:
        """Check the options, of which none is left to be chosen by the data."""
        check_choice(self.pairs, "pairs", tuple(PAIRWISE_TESTS))
        check_choice(self.ranking, "ranking", tuple(RANKINGS))
        super().__post_init__()
        if self.adjust is not None:
            check_choice(self.adjust, "adjust", tuple(PROCEDURES))
        if self.omnibus is not None:
            there = (*PAIRWISE_TESTS[self.pairs].omnibus, *RANKINGS[self.ranking].omnibus)
            check_choice(self.omnibus, "omnibus", there)

    @property
    def _described(self) -> str:
        by_ranks = PAIRWISE_TESTS[self.pairs].by_ranks
        test = RANKINGS[self.ranking].ranks if by_ranks else PAIRWISE_TESTS[self.pairs].label
        first = "" if self.omnibus is None else f"{OMNIBUS[self.omnibus].short} + "
        return f"{first}{test}, {_adjusted(self.adjust)}"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:  # noqa: ARG002
        """Return the outcome for each pair."""
        options = self._options("omnibus")
        result = compare_datasets(experiment, **options, scale=_ONE_SCALE, intervals="none")
        tests, omnibus = result.hypotheses, None
        if self.omnibus is not None:
            found = result.omnibus[self.omnibus].pvalue <= self.alpha
            omnibus = SIGNIFICANT if found else NOT_SIGNIFICANT
        signs = np.sign(tests.statistic) * tests.rejected
        return Verdict.of(experiment, tests.first, tests.second, signs, omnibus)


@dataclass(frozen=True, kw_only=True)
class FoldsDesign(_OfFunction):
    """Tests of pairs on the folds of one data set by :func:`nbcompare.compare_cv`.

    Each pair is tested by itself, without an adjustment, as in the paper of 2006.

    Parameters
    ----------
    test, formulas, method, n_resamples, ratio
        Options of :func:`nbcompare.compare_cv`.
    alpha : float
        Level of each test.
    label : str
        Name in tables and figures; by default that of the test.

    Examples
    --------
    >>> FoldsDesign(test="5x2cv-f", alpha=0.1).name
    '5×2cv F test, α = 0.1'
    """

    test: str = "permutation"
    alpha: float = 0.05
    formulas: str = "corrected"
    method: str = EXACT
    n_resamples: int = 10_000
    ratio: float | None = None

    function = "compare_cv"

    @property
    def _described(self) -> str:
        printed = ", 2n draws" if self.formulas == "printed" else ""
        return f"{CROSS_VALIDATION_TESTS[self.test].label}{printed}, α = {self.alpha:g}"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:
        """Return the outcome for each pair."""
        signs = []
        for pair in pairs(experiment.algorithms):
            found = compare_cv(*pair, experiment=experiment, rng=rng, **self._options())
            result = cast(CrossValidation, found)  # of two algorithms
            # F is a sum of squares without a sign
            gain = result.mean_difference if self.test == "5x2cv-f" else result.statistic
            signs.append(np.sign(gain) * result.rejected)
        first, second = zip(*pairs(experiment.algorithms), strict=True)
        return Verdict.of(experiment, first, second, signs)


@dataclass(frozen=True, kw_only=True)
class BayesianDesign(_OfFunction):
    """Bayesian tests of all pairs by :func:`nbcompare.compare_bayesian`.

    A pair that is practically equivalent has the outcome ``none``. A pair of which nothing is
    claimed is ``inconclusive``; without a region of equivalence, it is ``none``.

    Parameters
    ----------
    rope, test, threshold, n_samples, ratio
        Options of :func:`nbcompare.compare_bayesian`; only one test is of random samples.
    label : str
        Name in tables and figures; by default it says which test is used.

    Examples
    --------
    >>> BayesianDesign(rope=0.01).name, BayesianDesign(rope=0).alpha
    ('Bayesian test, region ± 0.01, threshold 0.95', None)
    """

    rope: float
    test: str = AUTO
    threshold: float = 0.95
    n_samples: int = 10_000
    ratio: float | None = None

    alpha: ClassVar[None] = None
    function = "compare_bayesian"

    @property
    def _described(self) -> str:
        test = "Bayesian test" if self.test == AUTO else BAYESIAN_TESTS[self.test].label
        region = f", region ± {self.rope:g}" if self.rope else ""
        return f"{test}{region}, threshold {self.threshold:g}"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:
        """Return the outcome for each pair."""
        options = self._options()
        if self.test == AUTO:
            options["test"] = "signed-rank" if experiment.n_datasets > 1 else "correlated-t"
        if BAYESIAN_TESTS[options["test"]].is_sampled:
            options["rng"] = rng
        else:  # options that a test does not have are errors
            del options["n_samples"]
        result = compare_bayesian(experiment, **options)
        nothing = np.nan if self.rope else 0.0
        signs = {FIRST_LIKELIER: 1.0, SECOND_LIKELIER: -1.0, EQUIVALENT: 0.0}
        found = [signs.get(word, nothing) for word in result.decision]
        return Verdict.of(experiment, result.first, result.second, found)


@dataclass(frozen=True, kw_only=True)
class StochasticDesign(_OfFunction):
    """Tests of algorithms with repeated runs by :func:`nbcompare.compare_stochastic`.

    Parameters
    ----------
    procedure, test, encoding, coverage, adjust, formulas
        Options of :func:`nbcompare.compare_stochastic`. Without an adjustment, p is raw.
    omnibus : bool, optional
        Whether pairs count only if some algorithm differs from the mean of all, in a test
        adjusted for the number of algorithms, as in the paper of 2013; for ``bootstrap-a`` and
        ``bootstrap-b``, where it is the default.
    method : {"resampling", "exact"}, optional
        How p is computed. The bootstrap tests resample by default, as in the paper: exact p-values
        of scores without a common grid take many times as long. The others are exact.
    n_resamples : int
        Number of resamples.
    alpha : float
        Level.
    label : str
        Name in tables and figures; by default it says which tests are used.

    Examples
    --------
    >>> StochasticDesign(procedure="bootstrap-a").name
    'Bootstrap-A, unadjusted'
    """

    procedure: str = "bootstrap-b"
    test: str | None = None
    encoding: str | None = None
    coverage: float | None = None
    adjust: str | None = None
    omnibus: bool | None = None
    method: str | None = None
    n_resamples: int = 10_000
    formulas: str = "corrected"
    alpha: float = 0.05

    function = "compare_stochastic"

    def __post_init__(self) -> None:
        """Settle the options that depend on the procedure, and check them."""
        check_choice(self.procedure, "procedure", tuple(STOCHASTIC_PROCEDURES))
        bootstrap = STOCHASTIC_PROCEDURES[self.procedure].is_test
        if self.omnibus is None:
            object.__setattr__(self, "omnibus", bootstrap)
        elif self.omnibus and not bootstrap:
            raise ValueError(
                "`omnibus` must be left out unless the procedure is 'bootstrap-a' or "
                f"'bootstrap-b'; got True with procedure={self.procedure!r}."
            )
        if self.method is None:
            object.__setattr__(self, "method", "resampling" if bootstrap else EXACT)
        super().__post_init__()
        if self.adjust is not None:
            check_choice(self.adjust, "adjust", tuple(PROCEDURES))

    @property
    def _described(self) -> str:
        label = STOCHASTIC_PROCEDURES[self.procedure].label
        printed = ", printed formulas" if self.formulas == "printed" else ""
        test = "" if self.test is None else f" ({self.test})"
        return f"{label}{test}, {_adjusted(self.adjust)}{printed}"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:
        """Return the outcome for each pair."""
        options = self._options("omnibus")
        result = compare_stochastic(experiment, **options, rng=rng, scale=_ONE_SCALE)
        tests, omnibus = result.hypotheses, None
        if self.omnibus and result.overall is not None:
            level = self.alpha / experiment.n_algorithms
            possible = bool((result.overall.p_low <= level).any())
            omnibus = OMNIBUS_INCONCLUSIVE if possible else NOT_SIGNIFICANT
            if (result.overall.p_high <= level).any():
                omnibus = SIGNIFICANT
        # a rejection that favours neither is inconclusive
        signs = np.where(tests.favours == 0, np.nan, tests.favours)
        words = np.array(tests.outcome)
        signs = np.select([words == REJECTED, words == INCONCLUSIVE], [signs, np.nan], 0.0)
        return Verdict.of(experiment, tests.first, tests.second or (), signs, omnibus)


# ------------------------------------------------------------------------------ the papers

# The differences of Tables 2 and 4, of which the last is misprinted as 1 in Table 2
EFFECTS_2013 = tuple(round(0.005 * step, 3) for step in range(21))
ANOVA_T = CompareDesign(pairs="t", omnibus="anova", adjust="hochberg", label="ANOVA + t")
FRIEDMAN_WILCOXON = CompareDesign(
    pairs="wilcoxon", omnibus="friedman", adjust="hochberg", label="Friedman + Wilcoxon"
)
BOOTSTRAP_A = StochasticDesign(procedure="bootstrap-a", label="Bootstrap-A")
BOOTSTRAP_B = StochasticDesign(procedure="bootstrap-b", label="Bootstrap-B")
# Those of Tables 2 and 3, and of Tables 4 and 5: only the first two are adjusted
PAPER_2013 = (ANOVA_T, FRIEDMAN_WILCOXON, BOOTSTRAP_A)
PAPER_2013_OUTLIERS = (ANOVA_T, FRIEDMAN_WILCOXON, BOOTSTRAP_B)
_LEVELS = (0.025, 0.05, 0.10)


def designs_2006(
    model: TwoGaussians, levels: tuple[float, ...] = _LEVELS
) -> tuple[FoldsDesign, ...]:
    """Return the designs of Tables 1 and 2 of the paper of 2006 that fit the folds of a model.

    Parameters
    ----------
    model : TwoGaussians
        The model, whose ``scheme`` decides the tests: ``5x2cv-t`` and ``5x2cv-f`` for ``5x2``, else
        ``classical``, ``permutation`` and ``tilted``.
    levels : tuple of float
        Significance levels; those of the paper, 0.025, 0.05 and 0.10, by default.

    Returns
    -------
    tuple of FoldsDesign
        A design for each test and level, the levels of the first test first.

    Raises
    ------
    ValueError
        If a level is not between 0 and 1.

    Examples
    --------
    >>> [design.test for design in designs_2006(TwoGaussians(scheme="5x2"), levels=(0.05,))]
    ['5x2cv-t', '5x2cv-f']
    """
    tests = (
        ("5x2cv-t", "5x2cv-f") if model.scheme == "5x2" else ("classical", "permutation", "tilted")
    )
    return tuple(FoldsDesign(test=test, alpha=level) for test in tests for level in levels)
