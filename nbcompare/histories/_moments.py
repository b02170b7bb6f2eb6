"""Values of the runs at one number of evaluations, as an experiment."""

from __future__ import annotations

import numpy as np

from nbcompare._arrays import IntArray
from nbcompare._options import OPTIONS
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_positive
from nbcompare.experiment import Experiment
from nbcompare.histories._values import SLACK, Names, Values, evaluations_text


def at(histories: Values, evaluations: float, early: str) -> Experiment:
    """Return the best value of every run at so many evaluations."""
    number = check_positive(evaluations, "evaluations")
    OPTIONS["early"].check(early, "early")
    names = Names(histories.problems, histories.algorithms)
    wanted = number * SLACK
    short = histories.budgets * SLACK < number
    if short.any() and early == "raise":
        p = int(np.argmax(short))
        raise DataError(
            f"{_first_run(histories, names, p)} ends at evaluation "
            f"{evaluations_text(histories.budgets[p])}, before {evaluations_text(number)}; "
            f"so do all runs on {plural(int(short.sum()), 'problem')}. Take at most "
            f"{evaluations_text(histories.budgets.min())} evaluations, or pass early='carry' to "
            "let the last values stand."
        )
    late = histories.evaluations[:, 0] > wanted
    if late.any():
        p = int(np.argmax(late))
        raise DataError(
            f"{_first_run(histories, names, p)} has no value by evaluation "
            f"{evaluations_text(number)}: the first that is recorded is at "
            f"{evaluations_text(histories.evaluations[p, 0])}. Take at least "
            f"{evaluations_text(histories.evaluations[:, 0].max())} evaluations, or pass more "
            "n_points= when the histories are read."
        )
    place = [int(np.searchsorted(row, wanted, "right")) - 1 for row in histories.evaluations]
    lower = histories.values[np.arange(len(place)), :, :, place][:, :, np.newaxis]
    measure = histories.measure or "best value"
    return Experiment(
        lower=lower,
        upper=lower,
        datasets=histories.problems,
        algorithms=histories.algorithms,
        folds=("1",),
        direction=histories.direction,
        measure=f"{measure} after {evaluations_text(number)} evaluations",
        citation=histories.citation,
        notes=(*histories.notes, *_of_points(histories, np.array(place), number, short.sum())),
    )


def _first_run(histories: Values, names: Names, problem: int) -> str:
    algorithm = int(np.argmax(histories.n_runs[problem] > 0))
    return names.run(problem, algorithm, 1)


def _of_points(histories: Values, place: IntArray, number: float, n_short: int) -> list[Note]:
    """Return notes on values that were recorded before, or carried forward."""
    found = []
    used = histories.evaluations[np.arange(len(place)), place]
    early = used < np.minimum(number, histories.budgets) / SLACK
    if early.any():
        found.append(
            Note(
                "recorded-before",
                f"On {plural(int(early.sum()), 'problem')} nothing was recorded at "
                f"{evaluations_text(number)} evaluations; the last value before it stands, which "
                f"is at {evaluations_text(used[early].min())} or later.",
            )
        )
    if n_short:
        found.append(
            Note(
                "carried",
                f"On {plural(int(n_short), 'problem')} the runs ended before "
                f"{evaluations_text(number)} evaluations; their last values stand.",
            )
        )
    return found
