"""A folder with the outcomes of a study, written as they come, from which it resumes."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._files import write_whole
from nbcompare._validation import DataError, listed
from nbcompare.results.power_study import OMNIBUS_OUTCOMES, OUTCOMES

# The underscore keeps readers of the folder as one table from this file
_ABOUT, _PARTS = "_study.json", "part-*.parquet"
_FORMAT = 1
_PATIENCE = 2.0  # seconds of work that a killed process loses, at most

Codes = npt.NDArray[np.int8]


class Store:
    """Outcomes in Parquet files, each whole: one for every few seconds of work.

    A row holds what one design concluded from one simulated experiment: the number of the case and
    of the repetition, the name of the design, the outcome of its test of any difference and
    those of the pairs, as places in the lists of words in ``_study.json``; -1 stands for no such
    test. Files may hold the same row twice, as processes that were killed leave it.
    """

    def __init__(self, folder: Path, about: Mapping[str, Any], designs: Sequence[str]) -> None:
        self._folder, self._designs = folder, list(designs)
        self._rows: list[tuple[int, int, Codes]] = []
        self._written = time.monotonic()
        self._parquet, self._arrow = _pyarrow()
        text = json.dumps(
            {
                "format": _FORMAT,
                **about,
                "outcomes": OUTCOMES,
                "omnibus": OMNIBUS_OUTCOMES,
            },
            indent=1,
        )
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(f"`store` must be a folder; {folder} is a file.")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / _ABOUT
        if path.exists():
            self._check_same(path, json.loads(text))
        elif any(not item.name.startswith(".") for item in folder.iterdir()):
            raise DataError(
                f"`store` must be a new or empty folder, or that of the same study; {folder} holds "
                "other files. Name another folder."
            )
        else:
            write_whole(path, text)

    def _check_same(self, path: Path, wanted: Mapping[str, Any]) -> None:
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            there = set(found)
        except (ValueError, TypeError):
            raise DataError(
                f"`store` must be the folder of a study; {path} cannot be read. Name another "
                "folder, or remove this one to begin again."
            ) from None
        differing = [name for name in wanted if name not in there or found[name] != wanted[name]]
        if differing:
            raise DataError(
                f"`store` must be empty or hold the same study; the study in {path.parent} has "
                f"other {listed(_WORDS.get(name, name) for name in differing)}. Name another "
                "folder, or remove this one to begin again."
            )

    def load(self) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any], Codes]]:
        """Return cases, repetitions and codes of each file; the codes begin with the omnibus."""
        return [self._read(path) for path in sorted(self._folder.glob(_PARTS))]

    def _read(self, path: Path) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Codes]:
        n_designs = len(self._designs)
        try:
            table = self._parquet.read_table(path)
            # a row per design: all of an experiment have its case and its repetition
            case, repetition = (
                table[name].to_numpy()[::n_designs] for name in ("case", "repetition")
            )
            omnibus = table["omnibus"].to_numpy()
            outcomes = table["outcomes"].combine_chunks().flatten().to_numpy()
            codes = np.concatenate(
                [omnibus.reshape(-1, 1), outcomes.reshape(len(omnibus), -1)], axis=1
            )
            return case, repetition, codes.reshape(len(case), n_designs, -1).astype(np.int8)
        except (self._arrow.ArrowException, KeyError, ValueError, OSError) as error:
            raise DataError(
                f"`store` holds a file that cannot be read, {path}: {error}. Remove the file; what "
                "it held is computed again."
            ) from None

    def add(self, case: int, repetition: int, codes: Codes) -> None:
        """Keep the codes of one simulated experiment, a row per design, and write now and then."""
        self._rows.append((case, repetition, codes))
        if time.monotonic() - self._written > _PATIENCE:
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet, as a file of its own."""
        rows, self._rows = self._rows, []
        self._written = time.monotonic()
        if not rows:
            return
        n_designs = len(self._designs)
        codes = np.concatenate([part for _, _, part in rows])
        pairs = self._arrow.FixedSizeListArray.from_arrays(
            self._arrow.array(codes[:, 1:].reshape(-1)), codes.shape[1] - 1
        )
        table = self._arrow.table(
            {
                "case": np.repeat([row[0] for row in rows], n_designs).astype(np.int32),
                "repetition": np.repeat([row[1] for row in rows], n_designs).astype(np.int32),
                "design": self._designs * len(rows),
                "omnibus": codes[:, 0],
                "outcomes": pairs,
            }
        )
        sink = self._arrow.BufferOutputStream()
        self._parquet.write_table(table, sink)
        name = _PARTS.replace("*", f"{time.time_ns():020d}-{secrets.token_hex(4)}")
        write_whole(self._folder / name, sink.getvalue().to_pybytes())


_WORDS = {
    "nbcompare": "version of nbcompare",
    "models": "model",
    "cases": "effects",
    "format": "format",
}


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]
        from pyarrow import parquet  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise ImportError(
            "`store` needs the package pyarrow, which writes Parquet files. Install it with: "
            'pip install "nbcompare[parallel]"'
        ) from None
    return parquet, pyarrow
