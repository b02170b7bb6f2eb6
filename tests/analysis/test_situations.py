"""What results say in special situations: their sentences and notes, read and approved as a whole.

``NBCOMPARE_APPROVE=1 pytest tests/analysis/test_situations.py`` writes them; read the difference.
"""

import functools
from pathlib import Path

import approved
import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare import Experiment, Histories

TEXTS = Path(__file__).with_name("situations.md")
pytestmark = pytest.mark.filterwarnings("error")

DEMSAR = nbc.datasets.load("demsar2006")
SIMULATED = nbc.datasets.load("otero2013_simulated")


def of(scores, direction="minimize", **labels):
    return Experiment.from_array(np.asarray(scores), direction=direction, **labels)


def normal(*shape, seed=1, step=0.0):
    """Scores by data set, algorithm and what else there is; later algorithms are higher."""
    levels = step * np.arange(shape[1]).reshape(-1, *[1] * (len(shape) - 2))
    return (np.random.default_rng(seed).normal(size=shape) + levels).round(3)


def units(n, k, *more, step=1.0):
    """Scores whose ranges differ by a factor of a million between data sets."""
    scale = 10.0 ** np.linspace(-3, 3, n).reshape(n, *[1] * (1 + len(more)))
    return normal(n, k, *more, seed=7, step=step) * scale


def lost(scores, *places):
    scores = np.array(scores, dtype=float)
    for place in places:
        scores[place] = np.nan
    return scores


def signed(n, of_ties=0, losses=0):
    """Differences of a pair of which so many are zero, and of the rest so many are negative."""
    differences = np.arange(1.0, n + 1) ** 1.5
    differences[:of_ties] = 0
    differences[of_ties : of_ties + losses] *= -1
    return of(np.column_stack([np.arange(n), np.arange(n) + differences]))


def skewed(n=60, seed=5):
    """A1 and A2 have equal means, with a skew, and A3 is the best on all data sets."""
    d = np.random.default_rng(seed).gamma(2, size=n) - 2
    close = 0.1 * np.random.default_rng(1).normal(size=n)
    return np.stack([d, np.zeros(n), 5 + d + close], axis=1)


def answers(n, k=3, seed=0):
    return np.random.default_rng(seed).integers(0, 2, size=(n, k))


def items(scores, **more):
    return of(scores, "maximize", unit="items", **more)


def runs(scores, direction="maximize"):
    return of(scores, direction, unit="runs")


def histories(values, **more):
    return Histories.from_array(values, direction="minimize", **more)


def pair(data, **options):
    return nbc.compare_pair(data, "A1", "A2", **options)


def folds(data, **options):
    return nbc.compare_cv("A1", "A2", experiment=data, **options)


def signs(data, control="A1", **options):
    return nbc.multiple_sign_test(data, control, **options)


def published(ranks, n=9, **options):
    return nbc.compare_ranks(dict(zip("ABC", ranks, strict=True)), n, **options)


def two_groups(data, first, **options):
    """The comparison by two groups, of which the first has so many data sets."""
    by = {name: "one" if i < first else "two" for i, name in enumerate(data.datasets)}
    return nbc.compare_by(data, by=by, **options)


def row(about, function, **options):
    """Return the name and the making of a result."""
    named = (f"{name} {value}" for name, value in options.items())
    name = ", ".join([f"{about}: {function.__name__}", *named])
    return name, functools.partial(function, DATA[about], **options)


