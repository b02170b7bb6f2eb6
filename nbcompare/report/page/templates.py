"""Find the templates of pages, and recognise the scripts and style sheets that they contain."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

__all__ = ["digest_of_code", "known_code", "template_folder"]

_PACKAGE = Path(__file__).resolve().parents[2]
_CODE = ("*.css", "*.js")
_RELEASED = "released.txt"


def template_folder() -> Path:
    """Find the folder that holds nbcompare's templates.

    Returns
    -------
    pathlib.Path
        The folder of the checkout if the package runs from one, so that changes to a template take
        effect at the next export; otherwise the copy inside the package.
    """
    checkout = _PACKAGE.parent / "report_templates"
    return checkout if checkout.is_dir() else _PACKAGE / "_templates"


def digest_of_code(text: str) -> str:
    """Return the SHA-256 of a script or a style sheet, without the white space around it."""
    return hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()


@cache
def known_code() -> frozenset[str]:
    """Return the digests of the scripts and style sheets of every template, released or at hand."""
    folder = template_folder() / "nbcompare"
    released = (folder / _RELEASED).read_text(encoding="utf-8").splitlines()
    digests = {line.split()[0] for line in released if line and not line.startswith("#")}
    files = (file for pattern in _CODE for file in folder.glob(pattern))
    digests |= {digest_of_code(file.read_text(encoding="utf-8")) for file in files}
    return frozenset(digests)
