"""Aggregates of repeated runs with bootstrap intervals, and expected running times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_count, check_probability, shown
from nbcompare.stats.permutation import blocks, generator
from nbcompare.stats.rankings import midranks


class Estimates(NamedTuple):
    """Estimates with the ends of their intervals, in arrays of one shape."""

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray


class Aggregates(NamedTuple):
    """Aggregates of algorithms, with an entry per algorithm, and what compares two of them.

    ``gap`` is None without a target. ``improvement`` has shape (n_algorithms, n_algorithms): the
    probability that a run of the algorithm of the row is better than one of the column's. Of pairs
    that are ``apart``, every run of one is better on a data set than every run of the other there.
    """

    interquartile_mean: Estimates
    mean: Estimates
    median: Estimates
    gap: Estimates | None
    improvement: Estimates
    apart: BoolArray


def aggregate(
    runs: npt.ArrayLike,
    *,
    target: float | None = None,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = 0,
    scale: npt.ArrayLike | None = None,
    progress: Callable[[int], object] | None = None,
) -> Aggregates:
    """Compute aggregates of runs over data sets (Agarwal et al. 2021).

    The interquartile mean is the mean of all runs of all data sets without the floor(N/4) lowest
    and highest of N runs; the median is that of the data sets' means; the optimality gap is the
    mean of what runs lack to the target, where those beyond it lack nothing. The probability of
    improvement is the share of pairs of runs of two algorithms on one data set in which the first
    is better, where ties count half, averaged over the data sets. Data sets count equally, however
    many runs they have.

    The intervals are percentiles of a stratified bootstrap: the runs of each algorithm are
    drawn with replacement within each data set, each time from all but one of them that is left
    out at random, without which few runs would spread too little (bootknife), at levels that
    Student's law widens (expanded percentiles; Hesterberg 2015, section 4). With up to 8 runs more
    than data sets, they are Student's with the deviation of the draws, since percentiles end where
    the runs do. Where every run of one algorithm is better than those of another, the interval ends
    at the least probability with which that may well be so. They show the noise of
    the runs, not how the algorithms would do on other data sets. The draws belong to the scores of
    an algorithm in their order by size, so that its intervals depend on nothing else: not on the
    order of data sets and runs, nor on other algorithms.

    Parameters
    ----------
    runs : array_like, shape (n_datasets, n_algorithms, n_runs)
        Scores, larger is better; NaN where an algorithm has fewer runs than others. They are
        added over data sets, and must be on one scale.
    target : float, optional
        What the optimality gap is measured to.
    confidence : float, default 0.95
        Nominal coverage of each interval.
    n_resamples : int, default 2000
        Number of resamples.
    rng : None, int or numpy Generator, default 0
        Seed or source of the resamples.
    scale : array_like, optional
        Magnitude of the numbers from which the runs were computed; runs that differ by rounding
        noise of that magnitude are tied.
    progress : callable, optional
        Told after each block how many resamples it had.

    Returns
    -------
    Aggregates
        Arrays of shape (n_algorithms,), and (n_algorithms, n_algorithms) for ``improvement``,
        whose diagonal is 0.5.

    Raises
    ------
    ValueError
        If an algorithm has no run on some data set, a number is infinite, or an option is out of
        range.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. C. and Bellemare, M. G. (2021). Deep
    reinforcement learning at the edge of the statistical precipice. Advances in Neural
    Information Processing Systems 34, 29304-29320.

    Hesterberg, T. C. (2015). What teachers should know about the bootstrap: resampling in the
    undergraduate statistics curriculum. The American Statistician 69 (4), 371-386.

    Examples
    --------
    Two algorithms on two data sets, with four runs each:

    >>> found = aggregate([[[1, 2, 3, 4], [2, 3, 4, 9]], [[0, 1, 1, 2], [1, 1, 2, 2]]])
    >>> found.interquartile_mean.estimate, found.mean.estimate
    (array([1.5 , 2.25]), array([1.75, 3.  ]))
    >>> found.improvement.estimate
    array([[0.5     , 0.296875],
           [0.703125, 0.5     ]])
    """
    data = _Runs.of(runs, scale)
    level = check_probability(confidence, "confidence")
    count = check_count(n_resamples, "n_resamples", least=1)
    once = data.once()
    found = data.statistics(once, once, target)
    drawn: list[dict[str, FloatArray]] = []
    # the two algorithms of a pair have weights of different sets, so that these are independent
    # also where the scores are the same
    for size, (weights, others) in data.resampled(count, rng, sets=2):
        drawn.append(data.statistics(weights, others, target))
        if progress is not None:
            progress(size)
    tails = data.tails(level)
    same = data.standing[:, np.newaxis] == data.standing  # of two copies, neither is the first
    chances = np.concatenate([part["improvement"] for part in drawn])
    apart: BoolArray = (chances.min(axis=0) == chances.max(axis=0)) & ~same

    def estimates(name: str) -> Estimates:
        both = np.minimum(tails[:, np.newaxis], tails) if name == "improvement" else tails
        draws, first = np.concatenate([part[name] for part in drawn]), found[name][0]
        lower, upper = _percentiles(draws, both)
        if name != "improvement":
            half = draws.std(axis=0) * -scipy.special.stdtrit(
                np.maximum(data.df, 1), (1 - level) / 2
            )
            few = (data.df > 0) & (data.df <= _FEW)
            lower, upper = np.where(few, (first - half, first + half), (lower, upper))
            if name == "gap":
                lower = np.maximum(lower, 0.0)
            # whichever runs are drawn, and however their weights are rounded
            lower, upper = (np.where(data.alike, first, end) for end in (lower, upper))
        else:
            lower, upper = (np.where(same, (end + end.T) / 2, end) for end in (lower, upper))
            # of runs that do not overlap on any data set, resampling shows nothing else
            lower, upper = np.where(apart, data.beyond(first, (1 - level) / 2), (lower, upper))
        return Estimates(first, lower, upper)

    return Aggregates(
        estimates("interquartile_mean"),
        estimates("mean"),
        estimates("median"),
        None if target is None else estimates("gap"),
        estimates("improvement"),
        apart,
    )


def profiles(
    runs: npt.ArrayLike,
    thresholds: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = 0,
) -> Estimates:
    """Compute performance profiles: the share of runs above each threshold (Agarwal et al. 2021).

    Parameters
    ----------
    runs, confidence, n_resamples, rng
        See :func:`aggregate`. The intervals hold at each threshold by itself.
    thresholds : array_like, shape (n_thresholds,)
        Scores.

    Returns
    -------
    Estimates
        Arrays of shape (n_algorithms, n_thresholds). Data sets count equally.

    Examples
    --------
    >>> found = profiles([[[1, 2, 3, 4], [2, 3, 4, 9]]], [0, 2, 5])
    >>> found.estimate
    array([[1.  , 0.5 , 0.  ],
           [1.  , 0.75, 0.25]])
    """
    data = _Runs.of(runs, None)
    level = check_probability(confidence, "confidence")
    count = check_count(n_resamples, "n_resamples", least=1)
    at = np.asarray(thresholds, dtype=np.float64)
    found = data.above(data.once(), at)[0]
    drawn = [
        data.above(weights, at) for _, (weights,) in data.resampled(count, rng, width=found.size)
    ]
    tails = np.broadcast_to(data.tails(level)[:, np.newaxis], found.shape)
    return Estimates(found, *_percentiles(np.concatenate(drawn), tails))


# Runs less data sets up to which draws end where the runs do, so that percentiles are too short
_FEW = 8


def _percentiles(drawn: FloatArray, tails: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the ends that leave these shares of the draws, which come first, at either side."""
    ends = np.empty((2, *tails.shape))
    for tail in np.unique(tails):
        ends[:, tails == tail] = np.quantile(drawn[:, tails == tail], (tail, 1 - tail), axis=0)
    return ends[0], ends[1]


