"""Making files: what is run, what is reported, and what is left when something fails."""

import sys

import nbformat
import pytest

import nbcompare as nbc
from nbcompare.report import ReportError, make
from nbcompare.report import execute as execution
from nbcompare.report.execute import execute


def left_behind(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def notebook_of(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


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


def test_a_kernel_that_does_not_start_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(execution, "_LAUNCH", "raise SystemExit(3)")
    with pytest.raises(
        ReportError, match=r"^the Python kernel died before the first cell, perhaps"
    ):
        execute(lambda: notebook_of("1"), tmp_path)


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


def test_progress_shows_on_a_terminal_and_in_a_notebook(monkeypatch):
    import tqdm.notebook

    monkeypatch.setattr(make, "tqdm", tqdm.tqdm)
    assert make._quiet() is None  # tqdm itself looks for a terminal
    monkeypatch.setattr(make, "tqdm", tqdm.notebook.tqdm)
    assert make._quiet() is False


@pytest.mark.slow
def test_a_failing_export_leaves_all_files_as_they_were(tmp_path, monkeypatch):
    """The second file cannot be made, when the notebook has been run already."""
    (tmp_path / "a.ipynb").write_text("old")
    report = nbc.Report(
        nbc.Experiment.from_array([[1, 2, 3], [2, 1, 3], [1, 3, 2]], direction="minimize"),
        sections=["data"],
    )
    exported = make._exported

    def failing(notebook, output):
        if output.suffix == ".html":
            raise MemoryError
        return exported(notebook, output)

    monkeypatch.setattr(make, "_exported", failing)
    with pytest.raises(MemoryError):
        report.export(tmp_path / "a.ipynb", tmp_path / "a.html")
    assert left_behind(tmp_path) == {"a.ipynb": "old"}
