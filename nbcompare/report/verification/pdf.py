"""Read the results that are attached to a PDF, and tell which of its pages were changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from nbcompare._render import plural
from nbcompare.report.page.attachment import ATTACHMENT, attached
from nbcompare.report.verification.changes import Changes
from nbcompare.report.verification.page import Page, check_results

__all__ = ["read_pdf"]

_LIMIT = (
    "text, tables and figures on the pages of a PDF, which are not compared with what was "
    "recomputed; the HTML page of the report can be"
)
# By the digest, how one names what it is of
_PARTS = {
    "structure": "the tags, with the alternative texts and the order of reading",
    "about": "title, authors and language of the file",
    "settings": "the outline and the actions of the file",
}


def read_pdf(content: bytes) -> Page:
    """Read a PDF of a report, as a page that displays nothing.

    Raises
    ------
    ValueError
        If it cannot be read, or if no results are attached to it.
    ImportError
        If pypdf is not installed.
    """
    try:
        found = attached(content)
    except ValueError as error:
        raise ValueError(f"`page` must be a PDF that can be read: {error}.") from None
    if found is None:
        raise ValueError(
            "`page` must hold results of nbcompare; no file "
            f"{ATTACHMENT} is attached to this PDF. A browser that prints a page "
            "attaches nothing. Verify the HTML page instead, or export the PDF "
            "again."
        )
    results, before, now = found
    told = tuple(_changes(before, now))
    changed_pages = sum(text.startswith("page ") for text in told)
    same = len(now["pages"]) - changed_pages
    unchanged = [plural(same, "page")] if same > 0 else []
    unchanged += [what for part, what in _PARTS.items() if before.get(part) == now[part]]
    return Page(
        results=check_results(dict(results)),
        displays=(),
        unmarked=(),
        references=(),
        n_figures=0,
        n_outputs=0,
        unchecked=(_LIMIT,),
        changes=Changes("; ".join(unchanged), told),
    )


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    old, new = before.get("pages"), now["pages"]
    if not isinstance(old, list):
        yield "the digests of the pages are damaged"
        return
    if len(old) != len(new):
        yield f"the file has {plural(len(new), 'page')}, at export it had {len(old)}"
    for number, (one, two) in enumerate(zip_longest(old, new), 1):
        if one == two or two is None:
            continue
        if two in old:
            yield f"page {number} was page {old.index(two) + 1} at export"
        else:
            yield f"page {number} was {'changed' if one is not None else 'inserted'}"
    for part, what in _PARTS.items():
        if before.get(part) != now[part]:
            yield f"{what}: changed"
