"""scikit-posthocs, with Friedman's test and ranks by SciPy and pandas as its documentation does."""

import pandas as pd
import scikit_posthocs
from harness import measure, pairs_of
from matplotlib.figure import Figure
from scipy import stats


def diagram(path):
    frame = pd.read_csv(path, index_col=0)
    p = stats.friedmanchisquare(*frame.to_numpy().T).pvalue
    pairs = scikit_posthocs.posthoc_nemenyi_friedman(frame.to_numpy())
    pairs.index = pairs.columns = frame.columns
    ranks = frame.rank(axis=1, ascending=False).mean()
    figure = Figure(figsize=(10, 4))
    scikit_posthocs.critical_difference_diagram(ranks, pairs, ax=figure.subplots())
    figure.savefig("diagram.png")
    return {
        "friedman": float(p),
        "nemenyi": pairs_of(list(frame), lambda i, j: pairs.iloc[i, j]),
    }


def wilcoxon(path):
    frame = pd.read_csv(path, index_col=0)
    pairs = scikit_posthocs.posthoc_wilcoxon(list(frame.to_numpy().T), p_adjust="holm")
    return {"wilcoxon": pairs_of(list(frame), lambda i, j: pairs.iloc[i, j])}


measure({"diagram": diagram, "wilcoxon": wilcoxon})
