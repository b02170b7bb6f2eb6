"""Choices made while the kernel is busy with another cell, in JupyterLab and Notebook 7."""

import re

import pytest

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
experiment = nbc.datasets.load("stochastic_regression")
builder = nbc.FuzzyPValueBuilder(experiment, procedure="interval")
builder"""
# the kernel as a whole is idle again when its other thread is
IS_RUNNING = """(i) => {
    const cell = window.jupyterapp.shell.currentWidget.content.widgets[i].node;
    return cell.querySelector('.jp-InputPrompt').textContent.includes('*');
}"""


def test_choices_made_while_the_kernel_is_busy_all_hold(open_builder):
    builder = open_builder("busy.ipynb", MAKE)
    data = nbc.datasets.load("stochastic_regression")
    before = nbc.compare_stochastic(data, procedure="interval")
    builder.expect(before, nbc.plots.membership(before).alt)
    cell, let_go = builder.notebook.hold_kernel()
    builder.page.wait_for_function(IS_RUNNING, arg=cell)
    builder.notebook.show(0)
    builder.choose("Control", "neural network")
    builder.choose("Adjustment", "Holm")
    builder.choose("Adjustment", "Finner")
    # the first of these leaves a shorter list for the second
    builder.choose("Procedure", "Bootstrap-A")
    builder.choose("Encoding", "median")
    builder.choose("Encoding", "mean")
    assert builder.page.evaluate(IS_RUNNING, cell)
    let_go()
    after = nbc.compare_stochastic(
        data, procedure="bootstrap-a", encoding="mean", control="neural network", adjust="finner"
    )
    builder.expect(after, nbc.plots.membership(after).alt)
    assert builder.problems == []


FIGURE = """\
import nbcompare as nbc
from nbcompare.widgets._figure import LiveFigure
from nbcompare.widgets._model import Pick
from nbcompare.widgets._surface import Surface
surface, figure = Surface(), LiveFigure()
figure.show(nbc.plots.cd_diagram(nbc.compare(nbc.datasets.load("demsar2006"))))
surface.root = figure
surface.send_state()
surface"""
OFFER = (
    "figure.offer(lambda names, _: [Pick(f'Leave {names[0]} out', 'algorithms', names)]); "
    "figure.tell()"
)


def test_what_is_pressed_before_a_figure_has_its_offers_is_answered_when_it_has(open_notebook):
    notebook = open_notebook("offers.ipynb", FIGURE)
    notebook.run_all()
    page = notebook.page
    parts = page.locator(".nbcompare-live svg.nbf .m[aria-label^='C4.5']")
    parts.first.wait_for()
    label = parts.first.get_attribute("aria-label")
    name = re.match("[^:]*", label)[0]
    _, let_go = notebook.hold_kernel()
    notebook.add_and_run(OFFER)
    notebook.show(0)
    parts.first.focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("menu").filter(has_text="Leave").count() == 0
    let_go()
    item = page.get_by_role("menuitem", name=f"Leave {name} out", exact=True)
    item.wait_for()
    assert item.evaluate("item => item === document.activeElement")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == label
    # whoever has gone elsewhere in the meantime is not called back
    notebook.add_and_run("figure.picks = {}; figure.tell(); print('none')")
    _, let_go = notebook.hold_kernel()
    offer = notebook.add_and_run(f"{OFFER}; print('offered')")
    notebook.show(0)
    parts.first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != label
    let_go()
    assert "offered" in notebook.text_of(offer)
    page.locator(".nbcompare-live svg.nbf .m.can").first.wait_for()
    assert page.get_by_role("menu").filter(has_text="Leave").count() == 0
