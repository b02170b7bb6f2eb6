"""A study of simulated experiments has no place in a report, which recomputes its results."""

import pytest

import nbcompare as nbc
from nbcompare.report.collect import data_in, report_of, results_in

DATA = nbc.datasets.load("demsar2006")


@pytest.fixture(scope="module")
def study():
    model = nbc.study.BinomialErrors(n_datasets=8, n_runs=2)
    return nbc.study.run(model, [nbc.study.CompareDesign()], effects=[0.1], repetitions=2)


def test_a_notebook_with_a_study_is_reported_without_it(study):
    names = {"data": DATA, "comparison": nbc.compare(DATA), "power": study}
    found = results_in(names, unnamed=[study])
    assert list(found) == ["comparison"]
    assert "comparison" in report_of(found, data_in(names)).sections


def test_a_study_that_is_named_is_refused(study):
    with pytest.raises(ValueError, match="'power' cannot be reported, because its exp"):
        report_of({"power": study}, {"data": DATA})
