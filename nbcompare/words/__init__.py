"""Records of the words that users may write, with labels, texts, formulas and literature.

The table of options, results, figures, reports and builders read the record of a ranking, test
or procedure here. The computations are in :mod:`nbcompare.stats`; :func:`for_each` checks that
there is one for every word.
"""

from nbcompare.words._word import (
    CITATIONS,
    LITERATURE,
    cited,
    explanation,
    for_each,
    literature_of,
    short_citation,
    text_of_note,
    texts_of_advice,
    texts_of_rule,
    texts_on_methods,
)
from nbcompare.words.adjustment import PROCEDURES, Procedure
from nbcompare.words.convergence import (
    DIFFERENCES,
    GAP,
    SPEED,
    TREND_NULLS,
    TREND_RANKS,
    TrendClaim,
)
from nbcompare.words.missing import TREATMENTS, TREATMENTS_OF
from nbcompare.words.pairs import P_LAWS, PAIR_TESTS, PAIRWISE_TESTS, ZEROS, PairwiseTest
from nbcompare.words.questions import CHOICES, LOGS, QUESTIONS, SCORES, Question, choices_in
from nbcompare.words.ranking import OMNIBUS, RANKINGS
from nbcompare.words.stochastic import (
    AGGREGATES,
    COVERAGE_OF_FEW,
    ENCODINGS,
    IMPRECISE_TESTS,
    MEASURED_COVERAGE,
    STOCHASTIC_PROCEDURES,
    Aggregate,
)
from nbcompare.words.within import (
    BAYESIAN_TESTS,
    BRANCHES,
    CROSS_VALIDATION_TESTS,
    ITEM_TESTS,
    BayesianTest,
    CrossValidationTest,
    ItemTest,
)
