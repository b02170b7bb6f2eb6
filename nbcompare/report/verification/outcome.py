"""The outcome of verifying a report, an object that displays itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nbcompare._render import Column, Note, Notes, Part, Prose, Rich, Table, plural

__all__ = ["Check", "Verification"]

_LIMIT = (
    "The digests do not help against somebody who changed the page and recomputed them too: they "
    "prove neither who made the report nor that its text is the author's. Only what is recomputed "
    "rests on your data alone."
)
_MOST = 5  # parts named of a page that could not be checked as a whole


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome for one result of a report.

    Attributes
    ----------
    name : str
        The class of the result, and its number if the page has several.
    about : str
        The result on one line.
    n_displays : int
        The number of places where the page shows it, whole or a section of it.
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
        One for each result embedded in the page.
    problems : tuple of str
        What differs on the page apart from its results.
    remarks : tuple of str
        What was not compared, and what else a reader should know.
    unchecked : tuple of str
        Parts of the page, such as a script, that do not come from its template and may change how
        it looks.
    changed : tuple of str
        What was changed since the export, by the digests that the page holds.
    unchanged : str
        What was not, as a list in words; empty if no digests say so.
    """

    checks: tuple[Check, ...]
    problems: tuple[str, ...]
    remarks: tuple[str, ...]
    unchecked: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: str = ""

    @property
    def holds(self) -> bool:
        """Whether every result was recomputed, and the page is what it was at its export.

        Where parts of the page are ``unchecked``, it cannot be said how a result is shown.
        """
        return not self.all_problems and not self.unchecked and not self.changed

    @property
    def all_problems(self) -> tuple[str, ...]:
        """All differences, result by result, and where they are."""
        own = [f"{check.name}: {text}" for check in self.checks for text in check.problems]
        return (*own, *self.problems)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The outcome in words."""
        n_displays = sum(check.n_displays for check in self.checks)
        results = plural(len(self.checks), "result")
        if not self.all_problems:
            shown = f" and {plural(n_displays, 'display')}" if n_displays else ""
            verb = "agrees" if len(self.checks) == 1 and not shown else "agree"
            agree = f"{results}{shown} {verb} with what was recomputed."
            if self.changed:
                return (
                    f"The report does not hold, because it was changed since its export; {agree}",
                )
            if not self.unchecked:
                return (f"The report holds: {agree}",)
            return (
                f"The results hold, but the page could not be checked as a whole: {agree}",
                "Not checked, so that a reader may see something else: "
                f"{'; '.join(_few(self.unchecked))}.",
            )
        n_wrong = sum(bool(check.problems) for check in self.checks)
        if not n_wrong:
            return (
                "The report does not hold: its results agree with the data, but other parts of the "
                "page do not.",
            )
        return (
            f"The report does not hold: {n_wrong} of {results} "
            f"{'differs' if n_wrong == 1 else 'differ'} from what was recomputed, or "
            f"{'is' if n_wrong == 1 else 'are'} not shown correctly.",
        )

    def __repr__(self) -> str:
        unsure = "results hold" if self.unchecked else "holds"
        outcome = "does not hold" if self.all_problems or self.changed else unsure
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
        is_said = bool(self.all_problems or self.changed)
        unchecked = [f"Not checked: {text}." for text in self.unchecked if is_said]
        told = (
            *unchecked,
            *(text for check in self.checks for text in check.remarks),
            *self.remarks,
        )
        return (
            Prose(self.sentences),
            *_list("problem", self.all_problems),
            Table(columns, rows, caption="Recomputed from the data: the results of the report"),
            *self._since_export(),
            *_list("remark", tuple(dict.fromkeys(told))),
        )

    def _since_export(self) -> Iterator[Part]:
        """Tell what the digests say, and what they cannot."""
        if not self.unchanged and not self.changed:
            return
        unchanged = self.unchanged or "nothing"
        yield Prose((f"Unchanged since export (by digests, not recomputed): {unchanged}.",))
        if self.changed:
            yield Prose((f"Changed since export ({len(self.changed)}):",))
            yield from _list("changed", self.changed)
        else:
            yield Prose(("Changed since export: nothing.",))
        yield Prose((_LIMIT,))


def _few(texts: tuple[str, ...]) -> tuple[str, ...]:
    if len(texts) <= _MOST:
        return texts
    return (*texts[:_MOST], f"and {len(texts) - _MOST} more of this kind")


def _list(code: str, texts: tuple[str, ...]) -> tuple[Part, ...]:
    return (Notes(tuple(Note(code, text) for text in texts)),) if texts else ()
