"""Parts of an Experiment, checked and locked, and what can be looked up in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    LockedArrays,
    has_gaps,
    locked,
    mean_over,
)
from nbcompare._options import DIRECTIONS, MAXIMIZE, UNITS
from nbcompare._render import Note, plural
from nbcompare._validation import (
    DataError,
    check_choice,
    check_labels,
    check_real,
    clean_label,
    labels_or_numbers,
    one_line,
    positions,
    shown,
)
from nbcompare.experiment._arrange import Cells
from nbcompare.experiment._beside import majority, mask_of, negated, ways_of
from nbcompare.experiment._places import run_labels, without_gaps
from nbcompare.experiment._schema import Schema


class Incomplete(NamedTuple):
    """A score of which some folds or runs are missing.

    Attributes
    ----------
    dataset, algorithm : str
        Where it is.
    n, of : int
        Number of folds or runs present, and expected.
    unit : {"folds", "runs"}
        What is missing.
    """

    dataset: str
    algorithm: str
    n: int
    of: int
    unit: str

    def __str__(self) -> str:
        return f"{self.algorithm} on {self.dataset} ({self.n} of {plural(self.of, self.unit[:-1])})"


@dataclass(frozen=True, eq=False)
class Losses:
    """What is missing of the scores of an experiment.

    Attributes
    ----------
    folds : ndarray of bool, shape (n_datasets, n_algorithms, n_folds)
        Folds that an algorithm lacks and another one has. If an algorithm has no score on the
        data set, these are all folds of the data set.
    runs : ndarray of int, the same shape
        Number of runs that an algorithm lacks of a fold of which it has others.
    struck : ndarray of bool, shape (n_datasets, n_folds, n_labels), or None
        Labels of runs that some algorithm lacks of a fold. None if the labels of runs say nothing,
        because algorithms do not share them.
    """

    folds: BoolArray
    runs: IntArray
    struck: BoolArray | None

    @cached_property
    def any(self) -> bool:
        """Whether anything is missing."""
        return bool(self.folds.any() or self.runs.any())


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Scores(LockedArrays):
    """Scores ``[data set, algorithm, fold, run]``: what an :class:`Experiment` holds."""

    lower: FloatArray
    upper: FloatArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    folds: tuple[str, ...]
    direction: str
    measure: str | None = None
    citation: str | None = None
    runs: tuple[str, ...] | None = None
    run_codes: IntArray | None = None
    domains: tuple[str, ...] | None = None
    turned: tuple[str, ...] = ()
    deviations: FloatArray | None = None
    notes: tuple[Note, ...] = ()
    infinite: str = ""
    schema: Schema | None = None
    cutoff: float | None = None
    unit: str | None = None
    clusters: npt.NDArray[np.object_] | None = None

    def __post_init__(self) -> None:
        """Check that the parts fit together, and lock them.

        The direction becomes that of most data sets.
        """
        check_choice(self.direction, "direction", DIRECTIONS)
        labels = {
            name: check_labels(getattr(self, name), name)
            for name in ("datasets", "algorithms", "folds")
        }
        if self.unit is not None:
            check_choice(self.unit, "unit", UNITS)
        lower = check_real(self.lower, "lower")
        upper = lower if self.upper is self.lower else check_real(self.upper, "upper")
        labelled = tuple(map(len, labels.values()))
        if lower.ndim != 4 or lower.shape[:3] != labelled or upper.shape != lower.shape:
            raise ValueError(
                "`lower` and `upper` must have one cell per data set, algorithm, fold and run, "
                f"({', '.join(map(str, labelled))}, n_runs); "
                f"got shapes {lower.shape} and {upper.shape}."
            )
        direction, turned = self.direction, tuple(self.turned)
        if turned:
            positions(turned, labels["datasets"], "turned")
            maximized = mask_of(turned, labels["datasets"]) != (direction == MAXIMIZE)
            direction, turned = majority(maximized, labels["datasets"])
        if direction != self.direction:
            lower, upper = negated(lower, upper, np.ones(len(lower), dtype=np.bool_))
        codes = self._checked_codes(lower)
        runs = [str(r + 1) for r in range(lower.shape[3])] if self.runs is None else self.runs
        named = labels["folds"]
        lower, upper, labels["folds"], codes = without_gaps(lower, upper, labels["folds"], codes)
        labels["runs"], codes = run_labels(lower, check_labels(runs, "runs"), codes)
        lower = locked(lower)
        given: Iterable[Any] = self.notes  # a notebook writes them as pairs of code and text
        values: dict[str, Any] = {
            **labels,
            "run_codes": None if codes is None else locked(codes),
            "direction": direction,
            "turned": turned,
            "lower": lower,
            "upper": lower if self.upper is self.lower else locked(upper),
            "notes": tuple(it if isinstance(it, Note) else Note(*it) for it in given),
            "infinite": one_line(self.infinite or None, "infinite") or "",
            **{name: one_line(getattr(self, name), name) for name in ("measure", "citation")},
        }
        n, k = lower.shape[:2]
        if self.domains is not None:
            values["domains"] = tuple("" if it is None else clean_label(it) for it in self.domains)
            if len(values["domains"]) != n or "" in values["domains"]:
                raise ValueError(f"`domains` must have one label per data set, {n}.")
        if self.deviations is not None:
            values["deviations"] = locked(check_real(self.deviations, "deviations"))
            if values["deviations"].shape != (n, k):
                raise ValueError(f"`deviations` must be an array of the shape ({n}, {k}).")
        values["unit"] = unit_of(self.unit, lower.shape)
        if self.clusters is not None:
            values["clusters"] = locked(_checked_clusters(self, lower, named, labels["folds"]))
        for name, value in values.items():
            object.__setattr__(self, name, value)
        _check_scores(self)

    def _checked_codes(self, lower: FloatArray) -> IntArray | None:
        """Return the codes of the labels of the runs, which must fit the scores."""
        if self.run_codes is None:
            if self.runs is not None and len(self.runs) < lower.shape[3]:
                raise ValueError(
                    f"`runs` must have one label per run, {lower.shape[3]}; got {len(self.runs)}."
                )
            return None
        codes = np.asarray(self.run_codes)
        if (
            (codes.dtype.kind, codes.shape) != ("i", lower.shape)
            or codes.max(initial=0) >= len(self.runs or ())
            or codes[~np.isnan(lower)].min(initial=0) < 0
        ):
            raise ValueError("`run_codes` must give the position in `runs` of every score's label.")
        return codes

    # -------------------------------------------------------------------- looking in

    @property
    def n_datasets(self) -> int:
        """Number of data sets."""
        return int(self.lower.shape[0])

    @property
    def n_algorithms(self) -> int:
        """Number of algorithms."""
        return int(self.lower.shape[1])

    @property
    def n_folds(self) -> int:
        """Number of folds, 1 without any."""
        return int(self.lower.shape[2])

    @property
    def n_runs(self) -> int:
        """Largest number of runs in a fold, 1 without any."""
        return int(self.lower.shape[3])

    @cached_property
    def fewest(self) -> tuple[int, int]:
        """Fewest folds of an algorithm on a data set, and fewest runs in a fold, where any are."""
        if self.is_complete:
            return self.n_folds, self.n_runs
        runs = np.count_nonzero(~np.isnan(self.lower), axis=3)
        folds = np.count_nonzero(runs, axis=2)
        return int(folds[folds > 0].min()), int(runs[runs > 0].min())

    @property
    def is_interval(self) -> bool:
        """Whether scores are intervals rather than single numbers."""
        return self.upper is not self.lower

    @property
    def ways(self) -> tuple[str, ...]:
        """Direction of the scores of each data set as they were given."""
        return tuple(ways_of(self.direction, self.datasets, self.turned))

    @cached_property
    def given(self) -> tuple[FloatArray, FloatArray]:
        """Both ends of the scores as they were given; the same array unless they are intervals.

        They differ from ``lower`` and ``upper`` on the data sets in ``turned``.
        """
        return negated(self.lower, self.upper, self.is_turned)

    @cached_property
    def is_turned(self) -> BoolArray:
        """Mask of the data sets in ``turned``."""
        return locked(mask_of(self.turned, self.datasets))

    @property
    def scores(self) -> FloatArray:
        """Scores ``[dataset, algorithm, fold, run]``, NaN-padded; an error for intervals."""
        if self.is_interval:
            raise DataError("the scores are intervals. Use `lower` and `upper`.")
        return self.lower

    @cached_property
    def is_complete(self) -> bool:
        """Whether every cell has a score in every fold and run, so that nothing is padded."""
        return self.lower.size > 0 and not has_gaps(self.lower)

    @cached_property
    def missing(self) -> BoolArray:
        """Mask of cells without any score, shape (n_datasets, n_algorithms)."""
        if self.is_complete:
            return locked(np.zeros(self.lower.shape[:2], dtype=np.bool_))
        return locked(np.asarray(np.isnan(self.lower).all(axis=(2, 3)), dtype=np.bool_))

    @cached_property
    def losses(self) -> Losses:
        """Masks of the folds and runs that an algorithm lacks though others have them.

        A fold is lost if another algorithm has it on the data set. A run is lost if another
        algorithm has a run of that label in the fold, and the algorithm itself has one of that
        label in another fold or data set: an algorithm that is never run so often has lost nothing.
        Where algorithms do not share labels of runs, their numbers are compared in the same way.
        """
        if self.is_complete and self.n_runs == 1:
            shape = self.lower.shape[:3]
            return Losses(np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.int64), None)
        there = ~np.isnan(self.lower)
        counts = there.sum(axis=3)
        has = counts > 0
        made = has.any(axis=1, keepdims=True)
        folds = np.asarray(made & ~has, dtype=np.bool_)
        if self.n_runs == 1:
            return Losses(folds, np.zeros(folds.shape, dtype=np.int64), None)
        own_most = counts.max(axis=(0, 2))[np.newaxis, :, np.newaxis]
        most = counts.max(axis=1, keepdims=True)
        short = has & (counts < np.maximum(own_most, most))
        if len(self.runs or ()) > 2 * self.n_runs:
            runs = np.where(short, np.maximum(np.minimum(most, own_most) - counts, 0), 0)
            return Losses(folds, runs, None)
        present = ~np.isnan(self.by_run[0])
        used = np.asarray(present.any(axis=(0, 2)))[np.newaxis, :, np.newaxis]
        lost = present.any(axis=1, keepdims=True) & used & ~present & short[..., np.newaxis]
        return Losses(folds, lost.sum(axis=3), np.asarray(lost.any(axis=1), dtype=np.bool_))

    @cached_property
    def incomplete(self) -> tuple[Incomplete, ...]:
        """Scores of which folds or runs are missing: how many there are of how many.

        A fold is missing if another algorithm has it on the data set; a run, if another algorithm
        has a run of that label in the fold and the algorithm has one of that label elsewhere.

        Examples
        --------
        >>> from nbcompare import Experiment
        >>> experiment = Experiment.from_array(
        ...     [[[0.7, 0.7, 0.7], [0.7, 0.8, float("nan")]]], direction="maximize")
        >>> print(*experiment.incomplete)
        A2 on 1 (2 of 3 folds)
        """
        if self.is_complete:
            return ()
        lost = {"folds": self.losses.folds.sum(axis=2), "runs": self.losses.runs.sum(axis=2)}
        counts = (~np.isnan(self.lower)).sum(axis=3)
        there = {"folds": (counts > 0).sum(axis=2), "runs": counts.sum(axis=2)}
        found = []
        for d, a in np.argwhere(~self.missing & (lost["folds"] + lost["runs"] > 0)).tolist():
            unit = "folds" if lost["folds"][d, a] else "runs"
            n, name = int(there[unit][d, a]), self.algorithms[a]
            found.append(Incomplete(self.datasets[d], name, n, n + int(lost[unit][d, a]), unit))
        return tuple(found)

    @cached_property
    def fewer_runs(self) -> tuple[str, ...]:
        """Algorithms that have fewer runs than others wherever they were run."""
        if self.is_complete:
            return ()
        counts = (~np.isnan(self.lower)).sum(axis=3)
        fewer = (counts < counts.max(axis=1, keepdims=True)) & (self.losses.runs == 0)
        always = (fewer | (counts == 0)).all(axis=(0, 2))
        return tuple(name for name, one in zip(self.algorithms, always, strict=True) if one)

    @cached_property
    def n_infinite(self) -> int:
        """Number of scores that are infinite, which stand for ``infinite``."""
        return int(np.isinf(self.lower).sum()) if self.infinite else 0

    @cached_property
    def n_censored(self) -> int:
        """Number of scores of runs that were stopped at ``cutoff``, or are worse."""
        if self.cutoff is None:
            return 0
        lower, upper = self.given
        maximized = self.is_turned != (self.direction == MAXIMIZE)
        with np.errstate(invalid="ignore"):
            beyond = np.where(
                maximized.reshape(-1, 1, 1, 1), lower <= self.cutoff, upper >= self.cutoff
            )
        return int(np.count_nonzero(beyond))

    @cached_property
    def mean_scores(self) -> FloatArray:
        """Scores averaged over runs, then over folds, shape (n_datasets, n_algorithms).

        Every fold counts the same however many runs it has; NaN where none is there. Those of
        data sets in ``turned`` are negated.
        """
        if self.scores.shape[2:] == (1, 1):  # always so, where scores are infinite
            return locked(np.ascontiguousarray(self.lower[:, :, 0, 0]))
        # in the order of rows however they were read, so that sums are rounded alike
        return locked(np.ascontiguousarray(mean_over(mean_over(self.scores))))

    @property
    def by_run(self) -> tuple[FloatArray, FloatArray]:
        """Both ends of the scores with an axis for the labels of runs; NaN where there is none.

        Where algorithms do not share labels of runs, they are ``lower`` and ``upper`` themselves.
        """
        labels = self.runs or ()
        if self.run_codes is None or len(labels) > 2 * self.n_runs:
            return self.lower, self.upper
        filled = np.nonzero(~np.isnan(self.lower))
        places = (*filled[:3], self.run_codes[filled])
        ends = []
        for scores in (self.lower, self.upper)[: 1 + self.is_interval]:
            placed = np.full((*scores.shape[:3], len(labels)), np.nan)
            placed[places] = scores[filled]
            ends.append(placed)
        return ends[0], ends[-1]

    def with_scores(self, lower: FloatArray, upper: FloatArray) -> Self:
        """Return the experiment with other scores, shaped as those of :attr:`by_run`.

        Data sets without any score are left out.
        """
        rows = np.flatnonzero((~np.isnan(lower)).any(axis=(1, 2, 3)))
        low = lower[rows]
        return replace(
            self,
            lower=low,
            upper=low if upper is lower else upper[rows],
            runs=self.runs if lower.shape[3] == len(self.runs or ()) else None,
            run_codes=None,
            **self._beside_cells(rows.tolist(), range(self.n_algorithms)),
        )

    def _beside_cells(self, rows: Sequence[int], columns: Sequence[int]) -> dict[str, Any]:
        """Return labels of these data sets and algorithms, and what else depends on them."""
        return {
            "datasets": tuple(self.datasets[i] for i in rows),
            "algorithms": tuple(self.algorithms[j] for j in columns),
            "domains": None if self.domains is None else tuple(self.domains[i] for i in rows),
            "turned": tuple(self.datasets[i] for i in rows if self.is_turned[i]),
            "clusters": None if self.clusters is None else self.clusters[list(rows)],
            "deviations": None if self.deviations is None else self.deviations[rows][:, columns],
        }

    def select(
        self,
        *,
        algorithms: Iterable[str] | None = None,
        datasets: Iterable[str] | None = None,
    ) -> Self:
        """Keep only these algorithms and data sets, in the order given.

        Examples
        --------
        >>> from nbcompare import Experiment
        >>> experiment = Experiment.from_array([[1, 2, 3], [2, 1, 3]], direction="minimize")
        >>> experiment.select(algorithms=["A3", "A1"]).mean_scores.tolist()
        [[3.0, 1.0], [3.0, 2.0]]
        """
        rows = positions(datasets, self.datasets, "datasets")
        columns = positions(algorithms, self.algorithms, "algorithms")
        cells = np.ix_(rows, columns)
        lower = self.lower[cells]
        return replace(
            self,
            lower=lower,
            upper=self.upper[cells] if self.is_interval else lower,
            run_codes=None if self.run_codes is None else self.run_codes[cells],
            schema=self.schema
            and self.schema.selected({"dataset": len(rows), "algorithm": len(columns)}),
            **self._beside_cells(rows, columns),
        )


def unit_of(said: str | None, shape: tuple[int, ...]) -> str:
    """Return what scores repeat: items if the caller says so, else by the shape.

    On one data set these are its folds, or runs on it; of several, the data sets.

    Examples
    --------
    >>> unit_of(None, (1, 3, 10, 1)), unit_of(None, (1, 3, 1, 30)), unit_of(None, (4, 3, 10, 1))
    ('folds', 'runs', 'datasets')
    """
    n_datasets, _, n_folds, n_runs = shape
    if said == "items":
        return said
    if n_datasets > 1 or n_folds * n_runs == 1:
        return "datasets"
    return "folds" if n_folds > 1 else "runs"


def _checked_clusters(
    scores: Scores, lower: FloatArray, named: Sequence[str], left: Sequence[str]
) -> npt.NDArray[np.object_]:
    """Return the clusters of the items that are left, each of which must have one."""
    found = np.asarray(scores.clusters, dtype=np.object_)
    if scores.unit != "items":
        raise ValueError("`clusters` must be None unless unit='items'.")
    if found.shape == (len(lower), len(named)) and len(left) < len(named):
        at = {name: place for place, name in enumerate(named)}
        found = found[:, [at[name] for name in left]]
    if found.shape != (len(lower), len(left)):
        raise ValueError(
            "`clusters` must have one label per data set and item, of the shape "
            f"{(len(lower), len(named))}; got {found.shape}."
        )
    there = ~np.isnan(lower).all(axis=(1, 3))
    lacking = np.argwhere(there & (found == ""))
    if lacking.size:
        raise DataError(
            f"`clusters` must name that of every item; {left[lacking[0, 1]]!r} has none."
        )
    return np.where(there, found, "")


def _check_scores(experiment: Scores) -> None:
    """Check that scores are finite, intervals in order, and nothing is without any score."""
    lower, upper = experiment.lower, experiment.upper
    with np.errstate(over="ignore", invalid="ignore"):
        is_whole = lower.size > 0 and bool(np.isfinite(lower.sum()))
    if is_whole and not experiment.is_interval:
        return  # a sum is finite only if every number is
    infinite = np.isinf(lower)
    rule = "scores must be finite, unless infinite='no success', or other words, says what for"
    if experiment.infinite:
        worst = -np.inf if experiment.direction == MAXIMIZE else np.inf
        several = experiment.n_folds * experiment.n_runs > 1 or experiment.is_interval
        infinite = infinite & ((lower != worst) | several)
        rule = (
            f"infinite scores ({experiment.infinite}) must be the worst, and alone in their cells"
        )
    half = np.isnan(lower) != np.isnan(upper)
    for told, wrong in (
        (rule, infinite),
        ("`upper` must be finite", np.isinf(upper) & experiment.is_interval),
        ("`lower` and `upper` must both be given or both be missing", half),
        ("`lower` must not exceed `upper`", lower > upper),
    ):
        for d, a in np.argwhere(wrong)[:1, :2].tolist():
            raise DataError(
                f"{told}; that of algorithm {shown(experiment.algorithms[a])} on data set "
                f"{shown(experiment.datasets[d])} is wrong."
            )
    kinds = ("data set", experiment.datasets), ("algorithm", experiment.algorithms)
    for axis, (kind, names) in enumerate(kinds):
        for place in np.flatnonzero(experiment.missing.all(axis=1 - axis)).tolist():
            name = shown(names[place])
            raise DataError(f"every {kind} must have at least one score; {name} has none.")


_Kind = TypeVar("_Kind", bound=Scores)


def with_scores(experiment: _Kind, scores: FloatArray) -> _Kind:
    """Return an experiment with other scores in its cells, of which none is without.

    What was checked of the labels is not checked again, which simulations would do thousands of
    times.

    Parameters
    ----------
    experiment : Scores
        Of scores, not of intervals.
    scores : ndarray of float
        A number for every data set, algorithm, fold and run.
    """
    if scores.shape != experiment.lower.shape or not np.isfinite(scores).all():
        raise ValueError(
            f"`scores` must be finite numbers of shape {experiment.lower.shape}; got an array of "
            f"shape {scores.shape}."
        )
    return copied(experiment, **dict.fromkeys(("lower", "upper"), locked(scores)))


def copied(experiment: _Kind, **changes: Any) -> _Kind:
    """Return an experiment with changes that need no check."""
    made = object.__new__(type(experiment))
    own = {field.name: getattr(experiment, field.name) for field in fields(experiment)}
    made.__dict__.update(own | changes)
    return made


# ---------------------------------------------------------------------- labels of arrays


def labelled(
    scores: npt.ArrayLike,
    datasets: Sequence[object] | None,
    algorithms: Sequence[object] | None,
    *,
    unit: str | None = None,
    clusters: Sequence[object] | None = None,
) -> Cells:
    """Label the cells of an array of 2 to 4 dimensions; labels that are not given are numbers.

    ``unit`` is what a row is another one of.
    """
    array = check_real(scores, "scores")
    if np.asarray(scores).dtype == np.bool_:
        raise ValueError("`scores` must be numbers; got True and False.")
    if array.ndim not in (2, 3, 4):
        shape = array.shape
        raise ValueError(f"`scores` must have 2 to 4 dimensions; got an array of shape {shape}.")
    if not array.flags.writeable:  # the caller could make it writeable again
        array = array.copy()
        array.flags.writeable = False
    if unit is not None:
        check_choice(unit, "unit", UNITS)
    if array.ndim == 2 and unit in ("folds", "items"):
        array = array.T[np.newaxis, :, :, np.newaxis]
    elif array.ndim == 2 and unit == "runs":
        array = array.T[np.newaxis, :, np.newaxis]
    array = array.reshape(array.shape + (1,) * (4 - array.ndim))
    n, k, n_folds = map(int, array.shape[:3])
    return Cells(
        labels_or_numbers(datasets, "datasets", n, "scores"),
        labels_or_numbers(algorithms, "algorithms", k, "scores", before="A"),
        labels_or_numbers(None, "folds", n_folds, "scores"),
        array,
        array,
        unit=unit,
        clusters=None
        if clusters is None
        else np.array([[clean_label(it) for it in clusters]], dtype=np.object_),
    )
