"""Comparisons of two algorithms over data sets, and estimates of their difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._options import AUTO, default
from nbcompare._render import Note, format_rounded, plural
from nbcompare._validation import DataError, check_name, named, not_a_choice, shown
from nbcompare.analysis import _notes
from nbcompare.analysis._design import settled_pair
from nbcompare.analysis.data import (
    Fill,
    called,
    check_size,
    of_frames,
    oriented,
    own_scores,
    result_of,
    treated,
)
from nbcompare.analysis.rules import State
from nbcompare.analysis.scales import Scales, scales_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import PairComparison
from nbcompare.results.hypotheses import agreeing
from nbcompare.results.texts import note
from nbcompare.stats import pairwise, parametric, runs, shift, signed_rank
from nbcompare.stats.rankings import LARGEST, midranks, with_sizes
from nbcompare.words import PAIR_TESTS, PAIRWISE_TESTS, ZEROS, for_each

# The pair of algorithms to compare, by column: the scores have two columns only.
_PAIR: tuple[IntArray, IntArray] = (np.array([0]), np.array([1]))


@dataclass(frozen=True)
class Pair:
    """The scores of two algorithms as they were given, and turned so that smaller is better.

    Both have the shape (n_datasets, 2). ``scale`` is the magnitude of the numbers that were
    averaged, or None if none were.
    """

    scores: FloatArray
    oriented: FloatArray
    scale: FloatArray | None

    @classmethod
    def of(cls, data: Experiment) -> Pair:
        """Return the scores of an experiment with two algorithms."""
        scores, scale = own_scores(data)
        check_size(scores, "experiment")
        given = np.where(data.is_turned[:, np.newaxis], 0.0 - scores, scores)
        return cls(given, oriented(scores, data), scale)

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def differences(self) -> FloatArray:
        """Differences by data set, positive where the first is better and zero for ties."""
        values: FloatArray = self.oriented[:, 1] - self.oriented[:, 0]
        return np.where(self._is_tied, 0.0, values)

    @property
    def equal_or_not(self) -> FloatArray:
        """The differences, without rounding noise if that is all in which they differ."""
        equal = parametric.paired_t(self.oriented, *_PAIR, scale=self.scale).identical[0]
        return np.full(len(self), self.differences[0]) if equal else self.differences

    @property
    def noise(self) -> FloatArray:
        """Rounding noise of the differences, by data set."""
        sizes = np.abs(self.oriented) if self.scale is None else self.scale
        return np.asarray(NOISE * sizes.max(axis=1))

    @property
    def median_difference(self) -> float:
        """Median of the differences, positive if the first is better."""
        return float(np.median(self.differences))

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of wins, ties and losses of the first."""
        counts = pairwise.win_tie_loss(midranks(self.oriented, scale=self.scale), *_PAIR)
        wins, ties, losses = (int(count[0]) for count in counts)
        return wins, ties, losses

    @cached_property
    def _is_tied(self) -> BoolArray:
        """Whether the two tie on each data set, if possible without rounding noise."""
        exact, sizes = with_sizes(self.oriented, self.scale)
        return np.asarray(np.abs(exact[:, 0] - exact[:, 1]) <= NOISE * sizes.max(axis=1))


class PairOutcome(NamedTuple):
    """The outcome of a test, as its result has it."""

    statistic: float
    pvalue: float
    log10_pvalue: float
    effect_size: float
    n_used: int
    method: str
    r_plus: float | None = None
    r_minus: float | None = None


def _outcome(result: Any, **more: Any) -> PairOutcome:
    """Return the outcome of a test of one pair, or of the only one of several."""
    more |= {
        name: float(np.ravel(getattr(result, name))[0])
        for name in ("statistic", "pvalue", "log10_pvalue")
    }
    return PairOutcome(**more)


def _wilcoxon(pair: Pair, asked: State) -> PairOutcome:
    result = signed_rank.signed_ranks(
        pair.oriented,
        *_PAIR,
        zeros=asked.zeros or "",
        method=asked.method,
        alternative=asked.alternative,
        scale=pair.scale,
    )
    return _outcome(
        result,
        effect_size=float(pairwise.rank_biserial(pair.oriented, *_PAIR, scale=pair.scale)[0]),
        n_used=int(result.n_used[0]),
        method="exact" if result.exact[0] else "normal",
        r_plus=float(result.r_plus[0]),
        r_minus=float(result.r_minus[0]),
    )


