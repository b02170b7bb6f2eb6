"""What a row is another one of: data sets, folds, runs, or items of a benchmark."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare.experiment import ReadingError, _names

MODELS = ["small", "medium", "large"]
ANSWERS = (np.random.default_rng(0).random((120, 3)) < [0.6, 0.65, 0.7]).astype(float)
QUESTIONS = [f"q{i}" for i in range(120)]
DATASETS = [f"d{i}" for i in range(12)]
PASSAGES = [f"text {i // 4}" for i in range(120)]


def wide(**labels):
    frame = pd.DataFrame(ANSWERS, columns=MODELS)
    for place, (name, column) in enumerate(labels.items()):
        frame.insert(place, name, column)
    return frame


def long():
    frame = wide(question=QUESTIONS, passage=PASSAGES)
    frame["task"] = ["arithmetic"] * 80 + ["logic"] * 40
    keys = ["task", "question", "passage"]
    return frame.melt(id_vars=keys, var_name="model", value_name="correct")


def read(frame, **reading):
    return nbc.Experiment.from_frame(frame, direction="maximize", **reading)


@pytest.mark.parametrize(
    ("unit", "shape"),
    [
        ("items", (1, 3, 120, 1)),
        ("folds", (1, 3, 120, 1)),
        ("runs", (1, 3, 1, 120)),
        ("datasets", (120, 3, 1, 1)),
    ],
)
def test_rows_are_what_the_caller_says(unit, shape):
    for experiment in (
        read(wide(), unit=unit),
        nbc.Experiment.from_array(ANSWERS, direction="maximize", algorithms=MODELS, unit=unit),
    ):
        assert (experiment.unit, experiment.lower.shape) == (unit, shape)
        means = experiment.mean_scores.mean(axis=0)
        assert means == pytest.approx(ANSWERS.mean(axis=0), abs=1e-12)


@pytest.mark.slow
def test_scores_of_zero_and_one_on_many_rows_stop_the_reading():
    with pytest.raises(nbc.DataError, match="items of one benchmark") as error:
        read(wide())
    assert error.value.advice == ({"unit": "items"}, {"unit": "datasets"})
    assert read(wide().head(40)).n_datasets == 40


def test_rows_that_count_folds_of_data_sets_stop_the_reading():
    names = [f"{name}_fold{i}" for name in ("iris", "car", "wine", "glass") for i in range(10)]
    scores = np.random.default_rng(1).random((40, 2))
    frame = pd.DataFrame(scores, columns=["A", "B"], index=names)
    with pytest.raises(nbc.DataError, match="no 40 independent ones") as error:
        read(frame)
    way = error.value.advice[0]
    assert way == {"rows": "{dataset}_fold{fold}"}
    made = read(frame, **way)
    assert (made.datasets, made.n_folds) == (("iris", "car", "wine", "glass"), 10)
    assert made.mean_scores[1] == pytest.approx(scores[10:20].mean(axis=0))
    assert read(frame, unit="datasets").n_datasets == 40


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        ({"rows": "iris_1"}, r"`rows` must hold some of {dataset}, {fold}, {run}, each once"),
        ({"rows": "{fold}_{fold}"}, r"each once, as in '{dataset}_fold{fold}'; got '{fold}_{f"),
        ({"rows": "{algorithm}_{fold}"}, "`rows` must hold some of"),
        ({"rows": "{dataset}_{fold}", "fold": "part"}, "`fold` must be None, since `rows` says"),
        ({"rows": "{dataset}-{fold}"}, "`rows` must match names of rows of"),
    ],
)
def test_patterns_of_rows_that_do_not_fit(reading, message):
    names = [f"{name}_{i}" for name in ("iris", "car") for i in range(6)]
    frame = wide().head(12).assign(name=names, part=[*range(6), *range(6)])
    with pytest.raises((ValueError, nbc.DataError), match=message):
        read(frame, **{"dataset": "name", **reading})
    assert read(frame, dataset="name", rows="{dataset}_{fold}", ignore=["part"]).n_folds == 6


def test_numbered_names_that_are_data_sets_are_read():
    for names in (["yeast1", "yeast3", "glass0", "glass1"], [f"F{i}" for i in range(1, 31)]):
        frame = pd.DataFrame(
            np.random.default_rng(2).random((len(names), 2)), columns=["A", "B"], index=names
        )
        assert read(frame).datasets == tuple(names)


def test_rows_named_by_folds_are_no_data_sets():
    frame = pd.DataFrame(ANSWERS[:10] + 0.5, columns=MODELS, index=[f"fold{i}" for i in range(10)])
    frame *= np.linspace(0.9, 1, 10)[:, np.newaxis]
    with pytest.raises(nbc.DataError) as error:
        read(frame)
    assert error.value.advice[:2] == ({"unit": "folds"}, {"unit": "runs"})


def test_a_column_of_questions_makes_items():
    experiment = read(wide(question=QUESTIONS, passage=PASSAGES))
    assert (experiment.unit, experiment.n_datasets, experiment.n_folds) == ("items", 1, 120)
    assert experiment.clusters is None
    assert "120 items in rows" in experiment.schema.sentence
    uses = {use.name: use.use for use in experiment.schema.columns}
    assert uses["question"] == "item"
    assert uses["passage"] == "describes the row"


def test_an_index_of_questions_makes_items():
    frame = wide().set_axis(pd.Index(QUESTIONS, name="question"))
    experiment = read(frame)
    assert (experiment.unit, experiment.n_datasets, experiment.n_folds) == ("items", 1, 120)


def test_numbers_that_are_called_like_items_may_be_scores():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.integers(50, 99, (12, 2)), columns=["A", "query"])
    for names in ({"dataset": DATASETS}, {"name": DATASETS}):
        labelled = pd.DataFrame(names).join(frame)
        assert read(labelled).algorithms == ("A", "query")
    assert read(frame.set_axis(DATASETS)).algorithms == ("A", "query")
    with pytest.raises(nbc.DataError, match="'query' may name the items, or hold scores"):
        read(frame.assign(B=frame["A"][::-1].to_numpy()))


def test_a_setting_of_each_algorithm_is_no_item():
    frame = pd.DataFrame(
        {
            "dataset": np.repeat(DATASETS, 3),
            "model": MODELS * 12,
            "prompt": ["short", "long", "none"] * 12,
            "score": np.random.default_rng(6).random(36),
        }
    )
    experiment = read(frame)
    assert (experiment.unit, experiment.n_datasets) == ("datasets", 12)


def test_clusters_go_with_their_items():
    experiment = read(long(), cluster="passage")
    assert experiment.datasets == ("arithmetic", "logic")
    assert experiment.clusters.shape == (2, 120)
    shuffled = long().sample(frac=1, random_state=3)
    assert read(shuffled, cluster="passage").fingerprint == experiment.fingerprint
    other = long().assign(passage="one text")
    assert read(other, cluster="passage").fingerprint != experiment.fingerprint
    logic = experiment.select(datasets=["logic"])
    assert (logic.unit, logic.n_folds) == ("items", 40)
    assert logic.clusters.tolist() == [PASSAGES[80:]]
    again = read(experiment.to_frame("long"), cluster="cluster")
    assert again.fingerprint == experiment.fingerprint


def test_what_is_refused_of_items():
    frame = long()
    frame.loc[frame.index[-1], "passage"] = "another text"
    with pytest.raises(nbc.DataError, match="`cluster` must be the same in all rows of an item"):
        read(frame, cluster="passage")
    with pytest.raises(ValueError, match="`cluster` must be None unless unit='items'"):
        read(wide(passage=PASSAGES), cluster="passage", unit="datasets")
    with pytest.raises(ValueError, match="`unit` must be"):
        read(wide(), unit="questions")
    with pytest.raises(nbc.DataError, match="may name what the items belong to") as error:
        read(wide(passage=PASSAGES), unit="items")
    assert {"cluster": "passage"} in error.value.advice
    with pytest.raises(
        ValueError, match=r"one label per data set and item, of the shape \(1, 120\)"
    ):
        nbc.Experiment.from_array(
            ANSWERS, direction="maximize", unit="items", clusters=PASSAGES[1:]
        )


def test_a_part_of_several_data_sets_has_folds():
    experiment = nbc.Experiment.from_array(np.ones((3, 2, 5)), direction="maximize")
    assert experiment.unit == "datasets"
    assert experiment.select(datasets=["2"]).unit == "folds"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["iris", "car", "7", "", "fold", "x٣"]),
            st.sampled_from(["_fold", "-", " ", "", "run", "٤"]),
            st.integers(0, 3),
        ),
        min_size=1,
        max_size=9,
        unique=True,
    )
)
def test_names_that_are_not_taken_in_parts_number_nothing(parts):
    labels = [f"{stem}{mark}{number}" for stem, mark, number in parts]
    quick = _names.crossed_rows(labels)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_names, "_are_surely_not_crossed", lambda _labels, _stems: False)
        assert _names.crossed_rows(labels) == quick


@pytest.mark.parametrize("group", ["domain", "category"])
def test_groups_of_items_are_no_benchmarks(group):
    groups = np.resize(["law", "physics"], len(QUESTIONS))
    table = wide(question=QUESTIONS, **{group: groups})
    models = [name for name in table.columns if name not in ("question", group)]
    long = table.melt(["question", group], models, var_name="model", value_name="acc")
    for frame in (table, long):
        experiment = read(frame)
        assert (experiment.unit, experiment.n_datasets, experiment.n_folds) == ("items", 1, 120)


def test_items_are_offered_by_the_column_that_names_them():
    names = [f"name {i}" for i in range(120)]
    with pytest.raises(ReadingError) as refused:
        read(wide(name=names, domain=np.resize(["law", "physics"], 120)))
    assert {"item": "name"} in refused.value.advice
