"""Making files: what is run, what is reported, and what is left when something fails."""

import errno
import os
import pickle
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

import nbcompare as nbc
from nbcompare._progress import is_hidden
from nbcompare.cli import main
from nbcompare.report import IncompleteReportError, ReportError, make
from nbcompare.report import execute as execution
from nbcompare.report.execute import execute


def left_behind(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def notebook_of(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.mark.slow
def test_a_failing_cell_is_named(tmp_path):
    with pytest.raises(
        ReportError, match=r"^cell 2 of the report failed: ZeroDivisionError: division by zero$"
    ):
        execute(lambda: notebook_of("x = 0", "1 / x", "print('never')"), tmp_path)


BROKEN = "class Broken:\n    def _repr_mimebundle_(self, **_): raise ValueError('no bundle')\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "message"),
    [
        (f"{BROKEN}Broken()", "ValueError: no bundle"),
        (f"{BROKEN}display(Broken())", "ValueError: no bundle"),
        ("raise SystemExit", "SystemExit"),
        (
            r"raise ValueError('\x1b[31mred\x1b[0m\n two' + 'x' * 1000)",
            f"ValueError: red two{'x' * 490}...",
        ),
    ],
)
def test_a_failure_is_said_in_a_line(tmp_path, source, message):
    """What a display raises is shown as an output; the cell itself may count as done."""
    with pytest.raises(ReportError) as caught:
        execute(lambda: notebook_of(source), tmp_path)
    assert str(caught.value) == f"cell 1 of the report failed: {message}"


@pytest.mark.slow
def test_an_exception_that_a_cell_announces_stays_in_the_report(tmp_path):
    notebook = notebook_of(f"{BROKEN}display(Broken())", "raise ValueError", "print('done')")
    for cell in notebook.cells[:2]:
        cell.metadata["tags"] = ["raises-exception"]
    *_, last = execute(lambda: notebook, tmp_path).cells
    assert last.outputs[0].text == "done\n"


@pytest.mark.slow
def test_a_kernel_that_does_not_start_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(execution, "_LAUNCH", "raise SystemExit(3)")
    with pytest.raises(
        ReportError, match=r"^the Python kernel died before the first cell, perhaps"
    ):
        execute(lambda: notebook_of("1"), tmp_path)


@pytest.mark.slow
def test_a_kernel_whose_program_is_gone_ends_by_itself(tmp_path):
    with execution._python(tmp_path, ()) as process:
        process.stdin.close()  # as when the program is killed before it says where to listen
        assert process.wait(600) == 0


@pytest.mark.slow
def test_a_kernel_imports_only_what_cells_need(tmp_path):
    shown = "import sys; print(*sys.modules)"
    loaded = execute(lambda: notebook_of(shown), tmp_path).cells[0].outputs[0].text.split()
    assert {"nbcompare.analysis", "nbcompare.plots", "matplotlib.backends.backend_pdf"} <= {*loaded}
    heavy = {"pandas", "debugpy", "nbformat", "nbconvert", "jsonschema", "rfc3987_syntax"}
    assert not heavy & {*loaded}


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
    assert not {"pandas", "matplotlib", "rfc3987_syntax", "lark"} & loaded
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
def test_a_dying_kernel_is_reported_with_its_cell(tmp_path):
    notebook = notebook_of("x = 1", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell("## Large *data*\n\nText."))
    with pytest.raises(ReportError) as caught:
        execute(lambda: notebook, tmp_path)
    assert str(caught.value) == (
        "the Python kernel died in cell 3 of the report ('Large *data*'), perhaps for lack of "
        "memory."
    )


@pytest.mark.slow
def test_a_cell_that_takes_too_long_is_named(tmp_path):
    notebook = notebook_of("x = 1", "import time; time.sleep(60)")
    with pytest.raises(
        ReportError, match=r"^cell 2 of the report took longer than 1\.5 s; allow it more"
    ):
        execute(lambda: notebook, tmp_path, timeout=1.5)


def test_what_the_builder_raises_is_passed_on(tmp_path):
    def build():
        raise ValueError("no such thing")

    with pytest.raises(ValueError, match=r"^no such thing$"):
        execute(build, tmp_path)


@pytest.mark.slow
def test_runs_in_the_folder_and_in_this_python(tmp_path):
    notebook = execute(
        lambda: notebook_of("import os, sys\nprint(os.getcwd()); print(sys.executable)"), tmp_path
    )
    folder, python = notebook.cells[0].outputs[0]["text"].split()
    assert tmp_path.samefile(folder)
    assert python == sys.executable


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
    def build():
        raise AssertionError("no work was to be done")

    with pytest.raises(ValueError, match=message):
        make.export([tmp_path / name for name in outputs], build)


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_timeout_is_a_positive_number(tmp_path, timeout):
    with pytest.raises(ValueError, match="`timeout`"):
        make.export([tmp_path / "a.html"], lambda: None, timeout=timeout)


def test_progress_shows_on_a_terminal_and_in_a_notebook():
    import tqdm.notebook

    assert is_hidden(tqdm.tqdm) is None  # tqdm itself looks for a terminal
    assert is_hidden(tqdm.notebook.tqdm) is False


# ------------------------------------------------------------------- what fails, and what stands

SMALL = nbc.Experiment.from_array([[1, 2, 3], [2, 1, 3], [1, 3, 2]], direction="minimize")


def broken(monkeypatch, what, error):
    """Let the kernel of a report raise an error where it calls a function of the package."""
    launch = execution._LAUNCH
    patch = f"""
import nbcompare.{what.rpartition(".")[0]} as module
def broken(*_, **__): raise {error}
setattr(module, {what.rpartition(".")[2]!r}, broken)
"""
    start = "from ipykernel.kernelapp"
    monkeypatch.setattr(execution, "_LAUNCH", launch.replace(start, patch + start))


@pytest.mark.slow
def test_a_failing_cell_leaves_a_note_and_the_others_run(tmp_path):
    notebook = notebook_of("x = 0", "import sys\n1 / x", "missing", "print('done')")
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell("## Large *data*\n\nText."))
    failures = []
    ran = execute(lambda: notebook, tmp_path, failures=failures)
    assert failures == [
        "Large *data*: this part could not be computed. An error in the program "
        "(ZeroDivisionError: division by zero).",
        "Large *data*: this part could not be computed. It needs a result that could not be "
        "computed.",
    ]
    (note,) = ran.cells[2].outputs
    assert note.data["text/markdown"] == (
        "> **This part is missing: it could not be computed.** An error in the program "
        r"(ZeroDivisionError\: division by zero)."
    )
    assert ran.cells[4].outputs[0].text == "done\n"
    nbformat.validate(ran)


