"""Results of lm-evaluation-harness: a JSON file per model, or several, in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nbcompare._validation import DataError, shown
from nbcompare.formats.given import Given, Imported, item, left_out, score

_STDERR = "_stderr"


def read(given: Given) -> Imported:
    """Return a row per task, measure and filter of every model."""
    rows: list[dict[str, Any]] = []
    others = []
    for label, _, found in given.objects():
        if isinstance(found, dict) and isinstance(found.get("results"), dict):
            rows += ({**row, "file": label} for row in _rows(found, label))
        else:
            others.append(label)
    reading: dict[str, Any] = {"dataset": "task", "algorithm": "model", "score": "score"}
    if len({row["level"] for row in rows}) > 1:
        reading["where"] = {"level": "task"}
    if len({row["measure"] for row in rows}) == 1:
        reading["measure"] = rows[0]["measure"]
    better = {row.pop("higher_is_better") for row in rows}
    if better in ({True}, {False}):
        reading["direction"] = "maximize" if True in better else "minimize"
    table = given.from_rows(rows, ("task", "model", "measure", "filter", "level", "file"))
    return Imported(table, reading, left_out(others, "no results of lm-evaluation-harness"))


def _rows(found: dict[str, Any], where: str) -> Iterator[dict[str, Any]]:
    model, arguments = _model(found.get("config"), found.get("model_name"), where)
    groups = found.get("group_subtasks", {})
    better = found.get("higher_is_better", {})
    shots = found.get("n-shot", {})
    for task, measures in item(found, "results", dict, where).items():
        item(found["results"], task, dict, where)
        # since version 0.4 a name is "acc,none": the measure and how answers were filtered
        names = [name for name in measures if "," in name] or [
            name for name, value in measures.items() if not isinstance(value, str)
        ]
        for name in names:
            measure, comma, kind = name.partition(",")
            if measure.endswith(_STDERR):
                continue
            told = f"{where}, task {shown(task)}"
            yield {
                "task": task,
                "model": model,
                "measure": measure,
                "filter": kind or "none",
                "n_shot": _of(shots, task),
                "level": "group" if _of(groups, task) else "task",
                "score": score(measures[name], f"{told}, {shown(name)}"),
                "stderr": score(measures.get(f"{measure}{_STDERR}{comma}{kind}"), told),
                "model_args": arguments,
                "higher_is_better": _of(_of(better, task), measure),
            }


def _model(config: object, name: object, where: str) -> tuple[str, str]:
    """Return the name of the model, and its arguments as text."""
    given = config.get("model_args") if isinstance(config, dict) else None
    if isinstance(given, dict):
        arguments = {key: str(value) for key, value in given.items()}
    else:
        pairs = (part.split("=", 1) for part in str(given or "").split(",") if "=" in part)
        arguments = {key.strip(): value for key, value in pairs}
    model = name or arguments.get("pretrained") or arguments.get("model")
    if not isinstance(model, str):
        raise DataError(
            f"{where} does not say which model it is of: neither 'model_name' nor 'pretrained' "
            "among the 'model_args' of 'config'."
        )
    return model, ",".join(f"{key}={value}" for key, value in arguments.items())


def _of(holder: object, name: str) -> Any:
    return holder.get(name) if isinstance(holder, dict) else None
