"""scikit-posthocs, with Friedman's test and ranks by SciPy and pandas as its documentation does."""

import scikit_posthocs
from frames import frame_in, named
from harness import Loaded, measure, pairs_of
from matplotlib.figure import Figure
from scipy import stats


def compare(frame):
    scores = frame.to_numpy()
    p = stats.friedmanchisquare(*scores.T).pvalue
    return float(p), scikit_posthocs.posthoc_nemenyi_friedman(scores)


def averages(frame):
    return frame.rank(axis=1, ascending=False).mean()


def diagram(path):
    frame = frame_in(path)
    _, pairs = compare(frame)
    pairs.index = pairs.columns = frame.columns
    figure = Figure(figsize=(10, 4))
    scikit_posthocs.critical_difference_diagram(averages(frame), pairs, ax=figure.subplots())
    figure.savefig("diagram.png")


def of_pairs(frame, adjust):
    return scikit_posthocs.posthoc_wilcoxon(list(frame.to_numpy().T), p_adjust=adjust)


def agreement(path):
    frame = frame_in(path)
    names = list(frame)
    p, pairs = compare(frame)
    found = {
        "friedman": lambda: p,
        "ranks": lambda: named(names, averages(frame)),
        "nemenyi": lambda: pairs_of(names, lambda i, j: pairs.iloc[i, j]),
    }
    if len(frame) <= 50:
        tests = of_pairs(frame, None)
        found["wilcoxon"] = lambda: pairs_of(names, lambda i, j: tests.iloc[i, j])
    return found


measure(
    {
        "diagram": diagram,
        "compare": Loaded(frame_in, compare),
        "wilcoxon": Loaded(frame_in, lambda frame: of_pairs(frame, "holm")),
        "agreement": agreement,
    }
)
