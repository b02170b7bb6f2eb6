"""Messages of the API in the words of the command line and of the magics."""

import ast
import re
import shlex
from pathlib import Path

import pytest

import nbcompare as nbc
from nbcompare._commands import ANALYSES
from nbcompare._messages import Mistake, Speech
from nbcompare._options import OPTIONS
from nbcompare.cli import main
from nbcompare.cli._data import speech as of_command
from nbcompare.magics._lines import MAGICS

SPEECH = Speech(
    {"pairs": "--pairs", "n_points": "--n-points", "control": "--control", "decimal": "--decimal"}
    | {"where": "--where"},
    {"experiment": ("the table", "a table of scores")},
    {"compare_pair": "nbcompare compare-pair", "compare": "nbcompare compare"}
    | {"select(datasets)": "--datasets", "select()": "--algorithms"},
)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("`pairs` must be 'ranks'; got 'rank'.", "--pairs must be 'ranks'; got 'rank'."),
        ("`n_points` and `pairs`", "--n-points and --pairs"),
        ("`pairs` must be None with a control.", "--pairs must be left out with a control."),
        ("Take 'shaffer', or pairs='ranks'.", "Take 'shaffer', or --pairs ranks."),
        ("pass decimal=','.", "pass --decimal ','."),
        ("pass decimal='.'.", "pass --decimal '.'."),
        ("pass where={'s': 'a,\"b'}", 'pass --where \'s="a,""b"\''),
        ("pass separator=';'.", "pass separator ';'."),
        # as Python writes what the user wrote as \\textbf{0.8}
        (r"got '\\textbf{0.8}' in `pairs`", r"got '\textbf{0.8}' in --pairs"),
        ("pass control='so so'", "pass --control 'so so'"),
        ("compare with control=None", "compare without --control"),
        ("take control=None", "take no --control"),
        ("(n_points=, pairs= or more)", "(--n-points, --pairs or more)"),
        ("Give it again: n_points=...", "Give it again: --n-points"),
        ("n_points=5 is too few", "--n-points 5 is too few"),
        ("with alpha=0.1, an option of others", "with alpha 0.1, an option of others"),
        ("`experiment` has no score", "the table has no score"),
        ("needs an `experiment`", "needs a table of scores"),
        ("`some_argument` is odd", "the some argument is odd"),
        ("use compare_pair, or compare(...)", "use nbcompare compare-pair, or nbcompare compare"),
        ("Take experiment.select(datasets=[...]).", "Take --datasets."),
        ("Leave out with experiment.select(...).", "Leave out with --algorithms."),
        # what is the user's own stays as it is
        ("got '`pairs`' and \"pairs='x'\"", "got '`pairs`' and \"pairs='x'\""),
        ("Holm's and Page's `pairs`", "Holm's and Page's --pairs"),
        ("got 'it\\'s pairs=' in `pairs`", "got 'it\\'s pairs=' in --pairs"),
        ("pairs=.csv, row 1: `pairs`", "pairs=.csv, row 1: --pairs"),
    ],
)
def test_what_is_said(message, said):
    assert SPEECH.about("pairs=.csv").says(message) == said


def test_errors_are_told_in_these_words():
    with pytest.raises(Mistake, match=r"^--pairs is odd\.$"), SPEECH.telling():
        raise TypeError("`pairs` is odd.")
    with pytest.raises(Mistake, match=r"^`pairs`$"), SPEECH.telling():
        raise Mistake("`pairs`")  # said already
    with pytest.raises(BrokenPipeError), SPEECH.telling():
        raise BrokenPipeError


# ------------------------------------------------------- every message of the package

PACKAGE = Path(nbc.__file__).parent
# Where messages speak to those who work in Python alone, and calls in other messages of that kind.
IN_PYTHON = (
    *("stats", "plots", "widgets", "results", "magics", "histories/_recorder.py"),
    "histories/_values.py",
    *("study/_run.py", "study/_resampled.py", "study/_binomial.py"),
)
CALLS = re.compile(
    r"(Experiment\.from_frame|Histories\.(from_frame|read)|to_frame|reset_index|export)\([^()]*\)"
)


