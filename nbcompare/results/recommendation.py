"""The result of recommending tests for an experiment, with reasons and sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbcompare._options import AUTO
from nbcompare._render import Note, Notes, Part, Prose, Table, plural
from nbcompare.results._columns import frame_of, table_of
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import Design
from nbcompare.results.questions import OtherQuestion, Sourced, parts_of_questions
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES, RANKINGS, TREATMENTS, cited

if TYPE_CHECKING:
    import pandas as pd


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


@dataclass(frozen=True, slots=True)
class OtherChoice(Sourced):
    """Another choice that the literature defends, with what speaks for it.

    Attributes
    ----------
    option, value : str
        The option of :func:`nbcompare.compare` and its value.
    text : str
        Text for readers.
    source : str
        Key of its source.
    """

    option: str
    value: str
    text: str
    source: str


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Recommendation(Result):
    """Recommended options of :func:`nbcompare.compare` for an experiment, with reasons.

    :func:`nbcompare.recommend` returns it; it displays itself. Its sections are ``choices``,
    ``findings``, ``reasons``, ``alternatives``, ``questions``, ``notes``, ``method`` and
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
    alternatives : tuple of OtherChoice
        Other choices that the literature defends, each with ``option``, ``value``, ``text`` and
        ``source``. They are to be chosen before the results are seen.
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
    alternatives: tuple[OtherChoice, ...]
    questions: tuple[OtherQuestion, ...]
    notes: tuple[Note, ...]
    design: Design

    @property
    def options(self) -> dict[str, Any]:
        """Keyword arguments for ``compare(experiment, **recommendation.options)``."""
        names = ("ranking", "control", "pairs", "adjust", "alpha", "missing")
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
        return ((what, f"The design is {self.strength}."),)

    @property
    def references(self) -> tuple[str, ...]:
        """References for the reasons, sorted by author."""
        parts = (*self.reasons, *self.alternatives, *self.questions)
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

    def __repr__(self) -> str:
        return (
            f"<Recommendation: ranking {self.ranking!r}, pairs {self.pairs!r}, "
            f"adjust {self.adjust!r}, missing {self.missing!r}; {self.strength} design>"
        )

    def _tables(self) -> tuple[Part, ...]:
        return (self._choices(), self._reasons())

    def _first_rows(self) -> tuple[Part, ...]:
        more = (*self._alternatives(), *parts_of_questions(self.questions))
        return (*self._tables(), *more)

    def _parts(self) -> tuple[Part, ...]:
        return (*super()._parts(), Prose((self.call,)))

    def _sections(self) -> Sections:
        return {
            "choices": self._choices,
            "reasons": self._reasons,
            "alternatives": self._alternatives,
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

    def _alternatives(self) -> tuple[Part, ...]:
        """Return the alternatives, with a warning about choosing among them afterwards."""
        if not self.alternatives:
            return ()
        lead = (
            "Other choices that can be defended, if they are made before the results are seen: to "
            "choose among them afterwards would raise the error rate."
        )
        told = (
            Note(f"{other.option}-{other.value}", f"{other.text} ({other.cited})")
            for other in self.alternatives
        )
        return (Prose((lead,)), Notes(tuple(told)))
