"""Which tests suit an experiment: rules from the literature, one table of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import BEST, default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_name, check_probability
from nbcompare.analysis import _notes
from nbcompare.analysis._data import check_experiment, design_of, oriented_scores
from nbcompare.experiment import Experiment
from nbcompare.results import Recommendation
from nbcompare.results.recommendation import Reason
from nbcompare.stats import incomplete, pairwise, posthoc
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.stats.ranking import NOISE, midranks

# Beyond this many algorithms ranks within data sets say nearly as much as aligned ones.
FEW_ALGORITHMS = 4
# Ranges of scores are taken to be on one scale if those of the wider data sets (upper decile)
# exceed those of the narrower ones (lower decile) by no more than this factor.
ONE_SCALE = 100.0
# chi-squared laws of rank tests are rough up to this many data sets.
FEW_DATASETS = 10
# Share of ties from which they are worth a note, and of algorithms from which a control is.
_MANY_TIES = 0.1
_MANY_ALGORITHMS = 6


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rules look at; ``chosen`` are the options settled so far."""

    k: int
    n: int  # data sets with scores of two algorithms
    n_shared: int  # the fewest data sets that two algorithms share
    n_missing: int
    n_cells: int
    m: int  # hypotheses
    alpha: float
    control: str | None
    spread: float  # of the ranges of data sets
    ties: float  # share among comparisons within data sets
    chosen: dict[str, str] = field(default_factory=dict)

    @property
    def one_scale(self) -> bool:
        """Whether the data sets seem to be on one scale."""
        return self.spread <= ONE_SCALE

    @property
    def smallest(self) -> float:
        """The smallest p that Wilcoxon's exact test can give a pair."""
        return min(1.0, 2.0 ** (1 - self.n_shared))

    @property
    def smallest_adjusted(self) -> float:
        """What is left of that after the first step of an adjustment."""
        return min(1.0, self.m * self.smallest)

    @property
    def by_position(self) -> bool:
        """Whether p falls with the distance of average ranks, whatever the pair."""
        return self.chosen["pairs"] == "ranks" and self.chosen["missing"] != "skillings-mack"


class Rule(NamedTuple):
    """A choice, when it is made, why, and who says so; an empty text needs no reason."""

    value: str
    when: Callable[[Facts], bool]
    code: str
    text: str = ""
    source: str = ""


def _always(_: Facts) -> bool:
    return True


