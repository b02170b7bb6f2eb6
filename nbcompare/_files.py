"""Files written whole or not at all, and scratch folders that do not stay behind."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

PROJECT = ".nbcompare"  # the ending of the file of a project

_MARK = ".nbcompare-"  # in the name of a file that is being written

# Name of a scratch folder, unlike that of any folder of a user's project
_SCRATCH = ("nbcompare-", ".tmp")
# A socket's path has at most 107 bytes on Linux, 40 of which are its name and its folder's.
_SHORT, _SHORT_PLACE = 60, "/tmp"
# What stands in the way of writing, and what to do, by the number of the system's error
_FULL = "the disk is full. Free some space there, or {elsewhere}."
_OBSTACLES = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: "the disk quota is used up. Free some space there, or {elsewhere}.",
    errno.EFBIG: "the file is larger than the system allows; {elsewhere}.",
    errno.EROFS: "it can only be read there; {elsewhere}.",
    errno.EACCES: "permission denied; {elsewhere}, or close a program that has the file open.",
    errno.EPERM: "permission denied; {elsewhere}, or close a program that has the file open.",
    errno.ENOENT: "its folder is gone. Make it again, or {elsewhere}.",
    errno.ENAMETOOLONG: "its name is too long; choose a shorter one.",
}
_WINDOWS = os.name == "nt"
# What Windows takes for a device, whatever follows a dot, and what none of its names has
_DEVICE = re.compile(r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³]) *(\.|$)", re.IGNORECASE)
_UNSTORABLE = re.compile(r'[<>:"|?*\x00-\x1f]')
_MOST_LETTERS = 150  # a path of Windows may have 260 with its folders
_SCRATCH_NAME = re.compile(rf"{re.escape(_SCRATCH[0])}[a-z0-9_]{{8}}{re.escape(_SCRATCH[1])}")


def check_target(path: Path) -> None:
    """Raise OSError, before any work is done, if a file cannot be written there."""
    folder = path.resolve().parent
    if path.is_dir():
        raise IsADirectoryError(f"cannot write {path}: it is a folder.")
    if not folder.is_dir():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {folder}.")
    if _WINDOWS and path.name != (plain := plain_name(path.name)):
        raise OSError(f"cannot write {path}: Windows lacks such names. Call it {plain!r}.")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise PermissionError(f"cannot write {path}: permission denied.")


def in_words(error: OSError, what: str = "", elsewhere: str = "choose another folder") -> OSError:
    """Return an error of the system as a sentence that names the file and what to do.

    Parameters
    ----------
    error : OSError
        One that has a sentence already is returned as it is.
    what : str
        What failed, ``cannot write a.html``; by default the file of the error.
    elsewhere : str
        Words that say how to write to another place.

    Examples
    --------
    >>> print(in_words(OSError(28, "No space left on device"), "cannot write a.html"))
    cannot write a.html: the disk is full. Free some space there, or choose another folder.
    """
    if error.errno is None or error.strerror is None:
        return error
    name = error.filename
    file = os.fsdecode(name) if isinstance(name, str | bytes | os.PathLike) else ""
    subject = what or file
    reason = f"{error.strerror[:1].lower()}{error.strerror[1:]}."
    if what:
        reason = _OBSTACLES.get(error.errno, reason).format(elsewhere=elsewhere)
    elif error.errno == errno.ENOSPC:
        subject, reason = f"cannot write {file or 'a file'}", _FULL.format(elsewhere=elsewhere)
    said = type(error)(f"{subject}: {reason}" if subject else reason)
    said.errno = error.errno
    return said


def plain_name(name: str) -> str:
    r"""Return the name of a file without folders, whatever system wrote it, as any can store it.

    Examples
    --------
    >>> plain_name("C:\\data\\scores.csv"), plain_name("what?.csv. "), plain_name("con.csv")
    ('scores.csv', 'what_.csv', '_con.csv')
    """
    base = PurePosixPath(PureWindowsPath(name).name).name
    plain = _UNSTORABLE.sub("_", base).rstrip(". ")[-_MOST_LETTERS:]
    return f"_{plain}" if _DEVICE.match(plain) else plain


def seen(path: Path) -> str:
    """Return a path as seen from the working folder, whole if it is not in there."""
    full, here = path.resolve(), Path.cwd()
    return str(full.relative_to(here) if full.is_relative_to(here) else full)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write beside the target and move it there, so that no half of it is ever seen."""
    write_all({path: content})


def write_all(
    contents: Mapping[Path, str] | Mapping[Path, bytes] | Mapping[Path, str | bytes],
) -> None:
    """Write several files, text or bytes, each whole: all of them, or none if anything fails.

    All are written beside their targets before the first is moved there. If a move fails, or
    is interrupted, those before it are undone. Only a process that is killed between two moves
    leaves new files beside old ones; even then each is whole.
    """
    written: list[_Replacement] = []
    try:
        for path, content in contents.items():
            with _writing(path):
                written.append(_Replacement(path, content))
        for path, replacement in zip(contents, written, strict=True):
            with _writing(path):
                replacement.move()
    except BaseException:
        for replacement in reversed(written):
            replacement.undo()
        raise
    for replacement in written:
        replacement.forget()


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise in_words(error, f"cannot write {path}") from error


class _Replacement:
    """A file that will replace another one, which is kept until all is done."""

    def __init__(self, path: Path, content: str | bytes) -> None:
        self._target = path.resolve()  # a link keeps pointing where it does
        self._old: Path | None = None
        self._moved = False
        self._new = self._target.with_name(f".{self._target.name}{_MARK}{secrets.token_hex(4)}")
        mode = self._target.stat().st_mode & 0o777 if self._target.exists() else None
        # A new file gets the usual permissions. One that replaces a file that may be private is
        # private until it is whole.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(self._new, flags, 0o666 if mode is None else 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.encode("utf-8") if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                self._new.chmod(mode)
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
        # an interrupt may come between the move and its note; the new file shows it
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


def _link(target: Path, other: Path) -> None:
    try:
        other.hardlink_to(target)
    except OSError:  # a file system without such links
        shutil.copy2(target, other)


# ----------------------------------------------------------------------------------- folders


@contextlib.contextmanager
def scratch_folder(*, short: bool = False) -> Iterator[Path]:
    """Make a scratch folder, which is removed at the end with everything in it.

    Parameters
    ----------
    short : bool
        Whether its path must be short, as those of sockets must.

    Raises
    ------
    OSError
        If it cannot be made, or if the disk is full or the folder disappears while it is used.
    """
    try:
        place = tempfile.gettempdir()
    except FileNotFoundError as error:
        raise FileNotFoundError(
            "no folder for temporary files can be written. Free some space, or name a folder in "
            "the environment variable TMPDIR."
        ) from error
    if short and len(os.fsencode(place)) > _SHORT and os.access(_SHORT_PLACE, os.W_OK | os.X_OK):
        place = _SHORT_PLACE
    try:
        with tempfile.TemporaryDirectory(
            prefix=_SCRATCH[0], suffix=_SCRATCH[1], dir=place, ignore_cleanup_errors=True
        ) as name:
            yield Path(name)
    except OSError as error:  # say in words what prevents work there; leave others as they are
        ours = _SCRATCH_NAME.search(str(error.filename)) is not None
        full = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        if error.errno not in full and not ours:
            raise
        what = f"cannot write to the folder for temporary files, {place}"
        if ours and error.errno == errno.ENOENT:
            gone = f"{what}: what was written there is gone. Try again."
            raise FileNotFoundError(gone) from error
        elsewhere = "name another folder in the environment variable TMPDIR"
        raise in_words(error, what, elsewhere) from error
