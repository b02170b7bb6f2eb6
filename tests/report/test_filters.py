"""Markdown, mathematics and outputs as parts of a page."""

import base64
import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from nbcompare._version import __version__
from nbcompare.report import mathml
from nbcompare.report.filters import (
    MarkdownRenderer,
    ReportPreprocessor,
    alternative_text,
    scrollable,
    svg_uri,
)

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
TEX = r"""
x 1 + & \ { } [ ] ^ _ $ % ~ # < > ' | \, \! \\ & \frac \sqrt \sum \alpha \hat \over
\left( \right) \left \right. \text \text{<b>} \mathbf \mathbf{x} \binom \limits
\label{a} \tag{1} \tag \arg \color \href \newcommand \foo \begin \end
\begin{align} \end{align} \begin{cases} \end{cases} \begin{array}{lr} \end{array}
\begin{alignat}{2} \end{alignat} \begin{split} \end{split} é &lt;b&gt; <b>
"""
TOKENS = [*TEX.split(), " ", "\n"]


def markdown(source, **options):
    return MarkdownWithMath(renderer=MarkdownRenderer(escape=False, **options)).render(source)


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


class TestMathematics:
    def test_symbols_become_characters(self):
        assert "<mi>α</mi><mo>≤</mo><mn>0.05</mn>" in mathml.formula(r"\alpha \le 0.05")

    def test_the_source_is_the_text_for_screen_readers(self):
        assert 'alttext="a&lt;b"' in mathml.formula("a<b")

    @pytest.mark.parametrize(
        "tex",
        [
            r"\foo{x}",  # an unknown macro
            r"x + \foo",
            r"\left( x",  # malformed
            "{",
            "a & b",  # a column outside a table
            r"\text{see \cite{a}}",
            r"\begin{tabular}{l}a\end{tabular}",
            r"\begin{align} a",
        ],
    )
    def test_what_is_not_understood_shows_its_source(self, tex):
        result = mathml.formula(tex)
        assert result.startswith('<code class="tex">$')
        assert "<math" not in result

    def test_text_in_a_formula_is_escaped(self):
        result = mathml.formula(r"\text{<script>alert(1)</script> \& 5\%}")
        assert "<mtext>&lt;script&gt;alert(1)&lt;/script&gt;\xa0&amp;\xa05%</mtext>" in result

    @settings(deadline=None)
    @given(st.lists(st.sampled_from(TOKENS), max_size=12).map("".join), st.booleans())
    def test_no_formula_stops_an_export(self, tex, display):
        document = BeautifulSoup(mathml.formula(tex, display=display), "html.parser")
        assert document.find(["math", "code"])
        assert not document.find("b")

    def test_mathematics_inside_text(self):
        result = mathml.formula(r"\text{if $i = j$ holds}")
        assert "<mtext>if\xa0</mtext>" in result
        assert "<mi>i</mi><mo>=</mo><mi>j</mi>" in result

    @pytest.mark.parametrize("name", ["align", "align*", "aligned", "split", "flalign", "eqnarray"])
    def test_aligned_lines_become_rows(self, name):
        result = mathml.environment(name, r"a &= b \\c &= d")
        assert result.count("<mtr>") == 2
        assert result.count("<mo>=</mo>") == 2
        assert "(1)" not in result  # as in the notebook, equations have no numbers

    def test_column_counts_are_not_shown(self):
        assert "<mn>2</mn>" not in mathml.environment("alignat", r"{2} a &= b")

    @pytest.mark.parametrize("name", ["gather", "gather*", "multline", "equation"])
    def test_lines_without_columns_become_rows(self, name):
        assert mathml.environment(name, r"a \\ b").count("<mtr>") == 2

    def test_labels_vanish_and_tags_stay(self):
        result = mathml.environment("equation", r"a = b \label{eq:one} \tag{7} \nonumber")
        assert "label" not in re.sub('alttext="[^"]*"|aria-label', "", result)
        assert "<mtext>(7)</mtext>" in result

    def test_limits_stand_below_big_operators_inside_brackets(self):
        result = mathml.formula(r"\left[\sum_{j=1}^k R_j\right]", display=True)
        assert "<munderover>" in result
        assert "<msub><mi>R</mi>" in result

    @pytest.mark.parametrize(
        "tex",
        [r"$\displaystyle x$", "$$x$$", r"\[x\]", r"\(x\)", r"\begin{equation}x\end{equation}"],
    )
    def test_latex_output(self, tex):
        assert "<mi>x</mi>" in mathml.latex_output(tex)

    def test_latex_output_between_words(self):
        result = mathml.latex_output("for <all> $x$ and $y$.")
        assert result.startswith("for &lt;all&gt; <math")
        assert result.endswith("</math>.")

    @pytest.mark.parametrize(
        "tex",
        [
            "words only",
            r"\begin{tabular}{l}a\end{tabular}",
            r"\textbf{a} $x$",
            r"$\foo$",
            "$x$ \\par",
        ],
    )
    def test_other_latex_is_no_mathematics(self, tex):
        assert mathml.latex_output(tex) is None


