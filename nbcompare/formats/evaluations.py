"""JSON of programs that evaluate: lm-evaluation-harness, MTEB, hyperfine, pytest-benchmark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbcompare._tables import parsed_json
from nbcompare._validation import DataError, listed, shown
from nbcompare.formats.given import Given, Imported, item, left_out, score

LM_EVAL = r'\A\s*\{(?=[\s\S]*"results"\s*:\s*\{)(?=[\s\S]*"[\w@]+,[\w-]+"\s*:\s*[\d"N])'
_STDERR = "_stderr"
_MODEL = re.compile(r"(?:^|,)\s*(?:pretrained|model)=([^,]+)")


def read_lm_eval(given: Given) -> Imported:
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

# What follows the document is behind the first kilobytes where prompts are long
SAMPLES = r'\A\s*\{\s*"doc_id"\s*:\s*\d+\s*,\s*"doc"\s*:'
_SAMPLE_FILE = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl")
# What a sample has beside its measures, all of which are numbers
_NO_MEASURES = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter")
_LONGEST_LABEL = 100  # characters of what a document says of itself


def read_samples(given: Given) -> Imported:
    """Return a row per question, measure and filter of every model, from ``--log_samples``."""
    rows: list[dict[str, Any]] = []
    logs: dict[tuple[str, str], str] = {}
    models: dict[Path, str] = {}
    asked: dict[tuple[str, str], object] = {}  # digests of questions
    no_numbers: dict[str, None] = {}
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
        for at, sample in given.lines(file):
            if "doc_id" not in sample:
                raise DataError(f"{at} must have 'doc_id'.")
            question = str(sample["doc_id"])
            digest = sample.get("doc_hash")
            if digest != asked.setdefault((task, question), digest):
                raise DataError(
                    f"{at}: question {question} of task {shown(task)} is another one than in the "
                    "logs of other models, so that they were not asked the same questions."
                )
            about = {"task": task, "model": model, "doc_id": question}
            rows += _scores_of(sample, about, no_numbers)
    reading: dict[str, Any] = {
        "dataset": "task",
        "algorithm": "model",
        "item": "doc_id",
        "score": "score",
    }
    described = {name for row in rows for name in row if name.startswith("doc.")}
    notes = left_out(no_numbers, "no numbers")
    return Imported(given.from_rows(rows), {**reading, "ignore": sorted(described)}, notes)


def _model_of(given: Given, folder: Path) -> str:
    """Return the model of the logs in a folder: the results there name it, else the folder."""
    for beside in sorted(folder.glob("results_*.json")):
        name = _of(parsed_json(given.content(beside), beside.name), "model_name")
        if isinstance(name, str):
            return name
    return folder.resolve().name


def _scores_of(
    sample: dict[str, Any], known: dict[str, str], no_numbers: dict[str, None]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each measure of a question; ``no_numbers`` collects the others."""
    names = sample.get("metrics")
    if not isinstance(names, list):
        names = [name for name, it in sample.items() if isinstance(it, int | float)]
    document = sample.get("doc")
    about = {
        f"doc.{name}": it
        for name, it in (document.items() if isinstance(document, dict) else ())
        if isinstance(it, int | str) and len(str(it)) <= _LONGEST_LABEL
    }
    for name in map(str, names):
        value = sample.get(name)
        if isinstance(value, list | dict | str):
            no_numbers[name] = None
        elif name not in _NO_MEASURES:
            yield {
                **known,
                "measure": name,
                "filter": str(sample.get("filter") or "none"),
                "score": int(value) if isinstance(value, bool) else value,
                **about,
            }


# ----------------------------------- Results of MTEB: a JSON file per task, in a folder per model

MTEB = r'"mteb_version"\s*:'
_META = "model_meta.json"
# What a folder between that of the model and its tasks is called
_REVISION = re.compile(r"[0-9a-f]{40}|no_revision_available|external|\d+")


