"""ReportBuilder where it lives: in a page of JupyterLab."""

from pathlib import Path

import nbformat
import pytest

import nbcompare as nbc
from nbcompare._options import SECTIONS

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
experiment = nbc.datasets.load("demsar2006")
builder = nbc.ReportBuilder(experiment, compare={})
builder"""
SAME = "report.to_notebook() == builder.report.to_notebook()"


def expected():
    """The report that the test puts together by hand."""
    return nbc.Report(
        nbc.datasets.load("demsar2006"),
        title="Four trees",
        authors=["Doe, J.", "R. Roe"],
        abstract="An *abstract*.",
        date="May 2026",
        sections=["comparison", "data"],
        compare={
            "ranking": "quade",
            "control": "C4.5",
            "pairs": "wilcoxon",
            "adjust": "finner",
            "alpha": 0.1,
            "formulas": "printed",
            "missing": "drop",
        },
    )


def test_report_builder(jupyter, open_builder):
    builder = open_builder("report.ipynb", MAKE)
    notebook, page, on = builder.notebook, builder.page, builder.on
    on.get_by_text("nbc.Report(").wait_for()
    builder.snapshot.first.wait_for(state="hidden")

    def write(label, text):
        builder.fill(label, text, end="Tab")

    def press(name):
        """By keyboard."""
        builder.button(name).press("Enter")

    for label, text in (
        ("Title", "Four trees"),
        ("Authors", "Doe, J.; R. Roe"),
        ("Date", "May 2026"),
        ("Abstract", "An *abstract*."),
        ("Alpha", "0.1"),
        ("File", "mine.html"),
    ):
        write(label, text)
    code = on.locator(".nbcompare-code code")
    for label, word, written in (
        ("Ranking", "Quade", '"ranking": "quade"'),
        ("Pairs", "Wilcoxon", '"pairs": "wilcoxon"'),
        ("Control", "C4.5", '"control": "C4.5"'),
        ("Adjustment", "Finner", '"adjust": "finner"'),
        ("Missing scores", "leave out the data set", '"missing": "drop"'),
        ("Formulas", "as printed", '"formulas": "printed"'),
    ):
        builder.choose(label, word)
        code.filter(has_text=written).wait_for()  # one choice may change what others offer
    # with options of its own, a comparison has no sensitivity analysis
    builder.narrow("Sections", [f"{name}: {SECTIONS[name]}" for name in ("comparison", "data")])
    code.filter(has_text='sections=["comparison", "data"]').wait_for()

    # its page, before anything is written
    press("Preview")
    frame = on.frame_locator("iframe")
    frame.locator("em", has_text="abstract").wait_for()
    write("Title", "Five trees")
    on.get_by_text("The preview shows the previous settings").wait_for()
    write("Title", "Four trees")
    on.get_by_text("The preview shows the previous settings").wait_for(state="detached")

    builder.expect_refusal(
        "Alpha", "3", says="“Alpha” must be a number between 0 and 1", keeps="0.1", end="Tab"
    )

    # exported, with the kernel free meanwhile
    builder.narrow("Formats", [".html", ".ipynb"])
    press("Export")
    on.get_by_text("Making the report").wait_for()
    builder.expect_free_kernel()
    notebook.select(0)  # cells far from the active one may be left out of the page
    told = on.get_by_text("Written: ").or_(on.get_by_text("Not exported: "))
    told.wait_for(timeout=240_000)
    assert told.inner_text() == "Written: mine.html, mine.ipynb."
    with page.expect_download() as download:
        press("Download mine.html")
    assert Path(download.value.path()).read_bytes() == (jupyter.files / "mine.html").read_bytes()
    ran = nbformat.read(jupyter.files / "mine.ipynb", as_version=4)
    wanted = expected().to_notebook()
    assert [cell.source for cell in ran.cells] == [cell.source for cell in wanted.cells]
    assert ran.metadata.authors == wanted.metadata.authors
    # the code gives the same report in a cell of its own
    builder.narrow("Formats", [])
    code.filter(has_not_text="export").wait_for()
    builder.run_copied(SAME, by_key=True)
    notebook.select(0)

    # driven from code, the controls follow
    notebook.add_and_run("builder.title = 'Last title'")
    code.filter(has_text="Last title").wait_for()
    builder.expect_value("Title", "Last title")

    last = "Report “Last title”, by Doe, J. and R. Roe."
    notebook.saved_with(lambda text: last in text)
    builder.expect_snapshot("ReportBuilder")
    page.get_by_text(last).wait_for()
    assert builder.problems == []
