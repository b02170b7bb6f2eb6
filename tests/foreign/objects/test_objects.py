"""The objects that people have: results of scikit-learn, dataframes of several libraries."""

import io
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import nbcompare as nbc
from nbcompare import DataError, Experiment
from nbcompare.report import verify
from nbcompare.report.collect import data_in, report_of, results_in

SCORES = np.round(np.random.default_rng(7).uniform(0.5, 1, size=(5, 3, 4)), 3)
DATASETS, ALGORITHMS, FOLDS = list("abcde"), ["SVM", "kNN", "tree"], [1, 2, 3, 4]
FOLDED = Experiment.from_array(
    SCORES, direction="maximize", datasets=DATASETS, algorithms=ALGORITHMS
)


def says(error, *words):
    """An error whose message holds these words."""
    return pytest.raises(error, match="(?s)" + "".join(f"(?=.*{re.escape(w)})" for w in words))


# ----------------------------------------------------------------------- scikit-learn


@pytest.fixture(scope="module")
def learned():
    """Names of scikit-learn, small data, and splits that every algorithm shares."""
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn import datasets, model_selection, neighbors, tree

    return SimpleNamespace(
        iris=datasets.load_iris(return_X_y=True),
        wine=datasets.load_wine(return_X_y=True),
        cv=model_selection.StratifiedKFold(3, shuffle=True, random_state=0),
        tree=tree.DecisionTreeClassifier(random_state=0),
        knn=neighbors.KNeighborsClassifier(),
        select=model_selection,
    )


def both(learned, run, data=None, cv=None, **options):
    data = learned.iris if data is None else data
    return {
        name: run(estimator, *data, cv=cv or learned.cv, **options)
        for name, estimator in (("tree", learned.tree), ("kNN", learned.knn))
    }


def test_cross_validate_and_cross_val_score_give_the_same(learned):
    validated = Experiment.from_sklearn(both(learned, learned.select.cross_validate))
    scored = both(learned, learned.select.cross_val_score)
    plain = Experiment.from_sklearn(scored)
    assert validated.fingerprint == plain.fingerprint
    assert (plain.datasets, plain.algorithms) == (("1",), ("tree", "kNN"))
    assert plain.folds == ("1", "2", "3")
    np.testing.assert_array_equal(plain.scores[0, :, :, 0], [scored["tree"], scored["kNN"]])
    assert (plain.direction, plain.measure) == ("maximize", None)
    # what is computed from it is what is computed from the arrays
    one = nbc.compare_cv("tree", "kNN", experiment=plain, test="corrected-t")
    two = nbc.compare_cv(
        scored["tree"], scored["kNN"], direction="maximize", names=("tree", "kNN"),
        test="corrected-t",
    )  # fmt: skip
    assert one.pvalue == pytest.approx(two.pvalue, rel=1e-12)


def test_several_data_sets(learned):
    results = {
        "iris": both(learned, learned.select.cross_validate),
        "wine": both(learned, learned.select.cross_validate, learned.wine),
    }
    experiment = Experiment.from_sklearn(results, measure="accuracy")
    assert (experiment.datasets, experiment.measure) == (("iris", "wine"), "accuracy")
    for d, dataset in enumerate(results.values()):
        for a, result in enumerate(dataset.values()):
            assert experiment.scores[d, a, :, 0].tolist() == result["test_score"].tolist()


def test_several_metrics(learned):
    results = both(
        learned, learned.select.cross_validate, scoring=["accuracy", "neg_log_loss"],
        return_train_score=True, return_estimator=True, return_indices=True,
    )  # fmt: skip
    with says(ValueError, "`scoring` must be one of 'accuracy' and 'neg_log_loss'"):
        Experiment.from_sklearn(results)
    with says(ValueError, "got 'acuracy'", "Did you mean 'accuracy'?"):
        Experiment.from_sklearn(results, scoring="acuracy")
    loss = Experiment.from_sklearn(results, scoring="neg_log_loss")
    assert (loss.measure, loss.direction) == ("neg_log_loss", "maximize")
    assert loss.scores[0, 0, :, 0].tolist() == results["tree"]["test_neg_log_loss"].tolist()
    with says(ValueError, "`direction` must be 'maximize' with 'neg_log_loss'", "got 'minimize'"):
        Experiment.from_sklearn(results, scoring="neg_log_loss", direction="minimize")


