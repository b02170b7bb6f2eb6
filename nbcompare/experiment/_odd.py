"""Columns of numbers that can be no scores of the same measure, and names that make families.

Ranges, ranks and digits tell; no word does, but for what numbers of repetitions are called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._validation import listed
from nbcompare.experiment._facts import are_numbered, counts
from nbcompare.experiment._roles import NAMES, REPETITIONS, bare
from nbcompare.experiment._summaries import decimals

_RATIO = 100.0  # of a column to all others, on every row, from which it seems another measure
_LEAST_ROWS = 3
_WHOLE_ROWS = 8  # rows that are whole by accident hardly ever
_COUNTED_ROWS = 6
_UNRELATED_ROWS, _UNRELATED = 6, 0.6  # rows, and rank correlation below which nothing is shared
_SAMPLE = 5_000
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
        what = _of_counts(values[:, column])
        if not what and one_measure:
            what = _of_ranges(part, known, column)
        if not what and share[column] == 1 and len(with_fractions) >= max(2, n_columns / 3):
            what = _of_digits(part[known[:, column], column], part[:, with_fractions])
        if what:
            found.append(Odd(column, what))
    return found if len(found) <= n_columns * 2 / 3 else []


def _of_counts(column: FloatArray) -> str:
    """Tell whether a column counts the rows."""
    if len(column) < _COUNTED_ROWS or not counts(column):
        return ""
    return "numbers of the rows"


def _of_ranges(values: FloatArray, known: BoolArray, place: int) -> str:
    """Tell whether a column is far from all others on every row."""
    own = values[:, place]
    others = np.delete(values, place, axis=1)
    with np.errstate(all="ignore"):
        there = known[:, place] & np.delete(known, place, axis=1).any(axis=1)
        if there.sum() < _LEAST_ROWS:
            return ""
        own, others = own[there], others[there]
        low, high = np.nanmin(others, axis=1), np.nanmax(others, axis=1)
    if (own <= 0).any() or (low < 0).any() or not (high > 0).all():
        return ""
    span = f"numbers from {own.min():.4g} to {own.max():.4g}"
    span += f" beside {low.min():.4g} to {high.max():.4g}"
    if (own > _RATIO * high).all() or (own * _RATIO < low).all():
        return f"{span}, a hundred times as large or as small on every row"
    limit = 100 if high.max() > 1 else 1
    if high.max() <= limit <= own.min() < own.max() and len(own) >= _UNRELATED_ROWS:
        middle = np.nanmedian(others, axis=1)
        if abs(_rank_correlation(own, middle)) < _UNRELATED:
            return f"{span}, above {limit} and unrelated to these"
    if high.max() <= 1 < own.min() and own.max() <= 100:
        middle = np.nanmedian(others, axis=1)
        if (np.abs(own / 100 - middle) < 0.5 * middle + 0.05).mean() > 0.9:
            return f"{span}, as percentages beside shares"
    return ""


def _rank_correlation(one: FloatArray, other: FloatArray) -> float:
    ranks = [np.argsort(np.argsort(values)).astype(np.float64) for values in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _of_digits(own: FloatArray, rest: FloatArray) -> str:
    """Tell whether a column of whole numbers is no score beside columns with fractions."""
    low, high = float(np.nanmin(rest)), float(np.nanmax(rest))
    distinct = np.unique(own)
    if len(distinct) < 2 or (low >= 0 and high <= 1 and distinct.max() <= 1):
        return ""
    outside = own.min() > max(high, 0) or own.max() < low
    if not outside and (len(own) < _WHOLE_ROWS or own.max() > 1.5 * high):
        return ""
    if outside and _has_few_digits(own, rest):
        return ""
    return (
        f"whole numbers from {own.min():.15g} to {own.max():.15g} beside scores with fractions "
        f"from {low:.4g} to {high:.4g}"
    )


def _has_few_digits(own: FloatArray, rest: FloatArray) -> bool:
    """Tell whether whole numbers may be scores printed with few digits: 123000 of 122957."""
    most = int(np.nanmax(decimals(rest[:200]), initial=1)) + 1
    rounded = [float(f"{v:.{most}g}") == v for v in own[:200].tolist()]
    return all(rounded) and float(own.min()) >= 10.0**most


# ------------------------------------------------------------------------------- families


class Family(NamedTuple):
    """Names of columns that are made of two parts, and how to say so."""

    what: str
    ways: tuple[dict[str, Any], ...]


def family(names: Sequence[str], values: FloatArray) -> Family | None:
    """Return how names of columns are made, if they seem to hold repetitions or measures."""
    if len(names) < 2:
        return None
    if len(names) > 2 and are_numbered(names):
        stem = re.sub(r"\d+$", "", names[0])
        numbers = sorted(int(re.findall(r"\d+$", name)[0]) for name in names)
        follows = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        called = next((role for role in REPETITIONS if bare(stem) in NAMES[role]), None)
        if (not bare(stem) and follows) or called:
            role = called or "run"
            other = "run" if role == "fold" else "fold"
            ways = [{"columns": f"{stem}{{{each}}}"} for each in (role, other)]
            return Family("seem to number repetitions", tuple(ways))
    return _crossed(names, values)


def _crossed(names: Sequence[str], values: FloatArray) -> Family | None:
    """Return how names are made that combine the same suffixes with several stems."""
    found = [_SUFFIX.fullmatch(name) for name in names]
    if not all(found):
        return _beside(names, values)
    parts = [(m["stem"], m["mark"], m["suffix"]) for m in found if m]
    for stems, suffixes, fixed in (
        ([p[0] for p in parts], [p[2] for p in parts], "{algorithm}_{other}"),
        ([p[2] for p in parts], [p[0] for p in parts], "{other}_{algorithm}"),
    ):
        one, two = list(dict.fromkeys(stems)), list(dict.fromkeys(suffixes))
        if min(len(one), len(two)) < 2 or len(set(zip(stems, suffixes, strict=True))) < len(names):
            continue
        if len(one) * len(two) != len(names) or len({p[1] for p in parts}) > 1:
            continue
        mark = parts[0][1]
        template = fixed.replace("_", mark)
        if are_numbered(two):
            numbers = sorted(int(re.findall(r"\d+", label)[0]) for label in two)
            if numbers != list(range(numbers[0], numbers[0] + len(two))) or numbers[0] > 1:
                continue
            prefix = re.sub(r"\d+$", "", two[0])
            ways = [
                {"columns": template.replace("{other}", f"{prefix}{{{role}}}")}
                for role in ("fold", "run")
            ]
            return Family("seem to hold repetitions of algorithms", tuple(ways))
        groups = [values[:, [s == suffix for s in suffixes]] for suffix in two]
        if _are_measures(groups):
            made = template.replace("{other}", "{measure}")
            return Family(
                f"seem to hold measures {listed(two)} of algorithms {listed(one)}",
                tuple({"columns": made, "where": {"measure": each}} for each in two),
            )
    return _beside(names, values)


def _beside(names: Sequence[str], values: FloatArray) -> Family | None:
    """Return columns that repeat the names of others: their deviations, times, ends."""
    place = {name: i for i, name in enumerate(names)}
    groups: dict[str, list[tuple[int, int]]] = {}
    for name in names:
        stems = [one for one in names if one != name and name.startswith(one)]
        if stems and not name[len(max(stems, key=len))].isalnum():
            stem = max(stems, key=len)
            groups.setdefault(name[len(stem) :], []).append((place[stem], place[name]))
    groups = {end: pairs for end, pairs in groups.items() if len(pairs) > 1}
    found, sides = [], {}
    for end, pairs in groups.items():
        base, own = (values[:, list(those)] for those in zip(*pairs, strict=True))
        if _are_measures([base, own]):
            found.append(end)
        elif (own < base).all() or (own > base).all():
            sides[end] = bool((own < base).all())
    if len(set(sides.values())) == 2:  # the ends of intervals
        found += sides
    taken = [names[b] for end in found for _, b in groups[end]]
    if not taken:
        return None
    return Family(f"hold other measures beside algorithms: {listed(found)}", ({"ignore": taken},))


def _are_measures(groups: Sequence[FloatArray]) -> bool:
    """Tell whether groups of columns have scores of different ranges, row by row."""
    with np.errstate(all="ignore"):
        ends = [(np.nanmin(g, axis=1), np.nanmax(g, axis=1)) for g in groups]
    for i, (low, high) in enumerate(ends):
        for other_low, other_high in ends[i + 1 :]:
            above, below = (low > other_high).all(), (high < other_low).all()
            if (above or below) and len(low) > 1:
                return True
            span = np.nanmax(high) / max(np.nanmax(np.abs(other_high)), 1e-300)
            if span > 3 or span < 1 / 3:
                return True
    return False
