"""Compare a result, and its displays, with what is recomputed from the data."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import zip_longest

from nbcompare._display import Options
from nbcompare._render import html, parts_of, plural, short_fingerprint
from nbcompare._validation import clean_label, shown
from nbcompare._version import __version__
from nbcompare.experiment import Experiment
from nbcompare.report.notebook.source import Data
from nbcompare.report.verification.outcome import Check
from nbcompare.report.verification.read import Display, displays_in
from nbcompare.report.verification.recompute import (
    around,
    as_displayed,
    compute_again,
    field_differences,
    frame_notes,
    is_drawn_anew,
    is_simulated,
    part_used,
)
from nbcompare.results import CrossValidation, PairComparison, Result, digest

__all__ = ["BROKEN", "check_result"]

_MOST = 5  # differences named of one result, or of one display
_FEW = 2  # where the data differ
# What a result that was changed by hand may raise, wherever it is used
BROKEN = (
    ValueError, TypeError, LookupError, ArithmeticError, AttributeError, Warning, MemoryError,
    RecursionError,
)  # fmt: skip
# Fields that another version may have, or word, differently
_OF_VERSION = re.compile(
    r"(?:groups\[[^]]*\]\.)?(?:the length of )?(?:notes|reasons|design\.version)"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def check_result(
    name: str, result: Result, key: str, data: Data | None, displays: Sequence[Display]
) -> Check:
    """Recompute a result, and compare the result and each of its displays with that.

    Parameters
    ----------
    name : str
        What the result is called.
    result : Result
        As it is embedded in the report.
    key : str
        Its digest in the report.
    data : Experiment or Histories, optional
        What it was computed from.
    displays : sequence of Display
        Those of the result.
    """
    problems: list[str] = []
    remarks: list[str] = []
    other_version = result.design.version != __version__
    if other_version:
        remarks.append(
            f"The report was computed with nbcompare {result.design.version} and recomputed with "
            f"{__version__}: the wording may differ."
        )
    if digest(json.loads(result.to_json())) != key:
        problems.append("the embedded result was changed: it does not match its digest")
    again = _computed_again(result, data, problems)
    due = [result]
    if again is not None:
        fields = _other_fields(result, again, other_version)
        again = as_displayed(again, result)
        if again.design.fingerprint == result.design.fingerprint:
            # a value between two rounded values may be shown as either
            due = [again] if problems or fields else [again, result]
        problems += fields
        remarks += _not_compared(result, data)

    @cache
    def expected(section: str, digits: int) -> list[tuple[str, ...]]:
        return [_rendered(one, section, digits) for one in due]

    for display in displays:
        where = _place(display)
        try:
            lines = expected(display.section, display.digits)
        except BROKEN as error:
            problems.append(f"{where} cannot be rendered again: {_said(error)}")
            continue
        if display.lines in lines:
            continue
        if other_version and _numbers(display.lines) == _numbers(lines[0]):
            told = f"{where[0].upper()}{where[1:]} is worded differently; its numbers agree."
            remarks.append(told)
        else:
            problems += _first(
                [f"{where} {text}" for text in _differences(display.lines, lines[0])]
            )
    try:
        about = repr(again or result)[1:-1].partition(": ")[2]
    except BROKEN:  # a result that was changed by hand need not have a description
        about = "cannot be described"
    return Check(
        name,
        clean_label(about),
        len(displays),
        tuple(map(clean_label, problems)),
        tuple(map(clean_label, remarks)),
    )


def _computed_again(result: Result, data: Data | None, problems: list[str]) -> Result | None:
    """Recompute a result; add to the problems if that is not possible."""
    if is_simulated(result):
        problems.append(
            "it cannot be recomputed from data, because its experiments were simulated; run the "
            "study again with its seed"
        )
        return None
    if is_drawn_anew(result):
        problems.append(
            "it cannot be recomputed, because its random numbers were drawn without a seed; "
            "compute it with a seed"
        )
        return None
    try:
        return compute_again(result, None if data is None else part_used(data, result.design))
    except BROKEN as error:
        problems.append(f"it cannot be recomputed from these data with its options: {_said(error)}")
        return None


def _other_fields(result: Result, again: Result, other_version: bool) -> list[str]:
    """Compare two results field by field."""
    differences = [
        f"in the embedded result, {text}"
        for where, text in field_differences(result, again)
        if where != "design.fingerprint" and not (other_version and _OF_VERSION.match(where))
    ]
    prints = [one.design.fingerprint for one in (result, again)]
    if prints[0] == prints[1]:
        return _first(differences)
    first, second = ("none" if one is None else short_fingerprint(one) for one in prints)
    return [
        f"the data differ from those of the report: fingerprint {first} in the report, {second} of "
        "the data given",
        *_first(differences, _FEW),
    ]


def _not_compared(result: Result, data: Data | None) -> Iterator[str]:
    """Remark if the result uses a part of the data, which a pair always does."""
    if frame_notes(result):
        yield "The note on how a dataframe was read: not compared."
    if data is None or isinstance(result, PairComparison | CrossValidation):
        return
    design, name = result.design, type(result).__name__
    blocks, noun = (
        (data.datasets, "data sets")
        if isinstance(data, Experiment)
        else (data.problems, "problems")
    )
    n_used = len(design.datasets) + len(design.left_out)
    for used, there, what in (
        (len(design.algorithms), len(data.algorithms), "algorithms"),
        (n_used, len(blocks), noun),
    ):
        if used < there:
            yield f"The {name} uses {used} of the {there} {what} in the data."


def _said(error: BaseException) -> str:
    """Put an error into the end of a sentence."""
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    return str(error).rstrip(".") or type(error).__name__


# ------------------------------------------------------------------------------ displays


def _rendered(result: Result, section: str, digits: int) -> tuple[str, ...]:
    """Return the lines of a result, or a section of one, as a report shows them."""
    with Options(digits=digits), warnings.catch_warnings():
        warnings.simplefilter("error")  # changed numbers may be of any size
        whole = parts_of(result.section(section) if section else result)
        (display,) = displays_in(html.render(whole))
    return display.lines


def _differences(found: Sequence[str], due: Sequence[str]) -> Iterator[str]:
    """Name the lines and rows that do not read as they should."""
    codes = SequenceMatcher(None, found, due).get_opcodes()
    for _, start, end, first, last in (code for code in codes if code[0] != "equal"):
        for here, there in zip_longest(found[start:end], due[first:last]):
            if here is None or there is None:
                yield f"lacks {there!r}" if here is None else f"has {here!r}, which is not in it"
            else:
                yield f"reads {around(here, there)}"


def _numbers(lines: Sequence[str]) -> list[str]:
    return _NUMBER.findall(" ".join(lines))


def _place(display: Display) -> str:
    """Say where in a report a display is."""
    what = f"section {shown(display.section)}" if display.section else "the result"
    name = f"the display of {what}"
    return f'under "{display.heading}", {name}' if display.heading else name


def _first(texts: list[str], most: int = _MOST) -> list[str]:
    """Return the first few texts, and how many more there are."""
    if len(texts) <= most:
        return texts
    return [*texts[:most], f"and {plural(len(texts) - most, 'more difference')} of this kind"]
