"""FuzzyPValueBuilder where it lives: in a page of JupyterLab."""

import pytest

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
experiment = nbc.datasets.load("stochastic_regression")
builder = nbc.FuzzyPValueBuilder(experiment)
builder"""


def test_fuzzy_pvalue_builder(open_builder):
    builder = open_builder("fuzzy_pvalue.ipynb", MAKE)
    on = builder.on
    data = nbc.datasets.load("stochastic_regression")
    options, names = {"procedure": "fuzzy"}, {}

    def expected(draw=nbc.plots.membership, **changes):
        """Wait for what the API gives with the changes."""
        options.update(changes)
        result = nbc.compare_stochastic(data.select(**names), **options)
        builder.expect(result, draw(result).alt)
        return result

    expected()
    assert not builder.field("Seed").is_visible()
    builder.choose("Test", "sign test")
    builder.choose("Encoding", "interval of the bootstrapped mean")
    expected(test="sign", encoding="bootstrap-mean")
    builder.fill("Coverage", "0.5")
    builder.fill("Alpha", "0.2")
    expected(coverage=0.5, alpha=0.2)
    builder.choose("Control", "neural network")
    builder.choose("Adjustment", "Finner")
    expected(control="neural network", adjust="finner")
    builder.choose("Missing scores", "leave out the data set")
    builder.choose("Blocks", "data sets")
    expected(missing="drop", blocks="datasets")
    # another procedure takes away what it does not take
    builder.choose("Procedure", "Bootstrap-B")
    on.get_by_text("Test is now “default”, not “sign test”").wait_for()
    expected(procedure="bootstrap-b", test=None, encoding=None)
    builder.choose("Formulas", "as printed")
    expected(formulas="printed")
    # draws at random have two controls of their own
    builder.choose("Method", "random draws")
    builder.fill("Random draws", "300")
    builder.fill("Seed", "7")
    expected(method="resampling", n_resamples=300, rng=7)
    builder.choose("Method", "exact")
    expected(method="exact")
    builder.field("Seed").wait_for(state="hidden")
    builder.choose("Figure", "diagram of outcomes")
    expected(nbc.plots.outcome_diagram)
    names["datasets"] = data.datasets[1:]
    builder.narrow("Data sets", names["datasets"])
    result = expected(nbc.plots.outcome_diagram)
    # the runs behind a pair, on a data set
    pair = "quadratic – neural network"
    option = on.locator("option", has_text=f": {pair}")
    builder.choose("Pair", " ".join(option.text_content().split()))
    place = data.datasets[2]
    builder.choose("Runs on data set", place)
    beside = {"algorithm": "neural network", "others": ["quadratic"], "dataset": place}
    runs = nbc.plots.fold_boxplots(data.select(**names), **beside)
    builder.expect_details(runs.alt)
    names["algorithms"] = ("neural network", "quadratic")
    builder.narrow("Algorithms", names["algorithms"])
    result = nbc.compare_stochastic(data.select(**names), **options)
    runs = nbc.plots.fold_boxplots(data.select(**names), **beside)
    diagram = nbc.plots.outcome_diagram(result)
    builder.expect(result, diagram.alt)
    builder.expect_details(runs.alt)
    code = builder.run_copied()
    assert code.splitlines()[-1] == "nbc.plots.outcome_diagram(result)"
    builder.expect_to_stay("FuzzyPValueBuilder", result, diagram.alt)
    assert builder.problems == []
