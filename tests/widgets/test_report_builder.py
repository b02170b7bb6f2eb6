"""ReportBuilder driven through its traits and its controls, without a page."""

import datetime
import subprocess
import threading
from pathlib import Path

import nbformat
import numpy as np
import pytest
from traitlets import TraitError

import nbcompare as nbc
from nbcompare.report import FORMATS
from nbcompare.widgets import CDDiagramBuilder, _report_model

pytestmark = pytest.mark.slow

ODD = 'it\'s "so": \\$#{}\n\t\u202eß'
TEXT = "## Setting\n\nAll with *default* parameters, $\\alpha$ and `code`."


@pytest.fixture(scope="module")
def histories():
    points = np.linspace(1, 100, 12)
    values = 1 / (1 + np.arange(1, 4)[:, None, None, None] * points) + np.zeros((3, 4, 2, 1))
    rows = [
        {"algorithm": f"A{a}", "problem": f"P{p}", "run": r, "evaluations": e, "value": v}
        for (a, p, r, t), v in np.ndenumerate(values + 0.01 * np.arange(4)[:, None, None])
        for e in [points[t]]
    ]
    import pandas as pd

    names = ("problem", "algorithm", "run", "evaluations", "value")
    return nbc.Histories.from_frame(
        pd.DataFrame(rows), direction="minimize", **{name: name for name in names}
    )


def source(report):
    """The notebook as text."""
    return nbformat.writes(report.to_notebook())


def made_by(code, **names):
    """The report that some code makes, and the files that it would write."""
    written = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nbc.Report, "export", lambda self, *paths: written.extend(paths))
        space = dict(names)
        exec(code, space)
    return space["report"], tuple(written)


# ---------------------------------------------------------------------------------- traits


def test_begins_as_the_report_does(demsar):
    plain = nbc.ReportBuilder(demsar, compare={})
    assert plain.sections == nbc.Report(demsar).sections
    assert source(plain.report) == source(nbc.Report(demsar))
    assert plain.result is plain.report
    # with what is recommended unless options are given
    builder = nbc.ReportBuilder(demsar)
    for name in ("ranking", "pairs", "adjust", "method"):
        assert getattr(builder, name) == "auto"
    assert builder.compare.items() <= {"missing": nbc.recommend(demsar).missing}.items()
    assert source(builder.report) == source(nbc.Report(demsar, compare=builder.compare))


def test_sections_follow_the_options_until_they_are_chosen(demsar, make):
    builder = nbc.ReportBuilder(demsar, compare={})
    builder.control = "C4.5"
    assert builder.sections == nbc.Report(demsar, compare={"control": "C4.5"}).sections
    assert "sections" not in builder.code
    builder.sections = ["data", TEXT, "signs", "comparison", "references"]
    assert builder.report.sections == ("data", "text-1", "signs", "comparison", "references")
    builder.control = None
    assert builder.sections == ("data", TEXT, "comparison", "references")
    assert builder._model.choices.notices == [
        "The section “signs” was removed: it needs a control."
    ]
    builder.sections = None
    builder.experiment = make(8, 2)
    assert "pair" in builder.sections
    assert builder.sections == nbc.Report(builder.experiment).sections


@pytest.mark.parametrize("control", [None, "best"])
def test_options_make_the_bayesian_section_possible(demsar, control):
    builder = nbc.ReportBuilder(demsar, compare={"control": control})
    assert builder._model.why_not("bayesian").startswith("needs `rope`, half the width of")
    with pytest.raises(TraitError, match="section 'bayesian' needs `rope`, half the width of"):
        builder.sections = ["bayesian"]
    builder.bayesian = {"rope": 0.02}
    assert "bayesian" in builder.sections
    compare = {} if control is None else {"control": control}
    expected = nbc.Report(demsar, compare=compare, bayesian={"rope": 0.02})
    assert source(builder.report) == source(expected)
    assert source(made_by(builder.code)[0]) == source(expected)
    again = nbc.ReportBuilder(demsar, **builder.settings)
    assert (again.settings, again.code) == (builder.settings, builder.code)
    builder.bayesian = None
    assert "bayesian" not in builder.sections


def test_each_trait_reaches_the_report(demsar):
    builder = nbc.ReportBuilder(demsar, compare={})
    heard = []
    builder.observe(lambda change: heard.append((change.name, change.new)))
    changes = {
        "title": " Our\ncomparison ",
        "authors": ["J. Doe", "Doe, R."],
        "date": datetime.date(2026, 3, 4),
        "abstract": ODD,
        "control": "C4.5",
        "adjust": ["finner", "hommel"],
        "sections": ["data", TEXT, "comparison", "stochastic", "references"],
        "titles": {"comparison": "Main *results*", "data": None},
        "stochastic": {"procedure": "interval"},
    }
    for name, value in changes.items():
        setattr(builder, name, value)
    assert {name for name, _ in heard} == {*changes, "compare"}
    assert ("compare", {"control": "C4.5", "adjust": ["finner", "hommel"]}) in heard
    expected = nbc.Report(
        demsar,
        title="Our comparison",
        authors=["J. Doe", "Doe, R."],
        date="2026-03-04",
        abstract=ODD,
        sections=["data", TEXT, "comparison", "stochastic", "references"],
        titles={"comparison": "Main *results*"},
        compare={"control": "C4.5", "adjust": ["finner", "hommel"]},
        stochastic={"procedure": "interval"},
    )
    assert source(builder.report) == source(expected)
    again, written = made_by(builder.code, experiment=demsar)
    assert written == builder.paths()
    assert source(again) == source(expected)
    sources = [cell.source for cell in builder.report.to_notebook().cells]
    assert "## Main \\*results\\*" in sources
    assert TEXT in sources


