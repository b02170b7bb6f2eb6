"""The result of recommending tests for an experiment, with reasons and sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbcompare._options import AUTO
from nbcompare._render import Note, Notes, Part, Prose, Table, plural
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import frame_of, table_of
from nbcompare.words import (
    CHOICES,
    PAIRWISE_TESTS,
    PROCEDURES,
    RANKINGS,
    TREATMENTS,
    choices_in,
    cited,
    short_citation,
)

if TYPE_CHECKING:
    import pandas as pd


_LEAD = "Other questions that these data can answer, each with what answers it:"


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
        What does the same in a shell, with ``SCORES`` for the data; may be empty.
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
    questions: Sequence[OtherQuestion], *, with_code: bool = True
) -> tuple[Part, ...]:
    """Return a paragraph for each question; with code also what to type, and what to choose."""
    if not questions:
        return ()
    parts: list[Part] = [Prose((_LEAD if with_code else f"{_LEAD.partition(',')[0]}.",))]
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


@dataclass(frozen=True, slots=True)
class Reason(Sourced):
    """The reason for a recommended option.

    Attributes
    ----------
    code : str
        Code for programs to test for.
    text : str
        Text for readers.
    source : str
        Key of its source, which :attr:`Recommendation.references` gives in full.
    """

    code: str
    text: str
    source: str


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Recommendation(Result):
    """Recommended options of :func:`nbcompare.compare` for an experiment, with reasons.

    :func:`nbcompare.recommend` returns it; it displays itself. Its sections are ``choices``,
    ``findings``, ``reasons``, ``questions``, ``notes``, ``method`` and
    ``references``.

    Attributes
    ----------
    ranking, pairs, adjust, missing : str
        The options recommended.
    control : str or None
        The control that was asked for.
    alpha : float
        Significance level at which the design is judged.
    n_hypotheses : int
        Number of pairs that will be tested.
    strength : {"weak", "adequate", "strong"}
        Strength of the design, that is, its chance of finding differences.
    reasons : tuple of Reason
        Reasons for the choices, each with a ``code``, a ``text`` and a ``source``.
    questions : tuple of OtherQuestion
        Other questions that these data can answer, each with ``asks``, ``text``, ``source``, and
        the ``call``, ``command`` and ``magic`` that answer it.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    ranking: str
    pairs: str
    adjust: str
    missing: str
    control: str | None
    alpha: float
    n_hypotheses: int
    strength: str
    reasons: tuple[Reason, ...]
    questions: tuple[OtherQuestion, ...]

    @property
    def options(self) -> dict[str, Any]:
        """Keyword arguments for ``compare(experiment, **recommendation.options)``."""
        names = ("ranking", "control", "pairs", "adjust", "alpha", "missing")
        if self.design.unit == "items":  # which leave no choice
            return {"control": self.control, "alpha": self.alpha}
        scale = self.design.options.get("scale", AUTO)
        stated = {} if scale == AUTO else {"scale": scale}
        return {name: getattr(self, name) for name in names} | stated

    @property
    def call(self) -> str:
        """The recommended call, as code."""
        given = {name: value for name, value in self.options.items() if value is not None}
        keywords = ", ".join(f"{name}={value!r}" for name, value in given.items())
        return f"compare(experiment, {keywords})"

    def _account(self) -> tuple[tuple[str, ...], ...]:
        design, test = self.design, PAIRWISE_TESTS[self.pairs].recommended
        family = "all pairs" if self.control is None else f"the control {self.control}"
        if self.control == "best" and "best" not in design.algorithms:
            family = "the best ranked with the others, out of all pairs"
        sizes = (
            f"For {plural(len(design.algorithms), 'algorithm')} on "
            f"{plural(design.n_datasets, 'data set')}"
        )
        what = (
            f"{sizes} ({family}, {plural(self.n_hypotheses, 'hypothesis')}): compare by "
            f"{RANKINGS[self.ranking].ranks}, test pairs by {test}, adjust by "
            f"{PROCEDURES[self.adjust].label}."
        )
        if self.n_hypotheses == 1:
            what = f"{sizes}: test the one pair by {test}."
        strength = f"The design is {self.strength}."
        if self.design.unit == "items":
            items = "Items are compared on each benchmark and over all, without a choice of tests."
            others = f"To conclude for other benchmarks, take these as data sets: f{what[1:]}"
            return ((items,), (others, strength))
        return ((what, strength),)

    @property
    def references(self) -> tuple[str, ...]:
        """References for the reasons, sorted by author."""
        parts = (*self.reasons, *self.questions)
        return cited(part.source for part in parts)

    def to_frame(self) -> pd.DataFrame:
        """Return the reasons as a pandas dataframe, one row each.

        Returns
        -------
        pandas.DataFrame
            Columns code, text and source (a short citation), in the order of ``reasons``.
        """
        names = {"code": "code", "text": "text", "source": "cited"}
        return frame_of(
            {name: [getattr(one, of) for one in self.reasons] for name, of in names.items()}
        )

    def _tables(self) -> tuple[Part, ...]:
        return (self._choices(), self._reasons())

    def _first_rows(self) -> tuple[Part, ...]:
        return (*self._tables(), *parts_of_questions(self.questions))

    def _parts(self) -> tuple[Part, ...]:
        return (*super()._parts(), Prose((self.call,)))

    def _sections(self) -> Sections:
        return {
            "choices": self._choices,
            "reasons": self._reasons,
            "questions": lambda: parts_of_questions(self.questions, with_code=False),
        }

    def _sources(self) -> tuple[str, ...]:
        """Return the references only; the data are not cited, because no algorithm is compared."""
        return self.references

    def _choices(self) -> Table:
        chosen = {
            "ranking": RANKINGS[self.ranking].ranks,
            "pairs": PAIRWISE_TESTS[self.pairs].recommended,
            "adjust": PROCEDURES[self.adjust].label,
            "missing": TREATMENTS[self.missing].settled,
        }
        values = [getattr(self, name) for name in chosen]
        columns = {"option": chosen, "value": values, "meaning": chosen.values()}
        return table_of(columns, {}, "Recommended options")

    def _reasons(self) -> Notes:
        """Return the reasons as notes, because they are too long for the cells of a table."""
        return Notes(tuple(Note(one.code, f"{one.text} ({one.cited})") for one in self.reasons))
