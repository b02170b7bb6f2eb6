"""The DataBuilder in JupyterLab: by keys, from a messy table to the comparison."""

import re
from pathlib import Path

import pytest

import nbcompare as nbc

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LAYOUT = Path(__file__).parent.parent / "foreign" / "layout"
SOURCE = "import nbcompare as nbc\nbuilder = nbc.DataBuilder()\nbuilder"


def test_by_keys_from_a_table_to_its_comparison(open_notebook, jupyter, barriers):
    (jupyter.files / "bakeoff.csv").write_text((LAYOUT / "bakeoff.csv").read_text())
    notebook = open_notebook("data.ipynb", SOURCE, bypass_csp=True)
    page = notebook.page
    notebook.run(0)
    builder = page.locator(".nbcompare-builder").first
    files = builder.get_by_label("Or a file of this folder", exact=True)
    files.wait_for()
    cells = "() => window.jupyterapp.shell.currentWidget.content.widgets.length"
    n_cells = page.evaluate(cells)

    # a word is chosen by its letters, and the notebook hears none of them
    files.focus()
    page.keyboard.type("bakeoff")
    leave = builder.get_by_role("button", name=re.compile("^Leave out rows"))
    leave.wait_for()
    assert page.evaluate(cells) == n_cells
    leave.focus()
    page.keyboard.press("Enter")
    builder.get_by_text("Choose what is better").wait_for()
    better = builder.get_by_label("What is better", exact=True)
    better.focus()
    page.keyboard.press("ArrowDown")
    builder.get_by_text("10 data sets in rows, 5 algorithms in columns").wait_for()
    builder.get_by_text("higher is better.").wait_for()

    def of_ours():
        """Barriers within the builder; the application has its own."""
        found = barriers(page)
        own = page.evaluate(
            """htmls => htmls.filter(html => [...document.querySelectorAll('.nbcompare-builder *')]
                .some(node => node.outerHTML.startsWith(html.slice(0, 120))))""",
            [html for nodes in found.values() for html in nodes],
        )
        return {
            rule: ours for rule, nodes in found.items() if (ours := [n for n in nodes if n in own])
        }

    assert of_ours() == {}

    # settled rows are taken back, and left out once more
    take_back = builder.get_by_role("button", name="Take back")
    take_back.focus()
    page.keyboard.press("Space")
    leave.wait_for()
    leave.click()
    go = builder.get_by_role("button", name="Go on: compare the algorithms")
    go.wait_for()
    go.focus()
    page.keyboard.press("Enter")
    rows = ["Average accuracy", "Average rank", "Wins"]
    expected = nbc.Experiment.read(LAYOUT / "bakeoff.csv", direction="maximize", ignore_rows=rows)
    builder.get_by_text(nbc.recommend(expected).sentences[0]).wait_for()
    last = nbc.compare(expected).sentences[-1]
    builder.get_by_text(last).first.wait_for(state="attached")
    assert of_ours() == {}
    answer = notebook.text_of(
        notebook.add_and_run("print(builder.experiment.fingerprint); print(builder.code)")
    )
    assert expected.fingerprint in answer
    assert 'nbc.Experiment.read(\n    "bakeoff.csv"' in answer
    assert notebook.problems == []
