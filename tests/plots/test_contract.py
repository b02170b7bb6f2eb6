"""What every figure of several algorithms satisfies, whatever it shows."""

import dataclasses
import json
import re
import sys
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import approved
import matplotlib as mpl
import matplotlib.style
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import nbcompare as nbc
from nbcompare import plots
from nbcompare._render.parts import DRAWING
from nbcompare.report.page.figures import Figures

ALTS = Path(__file__).with_name("alternative_texts.md")
LONG = [f"GradientBoosting_{i:02d} with a name that goes on for 60 letters!" for i in range(40)]
CJK = [f"深度學習模型之{number}號" for number in range(40)]
ARABIC = [f"RF {number} خوارزمية التعلم العميق" for number in range(40)]
HOSTILE = [
    "<script>alert(1)</script>",
    r"C4.5_m & 100% $x^2$ \input{x}",
    "#let x = 1; *_",
    "W" * 60,
]

FIGURES = {
    "rank_bars": lambda experiment, **options: plots.rank_bars(
        nbc.compare(experiment, adjust="nemenyi"), **options
    ),
    "rank_bars, control": lambda experiment, **options: plots.rank_bars(
        nbc.compare(experiment, control=experiment.algorithms[-1], adjust="bonferroni"), **options
    ),
    "pvalue_matrix": lambda experiment, **options: plots.pvalue_matrix(
        nbc.compare(experiment), **options
    ),
    "pvalue_matrix, control": lambda experiment, **options: plots.pvalue_matrix(
        nbc.compare(experiment, control=experiment.algorithms[-1]), **options
    ),
    "contrast_matrix": lambda experiment, **options: plots.contrast_matrix(
        nbc.contrast_estimation(experiment), **options
    ),
    "multi_comparison_matrix": lambda experiment, **options: plots.multi_comparison_matrix(
        nbc.compare(experiment), **options
    ),
    "multi_comparison_matrix, control": lambda experiment, **options: plots.multi_comparison_matrix(
        nbc.compare(experiment, control=experiment.algorithms[0]), **options
    ),
    "multi_comparison_matrix, raw": lambda experiment, **options: plots.multi_comparison_matrix(
        nbc.compare(experiment, scale="one", pairs="t"), pvalues="raw", **options
    ),
    "multi_comparison_matrix, scales": lambda experiment, **options: plots.multi_comparison_matrix(
        nbc.compare(experiment, scale="several"), **options
    ),
    "multi_comparison_matrix, one": lambda experiment, **options: plots.multi_comparison_matrix(
        nbc.compare(experiment), columns=experiment.algorithms[-1:], **options
    ),
    "cd_diagram, one side": lambda experiment, **options: plots.cd_diagram(
        nbc.compare(experiment, adjust="holm"),
        labels="one",
        highlight=experiment.algorithms[:1],
        **options,
    ),
    "pair_scatter": lambda experiment, **options: plots.pair_scatter(
        nbc.compare_pair(experiment, *experiment.algorithms[-2:]), **options
    ),
}
FIGURES["posterior_matrix"] = lambda experiment, **options: plots.posterior_matrix(
    nbc.compare_bayesian(experiment, rope=0.2, n_samples=200), **options
)
FIGURES["posterior_matrix, control"] = lambda experiment, **options: plots.posterior_matrix(
    nbc.compare_bayesian(experiment, rope=0, test="sign", control=experiment.algorithms[0]),
    **options,
)
FIGURES["posterior_simplex"] = lambda experiment, **options: plots.posterior_simplex(
    of_last_two(experiment, rope=0.2), *experiment.algorithms[-2:], **options
)
FIGURES["posterior_simplex, line"] = lambda experiment, **options: plots.posterior_simplex(
    of_last_two(experiment, rope=0), *experiment.algorithms[:-3:-1], **options
)
FIGURES["posterior_simplex, folds"] = lambda experiment, **options: plots.posterior_simplex(
    of_last_two(as_folds(experiment), rope=0.2, ratio=1 / 9), *experiment.algorithms[-2:], **options
)
FIGURES["interval_estimates"] = lambda experiment, **options: plots.interval_estimates(
    nbc.aggregate_runs(as_runs(experiment), scale="one", target=0, n_resamples=50), **options
)
FIGURES["improvement_matrix"] = lambda experiment, **options: plots.improvement_matrix(
    nbc.aggregate_runs(as_runs(experiment), n_resamples=50), **options
)
FIGURES["interval_forest, cross-validation"] = lambda experiment, **options: plots.interval_forest(
    nbc.compare_cv(as_folds(experiment), control=experiment.algorithms[0], ratio=1 / 9), **options
)
FIGURES["interval_forest, comparison"] = lambda experiment, **options: plots.interval_forest(
    nbc.compare(experiment, control=experiment.algorithms[0], pairs="t", margin=0.7), **options
)
FIGURES["pvalue_matrix, margin"] = lambda experiment, **options: plots.pvalue_matrix(
    nbc.compare(experiment, pairs="t", margin=2.0), **options
)
FIGURES["performance_profiles"] = plots.performance_profiles
FIGURES["performance_profiles, ratio"] = lambda experiment, **options: plots.performance_profiles(
    as_costs(experiment), **options
)
FIGURES["performance_profiles, runs"] = lambda experiment, **options: plots.performance_profiles(
    as_aggregated(experiment), **options
)
FIGURES["rank_heatmap"] = lambda experiment, **options: plots.rank_heatmap(
    nbc.describe(experiment), **options
)
FIGURES["rank_heatmap, groups"] = lambda experiment, **options: plots.rank_heatmap(
    nbc.describe(experiment), groups=in_groups(experiment), **options
)
FIGURES["measure_heatmap"] = lambda experiment, **options: plots.measure_heatmap(
    {
        "AUC": nbc.compare(experiment),
        "log loss <b>$x$</b>": nbc.compare(dataclasses.replace(experiment, direction="minimize")),
    },
    **options,
)
# Of a comparison of convergence, with how it is made; and of histories.
CONVERGENCE = {
    "trend_heatmap": (plots.trend_heatmap, {}),
    "trend_heatmap, basic": (plots.trend_heatmap, {"versions": ("basic",)}),
    "trend_heatmap, adjusted": (
        partial(plots.trend_heatmap, version="alternative"),
        {"adjust": ("bonferroni",), "null": "page"},
    ),
    "overview": (plots.overview, {}),
}
HISTORIES = {
    "runtime_distribution": lambda histories, **options: plots.runtime_distribution(
        nbc.fixed_targets(histories, targets="quantiles"), **options
    ),
    "runtime_distribution, groups": lambda histories, **options: plots.runtime_distribution(
        nbc.fixed_targets(histories, targets="quantiles"),
        groups={"first": histories.problems[:2], "rest": histories.problems[2:4]},
        **options,
    ),
    "convergence_curves": lambda histories, **options: plots.convergence_curves(
        histories, histories.problems[0], cutpoints=8, **options
    ),
    "convergence_curves, several": lambda histories, **options: plots.convergence_curves(
        histories, histories.problems[:4], **options
    ),
}
# Of results of stochastic algorithms, with how these are made and which one is the control.
STOCHASTIC = {
    "membership": (plots.membership, {"procedure": "fuzzy"}, None),
    "membership, interval": (plots.membership, {"procedure": "interval"}, None),
    "membership, control": (
        partial(plots.membership, rows=100),
        {"procedure": "fuzzy", "adjust": ()},
        -1,
    ),
    "interval_forest, means": (plots.interval_forest, {}, None),
    "interval_forest, control": (plots.interval_forest, {}, 0),
    "interval_forest, overall": (partial(plots.interval_forest, what="pvalues"), {}, None),
    "interval_forest, differences": (partial(plots.interval_forest, what="differences"), {}, 0),
    "outcome_diagram": (plots.outcome_diagram, {"slack": 0.05}, None),
    "outcome_diagram, control": (plots.outcome_diagram, {}, -1),
}
# Of plans, with how these are made.
PLANS = {
    "planning_curve": {},
    "planning_curve, control": {"control": 0, "power": 0.9, "largest": 500},
}
# These draw the clearest pairs only.
OF_SOME_PAIRS = {"membership", "membership, interval", *PLANS}
# A drawing of two algorithms is the same however many others there are.
OF_TWO = {"pair_scatter"} | {name for name in FIGURES if name.startswith("posterior_simplex")}
ALL = (*FIGURES, *STOCHASTIC, *CONVERGENCE, *HISTORIES, *PLANS)
OF_MANY = [name for name in ALL if name not in OF_TWO]
WITHOUT_VARIANTS = [name for name in ALL if ", " not in name]
SELDOM_VARIANTS = [
    pytest.param(name, marks=[pytest.mark.slow] * (", " in name)) for name in OF_MANY
]


