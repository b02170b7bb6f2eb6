"""Write files whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

# Between a target's name and random letters: a file of ours on its way, or what is left of a
# process that was killed. After so many seconds nobody is writing it any more.
_MARK = ".nbcompare-"
_ABANDONED = 3600.0


def check_target(path: Path) -> None:
    """Raise OSError, before any work is done, if a file cannot be written there."""
    folder = path.resolve().parent
    if path.is_dir():
        raise IsADirectoryError(f"cannot write {path}: it is a folder.")
    if not folder.is_dir():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {folder}.")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise PermissionError(f"cannot write {path}: permission denied.")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write beside the target and move it there, so that no half of it is ever seen."""
    write_all({path: content})


def write_all(
    contents: Mapping[Path, str] | Mapping[Path, bytes] | Mapping[Path, str | bytes],
) -> None:
    """Write several files, text or bytes, each whole: all of them, or none if anything fails.

    All are written beside their targets before the first is moved there. If a move fails, or
    is interrupted, those before it are undone. Only a process that is killed between two moves
    leaves new files beside old ones; even then each is whole. What such a process left beside
    a target is cleared away by the next one.
    """
    for path in contents:
        _clear(path.resolve())
    written: list[_Replacement] = []
    try:
        for path, content in contents.items():
            written.append(_Replacement(path, content))
        for replacement in written:
            replacement.move()
    except BaseException:
        for replacement in reversed(written):
            replacement.undo()
        raise
    for replacement in written:
        replacement.forget()


class _Replacement:
    """A file that is to take the place of another, which is kept until all is done."""

    def __init__(self, path: Path, content: str | bytes) -> None:
        self._target = path.resolve()  # a link keeps pointing where it does
        self._old: Path | None = None
        self._moved = False
        handle, name = tempfile.mkstemp(
            dir=self._target.parent, prefix=f".{self._target.name}{_MARK}"
        )
        self._new = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.encode("utf-8") if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            self._new.chmod(_mode(self._target))
        except BaseException:
            self._new.unlink(missing_ok=True)
            raise

    def move(self) -> None:
        if self._target.exists():
            old = self._new.with_name(f"{self._new.name}.old")
            _link(self._target, old)
            self._old = old
        self._new.replace(self._target)
        self._moved = True

    def undo(self) -> None:
        # an interrupt may come between a move and the note of it: the new file tells
        moved = self._moved or not self._new.exists()
        if moved and self._old is not None:
            self._old.replace(self._target)
        elif moved:
            self._target.unlink(missing_ok=True)
        self._new.unlink(missing_ok=True)
        self.forget()

    def forget(self) -> None:
        if self._old is not None:
            self._old.unlink(missing_ok=True)


def _clear(target: Path) -> None:
    """Remove what a killed process left on the way to a target."""
    start = f".{target.name}{_MARK}"
    with contextlib.suppress(OSError):  # no folder, which writing will say, or no right to list it
        for path in target.parent.iterdir():
            if path.name.startswith(start) and _age(path) > _ABANDONED:
                path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Seconds since a file was written; 0 if another process has removed it."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _link(target: Path, other: Path) -> None:
    try:
        other.hardlink_to(target)
    except OSError:  # a file system without such links
        shutil.copy2(target, other)


def _mode(target: Path) -> int:
    """The mode of the file replaced, or what a new file gets (mkstemp makes it private)."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
