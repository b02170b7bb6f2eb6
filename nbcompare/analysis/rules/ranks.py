"""The rules on the options of a comparison by ranks."""

from __future__ import annotations

from typing import Any

from nbcompare._options import AUTO, EXACT, TWO_SIDED
from nbcompare.analysis.rules.rule import GAPS, State, is_given, rule
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


def _has_width(_: State, margin: Any) -> bool:
    return bool(margin)  # 0 stands for no region of equivalence in a builder


def _order_alone(state: State) -> bool:
    return bool(state.n_infinite)


_ACROSS = tuple(name for name, ranking in RANKINGS.items() if not ranking.within_datasets)
_BY_SCORES = tuple(name for name, test in PAIRWISE_TESTS.items() if test.needs_scale)
# Procedures for comparisons of all pairs
_ALL_PAIRS = tuple(name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only)
WITHOUT_CONTROL = rule("all-pairs-only", "adjust", _ALL_PAIRS, lambda s: s.control is not None)
# The rules of compare. A rule may depend only on options that earlier rules have checked.
RANK_RULES = (
    *GAPS,
    rule("one-sided-without-control", "alternative", _one_sided, lambda s: s.control is None),
    rule("one-sided-margin", "alternative", _one_sided, lambda s: s.margin is not None),
    rule("printed-with-gaps", "formulas", ("printed",), ranked_with_gaps),
    rule("ranking-with-gaps", "ranking", _ACROSS, ranked_with_gaps),
    rule("ranking-of-order", "ranking", _ACROSS, _order_alone),
    rule("pairs-of-order", "pairs", _BY_SCORES, _order_alone),
    rule("margin-of-order", "margin", is_given, _order_alone),
    WITHOUT_CONTROL,
    rule("nemenyi-by-ranks", "adjust", ("nemenyi",), lambda s: not by_position(s)),
    rule(
        "too-many-without-ranks",
        "adjust",
        ("bergmann-hommel",),
        lambda s: s.k > MOST_ALGORITHMS and not by_position(s),
        most=MOST_ALGORITHMS,
    ),
    rule("nemenyi-exact", "method", (EXACT,), lambda s: "nemenyi" in _procedures(s)),
    rule("exact-with-gaps", "method", (EXACT,), ranked_with_gaps),
    rule("exact-t", "method", (EXACT,), lambda s: s.pairs == "t"),
    rule("exact-printed", "method", (EXACT,), lambda s: s.formulas == "printed"),
    rule(
        "margin-by-ranks",
        "margin",
        _has_width,
        lambda s: s.pairs != AUTO and not PAIRWISE_TESTS[s.pairs].has_intervals,
    ),
    rule("margin-of-procedure", "margin", _has_width, _procedure_by_ranks),
)
