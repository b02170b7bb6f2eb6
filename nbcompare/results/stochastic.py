"""The result of comparing stochastic algorithms by repeated runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._options import EXACT
from nbcompare._render import MOST_ROWS, Table, format_p, plural, stated_p
from nbcompare._validation import check_choice
from nbcompare.results._result import Result, Sections
from nbcompare.results.imprecise import (
    INCONCLUSIVE,
    NOT_REJECTED,
    REJECTED,
    ImpreciseHypotheses,
    interval,
)
from nbcompare.results.labelled import Labelled, frame_of_cells, table_of
from nbcompare.results.sentences import Pairs, caveat, established, leader, text_of
from nbcompare.results.texts import (
    Cited,
    adjusting,
    compared_pairs,
    computed,
    missing,
    scored,
    settings,
)
from nbcompare.results.wording import (
    capital,
    counted,
    every,
    format_alike,
    joined,
    number,
    opening,
    percent,
)
from nbcompare.words import ENCODINGS, IMPRECISE_TESTS, PROCEDURES, STOCHASTIC_PROCEDURES

if TYPE_CHECKING:
    import pandas as pd

_MOST_NAMED = 3  # inconclusive pairs that are named


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
    first), ``means``, ``overall`` (bootstrap tests), ``hypotheses``, ``methods`` (a
    paragraph for a paper), ``notes``, ``method`` and ``references``.
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
        middle, sign = self._middle, float(self.design.gain_signs[0])
        return tuple(sorted(middle, key=lambda name: -sign * middle[name]))

    @property
    def _middle(self) -> dict[str, float]:
        """Twice the middle of the mean interval of each algorithm."""
        return {name: low + self.mean_high[name] for name, low in self.mean_low.items()}

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

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Table, ...]:
        return (self._means(), *self._overall(), self._pairs())

    def _sections(self) -> Sections:
        return {
            "pairs": lambda: self._pairs(MOST_ROWS),
            "means": self._means,
            **({} if self.overall is None else {"overall": self._overall}),
            "hypotheses": self._pairs,
        }

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

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return (
            (text_of(self, "folds"), self._leader(), self._established(), self._largest()),
            (self._inconclusive(), self._tell_overall(), self._firmness()),
            (self._caveat(),),
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return (
            self._compared(),
            missing(self.design),
            self._represented(cite),
            self._against_mean(cite),
            self._tested(cite),
            self._rule(),
            computed(self.design),
        )

    def _several_scales(self) -> bool:
        """Whether means are of scores that are not on one scale."""
        codes = {note.code for note in self.notes}
        return not self.by_ranks and bool(codes & {"several-scales", "scales"})

    def _leader(self) -> str:
        ordered, where = self.ordered, blocks(self, counted, "the ")
        scores = f"{self.design.measure or 'scores'}, {self.design.better}"
        if self._several_scales():
            return (
                f"{opening(len(ordered), 'algorithm')} were compared on {where} ({scores}), which "
                "are not on one scale, so that means over them do not say which algorithm is best."
            )
        digits = format_alike(np.array([*self.mean_low.values(), *self.mean_high.values()]))

        def show(name: str) -> str:
            return _range(self.mean_low[name], self.mean_high[name], digits)

        noun = "mean relative rank" if self.by_ranks else "mean"
        told = leader(noun, where, ordered, self._middle, show, f"; {scores}", self.control)
        return f"{told} {self._overlap()}".strip()

    def _overlap(self) -> str:
        """Say which means may be better than the best one, depending on the runs."""
        best, *others = self.ordered
        sign, low, high = float(self.design.gain_signs[0]), self.mean_low, self.mean_high
        least = min(sign * low[best], sign * high[best])
        close = [name for name in others if max(sign * low[name], sign * high[name]) > least]
        if not close:
            return ""
        who = joined(close) if len(close) <= _MOST_NAMED else f"{number(len(close))} of the others"
        whose = "its interval overlaps" if len(close) == 1 else "their intervals overlap"
        told = f"{capital(who)} may have a better mean, {self._depending()}"
        return f"{told}: {whose} with that of {best}."

    def _depending(self) -> str:
        """Say what a range of values comes from: repeated runs, or intervals that were given."""
        return "depending on the " + ("runs" if self._has_runs() else "values in the intervals")

    def _tested_pairs(self) -> Pairs:
        """Return the pairs as sentences tell of them; those that are rejected are found."""
        tests = self.hypotheses
        low, high = tests.decisive

        def size(row: int) -> float:
            # what is rejected is so by the upper end
            return float(high[row] if tests.outcome[row] == REJECTED else low[row])

        return Pairs(
            first=tests.first,
            second=tests.second or (),
            sides=tests.favours.tolist(),
            found=tuple(tests.rows(REJECTED)),
            control=self.control,
            ordered=self.ordered,
            text=lambda row: tests.decisive_text(row) if len(tests) == 1 else format_p(size(row)),
            size=size,
            adjusted=bool(self.adjust),
        )

    def _established(self) -> str:
        tests, pairs = self.hypotheses, self._tested_pairs()
        unsure = len(tests.rows(INCONCLUSIVE))
        if pairs.found or not unsure:
            return established(pairs, unsure)
        if len(tests) == 1:
            p = stated_p(tests.decisive_text(0))
            return (
                f"The comparison of {pairs.first[0]} and {pairs.second[0]} is inconclusive ({p})."
            )
        if unsure == len(tests):
            return f"{capital(every(unsure, 'comparison'))} are inconclusive."
        verb = "is" if unsure == 1 else "are"
        return (
            f"No significant difference was found {pairs.anywhere}; {number(unsure)} of the "
            f"{counted(len(tests), 'comparison')} {verb} inconclusive."
        )

    def _largest(self) -> str:
        tests, pairs = self.hypotheses, self._tested_pairs()
        rows = [row for row in pairs.found if pairs.sides[row]]
        if not rows or self._several_scales():
            return ""
        middle = np.abs(tests.difference_low + tests.difference_high)
        row = max(rows, key=lambda one: float(middle[one]))
        low, high = float(tests.difference_low[row]), float(tests.difference_high[row])
        ends = sorted((abs(low), abs(high)))
        size = _range(ends[0], ends[1], format_alike(np.array(ends)))
        size += f" ({self.measure})" if self.measure else ""
        runs = "" if ends[0] == ends[1] else f", {self._depending()}"
        better, worse = pairs.better_first(row)
        what = "This difference of means is"
        if len(pairs) > 1:
            which = "largest significant" if len(pairs.found) > 1 else "significant"
            what = f"The {which} difference of means, {better} over {worse}, is"
        return f"{what} {size}{runs}; this procedure has no confidence interval for it."

    def _inconclusive(self) -> str:
        """Say why comparisons are inconclusive, and which, if they are few."""
        tests = self.hypotheses
        rows = tests.rows(INCONCLUSIVE)
        if not rows:
            return ""
        why = "the intervals are so wide that some of their values"
        if self._has_runs():
            why = "the runs vary so much that some values from their intervals"
        why += " give a significant difference, and others do not"
        if len(tests) == 1:
            return f"{capital(why)}."
        if len(rows) > _MOST_NAMED:
            return f"Inconclusive means that {why}."
        second = tests.second or ()
        named = joined([f"{tests.first[row]} against {second[row]}" for row in rows])
        return f"Inconclusive {'is' if len(rows) == 1 else 'are'} {named}: {why}."

    def _tell_overall(self) -> str:
        """Say what comparisons with the mean of all found, and why they differ from the pairs."""
        rows, found = self.overall, self.hypotheses.rows(REJECTED)
        if rows is None:
            return ""
        told = []
        for side, word in ((1, "better"), (-1, "worse")):
            different = [row for row in rows.rows(REJECTED) if rows.favours[row] == side]
            if different:
                names = joined([rows.first[row] for row in different])
                verb = "are" if len(different) > 1 else "is"
                told.append(f"{names} {verb} significantly {word}")
        if told:
            text = f"Compared with the mean of all algorithms, {joined(told)}"
            if found:
                return f"{text}."
            return f"{text}, although no pair differs significantly."
        none = "No algorithm differs significantly from the mean of all, although pairs do."
        return none if found else ""

    def _firmness(self) -> str:
        """Say how much the decisions depend on what represents the runs."""
        fuzzy = self.hypotheses.fuzzy
        if fuzzy is not None:
            m, turning = len(self.hypotheses), sum(one is not None for one in fuzzy.turning)
            if not turning:
                return "Firm: no conclusion depends on how many of the runs are disregarded."
            if m == 1:
                return "The conclusion holds only if some of the runs are disregarded."
            told = f"{number(turning)} {'holds' if turning == 1 else 'hold'}"
            return (
                f"Of the {counted(m, 'conclusion')}, {told} only if some of the runs are "
                "disregarded."
            )
        if self.coverage is None or not self._has_runs():
            return ""
        part = "the middle" if self.encoding == "central" else "the densest"
        block = "fold" if self.design.n_folds > 1 else "data set"
        return (
            "The answer depends on how much of the runs is taken into account: here it is "
            f"{part} {percent(self.coverage)} of the runs of each {block}, and with more of them "
            "more comparisons may become inconclusive."
        )

    def _has_runs(self) -> bool:
        return self.design.n_runs > 1 and len(self.deterministic) < len(self.mean_low)

    def _caveat(self) -> str:
        """Return the note that matters most; else what no rejection means."""
        if told := caveat(self, but=("folds",)):  # which comes first
            return told
        if NOT_REJECTED not in self.hypotheses.outcome:
            return ""
        return "Read with care: No significant difference does not mean equal performance."

    def _compared(self) -> str:
        k = counted(len(self.mean_low), "algorithm")
        per = "fold" if self.design.n_folds > 1 else "data set"
        runs = ""
        if self.design.n_runs > 1:
            runs = f", with {counted(*self.design.repeated[-1])} per {per}"
        return f"We compared {k} on {blocks(self, counted, 'the ')} by {scored(self.design)}{runs}."

    def _represented(self, cite: Cited) -> str:
        if not self._has_runs():
            if np.array_equal(*self.hypotheses.decisive):
                return ""
            return "Scores are intervals, and it is not known which of their values hold."
        per = "fold" if self.design.n_folds > 1 else "data set"
        encoding = ENCODINGS[self.encoding]
        label = self.encoding_text("every" * (self.procedure == "fuzzy"))
        text = f"The runs of each {per} were represented by {label}{cite(*encoding.cites)}"
        if self.blocks == "datasets" and self.design.n_folds > 1:
            what = "averaged" if encoding.number else "whose ends were averaged"
            text += f", {what} over {counted(*self.design.repeated[0])}"
        if fixed := self.deterministic:
            text += f"; the scores of {joined(fixed)}, with one run each, stayed points"
        if self.by_ranks:
            text += ". Runs count by their relative rank among those of all algorithms on the same "
            text += per
        return f"{text}."

    def _against_mean(self, cite: Cited) -> str:
        if self.overall is None:
            return ""
        procedure = STOCHASTIC_PROCEDURES[self.procedure]
        blocks = "folds" if self.blocks == "folds" else "data sets"
        return (
            f"Each algorithm was compared with the mean of all by the {procedure.label} "
            f"test{cite(*procedure.cites)}, which permutes the algorithms within {blocks}."
        )

    def _tested(self, cite: Cited) -> str:
        procedure, m = STOCHASTIC_PROCEDURES[self.procedure], len(self.hypotheses)
        if self.test is None and self.overall is None:
            test = f"the {procedure.label} test{cite(*procedure.cites)} with sign flips"
        elif self.test is None:
            test = "the same test with sign flips of their differences"
        else:
            of_pair = IMPRECISE_TESTS[self.test]
            if np.array_equal(*self.hypotheses.decisive) and not self._has_runs():
                test = f"{of_pair.label}{cite(*of_pair.cites, *procedure.cites)}"
            else:
                test = f"{of_pair.label}{cite(*of_pair.cites)} for all values from these intervals"
                test += f", with {procedure.label}{cite(*procedure.cites)}"
        law = "exact p-values"
        if self.method != EXACT:
            law = f"p-values from {self.n_resamples:,} random draws"
        adjusted = adjusting(self.adjust, self.control, self.alpha, m, cite)
        return f"{compared_pairs(m, self.control)} by {test} ({law}, two-sided){adjusted}."

    def _rule(self) -> str:
        tests = self.hypotheses
        if tests.fuzzy is None and np.array_equal(*tests.decisive):
            return ""
        p = "adjusted p" if self.adjust and len(tests) > 1 else "p"
        what = "A p-value is then an interval"
        if tests.fuzzy is not None:
            what = "A p-value is then a fuzzy set, whose interval at coverage "
            what += f"{self.coverage:g} decides"
        return (
            f"{what}: a difference is significant if the whole interval of the {p} is at most "
            f"{self.alpha:g}, and inconclusive if only a part of it is."
        )


def blocks(
    result: StochasticComparison, count: Callable[[int, str], str] = plural, the: str = ""
) -> str:
    """Describe the blocks, such as ``14 data sets`` or ``10 folds of data set iris``."""
    design = result.design
    if result.blocks == "folds":
        return f"{count(design.n_folds, 'fold')} of {the}data set {design.datasets[0]}"
    return count(design.n_datasets, "data set")


def _adjustment(rows: ImpreciseHypotheses) -> str:
    """Return the name of the deciding procedure."""
    return next((PROCEDURES[name].label for name in rows.adjusted_low), "no adjustment")


def _range(low: float, high: float, show: Callable[[float], str]) -> str:
    ends = show(low), show(high)
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)
