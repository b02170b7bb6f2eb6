"""Intervals of average ranks, and of differences by contrasts of medians; nothing is tested."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nbcompare._options import default
from nbcompare._progress import Progress
from nbcompare._render import Note
from nbcompare._validation import DataError
from nbcompare.analysis import _notes
from nbcompare.analysis.data import (
    FEWEST_RESAMPLED,
    Fill,
    called,
    in_order,
    of_frames,
    oriented_scores,
    result_of,
    too_few_to_resample,
    treated,
)
from nbcompare.analysis.scales import scales_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Contrast, Labelled, RankIntervals
from nbcompare.results.texts import note
from nbcompare.stats import contrast

_LEAST = 2


@of_frames
def rank_intervals(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    confidence: float = default("confidence"),
    missing: str = default("pairs.missing"),
    fill: Fill = default("fill"),
) -> RankIntervals:
    """Compute confidence intervals of the average ranks.

    The algorithms are ranked within each data set, as Friedman's test does. The interval of an
    algorithm is for the mean of its ranks on all data sets of the same kind: Student's, with two
    data sets added on which every rank is equally likely. :func:`nbcompare.plots.cd_diagram` draws
    the intervals.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms on at least 2 data sets.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    confidence : float, default 0.95
        Nominal coverage of each interval by itself.
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
        If there are fewer than 2 data sets or 2 algorithms, or if scores are missing or
        intervals.
    ValueError
        If an option is out of range.

    Notes
    -----
    In simulations with 5 to 50 data sets and 2 to 10 algorithms, normal, skewed and heavy-tailed
    scores, ties, equal and different algorithms, the 95 % intervals cover the true mean rank of
    each algorithm with a probability of at least 0.929.

    References
    ----------
    Student (1908); Agresti and Coull (1998). The ``references`` of the result give them in full.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.rank_intervals(nbc.datasets.load("demsar2006"))
    >>> result
    <RankIntervals: The average ranks, with 95 % intervals: C4.5+m+cf 1.93 (1.47 to 2.53), C4.5+m
    2.00 (1.63 to 2.50), C4.5+cf 2.93 (2.34 to 3.41) and C4.5 3.14 (2.47 to 3.65)>
    >>> result.to_frame().round(2)
       algorithm  average_rank  lower  upper
    0  C4.5+m+cf          1.93   1.47   2.53
    1     C4.5+m          2.00   1.63   2.50
    2    C4.5+cf          2.93   2.34   3.41
    3       C4.5          3.14   2.47   3.65
    """
    experiment, asked = called("rank_intervals", locals(), by_order=True)
    data, notes = treated(experiment, missing, fill, function="rank_intervals")
    scores, scale = oriented_scores(data)
    if data.n_datasets < _LEAST:
        raise DataError(
            f"`experiment` must hold at least {_LEAST} data sets for intervals of average ranks; "
            f"got {data.n_datasets}. Add data sets."
        )
    found = contrast.rank_intervals(scores, confidence=asked.confidence, scale=scale)
    averages, lower, upper = (
        Labelled(zip(data.algorithms, part.tolist(), strict=True)) for part in found
    )
    return result_of(
        RankIntervals,
        data,
        asked,
        given=experiment,
        average_ranks=averages,
        lower=lower,
        upper=upper,
        notes=(*notes, *_notes.of_experiment(data), note("intervals-single/ranks")),
    )


_NEED = "medians of differences over data sets need one scale"


@of_frames
def contrast_estimation(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    confidence: float = default("confidence"),
    n_resamples: int = default("n_resamples"),
    scale: str = default("scale"),
    rng: np.random.Generator | int | None = 0,
    missing: str = default("pairs.missing"),
    fill: Fill = default("fill"),
) -> Contrast:
    """Estimate the difference of any two algorithms by contrasts of medians, with intervals.

    For each algorithm, the medians of its differences from all algorithms are averaged; the
    estimated difference of two algorithms is the difference of these averages. The estimates
    are consistent: A minus C is A minus B plus B minus C. Confidence intervals come from
    resampling the data sets, if there are at least 6; else the result says why it has none.

    Raw differences of several data sets need one scale. If the data sets seem to be on several
    scales, there are no estimates, and the result says why and what would allow them.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms on at least 2 data sets.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    confidence : float, default 0.95
        Nominal coverage of each interval by itself.
    n_resamples : int, default 2000
        Number of resamples, at least 1.
    scale : {"auto", "one", "several"}
        Whether the scores of all data sets are on one scale. ``auto`` judges by their ranges, as
        in :func:`nbcompare.recommend`; ``one`` states it, so that differences are estimated.
    rng : None, int or numpy Generator, default 0
        Seed or source of the random numbers. The default gives the same intervals every
        time; None draws new ones.
    missing : {"raise", "drop-folds", "drop", "worst", "available"}
        What to do about missing scores, as in :func:`nbcompare.compare`.
    fill : float or str, optional
        The score of what failed, as in :func:`nbcompare.compare`.

    Returns
    -------
    Contrast
        The result, which displays itself. Estimates are in the units of the measure,
        positive where the row is better; None if they are ``withheld``.

    Raises
    ------
    DataError
        If scores are missing or intervals, or if there are fewer than 2 algorithms or data
        sets.
    ValueError
        If an option is out of range.

    Notes
    -----
    The intervals are percentile intervals. In simulations of algorithms that perform equally,
    intervals of confidence 0.95 covered the difference with probability 0.931 to 0.941 on 10
    data sets and 0.942 to 0.957 on 30: see
    :func:`nbcompare.stats.contrast.contrast_intervals`.

    References
    ----------
    Doksum, K. (1967). Robust procedures for some linear models with one observation per
    cell. Annals of Mathematical Statistics 38, 878-883.
    García, S., Fernández, A., Luengo, J. and Herrera, F. (2010). Advanced nonparametric
    tests for multiple comparisons in the design of experiments in computational
    intelligence and data mining. Information Sciences 180, 2044-2064.
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman and
    Hall.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.contrast_estimation(nbc.datasets.load("demsar2006"))
    >>> result
    <Contrast: C4.5+m+cf has the best estimate; the largest difference is that between C4.5+m+cf and
    C4.5, 0.0145 (95 % interval 0.0040 to 0.0283)>
    >>> result.to_matrix().round(5)
                  C4.5   C4.5+m  C4.5+cf  C4.5+m+cf
    C4.5       0.00000 -0.01025 -0.00375   -0.01450
    C4.5+m     0.01025  0.00000  0.00650   -0.00425
    C4.5+cf    0.00375 -0.00650  0.00000   -0.01075
    C4.5+m+cf  0.01450  0.00425  0.01075    0.00000
    """
    experiment, asked = called("contrast_estimation", locals())
    level, count = asked.confidence, asked.n_resamples
    data, left_out = treated(experiment, missing, fill, function="contrast_estimation")
    scales = scales_of(data, scale)
    scores, sizes = oriented_scores(data)
    scores = -scores  # an estimate is positive where the row is better
    n, k = scores.shape
    few = n < FEWEST_RESAMPLED
    intervals = None
    if scales.one and not few:
        order = in_order(data.datasets, *np.diff(np.sort(scores, axis=1)).T)
        sizes = None if sizes is None else sizes[order]
        with Progress("resamples", count) as bar:
            intervals = contrast.contrast_intervals(
                scores[order],
                confidence=level,
                n_resamples=count,
                rng=rng,
                scale=sizes,
                progress=bar.update,
            )
    return result_of(
        Contrast,
        data,
        asked,
        given=experiment,
        estimates=contrast.contrast_estimates(scores, scale=sizes) if scales.one else None,
        lower=None if intervals is None else intervals.lower,
        upper=None if intervals is None else intervals.upper,
        medians=contrast.median_differences(scores, scale=sizes) if scales.one else None,
        withheld="" if scales.one else f"{scales.several}, and {_NEED}. {scales.advice}".rstrip(),
        without_intervals=too_few_to_resample(n) if few and scales.one else "",
        notes=(
            *left_out,
            *_notes.of_experiment(data),
            *(() if intervals is None else _of_intervals(k, level)),
        ),
    )


def _of_intervals(k: int, confidence: float) -> Iterator[Note]:
    """Yield a note on the limits of the intervals."""
    if k > 2:
        yield note("intervals-single", percent=100 * confidence, m=k * (k - 1) // 2)
