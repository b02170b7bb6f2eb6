"""nbcompare, and the same analysis as its peers do it."""

import subprocess
import sys

import numpy as np
from harness import Loaded, measure

import nbcompare as nbc
from nbcompare.stats.adjust import adjust
from nbcompare.stats.posthoc import all_pairs
from nbcompare.stats.signed_rank import signed_ranks

BY_RANKS = {"ranking": "friedman", "pairs": "ranks", "method": "normal"}


def read(path):
    if path.suffix == ".npy":
        return nbc.Experiment.from_array(np.load(path), direction="maximize")
    return nbc.Experiment.read(path, direction="maximize")


def diagram(path):
    comparison = nbc.compare(read(path), adjust="nemenyi", **BY_RANKS)
    # As fine as matplotlib writes the figures of the others
    nbc.plots.save(nbc.plots.cd_diagram(comparison), "diagram.png", dpi=100)


def adjusted_by(name):
    def work(scores):
        # a new experiment each time, as an experiment keeps what was derived from it
        experiment = nbc.Experiment.from_array(scores, direction="maximize")
        return nbc.compare(experiment, adjust=name, **BY_RANKS)

    return Loaded(np.load, work)


def all_pairs_of_arrays(scores):
    """Test the pairs alone, as the others do: a comparison has the exact test of Friedman, too."""
    first, second = all_pairs(scores.shape[1])
    return adjust(signed_ranks(scores, first, second, method="exact").pvalue, "holm")


def wilcoxon(experiment):
    return nbc.compare(
        experiment,
        ranking="friedman",
        pairs="wilcoxon",
        adjust="holm",
        method="exact",
        intervals="none",
    )


def report(path):
    line = [sys.executable, "-m", "nbcompare", "report", str(path), "--direction", "maximize"]
    subprocess.run([*line, "-o", "report.html"], check=True, capture_output=True)


def agreement(path):
    experiment = read(path)
    k = len(experiment.algorithms)
    names = ["nemenyi", "holm", "shaffer", *(["bergmann-hommel"] if k <= 10 else [])]
    result = nbc.compare(experiment, adjust=names, **BY_RANKS)
    found = {
        "friedman": lambda: float(result.omnibus["friedman"].pvalue),
        "ranks": lambda: {name: float(rank) for name, rank in result.average_ranks.items()},
        "cd": lambda: float(result.critical_difference),
    }
    for name in names:
        found[name] = lambda name=name: _pairs(experiment, result, name)
    found["rejected"] = lambda: {
        pair: float(p <= 0.05) for pair, p in _pairs(experiment, result, "shaffer").items()
    }
    if len(experiment.datasets) <= 50:
        found["wilcoxon"] = lambda: _pairs(experiment, wilcoxon(experiment))
    return found


def _pairs(experiment, result, procedure=None):
    """Return p by pair, adjusted or not, named in the order of the table."""
    place = {name: place for place, name in enumerate(experiment.algorithms)}
    tests = result.hypotheses
    p = tests.pvalue if procedure is None else tests.adjusted[procedure]
    pairs = {}
    for first, second, one in zip(tests.first, tests.second, p, strict=True):
        a, b = sorted((first, second), key=place.__getitem__)
        pairs[f"{a} - {b}"] = float(one)
    return pairs


measure(
    {
        "diagram": diagram,
        "compare": adjusted_by("holm"),
        "shaffer": adjusted_by("shaffer"),
        "bergmann-hommel": adjusted_by("bergmann-hommel"),
        "wilcoxon": Loaded(np.load, all_pairs_of_arrays),
        "report": report,
        "agreement": agreement,
    }
)
