"""A Bayesian comparison beside the one by ranks: its options, its code, and where both differ."""

from __future__ import annotations

from typing import Any, NamedTuple

from nbcompare import analysis
from nbcompare._render import plural
from nbcompare.analysis.rules import Rule, State
from nbcompare.results import BayesianComparison, Comparison
from nbcompare.results.bayesian import FIRST, SECOND
from nbcompare.results.decisions import EQUIVALENT, NEGLIGIBLE
from nbcompare.widgets import _code
from nbcompare.widgets._choices import ChosenSettings
from nbcompare.widgets._worker import Task
from nbcompare.words import TREATMENTS_OF

_MOST_NAMED = 3  # pairs about which the two answers differ
_SECONDS = 1.3e-3  # of a pair on a data set

BESIDE_RULES = (
    Rule(
        "bayesian",
        (True,),
        lambda s: bool(s.n_infinite),
        "it needs differences of scores, and an infinite one stands for {infinite}",
    ),
    Rule(
        "bayesian",
        (True,),
        lambda s: s.margin is None,
        "it needs a margin, which is its region of practical equivalence; 0 stands for no such "
        "region",
        "Give margin=0.01, for example.",
    ),
    Rule(
        "bayesian",
        (True,),
        lambda s: s.n_missing > 0 and s.missing not in TREATMENTS_OF["compare_bayesian"],
        "it needs every score, and some are missing",
        "Take missing='drop' or missing='worst'.",
    ),
    Rule(
        "view",
        ("posterior",),
        lambda s: not s.bayesian,
        "the Bayesian comparison is off",
        "Set bayesian=True, which needs a margin.",
    ),
)


class Both(NamedTuple):
    """The results of both comparisons."""

    comparison: Comparison
    bayesian: BayesianComparison


class BothTask(NamedTuple):
    """A task for a worker: both comparisons, or the Bayesian one if the other is known."""

    ranked: Task
    known: Comparison | None
    options: dict[str, Any]

    def run(self) -> Both:
        """Return both; a control that is chosen from the data is the same in both."""
        comparison = self.ranked.run() if self.known is None else self.known
        options = {**self.options, "control": comparison.control}
        return Both(comparison, analysis.compare_bayesian(self.ranked.data, **options))


def seconds_beside(state: State) -> float:
    """Return about how long the random draws take."""
    pairs = state.k - 1 if state.control is not None else state.k * (state.k - 1) / 2
    return float(_SECONDS * pairs * state.n)


def why_not_beside(state: State) -> tuple[str, str]:
    """Return what the Bayesian comparison needs that is not there, and what helps; or nothing.

    The first begins with a verb.
    """
    for rule in BESIDE_RULES:
        if rule.option == "bayesian" and rule.when(state):
            return rule.told(state, True).removeprefix("it "), rule.instead
    return "", ""


def arguments(choices: ChosenSettings) -> dict[str, Any]:
    """Return the options of the Bayesian comparison, but for its control."""
    found = {"rope": choices.value("margin") or 0}
    if choices.value("missing") in TREATMENTS_OF["compare_bayesian"]:
        found |= {name: choices.value(name) for name in ("missing", "fill")}
    settings = choices.settings
    return {
        name: value
        for name, value in found.items()
        if name == "rope" or value != settings[name].entry.default
    }


def code(data: _code.Expression, choices: ChosenSettings) -> str:
    """Return the call of the Bayesian comparison, after that of the other."""
    control = choices.value("control")
    options = arguments(choices)
    if control is not None:
        is_open = control not in choices.builder.selected("algorithms")
        options["control"] = _code.Expression("result.control") if is_open else control
    return _code.call("nbc.compare_bayesian", [data], options, target="bayesian")


class Verdict(NamedTuple):
    """What is found of a pair: which algorithm is better, and whether both are equivalent."""

    better: str | None = None
    is_alike: bool = False

    def told(self, nothing: str) -> str:
        """Return it in words; the given ones if there is nothing."""
        if self.better is None:
            return "equivalent" if self.is_alike else nothing
        return f"{self.better} better{', but negligibly' if self.is_alike else ''}"


def differences(comparison: Comparison, bayesian: BayesianComparison) -> tuple[str, ...]:
    """Say for which pairs tests and probabilities come to different answers.

    They agree where both find the same algorithm better, both find the two equivalent, or neither
    finds anything.
    """
    tests, claims = _by_tests(comparison), _by_probability(bayesian)
    told = [
        f"{a} and {b} (tests: {verdict.told('no difference found')}; probabilities: "
        f"{claim.told('no claim')})"
        for (a, b), verdict in tests.items()
        if not _agree(verdict, claim := claims[frozenset((a, b))])
    ]
    if not told:
        return ()
    rest = len(told) - _MOST_NAMED
    named = "; ".join([*told[:_MOST_NAMED], *([f"and {rest:,} more"] if rest > 0 else [])])
    return (
        f"The tests and the probabilities differ about {len(told):,} of "
        f"{plural(len(tests), 'pair')}, since they ask different things: {named}.",
    )


def _agree(tests: Verdict, claim: Verdict) -> bool:
    # a difference that is significant and negligible is equivalent in practice
    return tests == claim or (tests.is_alike and claim.is_alike)


def _by_tests(comparison: Comparison) -> dict[tuple[str, str], Verdict]:
    tests, found = comparison.hypotheses, dict[tuple[str, str], Verdict]()
    outcomes = tests.outcome if tests.has_outcomes else None
    for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        better = pair[int(tests.statistic[row] < 0)] if tests.rejected[row] else None
        alike = outcomes is not None and outcomes[row] in (EQUIVALENT, NEGLIGIBLE)
        found[pair] = Verdict(better, alike)
    return found


def _by_probability(bayesian: BayesianComparison) -> dict[frozenset[str], Verdict]:
    rows = zip(bayesian.first, bayesian.second, bayesian.decision, strict=True)
    return {
        frozenset((a, b)): Verdict({FIRST: a, SECOND: b}.get(word), word == EQUIVALENT)
        for a, b, word in rows
    }
