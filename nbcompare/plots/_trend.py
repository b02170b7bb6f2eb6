"""Texts about trend tests that several figures share."""

from __future__ import annotations

from nbcompare._render import plural
from nbcompare.results.convergence import ConvergenceComparison
from nbcompare.words import PROCEDURES, TREND_NULLS


def adjusted_by(result: ConvergenceComparison) -> str:
    """Return ``adjusted by Holm's procedure`` or similar, or ``unadjusted``."""
    return f"adjusted by {PROCEDURES[result.adjust[0]].label}" if result.adjust else "unadjusted"


def basis(result: ConvergenceComparison) -> str:
    """Return the basis of p-values: ``exchange null, unadjusted, α = 0.1, 19 problems, ...``."""
    return (
        f"{TREND_NULLS[result.null].label}, {adjusted_by(result)}, α = {result.alpha:g}, "
        f"{plural(result.design.n_datasets, 'problem')}, {result.cutpoints.shape[1]} cut-points"
    )
