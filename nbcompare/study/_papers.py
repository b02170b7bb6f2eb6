"""The designs and effects of the papers of 2006 and 2013."""

from __future__ import annotations

from nbcompare.study._compare_designs import CompareDesign
from nbcompare.study._fold_designs import FoldsDesign
from nbcompare.study._gaussians import TwoGaussians
from nbcompare.study._stochastic_design import StochasticDesign

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
