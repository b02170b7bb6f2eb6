"""Verdicts of judges on two answers to a question, as arenas, MT-bench and AlpacaEval keep them.

What a verdict gives one of two models it takes from the other: each gets a share, a half for a tie.
Shares compare two models. Of more, each pair is compared by itself, since a share says nothing of
models that the judge did not see.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

from nbcompare import _tables
from nbcompare._render import plural
from nbcompare._validation import DataError, listed, shown
from nbcompare.formats.given import Given, Imported, header


class _Kind(NamedTuple):
    """Columns of a program: two models, verdicts on them, and what says nothing of the question."""

    models: tuple[str, str]
    verdicts: tuple[str, ...]
    others: tuple[str, ...]


_COSTS = ("time_per_example", "price_per_example")
_KINDS = (
    _Kind(("model_a", "model_b"), ("winner",), ("tstamp", "conversation_a", "conversation_b")),
    _Kind(
        ("model_1", "model_2"),
        ("g1_winner", "g2_winner"),  # the answers in either order
        ("tstamp", "judge", "g1_user_prompt", "g1_judgment", "g2_user_prompt", "g2_judgment"),
    ),
    _Kind(
        ("generator_1", "generator_2"),
        ("preference",),
        # the win rate is over all instructions, whichever data set they come from
        ("dataset", "datasplit", "output_1", "output_2", "raw_completion", *_COSTS),
    ),
)
SIGN = (
    rf"{header('model_a', 'model_b', 'winner')}"
    r'|\A\s*(\[\s*)?\{(?=[\s\S]*"(model_a|model_1|generator_1)"\s*:)'
    r'(?=[\s\S]*"(model_b|model_2|generator_2)"\s*:)'
)
_QUESTIONS = ("question_id", "instruction")
_MEASURE = "share of verdicts won"
_TIE, _NONE = "tie", ("", "error", "none", "nan")


def read(given: Given) -> Imported:
    """Return a row per verdict for each of its models."""
    table = _tables.read(given.path, text=given.text)
    kind = next((it for it in _KINDS if {*it.models, *it.verdicts} <= {*table.columns}), None)
    if kind is None:
        needed = [", ".join((*it.models, *it.verdicts)) for it in _KINDS]
        raise DataError(f"{given.name} must have the columns {' or '.join(needed)}.")
    others = {*kind.models, *kind.verdicts, *kind.others}
    kept = {name: table[name] for name in table.columns if name not in others}
    pairs = list(zip(*map(table.labels, kind.models), strict=True))
    rows: list[dict[str, Any]] = []
    for number, pair in enumerate(pairs):
        about = {name: cells[number] for name, cells in kept.items()}
        about["pair"] = " / ".join(sorted(pair))
        # a row for each order, or a column
        for order, name in enumerate(kind.verdicts, start=1 + (pair[0] > pair[1])):
            at = f"{given.name}, row {number + 1}, column {name!r}"
            won = _share(table.cell_of(name, number), kind.models, pair, at)
            for model, share in zip(pair, (won, None if won is None else 1 - won), strict=True):
                rows.append({**about, "model": model, "order": order, "share": share})
    reading: dict[str, Any] = {"algorithm": "model", "score": "share", "direction": "maximize"}
    question = next((name for name in _QUESTIONS if name in kept), None)
    if question is not None:
        reading["item"] = question
        if "turn" in kept:
            reading |= {"item": [question, "turn"], "cluster": "dialogue"}
            rows = [{**row, "dialogue": row[question]} for row in rows]
        asked = {(row[question], row.get("turn"), row["pair"]) for row in rows}
        if 2 * len(asked) < len(rows):
            reading["run"] = "order"
    notes = []
    missing = sum(row["share"] is None for row in rows) // 2
    if missing:
        told = f"{plural(missing, 'verdict')} {'is' if missing == 1 else 'are'} missing."
        notes.append(("missing-verdicts", told))
    if kind.verdicts == ("winner",) and not {*pairs} & {(b, a) for a, b in pairs}:
        told = "No answers were judged in both orders: what a judge gives the first place counts"
        notes.append(("places", f"{told} for the model that stood there more often."))
    return Imported(given.from_rows(rows), {**reading, "measure": _MEASURE}, tuple(notes))


def _share(cell: object, columns: tuple[str, str], pair: tuple[str, str], at: str) -> float | None:
    """Return the share of the first model in a verdict, None if there is none."""
    if isinstance(cell, Real) and 1 <= float(cell) <= 2:  # of AlpacaEval: 2 for the second
        return 2.0 - float(cell)
    word = "" if cell is None else str(cell).strip()
    if word.casefold() in _NONE:
        return None
    for share, names in zip((1.0, 0.0), zip(columns, pair, strict=True), strict=True):
        if word in names:
            return share
    if word.casefold().startswith(_TIE):  # also "tie (bothbad)"
        return 0.5
    raise DataError(f"{at} must be {listed([*columns, *pair])} or 'tie'; got {shown(cell)}.")
