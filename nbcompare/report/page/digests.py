"""Embed digests of all parts of a page at its export, and read them back."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable

from nbcompare.report.page.embedded import script_safe

__all__ = ["RESULTS", "parts_of_page", "short_digests", "with_digests", "without_digests"]

# The ids of the scripts that hold the results of a page, and the digests of its parts
RESULTS, _DIGESTS = "nbcompare-results", "nbcompare-digests"
_START, _STOP = f'<script type="application/json" id="{_DIGESTS}">', "</script>\n"
_FORM = 2  # before, digests were of elements
_END = "</body>"
# A part is a line, or what begins with one of these elements
_BREAK = re.compile(r"\n|(?=<(?:p|li|tr|h[1-6]|caption|figcaption|figure|img|svg|title)\b)")
_SHORT = 6  # letters of the digest of a part, which says where a page was changed


def parts_of_page(page: str) -> list[str]:
    """Divide a page into lines, rows of tables, paragraphs and the like."""
    return [part for part in _BREAK.split(page) if part.strip()]


def short_digests(parts: Iterable[str]) -> list[str]:
    """Return the digest of each part."""
    return [
        hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()[:_SHORT] for part in parts
    ]


def with_digests(page: str) -> str:
    """Embed the digests of everything on a page in the page.

    A page that holds no results, which cannot be verified, is returned as it is.
    """
    before, end, after = page.rpartition(_END)
    if not end or f'id="{RESULTS}"' not in page:
        return page
    digests = "".join(short_digests(parts_of_page(page)))
    document = script_safe({"form": _FORM, "parts": digests})
    return f"{before}{_START}{document}{_STOP}{end}{after}"


def without_digests(page: str) -> tuple[str, list[str] | None]:
    """Take the digests out of a page.

    Returns
    -------
    tuple
        The page without them, and the digest of each part at its export; None if the page holds no
        digests that this version can read.
    """
    before, _, rest = page.partition(_START)
    written, _, after = rest.partition(_STOP)
    page = before + after
    try:
        document = json.loads(written)
        parts = str(document["parts"]) if document["form"] == _FORM else None
    except (ValueError, TypeError, LookupError, RecursionError):
        parts = None
    if parts is None:
        return page, None
    return page, [parts[start : start + _SHORT] for start in range(0, len(parts), _SHORT)]
