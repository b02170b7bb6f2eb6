"""What the functions on arrays refuse: the argument, the requirement, and what arrived."""

import re

import numpy as np
import pytest

from nbcompare.stats import (
    adjust,
    aggregates,
    bayesian,
    bootstrap,
    conditions,
    contrast,
    crossval,
    exact_omnibus,
    fuzzy,
    incomplete,
    interval,
    items,
    lattice,
    laws,
    logical,
    multisign,
    omnibus,
    parametric,
    permutation,
    posthoc,
    proportions,
    rank_differences,
    rankings,
    runs,
    shift,
    signed_rank,
    trend,
)

PAIR = np.array([0]), np.array([1])
BOX = np.zeros((2, 3)), np.ones((2, 3))
TURNED = np.array([[0.0, 0, 0], [0, 0, 2]])
RUNS = np.array([[1.0, 2.0], [3.0, np.nan]])
LEVELS = [0.02, 0.01], [0.03, 0.3], [0.5, 1.0]
SAMPLES = (
    conditions.lilliefors,
    conditions.shapiro_wilk,
    conditions.dagostino_pearson,
    conditions.levene,
)
MANY = np.arange(1000.0)
LAW = rank_differences.difference_law([[1, 2, 3]] * 2)
COLUMNS = "at least 2 data sets (rows) and 2 algorithms (columns); got shape "
MIDRANKS = "`ranks` must hold the mid-ranks 1 to "
RANKED = {"ranking": "quade"}

