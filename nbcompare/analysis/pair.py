"""Compare two algorithms by their own scores only."""

from __future__ import annotations

from collections.abc import Sequence

from nbcompare._options import AUTO, default
from nbcompare._validation import check_name, not_a_choice, shown
from nbcompare.analysis import _notes, _pair
from nbcompare.analysis._data import Fill, treated
from nbcompare.analysis._design import settled_pair
from nbcompare.analysis._pair import NONE, SHIFTS, TESTS, Pair, notes_of, planned, reason_against
from nbcompare.analysis.frames import called, of_frames, result_of
from nbcompare.analysis.rules import State
from nbcompare.analysis.scales import scales_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import PairComparison
from nbcompare.words import PAIR_TESTS


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
        **({} if against else _pair.sizes(pair, asked, estimate, outcome.pvalue)),
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
            *_pair.notes_of_test(taken, pair, asked, outcome),
            *_pair.notes_of_ties(taken, pair, treatment),
            *_pair.notes_of_symmetry(pair, (a, b), outcome, asked, in_units=not against),
            *notes_of(planned(against, "", NONE, len(pair), 1, level)),
            *(() if against else _pair.notes_of_interval(pair, asked, estimate)),
        ),
        why=why,
    )


def _check_together(test: str, **options: tuple[str, Sequence[str]]) -> None:
    """Raise an error if an option has a word that does not apply to the test."""
    for name, (value, allowed) in options.items():
        if value not in allowed:
            raise ValueError(f"`{name}` with test={test!r} {not_a_choice(value, allowed)}")
