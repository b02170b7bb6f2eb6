"""What a printed page is made of: sound trees, fitted tables, broken lines, formulas, pictures."""

import base64
import subprocess

import pytest

from nbcompare.report import pdf_browser
from nbcompare.report.pdf_code import code_lines, text_lines, text_of_terminal
from nbcompare.report.pdf_grid import PAD, fit, grid, letters_wide
from nbcompare.report.pdf_images import PIXEL, picture
from nbcompare.report.pdf_tree import parse
from nbcompare.report.pdf_typst import pandoc_path
from nbcompare.report.typst_math import Formula, Macros, formulas

PAGE = 470.0


def table(markup):
    return grid(next(node for node in parse(markup).nodes() if node.tag == "table"))


def rows_of(n_columns, cell="0.1234", n_rows=2, header="name"):
    head = "<tr>" + f"<th>{header}</th>" * n_columns + "</tr>"
    return f"<table>{head}{('<tr>' + f'<td>{cell}</td>' * n_columns + '</tr>') * n_rows}</table>"


# ------------------------------------------------------------------------------------- trees


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a<p>b<div>c</div>", [("p", "a"), ("p", "b"), ("div", "c")]),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", [("ul", "abc"), ("li", "ab"), ("ul", "b"),
                                               ("li", "b"), ("li", "c")]),
        ("</b><i>a</p>b", [("i", "ab")]),
        ("a<br>b<img src=x>c", [("br", ""), ("img", "")]),
        ("<td>a<table><tr><td>b</table>c", [("td", "abc"), ("table", "b"), ("tr", "b"),
                                           ("td", "b")]),
    ],
)  # fmt: skip
def test_tags_left_open_end_where_browsers_end_them(markup, expected):
    assert [(node.tag, node.text()) for node in parse(markup).nodes()] == expected


def test_what_is_nested_too_deeply_keeps_its_text():
    assert parse("<div>" * 5000 + "deep" + "</div>" * 5000).line() == "deep"


# ------------------------------------------------------------------------------------ tables


def test_spans_stay_inside_the_table_and_off_each_other():
    found = table(
        "<table><thead><tr><th rowspan=9>a<th colspan=2>b<tr><th>c<th>d</thead>"
        "<tr><td colspan=2>e<td rowspan=77>f<tr><td>g<td colspan=9999999>h</table>"
    )
    assert (found.n_rows, found.n_header) == (4, 2)
    taken = [
        (cell.row + r, cell.column + c)
        for cell in found.cells
        for r in range(cell.rows)
        for c in range(cell.columns)
    ]
    assert len(taken) == len(set(taken))
    assert max(row for row, _ in taken) == 3
    assert {c.text: (c.row, c.column, c.rows, c.columns) for c in found.cells}["a"] == (0, 0, 2, 1)


def test_columns_of_numbers_stand_to_the_right():
    found = table(
        "<table><tr><th>a<th>b<th>c<tr><td>x<td>-1.5<td>3 %<tr><td>2<td>&lt; 1e-16<td>4</table>"
    )
    assert {cell.column: cell.align for cell in found.cells} == {0: "left", 1: "right", 2: "right"}


def test_a_table_is_fitted_step_by_step():
    """Natural width, small type, headers upright, parts: the first that fits."""
    steps = [
        fit(table(markup), PAGE)
        for markup in (
            rows_of(5),
            rows_of(15),
            rows_of(12, header="a_very_long_name_without_spaces"),
            rows_of(60),
        )
    ]
    assert [(step.size, step.upright, len(step.parts)) for step in steps] == [
        (9.0, False, 1),
        (7.0, False, 1),
        (9.0, True, 1),
        (7.0, False, 4),
    ]
    assert steps[0].widths is None
    for step in steps[1:]:
        for part in step.parts:
            assert sum(step.widths[column] + 2 * PAD for column in part) <= PAGE + 0.01
            assert part[0] == 0  # the labels of the rows
    assert sorted({c for part in steps[-1].parts for c in part}) == list(range(60))


def test_long_text_is_set_in_lines_and_numbers_are_not():
    found = table(f"<table><tr><th>what<th>n<tr><td>{'word ' * 90}<td>0.123456789</table>")
    fitted = fit(found, PAGE)
    assert fitted.size == 9.0
    assert fitted.widths[1] >= letters_wide("0.123456789") * 9.0
    assert sum(fitted.widths) + 4 * PAD <= PAGE + 0.01


# ------------------------------------------------------------------------------------- lines


def joined(lines):
    return ["".join(span.text for span in line.spans) for line in lines]


