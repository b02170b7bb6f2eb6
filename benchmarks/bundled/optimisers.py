"""Seven optimisers in plain NumPy, each doing all its runs at once.

A run draws from a generator of its own, so it goes the same way alone and beside others.
An optimiser is a generator: it yields the values [run, evaluation] of one batch after another
for as long as it is asked. Points are in the unit cube; a coordinate that leaves it is folded
back. Settings are customary ones, but for F of DE/best/1/bin and the cooling: trial runs of
other seeds on five problems settled these, as F 0.5 and slow cooling came nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray

Objective = Callable[[FloatArray], FloatArray]
BUDGET = 20_000

_POPULATION = 50  # of differential evolution and the swarm
_BLOCK = 400  # evaluations for which single steps draw their numbers in advance


class Streams:
    """Random numbers of several runs, a generator each."""

    def __init__(self, seeds: Sequence[int]) -> None:
        self._generators = [np.random.default_rng(seed) for seed in seeds]
        self.runs = np.arange(len(seeds))

    def uniform(self, *shape: int) -> FloatArray:
        """Draw numbers in [0, 1) with a first axis of runs."""
        return np.stack([generator.random(shape) for generator in self._generators])

    def normal(self, *shape: int) -> FloatArray:
        """Draw standard normal numbers with a first axis of runs."""
        return np.stack([generator.standard_normal(shape) for generator in self._generators])


Optimiser = Callable[[Objective, int, Streams], Iterator[FloatArray]]


def _folded(points: FloatArray) -> FloatArray:
    """Mirror points at the faces of the unit cube until they are inside."""
    return 1 - np.abs(1 - points % 2)


# -------------------------------------------------------------------------- evolution


def _partners(draws: FloatArray) -> tuple[IntArray, IntArray, IntArray]:
    """Draw three different members for each member, none of them itself.

    ``draws`` [run, member, 3] become steps to the right, of which no two are alike.
    """
    size = draws.shape[1]
    first, second, third = np.moveaxis(
        (draws * (size - np.arange(1, 4))).astype(np.int64), source=2, destination=0
    )
    second = second + (second >= first)
    for taken in (np.minimum(first, second), np.maximum(first, second)):
        third = third + (third >= taken)
    own = np.arange(1, size + 1)
    return (own + first) % size, (own + second) % size, (own + third) % size


def _crossed(streams: Streams, rate: FloatArray, dimension: int) -> BoolArray:
    """Draw the coordinates that a trial takes from its mutant: by chance, and one in any case."""
    draws = streams.uniform(rate.shape[1], dimension)
    forced = (streams.uniform(rate.shape[1]) * dimension).astype(np.int64)
    taken: BoolArray = draws < rate[..., np.newaxis]
    np.put_along_axis(taken, forced[..., np.newaxis], True, axis=2)
    return taken


def _evolution(
    objective: Objective,
    dimension: int,
    streams: Streams,
    *,
    best: bool = False,
    adaptive: bool = False,
    weight: float = 0.5,
) -> Iterator[FloatArray]:
    """Differential evolution with binomial crossover, F as ``weight`` says and CR 0.9.

    Storn and Price (1997): mutants start from a random member, or from the best. If adaptive,
    Brest et al. (2006): each member has its F and CR, redrawn with probability 0.1 and kept if
    the trial is.
    """
    runs = streams.runs[:, np.newaxis]
    points = streams.uniform(_POPULATION, dimension)
    values = objective(points)
    weights, rates = np.full(values.shape, weight), np.full(values.shape, 0.9)
    yield values
    while True:
        new_weights, new_rates = weights, rates
        if adaptive:
            draws = streams.uniform(4, _POPULATION)
            new_weights = np.where(draws[:, 0] < 0.1, 0.1 + 0.9 * draws[:, 1], weights)
            new_rates = np.where(draws[:, 2] < 0.1, draws[:, 3], rates)
        first, second, third = _partners(streams.uniform(_POPULATION, 3))
        base = points[runs, values.argmin(axis=1)[:, np.newaxis] if best else first]
        steps = points[runs, second] - points[runs, third]
        mutants = base + new_weights[..., np.newaxis] * steps
        trials = _folded(np.where(_crossed(streams, new_rates, dimension), mutants, points))
        trial_values = objective(trials)
        yield trial_values
        kept = trial_values <= values
        points = np.where(kept[..., np.newaxis], trials, points)
        values = np.where(kept, trial_values, values)
        weights, rates = np.where(kept, new_weights, weights), np.where(kept, new_rates, rates)


# ------------------------------------------------------------------------------ swarm


def _swarm(objective: Objective, dimension: int, streams: Streams) -> Iterator[FloatArray]:
    """Particle swarm with the constriction of Clerc and Kennedy (2002), all particles linked."""
    points = streams.uniform(_POPULATION, dimension)
    values = objective(points)
    own, own_values = points, values
    velocity = np.zeros_like(points)
    yield values
    while True:
        leader = own[streams.runs, own_values.argmin(axis=1)][:, np.newaxis]
        to_own, to_leader = np.moveaxis(streams.uniform(2, _POPULATION, dimension), 1, 0)
        pull = to_own * (own - points) + to_leader * (leader - points)
        velocity = 0.7298 * velocity + 1.49618 * pull
        moved = points + velocity
        velocity = np.where((moved < 0) | (moved > 1), -velocity, velocity)
        points = _folded(moved)
        values = objective(points)
        yield values
        better = values < own_values
        own = np.where(better[..., np.newaxis], points, own)
        own_values = np.where(better, values, own_values)


# ---------------------------------------------------------------- covariance adaptation


def _adaptation(objective: Objective, dimension: int, streams: Streams) -> Iterator[FloatArray]:
    """The (mu/mu_w, lambda)-CMA-ES of Hansen's tutorial (2016) with its default settings.

    Rank-one and rank-mu updates, cumulative step-size adaptation; no negative weights, no
    restarts. Steps have a standard deviation of 0.3 at the start, and of no more later in any
    coordinate: a cloud as wide as the cube, folded into it, would not learn where it is. The root
    of the covariance is Cholesky's, as in Krause, Arbonès and Igel (2016): cheaper than
    eigenvectors and, unlike their signs, unique.
    """
    n = dimension
    size = 4 + int(3 * np.log(n))
    weights = np.log((size + 1) / 2) - np.log(np.arange(1, size // 2 + 1))
    weights /= weights.sum()
    mass = 1 / np.sum(weights**2)
    c_sigma = (mass + 2) / (n + mass + 5)
    damping = 1 + 2 * max(0.0, np.sqrt((mass - 1) / (n + 1)) - 1) + c_sigma
    c_path = (4 + mass / n) / (n + 4 + 2 * mass / n)
    c_one = 2 / ((n + 1.3) ** 2 + mass)
    c_mu = min(1 - c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
    expected = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n**2))

    mean = streams.uniform(n)
    sigma = np.full((len(streams.runs), 1), 0.3)
    sigma_path, path = np.zeros_like(mean), np.zeros_like(mean)
    covariance = np.tile(np.eye(n), (len(streams.runs), 1, 1))
    root = covariance
    generation = 0
    while True:
        normals = streams.normal(size, n)
        steps = normals @ np.swapaxes(root, 1, 2)
        values = objective(_folded(mean[:, np.newaxis] + sigma[:, np.newaxis] * steps))
        yield values
        generation += 1
        order = np.argsort(values, axis=1, kind="stable")[:, : len(weights), np.newaxis]
        chosen = np.take_along_axis(steps, order, axis=1)
        step = _mixed(weights, chosen)
        mean = mean + sigma * step
        # the root's inverse takes a step back to the normal numbers that it was made of
        whitened = _mixed(weights, np.take_along_axis(normals, order, axis=1))
        sigma_path = (1 - c_sigma) * sigma_path
        sigma_path += np.sqrt(c_sigma * (2 - c_sigma) * mass) * whitened
        length = np.sqrt(np.sum(sigma_path**2, axis=1, keepdims=True)) / expected
        warm = np.sqrt(1 - (1 - c_sigma) ** (2 * generation))
        short = (length / warm * expected < (1.4 + 2 / (n + 1)) * expected).astype(np.float64)
        path = (1 - c_path) * path + short * np.sqrt(c_path * (2 - c_path) * mass) * step
        lost = c_one * (1 - (1 - short) * c_path * (2 - c_path)) + c_mu
        spread = np.swapaxes(chosen, 1, 2) @ (weights[:, np.newaxis] * chosen)
        covariance = (
            (1 - lost)[..., np.newaxis] * covariance
            + c_one * path[:, :, np.newaxis] * path[:, np.newaxis, :]
            + c_mu * spread
        )
        sigma = sigma * np.exp(np.minimum(1, c_sigma / damping * (length - 1)))
        widest = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2).max(axis=1, keepdims=True))
        sigma = np.minimum(sigma, 0.3 / widest)
        root = _root(covariance)


def _mixed(weights: FloatArray, steps: FloatArray) -> FloatArray:
    mixed: FloatArray = np.add.reduce(weights[:, np.newaxis] * steps, axis=1)
    return mixed


def _root(covariance: FloatArray) -> FloatArray:
    """Return lower triangular roots of covariances [run, coordinate, coordinate]."""
    # once a run is stuck, rounding might leave nothing in some direction
    least = 1e-13 * np.diagonal(covariance, axis1=1, axis2=2).max(axis=1)
    ridge = least[:, np.newaxis, np.newaxis] * np.eye(covariance.shape[1])
    root: FloatArray = np.linalg.cholesky(covariance + ridge)
    return root


# -------------------------------------------------------------------------- one by one


def _annealing(
    objective: Objective, dimension: int, streams: Streams, *, budget: int = BUDGET
) -> Iterator[FloatArray]:
    """Simulated annealing (Kirkpatrick et al., 1983) from the best of 400 random points.

    About two coordinates move at a time. The temperature falls geometrically by twelve powers
    of ten from the standard deviation of those values, the width of moves by four from 0.3.
    """
    points = streams.uniform(_BLOCK, dimension)
    values = objective(points)
    yield values
    start = values.argmin(axis=1)
    point, value = points[streams.runs, start], values[streams.runs, start]
    heat = values.std(axis=1)
    for count in range(budget - _BLOCK):
        within = count % _BLOCK
        if within == 0:
            normals = streams.normal(_BLOCK, dimension)
            draws = streams.uniform(_BLOCK, dimension)
            limits = -np.log1p(-streams.uniform(_BLOCK))
        cooled = count / (budget - _BLOCK)
        draw = draws[:, within]
        moving = draw <= np.maximum(2 / dimension, draw.min(axis=1, keepdims=True))
        trial = _folded(point + 0.3 * 1e-4**cooled * np.where(moving, normals[:, within], 0))
        trial_value = objective(trial[:, np.newaxis])[:, 0]
        yield trial_value[:, np.newaxis]
        # a rise is accepted with probability exp(-rise / temperature)
        accepted = trial_value - value <= heat * 1e-12**cooled * limits[:, within]
        point = np.where(accepted[:, np.newaxis], trial, point)
        value = np.where(accepted, trial_value, value)


def _random(objective: Objective, dimension: int, streams: Streams) -> Iterator[FloatArray]:
    while True:
        yield objective(streams.uniform(_BLOCK, dimension))


OPTIMISERS: dict[str, Optimiser] = {
    "DE/rand/1/bin": _evolution,
    "DE/best/1/bin": partial(_evolution, best=True, weight=0.7),
    "jDE": partial(_evolution, adaptive=True),
    "CMA-ES (basic)": _adaptation,
    "particle swarm": _swarm,
    "simulated annealing": _annealing,
    "random search": _random,
}
