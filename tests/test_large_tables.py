"""Large tables: labels as numbers, places without sorting, Parquet, and memory."""

import datetime
import re
import subprocess
import sys
from contextlib import nullcontext
from decimal import Decimal
from fractions import Fraction
from random import Random

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import csv as pa_csv
from pyarrow import parquet as pq

import nbcompare as nbc
from nbcompare import _tables
from nbcompare._arrays import has_gaps, widened
from nbcompare._tables import delimited, origin
from nbcompare._validation import DataError, are_clean, check_labels, clean_label
from nbcompare.experiment import Experiment, _places

SPACES = "ab \n\t\u00a0\u200b\ufeff\x00\u2028é"


@given(st.lists(st.text(alphabet=SPACES, max_size=4), max_size=5))
def test_cleaning_does_not_change_clean_labels(labels):
    clean = bool(labels) and all(label and clean_label(label) == label for label in labels)
    printable = "".join(labels).isprintable()  # what is not goes the careful way
    assert are_clean(labels) == (clean and printable)


def test_labels_are_checked_however_many():
    names = [f"d{i}" for i in range(1000)]
    assert check_labels(iter(names), "names") == tuple(names)
    with pytest.raises(DataError, match=r"got 'd7' at positions 8 and 1001\."):
        check_labels([*names, "d7"], "names")
    with pytest.raises(DataError, match=r"got 'd7' at positions 8 and 1001\."):
        check_labels([*names, " d7"], "names")


def slowly(values):
    seen = list(dict.fromkeys(values))
    return [seen.index(value) for value in values], seen


def test_a_mark_within_a_file_is_kept(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_bytes(b"A,B\n" + b"xxx,1\n" * 10 + b"\xef\xbb\xbfy,1\n" * 10)
    monkeypatch.setattr(delimited, "LARGE", 0)
    assert _tables.read(path)["A"].tolist() == ["xxx"] * 10 + ["\ufeffy"] * 10


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_cell_that_is_too_long(tmp_path, end):
    path = tmp_path / "t.csv"
    for length, is_long in ((2**17 - 1, False), (2**17 + 1, True)):
        path.write_text(f"A,B{end}1,2{end}" + "x" * length + f",1{end}1,2{end}", newline="")
        refused = pytest.raises(DataError, match=r"^t\.csv, row 2: a cell has more than 131,072")
        with refused if is_long else nullcontext():
            assert _tables.read(path).n_rows == 3


# ------------------------------------------------------------------------------ Parquet


def named(index):
    return pd.DataFrame({"A": [1.0, 2.0], "B": [3.0, np.nan]}, index=index)


FRAMES = {
    "counted": named(None),
    "labels": named(["x", "y"]),
    "a named index": named(pd.Index(["x", "y"], name="problem")),
    "numbers": named([7, 3]),
    "a range with a name": named(pd.RangeIndex(5, 7, name="id")),
    "an index like a column": named(pd.Index(["x", "y"], name="A")),
    "positions": pd.DataFrame({0: ["x", "y"], 1: [1.0, 2.0]}),
    "gaps": pd.DataFrame({"dataset": ["x", None], "A": [1, None], "B": [None, None]}),
    "a gap": pd.DataFrame({"dataset": ["x", None], "A": [1, None]}),
    "no text": pd.DataFrame({"dataset": pd.array([None, None], "str"), "A": [1, 2]}),
    "blanks": pd.DataFrame({"dataset": ["x", " "], "A": ["", "  "]}),
    "large": pd.DataFrame({"run": [2**63 - 1, -(2**63)], "A": [2**53 + 1, 0]}),
    "small": pd.DataFrame({"A": np.array([200, 1], np.uint8), "B": np.array([0.1, 1], np.float32)}),
    "nullable": pd.DataFrame({"A": pd.array([2**53 + 1, None], "Int64"), "B": [1, 2]}),
    "categories": pd.DataFrame({"dataset": pd.Categorical(["y", "x"], ["z", "x", "y"])}),
    "numbered categories": pd.DataFrame({"A": pd.Categorical([1.5, 2.5])}),
    "truth": pd.DataFrame({"A": [True, False]}),
    "decimals": pd.DataFrame({"A": [Decimal("1.5"), None]}),
    "dates": pd.DataFrame({"dataset": [datetime.date(2020, 1, 1), None], "A": [1, 2]}),
    "bytes": pd.DataFrame({"A": [b"a", None]}),
    "spaces": pd.DataFrame({"dataset": [" x", "x "], " A": [1.0, 2.0]}),
    "alike": pd.DataFrame({"A": [1.0, 2.0], " A": [1.0, 2.0]}),
    "no rows": pd.DataFrame({"dataset": [], "A": []}).astype({"dataset": "str"}),
    "no columns": pd.DataFrame(),
}


def told(table):
    """All that a table tells, with the words of errors."""
    said = {None: (table.n_rows, table.index, table.counts_rows, table.has_numbers_as_names)}
    for name in table.columns:
        column = table[name]
        said[name] = [table.is_text(name), repr(column.tolist())]
        for asked in (table.labels, table.coded_labels, table.numbers):
            try:
                said[name].append(repr([np.asarray(part).tolist() for part in asked(name)]))
            except DataError as error:
                said[name].append(re.sub(r"^(frame|t\.parquet)", "", str(error)))
    return said


@pytest.mark.parametrize("name", FRAMES)
def test_parquet_tells_what_the_frame_of_pandas_tells(tmp_path, name):
    path = tmp_path / "t.parquet"
    FRAMES[name].to_parquet(path)
    try:
        expected = told(_tables.from_frame(pd.read_parquet(path)))
    except DataError as error:
        message = str(error).replace("frame", "t.parquet").partition(". ")[0]
        with pytest.raises(DataError, match=f"^{re.escape(message)}"):
            _tables.read(path)
    else:
        assert told(_tables.read(path)) == expected


def test_parquet_with_several_levels(tmp_path):
    path = tmp_path / "t.parquet"
    named(pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])).to_parquet(path)
    with pytest.raises(DataError, match="must have one level of row and column labels"):
        _tables.read(path)