def read_mteb(given: Given) -> Imported:
    """Return the main score of every task, split and subset."""
    found = list(given.objects())
    metas = {file.parent: one for _, file, one in found if file.name == _META}
    rows: list[dict[str, Any]] = []
    others, without = [], []
    for label, file, result in found:
        if file.name == _META:
            continue
        if not isinstance(result, dict) or "mteb_version" not in result:
            others.append(label)
            continue
        old = "task_name" not in result
        folder = file.resolve().parent
        revision = folder.name if _REVISION.fullmatch(folder.name) else ""
        model = (folder.parent if revision else folder).name
        if file.parent in metas:
            model = item(metas[file.parent], "name", str, f"{label}, {_META} beside it")
        task = item(result, "mteb_dataset_name" if old else "task_name", str, label)
        splits = result if old else item(result, "scores", dict, label)
        for split, subset, scores in _scores(splits, old, label):
            where = f"{label}, split {shown(split)}"
            if "main_score" not in scores:
                without.append(where)
                continue
            rows.append(
                {
                    "task": task,
                    "model": model,
                    "revision": revision or "none",
                    "split": split,
                    "subset": subset,
                    "score": score(scores["main_score"], f"{where}, 'main_score'"),
                    "file": label,
                }
            )
    table = given.from_rows(rows)
    reading = {"dataset": "task", "algorithm": "model", "score": "score"}
    notes = left_out(others, "no results of MTEB") + left_out(without, "without a main score")
    return Imported(table, {**reading, "direction": "maximize", "measure": "main score"}, notes)


def _scores(
    splits: dict[str, Any], old: bool, where: str
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield split, subset and scores; until version 1.11 subsets were objects in an object."""
    for split, parts in splits.items():
        if not old:
            for part in item(splits, split, list, where):
                yield split, item(part, "hf_subset", str, where), part
        elif isinstance(parts, dict):
            inside = {name: one for name, one in parts.items() if isinstance(one, dict)}
            named = inside if inside and "main_score" not in parts else {"default": parts}
            yield from ((split, subset, one) for subset, one in named.items())


# -------------------------------- Times of runs that hyperfine and pytest-benchmark write as JSON

HYPERFINE = r'\A\s*\{\s*"results"\s*:\s*\[\s*\{\s*"command"\s*:'
PYTEST = r'\A\s*\{\s*"(machine_info"\s*:\s*\{|benchmarks"\s*:\s*\[\s*\{)'
_TIME = {"score": "time", "run": "run", "direction": "minimize", "measure": "time (s)"}


def read_hyperfine(given: Given) -> Imported:
    """Return a row per run of each command; a file is a data set unless commands have parameters.

    A run that did not return 0 failed.
    """
    rows: list[dict[str, Any]] = []
    for label, _, found in given.objects():
        for result in item(found, "results", list, label):
            command = item(result, "command", str, label)
            codes = result.get("exit_codes") or []
            parameters = result.get("parameters") or {}
            for run, time in enumerate(item(result, "times", list, f"{label}, {command}"), start=1):
                row = {"file": label, "command": command, "run": run}
                if codes:
                    code = codes[run - 1] if isinstance(codes, list) and run <= len(codes) else None
                    row["exit_code"] = "killed" if code is None else str(code)
                row["time"] = score(time, f"{label}, {command}, run {run}")
                rows.append(row | {f"parameter {name}": parameters[name] for name in parameters})
    reading: dict[str, Any] = {"algorithm": "command", **_TIME}
    if any("exit_code" in row for row in rows):
        reading |= {"status": "exit_code", "ok": ["0"]}
    parameters = {name for row in rows for name in row if name.startswith("parameter ")}
    if not parameters:
        reading["dataset"] = "file"
    return Imported(given.from_rows(rows), reading)


def read_pytest(given: Given) -> Imported:
    """Return a row per round of each benchmark, or the mean where rounds were not saved.

    A group holds what is to be compared: it is a data set, if every benchmark has one.
    """
    rows: list[dict[str, Any]] = []
    means = []
    for label, _, found in given.objects():
        for result in item(found, "benchmarks", list, label):
            name = item(result, "name", str, label)
            where = f"{label}, {name}"
            stats = item(result, "stats", dict, where)
            known = {"file": label, "name": name, "function": name.partition("[")[0]}
            if result.get("group") is not None:
                known["group"] = item(result, "group", str, where)
            if isinstance(result.get("params"), dict):
                known |= {f"param {key}": value for key, value in result["params"].items()}
            if stats.get("data") is None:
                means.append(name)
                stats = {"data": [stats.get("mean")]}
            for run, time in enumerate(item(stats, "data", list, where), start=1):
                rows.append({**known, "run": run, "time": score(time, f"{where}, run {run}")})
    reading: dict[str, Any] = dict(_TIME)
    if all("group" in row for row in rows):
        reading["dataset"] = "group"
    if all(row["name"] == row["function"] for row in rows):  # without parameters
        reading["algorithm"] = "function"
    told = "Single rounds were not saved, so the mean of each benchmark was read"
    notes = (("means", f"{told}: {listed(means)}."),) if means else ()
    return Imported(given.from_rows(rows), reading, notes)
