"""StaTDS."""

import itertools

import pandas as pd
from harness import measure, pairs_of
from statds import no_parametrics as tests


def diagram(path):
    frame = pd.read_csv(path)
    ranks, _, p, *_ = tests.friedman(frame, apply_correction=True)
    *_, figure = tests.nemenyi(ranks, len(frame))
    figure.savefig("diagram.png")
    return {"friedman": float(p), "without": "p-values of pairs"}


def shaffer(path):
    frame = pd.read_csv(path)
    ranks, *_ = tests.friedman(frame)
    table, _ = tests.shaffer(ranks, len(frame))
    names = list(frame)[1:]
    p = dict(zip(itertools.combinations(names, 2), table.iloc[:, -2].astype(float), strict=True))
    return {"shaffer": pairs_of(names, lambda i, j: p[names[i], names[j]])}


measure({"diagram": diagram, "shaffer": shaffer})
