"""``%nbreport``: what a notebook has computed."""

import numpy as np
import pytest
from IPython.core.error import UsageError

import nbcompare as nbc

SCORES = "dataset,a,b,c\nx,1,2,3\ny,2,1,4\nz,1,5,6\nu,2,3,4\n"


def code_of(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")


@pytest.fixture
def report(shell, monkeypatch):
    """The report that a line makes, which is not written."""
    made = []
    monkeypatch.setattr(nbc.Report, "export", lambda self, *_: made.append(self) or ())

    def of(line="r.html"):
        shell.run_line_magic("nbreport", line)
        return made[-1]

    return of


def arranged(answers, data, appended=(), first=""):
    """The sections of a report: findings, answers, data, methods, what else was looked at.

    ``first`` is the primary result, if one says which algorithms differ.
    """
    return (f"{first}-findings", *answers, *data, f"{first}-methods", *appended)


def run(shell, source, cell_id):
    shell.run_cell(source, cell_id=cell_id).raise_error()


@pytest.mark.slow
def test_every_result_is_computed_again(shell, displayed, here, report):
    (here / "scores.csv").write_text(SCORES)
    names = shell.user_ns
    names["exp"] = nbc.Experiment.read("scores.csv", direction="minimize")
    names["frame"] = names["exp"].to_frame() * 2
    names["first"] = nbc.compare(names["exp"], control="a", ranking="quade")
    names["result"] = nbc.compare_pair(names["exp"], "a", "b", test="sign")
    names["part"] = nbc.contrast_estimation(names["exp"].select(algorithms=["c", "a"]))
    names["ranks"] = nbc.compare_ranks({"A": 1.2, "B": 1.8}, n_datasets=20, adjust=None)
    names["_hidden"] = nbc.recommend(names["exp"])
    shell.run_line_magic("compare", "frame --direction minimize --as doubled")
    notebook = report("r.html r.ipynb --title 'My work'").to_notebook()
    assert notebook.metadata.title == "My work"
    code = code_of(notebook)
    assert "exp = nbc.Experiment.read('scores.csv', direction='minimize')" in code
    assert "first = nbc.compare(exp, ranking='quade', control='a')" in code
    assert "hidden" not in code
    again = {}
    exec(code, again)  # its cells run again, here
    for name in ("first", "result", "part", "ranks", "doubled"):
        assert again[name].to_json() == names[name].to_json()


@pytest.mark.slow
def test_what_lines_displayed_in_the_order_they_were_computed(
    shell, displayed, here, experiment, report
):
    run(shell, "%recommend exp", "1")
    run(shell, "import nbcompare as nbc\nlast = nbc.compare_pair(exp, 'good', 'bad')", "2")
    run(shell, f"%%compare --direction minimize\n{SCORES}", "3")
    run(shell, "kept = %compare exp --control good", "4")
    run(shell, "comparison = 'a name that is taken'", "5")
    run(shell, "%compare exp --alpha 0.2", "6")
    made = report()
    results = ("recommendation", "last", "comparison_2", "kept", "comparison_3")
    assert made.sections == arranged(
        results[1:], ["exp", "pasted_experiment"], results[:1], results[2]
    )
    again = {}
    exec(code_of(made.to_notebook()), again)
    outputs = [again[name].to_json() for name in results]
    assert outputs[1] == shell.user_ns["last"].to_json()
    assert outputs[3] == shell.user_ns["kept"].to_json()
    assert outputs[4] == nbc.compare(experiment, alpha=0.2).to_json()
    assert again["comparison_2"].design.algorithms == ("a", "b", "c")


@pytest.mark.slow
def test_a_cell_that_runs_again_replaces_what_it_made(shell, displayed, here, experiment, report):
    run(shell, "%compare exp\n%conditions exp", "1")
    run(shell, "%recommend exp", "2")
    assert report().sections == arranged(
        ["comparison"], ["exp"], ["conditions", "recommendation"], "comparison"
    )
    run(shell, "%compare exp --control good", "1")  # one line changed, one taken out
    made = report()
    assert made.sections == arranged(["comparison"], ["exp"], ["recommendation"], "comparison")
    assert "control='good'" in code_of(made.to_notebook())
    # the same line in another cell is told once; a cell without an id goes by its text
    run(shell, "%compare exp --control good", "3")
    for _ in range(2):
        run(shell, "%compare exp --control bad", None)
    two = ["comparison", "comparison_2"]
    assert report().sections == arranged(two, ["exp"], ["recommendation"], two[0])


@pytest.mark.slow
def test_a_line_is_told_of_its_own_data(shell, displayed, here, experiment, report):
    run(shell, "%compare exp", "1")
    run(shell, "kept = %conditions exp", "2")
    run(shell, "%recommend exp --as gone", "3")
    shell.user_ns["exp"] = experiment.select(datasets=["1", "2", "3"])  # the name moves on
    del shell.user_ns["gone"]
    made = report()
    assert made.sections == arranged(["comparison"], ["exp_2"], ["kept"], "comparison")
    again = {}
    exec(code_of(made.to_notebook()), again)
    assert again["comparison"].to_json() == nbc.compare(experiment).to_json()


@pytest.mark.slow
def test_the_diagram_and_two_algorithms_are_told_too(shell, displayed, here, report):
    scores = np.random.default_rng(1).normal(size=(4, 3, 1, 5))
    shell.user_ns["runs"] = nbc.Experiment.from_array(scores, direction="minimize")
    run(shell, "%cd_diagram runs --adjust nemenyi --as drawn", "1")
    run(shell, "%fuzzy_pvalue runs A1 A3", "2")
    made = report()
    assert made.sections == arranged(
        ["comparison", "stochastic"], ["runs", "runs_of_stochastic"], [], "comparison"
    )
    assert "nbc.compare(runs, adjust='nemenyi')" in code_of(made.to_notebook())


@pytest.mark.slow
def test_nbreport_of_what_is_named(shell, displayed, here, experiment, report):
    shell.user_ns["one"] = nbc.compare(experiment)
    shell.user_ns["two"] = nbc.recommend(experiment)
    run(shell, "%conditions exp", "1")
    assert report("two r.ipynb").sections == ("exp", "two", "references")
    shell.user_ns["told"] = nbc.Report(experiment, title="Told", sections=["data", "Own words."])
    notebook = report("told r.ipynb --author Ada --author Grace").to_notebook()
    assert notebook.metadata.title == "Told"
    assert notebook.metadata.authors == [{"name": "Ada"}, {"name": "Grace"}]
    assert notebook.cells[-1].source == "Own words."


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "name a file to write, which ends in .html"),
        ("one", "name a file to write, which ends in .html"),
        ("one.docx", "a report is written to a file that ends in .html"),
        ("r.html nothing", "there is no variable 'nothing'; results are 'one' and 'drawn'."),
        ("r.html dawn", "there is no variable 'dawn'; results are 'one' and 'drawn'. Did you mean"),
        ("r.html exp", "exp must be a result of nbcompare; it is of class Experiment."),
        ("nowhere/r.html one", "cannot write nowhere/r.html: there is no folder "),
        (
            "r.html drawn",
            "'drawn' cannot be reported: its random numbers were drawn without a seed",
        ),
        ("r.html one --titel x", "there is no option --titel. Did you mean --title?"),
    ],
)
def test_mistakes_about_reports(shell, displayed, here, experiment, line, message):
    shell.user_ns["one"] = nbc.compare(experiment)
    drawn = nbc.compare_bayesian(experiment, rope=0.05, n_samples=500, rng=np.random.default_rng(1))
    shell.user_ns["drawn"] = drawn
    with pytest.raises(UsageError) as caught:
        shell.run_line_magic("nbreport", line)
    assert str(caught.value).startswith(f"%nbreport: {message}")
    assert list(here.iterdir()) == []


