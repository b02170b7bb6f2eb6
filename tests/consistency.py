"""Experiments of every kind, asked in every way: does nbcompare contradict itself?

``python tests/consistency.py 1000 6000`` counts the faults of these experiments, by kind;
``tests/results/test_consistency.py`` runs a few of them.
"""

import re
import sys
import warnings
from collections import Counter
from itertools import product

import numpy as np

import nbcompare as nbc
from nbcompare import DataError, Experiment, Histories

_NAMES = r"((?:A\d(?:, | and | or )?)+)"
_BETTER = re.compile(
    rf"{_NAMES} (?:is|are) (?:significantly )?(better|worse) than (?:the control, )?{_NAMES}"
)
_STATED = re.compile(r"p = (\d\.\d+)")


# ------------------------------------------------------------------------------ experiments


def scores_of(rng):
    """Return scores, one axis per data set, algorithm, fold and run, with what they stand for."""
    n, k = int(rng.integers(3, 22)), int(rng.integers(2, 7))
    shape = (1, k, int(rng.integers(4, 15)), 1) if rng.random() < 0.15 else (n, k, 1, 1)
    if shape[0] > 1 and rng.random() < 0.25:
        shape = (n, k, 1, int(rng.integers(3, 9)))
    levels = rng.normal(size=(1, k, 1, 1)) * rng.choice([0, 0.5, 2])
    scores = rng.normal(size=shape) + levels + rng.normal(size=(shape[0], 1, 1, 1))
    kind = rng.choice(
        ["plain", "rounded", "ties", "items", "scales", "float32", "copies", "edges", "gaps"]
    )
    if kind == "rounded":
        scores = np.round(scores, 1)
    elif kind == "ties":
        scores = np.where(rng.random(shape) < 0.6, 0.5, np.round(scores, 1))
    elif kind == "items":
        scores = np.floor(40 / (1 + np.exp(-scores))) / 40
    elif kind == "scales":
        scores = scores * 10.0 ** rng.integers(0, 6, size=(shape[0], 1, 1, 1))
    elif kind == "float32":
        scores = np.round(scores, 3).astype(np.float32).astype(float)
    elif kind == "copies" and k > 2:
        scores[:, 1] = scores[:, 0]
    elif kind == "edges":  # differences of exactly the margins and regions below
        scores = np.round(scores[:, :1] + rng.choice([-0.1, -0.01, 0, 0.01, 0.1], size=shape), 2)
    elif kind == "gaps" and shape[0] > 8:
        scores[:, 1:][rng.random((shape[0], k - 1, *shape[2:])) < 0.05] = np.nan
    return scores, str(kind)


def experiment_of(scores, direction="maximize", rows=None, columns=None):
    rows, columns = (
        list(range(n)) if given is None else given.tolist()
        for given, n in zip((rows, columns), scores.shape[:2], strict=True)
    )
    return Experiment.from_array(
        scores[np.ix_(rows, columns)],
        direction=direction,
        algorithms=[f"A{j}" for j in columns],
        datasets=[f"d{i}" for i in rows],
    )


