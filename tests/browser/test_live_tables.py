"""Tables of a builder in a page of JupyterLab, by mouse and by keys."""

import csv
import io

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import numpy as np
import nbcompare as nbc
scores = np.random.default_rng(5).random((20, 12)).round(3) + np.arange(12) / 20
names = ["<b>x</b>", *(f"A{i}" for i in range(1, 12))]
experiment = nbc.Experiment.from_array(scores, direction="maximize", algorithms=names)
builder = nbc.CDDiagramBuilder(experiment, pairs="wilcoxon", adjust="holm")
builder"""
# What a button says after a click is gone after a moment, so that it is noted
HEAR = """(table) => {
    window.said = [];
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(
        (node) => window.said.push(node.textContent)
    ))).observe(table, { childList: true, subtree: true });
}"""
HEARD = """() => {
    const root = document.querySelector('.nbcompare-builder');
    window.lights = [];
    root.addEventListener('nbcompare:light', ({detail}) => window.lights.push(detail.names));
}"""


def test_tables(jupyter, open_builder):
    builder = open_builder("tables.ipynb", MAKE)
    page, on = builder.page, builder.on
    scope = {}
    exec(MAKE.removesuffix("builder"), scope)
    data = scope["experiment"]
    result = nbc.compare(data, pairs="wilcoxon", adjust="holm")
    frame = result.to_frame()
    table = on.locator(".nbcompare-table").filter(has_text="Differences of the pairs").last
    rows = table.locator("tbody tr")
    rows.first.wait_for()

    def first(number):
        return rows.nth(number).locator("th, td").all_inner_texts()[:2]

    def pairs(which):
        return which[["first", "second"]].to_numpy().tolist()

    def pressed(*keys):
        for key in keys:
            page.keyboard.press(key)

    # names are text, and a page has 25 of all rows
    assert any("<b>x</b>" in first(row) for row in range(25))
    assert rows.count() == 25
    assert table.get_by_text("Rows 1–25 of 66", exact=True).is_visible()

    # in order of numbers: by the mouse upwards, by keys downwards
    header = table.get_by_role("columnheader", name="effect size")
    header.get_by_role("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    sizes = frame["effect_size"].round(2)
    shown = rows.locator("td:nth-child(5)")
    assert [float(text) for text in shown.all_inner_texts()] == sorted(sizes)[:25]
    pressed("Enter")
    assert header.get_attribute("aria-sort") == "descending"
    assert [float(text) for text in shown.all_inner_texts()] == sorted(sizes, reverse=True)[:25]
    falling = frame.iloc[np.argsort(-sizes.to_numpy(), kind="stable")]

    # pages, also by keys, which stay in the table
    cells = page.locator(".jp-Cell").count()
    table.get_by_role("button", name="Next").click()
    assert first(0) == pairs(falling)[25]
    rows.first.get_by_role("button").focus()
    pressed("PageDown", "ArrowDown", "b", "a")
    assert first(0) == pairs(falling)[50]
    focused = "() => document.activeElement.closest('tr').innerText"
    assert page.evaluate(focused).split()[:2] == pairs(falling)[51]
    assert page.locator(".jp-Cell").count() == cells
    table.get_by_label("Rows on a page").select_option("all")
    assert [first(row) for row in (0, 65)] == [pairs(falling)[0], pairs(falling)[65]]
    table.get_by_label("Rows on a page").select_option("25")

    # words that rows contain
    field = table.get_by_role("searchbox")
    field.click()
    page.keyboard.type("a1 YES")
    named = (falling["first"] + " " + falling["second"]).str.contains("A1")
    wanted = falling[falling["rejected"] & named]
    assert 0 < len(wanted) < 66
    table.get_by_text(f"{len(wanted)} of 66 rows", exact=True).wait_for()
    assert [first(row) for row in range(min(25, len(wanted)))] == pairs(wanted)[:25]
    on.get_by_role("status").filter(has_text=f"{len(wanted)} of 66 rows shown.").wait_for()

    # copies of what is shown, in its order
    def copied(label):
        table.evaluate(HEAR)
        table.get_by_role("button", name=label, exact=True).click()
        page.wait_for_function("() => window.said.includes('copied')")
        table.get_by_role("button", name=label, exact=True).wait_for()
        return page.evaluate("() => navigator.clipboard.readText()")

    lines = [line.split("\t") for line in copied("cells").splitlines()]
    assert lines[0][:2] == ["first", "second"]
    assert [line[:2] for line in lines[1:]] == pairs(wanted)
    assert list(csv.reader(io.StringIO(copied("CSV")))) == lines
    assert copied("Markdown").count("\n| ") == len(wanted) + 2
    assert copied("LaTeX").count("\\\\\n") == len(wanted) + 1

    # other numbers: order, words and page stay
    builder.choose("Adjustment", "Bonferroni")
    bonferroni = nbc.compare(data, pairs="wilcoxon", adjust="bonferroni")
    builder.expect(bonferroni)
    table.get_by_text("Bonferroni").wait_for()
    assert field.input_value() == "a1 YES"
    assert header.get_attribute("aria-sort") == "descending"
    assert rows.count() < len(wanted) or rows.count() == 25
    field.fill("nothing like this")
    table.get_by_text("No row contains this.").click()
    field.focus()
    pressed("Escape")
    table.get_by_text("Rows 1–25 of 66", exact=True).wait_for()

    # a row lights up its algorithms, and they their rows
    page.evaluate(HEARD)
    rows.nth(2).hover()
    assert page.evaluate("() => window.lights.at(-1)") == first(2)
    lit = on.locator(".nbcompare-tables .nbcompare-lit")
    ranks = on.locator(".nbcompare-table").first
    assert sorted(ranks.locator(".nbcompare-lit th").all_inner_texts()) == sorted(first(2))
    light = (
        "(names) => document.querySelector('.nbcompare-builder')"
        ".dispatchEvent(new CustomEvent('nbcompare:light', {bubbles: true, detail: {names}}))"
    )
    parts = on.locator("svg.nbf .m.lit")
    assert parts.count() > 0  # of the figure, too
    page.evaluate(light, ["A3"])
    assert ranks.locator(".nbcompare-lit th").all_inner_texts() == ["A3"]
    page.evaluate(light, [])
    assert lit.count() == parts.count() == 0
    page.mouse.move(2, 2)  # what is scrolled below the pointer is pointed at
    on.locator("svg.nbf .m").first.focus()  # a part of the figure, by keys
    assert ranks.locator(".nbcompare-lit").count() > 0
    rows.first.get_by_role("button").focus()
    assert sorted(ranks.locator(".nbcompare-lit th").all_inner_texts()) == sorted(first(0))

    # a row opens its pair: by the mouse, and by keys
    chosen = table.locator("[aria-current]")
    pair = first(4)
    rows.nth(4).locator("td").nth(3).click()
    on.get_by_text(f"{pair[0]} and {pair[1]}: ").wait_for()
    page.wait_for_function(
        "(names) => document.querySelector('tr.nbcompare-chosen')"
        "?.innerText.split(/\\s+/).slice(0, 2).join() === names.join()",
        arg=pair,
    )
    pair = first(5)
    chosen.focus()
    pressed("ArrowDown", "Enter")
    on.get_by_text(f"{pair[0]} and {pair[1]}: ").wait_for()
    answer = builder.notebook.text_of(builder.notebook.add_and_run("print(list(builder.pair))"))
    assert answer == f"{pair}\n"
    # and a pair that is chosen elsewhere is on the page that is shown
    builder.notebook.add_and_run(f"builder.pair = {tuple(pairs(falling)[60])}")
    page.wait_for_function(
        "() => document.querySelector('tr.nbcompare-chosen')"
        "?.closest('.nbcompare-table').innerText.includes('Rows 51–66 of 66')"
    )
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        builder.notebook.command("apputils:change-theme", theme=theme)
        light = str(theme.endswith("Light")).lower()
        page.wait_for_function(f"() => document.body.dataset.jpThemeLight === '{light}'")
        found = Axe().run(page, ".nbcompare-tables").response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    assert builder.problems == []
