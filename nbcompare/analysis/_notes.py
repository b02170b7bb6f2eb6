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
from nbcompare.stats import adjust
from nbcompare.stats.omnibus import OmnibusTest
from nbcompare.stats.posthoc import PairTests
from nbcompare.words import OMNIBUS, PAIRWISE_TESTS, PROCEDURES, RANKINGS

_FEW = 10  # data sets below which the normal law of rank tests is rough

UNTIED_FORMULAS = Note(
    "untied-formulas",
    "Average ranks alone do not show which ranks were tied. The formulas for untied ranks are "
    "used; they do not reject more often than those corrected for ties.",
)
ONE_SIDED = Note(
    "one-sided",
    "A one-sided p-value is valid only if the side was chosen before looking at the scores.",
)


# Notes of experiments without which a result is misread: what was filtered, failed, may be cut off,
# and that tests of the scores are not to be trusted
_PASSED_ON = ("where", "failed-runs", "cutoff", "targets-from-data")


def averaged_over(experiment: Experiment) -> str:
    """Return the folds and runs over which scores are means; empty if there is one of each."""
    over = zip(
        (experiment.n_folds, experiment.n_runs), ("fold", "run"), experiment.fewest, strict=True
    )
    return " and ".join(plural(*part) for part in over if part[0] > 1)


def of_experiment(experiment: Experiment) -> Iterator[Note]:
    """Yield notes if scores were averaged before ranking, or some of them negated."""
    if over := averaged_over(experiment):
        yield Note(
            "averaged",
            f"Scores are means over {over}; how much these vary is not used.",
        )
    yield from of_fewer_runs(experiment)
    yield from of_turned(experiment)
    yield from of_infinite(experiment)
    yield from (note for note in experiment.notes if note.code in _PASSED_ON)


def of_infinite(experiment: Experiment) -> Iterator[Note]:
    """Yield a note on infinite scores, of which the order alone is known."""
    n, cells = experiment.n_infinite, experiment.missing.size
    if not n:
        return
    yield Note(
        "infinite",
        f"{n:,} of {cells:,} scores {'is' if n == 1 else 'are'} infinite ({experiment.infinite}). "
        "They count as the worst on their data set and tie with one another; nothing is estimated "
        "in units of the measure.",
    )


def of_fewer_runs(experiment: Experiment) -> Iterator[Note]:
    """Yield a note on algorithms that were run less often than others everywhere."""
    if names := experiment.fewer_runs:
        yield Note(
            "fewer-runs",
            f"{named(names)} {'has' if len(names) == 1 else 'have'} fewer runs than others on "
            "every data set, which is taken as the design of the experiment: no run counts as "
            "missing.",
        )


def of_turned(experiment: Experiment) -> Iterator[Note]:
    """Yield a note if the scores of some data sets have the other direction."""
    if experiment.turned:
        n = len(experiment.turned)
        usual = BETTER[experiment.direction]
        other = BETTER[MINIMIZE if experiment.direction == MAXIMIZE else MAXIMIZE]
        yield Note(
            "turned",
            f"On {plural(n, 'data set')} of {experiment.n_datasets} ({named(experiment.turned)}) "
            f"{other}, on the others {usual}. Ranks within data sets are not affected; where "
            "scores of several data sets are compared or averaged, those of "
            f"{'this one' if n == 1 else 'these'} count negated.",
        )


def of_gaps(experiment: Experiment, *, gaps: bool) -> Iterator[Note]:
    """Yield notes on what ranks of incomplete data sets assume."""
    if not gaps:
        return
    yield Note(
        "skillings-mack",
        f"{plural(int(experiment.missing.sum()), 'score')} missing: each data set ranks the scores "
        "it has. This is valid if whether a score is missing does not depend on how good it would "
        "have been; an algorithm that fails where it performs badly gains by it.",
    )
    alone = int(((~experiment.missing).sum(axis=1) < 2).sum())
    if alone:
        yield Note(
            "not-ranked",
            f"{plural(alone, 'data set')} with fewer than 2 scores "
            f"{'was' if alone == 1 else 'were'} not ranked.",
        )


