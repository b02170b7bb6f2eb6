"""The reader of tables: text files, Parquet, dataframes; what it refuses, it explains."""

import csv
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbcompare import _tables
from nbcompare._tables import TextFormat, delimited
from nbcompare._validation import DataError, clean_label

QUICK = settings(
    derandomize=True,
    deadline=None,
    max_examples=80,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def written(tmp_path):
    def write(content, name="t.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def columns_of(path, **options):
    table = _tables.read(path, text=TextFormat(**options))
    return {name: table[name].tolist() for name in table.columns}


def refuses(error, message):
    # how to leave out what is wrong: see tests/foreign/test_cells.py
    rest = (
        r"( Pass missing_words=\[.*\]\.| Write the number alone, or leave the cell empty if there "
        r"is no result\.)?( To leave out .*)?"
    )
    return pytest.raises(error, match=f"^{re.escape(message)}{rest}$")


NAN = pytest.approx(np.nan, nan_ok=True)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("dataset,A\nx,1\ny,2.5\n", {"dataset": ["x", "y"], "A": [1.0, 2.5]}),
        ("dataset,A\nx,1", {"dataset": ["x"], "A": [1.0]}),
        (b"\xef\xbb\xbfdataset,A\nx,1\n", {"dataset": ["x"], "A": [1.0]}),
        ("dataset,A\r\nx,1\r\n\r\n\r\n", {"dataset": ["x"], "A": [1.0]}),
        ("dataset,A\rx,1\r", {"dataset": ["x"], "A": [1.0]}),
        ("dataset,A\nx,1\n\n  \n\t\n", {"dataset": ["x"], "A": [1.0]}),
        ("dataset,A\nx,1\n,\n , \n", {"dataset": ["x"], "A": [1.0]}),
        ('dataset,A\n"x",1\n,\n', {"dataset": ["x"], "A": [1.0]}),
        ("dataset,A\nx,1\n\ny,2\n", {"dataset": ["x", "y"], "A": [1.0, 2.0]}),
        ("dataset;A\nx;1\n", {"dataset": ["x"], "A": [1.0]}),
        ("dataset\tA\nx\t1\n", {"dataset": ["x"], "A": [1.0]}),
        (" dataset , A b\nx , 1 \n y, 2\n", {"dataset": ["x ", "y"], "A b": [1.0, 2.0]}),
        ("dataset,A\nNA,1\nNone,2\n007,3\n", {"dataset": [NAN, NAN, 7], "A": [1, 2, 3]}),
        ('dataset,"A, b"\n"x, y",1\n', {"dataset": ["x, y"], "A, b": [1.0]}),
        ('dataset,"C ""4"""\n"say ""x""",1\n', {"dataset": ['say "x"'], 'C "4"': [1.0]}),
        ('"data\nset",A\n"x\ny",1\n', {"data set": ["x\ny"], "A": [1.0]}),
        ('dataset,"A"\n"x"," 1 "\n', {"dataset": ["x"], "A": [1.0]}),
        ('dataset,5" disk\n3,1\n', {"dataset": [3.0], '5" disk': [1.0]}),
        ('dataset,A\n5" disk,1\n', {"dataset": ['5" disk'], "A": [1.0]}),
        ("dataset,A,A.1\nx,1,2\n", {"dataset": ["x"], "A": [1.0], "A.1": [2.0]}),
        (",A\n01,1\n", {"": [1.0], "A": [1.0]}),
        ("Dataset,A\n01,1\n", {"Dataset": [1.0], "A": [1.0]}),
        ("dataset,A\n", {"dataset": [], "A": []}),
        ("dataset,A", {"dataset": [], "A": []}),
        ("A\n1\n2\n", {"A": [1.0, 2.0]}),
        ("other,A\nx,1\n-,2\n", {"other": ["x", "-"], "A": [1.0, 2.0]}),
        ("other,A\nx,1\n,2\n", {"other": ["x", None], "A": [1.0, 2.0]}),
        ("other,A\nx,1\n3,2\nNA,3\n", {"other": ["x", 3.0, None], "A": [1.0, 2.0, 3.0]}),
    ],
)
def test_text_files(written, content, expected):
    assert columns_of(written(content)) == expected


