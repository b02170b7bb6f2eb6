"""ReportBuilder where it lives: in the pages of JupyterLab and Notebook 7."""

import nbformat
import pytest

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
experiment = nbc.datasets.load("demsar2006")
builder = nbc.ReportBuilder(experiment, compare={})
builder"""
BUILDER = ".nbcompare-builder"
OWN = "## Setting\n\nDefault parameters."
SAME = "print(report.to_notebook() == builder.report.to_notebook())"


def expected():
    """The report that the test puts together by hand."""
    return nbc.Report(
        nbc.datasets.load("demsar2006"),
        title="Four trees",
        authors=["Doe, J.", "R. Roe"],
        abstract="An *abstract*.",
        date="May 2026",
        sections=["comparison", "data", OWN],
        titles={"comparison": "Main results"},
        compare={
            "ranking": "quade",
            "pairs": "wilcoxon",
            "control": "C4.5",
            "adjust": "finner",
            "alpha": 0.1,
            "missing": "drop",
            "formulas": "printed",
        },
    )


def test_report_builder(jupyter, open_notebook):
    page = open_notebook("builder.ipynb", MAKE)
    page.run(0)
    on = page.page.locator(BUILDER).first
    outline = on.get_by_role("region", name="Outline of the report")
    outline.get_by_text("Which tests suit the data?").wait_for()
    assert not page.page.locator(".nbcompare-snapshot").first.is_visible()

    def write(label, text):
        on.get_by_label(label, exact=True).fill(text)
        on.get_by_label(label, exact=True).press("Tab")

    def choose_section(place):
        """When the list has come to rest: new options and the selection are two messages."""
        page.page.wait_for_timeout(500)
        sections.select_option(index=place)

    def press(name):
        """By keyboard."""
        on.get_by_role("button", name=name, exact=True).press("Enter")

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
        ("Ranking", "quade", '"ranking": "quade"'),
        ("Pairs", "Wilcoxon", '"pairs": "wilcoxon"'),
        ("Control", "C4.5", '"control": "C4.5"'),
        ("Adjustment", "Finner", '"adjust": "finner"'),
        ("Missing scores", "leave out the data set", '"missing": "drop"'),
        ("Formulas", "as printed", '"formulas": "printed"'),
    ):
        page.choose(on, label, word)
        code.filter(has_text=written).wait_for()  # one choice may change what others offer
    # a control makes another section suit
    sections = on.get_by_label("Sections", exact=True)
    sections.locator("option", has_text="signs").wait_for(state="attached")

    # up by keyboard, twice and once more; the section stays selected
    choose_section(3)
    for place in (2, 1, 0):
        press("Up")
        page.page.wait_for_function(
            "([list, place]) => list.selectedIndex === place",
            arg=[sections.element_handle(), place],
        )
    write("Title of the section", "Main results")
    sections.locator("option", has_text="1. comparison: “Main results”").wait_for(state="attached")
    choose_section(2)
    for left in (6, 5, 4, 3, 2):
        press("Remove")
        page.page.wait_for_function(
            "([list, left]) => list.options.length === left", arg=[sections.element_handle(), left]
        )
    page.choose(on, "Another section", "text of your own")
    press("Add")
    text = on.get_by_label("Text (Markdown)", exact=True)
    page.page.wait_for_function(
        "(text) => text.value.startsWith('## Heading')", arg=text.element_handle()
    )
    write("Text (Markdown)", OWN)
    outline.get_by_text("Default parameters.").wait_for()
    outline.get_by_text("Main results").wait_for()
    outline.locator("em", has_text="abstract").wait_for()

    # a mistake is a sentence, and the old value stays
    write("Alpha", "3")
    on.get_by_text("`alpha` must be a number between 0 and 1").wait_for()
    assert on.get_by_label("Alpha", exact=True).input_value() == "0.1"

    # exported, with the kernel free meanwhile
    on.get_by_label(".ipynb", exact=True).check()
    press("Export")
    on.get_by_text("Writing the report").wait_for()
    assert page.text_of(page.add_and_run("print(6 * 7)")) == "42\n"
    page.select(0)  # cells far from the active one may be left out of the page
    told = on.get_by_text("Written: ").or_(on.get_by_text("Not exported: "))
    told.wait_for(timeout=60_000)
    assert told.inner_text() == "Written: mine.html, mine.ipynb."
    ran = nbformat.read(jupyter.files / "mine.ipynb", as_version=4)
    wanted = expected().to_notebook()
    assert [cell.source for cell in ran.cells] == [cell.source for cell in wanted.cells]
    assert ran.metadata.authors == wanted.metadata.authors
    press("Preview")
    frame = page.page.frame_locator(f"{BUILDER} iframe")
    frame.get_by_role("heading", name="Main results").wait_for()

    # the code gives the same report in a cell of its own
    on.get_by_label(".html", exact=True).uncheck()
    on.get_by_label(".ipynb", exact=True).uncheck()
    code.filter(has_not_text="export").wait_for()
    press("Copy code")
    on.get_by_role("button", name="Copied").wait_for()
    copied = page.page.evaluate("() => navigator.clipboard.readText()")
    assert page.text_of(page.add_and_run(f"{copied}\n{SAME}")).startswith("True")
    page.select(0)

    # driven from code, the controls follow
    page.add_and_run("builder.title = 'Last title'")
    outline.get_by_text("Last title").wait_for()
    assert on.get_by_label("Title", exact=True).input_value() == "Last title"

    # reloaded without its kernel, the snapshot stands in the place of the widget
    last = "Report “Last title”, by Doe, J. and R. Roe, with 3 sections."
    page.saved_with(lambda text: last in text)
    page.reload(kernel=False)
    page.page.locator(".nbcompare-snapshot").first.wait_for()
    assert page.page.locator(BUILDER).count() == 0
    assert page.page.get_by_text(last).is_visible()
    assert page.page.get_by_text("As ReportBuilder last stood").is_visible()
    for broken in page.page.get_by_text("Error displaying widget").all():
        assert not broken.is_visible()
    assert page.problems == []
