"""Curves over evaluations: their data, their styles, and the places of their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_real
from nbcompare.histories import Histories
from nbcompare.plots._scale import Scale

# Okabe and Ito's colours without yellow, which is hard to see on white. Seven colours and six
# dash patterns give 42 combinations; the marks distinguish twelve curves without colour.
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
_DECADES = 2  # an axis is logarithmic if the data span more than this


@dataclass(frozen=True, slots=True)
class Style:
    """Colour, dashes and marks that distinguish a curve from others."""

    color: str
    dashes: tuple[float, ...]
    shape: str
    filled: bool

    @classmethod
    def of(cls, number: int) -> Style:
        """Return the style of a curve, numbered from 0."""
        return cls(
            _COLORS[number % len(_COLORS)],
            _DASHES[number % len(_DASHES)],
            _SHAPES[number % len(_SHAPES)],
            number // len(_SHAPES) % 2 == 0,
        )


@dataclass(frozen=True, slots=True)
class Curve:
    """Median of the runs at every point, and a band around it, in units of the measure."""

    number: int  # index of the algorithm among those drawn
    median: FloatArray
    band: FloatArray | None  # shape (2, n_points); None for a single run or if disabled
    runs: int


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves and axes of one problem."""

    problem: str
    evaluations: FloatArray
    curves: tuple[Curve, ...]
    x: Scale
    y: Scale
    floor: bool  # whether a curve or band reaches 0, which has no place on a logarithmic axis

    def end(self, curve: Curve) -> int:
        """Return the index of the last point drawn: the first with a median of 0, else the last."""
        if self.y.log:
            at_floor = np.flatnonzero(curve.median <= 0)
            if at_floor.size:
                return int(at_floor[0])
        return len(curve.median) - 1

    def heights(self, values: FloatArray) -> FloatArray:
        """Return positions on the axis from 0 to 1; NaN for 0 on a logarithmic axis."""
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
    """Return the panel of one problem; algorithms without a run there are left out.

    ``values`` are those of the histories, or the errors if optima are known.
    """
    evaluations = histories.evaluations[problem]
    curves = []
    for number, algorithm in enumerate(algorithms):
        runs = values[problem, algorithm, : int(histories.n_runs[problem, algorithm])]
        if not len(runs):
            continue
        wanted = quantiles is not None and len(runs) > 1
        levels = np.array([0.5, *(quantiles or ())] if wanted else [0.5])
        # quarters keep the distance of two huge values of opposite sign from overflowing
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
    """Return an axis that is logarithmic if most points lie in the first tenth of the budget."""
    budget = float(evaluations[-1])
    if np.median(evaluations) < budget / 10:
        return Scale(evaluations[[0, -1]], log=True, margin=0.0)
    return Scale(np.array([0.0, budget]), log=False, margin=0.0)


def checked_quantiles(given: object) -> tuple[float, float] | None:
    """Return the two quantile levels as numbers, or None; raise if they do not increase."""
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
    """Return middles near those wanted, so that items of these sizes do not overlap.

    Examples
    --------
    >>> spread([0.5, 0.5, 0.9], [0.2, 0.2, 0.2], (0.0, 1.0))
    [0.4, 0.6, 0.9]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # each group holds neighbours that touch: its members and its middle
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
