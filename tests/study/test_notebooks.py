"""The notebooks of the papers' simulations: what is saved in them is what the studies give."""

import json
from pathlib import Path

import nbformat
import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import study

FOLDER = Path(__file__).parents[2] / "notebooks"
TYPE = "application/vnd.nbcompare.v1+json"
NAMES = ["08_power_2013", "09_crossvalidation_2006"]


def saved(name):
    path = FOLDER / f"{name}.ipynb"
    if not path.is_file():
        pytest.skip("the notebooks are in the checkout only")
    return nbformat.read(path, as_version=4)


def cell(notebook, name):
    return next(one for one in notebook.cells if one.id == name)


def result_of(notebook, name):
    """Return the result that a cell shows."""
    (output,) = cell(notebook, name).outputs
    return nbc.results.from_json(json.dumps(output["data"][TYPE]["result"]))


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_at_the_top_is_the_computed_one(name):
    notebook = saved(name)
    (output,) = cell(notebook, "summary-code").outputs
    assert cell(notebook, "answer").source == output["data"]["text/markdown"]
    assert "REPETITIONS" in cell(notebook, "import").source


@pytest.mark.parametrize("name", NAMES)
def test_notebooks_are_saved_without_traces_of_their_run(name):
    notebook = saved(name)
    assert "widgets" not in notebook.metadata
    for one in notebook.cells:
        assert not one.metadata
        for output in one.get("outputs", ()):
            assert output.output_type != "error"
            assert output.get("name") != "stderr"
            assert not any("widget-view" in kind for kind in output.get("data", ()))


@pytest.mark.weekly
def test_table_2_of_2013_is_computed_again():
    found = result_of(saved("08_power_2013"), "result-code")
    assert found.repetitions == 100
    assert found.effects.tolist() == list(study.EFFECTS_2013)
    assert list(found.designs) == [design.name for design in study.PAPER_2013]
    again = study.run(study.BinomialErrors(), study.FRIEDMAN_WILCOXON, effects=study.EFFECTS_2013)
    # the notebook may have been computed by an earlier version
    stored = found.select(again.designs).to_json()
    assert stored.replace(found.design.version, nbc.__version__) == again.to_json()


@pytest.mark.slow
def test_2n_draws_are_computed_again():
    found = result_of(saved("09_crossvalidation_2006"), "double-result-code")
    again = study.run(
        study.TwoGaussians(),
        {
            "n draws": study.FoldsDesign(test="permutation"),
            "2n draws": study.FoldsDesign(test="permutation", formulas="printed"),
        },
        effects=study.PROBLEMS.values(),
        repetitions=found.repetitions,
    )
    assert np.array_equal(found.counts, again.counts)
    # the level is 0.05: 2n draws exceed it in each problem, n draws in none beyond chance
    error = found.pair_shares["wrong"]
    once, twice = error.lower[:, 0, 2], error.lower[:, 1, 2]
    assert (once <= 0.05).all()
    assert (twice > 0.05).all()