@pytest.fixture
def only_these_are_late(monkeypatch):
    """Let only cells with some text take too long; all others have minutes, on any machine."""

    def late(text):
        usual = NotebookClient._get_timeout
        monkeypatch.setattr(
            NotebookClient,
            "_get_timeout",
            lambda self, cell: usual(self, cell) if cell and text in cell.source else 600,
        )
        monkeypatch.setattr(execution, "_GRACE", 600)

    return late


@pytest.mark.slow
def test_a_cell_that_takes_too_long_leaves_a_note_and_the_others_run(tmp_path, only_these_are_late):
    only_these_are_late("time.sleep")
    notebook = notebook_of("x = 0", "import time; time.sleep(600); y = 1", "y", "print('done')")
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell("## Large *data*\n\nText."))
    failures = []
    ran = execute(lambda: notebook, tmp_path, timeout=1, failures=failures)
    assert failures == [
        "Large *data*: this part could not be computed. It took longer than 1 s. Allow it more "
        "time with a larger `timeout`.",
        "Large *data*: this part could not be computed. It needs a result that could not be "
        "computed.",
    ]
    (note,) = ran.cells[2].outputs
    assert note.data["text/plain"] == (
        "This part is missing: it could not be computed. It took longer than 1 s."
    )
    assert ran.cells[4].outputs[0].text == "done\n"
    nbformat.validate(ran)


@pytest.mark.slow
def test_a_cell_that_cannot_be_stopped_ends_the_run_but_not_the_report(
    tmp_path, monkeypatch, only_these_are_late
):
    only_these_are_late("time.sleep")
    stuck = "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(600)"
    notebook = notebook_of("x = 0", "print('before')", stuck, "print('after')")
    failures, done = [], []

    def on_cell():
        done.append(1)
        if len(done) == 2:  # the next one is stuck
            monkeypatch.setattr(execution, "_GRACE", 0.5)

    ran = execute(lambda: notebook, tmp_path, timeout=1, on_cell=on_cell, failures=failures)
    assert failures == [
        "this part could not be computed. It took longer than 1 s, and could not be stopped. "
        "Allow it more time with a larger `timeout`.",
        "this part could not be computed. It comes after a part that took too long and could not "
        "be stopped.",
    ]
    assert ran.cells[1].outputs[0].text == "before\n"
    assert all("is missing" in cell.outputs[0].data["text/plain"] for cell in ran.cells[2:])


