"""SciPy by hand, as an example in its documentation does it."""

import math

import numpy as np
from frames import frame_in, named
from harness import Loaded, by_pair, measure
from scipy import stats


def ranked(scores):
    n, k = scores.shape
    p = stats.friedmanchisquare(*scores.T).pvalue
    averages = stats.rankdata(-scores, axis=1).mean(axis=0)
    first, second = np.triu_indices(k, 1)
    z = np.abs(averages[second] - averages[first]) / math.sqrt(k * (k + 1) / (6 * n))
    return float(p), averages, z


def holm(p):
    adjusted, highest = np.empty(len(p)), 0.0
    for place, row in enumerate(np.argsort(p)):
        highest = max(highest, min(1.0, (len(p) - place) * p[row]))
        adjusted[row] = highest
    return adjusted


def nemenyi(z, k):
    return stats.studentized_range.sf(z * math.sqrt(2), k, math.inf)


def compare(frame):
    _, _, z = ranked(frame.to_numpy())
    return holm(2 * stats.norm.sf(z))


def diagram(path):
    scores = frame_in(path).to_numpy()
    _, _, z = ranked(scores)
    nemenyi(z, scores.shape[1])


def tests_of_pairs(frame):
    scores = frame.to_numpy()
    first, second = np.triu_indices(scores.shape[1], 1)
    return [
        stats.wilcoxon(scores[:, i], scores[:, j]).pvalue
        for i, j in zip(first, second, strict=True)
    ]


def agreement(path):
    frame = frame_in(path)
    n, k = frame.shape
    p, averages, z = ranked(frame.to_numpy())
    quantile = stats.studentized_range.ppf(0.95, k, math.inf)
    names = list(frame)
    found = {
        "friedman": lambda: p,
        "ranks": lambda: named(names, averages),
        "cd": lambda: float(quantile * math.sqrt(k * (k + 1) / (12 * n))),
        "nemenyi": lambda: by_pair(names, nemenyi(z, k)),
        "holm": lambda: by_pair(names, compare(frame)),
    }
    if n <= 50:
        found["wilcoxon"] = lambda: by_pair(names, tests_of_pairs(frame))
    return found


measure(
    {
        "diagram": diagram,
        "compare": Loaded(frame_in, compare),
        "wilcoxon": Loaded(frame_in, lambda frame: holm(tests_of_pairs(frame))),
        "agreement": agreement,
    }
)
