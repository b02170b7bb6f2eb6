"""Builders where they live: in the pages of JupyterLab and Notebook 7."""

import html
import json

import pytest
from nbconvert import HTMLExporter

import nbcompare as nbc
from nbcompare.report.exporters import ReportHTMLExporter

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
experiment = nbc.datasets.load("demsar2006")
builder = nbc.CDDiagramBuilder(experiment)
builder"""
BUILDER = ".nbcompare-builder"


def compared(**options):
    """What the API gives, and how the screen spells its sentences."""
    data = nbc.datasets.load("demsar2006")
    part = {name: options.pop(name) for name in ("algorithms", "datasets") if name in options}
    return nbc.compare(data.select(**part), **options)


def expect_on_screen(page, result):
    """Wait for the result's sentences, ranks and hypotheses."""
    ranks = [f"{rank:.3f}" for rank in result.average_ranks.values()]
    page.page.wait_for_function(
        """([builder, sentences, ranks]) => {
            const text = part => document.querySelector(builder + part).textContent;
            const shown = text('').replaceAll(/\\s+/g, ' ');
            return shown.includes(sentences)
                && ranks.every(rank => text(' .nbcompare-tables').includes(rank));
        }""",
        arg=[BUILDER, " ".join(result.sentences), ranks],
    )


def fill(on, label, text):
    on.get_by_label(label, exact=True).fill(text)
    on.get_by_label(label, exact=True).press("Enter")


def narrow(page, on, label, names):
    """Choose these in the list behind a button that says how many there are."""
    on.get_by_role("button", name=f"{label}: ").click()
    page.choose(on, label, list(names))


def expect(page, result, alt, *more):
    """Wait for the result's sentences and the figure; and for more text."""
    page.page.wait_for_function(
        """([builder, texts, alt]) => {
            const root = document.querySelector(builder);
            const picture = root && root.querySelector('figure img');
            if (!picture) { return false; }
            const shown = root.textContent.replaceAll(/\\s+/g, ' ');
            return texts.every(text => shown.includes(text))
                && picture.alt === alt;
        }""",
        arg=[BUILDER, [" ".join(result.sentences), *more], alt],
    )


def run_the_code(page, on):
    """Copy the code, run it in a cell of its own, and compare; the code."""
    on.get_by_role("button", name="Copy code").click()
    on.get_by_role("button", name="Copied").wait_for()
    code = page.page.evaluate("() => navigator.clipboard.readText()")
    cell = page.add_and_run(f"{code}\nprint(result.to_json() == builder.result.to_json())")
    assert page.text_of(cell).startswith("True")
    return code


def expect_to_stay(page, title, result, alt):
    """Saved, reloaded without its kernel, and exported: the last view is there."""
    last = " ".join(result.sentences)

    def saved(text):
        left = [output["data"]["text/plain"] for output in json.loads(text)["cells"][0]["outputs"]]
        return left[1] == alt and last in " ".join(left[2].split())

    notebook = page.saved_with(saved)
    outputs = notebook.cells[0].outputs
    assert ["nbcompare-snapshot" in output.metadata for output in outputs] == [False, True, True]
    page.reload(kernel=False)
    snapshot = page.page.locator(".nbcompare-snapshot")
    snapshot.first.wait_for()
    assert page.page.locator(BUILDER).count() == 0
    page.page.get_by_text(f"As {title} last stood").wait_for()
    assert last in " ".join(snapshot.last.inner_text().split())
    assert snapshot.first.locator("img").get_attribute("alt") == alt
    for broken in page.page.get_by_text("Error displaying widget").all():
        assert not broken.is_visible()
    for exporter in (HTMLExporter(), ReportHTMLExporter()):
        exported = " ".join(html.unescape(exporter.from_notebook_node(notebook)[0]).split())
        assert exported.count(last) == 1
        assert alt in exported


