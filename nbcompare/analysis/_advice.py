"""The rules by which tests are recommended, with the source of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from nbcompare.analysis.scales import Scales
from nbcompare.words import PAIRWISE_TESTS

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
    """A choice, its condition, its reason and the source; the text is empty without a reason.

    ``because`` is the reason in a few words, for the sentence on the design of a result.
    """

    value: str
    when: Callable[[Facts], bool]
    code: str
    text: str = ""
    source: str = ""
    because: str = ""


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
            "Folds or runs are missing of {n_incomplete} of {n_cells} scores, and too little is "
            "left without these. What is missing counts as failed and gets the worst score of its "
            "data set.",
            "gijsbers2024",
        ),
        Advice(
            "drop-folds",
            lambda f: f.n_incomplete > 0,
            "common-folds",
            "Folds or runs are missing of {n_incomplete} of {n_cells} scores; means are comparable "
            "over those that all algorithms have. If an algorithm failed there, its failures "
            "should count: give them the worst score of the data set instead.",
            "gijsbers2024",
        ),
        Advice(
            "drop",
            lambda f: f.k == 2,
            "both-scores",
            "A pair is compared on the data sets with a score of both, of which there are "
            "{n_shared:,}.",
            "demsar2006",
        ),
        Advice(
            "skillings-mack",
            _always,
            "gaps",
            "Of {n_cells} scores some are missing ({n_missing}); Skillings and Mack's test, "
            "Friedman's for tables with gaps, uses all that are there.",
            "skillings1981",
        ),
    ),
    "ranking": (
        Advice("friedman", lambda f: f.k == 2, "one-pair"),
        Advice(
            "friedman",
            _always,
            "average-ranks",
            "Average ranks compare scores within data sets, so they need no common scale; and they "
            "keep the error rate better than aligned and Quade's ranks where some algorithms vary "
            "more than others.",
            "demsar2006",
        ),
    ),
    "pairs": (
        Advice(
            "wilcoxon",
            lambda f: f.margin,
            "margin",
            because="as a margin needs: it gives intervals of the differences",
        ),
        Advice("ranks", lambda f: bool(f.fits), "fits", because="as {fits} needs"),
        Advice(
            "exchange",
            lambda f: bool(f.scales.order_alone),
            "order-alone",
            "{several}. The exchange test uses nothing else; such scores are the worst and tie.",
            "pesarin2010",
            "{why_several}",
        ),
        Advice(
            "exchange",
            lambda f: not f.one_scale,
            "exchange-within",
            "{several}. Wilcoxon's test ranks the differences of all data sets together; the "
            "exchange test compares within data sets, and of two algorithms is the sign test.",
            "pesarin2010",
            "{why_several}, which Wilcoxon's test needs",
        ),
        Advice(
            "exchange",
            lambda f: f.n_shared < 2,
            "apart",
            "Some two algorithms share fewer than 2 data sets, too few for Wilcoxon's test. The "
            "exchange test says of such a pair that nothing speaks for a difference (p = 1).",
            "pesarin2010",
            "some two algorithms share fewer than 2 data sets",
        ),
        Advice(
            "wilcoxon",
            lambda f: f.k == 2,
            "exact-pair",
            "For two algorithms Wilcoxon's test needs no normal differences, unlike the t test, "
            "and finds more than the sign test.",
            "demsar2006",
            "it needs no normal differences and finds more than the sign test",
        ),
        Advice(
            "wilcoxon",
            _always,
            "pair-alone",
            "Wilcoxon's test uses the scores of the two alone. A test by average ranks may turn "
            "out differently for the same two algorithms if others are added, and rejects true "
            "hypotheses too often where the others are not alike.",
            "benavoli2016",
            "it uses the scores of the two alone",
        ),
    ),
    "adjust": (
        Advice("holm", lambda f: f.printed, "printed", because="the default of the papers"),
        Advice(
            "holm",
            lambda f: f.m == 1,
            "one-hypothesis",
            "A single hypothesis needs no adjustment; Holm's leaves its p as it is.",
            "holm1979",
            "which leaves the p of a single hypothesis as it is",
        ),
        Advice(
            "holm",
            lambda f: f.control is not None,
            "any-dependence",
            "Holm's procedure keeps the family-wise error however the tests depend on one "
            "another. Hochberg's and Hommel's gain little and need a positive dependence that is "
            "not certain for two-sided tests against one control.",
            "holm1979",
            "which keeps the family-wise error however the tests depend on one another",
        ),
        Advice(
            "holm",
            lambda f: not PAIRWISE_TESTS[f.chosen["pairs"]].is_transitive,
            "not-logical",
            "Shaffer's and Bergmann and Hommel's procedures use that A = B and B = C imply A = C. "
            "For Wilcoxon's hypothesis, that differences are symmetric about 0, this need not be "
            "so, and they can then reject true hypotheses too often; Holm's does not use it.",
            "holm1979",
            "which keeps the family-wise error whatever the hypotheses imply about one another",
        ),
        Advice(
            "bergmann-hommel",
            lambda f: f.k <= (MOST_BY_RANKS if f.by_position else MOST_BY_DEFAULT),
            "logical",
            "Of {m:,} hypotheses about all pairs only some sets can be true together; the "
            "procedure of Bergmann and Hommel uses this fully and rejects most.",
            "garcia2008",
            "which rejects most for all pairs",
        ),
        Advice(
            "holm",
            lambda f: f.k > MOST_BY_SHAFFER,
            "very-many",
            "For {k} algorithms, procedures that use which of the {m:,} hypotheses can be true "
            "together take too long, and gain little over Holm's.",
            "holm1979",
            "because others take too long for {k} algorithms",
        ),
        Advice(
            "shaffer",
            _always,
            "logical-many",
            "Bergmann and Hommel's procedure takes too long for {k} algorithms with this test of "
            "pairs; Shaffer's uses which hypotheses can be true together more simply.",
            "garcia2008",
            "because Bergmann and Hommel's takes too long for {k} algorithms",
        ),
    ),
    "strength": (
        Advice(
            "weak",
            lambda f: f.complete and f.smallest_adjusted > f.alpha,
            "powerless",
            "{n_shared:,} data sets{ties} cannot give a p of the test of a pair below "
            "{smallest:.3g}{too_large}: no difference, however clear, can be significant at "
            "α = {alpha:g}.",
            "wilcoxon1945",
        ),
        Advice(
            "weak",
            lambda f: f.n_shared < 2 * f.k,
            "few-datasets",
            "The rule of thumb for rank tests is 2 data sets per algorithm, {twice} for {k}; there "
            "are {n_shared:,}.",
            "derrac2011",
        ),
        Advice(
            "adequate",
            lambda f: f.n_shared < 4 * f.k or f.n_shared <= FEW_DATASETS,
            "enough-datasets",
            "{n_shared:,} data sets for {k} algorithms meet the rule of thumb, 2 per algorithm, "
            "but do not exceed it far.",
            "derrac2011",
        ),
        Advice(
            "strong",
            _always,
            "many-datasets",
            "{n_shared:,} data sets for {k} algorithms are at least twice what the rule of thumb, "
            "2 per algorithm, asks for.",
            "derrac2011",
        ),
    ),
}
