"""Making files: what is run, what is reported, and what is left when something fails."""

import os
import subprocess
import sys

import nbformat
import pytest

import nbcompare as nbc
from nbcompare.report import ReportError, make
from nbcompare.report.execute import execute
from nbcompare.report.files import check_target, write_all, write_whole


def notebook_of(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


def test_a_failing_cell_is_named(tmp_path):
    with pytest.raises(
        ReportError, match=r"^cell 2 of the report failed: ZeroDivisionError: division by zero$"
    ):
        execute(lambda: notebook_of("x = 0", "1 / x", "print('never')"), tmp_path)


def test_a_dying_kernel_is_reported_with_its_cell(tmp_path):
    notebook = notebook_of("x = 1", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell("## Large *data*\n\nText."))
    with pytest.raises(ReportError) as caught:
        execute(lambda: notebook, tmp_path)
    assert str(caught.value) == (
        "the Python kernel died in cell 3 of the report ('Large *data*'), perhaps for lack of "
        "memory."
    )


def test_a_cell_that_takes_too_long_is_named(tmp_path):
    notebook = notebook_of("x = 1", "import time; time.sleep(60)")
    with pytest.raises(
        ReportError, match=r"^cell 2 of the report took longer than 1\.5 s; a larger timeout"
    ):
        execute(lambda: notebook, tmp_path, timeout=1.5)


def test_what_the_builder_raises_is_passed_on(tmp_path):
    def build():
        raise ValueError("no such thing")

    with pytest.raises(ValueError, match=r"^no such thing$"):
        execute(build, tmp_path)


def test_runs_in_the_folder_and_in_this_python(tmp_path):
    notebook = execute(
        lambda: notebook_of("import os, sys\nprint(os.getcwd()); print(sys.executable)"), tmp_path
    )
    folder, python = notebook.cells[0].outputs[0]["text"].split()
    assert tmp_path.samefile(folder)
    assert python == sys.executable


def test_write_whole_replaces_and_keeps_the_mode(tmp_path):
    target = tmp_path / "report.html"
    target.write_text("old")
    target.chmod(0o640)
    write_whole(target, "neu ü")
    assert target.read_text(encoding="utf-8") == "neu ü"
    assert target.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_write_whole_follows_a_link(tmp_path):
    target, link = tmp_path / "a.html", tmp_path / "b.html"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "report.html"
    target.write_text("old")

    def interrupted(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(target, "new")
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_targets_that_cannot_be_written(tmp_path):
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        check_target(tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        check_target(tmp_path / "no" / "report.html")


# ------------------------------------------------------------------------------ several files


def left_behind(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@pytest.mark.parametrize("failing", range(3))
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_all_files_or_none(tmp_path, monkeypatch, failing, error):
    targets = [tmp_path / name for name in ("a.html", "b.html", "c.html")]
    targets[0].write_text("old a")
    targets[2].write_text("old c")
    before = left_behind(tmp_path)
    replace, moved = os.replace, []

    def failing_replace(source, target):
        if len(moved) == failing:
            moved.append(target)
            raise error
        moved.append(target)
        replace(source, target)

    monkeypatch.setattr("pathlib.os.replace", failing_replace)
    monkeypatch.setattr("pathlib.Path.replace", lambda path, target: failing_replace(path, target))
    with pytest.raises(error):
        write_all(dict.fromkeys(targets, "new"))
    assert len(moved) > failing
    assert left_behind(tmp_path) == before


def test_several_files_at_once(tmp_path):
    (tmp_path / "a.html").write_text("old")
    write_all({tmp_path / "a.html": "new a", tmp_path / "b.html": "new b"})
    assert left_behind(tmp_path) == {"a.html": "new a", "b.html": "new b"}


# A process of its own, without threads, that may be forked: 20 writers, each killed for good.
_KILLER = """
import os, random, signal, sys, time
from pathlib import Path
from nbcompare.report.files import write_all

targets = [Path(sys.argv[1]) / name for name in ("a.html", "b.html")]
moments, first = random.Random(6), 0
for number in range(20):
    writer = os.fork()
    if not writer:
        for text in range(first, 1_000_000):
            write_all({path: f"{text} {'x' * 300_000} {text}" for path in targets})
    time.sleep(moments.uniform(0.005, 0.04))
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)
    for path in targets:
        begin, middle, end = path.read_text(encoding="utf-8").split(" ")
        print(begin, end, len(middle))
        first = int(begin) + 1
"""


def test_files_are_whole_whenever_the_process_is_killed(tmp_path):
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(f"0 {'x' * 300_000} 0", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _KILLER, str(tmp_path)], capture_output=True, text=True, check=True
    )
    found = [line.split() for line in done.stdout.splitlines()]
    assert len(found) == 40
    assert all(begin == end and size == "300000" for begin, end, size in found)
    assert len({begin for begin, _, _ in found}) > 5  # they were killed at work


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ([], r"^give at least one file to write; got none\.$"),
        (
            ["a.html", "b.doc"],
            r"^the output must end in \.html, \.ipynb, \.pdf or \.tex; got 'b\.doc'\.$",
        ),
        (["a.html", "./a.html"], r"^every output must be another file; got .*a\.html' twice\.$"),
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
