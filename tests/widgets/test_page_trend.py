"""PageTrendBuilder: its rules, its code, and the evidence behind a cell."""

import functools

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.widgets import PageTrendBuilder


def histories(*, shift=0.0, optimum=None, gap=False):
    rng = np.random.default_rng(2)
    steps = rng.exponential(size=(5, 3, 4, 12)) * np.array([1, 2, 3])[:, None, None]
    values = 100 - np.cumsum(steps, axis=3) + shift
    if gap:
        values[1, 2] = np.nan
    return nbc.Histories.from_array(
        values,
        evaluations=np.arange(1, 13) * 10,
        direction="minimize",
        problems=[f"f{i}" for i in range(5)],
        algorithms=["slow", "middle", "fast"],
        optimum=optimum,
    )


WORDS = {
    "version": ("auto", "both", "basic", "alternative"),
    "null": (None, "page"),
    "optimum_tolerance": (None, 1.0),
    "differences": ("auto", "raw", "log"),
    "adjust": ("auto", None, "holm", "nemenyi", "shaffer"),
    "alpha": (None, 0.2),
    "missing": ("raise", "drop"),
}
DATA = {
    "errors": {},
    "negative": {"shift": -90.0},
    "optimum": {"optimum": 0.0},
    "gap": {"gap": True},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DATA)
def test_available_is_what_compare_convergence_accepts(offered_or_accepted, name):
    data = histories(**DATA[name])
    compare = functools.partial(nbc.compare_convergence, data, cutpoints=4)
    assert offered_or_accepted(PageTrendBuilder(data), compare, WORDS) == []


@pytest.mark.slow
def test_the_evidence_behind_a_cell():
    builder = PageTrendBuilder(histories())
    screen = builder._live.open()
    builder.pair = ("fast", "slow")
    told, curves = builder._model.details().shown
    assert told.startswith("fast and slow: L ")
    assert "fast" in curves.alt
    builder._live.open()
    assert told.split("(")[0] in screen.told.value
    assert curves.alt in screen.detail.children[1].drawing["svg"]
    builder.problem = "f3"
    curves = builder._model.details().shown[1]
    assert "(f3; median of 4 runs" in curves.alt
    builder.algorithms = ["middle", "fast"]
    # the cell is gone, and the nearest one stands in
    assert builder._model.details().pair == ("fast", "middle")
    assert "middle" in builder._model.details().shown[1].alt
    gap = PageTrendBuilder(histories(gap=True), missing="drop", pair=("fast", "slow"))
    gap.problem = "f1"
    told = gap._model.details().shown[1]
    assert told == "fast has no run on f1."
    with pytest.raises(TypeError, match="`histories` must be a Histories; got int"):
        PageTrendBuilder(3)
