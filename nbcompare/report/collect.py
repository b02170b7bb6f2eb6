"""A report of results that are there already, whose cells compute them again."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Container, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from nbcompare import analysis
from nbcompare._validation import listed
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.plan import Call
from nbcompare.report.notebook.source import Data, alike
from nbcompare.report.report import Found, Report
from nbcompare.report.verification.recompute import (
    field_differences,
    is_drawn_anew,
    part_used,
    source_of,
)
from nbcompare.results import (
    Comparison,
    Conditions,
    Contrast,
    ConvergenceComparison,
    CrossValidation,
    MultipleSigns,
    PairComparison,
    Recommendation,
    Result,
    StochasticComparison,
)

# The function of each class, the arguments before its options, and its chapter
_OF_CLASS: Mapping[type[Result], tuple[str, tuple[str, ...], str]] = MappingProxyType(
    {
        Comparison: ("compare", (), "comparison"),
        Conditions: ("check_conditions", (), "conditions"),
        Contrast: ("contrast_estimation", (), "contrast"),
        ConvergenceComparison: ("compare_convergence", (), "convergence"),
        CrossValidation: ("compare_cv", ("a", "b"), "cv"),
        MultipleSigns: ("multiple_sign_test", ("control",), "signs"),
        PairComparison: ("compare_pair", ("a", "b"), "pair"),
        Recommendation: ("recommend", (), "design"),
        StochasticComparison: ("compare_stochastic", (), "stochastic"),
    }
)
_OF_RANKS = ("control", "adjust", "alpha")
# Names that cells of a report bind to something else
_TAKEN = frozenset({"nbc", "io", "pd", "dataclasses", "display"})


def report_of(results: Mapping[str, Result], data: Mapping[str, Data], **document: Any) -> Report:
    """Make a report of results, each computed again by its cells from data that are here.

    Every result is computed again at once, as the notebook will do it, and must come out the
    same: what a report shows is what was there, and its code gives it.

    Parameters
    ----------
    results : mapping of str to result
        By the variable they are bound to; the order of the report.
    data : mapping of str to Experiment or Histories
        Among which what they were computed from is found by its fingerprint.
    **document
        Title, authors, abstract and date of the report.

    Returns
    -------
    Report
        With the data, a section for each result, and references.

    Raises
    ------
    ValueError
        For a result whose data are not there, or which cannot be computed again.
    """
    taken = [name for name in (*results, *data) if name in _TAKEN and name in results]
    if taken:
        raise ValueError(f"a report uses the name {taken[0]!r} for something else; rename it.")
    kinds = [_OF_CLASS[type(result)][2] for result in results.values()]
    used: dict[str, Data] = {}
    own: dict[str, Found] = {}
    for (variable, result), kind in zip(results.items(), kinds, strict=True):
        call = _call_of(variable, result, {**data, **used}, used)
        label = variable if kinds.count(kind) > 1 else ""
        own[variable] = Found(kind, variable, call, label)
    shown = {
        name: Found(
            "histories" if isinstance(value, Histories) else "data",
            name,
            None,
            name if len(used) > 1 else "",
        )
        for name, value in used.items()
    }
    return Report(
        sections=[*shown, *own, "references"], _own={**shown, **own}, _data=used, **document
    )


def _call_of(
    variable: str, result: Result, data: Mapping[str, Data], used: dict[str, Data]
) -> Call:
    """The call that gives the result again; the data that it needs are added to the used."""
    if is_drawn_anew(result):
        raise ValueError(
            f"{variable!r} was drawn by a generator of random numbers without a seed, so that it "
            "cannot be computed again: give an int as `rng`."
        )
    if source_of(result) is None and isinstance(result, Comparison):
        ranks = dict(result.average_ranks)
        options = {name: result.design.options[name] for name in _OF_RANKS}
        arguments = (ranks, result.design.n_datasets)
        return Call("compare_ranks", None, arguments, _plain("compare_ranks", options))
    problem = "what it was computed from is bound to no name here"
    for name, value in _candidates(variable, result, data):
        call = _call(result, name)
        found = next(field_differences(result, call.value(value)), None)
        if found is None:
            used[name] = value
            return call
        problem = f"computed again from {name}, {found[1]}"
    raise ValueError(f"{variable!r} cannot be reported: {problem}.")


def _candidates(
    variable: str, result: Result, data: Mapping[str, Data]
) -> Iterator[tuple[str, Data]]:
    """Data that hold what the result is about: whole, then the part that it is about."""
    wanted = Histories if isinstance(result, ConvergenceComparison) else Experiment
    design = result.design
    blocks = {"problems" if wanted is Histories else "datasets": design.datasets}
    for name, value in data.items():
        if not isinstance(value, wanted) or name in _TAKEN:
            continue
        try:
            part = value.select(algorithms=design.algorithms, **blocks)
        except ValueError:
            continue  # of other labels
        if part.fingerprint == design.fingerprint:
            yield name, value
            yield f"{name}_of_{variable}", part_used(value, design)


def _call(result: Result, data: str) -> Call:
    function, positional, _ = _OF_CLASS[type(result)]
    options = dict(result.design.options)
    if isinstance(options.get("rng"), str):  # nothing was drawn
        options.pop("rng")
    arguments = tuple(options.pop(name) for name in positional)
    keyword = None
    if isinstance(result, CrossValidation):
        options.pop("scores", None)
        keyword = "experiment"
    return Call(function, data, arguments, _plain(function, options), keyword)


def _plain(function: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as one writes them: without those that are as they would be anyway."""
    parameters = inspect.signature(getattr(analysis, function)).parameters
    written = {name: _short(value) for name, value in options.items()}
    return {name: value for name, value in written.items() if value != parameters[name].default}


