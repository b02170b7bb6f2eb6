"""The options of a call, checked by the one table, and the result that they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from nbcompare._options import OPTIONS, Option
from nbcompare._render import Note
from nbcompare.analysis._data import check_experiment, design_of
from nbcompare.analysis._family import check_adjust
from nbcompare.analysis._missing import check_missing
from nbcompare.analysis.rules import State
from nbcompare.experiment import Experiment
from nbcompare.results import Result
from nbcompare.stats.permutation import generator
from nbcompare.words import TREATMENTS_OF

_Made = TypeVar("_Made", bound=Result)

# Arguments that are data, and no options
_DATA = frozenset({"experiment", "histories", "direction", "names"})
# Functions with options of their own in the table, by what stands before the names of these
_OWN: Mapping[str, tuple[str, ...]] = {
    "aggregate_runs": ("aggregates", "bayesian"),
    "compare_bayesian": ("bayesian",),
    "compare_convergence": ("convergence",),
    "compare_cv": ("cv", "stochastic"),
    "compare_items": ("items",),
    "compare_stochastic": ("stochastic",),
    "fixed_targets": ("convergence",),
}
_LATER = frozenset({"ratio"})  # is checked with the folds that it is about


def called(
    function: str, arguments: Mapping[str, Any], *, by_order: bool = False
) -> tuple[Experiment, State]:
    """Return the experiment and the options among the arguments of a function, checked.

    ``by_order`` says that the function uses the order of scores alone.
    """
    asked = asked_of(function, arguments)
    given, direction = arguments["experiment"], arguments["direction"]
    return check_experiment(given, direction, by_order=by_order), asked


def asked_of(function: str, arguments: Mapping[str, Any]) -> State:
    """Return the options among the arguments of a function, checked.

    The rules on options that go together are checked by :func:`check_rules`.
    """
    asked = State({name: value for name, value in arguments.items() if name not in _DATA})
    for name, value in asked.items():
        option = _option(function, name)
        if name == "adjust":
            asked[name] = check_adjust(value)
        elif name == "rng":
            generator(value)  # refuses what is no seed, also where nothing is drawn
        elif option is not None and name not in _LATER:
            treatment = name == "missing" and function in TREATMENTS_OF
            asked[name] = value if treatment else option.checked(value, name)
    if "missing" in asked and function in TREATMENTS_OF:
        check_missing(asked.missing, asked.get("fill"), function)
    return asked


def _option(function: str, name: str) -> Option | None:
    own = (f"{prefix}.{name}" for prefix in _OWN.get(function, ()))
    return next((OPTIONS[record] for record in (*own, name) if record in OPTIONS), None)


def result_of(
    kind: type[_Made],
    data: Experiment,
    asked: State,
    *,
    notes: Iterable[Note],
    given: Experiment | None = None,
    **found: Any,
) -> _Made:
    """Return a result, with the options that it has by name as they were asked for or ``found``.

    ``given`` is the experiment before data sets with missing scores were left out.
    """
    kept = {one.name: asked[one.name] for one in fields(kind) if one.name in asked}
    design = design_of(data, asked, given=given)
    return kind(**{**kept, "notes": tuple(notes), "design": design, **found})
