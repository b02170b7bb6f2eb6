"""Pages of notebooks, as examples.txt has them: what is written, and what a page shows of it.

``NBCOMPARE_APPROVE=1 pytest tests/report/page/test_examples.py`` writes what pages show again; read
the difference. An example is a title, the metadata of the notebook, cells (``--- kind {about}``),
their outputs (``>>> kind {about}``; ``&&&`` for another representation of the same) and the page.
"""

import json
import os
import re
from base64 import b64decode
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from cells import PIXEL
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from nbcompare._version import __version__
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.templates import template_folder

EXAMPLES = Path(__file__).with_name("examples.txt")
OWN = {file.read_text("utf-8").strip() for file in (template_folder() / "nbcompare").glob("*.js")}
CELLS = {"text": new_markdown_cell, "code": new_code_cell, "raw": new_raw_cell}


def examples():
    """Return for each title what is written and what is shown."""
    parts = re.split(r"^=== (.*)\n", EXAMPLES.read_text("utf-8"), flags=re.MULTILINE)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return {title: part.rstrip("\n").split("\n==>\n") for title, part in pairs}


def blocks(text, marks):
    """Return what stands before the first mark, and (mark, kind, about, text) of each."""
    start, *found = re.split(rf"^({marks}) (\S+) ?(.*)\n?", text, flags=re.MULTILINE)
    rows = zip(*[iter(found)] * 4, strict=True)
    return start, [
        (mark, kind, json.loads(about or "{}"), content.removesuffix("\n").replace("PIXEL", PIXEL))
        for mark, kind, about, content in rows
    ]


def outputs(text):
    source, found = blocks(text, ">>>|&&&")
    made = []
    for mark, kind, about, content in found:
        if kind in ("stdout", "stderr"):
            made.append(new_output("stream", name=kind, text=f"{content}\n"))
        elif kind == "error":
            made.append(new_output("error", **about))
        else:
            data = json.loads(content) if kind.endswith("json") else content
            if mark == ">>>":
                made.append(new_output("display_data", metadata=about))
            made[-1].data[kind] = data
    return source.removesuffix("\n"), made


def notebook(written):
    about, found = blocks(written, "---")
    cells = []
    for number, (_, kind, more, content) in enumerate(found):
        source, made = outputs(content)
        cells.append(CELLS[kind](source, id=more.pop("id", f"cell-{number}"), metadata=more))
        if kind == "code":
            cells[-1].outputs = made
    return new_notebook(cells=cells, metadata=json.loads(about.strip() or "{}"))


def shown(page):
    """Return language, title and body of a page, without its own scripts."""
    document = BeautifulSoup(page, "html.parser")
    for script in document.find_all("script"):
        if (script.string or "").strip() in OWN:
            script.decompose()
    for source in document.select(".highlight pre"):
        source.string = source.text  # its colours are a matter of Pygments
    text = document.body.decode_contents().replace(PIXEL, "PIXEL").replace(__version__, "VERSION")
    text = re.sub("(?<=>)(?=<(figure|pre|div|details|iframe))", "\n", text)
    text = re.sub('(?<=svg.xml;base64,)[^"]+', lambda m: b64decode(m[0]).decode(), text)
    ids = [element["id"] for element in document.select("[id]")]
    assert len(ids) == len(set(ids))
    assert all(one["aria-label"] for one in document.select("pre.text, .scroll, .source"))
    text = f"{document.html['lang']}: {document.title.string}\n{text}"
    return re.sub(r"\s*\n+", "\n", text).strip()


@pytest.mark.parametrize("title", examples())
def test_a_page_shows(title):
    all_examples = examples()
    written, *expected = all_examples[title]
    about = {"metadata": {"name": "file_name", "path": ""}}
    found = shown(ReportHTMLExporter().from_notebook_node(notebook(written), resources=about)[0])
    if os.environ.get("NBCOMPARE_APPROVE"):
        all_examples[title] = written, found
        parts = (f"=== {name}\n" + "\n==>\n".join(pair) for name, pair in all_examples.items())
        EXAMPLES.write_text("\n\n".join(parts) + "\n", "utf-8")
    else:
        assert [found] == expected
