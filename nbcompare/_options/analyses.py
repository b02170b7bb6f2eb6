"""The options of analyses, and of how their results are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from nbcompare._options.option import (
    ALTERNATIVES,
    AUTO,
    BEST,
    EXACT,
    NORMAL,
    QUANTILES,
    TWO_SIDED,
    Choice,
    Option,
    names_in,
    number_or_name,
)
from nbcompare._validation import (
    check_count,
    check_jobs,
    check_nonnegative,
    check_positive,
    check_probability,
    check_share,
    check_threshold,
)
from nbcompare.words import (
    BAYESIAN_TESTS,
    CROSS_VALIDATION_TESTS,
    DIFFERENCES,
    ENCODINGS,
    IMPRECISE_TESTS,
    ITEM_TESTS,
    PAIR_TESTS,
    PAIRWISE_TESTS,
    PROCEDURES,
    RANKINGS,
    STOCHASTIC_PROCEDURES,
    TREATMENTS,
    TREATMENTS_OF,
    TREND_NULLS,
    TREND_RANKS,
    ZEROS,
)


def _fraction(text: str) -> float:
    """Return a number, which may be written as a fraction: ``1/9``."""
    try:
        return float(Fraction(text))
    except ZeroDivisionError:
        raise ValueError(text) from None


def _numbers(text: str) -> list[float]:
    """Read numbers that are separated by commas."""
    return [float(part) for part in text.split(",")]


def _targets(text: str) -> list[float] | str:
    return text if text == QUANTILES else _numbers(text)


def _explanations_of(records: Mapping[str, Any], label: str = "label") -> dict[Any, Choice]:
    """Return what records say of their words."""
    return {
        word: Choice(getattr(record, label, ""), getattr(record, "effect", ""))
        for word, record in records.items()
    }


def _number(
    default: float | None,
    within: Callable[[object, str], float],
    help: str,
    *,
    type: Callable[[str], float] = float,
    label: str = "",
) -> Option:
    return Option(default, None, help, type, within=within, label=label)


def _count(default: int | None, help: str, *, least: int = 1, **more: Any) -> Option:
    return Option(default, None, help, int, within=partial(check_count, least=least), **more)


def _treatment(function: str) -> Option:
    """Return the option for missing scores of a function."""
    words = TREATMENTS_OF[function]
    effects = (f"'{word}' {TREATMENTS[word].effect}" for word in words[1:])
    return Option(
        words[0],
        _explanations_of({word: TREATMENTS[word] for word in words}),
        f"what to do about missing scores: {'; '.join(effects)}",
        label="Missing scores",
    )


def _adjust(
    default: str,
    words: Mapping[Any, Choice],
    usual: str = "",
    what: str = "p-values; several, separated by commas,",
) -> Option:
    """Return the option for the adjustment of p-values; ``usual`` says what ``auto`` is."""
    end = f"; '{AUTO}'{usual}" if usual else ""
    text = f"procedure that adjusts {what} make a column each{end}"
    return Option(default, words, text, label="Adjustment", several=True)


def _adjust_of_pairs(usual: str) -> Option:
    """Return the option for the adjustment of pairs that are tested by their own scores."""
    words = {**_RAW_OR_ADJUSTED, AUTO: Choice(_AS_RECOMMENDED.label, f"is {usual}")}
    del words["nemenyi"]
    what = "the p-values of all pairs; several, separated by commas,"
    return _adjust(AUTO, words, f" is {usual}", what)


_AS_RECOMMENDED = Choice(
    f"{AUTO} (as recommended)",
    "takes what is recommended for these data and the other options",
)
_NO_ADJUSTMENT = Choice(
    "none: raw p-values",
    "leaves the p-values as they are, which finds too much where there are several hypotheses",
)
_RAW_OR_ADJUSTED = {None: _NO_ADJUSTMENT, **_explanations_of(PROCEDURES)}
_BEFORE = "which must be decided before the scores are seen"
_SEED = "seed of the random draws"

# Those of `compare`, which commands that compare likewise take too
COMPARE_OPTIONS = (
    "ranking",
    "pairs",
    "control",
    "alternative",
    "adjust",
    "alpha",
    "method",
    "scale",
    "intervals",
    "margin",
    "missing",
    "fill",
    "formulas",
)

ANALYSIS_OPTIONS: dict[str, Option] = {
    "ranking": Option(
        AUTO, {AUTO: _AS_RECOMMENDED, **_explanations_of(RANKINGS)}, "how data sets are ranked"
    ),
    "control": Option(
        None,
        {
            None: Choice("none: all pairs", "compares every algorithm with every other one"),
            BEST: Choice(
                "the best ranked",
                "compares the algorithm with the best average rank with all others",
            ),
        },
        f"compare this algorithm with all others; '{BEST}' takes the best ranked",
        axis="algorithms",
    ),
    "pairs": Option(
        AUTO,
        {AUTO: _AS_RECOMMENDED, **_explanations_of(PAIRWISE_TESTS)},
        "how pairs of algorithms are tested",
    ),
    "adjust": _adjust(AUTO, {AUTO: _AS_RECOMMENDED, **_RAW_OR_ADJUSTED}),
    "tables.pairs": Option(
        "ranks", _explanations_of(PAIRWISE_TESTS), "how pairs of algorithms are tested"
    ),
    "across": Option(
        False,
        None,
        "adjust p-values over the hypotheses of all groups together",
        bool,
        label="Over all groups",
        switch=True,
    ),
    "alpha": _number(
        0.05,
        check_probability,
        "significance level: of the family-wise error, or of the false discovery rate",
    ),
    "digits": Option(
        3, None, "decimals of ranks and statistics, from 2 to 8; a p-value has one more", int
    ),
    "theme": Option(
        "light", ("light", "dark"), "figures of the notebook: dark on white, or light on black"
    ),
    "formulas": Option(
        "corrected",
        {
            "corrected": Choice("corrected for ties", "accounts for ties"),
            "printed": Choice(
                "as printed",
                "takes the formulas as the papers print them, to repeat their numbers",
            ),
        },
        "formulas that account for ties, or those that the papers print",
    ),
    "missing": _treatment("compare"),
    "pairs.missing": _treatment("compare_pair"),
    "fill": Option(
        None,
        {None: Choice("the worst of the data set")},
        "score to use instead, where missing scores are treated as the worst: a number, or the "
        "algorithm whose score is used",
        number_or_name,
        metavar="SCORE",
        label="Score of failures",
        axis="algorithms",
    ),
    "test": Option(
        AUTO,
        (AUTO, *PAIR_TESTS),
        f"how two algorithms are compared; '{AUTO}': as compare does it, by wilcoxon, or by sign "
        "if the data sets are on several scales",
    ),
    "zeros": Option(
        AUTO,
        (AUTO, *ZEROS),
        "what Wilcoxon's test and the sign test do with data sets on which the two tie; "
        f"'{AUTO}': demsar for the former, wilcox (they do not count) for the latter",
    ),
    "method": Option(
        AUTO,
        {
            AUTO: Choice(
                "exact where quick",
                "is exact for as many data sets as that takes no time, else approximate",
            ),
            EXACT: Choice(
                "exact", "counts all outcomes that are possible under the null hypothesis"
            ),
            NORMAL: Choice(
                "normal approximation",
                "takes p from the normal distribution, which is good for many data sets",
            ),
        },
        "how p is computed: exactly, by a normal approximation, or exactly where that is quick",
        label="p-values",
    ),
    "intervals": Option(
        "simultaneous",
        {
            "simultaneous": Choice(
                "all together", "gives intervals that hold for all pairs at the same time"
            ),
            "pairwise": Choice(
                "each by itself",
                "gives shorter intervals, each of which holds for its pair alone",
            ),
            "none": Choice("none", "leaves the intervals out"),
        },
        "confidence intervals of the differences of pairs: which hold all together, or each by "
        "itself",
    ),
    "margin": Option(
        None,
        {None: Choice("none")},
        "differences smaller than this, in units of the measure, do not matter in practice: "
        "says which pairs are equivalent within it",
        float,
        within=check_positive,
    ),
    "alternative": Option(
        TWO_SIDED,
        {
            TWO_SIDED: Choice(effect="tests for a difference in either direction"),
            **{
                word: Choice(effect=f"tests whether the control is {word}, {_BEFORE}")
                for word in ALTERNATIVES[1:]
            },
        },
        "whether the first, or the control, differs, is better, or is worse",
    ),
    "confidence": _number(0.95, check_probability, "confidence level of the intervals"),
    "n_resamples": _count(2000, "how often data sets are drawn for the intervals", least=20),
    "scale": Option(
        AUTO,
        {
            AUTO: Choice(
                f"{AUTO} (by the ranges)",
                "judges by how much the ranges of the data sets differ",
            ),
            "one": Choice(
                "one scale",
                "says that a difference means the same on every data set, as with accuracy",
            ),
            "several": Choice(
                "several scales", "says that it does not, as with errors in different units"
            ),
        },
        "whether the scores of all data sets are on one scale, so that they may be added and "
        f"compared between data sets; '{AUTO}' judges by their ranges",
    ),
    "procedure": Option(
        AUTO,
        {
            **_explanations_of(STOCHASTIC_PROCEDURES),
            AUTO: Choice(
                f"{AUTO} (Bootstrap-B, or by the test)",
                "takes bootstrap-b, or interval if a test of pairs is chosen",
            ),
        },
        f"how repeated runs enter the test; '{AUTO}': bootstrap-b, or interval with a test of "
        "pairs",
    ),
    "stochastic.test": Option(
        None,
        {
            None: Choice(effect="is wilcoxon, or sign if the data sets are on several scales"),
            **{
                word: Choice(test.label.removeprefix("the "), test.effect)
                for word, test in IMPRECISE_TESTS.items()
            },
        },
        "pairwise test behind interval-valued and fuzzy p-values (default: wilcoxon, or sign if "
        "the data sets are on several scales)",
    ),
    "stochastic.adjust": _adjust("holm", _RAW_OR_ADJUSTED),
    "encoding": Option(
        None,
        {
            None: Choice(effect="is what the procedure takes first"),
            **_explanations_of(ENCODINGS, "short"),
        },
        "what the runs of a fold become: an interval or a number",
    ),
    "coverage": _number(
        None,
        check_share,
        "share of the runs that an interval covers (default: 0.1 for bootstrap-b, else 0.9)",
    ),
    "blocks": Option(
        AUTO,
        {
            AUTO: Choice(effect="takes data sets, or folds if there is one data set"),
            "datasets": Choice(
                "data sets", "compares the algorithms on data sets, whose folds are averaged"
            ),
            "folds": Choice(effect="compares them on the folds of one data set"),
        },
        "what the algorithms are compared on; folds if there is one data set",
    ),
    "stochastic.method": Option(
        EXACT,
        {
            EXACT: Choice(effect="computes the p-values"),
            "resampling": Choice("random draws", "estimates them by random draws"),
        },
        "whether p is computed or drawn at random",
    ),
    "stochastic.n_resamples": _count(10_000, "random draws for resampling", label="Random draws"),
    "stochastic.missing": _treatment("compare_stochastic"),
    "cv.test": Option(
        "corrected-t",
        _explanations_of(CROSS_VALIDATION_TESTS),
        "how two algorithms are compared on the folds of one data set; all pairs are always "
        "compared by corrected-t",
    ),
    "cv.adjust": _adjust_of_pairs("holm with a control, else shaffer"),
    "cv.missing": _treatment("compare_cv"),
    "items.test": Option(
        AUTO,
        {AUTO: Choice(), **_explanations_of(ITEM_TESTS)},
        f"how two algorithms are compared on items; '{AUTO}': mcnemar for scores of 0 and 1 "
        "without clusters, else sign-flip",
    ),
    "items.adjust": _adjust_of_pairs("holm"),
    "items.missing": _treatment("compare_items"),
    "runs.adjust": _adjust_of_pairs("holm with a control, else shaffer"),
    "ratio": _number(
        None,
        check_positive,
        "size of a test set over that of a training set, for t tests on folds, such as 1/9 for "
        "tenfold cross-validation (default: that of the folds, if these show it)",
        type=_fraction,
    ),
    "unit": Option(
        AUTO,
        {
            AUTO: Choice(
                f"{AUTO} (data sets if there are several)",
                "takes data sets if there are several, else what the one has",
            ),
            "datasets": Choice("data sets", "says how many data sets like these are needed"),
            "folds": Choice(
                "folds of the data set", "says how many folds of the data set are needed"
            ),
            "runs": Choice("runs of each fold", "says how many runs of each fold are needed"),
            "items": Choice(
                "items of the benchmark", "says how many items of the benchmark are needed"
            ),
        },
        "what is planned: the number of data sets, of folds of a data set, of runs, or of items "
        f"of a benchmark ('{AUTO}': data sets if there are several, else what the one has)",
        label="Plan for",
        flag="plan-for",  # reading a table has --unit
    ),
    "power": _number(
        0.8,
        check_probability,
        "wanted power: the probability of finding what is there",
    ),
    "prior": _number(
        2.0,
        check_nonnegative,
        "number of data sets, folds or runs without a difference that are added to those of the "
        "pilot, because its differences tend to be too large",
    ),
    "largest": _count(500, "largest number that is tried", least=2, label="Largest number"),
    "plan.missing": _treatment("plan"),
    "n_jobs": Option(
        None,
        None,
        "number of processes that share the work, -1 for as many as there are cores; needs joblib "
        "(default: 1)",
        int,
        metavar="N",
        label="Processes",
        within=check_jobs,
    ),
    "rope": _number(
        None,
        check_nonnegative,
        "half the width of the region of practical equivalence, in units of the measure: "
        "differences up to this do not matter in practice; 0 for no such region",
        label="Region of equivalence",
    ),
    "bayesian.test": Option(
        AUTO,
        {AUTO: Choice(f"{AUTO} (by the data)"), **_explanations_of(BAYESIAN_TESTS)},
        f"which Bayesian test; '{AUTO}': signed-rank over data sets, correlated-t on the folds of "
        "one",
    ),
    "threshold": _number(
        0.95,
        check_threshold,
        "probability from which something is claimed about a pair, above 0.5",
    ),
    "n_samples": _count(50_000, "random draws of the signed-rank test", label="Random draws"),
    "bayesian.rng": _count(0, _SEED, least=0, label="Seed"),
    "baseline": Option(
        None,
        None,
        "two algorithms, a low and a high reference: on each data set, scores are normalised so "
        "that their means become 0 and 1",
        names_in,
        metavar="LOW,HIGH",
    ),
    "target": Option(
        None,
        None,
        "score from which a run lacks nothing, in units of the measure, or normalised by the "
        "baseline (where it is 1 by default): for the optimality gap",
        float,
    ),
    "aggregates.n_resamples": _count(
        2000, "how often the runs are drawn for the intervals", least=20
    ),
    "aggregates.missing": _treatment("aggregate_runs"),
    "bayesian.missing": _treatment("compare_bayesian"),
    "rng": _count(None, _SEED, least=0, label="Seed"),
    "cutpoints": _count(
        10, "how many regular cut-points of the budget", least=3, label="Cut-points"
    ),
    "version": Option(
        AUTO,
        {
            AUTO: Choice(
                f"{AUTO} (as the differences need)",
                "takes the alternative ranks for logarithms of errors, and both for values with "
                "known optima",
            ),
            "both": Choice(effect="shows the results of either; the alternative ranks decide"),
            **_explanations_of(TREND_RANKS),
        },
        "ranks of the differences; alternative ones take account of optima that were reached "
        f"('{AUTO}': they alone for logarithms, both for values with known optima)",
    ),
    "optimum_tolerance": _number(
        None,
        check_nonnegative,
        "errors up to this value count as the optimum (default: 0; for logarithms, if an optimum "
        "is reached, the power of ten below all other errors)",
    ),
    "aggregate": Option(
        "mean",
        {
            "mean": Choice(effect="takes the mean of the runs at every cut-point"),
            "median": Choice(effect="takes their median, which single bad runs do not change"),
        },
        "what represents the runs",
    ),
    "convergence.missing": Option(
        "raise",
        {
            "raise": Choice("raise an error", "names the problems without a run"),
            "drop": Choice("leave out the problem", "leaves those problems out"),
        },
        "what to do about a problem without a run of some algorithm: raise an error, or leave out "
        "the problem",
        label="Missing runs",
    ),
    "differences": Option(
        AUTO,
        {
            AUTO: Choice(
                f"{AUTO} (logarithms of errors if optima are known)",
                "takes logarithms of errors if the optima are known, else values",
            ),
            **_explanations_of(DIFFERENCES),
        },
        "differences of values (does the gap grow?), or of logarithms of errors (which algorithm "
        f"is faster?); '{AUTO}': logarithms if the optima are known",
    ),
    "convergence.adjust": _adjust(
        AUTO,
        {
            **_RAW_OR_ADJUSTED,
            AUTO: Choice(
                f"{AUTO} (Holm)",
                "takes Holm, or leaves the p-values as they are with the printed formulas",
            ),
        },
        ": holm, or none with the printed formulas",
        "p-values; several",
    ),
    "convergence.alpha": _number(
        None,
        check_probability,
        "significance level (default: 0.05, or 0.1 with the printed formulas)",
    ),
    "null": Option(
        None,
        {
            None: Choice(effect="is that the algorithms may be exchanged"),
            **_explanations_of(TREND_NULLS),
        },
        "null hypothesis that decides: algorithms (default) or cut-points are exchangeable",
        label="Null hypothesis",
    ),
    "targets": Option(
        None,
        None,
        "values of the objective that runs are to reach, separated by commas; "
        f"'{QUANTILES}': ten for every problem that are chosen from the data (default: precisions)",
        _targets,
        metavar="NUMBER,NUMBER",
    ),
    "precisions": Option(
        None,
        None,
        "distances from the known optima that runs are to reach, separated by commas (default: 51 "
        "of them, from 1e2 to 1e-8)",
        _numbers,
        metavar="NUMBER,NUMBER",
    ),
    "restarts": Option(
        False,
        None,
        "continue the distribution beyond the end of runs by simulated restarts, as COCO does",
        bool,
        label="Simulated restarts",
        switch=True,
    ),
    "diagram.best": Option("right", ("right", "left"), "the side of the best rank"),
}
