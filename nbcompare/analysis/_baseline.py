"""References between which scores are normalised: two algorithms, or two numbers per data set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from nbcompare._arrays import NOISE, FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._render import Note
from nbcompare._validation import DataError, check_name, listed, shown
from nbcompare.experiment import Experiment
from nbcompare.results import Labelled
from nbcompare.results.texts import note

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
