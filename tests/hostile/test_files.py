"""Files that are damaged, or made to do harm: a table comes of them, or one sentence.

The sentence may come as any of ``MISTAKES``, which the command line and the magics show without a
traceback. No warning, no other exception, no score that is not a number, and no more memory than
a file of ordinary lines needs.
"""

import gzip
import json
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from nbcompare import DataError
from nbcompare._tables import delimited, lines
from nbcompare.cli import main
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories

MISTAKES = (ValueError, TypeError, OSError, ImportError)  # a DataError is a ValueError
IOH = Path(__file__).parents[1] / "histories" / "data" / "ioh"

SCORES = "dataset,A,B\n" + "".join(f"d{i},{i / 7},{i / 9}\n" for i in range(40))
LOGS = "problem,algorithm,run,evaluations,value\n" + "".join(
    f"f{i // 20},DE,{i // 10 % 2},{i % 10 + 1},{9 - i % 10}\n" for i in range(60)
)
READ_FOLDER = partial(Histories.read, instances="runs")
READERS = [(Experiment, SCORES), (Histories, LOGS)]


def outcome(read, path):
    """What a file gives, or the sentence about it."""
    try:
        data = read(path, direction="minimize")
    except MISTAKES as error:
        data = str(error)
    if isinstance(data, str):
        assert len(data) > 20
        return data
    held = data.values if isinstance(data, Histories) else data.lower
    assert np.isfinite(held[~np.isnan(held)]).all()
    if isinstance(data, Histories):
        assert np.isfinite(data.evaluations).all()
    return data


def written(path, text):
    """The file of a text in the format of its name."""
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


# --------------------------------------------------------------------------------- gzip


def cut(data):
    return data[: len(data) // 2]


def without_sum(data):
    return data[:-8] + bytes(8)


def garbled(data):
    return data[:20] + b"\xff" * 20 + data[40:]


GZIP = [
    (
        lambda data: b"dataset,A,B\nx,1,2\n",
        "t.csv.gz is damaged, or is not compressed by gzip though",
    ),
    (cut, "t.csv.gz is cut off: its compressed data have no end. Copy or download it again."),
    (lambda data: data[:7], "t.csv.gz is cut off: its compressed data have no end. Copy"),
    (without_sum, "t.csv.gz is damaged, or is not compressed by gzip"),
    (garbled, "t.csv.gz is damaged, or is not compressed by gzip"),
    (lambda data: data + b"rest", "t.csv.gz is damaged, or is not compressed by gzip"),
    (
        lambda data: b"",
        "t.csv.gz is empty.",
    ),
]


@pytest.mark.parametrize("lane", [0, 2**60])
@pytest.mark.parametrize(("kind", "text"), READERS)
@pytest.mark.parametrize(("damage", "message"), GZIP)
def test_compressed_files_that_are_none(tmp_path, monkeypatch, damage, message, kind, text, lane):
    monkeypatch.setattr(delimited, "LARGE", lane)
    path = tmp_path / "t.csv.gz"
    path.write_bytes(damage(gzip.compress(text.encode())))
    with pytest.raises(DataError, match=f"^{re.escape(message)}"):
        kind.read(path, direction="minimize")


def test_damage_behind_what_is_no_text(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(cut(gzip.compress(b"dataset,A\nx\xff,1\n" + Random(0).randbytes(2**22))))
    with pytest.raises(DataError, match=r"^t\.csv\.gz is (cut off|not utf-8 text)"):
        Experiment.read(path, direction="minimize")


def test_a_compressed_file_by_another_name(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(gzip.compress(SCORES.encode()))
    with pytest.raises(DataError, match=r"^t\.csv is compressed by gzip\. Add \.gz to its name"):
        Experiment.read(path, direction="minimize")


def test_parts_joined_and_padded_are_whole(tmp_path):
    path = tmp_path / "t.csv.gz"
    head, rest = SCORES[:100].encode(), SCORES[100:].encode()
    path.write_bytes(gzip.compress(head) + gzip.compress(rest) + bytes(50))
    assert Experiment.read(path, direction="minimize").n_datasets == 40


def test_the_command_line_says_it_in_one_line(tmp_path, capsys):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(cut(gzip.compress(SCORES.encode())))
    assert main(["tables", str(path), "--direction", "minimize"]) == 1
    said = capsys.readouterr()
    assert not said.out
    assert said.err == (
        "nbcompare: t.csv.gz is cut off: its compressed data have no end. "
        "Copy or download it again.\n"
    )


# ------------------------------------------------------------------------- long lines


@pytest.fixture
def short(monkeypatch):
    """Rows of so few characters are too long already."""
    for module in (lines, delimited):
        monkeypatch.setattr(module, "LONGEST_ROW", 1_000)


LONG = "has more than 1,000 characters, the most that a row may have. Check that each row stands"


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a" * 1_001, "line 1"),
        ("dataset," + "a" * 1_001 + "\nx,1\n", "line 1"),
        ("dataset,A\n" + "x" * 1_001, "line 2"),
        ("dataset,A\nx,1\n" + "x" * 1_001 + ",1\ny,2\n", "line 3"),
        ("dataset,A\nx,1\ny,2\nz," + "1" * 999, "line 4"),
        ("dataset,A" + f',"{"b" * 20}\n"' * 60, "the header"),
        ("dataset,A\n" + '"a\n",' * 400, "row 1"),
        ("dataset,A\nx,1\n\n" + '"a\n",' * 400, "row 2"),
    ],
)
def test_rows_that_are_too_long(tmp_path, short, text, where, name):
    path = written(tmp_path / name, text)
    with pytest.raises(DataError, match=f"^{name}, {where} {LONG}"):
        Experiment.read(path, direction="minimize")


def test_rows_of_the_most_that_they_may_have(tmp_path, monkeypatch, short):
    body = [f"x{i},{'1' * (996 - len(str(i)))}." for i in range(20)]
    path = written(tmp_path / "t.csv", "\n".join(["dataset,A", *body]) + "\n")
    monkeypatch.setattr(delimited.csv, "field_size_limit", lambda: 10**6)
    with pytest.raises(DataError, match=r"^t\.csv, row 1 \('x0'\), column 'A' must be finite"):
        Experiment.read(path, direction="minimize")


@pytest.mark.weekly
@pytest.mark.parametrize("lane", [0, 2**60])
def test_cells_that_are_too_long(tmp_path, monkeypatch, lane):
    monkeypatch.setattr(delimited, "LARGE", lane)
    for cell in ("x" * 140_000, '"' + "x\n" * 70_000, "0." + "1" * 140_000):
        texts = [f"dataset,A\nx,1\n{cell},1\n", f"dataset,A\nx,1\nx,{cell}\n"]
        for text in texts[: 1 if cell[0] == "0" and not lane else 2]:  # a number has any length
            path = written(tmp_path / "t.csv", text)
            with pytest.raises(DataError, match=r"^t\.csv, row 2: a cell has more than 131,072 ch"):
                Experiment.read(path, direction="minimize")
    wide = ",".join(["dataset", *(f"A{i}" for i in range(10_000))])
    path = written(tmp_path / "t.csv", f"{wide}\nx{',0.25' * 10_000}\n")
    assert Experiment.read(path, direction="minimize").n_algorithms == 10_000


def test_empty_rows_without_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "_MOST_EMPTY", 1_000)
    path = written(tmp_path / "t.csv", "dataset,A\nx,1\n" + ",\n" * 300 + "\n" * 300)
    assert Experiment.read(path, direction="minimize").datasets == ("x",)
    path = written(tmp_path / "t.csv.gz", "dataset,A\nx,1\n" + ",\n" * 300 + "\n" * 500)
    with pytest.raises(DataError, match=r"^t\.csv\.gz has more than 1,000 characters of empty"):
        Experiment.read(path, direction="minimize")