def test_parquet_with_days_and_lists(tmp_path):
    path = tmp_path / "t.parquet"
    days = pd.to_datetime(["2020-01-01", "2020-01-02"])
    pd.DataFrame({"A": [[1], [2]]}, index=days).to_parquet(path)
    table = _tables.read(path)
    assert (table.index, table.labels("")) == ("", ["2020-01-01", "2020-01-02"])
    with pytest.raises(DataError, match=r"column 'A' must be a number; got \[1\]\. Lists cannot"):
        table.numbers("A")


def test_parquet_of_many_rows_and_of_other_writers(tmp_path):
    random = Random(0)
    rows = 12_000
    columns = {
        "dataset": [f"d{random.randrange(40)}" for _ in range(rows)],
        "all differ": [f"{i} {random.random()}" for i in range(rows)],
        "gaps": [random.choice(["x", None, "y"]) for _ in range(rows)],
        "run": [random.choice([1, 2, None]) for _ in range(rows)],
        "A": [random.random() for _ in range(rows)],
    }
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=700, use_dictionary=["dataset"])
    table = _tables.read(path)
    for name in ("dataset", "all differ"):
        codes, labels = table.coded_labels(name)
        assert (codes.tolist(), list(labels)) == slowly(columns[name])
    assert told(table) == told(_tables.from_frame(pd.DataFrame(columns)))


A = [0.82, 0.62, 0.74, 0.59, 0.67, 0.50, 0.67]
B = [0.67, 0.97, 0.95, 0.74, 0.73, 0.84, 0.93]


