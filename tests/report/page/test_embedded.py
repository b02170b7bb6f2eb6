"""Results embedded in a page."""

import dataclasses
import json

import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare._display import USUAL, Options
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.embedded import script_safe
from nbcompare.results import from_json

MIME_TYPE = "application/vnd.nbcompare.v1+json"


def page(*bundles):
    outputs = [new_output("display_data", data=bundle) for bundle in bundles]
    notebook = new_notebook(cells=[new_code_cell("show()", outputs=outputs)])
    exported, _ = ReportHTMLExporter().from_notebook_node(notebook)
    return BeautifulSoup(exported, "html.parser")


def marks(document):
    return [
        (div["data-nbcompare-result"], div["data-nbcompare-section"])
        for div in document.select("[data-nbcompare-result]")
    ]


def test_each_result_is_stored_once_and_its_outputs_are_marked():
    result = nbc.compare(nbc.datasets.load("demsar2006"))
    shown = (result, result.section("ranks"), result.section("hypotheses"))
    document = page(*(each._repr_mimebundle_() for each in shown))
    (script,) = document.select("script#nbcompare-results[type='application/json']")
    ((digest, stored),) = json.loads(script.string).items()
    assert marks(document) == [(digest, ""), (digest, "ranks"), (digest, "hypotheses")]
    assert from_json(json.dumps(stored)).to_json() == result.to_json()


def test_names_cannot_end_the_script():
    name = "</script><script>alert(1)</script><!--"
    bundle = {
        "text/html": "<p>x</p>",
        MIME_TYPE: {"digest": '"><b>', "section": '"><i>', "result": {"name": name}},
    }
    document = page(bundle)
    script = document.find(id="nbcompare-results")
    assert json.loads(script.string) == {'"><b>': {"name": name}}
    assert "<" not in script.string
    assert marks(document) == [('"><b>', '"><i>')]
    assert document.b is None


def test_what_is_no_result_is_not_embedded():
    odd = [None, "text", {}, {"digest": 3}, {"digest": "sha256:0"}]
    document = page(*({"text/html": "<p>x</p>", MIME_TYPE: one} for one in odd))
    assert document.find(id="nbcompare-results") is None
    assert marks(document) == []
    assert [shown.text for shown in document.main("p")] == ["x"] * len(odd)


def test_json_for_a_script_is_json():
    content = {"é\u2028": ["</", "&", 1e-300, "Infinity"]}
    assert json.loads(script_safe(content)) == content


@pytest.mark.slow
def test_the_page_keeps_the_rows_that_a_table_leaves_out():
    names = ["</script>", "a'b", 'c"d & $x$', *(f"A{i}" for i in range(22))]
    scores = np.random.default_rng(3).random((6, 25)).round(3)
    data = nbc.Experiment.from_array(scores, direction="minimize", algorithms=names)
    result = nbc.compare(data, adjust="holm")
    for digits in (USUAL.digits, 6):
        with Options(digits=digits):
            bundle = result._repr_mimebundle_()
            whole = nbc.compare(data, adjust="holm").section("hypotheses")._repr_mimebundle_()
        _ranks, table = page(bundle).select("table")
        shown = [[cell.text for cell in row.select("th, td")] for row in table.select("tbody tr")]
        rows = [*shown, *json.loads(table["data-left-out"])]
        expected = BeautifulSoup(whole["text/html"], "html.parser").select("tbody tr")
        assert rows == [[cell.text for cell in row.select("th, td")] for row in expected]
    assert not page(whole).select("[data-left-out]")


def test_the_literature_is_there_to_be_copied():
    result = nbc.describe(
        dataclasses.replace(nbc.datasets.load("demsar2006"), citation="</script>")
    )
    (script,) = page(result._repr_mimebundle_()).select("script#nbcompare-bibtex")
    assert script["type"] == "application/json"
    assert json.loads(script.string) == result.to_bibtex()
    assert not page({"text/plain": "1"}).select("script#nbcompare-bibtex")


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        ({"image/svg+xml": "<svg/>", "application/pdf": "JVBERi0x\nLjQ="}, "JVBERi0xLjQ="),
        ({"image/svg+xml": "<svg/>"}, None),
        ({"image/png": "iVBORw0KGgo=", "application/pdf": "JVBERi0x"}, None),
        ({"image/svg+xml": "<svg/>", "application/pdf": '"><script>'}, None),
        ({"image/svg+xml": "<svg/>", "application/pdf": "A" * 300_001}, None),
    ],
)
def test_a_drawing_keeps_its_pdf(data, kept):
    (figure,) = page(data).select("figure")
    assert figure.get("data-pdf") == kept
