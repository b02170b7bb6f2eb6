"""CDDiagramBuilder driven through its traits, without a screen."""

import functools

import pytest
from traitlets import TraitError

import nbcompare as nbc
from nbcompare.widgets import CDDiagramBuilder

ARGUMENTS = ("ranking", "control", "pairs", "adjust", "alpha", "formulas", "missing")


def test_begins_with_what_is_recommended(demsar):
    builder = CDDiagramBuilder(demsar)
    advice = nbc.recommend(demsar)
    assert (builder.ranking, builder.pairs, builder.adjust, builder.method) == ("auto",) * 4
    assert builder.missing == advice.missing == "raise"
    result = builder.result
    assert result.to_json() == nbc.compare(demsar).to_json()
    assert (result.ranking, result.pairs) == (advice.ranking, advice.pairs)
    assert result.adjust == (advice.adjust,)
    assert builder.experiment is demsar


def test_what_is_recommended_depends_on_what_is_given(demsar, make):
    builder = CDDiagramBuilder(demsar, control="C4.5", alpha=0.1)
    advice = nbc.recommend(demsar, control="C4.5", alpha=0.1)
    assert builder.adjust == "auto"
    assert builder.result.adjust == (advice.adjust,) == ("holm",)
    builder.control, builder.scale = None, "several"
    assert builder.result.pairs == "exchange"
    assert builder.result.adjust == ("bergmann-hommel",)
    gaps = CDDiagramBuilder(make(6, 3, missing=[(0, 1)]))
    assert gaps.missing == "skillings-mack"
    # of the selected data sets none has a gap
    part = CDDiagramBuilder(gaps.experiment, datasets=gaps.experiment.datasets[1:])
    assert part.missing == "raise"


def test_each_setting_reaches_the_result(demsar):
    builder = CDDiagramBuilder(demsar, ranking="friedman", pairs="ranks", adjust="holm")
    told = []
    builder.observe(lambda change: told.append((change.name, change.new)))
    for name, value in (
        ("ranking", "quade"),
        ("pairs", "t"),
        ("control", "C4.5+m"),
        ("adjust", ["finner", "hommel"]),
        ("alpha", 0.2),
        ("formulas", "printed"),
        ("missing", "drop"),
        ("datasets", demsar.datasets[:9]),
        ("algorithms", demsar.algorithms[1:]),
    ):
        setattr(builder, name, value)
    assert [name for name, _ in told][:3] == ["ranking", "pairs", "control"]
    part = demsar.select(datasets=demsar.datasets[:9], algorithms=demsar.algorithms[1:])
    expected = nbc.compare(
        part,
        ranking="quade",
        pairs="t",
        control="C4.5+m",
        adjust=["finner", "hommel"],
        alpha=0.2,
        formulas="printed",
        missing="drop",
    )
    assert builder.result.to_json() == expected.to_json()
    assert builder.result is builder.result


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("ranking", "freedman", "`ranking` must be 'auto', 'friedman', 'aligned' or 'quade'"),
        ("alpha", 5, "`alpha` must be a number between 0 and 1, exclusive; got 5."),
        ("control", "CN2", "`control` must be one of 'C4.5', "),
        ("adjust", ["holm", "holm"], "`adjust` must not name one twice; got 'holm' and 'holm'."),
        ("adjust", 3, "`adjust` must be 'auto', 'bonferroni', "),
        ("algorithms", ["C5"], "`algorithms` must be one of 'C4.5', "),
        ("datasets", [], "`datasets` must name at least one of "),
        ("pair", ("C4.5", "C4.5"), "`pair` must be two different algorithms"),
        ("view", "pie", "`view` must be 'cd', 'matrix' or 'bars'; got"),
        ("adjust", "nemenyi", "`adjust` must not be 'nemenyi' here: the procedure needs "),
    ],
)
def test_a_bad_value_names_its_trait_and_leaves_the_old_one(demsar, name, value, message):
    builder = CDDiagramBuilder(demsar, pairs="wilcoxon")
    before = getattr(builder, name)
    with pytest.raises(TraitError) as caught:
        setattr(builder, name, value)
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, ValueError)
    assert getattr(builder, name) == before
    with pytest.raises(ValueError, match=f"`{name}`"):
        CDDiagramBuilder(demsar, pairs="wilcoxon", **{name: value})


