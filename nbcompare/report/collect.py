"""Make a report of existing results, whose cells compute them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from nbcompare._commands import analysis_of
from nbcompare._validation import did_you_mean, distinct, listed
from nbcompare.analysis.data import read_for
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.plan import Answer, Call, call_of_ranks, plain
from nbcompare.report.notebook.source import Data, alike
from nbcompare.report.notebook.standard import ANSWERS, IN_APPENDIX, OF_ANSWERS, OF_METHODS
from nbcompare.report.outline import GivenSection
from nbcompare.report.report import Report
from nbcompare.report.verification.recompute import (
    SIMULATED,
    field_differences,
    frame_notes,
    is_simulated,
    part_used,
    source_of,
)
from nbcompare.results import Comparison, Result, Sensitivity
from nbcompare.results.sensitivity import same_decisions

# Names that cells of a report use for something else
_TAKEN = frozenset({"nbc", "io", "pd", "dataclasses", "display"})


def report_of(results: Mapping[str, Result], data: Mapping[str, Data], **document: Any) -> Report:
    """Make a report of results, whose cells compute each result again from the data.

    Every result is recomputed at once in the same way as in the notebook, and must be the same: the
    report shows the results that were given, and its code produces them.

    Parameters
    ----------
    results : mapping of str to result
        The results by variable, in the order of the report.
    data : mapping of str to Experiment or Histories
        Data, among which those of the results are found by their fingerprints.
    **document
        Title, authors, abstract and date of the report.

    Returns
    -------
    Report
        With the data, a section for each result, and references.

    Raises
    ------
    ValueError
        For a result whose data are not given, or which cannot be recomputed.
    """
    taken = [name for name in (*results, *data) if name in _TAKEN and name in results]
    if taken:
        raise ValueError(
            f"`{taken[0]}` is a name that the cells of a report use for something else; give the "
            "result another name."
        )
    for name, result in results.items():
        if is_simulated(result):
            raise ValueError(f"{name!r} cannot be reported, because {SIMULATED}.")
    kinds = [analysis_of(result).section for result in results.values()]
    used: dict[str, Data] = {}
    own: dict[str, GivenSection] = {}
    for (variable, result), kind in zip(results.items(), kinds, strict=True):
        call = _call_of(variable, result, {**data, **used}, used)
        label = _label(variable, results, kind)
        own[variable] = GivenSection(kind, variable, call, label)
    answers = tuple(_answers(results, own))
    shown: dict[str, GivenSection] = {}
    for name, value in used.items():
        label = name if len(used) > 1 else ""
        if isinstance(value, Histories):
            shown[name] = GivenSection("histories", name, None, label)
        elif (described := _description_of(name, own)) is not None:
            shown[described] = own.pop(described)
        else:
            taken_here = {*results, *data, *used, *(one.variable for one in shown.values())}
            variable = free_name("description", taken_here)
            shown[name] = GivenSection("data", variable, Call("describe", name), label)
    full = bool(document.get("full"))
    sections = _arranged(shown, own, answers, full=full)
    names = [*sections, "references"] if full or not answers else [*sections]
    return Report(sections=names, _own=sections, _data=used, **document)


def _label(variable: str, results: Mapping[str, Result], kind: str) -> str:
    """Return what tells a result from others of its kind: the measure, or else the variable."""
    alike = [result for result in results.values() if analysis_of(result).section == kind]
    if len(alike) == 1:
        return ""
    measures = [result.design.measure or "" for result in alike]
    own = results[variable].design.measure or ""
    return own if own and len({*measures}) == len(measures) else variable


def _answers(results: Mapping[str, Result], own: Mapping[str, GivenSection]) -> Iterator[Answer]:
    """Yield the results that answer which algorithms differ, the primary ones first."""
    there = {section.kind for section in own.values()}
    for kind in ANSWERS if there & {*ANSWERS} else OF_METHODS:
        for variable, section in own.items():
            if section.kind == kind:
                varied = _varied(results[variable], results)
                yield Answer(kind, variable, section.label, varied)


def _varied(result: Result, results: Mapping[str, Result]) -> str:
    """Return the sensitivity analysis of the same comparison; empty if there is none."""
    return next(
        (
            name
            for name, other in results.items()
            if isinstance(other, Sensitivity)
            and isinstance(result, Comparison)
            and other.design.fingerprint == result.design.fingerprint
            and same_decisions(result, other)
        ),
        "",
    )


def _arranged(
    shown: Mapping[str, GivenSection],
    own: Mapping[str, GivenSection],
    answers: tuple[Answer, ...],
    *,
    full: bool,
) -> dict[str, GivenSection]:
    """Arrange sections so that answers come first, then data, methods and an appendix."""
    about: dict[str, dict[str, GivenSection]] = {kind: {} for kind in OF_ANSWERS}
    if answers:
        first = own[answers[0].variable]
        planned = tuple(
            Answer(section.kind, variable, section.label)
            for variable, section in own.items()
            if section.kind == "plan" and all(variable != answer.variable for answer in answers)
        )
        for kind in OF_ANSWERS if full else OF_ANSWERS[:2]:
            section = replace(first, kind=kind, label="", answers=answers)
            about[kind][f"{first.variable}-{kind}"] = section
        more = tuple(
            Answer(section.kind, variable, section.label)
            for kind in OF_METHODS
            for variable, section in own.items()
            if section.kind == kind and all(variable != answer.variable for answer in answers)
        )
        name = f"{first.variable}-methods"
        about["methods"][name] = replace(about["methods"][name], answers=(*answers, *more))
        name = f"{first.variable}-findings"
        about["findings"][name] = replace(about["findings"][name], answers=(*answers, *planned))
    main = {name: section for name, section in own.items() if section.kind not in IN_APPENDIX}
    rest = {name: section for name, section in own.items() if section.kind in IN_APPENDIX}
    return {
        **about["findings"],
        **main,
        **shown,
        **about["methods"],
        **about["appendix"],
        **rest,
    }


def _description_of(data: str, own: Mapping[str, GivenSection]) -> str | None:
    """Return the first of the sections that describes these data; None if there is none."""
    return next(
        (
            name
            for name, section in own.items()
            if section.kind == "data" and section.call is not None and section.call.data == data
        ),
        None,
    )


def _call_of(
    variable: str, result: Result, data: Mapping[str, Data], used: dict[str, Data]
) -> Call:
    """Find the call that gives the result again, and add its data to those that are used."""
    if source_of(result) is None and isinstance(result, Comparison):
        return call_of_ranks(result)
    problem = "no variable holds the data that it was computed from"
    read = read_for(result)
    if read is not None:  # the last of all: a variable may hold an equal experiment
        data = {**data, free_name(f"experiment_of_{variable}", data): read}
    elif frame_notes(result):
        problem += "; make them with Experiment.from_frame(frame, direction=...)"
    for name, value in _candidates(variable, result, data):
        call = _call(result, name)
        try:
            again = call.value(value)
        except ValueError as error:  # what it was computed from may be a part of these data
            problem = f"recomputed from {name}, it is refused: {error}"
            continue
        found = next(field_differences(result, again), None)
        if found is None:
            used[name] = value
            return call
        where, text = found
        problem = f"recomputed from {name}, {text}" if where else text
    raise ValueError(f"{variable!r} cannot be reported: {problem}.")


def _candidates(
    variable: str, result: Result, data: Mapping[str, Data]
) -> Iterator[tuple[str, Data]]:
    """Yield data that contain those of the result: whole, then the part that it uses."""
    wanted = Histories if analysis_of(result).takes == "histories" else Experiment
    design = result.design
    blocks = {"problems" if wanted is Histories else "datasets": design.datasets}
    for name, value in data.items():
        if not isinstance(value, wanted) or name in _TAKEN:
            continue
        try:
            part = value.select(algorithms=design.algorithms, **blocks)
        except ValueError:
            continue  # with other labels
        if part.fingerprint == design.fingerprint:
            yield name, value
            yield f"{name}_of_{variable}", part_used(value, design)


def _call(result: Result, data: str) -> Call:
    made_by = analysis_of(result)
    options = dict(result.design.options)
    if isinstance(options.get("rng"), str):  # no random numbers were drawn
        options.pop("rng")
    options.pop("scores", None)  # whether folds came from arrays or from an experiment
    # two algorithms are named; all of them are not
    arguments = tuple(options.pop(name) for name in made_by.arguments if name in options)
    given = plain(made_by.function, options)
    return Call(made_by.function, data, arguments, given, made_by.data_argument or None)


def results_in(
    namespace: Mapping[str, object], unnamed: Iterable[Result] = ()
) -> dict[str, Result]:
    """Find the results in a namespace, each once, without names that begin with _.

    Parameters
    ----------
    namespace : mapping of str to object
        Names and their values.
    unnamed : iterable of result
        Results without a name. Each gets a free name, such as ``comparison`` or
        ``comparison_2``, unless an equal result has a name already.
    """
    found: dict[str, Result] = {}
    for name, value in namespace.items():
        if name.startswith("_") or not isinstance(value, Result) or is_simulated(value):
            continue
        if all(value is not other for other in found.values()):
            found[name] = value
    same = {result.to_json() for result in found.values()}
    for result in unnamed:
        if is_simulated(result):
            continue
        written = result.to_json()
        if written not in same:
            same.add(written)
            found[free_name(analysis_of(result).variable, {*namespace, *found})] = result
    return found


def data_in(
    namespace: Mapping[str, object], more: Iterable[tuple[Data, str]] = ()
) -> dict[str, Data]:
    """Find the experiments and histories in a namespace.

    Parameters
    ----------
    namespace : mapping of str to object
        Names and their values.
    more : iterable of (Experiment or Histories, str)
        Data without a name, each with a name to use if it is free; left out if equal data have a
        name already.
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


def free_name(wish: str, taken: Iterable[str]) -> str:
    """Return the name, with a number if it is taken, here or in the cells of a report."""
    return distinct(wish, {*taken, *_TAKEN})


def named(names: list[str], namespace: Mapping[str, object]) -> dict[str, Result]:
    """Return the results with these names.

    Raises
    ------
    ValueError
        For a name that does not exist, or is not a result.
    """
    for name in names:
        if name not in namespace:
            there = results_in(namespace)
            results = f"; results are {listed(there)}" if there else ""
            raise ValueError(f"there is no variable {name!r}{results}.{did_you_mean(name, there)}")
        if not isinstance(namespace[name], Result):
            kind = type(namespace[name]).__name__
            raise ValueError(f"{name} must be a result of nbcompare; it is of class {kind}.")
    return {name: value for name in names if isinstance(value := namespace[name], Result)}
