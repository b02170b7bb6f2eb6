"""The experiments with runs: complete, and made again by their makers, cell by cell."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from bundled import make_stochastic_cv, make_stochastic_regression
from bundled import study as making

from nbcompare import Experiment, datasets

PROGRAMS = Path(making.__file__).parents[1]

STUDIES = {
    "stochastic_cv": make_stochastic_cv.study,
    "stochastic_regression": make_stochastic_regression.study,
}


@pytest.fixture(scope="module", params=STUDIES)
def bundled(request):
    return datasets.load(request.param), STUDIES[request.param]()


def excess(experiment, dataset, algorithm):
    """Errors above the median of their fold, all folds together."""
    scores = experiment.scores[
        experiment.datasets.index(dataset), experiment.algorithms.index(algorithm)
    ]
    return (scores - np.nanmedian(scores, axis=1, keepdims=True)).ravel()


def has_valley(above):
    """Bimodal: a band of excess errors that is a valley between two groups of runs.

    Up to 0.1 above the median of its fold a run is typical, from 0.2 it is trapped; between
    them are less than half as many runs as in the smaller of the two groups.
    """
    typical, between, trapped = np.histogram(above, [-1, 0.1, 0.2, 1])[0]
    return 2 * between < min(typical, trapped)


def stored(experiment, dataset, algorithm, fold, run):
    return experiment.scores[
        experiment.datasets.index(dataset),
        experiment.algorithms.index(algorithm),
        fold - 1,
        run - 1,
    ]


def test_every_cell_of_the_study_is_there_and_no_other(bundled):
    experiment, study = bundled
    assert experiment.datasets == tuple(study.problems)
    assert experiment.algorithms == tuple(study.learners)
    assert experiment.folds == tuple(map(str, range(1, 11)))
    runs = (~np.isnan(experiment.scores)).sum(axis=3)
    expected = [learner.n_runs for learner in study.learners.values()]
    assert (runs == np.array(expected)[:, np.newaxis]).all()
    assert runs.sum() == len(study.cells) == len(set(study.cells))
    assert set(expected) == {1, 30}


def test_deterministic_algorithms_have_one_run():
    for name, expected in {
        "stochastic_cv": {"LDA", "5-NN"},
        "stochastic_regression": {"linear", "quadratic"},
    }.items():
        experiment = datasets.load(name)
        single = np.isnan(experiment.scores[..., 1:]).all(axis=(0, 2, 3))
        assert {a for a, one in zip(experiment.algorithms, single, strict=True) if one} == expected


@pytest.mark.parametrize(
    "cell",
    [
        ("iris", "LDA", 2, 1),
        ("digits (first 500)", "LDA", 10, 1),
        ("breast cancer", "5-NN", 7, 1),
        ("generated: two Gaussians", "LDA", 1, 1),
        ("generated: exclusive or", "5-NN", 5, 1),
        ("diabetes", "linear", 3, 1),
        ("generated: Friedman #2", "quadratic", 10, 1),
        ("generated: Friedman #3", "quadratic", 1, 1),
    ],
    ids=str,
)
def test_a_deterministic_cell_is_made_again(cell):
    name = next(name for name, make in STUDIES.items() if cell[0] in make().problems)
    study = STUDIES[name]()
    made = float(study.text(study.score(*cell)))
    assert made == pytest.approx(stored(datasets.load(name), *cell), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "cell",
    [
        ("wine", "neural network", 10, 30),
        ("generated: circles", "neural network", 3, 17),
        ("generated: nested shells", "neural network", 1, 1),
        ("generated: madelon-like", "random forest", 4, 8),
        ("breast cancer", "random tree", 9, 29),
        ("generated: Friedman #1", "neural network", 6, 2),
        ("diabetes", "neural network", 1, 30),
    ],
    ids=str,
)
def test_a_stochastic_cell_is_made_again(cell):
    name = next(name for name, make in STUDIES.items() if cell[0] in make().problems)
    study, experiment = STUDIES[name](), datasets.load(name)
    made = float(study.text(study.score(*cell)))
    if making.require_sklearn() == making.MADE_WITH:
        assert made == pytest.approx(stored(experiment, *cell), rel=1e-4)
    dataset, algorithm = experiment.datasets.index(cell[0]), experiment.algorithms.index(cell[1])
    others = experiment.scores[dataset, algorithm]
    assert others.min() <= made <= others.max()


def test_the_network_is_bimodal_where_it_is_trapped():
    experiment = datasets.load("stochastic_cv")
    bimodal = {
        (dataset, algorithm)
        for dataset in experiment.datasets
        for algorithm in experiment.algorithms[:3]
        if has_valley(excess(experiment, dataset, algorithm))
    }
    assert bimodal == {("generated: circles", "neural network")}
    for dataset, least in {"generated: circles": 0.1, "generated: exclusive or": 0.15}.items():
        trapped = np.mean(excess(experiment, dataset, "neural network") > 0.1)
        assert least < trapped < 0.25
        assert np.mean(excess(experiment, dataset, "random forest") > 0.1) == 0


def test_means_and_typical_errors_disagree_on_circles():
    """As in Figure 1 of Otero et al. (2013): worse on average, better as a rule."""
    experiment = datasets.load("stochastic_cv").select(
        datasets=["generated: circles"], algorithms=["neural network", "random forest"]
    )
    network, forest = experiment.scores[0]
    assert network.mean() > 1.5 * forest.mean()
    assert np.median(network, axis=1).mean() < 0.5 * np.median(forest, axis=1).mean()


@pytest.mark.weekly
@pytest.mark.parametrize("make", STUDIES.values(), ids=STUDIES)
def test_a_maker_writes_what_experiment_reads(make, tmp_path):
    whole = make()
    names = list(whole.learners)
    study = making.Study(
        problems=dict([next(iter(whole.problems.items()))]),
        learners={
            names[0]: making.Learner(whole.learners[names[0]].make, n_runs=2),
            names[-1]: whole.learners[names[-1]],
        },
        loss=whole.loss,
        text=whole.text,
        stratified=whole.stratified,
    )
    path = tmp_path / "scores.csv"
    making.write(study, path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    experiment = Experiment.read(path, direction="minimize")
    assert experiment.scores.shape == (1, 2, 10, 2)
    for cell in study.cells[:3]:
        assert stored(experiment, *cell) == float(study.text(study.score(*cell)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "maker", ["make_stochastic_cv", "make_stochastic_regression", "make_convergence_de"]
)
def test_a_maker_is_a_command_and_is_light_to_load(maker):
    code = (
        f"import sys, bundled.{maker}; "
        "sys.exit(any(m.partition('.')[0] == 'sklearn' for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=PROGRAMS, check=False).returncode == 0
    done = subprocess.run(
        [sys.executable, "-m", f"bundled.{maker}", "no/such/folder/scores.csv"],
        cwd=PROGRAMS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "there is no folder 'no/such/folder'" in done.stderr