def test_scores_of_32_bits_are_the_decimals_that_they_stand_for(tmp_path):
    frame = pd.DataFrame({"A": A, "B": B}, index=pd.Index(list("tuvwxyz"), name="dataset"))
    narrow = frame.astype(np.float32)
    frame.to_csv(tmp_path / "t.csv")
    narrow.to_parquet(tmp_path / "t.parquet")
    flat = narrow.reset_index()
    found = [
        *(
            Experiment.from_frame(one, direction="maximize")
            for one in (frame, narrow, pl.from_pandas(flat), pa.table(flat))
        ),
        *(
            Experiment.read(tmp_path / f"t.{one}", direction="maximize")
            for one in ("csv", "parquet")
        ),
        Experiment.from_array(
            narrow.to_numpy(), direction="maximize", datasets=list("tuvwxyz"), algorithms=["A", "B"]
        ),
    ]
    for experiment in found:
        assert experiment.scores[:, :, 0, 0].tolist() == frame.to_numpy().tolist()
        assert nbc.compare_pair(experiment, "A", "B").pvalue == 0.0625


@given(st.floats(width=32, allow_nan=False))
@example(float(np.finfo(np.float32).max))
def test_any_number_of_32_bits(value):
    number = np.float32(value)
    (wide,) = widened(np.array([number])).tolist()
    if wide != float(str(number)):  # a fraction
        assert abs(wide - float(number)) <= 2 * float(np.spacing(abs(number)))
        assert Fraction(wide).limit_denominator(1000) == Fraction(wide).limit_denominator(10**7)
    assert widened(np.array([-number])).tolist() == [-wide]


@given(st.integers(3, 1000))
def test_shares_of_32_bits(n):
    """Shares of up to 1,000 items are what they are with 64 bits."""
    counts = np.arange(n + 1)
    shares = (counts.astype(np.float32) / np.float32(n)).astype(np.float32)
    assert widened(shares) == pytest.approx(counts / n, abs=1e-15)


def test_equal_differences_of_32_bits():
    """Shares of 75 items: differences of four items are ties, whatever they were rounded to."""
    other = np.array([62, 47, 58, 64, 30, 51, 22, 40, 12, 70])
    own = other + np.array([4, -4, 4, 4, -4, 8, 4, 4, 12, 1])
    pairs = np.column_stack([own, other])
    exact = Experiment.from_array(pairs / 75, direction="maximize")
    frame = pd.DataFrame((pairs.astype(np.float32) / np.float32(75)), columns=["A", "B"])
    assert (frame.dtypes == np.float32).all()
    found = nbc.compare_pair(Experiment.from_frame(frame, direction="maximize"), "A", "B")
    assert found.pvalue == nbc.compare_pair(exact, "A1", "A2").pvalue
    decimals = Experiment.from_array(
        [[float(str(v)) for v in row] for row in frame.to_numpy()], direction="maximize"
    )
    assert found.pvalue != nbc.compare_pair(decimals, "A1", "A2").pvalue


# ----------------------------------------------------------------------- places of rows


def long_table(random):
    """A long table with holes, gaps and perhaps a row that comes twice."""
    rows = [
        {"dataset": d, "algorithm": a, "fold": f, "run": r, "score": random.random()}
        for d in "xyz"[: random.randrange(1, 4)]
        for a in "AB"
        for f in random.sample(["1", "2", "10"], random.randrange(1, 4))
        for r in random.sample(["5", "7", "30", "s"], random.randrange(1, 5))
    ]
    for row in rows:
        if random.random() < random.choice((0, 0.2)):
            row["score"] = None
    if random.random() < 0.3:
        rows.append(dict(random.choice(rows), score=random.choice([None, 2.0])))
    if random.random() < 0.7:
        random.shuffle(rows)
    return pd.DataFrame(rows).astype({"score": float})


def arranged(frame):
    try:
        found = Experiment.from_frame(frame, direction="maximize")
    except DataError as error:
        return str(error)
    scores = {}
    for d, a, f, r in np.argwhere(~np.isnan(found.lower)).tolist():
        run = r if found.run_codes is None else found.run_codes[d, a, f, r]
        key = (found.datasets[d], found.algorithms[a], found.folds[f], found.runs[run])
        scores[key] = found.lower[d, a, f, r]
    codes = None if found.run_codes is None else found.run_codes.tolist()
    return found.lower.shape, repr(found.lower.tolist()), codes, found.runs, scores