MEASURED = """
import resource, sys
import polars
from nbcompare.histories import Histories
from nbcompare.experiment import Experiment
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    Experiment.read(sys.argv[1], direction="minimize")
except ValueError as error:
    print(type(error).__name__, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.weekly
@pytest.mark.parametrize(
    ("head", "unit"),
    [("", "a"), ("dataset,A\nx,1\n", "a"), ("dataset,A\nx,1\n", "\n"), ("dataset\nx\n", '"a\n",')],
)
def test_a_small_file_of_a_giant_row_takes_little_memory(tmp_path, head, unit):
    path = tmp_path / "t.csv.gz"
    with gzip.open(path, "wb") as stream:
        stream.write(head.encode())
        for _ in range(2**8):
            stream.write((unit * 2**20).encode()[: 2**20])  # 256 MiB in all
    assert path.stat().st_size < 2**20
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, path], capture_output=True, text=True, check=True
    )
    name, kibibytes = done.stdout.split()
    assert name == "DataError"
    assert int(kibibytes) < 700 * 1024


# ---------------------------------------------------------------------------- headers


@pytest.mark.parametrize(("kind", "text"), READERS)
@pytest.mark.parametrize("header", ['""', '" "', '"\n"', '\ufeff""'])
def test_headers_without_a_name(tmp_path, kind, text, header):
    path = written(tmp_path / "t.csv", f"{header}\n1\n")
    with pytest.raises(DataError, match=r"^t\.csv has no header: its first line names no column"):
        kind.read(path, direction="minimize")


@pytest.mark.parametrize("encoding", ["undefined", "a\0b", 5, None, "hex"])
def test_encodings_that_are_none(tmp_path, encoding):
    path = written(tmp_path / "t.csv", SCORES)
    with pytest.raises(ValueError, match=r"^`encoding` must be one that Python knows, such as"):
        Experiment.read(path, direction="minimize", encoding=encoding)


# ------------------------------------------------------------------------ IOHprofiler


def copied(tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(IOH / "hill-climber", folder)
    meta = folder / "IOHprofiler_f1_Sphere.json"
    return folder, meta, folder / json.loads(meta.read_text())["scenarios"][0]["path"]


def point_to(meta, path):
    told = json.loads(meta.read_text())
    told["scenarios"][0]["path"] = path
    meta.write_text(json.dumps(told))


def outside(tmp_path, data):
    target = tmp_path / "elsewhere.dat"
    shutil.copy(data, target)
    return target


def by_dots(tmp_path, meta, data):
    outside(tmp_path, data)
    point_to(meta, "../elsewhere.dat")


def by_root(tmp_path, meta, data):
    point_to(meta, str(outside(tmp_path, data)))


def by_link(tmp_path, meta, data):
    target = outside(tmp_path, data)
    data.unlink()
    data.symlink_to(target)


def by_linked_folder(tmp_path, meta, data):
    shutil.move(data.parent, tmp_path / "moved")
    data.parent.symlink_to(tmp_path / "moved")


def by_name_alike(tmp_path, meta, data):
    shutil.copytree(meta.parent, tmp_path / "copy2")
    point_to(meta, f"../copy2/{data.parent.name}/{data.name}")


@pytest.mark.parametrize("way", [by_dots, by_root, by_link, by_linked_folder, by_name_alike])
def test_folders_that_lead_out_of_themselves(tmp_path, way):
    folder, meta, data = copied(tmp_path)
    way(tmp_path, meta, data)
    with pytest.raises(
        DataError,
        match=r"^IOHprofiler_f1_Sphere\.json names '.*', which leads to a file that is not in "
        r"'copy'\. Copy the file into the folder, or read a folder that holds both\.$",
    ):
        Histories.read(folder, instances="runs")


def test_a_meta_file_that_is_elsewhere(tmp_path):
    folder, meta, _ = copied(tmp_path)
    meta.rename(tmp_path / meta.name)
    meta.symlink_to(tmp_path / meta.name)
    with pytest.raises(DataError, match=r"^IOHprofiler_f1_Sphere\.json leads to a file that is"):
        Histories.read(folder, instances="runs")


def test_links_and_dots_within_the_folder(tmp_path):
    folder, meta, data = copied(tmp_path)
    expected = Histories.read(folder, instances="runs", n_points=5).fingerprint
    linked = tmp_path / "link"
    linked.symlink_to(folder, target_is_directory=True)
    assert Histories.read(linked, instances="runs", n_points=5).fingerprint == expected
    point_to(meta, f"{data.parent.name}/../{data.parent.name}/{data.name}")
    assert Histories.read(linked, instances="runs", n_points=5).fingerprint == expected
    point_to(meta, str(data))
    assert Histories.read(linked, instances="runs", n_points=5).fingerprint == expected
    data.rename(folder / "data.dat")
    data.symlink_to(folder / "data.dat")
    assert Histories.read(linked, instances="runs", n_points=5).fingerprint == expected


@pytest.mark.parametrize("path", ["", ".", "a\0b", "x" * 5_000, "loop", 5, None, ["a"]])
def test_paths_that_are_none(tmp_path, path):
    folder, meta, _ = copied(tmp_path)
    (folder / "loop").symlink_to("loop")
    point_to(meta, path)
    with pytest.raises(DataError, match=r"^'?IOHprofiler_f1_Sphere\.json'? (names|is no meta)"):
        Histories.read(folder, instances="runs")


@pytest.mark.parametrize("evals", ["Infinity", "1e999", "NaN", "1" + "0" * 400, "[]", "null"])
def test_evaluations_that_are_none(tmp_path, evals):
    folder, meta, _ = copied(tmp_path)
    meta.write_text(re.sub(r'("evals": ?)\d+', rf"\g<1>{evals}", meta.read_text(), count=1))
    with pytest.raises(
        DataError, match=r"^'IOHprofiler_f1_Sphere\.json' (is no meta file|is not readable|nests)"
    ):
        Histories.read(folder, instances="runs")


@pytest.mark.parametrize("cell", ["nan", "nan(5)", "inf", "-inf", "1e999", "-1", "0"])
@pytest.mark.parametrize("column", [0, 1])
def test_cells_of_runs_that_are_none(tmp_path, cell, column):
    folder, _, data = copied(tmp_path)
    rows = data.read_text().splitlines()
    cells = rows[1].split()
    cells[column] = cell
    data.write_text("\n".join([rows[0], " ".join(cells), *rows[2:]]) + "\n")
    outcome(READ_FOLDER, folder)


def test_deep_nesting_and_folders_named_like_files(tmp_path):
    folder, meta, _ = copied(tmp_path)
    meta.write_text("[" * 100_000)
    with pytest.raises(
        DataError, match=r"^'IOHprofiler_f1_Sphere\.json' (is no meta file|is not readable|nests)"
    ):
        Histories.read(folder, instances="runs")
    meta.unlink()
    meta.mkdir()
    (folder / "x.info").mkdir()
    assert Histories.read(folder, instances="runs", n_points=5).n_problems == 1
