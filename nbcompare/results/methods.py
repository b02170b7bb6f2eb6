"""How a comparison was made, as one paragraph that can be pasted into a paper."""

from __future__ import annotations

from nbcompare.results._compared import Compared
from nbcompare.results._methods import (
    Cited,
    Uncited,
    adjusting,
    averaged,
    compared_pairs,
    computed,
    missing,
    null_hypothesis,
)
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
    cite = cite or Uncited()
    return (
        _compared(comparison, cite),
        _missing(comparison, cite),
        omnibus_sentence(comparison, cite),
        _pairs(comparison, cite),
        estimated(comparison, cite),
        within_margin(comparison),
        computed(comparison.design),
    )


def _compared(result: Compared, cite: Cited) -> str:
    design, k = result.design, len(result.average_ranks)
    where = f"{counted(k, 'algorithm')} on {counted(design.n_datasets, 'data set')}"
    how = f", as described by Demšar{cite('demsar2006')}"
    if result.control is None and k > 2:
        how += f" and, for all pairs, by García and Herrera{cite('garcia2008')}"
    if design.direction is None:
        return f"We compared {where} by their published average ranks{how}."
    return f"We compared {where} by {averaged(design)}{how}."


def _missing(result: Compared, cite: Cited) -> str:
    if treated := missing(result.design):
        return treated
    if not result.has_gaps:
        return ""
    return (
        f"{counted(result.design.n_missing, 'score').capitalize()} "
        f"{'was' if result.design.n_missing == 1 else 'were'} missing: each data set ranked the "
        "scores it has, and average ranks were adjusted for the algorithms compared there"
        f"{cite('skillings1981')}."
    )


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


def _pairs(result: Compared, cite: Cited) -> str:
    test, n_pairs = PAIRWISE_TESTS[result.pairs], len(result.hypotheses)
    about = [text for text in (_LAWS[result.method], result.sides) if text]
    by = test.recommended.replace("average rank", result.rank_name)
    how = f"by {by}{cite(*test.cites)} ({', '.join(about)})"
    m, control = result.n_pooled or n_pairs, result.family_control
    adjusted = adjusting(result.adjust, control, result.alpha, m, cite, of=result.pool)
    compared = compared_pairs(n_pairs, result.control)
    return f"{compared} {how}{adjusted}.{null_hypothesis(test.null)}"


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
