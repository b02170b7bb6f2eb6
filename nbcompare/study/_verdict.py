"""What a design concludes from an experiment: an outcome for each pair of algorithms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import IntArray
from nbcompare._validation import check_choice, shown
from nbcompare.results.imprecise import INCONCLUSIVE
from nbcompare.results.power_study import (
    FIRST,
    NONE,
    OMNIBUS_OUTCOMES,
    OUTCOMES,
)

__all__ = ["FIRST", "INCONCLUSIVE", "NONE", "SECOND", "SIGNIFICANT", "Verdict", "coded"]

SECOND = OUTCOMES[1]
SIGNIFICANT, NOT_SIGNIFICANT, OMNIBUS_INCONCLUSIVE = OMNIBUS_OUTCOMES


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcomes of a design on one experiment.

    Attributes
    ----------
    outcomes : tuple of str
        For each pair, in the order of :func:`pairs`: ``first better``, ``second better``,
        ``none`` or ``inconclusive``.
    omnibus : str or None
        Outcome of the test of any difference: ``significant``, ``not significant`` or
        ``inconclusive``; None if there is no such test.
    """

    outcomes: tuple[str, ...]
    omnibus: str | None = None


def coded(verdict: object, n_pairs: int, design: str) -> tuple[IntArray, int]:
    """Return the places of the outcomes among OUTCOMES, and that of the omnibus test, or -1."""
    if not isinstance(verdict, Verdict):
        if isinstance(verdict, str) or not isinstance(verdict, Iterable):
            raise TypeError(
                f"the design {design!r} must return an outcome for each of {n_pairs} pairs, or a "
                f"Verdict; got {shown(verdict)}."
            )
        verdict = Verdict(tuple(verdict))
    if len(verdict.outcomes) != n_pairs:
        raise ValueError(
            f"the design {design!r} must return an outcome for each of {n_pairs} pairs; got "
            f"{len(verdict.outcomes)}."
        )
    what = f"outcome of {design}"
    found = [OUTCOMES.index(check_choice(word, what, OUTCOMES)) for word in verdict.outcomes]
    omnibus = -1
    if verdict.omnibus is not None:
        word = check_choice(verdict.omnibus, f"omnibus of {design}", OMNIBUS_OUTCOMES)
        omnibus = OMNIBUS_OUTCOMES.index(word)
    return np.array(found, dtype=np.int64), omnibus
