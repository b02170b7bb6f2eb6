"""The app from an upload to a PDF, as a person uses it."""

import contextlib
import re
import time
from pathlib import Path

import numpy as np
import pytest

import nbcompare as nbc

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LANDMARKS = ("region", "landmark-one-main", "page-has-heading-one", "heading-order")
LIMIT = 240_000  # milliseconds, of a busy machine


def messy():
    """Scores with a column of sizes and a row of averages, as people keep them."""
    rng = np.random.default_rng(7)
    scores = np.round(0.7 + 0.04 * np.arange(4) + rng.normal(0, 0.03, (9, 4)), 3)
    lines = ["dataset,size,C4.5,CN2,SVM,Ours"]
    lines += [
        f"d{row},{150 + 37 * row},{','.join(f'{score:.3f}' for score in each)}"
        for row, each in enumerate(scores)
    ]
    lines.append(f"Average,,{','.join(f'{mean:.3f}' for mean in scores.mean(axis=0))}")
    return "\n".join(lines), scores


@pytest.fixture
def app(started):
    """The address of the app, in a folder of its own."""
    with started() as (_, address):
        yield address


def test_from_an_upload_to_a_pdf(app, browser, barriers, tmp_path):
    text, scores = messy()
    table = tmp_path / "results.csv"
    table.write_text(text)
    context = browser.new_context(viewport={"width": 1400, "height": 1500}, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(LIMIT)
    foreign, problems, frames = [], [], iter(range(100))
    own = re.compile(rf"(http|ws)://{re.escape(app.split('/')[2])}/|data:|blob:")
    page.on("request", lambda request: own.match(request.url) or foreign.append(request.url))
    page.on("websocket", lambda socket: own.match(socket.url) or foreign.append(socket.url))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: line.type == "error" and problems.append(line.text))

    def film(name):
        page.screenshot(path=tmp_path / f"{next(frames):02}-{name}.png")

    def press(locator, key="Enter"):
        locator.focus()
        page.keyboard.press(key)

    try:
        page.goto(app, wait_until="commit")
        upload = page.get_by_label("Upload a table", exact=True)
        upload.wait_for()
        film("empty")
        assert barriers(page, *LANDMARKS) == {}

        # a table that cannot be read as it is: one button leaves out its averages and its sizes
        upload.set_input_files(table)
        page.get_by_text("results.csv is here").wait_for()
        first = page.get_by_role("button", name=re.compile("^Leave out")).first
        first.wait_for()
        film("uploaded")
        first.click()
        page.get_by_text("Choose what is better").wait_for()
        film("open")

        # what is better is asked for; a word is chosen by its key
        press(page.get_by_label("What is better", exact=True), "h")
        page.get_by_text("9 data sets in rows, 4 algorithms in columns").wait_for()
        page.get_by_text("higher is better.").wait_for()
        page.get_by_role("tab", name="Report").wait_for()
        film("understood")
        assert barriers(page, *LANDMARKS) == {}
        code = page.locator("code").first.text_content()
        (tmp_path / "code").mkdir()
        with contextlib.chdir(tmp_path):
            space = {}
            exec(code, space)
        experiment = space["experiment"]
        np.testing.assert_array_equal(experiment.mean_scores, scores)

        press(page.get_by_role("button", name="Go on: compare the algorithms"))
        page.get_by_text(nbc.recommend(experiment).sentences[0]).wait_for()
        expected = nbc.compare(experiment)
        page.get_by_text(expected.sentences[-1]).first.wait_for(state="attached")
        whole = page.locator("code").filter(has_text="nbc.compare(experiment)").first.text_content()
        assert whole.startswith(code)
        film("comparison")
        assert barriers(page, *LANDMARKS) == {}

        page.get_by_role("tab", name="Report").click()
        press(page.get_by_role("button", name=re.compile("^Formats")))
        page.get_by_role("checkbox", name=".pdf", exact=True).check()
        page.get_by_role("checkbox", name=".html", exact=True).uncheck()
        page.keyboard.press("Escape")
        page.get_by_text('report.export("report.pdf")').wait_for(state="attached")
        film("report")
        assert barriers(page, *LANDMARKS) == {}
        press(page.get_by_role("button", name="Export", exact=True))
        page.get_by_text("Written: report.pdf.").wait_for()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download report.pdf").click()
        film("written")
        pdf = (tmp_path / "work" / "report.pdf").read_bytes()
        assert pdf.startswith(b"%PDF")
        assert Path(download.value.path()).read_bytes() == pdf
        assert sorted(path.name for path in (tmp_path / "work").iterdir()) == ["report.pdf"]
        assert page.url == app.partition("?")[0]
        assert foreign == []
        assert problems == []
    finally:
        film("end")
        context.close()


