"""A family of hypotheses: the rules on its options, its pairs, and their adjusted p-values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import ALL_PAIRS_ONLY, AUTO, BEST, PROCEDURES, SINGLE_STEP
from nbcompare._render import Note
from nbcompare._validation import check_choice, check_name, listed
from nbcompare.analysis._data import GAPS
from nbcompare.analysis._rules import Rule, State
from nbcompare.analysis.recommend import chosen
from nbcompare.experiment import Experiment
from nbcompare.stats import adjust, groups, logical, posthoc
from nbcompare.stats.logical import MOST_ALGORITHMS

Adjust = str | Iterable[str] | None


def settle(
    experiment: Experiment,
    ranking: str,
    procedures: tuple[str, ...],
    pairs: str,
    control: str | None,
    alpha: float,
) -> tuple[str, tuple[str, ...], tuple[Note, ...]]:
    """Put what is recommended for ``auto``, and a note of what it is and why."""
    if ranking != AUTO and procedures != (AUTO,):
        return ranking, procedures, ()
    advice = chosen(experiment, control, alpha)
    settled = []
    if ranking == AUTO:
        ranking = advice.ranking
        settled.append(f"ranking={ranking!r}")
    if procedures == (AUTO,):
        procedure = advice.adjust
        too_many = experiment.n_algorithms > MOST_ALGORITHMS and pairs != "ranks"
        if procedure == "bergmann-hommel" and too_many:
            procedure = "shaffer"
        procedures = (procedure,)
        settled.append(f"adjust={procedure!r}")
    text = (
        f"{' and '.join(settled)}, as recommend(...) advises; it looks at the design, not at who "
        "is best, so the p-values keep their meaning."
    )
    return ranking, procedures, (Note("auto", text),)


def ranked_with_gaps(state: State) -> bool:
    """Return whether the ranks are of tables in which scores are missing."""
    return bool(state.missing == "skillings-mack" and state.n_missing)


def by_position(state: State) -> bool:
    """Return whether p falls with the distance of average ranks, whatever the pair."""
    return state.pairs == "ranks" and not ranked_with_gaps(state)


_COMPLETE_ONLY = "or missing='drop', which takes complete data sets only."
# Of compare; each rule looks only at options that stand in rules before it.
RULES = (
    *GAPS,
    Rule(
        "formulas",
        ("printed",),
        ranked_with_gaps,
        "the papers print none for tables with missing scores",
        f"Take formulas='corrected', {_COMPLETE_ONLY}",
    ),
    Rule(
        "ranking",
        ("aligned", "quade"),
        ranked_with_gaps,
        "such rankings need every score, and some are missing",
        f"Take ranking='friedman', {_COMPLETE_ONLY}",
    ),
    Rule(
        "adjust",
        ALL_PAIRS_ONLY,
        lambda s: s.control is not None,
        "such procedures are for comparisons of all pairs, and there is a control",
        "Leave out `control`, or take 'holm' or 'bonferroni'.",
    ),
    Rule(
        "adjust",
        ("nemenyi",),
        lambda s: not by_position(s),
        "the procedure needs pairwise tests by the average ranks of a complete table",
        "Take 'shaffer' or 'holm', or pairs='ranks' without missing scores.",
    ),
    Rule(
        "adjust",
        ("bergmann-hommel",),
        lambda s: s.k > MOST_ALGORITHMS and not by_position(s),
        f"with more than {MOST_ALGORITHMS} algorithms, here {{k}}, the procedure needs pairwise "
        "tests by the average ranks of a complete table",
        "Take 'shaffer', which is nearly as powerful, or pairs='ranks'.",
    ),
)


def check_adjust(adjust: Adjust) -> tuple[str, ...]:
    """Return the procedures that are asked for, none twice, or ``auto`` alone."""
    if adjust is None:
        return ()
    several = isinstance(adjust, Iterable) and not isinstance(adjust, str)
    names = tuple(adjust) if several else (adjust,)
    if names == (AUTO,):
        return (AUTO,)
    checked = tuple(check_choice(name, "adjust", tuple(PROCEDURES)) for name in names)
    if len(set(checked)) < len(checked):
        raise ValueError(f"`adjust` must not name a procedure twice; got {listed(checked)}.")
    return checked


def check_control(
    control: str | None, algorithms: tuple[str, ...], averages: FloatArray
) -> int | None:
    if control is None:
        return None
    if control == BEST and BEST not in algorithms:
        return int(np.argmin(averages))
    return algorithms.index(check_name(control, "control", algorithms))


@dataclass(frozen=True, slots=True)
class Family:
    """Pairs of algorithms by index, tested; all pairs, or a control (first) with the others."""

    first: IntArray
    second: IntArray
    tests: posthoc.PairTests
    k: int
    control: int | None
    positions: FloatArray | None  # whose distances p falls with, if it falls with any
    formulas: str = "corrected"

    def adjusted(self, procedure: str, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Adjusted p-values and their log10, in the order of the pairs."""
        if procedure == "nemenyi":
            return posthoc.nemenyi_pvalues(self.tests.statistic, self.k)
        if procedure == "bergmann-hommel":  # the programs print the running maximum
            both = logical.bergmann_hommel_with_logs(
                self._matrix(self.tests.pvalue),
                self._matrix(self.tests.log10_pvalue),
                self.positions,
                monotone=self.formulas == "printed",
            )
            return both[0][self.first, self.second], both[1][self.first, self.second]
        return (
            self._adjusted(self.tests.pvalue, procedure, alpha, log10=False),
            self._adjusted(self.tests.log10_pvalue, procedure, alpha, log10=True),
        )

    def _adjusted(
        self, pvalues: FloatArray, procedure: str, alpha: float, *, log10: bool
    ) -> FloatArray:
        if procedure == "shaffer":
            return logical.shaffer(self._matrix(pvalues), log10=log10)[self.first, self.second]
        return adjust.adjust(pvalues, procedure, alpha, log10=log10, formulas=self.formulas)

    def _matrix(self, pvalues: FloatArray) -> FloatArray:
        matrix = np.zeros((self.k, self.k))
        matrix[self.first, self.second] = matrix[self.second, self.first] = pvalues
        return matrix


def critical_difference(
    family: Family, procedures: tuple[str, ...], error: float | None, alpha: float
) -> float | None:
    """Return the critical difference of average ranks; None without one, or if all are tied."""
    if not procedures or procedures[0] not in SINGLE_STEP or not error or family.positions is None:
        return None
    if procedures[0] == "nemenyi":
        return posthoc.nemenyi_quantile(family.k, alpha) * error
    if procedures[0] == "sidak":
        level = float(adjust.adjusted_alphas(len(family.first), "sidak", alpha)[0])
        return posthoc.bonferroni_quantile(1, level) * error
    return posthoc.bonferroni_quantile(len(family.first), alpha) * error


def alike_groups(
    family: Family, rejected: BoolArray, averages: FloatArray
) -> tuple[tuple[int, ...], ...] | None:
    """Maximal groups not shown to differ, each and all sorted from best to worst.

    None if there are more than anyone could read, as tests of pairs by themselves can make.
    """
    order = np.argsort(averages, kind="stable")
    place = np.empty(family.k, dtype=np.int64)
    place[order] = np.arange(family.k)
    different = np.zeros((family.k, family.k), dtype=np.bool_)
    first, second = place[family.first], place[family.second]
    different[first, second] = different[second, first] = rejected
    try:
        found = groups.maximal_groups(different)
    except groups.TooManyGroupsError:
        return None
    return tuple(tuple(int(order[i]) for i in group) for group in found)
