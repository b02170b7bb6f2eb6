"""Statistical tests on plain arrays, which need NumPy and SciPy only; smaller is better.

Each module holds one family: :mod:`~nbcompare.stats.rankings` (mid-ranks),
:mod:`~nbcompare.stats.rankings` (Friedman, aligned, Quade),
:mod:`~nbcompare.stats.omnibus` (the tests on these),
:mod:`~nbcompare.stats.exact_omnibus` (their exact p-values),
:mod:`~nbcompare.stats.incomplete` (Skillings-Mack, for tables with gaps),
:mod:`~nbcompare.stats.parametric` (analysis of variance),
:mod:`~nbcompare.stats.conditions` (normality, equal variances),
:mod:`~nbcompare.stats.posthoc` (pairs after a rank test),
:mod:`~nbcompare.stats.rank_differences` (the same exactly, by permutation),
:mod:`~nbcompare.stats.adjust` (adjusted p-values),
:mod:`~nbcompare.stats.posthoc` (critical differences),
:mod:`~nbcompare.stats.pairwise` (wins, ties, losses, effect sizes),
:mod:`~nbcompare.stats.lattice` (exact distributions of sums of choices),
:mod:`~nbcompare.stats.bootstrap` (Bootstrap-A and Bootstrap-B),
:mod:`~nbcompare.stats.permutation` (sign flips, draws from signed differences),
:mod:`~nbcompare.stats.tilted` (the test of tilted samples),
:mod:`~nbcompare.stats.crossval` (5x2cv, corrected t, the classical combination),
:mod:`~nbcompare.stats.bayesian` (posterior probabilities of differences and of equivalence),
:mod:`~nbcompare.stats.simplex` (how densely draws of three shares lie),
:mod:`~nbcompare.stats.aggregates` (typical scores of runs, with bootstrap intervals),
:mod:`~nbcompare.stats.consolidate` (repeated runs as numbers, intervals or nested cuts),
:mod:`~nbcompare.stats.interval` (ranges of p over interval-valued data),
:mod:`~nbcompare.stats.fuzzy` (fuzzy p-values),
:mod:`~nbcompare.stats.trend` (trends of ranks: Page's test, exchanges of two algorithms),
:mod:`~nbcompare.stats.groups` (groups without significant differences) and
:mod:`~nbcompare.stats.tails` (tail probabilities that do not underflow).
"""
