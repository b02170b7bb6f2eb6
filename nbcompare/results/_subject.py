"""Texts that describe the data of a result."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import OPTIONS
from nbcompare._render import format_number, plural, short_fingerprint
from nbcompare.results.design import Design
from nbcompare.words import PROCEDURES, TREATMENTS

# Treatments that change scores rather than leave out data sets, which are listed
_TREATED = ("drop-folds", "worst", "available", "interval")

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


def adjustments(names: Sequence[str]) -> str:
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


def provenance(design: Design) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method: data sets left out, version, fingerprint."""
    missing = missing_scores(design)
    rows = (("missing scores", missing),) if missing else ()
    return (*rows, *identity(design))


def settings(design: Design, settled: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method: the scores, the options, and the data.

    ``settled`` has options as they were settled, where the design has what was asked for.
    """
    rows = [("scores", scores(design))]
    for name, asked in design.options.items():
        value = settled.get(name, asked)
        words = value if isinstance(value, tuple) else (value,)
        if not words or not all(isinstance(word, str | float | int) for word in words):
            words = (asked,)
        option = OPTIONS.get(name)
        words_of = name.removeprefix("n_").replace("_", " ")
        plain = words_of if words_of == name.replace("_", " ") else f"number of {words_of}"
        what = (option.label if option else "") or plain
        spelled = option.spelled if option else {}
        if name not in ("missing", "fill") and words != (None,):
            told = [spelled.get(word) or shown_option(word) for word in words]
            rows.append((what if what.isupper() else what[0].lower() + what[1:], joined(told)))
    return (*rows, *provenance(design))


def shown_option(value: object) -> str:
    """Return the value of an option as text."""
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


def identity(design: Design, data: str = "data fingerprint") -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method: version, and the fingerprint of ``data``."""
    made = design.fingerprint
    known = () if made is None else ((data, short_fingerprint(made)),)
    return (("nbcompare", design.version), *known)


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
