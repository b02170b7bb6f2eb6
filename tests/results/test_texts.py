"""What results say, as whole texts that were read and approved.

``NBCOMPARE_APPROVE=1 pytest tests/results/test_texts.py`` writes them again; read the difference.
"""

import dataclasses
import functools
import pickle
import re
from pathlib import Path

import approved
import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare import Experiment, Histories, datasets
from nbcompare.results import from_json
from nbcompare.words import CITATIONS

TEXTS = Path(__file__).with_name("texts.md")

DEMSAR = datasets.load("demsar2006")
TWO = DEMSAR.select(algorithms=["C4.5", "C4.5+m"])
OTERO = datasets.load("otero2013_simulated")
RUNS = datasets.load("stochastic_cv")
CURVES = datasets.load("convergence_de")


def noise(*shape, seed=0, levels=()):
    values = np.random.default_rng(seed).normal(size=shape)
    if len(levels):
        values += np.array(levels).reshape(1, -1, *[1] * (len(shape) - 2))
    return Experiment.from_array(values.round(3), direction="maximize")


def folds(shape, levels):
    values = np.random.default_rng(5).normal(0.8, 0.02, (1, len(levels), shape))
    values += np.array(levels)[:, None]
    return Experiment.from_array(
        values.round(3), direction="maximize", measure="accuracy", datasets=["iris"]
    )


def with_gaps(**options):
    values = np.random.default_rng(1).random((12, 4)).round(2)
    values[0, 0] = values[3, 2] = np.nan
    return nbc.compare(Experiment.from_array(values, direction="maximize"), **options)


def logs(n=6, k=3):
    values = np.random.default_rng(0).random((n, k, 3, 20)) + 0.1
    return Histories.from_array(np.minimum.accumulate(values, axis=3), direction="minimize")


RACE = np.stack([0.97 ** np.arange(1, 101), 0.99 ** np.arange(1, 101)])
FASTER = Histories.from_array(
    np.arange(1, 13)[:, None, None, None] * RACE[None, :, None],
    direction="minimize",
    algorithms=["Fast", "Slow"],
    optimum=0.0,
)
SCALES = Experiment.from_array(
    np.random.default_rng(2).random((12, 3)) * 10.0 ** np.arange(12)[:, None], direction="minimize"
)
SKEWED = Experiment.from_array(  # equal means, and opposite skews
    np.random.default_rng(5).gamma(2, size=(60, 1)) * [1, 0] + [0, 2], direction="maximize"
)
REGRESSION = datasets.load("stochastic_regression")
HINGE = Experiment.from_array(  # the last difference alone is needed
    np.arange(1.0, 16)[:, np.newaxis] * [[0, -1 if i in (7, 13) else 1] for i in range(15)],
    direction="minimize",
)
GIVEN = Experiment.from_frame(
    pd.DataFrame(
        [
            (f"d{row}", "ABC"[column], low, low + 0.2)
            for (row, column), low in np.ndenumerate(
                np.random.default_rng(0).random((12, 3)) + 0.4 * np.arange(3)
            )
        ],
        columns=["dataset", "algorithm", "lower", "upper"],
    ),
    direction="minimize",
)
# t goes by the first fold alone, in which the second is better
UNCLEAR = np.reshape(np.where(np.arange(10) < 2, -0.05, 0.04) + np.arange(10) / 1e4, (5, 2))
# one failed run moves the mean, and the optimality gap, and not the interquartile mean
FAILING = np.random.default_rng(0).normal(size=(6, 2, 1, 8)) / 100 + [[[0]], [[0.05]]]
FAILING[0, 1, 0, 0] = -9
FAILING = Experiment.from_array(FAILING, direction="maximize", algorithms=["safe", "failing"])


def grouped(**options):
    groups = tuple("ab"[place % 2] for place in range(32))
    return nbc.compare_by(dataclasses.replace(OTERO, domains=groups), **options)