def test_other_mistakes(demsar):
    with pytest.raises(TypeError, match="CDDiagramBuilder has no setting 'colour'; it has "):
        CDDiagramBuilder(demsar, colour="red")
    with pytest.raises(TypeError, match="`experiment` must be an Experiment; got int"):
        CDDiagramBuilder(3)


def test_a_choice_gives_way_to_a_later_one_and_says_so(demsar):
    builder = CDDiagramBuilder(demsar, adjust="shaffer")
    builder.control = "C4.5"
    assert builder.adjust == "auto"
    assert builder.result.adjust == ("holm",)
    assert builder._model.choices.notices == [
        "Adjustment is now “auto (as recommended)”, not “Shaffer”: such procedures are for "
        "comparisons of all pairs, and there is a control."
    ]
    builder.algorithms = demsar.algorithms[1:]
    assert builder.control is None
    builder.alpha = 0.1
    assert builder._model.choices.notices == []


def test_a_margin_goes_with_tests_that_give_intervals(demsar):
    builder = CDDiagramBuilder(demsar)
    assert builder.margin is None
    builder.margin = 0.05
    expected = nbc.compare(demsar, margin=0.05)
    assert builder.result.to_json() == expected.to_json()
    assert "nbc.compare(experiment, margin=0.05)" in builder.code
    assert f"{expected.hypotheses.outcome[0]}" in builder._model.details().shown[0]
    with pytest.raises(TraitError, match="`margin` must be a number above 0; got -1"):
        builder.margin = -1
    assert builder.margin == 0.05
    builder.pairs = "ranks"
    assert builder.margin is None
    (notice,) = builder._model.choices.notices
    assert notice.startswith("Margin is now “none”, not “0.05”: it is compared with intervals")
    with pytest.raises(TraitError, match=r"`margin` must not be 0\.05 here"):
        builder.margin = 0.05


def test_several_settings_as_one(demsar):
    builder = CDDiagramBuilder(demsar, adjust="shaffer")
    with builder.hold():
        builder.adjust = "finner"
        builder.control = "C4.5"
    assert (builder.control, builder.adjust) == ("C4.5", "finner")
    assert builder._model.choices.notices == []

    def together():
        with builder.hold():
            builder.alpha = 0.2
            builder.adjust = "nemenyi"

    with pytest.raises(TraitError, match="`adjust` must not be 'nemenyi' here"):
        together()
    assert (builder.alpha, builder.adjust) == (0.05, "finner")


def test_selections_keep_the_order_of_the_data(demsar):
    builder = CDDiagramBuilder(demsar)
    builder.algorithms = reversed(demsar.algorithms[:3])
    assert builder.algorithms == demsar.algorithms[:3]
    builder.algorithms = None
    assert builder.selection is demsar


def test_data_that_cannot_be_compared_are_an_error_of_the_result_alone(demsar):
    builder = CDDiagramBuilder(demsar)
    builder.algorithms = demsar.algorithms[:1]
    with pytest.raises(nbc.DataError, match="at least 2 algorithms to compare; got 1"):
        _ = builder.result
    assert builder.code.endswith("\nresult")
    builder.algorithms = demsar.algorithms
    assert builder.result.design.n_datasets == 14


def test_other_data(demsar, make):
    builder = CDDiagramBuilder(demsar, control="C4.5", pair=("C4.5", "C4.5+m"))
    builder.experiment = make(8, 3)
    assert (builder.control, builder.algorithms) == (None, ("A1", "A2", "A3"))
    assert builder.pair is None
    assert builder._model.choices.notices[0].startswith(
        "Control is now “none: all pairs”, not “C4.5”: "
    )
    assert builder.result.design.n_datasets == 8


