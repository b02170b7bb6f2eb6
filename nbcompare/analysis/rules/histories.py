"""The rules on the options of a comparison of convergence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._validation import DataError, listed, named
from nbcompare.analysis.rules.rule import Rule, always
from nbcompare.words import PROCEDURES

if TYPE_CHECKING:
    from nbcompare.histories import Histories


def facts_of_histories(histories: Histories) -> dict[str, Any]:
    """Return the facts about histories for rules: missing runs, known optima and logarithms."""
    incomplete = np.asarray(histories.missing.any(axis=1))
    problems, algorithms = histories.problems, histories.algorithms
    names = [problems[i] for i in np.flatnonzero(incomplete)]
    where = [f"{algorithms[j]} on {problems[i]}" for i, j in np.argwhere(histories.missing)]
    return {
        "n": len(problems),
        "needed": 2,
        "n_gaps": len(names),
        "n_complete": len(problems) - len(names),
        "gaps": listed(where, most=5),
        "problems_with_gaps": named(names, most=2),
        "optimum": histories.optimum is not None,
        "without_logs": without_logs(histories, histories.values),
    }


def without_logs(histories: Histories, values: FloatArray) -> str:
    """Return the name of the first problem with a value that has no logarithm, or "".

    The first axis of ``values`` is the problem. Values to be maximized change their sign.
    """
    sign = -1.0 if histories.direction == MAXIMIZE else 1.0
    bad = np.asarray((sign * values <= 0).any(axis=tuple(range(1, values.ndim))))
    return histories.problems[int(np.argmax(bad))] if bad.any() else ""


# The rules of compare_convergence
TREND_RULES = (
    Rule(
        "missing",
        ("raise",),
        lambda s: s.n_gaps > 0,
        "an algorithm has no run on {problems_with_gaps}",
        message="`histories` has no run of {gaps}. Add the runs, or leave out those problems with "
        "missing='drop'.",
        error=DataError,
    ),
    Rule(
        "missing",
        ("drop",),
        lambda s: s.n_gaps > 0 and s.n_complete < s.needed,
        "{n_complete} of {n} problems would be left with runs of every algorithm, of the "
        "{needed} that are needed",
        error=DataError,
    ),
    *(
        Rule(
            option,
            words,
            lambda s: not s.optimum,
            "the optima of the problems are not known",
            f"{instead} the histories are made: optimum=...",
        )
        for option, words, instead in (
            ("optimum_tolerance", lambda _, value: value is not None, "Give them when"),
            ("version", ("alternative",), "Take 'basic', or give the optima when"),
        )
    ),
    Rule(
        "differences",
        ("log",),
        lambda s: not s.optimum and bool(s.without_logs),
        "the optima are not known, and not all values on {without_logs} are positive and to be "
        "minimized",
        "Take 'raw', or give the optima when the histories are made: optimum=...",
    ),
    Rule(
        "adjust",
        tuple(name for name, it in PROCEDURES.items() if it.all_pairs_only),
        always,
        "A over B and B over A are two hypotheses here, which such procedures do not allow for",
        "Take a procedure for any family of hypotheses, such as 'holm'.",
    ),
)
