"""Models against their formulas: moments, closed-form errors, scikit-learn, resampling."""

import dataclasses

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import nbcompare as nbc
from nbcompare import study
from nbcompare.study import _gaussians


def rng(seed=0):
    return np.random.default_rng(seed)


# ------------------------------------------------------------------- theoretical errors


@pytest.mark.parametrize("effect", [0.0, 0.03, 0.1])
def test_errors_are_spread_as_in_table_1_of_the_paper(effect):
    for seed in range(20):
        table = study.SpreadErrors().table(effect, 32, 5, rng(seed))
        assert (table == 0.20).sum(axis=1).tolist() == [1] * 32
        assert table.mean(axis=0) == pytest.approx(0.30 + effect * np.arange(5))
        others = np.where(table == 0.20, np.nan, table)
        assert np.nanmax(others, axis=0) == pytest.approx(np.nanmin(others, axis=0))


def test_the_printed_table_1_follows():
    # the algorithm that is the best on each of the 32 data sets of the paper's Table 1
    best = [1, 4, 4, 5, 2, 2, 3, 3, 1, 4, 2, 4, 1, 4, 3, 4, 4, 3, 2, 2, 4, 5, 2, 3, 1, 3, 4, 4, 5,
            3, 2, 4]  # fmt: skip
    counts = np.bincount(np.array(best) - 1)
    others = (32 * (0.3 + 0.03 * np.arange(5)) - 0.2 * counts) / (32 - counts)
    # printed: 0.31, 0.37, 0.40, 0.49, 0.44
    assert others.round(2).tolist() == [0.31, 0.37, 0.40, 0.49, 0.44]


