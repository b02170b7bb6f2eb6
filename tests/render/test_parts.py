"""Tables in plain text, the cut, numbers, and the bundle that IPython asks for."""

import math

import pytest
from IPython.core.formatters import DisplayFormatter

from nbcompare._render import (
    Column,
    Note,
    Notes,
    Prose,
    Rich,
    Strong,
    Table,
    format_number,
    format_numbers,
    format_p,
    html,
    latex,
    markdown,
    plural,
    text,
    typst,
)

KINDS = {
    "text/plain": text,
    "text/html": html,
    "text/markdown": markdown,
    "text/latex": latex,
    "text/x-typst": typst,
}


class Shown(Rich):
    def __init__(self, n_rows):
        self.n_rows = n_rows

    def _parts(self):
        rows = tuple((f"data{i}", f"{i}") for i in range(self.n_rows))
        table = Table((Column("data set"), Column("score", number=True)), rows, caption="Scores")
        return (Prose(("One.", "Two.")), table.cut(), Notes((Note("code", "A caveat."),)))


def test_text_is_aligned():
    columns = (Column("name"), Column("n", number=True))
    table = Table(columns, (("决策树", "1.5"), ("e\u0301", "10.25"), ("👩‍🔬", "2")), caption="T")
    assert text.render([table]).splitlines() == [
        "T",
        "name        n",
        "------  -----",
        "决策树    1.5",
        "e\u0301       10.25",
        "👩‍🔬        2",
    ]


def test_cells_that_stand_out():
    columns = (Column("name"), Column("n", number=True))
    rows = ((Strong("a_<b>"), Strong("-1.5 ± 0.5")), ("† c", "† -2 ± 0.5"))
    table = Table(columns, rows, caption="Best & last")
    assert text.render([table]).splitlines() == [
        "Best & last; an asterisk stands for bold",
        "name              n",
        "------  -----------",
        "a_<b>*  *-1.5 ± 0.5",
        "† c      † -2 ± 0.5",
    ]
    assert "<strong>a_&lt;b&gt;</strong>" in html.render([table])
    assert "<strong>-1.5 ± 0.5</strong></td>" in html.render([table])
    assert html.render([table]).count("<strong>") == 2
    assert r"| **a\_&lt;b&gt;** | **-1.5 ± 0.5** |" in markdown.render([table])
    assert 'strong("a_<b>"), strong("−1.5 ± 0.5")' in typst.render([table])
    shown = latex.render([table])
    assert r"\textbf{a\_\textless{}b\textgreater{}} & " in shown
    assert r"\textbf{\boldmath $-1.5$ $\pm$ 0.5} \\" in shown
    assert r"$\dagger$ c & $\dagger$ $-2$ $\pm$ 0.5 \\" in shown


def test_bold_text_is_not_empty_and_cells_stay_bold_in_parts_of_a_table():
    columns = (Column("name"), Column("n", number=True))
    assert "****" not in markdown.render([Table(columns, ((Strong(""), Strong(" ")),))])
    long = Table(
        columns, tuple((f"d{i}", Strong(str(i)) if i == 40 else str(i)) for i in range(50))
    )
    assert r"d40 & \textbf{40} \\" in latex.render([long], booktabs=False)
    wide = Table(
        (Column("name"), *(Column(f"column {i}" * 4, number=True) for i in range(9))),
        (("a", *(Strong(str(i)) if i == 7 else str(i) for i in range(9))),),
    )
    assert len(wide.pieces([20] * 10, 80)) > 1
    assert latex.render([wide]).count(r"\textbf{7}") == 1
    assert typst.render([wide]).count('strong("7")') == 1


def test_text_wraps_prose_and_notes():
    shown = text.render([Prose(("word " * 40,)), Notes((Note("c", "word " * 40),))])
    assert max(map(len, shown.splitlines())) <= 88
    assert shown.splitlines()[-1].startswith("      word")


