"""Tables of runs that jMetal, W&B, MLflow and Optuna write, with the state of each run."""

from __future__ import annotations

import re
from typing import Any

from nbcompare import _tables
from nbcompare._validation import DataError, listed
from nbcompare.formats.given import Given, Imported, header

_ROLES = {"dataset": "Problem", "algorithm": "Algorithm", "run": "ExecutionId"}
_INDICATOR, _VALUE = "IndicatorName", "IndicatorValue"
# As the classes of jMetal say it; NHV is the share of the hypervolume that is missing
_LOWER_IS_BETTER = ("EP", "GD", "IGD", "IGD+", "SPREAD", "GSPREAD", "NHV")
_BETTER = {"HV": "maximize"} | dict.fromkeys(_LOWER_IS_BETTER, "minimize")
JMETAL = header(*_ROLES.values(), _INDICATOR, _VALUE)
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
    missing = [name for name in (*_ROLES.values(), _INDICATOR, _VALUE) if name not in table.columns]
    if missing:
        raise DataError(f"{given.name} is no summary of jMetal: it has no {listed(missing)}.")
    reading = {**_ROLES, "score": _VALUE}
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
