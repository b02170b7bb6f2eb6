"""Files are whole or as they were: replaced, interrupted, killed on the way."""

import os
import subprocess
import sys
import time

import pytest

from nbcompare._files import check_target, write_all, write_whole


def test_write_whole_replaces_and_keeps_the_mode(tmp_path):
    target = tmp_path / "report.html"
    target.write_text("old")
    target.chmod(0o640)
    write_whole(target, "neu ü")
    assert target.read_text(encoding="utf-8") == "neu ü"
    assert target.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_write_whole_follows_a_link(tmp_path):
    target, link = tmp_path / "a.html", tmp_path / "b.html"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "report.html"
    target.write_text("old")

    def interrupted(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(target, "new")
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_targets_that_cannot_be_written(tmp_path):
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        check_target(tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        check_target(tmp_path / "no" / "report.html")


# ------------------------------------------------------------------------------ several files


def left_behind(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@pytest.mark.parametrize("failing", range(3))
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_all_files_or_none(tmp_path, monkeypatch, failing, error):
    targets = [tmp_path / name for name in ("a.html", "b.html", "c.html")]
    targets[0].write_text("old a")
    targets[2].write_text("old c")
    before = left_behind(tmp_path)
    replace, moved = os.replace, []

    def failing_replace(source, target):
        if len(moved) == failing:
            moved.append(target)
            raise error
        moved.append(target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing_replace)
    monkeypatch.setattr("pathlib.Path.replace", lambda path, target: failing_replace(path, target))
    with pytest.raises(error):
        write_all(dict.fromkeys(targets, "new"))
    assert len(moved) > failing
    assert left_behind(tmp_path) == before


def test_several_files_at_once(tmp_path):
    (tmp_path / "a.html").write_text("old")
    write_all({tmp_path / "a.html": "new a", tmp_path / "b.html": "new b"})
    assert left_behind(tmp_path) == {"a.html": "new a", "b.html": "new b"}


# A process of its own, without threads, that may be forked: 20 writers, each killed for good.
_KILLER = """
import os, random, signal, sys, time
from pathlib import Path
from nbcompare._files import write_all

targets = [Path(sys.argv[1]) / name for name in ("a.html", "b.html")]
moments, first = random.Random(6), 0
for number in range(20):
    writer = os.fork()
    if not writer:
        for text in range(first, 1_000_000):
            write_all({path: f"{text} {'x' * 300_000} {text}" for path in targets})
    time.sleep(moments.uniform(0.005, 0.04))
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)
    for path in targets:
        begin, middle, end = path.read_text(encoding="utf-8").split(" ")
        print(begin, end, len(middle))
        first = int(begin) + 1
"""


def test_files_are_whole_whenever_the_process_is_killed(tmp_path):
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(f"0 {'x' * 300_000} 0", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _KILLER, str(tmp_path)], capture_output=True, text=True, check=True
    )
    found = [line.split() for line in done.stdout.splitlines()]
    assert len(found) == 40
    assert all(begin == end and size == "300000" for begin, end, size in found)
    assert len({begin for begin, _, _ in found}) > 5  # they were killed at work


@pytest.mark.parametrize(("hours", "stays"), [(2, False), (0.5, True)])
def test_what_a_killed_process_left_is_cleared(tmp_path, hours, stays):
    left = tmp_path / ".report.html.nbcompare-a1b2c3d4"
    others = [tmp_path / name for name in ("report.html.nbcompare-x", ".other.html.nbcompare-x")]
    for file in (left, *others):
        file.write_text("half")
        then = time.time() - 3600 * hours
        os.utime(file, (then, then))
    write_whole(tmp_path / "report.html", "whole")
    assert left.exists() is stays
    assert all(file.exists() for file in others)
    assert (tmp_path / "report.html").read_text() == "whole"
    assert len(list(tmp_path.iterdir())) == 3 + stays