def _sign(pair: Pair, asked: State) -> PairOutcome:
    wins, ties, losses = pair.counts
    split = ties if asked.zeros == "demsar" else 0
    result = signed_rank.sign_test([wins], [split], [losses], alternative=asked.alternative)
    share = (wins - losses) / len(pair)
    return _outcome(result, effect_size=share, n_used=int(result.n_used[0]), method="exact")


def _rank_sum(pair: Pair, asked: State) -> PairOutcome:
    scale = None if pair.scale is None else (pair.scale[:, 0], pair.scale[:, 1])
    result = runs.rank_sum(
        *pair.oriented.T, method=asked.method, alternative=asked.alternative, scale=scale
    )
    how = "exact" if result.exact else "normal"
    return _outcome(result, effect_size=result.effect_size, n_used=len(pair), method=how)


def _t(pair: Pair, asked: State) -> PairOutcome:
    result = parametric.paired_t(
        pair.oriented, *_PAIR, alternative=asked.alternative, scale=pair.scale
    )
    size = float(result.effect_size[0])
    return _outcome(result, effect_size=size, n_used=len(pair), method="t")


TESTS: Mapping[str, Callable[[Pair, State], PairOutcome]] = for_each(
    PAIR_TESTS, {"wilcoxon": _wilcoxon, "sign": _sign, "rank-sum": _rank_sum, "t": _t}
)
# The estimate and the interval that belong to each test, at a confidence
SHIFTS: Mapping[str, Callable[[Pair, float], shift.Shift]] = for_each(
    PAIR_TESTS,
    {
        "wilcoxon": lambda pair, level: shift.hodges_lehmann(pair.differences, level),
        "sign": lambda pair, level: shift.median_shift(pair.differences, level),
        "rank-sum": lambda pair, level: shift.two_sample_shift(
            pair.oriented[:, 1], pair.oriented[:, 0], level
        ),
        "t": lambda pair, level: shift.mean_shift(pair.equal_or_not, level),
    },
)


def sizes(pair: Pair, asked: State, found: shift.Shift, pvalue: float) -> dict[str, Any]:
    """Return the estimates of the difference; a two-sided test decides where its interval ends."""
    lower, upper = np.array([found.lower]), np.array([found.upper])
    if asked.alternative == "two-sided":
        lower, upper = agreeing(lower, upper, np.array([pvalue <= asked.alpha]))
    return {
        "median_difference": pair.median_difference,
        "shift": found.estimate,
        "shift_lower": float(lower[0]),
        "shift_upper": float(upper[0]),
        "coverage": found.coverage,
    }


def notes_of_test(test: str, pair: Pair, asked: State, outcome: PairOutcome) -> Iterator[Note]:
    """Yield notes on the assumptions and limits of the test."""
    if test == "rank-sum":
        yield note("pairing-ignored/rank-sum")
    if test == "t":
        yield note("t-assumptions")
    if asked.alternative != "two-sided":
        yield note("one-sided")
    if pair.counts[1] == len(pair):
        yield note("all-tied/datasets")
    if math.isinf(outcome.statistic):
        yield note("identical-differences/two")
    if outcome.method == "exact":
        yield from _notes.of_reach(
            lambda n: _notes.least_p(test, n, asked.alternative), len(pair), alpha=asked.alpha
        )
    if outcome.method == "normal":
        yield note("normal-approximation")


def notes_of_symmetry(
    pair: Pair, names: tuple[str, str], outcome: PairOutcome, asked: State, *, in_units: bool
) -> Iterator[Note]:
    """Yield notes if a significant pair is not what Wilcoxon's test takes it for."""
    if outcome.r_plus is None or outcome.pvalue > asked.alpha:
        return
    side = np.array([outcome.statistic])
    found = gains_of(pair.oriented, pair.scale, *_PAIR, side, names)
    yield from notes_of_skew(found, 1, asked.alpha, in_units=in_units)


def notes_of_ties(test: str, pair: Pair, zeros: str | None) -> Iterator[Note]:
    """Yield a note on how data sets are treated on which the two tie."""
    n_tied = pair.counts[1]
    if not 0 < n_tied < len(pair) or zeros is None:
        return
    what = ZEROS[zeros].note if test == "wilcoxon" else ZEROS[zeros].signs
    if n_tied == 1:
        what = what.replace("their ranks are", "its rank is").replace("they are", "it is")
        what = "it is dropped" if zeros == "demsar" else what.replace("they do", "it does")
    elif zeros == "demsar" and n_tied % 2:
        what += ", one being dropped because their number is odd"
    yield note("zeros", n_tied=n_tied, what=what)


