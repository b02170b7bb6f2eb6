"""The literature of a whole report: what the page lists, as BibTeX."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output
from pybtex.database import parse_string

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report import make
from nbcompare.words import CITATIONS


def entries(text):
    return parse_string(text, "bibtex").entries


def exported(*shown, **metadata):
    bundles = [each._repr_mimebundle_() for each in shown]
    cells = [
        new_code_cell("x", outputs=[new_output("display_data", data=data)]) for data in bundles
    ]
    return make._exported(new_notebook(cells=cells, metadata=metadata), Path("r.bib"))[""]


def test_the_literature_of_all_results_once_and_sorted():
    data = nbc.datasets.load("demsar2006")
    one, two = nbc.compare(data, adjust="holm"), nbc.multiple_sign_test(data, "C4.5")
    text = exported(one, one.section("hypotheses"), two.section("references"))
    listed = {*one.references, *two.references}
    expected = {key for key, printed in CITATIONS.items() if printed in listed}
    assert list(entries(text)) == sorted({*expected, "nbcompare", "data"})
    assert text == exported(two, one)


def test_the_version_is_that_which_made_the_notebook():
    text = exported(nbcompare={"version": "9.8} @misc{x,"})
    assert list(entries(text)) == ["nbcompare"]
    assert entries(text)["nbcompare"].fields["version"].startswith("9.8")
    for odd in (None, 1, {"version": 2}):
        assert entries(exported(nbcompare=odd))["nbcompare"].fields["version"] == nbc.__version__


@pytest.mark.slow
def test_the_command_writes_what_the_page_lists(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = ["report", "--example", "demsar2006", "--sections", "data,comparison,references"]
    assert main([*line, "-o", "r.html", "-o", "R.BIB"]) == 0
    assert capsys.readouterr().out == "r.html\nR.BIB\n"
    found = entries(Path("R.BIB").read_text(encoding="utf-8"))
    page = BeautifulSoup(Path("r.html").read_text(encoding="utf-8"), "html.parser")
    items = [item.text for item in page.select("ol.references li")]
    assert len(found) == len(items) + 1
    assert {CITATIONS[key] for key in set(found) - {"data", "nbcompare"}} < set(items)
    assert sum(item.startswith("Data: ") for item in items) == 1 == ("data" in found)