REFUSED = {
    "adjust": [
        (lambda: adjust.adjust([0.1, 1.1], "holm"), "p-values from 0 to 1; got 1.1 at index 1."),
        (lambda: adjust.adjust([-0.1], "holm"), "from 0 to 1; got -0.1 at index 0."),
        (lambda: adjust.adjust([np.nan], "holm"), "from 0 to 1; got nan at index 0."),
        (lambda: adjust.adjust([[0.1, 0.2], [0.3, 2.0]], "holm"), "got 2.0 at index (1, 1)."),
        (lambda: adjust.adjust(0.1, "holm"), "1 or 2 dimensions; got an array of shape ()."),
        (lambda: adjust.adjust([0.1], "Holm"), "got 'Holm'. Did you mean 'holm'?"),
        (lambda: adjust.adjust([0.1], "holm", 0), "between 0 and 1, exclusive; got 0."),
        (lambda: adjust.adjust([-1, 0.5], "holm", log10=True), "none above 0; got 0.5 at index 1."),
        (lambda: adjust.adjusted_alphas(3, "hommel"), "fixed levels; those of 'hommel' depend"),
        (lambda: adjust.adjusted_alphas(3, "li"), "fixed levels; those of 'li' depend on the p"),
        (lambda: adjust.adjust([0.1], "rom", 0.5, formulas="printed"), "at most 0.4 for the print"),
    ],
    "aggregates": [
        (lambda: aggregates.aggregate([[1.0, 2.0]]), "`runs` must have shape "),
        (lambda: aggregates.aggregate([[["a"]]]), "`runs` must hold numbers"),
        (lambda: aggregates.aggregate([[[np.inf]]]), "must be finite"),
        (lambda: aggregates.aggregate([[[1.0], [np.nan]]]), "none of algorithm 1 on data set 0"),
    ],
    "bayesian": [
        (lambda: bayesian.signed_rank([[1.0, 2.0]], -1), "`rope` must be 0 or a positive number"),
        (lambda: bayesian.signed_rank([[1.0, np.nan]], 1), "gains"),
        (lambda: bayesian.signed_rank([[1.0]], 1, n_samples=0), "n_samples"),
        (lambda: bayesian.sign([1], [1, 2], [1]), "same shape"),
        (lambda: bayesian.sign([-1], [1], [1]), "numbers from 0"),
        (lambda: bayesian.correlated_t([0.1], [0.1], 10, -1, 0), "`ratio` must be 0"),
        (lambda: bayesian.lattice_counts([[1.0, 0.0, 0.0]], 1.5), "`steps` must be a whole number"),
    ],
    "bootstrap": [
        (lambda: bootstrap.bootstrap_b(TURNED, BOX[1]), "got 2.0 above 1.0 at index (1, 2)."),
        (lambda: bootstrap.bootstrap_b_pairs(TURNED, BOX[1], *PAIR), "`lower` must not be above"),
        (lambda: bootstrap.bootstrap_b([[1, 2]], [[1, 2]]), "`lower` must hold at least 2 data"),
        (lambda: bootstrap.bootstrap_b([[1], [2]], [[1], [2]]), "got an array of shape (2, 1)."),
        (lambda: bootstrap.bootstrap_b(BOX[0], [[1, 2]]), "`upper` must have the shape of `lower`"),
        (lambda: bootstrap.bootstrap_a([[1, 2]]), "`scores` must hold at least 2 data sets (rows)"),
        (lambda: bootstrap.bootstrap_a_pairs([[1, 2], [3, np.nan]], *PAIR), "got nan at index"),
        (lambda: bootstrap.bootstrap_a(BOX[0], method="boot"), "'exact' or 'resampling'; got 'bo"),
        (lambda: bootstrap.bootstrap_b(*BOX, formulas="x"), "'corrected' or 'printed'; got 'x'"),
        (lambda: resampled(bootstrap.bootstrap_a, BOX[0], n_resamples=0), "`n_resamples` must be"),
        (lambda: resampled(bootstrap.bootstrap_a, BOX[0], rng="seed"), "`rng` must be None, a who"),
        (lambda: bootstrap.tilted_test([1, 2], [1]), "arrays of shapes (2,) and (1,)."),
    ],
    "conditions": [
        *(
            row
            for test in SAMPLES
            for row in (
                (lambda test=test: test([[1, np.inf, 2], [1, 2, 3]]), "got inf at index (0, 1)."),
                (lambda test=test: test(["a", "b"]), "`samples` must be an array of real numbers"),
                (lambda test=test: test(3.0), "dimension"),
            )
        ),
        (lambda: conditions.levene([[1, 2, 3]]), "at least 2 samples (rows)"),
        (lambda: conditions.levene(BOX[0], center="mode"), "`center` must be 'mean' or 'median'"),
    ],
    "contrast": [
        (lambda: contrast.median_differences(np.empty((0, 2))), "got an array of shape (0, 2)."),
        (lambda: contrast.contrast_intervals([[1, -1e308]]), "smaller than 2e307 in magnitude"),
        (lambda: contrast.contrast_intervals([[1, 2]], confidence=95), "exclusive; got 95."),
    ],
    "crossval": [
        (lambda: crossval.five_by_two_t(np.zeros((2, 5))), "two folds; got (2, 5)."),
        (lambda: crossval.five_by_two_t(np.zeros((5, 2)), alternative="less"), "got 'less'."),
        (lambda: crossval.five_by_two_f(np.full((5, 2), np.nan)), "got nan at index (0, 0)."),
        (lambda: crossval.corrected_t([1], 1), "must hold at least 2 differences; got 1."),
        (lambda: crossval.corrected_t([1, 2], -1), "must be a number from 0; got -1."),
        (lambda: crossval.classical([1]), "on the last axis; got an array of shape (1,)."),
    ],
    "exact_omnibus": [
        (lambda: exact_omnibus.exact_pvalue([[1, 2]]), COLUMNS + "(1, 2)."),
        (lambda: exact_omnibus.exact_pvalue([[1, 2], [0.3, 1]]), "multiples of 1/4; got 0.3. Rank"),
    ],
    "fuzzy": [
        (lambda: fuzzy.consolidate(RUNS, RUNS, "centre", 0.5), "Did you mean 'central'?"),
        (lambda: fuzzy.consolidate(RUNS, RUNS, "central"), "the encoding 'central'; got None."),
        (lambda: fuzzy.consolidate(RUNS, RUNS, "shortest", 1.5), "at most 1 for the encoding 'sh"),
        (lambda: fuzzy.consolidate(RUNS, RUNS, "range", 0.5), "'range', which has none; got 0.5."),
        (lambda: fuzzy.consolidate(RUNS, RUNS + 1, "shortest", 0.5), "runs; got 'shortest'."),
        (lambda: fuzzy.consolidate(RUNS, RUNS + 1, "mode"), "interval-valued runs; got 'mode'."),
        (lambda: fuzzy.consolidate(RUNS, RUNS - 1, "range"), "got 1.0 and 0.0 at index (0, 0)."),
        (lambda: fuzzy.consolidate(RUNS, RUNS[:1], "range"), "same shape; got (2, 2) and (1, 2)."),
        (lambda: fuzzy.consolidate(RUNS, [[1, 2], [3, 4]], "mean"), "nan and 4.0 at index (1, 1)."),
        (lambda: fuzzy.consolidate([1, np.inf], [1, np.inf], "mean"), "got inf at index (1,)."),
        (lambda: fuzzy.consolidate(1.0, 1.0, "mean"), "1 run along its last axis; got shape ()."),
        (lambda: fuzzy.central_cuts(RUNS, RUNS, [0.5, 0.5]), "must ascend; got 0.5 before 0.5"),
        (lambda: fuzzy.central_cuts(RUNS, RUNS, [0.0, 0.5]), "at most 1; got 0.0 at index 0."),
        (lambda: fuzzy.central_cuts(RUNS, RUNS, 0.5), "at least 1 entry; got shape ()."),
        (lambda: fuzzy.bootstrap_mean_cuts(RUNS, [0.5], rng="x"), "numpy Generator; got 'x'."),
        (lambda: fuzzy.summarise(*LEVELS[:2], [1.0, 0.5], 0.05), "`coverages` must ascend; got"),
        (lambda: fuzzy.summarise([0.02], *LEVELS[1:], 0.05), "coverages, 2; got shape (1,)."),
        (lambda: fuzzy.summarise(LEVELS[1], LEVELS[0], LEVELS[2], 0.05), "got 0.03 and 0.02 at i"),
        (lambda: fuzzy.summarise(LEVELS[0], [0.03, 1.5], LEVELS[2], 0.05), "got 1.5 at index (1"),
        (lambda: fuzzy.summarise(LEVELS[0], [LEVELS[1]], LEVELS[2], 0.05), "got (2,) and (1, 2)."),
        (lambda: fuzzy.summarise(*LEVELS, 1.0), "between 0 and 1, exclusive; got 1.0."),
    ],
    "interval": [
        *(
            row
            for test in (
                interval.signed_rank_interval,
                interval.sign_interval,
                interval.paired_t_interval,
                lambda lower, upper: interval.favours(lower, upper, "t"),
            )
            for row in (
                (lambda test=test: test(TURNED, BOX[1]), "got 2.0 and 1.0 at index (1, 2)."),
                (lambda test=test: test(BOX[0], BOX[1][0]), "got (2, 3) and (3,)."),
                (lambda test=test: test([1.0], [2.0]), "2 blocks along its last axis; got 1."),
                (lambda test=test: test([1.0, np.nan], [2.0, 3.0]), "got nan at index (1,)."),
            )
        ),
        (lambda: interval.rank_sum_interval(*BOX, [[3.0, 1.0]], [[2.0, 2.0]]), "`yl` must not be"),
        (lambda: interval.rank_sum_interval(*BOX, [3.0], [3.0]), "2 scores along its last axis"),
        (lambda: interval.rank_sum_interval(*BOX, *np.ones((2, 3, 2))), "got (2,) and (3,)."),
        (lambda: interval.monte_carlo(*BOX, "welch"), "'t' or 'permutation'; got 'welch'."),
        (lambda: interval.monte_carlo(BOX[0], BOX[1][:1], "t"), "got (2, 3) and (1, 3)."),
        (lambda: interval.monte_carlo([1.0, 2.0], [1.0, 2.0], "t"), "1 draw; got (2,)."),
        (lambda: interval.favours(*BOX, "rank-sum"), "and only then; got none for 'rank-sum'."),
    ],
    "items": [
        (lambda: items.mcnemar([1, 2], [1]), "`first_only` and `second_only` must have the same"),
        (lambda: items.mcnemar([-1], [1]), "`first_only` must hold whole numbers from 0"),
        (lambda: items.cochran_q([[0, 1]]), "; got shape (1, 2)"),
        (lambda: items.cochran_q([[0, 1], [0.5, 1]]), "two different numbers at most"),
        (lambda: items.sign_flip([[[1.0]]], [None]), "at least 2 items of each benchmark; got 1"),
        (lambda: items.sign_flip([[[1, 2]]], [[3, 3]]), "at least 2 clusters of items"),
        (lambda: items.sign_flip([[[1, 2]]], [[3]]), "one label per item, 2; got shape"),
        (lambda: items.sign_flip([[[1, 2]]], []), "one entry per benchmark"),
        (lambda: items.sign_flip([[[1, 2]], BOX[0]], [None] * 2), "number of rows for each bench"),
        (lambda: items.detectable_difference(-1.0), "`error` must not be negative; got -1"),
    ],
    "lattice": [
        (lambda: lattice.sum_tails([1, 2]), "the shape (..., n_rows, n_values) with at least 1"),
        (lambda: lattice.sum_tails(np.empty((2, 0))), "got an array of shape (2, 0)."),
        (lambda: lattice.sum_tails([[1, 2]], weights=[0, 0]), "not be negative, nor all 0 in a"),
        (lambda: lattice.sum_tails([[1, 2]], weights=[-1, 2]), "got [-1.0, 2.0]."),
        (lambda: lattice.sum_tails([[1, 2]], weights=[1, 2, 3]), "`weights` must broadcast agai"),
        (lambda: lattice.sum_tails([[1, 2]], points=1 << 30), "at most 4194304, 2**22; got 10737"),
        (lambda: lattice.sum_tails([[[1, 2]]] * 2, [1, 2, 3]), "the leading axes (2,) of `rows`"),
    ],
    "logical": [
        (lambda: logical.shaffer([[1.0]]), "2 rows; got an array of shape (1, 1)."),
        (lambda: logical.shaffer([[1, 0.1], [0.2, 1]]), "got 0.1 at index (0, 1) and 0.2 at inde"),
        (lambda: logical.bergmann_hommel(np.ones((18, 18))), "at most 17 algorithms; got 18. If"),
        (lambda: logical.bergmann_hommel(np.zeros((18, 18)), log10=True), "at most 17 algorithms"),
        (lambda: logical.bergmann_hommel(np.ones((3, 3)), [1, 2]), "the 3 algorithms; got 2."),
    ],
    "multisign": [
        (lambda: multisign.critical_value(5, 2, 5), "between 0 and 1, exclusive; got 5."),
        (lambda: multisign.multiple_sign_test([[1], [2]], 0), "2 algorithms (columns); got 1."),
        (lambda: multisign.multiple_sign_test([[1, 2]], 2), "of `scores`, 0 to 1; got 2."),
    ],
    "omnibus": [
        (lambda: omnibus.friedman([[1, 2]]), COLUMNS + "(1, 2)."),
        (lambda: omnibus.iman_davenport([[1], [1]]), COLUMNS + "(2, 1)."),
        (lambda: omnibus.friedman([[1, 2], [0.3, 0.1]]), "in each row; row 1 holds [0.3, 0.1]. R"),
        (lambda: omnibus.iman_davenport([[1, 2], [0.3, 0.1]]), "Rank scores with midranks() first"),
        (lambda: omnibus.friedman(BOX[0], formulas="Printed"), "Did you mean 'printed'?"),
        (lambda: omnibus.kendalls_w([[1, 2], [0.3, 0.1]]), "must hold mid-ranks 1 to 2 in each"),
        (lambda: omnibus.kendalls_w_from_averages([0.3, 0.1]), "of 2 algorithms must lie from 1"),
        (lambda: omnibus.aligned([[1, 2]]), COLUMNS + "(1, 2)."),
        (lambda: omnibus.aligned([[1, 2], [1, 2]]), "these run from 1 to 2 and sum to 6. Rank wit"),
        (lambda: omnibus.quade([[1], [1]]), COLUMNS + "(2, 1)."),
        (lambda: omnibus.quade([[-1, 1], [1, 2]]), "row 1 holds [1.0, 2.0]. Rank with quade_rank"),
        (lambda: incomplete.skillings_mack([[1, 2], [np.nan, 2]]), "2 scores or more; got 1."),
        (
            lambda: incomplete.skillings_mack([[1, 2, np.nan]] * 2 + [[np.nan] * 2 + [4]]),
            "column 2",
        ),
        (lambda: parametric.repeated_measures_anova([[1, 2]]), COLUMNS + "(1, 2)."),
        (lambda: parametric.paired_t([[1, 2]], *PAIR), "at least 2 data sets (rows); got 1."),
    ],
    "permutation": [
        (lambda: permutation.sign_flips([1, 2], [1, 1]), "got 1.0 below 2.0 at index (1,)."),
        (lambda: permutation.sign_flips([1, 2], [1]), "got arrays of shapes (2,) and (1,)."),
        (lambda: permutation.sign_flips([[]]), "last axis; got an array of shape (1, 0)."),
        (lambda: permutation.sign_flips([1, np.nan]), "got nan at index (1,)."),
        (lambda: permutation.sign_flips([1], method="exactly"), "Did you mean 'exact'?"),
        (lambda: resampled(permutation.sign_flips, [1], rng="x"), "numpy Generator; got 'x'."),
        (lambda: permutation.permutation_test([1], n_draws="3n"), "'n' or '2n'; got '3n'."),
        (lambda: resampled(permutation.permutation_test, [1], n_resamples=0), "of at least 1"),
    ],
    "posthoc": [
        (lambda: posthoc.nemenyi_quantile(5, 0), "between 0 and 1, exclusive; got 0."),
        (lambda: posthoc.bonferroni_dunn_quantile(5, "0.05"), "exclusive; got '0.05'."),
        (lambda: posthoc.bonferroni_quantile(0), "`n_hypotheses` must be a whole number of at"),
        (lambda: posthoc.maximal_groups([[0, 1], [0, 0]]), "square symmetric matrix; got an arra"),
        (lambda: posthoc.maximal_groups([0, 1]), "got an array of shape (2,)."),
        (lambda: posthoc.all_pairs(1), "`k` must be a whole number of at least 2; got 1."),
        (lambda: posthoc.untied_standard_error(3, 0), "`n_datasets` must be a whole number of at"),
        (lambda: posthoc.standard_error([[1, 2]], formulas="exact"), "got 'exact'."),
        (lambda: posthoc.standard_error([[1, 2]], ranking="ranks"), "or 'quade'; got 'ranks'."),
        (lambda: posthoc.rank_tests([1, np.inf], 1.0, *PAIR), "got inf at index (1,)."),
        (lambda: posthoc.nemenyi_pvalues([np.nan], 3), "`statistic` must hold finite numbers"),
        (lambda: laws.studentized_range_isf(0.0, 3), "`alpha` must be a number between 0 and 1"),
    ],
    "proportions": [
        (lambda: proportions.clopper_pearson(3, 2), "`successes` must be from 0"),
        (lambda: proportions.paired_difference(-1, 0, 5), "must be counts of at most `n_items`"),
        (lambda: proportions.paired_difference(3, 3, 5), "must be counts of at most `n_items`"),
        (lambda: proportions.paired_difference(0, 0, 0), "must be counts of at most `n_items`"),
    ],
    "rank_differences": [
        (lambda: rank_differences.exchange_tests([[1.1, 2]], *PAIR), "multiples of 1/4"),
        (lambda: rank_differences.exchange_tests([1, 2], *PAIR), "a table"),
        (lambda: rank_differences.exchange_tests([[np.inf, 1]], *PAIR), "a table"),
        (lambda: rank_differences.difference_law([[1], [1]]), "got an array of shape (2, 1)."),
        (lambda: rank_differences.difference_law([[1, 2.25]]), "multiples of 1/2; got 2.25 at i"),
        (lambda: rank_differences.difference_law([[1, 1e20]], **RANKED), "1/4; got 1e+20 at ind"),
        (lambda: LAW.pvalues([5]), "the largest possible one, 4; got 5. They are differences of"),
        (lambda: LAW.tests([1, 2], [0], [1]), "`sums` must have one sum per algorithm, 3; got 2."),
        (lambda: LAW.critical_difference(0), "`level` must be a number between 0 and 1"),
    ],
    "rankings": [
        (lambda: rankings.midranks(["a"]), "must be an array of real numbers; got ['a']."),
        (lambda: rankings.midranks([1, 2], scale=[1, 2, 3]), "values of shape (2,); got an array"),
        (lambda: rankings.rank([[1, 2]], "Aligned"), "Did you mean 'aligned'?"),
        *(
            row
            for word in rankings.RANKINGS
            for row in (
                (lambda word=word: rankings.rank([1, 2], word), "2 dimensions; got an array of"),
                (lambda word=word: rankings.rank([[1, np.inf]], word), "got inf at index (0, 1)."),
                (
                    lambda word=word: rankings.rank([[1, 2]], word, scale=[1, 2, 3]),
                    "values of shape (1, 2); got an array of shape (3,).",
                ),
            )
        ),
    ],
    "runs": [
        (lambda: runs.rank_sum([], MANY), "`first` must hold at least 1 score; got none."),
        (lambda: runs.rank_sum([[1.0]], MANY), "1 dimension; got an array of shape (1, 1)."),
        (lambda: runs.rank_sum([np.inf], MANY), "got inf at index (0,)."),
        (lambda: runs.rank_sum(MANY, MANY + 1, method="exact"), "for 1,000 and 1,000 scores."),
        (lambda: runs.vargha_delaney([[1, 2], [1]], *PAIR), "`samples[1]` must hold at least 2"),
        (lambda: runs.kruskal_wallis([[1, 2], []]), "`samples[1]` must hold at least 1 score"),
        (lambda: runs.kruskal_wallis([[1, 2]]), "at least 2 samples; got 1"),
    ],
    "shift": [
        *(
            row
            for find in (shift.hodges_lehmann, shift.median_shift, shift.mean_shift)
            for row in (
                (
                    lambda find=find: find([]),
                    "`differences` must hold at least 1 number; got none.",
                ),
                (lambda find=find: find([1e308]), "must hold numbers up to 4.49e+307 in size."),
                (lambda find=find: find([np.nan]), "got nan at index (0,)."),
                (lambda find=find: find([1.0], 95), "`confidence` must be a number between 0 and"),
            )
        ),
        (lambda: shift.two_sample_shift([1.0], []), "`second` must hold at least 1 number; got no"),
    ],
    "signed_rank": [
        (lambda: signed_rank.sign_test([1.5], [0], [0]), "whole numbers from 0; got [1.5]."),
        (lambda: signed_rank.sign_test([1], [-1], [0]), "whole numbers from 0; got [-1.0]."),
        (lambda: signed_rank.sign_test([1], [0], [0, 1]), "got (1,), (1,) and (2,)."),
        (lambda: signed_rank.signed_rank([1], zeros="drop"), "or 'pratt'; got 'drop'."),
        (lambda: signed_rank.signed_rank([1], method="t"), "'exact' or 'normal'; got 't'."),
        (lambda: signed_rank.signed_rank([1], alternative="less"), "or 'worse'; got 'less'."),
        (lambda: signed_rank.signed_rank(range(1, 1002), method="exact"), "got 'exact' for 1,00"),
        (lambda: signed_rank.signed_rank([1, np.nan]), "got nan at index (1,)."),
        (lambda: signed_rank.triples(np.ones((2, 6))), "`differences` must have 1 dimension; got"),
        (lambda: signed_rank.triples([np.nan] * 12), "must hold finite numbers; got nan"),
    ],
    "trend": [
        (lambda: trend.page([1, 2, 3]), "and 2 cut-points; got an array of shape (3,)."),
        (lambda: trend.exchange([[1], [1]]), "and 2 cut-points; got an array of shape (2, 1)."),
        (lambda: trend.page([[1, 2, 3], [1, np.nan, 2]]), "got nan at index (1, 1)."),
        (lambda: trend.exchange([[[1, 2, 3], [0, 1, 2]]]), MIDRANKS + "3 of each problem; got [0."),
        # the sum of mid-ranks, but not mid-ranks
        (lambda: trend.page([[1, 2, 2, 5]]), MIDRANKS + "4 of each problem; got [1.0, 2.0, 2.0, "),
        (lambda: trend.page([[1, 2, 3]], method="exakt"), "Did you mean 'exact'?"),
        (lambda: trend.page([[1, 2, 3]], formulas="print"), "Did you mean 'printed'?"),
        (lambda: trend.page([np.arange(1, 18)], method="exact"), "for 1 rows of 17 ranks."),
        (lambda: trend.exchange([[1, 2, 3]] * 1001, method="exact"), "1,001 problems with 3 cut-"),
        (lambda: trend.convergence_ranks(np.empty((0, 3))), "got an array of shape (0, 3)."),
        (lambda: trend.convergence_ranks([[np.inf, 1]]), "got inf at index (0, 0)."),
        (lambda: trend.convergence_ranks([[3.0, 1.0]], [2]), "together with `a_reached`; got None"),
        (lambda: trend.convergence_ranks([[3, 1]], None, [2]), "together with `b_reached`; got No"),
        (lambda: trend.convergence_ranks([[3, 1]], [2, 2], [3]), "`a_reached` must have the shape"),
        (lambda: trend.convergence_ranks([[3, 1]], [2], [0]), "never; got 0.0 at index (0,)."),
        (lambda: trend.convergence_ranks([[3, 1]], [np.nan], [3]), "never; got nan at index (0,)."),
        (lambda: trend.convergence_ranks([[3, 1]], scale=[1.0, 2, 3]), "values of shape (1, 2); "),
    ],
}


def resampled(function, values, **options):
    return function(values, method="resampling", **options)


@pytest.mark.parametrize("room", REFUSED)
def test_what_is_refused_is_said(room):
    for call, said in REFUSED[room]:
        with pytest.raises((ValueError, TypeError), match=re.escape(said)) as caught:
            call()
        # the argument first, and a whole sentence
        assert re.match(r"(?:`|the )", str(caught.value)), said
        assert str(caught.value)[-1] in ".?", said