def notes_of_interval(pair: Pair, asked: State, found: shift.Shift) -> Iterator[Note]:
    """Yield notes on where there is no interval, or a less exact one than the test."""
    level = f"{100 * (1 - asked.alpha):g} %"
    if math.isinf(found.lower):
        yield note("no-interval", n=len(pair), level=level)
    elif not found.exact:
        yield note("normal-interval")


# Only so small a p speaks against symmetry: for few differences in two clusters, or with many
# zeros, the level of the test is up to five times as large
_SPEAKS = 0.01
_MOST = 4  # pairs that are named


class Gains(NamedTuple):
    """The differences of a significant pair, positive where the better one is better."""

    better: str
    worse: str
    values: FloatArray
    sizes: FloatArray

    def hang_on_symmetry(self, m: int, alpha: float) -> bool:
        """Return whether they are not symmetric, and not shown otherwise to be above 0 in general.

        The triples test is adjusted for m hypotheses. If the intervals of the mean and of the
        median, each at 1 - alpha/m, both lie above 0, symmetry does not matter.
        """
        if m * signed_rank.triples(self.values, scale=self.sizes).pvalue > _SPEAKS:
            return False
        centres = (shift.mean_shift, shift.median_shift)
        return not all(of(self.values, 1 - alpha / m).lower > 0 for of in centres)


def gains_of(
    scores: FloatArray,
    scale: FloatArray | None,
    first: IntArray,
    second: IntArray,
    sides: FloatArray,
    names: tuple[str, ...],
) -> Iterator[Gains]:
    """Yield the gains of pairs on the data sets with scores of both; smaller is better.

    ``scale`` is the magnitude of the numbers that were averaged, or None if none were; ``sides``
    are positive where the first is the better one.
    """
    magnitudes = np.abs(scores) if scale is None else scale
    for one, other, side in zip(first, second, sides, strict=True):
        pair = [one, other] if side >= 0 else [other, one]
        known = ~np.isnan(scores[:, pair]).any(axis=1)
        both, sizes = scores[known][:, pair], magnitudes[known][:, pair].max(axis=1)
        gains = both[:, 1] - both[:, 0]
        gains = np.where(np.abs(gains) <= NOISE * sizes, 0.0, gains)
        yield Gains(names[pair[0]], names[pair[1]], gains, sizes)


def notes_of_skew(
    pairs: Iterable[Gains], m: int, alpha: float, *, in_units: bool
) -> Iterator[Note]:
    """Yield notes on significant pairs, of m, that are compared otherwise than one may think.

    One is on pairs of which only symmetry would make a statement on mean and median, and one on
    pairs whose better algorithm is better on fewer data sets. Mean and median differences are told
    if they are ``in_units`` of the measure.
    """
    skewed, opposite = [], []
    for gains in pairs:
        if gains.hang_on_symmetry(m, alpha):
            skewed.append(gains)
        wins, losses = (int((side * gains.values > 0).sum()) for side in (1, -1))
        if wins < losses:
            opposite.append(f"{gains.better} against {gains.worse} ({wins} to {losses})")
    if opposite:
        yield note("opposite-signs", names=named(opposite, most=_MOST))
    if not skewed:
        return
    adjusted = f", adjusted for {m} hypotheses" if m > 1 else ""
    one, centres = skewed[0], ""
    if in_units and len(skewed) == 1:
        mean, median = (format_rounded(float(of(one.values)) + 0.0) for of in (np.mean, np.median))
        centres = (
            f" The mean difference is {mean} and the median {median} (> 0: {one.better} is better)."
        )
    whose = f"{one.better} and {one.worse}"
    if len(skewed) > 1:
        who = [f"{each.better} and {each.worse}" for each in skewed]
        whose = f"{plural(len(skewed), 'significant pair')} ({named(who, most=_MOST)})"
    yield note("asymmetric", whose=whose, level=_SPEAKS, adjusted=adjusted, centres=centres)


SIMULTANEOUS, PAIRWISE, NONE = "simultaneous", "pairwise", "none"
# Differences, and sums of two of them, must be numbers
_LARGEST = LARGEST / 2
_TOO_LARGE = "Scores exceed"


