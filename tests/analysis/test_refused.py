"""What the analyses refuse: the argument, the requirement, what arrived, and what to do.

`test_options.py` tries values that an option does not have; here are those that do not go together,
and data that do not suit.
"""

import re

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.words import PROCEDURES

NAN = np.nan
NOISE = np.random.default_rng(0).normal(size=(14, 4))
DEMSAR = nbc.datasets.load("demsar2006")
PAIR = DEMSAR.algorithms[:2]
DE = nbc.datasets.load("convergence_de")
NO_SUCCESS = nbc.fixed_targets(DE, precisions=[1e-8]).to_experiment()


def of(scores, direction="minimize", **more):
    return nbc.Experiment.from_array(np.asarray(scores, float), direction=direction, **more)


def at(scores, *place, value=NAN):
    changed = np.array(scores, dtype=float)
    changed[place] = value
    return changed


FEW = of([[1, 2], [2, 1]])
RUNS = of(NOISE[:9].reshape(1, 3, 1, 12))
RUN_TABLE = of(NOISE[:12].reshape(4, 2, 1, 6))
FOLDS = of(NOISE[:10].reshape(1, 4, 10), "maximize", datasets=["iris"])
REPEATED = of(NOISE[:12].reshape(1, 2, 6, 4))
BOTH = of(NOISE[:12].reshape(2, 2, 3, 4))
ITEMS = of(NOISE[:, :3] > 0, "maximize", unit="items")
GRADED = of(NOISE[:, :3], "maximize", unit="items")
TEXTS = of(NOISE[:, :3] > 0, "maximize", unit="items", clusters=np.arange(14) // 2)
TASKS = of(NOISE[:12].reshape(2, 3, 8) > 0, "maximize", unit="items")
LOGS = nbc.Histories.from_array(
    np.minimum.accumulate(np.random.default_rng(0).random((6, 3, 2, 12)), axis=3) - 1,
    direction="minimize",
)
RANKS = {"A": 1.2, "B": 2.1, "C": 2.7}
ONE, TWO = np.random.default_rng(1).random((2, 10))
FIVE = ONE.reshape(5, 2)
TABLE = of(np.random.default_rng(3).random((2, 3, 4)))
LOST = of(at(np.zeros((3, 2, 2, 3)) + np.arange(3), 2, 1, 1, 1))
GAPS = {"missing": "skillings-mack"}


def bayes(data, **options):
    return nbc.compare_bayesian(data, **{"rope": 0} | options)


def cv(a, b, **options):
    return nbc.compare_cv(a, b, **{"direction": "minimize"} | options)


def cv_of(a, b, **options):
    return nbc.compare_cv(a, b, experiment=TABLE, **{"dataset": "1"} | options)


def baseline(given, **options):
    return nbc.aggregate_runs(RUN_TABLE, baseline=given, n_resamples=20, **options)


REFUSED = {
    "compare": [
        (lambda: nbc.compare(DEMSAR, ranking="align"), "got 'align'. Did you mean 'aligned'?"),
        (lambda: nbc.compare(DEMSAR, control="C45"), "got 'C45'. Did you mean 'C4.5'?"),
        (
            lambda: nbc.compare(DEMSAR, adjust="Holm"),
            f"`adjust` must be {', '.join(map(repr, PROCEDURES))}, 'auto' or 'none'; got 'Holm'. ",
        ),
        (
            lambda: nbc.compare(DEMSAR, adjust=("holm", "rom", "auto")),
            "`adjust` must be 'auto' alone, which chooses a procedure, or procedures without it; "
            "got 'holm', 'rom' and 'auto'. Leave out 'auto', or all the others.",
        ),
        (
            lambda: nbc.compare(DEMSAR, adjust=["holm", "nemenyi", "holm"]),
            "`adjust` must not name a procedure twice; got 'holm', 'nemenyi' and 'holm'.",
        ),
        (
            lambda: nbc.compare(DEMSAR, adjust=["holm", "nemenyi"], control="best"),
            "`adjust` must not be 'nemenyi' here: such procedures are for comparisons of all "
            "pairs, and there is a control. Leave out `control`, or take 'holm' or 'bonferroni'.",
        ),
        *(
            (
                lambda name=name: nbc.compare(DEMSAR, adjust=name, control="C4.5"),
                f"'{name}' here: such procedures are for",
            )
            for name in PROCEDURES
            if PROCEDURES[name].all_pairs_only
        ),
        *(
            (lambda given=given: nbc.compare(DEMSAR, method="exact", **given), why)
            for given, why in (
                ({"adjust": "nemenyi"}, "there is no exact law of Nemenyi's procedure"),
                ({"pairs": "t"}, "the t test assumes normal differences"),
                ({"formulas": "printed"}, "are approximations"),
            )
        ),
        (
            lambda: nbc.compare(of([[1, 2]])),
            "`experiment` must hold at least 2 data sets to compare; got 1. One data set says "
            "nothing about others. Add data sets; or, to compare the algorithms on this one alone, "
            "the scores of its folds, runs or items.",
        ),
        (lambda: nbc.compare(of([[1], [2]])), "at least 2 algorithms to compare; got 1."),
        (
            lambda: nbc.compare(of([[1, NAN], [NAN, 2], [1, 2]])),
            "`experiment` has no score for 'A2 on 1' and 'A1 on 2'. Add the scores; or say what to "
            "do about missing ones: missing='drop' leaves out the data set; missing='worst' gives "
            "what is missing the worst score of the data set, or that of `fill`; "
            "missing='skillings-mack' ranks the available scores; or leave out algorithms or "
            "data sets with experiment.select(...).",
        ),
        (lambda: nbc.compare(of(at(NOISE, slice(1, 12), 1))), "'A2 on 6' and 6 more. Add the"),
        (lambda: nbc.compare(FOLDS, ranking="quade"), "`ranking` must be left out with folds"),
        (lambda: nbc.compare(TASKS, pairs="t"), "`pairs` must be left out with items"),
        (lambda: nbc.compare(RUNS, missing="drop"), "`missing` must be left out with runs"),
    ],
    "what is no experiment": [
        *(
            (
                lambda value=value: nbc.compare(value),
                f"`experiment` must be an Experiment; got {type(value).__name__}. {remedy}",
            )
            for value, remedy in (
                ("scores.csv", "Make one with Experiment.read(path, direction=...)."),
                (None, "Make one with Experiment.from_frame(frame, direction=...)."),
                (NOISE, "Make one with Experiment.from_array(scores, direction=..., algorithms="),
                ([[1, 2], [2, 1]], "Make one with Experiment.from_array(scores, direction=..., "),
                ({"SVM": [0.9]}, "Results of scikit-learn make one with Experiment.from_sklearn"),
            )
        ),
        (
            lambda: nbc.compare(DEMSAR.to_frame()),
            "`experiment` is a dataframe, which does not say what is better. Add "
            "direction='maximize' if high scores are better, or direction='minimize' if low ones",
        ),
        (lambda: nbc.recommend(LOGS), "Histories are compared by compare_convergence(histories)"),
        (lambda: nbc.compare_convergence([1, 2]), "must be a Histories; got list"),
    ],
    "average ranks": [
        (lambda: nbc.compare_ranks([1.5, 1.5], 5), "must map names of algorithms to average ranks"),
        (lambda: nbc.compare_ranks({"A": 1.0}, 5), "must hold at least 2 algorithms; got 1."),
        (
            lambda: nbc.compare_ranks({"A": 1.2, "B": 1.4}, 5),
            "`average_ranks` of 2 algorithms must average 1.5; these average 1.3. "
            "Is an algorithm missing or a rank mistyped?",
        ),
        (
            lambda: nbc.compare_ranks({"A": 1, "B": 4, "C": 1, "D": 4}, 5),
            "`average_ranks` are impossible: those of the best 2 algorithms must sum to at "
            "least 3; got 2.",
        ),
        (lambda: nbc.compare_ranks(RANKS, 9, margin=0.1), "`margin` must be left out "),
    ],
    "a margin": [
        (lambda: nbc.compare(of(NOISE * 2e307), margin=1.0), "Take a larger unit"),
    ],
    "missing scores": [
        (
            lambda: nbc.compare(of([[1, 2, NAN, NAN], [2, 1, NAN, NAN], [NAN, NAN, 1, 2]]), **GAPS),
            "no data set that 'A1' and 'A3' share",
        ),
        (
            lambda: nbc.recommend(of([[1, 2, NAN, NAN], [2, 1, NAN, NAN], [NAN, NAN, 1, 2]])),
            "no data set that 'A1' and 'A3' share",
        ),
        (
            lambda: nbc.compare(of([[1, NAN], [NAN, 2], [1, 2]]), **GAPS),
            "at least 2 data sets with scores of 2 algorithms; got 1",
        ),
        (
            lambda: nbc.recommend(of([[1, 2, 3], [2, NAN, NAN]])),
            "at least 2 data sets with scores of 2 ",
        ),
        *(
            (lambda given=given: nbc.compare(of([[1, NAN], [2, 1], [1, 2]]), **GAPS | given), said)
            for given, said in (
                ({"ranking": "quade"}, "`ranking` must not be 'quade' here"),
                ({"formulas": "printed"}, "`formulas` must not be 'printed' here"),
                ({"adjust": "nemenyi"}, "`adjust` must not be 'nemenyi'"),
            )
        ),
        (
            lambda: nbc.compare(of([[1, NAN], [2, 1]]), missing="drop"),
            "1 of 2 data sets would be left",
        ),
        (lambda: nbc.compare(DEMSAR, fill=0.5), "`fill` must be left out without missing='worst'"),
        *(
            (lambda fill=fill: nbc.compare(FEW, missing="worst", fill=fill), "`fill` must be a fin")
            for fill in ("Q", NAN, True)
        ),
        (lambda: nbc.compare(LOST, **GAPS), "missing='drop-folds' keeps the folds and runs"),
        (
            lambda: nbc.compare_stochastic(LOST, procedure="interval", missing="interval"),
            "some lack single runs",
        ),
        (lambda: nbc.compare_convergence(LOGS.select(algorithms=["A1"])), "to compare; got 1"),
    ],
    "infinite scores": [
        *(
            (
                lambda given=given: nbc.compare(NO_SUCCESS, **given),
                f"infinite, which stands for no success.*{words}",
            )
            for given, words in (
                ({"pairs": "wilcoxon"}, "Take pairs='exchange'"),
                ({"pairs": "t"}, "Take pairs='exchange'"),
                ({"ranking": "aligned"}, "Take ranking='friedman'"),
                ({"ranking": "quade"}, "Take ranking='friedman'"),
                ({"margin": 10}, "Leave out `margin`"),
            )
        ),
        *(
            (lambda asked=asked: asked(NO_SUCCESS), "of which the order alone is known")
            for asked in (
                nbc.contrast_estimation,
                nbc.check_conditions,
                nbc.compare_stochastic,
                lambda data: nbc.compare_pair(data, *data.algorithms[:2]),
                bayes,
            )
        ),
        (lambda: nbc.fixed_targets(DE, precisions=[1]).to_experiment(0.5), "`target`"),
    ],
    "compare_pair": [
        (lambda: nbc.compare_pair(FEW, "A1", "A1"), "`b` must be another algorithm than `a`; got"),
        (
            lambda: nbc.compare_pair(FEW, "A1", "A2", test="sign", zeros="pratt"),
            "`zeros` with test='sign' must be 'auto', 'wilcox' or 'demsar'; got 'pratt'.",
        ),
        (
            lambda: nbc.compare_pair(FEW, "A1", "A2", test="sign", method="normal"),
            "`method` with test='sign' must be 'auto' or 'exact'; got 'normal'.",
        ),
    ],
    "compare_by": [
        *(
            (
                lambda name=name: nbc.compare_by(DEMSAR, by={}, adjust=name, across=True),
                "relies on the hypotheses being all pairs",
            )
            for name in ("nemenyi", "shaffer", "bergmann-hommel")
        ),
        (lambda: nbc.compare_by(DEMSAR, adjust=None, across=True), "`across` must be left out"),
    ],
    "compare_bayesian": [
        (lambda: nbc.compare_bayesian(DEMSAR), "`rope` must be given: "),
        (lambda: bayes(DEMSAR, threshold=0.5), "`threshold` must be a probability above 0.5"),
        (lambda: bayes(DEMSAR, ratio=0.1), "`ratio` must be left out with test='signed-rank'"),
        (lambda: bayes(DEMSAR, test="sign", n_samples=9), "`n_samples` must be left out"),
        (lambda: bayes(DEMSAR, test="correlated-t"), "one data set .*got 14.*test='signed-rank'"),
        (lambda: bayes(DEMSAR, dataset="iris", test="sign"), "`dataset` must be left out"),
        (lambda: bayes(FOLDS, test="signed-rank"), "at least 2 data sets .* got 1.*"),
        (lambda: bayes(of([[1, 1]])), "at least 2 folds"),
        (lambda: bayes(of(np.ones((5, 1)))), "at least 2 algorithms"),
        (lambda: bayes(of(NOISE[None, :, :2].swapaxes(1, 2))), "`ratio`.* must be given"),
        (lambda: bayes(FOLDS, missing="worst"), "`missing` must be 'raise' or 'drop-folds'"),
    ],
    "compare_stochastic": [
        *(
            (lambda given=given: nbc.compare_stochastic(REPEATED, **given), said)
            for given, said in (
                ({"procedure": "bootstrap-b", "test": "t"}, "`test` must not be 't' here: the pro"),
                ({"procedure": "fuzzy", "encoding": "shortest"}, "`encoding` must not be 'short"),
                ({"encoding": "range", "coverage": 0.5}, "`coverage` must not be 0.5 here: "),
                ({"blocks": "datasets"}, "must hold at least 2 data sets"),
                ({"procedure": "interval", "formulas": "printed"}, "`formulas` must not be 'print"),
                ({"procedure": "bootstrap-a", "missing": "interval"}, "procedure='bootstrap-b' t"),
                ({"adjust": "auto"}, "`adjust` must not be 'auto' here: "),
                ({"procedure": "fuzzy", "method": "resampling"}, "`method` must not be 'resampl"),
            )
        ),
        (lambda: nbc.compare_stochastic(BOTH, blocks="folds"), "are not independent blocks"),
        (lambda: nbc.compare_stochastic(RUNS), "by its runs, use compare_runs(experiment)"),
        (lambda: nbc.compare_stochastic(FOLDS, procedure="fuzzy"), "several runs of some"),
        *(
            (lambda asked=asked: asked(ITEMS), "use compare_items(experiment)")
            for asked in (nbc.compare_stochastic, nbc.compare_cv, bayes)
        ),
    ],
    "compare_runs": [
        (lambda: nbc.compare_runs(RUN_TABLE), "`dataset` must name one data set"),
        (lambda: nbc.compare_runs(FOLDS), "without folds; got 10 folds and 1 run"),
        (
            lambda: nbc.compare_runs(of([[1, 2], [3, NAN]], unit="runs")),
            "at least 2 runs of every algorithm; got 1 of 'A2'",
        ),
        (lambda: nbc.compare_runs(RUNS, adjust="nemenyi"), "nemenyi"),
    ],
    "compare_items": [
        (lambda: nbc.compare_items(DEMSAR), "must hold the items of a benchmark; got datasets"),
        (lambda: nbc.compare_items(GRADED, test="mcnemar"), "needs scores of 0 and 1 alone"),
        (lambda: nbc.compare_items(TEXTS, test="mcnemar"), "needs items without clusters"),
        (lambda: nbc.compare_items(TASKS, test="mcnemar"), "needs a single benchmark"),
    ],
    "compare_cv of arrays": [
        (lambda: cv(ONE, TWO, direction=None), "`direction` must be 'maximize' or 'minimize'; got"),
        (lambda: cv(ONE, TWO[:9]), "on the same folds; got arrays of shapes (10,) and (9,)."),
        (lambda: cv(FIVE[None], FIVE[None]), "must have the shape (n_folds,), or (n_repeats, n_f"),
        (lambda: cv(FIVE, FIVE, test="permutation"), "use the same examples again, so that the d"),
        (lambda: cv(ONE, TWO, test="5x2cv-f"), "or an experiment with ten folds; got 1 repetition"),
        (lambda: cv(FIVE, FIVE, test="5x2cv-f", alternative="better"), "use test='5x2cv-t'."),
        (
            lambda: cv([0.1], [0.2]),
            "at least 2 folds or random splits of the data set; got 1 score",
        ),
        (lambda: cv(ONE, at(TWO, 9)), "`b` must hold finite numbers; got nan at index (9,)."),
        (lambda: cv(ONE[:, None], TWO[:, None]), "there are 10 random splits, which do not show"),
        (lambda: cv(ONE, TWO, ratio=0.1, test="permutation"), "without test='corrected-t'"),
        (lambda: cv(ONE, TWO, method="resampling", test="classical"), "must be 'exact' unless"),
        (lambda: cv(ONE, TWO, names=["A"]), "`names` must be two names; got 1."),
        (lambda: cv("A", TWO), "To compare algorithms by name, give the `experiment` too."),
        (lambda: cv(ONE * 1e290, TWO), "`a` must hold scores up to 1e+280 in size; take a larger"),
        (lambda: cv(ONE > 0, TWO), "`a` must be numbers; got True and False."),
    ],
    "compare_cv of experiments": [
        (
            lambda: cv_of("A1", "A2", dataset=None),
            "has 2: '1' and '2'. For the first, pass dataset=",
        ),
        (lambda: cv_of("A1", "A1"), "`b` must be another algorithm than `a`; got 'A1' twice."),
        (lambda: cv_of("A1", "A4"), "`b` must be one of 'A1', 'A2' and 'A3'; got 'A4'."),
        (lambda: cv_of("A1", "A2", direction="minimize"), "left out with an experiment, which has"),
        (lambda: cv_of("A1", "A2", test="5x2cv-t"), "with ten folds; got 1 repetition of 4 folds."),
        (lambda: cv_of("A1", None), "`b` must be given with `a`, 'A1'"),
        (lambda: cv_of("A1", "A2", control="A1"), "must be left out with `a` and `b`"),
        (lambda: cv_of("A1", "A2", adjust="holm"), "must be left out with `a` and `b`"),
        (
            lambda: nbc.compare_cv(of([[[1], [2]]])),
            "at least 2 folds or random splits.*got 1 score",
        ),
        (lambda: nbc.compare_cv(FOLDS.select(algorithms=["A1"])), "at least 2 algorithms to compa"),
        (lambda: nbc.compare_cv(FOLDS, adjust="nemenyi"), "`adjust` must not be 'nemenyi'"),
        (lambda: nbc.compare_cv(FOLDS, test="classical"), "must be left out without `a` and `b`"),
        (lambda: nbc.compare_cv(FOLDS, names=("A", "B")), "`names` must be left out"),
        (lambda: nbc.compare_cv(of(FOLDS.scores * 1e290)), "scores up to 1e"),
        (lambda: nbc.recommend(FOLDS), "by its folds, use compare_cv(experiment)"),
        (lambda: nbc.recommend(of([[[1], [2]]])), "Add data sets; or.*its folds, runs or items"),
    ],
    "aggregate_runs": [
        (lambda: baseline(["A1", "A2"]), "better than the low one on every data set; on '"),
        (lambda: baseline(["A1"]), "two different algorithms; got"),
        (lambda: baseline(["A1", "Ax"]), "`baseline` must be one of 'A1' and 'A2'; got 'Ax'"),
        (lambda: baseline("A1"), "two algorithms, .*, as in ['random', 'human'], or two .*; got"),
        (lambda: baseline(3), "must be two algorithms, .*; got 3"),
        (lambda: baseline({"1": (0, 1)}), "it lacks '2', '3' and '4'. Add them, or .*datasets=..."),
        (lambda: baseline({"9": (0, 1)}), "must be one of '1', '2', '3' and '4'; got '9'"),
        (
            lambda: baseline({"1": (0, np.inf)}),
            "two finite numbers for each data set, .*; got .*inf",
        ),
        (lambda: baseline({"1": 3}), "two finite numbers for each data set, .*; got"),
        (lambda: baseline(dict.fromkeys("1234", (1, 1))), "better than the low one on every data"),
        (lambda: baseline(None, target=NAN), "`target` must be a finite number; got nan"),
        (lambda: baseline(None, target=True), "`target` must be a finite number; got True"),
        (lambda: nbc.aggregate_runs(DEMSAR), "must hold repeated runs.* compare(experiment)"),
        (lambda: nbc.aggregate_runs(FOLDS), "The 10 folds of a data set are not runs.* run=..."),
        (lambda: nbc.aggregate_runs(RUNS.select(algorithms=["A1"])), "at least 2 algorithms"),
        (lambda: nbc.aggregate_runs(of(RUNS.scores * 1e300)), "up to 1e+280 in size"),
    ],
    "histories": [
        (
            lambda: nbc.compare_convergence(LOGS, version="alternative"),
            "`version` must not be 'alternative' here: the optima of the",
        ),
        (
            lambda: nbc.compare_convergence(LOGS, optimum_tolerance=0.1),
            "`optimum_tolerance` must not be 0.1 here: the optima",
        ),
        (
            lambda: nbc.compare_convergence(LOGS, adjust="shaffer"),
            "`adjust` must not be 'shaffer' here: A over B and B over A",
        ),
        (
            lambda: nbc.compare_convergence(LOGS, differences="log"),
            "must not be 'log' here: the optima are not known",
        ),
    ],
    "others": [
        (lambda: nbc.check_conditions(of([[1, 2]])), "one score per algorithm, for which no cond"),
        (lambda: nbc.rank_intervals(of(NOISE[:1])), "at least 2 data sets .* got 1"),
        (lambda: nbc.rank_intervals(of(at(NOISE, 0, 0))), "missing='drop'"),
        (lambda: nbc.sensitivity(of(at(NOISE, 0, 0))), "missing='skillings-mack'"),
        *(
            (lambda asked=asked: asked(of(NOISE), scale="two"), "`scale` must be 'auto', 'one' or")
            for asked in (nbc.compare, nbc.compare_stochastic, nbc.contrast_estimation)
        ),
    ],
}


@pytest.mark.parametrize("room", REFUSED)
def test_what_is_refused_is_said(room):
    for call, said in REFUSED[room]:
        pattern = ".*".join(map(re.escape, said.split(".*")))
        with pytest.raises((ValueError, TypeError), match=pattern):
            call()
