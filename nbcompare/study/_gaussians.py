"""The problem of two Gaussians of the 2006 paper, with three classifiers in closed form."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import MINIMIZE
from nbcompare._validation import DataError, check_choice, check_count, check_positive, shown
from nbcompare.experiment import Experiment
from nbcompare.study._model import check_effect, truth_of

# How far the second class is moved to the right in the problems of the paper
PROBLEMS: Mapping[str, float] = MappingProxyType({"A": 0.0, "B": -0.25, "C": 0.1})
_KFOLD, _FIVE_BY_TWO = SCHEMES = ("k-fold", "5x2")
_ALIKE = 1 + 1e-4  # ratio of variances below which they are taken as equal
_FEWEST = 40  # points, of which half are to train on, with 10 of each class


class _Classes(NamedTuple):
    """Sufficient statistics of both classes: counts, sums and sums of products, by split."""

    counts: FloatArray  # (n_splits, 2)
    sums: FloatArray  # (n_splits, 2, 2)
    products: FloatArray  # (n_splits, 2, 2, 2)


@dataclass(frozen=True, kw_only=True)
class TwoGaussians:
    """Linear, quadratic and optimal classifiers of two Gaussian classes (2006, section 3.1).

    Points of two equally large classes are drawn from Gaussians with means (0, 0) and
    (``distance`` + effect, 0), and with ``variances`` times the identity. The classifiers are
    trained and tested by cross-validation; ``optimal`` knows the distributions. The effect moves
    the second class to the right: see ``PROBLEMS``.

    The paper prints the variances 2 and 4; its tables agree with 1 and 4, which are the default.
    It also says that problem B, with the second class moved to the left, overlaps less, and C
    overlaps more; it is the other way round. A smaller distance makes the quadratic boundary
    matter more, which is why B is the easiest.

    Parameters
    ----------
    n_samples : int
        Number of points of both classes; 250 or 500 in the paper.
    n_folds : int
        Number of folds, 10, 50 or 100 in the paper; 2 are used for ``5x2``.
    scheme : {"k-fold", "5x2"}
        One cross-validation, or five of two folds each, stored as ten folds in their order.
    distance : float
        Distance between the means with an effect of 0.
    variances : tuple of 2 float
        Variances of both classes.
    sample : int, optional
        Seed of one sample that all repetitions share, so that they differ in the folds alone, which
        is how the paper seems to have got its 100 "different partitions". The effect then moves
        the same points. By default each repetition draws a sample.

    Examples
    --------
    >>> model = TwoGaussians()
    >>> model.draw(0.0, np.random.default_rng(0))
    <Experiment: 3 algorithms on 1 data set, 10 folds, error, minimize>
    >>> {name: round(error, 4) for name, error in model.errors(0.0).items()}
    {'linear': 0.2336, 'quadratic': 0.1849, 'optimal': 0.1849}
    >>> model.truth(0.0).tolist()
    [-1, -1, 0]
    """

    n_samples: int = 250
    n_folds: int = 10
    scheme: str = _KFOLD
    distance: float = 2.0
    variances: tuple[float, float] = (1.0, 4.0)
    sample: int | None = None

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_count(self.n_samples, "n_samples", least=_FEWEST)
        check_count(self.n_folds, "n_folds", least=2)
        check_choice(self.scheme, "scheme", SCHEMES)
        check_effect(self.distance)
        if self.sample is not None:
            check_count(self.sample, "sample", least=0)
        if not isinstance(self.variances, tuple | list) or len(self.variances) != 2:
            raise ValueError(
                f"`variances` must be two numbers above 0; got {shown(self.variances)}."
            )
        numbers = tuple(check_positive(value, "variances") for value in self.variances)
        object.__setattr__(self, "variances", numbers)
        if self.scheme != _KFOLD and self.n_folds != 10:
            raise ValueError(
                f"`n_folds` must be left out with scheme='5x2', which has ten; got {self.n_folds}."
            )
        if self.n_folds > self.n_samples:
            raise DataError(
                f"`n_folds` must be at most `n_samples`, {self.n_samples}; got {self.n_folds}."
            )

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return ("linear", "quadratic", "optimal")

    @property
    def effect_name(self) -> str:
        """What the effect is, for the axis of a figure."""
        return "shift of the second class"

    @property
    def summary(self) -> str:
        """Description of what is simulated, as the end of a sentence."""
        folds = "five times two folds" if self.scheme != _KFOLD else f"{self.n_folds} folds"
        one, two = self.variances
        return (
            f"linear, quadratic and optimal classifiers of {self.n_samples} points from two "
            f"Gaussians with variances {one:g} and {two:g} and means {self.distance:g} apart"
            f"{'' if self.sample is None else ', the same points each time'}, by "
            f"cross-validation with {folds}"
        )

    def errors(self, effect: float) -> dict[str, float]:
        """Return the expected error of each classifier if it is trained on infinitely many points.

        That of the quadratic classifier is then the optimal one. Trained on few points it is a
        little larger, which the paper, and :meth:`truth`, regard as equal.
        """
        moved = self.distance + check_effect(effect)
        s, t = (math.sqrt(variance) for variance in self.variances)
        half = abs(moved) / 2
        linear = float(scipy.special.ndtr([-half / s, -half / t]).mean())
        optimal = self._optimal_error(moved)
        return {"linear": linear, "quadratic": optimal, "optimal": optimal}

    def _optimal_error(self, moved: float) -> float:
        """Return the error of the optimal classifier, whose boundary is a circle or a line."""
        narrow, wide = sorted(self.variances)
        if wide < narrow * _ALIKE:  # the circle is a line
            return float(scipy.special.ndtr(-abs(moved) / 2 / math.sqrt((narrow + wide) / 2)))
        # the narrow class is chosen inside a circle, whose centre lies beyond its own mean
        curve = 1 / narrow - 1 / wide
        centre = -abs(moved) / wide / curve  # from the narrow mean, away from the wide one
        square = 2 * math.log(wide / narrow) / curve + moved**2 / wide / curve + centre**2
        inside = [
            float(scipy.special.chndtr(square / variance, 2, (away / math.sqrt(variance)) ** 2))
            for variance, away in ((narrow, centre), (wide, centre - abs(moved)))
        ]
        return (1 - inside[0] + inside[1]) / 2

    def truth(self, effect: float) -> IntArray:
        """Return which classifier of each pair has the smaller error on infinitely many points."""
        return truth_of(np.array(list(self.errors(effect).values())))

    def draw(self, effect: float, rng: np.random.Generator) -> Experiment:
        """Return the test errors of one experiment."""
        moved = self.distance + check_effect(effect)
        half = self.n_samples // 2
        classes = np.repeat([0, 1], [self.n_samples - half, half])
        spread = np.sqrt(self.variances)[classes, np.newaxis]
        source = rng if self.sample is None else np.random.default_rng(self.sample)
        points = source.standard_normal((self.n_samples, 2)) * spread
        points[:, 0] += moved * classes
        splits = [(self.n_folds, 1)] if self.scheme == _KFOLD else [(2, 5)]
        parts = [
            self._validated(points, classes, n_folds, moved, rng)
            for n_folds, times in splits
            for _ in range(times)
        ]
        scores = np.concatenate(parts, axis=1)
        return Experiment.from_array(
            scores[np.newaxis],
            direction=MINIMIZE,
            datasets=["two Gaussians"],
            algorithms=self.algorithms,
            measure="error",
        )

    def _validated(
        self,
        points: FloatArray,
        classes: IntArray,
        n_folds: int,
        moved: float,
        rng: np.random.Generator,
    ) -> FloatArray:
        """Return the errors of one cross-validation, in an array (classifier, fold)."""
        # within each class the points are dealt out at random, so that folds are alike
        order = np.concatenate([rng.permutation(np.flatnonzero(classes == c)) for c in (0, 1)])
        folds = np.empty(len(points), dtype=np.int64)
        folds[order] = np.arange(len(points)) % n_folds
        trained = _without_each_fold(points, classes, folds, n_folds)
        wrong = [
            _discriminant(trained, points, folds, pooled=True) != classes,
            _discriminant(trained, points, folds, pooled=False) != classes,
            self._optimal(points, moved) != classes,
        ]
        sizes = np.bincount(folds, minlength=n_folds)
        return (
            np.stack([np.bincount(folds, weights=one, minlength=n_folds) for one in wrong]) / sizes
        )

    def _optimal(self, points: FloatArray, moved: float) -> BoolArray:
        """Return whether each point is more likely of the second class."""
        s, t = self.variances
        squares = np.square(points)
        one = 2 * math.log(s) + squares.sum(axis=1) / s
        two = 2 * math.log(t) + (np.square(points[:, 0] - moved) + squares[:, 1]) / t
        return np.asarray(two < one)


def _without_each_fold(
    points: FloatArray, classes: IntArray, folds: IntArray, n_folds: int
) -> _Classes:
    """Return the statistics of the training sets: those of all points without each fold."""
    member = np.zeros((n_folds, 2, len(points)))
    member[folds, classes, np.arange(len(points))] = 1.0
    outer = (points[:, :, np.newaxis] * points[:, np.newaxis, :]).reshape(-1, 4)
    counts, sums = member.sum(axis=2), member @ points
    products = (member @ outer).reshape(n_folds, 2, 2, 2)
    return _Classes(*(part.sum(axis=0) - part for part in (counts, sums, products)))


def _discriminant(
    trained: _Classes, points: FloatArray, folds: IntArray, *, pooled: bool
) -> BoolArray:
    """Return whether discriminant analysis, trained without a point's fold, says class two.

    It is quadratic, or linear with the ``pooled`` covariances of both classes.
    """
    counts = trained.counts[..., np.newaxis]
    means = trained.sums / counts
    around = means[..., np.newaxis] * means[..., np.newaxis, :]
    scatters = trained.products - counts[..., np.newaxis] * around
    degrees = trained.counts - 1
    if pooled:
        scatters, degrees = (
            np.broadcast_to(part.sum(axis=1, keepdims=True), part.shape)
            for part in (scatters, degrees)
        )
    covariances = scatters / degrees[..., np.newaxis, np.newaxis]
    inverses, logs = np.linalg.inv(covariances), np.linalg.slogdet(covariances)[1]
    away = points[:, np.newaxis] - means[folds]  # point, class, coordinate
    distances = np.einsum("pci,pcij,pcj->pc", away, inverses[folds], away)
    scores = distances + logs[folds] - 2 * np.log(trained.counts[folds])
    return np.asarray(scores[:, 1] < scores[:, 0])