@pytest.mark.parametrize("name", ["dataset", "A", "score", "anything"])
def test_labels_stay_as_they_stand_whatever_the_column_is_called(written, name):
    cells = ["007", "7", "7.0", "NA", "1,000", "93%", "-", "+1"]
    content = f"{name};other\n" + "".join(f"{cell};1\n" for cell in cells)
    assert _tables.read(written(content)).labels(name) == cells
    records = json.dumps([{name: cell, "other": 1} for cell in cells])
    assert _tables.read(written(records, "t.json")).labels(name) == cells


@pytest.mark.parametrize("spelled", ["True False", "true false", "TRUE FALSE"])
def test_true_and_false_are_numbers_and_labels(written, spelled):
    yes, no = spelled.split()
    table = _tables.read(written(f"dataset,A,B\nx,{yes},{yes}\ny, {no} ,{no}\nz,,1\n"))
    assert table.is_bool("A")
    assert not table.is_text("A")
    assert table["A"].tolist() == [1.0, 0.0, NAN]
    assert table.numbers("A").tolist() == [1.0, 0.0, NAN]
    assert table.part(np.array([1, 0])).labels("A") == ["False", "True"]
    assert not table.is_bool("B")
    assert table.is_text("B")
    with refuses(DataError, f"t.csv, row 1, column 'B' must be a number; got {yes!r}."):
        table.numbers("B")


def test_true_and_false_in_other_places(written):
    columns = {"A": [True, False, None], "B": [True, True, False]}
    objects = pd.DataFrame(columns)
    frames = [objects, pl.DataFrame(columns), pa.table(columns), objects.convert_dtypes()]
    tables = [_tables.from_frame(frame) for frame in frames]
    stored = written("", "t.parquet")
    frames[1].write_parquet(stored)
    tables.append(_tables.read(stored))
    records = [dict(zip("AB", row, strict=True)) for row in zip(*columns.values(), strict=True)]
    tables.append(_tables.read(written(json.dumps(records), "t.json")))
    for table in tables:
        assert table.is_bool("A")
        assert table.numbers("A").tolist() == [1.0, 0.0, NAN]
        assert table.labels("B") == ["True", "True", "False"]
        assert table.coded_labels("B")[1] == ["True", "False"]


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("0.1", 0.1),
        ("-0.0", -0.0),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("1e-300", 1e-300),
        ("4.9e-324", 5e-324),
        ("1E5", 1e5),
        ("9007199254740993", 2.0**53),
        ("18446744073709551617", 2.0**64),
        ("1e400", np.inf),
        ("-Infinity", -np.inf),
        ("inf", np.inf),
        ("0.1000000000000000055511151231257827021181583404541015625", 0.1),
        *((token, np.nan) for token in ("", " ", "NA", "n/a", "NaN", "NAN", "nan", "-nan")),
        *((token, np.nan) for token in ("NULL", "null", "None", "?", "-", "na")),
    ],
)
def test_numbers(written, cell, value, quoted):
    mark = '"' if quoted else ""
    table = _tables.read(written(f"dataset,A\nx,{mark}{cell}{mark}\ny,1\n"))
    assert table["A"].dtype == np.float64
    np.testing.assert_array_equal(table["A"], [value, 1.0])
    assert np.signbit(table["A"][0]) == np.signbit(value) or np.isnan(value)


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize(
    "cell",
    ["abc", "tRUE", "0x10", "1_000", "1e", "1d3", "%", "1 2", "١", "--1", "1j", "−−1"],
)
def test_text_among_numbers(written, cell, quoted):
    mark = '"' if quoted else ""
    table = _tables.read(written(f"dataset,A,B\nx,1,{mark}{cell}{mark}\ny,1,\nz,2,3\n"))
    with refuses(DataError, f"t.csv, row 1 ('x'), column 'B' must be a number; got {cell!r}."):
        table.numbers("B", "dataset")
    alone = _tables.read(written(f"dataset,A\nx,{mark}{cell}{mark}\n"))
    with refuses(DataError, f"t.csv, row 1, column 'A' must be a number; got {cell!r}."):
        alone.numbers("A")


