"""Results of lm-evaluation-harness, a JSON file per model, and its logs of single answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbcompare._tables import parsed_json
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


# --------------------------------------------------------------------- a row per question

SAMPLES = r'\A\s*\{(?=[^\n]*"doc_id"\s*:)(?=[^\n]*"(filtered_)?resps"\s*:)'
_SAMPLE_FILE = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl")
# What a sample has beside its measures, all of which are numbers
_NO_MEASURES = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter")
_LONGEST_LABEL = 100  # characters of what a document says of itself


def read_samples(given: Given) -> Imported:
    """Return a row per question, measure and filter of every model, from ``--log_samples``."""
    rows: list[dict[str, Any]] = []
    logs: dict[tuple[str, str], str] = {}
    models: dict[Path, str] = {}
    for file in given.files("samples_*.jsonl"):
        named = _SAMPLE_FILE.fullmatch(file.name)
        if named is None:
            raise DataError(
                f"{given.label_of(file)} must be called samples_TASK_TIME.jsonl, as "
                "lm_eval --log_samples calls it, so that the task is known."
            )
        if file.parent not in models:
            models[file.parent] = _model_of(given, file.parent)
        task, model = named["task"], models[file.parent]
        before = logs.setdefault((task, model), file.name)
        if before != file.name:
            raise DataError(
                f"{given.name} holds two logs of task {shown(task)} by {shown(model)}: {before} "
                f"and {file.name}. Take one of them out."
            )
        rows += _samples(given, file, task, model)
    reading: dict[str, Any] = {
        "dataset": "task",
        "algorithm": "model",
        "item": "doc_id",
        "score": "score",
    }
    if len({row["measure"] for row in rows}) == 1:
        reading["measure"] = rows[0]["measure"]
    described = {name for row in rows for name in row if name.startswith("doc.")}
    return Imported(given.from_rows(rows), {**reading, "ignore": sorted(described)})


def _model_of(given: Given, folder: Path) -> str:
    """Return the model of the logs in a folder: the results there name it, else the folder."""
    for beside in sorted(folder.glob("results_*.json")):
        name = _of(parsed_json(given.content(beside), beside.name), "model_name")
        if isinstance(name, str):
            return name
    return folder.resolve().name


def _samples(given: Given, file: Path, task: str, model: str) -> Iterator[dict[str, Any]]:
    where = given.label_of(file)
    for number, line in enumerate(given.content(file).splitlines(), start=1):
        if not line.strip():
            continue
        at = f"{where}, line {number}"
        sample = parsed_json(line, at)
        if not isinstance(sample, dict) or "doc_id" not in sample:
            raise DataError(f"{at} must be an object with 'doc_id'.")
        names = sample.get("metrics")
        if not isinstance(names, list):
            names = [name for name, it in sample.items() if isinstance(it, int | float)]
        document = sample.get("doc")
        about = {
            f"doc.{name}": it
            for name, it in (document.items() if isinstance(document, dict) else ())
            if isinstance(it, int | str) and len(str(it)) <= _LONGEST_LABEL
        }
        for name in names:
            if name not in _NO_MEASURES:
                yield {
                    "task": task,
                    "model": model,
                    "doc_id": str(sample["doc_id"]),
                    "measure": str(name),
                    "filter": str(sample.get("filter") or "none"),
                    "score": score(sample.get(str(name)), f"{at}, {shown(name)}"),
                    **about,
                }
