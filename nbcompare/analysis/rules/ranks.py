"""The rules on the options of a comparison by ranks."""

from __future__ import annotations

from typing import Any

from nbcompare._options import AUTO, EXACT, TWO_SIDED
from nbcompare.analysis.rules.gaps import GAPS
from nbcompare.analysis.rules.rule import Rule, State
from nbcompare.stats.logical import MOST_ALGORITHMS
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES, RANKINGS


def ranked_with_gaps(state: State) -> bool:
    """Return whether a table with missing scores is ranked."""
    return bool(state.missing == "skillings-mack" and state.n_missing)


def _one_sided(_: State, word: Any) -> bool:
    return bool(word != TWO_SIDED)


def by_position(state: State) -> bool:
    """Return whether p depends on the difference of average ranks only, or may do so."""
    by_ranks = state.pairs == AUTO or PAIRWISE_TESTS[state.pairs].by_ranks
    return by_ranks and not ranked_with_gaps(state)


_ORDER_ALONE = (
    "{n_infinite} scores are infinite, which stands for {infinite}: their order alone is known"
)


def _order_alone(state: State) -> bool:
    return bool(state.n_infinite)


_COMPLETE_ONLY = "or missing='drop', which takes complete data sets only."


# The rules of compare. A rule may depend only on options that earlier rules have checked.
RANK_RULES = (
    *GAPS,
    Rule(
        "alternative",
        _one_sided,
        lambda s: s.control is None,
        "a one-sided test asks whether a control is better or worse, and there is none",
        "Name a `control`, or leave out `alternative`.",
    ),
    Rule(
        "alternative",
        _one_sided,
        lambda s: s.margin is not None,
        "differences are compared with a margin on both sides",
        "Leave out `margin` or `alternative`.",
    ),
    Rule(
        "formulas",
        ("printed",),
        ranked_with_gaps,
        "the papers print none for tables with missing scores",
        f"Take formulas='corrected', {_COMPLETE_ONLY}",
    ),
    Rule(
        "ranking",
        tuple(name for name, ranking in RANKINGS.items() if not ranking.within_datasets),
        ranked_with_gaps,
        "such rankings need every score, and some are missing",
        f"Take ranking='friedman', {_COMPLETE_ONLY}",
    ),
    Rule(
        "ranking",
        tuple(name for name, ranking in RANKINGS.items() if not ranking.within_datasets),
        _order_alone,
        _ORDER_ALONE,
        "Take ranking='friedman', which ranks within each data set.",
    ),
    Rule(
        "pairs",
        tuple(name for name, test in PAIRWISE_TESTS.items() if test.needs_scale),
        _order_alone,
        _ORDER_ALONE,
        "Take pairs='exchange'.",
    ),
    Rule(
        "margin",
        lambda _, value: value is not None,
        _order_alone,
        _ORDER_ALONE,
        "Leave out `margin`.",
    ),
    Rule(
        "adjust",
        tuple(name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only),
        lambda s: s.control is not None,
        "such procedures are for comparisons of all pairs, and there is a control",
        "Leave out `control`, or take 'holm' or 'bonferroni'.",
    ),
    Rule(
        "adjust",
        ("nemenyi",),
        lambda s: not by_position(s),
        "the procedure needs pairwise tests by the average ranks of a complete table",
        "Take 'holm', or pairs='ranks' without missing scores.",
    ),
    Rule(
        "adjust",
        ("bergmann-hommel",),
        lambda s: s.k > MOST_ALGORITHMS and not by_position(s),
        f"with more than {MOST_ALGORITHMS} algorithms, here {{k}}, the procedure needs pairwise "
        "tests by the average ranks of a complete table",
        "Take 'shaffer', which is nearly as powerful, or pairs='ranks'.",
    ),
    Rule(
        "method",
        (EXACT,),
        lambda s: "nemenyi" in _procedures(s),
        "there is no exact law of Nemenyi's procedure, which uses the studentized range",
        "Leave out `method`, or take adjust='bergmann-hommel' or 'holm'.",
    ),
    Rule(
        "method",
        (EXACT,),
        ranked_with_gaps,
        "with missing scores, Skillings and Mack's test has no exact law here",
        f"Leave out `method`, {_COMPLETE_ONLY}",
    ),
    Rule(
        "method",
        (EXACT,),
        lambda s: s.pairs == "t",
        "the t test assumes normal differences, and has no other law",
        "Leave out `method`, or take pairs='wilcoxon' or 'exchange'.",
    ),
    Rule(
        "method",
        (EXACT,),
        lambda s: s.formulas == "printed",
        "the formulas that the papers print are approximations",
        "Leave out `method` or `formulas`.",
    ),
    Rule(
        "margin",
        lambda _, value: bool(value),
        lambda s: s.pairs != AUTO and not PAIRWISE_TESTS[s.pairs].has_intervals,
        "it is compared with intervals of differences, and tests of pairs by ranks have none",
        "Take pairs='wilcoxon' or pairs='t', or leave out `margin`.",
    ),
    Rule(
        "margin",
        lambda _, value: bool(value),
        lambda s: s.pairs == AUTO and bool(_procedure_by_ranks(s)),
        "it is compared with intervals of differences, and the procedure of the adjustment needs "
        "tests of pairs by average ranks, which have none",
        "Take adjust='holm', or leave out `margin`.",
    ),
)


def _procedure_by_ranks(state: State) -> str:
    """Name the procedure that needs tests of pairs by average ranks; nothing if there is none."""
    for name in _procedures(state):
        if name == "nemenyi" or (name == "bergmann-hommel" and state.k > MOST_ALGORITHMS):
            return str(name)
    return ""


def _procedures(state: State) -> tuple[Any, ...]:
    return state.adjust if isinstance(state.adjust, tuple) else (state.adjust,)
