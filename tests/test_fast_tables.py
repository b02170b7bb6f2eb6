"""Large text files, read by polars: what comes back is what the careful reader gives."""

import gzip
from dataclasses import replace
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import DEVIATIONS, LONG, WIDE, damaged

from nbcompare import _tables
from nbcompare._tables import TextFormat, delimited, frames, large_text
from nbcompare._validation import DataError


def both_ways(path, **options):
    """What a file tells if polars may read it, and if it may not; and whether polars did."""
    told, read = [], []
    with pytest.MonkeyPatch.context() as patch:
        columns_of = large_text.columns_of
        patch.setattr(
            large_text, "columns_of", lambda *a, **k: read.append(columns_of(*a, **k)) or read[-1]
        )
        for least in (0, 2**60):
            patch.setattr(delimited, "LARGE", least)
            try:
                told.append(contents(_tables.read(path, text=TextFormat(**options))))
            except DataError as error:
                told.append(str(error))
    return (*told, bool(read) and read[0] is not None)


def contents(table):
    """All that a table tells, NaN and the sign of zero included."""
    told = {None: table.n_rows, "signs": [repr(table.percents(name)) for name in table.columns]}
    for name in table.columns:
        column = table[name]
        told[name] = (
            (table.is_text(name), table.is_bool(name)),
            repr(column.tolist()),
            *(said(way, name) for way in (table.coded_labels, table.labels, table.numbers)),
            table.cell(table.n_rows - 1, name, name) if table.n_rows else None,
        )
    return told


def said(function, name):
    """What a function gives, or the words of its error."""
    try:
        return repr([np.asarray(part).tolist() for part in function(name)])
    except DataError as error:
        return str(error)


@pytest.mark.parametrize(
    ("text", "is_fast"),
    [
        ("dataset,run,A\niris,007,1.5\nadult,1,2e-3\niris,1,\n", True),
        ("\ufeffdataset,run,A\r\niris,1,nan\r\niris,2,-inf\r\n", True),
        ('"dataset","run","A"\n"iris","1",1\n"N/A","2",NA\n', True),
        ("dataset;run;A\na b;1;1.5\n a  b;2;1\n", True),
        ('"a\nb",dataset,run\n1,iris,1\n', True),
        ("dataset,note,A\niris,good,1\nadult,5,2\n", True),
        ('dataset,A\n"a,b",1\nc,"2"\n', True),
        ("dataset,A\niris,93%\nadult,1\n", True),
        ("dataset,A\niris,1\nadult,True\n", True),
        ("dataset,A\niris,False\nadult,True\n", True),
        ("dataset,A\niris,1\nadult,2\n\n\n", True),
        ("dataset,A\niris,2\nadult,1_0\n", True),
        ("A,B\n1,2\n,\n3,4\n", True),
        ("A,B\n1,2\n,\n", True),
        ("dataset,A\niris,1\n,\n,\n", True),
        ("dataset,A\niris,1\n\nadult,2\n", False),
        ('dataset,A\n"say ""x""",1\n', False),
        ('dataset,A\n"two\nlines",1\n', False),
        ('dataset,A\n" iris",1\n', True),
        ("dataset,A\niris,1\radult,2\n", False),
        ("dataset,A\n\ufeffiris,1\n", False),
        ("dataset\niris\n", False),
        ("dataset,A\n", False),
        # these are refused, in the same words
        ("dataset,A\niris,1,2\n", False),
        ("dataset,A\niris,1\nadult\n", False),
        ("dataset,A\niris\nadult,1,2\n", False),
        ("dataset,A\riris,1\nadult,2\n", False),
        ('dataset,A\n"x"y,1\n', False),
        ('dataset,A\n""x"",""1""\n', False),
        ('dataset,A\n"x,1\n', False),
    ],
)
def test_same_cells_and_the_same_errors(tmp_path, text, is_fast):
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8", newline="")
    quick, careful, was_fast = both_ways(path)
    assert quick == careful
    assert was_fast == is_fast


@pytest.mark.slow
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
    quick, careful, _ = both_ways(path)
    assert quick == careful


TRIED = 1_000  # 10,000, which take more than a minute, were the same when this was written