@pytest.mark.parametrize("cell", ["inf", "-inf", "1e400"])
def test_infinite_numbers(written, cell):
    table = _tables.read(written(f"dataset,A\nx,1\ny,{cell}\n"))
    with refuses(
        DataError,
        f"t.csv, row 2 ('y'), column 'A' must be finite; got {float(cell)}. "
        f"Pass missing_words=['{float(cell)}']. Leave the cell empty if there is no result.",
    ):
        table.numbers("A", "dataset")


NO_NAME = "has no name. Give it one, or delete the column if it is empty. The names must be in the"
TWICE = "t.csv: column names must be distinct; got 'A' in columns 2 and 3."
CELLS_OF = (
    "in the header; got {!r}. Quote a cell that holds ','; an empty cell keeps its separator."
)
MARKS = "Inside a quoted cell, write a quotation mark twice."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "t.csv is empty."),
        ("\ndataset,A\nx,1\n", "t.csv has no header: its first line is empty. Add the names of"),
        ("dataset,A,A\n", TWICE),
        ("dataset,A, A \n", TWICE),
        ("dataset,,A\nx,1,2\n", f"t.csv: column 2 {NO_NAME}"),
        ("dataset,A,\nx,1,2\n", f"t.csv: column 3 {NO_NAME}"),
        ("dataset;A,b\nx;1,5\n", "t.csv: the header could be separated by ',' and ';'. Pass sep"),
        (
            "dataset,A\nx,1\ny,1,2\n",
            "row 2 has 3 cells for the 2 names in the header; got 'y,1,2'.",
        ),
        ("dataset,A,B\nx,1\n", "row 1 has 2 cells for the 3 names in the header; got 'x,1'."),
        ("A\n1\n2,3\n", "row 2 has 2 cells for the 1 name in the header; got '2,3'. Quote a cell"),
        (
            'dataset,A\n"x",1\ny\n',
            "an empty cell keeps its separator. Delete the row if it is a note.",
        ),
        (
            'dataset,A\nx,1\n"y,2\nz,3\n',
            "row 2: a quotation mark opens a cell that does not end. In",
        ),
        ('dataset,"A\nx,1\n', "the header: a quotation mark opens a cell that does not end."),
        (
            'dataset,A\n"x" y,1\n',
            "row 1: text follows the closing quotation mark of a cell. In",
        ),
        ("Name\nBöse\n".encode("latin-1"), "Pass encoding=, for instance encoding='latin-1'."),
        ("dataset,A\n".encode("utf-16"), "Pass encoding=, for instance encoding='utf-16'."),
    ],
)
def test_refused_text_files(written, content, message):
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        _tables.read(written(content))
    assert str(caught.value).startswith("t.csv")


def test_the_suffix_gives_a_separator_that_an_argument_overrides(written):
    assert columns_of(written("dataset\tA,b\nx\t1\n", "t.tsv")) == {"dataset": ["x"], "A,b": [1.0]}
    commas = written("dataset,A\nx,1\n", "t.tab")
    with refuses(
        DataError,
        "t.tab: no '\\t' separates the names in the header, though it holds ','. "
        "Pass separator= to settle it.",
    ):
        _tables.read(commas)
    assert columns_of(commas, separator=",") == {"dataset": ["x"], "A": [1.0]}


