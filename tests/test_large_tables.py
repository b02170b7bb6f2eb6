"""Large tables: labels as numbers, places without sorting, Parquet without pandas, and memory."""

import datetime
import re
import subprocess
import sys
from contextlib import nullcontext
from decimal import Decimal
from random import Random

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv as pa_csv
from pyarrow import parquet as pq

from nbcompare import _tables
from nbcompare._arrays import has_gaps, locked
from nbcompare._tables import arrow, fast, letters, memory, parquet
from nbcompare._tables.columns import Columns, by_appearance, coded_numbers, sorted_numbers
from nbcompare._tables.text_format import PLAIN
from nbcompare._validation import DataError, are_clean, check_labels, clean_label
from nbcompare.experiment import Experiment, _places

SPACES = "ab \n\t\u00a0\u200b\ufeff\x00\u2028é"


@given(st.lists(st.text(alphabet=SPACES, max_size=4), max_size=5))
def test_cleaning_does_not_change_clean_labels(labels):
    clean = bool(labels) and all(label and clean_label(label) == label for label in labels)
    printable = "".join(labels).isprintable()  # what is not goes the careful way
    assert are_clean(labels) == (clean and printable)


def test_only_text_is_clean():
    assert not are_clean(["a", None])
    assert not are_clean(["a", np.str_("b")])
    assert not are_clean([1])


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


@pytest.mark.parametrize("stretch", [3, 2**16])
def test_labels_by_appearance(monkeypatch, stretch):
    monkeypatch.setattr("nbcompare._tables.columns._STRETCH", stretch)
    generator = np.random.default_rng(0)
    for n_labels in (1, 2, 7, 40):
        given = generator.integers(0, n_labels, 30).astype(np.int32)
        codes, order = by_appearance(given, n_labels + 3)
        assert (codes.tolist(), order.tolist()) == slowly(given.tolist())


@pytest.mark.parametrize(
    "column",
    [
        np.array([127, -128, 0, 127], dtype=np.int8),
        np.array([2**64 - 1, 2**64 - 3, 2**64 - 1], dtype=np.uint64),
        np.array([-(2**63), 2**63 - 1, 0, -(2**63)]),
        np.array([-(2**63), -(2**63) + 5]),
        np.array([3.5, -0.0, 0.0, np.inf, 3.5]),
        np.array([7]),
        np.array([], dtype=np.int64),
    ],
    ids=str,
)
def test_numbers_as_labels(column):
    codes, values = coded_numbers(column)
    assert (codes.tolist(), values.tolist()) == slowly(column.tolist())


# ------------------------------------------------------------------------------ batches


def of_batches(batches):
    labels = arrow.Labels(1)
    for batch in batches:
        labels.add(batch)
    coded = labels.done()
    return [coded.cells[code] for code in coded.codes], list(coded.cells), coded.is_clean


def test_batches_of_text():
    parts = [["x", "y", "x"], [], ["y", "z"], ["x", "w", "z", "z"]]
    rows = [cell for part in parts for cell in part]
    plain = [pa.array(part, pa.string()) for part in parts]
    coded = [part.dictionary_encode() for part in plain]
    whole = pa.array(rows).dictionary_encode()
    growing = [
        pa.DictionaryArray.from_arrays(whole.indices.slice(0, 3), whole.dictionary.slice(0, 2)),
        pa.DictionaryArray.from_arrays(whole.indices.slice(3), whole.dictionary),
    ]
    mixed = ([coded[0], *plain[1:]], [*plain[:3], coded[3]])
    for batches in (plain, coded, growing, *mixed):
        assert of_batches(batches) == (rows, ["x", "y", "z", "w"], True)
    backwards = pa.DictionaryArray.from_arrays(pa.array([2, 0, 2], pa.int8()), ["x", "never", "y"])
    assert of_batches([backwards]) == (["y", "x", "y"], ["y", "x"], True)


@given(
    st.lists(st.lists(st.sampled_from(["x", "y", "z", None, " "]), max_size=40), max_size=4),
    st.booleans(),
)
def test_batches_of_text_that_repeats(parts, coded):
    rows = [cell for part in parts for cell in part]
    batches = [pa.array(part, pa.string()) for part in parts]
    if coded:
        batches = [batch.dictionary_encode() for batch in batches]
    told, cells, is_clean = of_batches(batches)
    assert told == [None if cell == " " else cell for cell in rows]
    first = list(dict.fromkeys(rows))
    assert cells == [None if cell == " " else cell for cell in first]
    assert is_clean == (bool(rows) and None not in cells)


