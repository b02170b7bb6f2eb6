"""Studies of power and type I error by simulation: which design finds what is there.

A *model* draws experiments in which it is known which algorithm is better: binomial test errors,
algorithms that may be trapped in local minima, or classifiers of two Gaussians. A *design* turns an
experiment into an outcome for each pair of algorithms. :func:`run` applies designs to many draws
for each of several effects, on one core, on all, or on a cluster, and counts right, missing and
wrong conclusions::

    from nbcompare import study
    result = study.run(study.BinomialErrors(), study.PAPER_2013, effects=[0, 0.02, 0.04])
"""

from nbcompare.results.imprecise import INCONCLUSIVE
from nbcompare.results.power_study import FIRST, NONE, SECOND
from nbcompare.study._binomial import BinomialErrors, Errors, LocalMinima, SpreadErrors
from nbcompare.study._design import SIGNIFICANT, Design, OwnDesign, Verdict
from nbcompare.study._designs import (
    ANOVA_T,
    BOOTSTRAP_A,
    BOOTSTRAP_B,
    EFFECTS_2013,
    FRIEDMAN_WILCOXON,
    PAPER_2013,
    PAPER_2013_OUTLIERS,
    BayesianDesign,
    CompareDesign,
    FoldsDesign,
    StochasticDesign,
    designs_2006,
)
from nbcompare.study._gaussians import PROBLEMS, TwoGaussians
from nbcompare.study._model import Model, pairs, truth_of
from nbcompare.study._pilot import check_pilot, unit_of
from nbcompare.study._plan import plan
from nbcompare.study._run import run
from nbcompare.study._simulate import Case, Tally, simulate

__all__ = [
    "ANOVA_T",
    "BOOTSTRAP_A",
    "BOOTSTRAP_B",
    "EFFECTS_2013",
    "FIRST",
    "FRIEDMAN_WILCOXON",
    "INCONCLUSIVE",
    "NONE",
    "PAPER_2013",
    "PAPER_2013_OUTLIERS",
    "PROBLEMS",
    "SECOND",
    "SIGNIFICANT",
    "BayesianDesign",
    "BinomialErrors",
    "Case",
    "CompareDesign",
    "Design",
    "Errors",
    "FoldsDesign",
    "LocalMinima",
    "Model",
    "OwnDesign",
    "SpreadErrors",
    "StochasticDesign",
    "Tally",
    "TwoGaussians",
    "Verdict",
    "check_pilot",
    "designs_2006",
    "pairs",
    "plan",
    "run",
    "simulate",
    "truth_of",
    "unit_of",
]
