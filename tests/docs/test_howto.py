"""How-to pages: what they compute of other packages, and the four ways to ask for the same."""

import ast
import contextlib
import gzip
import io
import json
import re
import shlex
import shutil
from pathlib import Path

import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare._options import OPTIONS
from nbcompare.analysis import _design
from nbcompare.cli import main
from nbcompare.stats import logical

ROOT = Path(__file__).parents[2]
HOWTO = ROOT / "docs" / "howto"
DATA = ROOT / "nbcompare" / "datasets"
PAGES = sorted(path.stem for path in HOWTO.glob("*.md") if path.stem != "index")
MEASURED = json.loads((HOWTO / "measured.json").read_text(encoding="utf-8"))
# The page about each package that was measured
ABOUT = {package: f"from-{package.removesuffix('pp')}" for package in MEASURED}

_CELL = re.compile(r"^```\{code-cell\}\n((?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"\breport\.\w+")


def text_of(page):
    return (HOWTO / f"{page}.md").read_text(encoding="utf-8")


WITH_WAYS = [page for page in PAGES if "```{ways}" in text_of(page)]
LONG = ("enough-data-sets", "paper", "verify")  # simulations, and many reports


@pytest.fixture(scope="module")
def ways_of(extension):
    """Give the ways to ask for the same that a page shows."""
    on_page = extension("ways").on_page
    return lambda page: list(on_page(text_of(page)))


@pytest.fixture
def run_page(tmp_path, monkeypatch):
    """Run the cells of a page in an empty folder, and give the variables that they leave."""
    monkeypatch.chdir(tmp_path)

    def run(page):
        names = {}
        for _, code in _CELL.findall(text_of(page)):
            exec(compile(code, page, "exec"), names)
        return names

    return run


@pytest.mark.slow
@pytest.mark.parametrize("package", MEASURED)
def test_formulas_of_other_packages_give_what_these_gave(package, run_page, extension):
    names = run_page(ABOUT[package])
    figures = MEASURED[package]["figures"]
    assert figures
    for name, figure in figures.items():
        assert names[name] == pytest.approx(figure["value"], rel=figure["relative"]), name
    assert f":::{{generated}} measured {package}\n:::\n" in text_of(ABOUT[package])
    ((_, code),) = _CELL.findall(extension("generated").measured(package) + "\n")
    table = eval(code.partition("\n\n")[2], {**names, "pd": pd})
    assert list(table.index) == [figure["label"] for figure in figures.values()]
    for row, figure in zip(table.itertuples(index=False), figures.values(), strict=True):
        gave, computed = map(float, row)
        assert gave == pytest.approx(figure["value"], rel=1e-5)
        assert computed == pytest.approx(gave, rel=max(1e-5, figure["relative"]))


def test_the_paragraphs_of_a_paper_have_what_the_checklist_says(run_page, capsys):
    result = run_page("paper")["result"]
    printed = capsys.readouterr().out
    flat = " ".join(printed.split())
    test = result.omnibus["friedman"]
    assert f"{test.statistic:.3f} 3 {test.pvalue:.4f}" in flat
    largest = result.to_frame().query("rejected")["pvalue"].idxmax()
    row = result.to_frame().loc[largest]
    assert f"{-row['upper']:.4f} to {-row['lower']:.4f}" in flat  # the control is the worse one
    assert f"{row['pvalue']:.4f} {row['holm']:.4f} yes" in flat
    expected = "four algorithms on 14 data sets", "exact p-values", "three hypotheses", "0.05"
    expected += "no significant difference from", f"nbcompare {nbc.__version__}"
    assert [words for words in expected if words not in flat] == []
    asked = re.findall(r"`(\w+)`", text_of("paper").partition("## A checklist")[2])
    shown = re.findall(r'print\(result\.section\("(\w+)"\)\)', text_of("paper"))
    assert set(shown) == set(asked) & set(result.sections)


@pytest.mark.slow
def test_the_page_about_few_data_sets_says_what_its_table_gives(run_page, capsys):
    experiment = run_page("enough-data-sets")["experiment"]
    printed = capsys.readouterr().out
    assert "no difference, however clear, can be significant" in printed  # of all pairs
    assert re.search(r"^4 of 4$", printed, re.MULTILINE)  # with a control
    few = nbc.compare(experiment.select(algorithms=experiment.algorithms[:4]))
    assert "never-significant" not in {note.code for note in few.notes}


@pytest.mark.parametrize(
    ("page", "sentences"),
    [
        (
            "bergmann-hommel",
            [
                f"it is the default for all pairs of up to {_design.MOST_BY_DEFAULT} algorithms.",
                "any number of algorithms is possible by average ranks, if no score is missing, "
                f"and up to {logical.MOST_ALGORITHMS} otherwise",
                f"with more than {_design.MOST_BY_RANKS} algorithms by average ranks, or more than "
                f"{_design.MOST_BY_DEFAULT} with the exchange test, it takes "
                "Shaffer's procedure, and "
                f"Holm's above {_design.MOST_BY_SHAFFER}.",
            ],
        ),
        (
            "from-scmamp",
            [f"by average ranks, and up to {logical.MOST_ALGORITHMS} with other tests of pairs."],
        ),
        (
            "from-rliable",
            [f"nbcompare {OPTIONS['aggregates.n_resamples'].default:,} times with a fixed seed"],
        ),
    ],
)
def test_limits_are_those_of_the_code(page, sentences):
    flat = " ".join(text_of(page).split())
    assert [sentence for sentence in sentences if sentence not in flat] == []


def test_every_page_is_in_the_index():
    index = text_of("index")
    listed = index.rpartition("```{toctree}")[2].split()
    assert sorted(set(listed) & set(PAGES)) == PAGES
    assert all(f"]({page}.md)" in index for page in PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_pages_compute_what_they_print(page):
    """A page has cells, so that its figures are computed while the site is built."""
    cells = [code for _, code in _CELL.findall(text_of(page))]
    assert cells
    for code in cells:
        ast.parse(code)


@pytest.mark.parametrize("page", WITH_WAYS)
def test_commands_are_understood(page, ways_of, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for way in filter(lambda it: it.command, ways_of(page)):
        program, *arguments = shlex.split(way.command)
        assert program == "nbcompare"
        # the parser reads the whole line before it misses the file
        assert main(arguments) == 1
        assert arguments[1] in capsys.readouterr().err


def test_all_ways_to_a_report_write_the_same_files(ways_of):
    reports = [way for page in WITH_WAYS for way in ways_of(page) if "nbc.Report(" in way.python]
    assert len(reports) > 2
    for way in reports:
        files = _FILE.findall(way.python)
        assert files
        assert _FILE.findall(way.magic) == _FILE.findall(way.command) == files
        for typed in (way.command, way.builder):  # of the same comparison
            assert ("C4.5" in typed) == ("C4.5" in way.python)


def write_files(names):
    """Write the tables that the commands of a page read, from what its cells have computed."""
    for file, variable in (("scores.csv", "experiment"), ("pilot.csv", "pilot")):
        if variable in names and not Path(file).exists():
            names[variable].to_frame().to_csv(file)
    if "answers" in names:
        names["answers"].to_csv("answers.csv", index=False)
    if "table" in names and "runs" in names and "seed" in names["table"]:
        names["table"].to_csv("runs.csv", index=False)
    else:
        shutil.copy(DATA / "stochastic_cv.csv", "runs.csv")
    Path("logs.csv").write_bytes(gzip.decompress((DATA / "convergence_de.csv.gz").read_bytes()))


def facts(result):
    return result.to_frame() if hasattr(result, "to_frame") else dict(result.options)


def same(first, second):
    if isinstance(first, dict):
        assert first == second
    else:
        pd.testing.assert_frame_equal(first, second)


def ran(line):
    """Return what a command prints."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        code = main(shlex.split(line)[1:])
    assert not code, line
    return shown.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [pytest.param(it, marks=[pytest.mark.weekly] * (it in LONG)) for it in WITH_WAYS]
)
def test_all_ways_give_the_same(page, ways_of, run_page, ipython, capsys):
    names = run_page(page)
    write_files(names)
    names["nbc"] = nbc
    tried = 0
    for way in ways_of(page):
        call = way.python
        if "results/" in call:  # a folder that is not here
            ast.parse(call)
            continue
        if "nbc.Report(" in call:
            eval(call, names)
            files = [Path(file) for file in _FILE.findall(call)]
            sizes = [file.stat().st_size for file in files]
            for file in files:
                file.unlink()
            ran(way.command)
            for file, size in zip(files, sizes, strict=True):
                assert file.stat().st_size == pytest.approx(size, rel=0.5)
            tried += 1
            continue
        result = eval(call, names)
        expected = facts(result)
        if way.magic:
            ipython.user_ns.update(names)
            magic, _, line = way.magic.removeprefix("%").partition(" ")
            same(facts(ipython.run_line_magic(magic, line)), expected)
        if way.builder:
            same(facts(eval(way.builder, names).result), expected)
        if way.command:
            read = type(result).from_json(ran(f"{way.command} --json"))
            # these logs have all algorithms, the page only some of them
            if "logs.csv" not in way.command:
                same(facts(read), expected)
        tried += 1
    assert tried or page == "large-tables"
