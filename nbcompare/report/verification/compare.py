"""Compare a result with what is recomputed from the data, and its displays with the result."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from nbcompare._display import Options
from nbcompare._render import html, parts_of, plural, short_fingerprint
from nbcompare._validation import because, clean_label, shown
from nbcompare._version import __version__
from nbcompare.report.notebook.source import Data
from nbcompare.report.verification.outcome import Check
from nbcompare.report.verification.read import Display, displays_in
from nbcompare.report.verification.recompute import (
    compute_again,
    field_differences,
    why_not_again,
)
from nbcompare.results import Result

__all__ = ["BROKEN", "check_result"]

_MOST = 5  # differences named of one result, or of one display
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
    name: str, result: Result, data: Data | None, displays: Sequence[Display]
) -> Check:
    """Compare a result with what is recomputed from the data, and its displays with the result.

    Parameters
    ----------
    name : str
        What the result is called.
    result : Result
        As it is embedded in the report.
    data : Experiment or Histories, optional
        What it was computed from.
    displays : sequence of Display
        Those of the result.
    """
    problems, remarks = [], []
    other_version = result.design.version != __version__
    if other_version:
        remarks.append(
            f"The report was computed with nbcompare {result.design.version} and recomputed with "
            f"{__version__}: the wording may differ."
        )
    if reason := why_not_again(result):
        problems.append(f"it cannot be recomputed, because {reason}")
    else:
        try:
            problems += _other_fields(result, compute_again(result, data), other_version)
        except BROKEN as error:
            told = _said(error)
            problems.append(f"it cannot be recomputed from these data with its options{told}")
    for display in displays:
        where = _place(display)
        try:
            due = _rendered(result, display)
        except BROKEN as error:
            problems.append(f"{where} cannot be rendered again{_said(error)}")
            continue
        if display.lines == due:
            continue
        if other_version and _numbers(display.lines) == _numbers(due):
            remarks.append(
                f"{where[0].upper()}{where[1:]} is worded differently; its numbers agree."
            )
        else:
            problems += _first([f"{where} {text}" for text in _differences(display.lines, due)])
    try:
        about = repr(result)[1:-1].partition(": ")[2]
    except BROKEN:  # a result that was changed by hand need not have a description
        about = "cannot be described"
    return Check(
        name,
        clean_label(about),
        len(displays),
        tuple(map(clean_label, problems)),
        tuple(map(clean_label, remarks)),
    )


def _other_fields(result: Result, again: Result, other_version: bool) -> list[str]:
    """Compare two results field by field."""
    first, second = (one.design.fingerprint for one in (result, again))
    differences = [
        f"in the embedded result, {text}"
        for where, text in field_differences(result, again)
        if where != "design.fingerprint" and not (other_version and _OF_VERSION.match(where))
    ]
    if first != second:
        told = ["none" if one is None else short_fingerprint(one) for one in (first, second)]
        differences.insert(
            0,
            f"the data differ from those of the report: fingerprint {told[0]} in the report, "
            f"{told[1]} of the data given",
        )
    return _first(differences)


def _said(error: BaseException) -> str:
    """Put the reason for an error into the end of a sentence."""
    return ": there is not enough memory" if isinstance(error, MemoryError) else because(error)


# ------------------------------------------------------------------------------ displays


def _rendered(result: Result, display: Display) -> tuple[str, ...]:
    """Return the lines of a result, or a section of one, as a report shows them."""
    with Options(digits=display.digits), warnings.catch_warnings():
        warnings.simplefilter("error")  # changed numbers may be of any size
        whole = parts_of(result.section(display.section) if display.section else result)
        (fresh,) = displays_in(html.render(whole))
    return fresh.lines


def _differences(found: Sequence[str], due: Sequence[str]) -> Iterator[str]:
    """Name the lines and rows that do not read as they should."""
    codes = SequenceMatcher(None, found, due).get_opcodes()
    for _, start, end, first, last in (code for code in codes if code[0] != "equal"):
        for here, there in zip_longest(found[start:end], due[first:last]):
            if here is None or there is None:
                yield f"lacks {there!r}" if here is None else f"has {here!r}, which is not in it"
            else:
                yield f"reads {here!r}, recomputed {there!r}"


def _numbers(lines: Sequence[str]) -> list[str]:
    return _NUMBER.findall(" ".join(lines))


def _place(display: Display) -> str:
    """Say where in a report a display is."""
    what = f"section {shown(display.section)}" if display.section else "the result"
    name = f"the display of {what}"
    return f'under "{display.heading}", {name}' if display.heading else name


def _first(texts: list[str]) -> list[str]:
    """Return the first few texts, and how many more there are."""
    if len(texts) <= _MOST:
        return texts
    return [*texts[:_MOST], f"and {plural(len(texts) - _MOST, 'more difference')} of this kind"]
