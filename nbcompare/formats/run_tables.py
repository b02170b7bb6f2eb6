"""Tables of runs that jMetal, W&B, MLflow and Optuna write, with the state of each run."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from nbcompare import _tables
from nbcompare._validation import DataError, listed
from nbcompare.formats.given import Given, Imported

_JMETAL = {
    "dataset": "Problem",
    "algorithm": "Algorithm",
    "run": "ExecutionId",
    "score": "IndicatorValue",
}
_INDICATOR = "IndicatorName"
# As the classes of jMetal say it; NHV is the share of the hypervolume that is missing
_BETTER = {"HV": "maximize"} | dict.fromkeys(
    ("EP", "GD", "IGD", "IGD+", "SPREAD", "GSPREAD", "NHV"), "minimize"
)


class Tracker(NamedTuple):
    """What a program that keeps runs calls its columns."""

    states: tuple[str, ...]  # the first that is there
    done: str
    no_scores: re.Pattern[str]  # ids, times and persons
    scores: re.Pattern[str]


WANDB = Tracker(
    ("State",),
    "finished",
    re.compile(r"ID|Notes|User|Tags|Created|Updated|End Time|Hostname|Commit|GitHub"),
    re.compile(r"(?!)"),
)
MLFLOW = Tracker(
    ("status", "Status"),
    "FINISHED",
    re.compile(
        r"run_id|experiment_id|artifact_uri|(start|end)_time|tags\.mlflow\.(?!runName).*"
        r"|Run ID|Start Time|Duration|User|Source (Type|Name)|Version"
    ),
    re.compile(r"metrics\..+"),
)
OPTUNA = Tracker(
    ("state",),
    "COMPLETE",
    re.compile(r"number|datetime_(start|complete)|duration|system_attrs_.+"),
    re.compile(r"values?(_.+)?"),
)


def of_tracker(tracker: Tracker) -> Callable[[Given], Imported]:
    """Return the reader of the tables of a program."""

    def read(given: Given) -> Imported:
        labels = {*given.labels, *tracker.states}
        table = _tables.read(given.path, labels=labels, text=given.text)
        state = next((name for name in tracker.states if name in table.columns), None)
        if state is None:
            raise DataError(f"{given.name} must have a column {listed(tracker.states)} of states.")
        reading: dict[str, Any] = {"status": state, "ok": [tracker.done]}
        reading["ignore"] = [name for name in table.columns if tracker.no_scores.fullmatch(name)]
        scores = [name for name in table.columns if tracker.scores.fullmatch(name)]
        if len(scores) == 1:
            reading["score"] = scores[0]
        return Imported(table, reading)

    return read


def read_jmetal(given: Given) -> Imported:
    """Return the indicators of a study of jMetal."""
    labels = {*given.labels, _INDICATOR, "Problem", "Algorithm", "ExecutionId"}
    table = _tables.read(given.path, labels=labels, text=given.text)
    missing = [name for name in (*_JMETAL.values(), _INDICATOR) if name not in table.columns]
    if missing:
        raise DataError(f"{given.name} is no summary of jMetal: it has no {listed(missing)}.")
    reading = dict(_JMETAL)
    indicators = {*table.labels(_INDICATOR)}
    better = {_BETTER.get(name) for name in indicators}
    if len(better) == 1 and (one := better.pop()):
        reading["direction"] = one
    if len(indicators) == 1:
        reading["measure"] = indicators.pop()
    return Imported(table, reading)
