"""Treatment of scores that are missing or incomplete, before an analysis."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from numbers import Real
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, mean_over
from nbcompare._options import MAXIMIZE
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_choice, did_you_mean, listed, named, shown
from nbcompare.analysis.rules import GAPS, State, check_rules, facts_of_scores
from nbcompare.experiment import Experiment
from nbcompare.results.texts import note
from nbcompare.words import TREATMENTS_OF

Fill = float | str | None
_MOST_NAMED = 10


def check_missing(missing: str, fill: Fill, function: str) -> None:
    """Raise an error if the function does not take the word, or ``fill`` does not go with it."""
    check_choice(missing, "missing", TREATMENTS_OF[function])
    if fill is not None and missing != "worst":
        raise ValueError(
            f"`fill` must be left out without missing='worst', whose scores it replaces; got "
            f"{shown(fill)} with missing={missing!r}."
        )


def treated(
    experiment: Experiment, missing: str, fill: Fill = None, *, function: str
) -> tuple[Experiment, tuple[Note, ...]]:
    """Return the experiment as ``missing`` says, and notes on what was done.

    Words that an analysis follows by itself (``skillings-mack``, ``interval``) change nothing.

    Parameters
    ----------
    experiment : Experiment
        The scores.
    missing : str
        One of the words that the function takes; :func:`check_missing` has checked it.
    fill : float or str, optional
        The score of what failed, or the algorithm whose score it gets, for ``worst``.
    function : str
        The function that treats the scores.

    Raises
    ------
    DataError
        If the word does not say what to do about the scores that are missing, or if too little is
        left.
    """
    baseline = _checked_fill(fill, experiment)
    if not experiment.losses.any:
        return experiment, ()
    check_rules(GAPS, State(missing=missing, **facts_of_scores(experiment, function)), "missing")
    if missing == "drop":
        return _without_datasets(experiment)
    if missing == "drop-folds":
        return _with_common_folds(experiment)
    if missing == "worst":
        return _filled(experiment, baseline)
    if missing == "available":
        names = [str(cell) for cell in experiment.incomplete]
        return experiment, (note("available", cells=named(names, most=3)),)
    return experiment, ()


def _checked_fill(fill: Any, experiment: Experiment) -> float | int | None:
    """Return the score, or the position of the algorithm, that replaces what failed."""
    if fill is None:
        return None
    if isinstance(fill, str):
        if fill in experiment.algorithms:
            return experiment.algorithms.index(fill)
    elif not isinstance(fill, bool) and isinstance(fill, Real) and np.isfinite(float(fill)):
        return float(fill)
    raise ValueError(
        f"`fill` must be a finite number or one of {listed(experiment.algorithms)}; got "
        f"{shown(fill)}.{did_you_mean(fill, experiment.algorithms)}"
    )


# ------------------------------------------------------------------------------ leaving out


def _without_datasets(experiment: Experiment) -> tuple[Experiment, tuple[Note, ...]]:
    """Leave out the data sets on which anything is missing; the folds, of a single data set."""
    losses = experiment.losses
    if experiment.n_datasets == 1:
        gaps = np.asarray((losses.folds | (losses.runs > 0))[0].any(axis=0))
        left_out = [name for name, gap in zip(experiment.folds, gaps, strict=True) if gap]
        whole = ~gaps[:, np.newaxis]
        low = np.where(whole, experiment.lower, np.nan)
        high = np.where(whole, experiment.upper, np.nan) if experiment.is_interval else low
        return experiment.with_scores(low, high), _left_out("fold", left_out, len(gaps))
    gaps = np.asarray((losses.folds | (losses.runs > 0)).any(axis=(1, 2)))
    kept = [name for name, gap in zip(experiment.datasets, gaps, strict=True) if not gap]
    dropped = [name for name, gap in zip(experiment.datasets, gaps, strict=True) if gap]
    return experiment.select(datasets=kept), _left_out("data set", dropped, len(gaps))


def _left_out(noun: str, names: Sequence[str], count: int) -> tuple[Note, ...]:
    told = listed(names, most=_MOST_NAMED)
    return (note("dropped", left=plural(len(names), noun), n=names, names=told, count=count),)


def _with_common_folds(experiment: Experiment) -> tuple[Experiment, tuple[Note, ...]]:
    """Keep the folds, and the labelled runs, that all algorithms have."""
    losses = experiment.losses
    lower, upper = experiment.by_run
    kept: BoolArray = ~np.asarray(losses.folds.any(axis=1, keepdims=True))[..., np.newaxis]
    if losses.struck is not None:
        kept = kept & ~losses.struck[:, np.newaxis]
    there = ~np.isnan(lower)
    stay = there & kept
    folds_before, folds_after = (np.asarray(each.any(axis=(1, 3))) for each in (there, stay))
    lost_runs = (there & ~stay & folds_after[:, np.newaxis, :, np.newaxis]).any(axis=1)
    what = [
        f"{' and '.join(plural(count, noun) for count, noun in counts if count)} of {name}"
        for name, *counts in zip(
            experiment.datasets,
            zip((folds_before & ~folds_after).sum(axis=1).tolist(), repeat("fold")),
            zip(lost_runs.sum(axis=(1, 2)).tolist(), repeat("run")),
            strict=True,
        )
        if any(count for count, _ in counts)
    ]
    low = np.where(stay, lower, np.nan)
    high = low if upper is lower else np.where(stay, upper, np.nan)
    return experiment.with_scores(low, high), (
        note("folds-dropped", what=named(what, most=_MOST_NAMED)),
    )


# --------------------------------------------------------------------------------- filling


def _filled(
    experiment: Experiment, baseline: float | int | None
) -> tuple[Experiment, tuple[Note, ...]]:
    """Give each lost fold and run the worst score of the data set, or that of the baseline."""
    lower, upper = experiment.by_run
    holes = _holes(experiment, lower)
    maximize = experiment.direction == MAXIMIZE
    if isinstance(baseline, int):
        ends = [_of_baseline(baseline, each) for each in (lower, upper)]
        source = f"the score of {experiment.algorithms[baseline]} in the same fold"
    elif baseline is not None:
        of_data_sets = np.where(experiment.is_turned, -baseline, baseline)
        ends = [np.broadcast_to(of_data_sets[:, np.newaxis, np.newaxis], lower.shape[:3])] * 2
        source = f"the score {baseline:g}"
    else:
        worst = np.nanmin(lower, axis=(1, 2, 3)) if maximize else np.nanmax(upper, axis=(1, 2, 3))
        ends = [np.broadcast_to(worst[:, np.newaxis, np.newaxis], lower.shape[:3])] * 2
        source = "the worst score of its data set"
    made = []
    for scores, end in zip((lower, upper), ends, strict=True):
        wide = np.full(holes.shape, np.nan)
        wide[..., : scores.shape[3]] = scores
        made.append(np.where(holes, end[..., np.newaxis], wide))
        if upper is lower:
            made *= 2
            break
    if np.isnan(made[0][holes]).any():
        d, a, f, _ = np.argwhere(holes & np.isnan(made[0]))[0].tolist()
        raise DataError(
            f"`fill` must be an algorithm with a score wherever others failed; "
            f"{shown(experiment.algorithms[int(baseline or 0)])} has none on "
            f"{shown(experiment.datasets[d])} in fold {shown(experiment.folds[f])}, where "
            f"{shown(experiment.algorithms[a])} has none either."
        )
    names = [
        *(
            f"{experiment.algorithms[a]} on {experiment.datasets[d]}"
            for d, a in np.argwhere(experiment.missing).tolist()
        ),
        *map(str, experiment.incomplete),
    ]
    told = note("worst", cells=named(names, most=_MOST_NAMED), source=source)
    return experiment.with_scores(*made), (told,)


def _holes(experiment: Experiment, lower: FloatArray) -> BoolArray:
    """Return where a score is put: for each lost run, and the usual runs of each lost fold."""
    losses = experiment.losses
    there = ~np.isnan(lower)
    if losses.struck is not None:
        used = np.asarray(there.any(axis=(0, 2)))[np.newaxis, :, np.newaxis]
        lost = (losses.struck[:, np.newaxis] & used & ~there) & (losses.runs > 0)[..., np.newaxis]
        lost |= losses.folds[..., np.newaxis] & used
    else:  # further runs follow those that are there
        counts = there.sum(axis=3)
        usual = counts.max(axis=(0, 2))[np.newaxis, :, np.newaxis]
        ends = counts + np.where(losses.folds, usual, losses.runs)
        place = np.arange(max(lower.shape[3], int(ends.max())))
        lost = (place >= counts[..., np.newaxis]) & (place < ends[..., np.newaxis])
    return np.asarray(lost, dtype=np.bool_)


def _of_baseline(position: int, scores: FloatArray) -> FloatArray:
    """Return the mean score of the baseline in each fold, for every algorithm."""
    means = mean_over(scores[:, position])[:, np.newaxis]
    return np.broadcast_to(means, scores.shape[:3])
