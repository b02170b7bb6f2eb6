"""Whether packages find the same: with nbcompare, and nbcompare with the definitions."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from . import definitions as by
from .definitions import Scores
from .explained import explain

ALPHA = 0.05
# Figures that agree to so many parts of them are the same
SAME = 1e-9


def _table(n: int, k: int, step: float, decimals: int, seed: int) -> Scores:
    draw = random.Random(seed)
    return tuple(
        tuple(round(draw.gauss(step * j, 1), decimals) for j in range(k)) for _ in range(n)
    )


AGREEMENT_TABLES: dict[str, Scores] = {
    "without ties": _table(12, 5, 0.3, 6, 1),
    "with ties": _table(12, 5, 0.3, 1, 2),
    "far apart": _table(40, 5, 2.0, 6, 3),
    "many": _table(1_000, 10, 0.01, 4, 4),
}

DEFINITIONS: dict[str, Callable[[Scores], list[float]]] = {
    "ranks": lambda s: [float(one) for one in by.average_ranks(s)],
    "friedman": lambda s: [by.friedman(s)],
    "cd": lambda s: [by.critical_difference(s)],
    "nemenyi": by.nemenyi,
    "holm": by.holm,
    "shaffer": by.shaffer,
    "rejected": lambda s: [float(p <= ALPHA) for p in by.shaffer(s)],
    "bergmann-hommel": by.bergmann_hommel,
    "wilcoxon": lambda s: by.wilcoxon(s, split=True),
}


class Agreement(NamedTuple):
    """How far a quantity of a package is from what it is compared with, on one table.

    ``decided`` counts the pairs on which the two decide otherwise at 0.05. What does not exist,
    because there are no pairs or the package fails, is None.
    """

    package: str
    beside: str
    quantity: str
    table: str
    same: bool
    difference: float | None
    relative: float | None
    decided: int | None
    why: str


def agreements(answers: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Agreement]:
    """Compare the answers of packages for each table; nbcompare's are among them."""
    found = []
    ours = answers["nbcompare"]
    if any("friedman" not in answer for answer in ours):
        raise SystemExit(f"nbcompare computes nothing: {ours}")
    for place, (name, scores) in enumerate(AGREEMENT_TABLES.items()):
        # All partitions, and the fractions of many data sets, take long
        slow = {"bergmann-hommel"} if len(scores[0]) > 6 else set()
        for quantity, define in DEFINITIONS.items():
            mine = ours[place].get(quantity)
            if mine is None:
                continue
            if quantity not in slow:
                found.append(_compared("nbcompare", "definition", quantity, name, mine, define))
            for package, answer in answers.items():
                theirs = answer[place].get(quantity)
                if package != "nbcompare" and theirs is not None:
                    found.append(_compared(package, "nbcompare", quantity, name, theirs, mine))
    return found


def _figures(value: Any, k: int) -> list[float]:
    """Return the figures of algorithms, or of pairs, in the order of the table."""
    if not isinstance(value, Mapping):
        return [value] if isinstance(value, float) else list(value)
    names = [f"A{i}" for i in range(k)]
    pairs = [f"{a} - {b}" for a, b in itertools.combinations(names, 2)]
    return [value[key] for key in (names if "A0" in value else pairs)]


def _compared(
    package: str, beside: str, quantity: str, table: str, theirs: Any, other: Any
) -> Agreement:
    if isinstance(theirs, Mapping) and "error" in theirs:
        why = f"It fails: {theirs['error']} ({theirs['place']})."
        return Agreement(package, beside, quantity, table, False, None, None, None, why)
    scores = AGREEMENT_TABLES[table]
    k = len(scores[0])
    expected = _figures(other(scores) if callable(other) else other, k)
    figures = _figures(theirs, k)
    pairs = isinstance(theirs, Mapping) and quantity != "ranks"
    if quantity == "rejected":
        decided = sum(a != b for a, b in zip(figures, expected, strict=True))
    else:
        decided = _otherwise(figures, expected) if pairs else None
    same = all(_same(a, b) for a, b in zip(figures, expected, strict=True))
    return Agreement(
        package,
        beside,
        quantity,
        table,
        same,
        max(abs(a - b) for a, b in zip(figures, expected, strict=True)),
        max(_relative(a, b) for a, b in zip(figures, expected, strict=True)),
        decided,
        "" if same else explain(quantity, figures, scores),
    )


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=SAME, abs_tol=0.0)


def _relative(a: float, b: float) -> float:
    return abs(a - b) / max(abs(a), abs(b)) if a != b else 0.0


def _otherwise(first: Sequence[float], second: Sequence[float]) -> int:
    return sum((a <= ALPHA) != (b <= ALPHA) for a, b in zip(first, second, strict=True))
