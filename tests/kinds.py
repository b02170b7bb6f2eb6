"""One result of every class, with names of algorithms that are hard to show."""

import numpy as np

import nbcompare as nbc

NAMES = (
    r"C4.5_m & 100% $x^2$ \input{x}",
    "<script>alert(1)</script>",
    "#let x = 1; *_",
    "naïve ~^{}",
)


def experiment():
    scores = np.random.default_rng(0).normal(size=(12, 4)) + np.linspace(0, 1, 4)
    return nbc.Experiment.from_array(scores, direction="minimize", algorithms=NAMES)


def on(*shape, **options):
    scores = np.random.default_rng(0).random(shape)
    return nbc.Experiment.from_array(scores, direction="maximize", algorithms=NAMES, **options)


def folds():
    one = [0.12, 0.10, 0.15, 0.11, 0.14, 0.09, 0.13, 0.12, 0.10, 0.16]
    two = [0.15, 0.13, 0.15, 0.15, 0.16, 0.13, 0.14, 0.17, 0.12, 0.17]
    return nbc.compare_cv(one, two, direction="minimize", names=NAMES[:2])


def logs():
    data = nbc.datasets.load("convergence_de")
    return data.select(problems=data.problems[:6])


def runs():
    return nbc.datasets.load("stochastic_cv")


def groups():
    return dict(zip(experiment().datasets, ("odd", "even") * 6, strict=True))


MADE = {
    "BayesianComparison": lambda: nbc.compare_bayesian(experiment(), rope=0.1),
    "Comparison": lambda: nbc.compare(experiment(), adjust=["holm", "nemenyi"]),
    "Conditions": lambda: nbc.check_conditions(experiment()),
    "GroupedComparison": lambda: nbc.compare_by(experiment(), by=groups()),
    "Description": lambda: nbc.describe(experiment()),
    "RankIntervals": lambda: nbc.rank_intervals(experiment()),
    "Contrast": lambda: nbc.contrast_estimation(experiment()),
    "ConvergenceComparison": lambda: nbc.compare_convergence(logs(), optimum_tolerance=1e-8),
    "FixedTargets": lambda: nbc.fixed_targets(logs(), precisions=[1, 1e-8]),
    "CrossValidation": folds,
    "CrossValidationComparison": lambda: nbc.compare_cv(on(1, 4, 8)),
    "ItemComparison": lambda: nbc.compare_items(on(9, 4, unit="items")),
    "RunComparison": lambda: nbc.compare_runs(on(9, 4, unit="runs")),
    "MultipleSigns": lambda: nbc.multiple_sign_test(experiment(), NAMES[0]),
    "PairComparison": lambda: nbc.compare_pair(experiment(), *NAMES[:2]),
    "Plan": lambda: nbc.plan(experiment(), largest=12),
    "PowerStudy": lambda: nbc.study.run(
        nbc.study.BinomialErrors(algorithms=NAMES, deterministic=(), n_datasets=8, n_runs=2),
        {NAMES[0]: nbc.study.CompareDesign(omnibus="friedman")},
        effects=[0, 0.1],
        repetitions=3,
    ),
    "Recommendation": lambda: nbc.recommend(experiment()),
    "RunAggregates": lambda: nbc.aggregate_runs(runs()),
    "Sensitivity": lambda: nbc.sensitivity(experiment()),
    "StochasticComparison": lambda: nbc.compare_stochastic(runs(), procedure="fuzzy"),
}
