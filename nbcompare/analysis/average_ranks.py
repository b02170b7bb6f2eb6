"""Intervals of average ranks: how far they would move with other data sets of the same kind."""

from __future__ import annotations

from nbcompare._options import default
from nbcompare._render import Note
from nbcompare._validation import DataError
from nbcompare.analysis import _notes
from nbcompare.analysis._data import oriented_scores
from nbcompare.analysis._missing import Fill, treated
from nbcompare.analysis.frames import called, of_frames, result_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Labelled, RankIntervals
from nbcompare.stats import rank_intervals as stats

_LEAST = 2
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
    <RankIntervals: 4 algorithms, 14 data sets, 95 % intervals, best 'C4.5+m+cf'>
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
    found = stats.rank_intervals(scores, confidence=asked.confidence, scale=scale)
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
        notes=(*notes, *_notes.of_experiment(data), _SINGLE),
    )
