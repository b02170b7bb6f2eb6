"""Tables of programs that run experiments: ARFF, ASlib, Weka, KEEL, jMetal and trackers of runs.

The csv module reads the rows of ARFF. scipy refuses attributes of text, which ASlib has, and
liac-arff takes a time exponential in the number of declared values over a damaged declaration.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from nbcompare import _tables
from nbcompare._validation import DataError, listed, shown
from nbcompare.formats.given import Given, Imported, header, left_out

_RUNS, _DESCRIPTION = "algorithm_runs.arff", "description.txt"
_ASLIB = {
    "dataset": "instance_id",
    "algorithm": "algorithm",
    "run": "repetition",
    "status": "runstatus",
}
_WEKA = {"dataset": "Key_Dataset", "algorithm": "Key_Scheme", "run": "Key_Run", "fold": "Key_Fold"}
OF_ASLIB, OF_ANY = r"(?i)@attribute\s+['\"]?runstatus\b", r"(?i)@attribute\s"
OF_WEKA = rf"(?i)@attribute\s+['\"]?Key_Scheme\b|{header('Key_Dataset', 'Key_Scheme')}"
_OPTIONS, _NO_OPTIONS = "Key_Scheme_options", "no options"
_NO_MEASURES = ("Date_time", "Key_Scheme_version_ID")
_DIRECTIONS = {"true": "maximize", "false": "minimize"}
_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s+(\S+)", re.IGNORECASE)
_QUOTED = re.compile(r"(?:^|,)\s*'", re.MULTILINE)  # as Weka quotes cells


def read_arff(given: Given) -> Imported:
    """Return the table of a file of which only the attributes are known."""
    return Imported(given.from_columns(_attributes(given.content(), given.name)), {})


def read_aslib(given: Given) -> Imported:
    """Return the runs of a scenario: a folder, or its file of runs."""
    runs = given.path / _RUNS if given.path.is_dir() else given.path
    if not runs.exists():
        raise DataError(f"{given.name} is no scenario of ASlib: it holds no {_RUNS}.")
    columns = _attributes(given.content(runs), runs.name)
    there = {name.casefold(): name for name in columns}
    _refuse_without(list(_ASLIB.values()), there, runs.name)
    reading: dict[str, Any] = {role: there[name] for role, name in _ASLIB.items()}
    reading["ok"] = ["ok"]
    about = runs.with_name(_DESCRIPTION)
    said = given.content(about) if about.exists() else ""
    others = [name for name in there if name not in _ASLIB.values()]
    measures = [word.casefold() for word in _words("performance_measures", said)] or others
    if len(measures) == 1 and measures[0] in there:
        reading["score"] = reading["measure"] = there[measures[0]]
        better = " ".join(_words("maximize", said)).casefold()
        if better in _DIRECTIONS:
            reading["direction"] = _DIRECTIONS[better]
        cutoff = re.fullmatch(r"\d+\.?\d*", " ".join(_words("algorithm_cutoff_time", said)))
        if cutoff and _words("performance_type", said) == ["runtime"]:
            reading["cutoff"] = float(cutoff[0])
    return Imported(given.from_columns(columns), reading)


def _words(name: str, said: str) -> list[str]:
    """Return the words behind a name in a description: on its line, or in a list below it."""
    found = re.search(rf"^{name}[ \t]*:(.*(?:\n[ \t]*-.*)*)", said, re.MULTILINE)
    return re.findall(r"[^\s,'\"\[\]-][^\s,'\"\[\]]*", found[1]) if found else []


def read_weka(given: Given) -> Imported:
    """Return results of the Experimenter, in ARFF or CSV."""
    content = given.content()
    if given.path.suffix.lower() == ".arff":
        columns = _attributes(content, given.name)
    elif _QUOTED.search(content):
        head, *lines = content.splitlines()
        columns = _columns(_tables.check_header(head.split(","), given.name), lines, given.name)
    else:
        table = _tables.read(given.path, text=given.text)
        columns = {name: list(table[name]) for name in table.columns}
    _refuse_without([_WEKA["dataset"], _WEKA["algorithm"]], columns, given.name)
    reading: dict[str, Any] = {role: name for role, name in _WEKA.items() if name in columns}
    schemes = columns[_WEKA["algorithm"]]
    if _OPTIONS in columns:
        columns[_OPTIONS] = [
            _NO_OPTIONS if _tables.is_blank(cell) else cell for cell in columns[_OPTIONS]
        ]
        if len({*zip(schemes, columns[_OPTIONS], strict=True)}) > len({*schemes}):
            reading["algorithm"] = [_WEKA["algorithm"], _OPTIONS]
    reading["ignore"] = [name for name in _NO_MEASURES if name in columns]
    measures = [name for name in columns if name[:4] != "Key_" and name not in _NO_MEASURES]
    if len(measures) == 1:
        reading["score"] = measures[0]
    return Imported(given.from_columns(columns), reading)


def _attributes(content: str, source: str) -> dict[str, Sequence[Any]]:
    """Return the columns of an ARFF file."""
    lines = content.splitlines()
    start = next((i for i, line in enumerate(lines) if line.strip().lower() == "@data"), None)
    declared = [_ATTRIBUTE.match(line.strip()) for line in lines[:start]]
    names = _tables.check_header([one[1].strip("'\"") for one in declared if one], source)
    if start is None or not names:
        raise DataError(f"{source} is no readable ARFF file: it has no @attribute or no @data.")
    return _columns(names, lines[start + 1 :], source)


def _columns(names: list[str], lines: list[str], source: str) -> dict[str, Sequence[Any]]:
    """Return cells in quotation marks of either kind, by column."""
    mark = "'" if any(map(_QUOTED.search, lines)) else '"'
    filled = [line for line in lines if line.strip()[:1] not in ("", "%")]
    rows: list[list[str | None]] = []
    _tables.check_cells(len(filled) * len(names), source)
    try:
        for row in csv.reader(
            filled, quotechar=mark, escapechar="\\", strict=True, skipinitialspace=True
        ):
            if len(row) != len(names):
                raise csv.Error(f"{len(row)} cells for {len(names)} columns")
            rows.append([None if cell.strip() == "?" else cell.strip() for cell in row])
    except csv.Error as error:
        raise DataError(f"{source}, row {len(rows) + 1} cannot be read: {error}.") from None
    return dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))


def _refuse_without(needed: list[str], there: Collection[str], source: str) -> None:
    missing = [name for name in needed if name not in there]
    if missing:
        raise DataError(f"{source} must have {listed(missing)} among its columns.")


# ------------------------------ The summary of OpenCompass: a row per data set, a column per model

_OF_OPENCOMPASS = ("dataset", "version", "metric", "mode")
OPENCOMPASS = header(*_OF_OPENCOMPASS)
_NOTHING = "-"  # in the cells of titles, and where a group of data sets has no version


def read_opencompass(given: Given) -> Imported:
    """Return the scores of data sets; titles and averages of groups are left out."""
    table = _tables.read(given.path, text=given.text)
    names = table.labels("dataset")
    kept = [row for row in range(table.n_rows) if table.cell_of("version", row) != _NOTHING]
    groups = [names[row] for row in sorted({*range(table.n_rows)} - {*kept})]
    columns = {name: [table.cell_of(name, row) for row in kept] for name in table.columns}
    reading = {"dataset": "dataset", "ignore": _OF_OPENCOMPASS[1:]}
    notes = left_out(groups, "titles and averages")
    return Imported(given.from_columns(columns), reading, notes)


# -------- Results of KEEL: predictions of each fold, reports of its modules, and tables of scores

PREDICTIONS, REPORT = ".tst", ".stat"
KEEL = r"(?i)@outputs?\s|error in each fold|\ATEST RESULTS\s"
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


def read_keel(given: Given) -> Imported:
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
                raise DataError(
                    f"{file.name}: {shown(words)} is not a score of one output of KEEL."
                )
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


# ----------- Tables of runs that jMetal, W&B, MLflow and Optuna write, with the state of each run

_OF_JMETAL = {"dataset": "Problem", "algorithm": "Algorithm", "run": "ExecutionId"}
_INDICATOR, _VALUE = "IndicatorName", "IndicatorValue"
# As the classes of jMetal say it; NHV is the share of the hypervolume that is missing
_LOWER_IS_BETTER = ("EP", "GD", "IGD", "IGD+", "SPREAD", "GSPREAD", "NHV")
_BETTER = {"HV": "maximize"} | dict.fromkeys(_LOWER_IS_BETTER, "minimize")
JMETAL = header(*_OF_JMETAL.values(), _INDICATOR, _VALUE)
WANDB = header("Name", "State", "User", "Created", "Runtime")
MLFLOW = header("run_id", "experiment_id", "status", "artifact_uri")
OPTUNA = header("number", "datetime_start", "datetime_complete", "state")
# Ids, times and persons
_OF_WANDB = r"ID|Notes|User|Tags|Created|Updated|End Time|Hostname|Commit|GitHub"
_OF_MLFLOW = (
    r"run_id|experiment_id|artifact_uri|(start|end)_time|tags\.mlflow\.(?!runName).*"
    r"|Run ID|Start Time|Duration|User|Source (Type|Name)|Version"
)
_OF_OPTUNA = r"number|datetime_(start|complete)|duration|system_attrs_.+"


def read_jmetal(given: Given) -> Imported:
    """Return the indicators of a study."""
    table = _tables.read(given.path, text=given.text)
    missing = [
        name for name in (*_OF_JMETAL.values(), _INDICATOR, _VALUE) if name not in table.columns
    ]
    if missing:
        raise DataError(f"{given.name} is no summary of jMetal: it has no {listed(missing)}.")
    reading = {**_OF_JMETAL, "score": _VALUE}
    indicators = {*table.labels(_INDICATOR)}
    better = {_BETTER.get(name, "") for name in indicators}
    if len(better) == 1 and "" not in better:
        reading["direction"] = better.pop()
    if len(indicators) == 1:
        reading["measure"] = indicators.pop()
    return Imported(table, reading)


def read_wandb(given: Given) -> Imported:
    """Return an exported table of Weights & Biases."""
    return _runs(given, ("State",), "finished", _OF_WANDB)


def read_mlflow(given: Given) -> Imported:
    """Return what ``search_runs`` of MLflow finds, or a page of it shows."""
    return _runs(given, ("status", "Status"), "FINISHED", _OF_MLFLOW, r"metrics\..+")


def read_optuna(given: Given) -> Imported:
    """Return the dataframe of trials of Optuna."""
    return _runs(given, ("state",), "COMPLETE", _OF_OPTUNA, r"values?(_.+)?")


def _runs(
    given: Given, states: tuple[str, ...], done: str, others: str, score: str = ""
) -> Imported:
    """Return runs with their states; of scores, the only one is named."""
    table = _tables.read(given.path, text=given.text)
    state = next((name for name in states if name in table.columns), None)
    if state is None:
        raise DataError(f"{given.name} must have a column {listed(states)} of states.")
    ignored = [name for name in table.columns if re.fullmatch(others, name)]
    reading: dict[str, Any] = {"status": state, "ok": [done], "ignore": ignored}
    scores = [name for name in table.columns if name and re.fullmatch(score, name)]
    if len(scores) == 1:
        reading["score"] = scores[0]
    return Imported(table, reading)
