"""Rules on which options can be combined.

The analyses raise an error if a rule refuses an option, and the builders explain the refusal.
"""

from nbcompare.analysis.rules.ranks import RANK_RULES as RANK_RULES
from nbcompare.analysis.rules.ranks import by_position as by_position
from nbcompare.analysis.rules.ranks import ranked_with_gaps as ranked_with_gaps
from nbcompare.analysis.rules.rule import GAPS as GAPS
from nbcompare.analysis.rules.rule import Rule as Rule
from nbcompare.analysis.rules.rule import State as State
from nbcompare.analysis.rules.rule import always as always
from nbcompare.analysis.rules.rule import check_rules as check_rules
from nbcompare.analysis.rules.rule import facts_of_gaps as facts_of_gaps
from nbcompare.analysis.rules.rule import facts_of_scores as facts_of_scores
from nbcompare.analysis.rules.rule import refusals as refusals
from nbcompare.analysis.rules.runs import FOLD_RULES as FOLD_RULES
from nbcompare.analysis.rules.runs import RUN_RULES as RUN_RULES
from nbcompare.analysis.rules.runs import TREND_RULES as TREND_RULES
from nbcompare.analysis.rules.runs import facts_of_histories as facts_of_histories
from nbcompare.analysis.rules.runs import facts_of_runs as facts_of_runs
from nbcompare.analysis.rules.runs import is_by_ranks as is_by_ranks
from nbcompare.analysis.rules.runs import on_one_scale as on_one_scale
from nbcompare.analysis.rules.runs import settled_procedure as settled_procedure
from nbcompare.analysis.rules.runs import without_logs as without_logs
