"""Exact null distributions of L over arrangements of ranks or exchanges of two algorithms.

Only positive terms are added, so that probabilities are accurate relative to their own size.
Where they would underflow, the distribution is tilted towards the observed value.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray, IntArray, locked
from nbcompare.stats import _laws

# Distributions are convolved in blocks of this many masses.
_BLOCK = 512
# Below this, terms of a probability may have underflowed.
_SMALLEST_DIRECT = 1e-280
# Tilted masses below this share of a probability are negligible.
_NO_MASS = 1e-40
# This tilt multiplies the mass one step away by e**-40.
_STEEPEST = 40.0


class Centred(NamedTuple):
    """Distribution symmetric about 0: masses on a grid with steps of ``step`` halves of L."""

    step: int
    masses: FloatArray

    @property
    def span(self) -> int:
        """Distance from the least to the largest value, in halves of L."""
        return self.step * (len(self.masses) - 1)

    @property
    def values(self) -> FloatArray:
        """Positions of the masses, in halves of L."""
        return np.asarray(self.step * np.arange(len(self.masses)) - self.span / 2)


def patterns(ranks: FloatArray) -> IntArray:
    """Encode the ties in each row of mid-ranks: bit j means that rank j + 1 begins a new value.

    A row and its mirror image, c + 1 minus its ranks, share the distribution and the code.
    """
    ordered = np.sort((2 * ranks).astype(np.int16), axis=-1)
    begins = ordered[..., 1:] != ordered[..., :-1]
    bits = 1 << np.arange(begins.shape[-1])
    return np.asarray(np.minimum(begins @ bits, begins @ bits[::-1]))


def page_tails(ranks: FloatArray, excess: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return P(L >= observed) and its logarithm for each pair; equal ties share a distribution.

    Parameters
    ----------
    ranks : ndarray of float, shape (..., n, c)
        Mid-ranks of each row.
    excess : ndarray of float, shape (..., n)
        Twice the contribution of each row to L minus its mean, integers.
    """
    leading, (n, c) = excess.shape[:-1], ranks.shape[-2:]
    codes = np.sort(patterns(ranks).reshape(-1, n), axis=1)
    observed = excess.sum(axis=-1).reshape(-1)
    p, log10_p = np.empty((2, len(observed)))
    for sharing in _alike(codes):
        p[sharing], log10_p[sharing] = upper_tails(c, codes[sharing[0]], observed[sharing])
    return p.reshape(leading), log10_p.reshape(leading)