def test_the_best_may_be_drawn_once_for_each_effect():
    errors = study.SpreadErrors(redrawn="effect")
    one, two = (errors.table(0.03, 32, 5, rng(seed)) for seed in (1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, errors.table(0.04, 32, 5, rng(1)))
    assert not np.array_equal(one, study.SpreadErrors(redrawn="effect", seed=1).table(
        0.03, 32, 5, rng(1)))  # fmt: skip


def test_errors_that_could_not_be_probabilities_are_refused():
    with pytest.raises(ValueError, match=r"^`effects` must be numbers of .* at most 0.175"):
        study.BinomialErrors().truth(0.2)
    with pytest.raises(nbc.DataError, match="more data sets"):
        study.SpreadErrors(best=0.01, mean=0.9).table(0.0, 2, 2, rng())


def test_stepped_errors():
    table = study.SteppedErrors(mean=0.3, difficulty=0.05).table(0.02, 4000, 3, rng())
    assert table.mean(axis=0) == pytest.approx([0.3, 0.32, 0.34], abs=0.003)
    assert table[:, 0].std() == pytest.approx(0.05, rel=0.05)
    assert table[:, 1] - table[:, 0] == pytest.approx(0.02)


# ---------------------------------------------------------------------------- binomial


def test_binomial_errors_have_the_moments_of_equations_33_and_34():
    model = study.BinomialErrors(
        algorithms=("A", "B"), deterministic=("B",), n_datasets=400, n_folds=10, n_runs=5,
        test_sizes=(12, 12), errors=study.SteppedErrors(),
    )  # fmt: skip
    scores = model.draw(0.1, rng()).scores
    assert scores.shape == (400, 2, 10, 5)
    one, two = scores[:, 0].ravel(), scores[:, 1, :, 0].ravel()
    assert np.isnan(scores[:, 1, :, 1:]).all()
    for found, e in ((one, 0.3), (two, 0.4)):
        counts = found * 12
        assert np.allclose(counts, np.rint(counts))
        assert found.mean() == pytest.approx(e, abs=4 * np.sqrt(e * (1 - e) / 12 / len(found)))
        assert found.var() == pytest.approx(e * (1 - e) / 12, rel=0.1)
        expected = stats.binom.pmf(np.arange(13), 12, e) * len(found)
        seen = np.bincount(np.rint(counts).astype(int), minlength=13)
        kept = expected > 5
        chi2 = ((seen - expected)[kept] ** 2 / expected[kept]).sum()
        assert stats.chi2.sf(chi2, kept.sum()) > 1e-4


def test_test_sets_have_10_to_19_examples():
    model = study.BinomialErrors(n_datasets=300)
    scores = model.draw(0.0, rng()).scores
    sizes = set()
    for d in range(300):
        values = scores[d, 0].ravel()
        sizes.add(next(n for n in range(10, 20) if np.allclose(values * n, np.rint(values * n))))
    assert min(sizes) == 10
    assert max(sizes) == 19


def test_local_minima_follow_equation_37():
    model = study.LocalMinima(
        algorithms=("S", "D"), deterministic=("D",), n_datasets=200, n_folds=5, n_runs=30,
        test_sizes=(10, 10), probability=0.2, trapped=0.77, errors=study.SteppedErrors(),
    )  # fmt: skip
    scores = model.draw(0.0, rng()).scores
    trapped = scores[:, 0] == 0.77  # no count of 10 examples
    n = trapped.size
    assert trapped.mean() == pytest.approx(0.2, abs=4 * np.sqrt(0.16 / n))
    assert scores[:, 0][~trapped].mean() == pytest.approx(0.3, abs=0.01)
    assert not (scores[:, 1] == 0.77).any()
    # a run of a fold is trapped independently of the other folds
    pairs = np.corrcoef(trapped[:, 0].ravel(), trapped[:, 1].ravel())[0, 1]
    assert abs(pairs) < 4 / np.sqrt(trapped[:, 0].size)


def test_truth_is_typical_or_mean():
    model = study.LocalMinima()
    assert model.truth(0.0).tolist() == [0] * 10
    assert model.truth(0.01).tolist() == [1] * 10
    means = 0.3 + 0.01 * np.arange(5)
    p = np.array([0.1, 0.1, 0, 0, 0.1])
    means = p * 0.75 + (1 - p) * means
    expected = [int(np.sign(means[j] - means[i])) for i in range(5) for j in range(i + 1, 5)]
    assert dataclasses.replace(model, better_by="mean").truth(0.01).tolist() == expected


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"algorithms": ("A",)}, "`algorithms` must hold at least 2"),
        ({"deterministic": ("X",)}, "`deterministic` must be one of"),
        ({"n_datasets": 1}, "`n_datasets` must be a whole number of at least 2"),
        ({"test_sizes": (19, 10)}, "`test_sizes` must be a whole number of at least 19"),
        ({"test_sizes": 10}, "`test_sizes` must be the least and the largest"),
        ({"probability": 1.0}, "`probability` must be a number between 0 and 1"),
        ({"better_by": "median"}, "`better_by` must be"),
    ],
)
def test_parameters_are_checked(options, words):
    with pytest.raises(ValueError, match=words):
        study.LocalMinima(**options)


# ----------------------------------------------------------------------- two Gaussians


@pytest.mark.slow
@pytest.mark.parametrize("effect", [0.0, -0.25, 0.1, -3.5])
@pytest.mark.parametrize("variances", [(1.0, 4.0), (4.0, 1.0), (2.0, 4.0), (1.0, 1.0)])
def test_the_optimal_error_is_that_of_quadrature(effect, variances):
    model = study.TwoGaussians(variances=variances)
    moved = 2 + effect

    grid = np.linspace(-16, 16, 2401)
    x, y = np.meshgrid(grid, grid, indexing="ij")
    densities = [
        np.exp(-((x - m) ** 2 + y**2) / 2 / v) / (2 * np.pi * v)
        for m, v in zip((0, moved), variances, strict=True)
    ]
    expected = integrate.trapezoid(
        integrate.trapezoid(np.minimum(*densities) / 2, grid, axis=1), grid
    )
    assert model.errors(effect)["optimal"] == pytest.approx(expected, rel=1e-4)
    assert model.errors(effect)["quadratic"] == model.errors(effect)["optimal"]


def test_the_linear_error_and_that_b_is_the_easiest_problem():
    model = study.TwoGaussians()
    gaps = {}
    for name, effect in study.PROBLEMS.items():
        half = (2 + effect) / 2
        errors = model.errors(effect)
        assert errors["linear"] == pytest.approx(
            (stats.norm.sf(half) + stats.norm.sf(half / 2)) / 2
        )
        gaps[name] = errors["linear"] - errors["optimal"]
        assert model.truth(effect).tolist() == [-1, -1, 0]
    assert gaps["B"] > gaps["A"] > gaps["C"]
    assert study.TwoGaussians(variances=(3.0, 3.0)).truth(0.0).tolist() == [0, 0, 0]


