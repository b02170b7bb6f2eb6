"""Numbers, captions and ids of tables and figures, and references to them."""

import html

import pytest
from cells import PIXEL, display
from cells import soup as page
from nbformat.v4 import new_code_cell, new_markdown_cell

FLOAT = "\\begin{table}\n\\caption{%s}\\begin{tabular}{l}\n\\end{tabular}\\end{table}"


def table(caption=None, content="<tr><td>1</td></tr>"):
    caption = "" if caption is None else f"<caption>{caption}</caption>"
    return f'<table class="nbcompare">{caption}{content}</table>'


def picture(**metadata):
    return display({"image/png": PIXEL, "text/plain": "<Figure>"}, **metadata)


def code(*outputs, name="run", **metadata):
    return new_code_cell("run()", outputs=list(outputs), id=name, metadata=metadata)


def captions(document):
    return {e.get("id"): e.text.strip() for e in document.select("caption, figure")}


class TestNumbers:
    def test_tables_and_figures_are_counted_apart_in_the_order_of_the_page(self):
        document = page(
            code(display({"text/html": table("One") + table("Two")}), name="first"),
            code(picture(alt="A curve. It falls.\nSteeply."), name="second"),
            code(display({"text/html": table() + table("Three")}), picture(), name="third"),
        )
        assert captions(document) == {
            "tab-first": "Table 1. One",
            "tab-first-2": "Table 2. Two",
            "fig-second": "Figure 1. A curve.",
            "tab-third": "Table 3. Three",
            "fig-third": "",
        }

    @pytest.mark.parametrize(
        ("alt", "expected"),
        [
            ("A vs. B by García et al. (2010). More", "A vs. B by García et al. (2010)."),
            ("Both, e.g. C4.5. More", "Both, e.g. C4.5."),
            ("<b>bold</b>", "<b>bold</b>"),
        ],
    )
    def test_a_figure_is_called_by_its_first_sentence(self, alt, expected):
        assert page(code(picture(alt=alt))).figcaption.text == f"Figure 1. {expected}"

    def test_the_caption_of_the_metadata(self):
        document = page(
            code(picture(alt="Alt", caption="Own <b>"), name="a"),
            code(
                display({"text/html": table("Its own") + table()}), picture(), name="b", caption="C"
            ),
            code(picture(alt="Second"), picture(alt="Third"), name="c", caption="For the first"),
        )
        assert list(captions(document).values()) == [
            "Figure 1. Own <b>",
            "Table 1. Its own",
            "Table 2. C",
            "",
            "Figure 2. For the first",
            "Figure 3. Third",
        ]

    def test_names_come_from_the_label_or_the_cell(self):
        document = page(
            code(picture(), name="diagram-code"),
            code(picture(), name="b", label="fig-my diagram"),
            code(picture(), name="c", label="diagram"),
            code(picture(), name="d", label="diagram"),
        )
        ids = [figure["id"] for figure in document.find_all("figure")]
        assert ids == ["fig-diagram", "fig-my-diagram", "fig-c", "fig-d"]

    def test_many_tables_of_one_name(self):
        many = display({"text/html": table("A") * 3})
        assert list(captions(page(code(many)))) == ["tab-run", "tab-run-2", "tab-run-3"]

    def test_what_is_not_part_of_the_page_has_no_number(self):
        document = page(
            code(display({"text/html": table("A")}, **{"text/html": {"isolated": True}})),
            code(display({"text/html": table("B") + "<script>draw('<table>')</script>"}), name="b"),
        )
        assert "Table" not in document.main.text
        assert "draw('<table>')" in str(document)

    def test_sanitized_tables_are_left_alone(self):
        document = page(code(display({"text/html": table()}), caption="C"), sanitize_html=True)
        assert "caption" not in document.main.text


class TestReferences:
    def test_a_link_reads_as_what_it_leads_to(self):
        texts = {
            "[Table](#tab-a)": "Table\xa02",
            "[](#tab-a)": "Table\xa02",
            "[table](#tab-a)": "table\xa02",
            "[Fig.](#fig-a)": "Fig.\xa01",
            "[the *ranks*](#tab-a)": "the ranks",
            "[Table](#tab-none)": "Table",
        }
        document = page(
            new_markdown_cell("\n\n".join(texts)),
            code(display({"text/html": table("First")}), name="b"),
            code(display({"text/html": table("Second")}), picture(alt="A curve."), name="a"),
        )
        links = [paragraph.a.text for paragraph in document.main("p") if paragraph.a]
        assert links == list(texts.values())

    def test_a_link_to_nothing_is_reported(self, caplog):
        page(new_markdown_cell("[Table](#tab-none)"))
        assert "A link refers to #tab-none" in caplog.text


class TestCopies:
    def test_each_table_has_its_own_latex(self):
        data = {
            "text/html": table("A") + table("B"),
            "text/latex": "Words.\n\n" + FLOAT % "A" + "\n\n" + FLOAT % "<B>",
        }
        sources = [t["data-latex"] for t in page(code(display(data))).find_all("table")]
        assert sources == [FLOAT % "A", FLOAT % "<B>"]

    @pytest.mark.parametrize(
        "latex",
        [FLOAT % "A" + FLOAT % "B", "$x$", "\\input{x}"],
        ids=["two", "formula", "no table"],
    )
    def test_other_latex_is_not_taken_for_the_tables(self, latex):
        document = page(code(display({"text/html": table("A"), "text/latex": latex})))
        assert not document.table.has_attr("data-latex")

    def test_a_tabular_is_the_latex_of_a_single_table(self):
        latex = "\\begin{tabular}{l}\n1 & 2\n\\end{tabular}\n"
        document = page(code(display({"text/html": table(), "text/latex": latex})))
        assert document.table["data-latex"] == latex.strip()


def test_headers_of_a_data_frame_have_scopes():
    import pandas as pd

    frame = pd.DataFrame({"a": [1.5]}, index=pd.Index(["x <"], name="data set"))
    document = page(code(display({"text/html": frame.to_html()})))
    assert [th["scope"] for th in document.select("thead th")] == ["col"] * 4
    assert [th["scope"] for th in document.select("tbody th")] == ["row"]
    assert document.select_one("tbody th").text == html.unescape("x &lt;")


@pytest.mark.parametrize(
    ("alt", "expected"),
    [
        ("Bars (Holm). neural net 1.5, LDA 2.5.", "Bars (Holm)."),
        ("Bars (at: 3), best first: " + "a, " * 40 + "b.", "Bars (at: 3), best first."),
        ("Bars, best first: a 1.5, b 2.5. More.", "Bars, best first: a 1.5, b 2.5."),
        ("Scores (Doe et al. 2001) vs. ranks. More.", "Scores (Doe et al. 2001) vs. ranks."),
    ],
)
def test_a_caption_says_what_a_figure_is_and_lists_nothing_long(alt, expected):
    document = page(code(picture(alt=alt)))
    assert captions(document) == {"fig-run": f"Figure 1. {expected}"}


def test_a_figure_says_below_which_letters_could_not_be_drawn():
    about = {"image/png": {"alt": "Ranks. Best first: <b>.", "note": "Boxes stand\nfor <b>."}}
    cell = code(display({"image/png": PIXEL}, **about))
    assert page(cell).figcaption.text == "Figure 1. Ranks. Boxes stand for <b>."
