"""Sentences and the table of the method for the comparison of algorithms by ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbcompare._render import format_number, format_p, plural
from nbcompare.results import _subject as subject
from nbcompare.results._subject import joined
from nbcompare.words import OMNIBUS, PAIRWISE_TESTS, RANKINGS

if TYPE_CHECKING:
    from nbcompare.results.comparison import Comparison

_ADJUSTED_RANK = "adjusted average rank"
# A sentence counts more differences or groups than this, or groups with more names than this,
# instead of listing them; the table lists all.
_MOST_LISTED = 6
_MOST_NAMES = 40


def comparison_sentences(result: Comparison) -> tuple[str, ...]:
    """Return sentences on the data, omnibus tests, ranks, differences and groups."""
    sentences = [_what_was_compared(result), _omnibus(result), _ranks(result), _pairs(result)]
    sentences += [_not_shown_against(result)] if result.control is not None else [_groups(result)]
    return tuple(sentence for sentence in sentences if sentence)


def comparison_method(result: Comparison) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    design = result.design
    ties = (
        "corrected for ties"
        if result.formulas == "corrected"
        else "as printed in the papers, not corrected for ties"
    )
    rows = [
        ("scores", subject.scores(design)),
        ("ranking", RANKINGS[result.ranking].method),
        ("formulas", ties),
        ("missing scores", _missing(result)),
        ("pairs", _pair_test(result)),
        ("family", _family(result)),
        ("adjustment", subject.adjustments(result.adjust)),
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
    """Return the name of the average ranks of a comparison."""
    return _ADJUSTED_RANK if result.has_gaps else RANKINGS[result.ranking].average_rank


def shared_letters(result: Comparison) -> str:
    """Explain the meaning of shared letters."""
    return (
        "Algorithms that share a letter do not differ significantly "
        f"({result.procedure}, α = {result.alpha:g}), which does not mean that they perform "
        "equally."
    )


def _pair_test(result: Comparison) -> str:
    return PAIRWISE_TESTS[result.pairs].method.replace("AVERAGE", average_rank(result))


def _missing(result: Comparison) -> str:
    design = result.design
    if design.left_out:
        return subject.left_out(design)
    if result.has_gaps:
        return (
            f"{plural(design.n_missing, 'score')} missing; each data set ranks the scores it has "
            "(Skillings and Mack), and average ranks are adjusted for the algorithms compared there"
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
        verb = "is" if design.n_missing == 1 else "are"
        gaps = f"; {design.n_missing:,} of {cells:,} scores {verb} missing"
    return f"{algorithms} were compared on {subject.datasets(design, gaps)}."


def _omnibus(result: Comparison) -> str:
    corrected = " corrected for ties" if result.formulas == "corrected" else ""
    tests: list[str] = []
    for name, test in result.omnibus.items():
        df = joined([f"{df:.4g}" for df in test.df])
        tests.append(
            f"{OMNIBUS[name].statistic}{'' if tests else corrected} "
            f"{format_number(test.statistic, 2)} with {df} df, "
            f"p = {format_p(test.pvalue, test.log10_pvalue)}"
        )
    verdict = "is rejected" if test.pvalue <= result.alpha else "is not rejected"
    return (
        f"The null hypothesis that all algorithms perform equally {verdict} at "
        f"α = {result.alpha:g} ({'; '.join(tests)})."
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
    return f"{best[0]} has the best {noun}, {shown[best[0]]}, followed by {others}."


def _pairs(result: Comparison) -> str:
    tests = result.hypotheses
    if len(tests) == 1:
        return _one_pair(result)
    found = [row for row in range(len(tests)) if tests.rejected[row]]
    family = plural(len(tests), "pairwise comparison")
    if result.control is not None:
        family = f"{plural(len(tests), 'comparison')} with {result.control}"
    kind = PAIRWISE_TESTS[result.pairs].plural
    by = f" by {kind}" if kind else ""
    how = f"after {result.procedure}'s adjustment" if result.adjust else "without adjustment"
    how += subject.of_discoveries(result.adjust)
    count = f"{len(found)} are" if len(found) > 1 else "1 is" if found else "none is"
    opening = f"Of {family}{by}, {count} significant {how}"
    if not found:
        return f"{opening}."
    if len(found) > _MOST_LISTED:
        return f"{opening}; the table lists them."
    differences = []
    for row in found:
        better, worse = tests.first[row], tests.second[row]
        if tests.statistic[row] < 0:
            better, worse = worse, better
        differences.append(f"{better} is better than {worse} (p = {tests.decisive(row)})")
    return f"{opening}: {joined(differences)}."


def _one_pair(result: Comparison) -> str:
    tests = result.hypotheses
    pair = f"{tests.first[0]} and {tests.second[0]}"
    test = PAIRWISE_TESTS[result.pairs].test.replace("AVERAGE", average_rank(result))
    shown = f"({test}, p = {tests.decisive(0)})"
    if tests.rejected[0]:
        return f"The difference between {pair} is significant {shown}."
    return f"No significant difference was found between {pair} {shown}."


def _groups(result: Comparison) -> str:
    if result.groups is None:
        return (
            "The algorithms without significant differences form many overlapping groups; the "
            "matrix of p-values shows the pairs."
        )
    groups = [group for group in result.groups if len(group) > 1]
    if not groups or len(result.hypotheses) == 1:
        return ""
    if len(groups) > _MOST_LISTED or sum(map(len, groups)) > _MOST_NAMES:
        several = f"within each of {len(groups)} groups of algorithms"
        one = f"within one group of {len(groups[0])} algorithms"
        return (
            f"No significant difference was found {one if len(groups) == 1 else several}, which "
            "does not mean that they perform equally; the diagram shows who belongs together."
        )
    listed = "; ".join(f"between {joined(group)}" for group in groups)
    return (
        f"No significant difference was found {listed}, which does not mean that they perform "
        "equally."
    )


def _not_shown_against(result: Comparison) -> str:
    tests = result.hypotheses
    similar = [tests.second[row] for row in range(len(tests)) if not tests.rejected[row]]
    if not similar or len(tests) == 1:
        return ""
    if len(similar) > _MOST_LISTED:
        return (
            f"No significant difference from {result.control} was found for "
            f"{len(similar)} algorithms."
        )
    return (
        f"No significant difference from {result.control} was found for {joined(similar)}, which "
        "does not mean that they perform equally."
    )
