"""Designs on the folds of one data set, and Bayesian designs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from nbcompare._options import AUTO, EXACT, OPTIONS
from nbcompare._validation import (
    check_choice,
    check_count,
    check_nonnegative,
    check_positive,
    check_probability,
    check_threshold,
    clean_label,
)
from nbcompare.analysis import compare_bayesian, compare_cv
from nbcompare.experiment import Experiment
from nbcompare.results import CrossValidation
from nbcompare.results.bayesian import FIRST as FIRST_LIKELIER
from nbcompare.results.bayesian import SECOND as SECOND_LIKELIER
from nbcompare.results.decisions import EQUIVALENT
from nbcompare.study._design import in_order, side
from nbcompare.study._model import pairs
from nbcompare.study._verdict import FIRST, INCONCLUSIVE, NONE, SECOND, Verdict
from nbcompare.words import BAYESIAN_TESTS, CROSS_VALIDATION_TESTS


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldsDesign:
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
    label: str = ""

    def __post_init__(self) -> None:
        """Check the options."""
        check_choice(self.test, "test", tuple(CROSS_VALIDATION_TESTS))
        check_probability(self.alpha, "alpha")
        OPTIONS["formulas"].check(self.formulas, "formulas")
        OPTIONS["stochastic.method"].check(self.method, "method")
        check_count(self.n_resamples, "n_resamples", least=1)
        if self.ratio is not None:
            check_positive(self.ratio, "ratio")

    @property
    def name(self) -> str:
        """Name in tables and figures."""
        if self.label:
            return clean_label(self.label)
        printed = ", 2n draws" if self.formulas == "printed" else ""
        return f"{CROSS_VALIDATION_TESTS[self.test].label}{printed}, α = {self.alpha:g}"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:
        """Return the outcome for each pair."""
        outcomes = []
        for first, second in pairs(experiment.algorithms):
            found = compare_cv(
                first,
                second,
                experiment=experiment,
                test=self.test,
                alpha=self.alpha,
                formulas=self.formulas,
                method=self.method,
                n_resamples=self.n_resamples,
                rng=rng,
                ratio=self.ratio,
            )
            result = cast(CrossValidation, found)  # of two algorithms
            # F is a sum of squares without a sign
            gain = result.mean_difference if self.test == "5x2cv-f" else result.statistic
            outcomes.append(side(result.rejected, gain))
        return Verdict(tuple(outcomes))


@dataclass(frozen=True, slots=True, kw_only=True)
class BayesianDesign:
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
    label: str = ""

    def __post_init__(self) -> None:
        """Check the options."""
        check_nonnegative(self.rope, "rope")
        check_choice(self.test, "test", (AUTO, *BAYESIAN_TESTS))
        check_threshold(self.threshold, "threshold")
        check_count(self.n_samples, "n_samples", least=1)

    @property
    def name(self) -> str:
        """Name in tables and figures."""
        if self.label:
            return clean_label(self.label)
        test = "Bayesian test" if self.test == AUTO else BAYESIAN_TESTS[self.test].label
        region = f", region ± {self.rope:g}" if self.rope else ""
        return f"{test}{region}, threshold {self.threshold:g}"

    @property
    def alpha(self) -> None:
        """There is no nominal level."""
        return

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:
        """Return the outcome for each pair."""
        test = self.test
        if test == AUTO:
            test = "signed-rank" if experiment.n_datasets > 1 else "correlated-t"
        record = BAYESIAN_TESTS[test]
        # options that a test does not have are errors
        drawn: dict[str, Any] = (
            {"n_samples": self.n_samples, "rng": rng} if record.is_sampled else {}
        )
        result = compare_bayesian(
            experiment,
            rope=self.rope,
            test=test,
            threshold=self.threshold,
            ratio=self.ratio,
            **drawn,
        )
        nothing = INCONCLUSIVE if self.rope else NONE
        words = {FIRST_LIKELIER: FIRST, SECOND_LIKELIER: SECOND, EQUIVALENT: NONE}
        rows = zip(result.first, result.second, result.decision, strict=True)
        return Verdict(
            in_order(experiment, ((a, b, words.get(word, nothing)) for a, b, word in rows))
        )
