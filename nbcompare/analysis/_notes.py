"""Notes on the limits of a result, each with a code for programs and a text for readers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, are_tied
from nbcompare._options import BEST, BETTER, MAXIMIZE, MINIMIZE, TWO_SIDED
from nbcompare._render import Note, plural
from nbcompare._validation import named
from nbcompare.experiment import Experiment
from nbcompare.results.texts import note
from nbcompare.stats import adjust
from nbcompare.stats.omnibus import OmnibusTest
from nbcompare.stats.posthoc import PairTests
from nbcompare.words import OMNIBUS, PAIRWISE_TESTS, PROCEDURES, RANKINGS

_FEW = 10  # data sets below which the normal law of rank tests is rough


# Notes of experiments without which a result is misread: what was filtered, failed, may be cut off,
# and that tests of the scores are not to be trusted
_PASSED_ON = ("where", "failed-runs", "cutoff", "targets-from-data")


def averaged_over(experiment: Experiment) -> str:
    """Return the folds and runs over which scores are means; empty if there is one of each."""
    nouns = ("item" if experiment.unit == "items" else "fold", "run")
    over = zip((experiment.n_folds, experiment.n_runs), nouns, experiment.fewest, strict=True)
    return " and ".join(plural(*part) for part in over if part[0] > 1)


def of_experiment(experiment: Experiment) -> Iterator[Note]:
    """Yield notes if scores were averaged before ranking, or some of them negated."""
    if over := averaged_over(experiment):
        yield note("averaged", over=over)
    yield from of_fewer_runs(experiment)
    yield from of_turned(experiment)
    yield from of_infinite(experiment)
    yield from (note for note in experiment.notes if note.code in _PASSED_ON)


def of_infinite(experiment: Experiment) -> Iterator[Note]:
    """Yield a note on infinite scores, of which the order alone is known."""
    n, cells = experiment.n_infinite, experiment.missing.size
    if not n:
        return
    yield note("infinite", n=n, cells=cells, experiment=experiment)


def of_fewer_runs(experiment: Experiment) -> Iterator[Note]:
    """Yield a note on algorithms that were run less often than others everywhere."""
    if names := experiment.fewer_runs:
        yield note("fewer-runs", names=named(names), who=names)


def of_turned(experiment: Experiment) -> Iterator[Note]:
    """Yield a note if the scores of some data sets have the other direction."""
    if experiment.turned:
        n = len(experiment.turned)
        usual = BETTER[experiment.direction]
        other = BETTER[MINIMIZE if experiment.direction == MAXIMIZE else MAXIMIZE]
        yield note(
            "turned",
            n=n,
            experiment=experiment,
            names=named(experiment.turned),
            other=other,
            usual=usual,
        )


def of_gaps(experiment: Experiment, *, gaps: bool) -> Iterator[Note]:
    """Yield notes on what ranks of incomplete data sets assume."""
    if not gaps:
        return
    yield note("skillings-mack", n=int(experiment.missing.sum()))
    alone = int(((~experiment.missing).sum(axis=1) < 2).sum())
    if alone:
        yield note("not-ranked", alone=alone)


def of_formulas(formulas: str, ranking: str, pairs: str, *, tied: bool) -> Iterator[Note]:
    """Yield notes on where the printed formulas differ from the corrected ones."""
    if formulas != "printed":
        return
    if tied:
        larger = "statistics are" if len(RANKINGS[ranking].omnibus) > 1 else "omnibus statistic is"
        yield note("printed-formulas/ties", larger=larger)
    record = RANKINGS[ranking]
    if record.false_positives and PAIRWISE_TESTS[pairs].by_ranks:
        yield note("printed-z", record=record)


def of_control(
    asked: str | None,
    chosen: int | None,
    names: Sequence[str],
    averages: FloatArray,
    average: str = "average rank",
    alternative: str = TWO_SIDED,
    out_of: int = 0,
    what: str = "Its p-values are smaller than those of a control chosen beforehand.",
) -> Iterator[Note]:
    """Yield a note if the control was chosen from the data, as the one with the least average.

    ``out_of`` is the number of all pairs if the comparisons with it are part of these, and ``what``
    follows from the choice otherwise.
    """
    if asked != BEST or chosen is None or BEST in names:
        return
    tied = int((averages == averages.min()).sum())
    among = f", and is the first of {tied} with that {average.split()[-1]}" if tied > 1 else ""
    if out_of:
        what = f"Its comparisons are those out of {out_of} pairs, over which p-values are adjusted."
    elif len(names) == 2 and alternative == TWO_SIDED:
        what = "Of two algorithms that changes no p-value."
    if alternative == "worse":
        what = "That it is worse than another is hardly ever found."
    yield note("control-from-data", chosen=names[chosen], average=average, among=among, what=what)


def of_procedures(
    procedures: Sequence[str], formulas: str, blocks: str = "data sets"
) -> Iterator[Note]:
    """Yield notes on what procedures need in order to control an error.

    ``blocks`` names what the tests have in common.
    """
    for procedure in map(PROCEDURES.__getitem__, procedures):
        if procedure.if_some_false:
            code = f"{procedure.name}-true-hypotheses"
            yield note("true-hypotheses", code=code, procedure=procedure)
        if procedure.if_dependent:
            code = f"{procedure.name}-dependence"
            condition = procedure.if_dependent.replace("blocks", blocks)
            yield note("dependence", code=code, procedure=procedure, condition=condition)
    false = [PROCEDURES[name].label for name in procedures[:1] if _is_about_discoveries(name)]
    if false:
        yield note("false-discoveries", label=false[0])
    if "rom" in procedures and formulas == "printed":
        yield note("printed-rom")


def of_logic(pairs: str, procedures: Sequence[str]) -> Iterator[Note]:
    """Yield a note on procedures that take more for granted than the tests of all pairs say.

    Of those for all pairs, Nemenyi's goes with average ranks only.
    """
    logical = [
        f"{PROCEDURES[name].label}'s" for name in procedures if PROCEDURES[name].all_pairs_only
    ]
    if logical and not PAIRWISE_TESTS[pairs].is_transitive:
        yield note(
            "logical-relations",
            names=named(logical),
            logical=logical,
            test=PAIRWISE_TESTS[pairs].test,
        )


def _is_about_discoveries(procedure: str) -> bool:
    return PROCEDURES[procedure].controls == "false discovery rate"


def of_pairs(
    pairs: str, tests: PairTests, groups: Sequence[Sequence[int]] | None
) -> Iterator[Note]:
    """Yield notes on the limits of the tests of pairs and of their groups."""
    if pairs == "t" and np.isinf(tests.statistic).any():
        yield note("identical-differences")
    if groups is None:
        yield note("many-groups")


def of_tests(tests: Mapping[str, OmnibusTest], averages: FloatArray) -> Iterator[Note]:
    """Yield notes on the limits of the omnibus tests on these data."""
    if not tests:
        return
    name, decisive = list(tests.items())[-1]
    if np.ptp(averages) == 0 and decisive.pvalue == 1:
        yield note("all-alike")
    if math.isinf(decisive.statistic):
        test = OMNIBUS[name]
        yield note("perfect-agreement", test=test)


def of_family(
    procedures: Sequence[str],
    m: int,
    alpha: float,
    hypotheses: str = "hypotheses",
    beside: Iterable[Note] = (),
) -> Iterator[Note]:
    """Yield a note on the family-wise error if the p-values of m hypotheses are not adjusted.

    There is none ``beside`` a note that no hypothesis can be rejected, be it true or false.
    """
    never = any(note.code == _NEVER for note in beside)
    if not procedures and m > 1 and not never:
        yield note("no-adjustment", m=m, hypotheses=hypotheses, alpha=alpha)


# A data set whose scores are so many times as large as usual may be in another unit.
_LARGE = 50.0


def of_units(datasets: Sequence[str], scores: FloatArray) -> Iterator[Note]:
    """Yield a note on a few data sets whose scores are far larger than on the others.

    The rule on scales goes by deciles, which such data sets do not change.
    """
    sizes = np.fmax.reduce(np.abs(scores), axis=1) / 2  # the sum of two large ones could overflow
    usual = float(np.median(sizes))
    rows = np.flatnonzero(sizes > _LARGE * usual)
    if not usual > 0 or not 0 < len(rows) <= max(1, len(sizes) // 10):
        return
    factor = float(np.max(sizes[rows])) / usual
    yield note("large-scores", names=named([datasets[int(row)] for row in rows]), factor=factor)


def ties_that_hinder(
    scores: FloatArray,
    first: IntArray,
    second: IntArray,
    m: int,
    alpha: float,
    alternative: str = TWO_SIDED,
) -> int:
    """Return on how many data sets each pair ties at least, if a test by signs can reject none.

    Ties have no sign, so that they make no p smaller. The answer is 0 as soon as the data sets on
    which some pair differs are enough to reject one of m hypotheses, mostly those of the first,
    and if all data sets are too few for that.
    """
    n = len(scores)

    def is_enough(n_untied: int) -> bool:
        return m * (least_p("wilcoxon", n_untied, alternative) or 0.0) <= alpha

    if not is_enough(n):
        return 0  # the data sets are too few, whatever the ties
    fewest = n
    for one, two in zip(first, second, strict=True):
        ties = are_tied(scores[:, one], scores[:, two])
        fewest = min(fewest, int(np.count_nonzero(ties)))
        if is_enough(n - fewest):
            return 0
    return fewest


def tied_on(n_tied: int, n: int) -> str:
    """Return the words on ties that follow the number of data sets; none without ties."""
    if not n_tied:
        return ""
    return f", on {'all' if n_tied == n else f'at least {n_tied}'} of which each pair ties,"


# Tests of pairs of which each difference has a random sign, so that ties count for nothing
BY_SIGNS = ("wilcoxon", "exchange")
_NEVER = "never-significant"
# Numbers of blocks beyond this are not suggested.
_MOST_BLOCKS = 10_000


def least_p(test: str | None, n: int, alternative: str = TWO_SIDED, *, k: int = 2) -> float | None:
    """Return the smallest p-value that an exact test of two algorithms on n blocks can have.

    The number of blocks alone determines it, and for ``ranks`` the number of algorithms k: all
    blocks put the two at the opposite ends of an order, one of k(k - 1) equally likely pairs of
    places. None for tests whose p has no smallest value.
    """
    tails = 2 if alternative == TWO_SIDED else 1
    if test in (*BY_SIGNS, "sign", "permutation"):
        return min(1.0, tails * 2.0**-n)
    if test == "ranks":
        return min(1.0, tails * float(k * (k - 1)) ** -n)
    if test == "rank-sum":
        return min(1.0, tails / math.comb(2 * n, n))
    return None


def of_reach(
    least: Callable[[int], float | None],
    n: int,
    *,
    alpha: float,
    m: int = 1,
    procedure: str = "",
    what: str = "the test",
    noun: str = "data set",
    n_tied: int = 0,
) -> Iterator[Note]:
    """Yield a note if a test on n blocks cannot reject any of m hypotheses, and what would do.

    Parameters
    ----------
    least : callable
        Function from a number of blocks to the smallest p-value of the test, such as
        :func:`least_p`; None if there is no smallest one.
    n : int
        Number of blocks.
    alpha : float
        Significance level.
    m : int
        Number of hypotheses.
    procedure : str
        The procedure that adjusts p-values; none if empty.
    what, noun : str
        The test and its blocks, for the text.
    n_tied : int
        On how many blocks each pair ties at least, which do not count for this test.
    """
    p = least(n - n_tied)
    if p is None:
        return
    adjusted = _least_adjusted(p, m, procedure, alpha)
    if adjusted <= alpha:
        return
    after = ""
    if adjusted > p:
        after = f", and {adjusted:.3g} after the adjustment for {m:,} hypotheses"
    enough = next(
        (
            more
            for more in range(n + 1, n_tied + _MOST_BLOCKS)
            if _least_adjusted(least(more - n_tied) or 0.0, m, procedure, alpha) <= alpha
        ),
        None,
    )
    others = ", if there are no more ties" if n_tied else ""
    advice = (
        "" if enough is None else f" At least {plural(enough, noun)} are needed for that{others}."
    )
    where = f"{plural(n, noun)}{tied_on(n_tied, n)}"
    yield note(_NEVER, where=where, what=what, p=p, after=after, alpha=alpha, advice=advice)


def _least_adjusted(p: float, m: int, procedure: str, alpha: float) -> float:
    """Return the smallest adjusted p-value of m hypotheses of which none is below p.

    Bonferroni's, which no procedure exceeds, if that is not above alpha.
    """
    if not procedure:
        return p
    if m * p <= alpha or PROCEDURES[procedure].all_pairs_only:
        return min(1.0, m * p)
    return float(adjust.adjust(np.full(m, p), procedure, alpha).min())


def of_omnibus(
    tests: Mapping[str, OmnibusTest],
    rejected: BoolArray,
    procedures: Sequence[str],
    alpha: float,
) -> Iterator[Note]:
    """Yield a note if pairs differ although the omnibus test does not reject."""
    if tests and rejected.any() and [*tests.values()][-1].pvalue > alpha:
        because = ""
        if procedures:
            controlled = PROCEDURES[procedures[0]].controls
            because = f", because the adjustment controls the {controlled} by itself"
        yield note("omnibus-not-rejected", because=because)


def of_few(n: int) -> Iterator[Note]:
    """Yield a note if the normal law is used for few data sets."""
    if n < _FEW:
        yield note("approximate", few=_FEW)


def of_opposite(
    statistic: FloatArray,
    rejected: BoolArray,
    ends: tuple[IntArray, IntArray],
    averages: FloatArray,
    names: Sequence[str],
) -> Iterator[Note]:
    """Yield a note if a significantly better algorithm has the worse average rank.

    ``ends`` holds the algorithms of each pair, by their places.
    """
    found = []
    for value, first, second in zip(
        statistic[rejected], *(end[rejected].tolist() for end in ends), strict=True
    ):
        better, worse = (first, second) if value > 0 else (second, first)
        if averages[better] > averages[worse]:
            found.append(f"{names[better]} against {names[worse]}")
    if found:
        yield note("opposite-ranks", names=named(found, most=4))
