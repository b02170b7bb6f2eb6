"""Tests of two algorithms whose scores are intervals: the range of p over all selections.

The p-value of interval-valued data is the set of the p-values of all selections from the
intervals (Otero, Sánchez and Couso 2010; Otero et al. 2013, section 2). Its ends are computed
from those of the test statistic where that is monotone in every score, or by an exhaustive
search where it is not; random selections (:func:`monte_carlo`) see but a part of the set.

The rank tests here are functions of their statistic alone: the null law is that of
untied data, whatever ties a selection has. A statistic between two of its values, as ties
make them, is rounded towards the centre, which is conservative. So on tied data these
p-values differ from those of :mod:`~nbcompare.stats.signed_rank` and
:mod:`~nbcompare.stats.rank_sum`, which count the ties in: of signed ranks by factors from 0.6
to 1.8 where 10 differences take but 7 values (measured).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import cast

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats import _boxes, _t_range, permutation
from nbcompare.stats._boxes import check_box, check_samples, in_blocks, p_of, side_of
from nbcompare.stats.rankings import LARGEST
from nbcompare.stats.tails import IntervalP

TESTS = ("wilcoxon", "rank-sum", "sign", "t", "permutation")


def signed_rank_interval(
    lower: npt.ArrayLike, upper: npt.ArrayLike, *, scale: npt.ArrayLike | None = None
) -> IntervalP:
    r"""Range of the two-sided p of Wilcoxon's signed-ranks test over a box of differences.

    With mid-ranks and zeros split evenly, the sum of the ranks of positive differences is

    .. math:: W^+ = \#\{i \le j: d_i + d_j > 0\} + \tfrac12 \#\{i \le j: d_i + d_j = 0\},

    which no difference can raise by getting smaller. So it ranges from its value at all
    lower ends to that at all upper ends, and p, a function of W+ alone, is least at the
    end farther from n(n+1)/4 and greatest at the nearer one, or 1 if the centre is
    between them.

    Parameters
    ----------
    lower, upper : array_like, shape (..., n_blocks)
        Ends of the differences first minus second: least score of the first minus greatest
        of the second, and the reverse. At least 2 blocks.
    scale : array_like, optional
        Magnitude of the scores that the differences are differences of, broadcast against
        them. Differences are tied, or zero, when rounding noise of that magnitude is all
        there is between them. By default their own magnitude.

    Returns
    -------
    IntervalP
        Two arrays of shape (...). Both ends are attained by a selection, but for one case:
        if several differences are points of the same size, W+ may jump over its centre,
        and then p_high = 1 is an upper bound. The law is that of untied ranks up to 300
        blocks, its normal approximation without continuity correction beyond; p below the
        smallest float, 2.2e-308, is given as that.

    Raises
    ------
    ValueError
        For numbers that are not finite, shapes that differ, fewer than 2 blocks, or a lower
        end above its upper end.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010), section 2.2, with random selections.
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1,
    80-83.

    Examples
    --------
    The first is better in five blocks for certain, in the sixth perhaps:

    >>> lower, upper = [-3, -4, -2, -6, -5, -1.5], [-1, -3, -1, -4, -2, 0.5]
    >>> p = signed_rank_interval(lower, upper)
    >>> p.p_low.item(), p.p_high.item()
    (0.03125, 0.0625)
    """
    box, shape = check_box(lower, upper, scale)
    n = box.lower.shape[1]
    tail = _boxes.signed_rank_tail(n)
    return in_blocks(lambda rows: p_of(_boxes.signed_ranks(box.rows(rows)), tail), n, shape)


def sign_interval(
    lower: npt.ArrayLike, upper: npt.ArrayLike, *, scale: npt.ArrayLike | None = None
) -> IntervalP:
    r"""Range of the two-sided p of the sign test over a box of differences.

    :math:`S = \#\{d_i > 0\} + \tfrac12 \#\{d_i = 0\}` rises with every difference; p is as of
    :func:`~nbcompare.stats.sign.sign_test`: binomial, where an odd number of zeros costs one
    block.

    Parameters
    ----------
    lower, upper, scale
        As in :func:`signed_rank_interval`.

    Returns
    -------
    IntervalP
        Two arrays of shape (...). Always exact, both ends attained: between negative and
        positive every difference passes zero.

    Raises
    ------
    ValueError
        As :func:`signed_rank_interval`.

    Examples
    --------
    >>> p = sign_interval([-3, -4, -2, -6, -5, -1.5], [-1, -3, -1, -4, -2, 0.5])
    >>> p.p_low.round(5).item(), p.p_high.round(5).item()
    (0.03125, 0.21875)
    """
    box, shape = check_box(lower, upper, scale)
    n = box.lower.shape[1]
    tail = _boxes.sign_tail(n)
    return in_blocks(lambda rows: p_of(_boxes.signs(box.rows(rows)), tail), n, shape)


def rank_sum_interval(
    xl: npt.ArrayLike,
    xu: npt.ArrayLike,
    yl: npt.ArrayLike,
    yu: npt.ArrayLike,
    *,
    scale: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
) -> IntervalP:
    r"""Range of the two-sided p of the rank-sum test over two samples of intervals.

    :math:`U = \#\{x_i > y_j\} + \tfrac12 \#\{x_i = y_j\}` rises with every x and falls with
    every y, so its ends are at the lower x and upper y, and at the reverse.

    Parameters
    ----------
    xl, xu : array_like, shape (..., m)
        Ends of the scores of the first algorithm, smaller is better; at least 2.
    yl, yu : array_like, shape (..., n)
        Of the second. The other axes broadcast.
    scale : tuple of two array_like, optional
        Magnitudes of the numbers that the scores of each sample were computed from.

    Returns
    -------
    IntervalP
        Two arrays of shape (...), attained as in :func:`signed_rank_interval`. The law is
        that of untied ranks up to a product mn of 22,500, its normal approximation without
        continuity correction beyond.

    Raises
    ------
    ValueError
        As :func:`signed_rank_interval`.

    Notes
    -----
    The p-values in the tables of Otero, Sánchez and Couso (2010) are those of this test with
    m = n = 10, which takes no account of which scores are of the same block; the smallest,
    1.0825e-05, is 2 / C(20, 10). Signed ranks of 10 blocks cannot go below 0.00195.

    Examples
    --------
    The least and greatest p if one of ten scores may be anything:

    >>> x, y = np.arange(10.0), np.arange(10.0, 20.0)
    >>> low, high = x.copy(), x.copy()
    >>> low[9], high[9] = -100.0, 100.0
    >>> p = rank_sum_interval(low, high, y, y)
    >>> p.p_low.round(9).item(), p.p_high.round(4).item()
    (1.0825e-05, 0.0015)
    """
    x, y, shape = check_samples(xl, xu, yl, yu, scale)
    m, n = x.lower.shape[1], y.lower.shape[1]
    tail = _boxes.rank_sum_tail(m, n)
    return in_blocks(
        lambda rows: p_of(_boxes.rank_sums(x.rows(rows), y.rows(rows)), tail), m + n, shape
    )


def paired_t_interval(
    lower: npt.ArrayLike, upper: npt.ArrayLike, *, scale: npt.ArrayLike | None = None
) -> IntervalP:
    """Range of the two-sided p of the paired t test over a box of differences.

    Unlike rank statistics, t does not rise with every difference: one that is larger than
    the rest adds more to their spread than to their mean. The greatest t is that of one
    constant, clipped to the intervals; the least is at a corner of the box, found by branch
    and bound. If the sum of the differences may be zero, so may t, and p_high is 1.

    Parameters
    ----------
    lower, upper, scale
        As in :func:`signed_rank_interval`. Differences are the same, and sums zero, when
        rounding noise is all there is between them.

    Returns
    -------
    IntervalP
        Two arrays of shape (...), both attained, to 12 digits of t squared. Beyond 16,384
        corners that the bounds cannot tell apart (many intervals with the same middle) the
        search joins those with nearly the same sum, and p_high is good to about 8 digits.
        If one and the same difference other than zero fits into all intervals, t has no
        bound and p no least value: p_low is the smallest normal float, 2.2e-308, as it is
        for every smaller p.

    Raises
    ------
    ValueError
        As :func:`signed_rank_interval`.

    Notes
    -----
    300 blocks take about a millisecond.

    Examples
    --------
    A wider interval, though it favours the second still more, makes p_high larger:

    >>> p = paired_t_interval([1.0, 2.0, 1.5, 1.0], [1.2, 2.1, 1.6, 1.3])
    >>> p.p_low.round(4).item(), p.p_high.round(4).item()
    (0.0034, 0.0127)
    >>> paired_t_interval([1.0, 2.0, 1.5, 1.0], [1.2, 9.1, 1.6, 1.3]).p_high.round(4).item()
    0.211
    """
    box, shape = check_box(lower, upper, scale)
    return in_blocks(lambda rows: _t_range.range_of_p(box.rows(rows)), box.lower.shape[1], shape)


def favours(
    lower: npt.ArrayLike,
    upper: npt.ArrayLike,
    test: str,
    *,
    other: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    scale: npt.ArrayLike | tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
) -> IntArray:
    """Which of two algorithms the statistic of a test favours, whatever is selected.

    Parameters
    ----------
    lower, upper : array_like, shape (..., n_blocks)
        Ends of the differences first minus second, smaller is better; of the scores of the
        first for ``rank-sum``.
    test : {"wilcoxon", "rank-sum", "sign", "t", "permutation"}
        Whose statistic. Those of ``t`` and ``permutation`` have the sign of the sum.
    other : tuple of two array_like, optional
        Ends of the scores of the second, for ``rank-sum`` only.
    scale : array_like, optional
        Magnitude of the scores that the differences are differences of; for ``rank-sum``
        those of either sample.

    Returns
    -------
    ndarray of int, shape (...)
        1 if every selection favours the first, -1 if every one favours the second, 0 if
        the data cannot tell: the statistic may be at its centre, or on both sides.

    Raises
    ------
    ValueError
        For an unknown test, or intervals that are none (see :func:`signed_rank_interval`).
    TypeError
        If ``other`` is missing for ``rank-sum``, or given for another test.

    Examples
    --------
    >>> favours([[-2.0, -1.0, -3.0], [-2.0, -1.0, -3.0]], [[-1.0, 0.5, -2.0], [3.0, 2.0, -2.0]],
    ...         "wilcoxon")
    array([1, 0])
    """
    check_choice(test, "test", TESTS)
    if (test == "rank-sum") != (other is not None):
        raise TypeError(
            "`other` must hold the ends of the second sample for 'rank-sum', and only then; got "
            f"{'none' if other is None else 'some'} for {test!r}."
        )
    if other is not None:
        scales = cast("tuple[npt.ArrayLike, npt.ArrayLike] | None", scale)
        names = ("lower", "upper", "other[0]", "other[1]")
        x, y, shape = check_samples(lower, upper, *other, scales, names)
        return -side_of(_boxes.rank_sums(x, y)).reshape(shape)
    box, shape = check_box(lower, upper, cast("npt.ArrayLike | None", scale))
    if test == "wilcoxon":
        return -side_of(_boxes.signed_ranks(box)).reshape(shape)
    if test == "sign":
        return -side_of(_boxes.signs(box)).reshape(shape)
    least, most = _t_range.sums(_t_range.settled(box))
    return np.asarray((most < 0).astype(np.int64) - (least > 0)).reshape(shape)


def monte_carlo(x_draws: npt.ArrayLike, y_draws: npt.ArrayLike, test: str) -> IntervalP:
    """Least and greatest two-sided p over random selections, as in the paper of 2010.

    An inner approximation: what is not drawn is not seen. Of 10 folds and 30 runs,
    10,000 draws saw about half of the range of the signed-ranks statistic.

    Parameters
    ----------
    x_draws, y_draws : array_like, shape (..., n_draws, n_blocks)
        One selection per draw, from the scores of the first and the second algorithm.
    test : {"wilcoxon", "rank-sum", "sign", "t", "permutation"}
        Computed exactly for every draw, by the same laws as the intervals. Two samples may
        differ in size for ``rank-sum``.

    Returns
    -------
    IntervalP
        Two arrays of shape (...).

    Raises
    ------
    ValueError
        For an unknown test, no draws, or draws that :func:`signed_rank_interval` would not
        take.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010), section 2.2.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.uniform(0, 1, (100, 10)), np.linspace(1, 2, 10)
    >>> p = monte_carlo(x, np.broadcast_to(y, x.shape), "wilcoxon")
    >>> p.p_low.round(4).item(), p.p_high.round(4).item()
    (0.002, 0.002)
    """
    check_choice(test, "test", TESTS)
    x, y = check_finite(x_draws, "x_draws"), check_finite(y_draws, "y_draws")
    for name, draws in (("x_draws", x), ("y_draws", y)):
        if draws.ndim < 2 or draws.shape[-2] < 1:
            raise ValueError(
                f"`{name}` must have the shape (..., n_draws, n_blocks) with at least 1 draw; "
                f"got {draws.shape}."
            )
    different = x.shape[:-1] != y.shape[:-1] if test == "rank-sum" else x.shape != y.shape
    if different:
        raise ValueError(
            f"`x_draws` and `y_draws` must have the same shape; got {x.shape} and {y.shape}."
        )
    if test == "rank-sum":
        p = rank_sum_interval(x, x, y, y)
    else:
        scale = np.maximum(np.abs(x), np.abs(y))
        if scale.max(initial=0.0) > LARGEST:
            x, y, scale = x / 4, y / 4, scale / 4  # or their differences would be infinite
        p = _OF_DIFFERENCES[test](x - y, scale)
    return IntervalP(p.p_low.min(axis=-1), p.p_high.max(axis=-1))


_OF_DIFFERENCES: Mapping[str, Callable[[FloatArray, FloatArray], IntervalP]] = MappingProxyType(
    {
        "wilcoxon": lambda d, scale: signed_rank_interval(d, d, scale=scale),
        "sign": lambda d, scale: sign_interval(d, d, scale=scale),
        "t": lambda d, scale: paired_t_interval(d, d, scale=scale),
        "permutation": lambda d, scale: permutation.sign_flips(d, scale=scale),
    }
)