def test_the_first_row_tells_which_mark_separates(written):
    assert columns_of(written("dataset;A,b\nx;1\n")) == {"dataset": ["x"], "A,b": [1.0]}
    assert columns_of(written("dataset,A;\tb\nx,1\n"))["A; b"] == [1.0]
    assert columns_of(written('dataset,"A; ""b"""\n"x\ny",1\n')) == {
        "dataset": ["x\ny"],
        'A; "b"': [1.0],
    }
    either = written("dataset;A,b\nx;1,5\n")
    assert columns_of(either, separator=";", decimal=",")["A,b"] == [1.5]
    ambiguous = "t.csv: the header could be separated by ',' and ';'. Pass separator= to settle it."
    for first_row in ("", "\n\nx;1", "x;1;2\n"):
        with refuses(DataError, ambiguous):
            columns_of(written(f"dataset;A,b\n{first_row}"))


def test_other_encodings(written):
    assert columns_of(written("dataset,A\nBöse,1\n".encode("latin-1")), encoding="latin-1") == {
        "dataset": ["Böse"],
        "A": [1.0],
    }
    assert columns_of(written("dataset,A\nx,1\n".encode("utf-16")), encoding="utf-16")["A"] == [1.0]
    with_mark = written(b"\xef\xbb\xbfdataset,A\nx,1\n")
    assert list(columns_of(with_mark, encoding="utf-8")) == ["dataset", "A"]
    for unknown in ("foo", "base64"):
        with refuses(
            ValueError,
            f"`encoding` must be one that Python knows, such as 'utf-8'; got {unknown!r}.",
        ):
            TextFormat(encoding=unknown)


