"""Statistical tests on plain arrays, which need NumPy and SciPy only; smaller is better.

Each module holds one family:
:mod:`~nbcompare.stats.rankings` (mid-ranks; Friedman, aligned, Quade),
:mod:`~nbcompare.stats.omnibus` (the tests on these),
:mod:`~nbcompare.stats.exact_omnibus` (their exact p-values),
:mod:`~nbcompare.stats.incomplete` (Skillings-Mack, for tables with gaps),
:mod:`~nbcompare.stats.parametric` (analysis of variance),
:mod:`~nbcompare.stats.conditions` (normality, equal variances),
:mod:`~nbcompare.stats.posthoc` (pairs after a rank test, critical differences, groups),
:mod:`~nbcompare.stats.rank_differences` (the same exactly, by permutation; the exchange test),
:mod:`~nbcompare.stats.signed_rank` (Wilcoxon's test, the sign test, symmetry),
:mod:`~nbcompare.stats.adjust` (adjusted p-values),
:mod:`~nbcompare.stats.logical` (those from logical relations between all pairs),
:mod:`~nbcompare.stats.multisign` (the multiple sign test against a control),
:mod:`~nbcompare.stats.pairwise` (wins, ties, losses, effect sizes),
:mod:`~nbcompare.stats.shift` (how large a difference is),
:mod:`~nbcompare.stats.contrast` (contrasts of medians, intervals of average ranks),
:mod:`~nbcompare.stats.lattice` (exact distributions of sums of choices),
:mod:`~nbcompare.stats.bootstrap` (Bootstrap-A and Bootstrap-B, the test of tilted samples),
:mod:`~nbcompare.stats.permutation` (sign flips, draws from signed differences),
:mod:`~nbcompare.stats.crossval` (5x2cv, corrected t, the classical combination),
:mod:`~nbcompare.stats.items` (McNemar, Cochran, sign flips of items and of clusters),
:mod:`~nbcompare.stats.proportions` (intervals of shares, and of their differences),
:mod:`~nbcompare.stats.runs` (rank-sum tests and effect sizes of independent runs),
:mod:`~nbcompare.stats.bayesian` (posterior probabilities of differences and of equivalence),
:mod:`~nbcompare.stats.aggregates` (typical scores of runs, expected running times),
:mod:`~nbcompare.stats.fuzzy` (repeated runs as numbers, intervals or nested cuts; fuzzy p-values),
:mod:`~nbcompare.stats.interval` (ranges of p over interval-valued data),
:mod:`~nbcompare.stats.trend` (trends of ranks: Page's test, exchanges of two algorithms) and
:mod:`~nbcompare.stats.laws` (null distributions, tail probabilities that do not underflow).
"""
