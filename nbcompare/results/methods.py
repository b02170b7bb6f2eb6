"""How a comparison was made, as one paragraph that can be pasted into a paper."""

from __future__ import annotations

from nbcompare.results._compared import Compared
from nbcompare.results._methods import (
    Cited,
    Uncited,
    adjusting,
    averaged,
    compared_pairs,
    missing,
    null_hypothesis,
)
from nbcompare.results.texts import on_methods
from nbcompare.results.wording import counted, in_measure, joined
from nbcompare.words import OMNIBUS, PAIRWISE_TESTS, RANKINGS

_LAWS = {"exact": "exact p-values", "normal": "p-values by the normal law", "t": ""}


def treatment_of_ties(*results: Compared) -> str:
    """Say whether the formulas are corrected for ties; nothing if no ranks tie."""
    if all(result.tied is False for result in results):
        return ""
    no = "" if results[0].formulas == "corrected" else "not "
    return f"{no}corrected for ties"


def methods_sentences(comparison: Compared, cite: Cited | None = None) -> tuple[str, ...]:
    """Return the sentences of the paragraph, without references unless ``cite`` numbers them."""
    cite, result, design = cite or Uncited(), comparison, comparison.design
    test, n_pairs = PAIRWISE_TESTS[result.pairs], len(result.hypotheses)
    m, control = result.n_pooled or n_pairs, result.family_control
    several = result.control is None and len(result.average_ranks) > 2
    gaps = counted(design.n_missing, "score").capitalize()
    return on_methods(
        "comparison",
        result,
        cite,
        scores="their published average ranks" if not design.direction else averaged(design),
        of_all_pairs=lambda: _of_all_pairs(cite) if several else "",
        gaps=None if missing(design) or not result.has_gaps else gaps,
        any_difference=lambda: omnibus_sentence(result, cite),
        compared=compared_pairs(n_pairs, result.control),
        test=test.recommended.replace("average rank", result.rank_name),
        cites=test.cites,
        about=", ".join(filter(None, (_LAWS[result.method], result.sides))),
        adjusted=lambda: adjusting(result.adjust, control, result.alpha, m, cite, of=result.pool),
        null=null_hypothesis(test.null),
        estimates=lambda: estimated(result, cite),
        equivalent=within_margin(result),
    )


def _of_all_pairs(cite: Cited) -> str:
    return f" and, for all pairs, by García and Herrera{cite('garcia2008')}"


def omnibus_sentence(result: Compared, cite: Cited, *others: Compared) -> str:
    """Say which test of any difference was made, by which ranks."""
    tests = result.omnibus
    if not tests:
        return ""
    named = joined([f"{OMNIBUS[name].statistic}{cite(*OMNIBUS[name].cites)}" for name in tests])
    exact = ["exact p-values"] if all(test.is_exact for test in tests.values()) else []
    if (ties := treatment_of_ties(result, *others)).startswith("corrected"):
        ties += cite("conover1999")
    how = ", ".join(filter(None, [ties, *exact]))
    return (
        f"With {RANKINGS[result.ranking].ranks}, the null hypothesis that all algorithms perform "
        f"equally was tested by {named}{f' ({how})' if how else ''}."
    )


def estimated(result: Compared, cite: Cited) -> str:
    """Say how differences were estimated, and what effect sizes are."""
    tests, sentences = result.hypotheses, []
    if tests.has_estimates:
        estimate = PAIRWISE_TESTS[result.pairs].estimate
        cites = PAIRWISE_TESTS[result.pairs].estimate_cites
        text = f"Differences were estimated by the {estimate}{cite(*cites)}"
        if result.confidence is not None:
            text += f", with {_intervals(result)}"
        sentences.append(f"{text}.")
    if tests.has_effects:
        sentences.append(
            f"Effect sizes are matched-pairs rank-biserial correlations{cite('kerby2014')}."
        )
    return " ".join(sentences)


def _intervals(result: Compared) -> str:
    confidence = 1.0 if result.confidence is None else result.confidence
    if len(result.hypotheses) == 1:
        return f"a {100 * confidence:.4g} % confidence interval"
    if result.intervals == "simultaneous":
        return (
            f"confidence intervals that hold simultaneously at {100 * (1 - result.alpha):.4g} % "
            f"({100 * confidence:.4g} % each)"
        )
    return f"{100 * confidence:.4g} % confidence intervals that hold each by itself"


def within_margin(result: Compared) -> str:
    """Say what counts as equivalent; nothing without a margin."""
    if result.margin is None:
        return ""
    margin = in_measure(result.design, f"±{result.margin:g}")
    return (
        f"Two algorithms count as equivalent where the {100 * result.margin_confidence:.4g} % "
        f"interval of their difference lies strictly inside {margin}."
    )
