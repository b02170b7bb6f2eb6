"""Theoretical errors of algorithms on data sets, and how they are spread over these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._validation import (
    DataError,
    check_choice,
    check_count,
    check_nonnegative,
    check_probability,
)
from nbcompare.study._model import check_effect

# Ways to deal out the best places are drawn until errors are probabilities, at most so often
_MOST_DRAWS = 1_000
_EACH, _ONCE = REDRAWN = ("repetition", "effect")


@runtime_checkable
class Errors(Protocol):
    """Theoretical errors of algorithms on data sets, which depend on the effect."""

    @property
    def summary(self) -> str:
        """Description, as a part of a sentence."""

    def means(self, effect: float, k: int) -> FloatArray:
        """Return the mean error of each of k algorithms over the data sets."""

    def table(self, effect: float, n: int, k: int, rng: np.random.Generator) -> FloatArray:
        """Return the errors of k algorithms on n data sets."""


def steps(mean: float, effect: float, k: int) -> FloatArray:
    """Return the mean errors of the paper: that of algorithm i is ``mean + (i - 1) effect``."""
    least = -mean / (k - 1) if k > 1 else 0.0
    delta = check_effect(effect, least=max(least, 0.0), most=(1 - mean) / max(k - 1, 1))
    return np.asarray(mean + delta * np.arange(k), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadErrors:
    """Theoretical errors as the paper of 2013 spreads them over data sets, in its Table 1.

    On each data set one algorithm, drawn at random, has the error ``best``. The other errors of
    an algorithm are such that its mean over the data sets is ``mean + (i - 1) effect`` for the
    i-th one. So the best algorithm differs from data set to data set.

    Parameters
    ----------
    best : float
        Error of the algorithm that is the best on a data set.
    mean : float
        Mean error of the first algorithm.
    redrawn : {"repetition", "effect"}
        Whether the best algorithms are drawn anew in each repetition, or once for each effect.
        The paper does not say; its counts of 0 or 100 of 100 suggest the latter. An algorithm
        that is the best on few data sets has larger errors elsewhere, so single draws favour some
        algorithms in tests of medians or ranks; with ``repetition``, none is favoured.
    seed : int
        Seed of what is drawn once for each effect.

    Examples
    --------
    >>> table = SpreadErrors().table(0.03, 32, 5, np.random.default_rng(1))
    >>> table.mean(axis=0).round(3).tolist(), set(table.min(axis=1).tolist())
    ([0.3, 0.33, 0.36, 0.39, 0.42], {0.2})
    """

    best: float = 0.20
    mean: float = 0.30
    redrawn: str = _EACH
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_probability(self.best, "best")
        check_probability(self.mean, "mean")
        if self.best > self.mean:
            raise ValueError(
                f"`best` must be at most `mean`, {self.mean:g}, because it is the smallest error; "
                f"got {self.best:g}."
            )
        check_choice(self.redrawn, "redrawn", REDRAWN)
        check_count(self.seed, "seed", least=0)

    @property
    def summary(self) -> str:
        """Description, as a part of a sentence."""
        when = "for each effect" if self.redrawn == _ONCE else "for each experiment"
        return (
            f"the best algorithm of each data set, drawn {when}, has the error {self.best:g}, and "
            f"the mean error of the first is {self.mean:g}"
        )

    def means(self, effect: float, k: int) -> FloatArray:
        """Return the mean error of each of k algorithms."""
        return steps(self.mean, effect, k)

    def table(self, effect: float, n: int, k: int, rng: np.random.Generator) -> FloatArray:
        """Return the errors of k algorithms on n data sets, shape (n, k)."""
        means = self.means(effect, k)
        if self.redrawn == _ONCE:
            which = int(np.float64(effect).view(np.uint64))
            rng = np.random.default_rng(np.random.SeedSequence([self.seed, which]))
        for _ in range(_MOST_DRAWS):
            best = rng.integers(0, k, n)
            counts = np.bincount(best, minlength=k)
            if (counts == n).any():
                continue
            others = (n * means - self.best * counts) / (n - counts)
            if (others <= 1).all():
                table = np.tile(others, (n, 1))
                table[np.arange(n), best] = self.best
                return table
        raise DataError(
            f"`effects` must leave errors of at most 1: with {effect:g}, {k} algorithms and {n} "
            "data sets the errors beside the best ones would be larger. Take smaller effects or "
            "more data sets."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SteppedErrors:
    """Theoretical errors of ``mean + (i - 1) effect`` for the i-th algorithm on all data sets.

    Parameters
    ----------
    mean : float
        Mean error of the first algorithm.
    difficulty : float
        Standard deviation of what data sets add to the errors of all algorithms; errors are kept
        from 0 to 1.

    Examples
    --------
    >>> SteppedErrors().table(0.1, 2, 3, np.random.default_rng(1)).round(3).tolist()
    [[0.3, 0.4, 0.5], [0.3, 0.4, 0.5]]
    """

    mean: float = 0.30
    difficulty: float = 0.0

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_probability(self.mean, "mean")
        check_nonnegative(self.difficulty, "difficulty")

    @property
    def summary(self) -> str:
        """Description, as a part of a sentence."""
        spread = f", and data sets add {self.difficulty:g} (SD)" if self.difficulty else ""
        return f"the error of the first is {self.mean:g} on all data sets{spread}"

    def means(self, effect: float, k: int) -> FloatArray:
        """Return the mean error of each of k algorithms, on a data set that adds nothing."""
        return steps(self.mean, effect, k)

    def table(self, effect: float, n: int, k: int, rng: np.random.Generator) -> FloatArray:
        """Return the errors of k algorithms on n data sets, shape (n, k)."""
        added = self.difficulty * rng.standard_normal((n, 1))
        return np.clip(self.means(effect, k) + added, 0.0, 1.0)
