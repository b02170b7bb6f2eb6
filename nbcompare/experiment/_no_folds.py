"""What the labels of a level hold that is neither folds nor runs, and must not be averaged.

The mean and the standard deviation of each algorithm, several measures, or scores on the training
and on the test set look like folds to a program: two columns under each algorithm.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nbcompare._validation import DataError, listed
from nbcompare.experiment._roles import MEASURES, NO_MEASURES, PARTS, bare, is_measure
from nbcompare.experiment._summaries import is_summary

# What levels of statistics, and of measures, are called
_OF_STATISTICS = frozenset({"statistic", "statistics", "stat", "stats", "aggregate", "aggfunc"})
_OF_MEASURES = frozenset({"metric", "metrics", "measure", "measures", "scoring", "scorer"})
_TIMES = frozenset({"time", "times", "seconds", "runtime"})
_NUMBERED = re.compile(r"(?P<stem>.*?)[\s_-]*\d+")
_GENERIC = re.compile(r"(?<![^\W_])(?:values?|results?|scores?)(?![^\W_])", re.IGNORECASE)
_CENTRE = re.compile(r"mean|average|avg|median", re.IGNORECASE)


def names_measures(name: str) -> bool:
    """Tell whether a level is called like one of measures or statistics."""
    return bare(name) in _OF_MEASURES | _OF_STATISTICS


def held(labels: Sequence[str], name: str = "") -> str | None:
    """Return what the labels of a level are the words of; None if they may be folds or runs.

    Examples
    --------
    >>> held(["mean", "std"]), held(["acc", "f1"]), held(["seed0", "seed1"])
    ('statistics', 'measures', None)
    """
    if len(labels) > 1 and {label.strip().casefold() for label in labels} <= PARTS:
        return "parts of the data"
    measures = [label for label in labels if _is_measure(label)]
    # f1 is a measure, and the first of f1, f2, ...
    if labels and all(bare(label) in MEASURES for label in labels):
        return "measures"
    if not _are_numbered(labels):
        if any(_is_statistic(label) for label in labels if label not in measures):
            return "statistics"
        if measures:
            return "measures"
    if bare(name) in _OF_STATISTICS:
        return "statistics"
    return "measures" if bare(name) in _OF_MEASURES else None


def refuse_held(
    kind: str, labels: Sequence[str], level: str | int, axis: str, *, others: bool
) -> None:
    """Refuse a level of such labels, with the call that takes one of them.

    Parameters
    ----------
    kind : str
        What :func:`held` says of the labels.
    labels : sequence of str
        Its labels.
    level : str or int
        Its name, or its position.
    axis : {"row", "column"}
        Whose labels they are.
    others : bool
        Whether the axis has other levels; the only one leaves a series.
    """
    first = next((label for label in labels if _CENTRE.search(label)), labels[0])
    if kind == "parts of the data":
        first = next((label for label in labels if "test" in label.casefold()), labels[0])
    one = f"frame.xs({first!r}{', axis=1' if axis == 'column' else ''}, level={level!r})"
    if not others:
        one = f"frame{'' if axis == 'column' else '.loc'}[{first!r}].reset_index()"
    remedy = (
        f"Make an experiment of each, as of {one}."
        if kind == "measures"
        else f"Take the scores to compare alone, as by {one}."
    )
    raise DataError(
        f"frame: level {level!r} of the {axis} labels holds {kind} ({listed(labels)}), which are "
        f"no folds or runs. {remedy}"
    )


def _is_measure(label: str) -> bool:
    if bare(label) in MEASURES | _TIMES:
        return True
    # beside other words, these say nothing: result A
    return is_measure(_GENERIC.sub(" ", label))


def _is_statistic(label: str) -> bool:
    return is_summary(label) or bare(label) in NO_MEASURES or _says_spread(label)


def _says_spread(label: str) -> bool:
    """Tell whether a label is that of a measure's spread, such as ``acc_std``."""
    words = set(filter(None, re.split(r"[\W_]+", label.casefold())))
    return len(words) > 1 and bool(words & NO_MEASURES) and bool(words & MEASURES)


def _are_numbered(labels: Sequence[str]) -> bool:
    """Tell whether the labels differ by numbers only, such as ``score 1`` and ``score 2``."""
    found = [_NUMBERED.fullmatch(label) for label in labels]
    return all(found) and len({each["stem"].casefold() for each in found if each}) == 1
