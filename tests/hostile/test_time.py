"""Reading takes time in proportion to the size of the file, in every format, and so does verify."""

import io
import json
import time
from math import log

import nbformat.v4 as notebook
import numpy as np
import polars as pl
import pytest

import nbcompare as nbc
from nbcompare.report import verify
from nbcompare.report.exporters import ReportHTMLExporter

HIGHEST = 1.4  # exponent: n log n is 1.1 at these sizes, and a measurement has its noise


def rows(n):
    random = np.random.default_rng(1)
    return [(f"d{i}", *random.random(3).round(4).tolist()) for i in range(n)]


def lines(n, before="", between=",", after="\n"):
    return "".join(before + between.join(map(str, row)) + after for row in rows(n))


def in_csv(n):
    return "t.csv", "dataset,A,B,C\n" + lines(n)


def in_quoted_csv(n):
    return "t.csv", 'dataset,A,B,C\n"a ""quoted""\nname",1,2,3\n' + lines(n)


def in_records(n):
    names = ("dataset", *"ABC")
    return "t.json", json.dumps([dict(zip(names, row, strict=True)) for row in rows(n)])


def in_lines(n):
    return "t.jsonl", "\n".join(map(json.dumps, json.loads(in_records(n)[1])))


def in_excel(n):
    made = io.BytesIO()
    pl.DataFrame(rows(n), schema=["dataset", *"ABC"], orient="row").to_pandas().to_excel(
        made, index=False
    )
    return "t.xlsx", made.getvalue()


def in_parquet(n):
    made = io.BytesIO()
    pl.DataFrame(rows(n), schema=["dataset", *"ABC"], orient="row").write_parquet(
        made, data_page_size=500
    )
    return "t.parquet", made.getvalue()


def in_arff(n):
    head = "@relation r\n@attribute dataset string\n"
    more = "".join(f"@attribute {name} numeric\n" for name in "ABC")
    return "t.arff", f"{head}{more}@data\n{lines(n)}"


def in_markdown(n):
    return "t.md", "|dataset|A|B|C|\n|-|-|-|-|\n" + lines(n, "|", "|", "|\n")


def in_latex(n):
    body = lines(n, "", " & ", " \\\\\n")
    head = "\\begin{tabular}{lrrr}\ndataset & A & B & C \\\\ \\hline\n"
    return "t.tex", f"{head}{body}\\end{{tabular}}"


def in_html(n):
    body = lines(n, "<tr><td>", "<td>", "\n")
    return "t.html", f"<table><tr><th>dataset<th>A<th>B<th>C\n{body}</table>"


def in_logs(n):
    body = "".join(
        f"f{i // 100 % 10},A{i // 1000 % 2},{i // 2000},{i % 100 + 1},{100 - i % 100}\n"
        for i in range(n)
    )
    return "t.csv", f"problem,algorithm,run,evaluations,value\n{body}"


KINDS = {
    "csv": (in_csv, 4000), "quoted csv": (in_quoted_csv, 4000), "json": (in_records, 4000),
    "json lines": (in_lines, 4000), "excel": (in_excel, 1000), "parquet": (in_parquet, 8000),
    "arff": (in_arff, 4000), "markdown": (in_markdown, 4000), "latex": (in_latex, 2000),
    "html": (in_html, 2000), "logs": (in_logs, 8000),
}  # fmt: skip


def exponent(sizes, read):
    """The power of the size with which the time of the processor grows, between the last two."""
    took = []
    for size in sizes:
        take = read(size)
        times = []
        for _ in range(3):
            start = time.process_time()
            take()
            times.append(time.process_time() - start)
        took.append(min(times))
    return log(took[-1] / took[-2]) / log(sizes[-1] / sizes[-2])


@pytest.mark.weekly
@pytest.mark.parametrize("kind", KINDS)
def test_time_of_reading(tmp_path, kind):
    make, least = KINDS[kind]

    def reading(n):
        name, content = make(n)
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        reader = nbc.Histories if kind == "logs" else nbc.Experiment
        return lambda: reader.read(path, direction="minimize")

    assert exponent([least, 4 * least, 16 * least], reading) < HIGHEST


@pytest.mark.weekly
@pytest.mark.parametrize("kind", ["coco", "ioh"])
def test_time_of_reading_logs(tmp_path, kind):
    def reading(n):
        folder = tmp_path / str(n)
        folder.mkdir()
        head, body = '"function evaluation" "current f(x)"\n', ""
        if kind == "coco":
            head = "% f evaluations | best noise-free fitness - Fopt (1.0)\n"
        body = "".join(f"{i} {n - i + 0.5}\n" for i in range(1, n + 1))
        said = "Precision = 1e-8, " if kind == "coco" else "maximization = 'F', "
        meta = f"funcId = 1, DIM = 2, {said}algId = 'A'\n%\na.dat, 1:{n}|0.5, 2:{n}|0.5\n"
        (folder / "f1.info").write_text(meta)
        for ending in ("dat", "tdat") if kind == "coco" else ("dat",):
            (folder / f"a.{ending}").write_text((head + body) * 2)
        return lambda: nbc.Histories.read(folder, instances="runs")

    assert exponent([5_000, 20_000, 80_000], reading) < HIGHEST


@pytest.mark.weekly
def test_time_of_verifying(tmp_path):
    def reading(n):
        data = nbc.Experiment.from_array(
            np.random.default_rng(1).random((12, 3)), direction="minimize"
        )
        parts = [notebook.new_output("display_data", nbc.compare(data)._repr_mimebundle_())]
        cells = [notebook.new_code_cell("show()", outputs=parts)]
        cells += [notebook.new_markdown_cell("## A part\n\nSome *text*.")]
        page, _ = ReportHTMLExporter().from_notebook_node(notebook.new_notebook(cells=cells))
        part = page[page.index("<h2") : page.index("</main>")]
        path = tmp_path / "page.html"
        path.write_text(page.replace("</main>", f"{part * n}</main>"), encoding="utf-8")
        return lambda: verify(path, data=data)

    assert exponent([500, 5_000, 50_000], reading) < HIGHEST
