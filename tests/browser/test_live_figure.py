"""The figure of a builder in JupyterLab: what real hands come to by it."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect as eventually

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
experiment = nbc.datasets.load("demsar2006")
builder = nbc.CDDiagramBuilder(experiment)
builder"""
FIGURE = ".nbcompare-live svg.nbf"
ACTIVE = "document.activeElement"
# Notes of every frame whether there is a figure, and how high it is
WATCH = """(figure) => {
    window.seen = [];
    const look = () => {
        const there = document.querySelector(figure);
        window.seen.push(there ? Math.round(there.getBoundingClientRect().height) : null);
        window.watching = requestAnimationFrame(look);
    };
    look();
}"""


def barriers(page, within):
    found = Axe().run(page, context=within).response["violations"]
    return {one["id"]: [node["html"] for node in one["nodes"]] for one in found}


def test_live_figure(jupyter, open_builder):
    builder = open_builder("live_figure.ipynb", MAKE)
    notebook, page, on = builder.notebook, builder.page, builder.on
    data = nbc.datasets.load("demsar2006")
    result = nbc.compare(data)
    tip, menu = page.locator(".figure-tip:visible"), on.get_by_role("menu")

    def written(name):
        return on.locator(f"{FIGURE} .m text", has_text=re.compile(rf"^{re.escape(name)}( |$)"))

    def item(label):
        return menu.get_by_role("menuitem", name=label, exact=True)

    def active(what="outerHTML"):
        return page.evaluate(f"{ACTIVE}.{what}")

    def label():
        return page.evaluate(f"{ACTIVE}.getAttribute('aria-label')")

    def answer(source):
        return notebook.text_of(notebook.add_and_run(f"print({source})")).strip()

    builder.expect(result, nbc.plots.cd_diagram(result).alt)
    assert on.locator("figure img").count() == 0

    # the mouse: what a part says, and where else its algorithm is
    best, second = result.ordered[:2]
    written(best).hover()
    told = f"{best}: average rank {result.average_ranks[best]:.2f}"
    eventually(tip).to_have_text(re.compile(f"^{re.escape(told)}"))
    on.locator(".nbcompare-tables tr.nbcompare-lit", has_text=best).first.wait_for()
    on.locator(".nbcompare-tables tbody tr", has=page.get_by_text(second, exact=True)).first.hover()
    on.locator(
        f"{FIGURE} .m.lit text", has_text=re.compile(rf"^{re.escape(second)}( |$)")
    ).wait_for()
    tip.wait_for(state="hidden")

    # an algorithm becomes the control: by mouse, in figure, controls and code alike
    written(best).click()
    page.evaluate(WATCH, FIGURE)
    item("Make it the control").click()
    result = nbc.compare(data, control=best)
    builder.expect(result, nbc.plots.cd_diagram(result).alt)
    eventually(builder.field("Control").locator("option:checked")).to_have_text(best)
    on.locator("code", has_text=f'control="{best}"').wait_for()
    # one figure gave way to the other without a moment between them
    heights = page.evaluate("cancelAnimationFrame(window.watching) ?? window.seen")
    assert None not in heights
    assert 1 <= len(set(heights)) <= 2
    focused = on.locator(f"{FIGURE} .m:focus")  # and the focus is where it was
    eventually(focused).to_have_attribute("aria-label", re.compile(f"^{re.escape(best)}: "))

    # the keyboard alone: into the figure, along its parts, through a menu and back out
    on.locator(f"{FIGURE} .m[tabindex='0']").first.focus()
    page.keyboard.press("Home")
    seen = [label()]
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "End"):
        page.keyboard.press(key)
        seen.append(label())
        assert tip.inner_text() == seen[-1]
    assert len(set(seen)) > 2
    on.locator(f"{FIGURE} .m[aria-label^='{second}: ']").focus()
    page.keyboard.press("Space")
    item("Leave it out").wait_for()
    page.keyboard.press("Escape")
    menu.wait_for(state="detached")
    assert label().startswith(f"{second}: ")
    page.keyboard.press("Enter")
    assert item("Make it the control").evaluate(f"item => item === {ACTIVE}")
    page.keyboard.press("ArrowDown")
    assert active("textContent") == f"Show its comparison with {best}"
    page.keyboard.press("Enter")
    on.get_by_text(f"{best} and {second}: ").wait_for()
    chosen = on.locator(".nbcompare-tables tr.nbcompare-chosen")
    chosen.wait_for()
    for name in (best, second):
        eventually(chosen).to_contain_text(name)
    # JupyterLab and Notebook have taken none of these keys
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex") == 0
    assert answer("builder.pair, builder.control") == f"{(best, second)} {best}"
    written(f"{best} (control)").click()
    item("Compare all pairs again").click()
    result = nbc.compare(data)
    builder.expect(result)

    # a cell of a matrix is a pair
    builder.choose("Figure", "matrix of p-values")
    matrix = nbc.plots.pvalue_matrix(result)
    builder.expect(result, matrix.alt)
    worst = result.ordered[-1]
    cell = on.locator(f"{FIGURE} .m[aria-label^='{best} – {worst}:']")
    cell.hover(force=True)
    said = re.compile(r"adjusted p = .*; W/T/L \d+/\d+/\d+; average ranks")
    eventually(tip).to_have_text(said)
    box = cell.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    on.get_by_text(
        re.compile(
            f"{re.escape(best)} and {re.escape(worst)}: |{re.escape(worst)} and {re.escape(best)}: "
        )
    ).wait_for()
    page.locator(f"{FIGURE} .m.chosen").first.wait_for()
    eventually(cell).to_have_attribute("aria-current", "true")
    assert set(eval(answer("builder.pair"))) == {best, worst}

    # leaving an algorithm out
    written(worst).first.click()
    item("Leave it out").click()
    names = [name for name in data.algorithms if name != worst]
    builder.expect(nbc.compare(data.select(algorithms=names)))

    # light and dark, without barriers in either, the menu open
    for theme, is_dark in (("JupyterLab Light", False), ("JupyterLab Dark", True)):
        notebook.command("apputils:change-theme", theme=theme)
        page.wait_for_function(
            f"document.body.dataset.jpThemeLight === '{str(not is_dark).lower()}'"
        )
        page.wait_for_function(
            f"document.querySelector('.nbcompare-builder.nbcompare-dark') !== null === "
            f"{str(is_dark).lower()}"
        )
        # the drawing is turned light on dark as a whole
        filtered = page.locator(FIGURE).first.evaluate("svg => getComputedStyle(svg).filter")
        assert ("invert" in filtered) == is_dark
        written(best).first.click()
        item("Leave it out").wait_for()
        assert barriers(page, ".nbcompare-live") == {}
        assert barriers(page, ".nbcompare-menu") == {}
        page.keyboard.press("Escape")
    assert builder.problems == []
