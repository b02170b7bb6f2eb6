"""One value for every run, as an experiment: that at a number of evaluations, or the mean."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import OPTIONS
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_positive, shown
from nbcompare.experiment import Experiment
from nbcompare.histories._values import SLACK, Names, Values, evaluations_text


def at(histories: Values, evaluations: float, early: str) -> Experiment:
    """Return the value of every run at so many evaluations."""
    number = check_positive(evaluations, "evaluations")
    OPTIONS["early"].check(early, "early")
    short = histories.budgets * SLACK < number
    if short.any() and early == "raise":
        p = int(np.argmax(short))
        raise DataError(
            f"values on problem {shown(histories.problems[p])} end at evaluation "
            f"{evaluations_text(histories.budgets[p])}, before {evaluations_text(number)}; "
            f"so they do on {plural(int(short.sum()), 'problem')}. Take at most "
            f"{evaluations_text(histories.budgets.min())} evaluations, or pass early='carry' to "
            "let the last values stand."
        )
    events, names = histories.events, Names(histories.problems, histories.algorithms)
    firsts = {place: float(events.run(*place)[0][0]) for place in events.places}
    for place, first in firsts.items():
        if first > number * SLACK:
            raise DataError(
                f"{names.run_at(*place)} has no value by evaluation {evaluations_text(number)}: "
                f"the first that is recorded is at {evaluations_text(first)}. Take at least "
                f"{evaluations_text(max(firsts.values()))} evaluations."
            )
    wanted = np.minimum(number, histories.budgets)[:, np.newaxis]
    scores = events.at(wanted)[..., 0]
    notes = _of_points(histories, number, short.sum())
    return _experiment(
        histories, scores, f"{{}} after {evaluations_text(number)} evaluations", notes
    )


def area(histories: Values) -> Experiment:
    """Return the mean of every run over evaluations, by the trapezoid rule."""
    if histories.n_points < 2:
        raise DataError("an area needs at least 2 points; these histories have 1.")
    points = histories.evaluations
    shares = np.diff(points) / (points[:, -1:] - points[:, :1])
    # a point counts half of the stretch before it and half of that after it
    weights = (np.pad(shares, ((0, 0), (1, 0))) + np.pad(shares, ((0, 0), (0, 1)))) / 2
    scores = np.einsum("parj,pj->par", histories.values, weights)
    first, last = evaluations_text(points[:, 0].max()), evaluations_text(points[:, -1].min())
    same = bool((points[:, [0, -1]] == points[0, [0, -1]]).all())
    span = f" from {first} to {last} evaluations" if same else " over the evaluations"
    return _experiment(histories, scores, f"mean {{}}{span}")


def _experiment(
    histories: Values, scores: FloatArray, measure: str, notes: Iterable[Note] = ()
) -> Experiment:
    """Return an experiment with a score for each problem, algorithm and run."""
    lower = scores[:, :, np.newaxis]
    return Experiment(
        lower=lower,
        upper=lower,
        datasets=histories.problems,
        algorithms=histories.algorithms,
        folds=("1",),
        direction=histories.direction,
        measure=measure.format(
            histories.measure or ("value" if histories.is_raw else "best value")
        ),
        citation=histories.citation,
        notes=(*histories.notes, *notes),
    )


def _of_points(histories: Values, number: float, n_short: int) -> list[Note]:
    """Return notes on values that were recorded before, or carried forward."""
    texts = {}
    points = histories.evaluations
    used = np.where(points <= number * SLACK, points, 0.0).max(axis=1)
    # between events that all runs share, values may have improved
    early = (used < np.minimum(number, histories.budgets) / SLACK) & (histories.logged is None)
    if early.any():
        texts["recorded-before"] = (
            f"On {plural(int(early.sum()), 'problem')} nothing was recorded at "
            f"{evaluations_text(number)} evaluations; the last value before it stands, which "
            f"is at {evaluations_text(used[early].min())} or later."
        )
    if n_short:
        texts["carried"] = (
            f"On {plural(int(n_short), 'problem')} the runs ended before "
            f"{evaluations_text(number)} evaluations; their last values stand."
        )
    return [Note(code, text) for code, text in texts.items()]
