"""Say whether another defensible design, or the absence of one data set, would decide otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import AUTO, EXACT, NORMAL, default
from nbcompare._progress import Progress
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, named
from nbcompare.analysis import _ranked
from nbcompare.analysis._design import MOST_BY_DEFAULT, MOST_BY_RANKS, MOST_BY_SHAFFER
from nbcompare.analysis._family import Family, adjusted_each
from nbcompare.analysis._notes import BY_SIGNS, least_p, tied_on, ties_that_hinder
from nbcompare.analysis.data import Fill, called, of_frames
from nbcompare.analysis.ranks import Prepared, assembled, family_of, prepared
from nbcompare.analysis.scales import Scales, scales_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Comparison, Labelled, Sensitivity
from nbcompare.results.sensitivity import TestOfPairs
from nbcompare.results.texts import note
from nbcompare.stats import adjust, conditions
from nbcompare.words import PAIRWISE_TESTS, RANKINGS

# Strictest first. Those of Finner and Li do not control the family-wise error.
_ALL_PAIRS = ("bonferroni", "nemenyi", "holm", "shaffer", "bergmann-hommel")
_WITH_CONTROL = ("bonferroni", "holm", "hommel")
# Tests of pairs: rankings, whose average ranks are compared, then those of the two themselves
_BY_RANKS = tuple(RANKINGS)
_ALONE = tuple(name for name, test in PAIRWISE_TESTS.items() if not test.by_ranks)


@of_frames
def sensitivity(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    control: str | None = default("control"),
    alpha: float = default("alpha"),
    scale: str = default("scale"),
    missing: str = default("missing"),
    fill: Fill = default("fill"),
) -> Sensitivity:
    """Say how far the decisions of :func:`compare` depend on the design and on single data sets.

    The primary design is what :func:`compare` does with these options alone. It
    remains the answer: choosing another design after having seen its outcome is not allowed.

    Two things are varied. *Designs*: pairs are tested by Friedman's, aligned and Quade's ranks,
    by the exchange test, Wilcoxon's test and t, each with procedures that control the family-wise
    error (all pairs: Bonferroni, Nemenyi with Friedman's ranks, Holm, and except with Wilcoxon's
    test Shaffer and Bergmann-Hommel; a control: Bonferroni, Holm, Hommel). Tests that the data
    forbid are left out, with the reason. As the procedures are nested, tests of pairs are counted,
    each with the procedure of the primary design. *Data sets*: the primary design is settled once,
    and applied without each data set in turn.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms on at least 2 data sets.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    control : str, optional
        The algorithm that is compared with every other one; all pairs by default. ``"best"`` is
        the best ranked one of all data sets, also where one of these is left out, and its
        comparisons are those out of all pairs.
    alpha : float, default 0.05
        Level of the family-wise error.
    scale : {"auto", "one", "several"}
        Whether the scores of all data sets are on one scale, which aligned and Quade's ranks,
        Wilcoxon's test and t need; ``auto`` judges by the ranges of the scores. What is stated
        settles the primary test of pairs too, as in :func:`compare`.
    missing, fill
        As in :func:`compare`.

    Returns
    -------
    Sensitivity
        The result, which displays itself; ``primary`` is the comparison by the primary design,
        and ``hinges`` names the data sets on which each decision hangs.

    Raises
    ------
    DataError, ValueError
        As :func:`compare` raises them.

    Notes
    -----
    The t test is left out if Shapiro and Wilk's test, with Holm's adjustment over the pairs,
    rejects at ``alpha`` that the differences of some pair are normal. A test whose p cannot
    reject with so many data sets is left out too.

    References
    ----------
    Demšar (2006), García and Herrera (2008), García et al. (2010), Benavoli et al. (2016).

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.sensitivity(nbc.datasets.load("demsar2006"), control="C4.5")
    >>> result
    <Sensitivity: Partly firm: these differences are significant by five of six suitable tests, and
    with any one data set left out>
    >>> print(result.summary)
    Partly firm: these differences are significant by five of six suitable tests, and with any one
    data set left out.
    """
    experiment, asked = called("compare", locals())
    level = asked.alpha
    ready = prepared(experiment, **asked)
    comparison = assembled(ready)
    scores = _Scores.of(ready)
    order = np.lexsort((scores.second, scores.first, ready.family.tests.log10_pvalue))
    used = experiment.select(datasets=comparison.design.datasets)
    left_out = dict(_forbidden(scores, scales_of(used, scale), level, ready))
    tests = tuple(
        _test(name, scores, ready, order) for name in (*_BY_RANKS, *_ALONE) if name not in left_out
    )
    why_not = _why_not_without(scores, ready, level)
    flips, least, most, impossible = _without_each(scores, ready, level, skip=bool(why_not))
    design = replace(comparison.design, options=Labelled(asked))
    datasets = design.datasets
    return Sensitivity(
        primary=comparison,
        tests=tests,
        left_out=Labelled(left_out),
        hinges=tuple(tuple(datasets[i] for i in np.flatnonzero(flips[:, row])) for row in order),
        least=least[order] if not why_not else least,
        most=most[order] if not why_not else most,
        why_not=why_not,
        notes=tuple(_notes([datasets[i] for i in impossible], tests, comparison)),
        design=design,
    )


@dataclass(frozen=True, slots=True)
class _Scores:
    """Scores as the primary design uses them, smaller being better, with the pairs."""

    scores: FloatArray
    scale: FloatArray | None
    algorithms: tuple[str, ...]
    pairs: Family  # as the primary design tests them

    @classmethod
    def of(cls, ready: Prepared) -> _Scores:
        # only average ranks alone, which are not varied, have no effects
        effects = cast("_ranked.Effects", ready.effects)
        return cls(effects.scores, effects.scale, ready.design.algorithms, ready.family)

    @property
    def first(self) -> IntArray:
        return self.pairs.first

    @property
    def second(self) -> IntArray:
        return self.pairs.second

    @property
    def has_gaps(self) -> bool:
        return bool(np.isnan(self.scores).any())

    @property
    def n_shared(self) -> IntArray:
        """The numbers of data sets that the two of each pair share."""
        known = ~np.isnan(self.scores)
        return np.asarray((known[:, self.first] & known[:, self.second]).sum(axis=0))

    def names_of(self, row: int) -> tuple[str, str]:
        """Return the two of a pair."""
        return self.algorithms[self.first[row]], self.algorithms[self.second[row]]

    def without(self, place: int) -> _Scores:
        """Return the scores without a data set."""
        scale = None if self.scale is None else np.delete(self.scale, place, axis=0)
        return replace(self, scores=np.delete(self.scores, place, axis=0), scale=scale)

    def family(self, name: str, method: str) -> Family:
        """Return the pairs, tested as ``name`` says."""
        positions = None
        if self.has_gaps:  # an error says if nothing links some algorithms
            tests = _ranked.of_incomplete(self.scores, self.scale, self.algorithms).tests
        if name in _ALONE:
            tests = _ranked.by_own_scores(name, method, self.scores, self.scale)
        elif not self.has_gaps:
            ranked = _ranked.by_ranks(self.scores, self.scale, name, method)
            tests, positions = ranked.tests, ranked.sums
        pairs, out_of_all = self.pairs, self.pairs.whole is not None
        return family_of(pairs.k, tests, pairs.control, positions, out_of_all=out_of_all)


# ------------------------------------------------------------------------------ designs


def _name(ready: Prepared) -> str:
    """Return the name of the primary test of pairs: a ranking, or a test of the two alone."""
    words = ready.settled
    return words.ranking if PAIRWISE_TESTS[words.pairs].by_ranks else words.pairs


def _test(name: str, scores: _Scores, ready: Prepared, order: IntArray) -> TestOfPairs:
    """Return the p-values of all pairs by a test, adjusted by every procedure that fits."""
    alpha = ready.design.options["alpha"]
    family = ready.family if name == _name(ready) else scores.family(name, AUTO)
    procedures = _procedures(name, family, ready)
    return TestOfPairs(
        name=name,
        method=family.tests.method,
        decides=ready.settled.procedures[0],
        adjusted=Labelled({word: family.adjusted(word, alpha)[0][order] for word in procedures}),
    )


def _procedures(name: str, family: Family, ready: Prepared) -> tuple[str, ...]:
    """Return the procedures that go with a test of pairs and do not take long."""
    k = family.k
    if len(family.first) == 1:
        return ready.settled.procedures
    if family.control is not None:
        return _WITH_CONTROL
    quick = MOST_BY_DEFAULT if family.positions is None else MOST_BY_RANKS
    logical = name in _BY_RANKS or PAIRWISE_TESTS[name].is_transitive
    impossible = {
        "nemenyi": name != _BY_RANKS[0] or family.positions is None,
        "shaffer": k > MOST_BY_SHAFFER or not logical,
        "bergmann-hommel": k > quick or not logical,
    }
    return tuple(word for word in _ALL_PAIRS if not impossible.get(word))


def _least(name: str, scores: _Scores, dropped: int = 0) -> float:
    """Return the smallest p that an exact test of a pair can have without so many data sets.

    Zero if there is no such bound.
    """
    known: float | None = None
    if name in BY_SIGNS:
        known = least_p(name, int(scores.n_shared.max()) - dropped)
    elif name in _BY_RANKS and not scores.has_gaps:
        known = least_p("ranks", len(scores.scores) - dropped, k=scores.pairs.k)
    return known or 0.0


def _ties(name: str, scores: _Scores, alpha: float) -> int:
    """Return on how many data sets each pair ties at least, if that lets the test reject none."""
    if name not in BY_SIGNS or scores.has_gaps:
        return 0
    first, second = scores.first, scores.second
    return ties_that_hinder(scores.scores, first, second, scores.pairs.m, alpha)


def _forbidden(
    scores: _Scores, scales: Scales, alpha: float, ready: Prepared
) -> Iterator[tuple[str, str]]:
    """Yield the tests of pairs that the data forbid, with the reason."""
    m, primary = scores.pairs.m, _name(ready)
    for name in (*_BY_RANKS, *_ALONE):
        if name == primary:
            continue
        n_tied = _ties(name, scores, alpha)
        across = (PAIRWISE_TESTS if name in _ALONE else RANKINGS)[name].needs_scale
        reason = ""
        if across and not scales.one:
            reason = f"{scales.several}, which this test needs. {scales.advice}"
        elif name in _BY_RANKS[1:] and scores.has_gaps:
            reason = "Such ranks need every score, and some are missing."
        elif name in _ALONE and scores.n_shared.min() < 2:
            row = int(scores.n_shared.argmin())
            one, other = scores.names_of(row)
            reason = f"{one} and {other} share fewer than 2 data sets."
        elif _least(name, scores) * m > alpha or n_tied:
            n = int(scores.n_shared.max())
            most = plural(n, "data set") + tied_on(n_tied, n)
            reason = (
                f"{most} cannot give a p small enough to reject any of {plural(m, 'hypothesis')}."
            )
        elif name == "t":
            reason = _not_normal(scores, alpha)
        if reason:
            yield name, reason.strip()


def _not_normal(scores: _Scores, alpha: float) -> str:
    """Return why the differences of some pair are not normal; nothing if they may be."""
    with np.errstate(over="ignore", invalid="ignore"):
        halves = scores.scores[:, scores.first] / 2 - scores.scores[:, scores.second] / 2
    sizes = np.fmax.reduce(np.abs(scores.scores), axis=0)
    known = (~np.isnan(halves)).sum(axis=0)
    if known.min() < conditions.SHAPIRO_LEAST or known.max() > conditions.SHAPIRO_MOST:
        return (
            "The test of normality needs "
            f"{conditions.SHAPIRO_LEAST} to {conditions.SHAPIRO_MOST:,} differences of every pair."
        )
    test = conditions.shapiro_wilk(halves.T, scale=sizes[scores.first] + sizes[scores.second])
    p = np.where(np.isnan(test.pvalue), 1.0, test.pvalue)  # of differences that are all equal
    adjusted = adjust.adjust(p, "holm", alpha)
    worst = int(np.argmin(p))
    n_pairs = int((adjusted <= alpha).sum())
    if not n_pairs:
        return ""
    one, other = scores.names_of(worst)
    return (
        f"Shapiro and Wilk's test rejects that differences are normal for "
        f"{plural(n_pairs, 'pair')} of {len(p)}, most clearly for {one} and {other}."
    )


# ---------------------------------------------------------------------------- data sets


def _why_not_without(scores: _Scores, ready: Prepared, alpha: float) -> str:
    """Return why no data set is left out; nothing if the rest can reject."""
    m, n = scores.pairs.m, len(scores.scores) - 1
    exact = ready.family.tests.method == EXACT
    if n >= 2 and (not exact or _least(_name(ready), scores, 1) * m <= alpha):
        return ""
    return (
        f"With {plural(n, 'data set')} the primary design cannot reject any of "
        f"{plural(m, 'hypothesis')} at α = {alpha:g}, however clear the differences are, so "
        "leaving out one data set says nothing."
    )


def _without_each(
    scores: _Scores, ready: Prepared, alpha: float, *, skip: bool
) -> tuple[np.ndarray, FloatArray, FloatArray, list[int]]:
    """Return the decisions that change without each data set, and the range of adjusted p.

    The shape of the first is (n_datasets, m). Data sets without which algorithms cannot be
    compared are named last.
    """
    n, m = len(scores.scores), len(scores.first)
    if skip:
        return np.zeros((n, m), dtype=np.bool_), np.empty(0), np.empty(0), []
    procedure = ready.settled.procedures[0]
    decided = ready.family.adjusted(procedure, alpha)[0] <= alpha
    name, method = _name(ready), ready.family.tests.method
    if method == NORMAL and name in _ALONE:
        method = AUTO  # by the number of nonzero differences of each pair
    possible: list[int] = []

    def families() -> Iterator[Family]:
        for place in range(n):
            with suppress(DataError):  # some algorithms cannot be compared without
                family = scores.without(place).family(name, method)
                possible.append(place)
                yield family

    with Progress("data sets left out", n) as bar:
        known = []
        for adjusted in adjusted_each(families(), procedure, alpha):
            known.append(adjusted)
            bar.update()
    flips = np.zeros((n, m), dtype=np.bool_)
    impossible = np.setdiff1d(np.arange(n), possible).tolist()
    if not known:
        return flips, np.ones(m), np.ones(m), impossible
    found = np.array(known)
    flips[possible] = (found <= alpha) != decided
    return flips, found.min(axis=0), found.max(axis=0), impossible


# -------------------------------------------------------------------------------- notes


def _notes(
    impossible: list[str], tests: tuple[TestOfPairs, ...], comparison: Comparison
) -> Iterator[Note]:
    yield note("not-a-choice")
    if impossible:
        yield note("not-without", names=named(impossible))
    for test in tests:
        nemenyi = test.adjusted.get("nemenyi")
        mildest = list(test.adjusted.values())[-1]
        if (
            nemenyi is not None
            and ((nemenyi <= comparison.alpha) & (mildest > comparison.alpha)).any()
        ):
            yield note("nemenyi")
    yield from comparison.notes
