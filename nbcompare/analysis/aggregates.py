"""Aggregate the runs of algorithms over data sets, as reinforcement learning reports them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray, mean_over
from nbcompare._options import AUTO, MAXIMIZE, MINIMIZE, default
from nbcompare._progress import Progress
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_name, listed, named, shown
from nbcompare.analysis import _notes
from nbcompare.analysis.data import (
    Fill,
    called,
    check_several_algorithms,
    check_size,
    in_order,
    of_frames,
    refuse_intervals,
    result_of,
    treated,
)
from nbcompare.analysis.scales import scales_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Estimates, Labelled, Profiles, RunAggregates
from nbcompare.results.texts import note
from nbcompare.stats import aggregates as stats
from nbcompare.stats.permutation import generator
from nbcompare.words import COVERAGE_OF_FEW, MEASURED_COVERAGE

Baseline = Sequence[str] | Mapping[str, tuple[float, float]] | None


@dataclass(frozen=True, eq=False)
class References:
    """The scores on each data set that become 0 and 1.

    Attributes
    ----------
    low, high : ndarray of float, shape (n_datasets,)
        As the experiment holds scores: negated where the data set has the other direction.
    names : tuple of str
        The two algorithms, if they are the references.
    """

    low: FloatArray
    high: FloatArray
    names: tuple[str, ...] = ()

    def normalized(self, runs: FloatArray) -> FloatArray:
        """Return runs, by data set, so that higher is better: 0 at the low one, 1 at the high."""
        low, high = (part[:, np.newaxis, np.newaxis] for part in (self.low, self.high))
        return np.asarray((runs - low) / (high - low))

    def magnitude(self, sizes: FloatArray) -> FloatArray:
        """Return the magnitude of normalised scores, from that of scores by data set."""
        largest = sizes + np.abs(self.low)[:, np.newaxis, np.newaxis]
        return np.asarray(largest / np.abs(self.high - self.low)[:, np.newaxis, np.newaxis])

    def given(self, data: Experiment) -> tuple[Labelled[float], Labelled[float]]:
        """Return the two by data set, in units of the measure."""
        signs = np.where(data.is_turned, -1.0, 1.0)
        low, high = (
            Labelled(zip(data.datasets, (signs * part + 0.0).tolist(), strict=True))
            for part in (self.low, self.high)
        )
        return low, high


def references_of(baseline: Any, data: Experiment, given: Experiment) -> References | None:
    """Return the references of the data sets, or None without a baseline.

    ``given`` is the experiment before data sets were left out, on which numbers may be given.
    """
    if baseline is None:
        return None
    if _are_names(baseline):
        found = _of_algorithms(baseline, data)
    else:
        rows = _numbers(baseline, given)
        if missing := [name for name in data.datasets if name not in rows]:
            raise ValueError(
                f"`baseline` must have two numbers for every data set; it lacks {listed(missing)}. "
                "Add them, or leave out data sets with experiment.select(datasets=...)."
            )
        signs = np.where(data.is_turned, -1.0, 1.0)
        ends = np.array([rows[name] for name in data.datasets]).T * signs
        found = References(ends[0], ends[1])
    _check_apart(found, data)
    return found


def recorded(baseline: Any, data: Experiment) -> tuple[Any, ...] | None:
    """Return a baseline as a result records it: two names, or rows of data set, low and high."""
    if baseline is None:
        return None
    if _are_names(baseline):
        return tuple(baseline)
    return tuple((name, *ends) for name, ends in _numbers(baseline, data).items())


def of_baseline(found: References | None) -> Iterator[Note]:
    """Yield a note that means of two algorithms are taken as exact."""
    if found is not None and found.names:
        low, high = found.names
        yield note("baseline", low=low, high=high)


def _are_names(baseline: Any) -> bool:
    if isinstance(baseline, str | Mapping) or not isinstance(baseline, Sequence):
        return False
    return all(isinstance(name, str) for name in baseline)


def _of_algorithms(baseline: Sequence[str], data: Experiment) -> References:
    names = tuple(baseline)
    if len(names) != 2 or len(set(names)) != 2:
        raise ValueError(f"`baseline` must be two different algorithms; got {shown(names)}.")
    for name in names:
        check_name(name, "baseline", data.algorithms)
    low, high = (data.mean_scores[:, data.algorithms.index(name)] for name in names)
    return References(low, high, names)


def _numbers(baseline: Any, data: Experiment) -> dict[str, tuple[float, float]]:
    """Return two numbers by data set, of a mapping or of rows with a data set and two numbers."""
    rows = (
        [(name, *np.atleast_1d(ends)) for name, ends in baseline.items()]
        if isinstance(baseline, Mapping)
        else baseline
    )
    if isinstance(rows, Sequence) and len(rows) == 3 and isinstance(rows[0], str):
        rows = [rows]  # of one data set
    if (
        not isinstance(rows, Sequence)
        or isinstance(rows, str)
        or not all(
            isinstance(row, Sequence) and len(row) == 3 and all(map(_is_number, row[1:]))
            for row in rows
        )
    ):
        raise ValueError(
            "`baseline` must be two algorithms, a low and a high reference, as in "
            "['random', 'human'], or two finite numbers for each data set, as in "
            f"{{'iris': (0.33, 0.97)}}; got {shown(baseline)}."
        )
    for name, *_ in rows:
        check_name(name, "baseline", data.datasets)
    return {name: (float(low), float(high)) for name, low, high in rows}


def _is_number(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)


def _check_apart(found: References, data: Experiment) -> None:
    """Refuse references of which the high one is not better on some data set."""
    lead = found.high - found.low if data.direction == MAXIMIZE else found.low - found.high
    noise = NOISE * np.maximum(np.abs(found.low), np.abs(found.high))
    worse = np.flatnonzero(~(lead > noise))
    if not len(worse):
        return
    place = int(worse[0])
    name = data.datasets[place]
    low, high = (part[name] for part in found.given(data))
    who = ("the low reference", "the high reference")
    if found.names:
        who = (shown(found.names[0]), shown(found.names[1]))
    more = f", and on {len(worse) - 1} more" if len(worse) > 1 else ""
    raise DataError(
        f"`baseline` must have a high reference that is better than the low one on every data set; "
        f"on {shown(name)}{more}, {who[1]} has {high:g} and {who[0]} {low:g}. Take other "
        "references, or leave out such data sets with experiment.select(datasets=...)."
    )


@of_frames
def aggregate_runs(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    baseline: Baseline = default("baseline"),
    target: float | None = default("target"),
    scale: str = default("scale"),
    confidence: float = default("confidence"),
    n_resamples: int = default("aggregates.n_resamples"),
    rng: np.random.Generator | int | None = default("bayesian.rng"),
    missing: str = default("aggregates.missing"),
    fill: Fill = default("fill"),
) -> RunAggregates:
    r"""Aggregate repeated runs over data sets, with stratified bootstrap intervals.

    The interquartile mean, mean and median of the runs say how large a typical score is. The
    probability of improvement says how often a run of one algorithm is better than a run of
    another on the same data set. Performance profiles show the share of runs beyond each score.
    The intervals are about the noise of the runs on these data sets: no test is made, and nothing
    is said about other data sets; for that, see :func:`nbcompare.compare_stochastic`.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms with repeated runs. With folds, a run's score on a data set is its
        mean over the folds. An algorithm with one run per data set counts as deterministic.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    baseline : pair of str, or mapping of str to pair of float, optional
        A low and a high reference, the latter better on every data set: two algorithms, whose
        means on each data set count, or two numbers by data set (also as rows of a data set and
        two numbers). Scores x are normalised to (x - low) / (high - low), so that higher is better.
    target : float, optional
        Score from which a run lacks nothing, in units of the measure, or normalised if there is a
        baseline (1 by default then). Without a target there is no optimality gap.
    scale : {"auto", "one", "several"}
        Whether the scores of all data sets are on one scale, so that they may be pooled. ``auto``
        judges by their ranges, as in :func:`nbcompare.recommend`; the other words state it.
        Scores that are normalised by a baseline are pooled in any case. If they are not pooled,
        there are only probabilities of improvement, which need no common scale.
    confidence : float, default 0.95
        Nominal coverage of each interval by itself.
    n_resamples : int, default 2000
        Number of resamples of the runs.
    rng : None, int or numpy Generator, default 0
        Seed or source of the random numbers. The default gives the same intervals every time;
        None draws new ones.
    missing : {"raise", "drop-folds", "drop", "worst", "available"}
        What to do about missing scores, as in :func:`nbcompare.compare`.
    fill : float or str, optional
        The score of what failed, as in :func:`nbcompare.compare`.

    Returns
    -------
    RunAggregates
        The result, which displays itself; see also its ``sentences`` and ``to_frame()``.
        :func:`nbcompare.plots.interval_estimates` shows the aggregates,
        :func:`nbcompare.plots.improvement_matrix` the probabilities of improvement.

    Raises
    ------
    DataError
        If no algorithm has repeated runs, if scores are missing or intervals, if there are fewer
        than 2 algorithms, or if the high reference is not better than the low one.
    ValueError
        If an option is out of range.

    Notes
    -----
    Data sets count equally, however many runs they have, and so do pairs of runs in the
    probability of improvement, where ties count half. The interquartile mean leaves out the
    floor(N/4) lowest and highest of all N runs. The median is that of the data sets' means. The
    optimality gap is the mean of :math:`\max(0, \gamma - x)` with the target :math:`\gamma`.

    The intervals are percentiles of a bootstrap that draws the runs of each algorithm within each
    data set from all but one of them, at levels that Student's law widens, so that they are right
    for few runs, too (Hesterberg 2015). They depend on the scores of the algorithm (or, for an
    improvement, of the two) alone: not on the order of the table, nor on other algorithms. With
    fewer than 5 runs a note says how often they held what they should in simulations.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. and Bellemare, M. G. (2021). Deep
    reinforcement learning at the edge of the statistical precipice. Advances in Neural
    Information Processing Systems 34, 29304-29320.

    Hesterberg, T. C. (2015). What teachers should know about the bootstrap: resampling in the
    undergraduate statistics curriculum. The American Statistician 69 (4), 371-386.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.aggregate_runs(nbc.datasets.load("stochastic_cv"))
    >>> result
    <RunAggregates: The interquartile means of all runs are, best first (error, lower is better, 95
    % intervals): 5-NN 0.0766, random forest 0.0843 (0.0829 to 0.0856), neural network 0.1205
    (0.1163 to 0.1251), random tree 0.1544 (0.1515 to 0.1573) and LDA 0.2193>
    >>> print(result.sentences[1])
    A run of 5-NN is better than one of any other algorithm on the same data set with probability
    0.62 or more; the least is that against neural network (95 % interval 0.59 to 0.65).
    >>> result.to_frame().head(2).round(3)
           algorithm           aggregate  estimate  lower  upper
    0           5-NN  interquartile-mean     0.077  0.077  0.077
    1  random forest  interquartile-mean     0.084  0.083  0.086
    """
    given, asked = called("aggregate_runs", locals())
    asked["target"] = _checked_target(target)
    check_kind(given)
    asked["baseline"] = recorded(baseline, given)
    scales_of(given, scale)  # refuses another word
    data, treatment = treated(given, missing, fill, function="aggregate_runs")
    runs = runs_of(data)
    references = references_of(baseline, data, given)
    withheld = "" if references else why_withheld(data, scale)
    level, count, source, aim = asked.confidence, asked.n_resamples, generator(rng), asked.target
    if references is not None and aim is None:
        aim = 1.0
    if withheld and aim is not None:
        raise ValueError(f"`target` must be left out here; got {shown(target)}. {withheld}")
    if references is not None:
        gains, sizes = references.normalized(runs.values), references.magnitude(runs.sizes)
    else:
        gains, sizes = (runs.values if data.direction == MAXIMIZE else -runs.values), runs.sizes
    # of data sets with the same scores, draws belong to the first by label
    order = in_order(data.datasets)
    gains, sizes = gains[order], sizes[order]
    is_low = references is None and data.direction == MINIMIZE
    with Progress("resamples", count) as bar:
        found = stats.aggregate(
            gains,
            target=None if aim is None else -aim if is_low else aim,
            confidence=level,
            n_resamples=count,
            rng=source,
            scale=sizes,
            progress=bar.update,
        )
    profiles = None
    if not withheld:
        profiles = _profiles(gains, sizes, level, count, source, is_low=is_low)
    pooled = {
        name: None if withheld else _turned(part, is_low=is_low)
        for name, part in (
            ("interquartile_mean", found.interquartile_mean),
            ("mean", found.mean),
            ("median", found.median),
        )
    }
    low, high = (None, None) if references is None else references.given(data)
    return result_of(
        RunAggregates,
        data,
        asked,
        given=given,
        **pooled,
        optimality_gap=None if found.gap is None else _turned(found.gap, is_low=False),
        improvement=_turned(found.improvement, is_low=False),
        profiles=profiles,
        baseline=() if references is None else references.names,
        low=low,
        high=high,
        target=aim,
        withheld=withheld,
        n_runs=Labelled(zip(data.algorithms, runs.fewest.tolist(), strict=True)),
        notes=(
            *treatment,
            *notes_of_runs(data, runs, level),
            *of_baseline(references),
            *notes_of_pairs(data, found.apart, level),
        ),
    )


def _checked_target(target: object) -> float | None:
    if target is None:
        return None
    if not isinstance(target, bool) and isinstance(target, Real) and math.isfinite(target):
        return float(target)
    raise ValueError(f"`target` must be a finite number; got {shown(target)}.")


def _turned(part: stats.Estimates, *, is_low: bool) -> Estimates:
    """Return estimates of gains, or of the scores of which less is better that they stand for."""
    ends = (part.lower, part.upper)
    if not is_low:
        estimate, lower, upper = (each + 0.0 for each in (part.estimate, *ends))
    else:
        estimate, upper, lower = (0.0 - each for each in (part.estimate, *ends))
    return Estimates(estimate=estimate, lower=lower, upper=upper)


def _profiles(
    gains: FloatArray,
    sizes: FloatArray,
    confidence: float,
    count: int,
    source: np.random.Generator,
    *,
    is_low: bool,
) -> Profiles:
    at = thresholds(gains, sizes)
    found = stats.profiles(gains, at, confidence=confidence, n_resamples=count, rng=source)
    share, lower, upper = found.estimate, found.lower, found.upper
    if is_low:
        at, share, lower, upper = -at[::-1] + 0.0, share[:, ::-1], lower[:, ::-1], upper[:, ::-1]
    return Profiles(thresholds=at, share=share, lower=lower, upper=upper)


_ENOUGH = 5  # runs from which the intervals hold about what they should
_MOST_THRESHOLDS = 100
_BASELINE = (
    "A baseline puts them on one scale: the option baseline takes two algorithms, a low and a high "
    "reference, between which scores are normalised."
)


class Runs(NamedTuple):
    """Scores of runs by data set and algorithm, as the experiment holds them.

    Attributes
    ----------
    values : ndarray of float, shape (n_datasets, n_algorithms, n_runs)
        Means over the folds; NaN where an algorithm has fewer runs than others.
    sizes : ndarray of float, shape (n_datasets, 1, 1)
        Magnitude of the scores of a data set.
    fewest : ndarray of int, shape (n_algorithms,)
        Fewest runs of an algorithm on a data set.
    most : ndarray of int, the same shape
        Most runs of it on a data set.
    n_cut : int
        Number of data sets of which some run is not there on every fold, and is left out.
    """

    values: FloatArray
    sizes: FloatArray
    fewest: IntArray
    most: IntArray
    n_cut: int


def check_kind(experiment: Experiment) -> None:
    """Refuse an experiment without repeated runs, of one algorithm, or of intervals."""
    refuse_intervals(experiment)
    check_several_algorithms(experiment)
    if experiment.n_runs == 1:
        folds = ""
        if experiment.n_folds > 1:
            folds = (
                f" The {experiment.n_folds} folds of a data set are not runs: if they are repeated "
                "runs all the same, name their column with run=... when the scores are read."
            )
        raise DataError(
            "`experiment` must hold repeated runs, such as those with several random seeds; got "
            f"one run of each algorithm.{folds} compare(experiment) compares algorithms by one "
            "score per data set."
        )
    check_size(experiment.lower, "experiment")


def runs_of(experiment: Experiment) -> Runs:
    """Return the scores of the runs of each data set, as means over its folds."""
    scores = experiment.scores
    counts = (~np.isnan(scores)).sum(axis=3)  # runs of each fold
    there = counts > 0
    whole = np.where(there, counts, scores.shape[3] + 1).min(axis=2)
    is_cut = (np.where(there, counts, 0).max(axis=2) > whole).any(axis=1)
    values = mean_over(np.moveaxis(scores, 2, 3))
    values = np.where(np.arange(scores.shape[3]) < whole[..., np.newaxis], values, np.nan)
    sizes = np.nan_to_num(np.abs(scores)).max(axis=(1, 2, 3))[:, np.newaxis, np.newaxis]
    return Runs(values, sizes, whole.min(axis=0), whole.max(axis=0), int(is_cut.sum()))


def why_withheld(experiment: Experiment, scale: str) -> str:
    """Say why scores of different data sets are not pooled; nothing if they are."""
    scales = scales_of(experiment, scale)
    if experiment.turned and scale == AUTO:
        return (
            "Higher scores are better on some data sets and lower ones on others, so that scores "
            f"of different data sets are not pooled. {_BASELINE}"
        )
    if scales.one:
        return ""
    stated = f" {scales.advice}".rstrip()
    return f"{scales.several}, and are not pooled. {_BASELINE}{stated}"


def thresholds(gains: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return scores between those of runs, and beyond them, as many as a figure needs.

    No run has such a score, so that it does not matter whether a run that equals a threshold is
    beyond it. If there are too many, they are quantiles.
    """
    known = ~np.isnan(gains)
    values = gains[known]
    order = np.argsort(values, kind="stable")
    noise = NOISE * np.broadcast_to(sizes, gains.shape)[known][order]
    ordered = values[order]
    apart = np.diff(ordered) > np.maximum(noise[1:], noise[:-1])
    between = (ordered[:-1] / 2 + ordered[1:] / 2)[apart]
    edge = 0.02 * (ordered[-1] - ordered[0]) or max(0.02 * abs(ordered[0]), 1e-3)
    if len(between) > _MOST_THRESHOLDS:
        places = np.linspace(0, len(between) - 1, _MOST_THRESHOLDS)
        between = between[np.rint(places).astype(np.int64)]
    return np.concatenate([[ordered[0] - edge], between, [ordered[-1] + edge]])


