"""What stands in reports of every kind, cell by cell, as outlines that were read and approved.

``NBCOMPARE_APPROVE=1 pytest tests/report/test_outlines.py`` writes them again; read the difference.
"""

import dataclasses
import re
from pathlib import Path

import approved
import nbformat
import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.report.collect import report_of

OUTLINES = Path(__file__).with_name("outlines.md")
DEMSAR = nbc.datasets.load("demsar2006")
OTERO = nbc.datasets.load("otero2013_simulated")


def table(n=6, k=3, step=0.0, seed=0, **more):
    scores = np.random.default_rng(seed).normal(step * np.arange(k), 1, (n, k)).round(3)
    return nbc.Experiment.from_array(scores, **{"direction": "minimize"} | more)


def runs(n=8, k=3, folds=1, repeats=6, seed=0, scale=0):
    means = 0.4 + 0.05 * np.arange(k)[:, None, None] + 0.1 * np.arange(n)[:, None, None, None]
    scores = np.random.default_rng(seed).normal(means, 0.05, (n, k, folds, repeats))
    scores *= 10.0 ** (scale * np.arange(n))[:, None, None, None]
    return nbc.Experiment.from_array(scores.round(4), direction="minimize")


def iris(k=3, folds=10, repeats=1):
    return dataclasses.replace(runs(1, k, folds, repeats), datasets=("iris",))


def changed(experiment, *where, value=np.nan):
    lower = experiment.lower.copy()
    lower[where] = value
    return dataclasses.replace(experiment, lower=lower, upper=lower)


def logs(optimum=None):
    values = np.minimum.accumulate(np.random.default_rng(0).random((6, 2, 3, 20)), axis=3)
    return nbc.Histories.from_array(values, direction="minimize", optimum=optimum)


