"""The outcome of verifying a report, an object that displays itself."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare._render import Column, Note, Notes, Part, Prose, Rich, Table, plural

__all__ = ["Check", "Verification"]

_LIMIT = (
    "Data, text, code and figures are not recomputed, only compared with digests of the export: "
    "they show accidents, and prove neither who made the report nor that its text is the author's."
)
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
    unchecked : str
        What could be compared with nothing; empty if there is no such thing.
    changed : tuple of str
        What was changed since the export, by the digests that the report holds.
    """

    checks: tuple[Check, ...]
    remarks: tuple[str, ...]
    unchecked: str = ""
    changed: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every result was recomputed, and the report is what it was at its export."""
        return not self.all_problems and not self.unchecked and not self.changed

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
                f"The report does not hold: {n_wrong} of {results} "
                f"{'differs' if n_wrong == 1 else 'differ'} from what was recomputed, or "
                f"{'is' if n_wrong == 1 else 'are'} not shown correctly.",
            )
        n_displays = sum(check.n_displays for check in self.checks)
        shown = f" and {plural(n_displays, 'display')}" if n_displays else ""
        verb = "agrees" if len(self.checks) == 1 and not shown else "agree"
        agree = f"{results}{shown} {verb} with what was recomputed."
        if self.changed:
            return (f"The report does not hold, because it was changed since its export; {agree}",)
        if self.unchecked:
            return (f"The results hold, but the report could not be checked as a whole: {agree}",)
        return (f"The report holds: {agree}",)

    def __repr__(self) -> str:
        outcome = "does not hold"
        if not self.all_problems and not self.changed:
            outcome = "results hold" if self.unchecked else "holds"
        return f"<Verification: {plural(len(self.checks), 'result')}, {outcome}>"

    def _parts(self) -> tuple[Part, ...]:
        columns = tuple(Column(name, number=name == "displays") for name in _COLUMNS)
        rows = tuple(
            (one.name, one.about, str(one.n_displays), "differs" if one.problems else "holds")
            for one in self.checks
        )
        changed = (
            (Prose((f"Changed since export ({len(self.changed)}):",)),) if self.changed else ()
        )
        remarks = (*(text for check in self.checks for text in check.remarks), *self.remarks)
        return (
            Prose(self.sentences),
            *_list("problem", self.all_problems),
            Table(columns, rows, caption="Recomputed from the data: the results of the report"),
            *changed,
            *_list("changed", self.changed),
            Prose((f"Not checked: {self.unchecked}." if self.unchecked else _LIMIT,)),
            *_list("remark", tuple(dict.fromkeys(remarks))),
        )


def _list(code: str, texts: tuple[str, ...]) -> tuple[Part, ...]:
    return (Notes(tuple(Note(code, text) for text in texts)),) if texts else ()
