"""Names that say more than they should, or are written in two ways."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._validation import listed
from nbcompare.experiment._facts import are_numbered
from nbcompare.experiment._schema import NAMES, REPETITIONS, bare

_NUMBERED_ROW = re.compile(
    r"(?P<stem>.*?)(?P<mark>[_\-. :/#]+(?:[^\W\d_]+[_\-. ]*)?|[^\W\d_]*(?<=\D))(?P<number>\d+)"
)
_DIGITS = "0123456789"
_CLOSING = (")", "]")
_LAST_WORD = re.compile(r"(?<=.)[\W_]+[^\W\d_]+[\W_]*$")
_LEAST_REPEATED = 3  # numbers of each name, if no word says what they number
_LOOKED_AT = 100  # labels that refute most of what is false
# Ways to take a name in two: at the last or the first mark of a kind, or before a number at its end
_SPLITS = [
    re.compile(pattern)
    for mark in "_-. ~:/|(["
    for pattern in (rf"(.+)({re.escape(mark)})(.+)", rf"(.+?)({re.escape(mark)})(.+)")
] + [re.compile(r"(.*\D)()(\d+)")]


class Family(NamedTuple):
    """Names of columns that are made of two parts, and how to say so."""

    what: str
    ways: tuple[dict[str, Any], ...]


def family(names: Sequence[str], values: FloatArray) -> Family | None:
    """Return how names of columns are made, if they seem to hold repetitions or measures."""
    if len(names) > 2 and are_numbered(names):
        stem = names[0].rstrip(_DIGITS)
        called = next((role for role in REPETITIONS if bare(stem) in NAMES[role]), "")
        if called or (not bare(stem) and _counts(names)):
            roles = ("fold", "run") if called == "fold" else ("run", "fold")
            ways = tuple({"columns": f"{stem}{{{role}}}"} for role in roles)
            return Family("seem to number repetitions", ways)
    end = names[0][-1:] if names[0][-1:] in _CLOSING else ""  # as of SVM (seed 1)
    open_names = [name.removesuffix(end) for name in names if name.endswith(end)]
    for split in _SPLITS if len(open_names) == len(names) else ():
        if not split.fullmatch(open_names[0]):
            continue
        parts = [it.groups() for it in map(split.fullmatch, open_names) if it]
        if len(parts) < len(names):
            continue
        stems, (mark, *_), suffixes = zip(*parts, strict=True)
        for one, two, pattern in (
            (stems, suffixes, f"{{algorithm}}{mark}{{other}}{end}"),
            (suffixes, stems, f"{{other}}{mark}{{algorithm}}{end}"),
        ):
            crossed = _crossed(one, two, pattern, values)
            if crossed is not None:
                return crossed
    return measures_beside(names, values, "algorithms")


def stems_of(labels: Sequence[str]) -> Collection[str]:
    """Return the labels without the number at their end, each once."""
    begin = f"\n{labels[0].rstrip(_DIGITS)}".encode() if labels else b""
    lines = "\n".join(["", *labels]).encode()
    # all begin so, and hold no more than digits beside it, which is found fast
    is_one = lines.count(begin) == len(labels)
    if is_one and lines.translate(None, _DIGITS.encode()) == begin * len(labels):
        return {begin[1:].decode()}
    return {label.rstrip(_DIGITS) for label in labels}


def crossed_rows(labels: Sequence[str], stems: Collection[str] | None = None) -> str:
    """Return how labels are made that number the same repetitions of several data sets.

    ``stems`` are those of the labels, if they are known.

    Examples
    --------
    >>> crossed_rows([f"{name}_fold{i}" for name in ("iris", "car") for i in range(5)])
    '{{dataset}}_fold{}'
    >>> crossed_rows(["fold1", "fold2", "fold3"]), crossed_rows(["yeast1", "yeast2", "glass1"])
    ('fold{}', '')
    >>> crossed_rows([f"Fold{i}.Rep{j}" for i in range(5) for j in range(2)])
    'Fold{{fold}}.Rep{}'
    """
    if _are_surely_not_crossed(labels, stems_of(labels) if stems is None else stems):
        return ""
    found = [_NUMBERED_ROW.fullmatch(label) for label in labels]
    parts = [(it["stem"], it["mark"], int(it["number"])) for it in found if it]
    if len(parts) < len(labels) or len({mark for _, mark, _ in parts}) > 1:
        return ""
    stems = list(dict.fromkeys(stem for stem, _, _ in parts))
    numbers = sorted({number for _, _, number in parts})
    mark = parts[0][1]
    is_crossed = len(stems) * len(numbers) == len(parts) == len({*parts})
    follow = numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] <= 1
    named = _numbers_repetitions(mark)
    enough = len(numbers) >= (2 if named else _LEAST_REPEATED)
    if not (is_crossed and follow and enough and (len(stems) > 1 or named)):
        return ""
    if len(stems) > 1 and are_numbered(stems) and bare(stems[0].rstrip(_DIGITS)) in NAMES["fold"]:
        return f"{stems[0].rstrip('0123456789')}{{{{fold}}}}{mark}{{}}"
    return f"{'' if stems == [''] else '{{dataset}}'}{mark}{{}}"


def _are_surely_not_crossed(labels: Sequence[str], stems: Collection[str]) -> bool:
    """Tell without taking all labels in parts, which is slow, whether they number no repetitions.

    With the number at its end, a label loses its last digits and no others.
    """
    some = [_NUMBERED_ROW.fullmatch(it) for it in labels[:: 1 + len(labels) // _LOOKED_AT]]
    if not all(some):
        return True
    if any(stem[-1:].isdecimal() for stem in stems):  # of another script
        return False
    if len(stems) != 1:
        return 2 * len(stems) > len(labels)
    one = _NUMBERED_ROW.fullmatch(labels[0])
    return one is None or not _numbers_repetitions(one["mark"])


def _numbers_repetitions(mark: str) -> bool:
    return bare(mark) in NAMES["fold"] | NAMES["run"]


def _counts(labels: Sequence[str], most: float = np.inf) -> bool:
    """Tell whether the numbers in labels follow each other, the first up to some number."""
    numbers = sorted(int(re.findall(r"\d+", label)[-1]) for label in labels)
    return numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] <= most


def _crossed(
    stems: Sequence[str], suffixes: Sequence[str], pattern: str, values: FloatArray
) -> Family | None:
    """Return how names are made that combine the same suffixes with several stems."""
    one, two = list(dict.fromkeys(stems)), list(dict.fromkeys(suffixes))
    n_pairs = len(set(zip(stems, suffixes, strict=True)))
    if min(len(one), len(two)) < 2 or not len(one) * len(two) == n_pairs == len(stems):
        return None
    if are_numbered(two):
        prefix = two[0].rstrip(_DIGITS)
        # SVM seed 1: the word belongs to the number
        last = _LAST_WORD.search(one[0])
        word = last[0] if last and all(name.endswith(last[0]) for name in one) else ""
        if _numbers_repetitions(word):
            pattern = pattern.replace("{algorithm}", f"{{algorithm}}{word}")
        roles = ("run", "fold") if bare(prefix or word) in NAMES["run"] else ("fold", "run")
        made = [pattern.replace("{other}", f"{prefix}{{{role}}}") for role in roles]
        ways = tuple({"columns": each} for each in made)
        return Family("seem to hold repetitions of algorithms", ways) if _counts(two, 1) else None
    is_formula = "~" in pattern  # as caret joins models and measures
    if not is_formula and not _are_measures([values[:, np.array(suffixes) == it] for it in two]):
        return None
    made_of = pattern.replace("{other}", "{measure}")
    return Family(
        f"seem to hold measures {listed(two)} of algorithms {listed(one)}",
        tuple({"columns": made_of, "where": {"measure": each}} for each in two),
    )


def measures_beside(names: Sequence[str], values: FloatArray, nouns: str) -> Family | None:
    """Return columns that repeat the names of others: their deviations, times, ends.

    ``nouns`` says what the names are of.
    """
    groups: dict[str, list[tuple[int, int]]] = {}
    place_of = {name: place for place, name in enumerate(names)}
    for name, place in place_of.items():
        size = next((end for end in range(len(name) - 1, 0, -1) if name[:end] in place_of), 0)
        if size and not name[size].isalnum():
            groups.setdefault(name[size:], []).append((place_of[name[:size]], place))
    found, sides = [], {}
    for end, pairs in groups.items():
        base, own = (values[:, list(those)] for those in zip(*pairs, strict=True))
        if len(pairs) > 1 and _are_measures([base, own]):
            found.append(end)
        elif len(pairs) > 1 and ((own < base).all() or (own > base).all()):
            sides[end] = bool((own < base).all())
    if len(set(sides.values())) == 2:  # the ends of intervals
        found += sides
    taken = [names[place] for end in found for _, place in groups[end]]
    what = f"hold other measures beside {nouns}: {listed(found)}"
    return Family(what, ({"ignore": taken},)) if taken else None


def _are_measures(groups: Sequence[FloatArray]) -> bool:
    """Tell whether groups of columns have scores of different ranges, row by row."""
    ends = [(np.nanmin(each, axis=1), np.nanmax(each, axis=1)) for each in groups]
    for (low, high), (other_low, other_high) in combinations(ends, 2):
        span = np.nanmax(high) / max(np.nanmax(np.abs(other_high)), 1e-300)
        apart = (low > other_high).all() or (high < other_low).all()
        if (apart and len(low) > 1) or not 1 / 3 <= span <= 3:
            return True
    return False


# ------------------------------------------------------------------------------ spellings

MOST_SPELT = 400  # labels of which pairs are compared letter by letter
_SHORTEST = 4
_MARKS = re.compile(r"[^\w+\-<>=*#\n]|_")  # also accents, once they stand by themselves

_ASCII_MARKS = bytes(c for c in range(128) if _MARKS.fullmatch(chr(c)))


def folded(labels: Sequence[str]) -> list[str]:
    """Return labels without case, accents, spaces and marks; nothing is left of marks alone."""
    plain = unicodedata.normalize("NFKD", "\n".join(labels).casefold())
    if plain.isascii():
        return plain.encode().translate(None, _ASCII_MARKS).decode().split("\n")
    return _MARKS.sub("", plain).split("\n")


def alike(labels: Sequence[str], stems: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return pairs of labels that differ in case, accents, spaces or marks alone.

    ``stems`` are those of the labels, if they are known: fewer of them than labels may tell.

    Examples
    --------
    >>> alike(["Iris", "wine", "iris", "k-NN", "kNN"])
    [('Iris', 'iris')]
    """
    if 0 < 2 * len(stems) < len(labels):
        of_stems = folded(list(stems))
        are_whole = not any(stem[-1:].isdecimal() for stem in of_stems)
        if are_whole and len(set(of_stems)) == len(of_stems):
            return []
    keys = [new or old for new, old in zip(folded(labels), labels, strict=True)]
    if len(set(keys)) == len(keys):
        return []
    first = dict(zip(reversed(keys), reversed(labels), strict=True))
    return [
        (first[key], label) for key, label in zip(keys, labels, strict=True) if first[key] != label
    ]