@pytest.mark.slow
def test_the_first_cell_that_takes_too_long_leaves_nothing(tmp_path):
    with pytest.raises(ReportError, match=r"^cell 1 of the report took longer than 1 s; allow it"):
        execute(
            lambda: notebook_of("import time; time.sleep(600)"), tmp_path, timeout=1, failures=[]
        )


@pytest.mark.slow
def test_a_command_names_the_option_that_allows_more_time(
    tmp_path, monkeypatch, capsys, only_these_are_late
):
    only_these_are_late("plots.overview")
    broken(monkeypatch, "plots.overview", "__import__('time').sleep(600)")
    monkeypatch.chdir(tmp_path)
    line = ["report", "--example", "demsar2006", "--sections", "comparison", "--timeout", "4"]
    assert main([*line, "-o", "r.html"]) == 1
    said = capsys.readouterr()
    assert said.out.split() == ["r.html"]
    assert said.err.splitlines() == [
        "nbcompare: 1 part of the report could not be made; a note says so in its place.",
        "Critical difference diagram: this figure could not be drawn. It took longer than 4 s. "
        "Allow it more time with a larger --timeout.",
    ]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "This figure is missing: it could not be drawn." in page
    assert "It took longer than 4 s." in page
    assert page.count("<figure") >= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "sources", [["1 / 0", "print('x')"], ["x = 0", "1 / x", "1 / x"]], ids=["first", "all others"]
)
def test_nothing_is_left_without_the_first_cell_or_any_other(tmp_path, sources):
    with pytest.raises(ReportError, match=r"^cell \d of the report failed: ZeroDivisionError"):
        execute(lambda: notebook_of(*sources), tmp_path, failures=[])


@pytest.mark.slow
def test_a_failing_figure_leaves_a_note_in_every_format(tmp_path, monkeypatch, capsys):
    """The text of the exception is untrusted, and says what to do."""
    broken(monkeypatch, "plots.overview", 'ValueError("no room for <b>A</b>; use fewer names.")')
    monkeypatch.chdir(tmp_path)
    line = ["report", "--example", "demsar2006", "--sections", "comparison"]
    assert main([*line, "-o", "r.html", "-o", "r.pdf", "-o", "r.ipynb"]) == 1
    said = capsys.readouterr()
    assert said.out.split() == ["r.html", "r.pdf", "r.ipynb"]
    assert said.err.splitlines() == [
        "nbcompare: 1 part of the report could not be made; a note says so in its place.",
        "Critical difference diagram: this figure could not be drawn. No room for <b>A</b>; use "
        "fewer names.",
    ]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "This figure is missing: it could not be drawn." in page
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
def test_libraries_do_not_warn_in_a_report(tmp_path):
    sources = ["import warnings; warnings.warn('x')", "warnings.warn('y', DeprecationWarning)"]
    ran = execute(lambda: notebook_of(*sources), tmp_path)
    assert [cell.outputs for cell in ran.cells] == [[], []]


@pytest.mark.slow
def test_scores_near_the_largest_number_make_a_whole_report(tmp_path):
    """No part is missing, and no number has become infinite or none."""
    scores = 10.0 ** np.random.default_rng(1).uniform(295, 308, (12, 4))
    experiment = nbc.Experiment.from_array(scores, direction="minimize")
    page, notebook = tmp_path / "a.html", tmp_path / "a.ipynb"
    nbc.Report(experiment).export(page, notebook)
    ran = nbformat.read(notebook, as_version=4)
    shown = [
        str(output.get("data", {}).get("text/plain", output.get("text", "")))
        for cell in ran.cells
        for output in cell.get("outputs", [])
    ]
    assert len(shown) > 10
    assert not [text for text in shown if re.search(r"\b(?:nan|inf)\b|is missing:", text)]
    assert "Warning" not in "".join(shown)
