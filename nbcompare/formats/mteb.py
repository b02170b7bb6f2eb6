"""Results of MTEB: a JSON file per task, in a folder per model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nbcompare._validation import shown
from nbcompare.formats.given import Given, Imported, item, left_out, score

SIGN = r'"mteb_version"\s*:'
_META = "model_meta.json"
# What a folder between that of the model and its tasks is called
_REVISION = re.compile(r"[0-9a-f]{40}|no_revision_available|external|\d+")


def read(given: Given) -> Imported:
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
