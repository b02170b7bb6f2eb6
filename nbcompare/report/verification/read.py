"""Read what a report shows: the results embedded in it, and their displays."""

from __future__ import annotations

import html
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from nbcompare._display import USUAL
from nbcompare._tables import checked_file
from nbcompare._validation import because, clean_label
from nbcompare._version import __version__
from nbcompare.report.page.embedded import ATTACHMENT, RESULTS, is_as_sealed
from nbcompare.results import SCHEMA

__all__ = ["Display", "Shown", "displays_in", "read_report"]

_LONGEST_HEADING = 60
_RESULTS = re.compile(rf'<script [^<>]*id="{RESULTS}"[^<>]*>')
# A heading, the mark of the display to come, or a display
_PIECE = re.compile(
    r"<h[1-6]\b[^>]*>(?P<heading>.*?)</h[1-6]>"
    r'|data-nbcompare-result="(?P<digest>[^"]*)" data-nbcompare-section="(?P<section>[^"]*)"'
    r'|<div class="nbcompare [^>]*?(?:data-nbcompare-digits="(?P<digits>[2-8])")?>'
    r"(?P<shown>.*?)</div>",
    re.DOTALL,
)
_NUMBER_OF_TABLE = re.compile(r'<span class="number">.*?</span>')
_TAG = re.compile(r"""</?(\w*)(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_LINES = frozenset(("p", "li", "tr", "caption"))  # elements whose text is a line


@dataclass(frozen=True)
class Display:
    """A part of a report that shows a result, or data.

    Attributes
    ----------
    digest, section : str
        The digest of the result as it is embedded in the report, empty for data, and the section
        shown, empty for the whole result.
    heading : str
        The nearest heading above it.
    digits : int
        The number of digits, as :func:`nbcompare.set_options` counts them.
    lines : tuple of str
        The text of each paragraph, note, caption and row.
    """

    digest: str
    section: str
    heading: str
    digits: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """What a report shows.

    Attributes
    ----------
    results : dict
        JSON of the results, by digest.
    displays : list of Display
        In the order of the report.
    is_whole : bool or None
        Whether the file is the one that was exported; None if it does not say what that was.
    """

    results: dict[str, Any]
    displays: list[Display]
    is_whole: bool | None = None


def read_report(path: Path) -> Shown:
    """Read a page of HTML, a PDF or a notebook.

    Raises
    ------
    ValueError
        If it cannot be read, holds no results, is a pipe or a device, or larger than may be read.
    ImportError
        If it is a PDF, and pypdf is not installed.
    """
    checked_file(path)
    content = path.read_bytes()
    if content.startswith(b"%PDF-"):
        return Shown(_checked(_attached(content)), [])
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ValueError(f"`page` must be an HTML report in UTF-8; {path.name} is not.") from None
    is_page = path.suffix.lower() != ".ipynb"
    text = text if is_page else _page_of(text)
    _, *embedded = _RESULTS.split(text)
    results = _loaded(embedded[0].partition("</script>")[0]) if embedded else {}
    return Shown(
        _checked(results), list(displays_in(text)), is_as_sealed(text) if is_page else None
    )


def _attached(content: bytes) -> object:
    """Return the results that are attached to a PDF."""
    try:
        from pypdf import PdfReader
    except ImportError:
        raise ImportError(
            'a PDF is read with pypdf; install it with pip install "nbcompare[pdf]".'
        ) from None
    log = logging.getLogger("pypdf")  # which would say on the terminal what it mends
    if not log.hasHandlers():
        log.addHandler(logging.NullHandler())
    try:
        files = PdfReader(BytesIO(content)).attachments.get(ATTACHMENT)
    except Exception as error:  # a damaged file raises whatever its reader runs into
        raise ValueError(f"`page` must be a PDF that can be read{because(error)}.") from None
    if not files:
        raise ValueError(
            f"`page` must hold results of nbcompare; no file {ATTACHMENT} is attached to this PDF. "
            "A browser that prints a page attaches nothing. Verify the HTML page instead, or "
            "export the PDF again."
        )
    return _loaded(files[0])


def _page_of(notebook: str) -> str:
    """Export a notebook as a page, without running any of its cells."""
    from nbformat import ValidationError, reads

    from nbcompare.report.page.exporter import ReportHTMLExporter

    try:
        return str(ReportHTMLExporter().from_notebook_node(reads(notebook, as_version=4))[0])
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, ValidationError):
        raise ValueError("`page` must be a report; got a notebook that cannot be read.") from None


def _loaded(text: str | bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"`page` must hold its results as JSON{because(error)}.") from None


def _checked(results: object) -> dict[str, Any]:
    """Refuse results that are none, or written in another form."""
    if not isinstance(results, dict) or not results:
        raise ValueError("`page` must hold results of nbcompare; none is embedded in it.")
    for document in results.values():
        schema = document.get("schema") if isinstance(document, dict) else None
        if isinstance(schema, int) and schema != SCHEMA:
            raise ValueError(
                f"`page` must hold results of schema {SCHEMA}; got schema {schema}, written by "
                f"nbcompare {clean_label(str(document.get('nbcompare')))}. Export it again with "
                f"this version, {__version__}."
            )
    return results


def displays_in(markup: str) -> Iterator[Display]:
    """Find the displays in HTML that nbcompare wrote."""
    heading = digest = section = ""
    # at the end, what is open is closed: nothing is searched for to the end again and again
    for piece in _PIECE.finditer(f"{markup}></h1></div>"):
        if piece["heading"] is not None:
            text = _text(piece["heading"]).removesuffix(" #")
            cut = text[:_LONGEST_HEADING]
            heading = cut if cut == text else f"{cut}…"
        elif piece["shown"] is None:
            digest, section = html.unescape(piece["digest"]), html.unescape(piece["section"])
        else:
            flat = _NUMBER_OF_TABLE.sub("", piece["shown"]).replace("\n", " ")
            split = _TAG.sub(lambda tag: "\n" if tag[1] in _LINES else " ", flat).split("\n")
            lines = tuple(filter(None, map(_text, split)))
            yield Display(digest, section, heading, int(piece["digits"] or USUAL.digits), lines)
            digest = section = ""


def _text(markup: str) -> str:
    return clean_label(html.unescape(_TAG.sub(" ", markup)))
