"""Cells that a page folds together, and what verification says of folded displays."""

import pytest
from nbformat import v4

import nbcompare as nbc
from nbcompare.report.page.content import fold


def cells(*texts):
    made = [v4.new_markdown_cell("x", metadata={"nbcompare_fold": text} if text else {})
            for text in texts]  # fmt: skip
    return v4.new_notebook(cells=made)


@pytest.mark.parametrize(
    ("texts", "begins", "ends"),
    [
        (["", "a", "a", ""], ["", "a", "", ""], [False, False, True, False]),
        (["a", "b", "b"], ["a", "b", ""], [True, False, True]),
        (["a", "", "a"], ["a", "", "a"], [True, False, True]),
        ([], [], []),
    ],
)
def test_cells_in_a_row_with_the_same_text_are_folded_together(texts, begins, ends):
    notebook = cells(*texts)
    fold(notebook)
    assert [cell.metadata.nbcompare_begins for cell in notebook.cells] == begins
    assert [cell.metadata.nbcompare_ends for cell in notebook.cells] == ends


def test_what_a_foreign_notebook_says_of_folds_is_not_trusted():
    notebook = cells(3, "a")
    notebook.cells[0].metadata |= {"nbcompare_begins": "<b>", "nbcompare_ends": True}
    notebook.cells.append(v4.new_markdown_cell("", metadata={"nbcompare_fold": "a"}))
    fold(notebook)
    assert [cell.metadata.nbcompare_begins for cell in notebook.cells] == ["", "a", ""]
    assert [cell.metadata.nbcompare_ends for cell in notebook.cells] == [False, True, False]


@pytest.mark.slow
def test_a_folded_appendix_holds(tmp_path):
    from nbcompare.report import verify

    data, page = nbc.datasets.load("demsar2006"), tmp_path / "report.html"
    nbc.Report(data, sections=["findings", "comparison", "appendix"]).export(page)
    assert page.read_text(encoding="utf-8").count('<details class="folded">') == 1
    assert verify(page, data=data).holds
