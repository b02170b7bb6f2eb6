"""Controls: several procedures, odd names, numbers with all of their digits."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.widgets import CDDiagramBuilder, FuzzyPValueBuilder, PageTrendBuilder, PlanBuilder
from nbcompare.widgets._figure import LiveFigure

EVIL = "<img src=x onerror=alert(1)>"
ODD = ("best", "none: all pairs", "the best ranked", "3", "$x$ & <b>", EVIL, "“none: all pairs”")


def odd_experiment():
    scores = np.random.default_rng(4).normal(size=(9, len(ODD))) + np.arange(len(ODD)) / 2
    names = [*ODD[1:], "None", "auto", ODD[0]]
    return nbc.Experiment.from_array(
        scores, direction="maximize", algorithms=ODD, datasets=[f"{n} {EVIL}" for n in names]
    )


def evil_histories():
    steps = np.random.default_rng(2).exponential(size=(4, 3, 4, 12)) * [[[[1]], [[2]], [[3]]]]
    return nbc.Histories.from_array(
        100 - np.cumsum(steps, axis=3),
        evaluations=np.arange(1, 13) * 10,
        direction="minimize",
        problems=[f"{n} {EVIL}" for n in range(4)],
        algorithms=["slow", "$x$", EVIL],
    )


def evil_runs():
    runs = np.random.default_rng(5).normal(size=(5, 3, 2, 4)) + np.arange(3)[:, None, None]
    return nbc.Experiment.from_array(
        runs, direction="minimize", algorithms=["slow", "$x$", EVIL], datasets=[*"1234", EVIL]
    )


@pytest.mark.slow
def test_several_procedures_are_shown_and_the_first_decides():
    builder = CDDiagramBuilder(nbc.datasets.load("demsar2006"), adjust=["nemenyi", "holm"])
    screen = builder._live.open()
    control = screen.controls["adjust"]
    assert control.chosen == "Nemenyi, Holm"
    assert '"p, Nemenyi"' in screen.tables.content
    builder.control = "C4.5"
    assert builder.adjust == "holm"
    assert "Adjustment is now “Holm”, not “Nemenyi, Holm”: such procedures" in screen.message.value
    control.arrive({"index": control.words.index(None)})
    assert builder.adjust is None


@pytest.mark.slow
def test_odd_names_are_told_apart_and_stay_text():
    builder = CDDiagramBuilder(odd_experiment(), control="best")
    screen = builder._live.open()
    control = screen.controls["control"]
    assert len(set(control.options)) == len(control.options) == 1 + len(ODD)
    for name in (*ODD, None):
        control.arrive({"index": control.words.index(name)})
        assert builder.control == name
        assert control.chosen == control.options[control.words.index(name)]
        assert control.index == control.words.index(name)
    builder.control = "3"
    space = {"experiment": builder.experiment}
    exec(builder.code, space)
    assert space["result"].to_json() == builder.result.to_json()


@pytest.mark.slow
@pytest.mark.parametrize(
    "builder",
    [
        lambda: CDDiagramBuilder(odd_experiment(), datasets=None),
        lambda: FuzzyPValueBuilder(evil_runs(), pair=("slow", EVIL)),
        lambda: PlanBuilder(evil_runs(), control="slow", largest=12),
        lambda: PageTrendBuilder(evil_histories(), pair=("slow", EVIL)),
    ],
)
def test_names_are_text_wherever_they_stand(builder):
    builder = builder()
    screen = builder._live.open()
    bundles = [data for data, _ in builder._live.bundles(screen)]
    texts = [screen.sentences, screen.told]  # tables and code are texts in the page
    figures = [element for element in screen.root.elements() if isinstance(element, LiveFigure)]
    assert len(figures) > 1
    values = [element.value for element in texts] + [figure.drawing["svg"] for figure in figures]
    values += [bundle["text/html"] for bundle in bundles]
    assert any("&lt;img src=x" in value for value in values)
    screen.say([f"no {EVIL}"])
    for value in (*values, screen.message.value):
        assert "<img src=x" not in value
        assert value.count("<img") == value.count('<img src="data:image/svg+xml;base64,')
    # MathJax keeps off names with dollars, in the details too
    assert 'class="nbcompare tex2jax_ignore mathjax_ignore"' in screen.told.value


def test_numbers_keep_their_digits():
    builder = FuzzyPValueBuilder(
        evil_runs(), procedure="bootstrap-b", method="resampling", n_resamples=50
    )
    screen = builder._live.open()
    seed = screen.controls["rng"]
    seed.arrive({"value": "12345678901234567"})
    assert builder.rng == 12345678901234567
    assert seed.value == "12345678901234567"
    builder.rng = 1_234_567
    assert seed.value == "1234567"
    builder.coverage = 0.87654321
    assert screen.controls["coverage"].value == "0.87654321"
    seed.arrive({"value": "soon"})
    assert "“Seed” must be a whole number of at least 0; got " in screen.message.value
    assert seed.value == "1234567"
    seed.arrive({"value": " "})
    assert builder.rng is None
