"""Figures of other packages on the data of these pages: ``python measure.py PACKAGE``.

Run it in an environment that has the package, without nbcompare. It writes what the package gives
to ``measured.json``. Each figure has the name of the variable in which the page about the package
computes the same by NumPy and SciPy; ``tests/docs/test_howto.py`` compares both.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "nbcompare" / "datasets" / "demsar2006.csv"
# Quantiles from tables and interpolations have few digits
ROUGH = 5e-4


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
    return {
        "their_anova": rank(frame).pvalue,
        "their_difference": (by_ranks.cd, ROUGH),
        "their_lower": table.loc["C4.5", "ci_lower"],
        "their_upper": table.loc["C4.5", "ci_upper"],
        "their_two": two.pvalue,
        "their_effect": rank(frame).rankdf.loc["C4.5+m+cf", "effect_size"],
    }


def scikit_posthocs():
    """Return figures of scikit-posthocs."""
    import scikit_posthocs as sp

    frame = _frame()
    return {
        "their_nemenyi": sp.posthoc_nemenyi_friedman(frame).loc["C4.5", "C4.5+m+cf"],
        "their_wilcoxon": sp.posthoc_wilcoxon(list(frame.to_numpy().T)).iloc[0, 1],
    }


def aeon():
    """Return figures of aeon."""
    from aeon.benchmarking.stats import _get_qalpha, wilcoxon_test

    names, scores = _scores()
    n, k = scores.shape
    # as its nemenyi_test computes the critical difference
    difference = _get_qalpha(0.05)[k] * np.sqrt(k * (k + 1) / (6 * n))
    return {
        "their_difference": (difference, ROUGH),
        "their_wilcoxon": wilcoxon_test(scores[:, [1, 0]], [names[1], names[0]])[0, 1],
    }


def rliable():
    """Return figures of rliable."""
    from rliable import metrics

    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 10, (5, 8)) / 10, rng.integers(1, 11, (5, 8)) / 10
    return {
        "their_iqm": metrics.aggregate_iqm(first),
        "their_median": metrics.aggregate_median(first),
        "their_improvement": metrics.probability_of_improvement(second, first),
    }


def cocopp():
    """Return figures of the post-processing of COCO."""
    from cocopp import toolsstats

    evaluations, reached = [200, 350, 500, 500, 420], [True, True, False, False, True]
    first, second = [120, 150, 150, 200, 260], [150, 200, 300, 310, 400]
    return {
        "their_ert": toolsstats.sp(evaluations, issuccessful=reached)[0],
        # its normal law is a series of nine digits
        "their_rank_sum": (toolsstats.ranksumtest(first, second)[1], 1e-7),
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
    figures = {}
    for name, found in PACKAGES[package]().items():
        value, relative = found if isinstance(found, tuple) else (found, 1e-9)
        figures[name] = {"value": float(value), "relative": relative}
    kept[package] = {"version": importlib.metadata.version(package), "figures": figures}
    text = json.dumps(dict(sorted(kept.items())), indent=2, ensure_ascii=False)
    file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
