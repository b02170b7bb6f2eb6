"""The command line: what it accepts, what it says, what it leaves behind."""

import json
import os
import re
import signal
import stat
import subprocess
import sys

import pytest

import nbcompare as nbc
from nbcompare.cli import main

SCORES = "dataset,C4.5,CN2\niris,0.9,0.8\nwine,0.8,0.7\nzoo,0.7,0.75\n"
HOSTILE = ("<script>alert(1)</script>", r"C4.5_m & 100% $x$ \input{x}", "#let x = 1; *_")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES)
    return tmp_path


def before_notes(text):
    """What a result says in the same words everywhere."""
    return text.partition("\nNote:")[0]


def errors(text):
    """What is said beside the line on how the table was read."""
    return "".join(line for line in text.splitlines(keepends=True) if ".csv: " not in line[:40])


def left_behind(folder):
    return sorted(p.name for p in folder.iterdir() if p.name != "scores.csv")


@pytest.mark.slow
def test_a_report_from_a_file(folder, capsys):
    line = ["report", "scores.csv", "--direction", "maximize", "--control", "CN2"]
    assert main([*line, "-o", "report.html"]) == 0
    assert capsys.readouterr().out == "report.html\n"
    assert left_behind(folder) == ["report.html"]
    page = (folder / "report.html").read_text()
    experiment = nbc.Experiment.read("scores.csv", direction="maximize")
    assert experiment.fingerprint in page
    assert f"nbcompare {nbc.__version__}" in page
    assert "control=&#39;CN2&#39;" in page or "CN2" in page
    for heading in ("Findings", "Which algorithms differ?", "Data", "Methods"):
        assert f">{heading}" in page
    assert str(folder) not in page  # no path of the author's machine
    assert not stat.S_IMODE((folder / "report.html").stat().st_mode) & stat.S_IXUSR


@pytest.mark.slow
def test_the_notebook_is_a_real_one(folder):
    assert main(["report", "scores.csv", "--direction", "maximize", "-o", "report.ipynb"]) == 0
    notebook = json.loads((folder / "report.ipynb").read_text())
    sources = ["".join(cell["source"]) for cell in notebook["cells"]]
    assert "nbc.Experiment.read('scores.csv', direction='maximize')" in "\n".join(sources)
    assert all(cell["outputs"] for cell in notebook["cells"][3:] if cell["cell_type"] == "code")
    namespace = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), namespace)  # its cells run again, here
    assert isinstance(namespace["comparison"], nbc.Comparison)


@pytest.mark.slow
def test_the_notebook_in_another_folder_still_finds_the_data(folder):
    (folder / "out").mkdir()
    line = ["report", "scores.csv", "--direction", "maximize", "-o", "out/report.ipynb"]
    assert main(line) == 0
    assert "../scores.csv" in (folder / "out" / "report.ipynb").read_text()


@pytest.mark.slow
def test_hostile_names_survive_as_text(folder):
    rows = ["dataset," + ",".join(f'"{name}"' for name in HOSTILE)]
    rows += [f"d{i},{(i + 1) * 7 % 5},{i * i},{5 - i}" for i in range(6)]
    (folder / "scores.csv").write_text("\n".join(rows))
    line = ["report", "scores.csv", "--direction", "minimize", "--control", HOSTILE[0]]
    assert main([*line, "-o", "report.html"]) == 0
    page = (folder / "report.html").read_text()
    assert "<script>alert" not in page
    from bs4 import BeautifulSoup

    text = " ".join(BeautifulSoup(page, "html.parser").get_text(" ").split())
    for name in HOSTILE:
        assert name in text