def densest(points, classes):
    """Quadratic discriminant analysis by the densities of SciPy."""

    def predict(others):
        likely = [
            stats.multivariate_normal(points[classes == c].mean(axis=0), np.cov(
                points[classes == c].T)).pdf(others) * (classes == c).mean()
            for c in (0, 1)
        ]  # fmt: skip
        return likely[1] > likely[0]

    return predict


def linear(points, classes):
    """Linear discriminant analysis by scikit-learn."""
    return LinearDiscriminantAnalysis().fit(points, classes).predict


@pytest.mark.parametrize(("pooled", "theirs"), [(True, linear), (False, densest)])
def test_classifiers_are_those_of_others(pooled, theirs):
    source = rng(3)
    classes = np.repeat([0, 1], [70, 50])
    points = source.normal(size=(120, 2)) * np.where(classes, 2.0, 1.0)[:, np.newaxis]
    points[:, 0] += 2 * classes
    folds = source.permutation(120) % 7
    trained = _gaussians._without_each_fold(points, classes, folds, 7)
    found = _gaussians._discriminant(trained, points, folds, pooled=pooled)
    for fold in range(7):
        there = folds == fold
        expected = theirs(points[~there], classes[~there])(points[there])
        assert np.array_equal(found[there], expected)


def test_variances_that_are_nearly_equal_are_a_line():
    equal = study.TwoGaussians(variances=(1.0, 1.0)).errors(0.0)
    for close in (1 + 1e-7, 1 + 1e-12):
        assert study.TwoGaussians(variances=(1.0, close)).errors(0.0) == pytest.approx(equal)
    # where the one formula gives way to the other
    below, above = (study.TwoGaussians(variances=(1.0, 1 + d)).errors(0.5) for d in (9e-5, 1.1e-4))
    assert below == pytest.approx(above, abs=1e-5)
    with pytest.raises(ValueError, match="`n_folds` must be left out with scheme='5x2'"):
        study.TwoGaussians(scheme="5x2", n_folds=50)


def test_errors_of_cross_validation_are_near_those_in_closed_form():
    model = study.TwoGaussians(n_samples=4000)
    scores = np.stack([model.draw(0.0, rng(seed)).mean_scores[0] for seed in range(20)])
    errors = list(model.errors(0.0).values())
    assert scores.mean(axis=0) == pytest.approx(errors, abs=0.006)


def test_five_by_two_folds_are_ten_in_their_order():
    model = study.TwoGaussians(scheme="5x2")
    data = model.draw(0.0, rng())
    assert data.scores.shape == (1, 3, 10, 1)
    # every second fold completes the first: 125 points each
    assert np.allclose(data.scores * 125, np.rint(data.scores * 125))
    with pytest.raises(ValueError, match="`n_samples` must be a whole number of at least 40"):
        study.TwoGaussians(n_samples=39)


def test_one_sample_is_shared_by_all_repetitions():
    model = study.TwoGaussians(sample=5, n_samples=60, n_folds=60)
    # leaving one out, the folds are the points in another order
    once, again = (np.sort(model.draw(0.0, rng(seed)).scores[0, :, :, 0]) for seed in (1, 2))
    assert np.array_equal(once, again)
    other = dataclasses.replace(model, sample=6).draw(0.0, rng(1))
    assert not np.array_equal(once, np.sort(other.scores[0, :, :, 0]))
    few = dataclasses.replace(model, n_folds=5)
    folds = [few.draw(0.0, rng(seed)).scores for seed in (1, 2)]
    assert not np.array_equal(*folds)
    # the effect moves the same points: with all of the others, the optimal classifier errs less
    far, near = (model.draw(effect, rng(1)).mean_scores[0, 2] for effect in (9.0, 0.0))
    assert far <= near
    assert "the same points each time" in model.summary
    with pytest.raises(ValueError, match="`sample` must be a whole number of at least 0"):
        study.TwoGaussians(sample=-1)