def as_costs(experiment):
    """The scores as costs of which there are ratios."""
    scores = np.exp(experiment.scores[:, :, 0, 0].clip(-300, 300))
    return nbc.Experiment.from_array(scores, direction="minimize", algorithms=experiment.algorithms)


def as_aggregated(experiment):
    """What the figure takes of a result of repeated runs: the data sets as the runs."""
    scores = np.sort(experiment.scores[:, :, 0, 0] / 4, axis=0)
    spread = np.ptp(scores) or 1.0
    thresholds = np.linspace(scores.min() - spread / 50, scores.max() + spread / 50, 101)
    share = (scores.T[:, np.newaxis] > thresholds[:, np.newaxis]).mean(axis=2)
    half = 0.1 * (share * (1 - share)) ** 0.5
    return SimpleNamespace(
        algorithms=experiment.algorithms,
        measure="return",
        direction="maximize",
        better="higher is better",
        confidence=0.95,
        withheld="",
        design=SimpleNamespace(n_datasets=1),
        profiles=SimpleNamespace(
            thresholds=thresholds, share=share, lower=share - half, upper=share + half
        ),
    )


def in_groups(experiment):
    """Groups of data sets, of several sizes and with names of several lengths."""
    groups = ("medical", "a group that has a long name & <b>$x$</b>", "text", "image", "a, b")
    return {name: groups[i**2 % 5] for i, name in enumerate(experiment.datasets)}


