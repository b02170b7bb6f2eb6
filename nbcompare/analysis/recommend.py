"""Recommend tests for an experiment by applying rules to its facts."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import BEST, default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_name, check_probability
from nbcompare.analysis import _notes
from nbcompare.analysis._advice import FEW_DATASETS, ONE_SCALE, RULES, Facts
from nbcompare.analysis._data import (
    check_experiment,
    check_several_datasets,
    design_of,
    oriented_scores,
)
from nbcompare.analysis.frames import of_frames
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Recommendation
from nbcompare.results.recommendation import Reason
from nbcompare.stats import incomplete, pairwise, posthoc
from nbcompare.stats.rankings import NOISE, midranks

# A note is added from this share of ties, and from this number of algorithms without a control.
_MANY_TIES = 0.1
_MANY_ALGORITHMS = 6


@of_frames
def recommend(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    control: str | None = default("control"),
    alpha: float = default("alpha"),
) -> Recommendation:
    """Recommend the options of :func:`compare` for an experiment, with reasons and sources.

    Rules from the literature are applied to the size of the experiment, its missing scores,
    its ties and the ranges of scores on the data sets, but never to which algorithm is best.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms on at least 2 data sets; scores may be missing.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    control : str, optional
        The algorithm that all others are compared with; ``"best"`` is the best ranked one.
        All pairs are compared by default.
    alpha : float, default 0.05
        Family-wise significance level.

    Returns
    -------
    Recommendation
        The result; ``compare(experiment, **recommendation.options)`` follows it.

    Raises
    ------
    DataError
        If scores are intervals, if there is a single data set or algorithm, or if so many
        scores are missing that nothing links the algorithms.
    ValueError
        If the control is not an algorithm.

    Notes
    -----
    Friedman's ranks are recommended unless there are at most 4 algorithms and the data sets
    seem to be on one scale: by a rule of thumb of this package, they are if the upper decile of
    the ranges of scores on a data set is at most 100 times the lower decile. Wilcoxon's test of
    pairs is recommended if its smallest possible p-value, 2^(1 - n), can be significant for that
    number of hypotheses and the data sets seem to be on one scale. The design is weak if
    n < 2k, and strong if n >= 4k and n >= 11.

    References
    ----------
    Demšar (2006), Benavoli et al. (2016), García and Herrera (2008), García et al. (2010),
    Derrac et al. (2011). The ``references`` of the result give them in full.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> nbc.recommend(nbc.datasets.load("demsar2006"))
    <Recommendation: ranking 'aligned', pairs 'wilcoxon', adjust 'bergmann-hommel',
     missing 'raise'; adequate design>
    """
    experiment = check_experiment(experiment, direction)
    level = check_probability(alpha, "alpha")
    if control is not None and control != BEST:
        check_name(control, "control", experiment.algorithms)
    return chosen(experiment, control, level)


def chosen(experiment: Experiment, control: str | None, alpha: float) -> Recommendation:
    """Return the recommendation; the arguments must have been checked."""
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
    check_several_datasets(experiment)


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
            f"`experiment` has no data set that {one!r} and {other!r} share, and no other "
            "algorithms link them. Select algorithms that are linked with experiment.select(...)."
        )
    return Facts(
        k=k,
        n=int(used.sum()),
        n_shared=int(shared[first, second].min()),
        n_missing=int((~known).sum()),
        n_incomplete=len(experiment.incomplete),
        n_common=_n_common(experiment),
        n_cells=known.size,
        m=k - 1 if control is not None else k * (k - 1) // 2,
        alpha=alpha,
        control=control,
        spread=_spread(scores[used], None if scale is None else scale[used]),
        ties=_ties(scores[used], None if scale is None else scale[used]),
    )


def _n_common(experiment: Experiment) -> int:
    """Return the number of data sets with a fold of which every algorithm has a score."""
    made = (~np.isnan(experiment.lower)).any(axis=(1, 3))
    common = np.asarray(made & ~experiment.losses.folds.any(axis=1))
    return int(common.any(axis=1).sum())


def _spread(scores: FloatArray, scale: FloatArray | None) -> float:
    """Return the upper over the lower decile of the ranges of data sets that are not all tied."""
    halves = scores / 2  # the range of the scores themselves could overflow
    ranges = np.nanmax(halves, axis=1) - np.nanmin(halves, axis=1)
    size = np.nanmax(np.abs(scores) if scale is None else scale, axis=1)
    ranges = np.log(ranges[ranges > NOISE * size])
    if len(ranges) < 2:
        return 1.0
    low, high = np.quantile(ranges, [0.1, 0.9])
    return math.exp(min(float(high - low), 700.0))


def _ties(scores: FloatArray, scale: FloatArray | None) -> float:
    """Return the share of ties among the comparisons of two scores on one data set."""
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
        n_incomplete=facts.n_incomplete,
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
            "A control that the data choose has smaller p-values than one chosen beforehand.",
        )
    if facts.control is None and facts.k >= _MANY_ALGORITHMS:
        yield Note(
            "many-hypotheses",
            f"All pairs of {facts.k} algorithms are {facts.m} hypotheses. If the question is "
            "about one algorithm, choose it as the control before looking at the scores: that "
            f"leaves {facts.k - 1} hypotheses.",
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
            f"With {FEW_DATASETS} data sets or fewer, the p-values of the omnibus tests are rough "
            "approximations (Demšar 2006).",
        )
    if facts.k == 2 and not facts.one_scale:
        yield Note(
            "unit",
            "The ranges of scores differ between data sets by a factor of "
            f"{facts.spread:.3g}. Wilcoxon's test stays valid, but weights data sets by the size "
            "of their differences; the sign test does not.",
        )
    yield Note(
        "parametric",
        "Analysis of variance and t tests assume more than rank tests do: normal residuals or "
        "differences, and equal variances. The check of conditions tests related assumptions.",
    )