class TestMarkdown:
    def test_formulas(self):
        result = markdown("Let $k$ be\n\n$$k = 3$$\n\n\\begin{align}a &= b\\end{align}")
        assert result.count("<math") == 3
        assert result.count('display="block"') == 2
        assert "$" not in result

    def test_escaped_dollars_are_dollars(self):
        assert markdown(r"costs \$5 and \$6") == "<p>costs $5 and $6</p>\n"

    def test_dollars_are_read_as_jupyter_reads_them(self):
        # the notebook shows "5 and" as mathematics, and so does the page
        assert "<math" in markdown("costs $5 and $6")

    def test_code_keeps_its_dollars(self):
        result = markdown("`a $x$ b`\n\n```bash\necho $HOME $PATH\n```\n")
        assert "<code>a $x$ b</code>" in result
        assert "<math" not in result
        assert "$HOME" in re.sub("<[^>]*>", "", result)

    def test_headings_have_ids_of_their_own(self):
        result = markdown("## Results & more\n\n## Results & more")
        assert 'id="Results-&amp;-more"' in result
        assert 'id="Results-&amp;-more-2"' in result

    def test_attachments_are_embedded(self):
        attachments = {"a b.png": {"image/png": PIXEL}}
        result = markdown("![dot & line](attachment:a%20b.png)", attachments=attachments)
        assert f'src="data:image/png;base64,{PIXEL}" alt="dot &amp; line"' in result

    def test_a_file_beside_the_notebook_is_embedded(self, tmp_path):
        (tmp_path / "my dot.png").write_bytes(base64.b64decode(PIXEL))
        source = '![dot](my%20dot.png)\n\n<div><img width="9" src="my dot.png"></div>'
        result = markdown(source, path=str(tmp_path))
        assert result.count(f"data:image/png;base64,{PIXEL}") == 2
        assert '<img width="9" src=' in result

    @pytest.mark.parametrize(
        "url",
        ["https://example.org/a.png", "missing.png", "../../etc/passwd", "attachment:gone.png"],
    )
    def test_an_image_that_cannot_be_embedded_is_a_link(self, url, tmp_path):
        result = markdown(f"![a plot]({url})", path=str(tmp_path))
        assert f'<a href="{url}">a plot ({url})</a>' in result
        assert "<img" not in result

    def test_a_file_outside_the_notebooks_folder_is_not_embedded(self, tmp_path):
        (tmp_path / "secret.png").write_bytes(b"secret")
        folder = tmp_path / "folder"
        folder.mkdir()
        for url in ("../secret.png", (tmp_path / "secret.png").as_posix()):
            assert "data:" not in markdown(f"![a]({url})", path=str(folder))

    def test_alternative_text_is_escaped(self):
        result = markdown(f'![x" onload="alert(1)](data:image/png;base64,{PIXEL})')
        assert 'alt="x&quot; onload=&quot;alert(1)"' in result

    def test_tables_scroll(self):
        result = markdown("| a |\n|---|\n| 1 |\n")
        assert result.startswith(
            '<div class="scroll" role="group" aria-label="Table" tabindex="0">'
        )

    def test_tasks_name_their_checkboxes(self):
        assert '<label><input type="checkbox" disabled checked> done' in markdown("- [x] done")

    def test_diagrams_show_their_source(self):
        assert "<pre>graph &lt;b&gt;\n</pre>" in markdown("```mermaid\ngraph <b>\n```")


class TestAlternativeText:
    @pytest.mark.parametrize(
        ("metadata", "plain", "expected"),
        [
            ({"image/png": {"alt": "one"}, "alt": "two"}, "three", "one"),
            ({"image/svg+xml": {"alt": "one"}, "alt": "two"}, "three", "two"),
            ({"image/png": {"width": 3}}, "three", "three"),
            ({}, "<Figure size 640x480 with 1 Axes>", "Figure"),
            ({"alt": ""}, "", "Figure"),
            ({"image/png": None, "alt": 3}, None, "Figure"),
        ],
    )
    def test_the_nearest_description_wins(self, metadata, plain, expected):
        data = {"image/png": PIXEL} | ({} if plain is None else {"text/plain": plain})
        assert alternative_text({"data": data, "metadata": metadata}, "image/png") == expected


class TestSVG:
    @staticmethod
    def decode(uri):
        return base64.b64decode(uri.removeprefix("data:image/svg+xml;base64,")).decode("utf-8")

    def test_the_declared_encoding_gives_way(self):
        svg = (
            '<?xml version="1.0" encoding="ISO-8859-1"?>\n<svg xmlns="x"><text>χ² ≤ é</text></svg>'
        )
        assert self.decode(svg_uri(svg)).strip() == '<svg xmlns="x"><text>χ² ≤ é</text></svg>'

    def test_a_drawing_from_html_gets_its_namespace(self):
        assert self.decode(svg_uri("<svg/>")) == '<svg xmlns="http://www.w3.org/2000/svg"/>'


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
        assert content == "[This output can be shown in the notebook only: application/x-unknown]"

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


def test_a_container_that_scrolls_takes_the_focus():
    assert scrollable("x", 'a "b"') == (
        '<div class="scroll" role="group" aria-label="a &quot;b&quot;" tabindex="0">x</div>'
    )
