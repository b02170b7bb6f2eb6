"""Pages with two columns of text: what takes the width of the page, and what does not."""

import io
import shutil
import subprocess

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pypdf import PdfReader

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report.exporters import ReportLatexExporter, ReportPDFExporter

MIDDLE = 297.6  # points, of A4
WIDE_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="200"><path d="M0 0"/></svg>'
NARROW_SVG = WIDE_SVG.replace("800", "300")


def table(n_columns, n_rows, name):
    head = "".join(f"<th>column {n} of {name}</th>" for n in range(n_columns))
    row = "".join(f"<td>{n}.2345 to {n}.98765</td>" for n in range(n_columns))
    rows = "".join(f"<tr>{row}</tr>" for _ in range(n_rows))
    caption = f"<caption>Table {name}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def notebook(**about):
    def shown(data, **metadata):
        return new_code_cell(
            "x", outputs=[new_output("display_data", data=data)], metadata=metadata
        )

    words = "Some words of a paragraph that is long enough for several lines. " * 12
    cells = [
        new_markdown_cell(f"# Title\n\n## First\n\n{words}\n\n$$\\frac{{{'a+' * 60}b}}{{c}}$$"),
        shown({"text/html": table(2, 5, "narrow")}),
        shown({"text/html": table(7, 5, "wide")}),
        shown({"image/svg+xml": WIDE_SVG}, caption="A wide figure"),
        shown({"image/svg+xml": NARROW_SVG}, caption="A narrow figure"),
        new_markdown_cell(f"## Second\n\n{words}\n\n- item\n\n  {table(7, 3, 'inside')}"),
        new_markdown_cell("## Third"),
        shown({"text/html": table(7, 150, "long")}),
        shown({"text/html": table(1, 150, "thin")}),
        new_markdown_cell(f"## Fourth\n\n{words * 6}"),
    ]
    about = {"version": "1", "prints_code": False, **about}
    return new_notebook(cells=cells, metadata={"nbcompare": about})


def lines(page):
    """The left ends of the pieces of text on a page."""
    found = []

    def see(said, cm, tm, *_rest):
        if said.strip():
            found.append(cm[0] * tm[4] + cm[2] * tm[5] + cm[4])

    page.extract_text(visitor_text=see)
    return found


@pytest.mark.slow
def test_text_is_in_two_columns_and_what_is_wide_spans_both():
    pdf, _ = ReportPDFExporter().from_notebook_node(notebook(columns=2))
    pages = PdfReader(io.BytesIO(pdf)).pages
    text = "\n".join(page.extract_text() for page in pages)
    starts = [start for page in pages for start in lines(page)]
    assert sum(MIDDLE <= start <= MIDDLE + 15 for start in starts) > 20  # the second column
    assert "column 6 of wide" in " ".join(text.split())
    # a link stands where a float belongs, so that no heading is left alone
    assert "See Table 2." in text
    assert "See Figure 1." in text
    assert "See Figure 2." not in text
    assert "See Table 1." not in text
    # a table that is longer than a page stands at the end, its headers on every page
    assert "See Table 3." in text
    assert text.index("Fourth") < text.index("Long tables", text.index("Fourth"))
    long = [page.extract_text() for page in pages if "0.2345" in page.extract_text()][-2:]
    assert all(" ".join(page.split()).count("column 6 of long") == 1 for page in long)


@pytest.mark.slow
def test_the_exporter_may_say_otherwise_and_one_column_is_the_default():
    one, _ = ReportPDFExporter().from_notebook_node(notebook())
    other, _ = ReportPDFExporter(columns=1).from_notebook_node(notebook(columns=2))
    assert one == other
    strange, _ = ReportPDFExporter().from_notebook_node(notebook(columns="many"))
    assert strange == one
    two, _ = ReportPDFExporter(columns=2).from_notebook_node(notebook())
    assert two == ReportPDFExporter().from_notebook_node(notebook(columns=2))[0]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("columns", [1, 2])
def test_latex_compiles_and_nothing_is_wider_than_the_page(tmp_path, columns):
    source, resources = ReportLatexExporter(columns=columns).from_notebook_node(notebook())
    (tmp_path / "r.tex").write_text(source, encoding="utf-8")
    for name, data in resources["outputs"].items():
        (tmp_path / name).write_bytes(data)
    for _ in range(2):
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "r.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "r.log").read_text(encoding="utf-8", errors="replace")
    too_wide = [line for line in log.splitlines() if line.startswith("Overfull \\hbox")]
    # the formula of one column is as wide as its author made it
    assert len(too_wide) <= (1 if columns == 1 else 0), too_wide
    assert (r"\begin{multicols}{2}" in source.partition(r"\begin{document}")[2]) is False
    assert source.count(r"\acrossbegin" + "\n") == (0 if columns == 1 else 1 + 4)
    heading = source.index("Third}")
    if columns == 2:  # it goes with the table below it
        assert source.rindex("\\acrossbegin\n", 0, heading) > source.index("Second}")


def test_a_report_says_how_many_columns_it_has():
    experiment = nbc.datasets.load("demsar2006")
    assert "columns" not in nbc.Report(experiment).to_notebook().metadata["nbcompare"]
    two = nbc.Report(experiment, columns=2).to_notebook()
    assert two.metadata["nbcompare"]["columns"] == 2
    for wrong in (0, 3, "2", True, None):
        with pytest.raises(ValueError, match=r"^`columns` must be 1 or 2, .*; got "):
            nbc.Report(experiment, columns=wrong)


def test_the_command_line_knows_the_columns_and_the_standard(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = ["report", "--example", "demsar2006", "-o", "r.ipynb"]
    with pytest.raises(SystemExit):
        main([*line, "--columns", "3"])
    assert "--columns must be 1 or 2; got 3." in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*line, "--pdf-standard", "a-1b"])
    assert "--pdf-standard must be 'ua-1' or 'a-3a'; got 'a-1b'." in capsys.readouterr().err
