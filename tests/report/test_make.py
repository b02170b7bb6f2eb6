"""Making a report: the notebook, its execution, and what is left when something fails."""

import os

import nbformat
import pytest

import nbcompare as nbc
from nbcompare.report import ReportError
from nbcompare.report.execute import execute
from nbcompare.report.files import check_target, write_whole
from nbcompare.report.notebook import Source, comparison_notebook


def notebook_of(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


def headings_of(notebook):
    return [cell.source.splitlines()[0] for cell in notebook.cells if cell.cell_type == "markdown"]


def test_sections_in_order():
    notebook = comparison_notebook(Source.example("demsar2006"), {})
    nbformat.validate(notebook)
    assert headings_of(notebook) == [
        "# Comparison of algorithms on demsar2006",
        "## Data",
        "## Which tests suit the data?",
        "## Conditions of parametric tests",
        "## Average ranks",
        "## Is there any difference?",
        "## Which algorithms differ?",
        "## Critical difference diagram",
        "## Matrix of p-values",
        "## How large are the differences?",
        "## Conclusions",
        "## How this was computed",
        "## References",
    ]
    assert notebook == comparison_notebook(Source.example("demsar2006"), {})  # ids are fixed


def test_with_a_control_its_wins_and_bars():
    headings = headings_of(comparison_notebook(Source.example("demsar2006"), {"control": "best"}))
    assert headings[7:11] == [
        "## Critical difference diagram",
        "## Average ranks as bars",
        "## Wins and losses against the control",
        "## How large are the differences?",
    ]


def test_two_algorithms_are_compared_by_themselves(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,A1,A2\na,1,2\nb,2,2\nc,3,1\n", encoding="utf-8")
    notebook = comparison_notebook(Source.file(path, str(path), {"direction": "minimize"}), {})
    assert "## The two algorithms by themselves" in headings_of(notebook)
    code = "\n".join(cell.source for cell in notebook.cells)
    assert "nbc.compare_pair(experiment, 'A1', 'A2', alpha=0.05)" in code


@pytest.mark.parametrize(
    "options",
    [
        {"missing": "drop", "control": "A2"},
        {"missing": "skillings-mack", "pairs": "wilcoxon", "adjust": "auto"},
        {"missing": "drop", "pairs": "t", "ranking": "auto"},
    ],
)
def test_every_cell_runs_on_a_small_table_with_gaps(options, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,A1,A2,A3\na,1,2,3\nb,2,2,\nc,3,1,2\nd,1,5,4\n", encoding="utf-8")
    source = Source.file(path, str(path), {"direction": "minimize"})
    notebook = comparison_notebook(source, options)
    namespace = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            *lines, last = cell.source.splitlines()
            exec("\n".join(lines), namespace)
            if not last.startswith("import"):
                assert eval(last, namespace)._repr_mimebundle_()
            else:
                exec(last, namespace)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert ("$SM" in text) == (options["missing"] == "skillings-mack")
    assert ("Greenhouse" in text) == ("t" in options.values())


def test_options_are_in_the_code():
    options = {"control": "C4.5", "adjust": ["holm", "bonferroni"], "alpha": 0.1}
    code = "\n".join(
        cell.source for cell in comparison_notebook(Source.example("demsar2006"), options).cells
    )
    assert (
        "nbc.compare(experiment, control='C4.5', adjust=['holm', 'bonferroni'], alpha=0.1)" in code
    )


def test_mistakes_are_found_before_a_kernel_is_asked():
    with pytest.raises(ValueError, match=r"^`control` must be one of"):
        comparison_notebook(Source.example("demsar2006"), {"control": "nobody"})


def test_metadata_carries_version_and_fingerprint():
    notebook = comparison_notebook(Source.example("demsar2006"), {})
    fingerprint = nbc.datasets.load("demsar2006").fingerprint
    assert notebook.metadata["nbcompare"] == {
        "version": nbc.__version__,
        "fingerprint": fingerprint,
    }


def test_a_failing_cell_is_named(tmp_path):
    with pytest.raises(
        ReportError, match=r"^cell 2 of the report failed: ZeroDivisionError: division by zero$"
    ):
        execute(lambda: notebook_of("x = 0", "1 / x", "print('never')"), tmp_path)


def test_a_dying_kernel_is_reported(tmp_path):
    with pytest.raises(ReportError, match=r"^the Python kernel died in cell 1 of the report"):
        execute(lambda: notebook_of("import os; os._exit(3)"), tmp_path)


def test_what_the_builder_raises_is_passed_on(tmp_path):
    def build():
        raise ValueError("no such thing")

    with pytest.raises(ValueError, match=r"^no such thing$"):
        execute(build, tmp_path)


def test_runs_in_the_folder_and_in_this_python(tmp_path):
    notebook = execute(
        lambda: notebook_of("import os, sys\nprint(os.getcwd()); print(sys.executable)"), tmp_path
    )
    import sys

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
