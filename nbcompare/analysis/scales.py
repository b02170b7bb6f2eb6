"""Whether data sets are on one scale: the fact that analyses which add raw scores depend on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from nbcompare._arrays import NOISE, FloatArray
from nbcompare._options import AUTO, OPTIONS
from nbcompare._render import plural
from nbcompare._validation import DataError

if TYPE_CHECKING:
    from nbcompare.experiment import Experiment

# The data sets are considered to be on one scale if the upper decile of the ranges of their
# scores is at most this many times the lower decile.
ONE_SCALE = 100.0
# What allows an analysis that several scales forbid; functions and command lines call it the same
_STATED = "If the scores are on one scale all the same, the option scale can state it: one."

_DECILES = (0.1, 0.9)
# Of experiments in use, which do not change: one comparison asks several times
_SPREADS: WeakKeyDictionary[Experiment, float] = WeakKeyDictionary()


class Scales(NamedTuple):
    """Whether data sets are on one scale.

    Attributes
    ----------
    spread : float
        Upper over lower decile of the ranges of scores on the data sets.
    one : bool
        Whether they are on one scale, by the spread or because it is stated.
    stated : bool
        Whether that is stated, and not judged by the spread.
    order_alone : str
        Why the order alone of some scores is known, as a clause; empty if more is known.
    is_mixed : bool
        Whether high scores are better on some of the data sets, and low ones on others.
    """

    spread: float
    one: bool
    stated: bool
    order_alone: str = ""
    is_mixed: bool = False

    @property
    def why_several(self) -> str:
        """Why the data sets are taken to be on several scales, in a few words."""
        if self.order_alone:
            return f"{self.order_alone}, so that the order alone is known"
        return f"the data sets {'are stated' if self.stated else 'seem'} not to be on one scale"

    @property
    def advice(self) -> str:
        """What to do if they are on one scale; empty if what they are is stated."""
        return "" if self.stated else _STATED

    @property
    def several(self) -> str:
        """Why the data sets are taken to be on several scales, as the beginning of a sentence."""
        if self.order_alone:
            clause = self.order_alone[0].upper() + self.order_alone[1:]
            return f"{clause}, so that the order alone is known"
        if self.stated:
            return "The data sets are stated to be on several scales"
        if self.is_mixed:
            return (
                "High scores are better on some data sets and low ones on others, so they seem not "
                "to be on one scale"
            )
        return (
            f"The ranges of scores differ between data sets by a factor of {self.spread:.3g} "
            f"(deciles; the limit here is {ONE_SCALE:g}), so they seem not to be on one scale"
        )


def scales_of(experiment: Experiment, scale: str = AUTO) -> Scales:
    """Return whether the data sets of an experiment are on one scale.

    By a rule of thumb of this package, they are if the upper decile of the ranges of their mean
    scores is at most 100 times the lower decile, and if the same scores, high or low ones, are
    better on all of them. Data sets on which all algorithms tie, or
    fewer than two have a score, do not count; neither does a range of rounding noise.

    Parameters
    ----------
    experiment : Experiment
        The scores, which may be missing, repeated or intervals; these count with their middle.
    scale : {"auto", "one", "several"}
        ``one`` and ``several`` state what the caller knows; ``auto`` goes by the ranges.

    Raises
    ------
    ValueError
        If ``scale`` is another word.
    """
    OPTIONS["scale"].check(scale, "scale")
    if experiment.n_infinite:
        if scale == "one":
            raise DataError(
                "`scale` must not be 'one' here: some scores are infinite "
                f"({experiment.infinite}), so that the order alone is known. Leave out `scale`."
            )
        infinite = f"some scores are infinite ({experiment.infinite})"
        return Scales(math.inf, one=False, stated=True, order_alone=infinite)
    if experiment.n_censored and scale == AUTO:
        stopped = (
            f"{plural(experiment.n_censored, 'run')} stopped at the cutoff of "
            f"{experiment.cutoff:.15g} or failed"
        )
        return Scales(math.inf, one=False, stated=True, order_alone=stopped)
    spread = _SPREADS.get(experiment)
    if spread is None:
        spread = _SPREADS[experiment] = _spread(*_ends(experiment))
    mixed = bool(experiment.turned)
    one = spread <= ONE_SCALE and not mixed if scale == AUTO else scale == "one"
    return Scales(spread, one, scale != AUTO, is_mixed=mixed)


def _ends(experiment: Experiment) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the least and largest half mean score of data sets with two, and half the magnitude.

    Scores are halved, because the range of the scores themselves could overflow.
    """
    alone = experiment.n_folds * experiment.n_runs == 1 and not experiment.is_interval
    if alone and experiment.is_complete:  # as nearly all large tables are
        scores = experiment.lower[:, :, 0, 0]
        least, largest = scores.min(axis=1) / 2, scores.max(axis=1) / 2
        return least, largest, np.maximum(np.abs(least), np.abs(largest))
    halves = (experiment.lower / 4 + experiment.upper / 4).reshape(
        experiment.n_datasets, experiment.n_algorithms, -1
    )
    known = ~np.isnan(halves)
    count = known.sum(axis=2)
    shares = np.where(known, halves, 0.0) / np.maximum(count, 1)[..., np.newaxis]
    means = np.where(count > 0, shares.sum(axis=2), np.nan)
    sizes = np.abs(np.where(known, halves, 0.0)).max(axis=2)
    used = (count > 0).sum(axis=1) >= 2
    means = means[used]
    return (
        np.fmin.reduce(means, axis=1),
        np.fmax.reduce(means, axis=1),
        sizes[used].max(axis=1),
    )


def _spread(least: FloatArray, largest: FloatArray, sizes: FloatArray) -> float:
    """Return the upper over the lower decile of the ranges of data sets that are not all tied."""
    ranges = largest - least
    ranges = ranges[ranges > NOISE * sizes]
    last = len(ranges) - 1
    if last < 1:
        return 1.0
    # what np.quantile does to the logarithms, in a fifth of the time for few data sets
    below = [math.floor(share * last) for share in _DECILES]
    found = np.partition(ranges, [*below, *(min(place + 1, last) for place in below)])
    low, high = (
        (1 - part) * math.log(found[place]) + part * math.log(found[min(place + 1, last)])
        for place, part in zip(below, (share * last % 1 for share in _DECILES), strict=True)
    )
    return math.exp(min(high - low, 700.0))
