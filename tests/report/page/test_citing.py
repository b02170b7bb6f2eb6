"""The methods of a page with the keys of their references."""

import json
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare.report.exporters import ReportHTMLExporter

DATA = nbc.datasets.load("demsar2006")


def export(*shown, **metadata):
    outputs = [new_output("display_data", data=one._repr_mimebundle_()) for one in shown]
    notebook = new_notebook(cells=[new_code_cell("show()", outputs=outputs)], metadata=metadata)
    page, _ = ReportHTMLExporter().from_notebook_node(notebook)
    return page


def soup(*shown, **metadata):
    return BeautifulSoup(export(*shown, **metadata), "html.parser")


def latex_of(document):
    script = document.select_one("script#nbcompare-methods")
    return script and json.loads(script.string)


def experiment(names, n=8, measure="error", seed=0):
    scores = np.random.default_rng(seed).random((n, len(names)))
    return nbc.Experiment.from_array(
        scores, direction="minimize", algorithms=names, measure=measure
    )


class TestCiting:
    @pytest.mark.parametrize("control", [None, "C4.5"])
    def test_each_number_is_the_key_of_its_reference(self, control):
        result = nbc.compare(DATA, control=control)
        document = soup(result.section("methods"))
        text = latex_of(document)
        groups = re.findall(r"~\\cite\{([^}]*)\}", text)
        listed = [li.text for li in document.select(".nbcompare li")]
        references = dict(re.fullmatch(r"\[(\d+)\] (.*)", item).groups() for item in listed)
        numbers = re.findall(r"\[([\d, ]+)\]", document.select_one(".nbcompare p").text)
        assert len(groups) == len(numbers) >= 5
        entries = dict(re.findall(r"@\w+\{(\w+),\s+author = \{(\w+)", result.to_bibtex()))
        for group, several in zip(groups, numbers, strict=True):
            for key, number in zip(group.split(","), several.split(", "), strict=True):
                assert references[number].startswith(entries[key][:3])
        assert "[" not in text
        assert "95 \\%" in text or control

    def test_a_page_without_methods_has_none(self):
        assert latex_of(soup(nbc.compare(DATA))) is None

    def test_brackets_in_names_are_no_references(self):
        names = ["A [1]", "[2]", "100% [3, 4]", "d"]
        data = experiment(names, measure="error [5]")
        for control in names[:3]:
            text = latex_of(soup(nbc.compare(data, control=control).section("methods")))
            bare = control.replace("%", "\\%")
            assert f"The control, {bare}, was" in text
            assert "by error [5] (" in text
            assert "\\cite{demsar2006}" in text