# the control beats A2 on all, ties with A3 on 3; A4 is a tie or better
SIGNS = of([[2, 3, 3 if i < 4 else 2 if i < 7 else 1, 2 if i == 0 else 1] for i in range(10)])
SOLVED = np.zeros((75, 2))  # 14 of the items favour the first, 1 the other: the rest tie
SOLVED[:14, 0] = SOLVED[14, 1] = SOLVED[15:40] = 1
SIDES = np.stack([[*-0.01 * np.arange(1, 22), *np.arange(1, 21)], np.zeros(41)], axis=1)
OPPOSITE = [[1.0, 0.9 - 0.001 * i] for i in range(21)] + [[1.0, 2.0 + i] for i in range(19)]
IN_TURN = np.ones((12, 4)) - np.tile(np.eye(4), (3, 1))  # three solve what one does not
GAP = lost(normal(6, 3, 1, 1, step=1.0), (2, 1))
CLEAREST = (np.arange(4) + np.arange(4) ** 2 / 50) * (1 + np.arange(11)[:, np.newaxis] / 7)
LINKED = lost(normal(22, 4, seed=3), np.s_[:10, 2:], np.s_[11:, :2])
VARYING = np.array([0.5, 0.75, 0.25, 0.5])
ODD_ONE, ODD_FIVE = (np.random.default_rng(5).uniform(0.5, 1, (12, 4)) for _ in range(2))
ODD_ONE[3] *= 1000
ODD_FIVE[:5] *= 90
MIXED = normal(8, 6, 2, 3)
MIXED[:, 1] = MIXED[:, 0]
STEPS = [[[[8.0, 2.0], [8.0, 7.0]], [[2.0, 2.0], [9.0, 2.0]]]]
HARD = [[[[8.0, 2.0]], [[9.0, 5.0]]], [[[7.0, 2.0]], [[9.0, 4.0]]]]
BUDGETS = pd.DataFrame(
    [("p", "A", 1, 9.0), ("p", "A", 100, 2.0), ("p", "B", 1, 9.0), ("p", "B", 400, 1.0)],
    columns=["problem", "algorithm", "evaluations", "value"],
)
WALKS = np.minimum.accumulate(np.random.default_rng(6).exponential(size=(20, 3, 4, 20)), axis=3)
ALIKE = np.repeat(WALKS[:, :1], 2, axis=1)
DONE = np.stack([0.01 * 0.99 ** np.arange(20), 10 - 0.1 * np.arange(20)])[:, np.newaxis]

