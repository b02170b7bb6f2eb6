"""What a page takes from the results that it shows: the results, and their literature."""

from __future__ import annotations

import hashlib
import html
import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from nbformat import NotebookNode

from nbcompare._display import USUAL, Options
from nbcompare._version import __version__
from nbcompare.results import (
    MIME_TYPE,
    Result,
    Rows,
    bibtex_of,
    from_json,
    left_out,
    methods_in_latex,
)

__all__ = [
    "ATTACHMENT",
    "RESULTS",
    "Embedded",
    "Literature",
    "bibliography",
    "is_as_sealed",
    "payload",
    "script_safe",
    "sealed",
]

# The id of the script that holds the results of a page; and the mark with the digest of the page
RESULTS = "nbcompare-results"
ATTACHMENT = f"{RESULTS}.json"  # to a PDF
_SEAL = re.compile(r"<!-- nbcompare-digest ([0-9a-f]{64}) -->\n(?=</body>)")

_DIGITS = re.compile(r'\A<div[^>]* data-nbcompare-digits="([2-8])"')
_OWN_HEADING = re.compile(r"^(#{1,6})\s+references\s*#*\s*$", re.IGNORECASE | re.MULTILINE)
_DATA = "Data: "
_METHODS = "methods"  # the first word of the section with a paragraph for a paper


