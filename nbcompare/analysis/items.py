"""Comparisons on the items of one or more benchmarks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._options import AUTO, MAXIMIZE, default
from nbcompare._render import Note
from nbcompare._validation import DataError
from nbcompare.analysis._family import Adjust, Family
from nbcompare.analysis.data import (
    called,
    check_several_algorithms,
    of_frames,
    refuse_intervals,
    result_of,
    treated,
)
from nbcompare.analysis.within import PairsWithin, name_of_dataset
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import EachBenchmark, ItemComparison
from nbcompare.results.hypotheses import agreeing
from nbcompare.results.texts import note
from nbcompare.stats import adjust as procedures
from nbcompare.stats import items as stats_of_items
from nbcompare.stats import posthoc
from nbcompare.stats.proportions import paired_difference

_FEW_CLUSTERS = 6  # of fewer, standard errors say little


@of_frames
def compare_items(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    control: str | None = default("control"),
    test: str = default("items.test"),
    adjust: Adjust = default("items.adjust"),
    alpha: float = default("alpha"),
    missing: str = default("items.missing"),
) -> ItemComparison:
    r"""Test which algorithms differ on the items of benchmarks, such as questions or images.

    The scores of two algorithms on the same items are compared: right and wrong answers by
    McNemar's exact test, all other scores by their mean difference, whose sign is random if
    swapping the two changes nothing. Of several benchmarks the means are averaged, all with the
    same weight; the pairs are compared on each of them too, adjusted together.

    Parameters
    ----------
    experiment : Experiment or dataframe
        An experiment with items, as ``Experiment.read`` makes it with ``item=`` or
        ``unit="items"``, of at least 2 algorithms. Runs on an item are averaged, with a note.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only.
    control : str, optional
        The algorithm that all others are compared with; ``"best"`` is the one with the best mean,
        whose comparisons are those out of all pairs, over which p-values are adjusted, because the
        data choose it. All pairs are compared by default.
    test : {"auto", "mcnemar", "sign-flip"}
        ``mcnemar``: whether of the items on which one alone is right half are the first's; for
        scores of 0 and 1 on independent items of one benchmark. ``sign-flip``: whether the mean
        difference is further from 0 than with random signs of the differences of each item, or
        each cluster. ``auto``: ``mcnemar`` where it can be had.
    adjust : str or list of str or None
        Procedure that adjusts the p-values over all pairs, as in :func:`compare` (except
        ``nemenyi``): Holm's by default.
    alpha : float, default 0.05
        Level of the family-wise error, or of the false discovery rate.
    missing : {"raise", "drop-folds"}
        What to do if an algorithm lacks items that others have: raise an error that names them, or
        leave these items out.

    Returns
    -------
    ItemComparison
        The result, which displays itself; see also its ``sentences`` and ``to_frame()``. Tied
        items say nothing of which is better, but enter means and intervals. If all are tied, p is
        1.

    Raises
    ------
    DataError
        If the experiment has no items, scores are missing or intervals, or there are fewer than 2
        items, or clusters.
    ValueError
        If ``mcnemar`` is asked for and cannot be had, or an option is unknown.

    Notes
    -----
    Standard errors are those of :func:`nbcompare.stats.items.cluster_errors`; over :math:`B`
    benchmarks, the root of the sum of squared errors, over :math:`B`. The difference that would be
    found with probability 0.8 is :math:`(z_{1 - \alpha/2m} + z_{0.8})` standard errors, for
    :math:`m` pairs.

    References
    ----------
    Miller, E. (2024). Adding error bars to evals: A statistical approach to language model
    evaluations. arXiv 2411.00640, sections 2 to 4.
    McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions
    or percentages. Psychometrika 12, 153-157.
    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for
    the paired-sample design. Statistics in Medicine 17, 891-908.

    Examples
    --------
    Of 75 questions one model alone answers 14, and the other alone 1:

    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> answers = np.repeat([[1, 0], [0, 1], [1, 1], [0, 0]], [14, 1, 40, 20], axis=0)
    >>> data = nbc.Experiment.from_array(answers, direction="maximize", unit="items")
    >>> result = nbc.compare_items(data)
    >>> result
    <ItemComparison: A1 has the better mean of the two algorithms on this benchmark, over 75 items
    (0.720 against 0.547 of A2; scores, higher is better)>
    >>> result.to_frame()[["first", "mean_difference", "lower", "upper", "pvalue"]].round(4)
      first  mean_difference   lower   upper  pvalue
    0    A1           0.1733  0.0855  0.2789   0.001
    """
    given, asked = called("compare_items", locals())
    _check_items(given)
    data, notes = treated(given, missing, function="compare_items")
    items = _items_of(data)
    parts = items.parts
    word = _settled_test(test, items)
    pairs = PairsWithin.of(
        data.algorithms,
        np.mean([-part.gains.mean(axis=1) for part in parts], axis=0),
        asked=asked,
        transitive=False,
    )
    gains = [_differences(part, pairs) for part in parts]
    outcome = _tested(word, parts, gains, pairs.level)
    family, of_pairs = pairs.tested(
        outcome.tests, outcome.lower, outcome.upper, outcome.difference, gains
    )
    means = np.mean([part.scores.mean(axis=1) for part in parts], axis=0)
    each = [stats_of_items.cluster_errors(p.scores, p.clusters) for p in parts]
    errors = np.sqrt(np.sum(np.square(each), axis=0)) / len(parts)  # of means over benchmarks
    detectable = stats_of_items.detectable_difference(outcome.error, alpha=pairs.level)
    return result_of(
        ItemComparison,
        data,
        asked,
        given=given,
        dataset=name_of_dataset(data),
        **of_pairs,
        benchmarks=data.datasets,
        n_items=tuple(part.n for part in parts),
        n_clusters=items.n_clusters,
        test=word,
        is_exact=outcome.is_exact,
        mean_scores=pairs.by_name(means),
        errors=pairs.by_name(errors),
        detectable=family.oriented(detectable, detectable),
        omnibus=pairs.omnibus(stats_of_items.cochran_q(parts[0].scores))
        if word == "mcnemar" and len(pairs.names) > 2
        else None,
        each=_each(word, parts, gains, family, pairs.alpha) if len(parts) > 1 else None,
        notes=(*notes, *pairs.notes("items"), *_notes_of_items(data, items, gains, pairs)),
    )


def _check_items(data: Experiment) -> None:
    if data.unit != "items":
        raise DataError(
            f"`experiment` must hold the items of a benchmark; got {data.unit}. If rows are items, "
            "read them with `item`, the column that names them, or unit='items'."
        )
    refuse_intervals(data)
    check_several_algorithms(data)


class _Part(NamedTuple):
    """The scores on the items of one benchmark, shape (n_algorithms, n_items).

    ``gains`` are turned so that higher is better, and ``clusters`` numbers them, or is None.
    """

    scores: FloatArray
    gains: FloatArray
    clusters: IntArray | None

    @property
    def n(self) -> int:
        return int(self.scores.shape[1])


class _Items(NamedTuple):
    parts: tuple[_Part, ...]
    n_clusters: tuple[int, ...]
    averaged: bool


def _items_of(data: Experiment) -> _Items:
    """Return the scores on the items that each benchmark has."""
    sign = 1.0 if data.direction == MAXIMIZE else -1.0
    parts = []
    for b, name in enumerate(data.datasets):
        runs = data.lower[b]
        there = ~np.isnan(runs).all(axis=(0, 2))
        scores = np.nanmean(runs[:, there], axis=2) if data.n_runs > 1 else runs[:, there, 0]
        codes = None
        if data.clusters is not None:
            labels, codes = np.unique(data.clusters[b, there].astype(str), return_inverse=True)
            if len(labels) == scores.shape[1]:
                codes = None  # every item is one by itself
        n = scores.shape[1] if codes is None else int(codes.max(initial=-1)) + 1
        if n < 2:
            noun = "items" if codes is None else "clusters"
            raise DataError(f"benchmark {name!r} must have at least 2 {noun}; got {n}.")
        # columns in the order of their numbers, so that the order of a table changes nothing
        keys = scores if codes is None else np.vstack([codes, scores])
        order = np.lexsort(keys)
        scores = np.ascontiguousarray(scores[:, order])
        parts.append(_Part(scores, sign * scores, None if codes is None else codes[order]))
    clustered = any(part.clusters is not None for part in parts)
    sizes = [p.n if p.clusters is None else 1 + int(p.clusters.max()) for p in parts]
    return _Items(tuple(parts), tuple(sizes) if clustered else (), data.n_runs > 1)


def _settled_test(test: str, items: _Items) -> str:
    is_binary = all(np.isin(part.scores, (0, 1)).all() for part in items.parts)
    why = (
        "scores of 0 and 1 alone"
        if not is_binary
        else "items without clusters"
        if items.n_clusters
        else "a single benchmark"
        if len(items.parts) > 1
        else ""
    )
    if test == "mcnemar" and why:
        raise ValueError(f"`test` must be 'sign-flip' or 'auto': 'mcnemar' needs {why}.")
    return ("sign-flip" if why else "mcnemar") if test == AUTO else test


def _differences(part: _Part, pairs: PairsWithin) -> FloatArray:
    first, second = pairs.first, pairs.second
    sizes = np.maximum(np.abs(part.scores[first]), np.abs(part.scores[second]))
    gains = part.gains[first] - part.gains[second]
    return np.where(np.abs(gains) <= NOISE * sizes, 0.0, gains)


class _Outcome(NamedTuple):
    """Tests of pairs, with their estimates, intervals and whether all p are exact."""

    difference: FloatArray
    error: FloatArray
    lower: FloatArray
    upper: FloatArray
    tests: posthoc.PairTests
    is_exact: bool


def _tested(word: str, parts: tuple[_Part, ...], gains: list[FloatArray], level: float) -> _Outcome:
    """Test pairs on one benchmark, or on the mean over several; intervals are at 1 - ``level``."""
    if word == "mcnemar":
        (only,) = gains
        wins, losses = (only > 0).sum(axis=1), (only < 0).sum(axis=1)
        ends = paired_difference(wins, losses, parts[0].n, confidence=1 - level)
        found = stats_of_items.mcnemar(wins, losses)
        of_pairs = posthoc.PairTests(found.statistic.astype(np.float64), *found[1:])
        error = stats_of_items.cluster_errors(only, None)
        return _Outcome(*ends[:1], error, *ends[1:], of_pairs, is_exact=True)
    flips = stats_of_items.sign_flip(gains, [part.clusters for part in parts], confidence=1 - level)
    of_pairs = posthoc.PairTests(flips.statistic, flips.pvalue, flips.log10_pvalue)
    return _Outcome(*flips[:4], of_pairs, bool(flips.exact.all()))


def _each(
    word: str, parts: tuple[_Part, ...], gains: list[FloatArray], family: Family, alpha: float
) -> EachBenchmark:
    """Test all pairs on each benchmark, in the order and orientation of the hypotheses."""
    level = alpha / (family.m * len(parts))
    found = []
    for part, of_part in zip(parts, gains, strict=True):
        binary = part.clusters is None and bool(np.isin(part.scores, (0, 1)).all())
        found.append(_tested("mcnemar" if binary else word, (part,), [of_part], level))
    p = np.array([it.tests.pvalue for it in found])
    adjusted = procedures.adjust(p.ravel(), "holm", alpha).reshape(p.shape)[:, family.order]
    rejected: BoolArray = adjusted <= alpha
    ends = np.array([family.interval(it.lower, it.upper) for it in found])
    lower, upper = agreeing(ends[:, 0], ends[:, 1], rejected)
    return EachBenchmark(
        mean_scores=np.array([part.scores.mean(axis=1) for part in parts]),
        difference=np.array([family.mirrored(it.difference) for it in found]),
        lower=lower,
        upper=upper,
        pvalue=p[:, family.order],
        adjusted=adjusted,
        rejected=rejected,
    )


def _notes_of_items(
    data: Experiment, items: _Items, gains: list[FloatArray], pairs: PairsWithin
) -> Iterator[Note]:
    """Yield notes on runs, few clusters, and what cannot be rejected."""
    if items.averaged:
        yield note("runs-averaged/items", data=data)
    n, noun = sum(items.n_clusters), "cluster"
    if not n:
        n, noun = sum(part.n for part in items.parts), "item"
    yield from pairs.notes_of_reach(lambda n: min(1.0, 2.0 ** (1 - n)), n, noun)
    few = min(items.n_clusters, default=_FEW_CLUSTERS)
    if few < _FEW_CLUSTERS:
        yield note("few-clusters", few=few)
    if not any(part.any() for part in gains):
        yield note("all-tied")
