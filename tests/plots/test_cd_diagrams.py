"""Critical difference diagrams of groups of data sets, all on one axis."""

import dataclasses

import numpy as np
import pytest
from matplotlib.figure import Figure

import nbcompare as nbc
from nbcompare import plots


def grouped(n_groups, k=5, names=None, label="group {}", **options):
    rng = np.random.default_rng(0)
    n = 8 * n_groups
    scores = rng.normal(size=(n, k)) + np.linspace(0, 2, k)
    data = nbc.Experiment.from_array(scores, direction="minimize", algorithms=names)
    domains = tuple(label.format(i % n_groups) for i in range(n))
    return nbc.compare_by(dataclasses.replace(data, domains=domains), **options)


@pytest.mark.slow
def test_it_is_each_diagram_by_itself():
    result = grouped(3, adjust="nemenyi")
    whole = plots.cd_diagrams(result)
    alone = [plots.cd_diagram(one) for one in result.groups.values()]
    for part in ("names", "bars", "difference"):
        assert len(whole.artists[part]) == sum(len(one.artists[part]) for one in alone)
    for name, one in zip(result.groups, alone, strict=True):
        assert one.alt.partition("). ")[2] in whole.alt
        assert f"{name} (" in whole.alt
    assert whole.alt.startswith("Critical difference diagrams by group of data sets (")


def test_axes_that_are_given():
    result = grouped(2, control="A1")
    axes = Figure(figsize=(6, 6)).subplots(2)
    plot = plots.cd_diagrams(result, ax=axes, best="left")
    assert not plot.shown
    assert all(ax.lines for ax in axes)
    with pytest.raises(ValueError, match="`ax` must be 2 axes"):
        plots.cd_diagrams(result, ax=axes[:1])
    with pytest.raises(ValueError, match="`best` must be"):
        plots.cd_diagrams(result, best="top")