# For each option the first rule that holds decides; options are settled in this order.
RULES: Mapping[str, tuple[Rule, ...]] = {
    "missing": (
        Rule("raise", lambda f: f.n_missing == 0, "complete"),
        Rule(
            "drop",
            lambda f: f.k == 2,
            "both-scores",
            "A pair is compared on the data sets with a score of both, of which there are "
            "{n_shared}.",
            "demsar2006",
        ),
        Rule(
            "skillings-mack",
            _always,
            "gaps",
            "Of {n_cells} scores some are missing ({n_missing}); Skillings and Mack's test, "
            "Friedman's for tables with gaps, uses all that are there.",
            "skillings1981",
        ),
    ),
    "ranking": (
        Rule(
            "friedman",
            lambda f: f.chosen["missing"] == "skillings-mack",
            "within-gaps",
            "With gaps, scores can be ranked within data sets only; aligned and Quade's ranks "
            "need every score.",
            "skillings1981",
        ),
        Rule(
            "friedman",
            lambda f: f.k == 2,
            "two-algorithms",
            "There is one pair, and Wilcoxon's test of it (compare_pair) is the answer; a test "
            "of any difference before it is not needed.",
            "demsar2006",
        ),
        Rule(
            "friedman",
            lambda f: f.k > FEW_ALGORITHMS,
            "many-algorithms",
            "Aligned and Quade's ranks are for few algorithms; with {k} there is enough to rank "
            "within each data set, which needs no common scale.",
            "garcia2010",
        ),
        Rule(
            "friedman",
            lambda f: not f.one_scale,
            "several-scales",
            "The ranges of scores differ between data sets by a factor of {spread:.3g} (deciles; "
            "the limit here is {limit:g}), so they seem not to be on one scale, which aligned and "
            "Quade's ranks need; Friedman's compare within data sets only.",
            "garcia2010",
        ),
        Rule(
            "aligned",
            _always,
            "few-algorithms",
            "With {k} algorithms, ranks within data sets say little; aligned ranks also use how "
            "large the differences are, and the data sets seem to be on one scale (their ranges "
            "differ by a factor of {spread:.3g}). Quade's, which weights data sets, is more "
            "sensitive to their choice.",
            "garcia2010",
        ),
    ),
    "pairs": (
        Rule(
            "wilcoxon",
            lambda f: f.k == 2,
            "exact-pair",
            "For two algorithms Wilcoxon's test needs no normal differences, unlike the t test, "
            "and finds more than the sign test.",
            "demsar2006",
        ),
        Rule(
            "ranks",
            lambda f: f.smallest_adjusted > f.alpha,
            "too-few-for-wilcoxon",
            "{n_shared} data sets cannot give a p of Wilcoxon's test below {smallest:.3g}, too "
            "large to reject any of {m} hypotheses at α = {alpha:g}; a test by average ranks can "
            "reject, but its outcome for a pair depends on the other algorithms too.",
            "wilcoxon1945",
        ),
        Rule(
            "ranks",
            lambda f: not f.one_scale,
            "ranks-within",
            "Wilcoxon's test ranks the differences of all data sets together, and these seem not "
            "to be on one scale; average ranks compare within data sets. Their outcome for a pair "
            "depends on the other algorithms too.",
            "demsar2006",
        ),
        Rule(
            "wilcoxon",
            _always,
            "pair-alone",
            "A test by average ranks may turn out differently for the same two algorithms if "
            "others are added; Wilcoxon's uses the scores of the two alone.",
            "benavoli2016",
        ),
    ),
    "adjust": (
        Rule(
            "holm",
            lambda f: f.m == 1,
            "one-hypothesis",
            "A single hypothesis needs no adjustment; Holm's leaves its p as it is.",
            "holm1979",
        ),
        Rule(
            "holm",
            lambda f: f.control is not None,
            "any-dependence",
            "Holm's procedure keeps the family-wise error however the tests depend on one "
            "another. Hochberg's and Hommel's gain little and need a positive dependence that is "
            "not certain for two-sided tests against one control.",
            "holm1979",
        ),
        Rule(
            "bergmann-hommel",
            lambda f: f.by_position or f.k <= MOST_ALGORITHMS,
            "logical",
            "Of {m} hypotheses about all pairs only some sets can be true together; the procedure "
            "of Bergmann and Hommel uses this fully and rejects most.",
            "garcia2008",
        ),
        Rule(
            "shaffer",
            _always,
            "logical-many",
            "Bergmann and Hommel's procedure is not feasible for {k} algorithms with this test of "
            "pairs; Shaffer's uses which hypotheses can be true together more simply.",
            "garcia2008",
        ),
    ),
    "strength": (
        Rule(
            "weak",
            lambda f: f.k == 2 and f.smallest_adjusted > f.alpha,
            "powerless",
            "{n_shared} data sets cannot give a p of Wilcoxon's test below {smallest:.3g}: no "
            "difference, however clear, can be significant at α = {alpha:g}.",
            "wilcoxon1945",
        ),
        Rule(
            "weak",
            lambda f: f.n_shared < 2 * f.k,
            "few-datasets",
            "The rule of thumb for rank tests is 2 data sets per algorithm, {twice} for {k}; there "
            "are {n_shared}.",
            "derrac2011",
        ),
        Rule(
            "adequate",
            lambda f: f.n_shared < 4 * f.k or f.n_shared <= FEW_DATASETS,
            "enough-datasets",
            "{n_shared} data sets for {k} algorithms meet the rule of thumb, 2 per algorithm, but "
            "do not exceed it far.",
            "derrac2011",
        ),
        Rule(
            "strong",
            _always,
            "many-datasets",
            "{n_shared} data sets for {k} algorithms are at least twice what the rule of thumb, 2 "
            "per algorithm, asks for.",
            "derrac2011",
        ),
    ),
}