def of_last_two(experiment, **options):
    """The probabilities of the last two algorithms."""
    two = experiment.select(algorithms=experiment.algorithms[-2:])
    return nbc.compare_bayesian(two, n_samples=200 if "ratio" not in options else 50_000, **options)


def as_runs(experiment):
    """Every two data sets as two runs on one."""
    scores = experiment.scores[:, :, 0, 0]
    runs = scores.reshape(-1, 2, scores.shape[1]).swapaxes(1, 2)[:, :, np.newaxis]
    return nbc.Experiment.from_array(
        runs, direction=experiment.direction, algorithms=experiment.algorithms
    )


def as_folds(experiment):
    """The data sets as the folds of one data set, as large as their comparison takes."""
    scores = experiment.scores[:, :, 0, 0].T.clip(-1e280, 1e280)
    return nbc.Experiment.from_array(
        scores[np.newaxis], direction=experiment.direction, algorithms=experiment.algorithms
    )


@pytest.fixture(scope="module")
def drawn(stochastic, convergence, histories_of, planned):
    """Give any of the figures, of an experiment."""

    def drawn(name, experiment, **options):
        if name in FIGURES:
            return FIGURES[name](experiment, **options)
        if name in HISTORIES:
            return HISTORIES[name](histories_of(experiment), **options)
        if name in PLANS:
            return plots.planning_curve(planned(experiment, **PLANS[name]), **options)
        if name in CONVERGENCE:
            draw, how = CONVERGENCE[name]
            return draw(convergence(experiment, **how), **options)
        draw, how, control = STOCHASTIC[name]
        if control is not None:
            how = how | {"control": experiment.algorithms[control]}
        return draw(stochastic(experiment, **how), **options)

    return drawn


@pytest.fixture(scope="module")
def plain(drawn, simulated):
    """Give a figure of five algorithms by name, which tests look at and leave as it is."""
    return cache(lambda name: drawn(name, simulated(30, 5)))


@pytest.fixture(
    params=[pytest.param(name, marks=[pytest.mark.weekly] * (", " in name)) for name in ALL]
)
def figure(request, drawn):
    return partial(drawn, request.param)


@pytest.mark.parametrize("name", SELDOM_VARIANTS)
@pytest.mark.parametrize(
    "k",
    [
        pytest.param(2, marks=pytest.mark.slow),
        5,
        pytest.param(14, marks=pytest.mark.slow),
        pytest.param(40, marks=pytest.mark.weekly),
    ],
)
def test_nothing_overlaps_or_is_clipped_at_any_width(
    simulated, drawn, plain, check_legible, name, k
):
    plot = plain(name) if k == 5 else drawn(name, simulated(30, k))
    check_legible(plot)
    assert plot.figure.get_figwidth() <= 7.17
    narrow = plot.narrower(3.5)
    check_legible(narrow)
    assert narrow.figure.get_figwidth() <= 3.51


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")  # a machine without fonts for CJK draws boxes
@pytest.mark.parametrize("name", SELDOM_VARIANTS)
@pytest.mark.parametrize(
    "names",
    [LONG, *(pytest.param(names, marks=pytest.mark.slow) for names in (CJK, ARABIC))],
    ids=["long", "CJK", "Arabic"],
)
@pytest.mark.parametrize("k", [5, pytest.param(40, marks=pytest.mark.weekly)])
def test_long_names(simulated, drawn, check_legible, texts_of, name, names, k):
    plot = drawn(name, simulated(30, k, names=names[:k]))
    check_legible(plot)
    check_legible(plot.narrower(3.5))
    if k == 5 and name not in OF_SOME_PAIRS:
        texts = [re.sub("[\\s\u2068\u2069]", "", text) for text in texts_of(plot)]
        assert all(any("".join(it.split()) in text for text in texts) for it in names[:k])


