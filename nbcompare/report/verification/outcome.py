"""The outcome of verifying a report, which displays itself."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare._render import Column, Note, Notes, Part, Prose, Rich, Table, plural

__all__ = ["Check", "Verification"]

_MOST = 5  # things told of a page that was not checked as a whole


@dataclass(frozen=True, slots=True)
class Check:
    """What became of one result of a report.

    Attributes
    ----------
    name : str
        The class of the result, and its number if the page has several.
    about : str
        The result on one line.
    n_displays : int
        How often the page shows it, as a whole or a section.
    problems : tuple of str
        What does not hold, and where; empty if all does.
    remarks : tuple of str
        What a reader should know, but does not speak against the result.
    """

    name: str
    about: str
    n_displays: int
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Verification(Rich):
    """Whether a report holds; made by :func:`nbcompare.report.verify`, displays itself.

    Attributes
    ----------
    checks : tuple of Check
        One per result that the page has embedded.
    problems : tuple of str
        What does not hold of the page, beside its results.
    remarks : tuple of str
        What was not compared, and the like.
    unchecked : tuple of str
        What the page has beside its template, such as a script, that may change how it looks.
    """

    checks: tuple[Check, ...]
    problems: tuple[str, ...]
    remarks: tuple[str, ...]
    unchecked: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every result was computed again with the same outcome, and is so shown.

        Where something on the page is ``unchecked``, nobody can say how a result is shown.
        """
        return not self.all_problems and not self.unchecked

    @property
    def all_problems(self) -> tuple[str, ...]:
        """What does not hold, result by result, and where."""
        own = [f"{check.name}: {text}" for check in self.checks for text in check.problems]
        return (*own, *self.problems)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The outcome in words."""
        n_displays = sum(check.n_displays for check in self.checks)
        results = plural(len(self.checks), "result")
        if not self.all_problems:
            agree = f"{results}, computed again, and {plural(n_displays, 'display')} agree."
            if not self.unchecked:
                return (f"The report holds: {agree}",)
            return (
                f"The results hold, but the page was not checked as a whole: {agree}",
                "What the page has beside its template may change what a reader sees: "
                f"{'; '.join(_few(self.unchecked))}.",
            )
        n_wrong = sum(bool(check.problems) for check in self.checks)
        if not n_wrong:
            return ("The report does not hold: its results do, but not what stands beside them.",)
        return (
            f"The report does not hold: {n_wrong} of {results} "
            f"{'is' if n_wrong == 1 else 'are'} not what the data give, or not so shown.",
        )

    def __repr__(self) -> str:
        unsure = "results hold" if self.unchecked else "holds"
        outcome = "does not hold" if self.all_problems else unsure
        return f"<Verification: {plural(len(self.checks), 'result')}, {outcome}>"

    def _parts(self) -> tuple[Part, ...]:
        rows = tuple(
            (
                check.name,
                check.about,
                str(check.n_displays),
                "differs" if check.problems else "holds",
            )
            for check in self.checks
        )
        columns = (
            Column("result"),
            Column("about"),
            Column("displays", number=True),
            Column("outcome"),
        )
        unchecked = [f"Not checked: {text}." for text in self.unchecked if self.all_problems]
        told = (
            *unchecked,
            *(text for check in self.checks for text in check.remarks),
            *self.remarks,
        )
        return (
            Prose(self.sentences),
            *_list("problem", self.all_problems),
            Table(columns, rows, caption="Results of the report"),
            *_list("remark", tuple(dict.fromkeys(told))),
        )


def _few(texts: tuple[str, ...]) -> tuple[str, ...]:
    if len(texts) <= _MOST:
        return texts
    return (*texts[:_MOST], f"and {plural(len(texts) - _MOST, 'more thing')} of this kind")


def _list(code: str, texts: tuple[str, ...]) -> tuple[Part, ...]:
    return (Notes(tuple(Note(code, text) for text in texts)),) if texts else ()
