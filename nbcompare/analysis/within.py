"""The pairs of a comparison on one data set, or benchmark, and the splits of its folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray, mean_over
from nbcompare._options import AUTO, MAXIMIZE
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_name, listed
from nbcompare.analysis import _notes
from nbcompare.analysis._family import Family, check_control
from nbcompare.analysis.data import (
    check_several_algorithms,
    check_size,
    refuse_intervals,
    refuse_items,
    treated,
)
from nbcompare.analysis.rules import FOLD_RULES, State, check_rules
from nbcompare.experiment import Experiment
from nbcompare.results import Labelled, OmnibusResult
from nbcompare.results.design import is_chosen_by_data
from nbcompare.results.hypotheses import agreeing
from nbcompare.stats import posthoc
from nbcompare.stats.crossval import check_ratio
from nbcompare.stats.rankings import whole_numbers, with_sizes

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