class _Algorithm(NamedTuple):
    """The runs of one algorithm in ascending order."""

    values: FloatArray
    cells: FloatArray  # (n_datasets, n_runs) the same by data set, NaN for no run
    dataset: IntArray
    of_dataset: FloatArray  # (n, n_datasets): 1 where a run is of a data set
    order: IntArray  # places of the runs, data set by data set
    counts: IntArray  # runs of each data set
    places: IntArray  # (n_datasets, n_runs) of the runs; their number where there is none
    by_cell: IntArray  # data sets by their runs

    def by_dataset(self, weights: FloatArray) -> FloatArray:
        """Return weights (resamples, runs) as (n_datasets, resamples, n_runs); 0 for no run."""
        padded = np.pad(weights, ((0, 0), (0, 1)))
        return np.moveaxis(padded[:, self.places], 1, 0)


class _Runs:
    """Runs of several algorithms; a resample is how often each run of each was drawn.

    Weights of runs, of shape (resamples, runs of an algorithm), add up to 1; each data set has the
    same share of them.
    """

    def __init__(self, algorithms: list[_Algorithm], array: FloatArray, scale: FloatArray) -> None:
        self.algorithms, self._array, self._scale = algorithms, array, scale
        self.n_datasets = len(algorithms[0].counts)
        self.n_runs = sum(len(own.values) for own in algorithms)

    @cached_property
    def standing(self) -> IntArray:
        """The order of the algorithms by their scores, the same number for copies."""
        keys = [
            np.nan_to_num(own.cells[own.by_cell], nan=np.inf).ravel().tolist()
            for own in self.algorithms
        ]
        return np.array([sum(other < own for other in keys) for own in keys])

    @cached_property
    def alike(self) -> BoolArray:
        """Whether the runs of each algorithm are the same on each data set."""
        least, most = np.nanmin(self._array, axis=2), np.nanmax(self._array, axis=2)
        alike: BoolArray = (least == most).all(axis=0)
        return alike

    @cached_property
    def wins(self) -> dict[tuple[int, int], FloatArray]:
        """Whose run is better, by pair: 1 if that of the first is, 0.5 if they tie.

        Shape (n_datasets, n_runs, n_runs). The first of a pair is the one with the lower standing.
        """
        ranks = _ranks(self._array, ~np.isnan(self._array), self._scale)
        order = np.argsort(self.standing, kind="stable").tolist()
        return {(i, j): _won(ranks[:, i], ranks[:, j]) for i, j in combinations(order, 2)}

    @classmethod
    def of(cls, runs: npt.ArrayLike, scale: npt.ArrayLike | None) -> _Runs:
        try:
            array = np.asarray(runs, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"`runs` must hold numbers; got {shown(runs)}.") from None
        if array.ndim != 3 or 0 in array.shape:
            raise ValueError(
                f"`runs` must have shape (n_datasets, n_algorithms, n_runs); got {array.shape}."
            )
        there = ~np.isnan(array)
        if np.isinf(array).any():
            raise ValueError("`runs` must be finite numbers, or NaN where there is no run.")
        if not there.any(axis=2).all():
            row, column = np.argwhere(~there.any(axis=2))[0].tolist()
            raise ValueError(
                f"`runs` must have a run of each algorithm on each data set; got none of "
                f"algorithm {column} on data set {row}."
            )
        order = np.argsort(array, axis=2)
        sizes = np.broadcast_to(np.abs(array) if scale is None else np.abs(scale), array.shape)
        array, sizes = (np.take_along_axis(part, order, axis=2) for part in (array, sizes))
        return cls([_sorted(array[:, place]) for place in range(array.shape[1])], array, sizes)

    def once(self) -> list[FloatArray]:
        """Return the weights of the runs as they are, as one resample."""
        return [
            (1 / own.counts[own.dataset] / self.n_datasets)[np.newaxis] for own in self.algorithms
        ]

    def resampled(
        self, count: int, rng: np.random.Generator | int | None, *, sets: int = 1, width: int = 0
    ) -> Iterator[tuple[int, list[list[FloatArray]]]]:
        """Yield blocks of weights of runs drawn with replacement within data sets, but for one.

        The number of resamples comes first, then so many independent sets of weights. In a set,
        every algorithm has the same random numbers, whichever others there are.
        """
        seeds = generator(rng).integers(2**63, size=sets)
        sources = [[np.random.default_rng(seed) for _ in self.algorithms] for seed in seeds]
        for size in blocks(count, max(self.n_runs, width)):
            yield (
                size,
                [
                    [self._drawn(*each, size) for each in zip(self.algorithms, own, strict=True)]
                    for own in sources
                ],
            )

    def _drawn(self, own: _Algorithm, source: np.random.Generator, size: int) -> FloatArray:
        counts, starts = own.counts[own.by_cell], (np.cumsum(own.counts) - own.counts)[own.by_cell]
        many = np.repeat(counts, counts)
        out = np.repeat(source.integers(0, counts, (size, len(counts))), counts, axis=1)
        places = source.integers(0, np.maximum(many - 1, 1), (size, len(many)))
        places += (places >= out) & (many > 1)
        chosen = np.repeat(starts, counts) + places
        n = len(own.values)
        flat = np.bincount(
            (own.order[chosen] + n * np.arange(size)[:, np.newaxis]).ravel(), minlength=n * size
        )
        weights: FloatArray = flat.reshape(size, n) / (own.counts[own.dataset] * self.n_datasets)
        return weights

    @cached_property
    def df(self) -> IntArray:
        """Number of runs less data sets, by algorithm."""
        return np.array([(own.counts - 1).sum() for own in self.algorithms])

    def beyond(self, shares: FloatArray, tail: float) -> FloatArray:
        """Return between which probabilities of improvement runs may well not overlap.

        On these shares of the data sets, all runs of the first are better, and all worse on the
        others. Of m and n runs on a data set, min(m, n) pairs are independent; beyond these ends,
        they are all decided so with a probability below ``tail``. Runs that are the same or alone
        on each data set are taken to be exact.
        """
        exact = self.alike | [bool((own.counts == 1).all()) for own in self.algorithms]
        fewest = [own.counts.min() for own in self.algorithms]
        sizes = np.where(exact, np.inf, fewest)
        pairs = np.minimum.outer(sizes, sizes) * self.n_datasets
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = (part * tail ** (1 / (part * pairs)) for part in (shares, 1 - shares))
        return np.stack([np.nan_to_num(low), 1 - np.nan_to_num(high)])

    def tails(self, level: float) -> FloatArray:
        """Return the share of draws to leave at either side, by algorithm.

        It is what a normal law has beyond the quantile of Student's law.
        """
        usual = (1 - level) / 2
        widened = scipy.special.ndtr(scipy.special.stdtrit(np.maximum(self.df, 1), usual))
        return np.where(self.df > 0, widened, usual)  # a single run on each data set has no law

    def statistics(
        self, weights: list[FloatArray], others: list[FloatArray], target: float | None
    ) -> dict[str, FloatArray]:
        """Return every aggregate of each resample; the second of a pair has the weights others."""
        pairs = list(zip(self.algorithms, weights, strict=True))
        found = {
            "interquartile_mean": [_middle_mean(own, drawn) for own, drawn in pairs],
            "mean": [drawn @ own.values for own, drawn in pairs],
            "median": [
                np.median((drawn * own.values) @ own.of_dataset * self.n_datasets, axis=1)
                for own, drawn in pairs
            ],
        }
        if target is not None:
            found["gap"] = [drawn @ np.maximum(0.0, target - own.values) for own, drawn in pairs]
        stacked = {name: np.stack(values, axis=-1) for name, values in found.items()}
        return stacked | {"improvement": self._improvement(weights, others)}

    def _improvement(self, weights: list[FloatArray], others: list[FloatArray]) -> FloatArray:
        k = len(weights)
        found = np.full((len(weights[0]), k, k), 0.5)
        firsts, seconds = (
            [own.by_dataset(drawn) for own, drawn in zip(self.algorithms, part, strict=True)]
            for part in (weights, others)
        )
        for (i, j), won in self.wins.items():
            gained = np.einsum("dbi,dbi->b", firsts[i] @ won, seconds[j])
            # shares of pairs are far apart: what is 0, 1/2 or 1 but for rounding is just that
            found[:, i, j] = np.round(gained * self.n_datasets, 12)
            found[:, j, i] = 1 - found[:, i, j]
        return found

    def above(self, weights: list[FloatArray], thresholds: FloatArray) -> FloatArray:
        """Return the shares of runs above thresholds, (resamples, algorithms, thresholds)."""
        shares: FloatArray = np.stack(
            [
                drawn @ (own.values[:, np.newaxis] > thresholds).astype(np.float64)
                for own, drawn in zip(self.algorithms, weights, strict=True)
            ],
            axis=1,
        )
        return shares


