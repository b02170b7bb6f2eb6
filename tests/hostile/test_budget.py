"""Files that would hang a reader, fill the memory or end the process."""

import gzip
import json
import os
import subprocess
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import nbcompare as nbc
from nbcompare import DataError, Experiment, Histories

NAMES = ("a.csv", "a.json", "a.parquet", "a.xlsx", "a.npy", "a.html", "a.tst", "a.csv.gz", "a.arff")
ROWS = b"dataset,algorithm,score\n" + b"iris,A,0.5\n" * 30_000
LOGS = Path(__file__).parents[1] / "foreign" / "logs"


@pytest.mark.parametrize("name", NAMES)
def test_pipes_devices_and_files_without_an_end(tmp_path, name):
    path = tmp_path / name
    os.mkfifo(path)
    with pytest.raises(DataError, match="is a pipe or a device, which may never end"):
        Experiment.read(path, direction="maximize")
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(DataError, match="is a pipe or a device"):
        Histories.read(path, direction="maximize")
    path.unlink()
    path.symlink_to("/proc/kmsg")
    with pytest.raises(DataError, match=r"is empty|must end in"):
        Experiment.read(path, direction="maximize")


def test_the_limits_and_how_to_raise_them(tmp_path, monkeypatch):
    packed, plain, records = (tmp_path / name for name in ("a.csv.gz", "a.csv", "a.json"))
    packed.write_bytes(gzip.compress(ROWS))
    plain.write_bytes(ROWS)
    records.write_text(json.dumps([{"dataset": "iris", "A": [[]] * 30_000}]))
    for path in (packed, plain):
        with (
            nbc.set_options(max_bytes=10_000),
            pytest.raises(
                DataError,
                match=r"more than 10,000.*"
                r"set_options\(max_bytes=\d+\)",
            ),
        ):
            Experiment.read(path, direction="maximize")
    for path in (packed, plain, records):
        with (
            nbc.set_options(max_cells=10_000),
            pytest.raises(
                DataError,
                match=r"more than 10,000 c"
                r".*set_options\(max_cells=20000\)",
            ),
        ):
            Experiment.read(path, direction="maximize")
    pl.DataFrame({"dataset": ["a"] * 9, "A": [1.0] * 9}).write_parquet(tmp_path / "a.parquet")
    monkeypatch.setenv("NBCOMPARE_MAX_CELLS", "5")
    with pytest.raises(DataError, match=r"a\.parquet has more than 5 cells"):
        Experiment.read(tmp_path / "a.parquet", direction="maximize")


def test_a_small_file_that_unpacks_to_much_more(tmp_path):
    path = tmp_path / "a.csv.gz"
    with gzip.open(path, "wb", 1) as stream:
        for _ in range(900):
            stream.write(ROWS)
    with pytest.raises(DataError, match="unpacks to more than 256,000,000"):
        Experiment.read(path, direction="maximize")


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.json", "a.html"])
def test_more_columns_than_a_spreadsheet_has(tmp_path, name):
    names = [f"c{number}" for number in range(20_000)]
    path = tmp_path / name
    if name == "a.csv":
        path.write_text(",".join(names) + "\n" + ",".join("1" * len(names)))
    elif name == "a.json":
        path.write_text(json.dumps([dict.fromkeys(names, 1)]))
    elif name == "a.html":
        path.write_text("<table><tr><td colspan=99999>a</table>")
    else:
        pl.DataFrame({name: [1] for name in names}).write_parquet(path)
    with pytest.raises(DataError, match=r"columns; at most 16,384 are read\. Write a row per"):
        Experiment.read(path, direction="maximize")


def test_records_of_ever_new_names(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{f"c{number}": 1} for number in range(5_000)]))
    with pytest.raises(DataError, match="Give all records the same names"):
        Experiment.read(path, direction="maximize")


def test_a_very_deep_folder(tmp_path):
    handle = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=handle)
        inner = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(handle)
    try:
        with pytest.raises(DataError, match="there are none in"):
            Histories.read(tmp_path, direction="minimize")
    finally:  # pytest would recurse
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


PYARROW = [
    {"compression": packed, "data_page_version": page, "use_dictionary": words} | more
    for packed in ("none", "snappy", "gzip", "brotli", "zstd", "lz4")
    for page in ("1.0", "2.0")
    for words in (True, False)
    for more in (
        {},
        {"write_page_index": True, "data_page_size": 300, "dictionary_pagesize_limit": 64},
        {"row_group_size": 40, "write_page_checksum": True, "version": "1.0"},
    )
]
DUCKDB = [
    f"COMPRESSION {packed}, PARQUET_VERSION {version}, DICTIONARY_SIZE_LIMIT {words}"
    for packed in ("uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw")
    for version in ("V1", "V2")
    for words in (1, 1000)
]
POLARS = [
    {"compression": packed, "row_group_size": rows, "data_page_size": page}
    for packed in ("uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4")
    for rows, page in ((None, None), (40, 300))
]


@pytest.mark.weekly
@pytest.mark.parametrize("n_rows", [3, 300, 5_000])
def test_valid_files_of_parquet_are_not_refused(tmp_path, n_rows):
    """Every page of what writers make of their options: 300 files; once 9,325 were tried."""
    import duckdb
    import pyarrow.parquet as pq

    from nbcompare._tables.frames import check_pages

    path = tmp_path / "a.parquet"
    scores = [None if i % 7 == 2 else i / 8 for i in range(n_rows)]
    frame = pl.DataFrame({"dataset": [f"d{i // 3}" for i in range(n_rows)], "A": scores})
    writers = [partial(pq.write_table, frame.to_arrow(), path, **options) for options in PYARROW]
    writers += [partial(frame.write_parquet, path, **options) for options in POLARS]
    with duckdb.connect() as database:
        database.register("scores", frame.to_arrow())
        copy = f"COPY scores TO '{path}' (FORMAT parquet, {{}})"
        writers += [partial(database.execute, copy.format(options)) for options in DUCKDB]
        assert len(writers) > 100
        for write in writers:
            write()
            assert check_pages(path) == 2 * n_rows
            assert pl.read_parquet(path).height == n_rows
