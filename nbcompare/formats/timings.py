"""Times of runs that hyperfine and pytest-benchmark write as JSON."""

from __future__ import annotations

from typing import Any

from nbcompare._validation import listed
from nbcompare.formats.given import Given, Imported, item, score

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