def of_formulas(formulas: str, ranking: str, pairs: str, *, tied: bool) -> Iterator[Note]:
    """Yield notes on where the printed formulas differ from the corrected ones."""
    if formulas != "printed":
        return
    if tied:
        larger = "statistics are" if len(RANKINGS[ranking].omnibus) > 1 else "omnibus statistic is"
        yield Note(
            "printed-formulas",
            "Some ranks are tied, which the formulas printed in the papers ignore. With the "
            f"formulas corrected for ties, the {larger} larger.",
        )
    record = RANKINGS[ranking]
    if record.false_positives and PAIRWISE_TESTS[pairs].by_ranks:
        yield Note(
            "printed-z",
            f"The printed z of {record.ranks} is scaled wrongly: at a nominal level of 0.05, for "
            "algorithms that perform equally on 30 data sets, it finds a difference with "
            f"probability {record.false_positives} for 2, 5 and 10 algorithms (measured by "
            "simulation). The corrected formulas keep to 0.042 to 0.057.",
        )


def of_control(
    asked: str | None,
    chosen: int | None,
    names: Sequence[str],
    averages: FloatArray,
    average: str = "average rank",
    alternative: str = TWO_SIDED,
    out_of: int = 0,
) -> Iterator[Note]:
    """Yield a note if the control was chosen from the data, as the one with the least average.

    ``out_of`` is the number of all pairs if the comparisons with it are part of these.
    """
    if asked != BEST or chosen is None or BEST in names:
        return
    tied = int((averages == averages.min()).sum())
    among = f", and is the first of {tied} with that {average.split()[-1]}" if tied > 1 else ""
    what = "Its p-values are smaller than those of a control chosen beforehand."
    if out_of:
        what = f"Its comparisons are those out of {out_of} pairs, over which p-values are adjusted."
    elif len(names) == 2 and alternative == TWO_SIDED:
        what = "Of two algorithms that changes no p-value."
    if alternative == "worse":
        what = "That it is worse than another is hardly ever found."
    yield Note(
        "control-from-data",
        f"The control was chosen from the data: {names[chosen]} has the best {average}{among}. "
        f"{what}",
    )


def of_procedures(
    procedures: Sequence[str], formulas: str, blocks: str = "data sets"
) -> Iterator[Note]:
    """Yield notes on what procedures need in order to control an error.

    ``blocks`` names what the tests have in common.
    """
    for procedure in map(PROCEDURES.__getitem__, procedures):
        if procedure.if_some_false:
            yield Note(
                f"{procedure.name}-true-hypotheses",
                f"{procedure.label}'s procedure controls the {procedure.controls} only if all "
                f"null hypotheses are true: {procedure.if_some_false}.",
            )
        if procedure.if_dependent:
            yield Note(
                f"{procedure.name}-dependence",
                f"{procedure.label}'s procedure controls the {procedure.controls} "
                f"{procedure.if_dependent.replace('blocks', blocks)}.",
            )
    false = [PROCEDURES[name].label for name in procedures[:1] if _is_about_discoveries(name)]
    if false:
        yield Note(
            "false-discoveries",
            f"{false[0]}'s procedure controls the false discovery rate: the expected share of "
            "false rejections among all rejections is at most α. Single rejections are not "
            "protected as they are by procedures that control the family-wise error.",
        )
    if "rom" in procedures and formulas == "printed":
        yield Note(
            "printed-rom",
            "The printed constants of Rom's procedure come from an error in a program; with them "
            "the family-wise error can exceed α slightly.",
        )


