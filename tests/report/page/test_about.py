"""The line under the title of a page, and its methods with the keys of their references."""

import json
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.embedded import about_data
from nbcompare.report.verification.verify import verify

DATA = nbc.datasets.load("demsar2006")
ROW = "AUC, higher is better"


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


class TestLine:
    def test_it_stands_under_the_title_after_authors_and_date(self):
        document = soup(nbc.compare(DATA), authors=[{"name": "A"}], date="2025")
        lines = [(p["class"], p.text) for p in document.select("header > p")]
        assert lines == [
            (["authors"], "A"),
            (["date"], "2025"),
            (["about"], f"14 data sets × 4 algorithms · {ROW}"),
        ]

    def test_results_of_a_part_of_the_data_are_of_the_same_data(self):
        pair = nbc.compare_pair(DATA, "C4.5", "C4.5+m")
        assert about_data([pair.design]) == f"14 data sets × 2 algorithms · {ROW}"
        both = about_data([pair.design, nbc.compare(DATA).design])
        assert both == f"14 data sets × 4 algorithms · {ROW}"

    def test_data_sets_that_were_left_out_count(self):
        scores = np.random.default_rng(1).random((9, 3))
        scores[2, 1] = np.nan
        data = nbc.Experiment.from_array(scores, direction="maximize")
        result = nbc.compare(data, missing="drop")
        assert result.design.n_datasets == 8
        assert about_data([result.design]) == "9 data sets × 3 algorithms · higher is better"

    def test_folds_and_runs(self):
        scores = np.random.default_rng(1).random((5, 3, 2, 4))
        data = nbc.Experiment.from_array(scores, direction="minimize", measure="error")
        line = about_data([nbc.describe(data).design])
        assert line == "5 data sets × 3 algorithms × 2 folds × 4 runs · error, lower is better"

    def test_histories_are_of_problems(self):
        values = np.minimum.accumulate(np.random.default_rng(0).random((4, 2, 1, 9)), axis=3)
        data = nbc.Histories.from_array(values, direction="minimize")
        shown = soup(nbc.compare_convergence(data, cutpoints=4)).select_one("header > p.about")
        assert shown.text.startswith("4 problems × 2 algorithms")

    @pytest.mark.parametrize(
        "other",
        [
            experiment(["a", "b", "d"]),
            experiment(["a", "b", "c"], measure="time"),
            experiment(["a", "b", "c"], n=9),
        ],
        ids=["algorithms", "measure", "data sets"],
    )
    def test_other_data_have_no_line_in_common(self, other):
        first = nbc.compare(experiment(["a", "b", "c"])).design
        assert about_data([first]) == "8 data sets × 3 algorithms · error, lower is better"
        second = nbc.compare(other).design
        line = about_data([first, second])
        # all data sets of one are among those of the other if there are only more of them
        whole = set(first.datasets) < set(second.datasets)
        assert line == ("9 data sets × 3 algorithms · error, lower is better" if whole else "")

    def test_a_page_without_results_has_none(self):
        assert soup().select_one(".about") is None
        assert about_data([]) == ""

    def test_names_are_text(self):
        document = soup(nbc.compare(experiment(["a", "b", "c"], measure="<b>e</b>")))
        assert document.select_one(".about").text.endswith("<b>e</b>, lower is better")

    def test_a_page_with_it_is_verified_whole(self, tmp_path):
        file = tmp_path / "report.html"
        result = nbc.compare(DATA)
        file.write_text(export(result, result.section("methods")), encoding="utf-8")
        outcome = verify(file, data=DATA)
        assert outcome.is_whole
        assert outcome.holds


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