def grouped(experiment):
    return dataclasses.replace(experiment, domains=tuple("ab" * (experiment.n_datasets // 2)))


GAP = changed(table(7), 2, 1)
SLICE = slice(1, None)
LOST = changed(runs(), 0, 1, 0, SLICE)  # one run here, several elsewhere
FIXED = changed(runs(), slice(None), 1, 0, SLICE)  # deterministic
REVERSED = np.random.default_rng(0).normal(size=(30, 3)) * 0.1
REVERSED[:, 0] += np.where(np.arange(30) < 22, -2.0, 2.0)  # the first is the worst in a group
REVERSED = dataclasses.replace(
    nbc.Experiment.from_array(REVERSED, direction="minimize", algorithms=["good", "bad", "*ugly*"]),
    domains=("most",) * 22 + ("few",) * 8,
)
COSTS = nbc.Experiment.from_array(table(14).mean_scores + 9, direction="minimize")
FAILED = nbc.Experiment.from_array(
    np.where(np.arange(18).reshape(6, 3) == 4, np.inf, table().mean_scores),
    direction="minimize",
    infinite="no success",
)
MEASURES = {"accuracy": table(12, step=0.5), "log loss": table(12, seed=1)}

REPORTS = {
    "comparison": lambda: nbc.Report(DEMSAR),
    "comparison in full": lambda: nbc.Report(DEMSAR, full=True),
    "a control": lambda: nbc.Report(DEMSAR, compare={"control": "C4.5", "alpha": 0.1}),
    "a control in full": lambda: nbc.Report(DEMSAR, compare={"control": "C4.5"}, full=True),
    "a control, without some sections": lambda: nbc.Report(
        DEMSAR, compare={"control": "C4.5"}, full=True
    ).remove("findings", "comparison", "methods", "appendix", "sensitivity", "conditions"),
    "the best as control": lambda: nbc.Report(table(), compare={"control": "best"}, full=True),
    "a side": lambda: nbc.Report(
        DEMSAR,
        compare={"control": "C4.5", "alternative": "worse", "scale": "one"},
        sections=["comparison", "all-pairs", "signs"],
    ),
    "words of one's own": lambda: nbc.Report(DEMSAR, full=True).add("A remark."),
    "words of one's own in the appendix": lambda: nbc.Report(DEMSAR, full=True).add(
        "A remark.", after="conditions"
    ),
    "a margin": lambda: nbc.Report(DEMSAR, compare={"margin": 0.05}),
    "tests by average ranks": lambda: nbc.Report(DEMSAR, compare={"pairs": "ranks"}),
    "without intervals": lambda: nbc.Report(DEMSAR, compare={"intervals": "none"}),
    "other designs": lambda: nbc.Report(
        table(), compare={"ranking": "quade", "formulas": "printed", "control": "best"}
    ),
    "two algorithms": lambda: nbc.Report(table(k=2), bayesian={"rope": 0}, full=True),
    "a comparison alone": lambda: nbc.Report(DEMSAR, sections=["comparison"]),
    "all pairs first": lambda: nbc.Report(DEMSAR, sections=["all-pairs", "comparison"]),
    "what else can be asked": lambda: nbc.Report(COSTS, sections=["design"]),
    "nothing else to ask": lambda: nbc.Report(FAILED, sections=["design"]),
    "no difference": lambda: nbc.Report(table(12, direction="maximize")),
    "no difference in full": lambda: nbc.Report(table(12, direction="maximize"), full=True),
    "seven algorithms": lambda: nbc.Report(table(14, 7), sections=["comparison"]),
    "twelve algorithms": lambda: nbc.Report(table(8, 12), sections=["findings"]),
    "thirteen algorithms": lambda: nbc.Report(table(8, 13), sections=["findings"]),
    "fourteen algorithms": lambda: nbc.Report(table(14, 14, step=1.0)),
    "sixty-one algorithms": lambda: nbc.Report(table(6, 61)),
    "forty data sets": lambda: nbc.Report(table(40, 8), sections=["findings", "data"]),
    "forty-one data sets": lambda: nbc.Report(table(41, 2), sections=["findings", "data"]),
    "four hundred data sets": lambda: nbc.Report(table(400, 6)),
    "gaps left out": lambda: nbc.Report(
        GAP, compare={"missing": "drop", "control": "A1"}, full=True
    ),
    "gaps ranked": lambda: nbc.Report(
        GAP, compare={"missing": "skillings-mack", "control": "A1"}, full=True
    ),
    "infinite scores": lambda: nbc.Report(FAILED, full=True),
    "average ranks": lambda: nbc.Report(nbc.compare_ranks({"A": 1.2, "B": 2.2, "C": 2.6}, 20)),
    "groups": lambda: nbc.Report(grouped(DEMSAR)),
    "groups that reverse the answer": lambda: nbc.Report(REVERSED, compare={"pairs": "ranks"}),
    "runs": lambda: nbc.Report(runs(), stochastic={}),
    "runs in full": lambda: nbc.Report(runs(), compare={"control": "A1", "alpha": 0.1}, full=True),
    "runs and the best": lambda: nbc.Report(runs(), compare={"control": "best"}, full=True),
    "runs alone": lambda: nbc.Report(runs(), stochastic={}, sections=["stochastic"]),
    "runs that are not complete": lambda: nbc.Report(LOST, compare={"missing": "worst"}, full=True),
    "runs of thirteen": lambda: nbc.Report(runs(k=13), full=True),
    "two runs": lambda: nbc.Report(runs(repeats=2), full=True),
    "three runs": lambda: nbc.Report(runs(repeats=3), full=True),
    "a deterministic algorithm": lambda: nbc.Report(FIXED, full=True),
    "scales that are stated": lambda: nbc.Report(
        runs(scale=1),
        compare={"scale": "one"},
        stochastic={"scale": "several"},
        sections=["design", "comparison", "sensitivity", "contrast", "stochastic"],
    ),
    "typical scores": lambda: nbc.Report(runs(), aggregates={"target": 0.7}),
    "typical scores alone": lambda: nbc.Report(
        runs(), aggregates={"n_resamples": 50}, sections=["findings", "aggregates", "methods"]
    ),
    "typical scores on several scales": lambda: nbc.Report(runs(scale=1), aggregates={}),
    "folds of unknown sizes": lambda: nbc.Report(iris(folds=20)),
    "folds": lambda: nbc.Report(iris(), cv={"ratio": 1 / 9}, compare={"control": "A1"}),
    "folds in full": lambda: nbc.Report(iris(), cv={"ratio": 1 / 9}, full=True),
    "folds and probabilities": lambda: nbc.Report(
        iris(), bayesian={"rope": 0.1}, cv={"ratio": 0.1}
    ),
    "folds and runs": lambda: nbc.Report(iris(repeats=4), cv={"ratio": 0.1}, stochastic={}),
    "runs of folds, fuzzy": lambda: nbc.Report(
        iris(repeats=5), stochastic={"procedure": "fuzzy"}, full=True
    ),
    "runs of folds, a control": lambda: nbc.Report(
        iris(repeats=5), stochastic={"procedure": "interval", "control": "A3"}
    ),
    "histories": lambda: nbc.Report(histories=logs()),
    "histories in full": lambda: nbc.Report(histories=logs(), full=True),
    "histories, optima known": lambda: nbc.Report(histories=logs(optimum=0.0)),
    "histories, targets chosen": lambda: nbc.Report(
        histories=logs(), targets={"targets": "quantiles"}
    ),
    "histories, targets alone": lambda: nbc.Report(
        histories=logs(optimum=0.0), sections=["findings", "targets", "methods"]
    ),
    "scores and histories": lambda: nbc.Report(runs(), histories=logs(), stochastic={}),
    "scores and histories in full": lambda: nbc.Report(runs(), histories=logs(), full=True),
    "probabilities": lambda: nbc.Report(
        DEMSAR, compare={"control": "best"}, bayesian={"rope": 0.01}
    ),
    "probabilities alone": lambda: nbc.Report(
        DEMSAR, bayesian={"rope": 0.01}, sections=["findings", "bayesian", "methods"]
    ),
    "a plan": lambda: nbc.Report(
        table(step=2.0),
        compare={"control": "A1", "adjust": "holm", "margin": 0.1, "missing": "drop"},
        plan={"power": 0.9, "largest": 12, "alpha": 0.2},
    ),
    "a plan alone": lambda: nbc.Report(
        table(step=2.0), sections=["findings", "plan", "methods"], plan={"largest": 12}
    ),
    "a plan of folds": lambda: nbc.Report(
        iris(k=2), cv={"ratio": 0.2}, compare={"ranking": "quade"}, plan={"largest": 12}
    ),
    "several measures": lambda: nbc.Report(MEASURES, compare={"pairs": "ranks"}),
    "sections of several measures": lambda: nbc.Report(
        MEASURES, compare={"control": "A1"}, sections=["comparison", "signs"]
    ),
    "measures that look alike": lambda: nbc.Report(
        {"F1": table(), "f1": table(), "***": table()}, sections=["data"]
    ),
    "results": lambda: report_of(
        {"runs": nbc.compare_stochastic(runs()), "means": nbc.compare(runs())}, {"data": runs()}
    ),
    "results of a kind": lambda: report_of(
        {"one": nbc.compare(DEMSAR), "two": nbc.compare(DEMSAR, adjust="holm")}, {"data": DEMSAR}
    ),
    "results by group": lambda: report_of(
        {"field": nbc.compare_by(grouped(OTERO))}, {"data": grouped(OTERO)}
    ),
    "a result that was varied": lambda: report_of(
        {"mine": nbc.compare(DEMSAR), "varied": nbc.sensitivity(DEMSAR)}, {"data": DEMSAR}
    ),
    "a result that was not varied": lambda: report_of(
        {"mine": nbc.compare(DEMSAR, pairs="ranks"), "varied": nbc.sensitivity(DEMSAR)},
        {"data": DEMSAR},
    ),
    "a description": lambda: report_of(
        {"mine": nbc.describe(DEMSAR, alpha=0.2), "ranks": nbc.compare(DEMSAR)}, {"data": DEMSAR}
    ),
    "probabilities that were computed": lambda: report_of(
        {"first": nbc.compare(DEMSAR), "chances": nbc.compare_bayesian(DEMSAR, rope=0.01)},
        {"demsar": DEMSAR},
    ),
    "aggregates that were computed": lambda: report_of(
        {
            "tests": nbc.compare_stochastic(runs()),
            "typical": nbc.aggregate_runs(runs(), target=1, n_resamples=50),
        },
        {"data": runs()},
    ),
    "a plan that was computed": lambda: report_of(
        {
            "tested": nbc.compare(table(step=2.0), control="A1"),
            "planned": nbc.plan(table(step=2.0), control="A1", largest=4),
        },
        {"scores": table(step=2.0)},
    ),
}


# Whose text depends on the data; that of others is explained in `words/explanations.md`
TOLD = ("findings", "data", "groups", "measures", "methods", "field", "stochastic", "bayesian")


def outline(report):
    """A line for each cell: its name, what a page does with it, and its headings or its code."""
    for cell in report.to_notebook().cells:
        about = [*cell.metadata.get("tags", ()), *["folded"] * ("nbcompare_fold" in cell.metadata)]
        start = f"- {cell.id}" + "".join(f" [{text}]" for text in about)
        if cell.cell_type == "markdown":
            heading, _, rest = cell.source.partition("\n")
            rest = " ".join(rest.split()) if cell.id.startswith(TOLD) else ""
            yield f"{start}: {heading} {rest}".rstrip()
        else:  # data that stand in a cell as a table are made again elsewhere
            code = re.sub(r'"""\\?\n.*?"""', "...", cell.source, flags=re.DOTALL)
            yield f"{start}: `{' ⏎ '.join(filter(None, code.splitlines()))}`"


def text_of(report):
    about = [f"picked: {text}" for text in report.picked] + [f"advice: {report.advice}"]
    return "\n".join([*about[: None if report.advice else -1], "", *outline(report)]).strip()


SLOW = {"runs of thirteen", "fourteen algorithms", "a plan that was computed"}
# Reports beside the limits of what is shown, whose cells are those of others
LIMITS = {
    *("seven algorithms", "twelve algorithms", "thirteen algorithms", "sixty-one algorithms"),
    *("forty data sets", "forty-one data sets", "four hundred data sets", "two runs", "three runs"),
}


@approved.unless_written
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in REPORTS]
)
def test_outline(name):
    assert text_of(REPORTS[name]()) == approved.texts_in(OUTLINES)[name]


def test_all_outlines_are_of_a_report():
    made = {name: lambda make=make: text_of(make()) for name, make in REPORTS.items()}
    approved.write(OUTLINES, "What stands in reports", made)
    assert list(approved.texts_in(OUTLINES)) == list(REPORTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in REPORTS if name not in SLOW | LIMITS])
def test_every_cell_runs_and_shows_something_without_python(name):
    notebook = REPORTS[name]().to_notebook()
    nbformat.validate(notebook)
    namespace = {"display": lambda *_: None}
    python = re.compile(r"\w+=['\w]|\w\.\w+\(|compare\(|`")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            prose = re.sub(r"\$\$?.*?\$\$?", "", cell.source, flags=re.DOTALL)
            assert not python.search(prose), cell.source
        elif cell.id == "import" or cell.id.startswith("references"):
            exec(cell.source, namespace)
        else:
            *lines, shown = cell.source.splitlines()
            exec("\n".join(lines), namespace)
            bundle = eval(shown, namespace)._repr_mimebundle_()
            data = isinstance(namespace.get(shown), (nbc.Experiment, nbc.Histories))
            if not isinstance(bundle, tuple) and not data:  # as figures give
                assert not python.search(bundle["text/plain"]), bundle["text/plain"]
