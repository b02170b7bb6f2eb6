"""Functions to minimise, each 0 at its optimum and above 0 elsewhere but for stated plateaus.

All take ``z`` [..., coordinate], the distance from a shift that :class:`Problem` draws: the
optimum is where ``z`` is 0, never at the centre. Formulas are rearranged so that nothing cancels:
0 is met exactly, and rounding cannot pass below it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bundled.study import seed
from nbcompare._arrays import FloatArray

Function = Callable[[FloatArray], FloatArray]

# Shifts fill this share of the domain around its centre.
_INNER = 0.6


def _places(z: FloatArray) -> FloatArray:
    """Return the place of each coordinate: 0 for the first, 1 for the last."""
    return np.linspace(0.0, 1.0, z.shape[-1])


def _total(terms: FloatArray) -> FloatArray:
    total: FloatArray = np.add.reduce(terms, axis=-1)
    return total


def _product(factors: FloatArray) -> FloatArray:
    product: FloatArray = np.multiply.reduce(factors, axis=-1)
    return product


# ---------------------------------------------------------------------------- unimodal


def _sphere(z: FloatArray) -> FloatArray:
    return _total(z * z)


def _ellipsoid(z: FloatArray) -> FloatArray:
    return _total(10.0 ** (6 * _places(z)) * (z * z))


def _bent_cigar(z: FloatArray) -> FloatArray:
    return z[..., 0] ** 2 + 1e6 * _total(z[..., 1:] ** 2)


def _discus(z: FloatArray) -> FloatArray:
    return 1e6 * z[..., 0] ** 2 + _total(z[..., 1:] ** 2)


def _different_powers(z: FloatArray) -> FloatArray:
    return _total(np.abs(z) ** np.arange(2.0, z.shape[-1] + 2))


def _schwefel_1_2(z: FloatArray) -> FloatArray:
    return _total(np.cumsum(z, axis=-1) ** 2)


def _schwefel_2_21(z: FloatArray) -> FloatArray:
    largest: FloatArray = np.abs(z).max(axis=-1)
    return largest


def _schwefel_2_22(z: FloatArray) -> FloatArray:
    size = np.abs(z)
    return _total(size) + _product(size)


def _step(z: FloatArray) -> FloatArray:
    """Step function, 0 on a whole cube of width 1."""
    return _total(np.floor(z + 0.5) ** 2)


def _rosenbrock(z: FloatArray) -> FloatArray:
    """Rosenbrock's valley, its optimum (1, ..., 1) moved to 0."""
    first, second = z[..., :-1], z[..., 1:]
    return _total(100 * (second - first * (first + 2)) ** 2 + first**2)


def _zakharov(z: FloatArray) -> FloatArray:
    slope = _total(0.5 * np.arange(1.0, z.shape[-1] + 1) * z) ** 2
    return _total(z * z) + slope + slope * slope


# -------------------------------------------------------------------------- multimodal


def _rastrigin(z: FloatArray) -> FloatArray:
    return _total(z * z + 10 * (1 - np.cos(2 * np.pi * z)))


def _ackley(z: FloatArray) -> FloatArray:
    n = z.shape[-1]
    distance = np.sqrt(_total(z * z) / n)
    ripple = _total(np.cos(2 * np.pi * z) - 1) / n
    value: FloatArray = -20 * np.expm1(-0.2 * distance) - np.e * np.expm1(ripple)
    return value


def _griewank(z: FloatArray) -> FloatArray:
    roots = np.sqrt(np.arange(1.0, z.shape[-1] + 1))
    return _total(z * z) / 4000 + (1 - _product(np.cos(z / roots)))


