"""The options of analyses, and of how their results are shown."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any, Protocol

from nbcompare._options.option import Option, names_in, number_or_name
from nbcompare._options.shared_words import (
    ALTERNATIVES,
    AUTO,
    BEST,
    EXACT,
    NORMAL,
    QUANTILES,
    TWO_SIDED,
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


_RECOMMENDED = f"{AUTO} (as recommended)"
_ADJUST = MappingProxyType(
    {
        None: "none: raw p-values",
        AUTO: _RECOMMENDED,
        **{name: procedure.label for name, procedure in PROCEDURES.items()},
    }
)
_RAISE = {"raise": "raise an error"}
_ADVISED = "takes what is recommended for these data and the other options"


class _Effective(Protocol):
    """A record that says what its word does."""

    @property
    def effect(self) -> str:
        """The end of a sentence that begins with the word."""


def _effects(
    records: Mapping[str, _Effective], more: Mapping[Any, str] | None = None
) -> dict[Any, str]:
    """Return what words do: further ones, and those of records."""
    return {**(more or {}), **{word: record.effect for word, record in records.items()}}


_EFFECTS_OF_ADJUST = MappingProxyType(
    _effects(
        PROCEDURES,
        {
            None: "leaves the p-values as they are, which finds too much where there are several "
            "hypotheses",
            AUTO: _ADVISED,
        },
    )
)


def _treatment(function: str) -> Option:
    """Return the option for missing scores of a function."""
    words = TREATMENTS_OF[function]
    return Option(
        words[0],
        words,
        "what to do about missing scores: "
        + "; ".join(f"'{word}' {TREATMENTS[word].effect}" for word in words[1:]),
        label="Missing scores",
        spelled={word: TREATMENTS[word].label for word in words},
        effects={word: TREATMENTS[word].effect for word in words},
    )


def _adjust_of_pairs(usual: str) -> Option:
    """Return the option for the adjustment of pairs that are tested by their own scores."""
    return Option(
        AUTO,
        (*(name for name in PROCEDURES if name != "nemenyi"), AUTO),
        "procedure that adjusts the p-values of all pairs; several, separated by commas, make a "
        f"column each; '{AUTO}' is {usual}",
        label="Adjustment",
        spelled={name: text for name, text in _ADJUST.items() if name != "nemenyi"},
        several=True,
    )


def _numbers(text: str) -> list[float]:
    """Read numbers that are separated by commas."""
    return [float(part) for part in text.split(",")]


def _targets(text: str) -> list[float] | str:
    return text if text == QUANTILES else _numbers(text)


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

ANALYSIS_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "ranking": Option(
            AUTO,
            (AUTO, *RANKINGS),
            "how data sets are ranked",
            spelled={
                AUTO: _RECOMMENDED,
                **{name: ranking.label for name, ranking in RANKINGS.items()},
            },
            effects=_effects(RANKINGS, {AUTO: _ADVISED}),
        ),
        "control": Option(
            None,
            None,
            f"compare this algorithm with all others; '{BEST}' takes the best ranked",
            spelled={None: "none: all pairs", BEST: "the best ranked"},
            effects={
                None: "compares every algorithm with every other one",
                BEST: "compares the algorithm with the best average rank with all others",
            },
            axis="algorithms",
        ),
        "pairs": Option(
            AUTO,
            (AUTO, *PAIRWISE_TESTS),
            "how pairs of algorithms are tested",
            spelled={
                AUTO: _RECOMMENDED,
                **{name: test.label for name, test in PAIRWISE_TESTS.items()},
            },
            effects=_effects(PAIRWISE_TESTS, {AUTO: _ADVISED}),
        ),
        "adjust": Option(
            AUTO,
            (AUTO, *PROCEDURES),
            "procedure that adjusts p-values; several, separated by commas, make a column each",
            label="Adjustment",
            spelled=_ADJUST,
            effects=_EFFECTS_OF_ADJUST,
            several=True,
        ),
        "tables.pairs": Option(
            "ranks",
            tuple(PAIRWISE_TESTS),
            "how pairs of algorithms are tested",
            spelled={name: test.label for name, test in PAIRWISE_TESTS.items()},
        ),
        "across": Option(
            False,
            None,
            "adjust p-values over the hypotheses of all groups together",
            bool,
            label="Over all groups",
            switch=True,
        ),
        "alpha": Option(
            0.05,
            None,
            "significance level: of the family-wise error, or of the false discovery rate",
            float,
            within=check_probability,
        ),
        "digits": Option(
            3, None, "decimals of ranks and statistics, from 2 to 8; a p-value has one more", int
        ),
        "theme": Option(
            "light", ("light", "dark"), "figures of the notebook: dark on white, or light on black"
        ),
        "formulas": Option(
            "corrected",
            ("corrected", "printed"),
            "formulas that account for ties, or those that the papers print",
            spelled={"corrected": "corrected for ties", "printed": "as printed"},
            effects={
                "corrected": "accounts for ties",
                "printed": "takes the formulas as the papers print them, to repeat their numbers",
            },
        ),
        "missing": _treatment("compare"),
        "pairs.missing": _treatment("compare_pair"),
        "fill": Option(
            None,
            None,
            "score to use instead, where missing scores are treated as the worst: a number, or the "
            "algorithm whose score is used",
            number_or_name,
            metavar="SCORE",
            label="Score of failures",
            spelled={None: "the worst of the data set"},
            axis="algorithms",
        ),
        "test": Option(
            AUTO,
            (AUTO, *PAIR_TESTS),
            f"how two algorithms are compared; '{AUTO}': as compare does it, by wilcoxon, or by "
            "sign if the data sets are on several scales",
        ),
        "zeros": Option(
            AUTO,
            (AUTO, *ZEROS),
            "what Wilcoxon's test and the sign test do with data sets on which the two tie; "
            f"'{AUTO}': demsar for the former, wilcox (they do not count) for the latter",
        ),
        "method": Option(
            AUTO,
            (AUTO, EXACT, NORMAL),
            "how p is computed: exactly, by a normal approximation, or exactly where that is quick",
            label="p-values",
            spelled={AUTO: "exact where quick", EXACT: "exact", NORMAL: "normal approximation"},
            effects={
                AUTO: "is exact for as many data sets as that takes no time, else approximate",
                EXACT: "counts all outcomes that are possible under the null hypothesis",
                NORMAL: "takes p from the normal distribution, which is good for many data sets",
            },
        ),
        "intervals": Option(
            "simultaneous",
            ("simultaneous", "pairwise", "none"),
            "confidence intervals of the differences of pairs: which hold all together, or each by "
            "itself",
            spelled={
                "simultaneous": "all together",
                "pairwise": "each by itself",
                "none": "none",
            },
            effects={
                "simultaneous": "gives intervals that hold for all pairs at the same time",
                "pairwise": "gives shorter intervals, each of which holds for its pair alone",
                "none": "leaves the intervals out",
            },
        ),
        "margin": Option(
            None,
            None,
            "differences smaller than this, in units of the measure, do not matter in practice: "
            "says which pairs are equivalent within it",
            float,
            within=check_positive,
            spelled={None: "none"},
        ),
        "alternative": Option(
            TWO_SIDED,
            ALTERNATIVES,
            "whether the first, or the control, differs, is better, or is worse",
            effects={
                TWO_SIDED: "tests for a difference in either direction",
                "better": "tests whether the control is better, which must be decided before the "
                "scores are seen",
                "worse": "tests whether the control is worse, which must be decided before the "
                "scores are seen",
            },
        ),
        "confidence": Option(
            0.95, None, "confidence level of the intervals", float, within=check_probability
        ),
        "n_resamples": Option(
            2000,
            None,
            "how often data sets are drawn for the intervals",
            int,
            within=partial(check_count, least=1),
        ),
        "scale": Option(
            AUTO,
            (AUTO, "one", "several"),
            "whether the scores of all data sets are on one scale, so that they may be added and "
            f"compared between data sets; '{AUTO}' judges by their ranges",
            spelled={
                AUTO: f"{AUTO} (by the ranges)",
                "one": "one scale",
                "several": "several scales",
            },
            effects={
                AUTO: "judges by how much the ranges of the data sets differ",
                "one": "says that a difference means the same on every data set, as with accuracy",
                "several": "says that it does not, as with errors in different units",
            },
        ),
        "procedure": Option(
            AUTO,
            (*STOCHASTIC_PROCEDURES, AUTO),
            f"how repeated runs enter the test; '{AUTO}': bootstrap-b, or interval with a test of "
            "pairs",
            spelled={
                AUTO: f"{AUTO} (Bootstrap-B, or by the test)",
                **{name: word.label for name, word in STOCHASTIC_PROCEDURES.items()},
            },
            effects=_effects(
                STOCHASTIC_PROCEDURES,
                {AUTO: "takes bootstrap-b, or interval if a test of pairs is chosen"},
            ),
        ),
        "stochastic.test": Option(
            None,
            tuple(IMPRECISE_TESTS),
            "pairwise test behind interval-valued and fuzzy p-values (default: wilcoxon, or sign "
            "if the data sets are on several scales)",
            spelled={
                name: word.label.removeprefix("the ") for name, word in IMPRECISE_TESTS.items()
            },
            effects=_effects(
                IMPRECISE_TESTS,
                {None: "is wilcoxon, or sign if the data sets are on several scales"},
            ),
        ),
        "stochastic.adjust": Option(
            "holm",
            tuple(PROCEDURES),
            "procedure that adjusts p-values; several, separated by commas, make a column each",
            label="Adjustment",
            spelled={None: _ADJUST[None], **{name: _ADJUST[name] for name in PROCEDURES}},
            effects={word: text for word, text in _EFFECTS_OF_ADJUST.items() if word != AUTO},
            several=True,
        ),
        "encoding": Option(
            None,
            tuple(ENCODINGS),
            "what the runs of a fold become: an interval or a number",
            spelled={
                "central": "central interval",
                "shortest": "shortest interval",
                "range": "full range",
                "interquartile-mean": "interquartile mean",
                "mode": "half-sample mode",
                "bootstrap-mean": "interval of the bootstrapped mean",
            },
            effects=_effects(ENCODINGS, {None: "is what the procedure takes first"}),
        ),
        "coverage": Option(
            None,
            None,
            "share of the runs that an interval covers (default: 0.1 for bootstrap-b, else 0.9)",
            float,
            within=check_share,
        ),
        "blocks": Option(
            AUTO,
            (AUTO, "datasets", "folds"),
            "what the algorithms are compared on; folds if there is one data set",
            spelled={"datasets": "data sets"},
            effects={
                AUTO: "takes data sets, or folds if there is one data set",
                "datasets": "compares the algorithms on data sets, whose folds are averaged",
                "folds": "compares them on the folds of one data set",
            },
        ),
        "stochastic.method": Option(
            "exact",
            ("exact", "resampling"),
            "whether p is computed or drawn at random",
            spelled={"resampling": "random draws"},
            effects={
                "exact": "computes the p-values",
                "resampling": "estimates them by random draws",
            },
        ),
        "stochastic.n_resamples": Option(
            10_000,
            None,
            "random draws for resampling",
            int,
            label="Random draws",
            within=partial(check_count, least=1),
        ),
        "stochastic.missing": _treatment("compare_stochastic"),
        "cv.test": Option(
            "corrected-t",
            tuple(CROSS_VALIDATION_TESTS),
            "how two algorithms are compared on the folds of one data set; all pairs are always "
            "compared by corrected-t",
            spelled={name: word.label for name, word in CROSS_VALIDATION_TESTS.items()},
        ),
        "cv.adjust": _adjust_of_pairs("holm with a control, else shaffer"),
        "cv.missing": _treatment("compare_cv"),
        "items.test": Option(
            AUTO,
            (AUTO, *ITEM_TESTS),
            f"how two algorithms are compared on items; '{AUTO}': mcnemar for scores of 0 and 1 "
            "without clusters, else sign-flip",
            spelled={name: word.label for name, word in ITEM_TESTS.items()},
        ),
        "items.adjust": _adjust_of_pairs("holm"),
        "items.missing": _treatment("compare_items"),
        "runs.adjust": _adjust_of_pairs("holm with a control, else shaffer"),
        "n_datasets": Option(
            None,
            None,
            "how many data sets were ranked",
            int,
            within=partial(check_count, least=2),
        ),
        "ratio": Option(
            None,
            None,
            "size of a test set over that of a training set, for t tests on folds, such as 1/9 "
            "for tenfold cross-validation (default: that of the folds, if these show it)",
            _fraction,
            within=check_positive,
        ),
        "unit": Option(
            AUTO,
            (AUTO, "datasets", "folds", "runs", "items"),
            "what is planned: the number of data sets, of folds of a data set, of runs, or of "
            f"items of a benchmark ('{AUTO}': data sets if there are several, else what the one "
            "has)",
            label="Plan for",
            flag="plan-for",  # reading a table has --unit
            spelled={
                AUTO: "auto (data sets if there are several)",
                "datasets": "data sets",
                "folds": "folds of the data set",
                "runs": "runs of each fold",
                "items": "items of the benchmark",
            },
            effects={
                AUTO: "takes data sets if there are several, else what the one has",
                "datasets": "says how many data sets like these are needed",
                "folds": "says how many folds of the data set are needed",
                "runs": "says how many runs of each fold are needed",
                "items": "says how many items of the benchmark are needed",
            },
        ),
        "power": Option(
            0.8,
            None,
            "wanted power: the probability of finding what is there",
            float,
            label="Power",
            within=check_probability,
        ),
        "prior": Option(
            2.0,
            None,
            "number of data sets, folds or runs without a difference that are added to those of "
            "the pilot, because its differences tend to be too large",
            float,
            label="Prior",
            within=check_nonnegative,
        ),
        "largest": Option(
            500,
            None,
            "largest number that is tried",
            int,
            label="Largest number",
            within=partial(check_count, least=2),
        ),
        "plan.missing": _treatment("plan"),
        "n_jobs": Option(
            None,
            None,
            "number of processes that share the work, -1 for as many as there are cores; needs "
            "joblib (default: 1)",
            int,
            metavar="N",
            label="Processes",
            within=check_jobs,
        ),
        "rope": Option(
            None,
            None,
            "half the width of the region of practical equivalence, in units of the measure: "
            "differences up to this do not matter in practice; 0 for no such region",
            float,
            label="Region of equivalence",
            within=check_nonnegative,
        ),
        "bayesian.test": Option(
            AUTO,
            (AUTO, *BAYESIAN_TESTS),
            f"which Bayesian test; '{AUTO}': signed-rank over data sets, correlated-t on the folds "
            "of one",
            spelled={
                AUTO: f"{AUTO} (by the data)",
                **{name: test.label for name, test in BAYESIAN_TESTS.items()},
            },
        ),
        "threshold": Option(
            0.95,
            None,
            "probability from which something is claimed about a pair, above 0.5",
            float,
            within=check_threshold,
        ),
        "n_samples": Option(
            50_000,
            None,
            "random draws of the signed-rank test",
            int,
            label="Random draws",
            within=partial(check_count, least=1),
        ),
        "bayesian.rng": Option(
            0,
            None,
            "seed of the random draws",
            int,
            label="Seed",
            within=partial(check_count, least=0),
        ),
        "baseline": Option(
            None,
            None,
            "two algorithms, a low and a high reference: on each data set, scores are normalised "
            "so that their means become 0 and 1",
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
        "aggregates.n_resamples": Option(
            2000,
            None,
            "how often the runs are drawn for the intervals",
            int,
            within=partial(check_count, least=1),
        ),
        "aggregates.missing": _treatment("aggregate_runs"),
        "bayesian.missing": _treatment("compare_bayesian"),
        "rng": Option(
            None,
            None,
            "seed of the random draws",
            int,
            label="Seed",
            within=partial(check_count, least=0),
        ),
        "cutpoints": Option(
            10,
            None,
            "how many regular cut-points of the budget",
            int,
            label="Cut-points",
            within=partial(check_count, least=3),
        ),
        "version": Option(
            AUTO,
            (AUTO, "both", *TREND_RANKS),
            "ranks of the differences; alternative ones take account of optima that were reached "
            f"('{AUTO}': they alone for logarithms, both for values with known optima)",
            spelled={AUTO: "auto (as the differences need)"},
            effects=_effects(
                TREND_RANKS,
                {
                    AUTO: "takes the alternative ranks for logarithms of errors, and both for "
                    "values with known optima",
                    "both": "shows the results of either; the alternative ranks decide",
                },
            ),
        ),
        "optimum_tolerance": Option(
            None,
            None,
            "errors up to this value count as the optimum (default: 0; for logarithms, if an "
            "optimum is reached, the power of ten below all other errors)",
            float,
            within=check_nonnegative,
        ),
        "aggregate": Option(
            "mean",
            ("mean", "median"),
            "what represents the runs",
            effects={
                "mean": "takes the mean of the runs at every cut-point",
                "median": "takes their median, which single bad runs do not change",
            },
        ),
        "convergence.missing": Option(
            "raise",
            ("raise", "drop"),
            "what to do about a problem without a run of some algorithm: raise an error, or leave "
            "out the problem",
            label="Missing runs",
            spelled={**_RAISE, "drop": "leave out the problem"},
            effects={
                "raise": "names the problems without a run",
                "drop": "leaves those problems out",
            },
        ),
        "differences": Option(
            AUTO,
            (AUTO, *DIFFERENCES),
            "differences of values (does the gap grow?), or of logarithms of errors (which "
            f"algorithm is faster?); '{AUTO}': logarithms if the optima are known",
            spelled={
                AUTO: "auto (logarithms of errors if optima are known)",
                "raw": "values",
                "log": "logarithms of errors",
            },
            effects=_effects(
                DIFFERENCES,
                {AUTO: "takes logarithms of errors if the optima are known, else values"},
            ),
        ),
        "convergence.adjust": Option(
            AUTO,
            (*PROCEDURES, AUTO),
            f"procedure that adjusts p-values; several make a column each; '{AUTO}': holm, or none "
            "with the printed formulas",
            label="Adjustment",
            spelled={**_ADJUST, AUTO: "auto (Holm)"},
            effects={
                **_EFFECTS_OF_ADJUST,
                AUTO: "takes Holm, or leaves the p-values as they are with the printed formulas",
            },
            several=True,
        ),
        "convergence.alpha": Option(
            None,
            None,
            "significance level (default: 0.05, or 0.1 with the printed formulas)",
            float,
            within=check_probability,
        ),
        "null": Option(
            None,
            tuple(TREND_NULLS),
            "null hypothesis that decides: algorithms (default) or cut-points are exchangeable",
            label="Null hypothesis",
            spelled={name: word.label for name, word in TREND_NULLS.items()},
            effects=_effects(TREND_NULLS, {None: "is that the algorithms may be exchanged"}),
        ),
        "targets": Option(
            None,
            None,
            "values of the objective that runs are to reach, separated by commas; "
            f"'{QUANTILES}': ten for every problem that are chosen from the data (default: "
            "precisions)",
            _targets,
            metavar="NUMBER,NUMBER",
        ),
        "precisions": Option(
            None,
            None,
            "distances from the known optima that runs are to reach, separated by commas (default: "
            "51 of them, from 1e2 to 1e-8)",
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
)
