"""Results embedded in a page."""

import json

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output

import nbcompare as nbc
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


@pytest.mark.parametrize("odd", [None, "text", {}, {"digest": 3}, {"digest": "sha256:0"}])
def test_what_is_no_result_is_not_embedded(odd):
    document = page({"text/html": "<p>x</p>", MIME_TYPE: odd})
    assert document.find(id="nbcompare-results") is None
    assert marks(document) == []
    assert document.main.p.text == "x"


def test_json_for_a_script_is_json():
    content = {"é\u2028": ["</", "&", 1e-300, "Infinity"]}
    assert json.loads(script_safe(content)) == content
