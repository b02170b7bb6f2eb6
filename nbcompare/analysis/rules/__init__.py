"""Rules on which options can be combined.

The analyses raise an error if a rule refuses an option, and the builders explain the refusal.
"""

from nbcompare.analysis.rules.gaps import GAPS, facts_of_gaps, facts_of_scores
from nbcompare.analysis.rules.histories import TREND_RULES, facts_of_histories, without_logs
from nbcompare.analysis.rules.ranks import RANK_RULES, by_position, ranked_with_gaps
from nbcompare.analysis.rules.rule import Rule, State, always, check_rules, refusals
from nbcompare.analysis.rules.runs import (
    FOLD_RULES,
    RUN_RULES,
    facts_of_runs,
    is_by_ranks,
    on_one_scale,
    settled_procedure,
)

__all__ = [
    "FOLD_RULES",
    "GAPS",
    "RANK_RULES",
    "RUN_RULES",
    "TREND_RULES",
    "Rule",
    "State",
    "always",
    "by_position",
    "check_rules",
    "facts_of_gaps",
    "facts_of_histories",
    "facts_of_runs",
    "facts_of_scores",
    "is_by_ranks",
    "on_one_scale",
    "ranked_with_gaps",
    "refusals",
    "settled_procedure",
    "without_logs",
]
