"""Damaged files by counts: 56,000 in a week, and some of each format always; see ``mutations``."""

import json
import os
import subprocess
import sys
from pathlib import Path

import mutations
import pytest
from mutations import KINDS, WEEKLY, samples, tried

ALWAYS = 20  # of each format
# What was wrong once: an error of NumPy or Python, a warning, a message without an end, 14 s
ONCE_WRONG = [
    ("tsv", 0), ("tsv", 1152), ("large csv", 1678), ("json", 167), ("npy", 163), ("npz", 53),
    ("excel", 53), ("excel", 2145), ("parquet", 1), ("lm-eval", 626), ("tables of logs", 372),
    ("latex", 1439), ("project", 303), ("project", 2128), ("results", 1963), ("pdf", 1),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_damaged_can_be_read_when_it_is_whole(tmp_path, kind):
    for number, sample in enumerate(samples(kind)):
        folder = tmp_path / str(number)
        for name, content in sample.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        sample.read(folder / sample.target if sample.target else folder)


@pytest.mark.parametrize("kind", KINDS)
def test_some_damaged_files(tmp_path, kind):
    outcomes = [tried(kind, number, tmp_path) for number in range(ALWAYS)]
    assert [each for each in outcomes if each[0]] == []
    assert any(told for _, told in outcomes)


@pytest.mark.parametrize(("kind", "number"), ONCE_WRONG)
def test_what_was_wrong_once(tmp_path, kind, number):
    assert tried(kind, number, tmp_path)[0] == ""


@pytest.mark.weekly
@pytest.mark.parametrize("kind", KINDS)
def test_many_damaged_files(kind):
    """In a process of its own, which none of them ends."""
    line = [sys.executable, mutations.__file__, kind, "0", str(WEEKLY)]
    package = str(Path(mutations.OURS).parent)
    done = subprocess.run(
        line, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": package}
    )
    said = done.stdout.splitlines()
    assert done.returncode == 0, f"number {said[-1]}: {done.stderr[-2000:]}"
    assert [json.loads(each) for each in said if each.startswith("[")] == []
    counts = json.loads(said[-1])
    assert counts["tried"] == WEEKLY
    assert counts["refused"] > counts["tried"] / 10
    if kind != "parquet":  # polars prints what one page in 4,000 runs into, which is caught
        assert done.stderr == ""