@pytest.mark.slow
def test_names_are_drawn_as_they_stand(simulated, figure, check_legible, texts_of):
    plot = figure(simulated(20, 4, names=HOSTILE[::-1]))
    check_legible(plot)
    assert any(HOSTILE[1] in text for text in texts_of(plot))
    assert HOSTILE[1] in plot.alt
    data, _ = plot._repr_mimebundle_()
    ElementTree.fromstring(data["image/svg+xml"])
    assert "<script" not in data["image/svg+xml"]


@pytest.mark.slow
def test_a_page_draws_it_with_every_text(simulated, figure, texts_of):
    plot = figure(simulated(20, 4, names=HOSTILE))
    record = json.loads(json.dumps(plot._repr_mimebundle_()[0][DRAWING]))
    drawing = ElementTree.fromstring(Figures().drawing(record, plot.alt))  # it is also XML
    assert drawing.get("aria-label") == plot.alt
    written = "".join("".join(drawing.itertext()).split())
    for text in texts_of(plot):
        assert all(line in written for line in text.split())
    assert len(list(drawing.iter("title"))) == len(record["marks"])


@pytest.mark.weekly
def test_two_runs_give_the_same_bytes_on_white(simulated, figure):
    experiment = simulated(20, 4)
    one, two = (figure(experiment) for _ in range(2))
    data, metadata = one._repr_mimebundle_()
    assert data == two._repr_mimebundle_()[0]
    fewer, about = one._repr_mimebundle_(exclude={"image/png", "application/pdf"})
    assert data == fewer | {kind: data[kind] for kind in ("image/png", "application/pdf")}
    assert about == {"image/svg+xml": metadata["image/svg+xml"]}
    assert data["text/plain"] == one.alt == metadata["image/png"]["alt"]
    assert one.figure.get_facecolor() == (1, 1, 1, 1)


def axes_for(number):
    """Axes of somebody's own figure, with others beside them."""
    page = Figure(figsize=(7.16, 4 + number), layout="constrained")
    mosaic = page.subplot_mosaic([[str(i), "other"] for i in range(number)], width_ratios=(3, 1))
    mosaic["other"].plot([0, 1])
    mosaic["other"].set_xticks([0.5])  # Matplotlib lets one at the edge leave the page
    return [mosaic[str(i)] for i in range(number)]


@pytest.mark.slow
def test_on_axes_that_were_given(simulated, figure, check_legible):
    experiment = simulated(20, 4)
    number = len(panels_of(figure(experiment)))
    with mpl.style.context("seaborn-v0_8-whitegrid"):
        axes = axes_for(number)
        plot = figure(experiment, ax=axes if number > 1 else axes[0])
    assert plot.ax is axes[0]
    assert plot._repr_mimebundle_() == {"text/plain": plot.alt}
    check_legible(plot)


def panels_of(plot):
    return [ax for ax in plot.figure.axes if not getattr(ax, "_colorbar", None)]


def test_only_plain_axes_are_drawn_on(simulated, figure):
    experiment = simulated(20, 4)
    for wrong in ([1], Figure(), "ax", 3, Figure().add_subplot(projection="polar")):
        with pytest.raises((TypeError, ValueError), match="`ax` must be"):
            figure(experiment, ax=wrong)


def test_its_axes_are_the_readers(simulated, figure, check_legible):
    plot = figure(simulated(20, 4))
    for ax in panels_of(plot):
        if not ax.axison:
            continue
        x, y = ax.get_xlim(), ax.get_ylim()
        line = ax.axhline(sum(y) / 2)
        ax.annotate("here", (sum(x) / 2, sum(y) / 2))
        ax.set_xlabel("mine")
        ax.set_xlim(x[0], x[0] + (x[1] - x[0]) / 2)
        plot.figure.draw_without_rendering()
        low, high = sorted((ax.bbox.y0, ax.bbox.y1))
        assert low < line.get_window_extent().y0 < high
        assert ax.xaxis.label.get_window_extent().height > 0


@pytest.mark.slow
def test_it_honours_style_sheets_and_sizes_of_fonts(simulated, figure, check_legible):
    with mpl.rc_context({"font.size": 14.0, "text.color": "navy"}):
        plot = figure(simulated(20, 3))
        assert max(text.get_fontsize() for text in plot.figure.findobj(Text)) > 11
        check_legible(plot)