def test_batches_of_text_with_gaps():
    rows = [["x", None, " "], [None, "y"], ["", "x"]]
    plain = [pa.array(part, pa.string()) for part in rows]
    hidden = pa.DictionaryArray.from_arrays(pa.array([1, 0, None]), pa.array([None, "x"]))
    expected = ["x", None, None, None, "y", None, "x"]
    for batches in (plain, [part.dictionary_encode() for part in plain]):
        told, cells, is_clean = of_batches(batches)
        assert (told, is_clean) == (expected, False)
        assert set(cells) == {"x", "y", None}
    assert of_batches([hidden])[0] == ["x", None, None]
    assert of_batches([]) == ([], [], False)


def test_more_labels_than_short_numbers(monkeypatch):
    """Labels that come again, those that differ, and those in between, in batches of all kinds."""
    random = Random(0)
    parts = [
        [f"a{random.randrange(30)}" for _ in range(400)],
        [f"b{i}" for i in range(300)],
        [f"c{random.randrange(150)}" for _ in range(300)],
        [random.choice(["a1", "a2", f"d{i % 40}"]) for i in range(400)],
        ["a1", "b7", "new"],
        [],
    ]
    parts += [random.sample(part, len(part)) for part in parts]
    rows = [cell for part in parts for cell in part]
    for most in (2**15 - 1, 100, 0):
        monkeypatch.setattr(arrow, "_MOST_SHORT", most)
        for kind in (pa.string(), pa.large_string()):
            batches = [pa.array(part, kind) for part in parts]
            assert of_batches(batches) == (rows, list(dict.fromkeys(rows)), True)
    labels = arrow.Labels(1)
    labels.add(pa.array([f"d{i}" for i in range(40_000)]))
    assert labels.done().codes.tolist() == list(range(40_000))


ALPHABET = 'ab "\x7f\u00e9'


@given(st.lists(st.text(alphabet=ALPHABET, max_size=5), min_size=1, max_size=6), st.integers(0, 2))
def test_plain_labels(texts, start):
    cells = pa.array(texts, pa.large_string()).slice(min(start, len(texts) - 1))
    left = cells.to_pylist()
    plain = all(text and text == clean_label(text) and text.isascii() for text in left)
    assert letters.are_plain(cells) == (
        plain and not any(set(text) & set('"\x7f') for text in left)
    )


@given(st.lists(st.text(alphabet="ab", min_size=1, max_size=70), min_size=1, max_size=8))
def test_labels_that_differ(texts):
    parts = [pa.array(texts, pa.large_string()), pa.array(["x" * 17, "y"], pa.large_string())]
    differ = len(set(texts)) == len(texts)
    assert letters.differ(parts) == (differ and max(map(len, texts)) <= 64)
    assert not letters.differ([*parts, parts[1].slice(1)])


def test_many_labels_differ_or_do_not(monkeypatch):
    monkeypatch.setattr(letters, "_ROWS", 1000)
    texts = [f"problem {i}" for i in range(30_000)]
    assert letters.differ([pa.array(texts, pa.large_string())])
    for place in (0, 999, 29_998):
        twice = [*texts[:-1], texts[place]]
        assert not letters.differ([pa.array(twice, pa.large_string())])
    numbers = np.array([5, 2**63, 7, 2**63 + 1, 9], dtype=np.uint64)  # in few of the places
    assert letters._all_differ(numbers)
    assert not letters._all_differ(np.append(numbers, np.uint64(7)))


@pytest.mark.parametrize(
    "column",
    [
        np.array([3, 1, 2, 3], dtype=np.int8),
        np.array([127, -128, 0, 127], dtype=np.int8),
        np.array([9, 7, 9, 200], dtype=np.uint8),
        np.array([-5, 70_000, 3] * 40_000),
        np.array([2**40 + 2, 2**40]),
    ],
    ids=lambda column: f"{column[:4]}",
)
def test_whole_numbers_in_their_order(column):
    codes, values = sorted_numbers(column)
    assert values.tolist() == sorted(set(column.tolist()))
    assert values[codes].tolist() == column.tolist()


def test_what_is_not_coded_by_its_value():
    for column in ([2**63 - 1, 2**63 - 2], [0, 2**40], [], [0.5, 1.0]):
        assert sorted_numbers(np.array(column)) is None


