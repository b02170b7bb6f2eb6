"""Results of KEEL: predictions of each fold, reports of its modules, and tables of scores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbcompare import _tables
from nbcompare._validation import DataError, shown
from nbcompare.formats.given import Given, Imported

PREDICTIONS, REPORT = ".tst", ".stat"
SIGN = r"(?i)@outputs?\s|error in each fold|\ATEST RESULTS\s"
_FOLD = re.compile(r"Fold (\d+) : (?:(\w+)=)?(\S+)(?: N/C=\S+)?")
_TITLE = re.compile(r"(Algorithm|Classifier|Model) *= *(.+)")
_RESULT = re.compile(r"\D*(\d+)(?:s(\d+))?")  # of result0s1, fold 0 with seed 1
_ACCURACY, _ERROR, _SQUARED = "accuracy", "classification error", "mean squared error"
_OF_REPORTS = {
    "classification error in each": _ERROR,
    "regression error in each": _SQUARED,
    "mean cuadratic error in each": _SQUARED,
    "mse of all folds": _SQUARED,
}
_MEASURES = {"CORRECT": _ACCURACY, "AUC": "AUC", "G_MEAN": "geometric mean"}


def read(given: Given) -> Imported:
    """Return the score of each fold, or a table as it is."""
    suffix = given.path.suffix.lower()
    if not given.path.is_dir() and suffix not in (PREDICTIONS, REPORT):
        return Imported(_tables.read(given.path, text=given.text), {})
    is_report = suffix != PREDICTIONS and not any(given.path.rglob(f"*{PREDICTIONS}"))
    rows: list[dict[str, Any]] = []
    for file in given.files(f"*{REPORT if is_report else PREDICTIONS}"):
        content = given.content(file)
        rows += _of_report(content, file) if is_report else [_of_predictions(content, file)]
    roles = ("dataset", "algorithm", "fold", *(["run"] if rows and "run" in rows[0] else []))
    reading = {role: role for role in (*roles, "score")}
    measures = {row["measure"] for row in rows}
    if len(measures) == 1:
        reading["measure"] = measures.pop()
        is_error = reading["measure"] in (_ERROR, _SQUARED)
        reading["direction"] = "minimize" if is_error else "maximize"
    return Imported(given.from_rows(rows), reading)


def _of_predictions(content: str, file: Path) -> dict[str, Any]:
    """Return how well a file of expected and predicted outputs does."""
    header, data = (*re.split("(?i)@data", content, maxsplit=1), "")[:2]
    relation, output = (
        re.search(rf"(?i)@{word} +(.+)", header) for word in ("relation", "outputs?")
    )
    numbers = _RESULT.fullmatch(file.stem)
    pairs = [line.split() for line in data.splitlines() if line.strip()]
    if not (relation and output and numbers and pairs):
        raise DataError(f"{file.name} holds no predictions of KEEL, such as result0.tst does.")
    for number, pair in enumerate(pairs, start=1):
        if len(pair) != 2:
            raise DataError(
                f"{file.name}, row {number} must hold an expected and a predicted output; got "
                f"{shown(' '.join(pair))}."
            )
    if re.search(rf"(?i)@attribute +{re.escape(output[1].strip())} *\{{", header):
        measure = _ACCURACY
        values = [float(one.casefold() == other.casefold()) for one, other in pairs]
    else:
        measure = _SQUARED
        apart = [_number(one, file) - _number(other, file) for one, other in pairs]
        values = [one * one for one in apart]  # ** raises an error if the square is too large
    folder = file.resolve().parent
    dataset, ending = folder.name, f".{relation[1].strip()}"
    algorithm = folder.parent.name
    if dataset.endswith(ending):  # C4.5.iris
        algorithm, dataset = dataset.removesuffix(ending), ending[1:]
    row = {"dataset": dataset, "algorithm": algorithm, "fold": numbers[1], "measure": measure}
    return {**row, **({"run": numbers[2]} if numbers[2] else {}), "score": sum(values) / len(pairs)}


def _of_report(content: str, file: Path) -> Iterator[dict[str, Any]]:
    """Yield the scores of test folds in a report of algorithms, or of one on a data set."""
    measure = title = None
    for line in content.partition("TRAIN RESULTS")[0].splitlines():
        words = line.strip()
        measure = next((_OF_REPORTS[key] for key in _OF_REPORTS if key in words.lower()), measure)
        title = _TITLE.fullmatch(words) or title
        if words.startswith("Fold "):
            found = _FOLD.fullmatch(words)
            named = _MEASURES.get(found[2], found[2]) if found and found[2] else measure
            if not (found and title and named):
                raise DataError(f"{file.name}: {shown(words)} is no score of one output of KEEL.")
            of_algorithms = title[1] == "Algorithm"
            yield {
                "dataset": file.stem if of_algorithms else title[2],
                "algorithm": title[2]
                if of_algorithms
                else file.resolve().parent.name.removeprefix("TST"),
                "fold": found[1],
                "measure": named,
                "score": _number(found[3], file),
            }


def _number(word: str, file: Path) -> float:
    try:
        return float(word)
    except ValueError:
        raise DataError(f"{file.name} must hold numbers; got {shown(word)}.") from None
