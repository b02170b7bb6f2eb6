"""The results that a PDF of a report holds as an attachment, with digests of its pages.

The digests are of the drawing instructions and pictures of a page, however the file writes them,
so that a program that keeps the pages keeps the digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PdfReader

__all__ = ["ATTACHMENT", "attached", "attachment"]

ATTACHMENT = "nbcompare-results.json"
_LARGEST = 2**26  # bytes of the attachment


def attachment(results: str, pdf: bytes) -> bytes:
    """Write what is attached to a PDF: the JSON of its results, and the digests of its pages."""
    document = {"results": json.loads(results), "pages": _digests(_reader(pdf))}
    # in order, because a notebook that was saved and read again has its JSON in order
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def attached(pdf: bytes) -> tuple[object, list[str] | None, list[str]] | None:
    """Read what is attached to a PDF.

    Returns
    -------
    tuple or None
        The results by digest, the digests of the pages at export (None if this version cannot read
        them) and those of the file as it is; None if nothing of nbcompare is attached.

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
        before = document.get("pages")
        pages = [str(digest) for digest in before] if isinstance(before, list) else None
        return document["results"], pages, _digests(reader)
    except (
        pypdf.errors.PyPdfError, ValueError, TypeError, LookupError, AttributeError,
        ArithmeticError, NotImplementedError, RecursionError, OSError,
    ) as error:  # fmt: skip
        raise ValueError(str(error) or type(error).__name__) from None


def _digests(reader: PdfReader) -> list[str]:
    """Compute the digest of each page of a PDF."""
    found = []
    for page in reader.pages:
        contents = page.get_contents()
        drawn = contents.get_data() if contents is not None else b""
        pieces = [drawn, *_pictures(page.get("/Resources"), set())]
        found.append(hashlib.sha256(b"".join(map(_hash, pieces))).hexdigest())
    return found


def _pictures(resources: Any, seen: set[int]) -> Iterator[bytes]:
    """Yield the data of the pictures and forms of a page, each once."""
    named: Mapping[str, Any] = (resources.get_object() if resources else {}).get("/XObject") or {}
    for name in sorted(named.get_object() if hasattr(named, "get_object") else named):
        picture = named[name]
        if id(picture) not in seen:
            seen.add(id(picture))
            yield name.encode()
            yield picture.get_data()
            yield from _pictures(picture.get("/Resources"), seen)


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _reader(pdf: bytes) -> PdfReader:
    from pypdf import PdfReader

    return PdfReader(BytesIO(pdf))