def test_parts_of_a_file_are_parsed_in_order(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    lines = [f"line {i}".encode() for i in range(200)]
    for end in (b"\n", b"\r\n", b"\r"):
        path.write_bytes(b"a header" + end + end.join(lines))
        for block in (64, 100, 2**20):
            monkeypatch.setattr(fast, "_BLOCK", block)
            parts = fast._in_parts(path, lambda data, n: data.tobytes().splitlines()[n:], 1, 3)
            told = [line for _, part in parts for line in part if line]
            assert told == lines


def test_a_mark_at_the_begin_of_a_part_is_kept(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_bytes(b"A,B\n" + b"xxx,1\n" * 10 + b"\xef\xbb\xbfy,1\n" * 10)
    monkeypatch.setattr(fast, "FAST_FROM", 0)
    for block in (2**20, 64):
        monkeypatch.setattr(fast, "_BLOCK", block)
        table = _tables.read(path, labels=[])
        assert table.columns["A"].tolist() == ["xxx"] * 10 + ["\ufeffy"] * 10


def test_a_line_that_may_hold_a_long_cell(tmp_path):
    path = tmp_path / "t.csv"
    for length, is_long in ((2**16 - 1, False), (2**17, True)):
        for end in ("\n", "\r\n", "\r"):
            path.write_text(f"A,B{end}" + f"1,2{end}" * 40_000 + "x" * length + end, newline="")
            told = fast.columns_of(
                path, ["A", "B"], [], ["1", "2"], header_lines=1, separator=",", text=PLAIN
            )
            assert told is None  # in either case, the last row has one cell
            with path.open("rb") as stream:
                refused = pytest.raises(ValueError, match="too long") if is_long else nullcontext()
                with refused:
                    n_bytes, begun = fast._fill(bytearray(2**20), b"", stream)
                    assert (n_bytes, begun) == (path.stat().st_size, b"")


# ------------------------------------------------------------------------------ Parquet


def named(index):
    return pd.DataFrame({"A": [1.0, 2.0], "B": [3.0, np.nan]}, index=index)


FRAMES = {
    "counted": named(None),
    "labels": named(["x", "y"]),
    "a named index": named(pd.Index(["x", "y"], name="problem")),
    "numbers": named([7, 3]),
    "a range with a name": named(pd.RangeIndex(5, 7, name="id")),
    "days": named(pd.to_datetime(["2020-01-01", "2020-01-02"])),
    "two levels": named(pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])),
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
    "lists": pd.DataFrame({"A": [[1], [2]]}),
    "bytes": pd.DataFrame({"A": [b"a", None]}),
    "spaces": pd.DataFrame({"dataset": [" x", "x "], " A": [1.0, 2.0]}),
    "alike": pd.DataFrame({"A": [1.0, 2.0], " A": [1.0, 2.0]}),
    "no rows": pd.DataFrame({"dataset": [], "A": []}).astype({"dataset": "str"}),
    "no columns": pd.DataFrame(),
}
BY_PANDAS = {
    "a range with a name", "days", "two levels", "positions", "gaps", "truth", "decimals", "dates",
    "lists", "bytes", "no columns",
}  # fmt: skip


def told(path):
    """All that a table tells, or the words of its error."""
    try:
        table = _tables.read(path, labels=[])
    except DataError as error:
        return str(error)
    said = {None: (table.n_rows, table.index, table.counts_rows)}
    for name, column in table.columns.items():
        said[name] = [table.is_text(name), table.is_only_text(name), repr(column.tolist())]
        for asked in (table.labels, table.coded_labels, table.numbers):
            try:
                said[name].append(repr([np.asarray(part).tolist() for part in asked(name)]))
            except DataError as error:
                said[name].append(str(error))
    return said


@pytest.mark.parametrize("name", FRAMES)
def test_parquet_tells_the_same_with_and_without_pandas(tmp_path, monkeypatch, name):
    path = tmp_path / "t.parquet"
    FRAMES[name].to_parquet(path)
    assert (parquet.columns_of(path) is None) == (name in BY_PANDAS)
    quick = told(path)
    monkeypatch.setattr(parquet, "columns_of", lambda _: None)
    assert quick == told(path)


