"""A million texts of pyarrow, looked through by their bytes, without Python text for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_ROWS = 2**14  # texts that are looked through at a time
_SPACE, _MARK, _LAST_PRINTED = 32, 34, 126  # characters of ASCII
_WORD, _MOST_WORDS, _HALF = 8, 8, np.uint64(32)  # bytes, words of a text, bits
_FIRST_BYTES = np.array([2 ** (8 * count) - 1 for count in range(_WORD + 1)], dtype=np.uint64)
_ODD = np.uint64(0x9E3779B97F4A7C15)  # the golden ratio, which spreads numbers evenly


def are_plain(texts: Any) -> bool:
    """Tell whether all are clean labels in ASCII, and no quotation mark is in them.

    False is a doubt.

    Parameters
    ----------
    texts : pyarrow.LargeStringArray
        Perhaps with gaps, which are no labels.
    """
    if texts.null_count:
        return False
    for starts, letters in _stretches(texts):
        if (starts[1:] == starts[:-1]).any():
            return False
        if letters.min() < _SPACE or letters.max() > _LAST_PRINTED or (letters == _MARK).any():
            return False
        spaces = letters == _SPACE
        doubled = (spaces[1:] & spaces[:-1]).any()
        if doubled or spaces[starts[:-1]].any() or spaces[starts[1:] - 1].any():
            return False
    return True


def differ(parts: Sequence[Any]) -> bool:
    """Tell whether no text is there twice, by a number that is computed of each.

    False is a doubt: of long texts, and where two have one number.

    Parameters
    ----------
    parts : sequence of pyarrow.LargeStringArray
        Texts, none of which is empty.
    """
    stretches = [stretch for part in parts for stretch in _stretches(part)]
    longest = max((int(np.diff(starts).max()) for starts, _ in stretches), default=0)
    n_words = -(-longest // _WORD)  # the same for all, so that equal texts have equal numbers
    if n_words > _MOST_WORDS:
        return False
    found = [np.empty(0, dtype=np.uint64)]
    for starts, letters in stretches:
        left = np.diff(starts)
        padded = np.zeros(letters.size + _WORD * n_words, dtype=np.uint8)
        padded[: letters.size] = letters
        words = np.ndarray(padded.size - _WORD + 1, "<u8", padded, strides=(1,))
        numbers = left.astype(np.uint64)
        for word in range(n_words):
            begun = _FIRST_BYTES.take(left, mode="clip")
            numbers ^= words[starts[:-1] + _WORD * word] & begun
            numbers *= _ODD
            numbers ^= numbers >> _HALF
            left -= _WORD
        found.append(numbers)
    return _all_differ(np.concatenate(found))


def _all_differ(numbers: npt.NDArray[np.uint64]) -> bool:
    """Tell whether no number is there twice; faster than sorting them, if they are random."""
    bits = len(numbers).bit_length() + 1
    places = (numbers >> np.uint64(64 - bits)).astype(np.int64)  # two numbers in few of them
    rows = np.arange(len(numbers), dtype=np.int32)
    row_at = np.empty(2**bits, dtype=np.int32)
    row_at[places] = rows
    there = row_at[places]
    others = np.flatnonzero(there != rows)
    left = np.sort(numbers[others])
    twice = (numbers[there[others]] == numbers[others]).any() or (left[1:] == left[:-1]).any()
    return not twice


def _stretches(texts: Any) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]]:
    """Yield the bytes of texts, and where each begins and the last one ends, of some at a time."""
    _, places, letters = texts.buffers()
    starts = np.frombuffer(places, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    data = np.frombuffer(letters, np.uint8)
    for row in range(0, len(texts), _ROWS):
        part = starts[row : row + _ROWS + 1]
        yield part - part[0], data[part[0] : part[-1]]
