"""Texts that describe the data of a result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import OPTIONS
from nbcompare._render import format_number, plural, short_fingerprint
from nbcompare.results.design import Design
from nbcompare.words import PROCEDURES, TREATMENTS

# Treatments that change scores rather than leave out data sets, which are listed
_TREATED = ("drop-folds", "worst", "available", "interval")

# Options of which nothing is told: that formulas are the right ones
_USUAL = frozenset({("formulas", "corrected")})
Rows = tuple[tuple[str, str], ...]

_DIGITS, _MOST_DECIMALS = 3, 6  # significant digits of the largest of several numbers


def joined(items: Sequence[str]) -> str:
    """Join items as in a sentence: ``a, b and c``."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def scores(design: Design, *, of_folds: bool = False) -> str:
    """Describe the scores, such as ``AUC, higher is better; means over 5 folds``.

    If only average ranks are known, these are described. ``of_folds`` is True if the folds are
    compared, not averaged.
    """
    if design.direction is None:
        return f"average ranks over {plural(design.n_datasets, 'data set')}"
    over = [plural(*part) for part in design.repeated if not (of_folds and part[1] == "fold")]
    mean = f"; means over {joined(over)}" if over else ""
    return f"{design.measure or 'scores'}, {design.better}{mean}"


def datasets(design: Design, more: str = "") -> str:
    """Describe the data sets, such as ``14 data sets (AUC, higher is better)``.

    ``more`` is added to the description of the scores. The number of data sets that were left
    out follows.
    """
    dropped = ""
    if design.left_out:
        verb = "was" if len(design.left_out) == 1 else "were"
        number = plural(len(design.left_out), "data set")
        dropped = f"; {number} with a missing score {verb} left out"
    if design.treated in _TREATED:
        dropped = f"{dropped}; {_settled(design)}"
    return f"{plural(design.n_datasets, 'data set')} ({scores(design)}{more}{dropped})"


def adjustments(names: Sequence[Any]) -> str:
    """Return the names of procedures, with what they control, for a table of methods."""
    if not names:
        return "none"
    controlled = dict.fromkeys(PROCEDURES[name].controls for name in names)
    if len(controlled) == 1:
        labels = ", ".join(PROCEDURES[name].label for name in names)
        return f"{labels} (controls the {next(iter(controlled))})"
    return ", ".join(
        f"{PROCEDURES[name].label} (controls the {PROCEDURES[name].controls})" for name in names
    )


def where_of(dataset: str | None) -> str:
    """Return the data set in words."""
    return "one data set" if dataset is None else f"the data set {dataset}"


def provenance(design: Design) -> Rows:
    """Return rows of the table of the method: missing scores, version, fingerprint."""
    rows = [("missing scores", missing_scores(design)), ("nbcompare", design.version)]
    if design.fingerprint is not None:
        rows.append(("data fingerprint", short_fingerprint(design.fingerprint)))
    return tuple(row for row in rows if row[1])


def settings(
    design: Design,
    settled: Mapping[str, object],
    more: Iterable[tuple[str, str]] = (),
    scored: str = "",
) -> Rows:
    """Return rows of the table of the method: the scores, the options, more, and the data.

    ``settled`` has options as they were settled, or what is to be told of them, where the design
    has what was asked for; nothing is told of None. ``scored`` describes the scores otherwise.
    """
    rows = [("scores", scored or scores(design))]
    for name, asked in design.options.items():
        value = settled.get(name, asked)
        words = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(word, str | float | int | None) for word in words):
            words = asked if isinstance(asked, tuple) else (asked,)
        plain = name.removeprefix("n_").replace("_", " ")
        option = OPTIONS.get(name)
        what = (option.label if option else "") or f"{'number of ' * name.startswith('n_')}{plain}"
        spelled = option.spelled if option else {}
        told = joined([spelled.get(word) or shown_option(word) for word in words])
        if name == "adjust" and set(words) <= set(PROCEDURES):
            told = adjustments(words)
        if name in ("missing", "fill") or words == (None,) or (name, *words) in _USUAL:
            told = ""
        rows.append((what if what.isupper() else what[0].lower() + what[1:], told))
    return (*((what, how) for what, how in (*rows, *more) if how), *provenance(design))


def shown_option(value: object) -> str:
    """Return the value of an option as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def missing_scores(design: Design) -> str:
    """Say what was done about missing scores, such as ``2 data sets left out: iris and wine``."""
    parts = [_settled(design)] if design.treated in _TREATED else []
    if design.left_out:
        count = plural(len(design.left_out), "data set")
        parts.append(f"{count} left out: {joined(design.left_out)}")
    return "; ".join(parts)


def _settled(design: Design) -> str:
    """Say how missing scores were treated, with the score of what failed if one was given."""
    fill = design.options.get("fill")
    if design.treated != "worst" or fill is None:
        return TREATMENTS[design.treated].settled
    score = f"the score of {fill}" if isinstance(fill, str) else f"the score {fill:g}"
    return f"what failed gets {score}"


def shown_alike(
    estimates: FloatArray, lower: FloatArray | None = None, upper: FloatArray | None = None
) -> Callable[[float], str]:
    """Return a function that formats numbers so that the largest has three digits.

    There are more digits if an interval that does not end at zero would seem to.
    """
    parts = [part[np.isfinite(part)] for part in (estimates, lower, upper) if part is not None]
    largest = max(float(np.abs(part).max(initial=0.0)) for part in parts)
    exponent = math.floor(math.log10(largest)) if largest > 0 else 0
    decimals = max(0, _DIGITS - 1 - exponent) if -6 <= exponent <= 9 else None
    if decimals is not None and lower is not None and upper is not None:
        ends = np.abs(np.concatenate([*parts[1:]]))
        nearest = float(ends.min(where=ends > 0, initial=1.0))
        if 0.5 * 10.0**-decimals > nearest:
            decimals = min(-math.floor(math.log10(nearest)), _MOST_DECIMALS)
    return lambda value: format_number(float(value), decimals)
