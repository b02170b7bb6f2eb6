"""Users without a home, of other locales, with an optimising Python, and with odd scores."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import plots

SCORES = "dataset,C4.5,CN2,bayes\niris,0.91,0.82,0.7\nwine,0.8,0.7,0.6\nzoo,0.7,0.75,0.1\n"
MINUTES = 300  # after so many seconds something hangs
HERE = [sys.executable, "-m", "nbcompare"]
SOURCE = ["scores.csv", "--direction", "maximize"]
REPORT = ["report", *SOURCE, "--sections", "data,comparison", "-o", "r.html", "-o", "r.pdf"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    return tmp_path


def run(line, folder, **options):
    return subprocess.run(
        line, cwd=folder, capture_output=True, text=True, timeout=MINUTES, **options
    )


def quiet(done, out=""):
    said = [line for line in done.stderr.splitlines() if " data sets in rows, " not in line]
    assert (done.returncode, said) == (0, [])
    assert out in done.stdout


# ------------------------------------------------------------------------------- locales

# What a session of IPython or Matplotlib may have done before: everything in its locale.
_LOCAL = """
import locale, sys
locale.setlocale(locale.LC_ALL, sys.argv[1])
import nbcompare as nbc
from nbcompare.report import verify
print(locale.str(1.5))
experiment = nbc.Experiment.read("scores.csv", direction="maximize")
result = nbc.compare(experiment, control="C4.5")
pair = nbc.compare_pair(experiment, "C4.5", "CN2")
print(result, result.to_latex(), result.to_json(), pair.sentences)
print(nbc.plots.cd_diagram(result).drawing(), nbc.plots.pair_scatter(pair).drawing())
nbc.Report(experiment, sections=["data", "comparison"]).export("r.html", "r.tex")
print(verify("r.html", data=experiment).holds)
"""


@pytest.fixture(scope="module")
def locales(tmp_path_factory):
    """A folder with a locale; it is made if the system has what it is made of.

    Turkish has decimal commas, as many have, and other capitals, as hardly any has.
    """
    place = tmp_path_factory.mktemp("locales")
    try:
        made = run(["localedef", "-i", "tr_TR", "-f", "UTF-8", f"{place}/tr_TR.UTF-8"], place)
    except FileNotFoundError:
        pytest.skip("needs localedef")
    if made.returncode > 1:
        pytest.skip("needs the source of the locale tr_TR (Debian: locales)")
    return place


@pytest.mark.weekly
def test_every_locale_gives_the_same(folder, locales):
    found = {}
    for name, point in (("C.UTF-8", "1.5"), ("tr_TR.UTF-8", "1,5")):
        environment = {**os.environ, "LC_ALL": name, "LOCPATH": str(locales)}
        if name.startswith("C"):
            del environment["LOCPATH"]
        line = [sys.executable, "-W", "error", "-c", _LOCAL, name]
        done = run(line, folder, env=environment)
        quiet(done)
        first, text = done.stdout.split("\n", 1)
        assert first == point
        assert text.endswith("True\n")
        files = [(folder / name).read_bytes() for name in ("r.html", "r.tex")]
        found[name] = (text, *files)
    assert len(set(found.values())) == 1


# ------------------------------------------------------------------------------- python -O


# Several commands in one process, which imports everything once
_COMMANDS = """
import ast, sys
from nbcompare.cli import main
for line in ast.literal_eval(sys.argv[1]):
    if main(line):
        raise SystemExit(f"{line} failed")
"""


@pytest.mark.weekly
@pytest.mark.parametrize("option", ["-OO"])  # -O was tried as well: it leaves the docstrings
def test_commands_without_assertions_and_docstrings(folder, option):
    lines = [["compare", *SOURCE], REPORT, ["verify", "r.html", "--data", *SOURCE]]
    done = run([sys.executable, option, "-c", _COMMANDS, repr(lines)], folder)
    quiet(done, "Average ranks")
    assert "r.html\nr.pdf\n" in done.stdout
    # as the program, which argparse asks for its own name
    quiet(
        run([sys.executable, option, "-m", "nbcompare", "report", "--help"], folder), "--sections"
    )


# ------------------------------------------------------------------------------- odd scores

LEAST = 5e-324
_DRAWN = np.random.default_rng(1)
_SHARES = _DRAWN.random((8, 3))
_STEPS = _DRAWN.integers(0, 3, (8, 3))
ODD = {
    "steps of the least number": _STEPS * LEAST,
    "some steps": (1 + _STEPS) * LEAST,
    "one least number": np.where(np.arange(24).reshape(8, 3) == 5, LEAST, 0.0),
    "below the normal ones": _SHARES * 1e-310,
    "about the least normal one": _SHARES * 2.3e-308,
    "constant": np.full((8, 3), 0.5),
    "zero": np.zeros((8, 3)),
    "a step of rounding": 1 + _STEPS * 2.2e-16,
    "huge": _SHARES * 4e307,
    "huge of both signs": (_SHARES - 0.5) * 4e307,
    "from the least to the largest": 10.0 ** _DRAWN.uniform(-320, 307, (8, 3)),
    "a column of each": np.column_stack([np.full(8, 4e307), np.full(8, LEAST), _SHARES[:, 0]]),
}


def looked_at(plot):
    """A picture of every kind, whose coordinates are numbers."""
    bundle, _ = plot._repr_mimebundle_()
    assert not re.search(r"\b(nan|inf)\b", bundle["image/svg+xml"] + plot.alt)
    assert bundle["image/png"].startswith(b"\x89PNG")


@pytest.mark.weekly
@pytest.mark.parametrize("name", ODD)
def test_figures_of_odd_scores(name):
    experiment = nbc.Experiment.from_array(
        ODD[name], direction="minimize", algorithms=["a", "b", "c"]
    )
    comparison = nbc.compare(experiment)
    for draw in (
        plots.overview,
        plots.rank_bars,
        plots.pvalue_matrix,
        plots.multi_comparison_matrix,
    ):
        looked_at(draw(comparison))
    looked_at(plots.overview(nbc.compare(experiment, pairs="wilcoxon")))
    if np.abs(ODD[name]).max() > 1e280:
        with pytest.raises(nbc.DataError, match="take a larger unit"):
            nbc.compare_pair(experiment, "a", "b")
        return
    pair = nbc.compare_pair(experiment, "a", "b")
    looked_at(plots.pair_scatter(pair))
    if (ODD[name] > 0).all():
        looked_at(plots.pair_scatter(pair, scale="log"))


@pytest.mark.parametrize("name", ODD)
def test_t_tests_of_all_pairs_of_odd_scores(name):
    experiment = nbc.Experiment.from_array(ODD[name], direction="minimize")
    text = str(nbc.compare(experiment, pairs="t"))
    assert not re.search(r"\bnan\b", text)


def test_a_scatter_tells_steps_of_the_least_number_from_ties():
    steps = np.array([[0, 1], [1, 1], [2, 1], [1, 0], [3, 3], [0, 0]])
    experiment = nbc.Experiment.from_array(
        steps * LEAST, direction="minimize", algorithms=["a", "b"]
    )
    pair = nbc.compare_pair(experiment, "a", "b")
    assert (pair.wins, pair.losses, pair.ties) == (1, 2, 3)
    better, worse, tied = plots.pair_scatter(pair).artists["points"]
    assert [len(set(marks.get_xdata())) for marks in (better, worse, tied)] == [1, 2, 3]
    on_the_diagonal = [np.ptp(tied.get_xdata() - tied.get_ydata())]
    assert on_the_diagonal == [pytest.approx(0, abs=1e-9)]
