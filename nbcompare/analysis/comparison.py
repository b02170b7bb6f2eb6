"""Compare algorithms by what one score is another of, within groups, or by all procedures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import signature
from typing import Any, cast

import numpy as np

from nbcompare import analysis
from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import AUTO, COMPARE_OPTIONS, NORMAL, default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_groups, listed, named, shown
from nbcompare.analysis._family import Adjust
from nbcompare.analysis._notes import of_control, of_turned
from nbcompare.analysis.data import (
    Fill,
    check_experiment,
    check_options,
    design_of,
    of_frames,
    takes_options_of,
)
from nbcompare.analysis.ranks import (
    Pooled,
    Prepared,
    assembled,
    checked,
    compare_datasets,
    prepared,
)
from nbcompare.analysis.rules import facts_of_gaps
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Comparison, GroupedComparison, Labelled, WithinComparison
from nbcompare.results.texts import note
from nbcompare.stats import adjust as adjusting
from nbcompare.stats import logical
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES

_SHARED = ("control", "adjust", "alpha", "missing")  # with the comparison over data sets
# They take long to import, and most comparisons are over data sets
_OF_UNIT = {"folds": "compare_cv", "items": "compare_items", "runs": "compare_runs"}


def is_within(experiment: Experiment) -> bool:
    """Return whether ``compare`` compares within one data set, or on items, and not over data sets.

    Intervals are compared over data sets only.
    """
    return experiment.unit != "datasets" and not experiment.is_interval


def compare_within(experiment: Experiment, options: Mapping[str, Any]) -> WithinComparison:
    """Compare on one data set, or on items, by what one score is another one of."""
    function: Callable[..., Any] = getattr(analysis, _OF_UNIT[experiment.unit or ""])
    shared = [name for name in _SHARED if name in signature(function).parameters]
    for name, value in options.items():
        if name not in shared and value is not default(name) and value != default(name):
            raise ValueError(
                f"`{name}` must be left out with {experiment.unit}, which {function.__name__} "
                f"compares by {listed(shared)} alone; got {shown(value)}."
            )
    given = {name: options[name] for name in shared}
    return cast("WithinComparison", function(experiment, **given))


@of_frames
def compare(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    ranking: str = default("ranking"),
    control: str | None = default("control"),
    alternative: str = default("alternative"),
    pairs: str = default("pairs"),
    adjust: Adjust = default("adjust"),
    alpha: float = default("alpha"),
    method: str = default("method"),
    scale: str = default("scale"),
    formulas: str = default("formulas"),
    intervals: str = default("intervals"),
    margin: float | None = default("margin"),
    missing: str = default("missing"),
    fill: Fill = default("fill"),
) -> Comparison | WithinComparison:
    """Rank the algorithms on every data set, test for any difference, and test pairs.

    So with several data sets. On one data set, ``experiment.unit`` decides: folds are compared by
    :func:`compare_cv`, runs by :func:`compare_runs` and items, of one or several benchmarks, by
    :func:`compare_items`, of which ``control``, ``adjust``, ``alpha`` and ``missing`` are options
    here too.

    Scores are averaged over folds and runs first, with a note. What is not asked for is what
    :func:`nbcompare.recommend` recommends, as far as it fits the rest; the result says in a
    sentence what was taken and why. The test of any difference never decides whether pairs are
    tested: the adjustment controls the error by itself.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms on at least 2 data sets, or on folds, runs or items.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    ranking : {"auto", "friedman", "aligned", "quade"}
        ``auto``: ``friedman``. ``friedman``: ranks within each data set; ties share the mean of
        their ranks. ``aligned``: the mean of each data set is subtracted from its scores, and
        all scores are ranked together, from 1 to nk. ``quade``: ranks within each data set,
        weighted by the rank of its range. The latter two compare scores across data sets, so
        these must be on one scale; they find more if there are few algorithms.
    control : str, optional
        The algorithm that is compared with every other one; all pairs are compared by
        default. ``"best"`` is the best ranked one (the first of several). As it is chosen from
        the data, its comparisons are those out of all pairs: p-values are adjusted over all
        pairs, and those with the best one are shown. With ``formulas="printed"`` or one-sided
        tests it counts as if it had been named, and a note says so.
    alternative : {"two-sided", "better", "worse"}
        With a control, what its tests are to show: that it differs from another algorithm, is
        better, or is worse. The direction of the experiment says whether high scores are better.
        One-sided tests have no intervals, no critical difference and no ``margin``.
    pairs : {"auto", "ranks", "exchange", "wilcoxon", "t"}
        How two algorithms are compared. ``wilcoxon``: by Wilcoxon's signed-rank test of the scores
        of the two. ``exchange``: by the differences of their ranks within data sets, whose signs
        are random if swapping the two changes nothing; needs no common scale. ``ranks``: by the
        difference of their average ranks, whose p is right if all algorithms can be exchanged.
        ``t``: by the paired t test of the mean scores of the two. ``auto``: ``wilcoxon`` if the
        data sets are on one scale (see ``scale``), else ``exchange``, as where some two share
        fewer than 2 data sets; but ``ranks`` if aligned or Quade's ranks, Nemenyi's procedure or
        the printed formulas are asked for.
    adjust : str or list of str or None
        Procedure that adjusts the p-values: ``bonferroni``, ``sidak``, ``holm``,
        ``holland``, ``finner``, ``hochberg``, ``hommel``, ``rom``, ``li``, or (all pairs
        only) ``nemenyi``, ``shaffer``, ``bergmann-hommel``, which control the family-wise
        error; ``benjamini-hochberg`` or ``benjamini-yekutieli``, which control the false
        discovery rate. Each of several makes a column, and the first decides. None: raw
        p-values. ``auto``: ``holm`` with Wilcoxon's test, with a control, for a single pair, and
        with the printed formulas. Else, for all pairs: ``bergmann-hommel`` up to 14 algorithms, or
        up to 50 if pairs are tested by average ranks and no score is missing; ``shaffer`` up to
        200 algorithms; ``holm`` for more.
    alpha : float, default 0.05
        Level of the family-wise error, or of the false discovery rate.
    method : {"auto", "exact", "normal"}
        How p is computed, except for t, and for the test of any difference. ``exact``: from all
        ways to exchange the scores of each data set; by average ranks, this is exact if all
        algorithms are exchangeable. ``normal``: by the normal, F and
        chi-squared laws. ``auto``: exactly where that is quick, which depends on the numbers of
        data sets, algorithms and ties only.
    scale : {"auto", "one", "several"}
        Whether the scores of all data sets are on one scale, which Wilcoxon's test, t, aligned and
        Quade's ranks and differences of scores need. ``auto`` judges by their ranges, as in
        :func:`nbcompare.recommend`; ``one`` and ``several`` state it. With several scales
        ``pairs="auto"`` is ``exchange``, and differences are not estimated; a test that is asked
        for is made all the same, with a note that it is not the one that is recommended.
    formulas : {"corrected", "printed"}
        ``corrected`` accounts for ties; ``printed`` reproduces the papers, which do not, with
        ``friedman``, ``ranks``, ``holm`` and ``normal`` for what is not asked for. The printed z
        of aligned ranks and of Quade is scaled wrongly; a note says how much.
    intervals : {"simultaneous", "pairwise", "none"}
        Confidence intervals of the differences of pairs tested by Wilcoxon or t.
        ``simultaneous``: each at 1 - alpha/m for m pairs, so that all hold together at 1 - alpha;
        0 is an end of them where the decision says more. ``pairwise``: each at 1 - alpha; it also
        stands in without adjustment, and where the data sets are too few for ``simultaneous``.
        ``none``: none. There are none if the data sets are on several scales (see ``scale``); a
        note says why.
    margin : float, optional
        A number above 0 in units of the measure: differences smaller than it do not matter in
        practice. Each pair then has an ``outcome``: ``different`` if its null hypothesis is
        rejected, ``equivalent`` if its interval at 1 - alpha/m lies strictly inside the margin on
        both sides of 0 (whatever ``intervals`` shows), ``different but negligible`` if both hold,
        and ``inconclusive`` if neither does. The scores must be on one scale, and pairs tested by
        Wilcoxon's test (which ``auto`` then takes) or by t.
    missing : {"raise", "drop-folds", "drop", "worst", "available", "skillings-mack"}
        What to do if an algorithm has no score on a data set, or only on some of its folds or
        runs. ``raise``: an error names the cells. ``drop-folds``: only the folds and runs that
        all algorithms have are used. ``drop``: the data set is left out. ``worst``: what is
        missing counts as failed and gets the worst score of its data set, or ``fill``.
        ``available``: means are over what is there. ``skillings-mack``: each data set ranks the
        scores it has (Friedman's ranking only; not for scores of which a part is missing).
    fill : float or str, optional
        With ``missing="worst"``: the score of what failed, or the algorithm whose score in the
        same fold it gets, such as a constant predictor.

    Returns
    -------
    Comparison, CrossValidationComparison, RunComparison or ItemComparison
        The result, which displays itself; see also its ``to_frame()`` and ``sentences``.

    Raises
    ------
    DataError
        If scores are missing or intervals, if there are fewer than 2 algorithms or data sets, or
        if there is a margin and the data sets are on several scales.
    ValueError
        If an option has another value than those above.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"), control="C4.5")
    >>> result
    <Comparison: C4.5+m+cf has the best average rank of the four algorithms on 14 data sets (1.93;
    AUC, higher is better). The control, C4.5, has an average rank of 3.14, behind three others>
    >>> result.to_frame()[["second", "statistic", "holm", "rejected"]].round(3)
          second  statistic   holm  rejected
    0     C4.5+m      -81.0  0.023      True
    1  C4.5+m+cf      -69.0  0.025      True
    2    C4.5+cf       -5.0  0.878     False

    A dataframe of areas under curves, which are the better the higher:

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"A": [0.9, 0.8, 0.7], "B": [0.8, 0.7, 0.6]}, index=["x", "y", "z"])
    >>> print(nbc.compare(frame, direction="maximize").notes[0].text)
    The dataframe was read as 3 data sets in rows, 2 algorithms in columns 'A' and 'B'; higher is
    better.
    """
    arguments = locals()
    data = check_experiment(experiment, direction, by_order=True)
    options = {name: arguments[name] for name in COMPARE_OPTIONS}
    return compare_within(data, options) if is_within(data) else compare_datasets(data, **options)


_FEWEST = 2  # data sets of a group
_BY = "domain"


@of_frames
@takes_options_of(compare)
def compare_by(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    by: str | Mapping[str, str] | Iterable[tuple[str, str]] = _BY,
    across: bool = default("across"),
    **options: Any,
) -> GroupedComparison:
    """Compare the algorithms by their ranks within each group of data sets.

    Every group is compared as :func:`compare` does with the data sets of the group alone.
    Groups with fewer than 2 data sets are left out, with a note.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms, and a group with at least 2 data sets.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    by : "domain" or mapping of str to str
        The groups: those of the experiment (``domain=`` when it is read), or the group of each
        data set (a mapping, or pairs of the two).
    across : bool, default False
        Adjust the p-values over the hypotheses of all groups together, rather than within each
        group. Only procedures for any family of hypotheses can do that: not ``nemenyi``,
        ``shaffer`` and ``bergmann-hommel``, which are for all pairs of the same algorithms on
        the same data sets.
    ranking, control, alternative, pairs, adjust, alpha, method, scale, formulas, intervals, \
    margin, missing, fill
        The options of :func:`compare`. What is not said is chosen for each group by itself, so that
        a group has the tests that :func:`compare` takes for its data sets; a note says where these
        differ. What ``scale`` states holds for every group.

    Returns
    -------
    GroupedComparison
        The result, which displays itself; ``groups`` holds a Comparison of each group.

    Raises
    ------
    DataError
        If no group has 2 data sets; or as :func:`compare` raises it, with the group.
    ValueError
        If there are no groups, or an option has a value that it may not have.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> data = nbc.datasets.load("demsar2006")
    >>> kind = {name: "medical" if i % 2 else "other" for i, name in enumerate(data.datasets)}
    >>> result = nbc.compare_by(data, by=kind, control="C4.5")
    >>> result
    <GroupedComparison: Of the two groups of data sets, C4.5+m+cf has the best average rank in
    other; C4.5+m has the best average rank in medical>
    >>> round(result.groups["other"].average_ranks["C4.5"], 3)
    3.857
    """
    experiment = check_experiment(experiment, direction, by_order=True)
    check_options("compare_by", {"across": across})
    asked = checked(options)
    procedures = asked["adjust"]
    if across:
        _check_across(procedures)
        if procedures == (AUTO,):
            procedures = ("holm",)  # for any family of hypotheses
    asked["adjust"] = procedures or None
    data, said = _grouped(experiment, by)
    members: dict[str, list[str]] = {}
    for dataset, group in zip(data.datasets, data.domains or (), strict=True):
        members.setdefault(group, []).append(dataset)
    parts: dict[str, Experiment] = {}
    too_small: dict[str, int] = {}
    for group, names in members.items():
        part = _part(data, group, names)
        n = _n_left(part, asked["missing"])
        if n < _FEWEST:
            too_small[group] = n
        else:
            parts[group] = part
    if not parts:
        raise DataError(
            f"`experiment` must have a group of at least {_FEWEST} data sets; the groups are "
            f"{listed(members)}, each with fewer."
        )
    ready = {name: _ready(name, part, asked) for name, part in parts.items()}
    pooled = _pooled(ready, procedures, asked["alpha"], asked["formulas"]) if across else {}
    groups = {name: assembled(one, pooled.get(name)) for name, one in ready.items()}
    return GroupedComparison(
        groups=Labelled(groups),
        across=across,
        too_small=tuple(too_small),
        notes=tuple(_notes(data, groups, too_small, across=across)),
        design=design_of(data, {"by": said, "across": across, **asked, "adjust": procedures}),
    )


@contextmanager
def _of_group(group: str, advice: str = "") -> Iterator[None]:
    """Name the group in errors about its data."""
    try:
        yield
    except DataError as error:
        raise DataError(f"group {shown(group)}: {error}{advice}") from None


def _ready(group: str, part: Experiment, options: Mapping[str, Any]) -> Prepared:
    """Return the comparison of a group, whose design is that of its data sets alone."""
    with _of_group(group):
        return prepared(part, **options)


def _n_left(part: Experiment, missing: str) -> int:
    """Return the number of data sets of a group that are not left out."""
    left = {"drop": "n_complete", "drop-folds": "n_common"}.get(missing)
    facts = facts_of_gaps(part, "compare")
    return int(facts[left]) if left in facts else part.n_datasets


def _check_across(procedures: tuple[str, ...]) -> None:
    """Raise an error for procedures that are not for the hypotheses of several groups."""
    if not procedures:
        raise ValueError(
            "`across` must be left out without `adjust`, because nothing is adjusted then."
        )
    allowed = [name for name in PROCEDURES if name in adjusting.METHODS]
    for name in procedures:
        if name not in (*allowed, AUTO):
            raise ValueError(
                f"`adjust` must not be {name!r} if `across` is given: {PROCEDURES[name].label}'s "
                "procedure relies on the hypotheses being all pairs of the same algorithms on the "
                f"same data sets. Procedures for any family are {listed(allowed, most=20)}."
            )


def _grouped(
    experiment: Experiment, by: object
) -> tuple[Experiment, str | tuple[tuple[str, str], ...]]:
    """Return the experiment with its groups, and what the result records of them."""
    if by == _BY:
        if experiment.domains is None:
            raise ValueError(
                "`experiment` has no groups of data sets. Name the column that holds them with "
                "domain= when it is read."
            )
        return experiment, _BY
    if isinstance(by, str) or not isinstance(by, Mapping | Iterable):
        raise ValueError(
            f"`by` must be {_BY!r} or a mapping of data sets to groups; got {shown(by)}."
        )
    domains = check_groups(by, "by", experiment.datasets)
    data = replace(experiment, domains=domains)
    return data, tuple(zip(data.datasets, domains, strict=True))


def _part(data: Experiment, group: str, names: list[str]) -> Experiment:
    with _of_group(group, " Leave out the algorithm with experiment.select(...)."):
        return data.select(datasets=names)


def _pooled(
    ready: Mapping[str, Prepared], procedures: tuple[str, ...], alpha: float, formulas: str
) -> dict[str, Pooled]:
    """Return the p-values of each group, adjusted over the hypotheses of all groups."""
    families = [one.family for one in ready.values()]
    tests = [(family.whole or family).tests for family in families]
    p = np.concatenate([test.pvalue for test in tests])
    log10_p = np.concatenate([test.log10_pvalue for test in tests])
    ends = np.cumsum([len(test.pvalue) for test in tests])[:-1]
    split: dict[str, list[tuple[Any, Any]]] = {}
    for name in procedures:
        plain = adjusting.adjust(p, name, alpha, formulas=formulas)
        logs = adjusting.adjust(log10_p, name, alpha, log10=True, formulas=formulas)
        split[name] = [
            (family.part(one), family.part(other))
            for family, one, other in zip(
                families, np.split(plain, ends), np.split(logs, ends), strict=True
            )
        ]
    return {
        group: Pooled({name: parts[number] for name, parts in split.items()}, len(p))
        for number, group in enumerate(ready)
    }


def _notes(
    data: Experiment,
    groups: Mapping[str, Comparison],
    too_small: Mapping[str, int],
    *,
    across: bool,
) -> Iterator[Note]:
    """Yield notes on the groups, then those of the comparisons, each with its groups."""
    yield from of_turned(data)
    if too_small:
        told = [f"{name} ({plural(n, 'data set')})" for name, n in too_small.items()]
        yield note("small-groups", fewest=_FEWEST, names=named(told))
    if len(tests := dict.fromkeys(one.pairs for one in groups.values())) > 1:
        chosen = [
            f"{PAIRWISE_TESTS[test].recommended} in "
            f"{named([name for name, one in groups.items() if one.pairs == test])}"
            for test in tests
        ]
        yield note("tests-of-groups", names=named(chosen))
    if len(groups) > 1 and not across:
        yield note("within-groups", n=len(groups))
    found: dict[Note, list[str]] = {}
    for name, one in groups.items():
        for each in one.notes:
            if each.code != "turned":  # a note on all data
                found.setdefault(each, []).append(name)
    for each, names in found.items():
        where = "" if len(names) == len(groups) else f"{named(names)}: "
        yield Note(each.code, f"{where}{each.text}")


@dataclass(frozen=True)
class AllProcedures:
    """A family of hypotheses, tested with all procedures that control the family-wise error.

    Attributes
    ----------
    experiment : Experiment
        The scores.
    options : mapping of str to object
        The options of :func:`nbcompare.compare`, without those that say how p is computed and
        adjusted; the methods accept other levels than ``alpha``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> options = {"control": "C4.5", "pairs": "ranks"}
    >>> family = AllProcedures(nbc.datasets.load("demsar2006"), options)
    >>> [round(level, 4) for level in family.levels("holm", 0.05).tolist()]
    [0.0167, 0.025, 0.05]
    >>> family.rejected("holm", 0.05).tolist()
    [True, True, False]
    """

    experiment: Experiment
    options: Mapping[str, Any]

    @cached_property
    def result(self) -> Comparison:
        """The comparison, with the adjusted p-values of all procedures."""
        # p by the normal law, as in the programs whose tables these are
        how: dict[str, Any] = {"adjust": self.names, "method": NORMAL}
        found = compare_datasets(self.experiment, **self.options, **how)
        if not found.n_pooled:
            return found
        # as there, the best ranked counts as if it had been named
        names, averages = list(found.average_ranks), np.array([*found.average_ranks.values()])
        chosen = names.index(str(found.control))
        named = compare_datasets(
            self.experiment, **{**self.options, "control": found.control}, **how
        )
        notes = of_control(self.options["control"], chosen, names, averages)
        return replace(named, notes=(*notes, *named.notes))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the procedures that control the family-wise error and apply to this family."""
        barred = set()
        missing = self.options.get("missing", default("missing"))
        has_gaps = missing == "skillings-mack" and bool(self.experiment.missing.any())
        if not PAIRWISE_TESTS[self.options["pairs"]].by_ranks or has_gaps:
            barred.add("nemenyi")
            if self.experiment.n_algorithms > logical.MOST_ALGORITHMS:
                barred.add("bergmann-hommel")
        return tuple(
            name
            for name, procedure in PROCEDURES.items()
            if procedure.controls == "family-wise error"
            and (self.options.get("control") is None or not procedure.all_pairs_only)
            and name not in barred
        )

    def levels(self, name: str, alpha: float) -> FloatArray:
        """Return the levels that a procedure compares the sorted p-values with."""
        if name == "shaffer":
            return logical.shaffer_alphas(len(self.result.average_ranks), alpha)
        n_hypotheses = len(self.result.hypotheses)
        return adjusting.adjusted_alphas(n_hypotheses, name, alpha, formulas=self.result.formulas)

    def rejected(self, name: str, alpha: float) -> BoolArray:
        """Return which hypotheses a procedure rejects at a significance level."""
        tests = self.result.hypotheses
        adjusted = tests.adjusted[name]
        if name == "rom":  # only Rom's adjusted p-values depend on the level
            adjusted = adjusting.adjust(tests.pvalue, name, alpha, formulas=self.result.formulas)
        return np.asarray(adjusted <= alpha)