def _ranks(array: FloatArray, there: BoolArray, sizes: FloatArray) -> FloatArray:
    """Return ranks of all runs within each data set, by which they are compared; NaN for none."""
    ranks = np.full(array.shape, np.nan)
    for row, known in enumerate(there):
        ranks[row][known] = midranks(array[row][known], scale=sizes[row][known])
    return ranks


def _sorted(runs: FloatArray) -> _Algorithm:
    """Return the runs (n_datasets, n_runs) of an algorithm in ascending order."""
    there = ~np.isnan(runs)
    counts = there.sum(axis=1)
    dataset = np.repeat(np.arange(len(counts)), counts)
    values = runs[there]
    by_value = np.argsort(values, kind="stable")
    order = np.empty(len(values), dtype=np.int64)
    order[by_value] = np.arange(len(values))
    of_dataset = (dataset[by_value][:, np.newaxis] == np.arange(len(counts))).astype(np.float64)
    places = np.full(there.shape, len(values))
    places[there] = order
    by_cell = np.lexsort(runs.T[::-1])
    return _Algorithm(
        values[by_value], runs, dataset[by_value], of_dataset, order, counts, places, by_cell
    )


def _won(first: FloatArray, second: FloatArray) -> FloatArray:
    """Compare the ranks of runs, (n_datasets, n_runs), of two algorithms; 0 for no run."""
    difference = first[:, :, np.newaxis] - second[:, np.newaxis, :]
    won: FloatArray = np.nan_to_num((np.sign(difference) + 1) / 2)
    return won


