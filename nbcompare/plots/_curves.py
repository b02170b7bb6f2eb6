"""Curves over evaluations: what is drawn, in which style, and where its label goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_real
from nbcompare.histories import Histories
from nbcompare.plots._scale import Scale

# Okabe and Ito's colours but yellow, which is hard to see on white. Seven colours and six
# dashes come together in 42 ways; marks tell twelve curves apart without colour.
_COLORS = ("#0072b2", "#d55e00", "#000000", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (5, 2),
    (1.5, 1.5),
    (7, 2, 1.5, 2),
    (9, 3),
    (3, 1.5, 1, 1.5, 1, 1.5),
)
_SHAPES = "os^Dv*"
_DECADES = 2  # a logarithmic axis shows more than these


@dataclass(frozen=True, slots=True)
class Style:
    """How a curve is told from others, by colour, dashes and marks."""

    color: str
    dashes: tuple[float, ...]
    shape: str
    filled: bool

    @classmethod
    def of(cls, number: int) -> Style:
        """The style of a curve, numbered from 0."""
        return cls(
            _COLORS[number % len(_COLORS)],
            _DASHES[number % len(_DASHES)],
            _SHAPES[number % len(_SHAPES)],
            number // len(_SHAPES) % 2 == 0,
        )


@dataclass(frozen=True, slots=True)
class Curve:
    """Median of the runs, and a band around it, at every point; in units of the measure."""

    number: int  # of the algorithm among those drawn, from 0
    median: FloatArray
    band: FloatArray | None  # shape (2, n_points); None of one run, or if not wanted
    runs: int


@dataclass(frozen=True, slots=True)
class Panel:
    """One problem: its curves and axes."""

    problem: str
    evaluations: FloatArray
    curves: tuple[Curve, ...]
    x: Scale
    y: Scale
    floor: bool  # whether a curve or band reaches 0, which a logarithmic axis does not have

    def end(self, curve: Curve) -> int:
        """The last point that is drawn: the first at which the median is 0, if one is."""
        if self.y.log:
            at_floor = np.flatnonzero(curve.median <= 0)
            if at_floor.size:
                return int(at_floor[0])
        return len(curve.median) - 1

    def heights(self, values: FloatArray) -> FloatArray:
        """Where values stand, 0 to 1; NaN for 0 on a logarithmic axis."""
        if not self.y.log:
            return self.y.share(values)
        found: FloatArray = np.full(values.shape, np.nan)
        found[values > 0] = self.y.share(values[values > 0])
        return found


def panel_of(
    histories: Histories,
    values: FloatArray,
    problem: int,
    algorithms: Sequence[int],
    quantiles: tuple[float, float] | None,
) -> Panel:
    """What is to be drawn for one problem; algorithms without a run there are left out.

    ``values`` are those of the histories, or the errors where optima are known.
    """
    evaluations = histories.evaluations[problem]
    curves = []
    for number, algorithm in enumerate(algorithms):
        runs = values[problem, algorithm, : int(histories.n_runs[problem, algorithm])]
        if not len(runs):
            continue
        wanted = quantiles is not None and len(runs) > 1
        levels = np.array([0.5, *(quantiles or ())] if wanted else [0.5])
        # a quarter: the distance of two huge values of different sign does not overflow
        found = np.quantile(runs / 4, levels, axis=0) * 4
        curves.append(Curve(number, found[0], found[1:] if wanted else None, len(runs)))
    drawn = np.concatenate(
        [part.ravel() for c in curves for part in (c.median, c.band) if part is not None]
    )
    known = histories.optimum is not None
    positive = drawn[drawn > 0]
    log = bool(
        positive.size
        and (known or positive.size == drawn.size)
        and np.log10(positive.max()) - np.log10(positive.min()) > _DECADES
    )
    return Panel(
        problem=histories.problems[problem],
        evaluations=evaluations,
        curves=tuple(curves),
        x=_scale_of_evaluations(evaluations),
        y=Scale(positive if log else drawn, log=log),
        floor=log and positive.size < drawn.size,
    )


def _scale_of_evaluations(evaluations: FloatArray) -> Scale:
    """Logarithmic if most points lie in the first tenth of the budget."""
    budget = float(evaluations[-1])
    if np.median(evaluations) < budget / 10:
        return Scale(evaluations[[0, -1]], log=True, margin=0.0)
    return Scale(np.array([0.0, budget]), log=False, margin=0.0)


def checked_quantiles(given: object) -> tuple[float, float] | None:
    """Two increasing shares, or None."""
    if given is None:
        return None
    ends = check_real(given, "quantiles")  # type: ignore[arg-type]
    if ends.shape != (2,) or not 0 <= ends[0] < ends[1] <= 1:
        raise ValueError(
            f"`quantiles` must be two increasing numbers from 0 to 1, or None; got {given!r}."
        )
    return float(ends[0]), float(ends[1])


def spread(
    wanted: Sequence[float], sizes: Sequence[float], ends: tuple[float, float]
) -> list[float]:
    """Middles near those wanted, apart by the sizes, between two ends if there is room.

    Examples
    --------
    >>> spread([0.5, 0.5, 0.9], [0.2, 0.2, 0.2], (0.0, 1.0))
    [0.4, 0.6, 0.9]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # groups of neighbours that touch: members, and the middle of the group
    groups: list[tuple[list[int], float]] = []
    for i in order:
        groups.append(([i], _inside(wanted[i], sizes[i], ends)))
        while len(groups) > 1 and _touch(groups[-2], groups[-1], sizes):
            (first, _), (second, _) = groups[-2:]
            members = first + second
            size = sum(sizes[j] for j in members)
            at, starts = 0.0, []
            for j in members:
                starts.append(wanted[j] - at - sizes[j] / 2)
                at += sizes[j]
            middle = sum(starts) / len(starts) + size / 2
            groups[-2:] = [(members, _inside(middle, size, ends))]
    found = [0.0] * len(wanted)
    for members, middle in groups:
        at = middle - sum(sizes[j] for j in members) / 2
        for j in members:
            found[j] = round(at + sizes[j] / 2, 9)
            at += sizes[j]
    return found


def _inside(middle: float, size: float, ends: tuple[float, float]) -> float:
    return max(ends[0] + size / 2, min(middle, ends[1] - size / 2))


def _touch(
    one: tuple[list[int], float], other: tuple[list[int], float], sizes: Sequence[float]
) -> bool:
    room = sum(sizes[j] for members in (one[0], other[0]) for j in members) / 2
    return other[1] - one[1] < room - 1e-9
