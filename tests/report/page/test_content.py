"""Outputs and documents as a page shows them."""

import re

import pytest
from cells import PIXEL
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from nbcompare._version import __version__
from nbcompare.report.page.content import ReportPreprocessor


def preprocess(*cells, resources=None, **metadata):
    resources = {"metadata": {"name": "file name", "path": ""}} | (resources or {})
    notebook = new_notebook(cells=list(cells), metadata=metadata)
    return ReportPreprocessor(enabled=True)(notebook, resources)


def shown(data, **options):
    """The one representation that is left of an output, and the output."""
    output = new_output("display_data", data=data, **options)
    notebook, _ = preprocess(new_code_cell("", outputs=[output]))
    output = notebook.cells[0].outputs[0]
    (item,) = output.data.items()
    return item, output


class TestOutputs:
    def test_svg_is_preferred_to_png(self):
        (kind, content), output = shown(
            {"image/png": PIXEL, "image/svg+xml": "<svg/>", "text/plain": "A curve"}
        )
        assert kind == "image/svg+xml"
        assert content.startswith("data:image/svg+xml;base64,")
        assert output.metadata.alt == "A curve"

    def test_line_breaks_in_base64_are_removed(self):
        (_, content), _ = shown({"image/png": PIXEL[:20] + "\n" + PIXEL[20:] + "\n"})
        assert content == f"data:image/png;base64,{PIXEL}"

    def test_html_is_preferred_to_latex(self):
        (kind, _), _ = shown({"text/latex": "$x$", "text/html": "<b>x</b>", "text/plain": "x"})
        assert kind == "text/html"

    def test_a_picture_is_preferred_to_latex_source(self):
        data = {"text/latex": r"\begin{tabular}{l}a\end{tabular}", "image/png": PIXEL}
        assert shown(data)[0][0] == "image/png"
        assert shown(data | {"text/latex": "$x$"})[0][0] == "text/latex"

    def test_latex_source_is_preferred_to_a_representation(self):
        tabular = r"\begin{tabular}{l}a\end{tabular}"
        item, output = shown({"text/latex": tabular, "text/plain": "<Latex object>"})
        assert item == ("text/latex", tabular)
        assert output.metadata.is_math is False

    def test_a_widget_shows_its_text(self):
        view = {"model_id": "1", "version_major": 2, "version_minor": 0}
        item, _ = shown(
            {"application/vnd.jupyter.widget-view+json": view, "text/plain": "IntSlider(value=3)"}
        )
        assert item == ("text/plain", "IntSlider(value=3)")

    def test_what_a_page_cannot_show_is_named(self):
        (kind, content), _ = shown({"application/x-unknown": "1"})
        assert kind == "text/plain"
        assert content == "[This output can only be shown in the notebook: application/x-unknown]"

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ("<table><tr><td>1</td></tr></table>", ""),
            ("<table><tr>" + "<td>1</td>" * 9 + "</tr></table>", ""),
            ("<table><tr>" + "<td>an algorithm</td>" * 7 + "</tr></table>", "wide"),
            ("<table><tr><td>" + 25 * "x" + "</td></tr></table>", "long-words"),
            ("<table><tr>" + "<th>1" * 17 + "</tr></table>", "wide landscape"),
            ('<p style="background-color: yellow">', "card"),
            ("<script>draw()</script>", "card"),
            ("<style scoped>.dataframe th {text-align: right;}</style>", ""),
        ],
    )
    def test_how_html_is_set(self, content, expected):
        assert shown({"text/html": content})[1].metadata.css_class == expected

    def test_scripts_get_different_places(self):
        outputs = [
            new_output("display_data", data={"application/javascript": "1"}) for _ in range(2)
        ]
        notebook, _ = preprocess(new_code_cell("", outputs=outputs))
        first, second = notebook.cells[0].outputs
        assert first.metadata.place != second.metadata.place


class TestDocument:
    @staticmethod
    def page(*cells, **options):
        notebook, resources = preprocess(*cells, **options)
        return notebook, resources["nbcompare"]

    def test_the_first_heading_is_the_title_and_moves_to_the_header(self):
        notebook, page = self.page(new_markdown_cell("# A *fine* report\n\nText"), title="Other")
        assert page["title"] == "Other"
        assert page["heading"] == '<h1 id="A-fine-report">A <em>fine</em> report</h1>'
        assert notebook.cells[0].source == "<p>Text</p>\n"

    def test_without_it_the_metadata_have_the_title(self):
        _, page = self.page(new_markdown_cell("Text"), title="a < b")
        assert page["title"] == "a < b"
        assert page["heading"] == "<h1>a &lt; b</h1>"

    def test_without_both_a_later_heading_is_the_title_and_stays(self):
        notebook, page = self.page(new_markdown_cell("Text\n\n# Late & good\n\n# Later\n\n## On"))
        assert page["title"] == "Late & good"
        assert page["heading"] is None
        assert re.findall(r"<h\d", notebook.cells[0].source) == ["<h1", "<h2", "<h3"]

    def test_without_any_the_file_has(self):
        assert self.page()[1]["heading"] == "<h1>file name</h1>"

    def test_further_titles_become_headings(self):
        output = new_output("display_data", data={"text/markdown": "## In an output"})
        notebook, _ = self.page(
            new_markdown_cell("# Title\n\n## Method"),
            new_markdown_cell("# Results\n\n## Tables"),
            new_code_cell("", outputs=[output]),
        )
        assert "<h2" in notebook.cells[0].source
        assert re.findall(r"</?h\d", notebook.cells[1].source) == ["<h2", "</h2", "<h3", "</h3"]
        assert "<h3" in notebook.cells[2].outputs[0].data["text/markdown"]

    @pytest.mark.parametrize(
        ("authors", "expected"),
        [
            ([{"name": "A"}, {"name": "B"}], ["A", "B"]),
            (["A", 3, {"email": "x"}, {"name": ""}], ["A"]),
            ([], []),
        ],
    )
    def test_authors(self, authors, expected):
        assert self.page(authors=authors)[1]["authors"] == expected
        assert self.page()[1]["authors"] == []

    @pytest.mark.parametrize(("lang", "expected"), [("de-CH", "de-CH"), ('"><script>', "en")])
    def test_language(self, lang, expected):
        assert self.page(lang=lang)[1]["language"] == expected
        assert self.page(resources={"language_code": "fr"})[1]["language"] == "fr"

    def test_origin(self):
        made = {"version": "9.8.7", "fingerprint": "sha256:ab"}
        expected = "Made with nbcompare 9.8.7 · data fingerprint sha256:ab"
        assert self.page(nbcompare=made)[1]["origin"] == expected
        assert self.page(nbcompare={"version": "1"})[1]["origin"] == "Made with nbcompare 1"
        assert self.page(nbcompare="odd")[1]["origin"] == f"Exported with nbcompare {__version__}"