def recommend(
    experiment: Experiment,
    *,
    control: str | None = default("control"),
    alpha: float = default("alpha"),
) -> Recommendation:
    """Recommend the options of :func:`compare` for an experiment, with reasons and sources.

    Rules from the literature are applied to the sizes of the experiment, its missing
    scores, its ties, and the ranges of scores on the data sets; never to who wins.

    Parameters
    ----------
    experiment : Experiment
        At least 2 algorithms on at least 2 data sets; scores may be missing.
    control : str, optional
        The algorithm that all others are compared with; ``"best"`` for the best ranked; all
        pairs by default.
    alpha : float, default 0.05
        Family-wise significance level.

    Returns
    -------
    Recommendation
        ``compare(experiment, **recommendation.options)`` follows it.

    Raises
    ------
    DataError
        For interval-valued scores, a single data set or algorithm, or scores so sparse that
        nothing links the algorithms.
    ValueError
        If the control is not an algorithm.

    Notes
    -----
    Friedman's ranks are recommended unless there are at most 4 algorithms and the data sets
    seem to be on one scale: the upper decile of the ranges of scores on a data set is at most
    100 times the lower decile, a rule of thumb of this package. Wilcoxon's test of pairs is
    recommended if its smallest possible p, 2^(1 - n), can be significant for so many
    hypotheses, and the data sets seem to be on one scale. The design is weak below n = 2k and
    strong from n = 4k and 11 data sets.

    References
    ----------
    Demšar (2006), Benavoli et al. (2016), García and Herrera (2008), García et al. (2010),
    Derrac et al. (2011); in full in the result's ``references``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> nbc.recommend(nbc.datasets.load("demsar2006"))
    <Recommendation: ranking 'aligned', pairs 'wilcoxon', adjust 'bergmann-hommel',
     missing 'raise'; adequate design>
    """
    check_experiment(experiment)
    level = check_probability(alpha, "alpha")
    if control is not None and control != BEST:
        check_name(control, "control", experiment.algorithms)
    return chosen(experiment, control, level)


def chosen(experiment: Experiment, control: str | None, alpha: float) -> Recommendation:
    """The recommendation for arguments that were checked."""
    _check_data(experiment)
    scores, scale = oriented_scores(experiment, gaps=True)
    facts = _facts(experiment, scores, scale, control, alpha)
    reasons = []
    for option, rules in RULES.items():
        rule = next(rule for rule in rules if rule.when(facts))
        facts.chosen[option] = rule.value
        if rule.text:
            reasons.append(Reason(rule.code, _filled(rule.text, facts), rule.source))
    return Recommendation(
        **facts.chosen,
        control=control,
        alpha=alpha,
        n_hypotheses=facts.m,
        reasons=tuple(reasons),
        notes=tuple(_caveats(experiment, facts)),
        design=design_of(experiment, {"control": control, "alpha": alpha}),
    )


def _check_data(experiment: Experiment) -> None:
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores, whose ranks are not single numbers. Make "
            "an Experiment of the midpoints to rank these."
        )
    if experiment.n_datasets == 1:
        raise DataError(
            "`experiment` must hold at least 2 data sets; got 1. From one data set nothing "
            "follows for others: add data sets. Which algorithm is better on this one needs "
            "repeated runs, and no rank test over data sets."
        )


def _facts(
    experiment: Experiment,
    scores: FloatArray,
    scale: FloatArray | None,
    control: str | None,
    alpha: float,
) -> Facts:
    known = ~np.isnan(scores)
    k = scores.shape[1]
    fixed = control in experiment.algorithms
    first, second = (
        posthoc.against_control(k, experiment.algorithms.index(str(control)))
        if fixed
        else posthoc.all_pairs(k)
    )
    shared = known.astype(np.int64).T @ known
    used = known.sum(axis=1) >= 2
    apart = incomplete.unlinked(scores)
    if used.sum() < 2:
        raise DataError(
            "`experiment` must hold at least 2 data sets with scores of 2 algorithms; got "
            f"{int(used.sum())}."
        )
    if apart is not None:
        one, other = (experiment.algorithms[j] for j in apart)
        raise DataError(
            f"`experiment` has no data set that {one!r} and {other!r} share, and no others link "
            "them. Select algorithms that are linked with experiment.select(...)."
        )
    return Facts(
        k=k,
        n=int(used.sum()),
        n_shared=int(shared[first, second].min()),
        n_missing=int((~known).sum()),
        n_cells=known.size,
        m=k - 1 if control is not None else k * (k - 1) // 2,
        alpha=alpha,
        control=control,
        spread=_spread(scores[used], None if scale is None else scale[used]),
        ties=_ties(scores[used], None if scale is None else scale[used]),
    )