def test_views_are_the_figures_of_the_result(demsar):
    builder = CDDiagramBuilder(demsar)
    for view, draw in (("bars", nbc.plots.rank_bars), ("matrix", nbc.plots.pvalue_matrix)):
        builder.view = view
        assert builder.figure.alt == draw(builder.result).alt
        assert builder.figure is builder.figure
        assert builder.code.endswith(f"nbc.plots.{draw.__name__}(result)")


def test_the_matrix_stands_in_for_a_diagram_of_too_many_groups(make):
    builder = CDDiagramBuilder(make(40, 5), pairs="ranks", adjust="holm")
    result = builder.result
    # a comparison with so many groups, without the data that make them
    many = nbc.results.from_json(result.to_json())
    object.__setattr__(many, "groups", None)
    builder._model.results[builder._model.key()] = many
    assert builder.figure.alt == nbc.plots.pvalue_matrix(result).alt
    assert builder._model.instead_of_figure() == [
        "The figure is “matrix of p-values”, not “CD diagram”: there are more than 200 groups."
    ]


# ------------------------------------------------------------------------------------ rules

WORDS = {
    "ranking": ("friedman", "aligned", "quade", "auto"),
    "pairs": ("ranks", "wilcoxon"),  # "t" is of the scores too
    "control": (None, "A2"),
    "adjust": ("holm", "nemenyi", "shaffer", "bergmann-hommel", "auto"),
    "formulas": ("corrected", "printed"),
    "margin": (None, 0.5),
    "missing": ("raise", "drop", "skillings-mack"),
}
GAPS = [(0, 1), (3, 0), (3, 2)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "k", "missing"), [(7, 3, ()), (9, 3, GAPS), (5, 3, [(i, i % 3) for i in range(4)])]
)
def test_available_is_what_compare_accepts(make, offered_or_accepted, n, k, missing):
    data = make(n, k, missing=missing)
    builder, compare = CDDiagramBuilder(data), functools.partial(nbc.compare, data)
    assert offered_or_accepted(builder, compare, WORDS) == []


def test_bergmann_and_hommel_with_many_algorithms(make):
    data = make(20, 18)
    builder = CDDiagramBuilder(data, pairs="ranks", adjust="bergmann-hommel")
    builder.pairs = "exchange"
    assert builder.adjust == "auto"
    assert builder.result.adjust == ("shaffer",)
    with pytest.raises(ValueError, match="'bergmann-hommel' here: with more than 17"):
        nbc.compare(data, pairs="exchange", adjust="bergmann-hommel")


# ------------------------------------------------------------------------------ one pair


def test_the_selected_pair_is_told_in_full(demsar):
    builder = CDDiagramBuilder(demsar, adjust=["holm", "shaffer"])
    table = builder.result.to_frame()
    entries = dict(builder._model.details().entries)
    assert set(entries) == set(zip(table["first"], table["second"], strict=True))
    assert entries["C4.5+m", "C4.5"].startswith("p, Holm 0.0469: C4.5+m – C4.5")
    builder.pair = ("C4.5+cf", "C4.5")
    row = table.set_index(["first", "second"]).loc[("C4.5+cf", "C4.5")]
    sentence, scatter = builder._model.details().shown
    for told in (
        "C4.5+cf and C4.5: difference ",
        f"p, Holm {row.holm:.4f}; p, Shaffer {row.shaffer:.4f}; significant no.",
        f"effect size {row.effect_size:.2f}; W/T/L {row.wins}/{row.ties}/{row.losses}; ",
    ):
        assert told in sentence
    expected = nbc.plots.pair_scatter(nbc.compare_pair(demsar, "C4.5+cf", "C4.5"))
    assert scatter.alt == expected.alt
    builder.control = "C4.5+m"  # the pair is no hypothesis, and the nearest one stands in
    assert builder._model.details().pair == ("C4.5+m", "C4.5")