def test_a_single_metric_is_called_score(learned):
    results = both(learned, learned.select.cross_validate, scoring="accuracy")
    with says(ValueError, "one of 'score'", "`measure`"):
        Experiment.from_sklearn(results, scoring="accuracy")
    assert Experiment.from_sklearn(results, measure="accuracy").measure == "accuracy"
    assert Experiment.from_sklearn(results, scoring="score").measure is None


def test_the_settings_of_a_search_are_algorithms(learned):
    grid = {"max_depth": [1, 2], "criterion": ["gini", "entropy"]}
    search = learned.select.GridSearchCV(learned.tree, grid, cv=learned.cv)
    with says(TypeError, "got GridSearchCV", "A fitted search"):
        Experiment.from_sklearn(search)
    search.fit(*learned.iris)
    experiment = Experiment.from_sklearn(search)
    for same in (search.cv_results_, pd.DataFrame(search.cv_results_)):
        assert Experiment.from_sklearn(same).fingerprint == experiment.fingerprint
    assert experiment.algorithms[0] == "criterion=gini, max_depth=1"
    for name, params in zip(experiment.algorithms, search.cv_results_["params"], strict=True):
        again = learned.tree.__class__(random_state=0, **params)
        scores = learned.select.cross_val_score(again, *learned.iris, cv=learned.cv)
        found = experiment.select(algorithms=[name]).scores[0, 0, :, 0]
        assert found.tolist() == scores.tolist()
    # a name beside a search may be an algorithm or a data set
    with says(TypeError, "a search as results['iris']", "{dataset: {algorithm: search}}"):
        Experiment.from_sklearn({"iris": search})
    knn = learned.select.cross_val_score(learned.knn, *learned.iris, cv=learned.cv)
    mixed = Experiment.from_sklearn({"iris": {"tree": search, "kNN": knn}})
    assert mixed.algorithms[0] == "tree: criterion=gini, max_depth=1"
    assert (mixed.algorithms[-1], mixed.datasets) == ("kNN", ("iris",))


def test_a_search_with_several_metrics(learned):
    search = learned.select.GridSearchCV(
        learned.knn, {"n_neighbors": [1, 5]}, cv=learned.cv, refit="accuracy",
        scoring=["accuracy", "f1_macro"],
    ).fit(*learned.iris)  # fmt: skip
    with says(ValueError, "'accuracy' and 'f1_macro'"):
        Experiment.from_sklearn(search)
    experiment = Experiment.from_sklearn(search, scoring="f1_macro")
    table = search.cv_results_
    expected = [table[f"split{i}_test_f1_macro"] for i in range(3)]
    np.testing.assert_array_equal(experiment.scores[0, :, :, 0].T, expected)
    assert experiment.measure == "f1_macro"


def test_repetitions_are_folds_and_splits_must_be_shared(learned):
    select = learned.select
    repeated = select.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    results = both(learned, select.cross_validate, cv=repeated)
    assert Experiment.from_sklearn(results).n_folds == 6
    results["kNN"] = select.cross_validate(learned.knn, *learned.iris, cv=learned.cv)
    with says(DataError, "(3 splits)", "(6)", "the same splits", "Pass the same cv"):
        Experiment.from_sklearn(results)
    shuffled = select.StratifiedKFold(3, shuffle=True, random_state=1)
    for cv, name in ((learned.cv, "tree"), (shuffled, "kNN")):
        results[name] = select.cross_validate(
            learned.knn, *learned.iris, cv=cv, return_indices=True
        )
    with says(DataError, "the same splits and test examples", "random_state"):
        Experiment.from_sklearn(results)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_a_failed_fold_is_a_missing_score(learned):
    class Failing(learned.tree.__class__):
        def fit(self, examples, y):
            if abs(examples.sum() - first) < 1e-9:
                raise ValueError("does not converge")
            return super().fit(examples, y)

    train = next(learned.cv.split(*learned.iris))[0]
    first = learned.iris[0][train].sum()
    results = both(learned, learned.select.cross_validate)
    results["failing"] = learned.select.cross_validate(
        Failing(random_state=0), *learned.iris, cv=learned.cv, error_score=np.nan
    )
    experiment = Experiment.from_sklearn(results)
    assert np.isnan(experiment.scores[0, 2, :, 0]).tolist() == [True, False, False]
    assert not experiment.missing.any()


