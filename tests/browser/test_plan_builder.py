"""PlanBuilder where it lives: in a page of JupyterLab."""

import re

import pytest

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import numpy as np
import nbcompare as nbc
scores = np.random.default_rng(1).normal(size=(12, 3)) + 1.5 * np.arange(3)
experiment = nbc.Experiment.from_array(
    scores, direction="maximize", algorithms=["first", "second", "third"])
builder = nbc.PlanBuilder(experiment, largest=30)
builder"""
# as if it took long, which is what a page has to live with
SLOW = """\
from nbcompare.widgets.plan import PlanModel
PlanModel.seconds = lambda self, state: 20.0"""


def test_plan_builder(open_builder):
    builder = open_builder("plan.ipynb", MAKE)
    page, on = builder.page, builder.on
    space = {}
    exec(MAKE.rpartition("builder")[0].rpartition("builder =")[0], space)
    data = space["experiment"]
    options, names = {"largest": 30}, {}

    def expected(**changes):
        """Wait for what the API gives with the changes."""
        options.update(changes)
        result = nbc.plan(data.select(**names), **options)
        builder.expect(result, nbc.plots.planning_curve(result).alt)
        return result

    expected()
    assert not builder.field("Plan for").is_visible()  # there are data sets alone
    builder.fill("Power", "0.9")
    builder.fill("Prior", "0.5")
    expected(power=0.9, prior=0.5)
    builder.expect_refusal(
        "Prior", "-1", says="“Prior” must be a number of at least 0", keeps="0.5"
    )
    builder.choose("Control", "first")
    builder.choose("Adjustment", "Hochberg")
    builder.fill("Largest number", "20")
    result = expected(control="first", adjust="hochberg", largest=20)

    # a pair, by its row and by its curve
    tables = on.locator(".nbcompare-tables")
    row = tables.locator("tbody tr", has_text="second")
    # they come after the figure, and all at once
    tables.locator("tbody th").get_by_text("30", exact=True).wait_for(state="detached")
    row.first.wait_for()
    row.locator("td").nth(2).click()
    on.get_by_text("second and first: p in the pilot ").wait_for()
    curve = on.locator("figure").first.get_by_text("third over first", exact=True)
    curve.click()
    on.get_by_text("third and first: p in the pilot ").wait_for()
    pair = data.select(algorithms=["first", "third"])
    builder.expect_details(nbc.plots.pair_scatter(nbc.compare_pair(pair, "third", "first")).alt)

    # undone by the button, done again by the keys
    builder.button("Undo").click()
    on.get_by_text("second and first: p in the pilot ").wait_for()
    builder.button("Undo").focus()
    page.keyboard.press("Control+Shift+z")
    on.get_by_text("third and first: p in the pilot ").wait_for()

    # what takes long is simulated elsewhere: the page and the kernel stay free
    builder.notebook.add_and_run(SLOW)
    builder.notebook.show(0)
    builder.fill("Power", "0.8")
    cancel = builder.button("Cancel")
    cancel.wait_for()
    on.get_by_text(re.compile(r"Computing \(\d+ s\)\. The view below shows the prev")).wait_for()
    builder.fill("Power", "0.7")  # nobody waits for the other any more
    result = expected(power=0.7)
    assert not cancel.is_visible()
    builder.fill("Largest number", "400")
    cancel.wait_for()
    builder.expect_free_kernel()
    builder.notebook.show(0)
    cancel.click()
    on.get_by_text(re.compile(r"^Cancelled\. The")).wait_for()
    assert not cancel.is_visible()
    builder.fill("Largest number", "20")
    result = expected()

    builder.button("Copy code").click()
    code = builder.run_copied()
    assert code.splitlines()[-1] == "nbc.plots.planning_curve(result)"
    builder.expect_to_stay("PlanBuilder", result, nbc.plots.planning_curve(result).alt)
    assert builder.problems == []
