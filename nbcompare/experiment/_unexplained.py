"""Columns that change among scores to be compared or averaged, and what may be done about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._tables.doubt import Way
from nbcompare._validation import listed
from nbcompare.experiment._columns import Columns
from nbcompare.experiment._facts import are_numbered
from nbcompare.experiment._roles import called

_MOST_PARTS = 4  # of data that are split, such as those to train and to test with
_FEW_LABELS = 3  # of which each is offered as a filter


def refuse(columns: Columns, names: Sequence[str], score: str | None = None) -> NoReturn:
    """Refuse columns that are not accounted for; ``score`` is the one that holds scores, if any."""
    facts, keys, name = columns.facts, columns.keys, names[0]
    is_key = bool(keys) and facts.is_key(keys)
    status = [each for each in names if score is not None and _is_status(columns, each, score)]
    seems = {}
    for each in names:
        count = len(facts.labels(each))
        if each in status:
            seems[each] = "a status: what differs from the most frequent has extreme or no scores"
        elif not is_key and facts.is_key([*keys, each]):
            seems[each] = f"{count} labels, which tell apart rows of one algorithm on one data set"
        else:
            seems[each] = f"{count} labels that change among scores to be compared"
    remedy = ""
    if name in status and "" in facts.codes(name)[1]:
        remedy = "If it says which runs failed, fill its empty cells, as with ok, for status=."
    elif not facts.is_numeric(name) and not is_key and len(facts.labels(name)) <= 6:
        remedy = f"If {name!r} names what was measured, read_measures takes each measure by itself."
    does = "do" if len(names) > 1 else "does"
    raise columns.doubt(
        f"column{'s' if len(names) > 1 else ''} {listed(names)} must be settled, for "
        f"{'they' if len(names) > 1 else 'it'} {does} not only describe data sets, algorithms or "
        "repetitions.",
        _ways(columns, name, score, is_status=name in status),
        remedy,
        seems,
    )


def _usual(columns: Columns, name: str) -> tuple[str, BoolArray]:
    """Return the most frequent label of a column, and the rows that have it."""
    codes, labels = columns.facts.codes(name)
    most = int(np.bincount(codes).argmax())
    return labels[most], codes == most


def _is_status(columns: Columns, name: str, score: str) -> bool:
    """Tell whether most rows have one label, and the others extreme scores or none."""
    usual, values = _usual(columns, name)[1], columns.numbers(score)
    there = values[usual & ~np.isnan(values)]
    if 2 * usual.sum() <= len(usual) or usual.all() or not there.size:
        return False
    low, high = np.quantile(there, [0.02, 0.98])
    other = values[~usual]
    extreme = np.isnan(other) | (other <= low) | (other >= high)
    return bool(extreme.mean() >= 0.5) and columns.facts.is_key(columns.keys)


def _ways(columns: Columns, name: str, score: str | None, *, is_status: bool) -> list[Way]:
    """Return what may be done about a column that changes among scores, the likeliest first."""
    facts, roles, labels = columns.facts, columns.roles, columns.facts.labels(name)
    usual, are_usual = _usual(columns, name)
    statuses: list[Way] = []
    may_be_status = usual and 2 * are_usual.sum() > len(are_usual) and "status" not in roles
    if score is not None and may_be_status:
        base, values = {"status": name, "ok": [usual]}, columns.numbers(score)
        statuses = [{**base, "failed": word} for word in ("worst", "missing", "drop")]
        most = float(np.nanmax(values, initial=-np.inf))
        if int((values == most).sum()) > 1:
            statuses.insert(1, {**base, "failed": "par10", "cutoff": most})
    if is_status and (statuses or "status" not in roles):
        has_scores = not np.isnan(columns.numbers(str(score))[~are_usual]).all()
        return statuses if has_scores or statuses else [{"ignore": [name]}]
    chosen = dict.fromkeys([*filter(None, [usual]), *labels[:_FEW_LABELS]])
    filters: list[Way] = [{"where": {name: label}} for label in chosen]
    ways: list[Way] = []
    if "dataset" not in roles and not facts.is_numeric(name):
        ways.append({"dataset": name})
    if columns.keys and facts.is_key(columns.keys):
        return [*ways, *statuses, *filters, {"ignore": [name]}]
    # parts of the data are few, and have names
    if are_numbered(labels) or len(labels) > _MOST_PARTS:
        lacking = [role for role in ("run", "fold") if role not in roles]
        ways += [{r: name} for r in lacking if are_numbered(labels) or called(r, [name])]
    ways += filters
    if "algorithm" in roles:
        ways.append({"algorithm": [*roles["algorithm"], name]})
    if facts.is_numeric(name) and not facts.is_whole(name):
        ways.append({"ignore": [name]})
    return ways