def test_cd_diagram_builder(jupyter, open_notebook, tmp_path):
    page = open_notebook("builder.ipynb", MAKE)
    page.run(0)
    on = page.page.locator(BUILDER)
    picture = on.locator("figure img").first
    picture.wait_for()
    options = {
        name: value
        for name, value in nbc.recommend(nbc.datasets.load("demsar2006")).options.items()
        if name != "missing"
    }
    expect_on_screen(page, compared(**options))
    assert on.is_visible()
    # the snapshot gives way to the widget
    snapshot = page.page.locator(".nbcompare-snapshot")
    snapshot.nth(1).wait_for(state="attached")
    assert not snapshot.first.is_visible()

    def choose(label, word, *, drawn=True, **changes):
        before = picture.get_attribute("src")
        page.choose(on, label, word)
        options.update(changes)
        expect_on_screen(page, compared(**options))
        if drawn:
            page.page.wait_for_function(
                "([where, old]) => document.querySelector(where).src !== old",
                arg=[f"{BUILDER} figure img", before],
            )

    # every control, and the figure with it
    choose("Ranking", "quade", ranking="quade")
    choose("Pairs", "average ranks", pairs="ranks")
    choose("Adjustment", "Nemenyi", adjust="nemenyi")
    choose("Formulas", "as printed", formulas="printed")
    choose("Control", "C4.5+m", control="C4.5+m", adjust="holm")
    assert "Adjustment is now “Holm”, not “Nemenyi”" in on.locator("[role=status]").inner_text()
    assert "Nemenyi, Shaffer, Bergmann-Hommel: for comparisons of all pairs only" in (
        on.inner_text()
    )
    choose("Missing scores", "leave out the data set", drawn=False, missing="drop")
    on.get_by_label("Alpha", exact=True).fill("0.2")
    on.get_by_label("Alpha", exact=True).press("Enter")
    options["alpha"] = 0.2
    expect_on_screen(page, compared(**options))
    names = nbc.datasets.load("demsar2006").datasets[:11]
    on.get_by_role("button", name="Data sets: 14 of 14").click()
    page.choose(on, "Data sets", names)
    options["datasets"] = names
    expect_on_screen(page, compared(**options))
    on.get_by_role("button", name="Algorithms: 4 of 4 (k = 4)").click()
    page.choose(on, "Algorithms", ["C4.5", "C4.5+m", "C4.5+cf"])
    options["algorithms"] = ("C4.5", "C4.5+m", "C4.5+cf")
    result = compared(**options)
    expect_on_screen(page, result)
    choose("Figure", "matrix of p-values")
    page.page.wait_for_function(
        "([where, alt]) => document.querySelector(where).alt === alt",
        arg=[f"{BUILDER} figure img", nbc.plots.pvalue_matrix(result).alt],
    )
    first, second = result.hypotheses.first[-1], result.hypotheses.second[-1]
    hypothesis = on.get_by_label("Hypothesis", exact=True)
    hypothesis.select_option(index=len(result.hypotheses) - 1)
    on.get_by_text(f"{first} and {second}: z = ").wait_for()

    # a mistake is a sentence, and the old value stays
    on.get_by_label("Alpha", exact=True).fill("3")
    on.get_by_label("Alpha", exact=True).press("Enter")
    on.get_by_text("`alpha` must be a number between 0 and 1").wait_for()
    assert on.get_by_label("Alpha", exact=True).input_value() == "0.2"

    # the code, by either button, gives the same in a cell of its own
    code = run_the_code(page, on)
    page.select(0)
    on.get_by_role("button", name="Code to a new cell").click()
    page.page.wait_for_function(
        "(code) => window.jupyterapp.shell.currentWidget.content.widgets.some("
        "cell => cell.model.sharedModel.getSource() === code)",
        arg=code,
    )

    # driven from code, the controls follow
    page.add_and_run("builder.alpha = 0.125")
    options["alpha"] = 0.125
    expect_on_screen(page, compared(**options))
    assert on.get_by_label("Alpha", exact=True).input_value() == "0.125"

    # saved figures
    on.get_by_label("Save figure as").fill("mine")
    on.get_by_label("Save figure as").press("Tab")
    page.choose(on, "Format", "svg")
    on.get_by_role("button", name="Save", exact=True).click()
    on.get_by_text("Saved as mine.svg.").wait_for()
    assert (jupyter.files / "mine.svg").read_text().startswith("<?xml")

    # what is left in the file is the last view
    result = compared(**options)
    alt = nbc.plots.pvalue_matrix(result).alt
    expect_to_stay(page, "CDDiagramBuilder", result, alt)
    assert page.problems == []


FUZZY = """\
import nbcompare as nbc
experiment = nbc.datasets.load("stochastic_regression")
builder = nbc.FuzzyPValueBuilder(experiment)
builder"""


