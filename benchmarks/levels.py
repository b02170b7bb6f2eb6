"""How often each default errs, and how often it finds what is there, by studies of the package.

``python benchmarks/levels.py [N]`` draws N (3,000) experiments with equal algorithms for each case,
and a quarter of it with a first algorithm that is better, and writes the tables of ``LEVELS.md``.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import nbcompare as nbc
from nbcompare import study

ALPHA = 0.05
PAGE = Path(__file__).with_name("LEVELS.md")
Random = np.random.Generator
Verdict = study.Verdict

# ------------------------------------------------------------------------------- experiments

SHAPES: dict[str, Callable[[Random, tuple[int, ...]], np.ndarray]] = {
    "normal": lambda rng, size: rng.normal(size=size),
    "ties": lambda rng, size: np.round(rng.normal(size=size)),
    "heavy tails": lambda rng, size: rng.standard_t(3, size) / np.sqrt(3),
    "skewed": lambda rng, size: rng.exponential(size=size) - 1,
    "unequal variances": lambda rng, size: (
        rng.normal(size=size) * np.linspace(0.3, 1.7, size[1])[:, None, None]
    ),
    "one skewed": lambda rng, size: np.where(
        np.arange(size[1])[:, None, None],
        0.1 * rng.normal(size=size),
        rng.exponential(size=size) - 1,
    ),
    "opposite skew": lambda rng, size: (
        (rng.exponential(size=size) - 1) * np.resize([1, -1], size[1])[:, None, None]
    ),
}


@dataclass(frozen=True)
class Scores:
    """A model of scores: noise, of which the first algorithm has more by the effect."""

    n: int
    k: int
    shape: str = "normal"
    unit: str = "datasets"
    folds: int = 1
    runs: int = 1
    cluster: int = 1  # rows in each, alike for half of the variance
    missing: float = 0.0  # share of scores
    shared: str = "normal"  # shape of what all folds share

    effect_name = "standard deviations by which the first is better"

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(f"A{place + 1}" for place in range(self.k))

    def truth(self, effect: float) -> np.ndarray:
        return np.array([int("A1" in pair and effect > 0) for pair in study.pairs(self.algorithms)])

    def draw(self, effect: float, rng: Random) -> nbc.Experiment:
        size = (self.n, self.k, self.folds, self.runs)
        if self.shape.startswith("right"):
            scores = self._answers(effect, rng)
        else:
            noise = SHAPES[self.shape]
            scores = noise(rng, size)
            if self.unit == "folds":  # training sets that overlap make folds alike, by this part
                rho, shared = 1 / max(self.n, self.folds), SHAPES[self.shared]
                part = shared(rng, (1, self.k, 1, 1))
                scores = np.sqrt(1 - rho) * scores + np.sqrt(rho) * part
            elif self.unit == "datasets" and self.runs > 1:  # algorithms suit some data sets more
                scores += 0.5 * rng.normal(size=(self.n, self.k, 1, 1))
            if self.cluster > 1:
                part = noise(rng, (self.n // self.cluster, *size[1:]))
                scores = (scores + np.repeat(part, self.cluster, axis=0)) / np.sqrt(2)
            scores[:, 0] += effect
            if self.unit in ("datasets", "items"):
                scores += 3 * rng.normal(size=(self.n, 1, 1, 1))
        gaps = rng.random(size) < self.missing
        scores[gaps & ~gaps.all(axis=(1, 2, 3), keepdims=True)] = np.nan  # never all of a data set
        clusters = np.arange(self.n) // self.cluster if self.cluster > 1 else None
        flat = size[2:] == (1, 1)
        return nbc.Experiment.from_array(
            scores[:, :, 0, 0] if flat else scores,
            direction="maximize",
            unit=self.unit if flat else None,
            clusters=clusters,
        )

    def _answers(self, effect: float, rng: Random) -> np.ndarray:
        """Return ones and zeros; in clusters items and algorithms are alike."""
        n, k, chance = self.n, self.k, float(self.shape.split()[-1])
        drawn = rng.random((n, k))
        if self.cluster > 1:
            hard, own = rng.random((n // self.cluster, 1)), rng.random((n // self.cluster, k))
            hard, own = (np.repeat(part, self.cluster, axis=0) for part in (hard, own))
            item = np.where(rng.random((n, 1)) < 0.5, hard, rng.random((n, 1)))
            drawn = np.where(rng.random((n, k)) < 0.5, own, item)
        chances = np.full(k, chance)
        chances[0] = min(chance + effect * np.sqrt(chance * (1 - chance)), 0.995)
        return (drawn < chances).astype(float)[:, :, None, None]


@dataclass(frozen=True)
class Shifted(Scores):
    """Scores of which the first algorithm has more, so that intervals have something to cover."""

    always: float = 0.0

    def draw(self, effect: float, rng: Random) -> nbc.Experiment:
        return super().draw(effect + self.always, rng)


@dataclass(frozen=True)
class Fixed(Scores):
    """Runs on data sets that are all there are, whose levels are symmetric about 0."""

    def draw(self, effect: float, rng: Random) -> nbc.Experiment:  # noqa: ARG002
        levels = np.linspace(-1, 1, self.n)[:, None, None, None]
        scores = levels + SHAPES[self.shape](rng, (self.n, self.k, 1, self.runs))
        return nbc.Experiment.from_array(scores, direction="maximize")


@dataclass(frozen=True)
class Races:
    """A model of histories: errors that decay in random steps, those of the first faster."""

    n: int
    k: int
    shape: str = "normal"

    effect_name = "how much faster the first is"
    algorithms, truth = Scores.algorithms, Scores.truth

    def draw(self, effect: float, rng: Random) -> nbc.Histories:
        size = (self.n, self.k, 5, 20)
        rate = np.full((self.k, 1, 1), 0.4) * rng.lognormal(0, 0.15, (*size[:3], 1))
        rate[:, 0] *= 1 + effect
        start = 10 ** rng.uniform(-2, 3, (self.n, 1, 1, 1)) * rng.lognormal(0, 0.2, (*size[:3], 1))
        errors = start * np.exp(-np.cumsum(rate * rng.gamma(2, 0.25, size), axis=3))
        return nbc.Histories.from_array(errors, direction="minimize", optimum=0.0)


# -------------------------------------------------------------------------- what is concluded


def verdict(data: Any, claims: Iterable[tuple[str, str, float]]) -> Verdict:
    """Return claims about some pairs, by sign, as outcomes of all."""
    all_of = [(*pair, 0.0) for pair in study.pairs(data.algorithms)] + list(claims)
    return Verdict.of(data, *zip(*all_of, strict=True))


def of_hypotheses(tests: Any) -> Iterator[tuple[str, str, float]]:
    """Yield what is rejected, in favour of whom."""
    favours = getattr(tests, "favours", None)
    signs = np.sign(tests.statistic if favours is None else favours)
    found = np.array(tests.outcome) == "significant" if favours is not None else tests.rejected
    # a control stands first in some hypotheses, an average in others
    yield from zip(tests.first, tests.second, signs * found, strict=True)


def tested(function: Callable[..., Any], data: Any, _: Random, **options: Any) -> Verdict:
    """Return what tests reject; of several groups, in any."""
    result = function(data, **options)
    parts = getattr(result, "groups", None) if function is nbc.compare_by else None
    each = [of_hypotheses(part.hypotheses) for part in (parts.values() if parts else [result])]
    return verdict(data, sorted((claim for part in each for claim in part), key=lambda it: it[2]))


def of_folds(data: nbc.Experiment) -> Any:
    return nbc.compare_cv(experiment=data)


def faster(data: nbc.Histories, _: Random) -> Verdict:
    *_, tests = nbc.compare_convergence(data).tests.values()
    names = data.algorithms
    return verdict(data, ((names[i], names[j], 1.0) for i, j in np.argwhere(tests.rejected)))


def one_pair(data: nbc.Experiment, _: Random, **options: Any) -> Verdict:
    result = nbc.compare_pair(data, "A1", "A2", **options)
    return verdict(data, [("A1", "A2", result.rejected * np.sign(result.wins - result.losses))])


def signs(data: nbc.Experiment, _: Random, control: str) -> Verdict:
    result = nbc.multiple_sign_test(data, control)
    gains = np.sign(result.minus - result.plus) * result.rejected
    return verdict(
        data, ((result.control, *it) for it in zip(result.algorithms, gains, strict=True))
    )


Claim = tuple[str, str, float]


def missed(first: str, second: str, low: float, high: float, truth: float) -> Claim:
    """Return a claim that is wrong whenever an interval misses the truth."""
    return first, second, 0.0 if low - 1e-9 <= truth <= high + 1e-9 else -1.0


def rank_ends(data: nbc.Experiment, _: Random) -> Verdict:
    found, middle = nbc.rank_intervals(data), (data.n_algorithms + 1) / 2
    names = data.algorithms[1:]
    return verdict(
        data, (missed("A1", it, found.lower[it], found.upper[it], middle) for it in names)
    )


def contrast_ends(data: nbc.Experiment, _: Random, **options: Any) -> Verdict:
    found = nbc.contrast_estimation(data, **options)
    others = range(1, data.n_algorithms)
    ends = ((found.lower[0, it], found.upper[0, it], 0.0) for it in others)
    return verdict(data, (missed("A1", f"A{it + 2}", *end) for it, end in enumerate(ends)))


def aggregate_ends(data: nbc.Experiment, _: Random, part: str, truth: float) -> Verdict:
    found = getattr(nbc.aggregate_runs(data, scale="one"), part)
    low, high = (np.atleast_2d(ends)[0, 1:] for ends in (found.lower, found.upper))
    others = data.algorithms[1:]
    return verdict(data, (missed("A1", *it, truth) for it in zip(others, low, high, strict=True)))


def simultaneous_ends(data: nbc.Experiment, _: Random, effect: float, **options: Any) -> Verdict:
    """Return claims by simultaneous intervals of pairs, of which the first is better."""
    tests = nbc.compare(data, **options).hypotheses
    shifts = {"A1": effect}
    pairs = zip(tests.first, tests.second, strict=True)
    truth = [shifts.get(one, 0) - shifts.get(other, 0) for one, other in pairs]
    each = zip(tests.first, tests.second, tests.lower, tests.upper, truth, strict=True)
    return verdict(data, (missed(*it) for it in each))


def marks(data: nbc.Experiment, _: Random) -> Verdict:
    """Return who is marked as worse than the best on the one data set."""
    found = nbc.describe(data)
    best = int(np.flatnonzero(found.best[0])[0])
    worse = np.flatnonzero(~found.best[0] & ~found.close[0])
    return verdict(data, ((data.algorithms[best], data.algorithms[it], 1.0) for it in worse))


def not_normal(data: nbc.Experiment, _: Random, test: str) -> Verdict:
    """Return which samples are not normal, or that variances differ, as claims on pairs."""
    found = nbc.check_conditions(data)
    if test in found.variances[0].tests:
        return verdict(data, [("A1", "A2", found.variances[0].tests[test].pvalue <= ALPHA)])
    each = (sample for sample in found.samples if sample.algorithm != "A1")
    return verdict(data, (("A1", it.algorithm, it.tests[test].pvalue <= ALPHA) for it in each))


# -------------------------------------------------------------------------------------- cases


class Case(NamedTuple):
    """What is asked of which experiments."""

    part: str  # of the page
    call: str
    model: Any
    ask: Callable[..., Verdict]
    effect: float = 0.0  # 0 without a power
    each: bool = False  # whether each pair, not the family, has the level
    holds: bool = True  # or a known exception
    about: str = ""  # the data, beside n and k

    @property
    def row(self) -> tuple[str, str, str, str]:
        return self.call, f"{self.model.n:,}", str(self.model.k), self.about or self.model.shape


def compare(**options: Any) -> Callable[..., Verdict]:
    return partial(tested, nbc.compare, **options)


ONE, SEVERAL = compare(scale="one"), compare(scale="several")
MAIN = ("normal", "ties", "heavy tails")
GROUPS = {str(place + 1): "abc"[place % 3] for place in range(36)}


def over_datasets() -> Iterator[Case]:
    part, call = "Data sets", "`compare`, one scale"
    sizes = [(n, k) for k in (2, 4, 8) for n in (14, 30)]
    for n, k in ((6, 2), *sizes):
        more = ("ties", "skewed", "unequal variances") if (n, k) in ((14, 2), (14, 4)) else ()
        for shape in ("normal", "heavy tails", *more):
            yield Case(part, call, Scores(n, k, shape), ONE, 0.5)
    for n, k in sizes:
        yield Case(part, "`compare`, several scales", Scores(n, k), SEVERAL, 0.5)
    yield Case(part, "`compare`, several scales", Scores(14, 4, "ties"), SEVERAL, 0.5)
    for control in ("A2", "best"):
        for n in (14, 30):
            yield Case(
                part,
                f"`compare`, control {'named' if control == 'A2' else 'the best'}",
                Scores(n, 6),
                compare(scale="one", control=control),
                0.5,
            )
    for word, runs in (("drop", 1), ("skillings-mack", 1), ("available", 5)):
        yield Case(
            part,
            f"`compare`, `missing={word!r}`",
            Scores(20, 4, runs=runs, missing=0.05),
            compare(scale="one", missing=word),
            0.5,
        )
    for n in (10, 30):
        for scale in ("one", "several"):
            ask = partial(one_pair, scale=scale)
            name = f"`compare_pair`, {scale} scale{'s' if scale == 'several' else ''}"
            yield Case(part, name, Scores(n, 2), ask, 0.5)
    across = partial(tested, nbc.compare_by, by=GROUPS, scale="one", across=True)
    yield Case(part, "`compare_by`, `across`", Scores(36, 4), across, 0.5)
    for control in ("A2", "best"):
        name = f"`multiple_sign_test`, control {'named' if control == 'A2' else 'the best'}"
        yield Case(part, name, Scores(30, 6), partial(signs, control=control), 0.5)


def within() -> Iterator[Case]:
    part = "Within one data set"
    for k in (2, 4, 8):
        yield from (
            Case(part, "`compare_cv`", Scores(10, k, s, "folds"), compare(), 0.5)
            for s in ("normal", "ties")
        )
    model, ask = Scores(1, 4, "normal", "folds", folds=10, runs=10), partial(tested, of_folds)
    yield Case(part, "`compare_cv`", model, ask, 0.5, about="normal, 10 times 10 folds")
    for n, k, shape in ((5, 2, "normal"), (15, 2, "normal"), (15, 2, "ties"), (15, 4, "normal")):
        yield Case(part, "`compare_runs`", Scores(n, k, shape, "runs"), compare(), 1.0)
    for n, k in ((50, 2), (200, 2), (1000, 2)):
        for chance in (0.5, 0.98):
            shape = f"right with probability {chance}"
            yield Case(part, "`compare_items`", Scores(n, k, shape, "items"), compare(), 0.2)
    for shape in ("normal", "skewed", "right with probability 0.7"):
        model = Scores(500, 3, shape, "items", cluster=50)
        yield Case(part, "`compare_items`", model, compare(), 0.3, about=f"{shape}, clusters of 50")
    for k in (2, 4, 8):
        model = Scores(1, k, "normal", "runs", runs=10)
        yield Case(part, "`describe`, marks", model, marks, 1.0, about="normal, 10 runs")


def of_conditions() -> Iterator[Case]:
    for test in ("shapiro-wilk", "lilliefors", "levene", "brown-forsythe"):
        for n in (10, 30):
            call = f"`check_conditions`, {test}"
            model, ask = Scores(n, 2, unit="runs"), partial(not_normal, test=test)
            yield Case("Conditions", call, model, ask, each=True)


def of_runs() -> Iterator[Case]:
    part = "Repeated runs and histories"
    ask = partial(tested, nbc.compare_stochastic)
    for scale, k, runs in (("one", 2, 10), ("several", 2, 10), ("one", 4, 5)):
        call = f"`compare_stochastic`, {scale} scale{'s' if scale == 'several' else ''}"
        model, about = Scores(10, k, runs=runs), f"normal, {runs} runs"
        yield Case(part, call, model, partial(ask, scale=scale), 0.8, about=about)
    model, about = Scores(1, 3, "normal", "runs", folds=10, runs=5), "normal, 10 folds of 5 runs"
    yield Case(part, "`compare_stochastic`, one data set", model, ask, 0.8, about=about)
    for n, k in ((10, 2), (20, 2), (20, 4)):
        yield Case(part, "`compare_convergence`", Races(n, k), faster, 0.08, about="5 runs")


def of_intervals() -> Iterator[Case]:
    part = "Intervals"
    for n, k, shape in ((10, 4, "normal"), (30, 4, "normal"), (30, 4, "skewed"), (10, 8, "ties")):
        yield Case(part, "`rank_intervals`", Scores(n, k, shape), rank_ends, each=True)
    for n, k, shape in ((14, 4, "normal"), (30, 4, "heavy tails")):
        model, ask = Shifted(n, k, shape, always=1.0), partial(simultaneous_ends, effect=1.0)
        about = f"{shape}, the first better by 1"
        yield Case(part, "`compare`, simultaneous", model, partial(ask, scale="one"), about=about)
    for n, k, shape in ((10, 3, "normal"), (30, 3, "normal"), (30, 3, "heavy tails")):
        ask = partial(contrast_ends, scale="one")
        yield Case(part, "`contrast_estimation`", Scores(n, k, shape), ask, each=True)
    ends = (("interquartile_mean", 0.0), ("mean", 0.0), ("improvement", 0.5))
    for name, truth in ends:
        ask = partial(aggregate_ends, part=name, truth=truth)
        call, model = f"`aggregate_runs`, `{name}`", Fixed(5, 2, runs=5)
        yield Case(part, call, model, ask, each=True, about="normal, 5 runs")


def exceptions() -> Iterator[Case]:
    part = "Where the level does not hold"
    for k in (2, 4, 8):
        for shared, about in (("normal", "single folds"), ("heavy tails", "what folds share, too")):
            model = Scores(10, k, "heavy tails", "folds", shared=shared)
            about = f"heavy tails of {about}"
            yield Case(part, "`compare_cv`", model, compare(), 0.5, holds=False, about=about)
    for n, cluster in ((60, 10), (200, 10)):
        model = Scores(n, 2, "one skewed", "items", cluster=cluster)
        about = f"one skewed, clusters of {cluster}"
        yield Case(part, "`compare_items`", model, compare(), holds=False, about=about)
    for n in (14, 30, 100):
        model = Scores(n, 2, "opposite skew")
        yield Case(part, "`compare`, one scale", model, ONE, holds=False)


def cases() -> Iterator[Case]:
    """Yield every case, in the order of the page."""
    for part in (over_datasets, within, of_runs, of_intervals, of_conditions, exceptions):
        yield from part()


# ------------------------------------------------------------------------------------ figures


class Figures(NamedTuple):
    """Shares of experiments with an error, without and with an effect, and the power of a pair."""

    level: float
    partial: float
    power: float
    times: int


def measured(case: Case, times: int) -> Figures:
    """Return what a study of the case finds."""
    seed = zlib.crc32(" ".join(case.row).encode())

    def of(effect: float, repetitions: int) -> tuple[float, float]:
        found = study.run(
            case.model, {"it": case.ask}, effects=[effect], repetitions=repetitions, rng=seed
        )
        first, kind = slice(case.model.k - 1), "wrong" if case.each else "right"
        pairs = found.pair_shares[kind].share[0, 0, first]
        level = pairs.mean() if case.each else found.shares["family"].share[0, 0]
        return float(level), float(pairs.mean()) if effect else np.nan

    level, _ = of(0.0, times)
    rest = of(case.effect, max(1, times // 4)) if case.effect else (np.nan, np.nan)
    return Figures(level, *rest, times)


def most(times: int) -> float:
    """Return the greatest level that so many experiments do not speak against."""
    return ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / times)


def row(case: Case, found: Figures) -> str:
    """Return a line of a table."""
    power = f"{case.effect:g} | {found.power:.2f}" if case.effect else "|"
    return f"| {' | '.join(case.row)} | {found.times:,} | {found.level:.3f} | {power} |"


def tables(figures: Mapping[tuple[str, ...], Figures]) -> str:
    """Return the tables of the page from figures by part and row of each case."""
    text = ""
    for part, group in groupby(cases(), key=lambda case: case.part):
        text += f"### {part}\n\n| what | n | k | data | experiments | level | effect | power |\n"
        text += f"|{'---|' * 8}\n"
        text += "\n".join(row(case, figures[part, *case.row]) for case in group) + "\n\n"
    return text.rstrip() + "\n"


def main() -> None:
    """Simulate every case, and write the tables of the page anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("times", type=int, nargs="?", default=3000, metavar="N")
    times = parser.parse_args().times
    figures = {}
    for case in cases():
        figures[case.part, *case.row] = measured(case, times)
        print(row(case, figures[case.part, *case.row]), flush=True)
    said, _, _ = PAGE.read_text(encoding="utf-8").partition("### ")
    PAGE.write_text(said + tables(figures), encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
