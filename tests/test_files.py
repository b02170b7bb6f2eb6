"""Files are whole or as they were: replaced, interrupted, killed on the way."""

import errno
import ntpath
import os
import re
import shutil
import tempfile
from pathlib import PureWindowsPath

import pytest

from nbcompare import _files
from nbcompare._files import check_target, plain_name, scratch_folder, write_all, write_whole


@pytest.mark.posix
def test_write_whole_replaces_and_keeps_the_mode(tmp_path):
    target = tmp_path / "report.html"
    target.write_text("old")
    target.chmod(0o640)
    write_whole(target, "neu ü")
    assert target.read_text(encoding="utf-8") == "neu ü"
    assert target.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.posix
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


# --------------------------------------------------------------------------- names of Windows


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("scores.csv", "scores.csv"),
        ("C:\\data\\scores.csv", "scores.csv"),
        ("c:scores.csv", "scores.csv"),
        ("../../scores.csv", "scores.csv"),
        ("\\\\server\\share\\scores.csv", "scores.csv"),
        ("NUL", "_NUL"),
        ("con.csv", "_con.csv"),
        ("Lpt1 .tar.gz", "_Lpt1 .tar.gz"),
        ("console.csv", "console.csv"),
        ("scores.csv. .", "scores.csv"),
        ("a<b>:c|?*.csv", "a_b__c___.csv"),
        ("a\0b\n.csv", "a_b_.csv"),
        ("..", ""),
        ("é" * 300 + ".csv", "é" * 146 + ".csv"),
    ],
)
def test_names_that_every_system_can_store(name, plain):
    assert plain_name(name) == plain
    assert plain_name(plain) == plain
    assert PureWindowsPath(plain).name == plain
    is_reserved = getattr(ntpath, "isreserved", lambda it: PureWindowsPath(it).is_reserved())
    assert not is_reserved(plain)


def test_windows_refuses_a_device_before_any_work(tmp_path, monkeypatch):
    check_target(tmp_path / "aux.html")
    monkeypatch.setattr(_files, "_WINDOWS", True)
    check_target(tmp_path / "auxiliary.html")
    for name in ("aux.html", "a.html.", "a:b.html"):
        with pytest.raises(OSError, match=r"Windows lacks such names\. Call it '\w+\.html'"):
            check_target(tmp_path / name)


# ----------------------------------------------------------------------- errors of the system

_SPACE = (errno.ENOSPC, "the disk is full. Free some space there, or choose another folder.")


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        _SPACE,
        (errno.EACCES, "permission denied; choose another folder, or close a program that has"),
        (errno.EROFS, "it can only be read there; choose another folder."),
        (errno.ENOENT, "its folder is gone. Make it again, or choose another folder."),
        (errno.EIO, f"{os.strerror(errno.EIO).lower()}."),
    ],
)
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_what_prevents_writing_is_said_with_the_file_and_a_way_out(
    tmp_path, monkeypatch, number, reason, step
):
    """Neither the number of the error nor the name of the file on the way is shown."""
    target = tmp_path / "report.html"
    target.write_text("old")

    def failing(*_):
        raise OSError(number, os.strerror(number), f"{target}.nbcompare-a1b2c3d4")

    place = "os.fsync" if step == "fsync" else "pathlib.Path.replace"
    monkeypatch.setattr(place, failing)
    with pytest.raises(OSError, match=re.escape(f"cannot write {target}: {reason}")) as caught:
        write_whole(target, "new")
    assert "Errno" not in str(caught.value)
    assert ".nbcompare-" not in str(caught.value)
    assert caught.value.errno == number
    assert left_behind(tmp_path) == {"report.html": "old"}


def test_a_scratch_folder_on_a_full_disk_names_the_variable(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def fill():
        with scratch_folder() as folder:
            (folder / "x").write_text("x")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # as writing to a file raises it

    with pytest.raises(OSError, match="the disk is full") as caught:
        fill()
    assert str(caught.value) == (
        f"cannot write to the folder for temporary files, {tmp_path}: the disk is full. Free some "
        "space there, or name another folder in the environment variable TMPDIR."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_scratch_folder_that_is_cleared_away_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def lose():
        with scratch_folder() as folder:
            shutil.rmtree(folder)
            (folder / "kernel.json").write_text("{}")

    with pytest.raises(FileNotFoundError, match=r"^cannot write to the .* is gone\. Try again\.$"):
        lose()


def test_other_errors_in_a_scratch_folder_stay_as_they_are(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"Errno 2.*missing") as caught, scratch_folder():
        (tmp_path / "missing").read_text()
    assert caught.value.filename == str(tmp_path / "missing")
