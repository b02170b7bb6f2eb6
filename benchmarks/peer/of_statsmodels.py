"""statsmodels, which adjusts p-values and has the studentized range; the tests are SciPy's."""

import math

import numpy as np
from frames import frame_in, named
from harness import Loaded, by_pair, measure
from scipy import stats
from statsmodels.stats.libqsturng import psturng, qsturng
from statsmodels.stats.multitest import multipletests


def distances(scores):
    """Return average ranks, and their differences in standard errors."""
    n, k = scores.shape
    averages = stats.rankdata(-scores, axis=1).mean(axis=0)
    first, second = np.triu_indices(k, 1)
    return averages, np.abs(averages[second] - averages[first]) / math.sqrt(k * (k + 1) / (6 * n))


def nemenyi(z, k):
    return np.atleast_1d(psturng(z * math.sqrt(2), k, np.inf))


def diagram(path):
    scores = frame_in(path).to_numpy()
    stats.friedmanchisquare(*scores.T)
    nemenyi(distances(scores)[1], scores.shape[1])


def compare(frame):
    scores = frame.to_numpy()
    stats.friedmanchisquare(*scores.T)
    return multipletests(2 * stats.norm.sf(distances(scores)[1]), method="holm")[1]


def agreement(path):
    frame = frame_in(path)
    n, k = frame.shape
    averages, z = distances(frame.to_numpy())
    names = list(frame)
    return {
        "ranks": lambda: named(names, averages),
        "cd": lambda: float(qsturng(0.95, k, np.inf) * math.sqrt(k * (k + 1) / (12 * n))),
        "nemenyi": lambda: by_pair(names, nemenyi(z, k)),
        "holm": lambda: by_pair(names, compare(frame)),
    }


measure({"diagram": diagram, "compare": Loaded(frame_in, compare), "agreement": agreement})
