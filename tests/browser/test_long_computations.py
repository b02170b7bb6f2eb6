"""A builder that computes for long, in a page of JupyterLab."""

import re

import pytest

pytestmark = pytest.mark.browser

MAKE = """\
import numpy as np
import nbcompare as nbc
scores = np.random.default_rng(1).normal(size=(40, 17)) + np.arange(17) / 5
experiment = nbc.Experiment.from_array(scores, direction="maximize")
builder = nbc.CDDiagramBuilder(experiment, pairs="wilcoxon", adjust="holm")
builder"""
EVIL = """\
builder.experiment = nbc.Experiment.from_array(
    scores[:, :3], direction="maximize", algorithms=["best", "2", "<img src=x onerror=alert(1)>"])
builder.pair = builder.algorithms[1:]"""


def test_long_computations_leave_the_page_free(open_builder):
    builder = open_builder("long.ipynb", MAKE)
    page, on = builder.page, builder.on
    on.locator("figure svg").first.wait_for()
    builder.choose("Adjustment", "Bergmann–Hommel")
    cancel = on.get_by_role("button", name="Cancel")
    cancel.wait_for()
    on.get_by_text(re.compile(r"Computing \([1-9]\d* s\)\.")).wait_for()  # it counts
    builder.expect_free_kernel()
    cancel.click()
    on.get_by_text("Cancelled. The view below shows the previous settings").wait_for()
    assert not cancel.is_visible()
    assert "Holm" in on.locator("figure svg").first.get_attribute("aria-label")
    builder.choose("Adjustment", "Shaffer")
    on.get_by_text("Shaffer, α = ").first.wait_for()

    # names of other data are text, wherever they stand
    page.on("dialog", lambda dialog: builder.problems.append(dialog.message))
    builder.notebook.add_and_run(EVIL)
    builder.notebook.show(0)
    on.get_by_role("button", name="Algorithms 3 of 3 (k = 3)").wait_for()
    on.get_by_text("<img src=x onerror=alert(1)> and 2: ").first.wait_for()
    builder.choose("Control", "<img src=x onerror=alert(1)>")
    on.locator(".nbcompare-tables").get_by_text("<img src=x onerror=").first.wait_for()
    assert page.locator('img[src="x"]').count() == 0
    assert builder.problems == []
