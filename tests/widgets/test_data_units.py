"""What a row is, in a DataBuilder: controls, and buttons for the ways on."""

import numpy as np
import pandas as pd

from nbcompare import DataBuilder
from nbcompare.widgets._data_ways import label_of

ANSWERS = pd.DataFrame(
    (np.random.default_rng(0).random((60, 3)) < [0.6, 0.65, 0.7]).astype(float), columns=list("ABC")
)


def test_rows_of_zeros_and_ones_are_asked_about_and_settled_by_a_button():
    builder = DataBuilder(ANSWERS, direction="maximize")
    (found,) = [it for it in builder._model.findings() if it.ways]
    assert [way.label for way in found.ways] == [
        "Rows are items of one benchmark",
        "Rows are data sets",
    ]
    for name, value in found.ways[0].changes.items():
        setattr(builder, name, value)
    assert builder.experiment.unit == "items"


def test_items_and_clusters_are_columns():
    frame = ANSWERS.assign(question=range(60), passage=[f"p{i // 5}" for i in range(60)])
    builder = DataBuilder(frame, direction="maximize", item="question", cluster="passage")
    assert builder.experiment.clusters.shape == (1, 60)


def test_patterns_of_rows_are_checked_and_named():
    builder = DataBuilder(ANSWERS, direction="maximize")
    assert (
        label_of({"rows": "{dataset}_{fold}"}) == "Names of rows are made like “{dataset}_{fold}”"
    )
    builder.rows = "{dataset}_{fold}"
    assert builder.rows == "{dataset}_{fold}"