def _spread(scores: FloatArray, scale: FloatArray | None) -> float:
    """Upper over lower decile of the ranges of the data sets, but for those all tied."""
    halves = scores / 2  # the range itself could overflow
    ranges = np.nanmax(halves, axis=1) - np.nanmin(halves, axis=1)
    size = np.nanmax(np.abs(scores) if scale is None else scale, axis=1)
    ranges = np.log(ranges[ranges > NOISE * size])
    if len(ranges) < 2:
        return 1.0
    low, high = np.quantile(ranges, [0.1, 0.9])
    return math.exp(min(float(high - low), 700.0))


def _ties(scores: FloatArray, scale: FloatArray | None) -> float:
    """Share of ties among the comparisons of two scores on one data set."""
    tied = total = 0
    for place, row in enumerate(scores):
        here = ~np.isnan(row)
        ranks = midranks(row[here], scale=None if scale is None else scale[place, here])
        first, second = posthoc.all_pairs(len(ranks))
        tied += int(pairwise.win_tie_loss(ranks[np.newaxis], first, second).ties.sum())
        total += len(first)
    return tied / total


def _filled(text: str, facts: Facts) -> str:
    return text.format(
        k=facts.k,
        twice=2 * facts.k,
        n_shared=facts.n_shared,
        n_missing=facts.n_missing,
        n_cells=facts.n_cells,
        m=facts.m,
        alpha=facts.alpha,
        spread=facts.spread,
        limit=ONE_SCALE,
        smallest=facts.smallest,
    )


def _caveats(experiment: Experiment, facts: Facts) -> Iterator[Note]:
    yield from _notes.of_experiment(experiment)
    if facts.control == BEST and BEST not in experiment.algorithms:
        yield Note(
            "control-from-data",
            "A control that the data choose has smaller p-values than one fixed beforehand.",
        )
    if facts.control is None and facts.k >= _MANY_ALGORITHMS:
        yield Note(
            "many-hypotheses",
            f"All pairs of {facts.k} algorithms are {facts.m} hypotheses. If the question is "
            f"about one algorithm, fix it as the control before looking: {facts.k - 1} hypotheses.",
        )
    if facts.n_missing:
        yield Note(
            "missing-at-random",
            f"{plural(facts.n_missing, 'score')} of {facts.n_cells} "
            f"{'is' if facts.n_missing == 1 else 'are'} missing. Whether one is missing must not "
            "depend on how good it would have been, or no test here is valid.",
        )
    if facts.ties >= _MANY_TIES:
        yield Note(
            "ties",
            f"{facts.ties:.0%} of the comparisons of two algorithms on a data set are ties; the "
            "formulas corrected for ties, the default, take account of them.",
        )
    if facts.n <= FEW_DATASETS and facts.k > 2:
        yield Note(
            "approximate",
            f"With {FEW_DATASETS} data sets or fewer the laws of the omnibus statistics are rough "
            "approximations (Demšar 2006).",
        )
    if facts.k == 2 and not facts.one_scale:
        yield Note(
            "unit",
            "The ranges of scores differ between data sets by a factor of "
            f"{facts.spread:.3g}. Wilcoxon's test stays valid, but weighs data sets by the size "
            "of their differences; the sign test does not.",
        )
    yield Note(
        "parametric",
        "Analysis of variance and t tests need more than rank tests do: normal residuals or "
        "differences, and equal variances. check_conditions tests related conditions.",
    )