def questions_of(rng, experiment):
    """Yield analyses of an experiment: a name, and a function of it."""
    k = experiment.n_algorithms
    control = rng.choice([None, "A1", "A0"])
    options = {
        "pairs": str(rng.choice(["auto", "auto", "wilcoxon", "t", "ranks"])),
        "adjust": rng.choice(["auto", "holm", "shaffer" if control is None else "hochberg", None]),
        "control": control,
        "ranking": str(rng.choice(["auto", "auto", "friedman", "aligned", "quade"])),
        "margin": rng.choice([None, None, 0.1, 0.5]),
    }
    if not experiment.is_complete:
        options["missing"] = str(rng.choice(["skillings-mack", "drop", "worst", "available"]))
        yield "compare", lambda e: nbc.compare(e, **options)
        return
    yield "compare", lambda e: nbc.compare(e, **options)
    yield "sensitivity", lambda e: nbc.sensitivity(e, control=control)
    yield "compare_pair", lambda e: nbc.compare_pair(e, "A0", "A1")
    yield "describe", nbc.describe
    yield "contrast_estimation", lambda e: nbc.contrast_estimation(e, n_resamples=50)
    yield "rank_intervals", lambda e: nbc.rank_intervals(e)
    yield "recommend", nbc.recommend
    if k > 2:
        yield "multiple_sign_test", lambda e: nbc.multiple_sign_test(e, "A1")
        side = {"control": "A1", "alternative": "better" if k % 2 else "worse"}
        yield "one-sided", lambda e: nbc.compare(e, **side, pairs=options["pairs"])
    rope = float(rng.choice([0.01, 0.1]))
    yield "compare_bayesian", lambda e: nbc.compare_bayesian(e, rope=rope, n_samples=500)
    if experiment.n_folds > 1:
        yield "compare_cv", lambda e: nbc.compare_cv(e, control=control)
    if experiment.n_runs > 1:
        yield "compare_stochastic", lambda e: nbc.compare_stochastic(e, control=control)
        yield "aggregate_runs", lambda e: nbc.aggregate_runs(e, n_resamples=50)


def histories_of(rng):
    n, k = int(rng.integers(4, 14)), int(rng.integers(2, 5))
    curves = np.minimum.accumulate(rng.random((n, k, 3, 24)) + 0.1, axis=3)
    curves *= rng.choice([0.9, 1, 1.1], size=(1, k, 1, 1))
    known = rng.random() < 0.5
    return Histories.from_array(
        curves,
        direction="minimize",
        algorithms=[f"A{j}" for j in range(k)],
        optimum=0.0 if known else None,
    )


# ------------------------------------------------------------------------------ what is asked


def decisions_of(result):
    """Return by pair, its labels sorted, p, the decision, and the estimate with its ends."""
    tests = getattr(result, "hypotheses", None)
    found = {}
    if tests is None or getattr(tests, "second", None) is None:
        return found
    for row, (one, other) in enumerate(zip(tests.first, tests.second, strict=True)):
        sign = 1 if one < other else -1
        if hasattr(tests, "pvalue"):
            effects = {name: part[0] for name, part in tests.effects([row]).items()}
            sizes = [effects[name] for name in ("estimate", "lower", "upper") if name in effects]
            if hasattr(result, "lower"):
                sizes = [tests.mean_difference[row], result.lower[row], result.upper[row]]
            numbers = [tests.pvalue[row], *(p[row] for p in tests.adjusted.values())]
            decided = bool(tests.rejected[row])
        else:
            sizes = [tests.difference_low[row], tests.difference_high[row]]
            numbers, decided = [tests.p_low[row], tests.p_high[row]], tests.outcome[row]
        ends = sorted(sign * size for size in sizes[-2:]) if len(sizes) > 1 else []
        middle = [sign * size for size in sizes[:-2]]
        found[tuple(sorted((one, other)))] = (numbers, decided, [*middle, *ends])
    return found


def differ(one, other, unit=1.0):
    """Say in which way two results decide otherwise; nothing if they do not."""
    if getattr(one, "by_ranks", False):  # relative ranks have no unit
        unit = 1.0
    one, other = decisions_of(one), decisions_of(other)
    if one.keys() != other.keys():
        return "other pairs"
    for pair, (numbers, decided, sizes) in one.items():
        again, decided_again, sizes_again = other[pair]
        if not np.allclose(numbers, again, rtol=1e-6, atol=1e-12):
            return f"p of {pair}: {numbers} and {again}"
        if decided != decided_again:
            return f"decision on {pair}"
        tolerance = 1e-6 * max(map(abs, (*sizes, 1e-9)), default=1e-9) * unit
        scaled = [unit * size for size in sizes]
        if not np.allclose(scaled, sizes_again, rtol=1e-6, atol=tolerance):
            return f"sizes of {pair}: {scaled} and {sizes_again}"
    return ""


