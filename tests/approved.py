"""Texts that were read and approved, below headings in files beside their tests.

``NBCOMPARE_APPROVE=1`` writes them again; read the difference before it is committed.
"""

import os
import re

import pytest

APPROVES = bool(os.environ.get("NBCOMPARE_APPROVE"))
unless_written = pytest.mark.skipif(APPROVES, reason="texts are written")


def texts_in(file):
    """Return the approved texts by their headings."""
    parts = re.split(r"^## (.+)\n\n", file.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


def write(file, title, made):
    """Write texts, each of which a function makes, if they are to be written."""
    if APPROVES:
        texts = (f"## {name}\n\n{make()}\n" for name, make in made.items())
        file.write_text(f"# {title}\n\n" + "\n".join(texts), encoding="utf-8")