def misspelt(labels: Sequence[str], there: BoolArray) -> list[tuple[str, str]]:
    """Return pairs of labels that are nearly the same and never appear together.

    Parameters
    ----------
    labels : sequence of str
        Names.
    there : ndarray of bool, shape (n_labels, n_others)
        Where each of them has a score.
    """
    short = np.flatnonzero(~there.all(axis=1)).tolist()
    rank = [(count, -place) for place, count in enumerate(there.sum(axis=1).tolist())]
    found = []
    for i in short:  # the rarer of two, or the later one
        others = (j for j in range(len(labels)) if rank[j] > rank[i])
        apart = (j for j in others if not (there[i] & there[j]).any())
        found += [(labels[j], labels[i]) for j in apart if _is_slip(labels[i], labels[j])][:1]
    return found


def _is_slip(one: str, other: str) -> bool:
    """Tell whether one slip of a letter makes one label of the other; digits must be the same."""
    if min(len(one), len(other)) < _SHORTEST or abs(len(one) - len(other)) > 1:
        return False
    if re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return False
    a, b = one.casefold(), other.casefold()
    start = next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    rest_a, rest_b = a[start:], b[start:]
    if len(a) == len(b):
        swapped = rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:]
        return swapped or rest_a[1:] == rest_b[1:]
    return rest_a[1:] == rest_b if len(a) > len(b) else rest_b[1:] == rest_a
