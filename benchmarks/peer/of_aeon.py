"""aeon, which draws diagrams of groups by Wilcoxon's one-sided tests or by Nemenyi's."""

from aeon.benchmarking.stats import _get_qalpha, check_friedman, wilcoxon_test
from aeon.visualisation import plot_critical_difference
from frames import frame_in, named
from harness import Loaded, measure, pairs_of
from scipy.stats import rankdata


def diagram(path):
    frame = frame_in(path)
    figure, _ = plot_critical_difference(frame.to_numpy(), list(frame), test="nemenyi", alpha=0.05)
    figure.savefig("diagram.png")


def tests_of_pairs(frame):
    """Test as its diagram does: in the order of average ranks, each against the worse ones."""
    averages = rankdata(-frame.to_numpy(), axis=1).mean(axis=0)
    order = sorted(range(len(averages)), key=lambda i: averages[i])
    tests = wilcoxon_test(frame.to_numpy()[:, order], [frame.columns[i] for i in order])
    place = {i: at for at, i in enumerate(order)}
    return lambda i, j: tests[min(place[i], place[j]), max(place[i], place[j])]


def agreement(path):
    frame = frame_in(path)
    n, k = frame.shape
    names = list(frame)
    ranks = rankdata(-frame.to_numpy(), axis=1)
    found = {
        "friedman": lambda: float(check_friedman(ranks)),
        "ranks": lambda: named(names, ranks.mean(axis=0)),
        # As its nemenyi_test computes it
        "cd": lambda: float(_get_qalpha(0.05)[k] * (k * (k + 1) / (6 * n)) ** 0.5),
    }
    if n <= 50:
        found["wilcoxon"] = lambda: pairs_of(names, tests_of_pairs(frame))
    return found


measure(
    {
        "diagram": diagram,
        "wilcoxon": Loaded(frame_in, tests_of_pairs),
        "agreement": agreement,
    }
)