def _short(value: Any) -> Any:
    """A list of procedures as it is given: one is a name, none is None."""
    if not isinstance(value, tuple):
        return value
    return list(value) if len(value) > 1 else (value[0] if value else None)


def results_in(
    namespace: Mapping[str, object], unnamed: Iterable[Result] = ()
) -> dict[str, Result]:
    """The results that names are bound to, each once, without names that begin with _.

    Parameters
    ----------
    namespace : mapping of str to object
        Names and what they are bound to.
    unnamed : iterable of result
        Results without a name. Each gets one, such as ``comparison`` or ``comparison_2``,
        that is bound to nothing else, unless there is another that is the same.
    """
    found: dict[str, Result] = {}
    for name, value in namespace.items():
        if name.startswith("_") or not isinstance(value, Result):
            continue
        if all(value is not other for other in found.values()):
            found[name] = value
    same = {result.to_json() for result in found.values()}
    for result in unnamed:
        written = result.to_json()
        if written not in same:
            same.add(written)
            found[free_name(_OF_CLASS[type(result)][2], {*namespace, *found})] = result
    return found


def data_in(
    namespace: Mapping[str, object], more: Iterable[tuple[Data, str]] = ()
) -> dict[str, Data]:
    """The experiments and histories that names are bound to.

    Parameters
    ----------
    namespace : mapping of str to object
        Names and what they are bound to.
    more : iterable of (Experiment or Histories, str)
        Data without a name, and what they may be called if nothing else is; left out if
        there are others that are the same.
    """
    found = {
        name: value
        for name, value in namespace.items()
        if isinstance(value, Experiment | Histories) and not name.startswith("_")
    }
    for data, name in more:
        if not any(type(data) is type(other) and alike(data, other) for other in found.values()):
            found[free_name(name.strip("_") or "data", {*namespace, *found})] = data
    return found


def free_name(wish: str, taken: Container[str]) -> str:
    """The name, with a number if it is taken, here or in the cells of a report."""
    name, number = wish, 1
    while name in taken or name in _TAKEN:
        number += 1
        name = f"{wish}_{number}"
    return name


def named(names: list[str], namespace: Mapping[str, object]) -> dict[str, Result]:
    """These results.

    Raises
    ------
    ValueError
        For a name that is not there, or is not a result.
    """
    for name in names:
        if name not in namespace:
            there = results_in(namespace)
            results = f"; results are {listed(there)}" if there else ""
            near = difflib.get_close_matches(name, there, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"there is no {name!r} here{results}.{hint}")
        if not isinstance(namespace[name], Result):
            kind = type(namespace[name]).__name__
            raise ValueError(f"{name} must be a result of nbcompare; it is of class {kind}.")
    return {name: value for name in names if isinstance(value := namespace[name], Result)}
