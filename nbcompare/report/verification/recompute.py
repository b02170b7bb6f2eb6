"""Recompute a result from the data, compare it with what is shown, and say where they differ."""

from __future__ import annotations

import json
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from nbcompare import analysis
from nbcompare._commands import RANKS_OPTIONS, analysis_of, function_of
from nbcompare._display import Options
from nbcompare._options import default
from nbcompare._render import (
    Column,
    Note,
    Notes,
    Part,
    Prose,
    Rich,
    Table,
    html,
    parts_of,
    plural,
    short_fingerprint,
)
from nbcompare._validation import because, clean_label, shown
from nbcompare._version import __version__
from nbcompare.experiment import FRAME, Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook.source import Data
from nbcompare.report.verification.read import Display, displays_in
from nbcompare.results import Comparison, Design, PowerStudy, Result

_RELATIVE = 1e-9
_ROUNDING = 1e-15  # of the largest of several numbers; another processor may give 0 instead

SIMULATED = "its experiments were simulated; run the study again with its seed"
_NO_SEED = "its random numbers were drawn without a seed; compute it with a seed"


def source_of(result: Result) -> str | None:
    """Name what a result was computed from: ``data``, ``histories``, or None of neither."""
    if is_simulated(result):
        return None
    if analysis_of(result).takes == "histories":
        return "histories"
    return None if result.design.fingerprint is None else "data"


def is_simulated(result: Result) -> bool:
    """Whether a result comes from simulated experiments, which no data give again."""
    return isinstance(result, PowerStudy)


def part_used(data: Experiment | Histories, design: Design) -> Experiment | Histories:
    """Select the algorithms and data sets that a result uses, in its order.

    The measure and the citation are those of the result where the data have none.

    Raises
    ------
    ValueError
        If the data lack one of them.
    """
    noun = "problems" if isinstance(data, Histories) else "datasets"
    blocks: Any = {noun: (*design.datasets, *design.left_out)}
    part: Experiment | Histories = data.select(algorithms=design.algorithms, **blocks)
    return replace(
        part,
        measure=design.measure if part.measure is None else part.measure,
        citation=design.citation if part.citation is None else part.citation,
    )


def compute_again(result: Result, data: Experiment | Histories | None) -> Result:
    """Recompute a result with the function that made it and the options that it records.

    Raises
    ------
    ValueError
        If the data lack a part of those of the result, or if the function refuses the options. A
        result that was changed by hand may raise any other exception.
    """
    options = dict(result.design.options)
    if isinstance(options.get("rng"), str):  # not used, or the numbers differ
        options["rng"] = default("rng")
    if isinstance(result, Comparison) and data is None:
        given = {name: options[name] for name in RANKS_OPTIONS}
        return analysis.compare_ranks(result.average_ranks, result.design.n_datasets, **given)
    made_by = analysis_of(result)
    part = None if data is None else part_used(data, result.design)
    again: Result = made_by.call(function_of(made_by.function), part, (), options)
    return again


def frame_notes(result: Result) -> tuple[Note, ...]:
    """Return the notes on how the dataframe was read that a result was made of."""
    return tuple(note for note in result.notes if note.code == FRAME)


# ----------------------------------------------------------------------------- comparing


def field_differences(
    result: Result, again: Result, *, words: bool = True
) -> Iterator[tuple[str, str]]:
    """Yield where two results differ, and how; numbers differ by more than 1e-9 of their size.

    What the data cannot tell is ignored: the version of nbcompare, and the notes on how a dataframe
    was read; without ``words`` also what another version may say differently. Of a result whose
    random numbers cannot be drawn again, that is all that is said, of no place.
    """
    one, two = (json.loads(kept.to_json())["fields"] for kept in (result, again))
    seed = result.design.options.get("rng")
    for fields in (one, two):
        fields["design"]["version"] = None
        fields["notes"] = [note for note in fields["notes"] if note["code"] != FRAME]
        if isinstance(seed, str):
            options = fields["design"]["options"]
            fields["design"]["options"] = [pair for pair in options if pair[0] != "rng"]
    due: dict[str, Any] = {where: value for where, value, _ in _leaves(two, "", 1.0)}
    for where, value, size in _leaves(one, "", 1.0):
        other = due.get(where)
        if _alike(value, other, size) or (not words and _OF_VERSION.match(where)):
            continue
        if isinstance(seed, str) and where != "design.fingerprint":
            yield "", _NO_SEED
            return
        texts = isinstance(value, str) and isinstance(other, str)
        here, there = map(repr if texts else shown, (value, other))
        yield where, f"{where} is {here}, recomputed {there}"