@pytest.mark.slow
def test_its_caption_is_left_out_on_request(simulated, figure, texts_of):
    experiment = simulated(20, 4)
    plot = figure(experiment)
    with_caption, without = (set(texts_of(it)) for it in (plot, figure(experiment, title=False)))
    assert without < with_caption
    assert plot.artists["caption"]


@pytest.mark.parametrize("name", WITHOUT_VARIANTS)
def test_is_frozen_and_leaves_pyplot_alone(plain, name):
    plot = plain(name)
    with pytest.raises(dataclasses.FrozenInstanceError):
        plot.alt = "x"
    with pytest.raises(TypeError):
        plot.artists["cells"] = ()
    if "matplotlib.pyplot" in sys.modules:
        assert sys.modules["matplotlib.pyplot"].get_fignums() == []


@pytest.mark.parametrize("value", [0.0, pytest.param(1e100, marks=pytest.mark.slow)])
def test_equal_scores(figure, check_legible, value):
    scores = [[value] * 3] * 4
    check_legible(figure(nbc.Experiment.from_array(scores, direction="maximize")))


@pytest.mark.weekly
def test_enormous_drawings_are_kept_to_a_size_that_fits_memory(simulated):
    width, height = FIGURES["pvalue_matrix"](simulated(5, 200)).figure.get_size_inches()
    assert max(width, height) <= 40


@pytest.mark.parametrize(
    ("draw", "options", "law"),
    [
        (plots.rank_bars, {"pairs": "wilcoxon"}, "exact p"),
        (plots.rank_bars, {"pairs": "ranks", "control": "C4.5"}, "exact p"),
        (plots.rank_bars, {"formulas": "printed"}, "p by the normal law"),
        (plots.cd_diagram, {"adjust": "nemenyi"}, "p by the normal law"),
        (plots.pvalue_matrix, {"formulas": "printed"}, "p by the normal law"),
        (plots.multi_comparison_matrix, {"pairs": "t"}, "p by Student's t"),
    ],
)
def test_a_figure_of_a_comparison_says_which_law_gave_p(texts_of, draw, options, law):
    result = nbc.compare(nbc.datasets.load("demsar2006"), **options)
    assert f"({law}, {result.adjustment}, α" in " ".join(str(result.section("hypotheses")).split())
    plot = draw(result)
    assert f"{law}, {result.adjustment}, α = 0.05" in plot.alt.partition(". ")[0]
    drawn = " ".join(texts_of(plot))
    assert f"{law}, {result.adjustment}, α = 0.05" in " ".join(drawn.split())


def test_figures_of_several_comparisons_say_which_law_gave_p(texts_of):
    data = nbc.datasets.load("demsar2006")
    kind = {name: "first" if i < 8 else "rest" for i, name in enumerate(data.datasets)}
    groups = nbc.compare_by(data, by=kind, pairs="ranks")
    normal = dataclasses.replace(groups.groups["rest"], method="normal")
    mixed = dataclasses.replace(groups, groups={**groups.groups, "rest": normal})
    for result, law in ((groups, "exact p"), (mixed, "exact p or p by the normal law")):
        plot = plots.cd_diagrams(result)
        assert f"({law}, Bergmann" in plot.alt.partition(": ")[0]
        assert any(f"{law}, " in text for text in texts_of(plot))
    plot = plots.sensitivity(nbc.sensitivity(data))
    assert "exact p, Holm, α = 0.05" in plot.alt.partition(". ")[0]


@pytest.mark.slow
def test_alternative_texts_are_those_that_were_approved(simulated, drawn):
    """NBCOMPARE_APPROVE=1 writes them, to be read before they are committed."""
    experiment = simulated(12, 3, spread=3)
    found = {name: drawn(name, experiment).alt for name in ALL}
    made = {name: lambda text=text: text for name, text in found.items()}
    approved.write(ALTS, "What figures say", made)
    assert found == approved.texts_in(ALTS)


@pytest.mark.parametrize("name", WITHOUT_VARIANTS)
def test_its_caption_is_in_the_alternative_text(simulated, drawn, plain, name):
    """A page may write the first sentence below a figure that has no caption."""
    plot = drawn(name, simulated(30, 14)) if name in OF_SOME_PAIRS else plain(name)
    words = re.findall(r"[\w.%]+", plot.artists["caption"][0].get_text())
    said = re.findall(r"[\w.%]+", re.split(r"\)\.\s(?=[A-Z0-9])", plot.alt)[0])
    assert set(words) <= set(said)
