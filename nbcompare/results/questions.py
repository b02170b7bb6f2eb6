"""Questions that data can answer, each with what to type for the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from nbcompare._render import Note, Part, Prose, plural
from nbcompare.results._columns import frame_of
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import Design
from nbcompare.words import CHOICES, choices_in, cited, short_citation

if TYPE_CHECKING:
    import pandas as pd

_LEAD = "Other questions that these data can answer, each with what answers it:"
_LEAD_ALONE = "Questions that these data can answer, each with what answers it:"


class Sourced:
    """Mixin of records with the key of a source."""

    __slots__ = ()
    source: str

    @property
    def cited(self) -> str:
        """Citation of the source in a text, such as ``García and Herrera 2008``."""
        return short_citation(self.source)


@dataclass(frozen=True, slots=True)
class OtherQuestion(Sourced):
    """A question that the data can answer.

    Attributes
    ----------
    code : str
        Code for programs to test for.
    asks : str
        The question.
    text : str
        What the answer says, and what it does not.
    call : str
        Code that answers it. Words in capitals stand for what the reader must choose.
    command : str
        What does the same in a shell, with ``SCORES`` or ``LOGS`` for the data; may be empty.
    magic : str
        What does the same in a notebook; may be empty.
    source : str
        Key of its source.
    """

    code: str
    asks: str
    text: str
    call: str
    command: str
    magic: str
    source: str

    @property
    def code_to_type(self) -> str:
        """The call, and the magic if there is one."""
        return " or ".join(filter(None, (self.call, self.magic)))


def parts_of_questions(
    questions: Sequence[OtherQuestion], *, with_code: bool = True, lead: str = _LEAD
) -> tuple[Part, ...]:
    """Return a paragraph for each question; with code also what to type, and what to choose."""
    if not questions:
        return ()
    parts: list[Part] = [Prose((lead if with_code else f"{lead.partition(',')[0]}.",))]
    for each in questions:
        parts.append(Prose((each.asks, f"{each.text} ({each.cited})")))
        parts += [Prose((each.code_to_type,))] if with_code else []
    chosen = choices_in(each.call for each in questions)
    if with_code and chosen:
        words: dict[str, list[str]] = {}  # some share a meaning
        for word in chosen:
            words.setdefault(CHOICES[word], []).append(word)
        told = "; ".join(f"{', '.join(same)}: {meaning}" for meaning, same in words.items())
        parts.append(Prose((f"Words in capitals are for you to choose. {told}.",)))
    return tuple(parts)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Questions(Result):
    """Questions that histories can answer, with what to type for each.

    :func:`nbcompare.recommend_histories` returns it; it displays itself. Its sections are
    ``findings``, ``questions``, ``notes``, ``method`` and ``references``.

    Attributes
    ----------
    questions : tuple of OtherQuestion
        The questions, each with ``asks``, ``text``, ``source``, and the ``call``, ``command`` and
        ``magic`` that answer it.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    questions: tuple[OtherQuestion, ...]
    notes: tuple[Note, ...]
    design: Design

    def _account(self) -> tuple[tuple[str, ...], ...]:
        design = self.design
        told = (
            f"The histories of {plural(len(design.algorithms), 'algorithm')} on "
            f"{plural(design.n_datasets, 'problem')} can answer "
            f"{plural(len(self.questions), 'question')}; which is the right one depends on what is "
            "to be known."
        )
        return ((told,),)

    @property
    def references(self) -> tuple[str, ...]:
        """References for the questions, sorted by author."""
        return cited(each.source for each in self.questions)

    def to_frame(self) -> pd.DataFrame:
        """Return the questions as a pandas dataframe.

        Returns
        -------
        pandas.DataFrame
            Columns code, asks, text, source, call, command, magic.
        """
        names = ("code", "asks", "text", "cited", "call", "command", "magic")
        columns = {name: [getattr(each, name) for each in self.questions] for name in names}
        return frame_of(columns).rename(columns={"cited": "source"})

    def __repr__(self) -> str:
        return f"<Questions: {', '.join(each.code for each in self.questions)}>"

    def _tables(self) -> tuple[Part, ...]:
        return parts_of_questions(self.questions, lead=_LEAD_ALONE)

    def _sections(self) -> Sections:
        asked = partial(parts_of_questions, self.questions, with_code=False, lead=_LEAD_ALONE)
        return {"questions": asked}

    def _sources(self) -> tuple[str, ...]:
        """Return the references only; the data are not cited, because nothing is computed."""
        return self.references
