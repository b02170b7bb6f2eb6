"""Compare algorithms by their ranks: from an experiment, or from a paper's average ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import ALL_PAIRS_ONLY, BEST, OPTIONS, PROCEDURES, default
from nbcompare._render import Note
from nbcompare._validation import (
    check_choice,
    check_labels,
    check_name,
    check_probability,
    listed,
)
from nbcompare._version import __version__
from nbcompare.analysis import _notes
from nbcompare.analysis._data import check_experiment, design_of, oriented_scores
from nbcompare.analysis._posthoc import Family, average_rank_groups, critical_difference
from nbcompare.experiment import Experiment
from nbcompare.results import Comparison, Design, Hypotheses, Labelled, OmnibusResult
from nbcompare.stats import omnibus, pairwise, posthoc, rankings
from nbcompare.stats.ranking import midranks

Adjust = str | Iterable[str] | None

# The tests of each ranking; the last one is decisive.
_OMNIBUS: Mapping[str, Mapping[str, Callable[..., omnibus.OmnibusTest]]] = {
    "friedman": {"friedman": omnibus.friedman, "iman-davenport": omnibus.iman_davenport},
    "aligned": {"aligned": omnibus.aligned},
    "quade": {"quade": omnibus.quade},
}


def compare(
    experiment: Experiment,
    *,
    ranking: str = default("ranking"),
    control: str | None = default("control"),
    pairs: str = default("pairs"),
    adjust: Adjust = default("adjust"),
    alpha: float = default("alpha"),
    formulas: str = default("formulas"),
    missing: str = default("missing"),
) -> Comparison:
    """Rank the algorithms on every data set, test for any difference, then for each pair.

    Scores over folds and runs are averaged first, and the result says so.

    Parameters
    ----------
    experiment : Experiment
        At least 2 algorithms on at least 2 data sets.
    ranking : {"friedman", "aligned", "quade"}
        ``friedman``: ranks within each data set, ties sharing the mean of their ranks.
        ``aligned``: each data set's mean is taken from its scores, and all of them are
        ranked together, 1 to nk. ``quade``: ranks within each data set, weighted by the
        rank of its range. The latter two compare scores across data sets, which must be
        on one scale for that; they find more where there are few algorithms.
    control : str, optional
        Compare this algorithm with every other, rather than all pairs. ``"best"`` takes
        the best ranked one (the first of several), with a note that the data chose it.
    pairs : {"ranks"}
        Pairs are tested by the difference of their average ranks.
    adjust : str or list of str or None
        ``bonferroni``, ``sidak``, ``holm``, ``holland``, ``finner``, ``hochberg``,
        ``hommel``, ``rom``, ``li``, or (all pairs only) ``nemenyi``, ``shaffer``,
        ``bergmann-hommel``; each makes a column, the first decides. None: raw p-values.
    alpha : float, default 0.05
        Family-wise significance level.
    formulas : {"corrected", "printed"}
        ``corrected`` accounts for ties; ``printed`` reproduces the papers, which do not.
        The printed z of aligned ranks and of Quade is mis-scaled; a note says how much.
    missing : {"raise"}
        A missing score is an error that names the cell.

    Returns
    -------
    Comparison
        Displays itself; see also ``to_frame()`` and ``sentences``.

    Raises
    ------
    DataError
        For missing or interval-valued scores, fewer than 2 algorithms or data sets.
    ValueError
        For an option that is not one of those above.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"), control="C4.5", adjust="holm")
    >>> result
    <Comparison: 4 algorithms, 14 data sets, control 'C4.5', Holm, 2 of 3 hypotheses rejected>
    >>> result.to_frame()[["second", "statistic", "holm", "rejected"]].round(3)
          second  statistic   holm  rejected
    0  C4.5+m+cf      2.623  0.026      True
    1     C4.5+m      2.469  0.027      True
    2    C4.5+cf      0.463  0.643     False
    """
    check_experiment(experiment)
    for name, value in (
        ("ranking", ranking),
        ("pairs", pairs),
        ("formulas", formulas),
        ("missing", missing),
    ):
        OPTIONS[name].check(value, name)
    procedures = _check_adjust(adjust, control)
    level = check_probability(alpha, "alpha")
    scores, scale = oriented_scores(experiment)
    ranked = rankings.rank(scores, ranking, scale=scale)
    averages = ranked.average_ranks
    error = posthoc.standard_error(ranked.scores, formulas=formulas, ranking=ranking)
    chosen = _check_control(control, experiment.algorithms, averages)
    # rank sums are exact, so equal differences get equal p-values
    family = _family(ranked.scores.sum(axis=0), error * ranked.unit, chosen, formulas)
    result_omnibus = {
        name: test(ranked.scores, formulas=formulas) for name, test in _OMNIBUS[ranking].items()
    }
    # wins are counted within data sets, whatever the ranking
    ranks = ranked.scores if ranking == "friedman" else midranks(scores, scale=scale)
    effects = {
        "effect_size": pairwise.rank_biserial(scores, family.first, family.second, scale=scale),
        **pairwise.win_tie_loss(ranks, family.first, family.second)._asdict(),
    }
    options = {
        "ranking": ranking,
        "control": control,
        "pairs": pairs,
        "adjust": procedures,
        "alpha": level,
        "formulas": formulas,
        "missing": missing,
    }
    design = design_of(experiment, options)
    notes = [
        *_notes.of_experiment(experiment),
        *_notes.of_formulas(formulas, ranking, tied=ranked.tied),
    ]
    return _assemble(design, averages, error, family, procedures, result_omnibus, effects, notes)


def compare_ranks(
    average_ranks: Mapping[str, float],
    n_datasets: int,
    *,
    control: str | None = default("control"),
    adjust: Adjust = default("adjust"),
    alpha: float = default("alpha"),
) -> Comparison:
    """Compare algorithms by the average ranks that a paper prints.

    Without the ranks themselves nothing is known of ties, so these are the formulas for
    untied ranks; with ties they err on the side of not rejecting.

    Parameters
    ----------
    average_ranks : mapping of str to float
        Friedman average rank of each algorithm (a dict, or a pandas Series).
    n_datasets : int
        The number of data sets that were ranked.
    control, adjust, alpha
        As in :func:`compare`.

    Returns
    -------
    Comparison
        Without effect sizes and wins, which need the scores.

    Raises
    ------
    ValueError
        For ranks that cannot be average ranks: outside 1 to k, or not (k + 1)/2 on average.

    Examples
    --------
    García and Herrera (2008): 5 classifiers, 30 data sets; Holm rejects 5 hypotheses.

    >>> import nbcompare as nbc
    >>> ranks = {"C4.5": 2.1, "1-NN": 3.25, "NB": 2.2, "Kernel": 4.3333, "CN2": 3.1167}
    >>> nbc.compare_ranks(ranks, 30, adjust="holm")
    <Comparison: 5 algorithms, 30 data sets, all pairs, Holm, 5 of 10 hypotheses rejected>
    """
    if not hasattr(average_ranks, "items"):
        raise TypeError(
            "`average_ranks` must map names of algorithms to average ranks; "
            f"got {type(average_ranks).__name__}."
        )
    items = list(average_ranks.items())
    algorithms = check_labels((name for name, _ in items), "average_ranks")
    averages, n = omnibus.check_average_ranks([rank for _, rank in items], n_datasets)
    procedures = _check_adjust(adjust, control)
    level = check_probability(alpha, "alpha")
    error = posthoc.untied_standard_error(len(algorithms), n)
    chosen = _check_control(control, algorithms, averages)
    design = Design(
        algorithms=algorithms,
        datasets=(),
        n_datasets=n,
        n_folds=1,
        n_runs=1,
        direction=None,
        measure=None,
        citation=None,
        fingerprint=None,
        version=__version__,
        options=Labelled(
            {
                "ranking": default("ranking"),
                "control": control,
                "pairs": default("pairs"),
                "adjust": procedures,
                "alpha": level,
                "formulas": "printed",
                "missing": default("missing"),
            }
        ),
    )
    result_omnibus = {
        "friedman": omnibus.friedman_from_averages(averages, n),
        "iman-davenport": omnibus.iman_davenport_from_averages(averages, n),
    }
    family = _family(averages, error, chosen)
    return _assemble(
        design, averages, error, family, procedures, result_omnibus, {}, [_notes.UNTIED_FORMULAS]
    )


def _assemble(
    design: Design,
    averages: FloatArray,
    error: float,
    family: Family,
    procedures: tuple[str, ...],
    tests: Mapping[str, omnibus.OmnibusTest],
    effects: Mapping[str, Any],
    notes: list[Note],
) -> Comparison:
    """Adjust, sort, group and label: what both entrances share."""
    options, names = design.options, design.algorithms
    alpha = options["alpha"]
    adjusted = {name: family.adjusted(name, alpha) for name in procedures}
    rejected = (adjusted[procedures[0]][0] if procedures else family.tests.pvalue) <= alpha
    order = np.lexsort((family.second, family.first, family.tests.log10_pvalue))
    hypotheses = Hypotheses(
        first=tuple(names[i] for i in family.first[order]),
        second=tuple(names[j] for j in family.second[order]),
        statistic=family.tests.statistic[order],
        pvalue=family.tests.pvalue[order],
        log10_pvalue=family.tests.log10_pvalue[order],
        adjusted=Labelled({name: p[order] for name, (p, _) in adjusted.items()}),
        log10_adjusted=Labelled({name: log10_p[order] for name, (_, log10_p) in adjusted.items()}),
        rejected=rejected[order],
        **{name: value[order] for name, value in effects.items()},
    )
    control = None if family.control is None else names[family.control]
    groups = () if family.control is not None else average_rank_groups(family, rejected, averages)
    notes = [
        *notes,
        *_notes.of_control(options["control"], control, names, averages),
        *_notes.of_procedures(procedures, family.formulas),
        *_notes.of_tests(tests, averages, procedures, rejected, alpha),
    ]
    return Comparison(
        ranking=options["ranking"],
        pairs=options["pairs"],
        control=control,
        adjust=procedures,
        alpha=alpha,
        missing=options["missing"],
        formulas=options["formulas"],
        average_ranks=Labelled(zip(names, averages.tolist(), strict=True)),
        standard_error=error,
        omnibus=Labelled({name: OmnibusResult(*test) for name, test in tests.items()}),
        hypotheses=hypotheses,
        groups=tuple(tuple(names[i] for i in group) for group in groups),
        critical_difference=critical_difference(family, procedures, error, alpha),
        notes=tuple(notes),
        design=design,
    )


def _family(
    positions: FloatArray, error: float, control: int | None, formulas: str = "corrected"
) -> Family:
    k = len(positions)
    pairs: tuple[IntArray, IntArray] = (
        posthoc.all_pairs(k) if control is None else posthoc.against_control(k, control)
    )
    tests = posthoc.rank_tests(positions, error, *pairs)
    return Family(*pairs, tests, k, control, positions, formulas)


def _check_adjust(adjust: Adjust, control: str | None) -> tuple[str, ...]:
    if adjust is None:
        return ()
    several = isinstance(adjust, Iterable) and not isinstance(adjust, str)
    names = tuple(adjust) if several else (adjust,)
    checked = tuple(check_choice(name, "adjust", tuple(PROCEDURES)) for name in names)
    if len(set(checked)) < len(checked):
        raise ValueError(f"`adjust` must not name a procedure twice; got {listed(checked)}.")
    for name in checked:
        if control is not None and name in ALL_PAIRS_ONLY:
            raise ValueError(
                f"`adjust` must be a procedure for comparisons with a control; {name!r} is for "
                "all pairs. Leave out `control`, or use 'holm' or 'bonferroni'."
            )
    return checked


def _check_control(
    control: str | None, algorithms: tuple[str, ...], averages: FloatArray
) -> int | None:
    if control is None:
        return None
    if control == BEST and BEST not in algorithms:
        return int(np.argmin(averages))
    return algorithms.index(check_name(control, "control", algorithms))
