"""Groups of algorithms that are not shown to differ from one another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray


class TooManyGroupsError(ValueError):
    """More groups than anyone could read."""


def maximal_groups(different: npt.ArrayLike, *, most: int = 200) -> tuple[tuple[int, ...], ...]:
    """All maximal sets of algorithms in which no pair was shown to differ.

    A pair is in some group together exactly if it was not shown to differ; no group is
    part of another. When p falls with the distance of average ranks the groups are
    intervals of the rank axis; pairs tested otherwise can make any pattern.

    Parameters
    ----------
    different : array_like of bool, shape (k, k)
        True where a pair was shown to differ; symmetric, diagonal ignored.
    most : int, default 200
        Patterns other than intervals can have exponentially many groups; more than this
        is an error.

    Returns
    -------
    tuple of tuple of int
        Groups of at least 1 algorithm, as ascending indices, in lexical order.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric.
    TooManyGroupsError
        A ValueError, if there are more than ``most`` groups.

    Examples
    --------
    0 and 2 differ, 1 stands between them:

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
    # Sets of algorithms are the bits of a number: intersection is one operation.
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
    """The groups if each is a run of consecutive algorithms, which is quickly found; else None."""
    k = len(alike)
    if k == 0:
        return ()
    # each algorithm's last partner, and whether all up to that one are partners too
    last = k - 1 - np.argmax(alike[:, ::-1], axis=1)
    if (np.triu(alike).sum(axis=1) != last - np.arange(k) + 1).any() or (np.diff(last) < 0).any():
        return None
    starts = np.flatnonzero(np.diff(last, prepend=-1) > 0)
    return tuple(tuple(range(start, last[start] + 1)) for start in starts.tolist())


def _maximal_cliques(
    neighbours: list[int], chosen: int, candidates: int, excluded: int
) -> Iterator[int]:
    """Bron and Kerbosch's search with Tomita's pivot, over bit sets."""
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
