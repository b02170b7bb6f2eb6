"""Figures of other packages on the data of these pages: ``python measure.py PACKAGE``.

Run it in an environment that has the package, without nbcompare. It writes what the package gives
to ``measured.json``. Each figure has the name of the variable in which the page about the package
computes the same by NumPy and SciPy, and a label for readers; the page shows both figures, and
``tests/docs/test_howto.py`` compares them.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "nbcompare" / "datasets" / "demsar2006.csv"
# Quantiles from tables and interpolations have few digits
ROUGH = 5e-4


class Figure(NamedTuple):
    """What a reader calls a figure, its value, and how far the page may differ from it."""

    label: str
    value: float
    relative: float = 1e-9


def _scores():
    rows = [line.split(",") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    # a name of a data set may hold a comma, the last four cells are scores
    return rows[0][-4:], np.array([[float(cell) for cell in row[-4:]] for row in rows[1:]])


def _frame():
    import pandas as pd

    names, scores = _scores()
    return pd.DataFrame(scores, columns=names)


def autorank():
    """Return figures of autorank."""
    import matplotlib as mpl

    mpl.use("agg")
    from autorank import autorank as rank

    frame = _frame()
    by_ranks = rank(frame, force_mode="nonparametric")
    two = rank(frame[["C4.5+m", "C4.5"]], force_mode="nonparametric")
    table = by_ranks.rankdf
    effects = rank(frame).rankdf["effect_size"]
    return {
        "their_anova": Figure("p of the analysis of variance", rank(frame).pvalue),
        "their_difference": Figure("critical difference", by_ranks.cd, ROUGH),
        "their_lower": Figure("interval of C4.5, lower end", table.loc["C4.5", "ci_lower"]),
        "their_upper": Figure("interval of C4.5, upper end", table.loc["C4.5", "ci_upper"]),
        "their_two": Figure("p of C4.5+m over C4.5", two.pvalue),
        "their_effect": Figure("effect size of C4.5+m+cf", effects["C4.5+m+cf"]),
    }


def scikit_posthocs():
    """Return figures of scikit-posthocs."""
    import scikit_posthocs as sp

    frame = _frame()
    nemenyi = sp.posthoc_nemenyi_friedman(frame).loc["C4.5", "C4.5+m+cf"]
    wilcoxon = sp.posthoc_wilcoxon(list(frame.to_numpy().T)).iloc[0, 1]
    return {
        "their_nemenyi": Figure("Nemenyi's p of C4.5 and C4.5+m+cf", nemenyi),
        "their_wilcoxon": Figure("Wilcoxon's p of C4.5 and C4.5+m", wilcoxon),
    }


def aeon():
    """Return figures of aeon."""
    from aeon.benchmarking.stats import _get_qalpha, wilcoxon_test

    names, scores = _scores()
    n, k = scores.shape
    # as its nemenyi_test computes the critical difference
    difference = _get_qalpha(0.05)[k] * np.sqrt(k * (k + 1) / (6 * n))
    wilcoxon = wilcoxon_test(scores[:, [1, 0]], [names[1], names[0]])[0, 1]
    return {
        "their_difference": Figure("critical difference", difference, ROUGH),
        "their_wilcoxon": Figure("Wilcoxon's p of C4.5+m and C4.5", wilcoxon),
    }


def rliable():
    """Return figures of rliable."""
    from rliable import metrics

    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 10, (5, 8)) / 10, rng.integers(1, 11, (5, 8)) / 10
    better = metrics.probability_of_improvement(second, first)
    return {
        "their_iqm": Figure("interquartile mean of the first", metrics.aggregate_iqm(first)),
        "their_median": Figure("median of the first", metrics.aggregate_median(first)),
        "their_improvement": Figure("probability that the second is better", better),
    }


def cocopp():
    """Return figures of the post-processing of COCO."""
    from cocopp import toolsstats

    evaluations, reached = [200, 350, 500, 500, 420], [True, True, False, False, True]
    first, second = [120, 150, 150, 200, 260], [150, 200, 300, 310, 400]
    needed = toolsstats.sp(evaluations, issuccessful=reached)[0]
    rank_sum = toolsstats.ranksumtest(first, second)[1]
    return {
        "their_ert": Figure("expected running time", needed),
        # its normal law is a series of nine digits
        "their_rank_sum": Figure("p of the rank-sum test", rank_sum, 1e-7),
    }


PACKAGES = {
    "autorank": autorank,
    "scikit-posthocs": scikit_posthocs,
    "aeon": aeon,
    "rliable": rliable,
    "cocopp": cocopp,
}


def main(package):
    """Measure a package, and put its figures into the file."""
    file = HERE / "measured.json"
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    figures = {
        name: {**found._asdict(), "value": float(found.value)}
        for name, found in PACKAGES[package]().items()
    }
    kept[package] = {"version": importlib.metadata.version(package), "figures": figures}
    text = json.dumps(dict(sorted(kept.items())), indent=2, ensure_ascii=False)
    file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
