"""Conditions in plain words: what was rejected, and what that does not show."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from nbcompare._render import format_number, format_p, plural
from nbcompare.results._subject import joined

if TYPE_CHECKING:
    from nbcompare.results.conditions import Conditions, Sample, Variances

NORMALITY = MappingProxyType(
    {
        "lilliefors": "Lilliefors (Kolmogorov–Smirnov)",
        "shapiro-wilk": "Shapiro–Wilk",
        "dagostino-pearson": "D'Agostino–Pearson",
    }
)
VARIANCES = MappingProxyType({"levene": "Levene", "brown-forsythe": "Brown–Forsythe"})
# The sentences go by these: the most powerful test of normality, the more robust of variances.
_NORMALITY, _VARIANCES = "shapiro-wilk", "brown-forsythe"
_OTHERS = ("lilliefors", "dagostino-pearson")
_MOST_LISTED = 6


def sentences(result: Conditions) -> tuple[str, ...]:
    """Over data sets, then within them: normality, variances."""
    over = [sample for sample in result.samples if sample.dataset is None]
    within = [sample for sample in result.samples if sample.dataset is not None]
    found = []
    if over:
        found += [_normality_over(result, over), _others(result, over)]
        found += [_variances_over(result, v) for v in result.variances if v.dataset is None]
    if within:
        found.append(_normality_within(result, within))
        variances = [part for part in result.variances if part.dataset is not None]
        found.append(_variances_within(result, variances))
    return tuple(sentence for sentence in found if sentence)


def by_chance(result: Conditions, n_tests: int) -> str:
    """How many of so many tests reject, on average, where every condition holds."""
    return f"{n_tests * result.alpha:.2g}"


def _tested(samples: Sequence[Sample], name: str) -> list[Sample]:
    return [sample for sample in samples if sample.tests[name] is not None]


def _at(result: Conditions, name: str) -> str:
    return f"({NORMALITY[name]}, α = {result.alpha:g})"


def _normality_over(result: Conditions, samples: Sequence[Sample]) -> str:
    tested = _tested(samples, _NORMALITY)
    n_datasets = plural(result.design.n_datasets, "data set")
    if not tested:
        return (
            f"Normality of the scores over {n_datasets} cannot be tested: "
            f"{NORMALITY[_NORMALITY]} needs at least 3 scores that are not all alike."
        )
    rejected = [s.algorithm for s in tested if result.rejects(s.tests[_NORMALITY])]
    start = f"Normality of the scores over {n_datasets} is rejected for"
    family = plural(len(tested), "algorithm")
    if not rejected:
        return (
            f"{start} none of {family} {_at(result, _NORMALITY)}, which does not show that the "
            "scores are normal; a rank test does not need them to be."
        )
    many = len(rejected) == len(tested) or len(rejected) > _MOST_LISTED
    listed = "" if many else f", {joined(rejected)}"
    return (
        f"{start} {len(rejected)} of {family}{listed} {_at(result, _NORMALITY)}: a rank test is "
        "the safe choice."
    )


def _others(result: Conditions, samples: Sequence[Sample]) -> str:
    counts = []
    for name in _OTHERS:
        tested = _tested(samples, name)
        if tested:
            rejected = sum(result.rejects(sample.tests[name]) for sample in tested)
            counts.append(f"{rejected or 'none'} of {len(tested)} by {NORMALITY[name]}")
    return f"It is rejected for {joined(counts)}." if counts else ""


def _variances_over(result: Conditions, part: Variances) -> str:
    test = part.tests[_VARIANCES]
    if test is None:
        return ""
    verdict = "are rejected" if result.rejects(test) else "are not rejected"
    df = joined([f"{number:g}" for number in test.df])
    return (
        f"Equal variances of the algorithms {verdict} ({VARIANCES[_VARIANCES]} F "
        f"{format_number(test.statistic, 2)} with {df} df, "
        f"p = {format_p(test.pvalue, test.log10_pvalue)})."
    )


def _normality_within(result: Conditions, samples: Sequence[Sample]) -> str:
    tested = _tested(samples, _NORMALITY)
    repeated = joined(
        [
            noun
            for count, noun in ((result.design.n_folds, "folds"), (result.design.n_runs, "runs"))
            if count > 1
        ]
    )
    if not tested:
        return f"Normality over the {repeated} of a data set cannot be tested."
    rejected = sum(result.rejects(sample.tests[_NORMALITY]) for sample in tested)
    return (
        f"Within data sets, over {repeated}, normality is rejected for {rejected or 'none'} of "
        f"{plural(len(tested), 'sample')} {_at(result, _NORMALITY)}; if all were normal, about "
        f"{by_chance(result, len(tested))} would be."
    )


def _variances_within(result: Conditions, parts: Sequence[Variances]) -> str:
    tests = [test for part in parts if (test := part.tests[_VARIANCES]) is not None]
    if not tests:
        return ""
    rejected = sum(result.rejects(test) for test in tests)
    return (
        f"There, equal variances of the algorithms are rejected on {rejected or 'none'} of "
        f"{plural(len(tests), 'data set')} ({VARIANCES[_VARIANCES]}); if all were equal, about "
        f"{by_chance(result, len(tests))} would be."
    )