def aggregated(levels, *, seed=1, direction="maximize", **options):
    scores = np.random.default_rng(seed).normal(size=(6, len(levels), 1, 5))
    scores += np.array(levels, dtype=float)[:, np.newaxis, np.newaxis]
    data = Experiment.from_array(scores, direction=direction, measure="AUC")
    return nbc.aggregate_runs(data, **{"scale": "one", "n_resamples": 100} | options)


MADE = {
    "all pairs": lambda: nbc.compare(DEMSAR),
    "a control": lambda: nbc.compare(DEMSAR, control="C4.5"),
    "the best as control": lambda: nbc.compare(DEMSAR, control="best"),
    "two algorithms, a difference": lambda: nbc.compare(TWO),
    "two algorithms, none": lambda: nbc.compare(noise(12, 2)),
    "no difference": lambda: nbc.compare(noise(12, 4)),
    "too few data sets": lambda: nbc.compare(noise(3, 3)),
    "perfect agreement": lambda: nbc.compare(noise(8, 3, levels=(0, 50, 100))),
    "the same scores": lambda: nbc.compare(
        Experiment.from_array(np.tile([[1.0], [2.0], [4.0]], (3, 3)), direction="minimize")
    ),
    "many pairs": lambda: nbc.compare(noise(30, 12, levels=np.arange(12) / 4)),
    "t tests": lambda: nbc.compare(DEMSAR, pairs="t"),
    "average ranks and Nemenyi": lambda: nbc.compare(DEMSAR, adjust="nemenyi"),
    "aligned ranks": lambda: nbc.compare(DEMSAR, ranking="aligned"),
    "Quade, as printed": lambda: nbc.compare(DEMSAR, ranking="quade", formulas="printed"),
    "without adjustment": lambda: nbc.compare(DEMSAR, adjust=None),
    "false discovery rate": lambda: nbc.compare(DEMSAR, adjust="benjamini-hochberg"),
    "a margin": lambda: nbc.compare(DEMSAR, margin=0.05),
    "a margin and a control": lambda: nbc.compare(DEMSAR, control="C4.5", margin=0.05),
    "several scales": lambda: nbc.compare(SCALES),
    "data sets left out": lambda: with_gaps(missing="drop"),
    "the worst score for what is missing": lambda: with_gaps(missing="worst"),
    "Skillings and Mack": lambda: with_gaps(missing="skillings-mack"),
    "published average ranks": lambda: nbc.compare_ranks({"A": 1.2, "B": 2.1, "C": 2.7}, 30),
    "published average ranks of two": lambda: nbc.compare_ranks({"A": 1.2, "B": 1.8}, 10),
    "ranks that differ, and pairs that do not": lambda: nbc.compare(
        datasets.load("demsar2006_ranks")
    ),
    "two procedures": lambda: nbc.compare(DEMSAR, adjust=["holm", "finner"], control="C4.5"),
    "a best rank that is shared": lambda: nbc.compare(
        Experiment.from_array([[1, 1, 2]] * 4, direction="minimize")
    ),
    "two with the same scores": lambda: nbc.compare(
        Experiment.from_array(np.ones((6, 2)), direction="minimize")
    ),
    "sensitivity": lambda: nbc.sensitivity(DEMSAR),
    "sensitivity, a control": lambda: nbc.sensitivity(DEMSAR, control="C4.5"),
    "sensitivity, firm": lambda: nbc.sensitivity(noise(20, 3, levels=(0, 3, 6))),
    "sensitivity of two": lambda: nbc.sensitivity(TWO),
    "sensitivity of two, no difference": lambda: nbc.sensitivity(
        DEMSAR.select(algorithms=["C4.5", "C4.5+cf"])
    ),
    "groups": lambda: nbc.compare_by(
        noise(20, 3, levels=(0, 0, 2)), by={str(i): "ab"[i > 10] for i in range(1, 21)}
    ),
    "single runs": lambda: nbc.compare_stochastic(OTERO),
    "runs": lambda: nbc.compare_stochastic(RUNS),
    "runs, fuzzy p-values": lambda: nbc.compare_stochastic(RUNS, procedure="fuzzy"),
    "runs and a control": lambda: nbc.compare_stochastic(
        noise(12, 3, 1, 6, levels=(0, 1, 3)), procedure="interval", control="A1"
    ),
    "convergence": lambda: nbc.compare_convergence(logs()),
    "convergence, one is faster": lambda: nbc.compare_convergence(FASTER),
    "convergence, many pairs": lambda: nbc.compare_convergence(CURVES, optimum_tolerance=1e-8),
    "convergence by values": lambda: nbc.compare_convergence(CURVES, differences="raw"),
    "convergence, Page's null": lambda: nbc.compare_convergence(
        CURVES.select(algorithms=CURVES.algorithms[:3], problems=CURVES.problems[:6]),
        optimum_tolerance=1e-8,
        null="page",
    ),
    "convergence, as printed": lambda: nbc.compare_convergence(logs(), formulas="printed"),
    "two algorithms on folds": lambda: nbc.compare_cv("A1", "A2", experiment=folds(10, [0, 0.04])),
    "two algorithms on folds, none": lambda: nbc.compare_cv(
        "A1", "A2", experiment=folds(10, [0, 0]), test="corrected-t"
    ),
    "all pairs on folds": lambda: nbc.compare_cv(folds(10, [0, 0.01, 0.06]), ratio=1 / 9),
    "probabilities": lambda: nbc.compare_bayesian(DEMSAR, rope=0.01),
    "probabilities of two": lambda: nbc.compare_bayesian(TWO, rope=0.01),
    "aggregates of runs": lambda: nbc.aggregate_runs(noise(6, 3, 1, 5), n_resamples=200),
    "targets": lambda: nbc.fixed_targets(logs(), targets="quantiles"),
    "a control that is worse": lambda: nbc.compare(DEMSAR, control="C4.5", alternative="worse"),
    "a control that is not better": lambda: nbc.compare(
        noise(12, 4), control="A1", alternative="better", pairs="ranks"
    ),
    "signs against a control": lambda: nbc.multiple_sign_test(DEMSAR, "C4.5", alternative="worse"),
    "contrasts of medians": lambda: nbc.contrast_estimation(DEMSAR, n_resamples=50),
    "contrasts on several scales": lambda: nbc.contrast_estimation(SCALES),
    "intervals of ranks": lambda: nbc.rank_intervals(DEMSAR),
    "what is recommended": lambda: nbc.recommend(DEMSAR),
    "runs by their mode": lambda: nbc.compare_stochastic(RUNS, encoding="mode"),
    "a pair by Wilcoxon": lambda: nbc.compare_pair(DEMSAR, "C4.5", "C4.5+m"),
    "a pair by signs": lambda: nbc.compare_pair(DEMSAR, "C4.5", "C4.5+m", test="sign"),
    "a pair, one-sided": lambda: nbc.compare_pair(DEMSAR, "C4.5+m", "C4.5", alternative="better"),
    "runs on several scales": lambda: nbc.compare_stochastic(
        noise(12, 3, 1, 6, levels=(0, 1, 3)), scale="several"
    ),
    "a pair that is not symmetric": lambda: nbc.compare_pair(SKEWED, "A1", "A2", scale="one"),
    "runs, inconclusive": lambda: nbc.compare_stochastic(RUNS, procedure="interval", coverage=0.3),
    "runs against a control": lambda: nbc.compare_stochastic(
        RUNS, procedure="interval", coverage=0.1, control="random tree"
    ),
    "runs of two on one data set": lambda: nbc.compare_stochastic(
        RUNS.select(datasets=["iris"], algorithms=RUNS.algorithms[:2]), procedure="interval"
    ),
    "runs by draws": lambda: nbc.compare_stochastic(
        RUNS, method="resampling", n_resamples=99, rng=1
    ),
    "runs on several scales, by ranks": lambda: nbc.compare_stochastic(REGRESSION),
    "runs on several scales, by signs": lambda: nbc.compare_stochastic(
        REGRESSION, procedure="interval"
    ),
    "intervals that were given": lambda: nbc.compare_stochastic(GIVEN, procedure="interval"),
    "convergence by values, basic ranks": lambda: nbc.compare_convergence(
        CURVES, differences="raw", version="basic"
    ),
    "all pairs on folds, none": lambda: nbc.compare_cv(folds(10, [0, 0]), ratio=1 / 9),
    "a control on folds": lambda: nbc.compare_cv(
        folds(10, [0, 0.01, 0.06]), ratio=1 / 9, control="A3"
    ),
    "two algorithms on folds, classical": lambda: nbc.compare_cv(
        "A1", "A2", experiment=folds(10, [0, 0.04]), test="classical"
    ),
    "two algorithms on folds, one-sided": lambda: nbc.compare_cv(
        "A1", "A2", experiment=folds(10, [0, 0.04]), test="permutation", alternative="better"
    ),
    "groups of runs": lambda: grouped(),
    "groups, adjusted together": lambda: grouped(across=True),
    "groups, several scales": lambda: grouped(scale="several"),
    "aggregates, open pairs": lambda: aggregated([0, 5, 5], target=2),
    "aggregates, no clear pair": lambda: aggregated([0, 0, 0], seed=2),
    "aggregates of two": lambda: aggregated([0, 0], seed=3),
    "aggregates of many": lambda: aggregated(np.arange(9.0), direction="minimize"),
    "aggregates, another leader": lambda: nbc.aggregate_runs(
        FAILING, scale="one", target=0, n_resamples=100
    ),
    "aggregates on several scales": lambda: aggregated([0, 1, 2], scale="several"),
    "probabilities without a region": lambda: nbc.compare_bayesian(DEMSAR, rope=0),
    "probabilities, a control": lambda: nbc.compare_bayesian(DEMSAR, rope=0.01, control="C4.5"),
    "probabilities of few data sets": lambda: nbc.compare_bayesian(
        DEMSAR.select(datasets=DEMSAR.datasets[:5]), rope=0.01
    ),
    "a narrow margin of two": lambda: nbc.compare(TWO, margin=0.001),
    "a wide margin of two": lambda: nbc.compare(TWO, margin=0.05),
    "a narrow margin of two, none": lambda: nbc.compare(noise(12, 2), margin=0.01),
    "a wide margin of two, none": lambda: nbc.compare(noise(12, 2), margin=9),
    "a control that is not shown to be better": lambda: nbc.compare(
        DEMSAR, control="C4.5", alternative="better"
    ),
    "two algorithms on folds, unclear": lambda: nbc.compare_cv(
        UNCLEAR, 0 * UNCLEAR, direction="minimize", test="5x2cv-t"
    ),
    "two algorithms on folds, worse": lambda: nbc.compare_cv(
        *(x.ravel() for x in (UNCLEAR, 0 * UNCLEAR)), direction="maximize", alternative="worse"
    ),
    "margins of many": lambda: nbc.compare(noise(40, 9), margin=5),
    "one data set decides": lambda: nbc.sensitivity(HINGE),
    "groups and a side": lambda: nbc.compare_by(
        DEMSAR,
        by={name: "ab"[i % 2] for i, name in enumerate(DEMSAR.datasets)},
        control="C4.5",
        alternative="better",
    ),
}