def test_a_result_of_a_part_is_found_in_the_whole(shell, here, report):
    shell.user_ns["whole"] = whole = nbc.datasets.load("stochastic_cv")
    one, other = whole.algorithms[:2]
    part = whole.select(datasets=["wine"])
    shell.user_ns["folds"] = nbc.compare_cv(experiment=part, a=one, b=other)
    assert report().sections == arranged(["folds"], ["whole_of_folds"], first="folds")


def test_all_algorithms_on_one_data_set(shell, here, report):
    scores = np.random.default_rng(2).normal(size=(2, 3, 20))
    whole = nbc.Experiment.from_array(scores, direction="maximize", datasets=["iris", "wine"])
    shell.user_ns["whole"] = whole
    shell.user_ns["folds"] = nbc.compare_cv(whole, dataset="wine", ratio=0.1)
    made = report()
    assert made.sections == arranged(["folds"], ["whole"], first="folds")
    source = "\n".join(cell.source for cell in made.to_notebook().cells)
    assert "folds = nbc.compare_cv(experiment=whole, dataset='wine', ratio=0.1)" in source
    assert "nbc.plots.interval_forest(folds, numbers=False, title=False)" in source


def test_a_report_needs_results_and_the_data_behind_them(shell, displayed, here, experiment):
    with pytest.raises(UsageError, match=r"^%nbreport: there are no results to report: make one"):
        shell.run_line_magic("nbreport", "r.html")
    shell.user_ns["one"] = nbc.compare(experiment)
    del shell.user_ns["exp"]
    with pytest.raises(UsageError, match="'one' cannot be reported: no variable holds the data"):
        shell.run_line_magic("nbreport", "r.html")


@pytest.mark.slow
def test_full_reports(shell, displayed, here, experiment, report):
    run(shell, "%compare exp\n%conditions exp", "1")
    assert "comparison-appendix" not in report().sections
    full = report("r.html --full").sections
    assert full[-3:] == ("comparison-appendix", "conditions", "references")
    builder = shell.run_line_magic("nbreport", "--builder --full exp")
    assert builder.sections == nbc.Report(experiment, full=True).sections
