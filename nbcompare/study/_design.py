"""What a study needs of a design, and a design of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast, runtime_checkable

import numpy as np

from nbcompare._validation import check_probability, clean_label, shown
from nbcompare.experiment import Experiment
from nbcompare.study._model import pairs
from nbcompare.study._verdict import FIRST, NONE, SECOND, SIGNIFICANT, Verdict
from nbcompare.words import PROCEDURES

ONE_SCALE = "one"  # the errors of a model are


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


@runtime_checkable
class DesignOfMany(Design, Protocol):
    """A design that decides on many experiments at once in less time, without random numbers."""

    def of_many(self, experiments: Sequence[Experiment]) -> Sequence[Verdict]:
        """Return the outcomes of experiments from the same model, each as if it were alone."""


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


def in_order(experiment: Experiment, found: Iterable[tuple[str, str, str]]) -> tuple[str, ...]:
    """Return outcomes in the order of all pairs, whose algorithms may be named in either order."""
    words = {(first, second): word for first, second, word in found}
    swapped = {FIRST: SECOND, SECOND: FIRST}
    outcomes = []
    for pair in pairs(experiment.algorithms):
        word = words.get(pair)
        if word is None:
            other = words[pair[::-1]]
            word = swapped.get(other, other)
        outcomes.append(word)
    return tuple(outcomes)


def side(significant: bool, gain: float) -> str:
    """Return the outcome of a pair whose first is better if the gain is positive."""
    if not significant or gain == 0:
        return NONE
    return FIRST if gain > 0 else SECOND


def gated(outcomes: tuple[str, ...], omnibus: str) -> Verdict:
    """Return the outcomes if the omnibus test found a difference, else that none was found.

    That is so, too, where it cannot be decided whether there is any difference.
    """
    if omnibus != SIGNIFICANT:
        outcomes = (NONE,) * len(outcomes)
    return Verdict(outcomes, omnibus)


def adjusted(procedure: str | None) -> str:
    """Return the name of an adjustment for the name of a design."""
    return "unadjusted" if procedure is None else PROCEDURES[procedure].label
