"""A folder with the outcomes of a study, written as they come, from which it resumes."""

from __future__ import annotations

import functools
import hashlib
import inspect
import io
import json
import pickle
import secrets
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import digest
from nbcompare._files import write_whole
from nbcompare._validation import DataError, listed
from nbcompare.experiment import Experiment
from nbcompare.results.power_study import OMNIBUS_OUTCOMES, OUTCOMES

_ABOUT, _PARTS = "_study.json", "part-*.npz"
_PATIENCE = 2.0  # seconds of work that a killed process loses, at most

Codes = npt.NDArray[np.int8]


class Store:
    """Outcomes in files of NumPy, each whole: one for every few seconds of work.

    A file has the arrays ``case`` and ``repetition`` of simulated experiments, and ``codes`` of
    shape (experiment, design, 1 + pair): the outcome of the test of any difference, and then of
    each pair, as places in the lists of words in ``_study.json``; -1 stands for no such test. Two
    files may hold the same experiment, as processes that were killed leave it.
    """

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        self._folder, self._written = folder, time.monotonic()
        self._rows: list[tuple[int, int, Codes]] = []
        words = {"outcomes": OUTCOMES, "omnibus": OMNIBUS_OUTCOMES}
        text = json.dumps({**about, **words}, indent=1)
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(f"`store` must be a folder; {folder} is a file.")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / _ABOUT
        if path.exists():
            _check_same(path, json.loads(text))
        elif any(not item.name.startswith(".") for item in folder.iterdir()):
            raise DataError(
                f"`store` must be a new or empty folder, or that of the same study; {folder} holds "
                "other files. Name another folder."
            )
        else:
            write_whole(path, text)

    def load(self) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any], Codes]]:
        """Yield cases, repetitions and codes of each file."""
        for path in sorted(self._folder.glob(_PARTS)):
            try:
                with np.load(io.BytesIO(path.read_bytes())) as part:
                    yield part["case"], part["repetition"], part["codes"]
            except (KeyError, ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
                raise DataError(
                    f"`store` holds a file that cannot be read, {path}: {error}. Remove the file; "
                    "what it held is computed again."
                ) from None

    def add(self, rows: Sequence[tuple[int, int, Codes]]) -> None:
        """Keep the codes of simulated experiments, and write now and then."""
        self._rows += rows
        if time.monotonic() - self._written > _PATIENCE:
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet, as a file of its own."""
        if self._rows:
            case, repetition, codes = map(np.array, zip(*self._rows, strict=True))
            whole = io.BytesIO()
            np.savez_compressed(whole, case=case, repetition=repetition, codes=codes)
            name = _PARTS.replace("*", f"{time.time_ns():020d}-{secrets.token_hex(4)}")
            write_whole(self._folder / name, whole.getvalue())
        self._rows, self._written = [], time.monotonic()


def _check_same(path: Path, wanted: Mapping[str, Any]) -> None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        differing = [name for name in wanted if name not in found or found[name] != wanted[name]]
    except (ValueError, TypeError):
        raise DataError(
            f"`store` must be the folder of a study; {path} cannot be read. Name another folder, "
            "or remove this one to begin again."
        ) from None
    if differing:
        raise DataError(
            f"`store` must be empty or hold the same study; the study in {path.parent} has other "
            f"{listed(differing)}. Name another folder, or remove this one to begin again."
        )


def described(value: Any) -> Any:
    """Return what distinguishes a model, a design or an option, as data for JSON.

    A function is its name, a digest of its text, and what it encloses, so that one that was changed
    is another one.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Experiment):
        labels = {"algorithms": value.algorithms, "datasets": value.datasets}
        return {"experiment": digest(labels, [value.lower, value.upper])}
    if isinstance(value, Mapping):
        return {str(name): described(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [described(item) for item in value]
    if isinstance(value, functools.partial):
        return {"partial": [described(part) for part in (value.func, value.args, value.keywords)]}
    if inspect.isroutine(value):
        return {"function": _parts_of(value)}
    parts = getattr(value, "__dict__", {})
    if is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
    if parts:
        kind = type(value)
        return {"class": f"{kind.__module__}.{kind.__qualname__}"} | described(parts)
    return {"pickled": hashlib.sha256(pickle.dumps(value)).hexdigest()}


def _parts_of(function: Callable[..., Any]) -> list[Any]:
    """Return the name and text of a function, and what it uses beside its arguments."""
    inner = getattr(function, "__func__", function)
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        text = ""
    cells = [cell.cell_contents for cell in getattr(inner, "__closure__", None) or ()]
    parts = [value for value in cells if value is not inner]
    parts += [
        getattr(inner, name, None) for name in ("__qualname__", "__defaults__", "__kwdefaults__")
    ]
    owner = getattr(function, "__self__", None)
    return [text, *map(described, parts), *([] if inspect.ismodule(owner) else [described(owner)])]
