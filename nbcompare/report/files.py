"""Write a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def check_target(path: Path) -> None:
    """Raise OSError, before any work is done, if a file cannot be written there."""
    folder = path.resolve().parent
    if path.is_dir():
        raise IsADirectoryError(f"cannot write {path}: it is a folder.")
    if not folder.is_dir():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {folder}.")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise PermissionError(f"cannot write {path}: permission denied.")


def write_whole(path: Path, text: str) -> None:
    """Write text beside the target and move it there, so that no half of it is ever seen."""
    target = path.resolve()  # a link keeps pointing where it does
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(_mode(target))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """The mode of the file replaced, or what a new file gets (mkstemp makes it private)."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
