"""Groups of algorithms without significant differences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray


class TooManyGroupsError(ValueError):
    """Raised if there are more groups than can be displayed."""


def maximal_groups(different: npt.ArrayLike, *, most: int = 200) -> tuple[tuple[int, ...], ...]:
    """Find all maximal sets of algorithms in which no pair differs significantly.

    Two algorithms share a group exactly if they do not differ significantly, and no group is
    part of another one. If p falls with the distance of average ranks, the groups are intervals
    of the rank axis; other tests of pairs can lead to any pattern.

    Parameters
    ----------
    different : array_like of bool, shape (k, k)
        True where a pair differs significantly; symmetric, the diagonal is ignored.
    most : int, default 200
        Largest number of groups, because patterns other than intervals can have exponentially
        many groups.

    Returns
    -------
    tuple of tuple of int
        Groups of at least 1 algorithm, as ascending indices, in lexical order.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric.
    TooManyGroupsError
        If there are more than ``most`` groups; a subclass of ValueError.

    Examples
    --------
    Algorithms 0 and 2 differ significantly, and 1 lies between them:

    >>> maximal_groups([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    ((0, 1), (1, 2))
    """
    matrix = np.asarray(different, dtype=np.bool_)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or (matrix != matrix.T).any():
        raise ValueError(
            f"`different` must be a square symmetric matrix; got an array of shape {matrix.shape}."
        )
    alike = ~matrix
    np.fill_diagonal(alike, True)
    intervals = _intervals(alike)
    if intervals is not None:
        return intervals
    np.fill_diagonal(alike, False)
    # A set of algorithms is stored as the bits of a number, so intersection is one operation.
    neighbours = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in alike]
    groups: list[int] = []
    for group in _maximal_cliques(neighbours, 0, (1 << len(matrix)) - 1, 0):
        if len(groups) == most:
            raise TooManyGroupsError(
                f"the pairs make more than {most} groups; show them as a matrix."
            )
        groups.append(group)
    return tuple(sorted(tuple(_members(group)) for group in groups))


def _intervals(alike: BoolArray) -> tuple[tuple[int, ...], ...] | None:
    """Return the groups if each is a run of consecutive algorithms, otherwise None."""
    k = len(alike)
    if k == 0:
        return ()
    # the last partner of each algorithm, and whether all algorithms up to it are partners too
    last = k - 1 - np.argmax(alike[:, ::-1], axis=1)
    if (np.triu(alike).sum(axis=1) != last - np.arange(k) + 1).any() or (np.diff(last) < 0).any():
        return None
    starts = np.flatnonzero(np.diff(last, prepend=-1) > 0)
    return tuple(tuple(range(start, last[start] + 1)) for start in starts.tolist())


def _maximal_cliques(
    neighbours: list[int], chosen: int, candidates: int, excluded: int
) -> Iterator[int]:
    """Search maximal cliques by Bron and Kerbosch's algorithm with Tomita's pivot."""
    if not candidates:
        if not excluded:
            yield chosen
        return
    pivot = max(
        _members(candidates | excluded),
        key=lambda vertex: (candidates & neighbours[vertex]).bit_count(),
    )
    for vertex in _members(candidates & ~neighbours[pivot]):
        near = neighbours[vertex]
        yield from _maximal_cliques(
            neighbours, chosen | 1 << vertex, candidates & near, excluded & near
        )
        candidates &= ~(1 << vertex)
        excluded |= 1 << vertex


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
