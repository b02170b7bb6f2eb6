"""What is written is whole, or as it was: killed writers, and systems that allow no large file."""

import os
import subprocess
import sys
from pathlib import Path

import outputs
import pytest

pytestmark = pytest.mark.posix


def run(kind, folder, *way):
    """Run the program that writes, with whole versions to compare with."""
    package = str(Path(outputs.nbc.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package}
    line = [sys.executable, "-W", "ignore", outputs.__file__, kind, str(folder)]
    if not (folder / "0").exists():
        subprocess.run([*line, "whole"], check=True, env=environment, capture_output=True)
    return subprocess.run([*line, *way], env=environment, capture_output=True, text=True)


def check_killed(kind, folder, times):
    done = run(kind, folder, "kill", str(times))
    assert done.returncode == 0, done.stderr
    left = done.stdout.splitlines()
    assert len(left) == times
    assert not [each for each in left if "-1" in each.split()]
    return left


@pytest.mark.parametrize("kind", ["project", "svg"])
def test_some_killed_writers(tmp_path, kind):
    check_killed(kind, tmp_path, 5)


@pytest.mark.weekly
@pytest.mark.parametrize("kind", outputs.KINDS)
def test_killed_writers(tmp_path, kind):
    left = check_killed(kind, tmp_path, 40)
    assert len({*left}) > 1  # they were killed at different moments of their work


@pytest.mark.parametrize("kind", outputs.KINDS)
def test_where_no_large_file_may_be_written(tmp_path, kind):
    done = run(kind, tmp_path, "limited")
    told = (done.stdout + done.stderr).replace("\n", " ")
    assert done.returncode == 0, told
    assert "cannot write" in told
    assert "larger than the system allows" in told or "no more" in told
    assert "Errno" not in told
    assert "Traceback" not in told
    old, now = (tmp_path / name for name in ("0", "limited"))
    assert outputs.contents(now) == outputs.contents(old)
    assert not [each for each in now.rglob("*") if ".nbcompare-" in each.name]