def test_what_is_no_result(learned):
    scores = learned.select.cross_val_score(learned.knn, *learned.iris, cv=learned.cv)
    validated = both(learned, learned.select.cross_validate)["tree"]
    for wrong, words in (
        (scores, "`results` must name algorithms"),
        (validated, "`results` must name algorithms"),
        ({"tree": learned.tree}, "results['tree'] must be a result; got DecisionTreeClassifier"),
        ({"a": {"tree": scores}, "b": scores}, "alike everywhere; got a result as results['b']"),
    ):
        with says(TypeError, words):
            Experiment.from_sklearn(wrong)
    with says(ValueError, "at least one result"):
        Experiment.from_sklearn({})
    for wrong in ([scores], [0.5, np.inf], []):
        with says(DataError, "results['tree'] must hold one finite score per split"):
            Experiment.from_sklearn({"tree": wrong})


def test_signs_that_were_changed():
    errors = {"A": [0.2, 0.3], "B": [0.1, 0.4]}
    assert Experiment.from_sklearn(errors, direction="minimize").direction == "minimize"
    assert Experiment.from_sklearn(errors).notes[0].code == "sklearn"
    named = {name: {"fit_time": [1, 1], "score_time": [1, 1], "test_neg_error": scores}
             for name, scores in errors.items()}  # fmt: skip
    with says(DataError, "'neg_error' cannot be above 0", "direction='minimize'"):
        Experiment.from_sklearn(named)
    negative = {name: [-score for score in scores] for name, scores in errors.items()}
    with says(ValueError, "`direction` must be 'maximize'", "Experiment.from_array"):
        Experiment.from_sklearn(negative, direction="minimize")


def test_halving_and_doubled_settings_are_refused():
    search = {"params": [{"C": 1}, {"C": 1}], "mean_fit_time": [0, 0], "split0_test_score": [1, 2]}
    with says(DataError, "'C=1' is there twice"):
        Experiment.from_sklearn(search)
    with says(DataError, "a halving search", "cross_validate"):
        Experiment.from_sklearn({**search, "iter": [0, 1]})


