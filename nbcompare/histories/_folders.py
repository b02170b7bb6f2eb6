"""Reader of folders of logs that COCO or IOHprofiler wrote, at any depth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from nbcompare._options import DIRECTIONS, INSTANCES, MAXIMIZE, MINIMIZE
from nbcompare._render import Note, plural
from nbcompare._tables import check_bytes, check_cells, files_under, natural_order
from nbcompare._validation import DataError, check_choice, clean_label, listed, named
from nbcompare.experiment import Schema
from nbcompare.histories._log_files import (
    Run,
    Scenario,
    has_optimum,
    histories_of,
    refuse_outside,
    scenarios,
)
from nbcompare.histories._logs import Logs

_RUNS, _PROBLEMS = INSTANCES
_TABLES = (".csv", ".tsv", ".txt", ".tab", ".parquet", ".pq", ".npz")
_ARCHIVES = (".tgz", ".tar.gz", ".tar", ".zip")


def read(folder: Path, direction: str | None, instances: str | None) -> Logs:
    """Read the logs of all runs that the meta files under a folder name."""
    folder = folder if folder.name else folder.resolve()  # which a message names
    there = [each for file in _meta_files(folder) for each in scenarios(file, folder)]
    of_coco = _is_of_coco(there, folder)
    # a meta file may name a file many times
    check_bytes(sum(each.n_bytes for each in there), folder.name)
    which = _direction(there, folder, direction)
    apart = _are_problems(there, folder, instances)
    logged = []
    n_cells = 0
    for each in there:
        histories = zip(each.runs, histories_of(each, which), strict=True)
        for number, (run, history) in enumerate(histories, start=1):
            if history is not None:
                place = f"{each.data.name}, run {number}"
                n_cells += history.size
                check_cells(n_cells, folder.name)
                logged.append((_problem(each, run, apart=apart), each.algorithm, history, place))
    ended = [(each, run) for each in there for run in each.runs if run.evaluations is not None]
    problems = {_problem(each, run, apart=apart): float(each.dimension) for each, run in ended}
    algorithms = (each.algorithm for each in there)
    logs = replace(
        Logs.of(logged, which, problems, algorithms).check_all_there(folder.name),
        notes=(*_of_same_names(there, folder), *_of_broken_off(there)),
        schema=Schema(source=folder.name, layout="COCO" if of_coco else "IOHprofiler"),
        dimensions=np.array(list(problems.values())),
    )
    if not of_coco:
        return logs
    if not all(map(has_optimum, there)):
        return replace(logs, measure="difference to the reference value")
    precision = max(each.precision or 0.0 for each in there)
    return replace(logs, measure="difference to the optimum", optimum=0.0, tolerance=precision)


# -------------------------------------------------------------------------------- files


def refuse_archive(path: object) -> None:
    """Refuse an archive, as which COCO and IOHanalyzer hand out logs."""
    if str(path).lower().endswith(_ARCHIVES):
        raise DataError(
            f"`path` must name a file or a folder of logs; {Path(str(path)).name} is an archive. "
            "Unpack it, and pass the name of its folder."
        )


def _meta_files(folder: Path) -> list[Path]:
    """Return the meta files at any depth, f2 before f10."""
    files = sorted(files_under(folder))
    found = [
        file
        for file in files
        if file.suffix == ".info" or (file.suffix == ".json" and file.name[:11] == "IOHprofiler")
    ]
    if not found:
        raise DataError(
            "`path` must name a file, or a folder of COCO or IOHprofiler with *.info or "
            f"IOHprofiler_*.json files in it; there are none in {str(folder)!r}."
            f"{_instead(folder, files)}"
        )
    for file in found:
        refuse_outside(file, folder, file.name)
    keys = natural_order([str(file.relative_to(folder)) for file in found])
    return [found[i] for i in sorted(range(len(found)), key=keys.__getitem__)]


def _instead(folder: Path, files: Sequence[Path]) -> str:
    """Say what to do with files that are no logs of COCO or IOHprofiler."""
    names = [file.relative_to(folder).as_posix() for file in files]
    tables = [name for name in names if name.lower().removesuffix(".gz").endswith(_TABLES)]
    if tables:
        first = Path(tables[0])
        named = "{algorithm}/{problem}_{run}/" + first.name
        if first.name == tables[0]:
            named = "{algorithm}_{problem}_{run}" + first.suffix
        pattern = (folder / named).as_posix()
        return (
            f" To compare {listed(tables, most=3)}, pass a pattern that says what their names "
            f"mean, such as {pattern!r}, or put them into one table with a row per logged value."
        )
    archives = [name for name in names if name.lower().endswith(_ARCHIVES)]
    return f" Unpack {listed(archives, most=3)} first." if archives else ""


# --------------------------------------------------------- what all of them have in common


def _is_of_coco(there: Sequence[Scenario], folder: Path) -> bool:
    """Tell whether the logs are COCO's; those of IOHprofiler have other values."""
    kinds = {each.is_of_coco: each.meta.name for each in there}
    if len(kinds) > 1:
        raise DataError(
            f"{folder.name} must hold logs of one kind: {kinds[True]} is of COCO, which logs "
            f"differences to the optimum, {kinds[False]} of IOHprofiler, which logs values. Read "
            "them from two folders."
        )
    suites: dict[str, tuple[str, str]] = {}
    for each in there:
        if each.suite:
            place = clean_label(each.meta.relative_to(folder).as_posix())
            suite, first = suites.setdefault(each.function, (each.suite, place))
            if suite != each.suite:
                raise DataError(
                    f"{folder.name} must hold functions of one suite: {each.function} is of "
                    f"{suite!r} in {first}, of {each.suite!r} in {place}. Read the suites "
                    "from two folders."
                )
    return True in kinds


