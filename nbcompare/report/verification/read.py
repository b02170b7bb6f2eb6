"""Read what a report shows: the results embedded in it, their displays, and what was changed."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbcompare._display import USUAL
from nbcompare._render import plural
from nbcompare._validation import clean_label
from nbcompare._version import __version__
from nbcompare.report.page.attachment import ATTACHMENT, attached
from nbcompare.report.page.digests import RESULTS, parts_of_page, short_digests, without_digests
from nbcompare.report.page.embedded import payload
from nbcompare.results import SCHEMA

__all__ = ["Display", "Shown", "displays_in", "read_report"]

_LARGEST = 2**28  # bytes; pictures make pages of some megabytes
_MOST_RESULTS = 500  # each of them is recomputed
_MOST_CHANGES = 30  # that are named
_LONGEST = 100  # letters of a text that is quoted
_LONGEST_HEADING = 60
_RESULTS = re.compile(rf'<script [^<>]*id="{RESULTS}"[^<>]*>')
_HEADING = re.compile(r"<h[1-6]\b")
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
_BY_BROWSER = re.compile(r'class="(?:page|table)-tools"')  # what the script of a page adds to it
_UNCHECKED = "not compared with anything; the HTML page of the report can be checked as a whole"


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
    changed : tuple of str
        What was changed since the export.
    unchecked : str
        What can be compared with nothing; may be empty.
    """

    results: dict[str, Any]
    displays: list[Display]
    changed: tuple[str, ...] = ()
    unchecked: str = ""


def read_report(path: Path) -> Shown:
    """Read a page of HTML, a PDF or a notebook.

    Raises
    ------
    ValueError
        If it is too large, cannot be read, or holds no results.
    ImportError
        If it is a PDF, and pypdf is not installed.
    """
    size = path.stat().st_size
    if size > _LARGEST:
        raise ValueError(
            f"`page` must be a report of at most {_LARGEST >> 20} MiB; got {path.name} of "
            f"{size >> 20} MiB."
        )
    content = path.read_bytes()
    if content.startswith(b"%PDF-"):
        return _read_pdf(content)
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ValueError(f"`page` must be an HTML report in UTF-8; {path.name} is not.") from None
    return _read_notebook(text) if path.suffix.lower() == ".ipynb" else _read_page(text)


def _read_page(text: str) -> Shown:
    if _BY_BROWSER.search(text):
        raise ValueError(
            "`page` must be the file that nbcompare wrote; got one that a browser saved, with the "
            "buttons that a script adds to it."
        )
    page, before = without_digests(text)
    _, *embedded = _RESULTS.split(page)
    if len(embedded) > 1:
        raise ValueError(
            f"`page` must hold its results in one place; got {len(embedded)} scripts of them."
        )
    try:
        results = _checked(json.loads(embedded[0].partition("</script>")[0]) if embedded else {})
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"`page` must hold its results as JSON: {error}.") from None
    displays = list(displays_in(page))
    if before is None:
        return Shown(results, displays, unchecked=f"text, code and figures, {_UNCHECKED}")
    parts = parts_of_page(page)
    told = _changes(before, short_digests(parts), lambda place: _named(parts, place))
    return Shown(results, displays, told)


def _read_pdf(content: bytes) -> Shown:
    try:
        found = attached(content)
    except ValueError as error:
        raise ValueError(f"`page` must be a PDF that can be read: {error}.") from None
    if found is None:
        raise ValueError(
            f"`page` must hold results of nbcompare; no file {ATTACHMENT} is attached to this PDF. "
            "A browser that prints a page attaches nothing. Verify the HTML page instead, or "
            "export the PDF again."
        )
    results, before, now = found
    told = () if before is None else _changes(before, now, lambda place: f"page {place + 1}")
    return Shown(_checked(results), [], told, f"numbers on the pages, {_UNCHECKED}")


def _read_notebook(text: str) -> Shown:
    """Read the outputs of a notebook, of which no cell is run."""
    results: dict[str, Any] = {}
    page: list[str] = []
    try:
        for cell in json.loads(text)["cells"]:
            source = "".join(cell["source"])
            titles = re.findall(
                r"^#+ (.*)", source if cell["cell_type"] == "markdown" else "", re.M
            )
            page += [f"<h1>{html.escape(title)}</h1>" for title in titles]
            for data in (output.get("data", {}) for output in cell.get("outputs", [])):
                known = payload(data)
                if known is not None and "result" in known:
                    results[known["digest"]] = known["result"]
                    marks = (known["digest"], known.get("section") or "")
                    digest, section = (html.escape(str(mark)) for mark in marks)
                    page.append(
                        f'data-nbcompare-result="{digest}" data-nbcompare-section="{section}"'
                    )
                page.append("".join(data.get("text/html", "")))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise ValueError("`page` must be a report; got a notebook that cannot be read.") from None
    displays = list(displays_in("\n".join(page)))
    return Shown(_checked(results), displays, (), f"text, code and figures, {_UNCHECKED}")


def _checked(results: object) -> dict[str, Any]:
    """Refuse results that are none, too many, or written in another form."""
    if not isinstance(results, dict):
        raise ValueError("`page` must hold its results as JSON, an object by digest.")
    if len(results) > _MOST_RESULTS:
        raise ValueError(f"`page` must hold at most {_MOST_RESULTS} results; got {len(results):,}.")
    if not results:
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


# ------------------------------------------------------------------------------- changes


def _changes(
    before: Sequence[str], now: Sequence[str], name: Callable[[int], str]
) -> tuple[str, ...]:
    """Tell which parts are not what they were, given the digests of all."""
    if list(before) == list(now):
        return ()
    gone, new = Counter(before) - Counter(now), Counter(now) - Counter(before)
    places = [place for place, digest in enumerate(now) if digest in new]
    told = [f"changed or inserted: {name(place)}" for place in places[:_MOST_CHANGES]]
    if len(places) > _MOST_CHANGES:
        told.append(f"and {len(places) - _MOST_CHANGES} more parts")
    first = next((i for i, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), len(now))
    where = name(min(first, len(now) - 1)) if now else "all"
    if (count := gone.total() - new.total()) > 0:
        told.append(f"removed: {plural(count, 'part')} at {where}")
    return tuple(told) if told else (f"in another order: what follows {where}",)


def _named(parts: Sequence[str], place: int) -> str:
    """Quote a part of a page, its markup if it has no text, with the nearest heading above it."""
    text = _text(parts[place]) or clean_label(parts[place])
    quoted = repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
    above = (_text(parts[i]) for i in range(place, -1, -1) if _HEADING.match(parts[i]))
    heading = next(above, "")[:_LONGEST_HEADING].removesuffix(" #")
    return f'{quoted} under "{heading}"' if heading else quoted
