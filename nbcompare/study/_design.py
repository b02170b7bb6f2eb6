"""What a study needs of a design: an outcome for each pair of algorithms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, cast, runtime_checkable

import numpy as np

from nbcompare._arrays import IntArray
from nbcompare._validation import check_choice, check_probability, clean_label, shown
from nbcompare.experiment import Experiment
from nbcompare.results.imprecise import INCONCLUSIVE
from nbcompare.results.power_study import FIRST, NONE, OMNIBUS_OUTCOMES, OUTCOMES, SECOND
from nbcompare.study._model import pairs

SIGNIFICANT, NOT_SIGNIFICANT, OMNIBUS_INCONCLUSIVE = OMNIBUS_OUTCOMES
# By the sign of the difference that is claimed
_BY_SIGN = {1.0: FIRST, 0.0: NONE, -1.0: SECOND}


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

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        first: Iterable[str],
        second: Iterable[str],
        signs: Iterable[float],
        omnibus: str | None = None,
    ) -> Verdict:
        """Return the outcomes by the sign of what was claimed of pairs, in any order.

        It is 1 where the first is better, -1 where the second is, 0 where no difference was found,
        and NaN where nothing is concluded. Nothing is claimed unless the test of any difference, if
        there is one, is significant.
        """
        found = {}
        for one, other, sign in zip(first, second, signs, strict=True):
            found[one, other], found[other, one] = sign, -sign
        claimed = [found[pair] for pair in pairs(experiment.algorithms)]
        if omnibus not in (None, SIGNIFICANT):
            claimed = [0.0] * len(claimed)
        return cls(tuple(_BY_SIGN.get(sign, INCONCLUSIVE) for sign in claimed), omnibus)


@runtime_checkable
class Design(Protocol):
    """What turns an experiment into an outcome for each pair.

    Any object with these attributes is a design.
    """

    @property
    def name(self) -> str:
        """Name in tables and figures."""

    @property
    def alpha(self) -> float | None:
        """Nominal level; None if there is none."""

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:
        """Return the outcome for each pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDesign:
    """A design of one's own: a function with a name.

    Parameters
    ----------
    name : str
        Name in tables and figures.
    function : callable
        Takes an Experiment and a random generator, and returns a :class:`Verdict`, or the words
        for the outcomes alone. Other processes must be able to import it, or joblib to send it.
    alpha : float, optional
        Nominal level, which a figure marks.

    Examples
    --------
    Whichever has the better mean is better:

    >>> def by_means(experiment, rng):
    ...     means = dict(zip(experiment.algorithms, experiment.mean_scores.mean(axis=0)))
    ...     return [FIRST if means[a] < means[b] else SECOND for a, b in pairs(means)]
    >>> design = OwnDesign(name="better mean", function=by_means)
    """

    name: str
    function: Callable[[Experiment, np.random.Generator], Verdict | Iterable[str]]
    alpha: float | None = None

    def __post_init__(self) -> None:
        """Check the parts."""
        if not isinstance(self.name, str) or not clean_label(self.name):
            raise ValueError(f"`name` must be a name for the design; got {shown(self.name)}.")
        if not callable(self.function):
            raise TypeError(
                "`function` must take an Experiment and a random generator; got "
                f"{shown(self.function)}."
            )
        if self.alpha is not None:
            check_probability(self.alpha, "alpha")

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:
        """Return the outcome for each pair."""
        # the engine makes a Verdict of words, and says what is wrong with anything else
        return cast(Verdict, self.function(experiment, rng))


def codes_of(verdict: object, n_pairs: int, design: str) -> IntArray:
    """Return places in lists of words: of the omnibus test, -1 without one, then of the pairs."""
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
        word = check_choice(verdict.omnibus, f"omnibus {what}", OMNIBUS_OUTCOMES)
        omnibus = OMNIBUS_OUTCOMES.index(word)
    return np.array([omnibus, *found], dtype=np.int64)