def of_copies(found):
    """Yield the p-values of equal hypotheses that differ: A0 and A1 have the same scores."""
    for pair, (numbers, *_) in found.items():
        alike = tuple(sorted({"A0": "A1"}.get(name, name) for name in pair))
        if "A0" in pair and alike in found and len(set(alike)) == 2:
            others = found[alike][0]
            if not np.allclose(numbers[0], others[0], rtol=1e-9):
                yield f"p of {pair} and {alike}: {numbers[0]} and {others[0]}"


def told_wrongly(result):
    """Yield sentences of the findings that are not what the pairs say."""
    tests = getattr(result, "hypotheses", None)
    if tests is None or not hasattr(tests, "pvalue"):
        return
    better = {}
    for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        first = pair if tests.statistic[row] >= 0 else pair[::-1]
        better[first] = bool(tests.rejected[row])
    for sentence in result.findings:
        for names, word, others in _BETTER.findall(sentence):
            split = [re.findall(r"A\d", text) for text in (names, others)]
            for pair in product(*(split if word == "better" else split[::-1])):
                if not better.get(pair, False):
                    yield f"{pair} in {sentence!r}"
    text = " ".join(result.findings)
    nothing = re.search(r"No significant difference was found|not shown to be \w+ than any", text)
    if bool(nothing) == tests.rejected.any():
        yield f"{int(tests.rejected.sum())} rejected beside {text!r}"
    for row in range(len(tests)):
        p = tests.decisive(row)
        if not p.startswith("<") and (float(p) <= result.alpha) != tests.rejected[row]:
            yield f"p = {p} beside {tests.rejected[row]}"


def faults_of(seed):
    """Yield the kind and the text of each fault that one experiment shows."""
    rng = np.random.default_rng(seed)
    if rng.random() < 0.1:
        data = histories_of(rng)
        for name, ask in (
            ("compare_convergence", nbc.compare_convergence),
            ("fixed_targets", nbc.fixed_targets),
        ):
            yield from (fault for _, fault in asked(name, ask, data) if fault)
        return
    scores, kind = scores_of(rng)
    data = experiment_of(scores)
    rows, columns = (rng.permutation(n) for n in scores.shape[:2])
    others = {
        "order": (experiment_of(scores, rows=rows, columns=columns), 1.0),
        "direction": (experiment_of(-scores, "minimize"), 1.0),
        "unit": (experiment_of(scores * 128), 128.0),
    }
    for name, ask in questions_of(rng, data):
        for result, fault in asked(name, ask, data):
            if fault:
                yield fault
            if result is None:
                continue
            if kind == "copies":
                yield from ((f"{name}: copies", text) for text in of_copies(decisions_of(result)))
            for why, (other, unit) in others.items():
                # thresholds and regions have the unit of the scores
                if why == "unit" and getattr(result, "margin", None) is not None:
                    continue
                for again, _ in asked(name, ask, other):
                    text = "refused" if again is None else differ(result, again, unit)
                    if text:
                        yield f"{name}: {why}", f"{kind}: {text}"


def asked(name, ask, data):
    """Yield the result (None if the data were refused) and each fault as a kind and a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            result = ask(data)
            for text in (*result.check(), *told_wrongly(result)):
                yield result, (f"{name}: told", text)
        except (DataError, ValueError):
            yield None, None
            return
        except Exception as error:
            yield None, (f"{name}: {type(error).__name__}", str(error))
            return
    yield result, None


def counted(seeds):
    """Return the number of faults by kind, and the first experiment and text of each."""
    counts, first = Counter(), {}
    for seed in seeds:
        for kind, text in faults_of(seed):
            counts[kind] += 1
            first.setdefault(kind, (seed, text))
    return counts, first


if __name__ == "__main__":
    start, stop = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (0, 200)
    counts, first = Counter(), {}
    for begin in range(start, stop, 50):
        some, examples = counted(range(begin, min(begin + 50, stop)))
        counts += some
        first = examples | first
        print(f"{begin + 50:6}  tried, {sum(counts.values())} faults", file=sys.stderr, flush=True)
    for kind, count in counts.most_common():
        print(f"{count:6}  {kind}  (experiment {first[kind][0]}: {first[kind][1][:300]})")
    print(f"{sum(counts.values()):6}  in all")
