"""Notes on significant pairs whose differences are not symmetric, as Wilcoxon's test takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import NOISE, FloatArray, IntArray
from nbcompare._render import Note, format_rounded, plural
from nbcompare._validation import named
from nbcompare.stats import shift, symmetry

# Only so small a p speaks against symmetry: for few differences in two clusters, or with many
# zeros, the level of the test is up to five times as large
_SPEAKS = 0.01
_MOST = 4  # pairs that are named


class Gains(NamedTuple):
    """The differences of a significant pair, positive where the better one is better."""

    better: str
    worse: str
    values: FloatArray
    sizes: FloatArray

    def hang_on_symmetry(self, m: int, alpha: float) -> bool:
        """Return whether they are not symmetric, and not shown otherwise to be above 0 in general.

        The triples test is adjusted for m hypotheses. If the intervals of the mean and of the
        median, each at 1 - alpha/m, both lie above 0, nothing hangs on symmetry.
        """
        if m * symmetry.triples(self.values, scale=self.sizes).pvalue > _SPEAKS:
            return False
        centres = (shift.mean_shift, shift.median_shift)
        return not all(of(self.values, 1 - alpha / m).lower > 0 for of in centres)


def gains_of(
    scores: FloatArray,
    scale: FloatArray | None,
    first: IntArray,
    second: IntArray,
    sides: FloatArray,
    names: tuple[str, ...],
) -> Iterator[Gains]:
    """Yield the gains of pairs on the data sets with scores of both; smaller is better.

    ``scale`` is the magnitude of the numbers that were averaged, or None if none were; ``sides``
    are positive where the first is the better one.
    """
    magnitudes = np.abs(scores) if scale is None else scale
    for one, other, side in zip(first, second, sides, strict=True):
        pair = [one, other] if side >= 0 else [other, one]
        known = ~np.isnan(scores[:, pair]).any(axis=1)
        both, sizes = scores[known][:, pair], magnitudes[known][:, pair].max(axis=1)
        gains = both[:, 1] - both[:, 0]
        gains = np.where(np.abs(gains) <= NOISE * sizes, 0.0, gains)
        yield Gains(names[pair[0]], names[pair[1]], gains, sizes)


def notes_of_symmetry(
    pairs: Iterable[Gains], m: int, alpha: float, *, in_units: bool
) -> Iterator[Note]:
    """Yield notes on significant pairs, of m, that are compared otherwise than one may think.

    One is on pairs of which only symmetry would make a statement on mean and median, and one on
    pairs whose better algorithm is better on fewer data sets. Mean and median differences are told
    if they are ``in_units`` of the measure.
    """
    skewed, opposite = [], []
    for gains in pairs:
        if gains.hang_on_symmetry(m, alpha):
            skewed.append(gains)
        wins, losses = (int((side * gains.values > 0).sum()) for side in (1, -1))
        if wins < losses:
            opposite.append(f"{gains.better} against {gains.worse} ({wins} to {losses})")
    if opposite:
        yield Note(
            "opposite-signs",
            "The sign test points the other way: the significantly better algorithm is better on "
            f"fewer data sets ({named(opposite, most=_MOST)}). Wilcoxon's test also weighs "
            "by how much.",
        )
    if not skewed:
        return
    adjusted = f", adjusted for {m} hypotheses" if m > 1 else ""
    whose = f"{skewed[0].better} and {skewed[0].worse}"
    if len(skewed) > 1:
        who = [f"{one.better} and {one.worse}" for one in skewed]
        whose = f"{plural(len(skewed), 'significant pair')} ({named(who, most=_MOST)})"
    yield Note(
        "asymmetric",
        f"The differences of {whose} are not symmetric (triples test, p at most {_SPEAKS:g}"
        f"{adjusted}). Wilcoxon's test then compares neither means nor medians, but asks whether "
        "the average of the differences on two data sets drawn at random is more often in favour "
        "of the one algorithm than of the other."
        f"{_centres(skewed) if in_units else ''}",
    )


def _centres(skewed: list[Gains]) -> str:
    """Say where means and medians of the differences are, or which of them point elsewhere."""
    if len(skewed) == 1:
        one = skewed[0]
        mean, median = (format_rounded(float(of(one.values)) + 0.0) for of in (np.mean, np.median))
        return (
            f" The mean difference is {mean} and the median {median} (> 0: {one.better} is better)."
        )
    told = []
    for what, of in (("mean", np.mean), ("median", np.median)):
        n = sum(bool(of(one.values) < 0) for one in skewed)
        told += [f"the {what} difference of {n}"] if n else []
    return f" The other algorithm is favoured by {' and '.join(told)}." if told else ""
