"""Data sets left out by hand: what becomes of a pair."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.widgets import CDDiagramBuilder
from nbcompare.widgets._leave_out import rest_of, scatter_of, task_without, told_without


def told(builder, names):
    pair = builder._model.details().value
    after = task_without(builder._model, names).run()
    return told_without(builder.result, after, pair, names), pair


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"adjust": ["holm", "shaffer"], "alpha": 0.1},
        {"pairs": "ranks", "ranking": "quade"},
        {"control": "C4.5+cf", "missing": "drop"},
        {"algorithms": ("C4.5", "C4.5+m", "C4.5+m+cf"), "alpha": 0.3},
    ],
)
def test_the_result_without_is_that_of_the_same_call(demsar, options):
    builder = CDDiagramBuilder(demsar, **options)
    before = builder.settings
    names = demsar.datasets[2:5]
    text, pair = told(builder, names)
    rest = [name for name in demsar.datasets if name not in names]
    asked = {name: value for name, value in options.items() if name != "algorithms"}
    part = demsar.select(datasets=rest, algorithms=options.get("algorithms"))
    tables = [builder.result.to_frame(), nbc.compare(part, **asked).to_frame()]
    rows = [table[(table["first"] == pair[0]) & (table["second"] == pair[1])] for table in tables]
    (old, new) = (row.iloc[0] for row in rows)
    procedure = builder.result.adjust[0]
    assert text.startswith(
        f"Without 3 data sets (breast cancer wisconsin, cmc and ionosphere), p = {old.pvalue:.4f} "
        f"becomes p = {new.pvalue:.4f}, and adjusted p = {old[procedure]:.4f} becomes p = "
        f"{new[procedure]:.4f} ("
    )
    alpha = builder.alpha
    was, now = old[procedure] <= alpha, new[procedure] <= alpha
    assert ("The decision changes: " in text, "The decision stays: " in text) == (
        was != now,
        was == now,
    )
    words = {
        (True, True): "is still significant",
        (True, False): "is no longer significant",
        (False, True): "is now significant",
        (False, False): "is still not significant",
    }
    assert f"performed equally {words[was, now]} at α = {alpha:g}." in text
    adjusted = [table[procedure] <= alpha for table in tables]
    changed = int((adjusted[0] != adjusted[1]).sum()) - (was != now)
    others = len(tables[0]) - 1
    if others > 1:
        assert f"Of the other {others} decisions, {changed or 'none'} change" in text
    assert builder.settings == before  # nothing is written to them


def test_a_decision_that_changes_and_one_that_stays(demsar):
    builder = CDDiagramBuilder(demsar)
    text, pair = told(builder, ["lymphography"])
    assert pair == ("C4.5+m", "C4.5")
    assert "Without 1 data set (lymphography), p = " in text
    assert "no longer significant" in text
    assert "The decision stays" in told(CDDiagramBuilder(demsar, alpha=0.5), ["lymphography"])[0]


def test_one_hypothesis_is_not_adjusted(demsar):
    builder = CDDiagramBuilder(demsar, algorithms=["C4.5", "C4.5+m"])
    text, _ = told(builder, demsar.datasets[:2])
    assert "adjusted" not in text
    assert "other" not in text


def test_another_test_is_told():
    # one data set in another unit is too few to count, as long as there are many others
    scores = np.random.default_rng(0).random((12, 3))
    scores[0] *= 1e-9
    data = nbc.Experiment.from_array(scores, direction="minimize")
    builder = CDDiagramBuilder(data)
    text, _ = told(builder, data.datasets[7:])
    assert builder.result.pairs == "wilcoxon"
    assert nbc.compare(data.select(datasets=data.datasets[:7])).pairs == "exchange"
    assert text.endswith(
        "Pairs are then tested by the exchange test, not by Wilcoxon's signed-rank test, as "
        "recommended for such data."
    )


def test_the_best_may_be_another_one_then(demsar):
    builder = CDDiagramBuilder(demsar, control="best")
    assert builder.result.control == "C4.5+m+cf"
    text, _ = told(builder, demsar.datasets[:1])
    assert text == (
        "Without 1 data set (adult (sample)), C4.5+m+cf and C4.5 are not compared: the control, "
        "which is the best ranked algorithm, is then C4.5+m."
    )


def test_too_few_remain(demsar):
    model = CDDiagramBuilder(demsar)._model
    assert rest_of(model, demsar.datasets[1:]) == demsar.datasets[:1]
    with pytest.raises(nbc.DataError, match="at least 2 data sets"):
        task_without(model, demsar.datasets[1:]).run()
    with pytest.raises(ValueError, match="no data set remains"):
        task_without(model, demsar.datasets)


def test_the_scatter_has_a_point_per_data_set_of_the_comparison(demsar, make):
    for builder in (
        CDDiagramBuilder(demsar, datasets=demsar.datasets[:9]),
        CDDiagramBuilder(make(9, 3, missing=[(0, 1), (4, 2)]), missing="drop"),
    ):
        details = builder._model.details()
        used = builder.result.design.datasets
        pair = nbc.compare_pair(builder.experiment.select(datasets=used), *details.value)
        assert details.scatter.alt == nbc.plots.pair_scatter(pair).alt
    gaps = CDDiagramBuilder(make(9, 3, missing=[(0, 1), (4, 2)]))
    assert gaps.missing == "skillings-mack"
    expected = nbc.compare_pair(gaps.experiment, "A1", "A3", missing="drop")
    assert scatter_of(gaps._model, ("A1", "A3")).alt == nbc.plots.pair_scatter(expected).alt
    assert " on 8 data sets" in scatter_of(gaps._model, ("A1", "A3")).alt


# --------------------------------------------------------------------------- on the screen


def opened(builder):
    return builder._live.open().scatter


def message(scatter, **content):
    scatter.brush._handle_custom_msg(content, [])


@pytest.mark.slow
def test_what_is_brushed_is_told_and_changes_nothing(demsar, in_loop, until):
    async def brush():
        builder = CDDiagramBuilder(demsar)
        scatter = opened(builder)
        assert set(scatter.brush.points) == set(demsar.datasets)
        assert scatter.brush.told == ""
        before, code = builder.settings, builder.code
        scatter.brush.brushed = ["cmc", "rheum"]
        await until(lambda: scatter.brush.told)
        assert scatter.brush.told == told(builder, ("cmc", "rheum"))[0]
        assert (builder.settings, builder.code) == (before, code)
        assert not builder.steps.can_undo
        # another pair, with the same points
        builder.pair = ("C4.5", "C4.5+cf")
        expected = told(builder, ("cmc", "rheum"))[0]
        await until(lambda: scatter.brush.told == expected)
        assert "C4.5+cf and C4.5 performed equally" in expected
        scatter.brush.brushed = []
        await until(lambda: not scatter.brush.told)
        scatter.brush.brushed = list(demsar.datasets)
        await until(lambda: "there is no result: no data set remains." in scatter.brush.told)
        scatter.brush.brushed = ["nobody knows it"]
        await until(lambda: not scatter.brush.told)
        builder.close()

    in_loop(brush)


@pytest.mark.slow
def test_left_out_for_good_in_one_step(demsar, in_loop, drawn, until):
    async def leave():
        builder = CDDiagramBuilder(demsar)
        scatter = opened(builder)
        scatter.brush.brushed = ["cmc", "rheum", "iris"]
        message(scatter, leave=["cmc", "rheum"])  # what the page had then
        rest = tuple(name for name in demsar.datasets if name not in ("cmc", "rheum"))
        assert builder.datasets == rest
        await drawn(builder)
        await until(lambda: set(scatter.brush.points) == set(rest))
        assert scatter.brush.brushed == []
        said = "cmc and rheum are left out now. Undo brings them back."
        assert scatter.brush.told == said
        scatter.brush.brushed = ["iris"]
        await until(lambda: scatter.brush.told.startswith("Without 1 data set (iris)"))
        scatter.brush.brushed = []
        builder.undo()
        await drawn(builder)
        await until(lambda: set(scatter.brush.points) == set(demsar.datasets))
        assert builder.datasets == demsar.datasets
        assert scatter.brush.told == ""
        builder.close()

    in_loop(leave)


@pytest.mark.parametrize(
    "content", [{}, {"leave": []}, {"leave": ["CN2", 3]}, {"leave": "iris"}, {"leave": None}, []]
)
def test_messages_that_name_nothing(demsar, in_loop, content):
    async def send():
        builder = CDDiagramBuilder(demsar)
        scatter = opened(builder)
        scatter.brush._handle_custom_msg(content, [])
        assert builder.datasets == demsar.datasets
        builder.close()

    in_loop(send)


def test_one_data_set_must_remain(demsar, in_loop):
    async def leave():
        builder = CDDiagramBuilder(demsar)
        scatter = opened(builder)
        message(scatter, leave=list(demsar.datasets))
        assert builder.datasets == demsar.datasets
        assert scatter.brush.told == "At least one data set must remain."
        builder.close()

    in_loop(leave)


@pytest.mark.slow
def test_no_scatter_of_a_pair_that_is_not_compared(demsar, in_loop, drawn, until):
    async def look():
        builder = CDDiagramBuilder(demsar)
        scatter = opened(builder)
        builder.pair = ("C4.5", "C4.5+cf")
        builder.control = "C4.5+m"
        await drawn(builder)
        await until(lambda: scatter.box.layout.display == "none")
        assert scatter.brush.points == []
        builder.control = "C4.5"
        await drawn(builder)
        await until(lambda: scatter.box.layout.display is None)
        assert len(scatter.brush.points) == 14
        builder.close()

    in_loop(look)


@pytest.mark.slow
def test_what_takes_long_is_computed_by_another_process(make, in_loop, until, monkeypatch):
    async def brush():
        builder = CDDiagramBuilder(make(12, 5))
        scatter = opened(builder)
        monkeypatch.setattr(type(builder._model), "seconds", lambda model, state: 5.0)
        names = builder.datasets[:2]
        scatter.brush.brushed = list(names)
        await until(lambda: scatter.brush.told == "Computing without 2 data sets …")
        expected = told(builder, names)[0]
        await until(lambda: scatter.brush.told == expected)
        # once computed, it is there
        scatter.brush.brushed = []
        await until(lambda: not scatter.brush.told)
        scatter.brush.brushed = list(names)
        await until(lambda: scatter.brush.told)
        assert scatter.brush.told == expected
        # what is not wanted any more is not told
        scatter.brush.brushed = list(builder.datasets[3:5])
        await until(lambda: scatter.brush.told.startswith("Computing"))
        scatter.brush.brushed = []
        await until(lambda: not scatter.brush.told)
        builder.close()

    in_loop(brush)
