"""A DataBuilder with a project: what is set on its pages is there again when it is opened again."""

from pathlib import Path

import pytest

import nbcompare as nbc
from nbcompare.widgets import _autosave

SCORES = "dataset,size,A,B,C\n" + "".join(
    f"d{row},{100 + 37 * row},{0.6 + row % 5 / 50},{0.7 + row % 3 / 50},{0.8 - row % 7 / 50}\n"
    for row in range(9)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text(SCORES)
    return tmp_path


@pytest.fixture
def open_():
    """Show a builder, and close it in the end."""
    shown = []

    def opened(*arguments, **settings):
        builder = nbc.DataBuilder(*arguments, project="study.nbcompare", **settings)
        builder.open()
        shown.append(builder)
        return builder, builder._live.screen.tabs

    yield opened
    for builder in shown:
        builder.close()


@pytest.mark.slow
def test_pages_come_back_as_they_were_left(folder, open_):
    builder, tabs = open_("scores.csv")
    assert not Path("study.nbcompare").exists()  # nothing is set yet
    builder.ignore = ["size"]
    builder.direction = "maximize"
    builder._live.open()  # which draws it at once
    tabs.select("Comparison")
    tabs.builder("Comparison").control = "B"
    tabs.builder("Comparison").algorithms = ["A", "B"]
    assert tabs.builder("Comparison").result.control == "B"
    tabs.select("Report")
    report = tabs.builder("Report")
    report.title = "My study"
    report.adjust = "hochberg"
    before = {title: tabs.builder(title).settings for title in ("Comparison", "Report")}
    builder.close()
    Path("scores.csv").unlink()

    again, tabs = open_()
    assert (again.direction, again.ignore) == ("maximize", ("size",))
    assert again.experiment.algorithms == ("A", "B", "C")
    assert 'nbc.Experiment.read("scores.csv"' in again.code
    assert tabs.element.titles[tabs.element.index] == "Report"
    assert {title: tabs.builder(title).settings for title in before} == before
    assert tabs.builder("Report").data.algorithms == ("A", "B")
    project = nbc.open_project("study.nbcompare")
    assert project.settings.keys() == before.keys()
    assert project.results["Comparison"].control == "B"


@pytest.mark.slow
async def test_a_change_is_written_once_hands_rest(folder, open_, until, monkeypatch):
    monkeypatch.setattr(_autosave, "_REST", 0.05)
    written = []
    monkeypatch.setattr(nbc.Project, "save", lambda self, path: written.append(self.settings))

    builder, tabs = open_(example="demsar2006")
    tabs.select("Comparison")
    for alpha in (0.1, 0.2, 0.01):
        tabs.builder("Comparison").alpha = alpha
    await until(lambda: written)
    builder.close()
    assert written[0] == {"Comparison": {"alpha": 0.01}}


def test_a_file_that_takes_long_is_written_seldom(folder, open_, monkeypatch):
    builder, _ = open_("scores.csv")
    times = iter(range(0, 100, 3))  # seconds: each writing takes three
    monkeypatch.setattr(_autosave, "monotonic", lambda: next(times))
    builder.direction = "maximize"
    assert builder._autosave.saving.seconds == 30


@pytest.mark.slow
def test_pages_that_were_not_opened_again_are_kept_and_those_of_other_data_go(folder, open_):
    settings = {"Runs": {"coverage": 0.8}, "Comparison": {"alpha": 0.1}}
    experiment = nbc.datasets.load("demsar2006")
    nbc.Project(experiment, settings=settings).save("study.nbcompare")
    builder, tabs = open_()  # there is no page for runs of such data
    tabs.builder("Comparison").alpha = 0.2
    kept = nbc.open_project("study.nbcompare")
    assert kept.settings == {"Runs": {"coverage": 0.8}, "Comparison": {"alpha": 0.2}}
    builder.source = "scores.csv"
    assert "Runs" not in nbc.open_project("study.nbcompare").settings


@pytest.mark.slow
def test_settings_that_are_not_for_the_data_are_said_on_their_page(folder, open_):
    settings = {"Comparison": {"control": "Nobody"}}
    nbc.Project(nbc.datasets.load("demsar2006"), settings=settings).save("study.nbcompare")
    _, tabs = open_()
    compared = tabs.builder("Comparison")
    assert compared.control is None
    (told,) = compared._model.choices.notices
    assert told.startswith("The settings in study.nbcompare are not for these data: `control`")


def test_a_project_that_cannot_be_written_is_said_and_one_that_is_none_is_refused(folder, open_):
    builder, _ = open_("scores.csv", ignore=["size"])
    Path("study.nbcompare").mkdir()
    builder.direction = "maximize"
    assert "The project is not saved" in builder._live.screen.message.value
    Path("study.nbcompare").rmdir()
    builder.direction = "minimize"
    assert nbc.open_project("study.nbcompare").given["experiment"].reading == {
        "direction": "minimize",
        "ignore": ["size"],
    }
    Path("other.nbcompare").write_text("no zip")
    with pytest.raises(ValueError, match="must be a project"):
        nbc.DataBuilder(project="other.nbcompare")
    with pytest.raises(ValueError, match=r"`project` must end in \.nbcompare"):
        nbc.DataBuilder(project="scores.csv")
