"""Statistics on plain arrays: numpy and scipy only, smaller is better throughout.

One family per module: :mod:`~nbcompare.stats.ranking` (mid-ranks),
:mod:`~nbcompare.stats.rankings` (Friedman, aligned, Quade),
:mod:`~nbcompare.stats.omnibus` (the tests on these),
:mod:`~nbcompare.stats.incomplete` (Skillings-Mack, for tables with gaps),
:mod:`~nbcompare.stats.parametric` (analysis of variance),
:mod:`~nbcompare.stats.conditions` (normality, equal variances),
:mod:`~nbcompare.stats.posthoc` (pairs after a rank test),
:mod:`~nbcompare.stats.adjust` (adjusted p-values),
:mod:`~nbcompare.stats.critical` (critical differences),
:mod:`~nbcompare.stats.pairwise` (wins, ties, losses, effect sizes),
:mod:`~nbcompare.stats.groups` (groups not shown to differ) and
:mod:`~nbcompare.stats.tails` (tail probabilities that do not underflow).
"""
