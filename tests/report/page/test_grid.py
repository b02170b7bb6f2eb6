"""Tables fitted to a page."""

import pytest

from nbcompare.report.page.tree import PAD, fit, grid, letters_wide, parse

PAGE = 470.0


def table(markup):
    return grid(next(node for node in parse(markup).nodes() if node.tag == "table"))


def rows_of(n_columns, cell="0.1234", n_rows=2, header="name"):
    head = "<tr>" + f"<th>{header}</th>" * n_columns + "</tr>"
    return f"<table>{head}{('<tr>' + f'<td>{cell}</td>' * n_columns + '</tr>') * n_rows}</table>"


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


def test_the_height_counts_the_lines_of_every_row():
    rows = "<tr><td>word word word word</td><td>1</td></tr><tr><td>a</td><td>2</td></tr>"
    table = grid(parse(f"<table><tr><th>x<th>y</tr>{rows}</table>").children[0])
    assert table.height(None, 10.0) == pytest.approx(3 * 14)  # one line each
    # 19 letters at about half the size of the type, in a column of 30 points
    wide = -(-letters_wide("word word word word") * 10 // 30)
    assert wide == 4
    assert table.height((30.0, 30.0), 10.0) == pytest.approx(2 * 14 + 4 * 11 + 3)


def test_the_number_of_an_ideograph_is_wider_than_the_ideograph():
    table = grid(parse("<table><tr><td>林林林林</td><td>x</td></tr></table>").children[0])
    assert fit(table, 120.0).widths is None
    assert fit(table, 120.0, ideograph=3.2).widths is not None
