"""Notebooks that nobody would write: every exporter makes a file of them, or says why not.

A cell's own HTML and JavaScript are its right; what a page says in its own words (titles,
captions, tables, text) must never become markup.
"""

import itertools
import re

import bs4
import nbformat
import pytest
from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from nbcompare.report.exporters import ReportHTMLExporter, ReportLatexExporter, ReportPDFExporter

MARK = "alert(8151)"  # a script that nobody has put there as one
TEXTS = (
    f"<script>{MARK}</script>",
    f"</script><script>{MARK}</script>",
    f"</title></style></textarea><script>{MARK}</script>",
    f"\"'><img src=x onerror={MARK}>",
    f"]]><svg onload={MARK}>",
    f"--><script>{MARK}</script><!--",
    f"<details open ontoggle={MARK}",
    f"{{{{ {MARK} }}}}{{% raw %}}{{#",
    f"`{MARK}` $x$ $$ \\( \\begin{{a}} \\input{{/etc/passwd}} \\write18{{id}} ^^5c",
    f'#eval("{MARK}") #read("/etc/passwd") @x <y> */ // ${{}}',
    "\0\x01\x07\x1b[31m\x1b]8;;file:///etc\x07\x7f\x85",
    "\ud800 half \udfff",
    "\u202eright to left\u2066\ufeff\u2028\u2029",
    "",
    " \n\t\r\n ",
    "(" * 300 + "$" * 301,
    "a" * 5_000,
)
DEEP = (  # for a browser as for TeX; Typst has an end
    "<b>" * 500,
    "<table><tr><td>" * 100,
    "> " * 150 + "deep",
    "".join(f"{' ' * 2 * i}- {i}\n" for i in range(100)),
    "$" + "{" * 900 + "}" * 900 + "$",
    "$" + r"\frac{1}{" * 200 + "}" * 200 + "$",
    "[" * 300 + "x" + "](y)" * 300,
    "*" * 501 + "_a" * 300,
)
KINDS = (
    "text/plain", "text/html", "text/markdown", "text/latex", "image/svg+xml", "image/png",
    "image/jpeg", "image/gif", "application/pdf", "application/json", "application/javascript",
    "application/vnd.jupyter.widget-view+json", "application/vnd.nbcompare.v1+json", "no type", "",
)  # fmt: skip
OWN_RIGHT = {"text/html", "text/markdown", "application/javascript"}
ODD = (None, 0, -1, 1e400, True, [], {}, ["a", 1], {"a": [{}]}, TEXTS[1])
KEYS = ("title", "authors", "abstract", "date", "lang", "nbcompare", "widgets", "language_info")
EXPORTERS = {"html": ReportHTMLExporter, "tex": ReportLatexExporter, "pdf": ReportPDFExporter}
TOO_DEEP = r"^Typst cannot typeset this notebook: maximum .* depth exceeded\. A usual reason is"


def display(data, metadata=None):
    output = {"output_type": "display_data", "data": data, "metadata": metadata or {}}
    return from_dict({**new_code_cell("1"), "outputs": [output]})


def output(kind, **parts):
    return new_code_cell("1", outputs=[new_output(kind, **parts)])


def cells_of_text(text):
    """Cells that show a text, which is no markup in any of them."""
    yield new_raw_cell(text)
    yield new_code_cell(text)
    yield output("stream", name="stdout", text=text)
    yield output("stream", name="stderr", text=text)
    yield output("error", ename=text, evalue=text, traceback=[text])
    yield output("error", ename=text, evalue=text, traceback=[])
    for kind in KINDS:
        if kind not in OWN_RIGHT:
            yield display({kind: text})
    about = {"alt": text, "image/svg+xml": {"width": text, "height": text}, "nbcompare": text}
    yield display({"image/svg+xml": "<svg/>", "text/plain": text}, about)
    yield display({"image/png": "iVBO"}, about)


def cells_of_markup(text):
    """Cells that may say in HTML what they want to."""
    for kind in OWN_RIGHT:
        yield display({kind: text})
    yield new_markdown_cell(text)
    yield new_markdown_cell(f"# {text}")
    yield new_markdown_cell(f"![a](attachment:{text})", attachments={text: {"image/png": text}})


MAKERS = (cells_of_text, cells_of_markup)