@pytest.mark.parametrize(
    ("n_rows", "remainder"),
    [
        (20, ""),
        (21, "and 1 more row; "),
        (1_020, "and 1,000 more rows; "),
    ],
)
def test_tables_are_cut_at_20_rows_in_every_rendering(n_rows, remainder):
    parts = Shown(n_rows)._parts()
    for renderer in (text, html, latex, typst, markdown):
        shown = renderer.render(parts)
        assert "data19" in shown
        assert "data20" not in shown
        assert (remainder in shown) if remainder else "more row" not in shown


def test_a_cut_table_counts_on():
    table = Shown(30)._parts()[1]
    assert (table.n_hidden, table.cut(5).n_hidden, table.cut(50)) == (10, 25, table)


def test_ipython_displays_the_bundle():
    data, metadata = DisplayFormatter().format(Shown(3))
    assert (set(data), metadata) == (set(KINDS), {})
    shown = {kind: module.render(Shown(3)._parts()) for kind, module in KINDS.items()}
    shown["text/latex"] = latex.render_display(Shown(3)._parts())
    assert data == shown
    assert data["text/plain"] == str(Shown(3))


def test_ipython_may_leave_kinds_out():
    formatter = DisplayFormatter()
    assert set(formatter.format(Shown(3), include=["text/html"])[0]) == {"text/html"}
    assert "text/latex" not in formatter.format(Shown(3), exclude=["text/latex"])[0]
    assert set(Shown(3)._repr_mimebundle_(include=None, exclude=None)) == set(KINDS)


def test_what_does_not_say_what_it_shows():
    with pytest.raises(TypeError, match=r"^Rich does not say what it shows$"):
        str(Rich())


def test_tables_without_caption():
    table = Table((Column("a"),), (("b",),))
    assert "<caption>" not in html.render([table])
    assert "caption" not in latex.render([table])
    assert "figure(" not in typst.render([table])
    assert markdown.render([table]) == "| a |\n| :--- |\n| b |\n"


@pytest.mark.parametrize(
    ("p", "log10_p", "shown"),
    [
        (1.0, None, "1"),
        (0.99996, None, "1"),
        (0.9999, None, "0.9999"),
        (0.05, None, "0.0500"),
        (0.001, None, "0.0010"),
        (0.00099, None, "0.00099"),
        (4.487e-8, None, "4.49e-08"),
        (0.0, None, "< 1e-300"),
        (0.0, -math.inf, "< 1e-300"),
        (0.0, -411.9, "1.26e-412"),
        (0.0, -400.0001, "1e-400"),
        (1e-310, -310.0, "1e-310"),
    ],
)
def test_p_values(p, log10_p, shown):
    assert format_p(p, log10_p) == shown


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [
        (-0.0004, 3, "0.000"),
        (-0.0, None, "0"),
        (math.inf, None, "∞"),
        (-math.inf, 2, "-∞"),
        (123456.7, None, "123457"),
        (1e-300, None, "1e-300"),
        (math.nan, None, "missing"),
        (math.nan, 3, "missing"),
    ],
)
def test_numbers(value, decimals, shown):
    assert format_number(value, decimals) == shown


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([], []),
        ([math.nan], ["missing"]),
        ([0.5, math.nan, 0.25], ["0.50", "missing", "0.25"]),
        ([1, 2], ["1", "2"]),
        ([-0.0, 1], ["0", "1"]),
        ([1e-300, 0.5], ["1e-300", "0.5"]),
        ([1e300, 0.25], ["1e+300", "0.25"]),
        ([math.inf, 0.5], ["∞", "0.5"]),
    ],
)
def test_columns_of_numbers(values, shown):
    assert format_numbers(values) == shown


@pytest.mark.parametrize(
    ("count", "noun", "shown"),
    [
        (1, "data set", "1 data set"),
        (0, "data set", "0 data sets"),
        (1_000, "hypothesis", "1,000 hypotheses"),
    ],
)
def test_plural(count, noun, shown):
    assert plural(count, noun) == shown