def _direction(there: Sequence[Scenario], folder: Path, given: str | None) -> str:
    """Return the direction that the folder says, which must agree with the caller's."""
    if given is not None:
        check_choice(given, "direction", DIRECTIONS)
    said = {
        MAXIMIZE if each.maximize else MINIMIZE: each.meta.name
        for each in there
        if each.maximize is not None
    }
    if len(said) > 1:
        raise DataError(
            f"{folder.name} must hold problems of one direction; {said[MAXIMIZE]} is to be "
            f"maximized, {said[MINIMIZE]} minimized."
        )
    if not said:
        if given is None:
            raise ValueError(
                f"`direction` must be {DIRECTIONS[0]!r} or {DIRECTIONS[1]!r}; "
                f"{folder.name} does not say which."
            )
        return given
    direction, meta = said.popitem()
    if given not in (None, direction):
        raise ValueError(f"`direction` must be {direction!r}, as {meta} says; got {given!r}.")
    return direction


# ---------------------------------------------------------------------------- instances


def _problem(scenario: Scenario, run: Run, *, apart: bool) -> str:
    if not apart or run.instance is None:
        return scenario.function
    return f"{scenario.function}, instance {run.instance}"


def _are_problems(there: Sequence[Scenario], folder: Path, given: str | None) -> bool:
    """Tell whether instances are problems, not runs; it must be said where there are several."""
    if given is not None:
        return check_choice(given, "instances", INSTANCES) == _PROBLEMS
    instances: dict[str, set[str | None]] = {}
    for each in there:
        instances.setdefault(each.function, set()).update(run.instance for run in each.runs)
    most = max(instances, key=lambda function: len(instances[function]), default="")
    if most and len(instances[most]) > 1:
        raise ValueError(
            f"`instances` must be {_RUNS!r} or {_PROBLEMS!r}: {folder.name} holds "
            f"{plural(len(instances[most]), 'instance')} of {most}. Pass instances={_RUNS!r} to "
            "take the instances of a function as runs on one problem, which is usual (COCO and "
            f"IOHanalyzer do); pass instances={_PROBLEMS!r} to take each as a problem of its own, "
            "as for MA-BBOB, where every instance is another function."
        )
    return False


# -------------------------------------------------------------------------------- notes


def _of_same_names(there: Sequence[Scenario], folder: Path) -> Iterator[Note]:
    """Yield a note if one algorithm ran the same instance in two folders."""
    places: dict[tuple[str, str, str | None], set[Path]] = defaultdict(set)
    for each in there:
        for run in each.runs:
            places[each.algorithm, each.function, run.instance].add(each.meta.parent)
    shared: dict[str, set[Path]] = defaultdict(set)
    for (algorithm, _, _), found in places.items():
        shared[algorithm] |= found if len(found) > 1 else set()
    for algorithm, found in shared.items():
        names = sorted(clean_label(place.relative_to(folder).as_posix()) for place in found)
        if names:
            yield Note(
                "same-name",
                f"{algorithm} ran the same instances in {len(names)} folders, {named(names)}; "
                "these count as repeated runs of one algorithm.",
            )


def _of_broken_off(there: Sequence[Scenario]) -> Iterator[Note]:
    """Yield a note on runs that were left out because they did not end."""
    runs = [run for each in there for run in each.runs]
    count = sum(run.evaluations is None for run in runs)
    if count:
        yield Note(
            "broken-off",
            f"{plural(count, 'run')} of {len(runs):,} did not end, as the meta files say, and "
            f"{'is' if count == 1 else 'are'} left out.",
        )