class Estimates(NamedTuple):
    """Which estimates pairs have: a word of the tests of pairs, or none.

    ``intervals`` is the kind of the intervals and ``confidence`` the level of each, None if there
    are none. ``withheld`` says why there are no estimates, or none of the intervals asked for.
    Intervals at ``margin_confidence`` are compared with the ``margin``, if there is one.
    """

    pairs: str = ""
    intervals: str = NONE
    confidence: float | None = None
    withheld: str = ""
    margin: float | None = None
    margin_confidence: float = 0.0

    def with_margin(self, margin: float | None, confidence: float) -> Estimates:
        """Return these with a margin and the level of intervals that are compared with it."""
        return self._replace(margin=margin, margin_confidence=confidence)


def check_margin(margin: float | None, against: str) -> None:
    """Raise an error if there is a margin, but differences are not estimated."""
    if margin is not None and against:
        advice = (
            "Take a larger unit."
            if against.startswith(_TOO_LARGE)
            else "Tests by pairs='exchange' without a margin need no common scale."
        )
        raise DataError(
            "`margin` must be left out here, because differences are not estimated. "
            f"{against} {advice}"
        )


def reason_against(scales: Scales, scores: FloatArray, pairs: str, *, gaps: bool) -> str:
    """Say in sentences why differences of these scores are not estimated; nothing if they are."""
    if scales.order_alone:
        return f"{scales.several}."
    if not scales.one:
        why = (
            f"{scales.several}. Differences are not comparable between data sets then; "
            "wins, ties and losses do not depend on the scale."
        )
        return f"{why} {scales.advice}".rstrip()
    if max(np.fmax.reduce(scores, axis=None), -np.fmin.reduce(scores, axis=None)) > _LARGEST:
        return f"{_TOO_LARGE} {_LARGEST:.3g} in size, so that differences may not be numbers."
    if gaps and not PAIRWISE_TESTS[pairs].has_intervals:
        return "Scores are missing, so that pairs of algorithms share different data sets."
    return ""


def planned(against: str, pairs: str, asked: str, n: int, m: int, alpha: float) -> Estimates:
    """Return which estimates and intervals the pairs of a family of ``m`` hypotheses have.

    Where the interval of Wilcoxon's test at 1 - alpha/m would be infinite on ``n`` data sets, that
    at 1 - alpha stands in.
    """
    if against:
        return Estimates(withheld=f"Differences are not estimated. {against}")
    if asked == NONE:
        return Estimates(pairs)
    if not PAIRWISE_TESTS[pairs].has_intervals:
        return Estimates(
            pairs,
            withheld="Tests of pairs by ranks give no interval of a difference in units of "
            "the measure; the differences are medians over the data sets.",
        )
    level = alpha / m if asked == SIMULTANEOUS else alpha
    if pairs != "wilcoxon" or 2.0 ** (1 - n) <= level:
        return Estimates(pairs, asked, 1 - level)
    least = 1 + math.ceil(math.log2(1 / level))
    few = (
        f"{plural(n, 'data set')} are too few for "
        f"{'simultaneous ' if asked == SIMULTANEOUS else ''}intervals by Wilcoxon's test at "
        f"{100 * (1 - level):.4g} % each, which would be infinite; {least} would be enough."
    )
    if asked == SIMULTANEOUS and 2.0 ** (1 - n) <= alpha:
        return Estimates(
            pairs, PAIRWISE, 1 - alpha, f"{few} The intervals shown hold each by itself."
        )
    return Estimates(pairs, withheld=few)


def notes_of(estimates: Estimates) -> Iterator[Note]:
    """Yield a note on estimates or intervals that are withheld, and why."""
    if estimates.withheld and not estimates.pairs:
        yield Note("no-estimates", estimates.withheld)
    elif estimates.withheld and PAIRWISE_TESTS[estimates.pairs].has_intervals:
        yield Note("no-intervals", estimates.withheld)


def notes_on_margin(estimates: Estimates, scores: FloatArray) -> Iterator[Note]:
    """Yield notes if no pair can be within the margin, or none can be outside."""
    if estimates.margin is None:
        return
    known, n = ~np.isnan(scores), len(scores)
    spans = np.where(known, scores, -np.inf).max(axis=1) - np.where(known, scores, np.inf).min(
        axis=1
    )
    noise = NOISE * np.nan_to_num(np.abs(scores)).max(axis=1)
    largest = spans.max()
    if estimates.margin > (spans + noise).max():
        yield note("margin-too-wide", estimates=estimates, largest=largest)
    level = 1 - estimates.margin_confidence
    if estimates.pairs == "wilcoxon" and 2.0 ** (1 - n) > level:
        yield note(
            "margin-out-of-reach",
            n=n,
            percent=100 * (1 - level),
            enough=1 + math.ceil(math.log2(1 / level)),
        )


