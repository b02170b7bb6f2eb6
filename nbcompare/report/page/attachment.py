"""The results and digests that a PDF of a report holds as an attachment.

The digests are of what a page is made of (its drawing instructions, fonts and pictures), however
the file writes it, so that a program that keeps the pages keeps the digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PdfReader

__all__ = ["ATTACHMENT", "attached", "attachment", "digests_of_pdf"]

ATTACHMENT = "nbcompare-results.json"
_LARGEST = 2**26  # bytes of the attachment
# They lead back to where we come from, or say how a stream is written
_BACK = ("/Parent", "/P", "/Pg", "/StructParent", "/StructParents", "/ParentTree", "/IDTree")
_WRITTEN = ("/Length", "/Filter", "/DecodeParms")
_OF_PAGE = ("/Resources", "/MediaBox", "/CropBox", "/Annots", "/Rotate", "/UserUnit", "/AA")
_ADDED = ("/Names", "/AF", "/Metadata", "/Pages")  # by the attachment, or read elsewhere


def attachment(results: str, pdf: bytes) -> bytes:
    """Write what is attached to a PDF: the JSON of its results, and the digests of its pages."""
    document = {"results": json.loads(results), "digests": digests_of_pdf(_reader(pdf))}
    # in order, because a notebook that was saved and read again has its JSON in order
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def attached(pdf: bytes) -> tuple[Mapping[str, Any], Mapping[str, Any], dict[str, Any]] | None:
    """Read what is attached to a PDF.

    Returns
    -------
    tuple or None
        The results by digest, the digests at export and those of the file as it is; None if
        nothing of nbcompare is attached.

    Raises
    ------
    ValueError
        If the file is no PDF that can be read.
    ImportError
        If pypdf is not installed.
    """
    try:
        import pypdf.errors
    except ImportError:
        raise ImportError(
            'a PDF is read with pypdf; install it with pip install "nbcompare[pdf]".'
        ) from None
    try:
        reader = _reader(pdf)
        files = reader.attachments.get(ATTACHMENT)
        if not files:
            return None
        if len(files) > 1 or len(files[0]) > _LARGEST:
            raise ValueError("its attachment is there twice, or too large")
        document = json.loads(files[0])
        found = document["results"], document["digests"], digests_of_pdf(reader)
        if not isinstance(found[0], dict) or not isinstance(found[1], dict):
            raise ValueError("its attachment has another form")
    except (
        pypdf.errors.PyPdfError, ValueError, TypeError, LookupError, AttributeError,
        ArithmeticError, NotImplementedError, RecursionError, OSError,
    ) as error:  # fmt: skip
        raise ValueError(str(error) or type(error).__name__) from None
    return found


def digests_of_pdf(reader: PdfReader) -> dict[str, Any]:
    """Compute the digests of the pages of a PDF, of its structure, and of what it says of itself.

    Returns
    -------
    dict
        ``pages``, a list of digests; ``structure`` (the tags, with alternative texts), ``about``
        (title, authors, language) and ``settings`` (the outline, and all that may act by itself).
    """
    graph = _Graph(reader)
    root: Any = reader.trailer["/Root"]
    pages = []
    for page in reader.pages:
        contents = page.get_contents()
        drawn = contents.get_data() if contents is not None else b""
        parts = [graph.digest(page.raw_get(key)) for key in _OF_PAGE if key in page]
        pages.append(_hash(hashlib.sha256(drawn).hexdigest(), *parts))
    about: Mapping[str, Any] = reader.metadata or {}
    said = [f"{key}={about[key]}" for key in sorted(about)] + [str(root.get("/Lang"))]
    names: Any = root.get("/Names") or {}
    settings = [
        *(graph.digest(root.raw_get(key)) for key in sorted(root) if _is_setting(key)),
        *sorted(root.keys() - {*_ADDED}),
        *sorted(names.keys() - {"/EmbeddedFiles"}),
    ]
    structure = graph.digest(root.raw_get("/StructTreeRoot")) if "/StructTreeRoot" in root else ""
    return {
        "pages": pages,
        "structure": _hash(structure),
        "about": _hash(*said),
        "settings": _hash(*settings),
    }


def _is_setting(key: str) -> bool:
    return key not in (*_ADDED, "/StructTreeRoot", "/Lang")


class _Graph:
    """Digests of the objects of a PDF, whatever their numbers are."""

    def __init__(self, reader: PdfReader) -> None:
        from pypdf import generic

        self._kinds = generic
        self._known: dict[tuple[int, int], str] = {}
        for number, page in enumerate(reader.pages):
            if page.indirect_reference is not None:
                self._known[_key(page.indirect_reference)] = f"page {number}"

    def digest(self, item: Any) -> str:
        """Return the digest of an object with all that it refers to."""
        if not isinstance(item, self._kinds.IndirectObject):
            return _hash(*self._pieces(item))
        key = _key(item)
        if key not in self._known:
            self._known[key] = "around"  # it may refer to itself
            self._known[key] = _hash(*self._pieces(item.get_object()))
        return self._known[key]

    def _pieces(self, item: Any) -> Iterator[str]:
        kinds = self._kinds
        is_stream = isinstance(item, kinds.StreamObject)
        if is_stream:
            yield hashlib.sha256(item.get_data()).hexdigest()
        if isinstance(item, kinds.DictionaryObject):
            for key in sorted(item):
                if key not in _BACK and not (is_stream and key in _WRITTEN):
                    yield key
                    yield self.digest(item.raw_get(key))
        elif isinstance(item, kinds.ArrayObject):
            yield "["
            for one in item:
                yield self.digest(one)
        else:
            yield f"{type(item).__name__} {item!r}"


def _key(reference: Any) -> tuple[int, int]:
    return reference.idnum, reference.generation


def _reader(pdf: bytes) -> PdfReader:
    from pypdf import PdfReader

    return PdfReader(BytesIO(pdf))


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