def of_logic(pairs: str, procedures: Sequence[str]) -> Iterator[Note]:
    """Yield a note on procedures that take more for granted than the tests of all pairs say.

    Of those for all pairs, Nemenyi's goes with average ranks only.
    """
    logical = [
        f"{PROCEDURES[name].label}'s" for name in procedures if PROCEDURES[name].all_pairs_only
    ]
    if logical and not PAIRWISE_TESTS[pairs].is_transitive:
        yield Note(
            "logical-relations",
            f"{named(logical)} {'procedure uses' if len(logical) == 1 else 'procedures use'} that "
            "A = B and B = C "
            f"imply A = C. With {PAIRWISE_TESTS[pairs].test} that holds if A = B means that "
            "swapping the two changes nothing in the joint law of all scores. Where differences "
            "are only symmetric about 0, true hypotheses can be rejected too often; Holm's "
            "procedure does not use it.",
        )


def _is_about_discoveries(procedure: str) -> bool:
    return PROCEDURES[procedure].controls == "false discovery rate"


def of_pairs(
    pairs: str, tests: PairTests, groups: Sequence[Sequence[int]] | None
) -> Iterator[Note]:
    """Yield notes on the limits of the tests of pairs and of their groups."""
    if pairs == "t" and np.isinf(tests.statistic).any():
        yield Note(
            "identical-differences",
            "Two algorithms differ by the same amount on every data set, so t is infinite and p "
            "is 0. No sample supports such a p-value; look at the differences themselves.",
        )
    if groups is None:
        yield Note(
            "many-groups",
            "The algorithms without significant differences form more than 200 groups, too many "
            "for a diagram; a matrix of p-values shows the pairs.",
        )


def of_tests(tests: Mapping[str, OmnibusTest], averages: FloatArray) -> Iterator[Note]:
    """Yield notes on the limits of the omnibus tests on these data."""
    if not tests:
        return
    name, decisive = list(tests.items())[-1]
    if np.ptp(averages) == 0 and decisive.pvalue == 1:
        yield Note(
            "all-alike", "All average ranks are equal: nothing distinguishes the algorithms."
        )
    if math.isinf(decisive.statistic):
        test = OMNIBUS[name]
        yield Note(
            "perfect-agreement",
            f"All data sets rank the algorithms in the same order{test.infinite_if}, so "
            f"{test.statistic} is infinite; its p is the exact probability of that if all orders "
            "are equally likely.",
        )


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
        yield Note(
            "no-adjustment",
            f"The p-values are not adjusted for the {m} {hypotheses}: the probability of at least "
            f"one false rejection exceeds α = {alpha:g}.",
        )


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
    yield Note(
        "large-scores",
        f"On {named([datasets[int(row)] for row in rows])} the scores are up to "
        f"{factor:,.0f} times as large as on the median data set, perhaps in another unit. "
        "Differences on such data sets have the highest ranks among all data sets, and make "
        "intervals wide. The option scale can state that there are several scales.",
    )


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
    """Return what is said of so many ties after the number of data sets; nothing of none."""
    if not n_tied:
        return ""
    return f", of which each pair ties on {'all' if n_tied == n else f'at least {n_tied}'},"


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
        after = f", and {adjusted:.3g} after the adjustment for {m} hypotheses"
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
    yield Note(
        _NEVER,
        f"On {plural(n, noun)}{tied_on(n_tied, n)} the smallest possible p-value of {what} is "
        f"{p:.6g}{after}: no difference, however clear, can be significant at "
        f"α = {alpha:g}.{advice}",
    )


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
        text = (
            "Some pairs differ significantly although the omnibus test does not reject its null "
            "hypothesis. The pairs are tested whatever the omnibus test says"
        )
        if procedures:
            controlled = PROCEDURES[procedures[0]].controls
            text += f", because the adjustment controls the {controlled} by itself"
        yield Note("omnibus-not-rejected", f"{text}.")


def of_few(n: int) -> Iterator[Note]:
    """Yield a note if the normal law is used for few data sets."""
    if n < _FEW:
        yield Note(
            "approximate",
            f"With fewer than {_FEW} data sets, p-values by the normal law are rough "
            "approximations. The scores would allow exact ones.",
        )


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
        yield Note(
            "opposite-ranks",
            "Average ranks and tests of pairs point opposite ways: the significantly better "
            f"algorithm has the worse average rank ({named(found, most=4)}). Average ranks count "
            "how often it is better, the test also by how much.",
        )