def test_the_sentence_of_an_error_is_not_buried_in_a_list_of_options(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capsys.readouterr().out.partition("COMMAND\n")[2].partition("\n\n")[0]
    names = re.findall(r"^ {4}([a-z][a-z-]+)", listed, re.MULTILINE)
    assert {"verify", "app", "tables", "compare"} <= set(names)
    for name in names:
        with pytest.raises(SystemExit) as stopped:
            main([name, "--no-such-option"])
        assert stopped.value.code == 2
        usage, sentence = capsys.readouterr().err.splitlines()
        assert usage.startswith(f"usage: nbcompare {name} ")
        assert sentence.startswith(f"nbcompare {name}: error: ")


def test_a_failing_report_leaves_the_old_one(folder, capsys):
    (folder / "r.html").write_text("the old report")
    (folder / "scores.csv").write_text("dataset,a,b,c\nx,1,oops,2\ny,2,3,1\n")
    assert main(["report", "scores.csv", "--direction", "minimize", "-o", "r.html"]) == 1
    assert capsys.readouterr().err == (
        "nbcompare: scores.csv, row 1 ('x'), column 'b' must be a number; got 'oops'. Pass "
        "--missing-words oops; or --ignore-rows x to leave the row out; or --ignore b to leave the "
        "column out.\n"
    )
    assert (folder / "r.html").read_text() == "the old report"
    assert left_behind(folder) == ["r.html"]


@pytest.mark.posix
@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(folder, capsys):
    (folder / "locked").mkdir(mode=0o500)
    assert main(["report", "--example", "demsar2006", "-o", "locked/r.html"]) == 1
    assert capsys.readouterr().err == "nbcompare: cannot write locked/r.html: permission denied.\n"


@pytest.mark.slow
def test_several_outputs_from_one_run(folder, capsys):
    line = ["report", "scores.csv", "--direction", "maximize", "--sections", "data,comparison"]
    document = ["--title", "Ours & theirs", "--author", "Ada", "--author", "Grace"]
    files = ["-o", "r.html", "-o", "r.ipynb"]
    assert main([*line, *document, "--abstract", "In *short*.", *files]) == 0
    told = capsys.readouterr()
    assert told.out == "r.html\nr.ipynb\n"
    assert told.err.startswith("read scores.csv: 3 data sets in rows")
    assert left_behind(folder) == ["r.html", "r.ipynb"]
    page = (folder / "r.html").read_text()
    notebook = json.loads((folder / "r.ipynb").read_text())
    assert notebook["metadata"]["authors"] == [{"name": "Ada"}, {"name": "Grace"}]
    assert notebook["metadata"]["abstract"] == "In *short*."
    assert "Ours &amp; theirs" in page
    assert "Grace" in page
    headings = [c["source"] for c in notebook["cells"] if c["cell_type"] == "markdown"]
    assert "".join(headings[1]).startswith("## Data\n")
    assert "".join(headings[2]) == "## Which algorithms differ?"


def test_stochastic_shares_options_and_has_its_own(folder, monkeypatch):
    made = {}
    monkeypatch.setattr("nbcompare.report.export", lambda *a, **o: made.update(report=a[1]) or ())
    line = ["report", "--example", "stochastic_regression", "-o", "r.html", "--alpha", "0.1"]
    assert main([*line, "--stochastic", "--adjust", "nemenyi", "--coverage", "0.3"]) == 0
    report = made["report"]
    assert report.sections[1:3] == ("comparison", "stochastic")  # the second beside the primary
    assert report.stochastic == {"alpha": 0.1, "coverage": 0.3}
    assert report.compare == {"alpha": 0.1, "adjust": ["nemenyi"]}
    own = ["--procedure", "interval", "--stochastic-test", "sign", "--stochastic-adjust", "holm"]
    runs = ["--stochastic-method", "exact", "--stochastic-rng", "7"]
    assert main([*line, "--sections", "stochastic", "--adjust", "rom", *own, *runs]) == 0
    assert made["report"].stochastic == {
        "alpha": 0.1,
        "adjust": ["holm"],
        "procedure": "interval",
        "test": "sign",
        "method": "exact",
        "rng": 7,
    }
    made["report"].to_notebook()
    assert main([*line, "--coverage", "0.5"]) == 0  # which asks for it, too
    assert made["report"].stochastic == {"alpha": 0.1, "coverage": 0.5}
    assert main(line) == 0
    assert made["report"].stochastic is None


def test_the_report_picks_its_sections_by_the_data_and_says_so(folder, monkeypatch, capsys):
    made = {}
    monkeypatch.setattr("nbcompare.report.export", lambda *a, **o: made.update(report=a[1]) or ())
    rows = [f"{name},{fold},{(fold * 7 + step * 3) % 11}"
            for step, name in enumerate("ABC") for fold in range(20)]  # fmt: skip
    (folder / "folds.csv").write_text("\n".join(["algorithm,fold,score", *rows]))
    line = ["report", "folds.csv", "--direction", "maximize", "-o", "r.html"]
    assert main(line) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "note: The data are one data set with 20 folds, so the algorithms are compared" in said
    assert "note: With --ratio, the size of a test set over that of a training set, the" in said
    assert "stochastic" in made["report"].sections
    assert main([*line, "--ratio", "1/9"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "note: The data are one data set with 20 folds, so the algorithms are not ranked" in said
    assert "--ratio" not in said
    report = made["report"]
    assert report.sections == ("findings", "cv", "data", "methods")
    assert report.cv == {"ratio": 1 / 9}
    runs = ["report", "--example", "stochastic_regression", "-o", "r.html"]
    assert main(runs) == 0
    assert "stochastic" not in made["report"].sections
    assert main([*runs, "--full"]) == 0
    assert made["report"].sections[1:3] == ("comparison", "stochastic")
    assert made["report"].sections[-1] == "references"
    assert main([*runs, "--sections", "comparison,data"]) == 0
    assert errors(capsys.readouterr().err) == ""
    # a ratio is for one data set
    assert main([*runs, "--ratio", "1/9"]) == 1
    assert (
        "there are 4 data sets, 10 folds and 30 runs. Select one data set, or leave out --ratio"
        in (capsys.readouterr().err)
    )
    with pytest.raises(SystemExit):
        main([*runs, "--ratio", "1/9", "--sections", "comparison"])
    assert "--ratio is for the section cv" in capsys.readouterr().err


# The command, which takes long to draw a figure and says when it begins.
_SLOW = """
import sys
import time
import nbcompare as nbc
from nbcompare.cli import main

def slow(*_, **__):
    print("ready", flush=True)
    time.sleep(600)

nbc.plots.overview = slow
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_everything_as_it_was(folder, number):
    (folder / "r.html").write_text("the old report")
    line = ["report", "scores.csv", "--direction", "maximize", "-o", "r.html", "-o", "r.ipynb"]
    process = subprocess.Popen(
        [sys.executable, "-c", _SLOW, *line],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=600)
    assert (out, err) == ("", "nbcompare: interrupted; nothing was written\n")
    assert process.returncode == 130
    assert (folder / "r.html").read_text() == "the old report"
    assert left_behind(folder) == ["r.html"]


def test_runs_as_a_module(folder):
    done = subprocess.run(
        [sys.executable, "-m", "nbcompare", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"nbcompare {nbc.__version__}\n"


CALLS = {
    "compare --margin 0.2 --pairs t": lambda e: nbc.compare(e, margin=0.2, pairs="t"),
    "compare-pair --a C4.5 --b CN2 --test sign": lambda e: nbc.compare_pair(
        e, "C4.5", "CN2", test="sign"
    ),
    "contrast-estimation --n-resamples 50 --confidence 0.9": lambda e: nbc.contrast_estimation(
        e, n_resamples=50, confidence=0.9
    ),
    "recommend --control CN2": lambda e: nbc.recommend(e, control="CN2"),
}


@pytest.mark.parametrize("line", CALLS)
def test_one_command_for_each_function(folder, capsys, line):
    """JSON is the whole result and nothing else."""
    command = [*line.split(), "scores.csv", "--direction", "maximize"]
    expected = CALLS[line](nbc.Experiment.read("scores.csv", direction="maximize"))
    assert main(command) == 0
    assert before_notes(capsys.readouterr().out) == before_notes(f"{expected}\n")
    assert main([*command, "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{expected.to_json()}\n"
    assert errors(printed.err) == ""


def test_all_algorithms_on_one_data_set(folder, capsys):
    rows = [
        f"{name},{fold},{(fold * 7 + step * 3) % 11}"
        for step, name in enumerate(("A", "B", "C"))
        for fold in range(100)
    ]
    (folder / "folds.csv").write_text("\n".join(["algorithm,fold,score", *rows]))
    line = ["compare-cv", "folds.csv", "--direction", "maximize"]
    assert main(line) == 1
    said = capsys.readouterr().err
    assert "--ratio, the size of a test set over that of a training set, must be given: the" in said
    assert "--ratio 1/9 for tenfold cross-validation" in said
    assert main([*line, "--ratio", "1/9", "--control", "B", "--adjust", "hommel"]) == 0
    experiment = nbc.Experiment.read("folds.csv", direction="maximize")
    expected = nbc.compare_cv(experiment, ratio=1 / 9, control="B", adjust="hommel")
    assert capsys.readouterr().out == f"{expected}\n"
    assert main([*line, "--a", "A"]) == 1
    assert "--b must be given with --a, 'A'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*line, "--ratio", "1/0"])
    assert "--ratio must be a number; got '1/0'." in capsys.readouterr().err
    assert main(["compare", *line[1:]]) == 1
    assert "must be given: there are 100 folds" in (said := capsys.readouterr().err)
    assert "nbcompare compare-cv" in said
    assert main(["recommend", *line[1:]]) == 1
    assert "by its folds, use nbcompare compare-cv" in capsys.readouterr().err


def runs_file(folder):
    """Runs of two references, one run each, and of two algorithms, four runs each."""
    lines = ["game,agent,seed,score"]
    for game, width in (("alien", 1000), ("pong", 20), ("qbert", 1)):
        lines += [f"{game},random,0,{0.1 * width}", f"{game},human,0,{0.9 * width}"]
        lines += [f"{game},DQN,{seed},{(0.3 + seed / 20) * width}" for seed in range(4)]
        lines += [f"{game},PPO,{seed},{(0.5 + seed / 20) * width}" for seed in range(4)]
    (folder / "runs.csv").write_text("\n".join(lines))
    return [
        "runs.csv", "--direction", "maximize", "--dataset", "game", "--algorithm", "agent",
        "--run", "seed", "--score", "score",
    ]  # fmt: skip


def test_aggregates_from_a_file(folder, capsys):
    data = runs_file(folder)
    experiment = nbc.Experiment.read(
        "runs.csv", direction="maximize", dataset="game", algorithm="agent", run="seed",
        score="score",
    )  # fmt: skip
    assert main(["aggregate-runs", *data]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "and are not pooled" in said
    assert "the option baseline takes two algorithms" in said
    assert main(["aggregate-runs", *data, "--baseline", "random,human", "--json"]) == 0
    expected = nbc.aggregate_runs(experiment, baseline=["random", "human"])
    assert json.loads(capsys.readouterr().out) == json.loads(expected.to_json())
    for options, told in (
        (["--baseline", "human,random"], "--baseline must have a high reference that is better"),
        (["--target", "1"], "--target must be left out here; got 1"),
    ):
        assert main(["aggregate-runs", *data, *options]) == 1
        assert told in capsys.readouterr().err
    assert main(["aggregate-runs", "scores.csv", "--direction", "maximize"]) == 1
    assert "must hold repeated runs" in capsys.readouterr().err


@pytest.mark.slow
def test_a_report_with_aggregates(folder, capsys):
    line = ["report", *runs_file(folder), "-o", "report.html", "--baseline", "random,human"]
    with pytest.raises(SystemExit):
        main([*line, "--sections", "data"])
    assert "--baseline is for the section aggregates" in capsys.readouterr().err
    assert main([*line, "--sections", "aggregates"]) == 0
    page = (folder / "report.html").read_text()
    assert "How large are typical scores, and how often is a run better?" in page
    capsys.readouterr()
    verify = ["verify", "report.html", "--data", *runs_file(folder)]
    assert main(verify) == 0
    assert "RunAggregates" in capsys.readouterr().out


def test_a_report_on_some_of_the_rows(folder, capsys):
    rows = [
        f"d{d},{name},{split},0.{d}{i}{k}"
        for d in range(1, 7)
        for i, name in enumerate("AB", 3)
        for k, split in enumerate(("test", "dev"))
    ]
    (folder / "both.csv").write_text("\n".join(["dataset,algorithm,split,score", *rows]))
    only = ["both.csv", "--direction", "maximize", "--where", "split=test"]
    assert main(["report", *only, "--sections", "data", "-o", "report.html"]) == 0
    page = (folder / "report.html").read_text()
    assert "12 of 24 rows. Only rows with split test." in page
    capsys.readouterr()
    assert main(["verify", "report.html", "--data", *only]) == 0
    assert main(["verify", "report.html", "--data", *only[:-1], "split=dev"]) == 1
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["verify", "report.html", "--data", *only[:-2]])
    assert "--where split=test" in capsys.readouterr().err
    (folder / "both.csv").write_text("\n".join(["dataset,algorithm,measure,score", *rows]))
    with pytest.raises(SystemExit):  # a column that is called like an option
        main(["verify", "report.html", "--data", *only[:-2]])
    assert "--where measure=test" in capsys.readouterr().err


def test_probabilities_from_a_file(folder, capsys):
    line = ["compare-bayesian", "scores.csv", "--direction", "maximize"]
    experiment = nbc.Experiment.read("scores.csv", direction="maximize")
    assert main(line) == 1
    said = capsys.readouterr().err
    assert "--rope must be given: the largest difference that does not matter in practice" in said
    advice = re.search(r"hundredth: (--rope [\d.]+);", said)[1].split()
    assert main([*line, *advice, "--json"]) == 0
    expected = nbc.compare_bayesian(experiment, rope=0.01)
    assert json.loads(capsys.readouterr().out) == json.loads(expected.to_json())
    for options, told in (
        (["--rope", "-1"], "--rope must be a number of at least 0; got -1.0."),
        (["--rope", "0", "--test", "correlated-t"], "Take one of them with --datasets, or compare"),
        (["--rope", "0", "--ratio", "1/9"], "--ratio must be left out with --test signed-rank"),
        (["--rope", "0", "--missing", "drop-folds", "--fill", "1"], "--fill must be left out"),
    ):
        assert main([*line, *options]) == 1
        assert told in capsys.readouterr().err


@pytest.mark.slow
def test_a_report_with_probabilities(folder, capsys):
    line = ["report", "scores.csv", "--direction", "maximize", "-o", "report.html"]
    for options, told in (
        (["--threshold", "0.9"], "--threshold is for --rope"),
        (["--sections", "data", "--rope", "0.1"], "--rope is for the section bayesian"),
    ):
        with pytest.raises(SystemExit):
            main([*line, *options])
        assert told in capsys.readouterr().err
    assert main([*line, "--sections", "bayesian"]) == 1
    assert "section 'bayesian' needs --rope, half" in capsys.readouterr().err
    assert main([*line, "--rope", "0.01", "--threshold", "0.9", "--sections", "bayesian"]) == 0
    page = (folder / "report.html").read_text()
    assert "How probable is it that an algorithm is better?" in page
    capsys.readouterr()
    verify = ["verify", "report.html", "--data", "scores.csv", "--direction", "maximize"]
    assert main(verify) == 0
    assert "holds" in capsys.readouterr().out


LOGS = "problem,algorithm,run,evaluations,value,best\n" + "".join(
    f"f{problem},{name},{run},{100 * j},{(problem + 1) * (20 - rate * j) + run},0\n"
    for problem in range(6)
    for name, rate in (("fast", 1.9), ("slow", 1.0))
    for run in range(2)
    for j in range(1, 11)
)


@pytest.fixture
def logs(folder):
    (folder / "logs.csv").write_text(LOGS)
    return folder


def read_logs():
    return nbc.Histories.read("logs.csv", direction="minimize", optimum="best")


@pytest.mark.slow
@pytest.mark.parametrize("scores", [False, True])
def test_a_report_on_histories(logs, scores):
    source = ["--direction", "maximize"]
    if scores:
        source = ["scores.csv", *source, "--histories-direction", "maximize"]
    table = (logs / "logs.csv").read_text().splitlines()
    up = [line.replace(",value", ",gain") for line in table[:1]]
    for line in table[1:]:
        *rest, value, best = line.split(",")
        up.append(",".join([*rest, str(-float(value)), best]))
    (logs / "logs.csv").write_text("\n".join(up) + "\n")
    line = ["report", *source, "--histories", "logs.csv", "--value", "gain", "--cutpoints", "5"]
    shared = ["--alpha", "0.2", "--adjust", "bonferroni"]
    assert main([*line, *shared, "--full", "-o", "report.ipynb"]) == 0
    notebook = json.loads((logs / "report.ipynb").read_text())
    namespace = {"display": lambda *_: None}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), namespace)
    found = namespace["convergence"]
    assert isinstance(found, nbc.ConvergenceComparison)
    assert found.cutpoints.shape == (6, 5)
    assert (found.alpha, found.adjust) == (0.2, ("bonferroni",))
    assert ("comparison" in namespace) == scores
    headings = "".join("".join(cell["source"]) for cell in notebook["cells"])
    assert "## In whose favour does the gap grow?" in headings  # no optimum is known
    assert ("## Average ranks" in headings) == scores
    assert "fingerprint" in str(notebook["metadata"]["nbcompare"])


@pytest.mark.slow
def test_a_reader_who_wants_no_more_is_no_failure():
    arguments = [sys.executable, "-m", "nbcompare", "tables", "--example", "demsar2006"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        command.stdout.close()  # before anything is written
        complaints = command.stderr.read()
    assert (command.returncode, complaints) == (141, b"")


# ------------------------------------------------------------- parts, JSON, notes, exit codes

PARTS = (
    'dataset,"f(a,b)",C4.5,CN2,naive Bayes\n'
    "iris,0.9,0.8,0.7,0.6\nwine,0.8,0.7,0.9,0.6\nzoo,0.7,0.75,0.1,0.4\n"
)


@pytest.mark.parametrize(
    ("line", "algorithms", "datasets"),
    [
        (["--algorithms", "CN2,C4.5"], ["CN2", "C4.5"], None),
        (["--algorithms", "CN2", "--algorithms=C4.5 , naive Bayes"],
         ["CN2", "C4.5", "naive Bayes"], None),
        (["--algorithms", '"f(a,b)", CN2', "--datasets", "zoo,iris"],
         ["f(a,b)", "CN2"], ["zoo", "iris"]),
    ],
)  # fmt: skip
def test_a_part_of_the_table(folder, capsys, line, algorithms, datasets):
    (folder / "parts.csv").write_text(PARTS)
    data = ["parts.csv", "--direction", "maximize"]
    part = nbc.Experiment.read("parts.csv", direction="maximize").select(
        algorithms=algorithms, datasets=datasets
    )
    assert main(["describe", *data, *line]) == 0
    assert before_notes(capsys.readouterr().out) == before_notes(f"{nbc.describe(part)}\n")
    assert main(["describe", *data, *line, "--json"]) == 0
    assert capsys.readouterr().out == f"{nbc.describe(part).to_json()}\n"


def test_only_the_part_is_asked_of_the_reader(folder, monkeypatch):
    asked = []
    read = nbc.Experiment.read.__func__
    monkeypatch.setattr(
        nbc.Experiment,
        "read",
        classmethod(lambda cls, path, **more: asked.append(more) or read(cls, path, **more)),
    )
    data = ["scores.csv", "--direction", "maximize", "--algorithms", "CN2,C4.5"]
    assert main(["compare", *data, "--datasets", "iris,zoo"]) == 0
    assert main(["tables", *data, "-o", "t.tex"]) == 0
    part = {"algorithms": ["CN2", "C4.5"]}
    expected = [{**part, "datasets": ["iris", "zoo"]}, part]
    assert [{k: v for k, v in more.items() if k != "direction"} for more in asked] == expected


def test_json_of_runs_and_histories(logs, capsys):
    assert main(["compare-stochastic", "--example", "stochastic_regression", "--json"]) == 0
    assert isinstance(nbc.results.from_json(capsys.readouterr().out), nbc.StochasticComparison)
    histories = ["logs.csv", "--direction", "minimize", "--optimum", "best"]
    assert main(["page-trend", *histories, "--problems", "f1,f3,f4,f5", "--json"]) == 0
    result = nbc.results.from_json(capsys.readouterr().out)
    assert isinstance(result, nbc.ConvergenceComparison)
    assert result.design.datasets == ("f1", "f3", "f4", "f5")


@pytest.fixture
def noted(monkeypatch):
    """Tables that are read have a note on how they were understood."""
    from dataclasses import replace

    from nbcompare._render import Note

    made = nbc.Experiment._read.__func__
    notes = (Note("guessed", "Column 'rank' was left out; pass keep=\"rank\" to keep it."),)
    monkeypatch.setattr(
        nbc.Experiment,
        "_read",
        classmethod(lambda cls, *more: replace(made(cls, *more), notes=notes)),
    )


@pytest.mark.parametrize("line", [*CALLS, "compare --json", "tables -o t.tex"])
def test_notes_on_the_table_stand_beside_the_output(folder, capsys, noted, line):
    assert main([*line.split(), "scores.csv", "--direction", "maximize"]) == 0
    printed = capsys.readouterr()
    notes = [line for line in printed.err.splitlines() if not line.startswith("read scores.csv: ")]
    assert notes == ["note: Column 'rank' was left out; pass --keep rank to keep it."]
    assert "Column 'rank'" not in printed.out


@pytest.mark.slow
def test_notes_of_a_page_that_is_verified(folder, noted):
    from nbcompare.report import verify

    experiment = nbc.Experiment.read("scores.csv", direction="maximize")
    nbc.Report(experiment, sections=["comparison"]).export("r.html")
    found = verify("r.html", data="scores.csv")
    assert found.holds, found
    assert any("Column 'rank' was left out" in text for text in found.remarks)


@pytest.mark.slow
def test_exit_codes_are_documented_as_they_are(folder, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    told = capsys.readouterr().out.partition("exit codes:\n")[2]
    codes = [line.split()[0] for line in told.splitlines() if line[2:3].isdigit()]
    assert codes == ["0", "1", "2", "130", "141"]
    data = ["scores.csv", "--direction", "maximize"]
    assert main(["describe", *data]) == 0
    assert main(["describe", "nowhere.csv", "--direction", "maximize"]) == 1  # a file
    assert main(["compare", *data, "--control", "nobody"]) == 1  # an option
    (folder / "scores.csv").write_text("dataset,A,B\nx,1,one\ny,2,3\n")
    assert main(["describe", *data]) == 1  # the data
    (folder / "page.html").write_text("<p>No report.</p>")
    for line in (
        [],
        ["describe"],
        ["nothing"],
        ["describe", ""],  # an empty variable is not this folder
        ["describe", "--nothing", *data],
        ["compare", *data, "--alpha", "small"],
        ["verify", "page.html", "--data", "scores.csv"],
        ["verify", "nowhere.html", "--data", "scores.csv"],
    ):
        with pytest.raises(SystemExit) as stopped:
            main(line)
        assert stopped.value.code == 2, line