DATA = {
    "two best": of([[3, 1, 2], [3, 2, 1]]),
    "one best": of([[3, 1, 2], [3, 1, 2]]),
    "best of two": of([[3, 1], [3, 1]]),
    "a tie of ranks": of([[1, 1, 2], [1, 2, 3]]),
    "no tie of ranks": of([[1, 2, 3], [2, 1, 3]]),
    "published ranks that all agree": [1, 2, 3],
    "published ranks that are alike": [2, 2, 2],
    "published ranks": [2.5, 1.5, 2],
    "most items tie": of(SOLVED, "maximize"),
    "Demšar": DEMSAR,
    "no ties": of(normal(8, 3)),
    "perfect agreement with equal ranges": of([[1, 2, 3]] * 6),
    "one tie": signed(12, 1),
    "two ties": signed(12, 2),
    "three ties": signed(12, 3),
    "three ties and a loss": signed(12, 3, 1),
    "a pair without ties": of(normal(400, 2)),
    "a pair on few data sets": of(normal(5, 2)),
    "a pair on several scales": of(units(12, 2)),
    "a pair on one scale": of(normal(12, 2)),
    "a pair with a skew": of(skewed(), "maximize"),
    "a skew, turned": of(-skewed()),
    "a skew, with a gap": of(lost([*skewed(), [0, 1, 2]], (60, 0)), "maximize"),
    "skews of groups": of(np.vstack([skewed(), skewed(seed=9)]), "maximize"),
    "fewer wins and larger ones": of(SIDES, "maximize"),
    "ranks and tests in opposite ways": of(OPPOSITE),
    "signs": SIGNS,
    "signs against the best": of([[2, 1, 3], [1, 2, 3], [2, 1, 3], [2, 1, 3]]),
    "signs against one that is called best": of([[1, 2], [1, 2]], algorithms=["other", "best"]),
    "procedures and hypotheses": of(normal(20, 4)),
    "procedures and two algorithms": of(normal(20, 2)),
    "procedures": SIMULATED,
    "data sets on which all tie": of(np.vstack([normal(7, 4), np.full((5, 4), 0.5)])),
    "ties everywhere": of(np.full((12, 4), 0.5)),
    "ties of pairs": of(IN_TURN),
    "a recommendation for many hypotheses": of(lost(MIXED, (0, 2)), "maximize"),
    "a data set in another unit": of(ODD_ONE),
    "five data sets with larger scores": of(ODD_FIVE),
    "a gap": of(lost(normal(20, 4, step=0.5), (0, 0))),
    "a group in another unit": of(normal(14, 3) * np.repeat([1e-6, 1], [2, 12])[:, np.newaxis]),
    "folds that do not vary": of([[VARYING, VARYING + 0.25, VARYING]], "maximize"),
    "folds that share the best mean": of([[VARYING, VARYING - 0.25, VARYING]], "maximize"),
    "folds that tie": of([[VARYING, VARYING]], "maximize"),
    "few data sets for intervals": of(normal(5, 4, step=0.5)),
    "seven data sets": of(normal(7, 4, step=0.5)),
    "a wide margin on few data sets": of(normal(7, 4)),
    "a wide margin on enough data sets": of(normal(8, 4)),
    "few in both groups": of(CLEAREST),
    "a data set that links": of(LINKED),
    "five data sets": of(normal(5, 3)),
    "ten data sets": of(normal(10, 3)),
    "two that tie": of(np.ones((6, 2))),
    "several scales": of(units(12, 3)),
    "two with the same median": of([[0.3, 0.1 + 0.2], [0.5, 0.5]]),
    "two of three that tie": of([[1, 1, 2]] * 6),
    "runs": of(normal(1, 3, 8, 5, step=1.0)),
    "runs on several scales": of(units(12, 2, 1, 5, step=0.0)),
    "single runs": of(normal(6, 3, 1, 1, step=1.0)),
    "single runs and a gap": of(GAP),
    "single runs off a grid": of(np.random.default_rng(1).random((40, 4, 1, 1)) ** 0.5),
    "two best of runs": of(normal(1, 2, 8, 5)[:, [0, 0, 1]] + [[[[0.0]], [[0.0]], [[9.0]]]]),
    "conditions of normal scores": of(normal(10, 2, seed=5)),
    "conditions of folds": of(normal(4, 2, 10)),
    "conditions of two data sets": of([[1.0, 2.0], [2.0, 4.0]]),
    "folds that depend": of(normal(1, 2, 10)),
    "items that tie": items(np.ones((9, 3))),
    "items with as many wins as losses": items(
        np.repeat([[1, 0], [0, 1], [1, 1]], [10, 10, 30], axis=0)
    ),
    "items without a difference": items(np.repeat([[1, 1], [0, 0]], 20, axis=0)),
    "an item that is missing": items(lost(answers(50), (3, 1))),
    "three items": items(normal(3, 2)),
    "four clusters": items(answers(40), clusters=np.repeat(range(4), 10)),
    "runs of one data set": runs(normal(10, 3, step=0.5)),
    "runs of one data set that tie": runs(np.ones((5, 3))),
    "few runs of one data set": runs(normal(3, 3)),
    "runs that are better about half of the time": runs(
        (np.arange(20.0).reshape(4, 5) * [[1], [1], [1], [1.1]]).T, "minimize"
    ),
    "runs that are always better": runs(np.arange(60.0).reshape(3, 20).T),
    "no data set that is complete": of([[1.0, np.nan], [np.nan, 2.0], [3.0, np.nan]]),
    "one score": of([[4.0]]),
    "folds that are missing": of(lost(normal(3, 2, 4), (1, 0, 2))),
    "runs that are fewer": of(lost(normal(4, 3, 1, 6), np.s_[:, 1, 0, 3:])),
    "folds to average": of(lost(normal(4, 2, 5), (3, 1, 4))),
    "2 runs": of(normal(8, 3, 1, 2)),
    "4 runs": of(normal(8, 3, 1, 4)),
    "5 runs": of(normal(8, 3, 1, 5)),
    "targets nobody reaches": histories(HARD),
    "targets on one problem": histories(STEPS, evaluations=[10, 20]),
    "targets that one reaches": histories(
        [[STEPS[0][0][1:], STEPS[0][1][1:]]], evaluations=[10, 20]
    ),
    "targets and budgets": Histories.from_frame(BUDGETS, direction="minimize"),
    "targets from a benchmark": nbc.datasets.load("convergence_de"),
    "targets of single runs": histories(WALKS[:6, :, :1]),
    "ten problems": histories(WALKS[:10]),
    "twenty problems": histories(WALKS),
    "curves that are alike": histories(ALIKE),
    "curves of errors that are alike": histories(ALIKE + 1, optimum=0.0),
    "one that is behind all the time": histories(np.repeat(DONE[np.newaxis], 20, axis=0)),
}
ROWS = [
    row("two best", nbc.compare, control="best"),
    row("one best", nbc.compare, control="best", formulas="printed"),
    row("best of two", nbc.compare, control="best"),
    row("best of two", nbc.compare, control="best", alternative="better"),
    row("best of two", nbc.compare, adjust=None),
    row("Demšar", nbc.compare, adjust=None),
    row("a tie of ranks", nbc.compare, formulas="printed"),
    row("no tie of ranks", nbc.compare, formulas="printed"),
    row("published ranks that all agree", published),
    row("published ranks that are alike", published),
    row("published ranks", published, control="best"),
    row("published ranks", published, adjust="rom"),
    row("published ranks", published, n=30),
    row("published ranks", published, n=30, control="A"),
    row("most items tie", nbc.compare),
    row("most items tie", pair),
    row("Demšar", nbc.compare, ranking="aligned", formulas="printed"),
    row("Demšar", nbc.compare, ranking="quade", formulas="printed"),
    row("no ties", nbc.compare, ranking="aligned", formulas="printed"),
    row("no ties", nbc.compare, ranking="quade", formulas="printed"),
    row("perfect agreement with equal ranges", nbc.compare, ranking="quade"),
    row("perfect agreement with equal ranges", nbc.compare, ranking="aligned"),
    row("one tie", pair, zeros="demsar"),
    row("one tie", pair, zeros="split"),
    row("one tie", pair, zeros="pratt"),
    row("two ties", pair, zeros="demsar"),
    row("three ties", pair, zeros="demsar"),
    row("three ties", pair, zeros="wilcox"),
    row("three ties and a loss", pair, test="sign"),
    row("three ties and a loss", pair, test="sign", zeros="demsar"),
    row("a pair without ties", pair),
    row("a pair without ties", pair, method="exact", alternative="better"),
    row("a pair without ties", pair, test="rank-sum"),
    row("a pair without ties", pair, test="sign"),
    row("a pair on few data sets", pair),
    row("a pair on several scales", pair),
    row("a pair on several scales", pair, scale="one"),
    row("a pair on several scales", pair, test="wilcoxon"),
    row("a pair on several scales", pair, test="rank-sum"),
    row("a pair on several scales", pair, test="t"),
    row("a pair on one scale", pair, scale="several"),
    row("a pair with a skew", pair, scale="one"),
    row("a pair with a skew", pair, scale="one", test="sign"),
    row("a pair with a skew", nbc.compare, scale="one"),
    row("a pair with a skew", nbc.compare, scale="one", alpha=0.0001),
    row("a pair with a skew", nbc.compare, scale="one", pairs="exchange"),
    row("a pair with a skew", nbc.compare, scale="one", pairs="ranks"),
    row("a pair with a skew", nbc.compare, scale="one", pairs="t"),
    row("a skew, turned", nbc.compare, scale="one"),
    row("a skew, with a gap", nbc.compare, scale="one", pairs="wilcoxon", missing="skillings-mack"),
    row("skews of groups", two_groups, first=60, scale="one"),
    row("fewer wins and larger ones", nbc.compare, scale="one"),
    row("fewer wins and larger ones", pair, scale="one"),
    row("ranks and tests in opposite ways", nbc.compare, pairs="wilcoxon"),
    row("ranks and tests in opposite ways", nbc.compare, pairs="ranks"),
    row("signs", signs, alternative="better"),
    row("signs", signs, alternative="worse"),
    row("signs against the best", signs, control="best"),
    row("signs against the best", signs, control="best", alternative="worse"),
    row("signs against the best", signs),
    row("signs against one that is called best", signs, control="best"),
    row("procedures and hypotheses", nbc.compare, adjust="shaffer"),
    row("procedures and hypotheses", nbc.compare, adjust=["bergmann-hommel", "shaffer"]),
    row("procedures and hypotheses", nbc.compare, adjust="shaffer", pairs="exchange"),
    row("procedures and hypotheses", nbc.compare, adjust="shaffer", pairs="t"),
    row("procedures and hypotheses", nbc.compare, adjust="shaffer", pairs="ranks"),
    row("procedures and two algorithms", nbc.compare, adjust="shaffer"),
    row("procedures", nbc.compare, adjust="li"),
    row("procedures", nbc.compare, adjust="rom"),
    row("procedures", nbc.compare, adjust="rom", formulas="printed"),
    row("procedures", nbc.compare, adjust=["benjamini-hochberg", "holm"], pairs="ranks"),
    row("procedures", nbc.compare, adjust=["holm", "benjamini-yekutieli"], pairs="wilcoxon"),
    row("data sets on which all tie", nbc.compare),
    row("ties everywhere", nbc.compare),
    row("ties of pairs", nbc.compare),
    row("ties of pairs", nbc.recommend),
    row("a data set in another unit", nbc.compare),
    row("a data set in another unit", nbc.compare, scale="one"),
    row("a data set in another unit", nbc.compare, scale="several"),
    row("a data set in another unit", nbc.compare, pairs="ranks"),
    row("five data sets with larger scores", nbc.compare),
    row("a gap", nbc.compare, missing="skillings-mack", scale="one", pairs="ranks"),
    row("a gap", nbc.compare, missing="skillings-mack", scale="one", pairs="exchange"),
    row("a gap", nbc.compare, missing="skillings-mack"),
    row("a group in another unit", two_groups, first=4),
    row("a group in another unit", two_groups, first=4, pairs="ranks"),
    row("folds that do not vary", nbc.compare_cv),
    row("folds that share the best mean", nbc.compare_cv),
    row("folds that tie", nbc.compare_cv),
    row("ties everywhere", nbc.recommend),
    row("data sets on which all tie", nbc.recommend),
    row("ties everywhere", signs),
    row("a recommendation for many hypotheses", nbc.recommend),
    row("a recommendation for many hypotheses", nbc.recommend, control="best"),
    row("few data sets for intervals", nbc.compare, pairs="wilcoxon"),
    row("few data sets for intervals", nbc.compare, pairs="wilcoxon", intervals="pairwise"),
    row("seven data sets", nbc.compare, pairs="wilcoxon"),
    row("seven data sets", nbc.compare, pairs="wilcoxon", intervals="none"),
    row("a wide margin on few data sets", nbc.compare, margin=100.0),
    row("a wide margin on enough data sets", nbc.compare, margin=100.0),
    row("few in both groups", two_groups, first=5, pairs="wilcoxon", adjust="holm"),
    row("a data set that links", nbc.sensitivity, missing="skillings-mack"),
    row("five data sets", nbc.compare_bayesian, rope=0.1),
    row("ten data sets", nbc.compare_bayesian, rope=0.1),
    row("two that tie", nbc.compare_bayesian, rope=0),
    row("five data sets", nbc.contrast_estimation),
    row("several scales", nbc.compare_bayesian, rope=0.1),
    row("several scales", nbc.compare_bayesian, rope=0, test="sign"),
    row("several scales", nbc.contrast_estimation),
    row("several scales", nbc.compare),
    row("several scales", nbc.compare, scale="one"),
    row("Demšar", nbc.compare_bayesian, rope=1),
    row("Demšar", nbc.compare_bayesian, rope=0.05),
    row("two with the same median", nbc.contrast_estimation, n_resamples=20),
    row("two of three that tie", nbc.contrast_estimation, n_resamples=20),
    row("Demšar", nbc.contrast_estimation, scale="several"),
    row("Demšar", nbc.contrast_estimation, confidence=0.5),
    row("runs", nbc.compare_stochastic, adjust=["rom", "li"], formulas="printed"),
    row("runs", nbc.compare_stochastic, adjust="rom"),
    row("runs", nbc.compare_stochastic, adjust=None),
    row("runs on several scales", nbc.compare_stochastic, formulas="printed"),
    row("runs on several scales", nbc.compare_stochastic, test="t"),
    row("runs on several scales", nbc.compare_stochastic, test="wilcoxon"),
    row("runs on several scales", nbc.compare_stochastic, test="rank-sum"),
    row("runs on several scales", nbc.compare_stochastic),
    row("runs on several scales", nbc.compare_stochastic, procedure="interval"),
    row("runs on several scales", nbc.aggregate_runs, n_resamples=30),
    row("runs on several scales", nbc.compare_stochastic, scale="one", formulas="printed"),
    row("runs on several scales", nbc.compare_stochastic, scale="one", test="t"),
    row("runs on several scales", nbc.compare_stochastic, scale="one", test="wilcoxon"),
    row("runs on several scales", nbc.compare_stochastic, scale="one", test="rank-sum"),
    row("single runs", nbc.compare_stochastic),
    row("single runs and a gap", nbc.compare_stochastic, missing="interval"),
    row("single runs and a gap", nbc.compare_stochastic, missing="drop"),
    row("single runs off a grid", nbc.compare_stochastic),
    row("two best of runs", nbc.compare_stochastic, procedure="interval", control="best"),
    row("Demšar", nbc.check_conditions, alpha=0.03),
    row("conditions of normal scores", nbc.check_conditions),
    row("conditions of folds", nbc.check_conditions),
    row("conditions of two data sets", nbc.check_conditions),
    row("folds that depend", folds, test="permutation"),
    row("folds that depend", folds, test="tilted"),
    row("items that tie", nbc.compare_items),
    row("items with as many wins as losses", nbc.compare_items),
    row("items without a difference", nbc.compare_items),
    row("an item that is missing", nbc.compare_items, missing="drop-folds"),
    row("three items", nbc.compare_items),
    row("four clusters", nbc.compare_items),
    row("runs of one data set", nbc.compare_runs),
    row("runs of one data set that tie", nbc.compare_runs),
    row("few runs of one data set", nbc.compare_runs),
    row("runs that are better about half of the time", nbc.compare),
    row("runs that are always better", nbc.compare),
    row("no data set that is complete", nbc.describe),
    row("one score", nbc.describe),
    row("folds that are missing", nbc.describe),
    row("runs that are fewer", nbc.compare),
    row("folds to average", nbc.compare, missing="available"),
    row("folds to average", nbc.compare, missing="drop-folds"),
    row("folds to average", nbc.compare, missing="worst"),
    row("2 runs", nbc.aggregate_runs, n_resamples=30, scale="one"),
    row("4 runs", nbc.aggregate_runs, n_resamples=30, scale="one"),
    row("5 runs", nbc.aggregate_runs, n_resamples=30, scale="one"),
    row("5 runs", nbc.aggregate_runs, n_resamples=30, scale="several"),
    row("5 runs", nbc.compare_stochastic, scale="several"),
    row("targets nobody reaches", nbc.fixed_targets, targets=[6, 3, 1]),
    row("targets on one problem", nbc.fixed_targets, targets=[3]),
    row("targets that one reaches", nbc.fixed_targets, targets=[3]),
    row("targets and budgets", nbc.fixed_targets, targets=[3, 1]),
    row("targets from a benchmark", nbc.fixed_targets),
    row("targets of single runs", nbc.fixed_targets, targets="quantiles"),
    row("ten problems", nbc.compare_convergence),
    row("ten problems", nbc.compare_convergence, adjust=None),
    row("ten problems", nbc.compare_convergence, adjust="li"),
    row("ten problems", nbc.compare_convergence, null="page"),
    row("twenty problems", nbc.compare_convergence),
    row("curves that are alike", nbc.compare_convergence),
    row("curves of errors that are alike", nbc.compare_convergence),
    row("one that is behind all the time", nbc.compare_convergence),
]
MADE = dict(ROWS)


def text_of(result):
    """Findings, notes, of which the findings may have the text already, and reasons."""
    found = "\n".join(result.findings)
    notes = (
        f"[{note.code}] {'' if note.text in found else note.text}".rstrip() for note in result.notes
    )
    return "\n".join([found, *notes, getattr(result, "why", "")]).strip()


@approved.unless_written
@pytest.mark.parametrize("name", MADE)
def test_text(name):
    assert text_of(MADE[name]()) == approved.texts_in(TEXTS)[name]


def test_all_texts_are_of_a_situation():
    texts = {name: lambda make=make: text_of(make()) for name, make in MADE.items()}
    approved.write(TEXTS, "What results say in special situations", texts)
    assert list(approved.texts_in(TEXTS)) == list(MADE)
