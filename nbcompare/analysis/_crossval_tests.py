"""The tests of two algorithms on the folds of one data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare.analysis._folds import Folds
from nbcompare.stats import crossval, permutation, tilted


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that a test needs; ``ratio`` is settled, ``rng`` is the generator."""

    alternative: str
    alpha: float
    method: str
    n_resamples: int
    rng: np.random.Generator
    formulas: str
    ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a test gives. ``statistic`` is negative where the first is better, but for F."""

    statistic: float
    p_low: float
    p_high: float
    log10_pvalue: float
    method: str
    df: tuple[int, ...] | None = None
    branch: str | None = None
    normality: float | None = None
    tilt: float | None = None
    weights: FloatArray | None = None


def _permutation(folds: Folds, asked: Asked) -> Outcome:
    test = permutation.permutation_test(
        folds.differences,
        alternative=asked.alternative,
        n_draws="2n" if asked.formulas == "printed" else "n",
        method=asked.method,
        n_resamples=asked.n_resamples,
        rng=asked.rng,
        scale=folds.scale,
    )
    return _of_draws(folds, float(test.p_low), float(test.p_high), asked.method)


def _tilted(folds: Folds, asked: Asked) -> Outcome:
    test = tilted.tilted_test(
        *folds.exact,
        alternative=asked.alternative,
        method=asked.method,
        n_resamples=asked.n_resamples,
        rng=asked.rng,
    )
    if test.fallback:
        return replace(_permutation(folds, asked), branch="permutation")
    return replace(
        _of_draws(folds, float(test.p_low), float(test.p_high), asked.method),
        branch="tilted",
        tilt=float(test.tilt) * folds.factor,
        weights=np.stack([test.weights_x, test.weights_y]),
    )


def _of_draws(folds: Folds, p_low: float, p_high: float, method: str) -> Outcome:
    """The mean difference, in its own unit, and p that is never 0."""
    return Outcome(
        statistic=float(folds.differences.mean()) / folds.factor,
        p_low=p_low,
        p_high=p_high,
        log10_pvalue=math.log10(p_high),
        method=method,
    )


def _five_by_two_t(folds: Folds, asked: Asked) -> Outcome:
    test = crossval.five_by_two_t(
        folds.differences, alternative=asked.alternative, scale=folds.scale
    )
    return _of_fold_test(test, "t")


def _five_by_two_f(folds: Folds, _: Asked) -> Outcome:
    return _of_fold_test(crossval.five_by_two_f(folds.differences, scale=folds.scale), "F")


def _corrected_t(folds: Folds, asked: Asked) -> Outcome:
    test = crossval.corrected_t(
        folds.differences.reshape(-1),
        asked.ratio,
        alternative=asked.alternative,
        scale=folds.scale.reshape(-1),
    )
    return _of_fold_test(test, "t")


def _of_fold_test(test: crossval.FoldTest, method: str) -> Outcome:
    p = float(test.pvalue)
    return Outcome(
        statistic=float(test.statistic),
        df=test.df,
        p_low=p,
        p_high=p,
        log10_pvalue=float(test.log10_pvalue),
        method=method,
    )


def _classical(folds: Folds, asked: Asked) -> Outcome:
    test = crossval.classical(
        folds.differences,
        alternative=asked.alternative,
        alpha=asked.alpha,
        scale=folds.scale,
    )
    is_t, p = bool(test.is_t), float(test.pvalue)
    return Outcome(
        statistic=float(test.statistic),
        df=(test.df,) if is_t else None,
        p_low=p,
        p_high=p,
        log10_pvalue=float(test.log10_pvalue),
        method="t" if is_t else "exact" if test.exact else "normal",
        branch="t" if is_t else "wilcoxon",
        normality=None if np.isnan(test.normality) else float(test.normality),
    )


TESTS: Mapping[str, Callable[[Folds, Asked], Outcome]] = MappingProxyType(
    {
        "permutation": _permutation,
        "tilted": _tilted,
        "5x2cv-t": _five_by_two_t,
        "5x2cv-f": _five_by_two_f,
        "corrected-t": _corrected_t,
        "classical": _classical,
    }
)
