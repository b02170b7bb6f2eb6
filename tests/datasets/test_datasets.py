import re

import numpy as np
import pytest

from nbcompare import datasets


@pytest.mark.parametrize(
    ("name", "shape", "direction", "measure"),
    [
        ("demsar2006", (14, 4), "maximize", "AUC"),
        ("demsar2006_ranks", (14, 4), "minimize", "rank"),
        ("otero2013_auc", (40, 5), "maximize", "AUC"),
        ("otero2013_simulated", (32, 5), "minimize", "error"),
        ("stochastic_cv", (10, 5), "minimize", "error"),
        ("stochastic_regression", (4, 3), "minimize", "mean squared error"),
    ],
)
def test_every_bundled_table(name, shape, direction, measure):
    experiment = datasets.load(name)
    assert experiment.mean_scores.shape == shape
    assert (experiment.direction, experiment.measure) == (direction, measure)
    assert np.isfinite(experiment.mean_scores).all()
    assert experiment.citation
    assert re.search(r"\((2006|2013)\)\. |^Made by .*scikit-learn \d", experiment.citation)
    assert name in datasets.names()


def test_every_name_is_tested_and_documented():
    assert datasets.names() == (
        "demsar2006",
        "demsar2006_ranks",
        "otero2013_auc",
        "otero2013_simulated",
        "stochastic_cv",
        "stochastic_regression",
        "convergence_de",
    )
    assert datasets.names("experiment") + datasets.names("histories") == datasets.names()
    assert all(f"``{name}``" in str(datasets.load.__doc__) for name in datasets.names())


def test_known_cells():
    frame = datasets.load("demsar2006").to_frame()
    assert frame.loc["adult (sample)"].tolist() == [0.763, 0.768, 0.771, 0.798]
    assert frame.loc["voting"].tolist() == [0.972, 0.981, 0.975, 0.975]
    ranks = datasets.load("demsar2006_ranks").to_frame()
    assert ranks.loc["adult (sample)"].tolist() == [4, 3, 2, 1]
    assert (ranks.sum(axis=1) == 10).all()


def test_unknown_name():
    message = (
        "`name` must be 'demsar2006', 'demsar2006_ranks', 'otero2013_auc', "
        "'otero2013_simulated', 'stochastic_cv', 'stochastic_regression' or 'convergence_de'; "
        "got 'demsar'. Did you mean 'demsar2006'?"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        datasets.load("demsar")


def test_an_experiment_is_not_a_history():
    message = (
        "`name` must name an experiment, a table of scores; 'convergence_de' holds histories of "
        "optimisers. Experiments are 'demsar2006', 'demsar2006_ranks', 'otero2013_auc', "
        "'otero2013_simulated', 'stochastic_cv' and 'stochastic_regression'."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        datasets.load_experiment("convergence_de")
    with pytest.raises(ValueError, match=r"^`kind` must be 'experiment' or 'histories'; got 'x'"):
        datasets.names("x")
