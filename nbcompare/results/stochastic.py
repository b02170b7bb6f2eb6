"""The result of comparing stochastic algorithms by repeated runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbcompare._options import MAXIMIZE
from nbcompare._render import MOST_ROWS, Column, Table, plural
from nbcompare._validation import check_choice
from nbcompare.results import stochastic_account as account
from nbcompare.results._columns import frame_of_cells, table_of
from nbcompare.results._findings import NOT_EQUAL
from nbcompare.results._methods import Cited, settings
from nbcompare.results._result import Result, Sections
from nbcompare.results.imprecise import (
    INCONCLUSIVE,
    OUTCOMES,
    REJECTED,
    ImpreciseHypotheses,
    interval,
)
from nbcompare.results.labelled import Labelled
from nbcompare.results.letters import SECTION, Letters, letters_of, not_with
from nbcompare.results.wording import joined
from nbcompare.words import ENCODINGS, IMPRECISE_TESTS, PROCEDURES, STOCHASTIC_PROCEDURES

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class StochasticComparison(Result):
    """A comparison of stochastic algorithms, whose hypotheses may be inconclusive.

    :func:`nbcompare.compare_stochastic` returns it; it displays itself.

    Attributes
    ----------
    procedure : {"bootstrap-a", "bootstrap-b", "interval", "fuzzy"}
        How the repeated runs enter the test.
    test : str or None
        The test of a pair that is extended to intervals; None for the bootstrap tests.
    encoding : str
        How the runs of a fold are consolidated.
    coverage : float or None
        Coverage of the intervals; None if the encoding has none.
    blocks : {"datasets", "folds"}
        The blocks on which the algorithms are compared.
    control : str or None
        The algorithm that all others are compared with; None for all pairs.
    adjust : tuple of str
        Adjustment procedures; the first decides. Empty: raw p-values.
    alpha : float
        Level of the family-wise error, or of the false discovery rate.
    method : {"exact", "resampling"}
        How p was computed.
    n_resamples : int or None
        Number of random draws; None for exact p-values.
    formulas, missing : str
        The options used.
    by_ranks : bool
        True if runs count by their relative ranks: the share of all runs of the fold with smaller
        scores, with half of those that tie. Means and differences are then those of these shares.
    mean_low, mean_high : mapping of str to float
        Ends of the mean over the blocks, by algorithm, in units of the measure; of relative ranks
        if ``by_ranks``.
    deterministic : tuple of str
        Algorithms with one value per fold, whose scores stay points.
    overall : ImpreciseHypotheses or None
        Comparisons of each of three or more algorithms with the mean of all, by the bootstrap
        tests; None for other procedures.
    hypotheses : ImpreciseHypotheses
        The hypotheses, one per pair, or per algorithm except the control.
    groups : tuple of tuple of str, or None
        Maximal sets of algorithms in which every pair is ``not significant``, best first;
        empty with a control. None if there are more than 200.
    open_groups : tuple of tuple of str, or None
        Maximal sets in which no pair is ``significant``, so that some may be inconclusive.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.

    Its sections are ``findings`` (the answer in a few sentences), ``pairs`` (significant ones
    first), ``means``, ``overall`` (bootstrap tests), ``hypotheses``, ``letters`` (all pairs),
    ``methods`` (a paragraph for a paper), ``notes``, ``method`` and ``references``.
    """

    procedure: str
    test: str | None
    encoding: str
    coverage: float | None
    blocks: str
    control: str | None
    adjust: tuple[str, ...]
    alpha: float
    method: str
    n_resamples: int | None
    formulas: str
    missing: str
    by_ranks: bool = False
    mean_low: Labelled[float]
    mean_high: Labelled[float]
    deterministic: tuple[str, ...]
    overall: ImpreciseHypotheses | None
    hypotheses: ImpreciseHypotheses
    groups: tuple[tuple[str, ...], ...] | None
    open_groups: tuple[tuple[str, ...], ...] | None

    @property
    def measure(self) -> str | None:
        """What means and differences are of: the measure, or the relative rank by it."""
        if not self.by_ranks:
            return self.design.measure
        return f"relative rank by {self.design.measure or 'score'}"

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms from best to worst, by the middle of their mean interval.

        Ties are in the order of the data.
        """
        sign = -1.0 if self.design.direction == MAXIMIZE else 1.0
        return tuple(
            sorted(
                self.mean_low, key=lambda name: sign * (self.mean_low[name] + self.mean_high[name])
            )
        )

    @property
    def letters(self) -> Letters:
        """Letters that algorithms share exactly if no significant difference was found.

        The difference of a pair is significant if it is ``significant``, but not if it is
        inconclusive.

        Raises
        ------
        ValueError
            If there is a control, because most pairs are not tested then.
        """
        if self.control is not None:
            raise ValueError(f"There are no letters: {self._not_there()[SECTION]}.")
        tests, means = self.hypotheses, self._means()
        different = [(tests.first[row], (tests.second or ())[row]) for row in tests.rows(REJECTED)]
        letters = letters_of(self.ordered, different)
        return Letters(
            letters=letters,
            figures=Labelled({"mean_low": self.mean_low, "mean_high": self.mean_high}),
            table=Table(
                (*means.columns[:2], Column("letters")),
                tuple((*row[:2], letters[row[0]]) for row in means.rows),
                caption=f"{means.caption}; with letters",
            ),
            basis=self._shared_letters(),
        )

    def to_frame(self, what: str = "pairs") -> pd.DataFrame:
        """Return the hypotheses as a pandas dataframe, one row each.

        Parameters
        ----------
        what : {"pairs", "overall", "cuts"}
            ``pairs``: the hypotheses on pairs. ``overall``: each algorithm against the mean of
            all (bootstrap tests only). ``cuts``: a row per pair and coverage (fuzzy p-values
            only).

        Returns
        -------
        pandas.DataFrame
            Columns first, second (pairs only), p_low, p_high, two per adjustment procedure
            (such as holm_low, holm_high), outcome, favours, difference_low,
            difference_high; for fuzzy p-values also possibility, necessity, turning,
            misbehaving (missing where no coverage is inconclusive) and midpoint. Cuts have the
            columns first, second, coverage, membership, p_low and p_high (of the deciding p).
        """
        check_choice(what, "what", ("pairs", "overall", "cuts"))
        if what == "pairs":
            return self.hypotheses.to_frame()
        if what == "overall":
            if self.overall is None:
                raise ValueError(
                    "`what` must be 'pairs': only the bootstrap tests of three algorithms or more "
                    "compare each with the mean of all, and there are "
                    f"{len(self.mean_low)}, and the procedure is {self.procedure!r}."
                )
            return self.overall.to_frame()
        return self._cuts()

    def __repr__(self) -> str:
        against = "all pairs" if self.control is None else f"control {self.control!r}"
        how = STOCHASTIC_PROCEDURES[self.procedure].label + (f" ({self.test})" if self.test else "")
        counts = ", ".join(f"{self.hypotheses.outcome.count(word)} {word}" for word in OUTCOMES)
        return (
            f"<StochasticComparison: {plural(len(self.mean_low), 'algorithm')}, "
            f"{blocks(self)}, {how}, {against}: {counts}>"
        )

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Table, ...]:
        return (self._means(), *self._overall(), self._pairs())

    def _sections(self) -> Sections:
        return {
            "pairs": lambda: self._pairs(MOST_ROWS),
            "means": self._means,
            **({} if self.overall is None else {"overall": self._overall}),
            "hypotheses": self._pairs,
            **({SECTION: lambda: self.letters.parts} if self.control is None else {}),
        }

    def _not_there(self) -> dict[str, str]:
        return {} if self.control is None else {SECTION: not_with(self.control)}

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account.findings(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return account.methods(self, cite)

    def _method(self) -> tuple[tuple[str, str], ...]:
        scores = f"{self.design.measure or 'scores'}, {self.design.better}"
        told = {**vars(self), "encoding": self.encoding_text("every" * (self.procedure == "fuzzy"))}
        more = [("deterministic algorithms", joined(self.deterministic))]
        if self.by_ranks:
            more.append(("runs count by", "relative ranks among all runs of the fold"))
        if self.test is not None:
            how = f"for all selections from the intervals{IMPRECISE_TESTS[self.test].on_halves}"
            more.append(("p", how))
        return settings(self.design, told, more, f"{scores}; {blocks(self)}")

    def encoding_text(self, coverage: str = "") -> str:
        """Return what represents the runs of a fold, at the coverage of the result or at every."""
        share = "" if self.coverage is None else f" of coverage {self.coverage:g}"
        text = " of every coverage" if coverage == "every" else share
        return ENCODINGS[self.encoding].label.format(text)

    def _shared_letters(self) -> str:
        """Explain the meaning of shared letters."""
        unsure = len(self.hypotheses.rows(INCONCLUSIVE))
        which = "One such pair is" if unsure == 1 else f"{unsure} such pairs are"
        return (
            "Algorithms that share a letter do not differ significantly "
            f"({_adjustment(self.hypotheses)}, α = {self.alpha:g}). {NOT_EQUAL}"
            f"{f' {which} inconclusive.' if unsure else ''}"
        )

    def _kind_of_scores(self, name: str) -> str:
        """Describe scores of an algorithm: a single run, deterministic, a number, an interval."""
        if self.design.n_runs == 1 and self.mean_low[name] == self.mean_high[name]:
            return "single run"
        if name in self.deterministic:
            return "deterministic"
        return ENCODINGS[self.encoding].number or "interval"

    def _means(self) -> Table:
        names, measure = self.ordered, self.measure or "score"
        noun = measure if measure.startswith("mean ") else f"mean {measure}"
        means = [interval(self.mean_low[name], self.mean_high[name]) for name in names]
        caption = f"Means over {blocks(self)}, best first; {self.design.better}"
        kinds = {"is": map(self._kind_of_scores, names)}
        return table_of({"algorithm": names}, {noun: means}, caption, last=kinds)

    def _overall(self) -> tuple[Table, ...]:
        if self.overall is None:
            return ()
        caption = (
            "Null hypotheses that an algorithm performs as well as the mean of all "
            f"({_adjustment(self.overall)}, α = {self.alpha:g}); differences are "
            f"{self.design.minus('algorithm', 'mean of all')} (> 0: the algorithm is better)"
        )
        return (self.overall.table(caption),)

    def _pairs(self, most: int | None = None) -> Table:
        return self.hypotheses.table(
            "Null hypotheses that two algorithms perform equally "
            f"({_adjustment(self.hypotheses)}, α = {self.alpha:g}); {self.design.better}; "
            f"differences are {self.design.minus()} (> 0: the first is better)",
            most,
        )

    def _cuts(self) -> pd.DataFrame:
        rows, fuzzy = self.hypotheses, self.hypotheses.fuzzy
        if fuzzy is None or rows.second is None:
            raise ValueError(
                "`what` must not be 'cuts': only fuzzy p-values have them, and the procedure is "
                f"{self.procedure!r}."
            )
        pairs = list(zip(rows.first, rows.second, strict=True))
        cuts = {"membership": 1 - fuzzy.coverages, "p_low": fuzzy.low, "p_high": fuzzy.high}
        frame = frame_of_cells({"pair": pairs, "coverage": fuzzy.coverages.tolist()}, cuts)
        frame.insert(0, "first", frame["pair"].str[0])
        frame.insert(1, "second", frame.pop("pair").str[1])
        return frame


def blocks(result: StochasticComparison) -> str:
    """Describe the blocks, such as ``14 data sets`` or ``10 folds of data set iris``."""
    design = result.design
    if result.blocks == "folds":
        return f"{plural(design.n_folds, 'fold')} of data set {design.datasets[0]}"
    return plural(design.n_datasets, "data set")


def _adjustment(rows: ImpreciseHypotheses) -> str:
    """Return the name of the deciding procedure."""
    return next((PROCEDURES[name].label for name in rows.adjusted_low), "no adjustment")
