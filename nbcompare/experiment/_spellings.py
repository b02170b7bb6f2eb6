"""Labels that seem to be one name written in two ways."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np

from nbcompare._arrays import BoolArray

_MOST = 400  # labels of which pairs are compared letter by letter
_SHORTEST = 4
_MARKS = re.compile(r"[^\w+\-<>=*#\n]|_")  # also accents, once they stand by themselves

_ASCII_MARKS = bytes(c for c in range(128) if _MARKS.fullmatch(chr(c)))


def folded(labels: Sequence[str]) -> list[str]:
    """Return labels without case, accents, spaces and marks; those of marks alone as they are."""
    plain = unicodedata.normalize("NFKD", "\n".join(labels).casefold())
    if plain.isascii():
        made = plain.encode().translate(None, _ASCII_MARKS).decode().split("\n")
    else:
        made = _MARKS.sub("", plain).split("\n")
    return [new or old for new, old in zip(made, labels, strict=True)]


def alike(labels: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of labels that differ in case, accents, spaces or marks alone.

    Examples
    --------
    >>> alike(["Iris", "wine", "iris", "k-NN", "kNN"])
    [('Iris', 'iris')]
    """
    keys = folded(labels)
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
    if len(labels) > _MOST:
        return []
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
