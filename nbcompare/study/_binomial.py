"""Models of test errors: theoretical errors, binomial counts of mistakes, local minima."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import MINIMIZE
from nbcompare._render import plural
from nbcompare._validation import (
    DataError,
    check_choice,
    check_count,
    check_labels,
    check_name,
    check_probability,
    shown,
)
from nbcompare.experiment import Experiment
from nbcompare.study._model import check_effect, truth_of

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


_TYPICAL, _MEAN = TRUTHS = ("typical", "mean")


@dataclass(frozen=True, kw_only=True)
class BinomialErrors:
    """Classifiers whose numbers of errors in test sets are binomial (2013, equations 33 and 34).

    Each test set of a data set has the same number of examples, drawn for each data set. A
    deterministic algorithm has one test error in each fold, any other has one in each run.

    Parameters
    ----------
    algorithms : tuple of str
        Names; by default the five of the paper.
    deterministic : tuple of str
        Those with a single run of each fold.
    n_datasets, n_folds, n_runs : int
        Size of an experiment; by default that of the paper.
    test_sizes : tuple of 2 int
        The least and the largest number of examples in a test set.
    errors : Errors
        Theoretical errors by effect: :class:`SpreadErrors` (the default), which is how the paper
        spreads them over data sets, or an object of one's own.

    Examples
    --------
    >>> model = BinomialErrors()
    >>> model.draw(0.03, np.random.default_rng(0))
    <Experiment: 5 algorithms on 32 data sets, 5 folds, 30 runs, error, minimize>
    >>> model.truth(0.03).tolist(), model.truth(0.0).any().item()
    ([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], False)
    """

    algorithms: tuple[str, ...] = ("A1", "A2", "A3", "A4", "A5")
    deterministic: tuple[str, ...] = ("A3", "A4")
    n_datasets: int = 32
    n_folds: int = 5
    n_runs: int = 30
    test_sizes: tuple[int, int] = (10, 19)
    errors: Errors = field(default_factory=SpreadErrors)

    def __post_init__(self) -> None:
        """Check the parameters, and keep names and sizes as tuples."""
        names = check_labels(self.algorithms, "algorithms")
        if len(names) < 2:
            raise ValueError(
                f"`algorithms` must hold at least 2 algorithms to compare; got {len(names)}."
            )
        given = tuple(self.deterministic)
        if given == BinomialErrors.deterministic and not set(given) <= set(names):
            given = ()  # the default is about the default names
        for name in given:
            check_name(name, "deterministic", names)
        for name, least in (("n_datasets", 2), ("n_folds", 1), ("n_runs", 1)):
            check_count(getattr(self, name), name, least=least)
        if not isinstance(self.errors, Errors):
            raise TypeError(
                "`errors` must say the errors of algorithms, such as study.SpreadErrors(); got "
                f"{shown(self.errors)}."
            )
        object.__setattr__(self, "algorithms", names)
        object.__setattr__(self, "deterministic", given)
        object.__setattr__(self, "test_sizes", _check_sizes(self.test_sizes))

    @property
    def effect_name(self) -> str:
        """What the effect is, for the axis of a figure."""
        return "difference between the errors of successive algorithms"

    @property
    def summary(self) -> str:
        """Description of what is simulated, as the end of a sentence."""
        low, high = self.test_sizes
        sizes = f"{low}" if low == high else f"{low} to {high}"
        fixed = sum(self.is_deterministic)
        runs = f" and {plural(self.n_runs, 'run')}" if fixed < len(self.algorithms) else ""
        some = f" ({fixed} of them deterministic)" if fixed else ""
        return (
            f"binomial test errors of {plural(len(self.algorithms), 'algorithm')}{some} on "
            f"{plural(self.n_datasets, 'data set')} with {plural(self.n_folds, 'fold')} of "
            f"{sizes} examples{runs}; {self.errors.summary}"
        )

    @property
    def is_deterministic(self) -> list[bool]:
        """Whether each algorithm is deterministic."""
        return [name in self.deterministic for name in self.algorithms]

    def truth(self, effect: float) -> IntArray:
        """Return which algorithm of each pair has the smaller mean theoretical error."""
        return truth_of(self.errors.means(effect, len(self.algorithms)))

    def draw(self, effect: float, rng: np.random.Generator) -> Experiment:
        """Return the test errors of one experiment."""
        n, k = self.n_datasets, len(self.algorithms)
        table = self.errors.table(effect, n, k, rng)
        low, high = self.test_sizes
        sizes = rng.integers(low, high + 1, n)
        scores = np.full((n, k, self.n_folds, self.n_runs), np.nan)
        for j, fixed in enumerate(self.is_deterministic):
            shape = (n, self.n_folds, 1 if fixed else self.n_runs)
            scores[:, j, :, : shape[2]] = self._drawn(table[:, j], sizes, shape, fixed, rng)
        return Experiment.from_array(
            scores, direction=MINIMIZE, algorithms=self.algorithms, measure="error"
        )

    def _drawn(
        self,
        errors: FloatArray,
        sizes: IntArray,
        shape: tuple[int, int, int],
        fixed: bool,  # noqa: ARG002 - for local minima
        rng: np.random.Generator,
    ) -> FloatArray:
        """Return fractions of errors of one algorithm, in an array (data set, fold, run)."""
        trials = sizes[:, np.newaxis, np.newaxis]
        return np.asarray(rng.binomial(trials, errors[:, np.newaxis, np.newaxis], shape) / trials)


@dataclass(frozen=True, kw_only=True)
class LocalMinima(BinomialErrors):
    """Classifiers that may be trapped in a local minimum (2013, equations 35 to 37).

    Every run of a stochastic algorithm on a fold is trapped with ``probability``, independently
    of others, and then has the error ``trapped``. Else its number of errors is binomial, as it is
    for deterministic algorithms.

    Parameters
    ----------
    probability : float
        Probability of a local minimum, p in the paper; 0.1 by default.
    trapped : float
        Error in a local minimum, e* in the paper; 0.75 by default.
    better_by : {"typical", "mean"}
        What decides which algorithm is better in truth. ``typical``: the theoretical error of
        runs that are not trapped, as in the paper. ``mean``: the mean over all runs, in which a
        stochastic algorithm may be worse than a deterministic one with a larger typical error.

    Other parameters are those of :class:`BinomialErrors`.

    Examples
    --------
    With an effect of 0.03, the second algorithm is typically better than the third, but not in
    the mean, because the third is deterministic:

    >>> typical, mean = LocalMinima(), LocalMinima(better_by="mean")
    >>> typical.truth(0.03)[4].item(), mean.truth(0.03)[4].item()
    (1, -1)
    """

    probability: float = 0.1
    trapped: float = 0.75
    better_by: str = _TYPICAL

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        check_probability(self.probability, "probability")
        check_probability(self.trapped, "trapped")
        check_choice(self.better_by, "better_by", TRUTHS)

    @property
    def summary(self) -> str:
        """Description of what is simulated, as the end of a sentence."""
        which = "mean" if self.better_by == _MEAN else "typical"
        return (
            f"{super().summary}; runs trapped in a local minimum with probability "
            f"{self.probability:g}, where the error is {self.trapped:g}; the smaller {which} "
            "error is better"
        )

    def truth(self, effect: float) -> IntArray:
        """Return which algorithm of each pair is better."""
        means = self.errors.means(effect, len(self.algorithms))
        if self.better_by == _MEAN:
            p = np.where(self.is_deterministic, 0.0, self.probability)
            means = p * self.trapped + (1 - p) * means
        return truth_of(means)

    def _drawn(
        self,
        errors: FloatArray,
        sizes: IntArray,
        shape: tuple[int, int, int],
        fixed: bool,
        rng: np.random.Generator,
    ) -> FloatArray:
        found = super()._drawn(errors, sizes, shape, fixed, rng)
        if fixed:
            return found
        return np.where(rng.random(shape) < self.probability, self.trapped, found)


def _check_sizes(sizes: object) -> tuple[int, int]:
    if not isinstance(sizes, tuple | list) or len(sizes) != 2:
        raise ValueError(
            "`test_sizes` must be the least and the largest number of examples, as (10, 19); "
            f"got {shown(sizes)}."
        )
    low = check_count(sizes[0], "test_sizes", least=1)
    return low, check_count(sizes[1], "test_sizes", least=low)