@pytest.mark.slow
def test_places_by_labels_and_by_order_are_those_of_the_table(monkeypatch):
    random = Random(0)
    n_refused = 0
    for _ in range(150):
        frame = long_table(random)
        by_labels = arranged(frame)
        with monkeypatch.context() as other:
            other.setattr(_places, "is_dense", lambda *_: False)
            assert arranged(frame) == by_labels
        roles = ["dataset", "algorithm", "fold", "run"]
        if isinstance(by_labels, str):
            n_refused += 1
            is_empty = frame.groupby("algorithm")["score"].count().min() == 0
            is_empty |= frame.groupby("dataset")["score"].count().min() == 0
            assert ("hold the score of" in by_labels) == bool(frame.duplicated(roles).any())
            assert ("no score at all" in by_labels) == (is_empty and "hold the" not in by_labels)
        else:
            kept = frame.dropna(subset="score")
            assert by_labels[-1] == {tuple(row[:4]): row[4] for row in kept.values.tolist()}
    assert 20 < n_refused < 80


def test_gaps_are_found_by_a_sum():
    huge = np.full(3, np.finfo(float).max)
    for array, told in ((huge, False), (np.append(huge, np.nan), True), (np.empty(0), False)):
        assert has_gaps(array) == told
    assert not has_gaps(np.array([1e308, 1e308, -1e308, -1e308, -1e308]))


def test_a_dataframe_is_neither_kept_nor_locked():
    frame = pd.DataFrame(np.arange(12.0).reshape(4, 3), columns=["A", "B", "C"])
    frame.index = ["u", "v", "w", "x"]
    experiment = Experiment.from_frame(frame, direction="maximize")
    frame.loc["u", "A"] = 5.0
    assert experiment.lower[0, 0, 0, 0] == 0
    assert frame.loc["u", "A"] == 5


# ------------------------------------------------------------------------------- memory


def test_how_much_memory_a_table_needs_is_told(tmp_path, monkeypatch):
    path = tmp_path / "t.parquet"
    pl.DataFrame({"dataset": ["x"], "A": [1.0]}).write_parquet(path)
    monkeypatch.setattr(origin, "free_bytes", lambda: 1_000_000)
    with pytest.raises(MemoryError, match=r"^t\.parquet needs at least 0 MB of .*; 1 MB were free"):
        Experiment.read(path, direction="maximize")


LIMITED = """
import resource, sys
from fractions import Fraction
from pathlib import Path
import narwhals, polars
import nbcompare.cli
nbcompare.Experiment, nbcompare.compare
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 100_000_000, resource.RLIM_INFINITY))
if sys.argv[2] == "api":
    nbcompare.Experiment.read(sys.argv[1], direction="maximize")
else:
    sys.exit(nbcompare.cli.main(["compare", sys.argv[1], "--direction", "maximize"]))
"""


@pytest.mark.weekly
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits as on Linux")
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_table_that_does_not_fit_in_memory(tmp_path, suffix):
    n_rows = 3_000_000
    rows = np.arange(n_rows)
    table = pa.table(
        {
            "dataset": pa.array([f"d{i}" for i in range(1_500)]).take(pa.array(rows // 2_000)),
            "algorithm": pa.array(["A", "B"]).take(pa.array(rows // 1_000 % 2)),
            "run": rows % 1_000,
            "score": rows / 8,
        }
    )
    path = tmp_path / f"scores.{suffix}"
    if suffix == "csv":
        pa_csv.write_csv(table, path)
    else:
        pq.write_table(table, path)
    least = r"\d+" if suffix == "csv" else "96"
    sentence = rf"scores\.{suffix} needs at least {least} MB of memory; \d+ MB were free\. Split"
    for way, start in (("api", "MemoryError: "), ("cli", "there is not enough memory. ")):
        line = [sys.executable, "-c", LIMITED, str(path), way]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        said = done.stderr.replace("\n", " ") if way == "cli" else done.stderr
        assert re.search(re.escape(start) + sentence, said), said
