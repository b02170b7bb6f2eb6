"""Answers of models: programs that HumanEval and EvalPlus ran, and what MT-bench graded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import Any

from nbcompare._tables import parsed_json
from nbcompare.formats.given import Given, Imported, item, score

PROGRAMS = (
    r'\A\s*\{(?=[^\n]*"task_id"\s*:)(?=[^\n]*"passed"\s*:\s*(true|false))'
    r'|\A\s*\{(?=[\s\S]*"eval"\s*:\s*\{)(?=[\s\S]*"base_status"\s*:)'
)
GRADES = r'\A\s*\{(?=[^\n]*"question_id"\s*:)(?=[^\n]*"model"\s*:)(?=[^\n]*"judge"\s*:)'
_KS = (1, 10, 100)  # of pass@k, as HumanEval prints it
_ENDINGS = ("_results", "eval", ".jsonl", "_")


def read_programs(given: Given) -> Imported:
    """Return pass@k of each task and model: the probability that one of k programs passes.

    Of n programs, of which c pass, it is 1 - C(n - c, k) / C(n, k).
    """
    passed: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for file in given.files("*_results.json*"):
        model = file.stem
        for ending in _ENDINGS:
            model = model.removesuffix(ending)
        for task, tests, passes in _programs(given, file):
            passed[task, model or file.resolve().parent.name, tests].append(passes)
    fewest = min(map(len, passed.values()), default=0)
    rows = [
        {
            "task": task,
            "model": model,
            "measure": f"pass@{k}{tests}",
            "score": 1 - comb(len(found) - sum(found), k) / comb(len(found), k),
        }
        for (task, model, tests), found in passed.items()
        for k in _KS
        if k <= fewest
    ]
    return _of_models(given, rows, item="task")


def _programs(given: Given, file: Path) -> Iterator[tuple[str, str, bool]]:
    """Yield of each program its task, by which tests it was run, and whether it passed."""
    label, content = given.label_of(file), given.content(file)
    if file.suffix == ".json":
        for task, programs in item(parsed_json(content, label), "eval", dict, label).items():
            for number, one in enumerate(programs, start=1):
                at = f"{label}, {task}, program {number}"
                passes = item(one, "base_status", str, at) == "pass"
                yield task, " of base tests", passes
                if one.get("plus_status") is not None:
                    yield task, " of all tests", passes and one["plus_status"] == "pass"
        return
    for at, found in given.lines(file):
        yield item(found, "task_id", str, at), "", item(found, "passed", bool, at)


def read_grades(given: Given) -> Imported:
    """Return the grade of each answer in a dialogue."""
    rows = []
    for at, found in given.lines(given.path):
        grade = score(found.get("score"), at)
        question = str(found.get("question_id"))
        row = {"question": question, "turn": found.get("turn", 1), "dialogue": question}
        # the judge gave none where it is -1
        row |= {"model": item(found, "model", str, at), "score": None if grade == -1 else grade}
        rows.append(row)
    return _of_models(given, rows, item=["question", "turn"], cluster="dialogue", measure="grade")


def _of_models(given: Given, rows: list[dict[str, Any]], **known: Any) -> Imported:
    reading = {"algorithm": "model", "score": "score", "direction": "maximize", **known}
    return Imported(given.from_rows(rows), reading)