def _leaves(value: Any, where: str, size: float) -> Iterator[tuple[str, Any, float]]:
    """Yield the numbers and texts in JSON by their places, with the size of those around them."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, f"{where}.{name}" if where else name, size)
    elif isinstance(value, list):
        yield f"the length of {where}", len(value), size
        if value and all(isinstance(item, float) for item in value):
            size = max(map(abs, value))
        for place, item in enumerate(value):
            if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str):
                yield from _leaves(item[1], f"{where}[{item[0]!r}]", size)  # of a mapping
            else:
                yield from _leaves(item, f"{where}[{place}]", size)
    else:
        yield where, value, size


def _alike(one: Any, two: Any, size: float) -> bool:
    one, two = (0.0 if value == "-0.0" else value for value in (one, two))
    if type(one) is not float or type(two) is not float:
        return bool(one == two)
    if 0.0 in (one, two) or (one < 0) != (two < 0):
        # a rounding error on one side of 0, and 0 or one on the other side
        return abs(one - two) <= _ROUNDING * size
    return math.isclose(one, two, rel_tol=_RELATIVE)


# By whether the file is the one that was exported
_NOT_CHECKED = {
    True: "data, text, code and figures, which are those of the export",
    False: "data, text, code and figures, and some of the file is not as it was exported",
    None: "data, text, code and figures; only an HTML page says whether it is as it was exported",
}
_COLUMNS = ("result", "about", "displays", "outcome")


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome for one result of a report.

    Attributes
    ----------
    name : str
        The class of the result, and its number if the report has several.
    about : str
        The result on one line.
    n_displays : int
        The number of places where the report shows it, whole or a section of it.
    problems : tuple of str
        What differs, and where; empty if nothing does.
    remarks : tuple of str
        What a reader should know although it is no objection to the result.
    """

    name: str
    about: str
    n_displays: int
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Verification(Rich):
    """The outcome of verifying a report, from :func:`nbcompare.report.verify`.

    Attributes
    ----------
    checks : tuple of Check
        One for each result embedded in the report.
    remarks : tuple of str
        Notes on how the data were read.
    is_whole : bool or None
        Whether the file is the one that was exported; None if it does not say what that was.
    """

    checks: tuple[Check, ...]
    remarks: tuple[str, ...]
    is_whole: bool | None = None

    @property
    def holds(self) -> bool:
        """Whether every result was recomputed, and the report is what it was at its export."""
        return not self.all_problems and self.is_whole is True

    @property
    def all_problems(self) -> tuple[str, ...]:
        """All differences, result by result, and where they are."""
        return tuple(f"{check.name}: {text}" for check in self.checks for text in check.problems)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The outcome in words."""
        results = plural(len(self.checks), "result")
        if n_wrong := sum(bool(check.problems) for check in self.checks):
            return (
                f"The report does not hold: of {results}, {n_wrong} "
                f"{'differs' if n_wrong == 1 else 'differ'} from what was recomputed, or from what "
                "is shown.",
            )
        n_displays = sum(check.n_displays for check in self.checks)
        shown = f", and {plural(n_displays, 'display')} with the results" if n_displays else ""
        verb = "agrees" if len(self.checks) == 1 else "agree"
        begin = {
            True: "The report holds",
            False: "The report does not hold, because it was changed since its export",
            None: "The results hold, but the report could not be checked as a whole",
        }
        return (f"{begin[self.is_whole]}: {results} {verb} with what was recomputed{shown}.",)

    def __repr__(self) -> str:
        outcome = "does not hold"
        if not self.all_problems and self.is_whole is not False:
            outcome = "holds" if self.is_whole else "results hold"
        return f"<Verification: {plural(len(self.checks), 'result')}, {outcome}>"

    def _parts(self) -> tuple[Part, ...]:
        columns = tuple(Column(name, number=name == "displays") for name in _COLUMNS)
        rows = tuple(
            (one.name, one.about, str(one.n_displays), "differs" if one.problems else "holds")
            for one in self.checks
        )
        remarks = (*(text for check in self.checks for text in check.remarks), *self.remarks)
        return (
            Prose(self.sentences),
            *_list("problem", self.all_problems),
            Table(columns, rows, caption="Recomputed from the data: the results of the report"),
            Prose((f"Not recomputed: {_NOT_CHECKED[self.is_whole]}.",)),
            *_list("remark", tuple(dict.fromkeys(remarks))),
        )


def _list(code: str, texts: tuple[str, ...]) -> tuple[Part, ...]:
    return (Notes(tuple(Note(code, text) for text in texts)),) if texts else ()


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
    if is_simulated(result):
        problems.append(f"it cannot be recomputed, because {SIMULATED}")
    else:
        try:
            again = compute_again(result, data)
            problems += _other_fields(result, again, words=not other_version)
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
        reworded = other_version and _numbers(display.lines) == _numbers(due)
        if display.lines != due and not reworded:
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


def _other_fields(result: Result, again: Result, *, words: bool) -> list[str]:
    """Compare two results field by field."""
    first, second = (one.design.fingerprint for one in (result, again))
    found = field_differences(result, again, words=words)
    differences = [
        f"in the embedded result, {text}" if where else f"it cannot be recomputed, because {text}"
        for where, text in found
        if where != "design.fingerprint"
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
