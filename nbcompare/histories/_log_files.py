"""Files of COCO and IOHprofiler: meta files say which runs there are, data files hold them.

Three kinds of meta files are read. ``IOHprofiler_f1_Sphere.json`` is what IOHexperimenter writes
now. Its older ``IOHprofiler_f1.info`` and COCO's ``bbobexp_f1.info`` share a shape: per dimension
a line of ``name = value``, a comment, and a line with the data file and its runs. Only COCO's
names a precision.

In data files runs stand one after the other, each under a header of its own. COCO logs the best
value so far minus that of the optimum: in the ``.dat`` file when a run reaches the next target, and
in the ``.tdat`` file at numbers of evaluations that are regular on a logarithmic scale, and at its
end. Between them it may be better than what was logged before. Both together are closest to the
truth, and neither is enough alone: ``.dat`` does not know the end of a run.
"""

from __future__ import annotations

import math
import os
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._tables import check_cells, checked_file, lines_of, parsed_json
from nbcompare._validation import DataError, clean_label, listed, shown

_PAIR = re.compile(r"(\w+)\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([^,]*))")
_RUN = re.compile(r"([^\s:]+)\s*:\s*(\d+)\s*(?:\|.*)?")
# COCO's logger has always written the first, and the other two since 2016
_OF_COCO = {"Precision", "coco_version", "data_format"}
_COCO_PRECISION = 1e-8
_ROWS = 2**15  # that are read before their number is looked at


class Run(NamedTuple):
    """What a meta file says of a run."""

    instance: str | None  # None if it is not said
    evaluations: float | None  # None if the run did not end


@dataclass(frozen=True, slots=True)
class Scenario:
    """The runs of one algorithm on one function in one dimension, in one ``.dat`` file.

    Only COCO has a precision, and perhaps a suite.
    """

    function: str
    dimension: int
    algorithm: str
    maximize: bool | None  # None if it is not said
    meta: Path
    data: Path
    runs: Sequence[Run]
    precision: float | None = None
    suite: str | None = None

    @property
    def is_of_coco(self) -> bool:
        """Whether COCO wrote it, not IOHprofiler."""
        return self.precision is not None

    @property
    def n_bytes(self) -> int:
        """How much is read of it; nothing if it is not there."""
        try:
            return self.data.stat().st_size
        except (OSError, ValueError):  # who reads the file says what is wrong with it
            return 0


_WRITERS = {".info": "COCO or IOHprofiler", ".json": "IOHprofiler"}
# What is raised by text that is none of theirs
_BROKEN = (LookupError, TypeError, AttributeError, ValueError, OverflowError, RecursionError)


def scenarios(file: Path, folder: Path) -> Iterator[Scenario]:
    """Yield what a meta file lists; every data file must be in the folder."""
    with _opened(file) as lines:
        text = "".join(lines)
    try:
        for scenario in _in_lines(text, file) if file.suffix == ".info" else _in_json(text, file):
            told = f"{file.name} names {shown(os.path.relpath(scenario.data, file.parent))}, which"
            refuse_outside(scenario.data, folder, told)
            if scenario.is_of_coco:
                refuse_outside(scenario.data.with_suffix(".tdat"), folder, f"the .tdat of {told}")
            yield scenario
    except DataError:
        raise
    except _BROKEN as error:
        what = f": it has no {shown(error.args[0])}" if isinstance(error, KeyError) else ""
        raise DataError(
            f"{shown(file.name)} is no meta file of {_WRITERS[file.suffix]}, or it is damaged"
            f"{what}. Copy the folder again, or leave the file out."
        ) from None


def _in_json(text: str, file: Path) -> Iterator[Scenario]:
    meta: dict[str, Any] = parsed_json(text, shown(file.name))
    function = clean_label(meta.get("function_name") or f"f{meta['function_id']}")
    for scenario in meta["scenarios"]:
        yield Scenario(
            f"{function} {int(scenario['dimension'])}D",
            int(scenario["dimension"]),
            clean_label(meta["algorithm"]["name"]),
            bool(meta["maximization"]) if "maximization" in meta else None,
            file,
            file.parent / scenario["path"],
            [
                Run(
                    str(int(run["instance"])) if "instance" in run else None,
                    float(int(run["evals"])),
                )
                for run in scenario["runs"]
            ],
        )


def _in_lines(text: str, file: Path) -> Iterator[Scenario]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("%")]
    heads = [i for i, line in enumerate(lines) if "funcId" in line]
    if not heads and "indicator" in text:
        raise DataError(
            f"{file.name} lists runs with several objectives, of which COCO logs an indicator. "
            "Histories have one objective: leave such a folder out."
        )
    if not heads:
        raise DataError(
            f"{file.name} is not a meta file of COCO or IOHprofiler: no line has a funcId."
        )
    for head, after in zip(heads, [*heads[1:], len(lines)], strict=True):
        told = {
            key: (single or double or bare).strip()
            for key, single, double, bare in _PAIR.findall(lines[head])
        }
        precision = _precision(told)
        of_coco = precision is not None
        name = clean_label(told.get("funcName") or f"f{told['funcId'].removeprefix('f')}")
        word = told.get("maximization", "").upper()
        # some list the runs on several lines
        for data, runs in _files("".join(lines[head + 1 : after]), file, may_break_off=of_coco):
            yield Scenario(
                f"{name} {int(told['DIM'])}D",
                int(told["DIM"]),
                clean_label(told["algId"]),
                False if of_coco else word in ("T", "TRUE", "1") if word else None,
                file,
                file.parent / data.replace("\\", "/"),
                runs,
                precision,
                told.get("suite"),
            )