def _levy(z: FloatArray) -> FloatArray:
    """Levy's function with w = 1 + z / 4: sin(pi w) is -sin(pi z / 4)."""
    quarter = z / 4
    inner, last = quarter[..., :-1], quarter[..., -1]
    waves = 1 + 10 * np.sin(np.pi * (1 + inner) + 1) ** 2
    ends: FloatArray = np.sin(np.pi * quarter[..., 0]) ** 2
    ends = ends + last**2 * (1 + np.sin(2 * np.pi * last) ** 2)
    return _total(inner**2 * waves) + ends


# The coordinate of the minimum of x^4 - 16 x^2 + 5 x, a root of 4 x^3 - 32 x + 5.
_TANG = float(np.roots([4.0, 0.0, -32.0, 5.0]).real.min())


def _styblinski_tang(z: FloatArray) -> FloatArray:
    """Half of x^4 - 16 x^2 + 5 x above its minimum, expanded there: no linear term is left."""
    return _total(0.5 * (z * z) * (z * (z + 4 * _TANG) + (6 * _TANG**2 - 16)))


def _weierstrass(z: FloatArray) -> FloatArray:
    """Waves of half the height and a third of the length each, 21 of them.

    cos(2 pi 3^k (z + 1/2)) is -cos(2 pi 3^k z), as 3^k is odd.
    """
    total = np.zeros(z.shape[:-1])
    for k in range(21):
        total += 0.5**k * _total(1 - np.cos((2 * np.pi * 3.0**k) * z))
    return total


def _salomon(z: FloatArray) -> FloatArray:
    distance = np.sqrt(_total(z * z))
    return 1 - np.cos(2 * np.pi * distance) + 0.1 * distance


def _alpine(z: FloatArray) -> FloatArray:
    """Alpine function, 0 also where the sine of some coordinates is -0.1 and the others are 0."""
    return _total(np.abs(z * (np.sin(z) + 0.1)))


# Each with half the width of its domain, which is a cube around the origin.
FUNCTIONS: dict[str, tuple[Function, float]] = {
    "sphere": (_sphere, 100),
    "ellipsoid": (_ellipsoid, 100),
    "bent cigar": (_bent_cigar, 100),
    "discus": (_discus, 100),
    "different powers": (_different_powers, 1),
    "Schwefel 1.2": (_schwefel_1_2, 100),
    "Schwefel 2.21": (_schwefel_2_21, 100),
    "Schwefel 2.22": (_schwefel_2_22, 10),
    "step": (_step, 100),
    "Rosenbrock": (_rosenbrock, 30),
    "Zakharov": (_zakharov, 10),
    "Rastrigin": (_rastrigin, 5.12),
    "Ackley": (_ackley, 32),
    "Griewank": (_griewank, 600),
    "Levy": (_levy, 10),
    "Styblinski-Tang": (_styblinski_tang, 5),
    "Weierstrass": (_weierstrass, 0.5),
    "Salomon": (_salomon, 100),
    "Alpine": (_alpine, 10),
}


@dataclass(frozen=True)
class Problem:
    """A function in a number of dimensions, its optimum shifted from the centre.

    Attributes
    ----------
    function : str
        A name in ``FUNCTIONS``.
    dimension : int
        Number of coordinates.
    """

    function: str
    dimension: int

    @property
    def name(self) -> str:
        """Name of the function, with its dimension in brackets."""
        return f"{self.function} ({self.dimension})"

    @cached_property
    def shift(self) -> FloatArray:
        """Place of the optimum, drawn by the problem's name."""
        half = FUNCTIONS[self.function][1]
        drawn = np.random.default_rng(seed(self.name)).random(self.dimension)
        return _INNER * half * (2 * drawn - 1)

    def at(self, points: FloatArray) -> FloatArray:
        """Return values at points [..., coordinate] of the domain; the optimum is 0."""
        return FUNCTIONS[self.function][0](points - self.shift)

    def __call__(self, shares: FloatArray) -> FloatArray:
        """Return values at points of the unit cube, which is stretched to the domain."""
        half = FUNCTIONS[self.function][1]
        return self.at(half * (2 * shares - 1))
