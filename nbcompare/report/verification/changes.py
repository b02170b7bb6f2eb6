"""Tell what of a page was changed since its export, by the digests of its pieces."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from nbcompare.report.page.markup import Element
from nbcompare.report.page.pieces import KINDS, Piece

__all__ = ["Changes", "changes"]

_MOST = 30  # changes that are named
_LONGEST = 100  # letters of a text that is quoted
_MOST_WORK = 1_000_000  # pairs of pieces that are compared in order to find what moved
# Pieces of which a page has one, or that are named by nothing but their place
_ONLY = {
    "title": "the title",
    "author line": "the author line",
    "date": "the date",
    "line on the data": "the line on the data",
    "version statement": "the version statement",
    "abstract": "the abstract",
    "table of contents": "the table of contents",
}
_OF_LABEL = ("caption", "alternative text")
_UNIT = {"table": "row", "code cell": "line", "printed output": "line"}

_Pair = tuple[Piece, Piece]


@dataclass(frozen=True)
class Changes:
    """What was changed since the export of a page.

    Attributes
    ----------
    unchanged : str
        What was not, as a list in words; empty if there is nothing.
    told : tuple of str
        The changes, each as a part of a sentence.
    """

    unchanged: str
    told: tuple[str, ...]


def changes(before: Sequence[Piece], now: Sequence[Piece]) -> Changes:
    """Compare the pieces of a page with those at its export.

    Parameters
    ----------
    before : sequence of Piece
        The pieces as their digests say.
    now : sequence of Piece
        The pieces of the page as it is.
    """
    blocks = list(_blocks(before, now))
    gone = Counter(_key(piece) for old, _ in blocks for piece in old)
    come = Counter(_key(piece) for _, new in blocks for piece in new)
    moved = gone & come
    same = Counter(piece.kind for piece in now)
    same.subtract(piece.kind for _, new in blocks for piece in new)
    pairs: list[_Pair] = []
    removed: list[Piece] = []
    inserted: list[Piece] = []
    left = Counter(moved), Counter(moved)
    for old, new in blocks:
        rest = _matched(_without(old, left[0]), _without(new, left[1]), pairs)
        removed += rest[0]
        inserted += rest[1]
    told = [
        *_moved([piece for _, new in blocks for piece in new if _key(piece) in moved]),
        *_framed([(old, new) for old, new in pairs if old.content == new.content]),
    ]
    pictures = {piece.content: piece for piece in before if piece.kind == "figure"}
    for then, piece in pairs:
        if then.content != piece.content:
            told += _changed(then, piece, pictures)
    told += [f"{_name(piece)} was removed" for piece in removed]
    told += [f"{_name(piece)} was inserted{_reading(piece)}" for piece in inserted]
    told = list(dict.fromkeys(told))
    if len(told) > _MOST:
        told = [*told[:_MOST], f"and {len(told) - _MOST} more changes"]
    return Changes(_counted(same), tuple(told))


# ---------------------------------------------------------------------------- which belong together


def _key(piece: Piece) -> tuple[str, str, str]:
    return piece.kind, piece.content, piece.frame


def _blocks(
    before: Sequence[Piece], now: Sequence[Piece]
) -> Iterator[tuple[list[Piece], list[Piece]]]:
    """Yield the places where the two differ, each with its pieces."""
    one, two = [*map(_key, before)], [*map(_key, now)]
    low = 0
    while low < min(len(one), len(two)) and one[low] == two[low]:
        low += 1
    high = 0
    while high < min(len(one), len(two)) - low and one[-1 - high] == two[-1 - high]:
        high += 1
    ends = len(one) - high, len(two) - high
    if (ends[0] - low) * (ends[1] - low) > _MOST_WORK:
        yield list(before[low : ends[0]]), list(now[low : ends[1]])
        return
    matcher = SequenceMatcher(None, one[low : ends[0]], two[low : ends[1]], autojunk=False)
    for kind, start, end, start_two, end_two in matcher.get_opcodes():
        if kind != "equal":
            yield (
                list(before[low + start : low + end]),
                list(now[low + start_two : low + end_two]),
            )


def _without(block: Sequence[Piece], moved: Counter[tuple[str, str, str]]) -> list[Piece]:
    kept = []
    for piece in block:
        if moved[_key(piece)]:
            moved[_key(piece)] -= 1
        else:
            kept.append(piece)
    return kept


def _matched(
    old: list[Piece], new: list[Piece], pairs: list[_Pair]
) -> tuple[list[Piece], list[Piece]]:
    """Add pairs of the same piece then and now, and return what is left of both."""
    if len(old) * len(new) > _MOST_WORK:
        return old, new
    for belongs in (_is_the_same, _has_parts_in_common, _is_of_the_kind):
        waiting = []
        for piece in old:
            found = next((other for other in new if belongs(piece, other)), None)
            if found is None:
                waiting.append(piece)
            else:
                new = [other for other in new if other is not found]
                pairs.append((piece, found))
        old = waiting
    return old, new


def _is_the_same(old: Piece, new: Piece) -> bool:
    return old.kind == new.kind and old.content == new.content


def _has_parts_in_common(old: Piece, new: Piece) -> bool:
    return old.kind == new.kind and not {*old.parts}.isdisjoint(new.parts)


def _is_of_the_kind(old: Piece, new: Piece) -> bool:
    return old.kind == new.kind


# ------------------------------------------------------------------------------------- in words


def _moved(moved: Sequence[Piece]) -> Iterator[str]:
    if not moved:
        return
    named = [piece for piece in moved if piece.kind == "heading"] or list(moved)
    names = "; ".join(_name(piece) for piece in named[:3])
    rest = len(moved) - len(named[:3])
    yield (
        f"the order was changed: {names}{f' and {rest} more parts' if rest else ''} stood in "
        "another place"
    )


def _framed(pairs: Sequence[_Pair]) -> Iterator[str]:
    """Tell of pieces that are as they were, in elements that are not."""
    by_cause: defaultdict[str, list[str]] = defaultdict(list)
    for _, new in pairs:
        around = [new.element, *new.element.above()] if new.element is not None else []
        by_cause[_dress(around)].append(_name(new))
    for cause, names in by_cause.items():
        more = f" and {len(names) - 2} more parts" if len(names) > 2 else ""
        yield f"{', '.join(names[:2])}{more}: the markup around was changed{cause}"


def _changed(old: Piece, new: Piece, pictures: dict[str, Piece]) -> Iterator[str]:
    name = _name(new)
    if new.kind == "figure":
        other = pictures.get(new.content)
        yield (
            f"{name} was replaced by another picture"
            if other is None
            else f"{name} shows the picture that was {_name(other)} at export"
        )
    elif not new.texts:
        yield f"{name} was changed"
    elif old.parts == new.parts:
        inside = [*new.element.elements()] if new.element is not None else []
        yield f"{name}: the markup was changed{_dress(inside)}"
    elif len(old.parts) == len(new.parts) == 1:
        yield f"{name} was changed{_reading(new)}"
    else:
        yield from (f"{name}: {text}" for text in _other_parts(old, new))


def _other_parts(old: Piece, new: Piece) -> Iterator[str]:
    """Name the rows, lines or sentences that differ."""
    unit = _UNIT.get(new.kind, "sentence")
    first = 0 if new.kind == "table" else 1  # the header of a table is no row
    is_large = len(old.parts) * len(new.parts) > _MOST_WORK
    if is_large or {*old.parts} == {*new.parts}:
        yield f"{unit}s were put in another order, repeated or removed"
        return
    matcher = SequenceMatcher(None, old.parts, new.parts, autojunk=False)
    for kind, start, end, start_two, end_two in matcher.get_opcodes():
        if kind == "equal":
            continue
        paired = min(end - start, end_two - start_two)
        for i in range(paired):
            one, two = old.parts[start + i], new.parts[start_two + i]
            where = f"{unit} {start_two + i + first}"
            text = _quoted(new.texts[start_two + i])
            half = len(one) // 2
            if new.kind == "table" and one[:half] == two[:half]:
                how = _row(new, start_two + i)
                yield f"{where} ({text}) was hidden or marked up differently{how}"
            else:
                yield f"{where} was changed: it reads {text}"
        for i in range(start + paired, end):
            after = new.texts[start_two + paired - 1] if start_two + paired else ""
            yield f"{unit} {i + first} was removed{f', after {_quoted(after)}' if after else ''}"
        for i in range(start_two + paired, end_two):
            yield f"{unit} {i + first} was inserted: {_quoted(new.texts[i])}"


def _row(table: Piece, number: int) -> str:
    rows = [*table.element.elements("tr")] if table.element is not None else []
    if number >= len(rows):
        return ""
    row = rows[number]
    around = [row.parent] if row.parent is not None else []
    named = f", <tr> with class={row.get('class')[:40]!r}" if row.classes else ""
    return _dress([row, *row.elements(), *around]) or named


def _dress(elements: Iterable[Element]) -> str:
    """Name the first attribute that may hide or change what is within, if there is one."""
    for element in elements:
        for name in ("hidden", "style", "aria-hidden"):
            if name in element.attributes and "anchor" not in element.classes:
                value = element.get(name)
                if element.parent is not None and "anchor" in element.parent.classes:
                    continue
                return f", <{element.tag}> with {name}{f'={value[:40]!r}' if value else ''}"
    return ""


def _name(piece: Piece) -> str:
    """Name a piece so that a reader finds it."""
    where = f' under "{piece.under}"' if piece.under else ""
    if piece.kind in _ONLY:
        return _ONLY[piece.kind]
    if piece.kind == "heading":
        return f'the heading "{piece.label}"'
    if piece.kind in _OF_LABEL:
        return f"the {piece.kind} of {piece.label or f'a figure or table{where}'}"
    if piece.kind in ("figure", "table"):
        return piece.label or f"a {piece.kind}{where}"
    if piece.kind == "code cell":
        return f"code cell {piece.label}{where}"
    if piece.kind == "embedded data":
        return "the embedded data"
    if piece.kind == "page setting":
        return f'the page setting "{piece.label}"'
    article = "an" if piece.kind[0] in "aeiou" else "a"
    return f"{article} {piece.kind}{where}"


def _reading(piece: Piece) -> str:
    text = " ".join(piece.texts)
    return f": it reads {_quoted(text)}" if text and piece.kind != "table" else ""


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def _counted(kinds: Counter[str]) -> str:
    counts = [
        f"{count} {kind if count == 1 else KINDS[kind]}"
        for kind in KINDS
        if (count := kinds[kind]) > 0
    ]
    return f"{', '.join(counts[:-1])} and {counts[-1]}" if len(counts) > 1 else "".join(counts)
