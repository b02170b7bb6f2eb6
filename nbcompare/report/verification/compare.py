"""Compare a report with what is recomputed: each result, then the rest of its page."""

from __future__ import annotations

import difflib
import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from nbcompare._render import Note, Notes, plural, short_fingerprint
from nbcompare._validation import clean_label, shown
from nbcompare._version import __version__
from nbcompare.experiment import Experiment
from nbcompare.report.notebook.source import Data
from nbcompare.report.verification import display as displayed
from nbcompare.report.verification.outcome import Check
from nbcompare.report.verification.page import Display, Page
from nbcompare.report.verification.recompute import (
    as_displayed,
    compute_again,
    field_differences,
    frame_notes,
    is_drawn_anew,
    is_simulated,
    part_used,
)
from nbcompare.results import CrossValidation, Design, PairComparison, Result, digest

__all__ = ["BROKEN", "Checker", "RestOfPage"]

# Differences named of one result, or of one display
_MOST = 5
_FEW = 2  # where the data differ
# Fields with sentences, which another version may word differently
_WORDS = ("notes", "reasons")
# What a result that was changed by hand may raise, wherever it is used
BROKEN = (
    ValueError, TypeError, LookupError, ArithmeticError, AttributeError, Warning, MemoryError,
    RecursionError,
)  # fmt: skip
_MOST_REFERENCES = 1_000  # each that no result cites is compared with those that are missing


@dataclass
class Checker:
    """A comparison of one result with what is recomputed from the data."""

    result: Result
    digest: str
    data: Data | None
    part: Data | None = None
    again: Result | None = None
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    rendered: dict[tuple[int, str | None, int], displayed.Shown] = field(default_factory=dict)

    def check(self, name: str, displays: Sequence[Display]) -> Check:
        """Recompute the result, and compare the result and each of its displays with that."""
        self._versions()
        self._fields()
        for display in displays:
            self._display(display)
        return Check(
            name,
            clean_label(_about(self.again or self.result)),
            len(displays),
            tuple(map(clean_label, self.problems)),
            tuple(map(clean_label, self.remarks)),
        )

    @property
    def other_version(self) -> bool:
        """Whether another version of nbcompare computed the report."""
        return self.result.design.version != __version__

    @property
    def other_data(self) -> bool:
        """Whether the data differ from those of the report."""
        return self.again is None or self.again.design.fingerprint != self.result.design.fingerprint

    def _versions(self) -> None:
        if self.other_version:
            self.remarks.append(
                f"The report was computed with nbcompare {self.result.design.version} and "
                f"recomputed with {__version__}: the wording may differ."
            )

    def _fields(self) -> None:
        """Recompute the result, and compare the two field by field."""
        if digest(json.loads(self.result.to_json())) != self.digest:
            self.problems.append("the embedded result was changed: it does not match its digest")
        if is_simulated(self.result):
            self.problems.append(
                "it cannot be recomputed from data, because its experiments were simulated; run "
                "the study again with its seed"
            )
            return
        if is_drawn_anew(self.result):
            self.problems.append(
                "it cannot be recomputed, because its random numbers were drawn without a seed; "
                "compute it with a seed"
            )
            return
        try:
            if self.data is not None:
                self.part = part_used(self.data, self.result.design)
                self._left_out(self.data, self.result.design)
            self.again = compute_again(self.result, self.part)
        except BROKEN as error:
            text = _said(error)
            self.problems.append(
                f"it cannot be recomputed from these data with its options: {text}"
            )
            return
        if self.other_data:
            self.problems.append(
                "the data differ from those of the report: fingerprint "
                f"{_short(self.result.design.fingerprint)} in the report, "
                f"{_short(self.again.design.fingerprint)} of the data given"
            )
        problems: list[str] = []
        for where, text in field_differences(self.result, self.again):
            if where == "design.fingerprint":
                continue
            # a result of groups holds one of each group
            word = where.partition("].")[2] if where.startswith("groups[") else where
            if self.other_version and word == "design.version":
                continue
            is_word = self.other_version and word.startswith(_WORDS)
            (self.remarks if is_word else problems).append(f"in the embedded result, {text}")
        self.problems += _most(problems, _FEW if self.other_data else _MOST)
        if frame_notes(self.result):
            self.remarks.append("The note on how a dataframe was read: not compared.")
        # displays say which version computed the result, and of which dataframe
        self.again = as_displayed(self.again, self.result)

    def _left_out(self, data: Data, design: Design) -> None:
        """Remark if the result uses a part of the data, which a pair always does."""
        if isinstance(self.result, PairComparison | CrossValidation):
            return
        used = len(design.datasets) + len(design.left_out)
        there, noun = (
            (data.datasets, "data sets")
            if isinstance(data, Experiment)
            else (data.problems, "problems")
        )
        for count, known, what in (
            (len(design.algorithms), len(data.algorithms), "algorithms"),
            (used, len(there), noun),
        ):
            if count < known:
                name = type(self.result).__name__
                self.remarks.append(f"The {name} uses {count} of the {known} {what} in the data.")

    def _display(self, display: Display) -> None:
        """Compare a display with what it should be."""
        where = _place(display, "the display of the result", "the display of section")
        if not display.is_in_place:
            self.problems.append(f"{where} is not where the template puts it")
        found = displayed.shown(display.root)
        # a value between two rounded values may be shown as either
        expected = [self.result] if self.other_data or self.again is None else [self.again]
        if not self.problems and self.again is not None:
            expected.append(self.result)
        try:
            due = [self._fresh(result, display) for result in expected]
        except BROKEN as error:
            self.problems.append(f"{where} cannot be rendered again: {_said(error)}")
            return
        told = [list(displayed.differences(found, one)) for one in due]
        if not all(told):
            return
        if self.other_version:
            if found.foreign is not None:
                self.problems.append(
                    f"{where}: the markup has {found.foreign}, which nbcompare does not write"
                )
                return
            if displayed.numbers(found) == displayed.numbers(due[0]):
                if found.texts != due[0].texts:
                    self.remarks.append(
                        f"{where.capitalize()} is worded differently; its numbers agree."
                    )
                return
        self.problems += _most([f"{where}: {text}" for text in told[0]])

    def _fresh(self, result: Result, display: Display) -> displayed.Shown:
        key = id(result), display.section, display.digits
        if key not in self.rendered:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # changed numbers may be of any size
                self.rendered[key] = displayed.fresh(result, display.digits, display.section)
        return self.rendered[key]


