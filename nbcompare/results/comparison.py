"""The result of comparing algorithms by their ranks, its paragraph on methods, and its letters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._options import TWO_SIDED
from nbcompare._render import (
    MOST_ROWS,
    Note,
    Notes,
    Part,
    Table,
    format_number,
    format_p,
    plural,
    stated_p,
)
from nbcompare.results._result import Sections
from nbcompare.results.findings import Compared, account
from nbcompare.results.hypotheses import omnibus_table, statistic_text, win_tie_loss
from nbcompare.results.labelled import Labelled, significant, table_of
from nbcompare.results.sentences import NOT_EQUAL, claims, level_text
from nbcompare.results.texts import (
    Cited,
    Uncited,
    adjusting,
    averaged,
    compared_pairs,
    missing,
    missing_scores,
    null_hypothesis,
    on_methods,
    settings,
)
from nbcompare.results.wording import counted, in_measure, joined
from nbcompare.words import CITATIONS, OMNIBUS, P_LAWS, PAIRWISE_TESTS, RANKINGS

if TYPE_CHECKING:
    import pandas as pd


_LAWS = {"exact": "exact p-values", "normal": "p-values by the normal law", "t": ""}


def treatment_of_ties(*results: Compared) -> str:
    """Say whether the formulas are corrected for ties; nothing if no ranks tie."""
    if all(result.tied is False for result in results):
        return ""
    no = "" if results[0].formulas == "corrected" else "not "
    return f"{no}corrected for ties"


def methods_sentences(comparison: Compared, cite: Cited | None = None) -> tuple[str, ...]:
    """Return the sentences of the paragraph, without references unless ``cite`` numbers them."""
    cite, result, design = cite or Uncited(), comparison, comparison.design
    test, n_pairs = PAIRWISE_TESTS[result.pairs], len(result.hypotheses)
    m, control = result.n_pooled or n_pairs, result.family_control
    several = result.control is None and len(result.average_ranks) > 2
    gaps = counted(design.n_missing, "score").capitalize()
    return on_methods(
        "comparison",
        result,
        cite,
        scores="their published average ranks" if not design.direction else averaged(design),
        of_all_pairs=lambda: _of_all_pairs(cite) if several else "",
        gaps=None if missing(design) or not result.has_gaps else gaps,
        any_difference=lambda: omnibus_sentence(result, cite),
        compared=compared_pairs(n_pairs, result.control),
        test=test.recommended.replace("average rank", result.rank_name),
        cites=test.cites,
        about=", ".join(filter(None, (_LAWS[result.method], result.sides))),
        adjusted=lambda: adjusting(result.adjust, control, result.alpha, m, cite, of=result.pool),
        null=null_hypothesis(test.null),
        estimates=lambda: estimated(result, cite),
        equivalent=within_margin(result),
    )


def _of_all_pairs(cite: Cited) -> str:
    return f" and, for all pairs, by García and Herrera{cite('garcia2008')}"


def omnibus_sentence(result: Compared, cite: Cited, *others: Compared) -> str:
    """Say which test of any difference was made, by which ranks."""
    tests = result.omnibus
    if not tests:
        return ""
    named = joined([f"{OMNIBUS[name].statistic}{cite(*OMNIBUS[name].cites)}" for name in tests])
    exact = ["exact p-values"] if all(test.is_exact for test in tests.values()) else []
    if (ties := treatment_of_ties(result, *others)).startswith("corrected"):
        ties += cite("conover1999")
    how = ", ".join(filter(None, [ties, *exact]))
    return (
        f"With {RANKINGS[result.ranking].ranks}, the null hypothesis that all algorithms perform "
        f"equally was tested by {named}{f' ({how})' if how else ''}."
    )


def estimated(result: Compared, cite: Cited) -> str:
    """Say how differences were estimated, and what effect sizes are."""
    tests, sentences = result.hypotheses, []
    if tests.has_estimates:
        estimate = PAIRWISE_TESTS[result.pairs].estimate
        cites = PAIRWISE_TESTS[result.pairs].estimate_cites
        text = f"Differences were estimated by the {estimate}{cite(*cites)}"
        if result.confidence is not None:
            text += f", with {_intervals(result)}"
        sentences.append(f"{text}.")
    if tests.has_effects:
        what = "shares of data sets won minus shares lost"
        if tests.has_estimates:
            what = f"matched-pairs rank-biserial correlations{cite('kerby2014')}"
        sentences.append(f"Effect sizes are {what}.")
    return " ".join(sentences)


def _intervals(result: Compared) -> str:
    confidence = 1.0 if result.confidence is None else result.confidence
    if len(result.hypotheses) == 1:
        return f"a {100 * confidence:.4g} % confidence interval"
    if result.intervals == "simultaneous":
        return (
            f"confidence intervals that hold simultaneously at {100 * (1 - result.alpha):.4g} % "
            f"({100 * confidence:.4g} % each)"
        )
    return f"{100 * confidence:.4g} % confidence intervals that hold each by itself"


def within_margin(result: Compared) -> str:
    """Say what counts as equivalent; nothing without a margin."""
    if result.margin is None:
        return ""
    margin = in_measure(result.design, f"±{result.margin:g}")
    return (
        f"Two algorithms count as equivalent where the {100 * result.margin_confidence:.4g} % "
        f"interval of their difference lies strictly inside {margin}."
    )


SECTION = "letters"
_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def not_with(control: str) -> str:
    """Return the reason why a comparison with a control has no letters."""
    return (
        f"letters need the tests of all pairs, but the comparison is with the control "
        f"{control!r}. Compare all pairs with control=None"
    )


def compact_letters(different: BoolArray) -> tuple[str, ...]:
    """Return letters that rows share exactly if they do not differ significantly.

    Each pair that does not differ and has no letter yet gets one, with all rows that can join in
    the order of the rows. Then letters are left out, those of few rows first, if each of their
    pairs has another one.

    Parameters
    ----------
    different : ndarray of bool, shape (k, k)
        True where a pair differs significantly; symmetric, False on the diagonal.

    Returns
    -------
    tuple of str
        Letters of each row, in the order of the alphabet.

    Examples
    --------
    The first and the third differ, and the second differs from neither:

    >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    ('a', 'ab', 'b')
    """
    alike = ~np.asarray(different, dtype=np.bool_)
    together = np.zeros(alike.shape, dtype=np.int64)
    groups = []
    for pair in np.argwhere(np.triu(alike)):
        if together[tuple(pair)]:
            continue
        open_ = np.asarray(alike[pair].all(axis=0))
        for row in range(len(alike)):
            if open_[row]:
                open_ &= alike[row]
        groups.append(np.flatnonzero(open_).tolist())
        together[np.ix_(groups[-1], groups[-1])] += 1
    for group in sorted(groups, key=lambda group: (len(group), group)):
        block = np.ix_(group, group)
        if (together[block] > 1).all():
            together[block] -= 1
            groups.remove(group)
    few = len(groups) <= len(_ALPHABET)
    names = _ALPHABET if few else [str(number + 1) for number in range(len(groups))]
    named = list(zip(names, sorted(groups), strict=False))
    between = "" if few else " "
    rows = range(len(alike))
    return tuple(between.join(name for name, group in named if row in group) for row in rows)


_MANY = 10**9  # beyond this, numbers of sets have three digits


def n_exhaustive_sets(k: int) -> int:
    """Count the sets of null hypotheses on pairs of k algorithms of which exactly all may be true.

    Each is that of the pairs inside the groups of a partition of the algorithms (Bell's number),
    except the empty one.

    Examples
    --------
    García and Herrera (2008) obtain 51 for five algorithms:

    >>> [n_exhaustive_sets(k) for k in (2, 3, 4, 5, 9)]
    [1, 4, 14, 51, 21146]
    """
    row = [1]
    for _ in range(k - 1):
        row = list(accumulate(row, initial=row[-1]))
    return row[-1] - 1


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparison(Compared):
    """A comparison of algorithms by their ranks, with post-hoc tests of pairs.

    :func:`nbcompare.compare` and :func:`nbcompare.compare_ranks` return it; it displays
    itself. Its sections are ``findings`` (the answer in a few sentences), ``pairs`` (the table of
    pairs, significant differences first), ``ranks``, ``omnibus``, ``hypotheses``, ``rank-sums``
    (R+ and R− of Wilcoxon's tests), for all pairs also ``letters``, then ``methods`` (a paragraph
    for a paper), ``notes``, ``method`` and ``references``.

    Attributes
    ----------
    ranking, pairs, missing, formulas : str
        The options used.
    method : {"exact", "normal", "t"}
        How the p-values of pairs were computed.
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
        ``skillings-mack``; then ``anova`` if pairs are tested by t. The last one decides. Of two
        algorithms, only what tests the same as the test of the pair; none beside Wilcoxon's or the
        exchange test.
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
    n_pooled : int
        Number of hypotheses over which the p-values were adjusted, with those of other groups of
        data sets; 0 if they were adjusted by themselves.
    kendalls_w : float or None
        Kendall's coefficient of concordance, from 0 (data sets rank the algorithms at random) to 1
        (all alike), corrected for ties; None unless ranks within data sets are complete.
    tied : bool or None
        Whether ranks tie on some data set; None if that is not known, as of average ranks alone.
    why : str
        Which design was taken and why, as a sentence.
    intervals : {"simultaneous", "pairwise", "none"}
        Confidence intervals of the estimated differences, which all hold together, or each by
        itself.
    confidence : float or None
        Confidence level of each of these intervals; None if there are none.
    without_intervals : str
        Why there are no estimates of the differences, or not the intervals that were asked for;
        empty if there are.
    margin : float or None
        The option used: differences smaller than it, in units of the measure, do not matter.
    several_scales : bool
        Whether the data sets are on several scales, by their ranges of scores or as stated, so
        that means and mean differences over them mean little.
    """

    @property
    def letters(self) -> Labelled[str]:
        """Letters by algorithm, best first; numbers separated by spaces if there are more than 52.

        Two algorithms share a letter exactly if no significant difference between them was found,
        which does not mean that they perform equally. Each letter stands for a maximal set without
        a significant difference in any pair. A set gets no letter if every pair in it has another
        letter in common, so no letter is redundant. The section ``letters`` displays them.

        Raises
        ------
        ValueError
            If there is a control, because most pairs are not tested then.

        References
        ----------
        Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise
        comparisons. Journal of Computational and Graphical Statistics 13, 456-466.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> comparison = nbc.compare(nbc.datasets.load("otero2013_simulated"))
        >>> dict(comparison.letters)
        {'A1': 'a', 'A2': 'a', 'A3': 'a', 'A4': 'ab', 'A5': 'b'}
        """
        if self.control is not None:
            raise ValueError(f"There are no letters: {self._not_there()[SECTION]}.")
        names, tests = self.ordered, self.hypotheses
        different = np.zeros((len(names), len(names)), dtype=np.bool_)
        for first, second, rejected in zip(tests.first, tests.second, tests.rejected, strict=True):
            i, j = names.index(first), names.index(second)
            different[i, j] = different[j, i] = rejected
        return Labelled(zip(names, compact_letters(different), strict=True))

    def to_frame(self) -> pd.DataFrame:
        """Return the hypotheses as a pandas dataframe, one row each.

        Returns
        -------
        pandas.DataFrame
            Columns first, second, statistic, pvalue, log10_pvalue, effect_size, wins,
            ties, losses, mean_difference (the last five only if scores were given), estimate,
            lower and upper (if there are any), one column of adjusted p-values per procedure,
            rejected, and outcome (if there is a margin).
        """
        return self.hypotheses.to_frame()

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Table, ...]:
        return (self._ranks(), *self._omnibus(), pairs_table(self))

    def _sections(self) -> Sections:
        return {
            "pairs": lambda: pairs_table(self, MOST_ROWS, whole=False),
            "ranks": self._ranks,
            **({"omnibus": self._omnibus} if self.omnibus else {}),
            "hypotheses": lambda: pairs_table(self),
            **({"rank-sums": self._rank_sums} if self.pairs == "wilcoxon" else {}),
            **({SECTION: self._letters} if self.control is None else {}),
        }

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return methods_sentences(self, cite)

    def _not_there(self) -> dict[str, str]:
        pair = "of two algorithms, the test of the pair is the test of any difference"
        return {
            **({} if self.control is None else {SECTION: not_with(self.control)}),
            **({} if self.omnibus else {"omnibus": pair}),
            **({} if self.pairs == "wilcoxon" else {"rank-sums": "Wilcoxon's test has them"}),
        }

    def _first_rows(self) -> tuple[Table, ...]:
        return (self._ranks().cut(), pairs_table(self, MOST_ROWS))

    def _ranks(self, **last: Iterable[str]) -> Table:
        noun, ranks = self.rank_name, self.average_ranks
        caption = f"{noun.capitalize()}s, best first{''.join(f', and {name}' for name in last)}"
        numbers = {noun: [format_number(ranks[name], 3) for name in self.ordered]}
        return table_of({"algorithm": self.ordered}, numbers, caption, last=last)

    def _letters(self) -> tuple[Part, ...]:
        """Return the letters, with what sharing one means and the reference."""
        basis = (
            "Algorithms that share a letter do not differ significantly "
            f"({self.adjustment}, α = {self.alpha:g}). {NOT_EQUAL}"
        )
        source = Note("reference", f"Letters: {CITATIONS['piepho2004']}")
        return self._ranks(letters=self.letters.values()), Notes((Note("basis", basis), source))

    def _omnibus(self) -> tuple[Table, ...]:
        return (omnibus_table(self.omnibus.items(), self.alpha),) if self.omnibus else ()

    def _rank_sums(self) -> Table:
        """Return R+ and R− of each pair."""
        tests, sums = self.hypotheses, self.rank_sums or ()
        numbers = {
            name: [f"{value:g}" for value in part]
            for name, part in zip(("R+", "R−"), sums, strict=True)
        }
        pairs = [f"{one} – {other}" for one, other in zip(tests.first, tests.second, strict=True)]
        numbers["p"] = list(map(tests.unadjusted, range(len(tests))))
        caption = f"Wilcoxon's signed ranks ({self.p_law}, unadjusted); R+: the first is better"
        return table_of({"pair": pairs}, numbers, caption)

    def _method(self) -> tuple[tuple[str, str], ...]:
        printed = "as printed in the papers" if self.formulas == "printed" else ""
        test = PAIRWISE_TESTS[self.pairs].methods[self.method]
        told = {
            "ranking": RANKINGS[self.ranking].method,
            "formulas": ", ".join(filter(None, (printed, treatment_of_ties(self)))),
            "pairs": test.replace("AVERAGE", self.rank_name).replace(TWO_SIDED, self.sides),
            "control": self.control,
            "intervals": self._about_intervals(),
            "method": P_LAWS[self.method],
        }
        if self.margin is not None:
            level = (
                f"{level_text(self.margin_confidence)} interval strictly inside ±{self.margin:g}"
            )
            told["margin"] = f"{self.margin_text}; equivalent: {level}. {claims(self.adjust)}"
        return settings(self.design, vars(self) | told, self._figures())

    def _about_intervals(self) -> str | None:
        """Say of what the intervals are, and at which level they hold."""
        if self.confidence is None:
            return None
        together, ends = "each by itself", ""
        if self.intervals == "simultaneous":
            together, ends = "all together", "; 0 is an end where the decision says more than they"
        return (
            f"of the {PAIRWISE_TESTS[self.pairs].estimate}, {level_text(self.confidence)} each; "
            f"they hold at {level_text(1 - self.alpha)} {together}{ends}"
        )

    def _figures(self) -> list[tuple[str, str]]:
        """Return rows of the table of the method with figures, and with what tables mean."""
        rows = [("design", self.why.removeprefix("Design: "))]
        if self.has_gaps and not missing_scores(self.design):
            gaps = f"{plural(self.design.n_missing, 'score')}; each data set ranks those it has"
            rows.append(("missing scores", f"{gaps} (Skillings and Mack)"))
        if "bergmann-hommel" in self.adjust:
            n = n_exhaustive_sets(len(self.average_ranks))
            rows.append(("exhaustive sets", f"{n:,}" if n < _MANY else f"{Decimal(n):.2e}"))
        if self.combined_p is not None:
            p = f"{stated_p(format_p(self.combined_p))}: 1 − ∏(1 − p), as if they were independent"
            rows.append(("all comparisons together", p))
        for what, ranks, how in (
            ("standard error of a difference", self.standard_error, ""),
            ("critical difference", self.critical_difference, f" ({self.procedure})"),
        ):
            if ranks is not None:
                rows.append((what, f"{format_number(ranks, 4)} ranks{how}"))
        if self.hypotheses.has_effects:
            effect = "share of data sets won minus share lost"
            if self.hypotheses.has_estimates:
                effect = "matched-pairs rank-biserial correlation"
            effect += "; > 0: the first is better"
            counts = "data sets on which the first wins, ties and loses"
            rows += [("effect size", effect), ("W/T/L", counts)]
        return rows


def pairs_table(result: Comparison, most: int | None = None, *, whole: bool = True) -> Table:
    """Return a table of all pairs by p, or of at most so many, those that were decided first.

    The better algorithm of each pair is named first, unless a one-sided test was asked for. The
    ``whole`` table has a column for each of the two, for programs that read it, and says how rows
    that it leaves out are seen; one for readers has a column of pairs, and its caption counts them.
    """
    tests, test = result.hypotheses, PAIRWISE_TESTS[result.pairs]
    rows = list(range(len(tests)))
    if most is not None:
        rows = sorted(rows, key=lambda row: not tests.rejected[row])[:most]
    effects = tests.effects(rows)
    sided = result.alternative != TWO_SIDED
    turned = [bool(tests.statistic[row] < 0) and not sided for row in rows]
    named: dict[str, list[str]] = {}
    if tests.has_estimates:
        sizes = tests.differences(rows, turned=not sided, effects=effects)
        named["difference"] = [size for size, _ in sizes]
        if result.confidence is not None:
            named["interval"] = [interval or "too few" for _, interval in sizes]
    if effects:
        values = np.where(turned, -1, 1) * effects["effect_size"]
        named["effect size"] = [format_number(float(value), 2) for value in values]
        named["W/T/L"] = win_tie_loss(
            (effects[name] for name in ("wins", "ties", "losses")), turned
        )
    if result.confidence is None:
        named[test.statistic] = [
            statistic_text(tests, row, turned=is_turned)
            for row, is_turned in zip(rows, turned, strict=True)
        ]
    named |= tests.p_columns(rows)
    last = significant(tests.rejected[rows])
    if tests.outcome is not None:
        last = {"decision": [tests.outcome[row] for row in rows]}
    pairs = [
        (tests.first[row], tests.second[row])[:: -1 if is_turned else 1]
        for row, is_turned in zip(rows, turned, strict=True)
    ]
    names = {"pair": [" – ".join(pair) for pair in pairs]}
    if whole:
        names = {"first": [a for a, _ in pairs], "second": [b for _, b in pairs]}
    n_hidden = len(tests) - len(rows) if whole else 0
    caption = _caption(result, len(tests) if whole else len(rows))
    return table_of(names, named, caption, n_hidden, last=last)


def _caption(result: Comparison, shown: int) -> str:
    tests, test = result.hypotheses, PAIRWISE_TESTS[result.pairs]
    what = "Differences of the pairs" if result.control is None else "Differences from the control"
    if shown < len(tests):
        what += f", the first {shown} of {len(tests):,}"
    sign = "difference" if tests.has_estimates else "effect" if tests.has_effects else "statistic"
    size = f", {test.estimate}" if tests.has_estimates else ""
    level = f" with {result.interval_text}s" if result.interval_text else ""
    if result.intervals == "pairwise" and len(tests) > 1:
        level += " that hold each by itself"
    law = f"{result.p_law}, {result.adjustment}, α = {result.alpha:g}"
    return f"{what} ({law}); {sign} > 0: the first is better{size}{level}{result.about_margin}"