def _middle_mean(own: _Algorithm, weights: FloatArray) -> FloatArray:
    """Return the mean without the lowest and the highest floor(N/4) of N runs, by weight."""
    n = len(own.values)
    cut = (n // 4) / n
    sums = np.clip(np.cumsum(weights, axis=1), cut, 1 - cut)
    kept = np.diff(sums, axis=1, prepend=cut)
    middle: FloatArray = kept @ own.values / (1 - 2 * cut)
    return middle


class RunningTimes(NamedTuple):
    """Expected running times, infinite without a success, and numbers of successes."""

    expected: FloatArray
    successes: IntArray


def expected_running_times(evaluations: FloatArray, budgets: FloatArray) -> RunningTimes:
    """Return the expected running time (ERT) of each target.

    It is the sum of the evaluations of all runs over the number of successes: those up to and
    including the hit of runs that are successful, and all evaluations that each other run had.
    Under restarts of independent runs, this estimates the expected time to the first success.

    Parameters
    ----------
    evaluations : ndarray of float, shape (n_problems, n_algorithms, n_runs, n_targets)
        Evaluations at the hit, infinite without one; NaN where there is no run.
    budgets : ndarray of float, shape (n_problems, n_algorithms, n_runs)
        Evaluations that each run had.

    Returns
    -------
    RunningTimes
        ``expected`` and ``successes``, shape (n_problems, n_algorithms, n_targets).

    References
    ----------
    Auger, A. and Hansen, N. (2005). Performance evaluation of an advanced local search
    evolutionary algorithm. IEEE Congress on Evolutionary Computation, 1777-1784.

    Examples
    --------
    Two runs hit at 140 and 230 evaluations, and stop; a third fails after 100,000:

    >>> hits = np.array([140.0, 230.0, np.inf]).reshape(1, 1, 3, 1)
    >>> budgets = np.array([140.0, 230.0, 100_000.0]).reshape(1, 1, 3)
    >>> expected_running_times(hits, budgets).expected.item()
    50185.0
    """
    reached = np.isfinite(evaluations)
    spent = np.where(reached, evaluations, budgets[..., np.newaxis])
    total = np.where(np.isnan(evaluations), 0.0, spent).sum(axis=2)
    successes = reached.sum(axis=2, dtype=np.int64)
    expected = np.full(total.shape, np.inf)
    np.divide(total, successes, out=expected, where=successes > 0)
    return RunningTimes(expected, successes)


class Steps(NamedTuple):
    """What happens in runs, by problem, algorithm and number of evaluations, in this order."""

    cells: IntArray  # shape (n_steps, 2): places of the problem and of the algorithm
    evaluations: FloatArray
    hits: IntArray
    ended: IntArray


def steps_of_runs(evaluations: FloatArray, ends: FloatArray) -> Steps:
    """Count the targets that runs first reach, and the runs that end, at each evaluation.

    Parameters
    ----------
    evaluations : ndarray of float, shape (n_problems, n_algorithms, n_runs, n_targets)
        Evaluations at the hit; infinite without one, NaN without a run.
    ends : ndarray of float, shape (n_problems, n_algorithms, n_runs)
        Evaluations at the end of a run that is counted as such; NaN for others.

    Returns
    -------
    Steps
        ``hits`` are pairs of a run and a target, ``ended`` runs.

    Examples
    --------
    >>> hits = np.array([30.0, np.inf, 50.0, 50.0]).reshape(1, 1, 2, 2)
    >>> steps = steps_of_runs(hits, np.array([[[90.0, np.nan]]]))
    >>> steps.evaluations.tolist(), steps.hits.tolist(), steps.ended.tolist()
    ([30.0, 50.0, 90.0], [1, 2, 0], [0, 0, 1])
    """
    there = [(at, np.nonzero(np.isfinite(at))) for at in (evaluations, ends)]
    found = [np.column_stack([*where[:2], at[where]]) for at, where in there]
    rows, place = np.unique(np.concatenate(found), axis=0, return_inverse=True)
    hits, ended = (
        np.bincount(part, minlength=len(rows))
        for part in np.split(place.reshape(-1), [len(found[0])])  # NumPy 2.0 has it in two axes
    )
    return Steps(rows[:, :2].astype(np.int64), rows[:, 2], hits, ended)


def restarted(evaluations: FloatArray, budgets: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Continue runs that missed a target by simulated restarts, as COCO does.

    After all evaluations of the run, runs are drawn with replacement and added up, those of a
    successful one up to the hit, until one is successful. The mean of such times is the expected
    running time.

    Parameters
    ----------
    evaluations : ndarray of float, shape (n_runs, n_targets)
        Evaluations at the hit of the runs of an algorithm on a problem; infinite without one.
    budgets : ndarray of float, shape (n_runs,)
        Evaluations that each run had.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    ndarray of float, shape (n_runs, n_targets)
        Evaluations at the hits, infinite only for targets that no run reached.

    References
    ----------
    Hansen, N., Auger, A., Brockhoff, D. and Tušar, T. (2022). Anytime performance assessment in
    blackbox optimization benchmarking. IEEE Transactions on Evolutionary Computation 26 (6),
    1293-1305.

    Examples
    --------
    >>> hits = np.array([[20.0], [np.inf]])
    >>> times = restarted(hits, np.array([20.0, 100.0]), np.random.default_rng(1))
    >>> times.ravel().tolist()
    [20.0, 120.0]
    """
    order = np.lexsort((*evaluations.T, budgets))  # draws belong to the runs, not their order
    found, hits, spent = evaluations.copy(), evaluations[order], budgets[order]
    for target in np.flatnonzero(np.isfinite(evaluations).any(axis=0)):
        succeeds = np.isfinite(hits[:, target])
        cost = np.where(succeeds, hits[:, target], spent)
        times = cost.copy()
        left = np.flatnonzero(~succeeds)
        while left.size:
            drawn = rng.integers(len(cost), size=left.size)
            times[left] += cost[drawn]
            left = left[~succeeds[drawn]]
        found[order, target] = times
    return found
