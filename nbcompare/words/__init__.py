"""The words that users may write, each in one record: labels, sentences, formulas, literature.

Everything that speaks of a ranking, a test or a procedure reads its record here: the table of
options, results, figures, reports and builders. What is computed for a word stands in
:mod:`nbcompare.stats`; :func:`for_each` checks that no word was forgotten there.
"""

from nbcompare.words._word import for_each
from nbcompare.words.adjustment import PROCEDURES, Procedure
from nbcompare.words.citations import CITATIONS, cited
from nbcompare.words.convergence import DIFFERENCES, TREND_NULLS, TREND_RANKS
from nbcompare.words.crossval import BRANCHES, CROSS_VALIDATION_TESTS, CrossValidationTest
from nbcompare.words.pairs import PAIR_TESTS, PAIRWISE_TESTS, ZEROS
from nbcompare.words.ranking import OMNIBUS, RANKINGS
from nbcompare.words.stochastic import ENCODINGS, IMPRECISE_TESTS, STOCHASTIC_PROCEDURES

__all__ = [
    "BRANCHES",
    "CITATIONS",
    "CROSS_VALIDATION_TESTS",
    "DIFFERENCES",
    "ENCODINGS",
    "IMPRECISE_TESTS",
    "OMNIBUS",
    "PAIRWISE_TESTS",
    "PAIR_TESTS",
    "PROCEDURES",
    "RANKINGS",
    "STOCHASTIC_PROCEDURES",
    "TREND_NULLS",
    "TREND_RANKS",
    "ZEROS",
    "CrossValidationTest",
    "Procedure",
    "cited",
    "for_each",
]
