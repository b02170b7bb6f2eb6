"""Columns of numbers that can be no scores of the same measure, and names that make families.

Ranges, ranks and digits tell; no word does, but for what numbers of repetitions are called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._validation import listed
from nbcompare.experiment._facts import are_numbered, counts
from nbcompare.experiment._roles import NAMES, REPETITIONS, bare

_RATIO = 100.0  # of a column to all others, on every row, from which it seems another measure
_LEAST_ROWS = 3
_WHOLE_ROWS = 8  # rows that are whole by accident hardly ever
_COUNTED_ROWS = 6
_UNRELATED_ROWS, _UNRELATED = 6, 0.6  # rows, and rank correlation below which nothing is shared
_SAMPLE = 5_000
_NUMBERED_ROW = re.compile(
    r"(?P<stem>.*?)(?P<mark>[_\-. :/#]+(?:[^\W\d_]+[_\-. ]*)?|[^\W\d_]*(?<=\D))(?P<number>\d+)"
)
_LEAST_REPEATED = 3  # numbers of each name, if no word says what they number
_SUFFIX = re.compile(r"(?P<stem>.+?)(?P<mark>[_\-. ]|(?<=\D)(?=\d+$))(?P<suffix>[^_\-. ]+)")


class Odd(NamedTuple):
    """A column that seems to hold something else, and what."""

    column: int
    what: str


def odd_columns(values: FloatArray, *, one_measure: bool = True) -> list[Odd]:
    """Return columns whose numbers are of another kind than those of most others.

    Parameters
    ----------
    values : ndarray of float, shape (n_rows, n_columns)
        Scores; NaN where there is none.
    one_measure : bool
        Whether the columns have one range, as algorithms on a data set do; data sets need not.
    """
    n_rows, n_columns = values.shape
    if n_rows < _LEAST_ROWS or n_columns < 2:
        return []
    part = values[:: max(1, n_rows // _SAMPLE)]
    known = ~np.isnan(part)
    whole = known & (part == np.floor(part))
    share = np.array([w.sum() / max(k.sum(), 1) for w, k in zip(whole.T, known.T, strict=True)])
    with_fractions = np.flatnonzero(share < 0.5)
    found = []
    for column in range(n_columns):
        is_counter = n_rows >= _COUNTED_ROWS and counts(values[:, column])
        what = "numbers of the rows" if is_counter else ""
        if not what and one_measure:
            what = _of_ranges(part, known, column)
        if not what and share[column] == 1 and len(with_fractions) >= max(2, n_columns / 3):
            what = _of_digits(part[known[:, column], column], part[:, with_fractions])
        if what:
            found.append(Odd(column, what))
    return found if len(found) <= n_columns * 2 / 3 else []


def _of_ranges(values: FloatArray, known: BoolArray, place: int) -> str:
    """Tell whether a column is far from all others on every row."""
    rest = np.delete(known, place, axis=1)
    there = known[:, place] & rest.any(axis=1)
    own, others = values[there, place], np.delete(values, place, axis=1)[there]
    if len(own) < _LEAST_ROWS:
        return ""
    low, high = np.nanmin(others, axis=1), np.nanmax(others, axis=1)
    if (own <= 0).any() or (low < 0).any() or not (high > 0).all():
        return ""
    span = f"numbers from {own.min():.4g} to {own.max():.4g}"
    span += f" beside {low.min():.4g} to {high.max():.4g}"
    if (own > _RATIO * high).all() or (own * _RATIO < low).all():
        return f"{span}, a hundred times as large or as small on every row"
    limit = 100 if high.max() > 1 else 1
    if not high.max() <= limit <= own.min():
        return ""
    middle = np.nanmedian(others, axis=1)
    if own.min() < own.max() and len(own) >= _UNRELATED_ROWS:
        ranks = [np.argsort(np.argsort(each)).astype(np.float64) for each in (own, middle)]
        if abs(np.corrcoef(ranks[0], ranks[1])[0, 1]) < _UNRELATED:
            return f"{span}, above {limit} and unrelated to these"
    is_percent = np.abs(own / 100 - middle) < 0.5 * middle + 0.05
    if limit == 1 < own.min() and own.max() <= 100 and is_percent.mean() > 0.9:
        return f"{span}, as percentages beside shares"
    return ""


def _of_digits(own: FloatArray, rest: FloatArray) -> str:
    """Tell whether a column of whole numbers is no score beside columns with fractions."""
    low, high = float(np.nanmin(rest)), float(np.nanmax(rest))
    distinct = np.unique(own)
    if len(distinct) < 2 or (low >= 0 and high <= 1 and distinct.max() <= 1):
        return ""
    outside = own.min() > max(high, 0) or own.max() < low
    if not outside and (len(own) < _WHOLE_ROWS or own.max() > 1.5 * high):
        return ""
    return (
        f"whole numbers from {own.min():.15g} to {own.max():.15g} beside scores with fractions "
        f"from {low:.4g} to {high:.4g}"
    )


# ------------------------------------------------------------------------------- families


class Family(NamedTuple):
    """Names of columns that are made of two parts, and how to say so."""

    what: str
    ways: tuple[dict[str, Any], ...]


def family(names: Sequence[str], values: FloatArray) -> Family | None:
    """Return how names of columns are made, if they seem to hold repetitions or measures."""
    if len(names) > 2 and are_numbered(names):
        stem = names[0].rstrip("0123456789")
        called = next((role for role in REPETITIONS if bare(stem) in NAMES[role]), "")
        if called or (not bare(stem) and _counts(names)):
            roles = ("fold", "run") if called == "fold" else ("run", "fold")
            ways = tuple({"columns": f"{stem}{{{role}}}"} for role in roles)
            return Family("seem to number repetitions", ways)
    found = [_SUFFIX.fullmatch(name) for name in names]
    parts = [(it["stem"], it["mark"], it["suffix"]) for it in found if it]
    if len(parts) == len(names) and len({mark for _, mark, _ in parts}) == 1:
        stems, (mark, *_), suffixes = zip(*parts, strict=True)
        for one, two, pattern in (
            (stems, suffixes, f"{{algorithm}}{mark}{{other}}"),
            (suffixes, stems, f"{{other}}{mark}{{algorithm}}"),
        ):
            crossed = _crossed(one, two, pattern, values)
            if crossed is not None:
                return crossed
    return _beside(names, values)


def crossed_rows(labels: Sequence[str]) -> str:
    """Return how labels are made that number the same repetitions of several data sets.

    Examples
    --------
    >>> crossed_rows([f"{name}_fold{i}" for name in ("iris", "car") for i in range(5)])
    '{{dataset}}_fold{}'
    >>> crossed_rows(["fold1", "fold2", "fold3"]), crossed_rows(["yeast1", "yeast2", "glass1"])
    ('fold{}', '')
    """
    found = [_NUMBERED_ROW.fullmatch(label) for label in labels]
    parts = [(it["stem"], it["mark"], int(it["number"])) for it in found if it]
    if len(parts) < len(labels) or len({mark for _, mark, _ in parts}) > 1:
        return ""
    stems = list(dict.fromkeys(stem for stem, _, _ in parts))
    numbers = sorted({number for _, _, number in parts})
    mark = parts[0][1]
    is_crossed = len(stems) * len(numbers) == len(parts) == len({*parts})
    follow = numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] <= 1
    named = bare(mark) in NAMES["fold"] | NAMES["run"]
    enough = len(numbers) >= (2 if named else _LEAST_REPEATED)
    if not (is_crossed and follow and enough and (len(stems) > 1 or named)):
        return ""
    return f"{'' if stems == [''] else '{{dataset}}'}{mark}{{}}"


def _counts(labels: Sequence[str], most: float = np.inf) -> bool:
    """Tell whether the numbers in labels follow each other, the first up to some number."""
    numbers = sorted(int(re.findall(r"\d+", label)[-1]) for label in labels)
    return numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] <= most


def _crossed(
    stems: Sequence[str], suffixes: Sequence[str], pattern: str, values: FloatArray
) -> Family | None:
    """Return how names are made that combine the same suffixes with several stems."""
    one, two = list(dict.fromkeys(stems)), list(dict.fromkeys(suffixes))
    n_pairs = len(set(zip(stems, suffixes, strict=True)))
    if min(len(one), len(two)) < 2 or not len(one) * len(two) == n_pairs == len(stems):
        return None
    if are_numbered(two):
        prefix = two[0].rstrip("0123456789")
        made = [pattern.replace("{other}", f"{prefix}{{{role}}}") for role in ("fold", "run")]
        ways = tuple({"columns": each} for each in made)
        return Family("seem to hold repetitions of algorithms", ways) if _counts(two, 1) else None
    if not _are_measures([values[:, np.array(suffixes) == each] for each in two]):
        return None
    made_of = pattern.replace("{other}", "{measure}")
    return Family(
        f"seem to hold measures {listed(two)} of algorithms {listed(one)}",
        tuple({"columns": made_of, "where": {"measure": each}} for each in two),
    )


def _beside(names: Sequence[str], values: FloatArray) -> Family | None:
    """Return columns that repeat the names of others: their deviations, times, ends."""
    groups: dict[str, list[tuple[int, int]]] = {}
    for place, name in enumerate(names):
        stem = max(
            (one for one in names if one != name and name.startswith(one)), key=len, default=""
        )
        if stem and not name[len(stem)].isalnum():
            groups.setdefault(name[len(stem) :], []).append((names.index(stem), place))
    found, sides = [], {}
    for end, pairs in groups.items():
        base, own = (values[:, list(those)] for those in zip(*pairs, strict=True))
        if len(pairs) > 1 and _are_measures([base, own]):
            found.append(end)
        elif len(pairs) > 1 and ((own < base).all() or (own > base).all()):
            sides[end] = bool((own < base).all())
    if len(set(sides.values())) == 2:  # the ends of intervals
        found += sides
    taken = [names[place] for end in found for _, place in groups[end]]
    what = f"hold other measures beside algorithms: {listed(found)}"
    return Family(what, ({"ignore": taken},)) if taken else None


def _are_measures(groups: Sequence[FloatArray]) -> bool:
    """Tell whether groups of columns have scores of different ranges, row by row."""
    ends = [(np.nanmin(each, axis=1), np.nanmax(each, axis=1)) for each in groups]
    for (low, high), (other_low, other_high) in combinations(ends, 2):
        span = np.nanmax(high) / max(np.nanmax(np.abs(other_high)), 1e-300)
        apart = (low > other_high).all() or (high < other_low).all()
        if (apart and len(low) > 1) or not 1 / 3 <= span <= 3:
            return True
    return False
