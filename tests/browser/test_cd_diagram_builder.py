"""CDDiagramBuilder where it lives: in the pages of JupyterLab and Notebook 7."""

import pytest

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
experiment = nbc.datasets.load("demsar2006")
builder = nbc.CDDiagramBuilder(experiment)
builder"""
PICTURE = ".nbcompare-builder figure svg"
# Everything that the figure has to say
SAID = """figure => figure.textContent
    + [...figure.querySelectorAll('[aria-label]')].map(part => part.getAttribute('aria-label'))"""


def test_cd_diagram_builder(jupyter, open_builder):
    builder = open_builder("cd_diagram.ipynb", MAKE)
    notebook, page, on = builder.notebook, builder.page, builder.on
    picture = on.locator("figure svg").first
    picture.wait_for()
    data = nbc.datasets.load("demsar2006")
    names, options = {}, {}

    def expected(draw=None, **changes):
        """Wait for what the API gives with the changes, the ranks among it."""
        options.update(changes)
        result = nbc.compare(data.select(**names), **options)
        ranks = [f"{rank:.3f}" for rank in result.average_ranks.values()]
        builder.expect(result, draw and draw(result).alt, tabled=ranks)
        return result

    def choose(label, word, *, drawn=True, **changes):
        before = picture.evaluate(SAID)
        builder.choose(label, word)
        expected(**changes)
        if drawn:
            page.wait_for_function(
                f"([where, old]) => ({SAID})(document.querySelector(where)) !== old",
                arg=[PICTURE, before],
            )

    expected()
    assert on.is_visible()
    # the snapshot gives way to the widget
    builder.snapshot.nth(1).wait_for(state="attached")
    builder.snapshot.first.wait_for(state="hidden")

    # every control, and the figure with it
    choose("Ranking", "Quade", ranking="quade")
    # Quade's ranks imply it, so the figure stays
    choose("Pairs", "average ranks", drawn=False, pairs="ranks")
    choose("Adjustment", "Nemenyi", adjust="nemenyi")
    choose("Formulas", "as printed", formulas="printed")
    choose("Control", "C4.5+m", control="C4.5+m", adjust="auto")
    on.locator(".nbcompare-messages").get_by_text(
        "Adjustment is now “auto (as recommended)”, not “Nemenyi”"
    ).wait_for()
    disabled = "Nemenyi, Shaffer and Bergmann–Hommel disabled: such procedures are"
    on.get_by_text(disabled).first.wait_for()
    choose("Missing scores", "leave out the data set", drawn=False, missing="drop")
    builder.fill("Alpha", "0.2")
    expected(alpha=0.2)
    names["datasets"] = data.datasets[:11]
    builder.narrow("Data sets", names["datasets"], shown="14 of 14")
    expected()
    names["algorithms"] = ("C4.5", "C4.5+m", "C4.5+cf")
    builder.narrow("Algorithms", names["algorithms"], shown="4 of 4 (k = 4)")
    expected()
    choose("Figure", "matrix of p-values")
    result = expected(nbc.plots.pvalue_matrix)
    first, second = result.hypotheses.first[-1], result.hypotheses.second[-1]
    builder.field("Pair").select_option(index=len(result.hypotheses) - 1)
    on.get_by_text(f"{first} and {second}: ").wait_for()
    builder.expect_refusal(
        "Alpha", "3", says="“Alpha” must be a number between 0 and 1", keeps="0.2"
    )

    # the code gives the same in a cell of its own
    builder.run_copied()

    # driven from code, the controls follow
    notebook.add_and_run("builder.alpha = 0.125")
    result = expected(alpha=0.125)
    builder.expect_value("Alpha", "0.125")

    # saved figures
    with page.expect_download() as download:
        builder.button("Download pvalue_matrix.svg").click()
    assert download.value.path().read_text().startswith("<?xml")

    # what is left in the file is the last view
    builder.expect_to_stay("CDDiagramBuilder", result, nbc.plots.pvalue_matrix(result).alt)
    assert builder.problems == []