def test_options_of_other_builders(demsar, histories):
    other = CDDiagramBuilder(demsar, control="C4.5", alpha=0.2)
    builder = nbc.ReportBuilder(demsar, compare=other)
    assert source(builder.report) == source(nbc.Report(demsar, compare=other.options))
    other.control = None
    builder.compare = other
    assert builder.control is None
    builder.compare = {"ranking": "quade"}
    assert (builder.ranking, builder.alpha) == ("quade", 0.05)
    # of histories alone there is nothing to compare by ranks
    alone = nbc.ReportBuilder(None, histories, convergence={"cutpoints": 5})
    assert alone.sections == ("findings", "convergence", "histories", "methods")
    with pytest.raises(TraitError, match="the report has no experiment"):
        alone.ranking = "quade"
    expected = nbc.Report(histories=histories, convergence={"cutpoints": 5})
    assert source(alone.report) == source(expected)
    assert source(made_by(alone.code, histories=histories)[0]) == source(expected)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("title", 3, "`title` must be text; got 3."),
        ("authors", 3, "`authors` must be a list of names; got 3."),
        ("sections", "data", "`sections` must be a list of names; got 'data'."),
        ("sections", ["data", "data"], "`sections` must not have a name twice; got 'data' again."),
        ("sections", ["date"], "Did you mean 'data'?"),
        ("sections", ["signs"], "section 'signs' needs a control"),
        ("sections", ["pair"], "section 'pair' compares two algorithms; there are 4."),
        ("sections", ["convergence"], "section 'convergence' needs histories of runs"),
        ("titles", {"signz": "S"}, "Did you mean 'signs'?"),
        ("titles", "data", "`titles` must be a mapping of names to titles; got 'data'."),
        ("compare", {"alfa": 1}, "`compare` has no option 'alfa'; it has 'ranking', "),
        ("compare", 3, "`compare` must be options of compare by name, or a builder of it; got 3."),
        ("compare", {"alpha": 5}, "`alpha` must be a number between 0 and 1, exclusive; got 5."),
        ("stochastic", {"procedure": "x"}, "`procedure` must be 'bootstrap-a', "),
        ("convergence", {"rng": 1}, "`convergence` has no option 'rng'; it has 'cutpoints', "),
        ("stochastic", {"rng": "soon"}, "`rng` must be a whole number of at least 0"),
        ("formats", ["docx"], "`formats` must be '.html', '.ipynb', "),
        ("path", "folder/", "`path` must name a file; got 'folder/'."),
    ],
)
def test_what_the_report_does_not_take_is_refused(demsar, name, value, message):
    builder = nbc.ReportBuilder(demsar, compare={})
    before, code = getattr(builder, name), builder.code
    with pytest.raises(TraitError) as caught:
        setattr(builder, name, value)
    assert message in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert (getattr(builder, name), builder.code) == (before, code)


def test_wrong_data_and_settings(demsar):
    with pytest.raises(ValueError, match=r"`titles` must be 'findings', .* Did you mean 'signs'\?"):
        nbc.Report(demsar, titles={"signz": "S"})
    with pytest.raises(ValueError, match="needs an `experiment`, `histories`, or both"):
        nbc.ReportBuilder()
    with pytest.raises(TypeError, match="`experiment` must be an Experiment; got int"):
        nbc.ReportBuilder(3)
    with pytest.raises(TypeError, match="`histories` must be Histories; got <Exp"):
        nbc.ReportBuilder(demsar, demsar)
    with pytest.raises(TypeError, match="ReportBuilder has no setting 'tittle'; it has 'title'"):
        nbc.ReportBuilder(demsar, tittle="x")
    with pytest.raises(ValueError, match="section 'signs' needs a control"):
        nbc.ReportBuilder(demsar, sections=["signs"])
    builder = nbc.ReportBuilder(demsar, sections=["signs"], control="C4.5")
    assert builder.sections == ("signs",)


def test_a_format_that_cannot_be_had_is_refused_with_the_reason(demsar, monkeypatch):
    monkeypatch.setattr(
        _report_model,
        "unavailable",
        lambda kind: "it needs an extra." if kind == FORMATS[-1] else "",
    )
    builder = nbc.ReportBuilder(demsar)
    with pytest.raises(TraitError, match=r"must not be .* here: it needs an extra\.$"):
        builder.formats = FORMATS
    builder.formats = ["html", ".ipynb"]
    assert builder.formats == FORMATS[:2]
    screen = builder._live.open()
    screen.controls["formats"].arrive({"ticked": [0, len(FORMATS) - 1]})
    assert "must not be" in screen.message.value
    assert "it needs an extra." in screen.message.value
    assert screen.controls["formats"].ticked == [0, 1]