class Pairs(NamedTuple):
    """Pairs with scores on the same data sets, and their places among those that are asked for.

    Of the scores, only those are there that all pairs on these data sets use.
    """

    places: IntArray | slice
    first: IntArray
    second: IntArray
    scores: FloatArray
    scale: FloatArray | None
    midranks: FloatArray | None

    def each(self) -> Iterator[Pair]:
        """Yield the scores of each pair."""
        for pair in zip(self.first.tolist(), self.second.tolist(), strict=True):
            columns = list(pair)
            both = self.scores[:, columns]
            yield Pair(both, both, None if self.scale is None else self.scale[:, columns])


def computed(estimates: Estimates, pairs: Pairs) -> FloatArray:
    """Return estimates, lower and upper ends by pair, positive where the first is better.

    Smaller scores are better. The ends mean nothing if there are to be no intervals.
    """
    found = np.zeros((3, len(pairs.first)))
    for place, pair in enumerate(pairs.each()):
        confidence = 0.95 if estimates.confidence is None else estimates.confidence
        one = SHIFTS[_OF_PAIRS[estimates.pairs]](pair, confidence)
        found[:, place] = one.estimate, one.lower, one.upper
    return found


def within_margin(estimates: Estimates, pairs: Pairs) -> BoolArray:
    """Return by pair whether its interval lies strictly inside the margin on both sides of 0.

    An end that differs from the margin by rounding noise of the scores alone is not inside: each
    data set counts with the largest difference that its noise allows.
    """
    margin = 0.0 if estimates.margin is None else estimates.margin
    found = np.zeros(len(pairs.first), dtype=np.bool_)
    for place, pair in enumerate(pairs.each()):
        found[place] = all(
            _UPPER[estimates.pairs](sign * pair.differences + pair.noise, estimates) < margin
            for sign in (1.0, -1.0)
        )
    return found


# The tests of two algorithms whose estimates pairs have
_OF_PAIRS = for_each(
    PAIRWISE_TESTS, {"ranks": "sign", "exchange": "sign", "wilcoxon": "wilcoxon", "t": "t"}
)
# Upper ends of the intervals that are compared with a margin
_UPPER: Mapping[str, Callable[[FloatArray, Estimates], float]] = {
    "wilcoxon": lambda values, of: shift.hodges_lehmann(values, of.margin_confidence).upper,
    "t": lambda values, of: shift.mean_shift(values, of.margin_confidence).upper,
}


