"""What a builder and the page around it have to do with each other."""

import pytest

pytestmark = pytest.mark.browser

MAKE = """\
import ipywidgets as ipw
import nbcompare as nbc
builder = nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"))
builder"""
COUNT = "len(ipw.widgets.widget._instances)"
CELLS = """() => {
    const cells = window.jupyterapp.shell.currentWidget.content;
    return [cells.widgets.length, cells.activeCellIndex, String(window.getSelection())];
}"""
RUNS = """(runs) => {
    const cell = window.jupyterapp.shell.currentWidget.content.widgets[0].model;
    return cell.executionCount >= runs && document.querySelectorAll('%s').length === 1;
}"""
BUILDER = ".nbcompare-builder"


def test_a_builder_and_its_page(open_builder):
    builder = open_builder("page.ipynb", MAKE)
    notebook, page, on = builder.notebook, builder.page, builder.on
    ranking = builder.field("Alpha")
    ranking.wait_for()
    page.wait_for_function(f"() => document.querySelector('{BUILDER}').role === 'group'")

    # keys stay where they are pressed
    button = on.get_by_role("button", name="Copy code")
    for control in (ranking, button):
        control.focus()
        before = page.evaluate(CELLS)
        for key in ("ArrowDown", "ArrowUp", "b", "Control+a", "d", "d", "Escape"):
            page.keyboard.press(key)
        assert page.evaluate(CELLS)[:2] == before[:2]
    assert page.evaluate(CELLS)[2] == ""
    # but those of the application reach it
    control.focus()
    page.keyboard.press("Control+s")
    page.wait_for_function(
        "() => !window.jupyterapp.shell.currentWidget.context.model.dirty", timeout=30_000
    )

    # run again, the cell has one builder, and the kernel no more widgets than before
    counted = notebook.add_and_run(COUNT)
    first = int(notebook.text_of(counted))
    for _ in range(2):
        runs = page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.content.widgets[0].model.executionCount"
        )
        notebook.run(0)
        page.wait_for_function(RUNS % BUILDER, arg=runs + 1)
        builder.field("Alpha").wait_for()
    assert int(notebook.text_of(notebook.add_and_run(COUNT))) == first

    # a kernel that is busy says so, and takes the choice afterwards
    busy, let_go = notebook.hold_kernel()
    builder.fill("Alpha", "0.2")
    page.get_by_text("Waiting for the kernel, which is busy").wait_for()
    let_go()
    assert notebook.text_of(busy) == "free\n"
    page.wait_for_function("() => !document.querySelector('.nbcompare-busy').textContent")
    assert notebook.text_of(notebook.add_and_run("builder.alpha")) == "0.2"

    # as a widget among others
    several = notebook.add_and_run(
        "other = nbc.CDDiagramBuilder(builder.experiment)\nipw.Tab([other, ipw.HTML('second')])"
    )
    page.wait_for_function(f"() => document.querySelectorAll('{BUILDER}').length === 2")
    notebook.show(several)
    page.locator(BUILDER).nth(1).get_by_label("Alpha", exact=True).wait_for()

    # a kernel that is gone leaves nothing that could be tried in vain
    notebook.add_and_run("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    page.wait_for_function("() => document.querySelectorAll('.nbcompare-gone').length === 2")
    page.get_by_role("button", name="Ok", exact=True).click()
    notebook.show(0)
    banner = page.get_by_role("alert").filter(has_text="run this cell again").first
    banner.wait_for()
    usable = """(where) => [...document.querySelectorAll(where)].filter(
        (field) => !field.closest('[inert]')).length"""
    assert page.evaluate(usable, f"{BUILDER} :is(select, input, button)") == 0
    icons = """(where) => [...document.querySelectorAll(where)].filter((element) =>
        getComputedStyle(element, '::before').content !== 'none').length"""
    broken = ".jupyter-widgets-disconnected:has(.nbcompare-surface), .nbcompare-surface"
    assert page.evaluate(icons, broken) == 0
    assert builder.problems == []
