"""Meta files of folders of logs: which runs there are, of what, and in which data files.

Three kinds are read. ``IOHprofiler_f1_Sphere.json`` is what IOHexperimenter writes now. Its older
``IOHprofiler_f1.info`` and COCO's ``bbobexp_f1.info`` share a shape: per dimension a line of
``name = value``, a comment, and a line with the data file and its runs. Only COCO's names a
precision.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nbcompare._tables import checked_file, parsed_json
from nbcompare._validation import DataError, clean_label, shown

_PAIR = re.compile(r"(\w+)\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([^,]*))")
_RUN = re.compile(r"([^\s:]+)\s*:\s*(\d+)\s*(?:\|.*)?")
# COCO's logger has always written the first, and the other two since 2016
_OF_COCO = {"Precision", "coco_version", "data_format"}
_COCO_PRECISION = 1e-8
_LARGEST = 2**28  # bytes of a file, which is read at once


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


_WRITERS = {".info": "COCO or IOHprofiler", ".json": "IOHprofiler"}
# What is raised by text that is none of theirs
_BROKEN = (LookupError, TypeError, AttributeError, ValueError, OverflowError, RecursionError)


def scenarios(file: Path, folder: Path) -> Iterator[Scenario]:
    """Yield what a meta file lists; every data file must be in the folder."""
    text = text_of(file)
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


def text_of(file: Path, meta: Path | None = None) -> str:
    """Return the text of a file, which a meta file may name."""
    # of a name that is too long, a path raises OSError
    if meta is not None and not os.path.isfile(file):  # noqa: PTH113
        raise DataError(
            f"{meta.name} names {shown(file.name)}, which is not there. Copy the whole folder."
        )
    if checked_file(file) > _LARGEST:
        raise DataError(f"{shown(file.name)} has more than {_LARGEST:,} bytes. Split the folder.")
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{shown(file.name)} must be UTF-8 text, as COCO and IOHprofiler write it; "
            f"byte {error.start + 1} is not."
        ) from None
