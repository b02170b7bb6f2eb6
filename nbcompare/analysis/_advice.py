"""The rules by which tests are recommended, with the source of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from nbcompare.analysis.scales import Scales
from nbcompare.words import PAIRWISE_TESTS, texts_of_advice

# Up to so many, Bergmann and Hommel's procedure takes half a second with any tests of pairs.
MOST_BY_DEFAULT = 14
MOST_BY_RANKS = 50  # the same with tests by average ranks
MOST_BY_SHAFFER = 200
# The chi-squared distributions of rank tests are rough approximations up to this many data sets.
FEW_DATASETS = 10


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that the rules depend on; ``chosen`` holds the options settled so far.

    ``fits`` names what the caller asked for that goes with tests of pairs by average ranks only,
    ``printed`` says that the formulas of the papers were asked for, and ``margin`` that
    differences are compared with a margin.
    """

    k: int
    n: int  # data sets with scores of two algorithms
    n_scored: int  # the fewest data sets on which two algorithms have scores
    n_common: int  # data sets with a fold that all algorithms have
    n_cells: int
    m: int  # hypotheses
    alpha: float
    control: str | None
    scales: Scales  # whether the data sets are on one scale
    n_missing: int = 0
    n_incomplete: int = 0
    sides: int = 2  # of the tests of pairs
    n_alike: int = 0  # data sets on which all algorithms tie, which count for no test
    # on how many data sets each pair ties at least, if that leaves too few to reject; no rule may
    # look at it, as it depends on which algorithm has which score
    n_tied: int = 0
    fits: str = ""
    printed: bool = False
    margin: bool = False
    chosen: dict[str, str] = field(default_factory=dict)

    @property
    def one_scale(self) -> bool:
        """Return whether the data sets seem to be on one scale."""
        return self.scales.one

    @property
    def complete(self) -> bool:
        """Return whether every data set has every score."""
        return self.chosen["missing"] != "skillings-mack"

    @property
    def n_shared(self) -> int:
        """The fewest data sets by which two algorithms are compared, after what was settled."""
        after = {"worst": self.n_cells // self.k, "drop-folds": self.n_common}
        return after.get(self.chosen["missing"], self.n_scored)

    @property
    def smallest(self) -> float:
        """The smallest p-value that the exact tests of a pair by signs can have."""
        return min(1.0, self.sides * 2.0 ** (self.n_alike - self.n_shared))

    @property
    def smallest_adjusted(self) -> float:
        """The smallest such p-value after the first step of an adjustment."""
        return min(1.0, self.m * self.smallest)

    @property
    def by_position(self) -> bool:
        """Return whether p depends on the difference of average ranks only."""
        return self.chosen["pairs"] == "ranks" and self.chosen["missing"] != "skillings-mack"


class Advice(NamedTuple):
    """A choice, its condition and the code of its reason, which stands in ``words/advice.toml``."""

    value: str
    when: Callable[[Facts], bool]
    code: str

    @property
    def text(self) -> str:
        """The reason, with facts in braces; empty without one."""
        return texts_of_advice(self.code).get("text", "")

    @property
    def source(self) -> str:
        """Key of the literature behind the reason."""
        return texts_of_advice(self.code).get("source", "")

    @property
    def because(self) -> str:
        """What follows the choice in the sentence on a design; empty if nothing does."""
        return texts_of_advice(self.code).get("because", "")


def _always(_: Facts) -> bool:
    return True


# For each option, the first rule whose condition holds decides. The order of the options matters,
# because a rule may depend on the options that were settled before.
RULES: Mapping[str, tuple[Advice, ...]] = {
    "missing": (
        Advice("raise", lambda f: f.n_missing + f.n_incomplete == 0, "complete"),
        Advice(
            "worst",
            lambda f: bool(f.n_incomplete) and (bool(f.n_missing) or f.n_common < 2),
            "failures",
        ),
        Advice("drop-folds", lambda f: f.n_incomplete > 0, "common-folds"),
        Advice("drop", lambda f: f.k == 2, "both-scores"),
        Advice("skillings-mack", _always, "gaps"),
    ),
    "ranking": (
        Advice("friedman", lambda f: f.k == 2, "one-pair"),
        Advice("friedman", _always, "average-ranks"),
    ),
    "pairs": (
        Advice("wilcoxon", lambda f: f.margin, "margin"),
        Advice("ranks", lambda f: bool(f.fits), "fits"),
        Advice("exchange", lambda f: bool(f.scales.order_alone), "order-alone"),
        Advice("exchange", lambda f: not f.one_scale, "exchange-within"),
        Advice("exchange", lambda f: f.n_shared < 2, "apart"),
        Advice("wilcoxon", lambda f: f.k == 2, "exact-pair"),
        Advice("wilcoxon", _always, "pair-alone"),
    ),
    "adjust": (
        Advice("holm", lambda f: f.printed, "printed"),
        Advice("holm", lambda f: f.m == 1, "one-hypothesis"),
        Advice("holm", lambda f: f.control is not None, "any-dependence"),
        Advice(
            "holm", lambda f: not PAIRWISE_TESTS[f.chosen["pairs"]].is_transitive, "not-logical"
        ),
        Advice(
            "bergmann-hommel",
            lambda f: f.k <= (MOST_BY_RANKS if f.by_position else MOST_BY_DEFAULT),
            "logical",
        ),
        Advice("holm", lambda f: f.k > MOST_BY_SHAFFER, "very-many"),
        Advice("shaffer", _always, "logical-many"),
    ),
    "strength": (
        Advice("weak", lambda f: f.complete and f.smallest_adjusted > f.alpha, "powerless"),
        Advice("weak", lambda f: f.n_shared < 2 * f.k, "few-datasets"),
        Advice(
            "adequate",
            lambda f: f.n_shared < 4 * f.k or f.n_shared <= FEW_DATASETS,
            "enough-datasets",
        ),
        Advice("strong", _always, "many-datasets"),
    ),
}