def test_fuzzy_pvalue_builder(open_notebook):
    page = open_notebook("fuzzy.ipynb", FUZZY)
    page.run(0)
    on = page.page.locator(BUILDER)
    data = nbc.datasets.load("stochastic_regression")
    options, names = {"procedure": "fuzzy"}, {}

    def expected(draw=nbc.plots.membership, **changes):
        """Wait for what the API gives with the changes."""
        options.update(changes)
        result = nbc.compare_stochastic(data.select(**names), **options)
        expect(page, result, draw(result).alt)
        return result

    expected()
    assert not on.get_by_label("Seed", exact=True).is_visible()
    page.choose(on, "Test", "sign")
    page.choose(on, "Encoding", "bootstrap-mean")
    expected(test="sign", encoding="bootstrap-mean")
    fill(on, "Coverage", "0.5")
    fill(on, "Alpha", "0.2")
    expected(coverage=0.5, alpha=0.2)
    page.choose(on, "Control", "neural network")
    page.choose(on, "Adjustment", "Finner")
    expected(control="neural network", adjust="finner")
    on.get_by_role("button", name="besides: none").click()
    page.choose(on, "Besides", ["Hommel", "Li"])
    on.get_by_role("button", name="besides: Hommel, Li").wait_for()
    expected(adjust=["finner", "hommel", "li"])
    # draws at random have two controls of their own
    page.choose(on, "Method", "resampling")
    fill(on, "Random draws", "300")
    fill(on, "Seed", "7")
    expected(method="resampling", n_resamples=300, rng=7)
    page.choose(on, "Method", "exact")
    expected(method="exact")
    on.get_by_label("Seed", exact=True).wait_for(state="hidden")
    page.choose(on, "Missing scores", "leave out the block")
    page.choose(on, "Blocks", "datasets")
    expected(missing="drop", blocks="datasets")
    # another procedure takes away what it does not take
    page.choose(on, "Procedure", "bootstrap-b")
    on.get_by_text("Test is now “as by default”, not “sign”").wait_for()
    expected(procedure="bootstrap-b", test=None, encoding=None)
    page.choose(on, "Formulas", "as printed")
    expected(formulas="printed")
    page.choose(on, "Figure", "diagram of outcomes")
    expected(nbc.plots.outcome_diagram)
    names["datasets"] = data.datasets[1:]
    narrow(page, on, "Data sets", names["datasets"])
    result = expected(nbc.plots.outcome_diagram)
    # the runs behind a pair, on a data set
    pair = "neural network – quadratic"
    outcome = result.hypotheses.outcome[1]
    page.choose(on, "Hypothesis", f"{outcome}: {pair}")
    on.get_by_text(f"neural network and quadratic: {outcome} at α = 0.2.").wait_for()
    place = data.datasets[2]
    page.choose(on, "Runs on data set", place)
    runs = nbc.plots.fold_boxplots(
        data.select(**names), "neural network", ["quadratic"], dataset=place
    )
    page.page.wait_for_function(
        "([builder, alt]) => [...document.querySelectorAll(builder + ' figure img')].at(-1).alt"
        " === alt",
        arg=[BUILDER, runs.alt],
    )
    page.choose(on, "Figure", "runs of the pair, by fold")
    expect(page, result, runs.alt)
    names["algorithms"] = ("neural network", "quadratic")
    narrow(page, on, "Algorithms", names["algorithms"])
    result = nbc.compare_stochastic(data.select(**names), **options)
    expect(page, result, runs.alt)
    code = run_the_code(page, on)
    assert code.splitlines()[-2:] == [f'    dataset="{place}",', ")"]
    expect_to_stay(page, "FuzzyPValueBuilder", result, runs.alt)
    assert page.problems == []


TREND = """\
import nbcompare as nbc
histories = nbc.datasets.load("convergence_de")
builder = nbc.PageTrendBuilder(histories)
builder"""


