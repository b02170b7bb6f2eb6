"""The rules on the options of a comparison by ranks."""

from __future__ import annotations

from typing import Any

from nbcompare._options import AUTO, EXACT, TWO_SIDED
from nbcompare.analysis.rules.rule import GAPS, Rule, State
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


def _procedure_by_ranks(state: State) -> bool:
    """Return whether a procedure needs tests of pairs by average ranks, which are not settled."""
    large = ("nemenyi", "bergmann-hommel") if state.k > MOST_ALGORITHMS else ("nemenyi",)
    return state.pairs == AUTO and bool(set(large) & set(_procedures(state)))


def _procedures(state: State) -> tuple[Any, ...]:
    return state.adjust if isinstance(state.adjust, tuple) else (state.adjust,)


def _order_alone(state: State) -> bool:
    return bool(state.n_infinite)


def _always_given(_: State, value: object) -> bool:
    return value is not None


_COMPLETE_ONLY = "or missing='drop', which takes complete data sets only."
_ACROSS = tuple(name for name, ranking in RANKINGS.items() if not ranking.within_datasets)
_BY_SCORES = tuple(name for name, test in PAIRWISE_TESTS.items() if test.needs_scale)
# Procedures for comparisons of all pairs
WITHOUT_CONTROL = Rule(
    "adjust",
    tuple(name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only),
    lambda s: s.control is not None,
    "such procedures are for comparisons of all pairs, and there is a control",
    "Leave out `control`, or take 'holm' or 'bonferroni'.",
)

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
        _ACROSS,
        ranked_with_gaps,
        "such rankings need every score, and some are missing",
        f"Take ranking='friedman', {_COMPLETE_ONLY}",
    ),
    *(
        Rule(
            option,
            words,
            _order_alone,
            "{n_infinite} scores are infinite, which stands for {infinite}: their order alone is "
            "known",
            instead,
        )
        for option, words, instead in (
            ("ranking", _ACROSS, "Take ranking='friedman', which ranks within each data set."),
            ("pairs", _BY_SCORES, "Take pairs='exchange'."),
            ("margin", _always_given, "Leave out `margin`."),
        )
    ),
    WITHOUT_CONTROL,
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
    *(
        Rule("method", (EXACT,), when, reason, f"Leave out `method`{instead}")
        for when, reason, instead in (
            (
                lambda s: "nemenyi" in _procedures(s),
                "there is no exact law of Nemenyi's procedure, which uses the studentized range",
                ", or take adjust='bergmann-hommel' or 'holm'.",
            ),
            (
                ranked_with_gaps,
                "with missing scores, Skillings and Mack's test has no exact law here",
                f", {_COMPLETE_ONLY}",
            ),
            (
                lambda s: s.pairs == "t",
                "the t test assumes normal differences, and has no other law",
                ", or take pairs='wilcoxon' or 'exchange'.",
            ),
            (
                lambda s: s.formulas == "printed",
                "the formulas that the papers print are approximations",
                " or `formulas`.",
            ),
        )
    ),
    *(
        Rule(
            "margin",
            lambda _, value: bool(value),
            when,
            f"it is compared with intervals of differences, and {reason} none",
            f"Take {instead}, or leave out `margin`.",
        )
        for when, reason, instead in (
            (
                lambda s: s.pairs != AUTO and not PAIRWISE_TESTS[s.pairs].has_intervals,
                "tests of pairs by ranks have",
                "pairs='wilcoxon' or pairs='t'",
            ),
            (
                _procedure_by_ranks,
                "the procedure of the adjustment needs tests of pairs by average ranks, which have",
                "adjust='holm'",
            ),
        )
    ),
)
