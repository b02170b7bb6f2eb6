"""The section that plans the next experiment: which options its plan has, and their check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nbcompare._commands import BY_SECTION
from nbcompare._options import BEST, OPTIONS
from nbcompare._validation import check_name, shown
from nbcompare.experiment import Experiment
from nbcompare.results.plan import RUNS
from nbcompare.words import TREATMENTS_OF

# Options of the comparison that a plan shares, over data sets and on one data set
_SHARED = ("control", "alpha", "ranking", "pairs", "adjust", "method", "scale", "formulas")
_SHARED_ALONE = ("control", "alpha", "adjust")


def options_of_next(
    pilot: Experiment, own: Mapping[str, Any], compare: Mapping[str, Any], cv: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options of the plan, with those that the comparison of the report shares.

    Parameters
    ----------
    pilot : Experiment
        The scores of the report.
    own, compare, cv : mapping
        Options that were given for the plan, for the comparison over data sets, and for the one by
        folds of one data set.
    """
    alone = pilot.n_datasets == 1
    names = _SHARED_ALONE if alone else (*_SHARED, "missing")
    shared = {key: it for key, it in compare.items() if key in names}
    if shared.get("missing") not in TREATMENTS_OF["plan"]:
        shared.pop("missing", None)
    if alone:
        by_runs = own.get("unit") == RUNS or bool(pilot.fewer_runs)
        of_folds = ("adjust",) if by_runs else ("adjust", "ratio")
        shared |= {key: it for key, it in cv.items() if key in of_folds}
    return {**shared, **own}


def check_next(pilot: Experiment, options: Mapping[str, Any]) -> None:
    """Check a plan at once, as far as that takes no time: its simulation takes a while."""
    # half a second, which reports without a plan do not need
    from nbcompare.study import check_pilot

    entries = {name.rpartition(".")[2]: OPTIONS[name] for name in BY_SECTION["plan"].options}
    for name, value in options.items():
        if name not in entries:
            raise ValueError(
                f"`plan` must hold options of a plan, {', '.join(entries)}; got {shown(name)}."
            )
        entry = entries[name]
        if value is None and entry.optional:
            continue
        if entry.within is not None:
            entry.within(value, name)
        if entry.choices is not None:
            for word in value if entry.several and isinstance(value, list | tuple) else [value]:
                entry.check(word, name)
        if name == "control" and value != BEST:
            check_name(value, name, pilot.algorithms)
    usual = {name: entry.default for name, entry in entries.items()}
    check_pilot(pilot, {**usual, **options})
