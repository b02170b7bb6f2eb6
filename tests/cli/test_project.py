"""``nbcompare report study.nbcompare``: what the pages of a project say is what is told."""

from pathlib import Path

import nbformat
import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.widgets.project_report import report_of


@pytest.fixture
def experiment():
    return nbc.datasets.load_experiment("demsar2006")


@pytest.mark.slow
def test_the_report_has_the_data_and_the_settings_of_the_project(
    experiment, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    compared = nbc.CDDiagramBuilder(experiment, algorithms=experiment.algorithms[:3])
    report = nbc.ReportBuilder(compared.selection, title="My study", adjust="hochberg")
    settings = {"Comparison": compared.settings, "Report": report.settings}
    nbc.Project(experiment, settings=settings).save("study.nbcompare")
    assert main(["report", "study.nbcompare", "-o", "out.ipynb"]) == 0
    assert capsys.readouterr().out == "out.ipynb\n"
    notebook = nbformat.read("out.ipynb", as_version=4)
    expected = report.report.to_notebook(tmp_path)
    assert notebook.metadata.title == "My study"
    assert [cell.source for cell in notebook.cells] == [cell.source for cell in expected.cells]


@pytest.mark.slow
def test_a_report_that_nobody_opened_has_the_options_of_the_comparison(experiment, tmp_path):
    settings = {"Comparison": {"control": "C4.5"}}
    project = nbc.Project(experiment, settings=settings)
    assert report_of(project).compare == {"control": "C4.5"}


def test_what_does_not_go_with_a_project_is_said(experiment, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    nbc.Project(experiment, settings={"Report": {"colour": 1}}).save("study.nbcompare")
    with pytest.raises(SystemExit):
        main(["report", "study.nbcompare", "-o", "a.html", "--alpha", "0.1"])
    said = capsys.readouterr().err
    assert "--alpha is for a table; the settings of a project are in its file." in said
    assert main(["report", "study.nbcompare", "-o", "a.html"]) == 1
    assert "study.nbcompare cannot be read: ReportBuilder has no setting" in capsys.readouterr().err
    Path("study.nbcompare").write_text("no zip")
    assert main(["report", "study.nbcompare", "-o", "a.html"]) == 1
    assert "study.nbcompare must be a project of nbcompare" in capsys.readouterr().err
    assert not Path("a.html").exists()
