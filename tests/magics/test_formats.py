"""Files of every format in lines of magics."""

import openpyxl
import pandas as pd
import pytest
from IPython.core.error import UsageError

from nbcompare._messages import Mistake
from nbcompare.magics._sources import SUFFIXES, is_path

ROWS = [["dataset", "A", "B"], ["x", 1, 2], ["y", "crash", 3], ["z", 4, 5], ["u", 6, 8]]


@pytest.fixture
def sheets(here):
    book = openpyxl.Workbook()
    book.active.title = "One"
    for row in ROWS:
        book.active.append(row)
    other = book.create_sheet("Other")
    other.append(["a note"])
    book.save(here / "scores.xlsx")
    return here


def test_a_sheet(shell, displayed, sheets):
    line = "scores.xlsx --direction maximize --missing drop"
    with pytest.raises((Mistake, UsageError), match="Pass --sheet One, for instance"):
        shell.run_line_magic("compare", line)
    with pytest.raises((Mistake, UsageError), match="Pass --missing-words crash"):
        shell.run_line_magic("compare", f"{line} --sheet One")
    shell.run_line_magic("compare", f"{line} --sheet One --missing-words crash --as made")
    assert shell.user_ns["made"].design.datasets == ("x", "z", "u")


def test_words_for_a_dataframe(shell, displayed):
    shell.user_ns["table"] = pd.DataFrame(ROWS[1:], columns=ROWS[0])
    line = "table --direction maximize --missing drop --missing-words crash --as made"
    shell.run_line_magic("compare", line)
    assert shell.user_ns["made"].design.datasets == ("x", "z", "u")


def test_ranks_in_a_cell(shell, displayed):
    cell = "dataset,A,B\nx,0.76(3),0.7(2)\ny,0.7(1),0.6(2)\n"
    with pytest.raises((Mistake, UsageError), match="Pass --brackets std or --brackets rank"):
        shell.run_cell_magic("compare", "--direction maximize", cell)
    shell.run_cell_magic("compare", "--direction maximize --brackets rank --as made", cell)
    assert shell.user_ns["made"].design.datasets == ("x", "y")


def test_a_notebook_has_no_standard_input(shell):
    with pytest.raises(UsageError, match=r"has no standard input; paste the table below %%compare"):
        shell.run_line_magic("compare", "- --direction maximize")


def test_words_that_look_like_files():
    names = ("t.xlsx", "t.json", "t.jsonl", "T.CSV.ZST", "t.parquet")
    assert all(map(is_path, names))
    assert all(name.lower().endswith(SUFFIXES) for name in names)
