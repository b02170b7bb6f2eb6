"""The outcome of verifying a report, an object that displays itself."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare._render import Column, Note, Notes, Part, Prose, Rich, Table, plural

__all__ = ["Check", "Verification"]

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
