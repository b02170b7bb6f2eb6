"""Files of every format in lines of magics."""

import pytest
from IPython.core.error import UsageError

from nbcompare.magics._sources import SUFFIXES, is_path


def test_a_notebook_has_no_standard_input(shell):
    with pytest.raises(UsageError, match=r"has no standard input; paste the table below %%compare"):
        shell.run_line_magic("compare", "- --direction maximize")


def test_words_that_look_like_files():
    names = ("t.xlsx", "t.json", "t.jsonl", "T.CSV.ZST", "t.parquet")
    assert all(map(is_path, names))
    assert all(name.lower().endswith(SUFFIXES) for name in names)
