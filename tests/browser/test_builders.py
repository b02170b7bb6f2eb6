"""Builders where they live: in the pages of JupyterLab and Notebook 7."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import nbcompare as nbc

pytestmark = pytest.mark.browser

# a helper beside the tests, which are no package; `jupyter` is a module of Jupyter's too
_SPEC = importlib.util.spec_from_file_location(
    "browser_jupyter", Path(__file__).with_name("jupyter.py")
)
jupyter_app = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(jupyter_app)

MAKE = """\
import nbcompare as nbc
experiment = nbc.datasets.load("demsar2006")
builder = nbc.CDDiagramBuilder(experiment)
builder"""
BUILDER = ".nbcompare-builder"


@pytest.fixture(scope="module", params=jupyter_app.APPS)
def jupyter(request, browser, tmp_path_factory):
    """A running server; without a browser there is none to start."""
    app = jupyter_app.Jupyter(request.param, tmp_path_factory.mktemp(request.param)).start()
    yield app
    app.stop()


@pytest.fixture
def open_notebook(jupyter, browser):
    pages = []

    def open_notebook(name, *cells, **options):
        jupyter.write(name, *cells)
        pages.append(jupyter_app.Page(jupyter, browser, name, **options))
        return pages[-1]

    yield open_notebook
    for page in pages:
        page.close()


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
        on.get_by_label(label, exact=True).select_option(label=word)
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
    on.get_by_label("Data sets", exact=True).select_option(label=list(names))
    options["datasets"] = names
    expect_on_screen(page, compared(**options))
    on.get_by_role("button", name="Algorithms: 4 of 4 (k = 4)").click()
    on.get_by_label("Algorithms", exact=True).select_option(label=["C4.5", "C4.5+m", "C4.5+cf"])
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
    on.get_by_role("button", name="Copy code").click()
    on.get_by_role("button", name="Copied").wait_for()
    code = page.page.evaluate("() => navigator.clipboard.readText()")
    cell = page.add_and_run(f"{code}\nprint(result.to_json() == builder.result.to_json())")
    assert page.text_of(cell).startswith("True")
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
    on.get_by_label("Format", exact=True).select_option(label="svg")
    on.get_by_role("button", name="Save", exact=True).click()
    on.get_by_text("Saved as mine.svg.").wait_for()
    assert (jupyter.files / "mine.svg").read_text().startswith("<?xml")

    # what is left in the file is the last view
    result = compared(**options)
    last = " ".join(result.sentences)
    notebook = page.saved_with(lambda text: "    alpha=0.125," in text)
    outputs = notebook.cells[0].outputs
    assert ["nbcompare-snapshot" in output.metadata for output in outputs] == [False, True, True]

    # reloaded without its kernel, the snapshot stands in the place of the widget
    page.reload(kernel=False)
    page.page.locator(".nbcompare-snapshot").first.wait_for()
    assert page.page.locator(BUILDER).count() == 0
    page.page.get_by_text("As CDDiagramBuilder last stood").wait_for()
    assert last in page.page.locator(".nbcompare-snapshot").last.inner_text()
    for broken in page.page.get_by_text("Error displaying widget").all():
        assert not broken.is_visible()

    # exported, by Jupyter and by ourselves
    for target in ("html", "nbcompare"):
        exported = export(jupyter.files / "builder.ipynb", target, tmp_path)
        assert exported.count(last[:60]) == 1
        assert nbc.plots.pvalue_matrix(result).alt[:60] in exported
    assert page.problems == []


def export(file, target, folder):
    """The text that nbconvert makes of a notebook."""
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", target, str(file)]
    command += ["--output-dir", str(folder), "--output", f"by_{target}"]
    subprocess.run(command, check=True, capture_output=True)
    return " ".join((folder / f"by_{target}.html").read_text(encoding="utf-8").split())


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
    on.get_by_label("Adjustment", exact=True).select_option(label="Bergmann-Hommel")
    cancel = on.get_by_role("button", name="Cancel")
    cancel.wait_for()
    assert page.text_of(page.add_and_run("print(6 * 7)")) == "42\n"  # the kernel is free
    on.get_by_text("Computing, 1 s.").wait_for()
    cancel.click()
    on.get_by_text("Cancelled. The view below is of the settings before").wait_for()
    assert not cancel.is_visible()
    assert "Holm" in on.locator("figure img").first.get_attribute("alt")
    on.get_by_label("Adjustment", exact=True).select_option(label="Shaffer")
    on.get_by_text("with Shaffer's adjustment").wait_for()
    assert page.problems == []