def _precision(told: Mapping[str, str]) -> float | None:
    """Return the precision of COCO, also where a file of it names none; None for others."""
    precision = float(told.get("Precision", _COCO_PRECISION))
    if not 0 <= precision < math.inf:
        raise ValueError(f"Precision = {precision}")
    return precision if _OF_COCO & told.keys() else None


def _files(line: str, file: Path, *, may_break_off: bool) -> Iterator[tuple[str, list[Run]]]:
    """Yield each data file of a line, with its runs.

    COCO lists a run when it begins, and adds its evaluations when it ends.
    """
    first, *rest = (item.strip() for item in line.strip().rstrip(",").split(","))
    data, runs = first, list[Run]()
    for item in rest:
        if item.endswith(".dat"):
            yield data, runs
            data, runs = item, []
        elif match := _RUN.fullmatch(item):
            runs.append(Run(clean_label(match[1]), float(match[2])))
        elif may_break_off and item.isdecimal():
            runs.append(Run(item, None))
        else:
            raise DataError(
                f"{file.name} must list each run as instance:evaluations|value; got {shown(item)}."
            )
    yield data, runs


# ------------------------------------------------------------------------------- files


def refuse_outside(file: Path, folder: Path, told: str) -> None:
    """Refuse a file outside the folder, which logs from elsewhere could name."""
    # unlike this, Path.resolve() raises an error for links that lead in a circle
    if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
        raise DataError(
            f"{told} leads to a file that is not in {folder.name or str(folder)!r}. "
            "Copy the file into the folder, or read a folder that holds both."
        )


@contextmanager
def _opened(file: Path, meta: Path | None = None) -> Iterator[Iterator[str]]:
    """Open a file, which a meta file may name, as lines."""
    # of a name that is too long, a path raises OSError
    if meta is not None and not os.path.isfile(file):  # noqa: PTH113
        raise DataError(
            f"{meta.name} names {shown(file.name)}, which is not there. Copy the whole folder."
        )
    checked_file(file)
    try:
        with file.open(encoding="utf-8") as stream:
            yield lines_of(stream, shown(file.name))
    except UnicodeDecodeError:
        raise DataError(
            f"{shown(file.name)} must be UTF-8 text, as COCO and IOHprofiler write it."
        ) from None


_BEST = "best noise-free fitness"
_REFERENCE = "Fref"  # instead of Fopt, where the optimum is not known
# Columns with the best so far, or else with values of which the best so far is taken. Raw values
# come first: instances have not shifted them, so that the optimum is the same for all.
_EVALUATIONS = ("evaluations", "function evaluation")
_VALUES = ("raw_y_best", "raw_y", "best-so-far f(x)", "current f(x)")
_CELL = re.compile(r'"([^"]*)"|(\S+)')
# The loggers of 2019 wrote this name where there were no parameters, and no numbers below it
_NO_COLUMN = "No parameters"


def histories_of(scenario: Scenario, direction: str) -> Iterator[FloatArray | None]:
    """Yield evaluations and best so far of each run, shape (2, n_rows).

    None stands for a run of COCO that did not end, or one without a value.
    """
    of_coco = scenario.is_of_coco
    files = [scenario.data, scenario.data.with_suffix(".tdat")] if of_coco else [scenario.data]
    parts = [_runs(scenario, file, of_coco=of_coco) for file in files]
    # the loggers before 2016 let rounding make negative numbers of some differences
    rounded = scenario.precision or 0.0 if of_coco and has_optimum(scenario) else 0.0
    best = np.maximum if direction == MAXIMIZE else np.minimum
    for number, (run, *blocks) in enumerate(zip(scenario.runs, *parts, strict=True), start=1):
        said, ended = run.evaluations, blocks[-1][0].max(initial=0.0)
        both = np.concatenate(blocks, axis=1)
        if of_coco and said is None:
            yield None
            continue
        for file, end in zip(files[::-1], (ended, both[0].max(initial=0.0)), strict=False):
            if of_coco and end != said:
                raise DataError(
                    f"{file.name}, run {number} ends at evaluation {end:,.15g}, but "
                    f"{scenario.meta.name} says {said:,.15g}. If lines are missing, copy the "
                    "folder again; if the run did end there, correct the number in "
                    f"{scenario.meta.name}."
                )
        history = _best_so_far(both[:, ~np.isnan(both[1])], best)
        history[1, (history[1] < 0) & (history[1] >= -rounded)] = 0.0
        if not of_coco and said is not None and history.size and said > history[0, -1]:
            history = np.append(history, [[said], [history[1, -1]]], axis=1)
        yield history if history.size else None


