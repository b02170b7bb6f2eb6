import re

import numpy as np
import pytest
from scipy import stats as scipy_stats

import nbcompare as nbc
from nbcompare.stats import conditions as tests

NAMES = ("lilliefors", "shapiro-wilk", "dagostino-pearson")


@pytest.fixture
def repeated(experiment):
    """6 data sets, 3 algorithms, 25 runs: one constant, one lognormal, one short, one missing."""
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(6, 3, 1, 25)) + rng.normal(size=(6, 1, 1, 1))
    scores[0, 0] = 1.0
    scores[1, :, 0, 6:] = np.nan
    scores[2, 1] = np.exp(3 * scores[2, 1])
    scores[3, 2] = np.nan
    return experiment(scores)


def codes(result):
    return [note.code for note in result.notes]


def test_every_algorithm_over_the_data_sets():
    data = nbc.datasets.load("demsar2006")
    result = nbc.check_conditions(data, alpha=0.03)
    assert [sample.algorithm for sample in result.samples] == list(data.algorithms)
    for column, sample in zip(data.mean_scores.T, result.samples, strict=True):
        np.testing.assert_array_equal(sample.values, np.sort(column))
        assert sample.mean == pytest.approx(column.mean())
        assert sample.deviation == pytest.approx(column.std(ddof=1))
        expected = scipy_stats.shapiro(column)
        made = sample.tests["shapiro-wilk"]
        assert (made.statistic, made.pvalue) == pytest.approx(tuple(expected), rel=1e-6)
    (variances,) = result.variances
    for name, center in (("levene", "mean"), ("brown-forsythe", "median")):
        expected = scipy_stats.levene(*data.mean_scores.T, center=center)
        assert variances.tests[name].statistic == pytest.approx(expected.statistic, rel=1e-9)
        assert variances.tests[name].pvalue == pytest.approx(expected.pvalue, rel=1e-9)


def test_stars_stand_where_a_condition_fails():
    result = nbc.check_conditions(nbc.datasets.load("demsar2006"), alpha=0.03)
    rows = [line.split() for line in str(result).splitlines() if "  14  " in line]
    assert rows[0] == ["C4.5", "14", "0.0599", "*", "0.0269", "*", "0.0229"]
    assert rows[1] == ["C4.5+m", "14", "0.1921", "0.0324", "0.0583"]
    frame = result.to_frame()
    assert frame["shapiro_wilk_rejected"].tolist() == [True, False, True, False]
    latex = result.to_latex()
    assert "C4.5 & 14 & 0.0599 & * 0.0269 & * 0.0229" in latex


def test_runs_are_tested_within_data_sets(repeated):
    result = nbc.check_conditions(repeated)
    over = [sample for sample in result.samples if sample.dataset is None]
    assert [len(sample.values) for sample in over] == [6, 6, 5]
    within = {
        (sample.dataset, sample.algorithm): sample
        for sample in result.samples
        if sample.dataset is not None
    }
    assert len(within) == 17
    assert set(within[("1", "A1")].tests.values()) == {None}
    assert within[("1", "A1")].deviation == 0
    assert within[("2", "A3")].tests["dagostino-pearson"] is None
    lognormal = within[("3", "A2")]
    for name in NAMES:
        test = getattr(tests, name.replace("-", "_"))(repeated.scores[2, 1, 0])
        assert lognormal.tests[name].log10_pvalue == pytest.approx(float(test.log10_pvalue))
        assert result.rejects(lognormal.tests[name])
    assert [part.dataset for part in result.variances] == [None, *"123456"]
    assert result.variances[4].tests["levene"] is None
    for place in (0, 1, 4):
        groups = [row[~np.isnan(row)] for row in repeated.scores[place, :, 0]]
        expected = scipy_stats.levene(*groups, center="mean")
        made = result.variances[1 + place].tests["levene"]
        assert made.statistic == pytest.approx(expected.statistic, rel=1e-9)
    sentence = result.sentences[3]
    tested = [s.tests["shapiro-wilk"] for s in within.values() if s.tests["shapiro-wilk"]]
    rejected = sum(test.pvalue <= 0.05 for test in tested)
    assert sentence == (
        f"Within data sets, over runs, normality is rejected for {rejected} of {len(tested)} "
        "samples (Shapiro–Wilk, α = 0.05)."
    )
    assert (
        "equal variances of the algorithms are rejected on 2 of 5 data sets" in result.sentences[4]
    )
    assert {"missing", "unavailable"} <= set(codes(result))
    assert "Of 18 scores (data set, algorithm) 1 is missing" in str(result)


def test_tables_of_runs_as_on_the_sci2s_page(repeated, experiment):
    text = str(nbc.check_conditions(repeated))
    for name in ("Lilliefors (Kolmogorov–Smirnov)", "Shapiro–Wilk", "D'Agostino–Pearson"):
        assert f"Normality within data sets, {name}: p; * rejected at α = 0.05" in text
    assert re.search(r"\n4 +0\.7727 +0\.0811 +–\n", text)
    many = experiment(np.random.default_rng(1).normal(size=(3, 12, 1, 10)))
    result = nbc.check_conditions(many)
    assert len(result.to_frame()) == 12 + 36


def test_means_that_differ_by_noise_are_constant(experiment):
    rng = np.random.default_rng(1)
    values = rng.random(30)
    scores = np.array([[rng.permutation(values), rng.random(30)] for _ in range(12)])
    result = nbc.check_conditions(experiment(scores[:, :, np.newaxis]))
    constant = result.samples[0]
    assert constant.deviation == 0
    assert set(constant.tests.values()) == {None}
    assert result.samples[1].tests["shapiro-wilk"] is not None


def test_small_and_degenerate_experiments(experiment):
    two = nbc.check_conditions(experiment([[1.0, 2.0], [2.0, 4.0]]))
    assert two.references == ()
    assert two.to_frame().isna().to_numpy().any()
    alone = nbc.check_conditions(experiment(np.random.default_rng(1).normal(size=(9, 1))))
    assert alone.variances == ()
    runs = nbc.check_conditions(experiment(np.random.default_rng(1).normal(size=(1, 2, 1, 9))))
    assert {sample.dataset for sample in runs.samples} == {"1"}
    tied = nbc.check_conditions(experiment(np.ones((9, 3))))
    (variances,) = tied.variances
    assert variances.tests["levene"].pvalue == 1
    huge = nbc.check_conditions(experiment(np.linspace(-1.7, 1.7, 24).reshape(12, 2) * 1e308))
    assert np.isfinite([(s.mean, s.deviation) for s in huge.samples]).all()


def test_selecting_samples(repeated, experiment):
    result = nbc.check_conditions(repeated)
    assert [s.algorithm for s in result.select()] == ["A1", "A2", "A3"]
    (one,) = result.select("A2", "3")
    assert (one.algorithm, one.dataset) == ("A2", "3")
    with pytest.raises(ValueError, match=r"^`algorithm` must be one of .*got 'B'\."):
        result.select("B")
    with pytest.raises(ValueError, match=r"^`algorithm` 'A3' has no score on data set '4'\.$"):
        result.select("A3", "4")
    plain = nbc.check_conditions(experiment(np.eye(4)))
    with pytest.raises(ValueError, match=r"^`dataset` must be None, .* got '1'\.$"):
        plain.select(dataset="1")