@functools.cache
def made(name):
    return MADE[name]()


def text_of(result):
    """What a result says, a line for each sentence, without the number of the version."""
    return "\n".join(result.sentences).replace(nbc.__version__, "VERSION")


@approved.unless_written
@pytest.mark.parametrize("name", MADE)
def test_text(name):
    assert text_of(made(name)) == approved.texts_in(TEXTS)[name]


def test_all_texts_are_of_a_result():
    texts = {name: lambda make=make: text_of(make()) for name, make in MADE.items()}
    approved.write(TEXTS, "What results say", texts)
    assert list(approved.texts_in(TEXTS)) == list(MADE)


@pytest.mark.parametrize("name", MADE)
def test_every_result_agrees_with_itself(name):
    result = made(name)
    assert result.check() == ()
    again = from_json(result.to_json())
    assert (again.to_json(), again.sentences) == (result.to_json(), result.sentences)


def test_a_result_of_any_kind_stays_as_it_is():
    for result in {type(made(name)): made(name) for name in MADE}.values():
        again = pickle.loads(pickle.dumps(result))
        assert again.to_json() == result.to_json()
        assert str(again) == str(result)
        for one in (result, again):
            with pytest.raises(dataclasses.FrozenInstanceError):
                one.notes = ()
            arrays = [value for value in vars(one).values() if isinstance(value, np.ndarray)]
            assert not any(array.flags.writeable for array in arrays)


