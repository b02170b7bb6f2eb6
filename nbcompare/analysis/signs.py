"""Compare algorithms with a control by the multiple sign test."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nbcompare._options import BEST, default
from nbcompare._render import Note, plural
from nbcompare._validation import check_name
from nbcompare.analysis import _notes
from nbcompare.analysis.data import Fill, called, of_frames, oriented_scores, result_of, treated
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import MultipleSigns
from nbcompare.results.texts import note
from nbcompare.stats import multisign
from nbcompare.stats.rankings import midranks

# A p-value within this many standard errors of alpha may be on either side of it.
_UNSURE = 3.0


@of_frames
def multiple_sign_test(
    experiment: Experiment | Frame,
    control: str,
    *,
    direction: str | None = None,
    alternative: str = "two-sided",
    alpha: float = default("alpha"),
    missing: str = default("pairs.missing"),
    fill: Fill = default("fill"),
) -> MultipleSigns:
    """Compare all algorithms with a control by the numbers of data sets on which each is better.

    The test uses only which of two algorithms is better on a data set, not by how much. It is
    simple and robust but has little power, so it finds clear differences only. The p-values
    are adjusted for the number of algorithms by the joint null distribution of the signs.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms on at least 2 data sets.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    control : str
        The algorithm that all others are compared with. ``"best"`` is the one with the best
        average rank (the first of several), with a note that it was chosen from the data.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis about the **control**: it differs from the algorithm, is better
        (``"better"``) or is worse (``"worse"``) than the algorithm. The direction of the
        experiment determines whether high or low scores are better.
    alpha : float, default 0.05
        Family-wise significance level.
    missing : {"raise", "drop-folds", "drop", "worst", "available"}
        What to do about missing scores, as in :func:`nbcompare.compare`.
    fill : float or str, optional
        The score of what failed, as in :func:`nbcompare.compare`.

    Returns
    -------
    MultipleSigns
        The result, which displays itself; see also its ``to_frame()`` and ``sentences``.

    Raises
    ------
    DataError
        If scores are missing or intervals, or if there are fewer than 2 algorithms or data
        sets.
    ValueError
        If the control or an option is unknown.

    Notes
    -----
    Ties with the control are split evenly between plus and minus; one is left out if their
    number is odd. The null distribution is exact for up to 2 algorithms beside the control (3
    on up to 120 data sets). For more algorithms it is computed numerically, with a standard
    error: see :func:`nbcompare.stats.multisign.sign_pvalues`.

    References
    ----------
    Steel, R. G. D. (1959). A multiple comparison sign test: treatments versus control.
    Journal of the American Statistical Association 54, 767-775.
    Rhyne, A. L. and Steel, R. G. D. (1965). Tables for a treatments versus control
    multiple comparisons sign test. Technometrics 7, 293-306.
    Derrac, J., García, S., Molina, D. and Herrera, F. (2011). A practical tutorial on the
    use of nonparametric statistical tests as a methodology for comparing evolutionary and
    swarm intelligence algorithms. Swarm and Evolutionary Computation 1, 3-18.

    Examples
    --------
    Is C4.5 worse than its variants?

    >>> import nbcompare as nbc
    >>> data = nbc.datasets.load("demsar2006")
    >>> result = nbc.multiple_sign_test(data, "C4.5", alternative="worse")
    >>> print(result.findings[0])
    C4.5+m+cf is significantly better than the control, C4.5 (adjusted p = 0.0315); the
    control is not shown to be worse than C4.5+m or C4.5+cf. This does not prove the contrary.
    >>> result.to_frame()[["algorithm", "plus", "minus", "ties", "r", "pvalue"]].round(3)
       algorithm  plus  minus  ties  r  pvalue
    0  C4.5+m+cf    11      2     1  2   0.031
    1     C4.5+m    10      2     2  3   0.077
    2    C4.5+cf     7      6     1  6   0.791
    """
    experiment, asked = called("multiple_sign_test", locals(), by_order=True)
    level = asked.alpha
    names = experiment.algorithms
    if control != BEST or BEST in names:
        check_name(control, "control", names)
    data, left_out = treated(experiment, missing, fill, function="multiple_sign_test")
    scores, scale = oriented_scores(data)
    averages = midranks(scores, scale=scale).mean(axis=0)
    chosen = names.index(control) if control in names else int(averages.argmin())
    test = multisign.multiple_sign_test(
        scores, chosen, alternative=alternative, alpha=level, scale=scale
    )
    others = [name for place, name in enumerate(names) if place != chosen]
    order = np.argsort(test.log10_pvalue, kind="stable")
    return result_of(
        MultipleSigns,
        data,
        asked,
        given=experiment,
        control=names[chosen],
        method="numerical" if test.standard_error.any() else "exact",
        algorithms=tuple(others[place] for place in order),
        notes=(
            *left_out,
            *_notes.of_experiment(data),
            *_notes.of_control(control, chosen, names, averages, alternative=alternative),
            *_of_test(test, level, alternative),
        ),
        **{name: value[order] for name, value in test._asdict().items()},
    )


def _of_test(test: multisign.MultipleSignTest, alpha: float, alternative: str) -> Iterator[Note]:
    """Yield notes on the limits of the test on these data."""
    m = len(test.r)
    if (test.critical_value < 0).any():
        n = int(test.n_used[test.critical_value < 0].max())
        yield from _notes.of_reach(
            lambda blocks: float(
                multisign.sign_pvalues(blocks, m, alternative=alternative).pvalue[0]
            ),
            n,
            alpha=alpha,
            what=f"the test of {plural(m, 'algorithm')} against the control",
        )
    if test.ties.any():
        yield note("ties-split")
    if (np.abs(test.pvalue - alpha) < _UNSURE * test.standard_error).any():
        yield note("numerical-error", alpha=alpha, error=test.standard_error.max())