def raised():
    """All texts of errors, with a word in the place of what is not known before."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                for argument in node.exc.args:
                    text = text_of(argument)
                    if text:
                        yield f"{path.relative_to(PACKAGE)}:{node.lineno}", text


def text_of(node):
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(text_of, node.values))
    if isinstance(node, ast.FormattedValue):
        return "'x'" if node.conversion == ord("r") else "control"
    if isinstance(node, ast.BinOp):
        return text_of(node.left) + text_of(node.right)
    return ""


@pytest.mark.slow
def test_no_message_shows_python_to_a_command_line():
    names = "|".join({name.rpartition(".")[2] for name in OPTIONS})
    advice = re.compile(rf"(?<![\w'\"-])({names})=(?!=)")
    found = list(raised())
    assert len(found) > 300
    wrong = []
    for place, text in found:
        for command in ANALYSES:
            said = of_command(command.flags).says(text)
            marked = "`" in said or advice.search(CALLS.sub("", said))
            called = re.search(r"\w\(", CALLS.sub("", said)) and not place.startswith(IN_PYTHON)
            if (marked and not place.startswith(IN_PYTHON)) or called:
                wrong.append((place, command.name, said))
    assert wrong == []


SCORES = "dataset,C4.5,CN2\niris,0.9,0.8\nwine,0.8,0.7\nzoo,0.7,0.75\n"
LONG = "problem,method,rate\n" + "".join(
    f"p{i},{name},{i + step}\n" for i in range(4) for step, name in enumerate("ABC")
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "long.csv").write_text(LONG)
    (tmp_path / "notes.csv").write_text("name,notes,A,B\nx,a b,0.1,0.2\ny,c,0.3,0.2\n")
    (tmp_path / "gaps.csv").write_text(SCORES.replace("0.75", ""))
    (tmp_path / "commas.csv").write_text("dataset;A;B\nx;1,5;2\ny;1;3\n")
    (tmp_path / "latin.csv").write_bytes("dataset,naïve,B\nx,1,2\ny,1,3\n".encode("latin-1"))
    return tmp_path


UP = " --direction maximize"
DEMSAR = "report --example demsar2006 -o r.html "
UNREADABLE = [  # by the parser of lines
    ("report -o r.html", "give either a table of scores or --example NAME"),
    (DEMSAR + "scores.csv", "give either a table of scores or --example NAME"),
    ("report scores.csv -o r.html", "--direction is required with a table of scores: maximize if"),
    (DEMSAR + UP, "--direction is for a table of scores, not for --example"),
    (DEMSAR + "--alpha 0.1 --alpha=0.1", "--alpha must be given once; leave out all but one."),
    (DEMSAR + "--full --full", "--full must be given once; leave out all but one."),
    (DEMSAR + "--sections data,rank", "got 'rank'. Did you mean 'rank-intervals'?"),
    ("report --histories logs.csv -o r.html", "--direction is required with a"),
    ("report scores.csv --problem f -o r.html" + UP, "--problem is for --histories"),
    ("page-trend -o", "there is no option -o. --help lists the options."),
    ("page-trend", "give either a file of values or --example NAME"),
    ("compare-pair scores.csv --a CN2" + UP, "required: --b"),
    ("compare x.csv --direction max", "'minimize'; got 'max'. Did you mean 'maximize'?"),
    ("compare x.csv --alpha much", "--alpha must be a number; got 'much'."),
    ("compare x.csv --rankin aligned --alpha", "--alpha needs a value after it."),
    (
        "report x.csv -o r.html --venue acm",
        "there is no option --venue. The command tables has it.",
    ),
    ("compare x.csv --rope 1", "--rope. The commands report and compare-bayesian have it."),
    ("compare x.csv --controls A", "there is no option --controls. Did you mean --control?"),
    ("compare x.csv y.csv", "there is a word too many: 'y.csv'. Quote a name with spaces."),
    ("compare scores.csv --algorithms CN2," + UP, "--algorithms must be names, separated by comm"),
    ("compare scores.csv --datasets ''" + UP, "--datasets must be names, separated by commas"),
    ("Compare-CV", "there is no command 'Compare-CV'. Did you mean 'compare-cv'?"),
]
WRONG = [
    ("report missing.csv -o r.html" + UP, "the path must name a file; there is no 'missing.csv'."),
    ("report --example iris -o r.html", "'stochastic_regression' or 'convergence_de'; got 'iris'."),
    ("tables --example convergence_de", "holds histories of optimisers. Experiments are 'demsar"),
    (DEMSAR + "--control C5", "'C4.5+cf' and 'C4.5+m+cf'; got 'C5'. Did you mean 'C4.5'?"),
    (DEMSAR + "-o r.docx", "must end in .html, .ipynb, .pdf, .tex or .bib; got 'r.docx'."),
    (DEMSAR + "-o r.html", "every output must be a different file; got 'r.html' twice."),
    (DEMSAR + "--sections data,signs", "section 'signs' needs a control."),
    (
        "report --example demsar2006 -o nowhere/r.html",
        "cannot write nowhere/r.html: there is no folder ",
    ),
    ("compare scores.csv --margin nan" + UP, "--margin must be a number above 0; got nan."),
    (
        "compare scores.csv --margin 0.1 --pairs ranks" + UP,
        "Take --pairs wilcoxon or --pairs t, or leave out --margin.",
    ),
    (
        "compare long.csv --dataset Problem --algorithm method --score rate" + UP,
        "one of 'problem', 'method' and 'rate'; got 'Problem'. Did you mean 'problem'?",
    ),
    ("compare commas.csv" + UP, "column 'A' must be a number; got '1,5'. Pass --decimal ','."),
    ("compare latin.csv" + UP, "Pass --text-encoding, for instance --text-encoding latin-1."),
    ("compare gaps.csv" + UP, "--algorithms or --datasets."),
    ("compare scores.csv --control cn2 --json" + UP, "got 'cn2'. Did you mean 'CN2'?"),
    ("compare scores.csv --datasets Iris" + UP, "and 'zoo'; got 'Iris'. Did you mean 'iris'?"),
    ("compare scores.csv --algorithms CN2,C45" + UP, "--algorithms must be one of 'C4.5' and"),
    ("compare scores.csv --algorithms CN2,CN2" + UP, "--algorithms must be distinct; got 'CN2' at"),
    (
        "compare-stochastic scores.csv --procedure bootstrap-a --missing interval" + UP,
        "--missing must not be 'interval'",
    ),
    ("compare-cv scores.csv --a C4.5 --b CN2" + UP, "use nbcompare compare."),
    (
        "compare-pair scores.csv --a C4.5 --b CN2 --test sign --zeros split" + UP,
        "'wilcox' or 'demsar'",
    ),
]


@pytest.mark.parametrize(
    ("line", "said", "code"), [(*row, 2) for row in UNREADABLE] + [(*row, 1) for row in WRONG]
)
def test_mistakes_get_a_line_and_leave_nothing(folder, capsys, line, said, code):
    before = {*folder.iterdir()}
    if code == 2:
        with pytest.raises(SystemExit, match="2"):
            main(shlex.split(line))
    else:
        assert main(shlex.split(line)) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    told = printed.err.splitlines()[-1]
    assert re.match(r"nbcompare( [a-z-]+)?: error: " if code == 2 else "nbcompare: ", told)
    assert said in told
    assert {*folder.iterdir()} == before


def test_what_is_advised_helps(folder, capsys):
    for line in (
        "compare long.csv --dataset problem --algorithm method --score rate",
        "compare long.csv",
        "compare notes.csv --dataset name --ignore notes",
        "compare commas.csv --decimal ,",
        "compare latin.csv --text-encoding latin-1",
        "compare gaps.csv --datasets iris --datasets wine",
    ):
        assert main([*line.split(), "--direction", "maximize"]) == 0, line
    assert "naïve" in capsys.readouterr().out


def test_a_recommendation_ends_with_a_command_that_runs(folder, capsys):
    (folder / "odd.csv").write_text("dataset;test='t';B\nx;1,5;2\ny;2;1\nz;3;1\n")
    line = "recommend odd.csv --direction maximize --decimal , --datasets x"
    assert main([*line.split(), "--datasets", "y", "--control", "test='t'"]) == 0
    told = capsys.readouterr().out
    command = told.rstrip().splitlines()[-1]
    assert command.startswith(
        "nbcompare compare odd.csv --direction maximize --decimal , --datasets x,y "
    )
    assert main(shlex.split(command)[1:]) == 0
    assert "test='t' and B" in capsys.readouterr().out


def test_results_advise_nothing_that_a_shell_cannot_do(folder, capsys):
    for line in (
        "check-conditions --example stochastic_cv",
        "page-trend --example convergence_de --null page --optimum-tolerance 1e-8",
        "compare --example demsar2006 --formulas printed",
        "contrast-estimation --example demsar2006 --n-resamples 50",
        "recommend --example stochastic_cv",
    ):
        assert main(line.split()) == 0
        told = capsys.readouterr().out
        assert not re.search(r"\w\(\)|\b[a-z_]+='|\bcompare_", told), line


def test_every_analysis_has_a_command_and_a_magic(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    words = capsys.readouterr().out.split()
    assert all(command.word in words for command in ANALYSES)
    assert {command.name for command in ANALYSES} <= MAGICS.keys()