# ------------------------------------------------------------------------ findings and methods


def told(result, section="findings", **options):
    return " ".join(str(result.section(section, **options)).split())


def numbers_in(text):
    groups = re.findall(r"\[((?:\d+(?:, )?)+)\]", text)
    return list(dict.fromkeys(int(n) for group in groups for n in group.split(", ")))


@pytest.mark.parametrize("name", [name for name in MADE if name != "what is recommended"])
def test_sentences_are_whole_and_references_are_numbered_in_their_order(name):
    result = made(name)
    for section in ("findings", "methods"):
        assert not re.search(r"\b(None|nan|inf)\b|[;,]\s*[.;]|\.\.|\( ", told(result, section))
    paragraph, *listed = told(result, "methods").split("Note: ")
    assert numbers_in(paragraph) == list(range(1, len(listed) + 1))
    shown = {item.strip().removeprefix(f"[{number}] ") for number, item in enumerate(listed, 1)}
    assert shown <= {*result.references} & {*CITATIONS.values()}


def test_the_numbers_go_on_in_a_second_paragraph():
    first, second = made("all pairs"), made("runs")
    n = told(first, "methods").count("Note: ")
    paragraph, *listed = told(second, "methods", after=first).split("Note: ")
    # what the first has cited, Holm, keeps its number and is not listed again
    holm = int(re.search(r"Holm procedure \[(\d+)\]", told(first, "methods"))[1])
    assert numbers_in(paragraph) == [n + 1, holm]
    assert [item.partition("]")[0] for item in listed] == [f"[{n + 1}"]
    groups = told(made("groups of runs"), "methods", after=[first])
    (wilcoxon,) = re.findall(r"Wilcoxon's signed-rank test (\[\d+\])", told(first, "methods"))
    assert f"signed-rank test {wilcoxon}" in groups
    assert "Note: " not in groups
    with pytest.raises(ValueError, match="`after` is for the section 'methods'; got 'pairs'"):
        first.section("pairs", after=second)
    with pytest.raises(ValueError, match="`name` must be 'findings'"):
        second.section("methods after nobody2000")