@pytest.mark.slow
def test_scikit_learn_is_not_imported():
    code = (
        "import sys, nbcompare as nbc; nbc.Experiment.from_sklearn({'A': [1, 2], 'B': [2, 1]});"
        "sys.exit('sklearn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ------------------------------------------------------------- labels of several levels


def levelled(names=(None, None)):
    columns = pd.MultiIndex.from_product([ALGORITHMS, FOLDS], names=names)
    return pd.DataFrame(SCORES.reshape(5, -1), index=DATASETS, columns=columns)


def read_again(**options):
    return pd.read_csv(io.StringIO(levelled().to_csv()), header=[0, 1], **options)


@pytest.mark.parametrize(
    "frame",
    [
        levelled(),
        levelled(("algorithm", "fold")),
        levelled(("Algorithm", "Fold")).swaplevel(axis=1),
        levelled().rename_axis("problem"),
        levelled().rename_axis("problem").reset_index(),
        read_again(index_col=0),
        read_again(),
        levelled(("algorithm", "fold")).rename_axis("dataset").stack("fold", future_stack=True),
        levelled().rename(columns={fold: f"fold {fold}" for fold in FOLDS}, level=1),
        levelled().astype(object),
    ],
)
def test_levels_are_read(frame):
    before = frame.copy()
    experiment = Experiment.from_frame(frame, direction="maximize")
    numbered = Experiment.from_array(
        experiment.scores, direction="maximize", datasets=experiment.datasets,
        algorithms=experiment.algorithms,
    )  # fmt: skip
    order = {"datasets": DATASETS, "algorithms": ALGORITHMS}
    assert numbered.select(**order).fingerprint == FOLDED.fingerprint
    pd.testing.assert_frame_equal(frame, before)  # unchanged


def test_three_levels_and_missing_scores():
    scores = np.random.default_rng(1).random((2, 2, 3, 2))
    scores[1, 0, 2, 1] = np.nan
    columns = pd.MultiIndex.from_product(
        [["A", "B"], [1, 2, 3], [1, 2]], names=["algorithm", "fold", "run"]
    )
    frame = pd.DataFrame(scores.reshape(2, -1), index=["x", "y"], columns=columns)
    experiment = Experiment.from_frame(frame, direction="minimize")
    np.testing.assert_array_equal(experiment.scores, scores)


def test_rows_are_numbered_or_folds():
    frame = levelled().reset_index(drop=True)
    assert Experiment.from_frame(frame, direction="maximize").datasets == tuple("12345")
    columns = pd.MultiIndex.from_product([DATASETS, ALGORITHMS], names=["dataset", "algorithm"])
    rows = pd.DataFrame(SCORES.transpose(2, 0, 1).reshape(4, -1), columns=columns)
    assert Experiment.from_frame(rows, direction="maximize").n_runs == 4
    rows.index.names = ["fold"]
    experiment = Experiment.from_frame(rows, direction="maximize")
    np.testing.assert_array_equal(experiment.scores[..., 0], SCORES)


def test_levels_in_doubt_are_refused_with_words_to_type():
    turned = levelled().swaplevel(axis=1)
    with says(DataError, "Pass ", "algorithm='level 1', fold='level 0'"):
        Experiment.from_frame(turned, direction="maximize")
    named = Experiment.from_frame(turned, direction="maximize", algorithm="level 1", fold="level 0")
    assert named.fingerprint == FOLDED.fingerprint
    turned.columns.names = ["fold", "algorithm"]
    assert Experiment.from_frame(turned, direction="maximize").fingerprint == FOLDED.fingerprint

    # as groupby(...).agg(["mean", "std"]) makes them: these are no folds
    statistics = pd.DataFrame(
        SCORES[:, :2, :2].reshape(5, 4), columns=pd.MultiIndex.from_product(
            [["SVM", "kNN"], ["mean", "std"]]),
    )  # fmt: skip
    with says(DataError, "algorithm='level 0', where={'level 1': 'mean'}"):
        Experiment.from_frame(statistics, direction="maximize")

    stacked = levelled(("algorithm", "fold")).stack("fold", future_stack=True)
    stacked.index.names = ["problem", "part"]
    with says(DataError, "column 'part'", "fold='part' or run='part'"):
        Experiment.from_frame(stacked, direction="maximize")
    found = Experiment.from_frame(stacked, direction="maximize", dataset="problem", fold="part")
    assert found.fingerprint == FOLDED.fingerprint
    runs = Experiment.from_frame(stacked, direction="maximize", dataset="problem", run="part")
    assert (runs.n_folds, runs.n_runs) == (1, 4)
    with says(ValueError, "`fold` must name a column", "'problem'"):
        Experiment.from_frame(
            stacked.rename_axis(index=["problem", "run"]), direction="maximize",
            dataset="problem", fold="prt",
        )  # fmt: skip
    with says(DataError, "row 1 ('a'), column 'kNN' must be a number; got 'x'"):
        wrong = stacked.astype(object).rename_axis(index=["dataset", "fold"])
        wrong.iloc[0, 1] = "x"
        Experiment.from_frame(wrong, direction="maximize")
    with says(DataError, "rows 1 and 2 both hold the scores of dataset 'a'"):
        Experiment.from_frame(levelled().rename({"b": "a"}), direction="maximize")


def test_a_long_table_whose_labels_are_its_index():
    long = levelled(("algorithm", "fold")).rename_axis("dataset").stack([0, 1], future_stack=True)
    experiment = Experiment.from_frame(long.to_frame("AUC"), direction="maximize")
    assert (experiment.fingerprint, experiment.measure) == (FOLDED.fingerprint, "AUC")


# ------------------------------------------------------ dataframes in the place of an experiment

WIDE = FOLDED.to_frame().reset_index()
MEANS = Experiment.from_frame(WIDE, direction="maximize")
LONG = FOLDED.to_frame("long").drop(columns="run")
READ = (
    "The dataframe was read as 5 data sets in rows, 3 algorithms in columns 'SVM', 'kNN' "
    "and 'tree'; "
)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
@pytest.mark.parametrize(("direction", "better"), [("maximize", "higher"), ("minimize", "lower")])
def test_a_dataframe_with_a_direction(library, direction, better):
    result = nbc.compare(library(WIDE), direction=direction)
    assert result.notes[0].code == "frame"
    assert result.notes[0].text == f"{READ}{better} is better."
    expected = nbc.compare(Experiment.from_frame(WIDE, direction=direction))
    assert result.notes[1:] == expected.notes
    assert result.average_ranks == expected.average_ranks
    assert result.design == expected.design
    assert nbc.results.from_json(result.to_json()).to_json() == result.to_json()


CALLS = {
    "compare": lambda data, **more: nbc.compare(data, **more),
    "compare, by name": lambda data, **more: nbc.compare(experiment=data, **more),
    "compare_pair": lambda data, **more: nbc.compare_pair(data, "SVM", "kNN", **more),
    "multiple_sign_test": lambda data, **more: nbc.multiple_sign_test(data, "SVM", **more),
    "contrast_estimation": lambda data, **more: nbc.contrast_estimation(data, **more),
    "check_conditions": lambda data, **more: nbc.check_conditions(data, **more),
    "recommend": lambda data, **more: nbc.recommend(data, **more),
    "compare_stochastic": lambda data, **more: nbc.compare_stochastic(
        data, procedure="interval", **more
    ),
    "compare_cv": lambda data, **more: nbc.compare_cv(
        "SVM", "kNN", experiment=data, dataset="b", **more
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_analysis_takes_one(name):
    call, frame = CALLS[name], LONG
    result = call(frame, direction="maximize")
    expected = call(FOLDED)
    assert result.notes[0].text == (
        "The dataframe was read as 5 data sets by 'dataset', 3 algorithms by 'algorithm', 4 folds "
        "by 'fold': scores in column 'score'; higher is better."
    )
    assert result.to_json() != expected.to_json()
    assert result.notes[1:] == expected.notes
    assert result.sentences == expected.sentences
    with says(TypeError, "Add direction='maximize'", "or direction='minimize'"):
        call(frame)
    with pytest.raises(ValueError, match=r"^`direction` must be left out with an [Ee]xperiment"):
        call(FOLDED, direction="maximize")
    with says(TypeError, "Experiment.from_frame(frame, direction='maximize', measure=...)"):
        call(frame, direction="maximize", measure="AUC")
    with says(TypeError, "Experiment.from_array(scores, direction=...") as told:
        call(SCORES[:, :, 0])
    assert told.value.args[0].startswith("`experiment` must be an Experiment; got ndarray.")


def test_what_a_direction_does_not_settle_is_for_from_frame():
    renamed = LONG.rename(columns={"algorithm": "entry", "score": "AUC"})
    with says(DataError, "Experiment.from_frame(frame, direction='minimize', dataset=...)"):
        nbc.compare(renamed, direction="minimize")
    with says(TypeError, "Call its .collect() first"):
        nbc.compare(pl.from_pandas(WIDE).lazy(), direction="minimize")


def test_results_of_dataframes_are_reported_and_verified(tmp_path):
    comparison = nbc.compare(WIDE, direction="maximize")
    pair = nbc.compare_pair(WIDE, "SVM", "tree", direction="maximize")
    names = {"frame": WIDE, "comparison": comparison, "pair": pair}
    report = report_of(results_in(names), data_in(names))
    assert report.sections == (
        "comparison-findings", "comparison", "pair", "experiment_of_comparison",
        "comparison-methods",
    )  # fmt: skip
    # an experiment of the notebook is preferred
    names["mine"] = MEANS
    assert report_of(results_in(names), data_in(names)).sections[3] == "mine"
    code = "\n".join(cell.source for cell in report.to_notebook().cells)
    space: dict[str, object] = {}
    made = re.search(r"(?ms)^import io$.*?(?=^comparison = )", code)[0]
    exec(f"import nbcompare as nbc\n{made}", space)
    assert space["experiment_of_comparison"].fingerprint == MEANS.fingerprint
    # what was written and read again has lost its data
    again = nbc.results.from_json(comparison.to_json())
    with says(ValueError, "Experiment.from_frame(frame, direction=...)"):
        report_of({"again": again}, {})
    assert report_of({"again": again}, {"mine": MEANS}).sections[2] == "mine"


# ------------------------------------------------------------------ builders and figures


@pytest.mark.parametrize("kind", [nbc.CDDiagramBuilder, nbc.FuzzyPValueBuilder, nbc.ReportBuilder])
def test_builders_take_dataframes(kind):
    builder = kind(WIDE, direction="maximize")
    assert builder.experiment.fingerprint == MEANS.fingerprint
    assert builder.experiment.notes[0].text == f"{READ}higher is better."
    assert builder._model.choices.notices == [f"{READ}higher is better."]
    with says(TypeError, "Add direction='maximize'"):
        kind(WIDE)
    with says(ValueError, "`direction` must be left out with an Experiment"):
        kind(MEANS, direction="maximize")
    with says(TypeError, "Experiment.from_frame(frame, direction='maximize', measure=...)"):
        kind(WIDE, direction="maximize", measure="AUC")
    with says(TypeError, "Experiment.from_array"):
        kind(SCORES[:, :, 0])


@pytest.mark.parametrize("kind", [nbc.CDDiagramBuilder, nbc.ReportBuilder])
def test_the_code_of_a_builder_reads_the_dataframe(kind, monkeypatch):
    monkeypatch.setattr("nbcompare.widgets._code.user_names", lambda: {"scores": WIDE})
    builder = kind(WIDE, direction="maximize")
    line = 'experiment = nbc.Experiment.from_frame(scores, direction="maximize")'
    assert line in builder.code.splitlines()
    space = {"scores": WIDE}
    exec(builder.code.replace("report.export", "repr"), space)
    assert space["experiment"].fingerprint == MEANS.fingerprint
    builder.experiment = FOLDED
    assert line not in builder.code


def test_figures_take_results_and_name_the_function():
    from nbcompare import plots

    others = {"Plot", "save", "convergence_curves", "performance_profiles"}
    others |= {"measure_heatmap", "power_curves"}
    for name in {*plots.__all__} - others:
        names = ("SVM", "kNN") if name == "posterior_simplex" else ()
        for given in (MEANS, nbc.recommend(MEANS), None):
            with says(TypeError, f"plots.{name} takes a result", "Pass nbc."):
                getattr(plots, name)(given, *names)
        with says(TypeError, "got DataFrame", "Pass nbc."):
            getattr(plots, name)(WIDE, *names)


# ------------------------------------------------------------------------------ reports

RANKS = {"C4.5": 2.1, "1-NN": 3.25, "NB": 2.2, "Kernel": 4.3333, "CN2": 3.1167}


def test_a_report_of_a_dataframe_says_how_it_was_read():
    report = nbc.Report(WIDE, direction="maximize")
    same = nbc.Report(MEANS)
    assert (report.sections, report.direction) == (same.sections, None)
    assert report.experiment.fingerprint == MEANS.fingerprint
    # the data that the notebook shows say it
    code = "\n".join(cell.source for cell in report.to_notebook().cells)
    assert f"{READ}higher is better." in code.replace("\\'", "'")
    assert report.remove("sensitivity").add("Text of mine.").experiment is report.experiment
    for wrong, more, words in (
        (WIDE, {}, "Add direction='maximize'"),
        (MEANS, {"direction": "maximize"}, "must be left out with an Experiment"),
        (None, {"direction": "maximize"}, "must be left out without a dataframe"),
        (SCORES[:, :, 0], {}, "Experiment.from_array"),
        (nbc.compare(MEANS), {}, "Pass the Experiment or dataframe"),
        (nbc.compare_ranks(RANKS, 30), {"direction": "maximize"}, "result of compare_ranks"),
    ):
        with pytest.raises((TypeError, ValueError), match=re.escape(words)):
            nbc.Report(wrong, **more)


def test_a_report_of_average_ranks():
    result = nbc.compare_ranks(RANKS, 30, control="C4.5", adjust=["holm", "finner"])
    report = nbc.Report(result, title="Ranks of a paper")
    assert report.sections == ("findings", "comparison", "methods")
    code = "\n".join(cell.source for cell in report.to_notebook().cells)
    made = re.search(r"(?m)^comparison = (.*)$", code)[1]
    again = eval(made, {"nbc": nbc})
    assert again.to_json() == result.to_json()
    longer = report.add("## Setting\n\nAs published.", before="findings")
    assert longer.sections == ("text-1", *report.sections)
    with pytest.raises(ValueError, match="section 'data' needs scores"):
        report.add("data")


@pytest.mark.slow
def test_a_report_of_average_ranks_is_exported_and_verified(tmp_path):
    page = tmp_path / "ranks.html"
    nbc.Report(nbc.compare_ranks(RANKS, 30), full=True).export(page)
    found = verify(page)
    assert found.holds, found.all_problems
    assert len(found.checks) == 1
    page.write_text(page.read_text("utf-8").replace("3.250", "1.250"), encoding="utf-8")
    assert not verify(page).holds


@pytest.mark.slow
def test_a_report_of_a_dataframe_is_exported_and_verified(tmp_path):
    page = tmp_path / "frame.html"
    nbc.Report(WIDE, direction="maximize").export(page)
    text = page.read_text("utf-8")
    assert "The dataframe was read as 5 data sets in rows, 3 algorithms in columns" in text
    assert verify(page, data=MEANS).holds
    names = {"comparison": nbc.compare(WIDE, direction="maximize")}
    report_of(results_in(names), data_in(names)).export(page)
    assert verify(page, data=MEANS).holds