def test_no_line_is_longer_than_the_page_and_nothing_is_lost():
    source = "x = f(" + "argument, " * 30 + ")\n" + "y = '" + "z" * 200 + "'\n\n    # end 日本"
    lines, hidden = code_lines(source, "python", 40)
    texts = joined(lines)
    assert hidden == 0
    assert max(map(len, texts)) <= 40
    again = "".join(
        text if line.continued or not number else f"\n{text}"
        for number, (line, text) in enumerate(zip(lines, texts, strict=True))
    )
    assert again == source
    kinds = {span.kind for line in lines for span in line.spans}
    assert {"string", "comment"} <= kinds
    assert joined(code_lines("a b", "no such language", 40)[0]) == ["a b"]


def test_long_output_is_shortened_and_says_so():
    lines, hidden = text_lines("\n".join(map(str, range(1000))), 40)
    texts = joined(lines)
    assert hidden == 1000 - 350
    assert texts[250] == "[… 650 lines left out …]"
    assert (texts[0], texts[249], texts[251], texts[-1]) == ("0", "249", "900", "999")
    assert text_lines("a\nb", 40)[1] == 0


def test_output_is_what_a_terminal_shows_in_the_end():
    assert text_of_terminal(" 10%|#\r100%|##\n\x1b[1;31mred\x1b[0m b\x08bold \x1b]8;;u\x07l") == (
        "100%|##\nred bold l"
    )


# ---------------------------------------------------------------------------------- formulas


def test_macros_are_known_to_the_formulas_after_them():
    macros = Macros()
    assert macros.expand(r"\newcommand{\v}[2]{\mathbf{#1}_{#2}} \v{x}{i}").strip() == (
        r"{\mathbf{x}_{i}}"
    )
    assert macros.expand(r"\DeclareMathOperator{\argmax}{arg\,max}\argmax f") == (
        r"{\operatorname{arg\,max}} f"
    )
    assert macros.expand(r"\vec{a}") == r"\vec{a}"
    macros.expand(r"\newcommand{\loop}{\loop\loop}")
    assert len(macros.expand(r"\loop")) < 30_000


def test_formulas_become_typst_or_are_refused():
    found = formulas(
        [
            Formula(r"\begin{equation}x\label{a}\tag{7}\end{equation}", display=True),
            Formula(r"\frac{1", display=False),
            Formula(r"\newcommand{\R}{\mathbb{R}}", display=False),
            Formula(r"\R", display=False),
        ],
        pandoc_path(),
    )
    assert found[0].startswith("math.equation(block: true, alt: ")
    assert "(7)" in found[0]
    assert found[1] is None
    assert found[2] == "none"
    assert found[3] == r'math.equation(block: false, alt: "\\R", $bb(R)$)'


# ---------------------------------------------------------------------------------- pictures


def uri(kind, data):
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def test_pictures_know_their_size():
    png = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (20).to_bytes(4) + (10).to_bytes(4)
    found = picture(uri("png", png))
    assert (found.width, found.height) == (20 * PIXEL, 10 * PIXEL)
    asked = picture(uri("png", png), {"width": 40})
    assert (asked.width, asked.height) == (40 * PIXEL, 20 * PIXEL)
    gif = b"GIF89a" + (30).to_bytes(2, "little") + (6).to_bytes(2, "little")
    assert picture(uri("gif", gif))[2:] == (30 * PIXEL, 6 * PIXEL)
    jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08" + (8).to_bytes(2) + (9).to_bytes(2)
    assert picture(uri("jpeg", jpeg))[2:] == (9 * PIXEL, 8 * PIXEL)
    svg = b'<?xml version="1.0"?><svg viewBox="0 0 200 100" width="1in"/>'
    assert picture(uri("svg+xml", svg))[2:] == (72.0, 36.0)
    assert picture("data:text/plain,abc") is None
    assert picture("https://example.org/a.png") is None


# ---------------------------------------------------------------------------------- browsers


def test_a_chromium_is_looked_for_where_it_may_be(monkeypatch, tmp_path):
    monkeypatch.setenv(pdf_browser.CHROMIUM, "/no/such/browser")
    with pytest.raises(FileNotFoundError, match=r"^NBCOMPARE_CHROMIUM must name a Chromium; got"):
        pdf_browser.find_chromium()
    monkeypatch.delenv(pdf_browser.CHROMIUM)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(pdf_browser, "_of_playwright", lambda: None)
    with pytest.raises(FileNotFoundError, match=r"^printing the page needs a Chromium, and none"):
        pdf_browser.find_chromium()
    own = tmp_path / "chromium"
    own.write_text("#!/bin/sh\necho sorry >&2; exit 3\n")
    own.chmod(0o755)
    assert pdf_browser.find_chromium() == str(own)
    with pytest.raises(RuntimeError, match=r"printed nothing: sorry$"):
        pdf_browser.print_page("<html></html>")
    monkeypatch.setattr(pdf_browser, "_LONGEST", 0)
    with pytest.raises((RuntimeError, subprocess.TimeoutExpired)):
        pdf_browser.print_page("<html></html>")