# ------------------------------------------------------------------------------------ code


# -------------------------------------------------------------------------------- controls


# -------------------------------------------------------------------------------- exporting


async def test_a_preview_is_the_page_and_marked_once_settings_are_others(
    demsar, until, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    builder = nbc.ReportBuilder(demsar, compare={}, sections=["data"])
    panel = builder._live.open().export
    panel.preview.click()
    assert (panel.button.is_disabled, panel.preview.is_disabled) == (True, True)
    await until(lambda: not panel.worker.busy)
    assert "<iframe" in panel.page.value
    assert list(tmp_path.iterdir()) == []  # nothing is written to look at it
    assert (panel.files.names, panel.stale.value) == ((), "")
    builder.title = "Another"
    assert "The preview shows the previous settings" in panel.stale.value
    builder.title = None
    assert panel.stale.value == ""
    page = panel.page.value
    monkeypatch.setattr("nbcompare.widgets._report_screen._LARGEST", 10)
    panel.preview.click()
    await until(lambda: not panel.worker.busy)
    assert page != panel.page.value
    assert "too large to show here" in panel.page.value
    panel.button.click()
    panel.progress.button.click()
    await until(lambda: not panel.worker.busy)
    assert panel.told.value == "Cancelled."


@pytest.mark.parametrize(
    ("place", "name", "error"),
    [
        (subprocess, "Popen", BlockingIOError(11, "Resource temporarily unavailable")),
        (threading.Thread, "start", RuntimeError("can't start new thread")),
    ],
)
async def test_without_another_process_the_kernel_exports(
    demsar, tmp_path, monkeypatch, place, name, error
):
    monkeypatch.chdir(tmp_path)

    def refuse(*_, **__):
        raise error

    def export(self, *paths):  # a kernel of its own runs the cells, which has threads
        return tuple(map(Path, paths))

    builder = nbc.ReportBuilder(demsar, compare={})
    panel = builder._live.open().export
    monkeypatch.setattr(nbc.Report, "export", export)
    with monkeypatch.context() as patched:
        patched.setattr(place, name, refuse)
        panel.button.click()
    assert "report.html" in panel.told.value
    assert not panel.worker.busy
    assert not panel.progress.running
    builder.close()


async def test_cancelled_exports_leave_files_as_they_were(demsar, until, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.html").write_text("as it was")
    builder = nbc.ReportBuilder(demsar, compare={})
    panel = builder._live.open().export
    panel.button.click()  # it asks before it replaces a file of others
    assert "report.html is there already." in panel.told.value
    assert not panel.worker.busy
    panel.replace.click()
    process = panel.worker._process
    await until(lambda: panel.progress.bar.value > 0)  # in the middle of it
    panel.progress.button.click()
    await until(lambda: not panel.worker.busy)
    assert process.poll() is not None
    assert panel.told.value == "Cancelled."
    assert (panel.button.is_disabled, panel.progress.running) == (False, False)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text() == "as it was"


async def test_mistakes_of_an_export_are_sentences(demsar, until, drawn, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    builder = nbc.ReportBuilder(demsar, path="no/such/report", formats=[])
    screen = builder._live.open()
    screen.export.button.click()
    assert "Not exported: Tick at least one format." in screen.message.value
    builder.formats = ["ipynb"]
    screen.export.button.click()
    assert not screen.export.worker.busy
    assert "Not exported: cannot write no/such/report.ipynb: there is no folder" in (
        screen.message.value
    )
    assert screen.export.told.value == ""
    # what only the analysis knows, the other process says
    builder.path, builder.sections = "report", ["stochastic"]
    builder.stochastic = {"procedure": "bootstrap-a", "encoding": "central"}
    await drawn(builder)
    screen.export.button.click()
    await until(lambda: not screen.export.worker.busy)
    assert "Not exported: `encoding` must not be" in screen.message.value
    assert list(tmp_path.iterdir()) == []


# --------------------------------------------------------------------------------- display


def test_what_stays_in_the_cell(demsar):
    builder = nbc.ReportBuilder(
        demsar, title="T <i>", authors=["A & B"], titles={"data": "All\\scores_"}, compare={}
    )
    screen = builder._live.open()
    (data, metadata), (second, _) = builder._live.bundles(screen)
    assert "nbcompare-snapshot" in metadata
    assert (
        "Report “T &lt;i&gt;”, by A &amp; B. It is computed when it is exported."
        in (data["text/html"])
    )
    assert "report = nbc.Report(" in data["text/plain"]
    assert [line.split()[1] for line in data["text/plain"].splitlines()[4:9]] == [*builder.sections]
    assert data["text/html"].startswith('<div class="nbcompare-snapshot')
    assert second["text/plain"].strip() == ""
