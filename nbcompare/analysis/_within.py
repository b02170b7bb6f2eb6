"""What comparisons within one data set, or on items, have in common: the data, pairs and notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import AUTO
from nbcompare._render import Note
from nbcompare._validation import DataError, check_name, listed
from nbcompare.analysis import _notes
from nbcompare.analysis._family import Family, check_control
from nbcompare.analysis.rules import FOLD_RULES, State, check_rules
from nbcompare.experiment import Experiment
from nbcompare.results import Hypotheses, Labelled, OmnibusResult
from nbcompare.results.decisions import agreeing
from nbcompare.stats import posthoc

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
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores; compare_stochastic compares intervals."
        )
    check_several_algorithms(experiment)
    return experiment


def check_several_algorithms(experiment: Experiment) -> None:
    """Refuse an experiment of a single algorithm."""
    if experiment.n_algorithms < 2:
        raise DataError("`experiment` must hold at least 2 algorithms to compare; got 1.")


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
    """The pairs to compare, and the procedures that adjust their p-values.

    ``first`` and ``second`` are indices of algorithms; ``chosen`` is that of the control, if there
    is one, and ``asked`` the word for it. ``standing`` sorts the algorithms, the best one first.
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

    def family(self, tests: posthoc.PairTests) -> Family:
        """Return the family of these pairs with their tests."""
        return Family(self.first, self.second, tests, len(self.names), self.chosen, None)

    def hypotheses(self, family: Family, **columns: Any) -> Hypotheses:
        """Return the hypotheses with adjusted p-values and decisions."""
        adjusted = {name: family.adjusted(name, self.alpha) for name in self.adjust}
        return family.hypotheses(self.names, adjusted, self.alpha, **columns)

    def columns(self, gains: Sequence[FloatArray], family: Family) -> dict[str, FloatArray]:
        """Return wins, ties and losses by pair, of gains on one or more data sets."""
        wins, ties, losses = (
            np.sum([(np.sign(part) == sign).sum(axis=1) for part in gains], axis=0)
            for sign in (1, 0, -1)
        )
        return {
            "wins": family.oriented(wins, losses),
            "ties": family.oriented(ties, ties),
            "losses": family.oriented(losses, wins),
        }

    def found(
        self, family: Family, hypotheses: Hypotheses, lower: FloatArray, upper: FloatArray
    ) -> dict[str, Any]:
        """Return what all results have: the hypotheses, with intervals that agree with them."""
        lower, upper = agreeing(*family.interval(lower, upper), hypotheses.rejected)
        return {
            "control": self.control,
            "adjust": self.adjust,
            "hypotheses": hypotheses,
            "lower": lower,
            "upper": upper,
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
        yield from _notes.of_control(self.asked, self.chosen, self.names, self.standing, "mean")
        yield from _notes.of_procedures(self.adjust, "corrected", blocks)
        yield from _notes.of_family(self.adjust, self.m, self.alpha)