# -------------------------------------------------------------------------------- notes


def notes_of_runs(experiment: Experiment, runs: Runs, confidence: float) -> Iterator[Note]:
    """Yield notes on how many runs there are, and on how they are used."""
    names = experiment.algorithms
    single = [name for name, most in zip(names, runs.most, strict=True) if most == 1]
    if not {*experiment.fewer_runs} <= {*single}:
        yield from _notes.of_fewer_runs(experiment)
    yield from _notes.of_turned(experiment)
    if experiment.n_folds > 1:
        yield note("folds-averaged", folds=plural(experiment.n_folds, "fold", experiment.fewest[0]))
    if runs.n_cut:
        yield note("cut-runs", runs=runs)
    if single:
        yield note("deterministic/aggregates", names=named(single), single=single)
    repeated = runs.fewest[runs.most > 1]
    if len(repeated):
        yield from _few_runs(int(repeated.min()), confidence)


def _few_runs(least: int, confidence: float) -> Iterator[Note]:
    """Yield a note on intervals of fewer runs than they need."""
    if least >= _ENOUGH:
        return
    *measured, last = (f"{share:.2f} with {n}" for n, share in MEASURED_COVERAGE.items())
    told = (
        "In simulations, intervals of nominal coverage 0.95 contained the true aggregate with "
        f"probability {', '.join(measured)} and {last} runs (the least of several aggregates and "
        f"distributions; on 1 to 5 data sets, {COVERAGE_OF_FEW:.2f})."
    )
    yield note("few-runs", least=least, percent=100 * confidence, told=told)


def notes_of_pairs(experiment: Experiment, apart: BoolArray, confidence: float) -> Iterator[Note]:
    """Yield notes on what the intervals mean, and on those without width."""
    if fixed := int(np.triu(apart, k=1).sum()):
        tail = f"{100 * (1 - confidence) / 2:.3g} %"
        yield note("always-better", fixed=fixed, tail=tail)
    m = experiment.n_algorithms * (experiment.n_algorithms - 1) // 2
    alone = ""
    if m > 1:
        alone = (
            f" Each holds by itself at {100 * confidence:g} %: of {m} pairs, some may well miss "
            "the true probability."
        )
    yield note("these-datasets", n=experiment.n_datasets, alone=alone)
