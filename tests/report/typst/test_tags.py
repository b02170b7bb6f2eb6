"""The tags of a PDF: what reads a table aloud goes row by row, and knows the headers."""

import re
import shutil
import subprocess

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from nbcompare.report.exporters import ReportPDFExporter

ROWS, COLUMNS = 60, 4  # over more than a page
TABLE = (
    "<table><caption>Scores</caption><thead><tr>"
    + "".join(f"<th>h{column}</th>" for column in range(COLUMNS))
    + "</tr></thead>"
    + "".join(
        f"<tr><th>r{row}</th>"
        + "".join(f"<td>{row}.{column}</td>" for column in range(1, COLUMNS))
        + "</tr>"
        for row in range(ROWS)
    )
    + "</table>"
)


@pytest.fixture(scope="module")
def pdf():
    shown = new_output("display_data", data={"text/html": TABLE})
    cells = [
        new_markdown_cell("# Title\n\n## Before\n\nSome text."),
        new_code_cell("show()", outputs=[shown]),
        new_markdown_cell("## After\n\nMore text."),
    ]
    made, _ = ReportPDFExporter().from_notebook_node(new_notebook(cells=cells))
    return made


class Tags:
    """The structure of a PDF, whose objects are not compressed."""

    def __init__(self, pdf):
        text = re.sub(r"\s+", " ", pdf.decode("latin-1"))
        text = re.sub(r" ?([/\[\]<>]) ?", r"\1", text)  # before 0.15 it is set out in lines
        found = re.findall(r" (\d+) 0 obj(<<.*?>>)endobj", text)
        self.objects = {int(number): content for number, content in found}
        self.pages = list(map(int, re.findall(r"(\d+) 0 R", re.search(r"/Kids\[(.*?)\]", text)[1])))
        (self.root,) = (
            number for number, content in self.objects.items() if "/Type/StructTreeRoot" in content
        )

    def name(self, number):
        return re.search(r"/S/(\w+)", self.objects[number])[1]

    def kids(self, number):
        """Tags as ("tag", number), pieces of a page as ("piece", page and place)."""
        content = self.objects[number]
        own = re.search(r"/Pg (\d+) 0 R(?!.*/Pg)", content)
        page = self.pages.index(int(own[1])) if own else -1
        kids = re.search(r"/K(?:\[(.*?)\](?=/|>>)| (\d+(?: 0 R)?))", content)
        text = "" if kids is None else kids[1] or kids[2]
        for marked, its_page, place, tag, piece in re.findall(
            r"(<<[^<>]*?/Pg (\d+) 0 R[^<>]*?(?:/MCID (\d+)|/Obj \d+ 0 R)[^<>]*>>)|(\d+) 0 R|(\d+)",
            text,
        ):
            if marked:
                if place:
                    yield "piece", (self.pages.index(int(its_page)), int(place))
            elif tag:
                yield "tag", int(tag)
            else:
                yield "piece", (page, int(piece))

    def walk(self, number):
        """All that is below, in the order in which it is read."""
        for kind, kid in self.kids(number):
            yield kind, kid
            if kind == "tag":
                yield from self.walk(kid)

    def tagged(self, number):
        return [self.name(kid) for kind, kid in self.kids(number) if kind == "tag"]


def test_a_table_is_read_row_by_row(pdf):
    tags = Tags(pdf)
    everything = list(tags.walk(tags.root))
    (table,) = (kid for kind, kid in everything if kind == "tag" and tags.name(kid) == "Table")
    assert tags.tagged(table) == ["Caption", "THead", "TBody"]
    _, (_, head), (_, body) = tags.kids(table)
    assert [tags.tagged(row) for _, row in tags.kids(head)] == [["TH"] * COLUMNS]
    assert [tags.tagged(row) for _, row in tags.kids(body)] == [["TD"] * COLUMNS] * ROWS
    cells = [kid for kind, kid in tags.walk(body) if kind == "tag" and tags.name(kid) == "TD"]
    headers = [re.search(r"/Headers\[(.*?)\]", tags.objects[cell])[1] for cell in cells]
    assert len(set(headers)) == COLUMNS  # a header each, the same all the way down
    assert headers == headers[:COLUMNS] * ROWS


def test_pieces_of_the_pages_are_read_in_their_order(pdf):
    tags = Tags(pdf)
    pieces = [kid for kind, kid in tags.walk(tags.root) if kind == "piece"]
    assert len(pieces) > ROWS * COLUMNS
    assert pieces == sorted(pieces)
    assert len(set(pieces)) == len(pieces)
    names = [tags.name(kid) for kind, kid in tags.walk(tags.root) if kind == "tag"]
    assert [name for name in names if name in ("H1", "Table")] == ["H1", "Table", "H1"]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdfinfo"), reason="needs pdfinfo (Debian: poppler-utils)")
def test_the_text_of_the_tags(pdf, tmp_path):
    (tmp_path / "report.pdf").write_bytes(pdf)
    line = ["pdfinfo", "-struct-text", "report.pdf"]
    read = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    texts = [text.strip() for text in re.findall(r'^ +"(.*)"$', read, re.MULTILINE)]
    first = texts.index("h0")
    wanted = [f"h{column}" for column in range(COLUMNS)]
    for row in range(ROWS):
        wanted += [f"r{row}", *(f"{row}.{column}" for column in range(1, COLUMNS))]
    assert texts[first : first + len(wanted)] == wanted