def test_page_trend_builder(open_notebook):
    page = open_notebook("trend.ipynb", TREND)
    page.run(0)
    on = page.page.locator(BUILDER)
    data = nbc.datasets.load("convergence_de")
    options, names = {}, {}

    def expected(**changes):
        options.update(changes)
        result = nbc.compare_convergence(data.select(**names), **options)
        expect(page, result, nbc.plots.trend_heatmap(result).alt)
        return result

    expected()
    names["algorithms"] = data.algorithms[:4]
    narrow(page, on, "Algorithms", names["algorithms"])
    names["problems"] = data.problems[:20]
    narrow(page, on, "Problems", names["problems"])
    expected()
    fill(on, "Cut-points", "5")
    page.choose(on, "Version", "basic")
    expected(cutpoints=5, version="basic")
    page.choose(on, "Null hypothesis", "page")
    fill(on, "Optimum tolerance", "1e-8")
    expected(null="page", optimum_tolerance=1e-8)
    page.choose(on, "Aggregate", "median")
    page.choose(on, "Differences", "log")
    expected(aggregate="median", differences="log")
    page.choose(on, "Adjustment", "Holm")
    fill(on, "Alpha", "0.05")
    expected(adjust="holm", alpha=0.05)
    page.choose(on, "Formulas", "as printed")
    page.choose(on, "Missing runs", "leave out the problem")
    result = expected(formulas="printed", missing="drop")

    # the ranks and curves behind a chosen cell
    faster, slower = names["algorithms"][2], names["algorithms"][0]
    option = on.locator("option", has_text=f": {faster} faster than {slower}")
    page.choose(on, "Cell", " ".join(option.text_content().split()))
    problem = names["problems"][7]
    page.choose(on, "Curves on problem", problem)
    ranks = nbc.plots.trend_ranks(result, faster, slower)
    curves = nbc.plots.convergence_curves(
        data.select(**names), problem, algorithms=(faster, slower), cutpoints=5
    )
    page.page.wait_for_function(
        "([builder, alts]) => [...document.querySelectorAll(builder + ' figure img')].slice(1)"
        ".map(image => image.alt).join() === alts.join()",
        arg=[BUILDER, [ranks.alt, curves.alt]],
    )
    on.get_by_text(f"That {faster} converges no faster than {slower} is ").wait_for()
    page.choose(on, "Figure", "curves of the cell")
    expect(page, result, curves.alt)
    page.choose(on, "Figure", "ranks of the cell")
    expect(page, result, ranks.alt)
    code = run_the_code(page, on)
    assert code.splitlines()[-1].startswith("nbc.plots.trend_ranks(result, faster=")
    expect_to_stay(page, "PageTrendBuilder", result, ranks.alt)
    assert page.problems == []


EVIL = """\
builder.experiment = nbc.Experiment.from_array(
    scores[:, :3], direction="maximize", algorithms=["best", "2", "<img src=x onerror=alert(1)>"])
builder.pair = builder.algorithms[1:]"""


def test_long_computations_leave_the_page_free(open_notebook):
    make = (
        "import numpy as np\nimport nbcompare as nbc\n"
        "scores = np.random.default_rng(1).normal(size=(40, 17)) + np.arange(17) / 5\n"
        'experiment = nbc.Experiment.from_array(scores, direction="maximize")\n'
        'builder = nbc.CDDiagramBuilder(experiment, pairs="wilcoxon", adjust="holm")\nbuilder'
    )
    page = open_notebook("long.ipynb", make)
    page.run(0)
    on = page.page.locator(BUILDER)
    on.locator("figure img").first.wait_for()
    page.choose(on, "Adjustment", "Bergmann-Hommel")
    cancel = on.get_by_role("button", name="Cancel")
    cancel.wait_for()
    assert page.text_of(page.add_and_run("print(6 * 7)")) == "42\n"  # the kernel is free
    on.get_by_text("Computing, 1 s.").wait_for()
    cancel.click()
    on.get_by_text("Cancelled. The view below is of the settings before").wait_for()
    assert not cancel.is_visible()
    assert "Holm" in on.locator("figure img").first.get_attribute("alt")
    page.choose(on, "Adjustment", "Shaffer")
    on.get_by_text("with Shaffer's adjustment").first.wait_for()

    # names of other data are text, wherever they stand
    page.page.on("dialog", lambda dialog: page.problems.append(dialog.message))
    page.add_and_run(EVIL)
    page.show(0)
    on.get_by_role("button", name="Algorithms: 3 of 3 (k = 3)").wait_for()
    on.get_by_text("2 and <img src=x onerror=alert(1)>: ").first.wait_for()
    page.choose(on, "Control", "<img src=x onerror=alert(1)>")
    on.locator(".nbcompare-tables").get_by_text("<img src=x onerror=").first.wait_for()
    assert page.page.locator('img[src="x"]').count() == 0
    assert page.problems == []
