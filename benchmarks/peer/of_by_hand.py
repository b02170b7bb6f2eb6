"""SciPy and statsmodels by hand, as an example in their documentation does it."""

import numpy as np
import pandas as pd
from harness import measure, pairs_of
from scipy import stats
from statsmodels.stats.multitest import multipletests


def scores_in(path):
    return pd.read_csv(path, index_col=0)


def friedman(path):
    """No critical difference diagram: there is none."""
    frame = scores_in(path)
    scores = frame.to_numpy()
    n, k = scores.shape
    averages = stats.rankdata(-scores, axis=1).mean(axis=0)
    p = stats.friedmanchisquare(*scores.T).pvalue
    error = np.sqrt(k * (k + 1) / (12 * n))
    first, second = np.triu_indices(k, 1)
    q = np.abs(averages[first] - averages[second]) / error
    adjusted = dict(zip(zip(first, second), stats.studentized_range.sf(q, k, np.inf)))
    return {
        "friedman": p,
        "nemenyi": pairs_of(list(frame), lambda i, j: adjusted[i, j]),
        "without": "a diagram",
    }


def wilcoxon(path):
    frame = scores_in(path)
    scores = frame.to_numpy()
    first, second = np.triu_indices(scores.shape[1], 1)
    p = [stats.wilcoxon(scores[:, i], scores[:, j]).pvalue for i, j in zip(first, second)]
    adjusted = dict(zip(zip(first, second), multipletests(p, method="holm")[1]))
    return {"wilcoxon": pairs_of(list(frame), lambda i, j: adjusted[i, j])}


measure({"diagram": friedman, "wilcoxon": wilcoxon})
