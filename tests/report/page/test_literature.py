"""References, collected from results and their outputs."""

import pytest
from bs4 import BeautifulSoup
from cells import soup as page
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare.report.exporters import ReportHTMLExporter


def show(*shown, source="show()"):
    outputs = [new_output("execute_result", data=s._repr_mimebundle_()) for s in shown]
    return new_code_cell(source, outputs=outputs)


def listed(document):
    return [item.text for item in document.select("ol.references > li")]


def headings(document):
    return [heading.text for heading in document.select("main h2")]


@pytest.fixture(scope="module")
def comparison():
    return nbc.compare(nbc.datasets.load("demsar2006"))


@pytest.fixture(scope="module")
def signs():
    return nbc.multiple_sign_test(nbc.datasets.load("demsar2006"), "C4.5")


class TestCollected:
    def test_once_each_at_the_end_with_the_data_first(self, comparison, signs):
        document = page(
            new_markdown_cell("# Title"),
            show(comparison.section("references"), source="first"),
            new_markdown_cell("## Second"),
            show(signs.section("references"), comparison.section("ranks"), source="second"),
        )
        items = listed(document)
        data = f"Data: {comparison.design.citation}"
        assert items[0] == data
        assert set(items) == {data, *comparison.references, *signs.references}
        assert len(items) == len(set(items))
        assert headings(document) == ["Second", "References"]
        assert [link.text for link in document.select("nav a")] == ["Second", "References"]

    def test_an_accent_is_no_letter_of_its_own(self, comparison):
        items = listed(page(show(comparison)))
        authors = [item for item in items if not item.startswith("Data: ")]
        assert authors == list(comparison.references)

    def test_of_results_that_do_not_show_them(self, signs):
        assert set(signs.references) <= set(listed(page(show(signs))))

    def test_no_second_list_beside_that_of_the_methods(self, comparison):
        methods = show(comparison, comparison.section("methods"))
        assert listed(page(methods)) == []
        asked = page(methods, show(comparison.section("references")))
        assert set(comparison.references) <= set(listed(asked))

    def test_where_the_notebook_shows_them(self, comparison):
        document = page(
            new_markdown_cell("# Title\n\n## References\n\nSee also mine."),
            show(comparison.section("references")),
            new_markdown_cell("## Appendix"),
        )
        assert headings(document) == ["References", "Appendix"]
        assert document.select_one("ol.references").find_previous("p").text == "See also mine."
        assert document.select_one("ol.references").find_next("h2").text == "Appendix"

    def test_not_added_to_references_that_the_notebook_wrote(self, comparison):
        document = page(new_markdown_cell("## References\n\nMine."), show(comparison))
        assert listed(document) == []

    def test_none_without_results(self):
        document = page(new_markdown_cell("Text"))
        assert headings(document) == []

    def test_of_a_notebook_whose_cells_have_no_ids(self, comparison):
        cell = show(comparison.section("references"))
        del cell["id"]
        notebook = new_notebook(cells=[cell], nbformat_minor=4)
        exported, _ = ReportHTMLExporter().from_notebook_node(notebook)
        assert listed(BeautifulSoup(exported, "html.parser"))