def test_paths(written, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written("dataset,A\nx,1\n", "T.CSV")
    assert columns_of("T.CSV")["A"] == [1.0]
    with refuses(
        DataError,
        "`path` must end in one of .csv, .txt, .tsv, .tab, .json, .jsonl, .ndjson, .xlsx, .xlsm, "
        ".parquet, .pq; got 't.ods'.",
    ):
        _tables.read("some/t.ods")
    for name in ("no.csv", "no.parquet"):
        with refuses(FileNotFoundError, f"`path` must name a file; there is no {name!r}."):
            _tables.read(name)
        (tmp_path / name).mkdir()
        with pytest.raises(IsADirectoryError, match=f"{name!r} is a directory.* A pattern, such"):
            _tables.read(name)
    for path in (None, 3, b"t.csv", pd.DataFrame()):
        with pytest.raises(TypeError, match=f"must be a str or Path; got {type(path).__name__}. "):
            _tables.read(path)


def test_files_that_are_not_parquet(written):
    with pytest.raises(DataError, match=r"^t\.parquet is not a readable Parquet file: ") as caught:
        _tables.read(written("a,b", "t.parquet"))
    assert str(written("a,b", "t.parquet").parent) not in str(caught.value)


def test_labels(written):
    table = _tables.read(written("dataset,A\n a  b,1\nc,2\na b,3\n"))
    assert table.labels("dataset") == ["a b", "c", "a b"]
    codes, labels = table.coded_labels("dataset")
    assert (codes.tolist(), labels) == ([0, 1, 0], ["a b", "c"])
    table = _tables.read(written("dataset,A\nx,1\n ,2\n"))
    for method in (table.labels, table.coded_labels):
        with refuses(
            DataError,
            "t.csv, row 2, column 'dataset' must be a label; the cell is empty. "
            "Write the label, or delete the row.",
        ):
            method("dataset")


def test_a_column_of_nothing_holds_no_number(written):
    table = _tables.read(written(",A\n,1\n,2\n"))
    assert np.isnan(table.numbers("")).all()


def test_labels_without_a_name_for_their_column(written):
    table = _tables.read(written(",A\nx,1\n,2\n"))
    with refuses(
        DataError,
        "t.csv, row 2, the column without a name must be a label; the cell is empty. "
        "Write the label, or delete the row.",
    ):
        table.labels("")


@pytest.mark.parametrize("value", [b"x", [1], (1,), {"a": 1}, np.array([1, 2]), "\x1b"])
def test_what_is_no_label(value):
    column = np.empty(1, dtype=object)
    column[0] = value
    table = _tables.RawTable("frame", {"dataset": column})
    with refuses(DataError, f"frame, row 1, column 'dataset' must be a label; got {value!r}."):
        table.labels("dataset")


@pytest.mark.parametrize("block", [1, 2, 10**6])
def test_blocks_join_without_a_seam(written, monkeypatch, block):
    monkeypatch.setattr(delimited, "_BLOCK_ROWS", block)
    plain = "dataset,A,other,mixed\n" + "".join(
        f"d{i},{i / 7},{'' if i < 30 else 'text'},{'NA' if i < 20 else i}\n" for i in range(40)
    )
    table = columns_of(written(plain))
    assert table["dataset"] == [f"d{i}" for i in range(40)]
    assert table["A"] == [i / 7 for i in range(40)]
    assert table["other"] == [None] * 30 + ["text"] * 10
    np.testing.assert_array_equal(table["mixed"], [np.nan] * 20 + list(range(20, 40)))
    halfway = plain + 'd40,"1",x,\n"d\n41",2,y,7\n\n,,,\n'
    assert columns_of(written(halfway))["dataset"][40:] == ["d40", "d\n41"]
    blank_lines = plain + "\n\n,,,\n\nd40,1,x,2\n,,,\n"
    assert columns_of(written(blank_lines))["dataset"][40:] == [None, "d40"]
    with refuses(
        DataError,
        "t.csv, row 41 has 2 cells for the 4 names in the header; got 'a,b'. "
        "Quote a cell that holds ','; an empty cell keeps its separator.",
    ):
        columns_of(written(plain + "a,b\n"))
    with pytest.raises(DataError, match=r"^t\.csv, row 42: a quotation mark opens a cell"):
        columns_of(written(plain + 'd40,1,x,2\n"d41,1,x,2\n'))
    numbers_late = plain.replace("text", "8") + "d40,bad,8,9\n"
    table = _tables.read(written(numbers_late))
    with refuses(DataError, "t.csv, row 41 ('d40'), column 'A' must be a number; got 'bad'."):
        table.numbers("A", "dataset")


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), max_size=8)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.slow
@QUICK
@given(
    rows=st.lists(st.tuples(CELLS.filter(clean_label), NUMBERS | st.none(), NUMBERS), min_size=1),
    header=st.lists(CELLS.map(clean_label).filter(bool), min_size=2, max_size=2, unique=True),
    separator=st.sampled_from([",", ";", "\t"]),
    decimal=st.sampled_from([".", ","]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_was_written_is_read(tmp_path, rows, header, separator, decimal, quoting, end):
    path = tmp_path / "t.csv"
    names = ["dataset", *(f"A {name}" for name in header)]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=separator, quoting=quoting, lineterminator=end)
        writer.writerow(names)
        for label, *scores in rows:
            cells = ["" if s is None else repr(s).replace(".", decimal) for s in scores]
            writer.writerow([label, *cells])
    text = TextFormat(decimal=decimal, separator=separator)
    table = _tables.read(path, text=text)
    assert list(table.columns) == [clean_label(name) for name in names]
    assert table.labels("dataset") == [clean_label(label) for label, *_ in rows]
    for position, name in enumerate(list(table.columns)[1:], start=1):
        expected = [np.nan if row[position] is None else row[position] for row in rows]
        np.testing.assert_array_equal(table.numbers(name), expected)


@QUICK
@given(content=st.text(st.sampled_from('a1,;\t"\n .-'), max_size=40))
def test_any_text_is_a_table_or_an_error_in_our_words(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_text(content, encoding="utf-8")
    try:
        table = _tables.read(path)
    except DataError as error:
        if not str(error).startswith("t.csv"):
            raise
    else:
        assert len({len(table[name]) for name in table.columns}) == 1