PASTED = "data\tA\tB\tC\n" + "\n".join(
    f"d{i}\t{0.9 - 0.01 * i:.2f}\t{0.8 - 0.02 * i:.2f}\t{0.7 - 0.01 * i:.2f}" for i in range(8)
)
LOG = "problem,algorithm,run,evaluations,best\n" + "\n".join(
    f"{problem},{algorithm},{run},{at},{100 / at + run + (algorithm == 'PSO')}"
    for problem in ("sphere", "ackley", "rastrigin")
    for algorithm in ("DE", "PSO")
    for run in range(3)
    for at in (10, 20, 50, 100, 200)
)
# What is done on the first page, the page that follows it, and a result of ours that it shows
WAYS = {
    "pasted by keys": (
        [("Or paste a table", PASTED), ("What is better", "h")],
        "Comparison",
        "A has the best average rank of the three algorithms on eight data sets",
    ),
    "a log of runs": (
        [("Upload a table", LOG), ("What is better", "l")],
        "Convergence",
        "of the two algorithms on three problems",
    ),
    "fuzzy p-values": (
        [("Or an example", "stochastic_reg")],
        "Runs",
        "Three algorithms were compared on four data sets",
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_from_nothing_to_a_pdf_by_keys(app, browser, tmp_path, way):
    steps, title, found = WAYS[way]
    context = browser.new_context(viewport={"width": 1400, "height": 1500})
    page = context.new_page()
    page.set_default_timeout(LIMIT)
    keys = page.keyboard
    page.goto(app, wait_until="commit")
    for label, typed in steps:
        field = page.get_by_label(label, exact=True)
        field.wait_for()
        if label.startswith("Upload"):
            (tmp_path / "log.csv").write_text(typed)
            field.set_input_files(tmp_path / "log.csv")
            page.get_by_text("Choose what is better").wait_for()
            continue
        field.focus()
        if label.startswith("Or paste"):
            keys.insert_text(typed)
            keys.press("Tab")
            page.get_by_text("Choose what is better").wait_for()
        else:
            keys.type(typed)
    tab = page.get_by_role("tab", name=title)
    tab.wait_for()
    page.get_by_role("tab", name="Data").focus()
    while tab.get_attribute("aria-selected") != "true":
        keys.press("ArrowRight")
    page.get_by_text(found).first.wait_for()
    page.screenshot(path=tmp_path / "page.png")
    report = page.get_by_role("tab", name="Report")
    while report.get_attribute("aria-selected") != "true":
        keys.press("ArrowRight")
    page.get_by_role("button", name=re.compile("^Formats")).focus()
    keys.press("Enter")
    page.get_by_role("checkbox", name=".pdf", exact=True).focus()
    keys.press("Space")
    keys.press("Escape")
    page.get_by_role("button", name="Export", exact=True).focus()
    keys.press("Enter")
    page.get_by_text("Written: report.html, report.pdf.").wait_for()
    page.screenshot(path=tmp_path / "report.png")
    assert (tmp_path / "work" / "report.pdf").read_bytes().startswith(b"%PDF")
    context.close()


def test_a_project_survives_reloads_a_killed_process_and_another_start(browser, started, tmp_path):
    table = tmp_path / "results.csv"
    table.write_text(messy()[0].rpartition("\nAverage")[0])
    project = tmp_path / "work" / "study.nbcompare"

    def wait(met):
        deadline = time.monotonic() + LIMIT / 1000
        while not met():
            assert time.monotonic() < deadline
            page.wait_for_timeout(100)

    def control_of(page):
        page.get_by_role("tab", name="Comparison").click()
        control = page.get_by_label("Control", exact=True).first
        control.wait_for()
        return control

    def is_as_it_was():
        title = page.get_by_label("Title", exact=True)
        title.wait_for()
        assert title.input_value() == "My study"
        assert control_of(page).locator("option:checked").text_content() == "CN2"
        page.get_by_role("tab", name="Report").click()

    context = browser.new_context(viewport={"width": 1400, "height": 1500})
    page = context.new_page()
    page.set_default_timeout(LIMIT)
    try:
        with started("study.nbcompare", killed=True) as (process, address):
            page.goto(address, wait_until="commit")
            page.get_by_label("Upload a table", exact=True).set_input_files(table)
            page.get_by_label("What is better", exact=True).select_option(
                label="higher scores are better"
            )
            page.get_by_role("button", name="Leave out size").first.click()
            page.get_by_role("button", name="Go on: compare the algorithms").click()
            page.get_by_label("Control", exact=True).select_option(label="CN2")
            page.get_by_role("tab", name="Report").click()
            title = page.get_by_label("Title", exact=True)
            title.fill("My study")
            title.press("Enter")
            wait(project.exists)
            wait(lambda: "title" in nbc.open_project(project).settings.get("Report", {}))
            memory = []
            for _ in range(20):
                page.reload(wait_until="commit")
                page.get_by_label("Title", exact=True).wait_for()
                status = Path(f"/proc/{process.pid}/status")
                if status.exists():
                    memory.append(int(re.search(r"VmRSS:\s+(\d+)", status.read_text())[1]))
            assert not memory or memory[-1] - memory[0] < 20_000  # kB
            is_as_it_was()
            assert "token" not in page.url

            # a second page goes on, and the first says so, until it goes on itself
            other = context.new_page()
            other.set_default_timeout(LIMIT)
            other.goto(page.url, wait_until="commit")
            control_of(other).select_option(label="SVM")
            page.get_by_text("The project was opened in another page").wait_for()
            page.get_by_role("link", name="Go on in this page").click()
            chosen = control_of(page)
            assert chosen.locator("option:checked").text_content() == "SVM"
            chosen.select_option(label="CN2")
            other.close()
            page.get_by_role("tab", name="Report").click()
            wait(lambda: nbc.open_project(project).page == "Report")
            wait(lambda: nbc.open_project(project).settings["Comparison"]["control"] == "CN2")
            process.kill()
            page.get_by_text("The connection to nbcompare has ended").wait_for()
        with started("study.nbcompare") as (_, address):
            page.goto(address, wait_until="commit")
            is_as_it_was()
        made = nbc.open_project(project)
        assert made.experiment.algorithms == ("C4.5", "CN2", "SVM", "Ours")
        assert made.results["Comparison"].control == "CN2"
    finally:
        page.screenshot(path=tmp_path / "end.png")
        context.close()


def test_work_without_a_name_is_kept_in_the_end(browser, started, tmp_path):
    table = "".join(f"d{row},0.{row + 1},0.{row * 3 % 7}5\n" for row in range(8))
    (tmp_path / "work" / "scores.csv").write_text(f"dataset,A,B\n{table}")
    (tmp_path / "work" / "scores.nbcompare").write_text("of somebody else")
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(LIMIT)
    try:
        with started("scores.csv") as (_, address):
            page.goto(address, wait_until="commit")
            better = page.get_by_label("What is better", exact=True)
            better.select_option(label="lower scores are better")
            page.get_by_text("lower is better.").wait_for()  # it ends before the file is written
    finally:
        context.close()
    said = (tmp_path / "app.log").read_text()
    assert "Go on with: nbcompare app scores-2.nbcompare" in said
    given = nbc.open_project(tmp_path / "work" / "scores-2.nbcompare").given["experiment"]
    assert given.reading == {"direction": "minimize"}
    assert (tmp_path / "work" / "scores.nbcompare").read_text() == "of somebody else"


def test_all_rows_are_there_and_cells_can_be_edited(browser, started, barriers, tmp_path):
    n_rows = 200_000
    lines = (f"d{row},0.{row % 7 + 1},0.{row % 5 + 2}" for row in range(n_rows))
    (tmp_path / "work" / "t.csv").write_text("\n".join(["dataset,A,B", *lines]))
    context = browser.new_context(viewport={"width": 900, "height": 900}, bypass_csp=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(LIMIT)
    keys = page.keyboard

    def cell(row, column):
        return page.locator(f'[data-row="{row}"] td').nth(column)

    def shows(row, column, text):
        page.wait_for_function(
            "([row, column, text]) => document.querySelector(`[data-row='${row}']`)"
            "?.querySelectorAll('td')[column].textContent === text",
            arg=[row, column, text],
        )

    try:
        with started("t.csv", "--theme", "dark") as (_, address):
            page.goto(address, wait_until="commit")
            grid = page.get_by_role("grid")
            grid.wait_for()
            assert grid.get_attribute("aria-rowcount") == str(n_rows + 1)
            # by the mouse, and by keys: Enter goes down, Tab to the right, Escape nowhere
            cell(2, 1).dblclick()
            keys.type("0.55")
            keys.press("Enter")
            shows(2, 1, "0.55")
            keys.type("abc")
            keys.press("Tab")
            page.get_by_text("It must be a number").wait_for()
            assert cell(3, 1).get_attribute("aria-invalid") == "true"
            assert page.evaluate("document.activeElement.role") == "grid"
            assert "-3-2" in grid.get_attribute("aria-activedescendant")
            page.screenshot(path=tmp_path / "wrong.png")
            assert barriers(page, *LANDMARKS) == {}
            keys.press("Control+z")
            shows(3, 1, "0.4")
            page.get_by_text("1 cell edited").wait_for()
            keys.press("F2")
            keys.type("9")
            keys.press("Escape")
            shows(3, 2, "0.5")
            # all rows, from the first to the last; a block that is pasted
            keys.press("Control+End")
            shows(n_rows - 1, 0, f"d{n_rows - 1}")
            keys.press("Control+Home")
            shows(0, 0, "d0")
            for _ in range(2):
                keys.press("ArrowRight")
            page.evaluate("navigator.clipboard.writeText('0.11\\n0.12\\n')")
            keys.press("Control+v")
            shows(1, 2, "0.12")
            page.get_by_text("3 cells edited").wait_for()
            page.locator(".nbcompare-rows").hover()
            page.mouse.wheel(0, 2_000_000)
            shows(80_010, 0, "d80010")
    finally:
        page.screenshot(path=tmp_path / "end.png")
        context.close()


def test_the_line_of_alpha_is_moved_by_mouse_and_keys(app, browser, barriers, tmp_path):
    context = browser.new_context(viewport={"width": 1300, "height": 1000}, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(LIMIT)
    try:
        page.goto(app, wait_until="commit")
        page.get_by_label("Or an example", exact=True).select_option("stochastic_regression")
        page.get_by_role("tab", name="Runs").click()
        field = page.get_by_label("Alpha", exact=True).first
        line = page.get_by_role("slider", name="Alpha, the line in the figure").first
        line.wait_for()
        assert line.get_attribute("aria-valuenow") == "0.05"
        # it stands where the figure has its dashed line
        own = page.locator("svg.nbf path[stroke-dasharray], svg.nbf [stroke-dasharray]")
        middles = [box["x"] + box["width"] / 2 for it in own.all() if (box := it.bounding_box())]
        box = line.locator("rect").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert min(abs(x - middle) for middle in middles) < 1
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 15, y, steps=4)
        page.screenshot(path=tmp_path / "dragged.png")
        wanted = line.get_attribute("aria-valuenow")
        page.mouse.up()
        assert float(wanted) > 0.05
        page.wait_for_function(
            "([it, value]) => it.value === value", arg=[field.element_handle(), wanted]
        )
        page.wait_for_function(
            "value => document.querySelector('.level')?.ariaValueNow === value", arg=wanted
        )
        line.focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("it => it.value === '0.011'", arg=field.element_handle())
        page.wait_for_function("() => document.activeElement.ariaValueNow === '0.011'")
        page.screenshot(path=tmp_path / "keys.png")
        assert barriers(page, *LANDMARKS) == {}
    finally:
        page.screenshot(path=tmp_path / "end.png")
        context.close()