@of_frames
def compare_pair(
    experiment: Experiment | Frame,
    a: str,
    b: str,
    *,
    direction: str | None = None,
    test: str = default("test"),
    zeros: str = default("zeros"),
    method: str = default("method"),
    alternative: str = default("alternative"),
    alpha: float = default("alpha"),
    scale: str = default("scale"),
    missing: str = default("pairs.missing"),
    fill: Fill = default("fill"),
) -> PairComparison:
    """Test whether two algorithms differ, and estimate their difference.

    Scores are averaged over folds and runs first, with a note. The result does not depend on
    the other algorithms of the experiment.

    Parameters
    ----------
    experiment : Experiment or dataframe
        The scores, on at least 2 data sets.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    a, b : str
        Names of the algorithms; all results describe the first.
    test : {"auto", "wilcoxon", "sign", "rank-sum", "t"}
        ``auto``: that of the only pair of :func:`nbcompare.compare`, by the same rules:
        ``wilcoxon`` if the data sets are on one scale (see ``scale``), else ``sign``.
        ``wilcoxon``: signed ranks of the differences on the data sets, recommended in general
        (Demšar 2006, section 3.1.3). ``sign``: the number of data sets on which the first is
        better, for scores that cannot be compared between data sets. ``rank-sum``: Mann and
        Whitney's test, which treats the scores as independent samples. ``t``: the paired t
        test.
    zeros : {"auto", "demsar", "split", "wilcox", "pratt"}
        How data sets are treated on which the two tie. Wilcoxon's test takes all words, and
        ``demsar`` by default. ``demsar``: their ranks are shared evenly between both sums, and
        one is dropped if their number is odd; ``split``: none is dropped; ``wilcox``: all are
        dropped before ranking; ``pratt``: all are ranked, then dropped. The sign test takes
        ``wilcox`` by default, so that ties do not count, as in :func:`nbcompare.compare`; with
        ``demsar`` they are split evenly between wins and losses.
    method : {"auto", "exact", "normal"}
        How p is computed. ``auto``: exactly, also with ties, for up to 300 differences other
        than zero (rank-sum: about 120 data sets), else by the normal approximation.
        ``exact``: exactly for up to 1,000 (300). The sign test is always exact and accepts
        ``auto`` and ``exact``; the t test has its own distribution and accepts ``auto`` only.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse.
    alpha : float, default 0.05
        Significance level. The confidence interval has confidence 1 - alpha and is always
        two-sided; for the two-sided alternative, it ends at 0 where the interval of untied
        differences would say otherwise than the test.
    scale : {"auto", "one", "several"}
        Whether the scores of all data sets are on one scale. ``auto`` judges by their ranges, as in
        :func:`nbcompare.recommend`; the other words state it. On several scales no difference
        is estimated.
    missing : {"raise", "drop-folds", "drop", "worst", "available"}
        What to do about missing scores, as in :func:`nbcompare.compare`.
    fill : float or str, optional
        The score of what failed, as in :func:`nbcompare.compare`.

    Returns
    -------
    PairComparison
        The result, which displays itself; see also its ``sentences`` and ``to_frame()``.

    Raises
    ------
    DataError
        If scores are missing or intervals, or if there are fewer than 2 data sets.
    ValueError
        If an algorithm or option is unknown, or if options cannot be combined.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    The paper's example, R+ = 93 and R- = 12:

    >>> import nbcompare as nbc
    >>> result = nbc.compare_pair(nbc.datasets.load("demsar2006"), "C4.5+m", "C4.5")
    >>> result
    <PairComparison: C4.5+m is better than C4.5 on 10 of 14 data sets and worse on 2, with 2 tied
    (AUC, higher is better)>
    >>> result.r_plus, result.r_minus, result.n_used
    (93.0, 12.0, 14)
    """
    experiment, asked_for = called("compare_pair", locals())
    level = asked_for.alpha
    names = [check_name(a, "a", experiment.algorithms), check_name(b, "b", experiment.algorithms)]
    if a == b:
        raise ValueError(f"`b` must be another algorithm than `a`; got {shown(b)} twice.")
    both = experiment.select(algorithms=names)
    data, left_out = treated(both, missing, fill, function="compare_pair")
    scales = scales_of(data, scale)
    pair = Pair.of(data)
    taken, why, advice = settled_pair(data, pair.oriented, scales, test, level)
    words = PAIR_TESTS[taken]
    _check_together(taken, zeros=(zeros, (AUTO, *words.zeros)), method=(method, words.methods))
    treatment = next(iter(words.zeros), None) if zeros == AUTO else zeros
    asked = State(asked_for, zeros=treatment)
    outcome = TESTS[taken](pair, asked)
    estimate = SHIFTS[taken](pair, 1 - level)
    against = reason_against(scales, pair.oriented, "", gaps=False)
    wins, ties, losses = pair.counts
    return result_of(
        PairComparison,
        data,
        asked_for,
        given=both,
        first=a,
        second=b,
        test=taken,
        **outcome._asdict(),
        **({} if against else sizes(pair, asked, estimate, outcome.pvalue)),
        confidence=1 - level,
        wins=wins,
        ties=ties,
        losses=losses,
        zeros=treatment,
        rejected=outcome.pvalue <= level,
        scores=pair.scores,
        notes=(
            *advice,
            *_notes.of_experiment(data),
            *left_out,
            *notes_of_test(taken, pair, asked, outcome),
            *notes_of_ties(taken, pair, treatment),
            *notes_of_symmetry(pair, (a, b), outcome, asked, in_units=not against),
            *notes_of(planned(against, "", NONE, len(pair), 1, level)),
            *(() if against else notes_of_interval(pair, asked, estimate)),
        ),
        why=why,
    )


def _check_together(test: str, **options: tuple[str, Sequence[str]]) -> None:
    """Raise an error if an option has a word that does not apply to the test."""
    for name, (value, allowed) in options.items():
        if value not in allowed:
            raise ValueError(f"`{name}` with test={test!r} {not_a_choice(value, allowed)}")
