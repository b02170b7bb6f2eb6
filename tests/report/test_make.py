"""Making files: what is computed, what is reported, and what is left when something fails."""

import errno
import os
import pickle
import re
import subprocess
import sys
import warnings
from collections import Counter

import matplotlib as mpl
import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

import nbcompare as nbc
from nbcompare._display import current
from nbcompare._progress import is_hidden
from nbcompare.cli import main
from nbcompare.report import IncompleteReportError, ReportError, make

DEMSAR = nbc.datasets.load("demsar2006")
SMALL = nbc.Experiment.from_array([[1, 2, 3], [2, 1, 3], [1, 3, 2]], direction="minimize")


def left_behind(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def outputs_of(path):
    notebook = nbformat.read(path, as_version=4)
    return [output.data for cell in notebook.cells for output in cell.get("outputs", ())]


# ----------------------------------------------------------------------------- what is computed


@pytest.mark.slow
def test_each_result_is_computed_once(tmp_path, monkeypatch):
    made = Counter()

    def count(name, function):
        def counted(*given, **options):
            made[name] += 1
            return function(*given, **options)

        monkeypatch.setattr(nbc, name, counted)

    names = ("describe", "recommend", "check_conditions", "compare", "sensitivity",
             "contrast_estimation", "multiple_sign_test")  # fmt: skip
    for name in names:
        count(name, getattr(nbc, name))
    report = nbc.Report(DEMSAR, full=True, compare={"control": "C4.5"})
    report.export(tmp_path / "a.html", tmp_path / "a.ipynb", tmp_path / "a.bib")
    assert made == dict.fromkeys(names, 1)


@pytest.mark.slow
def test_the_styles_of_the_caller_reach_no_report_and_stay(tmp_path):
    report = nbc.Report(SMALL, sections=["comparison"])
    report.export(tmp_path / "usual.html")
    with (
        mpl.rc_context({"font.size": 31, "axes.facecolor": "black", "lines.linewidth": 9}),
        nbc.set_options(theme="dark"),
        warnings.catch_warnings(record=True) as told,
    ):
        styles, options = dict(mpl.rcParams), current()
        report.export(tmp_path / "own.html")
        assert (dict(mpl.rcParams), current()) == (styles, options)
    assert not told
    pages = [(tmp_path / name).read_text(encoding="utf-8") for name in ("usual.html", "own.html")]
    figures = [BeautifulSoup(page, "html.parser").find_all("figure") for page in pages]
    assert figures[0]
    assert figures[0] == figures[1]


@pytest.mark.slow
def test_the_program_imports_only_what_a_page_needs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = """
import sys
from nbcompare.cli import main
sys.argv[1:] = ["report", "--example", "demsar2006", "--sections", "data", "-o", "r.html"]
assert main() == 0
print(*(name for name, module in sys.modules.items() if module is not None))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {*done.stdout.split()}
    assert "nbformat.validator" in loaded
    assert not {"pandas", "rfc3987_syntax", "lark", "ipykernel", "IPython", "arrow"} & loaded
    # nor what other formats need
    assert "nbcompare.report.page.content" in loaded
    other = re.compile(r"nbcompare\.report\.(latex|typst|paper|browser)\b")
    assert not [name for name in loaded if other.match(name)]


@pytest.mark.slow
def test_pages_are_the_same_whatever_else_is_drawn(tmp_path):
    """Beside a notebook, which has all pictures of a figure, and without one."""
    report = nbc.Report(nbc.datasets.load("demsar2006"), sections=["comparison"])
    alone, beside = (tmp_path / name for name in ("alone", "beside"))
    for folder, formats in (("alone", ["html", "pdf"]), ("beside", ["html", "pdf", "ipynb"])):
        (tmp_path / folder).mkdir()
        report.export(*(tmp_path / folder / f"r.{suffix}" for suffix in formats))
    for name in ("r.html", "r.pdf"):
        assert (alone / name).read_bytes() == (beside / name).read_bytes()
    notebook = nbformat.read(beside / "r.ipynb", 4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    drawn = [one.data.keys() for one in outputs if "image/svg+xml" in one.get("data", {})]
    assert drawn
    assert all({"image/png", "application/pdf"} <= kinds for kinds in drawn)


@pytest.mark.slow
def test_the_standard_report_is_short(tmp_path):
    page, paper = tmp_path / "r.html", tmp_path / "r.pdf"
    nbc.Report(DEMSAR).export(page, paper)
    assert len(PdfReader(paper).pages) <= 4
    document = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    for hidden in document(["script", "style", "svg"]):
        hidden.decompose()
    assert len(document.body.get_text(" ").split()) <= 1500
    assert len(str(nbc.sensitivity(DEMSAR).section("findings")).split()) <= 120


# ------------------------------------------------------------------------------- what is checked


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ([], r"^give at least one file to write; got none\.$"),
        (
            ["a.html", "b.doc"],
            r"^the output must end in \.html, \.ipynb, \.pdf, \.tex or \.bib; got 'b\.doc'\.$",
        ),
        (
            ["a.html", "./a.html"],
            r"^every output must be a different file; got .*a\.html' twice\.$",
        ),
    ],
)
def test_outputs_are_checked_before_any_work(tmp_path, outputs, message):
    impossible = nbc.Report(SMALL, compare={"control": "nobody"})
    with pytest.raises(ValueError, match=message):
        impossible.export(*(tmp_path / name for name in outputs))


def test_progress_shows_on_a_terminal_and_in_a_notebook():
    import tqdm.notebook

    assert is_hidden(tqdm.tqdm) is None  # tqdm itself looks for a terminal
    assert is_hidden(tqdm.notebook.tqdm) is False


# ------------------------------------------------------------------- what fails, and what stands


def broken(monkeypatch, what, error):
    """Let a function of the package raise an error."""

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(f"nbcompare.{what}", fail)


@pytest.mark.slow
def test_a_failing_part_leaves_a_note_and_the_others_are_there(tmp_path, monkeypatch):
    broken(monkeypatch, "plots.overview", ZeroDivisionError("division by zero"))
    broken(monkeypatch, "plots.sensitivity", ValueError("red\n two" + "x" * 1000))
    with pytest.raises(IncompleteReportError) as caught:
        nbc.Report(DEMSAR).export(tmp_path / "a.ipynb")
    assert str(caught.value).splitlines() == [
        "2 parts of the report could not be made; a note says so in its place.",
        "Findings: this figure could not be drawn. An error in the program (ZeroDivisionError: "
        "division by zero).",
        f"How firm is this?: this figure could not be drawn. Red two{'x' * 492}….",
    ]
    notes = [
        data for data in outputs_of(tmp_path / "a.ipynb") if "is missing:" in data["text/plain"]
    ]
    assert notes[0]["text/markdown"] == (
        "> **This figure is missing: it could not be drawn.** An error in the program "
        r"(ZeroDivisionError\: division by zero)."
    )
    assert len(notes) == 2


def test_nothing_is_written_if_every_part_fails(tmp_path, monkeypatch):
    broken(monkeypatch, "results.Description.section", ValueError("no room"))
    broken(monkeypatch, "results.Description._repr_mimebundle_", ValueError("no room"))
    with pytest.raises(ReportError, match=r"^Data: this part could not be computed\. No room\.$"):
        nbc.Report(SMALL, sections=["data"]).export(tmp_path / "a.ipynb")
    assert left_behind(tmp_path) == {}


@pytest.mark.slow
def test_a_failing_figure_leaves_a_note_in_every_format(tmp_path, monkeypatch, capsys):
    """The text of the exception is untrusted, and says what to do."""
    broken(monkeypatch, "plots.overview", ValueError("no room for <b>A</b>; use fewer names."))
    monkeypatch.chdir(tmp_path)
    line = ["report", "--example", "demsar2006", "--sections", "comparison"]
    outputs = ["r.html", "r.pdf", "r.ipynb", "r.tex"]
    assert main([*line, *(word for name in outputs for word in ("-o", name))]) == 1
    said = capsys.readouterr()
    assert [name for name in said.out.split() if "picture" not in name] == outputs
    assert said.err.splitlines() == [
        "nbcompare: 1 part of the report could not be made; a note says so in its place.",
        "Which algorithms differ?: this figure could not be drawn. No room for <b>A</b>; use "
        "fewer names.",
    ]
    page, tex = ((tmp_path / name).read_text(encoding="utf-8") for name in ("r.html", "r.tex"))
    paper = PdfReader(tmp_path / "r.pdf")
    printed = " ".join("".join(page.extract_text() for page in paper.pages).split())
    told = [data["text/plain"] for data in outputs_of(tmp_path / "r.ipynb")]
    for text in (page, tex, printed, " ".join(told)):
        assert "This figure is missing: it could not be drawn." in " ".join(text.split())
    assert "No room for &lt;b&gt;A&lt;/b&gt;; use fewer names." in page
    assert "Traceback" not in page
    assert "Differences of the pairs, with intervals" in page
    assert page.count("<figure") >= 1


@pytest.mark.slow
@pytest.mark.parametrize("error", [MemoryError(), ValueError("the fonts of the PDF lack 林.")])
def test_a_failing_format_leaves_the_others(tmp_path, monkeypatch, error, capsys):
    exported = make._exported

    def failing(notebook, output):
        if output.suffix == ".pdf":
            raise error
        return exported(notebook, output)

    (tmp_path / "a.pdf").write_text("old")
    monkeypatch.setattr(make, "_exported", failing)
    monkeypatch.chdir(tmp_path)
    line = ["report", "--example", "demsar2006", "--sections", "data"]
    assert main([*line, "-o", "a.pdf", "-o", "a.html", "-o", "a.ipynb"]) == 1
    said = capsys.readouterr()
    assert said.out.split() == ["a.html", "a.ipynb"]
    reason = str(error) or "there is not enough memory."
    assert said.err == f"nbcompare: cannot write a.pdf: {reason}\n"
    assert sorted(left_behind(tmp_path)) == ["a.html", "a.ipynb", "a.pdf"]
    assert (tmp_path / "a.pdf").read_text() == "old"


@pytest.mark.slow
def test_a_failing_export_to_one_format_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    (tmp_path / "a.ipynb").write_text("old")

    def failing(notebook, output):
        raise MemoryError

    monkeypatch.setattr(make, "_exported", failing)
    with pytest.raises(MemoryError):
        nbc.Report(SMALL, sections=["data"]).export(tmp_path / "a.ipynb")
    assert left_behind(tmp_path) == {"a.ipynb": "old"}


@pytest.mark.slow
def test_outputs_that_cannot_be_written_do_not_prevent_the_others(tmp_path, monkeypatch):
    """A folder is missing, another is full, a package is not installed."""
    full, page, paper = tmp_path / "full.ipynb", tmp_path / "a.html", tmp_path / "a.pdf"
    away = tmp_path / "none" / "a.ipynb"
    monkeypatch.setattr(make, "_exported", lambda _notebook, path: {"": path.name})
    monkeypatch.setattr(make, "_check_extra", lambda kind: fail() if kind == ".pdf" else None)

    def fail():
        raise ImportError("a PDF needs typst.")

    replace = os.replace

    def failing_replace(source, target):
        if target == full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(source))
        replace(source, target)

    monkeypatch.setattr("pathlib.Path.replace", failing_replace)
    with pytest.raises(IncompleteReportError) as caught:
        nbc.Report(SMALL, sections=["data"]).export(page, full, paper, away)
    assert caught.value.written == (page,)
    assert str(caught.value).splitlines() == [
        f"cannot write {full}: the disk is full. Free some space there, or choose another folder.",
        f"cannot write {paper}: a PDF needs typst.",
        f"cannot write {away}: there is no folder {away.parent}.",
    ]
    assert left_behind(tmp_path) == {"a.html": "a.html"}


def test_an_incomplete_report_survives_the_way_from_another_process(tmp_path):
    error = pickle.loads(pickle.dumps(IncompleteReportError("two lines", (tmp_path,))))
    assert (str(error), error.written) == ("two lines", (tmp_path,))


@pytest.mark.slow
def test_scores_near_the_largest_number_make_a_whole_report(tmp_path):
    """No part is missing, and no number has become infinite or none."""
    scores = 10.0 ** np.random.default_rng(1).uniform(295, 308, (12, 4))
    experiment = nbc.Experiment.from_array(scores, direction="minimize")
    page, notebook = tmp_path / "a.html", tmp_path / "a.ipynb"
    nbc.Report(experiment, full=True).export(page, notebook)
    ran = nbformat.read(notebook, as_version=4)
    shown = [
        str(output.get("data", {}).get("text/plain", output.get("text", "")))
        for cell in ran.cells
        for output in cell.get("outputs", [])
    ]
    assert len(shown) > 10
    assert not [text for text in shown if re.search(r"\b(?:nan|inf)\b|is missing:", text)]
    assert "Warning" not in "".join(shown)