def odd_cells():
    """Numbers, lists and nothing where text and tables are expected."""
    for value, kind in itertools.product(ODD, KINDS):
        yield display({kind: value})
    for value in ODD:
        names = ("image/png", "image/svg+xml", "text/html", "alt", "nbcompare", "width", "tags")
        for kind, content in (("image/png", "iVBO"), ("image/svg+xml", "<svg/>")):
            yield display({kind: content}, dict.fromkeys(names, value))
        for name in ("tags", "nbcompare", "jupyter", "collapsed", "format", "raw_mimetype"):
            yield from_dict({**new_code_cell("1"), "metadata": {name: value}})
            yield from_dict({**new_raw_cell("1"), "metadata": {name: value}})
        for attachments in (value, {"a.png": value}, {"a.png": {"image/png": value}}):
            cell = new_markdown_cell("![a](attachment:a.png)")
            yield from_dict({**cell, "attachments": attachments})


def notebook_of(cells, metadata=None):
    return from_dict({**new_notebook(), "cells": list(cells), "metadata": metadata or {}})


def made_or_error(exporter, notebook, kind):
    """What an exporter makes of a notebook, or the error if it is of that kind."""
    try:
        return exporter.from_notebook_node(notebook)[0]
    except kind as error:
        return error


@pytest.mark.parametrize("kind", EXPORTERS)
def test_every_cell_is_exported(kind):
    """Every cell that the format of notebooks admits, some hundreds of them, in one notebook."""
    texts = TEXTS if kind == "pdf" else TEXTS + DEEP
    cells = [cell for text in texts for make in MAKERS for cell in make(text)]
    cells += [cell for cell in odd_cells() if nbformat.validator.isvalid(notebook_of([cell]))]
    assert len(cells) > 500
    made, _ = EXPORTERS[kind]().from_notebook_node(notebook_of(cells))
    assert made if kind == "pdf" else made.encode("utf-8")


def test_markdown_is_typeset_or_too_deep():
    """One by one: what Typst cannot set in the end is said, and nothing else."""
    exporter = ReportPDFExporter()
    for text in TEXTS + DEEP:
        made = made_or_error(exporter, notebook_of([new_markdown_cell(text)]), RuntimeError)
        assert isinstance(made, bytes) or re.match(TOO_DEEP, str(made)), text


def test_text_is_never_markup():
    cells = [cell for text in TEXTS for cell in cells_of_text(text)]
    named = {"title": TEXTS[2], "date": TEXTS[3], "lang": TEXTS[3], "authors": list(TEXTS)}
    named["nbcompare"] = {"version": TEXTS[0], "fingerprint": TEXTS[1]}
    page, _ = ReportHTMLExporter().from_notebook_node(notebook_of(cells, named))
    soup = bs4.BeautifulSoup(page, "html.parser")
    assert MARK in soup.get_text()
    assert not [tag for tag in soup.find_all("script") if MARK in tag.get_text()]
    for tag in soup.find_all(True):
        assert not [name for name in tag.attrs if name.startswith("on")], tag
        assert "javascript:" not in str(tag.get("href", "")), tag
    assert not soup.select("main svg, main img[src=x], iframe")


@pytest.mark.parametrize("kind", ["html", "tex"])
def test_metadata_are_text_or_refused(kind):
    """What the format does not admit is an error of the format, which says where."""
    exporter = EXPORTERS[kind]()
    values = (*ODD, *TEXTS, [{"name": text} for text in TEXTS])
    for key, value in itertools.product(KEYS, values):
        notebook = notebook_of([new_markdown_cell("# Title")], {key: value})
        made = made_or_error(exporter, notebook, nbformat.ValidationError)
        if not isinstance(made, str):
            assert key in str(made)
            continue
        assert made.encode("utf-8")
        if kind == "html" and key != "abstract":
            soup = bs4.BeautifulSoup(made, "html.parser")
            scripts = [tag for tag in soup.find_all("script") if not tag.get("type")]
            assert not [tag for tag in scripts if MARK in tag.get_text()]


def test_a_pdf_takes_any_language_and_date():
    """Of an empty notebook, too, which has no cell that another could follow."""
    exporter = ReportPDFExporter()
    languages = ("german", "True", "de-AT", "zh-Hans-CN", "x", '"]')
    for lang, date in itertools.product(languages, ("2025\tMay\n", " \n\t ")):
        authors = [{"name": "A\tB"}, {"name": " \t "}]
        metadata = {"lang": lang, "date": date, "title": f"A\t{date}", "authors": authors}
        pdf, _ = exporter.from_notebook_node(notebook_of([], metadata))
        assert pdf.startswith(b"%PDF-")
