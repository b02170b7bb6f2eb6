"""Comparisons on one data set, or benchmark: the pairs, and what folds, items and runs give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple, Self

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray, mean_over
from nbcompare._options import AUTO, MAXIMIZE, default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_name, listed
from nbcompare.analysis import _notes
from nbcompare.analysis._family import Adjust, Family, check_control
from nbcompare.analysis.data import (
    called,
    check_several_algorithms,
    check_size,
    of_frames,
    refuse_intervals,
    refuse_items,
    result_of,
    treated,
)
from nbcompare.analysis.rules import FOLD_RULES, State, check_rules
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import EachBenchmark, ItemComparison, Labelled, OmnibusResult, RunComparison
from nbcompare.results.design import is_chosen_by_data
from nbcompare.results.hypotheses import agreeing
from nbcompare.results.texts import note
from nbcompare.stats import adjust as procedures
from nbcompare.stats import items as stats_of_items
from nbcompare.stats import posthoc
from nbcompare.stats import runs as stats_of_runs
from nbcompare.stats.crossval import check_ratio
from nbcompare.stats.proportions import paired_difference
from nbcompare.stats.rankings import whole_numbers, with_sizes
from nbcompare.stats.runs import rank_sums

UNNAMED = "1"  # the data set, if its scores come without a name


def name_of_dataset(experiment: Experiment, asked: str | None = None) -> str | None:
    """Return the name of the only data set; None if there are several, or nobody gave it one."""
    unnamed = asked is None and experiment.datasets == (UNNAMED,)
    return None if unnamed or experiment.n_datasets > 1 else experiment.datasets[0]


def on_one_dataset(experiment: Experiment, dataset: str | None) -> Experiment:
    """Return the scores on the one data set that is asked for, or there is."""
    if dataset is not None:
        check_name(dataset, "dataset", experiment.datasets)
        experiment = experiment.select(datasets=[dataset])
    elif experiment.n_datasets > 1:
        raise DataError(
            f"`dataset` must name one data set, because `experiment` has {experiment.n_datasets}: "
            f"{listed(experiment.datasets)}. For the first, pass dataset="
            f"{experiment.datasets[0]!r}. To compare algorithms over all of them, use "
            "compare(experiment)."
        )
    refuse_intervals(experiment)
    check_several_algorithms(experiment)
    return experiment


def settled_adjust(asked: tuple[str, ...], *, control: bool, transitive: bool) -> tuple[str, ...]:
    """Return procedures, where ``auto`` is one that suits the pairs.

    Shaffer's logic holds where hypotheses on all pairs are ``transitive``: if A is like B, and B
    like C, then A is like C.
    """
    if asked != (AUTO,):
        return asked
    return ("shaffer" if transitive and not control else "holm",)


@dataclass(frozen=True, slots=True)
class PairsWithin:
    """The pairs to test, and the procedures that adjust their p-values.

    ``first`` and ``second`` are indices of algorithms; ``chosen`` is that of the control, if there
    is one, and ``asked`` the word for it. If the data choose the control, all pairs are tested.
    ``standing`` sorts the algorithms, the best one first.
    """

    names: tuple[str, ...]
    standing: FloatArray
    chosen: int | None
    first: IntArray
    second: IntArray
    adjust: tuple[str, ...]
    alpha: float
    asked: str | None

    @classmethod
    def of(
        cls,
        names: tuple[str, ...],
        standing: FloatArray,
        *,
        asked: State,
        transitive: bool = True,
    ) -> Self:
        """Settle the procedures, and the control, of the options that were asked for."""
        control, k = asked.control, len(names)
        settled = settled_adjust(asked.adjust, control=control is not None, transitive=transitive)
        check_rules(FOLD_RULES, State(adjust=settled, control=control, k=k))
        if asked.adjust == (AUTO,):
            asked["adjust"] = AUTO
        chosen = check_control(control, names, standing)
        if is_chosen_by_data(control, names):  # out of all pairs, in which it comes first
            one, other = posthoc.pairs(k, None)
            swapped = other == chosen
            pairs = np.where(swapped, other, one), np.where(swapped, one, other)
        else:
            pairs = posthoc.pairs(k, chosen)
        return cls(names, standing, chosen, *pairs, settled, asked.alpha, control)

    @property
    def m(self) -> int:
        """Number of hypotheses."""
        return len(self.first)

    @property
    def level(self) -> float:
        """Level of one of simultaneous intervals, by Bonferroni."""
        return self.alpha / self.m

    @property
    def control(self) -> str | None:
        """Name of the control."""
        return None if self.chosen is None else self.names[self.chosen]

    def tested(
        self,
        tests: posthoc.PairTests,
        lower: FloatArray,
        upper: FloatArray,
        difference: FloatArray | None = None,
        gains: Sequence[FloatArray] = (),
    ) -> tuple[Family, dict[str, Any]]:
        """Return the family, and what all results have: hypotheses, and intervals that agree.

        ``difference`` are mean differences, and ``gains`` those on each block of one or more data
        sets, of which wins, ties and losses are counted.
        """
        family = Family(self.first, self.second, tests, len(self.names), self.chosen, None)
        columns: dict[str, Any] = {}
        if gains:
            wins, ties, losses = (
                np.sum([(np.sign(part) == sign).sum(axis=1) for part in gains], axis=0)
                for sign in (1, 0, -1)
            )
            columns = {
                "wins": family.oriented(wins, losses),
                "ties": family.oriented(ties, ties),
                "losses": family.oriented(losses, wins),
            }
        if difference is not None:
            columns["mean_difference"] = family.mirrored(difference)
        adjusted = {name: family.adjusted(name, self.alpha) for name in self.adjust}
        hypotheses = family.hypotheses(self.names, adjusted, self.alpha, **columns)
        low, high = agreeing(*family.interval(lower, upper), hypotheses.rejected)
        return family, {
            "control": self.control,
            "adjust": self.adjust,
            "hypotheses": hypotheses,
            "lower": low,
            "upper": high,
        }

    def by_name(self, values: FloatArray) -> Labelled[float]:
        """Return values of the algorithms by their names."""
        return Labelled(zip(self.names, values.tolist(), strict=True))

    def omnibus(self, found: Any) -> OmnibusResult:
        """Return a test of any difference as a result has it."""
        df = (float(found.df),)
        return OmnibusResult(found.statistic, df, found.pvalue, found.log10_pvalue, found.exact)

    def notes(self, blocks: str) -> Iterator[Note]:
        """Yield notes on the control and the procedures; ``blocks`` are what all tests share."""
        out_of = self.m if is_chosen_by_data(self.asked, self.names) else 0
        yield from _notes.of_control(
            self.asked, self.chosen, self.names, self.standing, "mean", out_of=out_of
        )
        yield from _notes.of_procedures(self.adjust, "corrected", blocks)
        yield from _notes.of_family(self.adjust, self.m, self.alpha)

    def notes_of_reach(self, least: Callable[[int], float], n: int, noun: str) -> Iterator[Note]:
        """Yield a note if no pair can be rejected, by the ``least`` p-value of so many blocks."""
        yield from _notes.of_reach(
            least,
            n,
            alpha=self.alpha,
            m=self.m,
            procedure=next(iter(self.adjust), ""),
            what="the test of a pair",
            noun=noun,
        )


# So many folds of one repetition are taken as those of one cross-validation
_MOST_FOLDS = 10
_SEEDS = (
    "If the runs only repeat algorithms on the same folds, with another random seed, use "
    "compare_stochastic."
)


@dataclass(frozen=True, slots=True)
class Splits:
    """The scores of all algorithms on the test sets of one data set.

    ``data`` is the experiment with this data set only, after the treatment of missing scores that
    ``notes`` tell, and ``given`` the same before it. ``scores`` have the shape (algorithms, test
    sets), one repetition after the other. ``exact`` are multiples of them, turned so that smaller
    is better, in whole numbers if that is possible, and ``sizes`` the magnitudes of what they were
    computed from. ``dataset`` is None if the data set has no name, and ``averaged`` says whether
    the runs of a fold are averaged.
    """

    given: Experiment
    data: Experiment
    scores: FloatArray
    exact: FloatArray
    sizes: FloatArray
    notes: tuple[Note, ...]
    dataset: str | None
    averaged: bool

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of repetitions, and of folds in each, as they were made."""
        return self.given.n_runs, self.given.n_folds

    @property
    def n(self) -> int:
        """Number of test sets on which the algorithms are compared."""
        return int(self.scores.shape[1])

    @property
    def is_full(self) -> bool:
        """Whether every repetition has all folds."""
        return self.n == self.data.n_runs * self.data.n_folds

    def differences(
        self, first: IntArray, second: IntArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the differences of pairs, one row each: turned, their scales, and as gains.

        Turned differences are negative where the first is better; gains are positive there, in
        units of the measure.
        """
        sizes = np.maximum(self.sizes[first], self.sizes[second])
        turned = self.exact[first] - self.exact[second]
        turned = np.where(np.abs(turned) <= NOISE * sizes, 0.0, turned)
        gains = self.scores[first] - self.scores[second]
        if self.data.direction != MAXIMIZE:
            gains = -gains
        return turned, sizes, np.where(turned == 0, 0.0, gains)


def splits_of(
    experiment: Experiment, dataset: str | None, missing: str, *, averages: bool = False
) -> Splits:
    """Return the scores on the folds and repetitions of one data set of an experiment.

    With ``averages``, runs are no repetitions: their means are the scores of a fold.
    """
    refuse_items(experiment)
    experiment = on_one_dataset(experiment, dataset)
    data, notes = treated(experiment, missing, function="compare_cv")
    if averages:
        runs = data.scores[0]
        check_size(runs[~np.isnan(runs)], "experiment")
        scores, (exact, sizes) = mean_over(runs), _averaged(runs)
    else:
        _check_runs(data)
        by_run = np.swapaxes(data.by_run[0][0], 1, 2)
        table = by_run.reshape(len(by_run), -1)
        known: BoolArray = ~np.isnan(table)
        made = known.any(axis=0)
        if not known[:, made].all():
            _refuse_lone_score(data, known)
        scores = table[:, made]
        check_size(scores, "experiment")
        exact, sizes = with_sizes(scores, None)
    if scores.shape[1] < 2:
        raise DataError(
            "There must be scores of at least 2 folds or random splits of the data set; got 1 "
            "score of each algorithm."
        )
    sign = -1.0 if data.direction == MAXIMIZE else 1.0
    name = name_of_dataset(data, dataset)
    averaged = averages and data.n_runs > 1
    return Splits(experiment, data, scores, sign * exact, sizes, notes, name, averaged)


def _averaged(runs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return multiples of means over the last axis, exact if possible, and their magnitudes.

    Sums of scores are multiples of their unit, but averages may not be.
    """
    if runs.shape[-1] == 1:
        return with_sizes(runs[..., 0], None)
    if np.isnan(runs).any():
        return mean_over(runs), np.asarray(np.nanmax(np.abs(runs), axis=-1))
    whole = whole_numbers(runs)
    return np.asarray(whole.sum(axis=-1)), np.asarray(np.abs(whole).sum(axis=-1))


def _check_runs(data: Experiment) -> None:
    if data.n_runs > 1 and data.losses.struck is None:
        raise DataError(
            "`experiment` must have the same runs of every algorithm, because runs count as "
            "repetitions of cross-validation, each with a partition of its own; the algorithms "
            f"do not share labels of runs. {_SEEDS}"
        )


def _refuse_lone_score(data: Experiment, known: BoolArray) -> None:
    """Refuse algorithms of which one has runs that another one never has."""
    column = int(np.flatnonzero(known.any(axis=0) & ~known.all(axis=0))[0])
    run, fold = divmod(column, data.n_folds)
    has, lacks = int(known[:, column].argmax()), int((~known[:, column]).argmax())
    labels = data.runs or tuple(str(number + 1) for number in range(data.n_runs))
    raise DataError(
        "`experiment` must have the same runs of every algorithm, because runs count as "
        "repetitions of cross-validation, each with a partition of its own; "
        f"{data.algorithms[lacks]!r} has no score in fold {data.folds[fold]!r} of run "
        f"{labels[run]!r}, where {data.algorithms[has]!r} has one. {_SEEDS}"
    )


def show_ratio(n_repeats: int, n_folds: int) -> bool:
    """Return whether folds show the size of a test set over that of a training set."""
    return n_folds > 1 and (n_repeats > 1 or n_folds <= _MOST_FOLDS)


def settled_ratio(ratio: float | None, shape: tuple[int, int]) -> float:
    """Return the size of a test set over that of a training set, which is never guessed.

    Parameters
    ----------
    ratio : float, optional
        What the caller gave.
    shape : tuple of int
        The numbers of repetitions, and of folds in each.

    Raises
    ------
    ValueError
        If the ratio is needed, or not a number from 0.
    """
    if ratio is not None:
        return check_ratio(ratio)
    n_repeats, n_folds = shape
    if show_ratio(n_repeats, n_folds):
        return 1 / (n_folds - 1)
    arrived = (
        plural(n_repeats, "random split")
        if n_repeats > 1
        else f"{plural(n_folds, 'fold')} of one repetition"
    )
    raise ValueError(
        f"`ratio`, the size of a test set over that of a training set, must be given: there are "
        f"{arrived}, which do not show how the data were split. For k folds, repeated or not, it "
        "is 1/(k - 1): ratio=1/9 for tenfold cross-validation, ratio=1/4 for fivefold. Where a "
        "random third is held out, it is ratio=1/2. Too small a ratio finds differences that are "
        "not there. A table with a column of repetitions (`run`) beside that of folds (`fold`) "
        "needs no ratio. compare_cv(experiment, ratio=1/9) takes it."
    )


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


@of_frames
def compare_runs(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    dataset: str | None = None,
    control: str | None = default("control"),
    adjust: Adjust = default("runs.adjust"),
    alpha: float = default("alpha"),
) -> RunComparison:
    """Test which algorithms differ on one data set, by independent runs of each.

    Runs of two algorithms are not paired: their scores are compared by the rank-sum test of Mann,
    Whitney and Wilcoxon. How large a difference is, is told by Hodges and Lehmann's shift and by
    Vargha and Delaney's A12. To compare over several data sets, use :func:`compare` for means and
    :func:`compare_stochastic` for what the runs leave open.

    Parameters
    ----------
    experiment : Experiment or dataframe
        An experiment with several runs of each algorithm on the data set, and without folds.
        Algorithms may have different numbers of runs.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only.
    dataset : str, optional
        The data set to use, if there are several.
    control : str, optional
        The algorithm that all others are compared with; ``"best"`` is the one with the best mean,
        whose comparisons are those out of all pairs, over which p-values are adjusted, because the
        data choose it. All pairs are compared by default.
    adjust : str or list of str or None
        Procedure that adjusts the p-values over all pairs, as in :func:`compare` (except
        ``nemenyi``): by default Shaffer's, whose logic holds because equal distributions are
        transitive, and Holm's with a control.
    alpha : float, default 0.05
        Level of the family-wise error, or of the false discovery rate.

    Returns
    -------
    RunComparison
        The result, which displays itself; see also its ``sentences`` and ``to_frame()``. Ties
        share the mean of their ranks, and count one half in A12. If all scores are tied, p is 1.

    Raises
    ------
    DataError
        If there are several data sets and ``dataset`` names none, folds, intervals, fewer than 2
        algorithms, or an algorithm has fewer than 2 runs.
    ValueError
        If an option is unknown.

    References
    ----------
    Mann, H. B. and Whitney, D. R. (1947). On a test of whether one of two random variables is
    stochastically larger than the other. Annals of Mathematical Statistics 18, 50-60.
    Vargha, A. and Delaney, H. D. (2000). A critique and improvement of the CL common language
    effect size statistics of McGraw and Wong. Journal of Educational and Behavioral Statistics 25,
    101-132.

    Examples
    --------
    Ten runs of three algorithms:

    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> runs = np.random.default_rng(1).normal([0.4, 0.5, 0.42], 0.04, (10, 3))
    >>> data = nbc.Experiment.from_array(runs, direction="minimize", unit="runs")
    >>> result = nbc.compare_runs(data)
    >>> result
    <RunComparison: A1 has the best mean of the three algorithms on one data set, over 10 runs each
    (0.378; scores, lower is better)>
    >>> result.to_frame()[["first", "second", "shift", "superiority", "shaffer"]].round(4)
      first second   shift  superiority  shaffer
    0    A1     A2  0.1251         1.00   0.0000
    1    A3     A2  0.0814         0.94   0.0003
    2    A1     A3  0.0460         0.91   0.0011
    """
    given, asked = called("compare_runs", locals())
    data = on_one_dataset(given, dataset)
    if data.unit != "runs":
        raise DataError(
            "`experiment` must hold runs on the data set, without folds; got "
            f"{plural(data.n_folds, 'fold')} and {plural(data.n_runs, 'run')}. "
            "compare(experiment) compares folds, runs or items, whichever there are."
        )
    names = data.algorithms
    samples = [np.sort(row[~np.isnan(row)]) for row in data.scores[0, :, 0]]
    for name, sample in zip(names, samples, strict=True):
        check_size(sample, "experiment")
        if len(sample) < 2:
            raise DataError(
                f"`experiment` must have at least 2 runs of every algorithm; got {len(sample)} of "
                f"{name!r}."
            )
    sign = -1.0 if data.direction == MAXIMIZE else 1.0
    turned = [sign * sample for sample in samples]  # smaller is better
    means = np.array([float(sample.mean()) for sample in samples])
    pairs = PairsWithin.of(names, sign * means, asked=asked)
    first, second = pairs.first, pairs.second
    found = rank_sums(turned, first, second)
    sizes = np.array([len(sample) for sample in samples])
    centred = found.statistic - sizes[first] * sizes[second] / 2
    tests = posthoc.PairTests(centred, found.pvalue, found.log10_pvalue)
    by = stats_of_runs.shifts(turned, first, second, confidence=1 - pairs.level)
    family, of_pairs = pairs.tested(tests, by.lower, by.upper)
    chance, below, above = stats_of_runs.vargha_delaney(
        turned, first, second, confidence=1 - pairs.level
    )
    lower, upper = family.oriented(below, 1 - above), family.oriented(above, 1 - below)
    return result_of(
        RunComparison,
        data,
        asked,
        given=given,
        dataset=name_of_dataset(data, dataset),
        **of_pairs,
        missing="raise",
        n_runs=Labelled(zip(names, map(len, samples), strict=True)),
        is_exact=bool(found.exact.all()),
        mean_scores=pairs.by_name(means),
        medians=pairs.by_name(np.array([np.median(sample) for sample in samples])),
        deviations=pairs.by_name(np.array([sample.std(ddof=1) for sample in samples])),
        shift=family.mirrored(by.estimate),
        superiority=family.oriented(chance, 1 - chance),
        superiority_lower=lower,
        superiority_upper=upper,
        omnibus=pairs.omnibus(stats_of_runs.kruskal_wallis(turned)) if len(names) > 2 else None,
        notes=(
            *pairs.notes("runs"),
            *pairs.notes_of_reach(
                lambda n: min(1.0, 2.0 / comb(2 * n, n)), min(map(len, samples)), "run"
            ),
            *_notes_of_runs(samples, tests),
            *_notes_of_superiority(of_pairs["hypotheses"].rejected, lower, upper),
        ),
    )


def _notes_of_runs(samples: list[FloatArray], tests: posthoc.PairTests) -> Iterator[Note]:
    if not tests.statistic.any() and all(sample[0] == sample[-1] for sample in samples):
        yield note("all-tied")


def _notes_of_superiority(
    rejected: BoolArray, lower: FloatArray, upper: FloatArray
) -> Iterator[Note]:
    """Yield a note on pairs that differ by the test, and may not by the interval of A12."""
    n = int((rejected & (lower <= 0.5) & (upper >= 0.5)).sum())
    if n:
        yield note("superiority-half", n=n)
