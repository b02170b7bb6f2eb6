"""Designs conclude what the public functions conclude; counts agree with a plain loop."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import study

MODEL = study.LocalMinima(n_datasets=14, n_runs=4, n_folds=3)
DATA = MODEL.draw(0.1, np.random.default_rng(5))
FOLDS = study.TwoGaussians(n_samples=1000).draw(-0.25, np.random.default_rng(5))
FIVE = study.TwoGaussians(n_samples=1000, scheme="5x2").draw(-0.25, np.random.default_rng(5))


def rng():
    return np.random.default_rng(0)


def outcomes(frame, algorithms):
    """The outcome of each pair of a frame with first, second, significant and gain."""
    found = dict.fromkeys(study.pairs(algorithms), "none")
    for row in frame.itertuples():
        if row.significant:
            better = row.first if row.gain > 0 else row.second
            for pair in found:
                if set(pair) == {row.first, row.second}:
                    found[pair] = "first better" if better == pair[0] else "second better"
    return tuple(found.values())


@pytest.mark.parametrize(
    "options",
    [
        {"pairs": "ranks", "ranking": "aligned"},
        {"pairs": "ranks", "ranking": "quade", "adjust": "nemenyi", "method": "normal"},
        {"adjust": "hochberg"},
        {"pairs": "t", "adjust": "shaffer"},
    ],
)
def test_every_comparison(options):
    design = study.CompareDesign(**options)
    result = nbc.compare(
        DATA, pairs=design.pairs, ranking=design.ranking, adjust=design.adjust,
        method=design.method, scale="one",
    )  # fmt: skip
    frame = result.to_frame().assign(
        significant=lambda f: f[design.adjust] <= 0.05, gain=lambda f: f["mean_difference"]
    )
    expected = outcomes(frame, DATA.algorithms)
    assert design(DATA, rng()).outcomes == expected
    assert {*expected} > {"none"}
    assert design(DATA, rng()).omnibus is None


def test_the_omnibus_test_stands_before_the_pairs():
    gate = study.CompareDesign(pairs="t", omnibus="anova", adjust=None, alpha=0.2)
    same = nbc.Experiment.from_array(
        np.random.default_rng(2).normal(size=(6, 5)), direction="minimize"
    )
    result = nbc.compare(same, pairs="t", adjust=None, scale="one")
    assert result.omnibus["anova"].pvalue > 0.2
    assert (result.hypotheses.pvalue <= 0.2).any()
    assert gate(same, rng()) == study.Verdict(("none",) * 10, "not significant")
    assert {*study.CompareDesign(pairs="t", adjust=None, alpha=0.2)(same, rng()).outcomes} != {
        "none"
    }
    assert gate(DATA, rng()).omnibus == "significant"


@pytest.mark.parametrize("procedure", ["bootstrap-a", "bootstrap-b", "interval"])
@pytest.mark.parametrize("adjust", [None, "holm"])
def test_stochastic(procedure, adjust):
    design = study.StochasticDesign(procedure=procedure, adjust=adjust, n_resamples=500)
    how = {} if procedure == "interval" else {"method": "resampling", "n_resamples": 500}
    result = nbc.compare_stochastic(
        DATA, procedure=procedure, adjust=adjust, scale="one", rng=rng(), **how
    )
    tests = result.hypotheses
    expected = dict.fromkeys(study.pairs(DATA.algorithms))
    for row, (one, other) in enumerate(zip(tests.first, tests.second, strict=True)):
        word, favours = tests.outcome[row], tests.favours[row]
        pair = (one, other) if (one, other) in expected else (other, one)
        if word == "significant" and favours:
            better = one if favours > 0 else other
            expected[pair] = "first better" if better == pair[0] else "second better"
        else:
            expected[pair] = "none" if word == "not significant" else "inconclusive"
    found = design(DATA, rng())
    assert found.outcomes == tuple(expected.values())
    if procedure == "interval":
        assert found.omnibus is None
    else:
        assert found.omnibus == "significant"
        assert (result.overall.p_high <= 0.05 / 5).any()


def test_an_inconclusive_omnibus_test_leaves_no_pair():
    wide = nbc.Experiment.from_array(
        np.random.default_rng(1).normal(size=(8, 3, 1, 10)) + np.arange(3)[:, None, None],
        direction="minimize",
    )
    design = study.StochasticDesign(encoding="range", coverage=None)
    assert design(wide, rng()) == study.Verdict(("none",) * 3, "inconclusive")


@pytest.mark.parametrize(
    ("test", "data"),
    [("permutation", FOLDS), ("tilted", FOLDS), ("classical", FOLDS), ("corrected-t", FOLDS),
     ("5x2cv-t", FIVE), ("5x2cv-f", FIVE)],
)  # fmt: skip
def test_folds(test, data):
    design = study.FoldsDesign(test=test, alpha=0.3)
    expected = []
    for one, other in study.pairs(data.algorithms):
        result = nbc.compare_cv(one, other, experiment=data, test=test, alpha=0.3)
        means = [data.mean_scores[0, data.algorithms.index(name)] for name in (one, other)]
        word = "first better" if means[0] < means[1] else "second better"
        expected.append(word if result.rejected else "none")
    found = design(data, rng()).outcomes
    if test == "5x2cv-t":  # its statistic is the difference on the first fold
        assert [word == "none" for word in found] == [word == "none" for word in expected]
    else:
        assert found == tuple(expected)
    assert found[0] == "second better"


@pytest.mark.parametrize("rope", [0, 0.02])
@pytest.mark.parametrize("test", ["auto", "sign"])
def test_bayesian(rope, test):
    found = study.BayesianDesign(rope=rope, test=test)(DATA, rng()).outcomes
    result = nbc.compare_bayesian(
        DATA,
        rope=rope,
        test=test,
        **({} if test == "sign" else {"n_samples": 10_000, "rng": rng()}),
    )
    words = dict(zip(zip(result.first, result.second, strict=True), result.decision, strict=True))
    for pair, word in zip(study.pairs(DATA.algorithms), found, strict=True):
        decision = words.get(pair)
        if decision is None:
            swapped = {"first better": "second better", "second better": "first better"}
            decision = swapped.get(words[pair[::-1]], words[pair[::-1]])
        expected = {"equivalent": "none", "none": "inconclusive" if rope else "none"}
        assert word == expected.get(decision, decision)


def test_bayesian_on_folds():
    design = study.BayesianDesign(rope=0, ratio=1 / 9)
    assert design(FOLDS, rng()).outcomes[0] == "second better"


def by_means(data, source):
    means = data.mean_scores.mean(axis=0)
    k = len(means)
    return [
        "first better" if means[i] < means[j] else "second better"
        for i in range(k)
        for j in range(i + 1, k)
    ]


def test_ones_own():
    result = study.run(MODEL, {"means": by_means}, effects=[0.1], repetitions=3)
    assert result.designs == ("means",)
    assert result.levels == (None,)
    assert not result.counts[..., 2:].any()
    named = study.run(MODEL, {"W": study.CompareDesign(adjust=None)}, effects=[0.1], repetitions=1)
    assert named.designs == ("W",)


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda data, source: ["none"], ValueError, "must return an outcome for each of 10 pairs"),
        (lambda data, source: ["better"] * 10, ValueError, "`outcome of X` must be 'first better'"),
        (lambda data, source: 3, TypeError, "an outcome for each of 10 pairs"),
        (lambda data, source: 1 / 0, ZeroDivisionError, "division"),
    ],
)
def test_mistakes_of_a_design_of_ones_own_are_named(function, error, words):
    with pytest.raises(error, match=words) as caught:
        study.run(MODEL, {"X": function}, effects=[0.1], repetitions=1)
    assert "the design 'X' in repetition 1 with the effect 0.1" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: study.CompareDesign(omnibus="anova"), "`omnibus` must be 'friedman' or"),
        (lambda: study.CompareDesign(adjust="hlom"), "Did you mean 'holm'"),
        (lambda: study.StochasticDesign(procedure="interval", omnibus=True), "`omnibus` must be"),
        (lambda: study.FoldsDesign(test="5x2"), "`test` must be"),
        (lambda: study.BayesianDesign(rope=-1), "`rope` must be a number of at least 0"),
        (lambda: study.OwnDesign(name=" ", function=by_means), "`name` must be a name"),
    ],
)
def test_options_are_checked(make, words):
    with pytest.raises(ValueError, match=words):
        make()


# ----------------------------------------------------------------------------- counting


@pytest.mark.slow
def test_counts_are_those_of_a_plain_loop():
    designs = (*study.PAPER_2013_OUTLIERS[:2], study.StochasticDesign(n_resamples=200))
    effects, times = [0.0, 0.05, 0.1], 6
    model = study.LocalMinima(n_datasets=10, n_runs=5, n_folds=2, better_by="mean")
    result = study.run(model, designs, effects=effects, repetitions=times, rng=7)
    children = np.random.SeedSequence(7).spawn(3)
    for e, effect in enumerate(effects):
        truth = model.truth(effect)
        tasks = children[e].spawn(times)
        kinds = np.zeros((len(designs), 10, 5), dtype=int)
        family, complete = np.zeros((2, len(designs)), dtype=int)
        omnibus = np.zeros((len(designs), 3), dtype=int)
        for task in tasks:
            drawing, deciding = task.spawn(2)
            data = model.draw(effect, np.random.default_rng(drawing))
            for d, design in enumerate(designs):
                verdict = design(data, np.random.default_rng(deciding))
                kind = []
                for word, true in zip(verdict.outcomes, truth, strict=True):
                    if word == "inconclusive":
                        kind.append(4)
                    elif word == "none":
                        kind.append(2 if true == 0 else 1)
                    else:
                        kind.append(0 if {"first better": 1, "second better": -1}[word] == true
                                    else 3)  # fmt: skip
                kinds[d, np.arange(10), kind] += 1
                family[d] += 3 in kind
                complete[d] += all(it == 0 for it, true in zip(kind, truth, strict=True) if true)
                words = ["significant", "not significant", "inconclusive"]
                omnibus[d, words.index(verdict.omnibus)] += 1
        for k, name in enumerate(["right", "missing", "retained", "wrong", "inconclusive"]):
            assert getattr(result, name)[e].tolist() == kinds[..., k].tolist()
        assert result.family[e].tolist() == family.tolist()
        assert result.complete[e].tolist() == complete.tolist()
        assert result.omnibus[e].tolist() == omnibus.tolist()
        n_true = int((truth != 0).sum())
        for d, name in enumerate(result.designs):
            curve = result.curve("power", name)
            if n_true:
                assert curve.share[list(curve.effects).index(effect)] == pytest.approx(
                    kinds[d, :, 0].sum() / n_true / times
                )
            else:
                assert effect not in curve.effects
            assert result.shares["wrong"].share[e, d] == pytest.approx(
                kinds[d, :, 3].sum() / 10 / times
            )
    assert result.missing.any()
    assert result.inconclusive.any()


def test_tables_have_the_layout_of_the_paper():
    result = study.run(
        study.BinomialErrors(n_datasets=12, n_runs=3), study.PAPER_2013[:2], effects=[0, 0.1],
        repetitions=5,
    )  # fmt: skip
    (counts,) = result.section("counts").parts
    header = [column.header for column in counts.columns]
    assert header[:3] == [
        "effect", "ANOVA + t: any difference", "Friedman + Wilcoxon: any difference",
    ]  # fmt: skip
    assert header[3:6] == ["ANOVA + t: right", "ANOVA + t: none found", "ANOVA + t: wrong"]
    for row in counts.rows:
        assert sum(map(int, row[3:6])) == 50
    (pairs,) = result.section("pairs at 0.1").parts
    assert pairs.rows[0][:2] == ("A1 against A2", "first better")
    assert len(pairs.rows) == 11
    frame = result.to_frame()
    assert len(frame) == 2 * 2 * 10
    kinds = ["right", "missing", "retained", "wrong", "inconclusive"]
    assert (frame[kinds].sum(axis=1) == 5).all()
    assert len(result.to_frame("designs")) == 4
    assert result.mean("power", "ANOVA + t") == pytest.approx(result.right[1, 0].sum() / 50)


def test_designs_do_not_depend_on_their_neighbours():
    alone = study.run(MODEL, [study.BOOTSTRAP_B], effects=[0.05], repetitions=2)
    among = study.run(MODEL, study.PAPER_2013_OUTLIERS, effects=[0.05], repetitions=2)
    assert np.array_equal(alone.counts[:, 0], among.counts[:, 2])


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"model": 3}, TypeError, "`model` must be a model"),
        ({"designs": []}, ValueError, "`designs` must hold at least one"),
        ({"designs": [by_means]}, TypeError, "Give a function of your own a name"),
        (
            {"designs": [study.CompareDesign(adjust=None)] * 2},
            ValueError,
            "`designs` must be distinct",
        ),
        ({"effects": []}, ValueError, "`effects` must hold distinct numbers"),
        ({"effects": [0, 0]}, ValueError, "`effects` must hold distinct numbers"),
        ({"effects": 0.1}, TypeError, "`effects` must be a list of numbers"),
        ({"effects": [float("nan")]}, ValueError, "`effects` must be finite numbers"),
        ({"effects": [-0.1]}, ValueError, "`effects` must be numbers of at least 0"),
        ({"repetitions": 0}, ValueError, "`repetitions` must be a whole number of at least 1"),
        ({"rng": -1}, ValueError, "`rng` must be a whole number"),
        ({"n_jobs": 0}, ValueError, "`n_jobs` must be a whole number of processes"),
        ({"confidence": 95}, ValueError, "`confidence` must be a number between 0 and 1"),
    ],
)
def test_arguments_are_checked(change, error, words):
    options = {
        "model": MODEL,
        "designs": [study.CompareDesign(adjust=None)],
        "effects": [0.1],
    } | change
    with pytest.raises(error, match=words):
        study.run(options.pop("model"), options.pop("designs"), **options)
