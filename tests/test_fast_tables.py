"""Large text files at full speed: what comes back is what the careful reader gives."""

import builtins
import gzip

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbcompare import _tables
from nbcompare._tables import RawTable, fast, frames
from nbcompare._tables.coded import Coded, Columns
from nbcompare._validation import DataError

LABELS = {"dataset", "run"}


def both_ways(path, monkeypatch, **options):
    """What comes of a file, read fast (if that is possible) and with care; words of an error."""
    told = []
    for least in (0, 2**60):
        monkeypatch.setattr(fast, "FAST_FROM", least)
        try:
            table = _tables.read(path, labels=LABELS, **options)
            told.append((isinstance(table.columns, Columns), table))
        except DataError as error:
            told.append((False, str(error)))
    return told


def assert_same(quick, careful):
    if isinstance(careful, str) or isinstance(quick, str):
        assert quick == careful
        return
    assert list(quick.columns) == list(careful.columns)
    assert quick.n_rows == careful.n_rows
    for name in careful.columns:
        assert quick.is_text(name) == careful.is_text(name)
        assert quick.is_only_text(name) == careful.is_only_text(name)
        np.testing.assert_array_equal(quick.columns[name], careful.columns[name])
    for name in LABELS & set(careful.columns):
        codes, labels = said(quick.coded_labels, name)
        expected, theirs = said(careful.coded_labels, name)
        assert labels == theirs
        np.testing.assert_array_equal(codes, expected)
        assert said(quick.labels, name) == said(careful.labels, name)


def said(function, name):
    """What a function gives, or the words of its error."""
    try:
        return function(name)
    except DataError as error:
        return "error", str(error)


@pytest.mark.parametrize(
    ("text", "at_full_speed"),
    [
        ("dataset,run,A\niris,007,1.5\nadult,1,2e-3\niris,1,\n", True),
        ("\ufeffdataset,run,A\r\niris,1,nan\r\niris,2,-inf\r\n", True),
        ('"dataset","run","A"\n"iris","1",1\n"N/A","2",NA\n', True),
        ("dataset,run,A\nNA,1,?\n\nadult,1,2\n", True),
        ("dataset;run;A\na b;1;1.5\n a  b;2;1\n", True),
        ("dataset,note,A\niris,good,1\nadult,bad,2\n", True),
        ('"a\nb",dataset,run\n1,iris,1\n', True),
        ("dataset,note,A\niris,good,1\nadult,5,2\n", False),
        ("dataset,note,A\niris,good,1\nadult,,2\n", False),
        ('dataset,A\n"a,b",1\n', False),
        ('dataset,A\n"say ""x""",1\n', False),
        ("dataset,A\niris,93%\n", False),
        ("dataset,A\niris,1\nadult,True\n", False),
        ("dataset,A\niris,1\n,\n,\n", False),
        ("dataset,A\niris,2\nadult,1_0\n", False),
        ('dataset,A\niris,"1.5"\n', False),
        ("dataset\niris\n", False),
        ("dataset,A\n", False),
    ],
)
def test_same_cells(tmp_path, monkeypatch, text, at_full_speed):
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8", newline="")
    (is_fast, quick), (_, careful) = both_ways(path, monkeypatch)
    assert is_fast == at_full_speed
    assert not isinstance(careful, str)
    assert_same(quick, careful)


@pytest.mark.parametrize(
    "text",
    [
        "dataset,A\niris,1,2\n",
        "dataset,A\niris\n",
        'dataset,A\n"x"y,1\n',
        'dataset,A\n"x,1\n',
        "dataset,dataset\niris,1\n",
    ],
)
def test_same_errors(tmp_path, monkeypatch, text):
    path = tmp_path / "scores.csv"
    path.write_text(text)
    (_, quick), (_, careful) = both_ways(path, monkeypatch)
    assert isinstance(quick, str)
    assert quick == careful


@settings(max_examples=150)
@given(
    rows=st.lists(
        st.tuples(*(st.text(alphabet="ab1.5e-+,; \"\t%?NAn'_", max_size=6) for _ in range(3))),
        min_size=1,
        max_size=6,
    )
)
def test_any_text_reads_the_same(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("fast") / "scores.csv"
    path.write_text("\n".join(["dataset,run,A", *map(",".join, rows)]) + "\n")
    with pytest.MonkeyPatch.context() as monkeypatch:
        (_, quick), (_, careful) = both_ways(path, monkeypatch)
    assert_same(quick, careful)


def test_blocks_of_a_large_file_have_labels_of_their_own(tmp_path, monkeypatch):
    rows = [f"d{i // 40_000},{i % 7},{i / 8}" for i in range(300_000)]
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress("\n".join(["dataset,run,A", *rows]).encode()))
    (is_fast, quick), (_, careful) = both_ways(path, monkeypatch)
    assert is_fast
    assert_same(quick, careful)


def test_without_pyarrow_and_in_other_encodings(tmp_path, monkeypatch):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,run,A\né,1,2\n", encoding="latin-1")
    monkeypatch.setattr(fast, "FAST_FROM", 0)
    other = _tables.read(path, labels=LABELS, encoding="latin-1")
    assert other.labels("dataset") == ["é"]
    with pytest.raises(DataError, match=r"^scores\.csv is not utf-8 text \(line 2\)"):
        _tables.read(path, labels=LABELS)
    path.write_text("dataset,run,A\ne,1,2\n")
    assert isinstance(_tables.read(path, labels=LABELS).columns, Columns)
    real = builtins.__import__

    def without(name, *rest, **named):
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    assert not isinstance(_tables.read(path, labels=LABELS).columns, Columns)


@pytest.mark.parametrize(
    "library",
    [
        pd.DataFrame,
        pl.from_pandas,
        pa.Table.from_pandas,
        lambda frame: frame.astype({"dataset": "category"}),
        lambda frame: pl.from_pandas(frame.astype({"dataset": "category"})),
    ],
)
def test_dataframes_of_many_rows(monkeypatch, library):
    rows = 200
    frame = library(
        pd.DataFrame(
            {
                "dataset": [f" d{i % 3}" for i in range(rows)],
                "gaps": ["a", None] * (rows // 2),
                "run": [str(i) for i in range(rows)],
                "A": np.arange(rows) / 8,
            }
        )
    )
    careful = _tables.from_frame(frame)
    monkeypatch.setattr(frames, "_MANY_ROWS", 10)
    quick = _tables.from_frame(frame)
    assert quick.columns.coded("dataset") is not None
    assert quick.columns.coded("gaps") is quick.columns.coded("run") is None
    assert_same(quick, careful)


def test_labels_that_nobody_can_see_are_refused():
    cells = ("a", "\u202a", "b")
    table = RawTable("here", Columns({"run": Coded(np.array([0, 2, 1]), cells)}))
    with pytest.raises(DataError, match=r"^here, row 3, column 'run' must be a label; got"):
        table.coded_labels("run")