def exchange_tails(excess: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return P(L >= observed) and its logarithm if each row may be its mirror image.

    ``excess`` is that of :func:`page_tails`. Random signs of its absolute values have a sum at
    least as large as observed if the sum of those that become negative is at most that of the
    observed negative ones.
    """
    leading = excess.shape[:-1]
    signed = excess.astype(np.int64).reshape(-1, excess.shape[-1])
    at = np.maximum(-signed, 0).sum(axis=1)
    sizes = np.sort(np.abs(signed), axis=1)
    p, log10_p = np.empty((2, len(signed)))
    for sharing in _alike(sizes):
        one = sizes[sharing[0]]
        trends, unit = _laws.in_units(one[one > 0])
        total = int(trends.sum())
        places = at[sharing] // unit
        most = int(np.minimum(places, np.maximum(total - places - 1, 0)).max())
        below = _laws.sums_of_subsets(trends, most)
        p[sharing], log10_p[sharing] = _laws.of_subsets(
            below, places, total, len(trends), two_sided=False
        )
    return p.reshape(leading), log10_p.reshape(leading)


def upper_tails(c: int, codes: IntArray, excess: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return P(L >= observed) and its common logarithm for rows with the ties in ``codes``.

    Parameters
    ----------
    c : int
        Number of ranks in a row.
    codes : ndarray of int, shape (n_rows,)
        Code of each row from :func:`patterns`.
    excess : ndarray of float, shape (n_observed,)
        Twice the difference of L and its mean, integers.
    """
    counts = Counter(codes.tolist())
    inner, outer = _two_sums(_powers(c, counts))
    above = np.append(np.cumsum(outer.masses[::-1])[::-1], 0.0)
    # Each mass of one sum is combined with the values of the other that reach the observed L.
    p = np.array([above[_places(e - inner.values, outer)] @ inner.masses for e in excess])
    p = np.minimum(p, 1.0)
    far = p < _SMALLEST_DIRECT
    with np.errstate(divide="ignore"):
        log10_p = np.log10(p)
    for index in np.flatnonzero(far):
        log10_p[index] = _tilted_tail(c, counts, float(excess[index])) / math.log(10.0)
        p[index] = 10.0 ** log10_p[index]
    return p, log10_p


def row_power(c: int, code: int, count: int) -> Centred:
    """Return the distribution of a sum of ``count`` rows with the same ties."""
    return row_law(c, code) if count == 1 else _several_rows(c, code, count)


@lru_cache(maxsize=64)
def _several_rows(c: int, code: int, count: int) -> Centred:
    half = count // 2
    return _added(row_power(c, code, half), row_power(c, code, count - half))


@lru_cache(maxsize=4096)
def row_law(c: int, code: int) -> Centred:
    """Return the distribution of twice L of one row about its mean, over all arrangements.

    Ranks are assigned to the places from the first on, and a state holds how many of each tied
    value have been used. There are up to 2**c states, which take 30 MB for c = 14 and 150 MB for
    c = 16.
    """
    sizes = _sizes(c, code)
    last = np.cumsum(sizes)
    doubled = 2 * last - sizes + 1  # twice the mid-ranks of the tied values
    step = int(np.gcd.reduce(doubled - doubled[0]))  # 0 if all are tied
    counts = _arrangements(sizes, (doubled - doubled[0]) // max(step, 1))
    return Centred(step, locked(counts / counts.sum()))


def _sizes(c: int, code: int) -> IntArray:
    begins = [0, *(j + 1 for j in range(c - 1) if code >> j & 1), c]
    return np.asarray(np.diff(begins))


class _States(NamedTuple):
    """States of an arrangement: the number of each tied value used, as digits of a number."""

    sizes: IntArray
    values: IntArray
    radix: IntArray
    used: IntArray  # (n_states, n_values)
    layers: list[IntArray]  # states for each number of ranks placed
    within: IntArray  # index of each state within its layer

    @classmethod
    def of(cls, sizes: IntArray, values: IntArray) -> _States:
        ends = np.cumprod(sizes + 1)
        radix = ends // (sizes + 1)
        used = np.arange(ends[-1])[:, np.newaxis] // radix % (sizes + 1)
        placed = used.sum(axis=1)
        layers = [np.flatnonzero(placed == count) for count in range(int(sizes.sum()) + 1)]
        within = np.empty(len(used), dtype=np.int64)
        for layer in layers:
            within[layer] = np.arange(len(layer))
        return cls(sizes, values, radix, used, layers, within)


class _Layer(NamedTuple):
    """Counts of arrangements by state and sum; the first column has the sum ``least``."""

    least: int
    counts: FloatArray


def _arrangements(sizes: IntArray, values: IntArray) -> FloatArray:
    """Count the arrangements by the sum over j of (j - 1) value_j, from least to largest.

    Only the first half of the places is filled. The other half is an arrangement of the
    remaining ranks, shifted to later places.
    """
    states = _States.of(sizes, values)
    c = int(sizes.sum())
    half = c // 2
    first = second = _Layer(0, np.ones((1, 1)))
    for count in range(c - half):
        first, second = second, _with_one_more(states, second, count)
    if c == 2 * half:
        first = second
    least, largest = _reach(np.repeat(values, sizes), c)
    total = np.zeros(largest - least + 1)
    for state in states.layers[half].tolist():
        rest = len(states.used) - 1 - state  # the ranks that this state has not used
        if c == 2 * half and rest < state:
            continue  # counted together with its complement
        start, one = _trimmed(first.counts[states.within[state]])
        start_of_rest, other = _trimmed(second.counts[states.within[rest]])
        both = np.convolve(one, other)
        start += start_of_rest + first.least + second.least - least
        for late in {state, rest} if c == 2 * half else {rest}:
            begin = start + half * int(states.used[late] @ values)
            total[begin : begin + len(both)] += both
    return total


def _with_one_more(states: _States, layer: _Layer, count: int) -> _Layer:
    """Extend arrangements of ``count`` ranks by a rank at place count + 1."""
    ascending = np.repeat(states.values, states.sizes)
    least, largest = _reach(ascending, count + 1)
    here, length = states.layers[count], largest - least + 1
    counts = np.zeros((len(states.layers[count + 1]), length))
    for group, value in enumerate(states.values.tolist()):
        free = np.flatnonzero(states.used[here, group] < states.sizes[group])
        targets = states.within[here[free] + states.radix[group]]
        # no arrangement lies beyond the reach, so only zeros are cut off
        start = layer.least + count * value - least
        first, end = max(0, -start), min(layer.counts.shape[1], length - start)
        counts[targets, start + first : start + end] += layer.counts[free, first:end]
    return _Layer(least, counts)


def _reach(ascending: IntArray, count: int) -> tuple[int, int]:
    """Return the least and the largest sum of ``count`` ranks in the first places."""
    places = np.arange(count)
    most = ascending[len(ascending) - count :]
    return int(places[::-1] @ ascending[:count]), int(places @ most)


def _trimmed(counts: FloatArray) -> tuple[int, FloatArray]:
    some = np.flatnonzero(counts)
    return int(some[0]), counts[some[0] : some[-1] + 1]


def _powers(c: int, counts: Counter[int]) -> list[Centred]:
    """Return a distribution for each pattern of ties, or two if there is only one pattern."""
    parts = list(counts.items())
    if len(parts) == 1 and parts[0][1] > 1:
        [(code, count)] = parts
        parts = [(code, count // 2), (code, count - count // 2)]
    return [row_power(c, code, count) for code, count in parts]


def _alike(rows: IntArray) -> list[IntArray]:
    """Return the indices of equal rows, grouped."""
    groups: dict[bytes, list[int]] = {}
    for index, row in enumerate(np.ascontiguousarray(rows)):
        groups.setdefault(row.tobytes(), []).append(index)
    return [np.array(group) for group in groups.values()]


def _two_sums(laws: list[Centred]) -> tuple[Centred, Centred]:
    """Combine distributions into two sums of similar span, which saves the last convolution.

    Those with even steps are added first, because they share a coarser grid.
    """
    sums = [Centred(0, np.ones(1)), Centred(0, np.ones(1))]
    spans = [0, 0]
    for law in sorted(laws, key=lambda law: (law.step % 2, -law.span)):
        to = int(spans[1] < spans[0])
        sums[to] = _added(sums[to], law)
        spans[to] += law.span
    return sums[1], sums[0]


def _added(one: Centred, other: Centred) -> Centred:
    """Return the distribution of a sum, whose upper half mirrors the lower one."""
    step = math.gcd(one.step, other.step)
    first, second = (_on_grid(law, step) for law in (one, other))
    length = len(first) + len(second) - 1
    half = (length + 1) // 2
    lower = _product(first, second, half)
    return Centred(step, locked(np.append(lower, lower[: length // 2][::-1])))


def _product(first: FloatArray, second: FloatArray, length: int) -> FloatArray:
    """Return the first ``length`` terms of a convolution, in blocks that fit into the cache."""
    total = np.zeros(length)
    shorter, longer = sorted((first[:length], second[:length]), key=len)
    for begin in range(0, len(shorter), _BLOCK):
        part = np.convolve(longer[: length - begin], shorter[begin : begin + _BLOCK])
        end = min(length, begin + len(part))
        total[begin:end] += part[: end - begin]
    return total


def _on_grid(law: Centred, step: int) -> FloatArray:
    if law.step == step or len(law.masses) == 1:
        return law.masses
    finer = np.zeros(law.span // step + 1)
    finer[:: law.step // step] = law.masses
    return finer


def _places(least: FloatArray, law: Centred) -> IntArray:
    """Return the index of the first value of at least ``least``, or the length if none is."""
    # values are multiples of one half, so a margin of a quarter is safe
    places = np.ceil((least + law.span / 2 - 0.25) / max(law.step, 1))
    return np.asarray(np.clip(places, 0, len(law.masses)).astype(np.int64))


def _tilted_tail(c: int, counts: Counter[int], observed: float) -> float:
    """Return the log of P(sum >= observed) far above the mean.

    Masses are multiplied by exp(tilt * value), which moves the mean near the observed value.
    """
    from scipy import optimize  # imported here, because it takes longer than a comparison

    laws = [(row_law(c, code), count) for code, count in counts.items()]

    def beyond(tilt: float) -> float:
        """Return by how much the mean of the tilted sum exceeds the observed value."""
        means = (count * float(_tilted(law, tilt)[0] @ law.values) for law, count in laws)
        return math.fsum(means) - observed

    steepest = _STEEPEST
    tilt = optimize.brentq(beyond, 0.0, steepest) if beyond(steepest) > 0 else steepest
    log_p = tilt * (math.fsum(count * law.span / 2 for law, count in laws) - observed)
    start, masses = 0.0, np.ones(1)
    step = math.gcd(*(law.step for law, _ in laws))
    for law, count in laws:
        tilted, log_total = _tilted(law, tilt)
        row = _on_grid(Centred(law.step, tilted), step)
        for _ in range(count):
            masses = np.convolve(masses, row)
            start -= law.span / 2
            kept = np.flatnonzero(masses >= _NO_MASS)
            start += step * int(kept[0])
            masses = masses[kept[0] : kept[-1] + 1]
        log_p += count * log_total
    surplus = start + step * np.arange(len(masses)) - observed
    inside = surplus > -0.25
    return log_p + math.log(float(masses[inside] @ np.exp(-tilt * surplus[inside])))


def _tilted(law: Centred, tilt: float) -> tuple[FloatArray, float]:
    """Return masses times exp(tilt * value), normalized to sum to 1, and the log of their sum.

    The factor is scaled to be 1 for the largest value.
    """
    masses = law.masses * np.exp(tilt * (law.values - law.span / 2))
    total = float(masses.sum())
    return masses / total, math.log(total)
