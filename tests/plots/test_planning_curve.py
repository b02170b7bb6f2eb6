"""The figure of a plan: its curves, its answer, and names that are untrusted."""

import functools

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import plots

HOSTILE = ["<script>alert(1)</script>", r"C4.5_m & 100% $x^2$", "#let x = 1; *_", "W" * 60]


@functools.cache
def planned(k=2, names=None):
    rng = np.random.default_rng(k)
    scores = rng.standard_normal((14, k)) + np.linspace(0, 1.5, k)
    pilot = nbc.Experiment.from_array(scores, direction="maximize", algorithms=names)
    return nbc.plan(pilot, largest=20)


def test_curves_are_those_of_the_plan():
    plan = planned(4)
    plot = plots.planning_curve(plan)
    n_lines = min(len(plan.first), 6) + (plan.n_significant > 1)
    for name in ("curves", "bands", "marks", "labels"):
        assert len(plot.artists[name]) >= n_lines
    y = np.asarray(plot.artists["curves"][0].get_ydata())
    curve = plan.curve() if plan.n_significant > 1 else plan.curve(0)
    assert np.ptp(y) * np.ptp(curve.power) > 0
    assert np.corrcoef(y, curve.power)[0, 1] == pytest.approx(-1)  # downwards
    assert len(plot.artists["pilot"]) == 1
    assert bool(plot.artists["answer"]) == (plan.n is not None)
    assert "power" in plot.alt


def test_names_are_untrusted():
    plot = plots.planning_curve(planned(4, tuple(HOSTILE)))
    assert plot.artists["labels"]


def test_other_results_are_refused():
    with pytest.raises(TypeError, match=r"nbc\.plan"):
        plots.planning_curve(nbc.datasets.load("demsar2006"))
