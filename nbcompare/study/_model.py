"""What a study needs of a model: draws of an experiment, and which algorithms are better."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._validation import shown
from nbcompare.experiment import Experiment
from nbcompare.stats.posthoc import all_pairs

FIRST, EQUAL, SECOND = 1, 0, -1  # which of two algorithms is better in truth


@runtime_checkable
class Model(Protocol):
    """A description of algorithms from which experiments of known truth are drawn.

    Any object with these four attributes is a model. An effect of 0 means that the algorithms do
    not differ, unless the model says otherwise.
    """

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms."""

    @property
    def effect_name(self) -> str:
        """What the effect is, for the axis of a figure."""

    def truth(self, effect: float) -> IntArray:
        """Return which algorithm of each pair is better in truth, with an effect.

        Parameters
        ----------
        effect : float
            Size of the effect, in the unit that ``effect_name`` says.

        Returns
        -------
        ndarray of int, shape (n_pairs,)
            For each pair, in the order of :func:`pairs`: 1 if the first is better, -1 if the second
            is, 0 if they are equal.

        Raises
        ------
        ValueError
            If the model cannot have this effect.
        """

    def draw(self, effect: float, rng: np.random.Generator) -> Experiment:
        """Draw the results of one experiment, with an effect.

        Parameters
        ----------
        effect : float
            Size of the effect, in the unit that ``effect_name`` says; one that :meth:`truth`
            accepts.
        rng : numpy Generator
            The only source of random numbers, so that a study can be repeated.

        Returns
        -------
        Experiment
            Scores of ``algorithms``, in their order, with as many data sets, folds and runs as the
            designs need.
        """


class Populations(Protocol):
    """Populations of which each gives the scores of several experiments, one after the other."""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms."""

    def population(self, rng: np.random.Generator) -> Callable[[np.random.Generator], Experiment]:
        """Return a population, which draws experiments."""


def pairs(algorithms: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of algorithms in the order of all outcomes and truths.

    Parameters
    ----------
    algorithms : sequence of str
        Names of at least 2 algorithms.

    Returns
    -------
    tuple of tuple of str
        The k(k - 1)/2 pairs of k algorithms: the first one with each that follows it, then the
        second one, and so on.

    Raises
    ------
    ValueError
        If there are fewer than 2 algorithms.

    Examples
    --------
    >>> pairs(["A", "B", "C"])
    (('A', 'B'), ('A', 'C'), ('B', 'C'))
    """
    first, second = all_pairs(len(algorithms))
    return tuple((algorithms[i], algorithms[j]) for i, j in zip(first, second, strict=True))


def pair_places(k: int) -> IntArray:
    """Return the place of each pair of k algorithms among all pairs, by both indices."""
    places = np.zeros((k, k), dtype=np.int64)
    first, second = all_pairs(k)
    places[first, second] = places[second, first] = np.arange(len(first))
    return places


def truth_of(costs: FloatArray, noise: float = 1e-12) -> IntArray:
    """Return the truth of all pairs of algorithms by a number, such as an error, of each.

    Parameters
    ----------
    costs : ndarray of float, shape (k,)
        A number of each algorithm; smaller is better.
    noise : float
        Numbers that differ by this share of the largest at most are equal.

    Returns
    -------
    ndarray of int, shape (k (k - 1) / 2,)
        For each pair, in the order of :func:`pairs`: 1 if the first is better, -1 if the second
        is, 0 if they are equal.

    Examples
    --------
    >>> truth_of(np.array([0.3, 0.2, 0.1 + 0.2])).tolist()
    [-1, 0, 1]
    """
    first, second = all_pairs(len(costs))
    gains = costs[second] - costs[first]
    least = noise * float(np.abs(costs).max(initial=0.0))
    found = np.where(np.abs(gains) <= least, 0, np.sign(gains))
    return np.asarray(found, dtype=np.int64)


def check_effect(value: object, *, least: float = -math.inf, most: float = math.inf) -> float:
    """Return an effect, a finite number within these bounds."""
    if not isinstance(value, bool) and isinstance(value, numbers.Real):
        number = float(value)
        if math.isfinite(number) and least <= number <= most:
            return number
    bounds = [
        *([f"at least {least:g}"] if least > -math.inf else []),
        *([f"at most {most:g}"] if most < math.inf else []),
    ]
    wanted = f"numbers of {' and '.join(bounds)}" if bounds else "finite numbers"
    raise ValueError(f"`effects` must be {wanted} with this model; got {shown(value)}.")
