"""Arrays of NumPy: of data set, algorithm, fold and run, or one per algorithm without that axis."""

from __future__ import annotations

import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.format import open_memmap, read_array

from nbcompare._tables import RawTable, check_bytes, check_cells, checked_file
from nbcompare._validation import DataError, because, listed
from nbcompare.formats.given import Given, Imported

_AXES = ("dataset", "algorithm", "fold", "run")


def read(given: Given) -> Imported:
    """Return a row per score; numbers from 1 name all but the algorithms."""
    with warnings.catch_warnings(action="ignore"):  # about headers that Python 2 wrote
        scores, names = _scores(given)
    if scores.dtype.kind not in "biuf" or not 2 <= scores.ndim <= 4 or not scores.size:
        raise DataError(
            f"{given.name} must hold real numbers in 2 (data set, algorithm) to 4 (fold, run) "
            f"dimensions; got shape {scores.shape} of {scores.dtype}."
        )
    if names is None:
        raise DataError(
            f"{given.name} has no names of algorithms. Pass algorithms=, one for each of its "
            f"{scores.shape[1]} columns."
        )
    if len(names) != scores.shape[1]:
        raise DataError(
            f"{given.name} has {scores.shape[1]} columns for {len(names)} algorithms, "
            f"{listed(names)}."
        )
    notes: tuple[tuple[str, str], ...] = ()
    if scores.dtype.kind == "f" and scores.dtype.itemsize < 8:
        # 0.7 stays 0.7, so that equal differences stay equal
        notes = (("precision", f"{given.name} holds {scores.dtype}, read as it is printed."),)
        scores = scores.astype(np.str_)
    axes = _AXES[: scores.ndim]
    places = dict(zip(axes, np.indices(scores.shape).reshape(scores.ndim, -1) + 1, strict=True))
    columns: dict[str, npt.NDArray[Any]] = {
        **places,
        "algorithm": np.array(names, dtype=object)[places["algorithm"] - 1],
        "score": scores.astype(np.float64).ravel(),
    }
    return Imported(RawTable(given.name, columns), {name: name for name in (*axes, "score")}, notes)


def _scores(given: Given) -> tuple[npt.NDArray[Any], tuple[str, ...] | None]:
    """Return the scores, and the names of the algorithms if anything says them."""
    arrays = arrays_in(given.path)
    if len(arrays) == 1 and given.algorithms is not None:
        return next(iter(arrays.values())), given.algorithms
    if "" in arrays:  # a file of a single array
        return arrays[""], None
    if len({one.shape for one in arrays.values()}) != 1 or not next(iter(arrays.values())).ndim:
        shapes = [f"{name} {one.shape}" for name, one in arrays.items()]
        raise DataError(
            f"{given.name} must hold an array per algorithm, all of one shape; got "
            f"{listed(shapes)}."
        )
    return np.stack(list(arrays.values()), axis=1), tuple(arrays)


def arrays_in(file: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays in a file by their names; one that stands alone has none."""
    size = checked_file(file)
    try:
        if not zipfile.is_zipfile(file):
            # a header may claim more than there is: mapping compares it with the file
            mapped = open_memmap(file, mode="r")
            check_cells(mapped.size, file.name)
            return {"": np.array(mapped)}
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            check_bytes(sum(one.file_size for one in members), file.name, size)
            arrays = {}
            for one in members:
                with archive.open(one) as stream:
                    arrays[one.filename.removesuffix(".npy")] = read_array(stream)
        check_cells(sum(one.size for one in arrays.values()), file.name)
    except DataError:
        raise
    except Exception as error:  # NumPy and zipfile raise errors of many classes
        if "Python objects" in str(error):
            raise DataError(
                f"{file.name} holds Python objects, which are not read, since a file of them can "
                "run any code. If you trust it, load it in Python with numpy.load and "
                "allow_pickle=True, and pass the scores in it to Experiment.from_array: a "
                "dictionary with an array per algorithm, as rliable has it, is what item gives."
            ) from None
        raise DataError(
            f"{file.name} cannot be read as arrays of numbers{because(error)}."
        ) from None
    return arrays
