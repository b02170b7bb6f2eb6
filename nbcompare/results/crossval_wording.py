"""Sentences and tables for the comparison of two algorithms on the folds of one data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbcompare._render import format_number, format_p, format_rounded, plural
from nbcompare.results import _subject as subject
from nbcompare.results._established import sides
from nbcompare.results.pair import METHOD, percent
from nbcompare.results.pair_wording import hypothesis
from nbcompare.words import BRANCHES, CROSS_VALIDATION_TESTS, CrossValidationTest

if TYPE_CHECKING:
    from nbcompare.results.crossval import CrossValidation


def method(result: CrossValidation) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    words, design = taken(result), result.design
    averaged = any(note.code == "runs-averaged" for note in result.notes)
    means = f"; means over {plural(design.n_runs, 'run')}" if averaged else ""
    rows = [
        ("scores", f"{design.measure or 'scores'}, {design.better}{means}"),
        ("folds", folds(result)),
        ("test", f"{words.label}, {sides(result.alternative)}; {computed(result)}"),
        (
            "hypothesis tested",
            hypothesis(result, "have the same expected score", " in expected score"),
        ),
        *_details(result),
        ("α", f"{result.alpha:g}; rejected if p ≤ α"),
        ("difference", f"mean over the folds, {result.design.minus(result.first, result.second)}"),
        *subject.identity(result.design, "fingerprint of the scores compared"),
    ]
    return tuple(rows)


def figures(result: CrossValidation) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the test."""
    name = taken(result).statistic
    rows = [(name, _shown(result.statistic))] if name else []
    if result.df is not None:
        rows.append(("degrees of freedom", _df(result)))
    if result.test == "classical":
        shown = "none" if result.normality is None else format_p(result.normality)
        rows.append(("normality of the differences, Shapiro–Wilk p", shown))
    if result.tilt is not None:
        rows.append(("tilt λ", format_number(result.tilt)))
    return (
        *rows,
        (f"p ({result.alternative})", p(result)),
        ("significant", "yes" if result.rejected else "no"),
        ("win/tie/loss", f"{result.wins}/{result.ties}/{result.losses}"),
        ("mean difference", format_rounded(result.mean_difference)),
        *(
            []
            if result.lower is None
            else [(f"{percent(1 - result.alpha)} interval", interval(result))]
        ),
    )


def interval(result: CrossValidation, sign: int = 1) -> str:
    """Return the ends of the interval, if there is one, of the mean difference or its negative."""
    ends = sorted(sign * end + 0.0 for end in (result.lower, result.upper) if end is not None)
    return " to ".join(map(format_rounded, ends))


def taken(result: CrossValidation) -> CrossValidationTest:
    """Return the test that gave p."""
    if result.branch is None:
        return CROSS_VALIDATION_TESTS[result.test]
    return BRANCHES[result.branch]


def folds(result: CrossValidation) -> str:
    """Describe the folds, such as ``10 folds`` or ``10 repetitions of 10 folds``."""
    *repeats, n_folds = result.differences.shape
    if result.test.startswith("5x2cv"):
        return "5 replications of 2 folds"
    return splits_text(next(iter(repeats), 1), n_folds, result.differences.size)


def splits_text(n_repeats: int, n_folds: int, n_used: int) -> str:
    """Return test sets in words, of which ``n_used`` have every score."""
    if n_folds == 1:
        return plural(n_repeats, "random split")
    repeated = f"{plural(n_repeats, 'repetition')} of " if n_repeats > 1 else ""
    text = f"{repeated}{plural(n_folds, 'fold')}"
    if n_used < n_repeats * n_folds:
        text += f", of which {n_used} have every score"
    return text


def where_of(dataset: str | None) -> str:
    """Return the data set in words."""
    return "one data set" if dataset is None else f"the data set {dataset}"


def fold_headers(result: CrossValidation) -> tuple[str, ...]:
    """Return headers of the columns that identify the fold of a row."""
    return ("repetition", "fold")[2 - result.differences.ndim :]


def fold_labels(result: CrossValidation) -> list[tuple[str, ...]]:
    """Return the cells that identify the fold of each row, numbered from 1."""
    n_folds = result.differences.shape[-1]
    pairs = [divmod(place, n_folds) for place in range(result.differences.size)]
    labels = [(str(repeat + 1), str(fold + 1)) for repeat, fold in pairs]
    return [label[2 - result.differences.ndim :] for label in labels]


def p(result: CrossValidation) -> str:
    """Return the p-value as text, or its bounds if they differ in the printed digits."""
    low, high = format_p(result.p_low), format_p(result.p_high, result.log10_pvalue)
    return high if low == high or result.p_low == result.p_high else f"{low} to {high}"


def outcome(result: CrossValidation) -> str:
    """Return the outcome, ``significant`` or ``not significant``."""
    return "significant" if result.rejected else "not significant"


def _df(result: CrossValidation) -> str:
    return " and ".join(map(str, result.df or ()))


def computed(result: CrossValidation) -> str:
    """Return the law by which p was computed."""
    if result.n_resamples is not None:
        return f"{result.n_resamples:,} random samples"
    return METHOD[result.method]


def shows_side(result: CrossValidation) -> bool:
    """Return whether the means, and the statistic if it has a sign, say which is better."""
    says = 0 if result.method == "F" else (result.statistic > 0) - (result.statistic < 0)
    return result.favours != 0 and says in (0, result.favours)


def _details(result: CrossValidation) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method that only some tests have."""
    if result.test == "permutation" or result.branch == "permutation":
        times = "2n" if result.formulas == "printed" else "n"
        return (
            (
                "null distribution",
                f"mean of {times} differences drawn with replacement from those observed and their "
                "negatives",
            ),
        )
    if result.tilt is not None:
        return (
            (
                "null distribution",
                "difference of the means of n scores of each, drawn with weights nearest to equal "
                f"ones that give both the same mean (λ = {format_number(result.tilt)})",
            ),
        )
    if result.ratio is not None:
        return (("test over training size", format_number(result.ratio, 3)),)
    if result.test == "classical":
        return (("test of normality", f"Shapiro–Wilk, at α = {result.alpha:g}"),)
    return ()


def _shown(statistic: float) -> str:
    """Return the statistic as text, a sum of ranks in full, t and F with 3 decimals."""
    return format_number(statistic, None if (2 * statistic) % 1 == 0 else 3)
