"""Columns that say something of the scores in another one: ``A_std`` or ``A rank`` beside ``A``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare.experiment._summaries import Finding

_WORDS = {
    "standard deviations": "std stdev stddev sd stderr sem se ci",
    "ranks": "rank ranks ranking",
    "times": "time times runtime duration seconds",
    "lower ends": "lower lb cilow cilo",
    "upper ends": "upper ub cihigh cihi",
}
_KIND = {word: kind for kind, words in _WORDS.items() for word in words.split()}
# A column called so is of the scores themselves, and has the name of the algorithm before it
_ALIKE = {
    "scores": "mean avg average score acc accuracy",
    "units": "s sec secs ms min h train fit test total wall cpu ci 95",
}
_SCORES, _UNITS = (frozenset(words.split()) for words in _ALIKE.values())


def companions(names: Sequence[str], values: FloatArray, kept: Sequence[str]) -> list[Finding]:
    """Return columns that have the name of another one and of a statistic, and values like it.

    It is certain if two columns or more are of the same kind: an algorithm may well be called
    ``RF rank`` beside ``RF``.

    Parameters
    ----------
    names : sequence of str
        Names of the columns.
    values : ndarray of float, shape (n_rows, n_columns)
        Scores; NaN where there is none.
    kept : sequence of str
        Columns that are known to hold scores.
    """
    if len(names) < 2:
        return []
    parted = [_parted(name) for name in names]
    if not any(kind for _, kind in parted):
        return []
    of = {stem: column for column, (stem, kind) in enumerate(parted) if not kind}
    found: dict[str, list[Finding]] = {}
    for column, (stem, kind) in enumerate(parted):
        if not kind or names[column] in kept:
            continue
        beside = values[:, column]
        if stem in of:
            base, what = values[:, of[stem]], f"the {kind} of {names[of[stem]]!r}"
        elif not stem and kind == "times" and of:
            base, what = np.nanmax(values[:, list(of.values())], axis=1), "times, not scores"
        else:
            continue
        there = ~np.isnan(base) & ~np.isnan(beside)
        if there.any() and _FITS[kind](base[there], beside[there], len(of)):
            found.setdefault(kind, []).append(Finding(names[column], what, False))
    return [each._replace(certain=len(same) > 1) for same in found.values() for each in same]


def _parted(name: str) -> tuple[str, str]:
    """Return the name of an algorithm in that of a column, and what the column says of it."""
    joined = re.sub(r"ci[\W_]+(?=(low|lo|high|hi)\b)", "ci", name.casefold())
    words = [word for word in re.split(r"[\W_]+", joined) if word]
    kinds: list[str] = []
    for words_left in _endings(words):
        last = words_left[-1]
        if last in _KIND:
            kinds.append(_KIND[last])
        elif last in _SCORES and not kinds:
            return " ".join(words_left[:-1]), ""
        elif last not in _UNITS:
            return (" ".join(words_left), kinds[0]) if kinds else (" ".join(words), "")
    return ("", kinds[0]) if kinds else (" ".join(words), "")


def _endings(words: list[str]) -> Iterator[list[str]]:
    return (words[:end] for end in range(len(words), 0, -1))


def _spreads(scores: FloatArray, beside: FloatArray, _: int) -> bool:
    return bool((beside >= 0).all() and (beside <= np.abs(scores) / 2).all())


def _ranks(_: FloatArray, beside: FloatArray, most: int) -> bool:
    halves: BoolArray = beside * 2 == np.floor(beside * 2)
    return bool(halves.all() and (beside >= 1).all() and (beside <= most).all())


def _times(scores: FloatArray, beside: FloatArray, _: int) -> bool:
    low, high = float(scores.min()), float(scores.max())
    return bool((beside >= 0).all() and (beside.max() > 1.5 * high or beside.max() < low / 2))


def _below(scores: FloatArray, beside: FloatArray, _: int) -> bool:
    return bool((beside <= scores).all())


def _above(scores: FloatArray, beside: FloatArray, _: int) -> bool:
    return bool((beside >= scores).all())


_FITS: Mapping[str, Callable[[FloatArray, FloatArray, int], bool]] = {
    "standard deviations": _spreads,
    "ranks": _ranks,
    "times": _times,
    "lower ends": _below,
    "upper ends": _above,
}
