"""Compare algorithms within groups of data sets, such as domains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from nbcompare._options import AUTO, default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_groups, listed, named, shown
from nbcompare.analysis._data import check_experiment, design_of
from nbcompare.analysis._notes import of_turned
from nbcompare.analysis.comparison import compare
from nbcompare.analysis.frames import asked_of, of_frames, takes_options_of
from nbcompare.analysis.ranks import (
    Pooled,
    Prepared,
    assembled,
    checked,
    prepared,
)
from nbcompare.analysis.rules import facts_of_gaps
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Comparison, GroupedComparison, Labelled
from nbcompare.results.texts import note
from nbcompare.stats import adjust as adjusting
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES

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
    asked_of("compare_by", {"across": across})
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
            if each.code != "turned":  # said of all data
                found.setdefault(each, []).append(name)
    for each, names in found.items():
        where = "" if len(names) == len(groups) else f"{named(names)}: "
        yield Note(each.code, f"{where}{each.text}")
