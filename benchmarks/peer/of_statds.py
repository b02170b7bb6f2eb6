"""StaTDS. Its tests want the names of data sets as the first column."""

import itertools

from frames import frame_in, named
from harness import Loaded, by_pair, measure
from matplotlib import pyplot
from statds import no_parametrics as tests


def table_in(path):
    frame = frame_in(path)
    frame.index = frame.index.map(str)
    return frame.rename_axis("dataset").reset_index()


def friedman(frame):
    return tests.friedman(frame, apply_correction=True)


def table_of(procedure, ranks, n):
    """Return the table of all pairs, without the figure that comes with it."""
    table = procedure(ranks, n)[0]
    pyplot.close("all")
    return table


def adjusted(frame, procedure, ranks=None):
    ranks = ranks or friedman(frame)[0]
    return table_of(procedure, ranks, len(frame))["Adjusted p-value"].astype(float)


def compare(frame):
    return adjusted(frame, tests.holm)


def diagram(path):
    frame = table_in(path)
    ranks, *_ = friedman(frame)
    *_, figure = tests.nemenyi(ranks, len(frame))
    figure.savefig("diagram.png")
    pyplot.close("all")


def tests_of_pairs(frame):
    pairs = itertools.combinations(list(frame)[1:], 2)
    return [float(tests.wilcoxon(frame[list(pair)])[1]) for pair in pairs]


def agreement(path):
    frame = table_in(path)
    names = list(frame)[1:]
    ranks, _, p, *_ = friedman(frame)
    found = {
        "friedman": lambda: float(p),
        "ranks": lambda: named(names, [ranks[name] for name in names]),
        "cd": lambda: float(tests.nemenyi(ranks, len(frame))[1]),
        "holm": lambda: by_pair(names, adjusted(frame, tests.holm, ranks)),
        "shaffer": lambda: by_pair(names, adjusted(frame, tests.shaffer, ranks)),
    }
    decided = table_of(tests.shaffer, ranks, len(frame))["Results"]
    found["rejected"] = lambda: by_pair(names, decided == "Reject H0")
    if len(frame) <= 50:
        found["wilcoxon"] = lambda: by_pair(names, tests_of_pairs(frame))
    return found


measure(
    {
        "diagram": diagram,
        "compare": Loaded(table_in, compare),
        "shaffer": Loaded(table_in, lambda frame: adjusted(frame, tests.shaffer)),
        "wilcoxon": Loaded(table_in, tests_of_pairs),
        "agreement": agreement,
    }
)