@pytest.mark.parametrize("make", [nbc.compare_stochastic, lambda e: nbc.compare_cv(e, ratio=0.1)])
def test_many_pairs_are_cut_established_ones_first(make):
    means = np.linspace(0.5, 0.9, 8)
    scores = np.random.default_rng(5).normal(means[:, None], 0.05, (8, 10))
    result = make(Experiment.from_array(scores[None], direction="maximize"))
    lines = str(result.section("pairs")).splitlines()
    assert "the first 20 of 28" in lines[0]
    shown = [not re.search(r"not rejected|no$", line) for line in lines[3:]]
    assert shown == sorted(shown, reverse=True)
    assert len(shown) == 20


@pytest.mark.parametrize("name", MADE)
def test_notes_do_not_say_again_what_the_findings_say(name):
    result = made(name)
    found = words_of(" ".join(result.findings))
    told = {tuple(found[at : at + 7]) for at in range(len(found))}
    for note in result.notes:  # of which one may tell of pairs, and one of all algorithms
        told_so = note.text in " ".join(result.findings)
        if not told_so and not note.code.startswith("never-significant"):
            words = words_of(note.text)
            again = [words[at : at + 7] for at in range(len(words) - 6)]
            assert not [" ".join(part) for part in again if tuple(part) in told]


def words_of(text):
    return re.findall(r"\w+", text.lower())
