"""Embed the digests of the pieces of a page at its export, and read them back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from nbcompare.report.page.embedded import script_safe
from nbcompare.report.page.markup import Element, read_markup
from nbcompare.report.page.pieces import DIGESTS, KINDS, RESULTS, Piece, part_width, pieces

__all__ = ["embedded_digests", "with_digests"]

_FORM = 1
_END = "</body>"
_HEX = frozenset("0123456789abcdef")
_FULL, _SHORTER = 64, 32


def with_digests(page: str) -> str:
    """Embed the digests of everything that a page shows in the page.

    A page that holds no results, which cannot be verified, is returned as it is.
    """
    before, end, after = page.rpartition(_END)
    if not end or f'id="{RESULTS}"' not in page:
        return page
    try:
        found = pieces(read_markup(page).root)
    except ValueError:  # nested too deeply; verifying it is refused as well
        return page
    script = script_safe(_document(found))
    return f'{before}<script type="application/json" id="{DIGESTS}">{script}</script>\n{end}{after}'


def embedded_digests(root: Element) -> list[Piece] | None:
    """Read the digests that a page holds.

    Returns
    -------
    list of Piece or None
        The pieces as they were at export; None if the page holds no digests.

    Raises
    ------
    ValueError
        If they are damaged.
    """
    scripts = [one for one in root.elements("script") if one.get("id") == DIGESTS]
    if not scripts:
        return None
    try:
        (script,) = scripts
        return _read(json.loads("".join(map(str, script.children))))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise ValueError("the digests of the page are damaged") from None


def _document(found: Sequence[Piece]) -> dict[str, object]:
    frames = list(dict.fromkeys(piece.frame for piece in found))
    places = {frame: place for place, frame in enumerate(frames)}
    return {
        "form": _FORM,
        "algorithm": "sha256",
        "frames": frames,
        "pieces": [
            [piece.kind, piece.label, piece.content, places[piece.frame], "".join(piece.parts)]
            for piece in found
        ],
    }


def _read(document: dict[str, object]) -> list[Piece]:
    if document["form"] != _FORM:
        raise ValueError
    frames, listed = document["frames"], document["pieces"]
    if not isinstance(frames, list) or not isinstance(listed, list):
        raise TypeError
    found: list[Piece] = []
    under = ""
    for kind, label, content, place, parts in listed:
        piece = Piece(str(kind), str(label)[:200], _hex(content, _FULL), _hex(frames[place]))
        if kind not in KINDS or not isinstance(parts, str):
            raise ValueError
        under = piece.label if kind == "heading" else under
        width = part_width(piece.kind)
        split = tuple(parts[start : start + width] for start in range(0, len(parts), width))
        found.append(replace(piece, parts=split, under=under))
    return found


def _hex(text: object, length: int = _SHORTER) -> str:
    if not isinstance(text, str) or len(text) != length or not _HEX.issuperset(text):
        raise ValueError
    return text
