"""What looks like a data set or an algorithm and is none, and what must not be suspected."""

import numpy as np
import pandas as pd
import pytest

from nbcompare import Experiment, datasets
from nbcompare._validation import DataError
from nbcompare.experiment._summaries import is_summary

SCORES = pd.DataFrame(
    {
        "A": [0.71, 0.82, 0.93, 0.64, 0.55],
        "B": [0.75, 0.81, 0.97, 0.70, 0.58],
        "C": [0.61, 0.88, 0.91, 0.69, 0.51],
    },
    index=pd.Index(["iris", "wine", "car", "zoo", "glass"], name="dataset"),
)


def frame(**rows):
    return pd.concat([SCORES, pd.DataFrame(rows, index=SCORES.columns).T]).rename_axis("dataset")


def read(table, **options):
    return Experiment.from_frame(table, direction="maximize", **options)


@pytest.mark.parametrize("name", datasets.names("experiment"))
def test_no_rule_fires_on_a_bundled_experiment(name):
    assert datasets.load(name).notes == ()


@pytest.mark.parametrize(
    ("label", "values", "what"),
    [
        ("Average", SCORES.mean().round(2), "means"),
        ("MEAN", SCORES.mean(), "means"),
        ("Avg.", [0.73, 0.762, 0.72], "means"),
        ("median", SCORES.median(), "medians"),
        ("Std. dev.", SCORES.std().round(3), "standard deviations"),
        ("StdDev", SCORES.std(ddof=0).round(3), "standard deviations"),
        ("Total", SCORES.sum(), "sums"),
        ("Average_Rank", [2.0, 1.4, 2.6], "average ranks"),
        ("avg rank", [2.0, 2.6, 1.4], "average ranks"),  # the lower, the better
        ("# wins", [0, 4, 1], "numbers of wins"),
        ("Count", [5, 5, 5], "numbers of scores"),
    ],
)
def test_summaries_by_name_and_values(label, values, what):
    with pytest.raises(DataError) as caught:
        read(frame(**{label: list(values)}))
    assert str(caught.value) == (
        f"frame: row {label!r} holds the {what} of the rows before it. Pass ignore_rows="
        f"[{label!r}] to leave it out, or keep_rows=[{label!r}] if it is a data set."
    )
    left = read(frame(**{label: list(values)}), ignore_rows=[label])
    np.testing.assert_array_equal(left.mean_scores, SCORES)
    assert read(frame(**{label: list(values)}), keep_rows=[label]).datasets[-1] == label


def test_ranks_of_scores_with_more_decimals():
    """Average ranks may not follow from the scores as printed; their sum tells them."""
    with pytest.raises(DataError, match="average ranks"):
        read(frame(Rank=[2.1, 1.5, 2.4]))
    (note,) = read(frame(Rank=[2.1, 1.5, 2.9])).notes
    assert note.text.startswith("Row 'Rank' is called like a summary. Pass ignore_rows=['Rank']")


def test_a_name_or_values_alone_make_a_note():
    (named,) = read(frame(mean=[0.1, 0.2, 0.3])).notes
    assert (named.code, "called like a summary" in named.text) == ("summary", True)
    (agreeing,) = read(frame(moyenne=list(SCORES.mean()))).notes
    assert agreeing.text.startswith("Row 'moyenne' holds the means of the rows before it.")
    few = frame(mean=list(SCORES.iloc[:3].mean())).drop(index=["zoo", "glass"])
    (short,) = read(few).notes  # three rows prove nothing
    assert "called like a summary" in short.text


def test_summaries_of_long_tables():
    long = frame(Average=list(SCORES.mean())).reset_index().melt("dataset", var_name="method")
    with pytest.raises(DataError, match="row 'Average' holds the means"):
        read(long)
    assert read(long, ignore_rows=["Average"]).datasets == tuple(SCORES.index)
    assert read(long, datasets=["iris", "Average"]).datasets == ("iris", "Average")


def test_summaries_may_be_columns():
    table = SCORES.assign(Average=SCORES.mean(axis=1).round(3))
    with pytest.raises(DataError, match=r"column 'Average' holds the means of the columns before"):
        read(table)
    assert read(table, ignore=["Average"]).algorithms == ("A", "B", "C")
    across = frame(Average=list(SCORES.mean())).T.rename_axis("method")
    with pytest.raises(DataError, match=r"column 'Average' .* Pass ignore=\['Average'\]"):
        read(across, transpose=True)
    assert read(across, transpose=True, ignore=["Average"]).datasets == tuple(SCORES.index)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("n_train", [100, 105, 111, 103, 108]),
        ("#Instances", [150, 178, 1728, 101, 214]),
        ("id", [0, 1, 2, 3, 4]),
        ("Rank", [1, 2, 3, 4, 5]),
        ("year", [1988, 1991, 1997, 1990, 1987]),
    ],
)
def test_columns_that_are_no_scores(name, values):
    table = SCORES.assign(**{name: values})
    with pytest.raises(DataError) as caught:
        read(table)
    assert f"column {name!r} holds " in str(caught.value)
    assert str(caught.value).endswith(
        f"Pass ignore=[{name!r}] to leave it out, or keep=[{name!r}] if it is an algorithm."
    )
    assert read(table, ignore=[name]).algorithms == ("A", "B", "C")
    assert read(table, keep=[name]).algorithms == ("A", "B", "C", name)


def test_a_scale_or_a_name_alone_makes_a_note():
    (scale,) = read(SCORES.assign(amount=[100, 105, 111, 103, 108])).notes
    assert scale.text.startswith(
        "Column 'amount' holds whole numbers from 100 to 111 beside scores from 0.51 to 0.97."
    )
    (name,) = read((SCORES * 100).round().assign(size=[50, 99, 80, 60, 70])).notes
    assert name.code == "column"


@pytest.mark.parametrize(
    "diverged",
    [[1e6] * 5, [1e6, 0.4, 2e7, 1e6, 0.3], [1234.5, 99871.2, 1e9, 555.1, 78.2], [0, 0, 0, 0, 1]],
)
def test_a_diverged_optimiser_is_no_suspect(diverged):
    assert read(SCORES.assign(D=diverged)).notes == ()


def test_huge_scores_overflow_nothing():
    huge = SCORES.mul(1e308).round(-305)
    assert [
        note.code for note in read(pd.concat([huge, huge.iloc[:1].set_axis(["sum"])])).notes
    ] == ["summary"]


def test_whole_numbers_as_names_hint_at_a_transposed_table():
    (note,) = read(SCORES.set_axis(["0", "1", "2"], axis=1)).notes
    assert note.text == (
        "The names of all algorithms are whole numbers. If rows are algorithms and columns are "
        "data sets, pass transpose=True."
    )


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("W/T/L", True),
        ("wins-ties-losses", True),
        ("Average over all 85 datasets", True),
        ("avg_acc", True),
        ("mean (%)", True),
        ("sum squares", False),
        ("ionosphere", False),
        ("ranking-svm", False),
        ("", False),
    ],
)
def test_names_of_summaries(label, expected):
    assert is_summary(label) is expected