@pytest.mark.weekly
def test_damaged_tables_read_the_same(tmp_path, monkeypatch):
    random = Random(0)
    n_fast = n_read = 0
    for number in range(TRIED):
        separator = random.choice(",;\t")
        text = random.choice((LONG, WIDE, DEVIATIONS)).replace(",", separator)
        data = damaged(text.replace("\n", random.choice(("\n", "\r\n"))).encode(), random)
        options = {"encoding": random.choice(("utf-8-sig",) * 5 + ("utf-8", "ascii", "latin-1"))}
        options["decimal"] = random.choice((None, None, ",", "."))
        packed = random.random() < 0.1
        path = tmp_path / ("t.csv.gz" if packed else "t.csv")
        path.write_bytes(gzip.compress(data, 1) if packed else data)
        monkeypatch.setattr(large_text, "SAMPLE", random.choice((2, 10_000)))
        quick, careful, is_fast = both_ways(path, **options)
        assert quick == careful, (number, data, options)
        n_fast += is_fast
        n_read += not isinstance(careful, str)
    assert n_fast > TRIED / 10
    assert TRIED / 3 < n_read < TRIED


@pytest.mark.slow
@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_columns_of_a_large_file(tmp_path, order):
    random = Random(0)
    rows = [f"d{i // 400},{i % 7},{i},{i / 8},{'' if i % 3 else 'x'}" for i in range(30_000)]
    if order == "shuffled":
        random.shuffle(rows)
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress("\n".join(["dataset,run,id,A,note", *rows]).encode()))
    quick, careful, is_fast = both_ways(path)
    assert is_fast
    assert quick == careful


@pytest.mark.parametrize("end", ["d1,1,1", "other,7,1", '"say, so",1,1', ",,2"])
def test_labels_that_the_first_rows_do_not_hold(tmp_path, monkeypatch, end):
    """Columns are read as the labels of a sample, unless there is another one."""
    monkeypatch.setattr(large_text, "_BEGIN", 100)
    path = tmp_path / "scores.csv"
    rows = [f"d{i % 3},{i % 2},{i / 8}" for i in range(100)]
    path.write_text("\n".join(["dataset,run,A", *rows, end]))
    quick, careful, is_fast = both_ways(path)
    assert is_fast
    assert quick == careful
    monkeypatch.setattr(frames, "FEW", 50)
    frame = pl.read_csv(path, infer_schema=False)
    frame.write_parquet(tmp_path / "scores.parquet")
    assert contents(_tables.read(tmp_path / "scores.parquet")) == contents(
        replace(_tables.from_frame(frame), source="scores.parquet")
    )


def test_labels_of_what_was_read_as_numbers(tmp_path, monkeypatch):
    path = tmp_path / "scores.csv"
    monkeypatch.setattr(delimited, "LARGE", 0)
    monkeypatch.setattr(large_text, "SAMPLE", 2)
    path.write_text("dose,A\n0.10,1.5\n0.2,2.25\n0.30,1\n0.300,\n\n\n")
    table = _tables.read(path)
    assert table["dose"].tolist() == [0.1, 0.2, 0.3, 0.3]
    assert table.part(np.array([3, 0])).labels("dose") == ["0.300", "0.10"]
    assert table.labels("dose") == ["0.10", "0.2", "0.30", "0.300"]
    assert table.cell(3, "A", "dose") == "scores.csv, row 4 ('0.300'), column 'A'"
    other = table.read_as(TextFormat(decimal=","), ["A"])
    with pytest.raises(
        DataError, match=r"row 1 \('0\.10'\), column 'A' must be a number; got '1\.5'"
    ):
        other.numbers("A", "dose")
    known = table.read_as(TextFormat(missing=frozenset({"", "1"})), ["A"])
    assert known.numbers("A").tolist() == pytest.approx([1.5, 2.25, np.nan, np.nan], nan_ok=True)


def test_other_encodings(tmp_path, monkeypatch):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,run,A\né,1,2\n", encoding="latin-1")
    monkeypatch.setattr(delimited, "LARGE", 0)
    other = _tables.read(path, text=TextFormat(encoding="latin-1"))
    assert other.labels("dataset") == ["é"]
    with pytest.raises(DataError, match=r"^scores\.csv is not utf-8 text"):
        _tables.read(path)


def test_one_format_decides_what_is_missing_both_ways(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,A,B\nx,Absent,1\ny,2,ABSENT\nz,3,NA\n")
    quick, careful, is_fast = both_ways(path, missing=frozenset({"", "absent", "na"}))
    assert is_fast
    assert quick == careful
    assert quick["A"][-2] == "[nan, 2.0, 3.0]"
    assert quick["B"][-2] == "[1.0, nan, nan]"
    quick, careful, _ = both_ways(path, missing=frozenset({""}))
    assert quick == careful
    assert quick["A"][-2] == (
        "scores.csv, row 1, column 'A' must be a number; got 'Absent'. "
        "Pass missing_words=['Absent']."
    )
