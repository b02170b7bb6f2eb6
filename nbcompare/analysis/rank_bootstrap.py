"""Intervals of average ranks: how far they would move with other data sets of the same kind."""

from __future__ import annotations

import numpy as np

from nbcompare._options import default
from nbcompare._render import Note
from nbcompare._validation import DataError, check_count, check_probability
from nbcompare.analysis import _notes
from nbcompare.analysis._data import (
    FEWEST_RESAMPLED,
    check_experiment,
    design_of,
    oriented_scores,
    seed_of,
    too_few_to_resample,
)
from nbcompare.analysis._missing import Fill, check_missing, treated
from nbcompare.analysis.frames import of_frames
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Labelled, RankIntervals
from nbcompare.stats import rank_bootstrap

_SINGLE = Note(
    "intervals-single",
    "Each interval holds by itself. Intervals that overlap do not mean that two algorithms "
    "perform equally, and the test of a pair is not whether their intervals overlap: the ranks "
    "of two algorithms depend on each other.",
)


@of_frames
def rank_intervals(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    confidence: float = default("confidence"),
    n_resamples: int = default("n_resamples"),
    rng: np.random.Generator | int | None = 0,
    missing: str = default("pairs.missing"),
    fill: Fill = default("fill"),
) -> RankIntervals:
    """Compute intervals of the average ranks, by resampling the data sets.

    The algorithms are ranked within each data set, as Friedman's test does. The data sets are
    drawn with replacement, and the interval of an algorithm holds the middle part of its average
    ranks. :func:`nbcompare.plots.cd_diagram` draws the intervals.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms on at least 6 data sets.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    confidence : float, default 0.95
        Nominal coverage of each interval by itself.
    n_resamples : int, default 2000
        Number of resamples, at least 1.
    rng : None, int or numpy Generator, default 0
        Seed or source of the random numbers. The default gives the same intervals every
        time; None draws new ones.
    missing : {"raise", "drop-folds", "drop", "worst", "available"}
        What to do about missing scores, as in :func:`nbcompare.compare`.
    fill : float or str, optional
        The score of what failed, as in :func:`nbcompare.compare`.

    Returns
    -------
    RankIntervals
        The result, which displays itself.

    Raises
    ------
    DataError
        If there are fewer than 6 data sets or 2 algorithms, or if scores are missing or
        intervals.
    ValueError
        If an option is out of range.

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman and
    Hall.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.rank_intervals(nbc.datasets.load("demsar2006"))
    >>> result
    <RankIntervals: 4 algorithms, 14 data sets, 95 % intervals, best 'C4.5+m+cf'>
    >>> result.to_frame().round(2)
       algorithm  average_rank  lower  upper
    0  C4.5+m+cf          1.93   1.46   2.43
    1     C4.5+m          2.00   1.61   2.36
    2    C4.5+cf          2.93   2.43   3.39
    3       C4.5          3.14   2.57   3.64
    """
    experiment = check_experiment(experiment, direction, by_order=True)
    check_missing(missing, fill, "rank_intervals")
    level = check_probability(confidence, "confidence")
    count = check_count(n_resamples, "n_resamples", least=1)
    data, notes = treated(experiment, missing, fill, function="rank_intervals")
    scores, scale = oriented_scores(data)
    if data.n_datasets < FEWEST_RESAMPLED:
        raise DataError(
            f"`experiment` must hold at least {FEWEST_RESAMPLED} data sets for intervals of "
            f"average ranks; got {data.n_datasets}. {too_few_to_resample(data.n_datasets)} Add "
            "data sets, or use compare(experiment), whose tests are exact for few data sets."
        )
    found = rank_bootstrap.rank_intervals(
        scores, confidence=level, n_resamples=count, rng=rng, scale=scale
    )
    averages, lower, upper = (
        Labelled(zip(data.algorithms, part.tolist(), strict=True)) for part in found
    )
    options = {"confidence": level, "n_resamples": count, "rng": seed_of(rng)}
    return RankIntervals(
        average_ranks=averages,
        lower=lower,
        upper=upper,
        confidence=level,
        n_resamples=count,
        missing=missing,
        notes=(*notes, *_notes.of_experiment(data), _SINGLE),
        design=design_of(data, options | {"missing": missing, "fill": fill}, given=experiment),
    )
