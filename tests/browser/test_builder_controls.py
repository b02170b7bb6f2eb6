"""Controls of builders by real keys, and without barriers, in JupyterLab and Notebook 7."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import dataclasses
import nbcompare as nbc
experiment = nbc.datasets.load("demsar2006")
domains = ["medicine" if i < 5 else "other <b>fields</b>" for i in range(14)]
experiment = dataclasses.replace(experiment, domains=tuple(domains))
builder = nbc.CDDiagramBuilder(experiment)
builder"""
EVERY = """\
import ipywidgets
import nbcompare as nbc
scores, runs = nbc.datasets.load("demsar2006"), nbc.datasets.load("stochastic_regression")
histories = nbc.datasets.load("convergence_de")
ipywidgets.VBox([
    nbc.CDDiagramBuilder(scores, control="C4.5"), nbc.FuzzyPValueBuilder(runs),
    nbc.PageTrendBuilder(histories, optimum_tolerance=1e-8), nbc.ReportBuilder(scores),
])"""
CELLS = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"
ACTIVE = "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"
FOCUSED = (
    "() => document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"
)
DARK = """() => {
    window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'});
}"""
IS_DARK = "() => document.body.dataset.jpThemeLight === 'false'"


@pytest.mark.parametrize(
    "jupyter", [pytest.param("lab", marks=pytest.mark.weekly), "notebook"], indirect=True
)
def test_everything_by_keys(open_builder):
    builder = open_builder("keys.ipynb", MAKE)
    page, on, keys = builder.page, builder.on, builder.page.keyboard
    data = nbc.datasets.load("demsar2006")
    cells = page.evaluate(CELLS)
    options, names = {}, {}

    def expected(**changes):
        options.update(changes)
        builder.expect(nbc.compare(data.select(**names), **options))

    def button(name):
        return on.get_by_role("button", name=re.compile(name))

    expected()
    # from its top, the whole figure and its first sentence are on the screen
    on.evaluate("root => root.scrollIntoView({block: 'start'})")
    for part in (on.locator("figure").first, on.get_by_text("The null hypothesis that").first):
        box = part.bounding_box()
        assert box["y"] > 0
        assert box["y"] + box["height"] < page.viewport_size["height"]
    # help opens and closes, and the focus stays where it was
    button("^Help: Control$").focus()
    keys.press("Enter")
    help = on.get_by_role("region", name="Help: Control")
    help.get_by_text("Compares every algorithm with every other one.").wait_for()
    assert button("^Help: Control$").get_attribute("aria-expanded") == "true"
    keys.press("Escape")
    help.wait_for(state="hidden")
    assert page.evaluate(FOCUSED) == "Help: Control"

    # the keys of a list, which would move between cells, insert one, and select the notebook
    keys.press("Tab")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    expected(control="C4.5")
    keys.press("b")
    keys.press("Control+a")
    assert page.evaluate(CELLS) == cells
    assert page.evaluate(ACTIVE) == 0
    assert builder.field("Control").evaluate("list => list === document.activeElement")
    keys.press("Home")
    expected(control=None)
    for _ in range(3):  # its help and its slider come before the number
        keys.press("Tab")
    assert page.evaluate("() => document.activeElement.labels[0].textContent") == "Alpha"
    keys.press("ArrowUp")
    expected(alpha=0.06)

    # names to tick
    button("^Algorithms 4 of 4").focus()
    keys.press("Enter")
    keys.press("ArrowDown")
    keys.press("Space")
    names["algorithms"] = ("C4.5", "C4.5+cf", "C4.5+m+cf")
    button(r"^Algorithms 3 of 4 \(k = 3\)").wait_for()
    expected()
    keys.press("End")
    keys.press("Space")
    keys.press("ArrowUp")
    keys.press("Space")
    # one is too few: a sentence, and the result stays
    on.get_by_text("Choose at least two (algorithms).").wait_for()
    names["algorithms"] = ("C4.5", "C4.5+cf")
    expected()
    keys.press("Control+a")
    del names["algorithms"]
    expected()
    keys.press("Escape")
    assert button("^Algorithms 4 of 4").evaluate("it => it === document.activeElement")

    # the other options, which are behind a button that names what was changed
    assert not builder.field("Ranking").is_visible()
    button("^More options$").focus()
    keys.press("Enter")
    builder.field("Ranking").focus()
    keys.press("ArrowDown")
    expected(ranking="friedman")
    button("^Data sets 14 of 14").focus()
    keys.press("Enter")
    box = on.get_by_role("group", name="Data sets", exact=True)
    keys.type("BREAST")
    box.get_by_role("checkbox", name="breast cancer", exact=True).wait_for()
    assert box.get_by_role("checkbox", name="adult (sample)").count() == 0
    box.get_by_role("button", name="Only medicine").press("Enter")
    names["datasets"] = data.datasets[:5]
    expected()
    box.get_by_role("checkbox", name="other <b>fields</b> (9)").press("Space")
    box.get_by_role("checkbox", name="medicine (5)").press("Space")
    names["datasets"] = data.datasets[5:]
    expected()
    box.get_by_role("button", name="Invert").press("Enter")  # of those that are found
    found = [name for name in data.datasets if "breast" in name]
    names["datasets"] = tuple(
        name for i, name in enumerate(data.datasets) if (i >= 5) != (name in found)
    )
    expected()
    keys.press("Escape")
    button("^More options").focus()
    keys.press("Enter")
    changed = f"More options (ranking: Friedman; data sets: {len(names['datasets'])} of 14)"
    on.get_by_role("button", name=changed).wait_for()
    assert not builder.field("Ranking").is_visible()
    on.get_by_text(re.compile("^Changed: ranking: Friedman; ")).wait_for()
    assert page.evaluate(CELLS) == cells

    # run again, the rest is open or closed as it was
    keys.press("Enter")
    builder.field("Ranking").wait_for()
    builder.notebook.run(0)
    on.get_by_role("button", name="More options", exact=True).wait_for()
    builder.field("Ranking").wait_for()
    assert builder.problems == []


def test_builders_without_barriers(open_builder):
    builder = open_builder("barriers.ipynb", EVERY)
    page, on = builder.page, builder.on
    on.nth(3).wait_for()
    for number in range(3):
        on.nth(number).get_by_role("button", name="More options").click()
        on.nth(number).get_by_role("img").or_(on.nth(number).locator("figure")).first.wait_for()
    on.nth(3).get_by_text("nbc.Report(").wait_for()
    on.nth(0).get_by_role("button", name=re.compile("^Data sets ")).click()
    on.nth(0).get_by_role("button", name="None").last.click()

    def barriers():
        found = Axe().run(page, context=".nbcompare-builder").response["violations"]
        return {each["id"]: [node["html"] for node in each["nodes"]] for each in found}

    assert barriers() == {}
    page.evaluate(DARK)
    page.wait_for_function(IS_DARK)
    on.nth(0).get_by_role("button", name="Help: Adjustment").click()
    assert barriers() == {}
    assert builder.problems == []
