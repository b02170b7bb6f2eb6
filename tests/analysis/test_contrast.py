import re

import numpy as np
import pytest

from nbcompare import Contrast, Experiment, contrast_estimation, datasets, plots
from nbcompare.results import from_json

DEMSAR = datasets.load("demsar2006")
TABLES = (
    "demsar2006", "demsar2006_printed_ranks", "otero2013_t1", "otero2013_t6_acc40",
    "otero2013_t6_auc40",
)  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_every_figure(name, reference, experiment):
    table = reference("contrast")["tables"][name]
    if "bundled_as" in table:
        data = datasets.load(table["bundled_as"])
    else:
        data = experiment(table["scores"], "maximize", algorithms=table["algorithms"])
    assert list(data.algorithms) == table["algorithms"]
    result = contrast_estimation(data, n_resamples=20)
    # there always the row less the column, here positive where the row is better
    sign = -1 if data.direction == "minimize" else 1
    assert result.estimates == pytest.approx(sign * np.array(table["estimate"]), abs=1e-12)
    assert result.medians == pytest.approx(sign * np.array(table["medians"]), abs=1e-12)
    assert isinstance(result, Contrast)


def test_an_interval_that_excludes_zero_does_not_seem_to_end_there():
    differences = np.array([0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 9.0, 20.0, 30.0, 40.0])
    scores = np.stack([differences, np.zeros(10)], axis=1)
    data = Experiment.from_array(scores, direction="maximize", algorithms=["A", "B"])
    result = contrast_estimation(data, scale="one")
    assert 0 < result.lower[0, 1] < 0.05 < 9 < result.upper[0, 1]  # rounded to a digit, zero
    row = str(result.section("intervals")).splitlines()[-1].split()
    assert float(row[3]) == pytest.approx(result.lower[0, 1], abs=0.005)


def test_units_and_signs():
    result = contrast_estimation(DEMSAR)
    assert result.ordered == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    assert result.algorithms == DEMSAR.algorithms
    frame = result.to_frame()
    assert frame.columns.tolist() == ["first", "second", "estimate", "lower", "upper"]
    assert len(frame) == 6
    # higher is better, and the better one is first
    assert (frame["estimate"] >= 0).all()
    best = frame.set_index(["first", "second"]).loc[("C4.5+m+cf", "C4.5")]
    assert best["estimate"] == pytest.approx(0.0145)
    assert best["lower"] < best["estimate"] < best["upper"]
    matrix = result.to_matrix()
    assert matrix.loc["C4.5", "C4.5+m+cf"] == pytest.approx(-0.0145)
    assert (matrix.to_numpy() == -matrix.to_numpy().T).all()
    assert (result.lower == -result.upper.T).all()


def test_many_algorithms_are_listed_by_pairs(experiment):
    data = experiment(np.random.default_rng(2).random((10, 9)))
    result = contrast_estimation(data, n_resamples=50)
    text = str(result)
    assert "column − row" not in text  # low is better
    assert "... and 16 more rows; to_frame() returns all rows" in text
    assert "column − row" in str(result.section("matrix"))
    assert len(result.to_frame()) == 36
    assert "row − column" in str(contrast_estimation(DEMSAR, n_resamples=50))


@pytest.mark.parametrize("unit", [1e-30, 1e-3, 1.0, 1e6, 1e30])
def test_any_unit_is_shown_with_digits(unit, experiment):
    data = experiment(np.random.default_rng(3).random((10, 2)) * unit)
    shown = str(contrast_estimation(data, n_resamples=50).section("intervals"))
    assert re.search(r"A\d +A\d +\d[\de.+-]*[1-9]", shown)  # the better is first
    assert max(map(len, shown.splitlines()[2:])) < 60


def test_options_and_seed():
    once, again = contrast_estimation(DEMSAR), contrast_estimation(DEMSAR)
    assert once.lower.tolist() == again.lower.tolist()
    other = contrast_estimation(DEMSAR, rng=np.random.default_rng(4), n_resamples=300)
    assert other.lower.tolist() != once.lower.tolist()
    wide, narrow = (contrast_estimation(DEMSAR, confidence=c) for c in (0.99, 0.5))
    assert (wide.upper - wide.lower >= narrow.upper - narrow.lower).all()
    assert dict(other.design.options) == {
        "confidence": 0.95, "n_resamples": 300, "scale": "auto", "rng": "Generator",
        "missing": "raise", "fill": None,
    }  # fmt: skip
    assert "50 % interval" in narrow.findings[0]


def on_scales(seed=7, n=12):
    """Scores of 3 algorithms whose ranges differ by a factor of a million between data sets."""
    rng = np.random.default_rng(seed)
    return rng.random((n, 3)) * 10.0 ** np.linspace(-3, 3, n)[:, np.newaxis]


def test_estimates_are_withheld_on_several_scales(experiment):
    data = experiment(on_scales())
    result = contrast_estimation(data)
    assert (result.estimates, result.lower, result.upper, result.medians) == (None,) * 4
    assert result.withheld in " ".join(str(result).split())
    assert result.withheld.removesuffix(".") in repr(result)
    assert "tabular" not in result.to_latex()
    assert from_json(result.to_json()).to_json() == result.to_json()
    for call in (result.to_frame, result.to_matrix, lambda: plots.contrast_matrix(result)):
        with pytest.raises(ValueError, match=r"There are no estimates\. The ranges .*scale='one'"):
            call()
    with pytest.raises(ValueError, match="There is no section 'matrix': the ranges of scores"):
        result.section("matrix")
    # what allows them
    stated = contrast_estimation(data, scale="one", n_resamples=50)
    assert stated.withheld == ""
    assert stated.estimates.any()
    with pytest.raises(ValueError, match=r"^`scale` must be 'auto', 'one' or 'several'; got 'two'"):
        contrast_estimation(DEMSAR, scale="two")


def test_a_data_set_of_large_scores_has_its_own_noise(experiment):
    # their constant is no scale: the ranges are alike
    scores = np.random.default_rng(8).integers(0, 30, (9, 3)).astype(float)
    shifted = scores + np.where(np.arange(9) == 4, 1e12, 0.0)[:, np.newaxis]
    plain, other = (contrast_estimation(experiment(each), n_resamples=50)
                    for each in (scores, shifted))  # fmt: skip
    assert plain.estimates.any()
    for name in ("estimates", "lower", "upper", "medians"):
        assert getattr(other, name).tolist() == getattr(plain, name).tolist()


def test_few_data_sets_have_estimates_without_intervals(experiment):
    scores = np.random.default_rng(5).normal(size=(6, 4))
    few, enough = (contrast_estimation(experiment(scores[:n]), scale="one") for n in (5, 6))
    assert few.lower is few.upper is None
    assert enough.lower is not None
    assert enough.without_intervals == ""
    assert few.estimates.shape == (4, 4)
    assert few.to_frame().columns.tolist() == ["first", "second", "estimate"]
    assert "fewer than 6 data sets, here 5" in few.findings[-1]
    assert "%" not in str(few)
    figure = plots.contrast_matrix(few)
    assert "excludes" not in figure.alt
    assert not any("interval" in text.get_text() for text in figure.ax.texts)
    assert from_json(few.to_json()).to_json() == few.to_json()
