"""The result of comparing algorithms by their ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbcompare._render import (
    Column,
    Note,
    Part,
    Prose,
    Table,
    format_number,
    plural,
)
from nbcompare.results import wording
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import Design
from nbcompare.results.hypotheses import Hypotheses, OmnibusResult, omnibus_table
from nbcompare.results.labelled import Labelled
from nbcompare.results.letters import SECTION, Letters, letters_of, not_with
from nbcompare.words import OMNIBUS, PAIRWISE_TESTS, PROCEDURES, cited

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparison(Result):
    """A comparison of algorithms by their ranks, with post-hoc tests of pairs.

    :func:`nbcompare.compare` and :func:`nbcompare.compare_ranks` return it; it displays
    itself. Its sections are ``ranks``, ``omnibus``, ``hypotheses``, for all pairs also
    ``letters``, then ``conclusions``, ``method`` and ``references``.

    Attributes
    ----------
    ranking, pairs, missing, formulas : str
        The options used.
    control : str or None
        The algorithm that all others are compared with; None for all pairs.
    adjust : tuple of str
        Adjustment procedures; the first decides. Empty: raw p-values.
    alpha : float
        Level of the family-wise error, or of the false discovery rate if the first procedure
        controls that; a hypothesis is rejected if its p <= alpha.
    average_ranks : mapping of str to float
        Average ranks by algorithm, in the order of the data; lower is better. They lie between
        1 and the number of algorithms, except aligned ranks, which rank all scores together.
    standard_error : float or None
        Standard error of a difference of two average ranks; None if it depends on the pair,
        as it does with missing scores.
    omnibus : mapping of str to OmnibusResult
        Omnibus tests: ``friedman`` and ``iman-davenport``, or ``aligned``, ``quade``,
        ``skillings-mack``; then ``anova`` if pairs are tested by t. The last one decides.
    hypotheses : Hypotheses
        The hypotheses, one per pair, sorted by p.
    groups : tuple of tuple of str, or None
        Maximal sets of algorithms without a significant difference in any pair, best first;
        empty with a control. None if there are more than 200.
    critical_difference : float or None
        Critical difference of average ranks; None unless pairs are tested by average ranks
        and the deciding procedure has one (single step).
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    mean_scores : mapping of str to float, or None
        Mean scores over data sets, in units of the measure; None if only average ranks were
        given.
    """

    ranking: str
    pairs: str
    control: str | None
    adjust: tuple[str, ...]
    alpha: float
    missing: str
    formulas: str
    average_ranks: Labelled[float]
    standard_error: float | None
    omnibus: Labelled[OmnibusResult]
    hypotheses: Hypotheses
    groups: tuple[tuple[str, ...], ...] | None
    critical_difference: float | None
    notes: tuple[Note, ...]
    design: Design
    mean_scores: Labelled[float] | None = None

    @property
    def has_gaps(self) -> bool:
        """Return whether scores are missing on the data sets that were ranked."""
        return self.design.n_missing > 0

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms from best to worst average rank; ties in the order of the data."""
        return tuple(sorted(self.average_ranks, key=self.average_ranks.__getitem__))

    @property
    def procedure(self) -> str:
        """Name of the deciding procedure, for the text of a paper."""
        if not self.adjust:
            return "no adjustment"
        return PROCEDURES[self.adjust[0]].label_with(self.control)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on what was tested, on which data, and what was found, for a paper."""
        return wording.comparison_sentences(self)

    @property
    def references(self) -> tuple[str, ...]:
        """References for the procedures used, sorted by author."""
        keys = {"demsar2006", *PAIRWISE_TESTS[self.pairs].cites}
        for name in self.omnibus:
            keys.update(OMNIBUS[name].cites)
        for name in self.adjust:
            keys.update(PROCEDURES[name].cites)
        if self.formulas == "corrected":
            keys.add("conover1999")
        if self.control is None:
            keys.add("garcia2008")
        if self.hypotheses.effect_size is not None:
            keys.add("kerby2014")
        return cited(keys)

    @property
    def letters(self) -> Letters:
        """Letters that algorithms share exactly if no significant difference was found.

        Raises
        ------
        ValueError
            If there is a control, because most pairs are not tested then.
        """
        if self.control is not None:
            raise ValueError(f"There are no letters: {self._not_there()[SECTION]}.")
        tests = self.hypotheses
        pairs = zip(tests.first, tests.second, tests.rejected, strict=True)
        letters = letters_of(self.ordered, ((a, b) for a, b, rejected in pairs if rejected))
        noun = wording.average_rank(self)
        rows = tuple((*row, letters[row[0]]) for row in self._ranks().rows)
        columns = (*self._ranks().columns, Column("letters"))
        caption = f"{noun.capitalize()}s, best first, and letters"
        return Letters(
            letters=letters,
            figures=Labelled({"average_rank": self.average_ranks}),
            table=Table(columns, rows, caption=caption),
            basis=wording.shared_letters(self),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the hypotheses as a pandas dataframe, one row each.

        Returns
        -------
        pandas.DataFrame
            Columns first, second, statistic, pvalue, log10_pvalue, effect_size, wins,
            ties, losses, mean_difference (the last five only if scores were given), one
            column of adjusted p-values per procedure, and rejected.
        """
        return self.hypotheses.to_frame()

    def __repr__(self) -> str:
        against = "all pairs" if self.control is None else f"control {self.control!r}"
        return (
            f"<Comparison: {plural(len(self.average_ranks), 'algorithm')}, "
            f"{plural(self.design.n_datasets, 'data set')}, {against}, {self.procedure}, "
            f"{int(self.hypotheses.rejected.sum())} of "
            f"{plural(len(self.hypotheses), 'hypothesis')} rejected>"
        )

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Part, ...]:
        return (self._ranks(), self._omnibus(), self._hypotheses())

    def _sections(self) -> Sections:
        letters = {SECTION: lambda: self.letters.parts} if self.control is None else {}
        return {
            "ranks": lambda: (self._ranks(),),
            "omnibus": lambda: (self._omnibus(),),
            "hypotheses": lambda: (self._hypotheses(),),
            **letters,
        }

    def _not_there(self) -> dict[str, str]:
        return {} if self.control is None else {SECTION: not_with(self.control)}

    def _parts(self) -> tuple[Part, ...]:
        return (
            Prose(self.sentences),
            self._ranks().cut(),
            self._hypotheses().cut(),
            *self._notes(),
        )

    def _ranks(self) -> Table:
        rows = tuple((name, format_number(self.average_ranks[name], 3)) for name in self.ordered)
        noun = wording.average_rank(self)
        columns = (Column("algorithm"), Column(noun, number=True))
        return Table(columns, rows, caption=f"{noun.capitalize()}s, best first")

    def _omnibus(self) -> Table:
        return omnibus_table(self.omnibus.items())

    def _hypotheses(self) -> Table:
        statistic = PAIRWISE_TESTS[self.pairs].statistic
        return self.hypotheses.table(
            f"Null hypotheses that two algorithms perform equally ({self.procedure}, "
            f"α = {self.alpha:g}); {statistic} > 0: the first is better",
            statistic,
        )

    def _method(self) -> tuple[tuple[str, str], ...]:
        return wording.comparison_method(self)
