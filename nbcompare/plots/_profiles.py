"""Performance profiles of scores: how far every algorithm is from the best on each data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, mean_over
from nbcompare._options import AUTO, BETTER, MAXIMIZE, MINIMIZE, better
from nbcompare._validation import DataError, check_choice, check_positive, shown
from nbcompare.experiment import Experiment
from nbcompare.results import Description

RATIO, DIFFERENCE = "ratio", "difference"
WAYS = (AUTO, RATIO, DIFFERENCE)
_LARGEST = 1e300  # of costs whose differences must be numbers


class Costs(NamedTuple):
    """Scores turned so that lower is better, and what they are; NaN where there is none."""

    values: FloatArray
    tied: BoolArray  # with the best on the data set
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    what: str  # the measure, or what was made of it
    better: str  # which of the measure are better, in words
    is_error: bool  # whether they are 1 minus the scores
    higher: BoolArray  # data sets on which higher scores are better

    @property
    def there(self) -> BoolArray:
        """Whether an algorithm has a finite score; an infinite cost is that of a failure."""
        return np.isfinite(self.values)

    @property
    def lacks(self) -> str:
        """What an algorithm does not have where it is never near the best."""
        return "finite score" if np.isinf(self.values).any() else "score"


def costs_of(data: Experiment | Description, *, as_error: bool) -> Costs:
    """Return the costs of the algorithms on the data sets, the means of their folds and runs."""
    if isinstance(data, Experiment):
        is_interval, given = data.is_interval, mean_over(mean_over(data.given[0]))
        higher = np.array([way == MAXIMIZE for way in data.ways])
        datasets, algorithms, measure = data.datasets, data.algorithms, data.measure
        is_better = better(data.direction, data.turned)
    else:
        is_interval, given = data.upper_scores is not None, data.scores
        higher = data.design.gain_signs > 0
        design = data.design
        datasets, algorithms, measure = design.datasets, design.algorithms, design.measure
        is_better = design.better
    if is_interval:
        raise DataError(
            "`data` holds interval-valued scores, which have no profile. To draw that of their "
            "midpoints, make an Experiment of those."
        )
    if len(algorithms) < 2:
        raise DataError(
            f"`data` must hold at least 2 algorithms to compare; got {len(algorithms)}."
        )
    costs = np.where(higher[:, np.newaxis], -given, given)
    there = np.isfinite(costs)
    best = np.min(costs, axis=1, where=there, initial=np.inf)[:, np.newaxis]
    size = np.maximum(np.abs(costs), np.abs(best))
    tied = np.zeros_like(there)
    with np.errstate(over="ignore", invalid="ignore"):  # costs that are not there, or overflow
        np.less_equal(costs - best, NOISE * size, out=tied, where=there)
    what = measure or "score"
    if as_error:
        _check_shares(given, higher, datasets, algorithms)
        costs, what, is_better = 1 - given, f"1 − {what}", BETTER[MINIMIZE]
    return Costs(costs, tied, datasets, algorithms, what, is_better, as_error, higher)


def _check_shares(
    given: FloatArray, higher: BoolArray, datasets: Sequence[str], algorithms: Sequence[str]
) -> None:
    """Refuse to turn scores into errors that are no shares of which higher is better."""
    if not higher.all():
        raise ValueError(
            "`as_error` makes 1 minus the score of a measure of which higher is better; on "
            f"{shown(datasets[int(np.argmin(higher))])}, lower is better. Leave it out."
        )
    outside = (given < 0) | (given > 1)
    if outside.any():
        row, column = (int(i) for i in np.argwhere(outside)[0])
        raise DataError(
            "`as_error` makes 1 minus the score, which must be from 0 to 1; "
            f"{shown(algorithms[column])} has {given[row, column]:g} on {shown(datasets[row])}. "
            "Leave it out, or divide percentages by 100 before."
        )


def way_of(costs: Costs, by: str) -> tuple[str, str]:
    """Return how costs are compared with the best, and why; raise if that is impossible.

    The reason is empty if the caller chose the way.
    """
    check_choice(by, "by", WAYS)
    why, remedy = _no_ratio(costs)
    if by == RATIO and why:
        raise DataError(
            f"`by` must not be {RATIO!r}, because {why}. Pass by={DIFFERENCE!r}{remedy}."
        )
    if by != AUTO:
        return by, ""
    if why:
        return DIFFERENCE, f"no ratio, because {why}"
    return RATIO, f"all scores are positive, {costs.better}"


def _no_ratio(costs: Costs) -> tuple[str, str]:
    """Return why costs have no ratio, and what else can be done; nothing if they have one."""
    if costs.higher.any() and not costs.is_error:
        if costs.higher.all():
            there = costs.values[costs.there]
            share = there.size and there.min() > -1 and there.max() <= 0
            remedy = ", or as_error=True for the ratio of 1 minus the score" if share else ""
            return "higher is better", remedy
        name = costs.datasets[int(np.argmax(costs.higher))]
        return f"higher is better on some data sets, such as {name}", ""
    low = costs.there & (costs.values <= 0)
    if not low.any():
        return "", ""
    row, column = (int(i) for i in np.argwhere(low)[0])
    kind = "0" if costs.values[row, column] == 0 else "negative"
    where = f"{costs.algorithms[column]} on {costs.datasets[row]}"
    return f"the {'error' if costs.is_error else 'score'} of {where} is {kind}", ""


def distances(costs: Costs, way: str) -> FloatArray:
    """Return how far each cost is from the best of its data set; infinite if there is none.

    Ratios are given as their logarithms to the base 10, which do not overflow; a best cost, and
    one tied with it, has distance 0. Differences are of numbers up to 1e300.
    """
    values, there = costs.values, costs.there
    if way == RATIO:
        size = np.log10(values, out=np.full_like(values, np.inf), where=there)
    else:
        size = np.where(there, np.clip(values, -_LARGEST, _LARGEST), np.inf)
    best = size.min(axis=1, keepdims=True)
    found = np.full_like(size, np.inf)
    np.subtract(size, best, out=found, where=there)
    found[costs.tied] = 0.0
    return found


def profile_of(distance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the distances at which the share of data sets rises, from 0 on, and the shares.

    An infinite distance is never reached.

    Examples
    --------
    >>> found = profile_of(np.array([0.3, 0.0, np.inf, 0.3]))
    >>> [side.tolist() for side in found]
    [[0.0, 0.3], [0.25, 0.75]]
    """
    places, counts = np.unique(distance[np.isfinite(distance)], return_counts=True)
    if not places.size or places[0] > 0:
        places, counts = np.append(0.0, places), np.append(0, counts)
    return places, np.cumsum(counts) / len(distance)


def checked_limit(value: float | None, way: str) -> float | None:
    """Return the end of the axis that was asked for, or raise."""
    if value is None:
        return None
    limit = check_positive(value, "up_to")
    if way == RATIO and limit <= 1:
        raise ValueError(f"`up_to` must be a factor above 1; got {limit:g}.")
    return limit