def payload(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what an output contains of the result that it shows, if anything."""
    known = data.get(MIME_TYPE)
    if not isinstance(known, Mapping) or not isinstance(known.get("digest"), str):
        return None
    return known


def script_safe(content: object) -> str:
    r"""Write JSON for a ``<script>`` element, which nothing in it can close.

    Examples
    --------
    >>> script_safe({"name": "</script>"})
    '{"name":"\\u003c/script>"}'
    """
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", r"\u003c")


def sealed(page: str) -> str:
    """Add the digest of a page, by which `is_as_sealed` knows it, if it holds results."""
    before, end, after = page.rpartition("</body>")
    if not end or f'id="{RESULTS}"' not in page:
        return page
    return f"{before}<!-- nbcompare-digest {_digest(page)} -->\n{end}{after}"


def is_as_sealed(page: str) -> bool | None:
    """Whether a page is what it was when its digest was added; None if it has none."""
    found = _SEAL.search(page)
    return None if found is None else _digest(_SEAL.sub("", page)) == found[1]


def _digest(page: str) -> str:
    return hashlib.sha256(page.encode("utf-8", "surrogatepass")).hexdigest()


class Embedded:
    """The results of a page, collected from the outputs that show them."""

    def __init__(self) -> None:
        self.results: dict[str, Any] = {}
        self._read: dict[str, Result | None] = {}
        self._methods: list[str] = []  # digests of the results whose methods are shown

    def add(self, data: Mapping[str, Any]) -> dict[str, str]:
        """Add the result of an output.

        Returns
        -------
        dict
            ``digest`` and ``section``, with which the output is marked; empty without a result.
        """
        known = payload(data)
        if known is None or "result" not in known:
            return {}
        digest = str(known["digest"])
        self.results.setdefault(digest, known["result"])
        section = str(known.get("section") or "")
        if section.split(" ")[0] == _METHODS:
            self._methods.append(digest)
        return {"digest": digest, "section": section}

    def script(self) -> str:
        """Return all results as JSON, by digest; empty if there are none."""
        return script_safe(self.results) if self.results else ""

    def left_out(self, data: Mapping[str, Any]) -> tuple[Rows, ...]:
        """Return the rows that each table leaves out of an output that shows a whole result."""
        known, markup = payload(data), str(data.get("text/html", ""))
        if known is None or known.get("section") is not None or "<tfoot>" not in markup:
            return ()
        result = self._result(str(known["digest"]))
        digits = _DIGITS.search(markup)
        with Options(digits=int(digits[1]) if digits else USUAL.digits):
            return () if result is None else left_out(result)

    def bibtex(self, metadata: Mapping[str, Any]) -> str:
        """Return the literature of all results, and the nbcompare of a notebook, as BibTeX."""
        known = metadata.get("nbcompare")
        version = known.get("version") if isinstance(known, Mapping) else None
        return bibtex_of(self._known(), version if isinstance(version, str) else __version__)

    def methods(self) -> str:
        """Return the paragraphs on methods that the page shows as LaTeX; empty if it shows none."""
        known = map(self._result, dict.fromkeys(self._methods))
        return methods_in_latex(result for result in known if result is not None)

    def _known(self) -> list[Result]:
        """Return the results that this version can read."""
        return [found for digest in self.results if (found := self._result(digest)) is not None]

    def _result(self, digest: str) -> Result | None:
        if digest not in self._read:
            self._read[digest] = _read(self.results.get(digest))
        return self._read[digest]


class Literature:
    """The references of a page: one list, of all results on it.

    It stands where the notebook shows the references of a result, the last time; other such lists
    are removed. If there is none, it is the end of the page, unless the notebook has a section of
    references of its own, or shows methods, which list theirs.

    Parameters
    ----------
    nb : nbformat.NotebookNode
        The executed notebook, with its Markdown not yet rendered; changed in place.
    """

    def __init__(self, nb: NotebookNode) -> None:
        self._nb = nb
        self._items: set[str] = set()
        self._place = NotebookNode(cell_type="markdown", metadata=NotebookNode(), source="")
        if (nb.nbformat, nb.nbformat_minor) >= (4, 5):  # since that version cells have ids
            self._place["id"] = "collected-references"
        self._end, self._is_asked = len(nb.cells), False
        for number, cell in enumerate(nb.cells, 1):
            for output in [*cell.get("outputs", [])]:
                known = payload(output.get("data", {}))
                if known and known.get("section") == "references":
                    self._end, self._is_asked = number, True
                    self._items.update(_sources(known.get("result")))
                    cell.outputs.remove(output)
        prose = (cell.source for cell in nb.cells if cell.cell_type == "markdown")
        self._is_told = any(map(_OWN_HEADING.search, prose))
        nb.cells.insert(self._end, self._place)

    def add(self, embedded: Embedded) -> None:
        """Add the literature of the results of the page."""
        if self._is_asked or not (self._is_told or embedded.methods()):
            for document in embedded.results.values():
                self._items.update(_sources(document))

    def render(self) -> None:
        """Write the list, after the Markdown of the notebook has been rendered."""
        if not self._items:
            self._nb.cells = [cell for cell in self._nb.cells if cell is not self._place]
            return
        items = "\n".join(f"<li>{html.escape(item)}</li>" for item in sorted(self._items, key=_key))
        heading = "" if self._is_told else '<h2 id="References">References</h2>\n'
        self._place.source = f'{heading}<ol class="references">\n{items}\n</ol>\n'


def bibliography(nb: NotebookNode) -> str:
    """Return the literature of the results that a notebook shows, and nbcompare, as BibTeX."""
    embedded = Embedded()
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            embedded.add(output.get("data", {}))
    return embedded.bibtex(nb.metadata)


def _read(document: object) -> Result | None:
    """Return a result; None if this version cannot read it."""
    try:
        return from_json(json.dumps(document), check=False)
    except (TypeError, ValueError):
        return None


def _sources(document: object) -> tuple[str, ...]:
    """Return the data and the literature of a result; empty if this version cannot read it."""
    if (result := _read(document)) is None:
        return ()
    data = (f"{_DATA}{result.design.citation}",) if result.design.citation else ()
    return data + result.references


def _key(item: str) -> tuple[bool, str]:
    """Return the sort key of a reference: data first, then by author, ignoring accents."""
    letters = unicodedata.normalize("NFKD", item).encode("ascii", "ignore").decode()
    return not item.startswith(_DATA), letters.casefold()
