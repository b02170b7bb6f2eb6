"""Results of lm-evaluation-harness: a JSON file per model, or several, in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nbcompare._validation import DataError, shown
from nbcompare.formats.given import Given, Imported, item, left_out, score

SIGN = r'\A\s*\{(?=[\s\S]*"results"\s*:\s*\{)(?=[\s\S]*"[\w@]+,[\w-]+"\s*:\s*[\d"N])'
_STDERR = "_stderr"
_MODEL = re.compile(r"(?:^|,)\s*(?:pretrained|model)=([^,]+)")


def read(given: Given) -> Imported:
    """Return a row per task, measure and filter of every model."""
    rows: list[dict[str, Any]] = []
    others = []
    for label, _, found in given.objects():
        if isinstance(found, dict) and isinstance(found.get("results"), dict):
            rows += (row | {"file": label} for row in _rows(found, label))
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
    table = given.from_rows(rows)
    return Imported(table, reading, left_out(others, "no results of lm-evaluation-harness"))


def _rows(found: dict[str, Any], where: str) -> Iterator[dict[str, Any]]:
    given = _of(found.get("config"), "model_args") or ""
    if isinstance(given, dict):
        given = ",".join(f"{name}={value}" for name, value in given.items())
    named = _MODEL.search(str(given))
    model = found.get("model_name") or (named and named[1])
    if not isinstance(model, str):
        raise DataError(
            f"{where} does not say which model it is of: neither 'model_name' nor 'pretrained' "
            "among the 'model_args' of 'config'."
        )
    for task in found["results"]:
        measures = item(found["results"], task, dict, where)
        told = f"{where}, task {shown(task)}"
        # since version 0.4 a name is "acc,none": the measure and how answers were filtered
        names = [name for name in measures if "," in name] or [
            name for name, value in measures.items() if not isinstance(value, str)
        ]
        for name in names:
            measure, comma, kind = name.partition(",")
            if measure.endswith(_STDERR):
                continue
            better = _of(_of(found.get("higher_is_better"), task), measure)
            yield {
                "task": task,
                "model": model,
                "measure": measure,
                "filter": kind or "none",
                "n_shot": _of(found.get("n-shot"), task),
                "level": "group" if _of(found.get("group_subtasks"), task) else "task",
                "score": score(measures[name], f"{told}, {shown(name)}"),
                "stderr": score(measures.get(f"{measure}{_STDERR}{comma}{kind}"), told),
                "model_args": str(given),
                "higher_is_better": better if isinstance(better, bool) else None,
            }


def _of(holder: object, name: str) -> Any:
    return holder.get(name) if isinstance(holder, dict) else None
