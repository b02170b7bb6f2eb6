"""Results in plain words: sentences that a reviewer would accept."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from nbcompare._render import format_number, format_p, plural
from nbcompare.results import _subject as subject
from nbcompare.results._subject import joined

if TYPE_CHECKING:
    from nbcompare.results.comparison import Comparison

OMNIBUS = MappingProxyType(
    {
        "friedman": "Friedman χ²",
        "iman-davenport": "Iman–Davenport F",
        "aligned": "Aligned ranks T",
        "quade": "Quade F",
        "skillings-mack": "Skillings–Mack χ²",
        "anova": "Repeated-measures ANOVA F",
    }
)
# What each ranking averages
AVERAGE_RANK = MappingProxyType(
    {
        "friedman": "average rank",
        "aligned": "average aligned rank",
        "quade": "weighted average rank",
    }
)
_RANKING = MappingProxyType(
    {
        "friedman": "mid-ranks within each data set (Friedman); 1 is best",
        "aligned": "mid-ranks of all scores less the mean of their data set (aligned ranks, "
        "Hodges and Lehmann); 1 is best",
        "quade": "mid-ranks within each data set, weighted by the rank of its range (Quade); "
        "1 is best",
    }
)
_STATISTIC = MappingProxyType(
    {
        "friedman": "Friedman's χ²",
        "iman-davenport": "Iman and Davenport's F",
        "aligned": "the χ² of aligned ranks",
        "quade": "Quade's F",
        "skillings-mack": "Skillings and Mack's χ²",
        "anova": "Greenhouse and Geisser's repeated-measures F",
    }
)
# The header of the statistic of a pair, and how pairs are tested
STATISTIC_OF_PAIR = MappingProxyType({"ranks": "z", "wilcoxon": "signed ranks", "t": "t"})
_PAIR_TEST = MappingProxyType(
    {
        "wilcoxon": "Wilcoxon's signed ranks of the two algorithms alone, exact up to some hundred "
        "data sets, two-sided; zero differences count half for either",
        "t": "paired t test of the mean scores of the two algorithms alone, two-sided",
    }
)
_ADJUSTED_RANK = "adjusted average rank"
# More than this many differences or groups are counted, and so are groups of many names; the
# table has them all.
_MOST_LISTED = 6
_MOST_NAMES = 40


def comparison_sentences(result: Comparison) -> tuple[str, ...]:
    """What was compared, the omnibus tests, the ranks, the differences, the groups."""
    sentences = [_what_was_compared(result), _omnibus(result), _ranks(result), _pairs(result)]
    sentences += [_not_shown_against(result)] if result.control is not None else [_groups(result)]
    return tuple(sentence for sentence in sentences if sentence)


def comparison_method(result: Comparison) -> tuple[tuple[str, str], ...]:
    """What and how, row by row, so that a reader can compute it again."""
    design = result.design
    ties = (
        "corrected for ties"
        if result.formulas == "corrected"
        else "as printed in the papers, not corrected for ties"
    )
    rows = [
        ("scores", subject.scores(design)),
        ("ranking", _RANKING[result.ranking]),
        ("formulas", ties),
        ("missing scores", _missing(result)),
        ("pairs", _PAIR_TEST.get(result.pairs) or _rank_test(result)),
        ("family", _family(result)),
        ("adjustment", ", ".join(result.adjust) or "none"),
        ("α", f"{result.alpha:g}; rejected if the adjusted p ≤ α"),
    ]
    if result.standard_error is not None:
        error = format_number(result.standard_error, 4)
        rows.append(("standard error of a difference", f"{error} ranks"))
    if result.critical_difference is not None:
        distance = format_number(result.critical_difference, 4)
        rows.append(("critical difference", f"{distance} ranks ({result.procedure})"))
    if result.hypotheses.effect_size is not None:
        rows.append(
            ("effect size", "matched-pairs rank-biserial correlation; > 0: the first is better")
        )
    rows += subject.identity(design)
    return tuple((what, how) for what, how in rows if how)


def average_rank(result: Comparison) -> str:
    """What the average ranks of a comparison are called."""
    return _ADJUSTED_RANK if result.has_gaps else AVERAGE_RANK[result.ranking]


def shared_letters(result: Comparison) -> str:
    """What it means to share a letter."""
    return (
        "Algorithms that share a letter are not shown to differ "
        f"({result.procedure}, α = {result.alpha:g}), which does not mean equal."
    )


def _rank_test(result: Comparison) -> str:
    return f"normal test of the difference of two {average_rank(result)}s, two-sided"


def _missing(result: Comparison) -> str:
    design = result.design
    if design.left_out:
        return subject.left_out(design)
    if result.has_gaps:
        return (
            f"{plural(design.n_missing, 'score')} missing; each data set ranks those it has "
            "(Skillings and Mack), and average ranks are adjusted for the algorithms met"
        )
    return ""


def _family(result: Comparison) -> str:
    count = plural(len(result.hypotheses), "hypothesis")
    if result.control is None:
        return f"all pairs, {count}"
    return f"{result.control} against each other algorithm, {count}"


def _what_was_compared(result: Comparison) -> str:
    design = result.design
    algorithms = plural(len(design.algorithms), "algorithm")
    if design.direction is None:
        return f"{algorithms} were compared by their {subject.scores(design)}."
    gaps = ""
    if result.has_gaps:
        cells = len(design.algorithms) * design.n_datasets
        gaps = f"; {design.n_missing:,} of {cells:,} scores are missing"
    return f"{algorithms} were compared on {subject.datasets(design, gaps)}."


def _omnibus(result: Comparison) -> str:
    corrected = " corrected for ties" if result.formulas == "corrected" else ""
    tests: list[str] = []
    for name, test in result.omnibus.items():
        tests.append(
            f"{_STATISTIC[name]}{'' if tests else corrected} {format_number(test.statistic, 2)} "
            f"with {joined([f'{df:.4g}' for df in test.df])} df, "
            f"p = {format_p(test.pvalue, test.log10_pvalue)}"
        )
    verdict = "is rejected" if test.pvalue <= result.alpha else "is not rejected"
    return (
        f"The hypothesis that all perform alike {verdict} at α = {result.alpha:g} "
        f"({'; '.join(tests)})."
    )


def _ranks(result: Comparison) -> str:
    ranks, ordered = result.average_ranks, result.ordered
    noun = average_rank(result)
    shown = {name: format_number(ranks[name], 2) for name in ordered}
    best = [name for name in ordered if ranks[name] == ranks[ordered[0]]]
    if len(best) == len(ordered):
        return f"All algorithms have the same {noun}, {shown[best[0]]}."
    if len(best) > 1:
        return f"{joined(best)} share the best {noun}, {shown[best[0]]}."
    if len(ordered) > _MOST_LISTED:
        return (
            f"{best[0]} has the best {noun}, {shown[best[0]]}, "
            f"{ordered[-1]} the worst, {shown[ordered[-1]]}."
        )
    others = joined([f"{name} ({shown[name]})" for name in ordered[1:]])
    return f"{best[0]} has the best {noun}, {shown[best[0]]}, before {others}."


def _pairs(result: Comparison) -> str:
    tests = result.hypotheses
    found = [row for row in range(len(tests)) if tests.rejected[row]]
    how = (
        f"with {result.procedure}'s adjustment"
        if result.adjust
        else "without adjustment for their number"
    )
    how += {"wilcoxon": " of Wilcoxon's signed ranks", "t": " of paired t tests"}.get(
        result.pairs, ""
    )
    family = (
        f"Of all {plural(len(tests), 'pair')}"
        if result.control is None
        else f"Of {plural(len(tests), 'comparison')} with the control {result.control}"
    )
    if len(tests) == 1:
        verdict = "differs" if found else "is not shown to differ"
        how = {"wilcoxon": "Wilcoxon's signed ranks", "t": "paired t test"}.get(
            result.pairs, f"z test of {average_rank(result)}s"
        )
        return (
            f"The one pair, {tests.first[0]} and {tests.second[0]}, {verdict} "
            f"({how}, p = {tests.decisive(0)})."
        )
    opening = (
        f"{family}, {how}, {len(found) or 'none'} {'is' if len(found) == 1 else 'are'} significant"
    )
    if not found:
        return f"{opening}."
    if len(found) > _MOST_LISTED:
        return f"{opening}; the table lists them."
    differences = []
    for row in found:
        better, worse = tests.first[row], tests.second[row]
        if tests.statistic[row] > 0:
            better, worse = worse, better
        differences.append(f"{better} is better than {worse} (p = {tests.decisive(row)})")
    return f"{opening}: {joined(differences)}."


def _groups(result: Comparison) -> str:
    if result.groups is None:
        return (
            "Many sets of algorithms are not shown to differ from one another; the matrix of "
            "p-values shows the pairs."
        )
    groups = [group for group in result.groups if len(group) > 1]
    if not groups or len(result.hypotheses) == 1:
        return ""
    if len(groups) > _MOST_LISTED or sum(map(len, groups)) > _MOST_NAMES:
        several = f"There are {len(groups)} groups of algorithms not shown to differ"
        one = f"There is one group of {len(groups[0])} algorithms not shown to differ"
        return (
            f"{one if len(groups) == 1 else several} from one another, which does not mean equal; "
            "the diagram shows who belongs together."
        )
    listed = "; ".join(joined(group) for group in groups)
    return f"Not shown to differ from one another, which does not mean equal: {listed}."


def _not_shown_against(result: Comparison) -> str:
    tests = result.hypotheses
    alike = [tests.second[row] for row in range(len(tests)) if not tests.rejected[row]]
    if not alike or len(tests) == 1:
        return ""
    if len(alike) > _MOST_LISTED:
        return f"{len(alike)} algorithms are not shown to differ from {result.control}."
    return f"Not shown to differ from {result.control}, which does not mean equal: {joined(alike)}."