def test_parquet_of_many_rows_and_of_other_writers(tmp_path, monkeypatch):
    random = Random(0)
    rows = 3_000
    columns = {
        "dataset": [f"d{random.randrange(40)}" for _ in range(rows)],
        "all differ": [f"{i} {random.random()}" for i in range(rows)],
        "run": [random.choice([1, 2, None]) for _ in range(rows)],
        "A": [random.random() for _ in range(rows)],
    }
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=700)
    monkeypatch.setattr(parquet, "_BATCH", 256)
    table = _tables.read(path, labels=[])
    assert isinstance(table.columns, Columns)
    for name in ("dataset", "all differ"):
        codes, labels = table.coded_labels(name)
        assert (codes.tolist(), labels) == slowly(columns[name])
    quick = told(path)
    monkeypatch.setattr(parquet, "columns_of", lambda _: None)
    assert quick == told(path)


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
            other.setattr(_places, "_MOST_CELLS", 0)
            assert arranged(frame) == by_labels
        roles = ["dataset", "algorithm", "fold", "run"]
        if isinstance(by_labels, str):
            n_refused += 1
            is_empty = frame.groupby("algorithm")["score"].count().min() == 0
            is_empty |= frame.groupby("dataset")["score"].count().min() == 0
            assert ("hold the score of" in by_labels) == bool(frame.duplicated(roles).any())
            assert ("has none" in by_labels) == (is_empty and "hold the" not in by_labels)
        else:
            kept = frame.dropna(subset="score")
            assert by_labels[-1] == {tuple(row[:4]): row[4] for row in kept.values.tolist()}
    assert 20 < n_refused < 80


def test_scores_side_by_side(monkeypatch):
    monkeypatch.setattr(_places, "_ROWS", 3)
    columns = [np.arange(10.0) + 100 * j for j in range(4)]
    array = _places.side_by_side(columns)
    assert np.array_equal(array[:, :, 0, 0], np.column_stack(columns))
    assert not array.flags.writeable


def test_scores_that_lie_side_by_side_already():
    block = np.arange(40.0).reshape(4, 10).copy()
    rows = [row[:8] for row in block]
    others = [[rows[1], rows[0], *rows[2:]], rows[:3], [rows[0].copy(), *rows[1:]]]
    for columns in others:
        array = _places.side_by_side(columns, are_own=True)
        assert np.array_equal(array[:, :, 0, 0], np.column_stack(columns))
        assert not np.shares_memory(array, block)
    assert not np.shares_memory(_places.side_by_side(rows), block)
    assert block.flags.writeable
    array = _places.side_by_side(rows, are_own=True)
    assert np.array_equal(array[:, :, 0, 0], np.column_stack(rows))
    assert np.shares_memory(array, block)
    assert locked(array) is array
    with pytest.raises(ValueError, match="read-only"):
        block[0, 0] = 1


@pytest.mark.parametrize("are_own", [True, False])
def test_scores_in_the_order_of_their_cells_are_not_copied(are_own):
    shape = (2, 3, 1, 4)
    codes = [code.ravel().astype(np.int16) for code in np.indices(shape)]
    block = np.arange(30.0).reshape(1, 30).copy()
    values = block[0][:24]
    placed = _places.placed(shape, codes, values, are_own=are_own)
    assert placed.tolist() == np.arange(24.0).reshape(shape).tolist()
    assert np.shares_memory(placed, block) == are_own
    assert block.flags.writeable != are_own
    assert locked(placed) is placed
    two = np.arange(48.0).reshape(2, 24)
    assert not np.shares_memory(_places.placed(shape, codes, two[1], are_own=True), two)
    order = np.random.default_rng(0).permutation(24)
    other = _places.placed(shape, [code[order] for code in codes], values[order], are_own=are_own)
    assert other.tolist() == placed.tolist()


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


@pytest.mark.parametrize("suffix", [".csv.zst", ".csv.bz2", ".xlsx", ".json"])
def test_only_files_that_tell_their_size_are_estimated(tmp_path, suffix):
    path = tmp_path / f"scores{suffix}"
    path.write_bytes(b"dataset,A\nd1,1\n" * 2**17)
    assert memory._least(path) == 0
    with (
        pytest.raises(MemoryError, match="needs more memory than there is"),
        memory.explained(path),
    ):
        raise MemoryError
    plain = tmp_path / "scores.csv"
    plain.write_bytes(path.read_bytes())
    with (
        pytest.raises(MemoryError, match=r"about 260,000 rows of 2 columns"),
        memory.explained(plain),
    ):
        raise MemoryError


LIMITED = """
import resource, sys
from pathlib import Path
import narwhals, pandas, pyarrow.csv, pyarrow.parquet
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
    sentence = (
        r"scores\.csv: about 3,\d00,000 rows of 4 columns need about \d+\.\d MB, "
        if suffix == "csv"
        else r"scores\.parquet: 3,000,000 rows of 4 columns need about 192\.0 MB, "
    ) + r"and \d+\.\d MB were free, enough for about 1,\d00,000 of these rows\. Split the file"
    for way, start in (("api", "MemoryError: "), ("cli", "there is not enough memory. ")):
        line = [sys.executable, "-c", LIMITED, str(path), way]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        said = done.stderr.replace("\n", " ") if way == "cli" else done.stderr
        assert re.search(re.escape(start) + sentence, said), said
