"""Whether what a build wrote before can stay."""

from __future__ import annotations

from pathlib import Path

import nbcompare

PACKAGE = Path(nbcompare.__file__).parent


def is_newer(file: Path, *sources: Path) -> bool:
    """Return whether a file is there and newer than all of its sources.

    Parameters
    ----------
    file : path
        What was written.
    *sources : path
        What it was made from; a folder stands for all Python files in it.
    """
    read = [found for it in sources for found in ([it] if it.is_file() else it.rglob("*.py"))]
    return file.is_file() and file.stat().st_mtime > max(it.stat().st_mtime for it in read)
