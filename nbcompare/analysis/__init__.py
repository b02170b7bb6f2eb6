"""From experiments to results: the only place where data and statistics meet."""

from nbcompare.analysis.ranks import compare, compare_ranks

__all__ = ["compare", "compare_ranks"]