def _about(result: Result) -> str:
    """Describe a result on one line; one that was changed by hand need not have a description."""
    try:
        return repr(result)[1:-1].partition(": ")[2]
    except BROKEN:
        return "cannot be described"


def _cited(result: Result) -> Iterator[str]:
    try:
        for part in result.section("references").parts:
            notes = part.notes if isinstance(part, Notes) else ()
            yield from (" ".join(note.text.split()) for note in notes)
    except BROKEN:
        return


def _said(error: BaseException) -> str:
    """Put an error into the end of a sentence."""
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    return str(error).rstrip(".") or type(error).__name__


def _short(fingerprint: str | None) -> str:
    return "none" if fingerprint is None else short_fingerprint(fingerprint)


def _place(display: Display, whole: str, part: str) -> str:
    name = whole if display.section is None else f"{part} {shown(display.section)}"
    return f'under "{display.heading}", {name}' if display.heading else name


def _most(texts: list[str], most: int = _MOST) -> list[str]:
    """Return the first few texts, and how many more there are."""
    if len(texts) <= most:
        return texts
    return [*texts[:most], f"and {plural(len(texts) - most, 'more difference')} of this kind"]


@dataclass
class RestOfPage:
    """The rest of a page, apart from displays of results: scores, references, pictures, prose."""

    page: Page
    results: Sequence[Result]
    parts: Sequence[Data]
    data: Sequence[Data]
    rendered: dict[tuple[int, int], displayed.Shown] = field(default_factory=dict)

    def problems(self) -> Iterator[str]:
        """Name what differs from the results and the data."""
        for display in self.page.displays:
            if display.digest not in self.page.results:
                where = _place(display, "a display", "a display of section")
                yield f"{where} refers to a result that is not embedded in the page"
        for display in self.page.unmarked:
            due = self._scores(display)
            if due is not None:
                where = _place(display, "the display of the data", "")
                texts = displayed.differences(displayed.shown(display.root), due)
                yield from _most([f"{where}: {text}" for text in texts])
                if not display.is_in_place:
                    yield f"{where} is not where the template puts it"
        for item, known in self._references():
            if known is not None:
                yield f"a reference reads {displayed.around(item, known)}"

    def remarks(self) -> Iterator[str]:
        """Name what was not compared."""
        unknown = [
            f"{_place(display, 'a table or list', '')} that shows no embedded result: not compared."
            for display in self.page.unmarked
            if self._scores(display) is None
        ]
        yield from (text[0].upper() + text[1:] for text in _most(unknown))
        others = [item for item, known in self._references() if known is None]
        if others:
            yield f"{plural(len(others), 'reference')} not from an embedded result: not compared."
        if self.page.changes is not None:
            return  # the digests tell of everything else
        for count, noun in (
            (self.page.n_figures, "figure"),
            (self.page.n_outputs, "printed output"),
        ):
            if count:
                yield f"{plural(count, noun)}: not compared."
        if any(self._tells_of_reading(display) for display in self.page.unmarked):
            yield "Notes on how the data were read: not compared."
        yield "Text that is not part of a result is not compared."

    def _scores(self, display: Display) -> displayed.Shown | None:
        """Return what a table of the data should be: one that agrees, else one with its caption."""
        found = displayed.shown(display.root)
        sources = [self._fresh(one, display.digits) for one in (*self.parts, *self.data)]
        notes = displayed.notes_of(found)
        if notes:  # how the data were read cannot be told from the data
            told = tuple(Note("", text) for text in notes)
            sources += [
                displayed.fresh(replace(one, notes=told), display.digits)
                for one in (*self.parts, *self.data)
                if tuple(note.text for note in one.notes) != notes
            ]
        same = (due for due in sources if next(displayed.differences(found, due), None) is None)
        caption = found.texts.get("the caption")
        alike = (due for due in sources if caption and due.texts.get("the caption") == caption)
        return next(same, None) or next(alike, None)

    def _tells_of_reading(self, display: Display) -> bool:
        """Tell whether the display of the data has other notes than the data."""
        notes = displayed.notes_of(displayed.shown(display.root))
        known = (tuple(note.text for note in one.notes) for one in (*self.parts, *self.data))
        return bool(notes) and self._scores(display) is not None and notes not in known

    def _fresh(self, data: Data, digits: int) -> displayed.Shown:
        key = id(data), digits
        if key not in self.rendered:
            self.rendered[key] = displayed.fresh(data, digits)
        return self.rendered[key]

    def _references(self) -> Iterator[tuple[str, str | None]]:
        """Find references that no result cites, and what each was before, if that is clear."""
        cited = {text for result in self.results for text in _cited(result)}
        missing = sorted(cited - set(self.page.references))
        unknown = [item for item in self.page.references if item not in cited]
        for number, item in enumerate(unknown):
            known = missing if number < _MOST_REFERENCES else []
            yield item, next(iter(difflib.get_close_matches(item, known, n=1)), None)