def has_optimum(scenario: Scenario) -> bool:
    """Tell whether values of COCO are differences to the optimum, not to a reference value."""
    with _opened(scenario.data, scenario.meta) as lines:
        return _REFERENCE not in next(lines, "")


def _best_so_far(logged: FloatArray, best: np.ufunc) -> FloatArray:
    """Return evaluations in order, each once, and the best so far; shape (2, n_rows)."""
    evaluations, values = logged[:, np.argsort(logged[0], kind="stable")]
    final = np.append(evaluations[1:] != evaluations[:-1], True)[: len(values)]  # not logged twice
    return np.stack([evaluations, best.accumulate(values)])[:, final]


def _runs(scenario: Scenario, file: Path, *, of_coco: bool) -> list[FloatArray]:
    """Return the columns of evaluations and of values of each run."""
    found: list[FloatArray] = []
    # the last line of a run that did not end may be cut
    ended = [run.evaluations is not None or not of_coco for run in scenario.runs]
    with _opened(file, scenario.meta) as lines:
        header = next(lines, "").strip()
        names = [quoted or bare for quoted, bare in _CELL.findall(header)]
        width = None if of_coco else len(names)
        wanted = (
            [0, _place_of_best(header, file)]
            if of_coco
            else [
                _place_of(_EVALUATIONS, "evaluations", names, file),
                _place_of(_VALUES, "values", names, file),
            ]
        )

        def begins(line: str) -> bool:
            return line.startswith("%") if of_coco else line.strip() == header

        for block in _blocks(chain([header], lines), begins):
            first = next(filter(str.strip, block), "")
            if of_coco and not first:
                continue
            n_cells = len(first.split())
            if width is None:
                width = max(n_cells, wanted[1] + 1)  # x may be left out
            elif not found and names[-1] == _NO_COLUMN and n_cells == width - 1:
                width = n_cells
            if not all(ended[len(found) : len(found) + 1]):
                found.append(np.empty((2, 0)))
                continue
            place = f"{file.name}, run {len(found) + 1}"
            found.append(_columns(chain([first], block) if first else (), wanted, width, place))
    if len(found) != len(scenario.runs):
        raise DataError(
            f"{file.name} holds {len(found)} runs, but {scenario.meta.name} lists "
            f"{len(scenario.runs)}."
        )
    return found


def _blocks(lines: Iterable[str], begins: Callable[[str], bool]) -> Iterator[Iterator[str]]:
    """Yield the lines below each header."""
    number = 0

    def number_of(line: str) -> int:
        nonlocal number
        number += begins(line)
        return number

    for _, block in groupby(lines, number_of):
        yield islice(block, 1, None)


def _place_of_best(header: str, file: Path) -> int:
    names = [name.strip() for name in header.lstrip("% ").split("|")]
    found = [i for i, name in enumerate(names) if name.startswith(_BEST)]
    if not header.startswith("%") or not found:
        raise DataError(
            f"{file.name} must begin with a header, as COCO writes it, that begins with % and "
            f"names {_BEST!r}; got {shown(header)}."
        )
    return found[0]


def _place_of(known: Sequence[str], what: str, names: Sequence[str], file: Path) -> int:
    found = [names.index(name) for name in known if name in names]
    if not found:
        raise DataError(
            f"{file.name} has no column of {what}, {listed(known)}; its header names "
            f"{listed(names)}."
        )
    return found[0]


def _columns(lines: Iterable[str], wanted: Sequence[int], width: int, place: str) -> FloatArray:
    """Return some columns of a run, shape (n_wanted, n_rows); every row must have all cells.

    The other cells, such as the coordinates of solutions, are counted, but not read, where single
    spaces separate them: it takes a sixth of the time.
    """
    left, n_spaces, most = iter(lines), width - 1, max(wanted) + 1
    numbers = array("d")
    is_over = False  # only empty lines may follow
    while rows := list(islice(left, _ROWS)):
        for row in rows:
            line = row.strip()
            if not line:
                is_over = True
                continue
            is_plain = line.count(" ") == n_spaces and "  " not in line
            cells = line.split(None, most) if is_plain else line.split()
            try:
                if is_over or not (is_plain or len(cells) == width):
                    raise ValueError
                numbers.extend([_number(cells[i]) for i in wanted])
            except (ValueError, IndexError):
                raise DataError(
                    f"{place} must hold rows of {width} numbers; got "
                    f"{shown('' if is_over else line)}."
                ) from None
        check_cells(len(numbers), place)
    return np.array(numbers).reshape(-1, len(wanted)).T


def _number(cell: str) -> float:
    if "_" in cell or not cell.isascii():  # which Python takes for digits
        raise ValueError(cell)
    return float(cell)
